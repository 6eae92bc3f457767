//! The format `messages-variants`: rows of LLaMA-Factory's version 1, whose content blocks keep everything in `value`.
//!
//! `{"messages":[{"role","content":[{"type","value"}],"loss_weight"}]}`, or `chosen_messages` and
//! `rejected_messages`, whose common beginning is compacted.

use super::detect::Evidence;
use super::openai::{ChatRows, Content, Turns};
use super::shared::json::{Json, Object};

/// The `messages-variants` format.
pub(super) const FORMAT: ChatRows = ChatRows {
    name: "messages-variants",
    key: "messages",
    within: None,
    evidence: |sample| {
        let is = sample.most_rows(|row| row.has("chosen_messages") || has_values(row));
        is.then(|| Evidence::certain("`messages` with `content[].value`, or pairs of them"))
    },
    find: |fields| match fields.get("messages") {
        Some(array) => Turns::all(fields, array).map(Content::Turns),
        None => Turns::shared(fields, &["chosen_messages", "rejected_messages"]).map(Content::Turns),
    },
};

/// Whether the content blocks of a row's messages keep their text in `value`.
fn has_values(row: &Object<'_>) -> bool {
    let block = first(row, "messages").and_then(|message| first(&message, "content"));
    block.is_some_and(|block| block.has("value") && !block.has("text"))
}

/// The first element of a field that holds an array, if it is an object.
fn first<'a>(object: &Object<'a>, key: &str) -> Option<Object<'a>> {
    object.array(key)?.into_iter().next().and_then(Json::object)
}

#[cfg(test)]
mod tests {
    use super::super::tests::support::{edited, faults, read, stub_results, summary};
    use super::*;
    use crate::transcript::{PartKind, SummaryRole};

    const ROW: &str = r#"{"messages": [{"role": "user", "content": [{"type": "text", "value": "u"}], "loss_weight": 0.0}, {"role": "assistant", "content": [{"type": "reasoning", "value": "why"}, {"type": "tool_call", "value": "{\"name\": \"f\", \"arguments\": {\"a\": 1}}"}], "loss_weight": 1.0}, {"role": "tool", "content": [{"type": "text", "value": "long"}], "loss_weight": 0.0}, {"role": "assistant", "content": [{"type": "text", "value": "x"}], "loss_weight": 1.0}], "tools": "[]"}"#;

    #[test]
    fn values_are_what_is_said() {
        let transcript = read(&FORMAT, ROW);
        let parts: Vec<_> = transcript.messages.iter().flat_map(|it| &it.parts).map(|part| &*part.text).collect();
        assert_eq!(parts, ["u", "why", r#"{"a": 1}"#, "long", "x"]);
        assert_eq!(transcript.messages[1].parts[0].kind, PartKind::Reasoning { signed: false });
        assert_eq!(faults(&FORMAT, ROW), []);
    }

    #[test]
    fn what_is_new_looks_like_the_rest_and_is_not_learned() {
        let out = edited(&FORMAT, ROW, |transcript, script| {
            script.keep[0] = false;
            script.inserts = vec![summary(1, SummaryRole::User, "it")];
            stub_results(transcript, script);
        });
        let old = r#"{"role": "user", "content": [{"type": "text", "value": "u"}], "loss_weight": 0.0}"#;
        let new = r#"{"role":"user","content":[{"type":"text","value":"<prior-conversation-summary>\nit\n</prior-conversation-summary>"}],"loss_weight":0.0}"#;
        assert_eq!(out, ROW.replace(old, new).replace(r#""long""#, r#""<stub />""#));
    }
}
