//! Items with one label in several sections: “Week 1: …” of two plans. Each is told with the heading of its plan.

use super::prose::{Block, plain};
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
