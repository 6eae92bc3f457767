//! Target `anthropic-messages`: one request per row, `{"system":…, "messages":[…], "tools":[…]}`.
//!
//! Roles alternate, starting with the user; results come first in the user message after their calls.

use super::blocks;
use super::conversation::{Tool, Unit};
use super::fields::{Fields, array};
use super::losses::Losses;
use super::target::{CallIds, Holds, Images, Output, ROWS, ReasoningForm, Systems, Target, Written};
use crate::transcript::Role;

/// Requests of Anthropic's API.
pub(super) struct AnthropicMessages;

impl Target for AnthropicMessages {
    fn name(&self) -> &'static str {
        "anthropic-messages"
    }

    fn output(&self) -> Output {
        Output::Rows
    }

    fn holds(&self) -> Holds {
        Holds {
            systems: Systems::First,
            reasoning: ReasoningForm::Signed,
            images: Images::Anywhere,
            alternates: true,
            ids: CallIds::Plain,
            errors: true,
            ..ROWS
        }
    }

    fn write(&self, Written(conversation): &Written<'_, '_>, losses: &mut Losses) -> String {
        let (systems, units): (Vec<_>, Vec<_>) = conversation.units.iter().partition(|unit| unit.role == Role::System);
        let system = systems.first().map(|unit| unit.text()).filter(|text| !text.is_empty());
        let tools = (!conversation.tools.is_empty()).then(|| array(conversation.tools.iter().map(tool)));
        let row = Fields::new().text_if("system", system.as_deref()).list("messages", messages(&units, losses));
        row.raw_if("tools", tools.as_deref()).done() + "\n"
    }
}

/// The messages as JSON; the results of a unit come first in the next user message.
fn messages(units: &[&Unit<'_>], losses: &mut Losses) -> Vec<String> {
    let mut messages = Vec::with_capacity(units.len());
    let mut results: Vec<String> = Vec::new();
    for unit in units {
        let said = blocks::content_blocks(unit, losses);
        if unit.role == Role::User {
            let whole = Some(*unit).filter(|_| results.is_empty());
            let all: Vec<_> = std::mem::take(&mut results).into_iter().chain(said).collect();
            messages.push(message("user", &blocks::content(all, whole)));
            continue;
        }
        messages.extend(waiting(&mut results));
        messages.push(message("assistant", &blocks::content(said, Some(unit))));
        results = unit.results.iter().map(blocks::result).collect();
    }
    messages.extend(waiting(&mut results));
    messages
}

/// A user message with only results, if there are any.
fn waiting(results: &mut Vec<String>) -> Option<String> {
    (!results.is_empty()).then(|| message("user", &array(std::mem::take(results))))
}

fn message(role: &str, content: &str) -> String {
    Fields::new().text("role", role).raw("content", content).done()
}

fn tool(tool: &Tool<'_>) -> String {
    let schema = tool.parameters.as_deref().unwrap_or(r#"{"type":"object","properties":{}}"#);
    let fields = Fields::new().text("name", &tool.name).text_if("description", tool.description.as_deref());
    fields.raw("input_schema", schema).done()
}
