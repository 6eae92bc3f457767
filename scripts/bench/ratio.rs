//! How close `compact` comes to the limit: the least time for reading, parsing and counting the same files on one
//! thread, divided by the time of the whole job with outputs, reports and checks. Everything is measured in turn in one
//! process; the result is the median of the ratios, and 1 is the limit.
//!
//! `cargo bench --bench ratio -- [PATH] [--rounds N] [--preset NAME] [--json]` (default: ../shared/corpus/claude-code,
//! or else samples). `--json` prints one line with the seconds of every round.

#![expect(clippy::print_stdout, reason = "a bench prints its result")]

mod limit;

use epitome::batch::{Batch, Silent, Target, identify};
use epitome::preset::{merge, preset_layers};
use epitome::summary::Template;
use epitome::tokens::Tokenizer;
use epitome::work::Compactor;
use limit::Input;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

/// The same allocator as in the program, for everything measured.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The measured series, in order.
const SERIES: [&str; 4] = ["limit", "own", "compact", "compact_2"];

/// Parsed command line.
struct Arguments {
    path: PathBuf,
    rounds: usize,
    presets: Vec<String>,
    json: bool,
}

fn main() -> Result<()> {
    let arguments = arguments()?;
    let files = identify(std::slice::from_ref(&arguments.path))?;
    let inputs: Vec<_> = files.iter().map(|file| Input::new(&file.path)).collect::<std::io::Result<_>>()?;
    let inputs: Vec<Input> = inputs.into_iter().flatten().collect();
    let bytes: u64 = inputs.iter().map(|input| input.bytes).sum();
    let tokenizer = Tokenizer::by_name("o200k_base")?;
    tokenizer.load();
    for preset in &arguments.presets {
        let rounds = (0..arguments.rounds).map(|_| round(&inputs, &arguments.path, preset, tokenizer));
        let rounds = rounds.collect::<Result<Vec<_>>>()?;
        if arguments.json {
            let series = SERIES.iter().enumerate().map(|(at, name)| ((*name).to_owned(), column(&rounds, at).into()));
            let mut all: serde_json::Map<_, _> = series.collect();
            all.insert("preset".into(), preset.as_str().into());
            all.insert("bytes".into(), bytes.into());
            println!("{}", serde_json::Value::Object(all));
        } else {
            say(preset, bytes, &rounds);
        }
    }
    Ok(())
}

fn arguments() -> Result<Arguments> {
    let corpus = PathBuf::from("../shared/corpus/claude-code");
    let path = if corpus.is_dir() { corpus } else { "samples".into() };
    let presets = ["opencode", "lean"].map(str::to_owned).into();
    let mut arguments = Arguments { path, rounds: 7, presets, json: false };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--rounds" => arguments.rounds = words.next().unwrap_or_default().parse()?,
            "--preset" => arguments.presets = words.next().into_iter().collect(),
            "--json" => arguments.json = true,
            // Added by cargo.
            "--bench" => {}
            path => arguments.path = path.into(),
        }
    }
    Ok(arguments)
}

/// Measures one round; returns the seconds of each series, in order.
fn round(inputs: &[Input], path: &Path, preset: &str, tokenizer: Tokenizer) -> Result<[f64; SERIES.len()]> {
    Ok([
        seconds(|| Ok(inputs.iter().try_for_each(|input| input.limit(tokenizer))?))?,
        seconds(|| Ok(inputs.iter().try_for_each(|input| input.own(tokenizer))?))?,
        seconds(|| compact(path, preset, (1, tokenizer)))?,
        seconds(|| compact(path, preset, (2, tokenizer)))?,
    ])
}

fn seconds(work: impl FnOnce() -> Result<()>) -> Result<f64> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed().as_secs_f64())
}

/// Runs the whole job, with outputs, reports and the check of every result.
fn compact(path: &Path, preset: &str, (threads, tokenizer): (usize, Tokenizer)) -> Result<()> {
    let settings = merge(&preset_layers(preset)?)?.settings;
    let work = Compactor { tokenizer, ..Compactor::new(preset, settings, Template::default())? };
    let out = tempfile::tempdir()?;
    let mut batch = Batch::new(vec![path.to_owned()], Target::Dir(out.path().join("out")), SystemTime::now());
    batch.threads = threads;
    let summary = batch.run(&work, &Silent)?;
    std::hint::black_box(summary.totals.transcripts);
    Ok(())
}

fn column(rounds: &[[f64; SERIES.len()]], at: usize) -> Vec<f64> {
    rounds.iter().map(|round| round[at]).collect()
}

fn say(preset: &str, bytes: u64, rounds: &[[f64; SERIES.len()]]) {
    let rate = |at: usize| bytes as f64 / column(rounds, at).into_iter().fold(f64::MAX, f64::min) / 1e6;
    println!("{preset}: limit {:.0} MB/s, own reader and counter {:.0} MB/s", rate(0), rate(1));
    for (at, threads) in [(2, 1), (3, 2)] {
        let mut ratios: Vec<f64> = rounds.iter().map(|round| round[0] / round[at]).collect();
        ratios.sort_by(f64::total_cmp);
        let (least, most) = (ratios[0], ratios[ratios.len() - 1]);
        println!("  threads {threads}: {:.2} of the limit ({least:.2}–{most:.2})", ratios[ratios.len() / 2]);
    }
}
