//! T12: the summary of the head, in the sections of a template.
//!
//! ```text
//! head ─▶ extractive (turns ─▶ items by source) ─┐
//! earlier summaries ─▶ prior ────────────────────┴▶ compose (budget) ─▶ sections (validate) ─▶ Summary
//! ```

mod compose;
#[cfg(test)]
mod corpus;
mod extractive;
mod fence;
mod items;
mod prior;
mod sections;
mod template;
mod text;
mod wrapper;

pub use prior::Prior;
pub use sections::{Fault, Report, Rule, Section, SectionReport, Severity, parse, validate};
pub use template::{DEFAULT_TEMPLATE, Source, Template, TemplateError, TemplateSection};
pub use wrapper::{unwrap, wrap};

use crate::transcript::{Message, Tokens};
use items::Item;
use thiserror::Error;

/// What a summarizer is given.
pub struct Request<'t, 'a> {
    /// The messages to summarize, oldest first, as they were before pruning; no earlier summaries, nothing synthetic.
    pub head: Vec<&'t Message<'a>>,
    /// Texts of earlier summaries, oldest first, without their wrapper.
    pub prior: Vec<String>,
    /// Lines that have to stand in the summary though no message says them (what protected output did not fit).
    pub notes: Vec<String>,
    /// The most tokens that the text may have, wrapper included.
    pub budget: Tokens,
    /// Counts tokens of a text.
    pub count: &'t dyn Fn(&str) -> Tokens,
}

/// A summary with what validation says about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Its text.
    pub text: String,
    /// The text in its wrapper.
    pub wrapped: String,
    /// Who wrote it: `extractive`, or `extractive+prior` where an earlier summary was merged in.
    pub by: String,
    /// One entry per section of the template.
    pub sections: Vec<SectionReport>,
    /// Faults of the text as a whole.
    pub faults: Vec<Fault>,
    /// How often a summarizer was asked.
    pub attempts: u32,
}

/// Why there is no summary.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SummaryError {
    /// Not even the headings fit.
    #[error("a summary with all its headings needs {needed} tokens, but its budget is {budget}")]
    BudgetTooSmall {
        /// What the summary may have.
        budget: Tokens,
        /// What the headings need.
        needed: Tokens,
    },
}

/// Worth of a note: it stays before all that was found out.
const NOTE: i64 = 1_000_000;

/// Summarizes without a model, from the head's own sentences, calls and outcomes.
///
/// # Errors
/// Where the budget does not hold the headings.
pub fn extractive(request: &Request<'_, '_>, template: &Template) -> Result<Summary, SummaryError> {
    let (mut items, root) = extractive::gather(&request.head);
    let merged = prior::merge_all(&mut items, &root, &request.prior);
    items.discoveries.extend(request.notes.iter().map(|note| Item::carried(text::fold(note), NOTE)));
    items.dedup();
    if let Some(note) = root.note() {
        items.files.insert(0, Item::carried(note, i64::MAX));
    }
    let (text, cuts) = compose::compose(&items, template, request)?;
    let wrapped = wrap(&text);
    let report = validate(&text, template).limit((request.count)(&wrapped), request.budget);
    let by = if merged { "extractive+prior" } else { "extractive" };
    Ok(summary(text, wrapped, by, with_cuts(report, cuts)))
}

fn summary(text: String, wrapped: String, by: &str, report: Report) -> Summary {
    Summary { text, wrapped, by: by.to_owned(), sections: report.sections, faults: report.faults, attempts: 1 }
}

/// Puts the faults that the budget forced to the sections that they belong to.
fn with_cuts(mut report: Report, cuts: Vec<Fault>) -> Report {
    for fault in cuts {
        match report.sections.iter_mut().find(|section| Some(&section.name) == fault.section.as_ref()) {
            Some(section) => section.faults.push(fault),
            None => report.faults.push(fault),
        }
    }
    report
}
