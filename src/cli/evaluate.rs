//! `epitome evaluate`: what policies keep of what agents needed later, side by side on the same cuts.

use super::args::EvaluateArgs;
use super::compact::format;
use super::config::{configs, own};
use super::named_presets::{described, names, preset_names, whole};
use super::policy::PolicyArgs;
use super::programs::is_found;
use super::reading::{self, read};
use super::terminal::shown;
use super::{ExitStatus, Terminal, interrupt, llm, reproduce};
use crate::batch::{Batch, RunResult, spares_inputs, try_file, write_file};
use crate::evaluate::{BASELINES, Board, CURVE, Entry, External, Plan, Policy, Setting, Vocabulary, Wanted};
use crate::preset::OwnPreset;
use crate::reason::Reason;
use crate::report::{Line, Outcome, Purpose, grouped};
use crate::secrets::redact;
use crate::summary::Template;
use crate::tokens::Tokenizer;
use crate::work::{Evaluator, Learner, ModelWriter, ask_program};
use anyhow::{Context, anyhow, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// Tokens of the summaries where nothing else is stated.
const SUMMARY_TOKENS: u64 = 2_000;

/// Evaluates, and prints.
pub(super) fn run(args: &EvaluateArgs, terminal: &Terminal) -> anyhow::Result<ExitStatus> {
    if args.inputs.iter().any(|input| input.as_os_str() == "-") {
        bail!("-: evaluate reads its inputs more than once, which standard input can't be; write it to a file");
    }
    args.html.as_deref().map_or(Ok(()), |path| writable(path, &args.inputs))?;
    let batch = reading::batch(&args.inputs, &args.selection);
    let model_writers = model_writers(args, &batch)?;
    if !(args.summarizer.is_empty() && args.exec.is_empty()) {
        interrupt::stops(&batch.cancel, terminal);
    }
    let own = own(&configs(args.config.as_deref())?);
    let policies = policies(args, &model_writers, &own)?;
    let work = evaluator(args, policies, terminal)?;
    let work = Evaluator { model: model_writers.first().map(|writer| writer.model.clone()), ..work };
    let result = reading::run(&batch, &work, terminal)?;
    if result.canceled {
        let kept = "; answers that came are kept where --llm-cache says, run it again to go on";
        terminal.message(&format!("stopped{}\n", if args.summarizer.is_empty() { "" } else { kept }));
        return Ok(ExitStatus::SomeFailed);
    }
    if let Some(words) = &args.explain {
        return explained(&result, words, terminal);
    }
    let entries = entries(&result)?;
    let failures = failures(&entries);
    terminal.failures(&shown(&told(&failures)));
    reading::failed(&result, Purpose::Reading, terminal)?;
    if entries.is_empty() {
        terminal.failures(&nothing(&result, args.min_tokens)?);
        return Ok(ExitStatus::NothingJudged);
    }
    terminal.message(&unheard(&args.policy, &entries));
    if entries.iter().all(|entry| entry.cut.scores.is_empty()) {
        terminal.failures("Nothing to judge: none of these policies has anything to say at any cut.\n");
        return Ok(ExitStatus::NothingJudged);
    }
    let board = Board::of(&entries);
    terminal.result(&if args.json { json(&board, &entries, args.cuts)? } else { board.table() })?;
    if let Some(path) = &args.html {
        let setting = Setting {
            unread: result.failures.count(),
            failed: failures.keys().map(|it| reproduce::without_rooted_paths(&format!("{}: {}", it.0, it.1))).collect(),
            ..setting(args, &work, &own)?
        };
        write_file(path, board.page(&setting).as_bytes())?;
    }
    let failed = result.has_failures() || !failures.is_empty() || board.missing() > 0;
    Ok(if failed { ExitStatus::SomeFailed } else { ExitStatus::Done })
}

/// Tries whether the page can be written, which is done only after all the work.
fn writable(path: &Path, inputs: &[PathBuf]) -> anyhow::Result<()> {
    spares_inputs(path, inputs).context("--html")?;
    try_file(path).context("--html: name a file in a folder that can be written to")
}

/// What the page says besides the board and what failed.
fn setting(args: &EvaluateArgs, work: &Evaluator, own: &[OwnPreset]) -> anyhow::Result<Setting> {
    let presets = work.plan.policies.iter().filter_map(|policy| match policy {
        Policy::Preset(whole) => Some(described(whole, own)),
        _ => None,
    });
    Ok(Setting {
        command: reproduce::command(std::env::args_os()),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        tokenizer: work.tokenizer.name().to_owned(),
        recorded: args.recorded,
        least_tokens: args.min_tokens,
        summary_tokens: work.plan.summary_tokens,
        same_budget: args.summary_tokens.is_some(),
        price: work.plan.price,
        presets: presets.collect::<anyhow::Result<_>>()?,
        asks_others: !args.exec.is_empty() || !args.summarizer.is_empty(),
        ..Setting::default()
    })
}

/// The evaluation of one transcript; which words are rare is learned from all of them first.
fn evaluator(args: &EvaluateArgs, policies: Vec<Policy>, terminal: &Terminal) -> anyhow::Result<Evaluator> {
    let from = args.selection.from.as_deref().map(format).transpose()?;
    let learner = Learner::new(from);
    read(&args.inputs, &args.selection, &learner, terminal)?;
    let wanted = if args.recorded { Wanted::Recorded } else { Wanted::Shares { least: args.min_tokens } };
    let curve = if args.curve || args.html.is_some() { CURVE.to_vec() } else { Vec::new() };
    let vocabulary: Vocabulary = learner.finish();
    Ok(Evaluator {
        plan: Plan {
            wanted,
            policies,
            summary_tokens: args.summary_tokens.unwrap_or(SUMMARY_TOKENS),
            price: args.llm.price(),
            curve,
            show_content: args.show_content,
            vocabulary,
        },
        tokenizer: Tokenizer::by_name(&args.tokenizer)?,
        template: Template::default(),
        from,
        explain: args.explain.clone(),
        model: None,
    })
}

/// The models that are asked for.
fn model_writers(args: &EvaluateArgs, batch: &Batch) -> anyhow::Result<Vec<Arc<ModelWriter>>> {
    if args.summarizer.is_empty() {
        return Ok(Vec::new());
    }
    let (_, merged) = PolicyArgs::of_config(args.config.clone()).resolve_with(Some(args.llm.layer()?))?;
    llm::model_writers(&merged.settings, &args.summarizer, args.selection.threads, &batch.cancel)
}

/// What programs of others failed at: the places by policy and reason.
type Failures<'e> = BTreeMap<(&'e str, &'e str), Vec<String>>;

fn failures(entries: &[Entry]) -> Failures<'_> {
    let mut places = Failures::new();
    for Entry { session, cut, .. } in entries {
        let all = cut.scores.iter().chain(cut.curve.iter().map(|(_, scores)| scores));
        for (policy, why) in all.filter_map(|scores| Some((&*scores.policy, scores.failure.as_deref()?))) {
            places.entry((policy, why)).or_default().push(format!("{session}, cut at {} (line {})", cut.at, cut.line));
        }
    }
    places
}

/// Each failure once, with its first place and the number of others.
fn told(failures: &Failures<'_>) -> String {
    let one = |((policy, why), places): (&(&str, &str), &Vec<String>)| {
        let first = places.first().map_or("", |place| place.as_str());
        let others = match places.iter().collect::<BTreeSet<_>>().len() {
            0 | 1 => String::new(),
            2 => ", and another".to_owned(),
            more => format!(", and {} others", more - 1),
        };
        format!("{policy}: {first}{others}: {why}\n")
    };
    failures.iter().map(one).collect()
}

/// Those that are named; by default ours and all baselines, and models beside them.
fn policies(args: &EvaluateArgs, model_writers: &[Arc<ModelWriter>], own: &[OwnPreset]) -> anyhow::Result<Vec<Policy>> {
    let mut policies = Vec::new();
    for name in &args.policy {
        let known = BASELINES.iter().find(|(known, _)| known == name);
        let names = || BASELINES.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        policies.push(
            known.map(|(_, policy)| policy.clone()).ok_or_else(|| anyhow!("{name}: no such policy ({})", names()))?,
        );
    }
    if args.policy.is_empty() {
        policies.push(Policy::Extractive);
    }
    policies.extend(model_writers.iter().map(|writer| Policy::Written(writer.clone())));
    for name in names(&args.preset, own) {
        let mut whole = whole(&name, own)?;
        whole.settings.summary.tokens = args.summary_tokens.unwrap_or(whole.settings.summary.tokens);
        policies.push(Policy::Preset(Box::new(whole)));
    }
    for stated in &args.exec {
        let (name, command) = program(stated, own)?;
        let (command, limit) = (command.to_owned(), Duration::from_secs(args.exec_timeout));
        let run = move |question: &str| answer(&command, limit, question);
        policies.push(Policy::External(Arc::new(External::new(name.to_owned(), Box::new(run)))));
    }
    if args.policy.is_empty() {
        let others = BASELINES.iter().filter(|(name, _)| *name != "extractive");
        policies.extend(others.map(|(_, policy)| policy.clone()));
    }
    let mut names = BTreeSet::new();
    match policies.iter().map(Policy::name).find(|name| !names.insert(*name)) {
        Some(twice) => bail!("{twice}: two policies have this name, and rows are told apart by names; rename one"),
        None => Ok(policies),
    }
}

/// Name and command of a program that is to be evaluated, which is there.
fn program<'s>(stated: &'s str, own: &[OwnPreset]) -> anyhow::Result<(&'s str, &'s str)> {
    let named = stated.split_once('=').filter(|(name, command)| !name.trim().is_empty() && !command.trim().is_empty());
    let Some((name, command)) = named else {
        bail!("--exec {stated}: write NAME=COMMAND, where NAME is what the tables call it (mine=./summarize)")
    };
    let is_taken = |own: &str| own == name.trim();
    if BASELINES.iter().any(|(own, _)| is_taken(own)) || preset_names(own).iter().any(|own| is_taken(own)) {
        bail!("--exec {stated}: a policy or preset is named `{}`; give the program another name", name.trim());
    }
    match command.split_whitespace().next().filter(|program| !is_found(program)) {
        Some(program) => bail!("--exec {stated}: there is no program {program}, or it may not be run"),
        None => Ok((name, command)),
    }
}

/// Asks a program: the question goes to its standard input, its answer is what it prints.
fn answer(command: &str, limit: Duration, question: &str) -> Result<String, String> {
    let mut words = command.split_whitespace();
    let program = words.next().ok_or("--exec names no program")?;
    let mut command = Command::new(program);
    command.args(words).stderr(Stdio::piped());
    // Its last words may quote the transcript.
    let told = |why| redact(&format!("{program}: {why}")).0.into_owned();
    let answer = ask_program(command, limit, question.to_owned()).map_err(told)?;
    String::from_utf8(answer).map_err(|_| format!("{program} wrote no UTF-8"))
}

fn entries(result: &RunResult) -> anyhow::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    result.each_line(|_, line: Line| {
        let session = line.line.map_or_else(|| line.path.clone(), |at| format!("{}:{at}", line.path));
        let format = line.format.clone().unwrap_or_default();
        let entry = |cut| Entry { session: session.clone(), format: format.clone(), cut };
        entries.extend(line.cuts.into_iter().map(entry));
        Ok(())
    })?;
    Ok(entries)
}

/// Why there is nothing to judge, and what to do.
fn nothing(result: &RunResult, least: u64) -> anyhow::Result<String> {
    let causes = [
        (Reason::BelowMinTokens, format!("have fewer than --min-tokens {least}: lower it")),
        (Reason::NoRecordedCompaction, "have no compaction that a harness recorded: leave --recorded out".to_owned()),
        (
            Reason::TooFewNeeded,
            "have no cut after which at least five facts are needed: longer sessions are wanted".to_owned(),
        ),
    ];
    // Others can't be compacted at all.
    let mut fixed: BTreeMap<String, u64> = BTreeMap::new();
    result.each_line(|_, line: Line| {
        let is_known = |reason: &String| causes.iter().any(|(known, _)| known.name() == reason);
        let left = line.reason.filter(|reason| line.outcome == Outcome::Unchanged && !is_known(reason));
        left.into_iter().for_each(|reason| *fixed.entry(reason).or_default() += 1);
        Ok(())
    })?;
    let count = |reason: Reason| result.totals.reasons.get(reason.name()).copied().unwrap_or(0);
    let told = causes.iter().filter(|(reason, _)| count(*reason) > 0);
    let mut told: Vec<String> = told.map(|(reason, why)| format!("{} {why}", grouped(count(*reason)))).collect();
    let why = |(reason, count): (&String, &u64)| {
        format!("{} can't be compacted: {reason} (see `epitome check --explain {reason}`)", grouped(*count))
    };
    told.extend(fixed.iter().map(why));
    let failed = result.failures.count();
    if failed > 0 {
        told.push(format!("{} can't be read (named above)", grouped(failed)));
    }
    let told = if told.is_empty() { "there is no transcript among the inputs".to_owned() } else { told.join("; ") };
    Ok(format!("Nothing to judge: {told}.\n"))
}

/// Which of the policies that were named have no row, and why.
fn unheard(named: &[String], entries: &[Entry]) -> String {
    let is_heard = |name: &&String| entries.iter().any(|it| it.cut.scores.iter().any(|one| one.policy == **name));
    let silent: Vec<&str> = named.iter().filter(|name| !is_heard(name)).map(String::as_str).collect();
    if silent.is_empty() {
        return String::new();
    }
    let why = "no row, since no harness recorded a summary at these cuts; --recorded cuts where they did";
    format!("{}: {why}\n", silent.join(", "))
}

fn explained(result: &RunResult, words: &str, terminal: &Terminal) -> anyhow::Result<ExitStatus> {
    let mut found = false;
    let mut out = String::new();
    result.each_line(|_, line| {
        found |= !line.warnings.is_empty();
        line.warnings.iter().for_each(|told| out += &format!("{}: {told}\n", line.path));
        Ok(())
    })?;
    if !found {
        terminal.failures(&format!("No needed fact has `{words}` in it.\n"));
        return Ok(ExitStatus::NothingJudged);
    }
    terminal.result(&out)?;
    Ok(ExitStatus::Done)
}

/// The board; with `cuts` all cuts, too.
fn json(board: &Board, entries: &[Entry], cuts: bool) -> anyhow::Result<String> {
    let mut value = serde_json::to_value(board)?;
    if cuts {
        let all = entries
            .iter()
            .map(|entry| serde_json::json!({"session": entry.session, "format": entry.format, "cut": entry.cut}));
        value["cuts"] = all.collect();
    }
    Ok(serde_json::to_string_pretty(&value)? + "\n")
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::args::Command;
    use super::*;
    use crate::cli::Cli;
    use crate::report::{CutReport, PolicyScores};
    use clap::Parser;

    /// The names of the policies that are compared.
    fn names(more: &[&str]) -> Vec<String> {
        let cli = Cli::try_parse_from(["epitome", "evaluate", "logs"].iter().chain(more)).unwrap();
        let Command::Evaluate(args) = cli.command else { return Vec::new() };
        policies(&args, &[], &[]).unwrap().iter().map(|policy| policy.name().to_owned()).collect()
    }

    #[test]
    fn ours_and_all_baselines_stand_beside_whatever_is_compared() {
        let alone = names(&[]);
        assert_eq!((alone[0].as_str(), alone.len()), ("extractive", BASELINES.len()));
        for more in [["--exec", "mine=sh ./mine"], ["--preset", "lean"], ["--html", "page.html"]] {
            let beside = names(&more);
            assert!(alone.iter().all(|name| beside.contains(name)), "{more:?}: {beside:?}");
        }
        let named = names(&["--policy", "lead", "--exec", "mine=sh ./mine"]);
        assert_eq!(named, ["lead", "mine"], "what is named is all there is");
    }

    #[test]
    fn a_program_has_no_name_of_a_policy_or_a_preset() {
        for name in ["lead", "recorded", "extractive", "opencode", " lean "] {
            let exec = format!("{name}=./mine");
            let cli =
                Cli::try_parse_from(["epitome", "evaluate", "logs", "--policy", "dump", "--exec", &exec]).unwrap();
            let Command::Evaluate(args) = cli.command else { unreachable!("{exec}") };
            let told = policies(&args, &[], &[]).err().unwrap().to_string();
            assert!(told.contains("a policy or preset is named"), "{told}");
        }
    }

    #[test]
    fn a_program_that_is_not_there_is_told_at_once() {
        let told = |stated: &str| program(stated, &[]).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(told("mine=no-such-program-of-ours -q").contains("there is no program no-such-program-of-ours,"));
        assert!(told("no-such-program-of-ours").contains("write NAME=COMMAND, where NAME is"));
        assert_eq!(told("mine=sh -c cat"), "");
    }

    #[test]
    fn an_explanation_is_text() {
        let parse = |more: &[&str]| {
            Cli::try_parse_from(["epitome", "evaluate", "logs", "--explain", "lamp"].iter().chain(more)).is_ok()
        };
        assert!(parse(&[]) && !parse(&["--json"]) && !parse(&["--html", "page.html"]));
    }

    #[test]
    fn a_failed_program_is_told_with_the_first_place_and_its_last_words() {
        let why = answer("ls /no/such/quay", Duration::from_secs(9), "").unwrap_err();
        assert!(why.starts_with("ls: it ended with exit status: ") && why.contains("/no/such/quay"), "{why}");
        let scores = PolicyScores { policy: "mine".into(), failure: Some(why.clone()), ..PolicyScores::default() };
        let entry = |session: &str, at: &str| {
            let cut = CutReport { at: at.into(), line: 7, scores: vec![scores.clone()], ..CutReport::default() };
            Entry { session: session.into(), format: "pi".into(), cut }
        };
        let all = [entry("ferry.jsonl", "40%"), entry("ferry.jsonl", "60%"), entry("pier.jsonl", "40%")];
        let first = "mine: ferry.jsonl, cut at 40% (line 7)";
        assert_eq!(told(&failures(&all)), format!("{first}, and 2 others: {why}\n"));
        assert_eq!(told(&failures(&all[..2])), format!("{first}, and another: {why}\n"));
        assert_eq!(told(&failures(&all[..1])), format!("{first}: {why}\n"));
    }

    #[test]
    fn a_policy_that_says_nothing_is_named() {
        let named = ["recorded".to_owned()];
        assert!(unheard(&named, &[]).starts_with("recorded: no row"));
        assert_eq!(unheard(&[], &[]), "");
    }
}
