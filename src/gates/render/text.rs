//! Lines for a terminal: findings, then one row for each gate.

use super::grouped::grouped;
use super::{Options, plain, unchanged};
use crate::gates::{GateReport, GateTotal};
use std::fmt::Write;

pub(super) fn render(report: &GateReport, options: Options) -> String {
    let mut out = String::new();
    for told in grouped(report, options) {
        let (file, line, text) = (plain(told.file()), told.line(), told.text());
        let _ = writeln!(out, "{file}:{line}: {} {}: {text}", told.gate, told.level);
    }
    for (path, reason) in &report.unjudged {
        let _ = writeln!(out, "{}: not judged: {}", plain(path), plain(reason));
    }
    for name in &report.missing {
        let _ = writeln!(out, "{}: in the baseline and not among the inputs", plain(name));
    }
    for gate in &report.gates {
        out.push_str(&row(gate));
    }
    let unjudged = match report.unjudged.len() {
        0 => String::new(),
        count => format!(", {count} not judged"),
    };
    let (verdict, count, same) = (report.verdict().name(), report.transcripts.len(), unchanged(report));
    let _ = writeln!(out, "{verdict}: {count} transcripts judged{same}{unjudged}");
    out
}

/// Id, name, verdict, transcripts, share with its interval.
fn row(total: &GateTotal) -> String {
    let name = total.gate().map_or("", |gate| gate.name);
    let start = format!("{} {name:<16} {:<15}", total.id, total.verdict.name());
    if !total.told.is_empty() {
        return format!("{start} {}\n", total.told);
    }
    let (Some(value), Some((low, high))) = (total.share.value(), total.interval()) else {
        return start.trim_end().to_owned() + "\n";
    };
    let (passed, judged, of) = (total.passed, total.judged, total.share.of);
    format!("{start} {passed}/{judged} transcripts, {value:.3} of {of} [{low:.3}, {high:.3}]\n")
}
