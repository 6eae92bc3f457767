//! Compressed files: recognized by their first bytes, read through a decoder, and written with the same compression
//! unless another is requested.
//!
//! The stored bytes are hashed and kept while they are decoded, since report, undo store and unchanged outputs need
//! them and not the content.

use super::digest::{Compressed, Digest, Gauge};
use super::reports::record::spooled;
use crate::format::archive;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use flate2::{Compression, GzBuilder};
use std::borrow::Cow;
use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use tempfile::SpooledTempFile;

/// Bytes kept in memory before they are moved to disk.
const IN_MEMORY: usize = 1 << 20;
/// The zstd level of outputs: above that of `zstd` itself, so that a smaller content makes a smaller file.
const OUTPUT_LEVEL: i32 = 9;
/// The level for an output that got larger than its input all the same, which was compressed with much effort; and the
/// most bytes of such an output before compression, since that takes long, and memory that grows with them.
const UTMOST_LEVEL: i32 = 19;
const UTMOST_SIZE: u64 = 1 << 20;

/// Bytes at the start of a frame that tell what it is.
const MAGIC: usize = 4;

/// A kind of compression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    Gzip,
    Zstd,
    /// An archive of Inspect AI, read as a single log.
    Eval,
}

impl Packing {
    /// The compression of a file that starts with these bytes.
    pub(super) fn of(start: &[u8]) -> Option<Self> {
        match start {
            [0x1f, 0x8b, 8, ..] => Some(Self::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Self::Zstd),
            // A frame to be skipped, of a stated size: `pzstd` begins with one, and other tools with several.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, a, b, c, d, rest @ ..] => {
                let size = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
                rest.get(size..).filter(|rest| rest.len() >= MAGIC).map_or(Some(Self::Zstd), Self::of)
            }
            _ => archive::begins(start).then_some(Self::Eval),
        }
    }

    /// The compression of a file, from the next bytes of its reader, which are not consumed.
    pub(super) fn peek(reader: &mut BufReader<impl Read>) -> io::Result<Option<Self>> {
        reader.fill_buf().map(Self::of)
    }

    /// A reader of the decoded content.
    pub(super) fn decoder<'r>(self, from: impl Read + Send + 'r) -> io::Result<Box<dyn Read + Send + 'r>> {
        Ok(match self {
            Self::Gzip => Box::new(MultiGzDecoder::new(from)),
            Self::Zstd => Box::new(zstd::Decoder::new(from)?),
            Self::Eval => Box::new(archive::Unpacked::new(from)),
        })
    }
}

/// Compression for all outputs, whatever that of the inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compress {
    /// With gzip.
    Gzip,
    /// With zstd.
    Zstd,
    /// Uncompressed.
    Plain,
}

impl FromStr for Compress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "gz" => Ok(Self::Gzip),
            "zst" => Ok(Self::Zstd),
            "none" => Ok(Self::Plain),
            _ => Err("it is gz, zst or none".into()),
        }
    }
}

/// Extensions of compressed files.
pub(super) const PACKED: [&str; 3] = ["gz", "zst", "zstd"];

impl Compress {
    /// The compression that a file's extension stands for.
    pub fn named(path: &Path) -> Self {
        match path.extension().and_then(OsStr::to_str) {
            Some("gz") => Self::Gzip,
            Some("zst" | "zstd") => Self::Zstd,
            _ => Self::Plain,
        }
    }

    /// The extension added to names of outputs.
    pub fn extension(self) -> Option<&'static str> {
        match self {
            Self::Gzip => Some("gz"),
            Self::Zstd => Some("zst"),
            Self::Plain => None,
        }
    }

    pub(super) fn packing(self) -> Option<Packing> {
        match self {
            Self::Gzip => Some(Packing::Gzip),
            Self::Zstd => Some(Packing::Zstd),
            Self::Plain => None,
        }
    }
}

/// Bytes that are moved to disk if they are many.
type Spooled = BufWriter<SpooledTempFile>;

/// The stored bytes of a compressed input, recorded as they are read.
#[derive(Clone)]
pub(super) struct Stored<'a>(Arc<Mutex<Inner<'a>>>);

struct Inner<'a> {
    raw: Box<dyn Read + Send + 'a>,
    gauge: Option<Gauge>,
    copy: Spooled,
}

impl<'a> Stored<'a> {
    pub(super) fn new(raw: Box<dyn Read + Send + 'a>, gauge: Gauge) -> Self {
        Self(Arc::new(Mutex::new(Inner { raw, gauge: Some(gauge), copy: spooled(IN_MEMORY) })))
    }

    /// Reads to the end. Returns size, hash, and the size after `zstd -3` if requested.
    pub(super) fn measure(&mut self) -> io::Result<(Digest, Option<Compressed>)> {
        io::copy(self, &mut io::sink())?;
        let gauge = self.with(|inner| inner.gauge.take());
        gauge.map_or_else(|| Err(io::Error::other("measured twice")), Gauge::finish)
    }

    /// Passes all stored bytes to `see` in pieces, including those not read yet. `failed` wraps read errors.
    pub(super) fn each<E>(
        &mut self,
        failed: impl Fn(io::Error) -> E,
        see: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        io::copy(self, &mut io::sink()).map_err(&failed)?;
        self.with(|inner| {
            inner.copy.rewind().map_err(&failed)?;
            pieces(inner.copy.get_mut(), failed, see)
        })
    }

    /// The number of stored bytes, including those not read yet.
    fn size(&mut self) -> io::Result<u64> {
        io::copy(self, &mut io::sink())?;
        self.with(|inner| inner.copy.stream_position())
    }

    fn with<T>(&self, act: impl FnOnce(&mut Inner<'a>) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Read for Stored<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.with(|inner| {
            let read = inner.raw.read(bytes)?;
            let new = bytes.get(..read).unwrap_or_default();
            inner.gauge.as_mut().map_or(Ok(()), |gauge| gauge.write_all(new))?;
            inner.copy.write_all(new)?;
            Ok(read)
        })
    }
}

/// Compresses what is written to it. Its output depends on that and on the size of the stored input, on nothing else.
pub(super) enum Packer {
    Gzip(GzEncoder<Spooled>),
    /// With the number of bytes written to it.
    Zstd(zstd::Encoder<'static, Spooled>, u64),
    /// A log whose parts go back into their archive.
    Eval(Vec<u8>),
}

impl Packer {
    pub(super) fn new(packing: Packing) -> io::Result<Self> {
        let out = spooled(IN_MEMORY);
        Ok(match packing {
            Packing::Gzip => Self::Gzip(GzBuilder::new().mtime(0).write(out, Compression::default())),
            Packing::Zstd => Self::Zstd(encoder(out, OUTPUT_LEVEL)?, 0),
            Packing::Eval => Self::Eval(Vec::new()),
        })
    }

    /// Passes the compressed bytes to `see` in pieces; `stored` is the input as stored. `failed` wraps read and write
    /// errors.
    pub(super) fn finish<E>(
        self,
        stored: Option<&mut Stored<'_>>,
        failed: impl Fn(io::Error) -> E,
        mut see: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let out = match self {
            Self::Gzip(encoder) => encoder.finish(),
            Self::Zstd(encoder, size) => encoder.finish().and_then(|out| smaller(out, size, stored)),
            Self::Eval(text) => {
                let mut archive = Vec::new();
                let add = |piece: &[u8]| archive.write_all(piece).map_err(&failed);
                stored.map_or(Ok(()), |stored| stored.each(&failed, add))?;
                return see(&archive::repacked(archive, &text).map_err(failed)?);
            }
        };
        let mut out = out.map_err(&failed)?;
        out.rewind().map_err(&failed)?;
        pieces(out.get_mut(), failed, see)
    }
}

fn encoder<W: Write>(out: W, level: i32) -> io::Result<zstd::Encoder<'static, W>> {
    let mut encoder = zstd::Encoder::new(out, level)?;
    encoder.include_checksum(true)?;
    Ok(encoder)
}

/// Compresses an output of `content` bytes again with more effort if it is larger than its input, and returns the smaller
/// one. Told of the size, the encoder makes its tables no larger than that needs.
fn smaller(mut out: Spooled, content: u64, stored: Option<&mut Stored<'_>>) -> io::Result<Spooled> {
    let size = out.stream_position()?;
    let Some(stored) = stored.filter(|_| content <= UTMOST_SIZE) else { return Ok(out) };
    if size <= stored.size()? {
        return Ok(out);
    }
    out.rewind()?;
    let mut again = encoder(spooled(IN_MEMORY), UTMOST_LEVEL)?;
    again.set_pledged_src_size(Some(content))?;
    io::copy(&mut zstd::Decoder::new(out.get_mut())?, &mut again)?;
    let mut again = again.finish()?;
    let fewer = again.stream_position()? < size;
    Ok(if fewer { again } else { out })
}

impl Write for Packer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Gzip(encoder) => encoder.write(bytes),
            Self::Zstd(encoder, size) => {
                let written = encoder.write(bytes)?;
                *size += written as u64;
                Ok(written)
            }
            Self::Eval(text) => text.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The bytes, compressed if `packing` is set.
pub(super) fn packed(packing: Option<Packing>, bytes: &[u8]) -> io::Result<Cow<'_, [u8]>> {
    let Some(packing) = packing else { return Ok(bytes.into()) };
    let (mut packer, mut out) = (Packer::new(packing)?, Vec::new());
    packer.write_all(bytes)?;
    packer.finish(None, |err| err, |piece| out.write_all(piece))?;
    Ok(out.into())
}

/// Passes everything from a reader to `see` in pieces. `failed` wraps read errors.
pub(super) fn pieces<E>(
    from: &mut impl Read,
    failed: impl Fn(io::Error) -> E,
    mut see: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let mut from = BufReader::with_capacity(1 << 16, from);
    loop {
        let piece = from.fill_buf().map_err(&failed)?;
        if piece.is_empty() {
            return Ok(());
        }
        see(piece)?;
        let length = piece.len();
        from.consume(length);
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn packed(packing: Packing, text: &[u8]) -> Vec<u8> {
        super::packed(Some(packing), text).unwrap().into_owned()
    }

    #[test]
    fn what_is_packed_is_known_by_its_start_and_comes_back() {
        let text = "a line that repeats\n".repeat(9_000);
        for packing in [Packing::Gzip, Packing::Zstd] {
            let bytes = packed(packing, text.as_bytes());
            assert_eq!(Packing::of(&bytes), Some(packing));
            assert_eq!(bytes, packed(packing, text.as_bytes()));
            let mut two = bytes.clone();
            two.extend(&bytes);
            let mut back = String::new();
            packing.decoder(&two[..]).unwrap().read_to_string(&mut back).unwrap();
            assert!(back == text.repeat(2), "several members are one file");
        }
        let bytes = packed(Packing::Gzip, b"x");
        assert_eq!(bytes[4..8], [0; 4], "no time in the header");
        assert_eq!(Packing::of(b"\x1f\x8b"), None);
    }

    #[test]
    fn frames_to_be_skipped_may_come_first() {
        let skipped =
            |content: &[u8]| [b"\x50\x2a\x4d\x18", &(content.len() as u32).to_le_bytes()[..], content].concat();
        for first in [skipped(b"size"), [skipped(b""), skipped(b"\x1f\x8b")].concat(), skipped(&[7; 9_000])] {
            let bytes = [&first[..], &packed(Packing::Zstd, b"text")].concat();
            let mut text = String::new();
            let found = Packing::peek(&mut BufReader::new(&bytes[..])).unwrap().unwrap();
            found.decoder(&bytes[..]).unwrap().read_to_string(&mut text).unwrap();
            assert_eq!((found, &*text), (Packing::Zstd, "text"));
        }
        assert_eq!(Packing::of(&[&skipped(b"size")[..], b"no frame"].concat()), None);
    }

    #[test]
    fn an_output_that_says_less_is_no_larger_than_its_input_whatever_the_level_of_that() {
        let line = |at: usize| format!("{at} {} {}\n", at * 7919 % 1009, (at * 104_729 % 9973) * at);
        let text: String = (0..20_000).map(line).collect();
        let less = &text.as_bytes()[..text.len() - text.len() / 100];
        for level in [3, 19] {
            let input = zstd::encode_all(text.as_bytes(), level).unwrap();
            let mut stored = Stored::new(Box::new(&input[..]), Gauge::new(false));
            let (mut packer, mut out) = (Packer::new(Packing::Zstd).unwrap(), Vec::new());
            packer.write_all(less).unwrap();
            packer.finish(Some(&mut stored), |err| err, |piece| out.write_all(piece)).unwrap();
            assert!(out.len() <= input.len(), "{level}: {} {}", out.len(), input.len());
            assert!(zstd::decode_all(&out[..]).unwrap() == less, "{level}");
        }
    }

    #[test]
    fn much_effort_is_for_small_outputs_and_takes_tables_of_their_size() {
        let line = |at: usize| format!("{at} {} {}\n", at * 7919 % 1009, (at * 104_729 % 9973) * at);
        let text: String = (0..70_000).map(line).collect();
        let repacked = |content: &[u8]| {
            let input = zstd::encode_all(content, 19).unwrap();
            let mut stored = Stored::new(Box::new(&input[..]), Gauge::new(false));
            let (mut packer, mut out) = (Packer::new(Packing::Zstd).unwrap(), Vec::new());
            packer.write_all(content).unwrap();
            packer.finish(Some(&mut stored), |err| err, |piece| out.write_all(piece)).unwrap();
            out
        };
        let large = text.as_bytes();
        assert!(large.len() as u64 > UTMOST_SIZE);
        assert_eq!(repacked(large), packed(Packing::Zstd, large));
        let small = &large[..UTMOST_SIZE as usize];
        let out = repacked(small);
        assert!(out.len() < packed(Packing::Zstd, small).len());
        let told = zstd::zstd_safe::get_frame_content_size(&out);
        assert_eq!(told.ok().flatten(), Some(UTMOST_SIZE), "the encoder knew the size");
    }

    #[test]
    fn stored_bytes_are_kept_while_they_are_decoded() {
        let bytes = packed(Packing::Zstd, b"text");
        let mut stored = Stored::new(Box::new(&bytes[..]), Gauge::new(false));
        let mut text = String::new();
        Packing::Zstd.decoder(stored.clone()).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "text");
        assert_eq!(stored.measure().unwrap().0.size, bytes.len() as u64);
        let mut back = Vec::new();
        stored.each(|err| err, |piece| back.write_all(piece)).unwrap();
        assert_eq!(back, bytes);
    }
}
