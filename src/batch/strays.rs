//! What other runs of ours left among the inputs: undo stores and reports. They are known by how they lie, whatever their
//! folders are called, so that none is ever taken for an input: to write a store anew would end all ways back.

use super::reports::{LINES, REPORT};
use super::undo::RECORDS;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// How `report.json` begins, without its white space.
const BEGINNING: &str = "{\"schema_version\":";
/// What the first of its fields has behind that.
const MARK: &str = "\"epitome\":";

/// Something that another run left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stray {
    /// How many folders up it is from a file of it.
    pub(super) depth: usize,
    /// The stable word of the report.
    pub(super) reason: &'static str,
    /// What is said of it.
    pub(super) told: &'static str,
}

const STORE: Stray = Stray { depth: 3, reason: "undo_store", told: "an undo store, which is never read as input" };
const REPORTS: Stray =
    Stray { depth: 1, reason: "own_report", told: "reports of a run, which are never read as input" };

/// What a file belongs to, if another run left it.
pub(super) fn stray(path: &Path) -> Option<Stray> {
    if is_in_store(path) {
        return Some(STORE);
    }
    is_report(path).then_some(REPORTS)
}

/// Whether a file is where a store has its objects or its records.
fn is_in_store(path: &Path) -> bool {
    let mut names = path.components().rev().map(|part| part.as_os_str().to_str());
    let (Some(Some(file)), Some(Some(folder)), Some(Some(kind))) = (names.next(), names.next(), names.next()) else {
        return false;
    };
    match kind {
        "objects" => {
            file.strip_suffix(".zst").is_some_and(|hash| is_hash(hash) && folder.len() == 2 && hash.starts_with(folder))
        }
        RECORDS => {
            let record = file.strip_suffix(".jsonl").and_then(|name| name.split_once('-'));
            is_hash(folder) && record.is_some_and(|(input, path)| is_hash(input) && is_hex(path))
        }
        _ => false,
    }
}

fn is_hash(text: &str) -> bool {
    text.len() == 64 && is_hex(text)
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// Whether a file is one of the two reports of a run, which say of themselves what they are.
fn is_report(path: &Path) -> bool {
    let name = path.file_name();
    if name != Some(OsStr::new(REPORT)) && name != Some(OsStr::new(LINES)) {
        return false;
    }
    let (report, mut start) = (path.with_file_name(REPORT), String::new());
    // A pipe of that name would wait for who writes to it.
    if !report.metadata().is_ok_and(|found| found.is_file()) {
        return false;
    }
    let read = File::open(report).and_then(|file| file.take(256).read_to_string(&mut start));
    start.retain(|letter| !letter.is_whitespace());
    read.is_ok() && start.starts_with(BEGINNING) && start.contains(MARK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_is_known_by_the_places_of_its_files() {
        let (hash, other) = ("0a".repeat(32), "7f".repeat(32));
        let is = |path: String| is_in_store(Path::new(&path));
        assert!(is(format!("any/name/objects/0a/{hash}.zst")) && is(format!("undo/{hash}/{other}-0123abcd.jsonl")));
        for path in [
            format!("objects/7f/{hash}.zst"),
            format!("0a/{hash}.zst"),
            format!("objects/0a/{hash}.jsonl"),
            format!("undo/{hash}/{other}.jsonl"),
            format!("undo/logs/{other}-0123abcd.jsonl"),
            "undo/session.jsonl".to_owned(),
        ] {
            assert!(!is(path.clone()), "{path}");
        }
    }
}
