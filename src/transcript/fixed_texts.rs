//! The fixed texts that epitome and the harnesses write. Where a format has no room for a mark they are the mark.

/// Opens a summary.
pub const SUMMARY_OPEN: &str = "<prior-conversation-summary>";
/// Closes a summary.
pub const SUMMARY_CLOSE: &str = "</prior-conversation-summary>";
/// What the user asks before a summary of role assistant.
pub const SUMMARY_QUESTION: &str = "What did we do so far?";
/// What stands where content was pruned: ours (seed T9) and opencode's, which Claude Code writes, too.
pub const STUBS: [&str; 2] = ["<tool-output-compacted />", "[Old tool result content cleared]"];
/// Stands before and behind the number of tokens that are missing of a text, of which beginning and end are kept.
pub const EXCERPT_OPEN: &str = "\n[… about ";
/// See [`EXCERPT_OPEN`].
pub const EXCERPT_CLOSE: &str = " tokens left out by epitome …]\n";
/// Whole texts that set an agent going again.
pub const CONTINUATIONS: [&str; 2] = ["continue", "Continue if you have next steps"];
/// Introduces the text of a message with media (seed T11).
pub const MEDIA_DESCRIBED: &str = "[Continuing from compaction]";
/// Stands for a message that held only media (seed T11).
pub const ONLY_MEDIA: &str = "[Continuing task — previous message contained media attachments]";

/// Whether a text is one of the stubs.
pub fn is_stub(text: &str) -> bool {
    STUBS.contains(&text.trim())
}
