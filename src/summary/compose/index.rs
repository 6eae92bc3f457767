//! The index: names that no chosen line has, most valuable first, each listed after the line of the file where it
//! occurred, or in a line of the command, tool or speaker that named it. Identifiers, ids and addresses that no file
//! defines get at most a quarter of the summary; paths and commands may also use what is left over.

use super::super::extractive::Place;
use super::super::knowledge::{Doubt, Knowledge};
use super::super::phrases::{ALSO_FAILED, ALSO_RAN, ALSO_WORKED, NAMED};
use super::entry::{DEFINES, Entry, HAS, State};
use super::filling::{Chooser, Filling, Named, Tools};
use super::ran::is_command;
use crate::facts::{Class, Fact};
use crate::transcript::{Spread, pieces_of, spread};
use foldhash::HashMap;

/// Weight of an identifier relative to a file: most that are needed again are in lines.
const IDENTIFIER: f64 = 0.9;
/// Weight of a folder relative to a file.
const FOLDER: f64 = 0.75;
/// Weight of a number relative to a file: most are measured values.
const NUMBER: f64 = 0.5;
/// Exponent of the price by which the worth of a name is divided.
const LENGTH: f64 = 0.9;
/// Tokens added to the price of a name for the lead of its line.
const AROUND: f64 = 0.5;
/// Bytes of names whose counting is worth a core of its own.
const VALUES: usize = 64 << 10;
/// Maximum number of names per series (`part_1`, `part_2`, `part_3`).
const SERIES: usize = 4;
/// Maximum length of a changed file's path, in bytes; of longer ones the last two components are shown.
const LONGEST: usize = 28;
/// Start of all leads of commands that no chosen line is about.
const COMMANDS: &str = "Also ran";
/// Leads of the line of changed files that have no line of their own.
pub(in crate::summary) const CHANGED_FILES: Lead =
    Lead { whole: "Also changed ", ends: "Also changed, last two names: " };
/// Leads of the line of deleted files that have no line of their own.
pub(in crate::summary) const DELETED_FILES: Lead =
    Lead { whole: "Also deleted ", ends: "Also deleted, last two names: " };
/// Leads of the line of files that were only read.
pub(in crate::summary) const READ_FILES: Lead = Lead { whole: "Also read ", ends: "Also read, last two names: " };
/// Starts of the other lines of the index.
pub(in crate::summary) const INDEX_LINES: [&str; 3] = [COMMANDS, NAMED[0], NAMED[1]];

/// The two leads of a line of several files.
pub(in crate::summary) struct Lead {
    /// For paths printed in full.
    pub(in crate::summary) whole: &'static str,
    /// For long paths, printed as their last two components.
    pub(in crate::summary) ends: &'static str,
}

/// A name that may be listed, and the tokens that it costs behind another one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Likely {
    fact: u32,
    price: u64,
}

/// What a name or line costs: its tokens, and whether it may take the room of places.
#[derive(Debug, Clone, Copy)]
struct Price {
    tokens: u64,
    is_place: bool,
}

/// A name as it is listed: commands in backticks, and an id as part of the longer one that has it.
fn shown(Tools { knowledge, names, .. }: Tools<'_>, fact: u32) -> String {
    let longer = names.longer(fact);
    let spelled = if longer.is_empty() { knowledge.spelled(fact) } else { longer.join(", ") };
    if knowledge.facts[fact as usize].class == Class::Cmd { format!("`{spelled}`") } else { spelled }
}

/// Tokens left for names.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    /// For identifiers, ids, addresses and errors that no file defines.
    pub(super) identifiers: u64,
    /// For all names.
    pub(super) all: u64,
}

/// Adds names, in the order of `likely`, to the section of the files, for at most `most` tokens; returns the room
/// that is left.
pub(super) fn add(
    section: &mut Filling<'_>,
    likely: &[Likely],
    most: Room,
    Chooser { covered, tools }: &mut Chooser<'_>,
) -> Room {
    let mut index = Index::new(section, most, *tools);
    for at in index.changed_files() {
        covered.add(&index.section.items[at].facts);
    }
    index.full = index.section.cut_files() > 0;
    for &Likely { fact, price } in likely {
        if index.left.all < 3 {
            break;
        }
        if price > index.left.all || covered.has(fact) || !index.has_room_for(fact) {
            continue;
        }
        let stem = stem(tools.knowledge, fact);
        let repeats =
            stem.as_ref().is_some_and(|stem| index.section.series.get(stem).is_some_and(|count| *count >= SERIES));
        if !repeats && index.name(fact, price) {
            stem.into_iter().for_each(|stem| *index.section.series.entry(stem).or_default() += 1);
            covered.add(&[fact]);
            tools.names.longer(fact).iter().for_each(|longer| covered.add(&tools.knowledge.of_text(longer)));
            covered.add(&std::mem::take(&mut index.new));
        }
    }
    index.left
}

/// Names the files that were only read, that have no line, and whose names are no news, for at most `left` tokens.
pub(super) fn add_read_files(section: &mut Filling<'_>, left: u64, tools: Tools<'_>) {
    let mut index = Index::new(section, Room { identifiers: 0, all: left }, tools);
    let is_old = |fact: &u32| tools.knowledge.worth[*fact as usize] <= 0.0;
    for place in 0..index.section.order.len() {
        let at = index.section.order[place];
        let entry = &index.section.items[at];
        let is_untold = entry.brief && entry.state == State::Open && entry.facts.iter().all(is_old);
        if is_untold && !index.file(&READ_FILES, at) {
            break;
        }
    }
}

/// The key of a series: an identifier or path without its digits, if it has any, or the count of digits of a number.
fn stem(knowledge: &Knowledge, fact: u32) -> Option<String> {
    let own = &knowledge.facts[fact as usize];
    let counts = matches!(own.class, Class::Ident | Class::Path);
    let is_digit = |char: char| char.is_ascii_digit();
    if knowledge.doubt(fact) == Some(Doubt::Number) {
        return Some(format!("{} digits", own.value.len()));
    }
    (counts && own.value.contains(is_digit)).then(|| own.value.replace(is_digit, ""))
}

/// The facts to name, by worth per length, highest first.
pub(super) fn ranked(tools: Tools<'_>, over: &dyn Spread) -> Vec<Likely> {
    let Knowledge { facts, worth, .. } = tools.knowledge;
    let value = |(fact, own): (u32, &Fact), price: u64| {
        let kind = match own.class {
            Class::Ident => IDENTIFIER,
            Class::Path if !own.is_file() => FOLDER,
            Class::Id if tools.knowledge.doubt(fact) == Some(Doubt::Number) => NUMBER,
            _ => 1.0,
        };
        kind * worth[fact as usize] / (price as f64 + AROUND).powf(LENGTH)
    };
    let is_open = |fact: u32| worth[fact as usize] > 0.0 && tools.names.can_name(fact, tools.knowledge);
    let cuts = pieces_of(VALUES, facts.iter().map(|fact| fact.value.len()));
    let open = spread(over, &cuts, |piece| {
        let first = u32::try_from(piece.start).unwrap_or(u32::MAX);
        let of_worth = (first..).zip(&facts[piece]).filter(|(fact, _)| is_open(*fact));
        let priced = of_worth.map(|(fact, own)| {
            let price = tools.tokens(&format!(", {}", shown(tools, fact)));
            (value((fact, own), price), Likely { fact, price })
        });
        priced.collect::<Vec<(f64, Likely)>>()
    });
    let mut open = open.concat();
    open.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.fact.cmp(&b.1.fact)));
    open.into_iter().map(|(_, likely)| likely).collect()
}

/// A path, or the last two components of one longer than [`LONGEST`] bytes.
fn short(path: &str) -> &str {
    let parts = path.char_indices().rev().filter(|(_, char)| "/\\".contains(*char));
    let end = parts.map(|(at, _)| at + 1).nth(1).unwrap_or(0);
    if path.len() > LONGEST { &path[end..] } else { path }
}

struct Index<'x, 'i, 't> {
    section: &'x mut Filling<'i>,
    left: Room,
    /// Indices of the lines of files, by path.
    files: HashMap<&'i str, usize>,
    /// Whether changed files were cut: no read-only file may take their room.
    full: bool,
    /// Indices of the lines of the index, by lead.
    leads: HashMap<String, usize>,
    /// Facts of a line that was chosen along with a name.
    new: Vec<u32>,
    tools: Tools<'t>,
}

impl<'x, 'i, 't> Index<'x, 'i, 't> {
    fn new(section: &'x mut Filling<'i>, left: Room, tools: Tools<'t>) -> Self {
        let leads = section.index.iter().enumerate().map(|(at, (lead, _))| (lead.clone(), at)).collect();
        let files = section.files();
        Self { section, left, files, full: false, leads, new: Vec::new(), tools }
    }
}

impl Index<'_, '_, '_> {
    /// Names the changed files that have no line, since none may be lost; returns the entries that fitted.
    fn changed_files(&mut self) -> Vec<usize> {
        let mut named = Vec::new();
        for at in 0..self.section.items.len() {
            let entry = &self.section.items[at];
            if entry.state != State::Open || !entry.item.changed_file {
                continue;
            }
            let lead = if entry.item.deleted_file { &DELETED_FILES } else { &CHANGED_FILES };
            if self.file(lead, at) {
                named.push(at);
            }
        }
        named
    }

    /// Names the file of an entry in a line of the index; returns whether there was room.
    fn file(&mut self, lead: &Lead, at: usize) -> bool {
        let entry = &self.section.items[at];
        let Some(shown) = entry.text.split('`').nth(1).filter(|shown| !shown.is_empty()) else { return false };
        let name = short(shown);
        let lead = if name == shown { lead.whole } else { lead.ends };
        let name = format!("`{name}`");
        let tokens = self.tools.tokens(&format!(", {name}"));
        let paid = self.behind(lead, name, Price { tokens, is_place: true });
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
        is_place || self.left.identifiers > 0 || self.tools.names.defined.contains(&fact)
    }

    fn affords(&self, Price { tokens, is_place }: Price) -> bool {
        tokens <= self.left.all && (is_place || tokens <= self.left.identifiers)
    }

    /// Adds a name of so many tokens at its place; returns whether it fitted.
    fn name(&mut self, fact: u32, tokens: u64) -> bool {
        let own = &self.tools.knowledge.facts[fact as usize];
        let is_place = matches!(own.class, Class::Cmd | Class::Path);
        if own.class == Class::Cmd && !is_command(&self.tools.knowledge.spelled(fact)) {
            return false;
        }
        let (value, price) = (shown(self.tools, fact), Price { tokens, is_place });
        // A word may be a fact of two classes: “TS2304” is an error and an identifier.
        if self.section.index.iter().any(|(_, names)| names.contains(&value)) {
            return true;
        }
        if own.class == Class::Cmd && !self.tools.names.commands.said.contains(&own.value) {
            let lead = match self.tools.names.commands.worked.get(&own.value) {
                Some(true) if self.tools.names.commands.is_red(&own.value) => ALSO_RAN,
                Some(true) => ALSO_WORKED,
                Some(false) => ALSO_FAILED,
                None => ALSO_RAN,
            };
            return self.behind(lead, value, price);
        }
        match self.tools.names.place(fact) {
            Some(Place::File(path)) => match self.files.get(path.as_str()) {
                Some(&at) if self.is_open_line_of(at, fact) => self.line(at),
                Some(&at) if self.has_room_for_names(at) => self.beside(at, fact, price),
                _ => self.behind("Named in files: ", value, price),
            },
            Some(Place::Call(call)) => self.behind(&format!("Named in {call}: "), value, price),
            Some(Place::Agent) => self.behind("Named by the agent: ", value, price),
            Some(Place::User) => self.behind("Named by the user: ", value, price),
            None => self.behind("Named before: ", value, price),
        }
    }

    /// Whether the open line of a file has the fact itself.
    fn is_open_line_of(&self, at: usize, fact: u32) -> bool {
        let entry = &self.section.items[at];
        entry.state == State::Open && (entry.brief || self.has_room_for_names(at)) && entry.facts.contains(&fact)
    }

    /// Chooses the line of a file, or names the file in the index if its line is brief; returns whether it fitted.
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
        let (tokens, new) = (entry.price(self.tools, false), entry.facts.clone());
        let paid = self.pay(Price { tokens, is_place: true }, |section| section.items[at].state = State::Chosen);
        if paid {
            self.new = new;
        }
        paid
    }

    /// Whether names can be listed after a file's line: not if the line was cut or the file is named in the index
    /// only.
    fn has_room_for_names(&self, at: usize) -> bool {
        let Entry { state, brief, .. } = self.section.items[at];
        state == State::Chosen || (!self.full && !brief && state != State::Named)
    }

    /// Adds a name after the line of a file, which is chosen for it if needed.
    fn beside(&mut self, at: usize, fact: u32, price: Price) -> bool {
        let (value, defined) = (shown(self.tools, fact), self.tools.names.defined.contains(&fact));
        let entry = &self.section.items[at];
        let new = if entry.is_chosen() { Vec::new() } else { entry.facts.clone() };
        let line = if entry.is_chosen() { 0 } else { entry.price(self.tools, false) };
        let (own, lead) = if defined { (&entry.defines, DEFINES) } else { (&entry.names, HAS) };
        let tokens = if own.is_empty() { self.tools.tokens(&format!("{lead}{value}")) } else { price.tokens };
        let price = Price { tokens: line + tokens, is_place: price.is_place || defined };
        let paid = self.pay(price, |section| {
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

    /// Adds a name to the line of the index that starts with `lead`.
    fn behind(&mut self, lead: &str, value: String, price: Price) -> bool {
        let known = self.leads.get(lead).copied();
        if !self.affords(price) {
            return false;
        }
        let start = if known.is_some() { 0 } else { self.start(lead) };
        let at = known.unwrap_or(self.section.index.len());
        let paid = self.pay(Price { tokens: start + price.tokens, ..price }, |section| {
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

    /// Tokens of a line that starts with `lead`, without names.
    fn start(&mut self, lead: &str) -> u64 {
        if let Some(known) = self.section.starts.get(lead) {
            return *known;
        }
        let price = self.tools.line(lead, false);
        self.section.starts.insert(lead.to_owned(), price);
        price
    }

    fn pay(&mut self, price: Price, change: impl FnOnce(&mut Filling<'_>)) -> bool {
        if !self.affords(price) {
            return false;
        }
        self.left.all -= price.tokens;
        if !price.is_place {
            self.left.identifiers -= price.tokens;
        }
        self.section.spent += price.tokens;
        change(self.section);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::builders::{act, count};
    use super::super::super::head::Head;
    use super::super::super::names::Names;
    use super::*;
    use crate::transcript::{InTurn, Message};

    #[test]
    fn short_names_and_files_come_first() {
        let line = r#"{"command":"echo src/parse.rs src/ast/parse makeAll make_all_of_the_targets_now"}"#;
        let messages = act("Bash", line, "done", false);
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let knowledge = Knowledge::of(Head::of(&head, &InTurn), &[], &[]);
        let tools = Tools { knowledge: &knowledge, names: &Names::default(), count: &count };
        let names = ranked(tools, &InTurn);
        let names: Vec<&str> =
            names.iter().map(|likely| knowledge.facts[likely.fact as usize].value.as_str()).collect();
        assert_eq!(names, ["makeAll", "src/parse.rs", "ast/parse", "make_all_of_the_targets_now"]);
    }
}
