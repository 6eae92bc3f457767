//! Reports for people group equal findings; those for programs keep every finding.

use super::*;

/// A judged row of a file (or a whole file) with one finding.
fn judged(file: &str, row: Option<usize>, found: (&'static str, Finding)) -> Judged {
    let (gate, finding) = found;
    let mut outcome = GateResult::of(Share { kept: 0, of: 1 }, vec![finding]).settle();
    outcome.gate = gate;
    Judged {
        path: file.to_owned(),
        row,
        file: format!("small/{file}"),
        first_line: row.unwrap_or(1),
        sha256: String::new(),
        unchanged: None,
        outcomes: vec![outcome],
    }
}

fn lost(line: usize) -> (&'static str, Finding) {
    ("K01", Finding::new(line, "a constraint of the user is not kept").about(format!("rule {line}")))
}

fn rows(count: usize) -> Vec<Judged> {
    (1..=count).map(|row| judged("rows.jsonl", Some(row), lost(row))).collect()
}

fn told(judged: Vec<Judged>, kind: Kind, show_content: bool) -> String {
    let report = GateReport::new(judged, Vec::new(), &GateSettings::default(), None);
    render(kind, &report, Options { show_content }).unwrap()
}

/// The lines of the text report that are findings.
fn lines(judged: Vec<Judged>) -> Vec<String> {
    told(judged, Kind::Text, false).lines().filter(|line| line.starts_with("small/")).map(str::to_owned).collect()
}

#[test]
fn many_rows_of_a_file_are_one_line() {
    assert_eq!(lines(rows(3)).len(), 3, "few are told one by one");
    assert_eq!(
        lines(rows(300)),
        [
            "small/rows.jsonl:1: K01 error: a constraint of the user is not kept: 300 times, lines 1, 2, 3 … and 297 more"
        ]
    );
    let mut also = rows(4);
    also[1] = judged("rows.jsonl", Some(2), ("F01", Finding::new(2, "a path that the original does not have").at(7)));
    also.push(judged("rows.jsonl", Some(5), ("K01", lost(5).1.warning())));
    assert_eq!(lines(also).len(), 5, "another gate and another level are others");
}

#[test]
fn places_in_a_summary_are_named() {
    let found =
        |at| judged("a.json", None, ("F01", Finding::new(6, "a number that the original does not have").at(at)));
    assert_eq!(
        lines((1..6).map(found).collect()),
        [
            "small/a.json:6: F01 error: a number that the original does not have: 5 times, lines 6 (summary line 1), 6 (summary line 2), 6 (summary line 3) … and 2 more"
        ]
    );
}

#[test]
fn many_files_are_one_line_and_some_are_one_each() {
    let files = |count: usize| (10..10 + count).map(|at| judged(&format!("{at}.jsonl"), None, lost(1))).collect();
    assert_eq!(lines(files(10)).len(), 10);
    assert_eq!(
        lines(files(11)),
        [
            "small/10.jsonl:1: K01 error: a constraint of the user is not kept: 11 times in 11 files, small/10.jsonl:1, small/11.jsonl:1, small/12.jsonl:1 … and 8 more"
        ]
    );
}

#[test]
fn what_is_measured_differs_and_what_is_expected_does_not() {
    let each = |message: fn(usize) -> (&'static str, String)| {
        let one = |row| judged("rows.jsonl", Some(row), (message(row).0, Finding::new(row, message(row).1)));
        lines((1..6).map(one).collect())
    };
    let budgets = each(|row| ("B01", format!("the summary has {} tokens, {row} more than 3000", 3_000 + row)));
    assert_eq!(
        budgets,
        [
            "small/rows.jsonl:1: B01 error: the summary has … tokens, … more than 3000: 5 times, lines 1, 2, 3 … and 2 more"
        ]
    );
    assert_eq!(each(|row| ("K05", format!("fact {row} that is expected of `x` is not kept"))).len(), 5);
}

#[test]
fn words_that_are_asked_for_are_all_shown() {
    assert!(
        told(rows(5), Kind::Text, true)
            .contains("rows.jsonl:5: K01 error: a constraint of the user is not kept: rule 5\n")
    );
}

#[test]
fn markdown_lists_what_is_common_once() {
    for kind in [Kind::Summary, Kind::Markdown] {
        let text = told(rows(300), kind, false);
        let line = "\n- K01 error, small/rows.jsonl:1: a constraint of the user is not kept: 300 times, lines 1, 2, 3 … and 297 more\n";
        assert!(text.contains(line) && !text.contains("<details>"), "{text}");
        let few = told(rows(2), kind, false);
        assert!(
            few.contains("<details><summary>rows.jsonl:2: fail</summary>\n\n- K01 error, line 2: a constraint"),
            "{few}"
        );
    }
}

#[test]
fn a_folder_that_nobody_compacted_is_told_as_such() {
    let report = |same: &[Option<bool>]| {
        let one = |unchanged: &Option<bool>| Judged { unchanged: *unchanged, ..rows(1).remove(0) };
        GateReport::new(same.iter().map(one).collect(), Vec::new(), &GateSettings::default(), None)
    };
    let last = |same: &[Option<bool>], kind| {
        let text = render(kind, &report(same), Options::default()).unwrap();
        text.lines().rfind(|line| line.contains("transcript")).unwrap().to_owned()
    };
    assert_eq!(last(&[Some(true), Some(false), None], Kind::Text), "fail: 3 transcripts judged, 1 of 2 unchanged");
    assert_eq!(last(&[Some(false), None], Kind::Text), "fail: 2 transcripts judged");
    let all = [Some(true); 2];
    assert!(
        render(Kind::Summary, &report(&all), Options::default())
            .unwrap()
            .contains("\n2 transcripts, 2 of 2 unchanged\n")
    );
    let text = render(Kind::Json, &report(&all), Options::default()).unwrap();
    assert_eq!(text.lines().filter(|line| line.contains("\"sha256\":")).count(), 2, "one line each: {text}");
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["totals"], json!({ "transcripts": 2, "compared": 2, "unchanged": 2, "unjudged": 0 }));
    assert_eq!(json["transcripts"][0]["unchanged"], true);
}

#[test]
fn programs_get_every_finding() {
    for kind in [Kind::Json, Kind::Junit, Kind::Sarif] {
        let text = told(rows(300), kind, false);
        let each = if kind == Kind::Junit { "</failure>" } else { "a constraint of the user is not kept\"" };
        assert_eq!(text.matches(each).count(), 300, "{kind}");
    }
    let github = told(rows(300), Kind::Github, false);
    assert!(github.matches("::error file=").count() == 10 && github.contains("290 more error findings"), "{github}");
}
