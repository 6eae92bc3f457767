//! Code pasted without a fence: its comments and the texts that it prints are no words of the user.

use super::printed::is_personal;
use crate::summary::extractive::sentences::prose::without_marker;
use crate::summary::extractive::sentences::structure::is_code;
use crate::summary::fence::Fence;
use crate::summary::text::starts_any;

/// Minimum number of lines of code in a stretch, and maximum number of other lines between two of them.
const LEAST: usize = 4;
const BETWEEN: usize = 4;
/// Signs before a comment, and those around a comment of several lines.
const COMMENTS: [&str; 4] = ["'", "//", "#", "--"];
const BLOCKS: [[&str; 2]; 3] = [["/*", "*/"], ["\"\"\"", "\"\"\""], ["'''", "'''"]];
/// Beginnings of statements, each with a sign that must be on the line too, a colon at its end.
const STATEMENTS: [(&str, &str); 15] = [
    ("import ", ""),
    ("from ", " import "),
    ("def ", "("),
    ("class ", ":"),
    ("If ", " Then"),
    ("ElseIf ", " Then"),
    ("Do While ", ""),
    ("Dim ", " As "),
    ("Set ", " = "),
    ("Sub ", "("),
    ("Function ", "("),
    ("Private ", "("),
    ("Public ", "("),
    ("For ", " To "),
    ("On Error ", ""),
];
/// Beginnings of statements on indented lines that end in a colon, and of one with a value.
const INDENTED: [&str; 6] = ["if ", "elif ", "for ", "while ", "except ", "with "];
const RETURN: &str = "return ";
/// Statements of one word or two.
const WORDS: [&str; 16] = [
    "Else",
    "End Function",
    "End If",
    "End Select",
    "End Sub",
    "End With",
    "Exit Do",
    "Exit For",
    "Exit Sub",
    "Loop",
    "Next",
    "else:",
    "finally:",
    "pass",
    "return",
    "try:",
];

/// What a line is for a stretch of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Code,
    Comment,
    /// Indented or empty: of the code around it.
    Beside,
    Words,
    /// In a fence, which is left out anyway.
    Fenced,
}

/// Excludes the lines of pasted code: from its first line or comment to its last line.
pub(super) fn leave_code(lines: &[&str], own: &mut [bool]) {
    let kinds = kinds(lines);
    let mut at = 0;
    while let Some(start) = kinds[at..].iter().position(|kind| matches!(kind, Line::Code | Line::Comment)) {
        let start = at + start;
        let (end, read) = end(lines, &kinds, start);
        let code = kinds[start..end].iter().filter(|kind| **kind == Line::Code).count();
        if code >= LEAST {
            own[start..end].fill(false);
        }
        // Where there is no code up to a line, none begins before it.
        at = if code == 0 { read } else { end };
    }
}

/// The kinds of all lines.
fn kinds(lines: &[&str]) -> Vec<Line> {
    let (mut fence, mut closing) = (Fence::default(), None);
    let kind = |line: &&str| {
        if fence.holds(line) {
            return Line::Fenced;
        }
        if let Some(sign) = closing {
            closing = Some(sign).filter(|sign| !line.contains(*sign));
            return Line::Comment;
        }
        let text = line.trim_start();
        if let Some([open, close]) = BLOCKS.iter().find(|[open, _]| text.starts_with(open)) {
            closing = Some(*close).filter(|close| !text[open.len()..].contains(close));
            return Line::Comment;
        }
        of_one(line)
    };
    let kinds = lines.iter().map(kind).collect();
    // What looks like the start of a comment is none without its end.
    if closing.is_some() { of_each(lines) } else { kinds }
}

/// The kinds of all lines, each read by itself if it is in no fence.
fn of_each(lines: &[&str]) -> Vec<Line> {
    let mut fence = Fence::default();
    lines.iter().map(|line| if fence.holds(line) { Line::Fenced } else { of_one(line) }).collect()
}

/// The kind of a line by itself.
fn of_one(line: &str) -> Line {
    let text = line.trim();
    let is_comment = starts_any(text, &COMMENTS) && !text[1..].ends_with('\'');
    if text.is_empty() {
        Line::Beside
    } else if is_comment {
        Line::Comment
    } else if without_marker(text).0 || text.starts_with(|char: char| char.is_ascii_digit() || "$%+→>|".contains(char))
    {
        Line::Words
    } else if is_statement(text) || is_indented(line) && goes_on(text) || assigns(text) || calls(text) || is_code(line)
    {
        Line::Code
    } else if is_indented(line) {
        Line::Beside
    } else {
        Line::Words
    }
}

/// Index behind the last line of code of the stretch that begins at `start`, at least one line, and behind the last line
/// that was read.
fn end(lines: &[&str], kinds: &[Line], start: usize) -> (usize, usize) {
    let (mut at, mut end) = (start, start + 1);
    while at < kinds.len() {
        match kinds[at] {
            Line::Code => end = at + 1,
            Line::Fenced => break,
            Line::Words => {
                let more = kinds[at..].iter().take(BETWEEN + 1).position(|kind| *kind != Line::Words);
                if !more.is_some_and(|more| (at..at + more).all(|at| is_between(lines, kinds, at))) {
                    break;
                }
            }
            Line::Comment | Line::Beside => {}
        }
        at += 1;
    }
    (end, at.max(end))
}

/// Whether a line of words between lines of code belongs to these: it is right beside one, or has its signs.
fn is_between(lines: &[&str], kinds: &[Line], at: usize) -> bool {
    let is_beside = |at: Option<usize>| at.and_then(|at| kinds.get(at)).is_some_and(|kind| *kind == Line::Code);
    let text = lines[at].trim();
    let touches = is_beside(at.checked_sub(1)) || is_beside(Some(at + 1));
    !is_personal(text) && !without_marker(text).0 && (touches || text.contains(['(', '=']))
}

fn is_indented(line: &str) -> bool {
    line.starts_with("    ") || line.starts_with('\t')
}

/// Whether an indented line is a statement, as its words alone would not tell.
fn goes_on(text: &str) -> bool {
    text.starts_with(RETURN) || text.ends_with(':') && starts_any(text, &INDENTED)
}

fn is_statement(text: &str) -> bool {
    let has = |sign: &str| if sign == ":" { text.ends_with(sign) } else { text.contains(sign) };
    let begins = |(start, sign): &(&str, &str)| text.starts_with(start) && has(sign);
    WORDS.contains(&text) || STATEMENTS.iter().any(begins) || decorates(text)
}

/// Whether a line is a decorator: `@lamp.route("/quay")`.
fn decorates(text: &str) -> bool {
    let name = text.strip_prefix('@').map(|text| text.split_once('(').map_or(text, |(name, _)| name));
    name.is_some_and(|name| !name.is_empty() && name.chars().all(|char| char.is_alphanumeric() || "_.".contains(char)))
}

/// Whether a line sets a variable: `lit = 1`, `lamp.oil[2] = "full"  # by hand`, `a, b = 0, 1`.
fn assigns(text: &str) -> bool {
    let Some((name, value)) = text.split_once('=') else { return false };
    let name = name.trim_end().trim_end_matches(['+', '-', '*', ':']);
    let is_name = |char: char| char.is_alphanumeric() || "_.,[]()\"'".contains(char);
    let one = name.split(", ").all(|name| !name.is_empty() && name.chars().all(is_name));
    one && name.starts_with(char::is_alphabetic) && !value.starts_with('=') && !value.trim().is_empty()
}

/// Whether a line begins with a call: `print('lit')`, `lamp.light(1, by="hand"):`.
fn calls(text: &str) -> bool {
    let Some((name, rest)) = text.split_once('(') else { return false };
    let is_name = name.chars().all(|char| char.is_alphanumeric() || "_.".contains(char));
    is_name && name.starts_with(char::is_alphabetic) && rest.trim_end_matches([':', ';']).ends_with(')')
}

#[cfg(test)]
mod tests {
    use super::leave_code;

    fn own(text: &str) -> Vec<&str> {
        let lines: Vec<&str> = text.lines().collect();
        let mut own = vec![true; lines.len()];
        leave_code(&lines, &mut own);
        lines.into_iter().zip(own).filter_map(|(line, own)| (own && !line.is_empty()).then_some(line)).collect()
    }

    #[test]
    fn comments_and_texts_of_pasted_code_are_left_out() {
        let python = "Here is my script, keep the names.\n\nimport lamps\n\n# The lamp must always burn\ndef light(lamp):\n    \"\"\"\n    Never call this by day.\n    \"\"\"\n    if lamp.lit:\n        print('You must never light it twice')\n    return lamp\n\nDon't touch the tests.";
        assert_eq!(own(python), ["Here is my script, keep the names.", "Don't touch the tests."]);
        let basic = "'The board must always be saved\n\nDim Oil As Integer 'never below 4\nOil = 4\nBoard.Show\n\nIf Oil < 4 Then\nMsgBox \"Do not light it\"\nEnd If\n\nMake it faster.";
        assert_eq!(own(basic), ["Make it faster."]);
        let rules = "if the lamp fails: stop and ask\nfor the quay: always use oil\nwith ferries: never use gas\nwhile it is dark: never leave";
        assert_eq!(own(rules).len(), 4, "words in the form of code");
    }

    #[test]
    fn words_beside_a_few_lines_of_code_stay() {
        for text in [
            "# Rules\n- never run light()\n- oil = 4 must stay\n- use lamps.toml",
            "Never light it.\nlight(lamp)\nAlways fill it.",
            "oil = 4\nwick = 2\nNever change these.",
            "1. keep oil = 4\n2. call light(lamp)\n3. never call dim(lamp)\n4. set wick = 2",
        ] {
            assert_eq!(own(text), text.lines().collect::<Vec<_>>(), "{text}");
        }
        let fenced = "oil = 4\nwick = 2\n```\nlight(oil)\ndim(wick)\n```\nNever rename these.\n\nlight(oil)\n";
        assert_eq!(own(fenced).len(), 8);
        let two = "oil = 4\nwick = 2\nlight(oil)\ndim(wick)\n\nNever rename these.\n\noil = 5\nwick = 3\nlight(oil)\ndim(wick)";
        assert_eq!(own(two), ["Never rename these."]);
    }
}
