//! What each message of a transcript says, as numbers: facts of fact-spec v1, and open facts.

use crate::facts::{Class, Fact, PathTable, extract, of_message, resolve, values};
use crate::transcript::{Author, Message, PartKind, Transcript};
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

/// Letters that an open fact has at least.
#[expect(clippy::unwrap_used, reason = "the pattern is a constant")]
static WORD: LazyLock<Regex> = LazyLock::new(|| Regex::new("[A-Za-z0-9_]{6,}").unwrap());

/// In how many sessions each word of six or more letters stands: rare ones are open facts, the second extractor, which
/// shares nothing with fact-spec.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    sessions: u64,
    words: HashMap<String, u64>,
}

/// A word in more than one of so many sessions is common.
const RARE: u64 = 20;

impl Vocabulary {
    /// Adds the words of a session.
    pub fn add(&mut self, transcript: &Transcript<'_>) {
        self.sessions += 1;
        let mut own: BTreeSet<String> = BTreeSet::new();
        for message in &transcript.messages {
            own.extend(words(&said(message)).map(str::to_owned));
        }
        for word in own {
            *self.words.entry(word).or_default() += 1;
        }
    }

    fn is_rare(&self, word: &str) -> bool {
        self.words.get(word).copied().unwrap_or(0) <= (self.sessions / RARE).max(1)
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    WORD.find_iter(text).map(|found| found.as_str())
}

/// Words, results and arguments of a message, without reasoning.
fn said(message: &Message<'_>) -> String {
    let texts = message.parts.iter().filter_map(|part| match part.kind {
        PartKind::Text | PartKind::Result { .. } => Some(part.text.to_string()),
        PartKind::Call { .. } => Some(values(&part.text)),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// The facts of one message, by number, ascending.
#[derive(Debug, Clone, Default)]
pub(super) struct Own {
    /// All facts, and whether a call holds each.
    pub(super) facts: Vec<(u32, bool)>,
    /// Open facts.
    pub(super) open: Vec<u32>,
    /// The agent wrote it.
    pub(super) by_agent: bool,
}

/// A transcript's messages as facts.
pub(super) struct Seen {
    /// The facts by number.
    pub(super) facts: Vec<Fact>,
    /// What each message says.
    pub(super) messages: Vec<Own>,
    /// The facts as the session knows them: a bare file name with its parent.
    canonical: Vec<Fact>,
    table: PathTable,
    numbers: HashMap<String, u32>,
}

impl Seen {
    pub(super) fn of(transcript: &Transcript<'_>, vocabulary: &Vocabulary) -> Self {
        let mut known: HashMap<Fact, u32> = HashMap::new();
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let (mut facts, mut table) = (Vec::new(), PathTable::default());
        let messages = transcript.messages.iter().map(|message| {
            let own: BTreeMap<Fact, bool> = of_message(message);
            table.learn(own.keys());
            let mut own: Vec<(u32, bool)> = own
                .into_iter()
                .map(|(fact, call)| {
                    let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
                    let number = *known.entry(fact.clone()).or_insert_with(|| {
                        facts.push(fact);
                        next
                    });
                    (number, call)
                })
                .collect();
            own.sort_unstable();
            let text = said(message);
            let rare = words(&text).filter(|word| vocabulary.is_rare(word));
            let mut open: Vec<u32> = rare
                .map(|word| {
                    let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
                    *numbers.entry(word.to_owned()).or_insert(next)
                })
                .collect();
            open.sort_unstable();
            open.dedup();
            Own { facts: own, open, by_agent: message.author == Author::Model }
        });
        let messages: Vec<Own> = messages.collect();
        let canonical = facts.iter().map(|fact| resolve(fact, &table)).collect();
        Self { facts, messages, canonical, table, numbers }
    }

    /// A fact as the session knows it.
    pub(super) fn canonical(&self, fact: u32) -> &Fact {
        &self.canonical[fact as usize]
    }

    /// The facts of a text, as the session knows them.
    pub(super) fn read(&self, text: &str) -> BTreeSet<Fact> {
        extract(text).iter().map(|fact| resolve(fact, &self.table)).collect()
    }

    /// The open facts of a text that the transcript has.
    pub(super) fn read_open(&self, text: &str) -> BTreeSet<u32> {
        words(text).filter_map(|word| self.numbers.get(word).copied()).collect()
    }

    /// Whether a text that was read as `facts` holds a fact; commands are looked up in its words, `flat`.
    pub(super) fn holds(&self, facts: &BTreeSet<Fact>, flat: &str, fact: u32) -> bool {
        let own = self.canonical(fact);
        facts.contains(own) || (own.class == Class::Cmd && flat.contains(&own.value))
    }
}
