//! Resolves the paths on the command line to a sorted list of files, each with its place in the output tree.

use super::filter::{Filter, OPTIONS, pattern};
use super::links::{is_of_link, leads_back, leads_to_itself};
use super::places::{below, below_root, file_name, fixed_part, own_name, place};
use super::strays::{Stray, stray};
use crate::batch::error::FileError;
use crate::batch::outputs::write::is_temporary;
use crate::batch::shard::FileShare;
use crate::batch::{BatchError, OWN_FOLDER};
use crate::reason::Reason;
use crate::report::Outcome;
use glob::Pattern;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// The name for standard input.
pub(in crate::batch) const STDIN: &str = "-";

/// A file to be processed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Input {
    /// Its path, as typed or found by a walk; `-` is standard input.
    pub(crate) path: PathBuf,
    /// Its path in the output tree.
    pub(crate) relative: PathBuf,
    /// The folder that was typed, or else the file's own folder.
    pub(crate) root: PathBuf,
    /// Size in bytes when it was found.
    pub(crate) size: u64,
    /// Whether the file itself was named, not found by a walk.
    pub(crate) named: bool,
    /// The lines to be processed, if not all.
    pub(in crate::batch) part: Option<FileShare>,
}

impl Input {
    /// Creates an input for a named file without a place in an output tree.
    pub(crate) fn alone(path: &Path) -> Self {
        let (relative, root) = (PathBuf::new(), PathBuf::new());
        Self { path: path.to_owned(), relative, root, size: 0, named: true, part: None }
    }

    /// Path of the whole file in the output tree, even if only a part is processed.
    pub(crate) fn whole(&self) -> &Path {
        self.part.as_ref().map_or(&self.relative, |part| &part.of)
    }
}

/// A path that was named or found but is not a readable file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// Its path, as typed or found by a walk.
    pub(crate) path: PathBuf,
    pub(crate) relative: PathBuf,
    pub(crate) outcome: Outcome,
    pub(in crate::batch) reason: Reason,
    pub(crate) error: String,
}

/// All files found, sorted by path in the output tree.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) inputs: Vec<Input>,
    pub(crate) problems: Vec<Problem>,
    /// Temporary files that an interrupted run left beside inputs.
    pub(in crate::batch) leftovers: Vec<PathBuf>,
    /// The folders on the command line.
    pub(crate) folders: Vec<PathBuf>,
}

/// The inputs and filters of a search for files.
pub(crate) struct Search<'a> {
    /// The inputs on the command line.
    pub(crate) inputs: &'a [PathBuf],
    /// The paths in `--files-from`, if given.
    pub(crate) list: Option<&'a [PathBuf]>,
    /// The filter for files.
    pub(crate) filter: &'a Filter,
    /// Folders that are never read, as canonical paths.
    pub(crate) never: &'a [PathBuf],
    /// Whether every input has an output, so that no two may have the same path in the output tree.
    pub(crate) mirrored: bool,
}

impl Search<'_> {
    /// Finds all inputs. One that is not there is a problem, as long as another one is.
    pub(crate) fn run(&self) -> Result<Found, BatchError> {
        let mut finder = Finder::new(self);
        match (self.inputs, self.list) {
            ([], None) => return Err(BatchError::NoInput),
            ([], Some(list)) => list.iter().try_for_each(|path| finder.listed_file(path))?,
            ([only], _) => finder.typed(only, Path::new(""))?,
            (several, _) => several.iter().try_for_each(|path| finder.typed(path, &own_name(path)))?,
        }
        let found = finder.finish()?;
        let missing = found.problems.iter().filter(|problem| problem.reason == Reason::NotFound).count();
        let is_nothing = missing == self.inputs.len() && found.inputs.is_empty() && found.folders.is_empty();
        let first = found.problems.first().filter(|_| is_nothing && missing > 0).cloned();
        first.map_or(Ok(found), |it| Err(BatchError::NothingThere { path: it.path, error: it.error }))
    }

    /// For each folder on the command line, the files in its counterpart in another tree.
    pub(crate) fn counterparts(&self, tree: &Path) -> Result<Vec<(PathBuf, Found)>, BatchError> {
        let prefix = |path: &PathBuf| if self.inputs.len() == 1 { PathBuf::new() } else { own_name(path) };
        let mut all = Vec::new();
        for folder in self.inputs.iter().filter(|path| path.as_os_str() != STDIN && path.is_dir()) {
            let (prefix, mut finder) = (prefix(folder), Finder::new(self));
            let root = tree.join(&prefix);
            if root.is_dir() {
                finder.walk(&root, &prefix, &root)?;
                all.push((folder.clone(), finder.finish()?));
            }
        }
        Ok(all)
    }

    /// The canonical paths in the list, if it filters the inputs.
    fn listed(&self) -> Option<BTreeSet<PathBuf>> {
        let list = self.list.filter(|_| !self.inputs.is_empty())?;
        let below = |path: &PathBuf| self.inputs.iter().map(|input| input.join(path)).collect::<Vec<_>>();
        let paths = list.iter().flat_map(|path| std::iter::once(path.clone()).chain(below(path)));
        Some(paths.filter_map(|path| path.canonicalize().ok()).collect())
    }
}

struct Finder<'a> {
    search: &'a Search<'a>,
    listed: Option<BTreeSet<PathBuf>>,
    inputs: BTreeMap<PathBuf, Input>,
    /// Paths matched by globs, each with the folder that it leads back to, if it is a symbolic link that does.
    links: BTreeMap<PathBuf, Option<PathBuf>>,
    found: Found,
}

impl<'a> Finder<'a> {
    fn new(search: &'a Search<'a>) -> Self {
        let (inputs, links) = (BTreeMap::new(), BTreeMap::new());
        Self { search, listed: search.listed(), inputs, links, found: Found::default() }
    }

    fn finish(mut self) -> Result<Found, BatchError> {
        if self.search.mirrored {
            self.check_nesting()?;
        }
        self.found.inputs = self.inputs.into_values().collect();
        self.found.problems.sort_by(|a, b| a.relative.cmp(&b.relative));
        Ok(self.found)
    }

    /// Checks that no output is a file where another output needs a folder.
    fn check_nesting(&self) -> Result<(), BatchError> {
        let above = |input: &Input| input.relative.ancestors().skip(1).find_map(|path| self.inputs.get(path)).cloned();
        let clash = self.inputs.values().find_map(|input| Some((above(input)?, input)));
        clash.map_or(Ok(()), |(first, second)| {
            Err(BatchError::Collision { first: first.path, second: second.path.clone(), output: first.relative })
        })
    }

    /// Adds one input of the command line; the content of a folder is placed below `prefix`.
    fn typed(&mut self, path: &Path, prefix: &Path) -> Result<(), BatchError> {
        if path.as_os_str() == STDIN {
            return self.file(path, file_name(path));
        }
        if path.is_dir() {
            self.found.folders.push(path.to_owned());
            return self.walk(path, prefix, path);
        }
        let text = path.to_string_lossy();
        if text.contains(['*', '?', '[']) && fs::symlink_metadata(path).is_err() {
            return self.glob(&text);
        }
        self.file(path, file_name(path))
    }

    /// Adds one line of a list given without inputs, with its path as listed. Epitome's own files are skipped, since
    /// the tools that make such lists don't know them, and so is a pipe that nobody may ever write to.
    fn listed_file(&mut self, path: &Path) -> Result<(), BatchError> {
        let ours = |part: &OsStr| part == OWN_FOLDER || is_temporary(part);
        let relative = below_root(path);
        if path.iter().any(ours) {
            return Ok(());
        }
        if fs::metadata(path).is_ok_and(|meta| !meta.is_file() && !meta.is_dir()) {
            self.special((path, &relative));
            return Ok(());
        }
        self.file(path, relative)
    }

    /// Adds a named file, if it is old and large enough.
    fn file(&mut self, path: &Path, relative: PathBuf) -> Result<(), BatchError> {
        let size = match fs::metadata(path) {
            _ if path.as_os_str() == STDIN => 0,
            Ok(meta) if !self.search.filter.fits(&meta) => return Ok(()),
            Ok(meta) => meta.len(),
            Err(err) => {
                self.problem((path, &relative), &err);
                return Ok(());
            }
        };
        let root = path.parent().map(Path::to_owned).unwrap_or_default();
        self.add(Input { path: path.to_owned(), relative, root, size, named: true, part: None })
    }

    fn glob(&mut self, text: &str) -> Result<(), BatchError> {
        let pattern = pattern(text)?;
        let paths = glob::glob_with(text, OPTIONS)
            .map_err(|err| BatchError::Pattern { pattern: text.to_owned(), reason: err.msg.to_owned() })?;
        let base = fixed_part(Path::new(text));
        let mut matched = false;
        for path in paths {
            matched = true;
            match path {
                Ok(path) => self.matched(&path, &base, &pattern)?,
                Err(err) => self.problem((err.path(), &below(err.path(), &base)), err.error()),
            }
        }
        if !matched {
            // Like a file that is not there: the other inputs are done.
            let error = "matches no file; check the pattern, or name a folder".to_owned();
            let path = Path::new(text);
            self.note((path, &file_name(path)), Outcome::Failed, Reason::NotFound, error);
        }
        Ok(())
    }

    /// Adds a path matched by a glob; its place is its path below the part of the glob without wildcards.
    fn matched(&mut self, path: &Path, base: &Path, pattern: &Pattern) -> Result<(), BatchError> {
        let relative = below(path, base);
        if relative.components().any(|part| part.as_os_str() == OWN_FOLDER) || self.is_never(path) {
            return Ok(());
        }
        if let Some((link, target)) = self.loop_in(path, base) {
            let place = (link.as_path(), &*below(&link, base));
            let asked = pattern.matches_path_with(&link, OPTIONS) && self.search.filter.covers(place.1);
            if asked && !self.found.problems.iter().any(|problem| problem.path == link) {
                self.looped(place, &target.display());
            }
            return Ok(());
        }
        self.walk(path, &relative, base)
    }

    /// The first symbolic link in a path that leads back to a folder above it, with that folder. Walks do not follow
    /// such links either.
    fn loop_in(&mut self, path: &Path, base: &Path) -> Option<(PathBuf, PathBuf)> {
        let (mut at, rest) = path.strip_prefix(base).map_or((PathBuf::new(), path), |rest| (base.to_owned(), rest));
        rest.components().find_map(|part| {
            at.push(part);
            let back = self.links.entry(at.clone()).or_insert_with(|| leads_back(&at));
            back.clone().map(|target| (at.clone(), target))
        })
    }

    /// Adds a folder with its content, or a single file, at `prefix` in the output tree.
    fn walk(&mut self, path: &Path, prefix: &Path, root: &Path) -> Result<(), BatchError> {
        let never = self.search.never;
        let walk = WalkDir::new(path).follow_links(true).sort_by_file_name().into_iter();
        for entry in walk.filter_entry(|entry| !is_ours(entry, never)) {
            match entry {
                Ok(entry) if entry.file_type().is_dir() => {}
                Ok(entry) => self.met(&entry, &place(prefix, entry.path(), path), root)?,
                Err(err) => {
                    let at = err.path().unwrap_or(path).to_owned();
                    let (relative, filter) = (place(prefix, &at, path), self.search.filter);
                    // An unreadable folder may contain files that the filter takes; a link is judged by its own path.
                    let asked = if is_of_link(&err) { filter.covers(&relative) } else { !filter.excludes(&relative) };
                    if asked {
                        self.broken(&err, (&at, &relative));
                    }
                }
            }
        }
        Ok(())
    }

    fn met(&mut self, entry: &DirEntry, relative: &Path, root: &Path) -> Result<(), BatchError> {
        if !entry.file_type().is_file() {
            if self.search.filter.covers(relative) && self.is_listed(entry.path()) {
                self.special((entry.path(), relative));
            }
            return Ok(());
        }
        if is_temporary(entry.file_name()) {
            self.found.leftovers.push(entry.path().to_owned());
            return Ok(());
        }
        let meta = match entry.metadata() {
            Ok(meta) => meta,
            Err(err) => {
                self.broken(&err, (entry.path(), relative));
                return Ok(());
            }
        };
        if !self.search.filter.takes(relative, &meta) || !self.is_listed(entry.path()) {
            return Ok(());
        }
        let (path, relative, root) = (entry.path().to_owned(), relative.to_owned(), root.to_owned());
        self.add(Input { path, relative, root, size: meta.len(), named: false, part: None })
    }

    fn add(&mut self, input: Input) -> Result<(), BatchError> {
        if let Some(stray) = stray(&input.path) {
            self.left(&input, stray);
            return Ok(());
        }
        let Some(first) = self.inputs.get_mut(&input.relative) else {
            self.inputs.insert(input.relative.clone(), input);
            return Ok(());
        };
        if first.path == input.path {
            first.named |= input.named;
            return Ok(());
        }
        if !self.search.mirrored {
            let relative = below_root(&input.path);
            self.inputs.insert(relative.clone(), Input { relative, ..input });
            return Ok(());
        }
        let first = first.path.clone();
        Err(BatchError::Collision { first, second: input.path, output: input.relative })
    }

    /// Records that a file was left by another run, once per folder.
    fn left(&mut self, file: &Input, stray: Stray) {
        let above = |path: &Path| {
            let folder = path.ancestors().nth(stray.depth).filter(|folder| !folder.as_os_str().is_empty());
            folder.unwrap_or(Path::new(".")).to_owned()
        };
        let (path, relative) = (above(&file.path), above(&file.relative));
        if !self.found.problems.iter().any(|problem| problem.path == path && problem.reason == stray.reason) {
            self.note((&path, &relative), Outcome::Skipped, stray.reason, stray.told.to_owned());
        }
    }

    fn is_listed(&self, path: &Path) -> bool {
        self.listed.as_ref().is_none_or(|listed| path.canonicalize().is_ok_and(|path| listed.contains(&path)))
    }

    fn is_never(&self, path: &Path) -> bool {
        let never = self.search.never;
        !never.is_empty() && path.canonicalize().is_ok_and(|path| never.iter().any(|folder| path.starts_with(folder)))
    }

    /// Records a path that the walk could not enter or read.
    fn broken(&mut self, err: &walkdir::Error, place: (&Path, &Path)) {
        if let Some(ancestor) = err.loop_ancestor() {
            self.looped(place, &ancestor.display());
        } else if leads_to_itself(place.0) {
            self.looped(place, &"itself");
        } else if is_of_link(err) {
            self.note(place, Outcome::Skipped, Reason::DanglingLink, "a symbolic link to nothing".into());
        } else {
            let source = err.io_error().map_or_else(|| err.to_string(), ToString::to_string);
            let error = FileError::Read(io::Error::other(source)).to_string();
            self.note(place, Outcome::Failed, Reason::Unreadable, error);
        }
    }

    fn special(&mut self, place: (&Path, &Path)) {
        let error = "no regular file but a pipe, a socket or a device; it is not read".to_owned();
        self.note(place, Outcome::Skipped, Reason::SpecialFile, error);
    }

    fn looped(&mut self, place: (&Path, &Path), target: &dyn Display) {
        let error = format!("a symbolic link that leads back to {target}; it is not followed");
        self.note(place, Outcome::Failed, Reason::SymlinkLoop, error);
    }

    fn problem(&mut self, place: (&Path, &Path), err: &io::Error) {
        if leads_to_itself(place.0) {
            return self.looped(place, &"itself");
        }
        let reason = if err.kind() == io::ErrorKind::NotFound { Reason::NotFound } else { Reason::Unreadable };
        let error = FileError::Read(io::Error::other(err.to_string())).to_string();
        self.note(place, Outcome::Failed, reason, error);
    }

    fn note(&mut self, (path, relative): (&Path, &Path), outcome: Outcome, reason: Reason, error: String) {
        let (path, relative) = (path.to_owned(), relative.to_owned());
        self.found.problems.push(Problem { path, relative, outcome, reason, error });
    }
}

/// Whether a folder is epitome's own or must not be read.
fn is_ours(entry: &DirEntry, never: &[PathBuf]) -> bool {
    let folder = entry.depth() > 0 && entry.file_type().is_dir();
    let listed = || entry.path().canonicalize().is_ok_and(|path| never.contains(&path));
    folder && (entry.file_name() == OWN_FOLDER || !never.is_empty() && listed())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    use crate::batch::Filters;
    use crate::batch::inputs::listed::read_list;
    use std::time::SystemTime;

    fn tree(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        dir
    }

    fn find(dir: &Path, inputs: &[&str], list: Option<&[PathBuf]>) -> Result<Found, BatchError> {
        let inputs: Vec<_> = inputs.iter().map(|input| dir.join(input)).collect();
        find_by(&inputs, list, &Filters::default())
    }

    fn find_by(inputs: &[PathBuf], list: Option<&[PathBuf]>, filters: &Filters) -> Result<Found, BatchError> {
        let filter = Filter::new(filters, SystemTime::now()).unwrap();
        Search { inputs, list, filter: &filter, never: &[], mirrored: true }.run()
    }

    fn places(found: &Found) -> String {
        let named = |input: &Input| if input.named { "!" } else { "" };
        let places = found.inputs.iter().map(|input| format!("{}{}", input.relative.display(), named(input)));
        places.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_named_file_must_be_large_enough_too() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.jsonl");
        fs::write(&path, "quay").unwrap();
        let found = |larger_than: u64| {
            let filters = Filters { larger_than: Some(larger_than), ..Filters::default() };
            find_by(std::slice::from_ref(&path), None, &filters).unwrap().inputs.len()
        };
        assert_eq!((found(3), found(4)), (1, 0));
    }

    #[test]
    fn one_folder_is_mirrored_at_the_root_and_several_under_their_names() {
        let dir = tree(&["a/y", "a/x", "a/s/z", "b/x", "f"]);
        assert_eq!(places(&find(dir.path(), &["a"], None).unwrap()), "s/z x y");
        assert_eq!(places(&find(dir.path(), &["b", "a", "f"], None).unwrap()), "a/s/z a/x a/y b/x f!");
    }

    #[test]
    fn a_glob_keeps_the_place_below_its_fixed_part() {
        let dir = tree(&["a/s/z.jsonl", "a/x.jsonl", "a/x.txt"]);
        assert_eq!(places(&find(dir.path(), &["a/**/*.jsonl"], None).unwrap()), "s/z.jsonl x.jsonl");
        assert_eq!(places(&find(dir.path(), &["a/*"], None).unwrap()), "s/z.jsonl x.jsonl x.txt");
    }

    #[test]
    #[cfg(unix)]
    fn globs_do_not_follow_links_that_lead_back() {
        let dir = tree(&["a/s/z.jsonl"]);
        std::os::unix::fs::symlink(".", dir.path().join("a/back")).unwrap();
        let problems = |glob: &str| {
            let found = find(dir.path(), &[glob], None).unwrap();
            assert_eq!(places(&found), "s/z.jsonl");
            found.problems.iter().map(|problem| problem.reason).collect::<Vec<_>>()
        };
        assert_eq!(problems("a/*"), [Reason::SymlinkLoop]);
        assert!(problems("a/**/*.jsonl").is_empty(), "the link is none of these");
    }

    #[test]
    fn our_own_folder_and_temporary_files_are_never_read() {
        let dir = tree(&["a/.epitome/report.jsonl", "a/.epitome-tmp-1", "a/.hidden", "a/s/.epitome/x"]);
        let found = find(dir.path(), &["a"], None).unwrap();
        assert_eq!(places(&found), ".hidden");
        assert_eq!(found.leftovers.len(), 1);
        assert_eq!(places(&find(dir.path(), &["a/**/*"], None).unwrap()), ".hidden");
    }

    #[test]
    fn two_inputs_for_one_output_are_an_error_and_one_named_twice_is_not() {
        let dir = tree(&["a/x", "b/x"]);
        assert!(matches!(find(dir.path(), &["a/x", "b/x"], None), Err(BatchError::Collision { .. })));
        assert_eq!(places(&find(dir.path(), &["a/x", "a/x"], None).unwrap()), "x!");
        let dir = tree(&["x/a", "a/y"]);
        assert!(
            matches!(find(dir.path(), &["x/a", "a"], None), Err(BatchError::Collision { .. })),
            "a file and a folder"
        );
    }

    #[test]
    fn a_missing_file_is_a_problem_and_the_others_are_found() {
        let dir = tree(&["x"]);
        let found = find(dir.path(), &["x", "y"], None).unwrap();
        assert_eq!((places(&found).as_str(), found.problems[0].reason), ("x!", Reason::NotFound));
        let found = find(dir.path(), &["x", "*.md"], None).unwrap();
        assert_eq!((places(&found).as_str(), found.problems[0].reason), ("x!", Reason::NotFound), "a glob for no file");
    }

    #[test]
    fn where_nothing_is_there_that_was_named_no_run_begins() {
        let dir = tree(&["x"]);
        for inputs in [&["y"][..], &["*.md"], &["y", "z/*"]] {
            assert!(matches!(find(dir.path(), inputs, None), Err(BatchError::NothingThere { .. })), "{inputs:?}");
        }
        let list = [dir.path().join("y")];
        assert_eq!(find(dir.path(), &[], Some(&list)).unwrap().problems.len(), 1, "a list may be older than the files");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_back_is_a_problem_and_a_link_to_a_file_is_read() {
        let dir = tree(&["a/s/x"]);
        std::os::unix::fs::symlink("..", dir.path().join("a/s/up")).unwrap();
        std::os::unix::fs::symlink("x", dir.path().join("a/s/y")).unwrap();
        std::os::unix::fs::symlink("nowhere", dir.path().join("a/s/z")).unwrap();
        let itself = tree(&["a/x"]);
        std::os::unix::fs::symlink("y", itself.path().join("a/y")).unwrap();
        for inputs in [&["a"][..], &["a/y"], &["a/x", "a/y"]] {
            let reasons: Vec<_> =
                find(itself.path(), inputs, None).unwrap().problems.iter().map(|it| it.reason).collect();
            assert_eq!(reasons, [Reason::SymlinkLoop], "{inputs:?}");
        }
        let found = find(dir.path(), &["a"], None).unwrap();
        assert_eq!(places(&found), "s/x s/y");
        let problems: Vec<_> = found.problems.iter().map(|problem| (problem.reason, problem.outcome)).collect();
        assert_eq!(problems, [(Reason::SymlinkLoop, Outcome::Failed), (Reason::DanglingLink, Outcome::Skipped)]);
        let exclude = ["s/up", "s/z"].map(str::to_owned).to_vec();
        let left = find_by(&[dir.path().join("a")], None, &Filters { exclude, ..Filters::default() }).unwrap();
        assert_eq!((places(&left).as_str(), left.problems.len()), ("s/x s/y", 0), "what is excluded is no problem");
        let include = vec!["x".to_owned()];
        let left = find_by(&[dir.path().join("a")], None, &Filters { include, ..Filters::default() }).unwrap();
        assert_eq!((places(&left).as_str(), left.problems.len()), ("s/x", 0), "nor what is not included");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_said_and_not_read() {
        let dir = tree(&["a/x"]);
        let _socket = std::os::unix::net::UnixListener::bind(dir.path().join("a/s")).unwrap();
        let found = find(dir.path(), &["a"], None).unwrap();
        assert_eq!((places(&found).as_str(), found.problems.len()), ("x", 1));
        assert_eq!((found.problems[0].reason, found.problems[0].outcome), (Reason::SpecialFile, Outcome::Skipped));
        let include = vec!["x".to_owned()];
        let left = find_by(&[dir.path().join("a")], None, &Filters { include, ..Filters::default() }).unwrap();
        assert!(left.problems.is_empty());
        let list = [dir.path().join("a/x"), dir.path().join("a/s")];
        let listed = find_by(&[], Some(&list), &Filters::default()).unwrap();
        assert_eq!(
            (listed.inputs.len(), listed.problems[0].reason),
            (1, Reason::SpecialFile),
            "nor where a list has it"
        );
    }

    #[test]
    fn what_another_run_left_is_no_input_and_said_once() {
        let (hash, other) = ("0a".repeat(32), "7f".repeat(32));
        let files = [format!("a/old/objects/0a/{hash}.zst"), format!("a/old/undo/{hash}/{other}-0123abcd.jsonl")];
        let dir = tree(&[
            &files[0],
            &files[1],
            "a/x",
            "a/told/report.json",
            "a/told/report.jsonl",
            "a/told/y",
            "a/report.json",
        ]);
        let report = "{\n  \"schema_version\": 1,\n  \"epitome\": \"0\"\n}\n";
        fs::write(dir.path().join("a/told/report.json"), report).unwrap();
        let told = |found: &Found| {
            found.problems.iter().map(|it| format!("{} {}", it.relative.display(), it.reason)).collect::<Vec<_>>()
        };
        let found = find(dir.path(), &["a"], None).unwrap();
        assert_eq!(places(&found), "report.json told/y x", "a report of somebody else is a file as any");
        assert_eq!(told(&found), ["old undo_store", "told own_report"]);
        let found = find(dir.path(), &["a/**/*.zst"], None).unwrap();
        assert_eq!((places(&found).as_str(), told(&found)), ("", vec!["old undo_store".to_owned()]));
        let found = find(dir.path(), &[&files[0]], None).unwrap();
        assert_eq!((places(&found).as_str(), found.problems.len()), ("", 1), "named or not");
    }

    #[test]
    fn a_list_filters_the_inputs_or_names_them() {
        let dir = tree(&["a/s/x", "a/y", "a/z"]);
        let list = [PathBuf::from("s/x"), dir.path().join("a/z"), PathBuf::from("gone")];
        assert_eq!(places(&find(dir.path(), &["a"], Some(&list)).unwrap()), "s/x z");
        let list = read_list(b"a/s/x\r\n\nb\n.epitome/x\n", false).unwrap();
        assert_eq!(list, [PathBuf::from("a/s/x"), PathBuf::from("b"), PathBuf::from(".epitome/x")]);
        let found = find(dir.path(), &[], Some(&list)).unwrap();
        assert_eq!(found.problems.len(), 2, "relative to the working folder");
        let list = read_list(b"a\nb.jsonl\0 c\0\0", true).unwrap();
        assert_eq!(list, [PathBuf::from("a\nb.jsonl"), PathBuf::from(" c")]);
        assert_eq!(below_root(Path::new("/a/../b/./c")), Path::new("a/b/c"));
    }
}
