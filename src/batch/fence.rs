//! A fence around the work on one file: a panic in it is an error of that file.

use super::error::FileError;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Turns a panic into a value.
///
/// Nothing the closure changes is looked at after a panic, so that it may be asserted to be unwind safe.
pub(crate) fn fenced<T>(work: impl FnOnce() -> T) -> Result<T, FileError> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| FileError::Panicked(message(&*payload)))
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a message".into())
}
