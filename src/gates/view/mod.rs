//! Input of the gates: which messages of the original are kept, and the text of the new summary.

mod acted;
pub(super) mod carried;
pub(super) mod kept;
pub(super) mod lone_failures;
pub(super) mod matching;
mod other_tool;
mod pruned;
mod stated;
mod stubs;
mod unescaped;
mod unwrapped;

use super::Spot;
use crate::facts::readable_text;
use crate::measure::SourceText;
use crate::measure::unrelated::Shares;
use crate::secrets::{Known, redact};
use crate::summary::{Deed, unwrap, without_marks, wrap};
use crate::transcript::fixed_texts::PREFACES;
use crate::transcript::{Author, Fault, Message, Part, PartKind, Role, Tokens, Transcript};
use carried::{carried, parted};
use lone_failures::deeds_of;
use matching::{Kept, is_loaded, match_up};
use std::borrow::Cow;
use std::sync::OnceLock;
pub use stubs::Stubs;
use unescaped::unescaped;
use unwrapped::unwrapped;

/// One side of a pair.
pub struct Side<'s> {
    /// The transcript, with its tokens counted.
    pub transcript: &'s Transcript<'s>,
    /// All its faults.
    pub faults: &'s [Fault],
}

impl Side<'_> {
    /// Tokens that the harness would load.
    pub fn live(&self) -> Tokens {
        let loaded = self.transcript.messages.iter().filter(|message| is_loaded(self.transcript, message));
        loaded.map(Message::tokens).sum()
    }
}

/// A new summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SummaryText {
    /// Line of the file with the summary.
    pub line: usize,
    /// Text without our wrapper, and without marks of the lines' origins.
    pub text: String,
    /// The summary has our wrapper.
    pub ours: bool,
    /// Text with wrapper and marks, without the harness's words before it.
    pub whole: String,
    /// Text after our wrapper in the same message: messages that are carried word for word.
    pub behind: String,
}

impl SummaryText {
    /// A copy with secrets in its text replaced.
    pub(super) fn without_secrets(&self) -> Self {
        Self { text: redact(&self.text).0.into_owned(), ..self.clone() }
    }
}

/// A compacted transcript, with its original if there is one.
pub struct View<'v> {
    /// The original.
    pub original: Option<Side<'v>>,
    /// The compacted transcript.
    pub compacted: Side<'v>,
    /// The new summaries; usually one.
    pub summary: Vec<SummaryText>,
    /// How the messages of both sides correspond.
    pub(super) kept: Kept,
    /// Index for lookups in the original.
    pub(super) source: Option<SourceText<'v>>,
    /// Index of each message of `source` in the original.
    told: Vec<usize>,
    /// The passwords that the original states.
    passwords: OnceLock<Known>,
    /// What calls of the original did.
    deeds: OnceLock<Vec<Deed>>,
    /// For each summary, how much of its statements is in one place of the original.
    shares: OnceLock<Vec<Shares>>,
}

/// What a compacted transcript is compared with.
#[derive(Clone, Copy)]
pub(super) struct Pair<'p> {
    pub(super) original: &'p Side<'p>,
    /// Index for lookups in the original.
    pub(super) source: &'p SourceText<'p>,
}

impl<'v> View<'v> {
    /// The original and its index; `None`: there is no original.
    pub(super) fn pair(&self) -> Option<Pair<'_>> {
        Some(Pair { original: self.original.as_ref()?, source: self.source.as_ref()? })
    }

    /// Builds the view of a pair, or of a compacted transcript alone; `stubs` are the texts that may replace pruned
    /// results.
    pub fn new(original: Option<Side<'v>>, compacted: Side<'v>, stubs: &Stubs) -> Self {
        let before = original.as_ref().map(|side| &*side.transcript.messages).unwrap_or_default();
        let kept = match_up(original.as_ref().map(|side| side.transcript), compacted.transcript, stubs);
        let told: Vec<usize> = (0..before.len()).filter(|&at| !before[at].abandoned).collect();
        let messages: Vec<&Message<'_>> = told.iter().map(|&at| &before[at]).collect();
        let source = original.as_ref().map(|_| SourceText::new(&messages));
        let (summary, passwords) = (Vec::new(), OnceLock::new());
        let (deeds, shares) = (OnceLock::new(), OnceLock::new());
        let mut view = Self { original, compacted, summary, kept, source, told, passwords, deeds, shares };
        view.summary = view.texts();
        view.take_carried();
        view
    }

    /// Counts messages carried after a summary as kept, and adds the other text there to the summary.
    fn take_carried(&mut self) {
        let Some(original) = &self.original else { return };
        let messages = &original.transcript.messages;
        for summary in self.summary.iter_mut().filter(|summary| !summary.behind.is_empty()) {
            let found = carried(&summary.behind, self.told.iter().map(|&at| (at, &messages[at])));
            self.kept.originals.extend(&found.messages);
            self.kept.carried.extend(found.messages);
            if !found.others.is_empty() {
                summary.text = format!("{}\n{}", summary.text, found.others);
            }
        }
    }

    /// Whether both sides are equal byte for byte.
    pub fn unchanged(&self) -> bool {
        self.original.as_ref().is_some_and(|side| side.transcript.source == self.compacted.transcript.source)
    }

    fn texts(&self) -> Vec<SummaryText> {
        let messages = &self.compacted.transcript.messages;
        let texts = self.kept.summaries.iter().filter_map(|&at| {
            let message = messages.get(at)?;
            let said = message.text();
            let said = self.without_known_start(message, &said);
            let (said, behind) = parted(said);
            let inner = unwrap(said);
            let text = inner.clone().unwrap_or_else(|| said.to_owned());
            let line = self.spot_of(at).line;
            let whole = inner.as_deref().map_or_else(|| said.to_owned(), wrap);
            let text = if inner.is_some() { text } else { without_preface(&text).to_owned() };
            let (text, ours) = (without_pointer(without_marks(&text)), inner.is_some());
            let text = if ours { text } else { unwrapped(&text) };
            let escaped = !ours && self.source.as_ref().is_none_or(|source| !source.has(r"\_"));
            let text = if escaped { unescaped(&text) } else { text };
            Some(SummaryText { line, text, whole, ours, behind: behind.to_owned() })
        });
        texts.collect()
    }

    /// The text of a summary that was appended to a system prompt, without the prompt.
    fn without_known_start<'t>(&self, message: &Message<'_>, text: &'t str) -> &'t str {
        let before = self.original.as_ref().map(|side| &*side.transcript.messages).unwrap_or_default();
        let prompts = before.iter().filter(|other| message.role == Role::System && other.role == Role::System);
        let longest = prompts.filter_map(|other| text.strip_prefix(&*other.text()).map(str::trim_start));
        longest.min_by_key(|rest| rest.len()).unwrap_or(text)
    }

    /// Place of a message of the compacted transcript in its file.
    pub(super) fn spot_of(&self, message: usize) -> Spot {
        Spot::of(self.compacted.transcript, message).unwrap_or_else(|| 1.into())
    }

    /// Place of a message of the original in its file.
    pub(super) fn original_spot(&self, message: usize) -> Option<Spot> {
        Spot::of(self.original.as_ref()?.transcript, message)
    }

    /// The line that findings about the summary point to.
    pub fn summary_line(&self) -> usize {
        self.summary.first().map_or_else(|| self.first_line(), |summary| summary.line)
    }

    /// The first line of the transcript in its file.
    pub fn first_line(&self) -> usize {
        self.compacted.transcript.records.first().map_or(1, |record| record.line)
    }

    /// The passwords that the original states.
    pub(super) fn passwords(&self) -> &Known {
        self.passwords.get_or_init(|| {
            let messages = || self.source.iter().flat_map(|source| source.messages()).enumerate();
            let parts = || messages().flat_map(|(at, message)| message.parts.iter().map(move |part| (at, part)));
            let is_call = |part: &Part<'_>| matches!(part.kind, PartKind::Call { .. });
            Known::of(
                parts().map(|(at, part)| (at, &*part.text)),
                parts().map(|(at, part)| (at, &*part.text, is_call(part))),
            )
        })
    }

    /// Whether a new summary is encrypted (Codex): it has no words.
    pub(super) fn is_sealed(&self) -> bool {
        let mut summaries = self.kept.summaries.iter().filter_map(|&at| self.compacted.transcript.messages.get(at));
        let has_none = |message: &Message<'_>| message.text().trim().is_empty();
        let is_opaque = |message: &Message<'_>| message.parts.iter().any(|part| part.kind == PartKind::Opaque);
        summaries.any(|message| has_none(message) && is_opaque(message))
    }

    /// All lines of the new summary.
    pub fn summary_lines(&self) -> Vec<&str> {
        self.summary.iter().flat_map(|summary| summary.text.lines()).collect()
    }

    /// Leading instructions of the original that are not there word for word, not even followed by a summary.
    pub(super) fn lost_prompts(&self) -> Vec<&Message<'v>> {
        let Some(original) = &self.original else { return Vec::new() };
        let messages = &self.compacted.transcript.messages;
        let stays = |prompt: &str| {
            messages.iter().any(|message| message.role == Role::System && message.text().contains(prompt.trim()))
        };
        let leading = original.transcript.preamble().into_iter().filter(|at| !self.kept.originals.contains(at));
        let leading = leading.map(|at| &original.transcript.messages[at]);
        leading
            .filter(|message| is_loaded(original.transcript, message))
            .filter(|message| message.role == Role::System && !stays(&message.text()))
            .collect()
    }

    /// What the calls of `source` did, with the indices of their messages there.
    pub(super) fn deeds(&self) -> &[Deed] {
        let all = || self.source.as_ref().map(|source| deeds_of(source.messages())).unwrap_or_default();
        self.deeds.get_or_init(all)
    }

    /// For each summary, how much of its statements is in one place of the original; nothing without an original.
    pub(super) fn shares(&self) -> &[Shares] {
        let of = |source: &SourceText<'v>| self.summary.iter().map(|own| Shares::of(&own.text, source)).collect();
        self.shares.get_or_init(|| self.source.as_ref().map(of).unwrap_or_default())
    }

    /// What the calls of the messages did that the original still loads, with the indices of these among the loaded.
    pub(super) fn loaded_deeds(&self) -> Cow<'_, [Deed]> {
        let all = self.source.as_ref().map(SourceText::messages).unwrap_or_default();
        match all.iter().all(|message| message.live) {
            true => Cow::Borrowed(self.deeds()),
            false => Cow::Owned(deeds_of(&self.loaded())),
        }
    }

    /// Whether a message, by its index in `source`, is still loaded.
    pub(super) fn is_kept(&self, told: usize) -> bool {
        self.told.get(told).is_some_and(|original| self.kept.originals.contains(original))
    }

    /// The messages of the source that the original still loads: what an earlier compaction dropped can't be lost
    /// again.
    pub(super) fn loaded(&self) -> Vec<&Message<'v>> {
        let Some(source) = &self.source else { return Vec::new() };
        source.messages().iter().copied().filter(|message| message.live).collect()
    }

    /// Indices of these messages in the original.
    pub(super) fn loaded_places(&self) -> Vec<usize> {
        let Some(source) = &self.source else { return Vec::new() };
        let places = self.told.iter().zip(source.messages()).filter(|(_, message)| message.live);
        places.map(|(at, _)| *at).collect()
    }

    /// The loaded messages of the compacted transcript.
    pub(super) fn left_loaded(&self) -> Vec<&Message<'v>> {
        let transcript = self.compacted.transcript;
        transcript.messages.iter().filter(|message| is_loaded(transcript, message)).collect()
    }

    /// Texts that are left in the compacted transcript: its summary, and loaded text, calls and results; no reasoning.
    pub fn left<'s>(&'s self) -> Vec<Cow<'s, str>> {
        let live = self.left_loaded().into_iter().filter(|message| message.author != Author::Summary);
        let texts = live.flat_map(left_texts);
        let summary = |summary: &'s SummaryText| [summary.text.as_str(), &summary.behind].map(Cow::Borrowed);
        texts.chain(self.summary.iter().flat_map(summary)).collect()
    }

    /// The place in the compacted file of a text that is left: the line of the summary, or the first message with it.
    pub(super) fn left_at(&self, text: &str) -> Spot {
        let in_summary = self.summary.iter().find(|own| own.text.contains(text) || own.behind.contains(text));
        let transcript = self.compacted.transcript;
        let says = |message: &Message<'_>| left_texts(message).any(|left| left.contains(text));
        let at = || transcript.messages.iter().position(|message| is_loaded(transcript, message) && says(message));
        let place = in_summary.map(|own| own.line.into()).or_else(|| at().map(|at| self.spot_of(at)));
        place.unwrap_or_else(|| self.summary_line().into())
    }
}

/// The text, calls and results of a message; no reasoning.
fn left_texts<'m>(message: &'m Message<'_>) -> impl Iterator<Item = Cow<'m, str>> {
    message.parts.iter().filter_map(|part| match part.kind {
        PartKind::Reasoning { .. } | PartKind::Opaque => None,
        // Stored arguments escape what they hold: `C:\\x` is `C:\x`.
        _ => Some(readable_text(part)),
    })
}

/// A summary without the words that harnesses put before it on the same line; they tell nothing of the conversation.
fn without_preface(text: &str) -> &str {
    PREFACES.iter().find_map(|preface| text.trim_start().strip_prefix(preface)).unwrap_or(text)
}

/// Text after a summary of Claude Code before the path of the whole transcript; no claim.
const POINTER: &str = "read the full transcript at: ";

/// The text with such lines blanked.
fn without_pointer(text: String) -> String {
    if !text.contains(POINTER) {
        return text;
    }
    let points = |line: &str| line.split_once(POINTER).is_some_and(|(_, path)| path.trim_end().ends_with(".jsonl"));
    let lines: Vec<&str> = text.split('\n').map(|line| if points(line) { "" } else { line }).collect();
    lines.join("\n")
}
