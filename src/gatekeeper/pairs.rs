//! Pairs of a compacted transcript and its original: matched by relative path, read whole, judged in parallel.

use super::again::again;
use super::aligned::{aligned, unmatched};
use super::loaded::{Loaded, Row};
use super::recorded::Recorded;
use super::rerun::Reruns;
use super::stated::{Reports, Stated, add_stubs, has_sections, known_stubs, written_folder};
use super::uncompacted::lost;
use crate::batch::{
    Batch, BatchError, FileError, Input, Override, Progress, fenced, find, is_detected, pool, report_path, sha256_of,
};
use crate::evaluate::Policy;
use crate::format::Format;
use crate::gates::{Expectations, GateSettings, Judged, Level, Limits, OfRun, Side, Stubs, Tools, View, judge};
use crate::preset::{Place as Continues, ProtectedTools, Settings, Walk};
use crate::summary::Template;
use crate::tokens::Tokenizer;
use crate::work::{Checker, Compactor, Cores, Judged as Read, without_credentials};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Judges compacted transcripts by the gates.
pub struct Gatekeeper {
    /// Reads transcripts and finds faults.
    pub checker: Checker,
    /// Sections that all summaries must have; `None`: those that each folder states, or else those of the compactor.
    pub template: Option<Template>,
    /// The folder or file with the originals.
    pub original: Option<PathBuf>,
    /// The folder with the reports of the run that wrote the inputs, if they lie elsewhere.
    pub reports: Option<PathBuf>,
    /// Levels and thresholds.
    pub settings: GateSettings,
    /// Expectations for transcripts.
    pub expectations: Expectations,
    /// Compacts originals again, for gates that judge the compactor. Its tokenizer counts where no folder states one.
    pub compactor: Compactor<'static>,
    /// Policy whose recall is judged.
    pub policy: Policy,
}

/// Result of a run.
#[derive(Default)]
pub struct Gated {
    /// Judged transcripts.
    pub judged: Vec<Judged>,
    /// Paths that could not be judged, with reasons.
    pub unjudged: Vec<(String, String)>,
    /// Outcomes over all of them.
    pub of_run: Vec<OfRun>,
    /// Number of files that were looked at.
    pub files: usize,
}

/// What came of a file.
#[derive(Default)]
struct OfFile {
    /// Its transcripts, each with the place of its original among those that the run did not leave out.
    judged: Vec<(Option<usize>, Judged)>,
    /// Why some of its rows, or of those of its original, could not be compared.
    unmatched: Vec<String>,
}

/// How each folder was written, by its path.
type Writers = BTreeMap<PathBuf, Writer>;

/// How a folder was written, as far as its report says; otherwise, as the current compactor would write it.
struct Writer {
    /// The folder with its reports, of which the inputs may be a part.
    folder: PathBuf,
    /// Compacts the transcripts again; `None` if that is not needed.
    compactor: Option<Compactor<'static>>,
    /// Sections of its summaries; `None` if they have none.
    template: Option<Template>,
    /// Requirements for its transcripts.
    terms: Terms,
    /// Requirements for files that were written with other settings.
    differing: Vec<Override<Terms>>,
    /// What became of its transcripts, by its reports.
    recorded: Recorded,
    /// Credentials were removed from everything written.
    redacts: bool,
}

impl Writer {
    /// Path of an input as the reports name it.
    fn place<'p>(&self, input: &'p Input) -> &'p Path {
        input.path.strip_prefix(&self.folder).unwrap_or(&input.relative)
    }

    fn terms(&self, place: &Path) -> &Terms {
        Override::value_for(&self.differing, place).unwrap_or(&self.terms)
    }
}

/// Requirements that depend on the settings with which a transcript was written.
struct Terms {
    /// Levels and thresholds.
    gates: GateSettings,
    /// Those for transcripts that were left as they were: the budget of summaries is not that of an earlier one.
    of_left: GateSettings,
    /// Counts the transcript and its original; `None` if the settings name an unknown encoding.
    tokenizer: Option<Tokenizer>,
    /// Texts that may replace pruned results.
    stubs: Stubs,
    /// The last user message is not pinned.
    summary_tells: bool,
    /// The tools whose newest results are carried out of the head.
    protected: ProtectedTools,
    /// Text of the continuation.
    continuation: String,
}

impl Terms {
    /// The terms of a run with these settings: its tails have as many messages as its walk keeps units, whatever they
    /// cost, where no bound shortens them.
    fn of_run(mut self, settings: &Settings) -> Self {
        let least = match (settings.split.tail_tokens, settings.limits.max_tokens) {
            (Some(0), _) => 0,
            (_, Some(_)) => settings.split.min_tail.min(1),
            _ => settings.split.min_tail,
        };
        for gates in [&mut self.gates, &mut self.of_left] {
            gates.default_to("T04", Limits { min: Some(least as f64), ..Limits::default() });
        }
        self
    }
}

impl Gatekeeper {
    /// Judges all transcripts in the inputs of a batch, by path and line.
    ///
    /// # Errors
    /// The run could not start, or a path in `expect.toml` matches no input.
    pub fn run(&self, batch: &Batch, progress: &dyn Progress) -> Result<Gated, BatchError> {
        let found = find(batch, &self.checker)?;
        progress.start(found.inputs.len() as u64, found.inputs.iter().map(|input| input.size).sum());
        let elsewhere = self.reports.as_deref();
        let lost = self.original.as_deref().map(|all| lost(batch, &found, (all, elsewhere))).transpose()?;
        // A shard has only some of the inputs.
        if batch.shard.is_none() {
            self.expects(&found.inputs, lost.as_deref().unwrap_or_default())?;
        }
        let reruns = Reruns::of(self, batch, &found.inputs)?;
        let writers = self.writers(&found.inputs);
        let one = |(at, input): (usize, &Input)| {
            let judged = self.file(batch, (input, &writers[&input.root]));
            progress.advance(input.size);
            progress.file_done();
            let judged = judged.map(|mut file| {
                for (place, one) in &mut file.judged {
                    one.outcomes.extend(place.map(|place| reruns.outcomes(at, place)).unwrap_or_default());
                }
                file
            });
            judged.map_err(|reason| (input.path.display().to_string(), reason))
        };
        let all: Vec<_> = pool(batch.threads)?.install(|| found.inputs.par_iter().enumerate().map(one).collect());
        let problems = found.problems.into_iter().filter(|problem| problem.outcome == crate::report::Outcome::Failed);
        let unjudged = lost.unwrap_or_default();
        let mut gated = Gated { of_run: reruns.of_run, files: found.inputs.len(), unjudged, ..Gated::default() };
        gated.unjudged.extend(problems.map(|it| (it.path.display().to_string(), it.error)));
        for (result, input) in all.into_iter().zip(&found.inputs) {
            match result {
                Ok(file) => {
                    gated.judged.extend(file.judged.into_iter().map(|(_, judged)| judged));
                    let path = || input.path.display().to_string();
                    gated.unjudged.extend(file.unmatched.into_iter().map(|reason| (path(), reason)));
                }
                Err(reason) => gated.unjudged.push(reason),
            }
        }
        gated.judged.sort_by(|a, b| (&a.path, a.row).cmp(&(&b.path, b.row)));
        gated.unjudged.sort();
        Ok(gated)
    }

    /// Checks that every path with expectations is an input, or an original reported as lost.
    fn expects(&self, inputs: &[Input], lost: &[(String, String)]) -> Result<(), BatchError> {
        let names = |input: &Input| [report_path(&input.relative), input.path.display().to_string()];
        let there: Vec<String> = inputs.iter().flat_map(names).collect();
        let is_lost = |path: &str| lost.iter().any(|(file, _)| Path::new(file).ends_with(path));
        match self.expectations.unmet(&there).filter(|path| !is_lost(path)) {
            Some(path) => Err(BatchError::NotAnInput { pattern: path.to_owned(), example: there.into_iter().next() }),
            None => Ok(()),
        }
    }

    /// How the folders of the inputs were written.
    fn writers(&self, inputs: &[Input]) -> Writers {
        let mut known = known_stubs();
        add_stubs(&mut known, &self.compactor.settings.prune);
        let mut writers = Writers::new();
        for input in inputs {
            writers.entry(input.root.clone()).or_insert_with(|| self.writer(written_folder(&input.root), &known));
        }
        writers
    }

    fn writer(&self, folder: &Path, known: &Stubs) -> Writer {
        let reports = self.reports.as_deref().map_or_else(|| Reports::of(folder), Reports::elsewhere);
        let stated = Stated::of(&reports);
        let (of_folder, of_files) =
            Stated::all_settings(&reports).unwrap_or_else(|| (self.compactor.settings.clone(), Vec::new()));
        let mut known = known.clone();
        if stated.as_ref().is_some_and(Stated::is_as_compacted) {
            std::iter::once(&of_folder)
                .chain(of_files.iter().map(Override::own))
                .for_each(|own| add_stubs(&mut known, &own.prune));
            known.complete();
        }
        // Only a report says how many units the run had to keep.
        let terms = |settings: &Settings| {
            let terms = self.terms(settings, &known);
            if stated.is_some() { terms.of_run(settings) } else { terms }
        };
        let differing = of_files.iter().map(|one| one.map(terms)).collect();
        let terms = terms(&of_folder);
        let ours = &self.compactor;
        let own = || match &stated {
            Some(stated) => stated.sections(&ours.template),
            None => has_sections(&ours.settings).then(|| ours.template.clone()),
        };
        let template = self.template.clone().or_else(own);
        let fixed_point = self.settings.wanted("T05").map(|gate| self.settings.limits(gate).fixed_point);
        let compactor = fixed_point.filter(|asked| *asked != Some(false)).and_then(|asked| {
            let own = || asked.map(|_| ours.with(ours.settings.clone()));
            stated.as_ref().and_then(Stated::compactor).or_else(own)
        });
        let recorded = Recorded::of(&reports);
        let redacts = of_folder.output.redact && stated.is_some();
        let folder = folder.to_owned();
        Writer { folder, compactor, template, terms, differing, recorded, redacts }
    }

    /// Derives requirements from settings, where `[gates]` does not set its own.
    fn terms(&self, settings: &Settings, known: &Stubs) -> Terms {
        let (mut gates, mut stubs) = (self.settings.clone(), known.clone());
        add_stubs(&mut stubs, &settings.prune);
        let max = settings.limits.max_tokens.map(|most| most as f64);
        gates.default_to("B01", Limits { max, ..Limits::default() });
        // If no continuation is written, the harness continues by itself.
        if settings.continuation.place == Continues::None {
            gates.default_to("S03", Limits { level: Some(Level::Warn), ..Limits::default() });
        }
        // A policy without a tail need not keep one.
        if settings.split.walk == Walk::None || settings.split.min_tail == 0 {
            gates.default_to("T04", Limits { min: Some(0.0), ..Limits::default() });
        }
        let of_left = gates.clone();
        let max_summary = Some(settings.summary.tokens as f64);
        gates.default_to("B01", Limits { max_summary, ..Limits::default() });
        let tokenizer = Tokenizer::by_name(&settings.tokenizer).ok();
        let (summary_tells, continuation) = (!settings.split.pin_last_user, settings.continuation.text.clone());
        let protected = ProtectedTools::new(&settings.prune.protect_tools);
        Terms { gates, of_left, tokenizer, stubs, summary_tells, protected, continuation }
    }

    /// Judges the transcripts of a file; none if the file was found in a folder and neither it nor its original is a
    /// transcript.
    fn file(&self, batch: &Batch, (input, writer): (&Input, &Writer)) -> Result<OfFile, String> {
        let known = || self.original(input).map(|own| own.path).filter(|path| is_detected(path));
        let nothing = |what: &str| match known() {
            Some(path) => {
                Err(format!("not comparable: it is {what}, and its original {} is a transcript", path.display()))
            }
            None => Ok(OfFile::default()),
        };
        let after = match self.load(batch, input) {
            Ok(Some(after)) => after,
            Ok(None) if known().is_some() && self.has_no_rows(batch, (input, writer)) => return Ok(OfFile::default()),
            Ok(None) => return nothing("empty"),
            Err(FileError::NotATranscript(_) | FileError::Unsupported(_)) if !input.named => {
                return nothing("no transcript");
            }
            Err(error) => return Err(error.to_string()),
        };
        let before = self.before(batch, (input, writer))?;
        let other = before.as_ref().filter(|before| before.places.len() != after.places.len());
        let (own, many) = (after.places.len(), after.many && other.is_none_or(|before| before.many));
        if let Some(before) = other.filter(|_| !many) {
            let other = before.places.len();
            return Err(format!("not comparable: {own} transcripts, and the original has {other}"));
        }
        let pairs = other.map(|before| aligned(before, &after));
        let each = |at: usize| {
            let place = pairs.as_ref().map_or(Some(at), |pairs| pairs[at]);
            let (before, after) = (before.as_ref().zip(place).map(|(file, at)| file.row(at)), after.row(at));
            let judged = fenced(|| self.transcript((input, writer), before, after));
            judged.map(|judged| (place, judged)).map_err(|error| error.to_string())
        };
        let judged = (0..own).into_par_iter().map(each).collect::<Result<_, _>>()?;
        let unmatched =
            other.zip(pairs.as_ref()).map(|(before, pairs)| unmatched(before, &after, pairs, self.reports.is_some()));
        Ok(OfFile { judged, unmatched: unmatched.unwrap_or_default() })
    }

    /// The original of an input, if it has one, without the rows that the run left out.
    fn before(&self, batch: &Batch, (input, writer): (&Input, &Writer)) -> Result<Option<Loaded>, String> {
        let mut before = self.original(input).map(|own| self.load_original(batch, &own)).transpose()?;
        if let Some(before) = before.as_mut().filter(|before| before.many) {
            let first = before.lines_before;
            let rows = before.places.iter().map(|at| (at.line.saturating_sub(first), at.span.len()));
            let mut dropped = writer.recorded.dropped(writer.place(input), rows).into_iter();
            before.places.retain(|_| !dropped.next().unwrap_or_default());
        }
        Ok(before)
    }

    /// Whether the original has no rows for an input: none starts in its part, or all were left out.
    fn has_no_rows(&self, batch: &Batch, file: (&Input, &Writer)) -> bool {
        self.before(batch, file).is_ok_and(|before| before.is_some_and(|before| before.places.is_empty()))
    }

    fn transcript(&self, (input, writer): (&Input, &Writer), before: Option<Row<'_>>, after: Row<'_>) -> Judged {
        let (path, file_name) = (report_path(&input.relative), input.path.display().to_string());
        let (terms, row) = (writer.terms(writer.place(input)), after.file.many.then_some(after.line));
        let tokenizer = terms.tokenizer.unwrap_or(self.compactor.tokenizer);
        let read = |format, source, line| counted(self.checker.judge(format, source, line), tokenizer);
        let mut result = read(after.file.format, after.source, after.line);
        let mut converted = before.is_some_and(|before| before.file.format.name() != after.file.format.name());
        // Plain text can be read by several formats: prefer that of the original if it reads as many messages.
        if let Some(before) = before.filter(|_| converted && !after.file.certain) {
            let other = read(before.file.format, after.source, after.line);
            if other.transcript.messages.len() >= result.transcript.messages.len() {
                (result, converted) = (other, false);
            }
        }
        let bare = before
            .filter(|_| writer.redacts)
            .map(|before| without_credentials(before.file.format, before.source, before.line));
        let original =
            before.map(|before| read(before.file.format, bare.as_deref().unwrap_or(before.source), before.line));
        let sha256 = sha256_of(before.unwrap_or(after).source);
        let view = View::new(
            original.as_ref().map(|read| Side { transcript: &read.transcript, faults: &read.faults }),
            Side { transcript: &result.transcript, faults: &result.faults },
            &terms.stubs,
        );
        let origin = before.map(|before| before.of_report(writer.place(input)));
        let left = writer.recorded.is_left(after.spot(writer.place(input), input.size));
        let work = writer.compactor.as_ref().filter(|_| !view.unchanged());
        let again = work.map(|work| again(self, work, after.file.format, (&result, after.line)));
        let tools = Tools {
            settings: if left { &terms.of_left } else { &terms.gates },
            template: writer.template.as_ref(),
            spread: &Cores(None),
            count: &|text: &str| tokenizer.count(text),
            expected: self.expectations.for_transcript(&[&path, &file_name], row),
            again,
            summary_tells: terms.summary_tells,
            is_protected: &|tool| terms.protected.matches(tool),
            continuation: Some(&terms.continuation),
            tail: origin.and_then(|origin| writer.recorded.tail(origin)),
            summarized: origin.is_some_and(|origin| writer.recorded.is_summarized(origin)),
            left,
            converted,
        };
        let outcomes = judge(&view, &tools);
        let unchanged = view.original.is_some().then(|| view.unchanged());
        Judged { path, row, file: file_name, first_line: after.line, sha256, unchanged, outcomes }
    }

    /// Reads a transcript, counts its tokens, and finds its faults.
    pub(super) fn read<'s>(&self, format: &'static dyn Format, source: &'s [u8], line: usize) -> Read<'s> {
        counted(self.checker.judge(format, source, line), self.compactor.tokenizer)
    }
}

fn counted(mut read: Read<'_>, tokenizer: Tokenizer) -> Read<'_> {
    tokenizer.measure(&mut read.transcript);
    read
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_of_a_run_has_the_units_that_it_had_to_keep() {
        let least = |change: fn(&mut Settings)| {
            let mut settings = Settings::default();
            change(&mut settings);
            let (gates, of_left) = (GateSettings::default(), GateSettings::default());
            let (stubs, protected, continuation) = (Stubs::default(), ProtectedTools::new(&[]), String::new());
            let terms = Terms { gates, of_left, tokenizer: None, stubs, summary_tells: false, protected, continuation };
            let gates = terms.of_run(&settings).gates;
            gates.wanted("T04").and_then(|gate| gates.limits(gate).min)
        };
        assert_eq!(least(|_| {}), Some(2.0));
        assert_eq!(least(|settings| settings.split.min_tail = 4), Some(4.0));
        assert_eq!(least(|settings| settings.limits.max_tokens = Some(900)), Some(1.0), "the bound may shorten it");
        assert_eq!(least(|settings| settings.split.tail_tokens = Some(0)), Some(0.0));
    }
}
