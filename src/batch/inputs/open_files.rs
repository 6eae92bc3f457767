//! Finds the files that other processes have open for writing: if such a file is replaced, later writes to it are lost.
//!
//! Only on Linux, from `/proc`, and only for processes that the user may inspect.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a scan of all processes stays valid: it takes milliseconds, too long to repeat for every small file.
const FRESH: Duration = Duration::from_secs(1);

/// The last scan: its time, and process ids by file.
#[derive(Debug, Default)]
pub(in crate::batch) struct OpenFiles(Mutex<Option<(Instant, HashMap<PathBuf, u32>)>>);

impl OpenFiles {
    /// The id of a process that has a file open for writing; `file` is its canonical path.
    pub(in crate::batch) fn writer_of(&self, file: &Path) -> Option<u32> {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let files = match seen.take().filter(|(at, _)| at.elapsed() < FRESH) {
            Some(seen_lately) => seen.insert(seen_lately),
            None => seen.insert((Instant::now(), written_by_others())),
        };
        files.1.get(file).copied()
    }
}

/// The files that other processes have open for writing, each with the id of one of them.
#[cfg(target_os = "linux")]
fn written_by_others() -> HashMap<PathBuf, u32> {
    use std::fs;
    let names = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok()).collect::<Vec<_>>()
    };
    let writes = |process: &Path, descriptor: u32| {
        let info = fs::read_to_string(process.join(format!("fdinfo/{descriptor}"))).unwrap_or_default();
        let flags = info.lines().find_map(|line| u32::from_str_radix(line.strip_prefix("flags:")?.trim(), 8).ok());
        // O_ACCMODE: 0 reads, 1 writes, 2 does both.
        flags.is_some_and(|flags| flags & 3 != 0)
    };
    let mut files = HashMap::new();
    for id in names(Path::new("/proc")).into_iter().filter(|&id| id != std::process::id()) {
        let process = PathBuf::from(format!("/proc/{id}"));
        for descriptor in names(&process.join("fd")) {
            let target = fs::read_link(process.join(format!("fd/{descriptor}")));
            let file = target.ok().filter(|target| target.is_absolute());
            files.extend(file.filter(|_| writes(&process, descriptor)).map(|file| (file, id)));
        }
    }
    files
}

#[cfg(not(target_os = "linux"))]
fn written_by_others() -> HashMap<PathBuf, u32> {
    HashMap::new()
}

#[cfg(all(test, target_os = "linux"))]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn what_another_process_writes_to_is_known_and_what_it_reads_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().canonicalize().unwrap();
        let [written, read] = ["written", "read"].map(|name| folder.join(name));
        std::fs::write(&read, "").unwrap();
        let (out, input) = (std::fs::File::create(&written).unwrap(), std::fs::File::open(&read).unwrap());
        let mut child = Command::new("cat").stdin(Stdio::piped()).stdout(out).stderr(input).spawn().unwrap();
        let found = [&written, &read].map(|file| OpenFiles::default().writer_of(file));
        let id = child.id();
        drop(child.stdin.take());
        child.wait().unwrap();
        assert_eq!(found, [Some(id), None]);
        assert_eq!(OpenFiles::default().writer_of(&written), None, "it has ended");
    }
}
