//! The format `trl`: rows `{prompt, completion}`, `{prompt, chosen, rejected}` or `{chosen, rejected}` of TRL and others.
//!
//! Only the prompt is compacted, or what `chosen` and `rejected` both start with. Rows of plain texts stay.

use super::detect::{Confidence, Evidence};
use super::json::Object;
use super::openai::{ChatRows, Content, Turns};
use crate::transcript::Role;

/// Prompts and answers in columns.
pub(super) const FORMAT: ChatRows = ChatRows {
    name: "trl",
    key: "prompt",
    evidence: |sample| {
        let why = match () {
            () if sample.most_rows(is_row) => "`prompt`, `chosen`, `rejected` or `completion`",
            () if sample.most_rows(is_pair) => "`query` and `response`",
            () => return None,
        };
        Some(Evidence { confidence: Confidence::Certain, why: why.into() })
    },
    find: |fields| match fields.get("prompt") {
        Some(prompt) if prompt.raw().starts_with('[') => Turns::prompt(fields, prompt, &ANSWERS).map(Content::Turns),
        None if fields.array("chosen").is_some() && fields.array("rejected").is_some() => {
            Turns::shared(fields, ["chosen", "rejected"]).map(Content::Turns)
        }
        _ => flat(&fields),
    },
};

/// Columns that hold answers to a prompt.
const ANSWERS: [&str; 3] = ["completion", "chosen", "rejected"];
/// Columns of plain texts, and whose they are.
const TEXTS: [(&str, Role); 9] = [
    ("system", Role::System),
    ("prompt", Role::User),
    ("query", Role::User),
    ("text", Role::User),
    ("completion", Role::Assistant),
    ("response", Role::Assistant),
    ("chosen", Role::Assistant),
    ("rejected", Role::Assistant),
    ("rejected_response", Role::Assistant),
];
/// All columns of a row of questions and answers, as ms-swift has them.
const PAIR: [&str; 8] = ["query", "response", "history", "system", "images", "videos", "audios", "rejected_response"];

fn is_row(row: &Object<'_>) -> bool {
    let has = |keys: [&str; 2]| keys.iter().all(|key| row.has(key));
    (has(["chosen", "rejected"]) || has(["prompt", "completion"])) && !row.has("messages")
}

fn is_pair(row: &Object<'_>) -> bool {
    row.has("response") && row.fields().iter().all(|(key, _)| PAIR.contains(&&**key))
}

fn flat<'a>(fields: &Object<'a>) -> Option<Content<'a>> {
    let texts = TEXTS.iter().filter_map(|(key, role)| Some((*role, fields.get(key).filter(|text| text.is_string())?)));
    let texts: Vec<_> = texts.collect();
    (!texts.is_empty()).then_some(Content::Flat(texts, "flat_text"))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::test_support::{edited, faults, read, stub_results, summary};
    use super::super::{Format, ReadOptions};
    use super::*;
    use crate::transcript::SummaryRole;

    const CALLS: &str = r#"{"role":"user","content":"u"},{"role":"assistant","tool_calls":[{"type":"function","function":{"name":"f","arguments":{"a":1}}}]},{"role":"tool","name":"f","content":"long"},{"role":"user","content":"now"}"#;

    #[test]
    fn only_the_prompt_is_edited() {
        let row = format!(r#"{{"prompt":[{CALLS}],"completion":[{{"role":"assistant","content":"x"}}],"label":true}}"#);
        let transcript = read(&FORMAT, &row);
        assert_eq!((transcript.records.len(), &*transcript.messages[1].parts[0].text), (4, r#"{"a":1}"#));
        assert_eq!(edited(&FORMAT, &row, stub_results), row.replace("\"long\"", "\"<stub />\""));
        assert_eq!(faults(&FORMAT, &row), []);
    }

    #[test]
    fn what_both_answers_start_with_is_edited_in_both() {
        let side = |answer: &str| format!(r#"[{CALLS}, {{"role":"assistant","content":"{answer}"}}]"#);
        let row = format!(r#"{{"chosen": {}, "rejected": {}}}"#, side("good"), side("bad"));
        assert_eq!(read(&FORMAT, &row).records.len(), 4);
        let out = edited(&FORMAT, &row, |transcript, script| {
            script.keep[0] = false;
            script.inserts = vec![summary(1, SummaryRole::User, "it")];
            stub_results(transcript, script);
        });
        let new = r#"{"role":"user","content":"<prior-conversation-summary>\nit\n</prior-conversation-summary>"}"#;
        let expected = row.replace(r#"{"role":"user","content":"u"}"#, new).replace("\"long\"", "\"<stub />\"");
        assert_eq!(out, expected);
        assert_eq!(read(&FORMAT, &out).records.len(), 4);
    }

    #[test]
    fn a_call_that_the_answers_go_on_from_is_no_part_of_the_prompt() {
        let call = r#"{"role":"user","content":"u"},{"role":"assistant","tool_calls":[{"type":"function","function":{"name":"f","arguments":{}}}]}"#;
        let result = |text: &str| format!(r#"{{"role":"tool","name":"f","content":"{text}"}}"#);
        let implicit = format!(r#"{{"chosen":[{call},{}],"rejected":[{call},{}]}}"#, result("a"), result("b"));
        let stated = format!(r#"{{"prompt":[{call}],"completion":[{}]}}"#, result("a"));
        for row in [&implicit, &stated] {
            assert_eq!(read(&FORMAT, row).records.len(), 1, "{row}");
        }
    }

    #[test]
    fn rows_of_texts_stay_and_are_counted() {
        let row = r#"{"chosen": "\n\nHuman: a", "rejected": "b"}"#;
        let transcript = read(&FORMAT, row);
        assert_eq!((transcript.traits.fixed, transcript.messages.len()), (Some("flat_text"), 2));
        assert_eq!(edited(&FORMAT, row, |_, script| script.keep = vec![false; 2]), row);
        let err = FORMAT.read(br#"{"messages":[]}"#, ReadOptions::default()).unwrap_err();
        assert_eq!(err.reason, "no `prompt` array");
    }

    #[test]
    fn new_messages_look_like_the_others() {
        let block = |text: &str| format!(r#"[{{"type":"text","text":"{text}"}}]"#);
        let row = format!(
            r#"{{"prompt":[{{"role":"user","content":{}}}],"completion":[{{"role":"assistant","content":{}}}]}}"#,
            block("u"),
            block("a")
        );
        let out = edited(&FORMAT, &row, |_, script| script.inserts = vec![summary(0, SummaryRole::User, "it")]);
        let text = r"<prior-conversation-summary>\nit\n</prior-conversation-summary>";
        assert!(out.contains(&format!(r#"{{"role":"system","content":{}}}"#, block(text))), "{out}");
    }
}
