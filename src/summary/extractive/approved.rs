//! The plan that the user approved: what both agreed on, its limits included (plan mode of Claude Code).

use super::args::Args;
use super::prose::without_marker;
use crate::summary::fence::Fence;
use crate::summary::text::{cut, fold, words};

/// The tool that shows a plan, without the marks in its name.
const TOOL: &str = "exitplanmode";
/// How its result begins when the user approved, and above the plan where it repeats it.
const APPROVED: &str = "User has approved";
const PLAN: &str = "## Approved Plan";
/// Before the file that it is saved in.
const SAVED: &str = "saved to: ";
/// What titles begin with that they need not.
const LABEL: &str = "Plan: ";
/// Headings below which a plan says what it leaves alone.
const LIMITS: [&str; 7] =
    ["not in scope", "out of scope", "non-goals", "constraints", "limits", "nicht im umfang", "不在范围"];
/// Steps that are named, and characters of one.
const STEPS: usize = 8;
const LONGEST: usize = 160;

/// A plan that was approved.
pub(super) struct Approved {
    /// Index of the message that says so.
    pub(super) message: usize,
    pub(super) title: String,
    /// The file that it is in, where that is told.
    pub(super) file: Option<String>,
    /// Its steps and limits, in order.
    pub(super) steps: Vec<String>,
}

/// Whether a tool shows the user a plan.
pub(super) fn shows_plan(tool: &str) -> bool {
    tool.chars().filter(|char| *char != '_').map(|char| char.to_ascii_lowercase()).eq(TOOL.chars())
}

/// The plan in the call of such a tool, or in its result, if the user approved it.
pub(super) fn approved(message: usize, arguments: &str, result: &str) -> Option<Approved> {
    let result = result.trim_start();
    result.starts_with(APPROVED).then_some(())?;
    let repeated = || Some(result.split_once(PLAN)?.1.split_once('\n')?.1.to_owned());
    let own = Args::read(arguments).text(&["plan"]);
    let plan = own.filter(|plan| !plan.trim().is_empty()).or_else(repeated)?;
    let file = result.split_once(SAVED).and_then(|(_, behind)| behind.split_whitespace().next()).map(str::to_owned);
    let (title, steps) = read(&plan)?;
    Some(Approved { message, title, file, steps })
}

/// Its title, and the items of its outermost lists; the words below a heading that names limits.
fn read(plan: &str) -> Option<(String, Vec<String>)> {
    let (mut title, mut steps, mut limit) = (None, Vec::new(), None);
    let mut fence = Fence::default();
    for line in plan.lines().filter(|line| !line.trim().is_empty()) {
        if fence.holds(line) {
            continue;
        }
        if let Some(heading) = line.strip_prefix('#') {
            let heading = heading.trim_start_matches('#').trim();
            limit = LIMITS.iter().any(|name| heading.to_lowercase().starts_with(name)).then_some(heading);
            title = title.or_else(|| Some(heading.to_owned()));
            let (is_item, step) = without_marker(heading);
            if is_item && line.starts_with("##") {
                steps.push(step.to_owned());
            }
            continue;
        }
        let (is_item, text) = without_marker(line);
        match limit {
            Some(limit) if !line.starts_with(' ') => steps.push(format!("{limit}: {text}")),
            None if is_item => steps.push(text.to_owned()),
            None => title = title.or_else(|| Some(text.to_owned())),
            Some(_) => {}
        }
    }
    let told = |text: String| cut(&fold(&text.replace("**", "")), LONGEST).into_owned();
    let title = told(title?);
    let title = title.strip_prefix(LABEL).map_or(title.clone(), str::to_owned);
    let steps = steps.into_iter().map(told).filter(|step| words(step) > 1);
    let (limits, others): (Vec<String>, Vec<String>) =
        steps.partition(|step| LIMITS.iter().any(|name| step.to_lowercase().starts_with(name)));
    let room = STEPS.saturating_sub(limits.len().min(STEPS / 2));
    Some((title, others.into_iter().take(room).chain(limits.into_iter().take(STEPS / 2)).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Plan: light the pier\n\n## Context\nIt is dark.\n\n## Steps\n1. Renew the **oil** of `lamp.rs`.\n   \
                        - with tar\n2. Keep the old buoy.\n\n## Not in scope\nNo new lamps.\n";

    #[test]
    fn what_was_approved_is_told_with_its_limits() {
        let result = "User has approved your plan. You can now start.\n\nYour plan has been saved to: /q/plans/x.md\n";
        let own = approved(3, &serde_json::json!({ "plan": TEXT }).to_string(), result).map(|plan| {
            assert_eq!((plan.message, plan.file.as_deref()), (3, Some("/q/plans/x.md")));
            (plan.title, plan.steps)
        });
        let steps = ["Renew the oil of `lamp.rs`.", "Keep the old buoy.", "Not in scope: No new lamps."];
        assert_eq!(own, Some(("light the pier".to_owned(), steps.map(str::to_owned).to_vec())));
        let repeated = approved(3, "{}", &format!("{result}\n## Approved Plan:\n{TEXT}"));
        assert!(repeated.is_some_and(|plan| plan.steps == steps));
        assert!(approved(3, "{}", "The user doesn't want to proceed with this tool use.").is_none());
        assert!(shows_plan("ExitPlanMode") && shows_plan("exit_plan_mode") && !shows_plan("EnterPlanMode"));
    }
}
