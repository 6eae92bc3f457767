//! Results of requests that were chosen alone because they have a rule, and requests in brief of steps that were chosen
//! alone; added after all other lines.

use super::super::extractive::parted;
use super::super::template::SectionSource;
use super::super::text::cut_quote;
use super::entry::{Entry, State};
use super::filling::{Chooser, Filling, Named};
use super::{Composer, section_of};

/// Share of these results, in percent of the room; names give way to them.
const OUTCOMES: u64 = 3;
/// The same of those requests, and the maximum length of one in characters.
const LEADS: u64 = 3;
const LEAD: usize = 60;

impl Composer<'_, '_, '_, '_> {
    /// Adds a result to each request that was chosen alone and has none yet, and a request in brief to each step that was,
    /// within their shares of `room` tokens; the least likely names are removed for them.
    pub(super) fn tell_outcomes(&mut self, room: u64) {
        let Some(story) = section_of(&mut self.sections, SectionSource::Accomplished) else { return };
        story.tell_outcomes(room * OUTCOMES / 100, &mut self.chooser);
        story.tell_leads(room * LEADS / 100, &mut self.chooser);
        loop {
            let over = self.tokens_of_whole().saturating_sub(self.request.budget).0;
            let mut freed = 0;
            for section in &mut self.sections {
                while freed < over && section.is_last_a_name() {
                    freed += section.drop_last(&mut self.chooser).unwrap_or(1);
                }
            }
            if freed == 0 {
                return;
            }
        }
    }
}

impl Filling<'_> {
    /// The open results of a request if none is chosen, or those that name what it asks for if none of those is.
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

    /// Adds one result to each chosen request with a rule, newest first, for at most `most` tokens.
    fn tell_outcomes(&mut self, most: u64, Chooser { covered, tools }: &mut Chooser<'_>) {
        let cap = self.spent + most;
        for at in (0..self.items.len()).rev() {
            if !self.items[at].binds || !self.items[at].is_chosen() {
                continue;
            }
            let open: Vec<usize> = self.outcomes(at).collect();
            for result in open {
                let price = self.items[result].priced(*tools, true);
                if self.spent + price <= cap && !self.is_said(result) {
                    self.take(result, covered);
                    self.spent += price;
                    break;
                }
            }
        }
    }

    /// Adds the requests in brief of chosen steps that stand alone, newest first, for at most `most` tokens.
    fn tell_leads(&mut self, most: u64, Chooser { covered, tools }: &mut Chooser<'_>) {
        let cap = self.spent + most;
        for at in (0..self.items.len()).rev().filter(|at| self.items[*at].is_chosen()).collect::<Vec<_>>() {
            let Some(request) = self.lead_of(at).filter(|request| !self.items[*request].item.in_goal) else { continue };
            let lead = &mut self.items[request];
            let brief = in_brief(&lead.text);
            let price = lead.price_as(&brief, *tools, false);
            if self.spent + price <= cap {
                lead.reword(brief, price, tools.knowledge);
                self.take(request, covered);
                self.spent += price;
            }
        }
    }

    /// Whether the next thing to be taken back is a name, but not that of a changed file.
    fn is_last_a_name(&self) -> bool {
        self.trail.last().is_some_and(|named| !matches!(named, Named::Changed { .. }))
    }
}

/// A request cut to the first words that the user said.
fn in_brief(request: &str) -> String {
    cut_quote(parted(request).0, LEAD).into_owned()
}

#[cfg(test)]
mod tests {
    use super::super::entry::Entry;
    use super::super::filling::{Chooser, Filling, Tools};
    use crate::summary::builders::{act, agent, count, request, user};
    use crate::summary::items::Item;
    use crate::summary::knowledge::Knowledge;
    use crate::summary::names::Names;
    use crate::summary::template::{SectionSource, TemplateSection};
    use crate::summary::{Template, extractive};
    use crate::transcript::InTurn;

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

    fn story(items: &[Item]) -> Filling<'_> {
        let section = TemplateSection { name: "Done".into(), source: Some(SectionSource::Accomplished) };
        Filling::new(&section, items, &Knowledge::default(), &InTurn)
    }

    #[test]
    fn a_step_brings_its_request() {
        let item = |text: &str, rank, turn| Item { turn, ..Item::new(text.into(), 1, rank) };
        let items = [
            item("Asked: “Mend the lamps of the pier, whose light goes out at dusk.”", -300, Some(1)),
            item("Wrote `lamp.rs`", 900, Some(1)),
            item("Wrote `quay.rs`", 100, None),
            item("Wrote `tide.rs`", 100, None),
        ];
        let knowledge = Knowledge::default();
        let tools = Tools { knowledge: &knowledge, names: &Names::default(), count: &count };
        let chosen = |cap: u64| {
            let mut filling = story(&items);
            filling.choose(cap, &mut Chooser::new(tools));
            filling.items.iter().map(Entry::is_chosen).collect::<Vec<_>>()
        };
        let pair = tools.line(&items[0].text, true) + tools.line(&items[1].text, true);
        assert_eq!(chosen(pair), [true, true, false, false]);
        assert_eq!(chosen(pair - 1), [false, true, true, true], "a step can stand alone");
    }

    #[test]
    fn the_newest_request_is_chosen_before_older_ones() {
        let item = |text: String, rank, turn| Item { turn: Some(turn), ..Item::new(text, 1, rank) };
        let asked = |what: &str| format!("Asked: “Mend the {what} of the pier, whose light goes out at dusk.”");
        let items = [
            item(asked("lamps"), 500, 1),
            item("Wrote `lamp.rs`".into(), 500, 1),
            item(asked("lanterns and the beacons and all of the other lights"), 500, 2),
        ];
        let knowledge = Knowledge::default();
        let tools = Tools { knowledge: &knowledge, names: &Names::default(), count: &count };
        let mut filling = story(&items);
        filling.choose(tools.line(&items[2].text, true), &mut Chooser::new(tools));
        assert_eq!(filling.items.iter().map(Entry::is_chosen).collect::<Vec<_>>(), [false, false, true]);
    }

    #[test]
    fn a_step_that_was_chosen_alone_gets_its_request_in_brief() {
        let asked = format!("Asked: “Mend the lamps of the pier, whose light goes out at {}.”", "dusk and ".repeat(20));
        let item = |text: &str| Item { turn: Some(1), ..Item::new(text.into(), 1, 900) };
        let items = [item(&asked), item("Wrote `lamp.rs`")];
        let knowledge = Knowledge::default();
        let tools = Tools { knowledge: &knowledge, names: &Names::default(), count: &count };
        let mut chooser = Chooser::new(tools);
        let mut filling = story(&items);
        filling.choose(tools.line(&items[1].text, true), &mut chooser);
        assert!(!filling.items[0].is_chosen() && filling.items[1].is_chosen());
        filling.tell_leads(1, &mut chooser);
        assert!(!filling.items[0].is_chosen() && filling.items[0].text == asked);
        filling.tell_leads(40, &mut chooser);
        let told = &filling.items[0].text;
        assert!(
            filling.items[0].is_chosen() && told.starts_with("Asked: “Mend the lamps") && told.ends_with("…”"),
            "{told}"
        );
    }
}
