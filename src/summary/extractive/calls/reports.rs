//! Calls that only say something to the user: the final report of an agent that ends its run with a call, or an answer.
//!
//! Cline has `attempt_completion` and `plan_mode_respond`, OpenHands `finish`, Copilot `task_complete`. With
//! `update_topic`, Gemini CLI notes the state of the work.

use super::args::Args;
use super::delegates::is_tool;
use crate::transcript::ENDING_TOOLS;

/// Such tools besides those that end a run.
const TOOLS: [&str; 6] =
    ["plan_mode_respond", "task_completed", "final_answer", "send_message", "message_user", "respond"];
/// Arguments that hold the text.
const TEXTS: [&str; 7] = ["result", "message", "summary", "answer", "final_answer", "response", "text"];
/// Arguments of any kind beside it.
const BESIDE: [&str; 3] = ["task_progress", "command", "options"];
/// Texts of other arguments that only are a state.
const STATES: [&str; 5] = ["true", "false", "partial", "success", "completed"];
/// Fewest words of a text that is prose.
const WORDS: usize = 3;

/// What such a call says; `None` for other calls, such as one that sends a message to a named agent.
pub(in crate::summary::extractive) fn said(tool: &str, arguments: &str) -> Option<String> {
    ENDING_TOOLS.iter().chain(&TOOLS).any(|known| is_tool(tool, known)).then_some(())?;
    let args = Args::read(arguments);
    let mut texts = args.names().filter(|name| {
        let is_state = |text: String| STATES.contains(&&*text.to_lowercase());
        let is_plain = |raw: &str| STATES.contains(&raw) || raw == "null";
        !BESIDE.contains(name) && !args.raw(name).is_some_and(is_plain) && !args.text(&[name]).is_some_and(is_state)
    });
    let name = texts.next().filter(|name| TEXTS.contains(name) && texts.next().is_none())?;
    args.text(&[name]).filter(|text| text.split_whitespace().nth(WORDS - 1).is_some())
}

/// What a call notes of the state of the work beside its title; `None` for other calls.
pub(in crate::summary::extractive) fn noted(tool: &str, arguments: &str) -> Option<String> {
    is_tool(tool, TOPIC).then(|| Args::read(arguments).text(&["summary"])).flatten()
}

/// The tool with which Gemini CLI tells the topic and the state of the work.
const TOPIC: &str = "update_topic";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_topic_sums_up_is_said() {
        let topic = r#"{"title":"Lamps","summary":"The lamp is out since `oil` is empty."}"#;
        assert_eq!(noted("update_topic", topic).as_deref(), Some("The lamp is out since `oil` is empty."));
        assert_eq!(noted("create_topic", topic), None);
    }

    #[test]
    fn what_a_call_only_says_is_its_text() {
        let told = Some("The lamp of the pier burns.".to_owned());
        for (tool, arguments) in [
            ("attempt_completion", r#"{"result":"The lamp of the pier burns.","command":"open pier.html"}"#),
            ("plan_mode_respond", r#"{"response":"The lamp of the pier burns.","needs_more_exploration":false}"#),
            ("finish", r#"{"message":"The lamp of the pier burns.","task_completed":"true"}"#),
            ("task_complete", r#"{"summary":"The lamp of the pier burns."}"#),
        ] {
            assert_eq!(said(tool, arguments), told, "{tool}");
        }
        for tool in ENDING_TOOLS {
            assert_eq!(said(tool, r#"{"message":"The lamp of the pier burns."}"#), told, "{tool}");
        }
        for (tool, arguments) in [
            ("SendMessage", r#"{"to":"keeper","message":"The lamp of the pier burns."}"#),
            ("submit", r#"{"answer":"The harbour is at 51 north."}"#),
            ("send_message", r#"{"to":["keeper"],"message":"The lamp of the pier burns."}"#),
            ("send_message", r#"{"chat_id":-1001,"text":"The lamp of the pier burns."}"#),
            ("light", r#"{"message":"The lamp of the pier burns."}"#),
        ] {
            assert_eq!(said(tool, arguments), None, "{tool}");
        }
    }
}
