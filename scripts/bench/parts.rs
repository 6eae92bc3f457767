//! Benchmarks of each step of a compaction, in bytes of the transcript per second: `cargo bench --bench parts`.
//!
//! The transcript is a generated agent session of about 60 000 tokens. The steps before a measured one are not timed.

#![expect(clippy::unwrap_used, reason = "a bench")]

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use epitome::facts;
use epitome::fixtures::{BASE, Plan, generate};
use epitome::format::{Format, Marks, ReadOptions, by_name};
use epitome::pipeline::{Tools, compact};
use epitome::preset::{Settings, merge, preset_layers};
use epitome::prune::prune;
use epitome::split::{Split, SplitRules, split, tail_budget, usable};
use epitome::summary::{Request, Template, extractive};
use epitome::tokens::Tokenizer;
use epitome::transcript::{EditScript, InTurn, Stub, Tokens, Transcript, apply};

fn main() {
    divan::main();
}

/// Input of the steps.
struct Bench {
    source: Vec<u8>,
    format: &'static dyn Format,
    settings: Settings,
    tokenizer: Tokenizer,
    template: Template,
}

impl Bench {
    fn new() -> Self {
        let settings = merge(&preset_layers("opencode").unwrap()).unwrap().settings;
        Self {
            source: generate(&Plan::new(7, 60_000)).bytes,
            format: by_name(BASE).unwrap(),
            tokenizer: Tokenizer::by_name(&settings.tokenizer).unwrap(),
            settings,
            template: Template::default(),
        }
    }

    fn bytes(&self) -> BytesCount {
        BytesCount::new(self.source.len())
    }

    fn read(&self) -> Transcript<'_> {
        self.format.read(&self.source, ReadOptions::default()).unwrap()
    }

    fn counted(&self) -> Transcript<'_> {
        let mut transcript = self.read();
        self.tokenizer.measure(&mut transcript);
        transcript
    }

    fn count(&self, text: &str) -> Tokens {
        self.tokenizer.count(text)
    }

    fn pruned(&self, transcript: &Transcript<'_>) -> Vec<Stub> {
        prune(transcript, &self.settings.prune, &|text| self.count(text))
    }

    fn split(&self, transcript: &Transcript<'_>, stubs: &[Stub]) -> Split {
        let Settings { split: settings, prune, summary, limits, .. } = &self.settings;
        let budget = tail_budget(&usable(limits).unwrap(), settings, None).unwrap();
        split(
            transcript,
            stubs,
            SplitRules { split: settings, prune, role: summary.role, summary: Tokens(summary.tokens), drops: false },
            budget,
        )
    }

    fn script(&self, transcript: &Transcript<'_>) -> EditScript {
        let count = |text: &str| self.count(text);
        let tools = Tools { count: &count, spread: &InTurn, template: &self.template, summarizer: None };
        compact(transcript, &self.settings, tools).unwrap().script.unwrap()
    }
}

#[divan::bench]
fn reading(bencher: Bencher<'_, '_>) {
    let bench = Bench::new();
    bencher.counter(bench.bytes()).bench(|| black_box(bench.read()).messages.len());
}

#[divan::bench]
fn counting(bencher: Bencher<'_, '_>) {
    let bench = Bench::new();
    bencher
        .counter(bench.bytes())
        .with_inputs(|| bench.read())
        .bench_refs(|transcript| bench.tokenizer.measure(transcript));
}

#[divan::bench]
fn pruning(bencher: Bencher<'_, '_>) {
    let bench = Bench::new();
    let transcript = bench.counted();
    bencher.counter(bench.bytes()).bench(|| bench.pruned(black_box(&transcript)));
}

#[divan::bench]
fn splitting(bencher: Bencher<'_, '_>) {
    let bench = Bench::new();
    let transcript = bench.counted();
    let stubs = bench.pruned(&transcript);
    bencher.counter(bench.bytes()).bench(|| bench.split(black_box(&transcript), &stubs));
}

#[divan::bench]
fn facts(bencher: Bencher<'_, '_>) {
    let bench = Bench::new();
    let transcript = bench.counted();
    bencher.counter(bench.bytes()).bench(|| {
        let messages = black_box(&transcript).messages.iter();
        messages.map(|message| facts::of_message(message).len()).sum::<usize>()
    });
}

#[divan::bench]
fn summary(bencher: Bencher<'_, '_>) {
    let bench = Bench::new();
    let transcript = bench.counted();
    let split = bench.split(&transcript, &bench.pruned(&transcript));
    let count = |text: &str| bench.count(text);
    bencher.counter(bench.bytes()).bench_local(|| {
        let messages = |indices: &[usize]| indices.iter().map(|&index| &transcript.messages[index]).collect();
        let request = Request {
            head: messages(&split.head),
            kept: messages(&split.tail),
            behind: split.tail.len(),
            lost: Vec::new(),
            asked: Vec::new(),
            prior: Vec::new(),
            prior_positions: Vec::new(),
            notes: Vec::new(),
            lines: None,
            budget: Tokens(bench.settings.summary.tokens),
            count: &count,
            spread: &InTurn,
        };
        extractive(black_box(&request), &bench.template)
    });
}

#[divan::bench]
fn writing(bencher: Bencher<'_, '_>) {
    let bench = Bench::new();
    let transcript = bench.counted();
    let script = bench.script(&transcript);
    let marks = Marks { stub: &bench.settings.prune.stub, ..Marks::default() };
    bencher.counter(bench.bytes()).bench(|| {
        let patches = bench.format.render(black_box(&transcript), &script, &marks);
        apply(&bench.source, &patches).len()
    });
}
