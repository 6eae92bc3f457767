//! The head without credentials (SPEC ruling 14): they go before anything is cut, counted or taken apart, since half of one,
//! or one without the name before it, is found no more.

use super::Request;
use crate::secrets::redact;
use crate::transcript::{Message, pieces, spread};
use std::borrow::Cow;

/// Messages that had credentials, without them; none where there were none.
pub(super) struct Bare<'a> {
    head: Vec<Option<Message<'a>>>,
    asked: Vec<Option<Message<'a>>>,
}

impl<'a> Bare<'a> {
    /// Looks through the messages of a request.
    pub(super) fn of(request: &Request<'_, 'a>) -> Self {
        let asked = request.asked.iter().map(|(_, message)| without_secrets(message));
        let head = &request.head;
        let pieces = pieces(head.iter().map(|message| message.bytes()));
        let head = spread(request.spread, &pieces, |piece| {
            head[piece].iter().map(|message| without_secrets(message)).collect::<Vec<_>>()
        });
        Self { head: head.into_iter().flatten().collect(), asked: asked.collect() }
    }

    /// The request with these messages, and without credentials in its texts.
    pub(super) fn request<'s>(&'s self, request: &Request<'s, 'a>) -> Request<'s, 'a> {
        let head = request.head.iter().zip(&self.head);
        let asked = request.asked.iter().zip(&self.asked);
        let text = |text: &String| redact(text).0.into_owned();
        Request {
            head: head.map(|(own, bare)| bare.as_ref().unwrap_or(*own)).collect(),
            kept: request.kept.clone(),
            asked: asked.map(|((place, own), bare)| (*place, bare.as_ref().unwrap_or(*own))).collect(),
            prior: request.prior.iter().map(text).collect(),
            notes: request.notes.iter().map(text).collect(),
            lines: request.lines.clone(),
            budget: request.budget,
            count: request.count,
            spread: request.spread,
        }
    }
}

/// A message that has credentials, without them.
pub fn without_secrets<'a>(message: &Message<'a>) -> Option<Message<'a>> {
    let mut bare: Option<Message<'a>> = None;
    for (at, part) in message.parts.iter().enumerate() {
        if let Cow::Owned(text) = redact(&part.text).0 {
            bare.get_or_insert_with(|| message.clone()).parts[at].text = text.into();
        }
    }
    bare
}
