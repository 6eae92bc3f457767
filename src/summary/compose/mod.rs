//! Chooses lines that fit the budget and prints them under the headings of the template.
//!
//! - `filling`, `entry`, `candidate`: a section that is filled, its lines, and their order by value.
//! - `firsts`, `plans`, `outcomes`, `repeated`: requests, plans, results and repetitions, which are chosen apart.
//! - `index`, `ran`: names that no line has. `lengthened`: lines told whole in room that is left.

mod candidate;
mod entry;
mod filling;
mod firsts;
mod index;
mod lengthened;
mod outcomes;
mod plans;
mod ran;
mod repeated;

use super::items::Items;
use super::knowledge::Knowledge;
use super::names::Names;
use super::sections::{SectionFault, SectionRule};
use super::template::{SectionSource, Template, TemplateSection};
use super::wrapper::wrap;
use super::{Line, Request, SummaryError};
use crate::secrets::redact;
use crate::transcript::{Spread, Spreading, Tokens, spread};
use entry::Entry;
pub(super) use entry::{DEFINES, HAS};
use filling::{Chooser, Filling, Tools};
use foldhash::HashMap;
pub(super) use index::{CHANGED_FILES, DELETED_FILES, INDEX_LINES, READ_FILES};
use index::{Likely, Room};
use std::borrow::Cow;
use std::cell::RefCell;

/// Share of the index (names without a line) in the room that the headings leave, in percent: of the first [`SHORT`]
/// tokens, and of those beyond, since a long summary names the likely ones in its lines.
const INDEX: u64 = 40;
const BEYOND: u64 = 30;
const SHORT: u64 = 2_000;
/// Extra share of the index, in percent, from what the lines did not use.
const MORE: u64 = 13;
/// Maximum share of identifiers, ids and addresses, in percent; names that a file defines do not count.
const IDENTIFIERS: u64 = 25;
/// Share that the steps get besides their own, in percent of the room, once all instructions are chosen: they also have
/// what else the user said.
const SAID: u64 = 8;
/// Share of the room for the other steps of plans of which some are told, in percent.
const PLANS: u64 = 10;
/// Share of the lines' room that the goal may take before all others, in percent.
const GOAL: u64 = 33;
/// Tokens for rules of the user before all lines but the goal, and before names, of at most half of the room that is left:
/// so that a short summary has the newest rule rather than a file.
const RULES: u64 = 40;
/// Tokens that the newest rule may take in any case.
const RULE: u64 = 24;
/// Maximum number of rounds in which unused room is shared among the other sections.
const ROUNDS: usize = 6;

/// The order in which sources get the room that is left.
const POURED: [SectionSource; 8] = [
    SectionSource::Goal,
    SectionSource::Instructions,
    SectionSource::Pending,
    SectionSource::Messages,
    SectionSource::Files,
    SectionSource::Errors,
    SectionSource::Discoveries,
    SectionSource::Accomplished,
];

/// The initial share of a source, in percent of the room.
fn share(source: Option<SectionSource>) -> u64 {
    match source {
        Some(SectionSource::Goal) => 8,
        Some(SectionSource::Instructions | SectionSource::Messages) => 32,
        Some(SectionSource::Discoveries) => 28,
        Some(SectionSource::Accomplished) => 29,
        Some(SectionSource::Files) => 18,
        Some(SectionSource::Errors) => 9,
        Some(SectionSource::Pending) => 6,
        None => 0,
    }
}

/// A summary within its budget, before validation.
pub(super) struct Composed {
    /// Its text, without wrapper.
    pub(super) text: String,
    /// Its lines with their origins.
    pub(super) lines: Vec<Line>,
    /// Faults caused by the budget.
    pub(super) faults: Vec<SectionFault>,
}

impl Composed {
    /// Redacts credentials (SPEC ruling 14); the replacement is shorter than any credential, so the budget still
    /// holds.
    pub(super) fn without_secrets(mut self) -> Self {
        let bare = |text: &mut String| {
            if let Cow::Owned(redacted) = redact(text).0 {
                *text = redacted;
            }
        };
        bare(&mut self.text);
        self.lines.iter_mut().for_each(|line| bare(&mut line.text));
        self
    }
}

/// What the head and earlier summaries gave, of which the summary is made.
pub(super) struct Material<'m> {
    /// Candidate lines.
    pub(super) items: &'m Items,
    /// The facts of the head.
    pub(super) knowledge: &'m Knowledge,
    /// The places of its names.
    pub(super) names: &'m Names,
}

/// Chooses the lines and renders them. `spreading` is that of the head.
pub(super) fn compose(
    material: &Material<'_>,
    template: &Template,
    request: &Request<'_, '_>,
    spreading: Spreading<'_>,
) -> Result<Composed, SummaryError> {
    let Material { knowledge, names, .. } = *material;
    let tools = Tools { knowledge, names, count: request.count };
    let fill = || fillings(material, template, spreading.over);
    let (sections, likely) = spreading.both(fill, || index::ranked(tools, spreading.over));
    let (headed, counts) = (!template.sections().is_empty(), RefCell::default());
    let mut composer = Composer { sections, headed, request, chooser: Chooser::new(tools), counts };
    let skeleton = composer.tokens();
    if skeleton > request.budget {
        return Err(SummaryError::BudgetTooSmall { budget: request.budget, needed: skeleton });
    }
    let room = (request.budget - skeleton).0;
    let mut rest = room_of_index(room);
    composer.state_goal(room - rest.all);
    composer.state_rules(room);
    composer.fill(room - rest.all);
    rest.all = rest.all.min(room.saturating_sub(composer.spent()));
    rest.all = rest.all.saturating_sub(composer.complete_plans(room * PLANS / 100));
    rest = composer.index(&likely, rest);
    rest.all += room * MORE / 100;
    let mut tokens = composer.tokens();
    for _ in 0..ROUNDS {
        composer.pour(composer.spent() + request.budget.saturating_sub(tokens).0);
        // The index gets what the lines did not use, up to its share.
        let left = request.budget.saturating_sub(composer.tokens()).0;
        let most = Room { identifiers: rest.identifiers.min(left), all: rest.all.min(left) };
        let unspent = composer.index(&likely, most);
        let identifiers = rest.identifiers - (most.identifiers - unspent.identifiers);
        rest = Room { identifiers, all: rest.all - (most.all - unspent.all) };
        let before = std::mem::replace(&mut tokens, composer.tokens());
        if tokens == before {
            break;
        }
    }
    composer.name_read_files();
    composer.lengthen_answers();
    // Room that nothing else uses goes to paths and commands.
    let left = request.budget.saturating_sub(composer.tokens()).0;
    composer.index(&likely, Room { identifiers: 0, all: left });
    composer.use_up(room)?;
    Ok(Composed { text: composer.render(), lines: composer.lines(), faults: composer.faults() })
}

/// The share of the index in the room that the headings leave.
fn room_of_index(room: u64) -> Room {
    let short = room.min(SHORT);
    let all = (short * INDEX + (room - short) * BEYOND) / 100;
    Room { identifiers: room * IDENTIFIERS / 100, all }
}

fn fillings<'i>(material: &Material<'i>, template: &Template, over: &dyn Spread) -> Vec<Filling<'i>> {
    let Material { items, knowledge, .. } = *material;
    let five = Template::default();
    let template = if template.sections().is_empty() { &five } else { template };
    let filling = |section: &TemplateSection| {
        let items = section.source.map_or(&[][..], |source| items.by_source(source));
        Filling::new(section, items, knowledge, over)
    };
    let sections = template.sections();
    let each: Vec<_> = (0..sections.len()).map(|at| at..at + 1).collect();
    spread(over, &each, |at| filling(&sections[at.start]))
}

struct Composer<'i, 'r, 't, 'a> {
    sections: Vec<Filling<'i>>,
    /// Whether the template has headings; a free-form summary has the same lines without headings.
    headed: bool,
    request: &'r Request<'t, 'a>,
    chooser: Chooser<'r>,
    /// Token counts of lines, cached.
    counts: RefCell<HashMap<String, u64>>,
}

/// The section that is filled from this source, if the template has it.
fn section_of<'s, 'i>(sections: &'s mut [Filling<'i>], source: SectionSource) -> Option<&'s mut Filling<'i>> {
    sections.iter_mut().find(|section| section.source == Some(source))
}

impl Composer<'_, '_, '_, '_> {
    /// Tells more of what is chosen in the rest of the `room` that the headings left, and cuts what is too long.
    fn use_up(&mut self, room: u64) -> Result<(), SummaryError> {
        self.tell_more();
        self.tell_outcomes(room);
        self.trim()?;
        self.tell_cut_plans()?;
        self.lengthen();
        self.without_told_commands();
        Ok(())
    }

    /// Chooses the lines of the goal for its share of `available` tokens.
    fn state_goal(&mut self, available: u64) {
        if let Some(goal) = section_of(&mut self.sections, SectionSource::Goal) {
            let most = available * GOAL / 100;
            goal.choose(most, &mut self.chooser);
            goal.yield_to_first(&mut self.chooser.covered);
            // Long requests may take room of others, but not all of it.
            goal.shorten(2 * most, &mut self.chooser);
        }
    }

    /// Chooses the first rules in what the goal left of `room` tokens.
    fn state_rules(&mut self, room: u64) {
        let left = room.saturating_sub(self.spent());
        let most = RULES.min(left / 2).max(RULE.min(left));
        if let Some(rules) = section_of(&mut self.sections, SectionSource::Instructions) {
            rules.choose(most, &mut self.chooser);
        }
    }

    /// Chooses lines for `available` tokens: every section up to its share; what a section does not use is shared among
    /// the others.
    fn fill(&mut self, available: u64) {
        for _ in 0..ROUNDS {
            let left = available.saturating_sub(self.spent());
            let of_instructions = |section: &&Filling<'_>| section.source == Some(SectionSource::Instructions);
            let spare = self.sections.iter().find(of_instructions).is_some_and(|section| !section.is_hungry());
            let share = |section: &Filling<'_>| match section.source {
                Some(SectionSource::Accomplished) if spare => share(section.source) + SAID,
                source => share(source),
            };
            let hungry: u64 = self.sections.iter().filter(|section| section.is_hungry()).map(share).sum();
            if hungry == 0 {
                return;
            }
            let mut grown = false;
            for section in self.sections.iter_mut().filter(|section| section.is_hungry()) {
                let cap = section.spent + left * share(section) / hungry;
                grown |= section.choose(cap, &mut self.chooser);
            }
            if !grown {
                break;
            }
        }
        self.pour(available);
    }

    /// Gives the room that is left to one section after the other.
    fn pour(&mut self, available: u64) {
        for source in POURED {
            let left = available.saturating_sub(self.spent());
            if let Some(section) = section_of(&mut self.sections, source) {
                let most = section.spent + left;
                section.lengthen(most, &mut self.chooser);
                section.choose(most, &mut self.chooser);
            }
        }
    }

    /// Gives the room that is still left to what each turn changed, and to plain sentences of the agent's last texts,
    /// newest first.
    fn tell_more(&mut self) {
        for source in [SectionSource::Accomplished, SectionSource::Discoveries] {
            let left = self.request.budget.saturating_sub(self.tokens()).0;
            if let Some(section) = section_of(&mut self.sections, source) {
                section.spare = true;
                section.choose(section.spent + left, &mut self.chooser);
            }
        }
    }

    fn spent(&self) -> u64 {
        self.sections.iter().map(|section| section.spent).sum()
    }

    /// Adds names without a line for at most `most` tokens and returns the room that is left. They go to the section
    /// of the files or, if the template has none, to the discoveries.
    fn index(&mut self, likely: &[Likely], most: Room) -> Room {
        let of = |source| self.sections.iter().position(|section| section.source == Some(source));
        let home = of(SectionSource::Files).or_else(|| of(SectionSource::Discoveries));
        let Some(section) = home.and_then(|home| self.sections.get_mut(home)) else { return most };
        index::add(section, likely, most, &mut self.chooser)
    }

    /// Names, in the room that is left, the files that were only read and whose names are no news, since the kept
    /// messages have them: that they were read is.
    fn name_read_files(&mut self) {
        let left = self.request.budget.saturating_sub(self.tokens()).0;
        if let Some(files) = section_of(&mut self.sections, SectionSource::Files) {
            index::add_read_files(files, left, self.chooser.tools);
        }
    }

    /// Takes lines back until the whole text, counted exactly, fits the budget.
    fn trim(&mut self) -> Result<(), SummaryError> {
        loop {
            let tokens = self.tokens_of_whole();
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

    /// Takes a line from the section that exceeds its share most; from the goal only if no other section has a line.
    fn drop_one(&mut self) -> Option<u64> {
        let full = self.sections.iter_mut().filter(|section| section.items.iter().any(|entry| entry.is_chosen()));
        let above = |section: &&mut Filling<'_>| {
            (section.source != Some(SectionSource::Goal), section.spent * 100 / share(section.source).max(1))
        };
        let most = full.max_by_key(above)?;
        most.drop_last(&mut self.chooser)
    }

    /// Removes commands from the index that a chosen line is about.
    fn without_told_commands(&mut self) {
        let told = |section: &Filling<'_>| section.told_runs().map(str::to_owned).collect::<Vec<_>>();
        let told: Vec<String> = self.sections.iter().flat_map(told).collect();
        self.sections.iter_mut().for_each(|section| section.drop_commands(&told));
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
                text: entry.line(),
                origin: entry.item.origin,
            };
            chosen.map(line).collect::<Vec<_>>()
        };
        self.sections.iter().flat_map(of).collect()
    }

    /// Tokens of the whole text, wrapper included, as the sum of its lines, with cached counts: nearly all encodings
    /// count a text like that; the exact count is taken at the end.
    fn tokens(&self) -> Tokens {
        let text = wrap(&self.render());
        let mut counts = self.counts.borrow_mut();
        let (mut start, mut sum) = (0, 0);
        for end in text.match_indices('\n').map(|(at, _)| at + 1).chain([text.len()]) {
            if text[end..].starts_with('\n') || start == end {
                continue;
            }
            let line = &text[start..end];
            start = end;
            sum += counts.get(line).copied().unwrap_or_else(|| {
                let count = (self.request.count)(line).0;
                counts.insert(line.to_owned(), count);
                count
            });
        }
        Tokens(sum)
    }

    /// Tokens of the whole text, wrapper included, counted exactly.
    fn tokens_of_whole(&self) -> Tokens {
        (self.request.count)(&wrap(&self.render()))
    }

    fn faults(&self) -> Vec<SectionFault> {
        let cut = self.sections.iter().filter(|section| section.cut_files() > 0);
        cut.map(|section| SectionFault::new(SectionRule::FilesCut, Some(&section.name), None)).collect()
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use crate::summary::builders::{act, request, user};
    use crate::summary::{Template, extractive};

    #[test]
    fn a_short_summary_has_the_rule_that_the_goal_had_no_room_for_before_files() {
        let rule = "Find out why, mend it, and never touch the catalogue in data/targets.csv.";
        let goal = format!("The planner in nightplan puts targets on the list that are below the horizon. {rule}");
        let mut messages = vec![user(&goal)];
        messages.extend(act("Read", r#"{"file_path":"/w/nightplan/plan.py"}"#, "def rule_1(target):\n    pass", false));
        let told = |budget| {
            let summary = extractive(&request(&messages, budget), &Template::default()).unwrap();
            summary.text.lines().any(|line| line == format!("- {rule}"))
        };
        let cut: Vec<u64> = (60..120).filter(|budget| told(*budget)).collect();
        assert!(cut.len() > 15, "{cut:?}");
    }
}
