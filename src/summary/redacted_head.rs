//! Removes credentials from the head (SPEC ruling 14) before anything is cut, counted or parsed: half a credential,
//! or one without the name before it, is no longer recognized.

use super::Request;
use crate::secrets::{Known, redact};
use crate::transcript::{Message, Part, PartKind, pieces, spread};
use std::borrow::Cow;

/// Redacted copies of the messages that had credentials (most have none), each with its index in its list.
pub(super) struct RedactedHead<'a> {
    head: Vec<(usize, Message<'a>)>,
    asked: Vec<(usize, Message<'a>)>,
    /// Redacted kept messages; filled only if the request has lost results.
    kept: Vec<(usize, Message<'a>)>,
    /// The passwords that they state, which also go where nothing says that they are some.
    known: Known,
}

impl<'a> RedactedHead<'a> {
    /// Redacts the messages of a request.
    pub(super) fn of(request: &Request<'_, 'a>) -> Self {
        let found = Self::without(request, Known::default());
        // A kept message stands before the one of the head with its place.
        let of_head = |at: usize| (2 * at + 1, request.head[at]);
        let of_asked = |at: usize| (2 * request.asked[at].0, request.asked[at].1);
        let stated = found.head.iter().map(|(at, _)| of_head(*at));
        let stated = stated.chain(found.asked.iter().map(|(at, _)| of_asked(*at)));
        let all = (0..request.head.len()).map(of_head).chain((0..request.asked.len()).map(of_asked));
        let is_call = |part: &Part<'_>| matches!(part.kind, PartKind::Call { .. });
        let known = Known::of(
            stated.flat_map(parts).map(|(at, part)| (at, &*part.text)),
            all.flat_map(parts).map(|(at, part)| (at, &*part.text, is_call(part))),
        );
        if known.is_empty() { found } else { Self::without(request, known) }
    }

    /// Redacts what is known as a secret by itself, and known passwords.
    fn without(request: &Request<'_, 'a>, known: Known) -> Self {
        let bare = |(at, message): (usize, &Message<'a>)| Some((at, masked(message, &known)?));
        let kept = request.kept.iter().enumerate().filter(|_| !request.lost.is_empty());
        let kept = kept.filter_map(|(at, message)| bare((at, *message))).collect();
        let asked = request.asked.iter().map(|(_, message)| *message).enumerate().filter_map(bare).collect();
        let head = &request.head;
        let pieces = pieces(head.iter().map(|message| message.bytes()));
        let found =
            spread(request.spread, &pieces, |piece| piece.filter_map(|at| bare((at, head[at]))).collect::<Vec<_>>());
        Self { head: found.into_iter().flatten().collect(), asked, kept, known }
    }

    /// The request with the redacted messages in place of the originals, and with its prior texts and notes redacted.
    pub(super) fn request<'s>(&'s self, request: &Request<'s, 'a>) -> Request<'s, 'a> {
        let (mut head, mut asked, mut kept) = (request.head.clone(), request.asked.clone(), request.kept.clone());
        self.head.iter().for_each(|(at, bare)| head[*at] = bare);
        self.asked.iter().for_each(|(at, bare)| asked[*at].1 = bare);
        self.kept.iter().for_each(|(at, bare)| kept[*at] = bare);
        let text = |text: &String| {
            let bare = redact(text).0;
            self.known.masked(&bare).unwrap_or_else(|| bare.into_owned())
        };
        Request {
            head,
            kept,
            behind: request.behind,
            lost: request.lost.clone(),
            asked,
            prior: request.prior.iter().map(text).collect(),
            prior_positions: request.prior_positions.clone(),
            notes: request.notes.iter().map(text).collect(),
            lines: request.lines.clone(),
            budget: request.budget,
            count: request.count,
            spread: request.spread,
        }
    }
}

/// The parts of a message, each with its place.
fn parts<'m, 'a>((at, message): (usize, &'m Message<'a>)) -> impl Iterator<Item = (usize, &'m Part<'a>)> {
    message.parts.iter().map(move |part| (at, part))
}

/// The same with known passwords masked too.
fn masked<'a>(message: &Message<'a>, known: &Known) -> Option<Message<'a>> {
    let mut bare = without_secrets(message);
    for (at, part) in message.parts.iter().enumerate().filter(|_| !known.is_empty()) {
        if let Some(text) = known.masked(bare.as_ref().map_or(&part.text, |bare| &bare.parts[at].text)) {
            bare.get_or_insert_with(|| message.clone()).parts[at].text = text.into();
        }
    }
    bare
}

/// Returns a copy of the message with its credentials masked; `None` if it has none.
pub fn without_secrets<'a>(message: &Message<'a>) -> Option<Message<'a>> {
    let mut bare: Option<Message<'a>> = None;
    for (at, part) in message.parts.iter().enumerate() {
        if let Cow::Owned(text) = redact(&part.text).0 {
            bare.get_or_insert_with(|| message.clone()).parts[at].text = text.into();
        }
    }
    bare
}
