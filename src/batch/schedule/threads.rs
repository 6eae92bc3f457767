//! The number of threads, and the thread pool.

use crate::batch::error::BatchError;

/// The given number of threads, or one per core if it is 0.
pub(crate) fn cores(threads: usize) -> usize {
    if threads > 0 { threads } else { std::thread::available_parallelism().map_or(1, usize::from) }
}

/// Creates a thread pool with stacks large enough for deeply nested transcripts.
pub(crate) fn pool(threads: usize) -> Result<rayon::ThreadPool, BatchError> {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(16 << 20);
    builder.build().map_err(|err| BatchError::Threads(err.to_string()))
}
