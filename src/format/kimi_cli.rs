//! The format `kimi-cli`: `context.jsonl` of the Kimi CLI written in Python, one message per line, with lines of the
//! harness among them: `_system_prompt`, `_checkpoint`, `_usage`.
//!
//! A resume restores the whole file (MoonshotAI/kimi-cli, `soul/context.py`): all messages, the number after that of
//! the last checkpoint, and the newest token count, with an estimate for what follows it. Kimi's compaction starts a
//! new file: prompt, checkpoint 0, a user message with a fixed opening, the last messages, and the count. epitome's
//! output has the same form, except that checkpoints in the tail keep their numbers.

use super::openai;
use super::shared::json::{Json, Object, quoted};
use super::shared::new::New;
use super::shared::record_lines;
use super::shared::session_lines::{fields, name_tools};
use super::shared::slot::{arguments as arguments_slot, fixed, part};
use super::shared::{part_edits, synthetic};
use super::{Evidence, Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::fixed_texts::PREFACES;
use crate::transcript::{
    Author, Class, EditScript, Insert, InsertKind, Message, Part, PartKind, Patch, Role, Status, Tokens, Traits,
    Transcript, Usage,
};
use std::borrow::Cow;

/// Opening of Kimi's summaries, a text part of its own.
const SUMMARY: &str = PREFACES[4];
/// Beginning of Kimi's list of background tasks after a compaction.
const TASKS: &str = "<system>The following background tasks are still active after compaction.";
/// Beginning of the result of a failed tool.
const ERROR: &str = "<system>ERROR: ";

/// The `kimi-cli` format.
pub(super) struct KimiCli;

impl Format for KimiCli {
    fn name(&self) -> &'static str {
        "kimi-cli"
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let message = |record: &Object<'_>| record.has("content") && role(record).is_some();
        let is_ours = sample.any(is_own) && sample.most(|record| is_own(record) || message(record));
        is_ours.then(|| Evidence::certain("messages with `_checkpoint`, `_usage` or `_system_prompt` between them"))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        let mut checkpoints = 0;
        let traits = Traits { preface: SUMMARY, ..Traits::default() };
        let mut transcript = record_lines::read(source, options, traits, &mut |transcript, at, value| {
            let Some(fields) = value.object() else { return };
            let class = match &*fields.text("role").unwrap_or_default() {
                "_checkpoint" => {
                    checkpoints += 1;
                    // A session without a checkpoint counts as empty, so the first one is never dropped.
                    if checkpoints == 1 { Class::Opaque } else { Class::Place }
                }
                "_usage" => {
                    count(transcript, &fields);
                    Class::Session(Cow::Borrowed("_usage"))
                }
                _ => match message(source, value, &fields) {
                    Some(message) => {
                        transcript.messages.push(Message { record: at, live: true, ..message });
                        Class::Message(transcript.messages.len() - 1)
                    }
                    None => Class::Opaque,
                },
            };
            transcript.records[at].class = class;
        })?;
        name_tools(&mut transcript.messages);
        synthetic::classify(&mut transcript.messages, &[]);
        Ok(transcript)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        let mut new = New::all(script, |insert| [new_message(&insert.kind)]);
        new.extend(script.inserts.iter().find_map(|insert| new_count(insert, transcript.records.len())));
        record_lines::edited(transcript, &script.keep, &new, part_edits::of_kept(transcript, script))
    }

    /// Checkpoints whose numbers do not ascend: a revert stops at the first one with its number. Pairing is checked
    /// for all formats alike.
    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        let mut newest = None;
        let mut faults = Vec::new();
        let asides = transcript.records.iter().filter(|it| matches!(it.class, Class::Place | Class::Opaque));
        for record in asides {
            let Some(id) = fields(transcript, record).whole("id") else { continue };
            if newest.is_some_and(|newest| id <= newest) {
                faults.push(Fault::new(record.line, "checkpoint_goes_back", id.to_string()));
            }
            newest = newest.max(Some(id));
        }
        faults
    }
}

/// Whether a line is one of the harness's own.
fn is_own(record: &Object<'_>) -> bool {
    match &*record.text("role").unwrap_or_default() {
        "_checkpoint" => record.has("id"),
        "_usage" => record.has("token_count"),
        "_system_prompt" => record.has("content"),
        _ => false,
    }
}

fn role(record: &Object<'_>) -> Option<Role> {
    Some(match &*record.text("role")? {
        "system" | "_system_prompt" => Role::System,
        "user" => Role::User,
        "assistant" => Role::Assistant,
        "tool" => Role::Tool,
        _ => return None,
    })
}

/// The message of a line.
fn message<'a>(source: &'a [u8], value: Json<'a>, fields: &Object<'a>) -> Option<Message<'a>> {
    let role = role(fields)?;
    let content = fields.get("content").filter(|content| !content.is_null());
    let parts = || content.map(|content| parts(source, content)).unwrap_or_default();
    let (author, parts) = match role {
        Role::System => (Author::System, parts()),
        Role::User => {
            let parts = parts();
            (user(&parts), parts)
        }
        Role::Assistant => (Author::Model, [parts(), calls(source, fields)].concat()),
        Role::Tool => (Author::Tool, vec![result(source, (value, content), fields)]),
    };
    Some(Message { role, author, parts, ..Message::default() })
}

/// Reads a content; Kimi's programs share these blocks.
pub(super) fn parts<'a>(source: &'a [u8], content: Json<'a>) -> Vec<Part<'a>> {
    match content.array() {
        Some(blocks) => blocks.into_iter().flat_map(|it| block(source, it)).collect(),
        None => openai::parts(source, content),
    }
}

/// Reads one block.
pub(super) fn block<'a>(source: &'a [u8], block: Json<'a>) -> Vec<Part<'a>> {
    thought(source, block).map_or_else(|| openai::parts(source, block), |thought| vec![thought])
}

/// Reads a block of reasoning, which may be signed.
fn thought<'a>(source: &'a [u8], block: Json<'a>) -> Option<Part<'a>> {
    let fields = block.object()?;
    let text = fields.text("think").filter(|_| fields.is("type", "think"))?;
    let signed = fields.text("encrypted").is_some_and(|encrypted| !encrypted.is_empty());
    Some(part(PartKind::Reasoning { signed }, text, fixed(source, block)))
}

fn calls<'a>(source: &'a [u8], fields: &Object<'a>) -> Vec<Part<'a>> {
    let calls = fields.array("tool_calls").unwrap_or_default().into_iter().map(|call| {
        let fields = call.object().unwrap_or_default();
        let function = fields.object("function").unwrap_or_default();
        let (id, name) = (fields.text("id").unwrap_or_default(), function.text("name").unwrap_or_default());
        let arguments = function.get("arguments").filter(|arguments| !arguments.is_null());
        let text = arguments.map(Json::spelled).unwrap_or_default();
        part(PartKind::Call { id, name }, text, arguments_slot(source, call, arguments))
    });
    calls.collect()
}

/// Reads a result; its text may begin with the tool's status message in a tag.
fn result<'a>(source: &'a [u8], (whole, content): (Json<'a>, Option<Json<'a>>), fields: &Object<'a>) -> Part<'a> {
    let read = content.map(|content| openai::result(source, content));
    let (text, media, slot) = read.unwrap_or_else(|| (Cow::default(), Vec::new(), fixed(source, whole)));
    let error = text.starts_with(ERROR);
    let id = fields.text("tool_call_id").unwrap_or_default();
    let kind = PartKind::Result { id, tool: None, error, pruned: synthetic::is_stub(&text), media };
    Part { status: (!error).then_some(Status::Unflagged), ..part(kind, text, slot) }
}

/// The author of a user message.
fn user(parts: &[Part<'_>]) -> Author {
    let first =
        parts.first().filter(|part| part.kind == PartKind::Text).map(|part| part.text.trim()).unwrap_or_default();
    if first == SUMMARY {
        Author::Summary
    } else if first.starts_with(TASKS) || parts.iter().all(|part| part.kind == PartKind::Text && is_told(&part.text)) {
        Author::Harness
    } else {
        synthetic::user_author(parts)
    }
}

/// Whether a text is a notice of the harness from its opening to its closing tag: a checkpoint, a message from a
/// later state of the agent, the effect of a slash command, an event.
fn is_told(text: &str) -> bool {
    let text = text.trim();
    let tagged = |open: &str, close: &str| text.starts_with(open) && text.ends_with(close);
    tagged("<system>", "</system>") || tagged("<notification id=\"", "</notification>")
}

/// Sets a token count as the usage of the newest answer since the newest summary, or else of the last message.
fn count(transcript: &mut Transcript<'_>, fields: &Object<'_>) {
    let Some(tokens) = fields.whole("token_count") else { return };
    let messages = &mut transcript.messages;
    let behind = messages.iter().rposition(|message| message.author == Author::Summary).unwrap_or_default();
    let answer = messages.iter().skip(behind).rposition(|message| message.role == Role::Assistant);
    let at = answer.map_or(messages.len().saturating_sub(1), |answer| behind + answer);
    if let Some(message) = messages.get_mut(at) {
        message.usage = Some(Usage { input: Tokens(tokens), ..Usage::default() });
    }
}

fn new_message(kind: &InsertKind) -> String {
    let content = match kind {
        InsertKind::Summary { text, .. } => {
            let block = |text: &str| format!(r#"{{"type":"text","text":{}}}"#, quoted(text));
            format!("[{},{}]", block(SUMMARY), block(text))
        }
        InsertKind::Continuation { text, .. } => quoted(text),
    };
    format!(r#"{{"role":"user","content":{content}}}"#)
}

/// A line with the tokens left after a compaction, placed at the end: older counts would trigger the next compaction.
fn new_count(insert: &Insert, end: usize) -> Option<New> {
    let InsertKind::Summary { tokens_after, .. } = &insert.kind else { return None };
    Some(New { before: end, text: format!(r#"{{"role": "_usage", "token_count": {tokens_after}}}"#) })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::tests::support::{authors, continuation, edited, faults, read, stub_results, summary};
    use super::*;
    use crate::transcript::SummaryRole;

    const COMPACTED: &str = include_str!("../../samples/kimi-cli/compacted-by-kimi.jsonl");
    const LONG: &str = include_str!("../../samples/kimi-cli/long-with-checkpoints.jsonl");

    #[test]
    fn a_context_is_read_and_comes_back_as_it_was() {
        for source in [COMPACTED, LONG] {
            assert_eq!(edited(&KimiCli, source, |_, _| {}), source);
            assert_eq!((faults(&KimiCli, source), crate::check::faults(&read(&KimiCli, source))), (vec![], vec![]));
        }
        let transcript = read(&KimiCli, COMPACTED);
        use Author::{Harness, Model, Person, Summary, System, Tool};
        let expected = [System, Summary, Person, Model, Tool, Harness, Model, Tool, Tool, Harness, Model];
        assert_eq!(authors(&transcript), expected);
        assert_eq!(transcript.messages[3].parts[0].kind, PartKind::Reasoning { signed: false });
        let result = |at: usize| transcript.messages[at].parts[0].clone();
        assert!(
            matches!(&result(4).kind, PartKind::Result { error: false, tool: Some(tool), .. } if tool == "ReadFile")
        );
        assert!(matches!(&result(8).kind, PartKind::Result { error: true, tool: Some(tool), .. } if tool == "Shell"));
        assert_eq!((result(4).status, result(8).status), (Some(Status::Unflagged), None));
    }

    #[test]
    fn the_newest_count_is_that_of_the_newest_answer() {
        let transcript = read(&KimiCli, COMPACTED);
        let counts: Vec<_> = transcript.messages.iter().map(|it| it.usage.map(|usage| usage.total().0)).collect();
        let at = |index: usize| counts.get(index).copied().flatten();
        assert_eq!((at(3), at(6), at(10)), (Some(410), Some(690), Some(860)));
        let only = "{\"role\":\"user\",\"content\":\"u\"}\n{\"role\":\"_usage\",\"token_count\":7}\n";
        assert_eq!(read(&KimiCli, only).messages[0].usage.map(|usage| usage.total().0), Some(7));
    }

    #[test]
    fn what_the_harness_says_in_tags_is_no_persons() {
        let author =
            |content: &str| authors(&read(&KimiCli, &format!(r#"{{"role":"user","content":{}}}"#, content)))[0];
        assert_eq!(author(r#""<system>CHECKPOINT 3</system>""#), Author::Harness);
        assert_eq!(author(r#""<notification id=\"n\" category=\"task\">x</notification>""#), Author::Harness);
        assert_eq!(author(r#""<system-reminder>\nx\n</system-reminder>""#), Author::Harness);
        assert_eq!(author(r#""What does <system>x</system> mean?""#), Author::Person);
        let both = r#"[{"type":"text","text":"<system>seen at six</system>"},{"type":"text","text":"Is it high?"}]"#;
        assert_eq!(author(both), Author::Person);
    }

    #[test]
    fn a_compaction_leaves_what_kimis_own_does() {
        let out = edited(&KimiCli, LONG, |transcript, script| {
            let last = transcript.last_real_user().unwrap();
            let start = transcript.messages[last].record;
            let usage = transcript.records.iter().rposition(|it| matches!(it.class, Class::Session(_)));
            for (at, record) in transcript.records.iter().enumerate().take(start).skip(1) {
                script.keep[at] = record.class == Class::Opaque || Some(at) == usage;
            }
            script.inserts = vec![summary(start, SummaryRole::System, "it"), continuation(transcript.records.len())];
        });
        let lines: Vec<_> = out.lines().collect();
        assert!(lines[0].contains("_system_prompt") && lines[1] == r#"{"role": "_checkpoint", "id": 0}"#);
        assert!(lines[2].starts_with(r#"{"role":"user","content":[{"type":"text","text":"<system>Previous context"#));
        assert_eq!(lines.last(), Some(&r#"{"role": "_usage", "token_count": 1}"#));
        use Author::{Continuation, Model, Person, Summary, System};
        let again = read(&KimiCli, &out);
        assert_eq!(authors(&again), [System, Summary, Person, Model, Continuation]);
        assert_eq!(again.messages[3].usage.map(|usage| usage.total().0), Some(1));
        assert_eq!((faults(&KimiCli, &out), crate::check::faults(&again)), (vec![], vec![]));
    }

    #[test]
    fn stubs_keep_the_kind_of_content() {
        let out = edited(&KimiCli, COMPACTED, stub_results);
        assert!(
            out.contains(r#"{"role":"tool","content":[{"type":"text","text":"<stub />"}],"tool_call_id":"tool_a1"}"#)
        );
        assert!(out.contains(r#"{"role":"tool","content":"<stub />","tool_call_id":"tool_a2"}"#));
    }

    #[test]
    fn only_lines_of_the_harness_tell_it_from_messages_of_openais() {
        let found = |lines: &str| super::super::detect(lines.as_bytes()).map(|found| found.name);
        assert_eq!((found(COMPACTED), found(LONG)), (Ok("kimi-cli"), Ok("kimi-cli")));
        let user = r#"{"role":"user","content":"u"}"#;
        assert_eq!(found(&format!("{user}\n{user}\n")), Ok("openai-messages"));
        assert_eq!(found(&format!("{user}\n{}\n", r#"{"role":"_checkpoint","id":0}"#)), Ok("kimi-cli"));
        assert_eq!(found(&format!("{user}\n{}\n", r#"{"role":"_checkpoint"}"#)), Ok("openai-messages"));
    }

    #[test]
    fn checkpoints_count_up() {
        let lines = [0, 1, 1, 3].map(|id| format!(r#"{{"role": "_checkpoint", "id": {id}}}"#));
        assert_eq!(faults(&KimiCli, &lines.join("\n")), [("checkpoint_goes_back", "1".to_owned())]);
    }
}
