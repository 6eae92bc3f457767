//! The index: names that no line has, beside the file, command or search in which they came up.

use super::extractive::{Place, places};
use super::knowledge::Knowledge;
use super::prior::Prior;
use crate::transcript::Message;
use regex::Regex;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// For each fact the place that it is named with.
#[derive(Default)]
pub(super) struct Names {
    /// The places.
    pub(super) places: Vec<Place>,
    /// Index of the place by fact.
    pub(super) of: HashMap<u32, usize>,
    /// Numbers that stand for themselves, and names that do not only follow a stroke: others are parts of larger numbers,
    /// or begin with the letter of an escape (`\nName`), and name nothing.
    whole: HashSet<u32>,
    /// Facts that a file of theirs defines.
    pub(super) defined: HashSet<u32>,
    /// Commands, and whether their last run worked.
    pub(super) endings: HashMap<String, bool>,
}

/// What stands before a name that is defined, in most languages.
#[expect(clippy::unwrap_used, reason = "the pattern is a constant")]
static DEFINITION: LazyLock<Regex> = LazyLock::new(|| {
    let keywords =
        "fn|func|function|def|class|struct|type|interface|enum|trait|const|static|var|let|mod|module|namespace";
    Regex::new(&format!(r"\b(?:{keywords})\s+(?:\([^)\n]*\)\s*)?([A-Za-z_][A-Za-z0-9_]*)")).unwrap()
});

impl Names {
    /// Finds the places: of several the last one that is a file, else the last one.
    pub(super) fn of(
        head: &[&Message<'_>],
        prior: &[String],
        knowledge: &Knowledge,
        endings: HashMap<String, bool>,
    ) -> Self {
        let found = places(head);
        let mut names = Self { endings, ..Self::default() };
        for (path, text) in prior.iter().flat_map(|text| Prior::read(text).names().to_vec()) {
            names.places.push(Place::File(path));
            names.of.extend(knowledge.of_text(&text).into_iter().map(|fact| (fact, names.places.len() - 1)));
        }
        let mut numbers: HashMap<&Place, usize> = HashMap::new();
        for known in &knowledge.parts {
            let Some(place) = found.get(&(known.message, known.part)) else { continue };
            let place_number = *numbers.entry(place).or_insert_with(|| {
                names.places.push(place.clone());
                names.places.len() - 1
            });
            if matches!(place, Place::File(_)) {
                let text = &head[known.message].parts[known.part].text;
                let defined =
                    DEFINITION.captures_iter(text).filter_map(|found| knowledge.identifier(found.get(1)?.as_str()));
                names.defined.extend(defined);
            }
            for &fact in &known.facts {
                let text = &head[known.message].parts[known.part].text;
                if knowledge.number(fact).is_some_and(|number| stands_alone(text, number))
                    || knowledge.escape(fact).is_some_and(|name| stands_plain(text, name))
                {
                    names.whole.insert(fact);
                }
                let own = names.of.entry(fact).or_insert(place_number);
                let stays = matches!(names.places[*own], Place::File(_)) && !matches!(place, Place::File(_));
                if !stays {
                    *own = place_number;
                }
            }
        }
        names
    }

    /// Whether a fact is worth a name of its own.
    pub(super) fn can_name(&self, fact: u32, knowledge: &Knowledge) -> bool {
        let doubtful = knowledge.number(fact).is_some() || knowledge.escape(fact).is_some();
        !doubtful || self.whole.contains(&fact)
    }
}

/// Whether a name is in a text without a stroke before it.
fn stands_plain(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| !text[..at].ends_with('\\'))
}

/// Whether a number is in a text without being part of a larger one, a fraction or a word.
fn stands_alone(text: &str, number: &str) -> bool {
    text.match_indices(number).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = &text[at + number.len()..];
        let joins = |char: char| char.is_alphanumeric() || "_.".contains(char);
        let goes_on = after.starts_with(|char: char| char.is_alphanumeric() || char == '_');
        let fraction = after.strip_prefix('.').is_some_and(|rest| rest.starts_with(|char: char| char.is_ascii_digit()));
        !before.is_some_and(joins) && !goes_on && !fraction
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_behind_escapes_only_are_none() {
        assert!(!stands_plain("{\"diff\":\"a\\nAdds\"}", "nAdds"));
        assert!(stands_plain("a\\nAdds, nAdds", "nAdds"));
    }

    #[test]
    fn fractions_are_no_numbers_of_their_own() {
        assert!(stands_alone("port 12345, or 0.12345", "12345"));
        assert!(!stands_alone("took 0.12345s and id_12345, or 12345.54 MB", "12345"));
        assert!(stands_alone("the port is 12345.", "12345"));
    }
}
