//! Verifies an output with the target's own reader: it must obey the target's rules and hold the same conversation.

use super::Refusal;
use super::conversation::{Conversation, Unit};
use super::fit::untagged;
use super::losses::{Loss, Losses};
use super::target::Target;
use crate::check::{faults, rule};
use crate::format::{Fault, Format, ReadOptions, by_name};
use crate::transcript::{Author, PartKind, Transcript};
use std::collections::HashSet;

/// Maximum number of broken rules named in an error.
const NAMED: usize = 3;

/// Verifies the bytes written for a conversation, and counts messages that would wrongly be read as a summary.
pub(super) fn check(
    conversation: &Conversation<'_>,
    bytes: &[u8],
    target: &dyn Target,
    losses: &mut Losses,
) -> Result<(), Refusal> {
    let Some(reader) = by_name(target.format()) else {
        return Err(Refusal::ReadsOtherwise(format!("no reader for {}", target.format())));
    };
    let read = reader.read(bytes, ReadOptions::default()).map_err(Refusal::Unreadable)?;
    rules(conversation, reader, &read, target)?;
    calls(conversation, &read)?;
    words(conversation, &read)?;
    losses.add(Loss::ReadsAsSummary, taken_for_summaries(conversation, &read));
    Ok(())
}

/// Number of messages that are read as a summary without having been written as one.
fn taken_for_summaries(conversation: &Conversation<'_>, read: &Transcript<'_>) -> usize {
    let written: Vec<_> = conversation
        .units
        .iter()
        .filter(|unit| unit.summary)
        .flat_map(Unit::texts)
        .filter(|text| !text.trim().is_empty())
        .collect();
    let read = read.messages.iter().filter(|message| message.author == Author::Summary);
    read.filter(|message| !written.iter().any(|text| message.text().contains(text.trim()))).count()
}

/// Checks that no rule is broken, except that calls of the last unit may lack results, and that arguments which a model
/// broke off stay as they are.
fn rules(
    conversation: &Conversation<'_>,
    reader: &dyn Format,
    read: &Transcript<'_>,
    target: &dyn Target,
) -> Result<(), Refusal> {
    let open = conversation.units.last().filter(|unit| unit.results.is_empty());
    let open: HashSet<_> = open.iter().flat_map(|unit| unit.calls()).flat_map(|call| [&*call.id, call.name]).collect();
    let waits = |fault: &Fault| fault.rule == "unanswered_call" && open.contains(&*fault.subject);
    let all = reader.faults(read).into_iter().chain(faults(read));
    let torn = |fault: &Fault| fault.rule == "no_json_arguments";
    let rules: Vec<_> = all.filter(|fault| !waits(fault) && !torn(fault)).take(NAMED).collect();
    if rules.is_empty() {
        return Ok(());
    }
    let rules = rules.iter().map(|fault| {
        let meaning = rule(fault.rule).map_or("", |rule| rule.meaning);
        format!("{} ({meaning})", format!("{} {}", fault.rule, fault.subject).trim_end())
    });
    Err(Refusal::Faults { target: target.name(), rules: rules.collect::<Vec<_>>().join(", ") })
}

/// Checks that the same tools are called in the same order, with the same number of results.
fn calls(conversation: &Conversation<'_>, read: &Transcript<'_>) -> Result<(), Refusal> {
    let parts = || read.messages.iter().flat_map(|message| &message.parts);
    let names = parts().filter_map(|part| match &part.kind {
        PartKind::Call { name, .. } => Some(&**name),
        _ => None,
    });
    let written = conversation.units.iter().flat_map(|unit| unit.calls()).map(|call| call.name);
    let results = parts().filter(|part| part.is_result()).count();
    let stood: usize = conversation.units.iter().map(|unit| unit.results.len()).sum();
    if !names.eq(written) {
        return Err(Refusal::ReadsOtherwise("other calls than were written".into()));
    }
    if results != stood {
        return Err(Refusal::ReadsOtherwise(format!("{results} results instead of {stood}")));
    }
    Ok(())
}

/// Checks that all texts and results are present, in order.
fn words(conversation: &Conversation<'_>, read: &Transcript<'_>) -> Result<(), Refusal> {
    let parts = || read.messages.iter().flat_map(|message| &message.parts).map(|part| &*part.text);
    // Nearly always each is in one part, so that no copy of them all is needed.
    if missing(conversation, parts()).is_none() {
        return Ok(());
    }
    let all = parts().collect::<Vec<_>>().join("\n");
    match missing(conversation, [all.as_str()].into_iter()) {
        Some(text) => Err(Refusal::ReadsOtherwise(format!("“{}” is missing", beginning(text)))),
        None => Ok(()),
    }
}

/// The first text or result that is in none of these parts behind those before it.
fn missing<'c, 'p>(conversation: &'c Conversation<'_>, mut parts: impl Iterator<Item = &'p str>) -> Option<&'c str> {
    let mut rest = "";
    for unit in &conversation.units {
        for text in unit.texts().chain(unit.results.iter().map(|result| &*result.text)) {
            // Reasoning may be read without its tags.
            let text = untagged(text).unwrap_or(text).trim();
            rest = loop {
                match memchr::memmem::find(rest.as_bytes(), text.as_bytes()) {
                    Some(found) => break rest.get(found + text.len()..).unwrap_or_default(),
                    None => match parts.next() {
                        Some(next) => rest = next,
                        None => return Some(text),
                    },
                }
            };
        }
    }
    None
}

fn beginning(text: &str) -> String {
    text.chars().take(60).map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}
