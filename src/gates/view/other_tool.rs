//! Summaries of other tools that nothing marks as such: mere words that the original does not have, before all kept
//! messages or in a gap between them; and the short answers that some tools put behind them.

use super::matching::{Kept, says_anything};
use crate::measure::pattern;
use crate::transcript::fixed_texts::{CONTINUED, HERMES_CONTEXT, HERMES_SUMMARY, PREFACES};
use crate::transcript::{Author, Message, PartKind, Role};
use regex::Regex;
use std::collections::HashSet;
use std::sync::LazyLock;

/// A whole text that only takes note of a summary: “Got it. Thanks for the additional context!”
static NOTED: LazyLock<Regex> = LazyLock::new(|| {
    let noted =
        r"(?:got it|understood|noted|acknowledged|okay|ok|sure|great|all right|alright|thanks|thank you|i understand)";
    let of = r"(?: for (?:the|this|that|your) (?:additional |helpful |detailed )?(?:context|summary|update|background|information|recap))?";
    let going = r"(?:i(?:['’]ll| will| can| am ready to)|let me|let['’]s|ready to) (?:now )?(?:continue|go on|proceed|resume|carry on)(?: (?:from (?:there|here)|where (?:we|i) left off|with (?:the|this) (?:task|work)|from where (?:we|i) left off))?";
    pattern(&format!(r"(?i)^(?:(?:{noted}{of}|{going})[.,;!—\s]*)+$"))
});

/// Whether a message has nothing but text and reasoning.
fn is_only_words(message: &Message<'_>) -> bool {
    message.parts.iter().all(|part| matches!(part.kind, PartKind::Text | PartKind::Reasoning { .. }))
}

/// Whether a message before all kept ones has text only: another tool's summary, if nothing is marked as one.
pub(super) fn is_first(message: &Message<'_>, at: usize, first_kept: Option<usize>) -> bool {
    is_only_words(message) && first_kept.is_none_or(|first| at < first)
}

/// Whether a message of words opens as summaries of harnesses do.
pub(super) fn opens_as_summary(message: &Message<'_>) -> bool {
    let openings = || PREFACES.into_iter().chain([CONTINUED, HERMES_SUMMARY, HERMES_CONTEXT]);
    is_only_words(message) && openings().any(|opening| message.text().trim_start().starts_with(opening))
}

/// Whether a system message is the original's instruction at its place in other words: most words of either are in the
/// other. With a summary behind the words of the original it is none.
pub(super) fn is_instruction(message: &Message<'_>, original: &Message<'_>) -> bool {
    if [message, original].iter().any(|message| message.role != Role::System) {
        return false;
    }
    let (new, old) = (message.text(), original.text());
    let has_most = |text: &str, of: &str| {
        let words: HashSet<&str> = text.split_whitespace().collect();
        let known = of.split_whitespace().filter(|word| words.contains(word)).count();
        known * 2 >= of.split_whitespace().count()
    };
    has_most(&new, &old) && has_most(&old, &new) && !new.trim_start().starts_with(old.trim())
}

/// If there is no summary yet, makes the longest new message of words one that stands between kept messages where
/// messages of the original are missing. `settled`: kept messages in order, each with its original.
pub(super) fn find_in_gap(
    kept: &mut Kept,
    (before, after): (&[Message<'_>], &[Message<'_>]),
    settled: &[(usize, usize)],
) {
    if !kept.summaries.is_empty() {
        return;
    }
    let changed: HashSet<usize> = kept.altered.iter().filter_map(|(_, original)| *original).collect();
    let is_missing = |at: &usize| {
        let message = &before[*at];
        !kept.originals.contains(at) && !changed.contains(at) && !message.abandoned && says_anything(message)
    };
    let in_gap = |at: usize| {
        let behind = settled.partition_point(|(place, _)| *place <= at);
        let (last, next) = (behind.checked_sub(1).map(|last| settled[last].1), settled.get(behind));
        last.zip(next).is_some_and(|(last, (_, next))| (last + 1..*next).any(|at| is_missing(&at)))
    };
    let new = kept.altered.iter().filter(|(_, original)| original.is_none()).map(|(at, _)| *at);
    let mut words: Vec<usize> = new.filter(|&at| is_only_words(&after[at]) && says_anything(&after[at])).collect();
    words.sort_by_key(|&at| std::cmp::Reverse(after[at].text().len()));
    // Only the longest can be the summary, so at most one gap is searched.
    let Some(summary) = words.first().copied().filter(|&at| in_gap(at)) else { return };
    kept.summaries.push(summary);
    kept.altered.retain(|(at, _)| *at != summary);
}

/// If there is no summary yet, makes the longest of these new messages of a harness one: words before all kept messages,
/// where messages of the original are missing. A harness that marks a row as one for the model only has no other mark
/// for it.
pub(super) fn find_hidden(
    kept: &mut Kept,
    (before, after): (&[Message<'_>], &[Message<'_>]),
    (foreign, first_kept): (&[usize], Option<usize>),
) {
    let is_missing = |(at, message): (usize, &Message<'_>)| {
        message.role != Role::System && !message.abandoned && says_anything(message) && !kept.originals.contains(&at)
    };
    let of_harness = |at: &usize| {
        let message = &after[*at];
        let words = is_first(message, *at, first_kept) && says_anything(message) && message.role == Role::User;
        // What a harness tells in tags is about the surroundings.
        words && message.author == Author::Harness && !message.text().trim_start().starts_with('<')
    };
    let longest = foreign.iter().copied().filter(of_harness).max_by_key(|at| after[*at].text().len());
    let wanted = kept.summaries.is_empty() && before.iter().enumerate().any(is_missing);
    kept.summaries.extend(longest.filter(|_| wanted));
}

/// Takes out the messages that only take note of the summary before them.
pub(super) fn leave_out_notes(kept: &mut Kept, after: &[Message<'_>]) {
    let summaries: HashSet<usize> = kept.summaries.iter().copied().collect();
    let is_note = |at: usize| {
        let told = at.checked_sub(1).is_some_and(|before| summaries.contains(&before));
        told && after[at].role == Role::Assistant && is_only_words(&after[at]) && takes_note(&after[at].text())
    };
    kept.altered.retain(|(at, original)| original.is_some() || !is_note(*at));
    kept.summaries.retain(|at| !is_note(*at));
}

/// Most bytes of a note.
const LONGEST: usize = 160;

fn takes_note(text: &str) -> bool {
    let text = text.trim();
    text.len() <= LONGEST && NOTED.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gates::view::matching::match_up;
    use crate::gates::view::stubs::Stubs;
    use crate::transcript::Transcript;
    use crate::transcript::sketch::sketch;

    const SAID: [&str; 7] =
        ["Mend the lamp.", "I look.", "It is the fuse.", "And the horn?", "Dry.", "And the bell?", "Cracked."];

    fn told(shape: &'static str, words: &[&'static str]) -> Transcript<'static> {
        let mut transcript = sketch(shape);
        transcript.messages.iter_mut().zip(words).for_each(|(message, text)| message.parts[0].text = (*text).into());
        transcript
    }

    fn kept(shape: &'static str, words: &[&'static str]) -> Kept {
        match_up(Some(&told("u a a u a u a", &SAID)), &told(shape, words), &Stubs::default())
    }

    const LONG: &str = "So far: the fuse of the lamp blew, and the horn is dry.";

    #[test]
    fn a_summary_may_stand_behind_the_kept_first_message_whoever_speaks_it() {
        for shape in ["u u u a", "u s u a", "u a u a"] {
            let kept = kept(shape, &["Mend the lamp.", LONG, "And the bell?", "Cracked."]);
            assert_eq!((kept.summaries, kept.altered), (vec![1], vec![]), "{shape}");
        }
    }

    #[test]
    fn a_row_for_the_model_only_before_what_is_kept_is_a_summary() {
        let before = told("u a a u a u a", &SAID);
        let sorted = |text: &'static str, kept: &[&'static str]| {
            let words: Vec<&str> = [text].into_iter().chain(kept.iter().copied()).collect();
            let mut after = told("u u a", &words);
            after.messages[0].author = Author::Harness;
            match_up(Some(&before), &after, &Stubs::default()).summaries
        };
        assert_eq!(sorted(LONG, &["And the bell?", "Cracked."]), [0]);
        assert!(sorted("<lamps>\nThe fuse blew.\n</lamps>", &["And the bell?", "Cracked."]).is_empty());
        let mut whole = told("u u a a u a u a", &[&[LONG], &SAID[..]].concat());
        whole.messages[0].author = Author::Harness;
        assert!(match_up(Some(&before), &whole, &Stubs::default()).summaries.is_empty(), "nothing is missing");
    }

    #[test]
    fn another_system_prompt_is_no_summary() {
        let before =
            told("s u a a u a", &["You mend lamps. It is Monday.", "Mend the lamp.", "I look.", "Dry.", "So?", "No."]);
        let after = |prompt, summary| told("s u u u a", &[prompt, "Mend the lamp.", summary, "So?", "No."]);
        let sorted = |prompt, summary| {
            let kept = match_up(Some(&before), &after(prompt, summary), &Stubs::default());
            (kept.summaries, kept.altered)
        };
        for summary in [LONG, "[CONTEXT COMPACTION — REFERENCE ONLY] The fuse blew.", "Context summary: dry."] {
            assert_eq!(sorted("You mend lamps. It is Tuesday.", summary), (vec![2], vec![(0, Some(0))]), "{summary}");
        }
        let both = "You mend lamps. It is Monday.\n\nSo far: the fuse blew.";
        assert_eq!(match_up(Some(&before), &told("s u a", &[both, "So?", "No."]), &Stubs::default()).summaries, [0]);
        let long =
            "You mend the lamps. It is said that the fuse blew twice, and the horn was dry, and the bell was cracked.";
        assert_eq!(match_up(Some(&before), &told("s u a", &[long, "So?", "No."]), &Stubs::default()).summaries, [0]);
        let instead = "Context summary: You mend lamps. It is dry.";
        assert_eq!(match_up(Some(&before), &told("s u a", &[instead, "So?", "No."]), &Stubs::default()).summaries, [0]);
    }

    #[test]
    fn one_message_is_the_summary_and_only_where_something_is_missing() {
        let two = kept("u u u u a", &["Mend the lamp.", "Paint it red.", LONG, "And the bell?", "Cracked."]);
        assert_eq!((two.summaries, two.altered), (vec![2], vec![(1, None)]));
        let whole =
            kept("u a a a u a", &["Mend the lamp.", "I look.", "It is the fuse.", LONG, "And the horn?", "Dry."]);
        assert_eq!((whole.summaries, whole.altered), (vec![], vec![(3, None)]), "nothing is missing there");
        let last = kept("u a a", &["Mend the lamp.", "I look.", LONG]);
        assert_eq!(last.altered, [(2, None)], "no kept message follows");
    }

    #[test]
    fn a_result_that_was_pruned_is_not_missing() {
        let mut before = told("u t r a u a", &["ask", "ls", "quay mole pier", "Three.", "And?", "No more."]);
        let mut after = before.clone();
        after.messages[2].parts[0].text = "[Old tool result content cleared]".into();
        after.messages.insert(3, told("a", &["All of it was deleted."]).messages.remove(0));
        before.messages[2].author = Author::Tool;
        let kept = match_up(Some(&before), &after, &Stubs::default());
        assert_eq!((kept.summaries, kept.altered), (vec![], vec![(3, None)]));
    }

    #[test]
    fn an_answer_that_takes_note_of_the_summary_adds_nothing() {
        for note in ["Got it. Thanks for the additional context!", "Understood, I'll continue from there."] {
            let first = kept("u a u a", &[LONG, note, "And the bell?", "Cracked."]);
            assert_eq!((first.summaries, first.altered), (vec![0], vec![]), "{note}");
            let gap = kept("u u a u a", &["Mend the lamp.", LONG, note, "And the bell?", "Cracked."]);
            assert_eq!((gap.summaries, gap.altered), (vec![1], vec![]), "{note}");
        }
        let forged =
            kept("u u a u a", &["Mend the lamp.", LONG, "Got it. The bell is new.", "And the bell?", "Cracked."]);
        assert_eq!((forged.summaries, forged.altered), (vec![1], vec![(2, None)]));
    }
}
