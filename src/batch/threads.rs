//! How many threads there are, and what they are given.

use super::error::BatchError;

/// A stated number of threads, or that of the cores.
pub(crate) fn cores(threads: usize) -> usize {
    if threads > 0 { threads } else { std::thread::available_parallelism().map_or(1, usize::from) }
}

/// Threads with room for deep transcripts.
pub(crate) fn pool(threads: usize) -> Result<rayon::ThreadPool, BatchError> {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(16 << 20);
    builder.build().map_err(|err| BatchError::Threads(err.to_string()))
}
