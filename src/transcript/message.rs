//! Messages and their parts: typed views of what a model would read.

use super::Tokens;
use foldhash::HashMap;
use std::borrow::Cow;
use std::ops::Range;

/// Who speaks, in the words that all formats share.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Instructions of the harness or the developer.
    #[default]
    System,
    /// The person, or a harness that speaks for one.
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

/// Where the words of a message come from, which its role alone does not tell (SPEC "Words", ruling 4).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Author {
    /// Leading or later instructions with role system.
    #[default]
    System,
    /// A person: user text or media that is not only tool results.
    Person,
    /// The model.
    Model,
    /// A tool: only results.
    Tool,
    /// The harness, in the name of the user: reminders, command output, injected files.
    Harness,
    /// epitome or a harness, to set the agent going again after a compaction.
    Continuation,
    /// The summary of an earlier compaction.
    Summary,
}

/// One message as it is stored in one record.
#[derive(Debug, Default, Clone)]
pub struct Message<'a> {
    /// Its role.
    pub role: Role,
    /// Who wrote it.
    pub author: Author,
    /// What it holds, in order.
    pub parts: Vec<Part<'a>>,
    /// Index of the record that holds it.
    pub record: usize,
    /// Records with the same key hold pieces of one API message (Claude Code's `message.id`).
    pub group: Option<Cow<'a, str>>,
    /// The call that this message belongs to though it is no result (the text of a skill in Claude Code).
    pub belongs_to: Option<Cow<'a, str>>,
    /// The harness would load it: it is neither before the newest boundary nor on an abandoned branch.
    pub live: bool,
    /// It is on a branch that the harness left: stored, never loaded again, and no part of the story.
    pub abandoned: bool,
    /// The model that wrote it, where the record says so.
    pub model: Option<Cow<'a, str>>,
    /// The usage that the provider reported for it.
    pub usage: Option<Usage>,
    /// An earlier compaction kept it: its usage is that of a longer history.
    pub stale_usage: bool,
    /// When it was written, as the record spells it.
    pub timestamp: Option<Cow<'a, str>>,
    /// The folder that the harness worked in then, where its session says so.
    pub folder: Option<Cow<'a, str>>,
    /// The model stopped at its length limit.
    pub cut_off: bool,
    /// The model's turn failed or was stopped, and its harness leaves it out of what it sends: its calls need no results.
    pub aborted: bool,
    /// Training leaves it out (`weight` 0, `train` false).
    pub untrained: bool,
    /// Texts at its beginning that say again what the instructions say, as some clients send them along.
    pub repeats: usize,
    /// It shows how something else was done: nothing that it names is of this session.
    pub demonstration: bool,
}

impl Message<'_> {
    /// A user's own words or media: not only tool results, not synthetic, no summary, no reminder.
    pub fn is_real_user(&self) -> bool {
        self.author == Author::Person
    }

    /// A message that compaction may place in head or tail: neither a summary nor synthetic.
    pub fn is_content(&self) -> bool {
        !matches!(self.author, Author::Summary | Author::Continuation)
    }

    /// Tokens of all its parts.
    pub fn tokens(&self) -> Tokens {
        self.parts.iter().map(|part| part.tokens).sum()
    }

    /// Bytes of the texts of its parts.
    pub fn bytes(&self) -> usize {
        self.parts.iter().map(|part| part.text.len()).sum()
    }

    /// Its parts, each with the bytes that it is stored in. Of parts that are stored in one value (a call with its result)
    /// those behind the first have what their content takes, and the first the rest.
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
            // Nothing behind the last one asks for it: most messages have one part.
            if at + 1 < self.parts.len() {
                first.entry(whole).or_insert(at);
            }
            bytes.push(own);
        }
        self.parts.iter().zip(bytes).map(|(part, bytes)| (part, bytes as u64))
    }

    /// Its text parts, joined by newlines; borrowed when there is only one.
    pub fn text(&self) -> Cow<'_, str> {
        let mut texts = self.parts.iter().filter(|part| part.kind == PartKind::Text).map(|part| &*part.text);
        let first = texts.next().unwrap_or_default();
        match texts.next() {
            None => Cow::Borrowed(first),
            Some(second) => Cow::Owned(texts.fold(format!("{first}\n{second}"), |all, text| all + "\n" + text)),
        }
    }

    /// Its text without what only says the instructions again.
    pub fn said(&self) -> Cow<'_, str> {
        if self.repeats == 0 {
            return self.text();
        }
        let texts = self.parts.iter().filter(|part| part.kind == PartKind::Text).map(|part| &*part.text);
        Cow::Owned(texts.skip(self.repeats).collect::<Vec<_>>().join("\n"))
    }

    /// The ids of the calls that it makes.
    pub fn calls(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match &part.kind {
            PartKind::Call { id, .. } => Some(&**id),
            _ => None,
        })
    }

    /// The ids of the calls that it answers.
    pub fn results(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match &part.kind {
            PartKind::Result { id, .. } => Some(&**id),
            _ => None,
        })
    }

    /// It holds an image, a document or audio outside of tool results.
    pub fn has_media(&self) -> bool {
        self.parts.iter().any(|part| matches!(part.kind, PartKind::Media(_)))
    }
}

/// One part of a message.
#[derive(Debug, Clone)]
pub struct Part<'a> {
    /// What it is.
    pub kind: PartKind<'a>,
    /// What a model would read of it, decoded: text, reasoning, `name` and arguments of a call, text of a result.
    pub text: Cow<'a, str>,
    /// Where it is stored.
    pub slot: Slot,
    /// Tokens of `text`, or the stated cost of a medium; zero until counted.
    pub tokens: Tokens,
    /// Of a result: how it ended, where that is stored beside the text and not in it.
    pub status: Option<Status>,
}

/// How a call ended, as its harness stores it beside the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The exit status of its command.
    Exit(i32),
    /// The harness flags what failed, and did not flag this.
    Unflagged,
}

/// What a part is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartKind<'a> {
    /// Words.
    Text,
    /// The model's reasoning; `signed` reasoning is verified by its provider and never edited.
    Reasoning {
        /// It carries a signature or an encrypted copy.
        signed: bool,
    },
    /// A tool call. `text` is the arguments as stored.
    Call {
        /// Its id; formats without ids synthesise one by position.
        id: Cow<'a, str>,
        /// The tool's name.
        name: Cow<'a, str>,
    },
    /// A tool result.
    Result {
        /// The id of the call it answers.
        id: Cow<'a, str>,
        /// The tool's name, from the record or through the call id.
        tool: Option<Cow<'a, str>>,
        /// The tool failed.
        error: bool,
        /// Its content was pruned before.
        pruned: bool,
        /// Media inside the result, in order.
        media: Vec<Media>,
    },
    /// An image, a document, audio or video.
    Media(Media),
    /// Something that a model reads but that this version has no name for; kept as it is.
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

    /// The id of the call that it makes or answers.
    pub fn call(&self) -> Option<&str> {
        match self {
            Self::Call { id, .. } | Self::Result { id, .. } => Some(id),
            _ => None,
        }
    }
}

/// A kind of medium, for its stated cost and its description.
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

impl Part<'_> {
    /// A tool result whose content can be replaced.
    pub fn is_replaceable_result(&self) -> bool {
        matches!(self.kind, PartKind::Result { .. }) && !self.slot.content.is_empty()
    }
}

/// Where a part's content stands in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// The JSON value that holds the whole part: the block of a content array, or the content string itself.
    pub part: Range<usize>,
    /// The JSON value that a stub or an excerpt replaces; empty where nothing can be replaced.
    pub content: Range<usize>,
    /// What kind of value stands there, so that its JSON type survives.
    pub shape: Shape,
}

/// The JSON type of replaceable content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A JSON string.
    Text,
    /// An array of blocks `{"type":"text","text":…}`.
    TextBlocks,
    /// Any JSON value: what replaces it is JSON itself.
    Json,
    /// Nothing that can be replaced.
    Fixed,
}

/// Tokens as the provider counted them for one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Input that was neither read from nor written to a cache.
    pub input: Tokens,
    /// Input read from a cache.
    pub cache_read: Tokens,
    /// Input written to a cache.
    pub cache_write: Tokens,
    /// Output.
    pub output: Tokens,
}

impl Usage {
    /// All that counts against the context of the next request.
    pub fn total(&self) -> Tokens {
        self.input + self.cache_read + self.cache_write + self.output
    }
}
