//! A sentence of the agent, with its kind and the state it claims.

use super::announced::covered;
use super::cues::{Kind, announced_strength, facts, is_plan, kind, lower, tells_trouble, without_plan};
use super::decided::{found_behind, is_decision};
use super::halves;
use super::leaning::with_what_is_meant;
use super::next::foresees;
use super::prose::sentences;
use super::siblings;
use super::state::StateClaim;
use crate::summary::text::first_bytes;

/// Maximum gap between two sentences of a text, in bytes; the second one is searched for no further.
const NEAR: usize = 40;

/// Short texts before a sentence that make it a report of what was done: “Fixed! Now the lamp burns.”
const DONE: [&str; 8] = ["done", "all done", "fixed", "fixed it", "resolved", "solved", "erledigt", "listo"];

/// Points that a decision is worth less than a cause that the agent announces.
const LESS: i64 = 2;

/// A sentence of the agent.
pub(in crate::summary::extractive) struct Said {
    /// Index of the message.
    pub(in crate::summary::extractive) message: usize,
    /// The sentence.
    pub(in crate::summary::extractive) sentence: String,
    /// The kind of the sentence.
    pub(in crate::summary::extractive) kind: Kind,
    /// Whether it belongs to the last text of its turn.
    pub(in crate::summary::extractive) closing: bool,
    /// Whether it directly follows the sentence before it, in the same paragraph.
    pub(in crate::summary::extractive) joined: bool,
    /// The temporary state that it claims.
    pub(in crate::summary::extractive) standing: StateClaim,
    /// Whether it is obsolete: a later message ended the state that it claims.
    pub(in crate::summary::extractive) obsolete: bool,
    /// Whether another agent said it, in a report to this one.
    pub(in crate::summary::extractive) of_another: bool,
}

impl Said {
    /// Splits the text of a message into sentences; those that mislead alone are joined with others.
    pub(in crate::summary::extractive) fn all(message: usize, text: &str) -> impl Iterator<Item = Self> {
        let mut at = 0;
        let all = sentences(text).into_iter().map(|sentence| {
            // The search is short: a sentence that had Markdown marks is not found in the text.
            let rest = text.get(at..).unwrap_or_default();
            let found = first_bytes(rest, sentence.len() + NEAR).find(&*sentence);
            let gap = found.map(|found| &rest[..found]);
            let joined = at > 0 && gap.is_some_and(|gap| gap.trim().is_empty() && gap.matches('\n').count() < 2);
            at += found.unwrap_or(0) + sentence.len();
            at = (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
            let is_done = gap.is_some_and(|gap| DONE.contains(&&*bare(gap)));
            let mut said = Self { joined, ..Self::new(message, sentence) };
            if is_done && matches!(said.kind, Kind::Finding(_) | Kind::Other) {
                said.kind = Kind::Done;
            }
            said
        });
        siblings::joined(with_what_is_meant(covered(halves::whole(all)))).into_iter()
    }

    pub(in crate::summary::extractive) fn new(message: usize, sentence: String) -> Self {
        Self {
            message,
            kind: kind_of(&sentence),
            closing: false,
            standing: StateClaim::of(&sentence),
            obsolete: false,
            of_another: false,
            joined: false,
            sentence,
        }
    }

    /// Removes the announcement of a plan from the sentence: messages after it made it outdated. A decision stays, or
    /// the finding that is its reason.
    pub(in crate::summary::extractive) fn settle(&mut self) {
        if is_decision(&self.sentence) {
            if let Some(found) = found_behind(&self.sentence) {
                self.sentence = found;
                self.standing = StateClaim::of(&self.sentence);
            }
        } else if let Some(rest) = without_plan(&self.sentence) {
            self.sentence = format!("{rest}.");
            self.kind = kind(&self.sentence);
            self.standing = StateClaim::of(&self.sentence);
            self.standing.lasts |= tells_trouble(&self.sentence);
        } else {
            match self.kind {
                Kind::Finding(_) if is_plan(&self.sentence) => self.kind = Kind::Other,
                // “This will help us see what the lamp does.” has no name that could be of use later.
                Kind::Finding(_) | Kind::Other if facts(&self.sentence) == 0 && foresees(&lower(&self.sentence)) => {
                    self.kind = Kind::Empty;
                }
                _ => {}
            }
        }
    }
}

/// The kind of a sentence; a decision is a finding.
fn kind_of(sentence: &str) -> Kind {
    if is_decision(sentence) { Kind::Finding(announced_strength(sentence) - LESS) } else { kind(sentence) }
}

/// A text in lower case without signs and white space around it.
fn bare(text: &str) -> String {
    text.trim_matches(|char: char| !char.is_alphanumeric()).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_is_a_finding_and_stays_when_more_follows() {
        let settled = |text: &str| {
            let mut all: Vec<Said> = Said::all(0, text).collect();
            all.iter_mut().for_each(Said::settle);
            all.into_iter()
                .filter(|said| matches!(said.kind, Kind::Finding(_)))
                .map(|said| said.sentence)
                .collect::<Vec<_>>()
        };
        let whole = "I need to switch to a `Ferry` with `Deck`, because a `Boat` sinks at night.";
        assert_eq!(settled(whole), [whole]);
        let so = "A `Boat` sinks in long waves, so I'm switching to a `Ferry` with a deck.";
        assert_eq!(settled(so), [so]);
        let mut foreseen =
            Said::new(0, "To mend it, we first need to light the lamp and see what it does at night.".into());
        foreseen.settle();
        assert_eq!(foreseen.kind, Kind::Empty);
        let fix = "I'm going to fix the lamp first: the board says `red`, but the lamp of the pier burns green.";
        assert_eq!(settled(fix), ["The board says `red`, but the lamp of the pier burns green."]);
        assert_eq!(settled("Let me read the `board`, because it names all lamps of the pier."), [""; 0]);
    }

    #[test]
    fn what_follows_a_report_that_it_is_done_was_done() {
        let kinds = |text: &str| Said::all(0, text).map(|said| said.kind).collect::<Vec<_>>();
        let burns = "Now `setLamp` is really called for each of the piers.";
        assert_eq!(kinds(&format!("Fixed! {burns}")), [Kind::Done]);
        assert_eq!(kinds(&format!("✅ **Done.** {burns}")), [Kind::Done]);
        assert_ne!(kinds(burns), [Kind::Done]);
    }
}
