//! What runs of tests printed: the lines of their results, counts of tests, and outcomes of single tests.

use super::verdicts::Verdicts;
use crate::measure::{SourceText, pattern};
use crate::summary::{Deed, DeedKind};
use crate::transcript::{Part, PartKind};
use regex::Regex;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Counts that test runs print.
pub(super) static COUNT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(\d+)\s+(passed|failed|passing|failing)\b"));

/// The results of a source by the ids of their calls.
pub(super) struct Outputs<'d> {
    source: &'d SourceText<'d>,
    /// Call id → the results with it, and the indices of their messages.
    results: HashMap<&'d str, Vec<(usize, &'d Part<'d>)>>,
}

impl<'d> Outputs<'d> {
    pub(super) fn of(source: &'d SourceText<'d>) -> Self {
        let mut results: HashMap<&str, Vec<(usize, &Part<'_>)>> = HashMap::new();
        for (at, message) in source.messages().iter().enumerate() {
            for part in &message.parts {
                if let PartKind::Result { id, .. } = &part.kind {
                    results.entry(id).or_default().push((at, part));
                }
            }
        }
        Self { source, results }
    }

    /// The lines of output of a run.
    pub(super) fn printed(&self, run: &Deed) -> impl Iterator<Item = &'d str> {
        let calls = self.source.messages().get(run.message).into_iter().flat_map(|message| message.calls());
        let mut seen = HashSet::new();
        let calls = calls.filter(|id| seen.insert(*id));
        let of_call = |id| self.results.get(id).map(Vec::as_slice).unwrap_or_default();
        let mut parts: Vec<_> = calls.flat_map(of_call).filter(|(at, _)| *at >= run.message).collect();
        parts.sort_by_key(|(at, _)| *at);
        parts.into_iter().flat_map(|(_, part)| part.text.lines())
    }

    /// Counts in the output of a run: (number, “passed” or “failed”).
    pub(super) fn counts_of(&self, run: &Deed) -> Vec<[&'d str; 2]> {
        self.printed(run).flat_map(|line| COUNT.captures_iter(line)).map(|found| found.extract().1).collect()
    }

    /// Number of tests that passed in a run, or that passed and failed; `None` if it prints no count.
    pub(super) fn passed(&self, run: &Deed, failed_too: bool) -> Option<u64> {
        let all = self.counts_of(run);
        let wanted = all.iter().filter(|[_, what]| failed_too || what.to_lowercase().starts_with("pass"));
        let numbers: Vec<u64> = wanted.filter_map(|[number, _]| number.parse().ok()).collect();
        (!numbers.is_empty()).then(|| numbers.iter().fold(0_u64, |sum, number| sum.saturating_add(*number)))
    }
}

/// A run of tests whose outcome is known, and the outcomes of its tests.
pub(super) struct Run<'d> {
    pub(super) deed: &'d Deed,
    verdicts: OnceCell<Verdicts<'d>>,
}

impl<'d> Run<'d> {
    /// The runs of tests among these actions, in order.
    pub(super) fn all(deeds: impl Iterator<Item = &'d Deed>) -> Vec<Self> {
        let is_test = |deed: &&Deed| {
            matches!(deed.kind, DeedKind::Ran { tests: true, .. }) && deed.failed.is_some() && !deed.refused
        };
        deeds.filter(is_test).map(|deed| Self { deed, verdicts: OnceCell::new() }).collect()
    }

    /// Outcomes of single tests.
    pub(super) fn verdicts(&self, outputs: &Outputs<'d>) -> &Verdicts<'d> {
        self.verdicts.get_or_init(|| Verdicts::of(outputs.printed(self.deed)))
    }

    /// The command as a summary shows it.
    pub(super) fn shown(&self) -> &'d str {
        match &self.deed.kind {
            DeedKind::Ran { shown, .. } => shown,
            _ => "",
        }
    }

    pub(super) fn failed(&self) -> bool {
        self.deed.failed == Some(true)
    }
}

/// What a run printed of tests that failed.
pub(in crate::gates) struct Failing {
    /// Names of these tests, or of their files.
    pub(in crate::gates) names: Vec<String>,
    /// Numbers of tests that passed and that failed, if the run prints each once.
    pub(in crate::gates) counts: Option<(u64, u64)>,
}

impl Failing {
    /// Reads the output of a run.
    pub(in crate::gates) fn of(run: &Deed, source: &SourceText<'_>) -> Self {
        let outputs = Outputs::of(source);
        let counts = outputs.counts_of(run);
        let number = |start: &str| {
            let mut all = counts.iter().filter(|[_, what]| what.to_lowercase().starts_with(start));
            let one = all.next().and_then(|[number, _]| number.parse().ok());
            one.filter(|_| all.next().is_none())
        };
        let names = Verdicts::of(outputs.printed(run)).names().map(str::to_owned).collect();
        Self { names, counts: number("fail").map(|failed| (number("pass").unwrap_or(0), failed)) }
    }
}
