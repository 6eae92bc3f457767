//! The facts of the head with their worth, the parts that name them, and which of them need no words in the summary
//! since kept messages name them.

use super::affinity::affinity;
use super::head::Head;
use super::numbered::{Numbered, Places};
use super::text::{all_digits, is_number, without_cut_words};
use crate::facts::{Class, Fact, PathTable, Sink, Voice, extract_into, part_into, resolve, worth};
use crate::transcript::{Message, PIECE, Part, Spread, Spreading, pieces_of, spread};
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use foldhash::HashSet;
use std::collections::BTreeSet;
use std::ops::Range;

/// Worth added per point of [`affinity`].
const NEAR: f64 = 0.04;

/// Maximum number of pieces in which a head is read.
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

/// Why a match of a fact's text may be no mention of the fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doubt {
    /// It has digits only.
    Number,
    /// It is an amount or a version and may be part of a longer one (`$1.56` of `$1.5625`).
    Figure,
    /// It may be cut from numbers with fractions: `0003H7` of `22.0003H7.4` in a drawing, `4232408e` of `1.4232408e-6`.
    Fraction,
    /// It may be part of a longer one with dashes: `RC-2026` of `RC-2026-551902`.
    Code,
    /// Its first letter may belong to an escape (`\nName`, or the `m` that ends a color code): it is a path from `n`, `r`
    /// or `t` on, or the rest starts with a capital or is a known name.
    Escape,
}

/// The facts of the head by number.
#[derive(Default)]
pub(super) struct Knowledge {
    /// The facts, with paths resolved to their full form in the session.
    pub(super) facts: Vec<Fact>,
    /// Their worth; zero for facts that kept messages name.
    pub(super) worth: Vec<f64>,
    /// The parts that name them, in the order of the head.
    pub(super) parts: Vec<Known>,
    places: Places,
    /// By fact: the reason for doubt, if there is one.
    doubts: Vec<Option<Doubt>>,
    commands: Vec<u32>,
    /// Finds commands in a text, by their index in `commands`; `None` if there are none.
    runs: Option<AhoCorasick>,
    table: PathTable,
}

/// A part of a message: its speaker, whether it is a call, and its facts by number.
struct Raw {
    message: usize,
    part: usize,
    voice: Voice,
    call: bool,
    facts: Vec<u32>,
}

impl Knowledge {
    /// Reads the head, the earlier summaries, and the messages kept beside the summary.
    pub(super) fn of(head: Head<'_, '_>, prior: &[String], kept: &[&Message<'_>]) -> Self {
        let Head { messages: head, spreading: Spreading { over, .. } } = head;
        let (raw, mut numbered) = read_all(head, over);
        let mut read = |text: &String| numbered.read(|sink| extract_into(&without_cut_words(text), sink)).0;
        let before: Vec<Vec<u32>> = prior.iter().map(&mut read).collect();
        let mut table = PathTable::default();
        table.learn(&numbered.facts);
        let (said, beside) = read_all(kept, over);
        let said: BTreeSet<u32> = said.into_iter().flat_map(|raw| raw.facts).collect();
        let known: HashSet<Fact> = said.iter().map(|fact| resolve(&beside.facts[*fact as usize], &table)).collect();
        let (resolved, facts) = numbered.resolved(&table, over);
        let bytes = raw.iter().map(|raw| head[raw.message].parts[raw.part].text.len()).sum();
        let tell = || renumbered(&before, &raw, &resolved, facts.len());
        let judge = || {
            let places = Places::of(&facts);
            let doubts = facts.iter().map(|fact| doubt_of(fact, &facts, &places, &table)).collect();
            let mut said = [head, kept].concat();
            said.sort_by_key(|message| message.record);
            (places, doubts, affinity(&facts, &said))
        };
        let ((parts, worth), (places, doubts, near)) = Spreading { over, bytes }.both(tell, judge);
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
        // Rebuilt for each session and run on its lines only: a faster automaton would cost more to build than it
        // saves.
        let find = |commands| AhoCorasick::builder().kind(Some(AhoCorasickKind::ContiguousNFA)).build(commands).ok();
        self.runs = (!self.commands.is_empty()).then(|| find(commands)).flatten();
    }

    /// A fact as an index prints it (see [`Fact::spelled`]).
    pub(super) fn spelled(&self, fact: u32) -> String {
        self.facts[fact as usize].spelled()
    }

    /// Why a match of a fact's text may be no mention of it; `None` if there is no doubt.
    pub(super) fn doubt(&self, fact: u32) -> Option<Doubt> {
        self.doubts[fact as usize]
    }

    fn number(&self, class: Class, value: &str) -> Option<u32> {
        self.places.get(&self.facts, class, value)
    }

    /// The number of an identifier, if the head has it.
    pub(super) fn identifier(&self, name: &str) -> Option<u32> {
        self.number(Class::Ident, name)
    }

    /// The facts of the head that a line names, by number, ascending.
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

/// The parts of the head, with facts renumbered by `resolved`, and the worth of each of the `count` facts after the
/// earlier summaries and these parts.
fn renumbered(before: &[Vec<u32>], raw: &[Raw], resolved: &[u32], count: usize) -> (Vec<Known>, Vec<f64>) {
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

/// Why a match of a fact's text may be no mention of it, judged against all facts of the head.
fn doubt_of(fact: &Fact, facts: &[Fact], places: &Places, table: &PathTable) -> Option<Doubt> {
    match fact.class {
        Class::Id => {
            let digits = fact.value.strip_prefix('$').unwrap_or(&fact.value);
            let is_figure = || digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            let figure = || is_figure().then_some(Doubt::Figure);
            let fraction = || may_be_cut_from_fractions(&fact.value).then_some(Doubt::Fraction);
            let code = || is_code(&fact.value).then_some(Doubt::Code);
            all_digits(&fact.value).then_some(Doubt::Number).or_else(figure).or_else(fraction).or_else(code)
        }
        // A file name that is cut from an escape may have no other mention: `nquay.json` of `\nquay.json`.
        Class::Path if fact.value.starts_with(['n', 't', 'r']) => Some(Doubt::Escape),
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

/// Whether an id has only capitals, digits and dashes, and a capital: not a date.
fn is_code(id: &str) -> bool {
    let is_capital = |byte: u8| byte.is_ascii_uppercase();
    id.bytes().any(is_capital) && id.bytes().all(|byte| is_capital(byte) || byte.is_ascii_digit() || byte == b'-')
}

/// Whether an id has only digits and letters that draw in a path of SVG, or digits and the `e` of an exponent.
fn may_be_cut_from_fractions(id: &str) -> bool {
    let draws = |byte: &u8| byte.is_ascii_digit() || b"CHLMQSTVZ".contains(byte);
    let digits = id.strip_suffix('e').unwrap_or_default();
    let is_mantissa = is_number(digits);
    id.starts_with(|first: char| first.is_ascii_digit()) && (is_mantissa || id.as_bytes().iter().all(draws))
}

/// Collects the facts of a line that the head has.
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
    /// All facts found; an identifier that is an error's name in the same line is left out.
    fn settle(mut self) -> Vec<u32> {
        for error in &self.errors {
            let name = self.knowledge.identifier(error);
            self.found.retain(|fact| Some(*fact) != name);
        }
        self.found
    }
}

/// The parts of the head that have facts. Pieces are read and numbered in parallel and then merged.
fn read_all(head: &[&Message<'_>], over: &dyn Spread) -> (Vec<Raw>, Numbered) {
    // Few pieces: each repeats many facts of the others.
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

/// The parts of a message that have facts. Demonstrations are skipped.
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

/// Counts, per fact, the chosen lines that name it.
#[derive(Default)]
pub(super) struct Covered {
    /// By number of the fact.
    counts: Vec<u32>,
}

impl Covered {
    /// Whether a chosen line names it.
    pub(super) fn has(&self, fact: u32) -> bool {
        self.counts.get(fact as usize).is_some_and(|count| *count > 0)
    }

    /// Adds the facts of a line that was chosen.
    pub(super) fn add(&mut self, facts: &[u32]) {
        for fact in facts.iter().map(|fact| *fact as usize) {
            if fact >= self.counts.len() {
                self.counts.resize(fact + 1, 0);
            }
            self.counts[fact] += 1;
        }
    }

    /// Removes the facts of a line that was taken back.
    pub(super) fn remove(&mut self, facts: &[u32]) {
        for fact in facts {
            if let Some(count) = self.counts.get_mut(*fact as usize) {
                *count = count.saturating_sub(1);
            }
        }
    }

    /// The worth that a line with these facts would add: that of its facts that no chosen line names.
    pub(super) fn gain(&self, facts: &[u32], knowledge: &Knowledge) -> f64 {
        facts.iter().filter(|fact| !self.has(**fact)).map(|fact| knowledge.worth[*fact as usize]).sum()
    }
}
