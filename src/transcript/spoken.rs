//! What a model's text says to its reader, without reasoning and without texts of the harness.

/// Tags before and after reasoning in the text of a message.
pub const THOUGHT_TAGS: [&str; 2] = ["<think>", "</think>"];

/// Beginnings of short texts that Claude Code writes in place of an answer.
const INSTEAD: [&str; 3] = ["No response requested.", "API Error: ", "You've hit your "];
/// Most bytes of such a text.
const SHORT: usize = 300;
/// Answers of a model that has nothing to say (OpenClaw).
const SILENT: [&str; 2] = ["NO_REPLY", "HEARTBEAT_OK"];
/// Beginning of a mark that an answer is a reply (OpenClaw): `[[reply_to_current]]`.
const REPLY: &str = "[[reply_to";
/// Label that prompts ask for before the last answer (ReAct).
const ANSWER: &str = "Final Answer:";
/// Labels that prompts ask for before the text beside an action (mini-SWE-agent, ReAct, AgentBench); a number may follow.
const LABELS: [&str; 2] = ["thought", "think"];

/// The part of a model's text that addresses the reader: without reasoning before it (whose opening tag may be in the
/// prompt), without label and reply mark, and empty if a harness wrote the text.
pub fn spoken(text: &str) -> &str {
    let said = without_thought(text);
    let said = without_mark(without_label(answer(said).unwrap_or(said)));
    let instead = said.len() <= SHORT && INSTEAD.iter().any(|opening| said.trim_start().starts_with(opening));
    if instead || SILENT.contains(&said.trim()) { "" } else { said }
}

/// The text behind the label of a final answer that begins a text, or a line behind a thought.
fn answer(text: &str) -> Option<&str> {
    let (before, said) = text.rsplit_once(ANSWER)?;
    let before = before.trim_end_matches([' ', '*']);
    let is_thought = before.ends_with('\n') && !before.contains("```") && without_label(before).len() < before.len();
    (before.trim().is_empty() || is_thought).then(|| said.trim_start_matches('*').trim_start())
}

/// A text without white space and a code fence around it.
pub fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let inside = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    inside.and_then(|inside| Some(inside.split_once('\n')?.1.trim())).filter(|it| !it.contains("\n```")).unwrap_or(text)
}

fn without_mark(text: &str) -> &str {
    let behind = text.trim_start().strip_prefix(REPLY).and_then(|rest| rest.split_once("]]"));
    behind.filter(|(name, _)| name.len() <= SHORT && !name.contains('\n')).map_or(text, |(_, said)| said.trim_start())
}

/// The reasoning in a text that says nothing else; `None` if it has no reasoning or says something.
pub fn thought(text: &str) -> Option<&str> {
    let [open, close] = THOUGHT_TAGS;
    let (thought, said) = text.split_once(close)?;
    let thought = thought.trim_start();
    let thought = thought.strip_prefix(open).unwrap_or(thought).trim();
    (said.trim().is_empty() && spoken(text).trim().is_empty() && !thought.is_empty()).then_some(thought)
}

fn without_label(text: &str) -> &str {
    let said = text.trim_start();
    let bold = said.starts_with("**");
    let begins = if bold { &said[2..] } else { said };
    let Some((label, behind)) = begins.split_once(':').filter(|(label, _)| label.len() <= SHORT) else { return text };
    let label = label.trim_end_matches(|char: char| char.is_ascii_digit()).trim_end();
    if !LABELS.iter().any(|known| label.eq_ignore_ascii_case(known)) {
        return text;
    }
    if bold { behind.trim_start().trim_start_matches("**").trim_start() } else { behind.trim_start() }
}

fn without_thought(text: &str) -> &str {
    let [open, close] = THOUGHT_TAGS;
    let Some((thought, said)) = text.split_once(close) else { return text };
    let opened = thought.trim_start().starts_with(open);
    // A text about the tag has it within a line.
    let alone = (thought.is_empty() || thought.ends_with('\n')) && (said.is_empty() || said.starts_with('\n'));
    if opened || alone && !thought.contains(open) { said } else { text }
}

#[cfg(test)]
mod tests {
    use super::{spoken, thought};

    #[test]
    fn reasoning_is_read_where_nothing_is_said() {
        assert_eq!(thought("<think>\nThe quay is wet.\n</think>\n"), Some("The quay is wet."));
        assert_eq!(thought("The quay is wet.\n</think>\n\n"), Some("The quay is wet."));
        for text in ["<think>The quay.</think>It is wet.", "The quay is wet.", "<think></think>"] {
            assert_eq!(thought(text), None, "{text}");
        }
    }

    #[test]
    fn reasoning_is_not_said() {
        for (text, said) in [
            ("<think>The quay, I guess.</think>The quay is dry.", "The quay is dry."),
            ("\n<think>\nHm.\n</think>\n\nDry.", "\n\nDry."),
            ("Maybe the quay.\n</think>\n\nDry.", "\n\nDry."),
            ("Only thought.\n</think>", ""),
            ("THOUGHT: The quay is dry.", "The quay is dry."),
            ("\nThought:\nThe quay is dry.", "The quay is dry."),
            ("**Thought:** The quay is dry.", "The quay is dry."),
            ("Think: The quay is dry.", "The quay is dry."),
            ("Thought 12: The quay is dry.", "The quay is dry."),
            ("Thought: I know it.\n**Final Answer:** The quay is dry.", "The quay is dry."),
            ("Final Answer: The quay is dry.", "The quay is dry."),
            ("[[reply_to_current]] The quay is dry.", "The quay is dry."),
            ("[[reply_to: 7]]\nThe quay is dry.", "The quay is dry."),
            ("NO_REPLY", ""),
            ("HEARTBEAT_OK\n", ""),
        ] {
            assert_eq!(spoken(text), said, "{text}");
        }
        for text in [
            "The quay is dry.",
            "It ends with `</think>`.",
            "NO_REPLY was sent.",
            "[[reply_to is a mark.",
            "The tag\n`<think>`\n</think>\nis left open.",
            "Thoughts: dry.",
            "The label is `Final Answer:` and no other.",
            "The quay is dry. A prompt ends so:\n\nFinal Answer: the tide",
            "",
        ] {
            assert_eq!(spoken(text), text);
        }
    }

    #[test]
    fn what_a_harness_says_in_place_of_an_answer_is_not_said() {
        let said = ["No response requested.", "API Error: 500 tide", "You've hit your limit · resets 3pm"].map(spoken);
        assert_eq!(said, [""; 3]);
        let report = "API Error handling is in place.";
        assert_eq!(spoken(report), report);
        let report = format!("API Errors are told now: {}", "the quay is dry. ".repeat(20));
        assert_eq!(spoken(&report), report);
    }
}
