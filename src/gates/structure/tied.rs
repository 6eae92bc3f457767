//! Lists in a training row that go with its messages, but not one for one: they are wrong beside fewer messages.

use super::columns::{is_conversation, speaker};
use crate::transcript::tied::{List, Talk, collect, is_of_tokens, is_tied};
use serde_json::{Map, Value};

/// A row before and after compaction.
type Rows<'r> = (&'r Map<String, Value>, &'r Map<String, Value>);

/// The names of columns, or of lists in them, that are as they were beside a conversation that has fewer messages now.
pub(super) fn stale((before, after): Rows<'_>) -> Vec<String> {
    let talk = |row: &Map<String, Value>, key: &str| row.get(key).filter(|it| is_conversation(Some(it))).map(count);
    let talks = before.keys().filter_map(|key| Some((talk(before, key)?, talk(after, key)?)));
    let shorter: Vec<Talk> = talks.filter(|(had, has)| has.messages < had.messages).map(|(had, _)| had).collect();
    if shorter.is_empty() {
        return Vec::new();
    }
    let has = lists(after);
    let goes = |list: &List| shorter.iter().all(|talk| is_tied(list, talk) || is_of_tokens(list, talk.messages));
    let stale = lists(before).into_iter().filter(|list| goes(list) && has.contains(list));
    stale.map(|list| list.name).collect()
}

fn lists(row: &Map<String, Value>) -> Vec<List> {
    let mut lists = Vec::new();
    let columns = row.iter().filter(|(_, value)| !is_conversation(Some(value)));
    columns.for_each(|(name, value)| collect(name, value, &mut lists));
    lists
}

fn count(conversation: &Value) -> Talk {
    Talk::of(conversation.as_array().into_iter().flatten().map(speaker))
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
