//! The format `pi`: session files of pi (FORMATS §11, §18): a header, then one entry per line, linked by `id` and
//! `parentId` since version 2.
//!
//! What is loaded is the path from the last entry to the root. A compaction is an entry at the end that names the
//! first entry it keeps; old files name a line instead.

mod entry;
mod faults;
mod path;
mod read;
mod render;

use super::detect::unsupported::{is_pi, is_pi_entry, is_pi_without_header};
use super::shared::json::Object;
use super::shared::mending;
use super::{Confidence, Evidence, Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{EditScript, Patch, Transcript};

/// The `pi` format.
pub(super) struct Pi;

impl Format for Pi {
    fn name(&self) -> &'static str {
        "pi"
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let found = |confidence, why: &str| Some(Evidence { confidence, why: why.to_owned() });
        match sample {
            _ if is_pi(sample) => found(Confidence::Certain, "a `session` header with `version` or `cwd`"),
            _ if is_pi_without_header(sample) => {
                found(Confidence::Assumed, "linked entries with messages of pi's, without its header")
            }
            _ => None,
        }
    }

    fn is_record(&self, record: &Object<'_>) -> bool {
        is_pi_entry(record)
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        read::read(source, options)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>) -> Vec<Patch> {
        render::render(transcript, script, marks)
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        faults::faults(transcript)
    }

    fn mend(&self, transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) -> Vec<Patch> {
        mending::relink_parents(transcript, faults, script, "parentId")
    }
}

#[cfg(test)]
mod tests;
