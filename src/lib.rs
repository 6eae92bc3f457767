//! epitome: an offline batch transcript compactor.
//!
//! ```text
//! bytes ─▶ read ─▶ transcript ─▶ overflow? ─▶ prune ─▶ split ─▶ summarize ─▶ reassemble ─▶ continue ─▶ check ─▶ write
//!           │                      split       prune     split     summary      pipeline    continuation  check    batch
//!           └── format                                                                                        report ┘
//! ```

pub mod batch;
pub mod check;
pub mod cli;
pub mod continuation;
pub mod convert;
pub mod evaluate;
pub mod facts;
pub mod fixtures;
pub mod format;
pub mod gatekeeper;
pub mod gates;
pub mod measure;
pub mod model;
pub mod pipeline;
pub mod preset;
pub mod prune;
pub mod redact;
pub mod report;
pub mod secrets;
pub mod split;
pub mod summary;
pub mod tokens;
pub mod transcript;
pub mod work;
pub mod writer;
