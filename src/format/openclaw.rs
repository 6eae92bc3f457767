//! The format `openclaw`: sessions of OpenClaw, which are pi's with additional entries.
//!
//! A `leaf` entry selects the entry from which the session continues; entries appended aside select nothing.
//! Everything shared is in `pi`. Telemetry of the same program is not a conversation and is refused.

use super::detect::unsupported::{is_pi, is_pi_entry, is_pi_without_header};
use super::pi::Pi;
use super::shared::json::Object;
use super::{Evidence, Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{EditScript, Patch, Transcript};

/// The `openclaw` format.
pub(super) struct OpenClaw;

impl Format for OpenClaw {
    fn name(&self) -> &'static str {
        "openclaw"
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let is = (is_pi(sample) || is_pi_without_header(sample)) && sample.any(is_own);
        is.then(|| Evidence::certain("a session of pi's with entries of its own"))
    }

    fn is_record(&self, record: &Object<'_>) -> bool {
        is_pi_entry(record)
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        Pi.read(source, options)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>) -> Vec<Patch> {
        Pi.render(transcript, script, marks)
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        Pi.faults(transcript)
    }

    fn mend(&self, transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) -> Vec<Patch> {
        Pi.mend(transcript, faults, script)
    }
}

fn is_own(record: &Object<'_>) -> bool {
    let custom = record.text("customType").is_some_and(|kind| kind.starts_with("openclaw"));
    let message = record.object("message").is_some_and(|message| message.has("__openclaw"));
    custom || message || record.is("type", "leaf")
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::tests::support::{authors, continuation, edited, faults, read, summary};
    use super::*;
    use crate::transcript::{Author, Class, SummaryRole};

    const SAMPLE: &str = include_str!("../../samples/openclaw/quay-lamps.jsonl");

    #[test]
    fn a_leaf_selects_the_branch_that_is_loaded() {
        assert_eq!(edited(&OpenClaw, SAMPLE, |_, _| {}), SAMPLE);
        let transcript = read(&OpenClaw, SAMPLE);
        let gone: Vec<_> = transcript.messages.iter().filter(|message| message.abandoned).map(|it| it.text()).collect();
        assert_eq!(gone, ["Shall I switch them off meanwhile?"]);
        assert_eq!(transcript.messages.last().unwrap().text(), "I put a note into /srv/lamps/NOTES.md.");
        assert_eq!(faults(&OpenClaw, SAMPLE), []);
    }

    #[test]
    fn the_last_leaf_counts_and_what_is_appended_aside_does_not() {
        let entry = |id: &str, parent: &str, more: &str| {
            format!(
                r#"{{"type":"message","id":"{id}","parentId":{parent}{more},"message":{{"role":"user","content":"{id}"}}}}"#
            )
        };
        let header = r#"{"type":"session","version":3,"id":"s","cwd":"/"}"#;
        let live = |lines: &[&str]| {
            let source = lines.join("\n");
            let transcript = read(&OpenClaw, &source);
            let live =
                transcript.messages.iter().filter(|message| message.live).map(|message| message.text().into_owned());
            live.collect::<Vec<_>>().join(" ")
        };
        let (a, b) = (entry("a", "null", ""), entry("b", "\"a\"", ""));
        let leaf = |target: &str| format!(r#"{{"type":"leaf","id":"l","parentId":"b","targetId":{target}}}"#);
        assert_eq!(live(&[header, &a, &b]), "a b");
        assert_eq!(live(&[header, &a, &b, &leaf("\"a\"")]), "a");
        assert_eq!(live(&[header, &a, &b, &leaf("\"x\"")]), "a b", "a leaf of nothing is ignored");
        assert_eq!(live(&[header, &a, &b, &leaf("\"a\""), &entry("c", "\"l\"", "")]), "a c");
        assert_eq!(live(&[header, &a, &b, &entry("c", "\"a\"", r#","appendMode":"side""#)]), "a b");
    }

    #[test]
    fn a_compaction_goes_on_from_the_selected_leaf() {
        let out = edited(&OpenClaw, SAMPLE, |transcript, script| {
            let start = transcript.messages[transcript.last_real_user().unwrap()].record;
            for (at, record) in transcript.records.iter().enumerate() {
                script.keep[at] = match record.class {
                    Class::Abandoned => false,
                    Class::Session(_) | Class::Opaque => true,
                    _ => at >= start,
                };
            }
            script.inserts = vec![summary(start, SummaryRole::System, "it"), continuation(transcript.records.len())];
        });
        let again = read(&OpenClaw, &out);
        use Author::{Continuation, Model, Person, Summary};
        assert_eq!(authors(&again), [Person, Model, Summary, Continuation]);
        assert!(again.messages.iter().all(|message| message.live && !message.abandoned), "{out}");
        assert_eq!(faults(&OpenClaw, &out), []);
    }
}
