//! Plans that the user gave, approved or rejected, with their limits: of Claude Code's plan mode, those that Codex puts
//! into its answer, and those below an order to implement them.

use super::args::Args;
use super::delegates::is_tool;
use super::refusal::is_refused;
use crate::summary::extractive::sentences::planned::Planned;
use crate::summary::text::{QUESTION_MARKS, contains_any, each_word, starts_any};

/// Name of the tool that shows a plan, in lower case without underscores.
const TOOL: &str = "exitplanmode";
/// Start of its result if the user approved, and the heading above the plan where the result repeats it.
const APPROVED: &str = "User has approved";
const PLAN: &str = "## Approved Plan";
/// Start of its result if the user rejected, besides those of any call, and the text before the plan there.
const REJECTED: &str = "The agent proposed a plan that was rejected";
const NOT_WANTED: &str = "Rejected plan:";
/// Tags around a plan in an answer (Codex).
const PROPOSED: [&str; 2] = ["<proposed_plan>", "</proposed_plan>"];
/// Words that agree, before a request to do what such a plan says; a request to do it; and words behind that.
const AGREEING: [&str; 24] = [
    "approved",
    "awesome",
    "cool",
    "excellent",
    "fine",
    "good",
    "great",
    "gut",
    "ja",
    "lgtm",
    "looks",
    "nice",
    "ok",
    "okay",
    "oui",
    "perfect",
    "please",
    "right",
    "si",
    "sounds",
    "super",
    "sure",
    "yeah",
    "yes",
];
const GO_AHEAD: [&str; 12] = [
    "implement",
    "execute",
    "do it",
    "build it",
    "go ahead",
    "go for it",
    "proceed",
    "go on",
    "make it so",
    "setze",
    "start",
    "carry out",
];
const THE_PLAN: [&str; 16] = [
    "all",
    "ahead",
    "and",
    "as",
    "implement",
    "it",
    "now",
    "of",
    "plan",
    "please",
    "proposed",
    "that",
    "the",
    "then",
    "this",
    "with",
];
/// Whole requests of this kind in scripts without spaces.
const DENSE: [&str; 8] = ["实施", "执行", "开始实施", "请实施", "执行计划", "实施计划", "実装して", "実行して"];
/// First words of an order to do the plan below it, behind words that agree; those of scripts without spaces, behind a
/// “please”; and words for a plan.
const ORDERS: [&str; 12] = [
    "implement",
    "execute",
    "follow",
    "carry",
    "setze",
    "führe",
    "implémente",
    "exécute",
    "implementa",
    "ejecuta",
    "реализуй",
    "выполни",
];
const DENSE_ORDERS: [&str; 6] = ["实施", "实现", "执行", "按照", "実装", "実行"];
const DENSE_PLEASE: &str = "请";
const PLANS: [&str; 5] = ["plan", "план", "计划", "方案", "計画"];
/// Words of an order that is another one, or none for all of the plan.
const NOT_ALL: [&str; 19] = [
    "not",
    "never",
    "but",
    "except",
    "skip",
    "only",
    "without",
    "review",
    "critique",
    "aber",
    "außer",
    "nicht",
    "nur",
    "ohne",
    "mais",
    "sauf",
    "salvo",
    "sin",
    "кроме",
];
const DENSE_NOT_ALL: [&str; 4] = ["不要", "除了", "但", "评审"];
/// Maximum number of words of such an order.
const ORDER: usize = 20;
/// Text before the path that the plan is saved to.
const SAVED: &str = "saved to: ";

/// What the user decided on a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::summary::extractive) enum Decision {
    Approved,
    Rejected,
    /// It came with the request itself.
    Given,
}

/// A plan that the user decided on.
pub(in crate::summary::extractive) struct Shown {
    pub(in crate::summary::extractive) decision: Decision,
    /// Index of the message with the decision.
    pub(in crate::summary::extractive) message: usize,
    pub(in crate::summary::extractive) title: String,
    /// Its file, if the result names one.
    pub(in crate::summary::extractive) file: Option<String>,
    /// Steps, then limits, each in order.
    pub(in crate::summary::extractive) steps: Vec<String>,
}

impl Shown {
    fn new(decision: Decision, message: usize, file: Option<String>, Planned { title, steps }: Planned) -> Self {
        Self { decision, message, title, file, steps }
    }
}

/// Whether a tool shows the user a plan.
pub(in crate::summary::extractive) fn shows_plan(tool: &str) -> bool {
    is_tool(tool, TOOL)
}

/// The plan in the arguments or the result of such a tool; `None` if the user neither approved nor rejected it.
pub(in crate::summary::extractive) fn decided(message: usize, arguments: &str, result: &str) -> Option<Shown> {
    let result = result.trim_start();
    let approved = result.starts_with(APPROVED);
    let canceled = || result.to_lowercase().contains("cancelled");
    (approved || is_refused(result) && !canceled() || result.starts_with(REJECTED)).then_some(())?;
    let mark = if approved { PLAN } else { NOT_WANTED };
    let repeated = || Some(result.split_once(mark)?.1.split_once('\n')?.1.to_owned());
    let own = Args::read(arguments).text(&["plan"]);
    let plan = own.filter(|plan| !plan.trim().is_empty()).or_else(repeated)?;
    let file = result.split_once(SAVED).and_then(|(_, behind)| behind.lines().next());
    let file = file.map(|file| file.trim().to_owned());
    let decision = if approved { Decision::Approved } else { Decision::Rejected };
    Some(Shown::new(decision, message, file, Planned::read(&plan)?))
}

/// The text of the plan that an answer proposes.
pub(in crate::summary::extractive) fn proposed(answer: &str) -> Option<&str> {
    let (_, behind) = answer.split_once(PROPOSED[0])?;
    Some(behind.split_once(PROPOSED[1]).map_or(behind, |(plan, _)| plan))
}

/// The plan that an answer proposes, if the user's next words have it done.
pub(in crate::summary::extractive) fn accepted(message: usize, answer: &str, words: &str) -> Option<Shown> {
    let plan = Planned::read(proposed(answer)?).filter(|_| goes_ahead(words))?;
    Some(Shown::new(Decision::Approved, message, None, plan))
}

/// The plan below the first line of a request, if that orders to do it.
pub(in crate::summary::extractive) fn given(message: usize, request: &str) -> Option<Shown> {
    let (order, plan) = request.trim_start().split_once('\n')?;
    let plan = if orders_plan(order) { Planned::read(plan)? } else { return None };
    (!plan.steps.is_empty()).then(|| Shown::new(Decision::Given, message, None, plan))
}

/// Whether a line orders to do the plan below it: “Please implement the following plan:”.
fn orders_plan(line: &str) -> bool {
    let lower = line.trim().to_lowercase();
    let words: Vec<&str> = each_word(&lower).collect();
    let order = words.iter().find(|word| !AGREEING.contains(word));
    let dense = |word: &str| starts_any(word.trim_start_matches(DENSE_PLEASE), &DENSE_ORDERS);
    let ordered = order.is_some_and(|word| ORDERS.contains(word) || dense(word));
    let all = !words.iter().any(|word| NOT_ALL.contains(word)) && !contains_any(&lower, &DENSE_NOT_ALL);
    let names_plan = contains_any(&lower, &PLANS);
    lower.ends_with([':', '：']) && words.len() <= ORDER && ordered && all && names_plan
}

/// Whether a few words have a plan done, and ask for nothing else.
fn goes_ahead(said: &str) -> bool {
    let lower = said.to_lowercase();
    let bare = lower.trim_matches(|char: char| !char.is_alphanumeric());
    let words: Vec<&str> = each_word(bare).collect();
    let agreeing = words.iter().take_while(|word| AGREEING.contains(word)).count();
    let rest = words[agreeing..].join(" ");
    let order = GO_AHEAD.iter().find_map(|order| rest.strip_prefix(order));
    let only = |rest: &str| each_word(rest).all(|word| THE_PLAN.contains(&word));
    let is_asked = lower.contains(QUESTION_MARKS);
    !is_asked && (DENSE.contains(&bare) || agreeing > 0 && rest.is_empty() || order.is_some_and(only))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Plan: light the pier\n\n## Context\nIt is dark.\n\n## Steps\n1. Renew the **oil** of `lamp.rs`.\n   \
                        - with tar\n2. Keep the old buoy.\n\n## Not in scope\nNo new lamps.\n";

    #[test]
    fn what_was_approved_is_told_with_its_limits() {
        let result = "User has approved your plan. You can now start.\n\nYour plan has been saved to: /q/plans/x.md\n";
        let own = decided(3, &serde_json::json!({ "plan": TEXT }).to_string(), result).map(|plan| {
            assert_eq!(
                (plan.decision, plan.message, plan.file.as_deref()),
                (Decision::Approved, 3, Some("/q/plans/x.md"))
            );
            (plan.title, plan.steps)
        });
        let steps = ["Renew the oil of `lamp.rs`.", "Keep the old buoy.", "Not in scope: No new lamps."];
        assert_eq!(own, Some(("light the pier".to_owned(), steps.map(str::to_owned).to_vec())));
        let repeated = decided(3, "{}", &format!("{result}\n## Approved Plan:\n{TEXT}"));
        assert!(repeated.is_some_and(|plan| plan.steps == steps));
        assert!(decided(3, "{}", "The user doesn't want to proceed with this tool use.").is_none(), "no plan is known");
        assert!(decided(3, &serde_json::json!({ "plan": TEXT }).to_string(), "Error: no plan mode").is_none());
        assert!(shows_plan("ExitPlanMode") && shows_plan("exit_plan_mode") && !shows_plan("EnterPlanMode"));
    }

    #[test]
    fn a_plan_in_an_answer_is_accepted_by_the_next_words() {
        let answer = format!("Here it is:\n<proposed_plan>\n{TEXT}</proposed_plan>");
        for words in ["Implement the plan.", "yes", "ok, go ahead", "Looks great, proceed", "实施。", "Yes please."]
        {
            let plan = accepted(3, &answer, words).map(|plan| (plan.decision, plan.title, plan.steps.len()));
            assert_eq!(plan, Some((Decision::Approved, "light the pier".to_owned(), 3)), "{words}");
        }
        for words in [
            "Implement only step 1, but not the buoy.",
            "Implement only step 1.",
            "Never implement that.",
            "Hold off, I'll implement it myself.",
            "Start over with another plan.",
            "Yes please, once Bob agrees",
            "不要实施。",
            "Thanks!",
            "...",
            "Why the oil?",
            "no",
            "Draw a map of the harbour",
        ] {
            assert!(accepted(3, &answer, words).is_none(), "{words}");
        }
        assert!(accepted(3, TEXT, "yes").is_none(), "no plan is proposed");
    }

    #[test]
    fn what_was_rejected_is_known_by_its_title() {
        let told =
            |arguments: &str, result: &str| decided(3, arguments, result).map(|plan| (plan.decision, plan.title));
        let shown = serde_json::json!({ "plan": TEXT }).to_string();
        let refused = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
        let rejected = Some((Decision::Rejected, "light the pier".to_owned()));
        assert_eq!(told(&shown, refused), rejected);
        let repeated = format!("{REJECTED} by the user. They stay in plan mode.\n\n{NOT_WANTED}\n{TEXT}");
        assert_eq!(told("{}", &repeated), rejected);
    }

    #[test]
    fn a_plan_below_an_order_to_do_it_is_given() {
        let steps = ["Renew the oil of `lamp.rs`.", "Keep the old buoy.", "Not in scope: No new lamps."];
        for order in [
            "Implement the following plan:",
            "PLEASE IMPLEMENT THIS PLAN:",
            "Ok, execute the plan:",
            "请执行以下计划：",
            "Setze bitte diesen Plan um:",
        ] {
            let plan = given(3, &format!("{order}\n\n{TEXT}")).map(|plan| (plan.decision, plan.steps));
            assert_eq!(plan, Some((Decision::Given, steps.map(str::to_owned).to_vec())), "{order}");
        }
        for order in [
            "Review the following plan:",
            "Don't implement this plan:",
            "Do not implement the following plan:",
            "Do you agree with this plan:",
            "Follow the plan below, but skip step 2:",
            "Implement this:",
            "Implement the plan.",
        ] {
            assert!(given(3, &format!("{order}\n\n{TEXT}")).is_none(), "{order}");
        }
        assert!(given(3, "Implement the following plan:\n\nIt is dark.").is_none(), "no steps");
    }
}
