//! Arrays of conversations: elements stay in order, everything around them is kept, and the input can be restored.

use super::*;

const ARRAY: &str = "\u{feff}[\r\n  \"a drop\",\r\n\r\n  {\"b\":\r\n \"drop\"}, \"bad drop\" , \"panic\",1 ]\r\n";

#[test]
fn elements_are_done_in_order_whatever_the_groups() {
    let grown = (1..=500).map(|at| format!("\"{at} drop{}\"", "x".repeat(at % 50))).collect::<Vec<_>>().join(",\n");
    let text = format!("[{grown}]");
    for (batch, batch_lines) in [(1, 7), (1 << 20, 7), (300, 4096), (8 << 20, 4096), (0, 0)] {
        let field = Field::new(&[("a", &text)]);
        let limits = Limits { batch, batch_lines, ..Limits::default() };
        let result = field.run(&Batch { limits, ..field.batch() }).unwrap();
        assert_eq!(field.read("out/a"), text.replace("drop", ""));
        assert_eq!(shape(&result), (1..=500).map(|at| format!("a:{at} compacted")).collect::<Vec<_>>());
    }
}

#[test]
fn what_stands_around_the_elements_is_kept_and_a_failed_one_is_copied() {
    let field = Field::new(&[("a", ARRAY)]);
    let result = field.run(&field.batch()).unwrap();
    let expected = ARRAY.replace("a drop", "a ").replace(" \"drop\"}", "");
    assert_eq!(field.read("out/a"), expected);
    let report = ["a:2 compacted", "a:4 compacted", "a:5 failed invalid", "a:5 failed panicked", "a:5 unchanged"];
    assert_eq!(shape(&result), report);
    assert!(result.has_failures());
}

#[test]
fn an_array_can_be_undone_in_place_and_resumed() {
    let field = Field::new(&[("a", ARRAY), ("b", "[]"), ("c", "[1,")]);
    let before = field.tree("in");
    let result = field.run(&field.batch_of(&["in"], Target::InPlace)).unwrap();
    assert_eq!(result.totals.outcomes.compacted, 2);
    assert_eq!(shape(&result)[5..], ["b skipped no_transcripts", "c failed invalid_line"]);
    let path = field.path("in/a");
    assert_ne!(fs::read(&path).unwrap(), before["a"]);
    restore(&path, &field.path("in/.epitome/undo"), &path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), before["a"]);
    let field = Field::new(&[("a", "[\"x drop\"]")]);
    field.run(&field.batch()).unwrap();
    assert_eq!(field.runs(), 1);
    assert_eq!((field.run(&field.batch()).unwrap().reused, field.runs()), (1, 0));
}

#[test]
fn elements_that_fail_are_left_out_with_their_commas_where_that_is_wanted() {
    let dropping = |text: &str, limits: Limits| {
        let field = Field::new(&[("a", text)]);
        let batch = Batch { limits, drop_failed: true, undo: Some(field.path("store")), ..field.batch() };
        let dropped = field.run(&batch).unwrap().totals.failed.rows_dropped;
        restore(&field.path("out/a"), &field.path("store"), &field.path("back")).unwrap();
        assert_eq!(field.read("back"), text);
        (field.read("out/a"), dropped)
    };
    for (batch, batch_lines) in [(0, 1), (8 << 20, 4096)] {
        let run = |text: &str| dropping(text, Limits { batch, batch_lines, ..Limits::default() });
        let rest = "[\r\n  \"a \",\r\n\r\n  {\"b\":\r\n,1 ]\r\n";
        assert_eq!(run(ARRAY), (format!("\u{feff}{rest}"), 2));
        assert_eq!(run("[\"bad\",\n \"x drop\" , \"bad\"]"), ("[\"x \"]".into(), 2));
        assert_eq!(run("[ \"bad\",\"panic\" ]"), ("[  ]".into(), 2));
        assert_eq!(run("[\"a\", \"bad\", \"b drop\", \"c\"]"), ("[\"a\", \"b \", \"c\"]".into(), 1));
        assert_eq!(run(r#"{"i":["bad"],"j" : ["x drop"], "k": ["bad"]}"#), (r#"{"j" : ["x "]}"#.into(), 2));
        assert_eq!(run(r#"{ "i": ["a"], "j": ["bad"], "k": ["c"] }"#), (r#"{ "i": ["a"], "k": ["c"] }"#.into(), 1));
        for (text, rest) in [
            (r#"{"i":["a"],"n":1,"j":["bad"]}"#, r#"{"i":["a"],"n":1}"#),
            (r#"{"i":["bad"],"n":1 , "j":["c"]}"#, r#"{"n":1 , "j":["c"]}"#),
            (r#"{"i":["bad"] , "n":1}"#, r#"{"n":1}"#),
            (r#"{"n":1,"i":["bad"],"j":["c"],"m":2}"#, r#"{"n":1,"j":["c"],"m":2}"#),
        ] {
            assert_eq!(run(text), (rest.into(), 1));
        }
        let others = (r#"{"n":1,"m":2,"l":3}"#.into(), 2);
        assert_eq!(run(r#"{"i":["bad"],"n":1,"m":2, "j":["bad"],"l":3}"#), others);
    }
}
