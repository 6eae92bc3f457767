//! Boxes that are ticked for steps which the newest list of steps has open.

use crate::gates::plan::{BOXED, Plan};
use crate::gates::view::SummaryText;
use crate::gates::{Finding, Level};
use crate::measure::Source;
use crate::measure::constraints::{content_words, holds, says};
use crate::summary::deeds;
use crate::transcript::Role;
use std::cell::OnceCell;
use std::collections::HashSet;

/// Findings for lines with a ticked box about a step that is open in the newest list, which no call since can have
/// done. An error if nobody spoke of the step since, either. `is_kept`: which messages are kept beside the summary.
pub(super) fn ticked(source: &Source<'_>, texts: &[SummaryText], is_kept: &dyn Fn(usize) -> bool) -> Vec<Finding> {
    let boxed = |text: &SummaryText| text.text.lines().any(|line| BOXED.is_match(line));
    if !texts.iter().any(boxed) {
        return Vec::new();
    }
    let all = deeds(source.messages());
    let Some(plan) = Plan::newest(&all).filter(|plan| !is_kept(plan.message)) else { return Vec::new() };
    // For each open step that no call since can have done: whether the agent spoke of it since.
    let open = plan.open.iter().filter(|step| !plan.may_be_done(step));
    let open: Vec<(HashSet<String>, OnceCell<bool>)> =
        open.map(|step| (content_words(step), OnceCell::new())).filter(|(words, _)| !words.is_empty()).collect();
    let done: Vec<HashSet<String>> = plan.done.iter().map(|step| content_words(step)).collect();
    let spoken = |words: &HashSet<String>| {
        let later = source.messages().iter().skip(plan.message + 1).filter(|message| message.role == Role::Assistant);
        later.map(|message| message.text()).any(|text| says(words, &text.lines().collect::<Vec<_>>()))
    };
    let finding = |text: &SummaryText, number: usize, line: &str| {
        let own = content_words(line);
        let is_it = |words: &HashSet<String>| holds(&own, words) && holds(words, &own);
        let (words, told) = open.iter().find(|(words, _)| is_it(words)).filter(|_| !done.iter().any(is_it))?;
        let level = if *told.get_or_init(|| spoken(words)) { Level::Warn } else { Level::Error };
        let what = "a box is ticked for a step that the newest plan has open, and no call did it since";
        Some(Finding { level, ..Finding::new(text.line, what).at(number).about(line) })
    };
    let lines =
        texts.iter().flat_map(|text| text.text.lines().zip(1..).map(move |(line, number)| (text, number, line)));
    let boxed = lines.filter(|(.., line)| BOXED.is_match(line));
    boxed.filter_map(|(text, number, line)| finding(text, number, line)).collect()
}
