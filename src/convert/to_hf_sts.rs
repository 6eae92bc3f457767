//! Target `hf-sts`: traces as shown by the Hugging Face Hub, with a header, then one message per line, text only.

use super::conversation::{ToolResult, Unit};
use super::fields::{Fields, array, quoted, string};
use super::losses::{Loss, Losses};
use super::target::{Holds, Output, ROWS, Target, Times, Written};
use super::to_openai::function_call;

/// One trace per file.
pub(super) struct HfSts;

impl Target for HfSts {
    fn name(&self) -> &'static str {
        "hf-sts"
    }

    fn output(&self) -> Output {
        Output::File("jsonl")
    }

    fn holds(&self) -> Holds {
        Holds { tools: false, times: Times::Stated, models: true, ..ROWS }
    }

    fn write(&self, Written(conversation): &Written<'_, '_>, losses: &mut Losses) -> String {
        let session = &conversation.session;
        let id = session.hash.get(..32).unwrap_or_default();
        let header = Fields::new().text("type", "session").text("harness", session.format).text("id", id).done();
        let messages = conversation.units.iter().flat_map(|unit| {
            let said = spoken(unit, losses);
            std::iter::once(said).chain(unit.results.iter().map(answered))
        });
        let lines = messages.map(|text| Fields::new().text("type", "message").raw("message", &text).done());
        std::iter::once(header).chain(lines).map(|line| line + "\n").collect()
    }
}

fn spoken(unit: &Unit<'_>, losses: &mut Losses) -> String {
    let text = unit.text();
    losses.add(Loss::NullContentNormalized, usize::from(text.is_empty()));
    let calls = unit.calls().map(|call| {
        let arguments = string(call.arguments, losses);
        function_call(call, &quoted(&arguments))
    });
    let calls: Vec<_> = calls.collect();
    let calls = (!calls.is_empty()).then(|| array(calls));
    let message = Fields::new().text("role", unit.role.name()).text("content", &text);
    let message = message.text_if("reasoningContent", unit.reasoning().as_deref());
    let message = message.raw_if("toolCalls", calls.as_deref()).text_if("model", unit.model.as_deref());
    message.raw_if("timestamp", unit.time.map(|time| time.to_string()).as_deref()).done()
}

fn answered(result: &ToolResult<'_>) -> String {
    let message = Fields::new().text("role", "tool").text("content", &result.text).text("toolCallId", &result.id);
    message.raw_if("timestamp", result.time.map(|time| time.to_string()).as_deref()).done()
}
