//! Parses the list of files given by `--files-from`.

#[cfg(unix)]
use std::ffi::OsStr;
use std::io;
use std::path::PathBuf;

/// Parses a list of paths: one per line, without blank lines; or each ended by a NUL byte.
///
/// # Errors
/// A name is not UTF-8 (not on Unix).
pub(in crate::batch) fn read_list(text: &[u8], null: bool) -> io::Result<Vec<PathBuf>> {
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
