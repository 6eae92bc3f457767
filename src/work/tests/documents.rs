//! Compacts samples that are JSON documents, and a collection of real ones if it is available: none fails, and a second
//! run finds nothing to do.

use super::*;
use crate::format::detect;
use crate::transcript::apply;

/// The formats that are JSON documents.
const FORMATS: [&str; 10] = [
    "atif",
    "cline",
    "gemini-cli",
    "goose",
    "mini-swe-agent",
    "opencode",
    "openhands",
    "otel-genai",
    "roo",
    "swe-agent",
];

fn compactor(settings: Settings) -> Compactor<'static> {
    Compactor::new("opencode", settings, Template::default()).unwrap()
}

fn settings(usable: Option<(u64, u64)>) -> Settings {
    let mut settings = Settings::of_preset("opencode").unwrap();
    if let Some((usable, tail)) = usable {
        settings.limits.usable = Some(usable);
        settings.split.tail_tokens = Some(tail);
    }
    settings
}

/// Compacts a file, and the result again. Returns the outcome and what went wrong.
fn twice(compactor: &Compactor<'_>, format: &'static dyn Format, bytes: &[u8]) -> (Outcome, Vec<String>) {
    let mut wrong = Vec::new();
    let first = compactor.run(format, bytes, 1);
    if first.line.outcome == Outcome::Failed {
        wrong.push(format!("failed: {:?}", first.line.error));
    }
    if first.line.outcome == Outcome::Compacted {
        let out = apply(bytes, &first.patches);
        match detect(&out) {
            Ok(found) if found.name == format.name() => {}
            Ok(found) => wrong.push(format!("became {}", found.name)),
            Err(error) => wrong.push(error.to_string()),
        }
        let again = compactor.run(format, &out, 1).line;
        if again.outcome != Outcome::Unchanged {
            wrong.push(format!(
                "again: {:?} {:?} {:?} -> {:?}",
                again.outcome, again.error, again.tokens, again.messages
            ));
        }
    }
    (first.line.outcome, wrong)
}

#[test]
fn every_document_survives_compaction_twice() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let compactors = [compactor(settings(None)), compactor(settings(Some((2_000, 400))))];
    let mut wrong = Vec::new();
    let mut compacted: BTreeMap<&str, usize> = BTreeMap::new();
    let folders = [root.join("samples"), root.join("../shared/corpus")];
    for entry in folders.iter().flat_map(walkdir::WalkDir::new).filter_map(Result::ok) {
        let bytes = fs::read(entry.path()).unwrap_or_default();
        let format = detect(&bytes).ok().and_then(|found| found.format);
        let Some(format) = format.filter(|format| FORMATS.contains(&format.name())) else { continue };
        for compactor in &compactors {
            let (outcome, found) = twice(compactor, format, &bytes);
            *compacted.entry(format.name()).or_default() += usize::from(outcome == Outcome::Compacted);
            wrong.extend(found.iter().map(|found| format!("{}: {found}", entry.path().display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compacted.len() == FORMATS.len() && compacted.values().all(|count| *count > 0), "{compacted:?}");
}
