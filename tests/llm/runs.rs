//! Whole runs of the program with a model that misbehaves: no lost head, no partial file, a named outcome, no secret.

use crate::server::{Seen, Server, Step, completion};
use crate::told::OTHER;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

pub(crate) const KEY: &str = "planted-key-0123456789";
/// A token that stands in a tool's output only.
pub(crate) const TOKEN: &str = "ghp_aB3xY9aB3xY9aB3xY9aB3xY9aB3xY9aB3xY9";
const RULE: &str = "Never touch the lexer.";

pub(crate) const GOOD: &str = "## Goal\n- Fix the parser in src/parse.rs\n\n## Instructions\n- Never touch the lexer.\n\n\
    ## Discoveries\n- The model was here.\n\n## Accomplished\n- Edited src/parse.rs\n\n\
    ## Relevant files\n- `src/parse.rs` — edited\n";

/// A transcript whose head has a rule that must not be lost, and a token in a tool's output.
fn transcript(number: usize) -> String {
    let filler = "The parser reads one token after the other and keeps a stack of open brackets. ".repeat(12);
    let call = |id: usize, name: &str| {
        let function = serde_json::json!({"name": name, "arguments": "{\"path\":\"src/parse.rs\"}"});
        serde_json::json!({"role": "assistant", "content": null, "tool_calls": [{"id": format!("c{id}"), "type": "function", "function": function}]})
    };
    let result =
        |id: usize, text: &str| serde_json::json!({"role": "tool", "tool_call_id": format!("c{id}"), "content": text});
    let mut messages = vec![
        serde_json::json!({"role": "user", "content": format!("Fix the parser in src/parse.rs, case {number}. {RULE}")}),
        call(0, "env"),
        result(0, &format!("TOKEN={TOKEN}")),
        call(1, "edit"),
        result(1, "edited"),
    ];
    for turn in 0..6 {
        messages.push(serde_json::json!({"role": "assistant", "content": format!("Step {turn}: {filler}")}));
        messages.push(serde_json::json!({"role": "user", "content": format!("Go on with step {turn}.")}));
    }
    messages.push(serde_json::json!({"role": "assistant", "content": "All done."}));
    messages.iter().map(|message| format!("{message}\n")).collect()
}

pub(crate) struct Field {
    temp: tempfile::TempDir,
}

impl Field {
    pub(crate) fn new(files: usize) -> Self {
        let temp = tempfile::tempdir().unwrap();
        fs::create_dir(temp.path().join("in")).unwrap();
        for number in 0..files {
            fs::write(temp.path().join(format!("in/{number:03}.jsonl")), transcript(number)).unwrap();
        }
        Self { temp }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.temp.path().join(name)
    }

    /// The program, with keys in its environment and no configuration of the user's own.
    pub(crate) fn bare(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_epitome"));
        command.current_dir(self.temp.path()).stdin(Stdio::null()).arg("--no-progress").env("EPITOME_CONFIG", "");
        command.env("MY_KEY", KEY).env("OPENAI_API_KEY", OTHER).env("ANTHROPIC_API_KEY", OTHER);
        command
    }

    fn command(&self, url: &str, more: &[&str]) -> Command {
        let mut command = self.bare();
        command.args(["compact", "in", "-o", "out", "--tail-tokens", "100", "--protect-turns", "99"]);
        let usual = [
            ("--summarizer", "llm"),
            ("--base-url", url),
            ("--llm-model", "m"),
            ("--llm-key-env", "MY_KEY"),
            ("--llm-retries", "0"),
        ];
        for (flag, value) in usual.into_iter().filter(|(flag, _)| !more.contains(flag)) {
            command.args([flag, value]);
        }
        command.args(more);
        command
    }

    fn run(&self, server: &Server, more: &[&str]) -> Output {
        self.command(&server.url(), more).output().unwrap()
    }

    pub(crate) fn outputs(&self) -> Vec<String> {
        let mut files: Vec<_> = fs::read_dir(self.path("out")).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|path| path.is_file());
        files.sort();
        files.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
    }

    pub(crate) fn lines(&self) -> Vec<serde_json::Value> {
        let text = fs::read_to_string(self.path("out/.epitome/report.jsonl")).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// All that the program wrote and said, inputs aside.
    pub(crate) fn written(&self, output: &Output) -> String {
        let files = walkdir::WalkDir::new(self.temp.path()).into_iter().map(Result::unwrap);
        let own = files.filter(|file| file.path().is_file() && !file.path().starts_with(self.path("in")));
        let mut all = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        own.for_each(|file| all += &String::from_utf8_lossy(&fs::read(file.path()).unwrap()));
        all
    }
}

/// What a question asks.
pub(crate) fn asked(seen: &Seen) -> String {
    let body: serde_json::Value = serde_json::from_str(&seen.body).unwrap();
    body["messages"][1]["content"].as_str().unwrap().to_owned()
}

pub(crate) fn says(text: &str) -> Step {
    Step::Says(text.into())
}

fn summary_of(output: &str) -> String {
    let first: serde_json::Value = serde_json::from_str(output.lines().next().unwrap()).unwrap();
    first["content"].as_str().unwrap().to_owned()
}

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
        ("torn", Step::Half(completion(GOOD))),
        ("torn", Step::Closed),
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
fn faulty_answers_are_mended_and_the_report_says_how() {
    let cases = [
        (format!("Sure, here it is:\n\n```md\n{GOOD}```"), "written"),
        (GOOD.replace("## Instructions\n- Never touch the lexer.\n\n", ""), "filled"),
        (GOOD.replace("- The model was here.", "- lib/invented.py has MadeUpError"), "filled"),
        (format!("<conversation>\nx\n</conversation>\n{GOOD}"), "written"),
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

/// Waits until so many questions are in flight, or gives up.
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
    assert!(field.lines().iter().all(|line| line["llm"]["outcome"] == "written"));
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

/// Kills or interrupts a run in its middle, with some answers given, and says which questions were answered by then.
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
