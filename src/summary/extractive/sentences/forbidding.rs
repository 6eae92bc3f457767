//! Headings and labels that forbid what follows them: “Do NOT”, “Prohibited operations”.

use crate::summary::text::contains_any;

/// Maximum number of words of such a heading.
const FEW: usize = 6;
/// Phrases that forbid wherever they occur in a heading.
const MODALS: [&[&str]; 3] = [&["must", "not"], &["may", "not"], &["should", "not"]];
/// Phrases that forbid at the start or the end of a heading.
const BANS: [&[&str]; 18] = [
    &["do", "not"],
    &["don't"],
    &["don’t"],
    &["don'ts"],
    &["don’ts"],
    &["never"],
    &["not", "allowed"],
    &["not", "permitted"],
    &["forbidden"],
    &["prohibited"],
    &["prohibitions"],
    &["off", "limits"],
    &["out", "of", "scope"],
    &["non", "goals"],
    &["verboten"],
    &["interdit"],
    &["prohibido"],
    &["proibido"],
];
/// Words that forbid in any sentence that announces a list.
const NOT: [&str; 4] = ["avoid", "cannot", "never", "not"];
/// The same in languages without spaces or with many word endings.
const DENSE_BANS: [&str; 6] = ["запрещ", "禁止", "不允许", "不要", "금지", "してはいけない"];

/// Whether a heading of at most six words, with or without its colon, forbids the items below it.
pub(super) fn forbids(heading: &str) -> bool {
    let lower = heading.trim_end_matches([':', '：']).to_lowercase();
    let bare = lower.trim_matches(|char: char| !char.is_alphanumeric());
    let words: Vec<&str> = bare.split(|char: char| !char.is_alphanumeric() && char != '\'' && char != '’').collect();
    let is_ban = |ban: &&[&str]| words.starts_with(ban) || words.ends_with(ban);
    let has = |modal: &&[&str]| words.windows(modal.len()).any(|some| some == *modal);
    words.len() <= FEW && (BANS.iter().any(is_ban) || MODALS.iter().any(has) || contains_any(bare, &DENSE_BANS))
}

/// Whether words of a text forbid something.
pub(super) fn says_not<'t>(mut words: impl Iterator<Item = &'t str>) -> bool {
    words.any(|word| NOT.contains(&word) || word.ends_with("n't"))
}

/// Whether a sentence is a list behind such a heading: “Out of scope: the quay; the ferries”.
pub(super) fn is_ban_list(sentence: &str) -> bool {
    sentence.split_once([':', '：']).is_some_and(|(label, rest)| !rest.trim().is_empty() && forbids(label))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_that_forbid_are_known() {
        for heading in
            ["Do NOT", "Don'ts:", "Prohibited Operations", "Strictly forbidden", "Out of scope", "禁止事项："]
        {
            assert!(forbids(heading), "{heading}");
        }
        for heading in ["Lamps", "Lamps I do not understand", "What never ran so far", "Scope"] {
            assert!(!forbids(heading), "{heading}");
        }
        assert!(is_ban_list("Out of scope: the quay; the ferries") && !is_ban_list("Out of scope:"));
    }
}
