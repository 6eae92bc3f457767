//! Evaluates one transcript: reads it, counts it, and scores every policy at every cut.

use super::SharedModel;
use super::cores::Cores;
use super::obstacle::Obstacle;
use crate::batch::{Done, Work};
use crate::evaluate::{Explained, Plan, Vocabulary, evaluate, explain, unjudged};
use crate::format::{Bytes, Detected, Format, ReadError, ReadOptions, Undetected, stated_or_detected};
use crate::pipeline::Tools;
use crate::reason::Reason;
use crate::report::{Line, Outcome};
use crate::summary::Template;
use crate::tokens::Tokenizer;
use crate::transcript::Transcript;
use std::sync::{Arc, Mutex, PoisonError};

/// Evaluates transcripts.
pub struct Evaluator {
    /// The policies and cuts to evaluate.
    pub plan: Plan,
    /// The tokenizer.
    pub tokenizer: Tokenizer,
    /// The template of summaries.
    pub template: Template,
    /// The format, instead of detecting it.
    pub from: Option<&'static dyn Format>,
    /// Explain facts that contain these words, instead of scoring.
    pub explain: Option<String>,
    /// The model for policies that use one.
    pub model: Option<Arc<SharedModel>>,
}

/// Learns which words are rare, in a pass before scoring.
pub struct Learner {
    vocabulary: Mutex<Vocabulary>,
    from: Option<&'static dyn Format>,
}

impl Learner {
    /// Creates a learner without a vocabulary.
    pub fn new(from: Option<&'static dyn Format>) -> Self {
        Self { vocabulary: Mutex::default(), from }
    }

    /// Returns the vocabulary.
    pub fn finish(self) -> Vocabulary {
        self.vocabulary.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Work for Learner {
    fn run(&self, format: &'static dyn Format, source: &[u8], first_line: usize) -> Done {
        if let Ok(transcript) = read(format, source, first_line) {
            self.vocabulary.lock().unwrap_or_else(PoisonError::into_inner).add(&transcript);
        }
        Done { line: Line { outcome: Outcome::Unchanged, ..Line::default() }, ..Done::default() }
    }

    fn detect(&self, bytes: &[u8], given: Bytes) -> Result<Detected, Undetected> {
        stated_or_detected(self.from, bytes, given)
    }
}

impl Work for Evaluator {
    fn run(&self, format: &'static dyn Format, source: &[u8], first_line: usize) -> Done {
        let _core = self.model.as_ref().map(|model| model.core());
        let mut line = self.blank();
        let mut transcript = match read(format, source, first_line) {
            Ok(transcript) => transcript,
            Err(error) => return Obstacle::failed(Reason::InvalidLine, error.to_string()).done(line, Vec::new()),
        };
        line.outcome = Outcome::Unchanged;
        if let Some(fixed) = transcript.traits.fixed {
            line.reason = Some(fixed.name().to_owned());
        } else {
            self.tokenizer.measure(&mut transcript);
            let count = |text: &str| self.tokenizer.count(text);
            let tools = Tools {
                count: &count,
                spread: &Cores(self.model.as_deref()),
                template: &self.template,
                summarizer: None,
            };
            match &self.explain {
                Some(words) => {
                    line.warnings =
                        explain(&transcript, &self.plan, words, tools).iter().map(explanation_text).collect()
                }
                None => line.cuts = evaluate(&transcript, &self.plan, tools),
            }
            if self.explain.is_none() && line.cuts.is_empty() {
                line.reason = Some(unjudged(&transcript, self.plan.wanted).name().to_owned());
            }
        }
        Done { line, ..Done::default() }
    }

    fn detect(&self, bytes: &[u8], given: Bytes) -> Result<Detected, Undetected> {
        stated_or_detected(self.from, bytes, given)
    }

    fn waiting(&self) -> usize {
        self.model.as_ref().map_or(0, |model| model.waiting())
    }

    fn blank(&self) -> Line {
        Line { tokenizer: self.tokenizer.name().to_owned(), counting: "text".into(), ..Line::default() }
    }
}

/// Reads a transcript. An invalid line is an error: it could hold what the agent needed.
fn read<'s>(format: &dyn Format, source: &'s [u8], first_line: usize) -> Result<Transcript<'s>, ReadError> {
    format.read(source, ReadOptions { lenient: false, first_line })
}

/// The text of an explanation.
fn explanation_text(fact: &Explained) -> String {
    let lines = |lines: &[usize]| lines.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let used = fact.used.map_or_else(String::new, |line| format!("; first used at line {line}"));
    let how = if fact.in_call { " in a call" } else { " in prose" };
    let list = |names: &[String]| if names.is_empty() { "nobody".to_owned() } else { names.join(", ") };
    format!(
        "{} at {}: known from line {}{used}{how}; kept by {}; lost by {}",
        fact.fact,
        fact.at,
        lines(&fact.before),
        list(&fact.kept_by),
        list(&fact.lost_by)
    )
}
