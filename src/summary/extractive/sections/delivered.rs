//! Deliveries: commits, pushes, pull requests, merges, releases, and the requests that ask for them.

use super::LONGEST_LINE;
use super::accomplished::rank;
use super::printed::only_line;
use super::runs::Since;
use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::behind_commit::behind_commit;
use crate::summary::extractive::calls::delivery::words_for;
use crate::summary::extractive::calls::outcome::CallOutcome;
use crate::summary::extractive::session::commits::{Made, folder, is_git, steps};
use crate::summary::extractive::session::endings::Endings;
use crate::summary::items::Item;
use crate::summary::text::cut;

/// Prefix of a line about a commit.
pub(super) const COMMITTED: &str = "Committed ";
/// Length from which a word may be a stem of others: “committed”, “pushen”.
const STEM: usize = 4;

/// Words that negate a delivery word right after them; `t` is the end of “don’t”.
const BANS: [&str; 3] = ["never", "not", "t"];

/// Whether a line about a call reports a delivery that its request asks for by name: “commit this”.
pub(in crate::summary) fn is_asked_for(line: &str, request: &str) -> bool {
    let ran = line.strip_prefix("Ran `").and_then(|line| line.split_once('`')).map_or("", |(command, _)| command);
    let first = line.split(|char: char| !char.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
    let says = |word: &str| word.len() >= STEM && first.starts_with(word);
    let mut told = words_for(ran, says).peekable();
    if told.peek().is_none() {
        return false;
    }
    let request = request.to_lowercase();
    let words: Vec<&str> = request.split(|char: char| !char.is_alphanumeric()).collect();
    told.any(|word| {
        let is = |other: &str| other == word || word.len() >= STEM && other.starts_with(word);
        words.iter().enumerate().any(|(at, own)| is(own) && !(at > 0 && BANS.contains(&words[at - 1])))
    })
}

/// Adds to the line of a turn's last commit that it was pushed and which pull request was opened, and removes the lines
/// of those commands.
pub(super) fn with_commit(items: &mut Vec<Item>, ran: &[(&str, &Act<'_>)]) {
    let Some(at) = items.iter().rposition(|item| item.text.starts_with(COMMITTED)) else { return };
    let Some((_, commit)) = ran.iter().find(|(_, act)| Some(act.message) == items[at].origin) else { return };
    let behind = ran.iter().filter(|(_, act)| act.message >= commit.message);
    let worked = behind.filter(|(_, act)| matches!(act.outcome, CallOutcome::Done(_)));
    let (mut more, mut told) = (String::new(), Vec::new());
    for (shown, act) in worked {
        let is_pushed = pushes(act, commit);
        if is_pushed && !more.contains(PUSHED) {
            more.push_str(PUSHED);
        }
        let opened = shown.starts_with("gh pr create").then(|| only_line(act.result)).flatten();
        let opened = opened.filter(|line| line.starts_with("https://") && !line.contains(' '));
        if let Some(address) = &opened {
            more += &format!("; pull request {address}");
        }
        if opened.is_some() || is_pushed && shown.starts_with("git push") && !shown.contains(['&', ';', '|']) {
            told.push(format!("Ran `{shown}`: ok"));
        }
    }
    items[at].text += &more;
    items.retain(|item| !told.iter().any(|told| item.text.starts_with(told)));
}

/// The line for what failed behind a commit in the same command: the commit stands.
pub(super) fn failed_behind(act: &Act<'_>, endings: &Endings, newness: i64) -> Option<Item> {
    let (Action::Run(command), CallOutcome::Failed(detail)) = (&act.action, &act.outcome) else { return None };
    let (rest, line) = Made::of(act).and_then(|_| behind_commit(command, act.result))?;
    let line = line.unwrap_or_else(|| detail.clone());
    let lead = if line.is_empty() { "" } else { ": " };
    let text = format!("Ran `{}`: failed{}{lead}{line}", rest.shown(), Since::of_command(&rest, endings).word());
    Some(Item::new(cut(&text, LONGEST_LINE).into_owned(), act.message, rank(newness, 2)))
}

/// Text added to a commit that was pushed.
const PUSHED: &str = "; pushed";
/// Options of a push that still sends the current branch.
const PLAIN: [&str; 9] =
    ["-u", "--set-upstream", "-f", "--force", "--force-with-lease", "-q", "--quiet", "--no-verify", "--follow-tags"];

/// Whether a command pushes a commit, from the same folder; within the same command, only after the commit.
fn pushes(act: &Act<'_>, commit: &Act<'_>) -> bool {
    let (all, own) = (steps(act), steps(commit));
    let made = if act.message == commit.message { all.iter().rposition(|step| is_git(step, "commit")) } else { None };
    let behind = &all[made.map_or(0, |at| at + 1)..];
    let stays = folder(all) == folder(own) && folder(behind).is_none_or(|_| made.is_none());
    stays && behind.iter().any(|step| sends(step))
}

/// Whether a step pushes the current branch.
fn sends(step: &[String]) -> bool {
    let plain = |word: &String| !word.contains(':') && (!word.starts_with('-') || PLAIN.contains(&&**word));
    is_git(step, "push") && step[2..].iter().all(plain)
}

#[cfg(test)]
mod tests {
    use super::super::runs::items;
    use super::*;
    use crate::summary::builders::{act, user};
    use crate::summary::extractive::session::turns::turns;
    use crate::transcript::Message;

    #[test]
    fn a_request_that_names_what_was_done_asked_for_it() {
        let commit = "Committed 3f2a91c on `quay`: Mend the lamp";
        for request in ["Asked: “commit this”", "Asked: “Nice, commits please!”"] {
            assert!(is_asked_for(commit, request), "{request}");
        }
        assert!(is_asked_for("Pushed as one commit.", "Asked: “push it”"));
        assert!(!is_asked_for(commit, "Asked: “mend the lamp”"));
        assert!(!is_asked_for(commit, "Asked: “mend the lamp, but don't commit yet”"));
        assert!(is_asked_for("Ran `gh pr create --draft`: ok", "Asked: “push and open a PR”"));
        assert!(!is_asked_for("Ran `gh pr create --draft`: ok", "Asked: “print it”"));
        assert!(is_asked_for("Ran `git rebase main`: ok", "Asked: “rebase onto main first”"));
    }

    #[test]
    fn a_commit_stands_though_what_is_behind_it_failed() {
        let both = "git add -A && git commit -m 'Mend the lamp' && git push";
        let printed = "[quay 3f2a91c] Mend the lamp\n 1 file changed\nTo quay.example\n ! [rejected]        quay -> quay (fetch first)\nerror: failed to push some refs to 'quay.example'\nExit code: 1";
        let made = "Committed 3f2a91c on `quay`: Mend the lamp";
        let lines = |messages: &[Message<'_>]| {
            let head: Vec<_> = messages.iter().collect();
            let all = turns(&head, &[]);
            let items = items(&all[0], 0, &Endings::of(&all, &[]), 0);
            items.into_iter().map(|item| item.text).collect::<Vec<_>>()
        };
        let run = |command: &str, printed: &'static str| {
            act("Bash", &serde_json::json!({ "command": command }).to_string(), printed, false)
        };
        let refused = "Ran `git push`: failed: ! [rejected] quay -> quay (fetch first)";
        assert_eq!(lines(&run(both, printed)), [made, refused]);
        let pushed = [run(both, printed), run("git push", "   0ac166e..3f2a91c  quay -> quay\nExit code: 0")].concat();
        assert!(lines(&pushed)[0].starts_with(&format!("{made}; pushed")), "{:?}", lines(&pushed));
        let none = run(both, "error: pathspec 'x' did not match\nExit code: 1");
        assert!(lines(&none)[0].starts_with("Ran `git commit -m"), "{:?}", lines(&none));
    }

    #[test]
    fn only_a_push_of_the_branch_of_a_commit_is_told_with_it() {
        let told = |commands: &[&str]| {
            let calls = commands.iter().map(|command| {
                let result = if command.contains("git commit") {
                    "exit code: 0\n[quay 3f2a91c] Mend the lamp"
                } else {
                    "exit code: 0"
                };
                act("Bash", &serde_json::json!({ "command": command }).to_string(), result, false)
            });
            let messages: Vec<Message<'_>> = std::iter::once(user("Commit it.")).chain(calls.flatten()).collect();
            let head: Vec<&Message<'_>> = messages.iter().collect();
            let all = turns(&head, &[]);
            let (endings, last) = (Endings::of(&all, &[]), all.len() - 1);
            let items = items(&all[last], last, &endings, 0);
            items.into_iter().map(|item| item.text).find(|line| line.starts_with(COMMITTED)).unwrap_or_default()
        };
        let commit = "git commit -m 'Mend the lamp'";
        for pushed in [
            &[commit, "git push -u origin quay"][..],
            &["cd /quay && git commit -m 'Mend the lamp' && git push"],
            &["cd /quay && git commit -m 'Mend the lamp'", "cd /quay && git push 2>&1"],
        ] {
            assert!(told(pushed).ends_with(PUSHED), "{pushed:?}: {}", told(pushed));
        }
        for kept in [
            &[commit, "git push origin --delete old"][..],
            &[commit, "git push -n"],
            &[commit, "git push --tags"],
            &[commit, "cd ../docs && git push"],
            &["git push; git commit -m 'Mend the lamp'"],
            &["git commit -m 'Mend the lamp\n\ngit push is told now'"],
        ] {
            assert!(told(kept).starts_with(COMMITTED) && !told(kept).contains("pushed"), "{kept:?}: {}", told(kept));
        }
    }
}
