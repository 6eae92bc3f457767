//! Boxes that are ticked for steps which the newest list of steps has open.

use crate::gates::Finding;
use crate::gates::plan::{BOXED, Plan};
use crate::gates::view::SummaryText;
use crate::measure::constraints::{content_words, holds};
use crate::summary::Deed;
use std::collections::{HashMap, HashSet};

/// Findings for lines with a ticked box about a step that is open in the newest list, which no call since can have
/// done: warnings, as it may have been done unseen. `is_kept`: which messages are kept beside the summary.
pub(super) fn ticked(all: &[Deed], texts: &[SummaryText], is_kept: &dyn Fn(usize) -> bool) -> Vec<Finding> {
    let boxed = |text: &SummaryText| text.text.lines().any(|line| BOXED.is_match(line));
    if !texts.iter().any(boxed) {
        return Vec::new();
    }
    let Some(plan) = Plan::newest(all).filter(|plan| !is_kept(plan.message)) else { return Vec::new() };
    let open = Steps::of(plan.open.iter().filter(|step| !plan.may_be_done(step)));
    let done = Steps::of(plan.done.iter());
    let finding = |text: &SummaryText, number: usize, line: &str| {
        let own = content_words(line);
        let what = "a box is ticked for a step that the newest plan has open, and no call did it since";
        let found = || Finding::new(text.line, what).at(number).about(line).warning();
        (open.has(&own) && !done.has(&own)).then(found)
    };
    let lines =
        texts.iter().flat_map(|text| text.text.lines().zip(1..).map(move |(line, number)| (text, number, line)));
    let boxed = lines.filter(|(.., line)| BOXED.is_match(line));
    boxed.filter_map(|(text, number, line)| finding(text, number, line)).collect()
}

/// Steps by their content words, for lookups in the time of those that share a word.
struct Steps {
    steps: Vec<HashSet<String>>,
    /// Word → the steps with it.
    of_words: HashMap<String, Vec<usize>>,
}

impl Steps {
    fn of<'s>(steps: impl Iterator<Item = &'s String>) -> Self {
        let mut seen = HashSet::new();
        let steps: Vec<HashSet<String>> =
            steps.filter(|step| seen.insert(*step)).map(|step| content_words(step)).collect();
        let mut of_words: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, step) in steps.iter().enumerate() {
            step.iter().for_each(|word| of_words.entry(word.clone()).or_default().push(at));
        }
        Self { steps, of_words }
    }

    /// Whether a line has most words of a step, and the step most of its words.
    fn has(&self, line: &HashSet<String>) -> bool {
        // A step with most of its words has one of any half of them: the rarest half.
        let mut rows: Vec<&[usize]> =
            line.iter().map(|word| self.of_words.get(word).map_or(&[][..], Vec::as_slice)).collect();
        rows.sort_by_key(|row| row.len());
        let enough = rows.len() / 2 + 1;
        let near: HashSet<usize> = rows.iter().take(enough).copied().flatten().copied().collect();
        near.into_iter().any(|at| holds(line, &self.steps[at]) && holds(&self.steps[at], line))
    }
}
