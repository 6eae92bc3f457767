//! `--compress`: outputs with another compression than their inputs, and restoring them.

use super::packed::{gzip, unpacked, zstd};
use super::*;

fn with(field: &Field, out: &str, compress: Compress) -> Batch {
    Batch { compress: Some(compress), ..field.batch_of(&["in"], Target::Dir(field.path(out))) }
}

/// The decoded contents of a folder's outputs, by name without the extension of a compression.
fn contents(field: &Field, out: &str, start: Option<[u8; 2]>) -> BTreeMap<String, String> {
    let all = field.tree(out).into_iter().filter(|(name, _)| !name.starts_with(".epitome/"));
    let content = |(name, bytes): (String, Vec<u8>)| {
        let is_packed = [[0x1f, 0x8b], [0x28, 0xb5]].iter().any(|start| bytes.starts_with(start));
        assert_eq!(start.is_some_and(|start| bytes.starts_with(&start)), is_packed, "{name}");
        let text = if is_packed { unpacked(&bytes) } else { String::from_utf8(bytes).unwrap() };
        (name, text)
    };
    all.map(content).collect()
}

#[test]
fn every_output_is_compressed_as_is_wanted_whatever_its_input_is() {
    let field = Field::new(&[
        ("a.jsonl", "session\ndrop\nx\n"),
        ("same.jsonl", "session\nx\n"),
        ("s/rows.jsonl", "lines drop\nbad drop\n"),
        ("array.json", "[\"a drop\",\n1]"),
        ("notes.txt", "no transcript"),
        ("empty", ""),
    ]);
    field.write("in/g.jsonl.gz", gzip("session\ndrop\ng\n"));
    field.write("in/z.jsonl.zst", zstd("lines\nz\n"));
    field.write("in/skipped.gz", gzip("no transcript either"));
    let expected = [
        ("a.jsonl", "session\nx\n"),
        ("array.json", "[\"a \",\n1]"),
        ("empty", ""),
        ("g.jsonl", "session\ng\n"),
        ("notes.txt", "no transcript"),
        ("s/rows.jsonl", "lines \nbad drop\n"),
        ("same.jsonl", "session\nx\n"),
        ("skipped", "no transcript either"),
        ("z.jsonl", "lines\nz\n"),
    ];
    let kinds = [
        ("gz", Compress::Gzip, Some([0x1f, 0x8b])),
        ("zst", Compress::Zstd, Some([0x28, 0xb5])),
        ("", Compress::Plain, None),
    ];
    for (extension, compress, start) in kinds {
        let out = format!("out{extension}");
        let result = field.run(&with(&field, &out, compress)).unwrap();
        let dot = if extension.is_empty() { "" } else { "." };
        let expected = expected.map(|(name, text)| (format!("{name}{dot}{extension}"), text.to_owned()));
        assert_eq!(contents(&field, &out, start), BTreeMap::from(expected));
        let written = field.tree(&out).into_iter().filter(|(name, _)| !name.starts_with(".epitome/"));
        assert_eq!(result.totals.files.bytes.after, written.map(|(_, bytes)| bytes.len() as u64).sum::<u64>());
        let mut outputs = BTreeMap::new();
        let see = |_: &Path, line: Line| {
            outputs.insert(line.path, line.output);
            Ok(())
        };
        result.each_line(see).unwrap();
        assert_eq!(outputs["g.jsonl.gz"], (extension != "gz").then(|| format!("g.jsonl{dot}{extension}")));
        assert_eq!(outputs["a.jsonl"], start.map(|_| format!("a.jsonl{dot}{extension}")));
    }
    assert_eq!(field.tree("outgz")["skipped.gz"], field.tree("in")["skipped.gz"], "compressed so already");
}

#[test]
fn the_input_comes_back_under_its_own_name() {
    let field = Field::new(&[("plain.jsonl", "session\ndrop\nx\n")]);
    field.write("in/g.jsonl.gz", gzip(&"session\ndrop\ng\n".repeat(9_000)));
    field.write("in/z.jsonl.zst", zstd("lines drop\nz drop\n"));
    field.write("in/t/same.jsonl", "session\nx\n");
    field.write("in/u/other.jsonl", "session\nx\n");
    let before = field.tree("in");
    for compress in [Compress::Gzip, Compress::Zstd, Compress::Plain] {
        let (out, store) = (format!("{compress:?}"), field.path("store"));
        field.run(&Batch { undo: Some(store.clone()), ..with(&field, &out, compress) }).unwrap();
        for name in field.names(&out) {
            let output = field.path(&out).join(&name);
            restore(&output, &store, &field.path("back").join(&name)).unwrap();
            restore(&output, &store, &output).unwrap();
        }
        assert_eq!(field.tree("back"), before, "{compress:?}");
        let here = field.tree(&out).into_iter().filter(|(name, _)| !name.starts_with(".epitome/"));
        assert_eq!(here.collect::<BTreeMap<_, _>>(), before, "{compress:?}");
        fs::remove_dir_all(field.path("back")).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn files_whose_names_differ_in_what_is_no_text_are_told_apart_and_found_again() {
    use std::os::unix::ffi::OsStrExt;
    let field = Field::new(&[]);
    let names = [&b"%FFx"[..], b"\xffx", b"%41"].map(std::ffi::OsStr::from_bytes);
    let text = |name: &std::ffi::OsStr| format!("session\ndrop\n{name:?}\n");
    fs::create_dir_all(field.path("in")).unwrap();
    names.iter().for_each(|name| fs::write(field.path("in").join(name), text(name)).unwrap());
    let store = field.path("store");
    let run = || field.run(&Batch { undo: Some(store.clone()), ..with(&field, "out", Compress::Zstd) }).unwrap();
    run();
    assert_eq!((field.runs(), run().reused, field.runs()), (3, 3, 0));
    for name in names {
        let mut packed = name.to_owned();
        packed.push(".zst");
        let output = field.path("out").join(packed);
        restore(&output, &store, &output).unwrap();
        assert_eq!(fs::read(field.path("out").join(name)).unwrap(), text(name).as_bytes());
    }
}

#[test]
fn a_file_of_that_name_is_not_written_over_by_a_way_back() {
    let field = Field::new(&[("a.jsonl", "session\ndrop\n")]);
    let store = field.path("store");
    field.run(&Batch { undo: Some(store.clone()), ..with(&field, "out", Compress::Zstd) }).unwrap();
    field.write("out/a.jsonl", "mine");
    let output = field.path("out/a.jsonl.zst");
    assert!(matches!(restore(&output, &store, &output), Err(RestoreError::Io { .. })));
    assert_eq!((field.read("out/a.jsonl").as_str(), output.is_file()), ("mine", true));
}

#[test]
fn a_second_run_does_nothing_and_one_with_another_kind_is_refused() {
    let field = Field::new(&[("a.jsonl", "session\ndrop\nx\n"), ("b", "lines\n")]);
    field.write("in/g.jsonl.gz", gzip("session\ng\n"));
    field.run(&with(&field, "out", Compress::Zstd)).unwrap();
    let (before, _) = (field.tree("out"), field.runs());
    let again = field.run(&with(&field, "out", Compress::Zstd)).unwrap();
    assert_eq!((field.runs(), again.reused, field.tree("out")), (0, 3, before));
    let other = |compress| field.run(&Batch { compress, ..field.batch() }).err();
    assert!(matches!(other(Some(Compress::Gzip)), Some(BatchError::OtherSettings { .. })));
    assert!(matches!(other(None), Some(BatchError::OtherSettings { .. })));
}

#[test]
fn two_inputs_of_one_name_and_a_run_in_place_are_refused() {
    let field = Field::new(&[("a.jsonl", "session\n")]);
    field.write("in/a.jsonl.gz", gzip("session\n"));
    for compress in [Compress::Gzip, Compress::Zstd, Compress::Plain] {
        let err = field.run(&with(&field, "out", compress)).err().unwrap();
        assert!(matches!(err, BatchError::SamePlace { .. }), "{err}");
    }
    let in_place = Batch { compress: Some(Compress::Zstd), ..field.batch_of(&["in"], Target::InPlace) };
    assert!(matches!(field.run(&in_place), Err(BatchError::CompressInPlace)));
    assert_eq!(field.names("in").len(), 2);
}

#[test]
fn what_is_unchanged_is_left_out_where_that_is_wanted() {
    let field = Field::new(&[("a.jsonl", "session\ndrop\n"), ("b.jsonl", "session\n"), ("notes.txt", "x")]);
    field.run(&Batch { changed_only: true, ..with(&field, "out", Compress::Zstd) }).unwrap();
    assert_eq!(field.names("out"), ["a.jsonl.zst"]);
}

#[test]
fn parts_of_shares_are_one_compressed_file_together() {
    let text = (1..=400).fold(String::new(), |text, at| format!("{text}lines {at} drop\n"));
    let field = Field::new(&[("data.jsonl", &text)]);
    let limits = Limits { part: 200, ..Limits::default() };
    for share in ["1/3", "2/3", "3/3"] {
        field.run(&Batch { shard: share.parse().ok(), limits, ..with(&field, "out", Compress::Zstd) }).unwrap();
    }
    let parts = field.names("out");
    assert_eq!(parts[0], "data.shard-1-of-3.jsonl.zst");
    let bytes: Vec<u8> = parts.iter().flat_map(|name| field.tree("out")[name].clone()).collect();
    assert_eq!(unpacked(&bytes), text.replace("drop", ""));
}
