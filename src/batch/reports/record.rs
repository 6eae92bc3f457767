//! The report lines of one file while it is processed, and a spool that keeps those of all files out of memory.

use crate::reason::Reason;
use crate::report::{Failures, Line, Outcome, Planned, SCHEMA_VERSION, Totals, write_line};
use crate::secrets::redact;
use std::collections::BTreeSet;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::SpooledTempFile;

/// Bytes of a report kept in memory before they are moved to disk; for one file and for all.
const IN_MEMORY: usize = 1 << 20;

/// The report of one file.
pub(in crate::batch) struct FileReport {
    path: String,
    pub(in crate::batch) lines: BufWriter<SpooledTempFile>,
    pub(in crate::batch) plan: BufWriter<SpooledTempFile>,
    pub(in crate::batch) totals: Totals,
    pub(in crate::batch) failures: Failures,
    /// Formats of files that were written as a single transcript.
    pub(in crate::batch) sessions: BTreeSet<String>,
}

impl FileReport {
    /// Creates an empty record for the file at this path in the output tree.
    pub(in crate::batch) fn new(relative: &Path) -> Self {
        Self {
            path: report_path(relative),
            lines: spooled(IN_MEMORY),
            plan: spooled(IN_MEMORY),
            totals: Totals::default(),
            failures: Failures::default(),
            sessions: BTreeSet::new(),
        }
    }

    pub(in crate::batch) fn path(&self) -> &str {
        &self.path
    }

    /// Discards all lines, because the file failed as a whole.
    pub(in crate::batch) fn restart(&mut self, relative: &Path) {
        *self = Self::new(relative);
    }

    /// Adds a line and the plan of its transcript. Secrets in error and plan are masked.
    pub(in crate::batch) fn add(&mut self, mut line: Line, plan: &[String]) -> io::Result<()> {
        line.schema_version = SCHEMA_VERSION;
        line.path.clone_from(&self.path);
        line.error = line.error.map(|error| redact(&error).0.into_owned());
        write_line(&line, &mut self.lines)?;
        self.note(&line);
        if !plan.is_empty() {
            writeln!(self.plan, "{}", Planned::heading(&line))?;
            plan.iter().try_for_each(|unit| writeln!(self.plan, "  {}", redact(unit).0.replace('\n', " ")))?;
        }
        Ok(())
    }

    /// Adds a line to totals and failures.
    pub(in crate::batch) fn note(&mut self, line: &Line) {
        self.totals += line;
        self.failures.note(line);
        let written = !matches!(line.outcome, Outcome::Failed | Outcome::Skipped);
        let alone = line.to.as_ref().or(line.format.as_ref().filter(|_| line.line.is_none()));
        self.sessions.extend(alone.filter(|_| written).cloned());
    }

    /// Number of lines.
    pub(in crate::batch) fn len(&self) -> u64 {
        self.totals.outcomes.all()
    }
}

/// A path in the output tree as written in reports. It is also used as a key: bytes that are not UTF-8 are written as
/// `%FF`, and a `%` that could be read as such an escape as `%25`.
pub(crate) fn report_path(relative: &Path) -> String {
    let parts = relative.components().map(|part| {
        let chunks = part.as_os_str().as_encoded_bytes().utf8_chunks();
        chunks
            .map(|chunk| escaped(chunk.valid()) + &chunk.invalid().iter().map(percent_encoded).collect::<String>())
            .collect()
    });
    parts.collect::<Vec<String>>().join("/")
}

fn percent_encoded(byte: &u8) -> String {
    format!("%{byte:02X}")
}

fn escaped(text: &str) -> String {
    let mut pieces = text.split('%');
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |all, piece| all + if code(piece.as_bytes()).is_some() { "%25" } else { "%" } + piece)
}

/// The byte that two hexadecimal digits after a `%` stand for.
fn code(digits: &[u8]) -> Option<u8> {
    let digits = digits.get(..2).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// Parses a path written by [`report_path`]. Paths in reports of earlier versions, which were not escaped, are taken
/// literally.
pub(in crate::batch) fn path_told(written: &str) -> PathBuf {
    let (mut bytes, mut rest) = (Vec::new(), written.as_bytes());
    while let Some((first, behind)) = rest.split_first() {
        let byte = code(behind).filter(|_| *first == b'%');
        bytes.push(byte.unwrap_or(*first));
        rest = &behind[if byte.is_some() { 2 } else { 0 }..];
    }
    let path = path_of(bytes);
    if report_path(&path) == written { path } else { written.into() }
}

#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    <std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes).into()
}

#[cfg(not(unix))]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// A report line for a file that was not processed.
pub(in crate::batch) fn bare_line(blank: Line, outcome: Outcome, reason: Reason, error: Option<String>) -> Line {
    Line { outcome, reason: Some(reason.name().to_owned()), error, ..blank }
}

/// Text for many files, appended by all threads and read back in any order.
pub(in crate::batch) struct Spool(Mutex<SpooledTempFile>);

impl Spool {
    pub(in crate::batch) fn new() -> Self {
        Self(Mutex::new(SpooledTempFile::new(IN_MEMORY)))
    }

    /// Appends all of `from`. Returns its byte range.
    pub(in crate::batch) fn append(&self, from: &mut BufWriter<SpooledTempFile>) -> io::Result<Range<u64>> {
        from.rewind()?;
        let from = from.get_mut();
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let start = file.seek(SeekFrom::End(0))?;
        let length = io::copy(from, &mut *file)?;
        Ok(start..start + length)
    }

    /// Writes a range that was appended.
    pub(in crate::batch) fn copy(&self, range: &Range<u64>, out: &mut dyn Write) -> io::Result<()> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        copy_range(&mut *file, range, out)
    }
}

/// A writer that passes on complete lines.
pub(in crate::batch) struct ByLine<F> {
    /// The beginning of an incomplete line.
    pub(in crate::batch) open: Vec<u8>,
    pub(in crate::batch) see: F,
}

impl<F: FnMut(&[u8]) -> io::Result<()>> Write for ByLine<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = bytes;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let (line, next) = rest.split_at(end);
            self.open.extend_from_slice(line);
            (self.see)(&self.open)?;
            self.open.clear();
            rest = next.get(1..).unwrap_or_default();
        }
        self.open.extend_from_slice(rest);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A buffered temporary file, in memory up to a number of bytes.
pub(in crate::batch) fn spooled(in_memory: usize) -> BufWriter<SpooledTempFile> {
    BufWriter::new(SpooledTempFile::new(in_memory))
}

/// Copies a byte range of a file.
pub(in crate::batch) fn copy_range(
    file: &mut (impl Read + Seek),
    range: &Range<u64>,
    out: &mut dyn Write,
) -> io::Result<()> {
    file.seek(SeekFrom::Start(range.start))?;
    io::copy(&mut file.by_ref().take(range.end - range.start), out).map(drop)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn a_spool_gives_back_what_was_appended_in_any_order() {
        let spool = Spool::new();
        let text = |text: &str| {
            let mut file = super::spooled(8);
            file.write_all(text.as_bytes()).unwrap();
            file
        };
        let first = spool.append(&mut text("first, long enough for the disk")).unwrap();
        let second = spool.append(&mut text("second")).unwrap();
        let mut out = Vec::new();
        spool.copy(&second, &mut out).unwrap();
        spool.copy(&first, &mut out).unwrap();
        assert_eq!(out, b"secondfirst, long enough for the disk");
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_no_utf_8_are_told_apart() {
        let names: [(&[u8], &str); 9] = [
            (b"a/\xffb", "a/%FFb"),
            (b"a/\xfe\xc3b", "a/%FE%C3b"),
            ("ä/b%".as_bytes(), "ä/b%"),
            (b"%FFx", "%25FFx"),
            (b"\xffx", "%FFx"),
            (b"%25FFx", "%2525FFx"),
            (b"%4\xff%%41", "%4%FF%%2541"),
            (b"100%", "100%"),
            (b"50%-a", "50%-a"),
        ];
        for (bytes, told) in names {
            let path = path_of(bytes.to_owned());
            assert_eq!((report_path(&path).as_str(), path_told(told)), (told, path));
        }
        assert_eq!(path_told("a/%41"), Path::new("a/%41"), "as earlier versions wrote it");
    }

    #[test]
    fn lines_are_shown_whole_however_they_are_written() {
        let mut lines = Vec::new();
        let see = |line: &[u8]| {
            lines.push(line.to_vec());
            Ok(())
        };
        let mut out = ByLine { open: Vec::new(), see };
        for piece in ["a\nb", "c", "\n\nd"] {
            out.write_all(piece.as_bytes()).unwrap();
        }
        assert_eq!(lines, [&b"a"[..], b"bc", b""]);
    }
}
