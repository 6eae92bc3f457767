//! Remembers what was found out about the last texts: several stages of a summary ask the same of a sentence.

use foldhash::fast::FixedState;
use std::cell::RefCell;
use std::hash::BuildHasher as _;
use std::thread::LocalKey;

/// Number of texts remembered, a power of two, and maximum length of such a text, in bytes.
const SLOTS: usize = 1 << 12;
const LONGEST: usize = 1_000;

/// What is known of the last texts; a newer text takes the slot of an older one.
pub(super) struct Remembered<T>(Vec<Option<(String, T)>>);

/// What `find` says of a text; if the thread remembers it, that is not asked again.
pub(super) fn remembered<T: Copy>(
    thread: &'static LocalKey<RefCell<Remembered<T>>>,
    text: &str,
    find: impl FnOnce(&str) -> T,
) -> T {
    if text.len() > LONGEST {
        return find(text);
    }
    if let Some(known) = thread.with_borrow(|all| all.get(text)) {
        return known;
    }
    let found = find(text);
    thread.with_borrow_mut(|all| all.set(text, found));
    found
}

impl<T: Copy> Remembered<T> {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    fn get(&self, text: &str) -> Option<T> {
        self.0.get(slot(text))?.as_ref().filter(|(known, _)| known == text).map(|(_, found)| *found)
    }

    fn set(&mut self, text: &str, found: T) {
        if self.0.is_empty() {
            self.0.resize_with(SLOTS, || None);
        }
        if let Some(slot) = self.0.get_mut(slot(text)) {
            *slot = Some((text.to_owned(), found));
        }
    }
}

fn slot(text: &str) -> usize {
    FixedState::default().hash_one(text) as usize & (SLOTS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_known_until_another_takes_its_slot() {
        let mut known = Remembered::new();
        assert_eq!(known.get("Never push."), None);
        known.set("Never push.", 1);
        assert_eq!(known.get("Never push."), Some(1));
        let other = (0..).map(|number| format!("Push {number}.")).find(|other| slot(other) == slot("Never push."));
        let other = other.unwrap_or_default();
        assert_eq!(known.get(&other), None, "the same slot, but another text");
        known.set(&other, 2);
        assert_eq!((known.get(&other), known.get("Never push.")), (Some(2), None));
    }
}
