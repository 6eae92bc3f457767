//! The candidate lines of a summary, with origin and rank, grouped by source.

use super::extractive::{ASKED, SAID, is_ahead, is_failure, is_rule};
use super::provenance::{Place, mark};
use super::quotations::closed;
use super::template::{SectionSource, Template};
use super::text::{cut_quote, fold, key, whole_key};
use crate::transcript::{Spread, spread};
use foldhash::{HashMap, HashSet};
use std::borrow::Cow;

/// Maximum length of a message of the user that is also told with its steps, in characters.
const QUOTED: usize = 120;

/// Characters that end a line, for some reader of a summary.
const BREAKS: [char; 7] = ['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];

/// Lines of this rank or below are worth something only through new facts.
pub(super) const PLAIN: i64 = -400;

/// A candidate line of a summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    /// Its text: one line, without a bullet.
    pub(super) text: String,
    /// Index of its message among those of the head, then those behind it; `None` for a line of an earlier summary or
    /// a note.
    pub(super) origin: Option<usize>,
    /// Rank among the items of its source: a higher one is cut later.
    pub(super) rank: i64,
    /// Whether it names a changed file.
    pub(super) changed_file: bool,
    /// Whether it names a file that was deleted since.
    pub(super) deleted_file: bool,
    /// The path of its file, if it is about one.
    pub(super) path: Option<String>,
    /// Number of the request that it belongs to; set for the request's own item too.
    pub(super) turn: Option<usize>,
    /// Whether it is an answer to that request that makes no sense without it.
    pub(super) answers: bool,
    /// Whether its message stands behind the head, word for word.
    pub(super) kept: bool,
    /// Whether it is a request that the goal has word for word.
    pub(super) in_goal: bool,
    /// Whether it is worth room that nothing else uses: a plain sentence of the agent's last text of a turn, or the
    /// files that a turn changed.
    pub(super) fills: bool,
    /// Whether it is an answer that is told as it stands, with nothing left out.
    pub(super) is_whole: bool,
    /// Its text with all that was cut off, of an answer or a request: for room that is left at the end.
    pub(super) whole: Option<String>,
    /// Provenance mark printed after it, such as ` [line 104]`; mostly empty.
    pub(super) mark: String,
}

impl Item {
    /// An item that comes from a message.
    pub(super) fn new(text: String, origin: usize, rank: i64) -> Self {
        Self { origin: Some(origin), ..Self::carried(text, rank) }
    }

    /// An item without a message: from an earlier summary or a note.
    pub(super) fn carried(text: String, rank: i64) -> Self {
        Self {
            text,
            origin: None,
            rank,
            changed_file: false,
            deleted_file: false,
            path: None,
            turn: None,
            answers: false,
            kept: false,
            in_goal: false,
            fills: false,
            is_whole: false,
            whole: None,
            mark: String::new(),
        }
    }
}

/// The candidates of every source, in print order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Items {
    /// What the user wants done.
    pub(super) goal: Vec<Item>,
    /// How the user wants it done, newest first.
    pub(super) instructions: Vec<Item>,
    /// Findings, oldest first.
    pub(super) discoveries: Vec<Item>,
    /// Steps done, oldest first.
    pub(super) accomplished: Vec<Item>,
    /// Files worked on, most important first.
    pub(super) files: Vec<Item>,
    /// Failures, where the template has a section for them.
    pub(super) errors: Vec<Item>,
    /// Open work, where the template has a section for it.
    pub(super) pending: Vec<Item>,
    /// What the user said, oldest first, where the template has a section for it.
    pub(super) messages: Vec<Item>,
}

impl Items {
    /// The items of one source.
    pub(super) fn by_source(&self, source: SectionSource) -> &[Item] {
        match source {
            SectionSource::Goal => &self.goal,
            SectionSource::Instructions => &self.instructions,
            SectionSource::Discoveries => &self.discoveries,
            SectionSource::Accomplished => &self.accomplished,
            SectionSource::Files => &self.files,
            SectionSource::Errors => &self.errors,
            SectionSource::Pending => &self.pending,
            SectionSource::Messages => &self.messages,
        }
    }

    pub(super) fn of_mut(&mut self, source: SectionSource) -> &mut Vec<Item> {
        match source {
            SectionSource::Goal => &mut self.goal,
            SectionSource::Instructions => &mut self.instructions,
            SectionSource::Discoveries => &mut self.discoveries,
            SectionSource::Accomplished => &mut self.accomplished,
            SectionSource::Files => &mut self.files,
            SectionSource::Errors => &mut self.errors,
            SectionSource::Pending => &mut self.pending,
            SectionSource::Messages => &mut self.messages,
        }
    }

    /// Makes each text one line, whatever the values in it hold: a line break in one would begin a line, or even a
    /// heading, of the summary.
    pub(super) fn on_one_line(&mut self) {
        for source in SectionSource::ALL {
            let broken = self.of_mut(source).iter_mut().filter(|item| item.text.contains(BREAKS));
            broken.for_each(|item| item.text = fold(&item.text));
        }
    }

    /// Closes the quotations of texts that end within one; the user's words and names of files stay as they are.
    pub(super) fn close_quotations(&mut self) {
        use SectionSource::{Files, Goal, Instructions, Messages};
        let told = |source: &SectionSource| !matches!(source, Files | Goal | Instructions | Messages);
        for source in SectionSource::ALL.into_iter().filter(told) {
            for item in self.of_mut(source) {
                if let Cow::Owned(closed) = closed(&item.text) {
                    item.text = closed;
                }
            }
        }
    }

    /// Sets the provenance marks of the items. `lines` has the input line of each message, by the same index as
    /// `origin`.
    pub(super) fn mark(&mut self, lines: &[Place]) {
        for source in SectionSource::ALL {
            for item in self.of_mut(source) {
                let line = item.origin.and_then(|origin| lines.get(origin));
                item.mark = line.map_or_else(String::new, |line| mark(*line));
            }
        }
    }

    /// Removes discoveries whose text is also that of a step (compared by `key`), or is in the answer from the same
    /// message.
    pub(super) fn without_findings_told_as_steps(&mut self) {
        let Self { discoveries, accomplished, .. } = self;
        let steps: HashSet<String> = accomplished.iter().map(|item| key(&item.text)).collect();
        let answers: HashMap<_, _> = accomplished
            .iter()
            .filter(|item| item.answers || item.is_whole)
            .map(|item| (item.origin, &*item.text))
            .collect();
        let is_in_answer = |item: &Item| answers.get(&item.origin).is_some_and(|answer| answer.contains(&item.text));
        discoveries.retain(|item| !steps.contains(&key(&item.text)) && !is_in_answer(item));
    }

    /// Removes instructions that are part of a goal line and are no rules.
    pub(super) fn without_requests_told_as_goal(&mut self) {
        let Self { goal, instructions, .. } = self;
        let told = |item: &Item| goal.iter().any(|line| line.text.contains(&item.text));
        instructions.retain(|item| is_rule(&item.text) || !told(item));
    }

    /// For each source, which of its lines to keep: of lines that say the same, only the one of the highest rank.
    pub(super) fn unlike(&self, over: &dyn Spread) -> Vec<Vec<bool>> {
        let sources: Vec<_> = (0..SectionSource::ALL.len()).map(|at| at..at + 1).collect();
        spread(over, &sources, |source| unlike(self.by_source(SectionSource::ALL[source.start])))
    }

    /// Moves failures and open work to their own sources, where a section of the template asks for them; they lose
    /// the link to their request. Open work of an earlier summary stays among the steps if the user has made a new
    /// request since. What the user said is copied, as the steps need their requests; instructions are moved there if
    /// no other section has them.
    pub(super) fn set_apart(&mut self, template: &Template) {
        let asks = |source| template.sections().iter().any(|section| section.source == Some(source));
        let alone = |item: Item| Item { turn: None, answers: false, ..item };
        if asks(SectionSource::Pending) {
            let asked = self.accomplished.iter().any(|item| item.origin.is_some() && item.text.starts_with(ASKED));
            let holds = |item: &mut Item| is_ahead(&item.text) && (item.origin.is_some() || !asked);
            self.pending = self.accomplished.extract_if(.., holds).map(alone).collect();
        }
        if asks(SectionSource::Errors) {
            let found = self.discoveries.extract_if(.., |item| is_failure(&item.text));
            let run = self.accomplished.extract_if(.., |item| is_failure(&item.text));
            self.errors = found.chain(run).map(alone).collect();
            self.errors.sort_by_key(|item| item.origin);
        }
        if asks(SectionSource::Messages) {
            let said: Vec<Item> = self.accomplished.iter().filter_map(quoted).collect();
            let newest = i64::try_from(said.len()).unwrap_or(i64::MAX);
            let said = (-newest..).zip(said).map(|(rank, item)| Item { rank, ..alone(item) });
            let rules =
                if asks(SectionSource::Instructions) { Vec::new() } else { std::mem::take(&mut self.instructions) };
            self.messages = rules.into_iter().chain(said).collect();
            self.messages.sort_by_key(|item| item.origin);
        }
    }

    /// Keeps the lines flagged `true`, per source in the order of [`SectionSource::ALL`].
    pub(super) fn keep(&mut self, stays: Vec<Vec<bool>>) {
        for (source, stays) in SectionSource::ALL.into_iter().zip(stays) {
            let mut stays = stays.into_iter();
            self.of_mut(source).retain(|_| stays.next().unwrap_or(false));
        }
    }
}

/// Flags the lines to keep: of lines that say the same, only the one of the highest rank.
fn unlike(items: &[Item]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|&index| (std::cmp::Reverse(items[index].rank), index));
    let mut seen = HashSet::default();
    let mut stays = vec![false; items.len()];
    for index in order {
        // Compared by the full path and text: two paths or rules can share a long start.
        let item = &items[index];
        let key = item.path.clone().unwrap_or_else(|| whole_key(&item.text));
        // “Yes.” to another question is another answer.
        let key = if item.answers { asked_above(items, index).unwrap_or_default() + &key } else { key };
        // Several turns may have changed the same files, and a request that is made again can have another result.
        let has_result = items.get(index + 1).is_some_and(|next| next.turn == item.turn);
        let turn = item.turn.filter(|_| item.fills || item.text.starts_with(ASKED) && has_result);
        stays[index] = !key.is_empty() && seen.insert((turn, key));
    }
    stays
}

/// The request that a line stands below, in the form in which lines are compared.
fn asked_above(items: &[Item], index: usize) -> Option<String> {
    let turn = items[index].turn?;
    let mut own = items[..index].iter().rev().take_while(|item| item.turn == Some(turn));
    own.find(|item| item.text.starts_with(ASKED)).map(|item| whole_key(&item.text) + "\n")
}

/// A request, or what else the user said, without its lead.
fn quoted(item: &Item) -> Option<Item> {
    let said = [ASKED, SAID].iter().find_map(|lead| item.text.strip_prefix(lead))?;
    Some(Item { text: cut_quote(said, QUOTED).into_owned(), in_goal: false, ..item.clone() })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::transcript::InTurn;

    #[test]
    fn of_two_lines_that_say_the_same_the_better_ranked_stays() {
        let discoveries = vec![
            Item::new("The port is 80.".into(), 0, 1),
            Item::new("the **port** is 80".into(), 4, 7),
            Item::new("!!".into(), 5, 9),
        ];
        let file = |path: &str| Item { path: Some(path.into()), ..Item::new(path.into(), 0, 1) };
        let long = "/a/very/long/folder/".repeat(8);
        let files = vec![file(&format!("{long}a.rs")), file(&format!("{long}b.rs"))];
        let mut items = Items { discoveries, files, ..Items::default() };
        items.keep(items.unlike(&InTurn));
        assert_eq!(items.discoveries.iter().map(|item| item.origin).collect::<Vec<_>>(), [Some(4)]);
        assert_eq!(items.files.len(), 2);
    }

    #[test]
    fn a_line_is_one_line_whatever_a_value_holds() {
        let item = |text: &str| Item::new(text.into(), 0, 1);
        let accomplished = vec![item("`tide()` returned a\n## Goal\r\n- x"), item("Ran `a  b`: ok")];
        let files = vec![item("`a\u{2028}b` — read")];
        let mut items = Items { accomplished, files, ..Items::default() };
        items.on_one_line();
        let texts = |items: &[Item]| items.iter().map(|item| item.text.clone()).collect::<Vec<_>>();
        assert_eq!(texts(&items.accomplished), ["`tide()` returned a ## Goal - x", "Ran `a  b`: ok"]);
        assert_eq!(texts(&items.files), ["`a b` — read"]);
    }

    #[test]
    fn what_the_user_said_is_told_in_order_where_a_section_asks_for_it() {
        let long = format!("Asked: “{}”", "Paint the pier and ".repeat(20));
        let told = ["Asked: “Light the lamp.”", "Ran `lamp`: ok", "User: “Not the red one.”", &long];
        let accomplished = told.iter().enumerate().map(|(at, text)| Item::new((*text).into(), 2 * at, 1)).collect();
        let instructions = vec![Item::new("Never ring the bell.".into(), 3, 1)];
        let items = Items { accomplished, instructions, ..Items::default() };
        let apart = |template: &str| {
            let mut apart = items.clone();
            apart.set_apart(&Template::parse(template, &[], false).unwrap());
            apart
        };
        let all = apart("---\nSaid: messages\n---\n## Said\n## Accomplished\n");
        let texts: Vec<&str> = all.messages.iter().map(|item| &*item.text).collect();
        assert_eq!(texts[..3], ["“Light the lamp.”", "Never ring the bell.", "“Not the red one.”"]);
        assert!(texts[3].starts_with("“Paint the pier") && texts[3].ends_with("…”") && texts.len() == 4, "{texts:?}");
        assert!(all.messages[3].rank > all.messages[0].rank && all.messages[1].rank > all.messages[3].rank);
        assert_eq!((all.instructions.len(), all.accomplished.len()), (0, 4));
        let own = apart("---\nSaid: messages\n---\n## Said\n## Instructions\n");
        assert_eq!((own.instructions.len(), own.messages.len()), (1, 3));
    }

    #[test]
    fn what_failed_and_what_is_to_be_done_stands_apart_where_a_section_asks_for_it() {
        let all = |texts: &[&str]| {
            let item = |(at, text): (usize, &&str)| Item { turn: Some(1), ..Item::new((*text).into(), at, 1) };
            texts.iter().enumerate().map(item).collect::<Vec<_>>()
        };
        let texts = |items: &[Item]| items.iter().map(|item| item.text.clone()).collect::<Vec<_>>();
        let steps = ["Ran `make`: failed: no lamp", "Edited `pier.rs`", "Open step: Light the pier"];
        let found = ["The build failed at dusk.", "`make tide` failed, later ok: no tide", "Read failed: no such quay"];
        let mut items = Items { accomplished: all(&steps), discoveries: all(&found), ..Items::default() };
        let mut apart = items.clone();
        apart.set_apart(&Template::default());
        assert_eq!(apart, items);
        let text = "---\nTrouble: errors\nTo do: pending\n---\n## Accomplished\n## Trouble\n## To do\n";
        apart.set_apart(&Template::parse(text, &[], false).unwrap());
        assert_eq!(texts(&apart.pending), [steps[2]]);
        assert_eq!(texts(&apart.errors), [steps[0], found[1], found[2]]);
        assert_eq!(
            (texts(&apart.accomplished), texts(&apart.discoveries)),
            (vec![steps[1].into()], vec![found[0].into()])
        );
        assert!(apart.errors.iter().chain(&apart.pending).all(|item| item.turn.is_none()));
        items.accomplished.splice(..1, [Item::carried("Next: Paint the pier".into(), 1)]);
        for (asked, pending) in [("Asked: “more”", 1), ("Made it", 2)] {
            items.accomplished.push(Item::new(asked.into(), 9, 1));
            let mut apart = items.clone();
            apart.set_apart(&Template::parse(text, &[], false).unwrap());
            assert_eq!(apart.pending.len(), pending, "{asked}");
            items.accomplished.pop();
        }
    }
}
