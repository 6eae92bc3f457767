//! Numbers before the lines of output: of a builder's steps, of times, of a diff's lines.

use crate::summary::text::is_number;

/// Minimum number of added lines of a numbered diff, and of one that only adds.
const ADDED: usize = 2;
const ONLY_ADDED: usize = 4;

/// Whether a text shows a numbered diff as agents print it: `- 12 lit`, `+ 12 out`.
pub(super) fn shows_diff(text: &str) -> bool {
    let changed = |sign: char| text.lines().filter_map(move |line| number(line, sign));
    let added: Vec<u64> = changed('+').collect();
    let rise = || added.windows(2).all(|two| two[0] < two[1]);
    let is_padded = || text.lines().filter(|line| line.ends_with("  ")).count() >= ADDED;
    added.len() >= ADDED && changed('-').next().is_some() || added.len() >= ONLY_ADDED && rise() && is_padded()
}

/// The number of a changed line.
fn number(line: &str, sign: char) -> Option<u64> {
    let rest = line.trim_start().strip_prefix(sign)?.trim_start();
    rest.split_once(' ').and_then(|(number, _)| number.parse().ok())
}

/// Whether a line is one of a numbered diff: changed, unchanged, or the rest of a wrapped one.
pub(super) fn is_of_diff(line: &str) -> bool {
    let indent = line.len() - line.trim_start().len();
    // A terminal pads its lines.
    let goes_on = !line.trim_start().starts_with(char::is_uppercase);
    let is_wrapped = goes_on && (indent >= 4 || indent > 0 && line.ends_with("  "));
    is_wrapped || ['+', '-'].into_iter().any(|sign| number(line, sign).is_some())
}

/// Whether a text shows the trace of a notebook, whose lines of code are numbered: `---> 16 light()`.
pub(super) fn shows_trace(text: &str) -> bool {
    text.lines().any(is_arrow)
}

fn is_arrow(line: &str) -> bool {
    let rest = line.trim_start().trim_start_matches('-');
    line.trim_start().starts_with("--") && rest.strip_prefix("> ").is_some_and(starts_with_number)
}

/// Whether a line is one of such a trace: the place of a frame, or a numbered line.
pub(super) fn is_of_trace(line: &str) -> bool {
    let bare = line.trim_start();
    let (inner, elided) = (bare.len() < line.len(), bare.strip_prefix("(...)").map(str::trim_start));
    let frame = bare.starts_with("Cell In[") || bare.starts_with("File ") && bare.contains(", in ");
    frame || is_arrow(line) || (inner || elided.is_some()) && starts_with_number(elided.unwrap_or(bare))
}

fn starts_with_number(text: &str) -> bool {
    let rest = text.trim_start_matches(|char: char| char.is_ascii_digit());
    rest.len() < text.len() && (rest.is_empty() || rest.starts_with(' '))
}

/// A line of output without the number of its step and its time: `#8 158.5 npm error`, `12:03:04 npm error`.
pub(super) fn without_time(line: &str) -> &str {
    let numbered = line.strip_prefix('#').filter(|rest| starts_with_number(rest));
    let line = numbered.and_then(|rest| Some(rest.split_once(' ')?.1)).unwrap_or(line);
    let timed = line.split_once(' ').filter(|(time, _)| {
        let time = time.trim_matches(['[', ']']);
        // “1:” and “2.” number an answer.
        let mut numbers = time.split(['.', ':']);
        time.contains(['.', ':']) && numbers.all(is_number)
    });
    timed.map_or(line, |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_that_only_adds_has_rising_numbers() {
        assert!(shows_diff(" + 8 - the lamp\n of the pier  \n + 9 - the quay  \n + 10  \n + 11 ### Mended \n"));
        assert!(!shows_diff("+ 1 week\n+ 2 weeks\n+ 3 weeks\n+ 4 weeks\n  Never light it before.  \n"));
        assert!(!shows_diff("+ 8 lamps\n+ 2 quays\n+ 7 piers\n+ 1 ferry\n") && !shows_diff("+ 1 lamp\n+ 2 quays\n"));
        assert!(!is_of_diff("    Always ask me before a release."));
        assert!(is_of_diff(" of the pier, and displays the first line.   ") && !is_of_diff(" of the pier, please."));
    }

    #[test]
    fn a_time_has_digits_around_its_colons() {
        for (line, left) in [
            ("12:03:04 npm error", "npm error"),
            ("[0.52] npm error", "npm error"),
            ("#8 158.5 npm error", "npm error"),
            ("2: no, never delete tags", "2: no, never delete tags"),
            (":30 is too late", ":30 is too late"),
            ("2. no", "2. no"),
        ] {
            assert_eq!(without_time(line), left);
        }
    }

    #[test]
    fn the_trace_of_a_notebook_has_numbered_lines_of_code() {
        let trace = "Cell In[7], line 16\n     15 # light it\n---> 16 light()\nFile ~/quay/lamp.py:92, in light()\n     91 \n   (...)    95     oil=oil\n";
        assert!(shows_trace(trace) && trace.lines().all(is_of_trace));
        for own in ["16 lamps must burn", "It fails in line 16:", "  - 3 lamps must burn", "--> see above"] {
            assert!(!is_of_trace(own) && !shows_trace(own), "{own}");
        }
    }
}
