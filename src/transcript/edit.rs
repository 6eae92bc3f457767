//! The edit script: what shall become of a transcript, in words that no format owns.
//!
//! Stages write it, a format renders it as [`Patch`](super::Patch)es over the bytes.

use super::Transcript;

/// What to do with every record of a transcript.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EditScript {
    /// One per record: it stays.
    pub keep: Vec<bool>,
    /// Parts of kept records that change, ordered by message and part.
    pub parts: Vec<PartEdit>,
    /// New messages, ordered by place.
    pub inserts: Vec<Insert>,
    /// What becomes of the copies that only a user interface reads.
    pub ui_copies: UiCopies,
    /// The compaction is only recorded, behind all that is stored, and these messages stay loaded beside its summary.
    /// Then every record stays, nothing in them changes, and the summary's place says where what stays loaded begins.
    pub appended: Option<Vec<usize>>,
}

/// One change to one part.
#[derive(Debug, Clone, PartialEq)]
pub struct PartEdit {
    /// Index of the message.
    pub message: usize,
    /// Index of the part in it.
    pub part: usize,
    /// The change.
    pub change: Change,
}

/// A change to a part.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// Its content was pruned: this stub stands there.
    Stub(String),
    /// Its content was shortened to this excerpt.
    Excerpt(String),
    /// The part goes (dead reasoning, media that are described).
    Remove,
}

/// A message that the input does not have.
#[derive(Debug, Clone, PartialEq)]
pub struct Insert {
    /// It stands before the record with this index; the number of records means at the end.
    pub before: usize,
    /// What it is.
    pub kind: InsertKind,
}

/// A kind of new message.
#[derive(Debug, Clone, PartialEq)]
pub enum InsertKind {
    /// The summary of the head.
    Summary {
        /// The whole text of the message, wrapper included.
        text: String,
        /// Whose message it shall be, where the format has no record of its own for it.
        role: SummaryRole,
        /// Tokens that the harness would have loaded before, for a format whose boundary record says so.
        tokens_before: u64,
        /// Tokens left after it.
        tokens_after: u64,
    },
    /// The message that sets the agent going again.
    Continuation {
        /// Its text.
        text: String,
        /// The message that it stands for had media.
        had_media: bool,
        /// It repeats a real message word for word, so a viewer must not hide it.
        replayed: bool,
    },
}

/// Whose message a summary is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SummaryRole {
    /// Whose the format wants: a system message, but in rows of messages, which trainers read, a user's message before an
    /// assistant's, else the end of the system prompt.
    #[default]
    Auto,
    /// A system message.
    System,
    /// A user message.
    User,
    /// An assistant message, after a user message that asks what was done so far.
    Assistant,
}

/// What to do with copies that no model reads (Claude Code's `toolUseResult`, `progress`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UiCopies {
    /// Leave them.
    Keep,
    /// Stub the copy of every result that is stubbed itself.
    #[default]
    Stub,
    /// Drop them all.
    Drop,
}

impl InsertKind {
    /// The same with a user's message for a system message, for formats that have none among the others.
    pub fn without_system(&self) -> Self {
        let mut kind = self.clone();
        if let Self::Summary { role: role @ (SummaryRole::Auto | SummaryRole::System), .. } = &mut kind {
            *role = SummaryRole::User;
        }
        kind
    }
}

impl EditScript {
    /// The script that changes nothing.
    pub fn unchanged(transcript: &Transcript<'_>) -> Self {
        Self { keep: vec![true; transcript.records.len()], ui_copies: UiCopies::Keep, ..Self::default() }
    }

    /// Whether a record stays; one that the script does not know does.
    pub fn keeps(&self, record: usize) -> bool {
        self.keep.get(record).copied().unwrap_or(true)
    }

    /// The record that an inserted message stands before.
    pub fn place(&self, insert: &Insert) -> usize {
        if self.appended.is_some() { self.keep.len() } else { insert.before }
    }

    /// The change to one part, if there is one.
    pub fn change(&self, message: usize, part: usize) -> Option<&Change> {
        let at = self.parts.binary_search_by_key(&(message, part), |edit| (edit.message, edit.part)).ok()?;
        Some(&self.parts[at].change)
    }

    /// All changes to the parts of one message.
    pub fn changes_of(&self, message: usize) -> &[PartEdit] {
        let from = self.parts.partition_point(|edit| edit.message < message);
        let to = self.parts.partition_point(|edit| edit.message <= message);
        &self.parts[from..to]
    }
}
