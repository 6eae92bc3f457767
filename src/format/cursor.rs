//! The format `cursor`: transcripts of Cursor's agent, one message per line as `{"role":…,"message":{"content":[…]}}`
//! with Anthropic's blocks.
//!
//! Calls have no ids: a result answers the oldest unanswered call. Many files have no results at all: their calls are
//! treated as done, with unknown results. Other lines say how a turn ended.

use super::anthropic_messages::{Tools, parts};
use super::shared::json::{Object, quoted};
use super::shared::new::New;
use super::shared::record_lines;
use super::shared::session_lines::{fields, name_tools};
use super::shared::{part_edits, slot, synthetic};
use super::{Evidence, Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{Author, Class, EditScript, Message, Part, PartKind, Patch, Role, Traits, Transcript};
use std::borrow::Cow;
use std::collections::{HashSet, VecDeque};

/// The `cursor` format.
pub(super) struct Cursor;

impl Format for Cursor {
    fn name(&self) -> &'static str {
        "cursor"
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let message = |record: &Object<'_>| record.object("message").is_some_and(|message| message.has("content"));
        let is = |record: &Object<'_>| record.has("role") && message(record) && !record.has("type");
        sample.most(is).then(|| Evidence::certain("`role` and `message`, nothing else of a session"))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        let mut tools = Tools::new();
        let mut pairs = Pairs::default();
        let mut transcript = record_lines::read(source, options, Traits::default(), &mut |transcript, at, value| {
            let fields = value.object().unwrap_or_default();
            let message = message(source, &fields, &mut tools);
            transcript.records[at].class = match &message {
                Some(_) => Class::Message(transcript.messages.len()),
                None if fields.has("type") && !fields.has("role") => Class::Place,
                None => Class::Opaque,
            };
            transcript.messages.extend(message.map(|mut message| {
                pairs.name(&mut message.parts);
                Message { record: at, ..message }
            }));
        })?;
        answer_all(&mut transcript.messages);
        name_tools(&mut transcript.messages);
        synthetic::classify(&mut transcript.messages, &[]);
        Ok(transcript)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        let new = New::all(script, |insert| {
            let content = format!(r#"[{{"type":"text","text":{}}}]"#, quoted(insert.kind.text()));
            [format!(r#"{{"role":"user","message":{{"content":{content}}}}}"#)]
        });
        let mut inside = Vec::new();
        for (index, message) in transcript.messages.iter().enumerate() {
            let edited = !script.changes_of(index).is_empty();
            if edited && script.keeps(message.record) {
                let inner = fields(transcript, transcript.record_of(index)).get("message");
                inside.append(&mut part_edits::patches_in(transcript, script, index, inner));
            }
        }
        record_lines::edited(transcript, &script.keep, &new, inside)
    }

    /// None of its own; pairing is checked for all formats alike.
    fn faults(&self, _: &Transcript<'_>) -> Vec<Fault> {
        Vec::new()
    }
}

fn message<'a>(source: &'a [u8], fields: &Object<'a>, tools: &mut Tools<'a>) -> Option<Message<'a>> {
    let content = fields.object("message")?.get("content")?;
    let parts = parts(source, content, tools);
    let (role, author) = match &*fields.text("role")? {
        "user" if parts.iter().any(is_notice) => (Role::User, Author::Harness),
        "user" => (Role::User, synthetic::user_author(&parts)),
        "assistant" => (Role::Assistant, Author::Model),
        _ => return None,
    };
    Some(Message { role, author, parts, live: true, model: fields.text("model"), ..Message::default() })
}

/// Cursor's notice that a background task ended, and the request that it adds as the user.
const NOTICE: (&str, &str) = ("<system_notification>", "Briefly inform the user about the task result");

/// Whether a part is such a notice and nothing else.
fn is_notice(part: &Part<'_>) -> bool {
    let behind = part.text.trim_start().starts_with(NOTICE.0).then(|| part.text.rsplit_once("</system_notification>"));
    let asked = behind.flatten().map(|(_, asked)| asked.trim().trim_start_matches("<user_query>").trim_start());
    part.kind == PartKind::Text && asked.is_some_and(|asked| asked.is_empty() || asked.starts_with(NOTICE.1))
}

/// If a file stores no results, gives every call an empty one.
fn answer_all(messages: &mut [Message<'_>]) {
    if messages.iter().any(|message| message.results().next().is_some()) {
        return;
    }
    for message in messages {
        for part in std::mem::take(&mut message.parts) {
            let result = if let PartKind::Call { id, name } = &part.kind {
                let (id, tool) = (id.clone(), Some(name.clone()));
                let kind = PartKind::Result { id, tool, error: false, pruned: false, media: Vec::new() };
                Some(slot::part(kind, Cow::Borrowed(""), slot::fixed_at(part.slot.part.clone())))
            } else {
                None
            };
            message.parts.push(part);
            message.parts.extend(result);
        }
    }
}

/// Calls without ids, and those of them that wait for a result.
#[derive(Default)]
struct Pairs {
    count: usize,
    waiting: VecDeque<String>,
    ids: HashSet<String>,
}

impl Pairs {
    /// Numbers calls without an id, and gives results the id of the call that they answer.
    fn name(&mut self, parts: &mut [Part<'_>]) {
        for part in parts {
            match &mut part.kind {
                PartKind::Call { id, .. } if id.is_empty() => {
                    self.count += 1;
                    let own = format!("#{}", self.count);
                    self.waiting.push_back(own.clone());
                    *id = Cow::Owned(own);
                }
                PartKind::Call { id, .. } => drop(self.ids.insert(id.clone().into_owned())),
                PartKind::Result { id, .. } if !self.ids.contains(&**id) => {
                    if let Some(oldest) = self.waiting.pop_front() {
                        *id = Cow::Owned(oldest);
                    }
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::support::{authors, continuation, edited, faults, read, stub_results, summary};
    use super::*;
    use crate::transcript::{Change, PartEdit, SummaryRole};

    const SAMPLE: &str = include_str!("../../samples/cursor/bus-stops.jsonl");

    #[test]
    fn a_transcript_is_read_and_comes_back_as_it_was() {
        assert_eq!(edited(&Cursor, SAMPLE, |_, _| {}), SAMPLE);
        let transcript = read(&Cursor, SAMPLE);
        use Author::{Model, Person, Tool};
        assert_eq!(authors(&transcript)[..4], [Person, Model, Tool, Model]);
        assert_eq!(
            transcript.messages[2].results().collect::<Vec<_>>(),
            transcript.messages[1].calls().collect::<Vec<_>>()
        );
        assert!(
            matches!(&transcript.messages[2].parts[1].kind, PartKind::Result { tool: Some(tool), .. } if tool == "Grep")
        );
        assert_eq!((faults(&Cursor, SAMPLE), crate::check::faults(&transcript)), (vec![], vec![]));
        assert!(transcript.records.iter().any(|record| record.class == Class::Place), "how a turn ended");
    }

    #[test]
    fn a_notice_of_a_task_that_ended_is_no_request() {
        let author = |asked: &str| {
            let text = format!(r"<system_notification>\nA task ended.\n</system_notification>\n{asked}");
            let line = format!(r#"{{"role":"user","message":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#);
            authors(&read(&Cursor, &line))[0]
        };
        let asked = "<user_query>Briefly inform the user about the task result and go on.</user_query>";
        assert_eq!([author(asked), author("")], [Author::Harness; 2]);
        assert_eq!(author("<user_query>Fix it.</user_query>"), Author::Person);
        let line = r#"{"role":"user","message":{"content":[{"type":"text","text":"<agent_transcripts>\nin /w\n</agent_transcripts>\n\n<agent_skills>\nRead them.\n</agent_skills>"}]}}"#;
        assert_eq!(authors(&read(&Cursor, line)), [Author::Harness]);
    }

    #[test]
    fn a_call_goes_with_the_result_that_was_made_up_for_it() {
        let words = r#"{"type":"text","text":"x"}"#;
        let call = r#"{"type":"tool_use","name":"Read","input":{}}"#;
        let answer = |blocks: &str| format!(r#"{{"role":"assistant","message":{{"content":[{blocks}]}}}}"#);
        let out = edited(&Cursor, &answer(&[words, call].join(",")), |_, script| {
            let change = |part, change| PartEdit { message: 0, part, change };
            script.parts = vec![change(1, Change::Stub("{}".into())), change(2, Change::Remove)];
        });
        assert_eq!(out, answer(words));
    }

    #[test]
    fn new_lines_look_like_the_others() {
        let out = edited(&Cursor, SAMPLE, |transcript, script| {
            let last = transcript.last_real_user().map(|index| transcript.messages[index].record).unwrap_or_default();
            (0..last).for_each(|at| script.keep[at] = false);
            script.inserts = vec![summary(last, SummaryRole::System, "it"), continuation(transcript.records.len())];
        });
        assert!(out.starts_with(r#"{"role":"user","message":{"content":[{"type":"text","text":"<prior"#), "{out}");
        use Author::{Continuation, Model, Person, Summary};
        assert_eq!(authors(&read(&Cursor, &out)), [Summary, Person, Model, Continuation]);
    }

    #[test]
    fn where_no_result_is_stored_calls_are_done() {
        let answer = r#"{"role":"assistant","message":{"content":[{"type":"text","text":"x"},{"type":"tool_use","name":"StrReplace","input":{"path":"/w/a.rs"}},{"type":"tool_use","name":"Read","input":{}}]}}"#;
        let ask = r#"{"role":"user","message":{"content":[{"type":"text","text":"ask"}]}}"#;
        let source = [ask, answer, ask, answer].join("\n");
        let transcript = read(&Cursor, &source);
        assert_eq!(crate::check::faults(&transcript), []);
        assert_eq!(
            transcript.messages[1].results().collect::<Vec<_>>(),
            transcript.messages[1].calls().collect::<Vec<_>>()
        );
        assert_eq!(edited(&Cursor, &source, stub_results), source);
        let result = r#"{"role":"user","message":{"content":[{"type":"tool_result","content":"r"}]}}"#;
        let source = [ask, answer, result].join("\n");
        let some = read(&Cursor, &source);
        assert_eq!(some.messages.iter().map(|it| it.results().count()).sum::<usize>(), 1);
    }

    #[test]
    fn results_are_stubbed_in_their_kind() {
        let out = edited(&Cursor, SAMPLE, stub_results);
        assert!(out.contains(r#""content":[{"type":"text","text":"<stub />"}]"#), "{out}");
    }
}
