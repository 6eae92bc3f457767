//! The words in our own lines by which judges of a summary, and readers of an earlier one, recognize what a line says.

/// What was done with a file, in the order in which a line tells it.
pub const FILE_DEEDS: [&str; 5] = ["created", "written", "edited", "moved", "read"];
/// Lead of the line of commands that no other line is about, and whose last run worked.
pub const ALSO_WORKED: &str = "Also ran, ok: ";
/// Of those whose last run failed.
pub const ALSO_FAILED: &str = "Also ran, failed: ";
/// Of those that ended nobody knows how.
pub const ALSO_RAN: &str = "Also ran: ";
/// Beginnings of the lines of names that no other line has.
pub const NAMED: [&str; 2] = ["Named in ", "Named b"];
/// Behind “failed”: it worked later.
pub const LATER_OK: &str = ", later ok";
/// Behind “failed”: something like it worked later.
pub const EARLIER: &str = " earlier";
/// The ending of a call that still runs in the background.
pub const STILL_RUNS: &str = "still running";
