//! Numbers that identify something. Of two matches that start at the same position, the rule listed first counts.

use super::pattern;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// Checks a match in its text.
type Holds = fn(&str, &Range<usize>) -> bool;

/// A pattern, and a condition on a match and its surroundings.
struct IdRule {
    pattern: Regex,
    holds: Holds,
}

static RULES: LazyLock<Vec<IdRule>> = LazyLock::new(|| {
    let any = |_: &str, _: &Range<usize>| true;
    let rules: [(&str, Holds); 11] = [
        (r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", any),
        (r"#W\d+", any),
        (r"\bv?\d+\.\d+\.\d+(?:[-.]\w+)?\b", any),
        (r"\b\d{4}-\d{2}-\d{2}\b", any),
        (r"\b[0-9a-f]{7,40}\b", is_mixed),
        (r"\b[A-Z]{2,4}-?\d{2,6}\b", any),
        (r"\b[A-Z0-9]{6}\b", is_mixed),
        (r"#\d{2,6}\b", is_issue),
        (r"\b\d{5,}\b", any),
        (r"\d{4}\b", is_port),
        (r"\$\d+(?:\.\d\d)?", any),
    ];
    rules.map(|(text, holds)| IdRule { pattern: pattern(text), holds }).into()
});

/// Whether a match has both letters and digits.
fn is_mixed(text: &str, found: &Range<usize>) -> bool {
    let found = &text.as_bytes()[found.clone()];
    found.iter().any(u8::is_ascii_digit) && found.iter().any(u8::is_ascii_alphabetic)
}

fn before(text: &str, at: usize) -> Option<char> {
    text[..at].chars().next_back()
}

/// Whether no word character and no dot precedes a match.
fn is_issue(text: &str, found: &Range<usize>) -> bool {
    !before(text, found.start).is_some_and(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '.'))
}

/// Whether a match follows a host and a colon, and no other colon follows it.
fn is_port(text: &str, found: &Range<usize>) -> bool {
    let host = text[..found.start].strip_suffix(':').and_then(|host| host.chars().next_back());
    host.is_some_and(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit())
        && !text[found.end..].starts_with(':')
}

/// Finds ids from left to right, without overlap.
pub(super) fn find(text: &str, add: &mut dyn FnMut(&str)) {
    let mut next: Vec<Option<Range<usize>>> = RULES.iter().map(|rule| rule.first(text, 0)).collect();
    loop {
        let nearest = next.iter().enumerate().filter_map(|(at, found)| Some((found.as_ref()?.start, at))).min();
        let Some(found) = nearest.and_then(|(_, at)| next[at].clone()) else { return };
        tell(&text[found.clone()], add);
        for (rule, own) in RULES.iter().zip(&mut next) {
            if own.as_ref().is_some_and(|own| own.start < found.end) {
                *own = rule.first(text, found.end);
            }
        }
    }
}

/// Passes a match to `add`, without a leading `v`, unless it is a plain number.
fn tell(value: &str, add: &mut dyn FnMut(&str)) {
    if !is_plain_number(value) {
        add(value.strip_prefix('v').filter(|rest| rest.starts_with(char::is_numeric)).unwrap_or(value));
    }
}

/// Like [`find`], for ASCII text without white space, byte by byte.
pub(super) fn find_plain(text: &str, add: &mut dyn FnMut(&str)) {
    let plain = Plain(text.as_bytes());
    let mut at = 0;
    while at < text.len() {
        match plain.match_at(at) {
            Some(end) => {
                tell(&text[at..end], add);
                at = end;
            }
            // No rule matches inside a word.
            None if plain.is_word(at) => at = plain.run(at, is_letter),
            None => at += 1,
        }
    }
}

/// Length in letters and digits of the shortest id, except for versions.
const SHORT: usize = 4;

#[inline]
fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[inline]
fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

fn is_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

/// ASCII text, and the rules as functions on its bytes. Each takes a position and returns the end of a match that
/// begins there.
#[derive(Clone, Copy)]
struct Plain<'t>(&'t [u8]);

impl Plain<'_> {
    fn byte(self, at: usize) -> Option<u8> {
        self.0.get(at).copied()
    }

    fn is_word(self, at: usize) -> bool {
        self.byte(at).is_some_and(is_letter)
    }

    /// End of the run of bytes of a kind at a position.
    fn run(self, at: usize, kind: impl Fn(u8) -> bool) -> usize {
        at + self.0[at..].iter().take_while(|byte| kind(**byte)).count()
    }

    /// End of a run whose length is in a range.
    fn run_of(self, at: usize, kind: impl Fn(u8) -> bool, lengths: std::ops::RangeInclusive<usize>) -> Option<usize> {
        let end = self.run(at, kind);
        lengths.contains(&(end - at)).then_some(end)
    }

    /// The position, if a word ends there.
    fn closed(self, end: usize) -> Option<usize> {
        (!self.is_word(end)).then_some(end)
    }

    /// End of the match of the first rule that applies at a position.
    fn match_at(self, at: usize) -> Option<usize> {
        let inside = at > 0 && self.is_word(at - 1);
        match self.byte(at)? {
            b'#' => self.ticket(at).or_else(|| self.issue(at)),
            b'$' => self.amount(at),
            _ if inside => None,
            // Most numbers are too short for any rule.
            b'0'..=b'9' if self.is_short(at) => None,
            b'0'..=b'9' => self
                .uuid(at)
                .or_else(|| self.version(at))
                .or_else(|| self.date(at))
                .or_else(|| self.hash(at))
                .or_else(|| self.code(at))
                .or_else(|| self.number(at))
                .or_else(|| self.port(at)),
            b'a'..=b'f' if self.0[at + 1..].iter().take(6).all(|byte| is_hex(*byte)) => {
                self.uuid(at).or_else(|| self.hash(at))
            }
            b'v' => self.version(at),
            b'A'..=b'Z' if self.byte(at + 1).is_some_and(|next| next.is_ascii_uppercase() || is_digit(next)) => {
                self.key(at).or_else(|| self.code(at))
            }
            _ => None,
        }
    }

    /// Whether a word of at most three letters and digits is at a position, without a dot after it.
    fn is_short(self, at: usize) -> bool {
        let end = self.0[at..].iter().take(SHORT).take_while(|byte| is_letter(**byte)).count();
        end < SHORT && self.byte(at + end) != Some(b'.')
    }

    fn uuid(self, at: usize) -> Option<usize> {
        let group = |from: usize, length: usize| {
            let end = from + length;
            self.0.get(from..end)?.iter().all(|byte| is_hex(*byte)).then_some(end)
        };
        let mut end = group(at, 8)?;
        for length in [4, 4, 4, 12] {
            end = group(self.dash(end)?, length)?;
        }
        self.closed(end)
    }

    /// The position after a dash.
    fn dash(self, at: usize) -> Option<usize> {
        (self.byte(at) == Some(b'-')).then_some(at + 1)
    }

    /// Matches `#W123`.
    fn ticket(self, at: usize) -> Option<usize> {
        (self.byte(at + 1) == Some(b'W')).then_some(())?;
        self.run_of(at + 2, is_digit, 1..=usize::MAX)
    }

    fn version(self, at: usize) -> Option<usize> {
        let first = at + usize::from(self.byte(at) == Some(b'v'));
        let mut end = self.run_of(first, is_digit, 1..=usize::MAX)?;
        for _ in 0..2 {
            (self.byte(end) == Some(b'.')).then_some(())?;
            end = self.run_of(end + 1, is_digit, 1..=usize::MAX)?;
        }
        match self.byte(end) {
            Some(b'-' | b'.') if self.is_word(end + 1) => Some(self.run(end + 1, is_letter)),
            _ => self.closed(end),
        }
    }

    fn date(self, at: usize) -> Option<usize> {
        let mut end = self.run_of(at, is_digit, 4..=4)?;
        for _ in 0..2 {
            end = self.run_of(self.dash(end)?, is_digit, 2..=2)?;
        }
        self.closed(end)
    }

    /// The end, if the match has both letters and digits.
    fn mixed(self, at: usize, end: usize) -> Option<usize> {
        let found = &self.0[at..end];
        (found.iter().any(u8::is_ascii_digit) && found.iter().any(u8::is_ascii_alphabetic)).then_some(end)
    }

    fn hash(self, at: usize) -> Option<usize> {
        let end = self.closed(self.run_of(at, is_hex, 7..=40)?)?;
        self.mixed(at, end)
    }

    /// Matches `HAT-123`.
    fn key(self, at: usize) -> Option<usize> {
        let end = self.run_of(at, |byte| byte.is_ascii_uppercase(), 2..=4)?;
        self.closed(self.run_of(self.dash(end).unwrap_or(end), is_digit, 2..=6)?)
    }

    /// Matches `K7Q2XZ`.
    fn code(self, at: usize) -> Option<usize> {
        let end = self.closed(self.run_of(at, |byte| byte.is_ascii_uppercase() || is_digit(byte), 6..=6)?)?;
        self.mixed(at, end)
    }

    /// Matches `#42`.
    fn issue(self, at: usize) -> Option<usize> {
        let behind = at.checked_sub(1).and_then(|before| self.byte(before));
        (!behind.is_some_and(|byte| is_letter(byte) || byte == b'.')).then_some(())?;
        self.closed(self.run_of(at + 1, is_digit, 2..=6)?)
    }

    fn number(self, at: usize) -> Option<usize> {
        self.closed(self.run_of(at, is_digit, 5..=usize::MAX)?)
    }

    fn port(self, at: usize) -> Option<usize> {
        let end = self.closed(self.run_of(at, is_digit, 4..=4)?)?;
        let host = at >= 2 && self.0[at - 1] == b':' && matches!(self.0[at - 2], b'a'..=b'z' | b'0'..=b'9');
        (host && self.byte(end) != Some(b':')).then_some(end)
    }

    fn amount(self, at: usize) -> Option<usize> {
        let end = self.run_of(at + 1, is_digit, 1..=usize::MAX)?;
        let cents = self.byte(end) == Some(b'.') && self.run(end + 1, is_digit) >= end + 3;
        Some(if cents { end + 3 } else { end })
    }
}

impl IdRule {
    /// The first match at or after a position.
    fn first(&self, text: &str, mut from: usize) -> Option<Range<usize>> {
        loop {
            let found = self.pattern.find_at(text, from)?.range();
            if (self.holds)(text, &found) {
                return Some(found);
            }
            from = found.start + text[found.start..].chars().next().map_or(1, char::len_utf8);
        }
    }
}

/// Whether a number is a year or a round number, which identify nothing.
fn is_plain_number(value: &str) -> bool {
    if !value.chars().all(char::is_numeric) {
        return false;
    }
    let year = value.parse::<u64>().is_ok_and(|year| (1990..=2035).contains(&year));
    year || value.ends_with("000")
}
