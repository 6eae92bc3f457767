//! `--redact`: credentials in tool outputs and arguments are in no written file, in any format, and the output is as
//! valid as the input.

#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "support/compactor.rs"]
mod compactor;
#[path = "support/files.rs"]
mod files;
#[path = "support/program.rs"]
mod program;
#[path = "support/transcripts.rs"]
mod transcripts;

use compactor::{AS_PRESET, SMALL, TINY, compactor};
use epitome::batch::Work;
use epitome::format::{Format, ReadOptions, detect};
use epitome::report::Outcome;
use epitome::transcript::{PartKind, apply};
use files::files;
use program::program;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const TOKEN: &str = "ghp_aB3xY9aB3xY9aB3xY9aB3xY9aB3xY9aB3xY9";
const VALUE: &str = "q7Zk29LmPx03Vb81Ty55";
const LINE_OF_KEY: &str = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj";
/// Parts of planted credentials; none may be left.
const PLANTED: [&str; 4] = ["aB3xY9aB3x", "q7Zk29LmPx", "MIIEvQIBAD", "hunter2"];

fn private_key() -> String {
    format!("-----BEGIN PRIVATE KEY-----\n{LINE_OF_KEY}\n{LINE_OF_KEY}\n-----END PRIVATE KEY-----")
}

/// Messages with credentials in tool outputs and arguments, in the head and in the tail.
fn messages() -> Vec<Value> {
    let filler = "The parser reads one token after the other and keeps a stack of open brackets. ".repeat(8);
    let call = |id: usize| {
        let arguments = json!({"api_key": VALUE, "text": format!("first\n{TOKEN}"), "id": id}).to_string();
        let function = json!({"name": "shell", "arguments": arguments});
        json!({"role": "assistant", "content": null, "tool_calls": [{"id": format!("c{id}"), "type": "function", "function": function}]})
    };
    let output = format!("TOKEN={TOKEN}\n{}\nas \"postgres://me:hunter2@db/x\"", private_key());
    let result = |id: usize| json!({"role": "tool", "tool_call_id": format!("c{id}"), "content": output});
    let mut all = vec![json!({"role": "user", "content": "Fix the parser in src/parse.rs."}), call(0), result(0)];
    for turn in 0..6 {
        all.push(json!({"role": "assistant", "content": format!("Step {turn}: {filler}")}));
        all.push(json!({"role": "user", "content": format!("Go on with step {turn}.")}));
    }
    all.extend([call(1), result(1), json!({"role": "assistant", "content": "All done."})]);
    all
}

fn lines_of(messages: &[Value]) -> String {
    messages.iter().map(|message| format!("{message}\n")).collect()
}

struct Field(tempfile::TempDir);

impl Field {
    fn new() -> Self {
        let field = Self(tempfile::tempdir().unwrap());
        fs::create_dir(field.path("in")).unwrap();
        field
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = program(self.0.path());
        command.arg("--no-progress").args(args);
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// Compacts `from` to `to` with `--redact`.
    fn redact(&self, from: &str, to: &str, more: &[&str]) -> Output {
        let usual = ["compact", from, "-o", to, "--redact", "--tail-tokens", "150", "--tail-oversize", "keep"];
        let output = self.run(&[&usual, more].concat());
        assert!(output.status.success(), "{output:?}");
        self.assert_bare(to, &output);
        output
    }

    fn report(&self, folder: &str) -> Vec<Value> {
        self.read(&format!("{folder}/.epitome/report.jsonl"))
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// No planted credential is in the output, its reports and journal, or in the program's messages.
    fn assert_bare(&self, to: &str, output: &Output) {
        let said = [&output.stdout[..], &output.stderr].concat();
        assert_eq!(planted_in(&said), [] as [&str; 0], "{output:?}");
        for path in files(&self.path(to)) {
            assert_eq!(planted_in(&fs::read(&path).unwrap()), [] as [&str; 0], "{}", path.display());
        }
    }
}

fn planted_in(bytes: &[u8]) -> Vec<&'static str> {
    let text = String::from_utf8_lossy(bytes);
    PLANTED.into_iter().filter(|piece| text.contains(piece)).collect()
}

#[test]
fn in_every_format_all_goes_and_the_result_is_as_valid_and_final() {
    let targets = ["openai-chat", "anthropic-messages", "claude-code", "codex", "pi", "atif", "sharegpt", "hf-sts"];
    for name in targets {
        let field = Field::new();
        field.write("in/a.jsonl", lines_of(&messages()));
        assert!(field.run(&["convert", "in", "--to", name, "-o", "made"]).status.success());
        let made = files(&field.path("made")).into_iter().find(|path| !path.to_string_lossy().contains(".epitome"));
        assert_eq!(planted_in(&fs::read(made.unwrap()).unwrap()), PLANTED, "{name} has all of it");
        let told = field.redact("made", "out", &[]);
        let line = field.report("out").remove(0);
        assert_eq!((&line["outcome"], &line["format"]), (&"compacted".into(), &name.into()), "{line}");
        assert_eq!(line["faults"]["after"], line["faults"]["before"], "{name}");
        assert!(line["redacted"]["GitHub token"].as_u64() >= Some(2), "{name}: {}", line["redacted"]);
        assert!(String::from_utf8_lossy(&told.stderr).contains("\nredacted "), "{told:?}");
        let totals: Value = serde_json::from_str(&field.read("out/.epitome/report.json")).unwrap();
        assert_eq!(totals["totals"]["redacted"], line["redacted"], "{name}");
        field.redact("out", "again", &[]);
        let own = |folder: &str| {
            let all =
                files(&field.path(folder)).into_iter().filter(|path| !path.to_string_lossy().contains(".epitome"));
            all.map(|path| fs::read(path).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(own("out"), own("again"), "{name}");
        assert_eq!(field.report("again")[0]["redacted"], Value::Null, "{name}: a second run finds nothing");
    }
}

#[test]
fn a_transcript_with_nothing_to_compact_loses_credentials_and_no_other_byte() {
    let field = Field::new();
    let source = lines_of(&messages());
    field.write("in/a.jsonl", &source);
    field.redact("in", "out", &["--when", "overflow"]);
    let mut expected = source.replace(TOKEN, "[secret]").replace(VALUE, "[secret]");
    expected = expected.replace(&private_key().replace('\n', "\\n"), "[secret]").replace("hunter2", "[secret]");
    assert_eq!(field.read("out/a.jsonl"), expected);
    let line = field.report("out").remove(0);
    assert_eq!((&line["outcome"], &line["reason"]), (&"redacted".into(), &"below_trigger".into()));
    let counts = json!({"GitHub token": 4, "assigned secret": 2, "password in an address": 2, "private key": 2});
    assert_eq!(line["redacted"], counts);
    assert_eq!(line["bytes"]["before"], source.len());
    assert_eq!(line["bytes"]["after"], expected.len());
    field.redact("in", "few", &["--when", "overflow", "--changed-only"]);
    assert_eq!(field.read("few/a.jsonl"), expected);
    let check = || field.run(&["check", "out", "--original", "in", "--select", "T03"]).status.success();
    assert!(check(), "what is kept is held against the original without credentials");
    field.write("out/a.jsonl", expected.replacen("[secret]", TOKEN, 1));
    assert!(!check(), "one was put back");
}

#[test]
fn rows_lose_theirs_wherever_they_stand_also_those_that_fail() {
    let field = Field::new();
    let row = |messages: &[Value]| json!({"messages": messages, "note": TOKEN}).to_string();
    let short = row(&[json!({"role": "user", "content": format!("my_token: {VALUE}")})]);
    let rows =
        format!("{}\n\n{short}\r\n{{\"messages\": [{{\"broken {TOKEN}\n{}\n", row(&messages()), row(&messages()));
    field.write("in/a.jsonl", &rows);
    let output = field.run(&["compact", "in", "-o", "out", "--redact", "--tail-tokens", "150"]);
    assert_eq!(output.status.code(), Some(1), "a line fails");
    field.assert_bare("out", &output);
    let out = field.read("out/a.jsonl");
    assert_eq!(out.lines().nth(3), Some("{\"messages\": [{\"broken [secret]"));
    assert_eq!(out.lines().count(), rows.lines().count());
    let outcomes: Vec<_> = field.report("out").iter().map(|line| line["outcome"].clone()).collect();
    assert_eq!(outcomes, ["compacted", "redacted", "failed", "compacted"]);
    assert_eq!(field.report("out")[2]["redacted"], json!({"GitHub token": 1}));
}

#[test]
fn a_row_that_fails_keeps_the_ids_that_link_it() {
    let field = Field::new();
    let id = format!("sk-{}", "a1b2c3d4".repeat(5));
    let row = json!({"messages": messages(), "note": TOKEN}).to_string().replace("\"c1\"", &format!("\"{id}\""));
    field.write("in/a.jsonl", format!("{row}\n{row}\n"));
    let output = field.run(&["compact", "in", "-o", "out", "--redact", "--max-tokens", "20"]);
    field.assert_bare("out", &output);
    assert_eq!(field.report("out")[0]["outcome"], "failed", "nothing fits");
    assert_eq!(field.read("out/a.jsonl").matches(&id).count(), 4, "two calls and their results");
}

#[test]
fn what_stands_around_an_array_of_conversations_is_searched_too() {
    let field = Field::new();
    let all = json!([{"messages": messages()}, {"messages": messages()}]);
    field.write("in/a.json", format!("{{\"token\": \"{TOKEN}\", \"conversations\": {all}, \"by\": \"{TOKEN}\"}}"));
    field.redact("in", "out", &[]);
    let out: Value = serde_json::from_str(&field.read("out/a.json")).unwrap();
    assert_eq!((&out["token"], &out["by"]), (&"[secret]".into(), &"[secret]".into()));
    assert_eq!(out["conversations"].as_array().map(Vec::len), Some(2));
}

#[test]
fn compressed_files_and_standard_streams_are_no_way_around() {
    let field = Field::new();
    let source = lines_of(&messages());
    field.write("in/a.jsonl.zst", zstd::encode_all(source.as_bytes(), 3).unwrap());
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(source.as_bytes()).unwrap();
    field.write("in/b.jsonl.gz", gzip.finish().unwrap());
    field.redact("in", "out", &["--when", "overflow"]);
    let zstd = zstd::decode_all(&fs::read(field.path("out/a.jsonl.zst")).unwrap()[..]).unwrap();
    let mut gzip = Vec::new();
    flate2::read::GzDecoder::new(&fs::read(field.path("out/b.jsonl.gz")).unwrap()[..]).read_to_end(&mut gzip).unwrap();
    assert!(zstd == gzip && planted_in(&gzip).is_empty() && planted_in(source.as_bytes()) == PLANTED);
    field.write("one.jsonl", &source);
    let output = field.run(&["compact", "one.jsonl", "-o", "-", "--redact", "--when", "overflow"]);
    assert!(output.status.success() && output.stdout == gzip, "{output:?}");
}

#[test]
fn conversions_lose_them_too() {
    let field = Field::new();
    field.write("in/a.jsonl", lines_of(&messages()));
    for (to, args) in [("a", &["convert", "in", "--to", "claude-code"][..]), ("b", &["compact", "in", "--to", "codex"])]
    {
        let output = field.run(&[args, &["-o", to, "--redact"]].concat());
        assert!(output.status.success(), "{output:?}");
        field.assert_bare(to, &output);
        let line = field.report(to).remove(0);
        assert_eq!((&line["outcome"], &line["redacted"]["private key"]), (&"converted".into(), &2.into()), "{line}");
    }
    let output = field.run(&["check", "in", "--fix", "--redact", "-o", "mended"]);
    field.assert_bare("mended", &output);
    field.write("own.toml", "output.redact = true");
    for (to, args) in
        [("by-own", &["convert", "in", "--to", "claude-code"][..]), ("mended-by-own", &["check", "in", "--fix"])]
    {
        let output = field.command(&[args, &["-o", to]].concat()).env("EPITOME_CONFIG", "own.toml").output().unwrap();
        field.assert_bare(to, &output);
    }
    assert_eq!(field.read("mended/a.jsonl").lines().count(), messages().len());
    let row = json!({"messages": messages()}).to_string();
    field.write("rows.jsonl", format!("{row}\n{row}\n{{\"messages\": [\"broken {TOKEN}\n{row}\n"));
    let output = field.run(&["convert", "rows.jsonl", "--to", "sharegpt", "-o", "rows/", "--redact"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    field.assert_bare("rows", &output);
    assert_eq!(field.read("rows/rows.jsonl").lines().count(), 3, "what fails is not there at all");
}

#[test]
fn what_cannot_be_searched_is_not_written_and_what_must_stay_is_refused() {
    let field = Field::new();
    field.write("in/a.jsonl", lines_of(&messages()));
    field.write("in/notes.txt", format!("my token is {TOKEN}"));
    field.write("in/empty.jsonl", "\n");
    field.write("in/blank.txt", format!("{}my token is {TOKEN}", "\n".repeat((1 << 20) + 10)));
    field.redact("in", "out", &[]);
    assert!(!field.path("out/blank.txt").exists(), "what is blank at first is no blank file");
    assert!(!field.path("out/notes.txt").exists() && field.path("out/empty.jsonl").exists());
    let line = field.report("out").into_iter().find(|line| line["path"] == "notes.txt").unwrap();
    assert_eq!(
        (&line["outcome"], &line["warnings"][0]),
        (&"skipped".into(), &"left out: only transcripts can be searched for credentials (--redact)".into())
    );
    for (more, told) in [
        (&["--in-place"][..], "the undo store would hold"),
        (&["-o", "x", "--undo", "s"], "the undo store would hold"),
        (&["-o", "x", "--mode", "append"], "leaves all that is stored as it is"),
    ] {
        let output = field.run(&[&["compact", "in", "--redact"], more].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(told), "{output:?}");
    }
    assert!(!field.path("x").exists() && !field.path("s").exists());
}

/// A transcript with a token at the start of every text and every tool output that is a string.
fn planted(format: &dyn Format, source: &[u8]) -> Vec<u8> {
    let Ok(transcript) = format.read(source, ReadOptions::default()) else { return source.to_vec() };
    let parts = transcript.messages.iter().flat_map(|message| &message.parts);
    let spoken = parts.filter(|part| matches!(part.kind, PartKind::Text | PartKind::Result { .. }));
    let starts = spoken.flat_map(|part| [part.slot.part.start, part.slot.content.start]);
    let places: BTreeSet<usize> = starts.filter(|at| source.get(*at) == Some(&b'"')).collect();
    let mut bytes = source.to_vec();
    places.iter().rev().for_each(|at| drop(bytes.splice(at + 1..at + 1, format!("{TOKEN} ").into_bytes())));
    bytes
}

#[test]
fn in_every_sample_what_is_planted_goes_and_nothing_else_changes() {
    let mut formats = BTreeSet::new();
    for path in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("samples")) {
        let bytes = fs::read(&path).unwrap();
        let Some(format) = detect(&bytes).ok().and_then(|detected| detected.format) else { continue };
        for (line, source) in transcripts::transcripts(format, &bytes) {
            let source = planted(format, source);
            for changes in [AS_PRESET, SMALL, TINY] {
                let plain = compactor("opencode", changes).run(format, &source, line);
                let mut work = compactor("opencode", changes);
                work.settings.output.redact = true;
                let done = work.run(format, &source, line);
                let name = format!("{}:{line}", path.display());
                let failed = |outcome: Outcome| outcome == Outcome::Failed;
                assert_eq!(failed(plain.line.outcome), failed(done.line.outcome), "{name}: {:?}", done.line.error);
                let output = apply(&source, &done.patches);
                assert_eq!(planted_in(&output), [] as [&str; 0], "{name}");
                if done.line.outcome == Outcome::Redacted {
                    let text = String::from_utf8_lossy(&source).replace(TOKEN, "[secret]");
                    assert_eq!(String::from_utf8_lossy(&output), text, "{name}");
                    formats.insert(format.name());
                }
                let again = work.run(format, &output, line);
                assert!(again.line.redacted.is_empty(), "{name}: {:?}", again.line.redacted);
            }
        }
    }
    assert!(formats.len() > 20, "{formats:?}");
}
