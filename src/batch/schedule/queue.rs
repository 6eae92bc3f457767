//! The queue of files: the largest first, as long as there is memory for it.

use super::memory::Memory;
use crate::batch::error::FileError;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waiting items, by their index in the list of all items.
pub(super) struct Queue<'a> {
    /// Estimated bytes by item; empty if memory is not limited.
    needs: &'a [u64],
    memory: Option<Memory>,
    state: Mutex<State>,
}

struct State {
    waiting: VecDeque<usize>,
    /// Number of free bytes.
    room: u64,
    running: usize,
    /// Number of loops that ended because there was no room.
    resting: usize,
}

impl<'a> Queue<'a> {
    /// Creates a queue in this order.
    pub(in crate::batch) fn new(order: Vec<usize>, needs: &'a [u64], memory: Option<Memory>) -> Self {
        let room = memory.map_or(0, Memory::room);
        let state = Mutex::new(State { waiting: order.into(), room, running: 0, resting: 0 });
        Self { needs, memory, state }
    }

    /// Takes the first item that there is room for. With nothing else running, there always is room for one. `None`:
    /// nothing is waiting, or the caller should end until [`Queue::done`] asks for it again.
    pub(in crate::batch) fn next(&self) -> Option<usize> {
        let mut state = self.state();
        let room = state.room;
        let Some(at) = state.waiting.iter().position(|index| self.need(*index) <= room) else {
            state.resting += usize::from(!state.waiting.is_empty());
            return None;
        };
        let index = state.waiting.remove(at)?;
        state.room -= self.need(index);
        state.running += 1;
        Some(index)
    }

    /// Frees the memory of an item. Returns the number of ended loops to start again.
    pub(in crate::batch) fn done(&self, index: usize) -> usize {
        let mut state = self.state();
        state.room += self.need(index);
        state.running -= 1;
        std::mem::take(&mut state.resting)
    }

    /// The error for an item that never fits; it is only taken in order to fail.
    pub(in crate::batch) fn refused(&self, index: usize) -> Option<FileError> {
        self.memory?.refused(*self.needs.get(index)?)
    }

    /// Bytes for the largest item that fits, the program included; 0 without a limit.
    pub(in crate::batch) fn most(&self) -> u64 {
        let needs = (0..self.needs.len()).map(|index| self.need(index));
        self.memory.map_or(0, |memory| memory.with_own(needs.max().unwrap_or_default()))
    }

    /// Bytes that an item takes of the room; 0 for one that never fits.
    fn need(&self, index: usize) -> u64 {
        let need = self.needs.get(index).copied().unwrap_or_default();
        if self.memory.is_some_and(|memory| need > memory.room()) { 0 } else { need }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reason::Reason;

    /// A limit that leaves this many mebibytes for files.
    fn memory(room: u64) -> Memory {
        let own = Memory { limit: 1 << 30 };
        Memory { limit: (room << 20) + (1 << 30) - own.room() }
    }

    #[test]
    fn without_a_limit_all_are_let_in_in_order() {
        let queue = Queue::new(vec![2, 0, 1], &[], None);
        assert_eq!([queue.next(), queue.next(), queue.next(), queue.next()], [Some(2), Some(0), Some(1), None]);
        assert_eq!((queue.done(2), queue.most()), (0, 0));
    }

    #[test]
    fn what_does_not_fit_waits_and_smaller_ones_go_first() {
        let needs = [60 << 20, 50 << 20, 40 << 20, 10 << 20];
        let queue = Queue::new(vec![0, 1, 2, 3], &needs, Some(memory(100)));
        assert_eq!([queue.next(), queue.next(), queue.next()], [Some(0), Some(2), None]);
        assert_eq!(queue.next(), None);
        assert_eq!(queue.done(2), 2, "both that rest ask again");
        assert_eq!([queue.next(), queue.next()], [Some(3), None]);
        assert_eq!(queue.done(0), 1);
        assert_eq!([queue.next(), queue.next()], [Some(1), None]);
        assert_eq!((queue.done(1), queue.done(3)), (0, 0), "nothing waits");
        assert_eq!(queue.most(), memory(60).limit);
    }

    #[test]
    fn what_never_fits_is_let_in_to_fail_and_takes_no_room() {
        let needs = [101 << 20, 100 << 20];
        let queue = Queue::new(vec![0, 1], &needs, Some(memory(100)));
        assert_eq!([queue.next(), queue.next()], [Some(0), Some(1)]);
        assert!(queue.refused(0).is_some_and(|err| err.reason() == Reason::MemoryLimit) && queue.refused(1).is_none());
        assert_eq!(queue.most(), memory(100).limit);
    }
}
