//! The board of an evaluation: for each policy, means of all measures over sessions, with intervals.

use super::fared::Fared;
use super::measures::{MEASURES, Measure, RECALL, TOKENS};
use super::stats::{Mean, difference, mean};
use crate::measure::LEAST_SESSIONS;
use crate::report::{CutReport, PolicyScores, ShareOf};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The policy with which the others are compared; if it is missing, the first is used.
const REFERENCE: &str = "opencode";

/// Strata of cuts by the number of tokens before them.
const STRATA: &[(&str, u64, u64)] = &[("< 30k", 0, 30_000), ("30k - 80k", 30_000, 80_000), ("> 80k", 80_000, u64::MAX)];

/// A cut with its session.
pub struct Entry {
    /// The session: its path, with the line if the file has several.
    pub session: String,
    /// The format.
    pub format: String,
    /// The measurements.
    pub cut: CutReport,
}

impl Entry {
    /// The scores of a policy.
    fn of(&self, policy: &str) -> Option<&PolicyScores> {
        self.cut.scores.iter().find(|scores| scores.policy == policy)
    }
}

/// Means of one policy over some cuts.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// The policy.
    pub policy: String,
    /// Means by measure, without measures that had no values.
    pub means: BTreeMap<&'static str, Mean>,
    /// Paired difference of its recall to that of the reference.
    pub difference: Option<Mean>,
    /// Recall over all facts of all cuts, equally weighted.
    pub micro: Option<f64>,
    /// Use of a model, for policies with one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub llm: Option<Fared>,
}

/// Rows over one kind of cuts.
#[derive(Debug, Clone, Serialize)]
pub struct Group {
    /// Name of the kind of cuts.
    pub name: String,
    /// Number of sessions.
    pub sessions: usize,
    /// Number of cuts.
    pub cuts: usize,
    /// There are fewer than [`LEAST_SESSIONS`]: too few for gates.
    pub informs_only: bool,
    /// The policy with which the others are compared.
    pub reference: String,
    /// Rows by policy.
    pub rows: Vec<Row>,
}

impl Group {
    /// The rows by falling recall; of equal ones, those with fewer tokens first.
    pub(super) fn ranked(&self) -> Vec<&Row> {
        let mut rows: Vec<&Row> = self.rows.iter().collect();
        rows.sort_by(|one, other| {
            let (mine, theirs) = (one.mean(&RECALL).unwrap_or(-1.0), other.mean(&RECALL).unwrap_or(-1.0));
            let fewer = || one.mean(&TOKENS).unwrap_or(0.0).total_cmp(&other.mean(&TOKENS).unwrap_or(0.0));
            theirs.total_cmp(&mine).then_with(fewer).then_with(|| one.policy.cmp(&other.policy))
        });
        rows
    }
}

impl Row {
    /// The mean of a measure with its interval, if it has values.
    pub fn of(&self, measure: &Measure) -> Option<&Mean> {
        self.means.get(measure.name)
    }

    /// The mean alone.
    pub(super) fn mean(&self, measure: &Measure) -> Option<f64> {
        self.of(measure).map(|mean| mean.mean)
    }
}

/// Recall by total budget.
#[derive(Debug, Clone, Serialize)]
pub struct Curve {
    /// The policy.
    pub policy: String,
    /// Budget in tokens, and recall.
    pub points: Vec<(u64, f64)>,
    /// Area under the curve over the logarithm of the budget, from 0 to 1.
    pub auc: f64,
    /// Mean of the areas of the sessions.
    pub sessions: Mean,
}

/// The result of an evaluation.
#[derive(Debug, Clone, Serialize)]
pub struct Board {
    /// [`crate::header::SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Version of the fact rules.
    pub fact_spec: &'static str,
    /// Format → number of sessions.
    pub formats: BTreeMap<String, usize>,
    /// All cuts, then cuts by size, then by format.
    pub groups: Vec<Group>,
    /// Recall by budget.
    pub curves: Vec<Curve>,
}

impl Board {
    /// Number of summaries that models should have written and that are missing.
    pub fn missing(&self) -> u64 {
        let rows = self.groups.first().map(|group| group.rows.as_slice()).unwrap_or_default();
        rows.iter().filter_map(|row| row.llm.as_ref()).map(Fared::missing).sum()
    }

    /// Summarizes all cuts.
    pub fn of(entries: &[Entry]) -> Self {
        let mut groups = vec![group("all", entries.iter().collect())];
        let in_stratum = |entry: &&Entry, (from, to): (u64, u64)| (from..to).contains(&entry.cut.tokens_before);
        let strata = STRATA.iter().map(|&(name, from, to)| {
            (name.to_owned(), entries.iter().filter(|entry| in_stratum(entry, (from, to))).collect::<Vec<_>>())
        });
        let mut formats: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
        entries.iter().for_each(|entry| formats.entry(&entry.format).or_default().push(entry));
        let sessions = |entries: &[&Entry]| entries.iter().map(|entry| &entry.session).collect::<BTreeSet<_>>().len();
        let counts = formats.iter().map(|(name, entries)| ((*name).to_owned(), sessions(entries))).collect();
        let formats = formats.into_iter().map(|(name, entries)| (name.to_owned(), entries));
        let parts = strata.chain(formats).filter(|(_, part)| !part.is_empty() && part.len() < entries.len());
        groups.extend(parts.map(|(name, part)| group(&name, part)));
        Self {
            schema_version: crate::header::SCHEMA_VERSION,
            fact_spec: crate::facts::FACT_SPEC,
            formats: counts,
            groups,
            curves: curves(entries),
        }
    }
}

fn group(name: &str, entries: Vec<&Entry>) -> Group {
    let mut policies: Vec<&str> = Vec::new();
    for scores in entries.iter().flat_map(|entry| &entry.cut.scores) {
        if !policies.contains(&scores.policy.as_str()) {
            policies.push(&scores.policy);
        }
    }
    let first = policies.iter().find(|policy| **policy == REFERENCE).or(policies.first()).copied().unwrap_or_default();
    let rows: Vec<Row> = policies.iter().map(|policy| row(policy, first, &entries)).collect();
    let sessions = entries.iter().map(|entry| &entry.session).collect::<BTreeSet<_>>().len();
    let cuts = entries.len();
    Group {
        name: name.to_owned(),
        sessions,
        cuts,
        informs_only: sessions < LEAST_SESSIONS,
        reference: first.to_owned(),
        rows,
    }
}

fn row(policy: &str, first: &str, entries: &[&Entry]) -> Row {
    let values = |measure: &Measure| -> Vec<(&str, f64)> {
        let value = |entry: &Entry| measure.value(&entry.cut, entry.of(policy)?);
        entries.iter().filter_map(|entry| Some((entry.session.as_str(), value(entry)?))).collect()
    };
    let means = MEASURES.iter().map(|measure| (measure.name, values(measure))).filter(|(_, values)| !values.is_empty());
    let both = entries.iter().filter_map(|entry| {
        let (own, first) = (entry.of(policy)?.recall.value()?, entry.of(first)?.recall.value()?);
        Some(((entry.session.as_str(), own), (entry.session.as_str(), first)))
    });
    let (own_values, first_values): (Vec<_>, Vec<_>) = both.unzip();
    let mut micro = ShareOf::default();
    for scores in entries.iter().filter_map(|entry| entry.of(policy)) {
        micro.part += scores.recall.part;
        micro.of += scores.recall.of;
    }
    let asked = entries.iter().filter_map(|entry| entry.of(policy)?.llm.as_ref());
    Row {
        policy: policy.to_owned(),
        means: means.map(|(name, values)| (name, mean(&values))).collect(),
        difference: (policy != first && !own_values.is_empty()).then(|| difference(&own_values, &first_values)),
        micro: micro.value(),
        llm: Fared::of(asked),
    }
}

/// Budget → recall values, each with its session.
type Points<'e> = BTreeMap<u64, Vec<(&'e str, f64)>>;

fn curves(entries: &[Entry]) -> Vec<Curve> {
    let mut found: Vec<(&str, Points<'_>)> = Vec::new();
    for entry in entries {
        for (budget, scores) in &entry.cut.curve {
            let place = found.iter().position(|(name, _)| *name == scores.policy).unwrap_or_else(|| {
                found.push((&scores.policy, Points::new()));
                found.len() - 1
            });
            let recall = scores.recall.value().map(|value| (entry.session.as_str(), value));
            found[place].1.entry(*budget).or_default().extend(recall);
        }
    }
    let curve = |(policy, points): (&str, Points<'_>)| {
        let sessions = mean(&areas(&points));
        let points: Vec<(u64, f64)> = points.into_iter().map(|(budget, values)| (budget, mean(&values).mean)).collect();
        Curve { policy: policy.to_owned(), auc: area(&points), sessions, points }
    };
    found.into_iter().map(curve).collect()
}

/// The area of each session's curve, in order.
fn areas<'e>(points: &Points<'e>) -> Vec<(&'e str, f64)> {
    let mut sessions: Vec<&str> = points.values().flatten().map(|(session, _)| *session).collect();
    sessions.dedup();
    let mut known = BTreeSet::new();
    sessions.retain(|session| known.insert(*session));
    let own = |session: &str, values: &[(&str, f64)]| {
        let own: Vec<_> = values.iter().filter(|(other, _)| *other == session).copied().collect();
        mean(&own).mean
    };
    let of = |session: &str| points.iter().map(|(budget, values)| (*budget, own(session, values))).collect::<Vec<_>>();
    sessions.into_iter().map(|session| (session, area(&of(session)))).collect()
}

/// Area under the curve by trapezoids over the logarithm of the budget, divided by the width.
fn area(points: &[(u64, f64)]) -> f64 {
    let x = |budget: u64| (budget.max(1) as f64).log2();
    let width: f64 = points.windows(2).map(|pair| x(pair[1].0) - x(pair[0].0)).sum();
    let sum: f64 = points.windows(2).map(|pair| (x(pair[1].0) - x(pair[0].0)) * (pair[0].1 + pair[1].1) / 2.0).sum();
    if width > 0.0 { sum / width } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_of_a_constant_curve_is_its_height() {
        assert!((area(&[(1_000, 0.5), (2_000, 0.5), (16_000, 0.5)]) - 0.5).abs() < 1e-9);
        assert!((area(&[(1_000, 0.0), (2_000, 1.0), (4_000, 1.0)]) - 0.75).abs() < 1e-9);
        assert_eq!(area(&[]), 0.0);
    }
}
