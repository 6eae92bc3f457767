//! What the model would be sent: events that no condensation has forgotten, and the summaries still in force.

use super::event;
use crate::format::shared::json::{Json, Object};
use crate::transcript::{Author, Class, Record, Transcript};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The events that a condensation removes from the view.
#[derive(Debug, Default)]
pub(super) struct Forgotten<'a> {
    ids: HashSet<Cow<'a, str>>,
    range: Option<(u64, u64)>,
}

impl<'a> Forgotten<'a> {
    /// Reads the fields that name them: a list of ids, or the first and last id of a range.
    pub(super) fn read(fields: &Object<'a>) -> Self {
        let ids = fields.array("forgotten_event_ids").unwrap_or_default().into_iter();
        Self {
            ids: ids.map(Json::spelled).collect(),
            range: fields.whole("forgotten_events_start_id").zip(fields.whole("forgotten_events_end_id")),
        }
    }
}

/// A condensation.
pub(super) struct Condensation<'a> {
    /// Its record.
    pub(super) record: usize,
    /// The events that it removes.
    pub(super) forgotten: Forgotten<'a>,
    /// It is the SDK's (V1), where each condensation counts by itself and can be forgotten; in V0 only the newest
    /// summary counts.
    pub(super) is_v1: bool,
}

/// Whether a condensation puts its summary into the view: for that it must also state the place.
pub(super) fn has_summary(fields: &Object<'_>) -> bool {
    fields.get("summary").is_some_and(Json::is_string) && event::id(fields, "summary_offset").is_some()
}

/// Marks live messages and stale usage (from before the newest condensation), and sets from where the history is kept.
pub(super) fn resolve(transcript: &mut Transcript<'_>, condensations: &[Condensation<'_>]) {
    let on_path = condensations.iter().filter(|it| transcript.records[it.record].class != Class::Abandoned);
    let on_path: Vec<_> = on_path.collect();
    let Some(newest) = on_path.last().map(|it| it.record) else { return };
    let index = Index::of(&on_path);
    let is_forgotten = |record: &Record<'_>| record.id.as_deref().is_some_and(|id| index.last(id).is_some());
    let forgotten = with_pairs(transcript, transcript.records.iter().map(is_forgotten).collect());
    let standing = standing_summaries(transcript, &on_path, &index);
    for message in transcript.messages.iter_mut().filter(|message| !message.abandoned) {
        message.live = match message.author {
            Author::Summary => standing.contains(&message.record),
            Author::System => true,
            _ => !forgotten[message.record],
        };
        message.stale_usage = message.record < newest;
    }
    let last = forgotten.iter().take(newest).rposition(|forgotten| *forgotten);
    let is_kept = |record: usize| last.is_none_or(|last| record > last) && record < newest;
    let kept = transcript.messages.iter().find(|message| {
        message.live && is_kept(message.record) && !matches!(message.author, Author::System | Author::Summary)
    });
    transcript.traits.kept_from = Some(kept.map_or(newest, |message| message.record));
}

/// Forgotten records, each with the other half of its pair: the harness sends the model no observation without its
/// call, and no call without its observation.
fn with_pairs(transcript: &Transcript<'_>, mut forgotten: Vec<bool>) -> Vec<bool> {
    let mut calls: HashMap<&str, usize> = HashMap::new();
    let mut pairs = Vec::new();
    for message in &transcript.messages {
        calls.extend(message.calls().map(|id| (id, message.record)));
        pairs.extend(message.results().filter_map(|id| Some((*calls.get(id)?, message.record))));
    }
    // First a call is forgotten with its observation, then other observations with the call.
    pairs.iter().for_each(|&(call, result)| forgotten[call] |= forgotten[result]);
    pairs.iter().for_each(|&(call, result)| forgotten[result] |= forgotten[call]);
    forgotten
}

/// Which condensation forgets which event.
struct Index<'c> {
    /// For each event id, the last condensation that names it.
    ids: HashMap<&'c str, usize>,
    /// First and last ids of ranges.
    ranges: Vec<(u64, u64)>,
}

impl<'c> Index<'c> {
    fn of(condensations: &[&'c Condensation<'_>]) -> Self {
        let all = condensations.iter().enumerate();
        let ids = all.flat_map(|(at, it)| it.forgotten.ids.iter().map(move |id| (&**id, at))).collect();
        Self { ids, ranges: condensations.iter().filter_map(|it| it.forgotten.range).collect() }
    }

    /// The last condensation that forgets an event. For ranges that is not recorded, so the first is assumed.
    fn last(&self, id: &str) -> Option<usize> {
        let in_range = |number: u64| self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&number));
        let known = self.ids.get(id).copied();
        known.or_else(|| id.parse().is_ok_and(in_range).then_some(0))
    }
}

/// The records whose summaries are in the view: in V1 those that no later condensation forgets, in V0 the newest.
fn standing_summaries(transcript: &Transcript<'_>, all: &[&Condensation<'_>], index: &Index<'_>) -> HashSet<usize> {
    let has_message = |it: &Condensation<'_>| matches!(transcript.records[it.record].class, Class::Message(_));
    let newest = all.iter().rposition(|it| has_message(it));
    let forgotten_later = |at: usize, record: usize| {
        let id = transcript.records[record].id.as_deref().map(|id| format!("{id}-summary"));
        id.and_then(|id| index.last(&id)).is_some_and(|by| by > at)
    };
    let stands =
        |at: usize, it: &Condensation<'_>| if it.is_v1 { !forgotten_later(at, it.record) } else { Some(at) == newest };
    let with_summary = all.iter().enumerate().filter(|(_, it)| has_message(it));
    with_summary.filter(|(at, it)| stands(*at, it)).map(|(_, it)| it.record).collect()
}
