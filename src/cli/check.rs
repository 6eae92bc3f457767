//! `epitome check`: what is wrong with transcripts, one line a fault, and what was mended.

use super::args::{CheckArgs, GateArgs};
use super::compact::{format, refuse_undo};
use super::config::redacts;
use super::explain::explain;
use super::progress::Bar;
use super::target::Destination;
use super::terminal::shown;
use super::{ExitStatus, Terminal, gates, named_presets, selected, templates};
use crate::batch::{Batch, RunResult, Target, Work};
use crate::check::{Choice, RULES, Rule, RuleKind, rule};
use crate::gatekeeper::ByFolder;
use crate::header::SCHEMA_VERSION;
use crate::reason::Reason;
use crate::report::{CheckSettings, CheckedRules, Finding, Line, Outcome, unanswered};
use crate::summary::{DEFAULT_TEMPLATE, Template};
use crate::work::{Checker, Held, Redacting};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};

/// Checks, and prints.
pub(super) fn run(args: &CheckArgs, terminal: &Terminal) -> anyhow::Result<ExitStatus> {
    if args.rules {
        terminal.result(&rules())?;
        return Ok(ExitStatus::Done);
    }
    if let Some(code) = &args.explain {
        terminal.result(&explain(code)?)?;
        return Ok(ExitStatus::Done);
    }
    if gates::wanted(args)? {
        return gates::run(args, terminal);
    }
    let work = checker(args)?;
    let batch = batch(args)?;
    let bar = Bar::new(terminal);
    let stated = ByFolder::new(&work);
    let checks: &dyn Work = if has_sections(args) { &work } else { &stated };
    let result = if args.fix.fix && redacts(args.fix.redact)? {
        batch.run(&Redacting(checks), &bar)
    } else {
        batch.run(checks, &bar)
    };
    bar.finish();
    let mut report = CheckOutput { json: args.json, rules: &work.rules, file: None, totals: Counts::default() };
    let aside = batch.target == Target::Stdout;
    print(&result?, &mut report, |text| {
        if aside {
            terminal.failures(text);
            return Ok(());
        }
        terminal.result(text).map_err(|error| error.downcast().unwrap_or_else(io::Error::other))
    })?;
    terminal.message(&report.totals.table(args.fix.fix));
    let status = report.totals.status(args.selection.shard.is_some());
    if status == ExitStatus::NothingJudged {
        terminal.failures(&report.totals.nothing());
    }
    Ok(status)
}

fn checker(args: &CheckArgs) -> anyhow::Result<Checker> {
    let GateArgs { config, preset, show_content, .. } = &args.gates;
    if config.is_some() || preset.is_some() || *show_content {
        anyhow::bail!("--config, --preset and --show-content are for gates; say --gates or --original DIR");
    }
    if let Some(unknown) = args.select.iter().chain(&args.ignore).find(|name| rule(name).is_none()) {
        anyhow::bail!("{unknown}: no such rule; `epitome check --rules` lists them");
    }
    let rules = Choice { select: args.select.clone(), ignore: args.ignore.clone() };
    let from = args.selection.from.as_deref().map(format).transpose()?;
    let mut templates = vec![template(args)?];
    if !has_sections(args) {
        templates.extend(named_presets::templates()?);
    }
    Ok(Checker { rules, templates, held: Held::All, fix: args.fix.fix, from })
}

/// Whether sections are stated; else summaries are held to those of the folder that they are in.
pub(super) fn has_sections(args: &CheckArgs) -> bool {
    args.template.is_some() || !args.section.is_empty()
}

/// What summaries are held to.
pub(super) fn template(args: &CheckArgs) -> anyhow::Result<Template> {
    match &args.template {
        Some(path) => templates::read(path, &args.section, false),
        None => Ok(Template::parse(DEFAULT_TEMPLATE, &args.section, false)?),
    }
}

/// The inputs, and where mended ones go.
pub(super) fn batch(args: &CheckArgs) -> anyhow::Result<Batch> {
    let fix = &args.fix;
    refuse_undo(fix.redact && (fix.in_place || fix.undo.is_some()))?;
    let target = if fix.fix { destination(args).target()? } else { Target::DryRun { in_place: false } };
    let mut batch = selected::batch(&args.inputs, target, &args.selection);
    batch.reads_only = !fix.fix;
    batch.measure_zstd = false;
    batch.force = fix.force;
    batch.undo = fix.undo.clone();
    batch.min_age = fix.min_age;
    let check = CheckedRules {
        select: args.select.clone(),
        ignore: args.ignore.clone(),
        template: args.template.clone(),
        sections: args.section.clone(),
    };
    let stated = CheckSettings { redact: fix.redact, check, from: args.selection.from.clone() };
    batch.settings = serde_json::to_value(stated)?;
    Ok(batch)
}

fn destination(args: &CheckArgs) -> Destination<'_> {
    let (fix, listed) = (&args.fix, args.selection.files_from.is_some());
    let (output, in_place, dry_run) = (args.output.first().map(PathBuf::as_path), Some(fix.in_place), fix.dry_run);
    Destination { inputs: &args.inputs, listed, output, in_place, dry_run }
}

/// All rules as a table: name, what is done about it, where it holds, what it means.
fn rules() -> String {
    let width = RULES.iter().map(|rule| rule.name.len()).max().unwrap_or_default();
    let row = |rule: &Rule| {
        let mend = rule.mend.map_or("-", |mend| mend.how);
        format!("{:<width$} {mend:<10} {}: {}\n", rule.name, rule.scope.names().join(", "), rule.meaning)
    };
    RULES.iter().map(row).collect()
}

/// What is counted for the end.
#[derive(Default)]
struct Counts {
    /// Faults that are left, by rule.
    left: BTreeMap<String, u64>,
    mended: u64,
    /// Files that were not judged, by reason.
    skipped: BTreeMap<String, u64>,
    files: u64,
    faulty_files: u64,
    transcripts: u64,
    /// Rows for training that end on no answer.
    unanswered: u64,
}

impl Counts {
    fn table(&self, fix: bool) -> String {
        let mut rules: Vec<_> = self.left.iter().collect();
        rules.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
        let mut text: String = rules.iter().map(|(rule, count)| format!("{count:>7} {rule}\n")).collect();
        let faults: u64 = self.left.values().sum();
        let mended = if fix { format!(", {} mended", self.mended) } else { String::new() };
        let word = match (fix, faults) {
            (true, _) => "left",
            (false, 1) => "fault",
            (false, _) => "faults",
        };
        let (faulty, files) = (self.faulty_files, self.files);
        text +=
            &format!("{faults:>7} {word}{mended}, in {faulty} of {files} files, {} transcripts\n", self.transcripts);
        text.extend(self.skipped.iter().map(|(reason, count)| format!("{count:>7} skipped: {reason}\n")));
        let mendable = rules.iter().filter(|(name, _)| rule(name).is_some_and(|rule| rule.mend.is_some()));
        if mendable.count() > 0 && !fix {
            text += "help     --fix may mend some of them: `--fix -n` says which, `epitome check --explain RULE` how\n";
        }
        text + &unanswered(self.unanswered)
    }

    /// Why nothing was judged.
    fn nothing(&self) -> String {
        let reasons: Vec<String> =
            self.left.iter().chain(&self.skipped).map(|(reason, count)| format!("{count} {reason}")).collect();
        let told = if reasons.is_empty() { "no file was taken".to_owned() } else { reasons.join(", ") };
        format!("nothing judged: {told}\n")
    }

    /// The exit status; a share of the work may have no files, and is done then. Where no input is a transcript, nothing
    /// was judged.
    fn status(&self, is_share: bool) -> ExitStatus {
        let none = self.transcripts == 0 && self.left.keys().all(|rule| RuleKind::of(rule) == RuleKind::Absent);
        match (self.left.is_empty(), none) {
            (true, true) if is_share && self.files == 0 => ExitStatus::Done,
            (_, true) => ExitStatus::NothingJudged,
            (true, _) => ExitStatus::Done,
            (false, _) => ExitStatus::SomeFailed,
        }
    }
}

/// The report while it is written.
struct CheckOutput<'r> {
    json: bool,
    rules: &'r Choice,
    file: Option<File>,
    totals: Counts,
}

/// What is said of one file when all of it was seen.
struct File {
    path: PathBuf,
    format: Option<String>,
    transcripts: u64,
    left: u64,
    mended: u64,
    skipped: Option<String>,
    /// Its format, if that is known and not read.
    unread: Option<String>,
}

/// Prints the findings of all files, then what each file has.
fn print(
    result: &RunResult,
    report: &mut CheckOutput<'_>,
    mut out: impl FnMut(&str) -> io::Result<()>,
) -> io::Result<()> {
    result.each_line(|path, line| {
        let mut text = report.next_file(Some(path));
        text += &report.line(path, &line);
        if text.is_empty() { Ok(()) } else { out(&text) }
    })?;
    out(&report.next_file(None))
}

impl CheckOutput<'_> {
    /// Goes on to another file, and gives what is to be said of the last one.
    fn next_file(&mut self, path: Option<&Path>) -> String {
        if self.file.as_ref().map(|file| file.path.as_path()) == path {
            return String::new();
        }
        let new = path.map(|path| File {
            path: path.to_owned(),
            format: None,
            transcripts: 0,
            left: 0,
            mended: 0,
            skipped: None,
            unread: None,
        });
        let Some(last) = std::mem::replace(&mut self.file, new) else { return String::new() };
        self.totals.files += 1;
        self.totals.faulty_files += u64::from(last.left > 0);
        self.totals.transcripts += last.transcripts;
        if let Some(reason) = &last.skipped {
            let format = last.unread.as_ref().map_or_else(String::new, |format| format!(" ({format})"));
            *self.totals.skipped.entry(format!("{reason}{format}")).or_default() += 1;
        }
        if self.json { last.json() } else { String::new() }
    }

    /// The findings of one transcript.
    fn line(&mut self, path: &Path, line: &Line) -> String {
        self.totals.unanswered += u64::from(line.unanswered_end);
        let failure = failure(line);
        let findings = line.findings.iter().chain(&failure);
        let findings: Vec<_> = findings.filter(|finding| self.rules.takes(&finding.rule)).collect();
        for finding in &findings {
            match finding.mended {
                true => self.totals.mended += 1,
                false => *self.totals.left.entry(finding.rule.clone()).or_default() += 1,
            }
        }
        if let Some(file) = &mut self.file {
            file.see(line, &findings);
        }
        if self.json {
            return findings.iter().map(|finding| json(path, line, finding)).collect();
        }
        alike(&findings).into_iter().map(|(first, others)| text(path, first, others)).collect()
    }
}

/// Findings that say the same of other lines are one: the first of each, with how many more there are.
fn alike<'f>(findings: &[&'f Finding]) -> Vec<(&'f Finding, usize)> {
    let mut places: HashMap<_, usize> = HashMap::new();
    let mut alike: Vec<(&Finding, usize)> = Vec::new();
    for &finding in findings {
        let said = (&finding.rule, &finding.subject, &finding.detail, finding.mended);
        match places.entry(said) {
            Entry::Occupied(place) => alike[*place.get()].1 += 1,
            Entry::Vacant(place) => {
                place.insert(alike.len());
                alike.push((finding, 0));
            }
        }
    }
    alike
}

impl File {
    fn see(&mut self, line: &Line, findings: &[&Finding]) {
        let judged = matches!(line.outcome, Outcome::Unchanged | Outcome::Redacted | Outcome::Mended);
        self.transcripts += u64::from(judged);
        self.format = self.format.take().or_else(|| line.format.clone());
        self.skipped = line.reason.clone().filter(|_| line.outcome == Outcome::Skipped);
        self.unread = self.format.clone().filter(|_| line.is_for(Reason::UnsupportedFormat));
        self.mended += findings.iter().filter(|finding| finding.mended).count() as u64;
        self.left += findings.iter().filter(|finding| !finding.mended).count() as u64;
    }

    fn json(&self) -> String {
        let value = serde_json::json!({
            "schema_version": SCHEMA_VERSION,
            "kind": "file",
            "path": self.path.to_string_lossy(),
            "format": self.format,
            "transcripts": self.transcripts,
            "faults": self.left,
            "mended": self.mended,
            "skipped": self.skipped,
        });
        format!("{value}\n")
    }
}

/// A file, or a row, that could not be judged at all.
fn failure(line: &Line) -> Option<Finding> {
    let told = !line.findings.is_empty() || line.outcome != Outcome::Failed;
    let reason = line.reason.clone().filter(|_| !told)?;
    Some(Finding { line: line.line.unwrap_or(1), rule: reason, detail: line.error.clone(), ..Finding::default() })
}

/// What is wrong, where the rule's name and the subject are said elsewhere.
fn message(finding: &Finding) -> &str {
    let meaning = || rule(&finding.rule).map_or("", |rule| rule.meaning);
    finding.detail.as_deref().unwrap_or_else(meaning)
}

/// `path:line: rule subject: message`, or what was mended; `others` more say the same of other lines.
fn text(path: &Path, finding: &Finding, others: usize) -> String {
    let (path, line, name) = (path.display(), finding.line, &finding.rule);
    let subject = if finding.subject.is_empty() { String::new() } else { format!(" {}", finding.subject) };
    let number = finding.message.map(|number| format!("message {number}"));
    let more = (others > 0).then(|| format!("and {others} more"));
    let text = if finding.mended {
        let how = rule(name).and_then(|rule| rule.mend).map_or("resolved", |mend| mend.how);
        let place: Vec<String> = [Some(format!("line {line}")), number, more].into_iter().flatten().collect();
        format!("{path}: mended: {how} {name}{subject} ({})", place.join(", "))
    } else {
        let column = finding.column.map(|column| format!("column {column}"));
        let place: String = number.into_iter().chain(column).map(|place| place + ": ").collect();
        let more = more.map_or_else(String::new, |more| format!(" ({more})"));
        format!("{path}:{line}: {name}{subject}: {place}{}{more}", message(finding))
    };
    shown(&text).replace('\n', " ") + "\n"
}

fn json(path: &Path, line: &Line, finding: &Finding) -> String {
    let value = serde_json::json!({
        "schema_version": SCHEMA_VERSION,
        "kind": "fault",
        "path": path.to_string_lossy(),
        "format": line.format,
        "line": finding.line,
        "column": finding.column,
        "message_number": finding.message,
        "rule": finding.rule,
        "subject": finding.subject,
        "message": message(finding),
        "mended": finding.mended,
    });
    format!("{value}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_without_files_is_done() {
        let status = |is_share: bool, files: u64| Counts { files, ..Counts::default() }.status(is_share);
        assert!(matches!(status(true, 0), ExitStatus::Done));
        assert!(matches!(status(true, 1), ExitStatus::NothingJudged), "its files hold no transcript");
        assert!(matches!(status(false, 0), ExitStatus::NothingJudged));
    }

    #[test]
    fn what_is_said_of_many_lines_is_said_once() {
        let finding = |line, subject: &str| Finding {
            line,
            rule: "duplicate_uuid".into(),
            subject: subject.into(),
            ..Finding::default()
        };
        let all = [finding(3, "a"), finding(4, "b"), finding(5, "a"), finding(9, "a")];
        let said: Vec<String> =
            alike(&all.each_ref()).into_iter().map(|(one, others)| text(Path::new("x"), one, others)).collect();
        let meaning = message(&all[0]);
        assert_eq!(
            said,
            [format!("x:3: duplicate_uuid a: {meaning} (and 2 more)\n"), format!("x:4: duplicate_uuid b: {meaning}\n")]
        );
        let mended = Finding { mended: true, ..finding(3, "a") };
        assert!(text(Path::new("x"), &mended, 1).ends_with("duplicate_uuid a (line 3, and 1 more)\n"));
    }

    #[test]
    fn the_message_of_a_finding_is_named() {
        let finding = |mended| Finding {
            line: 3,
            message: Some(12),
            rule: "orphan_result".into(),
            subject: "a".into(),
            mended,
            ..Finding::default()
        };
        let (left, mended) = (finding(false), finding(true));
        let meaning = message(&left);
        assert_eq!(text(Path::new("x"), &left, 0), format!("x:3: orphan_result a: message 12: {meaning}\n"));
        assert_eq!(
            text(Path::new("x"), &mended, 1),
            "x: mended: dropped orphan_result a (line 3, message 12, and 1 more)\n"
        );
        let json = json(Path::new("x"), &Line::default(), &left);
        assert!(json.contains(&format!(r#""message":"{meaning}","message_number":12,"#)), "{json}");
    }

    #[test]
    fn who_finds_what_can_be_mended_is_told() {
        let table = |rules: &[(&str, u64)], fix: bool| {
            let left = rules.iter().map(|(rule, count)| ((*rule).to_owned(), *count)).collect();
            Counts { files: 1, transcripts: 1, left, ..Counts::default() }.table(fix)
        };
        let all = [("invalid_line", 2), ("no_header", 1)];
        assert!(table(&all, false).contains("help     --fix may mend some of them"));
        assert!(!table(&all, true).contains("help") && !table(&all[1..], false).contains("help"));
    }

    #[test]
    fn where_no_input_is_a_transcript_nothing_is_judged() {
        let status = |rules: &[&str], transcripts: u64| {
            let left = rules.iter().map(|rule| ((*rule).to_owned(), 1)).collect();
            Counts { files: 2, transcripts, left, ..Counts::default() }.status(false)
        };
        assert_eq!(status(&["not_a_transcript", "not_found"], 0), ExitStatus::NothingJudged);
        assert_eq!(status(&["not_a_transcript", "invalid_line"], 0), ExitStatus::SomeFailed, "a line was judged");
        assert_eq!(status(&["not_a_transcript"], 1), ExitStatus::SomeFailed, "another file was judged");
        assert_eq!(status(&[], 1), ExitStatus::Done);
    }
}
