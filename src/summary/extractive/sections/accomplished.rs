//! The items of Accomplished: per request, what was asked, what the agent says it did, and what its calls did, oldest
//! first.

use super::LONGEST_LINE;
use super::answers::{self, Answer};
use super::called::{Among, Calls};
use super::changed::{changes, refused};
use super::counts;
use super::discoveries::NEWEST as FOUND;
use super::drafted::{drafted, drafts};
use super::in_full::{bare_list, in_full};
use super::instructions::MOST_SENTENCES;
use super::looked;
use super::mended::Mending;
use super::plans::{Decided, is_made};
use super::returned::Returned;
use super::runs;
use super::steps::{self, Behind};
use super::terse::{agreed, ordered};
use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::approved::Decision;
use crate::summary::extractive::calls::replies::Reply;
use crate::summary::extractive::files::Bases;
use crate::summary::extractive::sentences::courteous::admits;
use crate::summary::extractive::sentences::cues::{Kind, is_passing, is_question, lower};
use crate::summary::extractive::sentences::errands::lists_contents;
use crate::summary::extractive::sentences::labeled::is_part;
use crate::summary::extractive::sentences::promised::promises;
use crate::summary::extractive::sentences::rules::{
    asks_about_rule, heads_nothing, instruction_strength, is_farewell, only_tells,
};
use crate::summary::extractive::sentences::said::Said;
use crate::summary::extractive::sentences::setback::with_setback;
use crate::summary::extractive::sentences::structure::is_code;
use crate::summary::extractive::session::endings::Endings;
use crate::summary::extractive::session::turns::Turn;
use crate::summary::extractive::user::asked::Asked;
use crate::summary::items::{Item, PLAIN};
use crate::summary::text::{QUESTION_MARKS, cut, without_quotes, words};

/// Rank of requests and answers above the steps between them.
pub(super) const STORY: i64 = 250;
/// Characters of a sentence by which it is looked up in the brief of a request.
const SHORTEST: usize = 80;
/// Rank of the newest turn above the oldest, and of a tier above the next.
pub(super) const NEWEST: i64 = 1_000;
pub(super) const TIER: i64 = 250;
/// Extra rank of what came of the commands of the newest turn.
const DECIDING: i64 = 2_000;
/// Number of such outcomes: the last ones.
const LAST: usize = 4;
/// Maximum length of a request that is also in the goal, in characters.
const BRIEF: usize = 60;
/// Extra rank of a request with a rule, which is in no other line.
pub(in crate::summary) const BINDING: i64 = 1_000;
/// Rank of a question about a rule, whatever its age: it may tell what the user expects.
const ASKED_ABOUT_RULE: i64 = 0;
/// Minimum rank of a sentence of a short request: printed wherever there is room.
const WHOLE: i64 = PLAIN + 1;
/// Maximum length of the brief of a request with an order that does not fit, in characters.
const WHOLE_ORDER: usize = 300;
/// How many sentences are told of a long request beside its rules, and how many items of its lists of tasks.
const FEW: usize = 3;
const TASKS: usize = 12;
/// Maximum length of a quoted question, in characters.
const QUESTION: usize = 60;
/// Prefix of a request; its steps are listed below it.
pub(crate) const ASKED: &str = "Asked: ";
/// Prefix of the agent's last question.
pub(in crate::summary) const OPEN_QUESTION: &str = "Open question to the user: ";
/// Minimum number of words of a telling last sentence of a turn, and of a turn in which the user chose an option.
const TELLING: usize = 6;
const OF_A_CHOICE: usize = 4;
/// How many promises of a turn are told.
const PROMISES: usize = 3;
/// Prefix of other sentences of the user.
pub(crate) const SAID: &str = "User: ";

/// The turns of a head, with what must be known of all of them to tell the steps of each.
pub(in crate::summary::extractive) struct Story<'s, 't> {
    pub(in crate::summary::extractive) turns: &'s [Turn<'t>],
    /// The messages whose requests are in the goal word for word.
    pub(in crate::summary::extractive) goals: &'s [Option<usize>],
    pub(in crate::summary::extractive) endings: &'s Endings,
    pub(in crate::summary::extractive) bases: Bases<'s>,
}

/// All steps as items. What is `behind` the head is visible in the output, but may end steps; `lost` are the items of
/// results whose text is lost there.
pub(in crate::summary::extractive) fn items(story: &Story<'_, '_>, behind: Behind<'_, '_>, lost: &[Item]) -> Vec<Item> {
    let Story { turns, goals, endings, bases } = *story;
    let last = i64::try_from(turns.len()).unwrap_or(i64::MAX).max(1);
    let among = among(turns);
    let calls = Calls { among, endings };
    let (mut items, mut returned, mut has_steps, mut open) = (Vec::new(), Returned::default(), false, None);
    let decided = Decided::of(turns.iter().flat_map(|turn| &turn.plans));
    let at = place_of_lost(turns);
    let is_draft = if among == Among::Calls { drafts(turns) } else { vec![false; turns.len()] };
    for ((turn, number), place) in turns.iter().zip(1_i64..).zip(0..) {
        let newness = NEWEST * number / last;
        items.extend_from_slice(if place == at { lost } else { &[] });
        let start = items.len();
        items.extend(asked_for(turns, place, goals, newness));
        open = request_of(turns, place, &items[start..], open);
        let steps = items.len();
        let is_newest = place + 1 == turns.len();
        let draft = Some(turn).filter(|_| is_draft[place]).and_then(drafted);
        // What a draft says was not done.
        let done = if draft.is_some() { Vec::new() } else { done(turn, among, newness) };
        let answer = Some(turn).filter(|_| !is_newest).and_then(|turn| answer(turn, draft, among, newness));
        let answered = answer.as_ref().map(|item| item.text.clone());
        items.extend(answer);
        items.extend(turn.replies.iter().map(|reply| replied(reply, newness)));
        let planned = turn.plans.iter().flat_map(|plan| decided.items(plan, is_newest, newness));
        items.extend(planned.filter(|item| !is_made(item, endings)));
        let repeats = |item: &Item| answered.as_deref().is_some_and(|answered| has(answered, item));
        let mut runs = runs::items(turn, place, endings, newness);
        raise_deciding(&mut runs, is_newest, newness);
        let found = Mending::of(turn, endings, !is_newest).items(FOUND * number / last);
        let said = done.into_iter().chain(found).filter(|item| !repeats(item));
        items.extend(counts::without_repeated(said.collect(), &runs));
        let worth = if is_newest { rank(newness, 0) + STORY } else { rank(newness, 2) + TIER / 2 };
        let stretches = turn.acts.split_inclusive(runs::commits);
        items.extend(stretches.filter_map(|acts| changes(acts, &turn.said, bases, worth)));
        items.extend(turn.acts.iter().filter_map(|act| refused(act, endings, bases, rank(newness, 1))));
        items.extend(runs);
        items.extend(turn.acts.iter().filter_map(|act| {
            let news = returned.news_of(act);
            calls.told(act, news.as_deref(), newness)
        }));
        has_steps |= items.len() > steps;
        if !has_steps && turns[place + 1..].iter().all(|turn| turn.acts.is_empty()) {
            items.extend(looked::items(turn, newness));
        } else {
            items.extend(looked::states(turn, place, endings, newness));
        }
        items[start..].sort_by_key(|item| item.origin);
        answered.iter().for_each(|answered| answers::in_order(&mut items[start..], answered, turn));
        items[start..].iter_mut().for_each(|item| item.turn = turn.asked.as_ref().map(|_| open.unwrap_or(place)));
    }
    items.extend_from_slice(if at == turns.len() { lost } else { &[] });
    items.extend(steps::open(turns, behind, NEWEST));
    items.extend(turns.last().and_then(|turn| open_question(turn, NEWEST)));
    items
}

/// Whether an answer has what an item says; the items of a list end without a full stop.
fn has(answered: &str, item: &Item) -> bool {
    answered.contains(item.text.trim_end_matches('.'))
}

/// What the calls of a session are among.
fn among(turns: &[Turn<'_>]) -> Among {
    let works = |act: &Act<'_>| matches!(act.action, Action::Files(_) | Action::Run(_));
    if turns.iter().flat_map(|turn| &turn.acts).any(works) { Among::Changes } else { Among::Calls }
}

/// The turn of the request that a turn works on: its own or, where the user only said “go on” before that was done, the
/// one that goes on, if that is told; `told` are the items of its own request.
fn request_of(turns: &[Turn<'_>], place: usize, told: &[Item], before: Option<usize>) -> Option<usize> {
    let goes_on = told.is_empty() && turns[place].asked.as_ref().is_some_and(Asked::nods);
    if goes_on && place > 0 && turns[place - 1].is_unfinished() {
        return before;
    }
    told.iter().any(|item| item.text.starts_with(ASKED)).then_some(place)
}

/// The steps of turns without anything before or behind them.
#[cfg(test)]
pub(super) fn steps_alone(turns: &[Turn<'_>]) -> Vec<Item> {
    let (root, folders, endings) = (Default::default(), Default::default(), Endings::of(turns, &[]));
    let bases = Bases { root: &root, folders: &folders };
    items(&Story { turns, goals: &[], endings: &endings, bases }, Behind::default(), &[])
}

/// The items of the request of a turn, unless it is taken back.
fn asked_for(turns: &[Turn<'_>], place: usize, goals: &[Option<usize>], newness: i64) -> Vec<Item> {
    let turn = &turns[place];
    let is_retracted = next_asked(turns, place).is_some_and(|next| next.corrects || place > 0 && next.takes_back());
    // A request that only stands behind the head, without a step of the head, is no step.
    let is_kept_alone = place > 0 && is_kept(turn);
    let Some(asked) = turn.asked.as_ref().filter(|_| !is_retracted && !is_kept_alone) else { return Vec::new() };
    let shown = shown_of_request(turns.len());
    let is_newest = place + 1 == turns.len();
    let brief = requested(asked, goals.contains(&asked.message), shown, newness);
    let brief = brief.or_else(|| agreed(asked, is_newest, newness));
    let others = other_sentences(turn, is_newest, shown, newness);
    brief.into_iter().chain(others).chain(ordered(turn, asked, newness)).collect()
}

/// Raises the last outcomes of the newest turn: who goes on must know what was committed, sent or failed in it.
fn raise_deciding(runs: &mut [Item], is_newest: bool, newness: i64) {
    let decides = |item: &&mut Item| is_newest && item.rank >= rank(newness, 2);
    runs.iter_mut().rev().filter(decides).take(LAST).for_each(|item| item.rank += DECIDING);
}

/// The request behind a turn.
fn next_asked<'t>(turns: &'t [Turn<'_>], place: usize) -> Option<&'t Asked> {
    turns.get(place + 1)?.asked.as_ref()
}

/// Index of the turn before which the lost results are listed: before the newest request if that is kept too,
/// otherwise at the end.
fn place_of_lost(turns: &[Turn<'_>]) -> usize {
    turns.len() - usize::from(turns.last().is_some_and(is_kept))
}

fn is_kept(turn: &Turn<'_>) -> bool {
    turn.acts.is_empty() && turn.asked.as_ref().is_some_and(|asked| asked.message.is_none())
}

pub(super) fn rank(newness: i64, tier: i64) -> i64 {
    newness - tier * TIER
}

/// Maximum length of a quoted request, in characters, by the number of turns.
fn shown_of_request(turns: usize) -> usize {
    match turns {
        0..=15 => 240,
        16..=40 => 180,
        _ => 120,
    }
}

/// The brief of a request; a shorter one if it is in the goal.
fn requested(asked: &Asked, is_goal: bool, shown: usize, newness: i64) -> Option<Item> {
    let (told, more) = if is_goal { (Told::InGoal, BINDING) } else { (Told::Alone { most: shown }, STORY) };
    Some(asked).filter(|asked| asked.is_telling()).map(|asked| request(asked, told, newness + more))
}

/// Where a request is told.
enum Told {
    /// In the goal, too, with what it refers to.
    InGoal,
    /// Here alone, in at most so many characters.
    Alone { most: usize },
}

fn request(asked: &Asked, told: Told, newness: i64) -> Item {
    let (brief, behind, in_goal) = match told {
        Told::InGoal => (asked.brief(BRIEF), String::new(), true),
        Told::Alone { most } => (brief(asked, most), asked.behind(), false),
    };
    let bound =
        asked.sentences.iter().any(|sentence| brief.contains(sentence) && instruction_strength(sentence).is_some());
    let more = if bound { BINDING } else { 0 };
    let item = asked.item(format!("{ASKED}“{}”{behind}", without_quotes(&brief)), rank(newness, 0) + more);
    Item { in_goal, ..item }
}

/// Whether a sentence of the user orders something, if only for its request.
fn orders(sentence: &str) -> bool {
    instruction_strength(sentence).is_some() && !only_tells(sentence)
}

/// The brief of a request; a longer one if the limit cuts an order.
fn brief(asked: &Asked, most: usize) -> String {
    let brief = asked.brief(most);
    let is_cut = |sentence: &String| orders(sentence) && !brief.contains(sentence) && begins(&brief, sentence);
    if asked.own().iter().any(is_cut) { asked.brief(WHOLE_ORDER) } else { brief }
}

/// Whether a brief has the beginning of a sentence.
fn begins(brief: &str, sentence: &str) -> bool {
    brief.contains(cut(sentence, SHORTEST).trim_end_matches('…'))
}

/// What else the user said in a request: the sentences after its brief, except rules that the instructions have.
fn other_sentences(turn: &Turn<'_>, is_newest: bool, most: usize, newness: i64) -> Vec<Item> {
    let Some(asked) = turn.asked.as_ref().filter(|asked| asked.message.is_some()) else { return Vec::new() };
    // The steps of a plan are told as such.
    let tells_tasks = turn.plans.iter().all(|plan| plan.decision != Decision::Given);
    let brief = brief(asked, most);
    let said = |sentence: &String| begins(&brief, sentence);
    let says_nothing = |sentence: &str| heads_nothing(sentence) || is_farewell(sentence) || is_code(sentence);
    let says = |sentence: &&String| !asked.instructs(sentence, is_newest) && !says_nothing(sentence);
    // Of a long brief, the most are what it describes.
    let is_long = asked.own().len() > MOST_SENTENCES;
    let mut described = if is_long { FEW } else { usize::MAX };
    let mut tasks = if tells_tasks { TASKS } else { 0 };
    let rest = asked.own().iter().filter(|sentence| !said(sentence)).filter(says);
    let line = |sentence: &String| format!("{SAID}“{}”", without_quotes(&cut(sentence, LONGEST_LINE)));
    let least = if asked.whole.is_some() { WHOLE } else { i64::MIN };
    // An order of the moment is done, but the agent may be asked about it.
    let of_order = |order: &str| {
        let passes = is_long || asked.is_premise(order) || is_question(&order.to_lowercase());
        rank(newness, 0) + if passes { BINDING } else { 2 * BINDING }
    };
    let told = |sentence: &String| {
        let is_order = orders(sentence) && !lists_contents(&lower(sentence));
        let is_task = !is_order && tasks > 0 && asked.is_task(sentence);
        if is_task {
            tasks -= 1;
        } else if !is_order {
            described = described.checked_sub(1)?;
        }
        let worth = match &**sentence {
            rule if asks_about_rule(rule) => ASKED_ABOUT_RULE,
            order if is_order => of_order(order),
            _ if is_task => rank(newness, 5).max(WHOLE),
            _ => rank(newness, 5).max(least),
        };
        Some(asked.item(line(sentence), worth))
    };
    rest.filter_map(told).collect()
}

/// The user's answer to a question; ranks as high as a request, since it is a decision.
pub(super) fn replied(reply: &Reply, newness: i64) -> Item {
    let asked = reply.question.as_deref().map(|asked| format!(" to “{}”", cut(asked, QUESTION)));
    let text = format!("User answered{}: “{}”", asked.unwrap_or_default(), cut(&reply.answer, LONGEST_LINE));
    Item::new(text, reply.message, rank(newness, 0) + STORY)
}

/// The agent's final answer to a request.
fn answer(turn: &Turn<'_>, draft: Option<Answer>, among: Among, newness: i64) -> Option<Item> {
    turn.asked.as_ref().filter(|asked| asked.is_telling())?;
    // In sessions of work, answers are long, and what is said softly only announces it.
    let talks = Some(turn).filter(|_| among == Among::Calls);
    let short = || answers::answer(turn).or_else(|| talks.and_then(answers::soft));
    let whole = || talks.and_then(|turn| in_full(turn).or_else(|| bare_list(turn)));
    let told = draft.or_else(|| widened(short(), whole()));
    let Answer { text, message, done, more, is_whole, whole } = told?;
    Some(Item { answers: !done, is_whole, whole, ..Item::new(text, message, rank(newness, 0) + more) })
}

/// A short answer that is told in a longer one where there is room, or the longer one if that has other words.
fn widened(short: Option<Answer>, whole: Option<Answer>) -> Option<Answer> {
    match (short, whole) {
        (Some(short), Some(whole)) if whole.text.contains(short.text.trim_end_matches('.')) => {
            let all = Some(whole.text).filter(|all| all.len() > short.text.len());
            Some(Answer { is_whole: all.is_none(), whole: all.or(whole.whole), ..short })
        }
        (short, whole) => whole.or(short),
    }
}

/// The question at the end of the agent's last text, if unanswered.
fn open_question(turn: &Turn<'_>, rank: i64) -> Option<Item> {
    let said = turn.said.last().filter(|said| said.closing && said.sentence.ends_with(QUESTION_MARKS))?;
    Some(Item::new(format!("{OPEN_QUESTION}“{}”", cut(&said.sentence, LONGEST_LINE)), said.message, rank))
}

/// The finished steps in the agent's words, and what it promises; those of the last text of a turn rank first.
fn done(turn: &Turn<'_>, among: Among, newness: i64) -> Vec<Item> {
    let all = turn.said.len().max(1);
    let mut items: Vec<Item> = Vec::new();
    let mut closing = 0;
    let is_done = |said: &Said| said.kind == Kind::Done && !admits(&said.sentence);
    for (number, said) in turn.said.iter().enumerate().filter(|(_, said)| is_done(said)) {
        let tier = if said.closing { 1 + closing / 2 } else { 2 };
        closing += i64::from(said.closing);
        let place = TIER / 2 * i64::try_from(number).unwrap_or(0) / i64::try_from(all).unwrap_or(1);
        let text = with_setback(said, turn.said.get(number + 1), LONGEST_LINE);
        items.push(Item::new(text, said.message, rank(newness, tier) + place));
    }
    if items.is_empty() {
        items.extend(last_words(turn, newness));
    }
    items.extend(promised(turn, among, newness));
    items
}

/// What the agent promises in the last text of a turn. Among changes of files, it is what it does next.
fn promised(turn: &Turn<'_>, among: Among, newness: i64) -> impl Iterator<Item = Item> {
    let all = if among == Among::Calls { &*turn.said } else { &[] };
    let told = all.iter().filter(|said| said.closing && promises(&said.sentence));
    let line = |said: &Said| cut(&said.sentence, LONGEST_LINE).into_owned();
    told.take(PROMISES).map(move |said| Item::new(line(said), said.message, rank(newness, 1)))
}

/// The most telling sentence of the last text of a turn that reports nothing as done; if calls follow that text, not
/// one that only announces them. An option among several is no answer, nor is a field.
fn last_words(turn: &Turn<'_>, newness: i64) -> Option<Item> {
    let worth = |said: &Said| match said.kind {
        Kind::Finding(strength) => strength,
        Kind::Other => 1,
        Kind::Done | Kind::Empty => 0,
    };
    // An announcement behind it says nothing more.
    let says = |said: &&Said| said.closing || worth(said) > 0 && !said.obsolete && !is_passing(&said.sentence);
    let newest = turn.said.iter().rfind(says)?.message;
    let last = |said: &&Said| said.closing || said.message == newest && !is_passing(&said.sentence);
    // The outcome of a choice may be stated in few words.
    let least = if turn.asked.as_ref().is_some_and(|asked| !asked.meant.is_empty()) { OF_A_CHOICE } else { TELLING };
    let is_choice = answers::is_choice(turn);
    let is_part = |said: &Said| is_part(&said.sentence, said.kind) || is_choice(said);
    let tells = |said: &&Said| words(&said.sentence) >= least && worth(said) > 0 && !is_part(said);
    let telling = turn.said.iter().filter(last).filter(tells);
    let said = telling.rev().max_by_key(|said| worth(said))?;
    Some(Item::new(cut(&said.sentence, LONGEST_LINE).into_owned(), said.message, rank(newness, 2)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::builders::{act, agent, user};
    use crate::summary::extractive::session::turns::turns;
    use crate::transcript::Message;

    fn told(messages: &[Message<'_>]) -> Vec<String> {
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let turns = turns(&head, &[]);
        steps_alone(&turns).into_iter().map(|item| item.text).collect()
    }

    #[test]
    fn a_call_for_bookkeeping_takes_no_line() {
        let topic = r#"{"title":"Lamps of the pier","summary":"I renew the oil of the lamps."}"#;
        let chapter = r#"{"title":"Lamps of the pier"}"#;
        let plan = r#"{"command":"plan","task_list":[{"id":"1","title":"Renew the oil","status":"in_progress"}]}"#;
        for (tool, arguments) in [("update_topic", topic), ("mark_chapter", chapter), ("task_tracker", plan)] {
            let mut messages = vec![user("Light the pier."), agent("I look at the lamps first.")];
            messages.extend(act(tool, arguments, "Noted for the pier.", false));
            messages.extend(act("bash", r#"{"command":"make lamps"}"#, "done", false));
            let told = told(&messages);
            assert!(told.iter().any(|line| line.contains("make lamps")), "{told:?}");
            assert!(!told.iter().any(|line| line.contains(tool) || line.contains("Noted")), "{told:?}");
        }
    }

    #[test]
    fn what_was_done_is_told_from_the_summary_of_a_topic() {
        let topic = r#"{"title":"Lamps","summary":"I have renamed `lamp_list` to `lamps` in `pier.rs`."}"#;
        let mut messages = vec![user("Mend the build of the pier.")];
        messages.extend(act("update_topic", topic, "Current topic: \"Lamps\"", false));
        messages.extend([agent("The pier builds again."), user("Now the quay.")]);
        let told = told(&messages);
        assert!(told.iter().any(|line| line.contains("renamed `lamp_list` to `lamps`")), "{told:?}");
    }

    #[test]
    fn what_was_said_before_the_answer_is_told_before_it() {
        let text = "The northern pier is fully booked. The southern pier has a berth for 128 euros a night.";
        let told = told(&[user("Which pier has a berth for us?"), agent(text), user("Now draw the map.")]).join("\n");
        assert!(told.find("northern pier") < told.find("southern pier"), "{told}");
        assert!(told.contains("northern pier") && told.matches("southern pier").count() == 1, "{told}");
    }

    #[test]
    fn what_an_earlier_request_lists_as_tasks_is_worth_room_alone() {
        let notes: String = (0..30).map(|number| format!("Gull number {number} sat on the quay.\n\n")).collect();
        let brief = format!(
            "Renew the pier.\n\n{notes}\nRequired changes:\n- Renew the oil of the lamps.\n- Mend the planks.\n"
        );
        let worth = |plan: &str| {
            let messages = [user(&format!("{plan}{brief}")), agent("The pier is new."), user("Now draw the map.")];
            let head: Vec<&Message<'_>> = messages.iter().collect();
            let items = steps_alone(&turns(&head, &[])).into_iter();
            let tasks = items.filter(|item| item.text.starts_with(SAID) && !item.text.contains("Gull"));
            tasks.map(|item| (item.text, item.rank > PLAIN)).collect::<Vec<_>>()
        };
        let told = ["User: “Renew the oil of the lamps.”", "User: “Mend the planks.”"];
        assert_eq!(worth(""), told.map(|line| (line.to_owned(), true)));
        assert_eq!(worth("Implement this plan:\n\n"), [], "its steps are told");
    }

    #[test]
    fn a_request_that_is_taken_back_is_not_told() {
        let asked =
            ["Draw the map of the harbour.", "Rename the branch of the board to quay.", "sorry wrong chat. Light it."];
        let messages: Vec<_> = asked.into_iter().map(user).collect();
        let told = told(&messages);
        assert!(told.iter().any(|line| line.contains("Draw the map")), "{told:?}");
        assert!(!told.iter().any(|line| line.contains("Rename the branch")), "{told:?}");
    }

    #[test]
    fn an_order_of_two_words_is_told_where_the_agent_did_something() {
        let edit = || act("write", r#"{"path":"lamps.md","content":"x"}"#, "ok", false);
        let all = |order: &str| {
            let mut messages = vec![user("Is there a list of the lamps of the pier?"), agent("There is none.")];
            messages.push(user(order));
            messages.extend(edit());
            told(&messages)
        };
        assert!(all("add one").contains(&"Asked: “add one”".to_owned()));
        for nod in ["ok", "go ahead", "thanks!", "/lamps"] {
            assert!(!all(nod).iter().any(|line| line.contains(nod)), "{nod}");
        }
    }

    #[test]
    fn what_was_done_after_go_on_belongs_to_the_request_that_goes_on() {
        let edit = |path: &str| act("write", &format!(r#"{{"path":"{path}","content":"x"}}"#), "ok", false);
        let belongs = |before: &[&str], nod: &str| {
            let mut messages = vec![user("Harden the login of the board: add limits and headers.")];
            messages.extend(before.iter().map(|text| if text.starts_with('<') { user(text) } else { agent(text) }));
            messages.push(user(nod));
            messages.extend(edit("limits.go"));
            messages.extend([agent("The login has limits now."), user("Draw the map of the harbour.")]);
            messages.extend(edit("map.svg"));
            let head: Vec<_> = messages.iter().collect();
            let items = steps_alone(&turns(&head, &[]));
            let turn_of = |text: &str| items.iter().find(|item| item.text.contains(text)).and_then(|item| item.turn);
            assert_eq!(turn_of("map.svg"), turn_of("Draw the map"), "{nod}");
            turn_of("limits.go").is_some() && turn_of("limits.go") == turn_of("Harden the login")
        };
        assert!(belongs(&[], "continue") && belongs(&[], "Go on."));
        assert!(belongs(&["I read the login; next come the limits."], "continue"));
        let stop = "<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>";
        assert!(belongs(&[stop], "continue"));
        assert!(!belongs(&["I have fixed the login of the board.", stop], "continue"), "it was done before");
        assert!(!belongs(&["I can't harden the login of the board."], "continue"), "it was answered");
    }

    #[test]
    fn what_only_looks_is_told_where_nothing_else_is() {
        let mut messages = vec![user("Review the newest change of the harbour.")];
        messages.extend(act("bash", r#"{"command":"git show quay:lamps.py"}"#, "light = 7\nExit code: 0", false));
        messages.extend(act("bash", r#"{"command":"git show quay:ferry.py"}"#, "Exit code 1\nno ferry", true));
        let looked = "Ran `git show quay:lamps.py`: ok, printed “light = 7”";
        let kept = user("And now mend it.");
        let (head, turns_with) = (messages.iter().collect::<Vec<_>>(), [(messages.len(), &kept)]);
        let turns = turns(&head, &turns_with);
        let all = steps_alone(&turns);
        assert!(all.iter().any(|item| item.text == looked), "a request behind the head");
        assert_eq!(told(&messages).iter().filter(|line| line.starts_with("Ran ")).collect::<Vec<_>>(), [looked]);
        messages.extend(act("bash", r#"{"command":"make lamps"}"#, "done", false));
        assert!(!told(&messages).contains(&looked.to_owned()), "{:?}", told(&messages));
    }

    #[test]
    fn an_option_of_a_list_by_letters_is_no_outcome() {
        let offer = "Which lamp do you want?\n\n- A: Big Lamp — one large light on the top\n- B: Row — many small lights in a row\n\nI can mix them.";
        let told = told(&[user("Show me the lamps of the pier."), agent(offer), user("Now draw the map.")]);
        assert!(!told.iter().any(|line| line.contains("Big Lamp — ")), "{told:?}");
    }

    #[test]
    fn what_was_refused_or_failed_is_not_told_as_done() {
        let mut messages = vec![user("Clean up the harbour, and list its lamps anew.")];
        messages.extend(act("bash", r#"{"command":"make clean"}"#, "The user rejected this tool call.", false));
        messages.extend(act("bash", r#"{"command":"rm lamps.md"}"#, "", false));
        messages.extend(act("write", r#"{"path":"lamps.md","content":"x"}"#, "ok", false));
        messages.push(agent("I wrote the list of all lamps. The tests failed."));
        messages.push(user("Which of the lamps are lit by day?"));
        let told = told(&messages);
        assert_eq!(
            told[1..4],
            ["Refused, not run: `make clean`", "Wrote `lamps.md`", "I wrote the list of all lamps. The tests failed."]
        );
    }

    #[test]
    fn what_was_answered_stands_below_what_was_asked() {
        let mut messages = vec![user("Should we close the issue about the tide table?"), agent("Let me look at it.")];
        messages.extend(act("bash", r#"{"command":"make tides"}"#, "Exit code: 0", false));
        messages.push(agent("No. I would keep it open for now.\n\nThe table is right:\n\n- but not for leap years"));
        messages.extend([
            user("Then write the docs for it."),
            agent("Done. The docs are built."),
            user("Thanks, and the map?"),
        ]);
        let expected = [
            "Asked: “Should we close the issue about the tide table?”",
            "Ran `make tides`: ok",
            "No. I would keep it open for now.",
            "Asked: “Then write the docs for it.”",
            "The docs are built.",
            "Asked: “Thanks, and the map?”",
        ];
        assert_eq!(told(&messages), expected);
    }

    #[test]
    fn one_of_several_fields_is_no_answer() {
        let answered = |text: &str| {
            let head = [user("Where is the tide table made?"), agent(text), user("Now draw the map.")];
            told(&head)[1].clone()
        };
        let fields =
            "- Branch of it: `tides/north-and-south-of-the-harbour`\n- The board makes the table on every start.";
        assert_eq!(answered(fields), "The board makes the table on every start.");
        assert_eq!(answered("Place of it: `src/tides/board.rs`, line 7"), "Place of it: `src/tides/board.rs`, line 7");
    }

    #[test]
    fn a_moved_file_is_told_with_its_own_place() {
        let mut head = vec![user("Sort the lamps.")];
        head.extend(act("bash", r#"{"command":"mv e.rs quays; mv f.rs g.rs; mv h.rs i.rs; rm k.rs"}"#, "", false));
        let expected = "Moved `e.rs`; moved `f.rs` to `g.rs`; moved `h.rs` to `i.rs`; deleted `k.rs`";
        assert!(told(&head).contains(&expected.to_owned()), "{:?}", told(&head));
    }

    #[test]
    fn a_few_words_that_name_something_are_an_answer() {
        let answered = |text: &str| {
            let head = [user("How many lamps does the pier have?"), agent(text), user("Now draw the map.")];
            told(&head)[1].clone()
        };
        let why = "The number follows from the length of the whole pier and from the tide.";
        assert_eq!(answered(&format!("The pier has 42 lamps. {why}")), format!("The pier has 42 lamps. {why}"));
        assert_eq!(answered(&format!("That is a good question. {why}")), why);
    }

    #[test]
    fn an_offer_is_no_answer_and_thanks_are_no_words_of_a_request() {
        let mut head = vec![user("I want to change my ferry."), agent("I can assist you with changing your ferry.")];
        head.push(user("Thanks a lot! Which harbour does the ferry of Monday leave from?"));
        let lines = told(&head);
        assert!(!lines.iter().any(|line| line.contains("assist")), "{lines:?}");
        assert!(!lines.iter().any(|line| line.starts_with(SAID) && line.contains("Thanks")), "{lines:?}");
    }

    #[test]
    fn what_only_says_that_it_is_done_makes_way_for_what_was_done() {
        let answer = "The task is complete.\n\nI moved the tide table below the map.";
        let head = [user("Move the tide table."), agent(answer), user("Now draw the map.")];
        assert_eq!(told(&head)[1..2], ["I moved the tide table below the map."]);
    }

    #[test]
    fn a_short_last_sentence_tells_how_a_request_ended() {
        for last in [
            "The mails are sorted by date now.",
            "The row limit is 500 now.",
            "Pushing works again.",
            "It sits beside the other buttons now.",
        ] {
            let head = [user("Pushing fails, please mend it."), agent(last), user("Now draw the map.")];
            assert_eq!(told(&head).get(1).map(String::as_str), Some(last));
        }
    }

    #[test]
    fn a_change_that_was_refused_is_told_unless_it_was_made_later() {
        let write = |result: &str, failed: bool| {
            act("Write", r##"{"file_path":"/w/QUAY.md","content":"# The quay\n"}"##, result, failed)
        };
        let refused =
            write("Claude requested permissions to write to /w/QUAY.md, but you haven't granted it yet.", true);
        let mut messages = vec![user("Describe the quay.")];
        messages.extend(refused);
        assert_eq!(told(&messages)[1..], ["Refused, not changed: `/w/QUAY.md`"]);
        messages.extend(write("File created successfully at: /w/QUAY.md", false));
        assert!(told(&messages).iter().all(|line| !line.starts_with("Refused")), "{:?}", told(&messages));
    }

    #[test]
    fn how_many_tests_passed_is_told_once() {
        let mut messages = vec![user("Mend the tide table."), agent("All 7 tests pass.")];
        messages.extend(act("bash", r#"{"command":"make test"}"#, "9 passed, 0 failed\nExit code: 0", false));
        messages.push(agent("All 9 tests pass."));
        assert_eq!(told(&messages)[1..], ["Ran `make test`: ok: 9 passed, 0 failed"]);
    }

    #[test]
    fn words_that_lead_up_to_a_call_answer_nothing() {
        let mut messages = vec![user("Should the tide table be a file of its own?"), agent("I like that a lot.")];
        messages.extend(act("bash", r#"{"command":"make tides"}"#, "Exit code: 0", false));
        messages.extend([user("Stop, what did you find?"), agent("Let me look."), user("Well?")]);
        let lines = told(&messages);
        assert!(!lines.iter().any(|line| line.contains("like that") || line.contains("Let me")), "{lines:?}");
        let mut messages = vec![user("Mend the tide table."), agent("The zone is fixed: no summer time is in it.")];
        messages.extend(act("bash", r#"{"command":"make tides"}"#, "Exit code: 0", false));
        assert_eq!(told(&messages)[1], "The zone is fixed: no summer time is in it.");
    }

    #[test]
    fn a_question_is_told_with_its_answer_or_as_a_call() {
        let question = r#"{"question":"Which table?"}"#;
        let mut messages = vec![user("Mend the tide table.")];
        messages.extend(act("ask_user", question, "The old one did not work, so use table B.", false));
        assert_eq!(
            told(&messages)[1..],
            ["User answered to “Which table?”: “The old one did not work, so use table B.”"]
        );
        messages.truncate(1);
        messages.extend(act("ask_user", question, "User declined to answer.", false));
        let told = told(&messages);
        assert!(told.len() == 2 && told[1].starts_with("Called `ask_user"), "{told:?}");
    }

    #[test]
    fn a_command_ends_when_its_session_does() {
        let mut messages = vec![user("Run all tests of the harbour board.")];
        messages.extend(act(
            "exec_command",
            r#"{"cmd":"make test"}"#,
            "Process running with session ID 7\nOutput:\n",
            false,
        ));
        assert_eq!(told(&messages)[1..], ["Ran `make test`: still running"]);
        let output = "Process exited with code 1\nOutput:\n(fail) the last ferry\n";
        messages.extend(act("write_stdin", r#"{"session_id":7,"chars":""}"#, output, false));
        assert_eq!(told(&messages)[1..], ["Ran `make test`: failed: (fail) the last ferry"]);
    }

    fn ran(commands: &[(&str, &str)]) -> Vec<String> {
        let call =
            |(command, result): &(&str, &str)| act("bash", &format!(r#"{{"command":"{command}"}}"#), result, false);
        told(&commands.iter().flat_map(call).collect::<Vec<_>>())
    }

    #[test]
    fn runs_of_one_subcommand_become_a_line_that_names_what_they_were_given() {
        let ok = "Exit code: 0";
        let closed = [("bd close tide-1", ok), ("make", ""), ("bd close tide-2", ok), ("bd close tide-3 --quiet", ok)];
        assert_eq!(ran(&closed), ["Ran `make`", "Ran `bd close` 3× (tide-1, tide-2, tide-3): ok"]);
        let mixed = [("bd close tide-1", ok), ("bd close tide-2", "Error: no such issue"), ("bd close tide-3", ok)];
        let expected = [
            "Ran `bd close tide-1`: ok",
            "Ran `bd close tide-2`: failed: Error: no such issue",
            "Ran `bd close tide-3`: ok",
        ];
        assert_eq!(ran(&mixed), expected);
        let looked = ran(&[("bd show tide-1", ok), ("bd show tide-2", ok), ("bd show tide-3", ok), ("make", "")]);
        assert_eq!(looked, ["Ran `make`"]);
    }

    #[test]
    fn a_question_that_nobody_answered_stays_open() {
        let asks = agent("Two pages are left: the tides and the quay. Shall I write both?");
        let mut messages = vec![user("What is left of the docs?"), asks];
        assert!(told(&messages).contains(&"Open question to the user: “Shall I write both?”".to_owned()));
        messages.push(user("yes, both please, and the map of the harbour"));
        assert!(!told(&messages).iter().any(|line| line.starts_with(OPEN_QUESTION)));
    }

    #[test]
    fn a_quote_at_the_end_of_a_request_is_a_part_of_it() {
        let told = told(&[user("Write on the board: \"mended in 17\"")]);
        assert_eq!(told, ["Asked: “Write on the board: \"mended in 17\"”"]);
    }

    #[test]
    fn a_rebase_that_was_continued_is_mended() {
        let stopped = "Exit code 1\nerror: could not apply 3f2a: tides";
        let told = ran(&[
            ("git rebase origin/main", stopped),
            ("GIT_EDITOR=true git rebase --continue", "Successfully rebased and updated refs/heads/tides."),
        ]);
        assert_eq!(
            told,
            [
                "Ran `git rebase origin/main`: failed, later ok: error: could not apply 3f2a: tides",
                "Ran `GIT_EDITOR=true git rebase --continue`: ok: Successfully rebased and updated refs/heads/tides.",
            ]
        );
    }

    #[test]
    fn a_failure_is_told_as_an_earlier_one_if_its_program_worked_later() {
        let told = ran(&[("npx playwright test", "4 failed"), ("npx playwright test --reporter=line", "8 passed")]);
        let expected = [
            "Ran `npx playwright test`: failed earlier: 4 failed",
            "Ran `npx playwright test --reporter=line`: ok: 8 passed",
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn what_was_done_to_many_files_is_told_by_kind() {
        let mut head = vec![user("Sort the lamps.")];
        let write = |name: &str| act("write", &format!(r#"{{"path":"{name}.rs","content":"x"}}"#), "ok", false);
        head.extend(["a", "b", "c", "d"].into_iter().flat_map(write));
        head.extend(act("bash", r#"{"command":"rm e.rs f.rs g.rs h.rs"}"#, "", false));
        let expected = "Wrote `a.rs`, `b.rs`, `c.rs` and 1 more; deleted `e.rs`, `f.rs`, `g.rs` and 1 more";
        assert!(told(&head).contains(&expected.to_owned()), "{:?}", told(&head));
    }

    #[test]
    fn go_and_linters_say_in_their_last_line_that_all_passed() {
        assert_eq!(
            ran(&[("go test ./...", "ok  \ttide/board\t0.1s\nok  \ttide/map\t(cached)")]),
            ["Ran `go test ./...`: ok: tide/map (cached), and more packages"]
        );
        assert_eq!(ran(&[("golangci-lint run", "0 issues.")]), ["Ran `golangci-lint run`: ok: 0 issues."]);
        assert_eq!(ran(&[("go test ./... | head -1", "ok  \ttide/board\t0.1s")]), ["Ran `go test ./...`"]);
    }

    #[test]
    fn what_the_user_answered_is_told_with_the_question() {
        let mut messages = vec![user("Write the docs of the tide table.")];
        let result = "User has answered your questions: \"Push the docs?\"=\"Don't push yet\". You can now continue.";
        messages.extend(act("AskUserQuestion", r#"{"questions":[{"question":"Push the docs?"}]}"#, result, false));
        assert_eq!(told(&messages)[1..], ["User answered to “Push the docs?”: “Don't push yet”"]);
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let rules: Vec<_> =
            super::super::instructions::items(&turns(&head, &[]), &[]).into_iter().map(|it| it.text).collect();
        assert_eq!(rules, ["Don't push yet (to “Push the docs?”)"]);
    }

    #[test]
    fn a_refused_edit_changed_nothing() {
        let edit = |result: &str| told(&act("Edit", r#"{"file_path":"/w/tide.rs"}"#, result, false));
        assert_eq!(edit("The user denied this operation."), ["Refused, not changed: `/w/tide.rs`"]);
        assert_eq!(edit("The file /w/tide.rs has been updated."), ["Edited `/w/tide.rs`"]);
    }
}
