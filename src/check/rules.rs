//! The table of all rules, for reports, `--rules` and `--fix`. Names are stable.

use crate::reason::Reason;

/// A rule that a transcript can break.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Its stable name.
    pub name: &'static str,
    /// Where the rule holds.
    pub scope: Scope,
    /// What is wrong if the rule is broken, as a fragment that fits after a colon.
    pub meaning: &'static str,
    /// What kind of fault it is.
    pub kind: RuleKind,
    /// How a fault is mended, if it can be.
    pub mend: Option<Mend>,
}

/// How a fault is mended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mend {
    /// In one word.
    pub how: &'static str,
    /// Whether the format mends it; else all formats have the same mend.
    pub by_format: bool,
}

/// Kinds of rules. Gates and mends go by these, not by names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleKind {
    /// The file is not there or is no transcript of its format, so that nothing in it was judged.
    Absent,
    /// Something else is wrong with the file as a whole.
    File,
    /// A line that can't be read.
    Unread,
    /// A line that can be read once it is repaired.
    Repairable,
    /// Calls, results and ids that do not go together.
    Pairing,
    /// Something else that the format does not allow.
    Form,
    /// A summary does not have the sections of its template.
    Sections,
}

impl RuleKind {
    /// The kind of the rule of this name; a rule that is in no table is one of a format.
    pub fn of(name: &str) -> Self {
        rule(name).map_or(Self::Form, |rule| rule.kind)
    }

    /// Whether it is of lines that can't be read as they are.
    pub fn is_unread(self) -> bool {
        matches!(self, Self::Unread | Self::Repairable)
    }

    const fn in_scope(scope: Scope) -> Self {
        match scope {
            Scope::Files => Self::File,
            Scope::Summaries => Self::Sections,
            Scope::Every | Scope::Formats(_) | Scope::Groups(_) => Self::Form,
        }
    }
}

/// Where a rule holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// For files, before they are known to hold a transcript.
    Files,
    /// In every format.
    Every,
    /// For summaries that epitome wrote, in every format.
    Summaries,
    /// In these formats only.
    Formats(&'static [&'static str]),
    /// In the formats of these lists only.
    Groups(&'static [&'static [&'static str]]),
}

impl Scope {
    /// The names of the formats, or a phrase for the scope.
    pub fn names(&self) -> Vec<&'static str> {
        match self {
            Self::Files => vec!["files"],
            Self::Every => vec!["all formats"],
            Self::Summaries => vec!["summaries"],
            Self::Formats(names) => names.to_vec(),
            Self::Groups(lists) => lists.concat(),
        }
    }
}

/// Finds a rule by name.
pub fn rule(name: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.name == name)
}

/// What `--fix` leaves of the faults of a rule that it mends.
pub fn left_by_fix(rule: &str) -> Option<&'static str> {
    match rule {
        "orphan_result" => Some("not one that names no call, behind words of the model: they may be one"),
        "duplicate_result" => Some("not where as many calls have the same id: each has one"),
        _ => None,
    }
}

/// Formats of rows that trainers read.
const ROWS: &[&str] = &[
    "openai-chat",
    "openai-preference",
    "messages-variants",
    "trl",
    "tau-bench",
    "tau2-bench",
    "sharegpt",
    "toolbench",
];
/// Logs of calls to an API.
const LOGS: &[&str] = &["llm-http-logs"];
/// Formats of rows, logs and lines that name a speaker with each turn.
const SPEAKERS: &[&[&str]] = &[ROWS, LOGS, TURNS];
/// Other formats that do.
const TURNS: &[&str] = &[
    "openai-messages",
    "anthropic-messages",
    "bedrock-converse",
    "gemini-contents",
    "ai-sdk",
    "hf-sts",
    "langchain",
    "autogen",
    "ai-studio",
    "chatgpt-export",
    "claude-ai-export",
    "open-webui",
];
/// Other formats whose messages follow the rules of OpenAI's API.
const OPENAI_MESSAGES: &[&str] = &[
    "openai-messages",
    "swe-agent",
    "mini-swe-agent",
    "forge",
    "hermes",
    "ai-sdk",
    "langchain",
    "autogen",
    "pydantic-ai",
];
/// Formats whose messages follow the rules of OpenAI's API.
const OPENAI: &[&[&str]] = &[OPENAI_MESSAGES, ROWS, LOGS];
/// Those whose messages and calls are stored as that API has them.
const CALLS: &[&str] =
    &["openai-messages", "openai-chat", "openai-preference", "messages-variants", "trl", "tau-bench", "tau2-bench"];
/// Those of which calls may have their arguments in a string.
const SPELLED_CALLS: &[&[&str]] =
    &[CALLS, &["swe-agent", "mini-swe-agent", "forge", "hermes", "langchain", "autogen"], LOGS];
/// Formats whose messages consist of blocks as in Anthropic's API.
const BLOCKS: &[&str] = &["anthropic-messages", "bedrock-converse", "cline", "roo"];
const OPENAI_AND_BLOCKS: &[&[&str]] = &[OPENAI_MESSAGES, ROWS, LOGS, BLOCKS];
const BLOCKS_AND_LOGS: &[&[&str]] = &[BLOCKS, LOGS];
/// Formats whose messages follow the rules of Anthropic's API.
const ANTHROPIC: &[&str] = &["anthropic-messages", "cline", "roo", "llm-http-logs"];
/// Formats of APIs that require user and model messages to alternate.
const ALTERNATING: &[&str] = &["anthropic-messages", "bedrock-converse", "cline", "gemini-contents", "llm-http-logs"];
/// Formats whose records link to their parents.
const LINKED: &[&str] = &[
    "claude-code",
    "pi",
    "openclaw",
    "droid",
    "qwen",
    "copilot-cli",
    "chatgpt-export",
    "claude-ai-export",
    "librechat",
    "open-webui",
];
/// Formats of rows with a prompt of their own.
const PROMPTS: &[&str] = &["openai-preference", "trl"];

/// A rule whose faults are left.
const fn left(name: &'static str, scope: Scope, meaning: &'static str) -> Rule {
    Rule { name, scope, meaning, kind: RuleKind::in_scope(scope), mend: None }
}

/// A rule of files that is a reason of reports, too.
const fn of_file(reason: Reason) -> Rule {
    left(reason.name(), Files, reason.meaning())
}

/// A rule whose faults are mended alike in every format.
const fn mended(name: &'static str, how: &'static str, scope: Scope, meaning: &'static str) -> Rule {
    Rule { mend: Some(Mend { how, by_format: false }), ..left(name, scope, meaning) }
}

/// A rule whose faults the format mends.
const fn mended_by_format(name: &'static str, how: &'static str, scope: Scope, meaning: &'static str) -> Rule {
    Rule { mend: Some(Mend { how, by_format: true }), ..left(name, scope, meaning) }
}

impl Rule {
    const fn of(self, kind: RuleKind) -> Self {
        Self { kind, ..self }
    }
}

use RuleKind::{Absent, Pairing, Repairable, Unread};
use Scope::{Every, Files, Formats, Groups, Summaries};

/// All rules: of files, of every format, of single formats, of summaries.
pub const RULES: &[Rule] = &[
    of_file(Reason::NotFound).of(Absent),
    of_file(Reason::Unreadable).of(Absent),
    of_file(Reason::SymlinkLoop).of(Absent),
    of_file(Reason::DamagedCompression).of(Absent),
    of_file(Reason::TooLarge),
    of_file(Reason::LineTooLong),
    of_file(Reason::NotATranscript).of(Absent),
    of_file(Reason::UnsupportedFormat).of(Absent),
    of_file(Reason::WrongFormat).of(Absent),
    of_file(Reason::ChangedWhileReading),
    of_file(Reason::NotWritten),
    of_file(Reason::NoUndo),
    of_file(Reason::Panicked),
    mended(
        Reason::InvalidLine.name(),
        "dropped",
        Every,
        "no JSON: torn, not UTF-8, or a NUL byte; whole records beside what is torn stay where they surely are records",
    )
    .of(Unread),
    mended("glued_records", "parted", Every, "several records on one line").of(Repairable),
    mended("invalid_escape", "doubled", Every, "a backslash in a text that begins no escape of JSON").of(Repairable),
    left(Reason::UnknownShape.name(), Every, "JSON, but not what the format stores").of(Unread),
    mended("orphan_result", "dropped", Every, "a result without a call before it").of(Pairing),
    mended("duplicate_result", "dropped", Every, "a second result of one call").of(Pairing),
    mended("unanswered_call", "dropped", Every, "a call without a result, though the conversation goes on").of(Pairing),
    left("duplicate_call_id", Every, "a call with the id of an earlier call").of(Pairing),
    left("interrupted_results", Groups(OPENAI), "a message stands between a call and its result").of(Pairing),
    mended_by_format("empty_content", "dropped", Groups(OPENAI_AND_BLOCKS), "a message or a text that says nothing"),
    left("assistant_media", Groups(OPENAI), "media in a message of the assistant"),
    left(
        Reason::UnknownSpeaker.name(),
        Groups(SPEAKERS),
        "a message of a speaker that nobody knows, so that the row or session is left as it is",
    ),
    left(
        Reason::UnreadableCalls.name(),
        Formats(CALLS),
        "calls that no reader understands, or without a name, so that the row or session is left as it is",
    ),
    left("no_json_arguments", Groups(SPELLED_CALLS), "the arguments of a call are a string that is no JSON"),
    left("no_assistant", Formats(ROWS), "a training row without an answer"),
    left("prompt_ends_on_answer", Formats(PROMPTS), "a prompt ends on a message of the assistant"),
    left("media_count", Formats(ROWS), "a column has another number of media than the texts have places"),
    left("wrong_order", Formats(&["sharegpt"]), "the sides do not alternate, or a question has no answer"),
    left("first_not_user", Formats(ALTERNATING), "the first message is not the user's"),
    left("same_role_twice", Formats(ALTERNATING), "two messages of one role in a row"),
    left("ends_in_thinking", Groups(BLOCKS_AND_LOGS), "the last message ends in reasoning"),
    left("results_not_first", Formats(ANTHROPIC), "a result stands behind other content"),
    mended(
        "duplicate_uuid",
        "dropped",
        Formats(&["claude-code"]),
        "the id of an earlier record; an exact copy can be dropped",
    )
    .of(Pairing),
    mended_by_format(
        "dangling_parent",
        "relinked",
        Formats(&["claude-code", "pi", "openclaw", "droid", "qwen", "copilot-cli", "opencode"]),
        "the record that it follows is not there",
    ),
    left(
        Reason::SeveralSessions.name(),
        Formats(&["claude-code", "codex", "pi", "openclaw"]),
        "another session begins here, so that the file is left as it is; split it",
    ),
    left("dangling_leaf", Formats(&["claude-code"]), "a title or prompt of a message that is not there"),
    left("dangling_snapshot", Formats(&["claude-code"]), "a file snapshot of a message that is not there"),
    left("summary_without_boundary", Formats(&["claude-code"]), "no compaction boundary before the summary"),
    left("other_role", Formats(&["claude-code"]), "a message whose role is not the type of its record"),
    left("parent_cycle", Formats(LINKED), "a record that follows itself"),
    left("time_goes_back", Formats(&["claude-code", "opencode"]), "older than a message before it"),
    left(
        "no_session_meta",
        Formats(&["codex"]),
        "the first line is not about the thread, so that it cannot be resumed",
    ),
    left("no_user_message", Formats(&["codex"]), "no event of the user, so that no list shows the session"),
    left(
        "reasoning_without_item",
        Formats(&["codex", "openai-responses"]),
        "the item that the reasoning belongs to does not follow",
    ),
    left(
        "other_summary",
        Formats(&["codex"]),
        "the message of a compaction is in no text of the history that it stores",
    ),
    left("ordinal_goes_back", Formats(&["codex"]), "an ordinal that is not above the one before"),
    left(
        "no_header",
        Formats(&["pi", "openclaw", "droid", "copilot-cli", "kimi-code"]),
        "the first line is no session header",
    ),
    left("dangling_label", Formats(&["pi", "openclaw"]), "a label of an entry that is not there"),
    left(
        "first_kept_not_on_path",
        Formats(&["pi", "openclaw"]),
        "a compaction keeps entries from one on that is not on its path",
    ),
    left("no_id", Formats(&["gemini-cli", "opencode"]), "a message without an id"),
    mended(
        "duplicate_id",
        "dropped",
        Formats(&[
            "gemini-cli",
            "opencode",
            "openhands",
            "pi",
            "openclaw",
            "droid",
            "qwen",
            "copilot-cli",
            "amp",
            "inspect",
        ]),
        "the id of another; an exact copy can be dropped",
    )
    .of(Pairing),
    left("dangling_rewind", Formats(&["gemini-cli"]), "a rewind to a message that is not there takes back everything"),
    mended_by_format("no_parts", "dropped", Formats(&["opencode", "otel-genai"]), "a message without parts"),
    mended_by_format(
        "part_of_another_message",
        "relinked",
        Formats(&["opencode"]),
        "a part that names another message",
    ),
    left("dangling_tail_start", Formats(&["opencode"]), "a compaction keeps messages from one on that is not there"),
    mended_by_format(
        "text_before_json",
        "dropped",
        Formats(&["opencode"]),
        "what `opencode export` prints, before the export: `opencode import` does not read the file",
    ),
    mended_by_format(
        "message_count_off",
        "recounted",
        Formats(&["goose", "hermes"]),
        "`message_count` is not the number of messages",
    ),
    left("ids_out_of_order", Formats(&["openhands"]), "an event with a lower id than one before it"),
    left("cause_without_target", Formats(&["openhands"]), "what caused the event is not there"),
    left("action_without_target", Formats(&["openhands"]), "the action that was observed is not there"),
    left("parent_without_target", Formats(&["openhands"]), "the event that it follows is not there"),
    left("not_one_of_action_and_observation", Formats(&["openhands"]), "an event is the one or the other"),
    left("invalid_condensation", Formats(&["openhands"]), "a condensation whose fields do not go together"),
    left("condensation_without_response", Formats(&["openhands"]), "a condensation of no response of a model"),
    left("no_steps", Formats(&["atif"]), "a trajectory without steps"),
    mended_by_format("step_ids_not_sequential", "renumbered", Formats(&["atif"]), "step ids do not count from 1"),
    left("agent_only_field", Formats(&["atif"]), "a field that only steps of the agent may have"),
    left("unknown_source_call", Formats(&["atif"]), "a result of a call that its step does not make"),
    mended_by_format("id_not_below_next", "recounted", Formats(&["amp"]), "the id of a message that is still to come"),
    left(
        "broken_tree",
        Formats(&["chatgpt-export", "claude-ai-export", "librechat", "open-webui"]),
        "a node or message that is named and not there, or that its parent or child does not name back",
    ),
    left("reasoning_without_answer", Formats(&["grok"]), "no answer follows the reasoning"),
    left("checkpoint_goes_back", Formats(&["kimi-cli"]), "a checkpoint whose number is not above the one before"),
    left("part_without_step", Formats(&["kimi-code"]), "a piece of a step that is not open, which nothing loads"),
    left("invalid_compaction", Formats(&["kimi-code"]), "a compaction without a summary or a count"),
    left("other_session", Formats(&["qwen"]), "a record of another session, which the loader refuses"),
    left("compression_without_history", Formats(&["qwen"]), "a compression without the history that it left"),
    left("condense_parent_missing", Formats(&["roo"]), "the summary that stands for the message is not there"),
    left("truncation_parent_missing", Formats(&["roo"]), "the mark that the message was cut off at is not there"),
    left("lost_attachment", Formats(&["inspect"]), "an attachment that is named and not there"),
    left("content_not_text", Formats(&["hf-sts"]), "content that is no string"),
    left("section_missing", Summaries, "a section that the template demands is not there"),
    left("section_duplicate", Summaries, "a section stands there twice"),
    left("section_out_of_order", Summaries, "a section stands before one that the template puts before it"),
    left("section_empty", Summaries, "a section has a heading and nothing else"),
    left("section_unknown", Summaries, "a heading that the template does not have"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_rule_stands_there_once_with_formats_that_exist() {
        let names: BTreeSet<_> = RULES.iter().map(|rule| rule.name).collect();
        assert_eq!(names.len(), RULES.len());
        for rule in RULES {
            if matches!(rule.scope, Scope::Formats(_) | Scope::Groups(_)) {
                let formats = rule.scope.names();
                let unknown: Vec<_> = formats.iter().filter(|name| crate::format::by_name(name).is_none()).collect();
                assert!(unknown.is_empty() && !formats.is_empty(), "{}: {unknown:?}", rule.name);
                assert_eq!(formats.iter().collect::<BTreeSet<_>>().len(), formats.len(), "{}", rule.name);
            }
            assert!(rule.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{}", rule.name);
            assert!(!rule.meaning.ends_with('.'), "{}", rule.name);
        }
    }
}
