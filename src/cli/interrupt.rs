//! Ctrl-C, and the signals that end a program (`SIGTERM`, `SIGHUP`): the first stops a run between two files, the second at
//! once. A file that gets too large (`SIGXFSZ`) ends nothing.

use super::Terminal;
use crate::work::end_programs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a shell says of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// What is said at once: a large file can take a while.
const STOPPING: &str = "stopping, when the work at hand ends; once more ends it at once";

/// Makes a write beyond the largest size of a file (`ulimit -f`) an error of that write instead of the end of the
/// program. Threads that start later inherit this.
pub(super) fn outlives_limits() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, Signal};
        let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
    }
}

/// Lets Ctrl-C and its like stop a run: files that are done stay done, programs that were asked are ended, and what is not
/// done has no output. Where that can't be had, Ctrl-C ends the program as ever, which leaves no partial file either.
pub(super) fn stops(cancel: &Arc<AtomicBool>, terminal: &Terminal) {
    let (cancel, terminal) = (cancel.clone(), *terminal);
    let _ = ctrlc::set_handler(move || {
        // Their answers would come to nothing.
        end_programs();
        if cancel.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
        // The bar stands in its line until then.
        let line = if terminal.shows_progress() { "\n" } else { "" };
        terminal.message(&format!("{line}{STOPPING}\n"));
    });
}
