//! Targets with OpenAI's messages: `openai-chat` and `trl` write one conversation per row, `openai-messages` one
//! message per line.
//!
//! TRL's rows differ in two ways that chat templates need: arguments are objects, and results name their tool.

use super::conversation::{Call, Part, Tool, ToolResult, Unit};
use super::fields::{Fields, array, object, quoted, string};
use super::losses::{Loss, Losses};
use super::target::{Holds, Images, Output, ROWS, ReasoningForm, Target, Written};
use crate::transcript::Role;
use std::borrow::Cow;

/// A target with OpenAI's messages.
pub(super) struct OpenAi {
    name: &'static str,
    format: &'static str,
    output: Output,
    images: Images,
    /// Whether arguments are objects and results name their tool.
    templated: bool,
}

/// Rows for fine-tuning.
pub(super) const CHAT: OpenAi = OpenAi {
    name: "openai-chat",
    format: "openai-chat",
    output: Output::Rows,
    images: Images::Users,
    templated: false,
};

/// A session with one message per line.
pub(super) const MESSAGES: OpenAi = OpenAi {
    name: "openai-messages",
    format: "openai-messages",
    output: Output::File("jsonl"),
    images: Images::Users,
    templated: false,
};

/// Rows for TRL's trainers.
pub(super) const TRL: OpenAi =
    OpenAi { name: "trl", format: "openai-chat", output: Output::Rows, images: Images::None, templated: true };

impl Target for OpenAi {
    fn name(&self) -> &'static str {
        self.name
    }

    fn format(&self) -> &'static str {
        self.format
    }

    fn output(&self) -> Output {
        self.output
    }

    fn holds(&self) -> Holds {
        let rows = self.output == Output::Rows;
        let reasoning = if rows { ReasoningForm::Beside } else { ReasoningForm::Text };
        Holds { images: self.images, tools: rows, reasoning, ..ROWS }
    }

    fn write(&self, Written(conversation): &Written<'_, '_>, losses: &mut Losses) -> String {
        let messages = conversation.units.iter().flat_map(|unit| self.messages(unit, losses));
        if self.output != Output::Rows {
            let lines = messages.flat_map(|message| [Cow::Owned(message), Cow::Borrowed("\n")]);
            return lines.collect();
        }
        let tools = (!conversation.tools.is_empty()).then(|| array(conversation.tools.iter().map(tool)));
        Fields::new().list("messages", messages).raw_if("tools", tools.as_deref()).done() + "\n"
    }
}

impl OpenAi {
    /// The message of a unit, then one message per result.
    fn messages(&self, unit: &Unit<'_>, losses: &mut Losses) -> Vec<String> {
        let calls: Vec<_> = unit.calls().map(|call| self.call(call, losses)).collect();
        let message = Fields::new().text("role", unit.role.name()).raw("content", &content(unit, losses));
        let message = message.text_if("reasoning_content", unit.reasoning().as_deref());
        let calls = (!calls.is_empty()).then(|| array(calls));
        let message = message.raw_if("tool_calls", calls.as_deref()).done();
        std::iter::once(message).chain(unit.results.iter().map(|result| self.result(result))).collect()
    }

    fn call(&self, call: &Call<'_>, losses: &mut Losses) -> String {
        let arguments = match self.templated {
            true => object(call.arguments, losses).into_owned(),
            false => quoted(&string(call.arguments, losses)),
        };
        function_call(call, &arguments)
    }

    fn result(&self, result: &ToolResult<'_>) -> String {
        let name = Some(result.tool).filter(|tool| self.templated && !tool.is_empty());
        let message = Fields::new().text("role", "tool").text("tool_call_id", &result.id).text_if("name", name);
        message.text("content", &result.text).done()
    }
}

/// A call with its arguments, given as JSON.
pub(super) fn function_call(call: &Call<'_>, arguments: &str) -> String {
    let function = Fields::new().text("name", call.name).raw("arguments", arguments).done();
    Fields::new().text("id", &call.id).text("type", "function").raw("function", &function).done()
}

/// The content of a message: a string, an array of blocks if there are images, or `null` if there are only calls.
fn content(unit: &Unit<'_>, losses: &mut Losses) -> String {
    if unit.has_media() {
        let blocks = unit.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(Fields::new().text("type", "text").text("text", text).done()),
            Part::Medium(medium) => Some(medium.openai()),
            _ => None,
        });
        return array(blocks);
    }
    let text = unit.text();
    if !text.is_empty() {
        return quoted(&text);
    }
    if unit.role == Role::Assistant && unit.calls().next().is_some() {
        return "null".to_owned();
    }
    losses.add(Loss::NullContentNormalized, 1);
    quoted(&text)
}

/// The schema of a tool, as JSON.
pub(super) fn tool(tool: &Tool<'_>) -> String {
    let fields = Fields::new().text("name", &tool.name).text_if("description", tool.description.as_deref());
    let function = fields.raw_if("parameters", tool.parameters.as_deref()).done();
    Fields::new().text("type", "function").raw("function", &function).done()
}
