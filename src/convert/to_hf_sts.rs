//! Target `hf-sts`: traces as shown by the Hugging Face Hub, with a header, then one message per line, text only.

use super::conversation::{Answer, Turn};
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
        let messages = conversation.turns.iter().flat_map(|turn| {
            let said = spoken(turn, losses);
            std::iter::once(said).chain(turn.answers.iter().map(answered))
        });
        let lines = messages.map(|text| Fields::new().text("type", "message").raw("message", &text).done());
        std::iter::once(header).chain(lines).map(|line| line + "\n").collect()
    }
}

fn spoken(turn: &Turn<'_>, losses: &mut Losses) -> String {
    let text = turn.text();
    losses.add(Loss::NullContentNormalized, usize::from(text.is_empty()));
    let calls = turn.calls().map(|call| {
        let (arguments, changed) = string(call.arguments);
        losses.add(Loss::ArgumentsNormalized, usize::from(changed));
        function_call(call, &quoted(&arguments))
    });
    let calls: Vec<_> = calls.collect();
    let calls = (!calls.is_empty()).then(|| array(calls));
    let message = Fields::new().text("role", turn.role.name()).text("content", &text);
    let message = message.text_if("reasoningContent", turn.thoughts().as_deref());
    let message = message.raw_if("toolCalls", calls.as_deref()).text_if("model", turn.model.as_deref());
    message.raw_if("timestamp", turn.time.map(|time| time.to_string()).as_deref()).done()
}

fn answered(answer: &Answer<'_>) -> String {
    let message = Fields::new().text("role", "tool").text("content", &answer.text).text("toolCallId", &answer.id);
    message.raw_if("timestamp", answer.time.map(|time| time.to_string()).as_deref()).done()
}
