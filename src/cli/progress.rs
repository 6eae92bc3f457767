//! The progress bar: files, bytes, and the time that is left.

use super::terminal::Terminal;
use crate::batch::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::atomic::{AtomicU64, Ordering};

/// A bar that may be hidden; who reports progress need not know.
pub(super) struct Bar {
    bar: ProgressBar,
    files: AtomicU64,
    total: AtomicU64,
}

impl Bar {
    /// A bar on standard error, if that is a terminal.
    pub(super) fn new(terminal: &Terminal) -> Self {
        let target =
            if terminal.shows_progress() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template("{msg} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec} eta {eta}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, files: AtomicU64::new(0), total: AtomicU64::new(0) }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn show_files(&self, done: u64) {
        self.bar.set_message(format!("{done}/{} files", self.total.load(Ordering::Relaxed)));
    }
}

impl Progress for Bar {
    fn start(&self, files: u64, bytes: u64) {
        self.bar.set_length(bytes);
        self.total.store(files, Ordering::Relaxed);
        self.show_files(0);
    }

    fn advance(&self, bytes: u64) {
        self.bar.inc(bytes);
    }

    fn file_done(&self) {
        self.show_files(self.files.fetch_add(1, Ordering::Relaxed) + 1);
    }
}
