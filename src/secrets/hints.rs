//! What stands in every text with a secret of some kind. One pass finds it, so that the patterns, which are slow, look
//! through few texts, and each only through those that can have its kind.

use super::{ASSIGNED_KIND, COLOUR};
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex::Regex;
use std::sync::LazyLock;

/// Words of a key, and how many letters of one follow at least.
type Hint = (&'static str, usize);

/// Kinds of secrets with the words that stand in each; the letters of a key are digits, letters and `+-./=_`.
const HINTS: &[(&str, &[Hint])] = &[
    ("AWS access key", &[("AKIA", 16), ("ASIA", 16)]),
    ("GitHub token", &[("ghp_", 36), ("gho_", 36), ("ghu_", 36), ("ghs_", 36), ("ghr_", 36), ("github_pat_", 22)]),
    (
        "GitLab token",
        &[
            ("glpat-", 20),
            ("glptt-", 20),
            ("glrt-", 20),
            ("gldt-", 20),
            ("glcbt-", 20),
            ("glsoat-", 20),
            ("glft-", 20),
            ("glimt-", 20),
            ("glagent-", 20),
            ("gloas-", 20),
        ],
    ),
    ("Slack token", &[("xox", 12), ("xapp-", 10)]),
    ("Anthropic key", &[("sk-ant-", 20)]),
    ("OpenAI key", &[("sk-", 32)]),
    ("Google API key", &[("AIza", 35)]),
    ("Stripe key", &[("k_live_", 16), ("k_test_", 16), ("whsec_", 24)]),
    ("npm token", &[("npm_", 36)]),
    ("PyPI token", &[("pypi-AgE", 50)]),
    ("Docker token", &[("dckr_pat_", 20), ("dckr_oat_", 20)]),
    ("DigitalOcean token", &[("doo_v1_", 64), ("dop_v1_", 64), ("dor_v1_", 64)]),
    ("SendGrid key", &[("SG.", 33)]),
    ("Google OAuth token", &[("ya29.", 20), ("GOCSPX-", 20)]),
    ("Slack webhook", &[("hooks.slack.com/", 20)]),
    ("Hugging Face token", &[("hf_", 30), ("api_org_", 30)]),
    ("JSON web token", &[("eyJ", 35)]),
    ("private key", &[("PRIVATE KEY-----", 0)]),
    (PASSWORD, &[("://", 0)]),
    (
        ASSIGNED_KIND,
        &[
            ("secret", 0),
            ("passw", 0),
            ("apikey", 0),
            ("api_key", 0),
            ("api-key", 0),
            ("accesskey", 0),
            ("access_key", 0),
            ("access-key", 0),
            ("accountkey", 0),
            ("account_key", 0),
            ("account-key", 0),
            ("privatekey", 0),
            ("private_key", 0),
            ("private-key", 0),
            ("authkey", 0),
            ("auth_key", 0),
            ("auth-key", 0),
            ("token", 0),
            ("credential", 0),
            ("bearer", 0),
            ("authorization", 0),
        ],
    ),
];
const PASSWORD: &str = "password in an address";

/// What follows the word of an assignment, which stands at the beginning of the text.
static FOLLOWS: LazyLock<Regex> = LazyLock::new(|| {
    let value = "[A-Za-z0-9+/=_-]{20}";
    let sign = format!(r#"[A-Za-z0-9_-]*\\*["']?(?:{COLOUR})?\s*[:=]\s*\\*["']?(?:{COLOUR})?"#);
    super::compiled(&format!(r#"^(?:{sign}(?:(?:(?i)basic|token)\s+)?|\s+){value}"#))
});

/// All words, of any case, since those of assignments are.
static WORDS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let words = HINTS.iter().flat_map(|(_, hints)| hints.iter().map(|(word, _)| word));
    searcher(words)
});

/// The kind and the hint of each word.
static OWNERS: LazyLock<Vec<(usize, Hint)>> = LazyLock::new(|| {
    let owners = HINTS.iter().enumerate().flat_map(|(kind, (_, hints))| hints.iter().map(move |hint| (kind, *hint)));
    owners.collect()
});

#[expect(clippy::unwrap_used, reason = "the words are constants")]
fn searcher<'w>(words: impl Iterator<Item = &'w &'static str>) -> AhoCorasick {
    let mut builder = AhoCorasick::builder();
    builder.ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA)).build(words).unwrap()
}

/// The kinds of secrets that a text can have, one bit each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Hinted(u32);

impl Hinted {
    /// Whether the text can have none.
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the text can have secrets of a kind.
    pub(super) fn at(self, kind: &str) -> bool {
        HINTS.iter().position(|(name, _)| *name == kind).is_none_or(|kind| self.has(kind))
    }

    fn has(self, kind: usize) -> bool {
        self.0 & (1 << kind) != 0
    }
}

/// Looks through a text.
pub(super) fn of(text: &str) -> Hinted {
    let mut hinted = Hinted::default();
    for found in WORDS.find_overlapping_iter(text) {
        let (kind, hint) = OWNERS[found.pattern().as_usize()];
        if !hinted.has(kind) && holds(text, (HINTS[kind].0, hint), found.range()) {
            hinted.0 |= 1 << kind;
        }
    }
    hinted
}

/// Whether what stands around a word can be a secret of its kind.
fn holds(text: &str, (kind, (word, least)): (&str, Hint), found: std::ops::Range<usize>) -> bool {
    let behind = &text[found.end..];
    match kind {
        ASSIGNED_KIND => FOLLOWS.is_match(behind),
        PASSWORD => has_password(behind),
        _ => text[found] == *word && behind.bytes().take(least).filter(|byte| is_of_key(*byte)).count() == least,
    }
}

fn is_of_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+-./=_".contains(&byte)
}

/// A name, a colon, a password and an `@` behind the scheme of an address.
fn has_password(behind: &str) -> bool {
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"/:@\"'`\\<>{}".contains(byte);
    let bytes = behind.as_bytes();
    let name = bytes.iter().position(ends).unwrap_or(bytes.len());
    let Some((b':', rest)) = bytes[name..].split_first().map(|(first, rest)| (*first, rest)) else { return false };
    let password = rest.iter().position(ends).unwrap_or(rest.len());
    name > 0 && password >= 3 && rest.get(password) == Some(&b'@')
}
