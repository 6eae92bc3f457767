//! The verdicts over all transcripts.

use super::{Baseline, Conditions, GATES, Gate, GateSettings, Measured, OfRun, Outcome, Verdict, gate};
use crate::measure::Share;

/// One transcript with its verdicts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// Path in the tree, with slashes.
    pub path: String,
    /// Its line, in files of several transcripts.
    pub row: Option<usize>,
    /// The file as it was named, for annotations.
    pub file: String,
    /// Its first line in the file.
    pub first_line: usize,
    /// SHA-256 of the original; of the compacted transcript where there is none.
    pub sha256: String,
    /// Whether it is its original, byte for byte; none where there is no original.
    pub unchanged: Option<bool>,
    /// Verdicts in the order of the table.
    pub outcomes: Vec<Outcome>,
}

impl Judged {
    /// What the transcript is known by: its path, and its line where the file has several.
    pub fn name(&self) -> String {
        self.row.map_or_else(|| self.path.clone(), |row| format!("{}:{row}", self.path))
    }

    /// The worst verdict; insufficient only where no gate could be judged.
    pub fn verdict(&self) -> Verdict {
        let judged = self.outcomes.iter().map(|outcome| outcome.verdict).filter(|it| *it != Verdict::Insufficient);
        judged.max().unwrap_or(Verdict::Insufficient)
    }
}

/// A gate over all transcripts.
#[derive(Debug, Clone, PartialEq)]
pub struct GateTotal {
    /// The gate.
    pub id: &'static str,
    /// The worst verdict; insufficient only where no transcript could be judged.
    pub verdict: Verdict,
    /// Transcripts that were judged by it.
    pub judged: usize,
    /// Of these, those that hold it.
    pub passed: usize,
    /// What was counted in all of them.
    pub share: Share,
    /// The share in the baseline.
    pub before: Option<Share>,
    /// The mean that was judged, where it is judged over sessions.
    pub measured: Option<Measured>,
    /// What was measured over all of them, in words; empty where each is judged by itself.
    pub told: String,
}

impl GateTotal {
    /// The gate as it stands in the table.
    pub fn gate(&self) -> Option<&'static Gate> {
        gate(self.id)
    }

    /// The mean that was judged, or the share.
    pub fn value(&self) -> Option<f64> {
        self.measured.map_or_else(|| self.share.value(), |measured| Some(measured.mean))
    }

    /// Of how many it is.
    pub fn count(&self) -> usize {
        self.measured.map_or(self.share.of, |measured| measured.sessions)
    }

    /// Where the value lies with a certainty of 95 % (Wilson's interval for a share of so many).
    pub fn interval(&self) -> Option<(f64, f64)> {
        self.measured.map_or_else(|| interval(self.share), |measured| Some(measured.interval))
    }

    /// Takes over what was judged over all transcripts; on each of them it only informed.
    fn take(&mut self, of_run: OfRun) {
        let sessions = of_run.measured.map_or(self.judged, |measured| measured.sessions);
        self.judged = if of_run.outcome.is_judged() { sessions.max(1) } else { 0 };
        self.passed = if of_run.outcome.verdict == Verdict::Pass { self.judged } else { 0 };
        self.verdict = of_run.outcome.verdict;
        self.measured = of_run.measured;
        self.told = of_run.told;
    }
}

/// Wilson's score interval with a certainty of 95 %.
fn interval(share: Share) -> Option<(f64, f64)> {
    const Z: f64 = 1.959_964;
    let (value, n) = (share.value()?, share.of as f64);
    let scale = 1.0 + Z * Z / n;
    let middle = (value + Z * Z / (2.0 * n)) / scale;
    let half = Z / scale * (value * (1.0 - value) / n + Z * Z / (4.0 * n * n)).sqrt();
    Some(((middle - half).max(0.0), (middle + half).min(1.0)))
}

/// All verdicts of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// Transcripts by path.
    pub transcripts: Vec<Judged>,
    /// What was judged over all of them, as if it were one that stands where the limits are set.
    pub run: Option<Judged>,
    /// Files that could not be judged at all, with the reason.
    pub unjudged: Vec<(String, String)>,
    /// Transcripts of the baseline that were not among these.
    pub missing: Vec<String>,
    /// The gates that are wanted.
    pub gates: Vec<GateTotal>,
}

impl Report {
    /// Compares with the baseline, and counts.
    pub fn new(
        mut transcripts: Vec<Judged>,
        unjudged: Vec<(String, String)>,
        settings: &GateSettings,
        baseline: Option<(&Baseline, &Conditions)>,
    ) -> Self {
        let regression = settings.wanted("R01");
        let missing = baseline.map(|(baseline, _)| baseline.missing(&transcripts)).unwrap_or_default();
        if let (Some(gate), Some((baseline, now))) = (regression, baseline) {
            for one in &mut transcripts {
                let mut outcome = baseline.compare(one, now, settings.of(gate).tolerance, &missing);
                outcome.gate = gate.id;
                let level = settings.level(gate);
                outcome.findings.iter_mut().for_each(|finding| finding.level = finding.level.min(level));
                one.outcomes.push(outcome.settle());
            }
        }
        for one in &mut transcripts {
            // Some were judged for the comparison only.
            one.outcomes.retain(|outcome| settings.wanted(outcome.gate).is_some());
            one.outcomes.sort_by_key(|outcome| GATES.iter().position(|gate| gate.id == outcome.gate));
        }
        let missing = missing.into_iter().map(str::to_owned).collect();
        let wanted = GATES.iter().filter(|gate| settings.is_wanted(gate));
        let gates = wanted.map(|gate| total(gate, &transcripts, baseline.map(|(baseline, _)| baseline))).collect();
        Self { transcripts, run: None, unjudged, missing, gates }
    }

    /// The report with what was judged over all transcripts; `place` is the file that sets the limits.
    #[must_use]
    pub fn with_run(mut self, of_run: Vec<OfRun>, place: &str) -> Self {
        let outcomes = of_run.iter().map(|one| one.outcome.clone()).collect();
        for one in of_run {
            if let Some(total) = self.gates.iter_mut().find(|total| total.id == one.outcome.gate) {
                total.take(one);
            }
        }
        let (path, file) = ("all originals".to_owned(), place.to_owned());
        let all = Judged { path, row: None, file, first_line: 1, sha256: String::new(), unchanged: None, outcomes };
        self.run = Some(all).filter(|all| !all.outcomes.is_empty());
        self
    }

    /// The report of a whole folder: a baseline of more than there is now is of something else.
    #[must_use]
    pub fn of_all(mut self) -> Self {
        let lacks = !self.missing.is_empty();
        if let Some(total) = self.gates.iter_mut().find(|total| lacks && total.id == "R01") {
            total.verdict = total.verdict.max(Verdict::NotComparable);
        }
        self
    }

    /// All transcripts, and behind them what stands for all of them.
    pub(super) fn all(&self) -> impl Iterator<Item = &Judged> {
        self.transcripts.iter().chain(&self.run)
    }

    /// How many transcripts are their originals, byte for byte, of how many that have one; none where none has.
    pub fn unchanged(&self) -> Option<Share> {
        let compared = || self.transcripts.iter().filter_map(|one| one.unchanged);
        let share = Share { kept: compared().filter(|same| *same).count(), of: compared().count() };
        Some(share).filter(|share| share.of > 0)
    }

    /// Whether some finding is about words of a transcript.
    pub fn has_content(&self) -> bool {
        let mut findings = self.all().flat_map(|one| &one.outcomes).flat_map(|outcome| &outcome.findings);
        findings.any(|finding| finding.content.is_some())
    }

    /// Whether a gate is broken, a comparison could not be made, or a file could not be judged.
    pub fn failed(&self) -> bool {
        let broken = |gate: &GateTotal| matches!(gate.verdict, Verdict::Fail | Verdict::NotComparable);
        self.gates.iter().any(broken) || !self.unjudged.is_empty()
    }

    /// Whether anything was judged.
    pub fn judged_anything(&self) -> bool {
        self.gates.iter().any(|gate| gate.judged > 0 || gate.verdict == Verdict::NotComparable)
    }

    /// The verdict of the run.
    pub fn verdict(&self) -> Verdict {
        let worst = self.gates.iter().map(|gate| gate.verdict).max().unwrap_or(Verdict::Insufficient);
        match () {
            () if self.failed() => worst.max(Verdict::NotComparable),
            () if !self.judged_anything() => Verdict::Insufficient,
            () if worst == Verdict::Warn => Verdict::Warn,
            () => Verdict::Pass,
        }
    }
}

fn total(gate: &Gate, transcripts: &[Judged], baseline: Option<&Baseline>) -> GateTotal {
    let before = baseline.and_then(|baseline| baseline.total(gate.id));
    let mut total = GateTotal {
        id: gate.id,
        verdict: Verdict::Insufficient,
        judged: 0,
        passed: 0,
        share: Share::default(),
        before,
        measured: None,
        told: String::new(),
    };
    let own = transcripts.iter().filter_map(|one| one.outcomes.iter().find(|outcome| outcome.gate == gate.id));
    for outcome in own {
        if outcome.verdict == Verdict::NotComparable {
            total.verdict = total.verdict.max(Verdict::NotComparable);
        }
        if matches!(outcome.verdict, Verdict::Insufficient | Verdict::NotComparable) {
            continue;
        }
        if total.judged == 0 && total.verdict == Verdict::Insufficient {
            total.verdict = Verdict::Pass;
        }
        total.judged += 1;
        total.passed += usize::from(outcome.verdict == Verdict::Pass);
        total.share.kept += outcome.share.kept;
        total.share.of += outcome.share.of;
        if outcome.verdict != Verdict::Pass {
            total.verdict = total.verdict.max(outcome.verdict);
        }
    }
    total
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn few_cases_tell_little() {
        let (low, high) = interval(Share { kept: 3, of: 3 }).unwrap();
        assert!((0.43..0.45).contains(&low) && high == 1.0, "{low} {high}");
        let (low, high) = interval(Share { kept: 50, of: 100 }).unwrap();
        assert!((0.40..0.41).contains(&low) && (0.59..0.60).contains(&high), "{low} {high}");
        assert_eq!(interval(Share::default()), None);
    }
}
