//! Items with one label in several sections: “Week 1: …” of two plans, “Price: …” below two ferries. Each is told with
//! the heading of its plan, or the label of the item above it.

use super::labeled::{FAR, FEW, FEW_ABOVE};
use super::prose::{Block, plain};
use crate::summary::text::{cut, has_digit, has_most};
use std::collections::BTreeMap;

/// Units that number the parts of a plan.
const UNITS: [&str; 21] = [
    "day",
    "milestone",
    "month",
    "part",
    "sprint",
    "stage",
    "week",
    "etappe",
    "monat",
    "tag",
    "woche",
    "jour",
    "mois",
    "semaine",
    "étape",
    "día",
    "etapa",
    "semana",
    "день",
    "неделя",
    "этап",
];
/// Maximum length of the heading behind which an item is told, in bytes.
const HEADING: usize = 60;
/// Maximum number of words of a label, and of an item that is told with the label of the item above it.
const LABEL: usize = 4;
const ITEM: usize = 16;

/// Writes before each item whose label other sections have too the heading of its own one.
pub(super) fn tell_plans(blocks: &mut [Block<'_>]) {
    let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, block) in blocks.iter().enumerate().filter(|(_, block)| block.indent.is_some()) {
        if let Some(label) = part(&block.words) {
            places.entry(label).or_default().push(at);
        }
    }
    let told: Vec<(usize, String)> = places.values().flat_map(|places| headed(blocks, places)).collect();
    for (at, heading) in told {
        let words = &mut blocks[at].words;
        *words = format!("{heading}: {words}");
    }
}

/// Writes before each short item whose label items below others have too the label of the item above it.
pub(super) fn tell_parents(blocks: &mut [Block<'_>]) {
    let mut places: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
    for at in 0..blocks.len() {
        let label = label(&blocks[at].words).filter(|_| blocks[at].indent > Some(0));
        if let Some((label, parent)) = label.and_then(|label| Some((label, parent(blocks, at)?))) {
            places.entry(label).or_default().push((at, parent));
        }
    }
    let repeats = |places: &&Vec<(usize, usize)>| places.iter().any(|(_, parent)| *parent != places[0].1);
    let told: Vec<(usize, String)> =
        places.values().filter(repeats).flatten().filter_map(|own| told(blocks, own)).collect();
    for (at, name) in told {
        let words = &mut blocks[at].words;
        *words = format!("{name}: {words}");
    }
}

/// The label of a short item, in lower case: “price” of “Price: $7”.
fn label(item: &str) -> Option<String> {
    let (label, _) = item.split_once(": ").filter(|(label, _)| has_most(label, LABEL) && has_most(item, ITEM))?;
    Some(label.to_lowercase())
}

/// The item above one that has less indent.
fn parent(blocks: &[Block<'_>], at: usize) -> Option<usize> {
    let items = blocks[..at].iter().enumerate().rev().take(FAR).map_while(|(at, block)| Some((at, block.indent?)));
    items.filter(|(_, indent)| Some(*indent) < blocks[at].indent).map(|(at, _)| at).next()
}

/// The label of an item if that has a number, or all of it: “Ferry 7” of “Ferry 7: leaves at nine”, “Kind: red”.
fn name_of(item: &str) -> String {
    let label = short(item);
    let has_number = has_digit(&label);
    if has_number { label } else { cut(item.trim_end_matches([':', '：', '.', ' ']), HEADING).into_owned() }
}

/// An item with the name of the one above it, unless it is told with that anyway.
fn told(blocks: &[Block<'_>], &(at, parent): &(usize, usize)) -> Option<(usize, String)> {
    let above = &blocks[parent].words;
    let is_told = has_most(&blocks[at].words, FEW) && has_most(above, FEW_ABOVE);
    let name = name_of(above);
    (!is_told && !name.is_empty() && name.chars().count() <= HEADING).then_some((at, name))
}

/// The unit and number with which an item begins: “week 1” of “Week 1–2 (devs): light it”.
fn part(words: &str) -> Option<String> {
    let (label, _) = words.split_once(':')?;
    let lower = label.to_lowercase();
    let (unit, behind) = lower.split_once(' ')?;
    let number: String = behind.chars().take_while(char::is_ascii_digit).collect();
    (UNITS.contains(&unit) && !number.is_empty()).then(|| format!("{unit} {number}"))
}

/// The places with the headings of their sections, if these differ.
fn headed(blocks: &[Block<'_>], places: &[usize]) -> Vec<(usize, String)> {
    let headings: Vec<Option<&str>> = places.iter().map(|at| heading(blocks, *at)).collect();
    if headings.iter().all(|heading| *heading == headings[0]) {
        return Vec::new();
    }
    let named = places.iter().zip(headings).filter_map(|(at, heading)| Some((*at, short(heading?))));
    named.filter(|(_, name)| !name.is_empty() && name.len() <= HEADING).collect()
}

/// The nearest heading above that no other section of the text has.
fn heading<'t>(blocks: &[Block<'t>], at: usize) -> Option<&'t str> {
    let all = || blocks.iter().map(|block| block.heading).filter(|heading| !heading.is_empty());
    let above = blocks[..at].iter().rev().map(|block| block.heading).filter(|heading| !heading.is_empty());
    above.into_iter().find(|heading| all().filter(|other| other == heading).count() == 1)
}

/// A heading without what explains it: “Plan B — the long pier”.
fn short(heading: &str) -> String {
    let name =
        [" — ", " – ", ": ", " - "].iter().find_map(|sign| heading.split_once(sign)).map_or(heading, |(name, _)| name);
    plain(name).trim_matches(['*', ' ', ':', '.']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::prose::sentences;

    #[test]
    fn items_with_one_label_are_told_with_the_item_above_them() {
        let text = "- Ferry 7: leaves the north pier at nine, with two lamps on its bow.\n  - Deck: $65 (7 seats left)\n  - \
                    Cabin: $114 (1 seat left)\n\n- Ferry 8: leaves the south pier at ten, with three lamps on its bow.\n  - \
                    Deck: $83 (20 seats left)\n  - Salon: $9 (2 seats left)\n";
        let told = sentences(text);
        let by_kind = "- Kind: red\n  - The price of it: $7 each, with oil\n- Kind: old\n  - The price of it: $8 each, with oil\n";
        assert!(sentences(by_kind).contains(&"Kind: red: The price of it: $7 each, with oil".to_owned()));
        for item in
            ["Ferry 7: Deck: $65 (7 seats left)", "Ferry 8: Deck: $83 (20 seats left)", "Salon: $9 (2 seats left)"]
        {
            assert!(told.iter().any(|sentence| sentence == item), "{item}: {told:?}");
        }
    }

    #[test]
    fn parts_of_several_plans_are_told_with_their_plan() {
        let plan = |heading: &str| {
            format!(
                "## {heading}\n\n**The Way To Build It**\n\n- Week 1–2 (keepers): Build the `pier` of oak\n- The oil is cheap here\n\n"
            )
        };
        let text = format!("{}{}", plan("Plan A — the long pier"), plan("Plan B — the short pier").replace("1–2", "1"));
        let told = sentences(&text);
        assert!(told.contains(&"Plan A: Week 1–2 (keepers): Build the `pier` of oak".to_owned()), "{told:?}");
        assert!(told.contains(&"Plan B: Week 1 (keepers): Build the `pier` of oak".to_owned()), "{told:?}");
        assert!(told.contains(&"The oil is cheap here".to_owned()), "{told:?}");
        let one = sentences(&plan("Plan A — the long pier"));
        assert!(one.contains(&"Week 1–2 (keepers): Build the `pier` of oak".to_owned()), "{one:?}");
    }
}
