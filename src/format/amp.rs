//! The format `amp`: threads of Amp, one JSON document with numbered `messages` and the next number.
//!
//! Blocks are Anthropic's, except that a tool result is a `run` with a status. Message ids are whole numbers that
//! other fields refer to, so kept messages keep theirs: a summary takes the number of the dropped message right
//! before it, and any other new message the next number. The program is not public; only the files are known, so a
//! summary is a user message.

use super::anthropic_messages::{Tools, block};
use super::detect::Evidence;
use super::openai;
use super::shared::document::{self, Document};
use super::shared::json::{Json, Object, quoted};
use super::shared::new::New;
use super::shared::slot::{fixed, part};
use super::shared::{part_edits, synthetic};
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{
    Author, EditScript, Insert, InsertKind, Message, Part, PartKind, Patch, PatchKind, Role, Slot, Tokens, Traits,
    Transcript, Usage,
};
use std::borrow::Cow;
use std::collections::HashSet;

/// The field that holds the messages.
const MESSAGES: &str = "messages";
/// The field with a message's number, and the field with the next number.
const ID: &str = "messageId";
const NEXT: &str = "nextMessageId";

/// The `amp` format.
pub(super) struct Amp;

impl Format for Amp {
    fn name(&self) -> &'static str {
        "amp"
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let has = |fields: &Object<'_>| fields.has("v") && fields.has(MESSAGES);
        let is = |fields: &Object<'_>| has(fields) && (fields.has(NEXT) || fields.has("agentMode"));
        sample.fields.as_ref().is_some_and(is).then(|| Evidence::certain("`v`, `messages` and `nextMessageId`"))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        let Some(document) = options.forgive(Document::read(source, options.first_line, MESSAGES))? else {
            return Ok(document::opaque(source, options, Traits::default()));
        };
        let mut transcript = document.transcript(options.first_line, Traits::default());
        let mut tools = Tools::new();
        for (at, element) in document.elements.iter().enumerate() {
            let Some(fields) = element.object() else { continue };
            transcript.records[at].id = fields.get(ID).map(|id| Cow::Borrowed(id.raw()));
            if let Some(message) = message(source, &fields, &mut tools) {
                document::push(&mut transcript, at, message);
            }
        }
        synthetic::classify(&mut transcript.messages, &[]);
        Ok(transcript)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        let Ok(document) = Document::read(transcript.source, 1, MESSAGES) else { return Vec::new() };
        let stored = document.whole.object().and_then(|fields| fields.whole(NEXT));
        let mut next = stored.unwrap_or_else(|| ids(transcript).max().map_or(0, |id| id.saturating_add(1)));
        let keeps = |record: usize| script.keeps(record);
        let new = New::all(script, |insert| [new_message(transcript, insert, &keeps, &mut next)]);
        let mut inside = part_edits::of_kept(transcript, script);
        if stored.is_some_and(|stored| stored != next) {
            let next = next.to_string();
            inside.extend(document::set_field(transcript.source, document.whole, NEXT, &next, PatchKind::Relink));
        }
        document.patches(script, &new, inside)
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        let mut seen = HashSet::new();
        let whole = Document::read(transcript.source, 1, MESSAGES).ok().and_then(|document| document.whole.object());
        let next = whole.and_then(|fields| fields.whole(NEXT)).unwrap_or(u64::MAX);
        let mut faults = Vec::new();
        for (at, record) in transcript.records.iter().enumerate() {
            let Some(id) = record.id.as_deref() else { continue };
            let rules = [
                (!seen.insert(id), "duplicate_id"),
                (id.parse::<u64>().is_ok_and(|id| id >= next), "id_not_below_next"),
            ];
            let broken = rules.iter().filter(|(broken, _)| *broken);
            faults.extend(broken.map(|&(_, rule)| transcript.fault(at, rule, id)));
        }
        faults
    }

    fn mend(&self, transcript: &Transcript<'_>, faults: &[Fault], _: &mut EditScript) -> Vec<Patch> {
        let wrong = faults.iter().any(|fault| fault.rule == "id_not_below_next");
        let document = Document::read(transcript.source, 1, MESSAGES).ok().filter(|_| wrong);
        let next = ids(transcript).max().map_or(0, |id| id.saturating_add(1)).to_string();
        let set = |whole| document::set_field(transcript.source, whole, NEXT, &next, PatchKind::Relink);
        document.map(|document| set(document.whole)).unwrap_or_default()
    }
}

fn message<'a>(source: &'a [u8], fields: &Object<'a>, tools: &mut Tools<'a>) -> Option<Message<'a>> {
    let blocks = fields.array("content")?;
    let parts: Vec<_> = blocks.into_iter().map(|value| block_part(source, value, tools)).collect();
    let (role, author) = match &*fields.text("role")? {
        "user" => (Role::User, synthetic::user_author(&parts)),
        "assistant" => (Role::Assistant, Author::Model),
        _ => return None,
    };
    let usage = fields.object("usage");
    let stop = fields.object("state").and_then(|state| state.text("stopReason"));
    let sent = fields.object("meta").and_then(|meta| meta.get("sentAt")?.raw().parse().ok());
    Some(Message {
        role,
        author,
        parts,
        live: true,
        model: usage.as_ref().and_then(|usage| usage.text("model")),
        timestamp: sent.and_then(document::time_of_millis).map(Into::into),
        usage: usage.map(|usage| self::usage(&usage)),
        cut_off: stop.is_some_and(|stop| stop == "max_tokens"),
        ..Message::default()
    })
}

fn block_part<'a>(source: &'a [u8], value: Json<'a>, tools: &mut Tools<'a>) -> Part<'a> {
    let run = value.object().filter(|fields| fields.has("toolUseID"));
    let Some(fields) = run else { return block(source, value, tools) };
    let run = fields.object("run").unwrap_or_default();
    let id = fields.text("toolUseID").unwrap_or_default();
    let tool = tools.get(&id).cloned();
    let error = run.has("error") || run.is("status", "error");
    let (text, media, slot) = match content(&run) {
        Some(content) => openai::result(source, content),
        None => (Cow::default(), Vec::new(), fixed(source, value)),
    };
    let slot = Slot { part: value.span_in(source), ..slot };
    part(PartKind::Result { id, tool, error, pruned: synthetic::is_stub(&text), media }, text, slot)
}

/// The content of a run's result: the text in one of the usual fields, else the whole result, or the error message.
fn content<'a>(run: &Object<'a>) -> Option<Json<'a>> {
    let result = run.get("result").filter(|result| !result.is_null());
    let Some(result) = result else { return run.object("error").and_then(|error| error.get("message")) };
    let fields = result.object().unwrap_or_default();
    let words = ["content", "output", "diff"].iter().find_map(|key| fields.get(key));
    words.filter(|words| words.is_string() || words.raw().starts_with('[')).or(Some(result))
}

fn usage(usage: &Object<'_>) -> Usage {
    let number = |key: &str| Tokens(usage.whole(key).unwrap_or_default());
    Usage {
        input: number("inputTokens"),
        cache_read: number("cacheReadInputTokens"),
        cache_write: number("cacheCreationInputTokens"),
        output: number("outputTokens"),
    }
}

fn ids(transcript: &Transcript<'_>) -> impl Iterator<Item = u64> {
    transcript.records.iter().filter_map(|record| record.id.as_deref()?.parse().ok())
}

/// A new message. A summary takes the number of the dropped message right before it; otherwise the next number is used.
fn new_message(transcript: &Transcript<'_>, insert: &Insert, keeps: &dyn Fn(usize) -> bool, next: &mut u64) -> String {
    let gone = insert.before.checked_sub(1).filter(|before| !keeps(*before));
    let freed = gone.and_then(|gone| transcript.records.get(gone)?.id.as_deref()?.parse::<u64>().ok());
    let summary = matches!(insert.kind, InsertKind::Summary { .. });
    let id = freed.filter(|_| summary).unwrap_or_else(|| {
        let id = *next;
        *next = next.saturating_add(1);
        id
    });
    let text = insert.kind.text();
    format!(r#"{{"role":"user","{ID}":{id},"content":[{{"type":"text","text":{}}}]}}"#, quoted(text))
}

#[cfg(test)]
mod tests {
    use super::super::tests::support::{authors, continuation, edited, faults, read, stub_results, summary};
    use super::*;
    use crate::transcript::{Shape, SummaryRole};

    const SAMPLE: &str = include_str!("../../samples/amp/tide-gauge.json");

    #[test]
    fn a_thread_is_read_and_comes_back_as_it_was() {
        assert_eq!(edited(&Amp, SAMPLE, |_, _| {}), SAMPLE);
        let transcript = read(&Amp, SAMPLE);
        use Author::{Model, Person, Tool};
        assert_eq!(authors(&transcript)[..4], [Person, Model, Tool, Model]);
        let results: Vec<_> =
            transcript.messages[2].parts.iter().map(|part| (part.slot.shape, part.text.len() > 99)).collect();
        assert_eq!(results, [(Shape::Text, true), (Shape::Text, true)]);
        assert_eq!((faults(&Amp, SAMPLE), crate::check::faults(&transcript)), (vec![], vec![]));
    }

    #[test]
    fn numbers_stay_and_a_summary_takes_one_that_is_free() {
        let out = edited(&Amp, SAMPLE, |transcript, script| {
            let last = transcript.last_real_user().unwrap_or_default();
            (0..last).for_each(|at| script.keep[at] = false);
            script.inserts = vec![summary(last, SummaryRole::System, "it"), continuation(transcript.records.len())];
        });
        let transcript = read(&Amp, &out);
        use Author::{Continuation, Model, Person, Summary};
        assert_eq!(authors(&transcript), [Summary, Person, Model, Continuation]);
        let stored = read(&Amp, SAMPLE).records.len() as u64;
        assert_eq!(ids(&transcript).collect::<Vec<_>>(), [stored - 3, stored - 2, stored - 1, stored]);
        assert!(out.contains(&format!("\"nextMessageId\": {}", stored + 1)));
        assert_eq!(faults(&Amp, &out), []);
    }

    #[test]
    fn results_are_stubbed_where_their_words_stand() {
        let out = edited(&Amp, SAMPLE, stub_results);
        assert!(out.contains("\"content\": \"<stub />\"") && out.contains("\"output\": \"<stub />\""), "{out}");
        assert!(out.contains("\"diff\": \"<stub />\"") && out.contains("\"message\": \"<stub />\""));
        assert_eq!(faults(&Amp, &out), []);
    }

    #[test]
    fn numbers_are_unique_and_below_the_next() {
        let thread = |a: u64, b: u64| {
            let message =
                |id| format!(r#"{{"role":"user","messageId":{id},"content":[{{"type":"text","text":"u"}}]}}"#);
            format!(r#"{{"v":1,"messages":[{},{}],"nextMessageId":2}}"#, message(a), message(b))
        };
        assert_eq!(faults(&Amp, &thread(0, 1)), []);
        assert_eq!(faults(&Amp, &thread(1, 1)), [("duplicate_id", "1".to_owned())]);
        assert_eq!(faults(&Amp, &thread(0, 2)), [("id_not_below_next", "2".to_owned())]);
    }
}
