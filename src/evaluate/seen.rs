//! The facts in each message of a transcript, as numbers: facts of fact-spec v1, and open facts.

use crate::facts::{self, Class, Fact, PathTable, extract, of_parts, pattern, readable_text, resolve};
use crate::transcript::{Author, Message, PartKind, Transcript};
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

/// Words that may be open facts: six or more letters, digits or `_`.
static WORD: LazyLock<Regex> = LazyLock::new(|| pattern("[A-Za-z0-9_]{6,}"));

/// Number of sessions with each word of six or more letters. Rare words are open facts, found independently of
/// fact-spec.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    sessions: u64,
    words: HashMap<String, u64>,
}

/// A word in more than one of this many sessions is common.
const RARE: u64 = 20;

impl Vocabulary {
    /// Adds the words of a session.
    pub fn add(&mut self, transcript: &Transcript<'_>) {
        self.sessions += 1;
        let mut own: BTreeSet<String> = BTreeSet::new();
        for message in &transcript.messages {
            own.extend(words(&text_of_parts(message, |_| true)).map(str::to_owned));
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

/// Texts, results and arguments of the wanted parts of a message, without reasoning.
fn text_of_parts(message: &Message<'_>, wanted: impl Fn(&PartKind<'_>) -> bool) -> String {
    let texts = message.parts.iter().filter(|part| wanted(&part.kind)).filter_map(|part| match part.kind {
        PartKind::Text | PartKind::Result { .. } | PartKind::Call { .. } => Some(readable_text(part)),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// Facts of one speaker in a message, by number, ascending.
#[derive(Debug, Clone, Default)]
pub(super) struct Voiced {
    /// Facts, and whether a call has each.
    pub(super) facts: Vec<(u32, bool)>,
    /// Open facts.
    pub(super) open: Vec<u32>,
}

/// Facts in a message, by speaker: some formats keep results in the message of their calls.
#[derive(Debug, Clone, Default)]
pub(super) struct Own {
    /// All facts.
    pub(super) all: Voiced,
    /// Facts in what the agent wrote.
    pub(super) agent: Voiced,
    /// Facts in what the agent was told.
    pub(super) told: Voiced,
}

/// Assigns numbers to facts and words.
#[derive(Default)]
struct Numbers {
    known: HashMap<Fact, u32>,
    facts: Vec<Fact>,
    words: HashMap<String, u32>,
}

impl Numbers {
    fn voiced(&mut self, facts: BTreeMap<Fact, bool>, text: &str, vocabulary: &Vocabulary) -> Voiced {
        let mut facts: Vec<(u32, bool)> = facts.into_iter().map(|(fact, call)| (self.fact(fact), call)).collect();
        facts.sort_unstable();
        let rare = words(text).filter(|word| vocabulary.is_rare(word));
        let mut open: Vec<u32> = rare.map(|word| self.word(word)).collect();
        open.sort_unstable();
        open.dedup();
        Voiced { facts, open }
    }

    fn fact(&mut self, fact: Fact) -> u32 {
        let next = u32::try_from(self.facts.len()).unwrap_or(u32::MAX);
        *self.known.entry(fact).or_insert_with_key(|fact| {
            self.facts.push(fact.clone());
            next
        })
    }

    fn word(&mut self, word: &str) -> u32 {
        let next = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        *self.words.entry(word.to_owned()).or_insert(next)
    }
}

/// The facts in a transcript's messages.
pub(super) struct Seen {
    /// Facts by number.
    pub(super) facts: Vec<Fact>,
    /// Facts of each message.
    pub(super) messages: Vec<Own>,
    /// Canonical facts by number: a bare file name gets its parent folder.
    canonical: Vec<Fact>,
    table: PathTable,
    numbers: HashMap<String, u32>,
}

impl Seen {
    pub(super) fn of(transcript: &Transcript<'_>, vocabulary: &Vocabulary) -> Self {
        let (mut numbers, mut table) = (Numbers::default(), PathTable::default());
        let messages = transcript.messages.iter().map(|message| {
            let by_agent = message.author == Author::Model;
            let is_told = |kind: &PartKind<'_>| !by_agent || matches!(kind, PartKind::Result { .. });
            let agent = (of_parts(message, |kind| !is_told(kind)), text_of_parts(message, |kind| !is_told(kind)));
            let told = (of_parts(message, is_told), text_of_parts(message, is_told));
            let mut all = agent.0.clone();
            facts::add(&mut all, told.0.clone());
            table.learn(all.keys());
            let mut voiced = |(facts, text): (_, String)| numbers.voiced(facts, &text, vocabulary);
            Own { all: voiced((all, format!("{}\n{}", agent.1, told.1))), agent: voiced(agent), told: voiced(told) }
        });
        let messages: Vec<Own> = messages.collect();
        let canonical = numbers.facts.iter().map(|fact| resolve(fact, &table)).collect();
        Self { facts: numbers.facts, messages, canonical, table, numbers: numbers.words }
    }

    /// The canonical form of a fact.
    pub(super) fn canonical(&self, fact: u32) -> &Fact {
        &self.canonical[fact as usize]
    }

    /// The facts of a text in canonical form.
    pub(super) fn read(&self, text: &str) -> BTreeSet<Fact> {
        extract(text).iter().map(|fact| resolve(fact, &self.table)).collect()
    }

    /// Open facts of the transcript that are in a text.
    pub(super) fn read_open(&self, text: &str) -> BTreeSet<u32> {
        words(text).filter_map(|word| self.numbers.get(word).copied()).collect()
    }

    /// Whether a text with these facts has a fact; commands are looked up in its words, `flat`.
    pub(super) fn holds(&self, facts: &BTreeSet<Fact>, flat: &str, fact: u32) -> bool {
        let own = self.canonical(fact);
        facts.contains(own) || (own.class == Class::Cmd && flat.contains(&own.value))
    }
}
