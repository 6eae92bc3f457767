//! The place of a summary of ours: before the messages that came after what it stands for, and in an answer only behind
//! the question for it.

use super::there;
use crate::gates::view::matching::{is_loaded, says_anything};
use crate::gates::{Finding, View};
use crate::transcript::fixed_texts::SUMMARY_QUESTION;
use crate::transcript::{Message, Role};

/// Returns a finding for each summary of ours behind a kept message of the tail. Harnesses that store summaries find
/// the tail by what is stored with the summary, wherever it stands.
pub(super) fn misplaced(view: &View<'_>) -> Vec<Finding> {
    let transcript = view.compacted.transcript;
    let Some(original) = view.original.as_ref().filter(|_| !transcript.traits.native_summary) else {
        return Vec::new();
    };
    let messages = &original.transcript.messages;
    let there = there(view);
    let gone = |at: usize, message: &Message<'_>| {
        !there(at) && is_loaded(original.transcript, message) && message.is_content() && says_anything(message)
    };
    let Some(head) = messages.iter().enumerate().rposition(|(at, message)| gone(at, message)) else {
        return Vec::new();
    };
    let tail = || view.kept.pairs.iter().filter(|(_, original)| *original > head);
    let Some(last) = tail().map(|(at, _)| *at).max() else { return Vec::new() };
    let places = view.kept.summaries.iter().zip(&view.summary).filter(|(_, text)| text.ours).map(|(at, _)| *at);
    // Some keep what the user said, and then the summary.
    let of_agent = |message: &Message<'_>| !matches!(message.role, Role::User | Role::System);
    let follows = |message: &Message<'_>, at: usize| of_agent(message) || last > at && message.is_real_user();
    let is_before = |at: usize| tail().any(|&(own, original)| own < at && follows(&messages[original], at));
    let what = "the summary stands behind messages that came after what it is about";
    places.filter(|at| is_before(*at)).map(|at| Finding::new(view.spot_of(at), what)).collect()
}

/// Returns a finding for each summary of ours in a training row that is an answer of the assistant and answers nothing:
/// a trainer learns it, and two answers may stand in a row. Some sessions hold no messages but answers.
pub(super) fn unasked(view: &View<'_>) -> Vec<Finding> {
    let transcript = view.compacted.transcript;
    if !transcript.traits.training_row {
        return Vec::new();
    }
    let message = |at: usize| transcript.messages.get(at);
    let places = view.kept.summaries.iter().zip(&view.summary).filter(|(_, text)| text.ours).map(|(at, _)| *at);
    let answers = places.filter(|at| message(*at).is_some_and(|message| message.role == Role::Assistant));
    let asked = |at: usize| at.checked_sub(1).and_then(message).is_some_and(|it| it.text().trim() == SUMMARY_QUESTION);
    let what = "the summary is an answer of the assistant, and the question for it does not stand before it";
    answers.filter(|at| !asked(*at)).map(|at| Finding::new(view.spot_of(at), what)).collect()
}
