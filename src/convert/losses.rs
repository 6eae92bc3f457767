//! What a conversion leaves out, adds or spells otherwise: typed and counted, so that nothing happens silently.

use std::collections::BTreeMap;

/// A kind of loss. Each says what is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Loss {
    /// Messages on branches that the harness left: not written.
    AbandonedBranches,
    /// Calls whose arguments are spelled otherwise: wrapped in an object, or `{}` where there were none.
    ArgumentsNormalized,
    /// Ids of calls: places say which result is whose.
    CallIds,
    /// Calls that had no id, one that stood already, or one that the target can't spell: they have a new one.
    CallIdsMadeUp,
    /// Messages that a resume does not load, since they stand before the newest compaction or are for the user alone:
    /// not written.
    CompactedHistory,
    /// Results that repeat an earlier one word for word: not written.
    DuplicateResults,
    /// Messages that say nothing: not written.
    EmptyMessages,
    /// Marks that a tool failed: not written.
    ErrorFlags,
    /// Images, documents and sounds: a word in brackets stands for each.
    Media,
    /// Fields of messages that no conversation has a place for (a name, a cache mark): not written.
    MessageFields,
    /// Names of the models that wrote messages: not written.
    ModelNames,
    /// Messages without content: they have an empty text.
    NullContentNormalized,
    /// Answers that a row does not prefer: not written.
    OtherAnswers,
    /// Columns of a row, and fields of a document, beside the conversation: not written.
    OtherFields,
    /// Results of calls made at once that stand in one turn.
    ParallelResultsMerged,
    /// Messages that the target takes for a summary of ours, since it has no mark for one: what stands before is history.
    ReadsAsSummary,
    /// Reasoning that the target only takes with its provider's signature: not written.
    Reasoning,
    /// Reasoning that stands in the text, between `<think>` and `</think>`.
    ReasoningAsText,
    /// Signatures and encrypted copies of reasoning: not written.
    ReasoningSignature,
    /// Results of no known call, or second ones: they are user messages.
    ResultsAsText,
    /// Calls without a result: one that says so was added.
    ResultsMadeUp,
    /// Results that came later, or in another order: they stand behind their calls.
    ResultsMoved,
    /// System messages that are user messages.
    RolesChanged,
    /// Records of state, titles, hooks and attachments: not written.
    SessionRecords,
    /// Records of subagents inlined in the session: not written.
    Sidechains,
    /// The source does not say what the system prompt was.
    SystemPromptAbsent,
    /// Times of messages: not written.
    Timestamps,
    /// Messages without a time: they have that of the one before, or the first moment of 1970.
    TimestampsMadeUp,
    /// Schemas of tools: not written.
    ToolSchemas,
    /// The source has calls, and does not say what the tools were.
    ToolSchemasAbsent,
    /// Messages that were joined to the one before, since sides have to alternate.
    TurnsJoined,
    /// A turn of the user that was put before the first one of the assistant.
    TurnsMadeUp,
    /// Copies for a user interface: not written.
    UiCopies,
    /// Last words and results that no answer follows: not written, since a row has to end on an answer.
    UnansweredEnd,
    /// Parts that epitome has no name for: not written.
    UnknownPart,
    /// Records that epitome has no name for: not written.
    UnknownRecord,
    /// Token counts of the provider: not written.
    Usage,
    /// Marks that say how much is learned from a message: not written.
    Weights,
}

impl Loss {
    /// The stable name, as in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::AbandonedBranches => "abandoned_branches",
            Self::ArgumentsNormalized => "arguments_normalized",
            Self::CallIds => "call_ids",
            Self::CallIdsMadeUp => "call_ids_made_up",
            Self::CompactedHistory => "compacted_history",
            Self::DuplicateResults => "duplicate_results",
            Self::EmptyMessages => "empty_messages",
            Self::ErrorFlags => "error_flags",
            Self::Media => "media",
            Self::MessageFields => "message_fields",
            Self::ModelNames => "model_names",
            Self::NullContentNormalized => "null_content_normalized",
            Self::OtherAnswers => "other_answers",
            Self::OtherFields => "other_fields",
            Self::ParallelResultsMerged => "parallel_results_merged",
            Self::ReadsAsSummary => "reads_as_summary",
            Self::Reasoning => "reasoning",
            Self::ReasoningAsText => "reasoning_as_text",
            Self::ReasoningSignature => "reasoning_signature",
            Self::ResultsAsText => "results_as_text",
            Self::ResultsMadeUp => "results_made_up",
            Self::ResultsMoved => "results_moved",
            Self::RolesChanged => "roles_changed",
            Self::SessionRecords => "session_records",
            Self::Sidechains => "sidechains",
            Self::SystemPromptAbsent => "system_prompt_absent",
            Self::Timestamps => "timestamps",
            Self::TimestampsMadeUp => "timestamps_made_up",
            Self::ToolSchemas => "tool_schemas",
            Self::ToolSchemasAbsent => "tool_schemas_absent",
            Self::TurnsJoined => "turns_joined",
            Self::TurnsMadeUp => "turns_made_up",
            Self::UiCopies => "ui_copies",
            Self::UnansweredEnd => "unanswered_end",
            Self::UnknownPart => "unknown_part",
            Self::UnknownRecord => "unknown_record",
            Self::Usage => "usage",
            Self::Weights => "weights",
        }
    }
}

/// All losses of one conversion, by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Losses(BTreeMap<Loss, u64>);

impl Losses {
    /// Counts some more of a kind.
    pub(super) fn add(&mut self, loss: Loss, count: usize) {
        if count > 0 {
            *self.0.entry(loss).or_default() += count as u64;
        }
    }

    /// Takes a kind back, which the target has no place for in any case.
    pub(super) fn forget(&mut self, loss: Loss) {
        self.0.remove(&loss);
    }

    /// How many there are of a kind.
    pub fn of(&self, loss: Loss) -> u64 {
        self.0.get(&loss).copied().unwrap_or_default()
    }

    /// All kinds that there are, with their number, ordered by name.
    pub fn iter(&self) -> impl Iterator<Item = (Loss, u64)> + '_ {
        self.0.iter().map(|(loss, count)| (*loss, *count))
    }
}
