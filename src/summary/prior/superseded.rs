//! Earlier summaries of other systems that a newer one replaces. Each of them tells the whole session anew: what only an
//! older one says was dropped since, or is contradicted.

use super::merge::CHANGES;
use super::{Prior, PriorText};
use crate::summary::template::SectionSource;
use crate::summary::text::{contains_any, has_any};
use foldhash::{HashMap, HashSet};

/// Quotes with which the user's own words begin.
const QUOTES: [char; 2] = ['"', '“'];
/// Words of a ban.
const BANS: [&str; 8] = ["never", "do not", "don't", "must not", "nie", "jamais", "nunca", "никогда"];

/// Removes the lines of older summaries whose heading a newer one has, and their texts about files of which a newer one
/// tells. Other lines of older summaries are marked. What the user typed and the first goal stay.
pub(super) fn without_superseded(all: &mut Prior) {
    let foreign: HashSet<usize> = all.lines.iter().filter(|line| line.foreign).map(|line| line.summary).collect();
    let Some(newest) = foreign.iter().copied().max().filter(|_| foreign.len() > 1) else { return };
    let mut told: HashMap<String, usize> = HashMap::default();
    // In order: the newest summary with a heading comes last.
    told.extend(all.lines.iter().filter(|line| line.foreign).map(|line| (line.heading.clone(), line.summary)));
    all.lines.retain_mut(|line| {
        let stays = !line.foreign || line.typed || line.source == SectionSource::Goal || line.text.starts_with(QUOTES);
        line.left_out = !stays && line.summary < newest;
        stays || forbids(line) || told.get(&line.heading).is_none_or(|last| *last <= line.summary)
    });
    files(all, &foreign);
}

/// Whether a line is a ban, which may hold though the newer summary is silent about it.
fn forbids(line: &PriorText) -> bool {
    let lower = line.text.to_lowercase();
    line.source == SectionSource::Instructions && has_any(&lower, &BANS)
}

/// The same for the files; a text that says that its file was changed stays.
fn files(all: &mut Prior, foreign: &HashSet<usize>) {
    let told = || all.files.iter().zip(&all.told).filter(|(_, summary)| foreign.contains(summary));
    let told = told().filter(|((_, story), _)| !story.is_empty());
    let last: HashMap<String, usize> = told.map(|((path, _), summary)| (path.clone(), *summary)).collect();
    let is_newest = |(path, story): &(String, String), summary: &usize| {
        let changed = || contains_any(&story.to_lowercase(), CHANGES);
        !foreign.contains(summary) || last.get(path).is_none_or(|last| last <= summary) || changed()
    };
    let stays: Vec<bool> = all.files.iter().zip(&all.told).map(|(file, summary)| is_newest(file, summary)).collect();
    let mut keep = stays.iter().copied();
    all.files.retain(|_| keep.next().unwrap_or(true));
    let mut keep = stays.into_iter();
    all.told.retain(|_| keep.next().unwrap_or(true));
}

#[cfg(test)]
mod tests {
    use super::super::{merge_all, read_all};
    use super::*;
    use crate::summary::extractive::Root;
    use crate::summary::items::{Item, Items, PLAIN};

    const OLD: &str = "1. Primary Request and Intent:\n   - Mend the lamps of the quay\n   - Always light them by gas\n\
                       - \"Never paint the pier\"\n\n\
                       2. Key Technical Concepts:\n   - The lamps burn gas at 4 bar\n\n\
                       3. Files and Code Sections:\n   - `src/lamp.rs`\n     - Holds the gas lamps\n\
                       - `src/oil.rs`\n     - Holds the oil\n\
                       - `src/rope.rs`\n     - Created for the ropes\n\n\
                       6. All user messages:\n   - \"never dredge at night\"\n";
    const NEW: &str = "1. Primary Request and Intent:\n   - Mend the lamps of the quay\n   - Always light them by oil\n\n\
                       2. Key Technical Concepts:\n   - The lamps burn oil at 9 bar\n\n\
                       3. Files and Code Sections:\n   - `src/lamp.rs`\n     - Holds the oil lamps\n\
                       - `src/rope.rs`\n     - Holds the ropes\n\n\
                       6. All user messages:\n   - \"never ring the bell\"\n";

    fn read(texts: &[&str]) -> Prior {
        read_all(&texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn what_a_newer_summary_of_the_session_tells_anew_stands_once() {
        let all = read(&[OLD, NEW]);
        assert_eq!(all.lines(SectionSource::Discoveries), ["The lamps burn oil at 9 bar"]);
        let rules =
            ["Never paint the pier", "never dredge at night", "Always light them by oil", "never ring the bell"];
        let told: Vec<_> =
            all.lines(SectionSource::Instructions).into_iter().map(|rule| rule.trim_matches('"')).collect();
        assert_eq!(told, rules, "what the user typed stays");
        let files = [
            ("src/oil.rs", "Holds the oil"),
            ("src/rope.rs", "Created for the ropes"),
            ("src/lamp.rs", "Holds the oil lamps"),
            ("src/rope.rs", "Holds the ropes"),
        ];
        assert_eq!(all.files(), files.map(|(path, story)| (path.to_owned(), story.to_owned())));
        assert_eq!(all.told, [0, 0, 1, 1]);
        assert_eq!(all.lines(SectionSource::Goal).len(), 2, "the first goal is the goal");
    }

    #[test]
    fn what_the_newer_one_has_no_heading_for_is_told_far_behind() {
        let weather = "## Objective\n- Mend it\n## Weather of the Harbour\n- Fog comes in at nine\n\
                       ## Requirements\n- Always sweep the pier\n";
        let left_out = |texts: &[&str]| {
            let all = read(texts);
            all.lines.iter().filter(|line| line.left_out).map(|line| line.text.clone()).collect::<Vec<_>>()
        };
        assert_eq!(left_out(&[weather, NEW]), ["Fog comes in at nine", "Always sweep the pier"]);
        assert!(left_out(&[weather]).is_empty());
        let ranks = |texts: &[&str]| {
            let mut items = Items::default();
            merge_all(&mut items, &Root::default(), read(texts));
            let rank = |all: &[Item], text: &str| all.iter().find(|item| item.text == text).map(|item| item.rank);
            (rank(&items.discoveries, "Fog comes in at nine"), rank(&items.instructions, "Always sweep the pier"))
        };
        let (fog, rule) = ranks(&[weather, NEW]);
        assert!(fog < Some(PLAIN) && rule < Some(0), "{fog:?} {rule:?}");
        let (fog, rule) = ranks(&[weather]);
        assert!(fog > Some(0) && rule > Some(0), "{fog:?} {rule:?}");
    }

    #[test]
    fn a_summary_of_ours_is_no_summary_of_the_whole_session() {
        let own = "## Goal\n- Mend it\n## Discoveries\n- The lamps burn gas\n## Accomplished\n- Asked: “go on”\n";
        let all = read(&[own, &own.replace("gas", "oil")]);
        assert_eq!(all.lines(SectionSource::Discoveries), ["The lamps burn gas", "The lamps burn oil"]);
    }
}
