//! Finds the list that answers a request: its lead with its items, each with the label above it.

use super::LONGEST_LINE;
use super::answers::{MORE, YES_OR_NO, names};
use crate::summary::extractive::sentences::consent::asks_consent;
use crate::summary::extractive::sentences::cues::{Kind, announces, kind, lower, offers};
use crate::summary::extractive::sentences::headed::lead_and_heading;
use crate::summary::extractive::sentences::marked::{Mark, is_of_runs, marked};
use crate::summary::extractive::sentences::prose::{plain, without_marker};
use crate::summary::extractive::sentences::structure::is_structure;
use crate::summary::extractive::sentences::tables::with_rows_as_items;
use crate::summary::extractive::words::{DONE_ALONE, LISTS};
use crate::summary::fence::Fence;
use crate::summary::text::{QUESTION_MARKS, contains_any, cut, each_word, fold, starts_any, words};

/// Maximum lengths in characters: of an item, and of the sentence before the lead of a list.
const ITEM: usize = 70;
const BEFORE: usize = 100;
/// Maximum length of a list for which there is room that nothing else uses, in characters.
pub(super) const IN_FULL: usize = 700;
/// Beginnings of an item's second sentence that reverses the first.
const TURNS: [&str; 7] = ["but ", "keep ", "never ", "not ", "don't ", "however", "except "];
/// Maximum length of a paragraph that leads up to a list, in bytes.
const LEAD: usize = 600;
/// Prefix of a list that the agent wants to act on, but not without consent.
const PROPOSED: &str = "Proposed: ";
/// Words by which the text before such a list intends it.
const INTENDS: [&str; 17] = [
    "i can ",
    "i could ",
    "i plan ",
    "i propose",
    "i suggest",
    "i will ",
    "i would ",
    "i'd ",
    "i'll ",
    "proposal",
    "proposed",
    "the plan",
    "my plan",
    "updated plan",
    "ich würde ",
    "mein vorschlag",
    "propongo",
];
/// Minimum number of words that are more than a greeting.
const GREETING: usize = 4;

/// The items of a list whose marks tell different states, each with its own; “Done:” would be wrong before them.
pub(super) fn states(text: &str) -> Option<String> {
    let (lead, _, marks) = first_list(text)?;
    let first = marks.first()?.0;
    if marks.len() < 2 || marks.iter().all(|(mark, _)| *mark == first) {
        return None;
    }
    let (_, lead) = lead_and_heading(&lead);
    let is_done = each_word(&lower(lead)).all(|word| DONE_ALONE.contains(&word));
    let mut told = if is_done || !lead.ends_with([':', '：']) { String::new() } else { lead.to_owned() };
    let undone = marks.iter().filter(|(mark, _)| *mark != Mark::Done);
    for (at, (mark, item)) in undone.chain(marks.iter().filter(|(mark, _)| *mark == Mark::Done)).enumerate() {
        let state = if *mark == Mark::Done { format!("done: {item}") } else { mark.before(item) };
        if told.chars().count() + state.chars().count() + "; ".len() > LONGEST_LINE {
            told += " …";
            break;
        }
        told += if at > 0 {
            "; "
        } else if told.is_empty() {
            ""
        } else {
            " "
        };
        told += &state;
    }
    Some(told)
}

/// The lead of a list with its items, if the text begins with them.
pub(super) fn list(text: &str) -> Option<String> {
    list_within(text, MORE)
}

/// A list with more of its items than those that were told.
pub(super) fn list_in_full(told: &str, text: &str) -> Option<String> {
    let all = proposed(list_within(text, IN_FULL)?, text);
    (all.len() > told.len() && all.starts_with(told)).then_some(all)
}

/// A list whose items are told up to this length of the line.
fn list_within(text: &str, longest: usize) -> Option<String> {
    let (lead, items, _) = first_list(&with_rows_as_items(text))?;
    let (before, lead) = lead_and_heading(&lead);
    let lower = lower(lead);
    let leads = lead.ends_with([':', '：']) || starts_any(&lower, LISTS);
    let asks = items.iter().any(|item| item.ends_with(QUESTION_MARKS));
    if !leads || asks || announces(lead) && !shows(&lower) || offers(lead) || items.len() < 2 {
        return None;
    }
    // A long text before the lead is the answer by itself.
    let tells = !before.is_empty() && kind(before) != Kind::Empty;
    let says = || !before.is_empty() && words(before) >= GREETING;
    if tells && before.chars().count() > BEFORE || !tells && says() {
        return None;
    }
    let mut told = if tells { format!("{before} {lead}") } else { lead.to_owned() };
    let mut joint = if told.ends_with([':', '：']) { " " } else { " — " };
    for (at, item) in items.iter().enumerate() {
        // A lead says nothing without any item.
        let most = if at == 0 { LONGEST_LINE } else { longest };
        if told.chars().count() + joint.len() + item.chars().count() + " …".len() > most {
            told += if told.ends_with('…') { "" } else { " …" };
            break;
        }
        told.push_str(joint);
        told.push_str(item);
        joint = "; ";
    }
    Some(told)
}

/// Whether a lower-case lead shows what is below it: “To go on, here are the ferries:”.
fn shows(lower: &str) -> bool {
    contains_any(lower, &["here are ", "here is ", "here's "])
}

/// A list as told: as a proposal if what stands before it intends it, and the text ends by asking for consent.
pub(super) fn proposed(list: String, text: &str) -> String {
    let lead = lower(list.split([':', '：']).next().unwrap_or_default());
    let intends = contains_any(&lead, &INTENDS);
    if intends && asks_consent(text) { format!("{PROPOSED}{list}") } else { list }
}

/// A list: what stands before it, its items, and those with a mark.
type List = (String, Vec<String>, Vec<(Mark, String)>);

/// An item behind the words for its mark.
fn shown(item: String, mark: Option<(Mark, &str, &str)>, of_runs: bool) -> String {
    mark.map(|(mark, sign, _)| mark.in_list(sign, &item, of_runs)).unwrap_or(item)
}

/// The items of a text with a mark, without it.
fn marked_items(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| Some(marked(line.trim())?.2))
}

/// The paragraph before the first list of a text, the shortened items, and those with a mark without it; `None` if more
/// than a greeting precedes them.
fn first_list(text: &str) -> Option<List> {
    let (mut fence, mut lead, mut items, mut marks) = (Fence::default(), String::new(), Vec::new(), Vec::new());
    let (mut open, mut own, mut labels, mut label) = (false, 0, false, None);
    for line in text.lines() {
        let trimmed = line.trim();
        let mark = marked(trimmed);
        let (is_item, words) = mark.map_or_else(|| without_marker(trimmed), |(_, _, words)| (true, words));
        let indent = line.len() - line.trim_start().len();
        if fence.holds(line) || is_structure(line) && !is_item {
            break;
        }
        match (is_item, trimmed.is_empty()) {
            (true, _) if items.is_empty() && !(labels && indent > own) || indent == own => {
                if turns_round(words) {
                    return None;
                }
                own = indent;
                let told = item(words);
                // Below a label, items tell of that alone.
                label = Some(plain(words)).filter(|words| words.ends_with([':', '：']));
                labels |= told.is_none();
                let of_runs = mark.is_some() && is_of_runs(&lead, marked_items(text));
                let states = mark.filter(|(mark, ..)| of_runs || *mark != Mark::Failed);
                marks.extend(states.and_then(|(mark, ..)| Some((mark, told.clone()?))));
                items.extend(told.map(|told| shown(told, mark, of_runs)));
            }
            (_, true) => open = false,
            (true, _) => add_below(&mut items, label.take(), words),
            (false, _) if !items.is_empty() => {
                // Nested text belongs to its item.
                if indent <= own {
                    break;
                }
            }
            (false, _) => {
                let tells = !open && !lead.is_empty() && (kind(&lead) != Kind::Empty || is_yes_or_no(&lead));
                if tells || lead.len() > LEAD {
                    return None;
                }
                lead = if open { format!("{lead} {trimmed}") } else { trimmed.to_owned() };
                open = true;
            }
        }
    }
    (!lead.is_empty() && !items.is_empty()).then(|| (plain(&fold(&lead)), items, marks))
}

/// Adds the first item below a label, in place of the label alone.
fn add_below(items: &mut Vec<String>, label: Option<String>, below: &str) {
    if let Some(told) = label.and_then(|label| labeled(&label, below)) {
        items.pop_if(|last| told.strip_prefix(&**last).is_some_and(|rest| rest.starts_with(':')));
        items.push(told);
    }
}

/// The first item below a label, behind it.
fn labeled(label: &str, below: &str) -> Option<String> {
    let label = label.trim_end_matches([':', '：', ' ']);
    let told = item(below).filter(|_| !label.is_empty())?;
    Some(cut(&format!("{label}: {told}"), ITEM).into_owned())
}

/// Whether a text is only yes or no.
fn is_yes_or_no(text: &str) -> bool {
    YES_OR_NO.contains(&lower(text).trim_matches(['.', '!', ',', ' ', '*']))
}

/// Whether the second sentence of an item reverses the first.
fn turns_round(words: &str) -> bool {
    let rest = words.split_once(". ").map(|(_, rest)| lower(rest.trim_start()));
    rest.is_some_and(|rest| starts_any(&rest, &TURNS))
}

/// The first sentence of a list item; `None` if it only introduces others and names nothing.
fn item(words: &str) -> Option<String> {
    let words = plain(&fold(words));
    let first = words.split(". ").next().unwrap_or_default();
    let heads = first.ends_with([':', '：']) && !names(first);
    (!heads).then(|| cut(first.trim_end_matches(['.', ';', ':', ',']), ITEM).into_owned())
}
