//! Finds what a short request refers to in the agent's words before it: “let's do 2” needs point 2 of the list, “yes”
//! needs the question.

use super::asked::Asked;
use super::marks::{answered, marks};
use crate::summary::extractive::sentences::asking::last_question;
use crate::summary::extractive::sentences::cues::{is_question, lower, proposes};
use crate::summary::extractive::sentences::offered::{Point, question};
use crate::summary::extractive::sentences::proposed::with_proposal;
use crate::summary::extractive::sentences::prose::sentences;
use crate::summary::extractive::sentences::rules::instruction_strength;
use crate::summary::extractive::words::AGREE;
use crate::summary::text::{
    QUESTION_MARKS, contains_any, cut, each_word, first_bytes, has_any, has_words, last_bytes, words,
};

/// Maximum length of a request that may refer to something, in characters, and of a yes-or-no answer, in words.
const LONGEST: usize = 200;
const FEW: usize = 14;
/// Maximum number of words of a request that the question before it must explain.
const BRIEF: usize = 6;
/// First words of a request that orders something, whatever was asked.
const ORDERS: [&str; 20] = [
    "build", "cancel", "commit", "continue", "do", "don't", "go", "just", "let's", "look", "make", "never", "no",
    "please", "push", "run", "show", "stop", "test", "wait",
];
/// Maximum number of points quoted, and maximum length of all together and of one, in characters.
const POINTS: usize = 4;
const ALL: usize = 180;
const ONE: usize = 110;
/// Beginning of a point by which it is known in a request that quotes it, in bytes.
const QUOTED: usize = 20;
/// Maximum length of a question with what it proposes, in characters.
const PROPOSED: usize = 400;

/// Maximum number of words of a request that picks one of two answers, and the bytes at the end of a text where its
/// question is looked for.
const CHOSEN: usize = 3;
const END: usize = 2_000;
/// Phrases by which a request leaves a choice to the agent, and by which the agent made its recommendation.
const RECOMMENDED: [&str; 6] =
    ["your recommendation", "you recommend", "your suggestion", "you suggest", "recommended one", "recommended option"];
const RECOMMENDS: [&str; 6] =
    ["i recommend", "i'd recommend", "i suggest", "i'd suggest", "i'd go with", "my recommendation"];

/// Phrases of a question that is answered with an amount.
const AMOUNTS: [&str; 17] = [
    "how far",
    "how long",
    "how many",
    "how much",
    "how often",
    "how old",
    "on a scale",
    "what number",
    "what time",
    "几",
    "多少",
    "何泊",
    "何人",
    "何時",
    "いくつ",
    "いくら",
    "몇",
];

/// Words by which a request declines instead.
const DECLINES: [&str; 4] = ["no", "not", "bad", "instead"];

/// Text before a quoted question, and between a mark and its point.
const TO: &str = " (to “";
const MEANS: &str = " = “";
/// Maximum length of a mark, in bytes.
const MARK: usize = 4;

/// The referent of a request, formatted to follow it in brackets; empty for most.
pub(in crate::summary::extractive) fn meant(asked: &Asked, text: &str, before: &str) -> String {
    if text.chars().count() > LONGEST || before.is_empty() {
        return String::new();
    }
    let points = points(text, before);
    if points.is_empty() {
        if let Some(meant) = recommended(text, before) {
            return meant;
        }
        let asked_before = || match answers(asked) {
            true => question(before, text),
            false => is_brief(asked, text).then(|| last_question(before))?,
        };
        let Some(question) = either(text, before).or_else(asked_before) else { return String::new() };
        return match with_proposal(before, &question, text) {
            Some(proposed) => format!("{TO}{}”)", told(&proposed, PROPOSED)),
            None => format!("{TO}{}”)", told(&question, ONE)),
        };
    }
    let most = (ALL / points.len()).min(ONE);
    let points: Vec<String> =
        points.iter().map(|(sign, words)| format!("{sign}{MEANS}{}”", told(words, most))).collect();
    format!(" ({})", points.join(", "))
}

/// A referent that is these words.
pub(in crate::summary::extractive) fn meant_by(words: &str) -> String {
    format!("{TO}{}”)", told(words, ONE))
}

fn told(words: &str, most: usize) -> String {
    cut(words, most).replace(['“', '”'], "\"")
}

/// Splits a printed request into the request and its referent.
pub(in crate::summary) fn parted(told: &str) -> (&str, &str) {
    let refers = |at: &usize| {
        let behind = &told[*at..];
        behind.starts_with(TO) || behind.find(MEANS).is_some_and(|end| end <= MARK)
    };
    let at = told.match_indices(" (").map(|(at, _)| at).find(refers).filter(|_| told.ends_with("”)"));
    told.split_at(at.unwrap_or(told.len()))
}

/// The points that a request names, each with its mark.
fn points(text: &str, before: &str) -> Vec<(String, String)> {
    let (chosen, answered) = (marks(text), answered(text));
    let answers = chosen.is_empty();
    let marks = if answers { answered } else { chosen };
    if marks.is_empty() || marks.iter().all(|mark| mark.label.is_empty()) && asks_for_amount(before) {
        return Vec::new();
    }
    let mut list = Point::all(before);
    // Who answers point by point answers questions.
    list.retain(|point| !answers || point.words.ends_with(QUESTION_MARKS));
    if list.is_empty() {
        list = Point::inline(before);
    }
    list.retain(|point| !point.is_gone());
    let menu = if answers { Vec::new() } else { Point::menu(before) };
    let asked = lower(text);
    let found = marks.into_iter().take(POINTS).filter_map(|mark| {
        // “#4” may be an issue of that number.
        let is_issue = mark.hashed && before.contains(&format!("#{}", mark.sign));
        let by_place = || mark.sign.parse().ok().filter(|_| mark.by_place).and_then(|place| Point::nth(&list, place));
        // A menu at the end of the text is nearer than any list in it.
        let in_list = || Point::find(&list, &mark.sign, &mark.label).or_else(by_place);
        let point = Point::find(&menu, &mark.sign, &mark.label).or_else(in_list).filter(|_| !is_issue)?;
        // “2. Rename `load`: not today” quotes the point itself.
        let begun = lower(first_bytes(&point.words, QUOTED));
        let is_quoted = begun.contains(' ') && asked.contains(&begun);
        (!is_quoted).then(|| (mark.sign, point.words.clone()))
    });
    found.collect()
}

/// Whether a text ends on a question that is answered with an amount: “How many keys do you need?”
fn asks_for_amount(text: &str) -> bool {
    let last = lower(text.trim_end().rsplit('\n').next().unwrap_or_default());
    is_question(&last) && contains_any(&last, &AMOUNTS)
}

/// The agent's recommendation, with the point it names, if a request follows it.
fn recommended(text: &str, before: &str) -> Option<String> {
    let asked = lower(text);
    let leaves = contains_any(&asked, &RECOMMENDED) && !has_any(&asked, &DECLINES);
    if words(&asked) > FEW || !leaves || asked.contains("n't") {
        return None;
    }
    let (said, behind) = sentences(before).into_iter().rev().find_map(|said| {
        let told = lower(&said);
        let behind = RECOMMENDS.iter().find_map(|word| Some(told.split_once(word)?.1.trim_start().to_owned()))?;
        Some((said, behind))
    })?;
    let behind = behind.strip_prefix("option ").unwrap_or(&behind);
    let sign = behind.split([' ', '.', ',', '!', ':', ';']).next().unwrap_or_default().to_owned();
    let sign = if sign.len() <= 2 { sign } else { String::new() };
    let named = points(&sign, before).pop().map(|(sign, words)| format!(" ({sign}{MEANS}{}”)", told(&words, ONE)));
    Some(named.unwrap_or_else(|| format!("{TO}{}”)", told(&said, ONE))))
}

/// The question with “or” that a request of a word or two answers: “postgres”.
fn either(text: &str, before: &str) -> Option<String> {
    if words(text) > CHOSEN {
        return None;
    }
    let asked = lower(text);
    let answer = asked.trim_end_matches(['.', '!']);
    let answer = ["use ", "the "].iter().fold(answer, |left, start| left.strip_prefix(start).unwrap_or(left));
    if answer.is_empty() {
        return None;
    }
    let offers = |said: &String| {
        let said = lower(said);
        is_question(&said) && has_words(&said, "or") && has_words(&said, answer)
    };
    let mut found = sentences(last_bytes(before, END)).into_iter().filter(offers);
    // With two such questions, it is unknown which was answered.
    found.next().filter(|_| found.next().is_none())
}

/// Whether a request is so short that it says nothing without the question before it: “the later one”.
fn is_brief(asked: &Asked, text: &str) -> bool {
    let lower = lower(text);
    let first = each_word(&lower).next().unwrap_or_default();
    let orders = || proposes(&lower) || ORDERS.contains(&first) || instruction_strength(text).is_some();
    let is_command = text.starts_with('/');
    words(text) <= BRIEF && !is_command && !is_question(&lower) && !asked.closes() && !asked.greets() && !orders()
}

/// Whether a request is mainly a yes or no to a question.
fn answers(asked: &Asked) -> bool {
    let lower = lower(&asked.start);
    let first = lower.split(|char: char| !char.is_alphanumeric()).next().unwrap_or_default();
    // “No, gracias” answers a question too.
    let agrees = AGREE.contains(&first) && words(&lower) <= FEW;
    (agrees || asked.nods() && !asked.closes() && !asked.greets()) && !is_question(&lower)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::builders::{agent, user};
    use crate::summary::extractive::sections::goal;
    use crate::summary::extractive::session::turns::turns;
    use crate::transcript::Message;

    fn goal_of(messages: &[Message<'_>]) -> String {
        let head: Vec<&Message<'_>> = messages.iter().collect();
        goal::items(&turns(&head, &[]), &[]).pop().map_or_else(String::new, |item| item.text)
    }

    #[test]
    fn a_choice_is_told_with_what_was_offered() {
        let offer = "1. Remove the cache\n2. Rename `load`\n3. Add a test of #4\n\nShall I mend the board first?";
        let said = |words: &str| goal_of(&[user("What is wrong with the board?"), agent(offer), user(words)]);
        assert_eq!(
            said("let's do 1 and 2"),
            "Current request: let's do 1 and 2 (1 = “Remove the cache”, 2 = “Rename `load`”)"
        );
        assert_eq!(said("let's do #4"), "Current request: let's do #4");
        assert_eq!(said("2. Rename `load` is not for today"), "Current request: 2. Rename `load` is not for today");
        assert_eq!(said("yes"), "What is wrong with the board? Then: “yes” (to “Shall I mend the board first?”)");
        assert_eq!(said("Paint it blue."), "Current request: Paint it blue.");
        assert!(said("thanks!").starts_with("What is wrong"));
    }

    #[test]
    fn a_few_words_are_told_with_the_question_that_they_answer() {
        let told = |asked: &str, words: &str| goal_of(&[user("Book me a berth."), agent(asked), user(words)]);
        let which = "Which of the ferries do you prefer, HAT139 or HAT289?";
        assert!(told(which, "the later one").ends_with(&format!("the later one (to “{which}”)")));
        let how = "Which lamp shall I use?";
        assert!(told(how, "the red lamp").ends_with(&format!("(to “{how}”)")));
        let many = "How many suitcases do you want to add?";
        assert!(told(many, "two").contains(&format!("“two” (to “{many}”)")));
        for (asked, order) in [
            ("All lamps burn. What would you like to work on next?", "Paint the pier"),
            ("All lamps burn. Shall I commit it?", "paint the pier first"),
            (which, "Is there a ferry in the night?"),
            (which, "run the tests"),
            (which, "never push to main"),
            (which, "stop"),
            ("The cache is off. Why is it off?", "the old lamp"),
            (which, "Paint the pier, and then light all of its lamps."),
        ] {
            assert!(!told(asked, order).contains("(to “"), "{order}: {}", told(asked, order));
        }
    }

    #[test]
    fn what_was_proposed_is_told_with_an_approval() {
        let offer = "Ready. The steps are:\n\n```bash\npaint pier\nlight --all\n```\n\nShall I proceed with painting and lighting?";
        let told = goal_of(&[user("Get the pier ready."), agent(offer), user("yeah, do it all")]);
        assert!(told.ends_with("(to “Shall I proceed with painting and lighting? paint pier; light --all”)"), "{told}");
    }

    #[test]
    fn yes_and_no_are_told_with_the_question_in_many_languages() {
        for (question, answer) in [
            ("87 numaralı siparişi iptal edeyim mi?", "evet"),
            ("88 de iptal edilsin mi?", "hayır"),
            ("Annullo l'ordine 92?", "sì"),
            ("Hủy đơn 96 nhé?", "vâng"),
            ("हल्का ऑर्डर 95 रद्द करूँ?", "नहीं"),
            ("هل ألغي الطلب 94؟", "لا"),
            ("要退到银行卡吗？", "不用"),
            ("¿Le mando la factura por correo?", "no, gracias"),
            ("Et la 90 ?", "non, surtout pas"),
            ("Do you want anything else deleted in src/lamp.rs?", "yes"),
            ("Shall I delete anything else than the 3 logs?", "no"),
            ("Soll ich noch etwas Öl für die Lampe bestellen?", "ja"),
            ("Soll ich stornieren?", "nein, umbuchen bitte"),
        ] {
            let told = goal_of(&[user("Look after the ferry."), agent(&format!("I see. {question}")), user(answer)]);
            assert!(told.contains(answer) && told.contains(question), "{told}");
        }
        for (question, answer) in
            [("Is there anything else that I can do?", "no, thanks"), ("Sonst noch etwas?", "nein")]
        {
            let told =
                goal_of(&[user("Look after the ferry."), agent(&format!("It is lit. {question}")), user(answer)]);
            assert!(!told.contains(question), "{told}");
        }
    }

    #[test]
    fn a_label_counts_more_than_a_place_and_an_amount_is_no_choice() {
        let offers =
            "Still free:\n\n1. **Option 1:** berth 4\n2. **Option 3:** berth 7\n3. **Flight Option 4:** a plane";
        let meant = |before: &str, text: &str| super::meant(&Asked::read(None, text, text.to_owned()), text, before);
        assert_eq!(meant(offers, "Let's go with option 3, please."), " (3 = “berth 7”)");
        assert_eq!(meant(offers, "Option 4, please."), " (4 = “a plane”)");
        assert_eq!(meant(offers, "Let's do 3"), "", "the third one, or the one that is called so");
        let steps = "To do:\n\n1. Go to the office\n2. Pay\n3. Take the key\n\n";
        assert_eq!(meant(&format!("{steps}Which one now?"), "3"), " (3 = “Take the key”)");
        for question in ["How many keys do you need?", "您要住几晚？", "On a scale from 1 to 5, how happy are you?"]
        {
            assert_eq!(meant(&format!("{steps}{question}"), "3"), format!("{TO}{question}”)"));
        }
    }

    #[test]
    fn numbered_answers_keep_their_numbers_and_are_told_with_the_questions() {
        let asks = "Questions:\n1) Which oil?\n2) Shall the pier be lit by day?\n3) Then I paint it.";
        let said = |offer: &str, words: &str| goal_of(&[user("Set up the quay."), agent(offer), user(words)]);
        let told = said(asks, "1) I'll let you decide\n2) yes\n3) as you like it best");
        let answers = "1) I'll let you decide 2) yes 3) as you like it best";
        let asked = "(1 = “Which oil?”, 2 = “Shall the pier be lit by day?”)";
        assert!(told.ends_with(&format!("{answers} {asked}")), "{told}");
        assert!(!said("1. Lit.\n2. Painted.", "1) why this?\n2) no").contains(" = “"));
    }

    #[test]
    fn a_choice_is_known_however_it_is_put() {
        let said = |offer: &str, words: &str| goal_of(&[user("How do we light the pier?"), agent(offer), user(words)]);
        let inline = "Three options: A oil, B gas at night, C no light. I recommend A.";
        let listed = "Three options:\n\nA) oil\nB) gas at night\nC) no light\n\nI recommend A. Which one?";
        for offer in [inline, listed] {
            for words in ["B", "b", "b please", "option B please", "B it is", "the second one"] {
                assert!(said(offer, words).ends_with(" = “gas at night”)"), "{words}: {}", said(offer, words));
            }
            assert!(said(offer, "go with your recommendation").ends_with(" (A = “oil”)"));
        }
        for (offer, words) in [
            ("A lamp of type B costs 5 euros. Two ways: first oil, second gas.", "the first one"),
            ("Result A) was better than B) by far.", "B"),
            ("Option A is cheaper, option B is faster.", "A"),
            ("1. Sun\n2. Moon\n\nBesides:\n\n5. Tide\n6. Wind", "the third one"),
            (inline, "no, not your recommendation"),
        ] {
            assert!(!said(offer, words).contains(" = “"), "{words}: {}", said(offer, words));
        }
        let table = "**Recommended:** Option B - it is bright.\n\n| Option | Lamp |\n|---|---|\n| A | oil |\n| B | gas at night |\n\nWhich?";
        assert!(said(table, "b").ends_with(" (B = “gas at night”)"), "{}", said(table, "b"));
        let menu = "- **A: oil**\n- **B: gas** — rejected\n- **C: no light**\n\n**[A]** All of it | **[C]** Continue";
        assert!(said(menu, "c").ends_with(" (C = “Continue”)"), "{}", said(menu, "c"));
        assert!(!said(menu, "B").contains(" = “"), "{}", said(menu, "B"));
        let over = "Two ways: A) oil, B) gas. I'd recommend A over B, since it is cheaper.";
        assert!(said(over, "as you recommend").ends_with(" (A = “oil”)"), "{}", said(over, "as you recommend"));
        let either = said("Shall I use oil or gas?", "gas");
        assert!(either.ends_with("“gas” (to “Shall I use oil or gas?”)"), "{either}");
    }

    #[test]
    fn what_stands_between_the_head_and_a_request_is_not_passed_over() {
        let head = [user("What is wrong with the board?"), agent("1. Remove the cache\n2. Rename `load`")];
        let head: Vec<&Message<'_>> = head.iter().collect();
        let newest = user("let's do 2");
        let told =
            |place: usize| turns(&head, &[(place, &newest)]).pop().and_then(|turn| turn.asked).map(|asked| asked.meant);
        assert_eq!(told(2).as_deref(), Some(" (2 = “Rename `load`”)"));
        assert_eq!(told(3).as_deref(), Some(""));
    }

    #[test]
    fn a_request_is_parted_from_what_it_refers_to() {
        for (words, meant) in [
            ("“let's do 2”", " (2 = “Rename `load` (in the board)”)"),
            ("yes (please)", " (to “Shall I?”)"),
            ("Draw it (the map)", ""),
        ] {
            assert_eq!(parted(&format!("{words}{meant}")), (words, meant));
        }
    }
}
