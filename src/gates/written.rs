//! Claims about files that calls wrote: that they were deleted, or only read.

use crate::facts::{Class, extract};
use crate::measure::{Source, pattern};
use crate::summary::{Deed, DeedKind, FileOp};
use regex::Regex;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// “Deleted `a/b.rs`”, “`a/b.rs` — deleted”, with or without the marks of code.
pub(super) static DELETED: LazyLock<Regex> = LazyLock::new(|| {
    let end = r"(?: \d+×)?\s*(?:[.,;]|$)";
    let path = r"(?:`([^`\s]+)`|([\w.~-]*/[\w./-]*\w|\w[\w-]*\.[a-z]\w{0,4}))";
    let verb = r"(?:deleted|removed)(?: the file)?";
    pattern(&format!(r"(?i)^(?:{verb} {path}{end}|{path}(?: [—–-]|:) (?:deleted|removed){end})"))
});
/// “`a/b.rs` — read 2×; has …”.
static READ: LazyLock<Regex> = LazyLock::new(|| pattern(r"^`([^`\s]+)` [—–-] (?:only )?read(?: \d+×)?\s*(?:[.,;]|$)"));
/// How a line of ours tells that a file had another name: that is a change, too.
const MOVED: &str = ", moved from `";
/// How a text tells that something went.
pub(super) static GOES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:delet\w*|remov\w*|rm|rmdir|mv|mov\w*|renam\w*|unlink\w*|gone|clean\w*|drop\w*)\b")
});
/// Commands after which files can be gone, whatever they name.
static UNDOES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"\bgit\b.*\b(?:checkout\s+[^-\s]|checkout --|clean|reset|restore|revert|stash)|\bfind\b.*-delete\b")
});
/// Commands after which folders can be.
static TAKES: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(?:rm|rmdir|mv|unlink|trash)\b"));
/// How a line tells of a change.
pub(super) static CHANGES: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(?:creat|writ|wrote|edit|modif|updat|chang|rewr|patch|add|fixed|restor)\w*"));

/// The files that calls wrote with success before the cut, and that no call took away.
pub(super) struct Written<'d> {
    /// By the facts that they are known by.
    files: HashSet<String>,
    /// Those of them that are changed as calls left them, by their paths as calls name them.
    changed: HashSet<&'d str>,
    /// Commands that can take files away.
    taking: Vec<&'d str>,
    source: &'d Source<'d>,
}

impl<'d> Written<'d> {
    /// What was written in messages that are not kept.
    pub(super) fn of(all: &'d [Deed], source: &'d Source<'d>, is_kept: &dyn Fn(usize) -> bool) -> Self {
        let mut last: HashMap<String, bool> = HashMap::new();
        let mut changed = HashSet::new();
        for deed in all.iter().filter(|deed| deed.failed == Some(false) && !is_kept(deed.message)) {
            let DeedKind::Wrote(path) = &deed.kind else { continue };
            last.extend(key(path).map(|key| (key, deed.gone)));
            match deed.op {
                Some(FileOp::Created | FileOp::Written | FileOp::Edited) => changed.insert(path.as_str()),
                _ => changed.remove(path.as_str()),
            };
        }
        let files = last.into_iter().filter(|(_, gone)| !gone).map(|(key, _)| key).collect();
        let takes = |command: &&str| UNDOES.is_match(command) || TAKES.is_match(command);
        Self { files, changed, taking: all.iter().filter_map(command).filter(takes).collect(), source }
    }

    /// What a line of a summary says of such a file that is not so.
    pub(super) fn refuted(&self, line: &str, summary: &str) -> Option<(&'static str, String)> {
        if let Some(path) = DELETED.captures(line).and_then(|found| (1..=4).find_map(|group| found.get(group))) {
            let (path, what) =
                (path.as_str(), "a file is said to be deleted that calls wrote, and nothing tells of it");
            let wrote = |key: String| self.files.contains(&key) && self.stays(&key);
            return key(path).is_some_and(wrote).then(|| (what, path.to_owned()));
        }
        let path = READ.captures(line).filter(|_| !line.contains(MOVED))?.get(1)?.as_str();
        let wrote = self.files.contains(&key(path)?);
        let told = || summary.lines().any(|other| other.contains(name(path)) && CHANGES.is_match(other));
        (wrote && !told()).then(|| ("a file is said to be read only that calls changed", path.to_owned()))
    }

    /// The file that a line of ours says was read, where calls changed it, and another line tells of that.
    pub(super) fn told_twice(&self, line: &str) -> Option<(&'static str, String)> {
        let path = READ.captures(line).filter(|_| !line.contains(MOVED))?.get(1)?.as_str();
        // Names alone, and the folder above them, can be of several files.
        let is_it =
            |whole: &&str| whole.strip_suffix(path).is_some_and(|above| above.is_empty() || above.ends_with('/'));
        let changed = path.contains('/') && self.changed.iter().any(is_it);
        changed.then(|| ("a file is said to be read only that calls changed, as another line says", path.to_owned()))
    }

    /// Whether nothing tells that a file went, and no command can have taken it, or its folder.
    fn stays(&self, key: &str) -> bool {
        let folder = key.split_once('/').map_or(key, |(folder, _)| folder);
        let takes = |command: &&str| UNDOES.is_match(command) || command.contains('*') || command.contains(folder);
        let goes = |line: &str| line.contains(name(key)) && GOES.is_match(line);
        !self.taking.iter().any(takes) && !self.source.lines().any(goes)
    }
}

/// The command that a deed is.
fn command(deed: &Deed) -> Option<&str> {
    if let DeedKind::Ran { command, .. } = &deed.kind { Some(command) } else { None }
}

/// The fact that a path is known by.
pub(super) fn key(path: &str) -> Option<String> {
    extract(path).into_iter().find(|fact| fact.class == Class::Path).map(|fact| fact.value)
}

/// The name of a file.
pub(super) fn name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
