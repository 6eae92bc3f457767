//! Runs the gates over files: pairs compacted transcripts with their originals, reads them, and judges them in
//! parallel.

mod again;
mod aligned;
mod by_folder;
mod chain;
mod loaded;
mod originals;
mod pairs;
mod recorded;
mod rerun;
mod stated;
mod uncompacted;

#[cfg(test)]
mod tests;

pub use by_folder::ByFolder;
pub use pairs::{Gated, Gatekeeper};
pub use stated::has_reports;
