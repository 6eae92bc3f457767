//! Validity rules of a session (FORMATS §18). The pairing of calls and results is not among them: `check` does that for
//! all formats.

use super::ids::Ids;
use crate::format::Fault;
use crate::format::shared::links::cycles;
use crate::format::shared::session_lines::fields;
use crate::transcript::{Author, Class, Message, Record, Transcript};
use foldhash::HashSet;
use jiff::Timestamp;

/// Returns the faults of a session.
pub(super) fn faults(transcript: &Transcript<'_>) -> Vec<Fault> {
    let ids = Ids::of(transcript);
    let mut faults = if ids.are_unique() { Vec::new() } else { repeated_ids(transcript) };
    faults.extend(dangling_parents(transcript, &ids));
    faults.extend(dangling_leaves(transcript, &ids));
    faults.extend(summaries_without_boundary(transcript, &ids));
    faults.extend(cycles(transcript, |record| ids.parent(transcript, record)));
    faults.extend(times_going_back(transcript, &ids));
    faults.extend(other_roles(transcript));
    faults
}

fn fault(record: &Record<'_>, rule: &'static str, subject: &str) -> Fault {
    Fault::new(record.line, rule, subject)
}

fn repeated_ids(transcript: &Transcript<'_>) -> Vec<Fault> {
    let mut seen = HashSet::default();
    let with_id = transcript.records.iter().filter_map(|record| Some((record, record.id.as_deref()?)));
    let repeated = with_id.filter(|(_, id)| !seen.insert(*id));
    repeated.map(|(record, id)| fault(record, "duplicate_uuid", id)).collect()
}

fn dangling_parents(transcript: &Transcript<'_>, ids: &Ids<'_>) -> Vec<Fault> {
    let records = transcript.records.iter().enumerate();
    let linked = records.filter(|(at, record)| record.parent.is_some() && ids.parent(transcript, *at).is_none());
    linked.map(|(_, record)| fault(record, "dangling_parent", record.id.as_deref().unwrap_or_default())).collect()
}

/// Titles, prompts and snapshots that refer to a missing record.
fn dangling_leaves(transcript: &Transcript<'_>, ids: &Ids<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    for record in transcript.records.iter().filter(|record| record.id.is_none() && record.class != Class::Opaque) {
        let fields = fields(transcript, record);
        for (key, rule) in [("leafUuid", "dangling_leaf"), ("messageId", "dangling_snapshot")] {
            if let Some(id) = fields.text(key).filter(|id| ids.get(id).is_none()) {
                faults.push(fault(record, rule, &id));
            }
        }
    }
    faults
}

fn summaries_without_boundary(transcript: &Transcript<'_>, ids: &Ids<'_>) -> Vec<Fault> {
    let summaries = transcript.messages.iter().filter(|message| message.author == Author::Summary);
    let records = summaries.map(|message| &transcript.records[message.record]);
    let follows_boundary = |record: &&Record<'_>| {
        let parent = record.parent.as_ref().and_then(|id| ids.get(id));
        parent.is_some_and(|parent| transcript.records[parent].class == Class::Boundary)
    };
    let lost = records.filter(|record| !follows_boundary(record));
    lost.map(|record| fault(record, "summary_without_boundary", record.id.as_deref().unwrap_or_default())).collect()
}

/// How many seconds older than its parent a message may be: results of parallel calls, pieces of answers and what was
/// typed meanwhile are not written in the order of their times.
const LEEWAY: i64 = 4;

/// The newest time so far. Timestamps that parse are compared as times, others as texts; a time and such a text have no
/// order.
#[derive(Clone, Copy, Default)]
struct Newest<'t> {
    time: Option<Timestamp>,
    text: &'t str,
}

impl<'t> Newest<'t> {
    /// Whether a message of this time goes back; if not, its time is the newest.
    fn goes_back(&mut self, text: &'t str) -> bool {
        let Ok(time) = text.parse::<Timestamp>() else {
            let back = text < self.text;
            self.text = if back { self.text } else { text };
            return back;
        };
        let back = self.time.is_some_and(|newest| newest.as_second() - time.as_second() > LEEWAY);
        self.time = if back { self.time } else { self.time.max(Some(time)) };
        back
    }
}

/// Faults for messages that are older than those that their links lead to, or than one before, if they have no link.
/// Commands of the harness have the time at which they were typed, before the compaction behind which they stand.
fn times_going_back(transcript: &Transcript<'_>, ids: &Ids<'_>) -> Vec<Fault> {
    let mut times = vec![None; transcript.records.len()];
    let timed = transcript.messages.iter().filter(|message| !is_of_command(message));
    timed.for_each(|message| times[message.record] = message.timestamp.as_deref());
    let mut along: Vec<Newest<'_>> = Vec::with_capacity(times.len());
    let mut all = Newest::default();
    let mut faults = Vec::new();
    for (at, (record, time)) in transcript.records.iter().zip(times).enumerate() {
        let parent = ids.parent(transcript, at).and_then(|parent| along.get(parent));
        let mut newest = parent.copied().unwrap_or(all);
        if let Some(time) = time {
            if !newest.goes_back(time) {
                all.goes_back(time);
            } else if !is_queued(transcript, record) {
                faults.push(fault(record, "time_goes_back", record.id.as_deref().unwrap_or_default()));
            }
        }
        along.push(newest);
    }
    faults
}

/// Whether a record has words that were typed while the agent worked, of which it has the time.
fn is_queued(transcript: &Transcript<'_>, record: &Record<'_>) -> bool {
    let fields = fields(transcript, record);
    let kind = || fields.object("attachment")?.text("type");
    match fields.text("type").as_deref() {
        Some("attachment") => kind().is_some_and(|kind| kind == "queued_command"),
        kind => kind == Some("queue-operation"),
    }
}

/// Whether a message is a command that the harness ran by itself, or what it printed.
fn is_of_command(message: &Message<'_>) -> bool {
    let starts = ["<local-command-", "<command-", "<bash-"];
    message.author == Author::Harness && starts.iter().any(|start| message.text().trim_start().starts_with(start))
}

/// Faults for messages whose role, which a model is sent, is not the type of their record, which a reader goes by.
fn other_roles(transcript: &Transcript<'_>) -> Vec<Fault> {
    let other = transcript.messages.iter().filter(|message| message.other_role);
    let records = other.map(|message| &transcript.records[message.record]);
    records.map(|record| fault(record, "other_role", record.id.as_deref().unwrap_or_default())).collect()
}

#[cfg(test)]
mod tests {
    use super::super::ClaudeCode;
    use super::*;
    use crate::format::tests::support::faults;
    use crate::transcript::sketch::sketch;

    fn back(times: [&'static str; 3], edit: impl Fn(&mut Transcript<'_>)) -> Vec<usize> {
        let mut transcript = sketch("u a u");
        let messages = transcript.messages.iter_mut().zip(times);
        messages.for_each(|(message, time)| message.timestamp = Some(time.into()));
        edit(&mut transcript);
        let ids = Ids::of(&transcript);
        times_going_back(&transcript, &ids).iter().map(|fault| fault.line).collect()
    }

    const NOON: &str = "2026-01-01T12:00:00Z";
    const LATER: &str = "2026-01-01T12:00:09.5+00:00";
    const EARLIER: &str = "2026-01-01T13:30:00+02:00";

    #[test]
    fn times_of_other_zones_are_compared_as_times() {
        let back = |times| back(times, |_| {});
        assert_eq!(back([NOON, LATER, NOON]), [3]);
        assert!(back([EARLIER, NOON, LATER]).is_empty(), "as texts, each would be older than the first");
        assert_eq!(back([NOON, "n/a", EARLIER]), [3], "what is no time is not newer than all");
        assert_eq!(back(["turn 1", "turn 3", "turn 2"]), [3]);
    }

    #[test]
    fn a_message_is_as_old_as_its_links_say() {
        let linked = |parent: &'static str| {
            move |transcript: &mut Transcript<'_>| {
                let ids = transcript.records.iter_mut().zip(["a", "b", "c"]);
                ids.for_each(|(record, id)| record.id = Some(id.into()));
                transcript.records[1].parent = Some("a".into());
                transcript.records[2].parent = Some(parent.into());
            }
        };
        assert_eq!(back([NOON, LATER, NOON], linked("b")), [3]);
        assert!(back([NOON, LATER, NOON], linked("a")).is_empty(), "a result of a parallel call");
        assert!(back([NOON, "2026-01-01T12:00:04Z", NOON], linked("b")).is_empty());
        let typed = |transcript: &mut Transcript<'_>| {
            transcript.messages[2].parts[0].text = "<command-name>/compact</command-name>".into();
            transcript.messages[2].author = Author::Harness;
        };
        assert!(back([NOON, LATER, EARLIER], typed).is_empty(), "a command was typed before it was carried out");
    }

    #[test]
    fn words_that_waited_have_the_time_at_which_they_were_typed() {
        let record = |kind: &str, id: &str, second: u8, said: &str| {
            format!(
                r#"{{"type":"{kind}","uuid":"{id}","sessionId":"s","timestamp":"2026-01-01T00:00:{second}Z",{said}}}"#
            )
        };
        let said = |role: &str| format!(r#""message":{{"role":"{role}","content":"The lamp."}}"#);
        let begin = [record("user", "a", 10, &said("user")), record("assistant", "b", 40, &said("assistant"))];
        let rules = |last: String| {
            let found = faults(&ClaudeCode, &[&begin[..], &[last]].concat().join("\n"));
            found.into_iter().map(|fault| fault.0).collect::<Vec<_>>()
        };
        let queued = r#""attachment":{"type":"queued_command","prompt":"And the horn?"}"#;
        assert!(rules(record("attachment", "c", 20, queued)).is_empty());
        assert_eq!(rules(record("user", "c", 20, &said("user"))), ["time_goes_back"]);
    }
}
