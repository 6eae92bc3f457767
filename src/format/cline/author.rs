//! Decides who wrote a user message: Cline and Roo put a person's words into tags, among texts of the harness.

use crate::format::shared::json::Object;
use crate::transcript::{Author, Message, PartKind, Role};

/// `metadata.kind` of the summary written by Cline's own compaction.
pub(super) const SUMMARY: &str = "compaction_summary";
/// `metadata.kind` of a prompt to which Cline's compaction added a notice: the words are still the person's.
const NOTED: &str = "compaction";
/// `metadata.kind` of messages that the harness writes with role user.
const NOTICES: [&str; 7] = [
    "auto_compaction",
    "compaction_budget_emergency",
    "completion_reminder",
    "loop_detection_notice",
    "manual_compaction",
    "mistake_stop_notice",
    "recovery_notice",
];
/// Tags around a person's words.
pub(super) const TAGS: [&str; 5] = ["task", "feedback", "answer", "user_message", "user_input"];
/// The tag of the text that says what is open in the editor.
pub(super) const SURROUNDINGS: &str = "<environment_details>";
/// Beginnings of texts that the harness writes in user messages.
const HARNESS_TEXTS: [&str; 16] = [
    "# TODO LIST CREATION REQUIRED",
    "# TODO LIST UPDATE REQUIRED",
    "# Todo List (Optional",
    "# task_progress ",
    "(The user did not provide ",
    SURROUNDINGS,
    "<explicit_instructions",
    "<mode_notice>",
    "<system-reminder>",
    "<SYSTEM_NOTICE>",
    "[Continue assisting the user!]",
    "[ERROR]",
    "[NOTE]",
    "[TASK RESUMPTION]",
    "The user has provided feedback on the results. Consider their input to continue the task",
    "Tool result:\n",
];

/// The author of a message with these fields.
pub(super) fn author(fields: &Object<'_>, message: &Message<'_>) -> Author {
    let metadata = fields.object("metadata").unwrap_or_default();
    let kind = metadata.text("kind").unwrap_or_default();
    let display = metadata.text("displayRole").unwrap_or_default();
    match message.role {
        _ if kind == SUMMARY => Author::Summary,
        Role::User if message.author != Author::Tool => {
            let hidden = kind != NOTED && (NOTICES.contains(&&*kind) || is_notice(&display));
            if !hidden && says_something(message) { Author::Person } else { Author::Harness }
        }
        _ => message.author,
    }
}

/// Whether a `displayRole` marks a message that is not the person's.
fn is_notice(display: &str) -> bool {
    ["system", "status", "error"].contains(&display)
}

/// Whether a message holds a person's words, or media that are not a tool's.
fn says_something(message: &Message<'_>) -> bool {
    let texts = || message.parts.iter().filter(|part| part.kind == PartKind::Text).map(|part| &*part.text);
    if texts().next().is_some_and(|first| answered_tool(first).is_some()) {
        return texts().any(is_tagged);
    }
    let results = message.results().next().is_some();
    texts().any(|text| is_tagged(text) || !is_harness(text)) || !results && message.has_media()
}

/// The tool whose result a text begins with: `[tool for 'argument'] Result:`.
pub(in crate::format) fn answered_tool(text: &str) -> Option<&str> {
    let rest = text.trim_start().strip_prefix('[')?;
    let end = rest.find(|char: char| !(char.is_ascii_lowercase() || char == '_'))?;
    let (tool, behind) = rest.split_at(end);
    let head = behind.starts_with("] Result:") || behind.starts_with(" for ") && behind.contains("] Result:");
    (head && !tool.is_empty()).then_some(tool)
}

/// Whether a text begins or ends with a person's words in their tag.
pub(in crate::format) fn is_tagged(text: &str) -> bool {
    let text = text.trim();
    TAGS.iter().any(|tag| {
        let opens = |rest: &str| opens(rest, tag);
        let closes = text.strip_suffix('>').and_then(|text| text.strip_suffix(tag)).is_some_and(|t| t.ends_with("</"));
        text.strip_prefix('<').is_some_and(opens)
            || closes && text.match_indices('<').any(|(at, _)| opens(&text[at + 1..]))
    })
}

/// Whether a text begins with the name of a tag.
pub(super) fn opens(text: &str, tag: &str) -> bool {
    text.strip_prefix(tag).is_some_and(|rest| rest.starts_with(['>', ' ']))
}

/// Whether a text is empty or written by the harness.
pub(super) fn is_harness(text: &str) -> bool {
    let text = text.trim_start();
    text.is_empty() || HARNESS_TEXTS.iter().any(|start| text.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_tags_are_a_persons() {
        for text in [
            "<task>\nFix it\n</task>",
            "<user_input mode=\"act\">Fix it</user_input>",
            "The user denied this operation and said:\n<feedback>\nnot so\n</feedback>",
        ] {
            assert!(is_tagged(text), "{text}");
        }
        for text in ["task", "<tasks>", "see <task> here", "</task>", "<"] {
            assert!(!is_tagged(text), "{text}");
        }
    }

    #[test]
    fn an_answer_names_its_tool() {
        assert_eq!(answered_tool("[read_file for 'a.rs'] Result:"), Some("read_file"));
        assert_eq!(answered_tool("[attempt_completion] Result:\nok"), Some("attempt_completion"));
        assert_eq!(answered_tool("[ask for 'one\ntwo'] Result:"), Some("ask"));
        for text in ["[ ] Result: none", "[x] done", "Result:", "[read_file for"] {
            assert_eq!(answered_tool(text), None, "{text}");
        }
    }

    #[test]
    fn what_the_harness_says_is_no_persons() {
        assert!(is_harness("\n<environment_details>\n…") && is_harness("  ") && is_harness("[ERROR] You did not"));
        assert!(is_harness("\n\t# TODO LIST UPDATE REQUIRED - now") && is_harness("# task_progress List (Optional)"));
        assert!(!is_harness("please <environment_details>") && !is_harness("# TODO LIST\nMend the map."));
    }
}
