//! The model that writes summaries, and the sharing of cores while it answers.
//!
//! Transcripts are processed by as many threads as there are cores; while a model answers, its core is lent to another
//! transcript.

use crate::batch::{BatchError, cores, pool};
use crate::model::{Answer, Model, Permit, Permits, Prompt, Reply};
use crate::report::{CostEstimate, LlmReport, SummaryOrigin};
use crate::summary::{SectionFault, Written};
use crate::writer::WriterSettings;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The price of a million tokens, in units of a currency.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price {
    /// Of input tokens.
    pub input: f64,
    /// Of output tokens.
    pub output: f64,
}

/// How much happens at once.
#[derive(Debug, Clone, Copy)]
pub struct Concurrency {
    /// Threads that process transcripts (0: one per core).
    pub threads: usize,
    /// Questions that the model answers at once.
    pub in_flight: usize,
}

/// A model, and the cores shared by the transcripts.
pub struct SharedModel {
    model: Box<dyn Model + Send>,
    cores: Permits,
    /// Thread pool for pieces of long transcripts.
    pieces: rayon::ThreadPool,
    cancel: Arc<AtomicBool>,
    /// Maximum number of questions in flight.
    in_flight: usize,
    pub(super) settings: WriterSettings,
    price: Option<Price>,
}

impl SharedModel {
    /// Shares a model among transcripts. Once `cancel` is set, no further transcript waits for a core; those in progress
    /// still get theirs back after an answer.
    ///
    /// # Errors
    /// The threads can't be started.
    pub fn new(
        model: Box<dyn Model + Send>,
        Concurrency { threads, in_flight }: Concurrency,
        settings: WriterSettings,
        price: Option<Price>,
        cancel: Arc<AtomicBool>,
    ) -> Result<Self, BatchError> {
        let (count, in_flight) = (cores(threads), in_flight.max(1));
        let pieces = pool(count)?;
        Ok(Self { model, cores: Permits::new(count), pieces, cancel, in_flight, settings, price })
    }

    /// How many transcripts may wait for the model: those with a question in flight, and as many with a question ready,
    /// so that the next one is sent as soon as an answer arrives.
    pub(super) fn waiting(&self) -> usize {
        self.in_flight * 2
    }

    /// Takes a core for a transcript; `None` if none is free and the run is stopped.
    pub(super) fn core(&self) -> Option<Permit<'_>> {
        self.cores.take_unless(|| self.cancel.load(Ordering::Relaxed))
    }

    /// Thread pool for pieces of a transcript that has a core.
    pub(super) fn pieces(&self) -> &rayon::ThreadPool {
        &self.pieces
    }

    /// The report of a model's work; `failed`: there is no summary at all.
    pub(super) fn report(&self, written: &Written, failed: bool) -> LlmReport {
        let input_tokens = written.calls.iter().map(|call| call.input_tokens).sum();
        let output_tokens = written.calls.iter().map(|call| call.output_tokens).sum();
        LlmReport {
            outcome: origin(written, failed),
            chunks: written.chunks as u64,
            input_tokens,
            output_tokens,
            cost_micros: self.cost(input_tokens, output_tokens).filter(|_| written.estimate.is_none()),
            faults: written.faults.iter().map(fault).collect(),
            cuts: written.cuts.iter().map(|cut| (*cut).to_owned()).collect(),
            filled: written.filled.clone(),
            dropped: written.dropped.clone(),
            redacted: written.redacted.iter().map(|(kind, count)| ((*kind).to_owned(), *count)).collect(),
            estimate: written.estimate.map(|estimate| CostEstimate {
                cost_micros: self.cost(estimate.input_tokens, estimate.output_tokens),
                ..estimate
            }),
            calls: written.calls.clone(),
        }
    }

    fn cost(&self, input: u64, output: u64) -> Option<u64> {
        self.price.map(|price| (input as f64 * price.input + output as f64 * price.output).round() as u64)
    }
}

/// While the model answers, the core is lent to others.
impl Model for SharedModel {
    fn ask(&self, prompt: &Prompt) -> Reply {
        let _lent = self.cores.lend();
        self.model.ask(prompt)
    }

    fn recall(&self, prompt: &Prompt) -> Reply {
        self.model.recall(prompt)
    }

    fn sends(&self) -> bool {
        self.model.sends()
    }

    fn remember(&self, prompt: &Prompt, answer: Option<&Answer>) {
        self.model.remember(prompt, answer);
    }
}

fn origin(written: &Written, failed: bool) -> SummaryOrigin {
    match written {
        Written { estimate: Some(_), .. } => SummaryOrigin::Estimated,
        _ if failed => SummaryOrigin::None,
        Written { fell_back: true, .. } => SummaryOrigin::Extractive,
        Written { filled, .. } if !filled.is_empty() => SummaryOrigin::Filled,
        _ => SummaryOrigin::Written,
    }
}

fn fault(fault: &SectionFault) -> String {
    match &fault.section {
        Some(section) => format!("{}: {section}", fault.name()),
        None => fault.name().to_owned(),
    }
}
