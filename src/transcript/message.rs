//! Messages and their parts: typed views of what a model reads.

use super::Tokens;
use foldhash::HashMap;
use std::borrow::Cow;
use std::ops::Range;

/// The speaker of a message, in terms common to all formats.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Instructions of the harness or the developer.
    #[default]
    System,
    /// The user, or a harness in the user's name.
    User,
    /// The model.
    Assistant,
    /// The result of a tool.
    Tool,
}

impl Role {
    /// The name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
        }
    }
}

/// The true origin of a message, which its role alone does not tell (SPEC "Words", ruling 4).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Author {
    /// System instructions, leading or later.
    #[default]
    System,
    /// A person: user text or media, not only tool results.
    Person,
    /// The model.
    Model,
    /// A tool: results only.
    Tool,
    /// The harness in the user's name: reminders, command output, injected files.
    Harness,
    /// A continuation of epitome or a harness after a compaction.
    Continuation,
    /// The summary of an earlier compaction.
    Summary,
}

/// A message, stored in one record.
#[derive(Debug, Default, Clone)]
pub struct Message<'a> {
    /// Its role.
    pub role: Role,
    /// A model is sent another role than its record states (Claude Code).
    pub other_role: bool,
    /// Who wrote it.
    pub author: Author,
    /// Its parts, in order.
    pub parts: Vec<Part<'a>>,
    /// Index of its record.
    pub record: usize,
    /// Key shared by the records of one API message (Claude Code's `message.id`).
    pub group: Option<Cow<'a, str>>,
    /// The call to which this message belongs although it is no result (the text of a skill in Claude Code).
    pub belongs_to: Option<Cow<'a, str>>,
    /// The harness would load it: it is neither before the newest boundary nor on an abandoned branch.
    pub live: bool,
    /// It is on a branch that the harness left: stored, but never loaded again, and ignored.
    pub abandoned: bool,
    /// The model that wrote it, if the record says so.
    pub model: Option<Cow<'a, str>>,
    /// The usage that the provider reported for it.
    pub usage: Option<Usage>,
    /// An earlier compaction kept it, so its usage counts a longer history.
    pub stale_usage: bool,
    /// Time of writing, as in the record.
    pub timestamp: Option<Cow<'a, str>>,
    /// Working folder of the harness at that time, if the session states it.
    pub folder: Option<Cow<'a, str>>,
    /// Branch of Git there, if the session states it.
    pub branch: Option<Cow<'a, str>>,
    /// The model stopped at its length limit.
    pub cut_off: bool,
    /// The model's turn failed or was stopped, and the harness does not send it: its calls need no results.
    pub aborted: bool,
    /// It is excluded from training (`weight` 0, `train` false).
    pub untrained: bool,
    /// Number of leading texts that repeat the instructions, as some clients send them.
    pub repeats: usize,
    /// A person typed it while the agent worked, and only the queue of the harness has it: no resume loads it, and it
    /// begins no turn.
    pub queued: bool,
    /// An example of another task: names in it are not of this session.
    pub demonstration: bool,
    /// A slash command that only the program answered (Claude Code): it asks the agent for nothing.
    pub answered_locally: bool,
    /// The harness's prompt for the slash command in the message before it (Claude Code).
    pub expands: bool,
}

impl Message<'_> {
    /// Whether the harness loads it and does not ignore it.
    pub fn is_loaded(&self) -> bool {
        self.live && !self.abandoned
    }

    /// Whether a compaction covered it: it is stored, but no longer loaded.
    pub fn is_history(&self) -> bool {
        !self.live && !self.abandoned
    }

    /// Whether it has a user's own text or media: not only tool results, not synthetic, no summary, no reminder.
    pub fn is_real_user(&self) -> bool {
        self.author == Author::Person
    }

    /// Whether a turn begins with it: it is a real user message that is not only in a queue.
    pub fn begins_turn(&self) -> bool {
        self.is_real_user() && !self.queued
    }

    /// Whether compaction may place it in head or tail: it is neither a summary nor synthetic.
    pub fn is_content(&self) -> bool {
        !matches!(self.author, Author::Summary | Author::Continuation)
    }

    /// Tokens of all its parts.
    pub fn tokens(&self) -> Tokens {
        self.parts.iter().map(|part| part.tokens).sum()
    }

    /// Bytes of its parts' texts.
    pub fn bytes(&self) -> usize {
        self.parts.iter().map(|part| part.text.len()).sum()
    }

    /// Its parts, each with its stored size in bytes. If several parts share one stored value (a call with its result),
    /// the later ones get the size of their content, and the first one the rest.
    pub fn stored(&self) -> impl Iterator<Item = (&Part<'_>, u64)> {
        let mut bytes: Vec<usize> = Vec::with_capacity(self.parts.len());
        let mut first: HashMap<&Range<usize>, usize> = HashMap::default();
        for (at, part) in self.parts.iter().enumerate() {
            let whole = &part.slot.part;
            let own = match first.get(whole) {
                Some(&holder) => {
                    let content = if part.slot.content.is_empty() { part.text.len() } else { part.slot.content.len() };
                    let own = content.min(bytes[holder]);
                    bytes[holder] -= own;
                    own
                }
                None => whole.len(),
            };
            // Only earlier parts are looked up: most messages have one part.
            if at + 1 < self.parts.len() {
                first.entry(whole).or_insert(at);
            }
            bytes.push(own);
        }
        self.parts.iter().zip(bytes).map(|(part, bytes)| (part, bytes as u64))
    }

    /// Its text parts, joined by newlines; borrowed if there is only one.
    pub fn text(&self) -> Cow<'_, str> {
        let mut texts = self.parts.iter().filter(|part| part.kind == PartKind::Text).map(|part| &*part.text);
        let first = texts.next().unwrap_or_default();
        match texts.next() {
            None => Cow::Borrowed(first),
            Some(second) => Cow::Owned(texts.fold(format!("{first}\n{second}"), |all, text| all + "\n" + text)),
        }
    }

    /// Its text without leading repetitions of the instructions.
    pub fn said(&self) -> Cow<'_, str> {
        if self.repeats == 0 {
            return self.text();
        }
        let texts = self.parts.iter().filter(|part| part.kind == PartKind::Text).map(|part| &*part.text);
        Cow::Owned(texts.skip(self.repeats).collect::<Vec<_>>().join("\n"))
    }

    /// Ids of the calls that it makes.
    pub fn calls(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match &part.kind {
            PartKind::Call { id, .. } => Some(&**id),
            _ => None,
        })
    }

    /// Ids of the calls that it answers.
    pub fn results(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match &part.kind {
            PartKind::Result { id, .. } => Some(&**id),
            _ => None,
        })
    }

    /// Whether it has an image, a document or audio outside of tool results.
    pub fn has_media(&self) -> bool {
        self.parts.iter().any(Part::is_media)
    }
}

/// One part of a message.
#[derive(Debug, Clone)]
pub struct Part<'a> {
    /// Kind of the part.
    pub kind: PartKind<'a>,
    /// Decoded text as a model reads it: text, reasoning, arguments of a call, text of a result.
    pub text: Cow<'a, str>,
    /// Its position in the source.
    pub slot: Slot,
    /// Tokens of `text` and of a called tool's name, plus the fixed cost of media; zero until counted.
    pub tokens: Tokens,
    /// For a result: how the call ended, if that is stored apart from the text.
    pub status: Option<Status>,
}

/// How a call ended, as stored beside the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Exit status of its command.
    Exit(i32),
    /// The harness flags failures, and did not flag this result.
    Unflagged,
}

/// The kind of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartKind<'a> {
    /// Text.
    Text,
    /// The model's reasoning; `signed` reasoning is verified by its provider and never edited.
    Reasoning {
        /// It has a signature or an encrypted copy.
        signed: bool,
    },
    /// A tool call. `text` is the arguments as stored.
    Call {
        /// Id; made up from the position in formats without ids.
        id: Cow<'a, str>,
        /// The tool's name.
        name: Cow<'a, str>,
    },
    /// A tool result.
    Result {
        /// Id of the call that it answers.
        id: Cow<'a, str>,
        /// Name of the tool, from the record or through the call's id.
        tool: Option<Cow<'a, str>>,
        /// The tool failed.
        error: bool,
        /// An earlier compaction pruned its content.
        pruned: bool,
        /// Media inside the result, in order.
        media: Vec<Media>,
    },
    /// An image, a document, audio or video.
    Media(Media),
    /// Content that a model reads but this version does not know; kept unchanged.
    Opaque,
}

impl PartKind<'_> {
    /// The name used in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Reasoning { .. } => "reasoning",
            Self::Call { .. } => "tool_call",
            Self::Result { .. } => "tool_result",
            Self::Media(_) => "media",
            Self::Opaque => "opaque",
        }
    }

    /// Id of the call that it makes or answers.
    pub fn call(&self) -> Option<&str> {
        match self {
            Self::Call { id, .. } | Self::Result { id, .. } => Some(id),
            _ => None,
        }
    }
}

/// Kind of a medium, which determines its cost and description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Media {
    /// A picture.
    Image,
    /// A PDF or another document.
    Document,
    /// Sound.
    Audio,
    /// Moving pictures, or anything else that is no text.
    Other,
}

impl Media {
    /// The medium of a MIME type, such as `image/png`, or of its first half.
    pub fn of_type(kind: &str) -> Self {
        match kind.split('/').next() {
            Some("image") => Self::Image,
            Some("audio") => Self::Audio,
            Some("text" | "application") => Self::Document,
            _ => Self::Other,
        }
    }
}

impl Part<'_> {
    /// Whether it is the model's reasoning.
    pub fn is_reasoning(&self) -> bool {
        matches!(self.kind, PartKind::Reasoning { .. })
    }

    /// Whether it is a tool call.
    pub fn is_call(&self) -> bool {
        matches!(self.kind, PartKind::Call { .. })
    }

    /// Whether it is a tool result.
    pub fn is_result(&self) -> bool {
        matches!(self.kind, PartKind::Result { .. })
    }

    /// Whether it is an image, a document, audio or video.
    pub fn is_media(&self) -> bool {
        matches!(self.kind, PartKind::Media(_))
    }

    /// Whether it is a tool result whose content can be replaced.
    pub fn is_replaceable_result(&self) -> bool {
        self.is_result() && !self.slot.content.is_empty()
    }
}

/// Byte ranges of a part in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// JSON value of the whole part: the block of a content array, or the content string itself.
    pub part: Range<usize>,
    /// JSON value that a stub or an excerpt replaces; empty if nothing can be replaced.
    pub content: Range<usize>,
    /// JSON type of that value, which a replacement must keep.
    pub shape: Shape,
}

/// The JSON type of replaceable content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A JSON string.
    Text,
    /// The end of a JSON string, without its quotes.
    InText,
    /// An array of blocks `{"type":"text","text":…}`.
    TextBlocks,
    /// Any JSON value; the replacement is JSON too.
    Json,
    /// Content that can't be replaced.
    Fixed,
}

/// Tokens of one request, as the provider counted them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Input neither read from nor written to a cache.
    pub input: Tokens,
    /// Input read from a cache.
    pub cache_read: Tokens,
    /// Input written to a cache.
    pub cache_write: Tokens,
    /// Output.
    pub output: Tokens,
}

impl Usage {
    /// All tokens that count against the context of the next request.
    pub fn total(&self) -> Tokens {
        self.input + self.cache_read + self.cache_write + self.output
    }
}
