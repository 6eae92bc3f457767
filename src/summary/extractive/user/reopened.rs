//! Things that a ban of one request closes (“Do not change the charts”), and that a later request orders to change.

use super::all_work::LEADS;
use super::withdrawn::{ASKS, BEHIND_OBJECT, DETERMINERS, bare};
use crate::summary::text::has_any;

/// Beginnings of a ban on changes to one thing, which stands behind them.
const CLOSES: [&str; 27] = [
    "don't change ",
    "don't edit ",
    "don't modify ",
    "don't rewrite ",
    "don't touch ",
    "dont change ",
    "dont edit ",
    "dont modify ",
    "dont touch ",
    "do not change ",
    "do not edit ",
    "do not modify ",
    "do not rewrite ",
    "do not touch ",
    "ne change pas ",
    "ne changez pas ",
    "ne modifie pas ",
    "ne modifiez pas ",
    "ne touche pas à ",
    "ne touche pas ",
    "no cambies ",
    "no modifiques ",
    "no toques ",
    "не меняй ",
    "не трогай ",
    "nie zmieniaj ",
    "não mexa em ",
];
/// The same in German, where the thing stands between both words.
const CLOSES_AROUND: [(&str, &str); 2] = [("ändere ", " nicht"), ("bearbeite ", " nicht")];
/// Words of a ban that no order lifts by itself.
const FOR_GOOD: [&str; 12] = [
    "always",
    "ever",
    "never",
    "no matter what",
    "under no circumstances",
    "unless",
    "without",
    "niemals",
    "jamais",
    "nunca",
    "никогда",
    "nigdy",
];
/// Verbs that order a change.
const CHANGES: [&str; 30] = [
    "adapt",
    "change",
    "edit",
    "extend",
    "fix",
    "mend",
    "migrate",
    "modify",
    "redo",
    "refactor",
    "repair",
    "restructure",
    "rewrite",
    "rework",
    "update",
    "aktualisiere",
    "bearbeite",
    "korrigiere",
    "repariere",
    "ändere",
    "überarbeite",
    "corrige",
    "modifie",
    "réécris",
    "actualiza",
    "arregla",
    "cambia",
    "modifica",
    "reescribe",
    "перепиши",
];
/// Words for what holds a thing, which name nothing.
const HOLDERS: [&str; 14] = [
    "code",
    "directory",
    "file",
    "files",
    "folder",
    "folders",
    "datei",
    "dateien",
    "fichier",
    "fichiers",
    "archivo",
    "archivos",
    "les",
    "los",
];

/// The things that a lower-case sentence closes to changes, each by its telling words; a ban for good closes nothing that
/// an order would open.
pub(super) fn closed(lower: &str) -> Vec<Vec<String>> {
    if has_any(lower, &FOR_GOOD) {
        return Vec::new();
    }
    let behind = CLOSES.iter().find_map(|start| Some(lower.split_once(start)?.1));
    let around = || {
        let found = CLOSES_AROUND.iter().find_map(|(start, end)| lower.strip_prefix(start)?.split_once(end));
        found.map(|(thing, _)| thing)
    };
    let clause = behind.or_else(around).unwrap_or_default();
    let clause = clause.split(['.', ',', ';', ':', '!', '—', '(']).next().unwrap_or_default();
    let parts = clause.split(" or ").flat_map(|part| part.split(" and "));
    parts.map(|part| telling(part.split_whitespace())).filter(|thing| !thing.is_empty()).collect()
}

/// The things that a lower-case sentence orders to change.
pub(super) fn reopened(lower: &str) -> Vec<Vec<String>> {
    let clauses = lower.split(['.', ',', ';', ':', '!', '—']).flat_map(|clause| clause.split(" and "));
    let object = |clause: &str| {
        let mut words =
            clause.split_whitespace().skip_while(|word| LEADS.contains(word) || ASKS.contains(word)).peekable();
        words.next_if(|verb| CHANGES.contains(verb))?;
        let thing = telling(words.take_while(|word| !BEHIND_OBJECT.contains(word)));
        (!thing.is_empty()).then_some(thing)
    };
    clauses.filter_map(object).collect()
}

/// Whether one of the changed things is one of the closed ones, or a kind of it: “the pier charts” of “the charts”.
pub(super) fn reopens(changed: &[Vec<String>], closed: &[Vec<String>]) -> bool {
    let is_of = |thing: &Vec<String>, shut: &Vec<String>| {
        thing.last() == shut.last() && shut.iter().all(|word| thing.contains(word))
    };
    changed.iter().any(|thing| closed.iter().any(|shut| is_of(thing, shut)))
}

/// The words that name a thing, without the ending of a plural.
fn telling<'w>(words: impl Iterator<Item = &'w str>) -> Vec<String> {
    let named = words.map(bare).filter(|word| !word.is_empty());
    let named = named.filter(|word| !DETERMINERS.contains(word) && !HOLDERS.contains(word));
    named.map(|word| word.strip_suffix('s').unwrap_or(word).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opens(ban: &str, order: &str) -> bool {
        reopens(&reopened(&order.to_lowercase()), &closed(&ban.to_lowercase()))
    }

    #[test]
    fn an_order_opens_the_very_thing_that_a_ban_closed() {
        for (ban, order) in [
            ("Do not change the lamp service or any chart files.", "Please rewrite the pier charts in oil."),
            ("Do not change the lamp service or any chart files.", "Now fix the lamp service."),
            ("Ändere die Karten nicht.", "Überarbeite die Karten."),
            ("Ne modifie pas les cartes.", "Corrige les cartes, puis le quai."),
            ("No toques los mapas.", "Modifica los mapas."),
        ] {
            assert!(opens(ban, order), "{ban} {order}");
        }
        for (ban, order) in [
            ("Do not change the charts.", "Fix the chart printer."),
            ("Do not change the old charts.", "Rewrite the pier charts."),
            ("Never touch the charts.", "Rewrite the charts."),
            ("Do not touch the charts unless I say so.", "Rewrite the charts."),
            ("Do not change the charts.", "The charts were changed."),
            ("Do not change anything in lamp.rs.", "Fix the pier."),
        ] {
            assert!(!opens(ban, order), "{ban} {order}");
        }
    }
}
