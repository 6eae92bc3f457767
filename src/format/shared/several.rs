//! Files that hold several sessions, one after the other or their lines mixed, as `cat` and some exports leave them. A
//! harness would load one of them; what is said in all of them together, nobody said.
//!
//! A session that was resumed, forked or rewound is none of these: its records of another session are what it goes on from.

use super::json::Object;
use crate::reason::Reason;
use crate::transcript::Traits;

/// Makes the traits those of a file in which another session begins at this record, if there is one.
pub(in crate::format) fn of(other_session: Option<usize>, traits: Traits) -> Traits {
    let fixed = traits.fixed.or(other_session.map(|_| Reason::SeveralSessions));
    Traits { fixed, other_session, ..traits }
}

/// Whether a record in another harness's session is one of Claude Code.
pub(in crate::format) fn is_claude_codes(record: &Object<'_>) -> bool {
    ["uuid", "sessionId", "message"].iter().all(|key| record.has(key))
}

/// Whether a record in another harness's session is one of Codex.
pub(in crate::format) fn is_codexs(record: &Object<'_>) -> bool {
    let known = record.text("type").is_some_and(|kind| ["session_meta", "response_item"].contains(&&*kind));
    known && record.object("payload").is_some()
}
