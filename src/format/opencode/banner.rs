//! The line that `opencode export` prints before the export. It goes to standard error, so it is in a file to which both
//! streams went, in older versions without an end of line. Such a file is read behind the line, which stays: whoever reads
//! the file knows how to skip it. `opencode import` does not, so the line is a fault, which is mended by taking it out.

use crate::format::shared::lines;
use crate::transcript::{Patch, PatchKind};
use std::ops::Range;

/// How the line begins; the id of the session follows.
const PRINTED: &[u8] = b"Exporting session: ";

/// The range of the line in a file, with what separates it from the export; empty if there is none.
pub(super) fn span(source: &[u8]) -> Range<usize> {
    let start = if source.starts_with(lines::BOM) { lines::BOM.len() } else { 0 };
    let line = source.get(start..).and_then(|text| text.strip_prefix(PRINTED));
    let Some((line, before)) = line.and_then(|line| Some((line, memchr::memchr2(b'{', b'[', line)?))) else {
        return start..start;
    };
    let words = line.get(..before).unwrap_or_default();
    let is_one_line = !words.trim_ascii_end().contains(&b'\n');
    start..if is_one_line { start + PRINTED.len() + before } else { start }
}

/// The bytes behind the line, if there is one.
pub(in crate::format) fn behind(source: &[u8]) -> Option<&[u8]> {
    let line = span(source);
    source.get(line.end..).filter(|_| !line.is_empty())
}

/// The patch that takes the line out.
pub(super) fn without(source: &[u8]) -> Option<Patch> {
    let line = span(source);
    (!line.is_empty()).then_some(Patch { span: line, with: Vec::new(), kind: PatchKind::Drop })
}
