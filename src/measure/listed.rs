//! Lines of a summary that list files as changed: “Modified: a/b.rs”, “a/b.rs (modified)”, a row of a table, and files
//! under “Modified files:”.

use super::lines::Line;
use super::pattern;
use regex::Regex;
use std::sync::LazyLock;

/// A file with its folder, with or without backticks.
pub(super) const FILE: &str = r"`?(?:[A-Za-z]:)?[\w.~-]*/[\w./-]*\w\.\w+`?";
/// Verbs for a change of a file.
pub(super) const CHANGING: &str = "(?:edited|modified|updated|changed|deleted|removed|rewritten|patched)";

/// “Modified: a/b.rs, a/c.rs”, “Modified files: a/b.rs”.
static LABELED: LazyLock<Regex> = LazyLock::new(|| {
    let list = format!("{FILE}(?:(?:, and |, | and ){FILE})*");
    pattern(&format!(
        r"(?i)^(?:\*\*)?(?:also |then )?(?:files? )?({CHANGING})(?: files?)?(?:\*\*:|:\*\*|:) ({list})\s*(?:[.;(]|$| [—–-])"
    ))
});
/// “a/b.rs (modified)”.
static MARKED: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"(?i)(?:^|[\s,;])({FILE}) \(({CHANGING})\)")));
/// “| a/b.rs | modified |”, “| a/b.rs | changed the order |”.
static ROW: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"(?i)^\|\s*({FILE})\s*\|\s*({CHANGING})\b([^|]*)\|")));
/// Text behind a verb for a change that tells what was changed: nothing, an object, or an aim. Other text describes the
/// file: “deleted rows are kept here”, “updated on every build”.
static OBJECT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:\s*(?:$|[.,;:(—–]|- )| (?:the|its|a|an|one|two|both|all|some|\d+|to|so|with|too|now|twice|again|and)\b)",
    )
});
/// Words for what happens again and again.
static HABIT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:every|each|whenever|once|always|usually|daily|hourly|nightly|by (?:the|a|an))\b")
});

/// Whether a text that begins behind a verb for a change tells of one, not what the file is for.
pub(super) fn tells_change(behind: &str) -> bool {
    OBJECT.is_match(behind) && !is_habit(behind)
}

/// Whether a text tells what happens again and again, or by something else.
pub(super) fn is_habit(text: &str) -> bool {
    HABIT.is_match(text)
}

/// A line or heading above a list of changed files.
static ABOVE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(r"(?i)^(?:\*\*)?(?:(?:files? )({CHANGING})|({CHANGING}) files?)(?:\*\*:|:\*\*|:|\*\*)?$"))
});
/// A file of such a list, and what is said about it.
static ALONE: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"^({FILE})(?:$|\s*[—–:(-](.*)$)")));
/// Words that tell of a file that it was not changed.
static UNCHANGED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:read|viewed|seen|only|not|no|never|un\w+|to be|todo|pending|planned|next|earlier|before)\b")
});

/// A file that a line lists as changed: line, paths, and verb.
pub(super) type Listed<'t> = (usize, &'t str, &'t str);

/// Returns the files that lines list as changed.
pub(super) fn listed<'t>(lines: &[Line<'t>]) -> Vec<Listed<'t>> {
    let (mut found, mut above) = (Vec::new(), None);
    for line in lines {
        let both = |found: regex::Captures<'t>, (path, verb)| {
            Some((line.number, group_of(&found, path)?, group_of(&found, verb)?))
        };
        found.extend(LABELED.captures(line.text).and_then(|found| both(found, (2, 1))));
        found.extend(MARKED.captures_iter(line.text).filter_map(|found| both(found, (1, 2))));
        let is_told = |rest: &str| !UNCHANGED.is_match(rest) && tells_change(rest);
        let row = ROW.captures(line.text).filter(|row| row.get(3).is_none_or(|rest| is_told(rest.as_str())));
        found.extend(row.and_then(|found| both(found, (1, 2))));
        if let Some(verb) = verb_above(line.text) {
            above = Some(verb);
        } else if let Some(alone) = ALONE.captures(line.text) {
            let told = alone.get(2).map_or("", |told| told.as_str());
            let verb = above.or_else(|| verb_above(line.section)).filter(|_| !UNCHANGED.is_match(told));
            found.extend(verb.and_then(|verb| Some((line.number, alone.get(1)?.as_str(), verb))));
        } else {
            above = None;
        }
    }
    found
}

fn group_of<'t>(found: &regex::Captures<'t>, at: usize) -> Option<&'t str> {
    found.get(at).map(|found| found.as_str())
}

/// The verb of a line or heading above a list of changed files.
fn verb_above(text: &str) -> Option<&str> {
    let found = ABOVE.captures(text)?;
    group_of(&found, 1).or_else(|| group_of(&found, 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::claims;

    fn found(text: &str) -> Vec<(usize, &str, &str)> {
        listed(&claims(text).collect::<Vec<_>>())
    }

    #[test]
    fn files_are_listed_as_changed_in_many_ways() {
        assert_eq!(found("- Modified: src/a.rs, src/b.rs"), [(1, "src/a.rs, src/b.rs", "Modified")]);
        assert_eq!(found("**Files changed:** `src/a.rs` (twice)"), [(1, "`src/a.rs`", "changed")]);
        assert_eq!(found("- src/a.rs (modified), src/b.rs (read)"), [(1, "src/a.rs", "modified")]);
        assert_eq!(found("| src/a.rs | modified |"), [(1, "src/a.rs", "modified")]);
        let list = "**Modified files:**\n- src/a.rs\n- `src/b.rs` — rounds\n- src/c.rs (read only)\nNotes\n- src/d.rs";
        assert_eq!(found(list), [(2, "src/a.rs", "Modified"), (3, "`src/b.rs`", "Modified")]);
        assert_eq!(found("## Files modified\n- src/a.rs: rounds"), [(2, "src/a.rs", "modified")]);
        for line in [
            "Modified: the store reads src/a.rs",
            "Files read or modified:\n- src/a.rs",
            "src/a.rs (to be modified)",
            "| src/a.rs | unmodified |",
            "| src/a.rs | deleted rows are kept here |",
            "| src/a.rs | updated on every build |",
            "| src/a.rs | removed in v3, still there in v2 |",
        ] {
            assert_eq!(found(line), [], "{line}");
        }
    }
}
