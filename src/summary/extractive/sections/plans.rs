//! Plans that the user gave or decided on. Of several with one title, versions of one plan, the last decision counts;
//! but a version that was rejected after another was approved does not undo that.

use super::accomplished::{STORY, rank};
use crate::summary::extractive::calls::approved::{Decision, Shown};
use crate::summary::extractive::sentences::planned::binds;
use crate::summary::extractive::session::endings::Endings;
use crate::summary::items::{Item, PLAIN};
use crate::summary::text::starts_any;
use foldhash::HashMap;

/// Prefix of a step of a plan.
const PLANNED: &str = "Planned: ";
/// Beginnings of a step that creates something.
const CREATES: [&str; 8] = ["create ", "erstelle ", "créer ", "crear ", "criar ", "создать ", "创建", "新建"];
/// Tier of the steps of a given plan after which something else was asked: printed wherever there is room.
const PAST_STEP: i64 = 4;
/// Said of an approved plan of which a later version was not.
const REJECTED_SINCE: &str = "; a later version was rejected";

/// The messages with the decisions on each plan, by its title.
pub(super) struct Decided<'t> {
    /// The last approval, and the last rejection.
    last: HashMap<&'t str, (Option<usize>, Option<usize>)>,
}

impl<'t> Decided<'t> {
    pub(super) fn of(plans: impl Iterator<Item = &'t Shown>) -> Self {
        let mut last: HashMap<&str, (Option<usize>, Option<usize>)> = HashMap::default();
        for plan in plans {
            let (approved, rejected) = last.entry(&plan.title).or_default();
            *(if plan.decision == Decision::Rejected { rejected } else { approved }) = Some(plan.message);
        }
        Self { last }
    }

    /// A plan as items, unless it is told of in another version: its title, which a given one has in its request; if it
    /// was not rejected, its steps if nothing was asked since (otherwise only its limits).
    pub(super) fn items<'p>(
        &self,
        plan: &'p Shown,
        is_newest: bool,
        newness: i64,
    ) -> impl Iterator<Item = Item> + use<'p> {
        let (approved, rejected) = self.last.get(plan.title.as_str()).copied().unwrap_or_default();
        let counts = approved.or(rejected).is_none_or(|last| last == plan.message);
        let since = if plan.decision == Decision::Approved && rejected > approved { REJECTED_SINCE } else { "" };
        let file = plan.file.as_ref().map(|file| format!(" (in `{file}`)")).unwrap_or_default();
        let decided = match plan.decision {
            Decision::Given => None,
            Decision::Approved => Some("approved"),
            Decision::Rejected => Some("rejected"),
        };
        let title = decided.filter(|_| counts).map(|decided| {
            let title = format!("User {decided} the plan “{}”{file}{since}", plan.title);
            Item::new(title, plan.message, rank(newness, 0) + STORY)
        });
        let worth = if is_newest { rank(newness, 3) } else { rank(newness, PAST_STEP).max(PLAIN + 1) };
        let step = move |step: &String| Item::new(format!("{PLANNED}{step}"), plan.message, worth);
        let stays = is_newest || plan.decision == Decision::Given;
        let steps = (plan.decision != Decision::Rejected).then_some(&plan.steps).into_iter().flatten();
        // Plans of different requests may have the same title: limits stay in any case.
        let told = move |step: &&String| binds(step) || stays && counts;
        title.into_iter().chain(steps.filter(told).map(step))
    }
}

/// Whether a step of a plan is to create files that were written since.
pub(super) fn is_made(item: &Item, endings: &Endings) -> bool {
    let step = item.text.strip_prefix(PLANNED).filter(|step| starts_any(&step.to_lowercase(), &CREATES));
    step.zip(item.origin).is_some_and(|(step, message)| endings.written_later(step, message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::builders::act;
    use crate::summary::extractive::session::turns::turns;
    use crate::transcript::Message;

    #[test]
    fn a_step_whose_file_was_written_is_over() {
        let head = [act("Write", r#"{"file_path":"/w/quay/tides.yml","content":"x"}"#, "ok", false)].concat();
        let head: Vec<&Message<'_>> = head.iter().collect();
        let endings = Endings::of(&turns(&head, &[]), &[]);
        let made = |step: &str| is_made(&Item::new(format!("{PLANNED}{step}"), 0, 0), &endings);
        assert!(made("Create `quay/tides.yml`"));
        assert!(!made("Create `quay/lamps.yml`") && !made("Extend `quay/tides.yml`"));
    }

    fn told(decisions: &[bool]) -> Vec<String> {
        let plan = |(message, approved): (usize, &bool)| Shown {
            decision: if *approved { Decision::Approved } else { Decision::Rejected },
            message,
            title: "Mend the quay".to_owned(),
            file: None,
            steps: vec![format!("Lay stone {message}."), format!("Out of scope: lamp {message}")],
        };
        let plans: Vec<_> = decisions.iter().enumerate().map(plan).collect();
        let decided = Decided::of(plans.iter());
        plans.iter().flat_map(|plan| decided.items(plan, true, 0)).map(|item| item.text).collect()
    }

    #[test]
    fn of_several_versions_of_a_plan_the_last_decision_counts() {
        assert_eq!(told(&[false, false]), ["User rejected the plan “Mend the quay”"]);
        let second =
            ["User approved the plan “Mend the quay”", "Planned: Lay stone 1.", "Planned: Out of scope: lamp 1"];
        assert_eq!(told(&[false, true]), second);
        assert_eq!(told(&[true, true])[0], "Planned: Out of scope: lamp 0");
        assert_eq!(told(&[true, true])[1..], second);
        let rejected_since = "User approved the plan “Mend the quay”; a later version was rejected";
        assert_eq!(told(&[true, false]), [rejected_since, "Planned: Lay stone 0.", "Planned: Out of scope: lamp 0"]);
    }
}
