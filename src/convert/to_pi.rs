//! Target `pi`: a session of version 3, with a header and linked entries.
//!
//! pi's types require usage and a provider in every assistant message; where the source has none, zeros and `unknown`
//! are written.

use super::conversation::{Conversation, Part, ToolResult, Unit};
use super::fields::{Fields, array, object};
use super::losses::Losses;
use super::medium::Medium;
use super::target::{Holds, Images, Output, ROWS, Systems, Target, Times, Written};
use super::time::{Clock, iso};
use super::uuid::{hex, uuid};
use crate::transcript::{Role, Usage};

/// One session per file.
pub(super) struct Pi;

impl Target for Pi {
    fn name(&self) -> &'static str {
        "pi"
    }

    fn output(&self) -> Output {
        Output::File("jsonl")
    }

    fn holds(&self) -> Holds {
        Holds {
            systems: Systems::Nowhere,
            images: Images::Inline,
            tools: false,
            usage: true,
            times: Times::All,
            models: true,
            errors: true,
            ..ROWS
        }
    }

    fn write(&self, Written(conversation): &Written<'_, '_>, losses: &mut Losses) -> String {
        let mut log = Log::new(conversation);
        for unit in &conversation.units {
            let time = log.clock.at(unit.time);
            let blocks = array(unit.parts.iter().map(|part| block(part, losses)));
            if unit.harness && unit.role == Role::User {
                let fields = format!(r#""customType":"converted","content":{blocks},"display":true"#);
                log.entry("custom_message", &fields, time);
            } else {
                log.message(&message(unit, &blocks, time), time);
            }
            for result in &unit.results {
                let time = log.clock.at(result.time);
                log.message(&tool_result(result, time), time);
            }
        }
        log.text
    }
}

/// A session being written.
struct Log {
    text: String,
    seed: String,
    count: usize,
    parent: String,
    clock: Clock,
}

impl Log {
    fn new(conversation: &Conversation<'_>) -> Self {
        let session = &conversation.session;
        let first = conversation.units.iter().find_map(|unit| unit.time).unwrap_or_default();
        let header = Fields::new().text("type", "session").raw("version", "3").text("id", &uuid(&session.hash, 0));
        let header = header.text("timestamp", &iso(first)).text("cwd", session.folder.as_deref().unwrap_or("/"));
        let (seed, parent) = (session.hash.clone(), "null".to_owned());
        Self { text: header.done() + "\n", seed, count: 0, parent, clock: Clock::default() }
    }

    /// Writes an entry. Its id has eight hexadecimal digits: its number, which makes it unique, and a hash.
    fn entry(&mut self, kind: &str, fields: &str, time: i64) {
        let hash = hex(&self.seed, 0);
        let id = format!(r#""{:04x}{}""#, self.count, hash.get(..4).unwrap_or_default());
        self.count += 1;
        self.text += &format!(
            r#"{{"type":"{kind}","id":{id},"parentId":{},"timestamp":"{}",{fields}}}"#,
            self.parent,
            iso(time)
        );
        self.text.push('\n');
        self.parent = id;
    }

    fn message(&mut self, message: &str, time: i64) {
        self.entry("message", &format!(r#""message":{message}"#), time);
    }
}

fn message(unit: &Unit<'_>, blocks: &str, time: i64) -> String {
    if unit.role != Role::Assistant {
        let message = Fields::new().text("role", "user").raw("content", blocks);
        return message.raw("timestamp", &time.to_string()).done();
    }
    let stop = if unit.calls().next().is_some() { "toolUse" } else { "stop" };
    let message = Fields::new().text("role", "assistant").raw("content", blocks).text("api", "unknown");
    let message = message.text("provider", "unknown").text("model", unit.model.as_deref().unwrap_or("unknown"));
    let message = message.raw("usage", &usage(unit.usage.unwrap_or_default())).text("stopReason", stop);
    message.raw("timestamp", &time.to_string()).done()
}

fn block(part: &Part<'_>, losses: &mut Losses) -> String {
    match part {
        Part::Text(text) => Fields::new().text("type", "text").text("text", text).done(),
        Part::Reasoning(reasoning) => Fields::new().text("type", "thinking").text("thinking", &reasoning.text).done(),
        Part::Medium(medium) => medium.pi(),
        Part::Call(call) => {
            let arguments = object(call.arguments, losses);
            let block = Fields::new().text("type", "toolCall").text("id", &call.id).text("name", call.name);
            block.raw("arguments", &arguments).done()
        }
    }
}

fn tool_result(result: &ToolResult<'_>, time: i64) -> String {
    let text = Fields::new().text("type", "text").text("text", &result.text).done();
    let content = array(std::iter::once(text).chain(result.media.iter().map(Medium::pi)));
    let message = Fields::new().text("role", "toolResult").text("toolCallId", &result.id).text("toolName", result.tool);
    let message = message.raw("content", &content).raw("isError", if result.error { "true" } else { "false" });
    message.raw("timestamp", &time.to_string()).done()
}

fn usage(usage: Usage) -> String {
    let cost = r#"{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}"#;
    format!(
        r#"{{"input":{},"output":{},"cacheRead":{},"cacheWrite":{},"totalTokens":{},"cost":{cost}}}"#,
        usage.input,
        usage.output,
        usage.cache_read,
        usage.cache_write,
        usage.total()
    )
}
