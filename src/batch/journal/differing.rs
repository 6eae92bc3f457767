//! Which settings of an earlier run differ from those in force, by the report that it left in its folder.

use crate::batch::{Batch, BatchError, OWN_FOLDER};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

/// Maximum number of settings that are named.
const NAMED: usize = 3;
/// Maximum length of a value that is told, in bytes.
const TOLD: usize = 40;

/// The error, with what differs if it is one about other settings and the folder's report tells.
pub(in crate::batch) fn told(error: BatchError, batch: &Batch) -> BatchError {
    let BatchError::OtherSettings { path, how } = error else { return error };
    // A report that is elsewhere may be of another folder.
    let report = Some(path.join(OWN_FOLDER).join("report.json")).filter(|_| batch.report_dir.is_none());
    let report = report.and_then(|report| serde_json::from_slice::<Value>(&fs::read(report).ok()?).ok());
    let how = report.and_then(|report| differing(&report, &batch.stated())).unwrap_or(how);
    BatchError::OtherSettings { path, how }
}

/// What differs between the run of a report and one of this version with these settings.
fn differing(report: &Value, now: &Value) -> Option<String> {
    let version = report.get("epitome")?.as_str()?;
    if version != env!("CARGO_PKG_VERSION") {
        return Some(format!("by version {version}"));
    }
    let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
    leaves(report.get("settings")?, String::new(), &mut before);
    leaves(now, String::new(), &mut after);
    let keys: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let other: Vec<&String> = keys.into_iter().filter(|key| before.get(*key) != after.get(*key)).collect();
    let one = |key: &&String| {
        let of = |all: &BTreeMap<String, String>| all.get(*key).filter(|value| value.len() <= TOLD).cloned();
        let name = key.trim_start_matches("settings.");
        match (of(&before), of(&after)) {
            (Some(before), Some(after)) => format!("{name} = {before}, not {after}"),
            _ => format!("another {name}"),
        }
    };
    let named: Vec<String> = other.iter().take(NAMED).map(one).collect();
    let more = other.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!named.is_empty()).then(|| format!("with {}{more}", named.join("; ")))
}

/// The values in a tree that are no tables, by their path.
fn leaves(value: &Value, path: String, all: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| {
            let dot = if path.is_empty() { "" } else { "." };
            leaves(value, format!("{path}{dot}{key}"), all);
        }),
        // Who states no settings has none that could differ.
        Value::Null if path.is_empty() => {}
        Value::Null => drop(all.insert(path, "unset".to_owned())),
        other => drop(all.insert(path, other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_settings_that_differ_are_named() {
        let version = env!("CARGO_PKG_VERSION");
        let report = |settings: Value| json!({ "epitome": version, "settings": settings });
        let split = |tail: Option<u64>| json!({ "split": { "tail-tokens": tail, "min-tail": 2 } });
        let run = |tail| json!({ "preset": "lean", "settings": split(tail) });
        let told = differing(&report(run(Some(60))), &run(Some(90)));
        assert_eq!(told.as_deref(), Some("with split.tail-tokens = 60, not 90"));
        let told = differing(&report(run(None)), &run(Some(90)));
        assert_eq!(told.as_deref(), Some("with split.tail-tokens = unset, not 90"));
        assert_eq!(differing(&report(run(None)), &run(None)), None, "nothing that a report says");
        let added = json!({ "preset": "lean", "drop_failed": true });
        let told = differing(&report(json!({ "preset": "lean" })), &added);
        assert_eq!(told.as_deref(), Some("with another drop_failed"));
        let many = |value: u64| json!({ "a": value, "b": value, "c": value, "d": value });
        let told = differing(&report(many(1)), &many(2)).unwrap_or_default();
        assert!(told.ends_with("c = 1, not 2 and 1 more"), "{told}");
        let older = json!({ "epitome": "0.0.1", "settings": {} });
        assert_eq!(differing(&older, &run(None)).as_deref(), Some("by version 0.0.1"));
    }
}
