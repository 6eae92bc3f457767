//! The edit script: the changes to a transcript, independent of formats.
//!
//! Stages write it; a format renders it as [`Patch`](super::Patch)es over the bytes.

use super::Transcript;

/// Changes to the records of a transcript.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EditScript {
    /// For each record, whether it stays.
    pub keep: Vec<bool>,
    /// Changed parts of kept records, ordered by message and part.
    pub parts: Vec<PartEdit>,
    /// New messages, ordered by position.
    pub inserts: Vec<Insert>,
    /// Treatment of copies that only a user interface reads.
    pub ui_copies: UiCopies,
    /// Append mode: indices of the messages that stay loaded beside the summary. The compaction is only recorded at the
    /// end: every record stays unchanged, and the summary's position tells where the loaded part begins.
    pub appended: Option<Vec<usize>>,
}

/// A change to a part.
#[derive(Debug, Clone, PartialEq)]
pub struct PartEdit {
    /// Index of the message.
    pub message: usize,
    /// Index of the part in it.
    pub part: usize,
    /// The change.
    pub change: Change,
}

/// A kind of change to a part.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// The content was pruned: this stub replaces it.
    Stub(String),
    /// The content was shortened: this excerpt replaces it.
    Excerpt(String),
    /// The part is removed (dead reasoning, media that are described).
    Remove,
}

/// A new message.
#[derive(Debug, Clone, PartialEq)]
pub struct Insert {
    /// Index of the record before which it is inserted; the number of records means at the end.
    pub before: usize,
    /// The kind of message.
    pub kind: InsertKind,
}

/// A kind of new message.
#[derive(Debug, Clone, PartialEq)]
pub enum InsertKind {
    /// The summary of the head.
    Summary {
        /// Whole text of the message, with wrapper.
        text: String,
        /// Role of the message, in formats without a record for summaries.
        role: SummaryRole,
        /// Tokens that the harness would have loaded before, for boundary records that state them.
        tokens_before: u64,
        /// Tokens left afterwards.
        tokens_after: u64,
    },
    /// The continuation.
    Continuation {
        /// Its text.
        text: String,
        /// The message that it replaces had media.
        had_media: bool,
        /// It repeats a real message word for word, so a viewer must not hide it.
        replayed: bool,
    },
}

/// The role of a summary.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SummaryRole {
    /// As the format requires: system; in training rows of messages, user before an assistant message, otherwise
    /// appended to the system prompt.
    #[default]
    Auto,
    /// A system message.
    System,
    /// A user message.
    User,
    /// An assistant message, after a user message that asks what was done so far.
    Assistant,
}

/// Treatment of copies that no model reads (Claude Code's `toolUseResult`, `progress`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UiCopies {
    /// Leave them.
    Keep,
    /// Stub the copies of stubbed results.
    #[default]
    Stub,
    /// Drop all copies.
    Drop,
}

impl Change {
    /// What stands in place of the content; `None` if nothing does.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Stub(text) | Self::Excerpt(text) => Some(text),
            Self::Remove => None,
        }
    }
}

impl InsertKind {
    /// The text of the message.
    pub fn text(&self) -> &str {
        let (Self::Summary { text, .. } | Self::Continuation { text, .. }) = self;
        text
    }

    /// The kind with a user message in place of a system message, for formats without system messages among the others.
    pub fn without_system(&self) -> Self {
        let mut kind = self.clone();
        if let Self::Summary { role: role @ (SummaryRole::Auto | SummaryRole::System), .. } = &mut kind {
            *role = SummaryRole::User;
        }
        kind
    }
}

impl EditScript {
    /// A script without changes.
    pub fn unchanged(transcript: &Transcript<'_>) -> Self {
        Self { keep: vec![true; transcript.records.len()], ui_copies: UiCopies::Keep, ..Self::default() }
    }

    /// Whether a record stays; true for one that the script does not cover.
    pub fn keeps(&self, record: usize) -> bool {
        self.keep.get(record).copied().unwrap_or(true)
    }

    /// Indices of the messages whose records stay.
    pub fn kept(&self, transcript: &Transcript<'_>) -> impl Iterator<Item = usize> {
        let messages = transcript.messages.iter().enumerate();
        messages.filter(|(_, message)| self.keeps(message.record)).map(|(index, _)| index)
    }

    /// Index of the record before which a message is inserted.
    pub fn place(&self, insert: &Insert) -> usize {
        if self.appended.is_some() { self.keep.len() } else { insert.before }
    }

    /// The change to a part, if there is one.
    pub fn change(&self, message: usize, part: usize) -> Option<&Change> {
        let at = self.parts.binary_search_by_key(&(message, part), |edit| (edit.message, edit.part)).ok()?;
        Some(&self.parts[at].change)
    }

    /// Whether a part is removed.
    pub fn removes(&self, message: usize, part: usize) -> bool {
        self.change(message, part) == Some(&Change::Remove)
    }

    /// The changes to the parts of a message.
    pub fn changes_of(&self, message: usize) -> &[PartEdit] {
        let from = self.parts.partition_point(|edit| edit.message < message);
        let to = self.parts.partition_point(|edit| edit.message <= message);
        &self.parts[from..to]
    }
}
