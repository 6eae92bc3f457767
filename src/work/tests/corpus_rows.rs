//! Compacts rows of a collection of real files, if it is available; a second run finds nothing to do.

use super::*;
use crate::corpus::corpus;
use crate::format::{detect, elements, lines};
use crate::transcript::apply;
use rayon::prelude::*;

/// The formats whose rows are compacted here.
const FORMATS: [&str; 11] = [
    "sharegpt",
    "trl",
    "openai-preference",
    "messages-variants",
    "tau-bench",
    "openai-chat",
    "openai-messages",
    "anthropic-messages",
    "inspect",
    "llm-http-logs",
    "toolbench",
];

fn compactor(tight: bool) -> Compactor<'static> {
    opencode(|settings| {
        if tight {
            settings.limits.usable = Some(2000);
            settings.split.tail_tokens = Some(400);
        }
    })
}

/// The transcripts of a file, each with the number of its first line.
fn sources(layout: Layout, bytes: &[u8]) -> Vec<(usize, &[u8])> {
    match layout {
        Layout::Session => vec![(1, bytes)],
        Layout::PerLine => lines::lines(bytes).map(|line| (line.number, &bytes[line.span])).collect(),
        Layout::PerElement(key) => {
            elements(bytes, key).unwrap().into_iter().map(|it| (it.line, &bytes[it.span])).collect()
        }
    }
}

/// Whether a row was compacted, and what is wrong with the result.
fn judge(work: &Compactor<'_>, format: &'static dyn Format, (line, source): (usize, &[u8])) -> (bool, Option<String>) {
    let done = work.run(format, source, line);
    if done.line.outcome == Outcome::Failed {
        return (false, Some(format!("{line}: {:?} {:?}", done.line.reason, done.line.error)));
    }
    let output = apply(source, &done.patches);
    let again = work.run(format, &output, line);
    let done = done.line.outcome == Outcome::Compacted;
    let wrong = again.line.outcome != Outcome::Unchanged;
    (
        done,
        wrong.then(|| format!("{line}: again {:?} {:?} {:?}", again.line.outcome, again.line.reason, again.line.error)),
    )
}

/// How many rows of a file were compacted under both settings, and what is wrong with the results.
fn judge_file(format: &'static dyn Format, layout: Layout, bytes: &[u8]) -> (usize, Vec<String>) {
    let rows = sources(layout, bytes);
    let works = [compactor(false), compactor(true)];
    let judged = works.iter().flat_map(|work| {
        let judged: Vec<_> = rows.par_iter().map(|row| judge(work, format, *row)).collect();
        judged
    });
    let judged: Vec<_> = judged.collect();
    let compacted = judged.iter().filter(|(done, _)| *done).count();
    (compacted, judged.into_iter().filter_map(|(_, wrong)| wrong).collect())
}

#[test]
#[ignore = "needs the corpus"]
fn every_row_of_the_corpus_survives_compaction() {
    let corpus = corpus();
    let manifest = fs::read_to_string(corpus.join("MANIFEST.tsv")).unwrap();
    let mut wrong = Vec::new();
    let mut compacted: BTreeMap<&str, usize> = BTreeMap::new();
    for local in manifest.lines().skip(1).filter_map(|row| row.split('\t').next()) {
        let bytes = fs::read(corpus.join(local)).unwrap();
        let Ok(Detected { format: Some(format), layout, .. }) = detect(&bytes) else { continue };
        if FORMATS.contains(&format.name()) {
            let (count, problems) = judge_file(format, layout, &bytes);
            *compacted.entry(format.name()).or_default() += count;
            wrong.extend(problems.into_iter().map(|problem| format!("{local}:{problem}")));
        }
    }
    assert!(wrong.is_empty(), "{} wrong, {compacted:?}:\n{}", wrong.len(), wrong.join("\n"));
    let idle = FORMATS.iter().take(5).filter(|name| compacted.get(*name).is_none_or(|count| *count == 0));
    assert_eq!(idle.count(), 0, "{compacted:?}");
}

#[test]
fn every_sample_of_rows_is_known_and_compacted() {
    for name in FORMATS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples").join(name);
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let bytes = fs::read(&path).unwrap();
            let found = detect(&bytes).unwrap();
            assert_eq!(found.name, name, "{path:?}");
            let (compacted, wrong) = judge_file(found.format.unwrap(), found.layout, &bytes);
            assert_eq!(wrong, [""; 0], "{path:?}");
            let file = path.file_name().unwrap().to_string_lossy().into_owned();
            let new = FORMATS[..5].contains(&name) || file.contains("array") || file.contains("document");
            assert!(compacted > 0 || !new || file.ends_with("stay.jsonl"), "{path:?}: nothing to do");
        }
    }
}
