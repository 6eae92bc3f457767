//! The short table for people: outcomes of the files, and what was saved.

use super::{Failure, Failures, LlmTotals, Totals, cost_in_words};
use crate::check::RuleKind;
use crate::reason::{FOUND_OBJECTS, MAKE, NOTHING_CAN_GO, Reason};
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// Advice for lines that can't be read.
const INVALID: &str = "help     invalid_line: --lenient goes on without it (`compact` keeps it as it is, `convert` leaves it \
                       out); `epitome check --fix` mends torn ones";
/// The same where nothing is written: there is no --lenient.
const INVALID_READ: &str =
    "help     invalid_line: `epitome check --fix` mends torn lines; --exclude leaves the file out";
/// Advice for JSON files of no known format.
const UNKNOWN: &str =
    "help     not_a_transcript: --from FORMAT reads it all the same, if it is one; --exclude leaves it out";
/// Advice for files that are not JSON.
const NO_JSON: &str = "help     not_a_transcript: transcripts are JSON, and it is none; export it to JSON lines, or leave it \
                       out with --exclude";
/// Advice for what is too large.
const OVER_BUDGET: &str = "help     over_budget: a larger --max-tokens has room for it";
/// Advice for what is too large and stays as it is.
const NOTHING_GOES: &str = "help     over_budget: a larger --max-tokens has room for it, or mend what keeps it as it is \
                            (`--explain` says how)";
/// Advice for files that are too young and may be in use.
const YOUNG: &str =
    "help     too_young: changed so lately that they may be in use; --min-age 0s takes them all the same";
/// Advice for files that are open for writing.
const IN_USE: &str =
    "help     in_use: open for writing, so what is written later would be lost; run again once they are closed";
/// Advice for transcripts that fit into the tail after pruning.
const NO_HEAD: &str = "help     no_head: pruned, all of it fits into the tail, so nothing is old; --summarizer none prunes it all \
                       the same, a smaller --tail-tokens makes a head";
/// Where failures are that the table does not name.
const ALL: &str =
    "help     all that failed are in report.jsonl, in .epitome of the output; --report DIR writes it for a single file";
/// The same where that folder was named.
const ALL_THERE: &str = "help     all that failed are in report.jsonl, in the folder that --report names";
/// Maximum number of failures in the table.
const TOP_FAILURES: usize = 10;
/// Most rows of a file with one reason that are told one by one.
const ALIKE: usize = 3;
/// Most lines that are named of further ones.
const LINES_TOLD: usize = 5;

/// Writes the table.
///
/// Failed transcripts are not part of the comparison of before and after, since they have no output; a line of its own
/// gives their tokens.
///
/// # Errors
/// The writer failed.
pub fn write_table(totals: &Totals, out: &mut dyn Write) -> fmt::Result {
    outcomes(totals, out)?;
    reasons(totals, out)?;
    failed_rows(totals, out)?;
    let (tokens, failed) = (&totals.tokens, &totals.failed.tokens);
    row(
        "tokens",
        tokens.before - failed.before.min(tokens.before),
        tokens.after - failed.after.min(tokens.after),
        out,
    )?;
    if failed.before > 0 {
        writeln!(out, "         {} more in what failed", grouped(failed.before))?;
    }
    if tokens.after > tokens.before && tokens.live_after != tokens.after {
        // With appended compactions the stored size grows while the loaded size shrinks.
        row("loaded", tokens.live - failed.live.min(tokens.live), tokens.live_after - failed.live_after, out)?;
    }
    let bytes = &totals.files.bytes;
    row("bytes", bytes.before, bytes.after, out)?;
    if let (Some(before), Some(after)) = (bytes.before_zstd, bytes.after_zstd) {
        row(if bytes.zstd_sampled > 0 { "zstd ~" } else { "zstd -3" }, before, after, out)?;
    }
    unread(totals, out)?;
    losses(totals, out)?;
    out.write_str(&unanswered(totals.unanswered_ends))?;
    out.write_str(&overflowing(totals.overflows))?;
    redacted(totals, out)?;
    advice(totals, out)?;
    totals.llm.as_ref().map_or(Ok(()), |llm| model(llm, out))
}

/// Lines that can't be read and were kept as they are, by rule.
fn unread(totals: &Totals, out: &mut dyn Write) -> fmt::Result {
    let kept = totals.faults.after.iter().filter(|(rule, _)| RuleKind::of(rule).is_unread());
    let kept: Vec<_> = kept.map(|(rule, count)| format!("{} {rule}", grouped(*count))).collect();
    match kept.is_empty() {
        true => Ok(()),
        false => writeln!(out, "unread   {}: such lines are kept as they are", kept.join(", ")),
    }
}

/// The work of a model, or in a dry run the work that it would do.
fn model(llm: &LlmTotals, out: &mut dyn Write) -> fmt::Result {
    let sent = if llm.estimated > 0 { "would be asked" } else { "asked" };
    write!(out, "model    {sent} {} questions", grouped(llm.calls))?;
    if llm.cached > 0 {
        write!(out, ", {} answered before", grouped(llm.cached))?;
    }
    write!(out, "; {} + {} tokens", grouped(llm.input_tokens), grouped(llm.output_tokens))?;
    if let Some(cost) = llm.cost_micros {
        write!(out, ", {}", cost_in_words(cost))?;
    }
    if llm.extractive > 0 {
        write!(out, "; {} of {} summaries are extractive", grouped(llm.extractive), grouped(llm.transcripts))?;
    }
    writeln!(out)?;
    let mut causes: Vec<_> = llm.causes.iter().collect();
    causes.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    causes
        .iter()
        .take(TOP_FAILURES)
        .try_for_each(|(what, count)| writeln!(out, "         {} × {what}", grouped(**count)))?;
    unasked(llm, out)
}

/// What another run does about transcripts that no model answered for.
fn unasked(llm: &LlmTotals, out: &mut dyn Write) -> fmt::Result {
    if llm.unasked > 0 {
        let count = grouped(llm.unasked);
        writeln!(out, "         no model answered for {count} of them; the next run asks for those again")?;
    }
    if llm.unasked_rows > 0 {
        let count = grouped(llm.unasked_rows);
        let what = "asking again (--force) asks for all rows of their files, unless --llm-cache has the answers";
        writeln!(out, "         no model answered for {count} rows; {what}")?;
    }
    Ok(())
}

/// What a command does, which decides what can be done about its failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// It writes transcripts.
    Writing,
    /// It writes transcripts, and its report where it was told to.
    Reporting,
    /// It only reads them.
    Reading,
}

/// Writes the first failures, one per line, the number of further ones, and advice. Of many rows of a file that failed
/// for one reason the first is told in full, the others by their lines.
///
/// # Errors
/// The writer failed.
pub fn write_failures(failures: &Failures, purpose: Purpose, out: &mut dyn Write) -> fmt::Result {
    let (mut lines, mut told, mut cut) = (0, 0, false);
    for group in alike(&failures.list) {
        let few = group.len() <= ALIKE;
        let shown = if few { group.len().min(TOP_FAILURES - lines) } else { 1 };
        group.iter().take(shown).try_for_each(|failure| failed_row(failure, out))?;
        if !few {
            others(&group[1..], out)?;
            cut |= group.len() > LINES_TOLD + 1;
        }
        (lines, told) = (lines + shown, told + if few { shown } else { group.len() });
        if lines == TOP_FAILURES {
            break;
        }
    }
    let more = failures.count().saturating_sub(told as u64);
    if more > 0 {
        writeln!(out, "failed   and {} more", grouped(more))?;
    }
    let there = |reason: Reason| failures.list.iter().filter(move |failure| failure.reason == reason.name());
    let unadvised = there(Reason::NotATranscript).filter(|it| !it.error.contains(MAKE));
    let (some, none): (Vec<_>, Vec<_>) = unadvised.partition(|it| it.error.contains(FOUND_OBJECTS));
    let helps = [
        (there(Reason::InvalidLine).next().is_some(), if purpose == Purpose::Reading { INVALID_READ } else { INVALID }),
        (!some.is_empty(), UNKNOWN),
        (!none.is_empty(), NO_JSON),
        (there(Reason::OverBudget).any(|it| !it.error.contains(NOTHING_CAN_GO)), OVER_BUDGET),
        (there(Reason::OverBudget).any(|it| it.error.contains(NOTHING_CAN_GO)), NOTHING_GOES),
        ((more > 0 || cut) && purpose == Purpose::Writing, ALL),
        ((more > 0 || cut) && purpose == Purpose::Reporting, ALL_THERE),
    ];
    helps.iter().filter(|(is_meant, _)| *is_meant).try_for_each(|(_, help)| writeln!(out, "{help}"))
}

/// Failures of one file for one reason, together where the first of them stands.
fn alike(failures: &[Failure]) -> Vec<Vec<&Failure>> {
    let (mut groups, mut places): (Vec<Vec<&Failure>>, BTreeMap<_, usize>) = Default::default();
    for failure in failures {
        let place = *places.entry((&failure.path, &failure.reason)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(failure),
            None => groups.push(vec![failure]),
        }
    }
    groups
}

/// Writes the lines of further rows that failed for the same reason.
fn others(rows: &[&Failure], out: &mut dyn Write) -> fmt::Result {
    let lines: Vec<String> =
        rows.iter().filter_map(|row| row.line).take(LINES_TOLD).map(|line| line.to_string()).collect();
    let dots = if rows.len() > LINES_TOLD { " …" } else { "" };
    writeln!(out, "         and {} more rows of it, lines {}{dots}", grouped(rows.len() as u64), lines.join(", "))
}

/// Maximum number of files listed as left out.
const TOP_LEFT_OUT: usize = 10;

/// Writes the first files that a conversion left out because they are in its format already, and the number of further
/// ones.
///
/// # Errors
/// The writer failed.
pub fn write_left_out(all: &[(String, String)], out: &mut dyn Write) -> fmt::Result {
    for (path, format) in all.iter().take(TOP_LEFT_OUT) {
        writeln!(out, "left out {}: already {format}", on_one_line(path))?;
    }
    match all.len().saturating_sub(TOP_LEFT_OUT) {
        0 => Ok(()),
        more => writeln!(out, "left out and {} more", grouped(more as u64)),
    }
}

/// Formats a number with its digits in groups of three, separated by narrow no-break spaces.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let lead = digits.len() % 3;
    digits.char_indices().fold(String::new(), |mut text, (index, digit)| {
        if index > 0 && index % 3 == lead {
            text.push('\u{202f}');
        }
        text.push(digit);
        text
    })
}

fn outcomes(totals: &Totals, out: &mut dyn Write) -> fmt::Result {
    let counts = &totals.outcomes;
    let named = [
        ("compacted", counts.compacted),
        ("converted", counts.converted),
        ("mended", counts.mended),
        ("redacted", counts.redacted),
        ("unchanged", counts.unchanged),
        ("skipped", counts.skipped),
        ("failed", counts.failed),
    ];
    write!(out, "files    {}", grouped(totals.files.count))?;
    if counts.all() != totals.files.count {
        write!(out, " with {} transcripts", grouped(totals.transcripts))?;
    }
    for (index, (name, count)) in named.iter().filter(|(_, count)| *count > 0).enumerate() {
        write!(out, "{}{} {name}", if index == 0 { ": " } else { ", " }, grouped(*count))?;
    }
    writeln!(out)
}

/// The reasons, most frequent first.
fn reasons(totals: &Totals, out: &mut dyn Write) -> fmt::Result {
    let mut reasons: Vec<_> = totals.reasons.iter().collect();
    reasons.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let named: Vec<String> = reasons
        .iter()
        .map(|(reason, count)| format!("{} {reason}{}", grouped(**count), formats(totals, reason)))
        .collect();
    if named.is_empty() { Ok(()) } else { writeln!(out, "reasons  {}", named.join(", ")) }
}

/// After the reason `unsupported_format`: the formats of these files.
fn formats(totals: &Totals, reason: &str) -> String {
    let unread = Some(&totals.unread).filter(|unread| reason == Reason::UnsupportedFormat.name() && !unread.is_empty());
    let named = |unread: &BTreeMap<String, u64>| unread.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
    unread.map_or_else(String::new, |unread| format!(" ({})", named(unread)))
}

/// The number of failed rows, kept or dropped; users who train on the output need it.
fn failed_rows(totals: &Totals, out: &mut dyn Write) -> fmt::Result {
    let (kept, dropped) = (totals.failed.rows_kept, totals.failed.rows_dropped);
    if kept > 0 {
        writeln!(out, "rows     {} failed, written as they are (--drop-failed leaves such rows out)", grouped(kept))?;
    }
    if dropped > 0 {
        writeln!(out, "rows     {} failed, left out of the output", grouped(dropped))?;
    }
    Ok(())
}

/// Advice for frequent reasons that do not explain themselves.
fn advice(totals: &Totals, out: &mut dyn Write) -> fmt::Result {
    let count = |reason: Reason| totals.reasons.get(reason.name()).copied().unwrap_or(0);
    if count(Reason::TooYoung) > 0 {
        writeln!(out, "{YOUNG}")?;
    }
    if count(Reason::InUse) > 0 {
        writeln!(out, "{IN_USE}")?;
    }
    if 2 * count(Reason::NoHead) > totals.outcomes.all() {
        writeln!(out, "{NO_HEAD}")?;
    }
    Ok(())
}

/// Losses of conversions, most frequent first.
fn losses(totals: &Totals, out: &mut dyn Write) -> fmt::Result {
    let mut losses: Vec<_> = totals.losses.iter().collect();
    losses.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    losses.iter().try_for_each(|(kind, count)| writeln!(out, "lost     {} {kind}", grouped(**count)))
}

/// A warning with the number of training rows that end on no answer; empty if there are none.
pub fn unanswered(rows: u64) -> String {
    let (count, ends) = (grouped(rows), if rows == 1 { "row ends" } else { "rows end" });
    match rows {
        0 => String::new(),
        _ => format!(
            "warning  {count} {ends} on no answer: nothing is learned from their end, and some trainers leave them out\n"
        ),
    }
}

/// A warning with the number of results that are still too large for their model; empty if there are none.
fn overflowing(results: u64) -> String {
    let (count, reach) = (grouped(results), if results == 1 { "result reaches" } else { "results reach" });
    match results {
        0 => String::new(),
        _ => format!(
            "warning  {count} {reach} the usable tokens all the same: `warnings` in report.jsonl (a dry run writes it with \
             --report DIR) say what may help\n"
        ),
    }
}

/// Masked credentials, by kind.
fn redacted(totals: &Totals, out: &mut dyn Write) -> fmt::Result {
    if totals.redacted.is_empty() {
        return Ok(());
    }
    let kinds = totals.redacted.iter().map(|(kind, count)| format!("{} {kind}", grouped(*count)));
    writeln!(out, "redacted {}: {}", grouped(totals.redacted.values().sum()), kinds.collect::<Vec<_>>().join(", "))
}

fn row(name: &str, before: u64, after: u64, out: &mut dyn Write) -> fmt::Result {
    writeln!(out, "{name:<8} {} → {} ({})", grouped(before), grouped(after), change(before, after))
}

/// The change in percent; `±0 %` if nothing changed or there was nothing before.
fn change(before: u64, after: u64) -> String {
    if before == after || before == 0 {
        return "±0 %".into();
    }
    let percent = (after as f64 - before as f64) / before as f64 * 100.0;
    format!("{}{:.1} %", if percent < 0.0 { '−' } else { '+' }, percent.abs())
}

/// A path as it may be printed: a line break in a file name must not look like a second line.
pub fn on_one_line(path: &str) -> String {
    path.replace('\n', "\u{fffd}")
}

fn failed_row(failure: &Failure, out: &mut dyn Write) -> fmt::Result {
    let path = on_one_line(&failure.path);
    let place = failure.line.map_or(path.clone(), |line| format!("{path}:{line}"));
    let colon = if failure.error.is_empty() { "" } else { ": " };
    writeln!(out, "failed   {place} {}{colon}{}", failure.reason, failure.error)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::question_outcome::QuestionOutcome;
    use crate::report::{
        BytesReport, CostEstimate, FailedRow, Line, LlmReport, ModelCall, Outcome, SummaryOrigin, TokensReport,
    };

    #[test]
    fn digits_are_grouped_by_three_from_the_right() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(123), "123");
        assert_eq!(grouped(1234), "1\u{202f}234");
        assert_eq!(grouped(1_234_567), "1\u{202f}234\u{202f}567");
    }

    #[test]
    fn the_table_compares_only_what_did_not_fail() {
        let done = Line {
            outcome: Outcome::Compacted,
            tokens: TokensReport { before: 1000, after: 250, ..TokensReport::default() },
            ..Line::default()
        };
        let failed = Line {
            path: "a.jsonl".into(),
            line: Some(3),
            reason: Some("invalid".into()),
            error: Some("line 3, column 1: invalid JSON".into()),
            tokens: TokensReport { before: 500, ..TokensReport::default() },
            ..Line::default()
        };
        let (mut totals, mut failures) = (Totals::default(), Failures::default());
        totals += &done;
        totals += &failed;
        totals.files.count = 2;
        totals.files.bytes =
            BytesReport { before: 10, after: 10, before_zstd: None, after_zstd: None, zstd_sampled: 0 };
        failures.note(&failed);
        let mut text = String::new();
        write_table(&totals, &mut text).unwrap();
        write_failures(&failures, Purpose::Writing, &mut text).unwrap();
        assert_eq!(
            text,
            "files    2: 1 compacted, 1 failed\n\
             reasons  1 invalid\n\
             tokens   1\u{202f}000 → 250 (−75.0 %)\n\
             \x20        500 more in what failed\n\
             bytes    10 → 10 (±0 %)\n\
             failed   a.jsonl:3 invalid: line 3, column 1: invalid JSON\n"
        );
    }

    #[test]
    fn what_is_no_transcript_is_not_counted_as_one() {
        let row = || Line { format: Some("openai-chat".into()), outcome: Outcome::Compacted, ..Line::default() };
        let mut totals = Totals::default();
        for line in [row(), row(), Line { outcome: Outcome::Skipped, ..Line::default() }] {
            totals += &line;
        }
        totals.files.count = 2;
        let mut text = String::new();
        write_table(&totals, &mut text).unwrap();
        assert!(text.starts_with("files    2 with 2 transcripts: 2 compacted, 1 skipped\n"), "{text}");
    }

    #[test]
    fn the_table_says_what_to_do_where_nothing_was_old() {
        let told = |reasons: &[Option<&str>]| {
            let mut totals = Totals::default();
            for reason in reasons {
                totals += &Line { reason: reason.map(str::to_owned), ..Line::default() };
            }
            let mut text = String::new();
            write_table(&totals, &mut text).unwrap();
            text
        };
        let most = told(&[Some("no_head"), Some("no_head"), None]);
        assert!(most.contains("--summarizer none prunes it all the same"), "{most}");
        assert!(!told(&[Some("no_head"), None]).contains("help"));
        assert!(told(&[Some("too_young"), None]).contains("--min-age 0s"));
        assert!(told(&[Some("in_use"), None]).contains("once they are closed"));
    }

    #[test]
    fn formats_that_are_not_read_are_named_beside_the_reason() {
        let mut totals = Totals::default();
        for format in ["parquet", "alpaca", "alpaca"] {
            let (format, reason) = (Some(format.into()), Some(Reason::UnsupportedFormat.name().into()));
            totals += &Line { outcome: Outcome::Skipped, format, reason, ..Line::default() };
        }
        let mut text = String::new();
        write_table(&totals, &mut text).unwrap();
        assert!(text.contains("reasons  3 unsupported_format (alpaca, parquet)\n"), "{text}");
        assert_eq!(totals.unread["alpaca"], 2);
    }

    #[test]
    fn the_table_says_where_rows_are_that_failed() {
        let told = |row: Option<FailedRow>| {
            let mut totals = Totals::default();
            totals += &Line { failed_row: row, line: Some(3), ..Line::default() };
            let mut text = String::new();
            write_table(&totals, &mut text).unwrap();
            text
        };
        let kept = told(Some(FailedRow::Kept));
        assert!(kept.contains("rows     1 failed, written as they are (--drop-failed"), "{kept}");
        assert!(told(Some(FailedRow::Dropped)).contains("rows     1 failed, left out of the output\n"));
        assert!(!told(None).contains("rows "));
    }

    #[test]
    fn what_is_loaded_is_told_where_it_is_less_than_what_is_stored() {
        let told = |live_after| {
            let mut totals = Totals::default();
            let tokens = TokensReport { before: 10, live: 9, after: 12, live_after, ..TokensReport::default() };
            totals += &Line { outcome: Outcome::Compacted, tokens, ..Line::default() };
            let mut text = String::new();
            write_table(&totals, &mut text).unwrap();
            text
        };
        assert!(told(5).contains("loaded   9 → 5"), "appended");
        assert!(!told(12).contains("loaded"), "converted");
    }

    #[test]
    fn lines_that_were_kept_unread_are_told() {
        let mut line = Line::default();
        line.faults.after =
            [("invalid_line", 2), ("orphan_result", 5)].map(|(rule, count)| (rule.into(), count)).into();
        let mut totals = Totals::default();
        totals += &line;
        let mut text = String::new();
        write_table(&totals, &mut text).unwrap();
        assert!(text.contains("\nunread   2 invalid_line: such lines are kept as they are\n"), "{text}");
    }

    #[test]
    fn rows_that_end_on_no_answer_are_told_once() {
        let told = |ends: &[bool]| {
            let mut totals = Totals::default();
            ends.iter().for_each(|end| totals += &Line { unanswered_end: *end, ..Line::default() });
            let mut text = String::new();
            write_table(&totals, &mut text).unwrap();
            text
        };
        assert!(told(&[true, false, true]).contains("\nwarning  2 rows end on no answer:"));
        assert!(told(&[true]).contains("1 row ends on no answer") && !told(&[false]).contains("no answer"));
    }

    #[test]
    fn results_that_still_overflow_are_told_once() {
        let told = |all: &[bool]| {
            let mut totals = Totals::default();
            all.iter().for_each(|overflows| totals += &Line { overflows: *overflows, ..Line::default() });
            let mut text = String::new();
            write_table(&totals, &mut text).unwrap();
            text
        };
        assert!(told(&[true, false, true]).contains("\nwarning  2 results reach the usable tokens"));
        assert!(told(&[true]).contains("`warnings` in report.jsonl") && !told(&[false]).contains("usable"));
    }

    #[test]
    fn the_first_files_that_are_left_out_are_named() {
        let told = |count: usize| {
            let all: Vec<_> = (0..count).map(|at| (format!("{at}.jsonl"), "trl".to_owned())).collect();
            let mut text = String::new();
            write_left_out(&all, &mut text).unwrap();
            text
        };
        assert_eq!((told(0), told(1)), (String::new(), "left out 0.jsonl: already trl\n".to_owned()));
        assert_eq!((told(10).lines().count(), told(10).contains("more")), (10, false));
        assert!(told(12).ends_with("left out 9.jsonl: already trl\nleft out and 2 more\n"));
    }

    #[test]
    fn failures_say_what_to_do_once() {
        let mut failures = Failures::default();
        let failed = |reason: &str, error: &str| {
            let (reason, error) = (Some(reason.into()), Some(format!("no known transcript format: {error}")));
            Line { reason, error, ..Line::default() }
        };
        let told = |failures: &Failures| {
            let mut text = String::new();
            write_failures(failures, Purpose::Reading, &mut text).unwrap();
            text
        };
        for reason in ["not_a_transcript", "unreadable", "not_a_transcript"] {
            failures.note(&failed(reason, "found objects with `a`"));
        }
        assert_eq!(told(&failures).matches("--from FORMAT reads it").count(), 1, "{}", told(&failures));
        let mut binary = Failures::default();
        binary.note(&failed("not_a_transcript", "it is binary"));
        assert!(
            !told(&binary).contains("--from FORMAT") && told(&binary).contains("--exclude"),
            "nor would it be read"
        );
        let mut large = Failures::default();
        large.note(&failed("over_budget", "9 tokens"));
        assert!(told(&large).contains("help     over_budget: a larger --max-tokens"));
        let mut torn = Failures::default();
        torn.note(&failed("invalid_line", "line 3"));
        assert!(!told(&torn).contains("--lenient") && told(&torn).contains("check --fix"), "{}", told(&torn));
    }

    #[test]
    fn many_rows_of_a_file_that_failed_alike_are_told_by_their_lines() {
        let mut failures = Failures::default();
        let mut note = |path: &str, line: usize, reason: &str| {
            let (reason, error) = (Some(reason.into()), Some(format!("{line} tokens")));
            failures.note(&Line { path: path.into(), line: Some(line), reason, error, ..Line::default() });
        };
        (1..=9).for_each(|line| note("a.jsonl", line, "flat_text"));
        (1..=3).for_each(|line| note("a.jsonl", line + 20, "over_budget"));
        (1..=8).for_each(|file| note(&format!("b{file}.jsonl"), 1, "over_budget"));
        let mut text = String::new();
        write_failures(&failures, Purpose::Writing, &mut text).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "failed   a.jsonl:1 flat_text: 1 tokens");
        assert_eq!(lines[1], "         and 8 more rows of it, lines 2, 3, 4, 5, 6 …");
        assert_eq!(lines[2], "failed   a.jsonl:21 over_budget: 21 tokens");
        assert_eq!(lines.iter().filter(|line| line.starts_with("failed   ")).count(), 11);
        assert!(text.contains("failed   b6.jsonl:1") && text.contains("failed   and 2 more\n"), "{text}");
        assert!(text.ends_with("; --report DIR writes it for a single file\n"), "{text}");
        let mut named = String::new();
        write_failures(&failures, Purpose::Reporting, &mut named).unwrap();
        assert!(named.ends_with("in report.jsonl, in the folder that --report names\n"), "{named}");
    }

    #[test]
    fn the_table_says_what_the_next_run_asks_again() {
        let call = |outcome: QuestionOutcome, requests| ModelCall { outcome, requests, ..ModelCall::default() };
        let llm = |calls| LlmReport { outcome: SummaryOrigin::Extractive, calls, ..LlmReport::default() };
        let told = |line: Option<usize>, llm: LlmReport| {
            let mut totals = Totals::default();
            totals += &Line { line, llm: Some(llm), ..Line::default() };
            let mut text = String::new();
            write_table(&totals, &mut text).unwrap();
            text[text.find("model").unwrap()..].to_owned()
        };
        let spent = told(None, llm(vec![call(QuestionOutcome::CallsSpent, 0)]));
        assert!(
            spent.starts_with("model    asked 0 questions; 0 + 0 tokens; 1 of 1 summaries are extractive\n"),
            "{spent}"
        );
        assert!(spent.ends_with("no model answered for 1 of them; the next run asks for those again\n"), "{spent}");
        let row = told(Some(3), llm(vec![call(QuestionOutcome::Unauthorized, 1)]));
        assert!(
            row.starts_with("model    asked 1 questions;") && row.contains("for 1 rows; asking again (--force)"),
            "{row}"
        );
        assert!(!told(None, llm(vec![call(QuestionOutcome::Refused, 1)])).contains("no model answered"));
        let estimate = LlmReport {
            estimate: Some(CostEstimate::default()),
            ..llm(vec![call(QuestionOutcome::TooLongForModel, 0)])
        };
        assert!(told(None, estimate).starts_with("model    would be asked 0 questions;"));
    }
}
