//! Writes generated files that are not outputs of inputs: a folder of files, or a single one.

use super::write::{folder_of, try_in, write_whole};
use crate::batch::BatchError;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Writes files into a folder. The folder is created if needed, and must be empty unless `force` is set.
///
/// # Errors
/// The folder is not empty or can't be written.
pub fn write_files<'f>(
    folder: &Path,
    force: bool,
    files: impl IntoIterator<Item = (&'f str, &'f [u8])>,
) -> Result<(), BatchError> {
    fs::create_dir_all(folder).map_err(BatchError::io("making the folder", folder))?;
    if !force && holds_something(folder).map_err(BatchError::io("reading", folder))? {
        return Err(BatchError::Taken { path: folder.to_owned() });
    }
    for (name, bytes) in files {
        let path = folder.join(name);
        write_whole(&path, |file| file.write_all(bytes)).map_err(BatchError::io("writing", &path))?;
    }
    Ok(())
}

/// Writes a file named by the user completely or not at all. Its folder is created if needed; an existing file keeps
/// its permissions. Pipes, devices and links are written to directly.
///
/// # Errors
/// The file can't be written.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), BatchError> {
    let old = fs::symlink_metadata(path).ok();
    if old.as_ref().is_some_and(|meta| !meta.is_file()) {
        return fs::write(path, bytes).map_err(BatchError::io("writing", path));
    }
    let whole = write_whole(path, |file| {
        old.map_or(Ok(()), |meta| file.set_permissions(meta.permissions()))?;
        file.write_all(bytes)
    });
    whole.map_err(BatchError::io("writing", path))
}

/// Tests whether [`write_file`] could write there, and leaves nothing behind, so that hours of work do not end in an
/// error. The test creates a file in the nearest existing folder; pipes and devices are not tested.
///
/// # Errors
/// The file can't be written.
pub fn try_file(path: &Path) -> Result<(), BatchError> {
    let tried = match fs::metadata(path) {
        Ok(meta) if meta.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(meta) if !meta.is_file() => Ok(()),
        Ok(_) if path.is_symlink() => fs::OpenOptions::new().append(true).open(path).map(drop),
        _ => {
            let folder = folder_of(path);
            let there = folder.ancestors().find(|folder| folder.exists() || folder.is_symlink());
            try_in(there.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")))
        }
    };
    // The name of the test file would not help the user.
    tried.map_err(|err| BatchError::io("writing", path)(err.kind().into()))
}

fn holds_something(folder: &Path) -> io::Result<bool> {
    Ok(fs::read_dir(folder)?.next().is_some())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_holds_something_is_left_alone_unless_forced() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("new/deep");
        write_files(&folder, false, [("a", &b"1"[..]), ("b", &b"2"[..])]).unwrap();
        assert_eq!(fs::read(folder.join("b")).unwrap(), b"2");
        let again = write_files(&folder, false, [("a", &b"3"[..])]);
        assert!(matches!(again, Err(BatchError::Taken { .. })));
        assert_eq!(fs::read(folder.join("a")).unwrap(), b"1");
        write_files(&folder, true, [("a", &b"3"[..])]).unwrap();
        assert_eq!(fs::read(folder.join("a")).unwrap(), b"3");
    }

    #[test]
    fn what_can_t_be_written_is_known_before_and_nothing_is_left() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("file"), b"1").unwrap();
        for name in ["file", "new", "deep/er/new"] {
            try_file(&at(name)).unwrap();
        }
        for name in ["", "file/new", "file/deep/er"] {
            let error = try_file(&at(name)).unwrap_err().to_string();
            assert!(error.contains(": writing failed: "), "{error}");
        }
        assert_eq!(fs::read(at("file")).unwrap(), b"1");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_named_file_appears_whole_and_a_link_stays_one() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("reports/page.html");
        write_file(&path, b"1").unwrap();
        write_file(&path, b"2").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"2");
        assert_eq!(fs::read_dir(dir.path().join("reports")).unwrap().count(), 1, "no temporary file is left");
        #[cfg(unix)]
        {
            let link = dir.path().join("link");
            std::os::unix::fs::symlink(&path, &link).unwrap();
            let mode =
                |path: &Path| std::os::unix::fs::PermissionsExt::mode(&fs::metadata(path).unwrap().permissions());
            fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
            write_file(&path, b"2").unwrap();
            assert_eq!(mode(&path) & 0o777, 0o600);
            write_file(&link, b"3").unwrap();
            assert!(link.is_symlink() && fs::read(&path).unwrap() == b"3");
        }
        assert!(write_file(dir.path(), b"4").is_err());
    }
}
