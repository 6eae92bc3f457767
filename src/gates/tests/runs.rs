//! What runs as a whole say: the comparison with a baseline, the reports, the settings.

use super::*;

fn of_run(summary: &str, sha256: &str) -> Judged {
    let outcomes = judged(Some(&original()), &compacted(summary), Files::default());
    Judged {
        path: "story.json".into(),
        row: None,
        file: "out/story.json".into(),
        first_line: 1,
        sha256: sha256.into(),
        outcomes,
    }
}

fn compared(summary: &str, sha256: &str, now: &Conditions) -> Report {
    let then = Baseline::of(&[of_run(SUMMARY, "a")], Conditions::now("o200k_base"));
    let then = Baseline::read(&then.text()).unwrap();
    Report::new(vec![of_run(summary, sha256)], Vec::new(), &GateSettings::default(), Some((&then, now)))
}

fn regression(report: &Report) -> Verdict {
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
fn what_is_about_something_else_is_never_passed() {
    let now = Conditions::now("o200k_base");
    let specs = Conditions { fact_spec: "v2".into(), ..now.clone() };
    for report in
        [compared(SUMMARY, "b", &now), compared(SUMMARY, "a", &specs), compared(SUMMARY, "a", &Conditions::now("gpt2"))]
    {
        assert_eq!((regression(&report), report.failed()), (Verdict::NotComparable, true));
    }
    assert!(Baseline::read("{}").is_err());
}

#[test]
fn reports_show_words_of_the_transcript_only_if_asked() {
    let summary = SUMMARY.replace("src/export/table.py wrong", "src/export/tabel.py wrong");
    let report = Report::new(
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
fn reports_are_what_their_readers_expect() {
    let summary = SUMMARY.replace("7 passed", "9 passed");
    let report = Report::new(vec![of_run(&summary, "a")], Vec::new(), &GateSettings::default(), None);
    let text = |kind| render(kind, &report, Options::default()).unwrap();
    let sarif: Value = serde_json::from_str(&text(Kind::Sarif)).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&json!("F01"), &json!("error")));
    assert!(result["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64() > Some(1));
    assert!(
        text(Kind::Junit).contains("<testcase name=\"F01 support\"") && text(Kind::Junit).contains("failures=\"1\"")
    );
    assert!(text(Kind::Github).starts_with("::error file=out/story.json,line="));
    assert!(text(Kind::Markdown).starts_with("<!-- epitome check -->\n### epitome check: fail\n"));
    let json: Value = serde_json::from_str(&text(Kind::Json)).unwrap();
    assert_eq!((&json["verdict"], &json["gates"][0]["id"]), (&json!("fail"), &json!("S01")));
}

#[test]
fn settings_know_their_gates() {
    let read = |text: &str| GateSettings::read(&text.parse().unwrap()).map_err(|err| err.to_string());
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
