//! R01: the metrics of an earlier run, and which of them fell since. A metric is stored as two counts (kept, of), so
//! that both the mean per transcript and the share over all transcripts can be computed.

use super::{Finding, Gate, GateResult, Judged, Verdict, gate};
use crate::facts::FACT_SPEC;
use crate::header::{Header, SCHEMA_VERSION};
use crate::measure::Share;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use thiserror::Error;

/// The largest drop of a share (0 to 1) that is tolerated by default.
const TOLERANCE: f64 = 0.01;

/// Errors of a baseline.
#[derive(Debug, Error)]
pub enum BaselineError {
    /// The text is none.
    #[error("no baseline: {0}")]
    NoBaseline(serde_json::Error),
    /// It is of another version of this program.
    #[error("a baseline of shape {0}, not {expected}; write it anew with --update-baseline", expected = SCHEMA_VERSION)]
    OtherShape(u32),
    /// The run measured only a part, and the rest can't be kept for this reason.
    #[error(
        "what this run did not measure can't be kept: {0}; update it without --select and --ignore, over all files"
    )]
    Stale(String),
}

/// Conditions that two runs must share for their numbers to be comparable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditions {
    /// Version of the rules by which facts are found.
    pub fact_spec: String,
    /// Encoding in which tokens are counted.
    pub tokenizer: String,
}

impl Conditions {
    /// The conditions of this version of `epitome` with the given tokenizer.
    pub fn now(tokenizer: &str) -> Self {
        Self { fact_spec: FACT_SPEC.to_owned(), tokenizer: tokenizer.to_owned() }
    }
}

/// How much of all transcripts and gates a run covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scope {
    /// The run judges every transcript.
    pub every_transcript: bool,
    /// The run measures every gate that the settings ask for.
    pub every_gate: bool,
}

impl Scope {
    /// Whether the run covers all transcripts and gates.
    pub fn is_all(self) -> bool {
        self.every_transcript && self.every_gate
    }
}

/// The metrics of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    #[serde(flatten)]
    header: Header,
    #[serde(flatten)]
    conditions: Conditions,
    transcripts: BTreeMap<String, Entry>,
}

/// The metrics of one transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    /// SHA-256 of the original, or of the compacted transcript if there is no original.
    sha256: String,
    /// Gate → (kept, of).
    metrics: BTreeMap<String, (usize, usize)>,
}

impl Baseline {
    /// Builds a baseline from the judged transcripts.
    pub fn of(judged: &[Judged], conditions: Conditions) -> Self {
        let entry = |one: &Judged| Entry { sha256: one.sha256.clone(), metrics: metrics(one) };
        let transcripts = judged.iter().map(|one| (one.name(), entry(one))).collect();
        Self { header: Header::now(), conditions, transcripts }
    }

    /// Returns what a run under the conditions `now` can keep of this baseline: all of it if the conditions are equal,
    /// nothing (`None`) if they differ and the run measures everything anew.
    ///
    /// # Errors
    /// The conditions differ and the run does not cover everything.
    pub fn carried(self, now: &Conditions, scope: Scope) -> Result<Option<Self>, BaselineError> {
        match (&self.conditions, scope.is_all()) {
            (conditions, _) if conditions == now => Ok(Some(self)),
            (_, true) => Ok(None),
            (_, false) => Err(BaselineError::Stale("it is of another fact-spec or tokenizer".to_owned())),
        }
    }

    /// Adds what an earlier baseline under the same conditions has and this run lacks: metrics of gates that it did not
    /// measure, and transcripts that it did not judge, unless it judged every transcript. So a run of chosen gates does
    /// not silently lose metrics.
    ///
    /// # Errors
    /// The run covers only chosen gates, and a transcript whose other metrics are stored has changed since.
    pub fn beside(mut self, earlier: &Self, judged: &[Judged], scope: Scope) -> Result<Self, BaselineError> {
        for (one, found) in judged.iter().zip(earlier.find(judged)) {
            let Some((_, before)) = found else { continue };
            let unmeasured = |gate: &str| !one.outcomes.iter().any(|outcome| outcome.gate == gate);
            let mut left = before.metrics.iter().filter(|(gate, _)| unmeasured(gate)).peekable();
            if before.sha256 != one.sha256 {
                if !scope.every_gate && left.peek().is_some() {
                    return Err(BaselineError::Stale(format!("{} has changed", one.name())));
                }
                continue;
            }
            let own = self.transcripts.entry(one.name()).or_insert_with(|| before.clone());
            own.metrics.extend(left.map(|(gate, share)| (gate.clone(), *share)));
        }
        let missing = if scope.every_transcript { Vec::new() } else { earlier.missing(judged) };
        for name in missing {
            // Another row may have its number now.
            if let Some(before) = earlier.transcripts.get(name).filter(|_| !self.transcripts.contains_key(name)) {
                self.transcripts.insert(name.to_owned(), before.clone());
            }
        }
        Ok(self)
    }

    /// Names of transcripts of an earlier baseline that no longer exist: the run judged every transcript without
    /// finding them.
    pub fn dropped<'b>(earlier: &'b Self, judged: &[Judged], scope: Scope) -> Vec<&'b str> {
        if scope.every_transcript { earlier.missing(judged) } else { Vec::new() }
    }

    /// Parses a baseline file.
    ///
    /// # Errors
    /// The text is no baseline, or its schema version is another.
    pub fn read(text: &str) -> Result<Self, BaselineError> {
        let read: Self = serde_json::from_str(text).map_err(BaselineError::NoBaseline)?;
        let version = read.header.schema_version;
        if version != SCHEMA_VERSION {
            return Err(BaselineError::OtherShape(version));
        }
        Ok(read)
    }

    /// The text of the baseline file (JSON).
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Whether it was measured with originals: it holds metrics that only a pair has.
    pub fn is_of_pairs(&self) -> bool {
        let gates = self.transcripts.values().flat_map(|entry| entry.metrics.keys());
        gates.into_iter().any(|id| gate(id).is_some_and(Gate::needs_original))
    }

    /// The metric of a gate for one transcript.
    pub fn metric(&self, transcript: &str, gate: &str) -> Option<Share> {
        let (kept, of) = *self.transcripts.get(transcript)?.metrics.get(gate)?;
        Some(Share { kept, of })
    }

    /// The metric of a gate summed over all transcripts; `None` if it counts nothing.
    pub fn total(&self, gate: &str) -> Option<Share> {
        let shares = self.transcripts.values().filter_map(|entry| entry.metrics.get(gate));
        let total = shares.fold(Share::default(), |sum, (kept, of)| Share { kept: sum.kept + kept, of: sum.of + of });
        (total.of > 0).then_some(total)
    }

    /// Finds the entry of each transcript: first by name and bytes, then by bytes alone (renamed, or a row before which
    /// others were put), then by name alone (changed), unless that entry is another transcript's by its bytes.
    fn find<'b>(&'b self, judged: &[Judged]) -> Vec<Option<(&'b str, &'b Entry)>> {
        let get =
            |one: &Judged| self.transcripts.get_key_value(&one.name()).map(|(name, entry)| (name.as_str(), entry));
        let named: Vec<_> = judged.iter().map(get).collect();
        let mut found: Vec<_> = named
            .iter()
            .zip(judged)
            .map(|(named, one)| named.filter(|(_, entry)| entry.sha256 == one.sha256))
            .collect();
        let mut taken: HashSet<&str> = found.iter().flatten().map(|(name, _)| *name).collect();
        let mut same: HashMap<&str, VecDeque<(&str, &Entry)>> = HashMap::new();
        for (name, entry) in &self.transcripts {
            same.entry(&entry.sha256).or_default().push_back((name, entry));
        }
        for (found, one) in found.iter_mut().zip(judged).filter(|(found, _)| found.is_none()) {
            let Some(same) = same.get_mut(one.sha256.as_str()) else { continue };
            // Of several of the same bytes each stands for one transcript, and the last for what more there are.
            while same.len() > 1 && same.front().is_some_and(|(name, _)| taken.contains(name)) {
                same.pop_front();
            }
            *found = same.front().copied();
            taken.extend(found.map(|(name, _)| name));
        }
        for (found, named) in found.iter_mut().zip(named) {
            *found = found.or(named.filter(|(name, _)| !taken.contains(name)));
        }
        found
    }

    /// Compares the metrics of transcripts with the stored ones.
    pub fn compare(&self, judged: &[Judged], now: &Conditions, tolerance: Option<f64>) -> Vec<GateResult> {
        let found = self.find(judged);
        // An unknown transcript may be one of those that are not here.
        let unknown = match self.without(&found).is_empty() {
            true => GateResult::insufficient("the baseline does not have it"),
            false => {
                not_comparable("the baseline does not have it, but others that are not here: renamed and changed?")
            }
        };
        let compare = |(one, found): (&Judged, Option<(&str, &Entry)>)| match found {
            None => unknown.clone(),
            Some(_) if self.conditions.fact_spec != now.fact_spec => {
                not_comparable("the baseline is of another fact-spec")
            }
            Some(_) if self.conditions.tokenizer != now.tokenizer => {
                not_comparable("the baseline is of another tokenizer")
            }
            Some((_, entry)) if entry.sha256 != one.sha256 => {
                not_comparable("the baseline is of other bytes: of another original, or of one that is not given now")
            }
            Some((_, entry)) => entry.fallen(one, tolerance.unwrap_or(TOLERANCE)),
        };
        judged.iter().zip(found).map(compare).collect()
    }

    /// Names of transcripts in the baseline that were not judged.
    pub fn missing<'b>(&'b self, judged: &[Judged]) -> Vec<&'b str> {
        self.without(&self.find(judged))
    }

    /// Names of the transcripts of which none was found.
    fn without<'b>(&'b self, found: &[Option<(&str, &Entry)>]) -> Vec<&'b str> {
        let found: HashSet<&str> = found.iter().flatten().map(|(name, _)| *name).collect();
        self.transcripts.keys().map(String::as_str).filter(|name| !found.contains(name)).collect()
    }
}

impl Entry {
    /// Lists the metrics that fell by more than the tolerance.
    fn fallen(&self, judged: &Judged, tolerance: f64) -> GateResult {
        let now = metrics(judged);
        let mut share = Share::default();
        let mut findings = Vec::new();
        for (gate, before) in &self.metrics {
            if !judged.outcomes.iter().any(|outcome| outcome.gate == gate) {
                continue; // It is not wanted in this run.
            }
            let Some(after) = now.get(gate) else {
                findings.push(Finding::new(judged.first_line, format!("{gate} can't be judged any more")));
                share.of += 1;
                continue;
            };
            let value = |(kept, of): (usize, usize)| kept as f64 / of.max(1) as f64;
            let fell = value(*before) - value(*after);
            share.of += 1;
            share.kept += usize::from(fell <= tolerance);
            if fell > tolerance {
                let (was, is) = (value(*before), value(*after));
                findings.push(Finding::new(judged.first_line, format!("{gate} fell from {was:.3} to {is:.3}")));
            }
        }
        GateResult::of(share, findings)
    }
}

fn not_comparable(note: &'static str) -> GateResult {
    GateResult { verdict: Verdict::NotComparable, ..GateResult::insufficient(note) }
}

fn metrics(judged: &Judged) -> BTreeMap<String, (usize, usize)> {
    let is_metric = |id: &str| gate(id).is_some_and(|gate| gate.is_metric);
    let outcomes = judged.outcomes.iter().filter(|outcome| is_metric(outcome.gate) && outcome.share.of > 0);
    outcomes.map(|outcome| (outcome.gate.to_owned(), (outcome.share.kept, outcome.share.of))).collect()
}
