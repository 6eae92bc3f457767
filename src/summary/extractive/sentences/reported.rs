//! Sentences of the user with a word of a ban that only report what happens: “the gate is never closed”.

use super::chatted::did_as_due;
use super::cues::begins_any;
use super::musing::{is_past, only_muses};
use super::wanted::is_unfit;
use crate::summary::extractive::words::{
    A_ETE, ALWAYS, ALWAYS_DENSE, ANNOUNCING, AT_HAND, ATTRIBUTES, BLAMED_FOR, CAME, DEMANDS, DEMANDS_DENSE, DONT_HAVE,
    DONT_KNOW, ENOUGH, ERRORS, EXACTLY, FORBIDDEN, FUE, GUESSED, HAPPENS, HAS_BEEN, HAVE_BEEN, IMPERATIVES, KWAM,
    NEVER, PAST, PROMISED, PROMISES_DENSE, RULES, SPEAKS, TELLS_DENSE, THANKS, WANTS, WHO_DENSE,
};
use crate::summary::text::{contains_any, each_word, ends_any, has_any, is_dense, replaced, starts_any};
use std::borrow::Cow;

/// Words that make a sentence with “never” or “always” an order, whatever its verb.
const ORDERS: [&str; 11] =
    ["must", "should", "shall", "don't", "dont", "not", "please", "ensure", "sure", "need", "needs"];
/// Verbs after which “never” and “always” only report (“the gate is never closed”), and endings of participles after
/// them.
const STATES: [&str; 13] =
    ["is", "are", "was", "were", "gets", "has", "have", "had", "i've", "we've", "you've", "they've", "it's"];
const PARTICIPLES: [&str; 11] = ["ed", "en", "wn", "ilt", "ept", "ent", "one", "ade", "old", "ound", "ing"];
/// Verbs of what was, the words of a state behind them (“that was never the point”; “is never an option” forbids), and
/// those whose past a verb tells (“it never stopped”).
const WAS: [&str; 2] = ["was", "were"];
const ARTICLES: [&str; 6] = ["the", "a", "an", "my", "our", "about"];
const PERSONS: [&str; 7] = ["he", "i", "it", "she", "they", "we", "you"];
/// Verbs of what happens to the user: “I always get a 500”.
const MEETS: [&str; 8] = ["get", "got", "hit", "see", "saw", "find", "found", "had"];
/// Verbs of what a program fails to do.
const SYMPTOMS: [&str; 27] = [
    "appear", "compile", "complete", "display", "end", "exist", "finish", "fit", "happen", "line", "load", "look",
    "match", "open", "pass", "refresh", "render", "respond", "resolve", "scroll", "seem", "show", "start", "stop",
    "sync", "update", "work",
];
/// Words before a negated verb that is an order: “please don't start”.
const ADDRESSED: [&str; 16] = [
    "and", "but", "must", "ok", "okay", "or", "please", "pls", "should", "so", "then", "to", "too", "we", "well", "you",
];
/// Words with which a sentence about a symptom orders something too.
const URGES: [&str; 9] = ["always", "ensure", "make", "must", "need", "please", "shall", "should", "sure"];
/// Adverbs between a subject and “don't”.
const BETWEEN: [&str; 4] = ["also", "just", "really", "still"];

/// Whether it reports what never or always happens and orders nothing: “the lamp never warns the ferries”.
pub(super) fn only_reports(lower: &str) -> bool {
    let words: Vec<&str> = each_word(lower).collect();
    let told = |(at, word): (usize, &&str)| {
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        let verb = words.get(at + 1).copied().unwrap_or_default();
        let acts = verb.len() > 3 && verb.ends_with('s') && !ends_any(verb, &["ss", "us", "as", "is"]);
        // “The lamp is bought but never painted.”
        let behind_state = || words[at.saturating_sub(3)..at].first().is_some_and(|word| STATES.contains(word));
        let joined = || before.is_some_and(|before| ["and", "but"].contains(before)) && behind_state();
        let state = || before.is_some_and(|before| STATES.contains(before)) || joined();
        let was = || ARTICLES.contains(&verb) && before.is_some_and(|before| WAS.contains(before));
        // “The lamp oil never goes into the harbour.”
        let belongs = PLACED.contains(&verb) && words.get(at + 2).is_some_and(|word| PLACES.contains(word));
        let suffers = state() && ends_any(verb, &PARTICIPLES) || was();
        let past = || before.is_some_and(|before| PERSONS.contains(before)) && is_past(verb);
        let meets = || before == Some(&"i") && MEETS.contains(&verb);
        ["never", "always"].contains(word) && !belongs && (acts || suffers || past() || meets())
    };
    words.iter().enumerate().any(told) && !words.iter().any(|word| ORDERS.contains(word))
}

/// Verbs of where something belongs, and words behind them.
const PLACED: [&str; 2] = ["belongs", "goes"];
const PLACES: [&str; 5] = ["in", "inside", "into", "on", "to"];

/// Beginnings of an agent's report, which a user may paste.
const SUCCEEDED: [&str; 13] = [
    "i have successfully",
    "i successfully",
    "i've successfully",
    "we've successfully",
    "ich habe erfolgreich",
    "wir haben erfolgreich",
    "j'ai réussi à",
    "he logrado",
    "he completado con éxito",
    "я успешно",
    "我已成功",
    "我已经成功",
    "我成功",
];

/// Whether it tells what the speaker lives through or promises, in words of a rule: “dice sempre di no”, “我总是觉得累”,
/// “you should have asked me”. Unlike a report of a program, it is not even a wish.
pub(super) fn is_account(lower: &str) -> bool {
    let succeeded = starts_any(lower, &SUCCEEDED);
    succeeded
        || tells_always(lower)
        || blames(lower)
        || only_thanks(lower)
        || guesses(lower)
        || claims(lower)
        || promises_itself(lower)
        || lacks_thing(lower)
        || tells_past(lower)
        || did_as_due(lower)
        || only_muses(lower)
        || !lower.is_ascii() && (tells_always_dense(lower) || promises(lower))
}

/// Signs between clauses, and words that join them.
const BREAKS: [char; 9] = [',', '!', '.', ';', ':', '…', '—', '–', '('];
const JOINS: [&str; 9] = [" and ", " but ", " so ", " und ", " aber ", " y ", " pero ", " e ", " ma "];
/// Beginnings of what a speaker does not know, and words behind them.
const UNKNOWN: [&str; 4] = ["i don't know ", "i don't remember ", "i do not know ", "i do not remember "];
const ASKED: [&str; 8] = ["how", "if", "what", "when", "where", "whether", "which", "who"];

/// Words of rules about things.
const LIMITS: [&str; 3] = ["never", "always", "only"];
/// Words with which a user repeats a rule.
const REPEATS: [&str; 5] = ["to never", "not to", "told you", "don't", "do not"];

/// “Thanks for helping me out, I'd always come back to you.”
fn only_thanks(lower: &str) -> bool {
    let text = replaced(lower, &[" - "], ", ");
    let mut clauses = text.split(BREAKS).map(str::trim).filter(|clause| !clause.is_empty());
    let thanks = clauses.next().is_some_and(|first| begins_any(first, THANKS));
    let speaks = |clause: &str| each_word(clause).next().is_some_and(|first| SPEAKS.contains(&first));
    // “I'd never use another one.”, but not “it's never allowed”.
    let limits = ["it's ", "its ", "that's ", "this is "].iter().any(|start| {
        text.split_once(start).is_some_and(|(_, rest)| each_word(rest).any(|word| LIMITS.contains(&word)))
    });
    let wants = |word: &str| word != "never" && (ORDERS.contains(&word) || WANTS.contains(&word)) || limits;
    thanks && !contains_any(&text, &JOINS) && clauses.all(speaks) && !each_word(&text).any(wants)
}

/// “I don't know which of them I want.”
pub(super) fn lacks_knowledge(lower: &str) -> bool {
    let unknown = UNKNOWN.iter().find_map(|start| lower.strip_prefix(start));
    unknown.is_some_and(|rest| {
        let asked = each_word(rest).next().is_some_and(|first| ASKED.contains(&first));
        let repeats = has_any(rest, &REPEATS);
        asked && !repeats && !rest.trim_end_matches('.').contains(BREAKS) && !contains_any(rest, &JOINS)
    })
}

/// Beginnings of a promise of the speaker.
const PROMISES: [&str; 5] =
    ["i'll keep an eye ", "i'll make sure ", "i will keep an eye ", "i will make sure ", "we'll make sure "];

/// “I'll make sure to find my number and get back to you.”
fn promises_itself(lower: &str) -> bool {
    let wants = |word: &str| ORDERS.contains(&word) || LIMITS.contains(&word);
    PROMISES.iter().any(|start| lower.strip_prefix(start).is_some_and(|rest| !each_word(rest).any(wants)))
}

/// “don't have the number handy, but …”
fn lacks_thing(lower: &str) -> bool {
    let wants = || each_word(lower).skip(1).any(|word| ORDERS.contains(&word) || LIMITS.contains(&word));
    (begins_any(lower, DONT_KNOW) || begins_any(lower, DONT_HAVE) && has_any(lower, AT_HAND)) && !wants()
}

/// What a speaker claims to be owed or to go wrong, and beginnings of what it rests on, with words of the claim.
const CLAIMED: [&str; 10] = [
    "i should be covered",
    "i should be eligible",
    "i should be entitled",
    "i should be getting",
    "i should qualify",
    "there must be a mistake",
    "there must be an error",
    "there must be some confusion",
    "there must be some error",
    "there must be some mistake",
];
const RESTS_ON: [&str; 6] = ["as a ", "i am ", "i have ", "i'm ", "i've ", "since i"];
const OWED: [&str; 4] =
    [", which should cover", ", which should entitle", ", which should mean", ", which should waive"];

/// “As a member, I should be getting a refund.”, “There must be some mistake.”, “I have insurance, which should waive it.”
fn claims(lower: &str) -> bool {
    let claimed = has_any(lower, &CLAIMED) || starts_any(lower, &RESTS_ON) && contains_any(lower, &OWED);
    let orders = |word: &str| ORDERS.contains(&word) && !["must", "should"].contains(&word) || LIMITS.contains(&word);
    claimed && !each_word(lower).any(orders)
}

/// “I must have mixed it up.”, “It must be the cable.”, “That should be enough.”
fn guesses(lower: &str) -> bool {
    if !lower.contains("must have") && !lower.contains(" be ") {
        return false;
    }
    let words: Vec<&str> = each_word(lower).collect();
    let at = |verbs: [&str; 2]| words.windows(2).position(|two| two == verbs);
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let had = at(["must", "have"]).is_some_and(|at| {
        let participle =
            HAVE_BEEN.contains(&word(at + 2)) || at == 1 && GUESSED.contains(&words[0]) && word(at + 2).ends_with("ed");
        at > 0 && participle
    });
    let of_it = |place: usize| place == 1 && ["it", "that", "this"].contains(&words[0]);
    let is_it = at(["must", "be"]).is_some_and(|at| {
        of_it(at) && ["the", "my"].contains(&word(3)) && words.len() <= 5 && !EXACTLY.contains(&word(4))
    });
    let enough = at(["should", "be"]).is_some_and(|at| of_it(at) && words.len() == 4 && ENOUGH.contains(&word(3)));
    let orders = |word: &&str| ORDERS.contains(word) && !["must", "should"].contains(word) || LIMITS.contains(word);
    (had || is_it || enough) && !words.iter().any(orders)
}

/// “Das Paket kam nie an.”, “Nunca llegó.”, “Она никогда не приходила.”
fn tells_past(lower: &str) -> bool {
    if !contains_any(lower, NEVER) {
        return false;
    }
    let words: Vec<&str> = each_word(lower).collect();
    let Some(at) = words.iter().position(|word| NEVER.contains(word)) else { return false };
    let near = &words[at.saturating_sub(3)..(at + 4).min(words.len())];
    let was = |verbs: &[&str]| near.iter().any(|word| verbs.contains(word));
    let has = || at.checked_sub(1).is_some_and(|before| A_ETE.contains(&words[before]));
    let past = || words[at + 1..].iter().take(3).any(|word| ends_any(word, PAST));
    let done = |word: &&str| word.starts_with("ge") || word.ends_with('t') || word.ends_with("en");
    let has_been = || {
        words[..at].iter().any(|word| HAS_BEEN.contains(word))
            && words[at + 1..].last().is_some_and(|last| done(last) && !FORBIDDEN.contains(last))
    };
    let told = match words[at] {
        "nie" | "niemals" => was(CAME) || has_been(),
        "jamais" => has(),
        "nunca" | "jamás" => was(FUE) || past() || words.get(at + 1).is_some_and(|verb| verb.ends_with("ei")),
        "nooit" | "aldrig" | "aldri" => {
            was(KWAM)
                || was(&["is", "zijn"])
                    && words.last().is_some_and(|last| last.contains("ge") && !last.starts_with("toe"))
        }
        _ => past(),
    };
    // “Es war nie erlaubt, mach das nie.”
    let again = words[at + 1..].contains(&words[at]);
    told && !again && !lower.contains([',', ';', ':']) && !words.iter().any(|word| DEMANDS.contains(word))
}

/// “dice sempre di no”
fn tells_always(lower: &str) -> bool {
    if !contains_any(lower, ALWAYS) {
        return false;
    }
    let words: Vec<&str> = each_word(lower).collect();
    let happens = |at: Option<usize>| at.and_then(|at| words.get(at)).is_some_and(|verb| HAPPENS.contains(verb));
    // “Donne toujours …” is an order.
    let begins = |at: usize| at == 1 && IMPERATIVES.contains(&words[0]);
    let told =
        |at: usize| ALWAYS.contains(&words[at]) && !begins(at) && (happens(at.checked_sub(1)) || happens(Some(at + 1)));
    (0..words.len()).any(told) && !words.iter().any(|word| ORDERS.contains(word) || DEMANDS.contains(word))
}

/// “我总是觉得累”
fn tells_always_dense(lower: &str) -> bool {
    let told = |(at, word): (usize, &str)| {
        let behind = &lower[at + word.len()..];
        lower[..at].ends_with(WHO_DENSE) || starts_any(behind, TELLS_DENSE)
    };
    ALWAYS_DENSE.iter().any(|word| lower.match_indices(word).any(told)) && !contains_any(lower, DEMANDS_DENSE)
}

/// “我会注意的”, “꼭 다시 올게요”
fn promises(lower: &str) -> bool {
    let end = lower.trim_end_matches(|char: char| !char.is_alphanumeric());
    let begins = starts_any(lower, PROMISES_DENSE);
    begins && !contains_any(lower, DEMANDS_DENSE) || end.ends_with(is_dense) && ends_any(end, PROMISED)
}

/// “you should have asked me”
fn blames(lower: &str) -> bool {
    let words: Vec<&str> = each_word(lower).collect();
    let at = words.windows(2).position(|two| two == ["should", "have"]);
    let blamed = at.is_some_and(|at| {
        let who = at.checked_sub(1).map_or("", |at| words[at]);
        // “You should have detailed docs” asks for docs.
        let whom = words.get(at + 3).is_none_or(|word| BLAMED_FOR.contains(word));
        ["agent", "i", "you"].contains(&who) && words.get(at + 2).is_some_and(|verb| verb.ends_with("ed")) && whom
    });
    blamed && !words.iter().any(|word| *word != "should" && ORDERS.contains(word))
}

/// Ends of the name of an error's class, and words before such a name that somebody met.
const CLASSES: [&str; 2] = ["error", "exception"];
const MET: [&str; 13] =
    ["error", "get", "gets", "getting", "got", "is", "said", "saw", "says", "see", "shows", "threw", "uncaught"];

/// A lower-case sentence without the error that it quotes: “it gives the following error: you must light it”, “I got
/// TypeError: lamp must be lit”.
pub(super) fn without_error(lower: &str) -> &str {
    let quotes = |at: usize| {
        let mut before = each_word(&lower[..at]).rev();
        let (last, word) = (before.next().unwrap_or_default(), before.next());
        let (article, name) = last.split_once('\'').unwrap_or(("", last));
        let announced = !article.is_empty() || word.is_some_and(|word| ANNOUNCING.contains(&word));
        let is_class = CLASSES.iter().any(|end| name.strip_suffix(end).is_some_and(|own| own.len() > 2));
        let met = word.is_none_or(|word| MET.contains(&word));
        is_class && met
            || name == "error" && lower[..at].ends_with("fatal error")
            || ERRORS.contains(&name) && announced
    };
    // Behind another colon the words are the same.
    let first = |at: &usize| !lower[..*at].ends_with([':', '：']);
    let end = lower.match_indices([':', '：']).map(|(at, _)| at).filter(first).find(|at| quotes(*at));
    &lower[..end.unwrap_or(lower.len())]
}

/// A lower-case sentence without “important” where it belongs to a thing: “I missed an important talk”.
pub(super) fn without_attributes(lower: &str) -> Cow<'_, str> {
    let Some((before, behind)) = lower.split_once(" important ") else { return lower.into() };
    let of_thing = ATTRIBUTES.iter().any(|words| format!(" {before}").ends_with(&format!(" {words}")));
    let is_rule = each_word(behind).take(2).any(|word| RULES.contains(&word));
    if of_thing && !is_rule { format!("{before} {behind}").into() } else { lower.into() }
}

/// Whether it describes what does not work: “the images don't load on mobile”. The verb has a subject before it, and
/// nothing else orders.
pub(super) fn is_symptom(lower: &str) -> bool {
    let words: Vec<&str> = each_word(lower).collect();
    let negates = |at: usize| match words[at] {
        "don't" | "dont" | "doesn't" | "doesnt" | "never" => Some(at),
        "not" if at > 0 && ["do", "does"].contains(&words[at - 1]) => Some(at - 1),
        _ => None,
    };
    let is_subject = |word: &str| !ADDRESSED.contains(&word) && !BETWEEN.contains(&word);
    let fails = |at: usize| {
        let subject = negates(at).and_then(|begun| words.get(begun.checked_sub(1)?));
        subject.is_some_and(|word| is_subject(word)) && words.get(at + 1).is_some_and(|verb| SYMPTOMS.contains(verb))
    };
    let mut negated = (0..words.len()).filter(|&at| negates(at).is_some()).peekable();
    negated.peek().is_some() && !is_unfit(lower) && negated.all(fails) && !words.iter().any(|word| URGES.contains(word))
}

#[cfg(test)]
mod tests {
    use super::super::rules::{binds_nobody, instruction_strength, is_firm};
    use super::*;

    #[test]
    fn what_a_speaker_lacks_or_is_thankful_for_is_no_rule() {
        for told in [
            "I actually don’t remember which oil I used, but the lamp is red.",
            "I don't know which of the two lamps I want to keep.",
            "I don't have the number of my lamp.",
            "No tengo mi número de la lámpara.",
            "Não lembro qual óleo usei.",
            "don't have the lamp number handy, but my boat is the red one",
            "I must have mixed up the lamps.",
            "Everything must have gone wrong at the quay.",
            "It must be the wick.",
            "That should be enough.",
            "You never answered my question.",
            "Die Lampe kam nie an.",
            "Ich habe die Lampe nie bekommen.",
            "La lampe n'est jamais arrivée.",
            "Nunca llegó.",
            "A lâmpada nunca chegou.",
            "Лампа никогда не приходила.",
            "Lampa nigdy nie dotarła.",
            "I'll make sure to find my lamp and get back to you.",
            "I just want to make sure I save some oil.",
            "Ich muss erst meinen Mann fragen.",
            "Ждать нельзя, берём серую.",
            "Thanks for helping me out, I'd always come back to you.",
            "Thank you for the lamp, it was important to me!",
            "Fatal error: Access level to quay\\lamp::light() must be public (as in class quay\\tag)",
            "when I click I got : TypeError: Can only call Lamp.light on instances of Lamp",
            "Uncaught LampException: the wick must be dry",
        ] {
            assert!(!is_firm(told), "{told}");
        }
        for rule in [
            "I actually don’t want you to touch the lamp.",
            "I don't remember it, and please don't touch the lamp.",
            "Raise a TypeError: it must name the lamp.",
            "I don't know which lamp burns, so never touch the oil.",
            "Thanks for the lamp, never touch it again.",
            "Thanks for that and always light it at night.",
            "No toques la lámpara.",
            "Nie dotykaj lampy.",
            "Don't have the lamp lit by day.",
            "Don't have the lamps painted.",
            "Every lamp must have a number.",
            "It must be the first lamp of the pier.",
            "It must be the same lamp, never another one.",
            "It should be red.",
            "Das ist nie erlaubt.",
            "Die Lampe darf nie brennen.",
            "Ich habe eine Lampe, mach sie nie an.",
            "Nunca envíe la lámpara.",
            "Nunca ligue a lâmpada.",
            "N'allumez jamais la lampe.",
            "Jamais ligue a lâmpada.",
            "Никогда не гаси лампу.",
            "Nigdy nie gaś lampy.",
            "I want to make sure it never burns.",
            "I must be asked before you light a lamp.",
        ] {
            assert!(is_firm(rule), "{rule}");
        }
    }

    #[test]
    fn a_promise_of_the_user_binds_nobody() {
        assert!(binds_nobody("I'll make sure to find my lamp and get back to you soon."));
        assert!(!binds_nobody("I'll make sure to find it, but never touch my lamp."));
        assert!(!binds_nobody("Make sure to find my lamp."));
    }

    #[test]
    fn what_does_not_work_is_no_rule() {
        for symptom in [
            "the tide bar don't show the height of the water",
            "images don't load on mobile",
            "the tests never finish on my machine",
            "the gate does not open",
        ] {
            assert!(is_symptom(symptom) && !is_firm(symptom), "{symptom}");
        }
        for rule in [
            "don't open the gate",
            "please don't show the height",
            "you must make sure that the images don't load twice",
            "so don't start the ferry",
            "the keeper never opens the gate, so don't start it",
            "the logs never have secrets",
        ] {
            assert!(!is_symptom(rule), "{rule}");
        }
    }

    #[test]
    fn what_an_agent_reports_of_its_success_is_no_rule() {
        for report in [
            "I've successfully lit the lamps that the pier required, and painted the quay.",
            "我已成功点亮所有必须的灯。",
        ] {
            assert_eq!(instruction_strength(report), None, "{report}");
        }
        assert!(is_firm("You've successfully lit it, so you must not touch the lamp."));
    }

    #[test]
    fn what_never_was_or_happened_is_no_rule() {
        for told in [
            "the pier was never the point",
            "it never stopped raining there",
            "I always get a 500 there.",
            "In quay.rs, the lamp is bought but never painted.",
            "The crews were never a part of it.",
        ] {
            assert!(only_reports(&told.to_lowercase()) && !is_firm(told), "{told}");
        }
        for rule in [
            "It is never an option to delete data/raw.",
            "There is never a reason to touch the pier.",
            "Keep it open but never painted.",
        ] {
            assert!(!only_reports(&rule.to_lowercase()) && is_firm(rule), "{rule}");
        }
        assert!(is_firm("They never close it, so you must not open it."));
    }

    #[test]
    fn what_a_speaker_claims_is_no_rule() {
        for claim in [
            "as a member, i should be getting a full refund regardless of the insurance.",
            "there must be some mistake.",
            "i have insurance, which should waive any fees.",
        ] {
            assert!(is_account(claim), "{claim}");
        }
        for rule in [
            "as a user, i should receive a mail when the ferry is late.",
            "there must be some light on every pier.",
            "i should be eligible for it, so please don't charge me.",
            "i have a lamp, which should burn at night.",
        ] {
            assert!(!is_account(rule), "{rule}");
        }
    }

    #[test]
    fn what_the_speaker_lives_through_is_no_rule() {
        for told in [
            "il faro dice sempre che non trova la lampada",
            "la pantalla siempre sale vacía",
            "die Anzeige zeigt immer null",
            "我总是觉得码头很冷",
            "怕黑总是控制了我",
            "我会注意灯塔的",
            "꼭 다시 등대에 올게요.",
            "The agent should have clicked the lamp first.",
            "Oh, I must have been mistaken about the number of lamps.",
            "I must have left the old lamp somewhere else.",
            "I like sailing and I'm always looking to get better at it.",
            "Harbour manoeuvres always seem so hard.",
            "No input.",
            "I missed an important talk at the quay.",
            "There was only one keeper.",
            "da il seguente errore: lamps can only be lit once",
            "it stops with this error: you must never light it",
        ] {
            assert_eq!(instruction_strength(told), None, "{told}");
        }
        for rule in [
            "il faro deve dire sempre la verità",
            "rispondi sempre in italiano",
            "resta sempre gentile",
            "donne toujours un exemple",
            "parti sempre da main",
            "You should have detailed docs for each lamp.",
            "I must have a test for every lamp.",
            "Each ferry must have been tested.",
            "antworte immer auf Deutsch",
            "总是用中文回答",
            "请总是先问我",
            "你必须总是先想一想",
            "You should have a test for each lamp.",
            "It is important to ask me first.",
            "An important rule: never push.",
            "On error: always retry the lamp.",
        ] {
            assert!(is_firm(rule), "{rule}");
        }
    }

    #[test]
    fn a_report_that_begins_like_a_ban_is_none() {
        assert!(!is_firm("No fixes applied.") && !is_firm("No lamps detected."));
        assert!(is_firm("No shortcuts allowed.") && is_firm("No new lamps."));
    }
}
