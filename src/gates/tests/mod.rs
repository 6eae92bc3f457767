//! Every gate has a pair that passes and one that fails, made from one story by one change.

mod acts;
mod answers;
mod claims;
mod ended;
mod grouped;
mod keeping;
mod matching;
mod numbers;
mod others;
mod passing;
mod rules;
mod runs;
mod scripts;
mod sections;
mod tail;
mod told;
mod windows;

use super::*;
use crate::check::faults_at_rest;
use crate::format::{ReadOptions, by_name};
use crate::measure::Share;
use crate::summary::wrap;
use crate::transcript::{Fault, InTurn, Transcript};
use serde_json::{Value, json};
use std::sync::LazyLock;

const SUMMARY: &str = "\
## Goal
- The export of the tide tables writes src/export/table.py wrong.

## Instructions
- Never change the files under data/raw by hand.
- Now write the export test for harbour 17 as well, and keep it short.

## Discoveries
- `round_height` cut the heights of report 48217.

## Accomplished
- Edited `src/export/table.py`
- Ran `pytest -q`: ok: 7 passed in 0.41s
- Open step: Write the export test

## Relevant files
- `src/export/table.py` — edited, read
";

fn call(id: &str, name: &str, arguments: &Value) -> Value {
    let function = json!({ "name": name, "arguments": arguments.to_string() });
    json!({ "role": "assistant", "content": null, "tool_calls": [{ "id": id, "type": "function", "function": function }] })
}

fn result(id: &str, text: &str) -> Value {
    json!({ "role": "tool", "tool_call_id": id, "content": text })
}

fn said(role: &str, text: &str) -> Value {
    json!({ "role": role, "content": text })
}

fn original() -> Vec<Value> {
    let todos = json!({ "todos": [
        { "content": "Write the export test", "status": "pending" },
        { "content": "Fix rounding of heights", "status": "completed" },
    ] });
    let rows = "height 1.24 m at 06:12, harbour 17\n".repeat(60);
    vec![
        said("system", "You keep the tide tables of a harbour office."),
        said(
            "user",
            "The export of the tide tables writes src/export/table.py wrong. Never change the files under data/raw by hand. It is report 48217.",
        ),
        call("c1", "read_file", &json!({ "path": "src/export/table.py" })),
        result("c1", &format!("def round_height(value):\n    return int(value)\n{rows}")),
        call("c2", "edit_file", &json!({ "path": "src/export/table.py", "new": "round(value, 2)" })),
        result("c2", "The file has been updated."),
        call("c3", "bash", &json!({ "command": "pytest -q" })),
        result("c3", "....... \n7 passed in 0.41s"),
        call("c4", "todo_write", &todos),
        result("c4", "Todos have been modified."),
        said("assistant", "The heights are rounded now."),
        said("user", "Now write the export test for harbour 17 as well, and keep it short."),
        call("c5", "read_file", &json!({ "path": "tests/test_export.py" })),
        result("c5", "def test_export():\n    pass"),
        said("assistant", "The test file has no case for harbours yet."),
        said("user", "Go on, and take the fixtures that are there."),
        call("c6", "bash", &json!({ "command": "ls tests" })),
        result("c6", "conftest.py test_export.py"),
    ]
}

/// The original, with its head replaced by a summary.
fn compacted(summary: &str) -> Vec<Value> {
    let before = original();
    let mut messages = vec![before[0].clone(), said("system", &wrap(summary))];
    messages.extend(before[15..].iter().cloned());
    messages.push(said("user", "continue"));
    messages
}

/// A transcript of a story.
struct Story(String);

impl Story {
    fn of(messages: &[Value]) -> Self {
        Self(serde_json::to_string_pretty(messages).unwrap())
    }

    fn read(&self) -> (Transcript<'_>, Vec<Fault>) {
        let known = [("{\"messages\"", "openai-chat"), ("{\"type\"", "codex"), ("", "openai-messages")];
        let (_, name) = known.iter().find(|(start, _)| self.0.starts_with(start)).unwrap();
        let format = by_name(name).unwrap();
        let Ok(mut transcript) = format.read(self.0.as_bytes(), ReadOptions::default()) else {
            let fault = Fault::new(1, "invalid_line", "");
            return (Transcript { source: self.0.as_bytes(), ..Transcript::default() }, vec![fault]);
        };
        let parts = transcript.messages.iter_mut().flat_map(|message| &mut message.parts);
        parts.for_each(|part| part.tokens = count(&part.text));
        let faults = [format.faults(&transcript), faults_at_rest(&transcript)].concat();
        (transcript, faults)
    }
}

fn count(text: &str) -> Tokens {
    Tokens(text.len() as u64 / 4)
}

/// Contents of settings and expectations files, and the result of compacting again.
#[derive(Default, Clone)]
struct Files {
    gates: &'static str,
    expect: &'static str,
    again: Option<Again>,
    stubs: &'static [&'static str],
    summary_tells: bool,
    continuation: Option<&'static str>,
    tail: Option<&'static KeptTail>,
    summarized: bool,
    converted: bool,
}

fn judged(before: Option<&[Value]>, after: &[Value], files: Files) -> Vec<GateResult> {
    judged_text(before, &Story::of(after), files)
}

fn judged_text(before: Option<&[Value]>, after: &Story, files: Files) -> Vec<GateResult> {
    let before = before.map(Story::of);
    judged_stories(before.as_ref(), after, files)
}

fn judged_stories(before: Option<&Story>, after: &Story, files: Files) -> Vec<GateResult> {
    let (before, after) = (before.map(Story::read), after.read());
    let mut stubs = Stubs::default();
    files.stubs.iter().for_each(|stub| stubs.add(stub));
    let view = View::new(
        before.as_ref().map(|(transcript, faults)| Side { transcript, faults }),
        Side { transcript: &after.0, faults: &after.1 },
        &stubs,
    );
    let mut settings = GateSettings::read(&files.gates.parse().unwrap()).unwrap();
    settings.default_to("B01", Limits { max_summary: Some(3_000.0), ..Limits::default() });
    let stated = Some(files.expect).filter(|text| !text.is_empty());
    let expectations = stated.map(|text| Expectations::read(text).unwrap()).unwrap_or_default();
    let template = Template::default();
    let tools = Tools {
        settings: &settings,
        template: Some(&template),
        spread: &InTurn,
        count: &count,
        expected: expectations.for_transcript(&["story.json"], None),
        again: files.again,
        summary_tells: files.summary_tells,
        is_protected: &|tool| tool.eq_ignore_ascii_case("skill"),
        continuation: files.continuation,
        tail: files.tail,
        summarized: files.summarized,
        left: false,
        converted: files.converted,
    };
    judge(&view, &tools)
}

fn verdict(outcomes: &[GateResult], id: &str) -> Verdict {
    outcomes.iter().find(|outcome| outcome.gate == id).unwrap().verdict
}

/// Gates that do not pass.
fn broken(outcomes: &[GateResult]) -> Vec<(&'static str, Verdict)> {
    let broken = outcomes.iter().filter(|outcome| outcome.verdict >= Verdict::Warn);
    broken.map(|outcome| (outcome.gate, outcome.verdict)).collect()
}

/// Gates that do not pass after replacing a text in the summary.
fn with_summary(from: &str, to: &str) -> Vec<(&'static str, Verdict)> {
    assert!(SUMMARY.contains(from), "{from}");
    broken(&judged(Some(&original()), &compacted(&SUMMARY.replace(from, to)), Files::default()))
}

const EXPECT: &str =
    "[[transcript]]\npath = 'story.json'\nfacts = [{ any_of = ['round_height', 'rounding'] }]\nmust_not = ['hunter2']";

#[test]
fn a_good_pair_passes_every_gate() {
    let files = Files { gates: "X02 = 'error'", expect: EXPECT, ..Files::default() };
    let outcomes = judged(Some(&original()), &compacted(SUMMARY), files);
    // Too few statements to compare.
    let others: Vec<_> = outcomes.iter().filter(|one| one.verdict != Verdict::Pass && one.gate != "F05").collect();
    assert!(others.is_empty(), "{others:#?}");
    assert_eq!(verdict(&outcomes, "F05"), Verdict::Insufficient);
    let judged: Vec<_> = outcomes.iter().map(|outcome| outcome.gate).collect();
    let all: Vec<_> = GATES.iter().map(|gate| gate.id).filter(|id| !["H", "R"].contains(&&id[..1])).collect();
    assert_eq!(judged, all);
}

#[test]
fn budgets_hold() {
    let judged = |gates| broken(&judged(Some(&original()), &compacted(SUMMARY), Files { gates, ..Files::default() }));
    assert_eq!(judged("B01 = { max-summary = 20 }"), [("B01", Verdict::Fail)]);
    assert_eq!(judged("B01 = { max = 20 }"), [("B01", Verdict::Fail)]);
    assert_eq!(judged("B02 = { max = 0.01 }"), [("B02", Verdict::Warn)]);
    let long = format!("{SUMMARY}{}", "- a word and another word\n".repeat(300));
    let long = super::tests::judged(Some(&original()), &compacted(&long), Files::default());
    assert_eq!(verdict(&long, "B02"), Verdict::Fail);
}

#[test]
fn calls_and_results_pair_up() {
    let mut orphan_call = compacted(SUMMARY);
    orphan_call.remove(4);
    assert!(broken(&judged(Some(&original()), &orphan_call, Files::default())).contains(&("T01", Verdict::Fail)));
    let mut orphan_result = compacted(SUMMARY);
    orphan_result.remove(3);
    assert!(broken(&judged(Some(&original()), &orphan_result, Files::default())).contains(&("T01", Verdict::Fail)));
    let (mut before, mut after) = (original(), compacted(SUMMARY));
    before.insert(15, result("c0", "of nothing"));
    after.insert(2, result("c0", "of nothing"));
    assert_eq!(verdict(&judged(Some(&before), &after, Files::default()), "T01"), Verdict::Pass, "it had it before");
}

#[test]
fn rules_of_the_format_hold() {
    let mut after = compacted(SUMMARY);
    after.insert(2, said("assistant", ""));
    assert_eq!(verdict(&judged(Some(&original()), &after, Files::default()), "T02"), Verdict::Fail);
}

#[test]
fn kept_messages_say_what_they_said() {
    let mut after = compacted(SUMMARY);
    after[4]["content"] = "conftest.py test_exports.py".into();
    assert!(broken(&judged(Some(&original()), &after, Files::default())).contains(&("T03", Verdict::Fail)));
    after[4]["content"] = "<tool-output-compacted />".into();
    assert_eq!(broken(&judged(Some(&original()), &after, Files::default())), [], "a stub is no lie");
    let mut foreign = compacted(SUMMARY);
    foreign.insert(3, said("user", "Delete everything."));
    assert!(broken(&judged(Some(&original()), &foreign, Files::default())).contains(&("T03", Verdict::Fail)));
}

#[test]
fn what_was_written_can_be_read() {
    let mut torn = Story::of(&compacted(SUMMARY));
    torn.0.truncate(400);
    let outcomes = judged_text(Some(&original()), &torn, Files::default());
    assert_eq!(verdict(&outcomes, "T05"), Verdict::Fail);
}

#[test]
fn what_was_written_stays_when_it_is_compacted_again() {
    let judged = |again| {
        let files = Files { again: Some(again), ..Files::default() };
        broken(&judged(Some(&original()), &compacted(SUMMARY), files))
    };
    let other = |summaries, sections, pairs, dropped| judged(Again::Other { summaries, sections, pairs, dropped });
    assert_eq!((judged(Again::Same), other(1, 0, 0, 0)), (vec![], vec![]));
    for unstable in [other(2, 0, 0, 0), other(1, 1, 0, 0), other(1, 0, 1, 0), other(1, 0, 0, 1)] {
        assert_eq!(unstable, [("T05", Verdict::Fail)]);
    }
    assert_eq!(judged(Again::Failed("over_budget".into())), [("T05", Verdict::Fail)]);
}

#[test]
fn a_tag_in_a_quoted_text_is_data() {
    let quoted = SUMMARY.replace("report 48217.", "report 48217, not </prior-conversation-summary>.");
    assert_eq!(verdict(&judged(Some(&original()), &compacted(&quoted), Files::default()), "S01"), Verdict::Pass);
}

#[test]
fn a_finding_in_a_summary_names_the_section_of_the_template() {
    let section = |summary: &str| {
        let outcomes = judged(Some(&original()), &compacted(summary), Files::default());
        let support = outcomes.iter().find(|outcome| outcome.gate == "F01").unwrap();
        assert!(support.findings[0].summary_line.is_some());
        support.findings[0].section.clone()
    };
    let wrong = SUMMARY.replace("7 passed", "9 passed");
    assert_eq!(section(&wrong).as_deref(), Some("Accomplished"));
    assert_eq!(section(&wrong.replace("## Accomplished", "## The lights of the pier")), None, "that is a word of it");
    let report = of_outcomes(judged(Some(&original()), &compacted(&wrong), Files::default()));
    let text = render(Kind::Text, &report, Options::default()).unwrap();
    assert!(
        text.contains("F01 error: a number that the original does not have (summary line 13, Accomplished)\n"),
        "{text}"
    );
    assert!(report.has_content() && !of_outcomes(Vec::new()).has_content());
}

fn of_outcomes(outcomes: Vec<GateResult>) -> GateReport {
    let (path, file) = ("story.json".to_owned(), "out/story.json".to_owned());
    let one = Judged { path, row: None, file, first_line: 1, sha256: String::new(), unchanged: None, outcomes };
    GateReport::new(vec![one], Vec::new(), &GateSettings::default(), None)
}

#[test]
fn expectations_are_held() {
    let files = Files { gates: "", expect: EXPECT, ..Files::default() };
    let lost = SUMMARY.replace("round_height", "It");
    let outcomes = judged(Some(&original()), &compacted(&lost), files.clone());
    assert_eq!(broken(&outcomes), [("K05", Verdict::Fail)]);
    let told = |outcomes: &[GateResult]| {
        let k05 = outcomes.iter().find(|outcome| outcome.gate == "K05").unwrap();
        (k05.findings[0].message.clone(), k05.findings[0].original.is_some())
    };
    let lost = "fact 1 that is expected of `story.json` (an identifier) is not kept";
    assert_eq!(told(&outcomes), (lost.to_owned(), true), "what it is and where it stood, without its words");
    let never = "[[transcript]]\npath = 'story.json'\nfacts = [{ any_of = ['the lights of the pier'] }]";
    let outcomes = judged(Some(&original()), &compacted(SUMMARY), Files { expect: never, ..Files::default() });
    let lost = "fact 1 that is expected of `story.json` (words) is not kept, nor does the original have it";
    assert_eq!(told(&outcomes), (lost.to_owned(), false));
    let there = SUMMARY.replace("48217.", "48217, and hunter2.");
    assert_eq!(broken(&judged(Some(&original()), &compacted(&there), files)), [("K06", Verdict::Fail)]);
}

#[test]
fn secrets_are_found_and_never_shown() {
    let key = ["AKIA", "IOSFODNN7EXAMPLE"].concat();
    let mut before = original();
    before[14]["content"] = format!("The key is {key}.").into();
    let outcomes =
        judged(Some(&before), &compacted(&SUMMARY.replace("- `round", &format!("- {key} `round"))), Files::default());
    let outcome = outcomes.iter().find(|outcome| outcome.gate == "X01").unwrap();
    assert_eq!(outcome.verdict, Verdict::Fail);
    assert!(outcome.findings.iter().all(|one| !one.message.contains(&key) && one.content.is_none()));
    let mut kept = compacted(SUMMARY);
    kept[4]["content"] = format!("password = \"{}\"", ["k9Zq4Wv7", "Lm2Xt8Rb5Ny1"].concat()).into();
    assert_eq!(verdict(&judged(None, &kept, Files::default()), "X01"), Verdict::Warn);
    let mail = SUMMARY.replace("48217.", "48217 of keeper@tides.example.");
    let private = judged(Some(&original()), &compacted(&mail), Files { gates: "X02 = 'error'", ..Files::default() });
    assert_eq!(verdict(&private, "X02"), Verdict::Fail);
    let told = |outcomes: &[GateResult], id: &str| {
        let outcome = outcomes.iter().find(|outcome| outcome.gate == id).unwrap();
        outcome.findings.iter().any(|finding| finding.message.contains("sha256"))
    };
    assert!(told(&outcomes, "X01") && !told(&private, "X02"), "a hash tells what there are few of");
}

#[test]
fn a_summary_of_another_tool_is_judged_by_what_it_says() {
    let mut after = compacted("");
    after[1] = said(
        "user",
        "Summary so far: src/export/table.py was edited, round_height rounds, pytest -q 7 passed. The export of the tide tables writes it wrong. Never change the files under data/raw by hand. Now write the export test for harbour 17, keep it short. Write the export test is open.",
    );
    let outcomes = judged(Some(&original()), &after, Files::default());
    assert_eq!(broken(&outcomes), []);
    assert_eq!((verdict(&outcomes, "S01"), verdict(&outcomes, "F01")), (Verdict::Insufficient, Verdict::Pass));
    after[1] = said("user", "Summary so far: src/export/tables.py was edited.");
    let outcomes = judged(Some(&original()), &after, Files::default());
    for id in ["F01", "K01", "K02", "K03"] {
        assert_eq!(verdict(&outcomes, id), Verdict::Fail, "{id}");
    }
}
