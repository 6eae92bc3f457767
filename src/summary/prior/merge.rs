//! Merges earlier summaries into the items of the head.

use super::lines::asked;
use super::superseded::without_superseded;
use super::{Prior, PriorText, rules};
use crate::summary::extractive::{
    ASKED, BINDING, CHANGED, CURRENT, Root, SAID, instruction_strength, is_ahead, is_of_its_request, merge, parted,
};
use crate::summary::items::{Item, Items, PLAIN};
use crate::summary::template::SectionSource;
use crate::summary::text::{contains_any, key, starts_any};
use foldhash::HashSet;

/// Rank of the oldest carried line, and how much higher that of the newest is.
const DISCOVERY: (i64, i64) = (400, 300);
const STEP: (i64, i64) = (-250, 500);
/// Rank that a carried step of open work loses.
const STALE: i64 = 300;
/// Rank that it gains instead if nothing came after it: it is the current state of the work.
const OPEN: i64 = 750;
/// Rank that a line loses which a newer summary left out: only facts that nothing else has make it worth its room.
pub(super) const LEFT_OUT: i64 = 1_200;
/// Letters by which two requests are compared.
const BEGINNING: usize = 24;
/// Number of the first request of earlier summaries; larger than any request number of a head.
const EARLIER: usize = 1 << 30;
/// Words in the text about a file that say it was changed.
pub(super) const CHANGES: &[&str] =
    &["created", "written", "edited", "moved", "deleted", "modified", "added", "updated", "changed", "new file"];
impl Prior {
    /// Adds a request that is no longer the current goal to the steps; a step with its beginning is replaced.
    fn tell(&mut self, request: &str) {
        let line = asked(request);
        let begins = |step: &str| {
            let words = parted(step.strip_prefix(ASKED).unwrap_or_default()).0.trim_matches(['“', '”', '…']);
            !words.is_empty() && request.starts_with(words)
        };
        let step = self.lines.iter_mut().rfind(|step| step.source == SectionSource::Accomplished && begins(&step.text));
        match step {
            Some(step) => step.text = line,
            None => self.lines.push(PriorText {
                source: SectionSource::Accomplished,
                text: line,
                below: false,
                foreign: false,
                heading: String::new(),
                typed: true,
                left_out: false,
                summary: 0,
                newest: false,
            }),
        }
    }
}

/// Reads all earlier summaries, oldest first, into one.
pub(in crate::summary) fn read_all(texts: &[String]) -> Prior {
    let mut all = Prior::default();
    for (summary, text) in texts.iter().enumerate() {
        let prior = Prior::read(text);
        all.lines.extend(prior.lines.into_iter().map(|line| PriorText { summary, ..line }));
        all.told.resize(all.told.len() + prior.files.len(), summary);
        all.files.extend(prior.files);
    }
    without_superseded(&mut all);
    all
}

/// Merges the earlier summaries into the items of the head; returns whether they had any content.
pub(in crate::summary) fn merge_all(items: &mut Items, root: &Root, mut all: Prior) -> bool {
    if !items.goal.is_empty() {
        // A rule that was limited to an earlier request ended with it.
        all.lines.retain(|line| line.source != SectionSource::Instructions || !is_of_its_request(&line.text));
    }
    if let Some(replaced) = goal(items, &all) {
        all.tell(&replaced);
    }
    rules::merge(&mut items.instructions, &all);
    let filled = filled(&all);
    let found = all.lines.iter().filter(|line| line.source == SectionSource::Discoveries);
    let found: Vec<_> = found.filter(|line| !emptied(line).is_some_and(|name| filled.contains(name))).collect();
    items.discoveries.splice(0..0, carried(&found, DISCOVERY));
    accomplished(items, &all);
    merge(&mut items.files, root, files(&all));
    !all.is_empty()
}

/// First words of a step that fills a file, and words behind a file that is empty.
const FILLS: [&str; 5] = ["added", "created", "filled", "implemented", "wrote"];
const EMPTY: [&str; 4] = ["is empty", "is still empty", "is currently empty", "exists but is empty"];

/// The name in code marks in a text.
fn named(text: &str) -> Option<&str> {
    text.split('`').nth(1)
}

/// The files that steps of the earlier summaries filled.
fn filled(all: &Prior) -> HashSet<&str> {
    let steps = all.lines.iter().filter(|line| line.source == SectionSource::Accomplished);
    let fills = |line: &&PriorText| FILLS.contains(&&*line.text.split(' ').next().unwrap_or_default().to_lowercase());
    steps.filter(fills).filter_map(|line| named(&line.text)).collect()
}

/// The file that a finding says to be empty, and nothing else.
fn emptied(line: &PriorText) -> Option<&str> {
    let (name, behind) = line.text.strip_prefix('`')?.split_once('`')?;
    (name.contains('.') && EMPTY.contains(&behind.trim().trim_end_matches('.'))).then_some(name)
}

fn carried(lines: &[&PriorText], (least, more): (i64, i64)) -> Vec<Item> {
    let all = i64::try_from(lines.len()).unwrap_or(i64::MAX).max(1);
    let lost = |line: &PriorText| if line.left_out { LEFT_OUT } else { 0 };
    let item = |(line, at): (&&PriorText, i64)| Item::carried(line.text.clone(), least + more * at / all - lost(line));
    lines.iter().zip(0_i64..).map(item).collect()
}

/// Keeps the oldest goal; the last request of the head becomes the current request. Returns the earlier current
/// request if it was replaced.
fn goal(items: &mut Items, prior: &Prior) -> Option<String> {
    let lines = prior.lines(SectionSource::Goal);
    let first = lines.iter().find(|line| !line.starts_with(CURRENT))?;
    let before = lines.iter().rfind(|line| line.starts_with(CURRENT));
    let current = match items.goal.pop() {
        Some(mut item) if !item.text.starts_with(CURRENT) => {
            item.text.insert_str(0, CURRENT);
            Some(item)
        }
        Some(item) => Some(item),
        None => before.map(|line| Item::carried((*line).to_owned(), 1)),
    };
    let replaced = before.filter(|line| current.as_ref().is_some_and(|item| item.text != **line));
    items.goal = vec![Item::carried((*first).to_owned(), 3)];
    items.goal.extend(current);
    replaced.map(|line| line.trim_start_matches(CURRENT).to_owned())
}

/// Puts earlier steps before those of the head, without runs of commands that ran again, and without requests in
/// summaries of other systems that the head has too.
fn accomplished(items: &mut Items, prior: &Prior) {
    let runs: HashSet<&str> = items.accomplished.iter().filter_map(|item| command(&item.text)).collect();
    let mut lines: Vec<&PriorText> =
        prior.lines.iter().filter(|line| line.source == SectionSource::Accomplished).collect();
    let begins = |text: &str| key(text.trim_start_matches(ASKED)).chars().take(BEGINNING).collect::<String>();
    let asked: HashSet<String> =
        items.accomplished.iter().filter(|item| item.text.starts_with(ASKED)).map(|item| begins(&item.text)).collect();
    lines.retain(|line| !(line.foreign && line.text.starts_with(ASKED) && asked.contains(&begins(&line.text))));
    let turns = turns(&lines);
    let mut numbered: Vec<(&PriorText, Option<usize>)> = lines.drain(..).zip(turns).collect();
    numbered.retain(|(line, _)| command(&line.text).is_none_or(|command| !runs.contains(command)));
    numbered.sort_by_key(|(line, _)| is_ahead(&line.text));
    let continued = continued(items, &numbered);
    let mut steps = carried(&numbered.iter().map(|(line, _)| *line).collect::<Vec<_>>(), STEP);
    steps.iter_mut().zip(&numbered).for_each(|(step, (_, turn))| step.turn = *turn);
    let ahead = steps.iter_mut().zip(&numbered).filter(|(step, _)| is_ahead(&step.text));
    // Open work stays worth a line of its own.
    ahead
        .for_each(|(step, (line, _))| step.rank = (step.rank + if line.newest { OPEN } else { -STALE }).max(PLAIN + 1));
    let of_user = |text: &str| starts_any(text, &[ASKED, SAID]);
    let binds = |step: &&mut Item| of_user(&step.text) && instruction_strength(&step.text).is_some();
    steps.iter_mut().filter(binds).for_each(|step| step.rank += BINDING);
    if let Some((request, at, turn)) = continued {
        let own = |(_, line): &(Item, Option<usize>)| *line == Some(turn);
        let all = steps.into_iter().zip(numbered.iter().map(|(line, turn)| turn.filter(|_| !is_ahead(&line.text))));
        let (below, others): (Vec<_>, Vec<_>) = all.partition(own);
        let turn = items.accomplished[at].turn;
        // The request is a step of the head already.
        let below = below.into_iter().map(|(step, _)| step).filter(|step| step.text != request);
        items.accomplished.splice(at + 1..=at, below.map(|step| Item { turn, ..step }).collect::<Vec<_>>());
        steps = others.into_iter().map(|(step, _)| step).collect();
    }
    items.accomplished.splice(0..0, steps);
}

/// The newest earlier request, if it is the same message as the first request of the head: its earlier steps then go
/// below the latter. Returns its line, the index of the head's line, and its number.
fn continued(items: &Items, lines: &[(&PriorText, Option<usize>)]) -> Option<(String, usize, usize)> {
    let (line, turn) = lines.iter().rfind(|(line, _)| line.text.starts_with(ASKED))?;
    let at = items.accomplished.iter().position(|item| item.text.starts_with(ASKED))?;
    let begins = |text: &str| key(text).chars().take(ASKED.len() + BEGINNING).collect::<String>();
    let is_same = begins(&line.text) == begins(&items.accomplished[at].text);
    Some((line.text.clone(), at, (*turn)?)).filter(|_| is_same && !line.foreign)
}

/// The request number of each step, in a range apart from the head's: an indented step belongs to the request above
/// it.
fn turns(lines: &[&PriorText]) -> Vec<Option<usize>> {
    let mut turn = EARLIER;
    let of = |line: &&PriorText| {
        let asks = line.text.starts_with(ASKED);
        turn += usize::from(asks);
        (asks || (line.below && turn > EARLIER)).then_some(turn)
    };
    lines.iter().map(of).collect()
}

/// The command of a line about a run.
pub(super) fn command(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("Ran `").or_else(|| line.strip_prefix("Ran ").filter(|rest| rest.starts_with('“')))?;
    rest.strip_suffix('`').or_else(|| rest.split_once("`: ").map(|(command, _)| command))
}

fn files(prior: &Prior) -> Vec<(String, Item)> {
    let all = prior.files.iter().rev().zip(0_i64..);
    let mut files: Vec<(String, Item)> =
        all.map(|((path, story), age)| (path.clone(), file(path, story, age))).collect();
    files.reverse();
    files
}

fn file(path: &str, story: &str, age: i64) -> Item {
    let lower = story.to_lowercase();
    let changed = contains_any(&lower, CHANGES);
    let deleted_file = lower.split([',', ';']).any(|told| told.trim() == "deleted");
    let rank = if changed { CHANGED / 2 } else { 0 } - age;
    Item { changed_file: changed, deleted_file, ..Item::carried(format!("`{path}` — {story}"), rank) }
}
