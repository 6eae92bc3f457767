//! The format `openai-messages`: a session with one OpenAI message per line, or all of them in one array.
//!
//! The form of the seeds: results name their tool in `metadata.toolName` and the time of pruning in
//! `metadata.time.compacted`. Lines that are not messages are kept. An array is what is sent to an API, so no keys of
//! epitome are added there.

use super::detect::Evidence;
use super::openai::{self, Reader, Turns};
use super::shared::document;
use super::shared::elements;
use super::shared::lines;
use super::shared::new::New;
use super::shared::part_edits;
use super::shared::record_lines;
use super::shared::speakers;
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample, read_line};
use crate::transcript::{Class, EditScript, Patch, Record, Traits, Transcript};

/// The `openai-messages` format.
pub(super) struct OpenAiMessages;

impl Format for OpenAiMessages {
    fn name(&self) -> &'static str {
        "openai-messages"
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    fn opens(&self, _: &str) -> bool {
        true
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        openai::message_evidence(sample)
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        if let Some(turns) = Turns::bare(source) {
            let traits = Traits::default();
            return turns.read(source, options.first_line, traits).map(held_back);
        }
        if let Some(error) = broken_array(source, options.first_line) {
            return if options.lenient { Ok(document::opaque(source, options, Traits::default())) } else { Err(error) };
        }
        let mut reader = Reader::new(source);
        let mut records = Vec::new();
        for line in lines::lines(source) {
            let value = options.forgive(read_line(source, &line, options.first_line))?;
            let message = value.and_then(|value| reader.read(value, records.len()));
            let class = message.map_or(Class::Opaque, Class::Message);
            records.push(Record {
                span: line.span,
                line: line.number + options.first_line - 1,
                class,
                id: None,
                parent: None,
            });
        }
        let fixed = reader.obstacle();
        let traits = Traits { fixed, ..Traits::default() };
        if let Some(foreign) = reader.foreign() {
            let line = records.get(foreign.record).map_or(options.first_line, |record| record.line);
            return if options.lenient {
                Ok(document::opaque(source, options, traits))
            } else {
                Err(foreign.error(line))
            };
        }
        Ok(held_back(Transcript { source, records, messages: reader.finish(), traits }))
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>) -> Vec<Patch> {
        if let Some(turns) = Turns::bare(transcript.source) {
            return turns.render(transcript, script);
        }
        let new = New::all(script, |insert| openai::new_messages(&insert.kind, true));
        let mut inside = Vec::new();
        for index in script.kept(transcript) {
            inside.extend(part_edits::patches(transcript, script, index));
            let at = marks.compacted_at;
            inside.extend(at.map(|at| openai::marks(transcript, script, index, at)).unwrap_or_default());
        }
        record_lines::edited(transcript, &script.keep, &new, inside)
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        openai::faults(transcript)
    }

    fn mend(&self, transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) -> Vec<Patch> {
        openai::mend(transcript, faults, script);
        Vec::new()
    }
}

/// The error of a file that is one array over several lines, but no valid JSON. Its second line is no document alone: a
/// message in it ends with a comma.
fn broken_array(source: &[u8], first_line: usize) -> Option<ReadError> {
    let mut lines = lines::lines(source);
    let first = lines.next()?;
    let opens = source.get(first.span.clone()).is_some_and(|line| line.trim_ascii_start().starts_with(b"["));
    let alone = |line: &lines::Line| read_line(source, line, first_line).is_ok();
    let is_array = opens && !alone(&first) && !lines.next().is_some_and(|second| alone(&second));
    if is_array { elements::document(source, first_line).err() } else { None }
}

/// Leaves a session as it is if the speaker of one of its turns is unknown.
fn held_back(mut transcript: Transcript<'_>) -> Transcript<'_> {
    transcript.traits.fixed = transcript.traits.fixed.or_else(|| speakers::obstacle(&transcript));
    transcript
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::tests::support::{authors, continuation, edited, faults, read, stub_results, summary};
    use super::*;
    use crate::reason::Reason;
    use crate::transcript::{Author, Change, InsertKind, PartEdit, PartKind, SummaryRole};

    const FORMAT: OpenAiMessages = OpenAiMessages;
    const CALL: &str = r#"{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}"#;

    #[test]
    fn what_is_not_edited_keeps_its_bytes() {
        let source = "\u{feff}{\"role\":\"user\", \"content\":\"h\\u00e9\", \"n\":1.0}\r\n\r\n{\"note\":1}\r\n{\"role\":\"assistant\",\"content\":\"x\"}";
        assert_eq!(edited(&FORMAT, source, |_, _| {}), source);
        let transcript = read(&FORMAT, source);
        assert_eq!(transcript.records.iter().map(|record| record.line).collect::<Vec<_>>(), [1, 3, 4]);
        assert_eq!(transcript.records[1].class, Class::Opaque);
    }

    #[test]
    fn a_line_of_an_unknown_speaker_holds_the_session_back() {
        let user = r#"{"role":"user","content":"Moor."}"#;
        let fixed = |line: &str| read(&FORMAT, &format!("{user}\n{line}")).traits.fixed;
        assert_eq!(fixed(r#"{"speaker":"keeper","text":"The quay is full."}"#), Some(Reason::UnknownSpeaker));
        assert_eq!(fixed(r#"{"role":"keeper","content":"The quay is full."}"#), Some(Reason::UnknownSpeaker));
        assert_eq!(
            fixed(r#"{"role":"keeper","content":[{"type":"text","text":"Full."}]}"#),
            Some(Reason::UnknownSpeaker)
        );
        assert_eq!(fixed(r#"{"role":"keeper","content":""}"#), None);
        assert_eq!(fixed(r#"{"note":1,"text":"x"}"#), None);
        let list = format!(r#"[{user},{{"role":"keeper","content":"The quay is full."}}]"#);
        assert_eq!(read(&FORMAT, &list).traits.fixed, Some(Reason::UnknownSpeaker));
        assert_eq!(fixed(r#"{"role":"assistant","content":"Moored."}"#), None);
    }

    #[test]
    fn a_result_that_is_an_object_or_a_list_of_values_is_pruned_as_a_whole() {
        for content in [r#"{"quay": [1, 2.0]}"#, r#"["lamp", "quay"]"#, r#"[{"depth": 6}]"#] {
            let result = |content: &str| format!(r#"{{"role":"tool","tool_call_id":"a","content":{content}, "n":1}}"#);
            let source = format!("{CALL}\n{}\n", result(content));
            assert_eq!(read(&FORMAT, &source).messages[1].parts[0].text, content);
            assert_eq!(edited(&FORMAT, &source, |_, _| {}), source);
            let out = edited(&FORMAT, &source, stub_results);
            assert!(out.contains(r#""content":"<stub />", "n":1"#), "{out}");
        }
    }

    #[test]
    fn a_content_of_one_block_needs_no_array() {
        let lines = [
            r#"{"role":"user","content":{"type":"text","text":"Moor."}}"#,
            r#"{"role":"assistant","content":{"type":"thinking","text":"Where?"}}"#,
            r#"{"role":"assistant","content":{"type":"tool_use","tool_id":"c","tool_name":"Bash","input":{"command":"moor"}}}"#,
            r#"{"role":"tool","content":{"type":"tool_result","tool_id":"c","output":"no quay","is_error":true}}"#,
            r#"{"role":"tool","tool_call_id":"d","content":{"type":"text","text":"long"}}"#,
        ];
        let source = lines.join("\n");
        let transcript = read(&FORMAT, &source);
        let texts: Vec<_> = transcript.messages.iter().map(|message| &*message.parts[0].text).collect();
        assert_eq!(texts, ["Moor.", "Where?", r#"{"command":"moor"}"#, "no quay", "long"]);
        let kinds: Vec<_> = transcript.messages.iter().map(|message| message.parts[0].kind.name()).collect();
        assert_eq!(kinds, ["text", "reasoning", "tool_call", "tool_result", "tool_result"]);
        assert!(matches!(&transcript.messages[3].parts[0].kind, PartKind::Result { error: true, .. }));
        assert_eq!(crate::check::faults(&transcript).len(), 1, "d was not called");
        let out = edited(&FORMAT, &source, stub_results);
        assert!(
            out.contains(r#""content":{"type":"tool_result","tool_id":"c","output":"<stub />","is_error":true}"#),
            "{out}"
        );
        assert!(out.contains(r#""content":{"type":"text","text":"<stub />"}"#), "{out}");
    }

    #[test]
    fn the_head_goes_and_a_summary_comes() {
        let source = "{\"role\":\"system\",\"content\":\"s\"}\n{\"role\":\"user\",\"content\":\"old\"}\n{\"role\":\"assistant\",\"content\":\"x\"}\n";
        let out = edited(&FORMAT, source, |_, script| {
            script.keep[1] = false;
            script.inserts = vec![summary(1, SummaryRole::System, "it"), continuation(3)];
        });
        let expected = "{\"role\":\"system\",\"content\":\"s\"}\n{\"role\":\"system\",\"content\":\"<prior-conversation-summary>\\nit\\n</prior-conversation-summary>\"}\n{\"role\":\"assistant\",\"content\":\"x\"}\n{\"role\":\"user\",\"content\":\"continue\",\"metadata\":{\"compaction_continue\":true}}\n";
        assert_eq!(out, expected);
        use Author::{Continuation, Model, Summary, System};
        assert_eq!(authors(&read(&FORMAT, &out)), [System, Summary, Model, Continuation]);
    }

    #[test]
    fn messages_in_one_array_are_edited_there() {
        let source =
            format!("[\n  {CALL},\n  {{\"role\": \"tool\", \"tool_call_id\": \"a\", \"content\": \"long\"}}\n]\n");
        let transcript = read(&FORMAT, &source);
        assert_eq!(transcript.records.iter().map(|record| record.line).collect::<Vec<_>>(), [2, 3]);
        let out = edited(&FORMAT, &source, |transcript, script| {
            stub_results(transcript, script);
            script.inserts = vec![continuation(2)];
        });
        let new = ",\n  {\"role\":\"user\",\"content\":\"continue\"}\n]";
        assert_eq!(out, source.replace("\"long\"", "\"<stub />\"").replace("\n]", new));
    }

    #[test]
    fn a_fault_in_an_array_is_named_by_its_place() {
        let source = "[\n  {\"role\": \"user\", \"content\": \"Moor.\"},\n  {\"role\" 1}\n]\n";
        let error = FORMAT.read(source.as_bytes(), ReadOptions::default()).unwrap_err();
        assert_eq!((error.line, error.column), (3, 11));
        let lenient = FORMAT.read(source.as_bytes(), ReadOptions { lenient: true, first_line: 1 }).unwrap();
        assert_eq!(lenient.records.len(), 1, "one document, not lines of it");
        let lines = "[08:00] begun\n{\"role\":\"user\",\"content\":\"Moor.\"}\n{\"role\":\"assistant\",\"content\":\"Done.\"}\n";
        let lenient = FORMAT.read(lines.as_bytes(), ReadOptions { lenient: true, first_line: 1 }).unwrap();
        assert_eq!(lenient.messages.len(), 2, "lines behind one of another kind");
    }

    #[test]
    fn a_stub_says_when_without_touching_other_bytes() {
        let stubbed = |metadata: &str| {
            let result = format!(r#"{{"role":"tool","tool_call_id":"a","content":"long"{metadata}}}"#);
            edited(&FORMAT, &format!("{CALL}\n{result}\n"), stub_results).lines().nth(1).unwrap().to_owned()
        };
        let start = r#"{"role":"tool","tool_call_id":"a","content":"<stub />""#;
        assert_eq!(stubbed(""), format!(r#"{start},"metadata":{{"time":{{"compacted":7}}}}}}"#));
        assert_eq!(
            stubbed(r#", "metadata": {"toolName": "ls", "k": 1.0}"#),
            format!(r#"{start}, "metadata": {{"toolName": "ls", "k": 1.0, "time":{{"compacted":7}}}}}}"#)
        );
        assert_eq!(
            stubbed(r#","metadata":{"time":{"start":1}}"#),
            format!(r#"{start},"metadata":{{"time":{{"start":1,"compacted":7}}}}}}"#)
        );
        assert_eq!(stubbed(r#","metadata":null"#), format!(r#"{start},"metadata":{{"time":{{"compacted":7}}}}}}"#));
        assert_eq!(stubbed(r#","metadata":3"#), format!(r#"{start},"metadata":3}}"#));
    }

    #[test]
    fn the_json_type_of_a_stubbed_content_stays() {
        let source =
            format!("{CALL}\n{}", r#"{"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"long"}]}"#);
        let out = edited(&FORMAT, &source, stub_results);
        assert!(out.contains(r#""content":[{"type":"text","text":"<stub />"}]"#), "{out}");
    }

    #[test]
    fn removed_reasoning_takes_its_field_along() {
        let source = r#"{"reasoning_content":"why","role":"assistant","content":[{"type":"text","text":"x"}],"reasoning":"too"}"#;
        let out = edited(&FORMAT, source, |_, script| {
            script.parts = (0..2).map(|part| PartEdit { message: 0, part, change: Change::Remove }).collect();
        });
        assert_eq!(out, r#"{"role":"assistant","content":[{"type":"text","text":"x"}]}"#);
    }

    #[test]
    fn a_replayed_message_is_marked_and_stays_a_persons() {
        let out = edited(&FORMAT, r#"{"role":"assistant","content":"x"}"#, |_, script| {
            let kind = InsertKind::Continuation { text: "do it".into(), had_media: true, replayed: true };
            script.inserts.push(crate::transcript::Insert { before: 1, kind });
        });
        assert!(
            out.ends_with(
                r#"{"role":"user","content":"do it","metadata":{"compaction_continue":true,"replayed":true}}"#
            )
        );
        assert_eq!(authors(&read(&FORMAT, &out)), [Author::Model, Author::Person]);
    }

    #[test]
    fn an_invalid_line_is_named_by_its_place() {
        let err =
            FORMAT.read(b"{\"role\":\"user\",\"content\":\"a\"}\n{\"role\" 1}\n", ReadOptions::default()).unwrap_err();
        assert_eq!((err.line, err.column), (2, 9));
        let options = ReadOptions { lenient: true, first_line: 1 };
        let transcript = FORMAT.read(b"{\"role\" 1}\n\xff\n", options).unwrap();
        assert!(transcript.records.iter().all(|record| record.class == Class::Opaque));
    }

    #[test]
    fn every_call_has_one_result_at_once() {
        let user = r#"{"role":"user","content":"u"}"#;
        let result = |id: &str| format!(r#"{{"role":"tool","tool_call_id":"{id}","content":"r"}}"#);
        let check = |lines: &[&str]| faults(&FORMAT, &lines.join("\n"));
        assert_eq!(check(&[user, CALL, &result("a")]), []);
        assert_eq!(check(&[user, CALL]), []);
        assert_eq!(check(&[CALL, user]), [("unanswered_call", "a".to_owned())]);
        let nameless = r#"{"role":"assistant","tool_calls":[{"function":{"name":"tide","arguments":"{}"}}]}"#;
        assert_eq!(
            check(&[nameless, user]),
            [("unanswered_call", "tide".to_owned())],
            "as the rule of all formats says"
        );
        assert_eq!(check(&[CALL, user, &result("a")]), [("interrupted_results", "a".to_owned())]);
        assert_eq!(check(&[CALL, &result("a"), &result("a")]), [("duplicate_result", "a".to_owned())]);
        assert_eq!(check(&[CALL, &result("a"), &result("b")]), [("orphan_result", "b".to_owned())]);
        assert_eq!(check(&[CALL, &result("a"), CALL, &result("a")]), [("duplicate_call_id", "a".to_owned())]);
        assert_eq!(check(&[user]), [], "a session may hold a question alone");
    }
}
