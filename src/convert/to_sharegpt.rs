//! Target `sharegpt`: rows `{"conversations":[…], "system":…, "tools":…}` in the form that LLaMA-Factory reads.
//!
//! Sides alternate strictly: human or observation, then gpt or function_call. Parallel calls are a list in one message,
//! and their results one observation, separated by the tags that LLaMA-Factory itself uses. Text and reasoning come
//! before the calls in the same message. All rows have the same columns, as dataset loaders require.

use super::conversation::{Call, Unit};
use super::fields::{Fields, array, object, quoted};
use super::fit::{glued, untagged};
use super::joined_results::BETWEEN;
use super::losses::{Loss, Losses};
use super::target::{CallIds, Holds, Output, ROWS, ReasoningForm, Systems, Target, Written};
use crate::format::CALL_TAGS;
use crate::transcript::{Role, THOUGHT_TAGS};

/// Rows of messages with `from` and `value`.
pub(super) struct ShareGpt;

impl Target for ShareGpt {
    fn name(&self) -> &'static str {
        "sharegpt"
    }

    fn output(&self) -> Output {
        Output::Rows
    }

    fn holds(&self) -> Holds {
        Holds {
            systems: Systems::First,
            reasoning: ReasoningForm::Tagged,
            alternates: true,
            ends_answered: true,
            ids: CallIds::None,
            ..ROWS
        }
    }

    fn write(&self, Written(conversation): &Written<'_, '_>, losses: &mut Losses) -> String {
        let (systems, units): (Vec<_>, Vec<_>) = conversation.units.iter().partition(|unit| unit.role == Role::System);
        let system = systems.first().map(|unit| unit.text()).unwrap_or_default();
        let tools = conversation.tools.iter().map(|tool| {
            let fields = Fields::new().text("name", &tool.name).text_if("description", tool.description.as_deref());
            fields.raw_if("parameters", tool.parameters.as_deref()).done()
        });
        let row = Fields::new().list("conversations", values(&units, losses));
        row.text("system", &system).text("tools", &array(tools)).done() + "\n"
    }
}

/// The messages as JSON; a user message directly after results is joined to them.
fn values(units: &[&Unit<'_>], losses: &mut Losses) -> Vec<String> {
    let mut values = Vec::with_capacity(units.len());
    let mut results: Option<String> = None;
    for unit in units {
        match (unit.role, results.take()) {
            (Role::User, Some(observed)) => {
                losses.add(Loss::MessagesJoined, 1);
                values.push(value("observation", &glued(&observed, &unit.text())));
            }
            (Role::User, None) => values.push(value("human", &unit.text())),
            (_, observed) => {
                values.extend(observed.map(|observed| value("observation", &observed)));
                values.push(spoken(unit, losses));
                results = observation(unit, losses);
            }
        }
    }
    values.extend(results.map(|observed| value("observation", &observed)));
    values
}

/// An assistant message: text, or calls with the text and reasoning before them. LLaMA-Factory renders `function_call`
/// messages with the model's template, and expects the JSON after reasoning, or after text and between tags. In a `gpt`
/// message the tags would be plain text.
fn spoken(unit: &Unit<'_>, losses: &mut Losses) -> String {
    let calls: Vec<_> = unit.calls().map(|call| spelled(call, losses)).collect();
    let text = unit.text();
    let calls = match &calls[..] {
        [] => return value("gpt", &text),
        [only] => only.clone(),
        _ => array(calls),
    };
    if text.is_empty() {
        return value("function_call", &calls);
    }
    let [open, close] = CALL_TAGS;
    let said = if is_reasoning(&text) { glued(&text, &calls) } else { format!("{text}\n{open}{calls}{close}") };
    value("function_call", &said)
}

/// Whether a text is nothing but tagged reasoning.
fn is_reasoning(text: &str) -> bool {
    untagged(text).is_some_and(|reasoning| !marks().any(|mark| reasoning.contains(mark)))
}

/// Tags with a meaning in `function_call` messages.
fn marks() -> impl Iterator<Item = &'static str> {
    THOUGHT_TAGS.into_iter().chain(CALL_TAGS)
}

/// A call as JSON. The `<` of tags in it is escaped, so that they do not end the call or look like reasoning.
fn spelled(call: &Call<'_>, losses: &mut Losses) -> String {
    let arguments = object(call.arguments, losses);
    let call = Fields::new().text("name", call.name).raw("arguments", &arguments).done();
    marks().fold(call, |call, mark| call.replace(mark, &mark.replace('<', r"\u003c")))
}

fn observation(unit: &Unit<'_>, losses: &mut Losses) -> Option<String> {
    let texts: Vec<_> = unit.results.iter().map(|result| &*result.text).collect();
    losses.add(Loss::ParallelResultsMerged, if texts.len() > 1 { texts.len() } else { 0 });
    (!texts.is_empty()).then(|| texts.join(BETWEEN))
}

fn value(from: &str, value: &str) -> String {
    format!(r#"{{"from":"{from}","value":{}}}"#, quoted(value))
}
