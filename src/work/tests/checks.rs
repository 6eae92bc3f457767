//! Every rule has a transcript that breaks it and one that does not; mendable faults are mended, and nothing else is
//! changed.

use super::check_cases::{CASES, CLAUDE, CODEX, Case, LEFT, OPENAI, SHAREGPT, TWICE};
use super::*;
use crate::check::{Choice, RULES, Scope};
use crate::corpus::corpus;
use crate::format::{by_name, detect, elements, lines};
use crate::transcript::{apply, new_faults};
use rayon::prelude::*;
use std::collections::BTreeSet;

pub(super) fn checker(fix: bool) -> Checker {
    Checker { rules: Choice::default(), templates: vec![Template::default()], held: Held::All, fix, from: None }
}

pub(super) fn checked(work: &Checker, format: &str, source: &[u8]) -> Done {
    work.run(by_name(format).unwrap(), source, 1)
}

fn rules(done: &Done) -> BTreeSet<String> {
    done.line.findings.iter().map(|finding| finding.rule.clone()).collect()
}

/// Whether the table of rules says that a rule holds in a format.
fn holds_in(rule: &str, format: &str) -> bool {
    match crate::check::rule(rule).unwrap().scope {
        scope @ (Scope::Formats(_) | Scope::Groups(_)) => scope.names().contains(&format),
        Scope::Files | Scope::Every | Scope::Summaries => true,
    }
}

/// What is wrong with the judgment of a case, if anything.
fn misjudged((rule, format, good, from, to): &Case) -> Option<String> {
    let work = Checker { from: by_name(format), ..checker(false) };
    let kept = rules(&checked(&work, format, good.as_bytes()));
    let broken = if *rule == "wrong_format" { good.replace(from, to) } else { good.replacen(from, to, 1) };
    let found = rules(&checked(&work, format, broken.as_bytes()));
    let right = kept.is_empty() && broken != *good && found.contains(*rule);
    let right = right && found.iter().all(|rule| holds_in(rule, format));
    (!right).then(|| format!("{rule}: {format}: {kept:?}, then {found:?}"))
}

#[test]
fn every_rule_is_broken_by_one_transcript_and_kept_by_another() {
    assert_eq!(CASES.iter().filter_map(misjudged).collect::<Vec<_>>(), [""; 0]);
    let tried: BTreeSet<_> = CASES.iter().map(|(rule, ..)| *rule).collect();
    let of_files = |rule: &&crate::check::Rule| rule.scope == Scope::Files;
    let untried: Vec<_> =
        RULES.iter().filter(|rule| !of_files(rule) && !tried.contains(rule.name)).map(|rule| rule.name).collect();
    assert_eq!(untried, [""; 0]);
}

/// What is wrong with the mending of a case, if anything.
fn mismended((rule, format, good, from, to): &Case) -> Option<String> {
    let broken = good.replacen(from, to, 1);
    let done = checked(&checker(true), format, broken.as_bytes());
    let out = apply(broken.as_bytes(), &done.patches).into_owned();
    let after = rules(&checked(&checker(false), format, &out));
    let mends = crate::check::rule(rule).unwrap().mend.is_some() && !LEFT.contains(&(rule, format));
    let left = done.line.findings.iter().filter(|finding| !finding.mended).map(|finding| finding.rule.clone());
    let left: BTreeSet<_> = left.collect();
    let again = checked(&checker(true), format, &out);
    let as_wanted = after.contains(*rule) != (mends || *rule == "unknown_source_call");
    let right = as_wanted && left == after && again.patches.is_empty();
    (!right).then(|| format!("{rule}: {format}: left {left:?}, has {after:?} in {}", String::from_utf8_lossy(&out)))
}

#[test]
fn what_can_be_mended_is_mended_and_the_rest_left() {
    let cases = CASES.iter().filter(|(rule, ..)| *rule != "wrong_format");
    assert_eq!(cases.filter_map(mismended).collect::<Vec<_>>(), [""; 0]);
}

fn mended(format: &str, source: &str) -> String {
    let done = checked(&checker(true), format, source.as_bytes());
    String::from_utf8(apply(source.as_bytes(), &done.patches).into_owned()).unwrap()
}

#[test]
fn a_message_with_words_keeps_them_when_its_call_goes() {
    let source = OPENAI.replacen("{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":\"r\"}\n", "", 1);
    let call = r#","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]"#;
    assert_eq!(mended("openai-messages", &source), source.replacen(call, "", 1));
    let wordless = source.replacen(r#""content":"w""#, r#""content":null"#, 1);
    let gone = format!("{{\"role\":\"assistant\",\"content\":null{call}}}\n");
    assert_eq!(mended("openai-messages", &wordless), wordless.replacen(&gone, "", 1));
}

#[test]
fn the_call_that_a_live_session_ends_on_stays() {
    let end = OPENAI.find("{\"role\":\"tool\"").unwrap();
    assert_eq!(rules(&checked(&checker(false), "openai-messages", &OPENAI.as_bytes()[..end])), BTreeSet::new());
    assert_eq!(mended("openai-messages", &OPENAI[..end]), &OPENAI[..end]);
}

#[test]
fn a_result_before_its_call_is_left_since_it_would_have_to_move() {
    let lines: Vec<_> = OPENAI.lines().collect();
    let swapped = [0, 1, 3, 2, 4, 5].map(|at| lines[at]).join("\n");
    assert_eq!(mended("openai-messages", &swapped), swapped);
}

#[test]
fn a_result_behind_words_of_unknown_form_is_left_since_they_may_call() {
    let row = |words: &str, more: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"u"}},{{"role":"assistant","content":"{words}"}},{{"role":"tool"{more},"content":"r"}},{{"role":"assistant","content":"x"}}]}}"#
        )
    };
    let call = r#"<|python_tag|>{\"name\":\"f\",\"parameters\":{\"k\":1}}"#;
    assert_eq!(rules(&checked(&checker(false), "openai-chat", row(call, "").as_bytes())), BTreeSet::new());
    let unknown = row("@@f k:1", "");
    assert!(rules(&checked(&checker(false), "openai-chat", unknown.as_bytes())).contains("orphan_result"));
    assert_eq!(mended("openai-chat", &unknown), unknown);
    let stated = row("w", r#","tool_call_id":"a""#);
    assert!(!mended("openai-chat", &stated).contains("tool_call_id"), "of a call that is gone");
}

#[test]
fn calls_of_one_id_have_a_result_each() {
    let call = r#"{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}"#;
    let result = r#"{"role":"tool","tool_call_id":"a","content":"r"}"#;
    let row = |results: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"u"}},{{"role":"assistant","content":null,"tool_calls":[{call},{call}]}},{results},{{"role":"assistant","content":"x"}}]}}"#
        )
    };
    let two = row(&[result; 2].join(","));
    assert_eq!(mended("openai-chat", &two), two);
    let other = result.replace(r#""r""#, r#""s""#);
    let three = row(&[result, &other, &other].join(","));
    assert_eq!(mended("openai-chat", &three), three, "the fault of the second would stay, so nothing is dropped");
    let turn = |results: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"u"}},{{"role":"assistant","content":null,"tool_calls":[{call}]}},{results},{{"role":"assistant","content":"x"}},{{"role":"user","content":"u"}},{{"role":"assistant","content":null,"tool_calls":[{call}]}}]}}"#
        )
    };
    assert_eq!(mended("openai-chat", &turn(&[result, &other].join(","))), turn(result), "the later call has none");
}

#[test]
fn reasoning_goes_with_the_call_that_it_led_to() {
    let source = CODEX.replacen("\"function_call_output\"", "\"nothing\"", 1);
    let out = mended("codex", &source);
    assert!(!out.contains("encrypted_content") && !out.contains("\"function_call\""), "{out}");
    assert!(out.contains("\"nothing\""), "what has no name stays: {out}");
}

#[test]
fn a_step_of_reasoning_goes_with_its_call_though_a_result_of_no_call_stands_behind_it() {
    let event = |fields: &str| format!(r#"{{"type":"context.append_loop_event","event":{{{fields}}},"time":3}}"#);
    let head = r#"{"type":"metadata","protocol_version":"1.5","created_at":1}"#.to_owned();
    let asked = r#"{"type":"context.append_message","message":{"role":"user","content":[{"type":"text","text":"Is the quay lit?"}],"toolCalls":[],"origin":{"kind":"user"}},"time":2}"#;
    let begin = |id: &str| event(&format!(r#""type":"step.begin","uuid":"{id}""#));
    let end = |id: &str| event(&format!(r#""type":"step.end","uuid":"{id}","finishReason":"tool_use""#));
    let piece = |id: &str, part: &str| {
        event(&format!(r#""type":"content.part","uuid":"p{id}","stepUuid":"{id}","part":{part}"#))
    };
    let call = event(r#""type":"tool.call","uuid":"c","stepUuid":"s1","toolCallId":"c","name":"Read","args":{}"#);
    let result = event(r#""type":"tool.result","parentUuid":"c","toolCallId":"d","result":{"output":"dark"}"#);
    let words = |id: &str| piece(id, r#"{"type":"text","text":"It is dark."}"#);
    let answered = [begin("s2"), words("s2"), end("s2")];
    for (first, stays) in [(piece("s1", r#"{"type":"think","think":"lamps"}"#), false), (words("s1"), true)] {
        let step = [begin("s1"), first, call.clone(), result.clone(), end("s1")];
        let lines = [&[head.clone(), asked.to_owned()][..], &step, &answered].concat();
        let out = mended("kimi-code", &(lines.join("\n") + "\n"));
        assert_eq!((out.matches("s1").count() > 0, out.contains("tool.")), (stays, false), "{out}");
        assert!(rules(&checked(&checker(false), "kimi-code", out.as_bytes())).is_empty(), "{out}");
    }
}

#[test]
fn a_torn_last_line_goes_and_the_newline_before_it_stays() {
    let torn = format!("{OPENAI}{{\"role\":\"assis");
    assert_eq!(mended("openai-messages", &torn), OPENAI);
    let torn = format!("{CLAUDE}{{\"type\":\"assis");
    assert_eq!(mended("claude-code", &torn), CLAUDE);
}

#[test]
fn children_of_an_exact_copy_keep_their_link() {
    let source = CLAUDE.replacen("{\"type\":\"system\"", TWICE, 1);
    assert_eq!(mended("claude-code", &source), CLAUDE);
}

#[test]
fn a_record_without_parent_follows_the_one_before_it() {
    let source = CLAUDE.replacen(r#""parentUuid":"u6""#, r#""parentUuid":"gone""#, 1);
    assert_eq!(mended("claude-code", &source), CLAUDE);
    let first = CLAUDE.replacen(r#""uuid":"u1","parentUuid":null"#, r#""uuid":"u1","parentUuid":"gone""#, 1);
    assert_eq!(mended("claude-code", &first), CLAUDE);
}

#[test]
fn what_would_bring_a_new_fault_is_not_done() {
    let source = SHAREGPT.replacen(
        r#"{"from":"gpt","value":"x"}"#,
        r#"{"from":"function_call","value":"{\"name\":\"f\"}"},{"from":"human","value":"v"},{"from":"gpt","value":"x"}"#,
        1,
    );
    let done = checked(&checker(true), "sharegpt", source.as_bytes());
    assert!(rules(&done).contains("unanswered_call") && done.patches.is_empty(), "the sides would not alternate");
}

#[test]
fn only_rules_that_are_wanted_are_mended() {
    let source = OPENAI.replacen(r#""tool_call_id":"a""#, r#""tool_call_id":"b""#, 1);
    let choice = Choice { select: vec!["orphan_result".into()], ignore: Vec::new() };
    let done = checked(&Checker { rules: choice, ..checker(true) }, "openai-messages", source.as_bytes());
    assert_eq!(rules(&done), BTreeSet::from(["orphan_result".to_owned()]));
    let out = String::from_utf8(apply(source.as_bytes(), &done.patches).into_owned()).unwrap();
    assert!(out.contains("tool_calls") && !out.contains("tool_call_id"));
}

#[test]
fn every_invalid_line_is_named_with_its_place() {
    let source = format!("{{\"a\n{OPENAI}\u{feff}x\n");
    let done = checked(&checker(false), "openai-messages", source.as_bytes());
    let places: Vec<_> = done.line.findings.iter().map(|it| (it.rule.as_str(), it.line, it.column)).collect();
    assert_eq!(places, [("invalid_line", 1, Some(3)), ("invalid_line", 8, Some(1))]);
}

#[test]
fn records_that_share_a_line_are_parted_and_nothing_is_dropped() {
    for (format, good) in [("claude-code", CLAUDE), ("openai-messages", OPENAI), ("codex", CODEX)] {
        let lines: Vec<&str> = good.lines().collect();
        for at in 1..lines.len() {
            let broken = format!("{}{}\n", lines[..at].join("\n"), lines[at..].join("\n"));
            let done = checked(&checker(true), format, broken.as_bytes());
            let mended = String::from_utf8(apply(broken.as_bytes(), &done.patches).into_owned()).unwrap();
            assert_eq!(mended.trim_end(), good.trim_end(), "{format} {at}");
            assert_eq!(rules(&done), BTreeSet::from(["glued_records".to_owned()]), "{format} {at}");
        }
    }
    let row = r#"{"messages":[{"role":"user","content":"u"},{"role":"assistant","content":"x"}]}"#;
    let done =
        by_name("openai-chat").map(|format| checker(true).run(format, format!("{row}{row}").as_bytes(), 3)).unwrap();
    let mended = apply(format!("{row}{row}").as_bytes(), &done.patches).into_owned();
    assert_eq!(String::from_utf8(mended).unwrap(), format!("{row}\n{row}"));
}

#[test]
fn what_is_torn_beside_a_record_is_told_as_dropped() {
    let lines: Vec<&str> = OPENAI.lines().collect();
    let broken = OPENAI.replace(lines[4], &format!("{{\"id\":1,\"content\":\"we{}", lines[4])) + "{\"ro";
    let found = |ignored: &str| {
        let rules = Choice { select: Vec::new(), ignore: vec![ignored.to_owned()] };
        let done = checked(&Checker { rules, ..checker(true) }, "openai-messages", broken.as_bytes());
        let told: Vec<_> = done.line.findings.iter().map(|it| (it.rule.clone(), it.line, it.mended)).collect();
        (told, String::from_utf8(apply(broken.as_bytes(), &done.patches).into_owned()).unwrap())
    };
    let dropped = |line| ("invalid_line".to_owned(), line, true);
    assert_eq!(found("glued_records"), (vec![dropped(5), dropped(7)], OPENAI.to_owned()));
    assert_eq!(found("invalid_line"), (Vec::new(), broken.clone()), "nothing is dropped that is not told");
    let row = r#"{"messages":[{"role":"user","content":"u"},{"role":"assistant","content":"x"}]}"#;
    let torn = format!(r#"{{"messages":[{{"role":"user","content":"tw{row}"#);
    let done = by_name("openai-chat").map(|format| checker(true).run(format, torn.as_bytes(), 3)).unwrap();
    assert_eq!(*apply(torn.as_bytes(), &done.patches), *row.as_bytes());
    assert_eq!(rules(&done), BTreeSet::from(["invalid_line".to_owned()]));
}

#[test]
fn a_backslash_that_begins_no_escape_is_doubled_and_nothing_is_dropped() {
    let good = OPENAI.replace(r#""content":"r""#, r#""content":"\\\\***\\users""#);
    let broken = OPENAI.replace(r#""content":"r""#, r#""content":"\\\***\users""#);
    let done = checked(&checker(true), "openai-messages", broken.as_bytes());
    let mended = String::from_utf8(apply(broken.as_bytes(), &done.patches).into_owned()).unwrap();
    assert_eq!(mended, good);
    assert_eq!(rules(&done), BTreeSet::from(["invalid_escape".to_owned()]));
    assert_eq!(done.line.outcome, Outcome::Mended);
}

#[test]
fn samples_break_no_rule_but_those_that_say_so() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let files = walkdir::WalkDir::new(&root).sort_by_file_name().into_iter().map(Result::unwrap);
    let mut found = Vec::new();
    for file in files.filter(|file| file.file_type().is_file()) {
        let bytes = fs::read(file.path()).unwrap();
        let Ok(Detected { format: Some(format), layout, .. }) = detect(&bytes) else { continue };
        for (line, source) in sources(layout, &bytes) {
            let done = checker(false).run(format, source, line);
            let path = file.path().strip_prefix(&root).unwrap().display().to_string();
            found.extend(done.line.findings.iter().map(|it| format!("{path}:{} {} {}", it.line, it.rule, it.subject)));
        }
    }
    assert_eq!(found, EXPECTED);
}

/// Faults that samples have on purpose.
const EXPECTED: &[&str] = &[];

/// The transcripts of a file, each with the number of its first line.
fn sources(layout: Layout, bytes: &[u8]) -> Vec<(usize, &[u8])> {
    match layout {
        Layout::Session => vec![(1, bytes)],
        Layout::PerLine => lines::lines(bytes).map(|line| (line.number, &bytes[line.span])).collect(),
        Layout::PerElement(key) => match elements(bytes, key) {
            Ok(all) => all.into_iter().map(|it| (it.line, &bytes[it.span])).collect(),
            Err(_) => Vec::new(),
        },
    }
}

/// What is wrong with the mended transcript, if anything.
fn wrong(format: &'static dyn Format, source: &[u8], line: usize) -> Option<String> {
    let done = checker(true).run(format, source, line);
    if let Some(rule) = rules(&done).iter().find(|rule| !holds_in(rule, format.name())) {
        return Some(format!("{rule} is not said to hold in {}", format.name()));
    }
    if done.patches.is_empty() {
        return done.line.findings.iter().any(|it| it.mended).then(|| "mended without a change".to_owned());
    }
    let out = apply(source, &done.patches);
    if out.is_empty() {
        return None;
    }
    let before = checker(false).judge(format, source, line).faults;
    let after = checker(false).judge(format, &out, line).faults;
    let new = new_faults(&before, &after);
    let left = done.line.findings.iter().filter(|it| !it.mended).count();
    let unlike = (left != after.len()).then(|| format!("{left} are said to be left, and there are {}", after.len()));
    new.first().map(|fault| format!("new: {fault:?}")).or(unlike)
}

#[test]
#[ignore = "needs the corpus"]
fn nothing_that_is_mended_in_the_corpus_gets_a_new_fault() {
    let corpus = corpus();
    let manifest = fs::read_to_string(corpus.join("MANIFEST.tsv")).unwrap();
    let files: Vec<_> = manifest.lines().skip(1).filter_map(|row| row.split('\t').next()).collect();
    let judge = |local: &&str| {
        let bytes = fs::read(corpus.join(local)).unwrap();
        let Ok(Detected { format: Some(format), layout, .. }) = detect(&bytes) else { return Vec::new() };
        let found = sources(layout, &bytes).into_iter();
        found.filter_map(|(line, source)| Some(format!("{local}:{line}: {}", wrong(format, source, line)?))).collect()
    };
    let found: Vec<String> = files.par_iter().flat_map_iter(judge).collect();
    assert!(found.is_empty(), "{} wrong:\n{}", found.len(), found.join("\n"));
}

#[test]
fn a_summary_is_held_to_the_template_whose_headings_it_has() {
    let tides = Template::parse("## Tides\n\n## Lamps\n\n## Ropes\n", &[], false).unwrap();
    let several = Checker { templates: vec![Template::default(), tides], ..checker(false) };
    let broken = |checker: &Checker, summary: &str| {
        let text = serde_json::Value::from(crate::summary::wrap(summary));
        let line = format!("{{\"role\":\"user\",\"content\":\"u\"}}\n{{\"role\":\"system\",\"content\":{text}}}\n");
        rules(&checked(checker, "openai-messages", line.as_bytes())).len()
    };
    let other = "## Tides\n- high\n\n## Lamps\n- red\n\n## Ropes\n- old";
    assert_eq!(broken(&several, other), 0);
    assert_eq!(broken(&several, &other.replace("\n- red", "")), 1, "an empty section of that template");
    let longer = Template::parse("## Tides\n\n## Lamps\n\n## Ropes\n\n## Piers\n", &[], false).unwrap();
    let both = Checker { templates: vec![several.templates[1].clone(), longer], ..checker(false) };
    assert_eq!(broken(&both, &format!("{other}\n\n## Piers\n- long")), 0, "the one with most of its headings");
    assert_eq!(broken(&both, other), 0, "the first of two");
    assert_eq!(broken(&several, "## Goal\n- burn"), 1, "the first one");
    assert_eq!(broken(&several, "[94 messages were left out]"), 0);
    assert_eq!(broken(&several, "Nothing of use"), 1, "no note");
    assert_eq!(broken(&checker(false), other), 2, "nothing else is known");
    assert_eq!(broken(&checker(false), "[94 messages were left out]"), 1);
}
