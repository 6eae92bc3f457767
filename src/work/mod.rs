//! The work on one transcript: compact, check and mend, convert, evaluate, or mask credentials.
//!
//! Each is a [`Work`](crate::batch::Work) that a batch runs on all inputs; none of them opens the input files.

mod beside;
mod checker;
mod compactor;
mod converter;
mod cores;
mod describe;
mod evaluator;
mod hook;
mod line_repair;
mod loaded;
mod mender;
mod model_writer;
mod obstacle;
mod program;
mod redacting;
mod rendered;
mod seen;
mod shared_model;

#[cfg(test)]
mod tests;

pub(crate) use checker::Judged;
pub use checker::{Checker, Held};
pub use compactor::{Compactor, Observer};
pub use converter::Converter;
pub(crate) use cores::Cores;
pub use evaluator::{Evaluator, Learner};
pub use model_writer::ModelWriter;
pub use program::{ask_program, end_programs};
pub use redacting::{Redacting, without_credentials};
pub use shared_model::{Concurrency, Price, SharedModel};
