//! `epitome compact`: the main job.

use super::args::{CompactArgs, SelectionArgs};
use super::policy::Resolved;
use super::programs::is_executable;
use super::progress::Bar;
use super::reading::{failed, none_taken, unread};
use super::target::{Destination, apart, fits};
use super::terminal::shown;
use super::{ExitStatus, Terminal, convert, interrupt, llm, policy, selected};
use crate::batch::sha256_of;
use crate::batch::{Batch, Compress, Override, RunResult, Target, Work};
use crate::format::{FORMATS, Format, by_name};
use crate::preset::{Decides, LLM_KEYS, Layer, Merged, Mode, Settings, SummarizerKind};
use crate::reason::Reason;
use crate::report::{
    Omissions, Outcome, OverrideSettings, Purpose, Report, RunSettings, grouped, write_left_out, write_table,
};
use crate::secrets::redact;
use crate::summary::Template;
use crate::work::{Compactor, Converter};
use anyhow::Context;

/// Compacts, and reports.
pub(super) fn run(args: &CompactArgs, terminal: &Terminal) -> anyhow::Result<ExitStatus> {
    check_target(args)?;
    let Resolved { preset, merged, overrides } = args.policy.resolve_all(Some(layer(args)?))?;
    if args.show_settings {
        terminal.result(&show_settings(&preset, &merged))?;
        return Ok(ExitStatus::Done);
    }
    check_redaction(args, &merged.settings)?;
    let all = || std::iter::once(&merged.settings).chain(overrides.iter().map(|(_, own)| &own.settings));
    args.llm.ensure_used(all().any(|settings| settings.summary.by.asks_model()))?;
    anyhow::ensure!(
        !args.drop_failed || all().all(|settings| settings.output.mode != Mode::Append),
        "--drop-failed can't go with --mode append, which leaves all that is stored as it is; use --mode rewrite"
    );
    let mut work = compactor(&preset, &merged, &args.selection)?;
    if args.selection.threads != 1 {
        let tokenizer = work.tokenizer;
        // It is ready when the first file is read; where there is no thread for it, the first count loads it.
        drop(std::thread::Builder::new().spawn(move || tokenizer.load()));
    }
    work.lenient = args.lenient;
    work.now = args.now;
    work.fresh_ids = args.fresh_ids;
    work.plan = args.dry_run;
    work.overrides = overrides.iter().map(differing).collect::<anyhow::Result<_>>()?;
    let mut batch = batch(args)?;
    all().try_for_each(has_hook)?;
    let stated = stated(args, &preset, &merged.settings, &overrides);
    batch.settings = bare(serde_json::to_value(stated)?);
    let model = llm::shared_model(&merged.settings, args.selection.threads, args.dry_run, &batch.cancel)?;
    work.model = model.as_ref();
    interrupt::stops(&batch.cancel, terminal);
    let show = Show { plan: args.dry_run, json: args.json, bounds: llm::bounds(&merged.settings.llm) };
    match args.to.as_deref() {
        None => finish(&batch, &work, show, terminal),
        Some(name) => {
            let target = convert::target(name)?;
            finish(&batch, &Converter { compactor: work, compacts: true, target }, show, terminal)
        }
    }
}

/// Settings of some files.
fn differing((glob, merged): &(String, Merged)) -> anyhow::Result<Override<(Settings, Template)>> {
    Ok(Override::new(glob, (merged.settings.clone(), policy::template(merged)?))?)
}

/// Settings as they may stand in a report: without credentials.
fn bare(settings: serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match settings {
        Value::String(text) => redact(&text).0.into(),
        Value::Array(all) => all.into_iter().map(bare).collect(),
        Value::Object(all) => all.into_iter().map(|(key, value)| (key, bare(value))).collect(),
        other => other,
    }
}

/// What was typed of flags that only this command has.
fn layer(args: &CompactArgs) -> anyhow::Result<Layer> {
    let mut layer = args.llm.layer()?;
    if args.redact {
        layer.set("output.redact", true);
    }
    Ok(layer)
}

/// What can't go with an output in another format than its input's.
fn check_target(args: &CompactArgs) -> anyhow::Result<()> {
    let reasons = [
        (args.in_place, "--in-place: the file would be of another format; write to another folder with -o"),
        (
            args.undo.is_some(),
            "--undo: a store gives an input back from an output in its own format only; the inputs stay as they are, so \
             keep them and leave --undo out",
        ),
        (
            args.changed_only,
            "--changed-only: all that is written is in another format, and so has changed; leave --changed-only out",
        ),
    ];
    let reason = reasons.iter().find(|(given, _)| args.to.is_some() && *given);
    reason.map_or(Ok(()), |(_, reason)| anyhow::bail!("--to can't go with {reason}"))
}

/// Credentials can't go from what has to stay as it was.
fn check_redaction(args: &CompactArgs, settings: &Settings) -> anyhow::Result<()> {
    if !settings.output.redact {
        return Ok(());
    }
    refuse_undo(args.in_place || args.undo.is_some())?;
    anyhow::ensure!(
        settings.output.mode != Mode::Append,
        "--redact can't go with --mode append, which leaves all that is stored as it is; use --mode rewrite"
    );
    Ok(())
}

/// An undo store would hold what was taken out.
pub(super) fn refuse_undo(stored: bool) -> anyhow::Result<()> {
    anyhow::ensure!(
        !stored,
        "--redact can't go with --in-place or --undo: the undo store would hold the credentials that were taken out; \
         write to another folder with -o"
    );
    Ok(())
}

/// What goes to standard output.
#[derive(Clone, Copy)]
pub(super) struct Show {
    /// What would be done, with one line per unit; part of the report if that goes there, too.
    pub(super) plan: bool,
    /// The report as JSON.
    pub(super) json: bool,
    /// What bounds the questions to a model, which a plan says.
    pub(super) bounds: llm::Bounds,
}

/// Does the work and reports.
pub(super) fn finish(batch: &Batch, work: &dyn Work, show: Show, terminal: &Terminal) -> anyhow::Result<ExitStatus> {
    let bar = Bar::new(terminal);
    let result = batch.run(work, &bar);
    bar.finish();
    let result = result?;
    report(show, batch, &result, terminal)?;
    Ok(if result.has_failures() || result.canceled { ExitStatus::SomeFailed } else { ExitStatus::Done })
}

/// The work on one transcript with these settings.
pub(super) fn compactor(
    preset: &str,
    merged: &Merged,
    selection: &SelectionArgs,
) -> anyhow::Result<Compactor<'static>> {
    let from = selection.from.as_deref().map(format).transpose()?;
    let compactor = Compactor::new(preset, merged.settings.clone(), policy::template(merged)?)?;
    Ok(Compactor { from, ..compactor })
}

/// The format that `--from` names.
pub(super) fn format(name: &str) -> anyhow::Result<&'static dyn Format> {
    let known = || FORMATS.iter().map(|format| format.name()).collect::<Vec<_>>().join(", ");
    by_name(name).with_context(|| format!("--from {name}: no such format; there are {}", known()))
}

fn destination(args: &CompactArgs) -> Destination<'_> {
    let CompactArgs { inputs, output, in_place, dry_run, selection, .. } = args;
    let listed = selection.files_from.is_some();
    Destination { inputs, listed, output: output.as_deref(), in_place: Some(*in_place), dry_run: *dry_run }
}

fn batch(args: &CompactArgs) -> anyhow::Result<Batch> {
    let target = destination(args).target()?;
    fits(&target, &args.inputs, args.compress)?;
    apart(&target, args.json)?;
    let mut batch = selected::batch(&args.inputs, target, &args.selection);
    batch.force = args.force;
    batch.changed_only = args.changed_only;
    batch.drop_failed = args.drop_failed;
    batch.min_age = args.min_age;
    batch.compress = args.compress;
    batch.memory = args.memory_limit;
    batch.undo = args.undo.clone();
    batch.report_dir = args.report.clone();
    Ok(batch)
}

/// What the report says of the settings; what is left out on purpose the batch adds.
fn stated(
    args: &CompactArgs,
    preset: &str,
    settings: &Settings,
    overrides: &[(String, Merged)],
) -> RunSettings<serde_json::Value> {
    let own =
        |(glob, own): &(String, Merged)| OverrideSettings { glob: glob.clone(), settings: deciding(&own.settings) };
    let all = std::iter::once(settings).chain(overrides.iter().map(|(_, own)| &own.settings));
    RunSettings {
        preset: preset.to_owned(),
        settings: deciding(settings),
        lenient: args.lenient,
        from: args.selection.from.clone(),
        now: args.now,
        fresh_ids: args.fresh_ids,
        to: args.to.clone(),
        overrides: overrides.iter().map(own).collect(),
        contents: all.flat_map(contents).collect(),
        omissions: Omissions::default(),
    }
}

/// A hook that can't be run would fail every transcript; where nothing is summarized none is asked.
fn has_hook(settings: &Settings) -> anyhow::Result<()> {
    let hook = settings.summary.hook.as_ref().filter(|_| settings.summary.by != SummarizerKind::None);
    let Some(hook) = hook else { return Ok(()) };
    anyhow::ensure!(hook.is_file(), "summary.hook {}: there is no such program", hook.display());
    anyhow::ensure!(
        is_executable(hook),
        "summary.hook {}: not an executable file; make it one (chmod +x), or name another",
        hook.display()
    );
    Ok(())
}

/// SHA-256 of the files that settings name: what a template or a hook says decides, too, not only where it lies.
fn contents(settings: &Settings) -> Vec<String> {
    let named = [&settings.summary.template, &settings.summary.hook].into_iter().flatten();
    named.filter_map(|path| std::fs::read(path).ok()).map(|bytes| sha256_of(&bytes)).collect()
}

/// The settings as far as they decide what is written.
fn deciding(settings: &Settings) -> serde_json::Value {
    let mut all = serde_json::json!(settings);
    if let Some(all) = all.as_object_mut().filter(|_| !settings.summary.by.asks_model()) {
        all.remove("llm");
    }
    if let Some(llm) = all.get_mut("llm").and_then(serde_json::Value::as_object_mut) {
        LLM_KEYS.iter().filter(|key| key.decides == Decides::Run).for_each(|key| drop(llm.remove(key.name)));
    }
    all
}

/// Prints the plan, the report, and the table.
fn report(show: Show, batch: &Batch, result: &RunResult, terminal: &Terminal) -> anyhow::Result<()> {
    if show.plan && !show.json {
        let mut plans = Vec::new();
        result.write_plans(&mut plans)?;
        terminal.result(&shown(&String::from_utf8_lossy(&plans)))?;
    }
    if show.json {
        let mut json = Vec::new();
        let plan = show.plan.then(|| result.planned()).transpose()?;
        Report { plan, ..result.report(batch) }.write(&mut json)?;
        terminal.result(&String::from_utf8_lossy(&json))?;
    }
    let mut table = String::new();
    write_table(&result.totals, &mut table)?;
    table += none_taken(result);
    table += &beside_totals(result);
    left_out(result, &mut table)?;
    table += &result.totals.llm.as_ref().filter(|_| show.plan).map_or_else(String::new, |llm| show.bounds.told(llm));
    terminal.message(&shown(&table));
    if let Some(warning) = unopened(batch.compress, result) {
        terminal.message(&shown(&warning));
    }
    if result.canceled {
        terminal.failures(stopped(&batch.target));
    }
    let purpose = if batch.report_dir.is_some() { Purpose::Reporting } else { Purpose::Writing };
    failed(result, purpose, terminal)
}

/// What is said of a run that was stopped.
fn stopped(target: &Target) -> &'static str {
    match target {
        Target::Stdout => "stopped  what was written is not all\n",
        Target::File(_) => "stopped  nothing was written\n",
        Target::Dir(_) | Target::InPlace | Target::DryRun { .. } => {
            "stopped  what is done stays done; run it again to do the rest\n"
        }
    }
}

/// Names the files that a conversion left out, since they are in its format already.
fn left_out(result: &RunResult, table: &mut String) -> anyhow::Result<()> {
    if !result.totals.reasons.contains_key(Reason::SameFormat.name()) {
        return Ok(());
    }
    let mut all = Vec::new();
    result.each_line(|_, line| {
        let is_meant = line.outcome == Outcome::Skipped && line.is_for(Reason::SameFormat);
        all.extend(is_meant.then(|| (line.path, line.format.unwrap_or_default())));
        Ok(())
    })?;
    Ok(write_left_out(&all, table)?)
}

/// What no total tells.
fn beside_totals(result: &RunResult) -> String {
    let mut told = String::new();
    if let Some(bytes) = result.undo_bytes {
        told += &format!("undo     {} bytes in the undo store\n", grouped(bytes));
    }
    if result.reused > 0 {
        told += &format!("done     {} of the files by an earlier run\n", grouped(result.reused));
    }
    told + &unread(&result.totals)
}

/// Names the formats whose own programs can't open what was compressed.
fn unopened(compress: Option<Compress>, result: &RunResult) -> Option<String> {
    let extension = compress?.extension()?;
    let cannot = |name: &&String| by_name(name).is_some_and(|format| !format.opens(extension));
    let formats: Vec<&str> = result.sessions.iter().filter(cannot).map(String::as_str).collect();
    let warning = "warning  compressed, so that the programs that read them can't open them; unpack them first";
    (!formats.is_empty()).then(|| format!("{warning}: {}\n", formats.join(", ")))
}

/// Every setting with its value and origin.
fn show_settings(preset: &str, merged: &Merged) -> String {
    let lines =
        merged.origins.iter().map(|(key, (value, origin))| format!("{key} = {}  # {origin}\n", redact(value).0));
    format!("# preset {preset}\n{}", lines.collect::<String>())
}
