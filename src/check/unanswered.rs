//! Rows for training that end on no answer. That breaks no rule, but nothing is learned from what stands behind the last
//! answer, and some trainers (LLaMA-Factory) leave such rows out (FORMATS §4).

use crate::transcript::{Role, Transcript};

/// The formats whose rows are for that. Requests in Anthropic's form may be logs of calls, which end on a question.
const TRAINED: &[&str] = &["openai-chat", "trl", "sharegpt", "messages-variants"];

/// Whether the rows of a format are for training.
pub fn is_trained(format: &str) -> bool {
    TRAINED.contains(&format)
}

/// Whether a row ends on a question or a result, though an answer stands before it. One without any answer breaks the rule
/// `no_assistant`; of one whose answers stand beside its messages these are the end.
pub fn ends_unanswered(transcript: &Transcript<'_>) -> bool {
    let traits = &transcript.traits;
    let told = || transcript.messages.iter().filter(|message| !message.abandoned);
    traits.training_row
        && !traits.answered_beside
        && traits.fixed.is_none()
        && told().any(|message| message.role == Role::Assistant)
        && told().next_back().is_some_and(|message| message.role != Role::Assistant)
}
