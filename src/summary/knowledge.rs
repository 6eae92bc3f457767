//! What the head knows: its facts with their worth, where each part names them, and which of them need no words since
//! they stand in what is kept.

use super::affinity::affinity;
use super::numbered::{Numbered, Places};
use crate::facts::{Class, Fact, PathTable, Sink, Voice, extract_into, part_into, resolve, worth};
use crate::transcript::{Message, PIECE, Part, Spread, both, pieces_of, spread};
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use foldhash::HashSet;
use std::collections::BTreeSet;
use std::ops::Range;

/// What a fact is worth for a point of [`affinity`].
const NEAR: f64 = 0.04;

/// The most pieces that a head is read in.
const PIECES: usize = 32;

/// The facts of one part of a message of the head.
pub(super) struct Known {
    /// Index of the message in the head.
    pub(super) message: usize,
    /// Index of the part in it.
    pub(super) part: usize,
    /// Facts by number.
    pub(super) facts: Vec<u32>,
}

/// Why a fact may name nothing where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doubt {
    /// It is nothing but digits.
    Number,
    /// It is an amount or a version, which could be a piece of a longer one (`$1.56` of `$1.5625`).
    Figure,
    /// It could be the letter of an escape and a word (`\nName`, or `m` of a colour before it): a capital follows, or what
    /// is a name without the letter.
    Escape,
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
    places: Places,
    /// What could be a piece of something else, by fact.
    doubts: Vec<Option<Doubt>>,
    commands: Vec<u32>,
    /// Finds the commands in a text, by their place among them; none where there are none.
    runs: Option<AhoCorasick>,
    table: PathTable,
}

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
        let (resolved, facts) = numbered.resolved(&table, over);
        let (count, parts) = (facts.len(), raw.iter().map(|raw| head[raw.message].parts[raw.part].text.len()).sum());
        let tell = || told(&before, &raw, (&resolved, count));
        let judge = || {
            let places = Places::of(&facts);
            let doubts = facts.iter().map(|fact| doubt_of(fact, (&facts, &places), &table)).collect();
            let mut said = [head, kept].concat();
            said.sort_by_key(|message| message.record);
            (places, doubts, affinity(&facts, &said))
        };
        let ((parts, worth), (places, doubts, near)) = both((over, parts), tell, judge);
        let mut knowledge = Self { table, places, doubts, facts, parts, ..Self::default() };
        knowledge.weigh(&worth, &known, &near);
        knowledge
    }

    fn weigh(&mut self, worth: &[f64], known: &HashSet<Fact>, near: &[f64]) {
        for (number, fact) in (0_u32..).zip(&self.facts) {
            let own = worth[number as usize] + NEAR * near[number as usize];
            self.worth.push(if known.contains(fact) { 0.0 } else { own });
            if fact.class == Class::Cmd {
                self.commands.push(number);
            }
        }
        let commands = self.commands.iter().map(|number| &self.facts[*number as usize].value);
        // Built for each session, and asked of its lines only: a faster search would not make up for how long it takes to build.
        let find = |commands| AhoCorasick::builder().kind(Some(AhoCorasickKind::ContiguousNFA)).build(commands).ok();
        self.runs = (!self.commands.is_empty()).then(|| find(commands)).flatten();
    }

    /// A fact as it is written in an index (see [`Fact::spelled`]).
    pub(super) fn spelled(&self, fact: u32) -> String {
        self.facts[fact as usize].spelled()
    }

    /// Why a fact may name nothing where it stands, if it may.
    pub(super) fn doubt(&self, fact: u32) -> Option<Doubt> {
        self.doubts[fact as usize]
    }

    fn number(&self, class: Class, value: &str) -> Option<u32> {
        self.places.get(&self.facts, class, value)
    }

    /// An identifier that the head knows.
    pub(super) fn identifier(&self, name: &str) -> Option<u32> {
        self.number(Class::Ident, name)
    }

    /// The facts of a line that the head knows.
    pub(super) fn of_text(&self, text: &str) -> Vec<u32> {
        let mut known = Line { knowledge: self, found: Vec::new(), errors: Vec::new() };
        extract_into(text, &mut known);
        let mut facts = known.settle();
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

/// The parts of the head and the worth of as many facts, once what was said before and they were told; facts have the
/// numbers then to which they were resolved.
fn told(before: &[Vec<u32>], raw: &[Raw], (resolved, count): (&[u32], usize)) -> (Vec<Known>, Vec<f64>) {
    let numbers = |facts: &[u32]| -> Vec<u32> {
        let mut all: Vec<u32> = facts.iter().map(|fact| resolved[*fact as usize]).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let earlier: Vec<Vec<u32>> = before.iter().map(|facts| numbers(facts)).collect();
    let known = |raw: &Raw| Known { message: raw.message, part: raw.part, facts: numbers(&raw.facts) };
    let parts: Vec<Known> = raw.iter().map(known).collect();
    let story = earlier.iter().map(|facts| (Voice::Agent, false, facts));
    let story = story.chain(raw.iter().zip(&parts).map(|(raw, part)| (raw.voice, raw.call, &part.facts)));
    let story = story.map(|(voice, call, facts)| (voice, facts.iter().map(move |fact| (*fact, call))));
    let worth = worth(story, count);
    (parts, worth)
}

/// Why a fact may name nothing where it stands, among all facts and where they are.
fn doubt_of(fact: &Fact, (facts, places): (&[Fact], &Places), table: &PathTable) -> Option<Doubt> {
    match fact.class {
        Class::Id => {
            let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            let digits = fact.value.strip_prefix('$').unwrap_or(&fact.value);
            let is_figure = || digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            is_number(&fact.value).then_some(Doubt::Number).or_else(|| is_figure().then_some(Doubt::Figure))
        }
        Class::Ident | Class::Path => {
            let rest = fact.value.strip_prefix(['n', 't', 'r', 'm'])?;
            let known = |class| places.get(facts, class, rest).is_some();
            let bare = || table.full(Class::Path, rest).is_some();
            let doubtful = rest.starts_with(char::is_uppercase) || known(Class::Ident) || known(Class::Path) || bare();
            doubtful.then_some(Doubt::Escape)
        }
        _ => None,
    }
}

/// The facts of a line, as the head knows them.
struct Line<'k> {
    knowledge: &'k Knowledge,
    found: Vec<u32>,
    errors: Vec<String>,
}

impl Sink for Line<'_> {
    fn add(&mut self, class: Class, value: &str) {
        if class == Class::Error {
            self.errors.push(value.to_owned());
        }
        let full = self.knowledge.table.full(class, value);
        self.found.extend(self.knowledge.number(class, full.as_deref().unwrap_or(value)));
    }
}

impl Line<'_> {
    /// All that was found; what is an error in it is no identifier.
    fn settle(mut self) -> Vec<u32> {
        for error in &self.errors {
            let name = self.knowledge.identifier(error);
            self.found.retain(|fact| Some(*fact) != name);
        }
        self.found
    }
}

/// The parts of the head that have facts; its pieces are numbered apart and then put together.
fn read_all(head: &[&Message<'_>], over: &dyn Spread) -> (Vec<Raw>, Numbered) {
    // Few pieces, since every one has many facts of all others.
    let bytes: usize = head.iter().map(|message| message.bytes()).sum();
    let cuts = pieces_of(PIECE.max(bytes / PIECES), head.iter().map(|message| message.bytes()));
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
