//! Works on samples, on cases of each rule, and on a collection of transcripts if it is available.
#![expect(clippy::unwrap_used, reason = "tests")]

mod answers;
mod appended;
mod check_cases;
mod checks;
mod corpus;
mod corpus_rows;
mod documents;
mod numbers;
mod open_ends;
mod origins;
mod small_heads;
mod step_logs;
mod swapped_lines;

use super::*;
use crate::batch::{Done, Work};
use crate::format::{Detected, Format, Layout, ReadOptions};
use crate::preset::Settings;
use crate::report::Outcome;
use crate::summary::Template;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A compactor by the preset `opencode`, with these changes.
fn opencode<'w>(change: impl FnOnce(&mut Settings)) -> Compactor<'w> {
    let mut settings = Settings::of_preset("opencode").unwrap();
    change(&mut settings);
    Compactor::new("opencode", settings, Template::default()).unwrap()
}
