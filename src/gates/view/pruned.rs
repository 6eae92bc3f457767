//! Messages whose results or arguments were pruned: stubs and excerpts in their places.

use super::matching::{called, canonical_text, failed, required_parts};
use super::stubs::{self, Stubs};
use crate::transcript::{Message, Part, PartKind};
use std::collections::HashMap;

/// The results, each with the last message that has it, if a result of `after` says that a later one is the same.
pub(super) fn newest<'m>(before: &'m [Message<'_>], after: &[Message<'_>]) -> HashMap<&'m str, usize> {
    let is_result = |part: &&Part<'_>| matches!(part.kind, PartKind::Result { .. });
    let mut parts = after.iter().flat_map(|message| &message.parts).filter(is_result);
    if !parts.any(|part| stubs::is_duplicate(&part.text)) {
        return HashMap::new();
    }
    let results = |(at, message): (usize, &'m Message<'_>)| {
        message.parts.iter().filter(is_result).map(move |part| (&*part.text, at))
    };
    before.iter().enumerate().flat_map(results).collect()
}

/// Whether only results and arguments of calls differ, and those are marked as pruned or shortened.
pub(super) fn is_pruned(before: &Message<'_>, after: &Message<'_>, by: (&Stubs, &dyn Fn(&str) -> bool)) -> bool {
    let (old, new) = (required_parts(before), required_parts(after));
    let same = |old: &Part<'_>, new: &Part<'_>| {
        called(old) == called(new) && failed(old) == failed(new) && canonical_text(old) == canonical_text(new)
    };
    let all = |old: &Part<'_>, new: &Part<'_>| same(old, new) || is_stub(old, new, by) || is_cleared(old, new, by.0);
    old.len() == new.len() && old.iter().zip(&new).all(|(old, new)| all(old, new))
}

/// Whether a part is a stub or an excerpt of a result; `later`: whether a later message has a result with this text.
fn is_stub(old: &Part<'_>, new: &Part<'_>, (stubs, later): (&Stubs, &dyn Fn(&str) -> bool)) -> bool {
    let (PartKind::Result { tool, .. }, PartKind::Result { pruned, .. }) = (&old.kind, &new.kind) else { return false };
    let (text, whole) = (&*new.text, &*old.text);
    let told = (whole, failed(old));
    let tells = || stubs.shortens(text, told) || stubs.tells_of(tool.as_deref(), text, told);
    *pruned || stubs.stands_for(text, whole) || tells() || stubs.says_again(text) && later(whole)
}

/// Whether both are calls of the same tool, and the arguments of the new one were cleared.
fn is_cleared(old: &Part<'_>, new: &Part<'_>, stubs: &Stubs) -> bool {
    let call = |part: &Part<'_>| matches!(part.kind, PartKind::Call { .. });
    call(old) && call(new) && called(old) == called(new) && stubs.clears(&new.text)
}
