//! The sections of a brief by their headings: the one that says what is wanted, and whether another says how.

use crate::summary::extractive::sentences::prose::typed;
use crate::summary::extractive::sentences::rules::{is_farewell, is_role};
use crate::summary::text::starts_any;

/// Headings of the part of a brief that says what is wanted.
pub(super) const REQUESTS: [&str; 9] =
    ["task", "tasks", "request", "goal", "goals", "objective", "objectives", "aufgabe", "your task"];
/// Heading of the part of a brief that says what is wanted, where nothing else does, and otherwise how.
pub(super) const INSTRUCTIONS: &str = "instructions";

/// The text from the last heading on that announces the request (such as “Task”). `None` if the first heading follows
/// a line that ends in a colon: then the headings belong to a wanted text.
pub fn request_section(text: &str) -> Option<&str> {
    parts(text)?.request
}

/// The sections of a request that say what is wanted, and how.
pub(super) struct Parts<'t> {
    /// The text from the heading on that announces the request.
    pub(super) request: Option<&'t str>,
    /// Whether a part headed as instructions is not the request, but says how it is done.
    pub(super) instructed: bool,
}

/// The sections of a request; `None` if its headings belong to a wanted text.
pub(super) fn parts(text: &str) -> Option<Parts<'_>> {
    let (mut at, mut request, mut instructed, mut lead) = (0, None, None, None);
    let mut last = "";
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let bare = line.trim();
        let heading = bare.trim_start_matches('#').trim_matches(['*', ':', ' ', '_']);
        let marked = bare.starts_with('#') || bare.starts_with("**") && bare.len() <= 40;
        if marked && lead.is_none() {
            if last.ends_with([':', '：']) {
                return None;
            }
            lead = Some(&text[..start]);
        }
        if marked && REQUESTS.contains(&&*heading.to_lowercase()) {
            request = Some(&text[at..]);
        } else if marked && heading.eq_ignore_ascii_case(INSTRUCTIONS) {
            instructed = Some(&text[at..]);
        }
        if !bare.is_empty() {
            last = bare;
        }
    }
    let alone = request.is_none() && instructed.is_some() && lead.is_none_or(only_introduces);
    Some(Parts { request: if alone { instructed } else { request }, instructed: instructed.is_some() && !alone })
}

/// Whether what stands before the first heading only tells the reader who they are, or says nothing.
fn only_introduces(lead: &str) -> bool {
    let introduces = |said: &String| {
        let lower = said.to_lowercase();
        is_role(said) || is_farewell(said) || starts_any(&lower, &["you ", "your "])
    };
    typed(lead).iter().all(introduces)
}

#[cfg(test)]
mod tests {
    use super::request_section;

    #[test]
    fn headings_of_a_text_that_is_wanted_are_no_request() {
        let brief = "You keep lamps.\n## Rules\nNever light two.\n## Task\nLight the pier.\n";
        assert_eq!(request_section(brief), Some("Light the pier.\n"));
        assert_eq!(request_section("Write docs/report.md. Use this:\n\n## Goal\nWhat it is for.\n## Notes\n"), None);
    }
}
