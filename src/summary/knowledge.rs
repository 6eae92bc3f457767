//! What the head knows: its facts with their worth, where each part names them, and which of them need no words since
//! they stand in what is kept.

use crate::facts::{Class, Fact, PathTable, Voice, extract, is_cut, of_part, resolve, worth};
use crate::transcript::Message;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The facts of one part of a message of the head.
pub(super) struct Known {
    /// Index of the message in the head.
    pub(super) message: usize,
    /// Index of the part in it.
    pub(super) part: usize,
    /// Facts by number.
    pub(super) facts: Vec<u32>,
}

/// The facts of the head by number.
#[derive(Default)]
pub(super) struct Knowledge {
    /// The facts as the session knows them.
    pub(super) facts: Vec<Fact>,
    /// Their worth; that of facts which are kept anyway is zero.
    pub(super) worth: Vec<f64>,
    /// Where they are named, in order.
    pub(super) parts: Vec<Known>,
    numbers: HashMap<Fact, u32>,
    commands: Vec<u32>,
    table: PathTable,
}

/// A part or a line with its facts as they are written.
type Raw = (usize, usize, Voice, BTreeMap<Fact, bool>);

impl Knowledge {
    /// Reads the head, what earlier summaries say, and what is kept beside the summary.
    pub(super) fn of(head: &[&Message<'_>], prior: &[String], kept: &[&Message<'_>]) -> Self {
        let mut table = PathTable::default();
        let raw: Vec<Raw> = head.iter().enumerate().flat_map(|(at, message)| of_message(at, message)).collect();
        let before: Vec<BTreeSet<Fact>> = prior.iter().map(|text| extract(text)).collect();
        raw.iter().for_each(|(.., facts)| table.learn(facts.keys()));
        before.iter().for_each(|facts| table.learn(facts));
        let canonical = |facts: &BTreeMap<Fact, bool>| -> BTreeMap<Fact, bool> {
            facts.iter().map(|(fact, call)| (resolve(fact, &table), *call)).collect()
        };
        let earlier =
            before.into_iter().map(|facts| (Voice::Agent, facts.into_iter().map(|fact| (fact, false)).collect()));
        let story: Vec<(Voice, BTreeMap<Fact, bool>)> =
            earlier.chain(raw.iter().map(|(_, _, voice, facts)| (*voice, canonical(facts)))).collect();
        let known: BTreeSet<Fact> = kept
            .iter()
            .flat_map(|message| of_message(0, message))
            .flat_map(|(.., facts)| canonical(&facts).into_keys())
            .collect();
        let mut knowledge = Self { table, ..Self::default() };
        knowledge.weigh(&story, &known);
        knowledge.parts = raw
            .iter()
            .zip(&story[prior.len()..])
            .map(|((message, part, ..), (_, facts))| Known {
                message: *message,
                part: *part,
                facts: facts.keys().filter_map(|fact| knowledge.numbers.get(fact).copied()).collect(),
            })
            .collect();
        knowledge
    }

    fn weigh(&mut self, story: &[(Voice, BTreeMap<Fact, bool>)], known: &BTreeSet<Fact>) {
        let borrowed: Vec<(Voice, &BTreeMap<Fact, bool>)> =
            story.iter().map(|(voice, facts)| (*voice, facts)).collect();
        let mut all: Vec<(&Fact, f64)> = worth(&borrowed).into_iter().collect();
        all.sort_by(|a, b| a.0.cmp(b.0));
        for (number, (fact, worth)) in (0_u32..).zip(all) {
            self.numbers.insert(fact.clone(), number);
            self.worth.push(if known.contains(fact) { 0.0 } else { worth });
            if fact.class == Class::Cmd {
                self.commands.push(number);
            }
            self.facts.push(fact.clone());
        }
    }

    /// A fact as it is written in an index, so that it is read as itself: a folder of which only the end is known says
    /// so, and so does a command of which only the beginning is.
    pub(super) fn spelled(&self, fact: u32) -> String {
        let own = &self.facts[fact as usize];
        if own.class == Class::Cmd && is_cut(&own.value) {
            return format!("{}…", own.value);
        }
        let alone = own.class != Class::Path || extract(&own.value).contains(own) || !own.value.contains('/');
        if alone { own.value.clone() } else { format!("…/{}", own.value) }
    }

    /// The digits of a fact that is nothing but a number.
    pub(super) fn number(&self, fact: u32) -> Option<&str> {
        let own = &self.facts[fact as usize];
        let digits = own.class == Class::Id && own.value.bytes().all(|byte| byte.is_ascii_digit());
        digits.then_some(own.value.as_str())
    }

    /// A name that could be the letter of an escape and a word (`\nName`).
    pub(super) fn escape(&self, fact: u32) -> Option<&str> {
        let own = &self.facts[fact as usize];
        let mut letters = own.value.chars();
        let begins = letters.next().is_some_and(|first| "ntr".contains(first));
        let capital = letters.next().is_some_and(char::is_uppercase);
        (own.class == Class::Ident && begins && capital).then_some(own.value.as_str())
    }

    /// An identifier that the head knows.
    pub(super) fn identifier(&self, name: &str) -> Option<u32> {
        self.numbers.get(&Fact { class: Class::Ident, value: name.to_owned() }).copied()
    }

    /// The facts of a line that the head knows.
    pub(super) fn of_text(&self, text: &str) -> Vec<u32> {
        let found = extract(text);
        let mut facts: Vec<u32> =
            found.iter().filter_map(|fact| self.numbers.get(&resolve(fact, &self.table)).copied()).collect();
        let runs = self.commands.iter().filter(|&&fact| text.contains(&self.facts[fact as usize].value));
        facts.extend(runs);
        facts.sort_unstable();
        facts.dedup();
        facts
    }
}

fn of_message(at: usize, message: &Message<'_>) -> Vec<Raw> {
    let voice = Voice::of(message.author);
    let facts = message.parts.iter().enumerate().map(|(part, content)| (at, part, voice, of_part(content)));
    facts.filter(|(.., facts)| !facts.is_empty()).collect()
}

/// Which facts the chosen lines have already, and how often.
#[derive(Default)]
pub(super) struct Covered {
    counts: HashMap<u32, u32>,
}

impl Covered {
    /// Whether a chosen line has it.
    pub(super) fn has(&self, fact: u32) -> bool {
        self.counts.get(&fact).is_some_and(|count| *count > 0)
    }

    /// A line with these facts was chosen.
    pub(super) fn add(&mut self, facts: &[u32]) {
        facts.iter().for_each(|fact| *self.counts.entry(*fact).or_default() += 1);
    }

    /// A line with these facts was taken back.
    pub(super) fn remove(&mut self, facts: &[u32]) {
        for fact in facts {
            self.counts.entry(*fact).and_modify(|count| *count = count.saturating_sub(1));
        }
    }

    /// The worth of what a line with these facts would add.
    pub(super) fn gain(&self, facts: &[u32], knowledge: &Knowledge) -> f64 {
        facts.iter().filter(|fact| !self.has(**fact)).map(|fact| knowledge.worth[*fact as usize]).sum()
    }
}
