//! Files that are made up rather than made from inputs: a folder of them, written as a whole or refused.

use super::BatchError;
use super::write::write_whole;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Writes files into a folder, which is made if it does not exist and must be empty unless `force` is set.
///
/// # Errors
/// The folder holds something, or can't be written.
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
}
