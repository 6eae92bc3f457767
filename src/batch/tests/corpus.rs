//! Rows of a collection of real files, where it is at hand: each is compacted, and what comes out has nothing left to do.

use super::*;
use crate::format::{detect, elements, lines};
use crate::preset::{merge, preset_layers};
use crate::summary::Template;
use crate::tokens::Tokenizer;
use crate::transcript::apply;
use rayon::prelude::*;

/// The formats whose rows are compacted here.
const FORMATS: [&str; 8] = [
    "sharegpt",
    "trl",
    "openai-preference",
    "messages-variants",
    "tau-bench",
    "openai-chat",
    "openai-messages",
    "anthropic-messages",
];

fn compactor(tight: bool) -> Compactor<'static> {
    let mut settings = merge(&preset_layers("opencode").unwrap()).unwrap().settings;
    if tight {
        settings.limits.usable = Some(2000);
        settings.split.tail_tokens = Some(400);
    }
    Compactor {
        preset: "opencode".into(),
        tokenizer: Tokenizer::by_name(&settings.tokenizer).unwrap(),
        settings,
        template: Template::default(),
        lenient: false,
        from: None,
        now: None,
        plan: false,
        observer: None,
    }
}

/// The transcripts of a file, with the number of their first line.
fn sources(layout: Layout, bytes: &[u8]) -> Vec<(usize, &[u8])> {
    match layout {
        Layout::Session => vec![(1, bytes)],
        Layout::PerLine => lines::lines(bytes).map(|line| (line.number, &bytes[line.span])).collect(),
        Layout::PerElement => elements(bytes).unwrap().into_iter().map(|it| (it.line, &bytes[it.span])).collect(),
    }
}

/// What is wrong with the compaction of one row, and whether there was one.
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

#[test]
fn every_row_of_the_corpus_survives_compaction() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let Ok(manifest) = fs::read_to_string(corpus.join("MANIFEST.tsv")) else { return };
    let works = [compactor(false), compactor(true)];
    let mut wrong = Vec::new();
    let mut compacted: BTreeMap<&str, usize> = BTreeMap::new();
    for local in manifest.lines().skip(1).filter_map(|row| row.split('\t').next()) {
        let bytes = fs::read(corpus.join(local)).unwrap();
        let Ok(Detected { format: Some(format), layout, .. }) = detect(&bytes, true) else { continue };
        if !FORMATS.contains(&format.name()) {
            continue;
        }
        let rows = sources(layout, &bytes);
        for work in &works {
            let judged: Vec<_> = rows.par_iter().map(|row| judge(work, format, *row)).collect();
            *compacted.entry(format.name()).or_default() += judged.iter().filter(|(done, _)| *done).count();
            wrong.extend(judged.into_iter().filter_map(|(_, wrong)| wrong).map(|wrong| format!("{local}:{wrong}")));
        }
    }
    assert!(std::env::var_os("SHOW").is_none() && wrong.is_empty(), "{} wrong, {compacted:?}:\n{}", wrong.len(), wrong.join("\n"));
}
