//! Credentials in texts: keys in formats that services document, and values assigned to a name such as `token`.
//!
//! All code that looks for secrets uses these rules: gates report them, requests and summaries leave them out.

mod commands;
mod hints;
mod kinds;
mod known;
mod lists;
mod passwords;
mod services;

use kinds::{Form, KINDS};
pub use known::Known;
pub use lists::{of_name, singular};
use regex::{Captures, Regex};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::LazyLock;

/// A terminal color code, raw or escaped; its last letter does not belong to the word after it.
const COLOR: &str = r"(?:\x1b|\\(?:u001[bB]|x1[bB]|033|e))\[[0-9;?]*[A-Za-z]";
/// Where a key may begin, color codes aside: at a word boundary, after an underscore, or after an escape (`\nghp_…`,
/// `%22ghp_…`).
const START: &str = r"\b|_|%[0-9a-fA-F]{2}|\\(?:[nrtbf]|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})";
/// An assignment to a name such as `secret` or `api_key`, also in words (“set the password to …”) and with escaped
/// quotes; or the value of an authorization header.
const ASSIGNED: &str = r#"(?i)(?:\b[a-z0-9_]*(?:secret|password|passwd|api[ _-]?key|(?:access|account|private|auth)[_-]?key|token|credential)[a-z0-9_]*\\*["']?COLOR?(?:\s*[:=]\s*|\s+(?:to|is)\s+)\\*["'`]?COLOR?|\bbearer\s+|\bauthorization\\*["']?\s*:\s*\\*["']?(?:basic|token)\s+)([A-Za-z0-9+/=_-]{20,})((?:\.[A-Za-z0-9_-]{6,})*)"#;
/// The rest of a private key after its first line: up to its last line, or as much as there is. Line breaks may be
/// escaped.
const KEY_BODY: &str =
    r"^(?:[\sA-Za-z0-9+/=\\]*-----END (?:[A-Z]+ )*PRIVATE KEY-----|(?:(?:\s|\\[nr])*[A-Za-z0-9+/=]{16,})*)";
/// Entropy in bits per byte from which on a value counts as random.
const RANDOM: f64 = 3.5;
/// Length in bytes from which on a part of a value can't be a word.
const LONG: usize = 16;
/// Maximum number of passes over a text.
const ROUNDS: usize = 4;
/// The text that replaces a secret.
pub const HIDDEN: &str = "[secret]";

/// The patterns of the kinds, by their index; of those without a shape, none.
static SHAPES: LazyLock<Vec<Option<Regex>>> =
    LazyLock::new(|| KINDS.iter().map(|kind| kind.form.shape().map(|shape| compiled(&anchored(shape)))).collect());
static HINTS: LazyLock<Regex> = LazyLock::new(|| compiled(&hints::any()));
static ASSIGNMENT: LazyLock<Regex> = LazyLock::new(|| compiled(&ASSIGNED.replace("COLOR", &format!("(?-i:{COLOR})"))));
/// Start of an authorization header.
static HEADER: LazyLock<Regex> = LazyLock::new(|| compiled(r"(?i)^(?:bearer|authorization)"));
/// A commit hash or a UUID.
static HASH: LazyLock<Regex> =
    LazyLock::new(|| compiled(r"^(?:[0-9a-f]{40}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$"));
static BODY: LazyLock<Regex> = LazyLock::new(|| compiled(KEY_BODY));

#[expect(clippy::unwrap_used, reason = "the patterns are constants")]
fn compiled(text: &str) -> Regex {
    // ASCII word boundaries are much faster, and key characters are ASCII.
    Regex::new(&text.replace(r"\b", r"(?-u:\b)")).unwrap()
}

fn anchored(shape: &str) -> String {
    if shape.starts_with('-') { shape.to_owned() } else { format!("(?:{COLOR}|{START})({shape})") }
}

/// Kind and value of the secrets in a text, as [`redact`] would mask them.
pub fn secrets(text: &str) -> BTreeSet<(&'static str, String)> {
    spans(text).into_iter().map(|(kind, span)| (kind, text[span].to_owned())).collect()
}

/// Whether a text may hold a secret; `false` is certain.
pub fn may_have(text: &str) -> bool {
    HINTS.is_match(text)
}

/// Masks the secrets in a text. Returns the text and the number of masked secrets by kind.
///
/// Repeats until none is found: after a secret is masked, the text around it can look like another one.
pub fn redact(text: &str) -> (Cow<'_, str>, BTreeMap<&'static str, u64>) {
    let (mut text, mut counts) = (Cow::Borrowed(text), BTreeMap::new());
    for _ in 0..ROUNDS {
        let spans = spans(&text);
        if spans.is_empty() {
            break;
        }
        text = Cow::Owned(hidden(&text, spans, &mut counts));
    }
    (text, counts)
}

/// Replaces spans of a text by [`HIDDEN`] and counts them by kind.
fn hidden(text: &str, spans: Vec<(&'static str, Range<usize>)>, counts: &mut BTreeMap<&'static str, u64>) -> String {
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for (kind, span) in spans {
        out.push_str(&text[at..span.start]);
        out.push_str(HIDDEN);
        at = span.end;
        *counts.entry(kind).or_default() += 1;
    }
    out.push_str(&text[at..]);
    out
}

/// Kind and byte range of the secrets in a text, in order and without overlap.
pub fn spans(text: &str) -> Vec<(&'static str, Range<usize>)> {
    let hinted = hints::find(text);
    if hinted.is_empty() {
        return Vec::new();
    }
    let kinds = KINDS.iter().enumerate().filter(|(at, _)| hinted.has(*at));
    let is_named = kinds.clone().any(|(_, kind)| kind.form.is_named());
    let in_lists = if is_named { lists::in_lists(text) } else { Vec::new() };
    let each = kinds.flat_map(|(at, kind)| found(text, at).into_iter().map(|span| (kind.name, span)));
    joined(each.chain(in_lists).collect())
}

/// Byte ranges of the secrets of the kind with this index.
fn found(text: &str, kind: usize) -> Vec<Range<usize>> {
    match KINDS[kind].form {
        Form::Key(_) => shaped(text, kind).collect(),
        Form::Address(_) => in_addresses(text, kind).filter(|span| text[span.clone()] != *HIDDEN).collect(),
        Form::ServiceKey(_) => shaped(text, kind).filter(|span| is_key(&text[span.clone()])).collect(),
        Form::PrivateKey(_) => shaped(text, kind).map(|span| span.start..with_body(text, span.end)).collect(),
        Form::Assigned => assigned(text).collect(),
        Form::Password => passwords::spans(text),
        Form::Command => commands::spans(text),
    }
}

/// Sorts spans and merges those that overlap; the kind is that of the first.
pub fn joined(mut all: Vec<(&'static str, Range<usize>)>) -> Vec<(&'static str, Range<usize>)> {
    all.sort_by_key(|(_, span)| (span.start, std::cmp::Reverse(span.end)));
    let mut apart: Vec<(&'static str, Range<usize>)> = Vec::with_capacity(all.len());
    for (kind, span) in all {
        match apart.last_mut() {
            Some((_, last)) if span.start < last.end => last.end = last.end.max(span.end),
            _ => apart.push((kind, span)),
        }
    }
    apart
}

/// What has the shape of a kind.
fn shaped(text: &str, kind: usize) -> impl Iterator<Item = Range<usize>> {
    captures(text, kind).filter_map(|found| found.get(1).or(found.get(0)).map(|found| found.range()))
}

/// The passwords in addresses: the name and the host stay, as both tell what is meant.
fn in_addresses(text: &str, kind: usize) -> impl Iterator<Item = Range<usize>> {
    captures(text, kind).filter_map(|found| found.get(2).map(|password| password.range()))
}

fn captures(text: &str, kind: usize) -> impl Iterator<Item = Captures<'_>> {
    let pattern = SHAPES.get(kind).and_then(Option::as_ref);
    pattern.into_iter().flat_map(move |pattern| pattern.captures_iter(text))
}

/// The end of a private key whose first line ends here.
fn with_body(text: &str, first: usize) -> usize {
    first + BODY.find(&text[first..]).map_or(0, |body| body.end())
}

/// Byte ranges of values assigned to a secret's name.
fn assigned(text: &str) -> impl Iterator<Item = Range<usize>> {
    let values = ASSIGNMENT.captures_iter(text).filter_map(|found| {
        let (value, rest) = (found.get(1)?, found.get(2)?);
        Some((&text[found.get(0)?.start()..value.end()], value, rest.end()))
    });
    // A value stated in words must also look like a key: no path, no name of several words, no hash.
    let told = |start: &str, value: &str| {
        let sign = &start[..start.len() - value.len()];
        let in_words = !sign.contains([':', '=']) && !HEADER.is_match(sign);
        !in_words || is_key(value) && !value.contains('/')
    };
    let values = values.filter(move |(start, value, _)| looks_random(value.as_str()) && told(start, value.as_str()));
    values.map(|(_, value, end)| value.start()..end)
}

/// Whether a value looks like a random key: with letters and digits, not a name of three or more words without a long
/// part, no hash or UUID.
fn is_key(value: &str) -> bool {
    let parts = || value.split(['_', '-', '.']);
    let words = parts().filter(|part| part.len() > 1 && part.bytes().all(|byte| byte.is_ascii_lowercase())).count();
    let has_long = || parts().any(|part| part.len() >= LONG && is_mixed(part));
    is_mixed(value) && (words < 3 || has_long()) && !HASH.is_match(value)
}

fn is_mixed(value: &str) -> bool {
    value.bytes().any(|byte| byte.is_ascii_digit()) && value.bytes().any(|byte| byte.is_ascii_alphabetic())
}

fn looks_random(value: &str) -> bool {
    is_mixed(value) && entropy(value) >= RANDOM
}

/// Shannon entropy in bits per byte.
fn entropy(text: &str) -> f64 {
    let mut counts = [0_usize; 256];
    text.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
    let length = text.len().max(1) as f64;
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| *count as f64 / length)
        .map(|share| -share * share.log2())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_secret_goes_and_the_rest_stays() {
        let planted = format!("AKIA{} and sk-ant-{} and", "A1B2C3D4E5F6G7H8", "x1".repeat(20));
        let (text, counts) = redact(&planted);
        assert_eq!(text, "[secret] and [secret] and");
        assert_eq!(counts.into_iter().collect::<Vec<_>>(), [("AWS access key", 1), ("Anthropic key", 1)]);
        let (text, _) = redact("api_key = \"q7Zk29LmPx03Vb81Ty55\"; postgres://me:hunter2@db/x");
        assert_eq!(text, "api_key = \"[secret]\"; postgres://me:[secret]@db/x");
        assert!(matches!(redact("the token count is 12345678901234567890"), (Cow::Borrowed(_), _)));
    }

    #[test]
    fn what_is_found_is_what_is_taken_out() {
        let (value, body) = ("q7Zk29LmPx03Vb81Ty55", "MIIEvQIBADANBgkq".repeat(3));
        for text in [
            format!("sk-ant-{}", "x1".repeat(20)),
            format!("export ANTHROPIC_API_KEY=sk-ant-api03-{}", "x1".repeat(20)),
            format!("token: {value}, and https://me:{value}@db.example"),
            format!("-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----"),
        ] {
            let found = secrets(&text).into_iter().map(|(kind, _)| (kind, 1)).collect::<BTreeMap<_, u64>>();
            assert_eq!(found, redact(&text).1, "{text}");
        }
    }

    #[test]
    fn every_shape_is_found_and_hinted_at() {
        let hex = "0a1b2c3d".repeat(8);
        let shapes = [
            ("npm token", format!("npm_{}", "aB3x".repeat(9))),
            ("PyPI token", format!("pypi-AgEIcHlwaS5vcmc{}", "aB3x".repeat(12))),
            ("Docker token", format!("dckr_pat_{}", "aB3x".repeat(7))),
            ("DigitalOcean token", format!("dop_v1_{hex}")),
            ("SendGrid key", format!("SG.{}.{}", "aB3x".repeat(5), "x3Ba".repeat(10))),
            ("Google OAuth token", format!("ya29.{}", "aB3x".repeat(9))),
            ("Slack webhook", format!("https://hooks.slack.com/services/T0A/B0C/{}", "aB3x".repeat(6))),
            ("GitLab token", format!("glpat-{}", "aB3x".repeat(5))),
            ("Slack token", format!("xoxb-{}", "1234-".repeat(4))),
            ("Google API key", format!("AIza{}", "aB3xY".repeat(7))),
            ("Stripe key", format!("sk_live_{}", "aB3x".repeat(5))),
            ("Hugging Face token", format!("hf_{}", "aB3x".repeat(8))),
            ("Hugging Face token", format!("api_org_{}", "aB3x".repeat(8))),
            ("GitLab token", format!("glrt-{}", "aB3x".repeat(5))),
            ("Slack token", format!("xapp-1-{}", "A1B2-".repeat(4))),
            ("Stripe key", format!("rk_test_{}", "aB3x".repeat(5))),
            ("Stripe key", format!("whsec_{}", "aB3x".repeat(8))),
            ("Google OAuth token", format!("GOCSPX-{}", "aB3x".repeat(7))),
            ("Telegram token", format!("123456789:AA{}", "aB3x".repeat(8))),
            ("Discord webhook", format!("https://discord.com/api/webhooks/12345/{}", "aB3x".repeat(10))),
            ("service key", format!("gsk_{}", "aB3x".repeat(13))),
            ("service key", format!("glsa_{}", "aB3x".repeat(8))),
            ("service key", format!("sk_{}", "0a1b2c".repeat(8))),
            ("service key", format!("sbp_{}", "0a1b".repeat(10))),
            ("service key", format!("sb_secret_{}", "aB3x".repeat(8))),
            ("service key", format!("shpat_{}", "0a1b".repeat(8))),
            ("service key", format!("ntn_{}", "aB3x".repeat(11))),
            ("service key", format!("lin_api_{}", "aB3x".repeat(10))),
            ("service key", format!("dp.pt.{}", "aB3x".repeat(10))),
            ("service key", format!("dapi{}", "0a1b".repeat(8))),
            ("service key", format!("vcp_{}", "aB3x".repeat(14))),
            ("service key", format!("figd_{}", "aB3x".repeat(10))),
            ("service key", format!("tvly-dev-{}", "aB3x".repeat(8))),
            ("service key", format!("pplx-{}", "aB3x".repeat(12))),
            ("service key", format!("r8_{}a", "aB3x".repeat(9))),
            ("service key", format!("xai-{}", "aB3x".repeat(20))),
            ("service key", format!("hvs.{}", "aB3x".repeat(6))),
            ("service key", format!("NRAK-{}", "AB3".repeat(9))),
            ("service key", format!("PMAK-{}-{}", "0a1b2c".repeat(4), "0a".repeat(17))),
            ("service key", format!("ATATT3{}", "aB3x".repeat(16))),
            ("service key", format!("dp.st.prd.{}", "aB3x".repeat(10))),
            ("service key", format!("vercel_blob_rw_{}_{}", "aB3x".repeat(4), "aB3x".repeat(7))),
            ("service key", format!("sntrys_eyJ{}=_{}", "aB3x".repeat(12), "aB3x".repeat(10))),
            ("service key", format!("sntryu_{hex}")),
            ("service key", format!("secret_{}abc", "aB3x".repeat(10))),
            ("service key", format!("SK{}", "0a1b".repeat(8))),
            ("service key", format!("key-{}", "0a1b".repeat(8))),
            ("service key", format!("{}-us12", "0a1b".repeat(8))),
            ("service key", format!("xkeysib-{hex}-{}", "aB3x".repeat(4))),
            ("service key", format!("re_aB3xaB3x_{}", "aB3x".repeat(6))),
            ("service key", "pat-na1-123e4567-e89b-12d3-a456-426614174000".to_owned()),
            ("service key", "access-production-123e4567-e89b-12d3-a456-426614174000".to_owned()),
            ("service key", format!("fo1_{}", "aB3x".repeat(11))),
            ("service key", format!("fm2_{}", "aB3x".repeat(30))),
            ("service key", format!("pscale_tkn_{}", "aB3x".repeat(11))),
            ("service key", format!("AGE-SECRET-KEY-1{}QP", "QPZR9Y8X".repeat(7))),
            ("service key", format!("A3-QPZR9Y{}", "-7XB4Q".repeat(5))),
            ("service key", format!("{}.atlasv1.{}", "aB3xaB3xaB3xaB", "aB3x".repeat(16))),
            ("service key", format!("pul-{}", "0a1b".repeat(10))),
            ("service key", format!("rubygems_{}", "0a1b".repeat(12))),
            ("service key", format!("cio{}", "aB3x".repeat(8))),
            ("service key", format!("oy2{}a1b", "ab3x".repeat(10))),
            ("service key", format!("nvapi-{}", "aB3x".repeat(16))),
            ("service key", format!("lsv2_pt_{}_{}", "0a1b".repeat(8), "0a1b2c3d4e")),
            ("service key", format!("sqp_{}", "0a1b".repeat(10))),
            ("service key", format!("dt0c01.{}.{}", "AB3X".repeat(6), "AB3X".repeat(16))),
            ("service key", format!("glc_{}", "aB3x".repeat(10))),
            ("service key", format!("tskey-auth-{}", "aB3x".repeat(7))),
            ("service key", format!("sha256~{}abc", "aB3x".repeat(10))),
            ("service key", format!("aB3{}{}", "8Q~", "aB3x".repeat(8))),
            ("service key", format!("LTAI{}", "aB3x".repeat(5))),
            ("service key", format!("ATBB{}", "aB3x".repeat(8))),
            ("OpenAI key", format!("sk-or-v1-{hex}")),
            ("Discord webhook", format!("https://discord.com/api/v10/webhooks/12345/{}", "aB3x".repeat(10))),
        ];
        for (kind, key) in &shapes {
            let found = redact(&format!("é {key}, and")).0.into_owned();
            assert_eq!(found, "é [secret], and", "{kind}");
            assert_eq!(secrets(key).into_iter().map(|(kind, _)| kind).collect::<Vec<_>>(), [*kind]);
            for before in ["\u{1b}[32m", "\u{1b}[01;31m\u{1b}[K", "\\u001b[1m", "\\x1b[33m", "\\033[0m", "MY_", "%22"] {
                let found = redact(&format!("{before}{key}\u{1b}[0m.")).0.into_owned();
                assert_eq!(found, format!("{before}[secret]\u{1b}[0m."), "{kind}");
            }
        }
        let value = "q7Zk29LmPx03Vb81Ty55";
        assert_eq!(redact(&format!("DISCORD_TOKEN={value}.GaBcDe.{value}")).0, "DISCORD_TOKEN=[secret]");
        for name in [
            "x-api-key: ",
            "AccountKey=",
            "Authorization: Bearer ",
            "authorization: token ",
            "Authorization: Basic ",
            "\u{1b}[1mTOKEN\u{1b}[0m=\u{1b}[2m",
            "\"auth_key\": \"",
            "DB_PASSWORD='",
            "set the password to ",
            "The api key is `",
        ] {
            assert_eq!(redact(&format!("{name}{value}")).0, format!("{name}[secret]"));
        }
    }

    #[test]
    fn names_paths_and_hashes_are_no_secrets() {
        for text in [
            "import { token as accessTokenOfTheSession2 } from 'x'",
            "the token is src/lexer/token_kinds_v2_generated.rs",
            "The commit with the secret is 3f2a9c0d1e4b5a697887f6e5d4c3b2a190817263",
            "Each token is 123e4567-e89b-12d3-a456-426614174000",
            "rename the token to access_token_v2_of_the_session",
            "dp.st.this_is_a_long_attribute_name_of_a_python_class2",
            "tvly-client-python-sdk-async-wrapper2",
            "secret_name_of_the_staging_cluster_in_region_eu2",
            "the image sha256:0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9",
            "cache key-value pairs of region-us1 and task_fw_update2",
        ] {
            assert_eq!(spans(text), [], "{text}");
        }
        let bot = format!("https://api.telegram.org/bot123456789:AA{}/getMe", "aB3x".repeat(8));
        assert_eq!(redact(&bot).0, "https://api.telegram.org/[secret]/getMe");
    }

    #[test]
    fn escapes_of_json_in_a_text_hide_no_secret_and_stay_whole() {
        let token = format!("ghp_{}", "aB3".repeat(14));
        let arguments =
            format!(r#"{{"a":"x\n{token}","b":"\u0026postgres://me:hunter2@db","api_key\":\"q7Zk29LmPx03Vb81Ty55"}}"#);
        let expected = r#"{"a":"x\n[secret]","b":"\u0026postgres://me:[secret]@db","api_key\":\"[secret]"}"#;
        assert_eq!(redact(&arguments).0, expected);
    }

    #[test]
    fn secrets_that_overlap_go_as_a_whole_and_nothing_goes_twice() {
        let web = format!("eyJ{}.eyJ{}.{}", "hbGciOiJIUzI1", "zdWIiOiIxMjM0", "SflKxwRJSMeK");
        let text = format!("my_token=v1x9QpZ2-{web}!");
        let (bare, _) = redact(&text);
        assert_eq!(bare, "my_token=[secret]!");
        assert_eq!(redact(&bare), (Cow::Borrowed("my_token=[secret]!"), BTreeMap::new()));
    }

    #[test]
    fn an_address_without_a_password_is_none() {
        for text in [r#"{"origin":"http://localhost","email":"bob@x.com"}"#, "postgres://me:${PASSWORD}@db", "a://b:c"]
        {
            assert_eq!(spans(text), [], "{text}");
        }
    }

    #[test]
    fn a_private_key_goes_with_its_body() {
        let body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC".repeat(3);
        for brk in ["\n", "\\n"] {
            let key = format!("-----BEGIN PRIVATE KEY-----{brk}{body}{brk}{body}{brk}");
            let whole = format!("a {key}-----END PRIVATE KEY-----, b");
            assert_eq!(redact(&whole).0, "a [secret], b");
            assert!(!redact(&format!("a {key}cut off here")).0.contains("MIIE"));
        }
    }
}
