//! How far `compact` is from the limit: the time it takes, divided by the time that the same build takes on one thread
//! merely to read, parse and count the same files. Both are measured in turn; the median of the ratios is printed.
//!
//! `cargo bench --bench ratio -- FOLDER` (default: ../shared/corpus/claude-code, or else samples).

#![expect(clippy::print_stdout, reason = "a bench prints its result")]

use epitome::batch::{Batch, Compactor, Silent, Target};
use epitome::format::{ReadOptions, detect};
use epitome::preset::{merge, preset_layers};
use epitome::summary::Template;
use epitome::tokens::Tokenizer;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

/// That of the program, for both.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROUNDS: usize = 7;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let named = std::env::args().skip(1).find(|arg| !arg.starts_with('-')).map(PathBuf::from);
    let corpus = PathBuf::from("../shared/corpus/claude-code");
    let folder = named.unwrap_or_else(|| if corpus.is_dir() { corpus } else { "samples".into() });
    let files = epitome::batch::identify(std::slice::from_ref(&folder))?;
    let files: Vec<PathBuf> = files.into_iter().map(|(path, _)| path).collect();
    let tokenizer = Tokenizer::by_name("o200k_base")?;
    let mut ratios = Vec::new();
    for preset in ["opencode", "lean"] {
        for threads in [1, 0] {
            ratios.clear();
            let mut bytes = 0;
            let mut fastest = f64::MAX;
            for _ in 0..ROUNDS {
                let start = Instant::now();
                bytes = limit(&files, tokenizer)?;
                let limit = start.elapsed().as_secs_f64();
                let start = Instant::now();
                compact(&folder, preset, (threads, tokenizer))?;
                ratios.push(start.elapsed().as_secs_f64() / limit);
                fastest = fastest.min(limit);
            }
            ratios.sort_by(f64::total_cmp);
            let rate = bytes as f64 / fastest / 1e6;
            println!(
                "{preset:<9} threads {threads}: {:.2} × the limit (from {:.2} to {:.2}); the limit is {rate:.0} MB/s",
                ratios[ROUNDS / 2],
                ratios[0],
                ratios[ROUNDS - 1],
            );
        }
    }
    Ok(())
}

/// Reads, parses and counts every file that is a transcript; returns the bytes of all.
fn limit(files: &[PathBuf], tokenizer: Tokenizer) -> Result<usize, Box<dyn std::error::Error>> {
    let mut bytes = 0;
    for file in files {
        let source = std::fs::read(file)?;
        bytes += source.len();
        let Some(format) =
            detect(&source[..source.len().min(1 << 20)], source.len() <= 1 << 20).ok().and_then(|found| found.format)
        else {
            continue;
        };
        if let Ok(mut transcript) = format.read(&source, ReadOptions::default()) {
            tokenizer.measure(&mut transcript);
            std::hint::black_box(transcript.tokens());
        }
    }
    Ok(bytes)
}

/// The whole job, with outputs, reports and the check of every result.
fn compact(
    folder: &Path,
    preset: &str,
    (threads, tokenizer): (usize, Tokenizer),
) -> Result<(), Box<dyn std::error::Error>> {
    let settings = merge(&preset_layers(preset)?)?.settings;
    let work = Compactor { tokenizer, ..Compactor::new(preset, settings, Template::default())? };
    let out = tempfile::tempdir()?;
    let mut batch = Batch::new(vec![folder.to_owned()], Target::Dir(out.path().join("out")), SystemTime::now());
    batch.threads = threads;
    let summary = batch.run(&work, &Silent)?;
    std::hint::black_box(summary.totals.transcripts);
    Ok(())
}
