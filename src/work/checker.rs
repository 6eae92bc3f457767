//! Checks one transcript: reads it as far as possible, judges it, and mends it if requested.

use super::describe;
use super::line_repair::{LineMap, REPAIRS, Repair};
use super::mender::{self, Mended};
use super::seen::Seen;
use crate::batch::{Done, Work};
use crate::check::{Choice, RuleKind, closest, ends_unanswered, faults_at_rest, section_faults};
use crate::format::json::Json;
use crate::format::{
    Bytes, Detected, Format, Layout, ReadError, ReadOptions, Undetected, lines, read_line, stated_or_detected,
};
use crate::reason::Reason;
use crate::report::{Finding, Outcome};
use crate::summary::{Template, is_note};
use crate::transcript::{Class, Fault, Patch, PatchKind, Record, Transcript, apply, compose, distinct};
use std::collections::BTreeMap;

/// Checks transcripts, and mends them.
pub struct Checker {
    /// The selected rules.
    pub rules: Choice,
    /// The templates that epitome's own summaries may be by; each is held to the first of which it has most headings. The
    /// usual one comes first. Empty if none is known.
    pub templates: Vec<Template>,
    /// Which of the summaries that have most headings of no template are held to the usual one.
    pub held: Held,
    /// Mend what can be mended.
    pub fix: bool,
    /// The format, instead of detecting it.
    pub from: Option<&'static dyn Format>,
}

/// Which summaries are held to a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// All.
    All,
    /// Those that have most of its headings: the others may be by another template.
    ByHeadings,
}

/// A transcript, read as far as possible, and its faults.
pub(crate) struct Judged<'s> {
    pub(super) format: &'static dyn Format,
    /// The line of its file that it begins at.
    pub(crate) first_line: usize,
    pub(crate) transcript: Transcript<'s>,
    /// All faults, including lines that can't be read.
    pub(crate) faults: Vec<Fault>,
    /// Why lines can't be read.
    errors: Vec<ReadError>,
    /// Indices of the records of those lines.
    pub(crate) invalid: Vec<usize>,
    /// The repairs of those lines that have one, by line.
    repairs: BTreeMap<usize, &'static Repair>,
}

impl Judged<'_> {
    /// Whether a line can be repaired, and this is its repair.
    pub(super) fn is_repaired_by(&self, repair: &Repair, line: usize) -> bool {
        self.repairs.get(&line).is_some_and(|own| own.rule == repair.rule)
    }
}

impl Work for Checker {
    fn run(&self, format: &'static dyn Format, source: &[u8], first_line: usize) -> Done {
        let judged = self.judge(format, source, first_line);
        let wanted: Vec<Fault> = judged.faults.iter().filter(|fault| self.rules.takes(fault.rule)).cloned().collect();
        for repair in REPAIRS {
            if let Some(repaired) = self.repaired(&judged, &wanted, repair) {
                return repaired;
            }
        }
        let mended = if self.fix { self.mend(&judged, &wanted) } else { None };
        let mut line = self.blank();
        line.outcome = if mended.is_some() { Outcome::Mended } else { Outcome::Unchanged };
        line.faults.before = describe::by_rule(&judged.faults);
        line.faults.after = describe::by_rule(mended.as_ref().map_or(&judged.faults, |mended| &mended.after));
        line.findings = findings(&judged, &wanted, mended.as_ref());
        line.unanswered_end = ends_unanswered(format.name(), &judged.transcript);
        Done { line, patches: mended.map(|mended| mended.patches).unwrap_or_default(), plan: Vec::new() }
    }

    fn detect(&self, bytes: &[u8], given: Bytes) -> Result<Detected, Undetected> {
        stated_or_detected(self.from, bytes, given)
    }
}

impl Checker {
    /// Finds all faults of a transcript.
    pub(crate) fn judge<'s>(&self, format: &'static dyn Format, source: &'s [u8], first_line: usize) -> Judged<'s> {
        let mut judged = read(format, source, first_line);
        let transcript = &judged.transcript;
        let readable = judged.errors.is_empty() || transcript.records.len() > judged.invalid.len();
        if self.from.is_some() && readable && transcript.is_foreign() {
            judged.faults.push(Fault::new(first_line, Reason::WrongFormat.name(), ""));
        } else if readable {
            judged.faults.extend(format.faults(transcript));
            judged.faults.extend(faults_at_rest(transcript));
            judged.faults.extend(section_faults(transcript, |text| self.template_of(text)));
        }
        distinct(&mut judged.faults);
        judged
    }

    /// The template by which a summary is validated: the first of those of which it has the most headings.
    fn template_of(&self, summary: &str) -> Option<&Template> {
        // Where any preset may have written it: some leave messages out, and say so in place of a summary.
        let only_notes = || self.templates.len() > 1 && is_note(summary.trim());
        let first = || self.templates.first().filter(|_| self.held == Held::All && !only_notes());
        closest(summary, &self.templates).or_else(first)
    }

    fn mend(&self, judged: &Judged<'_>, wanted: &[Fault]) -> Option<Mended> {
        if let Some(rows) = self.parted_rows(judged, wanted) {
            return Some(rows);
        }
        if let Some(row) = broken_row(judged, wanted) {
            return Some(row);
        }
        mender::mend(judged, wanted, &|bytes| self.judge_again(judged, bytes))
    }

    /// The faults of a transcript after changes.
    fn judge_again(&self, judged: &Judged<'_>, changed: &[u8]) -> Vec<Fault> {
        self.judge(judged.format, changed, judged.first_line).faults
    }

    /// Splits rows that share a line, and drops what is torn beside them.
    fn parted_rows(&self, judged: &Judged<'_>, wanted: &[Fault]) -> Option<Mended> {
        let is_due = |repair: &&Repair| repair.adds_lines && wanted.iter().any(|fault| fault.rule == repair.rule);
        let parting = REPAIRS.iter().filter(|_| judged.format.layout() == Layout::PerLine).filter(is_due);
        let patches = parting.map(|repair| repair.patches(judged)).find(|patches| !patches.is_empty())?;
        let parted = apply(judged.transcript.source, &patches);
        let rows = parted.split(|byte| *byte == b'\n');
        let after = rows.flat_map(|row| self.judge_again(judged, row)).collect();
        Some(Mended { patches, after, accepted: wanted.to_vec() })
    }

    /// Makes lines readable (splits records on one line, doubles backslashes that begin no escape, drops what is torn
    /// beside records), then checks and mends the result: faults that were only caused by such a line are gone. `None` if
    /// the rule is broken as often, since line breaks split nothing in a single JSON document.
    fn repaired(&self, judged: &Judged<'_>, wanted: &[Fault], repair: &Repair) -> Option<Done> {
        let Judged { format, first_line, .. } = *judged;
        let parts = repair.adds_lines;
        let is_meant = self.fix && !(parts && format.layout() == Layout::PerLine);
        let is_own = |fault: &&Fault| fault.rule == repair.rule;
        let patches = (is_meant && wanted.iter().any(|fault| is_own(&fault))).then(|| repair.patches(judged))?;
        let source = judged.transcript.source;
        let middle = apply(source, &patches);
        let after = self.judge_again(judged, &middle);
        if after.iter().filter(is_own).count() >= judged.faults.iter().filter(is_own).count() {
            return None;
        }
        let Done { mut line, patches: second, plan } = self.run(format, &middle, first_line);
        let is_gone = |fault: &&Fault| is_own(fault) && judged.is_repaired_by(repair, fault.line);
        let own: Vec<Fault> = wanted.iter().filter(is_gone).cloned().collect();
        let own = findings(judged, &own, None).into_iter().map(|finding| Finding { mended: true, ..finding });
        let places = LineMap::of(source, if parts { &patches } else { &[] }, first_line);
        let others = line.findings.into_iter().map(|it| Finding { line: places.before(it.line), ..it });
        line.findings = own.chain(others).collect();
        line.findings.sort();
        line.outcome = Outcome::Mended;
        line.faults.before = describe::by_rule(&judged.faults);
        Some(Done { line, patches: compose(&patches, &middle, &second), plan })
    }
}

/// Removes an invalid line of a file of rows. The first line stays, since it may be the only one.
fn broken_row(judged: &Judged<'_>, wanted: &[Fault]) -> Option<Mended> {
    let Judged { format, first_line, .. } = *judged;
    let source = judged.transcript.source;
    let is_row = format.layout() == Layout::PerLine && first_line > 1 && memchr::memchr(b'\n', source).is_none();
    let broken =
        matches!(wanted, [only] if only.rule == Reason::InvalidLine.name()) && judged.transcript.messages.is_empty();
    let patch = Patch { span: 0..source.len(), with: Vec::new(), kind: PatchKind::Drop };
    (is_row && broken).then(|| Mended { patches: vec![patch], after: Vec::new(), accepted: wanted.to_vec() })
}

/// The faults of what can't be read in a transcript that was read with `lenient`.
pub(super) fn unread(format: &'static dyn Format, seen: &Seen<'_>) -> Vec<Fault> {
    let transcript = &seen.transcript;
    let broken =
        |record: &Record<'_>| record.class == Class::Opaque && Json::at(transcript.source, &record.span).is_none();
    let nothing = transcript.messages.is_empty() && transcript.records.len() == 1;
    // What can be read is not read again.
    match nothing || transcript.records.iter().any(broken) {
        true => read(format, transcript.source, seen.first_line).faults,
        false => Vec::new(),
    }
}

/// Reads a transcript; what can't be read becomes a fault.
fn read<'s>(format: &'static dyn Format, source: &'s [u8], first_line: usize) -> Judged<'s> {
    let strict = ReadOptions { lenient: false, first_line };
    let error = match format.read(source, strict) {
        Ok(transcript) => {
            let (faults, errors, invalid) = (Vec::new(), Vec::new(), Vec::new());
            return Judged { format, first_line, transcript, faults, errors, invalid, repairs: BTreeMap::new() };
        }
        Err(error) => error,
    };
    let lenient = format.read(source, ReadOptions { lenient: true, ..strict });
    let transcript = lenient.unwrap_or_else(|_| Transcript { source, ..Transcript::default() });
    let (invalid, mut errors): (Vec<_>, Vec<_>) = unreadable(&transcript, first_line).into_iter().unzip();
    let rule = if invalid.is_empty() { Reason::UnknownShape } else { Reason::InvalidLine }.name();
    if invalid.len() <= 1 {
        errors = vec![error];
    }
    let bytes = |record: &Record<'_>| source.get(record.span.clone()).unwrap_or_default();
    let broken = invalid.iter().filter_map(|at| transcript.records.get(*at));
    let repairs = broken.filter_map(|record| Some((record.line, Repair::of(bytes(record))?)));
    let repairs: BTreeMap<usize, &Repair> = repairs.collect();
    let rule_of = |line: usize| repairs.get(&line).map_or(rule, |repair| repair.rule);
    let fault = |error: &ReadError| Fault::new(error.line, rule_of(error.line), "");
    let faults = errors.iter().map(fault).collect();
    Judged { format, first_line, transcript, faults, errors, invalid, repairs }
}

/// Indices of the records that are not JSON, each with its error.
fn unreadable(transcript: &Transcript<'_>, first_line: usize) -> Vec<(usize, ReadError)> {
    let opaque = transcript.records.iter().enumerate().filter(|(_, record)| record.class == Class::Opaque);
    let broken = opaque.filter(|(_, record)| {
        let text = transcript.source.get(record.span.clone()).unwrap_or_default();
        let bom = if text.starts_with(lines::BOM) { lines::BOM.len() } else { 0 };
        memchr::memchr(0, text).is_some() || Json::at(text, &(bom..text.len())).is_none()
    });
    let reason = |(at, record): (usize, &Record<'_>)| {
        let line = lines::Line { number: record.line + 1 - first_line.min(record.line), span: record.span.clone() };
        Some((at, read_line(transcript.source, &line, first_line).err()?))
    };
    broken.filter_map(reason).collect()
}

/// The faults as findings for the report: each with its error, and whether it was mended.
fn findings(judged: &Judged<'_>, wanted: &[Fault], mended: Option<&Mended>) -> Vec<Finding> {
    let gone = mended.map(|mended| mended.gone(wanted)).unwrap_or_default();
    let mut errors: BTreeMap<usize, &ReadError> = BTreeMap::new();
    for error in &judged.errors {
        errors.entry(error.line).or_insert(error);
    }
    let finding = |(at, fault): (usize, &Fault)| {
        debug_assert!(crate::check::rule(fault.rule).is_some(), "{} is in no table", fault.rule);
        let unread = RuleKind::of(fault.rule).is_unread();
        let error = errors.get(&fault.line).filter(|_| unread);
        Finding {
            line: fault.line,
            column: error.map(|error| error.column),
            message: fault.message,
            rule: fault.rule.to_owned(),
            subject: fault.subject.clone(),
            detail: error.map(|error| error.reason.clone()),
            mended: gone.get(at) == Some(&true),
        }
    };
    wanted.iter().enumerate().map(finding).collect()
}
