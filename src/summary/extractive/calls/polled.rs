//! Results of polls of a background task (Claude Code): its state stands in fields before its output.

use crate::summary::text::{contains_any, first_bytes};

/// Bytes of a result that have the fields.
const FIELDS: usize = 400;
/// How such a result begins, and what the output stands in.
const POLLED: &str = "<retrieval_status>";
const PRINTED: &str = "<output>";
/// The state of a task that still runs, and of one that does not.
const GOES_ON: &str = "<status>running<";
const ENDED: [&str; 4] = ["<status>completed<", "<status>failed<", "<status>killed<", "<status>stopped<"];

/// The fields of such a result.
pub(super) fn head(result: &str) -> Option<&str> {
    let head = first_bytes(result, FIELDS);
    head.starts_with(POLLED).then(|| head.split(PRINTED).next().unwrap_or(head))
}

/// Whether it says that the task still runs.
pub(super) fn goes_on(result: &str) -> bool {
    head(result).is_some_and(|head| head.contains(GOES_ON))
}

/// Whether it says that the task ended.
pub(super) fn has_ended(result: &str) -> bool {
    head(result).is_some_and(|head| contains_any(head, &ENDED))
}
