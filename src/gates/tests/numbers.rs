//! In a row, whose messages share a line, a finding names the message, and that of the original.

use super::*;

/// The report about a row with a result without a call as its fourth message, whose summary lacks a constraint of the
/// second message of the original.
fn report() -> GateReport {
    let row = |messages: &[Value]| Story(json!({ "messages": messages }).to_string());
    let mut after = compacted(&SUMMARY.replace("- Never change the files under data/raw by hand.\n", ""));
    after.insert(3, result("c9", "No call asked for it."));
    let one = Judged {
        path: "rows.jsonl".to_owned(),
        row: Some(1),
        file: "small/rows.jsonl".to_owned(),
        first_line: 1,
        sha256: String::new(),
        unchanged: None,
        outcomes: judged_stories(Some(&row(&original())), &row(&after), Files::default()),
    };
    GateReport::new(vec![one], Vec::new(), &GateSettings::default(), None)
}

/// A report of a kind.
fn told(kind: Kind) -> String {
    render(kind, &report(), Options::default()).unwrap()
}

/// The first finding of a gate.
fn found<'f>(report: &'f Value, gate: &str) -> &'f Value {
    let gates = report["transcripts"][0]["gates"].as_array().unwrap();
    &gates.iter().find(|own| own["id"] == gate).unwrap()["findings"][0]
}

#[test]
fn reports_for_people_name_the_message() {
    for kind in [Kind::Text, Kind::Junit, Kind::Sarif, Kind::Github, Kind::Summary, Kind::Markdown] {
        let text = told(kind);
        let (own, original) = ("(message 4)", "(line of the original: 1, message 2)");
        assert!(text.contains(own) && text.contains(original), "{kind}: {text}");
    }
}

#[test]
fn reports_for_programs_have_its_number() {
    let json: Value = serde_json::from_str(&told(Kind::Json)).unwrap();
    let (pairs, constraints) = (found(&json, "T01"), found(&json, "K01"));
    assert_eq!((&pairs["message_number"], &pairs["original_message"]), (&json!(4), &Value::Null));
    assert!(pairs["message"].as_str().unwrap().starts_with("orphan_result: ") && pairs["line"] == 1, "{pairs}");
    assert!(!pairs["message"].as_str().unwrap().contains("message 4"), "{pairs}");
    assert_eq!((&constraints["original_line"], &constraints["original_message"]), (&json!(1), &json!(2)));
    let sarif: Value = serde_json::from_str(&told(Kind::Sarif)).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let of = |gate: &str| &results.iter().find(|result| result["ruleId"] == gate).unwrap()["locations"][0];
    assert_eq!(of("T01")["logicalLocations"][0]["name"], json!("message 4"));
    assert_eq!(of("K01")["logicalLocations"], Value::Null, "it is of the summary as a whole");
}

#[test]
fn where_lines_tell_messages_apart_none_has_a_number() {
    let mut after = compacted(SUMMARY);
    after.insert(3, result("c9", "No call asked for it."));
    let outcomes = judged(Some(&original()), &after, Files::default());
    let pairs = outcomes.iter().find(|outcome| outcome.gate == "T01").unwrap();
    assert!(pairs.findings[0].line > 1 && pairs.findings[0].message_number.is_none(), "{pairs:?}");
}
