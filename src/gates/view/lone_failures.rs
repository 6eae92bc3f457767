//! Runs of tests that print nothing of a failure but a line about it, and no counts: “FAIL zone.test.ts: expected 5,
//! got 6”. The deeds of a session take them for runs that worked.

use crate::measure::pattern;
use crate::summary::{Deed, DeedKind, deeds};
use crate::transcript::{Message, PartKind};
use regex::Regex;
use std::sync::LazyLock;

/// A line about a test, or a file of tests, that failed: a name with a separator, and what is wrong.
static LONE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?m)^\s*(?:FAIL(?:ED)?|[✗✕✖×])[:\s]\s*(?:[\w-]+[./:_])+[\w-]+(?:\(\))?(?::| [—–-]) +(\S.*)$")
});
/// What a run prints of all its tests, or of those that passed.
static WHOLE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b\d+ (?:tests? )?(?:pass|fail|ok)|\b(?:retry|retried|flaky|expected failure|xfail)")
});

/// What a run prints behind such a line if all its tests passed: the line was printed by what they test.
static ALL_PASSED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?im)\ball (?:\d+ |the )?(?:tests?|specs?|checks?) (?:have |are |now )*pass|^\s*(?:OK|PASSED|SUCCESS)[.!]*\s*$",
    )
});

/// What calls of messages did, with such runs as failed.
pub(in crate::gates) fn deeds_of(messages: &[&Message<'_>]) -> Vec<Deed> {
    let mut all = deeds(messages);
    let is_run = |deed: &Deed| matches!(deed.kind, DeedKind::Ran { tests: true, .. }) && deed.failed == Some(false);
    for deed in all.iter_mut().filter(|deed| is_run(deed)) {
        let Some(line) = lone(messages, deed.message) else { continue };
        deed.failed = Some(true);
        line.clone_into(&mut deed.detail);
    }
    all
}

/// The line about a failure in the result of the only call of a message.
fn lone<'m>(messages: &[&'m Message<'_>], at: usize) -> Option<&'m str> {
    let mut calls = messages.get(at)?.calls();
    let call = calls.next().filter(|_| calls.next().is_none())?;
    let of_call = |kind: &PartKind<'_>| matches!(kind, PartKind::Result { id, .. } if id == call);
    let parts = messages.get(at..)?.iter().flat_map(|message| &message.parts);
    let text = &parts.into_iter().find(|part| of_call(&part.kind))?.text;
    let found = LONE.find(text).filter(|_| !WHOLE.is_match(text))?;
    (!ALL_PASSED.is_match(&text[found.end()..])).then(|| found.as_str().trim())
}
