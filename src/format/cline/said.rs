//! A person's words inside the answer to a call: feedback on what was done, or why a call was denied.
//!
//! They are in a tag at the end of the answer, after a text of the harness: `The user denied this operation and
//! provided the following feedback:`. Newer versions of Roo answer with a JSON object that holds them.

use super::author::{TAGS, answered_tool, is_harness, is_tagged, opens};
use super::calls::SPEAKING;
use crate::format::shared::json::Object;
use crate::format::shared::slot;
use crate::transcript::{Author, Message, Part, PartKind, Role};
use std::borrow::Cow;

/// Beginnings of lines with which the harness announces a person's words.
const ANNOUNCES: [&str; 3] =
    ["The user ", "New instructions for task continuation:", "New message to respond to with "];
/// Beginnings of the answer to a call that failed or was not made.
const FAILED: [&str; 3] = ["The tool execution failed", "The user denied this operation", "<error>"];
/// A person's decisions about a call, as Roo names them.
const DECISIONS: [&str; 2] = ["denied", "approved"];
/// How many tags in one answer are tried as the one around the words.
const MOST: usize = 100;
/// The tool that asks the person: its answers stay results, as for any tool that asks.
const ASKING: &str = "ask_followup_question";

/// Separates the words of a person from the harness's text around them.
pub(super) fn find(messages: &mut [Message<'_>]) {
    for message in messages.iter_mut().filter(|it| it.role == Role::User && it.author != Author::Summary) {
        let is_persons = message.author == Author::Person;
        // Results come first in a message, and words after all of them.
        let (mut words, mut behind) = (Vec::new(), 0);
        for mut part in std::mem::take(&mut message.parts) {
            if part.is_result() {
                words.extend(said_in_result(&mut part));
                message.parts.push(part);
                behind = message.parts.len();
            } else {
                message.parts.extend(Some(&mut part).filter(|_| is_persons).and_then(|part| said_in_text(part)));
                message.parts.push(part);
            }
        }
        if !words.is_empty() {
            message.author = Author::Person;
            message.parts.splice(behind..behind, words);
        }
    }
}

/// An answer that ends with a person's words.
#[derive(Debug, PartialEq, Eq)]
struct Parted {
    /// The harness's text before the words.
    before: String,
    /// The tag around the words, without them.
    tag: String,
    /// The words.
    words: String,
}

/// Removes a person's words and the tag around them from a result, and returns them as parts.
fn said_in_result<'a>(part: &mut Part<'a>) -> Vec<Part<'a>> {
    let PartKind::Result { tool, error, .. } = &mut part.kind else { return Vec::new() };
    *error |= failed(&part.text);
    let tool = tool.as_deref().unwrap_or_default();
    let Some(answer) = parted(&part.text).filter(|it| speaks(tool, &it.before)) else { return Vec::new() };
    let told = without_head(&answer.before);
    let head = answer.before.strip_suffix(told).unwrap_or_default();
    let place = slot::fixed_at(part.slot.part.clone());
    let frame = slot::part(PartKind::Opaque, Cow::Owned(format!("{head}{}", answer.tag)), place.clone());
    (part.text, part.slot) = (Cow::Owned(told.to_owned()), place.clone());
    let frame = Some(frame).filter(|frame| !frame.text.is_empty());
    frame.into_iter().chain([slot::part(PartKind::Text, Cow::Owned(answer.words), place)]).collect()
}

/// Keeps only the person's words in a text part, and returns the harness's text before them as an opaque part. A text
/// part without a person's words becomes opaque itself.
fn said_in_text<'a>(part: &mut Part<'a>) -> Option<Part<'a>> {
    if part.kind != PartKind::Text {
        return None;
    }
    if is_head(&part.text) || says_nothing(&part.text) {
        part.kind = PartKind::Opaque;
        return None;
    }
    let answer = parted(&part.text).filter(|it| !it.before.is_empty())?;
    part.text = Cow::Owned(answer.words);
    let frame = Cow::Owned(format!("{}\n{}", answer.before, answer.tag));
    Some(slot::part(PartKind::Opaque, frame, slot::fixed_at(part.slot.part.clone())))
}

/// Whether a tool's answer may hold a person's words after the text `before`.
fn speaks(tool: &str, before: &str) -> bool {
    tool != ASKING && (!before.is_empty() || SPEAKING.contains(&tool))
}

/// Whether the answer to a call says that it failed, or that the person did not allow it.
pub(super) fn failed(answer: &str) -> bool {
    let answer = without_head(answer);
    FAILED.iter().any(|start| answer.starts_with(start))
        || decision(answer).is_some_and(|(made, _)| made == DECISIONS[0])
}

/// The decision of a person in an answer that is a JSON object, and the object's fields.
fn decision(answer: &str) -> Option<(&'static str, Object<'_>)> {
    let fields = Object::parse(answer.trim()).filter(|_| answer.trim_start().starts_with('{'))?;
    let told = ["message", "feedback"].iter().any(|key| fields.has(key));
    let status = fields.text("status").filter(|_| told)?;
    let made = DECISIONS.iter().find(|decision| **decision == status)?;
    Some((*made, fields))
}

/// Splits an answer into the harness's text and the person's words after it.
fn parted(text: &str) -> Option<Parted> {
    if let Some((made, fields)) = decision(text) {
        let words = fields.text("feedback").filter(|words| !words.trim().is_empty())?.into_owned();
        let before = fields.text("message").map_or_else(|| made.to_owned(), Cow::into_owned);
        return Some(Parted { before, tag: String::new(), words });
    }
    let tag = TAGS.iter().find(|tag| text.trim_end().ends_with(&format!("</{tag}>")))?;
    let mut places = text.match_indices('<').filter(|(at, _)| opens(&text[at + 1..], tag)).take(MOST);
    let (at, _) = places.find(|(at, _)| announces(&text[..*at]))?;
    let (start, end) = (at + text[at..].find('>')? + 1, text.rfind("</")?);
    let (open, close) = (&text[at..start], text[end..].trim_end());
    let words = text.get(start..end).map(str::trim).filter(|words| !words.is_empty())?.to_owned();
    Some(Parted { before: text[..at].trim().to_owned(), tag: format!("{open}{close}"), words })
}

/// Whether a text is an answer of the harness, with text of its own, that ends with a person's words.
pub(super) fn is_answer(text: &str) -> bool {
    parted(text).is_some_and(|answer| !without_head(&answer.before).is_empty())
}

/// Whether the text before a tag is empty but for the header, or announces a person's words in its last line.
fn announces(before: &str) -> bool {
    let before = without_head(before);
    before.is_empty()
        || before.lines().next_back().is_some_and(|line| ANNOUNCES.iter().any(|start| line.starts_with(start)))
}

/// An answer without its header, `[tool for 'argument'] Result:`.
fn without_head(answer: &str) -> &str {
    let answer = answer.trim();
    let head = answered_tool(answer).and_then(|_| answer.split_once("] Result:"));
    head.map_or(answer, |(_, answer)| answer.trim())
}

/// Whether a text is written by the harness and holds no words of a person. Texts in a tag of their own are
/// recognized by that tag elsewhere.
fn says_nothing(text: &str) -> bool {
    let begins = text.trim_start();
    !begins.is_empty() && !begins.starts_with('<') && is_harness(text) && !is_tagged(text)
}

/// Whether a text is the header of an answer and nothing else.
fn is_head(text: &str) -> bool {
    !text.trim().is_empty() && without_head(text).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(before: &str, tag: &str, words: &str) -> Parted {
        Parted { before: before.to_owned(), tag: tag.to_owned(), words: words.to_owned() }
    }

    #[test]
    fn words_are_told_from_what_announces_them() {
        let tagged = "<feedback>\nnot so\n</feedback>";
        for before in [
            "",
            "[attempt_completion] Result:",
            "The user denied this operation and provided the following feedback:",
            "Output:\n1\n\nThe user provided the following feedback:",
            "[execute_command for 'rm a'] Result:\nThe user denied this operation.",
        ] {
            let found = parted(&format!("{before}\n{tagged}"));
            assert_eq!(found, Some(answer(before, "<feedback></feedback>", "not so")), "{before}");
        }
        for text in ["a file\n<feedback>x</feedback>", "The user said\n<feedback>", "The user said: no"] {
            assert_eq!(parted(text), None, "{text}");
        }
    }

    #[test]
    fn an_object_may_hold_them_too() {
        let denied = r#"{"status":"denied","message":"The user denied it.","feedback":"never"}"#;
        assert_eq!(parted(denied), Some(answer("The user denied it.", "", "never")));
        assert!(failed(denied) && !failed(&denied.replace("denied\"", "approved\"")));
        assert_eq!(parted(r#"{"status":"open","feedback":"a field of a file"}"#), None);
        assert!(!failed(r#"{"status":"error","message":"m"}"#), "an answer of a program");
    }
}
