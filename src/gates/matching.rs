//! Which message of a compacted transcript is which of the original, told by what they say: another tool may write other
//! ids, another spelling of JSON, or another order of fields.

use super::acted::read_alike;
use super::stubs::{self, Stubs};
use crate::transcript::{Author, Message, Part, PartKind, Role, Transcript, fixed_texts, stored_id};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// How two transcripts belong together.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// Indices of messages of the original that are still loaded.
    pub(super) originals: HashSet<usize>,
    /// Those of them that stand behind the summary, in its text.
    pub(super) carried: HashSet<usize>,
    /// Messages of the compacted transcript that are the new summary.
    pub(super) summaries: Vec<usize>,
    /// Messages of the compacted transcript that the original does not have, with the original that they were changed
    /// from, where that is known.
    pub(super) altered: Vec<(usize, Option<usize>)>,
    /// Messages of the compacted transcript that are the same as in the original, results that were pruned aside.
    pub(super) same: usize,
    /// Those of them that stand before a message that they followed, or behind one that followed them.
    pub(super) moved: Vec<usize>,
    /// Messages that set the agent going again, and that the original does not have.
    pub(super) going: Vec<usize>,
}

/// Whether a harness that goes on with a transcript is given a message of it. A plain list is sent whole, what stands
/// before a summary too; the report of a run, which knows what stood there on purpose, may count less of one (`live`).
pub(super) fn is_loaded(transcript: &Transcript<'_>, message: &Message<'_>) -> bool {
    let traits = &transcript.traits;
    let sent = !traits.native_summary && traits.loaded_from.is_none_or(|first| message.record >= first);
    !message.abandoned && (message.live || sent)
}

/// Matches the loaded messages of a compacted transcript with those of its original, the newest first.
pub(super) fn match_up(original: Option<&Transcript<'_>>, compacted: &Transcript<'_>, stubs: &Stubs) -> Kept {
    let mut kept = Kept::default();
    let Some(original) = original else {
        let after = &compacted.messages;
        kept.summaries = (0..after.len()).filter(|&at| after[at].author == Author::Summary && after[at].live).collect();
        return kept;
    };
    let read = read_alike(compacted, original);
    let (before, after) = (&original.messages, &*read);
    let mut known: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, message) in before.iter().enumerate() {
        known.entry(words(message)).or_default().push(at);
    }
    let (mut pairs, mut foreign, mut continuations) = (Vec::new(), Vec::new(), Vec::new());
    let mut behind = before.len();
    for (at, message) in after.iter().enumerate().rev().filter(|(_, message)| is_loaded(compacted, message)) {
        if message.author == Author::Continuation {
            continuations.push(at);
            continue;
        }
        let says_nothing = told(message).is_empty();
        let take = |places: &mut Vec<usize>| {
            let thought =
                says_nothing.then(|| take_thought(places, behind, |at| keeps_reasoning(&before[at], message)));
            thought.flatten().or_else(|| take_before(places, behind))
        };
        match known.get_mut(&words(message)).and_then(take) {
            Some(original) => {
                behind = behind.min(original);
                pairs.push((at, original));
            }
            None => foreign.push(at),
        }
    }
    place_continuations(&continuations, after, &mut known, (&mut pairs, &mut foreign));
    pairs.sort_unstable();
    foreign.sort_unstable();
    kept.moved = out_of_order(&pairs);
    let reasons = |(at, original): &(usize, usize)| !keeps_reasoning(&before[*original], &after[*at]);
    kept.altered = pairs.iter().copied().filter(reasons).map(|(at, original)| (at, Some(original))).collect();
    kept.same = pairs.len() - kept.altered.len();
    kept.originals = pairs.iter().map(|(_, original)| *original).collect();
    let moved: HashSet<usize> = kept.moved.iter().copied().collect();
    let settled = pairs.iter().copied().filter(|(at, _)| !moved.contains(at)).collect();
    let marks = [fixed_texts::MEDIA_DESCRIBED, fixed_texts::ONLY_MEDIA];
    let describes = |message: &Message<'_>| marks.iter().any(|mark| message.text().starts_with(mark));
    let described = after.iter().any(|message| message.role == Role::User && describes(message));
    let repeated = repeated(before);
    let sorter = Sorter { before, after, pairs: &pairs, settled, repeated, described, stubs };
    sorter.sort_out(&mut kept, &foreign);
    kept
}

/// A continuation that was there stands between the messages between which it stood; another is new.
fn place_continuations(
    continuations: &[usize],
    after: &[Message<'_>],
    known: &mut HashMap<String, Vec<usize>>,
    (pairs, foreign): (&mut Vec<(usize, usize)>, &mut Vec<usize>),
) {
    for &at in continuations {
        let next = pairs.iter().filter(|(other, _)| *other > at).map(|(_, original)| *original).min();
        let last = pairs.iter().filter(|(other, _)| *other < at).map(|(_, original)| *original).max();
        let fits = |place: &usize| last.is_none_or(|last| *place > last) && next.is_none_or(|next| *place < next);
        let places = known.get_mut(&words(&after[at]));
        match places.and_then(|places| places.iter().rposition(fits).map(|place| places.remove(place))) {
            Some(original) => pairs.push((at, original)),
            None => foreign.push(at),
        }
    }
}

/// Takes the last of these places before another one where the same was thought.
fn take_thought(places: &mut Vec<usize>, behind: usize, alike: impl Fn(usize) -> bool) -> Option<usize> {
    let at = places.iter().rposition(|&place| place < behind && alike(place))?;
    Some(places.remove(at))
}

/// Takes the last of these places, which ascend, before another one, or the last of all where there is none.
fn take_before(places: &mut Vec<usize>, behind: usize) -> Option<usize> {
    let before = places.partition_point(|place| *place < behind);
    let last = before.checked_sub(1).or_else(|| places.len().checked_sub(1))?;
    Some(places.remove(last))
}

/// The fewest of these, each with its place in the original, without which all others stand in the order of the original.
fn out_of_order(pairs: &[(usize, usize)]) -> Vec<usize> {
    // For each length the run of that many in order that ends lowest, by its last; and what stands before each in its run.
    let mut ends: Vec<usize> = Vec::new();
    let mut earlier: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, (_, original)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < *original);
        earlier.push(length.checked_sub(1).map(|before| ends[before]));
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let longest: HashSet<usize> = std::iter::successors(ends.last().copied(), |&at| earlier[at]).collect();
    (0..pairs.len()).filter(|at| !longest.contains(at)).map(|at| pairs[at].0).collect()
}

/// What the messages that the original does not have are told by.
struct Sorter<'s, 'm> {
    before: &'s [Message<'m>],
    after: &'s [Message<'m>],
    /// What is the same on both sides, by its place in the compacted transcript.
    pairs: &'s [(usize, usize)],
    /// Those of them that stand in their order.
    settled: Vec<(usize, usize)>,
    /// Ids that more calls of the original than one have.
    repeated: HashSet<&'s str>,
    /// A message of the user describes media.
    described: bool,
    stubs: &'s Stubs,
}

impl Sorter<'_, '_> {
    /// Tells summaries, pruned messages and altered ones apart among those that the original does not have.
    fn sort_out(&self, kept: &mut Kept, foreign: &[usize]) {
        let after = self.after;
        let first_kept = self.pairs.iter().map(|(at, _)| *at).find(|&at| after[at].role != Role::System);
        let marked = foreign.iter().any(|&at| after[at].author == Author::Summary);
        let mut once = HashSet::new();
        for &at in foreign {
            let message = &after[at];
            match message.author {
                // What a compaction adds, it adds once.
                Author::Summary | Author::Continuation if !once.insert(words(message)) => kept.altered.push((at, None)),
                Author::Summary => kept.summaries.push(at),
                Author::Continuation => kept.going.push(at),
                // Words of the harness alone; results may have some of them beside.
                Author::Harness if message.results().next().is_none() => {}
                _ if at + 1 == after.len() && goes_on(message) => kept.going.push(at),
                _ => match self.original_of(at, kept) {
                    Some(original) if self.declares(original, message) => {
                        kept.originals.insert(original);
                        kept.same += 1;
                    }
                    None if !marked && is_summary(message, at, first_kept) && once.insert(words(message)) => {
                        kept.summaries.push(at);
                    }
                    other => kept.altered.push((at, other)),
                },
            }
        }
    }

    /// The message that this one was pruned or shortened from, or changed in any other way where ids tell.
    fn original_of(&self, at: usize, kept: &Kept) -> Option<usize> {
        let (message, taken) = (&self.after[at], &kept.originals);
        let original = self.counterpart((at, message), kept);
        let original = original.or_else(|| shortened_from(message, self.before, taken));
        original.or_else(|| self.described_from(message, taken))
    }

    /// What differs is said to differ.
    fn declares(&self, original: usize, message: &Message<'_>) -> bool {
        let before = &self.before[original];
        is_pruned(before, message, self.stubs) || is_excerpt(before, message) || lacks_media(before, message)
    }

    /// The message that has the same calls and results, if it has any; where a format makes ids up from places, or has
    /// none, one of which only results were shortened, at best between the messages that this one stands between.
    fn counterpart(&self, (at, message): (usize, &Message<'_>), kept: &Kept) -> Option<usize> {
        let own = stored_ids(message);
        let results = message.parts.iter().any(|part| matches!(part.kind, PartKind::Result { .. }));
        let stated = own.as_ref().is_some_and(|own| !own.is_empty() && !own.contains(&""));
        let same = |place: &usize| {
            let other = &self.before[*place];
            let meant = || match stated {
                true => stored_ids(other) == own,
                false => is_pruned(other, message, self.stubs) && begins_alike(other, message, self.stubs),
            };
            !kept.originals.contains(place) && other.role == message.role && meant()
        };
        if !stated && !results {
            return None;
        }
        let behind = self.settled.partition_point(|(place, _)| *place <= at);
        let low = behind.checked_sub(1).map_or(0, |last| self.settled[last].1 + 1);
        let high = self.settled.get(behind).map_or(self.before.len(), |(_, original)| *original);
        // Where ids are used again, or were blacked out, the one is meant of which this one says that it was pruned.
        let near = || (low..high.max(low)).rev().filter(same);
        let all = || (0..self.before.len()).rev().filter(same);
        let says = |place: &usize| self.declares(*place, message);
        let again = own.iter().flatten().any(|id| self.repeated.contains(id));
        let far = || if again { all().find(says) } else { None };
        near().find(says).or_else(far).or_else(|| near().next()).or_else(|| all().next())
    }

    /// The message whose media a later one describes.
    fn described_from(&self, message: &Message<'_>, taken: &HashSet<usize>) -> Option<usize> {
        let whole = |at: &usize| !taken.contains(at) && lacks_media(&self.before[*at], message);
        (0..self.before.len()).rev().filter(|_| self.described).find(whole)
    }
}

/// Both are one message of the user, and one lacks the media of the other.
fn lacks_media(before: &Message<'_>, after: &Message<'_>) -> bool {
    let rest = |message: &Message<'_>| -> Vec<String> {
        let words = told(message).into_iter().filter(|part| !matches!(part.kind, PartKind::Media(_)));
        words.map(|part| said(part).into_owned()).filter(|text| !text.is_empty()).collect()
    };
    let users = before.role == Role::User && after.role == Role::User;
    let medium = |message: &Message<'_>| message.parts.iter().any(|part| matches!(part.kind, PartKind::Media(_)));
    users && medium(before) && !medium(after) && rest(before) == rest(after)
}

/// The last message, by which another tool sets its agent going again.
fn goes_on(message: &Message<'_>) -> bool {
    let text = message.text().trim().to_lowercase();
    message.role == Role::User
        && text.len() < 200
        && ["continue", "please continue"].iter().any(|word| text.starts_with(word))
}

/// Words before all that is kept, where nothing is marked as a summary: another tool's summary.
fn is_summary(message: &Message<'_>, at: usize, first_kept: Option<usize>) -> bool {
    let only_words = message.parts.iter().all(|part| matches!(part.kind, PartKind::Text | PartKind::Reasoning { .. }));
    only_words && first_kept.is_none_or(|first| at < first)
}

/// The message that a long one of the user was shortened from.
fn shortened_from(message: &Message<'_>, before: &[Message<'_>], taken: &HashSet<usize>) -> Option<usize> {
    let marked = message.role == Role::User && message.text().contains(fixed_texts::EXCERPT_OPEN);
    let whole = |at: &usize| !taken.contains(at) && is_excerpt(&before[*at], message);
    (0..before.len()).rev().filter(|_| marked).find(whole)
}

/// Both are one text of the user, and one says beginning and end of the other, around a line that says how much is missing.
fn is_excerpt(before: &Message<'_>, after: &Message<'_>) -> bool {
    let [Part { kind: PartKind::Text, text: old, .. }] = told(before)[..] else { return false };
    let [Part { kind: PartKind::Text, text: new, .. }] = told(after)[..] else { return false };
    before.role == Role::User && after.role == Role::User && stubs::is_excerpt(new, old)
}

/// The ids of its calls and results as they are stored; none where one was made up.
fn stored_ids<'m>(message: &'m Message<'_>) -> Option<Vec<&'m str>> {
    message.calls().chain(message.results()).map(stored_id).collect()
}

/// The ids that more calls than one have.
fn repeated<'m>(messages: &'m [Message<'_>]) -> HashSet<&'m str> {
    let mut seen = HashSet::new();
    messages.iter().flat_map(Message::calls).filter_map(stored_id).filter(|id| !seen.insert(*id)).collect()
}

/// An excerpt begins as the result does; a stub is a word for all.
fn begins_alike(old: &Message<'_>, new: &Message<'_>, stubs: &Stubs) -> bool {
    let start = |part: &Part<'_>| part.text.chars().take(20).collect::<String>();
    let alike = |old: &Part<'_>, new: &Part<'_>| start(old) == start(new) || stubs.stands_for(&new.text, &old.text);
    told(old).iter().zip(told(new)).all(|(old, new)| alike(old, new))
}

/// Only results differ, and arguments of calls, and those are declared as pruned or shortened.
fn is_pruned(before: &Message<'_>, after: &Message<'_>, stubs: &Stubs) -> bool {
    let (old, new) = (told(before), told(after));
    let same = |old: &Part<'_>, new: &Part<'_>| called(old) == called(new) && said(old) == said(new);
    let all =
        |old: &Part<'_>, new: &Part<'_>| same(old, new) || is_stub(old, new, stubs) || is_cleared(old, new, stubs);
    old.len() == new.len() && old.iter().zip(&new).all(|(old, new)| all(old, new))
}

fn is_stub(old: &Part<'_>, new: &Part<'_>, stubs: &Stubs) -> bool {
    let result = |part: &Part<'_>| matches!(part.kind, PartKind::Result { .. });
    let flagged = matches!(new.kind, PartKind::Result { pruned: true, .. });
    let says = || stubs.stands_for(&new.text, &old.text) || stubs.shortens(&new.text, &old.text);
    result(old) && result(new) && (flagged || says())
}

/// A call of the same tool whose arguments were cleared.
fn is_cleared(old: &Part<'_>, new: &Part<'_>, stubs: &Stubs) -> bool {
    let call = |part: &Part<'_>| matches!(part.kind, PartKind::Call { .. });
    call(old) && call(new) && called(old) == called(new) && stubs.clears(&new.text)
}

/// The parts that a model reads as said: reasoning may be stripped.
fn told<'m>(message: &'m Message<'_>) -> Vec<&'m Part<'m>> {
    message.parts.iter().filter(|part| !matches!(part.kind, PartKind::Reasoning { .. } | PartKind::Opaque)).collect()
}

/// Whether the reasoning that is there is that of the original: it may go, and is signed as it stands.
fn keeps_reasoning(before: &Message<'_>, after: &Message<'_>) -> bool {
    let reasoning = |part: &&Part<'_>| matches!(part.kind, PartKind::Reasoning { .. }) && !part.text.trim().is_empty();
    let known = |part: &Part<'_>| before.parts.iter().filter(reasoning).any(|old| old.text.trim() == part.text.trim());
    after.parts.iter().filter(reasoning).all(known)
}

/// Whether a message has anything by which it could be told: an answer that was broken off may be empty.
pub(super) fn says_anything(message: &Message<'_>) -> bool {
    told(message).iter().any(|part| !said(part).is_empty())
}

/// What a message says, as a key.
fn words(message: &Message<'_>) -> String {
    // What a harness says leads a transcript, or stands in it in the user's name once more (Codex).
    let of_harness = matches!(message.author, Author::System | Author::Harness);
    let mut key = if of_harness { Role::System } else { message.role }.name().to_owned();
    for part in told(message) {
        key.push('\0');
        key.push_str(part.kind.name());
        key.push_str(called(part));
        key.push('\0');
        key.push_str(&said(part));
    }
    key
}

/// The tool that a part calls, if it calls one.
fn called<'p>(part: &'p Part<'_>) -> &'p str {
    if let PartKind::Call { name, .. } = &part.kind { name } else { "" }
}

/// What a part says; of arguments it is the same however their JSON is written.
fn said<'p>(part: &'p Part<'_>) -> Cow<'p, str> {
    let text = part.text.trim();
    let arguments = matches!(part.kind, PartKind::Call { .. }) && text.starts_with(['{', '[']);
    let value = arguments.then(|| serde_json::from_str::<serde_json::Value>(text).ok()).flatten();
    value.map_or(Cow::Borrowed(text), |value| Cow::Owned(value.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::sketch::sketch;

    #[test]
    fn a_result_is_that_of_its_own_call_where_an_id_is_used_again() {
        let mut original = sketch("u t r t r");
        let mut texts = ["ask", "ls quay", "red", "ls mole", "blue"].into_iter();
        original
            .messages
            .iter_mut()
            .for_each(|message| message.parts[0].text = texts.next().unwrap_or_default().into());
        let name = |message: &mut Message<'_>, new: &str| match &mut message.parts[0].kind {
            PartKind::Call { id, .. } | PartKind::Result { id, .. } => *id = Cow::Owned(new.to_owned()),
            _ => {}
        };
        let mut cut = original.clone();
        cut.messages.drain(1..3);
        cut.messages[2].parts[0].text = "(gone)".into();
        cut.messages.iter_mut().for_each(|message| name(message, "c"));
        original.messages[..3].iter_mut().for_each(|message| name(message, "c"));
        original.messages[3..].iter_mut().for_each(|message| name(message, "#2 c"));
        assert_eq!(match_up(Some(&original), &cut, &Stubs::default()).altered, [(2, Some(4))]);
    }

    #[test]
    fn reasoning_may_go_and_never_changes() {
        let mut transcript = sketch("u a");
        transcript.messages[1].parts[0].text = "The tide is high, so the gate is shut.".into();
        transcript.messages[1].parts[0].kind = PartKind::Reasoning { signed: true };
        let (mut changed, mut stripped) = (transcript.clone(), transcript.clone());
        changed.messages[1].parts[0].text = "The tide is low.".into();
        stripped.messages[1].parts.clear();
        let altered = |after: &Transcript<'_>| match_up(Some(&transcript), after, &Stubs::default()).altered;
        assert_eq!(altered(&changed), [(1, Some(1))]);
        assert_eq!(altered(&stripped), []);
        assert_eq!(altered(&transcript), []);
    }

    #[test]
    fn reasoning_alone_is_told_by_what_it_says() {
        let mut transcript = sketch("u a a");
        for (message, thought) in transcript.messages[1..].iter_mut().zip(["The tide is high.", "The tide is low."]) {
            message.parts[0].text = thought.into();
            message.parts[0].kind = PartKind::Reasoning { signed: true };
        }
        let mut loaded = transcript.clone();
        loaded.messages.remove(2);
        assert_eq!(match_up(Some(&transcript), &loaded, &Stubs::default()).altered, []);
    }

    #[test]
    fn what_a_harness_says_again_is_what_it_said_whoever_it_names() {
        let mut original = sketch("s u a s u");
        original.messages[0].parts[0].text = "<environment_context>".into();
        original.messages[3].parts[0].text = "<environment_context>".into();
        let mut compacted = original.clone();
        (original.messages[3].role, original.messages[3].author) = (Role::User, Author::Harness);
        compacted.messages.drain(1..3);
        let kept = match_up(Some(&original), &compacted, &Stubs::default());
        assert_eq!((kept.altered, kept.moved), (vec![], vec![]));
    }

    #[test]
    fn of_messages_with_one_id_the_one_is_meant_of_which_it_says_that_it_was_pruned() {
        let mut original = sketch("u t r t r");
        let mut texts = ["ask", "ls quay", "red", "ls mole", "blue"].into_iter();
        for message in &mut original.messages {
            message.parts[0].text = texts.next().unwrap_or_default().into();
            if let PartKind::Call { id, .. } | PartKind::Result { id, .. } = &mut message.parts[0].kind {
                *id = Cow::Borrowed("BLACKED OUT");
            }
        }
        for at in [2, 3] {
            let result = original.messages.remove(at).parts.remove(0);
            original.messages[at - 1].parts.push(result);
        }
        let mut cut = original.clone();
        for message in &mut cut.messages[1..] {
            message.parts[1].text = "(gone)".into();
            if let PartKind::Result { pruned, .. } = &mut message.parts[1].kind {
                *pruned = true;
            }
        }
        let kept = match_up(Some(&original), &cut, &Stubs::default());
        assert_eq!((kept.altered, kept.originals.len()), (vec![], 3));
    }
}
