//! Whole runs: comparison with a baseline, reports, settings.

use super::*;
use crate::secrets::HIDDEN;

fn of_run(summary: &str, sha256: &str) -> Judged {
    let outcomes = judged(Some(&original()), &compacted(summary), Files::default());
    Judged {
        path: "story.json".into(),
        row: None,
        file: "out/story.json".into(),
        first_line: 1,
        sha256: sha256.into(),
        unchanged: None,
        outcomes,
    }
}

fn compared(summary: &str, sha256: &str, now: &Conditions) -> GateReport {
    let then = Baseline::of(&[of_run(SUMMARY, "a")], Conditions::now("o200k_base"));
    let then = Baseline::read(&then.text()).unwrap();
    GateReport::new(vec![of_run(summary, sha256)], Vec::new(), &GateSettings::default(), Some((&then, now)))
}

fn regression(report: &GateReport) -> Verdict {
    report.gates.iter().find(|gate| gate.id == "R01").unwrap().verdict
}

#[test]
fn what_fell_below_the_baseline_is_found() {
    let now = Conditions::now("o200k_base");
    let same = compared(SUMMARY, "a", &now);
    assert_eq!((regression(&same), same.failed()), (Verdict::Pass, false));
    let worse = compared(&SUMMARY.replace("- Never change the files under data/raw by hand.\n", ""), "a", &now);
    assert_eq!(regression(&worse), Verdict::Fail);
    let total = worse.gates.iter().find(|gate| gate.id == "K01").unwrap();
    assert_eq!((total.share, total.before), (Share { kept: 1, of: 2 }, Some(Share { kept: 2, of: 2 })));
}

#[test]
fn a_comparison_alone_finds_what_fell() {
    let mut settings = GateSettings::default();
    settings.select = vec!["R".into()];
    let constraints = gate("K01").unwrap();
    assert!(settings.is_measured(constraints) && !settings.is_wanted(constraints));
    let now = Conditions::now("o200k_base");
    let then = Baseline::of(&[of_run(SUMMARY, "a")], now.clone());
    let worse = of_run(&SUMMARY.replace("- Never change the files under data/raw by hand.\n", ""), "a");
    let report = GateReport::new(vec![worse], Vec::new(), &settings, Some((&then, &now)));
    assert_eq!((regression(&report), report.failed()), (Verdict::Fail, true));
    assert!(report.gates.iter().all(|gate| gate.id.starts_with('R')), "others were not asked for");
    assert!(report.transcripts[0].outcomes.iter().all(|outcome| outcome.gate.starts_with('R')));
}

#[test]
fn what_is_about_something_else_is_never_passed() {
    let now = Conditions::now("o200k_base");
    let specs = Conditions { fact_spec: "v2".into(), ..now.clone() };
    for report in
        [compared(SUMMARY, "b", &now), compared(SUMMARY, "a", &specs), compared(SUMMARY, "a", &Conditions::now("gpt2"))]
    {
        assert_eq!((regression(&report), report.failed()), (Verdict::NotComparable, true));
    }
    assert!(Baseline::read("{}").is_err());
    let then = Baseline::of(&[of_run(SUMMARY, "a")], now);
    let older = then.text().replace("\"epitome\"", "\"tool_version\"");
    assert!(Baseline::read(&older).is_ok_and(|read| read == then), "as it was called before");
}

#[test]
fn a_renamed_transcript_is_found_by_its_bytes() {
    let now = Conditions::now("o200k_base");
    let then = Baseline::of(&[of_run(SUMMARY, "a")], now.clone());
    let under = |sha256: &str, also: Vec<Judged>| {
        let renamed = Judged { path: "tale.json".into(), ..of_run(SUMMARY, sha256) };
        let all = also.into_iter().chain([renamed]).collect();
        GateReport::new(all, Vec::new(), &GateSettings::default(), Some((&then, &now)))
    };
    let same = under("a", vec![]);
    assert_eq!((regression(&same), same.missing.len()), (Verdict::Pass, 0));
    let other = under("b", vec![]);
    assert_eq!(
        (regression(&other), other.missing.len()),
        (Verdict::NotComparable, 1),
        "it could be the one that is not here"
    );
    let added = under("b", vec![of_run(SUMMARY, "a")]);
    assert_eq!((regression(&added), added.missing.len()), (Verdict::Pass, 0), "one is new");
}

#[test]
fn a_row_before_which_another_was_put_is_found_by_its_bytes() {
    let now = Conditions::now("o200k_base");
    let rows = |bytes: &[&str]| -> Vec<Judged> {
        let row = |(at, sha256): (usize, &&str)| Judged { row: Some(at + 1), ..of_run(SUMMARY, sha256) };
        bytes.iter().enumerate().map(row).collect()
    };
    let then = Baseline::of(&rows(&["a", "b", "a"]), now.clone());
    let report = |bytes| GateReport::new(rows(bytes), Vec::new(), &GateSettings::default(), Some((&then, &now)));
    for bytes in [&["c", "a", "b", "a"][..], &["b", "a", "a"], &["a", "a", "a", "b"]] {
        let report = report(bytes);
        assert_eq!((regression(&report), report.missing.len()), (Verdict::Pass, 0), "{bytes:?}");
    }
    for bytes in [&["c", "b", "a"][..], &["c", "d", "a", "b"]] {
        assert_eq!(regression(&report(bytes)), Verdict::NotComparable, "{bytes:?}: one changed");
    }
    let judged = rows(&["b"]);
    let scope = Scope { every_transcript: false, every_gate: true };
    let kept = Baseline::of(&judged, now.clone()).beside(&then, &judged, scope).unwrap();
    assert!(kept.compare(&judged, &now, None).iter().all(|row| row.verdict == Verdict::Pass), "its number is its own");
}

#[test]
fn reports_show_words_of_the_transcript_only_if_asked() {
    let summary = SUMMARY.replace("src/export/table.py wrong", "src/export/tabel.py wrong");
    let report = GateReport::new(
        vec![of_run(&summary, "a")],
        vec![("x.json".into(), "torn".into())],
        &GateSettings::default(),
        None,
    );
    assert_eq!(report.verdict(), Verdict::Fail);
    for kind in ["text", "json", "junit", "sarif", "github", "summary", "markdown"] {
        let kind: Kind = kind.parse().unwrap();
        let shown = |show_content| render(kind, &report, Options { show_content }).unwrap();
        assert!(!shown(false).contains("tabel.py") && shown(true).contains("tabel.py"), "{kind}: {}", shown(true));
        assert!(shown(false).contains("F01"), "{kind}");
    }
}

#[test]
fn no_gate_shows_a_secret() {
    let key = ["ghp_", "abcdefghijklmnopqrstuvwxyz0123456789"].concat();
    let summary = SUMMARY.replace("- `round", &format!("- {key} `round"));
    let report = GateReport::new(vec![of_run(&summary, "a")], Vec::new(), &GateSettings::default(), None);
    let text = render(Kind::Text, &report, Options { show_content: true }).unwrap();
    assert!(text.contains("F01 error") && text.contains(HIDDEN) && !text.contains(&key), "{text}");
}

#[test]
fn reports_are_what_their_readers_expect() {
    let summary = SUMMARY.replace("7 passed", "9 passed");
    let report = GateReport::new(vec![of_run(&summary, "a")], Vec::new(), &GateSettings::default(), None);
    let text = |kind| render(kind, &report, Options::default()).unwrap();
    let sarif: Value = serde_json::from_str(&text(Kind::Sarif)).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&json!("F01"), &json!("error")));
    assert!(result["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64() > Some(1));
    assert!(
        text(Kind::Junit).contains("<testcase name=\"F01 support\"") && text(Kind::Junit).contains("failures=\"1\"")
    );
    assert!(text(Kind::Junit).contains("message=\"a number that the original does not have"));
    assert!(text(Kind::Github).starts_with("::error file=out/story.json,line="));
    assert!(text(Kind::Markdown).starts_with("<!-- epitome check -->\n### epitome check: fail\n"));
    let json: Value = serde_json::from_str(&text(Kind::Json)).unwrap();
    assert_eq!((&json["verdict"], &json["gates"][0]["id"]), (&json!("fail"), &json!("S01")));
}

#[test]
fn what_was_not_judged_is_told_apart_in_junit_and_notifies_nobody() {
    let unjudged = |path: &str| (path.to_owned(), "@quay-team: see #12".to_owned());
    let all = vec![unjudged("out/a.json"), unjudged("out/b.json")];
    let report = GateReport::new(vec![of_run(SUMMARY, "a")], all, &GateSettings::default(), None);
    let junit = render(Kind::Junit, &report, Options::default()).unwrap();
    let root = junit.lines().find(|line| line.starts_with("<testsuites ")).unwrap();
    assert!(
        root.contains("tests=") && !root.contains("skipped="),
        "Jenkins' schema has no skipped cases there: {root}"
    );
    for path in ["out/a.json", "out/b.json"] {
        assert!(junit.contains(&format!("<testcase name=\"read\" classname=\"{path}\">")), "{junit}");
    }
    for kind in [Kind::Markdown, Kind::Summary] {
        let text = render(kind, &report, Options::default()).unwrap();
        assert!(text.contains("`out/a.json` was not judged") && !text.contains("@quay") && !text.contains("#12"));
    }
}

#[test]
fn rows_about_which_nothing_is_found_are_one_suite_in_junit() {
    let row = |line: usize, summary: &str| Judged { row: Some(line), ..of_run(summary, "a") };
    let wrong = SUMMARY.replace("- Never change the files under data/raw by hand.\n", "");
    let rows = [SUMMARY, SUMMARY, &wrong, SUMMARY].into_iter().zip(1..).map(|(summary, line)| row(line, summary));
    let report = GateReport::new(rows.collect(), Vec::new(), &GateSettings::default(), None);
    let junit = render(Kind::Junit, &report, Options::default()).unwrap();
    let suites: Vec<&str> = junit.lines().filter(|line| line.contains("<testsuite ")).collect();
    assert_eq!(suites.len(), 2, "{suites:?}");
    assert!(suites[0].contains("name=\"story.json:3\"") && suites[1].contains("name=\"story.json\""), "{suites:?}");
    assert!(junit.contains("<property name=\"rows\" value=\"3\"/>"), "{junit}");
    let cases = |name: &str| junit.matches(&format!("<testcase name=\"{name}\" classname=\"story.json")).count();
    assert_eq!([cases("S01 sections"), cases("F01 support")], [2, 2], "{junit}");
    let whole = GateReport::new(vec![of_run(SUMMARY, "a")], Vec::new(), &GateSettings::default(), None);
    assert!(!render(Kind::Junit, &whole, Options::default()).unwrap().contains("rows"), "a file of one transcript");
}

#[test]
fn code_scanning_learns_what_was_not_judged() {
    let sarif = |unjudged: Vec<(String, String)>| {
        let report = GateReport::new(vec![of_run(SUMMARY, "a")], unjudged, &GateSettings::default(), None);
        let text = render(Kind::Sarif, &report, Options::default()).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()["runs"][0]["invocations"].clone()
    };
    assert!(sarif(Vec::new()).is_null());
    let told = &sarif(vec![("out/old quay.json".to_owned(), "it is empty".to_owned())])[0];
    assert_eq!(told["executionSuccessful"], json!(false));
    let notification = &told["toolExecutionNotifications"][0];
    assert_eq!(notification["message"]["text"], json!("not judged: it is empty"));
    let place = &notification["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(place, &json!("out/old%20quay.json"));
}

#[test]
fn settings_know_their_gates() {
    let read = |text: &str| GateSettings::read(&text.parse().unwrap()).map_err(|err| err.to_string());
    let impossible = [
        "B02 = { min = 0.9, max = 0.1 }",
        "K01 = { min = 1.5 }",
        "K01 = { min = nan }",
        "H01 = { min = -0.1 }",
        "B01 = { max = inf }",
    ];
    for text in impossible {
        assert!(read(text).unwrap_err().contains("0"), "{text}");
    }
    assert!(read("T04 = { min = 4 }").is_ok(), "messages");
    for text in ["Z01 = 'off'", "K01 = 'loud'", "K01 = { max = 3 }", "K01 = { mim = 3 }", "K01 = 3"] {
        assert!(read(text).is_err(), "{text}");
    }
    let mut settings = read("K01 = { level = 'warn', min = 0.5 }\nX02 = 'warn'").unwrap();
    let level = |settings: &GateSettings, id: &str| settings.level(gate(id).unwrap());
    assert_eq!(
        (level(&settings, "K01"), level(&settings, "X02"), level(&settings, "F01")),
        (Level::Warn, Level::Warn, Level::Error)
    );
    settings.select = vec!["K".into()];
    settings.ignore = vec!["K02".into()];
    assert_eq!(
        (level(&settings, "K01"), level(&settings, "K02"), level(&settings, "F01")),
        (Level::Warn, Level::Off, Level::Off)
    );
}

fn read(text: &str) -> GateSettings {
    GateSettings::read(&text.parse().unwrap()).unwrap()
}

fn recall(mean: f64, sessions: usize, settings: &str) -> OfRun {
    let measured = Measured { mean, interval: (mean - 0.1, mean + 0.1), sessions };
    floor("H01", Some(measured), &read(settings)).unwrap()
}

#[test]
fn recall_below_its_floor_fails_where_there_are_sessions_enough() {
    let verdict = |mean, sessions, settings| recall(mean, sessions, settings).outcome.verdict;
    assert_eq!(verdict(0.7, 12, "H01 = { min = 0.7 }"), Verdict::Pass);
    assert_eq!(verdict(0.6, 12, "H01 = { min = 0.7 }"), Verdict::Fail);
    assert_eq!(verdict(0.6, 12, "H01 = { min = 0.7, level = 'warn' }"), Verdict::Warn);
    assert_eq!(verdict(0.6, 9, "H01 = { min = 0.7 }"), Verdict::Insufficient);
    assert_eq!(verdict(0.6, 9, "H01 = { min = 0.7, min-n = 9 }"), Verdict::Fail);
    assert!(floor("H01", None, &read("")).is_none(), "off until it is set");
    let nothing = floor("H02", None, &read("H02 = { min = 0.7 }")).unwrap();
    assert_eq!(nothing.outcome.verdict, Verdict::Insufficient);
    assert!(GateSettings::read(&"H01 = 'error'".parse().unwrap()).is_err(), "a floor has to be set");
}

#[test]
fn what_is_judged_over_all_is_in_every_report() {
    let settings = read("H01 = { min = 0.7 }");
    let run = |mean| {
        let mut one = of_run(SUMMARY, "a");
        one.outcomes.push(informative("H01", Share { kept: 6, of: 10 }));
        let report = GateReport::new(vec![one], Vec::new(), &settings, None);
        report.with_run(vec![recall(mean, 12, "H01 = { min = 0.7 }")], "epitome.toml")
    };
    let (good, bad) = (run(0.8), run(0.6));
    assert_eq!((good.verdict(), bad.verdict(), bad.failed()), (Verdict::Pass, Verdict::Fail, true));
    let text = |report: &GateReport, kind: &str| render(kind.parse().unwrap(), report, Options::default()).unwrap();
    assert!(text(&bad, "text").contains("epitome.toml:1: H01 error: 0.600 over 12 sessions, below the floor 0.7\n"));
    for kind in ["text", "json", "junit", "sarif", "github", "summary", "markdown"] {
        assert!(
            text(&bad, kind).contains("below the floor") && !text(&good, kind).contains("below the floor"),
            "{kind}"
        );
    }
    let json: Value = serde_json::from_str(&text(&bad, "json")).unwrap();
    let gate = json["gates"].as_array().unwrap().iter().find(|gate| gate["id"] == "H01").unwrap().clone();
    assert_eq!((&gate["mean"], &gate["n"], &gate["passed"]), (&json!(0.6), &json!(12), &json!(0)));
}

#[test]
fn recall_is_a_metric_of_the_baseline() {
    let now = Conditions::now("o200k_base");
    let with = |kept| {
        let mut one = of_run(SUMMARY, "a");
        one.outcomes.push(informative("H01", Share { kept, of: 10 }));
        one
    };
    let then = Baseline::of(&[with(8)], now.clone());
    let compared = |kept| regression(&GateReport::new(vec![with(kept)], Vec::new(), &read(""), Some((&then, &now))));
    assert_eq!((compared(8), compared(7)), (Verdict::Pass, Verdict::Fail));
}

#[test]
fn two_compactions_give_the_same() {
    let settings = read("R02 = 'error'");
    assert_eq!(determinism("a", "a", 1, &settings).verdict, Verdict::Pass);
    assert_eq!(determinism("a", "b", 1, &settings).verdict, Verdict::Fail);
}

#[test]
fn a_chain_keeps_what_its_first_compaction_keeps() {
    let share = |kept| Share { kept, of: 20 };
    let judged = |third, files, settings| {
        let kept = Chain { constraints: (share(10), share(third)), files: (share(4), share(files)) };
        chain(Some(kept), 1, &read(settings)).verdict
    };
    assert_eq!(judged(9, 4, "R03 = { min = 0.9 }"), Verdict::Pass);
    assert_eq!(judged(8, 4, "R03 = { min = 0.9 }"), Verdict::Warn);
    assert_eq!(judged(10, 3, "R03 = 'error'"), Verdict::Fail);
    assert_eq!(judged(8, 4, "R03 = { min = 0.8 }"), Verdict::Pass);
    assert_eq!(chain(None, 1, &read("R03 = 'warn'")).verdict, Verdict::Insufficient);
}

#[test]
fn time_and_memory_only_warn() {
    let judged = |settings: &str| resources(2.0, Some(2_000), &read(settings)).map(|one| one.outcome.verdict);
    assert_eq!(judged(""), None);
    assert_eq!(judged("R04 = { max-seconds = 2, max-bytes = 2000 }"), Some(Verdict::Pass));
    assert_eq!(judged("R04 = { max-seconds = 1 }"), Some(Verdict::Warn));
    assert_eq!(judged("R04 = { max-bytes = 1999, level = 'error' }"), Some(Verdict::Warn));
    let untold = resources(2.0, None, &read("R04 = { max-bytes = 1 }")).unwrap();
    assert_eq!(untold.outcome.verdict, Verdict::Insufficient, "a system that does not tell");
}

#[test]
fn a_baseline_of_a_whole_folder_misses_what_is_gone() {
    let now = Conditions::now("o200k_base");
    let gone = Judged { path: "gone.json".into(), ..of_run(SUMMARY, "b") };
    let then = Baseline::of(&[of_run(SUMMARY, "a"), gone], now.clone());
    let some = GateReport::new(vec![of_run(SUMMARY, "a")], Vec::new(), &GateSettings::default(), Some((&then, &now)));
    assert_eq!((regression(&some), some.missing.len()), (Verdict::Pass, 1), "one file was asked for");
    let total = |report: &GateReport| report.gates.iter().find(|gate| gate.id == "R01").unwrap().verdict;
    assert_eq!(total(&some), Verdict::Pass);
    let dropped = |every_transcript| {
        let scope = Scope { every_transcript, every_gate: true };
        let judged = [of_run(SUMMARY, "a")];
        let own = Baseline::of(&judged, now.clone()).beside(&then, &judged, scope).unwrap();
        (Baseline::dropped(&then, &judged, scope), own.text().contains("gone.json"))
    };
    assert_eq!(
        (dropped(true), dropped(false)),
        ((vec!["gone.json"], false), (vec![], true)),
        "named if it is not kept"
    );
    let all = some.of_all();
    assert!(total(&all) == Verdict::NotComparable && all.failed());
}
