//! Progress: on a terminal a bar with files, bytes and the time that is left; in the log of a long job a line now and then.

use super::terminal::Terminal;
use crate::batch::Progress;
use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long nothing is said where there is no terminal: most runs are done by then.
const SILENCE: Duration = Duration::from_secs(30);

/// A bar that may be hidden; who reports progress need not know.
pub(super) struct Bar {
    bar: ProgressBar,
    files: AtomicU64,
    total: AtomicU64,
    log: Option<Log>,
}

/// Lines in place of a bar.
struct Log {
    terminal: Terminal,
    /// When the last one was written, or the run began.
    last: Mutex<Instant>,
}

impl Bar {
    /// A bar on standard error, if that is a terminal.
    pub(super) fn new(terminal: &Terminal) -> Self {
        let target =
            if terminal.shows_progress() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template("{msg} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec} eta {eta}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let log = terminal.logs_progress().then(|| Log { terminal: *terminal, last: Mutex::new(Instant::now()) });
        Self { bar, files: AtomicU64::new(0), total: AtomicU64::new(0), log }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn show_files(&self, done: u64) {
        self.bar.set_message(format!("{done}/{} files", self.total.load(Ordering::Relaxed)));
    }

    /// Says how far the work is, if nothing was said for a while and no bar does.
    fn log(&self) {
        let Some(log) = &self.log else { return };
        let mut last = log.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() >= SILENCE {
            *last = Instant::now();
            let (files, of) = (self.files.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed));
            let bytes = HumanBytes(self.bar.position());
            // How much will come from standard input is not known.
            let all = self.bar.length().filter(|all| *all > 0);
            let all = all.map_or_else(String::new, |all| format!(" of {}", HumanBytes(all)));
            log.terminal.message(&format!("working  {files}/{of} files, {bytes}{all}\n"));
        }
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
        self.log();
    }

    fn file_done(&self) {
        let done = self.files.fetch_add(1, Ordering::Relaxed) + 1;
        self.show_files(done);
        self.log();
    }
}
