//! SARIF 2.1.0 for code scanning: one run, the gates as rules, findings as results with stable fingerprints.

use super::{Options, RenderError, findings, message};
use crate::gates::{Finding, GATES, Gate, GateReport, GateResult, Judged, Level};
use crate::transcript::hex;
use serde_json::{Value, json};
use serde_sarif::sarif::Sarif;
use sha2::{Digest, Sha256};

/// Most results of a run that GitHub accepts.
const MOST: usize = 25_000;

pub(super) fn render(report: &GateReport, options: Options) -> Result<String, RenderError> {
    let results: Vec<Value> =
        findings(report).take(MOST).map(|(one, outcome, finding)| result(one, outcome, finding, options)).collect();
    let mut value = json!({
        "version": "2.1.0",
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "runs": [{
            "tool": { "driver": {
                "name": "epitome",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": GATES.iter().map(rule).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    if !report.unjudged.is_empty() {
        value["runs"][0]["invocations"] = json!([invocation(report)]);
    }
    // Parsed with the types of the standard, so that nothing else is written.
    let sarif: Sarif = serde_json::from_value(value)?;
    Ok(serde_json::to_string_pretty(&sarif)? + "\n")
}

/// The run, with what could not be judged: without it, a reader takes that for faultless.
fn invocation(report: &GateReport) -> Value {
    let notification = |(path, reason): &(String, String)| {
        json!({
            "level": "error",
            "message": { "text": format!("not judged: {reason}") },
            "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri(path) } } }],
        })
    };
    let all: Vec<Value> = report.unjudged.iter().take(MOST).map(notification).collect();
    json!({ "executionSuccessful": false, "toolExecutionNotifications": all })
}

fn rule(gate: &Gate) -> Value {
    let full: Vec<String> = std::iter::once(gate.meaning.to_owned()).chain(gate.notes()).collect();
    json!({
        "id": gate.id,
        "name": gate.name,
        "shortDescription": { "text": gate.meaning },
        "fullDescription": { "text": full.join("\n") },
        "help": { "text": gate.mend },
        "defaultConfiguration": { "level": level(gate.level) },
    })
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Off => "none",
        Level::Warn => "warning",
        Level::Error | Level::Strict => "error",
    }
}

fn result(one: &Judged, outcome: &GateResult, finding: &Finding, options: Options) -> Value {
    let mut location = json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(&one.file) },
        "region": { "startLine": finding.line.max(1) },
    } });
    if let Some(number) = finding.message_number {
        location["logicalLocations"] = json!([{ "name": format!("message {number}"), "kind": "object" }]);
    }
    json!({
        "ruleId": outcome.gate,
        "level": level(finding.level),
        "message": { "text": message(finding, options) },
        "locations": [location],
        "partialFingerprints": { "epitomeFinding/v1": fingerprint(one, outcome, finding) },
    })
}

/// A path as a relative reference.
fn uri(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&byte);
    let piece = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    path.replace('\\', "/").bytes().map(piece).collect()
}

/// Hash of what stays the same when lines move: transcript, gate, message and quoted text.
fn fingerprint(one: &Judged, outcome: &GateResult, finding: &Finding) -> String {
    let content = finding.content.as_deref().unwrap_or_default();
    let text = [one.name().as_str(), outcome.gate, &finding.message, content].join("\0");
    hex(&Sha256::digest(text.as_bytes())[..16])
}
