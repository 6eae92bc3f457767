//! Filters for the files of folders, globs and lists.

use crate::batch::BatchError;
use glob::{MatchOptions, Pattern};
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Which files of a folder, glob or list are taken; files named on the command line are always taken.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filters {
    /// Globs of which one must match; empty: everything.
    ///
    /// A pattern without `/` is matched against the file name, one with `/` against the whole path in the output tree.
    pub include: Vec<String>,
    /// Globs of which none may match the file or a folder above it.
    pub exclude: Vec<String>,
    /// Only files last changed longer ago than this.
    pub older_than: Option<Duration>,
    /// Only files with more bytes than this.
    pub larger_than: Option<u64>,
    /// A file with one path per line (`-`: standard input). It filters the inputs, or lists them if there are none.
    pub files_from: Option<PathBuf>,
    /// Whether paths in that file end with a NUL byte instead of a line break, so that any name is possible.
    pub null: bool,
}

/// Filters with parsed patterns.
pub(crate) struct Filter {
    include: Vec<Pattern>,
    exclude: Vec<Pattern>,
    older_than: Option<SystemTime>,
    larger_than: Option<u64>,
}

/// `*` does not match `/`; names that start with a dot are matched like others.
pub(super) const OPTIONS: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: false };

impl Filter {
    pub(crate) fn new(filters: &Filters, now: SystemTime) -> Result<Self, BatchError> {
        let parse = |patterns: &[String]| patterns.iter().map(|text| pattern(text)).collect::<Result<Vec<_>, _>>();
        Ok(Self {
            include: parse(&filters.include)?,
            exclude: parse(&filters.exclude)?,
            older_than: filters.older_than.map(|age| now.checked_sub(age).unwrap_or(SystemTime::UNIX_EPOCH)),
            larger_than: filters.larger_than,
        })
    }

    /// Whether a path in the output tree, or a folder above it, is excluded.
    pub(super) fn excludes(&self, relative: &Path) -> bool {
        relative.ancestors().any(|path| self.exclude.iter().any(|pattern| matches(pattern, path)))
    }

    /// Whether the patterns take a path in the output tree.
    pub(in crate::batch) fn covers(&self, relative: &Path) -> bool {
        let included = self.include.is_empty() || self.include.iter().any(|pattern| matches(pattern, relative));
        included && !self.excludes(relative)
    }

    /// Whether the file at a path in the output tree is taken.
    pub(in crate::batch) fn takes(&self, relative: &Path, meta: &Metadata) -> bool {
        self.covers(relative) && self.fits(meta)
    }

    /// Whether a file is old and large enough, wherever it is: also if it is named, as by a shell that expanded `*`.
    pub(super) fn fits(&self, meta: &Metadata) -> bool {
        let old = self.older_than.is_none_or(|limit| meta.modified().is_ok_and(|modified| modified < limit));
        old && self.larger_than.is_none_or(|limit| meta.len() > limit)
    }
}

/// Parses a glob.
pub(in crate::batch) fn pattern(text: &str) -> Result<Pattern, BatchError> {
    Pattern::new(text).map_err(|err| BatchError::Pattern { pattern: text.to_owned(), reason: err.msg.to_owned() })
}

/// Whether a glob matches a path in the output tree, or its file name if the glob has no `/`.
pub(in crate::batch) fn matches(pattern: &Pattern, path: &Path) -> bool {
    if pattern.as_str().contains('/') {
        return pattern.matches_path_with(path, OPTIONS);
    }
    path.file_name().is_some_and(|name| pattern.matches_path_with(Path::new(name), OPTIONS))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn takes(include: &[&str], exclude: &[&str], path: &str) -> bool {
        let owned = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect();
        let filters = Filters { include: owned(include), exclude: owned(exclude), ..Filters::default() };
        let meta = std::fs::metadata(".").unwrap();
        Filter::new(&filters, SystemTime::now()).unwrap().takes(Path::new(path), &meta)
    }

    #[test]
    fn a_pattern_without_a_slash_is_about_the_file_name() {
        assert!(takes(&["*.jsonl"], &[], "a/b/c.jsonl"));
        assert!(!takes(&["*.jsonl"], &[], "a/b/c.txt"));
    }

    #[test]
    fn a_pattern_with_a_slash_is_about_the_whole_path() {
        assert!(takes(&["a/**/*.jsonl"], &[], "a/b/c.jsonl"));
        assert!(!takes(&["a/*.jsonl"], &[], "a/b/c.jsonl"));
    }

    #[test]
    fn excluding_a_folder_excludes_what_is_in_it() {
        assert!(!takes(&[], &["node_modules"], "a/node_modules/c.jsonl"));
        assert!(!takes(&["*.jsonl"], &["a/b"], "a/b/c.jsonl"));
        assert!(takes(&[], &["a/b"], "a/c.jsonl"));
    }

    #[test]
    fn a_malformed_pattern_is_an_error_that_names_it() {
        assert!(pattern("a[").is_err_and(|err| err.to_string().starts_with("a[: ")));
    }
}
