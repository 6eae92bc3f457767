//! The list of files that `--files-from` names.

#[cfg(unix)]
use std::ffi::OsStr;
use std::io;
use std::path::PathBuf;

/// Reads such a list: one a line, blank lines do not count; or each up to a NUL byte.
///
/// # Errors
/// A name can't be told from its bytes.
pub(super) fn read_list(text: &[u8], null: bool) -> io::Result<Vec<PathBuf>> {
    if null {
        return text.split(|byte| *byte == 0).filter(|name| !name.is_empty()).map(path_of).collect();
    }
    let lines = text.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    lines.filter(|line| !line.trim_ascii().is_empty()).map(path_of).collect()
}

#[cfg(unix)]
fn path_of(name: &[u8]) -> io::Result<PathBuf> {
    Ok(std::os::unix::ffi::OsStrExt::from_bytes(name)).map(|name: &OsStr| name.into())
}

#[cfg(not(unix))]
fn path_of(name: &[u8]) -> io::Result<PathBuf> {
    std::str::from_utf8(name).map(Into::into).map_err(io::Error::other)
}
