//! Whole runs with a misbehaving model: the head is never lost, no partial files, named outcomes, no secrets.

use crate::field::{Field, GOOD, KEY, RULE, TOKEN, asked, says, summary_of};
use crate::server::{Server, Step, completion};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

#[test]
fn a_good_answer_becomes_the_summary_and_is_accounted_for() {
    let (field, server) = (Field::new(2), Server::steps(vec![says(GOOD)]));
    let output = field.run(&server, &["--llm-price", "1,10"]);
    assert!(output.status.success(), "{output:?}");
    for (text, line) in field.outputs().iter().zip(field.lines()) {
        assert!(summary_of(text).contains("- The model was here."), "{text}");
        assert_eq!((&line["summary"]["by"], &line["llm"]["outcome"]), (&"llm".into(), &"written".into()));
        let llm = &line["llm"];
        assert_eq!(
            (&llm["input_tokens"], &llm["output_tokens"], &llm["cost_micros"]),
            (&100.into(), &20.into(), &300.into())
        );
        assert_eq!(llm["redacted"], serde_json::json!({"GitHub token": 1}));
        assert_eq!(llm["calls"][0]["model"], "m");
    }
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("model    asked 2 questions; 200 + 40 tokens, cost 0.000600\n"), "{told}");
    let seen = server.seen();
    assert!(seen.iter().all(|seen| seen.headers.iter().any(|line| line.contains(KEY))));
    assert!(seen.iter().all(|seen| !seen.body.contains(TOKEN) && asked(seen).contains("[secret]")));
}

#[test]
fn whatever_the_model_does_no_head_is_lost_and_the_outcome_has_a_name() {
    let raw = |status, body: &str| Step::Raw(status, Vec::new(), body.into());
    let refusal = r#"{"choices":[{"message":{"content":"","refusal":"no"}}]}"#;
    let reasoning = r#"{"choices":[{"message":{"content":"","reasoning":"hm"}}]}"#;
    let tool = r#"{"choices":[{"message":{"content":"","tool_calls":[{}]}}]}"#;
    let cut = r###"{"choices":[{"message":{"content":"## Goal\n- x"},"finish_reason":"length"}]}"###;
    let cases = [
        ("refused", raw(200, refusal)),
        ("refused", says("I'm sorry, but I can't help with that.")),
        ("empty", says("")),
        ("reasoning_only", raw(200, reasoning)),
        ("tool_calling", raw(200, tool)),
        ("length_cut", raw(200, cut)),
        ("http_status", raw(500, "broken")),
        ("http_status", raw(404, "the model `m` does not exist")),
        ("unauthorized", raw(401, &format!("{KEY} is no key"))),
        ("rate_limited", Step::Raw(429, vec!["retry-after: Fri, 01 Jan 2100 00:00:00 GMT".into()], String::new())),
        ("redirected", Step::Raw(302, vec!["location: http://127.0.0.1:1/".into()], String::new())),
        ("not_json", raw(200, "<html>")),
        ("not_an_answer", raw(200, "{}")),
        ("server_error", raw(200, r#"{"error":{"message":"overloaded"}}"#)),
        ("torn", Step::Half(completion(GOOD))),
        ("torn", Step::Closed),
        ("torn", Step::Noise("SSH-2.0-OpenSSH_9.6\r\n".into())),
        ("not_json", raw(200, "")),
        ("timeout", Step::Silent(Duration::from_secs(30))),
        ("timeout", Step::Slow(Duration::from_millis(30), completion(GOOD))),
        ("too_large", Step::Huge(9 << 20)),
        ("too_long_for_model", raw(400, "maximum context length is 10 tokens")),
    ];
    for (name, step) in cases {
        let (field, server) = (Field::new(1), Server::steps(vec![step]));
        let output = field.run(&server, &["--llm-timeout", "1s"]);
        assert!(output.status.success(), "{name}: {output:?}");
        let (line, text) = (field.lines().remove(0), field.outputs().remove(0));
        assert_eq!(
            (&line["summary"]["by"], &line["llm"]["outcome"]),
            (&"extractive".into(), &"extractive".into()),
            "{name}"
        );
        let calls = line["llm"]["calls"].as_array().unwrap();
        assert_eq!(calls.last().unwrap()["outcome"], name, "{calls:?}");
        assert!(summary_of(&text).contains(RULE), "{name}: the head is there: {text}");
        assert!(!field.written(&output).contains(KEY), "{name}");

        let strict = Field::new(1);
        let output = strict.run(&server, &["--llm-timeout", "1s", "--no-fallback"]);
        assert_eq!(output.status.code(), Some(1), "{name}");
        let line = strict.lines().remove(0);
        assert_eq!((&line["outcome"], &line["reason"]), (&"failed".into(), &"no_summary".into()), "{name}");
        assert!(line["error"].as_str().unwrap().contains(name), "{line}");
        assert_eq!(line["llm"]["outcome"], "none");
        assert!(strict.outputs().is_empty(), "{name}: there is no output");
    }
}

#[test]
fn rows_that_a_model_failed_are_tried_again_by_the_next_run() {
    let field = Field::new(1);
    field.rows(2);
    let mended = Arc::new(AtomicBool::new(false));
    let is_mended = mended.clone();
    let server = Server::start(move |_, _| match is_mended.load(Ordering::SeqCst) {
        false => Step::Raw(404, Vec::new(), "no such model".into()),
        true => says(GOOD),
    });
    let failed = field.run(&server, &["--no-fallback"]);
    assert_eq!(failed.status.code(), Some(1), "{failed:?}");
    assert!(field.lines().iter().all(|line| line["reason"] == "no_summary"));
    mended.store(true, Ordering::SeqCst);
    let done = field.run(&server, &["--no-fallback"]);
    assert!(done.status.success(), "{done:?}");
    assert_eq!(field.lines().iter().filter(|line| line["outcome"] == "compacted").count(), 2);
}

/// A good answer with its last section first.
fn disordered() -> String {
    let (rest, last) = GOOD.split_at(GOOD.rfind("## ").unwrap());
    format!("{last}\n{rest}")
}

#[test]
fn faulty_answers_are_mended_and_the_report_says_how() {
    let cases = [
        (format!("Sure, here it is:\n\n```md\n{GOOD}```"), "written"),
        (GOOD.replace("## Instructions\n- Never touch the lexer.\n\n", ""), "filled"),
        (GOOD.replace("- The model was here.", "- lib/invented.py has MadeUpError"), "filled"),
        (format!("<conversation>\nx\n</conversation>\n{GOOD}"), "written"),
        (format!("{GOOD}\n## Goal\n- Fix it\n"), "written"),
        (disordered(), "written"),
        (GOOD.replace("## Goal\n", "## Goal\n- And lib/invented.py\n"), "written"),
        ("## Goal\n- Fix the parser\n".to_owned(), "filled"),
    ];
    for (answer, outcome) in cases {
        let (field, server) = (Field::new(1), Server::steps(vec![says(&answer)]));
        assert!(field.run(&server, &[]).status.success());
        let (line, text) = (field.lines().remove(0), summary_of(&field.outputs()[0]));
        assert_eq!(line["llm"]["outcome"], outcome, "{line}");
        assert!(text.contains(RULE) && !text.contains("invented") && !text.contains("```"), "{text}");
        let sections = line["summary"]["sections"].as_array().unwrap();
        assert!(sections.len() == 5 && sections.iter().all(|section| section["faults"] == serde_json::json!([])));
    }
}

#[test]
fn what_passes_is_waited_for_and_the_model_s_summary_stands() {
    let raw = |status, headers: &[&str]| {
        Step::Raw(status, headers.iter().map(|line| (*line).to_owned()).collect(), "later".into())
    };
    let cases = [
        raw(408, &[]),
        raw(409, &[]),
        raw(425, &[]),
        raw(429, &["retry-after: 0"]),
        raw(429, &["retry-after: Fri, 02 Jan 2026 05:00:00 GMT", "date: Fri, 02 Jan 2026 05:00:00 GMT"]),
        raw(500, &["retry-after: 0"]),
        raw(503, &["retry-after: 0"]),
        Step::Half(completion(GOOD)),
        Step::Closed,
    ];
    for step in cases {
        let (field, server) = (Field::new(1), Server::steps(vec![step, says(GOOD)]));
        assert!(field.run(&server, &["--llm-retries", "1"]).status.success());
        let llm = field.first();
        assert_eq!((&llm["outcome"], &llm["calls"][0]["requests"]), (&"written".into(), &2.into()), "{llm}");
    }
}

#[test]
fn the_report_says_which_model_answered_though_another_was_asked() {
    let body = completion(GOOD).replace("\"model\":\"m\"", &format!("\"model\":\"tiny {KEY}\\n\""));
    let (field, server) = (Field::new(1), Server::steps(vec![Step::Raw(200, Vec::new(), body)]));
    let output = field.run(&server, &["--llm-cache", "answers"]);
    assert_eq!(field.first()["calls"][0]["model"], "tiny [key]");
    assert!(!field.written(&output).contains(KEY));
    field.run(&server, &["--llm-cache", "answers", "--force", "--llm-cache-only"]);
    assert_eq!(field.first()["calls"][0]["model"], "tiny [key]", "a stored answer is of the same model");
}

#[test]
fn an_answer_that_is_asked_for_twice_is_asked_for_with_what_was_wrong() {
    let short = GOOD.replace("## Accomplished\n- Edited src/parse.rs\n\n", "");
    for (first, outcome) in [(short.as_str(), "written"), ("", "written")] {
        let (field, server) = (Field::new(1), Server::steps(vec![says(first), says(GOOD)]));
        assert!(field.run(&server, &[]).status.success());
        assert_eq!(field.first()["outcome"], outcome);
        let questions: Vec<String> = server.seen().iter().map(asked).collect();
        let wrong = if first.is_empty() { "empty" } else { "Accomplished" };
        let behind = questions[1].rfind("</template>").or_else(|| questions[1].rfind("</conversation>")).unwrap();
        assert!(questions.len() == 2 && questions[1][behind..].contains(wrong), "{}", &questions[1][behind..]);
    }
}

#[test]
fn a_hybrid_takes_prose_from_the_model_and_the_rest_from_the_transcript() {
    let (field, server) = (
        Field::new(1),
        Server::steps(vec![says("## Goal\n- Fix it\n## Discoveries\n- Nothing new\n## Accomplished\n- Much\n")]),
    );
    assert!(field.run(&server, &["--summarizer", "hybrid"]).status.success());
    let text = summary_of(&field.outputs()[0]);
    assert!(text.contains("- Much") && text.contains(&format!("## Instructions\n- {RULE}")), "{text}");
    assert!(text.contains("`src/parse.rs`"), "{text}");
    assert_eq!(field.lines()[0]["summary"]["by"], "hybrid");
}

/// Waits until a number of questions are in flight, or gives up.
struct Gathering {
    here: Mutex<usize>,
    came: Condvar,
}

impl Gathering {
    fn wait_for(&self, count: usize) -> usize {
        let mut here = self.here.lock().unwrap();
        *here += 1;
        self.came.notify_all();
        let until = Instant::now() + Duration::from_secs(20);
        while *here < count && Instant::now() < until {
            here = self.came.wait_timeout(here, Duration::from_millis(100)).unwrap().0;
        }
        *here
    }
}

#[test]
fn questions_are_in_flight_together_though_one_core_is_worked_on() {
    let gathering = Arc::new(Gathering { here: Mutex::default(), came: Condvar::new() });
    let shared = gathering.clone();
    let server =
        Server::start(
            move |_, _| {
                if shared.wait_for(8) >= 8 { says(GOOD) } else { Step::Raw(500, Vec::new(), "alone".into()) }
            },
        );
    let field = Field::new(8);
    assert!(field.run(&server, &["-j", "1", "--llm-concurrency", "8"]).status.success());
    let written = field.lines().iter().filter(|line| line["llm"]["outcome"] == "written").count();
    assert_eq!(written, 8, "fewer than 8 questions were open at the same time within 20 s");
}

#[test]
fn the_same_answers_give_the_same_bytes_at_any_number_of_threads() {
    let server = Server::steps(vec![says(GOOD)]);
    let outputs = ["1", "2", "16"].map(|threads| {
        let field = Field::new(6);
        assert!(field.run(&server, &["-j", threads, "--llm-concurrency", threads]).status.success());
        field.outputs()
    });
    assert!(outputs[0] == outputs[1] && outputs[1] == outputs[2] && outputs[0].len() == 6);
}

#[test]
fn a_second_run_asks_nothing_that_was_answered() {
    let (field, server) = (Field::new(3), Server::steps(vec![says(GOOD)]));
    let cached = ["--llm-cache", "answers", "--force"];
    let first = field.run(&server, &cached);
    assert!(first.status.success(), "{first:?}");
    let outputs = field.outputs();
    assert!(field.run(&server, &[&cached[..], &["--llm-cache-only"]].concat()).status.success());
    assert_eq!(server.seen().len(), 3);
    assert_eq!(field.outputs(), outputs);
    assert!(
        field.lines().iter().all(|line| line["llm"]["calls"][0]["cached"] == true && line["llm"]["input_tokens"] == 0)
    );
    let all = field.written(&first);
    assert!(!all.contains(KEY), "the key is nowhere");
    let stored = walkdir::WalkDir::new(field.path("answers")).into_iter().map(Result::unwrap);
    let stored = stored.filter(|file| file.path().is_file()).map(|file| fs::read_to_string(file.path()).unwrap());
    assert!(stored.map(|text| assert!(!text.contains(TOKEN) && !text.contains("lexer case"), "{text}")).count() == 3);
}

#[test]
fn nothing_is_sent_beyond_the_budget_or_in_a_dry_run() {
    let (field, server) = (Field::new(4), Server::steps(vec![says(GOOD)]));
    let dry = field.run(&server, &["--dry-run", "--llm-price", "1,1"]);
    let told = String::from_utf8_lossy(&dry.stdout).into_owned();
    assert_eq!(told.matches("ask    the model 1 times: about ").count(), 4, "{told}");
    assert!(told.contains(" tokens, cost 0.00") && server.seen().is_empty() && !field.path("out").exists());
    assert!(field.run(&server, &["--max-llm-calls", "2", "--llm-concurrency", "1"]).status.success());
    assert_eq!(server.seen().len(), 2);
    let outcomes = field.lines().iter().map(|line| line["llm"]["calls"][0]["outcome"].to_string()).collect::<Vec<_>>();
    assert_eq!(outcomes.iter().filter(|outcome| *outcome == "\"calls_spent\"").count(), 2, "{outcomes:?}");
}

#[test]
fn a_dry_run_knows_stored_answers_and_bounds() {
    let (field, server) = (Field::new(3), Server::steps(vec![says(GOOD)]));
    let dry = |more: &[&str]| {
        let dry = field.run(&server, &[&["--dry-run", "--llm-output", "700"][..], more].concat());
        (String::from_utf8(dry.stdout).unwrap(), String::from_utf8(dry.stderr).unwrap())
    };
    let (plan, told) = dry(&["--max-llm-calls", "2"]);
    assert_eq!(plan.matches("+ at most 700 tokens").count(), 3, "{plan}");
    assert!(told.contains("--max-llm-calls 2: at most 2 of 3 are sent"), "{told}");
    let cache = ["--llm-cache", "answers"];
    let (plan, told) = dry(&[&cache[..], &["--llm-cache-only"]].concat());
    assert_eq!(plan.matches("ask    the model nothing: the cache does not have it").count(), 3, "{plan}");
    assert!(told.contains("would be asked 0 questions; 0 + 0 tokens"), "{told}");
    assert!(field.run(&server, &[&cache[..], &["--llm-output", "700"]].concat()).status.success());
    let sent = server.seen().len();
    fs::remove_dir_all(field.path("out")).unwrap();
    let (plan, told) = dry(&cache);
    assert_eq!(plan.matches("ask    the model nothing: 1 answer is stored").count(), 3, "{plan}");
    assert!(told.contains("would be asked 3 questions, 3 answered before; 0 + 0 tokens"), "{told}");
    assert_eq!(server.seen().len(), sent);
}

#[test]
fn a_run_that_is_stopped_does_not_say_that_there_were_no_files() {
    let (field, server) = (Field::new(2), Server::steps(vec![Step::Silent(Duration::from_secs(60))]));
    let mut run = field.command(&server.url(), &["-j", "1"]).stderr(std::process::Stdio::piped()).spawn().unwrap();
    while server.seen().is_empty() {
        assert!(run.try_wait().unwrap().is_none(), "it waits for an answer");
        std::thread::sleep(Duration::from_millis(10));
    }
    Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap();
    let told = String::from_utf8(run.wait_with_output().unwrap().stderr).unwrap();
    assert!(told.contains("stopped") && !told.contains("no file was taken"), "{told}");
}

/// Kills or interrupts a run after some answers; returns the questions answered by then.
fn broken_off(field: &Field, signal: &str) -> BTreeSet<String> {
    let answered = Arc::new(Mutex::new(BTreeSet::new()));
    let shared = answered.clone();
    let server = Server::start(move |number, seen| {
        if number >= 3 {
            return Step::Silent(Duration::from_secs(60));
        }
        shared.lock().unwrap().insert(asked(seen));
        says(GOOD)
    });
    let mut run =
        field.command(&server.url(), &["--llm-cache", "answers", "--llm-concurrency", "1", "-j", "1"]).spawn().unwrap();
    while server.seen().len() < 4 {
        assert!(run.try_wait().unwrap().is_none(), "it waits for the fourth answer");
        std::thread::sleep(Duration::from_millis(10));
    }
    Command::new("kill").args([signal, &run.id().to_string()]).status().unwrap();
    assert!(!run.wait().unwrap().success());
    answered.lock().unwrap().clone()
}

#[test]
fn a_run_that_is_broken_off_leaves_what_is_done_and_asks_nothing_twice() {
    for signal in ["-INT", "-KILL"] {
        let field = Field::new(6);
        let answered = broken_off(&field, signal);
        assert_eq!(answered.len(), 3, "{signal}");
        let done = field.outputs();
        assert_eq!(done.iter().filter(|text| summary_of(text).contains("The model was here")).count(), done.len());
        let server = Server::steps(vec![says(GOOD)]);
        let again = field.run(&server, &["--llm-cache", "answers"]);
        assert!(again.status.success(), "{signal}: {again:?}");
        let asked: BTreeSet<_> = server.seen().iter().map(asked).collect();
        assert!(asked.len() == 3 && asked.is_disjoint(&answered), "{signal}");
        assert_eq!(field.outputs().len(), 6);
        assert!(field.lines().iter().all(|line| line["llm"]["outcome"] == "written"), "{signal}");
    }
}

#[test]
fn what_cannot_be_asked_is_a_usage_error_without_the_secret() {
    let field = Field::new(1);
    let fails = |more: &[&str], expected: &str| {
        let output = field.command("http://127.0.0.1:1", more).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains(expected) && !told.contains(KEY), "{told}");
    };
    fails(&["--llm-key-env", "NO_SUCH_VARIABLE"], "the variable NO_SUCH_VARIABLE is not set");
    fails(&["--base-url", &format!("https://me:{KEY}@host")], "must hold no user");
    fails(&["--llm-model", ""], "no model is named");
    fails(&["--llm", "telepathy"], "unknown variant `telepathy`");
    fs::write(field.path("epitome.toml"), "[llm]\nbase-url = \"http://elsewhere\"\n").unwrap();
    fails(&[], "llm.base-url counts only in a file that is named");
    assert!(!Path::new("out").exists());
}
