//! X01, X02: secrets and private data in what was written. What is found is never shown, only its kind and a piece of
//! its hash.

use super::{Finding, Outcome, Tools, View, settings::Limits};
use crate::measure::Share;
use regex::Regex;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Shapes of keys that their makers document: name and pattern.
const SHAPES: &[(&str, &str)] = &[
    ("AWS access key", r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    ("GitHub token", r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})\b"),
    ("GitLab token", r"\bglpat-[A-Za-z0-9_-]{20,}"),
    ("Slack token", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),
    ("Anthropic key", r"\bsk-ant-[A-Za-z0-9_-]{20,}"),
    ("OpenAI key", r"\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{32,}"),
    ("Google API key", r"\bAIza[0-9A-Za-z_-]{35}\b"),
    ("Stripe key", r"\b[rs]k_live_[0-9A-Za-z]{16,}"),
    ("npm token", r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("Hugging Face token", r"\bhf_[A-Za-z0-9]{30,}\b"),
    ("JSON web token", r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
    ("private key", r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----"),
    ("password in an address", r"\b[a-z][a-z0-9+.-]*://[^/\s:@]+:[^/\s:@]{3,}@"),
];
/// An assignment to a name that says secret.
const ASSIGNED: &str = r#"(?i)\b[a-z0-9_]*(?:secret|password|passwd|api_?key|token|credential)[a-z0-9_]*["']?\s*[:=]\s*["']?([A-Za-z0-9+/=_-]{20,})"#;
const PRIVATE: &[(&str, &str)] = &[
    ("a home folder", r"(?:/home/|/Users/|\\Users\\)[A-Za-z0-9._-]+"),
    ("an e-mail address", r"\b[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}\b"),
    ("an IP address", r"\b(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}\b"),
];
/// Bits per character from which a value looks random.
const RANDOM: f64 = 3.5;

static KEYS: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| compiled(SHAPES));
static PERSONAL: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| compiled(PRIVATE));
static ASSIGNMENT: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| compiled(&[("assigned secret", ASSIGNED)]));

#[expect(clippy::unwrap_used, reason = "the patterns are constants")]
fn compiled<'t>(table: &[(&'t str, &str)]) -> Vec<(&'t str, Regex)> {
    table.iter().map(|(name, text)| (*name, Regex::new(text).unwrap())).collect()
}

/// Secrets in a text: kind and value.
fn secrets(text: &str) -> BTreeSet<(&'static str, String)> {
    let mut found = matches(text, &KEYS);
    for assigned in
        ASSIGNMENT.iter().flat_map(|(name, pattern)| pattern.captures_iter(text).map(move |one| (*name, one)))
    {
        let value = &assigned.1[1];
        let mixed =
            value.bytes().any(|byte| byte.is_ascii_digit()) && value.bytes().any(|byte| byte.is_ascii_alphabetic());
        if mixed && entropy(value) >= RANDOM && !found.iter().any(|(_, known)| known.contains(value)) {
            found.insert((assigned.0, value.to_owned()));
        }
    }
    found
}

fn matches(text: &str, table: &[(&'static str, Regex)]) -> BTreeSet<(&'static str, String)> {
    let each = |(name, pattern): &(&'static str, Regex)| {
        pattern.find_iter(text).map(|found| (*name, found.as_str().to_owned())).collect::<Vec<_>>()
    };
    table.iter().flat_map(each).collect()
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

/// X01: no secret in the summary; those in kept messages warn.
pub(super) fn no_secrets(view: &View<'_>, _: &Tools<'_>, _: Limits) -> Outcome {
    judged(view, secrets)
}

/// X02: no home folder, e-mail or IP address.
pub(super) fn no_private_data(view: &View<'_>, _: &Tools<'_>, _: Limits) -> Outcome {
    judged(view, |text| matches(text, &PERSONAL))
}

fn judged(view: &View<'_>, find: impl Fn(&str) -> BTreeSet<(&'static str, String)>) -> Outcome {
    let mut findings = Vec::new();
    for summary in &view.summary {
        for (text, number) in summary.text.lines().zip(1..) {
            let found = find(text).into_iter();
            findings.extend(found.map(|(kind, value)| {
                Finding::new(summary.line, format!("{kind} in the summary ({})", mark(&value))).at(number)
            }));
        }
    }
    let mut seen = BTreeSet::new();
    for (at, message) in view.compacted.transcript.messages.iter().enumerate() {
        if view.kept.summaries.contains(&at) {
            continue;
        }
        let found = message.parts.iter().flat_map(|part| find(&part.text));
        for (kind, value) in found.filter(|found| seen.insert(found.clone())).collect::<Vec<_>>() {
            let text = format!("{kind} in a message that is kept as it was ({})", mark(&value));
            findings.push(Finding::new(view.line_of(at), text).warning());
        }
    }
    let of = view.compacted.transcript.messages.len().max(findings.len()).max(1);
    Outcome::of(Share { kept: of - findings.len(), of }, findings)
}

/// A piece of the hash, by which two findings of one secret are known.
fn mark(value: &str) -> String {
    let hash = Sha256::digest(value.as_bytes());
    format!("sha256 {}", hash.iter().take(4).map(|byte| format!("{byte:02x}")).collect::<String>())
}
