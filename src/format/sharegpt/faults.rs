//! Rules by which trainers accept or skip a row (FORMATS §4).

use super::super::shared::{media_columns, speakers};
use super::super::{Fault, openai};
use super::read::{Row, alternate, out_of_turn};
use crate::reason::Reason;
use crate::transcript::{Role, Transcript, distinct};

/// Returns all faults of a row: of calls and results as in OpenAI's messages, and of order and number of turns.
pub(super) fn faults(transcript: &Transcript<'_>) -> Vec<Fault> {
    let Ok(row) = Row::read(transcript.source, 1) else { return Vec::new() };
    if transcript.traits.fixed == Some(Reason::PairedTurns) {
        return Vec::new();
    }
    let mut faults = openai::faults(transcript);
    if row.is_prompt() {
        faults.retain(|fault| fault.rule != "no_assistant");
    }
    faults.extend(media_columns::faults(transcript, &row.fields));
    let turns = transcript.messages.iter().filter(|message| message.role != Role::System).count();
    let complete = turns % 2 == usize::from(row.is_prompt());
    if !complete || !alternate(&transcript.messages, &transcript.records) {
        let whole = || Fault::new(transcript.first_line(), "wrong_order", "");
        let first = out_of_turn(&transcript.messages);
        faults.push(first.map_or_else(whole, |turn| transcript.fault(turn.record, "wrong_order", "")));
    }
    faults.extend(speakers::unknown_in(transcript, row.keys.0));
    distinct(&mut faults);
    faults
}
