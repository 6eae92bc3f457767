//! Pairs of a compacted transcript and its original: found by their relative paths, read whole, judged in parallel.

use super::again::{again, writer};
use super::checker::{Checker, Judged as Read};
use super::digest::{Gauge, sha256_of};
use super::discover::Input;
use super::error::FileError;
use super::fence::fenced;
use super::naming::packed_or_not;
use super::originals::pool;
use super::record::report_path;
use super::rerun::Reruns;
use super::source::Source;
use super::{Batch, BatchError, Compactor, Progress, Work, run};
use crate::evaluate::Policy;
use crate::format::{Detected, Format, Layout, elements, lines};
use crate::gates::{Expectations, GateSettings, Judged, OfRun, Side, Tools, View, judge};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Judges compacted transcripts by gates.
pub struct Gatekeeper {
    /// Reads, and finds faults.
    pub checker: Checker,
    /// The folder, or the file, that the originals are in.
    pub original: Option<PathBuf>,
    /// Levels and thresholds.
    pub settings: GateSettings,
    /// What transcripts have to keep.
    pub expectations: Expectations,
    /// Compacts originals again, for gates that judge the compactor; its tokenizer counts.
    pub compactor: Compactor<'static>,
    /// Whose recall is judged.
    pub policy: Policy,
}

/// What was judged.
#[derive(Default)]
pub struct Gated {
    /// Transcripts.
    pub judged: Vec<Judged>,
    /// What could not be judged: path and reason.
    pub unjudged: Vec<(String, String)>,
    /// What was judged over all of them.
    pub of_run: Vec<OfRun>,
}

/// Who wrote each folder, where it says so.
type Writers = BTreeMap<PathBuf, Option<Compactor<'static>>>;

/// One file as it was read, and where its transcripts stand in it: first line and place.
pub(super) struct Loaded {
    pub(super) format: &'static dyn Format,
    pub(super) bytes: Vec<u8>,
    pub(super) places: Vec<(usize, Range<usize>)>,
    /// It may hold several transcripts.
    many: bool,
}

impl Gatekeeper {
    /// Judges all transcripts among the inputs of a batch, by path and line.
    ///
    /// # Errors
    /// The run could not start.
    pub fn run(&self, batch: &Batch, progress: &dyn Progress) -> Result<Gated, BatchError> {
        let found = run::find(batch, &self.checker)?;
        progress.start(found.inputs.len() as u64, found.inputs.iter().map(|input| input.size).sum());
        let reruns = Reruns::of(self, batch, &found.inputs)?;
        let writers = self.writers(&found.inputs);
        let one = |(at, input): (usize, &Input)| {
            let judged = self.file(batch, (input, writers.get(&input.root).and_then(Option::as_ref)));
            progress.advance(input.size);
            progress.file_done();
            let more = |(place, mut one): (usize, Judged)| {
                one.outcomes.extend(reruns.outcomes(at, place));
                one
            };
            let judged = judged.map(|some| some.into_iter().enumerate().map(more).collect::<Vec<_>>());
            judged.map_err(|reason| (input.path.display().to_string(), reason))
        };
        let all: Vec<_> = pool(batch.threads)?.install(|| found.inputs.par_iter().enumerate().map(one).collect());
        let problems = found.problems.into_iter().filter(|problem| problem.outcome == crate::report::Outcome::Failed);
        let mut gated = Gated { of_run: reruns.of_run, ..Gated::default() };
        gated.unjudged.extend(problems.map(|it| (it.path.display().to_string(), it.error)));
        for result in all {
            match result {
                Ok(some) => gated.judged.extend(some),
                Err(reason) => gated.unjudged.push(reason),
            }
        }
        gated.judged.sort_by(|a, b| (&a.path, a.row).cmp(&(&b.path, b.row)));
        gated.unjudged.sort();
        Ok(gated)
    }

    /// Who wrote the folders of the inputs; nobody where that is of no interest.
    fn writers(&self, inputs: &[Input]) -> Writers {
        let mut writers = Writers::new();
        let Some(gate) = self.settings.wanted("T05") else { return writers };
        if self.settings.of(gate).fixed_point == Some(false) {
            return writers;
        }
        let asked = self.settings.of(gate).fixed_point == Some(true);
        let own = || asked.then(|| self.compactor.with(self.compactor.settings.clone()));
        for input in inputs {
            writers.entry(input.root.clone()).or_insert_with(|| writer(&input.root).or_else(own));
        }
        writers
    }

    /// The transcripts of one file; none if it was only met and is no transcript.
    fn file(&self, batch: &Batch, (input, writer): (&Input, Option<&Compactor<'_>>)) -> Result<Vec<Judged>, String> {
        let after = match self.load(batch, input) {
            Ok(Some(after)) => after,
            Ok(None) => return Ok(Vec::new()),
            Err(FileError::NotATranscript(_) | FileError::Unsupported(_)) if !input.named => return Ok(Vec::new()),
            Err(error) => return Err(error.to_string()),
        };
        let before = self.original(input).map(|path| self.load_original(batch, &path)).transpose()?;
        if let Some(before) = before.as_ref().filter(|before| before.places.len() != after.places.len()) {
            let (own, other) = (after.places.len(), before.places.len());
            return Err(format!("not comparable: {own} transcripts, and the original has {other}"));
        }
        let each = |at: usize| {
            let place = |file: &Loaded| file.places[at].clone();
            let sides = (before.as_ref().map(|file| (file, place(file))), (&after, place(&after)));
            fenced(|| self.transcript((input, writer), sides)).map_err(|error| error.to_string())
        };
        (0..after.places.len()).into_par_iter().map(each).collect()
    }

    /// Where the original of an input is, which may be compressed otherwise.
    pub(super) fn original(&self, input: &Input) -> Option<PathBuf> {
        let original = self.original.as_ref()?;
        if !original.is_dir() {
            return Some(original.clone());
        }
        let path = original.join(&input.relative);
        Some(packed_or_not(&path).find(|path| path.is_file()).unwrap_or(path))
    }

    pub(super) fn load_original(&self, batch: &Batch, path: &Path) -> Result<Loaded, String> {
        let (path_of, none) = (path.to_owned(), PathBuf::new());
        let input = Input { path: path_of, relative: none.clone(), root: none, size: 0, named: true, part: None };
        let loaded = self.load(batch, &input).map_err(|error| format!("its original {}: {error}", path.display()))?;
        loaded.ok_or_else(|| format!("its original {} is empty", path.display()))
    }

    /// Reads a file and finds its transcripts; none where it is empty.
    fn load(&self, batch: &Batch, input: &Input) -> Result<Option<Loaded>, FileError> {
        let source = Source::open(input, &batch.streams, Gauge::new(false))?;
        if source.complete && source.is_blank() {
            return Ok(None);
        }
        let detected = fenced(|| self.checker.detect(&source.sample, source.complete))?;
        let (format, layout) = match detected.map_err(FileError::NotATranscript)? {
            Detected { format: Some(format), layout, .. } => (format, layout),
            Detected { name, .. } => return Err(FileError::Unsupported(name)),
        };
        let bytes = source.whole(batch.limits.session)?;
        let places = match layout {
            Layout::Session => vec![(1, 0..bytes.len())],
            Layout::PerLine => lines::lines(&bytes).map(|line| (line.number, line.span)).collect(),
            Layout::PerElement(key) => elements(&bytes, key)?.into_iter().map(|one| (one.line, one.span)).collect(),
        };
        Ok(Some(Loaded { format, bytes, places, many: layout != Layout::Session }))
    }

    fn transcript(
        &self,
        (input, writer): (&Input, Option<&Compactor<'_>>),
        (before, after): (Option<(&Loaded, Place)>, (&Loaded, Place)),
    ) -> Judged {
        let path = report_path(&input.relative);
        let (file, (line, span)) = after;
        let row = file.many.then_some(line);
        let source = file.bytes.get(span.clone()).unwrap_or_default();
        let after = self.read(file.format, source, line);
        let original = before.as_ref().map(|(file, (line, span))| {
            let source = file.bytes.get(span.clone()).unwrap_or_default();
            (self.read(file.format, source, *line), source)
        });
        let sha256 = sha256_of(original.as_ref().map_or(source, |(_, bytes)| bytes));
        let view = View::new(
            original.as_ref().map(|(read, _)| Side { transcript: &read.transcript, faults: &read.faults }),
            Side { transcript: &after.transcript, faults: &after.faults },
        );
        let count = |text: &str| self.compactor.tokenizer.count(text);
        let again = writer.filter(|_| !view.unchanged()).map(|work| again(self, work, file.format, (&after, line)));
        let tools = Tools {
            settings: &self.settings,
            template: &self.checker.template,
            count: &count,
            expected: self.expectations.of(&path, row),
            again,
        };
        let outcomes = judge(&view, &tools);
        Judged { path, row, file: input.path.display().to_string(), first_line: line, sha256, outcomes }
    }

    /// Reads a transcript, counts it, and finds its faults.
    pub(super) fn read<'s>(&self, format: &'static dyn Format, source: &'s [u8], line: usize) -> Read<'s> {
        let mut read = self.checker.judge(format, source, line);
        self.compactor.tokenizer.measure(&mut read.transcript);
        read
    }
}

/// First line in the file, and where it stands.
type Place = (usize, Range<usize>);
