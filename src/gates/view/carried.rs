//! Messages carried word for word after a summary of ours: which original messages they are, and which text is in
//! none.

use crate::secrets::{HIDDEN, redact};
use crate::transcript::fixed_texts::{CARRIED, SUMMARY_CLOSE};
use crate::transcript::{Message, PartKind, Role};
use std::borrow::Cow;
use std::cmp::Reverse;

/// Splits the text of a summary message into our summary, and what is carried after it (empty if nothing is).
pub(super) fn parted(said: &str) -> (&str, &str) {
    let end = said.find(SUMMARY_CLOSE).map(|at| at + SUMMARY_CLOSE.len());
    let parts = end.map(|end| said.split_at(end)).map(|(summary, behind)| (summary, behind.trim()));
    parts.and_then(|(summary, behind)| Some((summary, behind.strip_prefix(CARRIED)?))).unwrap_or((said, ""))
}

/// The text carried after a summary, compared with the original.
#[derive(Default)]
pub(in crate::gates) struct Carried {
    /// Indices of the user messages whose texts are all there in full.
    pub(in crate::gates) messages: Vec<usize>,
    /// The remaining text, which is in no message.
    pub(in crate::gates) others: String,
}

/// Finds messages (each with its index) in the text carried after a summary. Each carried text follows a line in
/// brackets that says whose it is. Secrets may have been removed from it.
pub(super) fn carried<'m>(behind: &str, all: impl Iterator<Item = (usize, &'m Message<'m>)>) -> Carried {
    let all: Vec<_> = all.collect();
    let texts = all.iter().flat_map(|(_, message)| &message.parts).map(|part| part.text.trim());
    let mut texts: Vec<_> = texts.filter_map(|text| as_carried(text, behind)).collect();
    // One text may be the beginning of another.
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

/// A text as it is carried after a summary: in full, or with its secrets removed; `None` if it is not there.
pub(in crate::gates) fn as_carried<'t>(text: &'t str, behind: &str) -> Option<Cow<'t, str>> {
    let stands = |text: &str| !text.is_empty() && behind.contains(text);
    if stands(text) {
        return Some(Cow::Borrowed(text));
    }
    behind.contains(HIDDEN).then(|| redact(text).0).filter(|bare| stands(bare))
}

/// Removes each full occurrence of a text from `rest`; returns whether there was one.
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
