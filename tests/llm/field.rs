//! A temporary folder with transcripts, in which the program runs with a scripted model.

use crate::program::program;
use crate::server::{Seen, Server, Step};
use crate::told::OTHER;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

pub(crate) const KEY: &str = "planted-key-0123456789";
/// A token that is only in a tool's output.
pub(crate) const TOKEN: &str = "ghp_aB3xY9aB3xY9aB3xY9aB3xY9aB3xY9aB3xY9";
pub(crate) const RULE: &str = "Never touch the lexer.";

pub(crate) const GOOD: &str = "## Goal\n- Fix the parser in src/parse.rs\n\n## Instructions\n- Never touch the lexer.\n\n\
    ## Discoveries\n- The model was here.\n\n## Accomplished\n- Edited src/parse.rs\n\n\
    ## Relevant files\n- `src/parse.rs` — edited\n";

/// A transcript with a rule in its head that must not be lost, and a token in a tool's output.
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

    /// Writes a file with `count` rows made from the first transcript.
    pub(crate) fn rows(&self, count: usize) {
        let lines = fs::read_to_string(self.path("in/000.jsonl")).unwrap();
        let messages: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let row = serde_json::json!({ "messages": messages }).to_string();
        let rows = (0..count).map(|number| row.replace("case 0", &format!("case {number}")) + "\n");
        fs::write(self.path("in/000.jsonl"), rows.collect::<String>()).unwrap();
    }

    /// The program in this folder, with keys in its environment, and without user configuration and proxy.
    pub(crate) fn bare(&self) -> Command {
        let mut command = program(self.temp.path());
        command.arg("--no-progress").env("MY_KEY", KEY).env("OPENAI_API_KEY", OTHER).env("ANTHROPIC_API_KEY", OTHER);
        for name in ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY"] {
            command.env_remove(name).env_remove(name.to_lowercase());
        }
        command
    }

    pub(crate) fn command(&self, url: &str, more: &[&str]) -> Command {
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

    pub(crate) fn run(&self, server: &Server, more: &[&str]) -> Output {
        self.command(&server.url(), more).output().unwrap()
    }

    /// The finished outputs by name, without temporary files that a killed run may leave.
    pub(crate) fn outputs(&self) -> Vec<String> {
        let mut files: Vec<_> = fs::read_dir(self.path("out")).unwrap().map(|entry| entry.unwrap().path()).collect();
        files
            .retain(|path| path.is_file() && !path.file_name().unwrap().to_string_lossy().starts_with(".epitome-tmp-"));
        files.sort();
        files.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
    }

    pub(crate) fn lines(&self) -> Vec<serde_json::Value> {
        let text = fs::read_to_string(self.path("out/.epitome/report.jsonl")).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The report on the model's use for the first transcript.
    pub(crate) fn first(&self) -> serde_json::Value {
        self.lines().remove(0)["llm"].clone()
    }

    /// All output of the program: standard streams and files, without the inputs.
    pub(crate) fn written(&self, output: &Output) -> String {
        let files = walkdir::WalkDir::new(self.temp.path()).into_iter().map(Result::unwrap);
        let own = files.filter(|file| file.path().is_file() && !file.path().starts_with(self.path("in")));
        let mut all = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        own.for_each(|file| all += &String::from_utf8_lossy(&fs::read(file.path()).unwrap()));
        all
    }
}

/// The user part of a question.
pub(crate) fn asked(seen: &Seen) -> String {
    let body: serde_json::Value = serde_json::from_str(&seen.body).unwrap();
    body["messages"][1]["content"].as_str().unwrap().to_owned()
}

pub(crate) fn says(text: &str) -> Step {
    Step::Says(text.into())
}

pub(crate) fn summary_of(output: &str) -> String {
    let first: serde_json::Value = serde_json::from_str(output.lines().next().unwrap()).unwrap();
    first["content"].as_str().unwrap().to_owned()
}
