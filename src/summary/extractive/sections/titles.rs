//! What a request only names, by the title under which it was looked up: an issue or a pull request that a command
//! showed (“Implement quay-12”), a document that was read (“Go on with docs/plan.md”).

use crate::summary::extractive::calls::act::{Action, FileOp};
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::run::Command;
use crate::summary::extractive::sentences::prose::{heading, plain, sentences};
use crate::summary::extractive::session::turns::Turn;
use crate::summary::text::{behind_number, cut, first_bytes, fold, is_number, starts_any, words};
use crate::transcript::{base_name, parsed};
use foldhash::HashSet;
use serde_json::Value;

/// Endings of documents.
const DOCUMENTS: [&str; 6] = [".adoc", ".md", ".mdx", ".org", ".rst", ".txt"];
/// Documents that each project has: their titles tell nothing.
const USUAL: [&str; 6] = ["agents.md", "changelog.md", "claude.md", "contributing.md", "gemini.md", "readme.md"];
/// Words before the number of an issue.
const NUMBERED: [&str; 8] = ["bug", "issue", "mr", "pr", "pull", "request", "task", "ticket"];
/// Programs of trackers of issues, and the subcommands that show one of them.
const TRACKERS: [&str; 10] = ["acli", "az", "bd", "br", "gh", "glab", "jira", "linear", "tea", "tk"];
const SHOWS: [&str; 2] = ["show", "view"];
/// Keys of titles, and of objects around them, in what trackers print as JSON.
const TITLES: [&str; 3] = ["title", "summary", "name"];
const AROUND: [&str; 3] = ["fields", "issue", "data"];
/// Labels of the sentence of a document that says what it is for.
const PURPOSES: [&str; 5] = ["goal:", "objective:", "overview:", "purpose:", "summary:"];
/// Bytes of a result in which its title is looked for.
const BEGINNING: usize = 3_000;
/// Lines in which a title stands.
const LINES: usize = 8;
/// Maximum length of a title, in characters.
const LONGEST: usize = 120;
/// Least number of words of a title, and of a sentence beside it.
const TITLE: usize = 2;
const SENTENCE: usize = 5;

/// What the requests so far named, and whose titles were told.
#[derive(Default)]
pub(super) struct Titles {
    named: Vec<String>,
    told: HashSet<String>,
}

impl Titles {
    /// Adds what a request names.
    pub(super) fn ask(&mut self, turn: &Turn<'_>) {
        let Some(asked) = &turn.asked else { return };
        let texts = asked.own().iter().chain([&asked.start]);
        texts.for_each(|text| self.named.extend(named(text)));
    }

    /// The title of a named thing that a call showed, once.
    pub(super) fn told(&mut self, act: &Act<'_>) -> Option<String> {
        if self.named.is_empty() || !act.outcome.worked() {
            return None;
        }
        let (name, is_read) = match (&act.action, act.files()) {
            (_, [(FileOp::Read, path)]) if is_document(path) => {
                (self.latest(|name| is_document(name) && ends_in(path, name))?, true)
            }
            (_, [(FileOp::Read, _)]) => return None,
            (Action::Run(command), _) => {
                let views = Some(views(command)).filter(|views| !views.is_empty())?;
                (self.latest(|name| views.iter().any(|words| shows(words, name)))?, false)
            }
            _ => return None,
        };
        if self.told.contains(name) {
            return None;
        }
        let told = if is_read { document(act.result)? } else { quoted(&title(act.result, name)?) };
        let line = format!("{name} is {told}");
        self.told.insert(name.to_owned());
        Some(line)
    }

    /// The name that the latest request of those with such a name has.
    fn latest(&self, is_it: impl Fn(&str) -> bool) -> Option<&str> {
        self.named.iter().rev().map(String::as_str).find(|name| is_it(name))
    }
}

/// The documents, addresses, issues and numbers of issues (`#12`) that a sentence names.
fn named(sentence: &str) -> Vec<String> {
    let mut before = String::new();
    let mut named = Vec::new();
    for word in sentence.split_whitespace() {
        let bare = word.trim_matches(|sign: char| !sign.is_alphanumeric() && !"#/".contains(sign));
        let number = bare.strip_prefix('#').unwrap_or(bare);
        if is_number(number) && (number.len() < bare.len() || NUMBERED.contains(&&*before)) {
            named.push(format!("#{number}"));
        } else if is_document(bare) || bare.contains("://") || is_code(bare) {
            named.push(bare.to_owned());
        }
        before = bare.to_lowercase();
    }
    named
}

fn is_document(word: &str) -> bool {
    let is_usual = USUAL.contains(&&*base_name(word).to_lowercase());
    !is_usual && DOCUMENTS.iter().any(|ending| word.len() > ending.len() && word.ends_with(ending))
}

/// Whether a word can be the code of an issue: `quay-12`, `HARBOUR-7`.
fn is_code(word: &str) -> bool {
    let parts = word.split_once('-');
    parts.is_some_and(|(team, number)| {
        team.starts_with(|first: char| first.is_ascii_alphabetic())
            && number.chars().all(|char| char.is_ascii_alphanumeric() || char == '.')
            && !number.is_empty()
    })
}

/// Whether a path ends in a name, as a whole.
fn ends_in(path: &str, name: &str) -> bool {
    let name = name.trim_start_matches(['@', '.', '/']);
    path.strip_suffix(name).is_some_and(|folder| folder.is_empty() || folder.ends_with(['/', '\\']))
}

/// The steps of a command that show an issue of a tracker: `gh issue view 12`.
fn views(command: &Command) -> Vec<&[String]> {
    let is_view = |words: &&[String]| {
        words.first().is_some_and(|program| TRACKERS.contains(&&**program))
            && words.iter().skip(1).take(2).any(|word| SHOWS.contains(&&**word))
    };
    let all = command.steps().iter().map(Vec::as_slice).filter(is_view);
    if command.is_quiet() { all.collect() } else { Vec::new() }
}

/// Whether such a step shows a named issue.
fn shows(words: &[String], name: &str) -> bool {
    let number = name.strip_prefix('#').unwrap_or(name);
    words.iter().any(|word| word == number)
}

/// The title of an issue in what a command printed about it.
fn title(result: &str, name: &str) -> Option<String> {
    let text = result.trim();
    if text.starts_with(['{', '[']) {
        let value = parsed::<Value>(text)?;
        let first = value.get(0).unwrap_or(&value);
        let inner = AROUND.iter().find_map(|key| first.get(key)).unwrap_or(first);
        let title = TITLES.iter().find_map(|key| inner.get(key)?.as_str())?;
        return is_title(title).then(|| fold(title));
    }
    let lines = || text.lines().take(LINES).map(str::trim);
    let labeled = |line: &str| {
        let (label, title) = line.split_once(':')?;
        label.eq_ignore_ascii_case("title").then(|| fold(title))
    };
    let behind = |line: &str| {
        let (_, title) = line.split_once(name)?;
        Some(fold(&without_brackets(title.trim_start_matches('.'))))
    };
    let own = lines().find_map(|line| behind(line).filter(|_| !name.starts_with('#')));
    lines().find_map(labeled).or(own).filter(|title| is_title(title))
}

/// A title without what trackers add in brackets: `[EPIC] · Light the quay [P2 · OPEN]`.
fn without_brackets(text: &str) -> String {
    let mut out = String::new();
    let mut depth = 0_usize;
    for char in text.chars() {
        match char {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => out.push(char),
            _ => {}
        }
    }
    out.trim_matches(|sign: char| !sign.is_alphanumeric() && !"()?!.`".contains(sign)).to_owned()
}

fn is_title(title: &str) -> bool {
    words(title) >= TITLE && title.chars().count() <= LONGEST
}

fn quoted(title: &str) -> String {
    format!("“{title}”")
}

/// The title of a document, and the sentence that says what it is for, or its first one.
fn document(result: &str) -> Option<String> {
    let lines = first_bytes(result, BEGINNING).lines().map(|line| behind_number(line).unwrap_or(line));
    let text = lines.collect::<Vec<_>>().join("\n");
    let at = text.lines().take(LINES).position(|line| line.starts_with("# ") && heading(line).is_some_and(is_title))?;
    let title = plain(text.lines().nth(at).and_then(heading)?);
    let below = text.lines().skip(at + 1).collect::<Vec<_>>().join("\n");
    let told = sentences(&below);
    let is_labeled = |sentence: &&String| {
        let lower = sentence.to_lowercase();
        starts_any(&lower, &PURPOSES)
    };
    let is_plain =
        |sentence: &&String| words(sentence) >= SENTENCE && !sentence.contains(": ") && !sentence.ends_with(':');
    let says = told.iter().find(is_labeled).or_else(|| told.iter().find(is_plain));
    let says = says.map(|sentence| format!(": {}", cut(sentence, LONGEST))).unwrap_or_default();
    Some(quoted(&title) + &says)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::builders::{act, user};
    use crate::summary::extractive::session::turns::turns;
    use crate::transcript::Message;

    fn told(asked: &str, (tool, arguments, result): (&str, &str, &str)) -> Vec<String> {
        let mut messages: Vec<Message<'_>> = vec![user(asked)];
        messages.extend(act(tool, arguments, result, false));
        messages.extend(act(tool, arguments, result, false));
        let turns = turns(&messages.iter().collect::<Vec<_>>(), &[]);
        let mut titles = Titles::default();
        turns.iter().for_each(|turn| titles.ask(turn));
        turns.iter().flat_map(|turn| &turn.acts).filter_map(|act| titles.told(act)).collect()
    }

    #[test]
    fn an_issue_that_a_request_names_is_told_by_its_title_once() {
        let view = r#"{"command":"bd show quay-gqc 2>/dev/null"}"#;
        let shown = "○ quay-gqc [EPIC] · Light the northern quay [● P2 · OPEN]\nOwner: keeper\n";
        let title = ["quay-gqc is “Light the northern quay”"];
        assert_eq!(told("Implement quay-gqc", ("Bash", view, shown)), title);
        assert!(told("Implement quay-abc", ("Bash", view, shown)).is_empty());
        let view = r#"{"command":"cd /w && gh issue view 12 --json title,body"}"#;
        let shown = r#"{"title":"Light the northern quay","body":"It is dark."}"#;
        assert_eq!(told("Please fix #12.", ("Bash", view, shown)), ["#12 is “Light the northern quay”"]);
        assert_eq!(told("Please fix issue 12", ("Bash", view, "title:\tLight the quay\nstate:\tOPEN")).len(), 1);
        assert!(told("Please fix 12 lamps", ("Bash", view, shown)).is_empty());
        let view = r#"{"command":"npm view quay-12"}"#;
        assert!(told("Look at quay-12", ("Bash", view, "quay-12@1.2.3 | MIT | deps: none")).is_empty());
    }

    #[test]
    fn a_document_that_a_request_names_is_told_by_its_title_and_its_purpose() {
        let view = r#"{"file_path":"/w/docs/plan.md"}"#;
        let shown = "     1→# The Plan of the Lamps\n     2→\n     3→> **For Keepers:** Light it well.\n     4→\n     \
                     5→**Goal:** Every lamp of the quay is lit at night.\n";
        let told_ = told("Implement docs/plan.md", ("Read", view, shown));
        assert_eq!(told_, ["docs/plan.md is “The Plan of the Lamps”: Goal: Every lamp of the quay is lit at night."]);
        assert!(told("Implement the plan", ("Read", view, shown)).is_empty());
        assert!(told("Implement an.md", ("Read", view, shown)).is_empty());
        assert!(told("See README.md", ("Read", r#"{"file_path":"/w/README.md"}"#, shown)).is_empty());
    }
}
