//! What is measured of bytes as they pass: size, SHA-256, and the size after `zstd -3`.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::io::{self, Read, Write};

/// The level that sizes are measured with and that the undo store uses.
pub(super) const ZSTD_LEVEL: i32 = 3;

/// Size and hash of some bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digest {
    /// Bytes.
    pub size: u64,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
}

/// Measures the bytes that are written to it.
pub(super) struct Gauge {
    size: u64,
    sha256: Sha256,
    zstd: Option<zstd::Encoder<'static, Counter>>,
}

/// A sink that counts.
struct Counter(u64);

impl Gauge {
    /// A gauge; `zstd` says whether the compressed size is wanted.
    pub(super) fn new(zstd: bool) -> io::Result<Self> {
        let zstd = zstd.then(|| zstd::Encoder::new(Counter(0), ZSTD_LEVEL)).transpose()?;
        Ok(Self { size: 0, sha256: Sha256::new(), zstd })
    }

    /// The digest of what was written up to here.
    pub(super) fn so_far(&self) -> Digest {
        Digest { size: self.size, sha256: hex(&self.sha256.clone().finalize()) }
    }

    /// The digest, and the compressed size if it was wanted.
    pub(super) fn finish(self) -> io::Result<(Digest, Option<u64>)> {
        let zstd = self.zstd.map(zstd::Encoder::finish).transpose()?.map(|counter| counter.0);
        Ok((Digest { size: self.size, sha256: hex(&self.sha256.finalize()) }, zstd))
    }
}

impl Write for Gauge {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.size += bytes.len() as u64;
        self.sha256.update(bytes);
        if let Some(zstd) = &mut self.zstd {
            zstd.write_all(bytes)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The digest of all that the reader gives.
pub(super) fn digest(mut reader: impl Read) -> io::Result<Digest> {
    let mut gauge = Gauge::new(false)?;
    io::copy(&mut reader, &mut gauge)?;
    Ok(gauge.finish()?.0)
}

/// The SHA-256 of a text in hexadecimal.
pub(super) fn sha256(text: &str) -> String {
    sha256_of(text.as_bytes())
}

/// The SHA-256 of some bytes in hexadecimal.
pub fn sha256_of(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn a_gauge_measures_the_same_in_one_piece_and_in_many() {
        let text = "a line that repeats\n".repeat(20_000);
        let mut whole = Gauge::new(true).unwrap();
        whole.write_all(text.as_bytes()).unwrap();
        let mut parts = Gauge::new(true).unwrap();
        text.as_bytes().chunks(977).for_each(|part| parts.write_all(part).unwrap());
        let (whole, parts) = (whole.finish().unwrap(), parts.finish().unwrap());
        assert_eq!(whole, parts);
        assert_eq!(whole.0.size, text.len() as u64);
        assert!(whole.1.unwrap() < 1_000);
        assert_eq!(whole.0, digest(text.as_bytes()).unwrap());
        assert_eq!(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
