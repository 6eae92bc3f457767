//! The keys that say of a message that epitome added it, in formats with room for them (SPEC T11).

use super::json::Object;
use super::synthetic::{Mark, QUESTION};
use crate::transcript::{InsertKind, Role, SummaryRole};

/// The key of a message that sets the agent going again.
const CONTINUES: &str = "compaction_continue";
/// The key of one that repeats a real message.
const REPLAYED: &str = "replayed";

/// Reads the mark in these fields.
pub(in crate::format) fn read(fields: &Object<'_>) -> Mark {
    match (fields.is_true(CONTINUES), fields.is_true(REPLAYED)) {
        (true, false) => Mark::Continuation,
        (true, true) => Mark::Replayed,
        (false, _) => Mark::None,
    }
}

/// The fields of a continuation, without brackets.
pub(in crate::format) fn fields(replayed: bool, had_media: bool) -> &'static str {
    match (replayed, had_media) {
        (true, _) => r#""compaction_continue":true,"replayed":true"#,
        (false, true) => r#""compaction_continue":true,"had_media":true"#,
        (false, false) => OF_QUESTION,
    }
}

/// The fields of the question before a summary that is an answer.
const OF_QUESTION: &str = r#""compaction_continue":true"#;

/// The texts of new messages, each with its role and its fields (none, if empty), in formats where a summary is a
/// system message unless another role is asked for.
pub(in crate::format) fn turns(kind: &InsertKind) -> Vec<(Role, &str, &'static str)> {
    match kind {
        InsertKind::Summary { text, role: SummaryRole::Auto | SummaryRole::System, .. } => {
            vec![(Role::System, text, "")]
        }
        InsertKind::Summary { text, role: SummaryRole::User, .. } => vec![(Role::User, text, "")],
        InsertKind::Summary { text, role: SummaryRole::Assistant, .. } => {
            vec![(Role::User, QUESTION, OF_QUESTION), (Role::Assistant, text, "")]
        }
        InsertKind::Continuation { text, had_media, replayed } => {
            vec![(Role::User, text, fields(*replayed, *had_media))]
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let of = |text: &str| read(&Object::parse(&format!("{{{text}}}")).unwrap());
        assert_eq!((of(fields(false, true)), of(OF_QUESTION)), (Mark::Continuation, Mark::Continuation));
        assert_eq!((of(fields(true, true)), of("")), (Mark::Replayed, Mark::None));
    }
}
