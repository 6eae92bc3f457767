//! `epitome check` with gates: what is judged, by which settings, and where the reports go.

use super::args::CheckArgs;
use super::check::{batch, has_sections, template};
use super::compact::{compactor, format};
use super::config::{CONFIG, Config, configs, own};
use super::gate_outputs::outputs;
use super::named_presets::whole;
use super::policy::PolicyArgs;
use super::progress::Bar;
use super::selected::filters;
use super::terminal::shown;
use super::{ExitStatus, Terminal};
use crate::batch::{BatchError, Filters, LINES, spares_inputs, try_file, write_file};
use crate::check::Choice;
use crate::evaluate::{BASELINES, Policy};
use crate::gatekeeper::{Gated, Gatekeeper, has_reports};
use crate::gates::{
    Baseline, Conditions, Expectations, GateReport, GateSettings, Judged, Kind, Options, Scope, is_known, over_budgets,
    render,
};
use crate::work::{Checker, Held};
use anyhow::Context;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// How to see what findings are about.
const HIDDEN: &str =
    "help     --show-content shows the words that findings are about, `epitome check --explain GATE` says what to do\n";

/// Whether gates are asked for.
pub(super) fn wanted(args: &CheckArgs) -> anyhow::Result<bool> {
    let gates = &args.gates;
    if args.fix.fix {
        anyhow::ensure!(args.output.len() <= 1, "--fix writes to one place; say -o once");
        return Ok(false);
    }
    let asked = gates.gates || gates.original.is_some() || gates.expect.is_some() || gates.baseline.is_some();
    Ok(asked || !outputs(args)?.is_empty())
}

/// Judges, and writes the reports.
pub(super) fn run(args: &CheckArgs, terminal: &Terminal) -> anyhow::Result<ExitStatus> {
    let (keeper, config) = keeper(args)?;
    let before = baseline(args)?;
    let now = Conditions::now(keeper.compactor.tokenizer.name());
    let (outputs, update) = (outputs(args)?, update(args, &now)?);
    writable(args, &outputs)?;
    let bar = Bar::new(terminal);
    let gated = keeper.run(&batch(args)?, &bar);
    bar.finish();
    let Gated { judged, unjudged, of_run, files } = gated.map_err(|error| named(args, error))?;
    let is_empty_share = args.selection.shard.is_some() && files == 0 && unjudged.is_empty();
    // Of a share nobody knows what the others have.
    let stated = args.gates.expect.as_ref().filter(|_| args.selection.shard.is_none());
    let expected = stated.map_or(Ok(()), |file| expected(file, &keeper.expectations, &judged));
    let updated = update
        .map(|update| anyhow::Ok((update.path, update.with(&judged, &now)?, update.message(&judged))))
        .transpose();
    let report = GateReport::new(judged, unjudged, &keeper.settings, before.as_ref().map(|before| (before, &now)));
    let report = report.with_run(of_run, &config.display().to_string());
    let report = if is_whole(args) { report.of_all() } else { report };
    let options = Options { show_content: args.gates.show_content };
    if report.has_content() && !options.show_content {
        terminal.message(HIDDEN);
    }
    // What is wrong with the expectations or the baseline does not throw away what was judged.
    write(&outputs, &report, options, (args.json, terminal))?;
    expected?;
    if let Some((path, baseline, told)) = updated? {
        write_file(path, baseline.text().as_bytes())?;
        terminal.message(&told);
    }
    Ok(match (report.failed(), report.judged_anything()) {
        (true, true) => ExitStatus::SomeFailed,
        (_, false) if !is_empty_share => {
            terminal.failures(&shown(&nothing(&report, args)));
            ExitStatus::NothingJudged
        }
        _ => ExitStatus::Done,
    })
}

/// An error about expectations, with the file that states them.
fn named(args: &CheckArgs, error: BatchError) -> anyhow::Error {
    match (&args.gates.expect, &error) {
        (Some(path), BatchError::NotAnInput { .. }) => anyhow::anyhow!("--expect {}: {error}", path.display()),
        _ => error.into(),
    }
}

/// Why nothing was judged.
fn nothing(report: &GateReport, args: &CheckArgs) -> String {
    let notes: BTreeSet<&str> = report.transcripts.iter().flat_map(|one| &one.outcomes).map(|it| it.note).collect();
    let notes: Vec<&str> = notes.into_iter().filter(|note| !note.is_empty()).collect();
    let why = match (report.unjudged.as_slice(), &*notes) {
        ([], []) if report.transcripts.is_empty() => "there is no transcript among the inputs".to_owned(),
        ([], []) if args.gates.baseline.is_none() && args.select.iter().any(|id| id.eq_ignore_ascii_case("R01")) => {
            "R01 compares with a --baseline, and none is given".to_owned()
        }
        ([], []) => "no gate is left by --select and --ignore".to_owned(),
        ([], notes) => format!("no gate could judge any transcript: {}", notes.join("; ")),
        ([(path, reason)], _) => format!("{path}: {reason}"),
        ([(path, reason), others @ ..], _) => format!("{path}: {reason}; nor {} others", others.len()),
    };
    format!("nothing judged: {why}\n{}", level(report, args).unwrap_or_default())
}

/// Maximum number of files that are looked for on another level.
const TRIED: usize = 10;

/// A hint where a file of the one folder is in the other one a level higher or deeper.
fn level(report: &GateReport, args: &CheckArgs) -> Option<String> {
    let [folder] = &*args.inputs else { return None };
    let originals = args.gates.original.as_deref()?;
    let files = report.unjudged.iter().map(|(path, _)| Path::new(path)).filter(|path| path.is_file());
    let places = files.filter_map(|file| file.strip_prefix(folder).ok()).take(TRIED);
    let help = places.filter_map(|place| on_level(folder, originals, place)).next()?;
    Some(shown(&format!("help     the folders seem to be one level apart: {help}\n")))
}

/// What to name so that a file below a folder has its original.
fn on_level(folder: &Path, originals: &Path, place: &Path) -> Option<String> {
    let inner = fs::read_dir(originals).ok()?.flatten().map(|entry| entry.path());
    if let Some(inner) = inner.filter(|inner| inner.join(place).is_file()).min() {
        return Some(format!("say --original {}", inner.display()));
    }
    let inner = place.iter().next()?;
    let is_there = place.strip_prefix(inner).is_ok_and(|rest| originals.join(rest).is_file());
    is_there.then(|| format!("judge {} instead of {}", folder.join(inner).display(), folder.display()))
}

/// Whether all that is in some folders is judged.
fn is_whole(args: &CheckArgs) -> bool {
    let filters = filters(&args.selection);
    args.selection.shard.is_none() && filters == Filters::default() && args.inputs.iter().all(|input| input.is_dir())
}

/// Who judges, and the file that its settings are from.
fn keeper(args: &CheckArgs) -> anyhow::Result<(Gatekeeper, PathBuf)> {
    let configs = configs(args.gates.config.as_deref())?;
    let (path, mut gates) = config(args, &configs)?;
    let mut stated = PolicyArgs::of_config(args.gates.config.clone());
    stated.preset.clone_from(&args.gates.preset);
    let (preset, merged) = stated.resolve()?;
    let compactor = compactor(&preset, &merged, &args.selection)?;
    if let Some(unknown) = args.select.iter().chain(&args.ignore).find(|name| !is_known(&name.to_uppercase())) {
        anyhow::bail!("{unknown}: no such gate; `epitome check --explain gates` lists them");
    }
    gates.select = ids(&args.select);
    gates.ignore = ids(&args.ignore);
    let original = original(args)?;
    let expectations = args.gates.expect.as_ref().map(|path| {
        let text = fs::read_to_string(path).with_context(|| format!("--expect {}", path.display()))?;
        Expectations::read(&text).map_err(|err| anyhow::anyhow!("{}: {err}", path.display()))
    });
    let policy = policy(gates.policy.as_deref(), &configs).with_context(|| path.display().to_string())?;
    ensure_curve(&gates, &policy).with_context(|| path.display().to_string())?;
    let from = args.selection.from.as_deref().map(format).transpose()?;
    // Summaries have the sections that their folder states, or those of the configuration, unless others are stated.
    let stated = has_sections(args).then(|| template(args)).transpose()?;
    let of_checker = stated.clone().unwrap_or_else(|| compactor.template.clone());
    let checker = Checker { rules: Choice::default(), templates: vec![of_checker], held: Held::All, fix: false, from };
    let keeper = Gatekeeper {
        checker,
        template: stated,
        original,
        reports: reports(args)?,
        policy,
        settings: gates,
        expectations: expectations.transpose()?.unwrap_or_default(),
        compactor,
    };
    Ok((keeper, path))
}

/// Names of gates as they are written, however they were typed.
fn ids(names: &[String]) -> Vec<String> {
    names.iter().map(|name| name.to_uppercase()).collect()
}

/// The folder with the reports of the run, if it is named; it has some.
fn reports(args: &CheckArgs) -> anyhow::Result<Option<PathBuf>> {
    let folder = args.gates.report.clone();
    match folder.as_ref().filter(|folder| !has_reports(folder)) {
        Some(folder) => anyhow::bail!("--report {}: there is no {LINES} in it", folder.display()),
        None => Ok(folder),
    }
}

/// Where the originals are: a folder that is there, or the file that one input is compared with.
fn original(args: &CheckArgs) -> anyhow::Result<Option<PathBuf>> {
    let original = args.gates.original.clone();
    if let Some(path) = original.as_ref().filter(|path| !path.exists()) {
        anyhow::bail!("--original {}: there is no such folder or file", path.display());
    }
    // Compared with itself, everything would pass.
    let same = |input: &PathBuf| {
        original.as_ref().is_some_and(|own| fs::canonicalize(own).ok() == fs::canonicalize(input).ok())
    };
    if let Some(input) = args.inputs.iter().find(|input| same(input)) {
        let path = input.display();
        anyhow::bail!("--original {path}: this is what is judged; name what it was compacted from");
    }
    let single = matches!(&*args.inputs, [only] if !only.is_dir());
    if let Some(path) = original.as_ref().filter(|path| !path.is_dir() && !single) {
        anyhow::bail!("--original {}: a file is the original of one file; name a folder", path.display());
    }
    Ok(original)
}

/// Whose recall is judged: a preset, of one's own or not, or a policy of `epitome evaluate`.
fn policy(name: Option<&str>, configs: &[Config]) -> anyhow::Result<Policy> {
    let Some(name) = name else { return Ok(Policy::Extractive) };
    if let Some((_, policy)) = BASELINES.iter().find(|(known, _)| *known == name) {
        return Ok(policy.clone());
    }
    let own = own(configs);
    let whole = whole(name, &own).with_context(|| format!("gates.policy: {name} is no policy of evaluate either"))?;
    Ok(Policy::Preset(Box::new(whole)))
}

/// A gate that judges a curve is no use for a policy that has none.
fn ensure_curve(gates: &GateSettings, policy: &Policy) -> anyhow::Result<()> {
    let Some(gate) = over_budgets().find_map(|gate| gates.wanted(gate.id)).filter(|_| !policy.is_budgeted()) else {
        return Ok(());
    };
    anyhow::bail!(
        "{} judges a curve over budgets, and {} has none, as its size is its own; leave the gate out",
        gate.id,
        policy.name()
    );
}

/// The configuration file of the project, and its `[gates]`; no other one has any.
fn config(args: &CheckArgs, configs: &[Config]) -> anyhow::Result<(PathBuf, GateSettings)> {
    let path = args.gates.config.clone().unwrap_or_else(|| PathBuf::from(CONFIG));
    let gates = match configs.last().and_then(|config| config.gates.as_ref()) {
        Some(toml::Value::Table(gates)) => GateSettings::read(gates).with_context(|| path.display().to_string())?,
        Some(_) => anyhow::bail!("{}: gates is a table: [gates]", path.display()),
        None => GateSettings::default(),
    };
    Ok((path, gates))
}

fn baseline(args: &CheckArgs) -> anyhow::Result<Option<Baseline>> {
    let Some(path) = args.gates.baseline.as_ref().filter(|_| !args.gates.update_baseline) else { return Ok(None) };
    let text = fs::read_to_string(path)
        .map_err(|err| anyhow::anyhow!("baseline {}: {err}; --update-baseline writes the first one", path.display()))?;
    let baseline = Baseline::read(&text).map_err(|err| anyhow::anyhow!("{}: {err}", path.display()))?;
    anyhow::ensure!(
        args.gates.original.is_some() || !baseline.is_of_pairs(),
        "baseline {}: it was measured with --original, and its numbers mean nothing without; state --original, or \
         another baseline",
        path.display()
    );
    Ok(Some(baseline))
}

/// A baseline that is to be written.
struct Update<'p> {
    path: &'p Path,
    /// What is there already, and holds beside this run.
    earlier: Option<Baseline>,
    scope: Scope,
}

/// The baseline that is to be written, if one is; what this run can't be written beside is refused before the work.
fn update<'p>(args: &'p CheckArgs, now: &Conditions) -> anyhow::Result<Option<Update<'p>>> {
    let Some(path) = args.gates.baseline.as_deref().filter(|_| args.gates.update_baseline) else { return Ok(None) };
    let scope =
        Scope { every_transcript: is_whole(args), every_gate: args.select.is_empty() && args.ignore.is_empty() };
    let earlier = match fs::read_to_string(path).map(|text| Baseline::read(&text)) {
        Ok(Ok(earlier)) => earlier.carried(now, scope).map_err(|err| unwritten(path, &err)),
        Err(err) if err.kind() == ErrorKind::NotFound => Ok(None),
        // A whole run writes anew what is none.
        Ok(Err(_)) | Err(_) if scope.is_all() => Ok(None),
        Ok(Err(err)) => Err(unwritten(path, &err)),
        Err(err) => Err(unwritten(path, &format!("cannot be read: {err}"))),
    };
    Ok(Some(Update { path, earlier: earlier?, scope }))
}

impl Update<'_> {
    /// The baseline of this run, with what the file has beside it.
    fn with(&self, judged: &[Judged], now: &Conditions) -> anyhow::Result<Baseline> {
        let own = Baseline::of(judged, now.clone());
        let Some(earlier) = &self.earlier else { return Ok(own) };
        own.beside(earlier, judged, self.scope).map_err(|err| unwritten(self.path, &err))
    }

    /// What is said once it is written: of how many transcripts it is, and which are gone.
    fn message(&self, judged: &[Judged]) -> String {
        let dropped = self.earlier.as_ref().map(|earlier| Baseline::dropped(earlier, judged, self.scope));
        let dropped = dropped.unwrap_or_default().into_iter().map(shown);
        let gone = dropped.map(|name| format!("{name}: was in the baseline and is not among the inputs; dropped\n"));
        format!(
            "{}baseline {}: written, {} transcripts measured\n",
            gone.collect::<String>(),
            self.path.display(),
            judged.len()
        )
    }
}

fn unwritten(path: &Path, reason: &dyn Display) -> anyhow::Error {
    anyhow::anyhow!("baseline {}: {reason}", path.display())
}

/// A path in expect.toml that names nothing would pass for ever.
fn expected(file: &Path, expectations: &Expectations, judged: &[Judged]) -> anyhow::Result<()> {
    let names = |one: &Judged| [(one.path.clone(), one.row), (one.file.clone(), one.row)];
    let all: Vec<_> = judged.iter().flat_map(names).collect();
    match expectations.unmatched(&all) {
        Some(path) => anyhow::bail!("{}: no transcript among the inputs is {path}", file.display()),
        None => Ok(()),
    }
}

/// Tries whether all that is written after the work can be: the reports, and a new baseline.
fn writable(args: &CheckArgs, outputs: &[(Kind, String)]) -> anyhow::Result<()> {
    for (kind, place) in outputs.iter().filter(|(_, place)| place != "-") {
        let path = Path::new(place);
        args.gates.original.iter().try_for_each(|original| spares_inputs(path, std::slice::from_ref(original)))?;
        spares_inputs(path, &args.inputs)?;
        match kind {
            Kind::Summary if path.is_file() => append(place, "")?,
            _ => try_file(path).with_context(|| format!("-o {kind}: name a file that can be written"))?,
        }
    }
    let baseline = args.gates.baseline.as_ref().filter(|_| args.gates.update_baseline);
    Ok(baseline.map_or(Ok(()), |path| try_file(path))?)
}

/// Writes all reports; the one for people goes to standard output unless another one does.
fn write(
    outputs: &[(Kind, String)],
    report: &GateReport,
    options: Options,
    (json, terminal): (bool, &Terminal),
) -> anyhow::Result<()> {
    let here = env::current_dir().ok();
    let text = |kind: Kind| {
        let beside = here.as_ref().filter(|_| matches!(kind, Kind::Github | Kind::Sarif));
        let text = match beside {
            Some(here) => render(kind, &report.clone().relative_to(here), options),
            None => render(kind, report, options),
        };
        text.map_err(|err| anyhow::anyhow!("writing {kind}: {err}"))
    };
    for (kind, place) in outputs {
        let text = text(*kind)?;
        match place.as_str() {
            "-" => terminal.result(&text)?,
            path if *kind == Kind::Summary => append(path, &text)?,
            path => write_file(Path::new(path), text.as_bytes())?,
        }
    }
    let taken = outputs.iter().any(|(_, place)| place == "-");
    match (json, taken) {
        (true, _) => terminal.result(&text(Kind::Json)?),
        (false, false) => terminal.result(&text(Kind::Text)?),
        (false, true) => Ok(()),
    }
}

/// A step's summary has what earlier commands said. Its folder is created if needed, as for all files that are written.
fn append(path: &str, text: &str) -> anyhow::Result<()> {
    let folder = Path::new(path).parent().map_or(Ok(()), fs::create_dir_all);
    let file = folder.and_then(|()| fs::OpenOptions::new().create(true).append(true).open(path));
    file.and_then(|mut file| file.write_all(text.as_bytes())).with_context(|| format!("writing {path}"))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_not_asked_of_a_policy_that_has_none() {
        let gates = |text: &str| GateSettings::read(&toml::from_str(text).unwrap()).unwrap();
        let (on, off) = (gates("H05 = { min = 0.5 }"), gates("H01 = { min = 0.5 }"));
        let of = |name| policy(Some(name), &[]).unwrap();
        for name in ["tail-rule", "keep-all", "lean"] {
            let told = ensure_curve(&on, &of(name)).unwrap_err().to_string();
            assert!(told.contains(&format!("{name} has none")), "{told}");
            assert!(ensure_curve(&off, &of(name)).is_ok());
        }
        assert!(ensure_curve(&on, &of("lead")).is_ok() && ensure_curve(&on, &policy(None, &[]).unwrap()).is_ok());
    }

    #[test]
    fn folders_that_are_a_level_apart_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for file in ["logs/day/a/s.jsonl", "logs/b/s.jsonl"] {
            fs::create_dir_all(path(file).parent().unwrap()).unwrap();
            fs::write(path(file), "").unwrap();
        }
        let told = |small: &str, logs: &str, place: &str| on_level(&path(small), &path(logs), Path::new(place));
        let said = |what: &str, name: &str| Some(format!("{what} {}", path(name).display()));
        assert_eq!(told("small", "logs", "a/s.jsonl"), said("say --original", "logs/day"));
        let instead = said("judge", "small/day").map(|said| format!("{said} instead of {}", path("small").display()));
        assert_eq!(told("small", "logs/day", "day/a/s.jsonl"), instead);
        assert_eq!([told("small", "logs", "c/s.jsonl"), told("small", "logs", "none.jsonl")], [None, None]);
    }

    #[test]
    fn a_summary_is_added_to_a_file_whose_folder_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/deep/step.md");
        let text = path.to_str().unwrap();
        append(text, "one\n").unwrap();
        append(text, "two\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\n");
    }
}
