//! The newest list of steps that an agent made, and lines that tick a step off.

use crate::facts::{Class, extract};
use crate::measure::pattern;
use crate::summary::{Deed, DeedKind};
use crate::transcript::base_name;
use regex::Regex;
use std::sync::LazyLock;

/// Lines that tick a step off: “[x] Paint the pier”, “Paint the pier: done”.
pub(super) static TICKED: LazyLock<Regex> =
    LazyLock::new(|| pattern(&format!(r"(?i){BOX}|(?:[:—–(]| -) ?(?:done|completed|finished)\)?[.!]?\s*$")));
/// Lines that do so by a mark before the step.
pub(super) static BOXED: LazyLock<Regex> = LazyLock::new(|| pattern(&format!("(?i){BOX}")));
const BOX: &str = r"^\s*(?:[-*•] |\d+[.)] )?(?:\[x\]|[✅✓✔☑])";

/// The newest list of steps.
pub(super) struct Plan<'d> {
    /// Index of the message that wrote it.
    pub(super) message: usize,
    /// Its open steps.
    pub(super) open: &'d [String],
    /// Its finished steps.
    pub(super) done: &'d [String],
    /// What was done after it.
    pub(super) since: &'d [Deed],
}

impl<'d> Plan<'d> {
    /// Finds it among all deeds.
    pub(super) fn newest(deeds: &'d [Deed]) -> Option<Self> {
        deeds.iter().enumerate().rev().find_map(|(at, deed)| match &deed.kind {
            DeedKind::Planned { open, done } => {
                Some(Self { message: deed.message, open, done, since: &deeds[at + 1..] })
            }
            _ => None,
        })
    }

    /// Whether a call after it may have done a step: one that wrote a file which the step names; or, if it names none,
    /// one that wrote, ran or called anything.
    pub(super) fn may_be_done(&self, step: &str) -> bool {
        let files: Vec<String> =
            extract(step).into_iter().filter(|fact| fact.class == Class::Path).map(|fact| fact.value).collect();
        let did = |deed: &Deed| match &deed.kind {
            DeedKind::Wrote(path) => files.is_empty() || files.iter().any(|file| base_name(file) == base_name(path)),
            DeedKind::Ran { quiet, tests, .. } => !quiet && (files.is_empty() || !tests),
            DeedKind::Called(_) => true,
            DeedKind::Read(_) | DeedKind::Planned { .. } => false,
        };
        self.since.iter().any(|deed| deed.failed != Some(true) && did(deed))
    }
}
