//! `epitome restore`: inputs back from outputs and an undo store.

use super::args::RestoreArgs;
use super::terminal::shown;
use super::{ExitStatus, Terminal};
use crate::batch::{Recorded, RestoreError, Unrecorded, copy_untouched, is_beside, restorable, restore};
use std::path::Path;

/// Restores every output; one that can't be restored is reported, and the others go on. In place, and with the store
/// beside the files, what the run left as it was, or what was given back before, is no failure; it is copied where the others
/// go elsewhere.
pub(super) fn run(args: &RestoreArgs, terminal: &Terminal) -> anyhow::Result<ExitStatus> {
    anyhow::ensure!(
        args.undo.is_dir(),
        "no undo store at {}; name the one of the run that wrote these outputs",
        args.undo.display()
    );
    if let Some(missing) = args.outputs.iter().find(|output| !output.exists()) {
        anyhow::bail!("{}: there is no such file or folder", missing.display());
    }
    let (mut status, mut recorded) = (ExitStatus::Done, None);
    for (output, target) in restorable(&args.outputs, args.output.as_deref())? {
        let done = match restore(&output, &args.undo, &target) {
            Ok(done) => Ok(format!("{}: {} bytes back\n", done.target.display(), done.after)),
            Err(error @ RestoreError::Unknown { .. }) if target == output || is_beside(&args.undo, &output) => {
                told(&mut recorded, &args.undo, (&output, &target), error)
            }
            Err(error) => Err(error),
        };
        match done {
            Ok(message) => terminal.message(&shown(&message)),
            Err(error) => {
                status = ExitStatus::SomeFailed;
                terminal.error(&shown(&error.to_string()));
            }
        }
    }
    Ok(status)
}

/// What is said of a file that is no output of the run, unless it was one and was changed; all records are read the first
/// time.
fn told(
    recorded: &mut Option<Recorded>,
    store: &Path,
    (output, target): (&Path, &Path),
    unknown: RestoreError,
) -> Result<String, RestoreError> {
    let recorded = match recorded {
        Some(recorded) => recorded,
        none => none.insert(Recorded::of(store)?),
    };
    let found = recorded.tell(output)?;
    if found != Unrecorded::Changed && target != output {
        copy_untouched(output, target)?;
    }
    match found {
        Unrecorded::Untouched => Ok(format!("{}: the run left it as it was\n", output.display())),
        Unrecorded::Input => Ok(format!("{}: it is the input already\n", output.display())),
        Unrecorded::Changed => Err(unknown),
    }
}
