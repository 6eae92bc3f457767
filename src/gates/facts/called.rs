//! Claims that something was done which a tool does by name (“The order was cancelled”, `cancel_order`): compared with
//! the ends of its calls, and with what they were about.

use super::doing::VERBS;
use super::things::{form, things};
use crate::measure::pattern;
use crate::summary::{Deed, DeedKind};
use crate::transcript::{Message, PartKind, parsed};
use regex::Regex;
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Words of names and arguments of tools that say nothing of what they are about.
const EMPTY: [&str; 26] = [
    "address",
    "args",
    "body",
    "content",
    "data",
    "date",
    "delivered",
    "file",
    "for",
    "from",
    "input",
    "items",
    "message",
    "name",
    "path",
    "pending",
    "query",
    "reason",
    "subject",
    "text",
    "the",
    "time",
    "title",
    "type",
    "user",
    "with",
];
/// Least number of bytes of such a word, and of one that a sentence may write as two.
const LEAST: usize = 4;
const COMPOUND: usize = 7;
/// Least length of a thing that tells which call a sentence is about.
const SHORT: usize = 2;
/// First words of names of tools that only look.
const LOOKS: [&str; 19] = [
    "calculate",
    "check",
    "count",
    "describe",
    "estimate",
    "fetch",
    "find",
    "get",
    "list",
    "load",
    "look",
    "lookup",
    "preview",
    "query",
    "read",
    "search",
    "show",
    "think",
    "view",
];
/// Names of arguments.
static KEY: LazyLock<Regex> = LazyLock::new(|| pattern(r#""(\w+)"\s*:"#));

/// What is wrong with a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrong {
    /// Each call for it failed.
    Failed,
    /// The calls were about other things.
    Other(&'static str),
}

/// The calls of tools, with their ends.
#[derive(Default)]
pub(super) struct Called {
    calls: Vec<Call>,
    /// The commands, in lower case, that do more than look or test.
    commands: Vec<String>,
}

/// A call of a tool.
struct Call {
    /// The words of its name, in order.
    name: Vec<String>,
    /// The words of the names of its arguments.
    keys: HashSet<String>,
    /// What its arguments name, with the names of these.
    given: HashMap<String, HashSet<String>>,
    /// What its arguments and its result name.
    all: HashSet<String>,
    failed: bool,
}

impl Called {
    pub(super) fn of(all: &[Deed], messages: &[&Message<'_>]) -> Self {
        let mut ends: HashMap<usize, Vec<Option<bool>>> = HashMap::new();
        all.iter().for_each(|deed| ends.entry(deed.message).or_default().push(deed.failed));
        let mut results: HashMap<&str, HashSet<String>> = HashMap::new();
        for part in messages.iter().flat_map(|message| &message.parts) {
            if let PartKind::Result { id, .. } = &part.kind {
                results.entry(id).or_default().extend(things(&part.text));
            }
        }
        let mut called = Self::default();
        for (at, message) in messages.iter().enumerate() {
            let calls = message.parts.iter().filter_map(|part| match &part.kind {
                PartKind::Call { name, id } => Some((name, id, &part.text)),
                _ => None,
            });
            let calls: Vec<_> = calls.collect();
            // Of several calls in one message, it is not known which failed.
            let failed = match (calls.len(), ends.get(&at).map(Vec::as_slice)) {
                (1, Some([failed])) => *failed == Some(true),
                _ => false,
            };
            for (name, id, args) in calls {
                let keys = KEY.captures_iter(args).flat_map(|key| words(&key[1])).collect();
                let given = given(args);
                let returned = results.get(&**id).into_iter().flatten().cloned();
                let all = given.keys().cloned().chain(returned).collect();
                called.calls.push(Call { name: words_of_tool(name), keys, given, all, failed });
            }
        }
        let acting = all.iter().filter_map(|deed| match &deed.kind {
            DeedKind::Ran { command, quiet: false, tests: false, .. } => Some(command.to_lowercase()),
            _ => None,
        });
        called.commands = acting.collect();
        called
    }

    /// What is wrong with a sentence that says that something was done for which a tool is named, by its verb and the
    /// pattern of its participle.
    pub(super) fn refuted(&self, sentence: &str, (verb, done): (&str, &'static str)) -> Option<Wrong> {
        let own: Vec<&Call> = self.calls.iter().filter(|call| call.name.iter().any(|word| word == verb)).collect();
        let lower = sentence.to_lowercase();
        let named: HashSet<String> = things(&lower).collect();
        // A command may have done it.
        let ran = |text: &str| self.commands.iter().any(|command| command.contains(text));
        let about = |call: &&Call| call.is_about(&lower, verb) || named.iter().any(|one| call.given.contains_key(one));
        if !own.is_empty() && own.iter().all(|call| call.failed) && own.iter().any(about) && !ran(verb) {
            return Some(Wrong::Failed);
        }
        if own.is_empty() || ran(verb) || named.iter().any(|one| ran(one)) {
            return None;
        }
        let known: Vec<&String> =
            named.iter().filter(|one| own.iter().any(|call| call.given.contains_key(*one))).collect();
        if known.is_empty() {
            return self.is_other(&own, &named).then_some(Wrong::Other(done));
        }
        known.into_iter().any(|one| self.failed_for(one, &own, &named)).then_some(Wrong::Failed)
    }

    /// Whether each call that was given a thing failed, and none that worked was given another one of the sentence in
    /// its place: “Paid 1,415 instead of 2,500.”
    fn failed_for(&self, one: &str, own: &[&Call], named: &HashSet<String>) -> bool {
        let worked = |call: &&Call| !call.failed && !call.looks();
        let places: HashSet<&String> = own.iter().filter_map(|call| call.given.get(one)).flatten().collect();
        let instead = |call: &&Call| {
            let others = named.iter().filter(|other| *other != one).filter_map(|other| call.given.get(other));
            others.flatten().any(|place| places.contains(place))
        };
        one.len() >= SHORT
            && !self.calls.iter().filter(worked).any(|call| call.given.contains_key(one))
            && !own.iter().copied().filter(worked).any(|call| instead(&call))
    }

    /// Whether these things are of the kind that the calls are given, and no call that may have worked is about one.
    fn is_other(&self, own: &[&Call], named: &HashSet<String>) -> bool {
        let forms: HashSet<String> =
            own.iter().flat_map(|call| call.given.keys()).filter_map(|one| form(one)).collect();
        let alike = |one: &String| form(one).is_some_and(|form| forms.contains(&form));
        let doing = self.calls.iter().filter(|call| !call.failed && !call.looks());
        let mut about = doing.filter(|call| named.iter().any(|one| call.all.contains(one)));
        named.iter().any(alike) && about.next().is_none()
    }
}

impl Call {
    /// Whether a sentence in lower case has a word that says what the call is about, besides the verb of the tool.
    fn is_about(&self, sentence: &str, verb: &str) -> bool {
        let telling = |word: &&String| word.len() >= LEAST && *word != verb && !EMPTY.contains(&word.as_str());
        let bare = || sentence.split_whitespace().collect::<String>();
        let says = |word: &String| {
            sentence.contains(word.as_str()) || word.len() >= COMPOUND && bare().contains(word.as_str())
        };
        self.name.iter().chain(&self.keys).filter(telling).any(says)
    }

    /// Whether the tool only looks, by its name.
    fn looks(&self) -> bool {
        self.name.first().is_some_and(|word| LOOKS.contains(&word.as_str()))
    }
}

/// The verbs that names of called tools have.
pub(super) fn verbs_of(messages: &[&Message<'_>]) -> HashSet<&'static str> {
    let parts = messages.iter().flat_map(|message| &message.parts);
    let tools: HashSet<&str> = parts
        .filter_map(|part| match &part.kind {
            PartKind::Call { name, .. } => Some(&**name),
            _ => None,
        })
        .collect();
    let words: HashSet<String> = tools.into_iter().flat_map(words_of_tool).collect();
    VERBS.iter().map(|(verb, _)| *verb).filter(|verb| words.contains(*verb)).collect()
}

/// The words of a tool's name behind that of a server: `mcp__quay__cancel_order`.
fn words_of_tool(name: &str) -> Vec<String> {
    words(name.rsplit("__").next().unwrap_or(name))
}

/// The things that arguments name, each with the names of these arguments.
fn given(args: &str) -> HashMap<String, HashSet<String>> {
    let mut all: HashMap<String, HashSet<String>> = HashMap::new();
    let fields = parsed::<Map<String, Value>>(args).unwrap_or_else(|| Map::from_iter([(String::new(), args.into())]));
    for (name, value) in fields {
        things(&value.to_string()).for_each(|thing| {
            all.entry(thing).or_default().insert(name.clone());
        });
    }
    all
}

/// The words of a tool's name in lower case: `cancel_order`, `cancelOrder`.
fn words(name: &str) -> Vec<String> {
    let (mut all, mut word) = (Vec::new(), String::new());
    let mut small = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() || small && letter.is_uppercase() {
            all.push(std::mem::take(&mut word));
        }
        small = letter.is_lowercase();
        word.extend(letter.is_alphanumeric().then(|| letter.to_lowercase()).into_iter().flatten());
    }
    all.push(word);
    all.retain(|word| !word.is_empty());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_stand_in_names_of_called_tools() {
        let mut transcript = crate::transcript::sketch::sketch("u tr tr");
        let mut names = ["mcp__cancel__getOrder", "Bash"].into_iter();
        for part in transcript.messages.iter_mut().flat_map(|message| &mut message.parts) {
            if let PartKind::Call { name, .. } = &mut part.kind {
                *name = names.next().unwrap_or_default().into();
            }
        }
        assert_eq!(verbs_of(&transcript.messages.iter().collect::<Vec<_>>()), HashSet::from(["order"]));
    }

    #[test]
    fn names_of_tools_have_words() {
        for name in ["cancel_order", "cancelOrder", "mcp__quay__cancel-order"] {
            assert!(words(name).ends_with(&["cancel".to_owned(), "order".to_owned()]), "{name}");
        }
    }
}
