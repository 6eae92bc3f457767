//! What a caught panic said.

use std::any::Any;

/// The text of a panic; empty if it is no text.
pub(crate) fn panicked(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().cloned();
    text.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
}
