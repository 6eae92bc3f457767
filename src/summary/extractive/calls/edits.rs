//! Decides whether a file change was made, by the first words of its result, before any text of a file.

use super::complaint::with_next;
use super::outcome::DETAIL;
use super::output::lines;
use crate::summary::extractive::sentences::sieve::Sieve;
use crate::summary::text::{cut, first_bytes, replaced, starts_any, unquoted};
use std::borrow::Cow;
use std::sync::LazyLock;

/// Bytes of a result that are looked at, bytes of words, and number of lines.
const FIRST: usize = 600;
const WORDS: usize = 200;
const LINES: usize = 3;

/// Beginnings of words that say that nothing was changed.
const FAILURES: &[&str] = &[
    " error",
    " exception",
    " traceback",
    " fail",
    " reject",
    " denied",
    " denies",
    " declin",
    " abort",
    " cancel",
    " refus",
    " interrupted",
    " unable",
    " could not",
    " couldn't",
    " cannot",
    " can't",
    " can not",
    " did not",
    " didn't",
    " does not",
    " doesn't",
    " was not",
    " were not",
    " not been",
    " not found",
    " not unique",
    " not permitted",
    " not allowed",
    " not exist",
    " no replacement",
    " no match",
    " no changes",
    " no such",
    " multiple occurrences",
    " multiple matches",
    " matches of",
    " invalid",
    " must ",
    " has introduced",
    " success false",
    " ok false",
    " unexpectedly",
];
/// Beginnings of words that say that something was changed.
const CHANGES: &[&str] = &[
    " success",
    " updated",
    " wrote",
    " written",
    " created",
    " applied",
    " edited",
    " replaced",
    " saved",
    " deleted",
    " removed",
    " inserted",
    " added",
    " renamed",
    " moved",
    " overwritten",
    " appended",
    " done",
    " ok",
];

static FAILED: LazyLock<Sieve> = LazyLock::new(|| Sieve::new(FAILURES));
static CHANGED: LazyLock<Sieve> = LazyLock::new(|| Sieve::new(CHANGES));

/// The line of a result that refuses a change or says that it failed; `None` if a success is stated first.
pub(super) fn refusal(result: &str) -> Option<String> {
    let words = opening(first_bytes(result, FIRST));
    let failure = FAILED.first(&words)?;
    if CHANGED.first(&words).is_some_and(|change| change < failure) {
        return None;
    }
    let line = lines(result).next()?;
    Some(cut(with_next(line, [result, ""]).trim_end_matches("</tool_use_error>"), DETAIL).into_owned())
}

/// Fields that say that there was no error.
const NO_ERROR: [&str; 8] = [
    r#""error":null"#,
    r#""error": null"#,
    r#""error":"""#,
    r#""error": """#,
    r#""error":false"#,
    r#""error": false"#,
    r#""errors":[]"#,
    r#""errors": []"#,
];

/// The words before the text of a file, each after a space, in lower case and without names.
fn opening(result: &str) -> String {
    let start = result.trim_start();
    let fields = || replaced(start, &NO_ERROR, "");
    let bare = |text: Cow<'_, str>| text.replace(['{', '"', ':', ',', '}'], " ");
    let plain = if start.starts_with('{') { bare(fields()) } else { unquoted(start).0 };
    let told = plain.trim_start().split("\n\n").next().unwrap_or_default();
    let told = lines(told).take_while(|line| !is_text_of_file(line)).take(LINES);
    let mut words = String::new();
    for word in told.flat_map(str::split_whitespace).map(|word| word.trim_matches(|char: char| !char.is_alphanumeric()))
    {
        if !word.is_empty() && !word.contains(['/', '\\', '.', '_']) {
            words.push(' ');
            words.push_str(&word.to_lowercase());
        }
    }
    words.push(' ');
    first_bytes(&words, WORDS).to_owned()
}

/// Whether a line is numbered, of a diff, or code.
fn is_text_of_file(line: &str) -> bool {
    let behind = line.trim_start_matches(|char: char| char.is_ascii_digit());
    let numbered =
        behind.len() < line.len() && (behind.is_empty() || behind.trim_start().starts_with([':', '|', '→', '\t']));
    let starts = ["diff ", "@@", "Index:", "//", "/*", "import ", "use ", "def ", "fn ", "class "];
    numbered || line.ends_with(['{', '}', ';']) || starts_any(line, &starts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_change_is_known_by_the_words_of_its_result() {
        for result in [
            "apply_patch verification failed: Failed to find expected lines in src/tide.rs:\nlet updated = 1;",
            "No replacement was performed, old_str `updated` did not appear verbatim in created.py.",
            "ERROR:\nNo replacement was performed. Multiple occurrences of old_str `x` in lines [1, 2].",
            "The user denied this operation.",
            "The user doesn't want to proceed with this tool use. The tool use was rejected",
            "String to replace not found in file.\nString: updated",
            "Found 2 matches of the string to replace, but replace_all is false.",
            "oldString not found in content",
            "The string to replace `a\n\nb` was not found",
            "{\"success\":false,\"message\":\"File updated by others\"}",
            "patch rejected by user",
            "Operation aborted by user",
        ] {
            assert!(refusal(result).is_some(), "{result}");
        }
        let told = refusal("Error:\nNo replacement was performed").unwrap_or_default();
        assert_eq!(told, "Error: No replacement was performed");
    }

    #[test]
    fn text_of_the_file_is_no_refusal() {
        for result in [
            "",
            "Success. Updated the following files:\nM src/failed.rs",
            "The file src/cancel.rs has been updated. Here is the result:\n1\tfn fail() {}",
            "The file `error` has been edited.",
            "[File: /w/a.py (2 lines total)]\n1:raise failed\n",
            "Applied 2 edits\nfail();",
            "1: could not read\n2: failed",
            "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-failed\n+could not",
            "New file created at x. Could not format it.",
            "{\"success\":true,\"error\":null}",
            "// aborted\nfn main() {}",
        ] {
            assert_eq!(refusal(result), None, "{result}");
        }
    }
}
