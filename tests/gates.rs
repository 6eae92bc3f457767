//! Gates over the program's own output: every compacted sample passes those about structure and truth.

#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "support/program.rs"]
mod program;

use program::program;
use serde_json::{Value, json};
use std::path::Path;

/// Runs the program; returns the exit status and standard output.
fn epitome(args: &[&str]) -> (i32, String) {
    let mut command = program(Path::new(env!("CARGO_MANIFEST_DIR")));
    let output = command.args(["-q", "--no-progress"]).args(args).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

/// Compacts all samples and checks them against their originals; returns the JSON report.
fn judged(options: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let out = Path::to_str(&out).unwrap();
    epitome(&[&["compact", "samples", "-o", out], options].concat());
    let select = ["S", "B", "T", "F01", "F02", "K03", "X01"].map(|gate| ["--select", gate]).concat();
    let (_, json) = epitome(&[&["check", out, "--original", "samples", "--json", "--show-content"], &*select].concat());
    serde_json::from_str(&json).unwrap()
}

fn gate<'v>(report: &'v Value, id: &str) -> &'v Value {
    report["gates"].as_array().unwrap().iter().find(|gate| gate["id"] == id).unwrap()
}

#[test]
fn summaries_of_ours_state_nothing_that_the_original_does_not_have() {
    let small = ["--usable", "2000", "--tail-tokens", "200"];
    for options in [&["--tail-tokens", "400", "--min-tail", "1"][..], &["--usable", "4000"], &small] {
        let report = judged(options);
        let support = &gate(&report, "F01")["share"];
        assert!(support["of"].as_u64().unwrap() > 50, "{support}");
        assert_eq!(support["kept"], support["of"], "extractive is supported by construction");
        let broken: Vec<&Value> =
            report["gates"].as_array().unwrap().iter().filter(|gate| gate["verdict"] == "fail").collect();
        let findings: Vec<&Value> =
            report["transcripts"].as_array().unwrap().iter().filter(|one| one["verdict"] == "fail").collect();
        assert!(broken.is_empty(), "{broken:#?}\n{findings:#?}");
        assert!(report["unjudged"].as_array().unwrap().is_empty());
        let beside = gate(&report, "T03");
        assert_eq!(beside["verdict"], "pass", "{beside:#?}");
    }
}

#[test]
fn a_lone_file_is_held_to_the_sections_of_the_preset_that_wrote_it() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("one.jsonl");
    let (input, out) = ("samples/claude-code/a-day-of-work.jsonl", Path::to_str(&out).unwrap());
    let written = epitome(&["compact", input, "-o", out, "--preset", "claude-code", "--when", "always"]);
    assert_eq!(written.0, 0);
    let checked = |more: &[&str]| epitome(&[&["check", out, "--original", input, "--select", "S01"], more].concat()).0;
    assert_eq!((checked(&[]), checked(&["--preset", "claude-code"])), (1, 0));
    assert_eq!(epitome(&["check", out, "--preset", "claude-code"]).0, 2, "it says nothing about rules");
}

#[test]
fn an_appended_summary_saves_what_is_loaded_though_an_encrypted_one_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let [input, out] = ["in.jsonl", "out.jsonl"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let said = |role: &str, text: &str| {
        let kind = if role == "user" { "input_text" } else { "output_text" };
        json!({ "type": "message", "role": role, "content": [{ "type": kind, "text": text }] })
    };
    let record =
        |kind: &str, payload: Value| json!({ "timestamp": "2026-04-10T10:00:01Z", "type": kind, "payload": payload });
    let earlier = json!({ "message": "", "replacement_history": [
        said("user", "Light the lamps."), { "type": "compaction", "encrypted_content": "gAAAA" } ] });
    let lines = [
        record("session_meta", json!({ "id": "1", "cwd": "/w", "originator": "codex_cli", "cli_version": "0.118.0" })),
        record("response_item", said("user", "Light the lamps.")),
        record("compacted", earlier),
        record("response_item", said("user", "Now sort the ferries.")),
        record("response_item", said("assistant", &"The ferries leave one after the other. ".repeat(200))),
        record("response_item", said("user", "What is next?")),
        record("response_item", said("assistant", "Nothing.")),
    ];
    std::fs::write(&input, lines.map(|line| line.to_string() + "\n").concat()).unwrap();
    let append = ["--mode", "append", "--when", "always", "--tail-tokens", "40"];
    assert_eq!(epitome(&[&["compact", &input, "-o", &out], &append[..]].concat()).0, 0);
    let (status, told) = epitome(&["check", &out, "--original", &input, "--select", "B02"]);
    assert_eq!(status, 0, "{told}");
}

#[test]
fn a_report_that_can_t_be_written_is_refused_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(at("file"), "1").unwrap();
    for place in ["", "file/report"] {
        for output in [format!("junit={}", at(place)), format!("summary={}", at(place))] {
            let refused = epitome(&["check", "samples", "-o", &output, "-o", "json"]);
            assert_eq!(refused, (2, String::new()), "{output}");
        }
        let refused = epitome(&["check", "samples", "--baseline", &at(place), "--update-baseline", "--json"]);
        assert_eq!(refused, (2, String::new()), "{place}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_share_is_done_without_files_and_not_with_files_that_are_no_transcripts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    std::fs::write(folder.path().join("tides.txt"), "High water at noon.\n").unwrap();
    let mut all = Vec::new();
    for share in ["1/3", "2/3", "3/3"] {
        let status = |more: &[&str]| epitome(&[&["check", path, "--shard", share], more].concat()).0;
        assert_eq!(status(&["--gates"]), status(&[]), "{share}");
        all.push(status(&["--gates"]));
    }
    all.sort_unstable();
    assert_eq!(all, [0, 0, 3], "one share has the file");
}

/// A folder with compacted fixtures of the given number and tokens.
struct Run(tempfile::TempDir);

impl Run {
    fn new(count: usize, tokens: usize, options: &[&str]) -> Self {
        let run = Self(tempfile::tempdir().unwrap());
        let (original, small) = (run.path("original"), run.path("small"));
        epitome(&["fixtures", "--count", &count.to_string(), "--tokens", &tokens.to_string(), "-o", &original]);
        std::fs::remove_file(run.path("original/manifest.json")).unwrap();
        epitome(&[&["compact", &original, "-o", &small], options].concat());
        run
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Checks with these settings; returns the exit status and the report of one gate.
    fn gate(&self, id: &str, gates: &str) -> (i32, Value) {
        let config = self.path("epitome.toml");
        std::fs::write(&config, gates).unwrap();
        let (small, original) = (self.path("small"), self.path("original"));
        let (status, json) =
            epitome(&["check", &small, "--original", &original, "--config", &config, "--select", id, "--json"]);
        (status, gate(&serde_json::from_str(&json).unwrap(), id).clone())
    }

    fn verdict(&self, id: &str, gates: &str) -> (i32, String) {
        let (status, gate) = self.gate(id, gates);
        (status, gate["verdict"].as_str().unwrap().to_owned())
    }
}

fn is(verdict: &(i32, String), status: i32, word: &str) -> bool {
    *verdict == (status, word.to_owned())
}

#[test]
fn recall_of_originals_is_held_to_a_floor() {
    let run = Run::new(3, 16_000, &[]);
    for id in ["H01", "H02", "H03", "H04", "H05"] {
        let by = |floor: &str| run.verdict(id, &format!("[gates]\n{id} = {{ {floor} }}"));
        assert!(is(&by("min = 0.05, min-n = 2"), 0, "pass"), "{id}: {:?}", by("min = 0.05, min-n = 2"));
        assert!(is(&by("min = 1.0, min-n = 2"), 1, "fail"), "{id}");
        assert!(is(&by("min = 1.0"), 3, "insufficient"), "{id}: three sessions inform");
    }
    let (_, ours) = run.gate("H01", "[gates]\nH01 = { min = 0, min-n = 2 }");
    let (_, theirs) = run.gate("H01", "[gates]\npolicy = 'tail-rule'\nH01 = { min = 0, min-n = 2 }");
    assert!(ours["mean"].as_f64() > theirs["mean"].as_f64(), "{} {}", ours["mean"], theirs["mean"]);
    std::fs::write(run.path("epitome.toml"), "[gates]\npolicy = 'mine'").unwrap();
    let config = run.path("epitome.toml");
    assert_eq!(epitome(&["check", &run.path("small"), "--gates", "--config", &config]).0, 2, "no such policy");
}

#[test]
fn the_compactor_is_held_to_what_it_promises() {
    let run = Run::new(2, 9_000, &["--tail-tokens", "1500"]);
    assert!(is(&run.verdict("R02", "[gates]\nR02 = 'error'"), 0, "pass"));
    assert!(is(&run.verdict("R03", "[gates]\nR03 = { min = 0.1 }"), 0, "pass"));
    assert!(is(&run.verdict("R03", "[gates]\nR03 = { min = 9, level = 'error' }"), 1, "fail"));
    assert!(is(&run.verdict("R04", "[gates]\nR04 = { max-seconds = 1e9 }"), 0, "pass"));
    assert!(is(&run.verdict("R04", "[gates]\nR04 = { max-seconds = 0 }"), 0, "warn"));
}

#[test]
fn lines_that_tell_where_they_come_from_pass_as_others_do() {
    let run = Run::new(2, 9_000, &["--tail-tokens", "1500", "--provenance"]);
    let files = std::fs::read_dir(run.path("small")).unwrap().map(|file| file.unwrap().path());
    let texts = files.filter(|path| path.is_file()).map(|path| std::fs::read_to_string(path).unwrap());
    let text = texts.collect::<String>();
    assert!(text.contains(" [line "), "{text}");
    for id in ["S01", "F01", "F02", "K03", "T05"] {
        assert!(is(&run.verdict(id, ""), 0, "pass"), "{id}");
    }
}

#[test]
fn what_was_written_is_stable_by_the_settings_that_it_states() {
    let run = Run::new(2, 9_000, &["--tail-tokens", "1500"]);
    let of = |gates: &str| run.gate("T05", gates).1["share"]["of"].as_u64().unwrap();
    assert!(is(&run.verdict("T05", ""), 0, "pass"));
    assert_eq!(of("") - of("[gates]\nT05 = { fixed-point = false }"), 2, "both are compacted again");
    let report = run.path("small/.epitome/report.json");
    let stated = std::fs::read_to_string(&report).unwrap();
    std::fs::write(&report, stated.replace("\"tail-tokens\": 1500", "\"tail-tokens\": 300")).unwrap();
    assert!(is(&run.verdict("T05", ""), 1, "fail"), "by other settings more goes");
}

/// A preset of the configuration is judged like a built-in one; with a larger summary, it keeps more.
#[test]
fn gates_take_presets_of_ones_own() {
    let run = Run::new(2, 30_000, &[]);
    let recall = |tokens: usize| {
        let own = format!("[presets.mine]\nextends = 'claude-code'\nsummary.tokens = {tokens}\n");
        let (status, gate) =
            run.gate("H01", &format!("[gates]\npolicy = 'mine'\nH01 = {{ min = 0.0, min-n = 1 }}\n{own}"));
        assert_eq!((status, gate["verdict"].as_str()), (0, Some("pass")), "{gate}");
        gate["mean"].as_f64().unwrap()
    };
    let (little, much) = (recall(150), recall(3_000));
    assert!(little < much, "{little} and {much}");
}

/// Errors of these gates over all samples compacted with a preset; `check` has options of the check.
fn errors(preset: &str, gates: &[&str], check: &[&str]) -> Vec<String> {
    findings(preset, gates, check, " error: ")
}

/// Like `errors`, for findings of another level.
fn findings(preset: &str, gates: &[&str], check: &[&str], level: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out").to_str().unwrap().to_owned();
    let options = ["--preset", preset, "--when", "always", "--tail-tokens", "400", "--json"];
    let (_, report) = epitome(&[&["compact", "samples", "-o", &out], &options[..]].concat());
    let report: Value = serde_json::from_str(&report).unwrap();
    assert!(report["totals"]["outcomes"]["compacted"].as_u64() > Some(20), "{preset}: {report}");
    let select: Vec<&str> = gates.iter().flat_map(|gate| ["--select", gate]).collect();
    let (_, text) = epitome(&[&["check", &out, "--original", "samples"], check, &*select].concat());
    text.lines().filter(|line| line.contains(level)).map(str::to_owned).collect()
}

#[test]
fn what_a_preset_writes_is_judged_by_what_its_folder_states() {
    for preset in
        ["anthropic-clear", "langchain-clear", "maf-toolcollapse", "swe-agent", "crush", "trim-last", "roo-slide"]
    {
        assert_eq!(errors(preset, &["S01", "T03"], &[]), Vec::<String>::new(), "{preset}");
    }
    assert_eq!(findings("codex", &["T04"], &[], " warn: "), Vec::<String>::new(), "it keeps no tail");
    assert!(!errors("crush", &["S01"], &["--section", "Mood"]).is_empty(), "what is stated on the command line counts");
}

/// Compacts two samples, damages the results with `harm`, and checks; returns the status and the judged names.
fn after(options: &[&str], harm: impl Fn(&Path), check: &[&str]) -> (i32, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::create_dir(path("original")).unwrap();
    for name in ["seed-shape-long", "twelve-lines"] {
        let to = path(&format!("original/{name}.jsonl"));
        std::fs::copy(format!("{}/samples/openai-messages/{name}.jsonl", env!("CARGO_MANIFEST_DIR")), to).unwrap();
    }
    std::fs::write(path("original/README.md"), "no transcript").unwrap();
    std::fs::write(path("original/empty.jsonl"), "").unwrap();
    epitome(&[&["compact", &path("original"), "-o", &path("small")], options].concat());
    harm(Path::new(&path("small")));
    let check: Vec<String> = check.iter().map(|name| path(name)).collect();
    let check: Vec<&str> = check.iter().map(String::as_str).collect();
    let (status, json) = epitome(&[&["check", "--json", "--original", &path("original")], &*check].concat());
    let report: Value = serde_json::from_str(&json).unwrap();
    let reasons = report["unjudged"].as_array().unwrap().iter();
    (status, reasons.map(|one| one["reason"].as_str().unwrap_or_default().to_owned()).collect())
}

#[test]
fn a_transcript_that_is_lost_does_not_pass() {
    let long = "seed-shape-long.jsonl";
    let remove = |small: &Path| std::fs::remove_file(small.join(long)).unwrap();
    let harms = [
        (None, "it is not there"),
        (Some(""), "it is empty"),
        (Some("no json at all"), "it is no transcript"),
        (Some("{\"a\":1}"), "it is no transcript"),
    ];
    for (text, word) in harms {
        let harm = |small: &Path| match text {
            Some(text) => std::fs::write(small.join(long), text).unwrap(),
            None => remove(small),
        };
        let (status, reasons) = after(&["--tail-tokens", "300"], harm, &["small"]);
        assert!(status == 1 && reasons.len() == 1 && reasons[0].contains(word), "{status} {reasons:?}");
    }
    assert_eq!(after(&["--tail-tokens", "300"], |_| (), &["small"]), (0, vec![]));
    assert_eq!(
        after(&["--tail-tokens", "300"], remove, &["small/twelve-lines.jsonl"]),
        (0, vec![]),
        "the others are not asked for"
    );
    assert_eq!(
        after(&["--changed-only"], |_| (), &["small"]),
        (0, vec![]),
        "what is unchanged was left out on purpose"
    );
    assert_eq!(after(&["--changed-only"], remove, &["small"]).1.len(), 1);
}

#[test]
fn a_converted_compaction_is_held_against_the_original_of_another_extension() {
    assert_eq!(after(&["--to", "atif"], |_| (), &["small"]), (0, vec![]));
    let remove = |small: &Path| std::fs::remove_file(small.join("seed-shape-long.json")).unwrap();
    assert_eq!(after(&["--to", "atif"], remove, &["small"]).1.len(), 1);
}

#[test]
fn what_an_appended_record_leaves_is_all_that_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let turn = |at: usize| {
        let (minute, words) = (format!("2031-05-02T08:{at:02}:00.000Z"), "The lamp of the pier burns. ".repeat(30));
        [
            serde_json::json!({ "id": format!("u{at}"), "timestamp": minute, "type": "user", "content": format!("Ask {at}: which lamp?") }),
            serde_json::json!({ "id": format!("m{at}"), "timestamp": minute, "type": "gemini", "content": words }),
        ]
    };
    let head = serde_json::json!({ "sessionId": "s", "projectHash": "p", "startTime": "2031-05-02T08:00:00.000Z", "lastUpdated": "2031-05-02T08:00:00.000Z", "kind": "main" });
    let lines: Vec<String> = [head].into_iter().chain((1..20).flat_map(turn)).map(|line| line.to_string()).collect();
    std::fs::write(path("chat.jsonl"), lines.join("\n")).unwrap();
    let (original, small) = (path("chat.jsonl"), path("small.jsonl"));
    epitome(&["compact", &original, "-o", &small, "--mode", "append", "--tail-tokens", "300"]);
    let (status, text) = epitome(&["check", &small, "--original", &original, "--select", "B02", "--select", "T"]);
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("B02 saving           pass"), "{text}");
}

#[test]
fn what_a_folder_states_of_its_run_is_what_budgets_and_continuations_are_held_to() {
    let judged = |options: &[&str], id: &str, gates: &str| {
        let all = [&["--when", "always", "--tail-tokens", "300"], options].concat();
        Run::new(2, 30_000, &all).verdict(id, gates)
    };
    assert!(is(&judged(&["--summary-tokens", "6000"], "B01", ""), 0, "pass"));
    assert!(is(&judged(&["--summary-tokens", "6000"], "B01", "[gates]\nB01 = { max-summary = 100 }"), 1, "fail"));
    assert!(is(&judged(&["--summary-tokens", "6000"], "B01", "[summary]\ntokens = 100"), 0, "pass"));
    let counted = Run::new(2, 30_000, &["--when", "always", "--max-tokens", "3500"]);
    assert!(is(&counted.verdict("B01", "tokenizer = 'gpt2'"), 0, "pass"), "its own tokenizer counts it");
    let idle = |options: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        std::fs::create_dir(path("original")).unwrap();
        let sample = format!("{}/samples/openai-messages/mid-task-ends-on-a-result.jsonl", env!("CARGO_MANIFEST_DIR"));
        std::fs::copy(sample, path("original/a.jsonl")).unwrap();
        epitome(
            &[&["compact", &path("original"), "-o", &path("small"), "--when", "always", "--min-gain", "0"], options]
                .concat(),
        );
        let (status, json) =
            epitome(&["check", &path("small"), "--original", &path("original"), "--select", "S03", "--json"]);
        let report: Value = serde_json::from_str(&json).unwrap();
        (status, gate(&report, "S03")["verdict"].as_str().unwrap().to_owned())
    };
    assert!(is(&idle(&["--continuation", "none", "--tail-tokens", "100", "--min-tail", "1"]), 0, "warn"));
    assert!(is(&idle(&["--tail-tokens", "100", "--min-tail", "1"]), 0, "pass"));
}

#[test]
fn a_baseline_is_not_replaced_by_part_of_one() {
    let run = Run::new(2, 12_000, &["--when", "always"]);
    let (small, original, base) = (run.path("small"), run.path("original"), run.path("base.json"));
    let update = |more: &[&str]| {
        let all = ["check", &small, "--original", &original, "--baseline", &base, "--update-baseline", "-q"];
        let (status, text) = epitome(&[&all, more].concat());
        assert_ne!(status, 2, "{text}");
        std::fs::read_to_string(&base).unwrap()
    };
    let whole = update(&[]);
    assert_eq!(update(&["--select", "K"]), whole);
    assert_eq!(update(&["--ignore", "F"]), whole);
    assert_eq!(update(&["--include", "nothing-of-it-*"]), whole);
    assert_eq!(update(&[]), whole);
    let (config, report) = (run.path("epitome.toml"), run.path("report.json"));
    let refused = |tokenizer: &str| {
        std::fs::write(&config, format!("tokenizer = '{tokenizer}'")).unwrap();
        let output = format!("json={report}");
        let all = ["check", &small, "--original", &original, "--baseline", &base, "--update-baseline", "-o", &output];
        let (status, _) = epitome(&[&all, &["--select", "K", "--config", &config][..]].concat());
        assert_eq!((status, std::fs::read_to_string(&base).unwrap()), (2, whole.clone()));
        std::fs::remove_file(&report).is_ok()
    };
    assert!(!refused("gpt2"), "of another tokenizer, which is known before the work");
    let changed = run.path("original/coding-0.jsonl");
    let longer = std::fs::read_to_string(&changed).unwrap() + "\n";
    std::fs::write(&changed, longer).unwrap();
    assert!(refused("o200k_base"), "what only the work shows does not throw it away");
    let (same, other) = (format!("json={base}"), format!("junit={base}"));
    let (status, _) = epitome(&["check", &small, "--original", &original, "-o", &same, "-o", &other]);
    assert_eq!((status, std::fs::read_to_string(&base).unwrap()), (2, whole), "two reports in one file");
}

#[test]
fn a_baseline_of_pairs_is_not_compared_without_originals() {
    let run = Run::new(2, 12_000, &["--when", "always"]);
    let (small, original, base) = (run.path("small"), run.path("original"), run.path("base.json"));
    let check = |more: &[&str]| epitome(&[&["check", &small, "--baseline", &base][..], more].concat());
    let (status, text) = check(&["--original", &original, "--update-baseline", "-q"]);
    assert_ne!(status, 2, "{text}");
    let mut alone = program(Path::new(env!("CARGO_MANIFEST_DIR")));
    let refused = alone.args(["check", &small, "--baseline", &base]).output().unwrap();
    let told = String::from_utf8(refused.stderr).unwrap();
    assert!(refused.status.code() == Some(2) && told.contains("it was measured with --original"), "{told}");
    assert_ne!(check(&["--original", &original]).0, 2);
    let (status, text) = check(&["--update-baseline", "-q"]);
    assert_ne!(status, 2, "another one is written: {text}");
    assert_ne!(check(&[]).0, 2);
}
