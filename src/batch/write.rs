//! Replacing files as a whole: written beside the target, synced, then renamed over it.

use super::Shard;
use std::ffi::OsStr;
use std::fs::{self, File, FileTimes, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::NamedTempFile;
use walkdir::WalkDir;

/// How the names of our temporary files start, so that those of a killed run are known.
const TEMP_PREFIX: &str = ".epitome-tmp-";

/// Who may read a file until it takes over the permissions of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Readers {
    /// Whoever may read any new file.
    Any,
    /// Its owner: it holds what was said in a transcript that others may not be allowed to read.
    Owner,
}

/// A file that is written beside its target and appears there at once, or not at all.
pub(super) struct Replacement {
    temp: BufWriter<NamedTempFile>,
    target: PathBuf,
}

impl Replacement {
    /// Starts a file; folders above it are made.
    pub(super) fn create(target: &Path, readers: Readers) -> io::Result<Self> {
        Self::create_as(target, TEMP_PREFIX, readers)
    }

    /// Starts a file of which the temporary name starts like this.
    pub(super) fn create_as(target: &Path, prefix: &str, readers: Readers) -> io::Result<Self> {
        let folder = folder_of(target);
        fs::create_dir_all(folder)?;
        let temp = temporary(folder, prefix, readers)?;
        Ok(Self { temp: BufWriter::with_capacity(1 << 16, temp), target: target.to_owned() })
    }

    /// Sets the permissions that the file will have.
    pub(super) fn set_permissions(&self, permissions: fs::Permissions) -> io::Result<()> {
        self.temp.get_ref().as_file().set_permissions(permissions)
    }

    /// Writes out what is buffered, takes over permissions and times of `like`, and syncs.
    pub(super) fn settle(self, like: Option<&Metadata>) -> io::Result<Settled> {
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

/// A file that is complete on disk and only lacks its name.
pub(super) struct Settled {
    temp: NamedTempFile,
    target: PathBuf,
}

impl Settled {
    /// Gives it its name. The folder is synced too, where the system can do that.
    pub(super) fn publish(mut self) -> io::Result<()> {
        let target = std::mem::take(&mut self.target);
        self.publish_as(&target)
    }

    /// Gives it its name; [`sync_below`] makes that last.
    pub(super) fn rename(mut self) -> io::Result<()> {
        let target = std::mem::take(&mut self.target);
        self.temp.persist(target).map(drop).map_err(|err| err.error)
    }

    /// Gives it another name on the same file system.
    pub(super) fn publish_as(self, target: &Path) -> io::Result<()> {
        self.temp.persist(target).map_err(|err| err.error)?;
        sync_folder(folder_of(target));
        Ok(())
    }

    /// Gives the owner of the replaced file to the new one; only possible as its owner or as root, so best effort.
    pub(super) fn keep_owner(&self, meta: &Metadata) {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, fchown};
            let _ = fchown(self.temp.as_file(), Some(meta.uid()), Some(meta.gid()));
        }
        #[cfg(not(unix))]
        let _ = meta;
    }
}

/// Writes a small file as a whole.
pub(super) fn write_whole(target: &Path, write: impl FnOnce(&mut Replacement) -> io::Result<()>) -> io::Result<()> {
    write_for(Readers::Any, target, write)
}

/// Writes a small file as a whole, for these readers.
pub(super) fn write_for(
    readers: Readers,
    target: &Path,
    write: impl FnOnce(&mut Replacement) -> io::Result<()>,
) -> io::Result<()> {
    let mut file = Replacement::create(target, readers)?;
    write(&mut file)?;
    file.settle(None)?.publish()
}

/// Makes a folder in a store, or the store itself, that only its owner may look into. What is above the store is made as
/// any folder is, and what stands there already stays as it is.
pub(super) fn private_folder(store: &Path, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder_of(store))?;
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// Checks that files can be made in the folder, which is made if it does not exist.
pub(super) fn probe(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    try_in(folder)
}

/// Checks that files can be made in a folder that exists.
pub(super) fn try_in(folder: &Path) -> io::Result<()> {
    temporary(folder, TEMP_PREFIX, Readers::Any).map(drop)
}

/// Whether a file of this name is one of our temporary files.
pub(super) fn is_temporary(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(TEMP_PREFIX.as_bytes())
}

/// How the names of a share's temporary files start; without a share, those of all.
pub(super) fn temporary_prefix(shard: Option<Shard>) -> String {
    shard.map_or_else(|| TEMP_PREFIX.to_owned(), |shard| format!("{TEMP_PREFIX}{}-", shard.name()))
}

/// Removes the temporary files that a killed run left below the folder: those with this prefix.
pub(super) fn remove_leftovers(folder: &Path, prefix: &str) -> io::Result<()> {
    for entry in WalkDir::new(folder).into_iter().filter_map(Result::ok) {
        let own = entry.file_name().as_encoded_bytes().starts_with(prefix.as_bytes());
        if entry.file_type().is_file() && own {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// The temporary files below a folder, whoever left them.
pub(super) fn leftovers(folder: &Path) -> Vec<PathBuf> {
    let entries = WalkDir::new(folder).into_iter().filter_map(Result::ok);
    let own = entries.filter(|entry| entry.file_type().is_file() && is_temporary(entry.file_name()));
    own.map(walkdir::DirEntry::into_path).collect()
}

/// Bytes of the files below a folder that are no temporary ones.
pub(super) fn size_below(folder: &Path) -> u64 {
    let entries = WalkDir::new(folder).into_iter().filter_map(Result::ok);
    let files = entries.filter(|entry| entry.file_type().is_file() && !is_temporary(entry.file_name()));
    files.filter_map(|file| Some(file.metadata().ok()?.len())).sum()
}

/// Removes a temporary file unless it was written to within `age` before `now`, or whoever made it was faster.
pub(super) fn remove_if_old(path: &Path, now: SystemTime, age: Duration) -> io::Result<()> {
    let remove = || {
        let modified = fs::metadata(path)?.modified()?;
        let old = now.duration_since(modified).is_ok_and(|since| since >= age);
        if old { fs::remove_file(path) } else { Ok(()) }
    };
    remove().or_else(|err| if err.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(err) })
}

/// Removes the files right in a folder that `goes` names, and the folder if it is empty then.
pub(super) fn remove_files(folder: &Path, goes: impl Fn(&Path) -> bool) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if goes(&path) {
            fs::remove_file(path)?;
        }
    }
    let empty = fs::read_dir(folder)?.next().is_none();
    if empty { fs::remove_dir(folder) } else { Ok(()) }
}

/// A temporary file; the crate's default is private to the user.
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

/// Makes a rename durable; not every system can open a folder, and none needs it for consistency.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// Makes all names below a folder last, once for many files.
pub(super) fn sync_below(folder: &Path) {
    let folders = WalkDir::new(folder).into_iter().filter_map(Result::ok).filter(|entry| entry.file_type().is_dir());
    folders.for_each(|entry| sync_folder(entry.path()));
}

/// Makes the name of a file last.
pub(super) fn sync_name(file: &Path) {
    sync_folder(folder_of(file));
}

/// The folder that a path names something in.
pub(super) fn folder_of(path: &Path) -> &Path {
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
