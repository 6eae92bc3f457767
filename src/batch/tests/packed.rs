//! Compressed inputs: their content is compacted, the outputs have the same compression, and the inputs can be
//! restored.

use super::*;
use std::io::{Cursor, Write};

pub(super) fn gzip(text: &str) -> Vec<u8> {
    let builder = flate2::GzBuilder::new().mtime(77).filename("x");
    let mut encoder = builder.write(Vec::new(), flate2::Compression::best());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

pub(super) fn zstd(text: &str) -> Vec<u8> {
    zstd::encode_all(text.as_bytes(), 19).unwrap()
}

pub(super) fn unpacked(bytes: &[u8]) -> String {
    let mut text = String::new();
    match bytes[0] {
        0x1f => flate2::read::GzDecoder::new(bytes).read_to_string(&mut text).unwrap(),
        _ => zstd::Decoder::new(bytes).unwrap().read_to_string(&mut text).unwrap(),
    };
    text
}

/// A session, a file of lines and an array, with each kind of compression.
fn field() -> (Field, Vec<(&'static str, String)>) {
    let lines = (1..=900).fold("lines\n".to_owned(), |text, at| format!("{text}{at} drop\n"));
    let files = vec![
        ("session.jsonl", "session\ndrop\nx\n".to_owned()),
        ("s/lines.dat", lines),
        ("array", "[\"a drop\",\n1]".into()),
    ];
    let field = Field::new(&[]);
    for (name, text) in &files {
        field.write(&format!("in/{name}.gz"), gzip(text));
        field.write(&format!("in/{name}"), zstd(text));
    }
    (field, files)
}

#[test]
fn outputs_are_compressed_like_their_inputs() {
    let (field, files) = field();
    let limits = Limits { batch: 500, ..Limits::default() };
    let result = field.run(&Batch { limits, ..field.batch() }).unwrap();
    assert!(!result.has_failures());
    for (name, text) in &files {
        for name in [format!("{name}.gz"), (*name).to_owned()] {
            let (input, output) = (&field.tree("in")[&name], &field.tree("out")[&name]);
            assert_eq!(input[..3], output[..3]);
            let expected =
                if text.starts_with("session") { text.replace("drop\n", "") } else { text.replace("drop", "") };
            assert_eq!(unpacked(output), expected);
        }
    }
    let sizes = |name: &str| field.tree(name).into_iter().filter(|(name, _)| !name.starts_with(".epitome/"));
    let size = |name: &str| sizes(name).map(|(_, bytes)| bytes.len() as u64).sum::<u64>();
    let bytes = &result.totals.files.bytes;
    assert_eq!((bytes.before, bytes.after), (size("in"), size("out")));
    let (runs, again) = (field.runs(), field.run(&field.batch()));
    assert!(runs > 0 && again.is_ok_and(|again| again.reused == 6));
}

#[test]
fn the_same_bytes_come_out_every_time() {
    let (field, _) = field();
    let run = |out: &str, threads| {
        let batch = Batch { threads, ..field.batch_of(&["in"], Target::Dir(field.path(out))) };
        field.run(&batch).unwrap();
        field.tree(out).into_iter().filter(|(name, _)| !name.starts_with(".epitome/")).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(run("a", 1), run("b", 4));
}

#[test]
fn what_is_not_changed_is_copied_byte_for_byte() {
    let field = Field::new(&[]);
    let files = [("a", gzip("session\nx\n")), ("b", zstd("lines\nx\n")), ("c", gzip("no transcript"))];
    files.iter().for_each(|(name, bytes)| field.write(&format!("in/{name}"), bytes));
    let undo = Some(field.path("store"));
    let result = field.run(&Batch { undo, ..field.batch() }).unwrap();
    assert_eq!(shape(&result)[..2], ["a unchanged", "b:1 unchanged"]);
    for (name, bytes) in &files {
        assert_eq!(&field.tree("out")[*name], bytes);
    }
    let back = field.path("back");
    restore(&field.path("out/a"), &field.path("store"), &back).unwrap();
    assert_eq!(fs::read(back).unwrap(), files[0].1);
}

#[test]
fn in_place_there_is_a_way_back() {
    let (field, files) = field();
    let before = field.tree("in");
    field.run(&field.batch_of(&["in"], Target::InPlace)).unwrap();
    for (name, _) in &files {
        for name in [format!("{name}.gz"), (*name).to_owned()] {
            let path = field.path("in").join(&name);
            assert_ne!(fs::read(&path).unwrap(), before[&name]);
            restore(&path, &field.path("in/.epitome/undo"), &path).unwrap();
            assert_eq!(fs::read(&path).unwrap(), before[&name]);
        }
    }
}

#[test]
fn a_damaged_file_fails_and_says_so() {
    let field = Field::new(&[]);
    let mut bytes = gzip(&format!("session\n{}drop\n", "text\n".repeat(99)));
    bytes.truncate(bytes.len() - 9);
    field.write("in/a", &bytes);
    let result = field.run(&field.batch()).unwrap();
    assert_eq!(shape(&result), ["a failed damaged_compression"]);
    assert_eq!(field.names("out"), [""; 0]);
}

#[test]
fn a_compressed_stream_goes_through() {
    let field = Field::new(&[]);
    for (text, expected) in [("lines\nx drop\n", "lines\nx \n"), ("session\nx\n", "session\nx\n")] {
        let out = field.path("out");
        let mut batch = Batch::new(vec!["-".into()], Target::File(out.clone()), SystemTime::now());
        batch.streams.stdin = Mutex::new(Box::new(Cursor::new(gzip(text))));
        field.run(&batch).unwrap();
        assert_eq!(unpacked(&fs::read(out).unwrap()), expected);
    }
}
