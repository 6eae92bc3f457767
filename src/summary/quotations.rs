//! Closes quotations that a line opens: a sentence may end within one, and the mark of its end was left to another
//! sentence, or cut off.

use std::borrow::Cow;

/// Marks that open a quotation, each with the one that closes it, and with all that may.
const MARKS: [(char, &str, &str); 6] =
    [('"', "\"", "\""), ('“', "”", "”"), ('„', "“", "“”\""), ('«', "»", "»"), ('「', "」", "」"), ('『', "』", "』")];

/// A quotation that is open: where its text begins, and its marks.
type Open = (usize, (char, &'static str, &'static str));

/// A line with all its quotations closed, the inner ones before the outer. Marks in code are no quotations, nor are
/// those of a length (5").
pub(super) fn closed(line: &str) -> Cow<'_, str> {
    if !line.contains(MARKS.map(|(mark, _, _)| mark)) {
        return Cow::Borrowed(line);
    }
    let (mut open, mut added): (Vec<Open>, Vec<(usize, String)>) = (Vec::new(), Vec::new());
    let (mut in_code, mut before) = (false, ' ');
    for (at, char) in line.char_indices() {
        let behind = &line[at + char.len_utf8()..];
        if char == '`' {
            in_code = !in_code && behind.contains('`');
        } else if !in_code {
            let closes = open.iter().rposition(|(_, (_, _, closers))| closers.contains(char));
            if let Some(place) = closes {
                let inner = open.split_off(place);
                added.extend(inner[1..].iter().rev().map(|own| (at, end(line, *own))));
            } else if let Some(marks) = opened(char, before, behind) {
                open.push((at + char.len_utf8(), marks));
            }
        }
        before = char;
    }
    added.extend(open.into_iter().rev().map(|own| (line.len(), end(line, own))));
    if added.is_empty() {
        return Cow::Borrowed(line);
    }
    let (mut whole, mut from) = (String::with_capacity(line.len() + 8), 0);
    for (at, mark) in added {
        whole += &line[from..at];
        whole += &mark;
        from = at;
    }
    Cow::Owned(whole + &line[from..])
}

/// The marks of a quotation that a sign opens; the straight one must stand before a word and behind none.
fn opened(char: char, before: char, behind: &str) -> Option<(char, &'static str, &'static str)> {
    let next = behind.chars().next().filter(|next| !next.is_whitespace() || char == '«');
    let is_plain = match char {
        '"' => !before.is_alphanumeric() && next.is_some_and(|next| next.is_alphanumeric()),
        // “»…«” is written, too.
        '«' => before.is_whitespace() || before == '(',
        _ => true,
    };
    MARKS.into_iter().find(|(mark, _, _)| *mark == char && next.is_some() && is_plain)
}

/// The closing mark of a quotation, with the space that its opening one has.
fn end(line: &str, (start, (mark, close, _)): Open) -> String {
    let space = line[start..].chars().next().filter(|first| mark == '«' && first.is_whitespace());
    space.into_iter().chain(close.chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::closed;

    #[test]
    fn a_quotation_that_a_line_leaves_open_is_closed() {
        for (torn, whole) in [
            ("Asked: “Next: \"The tank is full. Never smoke.”", "Asked: “Next: \"The tank is full. Never smoke.\"”"),
            ("\"Caution! Never open it.", "\"Caution! Never open it.\""),
            ("« Le phare est plein.", "« Le phare est plein. »"),
            ("«Der Turm ist voll.", "«Der Turm ist voll.»"),
            ("Er sagt: „Der Turm ist voll.", "Er sagt: „Der Turm ist voll.“"),
            ("「灯台です。", "「灯台です。」"),
            ("He said “It burns", "He said “It burns”"),
        ] {
            assert_eq!(closed(torn), whole);
        }
        for whole in [
            "Asked: “Use \"first power\" in the lead.”",
            "A pipe of 5\" fits.",
            "Er sagt: „Der Turm ist voll.“ Und „mehr“.",
            "Er sagt: „Der Turm ist voll.” Und „mehr\".",
            "Ran `echo \"lamp`: ok",
            "Called `light(lamp=\"L1…)`: “lit”",
            "It ends here.\"",
            "»Der Turm ist voll.« Und mehr.",
            "Printed `a` and a \" mark",
        ] {
            assert_eq!(closed(whole), whole);
        }
    }
}
