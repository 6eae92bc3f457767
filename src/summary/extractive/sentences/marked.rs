//! Marks of what became of an item: “❌ lint”, “[ ] docs”. Printed without its mark, such an item would read as done.

use super::prose::without_marker;
use crate::summary::text::each_word;

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
const MARKS: [(&str, Mark); 38] = [
    ("[x]", Mark::Done),
    ("[X]", Mark::Done),
    ("✅", Mark::Done),
    ("✓", Mark::Done),
    ("✔", Mark::Done),
    ("☑", Mark::Done),
    ("🗹", Mark::Done),
    ("🎉", Mark::Done),
    ("[ ]", Mark::Undone),
    ("☐", Mark::Undone),
    ("⬜", Mark::Undone),
    ("🔲", Mark::Undone),
    ("❌", Mark::Failed),
    ("✗", Mark::Failed),
    ("✘", Mark::Failed),
    ("✖", Mark::Failed),
    ("❎", Mark::Failed),
    ("⛔", Mark::Failed),
    ("🚫", Mark::Failed),
    ("[~]", Mark::Running),
    ("[/]", Mark::Running),
    ("🚧", Mark::Running),
    ("🔄", Mark::Running),
    ("🏗", Mark::Running),
    ("🔨", Mark::Running),
    ("▶", Mark::Running),
    ("⏳", Mark::Waiting),
    ("⌛", Mark::Waiting),
    ("⏸", Mark::Waiting),
    ("🕐", Mark::Waiting),
    ("🕒", Mark::Waiting),
    ("⏱", Mark::Waiting),
    ("⏭", Mark::Skipped),
    ("⏩", Mark::Skipped),
    ("⚠", Mark::Warns),
    ("❗", Mark::Warns),
    ("‼", Mark::Warns),
    ("🚨", Mark::Warns),
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
        let lower = item.to_lowercase();
        let says = |word: &str| SAYS.contains(&word) || word.ends_with("n't");
        let says_itself = self != Self::Undone && each_word(&lower).take(FIRST).any(says);
        let opens = item.trim_start_matches(['*', '_', '`']).starts_with(char::is_alphanumeric);
        if says_itself || !opens { item.to_owned() } else { format!("{}{item}", self.told()) }
    }
}

/// Whether a sentence is an item behind the words for its mark.
pub(super) fn is_marked(sentence: &str) -> bool {
    let told = [Mark::Undone, Mark::Failed, Mark::Running, Mark::Waiting, Mark::Skipped, Mark::Warns];
    told.iter().any(|mark| sentence.strip_prefix(mark.told()).is_some_and(|item| !item.is_empty()))
}

/// A line's mark of what became of it, and its words behind it.
pub(in crate::summary::extractive) fn marked(line: &str) -> Option<(Mark, &str)> {
    let line = line.trim_start_matches("> ");
    let bare = BULLETS.iter().find_map(|bullet| line.strip_prefix(bullet)).unwrap_or(line).trim_start();
    let numbered = if bare.starts_with(|char: char| char.is_ascii_digit()) { without_marker(bare).1 } else { bare };
    MARKS.iter().find_map(|(sign, mark)| {
        let rest = numbered.strip_prefix(sign)?.trim_start_matches('\u{fe0f}');
        let words = rest.trim_start();
        // “[x]” before a link is its text.
        let apart = !sign.starts_with('[') || rest.starts_with(' ');
        (apart && !words.is_empty()).then_some((*mark, words))
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
    fn marks_in_what_a_person_types_are_bullets() {
        assert_eq!(typed("❌ Paint the old quay"), ["Paint the old quay"]);
        assert_eq!(marked("[x](quay.md) is the map"), None);
        assert_eq!(marked("❌"), None);
    }
}
