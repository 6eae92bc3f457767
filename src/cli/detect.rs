//! `epitome detect`: format, confidence, and why.

use super::args::DetectArgs;
use super::terminal::shown;
use super::{ExitStatus, Terminal};
use crate::batch::{Identified, identify};
use crate::format::{Confidence, Detected};
use crate::header::SCHEMA_VERSION;
use crate::report::on_one_line;
use std::path::Path;

/// Names the format of every file. A file that is no transcript is a failure only if it was named.
pub(super) fn run(args: &DetectArgs, terminal: &Terminal) -> anyhow::Result<ExitStatus> {
    let mut status = ExitStatus::Done;
    for Identified { path, found, failed } in identify(&args.inputs)? {
        if failed {
            status = ExitStatus::SomeFailed;
        }
        let line = if args.json { json(&path, &found) } else { text(&path, &found) };
        terminal.result(&line)?;
    }
    Ok(status)
}

fn text(path: &Path, found: &Result<Detected, String>) -> String {
    let path = on_one_line(&path.display().to_string());
    shown(&match found {
        Ok(found) => {
            let support = if found.format.is_some() { "" } else { ", not supported yet" };
            format!("{path}: {} ({}{support}): {}\n", found.name, confidence(found), found.evidence.why)
        }
        Err(why) => format!("{path}: unknown: {why}\n"),
    })
}

fn json(path: &Path, found: &Result<Detected, String>) -> String {
    let path = path.to_string_lossy();
    let value = match found {
        Ok(found) => serde_json::json!({
            "schema_version": SCHEMA_VERSION,
            "path": path,
            "format": found.name,
            "supported": found.format.is_some(),
            "confidence": confidence(found),
            "why": found.evidence.why,
        }),
        Err(why) => {
            serde_json::json!({ "schema_version": SCHEMA_VERSION, "path": path, "format": null, "why": why })
        }
    };
    format!("{value}\n")
}

fn confidence(found: &Detected) -> &'static str {
    match found.evidence.confidence {
        Confidence::Certain => "certain",
        Confidence::Assumed => "assumed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_has_the_version_of_its_shape() {
        let found = crate::format::detect(b"{\"role\":\"user\",\"content\":\"u\"}\n").map_err(|err| err.to_string());
        for found in [found, Err("it is empty".to_owned())] {
            assert!(json(Path::new("a"), &found).contains("\"schema_version\":1"));
        }
    }

    #[test]
    fn a_file_has_one_line_whatever_its_name() {
        assert_eq!(
            text(Path::new("a\nb.jsonl"), &Err("it is empty".to_owned())),
            "a\u{fffd}b.jsonl: unknown: it is empty\n"
        );
    }
}
