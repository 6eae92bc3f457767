//! Detects sessions of Claude Code (FORMATS §17), by an envelope around messages or by records that only it writes.

use super::SESSION_TYPES;
use crate::format::shared::json::Object;
use crate::format::{Confidence, Evidence, Sample};

/// Returns the evidence that a file is a session of Claude Code, or `None`.
///
/// Qwen's sessions have the same envelope, but around `message.parts`; lines of streams have no envelope. One
/// compaction boundary is enough, as a compaction may have kept records of any kind beside it.
pub(super) fn evidence(sample: &Sample<'_>) -> Option<Evidence> {
    let (confidence, why) = match () {
        () if sample.most(is_claude_code) || sample.any(is_boundary) => {
            (Confidence::Certain, "records with `uuid` and `sessionId` around messages")
        }
        () if sample.most(|record| is_claude_code(record) || is_bare(record)) => (
            Confidence::Assumed,
            "records of type `user` and `assistant` around messages, without the ids of a session",
        ),
        () => return None,
    };
    Some(Evidence { confidence, why: why.to_owned() })
}

/// Whether a record is a message in an envelope of which an export left only the time or the record's own id. A record
/// of a stream has a `session_id` or, where a publisher left that out, the call that it belongs to.
fn is_bare(record: &Object<'_>) -> bool {
    let kind = record.text("type").unwrap_or_default();
    let message = record.object("message").filter(|message| message.has("content"));
    let speaks = message.is_some_and(|message| message.text("role").is_none_or(|role| role == kind));
    let placed = record.has("timestamp") || record.has("uuid");
    let streamed = record.has("session_id") || record.has("parent_tool_use_id");
    matches!(&*kind, "user" | "assistant") && speaks && placed && !streamed
}

fn is_boundary(record: &Object<'_>) -> bool {
    record.is("subtype", "compact_boundary")
        && ["uuid", "parentUuid", "compactMetadata"].iter().all(|key| record.has(key))
}

/// Whether a record is one that sessions of Claude Code have.
pub(super) fn is_claude_code(record: &Object<'_>) -> bool {
    let has = |keys: &[&str]| keys.iter().all(|key| record.has(key));
    let envelope = has(&["uuid"]) && (has(&["sessionId"]) || has(&["parentUuid"]) || has(&["isSidechain"]));
    match &*record.text("type").unwrap_or_default() {
        "user" | "assistant" => {
            let message = record.object("message");
            envelope && message.is_some_and(|message| message.has("content") || message.has("role"))
        }
        "system" => {
            envelope && !has(&["systemPayload"]) && (has(&["subtype"]) || has(&["content"]) || has(&["message"]))
        }
        "attachment" => envelope && has(&["attachment"]),
        "progress" => envelope && has(&["data"]),
        "tool_use" | "tool_result" => envelope && has(&["name"]),
        "file-history-snapshot" => has(&["snapshot"]),
        "queue-operation" => has(&["operation"]),
        "last-prompt" => has(&["leafUuid"]) || has(&["lastPrompt"]),
        "permission-mode" => has(&["permissionMode"]),
        "summary" => has(&["summary", "leafUuid"]),
        // Not in `SESSION_TYPES`: a session may hold several of these records, and not only the last one counts.
        "frame-link" => has(&["sessionId"]),
        known if SESSION_TYPES.contains(&known) => has(&["sessionId"]),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::detect;

    fn name(text: &str) -> String {
        detect(text.as_bytes())
            .map_or_else(|err| err.to_string(), |found| format!("{} {:?}", found.name, found.evidence.confidence))
    }

    fn is_known(text: &str) -> bool {
        evidence(&Sample::new(text)).is_some()
    }

    #[test]
    fn a_record_about_the_session_is_known_by_its_type_and_the_session() {
        for kind in SESSION_TYPES.iter().filter(|kind| !["summary", "permission-mode", "last-prompt"].contains(kind)) {
            assert!(is_known(&format!(r#"{{"type":"{kind}","sessionId":"s"}}"#)), "{kind}");
            assert!(!is_known(&format!(r#"{{"type":"{kind}"}}"#)), "{kind}");
        }
        assert!(is_known(r#"{"type":"frame-link","sessionId":"s"}"#));
        assert!(!is_known(r#"{"type":"other","sessionId":"s"}"#));
    }

    #[test]
    fn a_session_is_known_by_its_envelope() {
        let envelope = r#""uuid":"1","parentUuid":null,"sessionId":"s","isSidechain":false"#;
        assert!(is_known(&format!(r#"{{"type":"user","message":{{"role":"user","content":"u"}},{envelope}}}"#)));
        assert!(is_known(r#"{"type":"summary","summary":"s","leafUuid":"1"}"#));
        assert!(is_known(r#"{"type":"file-history-snapshot","messageId":"1","snapshot":{}}"#));
        let qwen = format!(r#"{{"type":"user","message":{{"role":"user","parts":[]}},{envelope}}}"#);
        assert_eq!(name(&qwen), "qwen Certain");
        assert!(!is_known(r#"{"type":"user","content":"u"}"#));
        let bare =
            |role: &str| format!(r#"{{"type":"user","timestamp":"t","message":{{"role":"{role}","content":"u"}}}}"#);
        assert_eq!(name(&bare("user")), "claude-code Assumed", "an export without ids");
        assert_eq!(name(&bare("user").replace(r#""role":"user","#, "")), "claude-code Assumed");
        assert_eq!(name(&bare("user").replace(r#""timestamp":"t""#, r#""uuid":"1""#)), "claude-code Assumed");
        assert!(!is_known(&bare("user").replace(r#""timestamp":"t","#, "")));
        assert!(!is_known(&bare("assistant")));
        assert!(!is_known(&bare("user").replace("timestamp", "session_id")));
        let streamed = bare("user").replace(r#""timestamp":"t""#, r#""uuid":"1","parent_tool_use_id":null"#);
        assert!(!is_known(&streamed), "a stream without the ids of its session");
        let boundary =
            r#"{"type":"system","subtype":"compact_boundary","uuid":"1","parentUuid":null,"compactMetadata":{}}"#;
        assert!(is_known(&format!("{{\"a\":1}}\n{{\"a\":2}}\n{boundary}\n{{\"a\":3}}")), "one boundary is enough");
        assert!(!is_known(r#"{"type":"system","subtype":"init","session_id":"s","uuid":"1"}"#));
    }
}
