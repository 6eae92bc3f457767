//! A section being filled: its lines are chosen by what they say and by the facts they add.

use super::super::gist::{Gist, Words};
use super::super::items::Item;
use super::super::knowledge::{Covered, Knowledge};
use super::super::names::Names;
use super::super::phrases::{ALSO_RAN, ALSO_WORKED};
use super::super::sections::NONE;
use super::super::template::{SectionSource, TemplateSection};
use super::candidate::Candidate;
use super::entry::{Entry, State, listed};
use crate::transcript::{Spread, Tokens, pieces_of, spread};
use foldhash::HashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Number of lines that may fail to fit before a section counts as full.
const MISSES: usize = 6;
/// Number of read-only files with a line each; the others share a line.
const READ: usize = 12;
/// Maximum number of lines considered: the best by rank.
const MOST: usize = 20_000;
/// Maximum number of lines that get room that nothing else uses.
const SPARE: usize = 12;

/// Bytes of text in which looking for facts is worth a core of its own.
const TEXTS: usize = 16 << 10;

/// Indent of a step below its request.
const BELOW: &str = "  ";

/// Shared tools of the choice.
#[derive(Clone, Copy)]
pub(super) struct Tools<'t> {
    pub(super) knowledge: &'t Knowledge,
    /// The names that may be listed, and where.
    pub(super) names: &'t Names,
    /// Counts the tokens of a text.
    pub(super) count: &'t (dyn Fn(&str) -> Tokens + Sync),
}

impl Tools<'_> {
    /// Tokens of a text.
    pub(super) fn tokens(self, text: &str) -> u64 {
        (self.count)(text).0
    }

    /// Tokens of a text as a line of a list; `below`: indented.
    pub(super) fn line(self, text: &str, below: bool) -> u64 {
        self.tokens(&format!("{}- {text}\n", if below { BELOW } else { "" }))
    }
}

/// What all sections choose by: the facts that chosen lines have, in any section, and the tools.
pub(super) struct Chooser<'t> {
    pub(super) covered: Covered,
    pub(super) tools: Tools<'t>,
}

impl<'t> Chooser<'t> {
    /// Before anything is chosen.
    pub(super) fn new(tools: Tools<'t>) -> Self {
        Self { covered: Covered::default(), tools }
    }
}

/// A section with its candidate lines and what was chosen so far.
pub(super) struct Filling<'i> {
    pub(super) name: String,
    pub(super) source: Option<SectionSource>,
    pub(super) items: Vec<Entry<'i>>,
    /// Indices of `items`, by rank, highest first.
    pub(super) order: Vec<usize>,
    pub(super) spent: u64,
    /// Whether nothing else needs the room: then plain closing sentences are lines too, and rank alone decides.
    pub(super) spare: bool,
    /// Gists of the chosen lines, each with the request that it answers.
    pub(super) gists: Vec<(Gist, Option<usize>)>,
    pub(super) words: Words,
    /// Lines of the index: the lead, and the names after it.
    pub(super) index: Vec<(String, Vec<String>)>,
    /// Tokens of the beginnings of lines of the index, cached.
    pub(super) starts: HashMap<String, u64>,
    /// Number of names of each series in the index.
    pub(super) series: HashMap<String, usize>,
    /// Positions of the names of the index, in the order in which they were added.
    pub(super) trail: Vec<Named>,
}

/// Position of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    /// After a line, among the names that its file defines.
    Defined(usize),
    /// After a line, among its other names.
    Beside(usize),
    /// In a line of the index.
    Index(usize),
    /// In a line of the index, in place of a changed file's own line.
    Changed {
        /// The line of the index.
        line: usize,
        /// The entry of the file.
        entry: usize,
    },
}

impl<'i> Filling<'i> {
    pub(super) fn new(
        TemplateSection { name, source }: &TemplateSection,
        items: &'i [Item],
        knowledge: &Knowledge,
        over: &dyn Spread,
    ) -> Self {
        let source = *source;
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_by_key(|&at| Reverse(items[at].rank));
        let entry = |at: usize| Entry::new(items, at, knowledge);
        let cuts = pieces_of(TEXTS, items.iter().map(|item| item.text.len()));
        let entries = spread(over, &cuts, |piece| piece.map(entry).collect::<Vec<_>>());
        let mut entries: Vec<Entry<'_>> = entries.into_iter().flatten().collect();
        let only_read = |at: &&usize| items[**at].path.is_some() && !items[**at].changed_file;
        let brief = order.iter().filter(only_read).skip(READ).filter(|_| source == Some(SectionSource::Files));
        brief.for_each(|at| entries[*at].brief = true);
        // What comes next belongs to the newest request, which the goal may have.
        if let Some(newest) = entries.iter_mut().rev().find(|entry| entry.asks()).filter(|entry| !entry.item.in_goal) {
            newest.length = 1.0;
        }
        Self {
            name: name.to_owned(),
            source,
            items: entries,
            order,
            spent: 0,
            spare: false,
            gists: Vec::new(),
            words: Words::default(),
            index: Vec::new(),
            starts: HashMap::default(),
            series: HashMap::default(),
            trail: Vec::new(),
        }
    }

    /// Whether lines are chosen by their facts too; otherwise by rank alone.
    fn covers(&self) -> bool {
        !self.spare
            && matches!(
                self.source,
                Some(SectionSource::Discoveries | SectionSource::Accomplished | SectionSource::Errors)
            )
    }

    /// Chooses the most valuable lines that fit below `cap` tokens; returns whether any was chosen.
    pub(super) fn choose(&mut self, cap: u64, chooser: &mut Chooser<'_>) -> bool {
        let Chooser { covered, tools } = chooser;
        // Files: stop at the first miss, so that no short line displaces a changed file.
        let mut misses = if self.source == Some(SectionSource::Files) { 1 } else { MISSES };
        let below = self.source == Some(SectionSource::Accomplished);
        let before = self.spent;
        let mut open = self.open(covered, tools.knowledge);
        while let Some(at) = self.best(&mut open, covered, tools.knowledge) {
            // It may have been chosen as another line's partner.
            if self.items[at].state != State::Open {
                continue;
            }
            // Lines of files differ in their path only.
            if self.source != Some(SectionSource::Files) && self.is_repeated(at) {
                self.items[at].state = State::Repeated;
                continue;
            }
            let Ok(partners) = self.partners(at) else {
                self.items[at].state = State::Repeated;
                continue;
            };
            let left = cap - self.spent.min(cap);
            let mut price = |both: [Option<usize>; 2]| -> u64 {
                both.into_iter().flatten().map(|at| self.items[at].priced(*tools, below)).sum()
            };
            let all = partners.into_iter().map(|partner| [partner, Some(at)]);
            if let Some((both, price)) = all.map(|both| (both, price(both))).find(|(_, price)| *price <= left) {
                both.into_iter().flatten().for_each(|at| self.take(at, covered));
                self.spent += price;
            } else {
                misses -= 1;
            }
            if misses == 0 {
                break;
            }
        }
        self.spent > before
    }

    /// Lines of which one must be chosen along with this one, in order of preference: an answer needs its request, a
    /// request one of its results; `None` means it can be chosen alone. An error if its request can never be chosen.
    /// A request that the goal has says nothing alone, and its answer can do without it.
    fn partners(&mut self, at: usize) -> Result<Vec<Option<usize>>, ()> {
        let mut results: Vec<usize> = self.open_results(at).collect();
        results.retain(|at| !self.is_said(*at));
        let request = self.request_of(at)?;
        let in_goal = |at: usize| self.items[at].item.in_goal;
        let is_told = self.items[at].results.iter().any(|result| self.items[*result].is_chosen());
        // Any other request is chosen alone if none of them fits.
        let alone = Some(request).filter(|_| is_told || self.items[at].binds || !in_goal(at));
        let unasked = request.filter(|request| in_goal(*request)).map(|_| None);
        let lead = self.lead_of(at).filter(|lead| !in_goal(*lead)).map(Some);
        Ok(results.into_iter().map(Some).chain(lead).chain(alone).chain(unasked).collect())
    }

    /// The request above a step that can stand alone, if it is still open: without it the step would seem to belong to
    /// the request before.
    pub(super) fn lead_of(&self, at: usize) -> Option<usize> {
        let stands_alone = !self.items[at].item.answers && !self.items[at].asks();
        let request = self.request_above(at).filter(|_| stands_alone)?;
        (self.items[request].state == State::Open).then_some(request)
    }

    /// The request of the turn that a line belongs to.
    pub(super) fn request_above(&self, at: usize) -> Option<usize> {
        let turn = self.items[at].item.turn?;
        let own = (0..at).rev().take_while(|at| self.items[*at].item.turn == Some(turn));
        own.filter(|at| self.items[*at].asks()).last()
    }

    /// The results of a request, unless it has a rule and is chosen without them.
    fn open_results(&self, at: usize) -> impl Iterator<Item = usize> {
        let is_waiting = !self.items[at].binds;
        self.outcomes(at).filter(move |_| is_waiting)
    }

    /// Chooses a line.
    pub(super) fn take(&mut self, at: usize, covered: &mut Covered) {
        self.items[at].state = State::Chosen;
        covered.add(&self.items[at].facts);
        let gist = self.gist(at);
        let asked = self.question_of(at);
        self.gists.push((gist, asked));
    }

    /// The worth a line adds to the chosen ones per length; a request is taken together with its first result.
    fn value(&self, at: usize, covered: &Covered, knowledge: &Knowledge) -> Option<f64> {
        let own = self.items[at].worth(covered, knowledge)?;
        let result = self.open_results(at).next();
        let (worth, length) = result.map_or((0.0, 0.0), |at| {
            (self.items[at].worth(covered, knowledge).unwrap_or_default(), self.items[at].length)
        });
        Some((own + worth) / (self.items[at].length + length))
    }

    /// The request that an answer belongs to, if it is not chosen yet; an error if it can never be chosen.
    fn request_of(&self, at: usize) -> Result<Option<usize>, ()> {
        if self.items[at].item.turn.is_none() || !self.items[at].item.answers {
            return Ok(None);
        }
        let request = self.request_above(at).ok_or(())?;
        match self.items[request].state {
            State::Open => Ok(Some(request)),
            State::Chosen => Ok(None),
            State::Repeated | State::Named => Err(()),
        }
    }

    /// The open lines with their current values, as a heap.
    fn open(&self, covered: &Covered, knowledge: &Knowledge) -> BinaryHeap<Candidate> {
        let open = self.order.iter().take(MOST).zip((0..).map(Reverse));
        let open = open.filter(|(at, _)| self.items[**at].state == State::Open && !self.items[**at].brief);
        let open = open.filter(|(at, _)| !self.spare || self.items[**at].item.fills);
        let open = open.take(if self.spare { SPARE } else { MOST });
        let candidate = |(at, rank): (&usize, Reverse<usize>)| {
            let value = if self.covers() { self.value(*at, covered, knowledge)? } else { 0.0 };
            Some(Candidate { value, before: if self.covers() { Reverse(*at) } else { rank }, at: *at })
        };
        open.filter_map(candidate).collect()
    }

    /// Removes and returns the most valuable open line. The worth of a line only falls while others are chosen, so a
    /// top line whose value has not changed is the best.
    fn best(&self, open: &mut BinaryHeap<Candidate>, covered: &Covered, knowledge: &Knowledge) -> Option<usize> {
        while let Some(best) = open.pop() {
            if !self.covers() {
                return Some(best.at);
            }
            match self.value(best.at, covered, knowledge) {
                Some(value) if value.total_cmp(&best.value).is_eq() => return Some(best.at),
                Some(value) => open.push(Candidate { value, ..best }),
                None => {}
            }
        }
        None
    }

    pub(super) fn is_hungry(&self) -> bool {
        self.items.iter().any(|entry| entry.state == State::Open)
    }

    /// Takes back the last name of the index or, where there is none, the chosen line of the lowest rank; returns its
    /// price.
    pub(super) fn drop_last(&mut self, chooser: &mut Chooser<'_>) -> Option<u64> {
        if let Some(named) = self.trail.pop() {
            let name = match named {
                Named::Defined(at) => self.items[at].defines.pop(),
                Named::Beside(at) => self.items[at].names.pop(),
                Named::Index(at) => self.index[at].1.pop(),
                Named::Changed { line, entry } => {
                    self.items[entry].state = State::Open;
                    self.index[line].1.pop()
                }
            };
            let price = chooser.tools.tokens(&name.unwrap_or_default()) + 1;
            self.spent = self.spent.saturating_sub(price);
            return Some(price);
        }
        let at = *self.order.iter().rev().find(|&&at| self.items[at].is_chosen())?;
        let entry = &mut self.items[at];
        entry.state = State::Open;
        chooser.covered.remove(&entry.facts);
        let price = entry.cost.unwrap_or(0);
        self.spent = self.spent.saturating_sub(price);
        Some(price)
    }

    /// The lines that were not chosen.
    fn cut(&self) -> impl Iterator<Item = &Entry<'i>> {
        self.items.iter().filter(|entry| matches!(entry.state, State::Open | State::Repeated))
    }

    /// The number of changed files that are not named.
    pub(super) fn cut_files(&self) -> usize {
        self.cut().filter(|entry| entry.item.changed_file).count()
    }

    /// Indices of the lines of files, by path.
    pub(super) fn files(&self) -> HashMap<&'i str, usize> {
        let paths = self.items.iter().enumerate().filter_map(|(at, entry)| Some((entry.item.path.as_deref()?, at)));
        paths.collect()
    }

    pub(super) fn render(&self, out: &mut String, headed: bool) {
        if headed {
            out.extend(["## ", &self.name, "\n"]);
        }
        let before = out.len();
        let mut open: Option<usize> = None;
        for entry in self.items.iter().filter(|entry| entry.is_chosen()) {
            let asks = entry.asks();
            let below = !asks && entry.item.turn.is_some() && entry.item.turn == open;
            out.extend([if below { BELOW } else { "" }, "- "]);
            entry.write(out);
            out.push('\n');
            open = if asks { entry.item.turn } else { open };
        }
        for (lead, names) in self.index.iter().filter(|(_, names)| !names.is_empty()) {
            out.extend(["- ", lead]);
            listed(names, out);
            out.push('\n');
        }
        if self.cut_files() > 0 {
            *out += &format!("- and {} more\n", self.cut().count());
        }
        if headed && out.len() == before {
            out.push_str(NONE);
            out.push('\n');
        }
    }

    /// The chosen lines about commands, from the command on.
    pub(super) fn told_runs(&self) -> impl Iterator<Item = &str> {
        let chosen = self.items.iter().filter(|entry| entry.is_chosen());
        chosen.filter_map(|entry| entry.text.strip_prefix("Ran `"))
    }

    /// Removes from the index the commands that one of these lines starts with, except failed ones.
    pub(super) fn drop_commands(&mut self, told: &[String]) {
        let is_told = |name: &String| {
            let name = name.trim_matches('`');
            told.iter().any(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(['`', ' '])))
        };
        let commands = self.index.iter_mut().filter(|(lead, _)| [ALSO_RAN, ALSO_WORKED].contains(&&**lead));
        commands.for_each(|(_, names)| names.retain(|name| !is_told(name)));
    }
}

#[cfg(test)]
mod tests {
    use crate::summary::builders::{act, agent, request, user};
    use crate::summary::{Template, extractive};
    use crate::transcript::Message;

    fn told(turns: &[(&str, &str, &str)]) -> String {
        let turn = |(number, (asked, printed, said)): (usize, &(&str, &str, &str))| {
            let call = format!(r#"{{"command":"./book --seat {number}"}}"#);
            let deeds = act("Bash", &call, printed, false);
            [user(asked)].into_iter().chain(deeds).chain([agent(said)]).collect::<Vec<_>>()
        };
        let mut messages: Vec<Message<'_>> = turns.iter().enumerate().flat_map(turn).collect();
        messages.push(user("Which version are we on?"));
        extractive(&request(&messages, 2_000), &Template::default()).map(|summary| summary.text).unwrap_or_default()
    }

    #[test]
    fn rules_and_requests_that_differ_in_one_word_are_told() {
        let text = told(&[
            ("Draft the board of the harbour.", "drafted", "The board is drafted."),
            ("Never write to the production database of the harbour office.", "ok", "Understood."),
            ("Never write to the staging database of the harbour office.", "ok", "Understood, too."),
            ("Please book the morning ferry to the island for Anna.", "booked K1", "Done."),
            ("Please book the morning ferry to the island for Ben.", "failed: full", "It is full."),
        ]);
        for own in ["- Never write to the production", "- Never write to the staging", "for Anna.”", "for Ben.”"] {
            assert!(text.contains(own), "{own}: {text}");
        }
    }

    #[test]
    fn a_request_that_is_made_again_is_told_again_if_something_came_of_it() {
        let commit = ("Please commit the changes.", "[main a1b2c3d] draft\n 1 file changed", "Committed.");
        let again = ("Please commit the changes.", "[main b2c3d4e] tide\n 1 file changed", "Committed.");
        let text = told(&[commit, ("Add the tide table.", "added", "The tide table is there."), again]);
        assert_eq!(text.matches("Asked: “Please commit the changes.”").count(), 2, "{text}");
    }

    #[test]
    fn the_same_answer_to_another_question_is_told() {
        let talk = |turns: &[(&str, &str)]| {
            let all = turns.iter().flat_map(|(asked, said)| [user(asked), agent(said)]);
            let messages: Vec<Message<'_>> = all.chain([user("Good, book it.")]).collect();
            extractive(&request(&messages, 2_000), &Template::default()).map(|summary| summary.text).unwrap_or_default()
        };
        let included = "Yes, it is included in the price of the cabin.";
        let text = talk(&[
            ("Is parking included?", "Yes."),
            ("Are towels included?", "Yes."),
            ("What does the cleaning cost?", "$80."),
            ("How much is the deposit?", "$80."),
            ("When do we come?", "2026-06-12."),
            ("Can we bring a dog?", "Of course."),
            ("Is the boat included?", included),
            ("Is the firewood included?", included),
            ("Is the firewood included?", included),
        ]);
        for (answer, times) in [("Yes.", 2), ("$80.", 2), ("2026-06-12.", 1), ("Of course.", 1), (included, 2)] {
            assert_eq!(text.matches(&format!("  - {answer}\n")).count(), times, "{answer}: {text}");
        }
    }

    #[test]
    fn findings_with_another_word_are_told() {
        let said = |language: &str| format!("The importer of the tide table works with the {language} files.");
        let [danish, swedish] = ["Danish", "Swedish"].map(said);
        let text = told(&[("Does it work in Danish?", "ok", &danish), ("And in Swedish?", "ok", &swedish)]);
        assert!(text.contains(&danish) && text.contains(&swedish), "{text}");
    }
}
