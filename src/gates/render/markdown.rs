//! Markdown for GitHub's step summary, and for a pull request comment that is identified by its first line.

use super::Options;
use super::grouped::{Told, grouped};
use crate::gates::{GateReport, GateTotal, Judged, Verdict};
use crate::measure::pattern;
use regex::{Captures, Regex};
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::LazyLock;

/// Most bytes of a step summary (GitHub allows 1 MiB); the table of gates comes first.
const MOST_BYTES: usize = 1_000_000;
/// Most bytes of a comment (GitHub allows 65 536 characters).
const MOST_OF_COMMENT: usize = 60_000;
/// Most names listed of unjudged and of missing transcripts.
const MOST_NAMED: usize = 50;
const MOST_FINDINGS: usize = 50;
/// First line that identifies a sticky comment.
const MARK: &str = "<!-- epitome check -->";

/// A table of gates, then the findings of each transcript, collapsed.
pub(super) fn summary(report: &GateReport, options: Options) -> String {
    bounded(report, options, MOST_BYTES)
}

fn bounded(report: &GateReport, options: Options, most: usize) -> String {
    let mut out = head(report);
    let mut own: HashMap<usize, Vec<Told<'_>>> = HashMap::new();
    let mut common = Vec::new();
    for told in grouped(report, options) {
        match told.transcript() {
            Some(transcript) => own.entry(transcript).or_default().push(told),
            None => common.push(told),
        }
    }
    let common = list(&common, |told| format!("{}:{}", cell(told.file()), told.line()));
    let common = Some(format!("\n{common}")).filter(|_| !common.is_empty());
    let each = report.all().enumerate().filter(|(_, one)| one.verdict() >= Verdict::Warn);
    let each = each.filter_map(|(at, one)| Some(details(one, own.get(&at)?)));
    for piece in common.into_iter().chain(each) {
        if out.len() + piece.len() > most {
            out.push_str("\nThere is more; see the other reports.\n");
            break;
        }
        out.push_str(&piece);
    }
    out
}

/// The same after the mark that identifies a bot's comment.
pub(super) fn comment(report: &GateReport, options: Options) -> String {
    format!("{MARK}\n{}", bounded(report, options, MOST_OF_COMMENT))
}

fn head(report: &GateReport) -> String {
    let compared = report.gates.iter().any(|gate| gate.before.is_some());
    let mut out = format!("### epitome check: {}\n\n", report.verdict().name());
    let count = report.transcripts.len();
    let word = if count == 1 { "transcript" } else { "transcripts" };
    let _ = writeln!(out, "{count} {word}{}", super::unchanged(report));
    let unjudged =
        report.unjudged.iter().map(|(path, reason)| format!("- {} was not judged: {}\n", code(path), cell(reason)));
    let missing =
        report.missing.iter().map(|name| format!("- {} is in the baseline and not among the inputs\n", code(name)));
    let lines: Vec<String> = unjudged.chain(missing).collect();
    out.extend(lines.iter().take(MOST_NAMED).map(String::as_str));
    if lines.len() > MOST_NAMED {
        let _ = writeln!(out, "- and {} more", lines.len() - MOST_NAMED);
    }
    let (title, rule) = if compared { (" Δ |", " --: |") } else { ("", "") };
    let _ = writeln!(
        out,
        "\n| gate | verdict | transcripts | share | n | 95 % |{title}\n| --- | --- | --: | --: | --: | --- |{rule}"
    );
    for gate in &report.gates {
        out.push_str(&row(gate, compared));
    }
    out
}

fn row(total: &GateTotal, compared: bool) -> String {
    let name = total.gate().map_or("", |gate| gate.name);
    let share = total.value().map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"));
    let interval = total.interval().map_or_else(|| "–".to_owned(), |(low, high)| format!("{low:.3}–{high:.3}"));
    let (verdict, passed, judged, n) = (total.verdict.name(), total.passed, total.judged, total.count());
    let delta = if compared { format!(" {} |", delta(total)) } else { String::new() };
    format!("| {} {name} | {verdict} | {passed}/{judged} | {share} | {n} | {interval} |{delta}\n", total.id)
}

/// Difference of the share from that in the baseline.
fn delta(total: &GateTotal) -> String {
    let before = total.before.and_then(crate::measure::Share::value);
    let change = total.share.value().zip(before).map(|(now, before)| now - before);
    match change {
        None => "–".to_owned(),
        Some(change) if change.abs() < 0.0005 => "±0".to_owned(),
        Some(change) => format!("{change:+.3}"),
    }
}

fn details(one: &Judged, told: &[Told<'_>]) -> String {
    let (name, verdict) = (cell(&one.name()), one.verdict().name());
    let list = list(told, |told| format!("line {}", told.line()));
    format!("\n<details><summary>{name}: {verdict}</summary>\n\n{list}\n</details>\n")
}

/// One line per finding; an outcome that is not comparable has no place.
fn list(all: &[Told<'_>], place: impl Fn(&Told<'_>) -> String) -> String {
    let line = |told: &Told<'_>| {
        let is_whole = told.level == Verdict::NotComparable.name() && told.transcript().is_some();
        let place = if is_whole { String::new() } else { format!(", {}", place(told)) };
        format!("- {} {}{place}: {}\n", told.gate, told.level, escaped(&told.text()))
    };
    let mut out: String = all.iter().take(MOST_FINDINGS).map(line).collect();
    if all.len() > MOST_FINDINGS {
        let _ = writeln!(out, "- and {} more", all.len() - MOST_FINDINGS);
    }
    out
}

/// Escapes a text so that it has no Markdown or HTML structure, and notifies or links nobody.
fn cell(text: &str) -> String {
    escaped(&super::plain(text))
}

fn escaped(text: &str) -> String {
    let text = inert(text).replace('&', "&amp;").replace('<', "&lt;").replace('[', "&#91;");
    let text = text.replace('*', "&#42;").replace('_', "&#95;").replace('~', "&#126;");
    text.replace('|', "\\|").replace('`', "'")
}

/// What GitHub makes live in a comment: people and teams, requests and issues by number or address. A cross-reference
/// tells those who follow the other one.
static LIVE: LazyLock<Regex> = LazyLock::new(|| pattern(r"@\w|#\d|(?i:\bGH-\d)|://\S|(?i:\bwww\.\S)"));
/// What may be the name of a commit, which GitHub links.
static COMMIT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b[0-9a-f]{7,40}\b"));
/// Most hex digits that name no commit.
const NO_COMMIT: usize = 6;

/// A text with a space of no width within what GitHub makes live.
fn inert(text: &str) -> String {
    let parted = |found: &Captures<'_>| {
        let whole = &found[0];
        let at = whole.len() - whole.chars().next_back().map_or(0, char::len_utf8);
        format!("{}\u{200b}{}", &whole[..at], &whole[at..])
    };
    let digits = |found: &Captures<'_>| {
        let pieces: Vec<&[u8]> = found[0].as_bytes().chunks(NO_COMMIT).collect();
        String::from_utf8_lossy(&pieces.join("\u{200b}".as_bytes())).into_owned()
    };
    COMMIT.replace_all(&LIVE.replace_all(text, parted), digits).into_owned()
}

/// A text in code marks, where nothing is live.
fn code(text: &str) -> String {
    format!("`{}`", super::plain(text).replace('`', "'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_notified_and_nothing_is_linked() {
        for (text, inert) in [
            ("ask @quay-team, @Quay/lamps", "ask @\u{200b}quay-team, @\u{200b}Quay/lamps"),
            ("see #12 and quay/lamps#7, GH-3", "see #\u{200b}12 and quay/lamps#\u{200b}7, GH-\u{200b}3"),
            ("https://quay.example/lamps/issues/4", "https://\u{200b}quay.example/lamps/issues/4"),
            ("![lamp](x)", "!&#91;lamp](x)"),
            ("www.quay.example", "www.\u{200b}quay.example"),
            ("at 0a1b2c3 of tables", "at 0a1b2c\u{200b}3 of tables"),
            ("*a* __b__ ~~c~~", "&#42;a&#42; &#95;&#95;b&#95;&#95; &#126;&#126;c&#126;&#126;"),
            ("a lamp & # a buoy @ noon", "a lamp &amp; # a buoy @ noon"),
        ] {
            assert_eq!(escaped(text), inert, "{text}");
        }
        assert_eq!(code("quay/@lamp & `buoy`.json"), "`quay/@lamp & 'buoy'.json`");
    }
}
