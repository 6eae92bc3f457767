//! The index: names that no line has, the most valuable first, each behind the file in which it came up, or behind the
//! command, tool or speaker that named it. Identifiers, ids and addresses that no file defines get at most a quarter
//! of the summary; paths and commands what nothing else has use for, too.

use super::super::extractive::Place;
use super::super::knowledge::{Covered, Doubt, Knowledge};
use super::super::names::Names;
use super::entry::{DEFINES, Entry, HAS, State};
use super::filling::{Filling, Named, Tools};
use super::ran::is_command;
use crate::facts::{Class, Fact};
use crate::transcript::{Spread, pieces_of, spread};
use foldhash::HashMap;

/// What an identifier is worth against a file: most that are needed again stand in lines.
const IDENTIFIER: f64 = 0.9;
/// What a folder is worth against a file.
const FOLDER: f64 = 0.75;
/// What a number is worth against a file: most are measured values.
const NUMBER: f64 = 0.5;
/// The power of its length by which the worth of a name is divided.
const LENGTH: f64 = 0.7;
/// Tokens around a name, which its length includes.
const AROUND: f64 = 2.0;
/// Bytes of names of which counting them is worth a core.
const VALUES: usize = 64 << 10;
/// Names of one series that are named: `part_1`, `part_2`, `part_3`.
const SERIES: usize = 4;
/// Bytes of the path of a changed file; of a longer one the end is shown.
const LONGEST: usize = 28;
/// What lines of commands without a story begin with.
const COMMANDS: &str = "Also ran";
pub(super) const WORKED: &str = "Also ran, ok: ";
const FAILED: &str = "Also ran, failed: ";
pub(super) const RAN: &str = "Also ran: ";
/// What the line of changed files begins with that have none of their own.
pub(in crate::summary) const CHANGED_FILES: Lead =
    Lead { whole: "Also changed ", ends: "Also changed, last two names: " };
/// The same for files that were only read.
pub(in crate::summary) const READ_FILES: Lead = Lead { whole: "Also read ", ends: "Also read, last two names: " };
/// What other lines of the index begin with.
pub(in crate::summary) const INDEX_LINES: [&str; 3] = [COMMANDS, "Named in ", "Named b"];

/// What a line of several files begins with.
pub(in crate::summary) struct Lead {
    /// With the whole paths, as they are shown.
    pub(in crate::summary) whole: &'static str,
    /// With the ends of longer ones.
    pub(in crate::summary) ends: &'static str,
}

/// What a kind of names may take, in tokens.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    /// Identifiers, ids, addresses and errors that no file defines.
    pub(super) identifiers: u64,
    /// All names.
    pub(super) all: u64,
}

/// Adds names to the section of the files, the likely ones first, for at most so many tokens; what is left of them.
pub(super) fn add(
    section: &mut Filling<'_>,
    (names, likely): (&Names, &[u32]),
    most: Room,
    covered: &mut Covered,
    tools: Tools<'_>,
) -> Room {
    let leads = section.index.iter().enumerate().map(|(at, (lead, _))| (lead.clone(), at)).collect();
    let files = section.files();
    let mut index = Index { section, names, left: most, files, full: false, leads, new: Vec::new(), tools };
    for at in index.changed_files() {
        covered.add(&index.section.items[at].facts);
    }
    index.full = index.section.cut_files() > 0;
    for &fact in likely {
        if index.left.all < 3 {
            break;
        }
        if covered.has(fact) || !index.has_room_for(fact) {
            continue;
        }
        let stem = stem(tools.knowledge, fact);
        let repeats =
            stem.as_ref().is_some_and(|stem| index.section.series.get(stem).is_some_and(|count| *count >= SERIES));
        if !repeats && index.name(fact) {
            stem.into_iter().for_each(|stem| *index.section.series.entry(stem).or_default() += 1);
            covered.add(&[fact]);
            covered.add(&std::mem::take(&mut index.new));
        }
    }
    index.left
}

/// What names of a series have in common: an identifier or path without its digits, where it has any; the length of a
/// number.
fn stem(knowledge: &Knowledge, fact: u32) -> Option<String> {
    let own = &knowledge.facts[fact as usize];
    let counts = matches!(own.class, Class::Ident | Class::Path);
    let is_digit = |char: char| char.is_ascii_digit();
    if knowledge.doubt(fact) == Some(Doubt::Number) {
        return Some(format!("{} digits", own.value.len()));
    }
    (counts && own.value.contains(is_digit)).then(|| own.value.replace(is_digit, ""))
}

/// The facts that are worth a name, by their worth for their length.
pub(super) fn ranked(names: &Names, tools: Tools<'_>, over: &dyn Spread) -> Vec<u32> {
    let Knowledge { facts, worth, .. } = tools.knowledge;
    let value = |(fact, own): (u32, &Fact)| {
        let kind = match own.class {
            Class::Ident => IDENTIFIER,
            Class::Path if !own.is_file() => FOLDER,
            Class::Id if tools.knowledge.doubt(fact) == Some(Doubt::Number) => NUMBER,
            _ => 1.0,
        };
        kind * worth[fact as usize] / (tools.tokens(&own.value) as f64 + AROUND).powf(LENGTH)
    };
    let is_open = |fact: u32| worth[fact as usize] > 0.0 && names.can_name(fact, tools.knowledge);
    let cuts = pieces_of(VALUES, facts.iter().map(|fact| fact.value.len()));
    let open = spread(over, &cuts, |piece| {
        let first = u32::try_from(piece.start).unwrap_or(u32::MAX);
        let of_worth = (first..).zip(&facts[piece]).filter(|(fact, _)| is_open(*fact));
        of_worth.map(|(fact, own)| (value((fact, own)), fact)).collect::<Vec<(f64, u32)>>()
    });
    let mut open = open.concat();
    open.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    open.into_iter().map(|(_, fact)| fact).collect()
}

/// A path, or the last two components of a long one.
fn short(path: &str) -> &str {
    let parts = path.char_indices().rev().filter(|(_, char)| "/\\".contains(*char));
    let end = parts.map(|(at, _)| at + 1).nth(1).unwrap_or(0);
    if path.len() > LONGEST { &path[end..] } else { path }
}

struct Index<'x, 'i, 't> {
    section: &'x mut Filling<'i>,
    names: &'t Names,
    left: Room,
    /// The lines of files by their path.
    files: HashMap<&'i str, usize>,
    /// Changed files were cut: no file that was only read may take their room.
    full: bool,
    /// Lines of the index by what they begin with.
    leads: HashMap<String, usize>,
    /// Facts of a line that was chosen for a name.
    new: Vec<u32>,
    tools: Tools<'t>,
}

impl Index<'_, '_, '_> {
    /// Names the changed files that have no line, since none may be lost: their entries.
    fn changed_files(&mut self) -> Vec<usize> {
        let mut named = Vec::new();
        for at in 0..self.section.items.len() {
            let entry = &self.section.items[at];
            if entry.state != State::Open || !entry.item.changed_file {
                continue;
            }
            if self.file(&CHANGED_FILES, at) {
                named.push(at);
            }
        }
        named
    }

    /// Names the file of a line in a line of the index; whether there was room.
    fn file(&mut self, lead: &Lead, at: usize) -> bool {
        let entry = &self.section.items[at];
        let Some(shown) = entry.text.split('`').nth(1).filter(|shown| !shown.is_empty()) else { return false };
        let name = short(shown);
        let lead = if name == shown { lead.whole } else { lead.ends };
        let paid = self.behind(lead, format!("`{name}`"), true);
        if paid {
            self.section.items[at].state = State::Named;
            if let Some(last) = self.section.trail.last_mut()
                && let Named::Index(line) = *last
            {
                *last = Named::Changed { line, entry: at };
            }
        }
        paid
    }

    /// Whether there is room for names of its kind.
    fn has_room_for(&self, fact: u32) -> bool {
        let is_place = matches!(self.tools.knowledge.facts[fact as usize].class, Class::Cmd | Class::Path);
        is_place || self.left.identifiers > 0 || self.names.defined.contains(&fact)
    }

    /// Adds a name, if it fits.
    fn name(&mut self, fact: u32) -> bool {
        let own = &self.tools.knowledge.facts[fact as usize];
        let is_place = matches!(own.class, Class::Cmd | Class::Path);
        let value = self.tools.knowledge.spelled(fact);
        if own.class == Class::Cmd && !is_command(&value) {
            return false;
        }
        if own.class == Class::Cmd && !self.names.commands.said.contains(&own.value) {
            let lead = match self.names.commands.worked.get(&own.value) {
                Some(true) => WORKED,
                Some(false) => FAILED,
                None => RAN,
            };
            return self.behind(lead, format!("`{value}`"), is_place);
        }
        match self.names.place(fact) {
            Some(Place::File(path)) => match self.files.get(path.as_str()) {
                Some(&at) if self.is_open_line_of(at, fact) => self.line(at),
                Some(&at) if self.has_room_for_names(at) => {
                    self.beside(at, value, (is_place, self.names.defined.contains(&fact)))
                }
                _ => self.behind("Named in files: ", value, is_place),
            },
            Some(Place::Call(call)) => self.behind(&format!("Named in {call}: "), value, is_place),
            Some(Place::Agent) => self.behind("Named by the agent: ", value, is_place),
            Some(Place::User) => self.behind("Named by the user: ", value, is_place),
            None => self.behind("Named before: ", value, is_place),
        }
    }

    /// Whether a file's line, which is not chosen yet, names the fact itself.
    fn is_open_line_of(&self, at: usize, fact: u32) -> bool {
        let entry = &self.section.items[at];
        entry.state == State::Open && (entry.brief || self.has_room_for_names(at)) && entry.facts.contains(&fact)
    }

    /// Chooses the line of a file.
    fn line(&mut self, at: usize) -> bool {
        let entry = &self.section.items[at];
        if entry.brief {
            let new = entry.facts.clone();
            let named = self.file(&READ_FILES, at);
            if named {
                self.new = new;
            }
            return named;
        }
        let (price, new) = (entry.price(self.tools, false), entry.facts.clone());
        let paid = self.pay(price, true, |section| section.items[at].state = State::Chosen);
        if paid {
            self.new = new;
        }
        paid
    }

    /// Whether names can stand behind a file: not where its line was cut, or made way for a name.
    fn has_room_for_names(&self, at: usize) -> bool {
        let Entry { state, brief, .. } = self.section.items[at];
        state == State::Chosen || (!self.full && !brief && state != State::Named)
    }

    /// Behind the line of a file, which is chosen for it if need be.
    fn beside(&mut self, at: usize, value: String, (is_place, defined): (bool, bool)) -> bool {
        let entry = &self.section.items[at];
        let new = if entry.is_chosen() { Vec::new() } else { entry.facts.clone() };
        let line = if entry.is_chosen() { 0 } else { entry.price(self.tools, false) };
        let (own, lead) = if defined { (&entry.defines, DEFINES) } else { (&entry.names, HAS) };
        let lead = if own.is_empty() { lead } else { ", " };
        let price = line + self.tools.tokens(&format!("{lead}{value}"));
        let paid = self.pay(price, is_place || defined, |section| {
            let entry = &mut section.items[at];
            entry.state = State::Chosen;
            if defined {
                entry.defines.push(value)
            } else {
                entry.names.push(value)
            }
            section.trail.push(if defined { Named::Defined(at) } else { Named::Beside(at) });
        });
        if paid {
            self.new = new;
        }
        paid
    }

    /// In a line of its own that begins with `lead`.
    fn behind(&mut self, lead: &str, value: String, is_place: bool) -> bool {
        let known = self.leads.get(lead).copied();
        let start = if known.is_some() { 0 } else { self.tools.line(lead, false) };
        let price = start + self.tools.tokens(&format!(", {value}"));
        let at = known.unwrap_or(self.section.index.len());
        let paid = self.pay(price, is_place, |section| {
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

    fn pay(&mut self, price: u64, is_place: bool, change: impl FnOnce(&mut Filling<'_>)) -> bool {
        if price > self.left.all || (!is_place && price > self.left.identifiers) {
            return false;
        }
        self.left.all -= price;
        if !is_place {
            self.left.identifiers -= price;
        }
        self.section.spent += price;
        change(self.section);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::corpus::{act, count};
    use super::*;
    use crate::transcript::{InTurn, Message};

    #[test]
    fn short_names_and_files_come_first() {
        let line = r#"{"command":"echo src/parse.rs src/ast/parse makeAll make_all_of_the_targets_now"}"#;
        let messages = act("Bash", line, "done", false);
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let knowledge = Knowledge::of((&head, &InTurn), &[], &[]);
        let names = ranked(&Names::default(), Tools { knowledge: &knowledge, count: &count }, &InTurn);
        let names: Vec<&str> = names.iter().map(|fact| knowledge.facts[*fact as usize].value.as_str()).collect();
        assert_eq!(names, ["makeAll", "src/parse.rs", "ast/parse", "make_all_of_the_targets_now"]);
    }
}
