//! Archives of Inspect AI (`.eval`): compacted, checked, converted and restored like other files, with archives as
//! output.

#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "support/program.rs"]
mod program;

use epitome::format::json::Json;
use program::program;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Output;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

const TOKEN: &str = "ghp_aB3xY9aB3xY9aB3xY9aB3xY9aB3xY9aB3xY9";
const SMALL: [&str; 4] = ["--usable", "2000", "--tail-tokens", "60"];

/// A sample log in JSON, as the archive that Inspect AI would write.
fn archive() -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/inspect/two-samples-with-attachments.json");
    let text = fs::read_to_string(path).unwrap();
    let log = Json::parse(&text).unwrap().object().unwrap();
    let object = |keys: &[&str]| {
        let field = |key: &&str| format!("  \"{key}\": {}", log.get(key).unwrap().raw());
        format!("{{\n{}\n}}", keys.iter().map(field).collect::<Vec<_>>().join(",\n"))
    };
    let mut files = vec![("_journal/start.json".to_owned(), object(&["version", "eval", "plan"]))];
    for sample in log.array("samples").unwrap() {
        let told = sample.object().unwrap();
        let name = format!("samples/{}_epoch_{}.json", told.text("id").unwrap(), told.get("epoch").unwrap().raw());
        files.push((name, format!("{}\n", sample.raw())));
    }
    files.push(("summaries.json".to_owned(), json!([{"id": "mill", "epoch": 1, "error": TOKEN}]).to_string()));
    files.push(("header.json".to_owned(), object(&["version", "status", "eval", "plan", "results", "stats"])));
    let mut out = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Zstd);
        out.start_file(name, options).unwrap();
        out.write_all(text.as_bytes()).unwrap();
    }
    out.finish().unwrap().into_inner()
}

/// File name → content of an archive's files.
fn files(archive: &[u8]) -> BTreeMap<String, String> {
    let mut archive = ZipArchive::new(Cursor::new(archive)).unwrap();
    let count = archive.len();
    let read = |index: usize| {
        let mut file = archive.by_index(index).unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        (file.name().unwrap().into_owned(), text)
    };
    (0..count).map(read).collect()
}

struct Field(tempfile::TempDir);

impl Field {
    fn new() -> Self {
        let field = Self(tempfile::tempdir().unwrap());
        fs::create_dir(field.path("in")).unwrap();
        fs::write(field.path("in/log.eval"), archive()).unwrap();
        field
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        program(self.0.path()).args(arguments).arg("--no-progress").output().unwrap()
    }

    /// Runs the program; returns whether the exit status was 0.
    fn does(&self, arguments: &[&str]) -> bool {
        let output = self.run(arguments);
        let done = output.status.success();
        if !done {
            std::io::stderr().write_all(&output.stderr).unwrap();
        }
        done
    }
}

#[test]
fn an_archive_is_compacted_as_the_log_that_it_is_and_comes_back() {
    let field = Field::new();
    assert!(field.does(&[&["compact", "in", "-o", "out", "--undo", "undo"][..], &SMALL].concat()));
    let (before, after) = (files(&field.read("in/log.eval")), files(&field.read("out/log.eval")));
    assert!(before.keys().eq(after.keys()));
    let changed: Vec<_> = before.keys().filter(|name| before[*name] != after[*name]).collect();
    assert_eq!(changed, ["samples/mill_epoch_1.json"]);
    assert!(after["samples/mill_epoch_1.json"].contains("<prior-conversation-summary>"));
    assert!(after["samples/mill_epoch_1.json"].ends_with("}\n"));
    assert!(field.does(&["check", "out", "--original", "in"]));
    assert!(field.does(&["restore", "out", "--undo", "undo", "-o", "back"]));
    assert!(field.read("back/log.eval") == field.read("in/log.eval"));
    assert!(field.does(&[&["compact", "out", "-o", "again"][..], &SMALL].concat()));
    assert!(field.read("again/log.eval") == field.read("out/log.eval"));
}

#[test]
fn rows_of_an_archive_are_no_archive() {
    let field = Field::new();
    assert!(field.does(&["convert", "in", "-o", "rows", "--to", "openai-chat"]));
    let rows = String::from_utf8(field.read("rows/log.jsonl")).unwrap();
    assert_eq!(rows.lines().count(), 2);
    assert!(field.does(&["convert", "in", "-o", "packed", "--to", "openai-chat", "--compress", "gz"]));
    assert!(field.read("packed/log.jsonl.gz").starts_with(b"\x1f\x8b"));
}

#[test]
fn credentials_go_from_every_file_of_an_archive() {
    let field = Field::new();
    assert!(field.does(&["compact", "in", "-o", "out", "--redact"]));
    let (before, after) = (files(&field.read("in/log.eval")), files(&field.read("out/log.eval")));
    assert!(before["summaries.json"].contains(TOKEN));
    assert_eq!(after["summaries.json"], before["summaries.json"].replace(TOKEN, "[secret]"));
}

#[test]
fn what_no_harness_could_open_is_not_written() {
    let field = Field::new();
    let output = field.run(&["compact", "in", "-o", "out", "--compress", "gz"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("archive of Inspect AI"), "{output:?}");
    assert!(!field.path("out/log.eval.gz").exists());
    let whole = field.read("in/log.eval");
    fs::write(field.path("in/log.eval"), &whole[..whole.len() / 2]).unwrap();
    let output = field.run(&["compact", "in", "-o", "cut"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("damaged_compression"), "{output:?}");
}
