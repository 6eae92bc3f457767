//! Closes the quotation that a line leaves open: a sentence may end within one, and the mark of its end was left to
//! another sentence, or cut off.

use std::borrow::Cow;

/// Marks that open a quotation, each with the one that closes it.
const MARKS: [(char, &str); 6] = [('"', "\""), ('“', "”"), ('„', "“"), ('«', "»"), ('「', "」"), ('『', "』")];
/// Those that close one; some languages open with them, or close with one that opens elsewhere.
const CLOSE: [char; 4] = ['”', '»', '」', '』'];
/// Signs of code and data, in which a mark is none of a quotation.
const OF_CODE: [char; 10] = ['`', '{', '}', '[', ']', '<', '>', '=', '|', '\\'];

/// A line with its quotation closed, if its only mark is one that opens a quotation: with a second one, of either form,
/// it is not known which of them is left open.
pub(super) fn closed(line: &str) -> Cow<'_, str> {
    let is_mark = |char: char| CLOSE.contains(&char) || MARKS.iter().any(|(mark, _)| *mark == char);
    let mut marks = line.char_indices().filter(|(_, char)| is_mark(*char));
    let (Some((at, char)), None) = (marks.next(), marks.next()) else { return Cow::Borrowed(line) };
    let (before, behind) = (&line[..at], &line[at + char.len_utf8()..]);
    let close = MARKS.into_iter().find(|(mark, _)| *mark == char && opens(char, before, behind));
    let Some((_, close)) = close.filter(|_| !line.contains(OF_CODE)) else { return Cow::Borrowed(line) };
    let space = behind.chars().next().filter(|first| first.is_whitespace());
    Cow::Owned(line.chars().chain(space).chain(close.chars()).collect())
}

/// Whether a mark opens a quotation: it stands before a word and behind none; the word is no key of data (`"lamp:`).
fn opens(char: char, before: &str, behind: &str) -> bool {
    let before = before.chars().next_back().unwrap_or(' ');
    let word = if char == '«' { behind.trim_start() } else { behind };
    let is_free = !before.is_alphanumeric() || char == '「' || char == '『';
    let is_key = word.split_whitespace().next().is_some_and(|first| first.ends_with(':'));
    // “»…«” is written, too.
    let is_spaced = char != '«' || before.is_whitespace() || before == '(';
    is_free && is_spaced && !is_key && word.starts_with(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::closed;

    #[test]
    fn a_quotation_that_a_line_leaves_open_is_closed() {
        for (torn, whole) in [
            ("\"Caution! Never open it.", "\"Caution! Never open it.\""),
            ("« Le phare est plein.", "« Le phare est plein. »"),
            ("«Der Turm ist voll.", "«Der Turm ist voll.»"),
            ("Er sagt: „Der Turm ist voll.", "Er sagt: „Der Turm ist voll.“"),
            ("「灯台です。", "「灯台です。」"),
            ("He said “It burns", "He said “It burns”"),
        ] {
            assert_eq!(closed(torn), whole);
        }
    }

    #[test]
    fn a_line_with_a_second_mark_or_code_stays() {
        for whole in [
            "Asked: “Use \"first power\" in the lead.”",
            "Asked: “Next: \"The tank is full. Never smoke.”",
            "A pipe of 5\" fits.",
            "Er sagt: „Der Turm ist voll.“ Und „mehr“.",
            "Er sagt: „Der Turm ist voll.” Und „mehr\".",
            "Never write “Hallo“ in the docs.",
            "Ich werde 100 Jahre warten“, sagte der Turm.",
            "Er schreibt “Hallo“ und „Moin“, “Kai“ nie.",
            "标签现在是“灯塔“，共3处。",
            "Ran `echo \"lamp`: ok",
            "Called `light(lamp=\"L1…)`: “lit”",
            "The line began with \"key: and had no end.",
            "JSON such as {\"lamp",
            "The regex is (\"a|b) now.",
            "It ends here.\"",
            "»Der Turm ist voll.« Und mehr.",
            "Printed `a` and a \" mark",
        ] {
            assert_eq!(closed(whole), whole);
        }
    }
}
