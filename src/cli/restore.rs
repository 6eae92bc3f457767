//! `epitome restore`: inputs back from outputs and an undo store.

use super::args::RestoreArgs;
use super::terminal::shown;
use super::{ExitStatus, Terminal};
use crate::batch::{restorable, restore};

/// Restores every output; one that can't be restored is reported, and the others go on.
pub(super) fn run(args: &RestoreArgs, terminal: &Terminal) -> anyhow::Result<ExitStatus> {
    anyhow::ensure!(
        args.undo.is_dir(),
        "no undo store at {}; name the one of the run that wrote these outputs",
        args.undo.display()
    );
    let mut status = ExitStatus::Done;
    for (output, target) in restorable(&args.outputs, args.output.as_deref())? {
        match restore(&output, &args.undo, &target) {
            Ok(done) => terminal.message(&shown(&format!("{}: {} bytes back\n", done.target.display(), done.after))),
            Err(error) => {
                status = ExitStatus::SomeFailed;
                terminal.error(&shown(&error.to_string()));
            }
        }
    }
    Ok(status)
}
