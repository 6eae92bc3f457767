//! Provenance marks: the suffix of a summary line that names its line of the input (``- Edited `src/x.rs` [line
//! 12]``) or, where a line of the input is a whole transcript, the message in it (` [message 3]`).
//!
//! A mark is not part of the line's text. It is valid for one input only, so earlier summaries are read without
//! marks.

use super::text::is_number;
use crate::transcript::Transcript;

const LINE: &str = " [line ";
const MESSAGE: &str = " [message ";
const END: &str = "]";

/// The place of a message in the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A line, from 1.
    Line(usize),
    /// The number of the message, from 1, where the whole transcript is one line.
    Message(usize),
}

impl Place {
    /// The place of a message of a transcript, given by its index.
    pub fn of(transcript: &Transcript<'_>, message: usize) -> Self {
        let line = || Self::Line(transcript.record_of(message).line);
        transcript.number_of(message).map_or_else(line, Self::Message)
    }
}

/// The provenance mark of a place, with a space before it.
pub(super) fn mark(place: Place) -> String {
    match place {
        Place::Line(line) => format!("{LINE}{line}{END}"),
        Place::Message(number) => format!("{MESSAGE}{number}{END}"),
    }
}

/// A line without its mark.
pub fn unmarked(line: &str) -> &str {
    let Some(rest) = line.trim_end().strip_suffix(END) else { return line };
    let bare = |start| rest.rsplit_once(start).filter(|(_, number)| is_number(number)).map(|(text, _)| text);
    bare(LINE).or_else(|| bare(MESSAGE)).unwrap_or(line)
}

/// A text without the marks of its lines; the number of lines stays.
pub fn without_marks(text: &str) -> String {
    text.split('\n').map(unmarked).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_comes_off_and_nothing_else_does() {
        for (place, text) in [(Place::Line(12), " [line 12]"), (Place::Message(3), " [message 3]")] {
            assert_eq!(mark(place), text);
            assert_eq!(unmarked(&format!("- Edited `x.rs`{text}")), "- Edited `x.rs`");
        }
        for whole in ["- See [line 12] there", "- x [line ]", "- x [line a1]", "- x[line 1]", "- x [message]", ""] {
            assert_eq!(unmarked(whole), whole);
        }
        assert_eq!(without_marks("a [line 1]\n\nb [line 22]\n"), "a\n\nb\n");
    }
}
