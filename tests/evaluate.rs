//! The evaluation as a user runs it: fixtures with known needed sets, and the scores of the reference.

#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "support/corpus.rs"]
mod corpus;
#[path = "support/program.rs"]
mod program;

use corpus::corpus;
use epitome::batch::Work;
use epitome::evaluate::{BASELINES, Plan, Policy, Vocabulary, Wanted};
use epitome::fixtures::generate;
use epitome::format;
use epitome::report::CutReport;
use epitome::summary::Template;
use epitome::tokens::Tokenizer;
use epitome::work::Evaluator;
use program::program;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Output;

fn evaluator(wanted: Wanted) -> Evaluator {
    let fits = |name: &str| wanted != Wanted::Recorded || name == "recorded";
    let fitting = BASELINES.iter().filter(|(name, _)| fits(name));
    let policies: Vec<Policy> = fitting.map(|(_, policy)| policy.clone()).collect();
    let vocabulary = Vocabulary::default();
    Evaluator {
        plan: Plan {
            wanted,
            policies,
            summary_tokens: 2_000,
            price: None,
            curve: Vec::new(),
            show_content: true,
            vocabulary,
        },
        tokenizer: Tokenizer::by_name("o200k_base").unwrap(),
        template: Template::default(),
        from: None,
        explain: None,
        model: None,
    }
}

fn cuts(bytes: &[u8], wanted: Wanted) -> Vec<CutReport> {
    let format = format::detect(bytes).unwrap().format.unwrap();
    evaluator(wanted).run(format, bytes, 1).line.cuts
}

fn recall(cut: &CutReport, policy: &str) -> f64 {
    cut.scores.iter().find(|scores| scores.policy == policy).unwrap().recall.value().unwrap()
}

#[test]
fn keeping_all_is_one_and_ours_beats_what_only_drops() {
    let fixture = generate(&epitome::fixtures::Plan::new(3, 60_000));
    let cuts = cuts(&fixture.bytes, Wanted::Shares { least: 12_000 });
    assert!(!cuts.is_empty());
    for cut in &cuts {
        assert_eq!(recall(cut, "keep-all"), 1.0);
        let own = cut.scores.iter().find(|scores| scores.policy == "extractive").unwrap();
        assert_eq!(own.support.part, own.support.of, "a summary of the head's own words is supported");
        assert!(own.summary_tokens <= 2_000);
    }
    let mean = |policy: &str| cuts.iter().map(|cut| recall(cut, policy)).sum::<f64>() / cuts.len() as f64;
    for baseline in ["tail-rule", "tail-only", "prune-tail", "textrank"] {
        assert!(mean("extractive") >= mean(baseline), "{baseline}: {} and {}", mean(baseline), mean("extractive"));
    }
}

/// Needed sets and the recall of recorded summaries equal those of the reference.
#[test]
fn recorded_compactions_score_as_the_reference_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    assert_eq!(scored_alike(&folder, &folder.join("golden.jsonl")), Alike { needed: 9, of: 9, others: 0 });
}

/// The same over real sessions, with the reference that stands beside them.
#[test]
#[ignore = "needs the corpus"]
fn recorded_compactions_of_real_sessions_score_as_the_reference_says() {
    let golden = corpus().join("../tools/fact-spec/golden.jsonl");
    let alike = scored_alike(&corpus().join("claude-code"), &golden);
    assert!(alike.needed * 100 >= alike.of * 98 && alike.others <= 1, "{alike:?}");
}

/// The facts needed after each of these recorded compactions of a session, each a class and a value.
fn needed(bytes: &[u8], found: &[CutReport]) -> Vec<BTreeSet<String>> {
    let format = format::detect(bytes).unwrap().format.unwrap();
    let explaining = Evaluator { explain: Some(String::new()), ..evaluator(Wanted::Recorded) };
    let told = explaining.run(format, bytes, 1).line.warnings;
    let mut facts = told.iter().map(|told| told.split_once(" at recorded: known from line ").unwrap().0.to_owned());
    let all = found.iter().map(|cut| facts.by_ref().take(usize::try_from(cut.needed).unwrap()).collect()).collect();
    assert_eq!(facts.next(), None, "each is needed after one of the compactions");
    all
}

/// How alike the needed facts are to those of the reference.
#[derive(Debug, Default, PartialEq, Eq)]
struct Alike {
    /// How many of its needed facts are needed here too, and how many it has.
    needed: usize,
    of: usize,
    /// Compactions that are not counted: in one session we read a message as the harness's instead of the user's, so
    /// fewer facts are needed.
    others: usize,
}

/// Compares recorded compactions of sessions in a folder with the scores of the reference.
fn scored_alike(folder: &Path, golden: &Path) -> Alike {
    let golden = fs::read_to_string(golden).unwrap();
    let mut alike = Alike::default();
    for line in golden.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let path = folder.join(row["session"].as_str().unwrap());
        let bytes = fs::read(&path).unwrap();
        let found = cuts(&bytes, Wanted::Recorded);
        let at = usize::try_from(row["summary_line"].as_u64().unwrap()).unwrap();
        let (cut, ours) = found.iter().zip(needed(&bytes, &found)).find(|(cut, _)| cut.line == at).unwrap();
        let fact = |fact: &Value| format!("{} {}", fact[0].as_str().unwrap(), fact[1].as_str().unwrap());
        let wanted: BTreeSet<String> = row["needed"].as_array().unwrap().iter().map(fact).collect();
        // A path that is only a file name is completed here, but not in the reference.
        let ends = |own: &str, name: &str| own.starts_with("path ") && own.ends_with(&format!("/{name}"));
        let completed = |name: &str| ours.iter().any(|own| ends(own, name));
        let has = |fact: &&String| ours.contains(*fact) || fact.strip_prefix("path ").is_some_and(completed);
        let comparable = cut.needed as usize + 1 >= wanted.len();
        if comparable {
            alike.of += wanted.len();
            alike.needed += wanted.iter().filter(has).count();
        } else {
            alike.others += 1;
        }
        let reference = row["recall_of_recorded"].as_f64().unwrap();
        let tolerance = if cut.needed as usize == wanted.len() { 0.01 } else { 0.05 };
        let ours = recall(cut, "recorded");
        assert!((ours - reference).abs() <= tolerance, "{}:{at}: {ours} is not {reference}", path.display());
    }
    alike
}

/// Two generated sessions in a folder, for running `evaluate` on them.
struct Field(tempfile::TempDir);

impl Field {
    fn new() -> Self {
        let field = Self(tempfile::tempdir().unwrap());
        field.run(&["fixtures", "-o", "made", "--count", "2", "--tokens", "30000"]);
        field
    }

    fn run(&self, args: &[&str]) -> Output {
        program(self.0.path()).args(["-q", "--no-progress"]).args(args).output().unwrap()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.path().join(name), text).unwrap();
    }

    /// The policies of the board in order, with their means.
    fn rows(&self, args: &[&str]) -> Vec<(String, Value)> {
        let output = self.run(&[&["evaluate", "made", "--policy", "keep-all", "--json"], args].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let board: Value = serde_json::from_slice(&output.stdout).unwrap();
        let rows = board["groups"][0]["rows"].as_array().unwrap().clone();
        rows.into_iter().map(|row| (row["policy"].as_str().unwrap().to_owned(), row["means"].clone())).collect()
    }
}

fn means(rows: &[(String, Value)], policy: &str, measure: &str) -> f64 {
    let row = rows.iter().find(|(name, _)| name == policy).unwrap();
    row.1[measure]["mean"].as_f64().unwrap()
}

#[test]
fn presets_of_ones_own_are_compared_with_those_that_come_with_epitome() {
    let field = Field::new();
    field.write("epitome.toml", "[presets.mine]\nextends = 'claude-code'\nsummary.tokens = 400\n");
    field.write("other.toml", "[presets.theirs]\nextends = 'mask-10'\nprune.keep-results = 1\n");
    let rows = field.rows(&["--preset", "mine", "--preset", "claude-code"]);
    assert!(means(&rows, "mine", "tokens") < means(&rows, "claude-code", "tokens"));
    assert!(means(&rows, "mine", "recall") < means(&rows, "claude-code", "recall"));
    assert!(means(&rows, "mine", "model-in") > 1_000.0, "what it extends asks a model");
    // An explicit number of tokens applies to all policies.
    let even = field.rows(&["--preset", "mine", "--preset", "claude-code", "--summary-tokens", "900"]);
    assert_eq!(means(&even, "mine", "tokens"), means(&even, "claude-code", "tokens"));
    let named = field.rows(&["--config", "other.toml", "--preset", "theirs", "--preset", "mask-10"]);
    assert!(means(&named, "theirs", "tokens") < means(&named, "mask-10", "tokens"));
    let unknown = field.run(&["evaluate", "made", "--preset", "theirs"]);
    assert!(!unknown.status.success() && String::from_utf8_lossy(&unknown.stderr).contains("theirs"));
}

#[test]
fn all_presets_are_those_of_epitome_and_ones_own_behind_them() {
    let field = Field::new();
    field.write("epitome.toml", "[presets.mine]\nextends = 'lean'\n");
    let rows = field.rows(&["--preset", "all", "--preset", "mine", "--llm-price", "1,4"]);
    let names: Vec<&str> = rows.iter().map(|(name, _)| name.as_str()).filter(|name| *name != "keep-all").collect();
    let known: Vec<&str> = epitome::preset::presets().map(|preset| preset.name).collect();
    assert_eq!(names, [&known[..], &["mine"]].concat());
    // Only presets whose original asks a model have a cost, which rises with the tokens read.
    for (name, means) in &rows {
        let asked = means.get("model-in").and_then(|mean| mean["mean"].as_f64());
        let cost = means.get("cost").and_then(|mean| mean["mean"].as_f64());
        assert_eq!(asked.is_some(), cost.is_some(), "{name}");
        let written = means.get("model-out").and_then(|mean| mean["mean"].as_f64()).unwrap_or_default();
        let expected = asked.map(|asked| (asked + 4.0 * written) / 1e6);
        assert!(cost.zip(expected).is_none_or(|(cost, expected)| (cost - expected).abs() < 1e-5), "{name}");
    }
    for (policy, asks) in [("codex", true), ("openhands-240", true), ("mask-10", false), ("epitome-small", false)] {
        let row = rows.iter().find(|(name, _)| name == policy).unwrap();
        assert_eq!(row.1.get("model-in").is_some(), asks, "{policy}");
    }
}

#[test]
fn a_compaction_recorded_behind_all_cuts_changes_no_preset() {
    let field = Field::new();
    let outcomes = |input: &str| {
        let presets = ["--preset", "epitome-balanced", "--preset", "opencode"];
        let output = field.run(&[&["evaluate", input, "--json"], &presets[..]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let board: Value = serde_json::from_slice(&output.stdout).unwrap();
        board["groups"][0]["rows"].clone()
    };
    field.run(&["fixtures", "-o", "plain", "--count", "1", "--tokens", "40000", "--to", "claude-code"]);
    let appended = field.run(&["compact", "plain", "-o", "appended", "--mode", "append", "--exclude", "manifest.json"]);
    assert!(appended.status.success(), "{}", String::from_utf8_lossy(&appended.stderr));
    let boundary = fs::read_to_string(field.0.path().join("appended/coding-0.jsonl")).unwrap();
    assert!(boundary.contains("compact_boundary"));
    assert_eq!(outcomes("appended"), outcomes("plain"));
}

#[test]
fn a_transcript_with_an_invalid_line_is_not_judged_and_told_with_its_place() {
    let field = Field::new();
    let whole = field.run(&["evaluate", "made", "--policy", "tail-rule", "--json"]);
    let torn = fs::read_to_string(field.0.path().join("made/service-1.jsonl")).unwrap();
    field.write("made/torn.jsonl", &torn[..torn.trim_end().len() - 3]);
    let line = torn.lines().count();
    let output = field.run(&["evaluate", "made", "--policy", "tail-rule", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    let place = format!("made/torn.jsonl invalid_line: line {line}, column ");
    assert!(told.contains(&place[5..]) && told.contains("invalid JSON: EOF"), "{told}");
    assert_eq!(output.stdout, whole.stdout, "the others are judged as if it were not there");
}

#[test]
fn a_program_that_fails_leaves_the_tail_and_counts_a_fault() {
    let field = Field::new();
    field.write("fails.sh", "echo no quay >&2; exit 3\n");
    field.write("empty.sh", "cat > /dev/null; echo '{}'\n");
    field.write("hangs.sh", "exec sleep 600\n");
    field.write("keeps.sh", "cat > /dev/null; echo '{\"keep\":[]}'\n");
    let programs = ["fails", "empty", "hangs", "keeps"].map(|name| format!("--exec={name}=sh {name}.sh"));
    let mut args = vec!["evaluate", "made", "--policy", "tail-rule", "--json", "--exec-timeout", "1"];
    args.extend(programs.iter().map(String::as_str));
    let output = field.run(&args);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    for why in [
        "others: sh: it ended with exit status: 3: no quay",
        "neither `summary` nor `keep`",
        "sh: no answer within 1 s",
    ] {
        assert!(told.contains(why), "{told}");
    }
    let place = told.lines().find(|line| line.starts_with("fails: ")).unwrap();
    assert!(place.contains(".jsonl, cut at ") && place.contains("% (line "), "{place}");
    let board: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = board["groups"][0]["rows"].as_array().unwrap();
    let mean = |policy: &str, measure: &str| {
        let row = rows.iter().find(|row| row["policy"] == policy).unwrap();
        row["means"][measure]["mean"].as_f64().unwrap()
    };
    for policy in ["fails", "empty", "hangs", "keeps"] {
        let faults = if policy == "keeps" { 0.0 } else { 1.0 };
        assert_eq!(mean(policy, "faults"), faults, "{policy}");
        for measure in ["recall", "tokens"] {
            assert_eq!(mean(policy, measure), mean("tail-rule", measure), "{policy}");
        }
    }
    for unnamed in ["=./x", "x="] {
        let refused = field.run(&["evaluate", "made", "--exec", unnamed]);
        assert_eq!(refused.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&refused.stderr).contains("write NAME=COMMAND"));
    }
}

#[test]
fn a_page_that_can_t_be_written_is_refused_before_the_work() {
    let field = Field::new();
    for page in ["made", "made/manifest.json/page.html"] {
        let output = field.run(&["evaluate", "made", "--html", page]);
        assert_eq!((output.status.code(), output.stdout), (Some(2), Vec::new()));
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(
            told.contains("--html: name a file in a folder that can be written to") && told.contains(page),
            "{told}"
        );
    }
}

#[test]
fn a_file_that_can_t_be_compacted_is_told_from_none() {
    let field = Field::new();
    let record = |session: &str, role: &str, parent: &str| {
        format!(
            r#"{{"type":"{role}","uuid":"{session}{role}","parentUuid":{parent},"sessionId":"{session}","isSidechain":false,"message":{{"role":"{role}","content":"The ferry is in."}}}}"#
        ) + "\n"
    };
    let session = |id: &str| record(id, "user", "null") + &record(id, "assistant", &format!(r#""{id}user""#));
    fs::write(field.0.path().join("two.jsonl"), session("s") + &session("t")).unwrap();
    let output = program(field.0.path()).args(["evaluate", "two.jsonl"]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(told.contains("1 can't be compacted: several_sessions"), "{told}");
}

#[test]
fn the_page_is_the_same_twice_and_tells_no_path_from_the_root() {
    let field = Field::new();
    let (page, folder) = (field.0.path().join("page.html"), field.0.path().join("made"));
    let folder = folder.to_str().unwrap();
    let make = || {
        let presets = ["--preset", "codex", "--preset", "opencode-seed"];
        let output = field.run(&[&["evaluate", folder, "--html", page.to_str().unwrap()], &presets[..]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::read_to_string(&page).unwrap()
    };
    let first = make();
    assert_eq!(first, make());
    let root = field.0.path().to_str().unwrap();
    assert!(!first.contains(root) && first.contains("evaluate made --html page.html --preset codex"), "{first}");
    for told in ["Hindsight recall", "fact-spec v1", "o200k_base", "exact-plan", "sorted by recall", "model reads"] {
        assert!(first.contains(told), "{told}");
    }
}
