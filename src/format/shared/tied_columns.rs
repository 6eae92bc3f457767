//! Lists in a training row that go with its messages, but not with one entry for each of them: a mask for all but the
//! system's message, positions of answers, numbers of tokens. They would be wrong beside fewer messages.

use super::json::{Json, Object};
use super::speakers;
use crate::transcript::columns::{Talk, is_of_tokens, is_tied, weighs};

/// How deep objects in columns are searched.
const DEEPEST: usize = 3;

/// A list of numbers in a row.
struct List {
    name: String,
    numbers: Vec<f64>,
    /// It is a column of its own.
    beside: bool,
}

/// Whether a list of tokens stands beside so many messages.
pub(super) fn has_tokens(fields: &Object<'_>, messages: usize) -> bool {
    let mut lists = fields
        .fields()
        .iter()
        .filter(|(name, value)| is_of_tokens(name, usize::MAX, messages) && value.raw().starts_with('['));
    lists.any(|(name, value)| numbers(*value).is_some_and(|list| is_of_tokens(name, list.len(), messages)))
}

/// Whether a list goes with the messages of the row and can't be cut along with them: with each of these
/// conversations, as it may be of any of them.
pub(super) fn has_tied(fields: &Object<'_>, conversations: &[Json<'_>]) -> bool {
    let mut lists = Vec::new();
    collect(fields, conversations, 0, &mut lists);
    let talks: Vec<Talk> =
        if lists.is_empty() { Vec::new() } else { conversations.iter().map(|it| talk(*it)).collect() };
    lists.iter().any(|list| talks.iter().all(|talk| is_tied(&list.name, &list.numbers, *talk, list.beside)))
}

fn talk(conversation: Json<'_>) -> Talk {
    let role = |message: Json<'_>| {
        let fields = message.object()?;
        speakers::role(&["role", "from"].iter().find_map(|key| fields.text(key))?)
    };
    Talk::of(conversation.array().unwrap_or_default().into_iter().map(role))
}

/// Collects lists of numbers: columns, and lists that weigh messages in objects and texts.
fn collect(fields: &Object<'_>, own: &[Json<'_>], depth: usize, lists: &mut Vec<List>) {
    for (name, value) in fields.fields() {
        let numbers = match value.raw().as_bytes().first() {
            Some(b'[') if depth == 0 || weighs(name) => numbers(*value).filter(|_| !is_one_of(*value, own)),
            Some(b'"') if weighs(name) => value.text().and_then(|text| numbers(Json::parse(&text).ok()?)),
            Some(b'{') if depth < DEEPEST => {
                value.object().iter().for_each(|inner| collect(inner, own, depth + 1, lists));
                None
            }
            _ => None,
        };
        let beside = depth == 0 && !value.is_string();
        lists.extend(numbers.map(|numbers| List { name: name.to_string(), numbers, beside }));
    }
}

fn is_one_of(value: Json<'_>, own: &[Json<'_>]) -> bool {
    own.iter().any(|own| std::ptr::eq(own.raw(), value.raw()))
}

/// The numbers of a list that holds nothing else: booleans as 0 and 1, `null` as no number.
fn numbers(list: Json<'_>) -> Option<Vec<f64>> {
    let starts = list.raw().trim_start_matches('[').trim_start();
    // Most lists are of objects and texts, and need not be split.
    if starts.starts_with(['{', '"', '[']) {
        return None;
    }
    let number = |entry: Json<'_>| match entry.raw() {
        "true" => Some(1.0),
        "false" => Some(0.0),
        "null" => Some(f64::NAN),
        other => other.parse().ok(),
    };
    list.array()?.into_iter().map(number).collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    /// Whether something is tied to a conversation of seven messages: system, three questions, three answers.
    fn tied(columns: &str) -> bool {
        let turns = r#"{"role":"user","content":"u"},{"role":"assistant","content":"a"}"#;
        let row = format!(r#"{{"messages":[{{"role":"system","content":"s"}},{turns},{turns},{turns}],{columns}}}"#);
        let fields = Object::parse(&row).unwrap();
        has_tied(&fields, &[fields.get("messages").unwrap()])
    }

    #[test]
    fn weights_that_do_not_stand_one_for_one_beside_the_messages_are_tied() {
        assert!(tied(r#""loss_mask":[0,1,0,1,0,1]"#), "none for the system's");
        assert!(tied(r#""loss_mask":[0,0,1,0,1,0,1,0]"#), "one too many");
        assert!(tied(r#""meta":{"loss_mask":[0,0,1,0,1,0,1]}"#), "inside another column");
        assert!(tied(r#""loss_mask":"[0, 0, 1, 0, 1, 0, 1]""#), "as text");
        assert!(tied(r#""train_indices":[2,4,6]"#) && tied(r#""depths":[1,2,1,2,1,2]"#));
        assert!(!tied(r#""loss_mask":[0,0,1,0,1,0,1]"#) && !tied(r#""loss_mask":[true,null,false]"#));
        assert!(
            !tied(r#""meta":{"depths":[0,0,1,0,1,0,1]}"#) && !tied(r#""loss":"none""#) && !tied(r#""n":[[1],[2]]"#)
        );
    }

    #[test]
    fn of_several_conversations_a_list_may_be_of_any() {
        let row = r#"{"chosen":[{"role":"user"},{"role":"assistant"},{"role":"user"},{"role":"assistant"}],
            "rejected":[{"role":"user"},{"role":"assistant"},{"role":"assistant"}],"weights":[1,1,0]}"#;
        let fields = Object::parse(row).unwrap();
        let both = ["chosen", "rejected"].map(|key| fields.get(key).unwrap());
        assert!(has_tied(&fields, &both[..1]) && !has_tied(&fields, &both));
    }

    #[test]
    fn tokens_are_those_of_the_whole_text() {
        let has = |row: &str| has_tokens(&Object::parse(row).unwrap(), 3);
        assert!(has(r#"{"input_ids":[7,8,9,10]}"#) && has(r#"{"token_ids":[7,8,9,10]}"#));
        assert!(!has(r#"{"input_ids":[7,8,9]}"#) && !has(r#"{"token_ids":["7","8","9","10"]}"#));
    }
}
