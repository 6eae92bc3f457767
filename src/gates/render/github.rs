//! GitHub annotations: `::error file=…,line=…,title=…::message`, limited to as many as GitHub shows per step.

use super::{Options, findings, message, plain};
use crate::gates::{GateReport, Level, Verdict, gate};
use std::fmt::Write;

/// Most annotations of one kind per step.
const MOST: usize = 10;

pub(super) fn render(report: &GateReport, options: Options) -> String {
    let mut out = String::new();
    for (level, command) in [(Level::Error, "error"), (Level::Warn, "warning")] {
        let mut lines: Vec<(String, usize, String, String)> = Vec::new();
        for (one, outcome, finding) in findings(report).filter(|(_, _, finding)| finding.level == level) {
            lines.push((one.file.clone(), finding.line, title(outcome.gate), message(finding, options)));
        }
        if level == Level::Error {
            for one in &report.transcripts {
                let apart = one.outcomes.iter().filter(|outcome| outcome.verdict == Verdict::NotComparable);
                lines.extend(
                    apart.map(|outcome| {
                        (one.file.clone(), one.first_line, title(outcome.gate), outcome.note.to_owned())
                    }),
                );
            }
            lines.extend(
                report.unjudged.iter().map(|(path, reason)| (path.clone(), 1, "not judged".to_owned(), plain(reason))),
            );
        }
        for (file, line, title, text) in lines.iter().take(MOST) {
            let _ = writeln!(
                out,
                "::{command} file={},line={line},title={}::{}",
                property(file),
                property(title),
                data(text)
            );
        }
        if lines.len() > MOST {
            let _ = writeln!(
                out,
                "::notice title=epitome::{} more {command} findings are in the report",
                lines.len() - MOST
            );
        }
    }
    out
}

fn title(id: &str) -> String {
    gate(id).map_or_else(|| id.to_owned(), |gate| format!("{} {}", gate.id, gate.name))
}

/// Escapes a text for GitHub; control characters are replaced.
fn data(text: &str) -> String {
    let is_seen = |letter: char| !letter.is_control() || matches!(letter, '\n' | '\r' | '\t');
    let text: String = text.chars().map(|letter| if is_seen(letter) { letter } else { '\u{fffd}' }).collect();
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_nothing_to_a_terminal() {
        assert_eq!(property("a\u{1b}[31m,b\n%"), "a\u{fffd}[31m%2Cb%0A%25");
    }
}
