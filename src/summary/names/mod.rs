//! The names for the index: each fact with the file, command or search under which it is listed.

mod dashed;
mod definitions;
mod drawn;
mod minor;
mod reading;
mod signed;
mod vocabulary;

use super::extractive::{Commands, Place, Places};
use super::head::Head;
use super::knowledge::{Doubt, Knowledge};
use super::prior::Prior;
use crate::facts::{Class, Fact};
use crate::transcript::{Message, base_name};
use drawn::is_drawn;
use foldhash::{HashMap, HashSet};
use minor::{always_minor, glued};
use reading::{Reading, stands_clean};
use signed::has_token;
use vocabulary::is_common;

/// The end of an address that is cut wrong.
const EMPHASIS: &str = "**";

/// The place of every fact, and the facts that should not be named.
#[derive(Default)]
pub(super) struct Names {
    /// All places.
    places: Vec<Place>,
    /// By fact: index of its place.
    of: Vec<Option<usize>>,
    /// Doubtful facts that are mentioned for sure: numbers and amounts that occur on their own, names that occur
    /// without a backslash before them. Other numbers are parts of larger ones, other names may begin with the letter
    /// of an escape (`\nName`).
    whole: HashSet<u32>,
    /// Ids that are part of a longer one somewhere, with the first such ones.
    inside: HashMap<u32, Vec<String>>,
    /// Names that begin with the letter of an escape somewhere in a text with a place.
    cut: HashSet<u32>,
    /// Names that only occur with a sign of an escape: digits of a percent escape (`%2Fname`), a shown control
    /// character (`^Iname`). They are not real names.
    encoded: HashSet<u32>,
    /// Names that are only keys of objects, or files of packages.
    minor: HashSet<u32>,
    /// Facts that one of the head's files defines.
    pub(super) defined: HashSet<u32>,
    /// How the commands ended.
    pub(super) commands: Commands,
}

impl Names {
    /// Finds the place of every fact; `found` has the place of each part of the head. Of several, the last file wins,
    /// or the last place if none is a file.
    pub(super) fn of(head: Head<'_, '_>, prior: &[String], knowledge: &Knowledge, found: &Places) -> Self {
        let read = || Reading::of_all(head, knowledge, found);
        let (read, (places, of)) = head.spreading.both(read, || chosen(prior, knowledge, found));
        let mut names = Self { places, of, ..Self::default() };
        let mut before = Reading::default();
        prior.iter().for_each(|text| before.add_codes(text, &knowledge.of_text(text), knowledge));
        let defined = names.learn(std::iter::once(before).chain(read), knowledge);
        names.minor.extend(glued(head.messages, knowledge));
        names.place_definitions(&defined, knowledge, found);
        names.encoded.retain(|fact| !is_written(*fact, head.messages, knowledge));
        names
    }

    /// Adds what the pieces of the head say about names; returns the facts that a file defines, with the last part in
    /// [`Knowledge`] that does.
    fn learn(&mut self, read: impl Iterator<Item = Reading>, knowledge: &Knowledge) -> HashMap<u32, usize> {
        let (mut minor, mut defined) = (Vec::new(), HashMap::default());
        for piece in read {
            minor.extend(piece.minor);
            defined.extend(piece.defined);
            self.whole.extend(piece.whole);
            for (fact, longer) in piece.inside {
                let all = self.inside.entry(fact).or_default();
                longer.into_iter().for_each(|longer| dashed::add(all, longer));
            }
            self.cut.extend(piece.cut);
            self.encoded.extend(piece.encoded);
        }
        self.minor = always_minor(&minor, knowledge);
        defined
    }

    /// A name that is defined has its place where it is, whatever file uses it later.
    fn place_definitions(&mut self, defined: &HashMap<u32, usize>, knowledge: &Knowledge, found: &Places) {
        let mut numbers: HashMap<usize, usize> = HashMap::default();
        for (&fact, &part) in defined {
            let known = &knowledge.parts[part];
            let Some(place) = found.get(&(known.message, known.part)) else { continue };
            let number = *numbers.entry(part).or_insert_with(|| {
                self.places.push(place.clone());
                self.places.len() - 1
            });
            self.of[fact as usize] = Some(number);
            self.defined.insert(fact);
        }
    }

    /// The place of a fact.
    pub(super) fn place(&self, fact: u32) -> Option<&Place> {
        let place = self.of.get(fact as usize).copied().flatten()?;
        Some(&self.places[place])
    }

    /// The longer ids that are named in place of a fact that does not occur without them; empty if it does.
    pub(super) fn longer(&self, fact: u32) -> &[String] {
        self.inside.get(&fact).filter(|_| !self.whole.contains(&fact)).map_or(&[], Vec::as_slice)
    }

    /// Whether a fact may be named in the index.
    pub(super) fn can_name(&self, fact: u32, knowledge: &Knowledge) -> bool {
        let is_sure = match knowledge.doubt(fact) {
            None => true,
            // An earlier summary may be all that names it.
            Some(Doubt::Escape) if !self.cut.contains(&fact) => true,
            Some(Doubt::Code) => self.longer(fact).iter().all(|id| dashed::is_short(id)),
            Some(_) => self.whole.contains(&fact),
        };
        let is_none = self.encoded.contains(&fact) || self.minor.contains(&fact);
        let Fact { class, value: name } = &knowledge.facts[fact as usize];
        let is_noise = || match class {
            Class::Url => name.ends_with(EMPHASIS) || has_token(name),
            _ => is_common(name) || is_drawn(name),
        };
        is_sure && !is_none && !is_noise() && !self.is_parameter(fact, name)
    }

    /// Whether what looks like an amount of money is a parameter in a command or in code: `$1`.
    fn is_parameter(&self, fact: u32, name: &str) -> bool {
        let of_code = || match self.place(fact) {
            Some(Place::File(path)) => {
                let (_, ending) = base_name(path).rsplit_once('.').unwrap_or_default();
                ["", "awk", "bash", "pl", "sh", "zsh"].contains(&ending)
            }
            Some(Place::Call(call)) => call.starts_with('`'),
            _ => false,
        };
        matches!(name.as_bytes(), [b'$', digit] if digit.is_ascii_digit()) && of_code()
    }
}

/// All places, and by fact the index of its place.
fn chosen(prior: &[String], knowledge: &Knowledge, found: &Places) -> (Vec<Place>, Vec<Option<usize>>) {
    let (mut places, mut of) = (Vec::new(), vec![None; knowledge.facts.len()]);
    for (path, text) in prior.iter().flat_map(|text| Prior::read(text).names().to_vec()) {
        places.push(Place::File(path));
        for fact in knowledge.of_text(&text) {
            of[fact as usize] = Some(places.len() - 1);
        }
    }
    let mut numbers: HashMap<&Place, usize> = HashMap::default();
    for known in &knowledge.parts {
        let Some(place) = found.get(&(known.message, known.part)) else { continue };
        let place_number = *numbers.entry(place).or_insert_with(|| {
            places.push(place.clone());
            places.len() - 1
        });
        for &fact in &known.facts {
            let own = of[fact as usize].get_or_insert(place_number);
            let stays = matches!(places[*own], Place::File(_)) && !matches!(place, Place::File(_));
            if !stays {
                *own = place_number;
            }
        }
    }
    (places, of)
}

/// Whether a name occurs anywhere in the head without a sign of an escape.
fn is_written(fact: u32, head: &[&Message<'_>], knowledge: &Knowledge) -> bool {
    let name = &knowledge.facts[fact as usize].value;
    let mut parts = knowledge.parts.iter().filter(|known| known.facts.binary_search(&fact).is_ok());
    parts.any(|known| stands_clean(&head[known.message].parts[known.part].text, name))
}
