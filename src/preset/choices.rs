//! The words that settings take.

use serde::{Deserialize, Serialize};

/// Defines an enum of setting values that are spelled in kebab case.
macro_rules! choices {
    ($($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident),+ $(,)? })+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name { $($(#[$value_doc])* $value),+ }
    )+};
}

choices! {
    /// When to compact.
    When {
        /// All transcripts that have a head.
        Always,
        /// Only those that overflow.
        Overflow,
    }
    /// Whether a transcript at the limit overflows.
    Comparison {
        /// `live ≥ usable`: the next call would fail.
        AtLimit,
        /// `live > usable`, as opencode did in January 2026.
        AboveLimit,
    }
    /// Which number is compared with the limit.
    Measure {
        /// The larger of what is counted and what the log recorded.
        Larger,
        /// What the log recorded; counted only where it recorded nothing.
        Recorded,
        /// What is counted, whatever the log recorded.
        Counted,
    }
    /// What the trigger is a share of.
    TriggerOf {
        /// The usable tokens.
        Usable,
        /// The whole context window.
        Window,
    }
    /// In which order pruning and summary are tried.
    Stages {
        /// Both.
        Full,
        /// Prune; summarize only if it still overflows.
        Progressive,
    }
    /// Which tool outputs are pruned.
    PrunePolicy {
        /// None.
        Off,
        /// All before the newest turns (seed T9).
        Turns,
        /// All before the newest turns and beyond the newest tokens of tool output (older opencode).
        Recent,
        /// All before the newest turns and messages, and beyond the newest results.
        Newest,
    }
    /// What becomes of the arguments of calls whose results are pruned.
    Arguments {
        /// They stay.
        Keep,
        /// They go; what stands there is valid.
        Clear,
    }
    /// Results that a later one replaces.
    Superseded {
        /// None.
        Off,
        /// Reads of a file that was read again as a whole, or in the same part.
        Reads,
        /// Results of the same text.
        Identical,
        /// Both.
        Both,
    }
    /// What a rule for some tools does with their results.
    ToolAction {
        /// They are stubbed as the policy says, with the rule's stub.
        Stub,
        /// They stay.
        Keep,
    }
    /// Where pruning looks.
    PruneScope {
        /// In the whole transcript, before it is split.
        All,
        /// In the head only.
        Head,
    }
    /// How tokens are estimated by a policy that did not count them.
    Estimate {
        /// Counted.
        Exact,
        /// UTF-16 code units ÷ 4, rounded half up.
        Chars4,
    }
    /// What happens to results in the tail that alone exceed its budget.
    Oversize {
        /// They are shortened to their beginning and end.
        Excerpt,
        /// They stay.
        Keep,
    }
    /// How the walk from the newest unit ends.
    Walk {
        /// Before the first unit that does not fit.
        Fit,
        /// After the first unit that exceeds the budget (the seed's code).
        AddThenTest,
        /// At once: there is no tail.
        None,
        /// When it has so many messages.
        Messages,
        /// When it has so many turns of the user.
        Turns,
        /// When it has so large a share of the conversation.
        Share,
        /// With the message that reaches the budget (pi).
        Reach,
        /// When the smaller of messages and share is reached, where the share is what is left behind the message at which
        /// so much was read from the front (forge, as documented).
        Evict,
        /// The same, but the index of that message counts as the number of messages that stay (forge, as it is).
        EvictIndex,
    }
    /// What a share of the conversation is measured in.
    ShareOf {
        /// Tokens.
        Tokens,
        /// Characters.
        Chars,
        /// Messages.
        Messages,
        /// Messages; what stays is rounded down, but one stays at least (OpenHands).
        MessagesDown,
        /// Messages; of those that go, an even number (Roo).
        EvenMessages,
    }
    /// Which way a cut is moved to a place where one may be.
    Snap {
        /// Towards the beginning: the tail gets longer.
        Back,
        /// Towards the end: the tail gets shorter.
        Forward,
    }
    /// What the tail starts with.
    StartAt {
        /// Any unit.
        Any,
        /// A real user message.
        User,
        /// A message of the assistant.
        Assistant,
        /// What follows a message of the assistant and its results.
        AfterAssistant,
    }
    /// What happens where the whole conversation would be tail.
    Whole {
        /// Nothing: there is no head.
        Unchanged,
        /// Everything is head.
        NoTail,
        /// Everything before the newest turn is head.
        LastTurn,
    }
    /// Where the summary stands.
    SummaryPlace {
        /// Before what is kept.
        Before,
        /// After what is kept, where there is no tail.
        After,
    }
    /// What the walk counts as one.
    CutBy {
        /// A unit.
        Unit,
        /// A message, even if that parts a call from its result (the seed's code).
        Message,
    }
    /// Who writes the summary.
    SummarizerKind {
        /// epitome, from the transcript's own sentences.
        Extractive,
        /// A model, over HTTP.
        Llm,
        /// A model the prose, epitome what has to be exact: instructions, files and the index.
        Hybrid,
        /// Nobody: prune only.
        None,
        /// Nobody, and the head goes.
        Drop,
        /// Nobody: the head goes, and a fixed text stands for it.
        Note,
        /// epitome, as a frame: what was said, and one line for each call.
        Frame,
    }
    /// The interface of the endpoint that a model is asked through.
    LlmKind {
        /// `/v1/chat/completions`: OpenAI, and llama.cpp, vLLM, Ollama, LM Studio and most gateways.
        Openai,
        /// `/v1/responses` of OpenAI.
        OpenaiResponses,
        /// `/v1/messages` of Anthropic.
        Anthropic,
        /// `models/…:generateContent` of Gemini.
        Gemini,
    }
    /// Which rule decides on a continuation.
    ContinuationRule {
        /// The state in which the transcript ended.
        State,
        /// The seed's three branches: media, unanswered, else always `text`.
        Seed,
        /// Always `text`.
        Always,
    }
    /// Where the continuation stands.
    Place {
        /// What the format prefers: `boundary` for training rows, else `end`.
        Auto,
        /// At the end; of a training row that ends on its answer as `boundary`, since that is what is learned.
        End,
        /// Between summary and tail, where the tail starts with an assistant message.
        Boundary,
        /// Nowhere.
        None,
    }
    /// What happens to media of the last real user message.
    MediaInTail {
        /// They stay.
        Keep,
        /// A text says that they were there.
        Describe,
    }
    /// What happens to signed reasoning after the first edit.
    Thinking {
        /// Stripped only for models that bind signatures to their prefix.
        Auto,
        /// Kept.
        Keep,
        /// Stripped.
        Strip,
    }
    /// What becomes of the history.
    Mode {
        /// It goes: the file gets small.
        Rewrite,
        /// It stays, and the format's own record of a compaction stands behind it.
        Append,
    }
    /// Keep something or drop it.
    Retain {
        /// Keep it.
        Keep,
        /// Drop it.
        Drop,
    }
}

impl Walk {
    /// It takes a share of what is there, so that it would take another of what it left.
    pub fn takes_share(self) -> bool {
        matches!(self, Self::Share | Self::Evict)
    }
}

#[expect(clippy::derivable_impls, reason = "the macro that spells the values derives the same for all")]
impl Default for ToolAction {
    fn default() -> Self {
        Self::Stub
    }
}

impl Superseded {
    /// Reads of a file that was read again count.
    pub fn reads(self) -> bool {
        matches!(self, Self::Reads | Self::Both)
    }

    /// Results of the same text count.
    pub fn identical(self) -> bool {
        matches!(self, Self::Identical | Self::Both)
    }
}
