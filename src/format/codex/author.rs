//! Decides who wrote a message with role `user`: separates a person's words from the harness's (SPEC ruling 4).

use super::PREFACE;
use crate::format::shared::synthetic;
use crate::transcript::{Author, Message, Part, PartKind};

/// Beginnings of texts about the model's environment: instructions at the start of a session, reminders later.
const INSTRUCTIONS: &[&str] = &[
    "<environment_context>",
    "<user_instructions>",
    "<instructions>",
    "<permissions instructions>",
    "<collaboration_mode>",
    "<apps_instructions>",
    "<skills_instructions>",
    "<plugins_instructions>",
    "<recommended_plugins>",
];

/// Beginnings of other texts that the harness writes as user messages.
const HARNESS_TEXTS: &[&str] = &[
    "<turn_aborted>",
    "<skill>",
    "<user_shell_command>",
    "<subagent_notification>",
    "<model_switch>",
    "<hook_prompt",
    "<goal_context>",
    "<personality_spec>",
    "<token_budget>",
    "<user_action>",
    "Warning: apply_patch was requested via ",
];

/// Length in bytes from which a repeated text is not accidental.
const LEAST: usize = 40;

/// The author of a user message with these parts; `leading` if only instructions precede it.
pub(super) fn author(parts: &[Part<'_>], leading: bool) -> Author {
    let texts = || parts.iter().filter(|part| part.kind == PartKind::Text).map(|part| part.text.trim_start());
    let media = parts.iter().any(Part::is_media);
    if media || texts().any(is_persons) {
        Author::Person
    } else if leading && texts().any(is_instruction) {
        Author::System
    } else {
        Author::Harness
    }
}

/// Whether a text is the summary of a compaction: Codex's own, or one in epitome's tag.
pub(super) fn is_summary(text: &str) -> bool {
    text.starts_with(PREFACE) || synthetic::is_summary(text)
}

/// Number of leading texts in a person's message that the instructions before it already contain: some clients send
/// the project's instruction file again.
pub(super) fn repeats(message: &Message<'_>, before: &[Message<'_>]) -> usize {
    let texts = || message.parts.iter().filter(|part| part.kind == PartKind::Text);
    if message.author != Author::Person || texts().nth(1).is_none() {
        return 0;
    }
    let instructions = || before.iter().take_while(|message| message.author == Author::System);
    let holds = |part: &Part<'_>, text: &str| part.text.contains(text) && part.text.contains("<INSTRUCTIONS>");
    let again = |text: &str| {
        text.len() >= LEAST && instructions().any(|message| message.parts.iter().any(|part| holds(part, text)))
    };
    let count = texts().take_while(|part| again(part.text.trim())).count();
    if count < texts().count() { count } else { 0 }
}

fn is_persons(text: &str) -> bool {
    let harness = || HARNESS_TEXTS.iter().any(|start| text.starts_with(start));
    !text.is_empty() && !is_instruction(text) && !harness() && !text.starts_with(PREFACE)
}

fn is_instruction(text: &str) -> bool {
    let starts = |start: &&str| text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    let first = text.lines().next().unwrap_or_default();
    INSTRUCTIONS.iter().any(starts) || (first.starts_with("# ") && first.contains(".md instructions for "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_persons_words_are_told_from_the_harnesss() {
        let harness = [
            "<ENVIRONMENT_CONTEXT>\n</ENVIRONMENT_CONTEXT>",
            "# AGENTS.md instructions for /w\n\nBe brief.",
            "<turn_aborted>\nstopped\n</turn_aborted>",
            "<user_action>\n<action>review</action>\n</user_action>",
            "Warning: apply_patch was requested via exec_command. Use the apply_patch tool instead.",
            "",
        ];
        harness.iter().for_each(|text| assert!(!is_persons(text), "{text}"));
        for text in ["Fix the parser", "<p>is this html?", "# Plan\nFirst this", "what is AGENTS.md for?"] {
            assert!(is_persons(text), "{text}");
        }
    }
}
