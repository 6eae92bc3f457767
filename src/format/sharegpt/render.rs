//! Writes a row: drops and inserts turns, or puts a summary into the system prompt.

use super::super::shared::array::Members;
use super::super::shared::json::quoted;
use super::super::shared::new::New;
use super::super::shared::synthetic::QUESTION;
use super::super::shared::{closing, media_columns, message_columns, part_edits, speakers, weights};
use super::read::Row;
use crate::transcript::{EditScript, Insert, InsertKind, Patch, PatchKind, Role, SummaryRole, Transcript};

/// Turns an edit script into patches.
pub(super) fn render(transcript: &Transcript<'_>, script: &EditScript) -> Vec<Patch> {
    let Some(row) = Row::read(transcript.source, 1).ok().filter(|_| transcript.traits.fixed.is_none()) else {
        return Vec::new();
    };
    let places = places(transcript, script);
    let mut patches = turns(&row, transcript, script, &places);
    patches.extend(system(&row, transcript, script, &places));
    patches.extend(media_columns::patches(transcript, &row.fields, &script.keep));
    let before = system_records(&row, transcript);
    for (index, message) in transcript.messages.iter().enumerate() {
        if message.record >= before && script.keeps(message.record) {
            // A turn is one value, so no part can be removed.
            let changes = script.changes_of(index).iter();
            let changes = changes.filter_map(|edit| Some((message.parts.get(edit.part)?, &edit.change)));
            patches.extend(changes.filter_map(|(part, change)| part_edits::replacement(part, change)));
        }
    }
    Patch::in_order(patches)
}

/// Number of records that the system prompt takes.
fn system_records(row: &Row<'_>, transcript: &Transcript<'_>) -> usize {
    let (instructions, summary) = row.system_pieces(transcript.source);
    usize::from(instructions.is_some()) + usize::from(summary.is_some())
}

/// The patches for dropped and new turns.
fn turns(row: &Row<'_>, transcript: &Transcript<'_>, script: &EditScript, places: &[Place<'_>]) -> Vec<Patch> {
    let (records, first) = (system_records(row, transcript), usize::from(row.starts_with_system()));
    let is_gone = system_turn_goes(row, transcript, script, places);
    let keep = |index: usize| match index.checked_sub(first) {
        Some(turn) => script.keeps(turn + records),
        None => !is_gone,
    };
    let new_system = in_system(row, places).filter(|_| row.system.is_none());
    let lead = new_system.map(|text| New { before: 0, text: turn(row, "system", &text) });
    let new = places.iter().flat_map(|place| {
        let before = place.insert.before.saturating_sub(records) + first;
        place.turns(row).into_iter().map(move |text| New { before, text })
    });
    let new: Vec<_> = lead.into_iter().chain(new).collect();
    let mut patches = message_columns::patches(transcript.source, row.columns(), keep, &new);
    let members = Members::of_array(transcript.source, row.array, &row.elements);
    patches.extend(members.patches(keep, &new, PatchKind::Drop));
    patches
}

/// Whether the first turn held only an earlier summary that is dropped.
fn system_turn_goes(row: &Row<'_>, transcript: &Transcript<'_>, script: &EditScript, places: &[Place<'_>]) -> bool {
    let (instructions, summary) = row.system_pieces(transcript.source);
    let only_summary = row.starts_with_system() && instructions.is_none() && summary.is_some();
    only_summary && !script.keeps(0) && in_system(row, places).is_none()
}

/// The patches inside the system prompt.
fn system(row: &Row<'_>, transcript: &Transcript<'_>, script: &EditScript, places: &[Place<'_>]) -> Vec<Patch> {
    let Some((value, _)) = row.system else { return Vec::new() };
    let (_, summary) = row.system_pieces(transcript.source);
    let last = system_records(row, transcript).saturating_sub(1);
    let old = summary.filter(|_| !script.keeps(last)).map(|piece| piece.span);
    let new = in_system(row, places);
    if (old.is_none() && new.is_none()) || system_turn_goes(row, transcript, script, places) {
        return Vec::new();
    }
    closing::edit(value, transcript.source, (old, new.as_deref()))
}

/// The text to append to the system prompt.
fn in_system(row: &Row<'_>, places: &[Place<'_>]) -> Option<String> {
    let texts = places.iter().filter(|place| place.form == Form::System).map(|place| place.text(row));
    let texts: Vec<_> = texts.collect();
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

/// A new turn, with the keys and speaker names of the row.
fn turn(row: &Row<'_>, side: &str, text: &str) -> String {
    let names: Vec<_> = row.elements.iter().filter_map(|element| element.object()?.text(row.keys.0)).collect();
    let from = quoted(&speakers::name_like(&names, side));
    let turns = || row.elements.iter().filter_map(|element| element.object()).collect::<Vec<_>>();
    let weight = if side == "gpt" { weights::untrained(&turns()) } else { String::new() };
    format!(r#"{{"{}":{from},"{}":{}{weight}}}"#, row.keys.0, row.keys.1, quoted(text))
}

/// An insertion and its form.
struct Place<'s> {
    insert: &'s Insert,
    form: Form,
}

/// The form of an insertion.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A human's question and the model's answer.
    Pair,
    /// A human turn.
    Human,
    /// Text at the end of the system prompt.
    System,
}

impl Form {
    /// Whether its first and its last turn are the model's; `None` if it adds no turn.
    fn sides(self) -> Option<(bool, bool)> {
        match self {
            Self::Pair => Some((false, true)),
            Self::Human => Some((false, false)),
            Self::System => None,
        }
    }

    /// The forms that an insertion may take, the preferred one first.
    fn choices(kind: &InsertKind) -> &'static [Self] {
        match kind {
            InsertKind::Summary { role: SummaryRole::Assistant, .. } => &[Self::Pair, Self::Human, Self::System],
            InsertKind::Summary { .. } => &[Self::Human, Self::System],
            InsertKind::Continuation { .. } => &[Self::Human],
        }
    }
}

impl Place<'_> {
    fn text(&self, row: &Row<'_>) -> String {
        media_columns::without_places(self.insert.kind.text(), &row.fields)
    }

    fn turns(&self, row: &Row<'_>) -> Vec<String> {
        match self.form {
            Form::Pair => vec![turn(row, "human", QUESTION), turn(row, "gpt", &self.text(row))],
            Form::Human => vec![turn(row, "human", &self.text(row))],
            Form::System => Vec::new(),
        }
    }
}

/// Chooses the form of every insertion. Where sides must alternate, forms that would break that are skipped; a
/// continuation for which no form is left is omitted, as is one that would end the row.
fn places<'s>(transcript: &Transcript<'_>, script: &'s EditScript) -> Vec<Place<'s>> {
    let kept = transcript.messages.iter().filter(|it| it.role != Role::System && script.keeps(it.record));
    let mut kept = kept.map(|message| (message.record, message.role == Role::Assistant)).peekable();
    let (mut places, mut last) = (Vec::new(), None);
    for insert in &script.inserts {
        while let Some((_, side)) = kept.next_if(|(record, _)| *record < insert.before) {
            last = Some(side);
        }
        let next = kept.peek().map(|(_, side)| *side);
        let fits = |form: &&Form| {
            let summary = matches!(insert.kind, InsertKind::Summary { .. });
            let Some((first, end)) = form.sides().filter(|_| transcript.traits.alternates) else { return true };
            last != Some(first) && next.map_or(summary && last.is_none(), |next| next != end)
        };
        if let Some(&form) = Form::choices(&insert.kind).iter().find(fits) {
            last = form.sides().map(|(_, end)| end).or(last);
            places.push(Place { insert, form });
        }
    }
    places
}
