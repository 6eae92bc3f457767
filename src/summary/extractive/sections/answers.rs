//! Finds the agent's final answer to a request: the start of its last text without introductory words, the list or
//! code that these introduce, or its conclusion.

use super::LONGEST_LINE;
use super::accomplished::{BINDING, STORY};
use super::listed::{list, list_in_full, proposed, states};
use crate::summary::extractive::sentences::aimed::below_aim;
use crate::summary::extractive::sentences::courteous::{
    admits, states_condition, without_agreement, without_courtesies,
};
use crate::summary::extractive::sentences::cues::{Kind, announces, is_field, is_terse, leans, lower, offers};
use crate::summary::extractive::sentences::denied::denies;
use crate::summary::extractive::sentences::labeled::is_part;
use crate::summary::extractive::sentences::promised::{before_question, figures, promises, states_softly};
use crate::summary::extractive::sentences::prose::plain;
use crate::summary::extractive::sentences::questions::{asks_briefly, asks_for_number};
use crate::summary::extractive::sentences::risks::is_risk;
use crate::summary::extractive::sentences::rules::only_nods;
use crate::summary::extractive::sentences::said::Said;
use crate::summary::extractive::sentences::setback::with_setback;
use crate::summary::extractive::sentences::signs::is_notice;
use crate::summary::extractive::sentences::structure::is_structure;
use crate::summary::extractive::session::turns::Turn;
use crate::summary::extractive::user::asked::Asked;
use crate::summary::extractive::words::CONCLUDES;
use crate::summary::fence::Fence;
use crate::summary::items::Item;
use crate::summary::joints::joined;
use crate::summary::text::{QUESTION_MARKS, cut, fold, has_digit, starts_any, words};
use foldhash::HashSet;

/// Maximum length in bytes of a sentence that may be introductory, and the number of such sentences.
const SHORT: usize = 40;
const OPENING: usize = 4;
/// Length up to which a sentence is printed with the next one: in characters, or in bytes for “yes” and “no” answers.
const BRIEF: usize = 60;
/// Minimum number of words of a short statement before the answer.
const FEWEST: usize = 3;
/// Maximum length of a line of code, in characters.
const CODE: usize = 120;
/// Maximum length of an answer joined from several sentences.
pub(super) const MORE: usize = 180;
/// Prefixes of lines of code that are only preparation (imports, comments).
const PREPARES: [&str; 8] = ["import ", "from ", "use ", "package ", "#", "//", "/*", "<?"];

/// First words of a yes-or-no answer.
pub(super) const YES_OR_NO: [&str; 11] = ["yes", "yep", "no", "nope", "ja", "nein", "oui", "non", "sí", "да", "нет"];
/// Beginnings of a sentence that retracts the one before it.
const TAKES_BACK: [&str; 6] = ["hmm", "wait", "no,", "no:", "actually", "oops"];
impl Said {
    /// Whether it begins with yes or no and says more than that.
    pub(super) fn says_yes_or_no(&self) -> bool {
        let first = self.sentence.split(|char: char| !char.is_alphabetic()).next().unwrap_or_default();
        YES_OR_NO.contains(&first.to_lowercase().as_str()) && words(&self.sentence) > 3
    }
}

/// The answer to a request.
pub(super) struct Answer {
    pub(super) text: String,
    /// Index of its message.
    pub(super) message: usize,
    /// Whether it reports that something was done.
    pub(super) done: bool,
    /// Its extra rank.
    pub(super) more: i64,
    /// Whether it is told as it stands, with nothing left out.
    pub(super) is_whole: bool,
    /// All of it, with what is left out, for room at the end.
    pub(super) whole: Option<String>,
}

impl Answer {
    /// An answer that reports nothing as done: it makes no sense without its request, so both are chosen together.
    pub(super) fn told(text: String, message: usize) -> Self {
        Self { text, message, done: false, more: 2 * STORY, is_whole: false, whole: None }
    }
}

/// The answer in the last text of a turn.
pub(in crate::summary::extractive) fn answer(turn: &Turn<'_>) -> Option<Answer> {
    let mut closing: Vec<&Said> = turn.said.iter().filter(|said| said.closing).collect();
    let told = turn.last_text().and_then(|(message, text)| Some((message, states(text)?)));
    if let Some((message, text)) = told {
        return Some(Answer::told(text, message));
    }
    let reports = closing.iter().any(|said| said.kind == Kind::Done);
    if let Some((message, text)) = whole(turn).filter(|_| !reports && closing.len() <= 1) {
        return Some(Answer::told(text, message));
    }
    if let Some(said) = denial(&closing).filter(|_| !reports) {
        let text = cut(&said.sentence, LONGEST_LINE).into_owned();
        return Some(Answer { more: BINDING, ..Answer::told(text, said.message) });
    }
    let is_all = !reports && closing.iter().all(|said| answers(said)) && conclusion(&closing).is_none();
    if let Some((message, text)) = whole(turn).filter(|_| is_all) {
        return Some(Answer::told(text, message));
    }
    if let Some((message, last)) = turn.last_text().filter(|_| !reports) {
        let told = code(last)
            .or_else(|| list(last).map(|list| proposed(list, last)))
            .or_else(|| brief(without_courtesies(last), &closing))
            .or_else(|| conclusion(&closing));
        if let Some(text) = told {
            let text = cut(&text, LONGEST_LINE).into_owned();
            let cut_off = Some(text.trim_end_matches([' ', '…'])).filter(|told| told.len() < text.len());
            let whole = cut_off.and_then(|told| list_in_full(told, last));
            return Some(Answer { whole, ..Answer::told(text, message) });
        }
    }
    // One of several fields is only a part of the answer, and one of several options may be rejected.
    if closing.len() > 1 {
        let is_choice = is_choice(turn);
        closing.retain(|said| {
            let is_part = is_part(&said.sentence, said.kind) || is_choice(said);
            said.says_yes_or_no() || !is_part
        });
    }
    // What is not done, or not true, answers only where nothing else is said.
    let aims = |said: &&Said| below_aim(&said.sentence).is_some();
    if !closing.iter().all(|said| aims(said) || said.kind == Kind::Empty) {
        closing.retain(|said| !aims(said));
    }
    // That the agent was wrong says less than what is right.
    if closing.iter().any(|said| said.kind != Kind::Empty && !admits(&said.sentence)) {
        closing.retain(|said| !admits(&said.sentence));
    }
    sentence(turn, &closing)
}

/// Another answer in the last text of a turn: the most exact of the sentences that promise something, state it behind a
/// courtesy, or offer it. In sessions of work such sentences only announce it.
pub(super) fn soft(turn: &Turn<'_>) -> Option<Answer> {
    let closing = turn.said.iter().rev().filter(|said| said.closing);
    let told = closing.filter_map(|said| Some((said.message, told_softly(&said.sentence)?)));
    let (message, text) = told.max_by_key(|(_, text)| figures(text))?;
    Some(Answer::told(cut(text, LONGEST_LINE).into_owned(), message))
}

/// A sentence that promises something or states it behind a courtesy, or what it offers before it asks for consent.
fn told_softly(sentence: &str) -> Option<&str> {
    if promises(sentence) || states_softly(sentence) { Some(sentence) } else { before_question(sentence) }
}

/// The first sentence that answers, with what belongs to it.
fn sentence(turn: &Turn<'_>, closing: &[&Said]) -> Option<Answer> {
    let at = first(closing)?;
    let said = closing[at];
    let next = closing.get(at + 1).filter(|next| next.message == said.message && next.kind != Kind::Empty);
    let needs_more =
        said.kind == Kind::Other && said.sentence.len() < SHORT || said.says_yes_or_no() && said.sentence.len() < BRIEF;
    let limited = |said: &Said| {
        let behind = turn.said.iter().skip_while(|other| !std::ptr::eq(*other, said)).nth(1);
        with_setback(said, behind, LONGEST_LINE)
    };
    let text = match next.filter(|next| needs_more && answers(next)) {
        Some(next) if said.sentence.len() + next.sentence.len() < MORE => joined(&[&said.sentence, &limited(next)]),
        _ if said.kind == Kind::Done => limited(said),
        _ => with_number(turn, closing, at).unwrap_or_else(|| limited(said)),
    };
    let text = with_lead(closing, at, text);
    let told = Answer::told(cut(&text, LONGEST_LINE).into_owned(), said.message);
    Some(if said.kind == Kind::Done { Answer { done: true, more: STORY, ..told } } else { told })
}

/// An answer up to the sentence with the number that was asked for, or to a number in the next one about the same.
/// Never that sentence alone: the number may be another one, and the answer a word: “none”, “as soon as it is lit”.
fn with_number(turn: &Turn<'_>, closing: &[&Said], at: usize) -> Option<String> {
    let is_told = |said: &Said| has_digit(&said.sentence);
    let behind = closing[at + 1..].iter().take_while(|next| next.message == closing[at].message && next.joined);
    let mut near = behind.take(OPENING).enumerate().filter(|(_, next)| next.kind != Kind::Empty && answers(next));
    let asked = turn.asked.as_ref().is_some_and(|asked| asked.own().iter().any(|own| asks_for_number(own)));
    let (more, _) = if asked && !is_told(closing[at]) {
        near.find(|(_, next)| is_told(next))?
    } else {
        near.next().filter(|(more, next)| *more == 0 && is_told(next) && leans(&next.sentence))?
    };
    let all: Vec<&str> = closing[at..=at + 1 + more].iter().map(|said| &*said.sentence).collect();
    Some(all.join(" ")).filter(|all| all.len() < MORE)
}

/// An answer behind the short statements right before it: “The ferry is booked. The seats have been assigned.”
fn with_lead(closing: &[&Said], at: usize, text: String) -> String {
    let states = |said: &Said| answers(said) && is_terse(&said.sentence) && words(&said.sentence) >= FEWEST;
    let leads = closing[..=at].windows(2).rev().take_while(|two| two[1].joined && states(two[0]));
    let (mut text, mut all) = (text, leads.map(|two| &two[0].sentence));
    while let Some(lead) = all.next().filter(|lead| lead.len() + text.len() < MORE) {
        text = joined(&[lead, &text]);
    }
    text
}

/// Puts the items about what the agent said before its answer before this, in the order of its text.
pub(super) fn in_order(items: &mut [Item], answered: &str, turn: &Turn<'_>) {
    let Some(at) = items.iter().position(|item| item.text == answered) else { return };
    let origin = items[at].origin;
    let own: Vec<&str> =
        turn.said.iter().filter(|said| Some(said.message) == origin).map(|said| &*said.sentence).collect();
    let Some(begun) = own.iter().position(|sentence| answered.starts_with(sentence)) else { return };
    let before: HashSet<&str> = own[..begun].iter().copied().collect();
    items[at..].sort_by_key(|item| !(item.origin == origin && before.contains(&*item.text)));
}

/// Tells whether a sentence of a turn is one of several options behind letters (“B: gas” makes “A: oil” one), or one of
/// several risks.
pub(super) fn is_choice(turn: &Turn<'_>) -> impl Fn(&Said) -> bool + use<> {
    let are_told = turn.said.iter().any(|said| said.sentence.starts_with("B: "));
    move |said| are_told && said.sentence.get(1..3) == Some(": ") || is_risk(&said.sentence)
}

/// The whole last text, if a question was asked and the text is short: “Graz.”
fn whole(turn: &Turn<'_>) -> Option<(usize, String)> {
    let asks = |asked: &&Asked| {
        asks_briefly(&asked.start)
            || asked.sentences.iter().any(|asked| asked.ends_with(QUESTION_MARKS) || asks_for_number(asked))
    };
    turn.asked.as_ref().filter(asks)?;
    let (message, text) = turn.last_text()?;
    let text = without_courtesies(text);
    let is_plain = text.len() < MORE && !text.contains('\n') && !is_structure(text) && !is_notice(text);
    let tells = says(text) && words(text) > 0 || turn.acts.is_empty() && agrees(text);
    (is_plain && tells).then(|| (message, fold(text)))
}

/// Whether an answer is only a yes in other words, or its sign: “Of course.”, “Exactly.”, “👍”
fn agrees(text: &str) -> bool {
    let has_sign =
        text.chars().any(|char| char.is_alphanumeric() || !char.is_ascii() && !QUESTION_MARKS.contains(&char));
    !asks(text) && has_sign && words(text) < FEWEST && only_nods(&text.to_lowercase())
}

/// One of the first sentences that says that what was asked for cannot be done, or was not found: it answers rather than
/// a pleasant one before it.
fn denial<'t>(closing: &[&'t Said]) -> Option<&'t Said> {
    let is_open = closing.first().is_some_and(|first| !first.says_yes_or_no());
    closing.iter().take(OPENING).find(|said| is_open && denies(&said.sentence)).copied()
}

/// Index of the first sentence that answers.
fn first(closing: &[&Said]) -> Option<usize> {
    let telling = |said: &Said| match said.kind {
        Kind::Done | Kind::Finding(_) => true,
        Kind::Other => said.sentence.len() >= SHORT,
        Kind::Empty => false,
    };
    // A first sentence also answers if it has a number or name (“It has 42 lamps.”) or a yes or no (“No, I would keep
    // it.”).
    let direct =
        |said: &Said| said.says_yes_or_no() || said.kind == Kind::Other && answers(said) && names(&said.sentence);
    let opens = |said: &&Said| says(&said.sentence);
    let plain = closing.iter().take(OPENING).position(opens);
    let is_sure = |at: &usize| *at == 0 || closing[*at].kind != Kind::Empty;
    plain
        .filter(|at| direct(closing[*at]))
        .or_else(|| closing.iter().take(OPENING).position(|said| telling(said)))
        .or(plain.filter(is_sure))
}

fn asks(sentence: &str) -> bool {
    sentence.ends_with(['?', '？', '؟', ':', '：'])
}

fn answers(said: &Said) -> bool {
    says(&said.sentence)
}

pub(super) fn says(sentence: &str) -> bool {
    let announces = announces(without_agreement(sentence)) && !states_condition(sentence);
    !asks(sentence) && !announces && !offers(sentence)
}

pub(super) fn names(sentence: &str) -> bool {
    sentence.contains(|char: char| char.is_ascii_digit() || "`\"“".contains(char))
}

/// A first sentence too short or too numeric to be parsed as one, with the next one: “It is 42.”
fn brief(text: &str, closing: &[&Said]) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    if is_structure(line) || is_notice(line) || line.starts_with("```") {
        return None;
    }
    let line = plain(&fold(line));
    let end = [". ", ".\" ", "! "].iter().filter_map(|end| Some(line.find(end)? + end.trim_end().len())).min();
    let sentence = &line[..end.unwrap_or(line.len())];
    let few = (2..=BRIEF).contains(&sentence.chars().count()) && names(sentence) && says(sentence);
    // A full stop may stand behind the day of a date.
    let reads = |said: &&Said| said.kind != Kind::Empty || said.sentence.len() > sentence.len();
    let read = closing.first().is_some_and(|said| said.sentence.starts_with(sentence) && reads(said));
    // A retraction: “It is 12. Hmm, no: it is 11.”
    let rest = lower(line[sentence.len()..].trim_start());
    if !few || read || is_field(sentence) || starts_any(&rest, &TAKES_BACK) {
        return None;
    }
    let next = closing.iter().find(|said| !said.sentence.starts_with(sentence)).filter(|next| answers(next));
    let next = next.filter(|next| next.kind != Kind::Empty && line[sentence.len()..].contains(&next.sentence));
    Some(next.map_or_else(|| sentence.to_owned(), |next| format!("{sentence} {}", next.sentence)))
}

/// The last sentence that states a conclusion, unless the first one is a yes or no.
fn conclusion(closing: &[&Said]) -> Option<String> {
    let concludes = |said: &&&Said| {
        let lower = lower(&said.sentence);
        starts_any(&lower, CONCLUDES) && words(&lower) > OPENING && answers(said)
    };
    closing.first().filter(|first| !first.says_yes_or_no())?;
    closing.iter().rev().find(concludes).map(|said| said.sentence.clone())
}

/// The first telling line of a text that is one code block, with the line before the block.
fn code(text: &str) -> Option<String> {
    let mut fence = Fence::default();
    let (mut lead, mut lines) = (String::new(), Vec::new());
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if !fence.holds(line) {
            if !lead.is_empty() || !lines.is_empty() {
                return None;
            }
            lead = plain(&fold(line));
        } else if !line.trim_start().starts_with("```") {
            lines.push(line.trim());
        }
    }
    if !lead.is_empty() && !lead.ends_with([':', '：']) {
        return None;
    }
    // A single line of a diff says nothing.
    if lines.iter().any(|line| line.starts_with(['+', '-', '@'])) {
        return None;
    }
    let tells = |line: &&&str| !starts_any(line, &PREPARES) && !line.contains('`');
    let line = lines.iter().find(tells)?;
    let more = if lines.len() > 1 { " …" } else { "" };
    Some(format!("{lead} `{}`{more}", cut(line, CODE)).trim_start().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::builders::{agent, user};
    use crate::summary::extractive::session::turns::turns;

    fn answered(text: &str) -> Option<String> {
        told_by(text, answer)
    }

    fn softly(text: &str) -> Option<String> {
        told_by(text, |turn| answer(turn).or_else(|| soft(turn)))
    }

    fn told_by(text: &str, answer: impl Fn(&Turn<'_>) -> Option<Answer>) -> Option<String> {
        let messages = [user("What about the lamps of the pier?"), agent(text), user("Now draw the map.")];
        let head: Vec<_> = messages.iter().collect();
        turns(&head, &[]).iter().find(|turn| turn.asked.is_some()).and_then(answer).map(|answer| answer.text)
    }

    #[test]
    fn a_few_words_with_a_number_answer() {
        let why = "The number follows from the length of the pier.";
        assert_eq!(answered(&format!("It is 42. {why}")), Some(format!("It is 42. {why}")));
    }

    #[test]
    fn the_day_of_a_date_ends_no_answer() {
        let booked = "Der Termin ist eingetragen: Freitag, 21. März, 17:15 Uhr, am Kai 77.";
        let told = answered(&format!("{booked} Sie bekommen heute noch eine Bestätigung per E-Mail."));
        assert!(told.is_some_and(|told| told.starts_with(booked)));
    }

    #[test]
    fn what_stands_behind_a_courtesy_answers() {
        for told in [
            "I'm sorry, but ticket TX-881 is not refundable because it is basic economy.",
            "Thank you for waiting, your seat is 22A by the window.",
            "I will refund 54.04 dollars to your gift card within five days.",
            "I understand the wish, but names on basic economy tickets cannot be changed.",
        ] {
            assert_eq!(softly(told).as_deref(), Some(told));
        }
        let more = "We understand your anger and frustration. We will send you an update within the next hour.";
        assert_eq!(softly(more).as_deref(), Some("We will send you an update within the next hour."));
        let offer = "I'd suggest the Mill House at $68 per night, is that okay?";
        assert_eq!(softly(offer).as_deref(), Some("I'd suggest the Mill House at $68 per night"));
        assert_eq!(softly("Sure, I can help you with that."), None);
    }

    #[test]
    fn a_question_for_a_number_is_answered_with_it() {
        let told = |asked: &str, said: &str| {
            let messages = [user(asked), agent(said), user("Now draw the map.")];
            let head: Vec<_> = messages.iter().collect();
            let turns = turns(&head, &[]);
            turns.iter().find(|turn| turn.asked.is_some()).and_then(answer).map(|answer| answer.text)
        };
        let pier = "The long pier is an old wooden pier in the north of the harbour.";
        let high = "It has a height of 17 metres above the water.";
        let more = "Many people like to walk on it in the evening, when all of its lamps are lit by the keeper.";
        let all = format!("{pier} {high} {more}");
        assert_eq!(told("how high is the long pier", &all), Some(format!("{pier} {high}")));
        let none = "None of the lamps is broken any longer, since the keeper brought a new wick for each of them.";
        let other = "The walk to the end of the pier took 14 minutes with all of the bags and the oil for it.";
        let said = format!("{none} {other} {more}");
        assert_eq!(told("How many lamps are broken now?", &said).as_deref(), Some(none));
        assert_eq!(told("tell me of the long pier", &all.replace(high, "It is made of oak.")).as_deref(), Some(pier));
    }

    #[test]
    fn a_question_of_few_words_stays_with_its_answer() {
        for (asked, fact) in [("How much?", "It costs 329 euros."), ("왜요?", "소포가 항구에서 분실됐습니다.")]
        {
            let messages = [user(asked), agent(fact), user("Now draw the map.")];
            let head: Vec<_> = messages.iter().collect();
            let turns = turns(&head, &[]);
            let asked = turns.iter().find(|turn| turn.asked.is_some());
            assert!(asked.is_some_and(|turn| turn.asked.as_ref().is_some_and(Asked::is_telling)));
            assert_eq!(asked.and_then(answer).map(|answer| answer.text).as_deref(), Some(fact));
        }
    }

    #[test]
    fn the_first_sentence_that_is_no_courtesy_answers() {
        let total = "The ferry costs 2,098.10 euros.";
        for before in ["Sure!", "Great question!", "I'm very sorry for the wait.", "Let me check.", "물론입니다!"]
        {
            assert_eq!(answered(&format!("{before} {total}")).as_deref(), Some(total), "{before}");
        }
        let agreed = "Okay, the ferry costs 2,098.10 euros.";
        assert_eq!(answered(agreed).as_deref(), Some(agreed));
        assert!(answered("Please note that the ferry costs 2,098.10 euros.").is_some());
        let condition = "If you give it back before 5 May, you get 300 euros back.";
        assert_eq!(answered(condition).as_deref(), Some(condition));
        let hopes = "Could you provide the reason? The reasons are:\n1. Change of plan\n2. The ferry was cancelled\n\nI hope this helps!";
        assert_eq!(answered(hopes), None);
        let sorry = "I'm very sorry for the delay. The red ferry goes for 942 euros. The blue one failed to answer, so I can't tell of it.";
        assert!(answered(sorry).is_some_and(|told| told.starts_with("The red ferry goes for 942 euros.")));
    }

    #[test]
    fn a_short_statement_is_told_with_its_consequence() {
        for whole in [
            "You don't need a ticket. You need a lamp that burns for six hours.",
            "The ferry is booked. The seats have been assigned to you.",
            "Option A costs 40 euros. Option B costs 35 euros.",
            "四十冊あります。最初の一冊は『港町の灯台』です。",
            "The quay is dry. Moor the ferry at berth 4 after the storm. But berth 4 has no lamp, so wait until noon.",
            "The old pier is torn. It therefore needs new oak, because it can't stand by itself.",
        ] {
            assert_eq!(answered(whole).as_deref(), Some(whole));
        }
        let orders =
            "Order #W4836353 and #W7342738 have been cancelled. The total amounts have been refunded to your purse.";
        assert!(answered(orders).is_some_and(|told| told.starts_with("Order #W4836353")));
    }

    #[test]
    fn a_list_is_told_with_what_leads_up_to_it() {
        let list = "I found three lamps:\n\n- **L1**: the red one. It is old.\n- L2, the green one\n- Others:\n  - L3\n\nWhich one?";
        assert_eq!(
            answered(list).as_deref(),
            Some("I found three lamps: L1: the red one; L2, the green one; Others: L3")
        );
        let told = "The lamps burn all night, for the fog may come at any time, and nobody can tell when it does so.";
        assert_eq!(answered(&format!("{told}\n\nHere are the lamps:\n- L1\n- L2")).as_deref(), Some(told));
        assert!(answered("Please provide:\n- your name\n- your quay").is_none());
        let asks = "I would change the lamps:\n- L1, the red one\n- L2, the green one\n\nShall I do so?";
        let proposed = "Proposed: I would change the lamps: L1, the red one; L2, the green one";
        assert_eq!(answered(asks).as_deref(), Some(proposed));
        let done = "I changed these lamps:\n- L1, the red one\n- L2, the green one\n\nShall I commit it?";
        let told = "I changed these lamps: L1, the red one; L2, the green one";
        assert_eq!(answered(done).as_deref(), Some(told));
    }

    #[test]
    fn a_small_table_is_told_row_by_row() {
        let table = "I measured the lamps:\n\n| Lamp | Oil | Wick |\n|---|---|---|\n| A | 12 litres | old |\n| B | 33 litres | new |\n";
        let told = "I measured the lamps: A: Oil 12 litres, Wick old; B: Oil 33 litres, Wick new";
        assert_eq!(answered(table).as_deref(), Some(told));
    }

    #[test]
    fn items_below_labels_are_told_with_these() {
        let list = "I looked at the lamps:\n\n- The northern lamp:\n  - oil is at 12 of 40 litres\n  - the wick is old\n- The southern lamp:\n  - oil is at 33 of 40 litres\n";
        let told = "I looked at the lamps: The northern lamp: oil is at 12 of 40 litres; The southern lamp: oil is at 33 of 40 litres";
        assert_eq!(answered(list).as_deref(), Some(told));
    }

    #[test]
    fn a_list_of_fields_is_told_with_its_lead() {
        let list = "Here are the details of your trip:\n\n- **From:** The Old Mill Landing (OML)\n- **To:** The North Pier (NPR)\n\nPlease say yes, and I'll book it.";
        let told = "Here are the details of your trip: From: The Old Mill Landing (OML); To: The North Pier (NPR)";
        assert_eq!(answered(list).as_deref(), Some(told));
        let last = "You can pay for it in two ways, as I said before.\n\nWays of payment are listed here:\n- Purse (Silver one ending in 12)\n- Purse (Leather one ending in 34)";
        assert_eq!(answered(last).as_deref(), Some("You can pay for it in two ways, as I said before."));
    }

    #[test]
    fn a_numbered_label_is_told_with_what_is_below_it() {
        let list = "Here are the ferries:\n\n1. **Way 1:**\n   - North pier at nine\n   - It costs 12\n2. **Way 2:**\n   - South pier at ten\n";
        let told = "Here are the ferries: Way 1: North pier at nine; Way 2: South pier at ten";
        assert_eq!(answered(list).as_deref(), Some(told));
    }

    #[test]
    fn a_refusal_answers_rather_than_a_pleasant_sentence() {
        let text = "Your trip to the island is booked under the number 12. However, it is a day trip, which cannot be moved to another day.\n\nIf you need more, please tell me!";
        let told = "However, it is a day trip, which cannot be moved to another day.";
        assert_eq!(answered(text).as_deref(), Some(told));
        let sorry =
            "I'm sorry, but I cannot see the balance of your purse. You may want to ask the keeper of the harbour.";
        assert_eq!(answered(sorry).as_deref(), Some("I'm sorry, but I cannot see the balance of your purse."));
    }

    #[test]
    fn a_notice_of_a_harness_is_no_answer() {
        let text = "[3 messages of the quay evicted]\n\nThe lamp burns again, for the tank is full.";
        assert_eq!(answered(text).as_deref(), Some("The lamp burns again, for the tank is full."));
        assert_eq!(answered("[3 messages of the quay evicted]"), None);
    }

    #[test]
    fn items_of_different_states_are_told_with_these() {
        let list = "Done:\n\n- ✅ the lamps\n- ❌ Ferry build\n- ⏳ tide table\n- 🚧 map of the quay\n";
        let told = "failed: Ferry build; pending: tide table; in progress: map of the quay; done: the lamps";
        assert_eq!(answered(list).as_deref(), Some(told));
        let days = "The ferry runs on these days:\n\n- ✅ Monday\n- ❌ Sunday\n";
        assert_eq!(answered(days).as_deref(), Some("The ferry runs on these days: Monday; ❌ Sunday"));
        let boxes = "State of the quay:\n- [x] lamps\n- [ ] ferry";
        assert_eq!(answered(boxes).as_deref(), Some("State of the quay: not done: ferry; done: lamps"));
        let open = "Left of the quay:\n- [ ] lamps\n- [ ] ferry";
        assert_eq!(answered(open).as_deref(), Some("Left of the quay: not done: lamps; not done: ferry"));
    }

    #[test]
    fn a_list_behind_a_mere_yes_or_no_is_not_the_answer() {
        for word in ["No.", "Nope.", "Yep."] {
            assert_eq!(answered(&format!("{word}\n\nLamps:\n\n- L1\n- L2")), None, "{word}");
        }
    }

    #[test]
    fn what_follows_from_the_rest_is_the_answer() {
        let text = "Lamp A burned for 3 hours. Lamp B burned for 7 hours. Therefore, lamp B burns the longest.";
        assert_eq!(answered(text).as_deref(), Some("Therefore, lamp B burns the longest."));
    }

    #[test]
    fn yes_and_no_are_told_with_their_reason() {
        let text = "No, it is not wrong at all to keep them on. The keepers need them for the fog of the morning.";
        assert_eq!(answered(text).as_deref(), Some(text));
    }

    #[test]
    fn code_alone_is_told_by_its_first_line() {
        assert_eq!(answered("```sh\n# lamps\nlampctl list --all\n```").as_deref(), Some("`lampctl list --all` …"));
        assert_eq!(answered("Run this:\n```\nlampctl list\n```").as_deref(), Some("Run this: `lampctl list`"));
    }
}
