//! The index: names that no line has, beside the file, command or search in which they came up.

mod reading;

use super::extractive::{Folders, Place, places};
use super::knowledge::Knowledge;
use super::prior::Prior;
use crate::facts::cuts_escape;
use crate::transcript::{Message, Spread};
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
    /// Commands, and whether their last run worked.
    pub(super) endings: HashMap<String, bool>,
}

impl Names {
    /// Finds the places: of several the last one that is a file, else the last one.
    pub(super) fn of(
        (head, over): (&[&Message<'_>], &dyn Spread),
        prior: &[String],
        knowledge: &Knowledge,
        (endings, folders): (HashMap<String, bool>, &Folders),
    ) -> Self {
        let found = places(head, folders);
        let mut names = Self { endings, of: vec![None; knowledge.facts.len()], ..Self::default() };
        for (path, text) in prior.iter().flat_map(|text| Prior::read(text).names().to_vec()) {
            names.places.push(Place::File(path));
            for fact in knowledge.of_text(&text) {
                names.of[fact as usize] = Some(names.places.len() - 1);
            }
        }
        names.learn(Reading::of_all((head, over), knowledge, &found));
        names.encoded.retain(|fact| !is_written(*fact, head, knowledge));
        let mut numbers: HashMap<&Place, usize> = HashMap::default();
        for known in &knowledge.parts {
            let Some(place) = found.get(&(known.message, known.part)) else { continue };
            let place_number = *numbers.entry(place).or_insert_with(|| {
                names.places.push(place.clone());
                names.places.len() - 1
            });
            for &fact in &known.facts {
                let own = names.of[fact as usize].get_or_insert(place_number);
                let stays = matches!(names.places[*own], Place::File(_)) && !matches!(place, Place::File(_));
                if !stays {
                    *own = place_number;
                }
            }
        }
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
        (knowledge.doubt(fact).is_none() || self.whole.contains(&fact)) && !self.encoded.contains(&fact)
    }
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
