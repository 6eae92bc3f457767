//! Rules stated in an earlier summary, which a further compaction must keep.

use super::binding::{is_binding, is_torn};
use crate::gates::View;
use crate::measure::constraints::{content_words, says};
use crate::summary::{Prior, SectionSource, is_firm, unwrap};
use crate::transcript::Author;

/// A rule of an earlier summary that was lost.
pub(super) struct Dropped {
    /// Index of the earlier summary in the original.
    pub message: usize,
    /// The rule.
    pub text: String,
}

impl View<'_> {
    /// Firm rules in the instructions of earlier summaries that were loaded and are gone, and that neither a line of
    /// the new summary nor a kept message says.
    pub(super) fn dropped_rules(&self) -> Vec<Dropped> {
        let (loaded, places) = (self.loaded(), self.loaded_places());
        let gone = loaded
            .iter()
            .zip(places)
            .filter(|(message, place)| message.author == Author::Summary && !self.kept.originals.contains(place));
        let rules: Vec<Dropped> = gone.flat_map(|(message, place)| rules(&message.text(), place)).collect();
        if rules.is_empty() {
            return rules;
        }
        let kept = loaded.iter().zip(self.loaded_places()).filter(|(_, place)| self.kept.originals.contains(place));
        let said: Vec<_> =
            kept.filter(|(message, _)| message.is_real_user()).map(|(message, _)| message.text()).collect();
        let mut lines = self.summary_lines();
        lines.extend(said.iter().flat_map(|text| text.lines()));
        rules.into_iter().filter(|rule| !says(&content_words(&rule.text), &lines)).collect()
    }
}

fn rules(summary: &str, message: usize) -> Vec<Dropped> {
    let text = unwrap(summary);
    let prior = Prior::read(text.as_deref().unwrap_or(summary));
    let lines = prior.lines(SectionSource::Instructions).into_iter();
    let firm = lines.filter(|line| is_firm(line) && !is_torn(line) && is_binding(line));
    let told = firm.filter(|line| !content_words(line).is_empty());
    told.map(|line| Dropped { message, text: line.to_owned() }).collect()
}
