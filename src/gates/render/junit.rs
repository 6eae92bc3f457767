//! JUnit XML: a suite per transcript, a case per gate. Rows of a file about which nothing is found are one suite, as a
//! file may have more of them than readers of JUnit bear. Warnings pass and are described in the output; gates that could
//! not be judged are skipped. The text is repeated in the body, since GitLab has ignored the attribute `message`.

use super::{Options, RenderError, message, plain};
use crate::gates::{GateReport, GateResult, Judged, Verdict, gate};
use crate::measure::pattern;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use regex::Regex;
use std::sync::LazyLock;

/// The number of skipped cases at the root, which the schema of Jenkins does not know there.
static SKIPPED: LazyLock<Regex> = LazyLock::new(|| pattern(r#"(<testsuites\b[^>]*?) skipped="\d+""#));

pub(super) fn render(gates: &GateReport, options: Options) -> Result<String, RenderError> {
    let mut report = Report::new("epitome check");
    let (quiet, told): (Vec<_>, Vec<_>) = gates.all().partition(|one| is_quiet_row(one));
    for one in told {
        report.add_test_suite(suite(one, options));
    }
    for rows in quiet.chunk_by(|one, next| one.path == next.path) {
        report.add_test_suite(of_rows(rows));
    }
    for (path, reason) in &gates.unjudged {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(plain(reason)).set_description(plain(reason));
        let mut suite = TestSuite::new(plain(path));
        let mut case = TestCase::new("read", status);
        // Readers of JUnit tell cases apart by class and name.
        case.set_classname(plain(path));
        suite.add_test_case(case);
        report.add_test_suite(suite);
    }
    let text = report.to_string()?;
    Ok(SKIPPED.replace(&text, "$1").into_owned())
}

/// Whether it is a row about which nothing is found.
fn is_quiet_row(one: &Judged) -> bool {
    one.row.is_some() && one.outcomes.iter().all(|it| matches!(it.verdict, Verdict::Pass | Verdict::Insufficient))
}

/// A suite for the quiet rows of a file, in which a gate passes if it passes a row.
fn of_rows(rows: &[&Judged]) -> TestSuite {
    let name = rows.first().map_or(String::new(), |row| plain(&row.path));
    let mut suite = TestSuite::new(name.clone());
    suite.add_property(("rows", &*rows.len().to_string()));
    let mut gates: Vec<&GateResult> = Vec::new();
    for outcome in rows.iter().flat_map(|row| &row.outcomes) {
        match gates.iter_mut().find(|own| own.gate == outcome.gate) {
            Some(own) if own.verdict == Verdict::Insufficient => *own = outcome,
            Some(_) => {}
            None => gates.push(outcome),
        }
    }
    for outcome in gates {
        let mut case = TestCase::new(case_name(outcome), unbroken(outcome));
        case.set_classname(name.clone());
        suite.add_test_case(case);
    }
    suite
}

fn suite(one: &Judged, options: Options) -> TestSuite {
    let mut suite = TestSuite::new(plain(&one.name()));
    for outcome in &one.outcomes {
        suite.add_test_case(case(one, outcome, options));
    }
    suite
}

fn case(one: &Judged, outcome: &GateResult, options: Options) -> TestCase {
    let body = body(one, outcome, options);
    let broken = |what: &str| {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_type(outcome.gate).set_message(what.to_owned()).set_description(body.clone());
        status
    };
    let status = match outcome.verdict {
        Verdict::Pass | Verdict::Warn | Verdict::Insufficient => unbroken(outcome),
        Verdict::NotComparable => broken(&format!("not comparable: {}", outcome.note)),
        Verdict::Fail => broken(&headline(outcome, options)),
    };
    let mut case = TestCase::new(case_name(outcome), status);
    case.set_classname(plain(&one.name()));
    if outcome.verdict == Verdict::Warn {
        case.set_system_out(body);
    }
    case
}

fn case_name(outcome: &GateResult) -> String {
    gate(outcome.gate).map_or(String::new(), |gate| format!("{} {}", gate.id, gate.name))
}

/// The status of a gate that does not fail.
fn unbroken(outcome: &GateResult) -> TestCaseStatus {
    let mut status = TestCaseStatus::success();
    if outcome.verdict == Verdict::Insufficient {
        status = TestCaseStatus::skipped();
        status.set_message(outcome.note);
    }
    status
}

/// The first finding, and the number of further ones.
fn headline(outcome: &GateResult, options: Options) -> String {
    let first = outcome.findings.first().map(|finding| message(finding, options)).unwrap_or_default();
    match outcome.findings.len() {
        0 | 1 => first,
        many => format!("{first} (and {} more)", many - 1),
    }
}

fn body(one: &Judged, outcome: &GateResult, options: Options) -> String {
    let lines = outcome.findings.iter().map(|finding| {
        format!("{}:{}: {}: {}", plain(&one.file), finding.line, finding.level.name(), message(finding, options))
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    if text.is_empty() { outcome.note.to_owned() } else { text }
}
