//! The format `claude-code` (FORMATS §6, §17, §18): one record per line, linked by `uuid` and `parentUuid`.
//!
//! One API message may be several lines with one `message.id`; parallel results branch off the chain; chains run
//! through progress and attachment records; `toolUseResult` is the user interface's copy of a result; a compaction is
//! a `compact_boundary` record followed by a summary record.

mod append;
pub(super) mod author;
mod chain;
mod content;
mod evidence;
mod faults;
mod ids;
mod new_parents;
mod new_records;
mod order;
mod queue;
mod read;
mod render;
mod sessions;
#[cfg(test)]
mod tests;

use super::shared::json::Object;
use super::shared::mending;
use super::{Evidence, Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{EditScript, InTurn, Patch, Spread, Transcript};

/// Record types that state something about the whole session; the last of each is in force (SPEC ruling 3).
const SESSION_TYPES: &[&str] = &[
    "summary",
    "custom-title",
    "ai-title",
    "agent-name",
    "agent-color",
    "agent-setting",
    "mode",
    "permission-mode",
    "last-prompt",
    "pr-link",
    "tag",
    "worktree-state",
    "bridge-session",
    "relocated",
];

/// The format `claude-code`.
pub(crate) struct ClaudeCode;

impl Format for ClaudeCode {
    fn name(&self) -> &'static str {
        "claude-code"
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        evidence::evidence(sample)
    }

    fn is_record(&self, record: &Object<'_>) -> bool {
        evidence::is_claude_code(record)
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        self.read_over(source, options, &InTurn)
    }

    fn read_over<'a>(
        &self,
        source: &'a [u8],
        options: ReadOptions,
        over: &dyn Spread,
    ) -> Result<Transcript<'a>, ReadError> {
        read::read(source, options, over)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>) -> Vec<Patch> {
        render::render(transcript, script, marks)
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        faults::faults(transcript)
    }

    fn mend(&self, transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) -> Vec<Patch> {
        mending::relink_parents(transcript, faults, script, "parentUuid")
    }
}
