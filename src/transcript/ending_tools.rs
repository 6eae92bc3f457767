//! Tools with which an agent ends its run: what follows is for the user to say.

/// Such tools, of OpenHands, Terminus, Copilot, Gemini and Cline.
pub const ENDING_TOOLS: [&str; 5] =
    ["finish", "mark_task_complete", "task_complete", "complete_task", "attempt_completion"];
