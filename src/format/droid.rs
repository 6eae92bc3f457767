//! The format `droid`: the session store of Factory's Droid: a `session_start` header, then messages with Anthropic's
//! blocks, one per line, with an `id` and, in some versions, the `parentId` of the previous one.
//!
//! The program is not public and it is unknown what a `compaction_state` keeps of the history, so epitome's summary
//! is a user message, and lines are read in file order.

use super::anthropic_messages::{Tools, parts};
use super::shared::document::uuid;
use super::shared::json::{Json, Object, quoted};
use super::shared::links::{Chain, of_session};
use super::shared::mending;
use super::shared::new::New;
use super::shared::record_lines;
use super::shared::session_lines::fields;
use super::shared::{part_edits, synthetic};
use super::{Evidence, Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{Author, Class, EditScript, Insert, InsertKind, Message, Patch, Role, Traits, Transcript};

/// Records that state something about the whole session; the last one of each type is in force.
const SESSION: [&str; 2] = ["todo_state", "session_settings"];
/// Fields in which a `compaction_state` may hold its summary.
const SUMMARIES: [&str; 2] = ["summaryText", "summary"];

/// The `droid` format.
pub(super) struct Droid;

impl Format for Droid {
    fn name(&self) -> &'static str {
        "droid"
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let kind =
            |record: &Object<'_>, kinds: &[&str]| record.text("type").is_some_and(|kind| kinds.contains(&&*kind));
        let header = |record: &Object<'_>| {
            kind(record, &["session_start"]) && (record.has("version") || record.has("id") && record.has("cwd"))
        };
        let own = ["session_start", "message", "todo_state", "compaction_state", "session_settings"];
        let is = sample.any(header) && sample.most(|record| kind(record, &own));
        is.then(|| Evidence::certain("a `session_start` header, then messages"))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        let mut tools = Tools::new();
        let mut transcript = record_lines::read(source, options, Traits::default(), &mut |transcript, at, value| {
            record(transcript, at, &value.object().unwrap_or_default(), &mut tools);
        })?;
        synthetic::classify(&mut transcript.messages, &[]);
        let stored: Vec<_> = transcript.messages.iter().map(|it| it.author == Author::Summary).collect();
        if let Some(newest) = stored.iter().rposition(|summary| *summary) {
            transcript.messages.iter_mut().take(newest).for_each(|message| message.live = false);
        }
        Ok(transcript)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        let mut chain = Chain::new(transcript, script);
        let (mut lines, mut changes, mut newest) = (Vec::new(), Vec::new(), None);
        let mut inserts = script.inserts.iter().peekable();
        for at in 0..=transcript.records.len() {
            while let Some(insert) = inserts.next_if(|insert| insert.before <= at || at == transcript.records.len()) {
                let parent = chain.parent_before(insert.before).or_else(|| newest.clone());
                let (id, text) = new_line(transcript, insert, parent.as_deref());
                if matches!(insert.kind, InsertKind::Summary { .. }) {
                    chain.begin_at(&id, insert.before);
                }
                newest = Some(id);
                lines.push(New { before: insert.before, text });
            }
            let Some(record) = transcript.records.get(at).filter(|_| script.keeps(at)) else { continue };
            changes.extend(chain.relinked(at, "parentId"));
            if let Class::Message(message) = record.class {
                let inner = fields(transcript, record).get("message");
                changes.append(&mut part_edits::patches_in(transcript, script, message, inner));
                newest = record.id.as_deref().map(str::to_owned).or(newest);
            }
        }
        record_lines::edited(transcript, &script.keep, &lines, changes)
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        let mut faults = of_session(transcript, "session_start");
        faults.sort();
        faults
    }

    fn mend(&self, transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) -> Vec<Patch> {
        mending::relink_parents(transcript, faults, script, "parentId")
    }
}

/// Classifies a record and adds its message.
fn record<'a>(transcript: &mut Transcript<'a>, at: usize, fields: &Object<'a>, tools: &mut Tools<'a>) {
    let source = transcript.source;
    let kind = fields.text("type").unwrap_or_default();
    let message = match &*kind {
        "message" => fields.object("message").and_then(|message| self::message(source, &message, tools)),
        "compaction_state" => compaction(source, fields, tools),
        _ => None,
    };
    let class = match (&message, &*kind) {
        (Some(_), _) => Class::Message(transcript.messages.len()),
        (None, "compaction_state") => Class::Place,
        (None, known) if SESSION.contains(&known) => Class::Session(kind),
        _ => Class::Opaque,
    };
    let timestamp = fields.text("timestamp");
    transcript.messages.extend(message.map(|message| Message { record: at, timestamp, live: true, ..message }));
    if let Some(record) = transcript.records.get_mut(at) {
        record.class = class;
        record.id = fields.text("id");
        record.parent = fields.text("parentId");
    }
}

fn message<'a>(source: &'a [u8], fields: &Object<'a>, tools: &mut Tools<'a>) -> Option<Message<'a>> {
    let parts = parts(source, fields.get("content")?, tools);
    let (role, author) = match &*fields.text("role")? {
        "user" => (Role::User, synthetic::user_author(&parts)),
        "assistant" => (Role::Assistant, Author::Model),
        _ => return None,
    };
    Some(Message { role, author, parts, model: fields.text("model"), ..Message::default() })
}

/// The summary of Droid's own compaction, if the record holds one.
fn compaction<'a>(source: &'a [u8], fields: &Object<'a>, tools: &mut Tools<'a>) -> Option<Message<'a>> {
    let text = SUMMARIES.iter().find_map(|key| fields.get(key).filter(|text| text.is_string()))?;
    let parts = parts(source, text, tools);
    Some(Message { role: Role::User, author: Author::Summary, parts, ..Message::default() })
}

/// A new line and its id. It names a parent if the file's records do.
fn new_line(transcript: &Transcript<'_>, insert: &Insert, parent: Option<&str>) -> (String, String) {
    let text = insert.kind.text();
    let messages = transcript.messages.iter();
    let beside = messages.clone().find(|it| it.record >= insert.before).or_else(|| messages.last());
    let beside = beside.map(|it| fields(transcript, &transcript.records[it.record])).unwrap_or_default();
    let raw = |key: &str| beside.get(key).map(Json::raw);
    let id = uuid(&["droid", raw("id").unwrap_or_default(), text]);
    let linked = transcript.records.iter().any(|record| record.parent.is_some());
    let parent = parent.filter(|_| linked).map(|id| format!(r#""parentId":{},"#, quoted(id))).unwrap_or_default();
    let time = raw("timestamp").map(|time| format!(r#""timestamp":{time},"#)).unwrap_or_default();
    let message = format!(r#"{{"role":"user","content":[{{"type":"text","text":{}}}]}}"#, quoted(text));
    (id.clone(), format!(r#"{{"type":"message","id":"{id}",{parent}{time}"message":{message}}}"#))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::tests::support::{authors, continuation, edited, faults, read, stub_results, summary};
    use super::*;
    use crate::transcript::{Change, PartEdit, PartKind, SummaryRole};

    const SAMPLE: &str = include_str!("../../samples/droid/mill-scale.jsonl");

    fn object(line: &str) -> Object<'_> {
        Json::parse(line).unwrap().object().unwrap()
    }

    #[test]
    fn a_session_is_read_and_comes_back_as_it_was() {
        assert_eq!(edited(&Droid, SAMPLE, |_, _| {}), SAMPLE);
        let transcript = read(&Droid, SAMPLE);
        use Author::{Harness, Model, Person, Tool};
        assert_eq!(authors(&transcript)[..5], [Harness, Person, Model, Tool, Model]);
        assert!(transcript.records.iter().any(|record| record.class == Class::Session("todo_state".into())));
        let kind = &transcript.messages[3].parts[0].kind;
        assert!(matches!(kind, PartKind::Result { tool: Some(tool), .. } if tool == "Read"));
        assert_eq!((faults(&Droid, SAMPLE), crate::check::faults(&transcript)), (vec![], vec![]));
    }

    #[test]
    fn a_header_without_a_version_names_a_session_and_its_folder() {
        let session =
            |header: &str| format!("{header}\n{}\n", r#"{"type":"message","message":{"role":"user","content":"u"}}"#);
        let found = |header: &str| super::super::detect(session(header).as_bytes()).map(|found| found.name).ok();
        assert_eq!(found(r#"{"type":"session_start","id":"s","cwd":"/pier"}"#), Some("droid"));
        assert_ne!(found(r#"{"type":"session_start","id":"s"}"#), Some("droid"));
    }

    #[test]
    fn the_tail_is_linked_to_the_summary() {
        let out = edited(&Droid, SAMPLE, |transcript, script| {
            let start = transcript.messages[transcript.last_real_user().unwrap()].record;
            (1..start).for_each(|at| script.keep[at] = false);
            script.inserts = vec![summary(start, SummaryRole::System, "it"), continuation(transcript.records.len())];
        });
        let lines: Vec<_> = out.lines().map(object).collect();
        for pair in lines.windows(2) {
            assert_eq!(pair[1].text("parentId"), pair[0].text("id"));
        }
        use Author::{Continuation, Model, Person, Summary};
        assert_eq!(authors(&read(&Droid, &out)), [Summary, Person, Model, Continuation]);
        assert_eq!(faults(&Droid, &out), []);
    }

    #[test]
    fn without_links_none_are_made() {
        let plain = |line: &str| {
            line.find("\"parentId\"").map_or(line.to_owned(), |from| {
                let to = from + line[from..].find(',').unwrap() + 1;
                format!("{}{}", &line[..from], &line[to..])
            })
        };
        let source: String = SAMPLE.lines().map(|line| plain(line) + "\n").collect();
        let out = edited(&Droid, &source, |transcript, script| {
            script.keep[1..4].fill(false);
            script.inserts = vec![summary(4, SummaryRole::User, "it"), continuation(transcript.records.len())];
        });
        assert!(!out.contains("parentId") && read(&Droid, &out).messages.iter().all(|message| message.live));
        assert_eq!(faults(&Droid, &out), []);
    }

    #[test]
    fn stubs_and_removals_stay_inside_the_message() {
        let out = edited(&Droid, SAMPLE, stub_results);
        assert!(out.contains(r#""content":"<stub />""#) && faults(&Droid, &out).is_empty());
        let out = edited(&Droid, SAMPLE, |_, script| {
            script.parts = vec![PartEdit { message: 2, part: 0, change: Change::Remove }];
        });
        assert_eq!(read(&Droid, &out).messages[2].parts.len() + 1, read(&Droid, SAMPLE).messages[2].parts.len());
    }

    #[test]
    fn a_compaction_of_droids_own_ends_what_was_sent_before() {
        let line = |n: u32| format!(r#"{{"type":"message","id":"{n}","message":{{"role":"user","content":"u"}}}}"#);
        let header = r#"{"type":"session_start","id":"s","version":2}"#;
        let own = r#"{"type":"compaction_state","id":"c","summaryText":"so far"}"#;
        let source = [header, &line(1), own, &line(2)].join("\n");
        let transcript = read(&Droid, &source);
        assert_eq!(authors(&transcript), [Author::Person, Author::Summary, Author::Person]);
        assert!(!transcript.messages[0].live && transcript.messages[1].live);
        let bare = source.replace("summaryText", "anchor");
        assert_eq!(read(&Droid, &bare).records[2].class, Class::Place);
    }

    #[test]
    fn rules_of_a_session() {
        let line = |id: &str, parent: &str| {
            format!(
                r#"{{"type":"message","id":"{id}","parentId":"{parent}","message":{{"role":"user","content":"u"}}}}"#
            )
        };
        let header = r#"{"type":"session_start","id":"s","version":2}"#;
        let rules =
            |lines: &[&str]| faults(&Droid, &lines.join("\n")).into_iter().map(|fault| fault.0).collect::<Vec<_>>();
        assert_eq!(rules(&[header, &line("a", "s"), &line("b", "a")]), [""; 0]);
        assert_eq!(rules(&[header, &line("a", "x")]), ["dangling_parent"]);
        assert_eq!(rules(&[header, &line("a", "s"), &line("a", "s")]), ["duplicate_id"]);
        assert_eq!(rules(&[&line("a", "b"), &line("b", "a")]), ["no_header", "parent_cycle"]);
    }
}
