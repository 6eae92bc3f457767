//! Drops lines of a model's answer that the head does not support (SPEC ruling 12).

use super::draft::Draft;
use crate::measure::SourceText;
use crate::measure::{numbers, support, support::Kin};
use crate::question_outcome::DroppedLine;
use crate::summary::Request;
use crate::transcript::{Message, Part, PartKind, Shape, Slot, Tokens};
use std::collections::BTreeMap;

/// Drops the items of a draft, and the sentences of its prose, that state something that is neither in the unpruned head
/// nor in an earlier summary.
pub(super) fn drop_unsupported(draft: &mut Draft, request: &Request<'_, '_>) -> Vec<DroppedLine> {
    let prior = summaries_as_message(&request.prior);
    let messages: Vec<&Message<'_>> = request.head.iter().copied().chain([&prior]).collect();
    let source = SourceText::new(&messages);
    let mut facts = unsupported(draft, &source);
    let mut paragraphs = Vec::new();
    if let Some((fine, parted)) = draft.parted(&facts.keys().copied().collect()) {
        let again = unsupported(&fine, &source);
        // A paragraph goes whole if no sentence is to blame alone.
        if fine.are_hit(&parted, &again.keys().copied().collect()) {
            (*draft, paragraphs, facts) = (fine, parted, again);
        }
    }
    let dropped = draft.drop_lines(&facts.keys().copied().collect(), &paragraphs).into_iter();
    dropped.map(|(line, section)| DroppedLine { section, facts: facts.remove(&line).unwrap_or_default() }).collect()
}

/// The facts that the source lacks, by line of the rendered text.
fn unsupported(draft: &Draft, source: &SourceText<'_>) -> BTreeMap<usize, Vec<String>> {
    let mut facts: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let text = draft.render();
    // Facts that are only spelled differently are supported.
    for one in support::unsupported(&text, source).into_iter().filter(|one| one.kin == Kin::No) {
        let fact = format!("{} {}", one.fact.class.name(), one.fact.value);
        facts.entry(one.line).or_default().push(fact);
    }
    for one in numbers::unsupported(&text, source) {
        facts.entry(one.line).or_default().push(format!("number {}", one.text));
    }
    facts
}

/// The earlier summaries as a message, since they count as sources.
fn summaries_as_message(texts: &[String]) -> Message<'static> {
    let slot = || Slot { part: 0..0, content: 0..0, shape: Shape::Fixed };
    let part = |text: &String| Part {
        kind: PartKind::Text,
        text: text.clone().into(),
        slot: slot(),
        tokens: Tokens::default(),
        status: None,
    };
    Message { parts: texts.iter().map(part).collect(), ..Message::default() }
}
