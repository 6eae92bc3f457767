//! T01–T05: the compacted transcript is as valid as the original, and kept messages are unchanged.

mod added;
mod answers;
mod beside;
mod columns;
mod learned;
mod place;
mod reasoning;
mod records;
mod tied;

use super::run::unstable;
use super::settings::Limits;
use super::view::carried::as_carried;
use super::view::matching::{has_other_status, is_loaded, says_anything};
use super::{CONVERTED, Finding, GateResult, KeptTail, Pair, Spot, Tools, View};
use crate::check::{RuleKind, rule};
use crate::measure::Share;
use crate::summary::{fold, starts_any};
use crate::transcript::fixed_texts::{SUMMARY_CLOSE, SUMMARY_OPEN};
use crate::transcript::{Author, Fault, Message, PartKind, Role, Transcript, new_faults, stored_id, units};
use added::added;
use answers::exchanged;
use columns::misfits;
use learned::learned;
use place::{misplaced, unasked};
use std::collections::HashSet;

/// T01: calls and results pair up.
pub(super) fn pairs(view: &View<'_>, tools: &Tools<'_>, _: Limits) -> GateResult {
    let mut outcome = faults(view, |kind| kind == RuleKind::Pairing);
    if !tools.converted {
        outcome.findings.extend(lost_results(view));
        outcome.share.kept = outcome.share.of.saturating_sub(outcome.findings.len());
    }
    outcome
}

/// Findings for loaded calls whose result was in the original and is gone. The rules of pairing leave out the calls
/// that a transcript ends on, as they may still be answered.
fn lost_results(view: &View<'_>) -> Vec<Finding> {
    let Some(original) = &view.original else { return Vec::new() };
    let told = |message: &&Message<'_>| !message.abandoned;
    let (before, after) = (&original.transcript.messages, &view.compacted.transcript.messages);
    let answered: HashSet<&str> = before.iter().filter(told).flat_map(Message::results).filter_map(stored_id).collect();
    let (mut once, mut again) = (HashSet::new(), HashSet::new());
    let ids = before.iter().flat_map(Message::calls).filter_map(stored_id);
    again.extend(ids.filter(|id| !once.insert(*id)));
    let results: HashSet<&str> = after.iter().flat_map(Message::results).collect();
    let known = |id: &str| {
        let is_it = |fault: &Fault| fault.rule == "unanswered_call" && fault.subject == id;
        view.compacted.faults.iter().any(is_it)
    };
    let lost = |id: &&str| answered.contains(id) && !again.contains(id) && !results.contains(id) && !known(id);
    let loaded = |message: &Message<'_>| is_loaded(view.compacted.transcript, message) && !message.aborted;
    let calls = after.iter().enumerate().filter(|(_, message)| loaded(message));
    let what = "unanswered_call: a call whose result the original has is left without it";
    let finding = |at: usize, id: &str| Finding::new(view.spot_of(at), what).about(id);
    calls.flat_map(|(at, message)| message.calls().filter(lost).map(move |id| finding(at, id))).collect()
}

/// T02: messages follow the rules of their format, and kept ones are in their original order.
pub(super) fn order(view: &View<'_>, tools: &Tools<'_>, _: Limits) -> GateResult {
    let mut outcome = faults(view, |kind| matches!(kind, RuleKind::Form | RuleKind::Repairable));
    let moved = view
        .kept
        .moved
        .iter()
        .map(|&at| Finding::new(view.spot_of(at), "a kept message stands before one that it followed"));
    outcome.findings.extend(moved.filter(|_| !tools.converted));
    outcome.findings.extend(misfits(view).into_iter().chain(learned(view)));
    if !tools.converted {
        outcome.findings.extend(misplaced(view).into_iter().chain(unasked(view)));
    }
    outcome.share.kept = outcome.share.of.saturating_sub(outcome.findings.len());
    outcome
}

/// T05: the result can be read, and is stable when compacted again.
pub(super) fn readable(view: &View<'_>, tools: &Tools<'_>, _: Limits) -> GateResult {
    let mut outcome = faults(view, |kind| matches!(kind, RuleKind::Unread | RuleKind::Absent | RuleKind::File));
    if let Some(again) = &tools.again {
        let unstable = unstable(again, view.summary_line());
        outcome.share.of += 1;
        outcome.share.kept += usize::from(unstable.is_none());
        outcome.findings.extend(unstable);
    }
    outcome
}

/// The outcome for faults of some kinds that the original does not have; its share counts records.
fn faults(view: &View<'_>, of: impl Fn(RuleKind) -> bool) -> GateResult {
    let before = view.original.as_ref().map(|side| side.faults).unwrap_or_default();
    let new = new_faults(before, view.compacted.faults);
    let findings: Vec<_> = new.into_iter().filter(|fault| of(RuleKind::of(fault.rule))).map(finding).collect();
    let of = view.compacted.transcript.records.len().max(findings.len()).max(1);
    GateResult::of(Share { kept: of - findings.len(), of }, findings)
}

fn finding(fault: &Fault) -> Finding {
    let meaning = rule(fault.rule).map_or("", |rule| rule.meaning);
    let place = Spot { line: fault.line, message: fault.message };
    let finding = Finding::new(place, format!("{}: {meaning}", fault.rule));
    if fault.subject.is_empty() { finding } else { finding.about(fault.subject.clone()) }
}

/// T03: kept messages are unchanged.
pub(super) fn verbatim(view: &View<'_>, pair: Pair<'_>, tools: &Tools<'_>, _: Limits) -> GateResult {
    if tools.converted {
        return GateResult::insufficient(CONVERTED);
    }
    // The continuation of the policy may have any words; it is said once.
    let goes_on = |at: usize| {
        let message = view.compacted.transcript.messages.get(at).filter(|message| message.role == Role::User);
        message.is_some_and(|message| tools.continuation.is_some_and(|own| own.trim() == message.text().trim()))
    };
    // Where one is known as such, each other one is too many.
    let places = view.kept.altered.iter().map(|(at, _)| *at).filter(|at| goes_on(*at));
    let is_known = view.kept.going.iter().any(|at| goes_on(*at));
    let first_going = if is_known { None } else { places.min() };
    let other_status = |(at, original): (usize, usize)| {
        let before = pair.original.transcript.messages.get(original);
        before.zip(view.compacted.transcript.messages.get(at)).is_some_and(|(old, new)| has_other_status(old, new))
    };
    let altered = view.kept.altered.iter().filter(|(at, original)| original.is_some() || first_going != Some(*at));
    let altered = altered.map(|&(at, original)| {
        let what = match original {
            Some(original) if other_status((at, original)) => "a kept result has another status than it had",
            Some(_) => "a kept message does not say what it said, and is not marked as pruned",
            None if goes_on(at) => "the agent is set going twice",
            None => "a message that the original does not have",
        };
        let text = view.compacted.transcript.messages.get(at).map(|message| message.text().into_owned());
        let finding = Finding::new(view.spot_of(at), what);
        text.filter(|text| !text.is_empty()).map_or(finding.clone(), |text| finding.about(text))
    });
    let lost = view.lost_prompts().into_iter().map(|prompt| {
        let finding =
            Finding::new(view.first_line(), "leading instructions of the original are not there word for word");
        finding.about(prompt.text().into_owned())
    });
    let beside = beside::altered(view).into_iter().chain(records::altered(view));
    let beside = beside.chain(reasoning::lost(view, tools));
    let beside = exchanged(view).into_iter().chain(beside);
    let findings: Vec<_> = altered.chain(lost).chain(added(view, tools)).chain(beside).collect();
    GateResult::of(Share { kept: view.kept.same, of: view.kept.same + findings.len() }, findings)
}

/// T04: the last user message is there, and a tail.
pub(super) fn last_user(view: &View<'_>, pair: Pair<'_>, tools: &Tools<'_>, limits: Limits) -> GateResult {
    let original = pair.original;
    if tools.converted {
        return GateResult::insufficient(CONVERTED);
    }
    let last = last_said(original.transcript).map(|last| (last, &original.transcript.messages[last]));
    let is_there = |(last, message): (usize, &Message<'_>)| {
        let gone_before = !is_loaded(original.transcript, message);
        gone_before || view.kept.originals.contains(&last) || is_quoted(message, view, tools.summary_tells)
    };
    let lost = last.filter(|last| !is_there(*last));
    let mut findings: Vec<_> = lost
        .iter()
        .map(|(last, message)| {
            let finding = Finding::new(last_line(view), "the last message of the user is not there word for word");
            Finding { original: view.original_spot(*last), ..finding.about(message.text().trim()) }
        })
        .collect();
    findings.extend(tools.tail.map_or_else(|| hole(view, tools.is_protected), |kept| cut_tail(kept, view)));
    let tail = tail(original.transcript, view);
    let least = limits.min.unwrap_or(1.0);
    if least > 0.0 && lost_answer(original.transcript, view) {
        let what = "the training row does not end on the answer that it ended on";
        findings.push(Finding::new(last_line(view), what));
    } else if (tail as f64) < least && !keeps_none(view) && !view.unchanged() && !ends_with_summary(original.transcript)
    {
        let message = match tail {
            0 => "the newest messages of the original are not there".to_owned(),
            _ => format!("{tail} of the newest messages are kept, fewer than {least}"),
        };
        findings.push(Finding::new(view.first_line(), message).warning());
    }
    // Where no user said anything, only the tail is judged.
    if last.is_none() && findings.is_empty() {
        return GateResult::insufficient("the original has no message of a user");
    }
    GateResult::of(Share { kept: usize::from(lost.is_none()), of: 1 }, findings)
}

/// The last line of the compacted transcript in its file.
fn last_line(view: &View<'_>) -> usize {
    view.compacted.transcript.records.last().map_or(1, |record| record.line)
}

/// Tells whether a message of the original is there, altered or not.
fn there<'v>(view: &'v View<'_>) -> impl Fn(usize) -> bool + 'v {
    let altered: HashSet<usize> = view.kept.altered.iter().filter_map(|(_, original)| *original).collect();
    move |at| view.kept.originals.contains(&at) || altered.contains(&at)
}

/// Whether a training row ended on an answer that is neither there nor in its place in other words (which T03 judges):
/// what is left teaches something else.
fn lost_answer(original: &Transcript<'_>, view: &View<'_>) -> bool {
    let traits = &original.traits;
    let trained = traits.training_row && !traits.answered_beside && !view.unchanged();
    let told = original.messages.iter().rposition(|message| message.is_content() && !message.abandoned);
    let answer = told.filter(|at| trained && original.messages[*at].role == Role::Assistant);
    let there = there(view);
    answer.is_some_and(|answer| !there(answer))
}

/// Finding if messages that the report calls kept are missing, or a transcript that it calls unchanged is not.
fn cut_tail(kept: &KeptTail, view: &View<'_>) -> Option<Finding> {
    let original = view.original.as_ref().filter(|_| !view.unchanged())?.transcript;
    let KeptTail::Range { pieces, lines } = kept else {
        return Some(Finding::new(view.first_line(), "its report says that it was left unchanged, and it is not"));
    };
    // Altered messages are left to T03; empty messages, and those that no harness loads, are not missed.
    let stands = there(view);
    let missed = |message: &Message<'_>| says_anything(message) && is_loaded(original, message);
    let there = |at: &usize| stands(*at) || !missed(&original.messages[*at]);
    let within = |at: &usize| view.original_spot(*at).is_some_and(|spot| lines.contains(&spot.line));
    let within: Vec<usize> = (0..original.messages.len()).filter(within).collect();
    // All messages of a row share one line; the tail is the last of them.
    let row = lines.start() == lines.end();
    let before = within.len().saturating_sub(if row { *pieces } else { within.len() });
    let (there, gone): (Vec<usize>, Vec<usize>) = within[before..].iter().partition(|at| there(at));
    let missing = pieces.saturating_sub(there.len());
    let first = *gone.first().filter(|_| missing > 0)?;
    let message = format!("{missing} of the {pieces} messages that its report says are kept are not there");
    let finding = Finding::new(view.first_line(), message);
    Some(Finding { original: view.original_spot(first), ..finding })
}

/// Warning if messages are missing between those that are kept after a summary of ours, and no report tells which are.
/// What protected tools returned may have been carried from anywhere.
fn hole(view: &View<'_>, is_protected: &dyn Fn(&str) -> bool) -> Option<Finding> {
    let original = view.original.as_ref()?.transcript;
    let summary = *view.kept.summaries.iter().max().filter(|_| view.summary.iter().all(|text| text.ours))?;
    let there = there(view);
    let missed = |at: &usize| {
        !there(*at) && says_anything(&original.messages[*at]) && is_loaded(original, &original.messages[*at])
    };
    let behind = view.kept.pairs.iter().filter(|(at, _)| *at > summary).map(|(_, original)| *original);
    // Some keep only what the user said; the rest of the tail begins with the first message of another.
    let may_be_carried = carried(original, is_protected);
    let of_other = |at: &usize| original.messages[*at].role != Role::User && !may_be_carried.contains(at);
    let (first, last) = (behind.clone().filter(of_other).min()?, behind.max()?);
    let gone: Vec<usize> = (first..last).filter(missed).collect();
    let message = format!("{} of the messages between those that are kept are not there", gone.len());
    let finding = Finding::new(view.first_line(), message).warning();
    let original = view.original_spot(*gone.first().filter(|_| !view.unchanged())?);
    Some(Finding { original, ..finding })
}

/// The messages of calls of protected tools, with their results and what they brought in.
fn carried(original: &Transcript<'_>, is_protected: &dyn Fn(&str) -> bool) -> HashSet<usize> {
    let is_call = |kind: &PartKind<'_>| matches!(kind, PartKind::Call { name, .. } if is_protected(name));
    let calls = |at: &usize| original.messages[*at].parts.iter().any(|part| is_call(&part.kind));
    let units = units(original, |_, message| !message.abandoned).into_iter();
    units.filter(|unit| unit.messages.iter().any(calls)).flat_map(|unit| unit.messages).collect()
}

/// Whether one loaded message has all texts of another word for word (a carried message may be split into parts). Of a
/// summary only the text after it counts, or lines of their own in a summary of another tool, as quotations in it are no
/// messages; unless `summary_tells`, where the policy has the summary tell the requests.
fn is_quoted(message: &Message<'_>, view: &View<'_>, summary_tells: bool) -> bool {
    let transcript = view.compacted.transcript;
    let texts: Vec<&str> =
        message.parts.iter().filter(|part| part.kind == PartKind::Text).map(|part| part.text.trim()).collect();
    let mut loaded = transcript.messages.iter().enumerate().filter(|(_, other)| is_loaded(transcript, other));
    loaded.any(|(at, other)| {
        let text = other.text();
        let summary = !summary_tells && (view.kept.summaries.contains(&at) || other.author == Author::Summary);
        let behind = || text.split_once(SUMMARY_CLOSE).map_or("", |(_, behind)| behind);
        let (ours, user) = (text.contains(SUMMARY_OPEN), other.role == Role::User);
        let said = if summary && (ours || !user) { behind() } else { &*text };
        // Another tool's summary may share a message of the user with what the user said, on lines of its own.
        let stands = |text: &str| match summary && !ours {
            true => has_lines(said, text) || has_item(said, text),
            false => as_carried(text, said).is_some(),
        };
        texts.iter().all(|text| text.is_empty() || stands(text))
    })
}

/// Index of the last message that a user typed: what a command of the user printed is none.
fn last_said(original: &Transcript<'_>) -> Option<usize> {
    let printed = |message: &Message<'_>| message.text().trim_start().starts_with("<local-command-stdout>");
    let typed = |message: &Message<'_>| message.begins_turn() && !message.abandoned && !printed(message);
    original.messages.iter().rposition(typed)
}

/// Whether a text stands in another as an item of a list, in quotes and on one line, with or without a note behind them:
/// harnesses list what users said. Quotes within it may be of another kind.
fn has_item(text: &str, own: &str) -> bool {
    let plain = |text: &str| fold(text).replace(['"', '“', '”', '‘', '’'], "'");
    let own = plain(own);
    let quoted = |line: &str| {
        let digits = line.trim_start_matches(|digit: char| digit.is_ascii_digit());
        let item = ["- ", "* ", ". ", ") "].iter().find_map(|mark| digits.strip_prefix(mark))?.trim();
        let words = plain(item.strip_prefix(['"', '“'])?);
        let behind = words.strip_prefix(&own)?.strip_prefix('\'')?;
        Some(behind.is_empty() || starts_any(behind, &[" (", " —", " –", " - "]))
    };
    text.lines().any(|line| quoted(line.trim()) == Some(true))
}

/// Whether a text stands in another on lines of its own.
fn has_lines(text: &str, own: &str) -> bool {
    let spaces = [' ', '\t', '\r'];
    text.match_indices(own).any(|(at, _)| {
        let (before, behind) = (text[..at].trim_end_matches(spaces), text[at + own.len()..].trim_start_matches(spaces));
        (before.is_empty() || before.ends_with('\n')) && (behind.is_empty() || behind.starts_with('\n'))
    })
}

/// Whether nothing was said after the newest summary.
fn ends_with_summary(original: &Transcript<'_>) -> bool {
    let newest = original.messages.iter().rposition(|message| message.author == Author::Summary);
    newest.is_some_and(|at| !original.messages[at..].iter().any(|message| message.is_content()))
}

/// Whether a harness put its own summary in place of all messages: it keeps none on purpose.
fn keeps_none(view: &View<'_>) -> bool {
    let messages = &view.compacted.transcript.messages;
    let marked = |at: &usize| messages.get(*at).is_some_and(|message| message.author == Author::Summary);
    let own = view.kept.summaries.iter().all(marked) && view.summary.iter().all(|summary| !summary.ours);
    let said = |at: &usize| view.original.as_ref().is_some_and(|side| side.transcript.messages[*at].is_content());
    own && !view.summary.is_empty() && !view.kept.originals.iter().any(said)
}

/// Number of newest messages that are kept without a gap, shortened or not.
fn tail(original: &Transcript<'_>, view: &View<'_>) -> usize {
    let messages = &original.messages;
    let told = |at: &usize| messages[*at].is_content() && is_loaded(original, &messages[*at]);
    let told = (0..messages.len()).rev().filter(told);
    let there = there(view);
    told.take_while(|at| there(*at) && !view.kept.carried.contains(at)).count()
}
