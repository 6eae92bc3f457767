//! Whole runs with a scripted work: which files are written, reported, or left alone.
#![expect(clippy::unwrap_used, reason = "tests")]

mod compress;
mod convert;
mod elements;
mod in_place;
mod lines;
mod memory;
mod packed;
mod resume;
mod runs;
mod shards;

use super::*;
use crate::format::{Bytes, Confidence, Evidence, Fault, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::report::Outcome;
use crate::transcript::{EditScript, PatchKind, Transcript};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Deletes every line with "drop", fails on "bad", panics on "panic".
#[derive(Default)]
struct Scripted {
    /// Number of transcripts that were processed.
    runs: AtomicUsize,
}

impl Work for Scripted {
    fn run(&self, format: &'static dyn Format, source: &[u8], first_line: usize) -> Done {
        self.runs.fetch_add(1, Ordering::Relaxed);
        let text = String::from_utf8_lossy(source);
        assert!(!text.contains("panic"), "asked to panic on line {first_line}");
        let mut line = Line { outcome: Outcome::Unchanged, ..self.blank() };
        if text.contains("bad") {
            (line.outcome, line.reason) = (Outcome::Failed, Some("invalid".into()));
            line.error = Some(format!("line {first_line}: bad"));
            return Done { line, ..Done::default() };
        }
        let patches = drops(source);
        if !patches.is_empty() {
            line.outcome = Outcome::Compacted;
        }
        let plan = patches.iter().map(|patch| format!("drop {:?}", patch.span)).collect();
        line.format = Some(format.name().into());
        Done { line, patches, plan }
    }

    fn detect(&self, bytes: &[u8], _: Bytes) -> Result<Detected, Undetected> {
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let (name, format): (_, Option<&'static dyn Format>) = match text {
            _ if text.starts_with("session") => ("session", Some(&Fake { layout: Layout::Session })),
            _ if text.starts_with("lines") => ("lines", Some(&Fake { layout: Layout::PerLine })),
            _ if text.starts_with(['[', '{']) => ("array", Some(&Fake { layout: Layout::PerElement(None) })),
            _ if text.starts_with("codex") => ("codex", None),
            _ => return Err(Undetected::new("looked for session or lines")),
        };
        let layout = format.map_or(Layout::Session, Format::layout);
        Ok(Detected {
            name,
            format,
            layout,
            evidence: Evidence { confidence: Confidence::Certain, why: String::new() },
        })
    }

    fn cuts(&self) -> bool {
        true
    }

    fn blank(&self) -> Line {
        Line { preset: "scripted".into(), ..Line::default() }
    }
}

/// Deletes lines that contain “drop”; in a single line, only the word.
fn drops(source: &[u8]) -> Vec<Patch> {
    let patch = |span| Patch { span, with: Vec::new(), kind: PatchKind::Drop };
    if !source.contains(&b'\n') {
        return source.windows(4).position(|word| word == b"drop").map(|at| patch(at..at + 4)).into_iter().collect();
    }
    let mut at = 0;
    let lines = source.split_inclusive(|byte| *byte == b'\n').map(|line| {
        at += line.len();
        (at - line.len()..at, line)
    });
    lines.filter(|(_, line)| line.windows(4).any(|word| word == b"drop")).map(|(span, _)| patch(span)).collect()
}

/// A format with nothing but a layout; the scripted work reads bytes.
struct Fake {
    layout: Layout,
}

impl Format for Fake {
    fn name(&self) -> &'static str {
        match self.layout {
            Layout::Session => "session",
            Layout::PerLine => "lines",
            Layout::PerElement(_) => "array",
        }
    }

    fn layout(&self) -> Layout {
        self.layout
    }

    fn evidence(&self, _: &Sample<'_>) -> Option<Evidence> {
        None
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        Err(ReadError::at(source, 0, options.first_line, "not read in tests"))
    }

    fn render(&self, _: &Transcript<'_>, _: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        Vec::new()
    }

    fn faults(&self, _: &Transcript<'_>) -> Vec<Fault> {
        Vec::new()
    }
}

/// A temporary folder with the inputs in `in` and space for `out`.
struct Field {
    dir: tempfile::TempDir,
    work: Scripted,
}

impl Field {
    /// Creates these files below `in`, last changed an hour ago.
    fn new(files: &[(&str, &str)]) -> Self {
        let field = Self { dir: tempfile::tempdir().unwrap(), work: Scripted::default() };
        fs::create_dir(field.path("in")).unwrap();
        files.iter().for_each(|(name, text)| field.write(&format!("in/{name}"), text));
        field
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        let hour = Duration::from_secs(3600);
        fs::File::options().write(true).open(&path).unwrap().set_modified(SystemTime::now() - hour).unwrap();
    }

    fn read(&self, name: &str) -> String {
        String::from_utf8(fs::read(self.path(name)).unwrap()).unwrap()
    }

    /// A batch from `in` to `out`.
    fn batch(&self) -> Batch {
        self.batch_of(&["in"], Target::Dir(self.path("out")))
    }

    fn batch_of(&self, inputs: &[&str], target: Target) -> Batch {
        let inputs = inputs.iter().map(|input| self.path(input)).collect();
        Batch { threads: 2, measure_zstd: false, ..Batch::new(inputs, target, SystemTime::now()) }
    }

    fn run(&self, batch: &Batch) -> Result<RunResult, BatchError> {
        batch.run(&self.work, &Silent)
    }

    fn runs(&self) -> usize {
        self.work.runs.swap(0, Ordering::Relaxed)
    }

    /// All files below a folder with their content.
    fn tree(&self, name: &str) -> BTreeMap<String, Vec<u8>> {
        let root = self.path(name);
        let files = walkdir::WalkDir::new(&root).into_iter().map(Result::unwrap).filter(|it| it.file_type().is_file());
        let name = |path: &Path| path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
        files.map(|file| (name(file.path()), fs::read(file.path()).unwrap())).collect()
    }

    /// Names of the outputs, without epitome's own folder.
    fn names(&self, name: &str) -> Vec<String> {
        self.tree(name).into_keys().filter(|name| !name.starts_with(".epitome/")).collect()
    }
}

/// The report lines in short form: `path[:line] outcome [reason]`.
fn shape(result: &RunResult) -> Vec<String> {
    let mut text = Vec::new();
    result.write_lines(&mut text).unwrap();
    let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| shape_of(&serde_json::from_slice(line).unwrap())).collect()
}

fn shape_of(line: &Line) -> String {
    let place = line.line.map_or(String::new(), |number| format!(":{number}"));
    let outcome = format!("{:?}", line.outcome).to_lowercase();
    let reason = line.reason.as_ref().map_or(String::new(), |reason| format!(" {reason}"));
    format!("{}{place} {outcome}{reason}", line.path)
}
