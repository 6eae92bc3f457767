//! What is handed over for good: commits, pushes, pull requests, merges, releases, and which requests ask for them.

use super::act::Action;
use super::acts::Act;
use super::outcome::Outcome;
use super::runs::only_line;
use crate::summary::items::Item;

/// What a line begins with that tells a commit.
pub(super) const COMMITTED: &str = "Committed ";
/// Commands that hand something over, and the word by which a user asks for it.
const DELIVERIES: [(&str, &str); 13] = [
    ("git push", "push"),
    ("git commit", "commit"),
    ("git merge", "merge"),
    ("git rebase", "rebase"),
    ("git tag", "tag"),
    ("git revert", "revert"),
    ("git cherry-pick", "cherry"),
    ("gh pr", "pr"),
    ("gh pr merge", "merge"),
    ("glab mr", "mr"),
    ("gh release", "release"),
    ("npm publish", "publish"),
    ("cargo publish", "publish"),
];
/// Letters of a word that may go on: “committed”, “pushen”.
const STEM: usize = 4;

/// Whether a command hands something over.
pub(super) fn delivers(shown: &str) -> bool {
    DELIVERIES.iter().any(|(command, _)| names(shown, command))
}

/// Whether a command stands in a line as whole words: `git merge-base` merges nothing.
fn names(line: &str, command: &str) -> bool {
    let ends = |behind: &str| !behind.starts_with(|char: char| char.is_alphanumeric() || char == '-');
    line.match_indices(command).any(|(at, _)| ends(&line[at + command.len()..]))
}

/// Whether a line of the story tells what its request asks for by name: “commit this”.
pub(in crate::summary) fn is_asked_for(line: &str, request: &str) -> bool {
    let ran = line.strip_prefix("Ran `").and_then(|line| line.split_once('`')).map_or("", |(command, _)| command);
    let first = line.split(|char: char| !char.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
    let says = |word: &str| word.len() >= STEM && first.starts_with(word);
    let told = DELIVERIES.iter().filter(|(command, word)| names(ran, command) || says(word));
    let mut told = told.map(|(_, word)| *word).peekable();
    if told.peek().is_none() {
        return false;
    }
    let request = request.to_lowercase();
    told.any(|word| {
        let is = |other: &str| other == word || word.len() >= STEM && other.starts_with(word);
        request.split(|char: char| !char.is_alphanumeric()).any(is)
    })
}

/// Tells with the last commit of a turn that it was pushed, and the pull request that was made of it: the lines of those
/// commands go.
pub(super) fn with_commit(items: &mut Vec<Item>, ran: &[(String, &Act<'_>)]) {
    let Some(at) = items.iter().rposition(|item| item.text.starts_with(COMMITTED)) else { return };
    let behind = ran.iter().filter(|(_, act)| Some(act.message) >= items[at].origin);
    let worked = behind.filter(|(_, act)| matches!(act.outcome, Outcome::Done(_)));
    let (mut more, mut told) = (String::new(), Vec::new());
    for (shown, act) in worked {
        let is_pushed = steps(act).any(|step| step.starts_with("git push") && !step.contains("--dry-run"));
        if is_pushed && !more.contains(PUSHED) {
            more.push_str(PUSHED);
        }
        let opened = shown.starts_with("gh pr create").then(|| only_line(act.result)).flatten();
        let opened = opened.filter(|line| line.starts_with("https://") && !line.contains(' '));
        if let Some(address) = &opened {
            more += &format!("; pull request {address}");
        }
        if opened.is_some() || shown.starts_with("git push") && !shown.contains(['&', ';', '|']) {
            told.push(format!("Ran `{shown}`: ok"));
        }
    }
    items[at].text += &more;
    items.retain(|item| !told.iter().any(|told| item.text.starts_with(told)));
}

/// What is said of a commit that was pushed.
const PUSHED: &str = "; pushed";

/// The steps of a command.
fn steps<'a>(act: &'a Act<'_>) -> impl Iterator<Item = &'a str> {
    let command = if let Action::Run(command) = &act.action { command } else { "" };
    command.split(['\n', ';', '&', '|']).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_hand_something_over() {
        assert!(delivers("cd quay && git merge lamp") && delivers("git push"));
        assert!(!delivers("npx lint --from $(git merge-base main HEAD)"));
    }

    #[test]
    fn a_request_that_names_what_was_done_asked_for_it() {
        let commit = "Committed 3f2a91c on `quay`: Mend the lamp";
        for request in ["Asked: “commit this”", "Asked: “Nice, commits please!”"] {
            assert!(is_asked_for(commit, request), "{request}");
        }
        assert!(is_asked_for("Pushed as one commit.", "Asked: “push it”"));
        assert!(!is_asked_for(commit, "Asked: “mend the lamp”"));
        assert!(is_asked_for("Ran `gh pr create --draft`: ok", "Asked: “push and open a PR”"));
        assert!(!is_asked_for("Ran `gh pr create --draft`: ok", "Asked: “print it”"));
        assert!(is_asked_for("Ran `git rebase main`: ok", "Asked: “rebase onto main first”"));
    }
}
