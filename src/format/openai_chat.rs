//! The format `openai-chat`: a conversation a line, `{"messages":[…], …}`, as OpenAI and others train on it.
//!
//! A row is read by trainers, so no key of ours goes in and all keys beside `messages` stay as they are.

use super::array::{Members, New};
use super::detect::Evidence;
use super::openai::{self, Reader};
use super::part_edits;
use super::rows::{opaque_row, row};
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{Class, EditScript, Patch, PatchKind, Record, Traits, Transcript};

/// One OpenAI conversation a line.
pub(super) struct OpenAiChat;

impl Format for OpenAiChat {
    fn name(&self) -> &'static str {
        "openai-chat"
    }

    fn layout(&self) -> Layout {
        Layout::PerLine
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        openai::chat_evidence(sample)
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        let traits = Traits { system_role: true, training_row: true, ..Traits::default() };
        let messages = match row(source, options.first_line) {
            Ok(row) => row.elements,
            Err(_) if options.lenient => return Ok(opaque_row(source, options, traits)),
            Err(err) => return Err(err),
        };
        let mut reader = Reader::new(source);
        let mut records = Vec::with_capacity(messages.len());
        for value in messages {
            let class = reader.read(value, records.len()).map_or(Class::Opaque, Class::Message);
            records.push(Record {
                span: value.span_in(source),
                line: options.first_line,
                class,
                id: None,
                parent: None,
            });
        }
        Ok(Transcript { source, records, messages: reader.finish(), traits })
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        let Ok(row) = row(transcript.source, 1) else { return Vec::new() };
        let keeps = |index: usize| script.keep.get(index).copied().unwrap_or(true);
        let new = script.inserts.iter().flat_map(|insert| {
            let texts = openai::new_messages(&insert.kind, false).into_iter();
            texts.map(|text| New { before: insert.before, text })
        });
        let new: Vec<_> = new.collect();
        let members = Members::of_array(transcript.source, row.array, &row.elements);
        let mut patches = members.patches(keeps, &new, PatchKind::Drop);
        for (index, _) in transcript.messages.iter().enumerate().filter(|(_, message)| keeps(message.record)) {
            patches.extend(part_edits::patches(transcript, script, index));
        }
        patches.sort_by_key(|patch| patch.span.start);
        patches
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        openai::faults(transcript)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::test_support::{edited, faults, read, stub_results, summary};
    use super::*;
    use crate::transcript::SummaryRole;

    const FORMAT: OpenAiChat = OpenAiChat;
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
