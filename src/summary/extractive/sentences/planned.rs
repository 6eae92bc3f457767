//! What a plan in Markdown says is to be done: its title, its steps and its limits.

use super::prose::without_marker;
use crate::summary::fence::Fence;
use crate::summary::text::{contains_any, cut, fold, starts_any, words};

/// Prefix that is removed from titles.
const LABEL: &str = "Plan: ";
/// Beginnings of headings of the limits of a plan.
const LIMITS: [&str; 22] = [
    "not in scope",
    "out of scope",
    "non-goals",
    "constraints",
    "limits",
    "no changes",
    "not changing",
    "not fixing",
    "what not",
    "unchanged",
    "files unchanged",
    "do not",
    "don't",
    "nicht im umfang",
    "nicht tun",
    "fuera de alcance",
    "fora do escopo",
    "вне рамок",
    "hors périmètre",
    "不在范围",
    "不修改",
    "不需要",
];
/// Words in headings of work to do; under other headings only numbered items count.
const DOING: [&str; 24] = [
    "step",
    "phase",
    "task",
    "implementation",
    "change",
    "approach",
    "to do",
    "schritt",
    "änderung",
    "umsetzung",
    "étape",
    "modification",
    "paso",
    "cambio",
    "passo",
    "шаг",
    "этап",
    "изменени",
    "步骤",
    "改动",
    "修改",
    "方案",
    "实施",
    "手順",
];
/// Words in headings of background, or of work that is not, or no longer, to be done.
const OTHER: [&str; 46] = [
    "context",
    "problem",
    "background",
    "motivation",
    "alternative",
    "option",
    "rejected",
    "risk",
    "question",
    "today",
    "current",
    "why",
    "assumption",
    "verification",
    "already",
    "completed",
    "done",
    "taken",
    "hintergrund",
    "abgelehnt",
    "erledigt",
    "verworfen",
    "kontext",
    "prüfung",
    "risiken",
    "contexte",
    "vérification",
    "risque",
    "contexto",
    "verificación",
    "riesgo",
    "alternativa",
    "descartad",
    "rejet",
    "контекст",
    "проблем",
    "проверк",
    "риск",
    "отклон",
    "备选",
    "背景",
    "问题",
    "原因",
    "现状",
    "风险",
    "验证",
];
/// Maximum number of steps, and their maximum length in characters.
const STEPS: usize = 12;
/// Maximum number of limits beside them.
const MOST_LIMITS: usize = 4;
/// Characters of a step of a plan.
pub(in crate::summary::extractive) const LONGEST_STEP: usize = 160;
/// Number of headings that are steps, from which on numbered lists elsewhere are none.
const HEADED: usize = 2;

/// A plan.
pub(in crate::summary::extractive) struct Planned {
    /// Its first heading, or its first line.
    pub(in crate::summary::extractive) title: String,
    /// Steps, then limits, each in order.
    pub(in crate::summary::extractive) steps: Vec<String>,
}

/// Whether a line of a plan is a limit.
pub(in crate::summary::extractive) fn binds(step: &str) -> bool {
    let lower = step.to_lowercase();
    starts_any(&lower, &LIMITS)
}

impl Planned {
    /// Parses a plan: its title, headings that are steps, items of its outermost lists, and lines under headings of
    /// limits. `None` for an empty text.
    pub(in crate::summary::extractive) fn read(plan: &str) -> Option<Self> {
        let (mut title, mut limit, mut below) = (None, None, Below::Title);
        let (mut headed, mut listed, mut limits) = (Vec::new(), Vec::new(), Vec::new());
        let mut fence = Fence::default();
        for (place, line) in plan.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            if fence.holds(line) || is_done(line) {
                continue;
            }
            if title.is_some() && is_other_plan(line) {
                break;
            }
            if let Some(heading) = line.strip_prefix('#') {
                let heading = heading.trim_start_matches('#').trim();
                limit = binds(heading).then_some(heading);
                if title.is_none() {
                    title = Some(heading.to_owned());
                    continue;
                }
                below = Below::of(heading, below);
                if below == Below::Step && limit.is_none() {
                    headed.push((place, without_marker(heading).1.to_owned()));
                }
                continue;
            }
            let (is_item, text) = without_marker(line);
            match limit {
                Some(limit) if !line.starts_with(' ') => limits.push(told(&format!("{limit}: {text}"))),
                None if is_item && below.takes(line) => listed.push((below, place, text.to_owned())),
                None if !is_item => title = title.or_else(|| Some(text.to_owned())),
                _ => {}
            }
        }
        // Where headings are the steps, a numbered list elsewhere repeats them by files.
        listed.retain(|(below, ..)| headed.len() < HEADED || *below == Below::Doing);
        let mut steps = headed;
        steps.extend(listed.into_iter().map(|(_, place, text)| (place, text)));
        steps.sort_by_key(|(place, _)| *place);
        let steps = steps.iter().map(|(_, step)| told(step)).filter(|step| words(step) > 1).take(STEPS);
        let limits = limits.into_iter().filter(|limit| words(limit) > 1).take(MOST_LIMITS);
        let steps = steps.chain(limits).collect();
        let title = told(&title?);
        let title = title.strip_prefix(LABEL).map_or(title.clone(), str::to_owned);
        Some(Self { title, steps })
    }
}

/// Whether an item is checked, or struck out.
fn is_done(line: &str) -> bool {
    let line = line.trim_start();
    starts_any(line, &["- [x]", "- [X]", "* [x]", "* [X]"]) || without_marker(line).1.starts_with("~~")
}

/// Whether a line begins a second plan: “# Plan B”, “Plan B, only if A fails:”.
fn is_other_plan(line: &str) -> bool {
    let lower = line.to_lowercase();
    let titled = lower.strip_prefix("# ").is_some_and(|title| title.starts_with("plan"));
    titled || lower.starts_with("plan ") && lower.trim_end().ends_with([':', '：'])
}

/// A step as it is told.
fn told(text: &str) -> String {
    cut(&fold(&text.replace("**", "")), LONGEST_STEP).into_owned()
}

/// The kind of section under a heading.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Below {
    /// Only the title came before.
    Title,
    /// Work to do.
    Doing,
    /// Details of a step, which is the heading itself.
    Step,
    /// Unknown: only numbered items are work.
    Any,
    /// Background, work not to be done, or parts of a step.
    Other,
}

impl Below {
    fn of(heading: &str, before: Self) -> Self {
        let lower = heading.to_lowercase();
        if contains_any(&lower, &OTHER) {
            Self::Other
        } else if without_marker(heading).0 || is_numbered(&lower) {
            Self::Step
        } else if contains_any(&lower, &DOING) {
            Self::Doing
        } else if before == Self::Step {
            Self::Other
        } else {
            Self::Any
        }
    }

    fn takes(self, line: &str) -> bool {
        match self {
            Self::Title | Self::Doing => !line.starts_with(' '),
            Self::Any => line.starts_with(|char: char| char.is_ascii_digit()),
            Self::Step | Self::Other => false,
        }
    }
}

/// Whether a heading is a word with a number and what that step is: “Fix 2: renew the oil”, “Phase 1 — oil”, “改动 1：…”.
fn is_numbered(heading: &str) -> bool {
    let Some((name, rest)) = heading.split_once(' ') else { return false };
    let number = rest.trim_start_matches('#');
    let behind = number.trim_start_matches(|char: char| char.is_ascii_digit());
    let sign = behind.trim_start().chars().next();
    name.chars().all(char::is_alphabetic)
        && behind.len() < number.len()
        && sign.is_some_and(|sign| ":.)-–—：、".contains(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(plan: &str) -> Vec<String> {
        Planned::read(plan).map(|plan| plan.steps).unwrap_or_default()
    }

    #[test]
    fn only_what_is_to_be_done_is_a_step() {
        let text = "# Light the pier\n\n## Problems today\n- The lamps smoke at night\n\n## Alternatives\n1. Burn tar instead\n\n\
                    ## Phase 1: the oil\n- Renew it all\n### Files\n- `lamp.rs` burns\n## Phase 2: the wicks\n\n## Risks\n- Fire at sea";
        assert_eq!(steps(text), ["Phase 1: the oil", "Phase 2: the wicks"]);
        assert_eq!(steps("Light the pier\n\n- Renew the oil\n- Keep the buoy"), ["Renew the oil", "Keep the buoy"]);
    }

    #[test]
    fn headings_with_any_word_and_a_number_are_steps_and_lists_of_files_are_none_beside_them() {
        let text = "# Light\n## Fix 1: Renew the oil\nIt is old.\n## Fix #2 — keep the buoy\n## Option 3: burn tar\n\
                    ## Files to modify\n1. `lamp.rs` — new oil\n2. `buoy.rs` — none\n## What NOT to change\n- the old pier\n";
        let told = ["Fix 1: Renew the oil", "Fix #2 — keep the buoy", "What NOT to change: the old pier"];
        assert_eq!(steps(text), told);
        assert_eq!(
            steps("# 灯\n## 背景\n很暗。\n## 改动 1：换新的灯油\n## 验证\n1. 看灯是否亮"),
            ["改动 1：换新的灯油"]
        );
        assert_eq!(steps("# Light\n## Files\n1. `lamp.rs` — new oil\n"), ["`lamp.rs` — new oil"]);
    }

    #[test]
    fn what_is_done_rejected_or_of_another_plan_is_no_step() {
        let text = "# Light\n## Steps\n- [x] Renew the oil\n- [ ] Mend the wick\n- ~~Burn the tar~~\n## Steps already taken\n\
                    1. Cleaned the glass\n## Verworfene Ideen\n1. Alles neu bauen\n## Nicht tun\n- die Boje löschen\n\
                    # Plan B: not now\n## Steps\n- Move the pier\n";
        assert_eq!(steps(text), ["Mend the wick", "Nicht tun: die Boje löschen"]);
        assert_eq!(
            steps("# Plan A\n- Light the pier\n\nPlan B (only if A fails):\n- Sell the pier\n"),
            ["Light the pier"]
        );
    }

    #[test]
    fn of_a_long_plan_the_first_steps_are_told_with_the_limits() {
        let list: String = (1..20).map(|number| format!("{number}. Light lamp {number}\n")).collect();
        let told = steps(&format!("# Light\n## Steps\n{list}## Out of scope\n- the buoy\n"));
        assert_eq!((told.len(), told.last().map(String::as_str)), (STEPS + 1, Some("Out of scope: the buoy")));
    }
}
