//! Target `codex`: a rollout, with a line about the thread, then one response item per line, and the events by which
//! Codex lists sessions.

use super::conversation::{Part, ToolResult, Unit};
use super::fields::{Fields, array, quoted, string};
use super::losses::Losses;
use super::medium::Medium;
use super::target::{Holds, Images, Output, ROWS, Target, Times, Written};
use super::time::{Clock, iso};
use super::uuid::uuid;
use crate::transcript::Role;

/// One rollout per file.
pub(super) struct Codex;

impl Target for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn output(&self) -> Output {
        Output::File("jsonl")
    }

    fn holds(&self) -> Holds {
        Holds { images: Images::Anywhere, tools: false, times: Times::All, ..ROWS }
    }

    fn write(&self, Written(conversation): &Written<'_, '_>, losses: &mut Losses) -> String {
        let session = &conversation.session;
        let mut log = Log::default();
        let start = iso(conversation.units.iter().find_map(|unit| unit.time).unwrap_or_default());
        let meta = Fields::new().text("id", &uuid(&session.hash, 0)).text("timestamp", &start);
        let meta = meta.text("cwd", session.folder.as_deref().unwrap_or("/")).text("originator", "epitome");
        let meta = meta.text("cli_version", "0.0.0").text("source", "cli").text("model_provider", "openai");
        log.line(&start, "session_meta", &meta.done());
        let announced = announced(&conversation.units);
        for (at, unit) in conversation.units.iter().enumerate() {
            log.unit(unit, announced == Some(at), losses);
        }
        log.text
    }
}

/// A rollout being written.
#[derive(Default)]
struct Log {
    text: String,
    clock: Clock,
}

impl Log {
    fn line(&mut self, time: &str, kind: &str, payload: &str) {
        let line = Fields::new().text("timestamp", time).text("type", kind).raw("payload", payload).done();
        self.text += &line;
        self.text.push('\n');
    }

    fn unit(&mut self, unit: &Unit<'_>, announced: bool, losses: &mut Losses) {
        let time = iso(self.clock.at(unit.time));
        let items = if unit.role == Role::Assistant { spoken(unit, losses) } else { vec![message_item(unit)] };
        items.iter().for_each(|item| self.line(&time, "response_item", item));
        if unit.role == Role::User && (!unit.harness || announced) {
            let event = Fields::new().text("type", "user_message").text("message", &unit.text()).text("kind", "plain");
            self.line(&time, "event_msg", &event.done());
        }
        for result in &unit.results {
            let time = iso(self.clock.at(result.time));
            self.line(&time, "response_item", &output(result));
        }
    }
}

/// Index of the message that is announced as the user's if none is a person's: the opening request, such as that of
/// another agent. Codex lists no session without such an event.
fn announced(units: &[Unit<'_>]) -> Option<usize> {
    let is_user = |unit: &Unit<'_>| unit.role == Role::User && !unit.summary && !unit.text().trim().is_empty();
    let silent = !units.iter().any(|unit| unit.role == Role::User && !unit.harness);
    let mut opening = units.iter().take_while(|unit| unit.role != Role::Assistant);
    opening.position(is_user).filter(|_| silent)
}

/// The item of a user or system message.
fn message_item(unit: &Unit<'_>) -> String {
    let role = if unit.role == Role::System { "developer" } else { "user" };
    let blocks = unit.parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(words("input_text", text)),
        Part::Medium(medium) => Some(image(medium)),
        _ => None,
    });
    Fields::new().text("type", "message").text("role", role).raw("content", &array(blocks)).done()
}

/// The items of an assistant message, in order.
fn spoken(unit: &Unit<'_>, losses: &mut Losses) -> Vec<String> {
    let item = |part: &Part<'_>| match part {
        Part::Text(text) => {
            let content = array([words("output_text", text)]);
            Some(Fields::new().text("type", "message").text("role", "assistant").raw("content", &content).done())
        }
        Part::Reasoning(reasoning) => {
            let summary = array([words("summary_text", &reasoning.text)]);
            Some(Fields::new().text("type", "reasoning").raw("summary", &summary).done())
        }
        Part::Medium(_) => None,
        Part::Call(call) => {
            let arguments = string(call.arguments, losses);
            let item = Fields::new().text("type", "function_call").text("name", call.name);
            Some(item.text("arguments", &arguments).text("call_id", &call.id).done())
        }
    };
    unit.parts.iter().filter_map(item).collect()
}

fn output(result: &ToolResult<'_>) -> String {
    let text = if result.media.is_empty() {
        quoted(&result.text)
    } else {
        array(std::iter::once(words("input_text", &result.text)).chain(result.media.iter().map(image)))
    };
    let item = Fields::new().text("type", "function_call_output").text("call_id", &result.id);
    item.raw("output", &text).done()
}

fn words(kind: &str, text: &str) -> String {
    Fields::new().text("type", kind).text("text", text).done()
}

fn image(medium: &Medium<'_>) -> String {
    Fields::new().text("type", "input_image").text("image_url", &medium.url()).done()
}
