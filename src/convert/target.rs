//! What a target is: its name, how its transcripts lie in files, what it can hold, and how one is written.

use super::conversation::Conversation;
use super::losses::Losses;

/// A format that conversations can be written in. Adding one is a file with an impl and a line in the table.
pub trait Target: Sync {
    /// Its stable name, as in `--to`.
    fn name(&self) -> &'static str;

    /// The format that reads what is written; its faults are the target's.
    fn format(&self) -> &'static str {
        self.name()
    }

    /// How transcripts lie in its files.
    fn output(&self) -> Output;

    /// What it can hold.
    fn holds(&self) -> Holds;

    /// Writes a conversation that fits; the text ends with a newline, and where one row is a line it has no other.
    fn write(&self, conversation: &Written<'_, '_>, losses: &mut Losses) -> String;
}

/// A conversation that fits its target. Only the fit can make one, so a target sees nothing that it can't hold.
pub struct Written<'c, 't>(pub(super) &'c Conversation<'t>);

/// How transcripts of a target lie in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// Each is a line; a file holds many.
    Rows,
    /// Each is a file with this extension.
    File(&'static str),
}

impl Output {
    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Rows => "jsonl",
            Self::File(extension) => extension,
        }
    }
}

/// Where system messages may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Systems {
    /// Anywhere.
    Anywhere,
    /// Only as one before all others.
    First,
    /// Nowhere: they are the harness's words.
    Nowhere,
}

/// What becomes of reasoning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thoughts {
    /// Its text is kept.
    Text,
    /// Its text is kept beside words or calls: alone it is no message.
    Beside,
    /// Only what its provider signed is kept, with the signature.
    Signed,
    /// It stands in the text, between tags.
    Tagged,
}

/// Which images can be shown; any other medium is described.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Images {
    /// None.
    None,
    /// In user messages.
    Users,
    /// In user messages and in results.
    Anywhere,
    /// The same, but only those whose content is here.
    Inline,
}

/// Whether messages have times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    /// There is no place for them.
    None,
    /// As far as the source has them.
    Stated,
    /// Each has one, and none goes back.
    All,
}

/// How calls and results are linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallIds {
    /// By any id.
    Any,
    /// By an id of letters, digits, `_` and `-`.
    Plain,
    /// By their places.
    None,
}

/// What a target can hold.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "a table of yes and no")]
pub struct Holds {
    /// System messages.
    pub systems: Systems,
    /// Reasoning.
    pub thoughts: Thoughts,
    /// Images.
    pub images: Images,
    /// Sides have to alternate, from the user's on.
    pub alternates: bool,
    /// The last word has to be the assistant's.
    pub ends_answered: bool,
    /// Ids of calls.
    pub ids: CallIds,
    /// Schemas of tools.
    pub tools: bool,
    /// Token counts.
    pub usage: bool,
    /// Times of messages.
    pub times: Times,
    /// Names of models.
    pub models: bool,
    /// Marks of failed calls.
    pub errors: bool,
}

/// What plain rows of messages hold.
pub(super) const ROWS: Holds = Holds {
    systems: Systems::Anywhere,
    thoughts: Thoughts::Text,
    images: Images::None,
    alternates: false,
    ends_answered: false,
    ids: CallIds::Any,
    tools: true,
    usage: false,
    times: Times::None,
    models: false,
    errors: false,
};
