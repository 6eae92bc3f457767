//! Lines that name a file: shortened below a common folder, and merged with those of an earlier summary.

use crate::summary::items::Item;
use crate::summary::text::cut;

/// What the line begins with that names the folder.
pub(in crate::summary) const ROOT_NOTE: &str = "Paths without a leading slash are below ";
const LONGEST_NOTE: usize = 160;
/// Between a path and what is said about it.
const DASH: &str = " — ";

/// The folder that most absolute paths are below, with its slash; empty where there is none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::summary) struct Root(String);

impl Root {
    /// The deepest folder that holds at least three of the paths and two thirds of all; none where a path is relative.
    pub(super) fn of<'p>(paths: impl Iterator<Item = &'p str>) -> Self {
        let paths: Vec<&str> = paths.take(400).collect();
        if paths.iter().any(|path| !path.starts_with('/')) {
            return Self::default();
        }
        let enough = 3.max(paths.len() * 2 / 3);
        let holds = |root: &str| paths.iter().filter(|path| path.starts_with(root)).count() >= enough;
        let mut root = String::new();
        for path in paths.iter().take(3) {
            let slashes = path.match_indices('/').map(|(at, _)| &path[..=at]).skip(1);
            if let Some(best) = slashes.filter(|folder| holds(folder)).last().filter(|best| best.len() > root.len()) {
                root = best.to_owned();
            }
        }
        if root.matches('/').count() < 3 { Self::default() } else { Self(root) }
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

    /// A shown path as it was.
    pub(in crate::summary) fn full(&self, shown: &str) -> String {
        if shown.starts_with(['/', '~']) || shown.contains(":\\") {
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
    let shown: std::collections::HashMap<String, usize> =
        files.iter().enumerate().filter_map(|(at, item)| Some((parts(&item.text)?.0.to_owned(), at))).collect();
    let mut added = std::collections::HashSet::new();
    for (path, mut item) in prior {
        let short = root.short(&path).to_owned();
        let story = parts(&item.text).map(|(_, story)| story.to_owned()).unwrap_or_default();
        match shown.get(&short) {
            Some(&at) => join(&mut files[at], &short, &story, item.changed_file),
            None if added.insert(short.clone()) => {
                item.text = if story.is_empty() { format!("`{short}`") } else { line(&short, &story) };
                files.push(item);
            }
            None => {}
        }
    }
    files.sort_by_key(|item| std::cmp::Reverse(item.rank));
}

fn join(item: &mut Item, path: &str, earlier: &str, changed: bool) {
    let own = parts(&item.text).map(|(_, story)| story.to_owned()).unwrap_or_default();
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
