//! Finds the user's task in a prompt that a harness wraps around it.
//!
//! The rest of such a prompt is rules for answers, examples, and the state of the terminal.

/// How the prompt of a harness is recognized, and the marks around the task in it.
struct Brief {
    /// Whether the text before the task is that of this harness.
    before: fn(&str) -> bool,
    /// The mark before the task.
    open: &'static str,
    /// The mark after the task; it may be missing, unless a person may begin so.
    close: &'static str,
}

/// OpenHands with calls written as text (an example, then the task, between lines of dashes); Terminus, Harbor's own
/// agent; Terminus after a summary; SWE-agent with an issue and with a challenge, and mini-swe-agent, each with tips
/// behind the task; VS Code, with context in tags before the request.
const BRIEFS: [Brief; 7] = [
    Brief {
        before: |text| text.contains("- START OF EXAMPLE -"),
        open: "- NEW TASK DESCRIPTION -",
        close: "- END OF NEW TASK DESCRIPTION -",
    },
    Brief {
        before: |text| text.starts_with("You are an AI assistant tasked with solving command-line tasks"),
        open: "\nTask Description:\n",
        close: "\nCurrent terminal state:\n",
    },
    Brief {
        before: |text| text.starts_with("You are picking up work from a previous AI agent on this task:"),
        open: "**Original Task:**",
        close: "**Summary from Previous Agent:**",
    },
    Brief {
        before: |text| text.starts_with("We're currently solving the following issue"),
        open: "\nISSUE:\n",
        close: "\nINSTRUCTIONS:\n",
    },
    Brief {
        before: str::is_empty,
        open: "We're currently solving the following CTF challenge.",
        close: "\nINSTRUCTIONS:\n",
    },
    Brief {
        before: str::is_empty,
        open: "Please solve this issue:",
        close: "\nYou can execute bash commands and edit files to implement the necessary changes.",
    },
    Brief { before: |text| text.starts_with('<'), open: "<userRequest>", close: "</userRequest>" },
];

/// The task in the prompt of a harness; any other text is returned as it is.
pub(super) fn task(text: &str) -> &str {
    let text = text.trim_start();
    let found = BRIEFS.iter().find_map(|brief| {
        let (before, task) = text.split_once(brief.open)?;
        let task = task.trim_start_matches('-');
        let closed = task.rsplit_once(brief.close).map(|(task, _)| task.trim_end_matches('-'));
        if before.is_empty() && closed.is_none() && !text.starts_with('<') {
            return None;
        }
        (brief.before)(before).then_some(closed.unwrap_or(task))
    });
    found.map_or(text, str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_task_behind_an_example_the_task_is_the_users() {
        let example =
            "Here's an example.\n\n----- START OF EXAMPLE -----\nUSER: Count the buoys.\n----- END OF EXAMPLE -----\n";
        let new =
            "----- NEW TASK DESCRIPTION -----\nChart the ebb.\n----- END OF NEW TASK DESCRIPTION -----\nFollow it!";
        assert_eq!(task(&format!("{example}{new}")), "Chart the ebb.");
        assert_eq!(task(new), new, "no example, no frame");
    }

    #[test]
    fn of_a_prompt_with_tips_the_issue_is_the_users() {
        let issue =
            "We're currently solving the following issue within our repository. Here's the issue text:\nISSUE:\n";
        let tips = "\n\nINSTRUCTIONS:\nNow, you're going to solve this issue.\n\nIMPORTANT TIPS:\n1. Never dredge.\n";
        assert_eq!(task(&format!("{issue}The ebb is late.\n{tips}")), "The ebb is late.");
        let challenge = "We're currently solving the following CTF challenge. It is called \"ebb\".";
        assert_eq!(task(&format!("{challenge}{tips}")), "It is called \"ebb\".");
        let own = "Please solve this issue: the ebb is late, and write a test.";
        assert_eq!(task(own), own, "a person may write so");
        let edits = "\n\nYou can execute bash commands and edit files to implement the necessary changes.\n## Rules\n";
        assert_eq!(task(&format!("Please solve this issue: The ebb is late.{edits}")), "The ebb is late.");
    }

    #[test]
    fn of_a_prompt_of_terminus_the_task_is_the_users() {
        let rules = "You are an AI assistant tasked with solving command-line tasks in a Linux environment.\n\nNever wait longer than 60 seconds.\n\n";
        let asked = "Task Description:\nChart the ebb.\nNever dredge.\n";
        let screen = "\nCurrent terminal state:\nroot@quay:/harbour#";
        assert_eq!(task(&format!("{rules}{asked}{screen}")), "Chart the ebb.\nNever dredge.");
        assert_eq!(task(&format!("{rules}{asked}")), "Chart the ebb.\nNever dredge.");
        assert_eq!(task(asked), asked, "a person may write it, too");
        let handed = "You are picking up work from a previous AI agent on this task:\n\n**Original Task:** Chart the ebb.\n\n**Summary from Previous Agent:**\nThe flood is charted.";
        assert_eq!(task(handed), "Chart the ebb.");
    }
}
