//! An input while it is read: its beginning first, which says what it is, then the rest.

use super::Streams;
use super::discover::{Input, STDIN};
use super::error::FileError;
use std::fs::{File, Metadata};
use std::io::{self, Cursor, Read};
use std::sync::{Mutex, PoisonError};

/// How much is read before the format is decided on.
const SAMPLE: u64 = 1 << 20;

/// An open input.
pub(super) struct Source<'a> {
    /// What the system says about the file; standard input has nothing.
    pub(super) meta: Option<Metadata>,
    /// The beginning.
    pub(super) sample: Vec<u8>,
    /// Whether the beginning is all.
    pub(super) complete: bool,
    rest: Box<dyn Read + Send + 'a>,
}

impl<'a> Source<'a> {
    /// Opens the input and reads its beginning.
    pub(super) fn open(input: &Input, streams: &'a Streams) -> Result<Self, FileError> {
        if input.path.as_os_str() == STDIN {
            return Self::start(Box::new(Shared(&streams.stdin)), None);
        }
        let file = File::open(&input.path).map_err(FileError::Read)?;
        let meta = file.metadata().map_err(FileError::Read)?;
        Self::start(Box::new(file), Some(meta))
    }

    fn start(mut rest: Box<dyn Read + Send + 'a>, meta: Option<Metadata>) -> Result<Self, FileError> {
        let mut sample = Vec::new();
        rest.by_ref().take(SAMPLE + 1).read_to_end(&mut sample).map_err(FileError::Read)?;
        let complete = sample.len() as u64 <= SAMPLE;
        Ok(Self { meta, sample, complete, rest })
    }

    /// Whether there is nothing but white space in the beginning.
    pub(super) fn is_blank(&self) -> bool {
        let text = self.sample.strip_prefix(crate::format::lines::BOM).unwrap_or(&self.sample);
        text.iter().all(u8::is_ascii_whitespace)
    }

    /// The whole input from its first byte on.
    pub(super) fn reader(self) -> impl Read + Send + use<'a> {
        Cursor::new(self.sample).chain(self.rest)
    }

    /// The whole input in memory, up to `limit` bytes.
    pub(super) fn whole(self, limit: u64) -> Result<Vec<u8>, FileError> {
        let stated = self.meta.as_ref().map_or(0, Metadata::len);
        let check = |size: u64| if size > limit { Err(FileError::TooLarge { size, limit }) } else { Ok(()) };
        check(stated)?;
        let mut bytes = self.sample;
        if !self.complete {
            bytes.reserve_exact((stated as usize + 1).saturating_sub(bytes.len()));
            let room = (limit + 1).saturating_sub(bytes.len() as u64);
            self.rest.take(room).read_to_end(&mut bytes).map_err(FileError::Read)?;
        }
        check(bytes.len() as u64)?;
        Ok(bytes)
    }
}

/// A stream of the process, shared between threads.
pub(super) struct Shared<'a, T: ?Sized>(pub(super) &'a Mutex<Box<T>>);

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
