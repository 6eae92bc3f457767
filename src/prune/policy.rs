//! The pruning policies: which results each one selects.

use super::{Place, View, texts};
use crate::preset::{Estimate, PrunePolicy};
use crate::transcript::{Author, Part, PartKind, Transcript};

/// The results that the policy in force prunes, in any order.
pub(super) fn chosen(view: View<'_, '_>) -> Vec<Place> {
    match view.settings.policy {
        PrunePolicy::Off => Vec::new(),
        PrunePolicy::Turns => by_turns(view),
        PrunePolicy::Recent => by_recent_tokens(view),
        PrunePolicy::Newest => by_newest_results(view),
    }
}

/// The index of the `turns`th real user message from the end; nothing from there on is pruned. `None` if there are
/// fewer: then nothing is old (OPENCODE S1).
pub fn boundary(transcript: &Transcript<'_>, turns: usize) -> Option<usize> {
    let mut users = (0..transcript.messages.len()).rev().filter(|&index| {
        let message = &transcript.messages[index];
        message.begins_turn() && !message.abandoned
    });
    match turns {
        0 => Some(transcript.messages.len()),
        turns => users.nth(turns - 1),
    }
}

/// The boundary by turns, moved back so that the newest `keep_messages` messages are not pruned either.
fn old(view: View<'_, '_>) -> Option<usize> {
    let boundary = boundary(view.transcript, view.settings.protect_turns)?;
    let kept = view.settings.keep_messages;
    if kept == 0 {
        return Some(boundary);
    }
    let told =
        |&index: &usize| !view.transcript.messages[index].abandoned && view.transcript.messages[index].is_content();
    let mut newest = (0..view.transcript.messages.len()).rev().filter(told);
    newest.nth(kept - 1).map(|oldest| oldest.min(boundary))
}

/// Seed T9: every prunable result before the boundary.
fn by_turns(view: View<'_, '_>) -> Vec<Place> {
    old(view).map(|boundary| eligible(view, boundary)).unwrap_or_default()
}

/// The prunable results before a boundary, oldest first.
fn eligible(view: View<'_, '_>, boundary: usize) -> Vec<Place> {
    let mut places = Vec::new();
    for (index, message) in view.transcript.messages[..boundary].iter().enumerate() {
        let old = message.parts.iter().enumerate().filter(|(_, part)| may_go(part, view));
        places.extend(old.map(|(part, _)| (index, part)));
    }
    if view.settings.keep_first_result {
        let first = first_result(view.transcript);
        places.retain(|place| Some(*place) != first);
    }
    places
}

/// The first result of the transcript.
fn first_result(transcript: &Transcript<'_>) -> Option<Place> {
    transcript.messages.iter().enumerate().find_map(|(index, message)| {
        let part = message.parts.iter().position(Part::is_result)?;
        Some((index, part))
    })
}

/// Seed `003…`: walking back from the boundary, the newest `recent_tokens` tokens of results stay; older results are
/// pruned if they have more than `minimum_tokens`. A summary or a pruned result ends the walk.
fn by_recent_tokens(view: View<'_, '_>) -> Vec<Place> {
    let Some(boundary) = old(view) else { return Vec::new() };
    let (mut seen, mut gone, mut chosen) = (0, 0, Vec::new());
    'walk: for (index, message) in view.transcript.messages[..boundary].iter().enumerate().rev() {
        if message.author == Author::Summary {
            break;
        }
        for (at, part) in message.parts.iter().enumerate().rev() {
            if matches!(part.kind, PartKind::Result { pruned: true, .. }) {
                break 'walk;
            }
            if !may_go(part, view) {
                continue;
            }
            let tokens = estimate(part, view.settings.estimate);
            seen += tokens;
            if seen > view.settings.recent_tokens {
                gone += tokens;
                chosen.push((index, at));
            }
        }
    }
    if gone > view.settings.minimum_tokens { chosen } else { Vec::new() }
}

/// Prunes all but the newest `keep_results` results, if that saves at least `minimum_tokens` (Anthropic), or only as
/// many of the oldest as it takes to save them (LangChain).
fn by_newest_results(view: View<'_, '_>) -> Vec<Place> {
    let Some(boundary) = old(view) else { return Vec::new() };
    // Results after the boundary count among the newest.
    let all = eligible(view, view.transcript.messages.len());
    let oldest = &all[..all.len().saturating_sub(view.settings.keep_results)];
    let chosen: Vec<Place> = oldest.iter().copied().filter(|(message, _)| *message < boundary).collect();
    let least = view.settings.minimum_tokens;
    let mut saved = 0;
    let taken = chosen.iter().take_while(|(message, part)| {
        let enough = least > 0 && saved >= least;
        let result = estimate(&view.transcript.messages[*message].parts[*part], view.settings.estimate);
        saved += if view.settings.minimum_stops {
            // LangChain counts what is left after pruning, stubs included; a result shorter than its stub saves
            // nothing.
            texts::stub(view, (*message, *part)).map_or(0, |stub| result.saturating_sub(stub.tokens.0))
        } else {
            result
        };
        !(enough && view.settings.minimum_stops)
    });
    let taken: Vec<Place> = taken.copied().collect();
    if view.settings.minimum_stops || saved >= least { taken } else { Vec::new() }
}

/// Whether a result may be pruned: its tool is not protected and is known, it is not an error that is kept, and it was
/// not pruned before.
pub(super) fn may_go(part: &Part<'_>, view: View<'_, '_>) -> bool {
    match &part.kind {
        PartKind::Result { tool, error, pruned: false, .. } => {
            let named = tool.as_ref().map_or(view.settings.unnamed, |tool| view.rules.may_go(tool));
            named && (view.settings.errors || !error)
        }
        _ => false,
    }
}

fn estimate(part: &Part<'_>, estimate: Estimate) -> u64 {
    match estimate {
        Estimate::Exact => part.tokens.0,
        Estimate::Chars4 => (part.text.encode_utf16().count() as u64 + 2) / 4,
    }
}
