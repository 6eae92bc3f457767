//! K03: the files that calls changed.

use crate::gates::settings::Limits;
use crate::gates::{Finding, GateResult, Pair, Tools, View};
use crate::measure::pattern;
use crate::measure::spent::spent;
use crate::measure::{Share, files};
use crate::summary::{NUMBER_WORDS, deeds, number_of};
use crate::transcript::base_name;
use regex::Regex;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Words before a name that mean each file with it: “all `__init__.py` files”.
static EACH: LazyLock<Regex> =
    LazyLock::new(|| pattern(&format!(r"(?i)\b(?:all|every|each)(?: (?:of|the|our|{ADDED}))* $")));
/// Words behind a name that mean each file with it: “`__init__.py` in every folder”.
static IN_EACH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^`?(?: files?)? (?:in|of|for|under|below) (?:all|every|each)(?: of)?(?: the)?(?: \w+)? (?:sub-?)?(?:folder|director(?:y|ie)|dir|package|module|crate)s?\b|^`? files (?:in|of|for) the \w+s\b",
    )
});
/// What stands behind a name that means the files, not something about them: “all mod.rs tests”.
static ENDS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^`?(?: files?)?\s*(?:[.,;:()—–]|$|(?:in|of|for|under|below|and|or|are|were|was|is|have|has|had|to|with|so|that|from|now)\b)",
    )
});
/// Words between a number and the name that it counts.
const ADDED: &str = "new|empty|small|more|other|changed|remaining";
/// A number of files before their name: “four empty `__init__.py` files”.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    let number = NUMBER_WORDS[1..].join("|");
    pattern(&format!(r"(?i)\b(\d+|both|{number})(?: (?:of the|{ADDED}))* $"))
});

/// The paths without those of one name that a line tells of together, with their number or as all of them.
fn without_groups(lost: Vec<String>, all: &[String], lines: &[&str]) -> Vec<String> {
    let of_name = |paths: &[String], name: &str| paths.iter().filter(|path| base_name(path) == name).count() as u64;
    let counts = |name: &str| [of_name(&lost, name), of_name(all, name)];
    let told = |name: &str| counts(name)[1] > 1 && lines.iter().any(|line| tells_group(line, name, counts(name)));
    let groups: HashSet<&str> = lost.iter().map(|path| base_name(path)).filter(|name| told(name)).collect();
    let groups: HashSet<String> = groups.into_iter().map(str::to_owned).collect();
    lost.into_iter().filter(|path| !groups.contains(base_name(path))).collect()
}

/// Whether a line tells of so many files of this name.
fn tells_group(line: &str, name: &str, counts: [u64; 2]) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let (before, behind) = (line[..at].trim_end_matches('`'), &line[at + name.len()..]);
        let number = NUMBER.captures(before).is_some_and(|found| {
            let number = if found[1].eq_ignore_ascii_case("both") { Some(2) } else { number_of(&found[1]) };
            number.is_some_and(|number| counts.contains(&number))
        });
        let each = (number || EACH.is_match(before)) && ENDS.is_match(behind);
        !before.ends_with('/') && (each || IN_EACH.is_match(behind))
    })
}

impl View<'_> {
    /// The files that calls changed: the share that is still named, and the paths that are not.
    pub fn files(&self) -> (Share, Vec<String>) {
        let left = self.left();
        let left: Vec<&str> = left.iter().map(|text| &**text).collect();
        let modified = files::modified(&self.loaded_deeds());
        let missing = files::missing(&modified, &left);
        // A kept command shows what it changes, even if it names the file relative to its own folder.
        let stays = if missing.is_empty() { Vec::new() } else { files::modified(&deeds(&self.left_loaded())) };
        let lost: Vec<String> =
            missing.into_iter().filter(|path| !stays.iter().any(|own| own == path)).map(str::to_owned).collect();
        (Share { kept: modified.len() - lost.len(), of: modified.len() }, lost)
    }
}

/// K03: every file that calls changed is still named.
pub(in crate::gates) fn modified_files(view: &View<'_>, _: Pair<'_>, _: &Tools<'_>, limits: Limits) -> GateResult {
    let ((mut share, mut lost), line) = (view.files(), view.summary_line());
    let writers = if lost.is_empty() { HashMap::new() } else { files::writers(&view.loaded_deeds()) };
    // A file that is of no more use may be left out.
    let spent = if lost.is_empty() { HashSet::new() } else { spent(&lost, &view.loaded()) };
    share.of -= spent.len();
    lost.retain(|path| !spent.contains(path));
    let (whole, left) = (lost.len(), view.left());
    let all = if lost.is_empty() { Vec::new() } else { files::modified(&view.loaded_deeds()) };
    lost = without_groups(lost, &all, &left.iter().flat_map(|text| text.lines()).collect::<Vec<_>>());
    share.kept += whole - lost.len();
    let places = view.loaded_places();
    let finding = |path: String| {
        let place = writers.get(&path).and_then(|writer| places.get(*writer));
        let original = place.and_then(|place| view.original_spot(*place));
        Finding { original, ..Finding::new(line, "a file that was changed is not named").about(path) }
    };
    GateResult::at_least(limits.min.unwrap_or(1.0), share, lost.into_iter().map(finding).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_one_name_are_told_together() {
        let paths = |all: &[&str]| all.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>();
        let all = paths(&["quay/__init__.py", "quay/a/__init__.py", "tests/__init__.py", "quay/lamp.py"]);
        let left = |line: &str| without_groups(all.clone(), &all, &[line]).len();
        for line in [
            "Created quay/lamp.py and three `__init__.py` files.",
            "Created 3 empty __init__.py files",
            "Wrote all `__init__.py` files",
            "Wrote an empty `__init__.py` in every folder",
            "Wrote the `__init__.py` files of the packages",
        ] {
            assert_eq!(left(line), 1, "{line}");
        }
        for line in [
            "Created two `__init__.py` files.",
            "Created an `__init__.py`",
            "Created quay/__init__.py in every folder",
            "Created all lamp.py files",
            "All of the lamps are in `pump/__init__.py`",
            "Fixed all warnings in __init__.py",
            "Read every import of `__init__.py`",
            "Mended 3 `__init__.py` bugs",
            "Mended all __init__.py tests",
            "Mended `__init__.py` for every caller",
            "Mended both `__init__.py` files",
        ] {
            assert_eq!(left(line), 4, "{line}");
        }
    }
}
