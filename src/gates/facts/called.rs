//! Claims that something was done which a tool does by name (“The order was cancelled”, `cancel_order`): compared with
//! the ends of its calls.

use crate::measure::pattern;
use crate::summary::{Deed, DeedKind};
use crate::transcript::{Message, PartKind};
use regex::Regex;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Verbs of tools, and their participles.
const VERBS: [(&str, &str); 19] = [
    ("approve", "approved"),
    ("assign", "assigned"),
    ("book", "booked"),
    ("cancel", "cancell?ed"),
    ("charge", "charged"),
    ("close", "closed"),
    ("create", "created"),
    ("delete", "deleted"),
    ("exchange", "exchanged"),
    ("modify", "modified"),
    ("refund", "refunded"),
    ("restart", "restarted"),
    ("return", "returned"),
    ("schedule", "scheduled"),
    ("send", "sent"),
    ("submit", "submitted"),
    ("transfer", "transferred"),
    ("update", "updated"),
    ("upload", "uploaded"),
];
/// For each verb, what says that the writer, or somebody unnamed, did it.
static DONE: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let start = r"^(?:(?:i|we|then|also|finally|successfully|now|have|has|the agent|the assistant) )*";
    let passive = r"^(?:the |an? |their |his |her )?(?:[\w#-]+ ){1,4}?(?:was|were|has been|have been|is now|are now) (?:now |also |then |finally |successfully )*";
    let of = |(_, done): &(&str, &str)| pattern(&format!(r"(?i)(?:{start}|{passive}){done}\b"));
    VERBS.iter().map(of).collect()
});
/// Words of names of tools that say nothing of what they are about.
const EMPTY: [&str; 9] = ["the", "for", "with", "user", "items", "pending", "delivered", "from", "file"];
/// Least number of bytes of such a word.
const LEAST: usize = 4;

/// Tools by the verbs in their names, with the ends of their calls.
#[derive(Default)]
pub(super) struct Called {
    of_verbs: HashMap<&'static str, OfVerb>,
}

/// What is known of the tools with a verb in their names.
struct OfVerb {
    /// The other words of their names that say what they are about.
    words: HashSet<String>,
    /// Each of their calls failed, and no command has the verb.
    failed: bool,
}

impl Called {
    pub(super) fn of(all: &[Deed], messages: &[&Message<'_>]) -> Self {
        let mut ends: HashMap<usize, Vec<Option<bool>>> = HashMap::new();
        all.iter().for_each(|deed| ends.entry(deed.message).or_default().push(deed.failed));
        let mut called = Self::default();
        for (at, message) in messages.iter().enumerate() {
            let names = message.parts.iter().filter_map(|part| match &part.kind {
                PartKind::Call { name, .. } => Some(words(name)),
                _ => None,
            });
            let names: Vec<_> = names.collect();
            // Of several calls in one message, it is not known which failed.
            let failed = match (names.len(), ends.get(&at).map(Vec::as_slice)) {
                (1, Some([failed])) => *failed == Some(true),
                _ => false,
            };
            names.iter().for_each(|name| called.add(name, failed));
        }
        // A command that does more than look or test may have done it.
        for deed in all {
            let DeedKind::Ran { command, quiet: false, tests: false, .. } = &deed.kind else { continue };
            let lower = command.to_lowercase();
            called.of_verbs.iter_mut().for_each(|(verb, known)| known.failed &= !lower.contains(verb));
        }
        called
    }

    fn add(&mut self, name: &HashSet<String>, failed: bool) {
        for (verb, _) in VERBS.iter().filter(|(verb, _)| name.contains(*verb)) {
            let known = self.of_verbs.entry(verb).or_insert_with(|| OfVerb { words: HashSet::new(), failed: true });
            known.failed &= failed;
            let telling = |word: &&String| word.len() >= LEAST && *word != verb && !EMPTY.contains(&word.as_str());
            known.words.extend(name.iter().filter(telling).cloned());
        }
    }

    /// Whether a sentence says that something was done for which a tool is named, and each call of such tools failed.
    pub(super) fn refuted(&self, sentence: &str) -> bool {
        let Some(((verb, _), _)) = VERBS.iter().zip(DONE.iter()).find(|(_, done)| done.is_match(sentence)) else {
            return false;
        };
        let Some(known) = self.of_verbs.get(verb).filter(|known| known.failed) else { return false };
        let lower = sentence.to_lowercase();
        known.words.iter().any(|word| lower.contains(word.as_str()))
    }
}

/// The words of a tool's name in lower case: `cancel_order`, `cancelOrder`.
fn words(name: &str) -> HashSet<String> {
    let (mut all, mut word) = (HashSet::new(), String::new());
    let mut small = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() || small && letter.is_uppercase() {
            all.insert(std::mem::take(&mut word));
        }
        small = letter.is_lowercase();
        word.extend(letter.is_alphanumeric().then(|| letter.to_lowercase()).into_iter().flatten());
    }
    all.insert(word);
    all.remove("");
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tools_have_words() {
        for name in ["cancel_order", "cancelOrder", "mcp__quay__cancel-order"] {
            assert!(["cancel", "order"].iter().all(|word| words(name).contains(*word)), "{name}");
        }
    }

    #[test]
    fn sentences_say_what_was_done() {
        let said = |sentence: &str| {
            VERBS.iter().zip(DONE.iter()).find(|(_, done)| done.is_match(sentence)).map(|(verb, _)| verb.0)
        };
        for (sentence, verb) in [
            ("The order was cancelled", "cancel"),
            ("Order #W12 has been cancelled", "cancel"),
            ("Successfully refunded the berth", "refund"),
            ("I booked the berth", "book"),
        ] {
            assert_eq!(said(sentence), Some(verb), "{sentence}");
        }
        for sentence in ["The order could not be cancelled", "The user wants the order cancelled", "A cancelled order"]
        {
            assert_eq!(said(sentence), None, "{sentence}");
        }
    }
}
