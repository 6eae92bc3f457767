//! The history that a replay builds: which messages are loaded, in which order, and what compactions count.

use super::event;
use crate::format::shared::json::Object;
use crate::transcript::{Author, Message, PartKind};
use std::collections::HashSet;

/// Tokens of user messages that a compaction keeps: in total, and of those for the oldest messages.
const KEPT: (u64, u64) = (20_000, 2_000);

/// One message of the history.
#[derive(Debug, Default)]
pub(super) struct Entry {
    /// Indices of the transcript's messages that it consists of.
    pub(super) messages: Vec<usize>,
    /// Whether it counts as a user message: a compaction keeps it word for word, and an undo counts it.
    from_user: bool,
    summary: bool,
    /// Whether it is a step without any content that is sent.
    vacuous: bool,
}

/// The state of the replay.
#[derive(Debug, Default)]
pub(super) struct History {
    pub(super) entries: Vec<Entry>,
    /// The open step: its id, and its index in `entries`.
    open: Option<(String, usize)>,
    /// Calls that wait for their results.
    pending: HashSet<String>,
    /// Messages appended while calls were waiting.
    deferred: Vec<Entry>,
    /// Messages of steps without content.
    dropped: Vec<usize>,
}

impl History {
    /// Begins a step, closing the one before.
    pub(super) fn begin(&mut self, uuid: &str) {
        self.settle();
        self.entries.push(Entry { vacuous: true, ..Entry::default() });
        self.open = Some((uuid.to_owned(), self.entries.len() - 1));
    }

    /// Ends the open step, if this end event closes it.
    pub(super) fn end(&mut self, reason: Option<&str>) {
        if event::closes(reason) {
            self.settle();
        }
    }

    fn settle(&mut self) {
        let Some((_, at)) = self.open.take() else { return };
        // The replay itself answers calls without results.
        self.entries.extend(self.pending.drain().map(|_| Entry::default()));
        if self.entries.get(at).is_some_and(|entry| entry.vacuous) {
            self.dropped.extend(self.entries.remove(at).messages);
        }
        self.entries.append(&mut self.deferred);
    }

    /// Adds a piece to the open step; returns false if it belongs to another step.
    pub(super) fn piece(&mut self, step: &str, index: usize, message: &Message<'_>) -> bool {
        let Some((_, at)) = self.open.as_ref().filter(|(uuid, _)| uuid == step) else { return false };
        let Some(entry) = self.entries.get_mut(*at) else { return false };
        entry.messages.push(index);
        let empty = |kind: &PartKind<'_>| matches!(kind, PartKind::Text | PartKind::Reasoning { signed: false });
        entry.vacuous &= message.parts.iter().all(|part| empty(&part.kind) && part.text.trim().is_empty());
        self.pending.extend(message.calls().map(str::to_owned));
        true
    }

    /// Adds the result of a waiting call.
    pub(super) fn answer(&mut self, index: usize, message: &Message<'_>) {
        if message.results().any(|id| self.pending.remove(id)) {
            self.entries.push(Entry { messages: vec![index], ..Entry::default() });
            if self.pending.is_empty() {
                self.entries.append(&mut self.deferred);
            }
        }
    }

    /// Adds a whole message, after results that are still missing.
    pub(super) fn append(&mut self, index: usize, message: &Message<'_>, fields: &Object<'_>) {
        let entry = Entry {
            messages: vec![index],
            from_user: event::is_kept_by_kimi(fields),
            summary: message.author == Author::Summary,
            vacuous: false,
        };
        if self.pending.is_empty() { self.entries.push(entry) } else { self.deferred.push(entry) }
    }

    /// Clears the history.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes back the last `count` user messages with everything after them, but not past a summary. Returns the
    /// removed messages.
    pub(super) fn undo(&mut self, count: u64) -> Vec<usize> {
        let from = self.entries.iter().rposition(|entry| entry.summary).map_or(0, |summary| summary + 1);
        let users = self.entries.iter().enumerate().skip(from).rev().filter(|(_, entry)| entry.from_user);
        let cut = usize::try_from(count).ok().and_then(|count| users.map(|(at, _)| at).nth(count.checked_sub(1)?));
        let Some(cut) = cut else { return Vec::new() };
        let gone: Vec<_> = self.entries.drain(cut..).chain(self.deferred.drain(..)).collect();
        (self.open, self.pending) = (None, HashSet::new());
        gone.into_iter().flat_map(|entry| entry.messages).collect()
    }

    /// Applies a compaction whose summary is the message with this index. Returns the first message kept after it, if
    /// it keeps the end of the history.
    pub(super) fn compact(&mut self, index: usize, fields: &Object<'_>, messages: &[Message<'_>]) -> Option<usize> {
        let number = |key: &str| fields.whole(key).and_then(|count| usize::try_from(count).ok());
        let from_end = fields.is_true("legacyTail") || !fields.has("keptUserMessageCount");
        let count = number("compactedCount").or_else(|| number("count")).unwrap_or_default().min(self.entries.len());
        let summary = Entry { messages: vec![index], summary: true, ..Entry::default() };
        let all = std::mem::take(self).entries;
        if from_end {
            let kept = all.into_iter().skip(count);
            self.entries = std::iter::once(summary).chain(kept).collect();
            return self.entries.iter().skip(1).flat_map(|entry| &entry.messages).min().copied();
        }
        let users: Vec<_> = all.into_iter().filter(|entry| entry.from_user && !entry.summary).collect();
        self.entries = selected(users, messages);
        self.entries.push(summary);
        None
    }

    /// The messages that are loaded.
    pub(super) fn loaded(&self) -> HashSet<usize> {
        let all = self.entries.iter().chain(&self.deferred).flat_map(|entry| &entry.messages);
        all.chain(&self.dropped).copied().collect()
    }

    /// Number of history entries before the one that holds this message.
    pub(super) fn before(&self, index: usize) -> usize {
        let holds = |entry: &Entry| entry.messages.iter().any(|message| *message >= index);
        let behind = self.entries.iter().skip(self.entries.first().map_or(0, |first| usize::from(first.summary)));
        let summary = self.entries.len() - behind.len();
        summary + behind.into_iter().position(holds).unwrap_or(self.entries.len() - summary)
    }
}

/// The user messages within the token budget: the newest, and a few of the oldest.
fn selected(users: Vec<Entry>, messages: &[Message<'_>]) -> Vec<Entry> {
    let size = |entry: &Entry| entry.messages.iter().filter_map(|at| messages.get(*at)).map(estimate).sum::<u64>();
    let sizes: Vec<u64> = users.iter().map(size).collect();
    if sizes.iter().sum::<u64>() <= KEPT.0 {
        return users;
    }
    // A message that the budget cuts off still counts.
    let reach = |sizes: &mut dyn Iterator<Item = &u64>, room: u64| {
        let mut used = 0;
        let fits = |size: &&u64| {
            let begun = used < room;
            used += **size;
            begun
        };
        sizes.take_while(fits).count()
    };
    let newest = users.len() - reach(&mut sizes.iter().rev(), KEPT.0 - KEPT.1);
    let oldest = reach(&mut sizes.iter(), KEPT.1);
    let stays = |at: usize| at < oldest || at >= newest;
    users.into_iter().enumerate().filter(|(at, _)| stays(*at)).map(|(_, entry)| entry).collect()
}

/// Kimi's estimate of a message's tokens.
fn estimate(message: &Message<'_>) -> u64 {
    let text = message.text();
    let ascii = text.chars().filter(char::is_ascii).count();
    (ascii.div_ceil(4) + text.chars().count() - ascii) as u64
}
