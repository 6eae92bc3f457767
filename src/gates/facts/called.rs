//! Claims that something was done which a tool does by name (“The order was cancelled”, `cancel_order`): compared with
//! the ends of its calls.

use crate::gates::Level;
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

/// Tools by name, with the ends of their calls.
pub(super) struct Called<'d> {
    /// For each call, the words of its tool's name, and whether it failed (`None`: unknown).
    calls: Vec<(HashSet<String>, Option<bool>)>,
    /// Commands that do more than look or test: they may have done anything.
    commands: Vec<&'d str>,
}

impl<'d> Called<'d> {
    pub(super) fn of(all: &'d [Deed], messages: &[&'d Message<'d>]) -> Self {
        let mut ends: HashMap<usize, Vec<Option<bool>>> = HashMap::new();
        all.iter().for_each(|deed| ends.entry(deed.message).or_default().push(deed.failed));
        let mut calls = Vec::new();
        for (at, message) in messages.iter().enumerate() {
            let names = message.parts.iter().filter_map(|part| match &part.kind {
                PartKind::Call { name, .. } => Some(words(name)),
                _ => None,
            });
            let names: Vec<_> = names.collect();
            // Of several calls in one message, it is not known which failed.
            let failed = match (names.len(), ends.get(&at).map(Vec::as_slice)) {
                (1, Some([failed])) => *failed,
                _ => None,
            };
            calls.extend(names.into_iter().map(|name| (name, failed)));
        }
        let command = |deed: &'d Deed| match &deed.kind {
            DeedKind::Ran { command, quiet: false, tests: false, .. } => Some(command.as_str()),
            _ => None,
        };
        Self { calls, commands: all.iter().filter_map(command).collect() }
    }

    /// The level of a finding for a sentence that says something was done for which a tool is named, if each call of
    /// such tools failed: a warning if something else may have done it.
    pub(super) fn refuted(&self, sentence: &str) -> Option<Level> {
        let (verb, _) = VERBS.iter().zip(DONE.iter()).find(|(_, done)| done.is_match(sentence))?.0;
        let lower = sentence.to_lowercase();
        let is_about = |name: &HashSet<String>| {
            let is_named = |word: &String| {
                word.len() >= LEAST && word != verb && !EMPTY.contains(&word.as_str()) && lower.contains(word.as_str())
            };
            name.iter().any(is_named)
        };
        let (of_verb, others): (Vec<_>, Vec<_>) = self.calls.iter().partition(|(name, _)| name.contains(*verb));
        let failed = |failed: &Option<bool>| *failed == Some(true);
        let by_command = || self.commands.iter().any(|command| command.to_lowercase().contains(verb));
        let refuted = of_verb.iter().any(|(name, _)| is_about(name))
            && of_verb.iter().all(|(_, end)| failed(end))
            && !by_command();
        let looks = |name: &HashSet<String>| LOOKS.iter().any(|look| name.contains(*look));
        let may_do = |(name, end): &&(HashSet<String>, Option<bool>)| is_about(name) && !looks(name) && !failed(end);
        let other = || !self.commands.is_empty() || others.iter().any(may_do);
        refuted.then(|| if other() { Level::Warn } else { Level::Error })
    }
}

/// Verbs of tools that only look.
const LOOKS: [&str; 9] = ["fetch", "find", "get", "list", "query", "read", "search", "show", "view"];

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
