//! Validation rules for all transcripts, epitome's outputs or not, and the mending of faults.

mod choice;
mod common;
mod mend;
mod pairs;
mod rules;
mod sections;
mod unanswered;

pub use choice::Choice;
pub use common::{faults, faults_at_rest};
pub use mend::{mendable, plan, settle};
pub use rules::{Mend, RULES, Rule, RuleKind, Scope, left_by_fix, rule};
pub use sections::{closest, follows, section_faults};
pub use unanswered::ends_unanswered;
