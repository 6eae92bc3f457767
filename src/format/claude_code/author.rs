//! Decides who wrote a record: separates the person's and the model's words from the harness's (SPEC ruling 4).

use crate::format::shared::harness_texts::{CAVEATS, asks_for_summary, has_arguments, is_command, without_commands};
use crate::format::shared::json::Object;
use crate::format::shared::synthetic::{says_continue, without_reminders};
use crate::transcript::fixed_texts::{command_name, is_local_command, typed_behind_skill};
use crate::transcript::{Author, Part, PartKind};

/// Beginnings of texts that the harness writes as user messages, besides its caveats.
const HARNESS_TEXTS: &[&str] = &[
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<task-notification>",
    "<teammate-message",
    "<system-reminder>",
    "<user-memory-input>",
    "[Image: original ",
    "[Image: source: ",
    "[Request interrupted by user",
    "[SYSTEM NOTIFICATION - NOT USER INPUT]",
    "<<autonomous-loop",
    "A session-scoped Stop hook is now active with condition:",
    "Another Claude session sent a message:",
    "Stop hook feedback:",
    "Unknown slash command:",
    "Operation stopped by hook:",
];

/// Model name of answers written by the harness: "No response requested." after a message that asks for nothing.
const SYNTHETIC: &str = "<synthetic>";

/// The author of an assistant record with this `message` and these parts.
pub(in crate::format) fn of_answer(message: &Object<'_>, parts: &[Part<'_>]) -> Author {
    let only_words = parts.iter().all(|part| part.kind == PartKind::Text);
    let synthetic = message.is("model", SYNTHETIC);
    if only_words && synthetic { Author::Harness } else { Author::Model }
}

/// The author of a user record with these parts.
pub(in crate::format) fn author(record: &Object<'_>, parts: &[Part<'_>]) -> Author {
    let meta = record.is_true("isMeta");
    if record.is_true("isCompactSummary") {
        Author::Summary
    } else if meta && parts.len() == 1 && says_continue(&parts[0].text) {
        Author::Continuation
    } else if parts.iter().all(Part::is_result) {
        Author::Tool
    } else if meta || machine_origin(record) || !parts.iter().any(is_persons) {
        Author::Harness
    } else {
        Author::Person
    }
}

/// Whether the record names an origin other than a person.
fn machine_origin(record: &Object<'_>) -> bool {
    record.object("origin").and_then(|origin| origin.text("kind")).is_some_and(|kind| kind == "task-notification")
}

/// Whether a part holds words or media of a person.
fn is_persons(part: &Part<'_>) -> bool {
    match part.kind {
        PartKind::Text => is_persons_text(&part.text),
        PartKind::Media(_) => true,
        _ => false,
    }
}

/// Whether a text contains a person's words, besides texts of the harness.
pub(super) fn is_persons_text(text: &str) -> bool {
    let text = without_reminders(text);
    let own = without_commands(text);
    let harness = typed_behind_skill(own) == Some("")
        || HARNESS_TEXTS.iter().chain(&CAVEATS).any(|start| own.starts_with(start))
        || asks_for_summary(own);
    let says = !own.is_empty() && !harness;
    says || own.len() < text.len() && is_request(text)
}

/// Whether a text of the harness is its prompt for the slash command in the text before it.
pub(super) fn is_prompt(text: &str, before: &str) -> bool {
    let before = without_reminders(before);
    let is_other = HARNESS_TEXTS.iter().chain(&CAVEATS).any(|start| text.trim_start().starts_with(start));
    !is_other && is_command(before) && command_name(before).is_some_and(|name| !is_local_command(name))
}

/// Whether a text is a slash command with arguments for the model.
fn is_request(text: &str) -> bool {
    let name = command_name(text).unwrap_or_default();
    has_arguments(text) && !is_local_command(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_persons_words_are_told_from_the_harnesss() {
        let persons = [
            "Fix the parser",
            "<p>is this html?",
            "<system-reminder>Plan mode.</system-reminder>\n\nMend the map.",
            "<command-name>/review</command-name><command-args>the diff</command-args>",
            "<command-message>init</command-message>\n<command-name>/init</command-name>\n\nAlso name the harbours.",
        ];
        let harness = [
            "<task-notification>done</task-notification>",
            "[Request interrupted by user for tool use]",
            "Operation stopped by hook: Another session is active.",
            "Stop hook feedback:\n[./quay.sh]: You must always sound the horn.",
            "Unknown slash command: moor",
            "Your task is to create a detailed summary of the conversation so far, paying close attention to the user's explicit requests",
            "[Image: source: /w/harbour/quay.png]",
            "[SYSTEM NOTIFICATION - NOT USER INPUT]\nThe tide has turned.",
            "Another Claude session sent a message:\nThe ferry is in.",
            "A session-scoped Stop hook is now active with condition: \"all moored\".",
            "<command-name>/compact</command-name>\n<command-args>keep the plan</command-args>",
            "<command-message>init</command-message><command-name>/init</command-name>",
            "Base directory for this skill: /s/tide\n\n# Tide",
            "  ",
        ];
        persons.iter().for_each(|text| assert!(is_persons_text(text), "{text}"));
        harness.iter().for_each(|text| assert!(!is_persons_text(text), "{text}"));
    }
}
