//! The evaluation of one transcript: read it, count it, and score every policy at every cut.

use super::Staff;
use super::cores::Cores;
use super::obstacle::Obstacle;
use crate::batch::{Done, Work};
use crate::evaluate::{Explained, Plan, Vocabulary, evaluate, explain, unjudged};
use crate::format::{Detected, Format, ReadError, ReadOptions, stated_or_detected};
use crate::pipeline::Tools;
use crate::report::{Line, Outcome};
use crate::summary::Template;
use crate::tokens::Tokenizer;
use crate::transcript::Transcript;
use std::sync::{Arc, Mutex, PoisonError};

/// Evaluates transcripts.
pub struct Evaluator {
    /// What is evaluated.
    pub plan: Plan,
    /// The counter.
    pub tokenizer: Tokenizer,
    /// The summary's template.
    pub template: Template,
    /// The format, if it is not to be detected.
    pub from: Option<&'static dyn Format>,
    /// Explain facts that have these words in them, instead of scoring.
    pub explain: Option<String>,
    /// Who writes the summaries of a model's policies.
    pub staff: Option<Arc<Staff>>,
}

/// Learns which words are rare, before anything is scored.
pub struct Learner {
    vocabulary: Mutex<Vocabulary>,
    from: Option<&'static dyn Format>,
}

impl Learner {
    /// One that knows nothing yet.
    pub fn new(from: Option<&'static dyn Format>) -> Self {
        Self { vocabulary: Mutex::default(), from }
    }

    /// What it learned.
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

    fn detect(&self, bytes: &[u8], complete: bool) -> Result<Detected, String> {
        stated_or_detected(self.from, bytes, complete)
    }
}

impl Work for Evaluator {
    fn run(&self, format: &'static dyn Format, source: &[u8], first_line: usize) -> Done {
        let _core = self.staff.as_ref().map(|staff| staff.core());
        let mut line = self.blank();
        let mut transcript = match read(format, source, first_line) {
            Ok(transcript) => transcript,
            Err(error) => return Obstacle::failed("invalid_line", error.to_string()).done(line, Vec::new()),
        };
        line.outcome = Outcome::Unchanged;
        if transcript.traits.fixed.is_none() {
            self.tokenizer.measure(&mut transcript);
            let count = |text: &str| self.tokenizer.count(text);
            let tools = Tools {
                count: &count,
                spread: &Cores(self.staff.as_deref()),
                template: &self.template,
                summarizer: None,
            };
            match &self.explain {
                Some(words) => {
                    line.warnings = explain(&transcript, &self.plan, words, tools).iter().map(told).collect()
                }
                None => line.cuts = evaluate(&transcript, &self.plan, tools),
            }
            if self.explain.is_none() && line.cuts.is_empty() {
                line.reason = Some(unjudged(&transcript, self.plan.wanted).to_owned());
            }
        }
        Done { line, ..Done::default() }
    }

    fn detect(&self, bytes: &[u8], complete: bool) -> Result<Detected, String> {
        stated_or_detected(self.from, bytes, complete)
    }

    fn waiting(&self) -> usize {
        self.staff.as_ref().map_or(0, |staff| staff.waiting())
    }

    fn blank(&self) -> Line {
        Line { tokenizer: self.tokenizer.name().to_owned(), counting: "text".into(), ..Line::default() }
    }
}

/// A transcript with an invalid line is not judged: what the agent needed may stand there.
fn read<'s>(format: &dyn Format, source: &'s [u8], first_line: usize) -> Result<Transcript<'s>, ReadError> {
    format.read(source, ReadOptions { lenient: false, first_line })
}

/// An explanation in words.
fn told(fact: &Explained) -> String {
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
