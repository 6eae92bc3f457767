//! Splits a session into turns, and tracks commands, commits, files and statements over them.
//!
//! The input is the messages of a head. The output is turns, each with the request, the agent's sentences and its
//! calls, without statements that later turns made obsolete.
//!
//! - `turn`, `turns`: a turn; the pass over the head; `ahead`: reads parts that depend on no other part, in parallel.
//! - `background`, `open`: background commands and their final outcomes, which may be reported after the head.
//! - `obsolete`, `updated`, `corrected`, `conceded`, `taken_back`, `reviews`: statements of the agent that no longer hold.
//! - `rejected`: claims of an answer that the user rejects.
//! - `presently`, `cut_out`: statements of how something is at present, and quoted code, that changes of files ended.
//! - `solved`: troubles that the agent met on its way and solved.
//! - `versions`: plans that were replaced by a later version, or that the user approved.
//! - `refuted`: claims that tests pass although they failed.
//! - `thoughts`: the agent's conclusions where it said nothing.
//! - `endings`: the outcome of the last run of each command, and the last change of each file.
//! - `later`: slips that later calls overcame, and whether the work tree changed since.
//! - `missing`: sentences that say that files are missing.
//! - `closed`: failed runs of tests that passed within another command; `arguments`: the arguments with which commands
//!   worked.
//! - `commits`, `scratch`: commits that were amended or reset; those in temporary folders.
//! - `committed`: files that a commit says to be gone.
//! - `history`: the operations on each file; `counts`: what is counted of it.
//! - `places`: the place under which names of a part are listed.
//! - `deeds`: what calls did, for code that judges summaries.

mod ahead;
mod arguments;
mod background;
mod closed;
pub(super) mod commits;
mod committed;
mod conceded;
mod corrected;
mod counts;
mod cut_out;
pub(super) mod deeds;
pub(super) mod endings;
pub(super) mod history;
mod later;
mod missing;
mod obsolete;
pub(super) mod open;
pub(super) mod places;
mod presently;
pub(super) mod refuted;
mod rejected;
mod reviews;
pub(super) mod scratch;
mod solved;
mod taken_back;
mod thoughts;
mod turn;
pub(super) mod turns;
mod updated;
mod versions;
