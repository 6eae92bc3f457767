//! Claims that files which calls wrote were deleted, or only read.

use super::removal::{Steps, tells_removal};
use crate::facts::{Class, extract};
use crate::measure::{SourceText, bare_file, pattern};
use crate::summary::{Deed, DeedKind, FileOp};
use crate::transcript::{PartKind, base_name};
use regex::Regex;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// “Deleted `a/b.rs`”, “`a/b.rs` — deleted”, “I removed a/b.rs”, “a/b.rs has been deleted”,
/// with or without backticks.
pub(super) static DELETED: LazyLock<Regex> = LazyLock::new(|| {
    let end = r"(?: \d+×)?\s*(?:[.,;]|$)";
    let path = r"(?:`([^`\s]+)`|((?:[A-Za-z]:)?[\w.~-]*/[\w./-]*\w|\w[\w-]*\.[a-z]\w{0,4}))";
    let gone = "(?:deleted|removed)";
    let who = "(?:(?:I|we)(?: have|['’]ve)? |the (?:agent|assistant)(?: has)? )?(?:also |then |now )?";
    let is = "(?:was|is|has been|got) (?:now |also )?";
    let state = format!(r"(?: [—–-]|:) {gone}| \({gone}\)| {is}{gone}| is gone(?: now)?");
    pattern(&format!(r"(?i)^(?:{who}{gone}:?(?: the file)? {path}{end}|(?:the file )?{path}(?:{state}){end})"))
});
/// “`a/b.rs` — read 2×; has …”.
static READ: LazyLock<Regex> = LazyLock::new(|| pattern(r"^`([^`\s]+)` [—–-] (?:only )?read(?: \d+×)?\s*(?:[.,;]|$)"));
/// Part of a summary line of ours about a renamed file, which is a change too.
const MOVED: &str = ", moved from `";
/// Part of a summary line of ours about a file that calls only read since an earlier summary told of changes.
const EARLIER: &str = "; earlier ";
/// Words that tell of a change.
pub(super) static CHANGES: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(?:creat|writ|wrote|edit|modif|updat|chang|rewr|patch|add|fixed|restor)\w*"));

/// The files that calls wrote successfully in the summarized part.
pub(super) struct Written<'d> {
    /// By the path facts of the files, what their last writes did.
    files: HashMap<String, LastWrite>,
    /// Paths, as calls name them, of files whose last write changed them.
    changed: HashSet<&'d str>,
    /// Paths of the files that calls read.
    read: HashSet<&'d str>,
    all: &'d [Deed],
    /// Commands, each with the index of its message, once they are asked for.
    ran: OnceCell<Vec<(usize, Steps<'d>)>>,
    source: &'d SourceText<'d>,
}

/// The last write of a file.
struct LastWrite {
    /// Index of the message with the call.
    message: usize,
    /// Whether it removed the file.
    gone: bool,
}

impl<'d> Written<'d> {
    /// Collects files written in messages that are not kept.
    pub(super) fn of(all: &'d [Deed], source: &'d SourceText<'d>, is_kept: &dyn Fn(usize) -> bool) -> Self {
        let mut files = HashMap::new();
        let mut changed = HashSet::new();
        let mut read = HashSet::new();
        for deed in all.iter().filter(|deed| deed.failed == Some(false) && !is_kept(deed.message)) {
            if let DeedKind::Read(path) = &deed.kind {
                read.insert(path.as_str());
            }
            let DeedKind::Wrote(path) = &deed.kind else { continue };
            files.extend(key(path).map(|key| (key, LastWrite { message: deed.message, gone: deed.gone })));
            match deed.op {
                Some(FileOp::Created | FileOp::Written | FileOp::Edited) => changed.insert(path.as_str()),
                _ => changed.remove(path.as_str()),
            };
        }
        Self { files, changed, read, all, ran: OnceCell::new(), source }
    }

    /// Returns the contradiction and the path if a line of a summary says that such a file was deleted or only read.
    pub(super) fn refuted(&self, line: &str, summary: &str) -> Option<(&'static str, String)> {
        if let Some(path) = DELETED.captures(line).and_then(|found| (1..=4).find_map(|group| found.get(group))) {
            let (path, what) =
                (path.as_str(), "a file is said to be deleted that calls wrote, and nothing tells of it");
            return key(path).is_some_and(|key| self.stays(&key)).then(|| (what, path.to_owned()));
        }
        let path = only_read(line)?;
        let wrote = self.files.get(&key(path)?).is_some_and(|last| !last.gone);
        let told = || summary.lines().any(|other| other.contains(base_name(path)) && CHANGES.is_match(other));
        (wrote && !told()).then(|| ("a file is said to be read only that calls changed", path.to_owned()))
    }

    /// Returns the contradiction and the path if a line of ours says that a file was only read although calls changed
    /// it and another line says so.
    pub(super) fn told_twice(&self, line: &str) -> Option<(&'static str, String)> {
        let path = only_read(line)?;
        let is_same = |read: &str, changed: &str| is_end(bare(changed), read) || is_end(bare(read), changed);
        // Below two folders may be files of one path, one of which was only read.
        let beside = |read: &str, changed: &str| {
            let folders = |path: &str| path.matches('/').count();
            is_end(path, changed) && folders(changed) == folders(read)
        };
        let is_other = |read: &&str| {
            let whole = is_whole(read) || self.changed.iter().any(|changed| beside(read, changed));
            whole && is_end(path, read) && !self.changed.iter().any(|changed| is_same(read, changed))
        };
        // A bare name may belong to several files.
        let is_it = |changed: &&str| is_end(path, changed);
        let changed = path.contains('/') && self.changed.iter().any(is_it) && !self.read.iter().any(is_other);
        changed.then(|| ("a file is said to be read only that calls changed, as another line says", path.to_owned()))
    }

    /// Whether calls wrote a file, and nothing removed it since; of a bare name, each file with it.
    fn stays(&self, key: &str) -> bool {
        let is_bare = !key.contains('/');
        let mut own =
            self.files.iter().filter(|(file, _)| *file == key || is_bare && base_name(file) == key).peekable();
        own.peek().is_some() && own.all(|(file, last)| !last.gone && self.stays_since(file, last.message))
    }

    /// Whether since a message no line says that a file was removed, and no command can have removed it.
    fn stays_since(&self, file: &str, message: usize) -> bool {
        let since = self.source.messages().iter().enumerate().skip(message);
        let parts = since.flat_map(|(at, message)| message.parts.iter().map(move |part| (at, part)));
        // What the call itself writes tells nothing.
        let parts = parts.filter(|(at, part)| *at > message || part.kind == PartKind::Text);
        let steps = |deed: &'d Deed| Some((deed.message, Steps::of(command(deed)?)));
        let ran = self.ran.get_or_init(|| self.all.iter().filter_map(steps).collect());
        !ran.iter().any(|(at, steps)| *at >= message && steps.may_remove(file))
            && !parts.flat_map(|(_, part)| part.text.lines()).any(|line| tells_removal(line, file))
    }
}

/// Whether a path is the end of another, or the whole of it.
fn is_end(path: &str, of: &str) -> bool {
    of.strip_suffix(path).is_some_and(|above| above.is_empty() || above.ends_with('/'))
}

/// A path without the folders at its beginning that other spellings of it name.
fn bare(path: &str) -> &str {
    let rest = ["./", "../", "~/"].iter().find_map(|above| path.strip_prefix(above));
    rest.map_or(path, bare)
}

/// Whether a path begins at the root, of a drive or of all.
fn is_whole(path: &str) -> bool {
    path.starts_with('/') || path.get(1..3) == Some(":/")
}

/// The path that a line says was read, and not changed in any way.
fn only_read(line: &str) -> Option<&str> {
    let changes = line.contains(MOVED) || line.split_once(EARLIER).is_some_and(|(_, told)| CHANGES.is_match(told));
    Some(READ.captures(line).filter(|_| !changes)?.get(1)?.as_str())
}

/// The command of an action, if it ran one.
fn command(deed: &Deed) -> Option<&str> {
    if let DeedKind::Ran { command, .. } = &deed.kind { Some(command) } else { None }
}

/// Normalized path: the fact by which a path is recognized, with `/` for the backslashes of Windows.
pub(super) fn key(path: &str) -> Option<String> {
    let slashed = if path.contains(":\\") { Cow::Owned(path.replace('\\', "/")) } else { Cow::Borrowed(path) };
    let fact = extract(&slashed).into_iter().find(|fact| fact.class == Class::Path).map(|fact| fact.value);
    fact.or_else(|| bare_file(path).map(str::to_owned))
}
