//! The format `ai-studio`: chats of Google AI Studio as it stores them on a user's Drive: one document with `chunks` in
//! `chunkedPrompt`, and the `systemInstruction` and `runSettings` beside it.
//!
//! A chunk is a role and one thing that was said: a text (of which `parts` are the pieces), a thought (`isThought`), code
//! that the model ran with what it printed, or a medium, mostly a reference to another file on the Drive. AI Studio
//! opens a file with any chunks of the two roles, so a new one has nothing but its text.

use super::detect::Evidence;
use super::shared::array::Members;
use super::shared::held::Holder;
use super::shared::json::{Json, Object, quoted};
use super::shared::new::New;
use super::shared::slot::{fixed, joined, part, string};
use super::shared::synthetic::{self, turns};
use super::shared::{document, part_edits, speakers};
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::reason::Reason;
use crate::transcript::{
    Author, Class, EditScript, Media, Message, Part, PartKind, Patch, PatchKind, Record, Role, Traits, Transcript,
};
use std::borrow::Cow;

/// The field with the chunks, and its own field that holds them.
const PROMPT: &str = "chunkedPrompt";
const CHUNKS: &str = "chunks";

/// How the chunks are stored.
const HELD: Holder =
    Holder { keys: &["chunkedPrompt.chunks"], system: instruction, is_message: |_| false, is_request, columns: true };

/// Fields of a chunk that hold a medium, or name a file that does.
const MEDIA: [(&str, Media); 9] = [
    ("driveImage", Media::Image),
    ("inlineImage", Media::Image),
    ("driveDocument", Media::Document),
    ("driveAudio", Media::Audio),
    ("driveVideo", Media::Other),
    ("youtubeVideo", Media::Other),
    ("inlineFile", Media::Other),
    ("inlineData", Media::Other),
    ("fileData", Media::Other),
];

/// The `ai-studio` format.
pub(super) struct AiStudio;

impl Format for AiStudio {
    fn name(&self) -> &'static str {
        "ai-studio"
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    fn layout_of(&self, sample: &Sample<'_>) -> Layout {
        HELD.layout(sample)
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        sample.most_rows(is_request).then(|| Evidence::certain("`chunkedPrompt` with `chunks`"))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        let traits = Traits { user_summary: true, ..Traits::default() };
        let mut transcript = HELD.read(source, (options, traits), &mut |is_system, value| match is_system {
            true => system(source, value),
            false => message(source, value),
        })?;
        // Nothing is trained on a chat, and nothing sets it going again but its user.
        transcript.traits.training_row = false;
        transcript.traits.never_resumed = true;
        synthetic::classify(&mut transcript.messages, &[]);
        let mut unread = transcript.records.iter().filter(|record| record.class == Class::Opaque);
        let held = unread.any(|record| unheard(source, record).is_some()).then_some(Reason::UnknownSpeaker);
        transcript.traits.fixed = transcript.traits.fixed.or(held);
        Ok(transcript)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        let new = New::all(script, |insert| turns(&insert.kind).into_iter().map(|(role, text)| chunk(role, text)));
        let places = HELD.places(transcript);
        let inside = places.kept(transcript, script).into_iter().flat_map(|index| inside(transcript, script, index));
        places.patches(transcript, script, (new, inside.collect()))
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        speakers::unknown(transcript, &|record| unheard(transcript.source, record))
    }
}

/// Whether a document holds a chat; its last chunk may be cut off in front of its role.
fn is_request(row: &Object<'_>) -> bool {
    let Some(chunks) = row.object(PROMPT).and_then(|prompt| prompt.array(CHUNKS)) else { return false };
    let objects: Vec<_> = chunks.iter().filter_map(|chunk| chunk.object()).collect();
    let roles = objects.iter().filter(|chunk| chunk.has("role")).count();
    let is_lone = objects.len() == 1 && objects.iter().any(holds_some);
    objects.len() == chunks.len() && (2 * roles >= chunks.len() || is_lone)
}

/// Whether a chunk has a field for what it says.
fn holds_some(chunk: &Object<'_>) -> bool {
    let keys = ["text", "parts", "executableCode", "codeExecutionResult"];
    keys.into_iter().chain(MEDIA.map(|(key, _)| key)).any(|key| chunk.get(key).is_some_and(Json::holds_something))
}

/// The role of a chunk that was not read though it says something.
fn unheard<'a>(source: &'a [u8], record: &Record<'_>) -> Option<Cow<'a, str>> {
    let chunk = Json::at(source, &record.span)?.object()?;
    chunk.text("role").filter(|_| holds_some(&chunk))
}

/// The system prompt of a chat, unless it is empty.
fn instruction<'a>(fields: &Object<'a>) -> Option<Json<'a>> {
    let says = |value: &Json<'_>| value.object().is_some_and(|fields| fields.has("text") || fields.has("parts"));
    fields.get("systemInstruction").filter(says)
}

fn system<'a>(source: &[u8], value: Json<'a>) -> Option<Message<'a>> {
    let said = said(source, &value.object()?)?;
    Some(Message { role: Role::System, author: Author::System, parts: vec![said], ..Message::default() })
}

fn message<'a>(source: &[u8], value: Json<'a>) -> Option<Message<'a>> {
    let fields = value.object()?;
    let role = match &*fields.text("role")? {
        "system" => Role::System,
        "user" => Role::User,
        "model" | "assistant" => Role::Assistant,
        _ => return None,
    };
    let mut parts: Vec<_> = said(source, &fields).into_iter().collect();
    if fields.is_true("isThought") {
        // AI Studio itself knows which thoughts it may send again.
        let thought = |it: Part<'a>| part(PartKind::Reasoning { signed: false }, it.text, fixed(source, value));
        parts = parts.into_iter().map(thought).collect();
    }
    parts.extend(ran(source, &fields));
    let media = MEDIA.iter().filter_map(|(key, medium)| Some((fields.get(key)?, *medium)));
    parts.extend(media.map(|(value, medium)| part(PartKind::Media(medium), Cow::default(), fixed(source, value))));
    let author = match role {
        Role::System => Author::System,
        Role::Assistant => Author::Model,
        _ => synthetic::user_author(&parts),
    };
    let timestamp = fields.text("createTime");
    Some(Message { role, author, parts, model: fields.text("model"), timestamp, ..Message::default() })
}

/// The text of a chunk or an instruction: its own, or else that of its parts.
fn said<'a>(source: &[u8], fields: &Object<'a>) -> Option<Part<'a>> {
    let text = fields.get("text").filter(|text| text.says());
    if let Some(text) = text {
        return Some(part(PartKind::Text, text.spelled(), string(source, text)));
    }
    let parts = fields.get("parts")?;
    let texts = parts.array()?.into_iter().filter_map(|part| part.object()?.text("text"));
    let text = joined(texts.filter(|text| !text.is_empty()).collect());
    (!text.is_empty()).then(|| part(PartKind::Text, text, fixed(source, parts)))
}

/// Code that the model ran, and what it printed, in the chunk itself or in its parts.
fn ran<'a>(source: &[u8], fields: &Object<'a>) -> Vec<Part<'a>> {
    let inside = fields.array("parts").unwrap_or_default().into_iter().filter_map(Json::object);
    let of = |fields: &Object<'a>| {
        let keys = [("executableCode", "code"), ("codeExecutionResult", "output")];
        keys.into_iter().filter_map(|(outer, inner)| fields.object(outer)?.get(inner)).collect::<Vec<_>>()
    };
    let mut found = of(fields);
    if found.is_empty() {
        found = inside.flat_map(|part| of(&part)).collect();
    }
    found.into_iter().map(|text| part(PartKind::Text, text.spelled(), fixed(source, text))).collect()
}

/// The patches inside a kept chunk: texts, and media that go with their field.
fn inside(transcript: &Transcript<'_>, script: &EditScript, index: usize) -> Vec<Patch> {
    let parts = &transcript.messages[index].parts;
    let edits = script.changes_of(index).iter().filter_map(|edit| Some((parts.get(edit.part)?, &edit.change)));
    let texts = edits.filter(|(part, _)| part.kind == PartKind::Text);
    let mut patches: Vec<_> = texts.filter_map(|(part, change)| part_edits::replacement(part, change)).collect();
    let gone = document::removed(transcript, script, index);
    let chunk = part_edits::json_of(transcript, index).filter(|_| !gone.is_empty());
    if let Some((value, fields)) = chunk.and_then(|value| Some((value, value.object()?))) {
        let stays = |at: usize| !gone.contains(&fields.fields()[at].1.span_in(transcript.source));
        patches.extend(Members::of_object(transcript.source, value, &fields).patches(stays, &[], PatchKind::Stub));
    }
    patches
}

/// The JSON of a new chunk.
fn chunk(role: Role, text: &str) -> String {
    let role = if role == Role::Assistant { "model" } else { "user" };
    format!(r#"{{"text":{},"role":"{role}"}}"#, quoted(text))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::tests::support::{authors, detected, edited, faults, read, summary};
    use super::*;
    use crate::transcript::{Change, PartEdit, SummaryRole};
    use Author::{Model, Person, System};

    const FORMAT: AiStudio = AiStudio;
    const SAMPLE: &str = include_str!("../../samples/ai-studio/chapel-bells.json");

    fn chat(chunks: &str) -> String {
        format!(r#"{{"runSettings":{{}},"systemInstruction":{{}},"chunkedPrompt":{{"chunks":[{chunks}]}}}}"#)
    }

    fn kinds(chunk: &str) -> Vec<(&'static str, String)> {
        let source = chat(chunk);
        let transcript = read(&FORMAT, &source);
        let parts = transcript.messages.iter().flat_map(|message| &message.parts);
        parts.map(|part| (part.kind.name(), part.text.to_string())).collect()
    }

    #[test]
    fn a_chat_is_read_and_comes_back_as_it_was() {
        assert_eq!((detected(SAMPLE), edited(&FORMAT, SAMPLE, |_, _| {})), (Ok("ai-studio"), SAMPLE.to_owned()));
        let transcript = read(&FORMAT, SAMPLE);
        let expected = [System, Person, Person, Model, Model, Person, Model, Model, Person, Model];
        assert_eq!(authors(&transcript), expected);
        assert!(transcript.messages[2].has_media());
        assert_eq!((faults(&FORMAT, SAMPLE), crate::check::faults(&transcript)), (vec![], vec![]));
    }

    #[test]
    fn what_a_chunk_holds_is_read() {
        let one = |kind, text: &str| vec![(kind, text.to_owned())];
        assert_eq!(kinds(r#"{"text":"x","role":"model","parts":[{"text":"x"}]}"#), one("text", "x"));
        assert_eq!(kinds(r#"{"text":"","role":"model","parts":[{"text":"x"},{"text":"y"}]}"#), one("text", "x\ny"));
        assert_eq!(kinds(r#"{"text":"w","role":"model","isThought":true}"#), one("reasoning", "w"));
        assert_eq!(kinds(r#"{"driveImage":{"id":"d"},"role":"user"}"#), one("media", ""));
        let ran =
            r#"{"role":"model","parts":[{"executableCode":{"code":"f()"}},{"codeExecutionResult":{"output":"r"}}]}"#;
        assert_eq!(kinds(ran), [("text", "f()".to_owned()), ("text", "r".to_owned())]);
    }

    #[test]
    fn the_head_becomes_a_users_chunk_laid_out_like_the_others() {
        let out = edited(&FORMAT, SAMPLE, |transcript, script| {
            let last = transcript.messages[transcript.last_real_user().unwrap()].record;
            script.keep[1..last].fill(false);
            script.inserts = vec![summary(last, SummaryRole::Auto, "it")];
        });
        use Author::Summary;
        assert_eq!(authors(&read(&FORMAT, &out)), [System, Summary, Person, Model]);
        assert!(out.contains("{\n        \"text\": \"<prior-conversation-summary>"), "{out}");
        assert!(out.contains("\"model\": \"models/gemini-2.5-pro\"") && out.contains("\"pendingInputs\""));
        assert_eq!((faults(&FORMAT, &out), detected(&out)), (vec![], Ok("ai-studio")));
    }

    #[test]
    fn a_medium_goes_with_its_field_and_a_text_stays_one() {
        let source = chat(r#"{"text":"u","driveImage":{"id":"d"},"role":"user"}"#);
        let change = |part: usize, change: Change| {
            edited(&FORMAT, &source, |_, script| {
                script.parts = vec![PartEdit { message: 0, part, change: change.clone() }];
            })
        };
        assert_eq!(change(1, Change::Remove), chat(r#"{"text":"u","role":"user"}"#));
        assert_eq!(change(1, Change::Stub("a bell".into())), source);
        assert_eq!(change(0, Change::Excerpt("v".into())), source.replace(r#""u""#, r#""v""#));
    }

    #[test]
    fn a_chunk_of_an_unknown_role_holds_the_chat() {
        let source = chat(
            r#"{"text":"u","role":"user"},{"text":"The quay is full.","role":"keeper"},{"text":"x","role":"model"}"#,
        );
        assert_eq!(read(&FORMAT, &source).traits.fixed, Some(Reason::UnknownSpeaker));
        assert_eq!(faults(&FORMAT, &source), [("unknown_speaker", "keeper".to_owned())]);
        let developer = source.replace("keeper", "developer");
        assert_eq!(faults(&FORMAT, &developer), [("unknown_speaker", "developer".to_owned())]);
    }

    #[test]
    fn roles_of_other_programs_are_read() {
        let source = chat(
            r#"{"text":"s","role":"system"},{"text":"u","role":"user"},{"text":"x","role":"assistant"},{"role":"developer"}"#,
        );
        let transcript = read(&FORMAT, &source);
        assert_eq!((authors(&transcript), transcript.traits.fixed), (vec![System, Person, Model], None));
    }

    #[test]
    fn a_chat_may_be_cut_off_in_its_last_chunk() {
        let of = |chunks: &str| detected(&chat(chunks));
        assert_eq!(of(r#"{"text":"u","role":"user"},{"text":"x"}"#), Ok("ai-studio"));
        assert_eq!((of(r#"{"text":"u"}"#), of("")), (Ok("ai-studio"), Ok("ai-studio")));
        assert!(
            [of(r#"{"text":"u"},{"text":"x"},{"text":"y"}"#), of(r#""a","b""#), of("{}")].iter().all(Result::is_err)
        );
    }
}
