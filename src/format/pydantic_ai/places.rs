//! Where the records of a history are stored: each part of a request, a response as a whole.

use super::{KIND, PARTS, REQUEST};
use crate::format::shared::json::Json;

/// What a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stored {
    /// A whole message.
    Whole,
    /// The instructions of the first request.
    Instructions,
    /// The part of a request with this index.
    Part(usize),
}

/// A record.
pub(super) struct Place<'a> {
    /// The index of its message in the array.
    pub(super) message: usize,
    /// What it is.
    pub(super) stored: Stored,
    /// Its JSON value.
    pub(super) value: Json<'a>,
}

/// The records of all messages, in the order in which a model reads them.
pub(super) fn places<'a>(messages: &[Json<'a>]) -> Vec<Place<'a>> {
    messages.iter().enumerate().flat_map(|(message, value)| of_message(message, *value)).collect()
}

fn of_message(message: usize, whole: Json<'_>) -> Vec<Place<'_>> {
    let fields = whole.object().filter(|fields| fields.is(KIND, REQUEST)).unwrap_or_default();
    let place = |stored, value| Place { message, stored, value };
    let instructions = fields.get("instructions").filter(|it| message == 0 && it.says());
    let instructions = instructions.map(|value| place(Stored::Instructions, value));
    let parts = fields.array(PARTS).unwrap_or_default().into_iter().enumerate();
    let mut all: Vec<_> =
        instructions.into_iter().chain(parts.map(|(at, value)| place(Stored::Part(at), value))).collect();
    if all.is_empty() {
        all.push(place(Stored::Whole, whole));
    }
    all
}

/// The message and the part before which something new is placed that stands before the record `before`, if that is
/// inside a request.
pub(super) fn inside(places: &[Place<'_>], before: usize) -> Option<(usize, usize)> {
    let place = places.get(before)?;
    let previous = places.get(before.checked_sub(1)?)?;
    match place.stored {
        Stored::Part(part) if previous.message == place.message => Some((place.message, part)),
        _ => None,
    }
}
