//! The parents of records after an edit, to find links that would make a cycle. That takes a record before its parent,
//! as in a file whose lines changed places.

use foldhash::HashMap;
use std::cell::Cell;

/// How many links of a file are followed, and from one record: the links of the file itself may make a cycle.
const MOST: usize = 2_000_000;
const AT_ONCE: usize = 100_000;

/// The new parents of the records so far.
#[derive(Default)]
pub(super) struct NewParents {
    /// Parents that changed; `None` for the root.
    changed: HashMap<usize, Option<usize>>,
    /// Whether a record is before its parent.
    forward: bool,
    followed: Cell<usize>,
}

impl NewParents {
    /// Whether all links so far are those of the file, whose cycles are its own.
    pub(super) fn are_old(&self) -> bool {
        self.changed.is_empty()
    }

    /// Notes that a record keeps its parent.
    pub(super) fn kept(&mut self, record: usize, parent: usize) {
        self.forward |= parent > record;
    }

    /// Notes the new parent of a record.
    pub(super) fn changed(&mut self, record: usize, parent: Option<usize>) {
        self.forward |= parent > Some(record);
        self.changed.insert(record, parent);
    }

    /// Whether the links lead from a record to another one; `old` gives the parents that did not change.
    pub(super) fn lead(&self, from: usize, to: usize, old: impl Fn(usize) -> Option<usize>) -> bool {
        let mut at = Some(from).filter(|_| self.forward);
        let room = AT_ONCE.min(MOST - self.followed.get().min(MOST));
        for _ in 0..room {
            let Some(record) = at.filter(|record| *record != to) else { return at.is_some() };
            self.followed.set(self.followed.get() + 1);
            at = self.changed.get(&record).copied().unwrap_or_else(|| old(record));
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_followed_as_they_are_now() {
        let old = |record: usize| [None, Some(0), Some(3), Some(1)][record];
        let mut parents = NewParents::default();
        parents.kept(2, 3);
        assert!(parents.are_old() && parents.lead(2, 0, old));
        parents.changed(1, None);
        assert!(parents.lead(2, 3, old) && parents.lead(2, 1, old) && parents.lead(3, 3, old));
        assert!(!parents.lead(2, 0, old), "the root has no parent");
        let circle = |record: usize| Some(record ^ 2);
        assert!(!parents.lead(0, 3, circle));
    }
}
