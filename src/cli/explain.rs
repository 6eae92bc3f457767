//! `epitome check --explain`: what a gate, a rule, a loss of a conversion or a reason means, and what to do.

use crate::check::{Rule, left_by_fix, rule};
use crate::convert::Loss;
use crate::gates::{GATES, Gate, gate};
use crate::reason::Reason;

/// What a gate or a rule means; `gates` are all gates, one a line.
pub(super) fn explain(code: &str) -> anyhow::Result<String> {
    if code == "gates" {
        let row = |gate: &Gate| format!("{} {:<5} {:<16} {}\n", gate.id, gate.level.name(), gate.name, gate.meaning);
        return Ok(GATES.iter().map(row).collect());
    }
    if let Some(gate) = gate(&code.to_uppercase()) {
        return Ok(of_gate(gate));
    }
    if code == "losses" {
        return Ok(Loss::ALL.iter().map(|&loss| of_loss(loss)).collect());
    }
    let loss = Loss::ALL.iter().find(|loss| loss.name() == code).map(|&loss| of_loss(loss));
    let of_names = match (rule(code), Reason::by_name(code)) {
        (Some(rule), Some(reason)) if rule.meaning == reason.meaning() => Some(of_rule(rule) + &reason.what_to_do()),
        (Some(rule), reason) => Some(of_rule(rule) + &reason.map_or_else(String::new, Reason::explained)),
        (None, reason) => reason.map(Reason::explained),
    };
    let told: Vec<String> = of_names.into_iter().chain(loss).collect();
    anyhow::ensure!(
        !told.is_empty(),
        "{code}: no such gate, rule, loss or reason of a report; `epitome check --explain gates`, `--explain losses` and `--rules` list the first three"
    );
    Ok(told.concat())
}

fn of_loss(loss: Loss) -> String {
    format!("{} (a loss of convert): {}\n", loss.name(), loss.meaning())
}

fn of_rule(rule: &Rule) -> String {
    let except = left_by_fix(rule.name).map(|what| format!(" ({what})")).unwrap_or_default();
    let mend = rule.mend.map_or("left as it is".to_owned(), |mend| format!("--fix: {}{except}", mend.how));
    format!("{}: {}\nwhere: {}\nmend: {mend}\n", rule.name, rule.meaning, rule.scope.names().join(", "))
}

/// What a gate that is off does once it is asked for.
fn once_wanted(gate: &Gate) -> String {
    let limits = gate.judges_by.join(" or ");
    match (gate.level, gate.wanted) {
        (level, wanted) if level == wanted => String::new(),
        (_, wanted) if limits.is_empty() => format!(", {} if --select or [gates] asks for it", wanted.name()),
        (_, wanted) => format!(", {} once {limits} is set", wanted.name()),
    }
}

fn of_gate(gate: &Gate) -> String {
    let mut text = format!("{} {}\nholds if: {}\n", gate.id, gate.name, gate.meaning);
    text += &gate.notes().iter().map(|note| format!("{note}\n")).collect::<String>();
    text += &format!("if not: {}\nlevel: {}{}\n", gate.mend, gate.level.name(), once_wanted(gate));
    for (key, default) in gate.thresholds {
        text += &format!("threshold {key}: {default}\n");
    }
    let needs = [(gate.needs_original(), "an original (--original)"), (gate.needs_summary, "a new summary")];
    let needs: Vec<_> = needs.iter().filter(|(needed, _)| *needed).map(|(_, what)| *what).collect();
    if !needs.is_empty() {
        text += &format!("needs: {}\n", needs.join(", "));
    }
    text
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_rule_and_a_reason_is_explained_once() {
        let told = explain("unreadable").unwrap();
        assert_eq!(told.matches("unreadable").count(), 1, "{told}");
        assert!(told.contains("\nmend: left as it is\nwhat to do: check its permissions\n"), "{told}");
        let told = explain("invalid_line").unwrap();
        assert!(told.contains("--fix: dropped") && told.contains("--lenient"), "of a line, and of its file: {told}");
    }

    #[test]
    fn what_a_mend_leaves_is_told() {
        for (rule, except) in [("orphan_result", "names no call"), ("duplicate_result", "as many calls")] {
            let told = explain(rule).unwrap();
            assert!(told.contains("--fix: dropped (not ") && told.contains(except), "{told}");
        }
    }
}
