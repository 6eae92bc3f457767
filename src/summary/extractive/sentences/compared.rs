//! Items without a subject below several headings that compare things: each is told with the thing that heads it, as
//! “Backs up the lamps.” would be said of the wrong one.

use super::cues::begins_with_verb;
use super::prose::{Block, plain};
use crate::summary::text::{each_word, words};
use std::collections::BTreeSet;

/// First words of an item that limit the verb behind them: “Only used at night”, “No oil found”.
const LIMITING: [&str; 6] = ["Currently", "Never", "No", "Not", "Only", "Still"];
/// Maximum number of words of such a heading, and its maximum length in bytes.
const FEW: usize = 5;
const SHORT: usize = 60;
/// Words of headings that name a kind of content and nothing that it could be said of.
const GENERAL: [&str; 55] = [
    "a",
    "added",
    "additions",
    "analysis",
    "and",
    "background",
    "benefits",
    "changed",
    "changes",
    "conclusion",
    "context",
    "deletions",
    "details",
    "done",
    "features",
    "finding",
    "findings",
    "fixed",
    "fixes",
    "for",
    "goal",
    "goals",
    "how",
    "i",
    "in",
    "issue",
    "issues",
    "it",
    "key",
    "made",
    "main",
    "new",
    "next",
    "note",
    "notes",
    "of",
    "overview",
    "problem",
    "problems",
    "purpose",
    "recommendation",
    "recommendations",
    "removed",
    "result",
    "results",
    "solution",
    "status",
    "steps",
    "summary",
    "tests",
    "the",
    "we",
    "what",
    "works",
    "your",
];
/// First words of headings that number a plan or its choices.
const PLANNED: [&str; 8] = ["choice", "epic", "option", "part", "phase", "step", "story", "task"];
/// Verbs without a subject before them, unless the sentence asks.
const HELPERS: [&str; 14] = [
    "Can", "Cannot", "Can't", "Could", "Does", "Doesn't", "Has", "Hasn't", "Is", "Isn't", "Must", "Needs", "Will",
    "Won't",
];
/// Words behind a verb in the third person.
const OBJECTS: [&str; 20] = [
    "a", "all", "an", "any", "back", "both", "each", "every", "existing", "its", "no", "not", "off", "out", "the",
    "them", "to", "two", "up", "users",
];

/// Writes before items without a subject the heading of their section, where several sections have such items.
pub(super) fn tell_things(blocks: &mut [Block<'_>]) {
    let mut heading = None;
    let mut told: Vec<(usize, String)> = Vec::new();
    for (at, block) in blocks.iter().enumerate() {
        if block.indent.is_none() {
            heading = thing(block).or(heading.filter(|_| block.words.is_empty() && block.heading.is_empty()));
        } else if let Some(name) = heading.as_ref().filter(|_| lacks_subject(&block.words)) {
            told.push((at, String::clone(name)));
        }
    }
    let things: BTreeSet<&String> = told.iter().map(|(_, name)| name).collect();
    if things.len() < 2 {
        return;
    }
    for (at, name) in told {
        let words = &mut blocks[at].words;
        // An item may be told with the one above it already.
        if !words.starts_with(&name) {
            *words = format!("{name}: {words}");
        }
    }
}

/// The thing that a heading names, or a line that heads a list: “Ferry 7”, “Our ferry:”.
fn thing(block: &Block<'_>) -> Option<String> {
    let heading = if block.heading.is_empty() { block.words.strip_suffix(':')? } else { block.heading };
    let name = plain(heading.trim_end_matches([':', '：', ' ']));
    let lower = name.to_lowercase();
    let first = each_word(&lower).next()?;
    let says = !each_word(&lower).all(|word| GENERAL.contains(&word)) && !PLANNED.contains(&first);
    (says && words(&name) <= FEW && name.len() <= SHORT && !name.ends_with(['?', '.', '!'])).then_some(name)
}

/// Whether an item says what something does, but not what does it.
pub(super) fn lacks_subject(item: &str) -> bool {
    let item = item.replace('’', "'");
    let mut all = item.split(' ');
    let (first, next) = (all.next().unwrap_or_default(), all.next().unwrap_or_default());
    let is_verb = first.len() > 3 && first.starts_with(|char: char| char.is_ascii_uppercase());
    let is_third =
        is_verb && first.ends_with('s') && !first.ends_with("ss") && first.bytes().all(|it| it.is_ascii_alphabetic());
    let acts = is_third && (next.starts_with('`') || OBJECTS.contains(&&*next.to_lowercase()));
    let leans = || begins_with_verb(&item) || LIMITING.contains(&first);
    acts || leans() || HELPERS.contains(&first) && !next.is_empty() && !item.ends_with('?')
}

#[cfg(test)]
mod tests {
    use super::super::prose::sentences;

    #[test]
    fn what_is_compared_is_told_with_each_item() {
        let text = "### Ferry 7\n- Sets `lamp.path` to `quay`.\n- Does NOT light the old lamps.\n- It is red and old.\n\n\
                    ### Our ferry (boat.go)\n- Backs up the lamps of the quay and lights them.\n\n\
                    ### Tug\n- Chains to the old lamps at night.\n";
        let told = [
            "Ferry 7: Sets `lamp.path` to `quay`.",
            "Ferry 7: Does NOT light the old lamps.",
            "It is red and old.",
            "Our ferry (boat.go): Backs up the lamps of the quay and lights them.",
            "Tug: Chains to the old lamps at night.",
        ];
        assert_eq!(sentences(text), told);
        let listed = "Red ferry:\n- Has no lamp at its bow\n\nBlue ferry:\n- Has two lamps at its bow\n";
        let told = ["Red ferry: Has no lamp at its bow", "Blue ferry: Has two lamps at its bow"];
        assert_eq!(sentences(listed), told);
    }

    #[test]
    fn what_is_not_compared_is_told_as_it_is() {
        for text in [
            "## Findings\n- Does not light the old lamps.\n\n## Notes\n- Backs up the lamps of the quay.\n",
            "## Ferry 7\n- Does not light the old lamps.\n\n## Ferry 8\n- The lamps of it are red.\n",
            "## Ferry 7\n- Is the lamp of it old?\n\n## Ferry 8\n- Backs up the lamps of it.\n",
            "## Step 1\n- Backs up the old lamps.\n\n## Step 2\n- Lights the lamps of it.\n",
            "## Ferry 7\nIt is old.\n\n- Does not light the old lamps.\n\n## Ferry 8\n- Backs up the lamps of it.\n",
        ] {
            assert!(sentences(text).iter().all(|sentence| !sentence.contains(": ")), "{text}: {:?}", sentences(text));
        }
    }
}
