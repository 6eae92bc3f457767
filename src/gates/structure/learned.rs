//! A summary that a trainer would learn: it is no answer that the model gave.

use super::beside::{conversation, is_answer};
use super::columns::row;
use crate::gates::{Finding, View};
use crate::transcript::columns::weighs;
use crate::transcript::fixed_texts::{SUMMARY_CLOSE, SUMMARY_OPEN};
use serde_json::{Map, Value};

/// Returns a finding for each summary of ours in a training row that has a weight: with its message, or in a column
/// with an entry for each message.
pub(super) fn learned(view: &View<'_>) -> Vec<Finding> {
    let trained = view.original.as_ref().is_some_and(|side| side.transcript.traits.training_row);
    let ours = view.summary.iter().any(|text| text.ours);
    let row = if trained && ours && !view.unchanged() { row(view.compacted.transcript.source) } else { None };
    let found = row.iter().flat_map(weighed);
    let what = "the summary has a weight, so that it is learned as an answer: it must be 0 or false";
    found.map(|name| Finding::new(view.first_line(), what).about(name)).collect()
}

/// The names of the weights that summaries of ours have in a row. A summary that shares its message with other words
/// has the weight of these.
fn weighed(row: &Map<String, Value>) -> Vec<&str> {
    let mut found = Vec::new();
    for messages in row.values().filter_map(conversation) {
        for (at, message) in messages.iter().enumerate().filter(|(_, message)| is_summary(message)) {
            let own = message.as_object().into_iter().flatten().filter(|(_, weight)| weight.as_array().is_none());
            let answers: Vec<usize> = (0..messages.len()).filter(|other| is_answer(&messages[*other])).collect();
            let columns = row.iter().filter_map(|(name, column)| {
                let entries = column.as_array()?;
                let of_answer = || answers.binary_search(&at).ok().filter(|_| entries.len() == answers.len());
                let place = if entries.len() == messages.len() { Some(at) } else { of_answer() };
                Some((name, entries.get(place?)?))
            });
            let weights = own.chain(columns).filter(|(name, weight)| weighs(name) && is_learned(weight));
            found.extend(weights.map(|(name, _)| name.as_str()));
        }
    }
    found
}

/// Whether a message is a summary of ours and nothing else.
fn is_summary(message: &Value) -> bool {
    let text = ["content", "value"].iter().find_map(|key| message.get(key)?.as_str());
    text.map(str::trim).is_some_and(|text| text.starts_with(SUMMARY_OPEN) && text.ends_with(SUMMARY_CLOSE))
}

fn is_learned(weight: &Value) -> bool {
    weight.as_bool().unwrap_or_else(|| weight.as_f64().is_some_and(|weight| weight != 0.0))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_a_summary_that_is_learned_is_found() {
        let summary = format!("{SUMMARY_OPEN}\nGoal\n{SUMMARY_CLOSE}");
        let names = |mut column: Value, weight: &Value, text: &str| -> Vec<String> {
            let summary = json!({ "role": "user", "content": text, "weight": weight });
            column["messages"] = json!([summary, { "role": "assistant", "content": "Lit.", "weight": 1 }]);
            weighed(column.as_object().unwrap()).into_iter().map(str::to_owned).collect()
        };
        let zero = json!(0);
        assert_eq!(names(json!({ "loss_mask": [1, 1] }), &zero, &summary), ["loss_mask"]);
        assert_eq!(names(json!({ "train": [true, true] }), &json!(0.5), &summary), ["weight", "train"]);
        for column in [json!({ "loss_mask": [0, 1] }), json!({ "train": [false, true] }), json!({ "scores": [1, 1] })] {
            assert_eq!(names(column, &zero, &summary), [""; 0]);
        }
        let answer = |mask: Value| {
            let summary = json!({ "role": "assistant", "content": summary });
            let others = [json!({ "role": "user", "content": "u" }), json!({ "role": "assistant", "content": "a" })];
            let row = json!({ "messages": [others[0], summary, others[0], others[1]], "loss_mask": mask });
            weighed(row.as_object().unwrap()).len()
        };
        assert_eq!((answer(json!([1, 0])), answer(json!([0, 1]))), (1, 0), "one entry for each answer");
        let merged = format!("{summary}\nLight the lamp.");
        assert_eq!(
            names(json!({ "loss_mask": [1, 1] }), &json!(1), &merged),
            [""; 0],
            "the weight of the user's words"
        );
    }
}
