//! Steps that the shown form of a command leaves out, where one of them is what failed: `cd nowhere && make`.

use super::act::Action;
use super::acts::Act;
use super::command::{LONGEST, first_step, in_one_line, without_keyword};
use super::compound::first_statement;
use super::quiet::is_quiet;
use crate::facts::program_name;
use crate::summary::text::cut;

/// Number of pieces of a complaint in which the program stands that complains: `bash: line 1: cd: …`.
const PIECES: usize = 3;

/// A failed command from the statement on that failed, in backticks, if its shown form leaves out that statement.
pub(in crate::summary::extractive) fn with_failing_step(act: &Act<'_>) -> Option<String> {
    let (Action::Run(command), Some(complaint)) = (&act.action, act.outcome.error()) else { return None };
    let line = in_one_line(command);
    let mut rest = &*line;
    while let Some((statement, next)) = first_statement(rest).filter(|(statement, _)| is_quiet(statement)) {
        if one_complains(statement, complaint) {
            return Some(format!("`{}`", cut(rest, LONGEST)));
        }
        rest = next;
    }
    None
}

/// Whether a complaint is of the program of one of a statement's steps.
fn one_complains(statement: &str, complaint: &str) -> bool {
    let mut rest = statement;
    while let Some((step, next)) = first_step(rest) {
        if complains(without_keyword(step), complaint) {
            return true;
        }
        rest = next;
    }
    complains(without_keyword(rest), complaint)
}

/// Whether a complaint is of the program of a step.
fn complains(step: &str, complaint: &str) -> bool {
    let program = step.split_whitespace().next().map(program_name).unwrap_or_default();
    !program.is_empty() && complaint.split(':').take(PIECES).any(|piece| piece.trim() == program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_complains_by_its_name() {
        for complaint in
            ["cd: no quay", "bash: line 1: cd: nowhere: No such file", "(eval):cd:1: no such file: nowhere"]
        {
            assert!(complains("cd nowhere", complaint), "{complaint}");
        }
        assert!(!complains("cd quay", "make: *** No rule to make target 'cd'"));
        assert!(complains("/bin/ls quay", "ls: cannot access 'quay': No such file or directory"));
    }
}
