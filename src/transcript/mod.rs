//! The data model: records, messages, parts, units, and the edit script over them.
//!
//! No I/O and no settings. A format fills a [`Transcript`] with views that borrow from the input bytes; stages only
//! read it. Changes are written as an [`EditScript`], which the format turns into [`Patch`]es.
//!
//! What formats, stages and those who judge the result have to read alike (fixed texts, envelopes, speakers, columns,
//! tied lists) is here, too, as they may not use each other.

mod base_name;
mod call_id;
pub mod columns;
mod edit;
mod ending_tools;
pub mod envelope;
mod escapes;
mod fault;
pub mod fixed_texts;
mod hex;
mod message;
mod patch;
mod path_keys;
mod size;
#[cfg(test)]
pub(crate) mod sketch;
pub mod speakers;
mod spoken;
mod spread;
mod stub;
pub mod tied;
mod unit;

use crate::reason::Reason;
pub use base_name::base_name;
pub use call_id::{repeated_id, stored_id};
pub use edit::{Change, EditScript, Insert, InsertKind, PartEdit, SummaryRole, UiCopies};
pub use ending_tools::ENDING_TOOLS;
pub use escapes::parsed;
pub use fault::{Fault, distinct, new_faults};
pub use hex::{dashed, hex, uuid};
pub use message::{Author, Media, Message, Part, PartKind, Role, Shape, Slot, Status, Usage};
pub use patch::{Patch, PatchKind, apply, compose};
pub use path_keys::FILE_PATH_KEYS;
pub use size::Tokens;
pub use spoken::{THOUGHT_TAGS, spoken, thought, unfenced};
pub use spread::{InTurn, PIECE, Spread, Spreading, pieces, pieces_of, spread};
pub use stub::{STUB_FIELDS, Stub, tokens_left};
pub use unit::{Unit, units};

use std::borrow::Cow;
use std::ops::Range;

/// A conversation, borrowed from the bytes it was read from.
#[derive(Debug, Default, Clone)]
pub struct Transcript<'a> {
    /// The bytes to which all spans refer: a session file, or one line of a file with one conversation per line.
    pub source: &'a [u8],
    /// All stored records in file order, or in the order in which they were said where a file has them in any order
    /// (ChatGPT's trees); with the bytes between them they make up `source`.
    pub records: Vec<Record<'a>>,
    /// The messages in order; each is in one record.
    pub messages: Vec<Message<'a>>,
    /// Properties of the format for stages, rendering and checks.
    pub traits: Traits,
}

/// Properties of a transcript's format that stages must respect.
#[derive(Debug, Clone, Default)]
pub struct Traits {
    /// The roles of the messages alternate and must continue to (Anthropic requests that do).
    pub alternates: bool,
    /// The summary has the role `user`, so an assistant message should follow it, whether or not roles alternate now.
    pub user_summary: bool,
    /// The format has records for a compaction (boundary and summary).
    pub native_summary: bool,
    /// A long text that the harness writes before a summary, and that counts with it; empty if it is short or missing.
    pub preface: &'static str,
    /// A summary may follow a question of the user's, whatever role it is given.
    pub asks: bool,
    /// Placeholders of media columns, which are spelled otherwise in new texts.
    pub places: Vec<&'static str>,
    /// The transcript is a training row, which must end as it does now.
    pub training_row: bool,
    /// Number of its first records that are no elements of the list of messages: the system prompt of a request.
    pub apart: usize,
    /// The row's answer is in a column beside the messages: no message is trained on.
    pub answered_beside: bool,
    /// The log of a run that is never resumed: no continuation is added.
    pub never_resumed: bool,
    /// Nothing of it can be removed, for this reason.
    pub fixed: Option<Reason>,
    /// Index of the record at which another session begins, if the file holds several.
    pub other_session: Option<usize>,
    /// Index of the first record before the newest compaction that stays loaded.
    pub kept_from: Option<usize>,
    /// Index of the first record that is sent to a model, if a record says so; earlier ones are only stored, whatever
    /// the newest compaction left (see [`Transcript::loaded_from`]).
    pub sent_from: Option<usize>,
    /// How the format records a compaction at the end.
    pub append: Append,
}

impl Traits {
    /// Whether a summary with this choice of role is a user message, so that an assistant message should follow it.
    pub fn takes_user_summary(&self, role: SummaryRole) -> bool {
        self.user_summary || (self.training_row && matches!(role, SummaryRole::Auto | SummaryRole::User))
    }
}

impl Traits {
    /// The user's question that may come before a summary with this choice of role; empty if there is none.
    pub fn question(&self, role: SummaryRole) -> &'static str {
        if self.asks || role == SummaryRole::Assistant { fixed_texts::SUMMARY_QUESTION } else { "" }
    }
}

/// How a format records a compaction at the end, so that a harness resumes from it (FORMATS §0.4).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Append {
    /// It can't.
    #[default]
    Never,
    /// Its record names the first message that stays loaded; all later ones do too.
    From,
    /// Its record lists each message that stays loaded, or each that does not.
    Each,
}

/// A stored record: a line of a session, or an element of a `messages` array.
#[derive(Debug, Clone)]
pub struct Record<'a> {
    /// Byte range of its JSON value, without separator or newline.
    pub span: Range<usize>,
    /// Line number in the file, from 1.
    pub line: usize,
    /// How a compaction treats it.
    pub class: Class<'a>,
    /// Its id, in formats with linked records.
    pub id: Option<Cow<'a, str>>,
    /// Id of the record that it follows.
    pub parent: Option<Cow<'a, str>>,
}

/// How a compaction treats a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Class<'a> {
    /// Holds the message with this index.
    Message(usize),
    /// A message of a subagent; dropped with the unit of the message with this index, if there is one.
    Sidechain(Option<usize>),
    /// A message on a branch that the harness no longer loads.
    Abandoned,
    /// No model context; kept where the tail is kept (attachments, system notes).
    Place,
    /// Progress shown while a tool ran; no model context. Kept like `Place` unless UI copies are dropped.
    Ui,
    /// Kept or dropped with the record of this index (a file snapshot with its message).
    With(usize),
    /// State of the whole session: only the last record of each kind is kept (SPEC ruling 3).
    Session(Cow<'a, str>),
    /// The boundary of an earlier compaction.
    Boundary,
    /// Unknown to the format: always kept.
    Opaque,
}

impl Class<'_> {
    /// The index of the message that the record holds, if it holds one.
    pub fn message(&self) -> Option<usize> {
        match self {
            Self::Message(index) => Some(*index),
            _ => None,
        }
    }
}

impl Transcript<'_> {
    /// Index of the newest real user message.
    pub fn last_real_user(&self) -> Option<usize> {
        self.messages.iter().rposition(|message| message.begins_turn() && !message.abandoned)
    }

    /// Index of the first real user message.
    pub fn first_real_user(&self) -> Option<usize> {
        self.messages.iter().position(|message| message.begins_turn() && !message.abandoned)
    }

    /// Indices of the leading system messages, ascending, without earlier summaries.
    pub fn preamble(&self) -> Vec<usize> {
        let leading = self.messages.iter().enumerate().take_while(|(_, message)| message.role == Role::System);
        leading.filter(|(_, message)| message.author == Author::System).map(|(index, _)| index).collect()
    }

    /// Whether it has records, and none that its format knows.
    pub fn is_foreign(&self) -> bool {
        !self.records.is_empty() && self.records.iter().all(|record| record.class == Class::Opaque)
    }

    /// Tokens of the messages that a harness would load.
    pub fn live(&self) -> Tokens {
        self.messages.iter().filter(|message| message.live).map(Message::tokens).sum()
    }

    /// Whether an earlier summary that is loaded is encrypted (Codex), so that nobody knows how long it is.
    pub fn has_encrypted_summary(&self) -> bool {
        let is_summary = |message: &&Message<'_>| message.author == Author::Summary && message.is_loaded();
        self.messages.iter().filter(is_summary).any(|message| message.text().is_empty())
    }

    /// Tokens of all stored messages.
    pub fn tokens(&self) -> Tokens {
        self.messages.iter().map(Message::tokens).sum()
    }

    /// Index of the record of the newest compaction: its boundary, or its summary if that is all there is.
    pub fn newest_compaction(&self) -> Option<usize> {
        let boundary = self.records.iter().rposition(|record| record.class == Class::Boundary);
        let summary = self.messages.iter().rfind(|message| message.author == Author::Summary && !message.abandoned);
        boundary.max(summary.map(|message| message.record))
    }

    /// Index of the first record that the newest compaction left loaded; [`Traits::sent_from`] has no part in it.
    pub fn loaded_from(&self) -> usize {
        let behind = self.newest_compaction().map_or(0, |compaction| compaction + 1);
        self.traits.kept_from.map_or(behind, |kept| kept.min(behind))
    }

    /// The first record of these messages, whose lines may have changed places; `None` without messages.
    pub fn first_record<'m>(&self, messages: impl IntoIterator<Item = &'m usize>) -> Option<usize> {
        messages.into_iter().map(|index| self.messages[*index].record).min()
    }

    /// The number of its first line; 1 if it is empty.
    pub fn first_line(&self) -> usize {
        self.records.first().map_or(1, |record| record.line)
    }

    /// The record of a message.
    pub fn record_of(&self, message: usize) -> &Record<'_> {
        &self.records[self.messages[message].record]
    }

    /// The number of a message in its list, from 1, in a training row or a transcript on a single line, where line
    /// numbers do not distinguish messages; `None` elsewhere, and for a system prompt beside the list.
    pub fn number_of(&self, message: usize) -> Option<usize> {
        self.number_at(self.messages[message].record)
    }

    /// Like [`Self::number_of`], for the record with this index.
    fn number_at(&self, record: usize) -> Option<usize> {
        let lines = || self.records.first().map(|record| record.line) == self.records.last().map(|record| record.line);
        let is_meant = self.traits.training_row || (self.records.len() > 1 && lines());
        let number = (record + 1).checked_sub(self.traits.apart).filter(|_| is_meant);
        number.filter(|number| *number > 0)
    }
}
