//! The format `openai-chat`: rows `{"messages":[…], …}`, as OpenAI and others train on them.
//!
//! One a line, in one array, or one document over several lines.

use super::openai::{ChatRows, Content, Turns, chat_evidence};

/// OpenAI conversations in rows.
pub(super) const FORMAT: ChatRows = ChatRows {
    name: "openai-chat",
    key: "messages",
    evidence: chat_evidence,
    find: |fields| {
        let array = fields.get("messages")?;
        Turns::all(fields, array).map(Content::Turns)
    },
};

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::test_support::{edited, faults, read, stub_results, summary};
    use super::super::{Format, ReadOptions};
    use super::*;
    use crate::transcript::{Class, SummaryRole};

    const ROW: &str = r#"{"id": 1.0, "messages": [{"role": "user", "content": "old"}, {"role": "assistant", "content": null, "function_call": {"name": "f", "arguments": "{}"}}, {"role": "function", "name": "f", "content": "long"}, {"role": "assistant", "content": "x", "weight": 1}], "functions": []}"#;

    #[test]
    fn keys_beside_the_messages_stay() {
        let out = edited(&FORMAT, ROW, |transcript, script| {
            script.keep[0] = false;
            script.inserts = vec![summary(1, SummaryRole::User, "it")];
            stub_results(transcript, script);
        });
        let expected = r#"{"id": 1.0, "messages": [{"role":"user","content":"<prior-conversation-summary>\nit\n</prior-conversation-summary>"}, {"role": "assistant", "content": null, "function_call": {"name": "f", "arguments": "{}"}}, {"role": "function", "name": "f", "content": "<stub />"}, {"role": "assistant", "content": "x", "weight": 1}], "functions": []}"#;
        assert_eq!(out, expected);
        assert_eq!(FORMAT.faults(&read(&FORMAT, &out)), []);
    }

    #[test]
    fn a_line_without_messages_is_an_error() {
        let options = ReadOptions { lenient: false, first_line: 5 };
        for line in ["{}", "[]", r#"{"messages":"x"}"#] {
            let err = FORMAT.read(line.as_bytes(), options).unwrap_err();
            assert_eq!((err.line, &*err.reason), (5, "no `messages` array"));
        }
        assert_eq!(FORMAT.read(ROW.as_bytes(), options).unwrap().records[0].line, 5);
    }

    #[test]
    fn a_row_without_an_assistant_trains_nothing() {
        let row = r#"{"messages":[{"role":"user","content":"u"}]}"#;
        assert_eq!(faults(&FORMAT, row), [("no_assistant", String::new())]);
    }

    #[test]
    fn elements_that_are_no_messages_are_opaque() {
        let transcript =
            read(&FORMAT, r#"{"messages":[1,{"role":"judge","content":"x"},{"role":"user","content":5}]}"#);
        assert_eq!(transcript.records.iter().filter(|record| record.class == Class::Opaque).count(), 2);
        assert_eq!(transcript.messages[0].parts[0].text, "5");
    }
}
