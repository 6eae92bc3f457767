//! A person's words inside what answers a call: feedback on what was done, or why a call was denied.
//!
//! They stand in their tag at the end of an answer, behind what the harness says about them: `The user denied this operation
//! and provided the following feedback:`. Newer versions of Roo answer with an object that holds them.

use super::author::{TAGS, answered_tool, opens};
use super::calls::SPEAKING;
use crate::format::json::Object;
use crate::format::slot;
use crate::transcript::{Author, Message, PartKind, Role};
use std::borrow::Cow;

/// How the harness announces a person's words.
const ANNOUNCES: &str = "The user ";
/// How the answer to a call begins that failed or was not made.
const FAILED: [&str; 3] = ["The tool execution failed", "The user denied this operation", "<error>"];
/// The tool that asks: who wants the answer, finds it as that of any tool that asks.
const ASKING: &str = "ask_followup_question";

/// Parts the words of a person from what the harness says around them.
pub(super) fn find(messages: &mut [Message<'_>]) {
    for message in messages.iter_mut().filter(|it| it.role == Role::User && it.author != Author::Summary) {
        for at in (0..message.parts.len()).rev() {
            part(message, at);
        }
    }
}

fn part(message: &mut Message<'_>, at: usize) {
    let part = &mut message.parts[at];
    let place = slot::fixed_at(part.slot.part.clone());
    match &mut part.kind {
        PartKind::Result { tool, error, .. } => {
            *error |= failed(&part.text);
            let tool = tool.as_deref().unwrap_or_default();
            let Some((before, words)) = words(&part.text).filter(|(before, _)| speaks(tool, before)) else { return };
            (part.text, part.slot) = (Cow::Owned(without_head(&before).to_owned()), place.clone());
            message.parts.insert(at + 1, slot::part(PartKind::Text, Cow::Owned(words), place));
            message.author = Author::Person;
        }
        PartKind::Text if message.author == Author::Person => {
            let (before, words) = match words(&part.text) {
                Some((before, words)) => (before, Some(words)),
                None if is_head(&part.text) => (part.text.to_string(), None),
                None => return,
            };
            let harness = slot::part(PartKind::Opaque, Cow::Owned(before), place);
            match words {
                Some(_) if harness.text.is_empty() => {}
                Some(words) => {
                    part.text = Cow::Owned(words);
                    message.parts.insert(at, harness);
                }
                None => *part = harness,
            }
        }
        _ => {}
    }
}

/// Whether what a tool gave may hold a person's words that nothing or this announces.
fn speaks(tool: &str, before: &str) -> bool {
    tool != ASKING && (!before.is_empty() || SPEAKING.contains(&tool))
}

/// Whether the answer to a call says that it failed, or that the person did not let it run.
pub(super) fn failed(answer: &str) -> bool {
    let answer = without_head(answer);
    let denied = || status(answer).is_some_and(|(status, _)| ["denied", "error"].contains(&&*status));
    FAILED.iter().any(|start| answer.starts_with(start)) || denied()
}

/// The state of a call in an answer that is an object, and its fields.
fn status(answer: &str) -> Option<(String, Object<'_>)> {
    let fields = Object::parse(answer.trim()).filter(|_| answer.trim_start().starts_with('{'))?;
    let keys = ["message", "feedback", "error", "type"];
    fields.text("status").filter(|_| keys.iter().any(|key| fields.has(key))).map(|it| (it.into_owned(), fields))
}

/// What the harness says in an answer, and the words of a person behind it.
fn words(text: &str) -> Option<(String, String)> {
    if let Some((status, fields)) = status(text) {
        let feedback = fields.text("feedback").filter(|words| !words.trim().is_empty())?;
        let told = ["denied", "approved"].contains(&&*status).then(|| fields.text("message"))?;
        return Some((told.map_or(status, Cow::into_owned), feedback.into_owned()));
    }
    let tag = TAGS.iter().find(|tag| text.trim_end().ends_with(&format!("</{tag}>")))?;
    let mut places = text.match_indices('<').filter(|(at, _)| opens(&text[at + 1..], tag));
    let (at, _) = places.find(|(at, _)| announces(&text[..*at]))?;
    let (_, behind) = text[at..].split_once('>')?;
    let inside = behind.rfind("</").map_or(behind, |end| &behind[..end]);
    Some((text[..at].trim().to_owned(), inside.trim().to_owned()))
}

/// Whether a text is an answer of the harness that ends with a person's words.
pub(super) fn is_answer(text: &str) -> bool {
    words(text).is_some_and(|(before, _)| !without_head(&before).is_empty())
}

/// Whether nothing stands before a tag but the head of an answer, or the harness says there whose words follow.
fn announces(before: &str) -> bool {
    let before = without_head(before);
    before.is_empty() || before.lines().next_back().is_some_and(|line| line.starts_with(ANNOUNCES))
}

/// An answer without its head, `[tool for 'what'] Result:`.
fn without_head(answer: &str) -> &str {
    let answer = answer.trim();
    let head = answered_tool(answer).and_then(|_| answer.split_once("] Result:"));
    head.map_or(answer, |(_, answer)| answer.trim())
}

/// Whether a text is the head of an answer and nothing else.
fn is_head(text: &str) -> bool {
    !text.trim().is_empty() && without_head(text).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let found = words(&format!("{before}\n{tagged}"));
            assert_eq!(found, Some((before.to_owned(), "not so".to_owned())), "{before}");
        }
        for text in ["a file\n<feedback>x</feedback>", "The user said\n<feedback>", "The user said: no"] {
            assert_eq!(words(text), None, "{text}");
        }
    }

    #[test]
    fn an_object_may_hold_them_too() {
        let denied = r#"{"status":"denied","message":"The user denied it.","feedback":"never"}"#;
        assert_eq!(words(denied), Some(("The user denied it.".to_owned(), "never".to_owned())));
        assert!(failed(denied) && !failed(&denied.replace("denied\"", "approved\"")));
        assert_eq!(words(r#"{"status":"open","feedback":"a field of a file"}"#), None);
        assert!(!failed(r#"{"status":"error"}"#), "an answer of a program");
    }
}
