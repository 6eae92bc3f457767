//! The root: the folder that is left out of shown paths, and other folders that are shown by name only.

use super::paths::{SEPARATORS, is_absolute, is_scratch};

/// Text before the root in its line.
const NOTE: &str = "Paths are shown without ";
/// Text between the name of another folder and its place.
const IN: &str = " is in ";
/// Minimum length of the root, in bytes: leaving out a shorter one saves nothing.
const SHORTEST: usize = 8;
/// Prefix of a relative path that is not below the root.
const UNKNOWN: &str = "…/";
/// Marks the end of a path whose folder is unknown.
pub(in crate::summary) fn unplaced(end: &str) -> String {
    format!("{UNKNOWN}{end}")
}

/// The end of such a path without the mark.
pub(in crate::summary::extractive) fn without_mark(path: &str) -> &str {
    path.strip_prefix(UNKNOWN).unwrap_or(path)
}

/// Number of paths, from the first, for which other folders are looked for.
const FIRST: usize = 60;
/// Maximum number of paths looked at.
const MOST: usize = 400;
/// Maximum number of other folders, and minimum number of paths in each, and in the root.
const OTHERS: usize = 3;
const ENOUGH: usize = 3;
/// Bytes that another folder adds to the root's line, besides its name and place.
const AROUND: usize = 16;

/// All folders of a path, with trailing slash.
fn folders(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices(SEPARATORS).map(|(at, _)| &path[..=at])
}

/// A folder that is shown by its name only.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Other {
    /// The folder that it is in, with trailing slash.
    place: String,
    /// Its name, with trailing slash.
    name: String,
}

impl Other {
    /// The shown form of a path below it; `None` for other paths.
    fn short<'p>(&self, path: &'p str) -> Option<&'p str> {
        path.strip_prefix(self.place.as_str()).filter(|shown| self.has(shown))
    }

    /// Whether a shown path is below it.
    fn has(&self, shown: &str) -> bool {
        shown.len() > self.name.len() && shown.starts_with(self.name.as_str())
    }
}

/// The root, and other folders that are shown by their last name only.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Root {
    /// The folder left out of shown paths, with trailing slash; empty if there is none.
    main: String,
    others: Vec<Other>,
}

impl Root {
    /// Chooses the root: the folder that most calls state, if it holds paths; else, of the folders with at least three
    /// and two thirds of the absolute paths, the one that saves the most bytes. Then other folders with several of the
    /// remaining absolute paths. `paths` come with the form used in the call; `before` are paths of earlier summaries.
    pub(in crate::summary::extractive) fn of<'p>(
        paths: impl Iterator<Item = (&'p str, &'p str)>,
        before: impl Iterator<Item = &'p str>,
        base: Option<String>,
    ) -> Self {
        let mut all: Vec<(&str, &str)> = paths.take(MOST).collect();
        let own = all.len();
        all.extend(before.take(MOST).map(|path| (path, path)));
        let main = main(&all, base.as_deref()).or_else(|| main(&all[..own], base.as_deref()));
        let mut root = Self { main: main.unwrap_or_default(), others: Vec::new() };
        while !root.main.is_empty() && root.others.len() < OTHERS {
            let Some(other) = root.other(&all) else { break };
            root.others.push(other);
        }
        root
    }

    /// The other folder that saves the most bytes and whose name starts no shown path.
    fn other(&self, paths: &[(&str, &str)]) -> Option<Other> {
        let shown: Vec<&str> = paths.iter().map(|(path, named)| self.shown(path, named)).collect();
        let is_open = |(path, shown): &(&(&str, &str), &&str)| is_absolute(shown) || **shown == path.1;
        let first = paths.iter().zip(&shown).take(FIRST).filter(|pair| self.below(pair.0.0).is_none() && is_open(pair));
        let open: Vec<&str> = first.map(|(path, _)| path.0).filter(|path| is_absolute(path)).collect();
        let mut best: Option<(usize, Other)> = None;
        for folder in open.iter().flat_map(|path| folders(path)) {
            let end = folder.len() - 1;
            let Some(place) = folder[..end].rfind(SEPARATORS).map(|at| &folder[..=at]) else { continue };
            let other = Other { place: place.to_owned(), name: folder[place.len()..].to_owned() };
            let count = open.iter().filter(|path| other.short(path).is_some()).count();
            let price = folder.len() + AROUND;
            if place.len() < SHORTEST || count < ENOUGH || count * place.len() <= price {
                continue;
            }
            let saved = count * place.len() - price;
            let is_clear = || !shown.iter().any(|shown| other.has(shown));
            if best.as_ref().is_none_or(|(most, _)| saved > *most) && is_clear() {
                best = Some((saved, other));
            }
        }
        best.map(|(_, other)| other)
    }

    /// The root that a summary states; empty if it states none.
    pub fn of_summary(text: &str) -> Self {
        text.lines().find_map(|line| Self::read(line.trim_start_matches(['-', ' ']))).unwrap_or_default()
    }

    /// The root in a line of an earlier summary.
    pub(in crate::summary) fn read(line: &str) -> Option<Self> {
        let rest = line.strip_prefix(NOTE)?;
        let mut quoted = rest.split('`').skip(1).step_by(2);
        let main = quoted.next().unwrap_or_else(|| rest.trim_end_matches('.')).to_owned();
        let (names, places) = (quoted.clone().step_by(2), quoted.skip(1).step_by(2));
        let other = |(name, place): (&str, &str)| Other { place: place.to_owned(), name: name.to_owned() };
        Some(Self { main, others: names.zip(places).map(other).collect() })
    }

    /// The rest of a path below the root.
    pub(in crate::summary::extractive) fn below<'p>(&self, path: &'p str) -> Option<&'p str> {
        path.strip_prefix(self.main.as_str()).filter(|below| !self.main.is_empty() && !below.is_empty())
    }

    /// The shown form of a path.
    pub(in crate::summary) fn short<'p>(&self, path: &'p str) -> &'p str {
        let other = || self.others.iter().find_map(|other| other.short(path));
        self.below(path).or_else(other).unwrap_or(path)
    }

    /// The form in which a path is shown for a call that wrote it as `named`: the short form, or `named` if only that
    /// is relative.
    pub(in crate::summary::extractive) fn shown<'p>(&self, whole: &'p str, named: &'p str) -> &'p str {
        let short = self.short(whole);
        if is_absolute(short) && !is_absolute(named) { named } else { short }
    }

    /// The form of a path for [`Self::shown`]: the full one if the call states no folder for it and other paths are
    /// shown without the root.
    pub(in crate::summary::extractive) fn named<'p>(&self, whole: &'p str, named: &'p str, by_call: bool) -> &'p str {
        if by_call || !self.is_left_out() { named } else { whole }
    }

    /// Whether a root is left out of shown paths.
    pub(in crate::summary::extractive) fn is_left_out(&self) -> bool {
        !self.main.is_empty()
    }

    /// Marks a relative path of an earlier summary whose folder is unknown.
    pub(in crate::summary::extractive) fn mark(&self, short: &str, path: &str) -> String {
        if !self.is_left_out() || is_absolute(path) || path.starts_with(UNKNOWN) {
            short.to_owned()
        } else {
            format!("{UNKNOWN}{short}")
        }
    }

    /// The full path for a shown one.
    pub fn full(&self, shown: &str) -> String {
        let other = || self.others.iter().find(|other| other.has(shown));
        if is_absolute(shown) || shown.starts_with(UNKNOWN) {
            shown.to_owned()
        } else {
            format!("{}{shown}", other().map_or(&self.main, |other| &other.place))
        }
    }

    /// The line that states the root and the other folders.
    pub(in crate::summary) fn note(&self) -> Option<String> {
        let other = |other: &Other| format!("; `{}`{IN}`{}`", other.name, other.place);
        let others: String = self.others.iter().map(other).collect();
        self.is_left_out().then(|| format!("{NOTE}`{}`{others}", self.main))
    }
}

/// The folder that is left out, if there is one; beside several files of the work, temporary ones do not count.
fn main(paths: &[(&str, &str)], base: Option<&str>) -> Option<String> {
    let all: Vec<&str> = paths.iter().map(|(path, _)| *path).filter(|path| is_absolute(path)).collect();
    let own: Vec<&str> = all.iter().copied().filter(|path| !is_scratch(path)).collect();
    let paths = if own.len() >= ENOUGH { own } else { all };
    let below = |root: &str| paths.iter().filter(|path| path.starts_with(root)).count();
    if let Some(base) = base.filter(|base| base.len() >= SHORTEST && below(base) > 0) {
        return Some(base.to_owned());
    }
    let enough = ENOUGH.max(paths.len() * 2 / 3);
    let holding = paths.iter().take(3).flat_map(|path| folders(path)).map(|folder| (below(folder), folder));
    let best = holding.filter(|(count, folder)| *count >= enough && folder.len() >= SHORTEST);
    best.max_by_key(|(count, folder)| count * folder.len()).map(|(_, folder)| folder.to_owned())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn root(paths: &[&str]) -> Root {
        Root::of(paths.iter().map(|path| (*path, *path)), std::iter::empty(), Some("/home/dev/board/".to_owned()))
    }

    const WIKI: [&str; 4] = [
        "/home/dev/notes/tide-wiki/pages/ferries.md",
        "/home/dev/notes/tide-wiki/pages/quays.md",
        "/home/dev/notes/tide-wiki/index.md",
        "/home/dev/board/src/main.rs",
    ];

    #[test]
    fn another_folder_of_several_files_is_shown_by_its_name_and_read_back() {
        let root = root(&WIKI);
        let note = root.note().unwrap();
        assert_eq!(note, "Paths are shown without `/home/dev/board/`; `tide-wiki/` is in `/home/dev/notes/`");
        assert_eq!(root.short(WIKI[0]), "tide-wiki/pages/ferries.md");
        assert_eq!(Root::read(&note).unwrap(), root);
        assert!(WIKI.iter().all(|path| root.full(root.short(path)) == *path));
    }

    #[test]
    fn files_that_calls_named_below_another_folder_are_shown_by_its_name_where_several_are() {
        let named = |all: &[&'static str]| {
            let paths: Vec<_> = all.iter().map(|path| (*path, path.rsplit_once('/').unwrap().1)).collect();
            let root = Root::of(paths.iter().copied(), std::iter::empty(), Some("/home/dev/board/".to_owned()));
            paths.iter().map(|(path, named)| root.shown(path, named).to_owned()).collect::<Vec<_>>()
        };
        let board = ["/home/dev/board/src/main.rs"];
        assert_eq!(named(&[&WIKI[..2], &board].concat()), ["ferries.md", "quays.md", "src/main.rs"]);
        assert_eq!(named(&WIKI)[..3], ["tide-wiki/pages/ferries.md", "tide-wiki/pages/quays.md", "tide-wiki/index.md"]);
    }

    #[test]
    fn files_of_earlier_summaries_have_a_part_in_the_folders() {
        let own = ["/home/dev/board/docs/a.md", "/home/dev/board/docs/b.md", "/home/dev/board/docs/c.md"];
        let of =
            |before: &[&str]| Root::of(own.map(|path| (path, path)).into_iter(), before.iter().copied(), None).main;
        assert_eq!(of(&[]), "/home/dev/board/docs/");
        assert_eq!(
            of(&["/home/dev/board/src/a.rs", "/home/dev/board/src/b.rs", "/home/dev/board/src/c.rs"]),
            "/home/dev/board/"
        );
        assert_eq!(of(&["/a/1", "/b/2", "/c/3", "/d/4"]), "/home/dev/board/docs/");
    }

    #[test]
    fn the_folder_that_saves_the_most_bytes_is_the_root() {
        let of = |paths: &[String]| {
            Root::of(paths.iter().map(|path| (path.as_str(), path.as_str())), std::iter::empty(), None).main
        };
        let files = |folder: &str, count: usize| (0..count).map(|at| format!("{folder}{at}.rs")).collect::<Vec<_>>();
        let board = [files("/home/dev/board/src/", 6), files("/home/dev/board/", 3)].concat();
        assert_eq!(of(&board), "/home/dev/board/");
        let shots = [files("/home/dev/board/", 1), files("/tmp/quay-board/", 9)].concat();
        assert_eq!(of(&shots), "/tmp/quay-board/");
    }

    #[test]
    fn temporary_files_do_not_hide_the_folder_of_the_work() {
        let shots: Vec<String> = (0..9).map(|shot| format!("/tmp/shot-{shot}.png")).collect();
        let own = ["/home/dev/board/src/a.rs", "/home/dev/board/src/b.rs", "/home/dev/board/index.html"];
        let all = own.into_iter().chain(shots.iter().map(String::as_str)).map(|path| (path, path));
        assert_eq!(Root::of(all, std::iter::empty(), None).main, "/home/dev/board/");
    }

    #[test]
    fn a_name_that_a_shown_path_begins_with_stays_that_of_the_path() {
        let root = root(&[&WIKI[..], &["/home/dev/board/tide-wiki/index.md"]].concat());
        assert_eq!(root.note().unwrap(), "Paths are shown without `/home/dev/board/`");
        assert_eq!(root.short(WIKI[0]), WIKI[0]);
    }
}
