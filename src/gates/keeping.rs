//! K01, K03, K05, K06: constraints, changed files, and what `expect.toml` names are kept.

use super::{Expected, Finding, Outcome, Tools, View, settings::Limits};
use crate::measure::constraints::{self, Constraint};
use crate::measure::{Share, files};

/// The least share of constraints that is kept (QUALITY §5).
const CONSTRAINTS: f64 = 0.9;

impl View<'_> {
    /// The user's constraints: how many are kept, and those that are not.
    pub fn constraints(&self) -> (Share, Vec<Constraint>) {
        let (lines, keeps) = (self.summary_lines(), self.keeps_loaded());
        let is_kept = |one: &Constraint| keeps.get(one.message).copied().unwrap_or(false);
        let all = constraints::sentences(&self.loaded());
        let of = all.len();
        let lost: Vec<_> = all.into_iter().filter(|one| !is_kept(one) && !constraints::kept(one, &lines)).collect();
        (Share { kept: of - lost.len(), of }, lost)
    }

    /// The files that calls changed: how many are named, and those that are not.
    pub fn files(&self) -> (Share, Vec<String>) {
        let left = self.left();
        let left: Vec<&str> = left.iter().map(|text| &**text).collect();
        let modified = files::modified(&self.loaded());
        let lost: Vec<String> = files::missing(&modified, &left).into_iter().map(str::to_owned).collect();
        (Share { kept: modified.len() - lost.len(), of: modified.len() }, lost)
    }
}

/// K01: what the user told the agent to do or to avoid.
pub(super) fn constraints(view: &View<'_>, _: &Tools<'_>, limits: Limits) -> Outcome {
    if view.source.is_none() {
        return Outcome::insufficient("");
    }
    let ((share, lost), line) = (view.constraints(), view.summary_line());
    let finding = |one: Constraint| Finding::new(line, "a constraint of the user is not kept").about(one.text);
    Outcome::at_least(limits.min.unwrap_or(CONSTRAINTS), share, lost.into_iter().map(finding).collect())
}

/// K03: every file that calls changed is named.
pub(super) fn modified_files(view: &View<'_>, _: &Tools<'_>, limits: Limits) -> Outcome {
    if view.source.is_none() {
        return Outcome::insufficient("");
    }
    let ((share, lost), line) = (view.files(), view.summary_line());
    let finding = |path: String| Finding::new(line, "a file that was changed is not named").about(path);
    Outcome::at_least(limits.min.unwrap_or(1.0), share, lost.into_iter().map(finding).collect())
}

/// K05: what has to be kept is there, in one of its spellings.
pub(super) fn expected(view: &View<'_>, tools: &Tools<'_>, _: Limits) -> Outcome {
    let left = view.left();
    let facts = || tools.expected.iter().flat_map(|expected| &expected.facts);
    let there = |words: &[String]| words.iter().any(|word| left.iter().any(|text| text.contains(word.as_str())));
    let lost = facts().zip(1..).filter(|(fact, _)| !there(&fact.any_of)).map(|(fact, number)| {
        let message = format!("expected fact {number} of expect.toml is not kept");
        Finding { level: fact.level, ..Finding::new(view.summary_line(), message).about(fact.any_of.join(" | ")) }
    });
    let findings: Vec<_> = lost.collect();
    let of = facts().count();
    nothing_expected(of, Outcome::of(Share { kept: of - findings.len(), of }, findings))
}

/// K06: what must not be there is not.
pub(super) fn forbidden(view: &View<'_>, tools: &Tools<'_>, _: Limits) -> Outcome {
    let left = view.left();
    let words = || {
        tools
            .expected
            .iter()
            .flat_map(|expected: &&Expected| expected.must_not.iter().map(|word| (word, expected.level)))
    };
    let found = words().zip(1..).filter(|((word, _), _)| left.iter().any(|text| text.contains(word.as_str())));
    let findings: Vec<_> = found
        .map(|((word, level), number)| {
            let message = format!("forbidden text {number} of expect.toml is there");
            Finding { level, ..Finding::new(view.summary_line(), message).about(word.clone()) }
        })
        .collect();
    let of = words().count();
    nothing_expected(of, Outcome::of(Share { kept: of - findings.len(), of }, findings))
}

fn nothing_expected(of: usize, outcome: Outcome) -> Outcome {
    if of == 0 { Outcome::insufficient("expect.toml names nothing for it") } else { outcome }
}
