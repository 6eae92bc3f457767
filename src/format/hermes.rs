//! The format `hermes`: session files of Hermes Agent, one JSON document with OpenAI messages and `message_count`.
//!
//! Elements with the role `session_meta` are notes of the gateway: they are kept and not counted. Hermes puts its own
//! summaries into messages with a fixed opening (NousResearch/hermes-agent, `context_compressor.py`); it never puts a
//! system message among the others, so epitome's summary is a user message.

use super::detect::Evidence;
use super::openai::{self, Reader};
use super::shared::document::{self, Document};
use super::shared::harness_texts::is_hermes_summary;
use super::shared::json::Object;
use super::shared::new::New;
use super::shared::{part_edits, synthetic};
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{Class, EditScript, Patch, Traits, Transcript};

/// The field that holds the messages.
const MESSAGES: &str = "messages";
/// The field with the number of messages.
const COUNT: &str = "message_count";

/// The `hermes` format.
pub(super) struct Hermes;

impl Format for Hermes {
    fn name(&self) -> &'static str {
        "hermes"
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let is = |fields: &Object<'_>| ["session_id", "session_start", MESSAGES].iter().all(|key| fields.has(key));
        let why = "`session_id` and `session_start` with `messages`";
        sample.fields.as_ref().is_some_and(is).then(|| Evidence::certain(why))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        let traits = Traits::default();
        let Some(document) = options.forgive(Document::read(source, options.first_line, MESSAGES))? else {
            return Ok(document::opaque(source, options, traits));
        };
        let mut transcript = document.transcript(options.first_line, traits);
        let mut reader = Reader::new(source);
        for (at, element) in document.elements.iter().enumerate() {
            if let Some(message) = reader.read(*element, at) {
                transcript.records[at].class = Class::Message(message);
            }
        }
        transcript.messages = reader.finish();
        synthetic::name_summary(&mut transcript.messages, &|message| is_hermes_summary(&message.text()));
        Ok(transcript)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        let Ok(document) = Document::read(transcript.source, 1, MESSAGES) else { return Vec::new() };
        let new = New::all(script, |insert| openai::new_messages(&insert.kind.without_system(), false));
        let mut inside = part_edits::of_kept(transcript, script);
        let gone = transcript.messages.iter().filter(|message| !script.keeps(message.record)).count();
        inside.extend(document::recount(transcript.source, document.whole, COUNT, (gone, new.len())));
        document.patches(script, &new, inside)
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        let mut faults = openai::faults(transcript);
        faults.extend(document::miscounted(transcript, MESSAGES, COUNT));
        faults
    }

    fn mend(&self, transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) -> Vec<Patch> {
        openai::mend(transcript, faults, script);
        document::recounted(transcript, (faults, script), (MESSAGES, COUNT)).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::support::{authors, continuation, edited, faults, read, stub_results, summary};
    use super::*;
    use crate::transcript::{Author, PartKind, SummaryRole};

    const SAMPLE: &str = include_str!("../../samples/hermes/seed-bank.json");

    #[test]
    fn a_session_is_read_and_comes_back_as_it_was() {
        assert_eq!(edited(&Hermes, SAMPLE, |_, _| {}), SAMPLE);
        let transcript = read(&Hermes, SAMPLE);
        use Author::{Model, Person, Tool};
        assert_eq!(authors(&transcript)[..5], [Person, Model, Tool, Model, Tool]);
        assert_eq!(transcript.records.last().map(|record| record.class.clone()), Some(Class::Opaque), "session_meta");
        let kind = &transcript.messages[2].parts[0].kind;
        assert!(matches!(kind, PartKind::Result { tool: Some(tool), .. } if tool == "search_files"), "{kind:?}");
        assert_eq!((faults(&Hermes, SAMPLE), crate::check::faults(&transcript)), (vec![], vec![]));
    }

    #[test]
    fn the_head_goes_and_the_count_follows() {
        let out = edited(&Hermes, SAMPLE, |transcript, script| {
            let last = transcript.last_real_user().unwrap_or_default();
            (0..last).for_each(|at| script.keep[at] = false);
            script.inserts = vec![summary(last, SummaryRole::System, "it"), continuation(transcript.records.len())];
            stub_results(transcript, script);
        });
        use Author::{Continuation, Model, Person, Summary, Tool};
        assert_eq!(authors(&read(&Hermes, &out)), [Summary, Person, Model, Tool, Model, Continuation]);
        assert!(out.contains("\"message_count\": 6,") && !out.contains("\"system\""), "{out}");
        assert!(out.contains("\"content\": \"<stub />\"") && out.contains("\"role\": \"session_meta\""));
        assert_eq!(faults(&Hermes, &out), []);
    }

    #[test]
    fn a_summary_of_hermes_ends_what_is_sent() {
        let session = |text: &str| {
            format!(
                r#"{{"session_id":"s","session_start":"t","message_count":3,"messages":[{{"role":"user","content":"a"}},{{"role":"user","content":"{text}"}},{{"role":"assistant","content":"b"}}]}}"#
            )
        };
        let of = |text: &str| authors(&read(&Hermes, &session(text)))[1];
        assert_eq!(of("[CONTEXT COMPACTION — REFERENCE ONLY] so far"), Author::Summary);
        assert_eq!(of("[CONTEXT SUMMARY]: so far"), Author::Summary);
        assert_eq!(of(r"[CONTEXT SUMMARY]: so far\n--- END OF CONTEXT SUMMARY ---\nand now?"), Author::Person);
        let source = session("[CONTEXT SUMMARY]: so far");
        let live: Vec<_> = read(&Hermes, &source).messages.iter().map(|message| message.live).collect();
        assert_eq!(live, [false, true, true]);
    }

    #[test]
    fn a_wrong_count_is_a_fault() {
        let source = SAMPLE.replacen("\"message_count\": ", "\"message_count\": 9", 1);
        assert_eq!(faults(&Hermes, &source), [("message_count_off", String::new())]);
    }
}
