//! Lists in a training row that go with its messages and can't be cut along with them.

use super::json::{Json, Object};
use super::speakers;
use crate::transcript::tied::{List, Talk, collect, is_of_tokens, is_tied, may_hold, names_tokens};

/// Whether a list of tokens stands beside so many messages.
pub(super) fn has_tokens(fields: &Object<'_>, messages: usize) -> bool {
    lists(fields, &names_tokens).iter().any(|list| is_of_tokens(list, messages))
}

/// Whether a list goes with the messages of the row and can't be cut along with them: with each of these
/// conversations, as it may be of any of them.
pub(super) fn has_tied(fields: &Object<'_>, conversations: &[Json<'_>]) -> bool {
    let own = |name: &str| {
        fields.get(name).is_some_and(|value| conversations.iter().any(|own| std::ptr::eq(own.raw(), value.raw())))
    };
    let lists = lists(fields, &|name| !own(name));
    let talks: Vec<Talk> =
        if lists.is_empty() { Vec::new() } else { conversations.iter().map(|it| talk(*it)).collect() };
    lists.iter().any(|list| talks.iter().all(|talk| is_tied(list, talk)))
}

/// The lists in the columns with such names.
fn lists(fields: &Object<'_>, is_meant: &dyn Fn(&str) -> bool) -> Vec<List> {
    let mut lists = Vec::new();
    for (name, value) in fields.fields().iter().filter(|(name, value)| may_hold(name, value.raw()) && is_meant(name)) {
        serde_json::from_str(value.raw()).iter().for_each(|value| collect(name, value, &mut lists));
    }
    lists
}

fn talk(conversation: Json<'_>) -> Talk {
    let role = |message: Json<'_>| speakers::speaker(&message.object()?);
    Talk::of(conversation.array().unwrap_or_default().into_iter().map(role))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_tied_to_the_messages_of_its_row() {
        let tied = |columns: &str| {
            let turns = r#"{"role":"user","content":"u"},{"role":"assistant","content":"a"}"#;
            let row =
                format!(r#"{{"messages":[{{"role":"system","content":"s"}},{turns},{turns},{turns}],{columns}}}"#);
            let fields = Object::parse(&row).unwrap();
            has_tied(&fields, &[fields.get("messages").unwrap()])
        };
        assert!(tied(r#""loss_mask":[0,1,0,1,0,1]"#) && tied(r#""meta":{"loss_mask":[0,0,1,0,1,0,1]}"#));
        assert!(tied(r#""loss_mask":"[0, 0, 1, 0, 1, 0, 1]""#) && tied(r#""train_indices":[2,4,6]"#));
        assert!(!tied(r#""loss_mask":[0,0,1,0,1,0,1]"#) && !tied(r#""n":[[1],[2]]"#) && !tied(r#""tags":["a","b"]"#));
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
