//! Reads parts ahead, in parallel pieces: requests, sentences, calls and outcomes that depend on no other part.

use super::turns::Turn;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::outcome::CallOutcome;
use crate::summary::extractive::calls::reports;
use crate::summary::extractive::sentences::in_json;
use crate::summary::extractive::sentences::said::Said;
use crate::summary::extractive::user::asked::Asked;
use crate::summary::extractive::user::requests::start;
use crate::summary::extractive::user::tags::{ends, own_words};
use crate::transcript::fixed_texts::is_local_command;
use crate::transcript::{Author, Message, PartKind, Spread, pieces, pieces_of, spoken, spread};
use std::borrow::Cow;

/// Maximum number of bytes of a result that are read: its end.
const ENDS: usize = 4 << 10;
/// Bytes of result ends whose outcomes are worth a core of their own.
const OUTCOMES: usize = 128 << 10;

/// A part read ahead.
pub(super) enum Ahead<'t> {
    /// Sentences of the agent.
    Said(Vec<Said>),
    /// The acts of a call, without outcomes, and sentences that its arguments note or say.
    Acts(Vec<Act<'t>>, Vec<Said>),
    /// What all words of a person ask for.
    Asked(Option<Box<Request>>),
}

/// A request, and the own words that it was read from.
pub(super) struct Request {
    pub(super) asked: Asked,
    pub(super) words: String,
}

impl Request {
    /// Reads the words of a message; `None` if they ask for nothing.
    pub(super) fn of(message: Option<usize>, said: &str) -> Option<Self> {
        let words = own_words(said);
        let start = start(&words);
        if start.is_empty() || is_local_command(&start) {
            return None;
        }
        let mut asked = Asked::read(message, &words, start);
        // What is left of a text that had output in its midst is not what the user said.
        asked.whole = asked.whole.filter(|_| said.contains(words.trim()));
        Some(Self { asked, words })
    }
}

/// Whether a person's words are read ahead.
pub(super) fn hears(message: &Message<'_>) -> bool {
    message.author == Author::Person && !message.demonstration
}

/// Whether a part of this message is read ahead.
pub(super) fn reads(message: &Message<'_>, kind: &PartKind<'_>) -> bool {
    let is_told = matches!(kind, PartKind::Call { .. }) || (*kind == PartKind::Text && message.author == Author::Model);
    is_told && !message.demonstration
}

/// Reads the parts of messages ahead, in order: calls, and sentences too if `says`.
pub(super) fn all<'t>(messages: &[&'t Message<'_>], says: bool, over: &dyn Spread) -> Vec<Vec<Ahead<'t>>> {
    let cuts = pieces(messages.iter().map(|message| message.bytes()));
    spread(over, &cuts, |piece| piece.flat_map(|index| of((index, messages[index]), says)).collect())
}

fn of<'t>((index, message): (usize, &'t Message<'_>), says: bool) -> impl Iterator<Item = Ahead<'t>> {
    let asked = hears(message).then(|| Ahead::Asked(Request::of(Some(index), &message.said()).map(Box::new)));
    let parts = message.parts.iter().filter(|part| reads(message, &part.kind));
    let parts = parts.map(move |part| match &part.kind {
        PartKind::Call { name, .. } => {
            let said = || reports::said(name, &part.text).or_else(|| reports::noted(name, &part.text));
            let notes = || in_json::notes(&part.text).or_else(said);
            let notes = says.then(notes).flatten().unwrap_or_default();
            Ahead::Acts(Act::all((index, message), name, part), Said::all(index, &ends(&notes)).collect())
        }
        _ if !says => Ahead::Said(Vec::new()),
        _ => {
            let said = spoken(&part.text);
            let said = in_json::sentences(said).map_or(Cow::Borrowed(said), Cow::Owned);
            Ahead::Said(Said::all(index, &ends(&said)).collect())
        }
    });
    asked.into_iter().chain(parts)
}

/// Sets the outcomes of all calls from their results.
pub(super) fn tell_outcomes(turns: &mut [Turn<'_>], over: &dyn Spread) {
    let acts: Vec<&Act<'_>> = turns.iter().flat_map(|turn| &turn.acts).collect();
    let cuts = pieces_of(OUTCOMES, acts.iter().map(|act| act.result.len().min(ENDS)));
    let told =
        spread(over, &cuts, |piece| acts[piece].iter().map(|act| act.due()).collect::<Vec<Option<CallOutcome>>>());
    let acts = turns.iter_mut().flat_map(|turn| &mut turn.acts);
    for (act, told) in acts.zip(told.into_iter().flatten()) {
        if let Some(told) = told {
            act.settle(told);
        }
    }
}
