//! Processes pieces of one transcript on all threads of the run.
//!
//! A thread that waits for pieces takes other work of its pool. With a model that could be another transcript, which
//! waits for the core that the thread holds, or for a model's answer. So with a model, pieces have a pool of their own,
//! in which nothing waits.

use super::SharedModel;
use crate::tokens::{Known, Tokenizer};
use crate::transcript::{Message, Spread, Tokens, pieces_of, spread};
use rayon::prelude::*;

/// Minimum bytes of texts for which counting on another core pays.
const COUNTED: usize = 64 << 10;

/// Processes pieces of work on all threads of the run; with a model, on a pool of its own.
#[derive(Clone, Copy)]
pub(crate) struct Cores<'s>(pub(crate) Option<&'s SharedModel>);

impl Spread for Cores<'_> {
    fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        match count {
            0 | 1 => (0..count).for_each(work),
            // Pieces are large, so they are not grouped: an idle thread must be able to take any that is not begun.
            _ => self.share(|| (0..count).into_par_iter().with_max_len(1).for_each(work)),
        }
    }
}

impl Cores<'_> {
    /// Counts all parts of a transcript, in order; known counts are reused.
    pub(super) fn counts(self, tokenizer: Tokenizer, messages: &[Message<'_>], known: &Known<'_>) -> Vec<Tokens> {
        let cuts = pieces_of(COUNTED, messages.iter().map(Message::bytes));
        spread(&self, &cuts, |piece| tokenizer.counts(&messages[piece], known)).concat()
    }

    /// Runs work that distributes itself over the threads of a pool.
    fn share(self, work: impl FnOnce() + Send) {
        let pool = self.0.map(SharedModel::pieces).filter(|pool| pool.current_thread_index().is_none());
        let Some(pool) = pool else { return work() };
        // A thread of another pool that enters this one would take work of its own pool while waiting; a thread without
        // a pool only waits.
        let ended = std::thread::scope(|scope| scope.spawn(|| pool.install(work)).join());
        if let Err(panic) = ended {
            std::panic::resume_unwind(panic);
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::model::Scripted;
    use crate::work::Concurrency;
    use crate::writer::WriterSettings;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::sync::mpsc::channel;
    use std::sync::{Arc, Barrier};
    use std::time::Duration;

    fn shared() -> SharedModel {
        let model = Box::new(Scripted::saying(&[]));
        SharedModel::new(
            model,
            Concurrency { threads: 2, in_flight: 4 },
            WriterSettings::default(),
            None,
            Arc::default(),
        )
        .unwrap()
    }

    /// A transcript of two pieces that are processed at once, with another transcript started during the first piece.
    fn rows(shared: &SharedModel) -> usize {
        let (done, both) = (AtomicUsize::new(0), Barrier::new(2));
        let _elsewhere = shared.core();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        pool.scope(|scope| {
            let _core = shared.core();
            Cores(Some(shared)).each(2, &|piece| {
                both.wait();
                if piece == 0 {
                    scope.spawn(|_| {
                        let _core = shared.core();
                        done.fetch_add(1, Ordering::SeqCst);
                    });
                } else {
                    std::thread::sleep(Duration::from_millis(200));
                }
            });
            done.fetch_add(1, Ordering::SeqCst);
        });
        done.into_inner()
    }

    #[test]
    fn who_waits_for_pieces_with_a_core_takes_up_no_other_transcript() {
        let (sender, receiver) = channel();
        std::thread::spawn(move || sender.send(rows(&shared())));
        assert_eq!(receiver.recv_timeout(Duration::from_secs(30)), Ok(2), "it waits for its own core");
    }

    #[test]
    fn nobody_waits_for_a_core_of_a_run_that_is_stopped() {
        let stopped = Arc::new(AtomicBool::new(false));
        let model = Box::new(Scripted::saying(&[]));
        let shared = SharedModel::new(
            model,
            Concurrency { threads: 1, in_flight: 1 },
            WriterSettings::default(),
            None,
            stopped.clone(),
        )
        .unwrap();
        let core = shared.core();
        stopped.store(true, Ordering::Relaxed);
        assert!(core.is_some() && shared.core().is_none());
    }
}
