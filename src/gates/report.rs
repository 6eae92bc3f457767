//! Verdicts over all transcripts.

use super::{Baseline, Conditions, GATES, Gate, GateResult, GateSettings, Measured, OfRun, Verdict, gate};
use crate::measure::Share;
use std::path::Path;

/// One transcript with its verdicts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// Path in the tree, with slashes.
    pub path: String,
    /// Line of the transcript, in files with several.
    pub row: Option<usize>,
    /// Path of the file as it was given, for annotations.
    pub file: String,
    /// First line of the transcript in the file.
    pub first_line: usize,
    /// SHA-256 of the original, or of the compacted transcript if there is no original.
    pub sha256: String,
    /// Whether it equals its original byte for byte; `None` without an original.
    pub unchanged: Option<bool>,
    /// Verdicts in the order of the table.
    pub outcomes: Vec<GateResult>,
}

impl Judged {
    /// Name of the transcript: its path, with its line if the file has several.
    pub fn name(&self) -> String {
        self.row.map_or_else(|| self.path.clone(), |row| format!("{}:{row}", self.path))
    }

    /// The worst verdict; `Insufficient` only if no gate could be judged.
    pub fn verdict(&self) -> Verdict {
        let judged = self.outcomes.iter().map(|outcome| outcome.verdict).filter(|it| *it != Verdict::Insufficient);
        judged.max().unwrap_or(Verdict::Insufficient)
    }
}

/// A gate summed over all transcripts.
#[derive(Debug, Clone, PartialEq)]
pub struct GateTotal {
    /// Id of the gate.
    pub id: &'static str,
    /// The worst verdict; `Insufficient` only if no transcript could be judged.
    pub verdict: Verdict,
    /// Number of transcripts for which it was judged.
    pub judged: usize,
    /// Number of those that passed.
    pub passed: usize,
    /// Sum of the shares.
    pub share: Share,
    /// The share in the baseline.
    pub before: Option<Share>,
    /// Mean over sessions, for gates that judge one.
    pub measured: Option<Measured>,
    /// Description of a measurement over all transcripts; empty if each is judged by itself.
    pub told: String,
}

impl GateTotal {
    /// The entry of the gate table.
    pub fn gate(&self) -> Option<&'static Gate> {
        gate(self.id)
    }

    /// The judged mean, or else the share.
    pub fn value(&self) -> Option<f64> {
        self.measured.map_or_else(|| self.share.value(), |measured| Some(measured.mean))
    }

    /// The number of sessions of the mean, or else of counted items.
    pub fn count(&self) -> usize {
        self.measured.map_or(self.share.of, |measured| measured.sessions)
    }

    /// 95 % confidence interval of the value (Wilson's interval for a share).
    pub fn interval(&self) -> Option<(f64, f64)> {
        self.measured.map_or_else(|| interval(self.share), |measured| Some(measured.interval))
    }

    /// Takes over an outcome over all transcripts; those of single transcripts were only informative.
    fn take(&mut self, of_run: OfRun) {
        let sessions = of_run.measured.map_or(self.judged, |measured| measured.sessions);
        self.judged = if of_run.outcome.is_judged() { sessions.max(1) } else { 0 };
        self.passed = if of_run.outcome.verdict == Verdict::Pass { self.judged } else { 0 };
        self.verdict = of_run.outcome.verdict;
        self.measured = of_run.measured;
        self.told = of_run.told;
    }
}

/// Wilson's score interval at 95 % confidence.
fn interval(share: Share) -> Option<(f64, f64)> {
    const Z: f64 = 1.959_964;
    let (value, n) = (share.value()?, share.of as f64);
    let scale = 1.0 + Z * Z / n;
    let middle = (value + Z * Z / (2.0 * n)) / scale;
    let half = Z / scale * (value * (1.0 - value) / n + Z * Z / (4.0 * n * n)).sqrt();
    Some(((middle - half).max(0.0), (middle + half).min(1.0)))
}

/// Result of a run of the gates.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GateReport {
    /// Transcripts by path.
    pub transcripts: Vec<Judged>,
    /// Outcomes over all transcripts, as a pseudo transcript located in the file that sets the limits.
    pub run: Option<Judged>,
    /// Files that could not be judged at all, with the reason.
    pub unjudged: Vec<(String, String)>,
    /// Names of transcripts in the baseline that were not judged.
    pub missing: Vec<String>,
    /// Totals of the wanted gates.
    pub gates: Vec<GateTotal>,
}

impl GateReport {
    /// The report with files below a folder named from there, as services do that show findings beside lines of files.
    pub fn relative_to(mut self, folder: &Path) -> Self {
        let files = self.transcripts.iter_mut().map(|one| &mut one.file);
        for path in files.chain(self.unjudged.iter_mut().map(|(path, _)| path)) {
            let below = Path::new(&**path).strip_prefix(folder).map(|below| below.to_string_lossy().replace('\\', "/"));
            if let Some(below) = below.ok().filter(|below| !below.is_empty()) {
                *path = below;
            }
        }
        self
    }

    /// Compares the transcripts with the baseline and computes the totals.
    pub fn new(
        mut transcripts: Vec<Judged>,
        unjudged: Vec<(String, String)>,
        settings: &GateSettings,
        baseline: Option<(&Baseline, &Conditions)>,
    ) -> Self {
        let regression = settings.wanted("R01");
        let missing = baseline.map(|(baseline, _)| baseline.missing(&transcripts)).unwrap_or_default();
        if let (Some(gate), Some((baseline, now))) = (regression, baseline) {
            let compared = baseline.compare(&transcripts, now, settings.limits(gate).tolerance);
            for (one, mut outcome) in transcripts.iter_mut().zip(compared) {
                outcome.gate = gate.id;
                outcome.findings.iter_mut().for_each(|it| it.level = settings.settled(gate, it.level));
                one.outcomes.push(outcome.settle());
            }
        }
        for one in &mut transcripts {
            // Some gates were judged only for the comparison.
            one.outcomes.retain(|outcome| settings.wanted(outcome.gate).is_some());
            one.outcomes.sort_by_key(|outcome| GATES.iter().position(|gate| gate.id == outcome.gate));
        }
        let missing = missing.into_iter().map(str::to_owned).collect();
        let wanted = GATES.iter().filter(|gate| settings.is_wanted(gate));
        let gates = wanted.map(|gate| total(gate, &transcripts, baseline.map(|(baseline, _)| baseline))).collect();
        Self { transcripts, run: None, unjudged, missing, gates }
    }

    /// Adds outcomes over all transcripts; `place` is the file that sets the limits.
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

    /// Marks the report as one of a whole folder: if the baseline has transcripts that are gone, it is not comparable.
    #[must_use]
    pub fn of_all(mut self) -> Self {
        let lacks = !self.missing.is_empty();
        if let Some(total) = self.gates.iter_mut().find(|total| lacks && total.id == "R01") {
            total.verdict = total.verdict.max(Verdict::NotComparable);
        }
        self
    }

    /// All transcripts, then the pseudo transcript for the whole run.
    pub(super) fn all(&self) -> impl Iterator<Item = &Judged> {
        self.transcripts.iter().chain(&self.run)
    }

    /// How many of the transcripts with an original equal it byte for byte; `None` if none has an original.
    pub fn unchanged(&self) -> Option<Share> {
        let compared = || self.transcripts.iter().filter_map(|one| one.unchanged);
        let share = Share { kept: compared().filter(|same| *same).count(), of: compared().count() };
        Some(share).filter(|share| share.of > 0)
    }

    /// Whether some finding quotes a transcript.
    pub fn has_content(&self) -> bool {
        let mut findings = self.all().flat_map(|one| &one.outcomes).flat_map(|outcome| &outcome.findings);
        findings.any(|finding| finding.content.is_some())
    }

    /// Whether a gate failed, a comparison was impossible, or a file could not be judged.
    pub fn failed(&self) -> bool {
        let broken = |gate: &GateTotal| matches!(gate.verdict, Verdict::Fail | Verdict::NotComparable);
        self.gates.iter().any(broken) || !self.unjudged.is_empty()
    }

    /// Whether anything was judged.
    pub fn judged_anything(&self) -> bool {
        self.gates.iter().any(|gate| gate.judged > 0 || gate.verdict == Verdict::NotComparable)
    }

    /// The overall verdict.
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
