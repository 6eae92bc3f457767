//! Whether a harness would load the summary that was written.

use crate::transcript::{EditScript, InsertKind, Transcript};

/// What is said where the summary would be written and nobody would read it.
pub(super) const LOST: &str = "the output would have its summary where the harness does not load it";

/// Whether the summary that a script inserts, if any, is in what a harness loads of the result: told by its longest line
/// without a tag, since a format may read tags as media.
pub(super) fn tells_summary(script: &EditScript, after: &Transcript<'_>) -> bool {
    let summary = script.inserts.iter().find_map(|insert| match &insert.kind {
        InsertKind::Summary { text, .. } => {
            text.lines().map(str::trim).filter(|line| !line.contains('<')).max_by_key(|line| line.len())
        }
        InsertKind::Continuation { .. } => None,
    });
    let loaded = || after.messages.iter().filter(|message| message.is_loaded()).flat_map(|message| &message.parts);
    summary.is_none_or(|line| loaded().any(|part| part.text.contains(line)))
}

#[cfg(test)]
#[expect(clippy::expect_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::format::{ReadError, ReadOptions, by_name};
    use crate::transcript::{Insert, SummaryRole};

    #[test]
    fn a_summary_that_is_stored_and_not_loaded_is_missed() -> Result<(), ReadError> {
        let line = r#"{"messages":[{"role":"user","content":"<summary>\n- The lamp burns.\n</summary>"}]}"#;
        let format = by_name("openai-chat").expect("a format of ours");
        let mut after = format.read(line.as_bytes(), ReadOptions::default())?;
        let text = after.messages[0].text().into_owned();
        let kind = InsertKind::Summary { text, role: SummaryRole::User, tokens_before: 9, tokens_after: 1 };
        let script = EditScript { inserts: vec![Insert { before: 0, kind }], ..EditScript::default() };
        assert!(tells_summary(&script, &after));
        after.messages[0].live = false;
        assert!(!tells_summary(&script, &after));
        assert!(tells_summary(&EditScript::default(), &after), "none was to be written");
        Ok(())
    }
}
