//! Messages that are carried behind a summary of ours, word for word: which of the original they are, and what is none.

use crate::secrets::{HIDDEN, redact};
use crate::transcript::fixed_texts::{CARRIED, SUMMARY_CLOSE};
use crate::transcript::{Message, PartKind, Role};
use std::borrow::Cow;
use std::cmp::Reverse;

/// A summary of ours, and what is carried behind it.
pub(super) fn parted(said: &str) -> (&str, &str) {
    let end = said.find(SUMMARY_CLOSE).map(|at| at + SUMMARY_CLOSE.len());
    let parts = end.map(|end| said.split_at(end)).map(|(summary, behind)| (summary, behind.trim()));
    parts.and_then(|(summary, behind)| Some((summary, behind.strip_prefix(CARRIED)?))).unwrap_or((said, ""))
}

/// What stands behind a summary.
#[derive(Default)]
pub(super) struct Carried {
    /// Places of the messages of a user of which all texts stand there whole.
    pub(super) messages: Vec<usize>,
    /// What no message says.
    pub(super) others: String,
}

/// Looks for messages, each with its place, among what stands behind a summary: each part behind a line that says whose it
/// is. Secrets aren't carried along.
pub(super) fn carried<'m>(behind: &str, all: impl Iterator<Item = (usize, &'m Message<'m>)>) -> Carried {
    let all: Vec<_> = all.collect();
    let texts = all.iter().flat_map(|(_, message)| &message.parts).map(|part| part.text.trim());
    let mut texts: Vec<_> = texts.filter_map(|text| told(text, behind)).collect();
    // One may be the beginning of another.
    texts.sort_by_key(|text| Reverse(text.len()));
    texts.dedup();
    let mut rest = behind.to_owned();
    texts.retain(|text| take(&mut rest, text));
    let is_whole = |message: &Message<'_>| {
        let own = || message.parts.iter().filter(|part| part.kind == PartKind::Text).map(|part| part.text.trim());
        let stands = |text: &str| {
            let bare = redact(text).0;
            texts.iter().any(|told| **told == *text || *told == bare)
        };
        message.role == Role::User && own().any(|text| !text.is_empty()) && own().all(stands)
    };
    let messages = all.iter().filter(|(_, message)| is_whole(message)).map(|(at, _)| *at).collect();
    let is_mark = |line: &str| line.starts_with('[') && line.ends_with(']');
    let others: Vec<&str> = rest.lines().filter(|line| !line.trim().is_empty() && !is_mark(line)).collect();
    Carried { messages, others: others.join("\n") }
}

/// A text as it stands behind a summary: whole, or without its secrets.
pub(super) fn told<'t>(text: &'t str, behind: &str) -> Option<Cow<'t, str>> {
    let stands = |text: &str| !text.is_empty() && behind.contains(text);
    if stands(text) {
        return Some(Cow::Borrowed(text));
    }
    behind.contains(HIDDEN).then(|| redact(text).0).filter(|bare| stands(bare))
}

/// Takes a text out wherever it stands whole; whether it does.
fn take(rest: &mut String, text: &str) -> bool {
    let mut found = false;
    let mut from = 0;
    while let Some(at) = rest[from..].find(text).map(|at| from + at) {
        let end = at + text.len();
        let behind = rest[end..].trim_start();
        let whole =
            rest[..at].trim_end_matches([' ', '\t']).ends_with("]\n") && (behind.is_empty() || behind.starts_with('['));
        if whole {
            rest.replace_range(at..end, "");
            found = true;
        }
        from = if whole { at } else { end };
    }
    found
}
