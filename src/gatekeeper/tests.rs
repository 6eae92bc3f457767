//! Gates that run the compactor again, made to fail by work that is not deterministic.
#![expect(clippy::unwrap_used, reason = "tests")]

use super::originals::Originals;
use super::rerun::Reruns;
use super::{ByFolder, Gatekeeper};
use crate::batch::{Batch, Done, LINES, OWN_FOLDER, REPORT, Shard, Silent, Target, Work, find};
use crate::check::Choice;
use crate::evaluate::Policy;
use crate::fixtures::{Plan, generate};
use crate::format::Format;
use crate::gates::{Expectations, GateSettings, Verdict};
use crate::preset::{Settings, SummarizerKind, SummarySettings};
use crate::report::{Line, Outcome};
use crate::summary::{Template, wrap};
use crate::transcript::{Patch, PatchKind};
use crate::work::{Checker, Compactor, Held};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::SystemTime;

fn keeper(folder: &Path, gates: &str) -> Gatekeeper {
    let (rules, template) = (Choice::default(), Template::default());
    Gatekeeper {
        checker: Checker { rules, templates: vec![template.clone()], held: Held::All, fix: false, from: None },
        template: None,
        original: Some(folder.to_owned()),
        reports: None,
        settings: GateSettings::read(&gates.parse().unwrap()).unwrap(),
        expectations: Expectations::default(),
        compactor: Compactor::new("opencode", Settings::default(), template).unwrap(),
        policy: Policy::Extractive,
    }
}

/// Work that compacts nothing, but writes the number of its calls.
struct Counts(AtomicU8);

impl Work for Counts {
    fn run(&self, _: &'static dyn Format, source: &[u8], _: usize) -> Done {
        let with = vec![self.0.fetch_add(1, Ordering::SeqCst)];
        let patch = Patch { span: source.len()..source.len(), with, kind: PatchKind::Insert };
        let line = Line { outcome: Outcome::Compacted, ..Line::default() };
        Done { line, patches: vec![patch], plan: Vec::new() }
    }
}

fn verdicts(gates: &str, work: Option<&dyn Work>) -> Vec<(&'static str, Verdict)> {
    let folder = tempfile::tempdir().unwrap();
    let names = ["a.json", "b.json"];
    for (name, seed) in names.iter().zip(1..) {
        std::fs::write(folder.path().join(name), generate(&Plan::new(seed, 3_000)).bytes).unwrap();
    }
    let keeper = keeper(folder.path(), gates);
    let batch = Batch::new(vec![folder.path().to_owned()], Target::DryRun { in_place: false }, SystemTime::now());
    let inputs = find(&batch, &keeper.checker).unwrap().inputs;
    let originals = Originals { keeper: &keeper, batch: &batch, inputs: &inputs };
    let mut reruns = Reruns::default();
    reruns.compact_twice(originals, work.unwrap_or(&keeper.compactor)).unwrap();
    let each = (0..2).flat_map(|input| reruns.outcomes(input, 0));
    let run = reruns.of_run.iter().map(|one| one.outcome.clone());
    each.chain(run).map(|outcome| (outcome.gate, outcome.verdict)).collect()
}

#[test]
fn work_that_does_not_do_the_same_twice_is_found() {
    assert_eq!(verdicts("R02 = 'error'", None), [("R02", Verdict::Pass); 2]);
    assert_eq!(verdicts("R02 = 'error'", Some(&Counts(AtomicU8::new(0)))), [("R02", Verdict::Fail); 2]);
    assert_eq!(verdicts("", None), [], "off until it is asked for");
}

#[test]
fn more_time_than_none_warns() {
    assert_eq!(verdicts("R04 = { max-seconds = 0 }", None), [("R04", Verdict::Warn)]);
    assert_eq!(verdicts("R04 = { max-seconds = 1e9, max-bytes = 1e18 }", None), [("R04", Verdict::Pass)]);
}

#[test]
fn a_part_of_a_file_is_compared_with_its_part_of_the_original() {
    let (before, after) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let row = |text: &str| json!({ "messages": [{ "role": "user", "content": text }, { "role": "assistant", "content": "It is done." }] });
    let rows: Vec<String> = (0..9).map(|at| row(&format!("Sound the quay {at}.")).to_string() + "\n").collect();
    std::fs::write(before.path().join("rows.jsonl"), rows.concat()).unwrap();
    let shard: Shard = "1/2".parse().unwrap();
    let size = rows.concat().len() as u64;
    let starts: Vec<u64> = (0..9).map(|at| rows[..at].concat().len() as u64).collect();
    let write = |shard: Shard| {
        let own = rows.iter().zip(&starts).filter(|(_, start)| shard.has_line(size, **start));
        let text: String = own.map(|(row, _)| row.as_str()).collect();
        std::fs::write(shard.part_of(&after.path().join("rows.jsonl")), text).unwrap();
    };
    let keeper = keeper(before.path(), "");
    let run = |only: Option<Shard>| {
        let target = Target::DryRun { in_place: false };
        let mut batch = Batch::new(vec![after.path().to_owned()], target, SystemTime::now());
        (batch.shard, batch.reads_only) = (only, true);
        let gated = keeper.run(&batch, &Silent).unwrap();
        (
            gated.judged.iter().filter(|one| one.unchanged == Some(true)).count(),
            gated.judged.len(),
            gated.unjudged.len(),
        )
    };
    write(shard);
    assert_eq!((run(None), run(Some(shard))), ((5, 5, 1), (5, 5, 0)), "the other part is not there");
    write(shard.all().last().unwrap());
    assert_eq!((run(None), run(Some(shard))), ((9, 9, 0), (5, 5, 0)));
    std::fs::write(shard.part_of(&after.path().join("rows.jsonl")), &rows[0]).unwrap();
    assert_eq!(run(Some(shard)), (1, 1, 1), "the other rows are missing");
    let last = shard.all().last().unwrap();
    let part = last.part_of(Path::new("rows.jsonl"));
    let (path, name) = (after.path().join(&part), part.to_str().unwrap());
    let own = after.path().join(OWN_FOLDER).join(last.name());
    std::fs::create_dir_all(&own).unwrap();
    let left_out = |lines: &[usize]| {
        let line = |line: &usize| {
            let bytes = json!({ "before": rows[4 + line].len() - 1, "after": 0 });
            let part = json!({ "of": "rows.jsonl", "start": 0, "end": 0 });
            let line = json!({ "path": name, "line": line, "part": part, "outcome": "failed", "failed_row": "dropped", "bytes": bytes });
            line.to_string() + "\n"
        };
        std::fs::write(own.join(LINES), lines.iter().map(line).collect::<String>()).unwrap();
    };
    std::fs::write(&path, rows[5..].concat().replace(&rows[6], "")).unwrap();
    assert_eq!(run(Some(last)), (3, 3, 1), "a row is gone");
    left_out(&[2]);
    assert_eq!(run(Some(last)), (3, 3, 0), "it was left out; lines count from the start of the part");
    std::fs::write(&path, "").unwrap();
    assert_eq!(run(Some(last)), (0, 0, 1), "all rows are gone");
    left_out(&[1, 2, 3, 4]);
    assert_eq!(run(Some(last)), (0, 0, 0));
}

fn shard_name() -> String {
    "1/1".parse::<Shard>().unwrap().name()
}

#[test]
fn a_file_with_rows_left_out_is_known_by_reports_that_lie_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let row = |text: &str| json!({ "messages": [{ "role": "user", "content": text }, { "role": "assistant", "content": "So be it." }] });
    let rows = ["Sound the quay.", "Paint the quay.", "Light the lamp."].map(|text| row(text).to_string());
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("data.jsonl"), rows.join("\n")).unwrap();
    std::fs::write(path("out.jsonl"), format!("{}\n{}\n", rows[0], rows[2])).unwrap();
    let told = |(at, row): (usize, &String)| {
        let bytes = json!({ "before": row.len(), "after": if at == 1 { 0 } else { row.len() } });
        let (outcome, dropped) = if at == 1 { ("failed", json!("dropped")) } else { ("unchanged", json!(null)) };
        let line =
            json!({ "path": "data.jsonl", "line": at + 1, "outcome": outcome, "failed_row": dropped, "bytes": bytes });
        line.to_string() + "\n"
    };
    std::fs::create_dir(path("run")).unwrap();
    std::fs::write(path("run").join(LINES), rows.iter().enumerate().map(told).collect::<String>()).unwrap();
    let judged = |reports: Option<&str>| {
        let own = keeper(&path("data.jsonl"), "");
        let keeper = Gatekeeper { reports: reports.map(path), ..own };
        let batch = Batch::new(vec![path("out.jsonl")], Target::DryRun { in_place: false }, SystemTime::now());
        let gated = keeper.run(&Batch { reads_only: true, ..batch }, &Silent).unwrap();
        let unchanged = gated.judged.iter().filter(|one| one.unchanged == Some(true)).count();
        (unchanged, gated.judged.len(), gated.unjudged.into_iter().map(|(_, reason)| reason).collect::<Vec<_>>())
    };
    let (unchanged, all, reasons) = judged(None);
    assert_eq!((unchanged, all), (2, 2));
    assert!(
        reasons[0].starts_with("not comparable: 1 of the 3 rows of its original are not there, line 2;"),
        "{reasons:?}"
    );
    assert!(reasons[0].ends_with("or name it with --report DIR"), "{reasons:?}");
    assert_eq!(judged(Some("run")), (2, 2, Vec::new()));
    std::fs::create_dir(path("other")).unwrap();
    let (_, _, reasons) = judged(Some("other"));
    assert!(reasons[0].ends_with("nor does the report that --report names say that --drop-failed left them out"));
    let share = path("shards").join(shard_name());
    std::fs::create_dir_all(&share).unwrap();
    std::fs::rename(path("run").join(LINES), share.join(LINES)).unwrap();
    assert!(super::has_reports(&path("shards")) && !super::has_reports(&path("run")));
    assert_eq!(judged(Some("shards")), (2, 2, Vec::new()), "of a shard");
}

/// Messages with a summary whose sections are of no known template.
fn with_summary() -> serde_json::Value {
    let text = wrap("## Mood\n- calm\n## Weather\n- fine");
    json!([
        { "role": "user", "content": "Write the tide tables." },
        { "role": "user", "content": text },
        { "role": "assistant", "content": "They are written." },
    ])
}

#[test]
fn a_summary_that_a_run_found_and_left_is_not_held_to_the_settings_of_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let messages = with_summary();
    let (path, size) = (folder.path().join("a.json"), messages.to_string().len());
    std::fs::write(&path, messages.to_string()).unwrap();
    let own = folder.path().join(OWN_FOLDER);
    std::fs::create_dir_all(&own).unwrap();
    let settings =
        Settings { summary: SummarySettings { tokens: 3, ..SummarySettings::default() }, ..Settings::default() };
    let report = json!({ "settings": { "preset": "opencode", "settings": settings } });
    std::fs::write(own.join(REPORT), report.to_string()).unwrap();
    let keeper = Gatekeeper { original: None, ..keeper(folder.path(), "") };
    let told = |outcome: &str, size: usize| {
        let line = json!({ "path": "a.json", "outcome": outcome, "bytes": { "before": size, "after": size } });
        std::fs::write(own.join(LINES), line.to_string() + "\n").unwrap();
        let target = Target::DryRun { in_place: false };
        let batch = Batch { reads_only: true, ..Batch::new(vec![folder.path().to_owned()], target, SystemTime::now()) };
        let gated = keeper.run(&batch, &Silent).unwrap();
        let verdict = |id: &str| gated.judged[0].outcomes.iter().find(|one| one.gate == id).unwrap().verdict;
        let mut findings = 0;
        let checked = batch.run(&ByFolder::new(&keeper.checker), &Silent).unwrap();
        let count = |_: &Path, line: Line| {
            findings += line.findings.len();
            Ok(())
        };
        checked.each_line(count).unwrap();
        (verdict("S01"), verdict("B01"), findings > 0)
    };
    let (held, left) = ((Verdict::Fail, Verdict::Fail, true), (Verdict::Insufficient, Verdict::Insufficient, false));
    assert_eq!(told("compacted", size), held);
    assert_eq!(told("unchanged", size), left);
    assert_eq!(told("unchanged", size + 1), held, "the file is another one by now");
}

#[test]
fn a_check_without_gates_knows_the_sections_of_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let messages = with_summary();
    std::fs::write(folder.path().join("a.json"), messages.to_string()).unwrap();
    let checker = keeper(folder.path(), "").checker;
    let found = || {
        let target = Target::DryRun { in_place: false };
        let batch = Batch { reads_only: true, ..Batch::new(vec![folder.path().to_owned()], target, SystemTime::now()) };
        let mut rules = BTreeSet::new();
        let summary = batch.run(&ByFolder::new(&checker), &Silent).unwrap();
        summary
            .each_line(|_, line| {
                rules.extend(line.findings.into_iter().map(|finding| finding.rule));
                Ok(())
            })
            .unwrap();
        rules.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(found(), ["section_missing", "section_unknown"]);
    let mut settings = Settings::default();
    let mut write = |by: SummarizerKind, template: &str| {
        settings.summary.by = by;
        settings.summary.template_text = Some(template.to_owned());
        let report = json!({ "settings": { "preset": "own", "settings": settings } });
        std::fs::create_dir_all(folder.path().join(OWN_FOLDER)).unwrap();
        std::fs::write(folder.path().join(OWN_FOLDER).join(REPORT), report.to_string()).unwrap();
    };
    write(SummarizerKind::Extractive, "## Mood\n- how it is\n\n## Weather\n- how it will be\n");
    assert_eq!(found(), Vec::<String>::new());
    write(SummarizerKind::Extractive, "## Mood\n- how it is\n");
    assert_eq!(found(), ["section_unknown"]);
    write(SummarizerKind::Note, "## Mood\n- how it is\n");
    assert_eq!(found(), Vec::<String>::new(), "a note has no sections");
}

#[test]
fn a_part_of_a_folder_is_judged_by_the_report_of_the_whole() {
    let root = tempfile::tempdir().unwrap();
    let (own, part) = (root.path().join(OWN_FOLDER), root.path().join("a/b"));
    std::fs::create_dir_all(&own).unwrap();
    std::fs::create_dir_all(&part).unwrap();
    let text = with_summary().to_string();
    std::fs::write(part.join("c.json"), &text).unwrap();
    let report = json!({ "settings": { "preset": "own", "settings": Settings::default(), "changed_only": true } });
    std::fs::write(own.join(REPORT), report.to_string()).unwrap();
    let line = |path: &str, outcome: &str| {
        let line = json!({ "path": path, "outcome": outcome, "bytes": { "before": 9, "after": text.len() } });
        line.to_string() + "\n"
    };
    let write = |outcome: &str| {
        std::fs::write(own.join(LINES), line("a/b/c.json", outcome) + &line("a/b/d.json", "unchanged")).unwrap();
    };
    let originals = tempfile::tempdir().unwrap();
    for name in ["c.json", "d.json"] {
        let other =
            json!([{ "role": "user", "content": "Light it." }, { "role": "assistant", "content": "It is lit." }]);
        std::fs::write(originals.path().join(name), other.to_string()).unwrap();
    }
    let keeper = keeper(originals.path(), "");
    let target = Target::DryRun { in_place: false };
    let batch = Batch { reads_only: true, ..Batch::new(vec![part], target, SystemTime::now()) };
    let run = || {
        let mut faults = 0;
        let checked = batch.run(&ByFolder::new(&keeper.checker), &Silent).unwrap();
        let count = |_: &Path, line: Line| {
            faults += line.findings.len();
            Ok(())
        };
        checked.each_line(count).unwrap();
        let gated = keeper.run(&batch, &Silent).unwrap();
        let of_sections = gated.judged[0].outcomes.iter().find(|it| it.gate == "S01").unwrap().verdict;
        (faults > 0, of_sections, gated.unjudged.len())
    };
    write("unchanged");
    assert_eq!(run(), (false, Verdict::Insufficient, 0), "d.json was left out on purpose");
    write("compacted");
    assert_eq!(run(), (true, Verdict::Fail, 0));
}

#[test]
fn of_several_folders_each_is_judged_by_its_own_report() {
    let root = tempfile::tempdir().unwrap();
    let text = with_summary().to_string();
    let mut settings = Settings::default();
    let mut write = |name: &str, template: Option<&str>, outcome: &str| {
        let own = root.path().join(name).join(OWN_FOLDER);
        std::fs::create_dir_all(&own).unwrap();
        std::fs::write(root.path().join(name).join("a.json"), &text).unwrap();
        settings.summary.template_text = template.map(str::to_owned);
        let report = json!({ "settings": { "preset": "own", "settings": settings } });
        std::fs::write(own.join(REPORT), report.to_string()).unwrap();
        let line = json!({ "path": "a.json", "outcome": outcome, "bytes": { "before": 9, "after": text.len() } });
        std::fs::write(own.join(LINES), line.to_string()).unwrap();
    };
    write("left", None, "unchanged");
    write("own", Some("## Mood\n- how it is\n\n## Weather\n- how it will be\n"), "compacted");
    write("other", None, "compacted");
    let keeper = Gatekeeper { original: None, ..keeper(root.path(), "") };
    let folders = ["left", "other", "own"].map(|name| root.path().join(name));
    let target = Target::DryRun { in_place: false };
    let batch = Batch { reads_only: true, ..Batch::new(folders.to_vec(), target, SystemTime::now()) };
    let mut faulty = BTreeSet::new();
    let checked = batch.run(&ByFolder::new(&keeper.checker), &Silent).unwrap();
    let note = |path: &Path, line: Line| {
        faulty.extend((!line.findings.is_empty()).then(|| path.to_owned()));
        Ok(())
    };
    checked.each_line(note).unwrap();
    assert_eq!(faulty.len(), 1, "{faulty:?}");
    let gated = keeper.run(&batch, &Silent).unwrap();
    let verdict = |one: &crate::gates::Judged| one.outcomes.iter().find(|it| it.gate == "S01").unwrap().verdict;
    let verdicts: Vec<Verdict> = gated.judged.iter().map(verdict).collect();
    assert_eq!(verdicts, [Verdict::Insufficient, Verdict::Fail, Verdict::Pass]);
}
