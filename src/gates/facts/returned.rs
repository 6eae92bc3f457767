//! Lines of ours about the fields of a result: “Called `x(a=1)`: ok, returned state open”. What they tell must stand in
//! a result of that call.

use super::outputs::Outputs;
use crate::gates::Finding;
use crate::gates::view::SummaryText;
use crate::measure::{SourceText, claims, pattern, words_of};
use crate::summary::{Deed, DeedKind};
use regex::Regex;
use std::collections::HashSet;
use std::sync::LazyLock;

/// The call as shown, and the fields.
static RETURNED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:Called )?`([^`]+)`(?:: (?:ok, )?|:? )returned (.+)$"));
/// Least number of letters of a word that is looked up.
const LEAST: usize = 3;

/// Word before what all of several records have in common.
const ALL: &str = "all";

/// What is wrong with such a line.
const WRONG: &str = "a call is said to have returned what it did not";

/// Returns a finding for each such line that tells what no result of its call has.
pub(super) fn misreported(
    summary: &[SummaryText],
    source: &SourceText<'_>,
    all: &[Deed],
    outputs: &Outputs<'_>,
) -> Vec<Finding> {
    let of_text = |text: &SummaryText| {
        let lines = claims(&text.text).filter(|line| line.tells() && !source.has(line.text));
        let wrong = lines.filter_map(|line| Some((line.number, refuted(line.text, all, outputs)?)));
        wrong.map(|(at, field)| Finding::new(text.line, WRONG).at(at).about(field)).collect::<Vec<_>>()
    };
    summary.iter().filter(|text| text.ours).flat_map(of_text).collect()
}

/// The first field of a line that no result of its call has.
fn refuted(line: &str, all: &[Deed], outputs: &Outputs<'_>) -> Option<String> {
    let found = RETURNED.captures(line)?;
    let (call, fields) = (found.get(1)?.as_str(), found.get(2)?.as_str());
    let is_it = |deed: &&Deed| matches!(&deed.kind, DeedKind::Called(shown) if shown == call);
    let printed: String = all
        .iter()
        .filter(is_it)
        .flat_map(|deed| outputs.printed(deed))
        .map(|line| line.replace("\\n", " ").replace("\\\"", "\"") + "\n")
        .collect();
    // Escaped letters are not read.
    if printed.is_empty() || printed.contains("\\u") || fields.contains('[') {
        return None;
    }
    let spoken = words_of(&printed);
    let words: HashSet<&str> = spoken.split_whitespace().collect();
    let wrong = |field: &&str| {
        let bare = field.trim().trim_end_matches(" in all)");
        let told = words_of(bare);
        let mut told: Vec<&str> = told.split_whitespace().collect();
        // The last word may be cut.
        if bare.ends_with('…') {
            told.pop();
        }
        let counts = |word: &str| word.chars().count() >= LEAST && word != ALL && !words.contains(word);
        told.iter().any(|word| counts(word)) || is_other(bare, &printed)
    };
    let mut told = fields.split(", ").filter(|field| !field.ends_with(" in all)"));
    told.find(wrong).map(str::to_owned)
}

/// Whether the results have a field of this name, and only with other values.
fn is_other(field: &str, printed: &str) -> bool {
    let Some((name, value)) = field.split_once(' ') else { return false };
    let told = words_of(value.trim_end_matches('…'));
    let (mut has, mut same) = (false, false);
    for quote in ['"', '\''] {
        for (at, key) in printed.match_indices(&format!("{quote}{name}{quote}:")) {
            let behind = printed[at + key.len()..].trim_start();
            if behind.starts_with(['[', '{']) {
                return false;
            }
            has = true;
            let piece: String = behind.chars().take(value.len() + 4).collect();
            same |= words_of(&piece).starts_with(told.trim_end());
        }
    }
    has && !same
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_has_the_value_of_the_result() {
        let printed = r#"{"state": "open", "keeper": "K. Osei", "old": {"state": "shut"}, "height": 2.50}"#;
        for field in ["state open", "state shut", "keeper K. Osei", "height 2.50", "keeper K. O…", "old shut"] {
            assert!(!is_other(field, printed), "{field}");
        }
        for field in ["state K. Osei", "keeper open", "height 2.5 m"] {
            assert!(is_other(field, printed), "{field}");
        }
    }
}
