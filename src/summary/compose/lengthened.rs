//! Lines that are told whole, with what was cut off of them, in room that nothing else uses.

use super::Composer;
use super::entry::Entry;
use super::filling::{Filling, Tools};
use crate::summary::template::SectionSource;

impl Composer<'_, '_, '_, '_> {
    /// Tells chosen lines in full, newest first, where that still fits; a long request takes what the answers leave.
    pub(super) fn lengthen(&mut self) {
        self.lengthen_answers();
        self.lengthen_those(|source| source == Some(SectionSource::Goal));
    }

    /// The same for all lines but the requests of the goal.
    pub(super) fn lengthen_answers(&mut self) {
        self.lengthen_those(|source| source != Some(SectionSource::Goal));
    }

    fn lengthen_those(&mut self, are: fn(Option<SectionSource>) -> bool) {
        let has_more = |section: &Filling<'_>| section.items.iter().any(|entry| entry.longer().is_some());
        let those: Vec<usize> = (0..self.sections.len())
            .filter(|at| are(self.sections[*at].source) && has_more(&self.sections[*at]))
            .collect();
        if those.is_empty() {
            return;
        }
        let mut left = self.request.budget.saturating_sub(self.tokens_of_whole()).0;
        for at in those {
            for line in (0..self.sections[at].items.len()).rev() {
                let Some((price, before)) = self.sections[at].tell_whole(line, left, self.chooser.tools) else {
                    continue;
                };
                // A count of lines alone may be a little less than that of the whole text.
                if self.tokens_of_whole() > self.request.budget {
                    self.sections[at].items[line].text = before;
                } else {
                    left -= price;
                }
            }
        }
    }
}

impl Filling<'_> {
    /// Gives a chosen line its full text, if that takes at most `most` tokens more; returns the price and the text
    /// before.
    fn tell_whole(&mut self, at: usize, most: u64, tools: Tools<'_>) -> Option<(u64, String)> {
        let entry = self.items.get_mut(at)?;
        let whole = entry.longer()?;
        let price = entry.price_as(whole, tools, true).saturating_sub(entry.price(tools, true));
        (price <= most).then(|| (price, std::mem::replace(&mut entry.text, whole.clone())))
    }
}

impl<'i> Entry<'i> {
    /// The full text of a chosen line. What was shortened or reworded since has no room for more.
    fn longer(&self) -> Option<&'i String> {
        self.item.whole.as_ref().filter(|_| self.is_chosen() && self.text == self.item.text)
    }
}

#[cfg(test)]
mod tests {
    use crate::summary::builders::{agent, request, user};
    use crate::summary::{Template, extractive};

    #[test]
    fn a_list_is_told_in_full_where_there_is_room() {
        let items: Vec<String> =
            (1..=10).map(|number| format!("{number}. lamp {number} with a wick and a can of oil")).collect();
        let list = format!("Here is what you need:\n\n{}", items.join("\n"));
        let messages = [user("What do I need for the pier?"), agent(&list), user("Now draw the map.")];
        let told = |budget: u64| {
            let summary = extractive(&request(&messages, budget), &Template::default());
            summary.map(|summary| summary.text).unwrap_or_default()
        };
        let line =
            |text: &str| text.lines().find(|line| line.contains("lamp 1 ")).map(str::to_owned).unwrap_or_default();
        let whole = line(&told(2_000));
        assert!(whole.contains("lamp 10 with a wick and a can of oil") && !whole.contains('…'), "{whole}");
        let cut = (100..250).step_by(10).map(|budget| line(&told(budget))).find(|line| line.contains('…'));
        assert!(cut.is_some_and(|cut| cut.contains("lamp 2") && !cut.contains("lamp 10")));
    }
}
