//! Word lists as data: what an instruction, a finding, a finished step or an announcement looks like.
//!
//! All in lower case. Phrases match whole words; those in scripts without spaces match anywhere.

mod agent;
mod tools;
mod user;

pub(super) use agent::{ANNOUNCED, DONE, DONE_VERBS, FILLERS, FINDING, FINDING_LEAST, NARRATES, OFFERED, RESTS};
pub(super) use tools::{
    HARNESS_ERRORS, INTERPRETERS, LOOKING, NESTED, NOUNS, QUIET_GIT, QUIET_NAMES, QUIET_PROGRAMS, QUIET_TOOLS, RUNNERS,
};
pub(super) use user::{INSTRUCTION, INSTRUCTION_LEAST, NODS, NOT_TOLD, QUESTIONS};

/// How much phrases tell, and which: English, German, French, Spanish, Vietnamese, Chinese, Japanese.
pub(super) type Cues = (i64, &'static [&'static str]);
