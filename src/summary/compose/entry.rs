//! A line of a section: its text, cost, worth and state.

use super::super::extractive::{ASKED, SAID, instruction_strength, is_asked_for, parted};
use super::super::gist::Gist;
use super::super::items::{Item, PLAIN};
use super::super::knowledge::{Covered, Knowledge};
use super::filling::Tools;
use std::cmp::Reverse;

/// Points of rank that weigh as much as one point of facts.
const RANK: f64 = 250.0;
/// Base worth of every line of a section, in points of facts.
const WORDS: f64 = 0.3;
/// Exponent of a line's length: below 1, so that a long line with more facts beats a short one with few.
const LENGTH: f64 = 0.9;

/// Maximum number of lines below a request that may be chosen with it: the best by rank.
const RESULTS: usize = 6;

/// Text before the names after a line: those that its file defines, and others.
pub(in crate::summary) const DEFINES: &str = "; defines ";
pub(in crate::summary) const HAS: &str = "; has ";

/// A line that may be chosen.
pub(super) struct Entry<'i> {
    pub(super) item: &'i Item,
    pub(super) text: String,
    pub(super) facts: Vec<u32>,
    /// What it says, once it was compared with others.
    pub(super) gist: Option<Gist>,
    /// Names that the file of the line defines.
    pub(super) defines: Vec<String>,
    /// Names of the index printed after it.
    pub(super) names: Vec<String>,
    pub(super) cost: Option<u64>,
    pub(super) state: State,
    /// Whether it says only that a file was read, beyond the number of such lines: its name in a line of the index is
    /// enough.
    pub(super) brief: bool,
    /// Of a request: the lines with its results, best first.
    pub(super) results: Vec<usize>,
    /// How many of those, from the first, name what it asks for.
    pub(super) named: usize,
    /// Whether it is a request with a rule. A rule must not be lost for lack of room, so it is chosen without its
    /// results.
    pub(super) binds: bool,
    /// Worth of its words.
    words: f64,
    /// Divisor of its worth, from its length.
    pub(super) length: f64,
}

/// The state of a line in the choice.
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
    /// The entry of an item of a section.
    pub(super) fn new(items: &'i [Item], at: usize, knowledge: &Knowledge) -> Self {
        let item = &items[at];
        let results = if asks(item) { results(items, at) } else { Vec::new() };
        Self {
            item,
            text: item.text.clone(),
            facts: knowledge.of_text(&item.text),
            gist: None,
            defines: Vec::new(),
            names: Vec::new(),
            cost: None,
            state: State::Open,
            brief: false,
            named: results.iter().take_while(|result| is_asked_for(&items[**result].text, &item.text)).count(),
            results,
            binds: asks(item) && instruction_strength(&item.text).is_some(),
            words: (WORDS + item.rank as f64 / RANK).max(0.0),
            // The length without the text that a request refers to: that must not lower its value.
            length: (parted(&item.text).0.chars().count() as f64 / 4.0 + 4.0).powf(LENGTH),
        }
    }

    /// What it adds to the chosen lines; `None` if it has a low rank and no new fact.
    pub(super) fn worth(&self, covered: &Covered, knowledge: &Knowledge) -> Option<f64> {
        let gain = covered.gain(&self.facts, knowledge);
        (self.item.rank > PLAIN || gain > 0.0).then_some(self.words + gain)
    }

    /// Whether it is a request, with its steps below it.
    pub(super) fn asks(&self) -> bool {
        asks(self.item)
    }

    /// Its price in tokens, computed once.
    pub(super) fn priced(&mut self, tools: Tools<'_>, below: bool) -> u64 {
        let price = self.cost.unwrap_or_else(|| self.price(tools, below));
        self.cost = Some(price);
        price
    }

    pub(super) fn is_chosen(&self) -> bool {
        self.state == State::Chosen
    }

    /// The printed line, without a bullet.
    pub(super) fn line(&self) -> String {
        let mut line = String::new();
        self.write(&mut line);
        line
    }

    /// Appends the printed line.
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

    /// Tokens of the line with its bullet and mark, without names; `below`: indented under another.
    pub(super) fn price(&self, tools: Tools<'_>, below: bool) -> u64 {
        self.price_as(&self.text, tools, below)
    }

    /// Its price in tokens with another text.
    pub(super) fn price_as(&self, text: &str, tools: Tools<'_>, below: bool) -> u64 {
        let mark = &self.item.mark;
        if mark.is_empty() { tools.line(text, below) } else { tools.line(&(text.to_owned() + mark), below) }
    }

    /// Gives it another text, with the facts of that and its price in tokens.
    pub(super) fn reword(&mut self, text: String, price: u64, knowledge: &Knowledge) {
        (self.facts, self.cost) = (knowledge.of_text(&text), Some(price));
        (self.text, self.gist) = (text, None);
    }
}

/// Appends names separated by commas.
pub(super) fn listed(names: &[String], out: &mut String) {
    for (at, name) in names.iter().enumerate() {
        out.extend([if at > 0 { ", " } else { "" }, name]);
    }
}

/// Whether an item is a request, with its steps below it.
fn asks(item: &Item) -> bool {
    item.turn.is_some() && item.text.starts_with(ASKED)
}

/// The lines with the results of a request, best first: those of its turn, except what else the user said.
fn results(items: &[Item], request: usize) -> Vec<usize> {
    let own = (request + 1..items.len()).take_while(|at| items[*at].turn == items[request].turn);
    let mut results: Vec<usize> = own.filter(|at| !items[*at].text.starts_with(SAID)).collect();
    // “Commit this” is answered by the commit.
    results.sort_by_key(|at| Reverse((is_asked_for(&items[*at].text, &items[request].text), items[*at].rank)));
    results.truncate(RESULTS);
    results
}
