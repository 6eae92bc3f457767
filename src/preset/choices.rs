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
        /// At the end.
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
