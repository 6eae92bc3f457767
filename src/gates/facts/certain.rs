//! Claims about files where the calls prove what happened: the effect of every call is known, no command ran that could
//! change files unseen, and no earlier summary hides history. A file that no call changed is then as it was.

use super::denied_writes::{CHANGES, DELETED, key};
use super::removal::GOES;
use super::texts;
use crate::facts::{Class, extract};
use crate::measure::{BARE, SourceText, bare_file, only_shows, only_shows_or_tests, pattern, slashed};
use crate::summary::{Deed, DeedKind, calls_are_known};
use crate::transcript::{Author, PartKind, base_name};
use regex::Regex;
use std::cell::OnceCell;
use std::sync::LazyLock;

/// “Edited `a/b.rs`”, “Wrote a/b.rs.”, “`a/b.rs` — edited, read”: about a file, not about a name in one.
static CHANGED: LazyLock<Regex> = LazyLock::new(|| {
    let end = r"(?: \d+×)?\s*(?:[.,;:(—–]|$| (?:to|so|with|and|by|for)\b)";
    let path = format!(r"(?:`([^`\s]+)`|((?:[A-Za-z]:)?[\w.~-]*/[\w./-]*\w\.\w+|{BARE}))");
    let verb = r"(?:edited|modified|updated|changed|patched|rewrote|created|wrote)";
    pattern(&format!(r"(?i)^(?:(?:I |we )?{verb}(?: the file)? {path}{end}|{path} [—–-] (?:edited|created|written)\b)"))
});

/// Paths that test runs and builds write by themselves.
static MADE: LazyLock<Regex> = LazyLock::new(|| {
    let folders = "build|dist|out|target|coverage|htmlcov|__snapshots__|snapshots";
    pattern(&format!(r"(?:^|/)(?:{folders})/|[.-]lock(?:\.\w+)?$|\.(?:snap|ambr|sum)$"))
});
/// Beginnings of a sentence that forbids a change: it tells of none.
static FORBIDS: LazyLock<Regex> = LazyLock::new(|| {
    let denies = r"(?:never|do not|don['’]t|must not)";
    let acts = "(?:touch|edit|change|modify|update|overwrite|rewrite|write|fix|delete|remove|move|rename)";
    pattern(&format!(r"(?i)^\W*(?:please |and |but )?(?:you )?(?:must |should |may )?{denies} (?:ever )?{acts}\b"))
});
/// Lines with which `git status` and `git diff --stat` list a change.
static LISTED: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*(?:[MADRU?]{1,2}\s+\S|\S+\s+\|\s+\d+)"));

/// The files that calls changed, as far as this is certain.
pub(super) struct Certain<'d> {
    all: &'d [Deed],
    source: &'d SourceText<'d>,
    known: OnceCell<bool>,
}

impl<'d> Certain<'d> {
    pub(super) fn of(all: &'d [Deed], source: &'d SourceText<'d>) -> Self {
        Self { all, source, known: OnceCell::new() }
    }

    /// Returns the contradiction and the path if the line says that a file was changed or deleted and no call did that.
    pub(super) fn refuted(&self, line: &str) -> Option<(&'static str, String)> {
        let line = &*slashed(line);
        let (path, gone) = match claimed(&DELETED, line) {
            Some(path) => (path, true),
            None => (claimed(&CHANGED, line)?, false),
        };
        let claimed = key(path).filter(|_| !path.contains(['…', '*', '$', '{']))?;
        let did = |deed: &Deed| match &deed.kind {
            DeedKind::Wrote(path) => {
                deed.failed != Some(true) && (deed.gone || !gone) && is_same(&claimed, &key(path).unwrap_or_default())
            }
            _ => false,
        };
        let refuted = !self.all.iter().any(did)
            && self.is_known()
            && (gone || !self.may_be_made(path))
            && !self.is_told(&claimed, if gone { &GOES } else { &CHANGES });
        let what = match gone {
            true => "a file is said to be deleted, and no call deleted it",
            false => texts::CHANGED,
        };
        refuted.then(|| (what, path.to_owned()))
    }

    /// Whether a run of tests or a build may have written the file.
    fn may_be_made(&self, path: &str) -> bool {
        let makes = |deed: &Deed| matches!(&deed.kind, DeedKind::Ran { command, .. } if !only_shows(command));
        MADE.is_match(path) && self.all.iter().any(makes)
    }

    /// Whether only calls that name a file can have changed one. A log of words alone doesn't have its calls.
    fn is_known(&self) -> bool {
        let shows = |deed: &Deed| match &deed.kind {
            DeedKind::Ran { command, .. } => only_shows_or_tests(command),
            DeedKind::Called(_) => false,
            DeedKind::Wrote(_) | DeedKind::Read(_) | DeedKind::Planned { .. } => true,
        };
        *self.known.get_or_init(|| {
            let messages = self.source.messages();
            let earlier = || messages.iter().any(|message| message.author == Author::Summary);
            !self.all.is_empty() && self.all.iter().all(shows) && !earlier() && calls_are_known(messages)
        })
    }

    /// Whether somebody other than the agent says that the file was changed: the user, the harness, or printed output.
    fn is_told(&self, path: &str, form: &Regex) -> bool {
        let others = self.source.messages().iter().filter(|message| message.author != Author::Model);
        let names = |line: &str| {
            let mut paths = extract(&slashed(line)).into_iter().filter(|fact| fact.class == Class::Path);
            bare_file(path).is_some() || paths.any(|fact| is_same(path, &fact.value))
        };
        let mut parts = others.flat_map(|message| &message.parts);
        parts.any(|part| {
            if !part.text.contains(base_name(path)) {
                return false;
            }
            // A file's content may mention changes; in results only listings of git count.
            let form = match part.kind {
                PartKind::Text => form,
                PartKind::Result { .. } => &LISTED,
                _ => return false,
            };
            let mut lines = part.text.lines().flat_map(|line| line.split(". ")).flat_map(|line| line.split("; "));
            let forbids = |line: &str| part.kind == PartKind::Text && FORBIDS.is_match(line);
            lines.any(|line| line.contains(base_name(path)) && form.is_match(line) && !forbids(line) && names(line))
        })
    }
}

/// The path that a line makes a claim about.
fn claimed<'l>(form: &Regex, line: &'l str) -> Option<&'l str> {
    let found = form.captures(line)?;
    (1..=4).find_map(|group| found.get(group)).map(|path| path.as_str())
}

/// Whether two paths may name the same file: either may lack its folder.
fn is_same(one: &str, other: &str) -> bool {
    let bare = |path: &str| !path.contains(['/', '\\']);
    one == other || base_name(one) == base_name(other) && (bare(one) || bare(other))
}
