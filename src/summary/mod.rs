//! T12: the summary of the head, in the sections of a template.

use crate::transcript::{Message, Tokens};

/// What a summarizer is given.
pub struct Request<'t, 'a> {
    /// The messages to summarize, oldest first, as they were before pruning; no earlier summaries, nothing synthetic.
    pub head: Vec<&'t Message<'a>>,
    /// Texts of earlier summaries, oldest first, without their wrapper.
    pub prior: Vec<String>,
    /// Lines that have to stand in the summary though no message says them (what protected output did not fit).
    pub notes: Vec<String>,
    /// The most tokens that the text may have.
    pub budget: Tokens,
    /// Counts tokens of a text.
    pub count: &'t dyn Fn(&str) -> Tokens,
}
