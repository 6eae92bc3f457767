//! Rows with an answer stored beside the messages, under `--max-tokens`: the answer takes its part.

use super::*;
use crate::check::Choice;
use crate::format::{by_name, detect};
use crate::preset::When;

/// The outcome and error for a row with this many words in prompt and answer, and a maximum of tokens.
fn run(prompt: usize, answer: usize, most: u64) -> (String, Option<String>) {
    let tide = |words: usize| "tide ".repeat(words).trim_end().to_owned();
    let turn = |role: &str, text: &str| serde_json::json!({"role": role, "content": text});
    let messages = [turn("user", &tide(prompt)), turn("assistant", &tide(prompt)), turn("user", "and now?")];
    let row = serde_json::json!({"prompt": messages, "chosen": [turn("assistant", &tide(answer))], "rejected": [turn("assistant", "no")]});
    let row = row.to_string();
    let format = detect(row.as_bytes()).unwrap().format.unwrap();
    let work = opencode(|settings| {
        settings.limits.max_tokens = Some(most);
        settings.split.tail_tokens = Some(20);
        settings.overflow.when = When::Overflow;
    });
    let line = work.run(format, row.as_bytes(), 1).line;
    (format!("{:?} {}", line.outcome, line.reason.unwrap_or_default()).trim_end().to_owned(), line.error)
}

#[test]
fn what_the_answer_leaves_of_the_bound_is_kept() {
    assert_eq!(run(300, 100, 2000), ("Unchanged below_trigger".into(), None));
    let (outcome, error) = run(300, 100, 500);
    assert_eq!((&*outcome, error), ("Compacted", None));
}

#[test]
fn the_longest_answer_is_counted_apart_and_shown_to_those_who_want_to_see() {
    let turn = |role: &str, text: &str| serde_json::json!({"role": role, "content": text});
    let messages = [turn("user", "which tide?"), turn("assistant", "the high tide")];
    let row =
        serde_json::json!({"messages": messages, "rejected_response": "tide tide tide tide tide tide"}).to_string();
    let seen = std::sync::Mutex::new(Vec::new());
    type Amount = crate::report::Amount;
    let observer = |transcript: &crate::transcript::Transcript<'_>, beside: Option<Amount>, unread: Amount| {
        let tally = crate::report::Tally::of(transcript, beside, unread);
        seen.lock().unwrap().push((tally.roles["assistant"].tokens, tally.kinds["answer_beside"]));
    };
    let mut work = opencode(|_| ());
    work.observer = Some(&observer);
    let line = work.run(detect(row.as_bytes()).unwrap().format.unwrap(), row.as_bytes(), 1).line;
    let share = crate::report::Amount { count: 1, tokens: 7, bytes: 29 };
    assert_eq!((line.tokens.beside, &seen.lock().unwrap()[..]), (7, &[(7, share)][..]));
}

#[test]
fn turns_that_can_t_be_read_are_shown_by_what_they_are() {
    let turn = |role: &str, text: &str| serde_json::json!({"from": role, "value": text});
    let turns = [turn("human", "which tide?"), turn("table", "tide tide tide"), turn("gpt", "the high tide")];
    let row = serde_json::json!({ "conversations": turns }).to_string();
    let seen = std::sync::Mutex::new(None);
    type Amount = crate::report::Amount;
    let observer = |transcript: &crate::transcript::Transcript<'_>, beside: Option<Amount>, unread: Amount| {
        *seen.lock().unwrap() = Some(crate::report::Tally::of(transcript, beside, unread));
    };
    let mut work = opencode(|_| ());
    work.observer = Some(&observer);
    work.run(detect(row.as_bytes()).unwrap().format.unwrap(), row.as_bytes(), 1);
    let tally = seen.lock().unwrap().take().unwrap();
    let expected = Amount { count: 1, tokens: tally.kinds["unread_message"].tokens, bytes: 14 };
    assert_eq!([tally.kinds["unread_message"], tally.roles["(unknown)"]], [expected; 2]);
    assert!(expected.tokens > 0);
}

#[test]
fn an_answer_that_takes_all_of_the_bound_is_said_to() {
    let (outcome, error) = run(300, 100, 100);
    assert_eq!(outcome, "Failed over_budget");
    assert_eq!(error.unwrap(), "the answer beside the messages has 101 tokens, --max-tokens is 100");
}

#[test]
fn an_error_says_what_is_left_of_the_bound_and_why() {
    let (outcome, error) = run(300, 100, 105);
    let error = error.unwrap();
    assert_eq!(outcome, "Failed over_budget", "{error}");
    assert!(error.contains("--max-tokens 4 (105 less the 101 of the answer beside the messages)"), "{error}");
}

/// What comes of a row under a bound, and its error.
fn bounded(row: &serde_json::Value, change: impl Fn(&mut Settings)) -> crate::report::Line {
    let row = row.to_string();
    let format = detect(row.as_bytes()).unwrap().format.unwrap();
    let work = opencode(|settings| {
        settings.split.tail_tokens = Some(20);
        change(settings);
    });
    work.run(format, row.as_bytes(), 1).line
}

#[test]
fn turns_that_cannot_be_read_take_their_part_of_the_bound() {
    let turn = |from: &str, words: usize| serde_json::json!({"from": from, "value": "tide ".repeat(words)});
    let row = |from: &str| serde_json::json!({"conversations": [turn("human", 5), turn(from, 300), turn("gpt", 5)]});
    let run = |from: &str, most: u64| {
        bounded(&row(from), |settings| {
            settings.limits.max_tokens = Some(most);
            settings.overflow.when = When::Overflow;
        })
    };
    let line = run("table", 100);
    assert_eq!((line.outcome, line.reason.as_deref()), (crate::report::Outcome::Failed, Some("over_budget")));
    let error = line.error.unwrap();
    assert!(error.starts_with("turns that can't be read have 30"), "{error}");
    assert_eq!(run("table", 2000).reason.as_deref(), Some("unknown_speaker"));
    assert_eq!(run("table", 2000).tokens, run("observation", 2000).tokens, "they count like others");
}

#[test]
fn a_summary_that_answers_a_question_fits_the_bound_with_it() {
    let part = |text: String| serde_json::json!([{"text": text}]);
    let words = |at: usize| format!("The lamp {at} of quay {at} was lit at {at} o'clock by keeper {at}. ").repeat(6);
    let turn = |at: usize| serde_json::json!({"role": if at.is_multiple_of(2) { "user" } else { "model" }, "parts": part(words(at))});
    let contents: Vec<_> =
        (0..21).map(turn).chain([serde_json::json!({"role": "model", "parts": part("Lit.".into())})]).collect();
    for most in [500, 570, 590] {
        let line = bounded(&serde_json::json!({"contents": contents}), |settings| {
            settings.limits.max_tokens = Some(most);
            settings.split.tail_tokens = Some(150);
        });
        assert_eq!((line.outcome, line.error), (crate::report::Outcome::Compacted, None), "{most}");
        assert!(line.tokens.after <= most);
    }
}

#[test]
fn a_summary_is_counted_as_it_is_spelled() {
    let turn = |role: &str, text: String| serde_json::json!({"role": role, "content": text});
    let asked =
        |at: usize| turn("user", format!("<image><image>Please compare the lamps of quay {at}: which one is lit?"));
    let turns: Vec<_> = (0..12).flat_map(|at| [asked(at), turn("assistant", format!("Lamp {at}."))]).collect();
    let row = serde_json::json!({"messages": turns, "images": vec!["lamp.png"; 24]});
    let line = bounded(&row, |_| {});
    assert_eq!((line.outcome, line.error.as_deref()), (crate::report::Outcome::Compacted, None));
    assert_eq!(line.tokens.after, line.tokens.tail + line.tokens.summary);
}

#[test]
fn a_lone_question_is_left_out_of_what_is_converted() {
    let work =
        Converter { compactor: opencode(|_| ()), compacts: false, target: crate::convert::target("trl").unwrap() };
    let row = |turns: &str| format!(r#"{{"conversations":[{turns}]}}"#);
    let asked = r#"{"from":"human","value":"Which tide?"}"#;
    let run = |row: &str| work.run(crate::format::by_name("sharegpt").unwrap(), row.as_bytes(), 1).line;
    let line = run(&row(asked));
    assert_eq!((line.outcome, line.reason.as_deref()), (Outcome::Skipped, Some("no_answer")));
    assert!(line.tokens.before > 0 && (line.tokens.after, line.messages.after) == (0, 0));
    let answered = row(&format!(r#"{asked},{{"from":"gpt","value":"The high one."}}"#));
    assert_eq!(run(&answered).outcome, Outcome::Converted);
}

#[test]
fn a_session_that_nobody_answers_is_left_out_of_rows_whatever_their_format() {
    let line = |compacts: bool, (from, source): (&str, &str), target: &str| {
        let work = Converter { compactor: opencode(|_| ()), compacts, target: crate::convert::target(target).unwrap() };
        work.run(by_name(from).unwrap(), source.as_bytes(), 1).line
    };
    let asked = r#"{"role":"user","content":"Which tide?"}"#;
    for target in ["openai-chat", "trl", "sharegpt", "anthropic-messages"] {
        let line = line(false, ("openai-messages", asked), target);
        assert_eq!((line.outcome, line.reason.as_deref()), (Outcome::Skipped, Some("no_answer")), "{target}");
    }
    assert_eq!(line(false, ("openai-messages", asked), "codex").outcome, Outcome::Converted);
    let thought = r#"{"role":"assistant","content":"","reasoning_content":"The tide is high at noon."}"#;
    let row = format!(r#"{{"messages":[{asked},{thought}]}}"#);
    let only_thought = line(false, ("openai-chat", &row), "trl");
    assert_eq!((only_thought.outcome, only_thought.reason.as_deref()), (Outcome::Skipped, Some("no_answer")));
    let row = format!(r#"{{"system":"s","messages":[{asked}]}}"#);
    let same = line(true, ("anthropic-messages", &row), "anthropic-messages");
    assert_eq!((same.outcome, same.reason.as_deref()), (Outcome::Skipped, Some("no_answer")));
}

/// Rows that end on a question or a result are counted by checks and conversions.
#[test]
fn rows_that_end_on_no_answer_are_counted() {
    let user = r#"{"role":"user","content":"Which lamp?"}"#;
    let answer = r#"{"role":"assistant","content":"The green one."}"#;
    let call = r#"{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}"#;
    let result = r#"{"role":"tool","tool_call_id":"c1","content":"green"}"#;
    let cases = [
        (vec![user, answer], false),
        (vec![user, answer, user], true),
        (vec![user, call, result], true),
        (vec![user, call, result, answer], false),
        (vec![user], false),
    ];
    let format = by_name("openai-chat").unwrap();
    for (messages, ends) in cases {
        let row = format!("{{\"messages\":[{}]}}", messages.join(","));
        let checker =
            Checker { rules: Choice::default(), templates: Vec::new(), held: Held::All, fix: false, from: None };
        assert_eq!(checker.run(format, row.as_bytes(), 1).line.unanswered_end, ends, "{row}");
        let converted = |target| {
            let work = Converter {
                compactor: opencode(|_| ()),
                compacts: false,
                target: crate::convert::target(target).unwrap(),
            };
            work.run(format, row.as_bytes(), 1).line.unanswered_end
        };
        assert_eq!(converted("trl"), ends, "{row}");
        assert!(!converted("anthropic-messages"), "that may be a logged call, and a check says nothing of it: {row}");
        assert!(!converted("codex"), "that is no row: {row}");
    }
    let beside = format!("{{\"prompt\":[{user},{answer},{user}],\"completion\":[{answer}]}}");
    let trl = by_name("trl").unwrap();
    let checker = Checker { rules: Choice::default(), templates: Vec::new(), held: Held::All, fix: false, from: None };
    assert!(!checker.run(trl, beside.as_bytes(), 1).line.unanswered_end, "the answer stands beside");
}

#[test]
fn a_row_that_is_kept_unread_is_told() {
    let mut work = opencode(|_| ());
    work.lenient = true;
    let format = crate::format::by_name("openai-chat").unwrap();
    for (row, rule) in [(r#"{"messages":[{"role":"#, "invalid_line"), (r#"{"tide":1}"#, "unknown_shape")] {
        let line = work.run(format, row.as_bytes(), 7).line;
        assert_eq!(line.outcome, crate::report::Outcome::Unchanged, "{row}");
        let faults = [(rule.to_owned(), 1)].into();
        assert_eq!((&line.faults.before, &line.faults.after), (&faults, &faults), "{row}");
        assert_eq!(line.warnings, ["line 7 can't be read and was kept as it is"], "{row}");
    }
    let fine = work.run(format, br#"{"messages":[{"role":"user","content":"Moor."}]}"#, 7).line;
    assert!(fine.warnings.is_empty() && !fine.faults.before.contains_key("unknown_shape"));
}

#[test]
fn a_row_in_a_dialect_of_the_target_is_spelled_anew_only_where_nothing_is_lost() {
    let written = |compacts: bool, row: &str| {
        let work =
            Converter { compactor: opencode(|_| ()), compacts, target: crate::convert::target("openai-chat").unwrap() };
        let done = work.run(by_name("openai-chat").unwrap(), row.as_bytes(), 1);
        assert_eq!(done.line.outcome, Outcome::Converted, "{row}: {:?}", done.line.error);
        String::from_utf8(crate::transcript::apply(row.as_bytes(), &done.patches).into_owned()).unwrap()
    };
    let turn = |call: &str, more: &str| {
        format!(
            r#"[{{"role":"user","content":"u"}},{{"role":"assistant","content":null,"tool_calls":[{call}]}},{{"role":"tool","tool_call_id":"a","content":"r"}},{{"role":"assistant","content":"x"{more}}}]"#
        )
    };
    let call = |arguments: &str| {
        format!(r#"{{"id":"a","type":"function","function":{{"name":"f","arguments":{arguments}}}}}"#)
    };
    let dialect = turn(&call(r#"{"k":1}"#), "");
    let plain = format!("{{\"messages\":{}}}\n", turn(&call(r#""{\"k\":1}""#), ""));
    assert_eq!(written(false, &format!(r#"{{"messages":{dialect}}}"#)), plain);
    for row in [
        format!(r#"{{"id":7,"messages":{dialect}}}"#),
        format!(r#"{{"messages":{}}}"#, turn(&call(r#"{"k":1}"#), r#","weight":0"#)),
        format!(r#"{{"messages":{},"images":["a.png"]}}"#, dialect.replace(r#""u""#, r#""<image>u""#)),
        r#"{"messages":[{"role":"user","content":"u"},{"role":"critic","content":"c"},{"role":"assistant","content":"x"}]}"#
            .to_owned(),
    ] {
        assert_eq!(written(false, &row), format!("{row}\n"), "something would be lost");
        assert_eq!(written(true, &row), format!("{row}\n"));
    }
    let unnamed = plain.replace(r#""tool_call_id":"a","#, "");
    assert_eq!(written(true, &unnamed), unnamed);
}

#[test]
fn a_row_of_which_nothing_can_be_summarized_needs_what_it_has() {
    let turn = |role: &str, words: usize| serde_json::json!({"role": role, "content": "tide ".repeat(words)});
    let mut messages = vec![turn("user", 20)];
    for weight in [1, 0, 0] {
        let mut answer = turn("assistant", 100);
        answer["weight"] = weight.into();
        messages.extend([answer, turn("user", 100)]);
    }
    messages.pop();
    for most in [300, 60] {
        let line = bounded(&serde_json::json!({ "messages": messages }), |settings| {
            settings.limits.max_tokens = Some(most);
            settings.overflow.when = When::Overflow;
        });
        let (error, all) = (line.error.unwrap(), line.tokens.before);
        assert_eq!(error, format!("what must stay needs {all} tokens, summary included, above --max-tokens {most}"));
    }
}
