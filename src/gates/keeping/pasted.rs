//! Lines of a user's message that are not the user's own words: table rows, data, code comments, and pasted terminal
//! output of an agent.

use crate::summary::{binds_nobody, is_number};

/// Spaces before an indented line of code in a text.
const INDENT: usize = 4;
/// Signs before what an agent says in a terminal; continuation lines are indented. The second is also a common bullet,
/// so it counts only in a text with one of `SIGNS`.
const SAYS: [char; 2] = ['⏺', '●'];
const SIGNS: [char; 3] = ['⏺', '⎿', '❯'];
/// Text pasted from a terminal whose lines are padded: at least so many lines end with these spaces.
const FILLED: (&str, usize) = ("        ", 3);

/// Whether all lines with this sentence are pasted, or headings with a number.
pub(super) fn is_pasted(sentence: &str, text: &str) -> bool {
    let mut widths = text.lines().filter(|line| line.ends_with(FILLED.0)).map(|line| line.chars().count());
    let width = widths.next();
    // All padded lines must have the same width.
    let filled =
        width.is_some() && widths.filter(|other| Some(*other) == width).take(FILLED.1 - 1).count() == FILLED.1 - 1;
    let shown = text.contains(SIGNS);
    let (mut agent, mut data) = (filled, false);
    let mut lines = text.lines().filter_map(|line| {
        let goes_on = line.trim().is_empty() || line.starts_with([' ', '⎿']);
        agent = shown && line.starts_with(SAYS) || (agent || filled) && goes_on;
        let inside = data;
        // Data from a server may be wrapped over lines; it ends at an empty line or a closing brace.
        data = !line.trim().is_empty() && (data || is_data(line)) && !line.trim_end().ends_with('}');
        let at = line.find(sentence)?;
        let pasted = agent || inside || is_data(&line[..at]) || is_row(line) || is_comment(line);
        Some(pasted || is_title(line, sentence))
    });
    lines.next().is_some_and(|first| first && lines.all(|pasted| pasted))
}

/// Whether a line is a row of a table.
fn is_row(line: &str) -> bool {
    line.trim_start().strip_prefix('|').is_some_and(|rest| rest.contains('|'))
}

/// Whether a JSON object is opened here and not closed: a server's error, a line of a log.
fn is_data(before: &str) -> bool {
    let Some(at) = before.find("{\"") else { return false };
    let count = |brace: char| before[at..].matches(brace).count();
    before[at..].contains("\":") && count('{') > count('}')
}

/// Whether a line is an indented code comment; at the margin it would be a heading. In the trace of a notebook the number
/// of the line stands before it.
fn is_comment(line: &str) -> bool {
    let code = line.trim_start().trim_start_matches(|sign: char| sign.is_ascii_digit());
    let bare = code.trim_start();
    let indent = &line[..line.len() - bare.len()];
    bare.starts_with("# ") && (indent.len() >= INDENT || indent.contains('\t'))
}

/// Whether a sentence is the title of a numbered heading and forbids nothing: “### 2. Tables (keep short)”.
fn is_title(line: &str, sentence: &str) -> bool {
    let line = line.trim();
    let title = line.trim_start_matches('#');
    let (number, rest) = title.trim_start().split_once(['.', ')']).unwrap_or_default();
    let numbered = is_number(number);
    title.len() < line.len() && numbered && rest.trim() == sentence && binds_nobody(&format!("# {sentence}"))
}

#[cfg(test)]
mod tests {
    use super::is_pasted;

    #[test]
    fn what_stands_in_rows_data_comments_and_terminals_is_pasted() {
        for (sentence, text) in [
            ("The quay must stay dry.", "| Quay | Water rises. The quay must stay dry. |\n"),
            (
                "lamps were lit without oil.",
                "Mend it:\n{\"type\":\"error\",\"message\":\"lamps: lamps were lit without oil.\"}",
            ),
            ("# Never light a lamp twice.", "def light(lamp):\n    # Never light a lamp twice.\n    lamp.on()"),
            ("93     # Never light a lamp twice.", "     92     if lamp:\n     93     # Never light a lamp twice."),
            ("Tables (keep short)", "### 2. Tables (keep short)\n- one row a harbour"),
            (
                "lamps were lit without oil.",
                "This results in\n\n Error: 400 {\"type\":\"error\",\"message\":\"quay.7: some\n lamps were lit without oil. Each\n lamp is named.\"}",
            ),
            (
                "Never light it twice.",
                "Take this:\n\n  The lamp is old.              \n  Never light it twice.         \n\n  It goes out.                  \n\nMend it.",
            ),
            (
                "It should close the gate first.",
                "⏺ That is the fault.\n\n  It should close the gate first.\n\n❯ Mend it",
            ),
        ] {
            assert!(is_pasted(sentence, text), "{text}");
        }
    }

    #[test]
    fn words_of_the_user_are_not() {
        for (sentence, text) in [
            ("The quay must stay dry.", "The quay must stay dry.\n| The quay must stay dry. |"),
            ("Never light a lamp twice.", "Never light a lamp twice. {\"type\":\"error\"}"),
            ("# Never light a lamp twice.", "# Never light a lamp twice."),
            ("Never light a lamp twice", "## 3. Never light a lamp twice"),
            ("Use the small gauge.", "  Use the small gauge."),
            ("Use the small gauge.", "⏺ The large gauge is wrong.\nUse the small gauge."),
            ("Use the small gauge.", "2. Use the small gauge."),
            ("Use the small gauge.", "{\"type\":\"error\",\n\nUse the small gauge."),
            ("Use the small gauge.", "It says {\"tide\":\"low\"} here. Use the small gauge."),
            ("Use the small gauge.", "It says {\"tide\":\"low\"}\nUse the small gauge."),
        ] {
            assert!(!is_pasted(sentence, text), "{text}");
        }
    }
}
