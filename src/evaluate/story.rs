//! Whether a summary tells the story: turn coverage and statement share (QUALITY §9).

use crate::measure::constraints;
use crate::report::ShareOf;
use crate::summary::{ASKED, NONE, SectionSource, own_words, starts_any};
use crate::transcript::Message;
use std::collections::HashSet;

/// Sections whose lines should be statements.
const TELLING: [&str; 2] = [SectionSource::Discoveries.heading(), SectionSource::Accomplished.heading()];
/// Beginnings of structured lines.
const OPERATIONS: &[&str] = &[
    ASKED,
    "Ran `",
    "Edited `",
    "Created `",
    "Wrote `",
    "Moved `",
    "Deleted `",
    "Committed ",
    "Open step",
    "Error: ",
    "Called `",
    "`",
];

/// Share of the real user messages that a line of the summary quotes or answers. `origins`: indices in `before` of the
/// messages from which lines of the summary come.
pub(super) fn turns(before: &[&Message<'_>], lines: &[HashSet<String>], origins: &[usize]) -> ShareOf {
    let mut share = ShareOf::default();
    for (index, message) in before.iter().enumerate().filter(|(_, message)| message.is_real_user()) {
        let words = constraints::content_words(&own_words(&message.said()));
        if words.len() >= 2 {
            let said = || lines.iter().any(|line| constraints::holds(line, &words));
            share.add(origins.binary_search(&index).is_ok() || said());
        }
    }
    share
}

/// Share of the lines of Discoveries and Accomplished that are sentences or structured lines.
pub(super) fn statements(summary: &str) -> ShareOf {
    let mut share = ShareOf::default();
    let mut telling = false;
    for line in summary.lines().filter(|line| !line.trim().is_empty()) {
        if let Some(heading) = line.strip_prefix("## ") {
            telling = TELLING.contains(&heading.trim_end());
        } else if telling && line.trim() != NONE {
            share.add(is_statement(line.trim_start_matches([' ', '-', '*'])));
        }
    }
    share
}

/// Whether a line is a structured line, or a sentence rather than code, JSON, diff, table or log output.
pub(super) fn is_statement(line: &str) -> bool {
    if starts_any(line, OPERATIONS) {
        return true;
    }
    let outside: String = line.split('`').step_by(2).collect();
    let signs = outside.chars().filter(|char| "{}<>;=|\\[]^~#@$".contains(*char)).count();
    let letters = outside.chars().filter(|char| char.is_alphabetic()).count();
    let words = outside.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).count();
    let dense = outside.chars().filter(|&char| char > '\u{2e80}').count();
    let data = line.starts_with(['{', '[', '|', '+', '<', '}']) || line.ends_with(['{', ';']);
    !data && (words >= 3 || dense >= 4) && signs * 12 <= letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_data_and_logs_are_no_statements() {
        for line in ["let x = foo(bar);", "{\"a\": 1}", "| a | b |", "+ added line {", "if (x) { return y; }"] {
            assert!(!is_statement(line), "{line}");
        }
        for line in ["The cache was never cleared.", "Ran `make`: ok", "缓存从未被清除。", "`a.rs` holds the parser"]
        {
            assert!(is_statement(line), "{line}");
        }
        let share = statements("## Goal\n- x = 1;\n## Discoveries\n- x = 1;\n- It is the third one.\n(none)\n");
        assert_eq!((share.part, share.of), (1, 2));
    }
}
