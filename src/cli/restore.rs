//! `epitome restore`: inputs back from outputs and an undo store.

use super::args::RestoreArgs;
use super::terminal::shown;
use super::{ExitStatus, Terminal};
use crate::batch::{Recorded, RestoreError, restorable, restore};
use std::path::Path;

/// Restores every output; one that can't be restored is reported, and the others go on. In place, what the run left as
/// it was is no failure.
pub(super) fn run(args: &RestoreArgs, terminal: &Terminal) -> anyhow::Result<ExitStatus> {
    anyhow::ensure!(
        args.undo.is_dir(),
        "no undo store at {}; name the one of the run that wrote these outputs",
        args.undo.display()
    );
    let (mut status, mut recorded) = (ExitStatus::Done, None);
    for (output, target) in restorable(&args.outputs, args.output.as_deref())? {
        match restore(&output, &args.undo, &target) {
            Ok(done) => terminal.message(&shown(&format!("{}: {} bytes back\n", done.target.display(), done.after))),
            Err(RestoreError::Unknown { .. }) if target == output && !knows(&mut recorded, &args.undo, &output)? => {
                terminal.message(&shown(&format!("{}: the run left it as it was\n", output.display())));
            }
            Err(error) => {
                status = ExitStatus::SomeFailed;
                terminal.error(&shown(&error.to_string()));
            }
        }
    }
    Ok(status)
}

/// Whether the store has a record of an output of this path; all records are read the first time.
fn knows(recorded: &mut Option<Recorded>, store: &Path, output: &Path) -> anyhow::Result<bool> {
    let recorded = match recorded {
        Some(recorded) => recorded,
        none => none.insert(Recorded::of(store)?),
    };
    Ok(recorded.has(output))
}
