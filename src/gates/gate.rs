//! What a gate is: its texts, what it needs, and how it judges.

use super::settings::Limits;
use super::{GateResult, Level, Pair, Tools, View};

/// What a gate is judged on, and how.
#[derive(Clone, Copy)]
pub(super) enum Judge {
    /// One transcript, with or without its original.
    Alone(fn(&View<'_>, &Tools<'_>, Limits) -> GateResult),
    /// One transcript and its original.
    Paired(fn(&View<'_>, Pair<'_>, &Tools<'_>, Limits) -> GateResult),
    /// All originals together.
    Originals,
    /// This run and an earlier one.
    Runs,
}

/// A gate, as it stands in the table of all.
#[expect(clippy::struct_excessive_bools, reason = "a table of yes and no")]
pub struct Gate {
    /// Stable id: a letter for its kind, and a number.
    pub id: &'static str,
    /// Stable name.
    pub name: &'static str,
    /// What holds if the gate passes, in one sentence.
    pub meaning: &'static str,
    /// What the meaning includes.
    pub includes: &'static [&'static str],
    /// What passes although it differs from the meaning.
    pub passes: &'static [&'static str],
    /// What breaks the gate and only warns.
    pub warns: &'static [&'static str],
    /// Examples of texts that the gate reads, or nothing.
    pub examples: &'static str,
    /// How to fix a failure.
    pub mend: &'static str,
    /// Default level.
    pub level: Level,
    /// Level if the gate is selected, or a threshold of it is set, without a level.
    pub wanted: Level,
    /// Thresholds in `[gates]`, each with a description of its default.
    pub thresholds: &'static [(&'static str, &'static str)],
    /// Thresholds of which at least one must be set; empty: none is required.
    pub judges_by: &'static [&'static str],
    /// The gate is about the new summary.
    pub needs_summary: bool,
    /// The gate reports that a summary is missing, for all that need one.
    pub(super) tells_missing: bool,
    /// The gate reads what the summary says, which nobody can where it is sealed.
    pub(super) reads_summary: bool,
    /// Its share is a metric that is compared with a baseline: higher is better.
    pub(super) is_metric: bool,
    /// Its `min` is a number or a ratio, no share from 0 to 1.
    pub(super) is_counted: bool,
    /// The gate judges a curve over budgets.
    pub needs_curve: bool,
    pub(super) judge: Judge,
}

pub(super) const fn new(
    id: &'static str,
    name: &'static str,
    level: Level,
    judge: Judge,
    (meaning, mend): (&'static str, &'static str),
) -> Gate {
    Gate {
        id,
        name,
        meaning,
        includes: &[],
        passes: &[],
        warns: &[],
        examples: "",
        mend,
        level,
        wanted: level,
        thresholds: &[],
        judges_by: &[],
        needs_summary: false,
        tells_missing: false,
        reads_summary: false,
        is_metric: false,
        is_counted: false,
        needs_curve: false,
        judge,
    }
}

impl Gate {
    /// What there is to say beside the meaning, a line for each note.
    pub fn notes(&self) -> Vec<String> {
        let lists = [("includes", self.includes), ("passes too", self.passes), ("only warns", self.warns)];
        let mut notes: Vec<String> =
            lists.iter().flat_map(|(label, notes)| notes.iter().map(move |note| format!("{label}: {note}"))).collect();
        if !self.examples.is_empty() {
            notes.push(format!("reads: {}", self.examples));
        }
        notes
    }

    /// Whether the gate compares with the original.
    pub fn needs_original(&self) -> bool {
        matches!(self.judge, Judge::Paired(_) | Judge::Originals)
    }

    pub(super) const fn about_summary(mut self) -> Self {
        self.needs_summary = true;
        self
    }

    pub(super) const fn telling_missing(mut self) -> Self {
        self.tells_missing = true;
        self
    }

    pub(super) const fn reading_summary(mut self) -> Self {
        self.reads_summary = true;
        self
    }

    /// Makes the gate's share a metric. Open recall is none: which words are rare depends on all transcripts.
    pub(super) const fn metric(mut self) -> Self {
        self.is_metric = true;
        self
    }

    pub(super) const fn counted(mut self) -> Self {
        self.is_counted = true;
        self
    }

    pub(super) const fn over_budgets(mut self) -> Self {
        self.needs_curve = true;
        self
    }

    /// Makes the gate one that is off until asked for, and then has this level.
    pub(super) const fn on_demand(mut self, wanted: Level) -> Self {
        self.wanted = wanted;
        self
    }

    pub(super) const fn including(mut self, details: &'static [&'static str]) -> Self {
        self.includes = details;
        self
    }

    pub(super) const fn passing(mut self, exceptions: &'static [&'static str]) -> Self {
        self.passes = exceptions;
        self
    }

    pub(super) const fn warning(mut self, exceptions: &'static [&'static str]) -> Self {
        self.warns = exceptions;
        self
    }

    pub(super) const fn reading(mut self, examples: &'static str) -> Self {
        self.examples = examples;
        self
    }

    pub(super) const fn by(mut self, keys: &'static [&'static str]) -> Self {
        self.judges_by = keys;
        self
    }

    pub(super) const fn with(mut self, thresholds: &'static [(&'static str, &'static str)]) -> Self {
        self.thresholds = thresholds;
        self
    }
}
