//! Results of calls made at once that stand in one ShareGPT turn, between the tags that trainers put there.
//!
//! Only a conversion tells them apart: nothing is written back, so the turn need not be one value for each result.

use crate::transcript::{Message, PartKind};

/// What opens a result.
const OPEN: &str = "<tool_response>";
/// What ends it.
const CLOSE: &str = "</tool_response>";
/// What stands between results where the first has no opening tag and the last no closing one.
pub(super) const BETWEEN: &str = "\n</tool_response>\n<tool_response>\n";

/// The texts of the results of a message, one for each: those between tags if there are as many as results, else none.
pub(super) fn parted<'t>(message: &'t Message<'_>) -> Vec<&'t str> {
    let is_result = |kind: &PartKind<'_>| matches!(kind, PartKind::Result { .. });
    let mut results = message.parts.iter().filter(|part| is_result(&part.kind));
    let Some(first) = results.next() else { return Vec::new() };
    let texts = tagged(&first.text).unwrap_or_else(|| first.text.split(BETWEEN).collect());
    if texts.len() == 1 + results.count() { texts } else { Vec::new() }
}

/// The texts between tags, if those are all that stands there, as Hermes's collections have them.
fn tagged(text: &str) -> Option<Vec<&str>> {
    let (mut texts, mut rest) = (Vec::new(), text.trim());
    while !rest.is_empty() {
        let (inside, behind) = rest.strip_prefix(OPEN)?.split_once(CLOSE)?;
        let inside = inside.strip_prefix('\n').unwrap_or(inside);
        texts.push(inside.strip_suffix('\n').unwrap_or(inside));
        rest = behind.trim_start();
    }
    (!texts.is_empty()).then_some(texts)
}
