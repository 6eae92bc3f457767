//! Files of transcripts in memory: an input, and its original, of which an input may be a part.

use super::pairs::Gatekeeper;
use super::recorded::{Origin, Spot};
use crate::batch::{Batch, FileError, Gauge, Input, Shard, Source, Work, counterpart, packed_or_not};
use crate::format::{Confidence, Format, Layout, elements, lines};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A file's content, and the places of its transcripts.
pub(super) struct Loaded {
    pub(super) format: &'static dyn Format,
    pub(super) bytes: Vec<u8>,
    pub(super) places: Vec<Place>,
    /// The file may hold several transcripts.
    pub(super) many: bool,
    /// No other format could read it.
    pub(super) certain: bool,
    /// Lines before those of a shard's part; reports count lines from there.
    pub(super) lines_before: usize,
}

/// The original of an input.
pub(super) struct Original {
    pub(super) path: PathBuf,
    /// The input is this shard's part of it.
    part: Option<Shard>,
}

/// Where a transcript stands in its file.
pub(super) struct Place {
    /// First line.
    pub(super) line: usize,
    /// Byte range.
    pub(super) span: Range<usize>,
}

/// One transcript of a file.
#[derive(Clone, Copy)]
pub(super) struct Row<'l> {
    pub(super) file: &'l Loaded,
    /// Its position in the file's `places`.
    at: usize,
    /// First line in the file.
    pub(super) line: usize,
    pub(super) source: &'l [u8],
}

impl Row<'_> {
    /// An original, as the report on its output counts rows: if it is a part of a file, from the start of the part.
    pub(super) fn of_report<'p>(&self, path: &'p Path) -> Origin<'p> {
        let row = self.file.many.then(|| self.line.saturating_sub(self.file.lines_before));
        Origin { path, place: self.at, row, bytes: self.source.len() }
    }

    /// An output, in a file of this size as it is stored.
    pub(super) fn spot<'p>(&self, path: &'p Path, file: u64) -> Spot<'p> {
        Spot { path, line: self.line, bytes: self.source.len(), file }
    }
}

impl Loaded {
    /// The transcript at this position of `places`.
    pub(super) fn row(&self, at: usize) -> Row<'_> {
        let Place { line, span } = &self.places[at];
        Row { file: self, at, line: *line, source: self.bytes.get(span.clone()).unwrap_or_default() }
    }

    /// Leaves only the transcripts of a shard's part.
    fn cut_to(&mut self, shard: Shard) {
        let (bytes, size) = (&self.bytes, self.bytes.len() as u64);
        // White space may stand before a transcript in its line.
        let line_of = |at: usize| memchr::memrchr(b'\n', bytes.get(..at).unwrap_or_default()).map_or(0, |end| end + 1);
        self.places.retain(|place| shard.has_line(size, line_of(place.span.start) as u64));
        let before = bytes.get(..shard.first_line(bytes)).unwrap_or_default();
        self.lines_before = memchr::memchr_iter(b'\n', before).count();
    }
}

impl Gatekeeper {
    /// An input's original, which may be compressed differently, or have the input as a shard's part.
    pub(super) fn original(&self, input: &Input) -> Option<Original> {
        let original = self.original.as_ref()?;
        let whole = |path: PathBuf| Original { path, part: None };
        if !original.is_dir() {
            let is_of = |of: &Path| packed_or_not(of).any(|path| path.file_name() == original.file_name());
            let part = Shard::of_part(&input.path).filter(|(_, of)| is_of(of));
            return Some(Original { part: part.map(|(shard, _)| shard), ..whole(original.clone()) });
        }
        let path = original.join(&input.relative);
        let of_part = || {
            let (shard, of) = Shard::of_part(&input.relative)?;
            Some(Original { path: counterpart(&input.path, &original.join(of))?, part: Some(shard) })
        };
        counterpart(&input.path, &path).map(whole).or_else(of_part).or(Some(whole(path)))
    }

    pub(super) fn load_original(&self, batch: &Batch, original: &Original) -> Result<Loaded, String> {
        let Original { path, part } = original;
        if !path.exists() {
            let place =
                "it is looked for at the path below the input, after the name of the input if there are several";
            return Err(format!("its original {} is not there; {place}", path.display()));
        }
        let loaded = self
            .load(batch, &Input::alone(path))
            .map_err(|error| format!("its original {}: {error}", path.display()))?;
        let mut loaded = loaded.ok_or_else(|| format!("its original {} is empty", path.display()))?;
        part.iter().for_each(|shard| loaded.cut_to(*shard));
        Ok(loaded)
    }

    /// Reads a file and finds its transcripts; `None` if it is empty.
    pub(super) fn load(&self, batch: &Batch, input: &Input) -> Result<Option<Loaded>, FileError> {
        let mut source = Source::open(input, &batch.streams, Gauge::new(false))?;
        if source.given.is_whole() && source.is_blank() {
            return Ok(None);
        }
        let detected = source.detected(|bytes, given| self.checker.detect(bytes, given))??;
        let Some(format) = detected.format else { return Err(FileError::Unsupported(detected.name)) };
        let (layout, certain) = (detected.layout, detected.evidence.confidence == Confidence::Certain);
        let bytes = source.whole(batch.limits.session)?;
        let places = match layout {
            Layout::Session => vec![Place { line: 1, span: 0..bytes.len() }],
            Layout::PerLine => lines::lines(&bytes).map(|line| Place { line: line.number, span: line.span }).collect(),
            Layout::PerElement(key) => {
                elements(&bytes, key)?.into_iter().map(|one| Place { line: one.line, span: one.span }).collect()
            }
        };
        Ok(Some(Loaded { format, bytes, places, many: layout != Layout::Session, certain, lines_before: 0 }))
    }
}
