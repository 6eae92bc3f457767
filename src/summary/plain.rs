//! Fixed replacements for a head that is not summarized: nothing, a fixed text, or a frame of its messages and calls.

use super::extractive::frame_line;
use super::redacted_head::RedactedHead;
use super::wrapper::wrap;
use super::{Request, Summary, SummaryError, WrittenBy};
use crate::facts::pattern;
use crate::transcript::{Author, Message, PartKind, Tokens};
use regex::Regex;
use std::sync::LazyLock;

/// The notes of presets.
static NOTED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\[(?:[A-Z][a-z ]+: )?\d+ messages (?:were left out|hidden to reduce context)\]$"));

/// An empty summary: the head is dropped without a replacement.
pub fn nothing() -> Summary {
    summary(String::new(), String::new(), WrittenBy::Drop)
}

/// A fixed text as the summary, with `{messages}` and `{tokens}` replaced by the counts of the head.
///
/// # Errors
/// If it exceeds the budget.
pub fn note(request: &Request<'_, '_>, pattern: &str) -> Result<Summary, SummaryError> {
    let tokens: Tokens = request.head.iter().map(|message| message.tokens()).sum();
    let text = pattern.replace("{messages}", &request.head.len().to_string()).replace("{tokens}", &tokens.to_string());
    within(request, text, WrittenBy::Note)
}

/// Whether a text is a note that a preset writes in place of messages: “[94 messages were left out]”.
pub fn is_note(text: &str) -> bool {
    NOTED.is_match(text)
}

/// A frame: the text of each message and one line per call (HARNESSES 5), without results. Of equal calls in a row
/// that may be merged, one line is left. Where the frame exceeds the budget, the oldest blocks are dropped. With
/// `first_only`, only the first of several user messages in a row is quoted, as forge does.
///
/// # Errors
/// If not even the newest block fits.
pub fn frame(request: &Request<'_, '_>, first_only: bool) -> Result<Summary, SummaryError> {
    let bare = RedactedHead::of(request);
    let request = &bare.request(request);
    let mut blocks = blocks(&request.head, first_only);
    let prior = request.prior.join("\n\n");
    loop {
        let told = blocks.iter().enumerate().map(|(at, block)| format!("### {}. {block}", at + 1));
        let parts: Vec<String> = [prior.clone()].into_iter().filter(|text| !text.is_empty()).chain(told).collect();
        match within(request, format!("## Summary\n\n{}", parts.join("\n\n")), WrittenBy::Frame) {
            Err(_) if blocks.len() > 1 => drop(blocks.drain(..blocks.len().div_ceil(8))),
            done => return done,
        }
    }
}

fn within(request: &Request<'_, '_>, text: String, by: WrittenBy) -> Result<Summary, SummaryError> {
    let wrapped = wrap(&text);
    let needed = (request.count)(&wrapped);
    if needed > request.budget {
        return Err(SummaryError::BudgetTooSmall { budget: request.budget, needed });
    }
    Ok(summary(text, wrapped, by))
}

fn summary(text: String, wrapped: String, by: WrittenBy) -> Summary {
    Summary {
        text,
        wrapped,
        by,
        sections: Vec::new(),
        faults: Vec::new(),
        attempts: 1,
        lines: Vec::new(),
        written: None,
    }
}

/// One block per message that has text or a call to show.
fn blocks(head: &[&Message<'_>], first_only: bool) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    let (mut last_call, mut last_author) = (None, None);
    for message in head {
        let again = first_only && message.is_real_user() && last_author == Some(Author::Person);
        last_author = Some(message.author);
        if again {
            continue;
        }
        let mut lines = Vec::new();
        for part in &message.parts {
            match &part.kind {
                PartKind::Text if !part.text.trim().is_empty() => {
                    last_call = None;
                    lines.push(fenced(part.text.trim()));
                }
                PartKind::Call { name, .. } => {
                    let Some(call) = frame_line(name, &part.text) else { continue };
                    if call.merges && last_call.as_ref() == Some(&call.line) {
                        continue;
                    }
                    last_call = Some(call.line.clone());
                    lines.push(call.line);
                }
                _ => {}
            }
        }
        if !lines.is_empty() {
            blocks.push(format!("{}\n\n{}", title(message), lines.join("\n")));
        }
    }
    blocks
}

fn title(message: &Message<'_>) -> &'static str {
    if message.author == Author::Model { "Assistant" } else { "User" }
}

fn fenced(text: &str) -> String {
    format!("````\n{}\n````", text.replace("````", "'```"))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::builders::{act, agent, count, request, user};
    use super::*;

    #[test]
    fn a_frame_tells_words_and_calls_and_no_results() {
        let read = act("Read", r#"{"file_path":"/w/a.rs"}"#, "secret of a", false);
        let head = [vec![user("Fix it.")], read.to_vec(), read.to_vec(), vec![agent("Done.")]].concat();
        let text = frame(&request(&head, 500), false).unwrap().text;
        let expected = "## Summary\n\n### 1. User\n\n````\nFix it.\n````\n\n### 2. Assistant\n\n**Read:** `/w/a.rs`\n\n\
                        ### 3. Assistant\n\n````\nDone.\n````";
        assert_eq!(text, expected);
    }

    #[test]
    fn reads_in_turn_are_all_told_but_of_users_in_a_row_forge_hears_the_first() {
        let read = |path: &str| act("Read", &format!(r#"{{"file_path":"{path}"}}"#), "x", false).to_vec();
        let head = [vec![user("one"), user("two")], read("/a"), read("/b"), read("/a")].concat();
        let text = frame(&request(&head, 500), true).unwrap().text;
        assert_eq!(text.matches("**Read:**").count(), 3, "{text}");
        assert!(text.contains("one") && !text.contains("two"), "{text}");
        assert!(frame(&request(&head, 500), false).unwrap().text.contains("two"));
    }

    #[test]
    fn a_frame_that_is_too_long_loses_its_oldest_blocks() {
        let head: Vec<_> = (0..40).map(|n| user(&format!("message number {n}"))).collect();
        let told = frame(&request(&head, 120), false).unwrap();
        assert!(
            count(&told.wrapped) <= Tokens(120) && told.text.contains("number 39") && !told.text.contains("number 0")
        );
        assert!(frame(&request(&head, 3), false).is_err());
    }

    #[test]
    fn a_note_says_how_much_went() {
        let head = [user("one"), agent("two")];
        assert_eq!(note(&request(&head, 99), "[{messages} hidden]").unwrap().text, "[2 hidden]");
        assert!(note(&request(&head, 1), "[{messages} hidden]").is_err());
    }
}
