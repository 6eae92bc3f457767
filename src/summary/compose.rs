//! Chooses the lines that fit the budget and prints them below the headings of the template.

use super::gist::Gist;
use super::items::{Item, Items};
use super::sections::{Fault, NONE, Rule};
use super::template::{Source, Template};
use super::text::cut;
use super::wrapper::wrap;
use super::{Line, Request, SummaryError};
use crate::transcript::Tokens;

/// Lines that may be passed over for being too long before a section is full.
const MISSES: usize = 6;
/// How often what sections did not need is shared among the others.
const ROUNDS: usize = 6;

/// The share of the budget that a source starts with, in percent.
fn share(source: Option<Source>) -> u64 {
    match source {
        Some(Source::Goal) => 8,
        Some(Source::Instructions) => 17,
        Some(Source::Discoveries) => 30,
        Some(Source::Accomplished) => 27,
        Some(Source::Files) => 18,
        None => 0,
    }
}

/// A section that is being filled.
struct Filling<'i> {
    name: String,
    source: Option<Source>,
    items: Vec<Entry<'i>>,
    /// Indices of `items`, most valuable first.
    order: Vec<usize>,
    spent: u64,
    /// What the chosen lines say.
    gists: Vec<Gist>,
}

struct Entry<'i> {
    item: &'i Item,
    text: String,
    cost: Option<u64>,
    state: State,
}

/// What became of a line so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Chosen,
    /// A chosen line says the same.
    Repeated,
}

/// A summary within its budget.
pub(super) struct Composed {
    /// Its text, without wrapper.
    pub(super) text: String,
    /// Its lines.
    pub(super) lines: Vec<Line>,
    /// The faults that the budget forced.
    pub(super) faults: Vec<Fault>,
}

/// Chooses the lines and prints them.
pub(super) fn compose(items: &Items, template: &Template, request: &Request<'_, '_>) -> Result<Composed, SummaryError> {
    let mut composer =
        Composer { sections: fillings(items, template), headed: !template.sections().is_empty(), request };
    let skeleton = composer.tokens();
    if skeleton > request.budget {
        return Err(SummaryError::BudgetTooSmall { budget: request.budget, needed: skeleton });
    }
    composer.fill((request.budget - skeleton).0);
    composer.shorten_goal();
    composer.trim()?;
    Ok(Composed { text: composer.render(), lines: composer.lines(), faults: composer.faults() })
}

fn fillings<'i>(items: &'i Items, template: &Template) -> Vec<Filling<'i>> {
    let five = Template::default();
    let template = if template.sections().is_empty() { &five } else { template };
    let filling =
        |name: &str, source: Option<Source>| Filling::new(name, source, source.map_or(&[], |source| items.of(source)));
    template.sections().iter().map(|section| filling(&section.name, section.source)).collect()
}

impl Entry<'_> {
    fn is_chosen(&self) -> bool {
        self.state == State::Chosen
    }
}

impl<'i> Filling<'i> {
    fn new(name: &str, source: Option<Source>, items: &'i [Item]) -> Self {
        let entry = |item: &'i Item| Entry { item, text: item.text.clone(), cost: None, state: State::Open };
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(items[at].rank));
        Self {
            name: name.to_owned(),
            source,
            items: items.iter().map(entry).collect(),
            order,
            spent: 0,
            gists: Vec::new(),
        }
    }

    /// Chooses the most valuable lines that fit below `cap`; whether there was any.
    fn choose(&mut self, cap: u64, cost: &dyn Fn(&str) -> u64) -> bool {
        // A changed file must not make way for a short line about another one.
        let mut misses = if self.source == Some(Source::Files) { 1 } else { MISSES };
        let before = self.spent;
        for at in self.order.clone() {
            let entry = &mut self.items[at];
            if entry.state != State::Open {
                continue;
            }
            let gist = Gist::of(&entry.text);
            // Lines about files differ in their path only.
            if self.source != Some(Source::Files) && self.gists.iter().any(|chosen| chosen.says(&gist)) {
                entry.state = State::Repeated;
                continue;
            }
            let price = *entry.cost.get_or_insert_with(|| cost(&entry.text));
            if self.spent + price <= cap {
                entry.state = State::Chosen;
                self.spent += price;
                self.gists.push(gist);
            } else {
                misses -= 1;
            }
            if misses == 0 {
                break;
            }
        }
        self.spent > before
    }

    fn is_hungry(&self) -> bool {
        self.items.iter().any(|entry| entry.state == State::Open)
    }

    /// Takes the least valuable line back; its price.
    fn drop_last(&mut self) -> Option<u64> {
        let at = *self.order.iter().rev().find(|&&at| self.items[at].is_chosen())?;
        let entry = &mut self.items[at];
        entry.state = State::Open;
        let price = entry.cost.unwrap_or(0);
        self.spent = self.spent.saturating_sub(price);
        Some(price)
    }

    /// Changed files that did not fit.
    fn cut_files(&self) -> usize {
        self.items.iter().filter(|entry| entry.item.changed_file && !entry.is_chosen()).count()
    }

    fn render(&self, out: &mut String, headed: bool) {
        if headed {
            *out += &format!("## {}\n", self.name);
        }
        let before = out.len();
        for entry in self.items.iter().filter(|entry| entry.is_chosen()) {
            *out += &format!("- {}\n", entry.text);
        }
        if self.cut_files() > 0 {
            *out += &format!("- and {} more\n", self.items.iter().filter(|entry| !entry.is_chosen()).count());
        }
        if headed && out.len() == before {
            out.push_str(NONE);
            out.push('\n');
        }
    }
}

struct Composer<'i, 'r, 't, 'a> {
    sections: Vec<Filling<'i>>,
    /// The template has headings; one that is free in form gets the same lines without them.
    headed: bool,
    request: &'r Request<'t, 'a>,
}

impl Composer<'_, '_, '_, '_> {
    /// Every section gets its share; what one does not need goes to the others, share by share.
    fn fill(&mut self, available: u64) {
        let cost = |text: &str| (self.request.count)(&format!("- {text}\n")).0;
        let mut caps: Vec<u64> = vec![0; self.sections.len()];
        for _ in 0..ROUNDS {
            let left = available.saturating_sub(self.sections.iter().map(|section| section.spent).sum());
            let hungry: u64 =
                self.sections.iter().filter(|section| section.is_hungry()).map(|section| share(section.source)).sum();
            if hungry == 0 {
                return;
            }
            let mut grown = false;
            for (section, cap) in self.sections.iter_mut().zip(&mut caps).filter(|(section, _)| section.is_hungry()) {
                *cap = section.spent + left * share(section.source) / hungry;
                grown |= section.choose(*cap, &cost);
            }
            if !grown {
                break;
            }
        }
        self.pour(available, &cost);
    }

    /// Gives what is left to one section after the other.
    fn pour(&mut self, available: u64, cost: &dyn Fn(&str) -> u64) {
        for source in [Source::Goal, Source::Files, Source::Discoveries, Source::Accomplished, Source::Instructions] {
            let spent: u64 = self.sections.iter().map(|section| section.spent).sum();
            let left = available.saturating_sub(spent);
            if let Some(section) = self.sections.iter_mut().find(|section| section.source == Some(source)) {
                section.choose(section.spent + left, cost);
            }
        }
    }

    /// A goal that does not fit is cut, since a summary without one is of no use.
    fn shorten_goal(&mut self) {
        let Some(at) = self.sections.iter().position(|section| section.source == Some(Source::Goal)) else { return };
        if self.sections[at].spent > 0 || self.sections[at].items.is_empty() {
            return;
        }
        self.sections[at].items[0].state = State::Chosen;
        let full = self.sections[at].items[0].text.clone();
        let mut most = full.chars().count() / 2;
        while most >= 8 {
            self.sections[at].items[0].text = cut(&full, most).into_owned();
            if self.tokens() <= self.request.budget {
                return;
            }
            most = most * 2 / 3;
        }
        self.sections[at].items[0].state = State::Open;
    }

    /// Takes lines back until the whole, counted exactly, fits.
    fn trim(&mut self) -> Result<(), SummaryError> {
        loop {
            let tokens = self.tokens();
            if tokens <= self.request.budget {
                return Ok(());
            }
            let mut over = (tokens - self.request.budget).0;
            while over > 0 {
                let price = self
                    .drop_one()
                    .ok_or(SummaryError::BudgetTooSmall { budget: self.request.budget, needed: tokens })?;
                over = over.saturating_sub(price.max(1));
            }
        }
    }

    /// Takes a line from the section that is furthest above its share.
    fn drop_one(&mut self) -> Option<u64> {
        let full = self.sections.iter_mut().filter(|section| section.items.iter().any(|entry| entry.is_chosen()));
        full.max_by_key(|section| section.spent * 100 / share(section.source).max(1))?.drop_last()
    }

    fn render(&self) -> String {
        let mut out = String::new();
        for section in &self.sections {
            if self.headed && !out.is_empty() {
                out.push('\n');
            }
            section.render(&mut out, self.headed);
        }
        out
    }

    fn lines(&self) -> Vec<Line> {
        let of = |section: &Filling<'_>| {
            let chosen = section.items.iter().filter(|entry| entry.is_chosen());
            let line = |entry: &Entry<'_>| Line {
                section: section.name.clone(),
                text: entry.text.clone(),
                origin: entry.item.origin,
            };
            chosen.map(line).collect::<Vec<_>>()
        };
        self.sections.iter().flat_map(of).collect()
    }

    fn tokens(&self) -> Tokens {
        (self.request.count)(&wrap(&self.render()))
    }

    fn faults(&self) -> Vec<Fault> {
        let cut = self.sections.iter().filter(|section| section.cut_files() > 0);
        cut.map(|section| Fault::new(Rule::FilesCut, Some(&section.name), None)).collect()
    }
}
