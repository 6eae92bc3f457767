//! T9: stub the tool outputs that no later turn needs.

use crate::preset::{Estimate, ProtectedTools, PrunePolicy, PruneSettings};
use crate::transcript::{Author, Part, PartKind, Stub, Tokens, Transcript};
use sha2::{Digest, Sha256};

/// A policy: the results that go, newest first or oldest first as it finds them.
type Policy = fn(&Transcript<'_>, &PruneSettings) -> Vec<(usize, usize)>;

/// The policies by their setting.
const POLICIES: &[(PrunePolicy, Policy)] =
    &[(PrunePolicy::Off, |_, _| Vec::new()), (PrunePolicy::Turns, by_turns), (PrunePolicy::Recent, by_recent_tokens)];

/// The stubs that the policy in force asks for, ordered by message and part.
pub fn prune(transcript: &Transcript<'_>, settings: &PruneSettings, count: &dyn Fn(&str) -> Tokens) -> Vec<Stub> {
    let policy = POLICIES.iter().find(|(policy, _)| *policy == settings.policy).map(|(_, policy)| policy);
    let mut chosen = policy.map(|policy| policy(transcript, settings)).unwrap_or_default();
    chosen.sort_unstable();
    chosen.into_iter().filter_map(|(message, part)| stub(transcript, (message, part), settings, count)).collect()
}

/// The index of the message from which on nothing is pruned: the `turns`th real user message from the end.
/// `None` where there are fewer: nothing is old then (OPENCODE S1).
pub fn boundary(transcript: &Transcript<'_>, turns: usize) -> Option<usize> {
    let mut users = (0..transcript.messages.len()).rev().filter(|&index| {
        let message = &transcript.messages[index];
        message.is_real_user() && !message.abandoned
    });
    match turns {
        0 => Some(transcript.messages.len()),
        turns => users.nth(turns - 1),
    }
}

/// Seed T9: every unprotected result before the boundary.
fn by_turns(transcript: &Transcript<'_>, settings: &PruneSettings) -> Vec<(usize, usize)> {
    let Some(boundary) = boundary(transcript, settings.protect_turns) else { return Vec::new() };
    let protected = ProtectedTools::new(&settings.protect_tools);
    let mut chosen = Vec::new();
    for (index, message) in transcript.messages[..boundary].iter().enumerate() {
        let old = message.parts.iter().enumerate().filter(|(_, part)| may_go(part, settings, &protected));
        chosen.extend(old.map(|(part, _)| (index, part)));
    }
    chosen
}

/// Seed `003…`: from the newest result before the boundary back, the newest `recent_tokens` stay; the rest goes if it is
/// more than `minimum_tokens`. A summary or a result that was pruned before ends the walk.
fn by_recent_tokens(transcript: &Transcript<'_>, settings: &PruneSettings) -> Vec<(usize, usize)> {
    let Some(boundary) = boundary(transcript, settings.protect_turns) else { return Vec::new() };
    let protected = ProtectedTools::new(&settings.protect_tools);
    let (mut seen, mut gone, mut chosen) = (0, 0, Vec::new());
    'walk: for (index, message) in transcript.messages[..boundary].iter().enumerate().rev() {
        if message.author == Author::Summary {
            break;
        }
        for (at, part) in message.parts.iter().enumerate().rev() {
            if matches!(part.kind, PartKind::Result { pruned: true, .. }) {
                break 'walk;
            }
            if !may_go(part, settings, &protected) {
                continue;
            }
            let tokens = estimate(part, settings.estimate);
            seen += tokens;
            if seen > settings.recent_tokens {
                gone += tokens;
                chosen.push((index, at));
            }
        }
    }
    if gone > settings.minimum_tokens { chosen } else { Vec::new() }
}

/// A result that is neither protected, nor of an unknown tool, nor an error that is kept, nor pruned before.
fn may_go(part: &Part<'_>, settings: &PruneSettings, protected: &ProtectedTools) -> bool {
    match &part.kind {
        PartKind::Result { tool, error, pruned: false, .. } => {
            let named = tool.as_ref().map_or(settings.unnamed, |tool| !protected.matches(tool));
            named && (settings.errors || !error)
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

/// The stub for one result, unless the result is no longer than it.
fn stub(
    transcript: &Transcript<'_>,
    (message, part): (usize, usize),
    settings: &PruneSettings,
    count: &dyn Fn(&str) -> Tokens,
) -> Option<Stub> {
    let result = &transcript.messages[message].parts[part];
    let text = stub_text(&settings.stub, result);
    let tokens = count(&text);
    let shorter =
        result.text.len() > text.len() || matches!(&result.kind, PartKind::Result { media, .. } if !media.is_empty());
    let saves = settings.short || (shorter && tokens < result.tokens);
    (saves && !result.slot.content.is_empty()).then_some(Stub { message, part, text, tokens })
}

/// The stub pattern with its fields filled in.
fn stub_text(pattern: &str, result: &Part<'_>) -> String {
    let PartKind::Result { id, tool, .. } = &result.kind else { return pattern.to_owned() };
    let mut text = pattern.replace("{tool}", tool.as_deref().unwrap_or("tool")).replace("{id}", id);
    text = text.replace("{tokens}", &result.tokens.to_string());
    if text.contains("{sha256}") {
        let hash: String = Sha256::digest(result.text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        text = text.replace("{sha256}", &hash);
    }
    text
}

#[cfg(test)]
mod tests;
