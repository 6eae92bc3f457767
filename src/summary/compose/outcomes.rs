//! What came of requests that stand alone, since they say how as well: told when all else has its room.

use super::super::knowledge::Covered;
use super::super::template::Source;
use super::Composer;
use super::entry::{Entry, State};
use super::filling::{Filling, Named, Tools};

/// Share of the lines: what requests that stand alone get for what came of them, in percent: names make way for that.
const OUTCOMES: u64 = 3;

impl Composer<'_, '_, '_, '_> {
    /// Tells what came of requests that stand alone so far, in their share of so many tokens: the least likely names make
    /// way.
    pub(super) fn tell_outcomes(&mut self, room: u64) {
        let tools = self.tools();
        let Some(story) = self.sections.iter_mut().find(|section| section.source == Some(Source::Accomplished)) else {
            return;
        };
        story.tell_outcomes(room * OUTCOMES / 100, &mut self.covered, tools);
        loop {
            let over = self.tokens_of_whole().saturating_sub(self.request.budget).0;
            let mut freed = 0;
            for section in &mut self.sections {
                while freed < over && section.is_last_a_name() {
                    freed += section.drop_last(&mut self.covered, tools).unwrap_or(1);
                }
            }
            if freed == 0 {
                return;
            }
        }
    }
}

impl Filling<'_> {
    /// The open lines of what came of a request, where none is chosen; or of those that tell what it asks for by name.
    pub(super) fn outcomes(&self, at: usize) -> impl Iterator<Item = usize> {
        let Entry { results, named, .. } = &self.items[at];
        let is_told = |results: &[usize]| results.iter().any(|at| self.items[*at].is_chosen());
        let (named, _) = results.split_at(*named);
        let left = if !is_told(results) {
            results
        } else if is_told(named) {
            &[]
        } else {
            named
        };
        left.iter().copied().filter(|at| self.items[*at].state == State::Open)
    }

    /// Chooses what came of the requests that stand alone since they say how as well, the newest first, for so many tokens
    /// at most.
    fn tell_outcomes(&mut self, most: u64, covered: &mut Covered, tools: Tools<'_>) {
        let cap = self.spent + most;
        for at in (0..self.items.len()).rev() {
            if !self.items[at].binds || !self.items[at].is_chosen() {
                continue;
            }
            let open: Vec<usize> = self.outcomes(at).collect();
            for result in open {
                let price = self.items[result].priced(tools, true);
                if self.spent + price <= cap && !self.is_said(result) {
                    self.take(result, covered);
                    self.spent += price;
                    break;
                }
            }
        }
    }

    /// Whether the line that would be taken back first is a mere name.
    fn is_last_a_name(&self) -> bool {
        self.trail.last().is_some_and(|named| !matches!(named, Named::Changed { .. }))
    }
}

#[cfg(test)]
mod tests {
    use crate::summary::corpus::{act, agent, request, user};
    use crate::summary::{Template, extractive};

    #[test]
    fn what_came_of_a_request_that_says_how_is_told_though_it_stands_alone() {
        let mut messages = Vec::new();
        for number in 0..60 {
            let call = format!(r#"{{"file_path":"/quay/lamps/lamp_{number}.rs"}}"#);
            messages.push(user(&format!("Look at lamp number {number} and at its wick.")));
            messages.extend(act("Read", &call, &format!("pub fn trim_wick_{number}() -> HarbourLamp{number}"), false));
            messages.push(agent(&format!(
                "The wick of lamp {number} is trimmed by `trim_wick_{number}`, which is never called at dusk."
            )));
        }
        messages.push(user("Please always sign it with the harbour key, and never push: commit the lamps."));
        messages.extend(act(
            "Bash",
            r#"{"command":"git commit -S -m 'Trim the wicks'"}"#,
            "[quay 3f2a91c] Trim the wicks",
            false,
        ));
        messages.push(user("Now go on with the quay."));
        let told = |budget: u64| {
            extractive(&request(&messages, budget), &Template::default())
                .map(|summary| summary.text)
                .unwrap_or_default()
        };
        for budget in [500, 800] {
            let text = told(budget);
            assert!(text.contains("Please always sign") && text.contains("Committed 3f2a91c"), "{text}");
        }
    }
}
