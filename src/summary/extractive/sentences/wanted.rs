//! Terms that customers set in a few words: “Only call me after 6 pm.”, “At most two stops.”, “Short answers, please.”,
//! “I can't eat gluten.”, “…, but don't charge my card” in many languages.

use super::cues::{begins, begins_any};
use super::orders::Order;
use super::sieve::AnyOf;
use super::terms::negates_order;
use crate::summary::extractive::words::{
    AT_MOST, BRIEFLY, BY_HOUR, CALLS, CALLS_DENSE, CALLS_ONLY, CALLS_WHOM, CANNOT_EAT, CHINESE_DIGITS, CIRCUMSTANCES,
    CITES, COUNTED, COURTEOUSLY, DAYS, HOURS, LIMITS_TO, LOOKS_FOR, MOVES, NO_BANS, NO_FOOD, NOT_BEYOND, NOT_DO,
    NOTHING_CAME, NUMBERS, OF_OTHERS, OF_REPLY, ONLY_IN, QUALITIES, REPLIES_OF_STYLE, REPORTING, SAID_BY_OTHERS,
    SLEEPS, STATED, STYLED, SUBJUNCTIVES, TURNS_TO_BAN, UNABLE, UNFIT, WITHIN,
};
use crate::summary::text::{
    NUMBER_WORDS, behind, contains_any, each_word, has_any, has_dense, has_digit, has_least, has_most, has_words,
    is_dense, starts_any, words,
};

/// Maximum number of words of such a sentence, of a wish about style, and of a clause that forbids.
const FEW: usize = 12;
const BRIEF: usize = 6;
const CLAUSE: usize = 8;
/// Maximum number of words of a thing that is not wanted.
const THING: usize = 3;
/// Subjects of what has to be so.
const SUBJECTS: [&str; 8] = ["everything", "it", "my", "our", "she", "that", "the", "they"];
/// The same in other languages, up to what it has to be.
const HAS_TO_BE: [&str; 5] = ["tiene que ser ", "tienen que ser ", "tiene que estar ", "tem que ser ", "tem de ser "];
/// Least number of letters of a verb in the third person or the past.
const LEAST: usize = 3;
/// Objects of a call.
const WHOM: [&str; 6] = ["her", "him", "me", "my", "them", "us"];
/// Parts of days and weeks.
const PARTS: [&str; 6] = ["mornings", "afternoons", "evenings", "nights", "weekdays", "weekends"];
/// Exceptions of days that fit.
const ANY_BUT: [&str; 5] = ["anything but ", "any day but ", "any day except ", "every day but ", "any time but "];
/// Words before a clause, and determiners of one thing that was shown.
const JOINTS: [&str; 8] = ["and ", "but ", "so ", "please ", "with ", "preferably ", "also ", "just "];
const POINTS: [&str; 16] =
    ["the", "this", "that", "these", "those", "it", "a", "an", "one", "die", "das", "den", "la", "el", "le", "les"];
/// Words by which “only” limits to something against something else.
const AGAINST: [&str; 9] = ["not", "no", "nicht", "kein", "pas", "non", "não", "не", "nie"];
/// Words between “before” and an hour, and words behind an hour.
const BEFORE_NUMBER: [&str; 9] = ["the", "las", "la", "le", "les", "das", "delle", "de", "as"];
const BEHIND_HOUR: [&str; 12] = ["00", "30", "and", "because", "but", "clock", "in", "los", "o", "on", "pm", "so"];
/// Orders of a thing of some kind.
const ORDERS_OF_KIND: [&str; 6] = ["book", "buy", "offer", "recommend", "reserve", "suggest"];
/// Verbs of a report.
const TELLS: [&str; 13] =
    ["are", "can", "did", "failed", "found", "had", "has", "is", "runs", "takes", "took", "was", "were"];
/// Ordinal numbers of floors and decks.
const FLOORS: [&str; 10] =
    ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

static CANNOT: AnyOf = AnyOf::new(CANNOT_EAT);
static UNFITTING: AnyOf = AnyOf::new(UNFIT);
static HINDERED: AnyOf = AnyOf::new(UNABLE);

/// The strength of a lower-case sentence without interjections that sets such a term; `None` for others.
pub(super) fn wanted(text: &str) -> Option<Order> {
    let dense = text.chars().filter(|&char| is_dense(char)).count();
    if text.ends_with([':', '：']) || words(text) > FEW + dense {
        return None;
    }
    let all: Vec<&str> = each_word(text).collect();
    if calls_only(text, &all) || is_of_style(text, &all) || is_only_against(text, &all) {
        return Some(Order::Duty);
    }
    (is_counted(text, &all) || has_to_be(text, &all) || can_only(text)).then_some(Order::Wish)
}

/// “Only call me after 6 pm.”, “Звоните мне только после 18:00.”, “只在下午给我打电话。”
fn calls_only(text: &str, all: &[&str]) -> bool {
    let english = || {
        let [only, verb, whom, ..] = all else { return false };
        let picks =
            || ORDERS_OF_KIND.contains(verb) && !POINTS.contains(whom) && !all.iter().any(|word| TELLS.contains(word));
        let acts =
            text.strip_prefix("only ").is_some_and(|rest| begins(rest, verb) && rest[verb.len()..].starts_with(' '));
        // “Only call to the API fails.” tells.
        let tells = |word: &&str| TELLS.contains(word) || is_third(word) && !is_day(word);
        let whom = || WHOM.contains(whom) || CALLS_WHOM.contains(whom) && !all[3..].iter().any(tells);
        *only == "only" && acts && (CALLS_ONLY.contains(verb) && whom() || picks())
    };
    // An order begins with its verb, in Turkish and Hindi it ends with it.
    let others = || {
        let limits = |word: &&str| ONLY_IN.contains(word) && !["bare", "jen", "vain"].contains(word);
        let (calls, last) = (|word: &&str| CALLS.contains(word), all.len().saturating_sub(2));
        let orders = all.iter().take(2).any(calls) || ends_with_verb(text) && all[last..].iter().any(calls);
        orders && all.iter().any(limits)
    };
    let dense = || {
        let calls = CALLS_DENSE.iter().any(|(only, calls)| contains_any(text, only) && contains_any(text, calls));
        calls && !contains_any(text, OF_OTHERS)
    };
    english() || others() || !text.is_ascii() && dense()
}

/// Whether a word may be a verb of somebody or something else: “fails”, “mentioned”.
fn is_third(word: &str) -> bool {
    word.len() > LEAST && (word.ends_with('s') || word.ends_with("ed"))
}

/// Whether a word is a day, or a part of days or weeks.
fn is_day(word: &str) -> bool {
    DAYS.contains(&word) || DAYS.contains(&word.trim_end_matches('s')) || PARTS.contains(&word)
}

/// Whether a text is in a language that has the verb at the end.
fn ends_with_verb(text: &str) -> bool {
    text.contains(['ı', 'ş', 'ğ']) || text.chars().any(|char| ('\u{900}'..='\u{97f}').contains(&char))
}

/// “Short answers, please.”, “Please be brief.”, “Cite your sources.”
fn is_of_style(text: &str, all: &[&str]) -> bool {
    if has_dense(text) {
        return STYLED.iter().any(|style| has_dense(style) && text.contains(style));
    }
    let bare: Vec<&str> = all.iter().copied().filter(|word| !COURTEOUSLY.contains(word)).collect();
    let english = match bare[..] {
        ["be" | "stay", style] | ["be" | "stay", "more" | "very", style] => BRIEFLY.contains(&style),
        [style, reply] | ["use" | "only", style, reply] => {
            BRIEFLY.contains(&style) && REPLIES_OF_STYLE.contains(&reply)
        }
        _ => false,
    };
    let cites = || {
        let cited = bare.first().is_some_and(|verb| CITES.contains(verb)) && bare.last() == Some(&"sources");
        cited && (bare.len() == 2 || bare.len() <= BRIEF && bare.contains(&"your") || bare[1] == "all")
    };
    let joined = || bare.join(" ");
    bare.len() <= BRIEF && (english || cites() || STYLED.contains(&&*joined()))
}

/// “Only hints, not the solution.”, “Nur vegetarisch, bitte.”
fn is_only_against(text: &str, all: &[&str]) -> bool {
    let Some((limited, rest)) = text.split_once(", ") else { return false };
    let own: Vec<&str> = each_word(limited).collect();
    let [only, thing, ..] = own[..] else { return false };
    let limits = text.starts_with(only)
        && (only == "only" || ONLY_IN.contains(&only))
        && OF_REPLY.contains(&thing)
        && own.len() <= THING + 1;
    let against = || each_word(rest).next().is_some_and(|word| AGAINST.contains(&word)) && words(rest) <= BRIEF;
    let asks = || each_word(rest).all(|word| COURTEOUSLY.contains(&word)) && own.len() <= THING;
    limits && (against() || asks()) && !all.iter().any(|word| REPORTING.contains(word) && !["es", "a"].contains(word))
}

/// “At most two stops.”, “Höchstens zwei Umstiege.”, “We need at least two bathrooms.”
fn is_counted(text: &str, all: &[&str]) -> bool {
    let tells = |word: &&str| COUNTED.contains(word) && !["es", "ha"].contains(word) || STATED.contains(word);
    // “No more than two of the tests failed.”
    if all.iter().any(tells) || contains_any(text, &[" of the ", " of them", " of my ", " of these "]) {
        return false;
    }
    let is_number = |word: &str| has_digit(word) || NUMBER_WORDS.contains(&word) || NUMBERS.contains(&word);
    let next = |phrase: &&str| {
        let rest = behind(text, phrase).filter(|rest| rest.starts_with(' '));
        rest.and_then(|rest| each_word(rest).next()).is_some_and(is_number)
    };
    let begins = AT_MOST.iter().any(&next) || words(text) <= BRIEF && LIMITS_TO.iter().chain(WITHIN).any(next);
    let spelled = |phrase: &str| {
        let rest = text.split_once(phrase).map(|(_, rest)| rest);
        rest.and_then(|rest| each_word(rest).next()).is_some_and(|word| NUMBER_WORDS.contains(&word))
    };
    let within = || [" at most ", " at least ", " no more than "].iter().any(|phrase| spelled(phrase));
    let needs =
        || starts_any(text, &["we need ", "it needs "]) || begins_any(text, LOOKS_FOR) || starts_any(text, &["find "]);
    let few = |rest: &str| rest.starts_with(|char: char| char.is_ascii_digit() || CHINESE_DIGITS.contains(&char));
    let dense =
        || ["最多", "不超过"].iter().any(|most| text.strip_prefix(most).is_some_and(few)) && words(text) <= BRIEF;
    let tells = || text.contains(['了', '就']) || text.trim_end_matches('。').ends_with('来');
    begins || !text.is_ascii() && dense() && !tells() || needs() && within() && !text.contains(" to ")
}

/// “It has to be wheelchair accessible.”, “Tiene que ser accesible en silla de ruedas.”, not “The cache has to be
/// stale.”
fn has_to_be(text: &str, all: &[&str]) -> bool {
    let at = all
        .windows(3)
        .position(|three| ["has", "have", "need", "needs"].contains(&three[0]) && three[1..] == ["to", "be"]);
    let english = at.is_some_and(|at| (1..=THING).contains(&at) && SUBJECTS.contains(&all[0]));
    let others = || starts_any(text, &HAS_TO_BE);
    let is_quality =
        |word: &&str| QUALITIES.contains(word) || word.rsplit('-').next().is_some_and(|end| QUALITIES.contains(&end));
    all.len() <= CLAUSE + 1 && (english || others()) && all.iter().any(is_quality)
}

/// “I can only do mornings.”
fn can_only(text: &str) -> bool {
    let able = ["i can only ", "we can only ", "she can only ", "he can only "]
        .iter()
        .find_map(|start| text.strip_prefix(start));
    able.is_some_and(|rest| each_word(rest).any(is_day) || by_hour(rest))
}

/// “I can't eat gluten.”
pub(super) fn cannot_have(text: &str) -> bool {
    let said = CANNOT.find(text, has_words).and_then(|phrase| text.split_once(phrase));
    let behind = said.map(|(_, behind)| behind);
    let Some(rest) = behind.filter(|rest| has_least(rest, 1) && has_most(rest, THING + 1)) else { return false };
    let mut food = each_word(rest).filter(|word| !["de", "any", "and", "or"].contains(word)).peekable();
    food.peek().is_some() && !rest.contains(['了', '太']) && !food.any(|word| NO_FOOD.contains(&word))
}

/// “Wednesdays don't work for me.”, “We can't leave before 9 am.”, “Anything but Monday works.”
pub(super) fn is_unfit(text: &str) -> bool {
    let day = || {
        each_word(text).any(|word| DAYS.contains(&word) || PARTS.contains(&word))
            || has_dense(text) && contains_any(text, DAYS)
    };
    let except = || ANY_BUT.iter().find_map(|start| text.strip_prefix(start)).and_then(|rest| each_word(rest).next());
    // “The link that you sent on Friday doesn't work for me.” complains.
    let leads = || has_dense(text) || each_word(text).take(2).any(is_day) && !text.starts_with("the ");
    let own = || starts_any(text, &["i'm not ", "i am not ", "we're not ", "we are not ", "i can't ", "we can't "]);
    UNFITTING.is_said_in(text) && day() && (leads() || own()) && !text.contains(',')
        || hindered(text)
        || except().is_some_and(is_day) && has_any(text, &["fine", "okay", "ok", "please", "works"])
}

/// “We can't leave before 9 am.”, not “I can't connect before 9 am.”
fn hindered(text: &str) -> bool {
    let Some(unable) = HINDERED.find(text, has_words) else { return false };
    let verb = text.split_once(unable).and_then(|(_, rest)| each_word(rest).next()).unwrap_or_default();
    let in_english = unable.contains(" can");
    (if in_english { MOVES.contains(&verb) } else { !has_any(text, SLEEPS) }) && by_hour(text)
}

/// Whether it names an hour as a limit: “before 9 am”, “antes de las 9”.
fn by_hour(text: &str) -> bool {
    let all: Vec<&str> = each_word(text).collect();
    let hour = |word: &&str| {
        let digits = word.trim_end_matches(|char: char| !char.is_ascii_digit());
        !digits.is_empty() && digits.parse::<u8>().is_ok_and(|hour| hour <= 24) && !text.contains(&format!("{digits}."))
            || text.ends_with(&format!("{word}.")) && word.parse::<u8>().is_ok_and(|hour| hour <= 24)
    };
    // “before 9 am”, “antes de las 9”, but not “before version 3” or “after 10 tries”
    let ends = |at: usize| all.get(at + 1).is_none_or(|word| HOURS.contains(word) || BEHIND_HOUR.contains(word));
    let near = |at: usize| {
        let at = (at + 1..all.len()).find(|at| !BEFORE_NUMBER.contains(&all[*at]));
        at.is_some_and(|at| hour(&all[at]) && ends(at) || all[at] == "noon")
    };
    all.iter().enumerate().any(|(at, word)| BY_HOUR.contains(word) && near(at))
}

/// Whether the last clause of a lower-case sentence forbids something: “reserve la mesa, pero no cargue mi tarjeta”,
/// “a lamp, nothing over $50, and no plastic”.
pub(super) fn ends_in_ban(lower: &str) -> bool {
    if contains_any(lower, SAID_BY_OTHERS) {
        return false;
    }
    let end = lower.trim_end_matches(|char: char| !char.is_alphanumeric());
    let tails =
        TURNS_TO_BAN.iter().flat_map(|turn| end.match_indices(turn).map(|(at, _)| (at, &end[at + turn.len()..])));
    let forbids =
        |(at, tail): (usize, &str)| has_most(tail, CLAUSE) && has_least(&end[..at], 2) && is_banned(tail, &end[..at]);
    let mut tails = tails.filter(|(_, tail)| !tail.is_empty());
    tails.any(forbids) || is_banned(end, "") || excludes(end)
}

/// Whether a clause behind an order forbids in German, French, Spanish, Portuguese, Italian or Arabic.
fn is_banned(clause: &str, before: &str) -> bool {
    let clause = ["aber ", "pero ", "mais ", "ma ", "mas ", "لكن ", "ولكن "]
        .iter()
        .fold(clause, |text, joint| text.strip_prefix(joint).unwrap_or(text));
    let all: Vec<&str> = each_word(clause).collect();
    let [not, verb, ..] = all[..] else { return false };
    let next = if ["me", "le", "les", "lo", "la", "mi", "se"].contains(&verb) {
        all.get(2).copied().unwrap_or_default()
    } else {
        verb
    };
    let does = |verb: &str| NOT_DO.contains(&verb) || SUBJUNCTIVES.contains(&verb) && !before.is_empty();
    let french = || {
        let orders =
            all.iter().take(THING).any(|word| word.ends_with("ez") && !["chez", "assez", "nez"].contains(word));
        (not == "ne" || not.starts_with("n'"))
            && orders
            && all.iter().any(|word| ["pas", "jamais", "rien", "plus"].contains(word))
    };
    let arabic = || {
        let ordered = before.starts_with('ا') && !before.starts_with("ال");
        not == "لا" && verb.starts_with('ت') && ordered && all.len() <= BRIEF
    };
    match not {
        "no" | "não" | "non" => does(next),
        _ => !before.is_empty() && (negates_order(clause) || arabic()) || french(),
    }
}

/// “nothing over $50, and no plastic”, “not above the third floor”, “so no balcony”
fn excludes(end: &str) -> bool {
    if !end.is_ascii() && !end.contains(['€', '£', '\'']) {
        return false;
    }
    let mut clauses = end.split([',', ';']).map(str::trim);
    let first = clauses.next().unwrap_or_default();
    let counted = |word: &str| has_digit(word) || NUMBER_WORDS.contains(&word) || ["a", "an"].contains(&word);
    let names = || each_word(first).next().is_some_and(counted);
    let wishes = || {
        begins_any(first, LOOKS_FOR)
            || names() && !each_word(first).any(|word| TELLS.contains(&word) || word.ends_with("ed"))
    };
    let bare = |clause: &str| {
        JOINTS.iter().fold(clause.to_owned(), |text, joint| text.strip_prefix(joint).unwrap_or(&text).to_owned())
    };
    let rest: Vec<(bool, String)> = clauses.map(|clause| (clause.starts_with("so "), bare(clause))).collect();
    let limits = |clause: &String| {
        let limit = ["nothing ", "not "].iter().find_map(|start| clause.strip_prefix(start));
        let named = |word: &str| {
            has_digit(word)
                || NUMBER_WORDS.contains(&word)
                || FLOORS.contains(&word)
                || ["noon", "midnight"].contains(&word)
        };
        // “A small village, not more than 200 people.”
        let paid = |limit: &str| !limit.starts_with("more ") || limit.contains(['$', '€', '£']);
        let is_limit = |limit: &str| begins_any(limit, NOT_BEYOND) && each_word(limit).any(named) && paid(limit);
        limit.is_some_and(|limit| is_limit(limit) && words(limit) <= CLAUSE)
    };
    let unwanted = |clause: &String| {
        let thing = clause.strip_prefix("no ").unwrap_or_default();
        let told = |word: &str| NO_BANS.contains(&word) || NOTHING_CAME.contains(&word) || word.ends_with("ed");
        (1..=THING).contains(&words(thing)) && !each_word(thing).any(told)
    };
    let own = || each_word(first).any(|word| CIRCUMSTANCES.contains(&word));
    let limited = rest.iter().any(|(_, clause)| limits(clause)) && wishes();
    let therefore = || rest.iter().any(|(so, clause)| *so && (unwanted(clause) || limits(clause))) && own();
    let looked = || begins_any(first, LOOKS_FOR) && rest.iter().any(|(_, clause)| unwanted(clause));
    limited || therefore() || looked()
}

#[cfg(test)]
mod tests {
    use super::super::rules::is_rule;

    #[test]
    fn terms_of_a_few_words_are_rules() {
        for rule in [
            "Only call me after 6 pm.",
            "Only text my husband, please.",
            "Звоните мне только после 18:00.",
            "Llámenme solo por la tarde.",
            "Chiamatemi solo di mattina.",
            "Me liguem só à tarde.",
            "Dzwońcie tylko po 18.",
            "Appelez-moi seulement après 18 h.",
            "Rufen Sie mich nur vormittags an.",
            "只在下午给我打电话。",
            "오후에만 전화해 주세요.",
            "दोपहर के बाद ही फोन करें।",
            "اتصلوا بي بعد السادسة فقط.",
            "Beni yalnızca e-postayla arayın.",
            "At most two stops.",
            "Not more than three hours of rowing a day.",
            "Höchstens zwei Umstiege.",
            "We need at least two lamps.",
            "Не больше двух пересадок.",
            "最多两次转机。",
            "Only book cabins with a lamp.",
            "Бронируйте только прямые рейсы.",
            "It needs to be dog friendly.",
            "Tuesdays are bad for me.",
            "Stornieren Sie die Kabine, aber buchen Sie nichts Neues.",
            "A reading lamp, warm light, nothing over $50, and no plastic.",
            "I'm looking for a lamp, nothing over $50, no plastic.",
            "Two cabins, not above the third deck.",
            "I'm scared of heights, so no balcony.",
            "We have two small kids, so nothing after 8 pm.",
            "It has to be wheelchair accessible.",
            "The boat has to be quiet.",
            "Tiene que ser accesible en silla de ruedas.",
            "I can only do mornings.",
            "I can't eat gluten.",
            "No puedo comer gluten.",
            "Je ne peux pas manger de gluten.",
            "Nie mogę jeść glutenu.",
            "我不能吃花生。",
            "We can't leave before 9 am.",
            "No podemos salir antes de las 9.",
            "On ne peut pas partir avant 9 h.",
            "Wir können nicht vor 9 Uhr los.",
            "Wednesdays don't work for me.",
            "I'm not available on Wednesdays.",
            "Mittwochs geht es bei mir nicht.",
            "По средам я не могу.",
            "水曜日は都合が悪いです。",
            "Anything but Monday works.",
            "Short answers, please.",
            "Please be brief.",
            "Cite your sources.",
            "Bitte kurz fassen.",
            "Réponses courtes, s'il vous plaît.",
            "Отвечайте кратко.",
            "请简短回答。",
            "Only hints, not the solution.",
            "Nur Tipps, nicht die Lösung.",
            "Nur vegetarisch, bitte.",
            "Buchen Sie die Fähre am 14. Juli, aber belasten Sie nicht meine Karte.",
            "Reserve para el 14 de julio, pero no cargue mi tarjeta.",
            "Réservez pour le 14 juillet, mais ne débitez pas ma carte.",
            "Prenoti per il 14 luglio, ma non addebiti la mia carta.",
            "Reserve para 14 de julho, mas não cobre no meu cartão.",
            "احجز ليوم 14 يوليو لكن لا تخصم من بطاقتي.",
        ] {
            assert!(is_rule(rule), "{rule}");
        }
    }

    #[test]
    fn what_only_tells_in_such_words_is_no_rule() {
        for told in [
            "Only call sites in quay.rs changed.",
            "Only call to the API fails.",
            "Only message in the log is a timeout.",
            "Die Funktionen rufen nur die alte Lampe auf.",
            "Meine Eltern rufen nur sonntags an.",
            "他们只在下午来电。",
            "That has to be wrong.",
            "The cache has to be stale.",
            "The answer has to be 42.",
            "Tiene que ser mentira.",
            "I can only start the lamp as root.",
            "I can't connect before 9 am, the lamp seems to be out.",
            "The link you sent on Friday doesn't work for me.",
            "Je ne peux pas dormir avant 2 h.",
            "Anything but Monday is a bad guess.",
            "I can't eat another bite.",
            "I can't tolerate rude people.",
            "No puedo comer tanto.",
            "我不能吃太多。",
            "We're on Postgres, so no MySQL.",
            "My lamp died, so no pictures.",
            "I need a doctor, no joke.",
            "I'm looking for a berth, no experience.",
            "A small village, not more than 200 people.",
            "The shop opens late, not before 10.",
            "Only Chrome, not Firefox.",
            "Only yesterday, not today.",
            "Nur gestern, nicht heute.",
            "No more than two of the tests failed.",
            "At most one solution exists.",
            "No fewer than 12 people died.",
            "It needs at least two arguments, says the compiler.",
            "最多两个人来。",
            "Espero que funcione y no cambie nada.",
            "Mi hermano dijo que vendría, pero no llame.",
            "Only book.rs changed.",
            "It needs to be rewritten.",
            "We can't row before version 3.",
            "I can't light it after 10 tries.",
            "Only book club members can come.",
            "The lamp needs to be mended.",
            "`Tide` only guards the quay, not the mole.",
            "He only calls after 6 pm.",
            "Solo llama por la tarde.",
            "Он звонит только после шести.",
            "At most two lamps were found.",
            "It has to be the wick.",
            "I can only see two lamps.",
            "I can't eat because my tooth hurts.",
            "I can't eat anything.",
            "We can't open version 9 after the update.",
            "The lamp doesn't work for me.",
            "The server doesn't work on Mondays.",
            "Short answers are in the log.",
            "Please be patient.",
            "The sources are cited below.",
            "Only the first one, please.",
            "Reinicié la lámpara, pero no funciona.",
            "La page charge, mais ne s'affiche pas.",
            "La pagina si apre, ma non carica le lampade.",
            "A página abre, mas não carrega.",
            "Die Seite lädt, aber es geht nicht.",
            "الصفحة بيضاء لكن لا تعمل.",
            "I restarted it twice, no luck.",
            "I looked for the lamp, no sign of it.",
            "I'm done, so no worries.",
        ] {
            assert!(!is_rule(told), "{told}");
        }
    }
}
