//! The index: at most a quarter of the summary for names that no line has, the most valuable first, each behind the file
//! in which it came up, or behind the command, tool or speaker that named it.

use super::super::extractive::Place;
use super::super::knowledge::{Covered, Knowledge};
use super::super::names::Names;
use super::filling::{Filling, Named, State, Tools};
use crate::facts::Class;
use std::collections::HashMap;

/// What a line of commands without a story begins with.
const COMMANDS: &str = "Also ran ";

/// Adds names to the section of the files, for at most `most` tokens; how many it took.
pub(super) fn add(section: &mut Filling<'_>, names: &Names, most: u64, covered: &mut Covered, tools: Tools<'_>) -> u64 {
    let leads = section.index.iter().enumerate().map(|(at, (lead, _))| (lead.clone(), at)).collect();
    let mut index = Index { section, names, left: most, leads, new: Vec::new(), tools };
    for fact in ranked(tools, covered) {
        if index.left < 3 {
            break;
        }
        if !covered.has(fact) && index.name(fact) {
            covered.add(&[fact]);
            covered.add(&std::mem::take(&mut index.new));
        }
    }
    most - index.left
}

/// Facts that no line has, by their worth for their length.
fn ranked(tools: Tools<'_>, covered: &Covered) -> Vec<u32> {
    let Knowledge { facts, worth, .. } = tools.knowledge;
    let value = |fact: u32| worth[fact as usize] / (facts[fact as usize].value.len() as f64 + 8.0).sqrt();
    let count = u32::try_from(facts.len()).unwrap_or(u32::MAX);
    let mut open: Vec<(f64, u32)> = (0..count)
        .filter(|&fact| worth[fact as usize] > 0.0 && !covered.has(fact))
        .map(|fact| (value(fact), fact))
        .collect();
    open.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    open.into_iter().map(|(_, fact)| fact).collect()
}

struct Index<'x, 'i, 't> {
    section: &'x mut Filling<'i>,
    names: &'t Names,
    left: u64,
    /// Lines of the index by what they begin with.
    leads: HashMap<String, usize>,
    /// Facts of a line that was chosen for a name.
    new: Vec<u32>,
    tools: Tools<'t>,
}

impl Index<'_, '_, '_> {
    /// Adds a name, if it fits.
    fn name(&mut self, fact: u32) -> bool {
        let own = &self.tools.knowledge.facts[fact as usize];
        let value = own.value.clone();
        if own.class == Class::Cmd {
            return self.behind(COMMANDS, format!("`{value}`"));
        }
        match self.names.of.get(&fact).map(|&place| self.names.places[place].clone()) {
            Some(Place::File(path)) => match self.section.files().get(path.as_str()) {
                Some(&at) => self.beside(at, value),
                None => self.behind("Named in files: ", value),
            },
            Some(Place::Call(call)) => self.behind(&format!("Named in {call}: "), value),
            Some(Place::Agent) => self.behind("Named by the agent: ", value),
            Some(Place::User) => self.behind("Named by the user: ", value),
            None => self.behind("Named before: ", value),
        }
    }

    /// Behind the line of a file, which is chosen for it if need be.
    fn beside(&mut self, at: usize, value: String) -> bool {
        let entry = &self.section.items[at];
        let new = if entry.is_chosen() { Vec::new() } else { entry.facts.clone() };
        let line = if entry.is_chosen() { 0 } else { self.tools.line(&entry.text) };
        let lead = if entry.names.is_empty() { "; has " } else { ", " };
        let price = line + (self.tools.count)(&format!("{lead}{value}"));
        let paid = self.pay(price, |section| {
            section.items[at].state = State::Chosen;
            section.items[at].names.push(value);
            section.trail.push(Named::Beside(at));
        });
        if paid {
            self.new = new;
        }
        paid
    }

    /// In a line of its own that begins with `lead`.
    fn behind(&mut self, lead: &str, value: String) -> bool {
        let known = self.leads.get(lead).copied();
        let start = if known.is_some() { 0 } else { self.tools.line(lead) };
        let price = start + (self.tools.count)(&format!(", {value}"));
        let at = known.unwrap_or(self.section.index.len());
        let paid = self.pay(price, |section| {
            if known.is_none() {
                section.index.push((lead.to_owned(), Vec::new()));
            }
            section.index[at].1.push(value);
            section.trail.push(Named::Index(at));
        });
        if paid {
            self.leads.insert(lead.to_owned(), at);
        }
        paid
    }

    fn pay(&mut self, price: u64, change: impl FnOnce(&mut Filling<'_>)) -> bool {
        if price > self.left {
            return false;
        }
        self.left -= price;
        self.section.spent += price;
        change(self.section);
        true
    }
}
