//! JSON for programs: gates, then transcripts with every outcome, each on a line of its own. White space for the eye would
//! be most of a report about many rows.

use super::{Options, message};
use crate::gates::{Finding, GateReport, GateResult, Judged};
use crate::header::Header;
use crate::measure::Share;
use serde_json::{Value, json};

pub(super) fn render(report: &GateReport, options: Options) -> String {
    let gates: Vec<Value> = report
        .gates
        .iter()
        .map(|total| {
            json!({
                "id": total.id,
                "name": total.gate().map(|gate| gate.name),
                "verdict": total.verdict,
                "transcripts": total.judged,
                "passed": total.passed,
                "share": share(total.share),
                "n": total.count(),
                "interval95": total.interval().map(|(low, high)| [low, high]),
                "before": total.before.map(share),
                "mean": total.measured.map(|measured| measured.mean),
                "told": Some(&total.told).filter(|told| !told.is_empty()),
            })
        })
        .collect();
    let header = Header::now();
    let value = json!({
        "schema_version": header.schema_version,
        "epitome": header.epitome,
        "fact_spec": crate::facts::FACT_SPEC,
        "verdict": report.verdict(),
        "totals": {
            "transcripts": report.transcripts.len(),
            "compared": report.unchanged().map_or(0, |share| share.of),
            "unchanged": report.unchanged().map_or(0, |share| share.kept),
            "unjudged": report.unjudged.len(),
        },
        "gates": gates,
        "transcripts": report.transcripts.iter().map(|one| transcript(one, options)).collect::<Vec<_>>(),
        "run": report.run.as_ref().map(|all| transcript(all, options)),
        "unjudged": report.unjudged.iter().map(|(path, reason)| json!({ "path": path, "reason": reason })).collect::<Vec<_>>(),
        "missing": report.missing,
    });
    lines(&value)
}

/// An object with a line for each of its fields, and for each element of a list.
fn lines(value: &Value) -> String {
    let field = |(key, value): (&String, &Value)| {
        let elements = value.as_array().filter(|all| !all.is_empty()).map(|all| {
            let all: Vec<String> = all.iter().map(|one| format!("    {one}")).collect();
            format!("[\n{}\n  ]", all.join(",\n"))
        });
        format!("  {}: {}", json!(key), elements.unwrap_or_else(|| value.to_string()))
    };
    let fields: Vec<String> = value.as_object().into_iter().flatten().map(field).collect();
    format!("{{\n{}\n}}\n", fields.join(",\n"))
}

fn share(share: Share) -> Value {
    json!({ "kept": share.kept, "of": share.of, "value": share.value() })
}

fn transcript(one: &Judged, options: Options) -> Value {
    json!({
        "path": one.path,
        "line": one.row,
        "file": one.file,
        "sha256": one.sha256,
        "unchanged": one.unchanged,
        "verdict": one.verdict(),
        "gates": one.outcomes.iter().map(|outcome| gate(outcome, options)).collect::<Vec<_>>(),
    })
}

fn gate(outcome: &GateResult, options: Options) -> Value {
    json!({
        "id": outcome.gate,
        "verdict": outcome.verdict,
        "share": share(outcome.share),
        "note": Some(outcome.note).filter(|note| !note.is_empty()),
        "findings": outcome.findings.iter().map(|one| finding(one, options)).collect::<Vec<_>>(),
    })
}

fn finding(finding: &Finding, options: Options) -> Value {
    let bare = Finding {
        content: None,
        message_number: None,
        summary_line: None,
        section: None,
        original: None,
        ..finding.clone()
    };
    json!({
        "level": finding.level,
        "line": finding.line,
        "message_number": finding.message_number,
        "summary_line": finding.summary_line,
        "section": finding.section,
        "original_line": finding.original.map(|place| place.line),
        "original_message": finding.original.and_then(|place| place.message),
        "message": message(&bare, options),
        "content": finding.content.as_ref().filter(|_| options.show_content),
    })
}
