//! Matches the messages of a compacted transcript with those of its original by their content: another tool may write
//! other ids, spell JSON differently, or order fields differently.

use super::acted::read_alike;
use super::other_tool;
use super::pruned::{is_pruned, newest};
use super::stubs::{self, Stubs};
use crate::summary::starts_any;
use crate::transcript::{Author, Message, Part, PartKind, Role, Status, Transcript, fixed_texts, stored_id};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// How the messages of two transcripts correspond.
#[derive(Debug, Default)]
pub(in crate::gates) struct Kept {
    /// Indices of messages of the original that are still loaded.
    pub(in crate::gates) originals: HashSet<usize>,
    /// Those of them that are carried after the summary, in the text of its message.
    pub(in crate::gates) carried: HashSet<usize>,
    /// Indices of messages of the compacted transcript that hold the new summary.
    pub(in crate::gates) summaries: Vec<usize>,
    /// Indices of messages of the compacted transcript that are not in the original, each with the original message
    /// that it was changed from, if that is known.
    pub(in crate::gates) altered: Vec<(usize, Option<usize>)>,
    /// Number of messages of the compacted transcript that are as in the original, apart from pruned results.
    pub(in crate::gates) same: usize,
    /// Those of them that are out of order: before a message that they followed, or after one that followed them.
    pub(in crate::gates) moved: Vec<usize>,
    /// Indices of messages of both sides that match: compacted, original.
    pub(in crate::gates) pairs: Vec<(usize, usize)>,
    /// Indices of new continuation messages.
    pub(in crate::gates) going: Vec<usize>,
}

/// Whether a harness that resumes the transcript loads a message. A plain list is sent whole, with what precedes a
/// summary. The report of a run may count less as `live`, since the run knows what is there on purpose.
pub(in crate::gates) fn is_loaded(transcript: &Transcript<'_>, message: &Message<'_>) -> bool {
    let traits = &transcript.traits;
    let sent = !traits.native_summary && traits.sent_from.is_none_or(|first| message.record >= first);
    !message.abandoned && (message.live || sent)
}

/// Matches the loaded messages of a compacted transcript with those of its original, from the newest back.
pub(super) fn match_up(original: Option<&Transcript<'_>>, compacted: &Transcript<'_>, stubs: &Stubs) -> Kept {
    let Some(original) = original else { return alone(&compacted.messages) };
    let mut kept = Kept::default();
    let read = read_alike(compacted, original);
    let (before, after) = (&original.messages, &*read);
    let mut known = places_by_words(before, after);
    let (mut pairs, mut foreign, mut continuations) = (Vec::new(), Vec::new(), Vec::new());
    let mut behind = before.len();
    for (at, message) in after.iter().enumerate().rev().filter(|(_, message)| is_loaded(compacted, message)) {
        if message.author == Author::Continuation {
            continuations.push(at);
            continue;
        }
        let says_nothing = required_parts(message).is_empty();
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
    kept.pairs.clone_from(&pairs);
    let reasons = |(at, original): &(usize, usize)| !keeps_reasoning(&before[*original], &after[*at]);
    kept.altered = pairs.iter().copied().filter(reasons).map(|(at, original)| (at, Some(original))).collect();
    kept.same = pairs.len() - kept.altered.len();
    kept.originals = pairs.iter().map(|(_, original)| *original).collect();
    let moved: HashSet<usize> = kept.moved.iter().copied().collect();
    let settled = pairs.iter().copied().filter(|(at, _)| !moved.contains(at)).collect();
    let marks = [fixed_texts::MEDIA_DESCRIBED, fixed_texts::ONLY_MEDIA];
    let describes = |message: &Message<'_>| starts_any(&message.text(), &marks);
    let described = after.iter().any(|message| message.role == Role::User && describes(message));
    let repeated = repeated(before);
    let newest = newest(before, after);
    let sorter = Sorter { before, after, pairs: &pairs, settled, repeated, described, newest, stubs };
    sorter.sort_out(&mut kept, &foreign);
    kept
}

/// The places of the original's messages by their words, for those that the compacted transcript has too: the words of
/// all messages are as much as the original.
fn places_by_words(before: &[Message<'_>], after: &[Message<'_>]) -> HashMap<String, Vec<usize>> {
    let mut known: HashMap<String, Vec<usize>> = after.iter().map(|message| (words(message), Vec::new())).collect();
    for (at, message) in before.iter().enumerate() {
        if let Some(places) = known.get_mut(&words(message)) {
            places.push(at);
        }
    }
    known
}

/// A compacted transcript without its original: only its summaries are known.
fn alone(messages: &[Message<'_>]) -> Kept {
    let is_summary = |at: &usize| messages[*at].author == Author::Summary && messages[*at].live;
    Kept { summaries: (0..messages.len()).filter(is_summary).collect(), ..Kept::default() }
}

/// Matches continuations: one of the original is between the same messages as before; any other is new.
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

/// Removes and returns the last of `places` before `behind` for which `alike` holds (the same reasoning).
fn take_thought(places: &mut Vec<usize>, behind: usize, alike: impl Fn(usize) -> bool) -> Option<usize> {
    let at = places.iter().rposition(|&place| place < behind && alike(place))?;
    Some(places.remove(at))
}

/// Removes and returns the last of these ascending places before `behind`, or the last of all if none precedes it.
fn take_before(places: &mut Vec<usize>, behind: usize) -> Option<usize> {
    let before = places.partition_point(|place| *place < behind);
    let last = before.checked_sub(1).or_else(|| places.len().checked_sub(1))?;
    Some(places.remove(last))
}

/// Returns the smallest set of messages whose removal leaves the others in the order of the original. Each pair is
/// (index in the compacted transcript, index in the original).
fn out_of_order(pairs: &[(usize, usize)]) -> Vec<usize> {
    // Longest increasing subsequence: `ends` has, for each length, the lowest last element; `earlier` links to the
    // element before.
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

/// Context for classifying messages that are not in the original.
struct Sorter<'s, 'm> {
    before: &'s [Message<'m>],
    after: &'s [Message<'m>],
    /// Equal messages: (index in the compacted transcript, index in the original).
    pairs: &'s [(usize, usize)],
    /// Those of them that are in the order of the original.
    settled: Vec<(usize, usize)>,
    /// Ids that more than one call of the original has.
    repeated: HashSet<&'s str>,
    /// Some message of the user describes media.
    described: bool,
    /// Results of the original, each with the last message that has it; filled only if a stub says that a later one is
    /// the same.
    newest: HashMap<&'s str, usize>,
    stubs: &'s Stubs,
}

impl Sorter<'_, '_> {
    /// Classifies messages that are not in the original: summaries, continuations, pruned messages, altered ones.
    fn sort_out(&self, kept: &mut Kept, foreign: &[usize]) {
        let after = self.after;
        let first_kept = self.pairs.iter().map(|(at, _)| *at).find(|&at| after[at].role != Role::System);
        let marked = foreign.iter().any(|&at| after[at].author == Author::Summary);
        let opens = |at: usize| !marked && other_tool::opens_as_summary(&after[at]);
        let opening = foreign.iter().copied().find(|at| opens(*at));
        let mut once = HashSet::new();
        for &at in foreign {
            let message = &after[at];
            let first = || other_tool::is_first(message, at, first_kept) && self.instruction(at, kept).is_none();
            match message.author {
                // A compaction adds a summary or continuation only once.
                Author::Summary | Author::Continuation if !once.insert(words(message)) => kept.altered.push((at, None)),
                Author::Summary => kept.summaries.push(at),
                Author::Continuation => kept.going.push(at),
                // Text of the harness alone; beside results it does not excuse the rest of the message.
                Author::Harness if message.results().next().is_none() && opening != Some(at) => {}
                _ if at + 1 == after.len() && goes_on(message) => kept.going.push(at),
                _ => match self.original_of(at, kept) {
                    Some(original) if self.declares(original, message) => {
                        kept.originals.insert(original);
                        kept.same += 1;
                    }
                    None if !marked && (opening == Some(at) || first()) && once.insert(words(message)) => {
                        kept.summaries.push(at);
                    }
                    other => kept.altered.push((at, other.or_else(|| self.instruction(at, kept)))),
                },
            }
        }
        other_tool::find_in_gap(kept, (self.before, after), &self.settled);
        other_tool::find_hidden(kept, (self.before, after), (foreign, first_kept));
        other_tool::leave_out_notes(kept, after);
    }

    /// The original's instruction at this place that this message words otherwise.
    fn instruction(&self, at: usize, kept: &Kept) -> Option<usize> {
        let original = self.before.get(at).filter(|_| !kept.originals.contains(&at))?;
        other_tool::is_instruction(&self.after[at], original).then_some(at)
    }

    /// The original message that this one was pruned or shortened from, or, if its ids tell, changed from in another
    /// way.
    fn original_of(&self, at: usize, kept: &Kept) -> Option<usize> {
        let (message, taken) = (&self.after[at], &kept.originals);
        let original = self.counterpart((at, message), kept);
        let original = original.or_else(|| shortened_from(message, self.before, taken));
        original.or_else(|| self.described_from(message, taken))
    }

    /// Whether the message marks its difference from the original: as pruned, as an excerpt, or as lacking media.
    fn declares(&self, original: usize, message: &Message<'_>) -> bool {
        let before = &self.before[original];
        self.pruned(original, message) || is_excerpt(before, message) || lacks_media(before, message)
    }

    /// Whether a message is the original one of this index with pruned results.
    fn pruned(&self, original: usize, message: &Message<'_>) -> bool {
        let later = |text: &str| self.newest.get(text).is_some_and(|newest| *newest > original);
        is_pruned(&self.before[original], message, (self.stubs, &later))
    }

    /// The original message with the same calls and results. If ids are missing, or made up from positions, it is one
    /// that differs only in shortened results, preferably between the neighbors of this message.
    fn counterpart(&self, (at, message): (usize, &Message<'_>), kept: &Kept) -> Option<usize> {
        let own = stored_ids(message);
        let results = message.parts.iter().any(|part| matches!(part.kind, PartKind::Result { .. }));
        let stated = own.as_ref().is_some_and(|own| !own.is_empty() && !own.contains(&""));
        let same = |place: &usize| {
            let other = &self.before[*place];
            let meant = || match stated {
                true => stored_ids(other) == own,
                false => self.pruned(*place, message) && begins_alike(other, message, self.stubs),
            };
            !kept.originals.contains(place) && other.role == message.role && meant()
        };
        if !stated && !results {
            return None;
        }
        let behind = self.settled.partition_point(|(place, _)| *place <= at);
        let low = behind.checked_sub(1).map_or(0, |last| self.settled[last].1 + 1);
        let high = self.settled.get(behind).map_or(self.before.len(), |(_, original)| *original);
        // If ids are reused or blanked, prefer the original from which this message is marked as pruned.
        let near = || (low..high.max(low)).rev().filter(same);
        let all = || (0..self.before.len()).rev().filter(same);
        let says = |place: &usize| self.declares(*place, message);
        let again = own.iter().flatten().any(|id| self.repeated.contains(id));
        let far = || if again { all().find(says) } else { None };
        near().find(says).or_else(far).or_else(|| near().next()).or_else(|| all().next())
    }

    /// The original message whose media this message describes.
    fn described_from(&self, message: &Message<'_>, taken: &HashSet<usize>) -> Option<usize> {
        let whole = |at: &usize| !taken.contains(at) && lacks_media(&self.before[*at], message);
        (0..self.before.len()).rev().filter(|_| self.described).find(whole)
    }
}

/// Whether both are the same message of the user, and `after` lacks the media.
fn lacks_media(before: &Message<'_>, after: &Message<'_>) -> bool {
    let rest = |message: &Message<'_>| -> Vec<String> {
        let words = required_parts(message).into_iter().filter(|part| !matches!(part.kind, PartKind::Media(_)));
        words.map(|part| canonical_text(part).into_owned()).filter(|text| !text.is_empty()).collect()
    };
    let users = before.role == Role::User && after.role == Role::User;
    let medium = |message: &Message<'_>| message.parts.iter().any(|part| matches!(part.kind, PartKind::Media(_)));
    users && medium(before) && !medium(after) && rest(before) == rest(after)
}

/// Whether a message is a continuation of another tool; asked only of the last message.
fn goes_on(message: &Message<'_>) -> bool {
    let text = message.text().trim().to_lowercase();
    message.role == Role::User && text.len() < 200 && starts_any(&text, &["continue", "please continue"])
}

/// The user's original message that this one is an excerpt of.
fn shortened_from(message: &Message<'_>, before: &[Message<'_>], taken: &HashSet<usize>) -> Option<usize> {
    let marked = message.role == Role::User && message.text().contains(fixed_texts::EXCERPT_OPEN);
    let whole = |at: &usize| !taken.contains(at) && is_excerpt(&before[*at], message);
    (0..before.len()).rev().filter(|_| marked).find(whole)
}

/// Whether `after` is an excerpt of `before`, both texts of a user: its beginning and end, around a line that says how
/// much is missing.
fn is_excerpt(before: &Message<'_>, after: &Message<'_>) -> bool {
    let [Part { kind: PartKind::Text, text: old, .. }] = required_parts(before)[..] else { return false };
    let [Part { kind: PartKind::Text, text: new, .. }] = required_parts(after)[..] else { return false };
    before.role == Role::User && after.role == Role::User && stubs::is_excerpt(new, old)
}

/// The stored ids of a message's calls and results; `None` if one of them was made up while reading.
fn stored_ids<'m>(message: &'m Message<'_>) -> Option<Vec<&'m str>> {
    message.calls().chain(message.results()).map(stored_id).collect()
}

/// The ids that more than one call has.
fn repeated<'m>(messages: &'m [Message<'_>]) -> HashSet<&'m str> {
    let mut seen = HashSet::new();
    messages.iter().flat_map(Message::calls).filter_map(stored_id).filter(|id| !seen.insert(*id)).collect()
}

/// Whether the parts begin alike, or are stubs: an excerpt begins like the result, a stub is the same for all results.
fn begins_alike(old: &Message<'_>, new: &Message<'_>, stubs: &Stubs) -> bool {
    let start = |part: &Part<'_>| part.text.chars().take(20).collect::<String>();
    let alike = |old: &Part<'_>, new: &Part<'_>| start(old) == start(new) || stubs.stands_for(&new.text, &old.text);
    required_parts(old).iter().zip(required_parts(new)).all(|(old, new)| alike(old, new))
}

/// The parts that a compaction must keep: all but reasoning, which may be stripped, and opaque parts.
pub(super) fn required_parts<'m>(message: &'m Message<'_>) -> Vec<&'m Part<'m>> {
    message.parts.iter().filter(|part| !matches!(part.kind, PartKind::Reasoning { .. } | PartKind::Opaque)).collect()
}

/// Whether all reasoning of `after` is in `before`: reasoning may be dropped, but not changed, as it is signed.
fn keeps_reasoning(before: &Message<'_>, after: &Message<'_>) -> bool {
    let reasoning = |part: &&Part<'_>| matches!(part.kind, PartKind::Reasoning { .. }) && !part.text.trim().is_empty();
    let known = |part: &Part<'_>| before.parts.iter().filter(reasoning).any(|old| old.text.trim() == part.text.trim());
    after.parts.iter().filter(reasoning).all(known)
}

/// Whether a message has content to be matched by; an interrupted answer may be empty.
pub(in crate::gates) fn says_anything(message: &Message<'_>) -> bool {
    required_parts(message).iter().any(|part| !canonical_text(part).is_empty())
}

/// The content of a message as a lookup key.
fn words(message: &Message<'_>) -> String {
    // Harness messages lead a transcript, or are stored under the role `user` later on (Codex).
    let of_harness = matches!(message.author, Author::System | Author::Harness);
    let mut key = if of_harness { Role::System } else { message.role }.name().to_owned();
    for part in required_parts(message) {
        key.push('\0');
        key.push_str(part.kind.name());
        key.push_str(called(part));
        key.push_str(if failed(part) { "failed" } else { "" });
        key.push('\0');
        key.push_str(&canonical_text(part));
    }
    key
}

/// Whether a part is a result that is stored as that of a call that failed.
pub(super) fn failed(part: &Part<'_>) -> bool {
    matches!(part.kind, PartKind::Result { error: true, .. })
        || matches!(part.status, Some(Status::Exit(code)) if code != 0)
}

/// Whether a result of `after` is stored as a success and was a failure, or the other way round, and says the same.
pub(in crate::gates) fn has_other_status(before: &Message<'_>, after: &Message<'_>) -> bool {
    let mut parts = required_parts(before).into_iter().zip(required_parts(after));
    parts.any(|(old, new)| old.text == new.text && failed(old) != failed(new))
}

/// The name of the tool that a part calls; empty if it is no call.
pub(super) fn called<'p>(part: &'p Part<'_>) -> &'p str {
    if let PartKind::Call { name, .. } = &part.kind { name } else { "" }
}

/// The text of a part, with JSON arguments in one canonical spelling.
pub(super) fn canonical_text<'p>(part: &'p Part<'_>) -> Cow<'p, str> {
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
    fn a_stub_with_another_outcome_is_a_changed_result() {
        let mut original = sketch("u t r");
        original.messages[2].parts[0].text = ("ok\n".repeat(40) + "3 failed, 117 passed").into();
        let stubbed = |stub: &'static str| {
            let mut cut = original.clone();
            cut.messages[2].parts[0].text = stub.into();
            match_up(Some(&original), &cut, &Stubs::default()).altered
        };
        assert_eq!(stubbed("[tool output omitted: 3 failed, 117 passed]"), []);
        assert_eq!(stubbed("[tool output omitted: exit 0, 120 tests passed, 0 failed]"), [(2, Some(2))]);
        assert_eq!(stubbed("[Duplicate tool output — same content as a more recent call]"), [(2, Some(2))], "no other");
    }

    #[test]
    fn an_excerpt_may_have_the_suites_that_passed() {
        let suite = "test result: ok. 40 passed; 0 failed\n".repeat(30);
        let mut original = sketch("u t r t r");
        original.messages[2].parts[0].text = format!("{suite}38 passed; 2 failed\n{suite}").into();
        let again = original.messages[2].parts[0].text.clone();
        let stubbed = |stub: String| {
            let mut cut = original.clone();
            cut.messages[2].parts[0].text = stub.into();
            match_up(Some(&original), &cut, &Stubs::default()).altered
        };
        let (open, close) = (fixed_texts::EXCERPT_OPEN, fixed_texts::EXCERPT_CLOSE);
        assert_eq!(stubbed(format!("{}{open}20{close}{}", &suite[..111], &suite[..74])), []);
        assert_eq!(stubbed(format!("{}[output truncated]\n{}", &suite[..111], &suite[..74])), []);
        assert_eq!(stubbed(format!("{}[truncated: all tests passed]\n", &suite[..111])), [(2, Some(2))]);
        original.messages[4].parts[0].text = again;
        let mut cut = original.clone();
        cut.messages[2].parts[0].text = "[Duplicate tool output — same content as a more recent call]".into();
        assert_eq!(match_up(Some(&original), &cut, &Stubs::default()).altered, []);
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
    fn a_result_is_a_success_or_a_failure_as_it_was() {
        let mut original = sketch("u t r t r");
        for (at, message) in original.messages.iter_mut().enumerate() {
            message.parts[0].text = format!("no lamp {at}").into();
        }
        let set = |transcript: &mut Transcript<'_>, at: usize, failed: bool| {
            if let PartKind::Result { error, .. } = &mut transcript.messages[at].parts[0].kind {
                *error = failed;
            }
        };
        set(&mut original, 2, true);
        let altered = |after: &Transcript<'_>| match_up(Some(&original), after, &Stubs::default()).altered;
        assert_eq!(altered(&original), []);
        for (at, failed) in [(2, false), (4, true)] {
            let mut changed = original.clone();
            set(&mut changed, at, failed);
            assert_eq!(altered(&changed), [(at, Some(at))]);
            assert!(has_other_status(&original.messages[at], &changed.messages[at]));
        }
        let mut exit = original.clone();
        exit.messages[4].parts[0].status = Some(Status::Exit(1));
        assert_eq!(altered(&exit), [(4, Some(4))]);
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
