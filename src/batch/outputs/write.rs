//! Replaces files atomically: written beside the target, synced, then renamed over it.

use crate::batch::Shard;
use std::ffi::OsStr;
use std::fs::{self, File, FileTimes, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::NamedTempFile;
use walkdir::WalkDir;

/// Prefix of the names of epitome's temporary files, by which those of an interrupted run are recognized.
const TEMP_PREFIX: &str = ".epitome-tmp-";

/// Who may read a new file, until it gets the permissions of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::batch) enum Readers {
    /// Everyone who may read new files.
    Any,
    /// The owner only: it holds content of a transcript that others may not be allowed to read.
    Owner,
}

/// A file that is written beside its target and replaces it atomically, or not at all.
pub(in crate::batch) struct Replacement {
    temp: BufWriter<NamedTempFile>,
    target: PathBuf,
}

impl Replacement {
    /// Starts a file; missing folders are created.
    pub(in crate::batch) fn create(target: &Path, readers: Readers) -> io::Result<Self> {
        Self::create_as(target, TEMP_PREFIX, readers)
    }

    /// Starts a file with this prefix of its temporary name.
    pub(in crate::batch) fn create_as(target: &Path, prefix: &str, readers: Readers) -> io::Result<Self> {
        let folder = folder_of(target);
        fs::create_dir_all(folder)?;
        let temp = temporary(folder, prefix, readers)?;
        Ok(Self { temp: BufWriter::with_capacity(1 << 16, temp), target: target.to_owned() })
    }

    /// Sets the permissions of the file.
    pub(in crate::batch) fn set_permissions(&self, permissions: fs::Permissions) -> io::Result<()> {
        self.temp.get_ref().as_file().set_permissions(permissions)
    }

    /// Writes out buffers, copies permissions and times from `like`, and syncs.
    pub(in crate::batch) fn settle(self, like: Option<&Metadata>) -> io::Result<Settled> {
        let temp = self.temp.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Some(meta) = like {
            copy_metadata(temp.as_file(), meta)?;
        }
        temp.as_file().sync_all()?;
        Ok(Settled { temp, target: self.target })
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.temp.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.temp.flush()
    }
}

/// A complete and synced file that only lacks its final name.
pub(in crate::batch) struct Settled {
    temp: NamedTempFile,
    target: PathBuf,
}

impl Settled {
    /// Renames it to its target. The folder is synced, too, where the system supports that.
    pub(in crate::batch) fn publish(mut self) -> io::Result<()> {
        let target = std::mem::take(&mut self.target);
        self.publish_as(&target)
    }

    /// Renames it to its target, without syncing the folder; that is left to [`sync_below`].
    pub(in crate::batch) fn rename(mut self) -> io::Result<()> {
        let target = std::mem::take(&mut self.target);
        self.temp.persist(target).map(drop).map_err(|err| err.error)
    }

    /// Renames it to another path on the same file system.
    pub(in crate::batch) fn publish_as(self, target: &Path) -> io::Result<()> {
        self.temp.persist(target).map_err(|err| err.error)?;
        sync_folder(folder_of(target));
        Ok(())
    }

    /// Sets the owner of the replaced file on the new one. Needs the same owner or root, so errors are ignored.
    pub(in crate::batch) fn keep_owner(&self, meta: &Metadata) {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, fchown};
            let _ = fchown(self.temp.as_file(), Some(meta.uid()), Some(meta.gid()));
        }
        #[cfg(not(unix))]
        let _ = meta;
    }
}

/// Writes a small file atomically.
pub(in crate::batch) fn write_whole(
    target: &Path,
    write: impl FnOnce(&mut Replacement) -> io::Result<()>,
) -> io::Result<()> {
    write_for(Readers::Any, target, write)
}

/// Writes a small file atomically, readable for `readers`.
pub(in crate::batch) fn write_for(
    readers: Readers,
    target: &Path,
    write: impl FnOnce(&mut Replacement) -> io::Result<()>,
) -> io::Result<()> {
    let mut file = Replacement::create(target, readers)?;
    write(&mut file)?;
    file.settle(None)?.publish()
}

/// Creates a folder in a store, or the store itself, accessible to its owner only. Folders above the store get default
/// permissions; existing folders are not changed.
pub(in crate::batch) fn private_folder(store: &Path, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder_of(store))?;
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// Checks that files can be created in a folder, which is created if needed.
pub(in crate::batch) fn probe(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    try_in(folder)
}

/// Checks that files can be created in an existing folder.
pub(in crate::batch) fn try_in(folder: &Path) -> io::Result<()> {
    temporary(folder, TEMP_PREFIX, Readers::Any).map(drop)
}

/// Whether a file name is that of one of epitome's temporary files.
pub(in crate::batch) fn is_temporary(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(TEMP_PREFIX.as_bytes())
}

/// Prefix of the names of a shard's temporary files; without a shard, of all temporary files.
pub(in crate::batch) fn temporary_prefix(shard: Option<Shard>) -> String {
    shard.map_or_else(|| TEMP_PREFIX.to_owned(), |shard| format!("{TEMP_PREFIX}{}-", shard.name()))
}

/// Removes temporary files with this prefix below a folder, left by an interrupted run.
pub(in crate::batch) fn remove_leftovers(folder: &Path, prefix: &str) -> io::Result<()> {
    for entry in WalkDir::new(folder).into_iter().filter_map(Result::ok) {
        let own = entry.file_name().as_encoded_bytes().starts_with(prefix.as_bytes());
        if entry.file_type().is_file() && own {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// All temporary files below a folder, of any run.
pub(in crate::batch) fn leftovers(folder: &Path) -> Vec<PathBuf> {
    let entries = WalkDir::new(folder).into_iter().filter_map(Result::ok);
    let own = entries.filter(|entry| entry.file_type().is_file() && is_temporary(entry.file_name()));
    own.map(walkdir::DirEntry::into_path).collect()
}

/// Time after which nobody still writes to a temporary file: a run with one output takes no lock, and may wait for its
/// input or a model.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

/// Removes the temporary files beside a file that were not written to for a day before `now`. Errors are ignored: in the
/// folder of a single output, others may have files.
pub(in crate::batch) fn remove_old_beside(file: &Path, now: SystemTime) {
    let entries = fs::read_dir(folder_of(file)).into_iter().flatten().flatten();
    let own = entries.filter(|entry| is_temporary(&entry.file_name()));
    let files = own.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    files.for_each(|entry| drop(remove_if_old(&entry.path(), now, ABANDONED)));
}

/// Total size of the files below a folder, without temporary ones.
pub(in crate::batch) fn size_below(folder: &Path) -> u64 {
    let entries = WalkDir::new(folder).into_iter().filter_map(Result::ok);
    let files = entries.filter(|entry| entry.file_type().is_file() && !is_temporary(entry.file_name()));
    files.filter_map(|file| Some(file.metadata().ok()?.len())).sum()
}

/// Removes a temporary file unless it was written to within `age` before `now`; no error if it is gone already.
pub(in crate::batch) fn remove_if_old(path: &Path, now: SystemTime, age: Duration) -> io::Result<()> {
    let remove = || {
        let modified = fs::metadata(path)?.modified()?;
        let old = now.duration_since(modified).is_ok_and(|since| since >= age);
        if old { fs::remove_file(path) } else { Ok(()) }
    };
    remove().or_else(|err| if err.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(err) })
}

/// Removes the files directly in a folder for which `goes` is true, and the folder if it is empty afterwards.
pub(in crate::batch) fn remove_files(folder: &Path, goes: impl Fn(&Path) -> bool) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if goes(&path) {
            fs::remove_file(path)?;
        }
    }
    let empty = fs::read_dir(folder)?.next().is_none();
    if empty { fs::remove_dir(folder) } else { Ok(()) }
}

/// Creates a temporary file; for `Readers::Any` with default permissions, otherwise private as by default of the crate.
fn temporary(folder: &Path, prefix: &str, readers: Readers) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    #[cfg(unix)]
    if readers == Readers::Any {
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    #[cfg(not(unix))]
    let _ = readers;
    builder.tempfile_in(folder)
}

fn copy_metadata(file: &File, meta: &Metadata) -> io::Result<()> {
    file.set_permissions(meta.permissions())?;
    let times = FileTimes::new().set_modified(meta.modified()?);
    file.set_times(meta.accessed().map_or(times, |accessed| times.set_accessed(accessed)))
}

/// Makes a rename durable. Errors are ignored: not every system can open folders, and consistency does not depend on
/// it.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// Makes all renames below a folder durable, once for many files.
pub(in crate::batch) fn sync_below(folder: &Path) {
    let folders = WalkDir::new(folder).into_iter().filter_map(Result::ok).filter(|entry| entry.file_type().is_dir());
    folders.for_each(|entry| sync_folder(entry.path()));
}

/// Makes the rename of a file durable.
pub(in crate::batch) fn sync_name(file: &Path) {
    sync_folder(folder_of(file));
}

/// The folder that a path is in; `.` for a bare name.
pub(in crate::batch) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_settled_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let mut file = Replacement::create(&dir.path().join("s/x"), Readers::Any).unwrap();
        file.write_all(b"half").unwrap();
        drop(file);
        assert_eq!(fs::read_dir(dir.path().join("s")).unwrap().count(), 0);
    }

    #[test]
    fn permissions_and_time_are_those_of_the_input() {
        let dir = tempfile::tempdir().unwrap();
        let (input, output) = (dir.path().join("in"), dir.path().join("out"));
        fs::write(&input, "x").unwrap();
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
        File::options().write(true).open(&input).unwrap().set_modified(time).unwrap();
        let mut permissions = fs::metadata(&input).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&input, permissions).unwrap();
        let mut file = Replacement::create(&output, Readers::Owner).unwrap();
        file.write_all(b"y").unwrap();
        file.settle(Some(&fs::metadata(&input).unwrap())).unwrap().publish().unwrap();
        let meta = fs::metadata(&output).unwrap();
        assert_eq!((meta.modified().unwrap(), meta.permissions().readonly()), (time, true));
    }

    #[test]
    fn leftovers_are_removed_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("s")).unwrap();
        let shard = |text: &str| temporary_prefix(text.parse().ok());
        for prefix in [shard(""), shard("1/2"), shard("2/2")] {
            fs::write(dir.path().join("s").join(prefix + "x1"), "half").unwrap();
        }
        fs::write(dir.path().join("s/kept"), "whole").unwrap();
        let count = || fs::read_dir(dir.path().join("s")).unwrap().count();
        remove_leftovers(dir.path(), &shard("2/2")).unwrap();
        assert_eq!((count(), dir.path().join("s").join(shard("1/2") + "x1").is_file()), (3, true));
        remove_leftovers(dir.path(), &shard("")).unwrap();
        assert_eq!((count(), dir.path().join("s/kept").is_file()), (1, true));
    }
}
