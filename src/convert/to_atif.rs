//! Target `atif`: a trajectory in Harbor's interchange format, version 1.6.
//!
//! A step of the agent holds its calls and their results. Only keys of the format are written.

use super::conversation::{Call, Conversation, ToolResult, Unit};
use super::fields::{Fields, array, object};
use super::losses::Losses;
use super::target::{Holds, Output, ROWS, Target, Times, Written};
use super::time::iso;
use super::to_openai::tool;
use crate::transcript::{Role, Usage};

/// One trajectory per file.
pub(super) struct Atif;

impl Target for Atif {
    fn name(&self) -> &'static str {
        "atif"
    }

    fn output(&self) -> Output {
        Output::File("json")
    }

    fn holds(&self) -> Holds {
        Holds { usage: true, times: Times::Stated, models: true, ..ROWS }
    }

    fn write(&self, Written(conversation): &Written<'_, '_>, losses: &mut Losses) -> String {
        let steps = conversation.units.iter().enumerate().map(|(at, unit)| step(at + 1, unit, losses));
        let metrics = format!(r#"{{"total_steps":{}}}"#, conversation.units.len());
        let id = conversation.session.hash.get(..32).unwrap_or_default();
        let document = Fields::new().text("schema_version", "ATIF-v1.6").text("session_id", id);
        let document = document.raw("agent", &agent(conversation)).list("steps", steps);
        document.raw("final_metrics", &metrics).done() + "\n"
    }
}

fn agent(conversation: &Conversation<'_>) -> String {
    let tools = (!conversation.tools.is_empty()).then(|| array(conversation.tools.iter().map(tool)));
    let agent = Fields::new().text("name", conversation.session.format).text("version", "unknown");
    agent.raw_if("tool_definitions", tools.as_deref()).done()
}

fn step(id: usize, unit: &Unit<'_>, losses: &mut Losses) -> String {
    let source = match unit.role {
        Role::System => "system",
        Role::Assistant => "agent",
        Role::User | Role::Tool => "user",
    };
    let agents = unit.role == Role::Assistant;
    let step = Fields::new().raw("step_id", &id.to_string()).text_if("timestamp", unit.time.map(iso).as_deref());
    let step = step.text("source", source).text_if("model_name", unit.model.as_deref().filter(|_| agents));
    let step = step.text("message", &unit.text()).text_if("reasoning_content", unit.reasoning().as_deref());
    let calls: Vec<_> = unit.calls().map(|call| spelled(call, losses)).collect();
    let calls = (!calls.is_empty()).then(|| array(calls));
    let results = (!unit.results.is_empty()).then(|| array(unit.results.iter().map(result)));
    let observation = results.map(|results| Fields::new().raw("results", &results).done());
    let metrics = unit.usage.filter(|_| agents).map(metrics);
    let step = step.raw_if("tool_calls", calls.as_deref()).raw_if("observation", observation.as_deref());
    step.raw_if("metrics", metrics.as_deref()).done()
}

fn spelled(call: &Call<'_>, losses: &mut Losses) -> String {
    let arguments = object(call.arguments, losses);
    let fields = Fields::new().text("tool_call_id", &call.id).text("function_name", call.name);
    fields.raw("arguments", &arguments).done()
}

fn result(result: &ToolResult<'_>) -> String {
    Fields::new().text("source_call_id", &result.id).text("content", &result.text).done()
}

/// Token usage; cached tokens count as part of the prompt.
fn metrics(usage: Usage) -> String {
    let prompt = usage.input + usage.cache_read + usage.cache_write;
    let (cached, output) = (usage.cache_read, usage.output);
    format!(r#"{{"prompt_tokens":{prompt},"completion_tokens":{output},"cached_tokens":{cached}}}"#)
}
