//! Commands that the user ran in a shell of the harness, reported as user messages: Claude Code's `!command`, with
//! its output in the next message, and Codex's, with the result in the same one.

use super::tags::inside;

/// The command of such a message, and its output if the message has it.
pub(in crate::summary::extractive) fn command(text: &str) -> Option<(&str, Option<&str>)> {
    let text = text.trim_start();
    let (command, result) = match text.starts_with("<user_shell_command>") {
        true => (inside(text, "<command>", "</command>")?, inside(text, "<result>", "</result>")),
        false => (inside(Some(text).filter(|text| text.starts_with(INPUT))?, INPUT, "</bash-input>")?, None),
    };
    (!command.is_empty()).then_some((command, result))
}

/// The tags around a command in Claude Code, and around its output.
const INPUT: &str = "<bash-input>";
const PRINTED: [(&str, &str); 2] = [("<bash-stdout>", "</bash-stdout>"), ("<bash-stderr>", "</bash-stderr>")];

/// The output in such a message: stdout, or stderr if that is empty.
pub(in crate::summary::extractive) fn printed(text: &str) -> Option<&str> {
    let text = text.trim_start();
    PRINTED.iter().find(|(open, _)| text.starts_with(open))?;
    let streams = PRINTED.iter().filter_map(|(open, close)| inside(text, open, close));
    Some(streams.fold("", |first, next| if first.is_empty() { next } else { first }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::builders::{agent, user};
    use crate::summary::extractive::session::turns::turns;
    use crate::transcript::{Author, Message};

    #[test]
    fn commands_are_known_in_both_spellings() {
        assert_eq!(command("<bash-input>make quay</bash-input>"), Some(("make quay", None)));
        let codex = "<user_shell_command>\n<command>\nmake\n</command>\n<result>\nExit code: 2\n</result>\n</user_shell_command>";
        assert_eq!(command(codex), Some(("make", Some("Exit code: 2"))));
        assert_eq!(command("see <bash-input>make</bash-input>"), None);
        assert_eq!(printed("<bash-stdout></bash-stdout><bash-stderr>no quay</bash-stderr>"), Some("no quay"));
        assert_eq!(printed("<bash-stdout></bash-stdout><bash-stderr></bash-stderr>"), Some(""));
        assert_eq!(printed("moored"), None);
    }

    #[test]
    fn what_the_user_ran_is_told_and_ends_what_was_still_to_do() {
        let harness = |text: &str| Message { author: Author::Harness, ..user(text) };
        let messages = [
            user("Publish the tide table."),
            agent("The tide table is committed. You still need to push it: `git push origin quay`."),
            harness("<bash-input>git push origin quay</bash-input>"),
            harness(
                "<bash-stdout>To example.org/tide\n * [new branch] quay -> quay</bash-stdout><bash-stderr></bash-stderr>",
            ),
            user("Now mend the lamp."),
        ];
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let turns = turns(&head, &[]);
        let said: Vec<&str> = turns[1].said.iter().map(|said| &*said.sentence).collect();
        assert!(turns[1].acts[0].by_user && turns[1].acts[0].outcome.worked());
        assert_eq!(said, ["The tide table is committed."]);
        assert!(turns[1].said[0].closing, "no call of the agent stands behind its words");
    }
}
