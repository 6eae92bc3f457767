//! Plans of which only some open steps were chosen: the others are added where there is room, and what is told in part
//! says so.

use super::super::SummaryError;
use super::super::extractive::{OPEN_STEP, more_of, with_more};
use super::entry::Entry;
use super::filling::{Chooser, Filling};
use super::{Composer, ROUNDS};
use std::collections::BTreeSet;

impl Composer<'_, '_, '_, '_> {
    /// Adds the other steps of such plans for at most `most` tokens; returns their price.
    pub(super) fn complete_plans(&mut self, most: u64) -> u64 {
        let sections = self.sections.iter_mut();
        sections.fold(0, |spent, section| spent + section.complete_plans(most - spent, &mut self.chooser))
    }

    /// Adds to the last chosen step of such a plan how many are left out; what has no room for that is taken back.
    ///
    /// # Errors
    /// Those of [`Composer::trim`].
    pub(super) fn tell_cut_plans(&mut self) -> Result<(), SummaryError> {
        for _ in 0..ROUNDS {
            self.sections.iter_mut().for_each(Filling::tell_cut_plans);
            if self.tokens_of_whole() <= self.request.budget {
                break;
            }
            self.trim()?;
        }
        Ok(())
    }
}

impl Filling<'_> {
    fn complete_plans(&mut self, most: u64, Chooser { covered, tools }: &mut Chooser<'_>) -> u64 {
        let before = self.spent;
        for (_, missing) in self.cut_plans() {
            let price: u64 = missing.iter().map(|at| self.items[*at].priced(*tools, false)).sum();
            if price <= most - (self.spent - before) {
                missing.into_iter().for_each(|at| self.take(at, covered));
                self.spent += price;
            }
        }
        self.spent - before
    }

    fn tell_cut_plans(&mut self) {
        let steps = self.items.iter_mut().filter(|entry| plan(entry).is_some());
        steps.for_each(|entry| entry.text.clone_from(&entry.item.text));
        for (last, missing) in self.cut_plans() {
            // The last of the steps that a plan may have here carries how many others there are.
            let more = missing.iter().map(|at| 1 + more_of(&self.items[*at].text)).sum();
            self.items[last].text = with_more(&self.items[last].text, more);
            self.items[last].gist = None;
        }
    }

    /// For each plan of which some steps are chosen and others not: the last chosen one, and the others.
    fn cut_plans(&self) -> Vec<(usize, Vec<usize>)> {
        let chosen = self.items.iter().filter(|entry| entry.is_chosen());
        let plans: BTreeSet<usize> = chosen.filter_map(plan).collect();
        let parts = plans.into_iter().filter_map(|own| {
            let steps = (0..self.items.len()).filter(|at| plan(&self.items[*at]) == Some(own));
            let (chosen, missing): (Vec<_>, Vec<_>) = steps.partition(|at| self.items[*at].is_chosen());
            Some((*chosen.last()?, missing)).filter(|(_, missing)| !missing.is_empty())
        });
        parts.collect()
    }
}

/// The plan of an open step, by its message.
fn plan(entry: &Entry<'_>) -> Option<usize> {
    entry.item.origin.filter(|_| entry.item.text.starts_with(OPEN_STEP))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use crate::summary::builders::{act, agent, request, user};
    use crate::summary::{Template, extractive};

    /// The open steps that a summary of a session with this plan tells.
    fn told(steps: &[&str], budget: u64) -> Vec<String> {
        let steps: Vec<_> = steps.iter().map(|step| serde_json::json!({"step": step, "status": "pending"})).collect();
        let plan = serde_json::json!({ "plan": steps }).to_string();
        let mut messages = vec![user("Build the harbour of the island.")];
        for at in 0..60 {
            let file = format!(r#"{{"file_path":"/w/src/lamp_of_pier_{at}.rs","old_string":"a","new_string":"b"}}"#);
            messages.extend(act("Edit", &file, "ok", false));
            messages
                .push(agent(&format!("The root cause was that `light_{at}` in `lamp_of_pier_{at}.rs` has no oil.")));
        }
        messages.extend(act("update_plan", &plan, "ok", false));
        let summary = extractive(&request(&messages, budget), &Template::default()).unwrap();
        let lines = summary.text.lines().filter_map(|line| line.trim().strip_prefix("- Open step"));
        lines.map(str::to_owned).collect()
    }

    const LONG: &str = "Draw the maps of all of the old and the new quays and piers of the island, with their ropes, \
                        their lamps and their stairs, and hang them up in the office of the keeper";
    const STEPS: [&str; 4] = ["Dredge `basin_1`", LONG, "Paint `quay_2`", "Ring `bell_3`"];

    #[test]
    fn a_plan_is_told_whole_where_there_is_room() {
        for budget in [550, 600, 700, 1_500] {
            assert_eq!(told(&STEPS, budget).len(), STEPS.len(), "{budget}");
        }
    }

    #[test]
    fn a_plan_that_is_told_in_part_says_so() {
        let cut = (200..700).step_by(20).map(|budget| told(&STEPS, budget));
        let mut cut = cut.filter(|told| !told.is_empty() && told.len() < STEPS.len()).peekable();
        assert!(cut.peek().is_some());
        for told in cut {
            let last = format!(" (and {} more open)", STEPS.len() - told.len());
            assert!(told.last().unwrap().ends_with(&last), "{told:?}");
        }
    }

    #[test]
    fn steps_beyond_the_most_are_counted_too() {
        let steps: Vec<String> =
            (0..14).map(|at| format!("Light the lamp of pier {at} and paint its stairs")).collect();
        let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
        for told in (200..700).step_by(20).map(|budget| told(&steps, budget)).filter(|told| !told.is_empty()) {
            let last = format!(" (and {} more open)", steps.len() - told.len());
            assert!(told.last().unwrap().ends_with(&last), "{told:?}");
        }
    }
}
