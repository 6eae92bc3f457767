//! Patches: an edit script as bytes. What no patch covers is copied, so it is byte-identical by construction.

use std::borrow::Cow;
use std::ops::Range;

/// Replaces one range of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    /// The range; empty for an insertion.
    pub span: Range<usize>,
    /// What stands there instead; empty for a deletion.
    pub with: Vec<u8>,
    /// Why.
    pub kind: PatchKind,
}

/// Why a patch is made; the report counts each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PatchKind {
    /// A whole record goes.
    Drop,
    /// A new record.
    Insert,
    /// A part's content is replaced by a stub or an excerpt, or removed.
    Stub,
    /// One declared link or counter gets a new value.
    Relink,
    /// A copy for a user interface is replaced or removed.
    UiCopy,
    /// Separators around dropped or inserted records.
    Glue,
}

/// Returns the source with all patches applied; borrowed when there is none.
///
/// Patches are ordered and do not overlap; one that starts before the end of its predecessor is left out.
pub fn apply<'a>(source: &'a [u8], patches: &[Patch]) -> Cow<'a, [u8]> {
    if patches.is_empty() {
        return Cow::Borrowed(source);
    }
    let mut out = Vec::with_capacity(source.len() / 4);
    let mut at = 0;
    for patch in patches {
        debug_assert!(patch.span.start >= at, "patches overlap at {}", patch.span.start);
        out.extend_from_slice(&source[at..patch.span.start.max(at)]);
        out.extend_from_slice(&patch.with);
        at = patch.span.end.max(at);
    }
    out.extend_from_slice(&source[at..]);
    Cow::Owned(out)
}

/// The bytes that the patches take away, in order: with the patches and the output they give the source back.
pub fn removed<'a>(source: &'a [u8], patches: &'a [Patch]) -> impl Iterator<Item = &'a [u8]> {
    patches.iter().map(|patch| &source[patch.span.clone()])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patch(span: Range<usize>, with: &str) -> Patch {
        Patch { span, with: with.into(), kind: PatchKind::Stub }
    }

    #[test]
    fn what_no_patch_covers_stays() {
        let out = apply(b"abcdef", &[patch(1..2, "X"), patch(3..3, "--"), patch(4..6, "")]);
        assert_eq!(&*out, b"aXc--d");
        assert!(matches!(apply(b"abc", &[]), Cow::Borrowed(b"abc")));
    }

    #[test]
    fn removed_bytes_are_those_under_the_patches() {
        let patches = [patch(1..2, "X"), patch(4..6, "")];
        assert_eq!(removed(b"abcdef", &patches).collect::<Vec<_>>(), [&b"b"[..], b"ef"]);
    }
}
