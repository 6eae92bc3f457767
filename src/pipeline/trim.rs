//! Compaction without a summary: prunes, and drops history that is no longer loaded.

use super::{Compaction, reassemble, thinking};
use crate::preset::{Retain, Settings};
use crate::reason::Reason;
use crate::transcript::{Author, Change, Class, EditScript, Message, PartEdit, Transcript, UiCopies, units};
use std::collections::BTreeSet;

/// Completes a compaction that only prunes and trims.
pub(super) fn trim(mut done: Compaction, transcript: &Transcript<'_>, settings: &Settings) -> Compaction {
    let floor = match settings.output.history {
        Retain::Keep => None,
        Retain::Drop => floor(transcript),
    };
    let mut kept: BTreeSet<usize> =
        (0..transcript.messages.len()).filter(|&index| is_kept(transcript, index, floor)).collect();
    kept.extend(last_words(transcript));
    let stubs = done.stubs.iter().filter(|stub| reassemble::stands(stub, &kept));
    let parts: Vec<PartEdit> = stubs
        .map(|stub| PartEdit { message: stub.message, part: stub.part, change: Change::Stub(stub.text.clone()) })
        .collect();
    let first_edit = parts.first().map_or(usize::MAX, |edit| edit.message);
    let mut script = EditScript { parts, ui_copies: settings.output.ui_copies, ..EditScript::default() };
    done.dead_reasoning = thinking::strip(&mut script, transcript, settings.output.thinking, &|index| {
        index > first_edit && kept.contains(&index)
    });
    reassemble::drop_emptied(&mut script, transcript, &mut kept);
    script.keep = keep(transcript, &kept, settings, floor);
    let nothing = script.parts.is_empty() && script.keep.iter().all(|keep| *keep) && script.ui_copies != UiCopies::Drop;
    if nothing {
        return done.unchanged(Reason::NothingToPrune);
    }
    done.script = Some(script);
    done
}

/// Index of the newest compaction's record; earlier records are no longer loaded, except those that it kept.
fn floor(transcript: &Transcript<'_>) -> Option<usize> {
    let boundary = transcript.records.iter().rposition(|record| record.class == Class::Boundary);
    let summary = || {
        let live = |message: &&Message<'_>| message.author == Author::Summary && message.live;
        transcript.messages.iter().rfind(live).filter(|_| transcript.traits.native_summary)
    };
    boundary.or_else(|| summary().map(|message| transcript.loaded_from().min(message.record)))
}

/// The messages of the unit with the last real user message; they stay, loaded or not.
fn last_words(transcript: &Transcript<'_>) -> Vec<usize> {
    let Some(last) = transcript.last_real_user() else { return Vec::new() };
    let all = units(transcript, |_, message| !message.abandoned);
    all.into_iter().find(|unit| unit.messages.contains(&last)).map(|unit| unit.messages).unwrap_or_default()
}

/// Whether a message is kept: a resume would load it, or the stored history is kept.
fn is_kept(transcript: &Transcript<'_>, index: usize, floor: Option<usize>) -> bool {
    let message = &transcript.messages[index];
    let stale = message.author == Author::Summary && floor.is_some_and(|floor| message.record < floor);
    floor.is_none() || (message.live && !stale)
}

/// Whether each record is kept.
fn keep(transcript: &Transcript<'_>, kept: &BTreeSet<usize>, settings: &Settings, floor: Option<usize>) -> Vec<bool> {
    let dropping = settings.output.history == Retain::Drop;
    let tail = reassemble::Tail { start: floor.unwrap_or(0), ui_copies: settings.output.ui_copies };
    let trimmed = reassemble::keep(transcript, kept, tail);
    let records = transcript.records.iter().enumerate();
    let stays = records.map(|(at, record)| match record.class {
        Class::Message(_) | Class::Sidechain(Some(_)) => trimmed[at],
        Class::Boundary => floor.is_none_or(|floor| at >= floor),
        Class::Ui => tail.ui_copies != UiCopies::Drop && floor.is_none_or(|floor| at > floor),
        Class::Abandoned => !dropping,
        Class::With(_) | Class::Session(_) => !dropping || trimmed[at],
        Class::Place | Class::Sidechain(None) => floor.is_none_or(|floor| at > floor),
        Class::Opaque => true,
    });
    stays.collect()
}
