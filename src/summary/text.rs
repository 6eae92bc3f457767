//! Text helpers: folding to one line, cuts at character boundaries, keys for comparing lines.

use std::borrow::Cow;

/// The first character of a terminal's control sequence.
const ESCAPE: char = '\u{1b}';
/// Columns that a tab counts for.
const TAB: usize = 4;
/// Maximum length of a key, in characters.
const KEY_CHARS: usize = 80;
/// Marks of a question.
pub(super) const QUESTION_MARKS: [char; 3] = ['?', '？', '؟'];
/// Signs at the end of a sentence.
pub(super) const SENTENCE_ENDS: [char; 8] = ['.', '!', '?', '。', '！', '？', '؟', '।'];

/// Folds a text to one line without control characters and terminal escapes; a triple backtick, which could open a
/// fence, becomes one.
pub(crate) fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    loop {
        // Most of a text is runs of ASCII letters.
        let plain = rest.bytes().position(|byte| !byte.is_ascii_graphic()).unwrap_or(rest.len());
        out.push_str(&rest[..plain]);
        let mut chars = rest[plain..].chars();
        let Some(char) = chars.next() else { break };
        rest = chars.as_str();
        if char == ESCAPE {
            rest = without_escape(rest);
        } else if char.is_whitespace() || char == '\u{feff}' {
            if !out.ends_with(' ') && !out.is_empty() {
                out.push(' ');
            }
        } else if !char.is_control() {
            out.push(char);
        }
    }
    out.truncate(out.trim_end().len());
    // Most texts have no backtick, and looking for one byte is much faster.
    if memchr::memchr(b'`', out.as_bytes()).is_some() && out.contains("```") { out.replace("```", "`") } else { out }
}

/// The digits of a list's number at the beginning of a line, and what stands behind it: “1. Light it”, “2) Light it”,
/// “1、点灯”, “1.灯塔”.
pub(crate) fn list_number(line: &str) -> Option<(&str, &str)> {
    let (digits, behind) = line.split_at(line.bytes().take_while(u8::is_ascii_digit).count());
    let rest = behind.strip_prefix(['.', ')', '、'])?;
    // “1.灯塔” has no space.
    let rest = rest.strip_prefix(' ').or(Some(rest).filter(|rest| rest.starts_with(is_dense)))?;
    (!digits.is_empty()).then_some((digits, rest))
}

/// Replaces all occurrences of `words`, one after the other; most texts have none and are returned as they are.
pub(super) fn replaced<'t>(text: impl Into<Cow<'t, str>>, words: &[&str], with: &str) -> Cow<'t, str> {
    let replace = |text: Cow<'t, str>, word: &&str| match text.contains(word) {
        true => text.replace(word, with).into(),
        false => text,
    };
    words.iter().fold(text.into(), replace)
}

/// Removes the redirections ` 2>&1` and ` 2>/dev/null` from a command, for display.
pub(crate) fn without_redirects(text: String) -> String {
    replaced(text, &[" 2>&1", " 2>/dev/null"], "").into_owned()
}

/// A text without terminal control sequences: colors, titles, character sets.
pub(crate) fn without_escapes(text: &str) -> Cow<'_, str> {
    if !text.contains(ESCAPE) {
        return Cow::Borrowed(text);
    }
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, behind)) = rest.split_once(ESCAPE) {
        out.push_str(before);
        rest = without_escape(behind);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The text after a control sequence; `rest` is what follows its escape character.
fn without_escape(rest: &str) -> &str {
    let end = match rest.as_bytes().first() {
        Some(b'[') => rest[1..].find(|char: char| char.is_ascii_alphabetic()).map(|at| at + 2),
        // A title or link ends at a bell, or where the next sequence starts.
        Some(b']') => {
            rest.find(['\u{7}', ESCAPE]).map(|at| at + usize::from(rest[at..].starts_with('\u{7}'))).or(Some(0))
        }
        Some(b'\\') => Some(1),
        Some(b'(' | b')') => rest[1..].chars().next().map(|set| 1 + set.len_utf8()),
        _ => Some(0),
    };
    end.map_or("", |end| &rest[end..])
}

/// Cuts a text to at most `most` characters, at a space if there is one in its last third, and marks the cut with
/// “…”.
pub(super) fn cut(text: &str, most: usize) -> Cow<'_, str> {
    let Some((end, _)) = text.char_indices().nth(most.saturating_sub(1)) else { return Cow::Borrowed(text) };
    if text[end..].chars().nth(1).is_none() {
        return Cow::Borrowed(text);
    }
    let kept = &text[..end];
    let at_word = kept.rfind(' ').filter(|&space| space * 3 > end * 2).map_or(kept, |space| &kept[..space]);
    Cow::Owned(format!("{}…", without_open(at_word).trim_end_matches([' ', ',', ';', ':', '…'])))
}

/// Cuts like [`cut`] a text that ends with a quote, and closes the quote again.
pub(super) fn cut_quote(text: &str, most: usize) -> Cow<'_, str> {
    match cut(text, most) {
        Cow::Owned(short) => Cow::Owned(short + "”"),
        whole => whole,
    }
}

/// A cut text without the code span or tag that the cut left open, if at least two thirds of it remain.
fn without_open(cut: &str) -> &str {
    let code = cut.rfind('`').filter(|_| !cut.matches('`').count().is_multiple_of(2));
    let tag = cut.rfind('<').filter(|&at| cut[at + 1..].starts_with(|char: char| char.is_alphabetic() || char == '/'));
    let tag = tag.filter(|&at| !cut[at..].contains('>'));
    let open = [code, tag].into_iter().flatten().min().filter(|&at| at * 3 > cut.len() * 2);
    open.map_or(cut, |at| &cut[..at])
}

/// Cuts like [`cut`], at the end of a clause if there is one in the second half, so that a demand is not broken off
/// in the middle of a thought.
pub(super) fn cut_clause(text: &str, most: usize) -> Cow<'_, str> {
    let Cow::Owned(short) = cut(text, most) else { return Cow::Borrowed(text) };
    let ends =
        [". ", "; ", ", ", "。", "；", "，"].iter().filter_map(|end| Some(short.rfind(end)? + end.trim_end().len()));
    match ends.max().filter(|&end| end * 2 > short.len()) {
        Some(end) => Cow::Owned(format!("{} …", short[..end].trim_end_matches([',', ';', '，', '；']))),
        None => Cow::Owned(short),
    }
}

/// The first `most` bytes of a text, cut at a character boundary.
pub(super) fn first_bytes(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

/// The last `most` bytes of a text, cut at a character boundary.
pub(super) fn last_bytes(text: &str, most: usize) -> &str {
    &text[text.ceil_char_boundary(text.len().saturating_sub(most))..]
}

/// A text without quotes around the whole of it; a quote at one end only is kept.
pub(super) fn without_quotes(text: &str) -> &str {
    let inside = |(open, close)| text.strip_prefix(open)?.strip_suffix(close);
    let pairs = [('"', '"'), ('“', '”')];
    pairs.into_iter().find_map(inside).filter(|inside| !inside.contains(['"', '“', '”'])).unwrap_or(text)
}

/// The characters of a command with their byte offsets; for each, the quote that is open after it, and whether a
/// backslash escapes it (never in single quotes).
pub(crate) fn quoting(command: &str) -> impl Iterator<Item = (usize, char, Option<char>, bool)> {
    let (mut quote, mut escapes) = (None, false);
    command.char_indices().map(move |(at, letter)| {
        let escaped = escapes;
        match quote {
            None if matches!(letter, '\'' | '"') && !escaped => quote = Some(letter),
            Some(open) if open == letter && !escaped => quote = None,
            _ => {}
        }
        escapes = letter == '\\' && !escaped && quote != Some('\'');
        (at, letter, quote, escaped)
    })
}

/// Opening quotes, also of names and code.
const QUOTES: [char; 3] = ['`', '"', '“'];

/// A text without its quoted parts, and the text after a quote that is not closed.
pub(super) fn unquoted(text: &str) -> (String, &str) {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((at, open)) = rest.char_indices().find(|(_, char)| QUOTES.contains(char)) {
        out.push_str(&rest[..at]);
        let inside = &rest[at + open.len_utf8()..];
        let close = if open == '“' { '”' } else { open };
        let Some(end) = inside.find(close) else { return (out, inside) };
        rest = &inside[end + close.len_utf8()..];
    }
    (out + rest, "")
}

/// A key that is equal for lines that say the same: the letters and digits of their start (at most 80), in lower
/// case.
pub(super) fn key(text: &str) -> String {
    key_of(text, KEY_CHARS)
}

/// Such a key of a whole text.
pub(super) fn whole_key(text: &str) -> String {
    key_of(text, usize::MAX)
}

fn key_of(text: &str, most: usize) -> String {
    let (mut key, mut left) = (String::with_capacity(text.len().min(most)), most);
    let mut chars = text.chars().filter(|char| char.is_alphanumeric());
    while let Some(char) = chars.next().filter(|_| left > 0) {
        if char.is_ascii() {
            key.push(char.to_ascii_lowercase());
            left -= 1;
        } else {
            let before = left;
            key.extend(char.to_lowercase().take(before).inspect(|_| left -= 1));
        }
    }
    key
}

/// A text of an earlier summary without words that were cut in it: `lamp_c…` is no name.
pub(super) fn without_cut_words(text: &str) -> Cow<'_, str> {
    let is_around = |char: char| char.is_whitespace() || matches!(char, '`' | '“' | '"' | '\'' | '(' | ',');
    let (mut out, mut kept) = (String::new(), 0);
    for (at, mark) in text.match_indices('…') {
        let word = text[kept..at].rsplit(is_around).next().unwrap_or_default();
        if !word.is_empty() {
            out.push_str(&text[kept..at - word.len()]);
            kept = at + mark.len();
        }
    }
    if kept == 0 { Cow::Borrowed(text) } else { Cow::Owned(out + &text[kept..]) }
}

/// Whether a text contains `words` as whole words; in a script without spaces any occurrence counts.
pub(crate) fn has_words(text: &str, words: &str) -> bool {
    let inside = |char: char| char.is_alphanumeric() && !is_dense(char);
    // Most texts do not contain them, and that check is much faster.
    text.contains(words)
        && text.match_indices(words).any(|(at, _)| {
            let apart = !text[..at].ends_with(inside) && !text[at + words.len()..].starts_with(inside);
            apart || words.starts_with(is_dense)
        })
}

/// Whether a text contains one of these phrases as [`has_words`] means it.
pub(super) fn has_any(text: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| has_words(text, phrase))
}

/// Whether one of these pieces stands anywhere in a text, also within a word.
#[inline]
pub(crate) fn contains_any(text: &str, pieces: &[&str]) -> bool {
    pieces.iter().any(|piece| text.contains(piece))
}

/// Whether a text begins with one of these, also within a word.
#[inline]
pub(crate) fn starts_any(text: &str, starts: &[&str]) -> bool {
    starts.iter().any(|start| text.starts_with(start))
}

/// Whether a text ends with one of these, also within a word.
#[inline]
pub(crate) fn ends_any(text: &str, ends: &[&str]) -> bool {
    ends.iter().any(|end| text.ends_with(end))
}

/// Small numbers as words, from one.
pub(crate) const NUMBER_WORDS: [&str; 10] =
    ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/// A number in digits, or a small one as a word.
pub(crate) fn number_of(word: &str) -> Option<u64> {
    let spelled = || NUMBER_WORDS.iter().position(|number| number.eq_ignore_ascii_case(word)).map(|at| at as u64 + 1);
    word.parse().ok().or_else(spelled)
}

/// Whether a text has nothing but digits; so has an empty one.
pub(crate) fn all_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text has a digit.
pub(crate) fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

/// Whether a text is a whole number in digits.
pub(crate) fn is_number(text: &str) -> bool {
    !text.is_empty() && all_digits(text)
}

/// Whether a word has a capital behind a small letter, as names in code do: `tideTable`.
pub(super) fn has_inner_capital(word: &str) -> bool {
    word.as_bytes().windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
}

/// Whether a character belongs to a script that is written without spaces.
#[inline]
pub(crate) fn is_dense(char: char) -> bool {
    matches!(char, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{0e00}'..='\u{0eff}' | '\u{20000}'..='\u{3ffff}')
}

/// Whether a text has such a character.
pub(super) fn has_dense(text: &str) -> bool {
    // All others but a few begin with a lower byte, and arrows and dashes are rare.
    text.bytes().enumerate().any(|(at, byte)| byte >= FIRST_OF_DENSE && text[at..].starts_with(is_dense))
}

/// The lowest byte that such a character begins with.
const FIRST_OF_DENSE: u8 = 0xe0;

/// What stands behind the number that a tool puts before a line of a file (`12→`, `12:`, `12|`, `12<tab>`); `None` for a
/// line without one.
pub(super) fn behind_number(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let rest = line.trim_start_matches(|char: char| char.is_ascii_digit());
    let signs = ["→", "\t", ": ", ":", "| ", "|"];
    signs.iter().find_map(|sign| rest.strip_prefix(sign)).filter(|_| rest.len() < line.len())
}

/// A text with its first letter in upper case.
pub(super) fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_uppercase().collect::<String>());
    first.unwrap_or_default() + chars.as_str()
}

/// What stands behind `start` in a text that begins with it. Most beginnings of a list already differ in the first byte.
#[inline]
pub(crate) fn behind<'t>(text: &'t str, start: &str) -> Option<&'t str> {
    let alike = text.as_bytes().first() == start.as_bytes().first();
    alike.then(|| text.strip_prefix(start)).flatten()
}

/// The columns of blank that a line begins with.
pub(crate) fn indent(line: &str) -> usize {
    let blank = line.chars().take_while(|char| char.is_whitespace());
    blank.map(|char| if char == '\t' { TAB } else { 1 }).sum()
}

/// The width of a line in columns: scripts without spaces have wide characters.
pub(super) fn columns(line: &str) -> usize {
    if line.is_ascii() { line.len() } else { line.chars().map(|char| 1 + usize::from(is_dense(char))).sum() }
}

/// The words of a text, with the apostrophes in them.
pub(crate) fn each_word(text: &str) -> impl DoubleEndedIterator<Item = &str> + Clone {
    text.split(|char: char| !(char.is_alphanumeric() || char == '\'')).filter(|word| !word.is_empty())
}

/// The number of words in a text; in scripts without spaces, two characters count as a word.
pub(super) fn words(text: &str) -> usize {
    if text.is_ascii() { words_of_ascii(text.as_bytes()) } else { words_up_to(text, usize::MAX) }
}

/// Whether a text has at least so many words.
pub(super) fn has_least(text: &str, least: usize) -> bool {
    words_up_to(text, least) >= least
}

/// Whether a text has at most so many words.
pub(super) fn has_most(text: &str, most: usize) -> bool {
    !has_least(text, most + 1)
}

/// The number of words at the start of a text, until there are `most` of them.
fn words_up_to(text: &str, most: usize) -> usize {
    let (mut spaced, mut dense, mut counted) = (0, 0, false);
    for char in text.chars() {
        if spaced + dense / 2 >= most {
            break;
        }
        dense += usize::from(is_dense(char));
        if char.is_whitespace() {
            counted = false;
        } else if !counted && !is_dense(char) && char.is_alphanumeric() {
            spaced += 1;
            counted = true;
        }
    }
    spaced + dense / 2
}

/// The number of words in an ASCII text: a word counts at its first letter or digit.
fn words_of_ascii(text: &[u8]) -> usize {
    let (mut count, mut counted) = (0, false);
    for byte in text {
        let is_space = matches!(byte, b'\t'..=b'\r' | b' ');
        count += usize::from(!counted && byte.is_ascii_alphanumeric());
        counted = !is_space && (counted || byte.is_ascii_alphanumeric());
    }
    count
}

/// A word without the first of these endings that leaves at least `least` characters; else the whole word.
pub(crate) fn without_ending<'w>(word: &'w str, endings: &[&str], least: usize) -> &'w str {
    let rests = endings.iter().filter_map(|ending| word.strip_suffix(ending));
    rests.into_iter().find(|rest| rest.chars().count() >= least).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_was_cut_is_none() {
        let text = "Ran `count(lamp_c…`: ok …; read `…/quay/lamp.md`, pier…";
        assert_eq!(without_cut_words(text), "Ran `count(`: ok …; read `…/quay/lamp.md`, ");
        assert!(matches!(without_cut_words("Ran `…/quay.sh`"), Cow::Borrowed(_)));
    }

    #[test]
    fn wide_letters_take_two_columns() {
        assert_eq!((columns("灯 lamp"), columns("quay")), (7, 4));
    }

    #[test]
    fn a_folded_text_is_one_line_without_escapes_and_fences() {
        assert_eq!(fold("  a\n\n ## b\t\u{1b}[31mred\u{1b}[0m\u{7}  "), "a ## b red");
        assert_eq!(fold("x ```rust"), "x `rust");
    }

    #[test]
    fn words_of_ascii_are_those_of_any_text() {
        for (text, count) in [("", 0), (" a  b-c\t\n!! d\u{b}e\u{1c}f ", 4), ("-", 0), ("x", 1)] {
            assert_eq!((words(text), words(&format!("{text} é")) - 1), (count, count), "{text}");
        }
    }

    #[test]
    fn a_cut_falls_between_characters_and_words() {
        assert_eq!(cut("short", 5), "short");
        assert_eq!(cut("one two three four", 14), "one two three…");
        assert_eq!(cut("漢字漢字漢字", 4), "漢字漢…");
        assert_eq!(cut("ééé", 1), "…");
        assert_eq!(cut("", 3), "");
    }

    #[test]
    fn a_cut_falls_in_no_code_or_tag() {
        assert_eq!(cut("light the lamp with `oil --much of it`", 32), "light the lamp with…");
        assert_eq!(cut("light the lamp of the pier <on the=pier in=fog>", 40), "light the lamp of the pier…");
    }

    #[test]
    fn a_clause_is_not_broken_off_where_one_ends_before() {
        let rule = "Never light the lamp twice, never paint the pier at night";
        assert_eq!(cut_clause(rule, 40), "Never light the lamp twice …");
        assert_eq!(cut_clause(rule, 80), rule);
        assert_eq!(cut_clause("Never light the lamp of the outer pier twice", 30), "Never light the lamp of the…");
    }

    #[test]
    fn what_stands_in_quotes_is_taken_out() {
        assert_eq!(unquoted("a `b` c “d e” f"), ("a  c  f".to_owned(), ""));
        assert_eq!(unquoted("say \"x\" and \"y"), ("say  and ".to_owned(), "y"));
    }

    #[test]
    fn ends_of_a_text_are_cut_at_character_boundaries() {
        assert_eq!(first_bytes("aé", 2), "a");
        assert_eq!(last_bytes("éa", 2), "a");
        assert_eq!(last_bytes("a", 9), "a");
    }

    #[test]
    fn keys_ignore_case_marks_and_spaces() {
        assert_eq!(key("- The **API** fails!"), key("the api fails"));
        assert_eq!(key("É İ 漢"), "éi\u{307}漢");
        assert_eq!(key(&"aİ".repeat(60)).chars().count(), KEY_CHARS);
    }
}
