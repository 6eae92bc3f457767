//! Fixed texts of epitome and the harnesses. In formats without room for a mark, they serve as the mark.

/// Name of the tag around a summary.
pub const SUMMARY_TAG: &str = "prior-conversation-summary";
/// Opens a summary.
pub const SUMMARY_OPEN: &str = "<prior-conversation-summary>";
/// Closes a summary.
pub const SUMMARY_CLOSE: &str = "</prior-conversation-summary>";
/// Beginning of the message with which Claude Code goes on after a compaction, in all its versions.
pub const CONTINUED: &str = "This session is being continued from a previous conversation";
/// Beginning of the summaries of Hermes (`context_compressor.py`), how it goes on in their first line, and beginning of
/// the line after them; the user's own words may follow that.
pub const HERMES_SUMMARY: &str = "[CONTEXT COMPACTION";
/// See [`HERMES_SUMMARY`].
pub const HERMES_REFERENCE: &str = " — REFERENCE ONLY]";
/// See [`HERMES_SUMMARY`].
pub const HERMES_END: &str = "--- END OF CONTEXT SUMMARY";
/// Beginning of its summaries in earlier versions.
pub const HERMES_CONTEXT: &str = "[CONTEXT SUMMARY]:";
/// Texts of harnesses before a summary in the same message: Codex (which recognizes the summary by it), Claude Code,
/// Cline, Roo Code, and Kimi's command lines.
pub const PREFACES: [&str; 6] = [
    "Another language model started to solve this problem and produced a summary of its thinking process. You also have \
     access to the state of the tools that were used by that language model. Use this to build on the work that has \
     already been done and avoid duplicating work. Here is the summary produced by the other language model, use the \
     information in this summary to assist with your own analysis:",
    "This session is being continued from a previous conversation that ran out of context. The summary below covers the \
     earlier portion of the conversation.",
    "Context summary:",
    "## Conversation Summary",
    "<system>Previous context has been compacted. Here is the compaction output:</system>",
    "The conversation so far has been compacted to free up context. What follows is your own working summary of this task \
     — use it to continue your train of thought rather than starting over. Treat it as notes, not proof: where it says a \
     step was done, tests passed, or a fix worked, verify that yourself before relying on it. Any user messages earlier \
     in this context are preserved verbatim from the compacted conversation; where a system-reminder note among them marks \
     an omitted middle section, the user messages it replaced are covered by this summary.",
];
/// Beginning of the object that represents an error of any tool (OpenClaw).
pub const TOOL_ERROR: &str = "{\n  \"status\": \"error\",\n  \"tool\": ";
/// The user's question before a summary with role assistant.
pub const SUMMARY_QUESTION: &str = "What did we do so far?";
/// The model's answer that Qwen Code inserts after a summary if a user message follows.
pub const ACKNOWLEDGED: &str = "Got it. Thanks for the additional context!";
/// Stubs in place of pruned content: ours (seed T9), and opencode's, which Claude Code also writes.
pub const STUBS: [&str; 2] = ["<tool-output-compacted />", "[Old tool result content cleared]"];
/// Text before the number of tokens left out of an excerpt; [`EXCERPT_CLOSE`] follows the number.
pub const EXCERPT_OPEN: &str = "\n[… about ";
/// See [`EXCERPT_OPEN`].
pub const EXCERPT_CLOSE: &str = " tokens left out by epitome …]\n";
/// Whole texts of continuations.
pub const CONTINUATIONS: [&str; 2] = ["continue", "Continue if you have next steps"];
/// Heading of the messages carried after a summary in the same message.
pub const CARRIED: &str = "Word for word from before:";
/// Prefix of the text of a message with media (seed T11).
pub const MEDIA_DESCRIBED: &str = "[Continuing from compaction]";
/// Text in place of a message that had only media (seed T11).
pub const ONLY_MEDIA: &str = "[Continuing task — previous message contained media attachments]";
/// Tags around what a harness adds in the user's name to any request: reminders, and lists of what an agent may use.
pub const CONTEXT_TAGS: [&str; 4] = ["system-reminder", "agent_skills", "agent_transcripts", "available_skills"];
/// Beginning of a skill that a harness loads in the user's name (Claude Code), and of the line with the user's
/// arguments.
const SKILL: &str = "Base directory for this skill:";
const TYPED: &str = "\nARGUMENTS:";
/// End of a skill's text that a harness put in place of its call.
const SKILL_END: &str = "</skill>";

/// Slash commands that only control the program (Claude Code; others share some of them).
const LOCAL_COMMANDS: &[&str] = &[
    "/add-dir",
    "/agents",
    "/approvals",
    "/bug",
    "/clear",
    "/compact",
    "/config",
    "/context",
    "/cost",
    "/doctor",
    "/effort",
    "/exit",
    "/export",
    "/fast",
    "/help",
    "/hooks",
    "/ide",
    "/login",
    "/logout",
    "/mcp",
    "/memory",
    "/model",
    "/new",
    "/permissions",
    "/plugin",
    "/quit",
    "/rename",
    "/resume",
    "/rewind",
    "/status",
    "/statusline",
    "/tasks",
    "/theme",
    "/undo",
    "/upgrade",
    "/usage",
    "/vim",
];

/// Messages that only say that the person stopped the agent (Claude Code), the tag around those of Codex, and what a
/// refused call tells the agent (Claude Code).
const STOPS: [&str; 2] = ["[Request interrupted by user]", "[Request interrupted by user for tool use]"];
const ABORTED: [&str; 2] = ["<turn_aborted>", "</turn_aborted>"];
const WAIT: [&str; 2] = ["The user doesn't want to ", "STOP what you are doing and wait for the user"];

/// Whether a message of a harness only says that the person stopped the agent.
pub fn is_stop(text: &str) -> bool {
    let text = text.trim();
    STOPS.contains(&text) || text.starts_with(ABORTED[0]) && text.ends_with(ABORTED[1])
}

/// Whether a message says that the person stopped the agent; words of theirs may follow.
pub fn stops(text: &str) -> bool {
    is_stop(text) || STOPS.iter().any(|stop| text.trim_start().starts_with(stop))
}

/// Whether the result of a refused call tells the agent to wait for the user.
pub fn bids_wait(result: &str) -> bool {
    result.trim_start().starts_with(WAIT[0]) && result.contains(WAIT[1])
}

/// Name of the slash command in a message as Claude Code stores it: `/review`.
pub fn command_name(text: &str) -> Option<&str> {
    let (_, name) = text.split_once("<command-name>")?;
    name.split_once("</command-name>").map(|(name, _)| name.trim())
}

/// Whether a slash command only controls the program.
pub fn is_local_command(name: &str) -> bool {
    LOCAL_COMMANDS.contains(&name)
}

/// The user's arguments after a skill's text, mostly empty; `None` if the text is no skill.
pub fn typed_behind_skill(text: &str) -> Option<&str> {
    let skill = text.strip_prefix(SKILL)?;
    Some(skill.rsplit_once(TYPED).map_or("", |(_, typed)| typed.trim()))
}

/// For a skill's text in place of its call: the name by which it was called, unless another message of the user has it,
/// and the user's arguments. pi puts both into the user's message, Codex writes a message of its own after that one.
pub fn expanded_skill(text: &str) -> Option<(Option<&str>, &str)> {
    let inside = text.trim_start().strip_prefix("<skill")?;
    let called = inside.strip_prefix(" name=\"").and_then(|rest| rest.split_once('"'));
    if called.is_none() && !inside.trim_start_matches('>').trim_start().starts_with("<name>") {
        return None;
    }
    let ends = || inside.match_indices(SKILL_END).map(|(at, _)| &inside[at + SKILL_END.len()..]);
    let alone = ends().find(|behind| behind.trim().is_empty() || behind.starts_with("\n\n"));
    let typed = alone.or_else(|| ends().next())?;
    Some((called.map(|(name, _)| name), typed.trim()))
}

/// Whether a text is one of the stubs.
pub fn is_stub(text: &str) -> bool {
    STUBS.contains(&text.trim())
}
