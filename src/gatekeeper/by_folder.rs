//! Checks transcripts without gates, each against the sections that its folder's report states: a run with another
//! template than the default is not at fault, nor for a summary that it found and left as it was.

use super::recorded::{Recorded, Spot};
use super::stated::{Reports, Stated, written_folder};
use crate::batch::{Done, Work};
use crate::check::RuleKind;
use crate::format::{Bytes, Detected, Format, Undetected};
use crate::report::Line;
use crate::summary::Template;
use crate::work::{Checker, Held};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A checker whose template applies to folders that state none.
pub struct ByFolder<'c> {
    checker: &'c Checker,
    /// What is known of folders already seen.
    folders: Mutex<HashMap<PathBuf, Arc<Written>>>,
}

/// How a folder was written, as far as its reports say.
struct Written {
    folder: PathBuf,
    /// The template of its summaries if it states one, or those that they may be by.
    templates: Vec<Template>,
    /// What became of its transcripts; read when it is needed.
    recorded: OnceLock<Recorded>,
}

impl<'c> ByFolder<'c> {
    /// Wraps a checker.
    pub fn new(checker: &'c Checker) -> Self {
        Self { checker, folders: Mutex::default() }
    }

    /// What is known of a folder; its settings are read once.
    fn written(&self, folder: &Path) -> Arc<Written> {
        let mut known = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(written) = known.get(folder) {
            return Arc::clone(written);
        }
        let others = &self.checker.templates;
        let stated = Stated::of(&Reports::of(folder)).zip(others.first());
        let templates =
            stated.map_or_else(|| others.clone(), |(stated, first)| stated.sections(first).into_iter().collect());
        let written = Arc::new(Written { folder: folder.to_owned(), templates, recorded: OnceLock::new() });
        known.insert(folder.to_owned(), Arc::clone(&written));
        written
    }
}

impl Work for ByFolder<'_> {
    fn run(&self, format: &'static dyn Format, source: &[u8], first_line: usize) -> Done {
        self.checker.run(format, source, first_line)
    }

    fn detect(&self, bytes: &[u8], given: Bytes) -> Result<Detected, Undetected> {
        self.checker.detect(bytes, given)
    }

    fn on(&self, _: &Path, path: &Path, root: &Path) -> Option<Box<dyn Work + '_>> {
        let folder = written_folder(root);
        let place = path.strip_prefix(folder).ok()?.to_owned();
        let written = self.written(folder);
        let Checker { rules, fix, from, .. } = self.checker;
        let checker = |held: Held| Checker {
            rules: rules.clone(),
            templates: written.templates.clone(),
            held,
            fix: *fix,
            from: *from,
        };
        let size = path.metadata().map_or(0, |meta| meta.len());
        let (own, of_left) = (checker(Held::All), checker(Held::ByHeadings));
        Some(Box::new(OfFile { own, of_left, place, size, written }))
    }

    fn blank(&self) -> Line {
        self.checker.blank()
    }
}

/// Checks one file of a folder.
struct OfFile {
    own: Checker,
    /// For transcripts that the run left as they were.
    of_left: Checker,
    /// Its path below the folder.
    place: PathBuf,
    /// Size of the file in bytes.
    size: u64,
    written: Arc<Written>,
}

impl OfFile {
    /// Whether the run left a transcript of the file as it was.
    fn is_left(&self, source: &[u8], first_line: usize) -> bool {
        let recorded = self.written.recorded.get_or_init(|| Recorded::of(&Reports::of(&self.written.folder)));
        recorded.is_left(Spot { path: &self.place, line: first_line, bytes: source.len(), file: self.size })
    }
}

impl Work for OfFile {
    fn run(&self, format: &'static dyn Format, source: &[u8], first_line: usize) -> Done {
        let done = self.own.run(format, source, first_line);
        let mut rules = done.line.faults.before.keys();
        let asks = rules.any(|rule| RuleKind::of(rule) == RuleKind::Sections);
        if asks && self.is_left(source, first_line) { self.of_left.run(format, source, first_line) } else { done }
    }

    fn detect(&self, bytes: &[u8], given: Bytes) -> Result<Detected, Undetected> {
        self.own.detect(bytes, given)
    }

    fn blank(&self) -> Line {
        self.own.blank()
    }
}
