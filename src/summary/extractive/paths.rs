//! Lines that name a file: shortened below a common folder, and merged with those of an earlier summary.

use crate::summary::items::Item;
use crate::summary::text::cut;
use foldhash::{HashMap, HashSet};

/// What the line begins with that names the folder.
pub(in crate::summary) const ROOT_NOTE: &str = "Paths are shown without ";
const SEPARATORS: [char; 2] = ['/', '\\'];
/// Bytes that a folder has at least: to leave out a shorter one saves nothing.
const SHORTEST: usize = 8;
const LONGEST_NOTE: usize = 160;
/// What a relative path begins with that is not below the folder.
const UNKNOWN_ROOT: &str = "…/";
/// Between a path and what is said about it.
const DASH: &str = " — ";

pub(super) fn is_absolute(path: &str) -> bool {
    let drive = &path[path.ceil_char_boundary(1)..];
    path.starts_with(['/', '~', '\\']) || drive.starts_with(":\\") || drive.starts_with(":/")
}

/// All folders that a path is in, with their slash at the end.
fn folders(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices(SEPARATORS).map(|(at, _)| &path[..=at])
}

/// The folder below which paths are shown, with its slash; empty where there is none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::summary) struct Root(String);

impl Root {
    /// The folder that most calls state, below which they name paths; else the deepest one that holds at least three of
    /// the absolute paths and two thirds of them.
    pub(super) fn of<'p>(paths: impl Iterator<Item = &'p str>, base: Option<String>) -> Self {
        let paths: Vec<&str> = paths.filter(|path| is_absolute(path)).take(400).collect();
        let below = |root: &str| paths.iter().filter(|path| path.starts_with(root)).count();
        if let Some(base) = base.filter(|base| base.len() >= SHORTEST && below(base) > 0) {
            return Self(base);
        }
        let enough = 3.max(paths.len() * 2 / 3);
        let holds = |root: &str| below(root) >= enough;
        let best = paths.iter().take(3).filter_map(|path| folders(path).filter(|folder| holds(folder)).last());
        let best = best.max_by_key(|folder| folder.len()).unwrap_or_default();
        if best.len() < SHORTEST { Self::default() } else { Self(best.to_owned()) }
    }

    /// The folder that a line of an earlier summary names.
    pub(in crate::summary) fn read(line: &str) -> Option<Self> {
        let folder = line.strip_prefix(ROOT_NOTE)?.trim_matches(['`', '.']);
        Some(Self(folder.to_owned()))
    }

    /// A path as it is shown.
    pub(in crate::summary) fn short<'p>(&self, path: &'p str) -> &'p str {
        let below = path.strip_prefix(self.0.as_str()).filter(|below| !self.0.is_empty() && !below.is_empty());
        below.unwrap_or(path)
    }

    /// A path as it is shown that a call named so: one that nobody wrote in full, and that is below another folder, as
    /// it was named.
    pub(super) fn shown<'p>(&self, whole: &'p str, named: &'p str) -> &'p str {
        let short = self.short(whole);
        if short == whole { named } else { short }
    }

    /// Marks a path of an earlier summary that is relative to nobody knows what.
    fn mark(&self, short: &str, path: &str) -> String {
        if self.0.is_empty() || is_absolute(path) || path.starts_with(UNKNOWN_ROOT) {
            short.to_owned()
        } else {
            format!("{UNKNOWN_ROOT}{short}")
        }
    }

    /// A shown path as it was.
    pub(in crate::summary) fn full(&self, shown: &str) -> String {
        if is_absolute(shown) || shown.starts_with(UNKNOWN_ROOT) {
            shown.to_owned()
        } else {
            format!("{}{shown}", self.0)
        }
    }

    /// The line that names the folder.
    pub(in crate::summary) fn note(&self) -> Option<String> {
        (!self.0.is_empty()).then(|| format!("{ROOT_NOTE}`{}`", self.0))
    }
}

/// A line of the section.
pub(super) fn line(path: &str, story: &str) -> String {
    format!("`{path}`{DASH}{story}")
}

/// Takes a line apart into path and story.
pub(super) fn parts(text: &str) -> Option<(&str, &str)> {
    let (path, rest) = text.strip_prefix('`')?.split_once('`')?;
    Some((path, rest.trim_start_matches([' ', '—', '-', ':', '–'])))
}

/// Adds files of an earlier summary: one that both have becomes one line, what the head says about it first.
pub(in crate::summary) fn merge(files: &mut Vec<Item>, root: &Root, prior: Vec<(String, Item)>) {
    let shown: HashMap<String, usize> =
        files.iter().enumerate().filter_map(|(at, item)| Some((root.full(parts(&item.text)?.0), at))).collect();
    let mut added = HashSet::default();
    for (path, mut item) in prior {
        let short = root.mark(root.short(&path), &path);
        let story = parts(&item.text).map(|(_, story)| story.to_owned()).unwrap_or_default();
        let known = shown.get(&path).or_else(|| below(&shown, &path));
        match known {
            Some(&at) => join(&mut files[at], &story, item.changed_file),
            None if added.insert(short.clone()) => {
                item.path = Some(path.clone());
                item.text = if story.is_empty() { format!("`{short}`") } else { line(&short, &story) };
                files.push(item);
            }
            None => {}
        }
    }
    files.sort_by_key(|item| std::cmp::Reverse(item.rank));
}

/// The one file whose path ends with a relative path of the earlier summary.
fn below<'s>(shown: &'s HashMap<String, usize>, path: &str) -> Option<&'s usize> {
    let ends = |full: &str| full.strip_suffix(path).is_some_and(|before| before.ends_with(SEPARATORS));
    let mut all = shown.iter().filter(|(full, _)| !is_absolute(path) && ends(full)).map(|(_, at)| at);
    all.next().filter(|_| all.next().is_none())
}

fn join(item: &mut Item, earlier: &str, changed: bool) {
    let text = item.text.clone();
    let Some((path, own)) = parts(&text) else { return };
    let own = own.to_owned();
    let before = earlier.replace("earlier ", "");
    let story = match before.as_str() {
        "" => own,
        same if own.contains(same) => own,
        other => format!("{own}; earlier {other}"),
    };
    item.text = line(path, &cut(&story, LONGEST_NOTE));
    if changed && !item.changed_file {
        item.changed_file = true;
        item.rank += super::files::CHANGED;
    }
}
