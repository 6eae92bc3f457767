//! Splits of sketches, drawn with the head in brackets and carried messages in braces; the rest is kept.

use super::*;
use crate::preset::Walk;
use crate::transcript::sketch::sketch;
use crate::transcript::{Author, Role};

fn rules<'s>(split: &'s SplitSettings, prune: &'s PruneSettings) -> SplitRules<'s> {
    SplitRules { split, prune, role: SummaryRole::Auto, summary: Tokens::default(), drops: false }
}

/// Splits a sketch and draws the result with the letters of its messages.
fn cut_with(drawing: &str, tokens: u64, settings: &SplitSettings) -> String {
    let transcript = sketch(drawing);
    let budget = Budget { tokens: Tokens(tokens), least: settings.min_tail, bounds: false, goal: Tokens(u64::MAX) };
    let split = split(&transcript, &[], rules(settings, &PruneSettings::default()), budget);
    let letters: Vec<char> = drawing.chars().filter(|c| c.is_alphabetic()).collect();
    let class = |index: usize| match index {
        index if split.head.contains(&index) => 'h',
        index if split.carried.messages.contains(&index) => 'c',
        _ => 'k',
    };
    let mut drawn = String::new();
    for (index, letter) in letters.iter().enumerate() {
        let previous = index.checked_sub(1).map_or('k', class);
        if class(index) != previous {
            drawn += closing(previous);
            drawn += match class(index) {
                'h' => "[",
                'c' => "{",
                _ => "",
            };
        }
        drawn.push(*letter);
    }
    drawn + closing(class(letters.len() - 1))
}

fn closing(class: char) -> &'static str {
    match class {
        'h' => "]",
        'c' => "}",
        _ => "",
    }
}

fn cut(drawing: &str, tokens: u64) -> String {
    cut_with(drawing, tokens, &SplitSettings::default())
}

#[test]
fn a_call_and_its_results_stay_on_one_side_of_the_cut() {
    assert_eq!(cut("s u tr tr a u tr a", 40), "s[utrtra]utra");
    assert_eq!(cut("s u tr tr a u tr a", 30), "s[utrtra]{u}tra");
    assert_eq!(cut("u a u p r r a", 45), "[ua]{u}prra");
    assert_eq!(cut("u a u p r r a", 15), "[ua]{u}prra", "two units stay whatever they cost");
}

#[test]
fn units_are_added_while_they_fit_and_the_first_that_does_not_ends_the_walk() {
    assert_eq!(cut("u a5 u a500 u a", 100), "[uaua]ua");
    assert_eq!(cut("u a u a", 1_000), "uaua");
}

#[test]
fn the_last_real_user_message_is_carried_out_of_the_head() {
    assert_eq!(cut("s u a u tr tr tr", 40), "s[ua]{u}[tr]trtr");
}

#[test]
fn what_only_a_queue_has_is_no_last_user_message_and_begins_no_tail() {
    let mut transcript = sketch("u a u u tr tr");
    transcript.messages[3].queued = true;
    let of = |tokens, least| {
        let budget = Budget { tokens: Tokens(tokens), least, bounds: false, goal: Tokens(u64::MAX) };
        split(&transcript, &[], rules(&SplitSettings::default(), &PruneSettings::default()), budget)
    };
    let carried = of(20, 1);
    assert_eq!((carried.head, carried.carried.messages), (vec![0, 1, 3, 4, 5], vec![2]));
    let begins = of(50, 1);
    assert_eq!((begins.head, begins.tail), (vec![0, 1, 3], vec![4, 5, 6, 7]));
    assert_eq!(of(60, 1).tail, [2, 3, 4, 5, 6, 7]);
}

#[test]
fn a_tail_has_its_least_units_also_behind_a_queue() {
    let mut transcript = sketch("u a a u a");
    transcript.messages[3].queued = true;
    let budget = Budget { tokens: Tokens(20), least: 2, bounds: false, goal: Tokens(u64::MAX) };
    let split = split(&transcript, &[], rules(&SplitSettings::default(), &PruneSettings::default()), budget);
    assert_eq!((split.head, split.tail), (vec![1], vec![2, 3, 4]));
}

#[test]
fn the_prompt_of_the_newest_slash_command_is_carried_with_it() {
    let of = |drawing: &str, command: &'static str, prompt: u64| {
        let mut transcript = sketch(drawing);
        transcript.messages[2].parts[0].text = command.into();
        transcript.messages[3].author = Author::Harness;
        transcript.messages[3].parts[0].tokens = Tokens(prompt);
        transcript.messages[3].expands = true;
        let budget = Budget { tokens: Tokens(20), least: 2, bounds: false, goal: Tokens(u64::MAX) };
        let settings = SplitSettings::default();
        split(&transcript, &[], rules(&settings, &PruneSettings::default()), budget).carried
    };
    let command = "<command-name>/light</command-name>";
    assert_eq!(of("u a u u a a a", command, 100).messages, [2, 3]);
    let large = of("u a u u a a a", command, 5_000);
    assert_eq!((large.messages, large.did_not_fit), (vec![2], vec!["the prompt of /light".to_owned()]));
    assert_eq!(of("u a u u a u a a", command, 100).messages, [5], "the user went on to something else");
    assert_eq!(of("u a u u a a a", "Light the pier.", 100).messages, [2]);
}

#[test]
fn the_prompt_of_a_command_in_the_opening_or_before_a_newer_one_stays_or_goes_with_it() {
    let command = "<command-name>/light</command-name>";
    let of = |drawing: &str, commands: [usize; 2], keep_first: usize| {
        let mut transcript = sketch(drawing);
        for at in commands {
            transcript.messages[at].parts[0].text = command.into();
            transcript.messages[at + 1].author = Author::Harness;
            transcript.messages[at + 1].expands = true;
        }
        let budget = Budget { tokens: Tokens(20), least: 2, bounds: false, goal: Tokens(u64::MAX) };
        let settings = SplitSettings { keep_first, ..SplitSettings::default() };
        split(&transcript, &[], rules(&settings, &PruneSettings::default()), budget).carried.messages
    };
    assert_eq!(of("u u a u u a a a", [0, 3], 0), [3, 4], "of the newest alone");
    assert_eq!(of("u u a a a a", [0, 0], 1), [1], "the command is kept as the opening");
}

#[test]
fn an_earlier_summary_is_no_head_and_the_tail_never_reaches_back_over_it() {
    assert_eq!(cut("s S u a u a", 1_000), "sSuaua");
    assert_eq!(cut("u a S u a", 1_000), "[ua]Sua");
}

#[test]
fn what_a_protected_tool_returned_is_carried() {
    assert_eq!(cut("u kr a u a u a", 20), "[u]{kr}[aua]ua");
    assert_eq!(cut("u kr5000 a u a u a", 20), "[ukraua]ua", "it is larger than --protect-tokens");
    assert_eq!(cut("u ke a u a u a", 20), "[ukeaua]ua", "a call that failed returned nothing");
}

#[test]
fn no_tail_is_kept_for_a_budget_of_zero_but_what_is_pinned() {
    assert_eq!(cut_with("u a u a", 0, &SplitSettings { min_tail: 0, ..SplitSettings::default() }), "[ua]{u}[a]");
}

#[test]
fn the_seeds_walk_adds_before_it_tests_and_parts_calls_from_results() {
    let seed = SplitSettings {
        walk: Walk::AddThenTest,
        cut_by: CutBy::Message,
        pin_last_user: false,
        keep_preamble: false,
        ..SplitSettings::default()
    };
    assert_eq!(cut_with("s u a u tr a", 20, &seed), "[suaut]ra");
    assert_eq!(cut_with("s u a u a100", 20, &seed), "[sua]ua");
    assert_eq!(cut_with("u a", 8_000, &seed), "ua", "a walk that never fills the tail cuts nothing");
}

#[test]
fn where_roles_alternate_the_tail_starts_with_the_assistant() {
    let mut transcript = sketch("u a u a u a u a");
    transcript.traits.user_summary = true;
    let budget = Budget { tokens: Tokens(40), least: 2, bounds: false, goal: Tokens(u64::MAX) };
    let split = split(&transcript, &[], rules(&SplitSettings::default(), &PruneSettings::default()), budget);
    assert_eq!((split.head, split.tail), (vec![0, 1, 2, 3, 4], vec![5, 6, 7]));
}

/// The call that the result answers is not recognized as a call.
#[test]
fn where_roles_alternate_the_tail_does_not_start_with_a_result_without_a_call() {
    let mut transcript = sketch("u a u a u a");
    transcript.traits.user_summary = true;
    transcript.messages[4].role = Role::Tool;
    transcript.messages[4].author = Author::Tool;
    let budget = Budget { tokens: Tokens(20), least: 2, bounds: false, goal: Tokens(u64::MAX) };
    let split = split(&transcript, &[], rules(&SplitSettings::default(), &PruneSettings::default()), budget);
    assert_eq!((split.carried.messages, split.tail), (vec![2], vec![3, 4, 5]), "two units stay");
}

#[test]
fn the_tail_has_its_least_units_also_where_it_has_to_start_with_the_assistant() {
    let tail = |drawing: &str, alternates: bool| {
        let mut transcript = sketch(drawing);
        transcript.traits.user_summary = true;
        transcript.traits.alternates = alternates;
        let budget = Budget { tokens: Tokens(20), least: 2, bounds: false, goal: Tokens(u64::MAX) };
        split(&transcript, &[], rules(&SplitSettings::default(), &PruneSettings::default()), budget).tail
    };
    assert_eq!(tail("u a u a u u u", false), [5, 6], "users may speak in a row");
    assert_eq!(tail("u a u a u u u", true), [3, 4, 5, 6], "from the assistant before");
    assert_eq!(tail("u u u u u", true), [4], "nobody answers");
}

#[test]
fn the_first_users_message_stays_where_it_cannot_be_carried_whoever_speaks_before_it() {
    let mut transcript = sketch("a u a u a u a u a");
    transcript.traits.user_summary = true;
    let settings = SplitSettings { pin_first_user: true, ..SplitSettings::default() };
    let budget = Budget { tokens: Tokens(20), least: 2, bounds: false, goal: Tokens(u64::MAX) };
    let split = split(&transcript, &[], rules(&settings, &PruneSettings::default()), budget);
    assert_eq!((split.preamble, split.head), (vec![0, 1, 2], vec![3, 4, 5, 6]));
}

#[test]
fn what_the_newest_compaction_kept_before_itself_may_be_tail() {
    let mut transcript = sketch("u a u a S u a");
    let budget = Budget { tokens: Tokens(1_000), least: 0, bounds: false, goal: Tokens(u64::MAX) };
    let head = |transcript: &Transcript<'_>| {
        split(transcript, &[], rules(&SplitSettings::default(), &PruneSettings::default()), budget).head
    };
    assert_eq!(head(&transcript), [0, 1, 2, 3]);
    transcript.traits.kept_from = Some(2);
    assert_eq!(head(&transcript), [0, 1]);
}

/// It comes first in the result, where another run takes it for the opening.
#[test]
fn a_request_that_is_carried_from_before_a_compaction_is_the_opening() {
    let mut transcript = sketch("u a S a a a a a");
    transcript.traits.native_summary = true;
    let settings = SplitSettings { keep_first: 1, walk: Walk::Messages, tail_messages: 2, ..SplitSettings::default() };
    let budget = Budget { tokens: Tokens(20), least: 0, bounds: false, goal: Tokens(u64::MAX) };
    let split = split(&transcript, &[], rules(&settings, &PruneSettings::default()), budget);
    assert_eq!((split.carried.messages, split.head, split.tail), (vec![0], vec![1, 3, 4, 5], vec![6, 7]));
}

#[test]
fn a_row_keeps_an_answer_that_is_learned_unless_it_stands_beside() {
    let settings = SplitSettings { min_tail: 1, ..SplitSettings::default() };
    let tail = |drawing: &str, untrained: Option<usize>, beside: bool| {
        let mut transcript = sketch(drawing);
        transcript.traits.training_row = true;
        transcript.traits.answered_beside = beside;
        untrained.into_iter().for_each(|index| transcript.messages[index].untrained = true);
        let budget = Budget { tokens: Tokens(1), least: 1, bounds: true, goal: Tokens(u64::MAX) };
        split(&transcript, &[], rules(&settings, &PruneSettings::default()), budget).tail
    };
    assert_eq!(tail("u a u a", None, false), [3]);
    assert_eq!(tail("u a u a", Some(3), false), [1, 2, 3]);
    assert_eq!(tail("u a u", None, false), [1, 2]);
    assert_eq!(tail("u a u", None, true), [2]);
}
