//! Undoes the escapes of Markdown: `my\_lamp` names `my_lamp`.

use crate::measure::pattern;
use regex::Regex;
use std::sync::LazyLock;

/// A backslash that escapes no underscore, as in a path of Windows or in code.
static OTHER: LazyLock<Regex> = LazyLock::new(|| pattern(r"\\[^_]"));

/// A text with plain underscores, on each line that has no other backslash.
pub(super) fn unescaped(text: &str) -> String {
    let plain = |line: &str| {
        if OTHER.is_match(line.trim_end()) { line.to_owned() } else { line.replace(r"\_", "_") }
    };
    text.split_inclusive('\n').map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::unescaped;

    #[test]
    fn only_underscores_are_unescaped_and_no_paths() {
        let text = "the \\_lamp and my\\_lamp\\_row\nin C:\\quay\\_lamp\nend\n";
        assert_eq!(unescaped(text), "the _lamp and my_lamp_row\nin C:\\quay\\_lamp\nend\n");
    }
}
