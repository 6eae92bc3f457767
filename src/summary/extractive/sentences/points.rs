//! Points of a plan, requirements and offered choices, and what only says that a folder has files.

use crate::summary::text::{each_word, starts_any};

/// Prefixes of numbered requirements.
const REQUIREMENTS: [&str; 6] = ["ac", "fr", "nfr", "req", "ur", "us"];

/// What a folder is called and has, between which stands how many, and words of a sentence that says more.
const FOLDERS: [&str; 6] = ["codebase", "directory", "folder", "package", "project", "repository"];
const MANY: [&str; 6] = ["many", "multiple", "numerous", "several", "some", "various"];
const ENTRIES: [&str; 5] = ["directories", "files", "folders", "subdirectories", "subfolders"];
const MORE: [&str; 10] = ["broken", "bug", "but", "duplicate", "error", "fail", "missing", "no", "not", "wrong"];
/// Number of words from how many to what.
const NEAR: usize = 3;

/// Whether it only says that a folder has files: “The `quay` directory contains several files related to …”
pub(super) fn lists_folder(text: &str) -> bool {
    let Some((before, behind)) = text.split_once(" contains ") else { return false };
    let is_folder = before.split(' ').next_back().is_some_and(|last| FOLDERS.contains(&last));
    let mut words = each_word(behind);
    is_folder
        && words.next().is_some_and(|many| MANY.contains(&many))
        && words.take(NEAR).any(|word| ENTRIES.contains(&word))
        && !each_word(text).any(|word| MORE.contains(&word))
}

/// Whether it is a point of a plan or an offered choice: “Task 3: …”, “A) …”.
pub(super) fn is_listed(text: &str) -> bool {
    let choice = text.as_bytes().get(1) == Some(&b')');
    let mut parts = text.split([' ', ':', '.']);
    let planned = parts.next().is_some_and(|word| ["task", "step", "option", "phase", "story", "epic"].contains(&word));
    // “Option A costs 40 euros” states something.
    let is_stated = || {
        let mut words = text.split(' ');
        words.next() == Some("option") && words.next().is_some_and(|sign| sign.chars().all(char::is_alphanumeric))
    };
    choice || (planned && !is_stated() && parts.next().is_some_and(|word| word.len() <= 2)) || is_requirement(text)
}

/// Whether it is a requirement: “FR12: …”, “As a keeper, I want …”
fn is_requirement(text: &str) -> bool {
    let named = text.split_once([':', ' ']).map(|(name, _)| name.trim_matches(['-', '*']));
    let number = |name: &str| name.trim_end_matches(|char: char| char.is_ascii_digit() || ".-".contains(char)).len();
    let numbered = named.is_some_and(|name| number(name) < name.len() && REQUIREMENTS.contains(&&name[..number(name)]));
    let tells = starts_any(text, &["as a ", "as an ", "as the "]);
    numbered || tells && text.contains(", i want ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn that_a_folder_has_files_says_nothing() {
        for said in [
            "the `quay` directory contains several subdirectories, including `pier`, which is likely the old one.",
            "the `pier` directory contains several source files related to lamps.",
        ] {
            assert!(lists_folder(said), "{said}");
        }
        for said in [
            "the `quay` directory contains the tides of both lakes.",
            "the `quay` directory contains several files but no lamp.",
            "the lamp contains several files of oil.",
            "the `quay` directory contains 12 files.",
        ] {
            assert!(!lists_folder(said), "{said}");
        }
    }
}
