//! What an edit script inserts: new members of an array or object, or new lines, each with its place.

use crate::transcript::{EditScript, Insert};

/// A new member or line, placed before the one with index `before`; their number means at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::format) struct New {
    /// Index of the member or record before which it is placed.
    pub(in crate::format) before: usize,
    /// Its JSON text, without a newline; for an object `"key":value`.
    pub(in crate::format) text: String,
}

impl New {
    /// All that a script inserts, where it says; `texts` writes one insert.
    pub(in crate::format) fn all<'s, T>(script: &'s EditScript, mut texts: impl FnMut(&'s Insert) -> T) -> Vec<Self>
    where
        T: IntoIterator<Item = String>,
    {
        let mut all = Vec::new();
        for insert in &script.inserts {
            all.extend(texts(insert).into_iter().map(|text| Self { before: insert.before, text }));
        }
        all
    }
}
