//! Texts that agent harnesses write as user messages, recognized by their wording alone.
//!
//! Runs of these harnesses are often stored as plain chats, where nothing else shows that no person wrote the text.
//! Each text is a fixed template of its harness: SWE-agent's parsers (`tools/parsing.py`), mini-SWE-agent's
//! `mini.yaml`, Cline's `responses.ts`, ToolBench's `Tree_search_prompts.py`, browser-use's message manager, Harbor's
//! Terminus, OpenHands, Inspect, and Gemini's command line. The summaries of Claude Code and Hermes are known by
//! theirs, too.

use crate::format::cline::author::{answered_tool, is_tagged};
use crate::transcript::fixed_texts::{CONTINUED, HERMES_CONTEXT, HERMES_END, HERMES_SUMMARY, is_stop};
use crate::transcript::{Author, Message, PartKind, Role, envelope};

/// Beginnings of texts that report the outcome of an action: of SWE-agent, OpenHands and mini-SWE-agent.
pub(in crate::format) const OUTCOMES: [&str; 5] = [
    "Your bash command contained syntax errors and was NOT executed.",
    "Your proposed edit has introduced new syntax error(s).",
    "EXECUTION RESULT of [",
    COMMAND,
    "<returncode>",
];
/// Beginning of SWE-agent's message that it terminated a command.
const COMMAND: &str = "The last command <command>";

/// Beginnings of the text with which Claude Code asks for a summary: of its current and of its earlier prompt.
const SUMMARIZE: [&str; 2] = [
    "CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.",
    "Your task is to create a detailed summary of the conversation so far, paying close attention to the user's explicit",
];

/// Tags of a slash command at the beginning of a text of Claude Code.
const COMMAND_TAGS: [&str; 4] = ["<command-name>", "<command-message>", "<command-args>", "<command-contents>"];

/// Beginnings of what a slash command of Claude Code's own printed.
const PRINTED: [&str; 2] = ["<local-command-stdout>", "<local-command-stderr>"];

/// Length in characters from which a text without headings is the prompt of the slash command before it.
const CALLED_FROM: usize = 1000;

/// Beginnings of other harness texts.
const OPENINGS: [&str; 30] = [
    // OpenHands, Inspect: prompts to continue after an answer without a call.
    "Please continue working on the task on whatever approach you think is suitable.",
    "Please proceed to the next step using your best judgement.",
    "Your last response did not include a tool call. Please proceed to the next step using your best judgement.",
    // SWE-agent: the answer could not be parsed.
    "Your output was not formatted correctly. You must ",
    "Your last output did not use any tool calls!",
    "Your last output included multiple tool calls!",
    "Your action could not be parsed properly",
    // mini-SWE-agent: the answer could not be parsed.
    "Please always provide EXACTLY ONE action in triple backticks",
    "Format error:\n\n<error>",
    "Tool call error:\n\n<error>",
    // Cline.
    "[ERROR] You did not use a tool in your previous response!",
    // Terminus: an answer could not be parsed, or a run continues from a summary. Its terminal output is not listed,
    // as a person may paste the same above a request.
    "Previous response had parsing errors:\nERROR:",
    "Previous response had warnings:\nWARNINGS:",
    "Are you sure you want to mark the task as complete? This will trigger your solution to be graded",
    "You are about to hand off your work to another AI agent.\n",
    "Here are the answers the other agent provided.\n",
    "The next agent has a few questions for you, please answer each of them one by one in detail:",
    // Terminus with skills.
    "Loaded skill: ",
    // ToolBench shows the model earlier attempts from this point.
    "This is not the first time you try this task, all previous trails failed.\nBefore you generate my thought",
    // browser-use: the result of an action (people write these words too, but not the sign), the history, and the page.
    "Action result: 🔗",
    "Action result: 🖱",
    "Action result: ⌨",
    "Action result: 📄",
    "Action result: 🔍",
    "Action result: 🔙",
    "Action result: 🕒",
    "[Your task history memory starts here]",
    "[Task history memory ends]\n[Current state starts here]",
    // Gemini's command line: an interrupted answer, and the description of the workspace.
    "System: Please continue.",
    "This is the Gemini CLI. We are setting up the context for our chat.",
];
/// Openings of the summaries of Hermes, in current and older versions.
const HERMES_SUMMARIES: [&str; 2] = [HERMES_SUMMARY, HERMES_CONTEXT];
/// How Claude Code's own summary, a user message, goes on after [`CONTINUED`].
const RAN_OUT: &str = " that ran out of context.";
/// The end of Cline's automated notices.
const AUTOMATED: &str = "(This is an automated message, so do not respond to it conversationally.)";

/// Tags that Codex and Claude Code put around whole messages of theirs.
const WHOLE: [&str; 7] = [
    "bash-stdout",
    "environment_context",
    "local-command-caveat",
    "local-command-stdout",
    "subagent_notification",
    "task-notification",
    "user_instructions",
];
/// Whether a text is nothing but a message of a harness: in its tag, or of these words.
fn is_whole(text: &str) -> bool {
    let text = text.trim();
    let in_tag = |tag: &&str| {
        let opens =
            text.strip_prefix('<').and_then(|rest| rest.strip_prefix(*tag)).is_some_and(|it| it.starts_with('>'));
        opens && text.strip_suffix('>').and_then(|rest| rest.strip_suffix(*tag)).is_some_and(|it| it.ends_with("</"))
    };
    is_stop(text) || WHOLE.iter().any(in_tag)
}

/// Whether a user message was written by a harness: its first text is one of a harness and none has tagged words of a
/// person, or each is nothing but a message of a harness.
pub(in crate::format) fn fill(message: &Message<'_>) -> bool {
    let mut texts = message.parts.iter().filter(|part| part.kind == PartKind::Text).map(|part| &*part.text);
    let Some(first) = texts.clone().next() else { return false };
    let told = is_told(first)
        || envelope::is_gateways(first)
        || first.trim_end().ends_with(AUTOMATED)
        || answered_tool(first).is_some();
    told && !texts.clone().any(is_tagged) || texts.all(is_whole) && !message.has_media()
}

/// Whether a text is a summary by Claude Code.
pub(in crate::format) fn is_continued(text: &str) -> bool {
    text.trim_start().strip_prefix(CONTINUED).is_some_and(|rest| rest.starts_with(RAN_OUT))
}

/// Whether a text in the format of Hermes is a summary of it, without a user's words after it.
pub(in crate::format) fn is_hermes_summary(text: &str) -> bool {
    let opens = HERMES_SUMMARIES.iter().any(|open| text.trim_start().starts_with(open));
    opens && !text.split_once(HERMES_END).is_some_and(|(_, rest)| rest.contains('\n') && !rest.trim().is_empty())
}

/// Whether a text in any format is a summary of Hermes: with its opening, and the line after it as its last one.
pub(in crate::format) fn is_closed_hermes_summary(text: &str) -> bool {
    let is_last = |end: &str| !end.contains('\n') && end.ends_with("---");
    let text = text.trim();
    text.starts_with(HERMES_SUMMARY)
        && text.split_once(HERMES_END).is_some_and(|(above, end)| above.ends_with('\n') && is_last(end))
}

/// Whether a text begins like one of a harness.
pub(in crate::format) fn is_told(text: &str) -> bool {
    let text = text.trim_start();
    let torn = text.starts_with(COMMAND) && !text.contains("</command>");
    !torn && OUTCOMES.iter().chain(&SUMMARIZE).chain(&OPENINGS).any(|opening| text.starts_with(opening))
}

/// Whether Claude Code asks for a summary in a text.
pub(in crate::format) fn asks_for_summary(text: &str) -> bool {
    SUMMARIZE.iter().any(|opening| text.starts_with(opening))
}

/// Returns the text after the slash command that it begins with.
pub(in crate::format) fn without_commands(text: &str) -> &str {
    let mut rest = text;
    while let Some(inside) = COMMAND_TAGS.iter().find_map(|tag| rest.strip_prefix(tag)) {
        let Some((_, behind)) = inside.split_once("</command-").and_then(|(_, end)| end.split_once('>')) else { break };
        rest = behind.trim_start();
    }
    rest
}

/// Whether a text is a slash command behind which Claude Code puts the prompt that it stands for: it then begins with
/// the message; what the harness does itself begins with the name.
pub(in crate::format) fn stands_for_prompt(text: &str) -> bool {
    text.starts_with(COMMAND_TAGS[1]) && text.contains(COMMAND_TAGS[0]) && is_command(text)
}

/// Whether a text is a slash command without words behind it: the harness may put the prompt there.
pub(in crate::format) fn is_command(text: &str) -> bool {
    COMMAND_TAGS.iter().any(|tag| text.starts_with(tag)) && without_commands(text).is_empty()
}

/// Whether a text may be such a prompt: no command itself, and with headings or as long as hardly anything that is
/// typed. A shorter one may be the user's, who goes on behind a command that was left without its prompt.
pub(in crate::format) fn may_be_called(text: &str) -> bool {
    let is_command = COMMAND_TAGS.iter().any(|tag| text.starts_with(tag));
    let has_headings = text.lines().any(|line| line.starts_with('#'));
    !is_command && (has_headings || text.chars().nth(CALLED_FROM).is_some())
}

/// Whether the user typed words for a slash command.
pub(in crate::format) fn has_arguments(command: &str) -> bool {
    let (_, inside) = command.split_once(COMMAND_TAGS[2]).unwrap_or_default();
    !inside.trim_start().is_empty() && !inside.trim_start().starts_with("</")
}

/// Beginnings of the harness's message before a local command, in current and older versions of Claude Code.
pub(in crate::format) const CAVEATS: [&str; 2] =
    ["<local-command-caveat>", "Caveat: The messages below were generated by the user while running local commands"];

/// Marks the slash commands that only the program answered: what it printed stands directly behind them, and its caveat
/// before them. Without one the agent may work on what the command says: `/goal mend the quay`.
pub(in crate::format) fn name_local_commands(messages: &mut [Message<'_>]) {
    let starts = |message: &Message<'_>, tags: &[&str]| {
        let text = message.parts.first().map_or("", |part| part.text.trim_start());
        message.role == Role::User && tags.iter().any(|tag| text.starts_with(tag))
    };
    for index in 2..messages.len() {
        let is_local = starts(&messages[index - 2], &CAVEATS) && starts(&messages[index - 1], &COMMAND_TAGS);
        if is_local && starts(&messages[index], &PRINTED) {
            let command = &mut messages[index - 1];
            if without_commands(command.text().trim_start()).is_empty() {
                command.answered_locally = true;
                command.author = Author::Harness;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::shared::slot;

    #[test]
    fn a_command_that_only_the_program_answered_is_no_request() {
        let message = |text: &'static str| Message {
            role: Role::User,
            author: Author::Person,
            parts: vec![slot::part(PartKind::Text, text.into(), slot::fixed_at(0..0))],
            ..Message::default()
        };
        let command = "<command-name>/btw</command-name>\n<command-args>is the lamp red?</command-args>";
        let caveat = "<local-command-caveat>Caveat: The messages below were …</local-command-caveat>";
        let printed = "<local-command-stdout>It is.</local-command-stdout>";
        for (before, behind, local) in
            [(caveat, printed, true), (caveat, "Light it.", false), ("Paint it.", printed, false)]
        {
            let mut messages = [message(before), message(command), message(behind)];
            name_local_commands(&mut messages);
            assert_eq!((messages[1].answered_locally, messages[1].is_real_user()), (local, !local), "{before}{behind}");
        }
    }

    fn said(texts: &[&'static str]) -> bool {
        let part = |text: &&'static str| slot::part(PartKind::Text, (*text).into(), slot::fixed_at(0..0));
        fill(&Message { parts: texts.iter().map(part).collect(), ..Message::default() })
    }

    #[test]
    fn texts_of_harnesses_are_told_from_a_persons() {
        for text in OUTCOMES.into_iter().chain(SUMMARIZE).chain(OPENINGS).filter(|text| *text != COMMAND) {
            assert!(said(&[text]), "{text}");
        }
        assert!(said(&[
            "[ERROR] No quay was named.\n\n# Next Steps\n\n(This is an automated message, so do not respond to it conversationally.)"
        ]));
        assert!(said(&[
            "[read_file for 'quay.md'] Result:",
            "ebb at six",
            "<environment_details>\n</environment_details>"
        ]));
        assert!(said(&["[OpenClaw heartbeat poll]"]));
        assert!(said(&["The last command <command>make tide</command> timed out."]));
        for text in [
            "Your output was not what I wanted.",
            "CRITICAL: Respond with the name of the quay only.",
            "Your task is to create a detailed summary of the tides.",
            "The last command failed, mend it.",
            "The last command <command> fails for me.",
            "New Terminal Output:\n$ make tide\nPlease mend it.",
            "[ERROR] the pier is gone",
        ] {
            assert!(!said(&[text]), "{text}");
        }
        for text in ["<turn_aborted>\nstopped\n</turn_aborted>", " [Request interrupted by user for tool use]\n"] {
            assert!(said(&[text]) && said(&[text, text]) && !said(&[text, "Mend the quay."]), "{text}");
        }
        for text in ["<turn_aborted>a</turn_aborted> Mend it.", "<turn_aborted", "<quay>it</quay>"] {
            assert!(!said(&[text]), "{text}");
        }
        let error = "[ERROR] You did not use a tool in your previous response!";
        assert!(!said(&[error, "<feedback>\nnot that pier\n</feedback>"]), "a person's words");
        assert!(!said(&["[attempt_completion] Result:", "<feedback>\nnot that pier\n</feedback>"]), "a person's words");
        assert!(!said(&[]));
    }
}
