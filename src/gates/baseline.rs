//! R01: the metrics of an earlier run, and what fell since. Metrics are kept as two counts, so that both kinds of mean
//! can be told from the file.

use super::{Finding, Judged, Outcome, Verdict};
use crate::facts::FACT_SPEC;
use crate::measure::Share;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};

/// Version of the shape of the file.
const SCHEMA_VERSION: u32 = 1;
/// How much a metric may fall.
const TOLERANCE: f64 = 0.01;
/// The gates whose shares are metrics: more is better. Open recall is none: which words are rare hangs on all transcripts.
const METRICS: &[&str] = &["S01", "S02", "F01", "K01", "K02", "K03", "K04", "K05", "T03", "H01", "H02", "H03"];

/// What numbers have to have in common to be compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditions {
    /// The version of the rules that facts are found by.
    pub fact_spec: String,
    /// The encoding that tokens are counted in.
    pub tokenizer: String,
}

impl Conditions {
    /// Those of this version with a tokenizer.
    pub fn now(tokenizer: &str) -> Self {
        Self { fact_spec: FACT_SPEC.to_owned(), tokenizer: tokenizer.to_owned() }
    }
}

/// What a run measures, of all that there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scope {
    /// It leaves no transcript out.
    pub every_transcript: bool,
    /// It leaves no gate out that is wanted.
    pub every_gate: bool,
}

impl Scope {
    /// Whether nothing is left out.
    pub fn is_all(self) -> bool {
        self.every_transcript && self.every_gate
    }
}

/// The metrics of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    schema_version: u32,
    tool_version: String,
    #[serde(flatten)]
    conditions: Conditions,
    transcripts: BTreeMap<String, Entry>,
}

/// The metrics of one transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    /// SHA-256 of the original; of the compacted transcript where there is none.
    sha256: String,
    /// By gate: so many of so many.
    metrics: BTreeMap<String, (usize, usize)>,
}

impl Baseline {
    /// The metrics of these transcripts.
    pub fn of(judged: &[Judged], conditions: Conditions) -> Self {
        let entry = |one: &Judged| Entry { sha256: one.sha256.clone(), metrics: metrics(one) };
        let transcripts = judged.iter().map(|one| (one.name(), entry(one))).collect();
        let tool_version = env!("CARGO_PKG_VERSION").to_owned();
        Self { schema_version: SCHEMA_VERSION, tool_version, conditions, transcripts }
    }

    /// What of it a run under these conditions can take over: nothing of one under others, which has to measure all anew.
    ///
    /// # Errors
    /// It is under others, and the run does not measure all.
    pub fn carried(self, now: &Conditions, scope: Scope) -> Result<Option<Self>, String> {
        match (&self.conditions, scope.is_all()) {
            (conditions, _) if conditions == now => Ok(Some(self)),
            (_, true) => Ok(None),
            (_, false) => Err(stale("it is of another fact-spec or tokenizer")),
        }
    }

    /// The same with what an earlier one under the same conditions has beside it: metrics that this run did not measure,
    /// and transcripts that it did not judge, unless it judged every one that there is. A run that chose its gates loses
    /// none of them silently.
    ///
    /// # Errors
    /// The run chose its gates, and what it did not measure is no longer true.
    pub fn beside(mut self, earlier: &Self, judged: &[Judged], scope: Scope) -> Result<Self, String> {
        for one in judged {
            let Some((_, before)) = earlier.find(one) else { continue };
            let unmeasured = |gate: &str| !one.outcomes.iter().any(|outcome| outcome.gate == gate);
            let mut left = before.metrics.iter().filter(|(gate, _)| unmeasured(gate)).peekable();
            if before.sha256 != one.sha256 {
                if !scope.every_gate && left.peek().is_some() {
                    return Err(stale(&format!("{} has changed", one.name())));
                }
                continue;
            }
            let own = self.transcripts.entry(one.name()).or_insert_with(|| before.clone());
            own.metrics.extend(left.map(|(gate, share)| (gate.clone(), *share)));
        }
        let missing = if scope.every_transcript { Vec::new() } else { earlier.missing(judged) };
        for name in missing {
            let before = earlier.transcripts.get_key_value(name);
            self.transcripts.extend(before.map(|(name, entry)| (name.clone(), entry.clone())));
        }
        Ok(self)
    }

    /// The transcripts of an earlier one that this run drops: it judged every transcript that there is, and they are gone.
    pub fn dropped<'b>(earlier: &'b Self, judged: &[Judged], scope: Scope) -> Vec<&'b str> {
        if scope.every_transcript { earlier.missing(judged) } else { Vec::new() }
    }

    /// Reads the file.
    ///
    /// # Errors
    /// It is no baseline, or one of another shape.
    pub fn read(text: &str) -> Result<Self, String> {
        let read: Self = serde_json::from_str(text).map_err(|err| format!("no baseline: {err}"))?;
        if read.schema_version != SCHEMA_VERSION {
            return Err(format!(
                "a baseline of shape {}, not {SCHEMA_VERSION}; write it anew with --update-baseline",
                read.schema_version
            ));
        }
        Ok(read)
    }

    /// The file.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// The metric of a gate for a transcript.
    pub fn metric(&self, transcript: &str, gate: &str) -> Option<Share> {
        let (kept, of) = *self.transcripts.get(transcript)?.metrics.get(gate)?;
        Some(Share { kept, of })
    }

    /// The metric of a gate over all transcripts.
    pub fn total(&self, gate: &str) -> Option<Share> {
        let shares = self.transcripts.values().filter_map(|entry| entry.metrics.get(gate));
        let total = shares.fold(Share::default(), |sum, (kept, of)| Share { kept: sum.kept + kept, of: sum.of + of });
        (total.of > 0).then_some(total)
    }

    /// The entry of a transcript: that of its name and bytes, or of its bytes, which had another name, or of its name.
    fn find(&self, judged: &Judged) -> Option<(&str, &Entry)> {
        let named = self.transcripts.get_key_value(&judged.name());
        let is_it = |(_, entry): &(&String, &Entry)| entry.sha256 == judged.sha256;
        let same = || self.transcripts.iter().find(is_it);
        named.filter(is_it).or_else(same).or(named).map(|(name, entry)| (name.as_str(), entry))
    }

    /// Compares a transcript with what it was.
    ///
    /// `missing` are those of the baseline that were not judged: one that is unknown may be one of them.
    pub fn compare(&self, judged: &Judged, now: &Conditions, tolerance: Option<f64>, missing: &[&str]) -> Outcome {
        let Some((_, entry)) = self.find(judged) else {
            return match missing {
                [] => Outcome::insufficient("the baseline does not have it"),
                _ => {
                    not_comparable("the baseline does not have it, but others that are not here: renamed and changed?")
                }
            };
        };
        if self.conditions.fact_spec != now.fact_spec {
            return not_comparable("the baseline is of another fact-spec");
        }
        if self.conditions.tokenizer != now.tokenizer {
            return not_comparable("the baseline is of another tokenizer");
        }
        if entry.sha256 != judged.sha256 {
            return not_comparable(
                "the baseline is of other bytes: of another original, or of one that is not given now",
            );
        }
        entry.fallen(judged, tolerance.unwrap_or(TOLERANCE))
    }

    /// Transcripts of the baseline that were not judged.
    pub fn missing<'b>(&'b self, judged: &[Judged]) -> Vec<&'b str> {
        let found: HashSet<&str> = judged.iter().filter_map(|one| self.find(one)).map(|(name, _)| name).collect();
        self.transcripts.keys().map(String::as_str).filter(|name| !found.contains(name)).collect()
    }
}

impl Entry {
    /// Which metrics fell by more than is borne.
    fn fallen(&self, judged: &Judged, tolerance: f64) -> Outcome {
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
        Outcome::of(share, findings)
    }
}

fn stale(what: &str) -> String {
    format!(
        "what this run did not measure can't be kept: {what}; update it without --select and --ignore, over all files"
    )
}

fn not_comparable(note: &'static str) -> Outcome {
    Outcome { verdict: Verdict::NotComparable, ..Outcome::insufficient(note) }
}

fn metrics(judged: &Judged) -> BTreeMap<String, (usize, usize)> {
    let outcomes = judged.outcomes.iter().filter(|outcome| METRICS.contains(&outcome.gate) && outcome.share.of > 0);
    outcomes.map(|outcome| (outcome.gate.to_owned(), (outcome.share.kept, outcome.share.of))).collect()
}
