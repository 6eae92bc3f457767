//! Reads an input: first its beginning, from which the format is detected, then the rest.

use super::discover::{Input, STDIN};
use crate::batch::digest::Gauge;
use crate::batch::error::FileError;
use crate::batch::packing::{Packing, Stored};
use crate::batch::shard::FileShare;
use crate::batch::{Streams, fenced};
use crate::format::{Bytes, Detected, Undetected, lines};
use std::fs::{File, Metadata};
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// A reader of the stored bytes.
type Raw<'a> = Box<dyn Read + Send + 'a>;

/// Number of bytes read before the format is detected.
const SAMPLE: u64 = 1 << 20;
/// Number of bytes read if those are of no known format: the first message may hold pictures. Half of [`AT_ONCE`] at
/// most, and with its copy little enough for the memory that a file is taken to need.
const WIDER: u64 = AT_ONCE / 2 - 1;
/// Up to this size, the memory for a file is allocated at once. Longer files are read as two halves in parallel, on
/// systems that can read at any offset, since most of the time is spent on allocating memory page by page.
const AT_ONCE: u64 = 16 << 20;

/// An open input.
pub(crate) struct Source<'a> {
    /// A second handle of a long file, if it can be read at any offset.
    again: Option<File>,
    /// Metadata of the file; `None` for standard input.
    pub(in crate::batch) meta: Option<Metadata>,
    /// The beginning of the content, decoded.
    pub(crate) sample: Vec<u8>,
    /// Whether the beginning is the whole content.
    pub(crate) given: Bytes,
    /// Offset of the content in the input, in bytes.
    pub(in crate::batch) start: u64,
    /// The compression, and the stored bytes.
    pub(in crate::batch) packed: Option<(Packing, Stored<'a>)>,
    rest: Box<dyn Read + Send + 'a>,
}

impl<'a> Source<'a> {
    /// Opens an input and reads its beginning; `gauge` measures the stored bytes of a compressed input.
    pub(crate) fn open(input: &Input, streams: &'a Streams, gauge: Gauge) -> Result<Self, FileError> {
        if input.path.as_os_str() == STDIN {
            return Self::start(BufReader::new(Box::new(Shared(&streams.stdin))), None, gauge);
        }
        let file = File::open(&input.path).map_err(FileError::Read)?;
        let meta = file.metadata().map_err(FileError::Read)?;
        let again = if cfg!(unix) && meta.len() > AT_ONCE { file.try_clone().ok() } else { None };
        let source = Self::start(BufReader::new(Box::new(file)), Some(meta), gauge)?;
        Ok(Self { again, ..source })
    }

    /// Reads the beginning of anything else that can be read.
    pub(super) fn of(raw: Raw<'a>) -> Result<Self, FileError> {
        Self::start(BufReader::new(raw), None, Gauge::new(false))
    }

    fn start(mut raw: BufReader<Raw<'a>>, meta: Option<Metadata>, gauge: Gauge) -> Result<Self, FileError> {
        let Some(packing) = Packing::peek(&mut raw).map_err(FileError::Read)? else {
            let room = meta.as_ref().map(Metadata::len).filter(|stated| *stated <= AT_ONCE);
            let (sample, given) = beginning(&mut raw, room.unwrap_or(0)).map_err(FileError::Read)?;
            return Ok(Self { again: None, meta, sample, given, start: 0, packed: None, rest: Box::new(raw) });
        };
        let stored = Stored::new(Box::new(raw), gauge);
        let mut rest = packing.decoder(stored.clone()).map_err(FileError::Packed)?;
        let (sample, given) = beginning(&mut rest, 0).map_err(FileError::Packed)?;
        Ok(Self { again: None, meta, sample, given, start: 0, packed: Some((packing, stored)), rest })
    }

    /// Detects the format from the beginning, of which more is read if that of a longer input says nothing. The inner
    /// error is that of `detect`.
    pub(crate) fn detected(
        &mut self,
        detect: impl Fn(&[u8], Bytes) -> Result<Detected, Undetected>,
    ) -> Result<Result<Detected, Undetected>, FileError> {
        let found = fenced(|| detect(&self.sample, self.given))?;
        if found.is_ok() || self.given.is_whole() || self.has_record() {
            return Ok(found);
        }
        let room = (WIDER + 1).saturating_sub(self.sample.len() as u64);
        let failed = if self.packed.is_some() { FileError::Packed } else { FileError::Read };
        self.rest.by_ref().take(room).read_to_end(&mut self.sample).map_err(failed)?;
        self.given = within(WIDER, &self.sample);
        fenced(|| detect(&self.sample, self.given))
    }

    /// Whether the first line is a whole record: more of them would say no more.
    fn has_record(&self) -> bool {
        let first = lines::lines(&self.sample).next().and_then(|line| self.sample.get(line.span));
        first.is_some_and(|first| serde_json::from_slice::<serde::de::IgnoredAny>(first).is_ok())
    }

    /// Whether the beginning holds only white space.
    pub(crate) fn is_blank(&self) -> bool {
        let text = self.sample.strip_prefix(lines::BOM).unwrap_or(&self.sample);
        text.iter().all(u8::is_ascii_whitespace)
    }

    /// Restricts the source to the lines of a part. Returns their byte range, too.
    pub(in crate::batch) fn cut(self, path: &Path, part: &FileShare) -> Result<(Self, Range<u64>), FileError> {
        if self.packed.is_some() || self.meta.as_ref().is_none_or(|meta| meta.len() != part.whole) {
            return Err(FileError::Changed);
        }
        let mut file = File::open(path).map_err(FileError::Read)?;
        let lines = part.lines(&mut file).map_err(FileError::Read)?;
        file.seek(SeekFrom::Start(lines.start)).map_err(FileError::Read)?;
        let rest = Box::new(file.take(lines.end - lines.start));
        Ok((Self { sample: Vec::new(), given: Bytes::Beginning, start: lines.start, rest, ..self }, lines))
    }

    /// A reader of the whole content, decoded, from its first byte.
    pub(in crate::batch) fn reader(self) -> impl Read + Send + use<'a> {
        Cursor::new(self.sample).chain(self.rest)
    }

    /// Reads the whole content into memory, decoded; an error above `limit` bytes.
    pub(crate) fn whole(self, limit: u64) -> Result<Vec<u8>, FileError> {
        let plain = self.meta.as_ref().filter(|_| self.packed.is_none());
        let stated = plain.map_or(0, Metadata::len);
        let failed = if self.packed.is_some() { FileError::Packed } else { FileError::Read };
        let check = |size: u64| if size > limit { Err(FileError::TooLarge { size, limit }) } else { Ok(()) };
        check(stated)?;
        let (mut bytes, mut rest) = (self.sample, self.rest);
        if !self.given.is_whole() {
            match self.again.filter(|_| self.packed.is_none()) {
                Some(file) => (bytes, rest) = halves((&bytes, rest), file, stated)?,
                None => bytes.reserve_exact((stated as usize + 1).saturating_sub(bytes.len())),
            }
            let room = (limit + 1).saturating_sub(bytes.len() as u64);
            rest.take(room).read_to_end(&mut bytes).map_err(failed)?;
        }
        check(bytes.len() as u64)?;
        Ok(bytes)
    }
}

/// Reads the first `size` bytes of a file, of which the beginning was read already. Returns them, and a reader of the
/// rest.
fn halves<'a>(
    (beginning, mut rest): (&[u8], Raw<'a>),
    mut file: File,
    size: u64,
) -> Result<(Vec<u8>, Raw<'a>), FileError> {
    let mut bytes = vec![0; usize::try_from(size).map_err(|error| FileError::Read(io::Error::other(error)))?];
    bytes[..beginning.len()].copy_from_slice(beginning);
    let (one, other) = bytes.split_at_mut((size / 2) as usize);
    let (first, second) =
        rayon::join(|| rest.read_exact(&mut one[beginning.len()..]), || read_at(&file, size / 2, other));
    first.and(second).map_err(|error| match error.kind() {
        // The file became shorter since it was opened.
        io::ErrorKind::UnexpectedEof => FileError::Changed,
        _ => FileError::Read(error),
    })?;
    file.seek(SeekFrom::Start(size)).map_err(FileError::Read)?;
    Ok((bytes, Box::new(file)))
}

/// Reads at an offset of a file, independently of its other readers.
#[cfg(unix)]
fn read_at(file: &File, at: u64, bytes: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(not(unix))]
fn read_at(_: &File, _: u64, _: &mut [u8]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Reads the first bytes from a reader. Returns them and whether they are everything; `room` bytes are reserved for
/// reading on.
fn beginning(reader: &mut impl Read, room: u64) -> io::Result<(Vec<u8>, Bytes)> {
    let mut sample = Vec::with_capacity(usize::try_from(room).unwrap_or(0) + 1);
    reader.take(SAMPLE + 1).read_to_end(&mut sample)?;
    let given = within(SAMPLE, &sample);
    Ok((sample, given))
}

/// Whether what was read of a file is all of it, since one byte more than `most` was asked for.
fn within(most: u64, read: &[u8]) -> Bytes {
    if read.len() as u64 <= most { Bytes::Whole } else { Bytes::Beginning }
}

/// A standard stream, shared between threads.
pub(in crate::batch) struct Shared<'a, T: ?Sized>(pub(in crate::batch) &'a Mutex<Box<T>>);

impl Read for Shared<'_, dyn Read + Send> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).read(bytes)
    }
}

impl io::Write for Shared<'_, dyn io::Write + Send> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).flush()
    }
}

/// The first bytes of a file as they are stored, at most `most`.
pub(in crate::batch) fn glance(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    File::open(path)?.take(most).read_to_end(&mut start)?;
    Ok(start)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_first_message_may_be_longer_than_what_is_read_at_first() {
        let named = |picture: usize, rest: &str| {
            let text = format!(r#"{{"messages":[{{"content":"{}","type":"human"}}]{rest}}}"#, "A".repeat(picture));
            let raw: Raw<'_> = Box::new(Cursor::new(text.clone()));
            let mut source = Source::of(raw).unwrap();
            let found = source.detected(crate::format::detect_given).unwrap().map(|found| found.name);
            assert!(source.whole(1 << 30).unwrap() == text.as_bytes(), "nothing is lost");
            found
        };
        assert_eq!(named(10, ""), Ok("langchain"));
        assert_eq!(named(2 << 20, ""), Ok("langchain"), "the file ends within what is read then");
        let long = format!(r#","notes":"{}""#, "B".repeat(9 << 20));
        assert_eq!(named(2 << 20, &long), Ok("langchain"));
        assert!(named(9 << 20, "").is_err());
    }

    #[test]
    #[cfg(unix)]
    fn a_file_in_two_halves_is_the_one_that_was_opened_and_what_was_added_since() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let halved = |read: usize, then: &dyn Fn()| {
            std::fs::write(&path, "0123456789").unwrap();
            let (mut rest, mut beginning) = (File::open(&path).unwrap(), vec![0; read]);
            let file = rest.try_clone().unwrap();
            rest.read_exact(&mut beginning).unwrap();
            then();
            let (mut bytes, mut rest) = halves((&beginning, Box::new(rest)), file, 10)?;
            rest.read_to_end(&mut bytes).unwrap();
            Ok::<_, FileError>(String::from_utf8(bytes).unwrap())
        };
        let grows = || File::options().append(true).open(&path).unwrap().write_all(b" and more").unwrap();
        let is_replaced = || {
            std::fs::write(folder.path().join("other"), "another one").unwrap();
            std::fs::rename(folder.path().join("other"), &path).unwrap();
        };
        for read in 0..=5 {
            assert_eq!(halved(read, &grows).unwrap(), "0123456789 and more");
            assert_eq!(halved(read, &is_replaced).unwrap(), "0123456789");
        }
        let shrinks = || std::fs::write(&path, "01234").unwrap();
        assert!(matches!(halved(0, &shrinks), Err(FileError::Changed)));
    }
}
