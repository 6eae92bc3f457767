//! Lists in a training row that go with its messages, but not one for one: they are wrong beside fewer messages.

use super::columns::is_conversation;
use crate::transcript::columns::{Talk, is_of_tokens, is_tied, weighs};
use crate::transcript::speakers::role;
use serde_json::{Map, Value};

/// How deep objects in columns are searched.
const DEEPEST: usize = 3;

/// A row before and after compaction.
type Rows<'r> = (&'r Map<String, Value>, &'r Map<String, Value>);

/// The names of columns, or of lists in them, that are as they were beside a conversation that has fewer messages now.
pub(super) fn stale<'r>((before, after): Rows<'r>) -> Vec<&'r str> {
    let talk = |row: &Map<String, Value>, key: &str| row.get(key).filter(|it| is_conversation(Some(it))).map(count);
    let talks = before.keys().filter_map(|key| Some((talk(before, key)?, talk(after, key)?)));
    let shorter: Vec<Talk> = talks.filter(|(had, has)| has.messages < had.messages).map(|(had, _)| had).collect();
    let mut found = Vec::new();
    if !shorter.is_empty() {
        collect((before, after), 0, &mut |name, numbers, beside| {
            let goes = |talk: &Talk| {
                is_tied(name, numbers, *talk, beside) || beside && is_of_tokens(name, numbers.len(), talk.messages)
            };
            found.extend(shorter.iter().all(goes).then_some(name));
        });
    }
    found
}

fn count(conversation: &Value) -> Talk {
    let speaker = |message: &Value| ["role", "from"].iter().find_map(|key| message.get(key)?.as_str().map(role))?;
    Talk::of(conversation.as_array().into_iter().flatten().map(speaker))
}

/// Passes each list of numbers that is the same in both rows to `see`: columns, and lists that weigh messages in
/// objects and texts.
fn collect<'r>((before, after): Rows<'r>, depth: usize, see: &mut dyn FnMut(&'r str, &[f64], bool)) {
    for (name, value) in before {
        let Some(new) = after.get(name) else { continue };
        let numbers = match (value, new) {
            (Value::Array(_), _) if value == new && (depth == 0 || weighs(name)) => numbers(value),
            (Value::String(text), _) if value == new && weighs(name) => {
                serde_json::from_str(text).ok().and_then(|value| numbers(&value))
            }
            (Value::Object(value), Value::Object(new)) if depth < DEEPEST => {
                collect((value, new), depth + 1, see);
                None
            }
            _ => None,
        };
        if let Some(numbers) = numbers {
            see(name, &numbers, depth == 0 && value.is_array());
        }
    }
}

/// The numbers of a list that holds nothing else: booleans as 0 and 1, `null` as no number.
fn numbers(list: &Value) -> Option<Vec<f64>> {
    let number = |entry: &Value| match entry {
        Value::Bool(is) => Some(f64::from(u8::from(*is))),
        Value::Null => Some(f64::NAN),
        other => other.as_f64(),
    };
    list.as_array()?.iter().map(number).collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lists_that_stayed_as_they_were_beside_fewer_messages_are_stale() {
        let turn = |role: &str| json!({ "role": role, "content": "x" });
        let roles = ["system", "user", "assistant", "user", "assistant", "user", "assistant"];
        let row = |messages: &[&str], column: &Value| {
            let messages: Vec<Value> = messages.iter().map(|role| turn(role)).collect();
            let mut row = json!({ "messages": messages });
            row.as_object_mut().unwrap().extend(column.as_object().unwrap().clone());
            row.as_object().unwrap().clone()
        };
        let stale_of = |old: Value, new: Value| {
            let (before, after) = (row(&roles, &old), row(&roles[..5], &new));
            stale((&before, &after)).len()
        };
        let same = |column: Value| stale_of(column.clone(), column);
        let ones = |count: usize| vec![1; count];
        assert_eq!(same(json!({ "loss_mask": ones(6) })), 1);
        assert_eq!(same(json!({ "meta": { "loss_mask": ones(7) } })), 1);
        assert_eq!(same(json!({ "loss_mask": "[1, 1, 1, 1, 1, 1, 1]" })), 1);
        assert_eq!(same(json!({ "token_ids": ones(90), "train_indices": [2, 4, 6] })), 2);
        assert_eq!(same(json!({ "depths": [1, 2], "loss_mask": ones(2) })), 0);
        assert_eq!(stale_of(json!({ "loss_mask": ones(6) }), json!({ "loss_mask": ones(4) })), 0, "cut along");
        let unchanged = row(&roles, &json!({ "loss_mask": ones(6) }));
        assert_eq!(stale((&unchanged, &unchanged)).len(), 0);
    }
}
