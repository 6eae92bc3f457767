//! The index: names that no line has, beside the file, command or search in which they came up.

mod drawn;
mod reading;

use super::extractive::{Commands, Place, Places};
use super::knowledge::Knowledge;
use super::prior::Prior;
use crate::facts::cuts_escape;
use crate::transcript::{Message, Spread, both};
use drawn::is_drawn;
use foldhash::{HashMap, HashSet};
use reading::{Reading, stands};

/// For each fact the place that it is named with.
#[derive(Default)]
pub(super) struct Names {
    /// The places.
    places: Vec<Place>,
    /// Index of the place by fact.
    of: Vec<Option<usize>>,
    /// Numbers and amounts that stand for themselves, and names that do not only follow a stroke: others are parts of
    /// larger numbers, or begin with the letter of an escape (`\nName`), and name nothing.
    whole: HashSet<u32>,
    /// Names that begin with digits of an escape (`%2Fname`) wherever they stand: nobody wrote them.
    encoded: HashSet<u32>,
    /// Facts that a file of theirs defines.
    pub(super) defined: HashSet<u32>,
    /// How commands ended.
    pub(super) commands: Commands,
}

impl Names {
    /// Finds the places, of which `found` has those of each part of the head; of several the last one that is a file, else
    /// the last one.
    pub(super) fn of(
        (head, (over, bytes)): (&[&Message<'_>], (&dyn Spread, usize)),
        prior: &[String],
        knowledge: &Knowledge,
        (commands, found): (Commands, &Places),
    ) -> Self {
        let read = || Reading::of_all((head, over), knowledge, found);
        let (read, (places, of)) = both((over, bytes), read, || chosen(prior, knowledge, found));
        let mut names = Self { commands, places, of, ..Self::default() };
        names.learn(read);
        names.encoded.retain(|fact| !is_written(*fact, head, knowledge));
        names
    }

    /// Puts together what pieces of the head say of names.
    fn learn(&mut self, read: Vec<Reading>) {
        for piece in read {
            self.defined.extend(piece.defined);
            self.whole.extend(piece.whole);
            self.encoded.extend(piece.encoded);
        }
    }

    /// The place that a fact is named with.
    pub(super) fn place(&self, fact: u32) -> Option<&Place> {
        let place = self.of.get(fact as usize).copied().flatten()?;
        Some(&self.places[place])
    }

    /// Whether a fact is worth a name of its own.
    pub(super) fn can_name(&self, fact: u32, knowledge: &Knowledge) -> bool {
        (knowledge.doubt(fact).is_none() || self.whole.contains(&fact))
            && !self.encoded.contains(&fact)
            && !is_drawn(&knowledge.facts[fact as usize].value)
    }
}

/// The places that facts are named with, and the index of that of each fact.
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

/// Whether a name stands anywhere in the head without the digits of an escape.
fn is_written(fact: u32, head: &[&Message<'_>], knowledge: &Knowledge) -> bool {
    let name = &knowledge.facts[fact as usize].value;
    let mut parts = knowledge.parts.iter().filter(|known| known.facts.binary_search(&fact).is_ok());
    parts.any(|known| {
        let text = &head[known.message].parts[known.part].text;
        stands(text, name, |before| !cuts_escape(before, name))
    })
}
