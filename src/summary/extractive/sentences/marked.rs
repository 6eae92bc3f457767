//! Marks of what became of an item: “❌ lint”, “[ ] docs”. Printed without its mark, such an item would read as done.

use super::cues::begins_done;
use super::prose::without_marker;
use crate::summary::text::{behind, each_word, has_any};

/// What an item's mark says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::summary::extractive) enum Mark {
    Done,
    Undone,
    Failed,
    Running,
    Waiting,
    Skipped,
    Warns,
}

/// Marks with their meanings, without the selector of their picture.
const MARKS: [(&str, Mark); 26] = [
    ("[x]", Mark::Done),
    ("[X]", Mark::Done),
    ("✅", Mark::Done),
    ("✓", Mark::Done),
    ("✔", Mark::Done),
    ("☑", Mark::Done),
    ("🗹", Mark::Done),
    ("[ ]", Mark::Undone),
    ("☐", Mark::Undone),
    ("⬜", Mark::Undone),
    ("🔲", Mark::Undone),
    ("❌", Mark::Failed),
    ("✗", Mark::Failed),
    ("✘", Mark::Failed),
    ("✖", Mark::Failed),
    ("❎", Mark::Failed),
    ("[~]", Mark::Running),
    ("[/]", Mark::Running),
    ("🚧", Mark::Running),
    ("⏳", Mark::Waiting),
    ("⌛", Mark::Waiting),
    ("⏸", Mark::Waiting),
    ("⏭", Mark::Skipped),
    ("⚠", Mark::Warns),
    ("❗", Mark::Warns),
    ("‼", Mark::Warns),
];
/// Bullets before a mark.
const BULLETS: [&str; 5] = ["- ", "* ", "• ", "+ ", "– "];
/// Words of an item that says itself what its mark says, or that something is wrong.
const SAYS: [&str; 38] = [
    "bad",
    "blocked",
    "broken",
    "cannot",
    "caution",
    "caveat",
    "deferred",
    "error",
    "errors",
    "fail",
    "failed",
    "failing",
    "fails",
    "failure",
    "important",
    "incomplete",
    "issue",
    "lacks",
    "limitation",
    "missing",
    "never",
    "no",
    "none",
    "not",
    "note",
    "only",
    "pending",
    "postponed",
    "progress",
    "remaining",
    "running",
    "skipped",
    "still",
    "todo",
    "waiting",
    "warning",
    "without",
    "wrong",
];
/// Number of its first words of which one may say so.
const FIRST: usize = 4;
/// Words of a list of what passed and failed, in its items and in its lead; without one, “❌” may be said of a drawback
/// or a rule.
const OUTCOMES: [&str; 9] = ["done", "fail", "failed", "failing", "fails", "pass", "passed", "passes", "passing"];
const HEADS: [&str; 17] = [
    "build", "builds", "check", "checks", "ci", "jobs", "progress", "result", "results", "status", "step", "steps",
    "task", "tasks", "test", "tests", "todo",
];
/// Words of a lead to what was never begun: nothing failed there.
const LACKS: [&str; 10] = [
    "lacking",
    "missing",
    "not begun",
    "not implemented",
    "not started",
    "not supported",
    "not yet",
    "planned",
    "unimplemented",
    "unsupported",
];
/// Signs between an item and its mark at the end of the line.
const JOINTS: [&str; 5] = [" — ", " – ", " - ", ": ", " → "];

impl Mark {
    /// The words for it before an item; none for what is done.
    fn told(self) -> &'static str {
        match self {
            Self::Done => "",
            Self::Undone => "not done: ",
            Self::Failed => "failed: ",
            Self::Running => "in progress: ",
            Self::Waiting => "pending: ",
            Self::Skipped => "skipped: ",
            Self::Warns => "warning: ",
        }
    }

    /// The item behind the words for its mark, unless it says so itself.
    pub(in crate::summary::extractive) fn before(self, item: &str) -> String {
        if self.says_itself(item) { item.to_owned() } else { format!("{}{item}", self.told()) }
    }

    /// The same in a list that need not be about what passed and failed: there, the sign itself stays.
    pub(in crate::summary::extractive) fn in_list(self, sign: &str, item: &str, of_runs: bool) -> String {
        let may_be_done = || begins_done(&item.to_lowercase());
        let keeps = self == Self::Failed && !self.says_itself(item) && (!of_runs || may_be_done());
        if keeps { format!("{sign} {item}") } else { self.before(item) }
    }

    /// Whether an item needs no word for its mark.
    fn says_itself(self, item: &str) -> bool {
        let bare = item.trim_start_matches(['*', '_']);
        let lower = bare.to_lowercase().replace('’', "'");
        let says = |word: &str| SAYS.contains(&word) || word.ends_with("n't");
        // A code span is one word.
        let outside = lower.split('`').enumerate().map(|(at, part)| if at % 2 == 0 { part } else { " code " });
        let words: String = outside.collect();
        let says_so = each_word(&words).take(FIRST).any(says) || self == Self::Warns && begins_done(&lower);
        self != Self::Undone && says_so || !bare.trim_start_matches('`').starts_with(char::is_alphanumeric)
    }
}

/// Whether a list is about what passed and failed, by its lead or one of its items.
pub(in crate::summary::extractive) fn is_of_runs<'a>(lead: &str, items: impl IntoIterator<Item = &'a str>) -> bool {
    let has = |text: &str, list: &[&str]| each_word(&text.to_lowercase()).any(|word| list.contains(&word));
    let lacks = has_any(&lead.to_lowercase(), &LACKS);
    !lacks && (has(lead, &HEADS) || has(lead, &OUTCOMES) || items.into_iter().any(|item| has(item, &OUTCOMES)))
}

/// Whether a sentence is an item behind the words for its mark.
pub(super) fn is_marked(sentence: &str) -> bool {
    let told = [Mark::Undone, Mark::Failed, Mark::Running, Mark::Waiting, Mark::Skipped, Mark::Warns];
    told.iter().any(|mark| sentence.strip_prefix(mark.told()).is_some_and(|item| !item.is_empty()))
}

/// A line's mark of what became of it, its sign, and the words behind it.
pub(in crate::summary::extractive) fn marked(line: &str) -> Option<(Mark, &'static str, &str)> {
    let line = line.trim_start_matches("> ");
    let bare = BULLETS.iter().find_map(|bullet| behind(line, bullet)).unwrap_or(line).trim_start();
    let numbered = if bare.starts_with(|char: char| char.is_ascii_digit()) { without_marker(bare).1 } else { bare };
    MARKS.iter().find_map(|(sign, mark)| {
        let rest = behind(numbered, sign)?.trim_start_matches('\u{fe0f}');
        let words = rest.trim_start();
        // “[x]” before a link is its text.
        let apart = !sign.starts_with('[') || rest.starts_with(' ');
        (apart && !words.is_empty()).then_some((*mark, *sign, words))
    })
}

/// The same of a mark at the end of a line, unless its item is done: “pier lamps — ❌”.
pub(super) fn marked_last(line: &str) -> Option<(Mark, &'static str, &str)> {
    let end = without_marker(line).1.trim_end_matches(['\u{fe0f}', ' ']);
    MARKS.iter().filter(|(_, mark)| *mark != Mark::Done).find_map(|(sign, mark)| {
        let item = end.strip_suffix(sign)?;
        let words = JOINTS.iter().find_map(|joint| item.strip_suffix(joint))?.trim();
        (!words.is_empty()).then_some((*mark, *sign, words))
    })
}

#[cfg(test)]
mod tests {
    use super::super::prose::{sentences, typed};
    use super::*;

    #[test]
    fn what_is_not_done_does_not_read_as_done() {
        let text = "Test results of the quay:\n\n✅ the lamps of the pier burn\n❌ ferry tests\n- ⏳ the tide table\n- 🚧 lamps\n1. [ ] docs of the quay\n- [x] the map of the quay\n⚠️ the pier sways at night\n";
        assert_eq!(
            sentences(text),
            [
                "Test results of the quay:",
                "the lamps of the pier burn",
                "failed: ferry tests",
                "pending: the tide table",
                "in progress: lamps",
                "not done: docs of the quay",
                "the map of the quay",
                "warning: the pier sways at night"
            ]
        );
    }

    #[test]
    fn an_item_that_says_so_itself_needs_no_word_for_its_mark() {
        for (line, told) in [
            ("❌ No lamp burns there", "No lamp burns there"),
            ("⚠️ Note: the pier sways", "Note: the pier sways"),
            ("❌ the ferry didn't come", "the ferry didn't come"),
        ] {
            assert_eq!(sentences(line), [told]);
        }
    }

    #[test]
    fn a_drawback_or_a_rule_did_not_fail() {
        for (text, told) in [
            ("Good and bad of gas lamps:\n\n✅ They are bright\n❌ Gas is dear here\n", "❌ Gas is dear here"),
            ("On the pier, these are the rules:\n\n- ❌ Open fires at night\n", "❌ Open fires at night"),
            ("The last changes:\n\n- ❌ Removed the old lamp code\n", "❌ Removed the old lamp code"),
            ("Build status:\n\n- ❌ ferry on the quay\n", "failed: ferry on the quay"),
            ("Tests that did not pass:\n\n- ❌ ferry on the quay\n", "failed: ferry on the quay"),
            ("Tasks not yet begun:\n\n- ❌ ferry on the quay\n", "Tasks not yet begun: ❌ ferry on the quay"),
            ("Of the pier:\n\n- ❌ `lamps/oil/new/` is NOT lit\n", "`lamps/oil/new/` is NOT lit"),
            ("The tests ran:\n\n- Lamps of the quay — ❌\n", "failed: Lamps of the quay"),
        ] {
            assert_eq!(sentences(text).last().map(String::as_str), Some(told), "{text}");
        }
        assert_eq!(marked("🚫 the lamp of the quay"), None);
    }

    #[test]
    fn marks_in_what_a_person_types_are_bullets() {
        assert_eq!(typed("❌ Paint the old quay"), ["Paint the old quay"]);
        assert_eq!(marked("[x](quay.md) is the map"), None);
        assert_eq!(marked("❌"), None);
    }
}
