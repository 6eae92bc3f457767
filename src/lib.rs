//! epitome: an offline batch transcript compactor.
//!
//! ```text
//! bytes ─▶ read ─▶ transcript ─▶ overflow? ─▶ prune ─▶ split ─▶ summarize ─▶ reassemble ─▶ continue ─▶ check ─▶ write
//!           │                      split       prune     split     summary      pipeline    continuation  check    batch
//!           └── format                                                                                        report ┘
//! ```
//!
//! | module | what it does |
//! |---|---|
//! | **the transcript** | |
//! | [`transcript`] | the model: records, messages, parts, and the edit script over them |
//! | [`mod@format`] | bytes to a transcript, and an edit script back to bytes; one file or folder per format |
//! | [`tokens`] | exact token counts |
//! | `python` | values as Python writes them, as JSON |
//! | `yaml` | objects as YAML writes them, and lines of fields, as JSON |
//! | [`preset`] | settings and the named policies |
//! | **the stages of compaction**, in memory | |
//! | [`prune`] | which tool outputs become stubs |
//! | [`split`] | overflow, and the cut between head and tail |
//! | [`summary`] | the extractive summary of the head |
//! | [`continuation`] | the message behind the boundary |
//! | [`pipeline`] | all stages in order, over one transcript |
//! | **other things done to a transcript** | |
//! | [`check`] | its faults, and their fixes |
//! | [`convert`] | another format |
//! | [`secrets`], [`redact`] | credentials: how they are recognized, and how they are masked in stored bytes |
//! | **judging a compaction** | |
//! | [`facts`] | what a later reader would look up; frozen rules |
//! | [`measure`] | pure measures over original and summary |
//! | [`evaluate`] | policies compared on the same cuts |
//! | [`gates`] | pass or fail, by id and level |
//! | [`fixtures`] | synthetic transcripts with a known needed set |
//! | **a model, if one is wanted** | |
//! | [`question_outcome`] | what can come of a question |
//! | [`model`] | one question to an HTTP endpoint |
//! | [`writer`] | the summary that a model writes, validated |
//! | **files and people** | |
//! | [`batch`] | many files in, many files out, in parallel; the only writer of outputs |
//! | [`work`] | what a batch runs on each input: the modules above behind one trait |
//! | [`gatekeeper`] | finds originals and compactions, and brings them before the gates |
//! | [`header`] | what everything that is written for machines begins with |
//! | [`reason`] | why a transcript was left as it is or failed: the words of reports |
//! | [`report`] | typed reports and their renderers |
//! | [`cli`] | the command line; the only code that talks to a terminal |
//!
//! Which module may use which is a table in `tests/layering.rs`.

pub mod batch;
pub mod check;
pub mod cli;
pub mod continuation;
pub mod convert;
#[cfg(test)]
#[path = "../tests/support/corpus.rs"]
mod corpus;
pub mod evaluate;
pub mod facts;
pub mod fixtures;
pub mod format;
pub mod gatekeeper;
pub mod gates;
pub mod header;
pub mod measure;
pub mod model;
pub mod pipeline;
pub mod preset;
pub mod prune;
mod python;
pub mod question_outcome;
pub mod reason;
pub mod redact;
pub mod report;
pub mod secrets;
pub mod split;
pub mod summary;
pub mod tokens;
pub mod transcript;
pub mod work;
pub mod writer;
mod yaml;
