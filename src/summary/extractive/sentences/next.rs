//! Clauses by which the agent says what it does next: “Now revert the table.”

/// Words before a verb of [`STEPS`].
const NEXT: [&str; 3] = ["now ", "next, ", "i need to "];
/// Verbs of the agent's next steps.
const STEPS: [&str; 28] = [
    "add", "apply", "build", "check", "commit", "compile", "create", "delete", "edit", "find", "fix", "install",
    "look", "move", "push", "read", "rebuild", "remove", "rename", "replace", "rerun", "restart", "revert", "run",
    "start", "test", "update", "write",
];

/// Whether a lower-case clause says what the agent does next.
pub(super) fn is_next(clause: &str) -> bool {
    let behind = NEXT.iter().find_map(|start| clause.trim_start().strip_prefix(start));
    behind.and_then(|behind| behind.split(' ').next()).is_some_and(|verb| STEPS.contains(&verb))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verb_behind_now_is_a_next_step() {
        assert!(is_next("now revert the table to the old one") && is_next(" i need to check the gate"));
        assert!(!is_next("now the lamp burns") && !is_next("the tests now run") && !is_next("i need to know the pier"));
    }
}
