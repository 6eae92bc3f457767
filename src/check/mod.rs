//! What is wrong with any transcript, also one that we did not make, and what of it can be mended.

mod choice;
mod mend;
mod pairs;
mod rules;
mod sections;
mod unanswered;

pub use choice::Choice;
pub use mend::{mendable, plan, settle};
pub use pairs::{faults, faults_at_rest};
pub use rules::{RULES, Rule, Scope, rule};
pub use sections::section_faults;
pub use unanswered::{ends_unanswered, is_trained};
