//! Isolates the work on one file: a panic becomes an error of that file.

use crate::batch::error::FileError;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs a closure and returns a panic as an error.
///
/// Asserting unwind safety is sound because nothing that the closure changes is used after a panic.
pub(crate) fn fenced<T>(work: impl FnOnce() -> T) -> Result<T, FileError> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| FileError::Panicked(message(&*payload)))
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a message".into())
}
