//! What a text proposes to do before its question: “Shall I proceed?” after the commands of a release.

use super::consent::list_before;
use super::cues::lower;
use crate::summary::extractive::words::{DECLINES, GOES_ON_WITH};
use crate::summary::fence::Fence;
use crate::summary::text::{each_word, first_bytes, fold, last_bytes, starts_any, words};

/// Bytes at the end of a text where a proposal is looked for, and the maximum number of its commands.
const END: usize = 4_000;
const MOST: usize = 12;
/// Maximum number of words of a question about whatever was proposed, and bytes by which a word is the same in another
/// form.
const BARE: usize = 5;
const STEM: usize = 5;
/// Languages of fences around commands.
const SHELLS: [&str; 9] = ["bash", "bat", "cmd", "console", "powershell", "sh", "shell", "terminal", "zsh"];
/// Words of a question about running commands, and about all that a list has.
const RUNS: [&str; 17] = [
    "commands",
    "commit",
    "committing",
    "deploy",
    "deploying",
    "execute",
    "executing",
    "publish",
    "publishing",
    "push",
    "pushing",
    "release",
    "run",
    "running",
    "steps",
    "tag",
    "tagging",
];
const ALL: [&str; 8] = ["all", "changes", "findings", "fixes", "issues", "these", "them", "those"];

/// A question with what it proposes in the text before it: commands in fences, or the items of its only list; `None` if
/// it proposes no such thing, or the answer declines.
pub(in crate::summary::extractive) fn with_proposal(text: &str, question: &str, answer: &str) -> Option<String> {
    let (asked, answer) = (lower(question), lower(answer));
    let has = |list: &[&str]| has_any_of(&asked, list);
    if starts_any(&answer, DECLINES) {
        return None;
    }
    let end = last_bytes(text, END);
    // “Shall I go on with the map?” is not about the commands above it.
    let is_about = |commands: &String| {
        let commands = lower(commands);
        let names = |word: &str| word.len() >= STEM && commands.contains(first_bytes(word, STEM));
        words(&asked) <= BARE || each_word(&asked).any(names)
    };
    let commands = || commands(end).filter(|all| has(&RUNS) || has(GOES_ON_WITH) && is_about(all));
    // “The price is that of all three. Shall I go on?”
    let (last, own) = (question.rsplit(". ").next().unwrap_or(question).len(), asked.len());
    let asked_last = asked.get(own.saturating_sub(last)..).unwrap_or(&asked);
    let list = || list_before(end, question).filter(|list| has_any_of(asked_last, &ALL) && list != question);
    commands().or_else(list).map(|proposed| format!("{question} {proposed}"))
}

fn has_any_of(lower: &str, list: &[&str]) -> bool {
    each_word(lower).any(|word| list.contains(&word))
}

/// The commands in the fences of a text, one after the other.
fn commands(text: &str) -> Option<String> {
    let (mut fence, mut is_shell, mut all) = (Fence::default(), false, Vec::new());
    for line in text.lines() {
        let opens = !fence.is_open();
        if !fence.holds(line) {
            continue;
        }
        let line = line.trim();
        if opens {
            is_shell = SHELLS.contains(&line.trim_start_matches(['`', '~', '-', ' ']).trim());
        } else if fence.is_open() && is_shell && !line.is_empty() && !line.starts_with('#') {
            // Without code marks: that it ran is told elsewhere.
            all.push(fold(line.trim_start_matches("$ ")).replace('`', "'"));
        }
    }
    (!all.is_empty() && all.len() <= MOST).then(|| all.join("; "))
}

#[cfg(test)]
mod tests {
    use super::with_proposal;

    const SAIL: &str = "Shall I proceed with painting and lighting?";

    #[test]
    fn commands_in_fences_are_what_is_proposed() {
        let text = format!(
            "The pier is ready. The steps are:\n\n```bash\npaint pier\n# by night\n$ light --all\n```\n\nThen:\n```sh\nsail\n```\n\n{SAIL}"
        );
        let told = format!("{SAIL} paint pier; light --all; sail");
        assert_eq!(with_proposal(&text, SAIL, "yeah, do it all"), Some(told));
        assert_eq!(with_proposal(&text, SAIL, "no, wait"), None);
        assert_eq!(with_proposal(&text, "Shall I add a map of it?", "yes"), None);
        assert_eq!(with_proposal(&text, "Should I proceed with drawing a map of it?", "yes"), None);
        assert!(with_proposal(&text, "Shall I proceed?", "yes").is_some());
        assert_eq!(with_proposal(&text.replace("```bash", "```python").replace("```sh", "```"), SAIL, "yes"), None);
    }

    #[test]
    fn a_list_is_proposed_by_a_question_about_all_of_it() {
        let text =
            |question: &str| format!("I found this:\n\n- The lamp has no oil.\n- The pier is dark.\n\n{question}");
        let all = "Do you want me to mend these findings?";
        let told = format!("{all} The lamp has no oil; The pier is dark");
        assert_eq!(with_proposal(&text(all), all, "yes, mend them"), Some(told));
        let other = "Do you want me to draw the map of the quay?";
        assert_eq!(with_proposal(&text(other), other, "yes"), None);
        let price = "All of it costs $7. Shall I draw the map of the quay?";
        assert_eq!(with_proposal(&text(price), price, "yes"), None);
    }
}
