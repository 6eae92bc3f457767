//! Waits for the disk on separate threads, so that the working threads don't have to.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Number of waiting threads. They do no other work, and are in addition to the threads of a run.
const WAITING: usize = 4;

/// Accepts items to be settled (synced and moved to their place).
pub(in crate::batch) struct Settling<'s, T> {
    /// The channel to the waiting threads; `None`: the calling thread settles the item itself.
    threads: Option<SyncSender<T>>,
    settle: &'s (dyn Fn(T) + Sync),
}

impl<T> Settling<'_, T> {
    /// Hands over an item. Blocks if too many are waiting.
    pub(in crate::batch) fn take(&self, one: T) {
        match &self.threads {
            Some(threads) => {
                // Fails only if all threads have panicked, which is reported at the end of their scope.
                let _ = threads.send(one);
            }
            None => (self.settle)(one),
        }
    }
}

/// Runs `work` and settles the items that it hands over (on separate threads if `beside`). All are settled on return.
pub(in crate::batch) fn beside<T: Send>(
    beside: bool,
    settle: &(dyn Fn(T) + Sync),
    work: impl FnOnce(&Settling<'_, T>),
) {
    if !beside {
        return work(&Settling { threads: None, settle });
    }
    let (threads, waiting) = sync_channel(WAITING);
    let waiting = Arc::new(Mutex::new(waiting));
    thread::scope(|scope| {
        for _ in 0..WAITING {
            let waiting = waiting.clone();
            scope.spawn(move || settle_all(&waiting, settle));
        }
        // The receiver goes away with the last thread, so that a sender never blocks forever.
        drop(waiting);
        work(&Settling { threads: Some(threads), settle });
    });
}

fn settle_all<T>(waiting: &Mutex<Receiver<T>>, settle: &(dyn Fn(T) + Sync)) {
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).recv().ok();
    while let Some(one) = next() {
        settle(one);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn all_is_settled_before_it_ends() {
        for threads in [false, true] {
            let settled = Mutex::new(BTreeSet::new());
            let settle = |one: usize| {
                settled.lock().unwrap_or_else(PoisonError::into_inner).insert(one);
            };
            beside(threads, &settle, |settling| (0..100).for_each(|one| settling.take(one)));
            let settled = settled.into_inner().unwrap_or_else(PoisonError::into_inner);
            assert!(settled.into_iter().eq(0..100), "threads: {threads}");
        }
    }

    #[test]
    #[expect(clippy::panic, reason = "it is what is tested")]
    fn a_panic_is_told_and_nothing_waits_for_ever() {
        let settle = |_: usize| panic!("told");
        let work = |settling: &Settling<'_, usize>| (0..100).for_each(|one| settling.take(one));
        let ended = std::panic::catch_unwind(|| beside(true, &settle, work));
        assert!(ended.is_err());
    }
}
