//! The mark behind a line of a summary that says which line of the input it comes from: `- Edited `src/x.rs` [line 12]`.
//!
//! A mark is no part of what the line says. It is true of one input only, so an earlier summary is read without its marks.

const START: &str = " [line ";
const END: &str = "]";

/// The mark for a line of the input, from 1.
pub(super) fn mark(line: usize) -> String {
    format!("{START}{line}{END}")
}

/// A line without its mark.
pub fn unmarked(line: &str) -> &str {
    let parts = line.trim_end().strip_suffix(END).and_then(|rest| rest.rsplit_once(START));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    parts.filter(|(_, number)| is_number(number)).map_or(line, |(text, _)| text)
}

/// A text of as many lines without their marks.
pub fn without_marks(text: &str) -> String {
    text.split('\n').map(unmarked).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_comes_off_and_nothing_else_does() {
        assert_eq!(unmarked(&format!("- Edited `x.rs`{}", mark(12))), "- Edited `x.rs`");
        for whole in ["- See [line 12] there", "- x [line ]", "- x [line a1]", "- x[line 1]", ""] {
            assert_eq!(unmarked(whole), whole);
        }
        assert_eq!(without_marks("a [line 1]\n\nb [line 22]\n"), "a\n\nb\n");
    }
}
