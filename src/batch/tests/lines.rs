//! Conversation-per-line files: streamed in chunks, lines stay in order, everything around them is kept.

use super::*;

fn run_lines(text: &str, limits: Limits) -> (String, Vec<String>) {
    let field = Field::new(&[("a", text)]);
    let result = field.run(&Batch { limits, ..field.batch() }).unwrap();
    (field.read("out/a"), shape(&result))
}

#[test]
fn many_lines_come_out_in_order_whatever_the_chunks() {
    let text = (1..=3000).fold("lines\n".to_owned(), |text, at| format!("{text}{at} drop{}\n", "x".repeat(at % 50)));
    let expected = text.replace("drop", "");
    for (batch, batch_lines) in [(1, 7), (1 << 20, 7), (300, 4096), (8 << 20, 4096)] {
        let (out, report) = run_lines(&text, Limits { batch, batch_lines, ..Limits::default() });
        assert!(out == expected, "chunks of {batch} bytes or {batch_lines} lines");
        let places = (2..=3001).map(|number| format!("a:{number} compacted"));
        assert_eq!(report[1..], places.collect::<Vec<_>>());
    }
}

#[test]
fn byte_order_mark_blank_lines_line_ends_and_a_missing_last_newline_are_kept() {
    let text = "\u{feff}lines drop\r\n\r\n  \nx drop\r\ny drop";
    for batch in [1, 8 << 20] {
        let (out, report) = run_lines(text, Limits { batch, ..Limits::default() });
        assert_eq!(out, "\u{feff}lines \r\n\r\n  \nx \r\ny ");
        assert_eq!(report, ["a:1 compacted", "a:4 compacted", "a:5 compacted"]);
    }
}

#[test]
fn a_line_that_fails_or_panics_is_copied_as_it_is_and_reported() {
    let (out, report) = run_lines("lines\nbad drop\npanic drop\nx drop\n", Limits::default());
    assert_eq!(out, "lines\nbad drop\npanic drop\nx \n");
    assert_eq!(report, ["a:1 unchanged", "a:2 failed invalid", "a:3 failed panicked", "a:4 compacted"]);
}

#[test]
fn a_line_over_the_limit_is_copied_and_named_and_the_next_ones_are_done() {
    for length in [9, 10, 11, 12, 13, 50, 1000] {
        for end in ["\n", "\r\n"] {
            let long = "y".repeat(length);
            let text = format!("lines\nx drop\n{long}{end}z drop{end}{long}");
            let limits = Limits { line: 10, batch: 16, ..Limits::default() };
            let (out, report) = run_lines(&text, limits);
            assert_eq!(out, format!("lines\nx \n{long}{end}z {end}{long}"));
            let outcome = if length > 10 { "failed line_too_long" } else { "unchanged" };
            let expected = [
                "a:1 unchanged",
                "a:2 compacted",
                &format!("a:3 {outcome}"),
                "a:4 compacted",
                &format!("a:5 {outcome}"),
            ];
            assert_eq!(report, expected, "{length}");
        }
    }
}

#[test]
fn a_streamed_file_can_be_undone() {
    let text = (1..=500).fold("\u{feff}lines\r\n".to_owned(), |text, at| format!("{text}{at} drop {at}\n\n"));
    let field = Field::new(&[("s/a", &text), ("s/b", "lines\nx\n")]);
    let limits = Limits { batch: 100, ..Limits::default() };
    field.run(&Batch { limits, undo: Some(field.path("store")), ..field.batch() }).unwrap();
    assert!(field.read("out/s/a").len() < text.len());
    for name in ["s/a", "s/b"] {
        let (output, target) = (field.path("out").join(name), field.path("back").join(name));
        assert_eq!(restore(&output, &field.path("store"), &target).unwrap().path, name);
    }
    assert_eq!(field.tree("back"), field.tree("in"));
}

/// A run that drops failed rows: its output, its result, and the restored input.
fn dropping(text: &str, limits: Limits) -> (String, RunResult, String) {
    let field = Field::new(&[("a", text)]);
    let batch = Batch { limits, drop_failed: true, undo: Some(field.path("store")), ..field.batch() };
    let result = field.run(&batch).unwrap();
    restore(&field.path("out/a"), &field.path("store"), &field.path("back")).unwrap();
    (field.read("out/a"), result, field.read("back"))
}

#[test]
fn rows_that_fail_are_left_out_where_that_is_wanted_and_can_be_given_back() {
    let text = "\u{feff}lines\nbad drop\r\n\npanic drop\r\nx drop\nbad";
    for batch in [1, 8 << 20] {
        let (out, result, back) = dropping(text, Limits { batch, ..Limits::default() });
        assert_eq!((out.as_str(), back.as_str()), ("\u{feff}lines\n\nx \n", text));
        assert_eq!((result.totals.failed.rows_dropped, result.totals.failed.rows_kept), (3, 0));
        assert!(result.has_failures() && result.totals.files.bytes.after == out.len() as u64);
    }
    let kept = run_lines(text, Limits::default());
    assert!(kept.0.contains("bad drop\r\n"), "not unless it is wanted");
    let bad = dropping("lines bad\n", Limits::default());
    assert_eq!(bad.0, "", "a file of which nothing is left is empty");
}

#[test]
fn a_line_over_the_limit_is_left_out_to_its_end() {
    for length in [13, 50, 1000] {
        let long = "y".repeat(length);
        let text = format!("lines\nx drop\n{long}\r\nz drop\n{long}");
        let (out, result, back) = dropping(&text, Limits { line: 10, batch: 16, ..Limits::default() });
        assert_eq!((out.as_str(), back), ("lines\nx \nz \n", text), "{length}");
        assert_eq!(result.totals.failed.rows_dropped, 2);
    }
}
