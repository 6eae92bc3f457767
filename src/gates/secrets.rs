//! X01, X02: secrets and private data in the result. The values are never shown, only their kind and, for a long
//! secret, a prefix of its hash.

use super::{Finding, GateResult, Tools, View, settings::Limits};
use crate::measure::{Share, pattern};
use crate::secrets::{HIDDEN, Known, redact, secrets};
use crate::transcript::hex;
use regex::Regex;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::sync::LazyLock;

const PRIVATE: &[(&str, &str)] = &[
    ("a home folder", r"(?:/home/|/Users/|\\Users\\)[A-Za-z0-9._-]+"),
    ("an e-mail address", r"\b[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}\b"),
    ("an IP address", r"\b(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}\b"),
];

static PERSONAL: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| compiled(PRIVATE));

fn compiled<'t>(table: &[(&'t str, &str)]) -> Vec<(&'t str, Regex)> {
    table.iter().map(|(name, text)| (*name, pattern(text))).collect()
}

fn matches(text: &str, table: &[(&'static str, Regex)]) -> BTreeSet<(&'static str, String)> {
    let each = |(name, pattern): &(&'static str, Regex)| {
        pattern.find_iter(text).map(|found| (*name, found.as_str().to_owned())).collect::<Vec<_>>()
    };
    table.iter().flat_map(each).collect()
}

/// X01: no secret in the summary; those in kept messages warn.
pub(super) fn no_secrets(view: &View<'_>, _: &Tools<'_>, _: Limits) -> GateResult {
    judged(view, (secrets, view.passwords()), mark)
}

/// X02: no home folder, e-mail address or IP address.
pub(super) fn no_private_data(view: &View<'_>, _: &Tools<'_>, _: Limits) -> GateResult {
    // There are so few addresses and names that a hash would reveal them.
    judged(view, (|text: &str| matches(text, &PERSONAL), &Known::default()), |_| String::new())
}

fn judged(
    view: &View<'_>,
    (find, known): (impl Fn(&str) -> BTreeSet<(&'static str, String)>, &Known),
    mark: impl Fn(&str) -> String,
) -> GateResult {
    let mut findings = Vec::new();
    for summary in &view.summary {
        let behind = summary.behind.lines().filter(|line| !summary.text.contains(line));
        for (text, number) in summary.text.lines().chain(behind).zip(1..) {
            let mut found = find(text);
            let told = known.spans(text).into_iter().map(|(kind, span)| (kind, text[span].to_owned()));
            let new: Vec<_> = told.filter(|(_, value)| found.iter().all(|(_, other)| other != value)).collect();
            found.extend(new);
            findings.extend(found.into_iter().map(|(kind, value)| {
                Finding::new(summary.line, format!("{kind} in the summary{}", mark(&value))).at(number)
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
            let text = format!("{kind} in a message that is kept as it was{}", mark(&value));
            findings.push(Finding::new(view.spot_of(at), text).warning());
        }
    }
    let of = view.compacted.transcript.messages.len().max(findings.len()).max(1);
    GateResult::of(Share { kept: of - findings.len(), of }, findings)
}

/// Replaces secrets in the texts that findings show: what looks like one, and parts of those of the summary, which a
/// gate may have taken out of the words that tell them.
pub(super) fn conceal(view: &View<'_>, findings: &mut [Finding]) {
    if findings.iter().all(|finding| finding.content.is_none()) {
        return;
    }
    let texts = view.summary.iter().flat_map(|summary| [&summary.whole, &summary.text, &summary.behind]);
    let values = |text: &String| {
        let known = view.passwords().spans(text).into_iter().map(|(_, span)| text[span].to_lowercase());
        known.chain(secrets(text).into_iter().map(|(_, value)| value.to_lowercase())).collect::<Vec<_>>()
    };
    let told: BTreeSet<String> = texts.flat_map(values).collect();
    for content in findings.iter_mut().filter_map(|finding| finding.content.as_mut()) {
        let lower = content.to_lowercase();
        let is_part = content.len() >= PART && told.iter().any(|value| value.contains(&lower));
        let holds = told.iter().any(|value| lower.contains(value.as_str()));
        *content = if is_part || holds { HIDDEN.to_owned() } else { redact(content).0.into_owned() };
    }
}

/// Least length in bytes of a part of a secret that is concealed.
const PART: usize = 4;

/// Least length in bytes of a secret that is marked: a shorter one could be guessed from the prefix of its hash.
const LONG: usize = 16;

/// A prefix of the hash, by which findings of the same long secret can be matched; empty for a short one.
fn mark(value: &str) -> String {
    if value.len() < LONG {
        return String::new();
    }
    let hash = Sha256::digest(value.as_bytes());
    format!(" (sha256 {})", hex(&hash[..4]))
}
