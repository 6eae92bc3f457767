//! Calls whose results are texts in the next user message, `[read_file for 'a'] Result:` and the result: calls written as
//! XML in the text of an answer, `<read_file><path>a</path></read_file>`, as older versions store them, and blocks
//! `tool_use`, to which some providers take no `tool_result`.
//!
//! Recognized only if both are there and name the same tool; otherwise text that looks like a call stays text.

use super::author::{answered_tool, is_harness, is_tagged};
use super::said;
use crate::format::shared::json::quoted;
use crate::format::shared::slot;
use crate::format::shared::synthetic::is_stub;
use crate::transcript::{Author, Message, Part, PartKind, Role, Shape, Slot};
use std::borrow::Cow;

/// Tools with which the model talks to the person: their argument is a text, and so is the answer.
pub(super) const SPEAKING: [&str; 3] = ["ask_followup_question", "attempt_completion", "plan_mode_respond"];
/// Parameters that hold whole files, which may contain tags.
const LONG: [&str; 2] = ["content", "diff"];

/// What ends the header of a result.
const HEAD: &str = "] Result:";
/// The tool as which a server's tools answer, and a piece of their names.
const OF_SERVERS: &str = "use_mcp_tool";
const SERVER: &str = "mcp";

/// Separates the calls and results from the texts that hold them.
pub(super) fn find(messages: &mut [Message<'_>], source: &[u8]) {
    let mut in_texts = false;
    for at in 1..messages.len() {
        if let Some((answer, user)) = exchange(messages, at).filter(|(_, user)| user.results().next().is_none()) {
            if answer.calls().next().is_some() {
                in_texts |= pair_blocks(answer, user, source);
            } else {
                pair_written(answer, user, (at, source));
            }
        }
    }
    // What else follows a call is then its answer, such as the words with which a person resumes the task.
    for at in 1..messages.len() {
        if let Some((answer, user)) = exchange(messages, at).filter(|_| in_texts) {
            answer_rest(answer, user);
        }
    }
}

/// An answer, and the user message at this place behind it.
fn exchange<'m, 'a>(messages: &'m mut [Message<'a>], at: usize) -> Option<(&'m mut Message<'a>, &'m mut Message<'a>)> {
    let (before, after) = messages.split_at_mut(at);
    let (answer, user) = (before.last_mut()?, after.first_mut()?);
    let roles = answer.role == Role::Assistant && user.role == Role::User;
    roles.then_some((answer, user))
}

/// Makes results of the texts that answer the blocks of an answer, in their order; returns whether there are any.
fn pair_blocks<'a>(answer: &Message<'a>, user: &mut Message<'a>, source: &[u8]) -> bool {
    let mut place = 0;
    for part in &answer.parts {
        let PartKind::Call { id, name } = &part.kind else { continue };
        // The tool `use_subagents` answers as `subagents`.
        let is_its = |tool: &str| name.ends_with(tool) || tool == OF_SERVERS && name.contains(SERVER);
        let heads = |part: &Part<'_>| part.kind == PartKind::Text && answered_tool(&part.text).is_some_and(is_its);
        if let Some(head) = user.parts.iter().position(heads) {
            answered(user, (head, place), (id.clone(), name.clone()), source);
            place += 1;
        }
    }
    place > 0
}

/// Answers the calls that nothing answers with an empty text at the start of the next message.
fn answer_rest<'a>(answer: &Message<'a>, user: &mut Message<'a>) {
    let Some(start) = user.parts.first().map(|part| part.slot.part.start) else { return };
    for part in answer.parts.iter().rev() {
        if let PartKind::Call { id, name } = &part.kind
            && !user.results().any(|own| own == id)
        {
            let (id, tool) = (id.clone(), Some(name.clone()));
            let kind = PartKind::Result { id, tool, error: false, pruned: false, media: Vec::new() };
            user.parts.insert(0, slot::part(kind, Cow::Borrowed(""), slot::fixed_at(start..start)));
        }
    }
}

fn pair_written<'a>(answer: &mut Message<'a>, user: &mut Message<'a>, (at, source): (usize, &[u8])) -> Option<()> {
    let head = user.parts.iter().position(|part| part.kind == PartKind::Text)?;
    let tool = answered_tool(&user.parts[head].text).filter(|tool| !SPEAKING.contains(tool))?.to_owned();
    let said =
        answer.parts.iter().rposition(|part| part.kind == PartKind::Text && call(&part.text, &tool).is_some())?;
    let (words, arguments) = call(&answer.parts[said].text, &tool)?;
    let id: Cow<'a, str> = Cow::Owned(format!("#{at}"));
    let kind = PartKind::Call { id: id.clone(), name: Cow::Owned(tool.clone()) };
    let call = slot::part(kind, Cow::Owned(arguments), slot::fixed_at(answer.parts[said].slot.part.clone()));
    match words.is_empty() {
        true => answer.parts[said] = call,
        false => {
            answer.parts[said].text = Cow::Owned(words);
            answer.parts.insert(said + 1, call);
        }
    }
    answered(user, (head, 0), (id, Cow::Owned(tool)), source);
    Some(())
}

/// Makes a result of what follows the header `[tool …] Result:`: of the rest of its text, of the next one, or of the
/// header itself if a person answered or nothing follows. It becomes the part at `place`.
fn answered<'a>(
    user: &mut Message<'a>,
    (head, place): (usize, usize),
    (id, tool): (Cow<'a, str>, Cow<'a, str>),
    source: &[u8],
) {
    let answers =
        |text: &str| !is_harness(text) && answered_tool(text).is_none() && (!is_tagged(text) || said::is_answer(text));
    let is_result = |part: &Part<'_>| part.kind == PartKind::Text && answers(&part.text);
    let inside = behind_head(&user.parts[head], source).filter(is_result);
    let mut part = if let Some(inside) = inside {
        user.parts[head].kind = PartKind::Opaque;
        let end = head_end(&user.parts[head].text);
        user.parts[head].text = Cow::Owned(user.parts[head].text[..end.unwrap_or_default()].to_owned());
        user.parts[head].slot = slot::fixed_at(user.parts[head].slot.part.clone());
        inside
    } else {
        let body = user.parts.get(head + 1).is_some_and(is_result);
        user.parts[head].kind = PartKind::Opaque;
        let mut part = user.parts.remove(head + usize::from(body));
        if !body {
            part.slot.content = part.slot.part.start..part.slot.part.start;
            part.slot.shape = Shape::Fixed;
        }
        part
    };
    let error = said::failed(&part.text);
    let pruned = is_stub(&part.text);
    part.kind = PartKind::Result { id, tool: Some(tool), error, pruned, media: Vec::new() };
    // Results come first in a message.
    user.parts.insert(place, part);
    if user.author == Author::Harness {
        user.author = Author::Tool;
    }
}

/// The length of the header of a result. An argument in quotes may itself have such a bracket, and a quote.
fn head_end(text: &str) -> Option<usize> {
    let (mut quotes, mut read) = (0, 0);
    let mut is_outside = |at: &usize| {
        quotes += text[read..*at].matches('\'').count();
        read = *at;
        text[..*at].ends_with('\'') || quotes % 2 == 0
    };
    text.match_indices(HEAD)
        .map(|(at, _)| at)
        .find(|at| is_outside(at))
        .or_else(|| text.find(HEAD))
        .map(|at| at + HEAD.len())
}

/// The text behind a header in the same string, as a part that can be replaced alone.
fn behind_head<'a>(head: &Part<'a>, source: &[u8]) -> Option<Part<'a>> {
    let raw = source.get(head.slot.content.clone()).filter(|_| head.slot.shape == Shape::Text)?;
    let raw = std::str::from_utf8(raw).ok()?;
    let (at, end) = (head_end(raw)?, head_end(&head.text)?);
    let breaks = raw.as_bytes()[at..].chunks_exact(2).take_while(|pair| *pair == br"\n").count();
    let text = head.text.get(end + breaks..).filter(|text| !text.trim().is_empty())?;
    let (start, end) = (head.slot.content.start + at + 2 * breaks, head.slot.content.end - 1);
    let slot = Slot { part: head.slot.part.clone(), content: start..end, shape: Shape::InText };
    Some(slot::part(PartKind::Text, Cow::Owned(text.to_owned()), slot))
}

/// Returns the text around the last call of this tool in an answer, and the parameters as JSON.
fn call(text: &str, tool: &str) -> Option<(String, String)> {
    let (open, close) = (format!("<{tool}>"), format!("</{tool}>"));
    let start = text.rfind(&open)?;
    let end = start + text[start..].rfind(&close)?;
    let (before, after) = (text[..start].trim_end(), text[end + close.len()..].trim());
    let words = [before, after].into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join("\n");
    Some((words, arguments(&text[start + open.len()..end])))
}

/// The parameters of a call as a JSON object of strings.
fn arguments(mut inside: &str) -> String {
    let mut fields = Vec::new();
    while let Some((_, rest)) = inside.split_once('<') {
        let Some((name, behind)) = rest.split_once('>') else { break };
        let close = format!("</{name}>");
        let end = if LONG.contains(&name) { behind.rfind(&close) } else { behind.find(&close) };
        inside = behind;
        if let Some(end) = end {
            fields.push(format!("{}:{}", quoted(name), quoted(behind[..end].trim_matches('\n'))));
            inside = &behind[end + close.len()..];
        }
    }
    format!("{{{}}}", fields.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_ends_of_headers_take_linear_time() {
        let open = format!("[read_file for 'a{}", "] Result: b".repeat(60_000));
        assert_eq!(head_end(&open), Some("[read_file for 'a] Result:".len()), "no quote closes: the first counts");
        let inside = "[read_file for 'a] Result: b'] Result: c";
        assert_eq!(head_end(inside), Some(inside.len() - 2));
    }

    #[test]
    fn a_call_is_told_from_the_words_around_it() {
        let text = "I look.\n\n<read_file>\n<path>a.rs</path>\n</read_file>";
        assert_eq!(call(text, "read_file"), Some(("I look.".to_owned(), r#"{"path":"a.rs"}"#.to_owned())));
        assert_eq!(call("<read_file> is a tool", "read_file"), None);
    }

    #[test]
    fn a_file_in_a_call_may_hold_tags() {
        let inside = "\n<path>a.xml</path>\n<content>\n<b>1</b></content>2\n</content>\n";
        assert_eq!(arguments(inside), r#"{"path":"a.xml","content":"<b>1</b></content>2"}"#);
        assert_eq!(arguments("<open>"), "{}");
    }
}
