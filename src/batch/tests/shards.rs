//! Shards: all jobs together write what a single run would write, with nothing missing or duplicated.

use super::*;
use crate::report::Totals;

/// Sessions, a file of lines of which some fail, a compressed one, one that is too small to be divided, and others.
fn field() -> Field {
    let lines = (1..=400).fold("\u{feff}lines drop\r\n\r\n".to_owned(), |text, at| match at % 90 {
        0 => format!("{text}{at} bad drop\n"),
        1 => format!("{text}{at} panic\n"),
        _ => format!("{text}{at} drop{}\r\n", "x".repeat(at * 7 % 50)),
    });
    let field = Field::new(&[
        ("s/huge.jsonl", &(lines + "\u{feff}last drop")),
        ("small.jsonl", "lines\na drop\n"),
        ("long.jsonl", &format!("lines drop\n{} drop\nx", "y".repeat(5000))),
        ("array.json", "[\"a drop\",\n1]"),
        ("notes.txt", &"no transcript\n".repeat(300)),
    ]);
    for at in 0..20 {
        field.write(&format!("in/t/{at}.jsonl"), format!("session\ndrop\n{at}\n").repeat(at * 9 + 1));
    }
    let packed = zstd::encode_all("lines drop\n".repeat(900).as_bytes(), 0).unwrap();
    field.write("in/packed.jsonl.zst", packed);
    field
}

fn shard(index: u32, count: u32) -> Shard {
    format!("{index}/{count}").parse().unwrap()
}

fn run(field: &Field, out: &str, shard: Option<Shard>) -> RunResult {
    let limits = Limits { part: 200, batch: 300, ..Limits::default() };
    let batch = Batch { shard, limits, ..field.batch_of(&["in"], Target::Dir(field.path(out))) };
    field.run(&batch).unwrap()
}

/// The outputs, with parts concatenated in the order of their names.
fn joined(field: &Field, out: &str) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::<String, Vec<u8>>::new();
    for (name, bytes) in field.tree(out).into_iter().filter(|(name, _)| !name.starts_with(".epitome/")) {
        let whole = match name.split_once(".shard-") {
            Some((stem, rest)) => format!("{stem}.{}", rest.split_once('.').unwrap().1),
            None => name,
        };
        all.entry(whole).or_default().extend(bytes);
    }
    all
}

#[test]
fn shares_together_are_the_whole_byte_for_byte() {
    let field = field();
    let whole = run(&field, "whole", None);
    let expected = joined(&field, "whole");
    assert_eq!(expected.len(), 26);
    for count in [1, 2, 5, 12] {
        let (out, mut totals) = (format!("out{count}"), Totals::default());
        // In reverse, since jobs start in any order.
        for index in (1..=count).rev() {
            totals += &run(&field, &out, Some(shard(index, count))).totals;
        }
        let got = joined(&field, &out);
        assert_eq!(got.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{count} shares");
        assert!(got == expected, "{count} shares");
        let (parts, cut) = (u64::from(count), 2);
        assert_eq!(totals.files.count, whole.totals.files.count + cut * (parts - 1), "{count} shares");
        let sums = |totals: &Totals| {
            let Totals { files, outcomes, reasons, bytes, .. } = totals.clone();
            (files.bytes, outcomes, reasons, bytes)
        };
        assert_eq!(sums(&totals), sums(&whole.totals), "{count} shares");
    }
}

#[test]
fn every_line_of_a_huge_file_is_reported_once_with_its_place() {
    let field = field();
    let text = field.read("in/s/huge.jsonl");
    let mut lines = Vec::new();
    for index in 1..=5 {
        let result = run(&field, "out", Some(shard(index, 5)));
        let see = |_: &Path, line: Line| {
            if let Some(part) = line.part.as_ref().filter(|part| part.of == "s/huge.jsonl") {
                assert_eq!(line.path, format!("s/huge.shard-{index}-of-5.jsonl"));
                let own = &text[part.start as usize..part.end as usize];
                let size = own.lines().nth(line.line.unwrap() - 1).unwrap().trim_start_matches('\u{feff}').len();
                lines.push((line.bytes.before, size as u64));
            }
            Ok(())
        };
        result.each_line(see).unwrap();
    }
    assert_eq!(lines.len(), 402, "all but the blank one");
    // A byte order mark in the middle of a file is content.
    assert_eq!(lines.pop(), Some((12, 9)));
    assert!(lines.iter().all(|(reported, is)| reported == is));
}

#[test]
fn a_share_is_resumed_and_no_other_is_touched() {
    let field = field();
    run(&field, "out", Some(shard(1, 2)));
    let first = field.tree("out");
    field.runs();
    let again = run(&field, "out", Some(shard(1, 2)));
    assert_eq!((field.runs(), again.reused), (0, again.totals.files.count));
    assert_eq!(field.tree("out"), first);
    field.write("out/.epitome-tmp-shard-1-of-2-x", "another job is at it");
    field.write("out/.epitome-tmp-shard-2-of-2-x", "a killed job was");
    run(&field, "out", Some(shard(2, 2)));
    let both = field.tree("out");
    assert!(first.iter().all(|(name, bytes)| both[name] == *bytes));
    assert_eq!(both.keys().filter(|name| name.contains("tmp")).count(), 1);
    for name in ["report.json", "report.jsonl", "journal.jsonl"] {
        let own = |index: u32| format!(".epitome/shard-{index}-of-2/{name}");
        assert!(both.contains_key(&own(1)) && both.contains_key(&own(2)), "{name}");
    }
    assert!(field.read("out/.epitome/shard-2-of-2/report.json").contains("\"shard\": \"shard-2-of-2\""));
}

#[test]
fn other_shares_and_other_settings_do_not_mix() {
    let field = field();
    run(&field, "out", Some(shard(1, 2)));
    let start = |shard: Option<Shard>, settings: u32| {
        let batch = Batch { shard, settings: settings.into(), ..field.batch() };
        field.run(&batch).err()
    };
    assert!(matches!(start(None, 0), Some(BatchError::OtherShards { .. })));
    assert!(matches!(start(Some(shard(1, 3)), 0), Some(BatchError::OtherShards { .. })));
    assert!(matches!(start(Some(shard(2, 2)), 1), Some(BatchError::OtherSettings { .. })));
}

#[test]
fn what_cannot_be_shared_is_said_before_anything_is_written() {
    let field = field();
    field.write("in/s/huge.shard-3-of-5.jsonl", "lines\n");
    let limits = Limits { part: 200, ..Limits::default() };
    let err = |index| field.run(&Batch { shard: Some(shard(index, 5)), limits, ..field.batch() }).err().unwrap();
    for index in 1..=5 {
        assert!(err(index).to_string().contains("s/huge.shard-3-of-5.jsonl"), "every job says so");
    }
    let stdin = Batch::new(vec!["-".into()], Target::Stdout, SystemTime::now());
    let stdin = Batch { shard: Some(shard(1, 2)), ..stdin };
    assert!(matches!(field.run(&stdin), Err(BatchError::ShardOfStdin)));
    assert!(!field.path("out").exists());
}

#[test]
fn one_file_goes_beside_the_file_that_is_named() {
    let field = field();
    let limits = Limits { part: 200, ..Limits::default() };
    let mut all = Vec::new();
    for index in 1..=3 {
        let target = Target::File(field.path("out.jsonl"));
        field
            .run(&Batch { shard: Some(shard(index, 3)), limits, ..field.batch_of(&["in/s/huge.jsonl"], target) })
            .unwrap();
        all.push(field.read(&format!("out.shard-{index}-of-3.jsonl")));
    }
    run(&field, "whole", None);
    assert_eq!(all.concat(), field.read("whole/s/huge.jsonl"));
}

#[test]
fn in_place_whole_files_are_shared() {
    let (field, whole) = (field(), field());
    let run = |field: &Field, shard| {
        let limits = Limits { part: 200, ..Limits::default() };
        field.run(&Batch { shard, limits, ..field.batch_of(&["in"], Target::InPlace) }).unwrap()
    };
    run(&whole, None);
    let files: Vec<_> = (1..=4).map(|index| run(&field, Some(shard(index, 4))).totals.files.count).collect();
    assert_eq!(files.iter().sum::<u64>(), 26);
    assert!(files.iter().all(|count| *count < 26));
    let inputs =
        |field: &Field| field.names("in").into_iter().map(|name| field.tree("in")[&name].clone()).collect::<Vec<_>>();
    assert_eq!(inputs(&field), inputs(&whole));
}

#[test]
fn shares_leave_out_what_one_run_leaves_out() {
    let field = field();
    let run = |out: &str, shard: Option<Shard>| {
        let limits = Limits { part: 200, batch: 300, ..Limits::default() };
        let batch = Batch { shard, limits, drop_failed: true, ..field.batch_of(&["in"], Target::Dir(field.path(out))) };
        field.run(&batch).unwrap().totals.failed.rows_dropped
    };
    let whole = run("whole", None);
    assert!(whole > 5 && !String::from_utf8_lossy(&joined(&field, "whole")["s/huge.jsonl"]).contains("bad"));
    assert_eq!((1..=5).map(|index| run("parts", Some(shard(index, 5)))).sum::<u64>(), whole);
    assert_eq!(joined(&field, "parts"), joined(&field, "whole"));
}
