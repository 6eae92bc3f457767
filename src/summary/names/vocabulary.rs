//! Names of harnesses and of git that stand in nearly every session and that no agent needs again: fields of reports,
//! marks and file modes. Names of tools and their fields are needed again with the next call.

/// The names.
const COMMON: [&str; 9] = [
    "100644",
    "100755",
    "ACKNOWLEDGEMENT_TYPE_ACCEPT",
    "agentId",
    "duration_ms",
    "tool_use_error",
    "tool_uses",
    "total_tokens",
    "turn_aborted",
];

/// Whether a name is one of them.
pub(super) fn is_common(name: &str) -> bool {
    COMMON.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_harnesses_are_common() {
        assert!(is_common("duration_ms") && is_common("100644"));
        assert!(!is_common("old_string") && !is_common(""));
    }
}
