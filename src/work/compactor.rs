//! Compacts one transcript in memory, in any format: read, compact, render, read again, check.

use super::beside::{self, Apart};
use super::cores::Cores;
use super::describe;
use super::hook::Heeded;
use super::loaded::{LOST, tells_summary};
use super::rendered::{Checked, Rewritten};
use super::seen::{Raw, Seen};
use super::{SharedModel, checker, obstacle::Obstacle, redacting};
use crate::batch::{Done, Override, Work};
use crate::continuation::{State, state};
use crate::format::{Bytes, Detected, Format, Layout, Marks, ReadOptions, Undetected, stated_or_detected};
use crate::pipeline::{self, Compaction, Refusal, Tools};
use crate::preset::{Mode, Settings, SummarizerKind};
use crate::reason::{NOTHING_CAN_GO, Reason};
use crate::report::{Amount, Line, LlmReport, Outcome};
use crate::summary::{SectionSource, Summarize, Template, UNFILLABLE, Written};
use crate::tokens::{Known, Tokenizer, UnknownTokenizer};
use crate::transcript::{Fault, Message, Transcript, apply};
use crate::writer::{Writer, WriterSettings};
use std::path::{Path, PathBuf};

/// Called with every transcript after it is counted, with the longest answer beside its messages, and with the turns
/// that can't be read.
pub type Observer<'o> = dyn Fn(&Transcript<'_>, Option<Amount>, Amount) + Sync + 'o;

/// Compacts transcripts with one set of settings.
pub struct Compactor<'o> {
    /// The name of the preset in force, for the report.
    pub preset: String,
    /// The settings.
    pub settings: Settings,
    /// The tokenizer.
    pub tokenizer: Tokenizer,
    /// The template of summaries.
    pub template: Template,
    /// Keep invalid lines instead of failing.
    pub lenient: bool,
    /// The format, instead of detecting it.
    pub from: Option<&'static dyn Format>,
    /// Time for marks in milliseconds since 1970, instead of the newest timestamp in the file.
    pub now: Option<i64>,
    /// Give the output new ids, for stores that skip ids they know (opencode).
    pub fresh_ids: bool,
    /// Write a plan with one line per unit.
    pub plan: bool,
    /// Called with the transcripts.
    pub observer: Option<&'o Observer<'o>>,
    /// The model that writes summaries, if one does.
    pub model: Option<&'o SharedModel>,
    /// Settings that differ by file; the first that matches counts.
    pub overrides: Vec<Override<(Settings, Template)>>,
    /// The file that is processed, if known: its path in the output tree, and as typed or found.
    pub place: Option<(PathBuf, PathBuf)>,
}

impl Compactor<'_> {
    /// Creates a compactor with these settings, and defaults for everything else; `preset` is the preset's name for the
    /// report.
    ///
    /// # Errors
    /// The tokenizer in the settings is unknown.
    pub fn new(preset: &str, settings: Settings, template: Template) -> Result<Self, UnknownTokenizer> {
        let tokenizer = Tokenizer::by_name(&settings.tokenizer)?;
        Ok(Self::plain(preset.to_owned(), tokenizer, settings, template))
    }

    /// A compactor without anything that can be left out.
    fn plain(preset: String, tokenizer: Tokenizer, settings: Settings, template: Template) -> Self {
        Self {
            preset,
            tokenizer,
            settings,
            template,
            lenient: false,
            from: None,
            now: None,
            fresh_ids: false,
            plan: false,
            observer: None,
            model: None,
            overrides: Vec::new(),
            place: None,
        }
    }

    /// The same compactor with other settings; the tokenizer stays.
    pub(crate) fn with(&self, settings: Settings) -> Compactor<'static> {
        let plain = Compactor::plain(self.preset.clone(), self.tokenizer, settings, self.template.clone());
        Compactor { lenient: self.lenient, from: self.from, now: self.now, fresh_ids: self.fresh_ids, ..plain }
    }

    /// The compactor for one file; `None` if its settings are the same and there is no hook, which needs the path.
    pub(super) fn of_file(&self, relative: &Path, path: &Path) -> Option<Compactor<'_>> {
        let own = Override::value_for(&self.overrides, relative);
        let (settings, template) =
            own.map_or((&self.settings, &self.template), |(settings, template)| (settings, template));
        if own.is_none() && settings.summary.hook.is_none() {
            return None;
        }
        let place = Some((relative.to_owned(), path.to_owned()));
        Some(self.but(settings.clone(), template.clone(), place))
    }

    /// The same compactor for some transcripts with settings of their own.
    fn but(&self, settings: Settings, template: Template, place: Option<(PathBuf, PathBuf)>) -> Compactor<'_> {
        Compactor { settings, template, place, preset: self.preset.clone(), overrides: Vec::new(), ..*self }
    }

    /// The same compactor, with at most `most` tokens for the result.
    pub(super) fn bounded(&self, most: u64) -> Compactor<'_> {
        let mut settings = self.settings.clone();
        settings.limits.max_tokens = Some(most);
        settings.split.tail_tokens = settings.split.tail_tokens.map(|tail| tail.min(most));
        self.but(settings, self.template.clone(), self.place.clone())
    }
}

impl Work for Compactor<'_> {
    fn run(&self, format: &'static dyn Format, source: &[u8], first_line: usize) -> Done {
        let raw = Raw { format, source, first_line };
        self.without_secrets(raw, |source| self.compact_bare(Raw { source, ..raw }))
    }

    fn blank(&self) -> Line {
        let (preset, tokenizer) = (self.preset.clone(), self.tokenizer.name().to_owned());
        Line { preset, tokenizer, counting: "text".into(), ..Line::default() }
    }

    fn detect(&self, bytes: &[u8], given: Bytes) -> Result<Detected, Undetected> {
        stated_or_detected(self.from, bytes, given)
    }

    fn waiting(&self) -> usize {
        self.model.map_or(0, SharedModel::waiting)
    }

    fn on(&self, relative: &Path, path: &Path, _root: &Path) -> Option<Box<dyn Work + '_>> {
        self.of_file(relative, path).map(|own| Box::new(own) as Box<dyn Work + '_>)
    }

    fn cuts(&self) -> bool {
        true
    }

    fn redacts(&self) -> bool {
        self.settings.output.redact
    }
}

impl Compactor<'_> {
    /// Runs `work` on a transcript, with its credentials masked first if the settings say so.
    pub(super) fn without_secrets(&self, raw: Raw<'_>, work: impl FnOnce(&[u8]) -> Done) -> Done {
        let Raw { format, source, first_line } = raw;
        if !self.settings.output.redact {
            return work(source);
        }
        let options = ReadOptions { lenient: self.lenient, first_line };
        redacting::redacted(format, source, options, work)
    }

    /// Compacts a transcript; credentials are masked already.
    fn compact_bare(&self, raw: Raw<'_>) -> Done {
        let _core = self.model.map(SharedModel::core);
        let before = match self.read(raw) {
            Ok(before) => before,
            Err(obstacle) => return obstacle.done(self.blank(), Vec::new()),
        };
        if let Some(observer) = self.observer {
            observer(&before.transcript, before.beside, before.unread);
        }
        let beside = Apart::of(&before).and_then(|apart| self.compact_beside(raw.format, &before, apart));
        beside.unwrap_or_else(|| self.compact_seen(raw.format, &before))
    }

    /// Compacts a transcript that was read.
    pub(super) fn compact_seen(&self, format: &'static dyn Format, before: &Seen<'_>) -> Done {
        let source = before.transcript.source;
        let mut line = describe::line(self.blank(), before, &self.settings);
        let compaction = match self.planned(format, before, &mut line) {
            Ok(compaction) => compaction,
            Err(obstacle) => return obstacle.done(line, Vec::new()),
        };
        line.llm = self.account(compaction.summary.as_ref().and_then(|summary| summary.written.as_deref()), false);
        line.decision = Some(describe::decision(&compaction));
        let mut plan = if self.plan { describe::plan(&before.transcript, &compaction) } else { Vec::new() };
        plan.extend(line.llm.as_ref().filter(|_| self.plan).and_then(describe::question));
        let output;
        let result = match &compaction.script {
            None => Err(self.unchanged(before, compaction.why())),
            Some(script) => {
                let marks = Marks {
                    stub: self.settings.prune.general_stub(),
                    compacted_at: self.now.or(before.newest),
                    fresh_ids: self.fresh_ids,
                };
                let patches = format.render(&before.transcript, script, &marks);
                output = apply(source, &patches).into_owned();
                self.check(format, before, Rewritten { script, output: &output, patches })
            }
        };
        match result {
            Ok(result) => {
                describe::after(&mut line, before, &result, &compaction);
                describe::overflow(&mut line, &compaction, &self.settings.limits);
                line.outcome = Outcome::Compacted;
                Done { line, patches: result.patches, plan }
            }
            Err(obstacle) if obstacle.leaves() => {
                describe::left_too_large(&mut line, &compaction, &self.settings.limits);
                obstacle.done(line, plan)
            }
            Err(obstacle) => obstacle.done(line, plan),
        }
    }

    /// Reads a transcript, counts it, and finds its faults.
    pub(super) fn read<'s>(&self, raw: Raw<'s>) -> Result<Seen<'s>, Obstacle> {
        let Raw { format, source, first_line } = raw;
        let options = ReadOptions { lenient: self.lenient, first_line };
        let read = format.read_over(source, options, &Cores(self.model));
        let transcript = read.map_err(|error| Obstacle::unread(&error))?;
        if self.from.is_some() && transcript.is_foreign() {
            let error = format!("nothing in it is of the format {} that --from states", format.name());
            return Err(Obstacle::failed(Reason::WrongFormat, error));
        }
        let beside = beside::longest(&transcript, self.tokenizer);
        let mut seen = Seen { beside, first_line, ..self.see(format, transcript, &Known::default()) };
        self.add_unread(format, &mut seen);
        Ok(seen)
    }

    /// Adds the faults of lines that can't be read, which were kept.
    fn add_unread(&self, format: &'static dyn Format, seen: &mut Seen<'_>) {
        if self.lenient {
            seen.faults.extend(checker::unread(format, seen));
            seen.faults.sort();
        }
    }

    /// Plans the compaction of a transcript. If it fails, the report still gets the work of a model.
    fn planned(&self, format: &dyn Format, before: &Seen<'_>, line: &mut Line) -> Result<Compaction, Obstacle> {
        // No harness continues after a call that waits for its result.
        if self.appends() && state(&before.transcript) == State::OpenCall {
            return Err(Obstacle::unchanged(Reason::OpenCall));
        }
        let heeded = Heeded::of(&self.settings, self.question(format, before));
        let heeded = heeded.map_err(|error| Obstacle::failed(Reason::HookFailed, error))?;
        let compaction = self.compact(&before.transcript, &heeded).map_err(|refusal| {
            if let Refusal::NoSummary(none) = &refusal {
                line.llm = self.account(Some(&none.written), true);
            }
            Obstacle::of(&refusal)
        })?;
        let offline = compaction.summary.as_ref().is_some_and(|summary| summary.written.is_none());
        let extracts = offline && self.settings.summary.by == SummarizerKind::Extractive;
        if extracts && !heeded.template.as_ref().unwrap_or(&self.template).is_fillable() {
            let error = format!(
                "{UNFILLABLE}, so that nothing would be left of the head; name {} for some section in its front matter",
                SectionSource::keys()
            );
            return Err(Obstacle::failed(Reason::NoSummary, error));
        }
        Ok(compaction)
    }

    fn compact(&self, transcript: &Transcript<'_>, heeded: &Heeded) -> Result<Compaction, Refusal> {
        let count = |text: &str| self.tokenizer.count(text);
        let told = self.model.map(|model| {
            (model, WriterSettings { instructions: heeded.instructions.clone(), ..model.settings.clone() })
        });
        let writer = told.as_ref().map(|(model, settings)| Writer { model: *model, settings });
        let summarizer = writer.as_ref().map(|writer| writer as &dyn Summarize);
        let template = heeded.template.as_ref().unwrap_or(&self.template);
        pipeline::compact(
            transcript,
            &self.settings,
            Tools { count: &count, spread: &Cores(self.model), template, summarizer },
        )
    }

    /// The report of a model's work.
    fn account(&self, written: Option<&Written>, failed: bool) -> Option<LlmReport> {
        Some(self.model?.report(written?, failed))
    }

    /// Reads the output again: it must have no new fault, be smaller, and stay within `--max-tokens`.
    fn check<'s>(
        &self,
        format: &'static dyn Format,
        before: &Seen<'_>,
        Rewritten { script, output, patches }: Rewritten<'_, 's>,
    ) -> Result<Checked<'s>, Obstacle> {
        if patches.is_empty() {
            return Err(self.unchanged(before, Reason::NothingToPrune));
        }
        let options = ReadOptions { lenient: self.lenient, first_line: 1 };
        let read = format.read_over(output, options, &Cores(self.model));
        let transcript = read.map_err(|error| Obstacle::failed(Reason::OutputUnreadable, error.to_string()))?;
        let messages = before.transcript.messages.iter();
        let known = Known::of(messages.filter(|message| script.keep.get(message.record) == Some(&true)));
        let mut after = self.see(format, transcript, &known);
        self.add_unread(format, &mut after);
        if let Some(fault) = before.new_fault(&after) {
            return Err(self.broken(&fault));
        }
        if !tells_summary(script, &after.transcript) {
            return Err(Obstacle::failed(self.breach(), LOST.to_owned()));
        }
        let most = self.settings.limits.max_tokens.unwrap_or(u64::MAX);
        let left = self.size(&after);
        if left > most {
            let error = format!("{left} tokens are left, above --max-tokens {most}");
            return Err(Obstacle::failed(Reason::OverBudget, error));
        }
        if self.shrinks(format, before, &after) {
            Ok(Checked { patches, after })
        } else {
            Err(self.unchanged(before, Reason::WouldNotShrink))
        }
    }

    fn appends(&self) -> bool {
        self.settings.output.mode == Mode::Append
    }

    fn size(&self, seen: &Seen<'_>) -> u64 {
        pipeline::size(&seen.transcript, &self.settings).0
    }

    /// Whether the result saves enough to be written. Without a summary, fewer bytes are enough: content that no model
    /// reads has no tokens. A stored session must not get more bytes either, as one may whose new record repeats what is
    /// kept (Codex), and nor must a row with pictures, whose names of a few bytes may count as many tokens.
    fn shrinks(&self, format: &dyn Format, before: &Seen<'_>, after: &Seen<'_>) -> bool {
        let bounded = self.settings.limits.max_tokens.is_some_and(|most| before.tokens > most);
        let left = 1.0 - self.settings.output.min_gain;
        let saves = |after: usize, before: usize| after < before && after as f64 <= before as f64 * left;
        let tokens = saves(self.size(after) as usize, self.size(before) as usize);
        if self.appends() {
            return tokens;
        }
        let bytes = self.settings.summary.by == SummarizerKind::None
            && after.tokens <= before.tokens
            && saves(after.transcript.source.len(), before.transcript.source.len());
        let hidden = pipeline::hidden(&before.transcript, &self.settings).0;
        let never_rise = after.tokens <= before.tokens && after.live <= before.live + hidden;
        let in_bytes = format.layout() == Layout::Session || before.transcript.messages.iter().any(Message::has_media);
        let grows = in_bytes && after.transcript.source.len() > before.transcript.source.len();
        self.settings.strict || (never_rise && (bounded || !grows && (tokens || bytes)))
    }

    /// The obstacle for a transcript that stays as it is: `reason`, or a failure if it exceeds `--max-tokens`.
    fn unchanged(&self, before: &Seen<'_>, reason: Reason) -> Obstacle {
        let tokens = self.size(before);
        match self.settings.limits.max_tokens {
            Some(most) if tokens > most => {
                let why = before.transcript.traits.fixed;
                let why = why.map(|why| format!(" ({why}: `epitome check --explain {why}` says what that is)"));
                let why = why.unwrap_or_default();
                let error = format!("{tokens} tokens, above --max-tokens {most}, and {NOTHING_CAN_GO}{why}");
                Obstacle::failed(Reason::OverBudget, error)
            }
            _ => Obstacle::unchanged(reason),
        }
    }

    /// The reason for a result that must not be written.
    fn breach(&self) -> Reason {
        if self.settings.strict { Reason::PolicyBrokeTranscript } else { Reason::NewFault }
    }

    fn broken(&self, fault: &Fault) -> Obstacle {
        let Fault { line, rule, subject, message } = fault;
        let message = message.map_or(String::new(), |number| format!(", message {number}"));
        let error = format!("the output would have a new fault: {rule} {subject} at its line {line}{message}");
        Obstacle::failed(self.breach(), error)
    }
}
