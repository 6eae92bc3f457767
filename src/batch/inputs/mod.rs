//! What is processed: the files of a run, and how each of them is read.

pub(super) mod discover;
pub(super) mod filter;
pub(super) mod identify;
mod links;
pub(super) mod listed;
pub(super) mod open_files;
pub(super) mod overrides;
mod places;
pub(super) mod source;
mod strays;
