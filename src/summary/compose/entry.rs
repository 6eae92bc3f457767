//! One line of a section: what it says, costs and is worth, and what became of it.

use super::super::extractive::{ASKED, SAID, instruction_strength, is_asked_for, parted};
use super::super::items::Item;
use super::super::knowledge::{Covered, Knowledge};
use super::filling::Tools;
use std::cmp::Reverse;

/// Rank of a line that is worth as much as one point of facts.
const RANK: f64 = 250.0;
/// What every line of a section is worth, in points of facts.
const WORDS: f64 = 0.3;
/// How much the length of a line counts: more facts in a longer line are better than few in a short one.
const LENGTH: f64 = 0.9;

/// Lines below a request that may come with it: the best by rank.
const RESULTS: usize = 6;

/// What stands before names behind a line.
pub(in crate::summary) const DEFINES: &str = "; defines ";
pub(in crate::summary) const HAS: &str = "; has ";

/// A line of no higher rank is of use for its facts only.
const PLAIN: i64 = -400;

/// A line that could be chosen.
pub(super) struct Entry<'i> {
    pub(super) item: &'i Item,
    pub(super) text: String,
    pub(super) facts: Vec<u32>,
    /// Names that the file of the line defines.
    pub(super) defines: Vec<String>,
    /// Names of the index that stand behind it.
    pub(super) names: Vec<String>,
    pub(super) cost: Option<u64>,
    pub(super) state: State,
    /// It tells no more than that a file was read, as enough others do: a name in a line of the index will do.
    pub(super) brief: bool,
    /// Of a request: the lines that say what came of it, the best first.
    pub(super) results: Vec<usize>,
    /// How many of those, the first ones, tell what it asks for by name.
    pub(super) named: usize,
    /// Of a request: it says how as well. A rule must not be lost for want of room, so what came of it is told behind.
    pub(super) binds: bool,
    /// What its words are worth.
    words: f64,
    /// What its length divides its worth by.
    pub(super) length: f64,
}

/// What became of a line so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Open,
    Chosen,
    /// A chosen line says the same.
    Repeated,
    /// A line of the index names its file.
    Named,
}

impl<'i> Entry<'i> {
    /// The line of one of the items of a section.
    pub(super) fn new(items: &'i [Item], at: usize, knowledge: &Knowledge) -> Self {
        let item = &items[at];
        let results = if asks(item) { results(items, at) } else { Vec::new() };
        Self {
            item,
            text: item.text.clone(),
            facts: knowledge.of_text(&item.text),
            defines: Vec::new(),
            names: Vec::new(),
            cost: None,
            state: State::Open,
            brief: false,
            named: results.iter().take_while(|result| is_asked_for(&items[**result].text, &item.text)).count(),
            results,
            binds: asks(item) && instruction_strength(&item.text).is_some(),
            words: (WORDS + item.rank as f64 / RANK).max(0.0),
            // What a request refers to is a part of it: for that it must not make way for others.
            length: (parted(&item.text).0.chars().count() as f64 / 4.0 + 4.0).powf(LENGTH),
        }
    }

    /// What it adds to the lines that are chosen; nothing where it tells nothing new.
    pub(super) fn worth(&self, covered: &Covered, knowledge: &Knowledge) -> Option<f64> {
        let gain = covered.gain(&self.facts, knowledge);
        (self.item.rank > PLAIN || gain > 0.0).then_some(self.words + gain)
    }

    /// Whether it is the line of a request, below which its steps stand.
    pub(super) fn asks(&self) -> bool {
        asks(self.item)
    }

    /// Its price, counted once.
    pub(super) fn priced(&mut self, tools: Tools<'_>, below: bool) -> u64 {
        let price = self.cost.unwrap_or_else(|| self.price(tools, below));
        self.cost = Some(price);
        price
    }

    pub(super) fn is_chosen(&self) -> bool {
        self.state == State::Chosen
    }

    /// The line as it is printed.
    pub(super) fn line(&self) -> String {
        let mut line = String::new();
        self.write(&mut line);
        line
    }

    /// Writes the line as it is printed.
    pub(super) fn write(&self, out: &mut String) {
        out.push_str(&self.text);
        for (lead, names) in [(DEFINES, &self.defines), (HAS, &self.names)] {
            if !names.is_empty() {
                out.push_str(lead);
                listed(names, out);
            }
        }
        out.push_str(&self.item.mark);
    }

    /// Tokens of the line without names; `below` is for one that stands below another.
    pub(super) fn price(&self, tools: Tools<'_>, below: bool) -> u64 {
        if self.item.mark.is_empty() {
            tools.line(&self.text, below)
        } else {
            tools.line(&(self.text.clone() + &self.item.mark), below)
        }
    }
}

/// Writes names with commas between them.
pub(super) fn listed(names: &[String], out: &mut String) {
    for (at, name) in names.iter().enumerate() {
        out.extend([if at > 0 { ", " } else { "" }, name]);
    }
}

/// Whether an item is a request, below which its steps stand.
fn asks(item: &Item) -> bool {
    item.turn.is_some() && item.text.starts_with(ASKED)
}

/// The lines that say what came of a request, the best first: those of its turn but for what else the user said.
fn results(items: &[Item], request: usize) -> Vec<usize> {
    let own = (request + 1..items.len()).take_while(|at| items[*at].turn == items[request].turn);
    let mut results: Vec<usize> = own.filter(|at| !items[*at].text.starts_with(SAID)).collect();
    // “Commit this” is answered by the commit.
    results.sort_by_key(|at| Reverse((is_asked_for(&items[*at].text, &items[request].text), items[*at].rank)));
    results.truncate(RESULTS);
    results
}
