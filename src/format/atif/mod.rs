//! The format `atif`: trajectories in Harbor's Agent Trajectory Interchange Format (FORMATS §15).
//!
//! A step of the agent holds its calls and, in `observation`, their results. Step ids must count from 1 without gaps,
//! so kept steps are renumbered; unknown keys are forbidden, so marks go into `extra`; the metrics of the whole run
//! are kept, and `notes` says why they count more steps than there are.

mod faults;
mod observed;
mod read;
mod render;

use super::detect::Evidence;
use super::shared::json::Object;
use super::shared::rows;
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{EditScript, Patch, Transcript};

/// The field that holds the steps.
const STEPS: &str = "steps";

/// The `atif` format.
pub(super) struct Atif;

impl Format for Atif {
    fn name(&self) -> &'static str {
        "atif"
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        sample.most_rows(is_trajectory).then(|| Evidence::certain("`schema_version` of ATIF"))
    }

    fn layout_of(&self, sample: &Sample<'_>) -> Layout {
        if sample.fields.is_some() { Layout::Session } else { rows::layout(sample, |_| true) }
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        read::read(source, options)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        render::render(transcript, script)
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        faults::faults(transcript)
    }

    fn mend(&self, transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) -> Vec<Patch> {
        render::mend(transcript, faults, script)
    }
}

/// Whether a row states a version of the format. Some writers omit the name `ATIF`, so a bare version also needs keys
/// that no other format has together.
fn is_trajectory(row: &Object<'_>) -> bool {
    let Some(version) = row.text("schema_version") else { return false };
    let numbered =
        || row.array(STEPS).and_then(|steps| steps.first()?.object()).is_some_and(|step| step.has("step_id"));
    version.starts_with("ATIF-") || version.starts_with("1.") && row.object("agent").is_some() && numbered()
}

#[cfg(test)]
mod tests;
