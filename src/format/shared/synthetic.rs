//! Synthetic messages: earlier summaries and texts that set an agent going again, recognized by their wording.
//!
//! In formats without room for marks the wording is all there is, so each text is fixed and must fill its message.

use super::harness_texts::is_closed_hermes_summary;
use super::{harness_texts, reports};
use crate::transcript::fixed_texts::{CONTEXT_TAGS, CONTINUATIONS, MEDIA_DESCRIBED, ONLY_MEDIA, typed_behind_skill};
use crate::transcript::{Author, InsertKind, Message, Part, PartKind, Role, SummaryRole};
use std::ops::Range;

pub(in crate::format) use crate::transcript::fixed_texts::{
    SUMMARY_CLOSE as CLOSE, SUMMARY_OPEN as OPEN, SUMMARY_QUESTION as QUESTION, is_stub,
};

/// tau-bench: beginning of the answer to an action that the model wrote as text, and the text before that action.
const ANSWERED: (&str, &str) = ("API output: ", "Action:");

/// What epitome's own metadata keys say about a message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::format) enum Mark {
    /// No mark.
    #[default]
    None,
    /// Added to set the agent going again.
    Continuation,
    /// Repeats a real message word for word.
    Replayed,
}

/// Whether a text is one summary from its opening to its closing tag.
pub(in crate::format) fn is_summary(text: &str) -> bool {
    let text = text.trim();
    let inner = text.strip_prefix(OPEN).and_then(|rest| rest.strip_suffix(CLOSE));
    inner.is_some_and(|inner| !inner.contains(OPEN) && !inner.contains(CLOSE))
}

/// The range of the summary that ends a text.
pub(in crate::format) fn closing_summary(text: &str) -> Option<Range<usize>> {
    let end = text.trim_end().len();
    let start = text.get(..end)?.rfind(OPEN)?;
    is_summary(text.get(start..end)?).then_some(start..end)
}

/// Sets the authors that depend on the whole transcript, and `live`. A message already known as a summary (by a mark
/// of its format) stays one.
pub(in crate::format) fn classify(messages: &mut [Message<'_>], marks: &[Mark]) {
    let mut summarized = None;
    let last_user = messages.iter().rposition(|message| message.role == Role::User && message.author != Author::Tool);
    for index in 0..messages.len() {
        let mark = marks.get(index).copied().unwrap_or_default();
        let is_summary = holds_summary(&messages[index]) || stands_for_all_before(messages, index);
        if messages[index].author == Author::Summary || is_summary {
            messages[index].author = Author::Summary;
            mark_question(messages, index);
            summarized = Some(index);
        } else if is_summary_of_hermes(messages, index) {
            messages[index].author = Author::Summary;
        } else if is_continuation(&messages[index], mark) {
            let after_summary = summarized.is_some_and(|at| at + 1 == index || last_user == Some(index));
            if after_summary || mark == Mark::Continuation {
                messages[index].author = Author::Continuation;
            }
        } else if is_prompt(messages, index) {
            messages[index].author = Author::Harness;
        }
    }
    harness_texts::name_local_commands(messages);
    reports::name(messages);
    retire(messages, summarized.unwrap_or_default());
}

/// Marks the messages before the newest summary as no longer live, except the preamble, which is loaded with it.
fn retire(messages: &mut [Message<'_>], summary: usize) {
    let preamble = messages.iter().take_while(|message| message.author == Author::System).count();
    messages.iter_mut().take(summary).skip(preamble).for_each(|message| message.live = false);
}

/// Marks the summaries that a harness stores as user or assistant messages (`is_own` recognizes them); before the
/// newest one only the preamble is live.
pub(in crate::format) fn name_summary(messages: &mut [Message<'_>], is_own: &dyn Fn(&Message<'_>) -> bool) {
    let mut newest = None;
    for (index, message) in messages.iter_mut().enumerate() {
        let speaks = matches!(message.role, Role::User | Role::Assistant) && message.calls().next().is_none();
        if speaks && !message.abandoned && is_own(message) {
            message.author = Author::Summary;
            newest = Some(index);
        }
    }
    retire(messages, newest.unwrap_or_default());
    name_continuations(messages, newest);
}

fn holds_summary(message: &Message<'_>) -> bool {
    let only_text = message.parts.iter().all(|part| part.kind == PartKind::Text);
    let opens = message.parts.first().is_some_and(|part| part.text.trim_start().starts_with(OPEN));
    message.role != Role::Tool && opens && only_text && is_summary(&message.text())
}

/// Whether a message is Claude Code's summary stored as a user message, with only system messages before it. If the
/// summarized history is stored before it, it is treated as a harness message instead.
fn stands_for_all_before(messages: &[Message<'_>], index: usize) -> bool {
    let is_summary = |message: &Message<'_>| {
        message.author == Author::Person && first_text(message).is_some_and(harness_texts::is_continued)
    };
    is_summary(&messages[index]) && messages[..index].iter().all(|message| message.author == Author::System)
}

/// Whether a message is a summary of Hermes in a plain chat. It is sent with the first messages, which stand before it.
/// What the assistant says last is what a model is to learn, whatever it looks like.
fn is_summary_of_hermes(messages: &[Message<'_>], index: usize) -> bool {
    let message = &messages[index];
    let speaks = match message.role {
        Role::User => true,
        Role::Assistant => index + 1 < messages.len(),
        _ => false,
    };
    let only_text = || message.parts.iter().all(|part| part.kind == PartKind::Text);
    speaks
        && first_text(message).is_some_and(|text| text.starts_with('['))
        && only_text()
        && is_closed_hermes_summary(&message.text())
}

/// Marks the user question before a summary with role assistant as synthetic.
fn mark_question(messages: &mut [Message<'_>], summary: usize) {
    let answers = messages[summary].role == Role::Assistant;
    if let Some(question) = summary.checked_sub(1).and_then(|index| messages.get_mut(index))
        && answers
        && matches!(question.author, Author::Person | Author::Harness)
        && question.text() == QUESTION
    {
        question.author = Author::Continuation;
    }
}

/// Whether a user message was written by a harness, judged by its beginning.
fn is_prompt(messages: &[Message<'_>], index: usize) -> bool {
    let Some(text) = first_text(&messages[index]).filter(|_| messages[index].author == Author::Person) else {
        return false;
    };
    let acts = |before: &Message<'_>| {
        before.author == Author::Model && first_text(before).is_some_and(|it| it.contains(ANSWERED.1))
    };
    let before = index.checked_sub(1).and_then(|before| messages.get(before));
    harness_texts::fill(&messages[index])
        || harness_texts::is_continued(text)
        || is_skill(&messages[index])
        || is_called(messages, index)
        || is_called(messages, index + 1) && !harness_texts::has_arguments(&messages[index].text())
        || text.starts_with(ANSWERED.0) && before.is_some_and(acts)
}

/// Whether a message is the prompt for which the slash command in the user message before it stands.
fn is_called(messages: &[Message<'_>], index: usize) -> bool {
    let before = index.checked_sub(1).and_then(|before| messages.get(before));
    let calls = |before: &Message<'_>| {
        before.role == Role::User && !before.has_media() && harness_texts::stands_for_prompt(before.text().trim())
    };
    let is_prompt = |message: &Message<'_>| {
        message.role == Role::User
            && message.author == Author::Person
            && harness_texts::may_be_called(message.text().trim())
    };
    before.is_some_and(calls) && messages.get(index).is_some_and(is_prompt)
}

/// Whether a message has skill texts, without typed words after them, and otherwise only reminders.
fn is_skill(message: &Message<'_>) -> bool {
    let mut texts = message.parts.iter().filter(|part| part.kind == PartKind::Text).map(|part| &*part.text);
    let loads = |text: &str| typed_behind_skill(without_reminders(text)) == Some("");
    texts.clone().any(loads) && texts.all(|text| loads(text) || is_reminder(text)) && !message.has_media()
}

fn first_text<'m>(message: &'m Message<'_>) -> Option<&'m str> {
    message.parts.iter().find(|part| part.kind == PartKind::Text).map(|part| part.text.trim_start())
}

fn is_continuation(message: &Message<'_>, mark: Mark) -> bool {
    if message.author != Author::Person || mark != Mark::None {
        return message.author == Author::Person && mark == Mark::Continuation;
    }
    !message.has_media() && says_continue(&message.text())
}

/// Whether a text is one that sets an agent going again.
pub(in crate::format) fn says_continue(text: &str) -> bool {
    let described = text.strip_prefix(MEDIA_DESCRIBED).is_some_and(|rest| rest.starts_with(' '));
    [CONTINUATIONS[0], ONLY_MEDIA].contains(&text.trim()) || text.starts_with(CONTINUATIONS[1]) || described
}

/// After a summary with a record of its own, marks the texts that set an agent going again as synthetic.
pub(in crate::format) fn name_continuations(messages: &mut [Message<'_>], summary: Option<usize>) {
    let Some(summary) = summary else { return };
    let last = messages.iter().rposition(|message| message.author == Author::Person && !message.abandoned);
    for at in [Some(summary + 1), last].into_iter().flatten() {
        if let Some(message) = messages.get_mut(at)
            && message.author == Author::Person
            && !message.has_media()
            && says_continue(&message.text())
        {
            message.author = Author::Continuation;
        }
    }
}

/// Whether a text is nothing but reminders that a harness adds to user messages.
pub(in crate::format) fn is_reminder(text: &str) -> bool {
    without_reminders(text).is_empty() && !text.trim().is_empty()
}

/// Returns the text after the reminders that it begins with.
pub(in crate::format) fn without_reminders(text: &str) -> &str {
    let mut rest = text.trim();
    while let Some(behind) = CONTEXT_TAGS.iter().find_map(|tag| behind(rest, tag)) {
        rest = behind.trim_start();
    }
    rest
}

/// Returns the text after the element with this tag that it begins with.
fn behind<'t>(text: &'t str, tag: &str) -> Option<&'t str> {
    let inside = text.strip_prefix('<')?.strip_prefix(tag).filter(|rest| rest.starts_with(['>', ' ']))?;
    inside.split_once(&format!("</{tag}>")).map(|(_, behind)| behind)
}

/// The texts of new messages, each with its role, in formats where a summary is the user's unless another role is asked
/// for.
pub(in crate::format) fn turns(kind: &InsertKind) -> Vec<(Role, &str)> {
    match kind {
        InsertKind::Summary { text, role: SummaryRole::System, .. } => vec![(Role::System, text)],
        InsertKind::Summary { text, role: SummaryRole::Assistant, .. } => {
            vec![(Role::User, QUESTION), (Role::Assistant, text)]
        }
        InsertKind::Summary { text, .. } | InsertKind::Continuation { text, .. } => vec![(Role::User, text)],
    }
}

/// The author of a user message: a person, if it has media or text other than reminders; a tool, if it has only
/// results; else the harness.
pub(in crate::format) fn user_author(parts: &[Part<'_>]) -> Author {
    let says = |part: &Part<'_>| match part.kind {
        PartKind::Text => !part.text.trim().is_empty() && !is_reminder(&part.text),
        PartKind::Media(_) => true,
        _ => false,
    };
    match () {
        () if parts.iter().any(says) => Author::Person,
        () if !parts.is_empty() && parts.iter().all(Part::is_result) => Author::Tool,
        () => Author::Harness,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_fills_its_message() {
        let summary = format!("{OPEN}\nx\n{CLOSE}");
        assert!(is_summary(&summary) && is_summary(&format!("{summary}\n")));
        assert!(!is_summary(&format!("see {summary}")) && !is_summary(&format!("{summary} and {summary}")));
    }

    #[test]
    fn a_reminder_is_no_persons_word_unless_words_follow_it() {
        let reminder = "<system-reminder>\nBe brief.\n</system-reminder>";
        assert!(is_reminder("<agent_skills>\n<available_skills x=\"y\">z</available_skills>\n</agent_skills>"));
        assert!(is_reminder(reminder) && is_reminder(&format!(" {reminder}\n{reminder}")));
        assert!(
            !is_reminder(&format!("{reminder}\nDo it.")) && !is_reminder("<system-reminder>open") && !is_reminder("")
        );
    }

    #[test]
    fn what_a_harness_says_in_a_persons_name_is_known_by_its_beginning() {
        let said = |author, text: &'static str| Message {
            author,
            parts: vec![crate::format::shared::slot::part(
                PartKind::Text,
                text.into(),
                crate::format::shared::slot::fixed_at(0..0),
            )],
            ..Message::default()
        };
        let last = |before: &'static str, text: &'static str| {
            let mut messages = vec![said(Author::Model, before), said(Author::Person, text)];
            classify(&mut messages, &[]);
            messages[1].author
        };
        let prompt = "Please proceed to the next step using your best judgement.";
        assert_eq!(last("done", prompt), Author::Harness);
        assert_eq!(last("Thought:\nlook\nAction:\n{}", "API output: 3 rows"), Author::Harness);
        assert_eq!(last("done", "Base directory for this skill: /s/tide\n\n# Tide"), Author::Harness);
        let typed = "Base directory for this skill: /s/tide\n\n# Tide\n\nARGUMENTS: mend the gauge";
        assert_eq!(last("done", typed), Author::Person);
        assert_eq!(last("done", "What is the base directory for this skill: /s/tide?"), Author::Person);
        assert_eq!(last("What did it say?", "API output: 3 rows"), Author::Person);
        assert_eq!(last("done", "Please continue"), Author::Person);
    }

    #[test]
    fn the_prompt_behind_a_slash_command_is_no_persons_words() {
        let said = |text: &str| {
            let slot = crate::format::shared::slot::fixed_at(0..0);
            let parts = vec![crate::format::shared::slot::part(PartKind::Text, text.to_owned().into(), slot)];
            Message { author: Author::Person, role: Role::User, parts, ..Message::default() }
        };
        let authors = |command: &str, prompt: &str| {
            let mut messages = vec![said(command), said(prompt)];
            classify(&mut messages, &[]);
            [messages[0].author, messages[1].author]
        };
        use Author::{Harness, Person};
        let behind = |command: &str| authors(command, "# Lamps\nNever light two lamps.");
        let (message, name) = ("<command-message>lamps</command-message>", "<command-name>/lamps</command-name>");
        assert_eq!(behind(&format!("{message}\n{name}")), [Harness, Harness]);
        assert_eq!(behind(&format!("{message}\n{name}\n<command-args></command-args>")), [Harness, Harness]);
        assert_eq!(behind(&format!("{message}\n{name}\n<command-args>red</command-args>")), [Person, Harness]);
        assert_eq!(behind(&format!("{name}\n{message}")), [Person, Person], "the harness did it itself");
        assert_eq!(behind(&format!("{message}\n{name}\nMend it.")), [Person, Person], "more was typed");
        assert_eq!(behind(message), [Person, Person], "no command");
        let command = format!("{message}\n{name}");
        assert_eq!(authors(&command, &"Never light two lamps. ".repeat(50)), [Harness, Harness]);
        assert_eq!(authors(&command, "Mend it. Never light two lamps."), [Person, Person], "it may be typed");
        let next = format!("{command}\n<command-args>red\n# Never two</command-args>");
        assert_eq!(authors(&command, &next), [Person, Person], "the next command");
    }

    #[test]
    fn a_summary_of_hermes_is_none_of_a_persons_words_and_what_stands_before_it_is_live() {
        let said = |author, role, text: &'static str| {
            let slot = crate::format::shared::slot::fixed_at(0..0);
            let parts = vec![crate::format::shared::slot::part(PartKind::Text, text.into(), slot)];
            Message { author, role, parts, live: true, ..Message::default() }
        };
        const SUMMARY: &str = "[CONTEXT COMPACTION — REFERENCE ONLY] Never light it.\n## Goal\nThe lamp burns.\n\n--- END OF CONTEXT SUMMARY — respond to the message below ---";
        let authors = |role, author| {
            let (asked, summary) = (said(Author::Person, Role::User, "Light the lamp."), said(author, role, SUMMARY));
            let mut messages = vec![asked, summary, said(Author::Person, Role::User, "Now the buoy.")];
            classify(&mut messages, &[]);
            messages.iter().map(|message| (message.author, message.live)).collect::<Vec<_>>()
        };
        let expected = [Author::Person, Author::Summary, Author::Person].map(|author| (author, true));
        assert_eq!(authors(Role::User, Author::Person), expected);
        assert_eq!(authors(Role::Assistant, Author::Model), expected);
        let last = |author, role, text| {
            let mut messages = vec![said(Author::Person, Role::User, "Light the lamp."), said(author, role, text)];
            classify(&mut messages, &[]);
            messages[1].author
        };
        assert_eq!(last(Author::Model, Role::Assistant, SUMMARY), Author::Model, "a model is to learn it");
        assert_eq!(last(Author::Person, Role::User, SUMMARY), Author::Summary);
        for text in [
            "[CONTEXT SUMMARY]: the lamp burns. Now mend the buoy.",
            "[CONTEXT COMPACTION] is shown to me twice: why?",
            "[CONTEXT COMPACTION — REFERENCE ONLY] Lit.\n--- END OF CONTEXT SUMMARY ---\n\nNow mend the buoy.",
            "[CONTEXT COMPACTION — REFERENCE ONLY] Lit.\n--- END OF CONTEXT SUMMARY --- Now mend the buoy.",
        ] {
            assert_eq!(last(Author::Person, Role::User, text), Author::Person, "{text}");
        }
    }

    #[test]
    fn a_summary_that_ends_a_text_is_found() {
        let text = format!("Be brief.\n\n{OPEN}\nx\n{CLOSE}\n");
        assert_eq!(closing_summary(&text), Some(11..text.len() - 1));
        assert_eq!(closing_summary(&text[11..]), Some(0..text.len() - 12));
        assert_eq!(closing_summary("Be brief."), None);
    }
}
