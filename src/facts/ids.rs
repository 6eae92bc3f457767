//! Numbers that name something. Of two that start at one place the rule that stands first counts.

use super::pattern;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// Whether what was found in a text is one.
type Holds = fn(&str, &Range<usize>) -> bool;

/// A pattern, and what has to hold of a match and what stands around it.
struct Rule {
    pattern: Regex,
    holds: Holds,
}

static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
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
    rules.map(|(text, holds)| Rule { pattern: pattern(text), holds }).into()
});

/// Letters and digits.
fn is_mixed(text: &str, found: &Range<usize>) -> bool {
    let found = &text.as_bytes()[found.clone()];
    found.iter().any(u8::is_ascii_digit) && found.iter().any(u8::is_ascii_alphabetic)
}

fn before(text: &str, at: usize) -> Option<char> {
    text[..at].chars().next_back()
}

/// No word and no dot stands before it.
fn is_issue(text: &str, found: &Range<usize>) -> bool {
    !before(text, found.start).is_some_and(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '.'))
}

/// Behind a host and a colon, and before no other colon.
fn is_port(text: &str, found: &Range<usize>) -> bool {
    let host = text[..found.start].strip_suffix(':').and_then(|host| host.chars().next_back());
    host.is_some_and(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit())
        && !text[found.end..].starts_with(':')
}

/// Finds them, from left to right, without overlap.
pub(super) fn find(text: &str, add: &mut dyn FnMut(&str)) {
    let mut next: Vec<Option<Range<usize>>> = RULES.iter().map(|rule| rule.first(text, 0)).collect();
    loop {
        let nearest = next.iter().enumerate().filter_map(|(at, found)| Some((found.as_ref()?.start, at))).min();
        let Some(found) = nearest.and_then(|(_, at)| next[at].clone()) else { return };
        let value = &text[found.clone()];
        if !is_plain_number(value) {
            add(value.strip_prefix('v').filter(|rest| rest.starts_with(char::is_numeric)).unwrap_or(value));
        }
        for (rule, own) in RULES.iter().zip(&mut next) {
            if own.as_ref().is_some_and(|own| own.start < found.end) {
                *own = rule.first(text, found.end);
            }
        }
    }
}

impl Rule {
    /// The first match that starts at a place or behind it.
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

/// A year, or a round number.
fn is_plain_number(value: &str) -> bool {
    if !value.chars().all(char::is_numeric) {
        return false;
    }
    let year = value.parse::<u64>().is_ok_and(|year| (1990..=2035).contains(&year));
    year || value.ends_with("000")
}
