//! What the head knows: its facts with their worth, where each part names them, and which of them need no words since
//! they stand in what is kept.

use crate::facts::{Class, Fact, PathTable, Voice, extract, is_cut, of_message, of_part, resolve, worth};
use crate::transcript::{Message, Part};
use std::collections::{BTreeSet, HashMap, HashSet};

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

/// Facts as they are written, each once and with a number.
#[derive(Default)]
struct Numbered {
    facts: Vec<Fact>,
    numbers: HashMap<Fact, u32>,
}

impl Numbered {
    /// The numbers of facts, each once.
    fn numbers(&mut self, facts: impl IntoIterator<Item = Fact>) -> Vec<u32> {
        facts.into_iter().map(|fact| self.number(fact)).collect()
    }

    fn number(&mut self, fact: Fact) -> u32 {
        if let Some(number) = self.numbers.get(&fact) {
            return *number;
        }
        let number = u32::try_from(self.facts.len()).unwrap_or(u32::MAX);
        self.facts.push(fact.clone());
        self.numbers.insert(fact, number);
        number
    }

    /// For each its number among all as the session knows them, which are in order; and those.
    fn resolved(self, table: &PathTable) -> (Vec<u32>, Vec<Fact>) {
        let known: Vec<Fact> = self.facts.iter().map(|fact| resolve(fact, table)).collect();
        let mut all = known.clone();
        all.sort_unstable();
        all.dedup();
        let number = |fact: &Fact| all.binary_search(fact).ok().and_then(|at| u32::try_from(at).ok());
        (known.iter().map(|fact| number(fact).unwrap_or(u32::MAX)).collect(), all)
    }
}

/// Whose a part is, and its facts by number, each with whether a call has it.
type Told = (Voice, Vec<(u32, bool)>);

/// A part of a message, whose it is, whether it is a call, and its facts by number.
struct Raw {
    message: usize,
    part: usize,
    voice: Voice,
    call: bool,
    facts: Vec<u32>,
}

impl Knowledge {
    /// Reads the head, what earlier summaries say, and what is kept beside the summary.
    pub(super) fn of(head: &[&Message<'_>], prior: &[String], kept: &[&Message<'_>]) -> Self {
        let mut numbered = Numbered::default();
        let raw: Vec<Raw> =
            head.iter().enumerate().flat_map(|(at, message)| read(at, message, &mut numbered)).collect();
        let before: Vec<Vec<u32>> = prior.iter().map(|text| numbered.numbers(extract(text))).collect();
        let mut table = PathTable::default();
        table.learn(&numbered.facts);
        let known: HashSet<Fact> = kept
            .iter()
            .flat_map(|message| of_message(message).into_keys())
            .map(|fact| resolve(&fact, &table))
            .collect();
        let (resolved, facts) = numbered.resolved(&table);
        let numbers = |facts: &[u32]| -> Vec<u32> {
            let all: BTreeSet<u32> = facts.iter().map(|fact| resolved[*fact as usize]).collect();
            all.into_iter().collect()
        };
        let earlier = before.iter().map(|facts| (Voice::Agent, false, numbers(facts)));
        let parts = raw.iter().map(|raw| (raw.voice, raw.call, numbers(&raw.facts)));
        let told = |(voice, call, facts): (Voice, bool, Vec<u32>)| -> Told {
            (voice, facts.into_iter().map(|fact| (fact, call)).collect())
        };
        let story: Vec<Told> = earlier.chain(parts).map(told).collect();
        let mut knowledge = Self { table, facts, ..Self::default() };
        knowledge.weigh(&story, &known);
        let part = |(raw, (_, facts)): (&Raw, &Told)| Known {
            message: raw.message,
            part: raw.part,
            facts: facts.iter().map(|(fact, _)| *fact).collect(),
        };
        knowledge.parts = raw.iter().zip(&story[prior.len()..]).map(part).collect();
        knowledge
    }

    fn weigh(&mut self, story: &[Told], known: &HashSet<Fact>) {
        let worth = worth(story);
        for (number, fact) in (0_u32..).zip(&self.facts) {
            let own = worth.get(&number).copied().unwrap_or_default();
            self.worth.push(if known.contains(fact) { 0.0 } else { own });
            self.numbers.insert(fact.clone(), number);
            if fact.class == Class::Cmd {
                self.commands.push(number);
            }
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

/// The parts of a message that have facts.
fn read(at: usize, message: &Message<'_>, numbered: &mut Numbered) -> Vec<Raw> {
    let voice = Voice::of(message.author);
    let raw = |(part, content): (usize, &Part<'_>)| {
        let (facts, call) = of_part(content);
        Raw { message: at, part, voice, call, facts: numbered.numbers(facts) }
    };
    message.parts.iter().enumerate().map(raw).filter(|raw| !raw.facts.is_empty()).collect()
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
