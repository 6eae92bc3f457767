//! Works on samples, on cases of each rule, and on a collection of transcripts if it is available.
#![expect(clippy::unwrap_used, reason = "tests")]

mod answers;
mod appended;
mod check_cases;
mod checks;
mod corpus;
mod corpus_rows;
mod documents;
mod open_ends;
mod origins;
mod small_heads;
mod step_logs;
mod swapped_lines;

use super::*;
use crate::batch::{Done, Work};
use crate::format::{Detected, Format, Layout, ReadOptions};
use crate::report::Outcome;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
