//! What the head knows: its facts with their worth, where each part names them, and which of them need no words since
//! they stand in what is kept.

use super::affinity::affinity;
use crate::facts::{Class, Fact, PathTable, Sink, Voice, extract, extract_into, part_into, resolve, worth};
use crate::transcript::{Message, Part, Spread, pieces, spread};
use aho_corasick::AhoCorasick;
use foldhash::{HashMap, HashSet};
use std::collections::BTreeSet;
use std::ops::Range;

/// What a fact is worth for a point of [`affinity`].
const NEAR: f64 = 0.04;

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
    /// Finds the commands in a text, by their place among them; none where there are none.
    runs: Option<AhoCorasick>,
    table: PathTable,
}

/// Facts as they are written, each once and with a number.
#[derive(Default)]
struct Numbered {
    facts: Vec<Fact>,
    /// By class and value.
    numbers: [HashMap<String, u32>; Class::ALL.len()],
    /// The text in which each was seen last.
    seen: Vec<u32>,
    /// Texts that were begun.
    texts: u32,
    /// The facts of the text that is being read.
    found: Vec<u32>,
}

impl Sink for Numbered {
    fn add(&mut self, class: Class, value: &str) {
        let number = self.number(class, value);
        if self.seen[number as usize] < self.texts {
            self.seen[number as usize] = self.texts;
            self.found.push(number);
        }
    }
}

impl Numbered {
    /// The number of a fact.
    fn number(&mut self, class: Class, value: &str) -> u32 {
        let own = &mut self.numbers[class as usize];
        own.get(value).copied().unwrap_or_else(|| {
            let number = u32::try_from(self.facts.len()).unwrap_or(u32::MAX);
            own.insert(value.to_owned(), number);
            self.facts.push(Fact { class, value: value.to_owned() });
            self.seen.push(0);
            number
        })
    }

    /// The numbers of the facts of a text, each once, and what the reading of it gives.
    fn read<T>(&mut self, text: impl FnOnce(&mut Self) -> T) -> (Vec<u32>, T) {
        self.texts += 1;
        let given = text(self);
        let mut found = std::mem::take(&mut self.found);
        let errors = &self.numbers[Class::Error as usize];
        let is_error = |fact: &Fact| {
            let error = (fact.class == Class::Ident).then(|| errors.get(&fact.value)).flatten();
            error.is_some_and(|error| self.seen[*error as usize] == self.texts)
        };
        found.retain(|number| !is_error(&self.facts[*number as usize]));
        (found, given)
    }

    /// For each its number among all as the session knows them, which are in order; and those.
    fn resolved(self, table: &PathTable) -> (Vec<u32>, Vec<Fact>) {
        let known: Vec<Fact> = self.facts.iter().map(|fact| resolve(fact, table)).collect();
        let mut order: Vec<usize> = (0..known.len()).collect();
        order.sort_unstable_by(|one, other| known[*one].cmp(&known[*other]));
        let (mut numbers, mut all) = (vec![0; known.len()], Vec::<Fact>::new());
        for at in order {
            if all.last() != Some(&known[at]) {
                all.push(known[at].clone());
            }
            numbers[at] = u32::try_from(all.len() - 1).unwrap_or(u32::MAX);
        }
        (numbers, all)
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
    pub(super) fn of((head, over): (&[&Message<'_>], &dyn Spread), prior: &[String], kept: &[&Message<'_>]) -> Self {
        let (raw, mut numbered) = read_all(head, over);
        let before: Vec<Vec<u32>> = prior.iter().map(|text| numbered.read(|sink| extract_into(text, sink)).0).collect();
        let mut table = PathTable::default();
        table.learn(&numbered.facts);
        let (said, beside) = read_all(kept, over);
        let said: BTreeSet<u32> = said.into_iter().flat_map(|raw| raw.facts).collect();
        let known: HashSet<Fact> = said.iter().map(|fact| resolve(&beside.facts[*fact as usize], &table)).collect();
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
        let mut said = [head, kept].concat();
        said.sort_by_key(|message| message.record);
        let near = affinity(&knowledge.facts, &said);
        knowledge.weigh(&story, &known, &near);
        let part = |(raw, (_, facts)): (&Raw, &Told)| Known {
            message: raw.message,
            part: raw.part,
            facts: facts.iter().map(|(fact, _)| *fact).collect(),
        };
        knowledge.parts = raw.iter().zip(&story[prior.len()..]).map(part).collect();
        knowledge
    }

    fn weigh(&mut self, story: &[Told], known: &HashSet<Fact>, near: &[f64]) {
        let worth = worth(story);
        for (number, fact) in (0_u32..).zip(&self.facts) {
            let own = worth.get(&number).copied().unwrap_or_default() + NEAR * near[number as usize];
            self.worth.push(if known.contains(fact) { 0.0 } else { own });
            self.numbers.insert(fact.clone(), number);
            if fact.class == Class::Cmd {
                self.commands.push(number);
            }
        }
        let commands = self.commands.iter().map(|number| &self.facts[*number as usize].value);
        self.runs = (!self.commands.is_empty()).then(|| AhoCorasick::new(commands).ok()).flatten();
    }

    /// A fact as it is written in an index (see [`Fact::spelled`]).
    pub(super) fn spelled(&self, fact: u32) -> String {
        self.facts[fact as usize].spelled()
    }

    /// The digits of a fact that is nothing but a number.
    pub(super) fn number(&self, fact: u32) -> Option<&str> {
        let own = &self.facts[fact as usize];
        let digits = own.class == Class::Id && own.value.bytes().all(|byte| byte.is_ascii_digit());
        digits.then_some(own.value.as_str())
    }

    /// An amount or a version, which could be a piece of a longer one (`$1.56` of `$1.5625`).
    pub(super) fn figure(&self, fact: u32) -> Option<&str> {
        let own = &self.facts[fact as usize];
        let digits = own.value.strip_prefix('$').unwrap_or(&own.value);
        let figure = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        (own.class == Class::Id && figure && self.number(fact).is_none()).then_some(own.value.as_str())
    }

    /// A name or path that could be the letter of an escape and a word (`\nName`, or `m` of a colour before it): a capital
    /// follows, or what is a name without the letter.
    pub(super) fn escape(&self, fact: u32) -> Option<&str> {
        let own = &self.facts[fact as usize];
        let named = matches!(own.class, Class::Ident | Class::Path);
        let rest = own.value.strip_prefix(['n', 't', 'r', 'm']).filter(|_| named)?;
        let known = |class| self.numbers.contains_key(&Fact { class, value: rest.to_owned() });
        let doubtful = rest.starts_with(char::is_uppercase) || known(Class::Ident) || known(Class::Path);
        doubtful.then_some(own.value.as_str())
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
        let runs = self
            .runs
            .iter()
            .flat_map(|runs| runs.find_overlapping_iter(text))
            .filter_map(|run| self.commands.get(run.pattern().as_usize()));
        facts.extend(runs);
        facts.sort_unstable();
        facts.dedup();
        facts
    }
}

/// The parts of the head that have facts; its pieces are numbered apart and then put together.
fn read_all(head: &[&Message<'_>], over: &dyn Spread) -> (Vec<Raw>, Numbered) {
    let cuts = pieces(head.iter().map(|message| message.bytes()));
    let read_piece = |piece: Range<usize>| {
        let mut numbered = Numbered::default();
        let raw = piece.flat_map(|at| read(at, head[at], &mut numbered)).collect::<Vec<_>>();
        (raw, numbered)
    };
    let mut read = spread(over, &cuts, read_piece).into_iter();
    let (mut raw, mut all) = read.next().unwrap_or_default();
    for (mut more, numbered) in read {
        let numbers: Vec<u32> = numbered.facts.into_iter().map(|fact| all.number(fact.class, &fact.value)).collect();
        let facts = more.iter_mut().flat_map(|raw| &mut raw.facts);
        facts.for_each(|fact| *fact = numbers[*fact as usize]);
        raw.append(&mut more);
    }
    (raw, all)
}

/// The parts of a message that have facts of this session.
fn read(at: usize, message: &Message<'_>, numbered: &mut Numbered) -> Vec<Raw> {
    if message.demonstration {
        return Vec::new();
    }
    let voice = Voice::of(message.author);
    let raw = |(part, content): (usize, &Part<'_>)| {
        let (facts, call) = numbered.read(|sink| part_into(content, sink));
        Raw { message: at, part, voice, call, facts }
    };
    message.parts.iter().enumerate().map(raw).filter(|raw| !raw.facts.is_empty()).collect()
}

/// Which facts the chosen lines have already, and how often.
#[derive(Default)]
pub(super) struct Covered {
    /// By fact.
    counts: Vec<u32>,
}

impl Covered {
    /// Whether a chosen line has it.
    pub(super) fn has(&self, fact: u32) -> bool {
        self.counts.get(fact as usize).is_some_and(|count| *count > 0)
    }

    /// A line with these facts was chosen.
    pub(super) fn add(&mut self, facts: &[u32]) {
        for fact in facts.iter().map(|fact| *fact as usize) {
            if fact >= self.counts.len() {
                self.counts.resize(fact + 1, 0);
            }
            self.counts[fact] += 1;
        }
    }

    /// A line with these facts was taken back.
    pub(super) fn remove(&mut self, facts: &[u32]) {
        for fact in facts {
            if let Some(count) = self.counts.get_mut(*fact as usize) {
                *count = count.saturating_sub(1);
            }
        }
    }

    /// The worth of what a line with these facts would add.
    pub(super) fn gain(&self, facts: &[u32], knowledge: &Knowledge) -> f64 {
        facts.iter().filter(|fact| !self.has(**fact)).map(|fact| knowledge.worth[*fact as usize]).sum()
    }
}
