//! Items below a label of risks, of a condition or of what is supposed, told with it: “The lamp falls” below “Risks:” did
//! not happen.

use super::cues::lower;
use super::prose::{Block, plain};
use crate::summary::extractive::words::{IF, RISKS};
use crate::summary::text::{each_word, is_dense, words};

/// Maximum number of words of such a label, and its maximum length in bytes.
const FEW: usize = 10;
const LABEL: usize = 90;

/// Words of a label of risks that are over or were dealt with.
const OVER: [&str; 14] = [
    "addressed",
    "change",
    "changes",
    "done",
    "fix",
    "fixed",
    "fixes",
    "low",
    "mitigated",
    "mitigation",
    "mitigations",
    "reduced",
    "removed",
    "resolved",
];

/// Words of a label of what may come out, of which only one will, and of others behind “possible”.
const OUTCOMES: [&str; 3] = ["outcome", "outcomes", "possibilities"];
const SUPPOSED: [&str; 5] = ["causes", "culprits", "explanations", "reasons", "scenarios"];
const POSSIBLE: [&str; 3] = ["likely", "possible", "potential"];
/// Ends of a label of what is only supposed: “The issue might be:”.
const SUPPOSES: [&str; 8] = [
    "could be",
    "could be because",
    "could be due to",
    "may be",
    "may be due to",
    "might be",
    "might be because",
    "might be due to",
];

/// Writes the label before each item below it.
pub(super) fn tell_risks(blocks: &mut [Block<'_>]) {
    let mut label: Option<(String, Option<usize>)> = None;
    for block in blocks {
        let name = if block.heading.is_empty() { &*block.words } else { block.heading };
        if name.is_empty() {
            continue;
        }
        match label.as_ref().filter(|(_, indent)| block.indent > *indent) {
            Some((label, _)) => block.words = format!("{label}: {}", block.words),
            None => label = of_risks(name, !block.heading.is_empty()).map(|label| (label, block.indent)),
        }
    }
}

/// The label of a line that heads risks or what holds under a condition.
fn of_risks(line: &str, is_heading: bool) -> Option<String> {
    let bare = plain(line.trim_matches(['*', ' ']));
    let label = bare.trim_end_matches(['*', ' ']).strip_suffix([':', '：']).or(is_heading.then_some(&*bare))?;
    heads(label).then(|| label.trim_end().to_owned())
}

fn heads(label: &str) -> bool {
    if label.len() > LABEL || words(label) > FEW {
        return false;
    }
    let lower = lower(label);
    let first = each_word(&lower).next().unwrap_or_default();
    let dense = |list: &[&str]| list.iter().any(|it| it.starts_with(is_dense) && lower.contains(*it));
    let of_risk = || each_word(&lower).any(|word| RISKS.contains(&word)) || dense(RISKS);
    let of_condition = || IF.contains(&first) || dense(IF);
    let of_outcome = || {
        let names = |list: &[&str]| each_word(&lower).any(|word| list.contains(&word));
        let counts = || names(&POSSIBLE) || names(&["two", "three", "four", "several", "either"]);
        names(&OUTCOMES) && counts()
            || names(&SUPPOSED) && names(&POSSIBLE)
            || SUPPOSES.iter().any(|end| lower.trim_end().strip_suffix(end).is_some_and(|rest| rest.ends_with(' ')))
    };
    let is_over = each_word(&lower).any(|word| OVER.contains(&word));
    !is_over && (of_risk() || of_condition() || of_outcome())
}

/// Whether a sentence stands below such a label.
pub(in crate::summary::extractive) fn is_risk(sentence: &str) -> bool {
    sentence.split_once([':', '：']).is_some_and(|(label, said)| !said.is_empty() && heads(label))
}

#[cfg(test)]
mod tests {
    use super::super::prose;
    use super::*;
    use crate::summary::extractive::sentences::cues::{Kind, kind};

    /// The sentences of a text without its labels.
    fn sentences(text: &str) -> Vec<String> {
        prose::sentences(text).into_iter().filter(|sentence| !sentence.ends_with(':')).collect()
    }

    #[test]
    fn what_is_only_supposed_is_told_as_such() {
        let text = "The trouble might be:\n\n1. The `oil` table has the wrong unit\n2. The `wick` is not read";
        let told = sentences(text);
        assert_eq!(told.first().map(String::as_str), Some("The trouble might be: The `oil` table has the wrong unit"));
        assert!(told.iter().all(|item| kind(item) == Kind::Other), "{told:?}");
    }

    #[test]
    fn one_of_several_possible_outcomes_is_told_as_one() {
        let text = "Three possible outcomes:\n\n- **It burns** → the oil was the cause.\n- **It stays dark** → the wick is missing.";
        let told = sentences(text);
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told.iter().all(|one| one.starts_with("Three possible outcomes: ") && is_risk(one)), "{told:?}");
        assert!(told.iter().all(|one| !matches!(kind(one), Kind::Done | Kind::Finding(_))));
        assert_eq!(kind("If the lamp burns now → the oil was the cause."), Kind::Empty);
    }

    #[test]
    fn what_may_happen_is_told_with_its_label() {
        let risks =
            "The risks are:\n\n- The lamp falls and has to be removed.\n- The pier is broken, so the quay stays dark.";
        assert_eq!(
            sentences(risks),
            [
                "The risks are: The lamp falls and has to be removed.",
                "The risks are: The pier is broken, so the quay stays dark."
            ]
        );
        let down = "**Downside ($5 to $8):**\n- The ferry fails to win the next large harbour.\n\nThe ferry is red.";
        assert_eq!(
            sentences(down),
            ["Downside ($5 to $8): The ferry fails to win the next large harbour.", "The ferry is red."]
        );
        let fall = "## Риски\n- Лампа упала, и причал остался тёмным.\n## Итог\n- Лампа горит всю ночь.";
        assert_eq!(sentences(fall), ["Риски: Лампа упала, и причал остался тёмным.", "Лампа горит всю ночь."]);
        assert!(
            sentences("If the pier sinks:\n- The lamps were removed from it.")[0].starts_with("If the pier sinks: ")
        );
        for risk in ["The risks are: The lamp was removed from the pier.", "风险：灯塔已修复并移除。"] {
            assert_eq!(kind(risk), Kind::Other, "{risk}");
            assert!(is_risk(risk));
        }
        assert!(!is_risk("Low-risk fixes: removed the lamp of the pier."));
        assert!(!is_risk("The pier has three lamps: the red one is out."));
    }
}
