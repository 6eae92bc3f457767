//! What calls did with files, compared with lines of a summary: a file said to be changed that was only read or whose
//! changes failed, one said to be created that existed before, and one said to be edited that was only created.

use super::bare::{bare_file, bare_files};
use super::folders::slashed;
use super::harmless::{only_shows, only_shows_or_tests};
use super::lines::Line;
use super::listed::{CHANGING, FILE, is_habit, listed, tells_change};
use super::status::{Claim, Contradiction};
use super::{SourceText, pattern};
use crate::facts::{Class, Fact, extract};
use crate::summary::{Deed, DeedKind, FileOp};
use crate::transcript::{Author, base_name};
use regex::Regex;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

static CHANGED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:created|wrote|written|edited|modified|updated|changed|deleted|removed|moved|renamed|rewrote|rewritten|patched)\b",
    )
});
static OTHERWISE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:not|never|un\w+|earlier|without|only read|read[ -]only|(?:to|should|must|will|can) be)\b")
});
/// Beginnings of lines that say a file is new.
static CREATED: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)^(?:newly )?created\b"));
/// Beginnings of lines that say a file was edited.
static EDITED: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)^(?:edited|modified|updated|patched)\b"));
static NEW: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:creat\w*|new|add\w*|writ\w*|wrote)\b"));

/// First-person beginnings of a line about changes.
static BY_ONESELF: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)^(?:(?:I|we)(?: have|['’]ve)?|the (?:agent|assistant)(?: has)?) (?:also |then |now )?")
});
/// A change of files, up to the end of the clause: “a/b.rs was changed, too”, “a.rs and b.rs were both edited”.
static PASSIVE: LazyLock<Regex> = LazyLock::new(|| {
    let is = "(?:has been|have been|was|were|is|are|got) (?:now |also |both |all )*";
    let file = format!(r"(?:{FILE}|`?[\w-]+\.[A-Za-z]{{1,4}}`?)");
    let files = format!("(?:both )?{file}(?:(?:, and |, | and ){file})*");
    let end = r"(?:,? (?:too|as well))?\s*(?:[.,;]|$|\b(?:and|so|to|with)\b)";
    pattern(&format!(r"(?i)^(?:the files? )?({files}) {is}({CHANGING}){end}"))
});
/// A list of files, and the change of each of them.
static LISTED: LazyLock<Regex> = LazyLock::new(|| {
    let next = format!("(?:, and |, | and ){FILE}");
    pattern(&format!(r"(?i)^({FILE}(?:{next})*)(?::| [—–-]) ({CHANGING})\s*(?:[.,;]|$)"))
});
/// A file to which something was added.
static ADDED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(r"(?i)^(?:(?:I|we)(?: have|['’]ve)? (?:also )?)?added [^.;:,]* to (?:the file )?({FILE})[.;]?$"))
});

/// What calls did with each file; files are keyed by their path facts.
pub(super) struct Files {
    /// Files that were read, or that calls failed to change.
    seen: HashSet<String>,
    /// Files that were changed successfully.
    changed: HashSet<String>,
    /// Successful operations on each file.
    done: HashMap<String, Done>,
    /// Number of commands that may have changed files; tests and commands that only show files are not counted.
    commands: usize,
    /// Text of these commands, and lines of earlier summaries and of other agents about changes.
    unseen: String,
}

/// Operations on a file, in order.
struct Done {
    ops: Vec<FileOp>,
    /// Number of commands before that may have changed it.
    behind: usize,
}

impl Files {
    pub(super) fn of(deeds: &[Deed], source: &SourceText<'_>, reports: &[&str]) -> Self {
        let (mut seen, mut changed, mut done) = (HashSet::new(), HashSet::new(), HashMap::<String, Done>::new());
        let (mut unseen, mut commands) = (String::new(), 0);
        for deed in deeds {
            match &deed.kind {
                DeedKind::Wrote(path) if deed.failed != Some(true) => changed.extend(keys_of(path)),
                DeedKind::Wrote(path) | DeedKind::Read(path) => seen.extend(keys_of(path)),
                DeedKind::Ran { command, .. } if only_shows(command) => seen.extend(keys(command)),
                DeedKind::Ran { command, .. } if only_shows_or_tests(command) => {}
                DeedKind::Ran { command, tests, .. } => {
                    commands += usize::from(!tests);
                    unseen.extend([command, "\n"]);
                }
                DeedKind::Called(_) | DeedKind::Planned { .. } => {}
            }
            if let (DeedKind::Wrote(path) | DeedKind::Read(path), Some(op), Some(false)) =
                (&deed.kind, deed.op, deed.failed)
            {
                for key in keys_of(path) {
                    done.entry(key).or_insert(Done { ops: Vec::new(), behind: commands }).ops.push(op);
                }
            }
        }
        for earlier in source.messages().iter().filter(|message| message.author == Author::Summary) {
            let text = earlier.text();
            let tells = |line: &&str| CHANGED.is_match(line) || NEW.is_match(line);
            text.lines().filter(tells).for_each(|line| unseen.extend([line, "\n"]));
        }
        // An agent that only explored also reports on much that is called new.
        let reported = reports.iter().flat_map(|report| report.lines()).filter(|line| CHANGED.is_match(line));
        reported.for_each(|line| unseen.extend([line, "\n"]));
        Self { seen, changed, done, commands, unseen }
    }

    /// Returns the contradiction for the first path about which a line is wrong. `told`: the line as it is written,
    /// where its paths of Windows have slashes in `line`.
    pub(super) fn refuted(&self, line: &Line<'_>, told: &str, source: &SourceText<'_>) -> Option<Contradiction> {
        // Its operations happened under another name.
        if line.text.contains(", moved from `") {
            return None;
        }
        let own = file_line(line.text).map(|told| vec![told]).unwrap_or_else(|| verb_lines(line.text));
        let found = own.into_iter().find_map(|told| self.untrue(told));
        // If the original has these words, they may tell of changes that no call shows.
        let said = || source.has(told.trim_end_matches(['.', '…']));
        let found = found.or_else(|| told_otherwise(line.text).and_then(|told| self.untrue(told)).filter(|_| !said()));
        found.map(|(claim, subject)| Contradiction { line: line.number, claim, subject })
    }

    /// Returns the contradictions of lines that list files as changed, at most one for each line.
    pub(super) fn listed(&self, lines: &[Line<'_>], source: &SourceText<'_>) -> Vec<Contradiction> {
        let mut all: Vec<Contradiction> = Vec::new();
        for (line, paths, verb) in listed(lines) {
            let told = self.untrue((paths, verb)).filter(|(_, key)| !shows_changed(key, source));
            if let Some((claim, subject)) = told.filter(|_| all.last().is_none_or(|last| last.line != line)) {
                all.push(Contradiction { line, claim, subject });
            }
        }
        all
    }

    /// The first of these paths about which the line's story is wrong, and the claim.
    fn untrue(&self, (paths, story): (&str, &str)) -> Option<(Claim, String)> {
        let story = without_names(story.trim_start_matches(['—', '-', '–', ':', '(', ' ']));
        let paths = &*without_parts(paths);
        if !CHANGED.is_match(&story) || OTHERWISE.is_match(&story) {
            return None;
        }
        keys(paths).into_iter().find_map(|key| Some((self.claimed(&key, &story)?, key)))
    }

    fn claimed(&self, key: &str, story: &str) -> Option<Claim> {
        if self.unseen_names(key) {
            return None;
        }
        if self.has_seen(key) && !self.has_changed(key) {
            return Some(Claim::Changed);
        }
        let Done { ops, behind } = self.done.get(key)?;
        let existed = matches!(ops.first(), Some(FileOp::Read | FileOp::Edited));
        let made =
            || ops.iter().any(|op| matches!(op, FileOp::Created | FileOp::Written | FileOp::Moved | FileOp::Arrived));
        // A command, such as a formatter or one with a glob, may have changed it since without naming it.
        let only_made =
            || *behind == self.commands && ops.iter().all(|op| matches!(op, FileOp::Created | FileOp::Read));
        if CREATED.is_match(story) {
            return (existed && !made()).then_some(Claim::Created);
        }
        (EDITED.is_match(story) && !NEW.is_match(story) && !existed && only_made()).then_some(Claim::Edited)
    }

    /// Whether this file, or one of the same name if the key has no folder, was read.
    fn has_seen(&self, key: &str) -> bool {
        self.seen.contains(key) || base_name(key) == key && self.seen.iter().any(|seen| base_name(seen) == key)
    }

    /// Whether this file, or one of the same name if either lacks a folder, was changed.
    fn has_changed(&self, key: &str) -> bool {
        let base = base_name(key);
        let bare = base == key;
        self.changed.contains(key)
            || self.changed.contains(base)
            || bare && self.changed.iter().any(|changed| base_name(changed) == base)
    }

    /// Whether commands or reports that may tell of changes name it: by its bare name, in the same folder, or by shell
    /// syntax.
    fn unseen_names(&self, key: &str) -> bool {
        let name = base_name(key);
        let folder = key.strip_suffix(name).map(|folder| folder.trim_end_matches('/')).unwrap_or_default();
        self.unseen.match_indices(name).any(|(at, _)| {
            let before = &self.unseen[..at];
            match before.strip_suffix(['/', '\\']) {
                Some(above) => {
                    let last = above.rsplit(['/', '\\', ' ', '\n']).next().unwrap_or_default();
                    let spelled = last.contains(['$', '*', '?', '{', '}', '~', ')', '`']);
                    folder.is_empty() || spelled || above.ends_with('.') || above.ends_with(folder)
                }
                None => true,
            }
        })
    }
}

/// A file in bold letters at the beginning of a line.
static BOLD: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"^(?:\*\*)?({FILE})(?::\*\*|\*\*:?)(?: [—–-])? ")));
/// Lines with which git lists a change.
static OF_GIT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s*(?:[MADRU?]{1,2}\s+\S|(?:modified|deleted|new file|renamed):\s|\S+\s+\|\s+\d+)"));

/// Whether git shows a change of a file, whoever made it.
fn shows_changed(key: &str, source: &SourceText<'_>) -> bool {
    source.lines().any(|line| line.contains(base_name(key)) && OF_GIT.is_match(line))
}

/// Parses “`path` — story” and “**path**: changed the order”.
fn file_line(text: &str) -> Option<(&str, &str)> {
    if let Some(found) = BOLD.captures(text) {
        let story = &text[found.get(0)?.end()..];
        let verb = CHANGED.find(story).filter(|verb| verb.start() == 0 && tells_change(&story[verb.end()..]));
        return verb.and(Some((found.get(1)?.as_str(), story)));
    }
    let (path, rest) = text.strip_prefix('`')?.split_once('`')?;
    let story = rest.trim_start();
    story.starts_with(['—', '-', '–', ':', '(']).then_some((path, story))
}

/// A file with words behind it.
static NAMED: LazyLock<Regex> = LazyLock::new(|| pattern(r"`?[\w./~-]*\w\.\w+`?(?:['’]s)?((?: [\w-]+){1,3})"));
/// Nouns behind a file that name a part of a text which is about it, or something of its own.
const PARTS: [&str; 14] = [
    "section",
    "sections",
    "paragraph",
    "paragraphs",
    "entry",
    "entries",
    "test",
    "tests",
    "step",
    "steps",
    "part",
    "notes",
    "chapter",
    "row",
];
/// Words that begin something else behind a file.
const OTHERS: [&str; 14] = ["and", "or", "plus", "the", "a", "an", "its", "in", "of", "on", "to", "for", "with", "as"];

/// A text without files that only name a part of another text: “the quay.py section of PLAN.md”.
fn without_parts(text: &str) -> Cow<'_, str> {
    NAMED.replace_all(text, |found: &regex::Captures<'_>| {
        let words: Vec<&str> = found[1].split_whitespace().collect();
        let rest = found.get(0).map_or("", |found| &text[found.end()..]);
        let next = rest.split_whitespace().next().unwrap_or_default();
        // “entry point” is another noun.
        let is_last = |at: usize| match words.get(at + 1) {
            Some(next) => ["of", "in"].contains(next),
            None => !rest.starts_with(char::is_whitespace) || ["", "of", "in"].contains(&next),
        };
        let goes_on = |word: &&&str| !OTHERS.contains(*word) && !word.ends_with("ing");
        let own = words.iter().take_while(goes_on).position(|word| PARTS.contains(word));
        let own = own.filter(|noun| is_last(*noun));
        own.map_or_else(|| found[0].to_owned(), |noun| format!(" {}", words[noun + 1..].join(" ")))
    })
}

/// Inline code.
static CODE: LazyLock<Regex> = LazyLock::new(|| pattern("`[^`]*`"));

/// A text without code, paths and names, which may contain a word for a change (`to/changed.ts`).
fn without_names(text: &str) -> String {
    let is_name = |word: &&str| word.trim_end_matches(['.', ',', ';', ':', ')']).contains(['/', '.', '_']);
    CODE.replace_all(text, " ").split_whitespace().filter(|word| !is_name(word)).collect::<Vec<_>>().join(" ")
}

/// Parses “Wrote `a`; edited `b`, `c`”: each clause begins with its verb.
fn verb_lines(text: &str) -> Vec<(&str, &str)> {
    text.split("; ").map_while(verb_line).collect()
}

/// Parses “I edited a/b.rs.”, “a/b.rs has been changed”, “a/b.rs, a/c.rs: deleted”, “Added a counter to a/b.rs.”
fn told_otherwise(text: &str) -> Option<(&str, &str)> {
    if let Some(told) = BY_ONESELF.find(text).and_then(|found| verb_line(&text[found.end()..])) {
        return Some(told);
    }
    let passive = PASSIVE.captures(text).filter(|_| !is_habit(text));
    if let Some(found) = passive.or_else(|| LISTED.captures(text)) {
        return Some((found.get(1)?.as_str(), found.get(2)?.as_str()));
    }
    Some((ADDED.captures(text)?.get(1)?.as_str(), "changed"))
}

/// Parses “Edited `a`; …”: the verb first, then the paths up to the next clause. Returns (paths, verb).
fn verb_line(text: &str) -> Option<(&str, &str)> {
    let verb = CHANGED.find(text).filter(|verb| verb.start() == 0)?;
    let rest = &text[verb.end()..];
    let stop = [" to ", " so ", " with ", " because ", " after ", " based on ", " from ", " like ", ": ", " — ", "; "];
    let end = stop.iter().filter_map(|word| rest.find(word)).min().unwrap_or(rest.len());
    Some((&rest[..end], verb.as_str()))
}

/// The path facts in a text.
fn keys(text: &str) -> Vec<String> {
    let paths = extract(&slashed(text)).into_iter().filter(|Fact { class, .. }| *class == Class::Path);
    let mut all: Vec<String> = paths.map(|fact| fact.value).collect();
    let bare = bare_files(text).filter(|name| !all.iter().any(|path| base_name(path) == *name)).map(str::to_owned);
    let bare: Vec<String> = bare.collect();
    all.extend(bare);
    all
}

/// The path facts of a path, which may have the backslashes of Windows and spaces.
fn keys_of(path: &str) -> Vec<String> {
    let all = if path.contains(":\\") { keys(&path.replace('\\', "/")) } else { keys(path) };
    if all.is_empty() { bare_file(path).into_iter().map(str::to_owned).collect() } else { all }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_text_is_not_the_file_that_it_is_about() {
        for (text, paths) in [
            ("the quay.py edit-step section of PLAN.md", vec!["PLAN.md"]),
            ("`quay.py` paragraph in PLAN.md", vec!["PLAN.md"]),
            ("quay.py and the tests, lamp.py", vec!["lamp.py", "quay.py"]),
            ("src/quay.py entry point", vec!["src/quay.py"]),
            ("`src/quay.py` adding test hooks", vec!["src/quay.py"]),
            ("`src/quay.py` adding tests", vec!["src/quay.py"]),
            ("quay.py, lamp.py", vec!["lamp.py", "quay.py"]),
        ] {
            assert_eq!(keys(&without_parts(text)), paths, "{text}");
        }
    }

    #[test]
    fn a_name_counts_behind_its_folder_or_what_a_shell_makes_one_of() {
        let files = |unseen: &str| Files {
            seen: HashSet::new(),
            changed: HashSet::new(),
            done: HashMap::new(),
            commands: 1,
            unseen: unseen.to_owned(),
        };
        for named in [
            "sed -i s/x/y/ src/$d/table.py",
            "sed -i s/x/y/ $P/table.py",
            "cp \"$HOME/table.py\" src/export/",
            "black table.py",
            "black src/export/table.py",
        ] {
            assert!(files(named).unseen_names("export/table.py"), "{named}");
        }
        assert!(!files("sed -i s/x/y/ src/import/table.py").unseen_names("export/table.py"));
    }
}
