//! Prompts that a harness expanded from a file that the user named (Codex: `/prompts:NAME WORDS`): only the words
//! that the user added, if any, are the user's.

/// The heading above the user's words (spec-kit), and the start and label of its first version.
const INPUT: &str = "## User Input";
const FIRST: &str = "The user input to you can be provided directly by the agent or as a command argument";
const LABEL: &str = "User input:\n\n";
/// The text after the words, and the texts after them in the first version.
const MUST: &str = "You **MUST** consider the user input";
const ENDS: [&str; 4] = ["\n\nGoal:", "\n\nThe text the user typed", "\n\nGiven ", "\n\n1. "];
/// The fence around the words.
const FENCE: &str = "```";
/// Text before the name of the command, which is in backticks.
const AFTER: &str = "The text the user typed after ";
/// Beginnings of texts that start an agent with steps in a tag (BMAD), and those tags.
const STARTS: [&str; 2] = ["You must fully embody this agent's persona", "IT IS CRITICAL THAT YOU FOLLOW"];
const STEPS: [&str; 3] = ["<agent-activation", "<steps CRITICAL", "<workflow CRITICAL"];

/// Hermes: texts before the name of a skill that the user called, before the user's words, and after them.
const CALLED: [&str; 2] = ["[SYSTEM: The user has invoked the \"", "[IMPORTANT: The user has invoked the \""];
const ALONGSIDE: &str = "The user has provided the following instruction alongside the skill invocation:";
const NOTE: &str = "\n\n[Runtime note:";
/// Start of the review prompt (opencode), and the texts around the user's words.
const REVIEW: &str = "You are a code reviewer. Your job is to review code changes";
const GIVEN: &str = "\n---\n\nInput:";
const RULE: &str = "\n---\n";

/// Prompts of the command `/init`, by their beginnings and a later text of each: Claude Code, Codex, Gemini CLI.
const INITS: [(&str, &str); 3] = [
    (
        "Please analyze this codebase and create a CLAUDE.md file, which will be given to future instances of Claude Code",
        "Usage notes:",
    ),
    (
        "Generate a file named AGENTS.md that serves as a contributor guide for this repository.",
        "Your goal is to produce a clear, concise, and well-structured document",
    ),
    (
        "You are an AI agent that brings the power of Gemini directly into the terminal. Your task is to analyze",
        "GEMINI.md",
    ),
];
/// Cursor: what its button for plans says to the agent, beside the first sentence.
const BUILD: &str = "Implement the plan as specified, it is attached for your reference.";
const OF_BUTTON: [&str; 5] = [
    "Do NOT edit the plan file itself.",
    "To-do's from the plan have already been created.",
    "Do not create them again.",
    "Mark them as in_progress as you work, starting with the first one.",
    "Don't stop until you have completed all the to-dos.",
];

/// Antigravity: start of the user's comments on a document, a passage, a comment, and a sentence of the program.
const COMMENTS: &str = "Comments on artifact URI: ";
const PASSAGE: &str = "Selection:";
const COMMENT: &str = "Comment: ";
const APPROVED: &str = "The user has approved this document.";

/// The command and the user's words in such a prompt, or the file it names if the user added none.
pub(super) fn typed(text: &str) -> Option<String> {
    let text = text.trim_start();
    if let Some(words) = input(text) {
        let command = command(text).unwrap_or_default();
        return Some(format!("{command} {}", words.trim()).trim().to_owned());
    }
    if INITS.iter().any(|(start, later)| text.starts_with(start) && text.contains(later)) {
        return Some("/init".to_owned());
    }
    if let Some(typed) = called(text).or_else(|| reviewed(text)).or_else(|| built(text)) {
        return Some(typed);
    }
    STARTS.iter().find(|start| text.starts_with(**start))?;
    let at = STEPS.iter().filter_map(|tag| text.find(tag)).min()?;
    let name = text[at + 1..].split([' ', '>']).next()?;
    let (steps, behind) = text[at..].split_once(&format!("</{name}>"))?;
    let file = steps.split_whitespace().find(|word| word.starts_with('@') && word.contains('/'));
    let words = behind.trim();
    Some(if words.is_empty() { file.unwrap_or_default() } else { words }.to_owned())
}

/// A skill with the words added to its call.
fn called(text: &str) -> Option<String> {
    let (name, skill) = CALLED.iter().find_map(|start| text.strip_prefix(start))?.split_once("\" skill")?;
    let words = skill.rsplit_once(ALONGSIDE).map_or("", |(_, words)| words);
    let words = words.split_once(NOTE).map_or(words, |(words, _)| words);
    Some(format!("/{name} {}", words.trim()).trim().to_owned())
}

/// A review with its arguments.
fn reviewed(text: &str) -> Option<String> {
    let (_, behind) = text.strip_prefix(REVIEW)?.split_once(GIVEN)?;
    let (words, _) = behind.split_once(RULE)?;
    Some(format!("/review {}", words.trim()).trim().to_owned())
}

/// The order to carry a plan out without the button's own sentences.
fn built(text: &str) -> Option<String> {
    let [first, .., last] = OF_BUTTON;
    let is_it = text.contains(BUILD) && text.contains(first) && text.contains(last);
    let own = || OF_BUTTON.iter().fold(text.to_owned(), |own, fixed| own.replacen(fixed, "", 1));
    is_it.then(|| own().lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n\n"))
}

/// The user's comments on a document of the agent, without the passages that they are about.
pub(super) fn commented(text: &str) -> Option<String> {
    let (_, body) = text.strip_prefix(COMMENTS)?.split_once('\n')?;
    let (mut own, mut is_passage) = (Vec::new(), false);
    for line in body.lines() {
        // A header of another document, or a tag, ends a passage without a comment.
        is_passage &= !line.starts_with(['<', '{']) && !line.starts_with(COMMENTS);
        let said = line.strip_prefix(COMMENT).map(|said| said.trim_matches('"'));
        if line.starts_with(PASSAGE) {
            is_passage = true;
        } else if said.is_some() || !is_passage && line != APPROVED {
            own.push(said.unwrap_or(line));
            is_passage = false;
        }
    }
    own.retain(|line| !line.starts_with(COMMENTS));
    Some(own.join("\n").trim().to_owned())
}

/// The user's words, which may be empty.
fn input(text: &str) -> Option<&str> {
    if let Some(behind) = text.strip_prefix(INPUT) {
        let fenced = behind.trim_start().strip_prefix(FENCE)?;
        let (_, words) = fenced.split_once('\n')?;
        return Some(words.split_once(MUST)?.0.rsplit_once(FENCE)?.0);
    }
    let (_, behind) = text.strip_prefix(FIRST)?.split_once(LABEL)?;
    let end = ENDS.iter().filter_map(|end| behind.find(end)).min();
    Some(end.map_or_else(|| behind.split("\n\n").next().unwrap_or_default(), |end| &behind[..end]))
}

/// The command, as named by the template.
fn command(text: &str) -> Option<&str> {
    let (_, behind) = text.split_once(AFTER)?;
    let (name, _) = behind.strip_prefix('`')?.split_once('`')?;
    name.starts_with('/').then_some(name)
}

#[cfg(test)]
mod tests {
    use super::{commented, typed};

    #[test]
    fn prompts_of_a_harness_are_told_by_their_command() {
        let init = "Please analyze this codebase and create a CLAUDE.md file, which will be given to future instances of \
                    Claude Code to operate in this repository.\n\nUsage notes:\n- Don't include generic practices.";
        assert_eq!(typed(init).as_deref(), Some("/init"));
        assert_eq!(typed("Please analyze this codebase and create a CLAUDE.md file. Never name the quay."), None);
        let plan = |before: &str, behind: &str| {
            format!(
                "{before}Implement the plan as specified, it is attached for your reference. Do NOT edit the plan file \
                 itself.\n\nTo-do's from the plan have already been created. Don't stop until you have completed all the \
                 to-dos.{behind}"
            )
        };
        let order = "Implement the plan as specified, it is attached for your reference.";
        assert_eq!(typed(&plan("", "")).as_deref(), Some(order));
        let told = typed(&plan("Tide map\n\n", "\n\nUse oil."));
        assert_eq!(told, Some(format!("Tide map\n\n{order}\n\nUse oil.")));
        let within = plan("", "").replace("created. ", "created. Never touch the quay. ");
        assert_eq!(typed(&within), Some(format!("{order}\n\nNever touch the quay.")));
        assert_eq!(typed("Do NOT edit the plan file itself."), None);
    }

    #[test]
    fn of_a_template_the_words_of_the_user_are_told() {
        let rest = "You **MUST** consider the user input.\n\n## Outline\n\nThe text the user typed after `/speckit.specify` \
                    in the message **is** the description.\n1. Never ask twice.\n";
        let prompt = |words: &str| format!("\n## User Input\n\n```text\n{words}\n```\n\n{rest}");
        assert_eq!(typed(&prompt("Draw the tide map.")).as_deref(), Some("/speckit.specify Draw the tide map."));
        assert_eq!(typed(&prompt("")).as_deref(), Some("/speckit.specify"));
        let fenced = "Draw it:\n```\nx\n```\nand never drop a row.";
        assert_eq!(typed(&prompt(fenced)), Some(format!("/speckit.specify {fenced}")));
        let old = |words: &str| {
            format!(
                "The user input to you can be provided directly by the agent or as a command argument - you **MUST** \
                 consider it.\n\nUser input:\n\n{words}\n\nGoal: make a plan.\n"
            )
        };
        assert_eq!(typed(&old("Draw the tide map.")).as_deref(), Some("Draw the tide map."));
        assert_eq!(typed(&old("Draw it.\n\nNever in red.")).as_deref(), Some("Draw it.\n\nNever in red."));
        assert_eq!(typed(&old("")).as_deref(), Some(""));
    }

    #[test]
    fn of_comments_on_a_document_the_users_words_are_told() {
        let comments = "Comments on artifact URI: file:///quay/plan.md\n\nThe user has approved this document.\n\nSelection:\n\
                        >Do you prefer oil or gas?\n\nComment: \"oil, never gas\"\n\nSelection: >When?\nComment: \"now\"\n\
                        <USER_REQUEST>\ngo on\n</USER_REQUEST>";
        let told = "oil, never gas\n\nnow\n<USER_REQUEST>\ngo on\n</USER_REQUEST>";
        assert_eq!(commented(comments).as_deref(), Some(told));
        let two = "Comments on artifact URI: file:///a.md\nSelection: >x\nComments on artifact URI: file:///b.md\nComment: \"no\"";
        assert_eq!(commented(two).as_deref(), Some("no"));
        assert_eq!(
            commented("Comments on artifact URI: a\nSelection: >x\n<USER_REQUEST>").as_deref(),
            Some("<USER_REQUEST>")
        );
    }

    #[test]
    fn of_a_skill_and_a_review_the_call_is_told() {
        let skill = |behind: &str| {
            format!(
                "[SYSTEM: The user has invoked the \"chart\" skill, indicating they want you to follow its \
                 instructions. The full skill content is loaded below.]\n\n# Chart\n\n- Never sail.\n{behind}"
            )
        };
        assert_eq!(typed(&skill("")).as_deref(), Some("/chart"));
        let words = "\nThe user has provided the following instruction alongside the skill invocation: draw the tides";
        assert_eq!(typed(&skill(words)).as_deref(), Some("/chart draw the tides"));
        assert_eq!(
            typed(&skill(&format!("{words}\n\n[Runtime note: Save it.]"))).as_deref(),
            Some("/chart draw the tides")
        );
        let review = |words: &str| {
            format!(
                "You are a code reviewer. Your job is to review code changes and provide actionable feedback.\n\n---\n\n\
                 Input: {words}\n\n---\n\n## Scope\n\n- Only review the changes.\n"
            )
        };
        assert_eq!(typed(&review("")).as_deref(), Some("/review"));
        assert_eq!(typed(&review("the tide map, in short")).as_deref(), Some("/review the tide map, in short"));
        assert_eq!(typed("You are a code reviewer. Be kind."), None);
    }

    #[test]
    fn of_steps_for_an_agent_the_file_is_told_or_what_stands_behind_them() {
        let steps = "You must fully embody this agent's persona. NEVER break character.\n\n<agent-activation CRITICAL=\"TRUE\">\n1. LOAD \
                     the file from @_crew/agents/pilot.md\n</agent-activation>\n";
        assert_eq!(typed(steps).as_deref(), Some("@_crew/agents/pilot.md"));
        assert_eq!(typed(&format!("{steps}\nMend the buoy.")).as_deref(), Some("Mend the buoy."));
        for own in [
            "Draw the map.\n## User Input\n```\nx\n```",
            "Explain <steps CRITICAL> to me.",
            "IT IS CRITICAL THAT YOU FOLLOW </steps> here: <steps CRITICAL=\"TRUE\">",
            "## User Input field is lost",
            "## User Input\n```json\n{}\n```\n## Task\nMend it.",
        ] {
            assert_eq!(typed(own), None, "{own}");
        }
    }
}
