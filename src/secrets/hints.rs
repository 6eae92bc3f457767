//! Fast search for hints of secrets: fixed words that occur in every text with a secret of some kind. One pass finds
//! them, so that the slow patterns search few texts, each only those that can hold its kind.

use super::COLOR;
use super::kinds::{Form, Hint, KINDS};
use regex::Regex;
use std::sync::LazyLock;

/// Pattern that must follow the word of an assignment, anchored at the start of the rest of the text: a value or a list.
static FOLLOWS: LazyLock<Regex> = LazyLock::new(|| {
    let value = "[A-Za-z0-9+/=_-]{20}";
    let sign = format!(r#"[A-Za-z0-9_-]*\\*["']?(?:{COLOR})?(?:\s*[:=]\s*|\s+(?:(?i)to|is)\s+)\\*["'`]?(?:{COLOR})?"#);
    let list = r#"[A-Za-z0-9_-]*\\*["']\s*:\s*\["#;
    super::compiled(&format!(r#"^(?:(?:{sign}(?:(?:(?i)basic|token)\s+)?|\s+){value}|{list})"#))
});

/// Pattern that must follow the word of a password: something that may be its value.
static STATES: LazyLock<Regex> = LazyLock::new(|| {
    let sign = r#"[a-zA-Z]{0,3}[0-9]*[\\"'`\]*]*(?:[ \t]*[:=]|[ \t]+(?:\w{2,6}|é)(?:[ \t:])|[ \t]+(?:[\\"'`]|\S*[0-9@#%^!~$&]))"#;
    super::compiled(&format!(r"^(?:{sign}|(?:{COLOR}))"))
});

/// Number of bytes checked in the table before words are compared.
const WIDTH: usize = 4;
/// Number of possible pairs of bytes.
const PAIRS: usize = 1 << 16;

/// Rules out places in a text where no word begins, which are nearly all, with one table lookup per two bytes.
struct Sieve {
    /// Whether a pair of bytes occurs in a word at index 0 or 1. Words have at least three bytes, so checking every
    /// second pair of a text finds each.
    pairs: [bool; PAIRS],
    /// By index in a word and byte: a bit mask of the groups with a word that may have this byte there.
    masks: [[u128; 256]; WIDTH],
    /// Words of one kind that start with the same byte, each with the index of its kind.
    groups: Vec<Vec<(usize, Hint)>>,
}

static SIEVE: LazyLock<Sieve> = LazyLock::new(|| {
    let mut sieve = Sieve { pairs: [false; PAIRS], masks: [[0; 256]; WIDTH], groups: Vec::new() };
    let words = KINDS.iter().enumerate().flat_map(|(at, kind)| kind.hints.iter().map(move |hint| (at, *hint)));
    words.for_each(|(kind, hint)| sieve.add(kind, hint));
    sieve
});

impl Sieve {
    fn add(&mut self, kind: usize, hint: Hint) {
        let word = hint.0.as_bytes();
        let is_own = |group: &Vec<(usize, Hint)>| {
            group.first().is_some_and(|(other, (first, _))| *other == kind && first.as_bytes()[0] == word[0])
        };
        let group = self.groups.iter().position(is_own).unwrap_or_else(|| {
            self.groups.push(Vec::new());
            self.groups.len() - 1
        });
        self.groups[group].push((kind, hint));
        for (first, second) in [(word[0], word[1]), (word[1], word[2])] {
            for pair in both_cases(first).into_iter().flat_map(|first| both_cases(second).map(|second| [first, second]))
            {
                self.pairs[number(pair)] |= is_same(kind, &pair, &[first, second]);
            }
        }
        for (place, mask) in self.masks.iter_mut().enumerate() {
            for byte in 0..=u8::MAX {
                let may_stand = word.get(place).is_none_or(|own| is_same(kind, &[byte], &[*own]));
                mask[usize::from(byte)] |= u128::from(may_stand) << group;
            }
        }
    }

    /// Bit mask of the groups with a word that may begin at the start of these bytes.
    fn groups_at(&self, bytes: &[u8]) -> u128 {
        let Some(first) = bytes.first_chunk::<WIDTH>() else { return 0 };
        (0..WIDTH).fold(u128::MAX, |all, place| all & self.masks[place][usize::from(first[place])])
    }

    /// Adds the kinds whose words are at byte `at` of the text. Rarely called; kept out of line to keep the search loop
    /// fast.
    #[inline(never)]
    fn look(&self, (text, at): (&str, usize), hinted: &mut Hinted) {
        let mut groups = self.groups_at(&text.as_bytes()[at..]);
        while groups != 0 {
            for &(kind, hint) in &self.groups[groups.trailing_zeros() as usize] {
                if !hinted.has(kind) && holds((text, at), kind, hint) {
                    hinted.0 |= 1 << kind;
                }
            }
            groups &= groups - 1;
        }
    }
}

fn both_cases(letter: u8) -> [u8; 2] {
    [letter.to_ascii_lowercase(), letter.to_ascii_uppercase()]
}

fn number(pair: [u8; 2]) -> usize {
    usize::from(u16::from_le_bytes(pair))
}

/// Whether a text equals a word of a kind; words of assignments and passwords are compared case-insensitively.
fn is_same(kind: usize, text: &[u8], word: &[u8]) -> bool {
    if KINDS[kind].form.is_named() { text.eq_ignore_ascii_case(word) } else { text == word }
}

/// A pattern that matches any of the words.
pub(super) fn any() -> String {
    let word = |form: Form, (word, _): &Hint| {
        let text = regex::escape(word);
        if form.is_named() { format!("(?i:{text})") } else { text }
    };
    let words = KINDS.iter().flat_map(|kind| kind.hints.iter().map(move |hint| word(kind.form, hint)));
    words.collect::<Vec<_>>().join("|")
}

/// The kinds of secrets that a text may hold: a bit for each, by its index in the table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Hinted(u32);

impl Hinted {
    /// Whether the text holds no secret of any kind.
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the text may hold secrets of the kind with this index.
    pub(super) fn has(self, kind: usize) -> bool {
        self.0 & (1 << kind) != 0
    }
}

/// Searches a text for hints. Every word is followed by something in a secret, so a word in the last few bytes is none.
pub(super) fn find(text: &str) -> Hinted {
    let (sieve, bytes, mut hinted) = (&*SIEVE, text.as_bytes(), Hinted::default());
    let pairs = bytes.get(1..).unwrap_or_default().chunks_exact(2);
    for (pair, _) in pairs.enumerate().filter(|(_, pair)| sieve.pairs[number([pair[0], pair[1]])]) {
        for at in [2 * pair, 2 * pair + 1] {
            if sieve.groups_at(&bytes[at..]) != 0 {
                sieve.look((text, at), &mut hinted);
            }
        }
    }
    hinted
}

/// Whether a word is at byte `at` and the text after it can belong to a secret of its kind.
fn holds((text, at): (&str, usize), kind: usize, (word, least): Hint) -> bool {
    let end = at + word.len();
    if !text.as_bytes().get(at..end).is_some_and(|own| is_same(kind, own, word.as_bytes())) {
        return false;
    }
    let behind = &text[end..];
    match KINDS[kind].form {
        Form::Assigned => FOLLOWS.is_match(behind),
        Form::Password => STATES.is_match(behind),
        Form::Address(_) => has_password(behind),
        Form::Key(_) | Form::ServiceKey(_) | Form::PrivateKey(_) | Form::Command => {
            behind.bytes().take(least).filter(|byte| is_of_key(*byte)).count() == least
        }
    }
}

fn is_of_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+-./=_".contains(&byte)
}

/// Whether the text after `://` is a name, which may be empty, a colon, a password and an `@`.
fn has_password(behind: &str) -> bool {
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"/:@\"'`\\<>{}".contains(byte);
    let bytes = behind.as_bytes();
    let name = bytes.iter().position(ends).unwrap_or(bytes.len());
    let Some((b':', rest)) = bytes[name..].split_first().map(|(first, rest)| (*first, rest)) else { return false };
    let password = rest.iter().position(ends).unwrap_or(rest.len());
    password >= 3 && rest.get(password) == Some(&b'@')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_falls_through_the_sieve() {
        assert!(SIEVE.groups.len() <= 128, "a bit for each group");
        assert!(KINDS.len() <= 32, "a bit for each kind");
        for (at, kind) in KINDS.iter().enumerate() {
            for hint in kind.hints {
                let any_case = kind.form.is_named();
                let written = if any_case { hint.0.to_ascii_uppercase() } else { hint.0.to_owned() };
                let groups = SIEVE.groups_at(format!("{written} ").as_bytes());
                let own = SIEVE.groups.iter().position(|group| group.contains(&(at, *hint)));
                assert!(own.is_some_and(|own| groups & (1 << own) != 0), "{written}");
                let pair = |at: usize| SIEVE.pairs[number([written.as_bytes()[at], written.as_bytes()[at + 1]])];
                assert!(pair(0) && pair(1), "{written}");
            }
        }
    }

    #[test]
    fn a_word_at_the_end_of_a_text_is_no_hint() {
        for text in ["", "sk-", "é sk-", "token: ", "://"] {
            assert!(find(text).is_empty(), "{text}");
        }
        assert!(!find(&format!("éSk-, sk-{}", "x1".repeat(16))).is_empty());
    }
}
