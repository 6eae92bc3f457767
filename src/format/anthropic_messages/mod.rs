//! The format `anthropic-messages`: requests `{"system":…, "messages":[…], …}`, one per line, in one array or alone;
//! or the messages of one request without it, in a bare array or one per line.
//!
//! The system prompt is a record of its own before those of the messages; a summary that an earlier compaction put at
//! its end is another. There is no room for epitome's own keys. Cline and Roo store messages of this kind and share
//! the reading of messages, the rules between them, and the form of new ones.

pub(super) mod faults;
pub(super) mod order;
pub(super) mod read;
mod render;
mod system;

use super::detect::{Bytes, Evidence, sample};
use super::shared::json::Object;
use super::shared::lines::LineNumbers;
use super::shared::rows::{Row, layout, row};
use super::shared::{dialects, document, lines, message_columns, speakers, synthetic};
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample, openai, read_line};
use crate::transcript::{Class, EditScript, Message, Patch, Record, Traits, Transcript};
pub(super) use read::{Tools, block, parts};
use system::System;

/// The `anthropic-messages` format.
pub(super) struct AnthropicMessages;

impl Format for AnthropicMessages {
    fn name(&self) -> &'static str {
        "anthropic-messages"
    }

    fn layout(&self) -> Layout {
        Layout::PerLine
    }

    fn layout_of(&self, sample: &Sample<'_>) -> Layout {
        match openai::are_message_lines(sample) {
            true => Layout::Session,
            false => layout(sample, |row| row.has("messages")),
        }
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        openai::anthropic_evidence(sample)
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        let read = match row(source, options.first_line) {
            Ok(row) => of_row(source, &row, options),
            Err(_) if holds_lines(source) => of_lines(source, options),
            Err(err) => Err(err),
        };
        let Some(mut transcript) = options.forgive(read)? else {
            return Ok(document::opaque(source, options, Traits { training_row: true, ..Traits::default() }));
        };
        synthetic::classify(&mut transcript.messages, &[]);
        transcript.traits.alternates = faults::alternates(&transcript.messages);
        transcript.traits.asks = transcript.traits.alternates && !transcript.traits.training_row;
        Ok(transcript)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        render::render(transcript, script)
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        faults::faults(transcript)
    }

    fn mend(&self, transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) -> Vec<Patch> {
        faults::mend(transcript, faults, script);
        Vec::new()
    }
}

/// Whether a source that is not a row holds messages one per line. Its format is already decided, so one is enough.
fn holds_lines(source: &[u8]) -> bool {
    openai::has_message_line(&Sample::new(&sample::beginning(source, Bytes::Whole)))
}

/// Reads the system prompt and messages of a row; an error if one has calls or results in another format's form.
fn of_row<'a>(source: &'a [u8], row: &Row<'a>, options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
    let fixed = message_columns::obstacle(&row.fields, &[(row.array, row.elements.len())]);
    let traits = Traits { user_summary: true, training_row: true, fixed, ..Traits::default() };
    let mut transcript = Transcript { source, traits, ..Transcript::default() };
    let system = System::read(source, &row.fields);
    for piece in [system.preamble, system.summary].into_iter().flatten() {
        push(&mut transcript, (piece.span, options.first_line), Some(piece.message));
    }
    transcript.traits.apart = transcript.records.len();
    let mut tools = Tools::new();
    let mut lines = LineNumbers::new(source, options.first_line);
    for value in &row.elements {
        let fields = value.object();
        let message = fields.as_ref().and_then(|fields| read::message(source, fields, &mut tools));
        let span = value.span_in(source);
        let line = lines.line_at(span.start);
        refuse(source, fields.as_ref(), (message.as_ref(), row.is_bare(), line))?;
        push(&mut transcript, (span, line), message);
    }
    let Transcript { messages, records, traits, .. } = &mut transcript;
    traits.fixed = traits.fixed.or_else(|| message_columns::repeated(&row.fields, &[row.array], messages));
    message_columns::set_untrained(source, (messages, records), row.columns());
    transcript.traits.fixed = speakers::obstacle(&transcript).or(transcript.traits.fixed);
    Ok(transcript)
}

/// An error if a message has calls or results in another format's form, and none in Anthropic's.
fn refuse(
    source: &[u8],
    fields: Option<&Object<'_>>,
    (message, alone, line): (Option<&Message<'_>>, bool, usize),
) -> Result<(), ReadError> {
    let foreign = fields.and_then(|fields| dialects::of_message(source, fields, (message, alone)));
    foreign.map_or(Ok(()), |format| Err(dialects::error(format, line)))
}

/// Reads messages stored one per line; any other line becomes an opaque record.
fn of_lines(source: &[u8], options: ReadOptions) -> Result<Transcript<'_>, ReadError> {
    let traits = Traits { user_summary: true, ..Traits::default() };
    let mut transcript = Transcript { source, traits, ..Transcript::default() };
    let mut tools = Tools::new();
    for line in lines::lines(source) {
        let message = match options.forgive(read_line(source, &line, options.first_line))? {
            Some(value) => {
                let fields = value.object();
                let message = fields.as_ref().and_then(|fields| read::message(source, fields, &mut tools));
                let place = (message.as_ref(), true, line.number + options.first_line - 1);
                refuse(source, fields.as_ref(), place)?;
                message
            }
            None => None,
        };
        push(&mut transcript, (line.span, line.number + options.first_line - 1), message);
    }
    transcript.traits.fixed = speakers::obstacle(&transcript);
    Ok(transcript)
}

/// Adds a record, with its message if it holds one.
fn push<'a>(
    transcript: &mut Transcript<'a>,
    (span, line): (std::ops::Range<usize>, usize),
    message: Option<Message<'a>>,
) {
    let record = transcript.records.len();
    let class = message.as_ref().map_or(Class::Opaque, |_| Class::Message(transcript.messages.len()));
    transcript.records.push(Record { span, line, class, id: None, parent: None });
    transcript.messages.extend(message.map(|message| Message { record, ..message }));
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::detect::detect;
    use super::super::tests::support::{authors, continuation, edited, faults, read, stub_results, summary};
    use super::*;
    use crate::transcript::{Author, Change, PartEdit, SummaryRole};

    const FORMAT: AnthropicMessages = AnthropicMessages;
    const TAIL: &str = r#"{"role":"assistant","content":[{"type":"thinking","thinking":"why","signature":"s"},{"type":"tool_use","id":"a","name":"ls","input":{"p": 1}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"long"}]}]},{"role":"assistant","content":"x"}"#;

    fn row(system: &str) -> String {
        format!(r#"{{{system}"messages":[{{"role":"user","content":"old"}},{TAIL}]}}"#)
    }

    fn wrapped(text: &str) -> String {
        format!(r"<prior-conversation-summary>\n{text}\n</prior-conversation-summary>")
    }

    #[test]
    fn a_request_is_read_with_its_system_prompt_first() {
        let source = row(r#""system":[{"type":"text","text":"s"}],"#);
        let transcript = read(&FORMAT, &source);
        use Author::{Model, Person, System, Tool};
        assert_eq!(authors(&transcript), [System, Person, Model, Tool, Model]);
        assert_eq!(transcript.messages[2].parts[1].text, r#"{"p": 1}"#);
        assert!(transcript.traits.alternates && transcript.traits.training_row);
        assert_eq!(faults(&FORMAT, &source), []);
        assert_eq!(edited(&FORMAT, &source, |_, _| {}), source);
    }

    #[test]
    fn a_summary_is_a_user_message_where_one_may_stand() {
        let out = edited(&FORMAT, &row(""), |transcript, script| {
            script.keep[0] = false;
            script.inserts = vec![summary(1, SummaryRole::System, "it")];
            stub_results(transcript, script);
        });
        let tail = TAIL.replace(r#""text":"long""#, r#""text":"<stub />""#);
        assert_eq!(out, format!(r#"{{"messages":[{},{tail}]}}"#, user_block(&wrapped("it"))));
        assert_eq!(faults(&FORMAT, &out), []);
        assert_eq!(authors(&read(&FORMAT, &out))[0], Author::Summary);
    }

    #[test]
    fn messages_with_calls_in_openais_form_are_named_and_not_torn() {
        let user = r#"{"role":"user","content":"u"}"#;
        let calls = |list: &str| format!(r#"{{"role":"assistant","content":"x","tool_calls":{list}}}"#);
        let called = calls(r#"[{"id":"a","function":{"name":"f","arguments":"{}"}}]"#);
        let result = r#"{"role":"tool","tool_call_id":"a","content":"r"}"#;
        let reason = |source: &str| match FORMAT.read(source.as_bytes(), ReadOptions::default()) {
            Ok(_) => Ok(()),
            Err(error) => Err(error.reason),
        };
        for message in [&called, result] {
            let error = reason(&format!(r#"{{"system":"s","messages":[{user},{message}]}}"#)).unwrap_err();
            assert!(error.contains("read it with `--from openai-chat`"), "{error}");
            let error = reason(&one_a_line(&[user, message])).unwrap_err();
            assert!(error.contains("read it with `--from openai-messages`"), "{error}");
        }
        let block = r#"[{"type":"tool_use","id":"a","name":"f","input":{}}]"#;
        for message in [calls("[]"), calls("null"), called.replace("\"x\"", block)] {
            assert!(reason(&format!(r#"{{"system":"s","messages":[{user},{message}]}}"#)).is_ok(), "{message}");
        }
    }

    #[test]
    fn a_result_that_is_stored_as_it_was_returned_is_read_and_pruned() {
        for content in [r#"{"quay": 1}"#, r#"["lamp", "quay"]"#] {
            let source = row("").replace(r#"[{"type":"text","text":"long"}]"#, content);
            assert_eq!(read(&FORMAT, &source).messages[2].parts[0].text, content);
            let out = edited(&FORMAT, &source, stub_results);
            assert_eq!(out, source.replace(content, r#""<stub />""#));
        }
    }

    #[test]
    fn columns_of_messages_go_along_with_them() {
        let out = edited(&FORMAT, &row(r#""weights":[7,1,0,1],"#), |_, script| {
            script.keep[0] = false;
            script.inserts = vec![summary(1, SummaryRole::System, "it")];
        });
        assert!(out.starts_with(r#"{"weights":[0,1,0,1],"messages""#), "{out}");
    }

    /// A user message whose text is in a block, as written if other messages use blocks.
    fn user_block(text: &str) -> String {
        format!(r#"{{"role":"user","content":[{{"type":"text","text":"{text}","citations":null}}]}}"#)
    }

    #[test]
    fn what_is_left_without_any_tool_is_still_anthropics() {
        let array = format!(r#"[{{"role":"user","content":"u"}},{TAIL}]"#);
        let lines = array.trim_matches(['[', ']']).replace(r#"},{"role""#, "}\n{\"role\"");
        for source in [array, lines] {
            assert_eq!(detect(source.as_bytes()).unwrap().name, "anthropic-messages", "{source}");
            let out = edited(&FORMAT, &source, |transcript, script| {
                let last = transcript.records.len() - 1;
                script.keep[..last].fill(false);
                script.inserts = vec![summary(last, SummaryRole::Assistant, "it")];
            });
            assert!(!out.contains("tool_"), "{out}");
            assert_eq!(detect(out.as_bytes()).unwrap().name, "anthropic-messages", "{out}");
        }
    }

    #[test]
    fn a_summary_goes_into_system_where_roles_would_repeat() {
        let with = |system: &str, text: &str| {
            edited(&FORMAT, &row(system), |_, script| script.inserts = vec![summary(0, SummaryRole::System, text)])
        };
        assert_eq!(with("", "it"), row(&format!(r#""system":"{}","#, wrapped("it"))));
        assert_eq!(with(r#""system":"be","#, "it"), row(&format!(r#""system":"be\n\n{}","#, wrapped("it"))));
        assert_eq!(
            with(r#""system":[{"type":"text","text":"be"}],"#, "it"),
            row(&format!(r#""system":[{{"type":"text","text":"be"}},{{"type":"text","text":"{}"}}],"#, wrapped("it")))
        );
    }

    #[test]
    fn a_later_summary_takes_the_place_of_the_earlier_one() {
        let before = |system: &str| row(&system.replace('@', &wrapped("one")));
        let again = |system: &str, new: bool| {
            edited(&FORMAT, &before(system), |transcript, script| {
                let old = transcript.messages.iter().position(|message| message.author == Author::Summary);
                script.keep[old.unwrap_or_default()] = false;
                let place = old.unwrap_or_default() + 1;
                script.inserts.extend(new.then(|| summary(place, SummaryRole::System, "two")));
            })
        };
        for system in [
            r#""system":"be\n\n@","#,
            r#""system":"@","#,
            r#""system":[{"type":"text","text":"be"}, {"type":"text","text":"@"}],"#,
        ] {
            assert_eq!(again(system, true), before(system).replace("one", "two"));
        }
        assert_eq!(again(r#""system":"be\n\n@","#, false), row(r#""system":"be","#));
        assert_eq!(again(r#""system":"@","#, false), row(""));
    }

    #[test]
    fn the_summary_behind_a_system_prompt_is_a_message_of_its_own() {
        let source = row(&format!(r#""system":"be\n\n{}","#, wrapped("one")));
        let transcript = read(&FORMAT, &source);
        assert_eq!(authors(&transcript)[..2], [Author::System, Author::Summary]);
        assert_eq!(transcript.messages[0].text(), "be");
        assert_eq!(transcript.messages[1].text(), wrapped("one").replace(r"\n", "\n"));
        assert!(transcript.messages.iter().all(|message| message.live));
    }

    #[test]
    fn a_continuation_that_would_repeat_a_role_is_left_out() {
        let source = r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}"#;
        let at = |before: usize| edited(&FORMAT, source, |_, script| script.inserts = vec![continuation(before)]);
        assert!(at(2).ends_with(r#",{"role":"user","content":"continue"}]}"#));
        assert_eq!(at(0), source);
    }

    #[test]
    fn a_search_result_in_a_result_says_what_was_found() {
        let source = r#"{"messages":[{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"search_result","source":"s","title":"t","content":[{"type":"text","text":"found it"}]}]}]}]}"#;
        assert_eq!(read(&FORMAT, source).messages[2].parts[0].text, "t\nfound it");
    }

    #[test]
    fn removed_thinking_takes_its_block_along() {
        let out = edited(&FORMAT, &row(""), |_, script| {
            script.parts = vec![PartEdit { message: 1, part: 0, change: Change::Remove }];
        });
        assert_eq!(out, row("").replace(r#"{"type":"thinking","thinking":"why","signature":"s"},"#, ""));
    }

    /// The messages of a row, one per line.
    fn one_a_line(messages: &[&str]) -> String {
        messages.iter().map(|message| format!("{message}\r\n")).collect()
    }

    #[test]
    fn messages_may_stand_one_a_line() {
        let call = r#"{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}"#;
        let result = r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"long"}]}"#;
        let source = one_a_line(&[r#"{"role":"user","content":"old"}"#, r#"{"note":1}"#, call, result]);
        let transcript = read(&FORMAT, &source);
        assert_eq!(authors(&transcript), [Author::Person, Author::Model, Author::Tool]);
        assert_eq!(transcript.records.iter().map(|record| record.line).collect::<Vec<_>>(), [1, 2, 3, 4]);
        assert!(transcript.traits.alternates && !transcript.traits.training_row);
        assert_eq!(FORMAT.layout_of(&Sample::new(&source)), Layout::Session);
        let out = edited(&FORMAT, &source, |transcript, script| {
            script.keep[0] = false;
            script.inserts = vec![summary(2, SummaryRole::System, "it"), continuation(4)];
            stub_results(transcript, script);
        });
        let user = user_block(&wrapped("it"));
        // A continuation after results would repeat the role, so there is none.
        assert_eq!(out, one_a_line(&[r#"{"note":1}"#, &user, call, &result.replace("long", "<stub />")]));
        assert_eq!(faults(&FORMAT, &out), []);
    }

    #[test]
    fn a_summary_before_a_user_line_answers_a_question() {
        let source = one_a_line(&[r#"{"role":"user","content":"u"}"#, r#"{"role":"assistant","content":"x"}"#]);
        let out = edited(&FORMAT, &source, |_, script| script.inserts = vec![summary(0, SummaryRole::System, "it")]);
        assert_eq!(faults(&FORMAT, &out), []);
        use Author::{Continuation, Model, Person, Summary};
        assert_eq!(authors(&read(&FORMAT, &out)), [Continuation, Summary, Person, Model]);
    }

    #[test]
    fn a_broken_line_is_named_by_its_place() {
        let source = one_a_line(&[r#"{"role":"user","content":"u"}"#, r#"{"role" 1}"#]);
        let err = FORMAT.read(source.as_bytes(), ReadOptions::default()).unwrap_err();
        assert_eq!((err.line, err.column), (2, 9));
        let options = ReadOptions { lenient: true, first_line: 1 };
        assert_eq!(FORMAT.read(source.as_bytes(), options).unwrap().records.len(), 2);
    }

    #[test]
    fn the_rules_of_order_are_checked() {
        let check = |messages: &str| faults(&FORMAT, &format!(r#"{{"messages":[{messages}]}}"#));
        let call = r#"{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}"#;
        let user = r#"{"role":"user","content":"u"}"#;
        let result = |before: &str| {
            format!(r#"{{"role":"user","content":[{before}{{"type":"tool_result","tool_use_id":"a","content":"r"}}]}}"#)
        };
        let rule = |name: &'static str, subject: &str| (name, subject.to_owned());
        assert_eq!(check(&[user, call, &result("")].join(",")), []);
        assert_eq!(check(&[user, call].join(",")), []);
        assert_eq!(check(&[user, call, user].join(",")), [rule("unanswered_call", "a")]);
        assert_eq!(
            check(&[user, call, &result(r#"{"type":"text","text":"x"},"#)].join(",")),
            [rule("results_not_first", "a")]
        );
        assert_eq!(check(&result("")), [rule("orphan_result", "a")]);
        assert_eq!(check(call), [rule("first_not_user", "")]);
        assert_eq!(check(&[user, user, user].join(",")), [rule("same_role_twice", "")]);
        assert_eq!(check(r#"{"role":"user","content":""}"#), [rule("empty_content", "user")]);
        let thinking = r#"{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"s"}]}"#;
        assert_eq!(check(&[user, thinking].join(",")), [rule("ends_in_thinking", "")]);
    }
}
