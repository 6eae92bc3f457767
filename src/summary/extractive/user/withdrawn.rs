//! Rules that the user later revoked: “You may touch the old tests now”, “Remove all the 3d.” The rule stays, with the
//! later words added.

use super::all_work::LEADS;
use super::permitted::{ALLOWING, fine, forbidding, shared};
use super::reopened::{closed, reopened, reopens};
use super::replaced::{Term, overruled};
use crate::summary::extractive::words::{AFTER_ALL, ALLOWS, ANYTHING, DENSE_FORBIDS, EDITS, FORBIDS, NOT, NOW};
use crate::summary::text::{QUESTION_MARKS, ends_any, has_any, has_digit, has_words, is_dense, replaced};
use foldhash::HashSet;

/// Minimum length of a topic word, and number of its first letters that are compared: “tests”, “testing”.
const LEAST: usize = 4;
pub(super) const STEM: usize = 5;
/// Maximum number of words of what is taken back.
pub(super) const MOST: usize = 4;

/// Words that take back what was wished, if they begin a clause …
const REMOVES: [&str; 18] = [
    "abandon",
    "discard",
    "ditch",
    "remove",
    "delete",
    "drop",
    "scrap",
    "undo",
    "revert",
    "skip",
    "forget about",
    "forget",
    "get rid of",
    "do away with",
    "stop using",
    "no more",
    "entferne",
    "lösche",
];
/// … and anywhere in one.
const INSTEAD: [&str; 3] = ["instead of ", "rather than ", "statt "];
/// Words of such an order that name nothing.
pub(super) const DETERMINERS: [&str; 17] = [
    "the", "all", "any", "every", "that", "this", "those", "these", "my", "our", "a", "an", "of", "die", "den", "das",
    "alle",
];
/// Words of [`DETERMINERS`] for all there are.
const EACH: [&str; 4] = ["all", "any", "every", "alle"];
/// Names of things of which there are many.
const MANY: [&str; 8] = ["change", "code", "comment", "error", "file", "line", "page", "test"];
/// Words that make an order last.
const LASTING: &str = " from now on";
/// Words behind what is taken back.
const ENDS: [&str; 11] =
    ["again", "now", "please", "entirely", "completely", "altogether", "everywhere", "too", "also", "bitte", "wieder"];

/// Deliveries that may have been forbidden for the time being.
const DELIVERIES: [&str; 13] = [
    "commit", "push", "merge", "release", "publish", "deploy", "book", "buy", "cancel", "order", "pay", "send",
    "submit",
];
/// Those of them that are acts toward others, each about its own object.
const OUTWARD: [&str; 7] = ["book", "buy", "cancel", "order", "pay", "send", "submit"];
/// Orders that begin like a delivery and are none.
const NO_DELIVERIES: [&str; 3] = ["send me", "pay attention", "order by"];
/// Words behind the object of a delivery.
pub(super) const BEHIND_OBJECT: [&str; 13] =
    ["yet", "to", "for", "in", "on", "at", "by", "from", "with", "of", "until", "before", "without"];
/// Words of a sentence that only wonders.
const WONDERS: [&str; 4] = ["curious", "maybe", "perhaps", "vielleicht"];
/// Words before an order, besides those before a ban.
pub(super) const ASKS: [&str; 7] = ["can", "could", "you", "let's", "lets", "go", "ahead"];

/// The delivery that a sentence postpones: “we don't need to commit”, “don't push yet”. A ban without such words is
/// permanent.
fn not_yet(lower: &str) -> Option<&'static str> {
    let is_banned = has_any(lower, FORBIDS);
    let for_now = |verb: &str| {
        let behind = |end: &str| has_words(lower, &format!("{verb} {end}"));
        has_words(lower, &format!("need to {verb}")) || ["yet", "for now"].into_iter().any(behind)
    };
    let end = lower.trim_end_matches(['.', '!', ' ']);
    let postponed = ends_any(end, &[" yet", " for now"]);
    DELIVERIES.into_iter().find(|verb| is_banned && (for_now(verb) || postponed && has_words(lower, verb)))
}

/// The deliveries that a sentence orders: “commit please, then push”.
fn ordered(lower: &str) -> impl Iterator<Item = &'static str> {
    let is_banned = has_any(lower, FORBIDS);
    let clauses = lower.split([',', ';', '.', '?', '!', '—']).flat_map(|clause| clause.split(" and "));
    let first = |clause: &str| {
        let mut words = clause.split_whitespace().skip_while(|word| LEADS.contains(word) || ASKS.contains(word));
        let (first, next) = (words.next()?, words.next().unwrap_or_default());
        let other = NO_DELIVERIES.iter().any(|words| words.split_once(' ') == Some((first, bare(next))));
        (!other).then(|| first.to_owned())
    };
    let firsts: Vec<String> = clauses.filter_map(first).collect();
    DELIVERIES.into_iter().filter(move |verb| !is_banned && firsts.iter().any(|first| first == verb))
}

/// Whether an order of a delivery is about what a sentence postponed: “don't send the mail yet”, “send the mail now”.
fn orders_it(postponed: &str, verb: &str, order: &str) -> bool {
    let split = |text: &str| -> Vec<String> {
        text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let (all, ordered) = (split(postponed), split(&order.to_lowercase()));
    let behind = all.iter().skip_while(|word| *word != verb).skip(1);
    let object = behind.take_while(|word| !BEHIND_OBJECT.contains(&word.as_str())).filter(|word| is_topic(word));
    !OUTWARD.contains(&verb) || object.map(|word| stem(word)).all(|own| ordered.iter().any(|word| stem(word) == own))
}

/// A sentence that allows or orders something.
pub(in crate::summary::extractive) struct Allowed<'a> {
    /// Number of its request.
    request: usize,
    sentence: &'a str,
    about: HashSet<String>,
    /// The words of each thing that it takes back.
    removed: Vec<Vec<String>>,
    /// Those words of what it overrules, be it in the same request.
    overruled: Option<Vec<String>>,
    /// What it returns to.
    restored: Vec<String>,
    /// The deliveries that it orders.
    orders: Vec<&'static str>,
    /// The things that it orders to change.
    changed: Vec<Vec<String>>,
    /// What it says to be fine, and whether that is more than a limit allowed.
    fine: (HashSet<String>, bool),
    /// The value that it sets anew.
    term: Option<Term>,
}

/// The sentences of all requests that allow or order something.
pub(in crate::summary::extractive) fn allowed<'a>(requests: impl Iterator<Item = &'a [String]>) -> Vec<Allowed<'a>> {
    let all = requests.enumerate().flat_map(|(request, own)| own.iter().map(move |sentence| (request, sentence)));
    all.filter_map(|(request, sentence)| {
        let lower = sentence.to_lowercase().replace('’', "'");
        if lower.contains("??") || has_any(&lower, &WONDERS) {
            return None;
        }
        let orders: Vec<_> = ordered(&lower).collect();
        let about = if allows(&lower) { matter(&lower) } else { HashSet::default() };
        let (mut removed, restored, changed) = (removed(&lower), restored(&lower), reopened(&lower));
        let overruled = overruled(&lower);
        removed.extend(overruled.clone());
        let (fine, term) = (fine(&lower), Term::anew(&lower));
        let says_any = !orders.is_empty() || !about.is_empty() || !removed.is_empty() || !restored.is_empty();
        (says_any || !changed.is_empty() || !fine.0.is_empty() || term.is_some()).then_some(Allowed {
            request,
            sentence,
            about,
            removed,
            overruled,
            restored,
            orders,
            changed,
            fine,
            term,
        })
    })
    .collect()
}

/// Whether a sentence only allows something: quoted behind the rule that it ends, it is no rule of its own.
pub(in crate::summary::extractive) fn only_allows(sentence: &str) -> bool {
    let lower = sentence.to_lowercase().replace('’', "'");
    allows(&lower) || !fine(&lower).0.is_empty()
}

/// Whether a sentence allows what was forbidden.
fn allows(lower: &str) -> bool {
    let Some(allows) = ALLOWING.find(lower, has_words) else { return false };
    let rest = lower.replacen(allows, " ", 1);
    let asks = lower.ends_with(QUESTION_MARKS) || rest.contains("'t");
    let anew = NOW.iter().chain(AFTER_ALL).any(|words| has_words(lower, words));
    anew && !asks && !has_any(&rest, NOT)
}

/// The first sentence of a later request that allows what this rule forbids.
pub(in crate::summary::extractive) fn later<'a>(rule: &str, request: usize, all: &[Allowed<'a>]) -> Option<&'a str> {
    let (before, behind) = all.split_at(all.partition_point(|allowed| allowed.request <= request));
    let mut own = before.iter().rev().take_while(|allowed| allowed.request == request).peekable();
    if behind.is_empty() && own.peek().is_none() {
        return None;
    }
    let lower = rule.to_lowercase().replace('’', "'");
    let overrules =
        |allowed: &&Allowed<'_>| allowed.sentence != rule && takes_back(allowed.overruled.as_slice(), &lower);
    if let Some(choice) = own.find(overrules) {
        return Some(choice.sentence);
    }
    if let Some(verb) = not_yet(&lower) {
        let is_it =
            |allowed: &&Allowed<'_>| allowed.orders.contains(&verb) && orders_it(&lower, verb, allowed.sentence);
        return behind.iter().find(is_it).map(|allowed| allowed.sentence);
    }
    if let Some(new) = superseding(&lower, behind) {
        return Some(new);
    }
    if !has_any(&lower, FORBIDS) {
        return last_word(&lower, behind);
    }
    let rejected = rejected(&lower);
    let restored = |allowed: &&Allowed<'_>| allowed.restored.iter().any(|thing| rejected.contains(thing));
    if let Some(back) = behind.iter().find(restored) {
        return Some(back.sentence);
    }
    let shut = closed(&lower);
    if let Some(open) = behind.iter().find(|allowed| reopens(&allowed.changed, &shut)) {
        return Some(open.sentence);
    }
    let forbidden: Vec<HashSet<String>> = forbidding(&lower).map(matter).filter(|about| !about.is_empty()).collect();
    let is_it = |allowed: &&Allowed<'_>| {
        forbidden.iter().any(|about| {
            let shared = shared(&allowed.about, about, allowed.sentence);
            let fine = !allowed.fine.0.is_empty() && allowed.fine.0.is_subset(about);
            fine || shared > 0 && (shared == about.len() || shared > 1 && shared * 2 >= about.len())
        })
    };
    behind.iter().find(is_it).map(|allowed| allowed.sentence)
}

/// The last sentence that sets the limit or language of a rule to something else, or allows more than it.
fn superseding<'a>(rule: &str, behind: &[Allowed<'a>]) -> Option<&'a str> {
    let old = Term::of(rule).or_else(|| Term::hour(rule))?;
    let about = matter(rule);
    let exceeds = |allowed: &Allowed<'_>| {
        let (things, more) = &allowed.fine;
        *more && !things.is_disjoint(&about)
    };
    let sets = |allowed: &&Allowed<'_>| allowed.term.as_ref().is_some_and(|new| new.is_alike(&old)) || exceeds(allowed);
    let last = behind.iter().rev().find(sets)?;
    (!last.term.as_ref().is_some_and(|new| new.agrees(&old))).then_some(last.sentence)
}

/// The sentence that last took back a wish, unless a later one returned to what it names.
fn last_word<'a>(wish: &str, behind: &[Allowed<'a>]) -> Option<&'a str> {
    let names = |thing: &String| has_words(wish, thing);
    let taken = behind.iter().rev().find(|allowed| takes_back(&allowed.removed, wish))?;
    let back = behind.iter().rev().find(|allowed| allowed.restored.iter().any(names));
    let returned = back.is_some_and(|back| back.request > taken.request);
    (!returned).then_some(taken.sentence)
}

/// Orders that return to something, and words between them and its name.
const RETURNS: [&str; 6] = ["go back to ", "switch back to ", "back to ", "return to ", "revert to ", "stick with "];
/// Words of a choice before what it rejects.
const REJECTS: [&str; 4] = [" not ", ", no ", " instead of ", " rather than "];

/// The things to which a sentence returns: “go back to oil”; not “go back to oil in the lamp of the pier”.
fn restored(lower: &str) -> Vec<String> {
    let Some((_, rest)) = RETURNS.iter().find_map(|order| lower.split_once(order)) else { return Vec::new() };
    let clause = rest.split([',', ';', '!', '?', '—']).next().unwrap_or_default();
    let clause = clause.split(". ").next().and_then(|text| text.split(" and ").next()).unwrap_or_default();
    let mut words = clause.split_whitespace().map(bare).skip_while(|word| DETERMINERS.contains(word));
    let thing = words.next().filter(|word| !word.is_empty());
    let ends = words.next().is_none_or(|next| next.is_empty() || ENDS.contains(&next));
    thing.filter(|_| ends).map(str::to_owned).into_iter().collect()
}

/// The things that a choice rejects: “use gas, not oil”.
fn rejected(lower: &str) -> Vec<String> {
    let behind = REJECTS.iter().filter_map(|sign| Some(lower.split_once(sign)?.1));
    let first = behind.filter_map(|rest| rest.split_whitespace().find(|word| !DETERMINERS.contains(word)));
    first.map(bare).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The words of each thing that a sentence takes back: “remove all the 3d”, “use Postgres instead of SQLite”. An order
/// about a place (“remove the logger from main.rs”) takes back nothing.
fn removed(lower: &str) -> Vec<Vec<String>> {
    let sentences = lower.split(". ").map(|sentence| sentence.trim_end_matches('.'));
    let clauses = sentences.flat_map(|sentence| sentence.split([',', ';', '!', '?', '—']));
    clauses
        .flat_map(|clause| clause.split(" and "))
        .filter_map(|clause| {
            let instead = || INSTEAD.iter().find_map(|words| Some(clause.split_once(words)?.1));
            let chosen = || clause.trim_start().strip_prefix("use ").and_then(|rest| Some(rest.split_once(" not ")?.1));
            let object = behind_verb(clause).or_else(instead).or_else(chosen)?;
            let (object, lasts) = object.strip_suffix(LASTING).map_or((object, false), |object| (object, true));
            let mut before: Vec<&str> = object.split_whitespace().map(bare).collect();
            let named = before.iter().take_while(|word| DETERMINERS.contains(word)).count();
            let mut words = before.split_off(named);
            while words.last().is_some_and(|word| ENDS.contains(word)) {
                words.pop();
            }
            if words.ends_with(&["every", "time"]) {
                words.truncate(words.len() - 2);
            }
            words.extend(stopped(clause));
            let says = words.iter().any(|word| is_topic(word));
            let whole = lasts || clause.contains("no more ") || before.iter().any(|word| EACH.contains(word));
            let is_one_of_many = words.len() == 1 && is_one_of_many(words[0], whole);
            (says && words.len() <= MOST && !is_one_of_many).then(|| words.into_iter().map(str::to_owned).collect())
        })
        .collect()
}

/// Whether “remove the file” or “remove the files” is about some of many, unlike “no more comments”.
fn is_one_of_many(word: &str, whole: bool) -> bool {
    MANY.contains(&word) || !whole && word.strip_suffix('s').is_some_and(|one| MANY.contains(&one))
}

/// What follows a verb that takes back at the start of a clause.
fn behind_verb(clause: &str) -> Option<&str> {
    let mut rest = clause.trim_start();
    while let Some((word, behind)) = rest.split_once(' ')
        && (LEADS.contains(&word) || ASKS.contains(&word) || NOW.contains(&word))
    {
        rest = behind.trim_start();
    }
    let removes = REMOVES.iter().find_map(|verb| rest.strip_prefix(verb)?.strip_prefix(' '));
    removes.or_else(|| stopped(rest).and_then(|_| rest.splitn(3, ' ').nth(2)))
}

/// The verb of what is to stop: “run” of “stop running the full test suite”.
fn stopped(clause: &str) -> Option<&str> {
    let verb = clause.trim_start().strip_prefix("stop ")?.split(' ').next()?.strip_suffix("ing")?;
    let mut ends = verb.chars().rev();
    let (last, before, more) = (ends.next()?, ends.next(), ends.next());
    let single = verb.strip_suffix(last).filter(|_| before == Some(last) && more.is_some());
    // “stop using it” is in the list.
    (verb != "us").then(|| single.unwrap_or(verb))
}

/// Whether a wish names all words of one thing that was taken back, not as what it removes or rejects itself.
fn takes_back(removed: &[Vec<String>], wish: &str) -> bool {
    if removed.is_empty() || has_any(wish, &REMOVES) {
        return false;
    }
    let clauses = wish.split([',', ';']);
    let wished =
        clauses.map(|clause| INSTEAD.iter().find_map(|words| Some(clause.split_once(words)?.0)).unwrap_or(clause));
    let words = wished.flat_map(|clause| {
        let names = clause.split_whitespace().map(bare).filter(|word| is_name(word));
        clause.split(|char: char| !char.is_alphanumeric()).chain(names)
    });
    let words: Vec<&str> = words.collect();
    let told = |word: &String| words.iter().any(|own| is_alike(own, word) || own.strip_suffix('e') == Some(word));
    // “api” may be but one word of what the wish is about.
    let telling = |word: &String| word.chars().count() >= LEAST || has_digit(word);
    let mut all = wish.split(|char: char| !char.is_alphanumeric());
    let has_more =
        all.any(|word| word.chars().count() >= LEAST && !ANYTHING.contains(&word) && !AROUND.contains(&word));
    removed.iter().any(|thing| thing.iter().all(told) && (!has_more || thing.iter().any(telling)))
}

/// Longer words of a wish that name nothing.
const AROUND: [&str; 8] = ["here", "must", "only", "should", "make", "sure", "want", "have"];
/// Words of three letters that name nothing.
const SMALL: [&str; 22] = [
    "all", "and", "any", "but", "few", "for", "her", "him", "his", "its", "new", "not", "now", "off", "old", "one",
    "our", "out", "the", "too", "two", "way",
];

/// Whether a word names something: a long one, or one with a digit (“3d”).
fn is_topic(word: &str) -> bool {
    let long = word.chars().count() >= LEAST || word.len() == LEAST - 1 && !SMALL.contains(&word);
    long && !ANYTHING.contains(&word) || has_digit(word)
}

/// A word without the signs around it.
pub(super) fn bare(word: &str) -> &str {
    word.trim_matches(|sign: char| !sign.is_alphanumeric())
}

/// Whether a word is a name such as that of a file.
fn is_name(word: &str) -> bool {
    word.contains(['.', '/'])
}

/// The first letters of a word; a name stays whole.
pub(super) fn stem(word: &str) -> String {
    if is_name(word) {
        return word.to_owned();
    }
    word.chars().filter(|char| char.is_alphanumeric()).take(STEM).collect()
}

/// Whether two words differ by no more than their endings: “comment”, “comments”; not “required”, “requireAuth”.
fn is_alike(one: &str, other: &str) -> bool {
    let count = |word: &str| word.chars().filter(|char| char.is_alphanumeric()).count();
    let shared = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    one == other || stem(one) == stem(other) && !is_name(one) && 3 * shared >= 2 * count(one).max(count(other))
}

/// The topics of a sentence: the first letters of longer words, and pairs of characters in scripts without spaces.
pub(super) fn matter(lower: &str) -> HashSet<String> {
    let lists: [&[&str]; 5] = [FORBIDS, ALLOWS, NOW, NOT, ANYTHING];
    let known = |word: &str| lists.iter().any(|list| list.contains(&word));
    let words = lower.split(|char: char| !char.is_alphanumeric() || is_dense(char));
    let long = words.filter(|word| word.chars().count() >= LEAST && !known(word));
    let topic = |word: &str| if EDITS.contains(&word) { EDITS[0] } else { word }.chars().take(STEM).collect();
    let mut all: HashSet<String> = long.map(topic).collect();
    let lower = replaced(lower, DENSE_FORBIDS, "");
    let signs: Vec<char> = lower.chars().filter(|char| is_dense(*char) && char.is_alphanumeric()).collect();
    let pairs = signs.windows(2).map(|pair| pair.iter().collect::<String>());
    all.extend(pairs.filter(|pair| !known(pair)));
    all
}

#[cfg(test)]
mod tests {
    use super::{allowed, later, stopped};

    #[test]
    fn a_choice_overrules_what_the_same_request_quotes() {
        let found = |choice: &str| {
            let rule = "You must build the pier with granite blocks.".to_owned();
            let request = [rule.clone(), choice.to_owned()];
            later(&rule, 0, &allowed([&request[..]].into_iter())).is_some()
        };
        assert!(found("although the paper asks to use granite, lets use timber for the piles."));
        assert!(found("use timber even though the paper asks for granite"));
        assert!(!found("although the paper asks to use marble, lets use timber."));
        assert!(!found("Although the keeper says granite, he is often wrong."));
    }

    #[test]
    fn what_is_allowed_later_is_known_by_what_it_is_about() {
        let found = |rule: &str, sentence: &str| {
            let requests = [vec![rule.to_owned()], vec![sentence.to_owned()]];
            later(rule, 0, &allowed(requests.iter().map(Vec::as_slice))).is_some()
        };
        for (rule, allows) in [
            ("Never touch the old tests.", "Actually you may touch the old tests now."),
            ("Do not commit anything.", "You can commit now."),
            ("yes, but we don't need to commit", "commit please, then push and open a PR"),
            ("Don't push yet.", "ok, can you commit and push?"),
            ("Don't add dependencies.", "OK, you are allowed to add dependencies after all."),
            ("Make sure all maps are in 3d.", "ok this does not work, remove all the 3d"),
            ("Always use SQLite for the store.", "Let's use Postgres instead of SQLite."),
            ("Every page must have a sidebar.", "And now drop the sidebar again please."),
            ("Always use SQLite instead of Postgres for the store.", "Let's use Postgres instead of SQLite."),
            ("Always use tabs instead of spaces, and SQLite for the store.", "Use Postgres instead of SQLite."),
            ("Always use Node.js for the scripts.", "Let's use Bun instead of `Node.js`."),
            ("Every function must have comments.", "Remove all the comments please."),
            ("Every function must have comments.", "No more comments."),
            ("Always keep the log in harbour.log up to date.", "Remove harbour.log."),
            ("Always use CI/CD for the release.", "Drop CI/CD."),
            ("Always write tests for each lamp.", "Skip the tests from now on."),
            ("Don't book anything yet.", "Fine, book the red ferry."),
            ("Don't send the mail yet.", "OK, send the mail now."),
            ("Never commit yourself.", "You may commit from now on."),
            ("Rules: no new lamps, never commit yourself, don't touch the old quay.", "You may commit from now on."),
            ("Don't touch the old tests.", "You can change the old tests now."),
            ("Always run the full lamp suite.", "Stop running the full lamp suite every time."),
            ("Always use oil here.", "use gas not oil from now on"),
            ("use gas not oil from now on", "actually gas is dear here, go back to oil"),
            ("Ne touche pas aux anciens quais.", "Finalement tu peux modifier les anciens quais."),
            ("Ne fais jamais de commit.", "Et désormais tu peux faire des commits."),
            ("No toques los muelles antiguos.", "Ahora sí puedes modificar los muelles antiguos."),
            ("Nunca hagas commit.", "A partir de ahora puedes hacer commit."),
            ("Не трогай старые причалы.", "Теперь можешь менять старые причалы."),
            ("Никогда не делай коммит.", "Отныне можешь делать коммиты."),
            ("コミットはしないでください。", "今後はコミットしてもよいです。"),
            ("古いテストは変更しないでください。", "やはり古いテストを変更しても構いません。"),
            ("Ändere die Tests nicht.", "Du darfst die Tests jetzt doch ändern."),
            ("Every page must call lightLamp().", "Call dimLamp() instead of lightLamp()."),
            ("Do not change the lamp service or any chart files.", "Fix: Rewrite the pier charts to show the tide."),
            ("不要修改旧的测试。", "现在可以修改旧的测试了。"),
            ("Never book boats with a stopover.", "A stopover is fine after all."),
            ("The lamp must not exceed 900 euros.", "You can go up to 1,200 euros now."),
            ("The note must not exceed 400 words.", "Make it 600 words at most instead."),
            ("Don't call me, only e-mail.", "You can call me too, on 0171 555."),
            ("Always answer in English.", "From now on answer in German."),
            ("Keep replies under 120 words.", "Longer replies are okay from now on."),
            ("Nunca me llamen por teléfono.", "Ya pueden llamarme por teléfono."),
            ("Bitte niemals Fähren mit Zwischenstopp.", "Ein Zwischenstopp ist jetzt doch in Ordnung."),
            ("预算不超过6000元。", "现在预算可以到8000元。"),
            ("Always build with granite.", "Use timber although the paper asks for granite."),
            ("夜行便は避けてください。", "やはり夜行便でも大丈夫です。"),
            ("予算は6万円以内です。", "予算は8万円までに変更します。"),
            ("Never call me before 9.", "From 8 is fine too, you can call me from 8."),
            ("Nie vor 9 Uhr anrufen.", "Ach egal, ab 8 Uhr geht auch."),
            ("No me llaméis antes de las 9.", "Bueno, a partir de las 8 ya vale."),
            ("Máximo 90 euros.", "Vale, hasta 120 euros también."),
            ("Maximum 90 euros.", "Bon, jusqu'à 120 euros ça va."),
            ("Jamais avant 9 h.", "Finalement 8 h ça me va aussi."),
            ("Не звоните до 9.", "Ладно, с 8 тоже можно."),
            ("Не больше 900 рублей.", "Хорошо, можно до 1200 рублей."),
            ("预算最多三千元，不能超过。", "那预算加到四千元吧。"),
            ("不要周末。", "算了，周末也可以。"),
            ("予算は8,000円以内にしてください。", "予算は9,000円まで上げます。"),
            ("土日は避けてください。", "やっぱり土日でも大丈夫です。"),
            ("Maksymalnie 90 zł.", "Dobra, może być do 120 zł."),
            ("Asla 9'dan önce arama.", "Neyse, 8'den sonra arayabilirsin."),
            ("예산은 절대 9만원을 넘지 마세요.", "그냥 12만원까지 괜찮아요."),
        ] {
            assert!(found(rule, allows), "{rule}");
        }
        for (rule, other) in [
            ("Never touch the old tests.", "You may draw the map now."),
            ("Never touch the old tests.", "Can you touch the old tests now?"),
            ("Never touch the old tests.", "Now you may never touch the old tests."),
            ("Never touch the old tests.", "You can't touch the old tests now, remember."),
            ("Never touch the old tests.", "Again: you may not touch the old tests."),
            ("Do not log passwords.", "Now the passwords can be read in the log."),
            ("Don't use tabs.", "I can see tabs in the code again."),
            ("Never commit anything.", "commit please"),
            ("Don't commit yet.", "don't commit the map either, and push nothing"),
            ("We don't need to push.", "Look at the commit."),
            ("Every error must go to the logger.", "Remove the logger from main.rs."),
            ("Every error must go to the logger.", "Remove the map."),
            ("Every error must go to the logger.", "Mend the map and remove the error please."),
            ("Always use Postgres instead of SQLite.", "Use Postgres instead of SQLite, as I said."),
            ("Every function must have comments.", "Remove the comments please."),
            ("Every function must have comments.", "Remove the comment please."),
            ("Always write tests for each lamp.", "Skip tests, just paint the quay."),
            ("Make sure that the config is valid.", "delete config.bak please"),
            ("Every error must go to the logger.", "Remove it, that logger is slow."),
            ("Always remove trailing spaces.", "Remove trailing spaces."),
            ("Always keep the lamp panel red.", "Stop breaking the lamp panel."),
            ("Don't touch the quay, and never paint the mole.", "You may draw the pier now."),
            ("Don't send the mail yet.", "Send me the chart."),
            ("Don't send the mail yet.", "Send the map to the harbour."),
            ("Don't cancel my ferry yet.", "Cancel the running lamp job."),
            ("Please don't pay anything yet.", "Order by date and pay attention to the header."),
            ("Use oil, not gas.", "Let's go back to gas in the title of the map."),
            ("Never use gas here.", "Maybe you can use gas here again."),
            ("Always write the tides to the api log.", "remove the api"),
            ("Every page must have a sidebar.", "Remove the sidebar??"),
            ("Always run the old tests.", "Actually you may run the old tests now."),
            ("A note is required in the log of the pier.", "Call requireKeeper([…]) instead of requireLamp()."),
            ("Never change the charts.", "Rewrite the charts."),
            ("Never change the charts.", "The charts are fine now, as well as the map."),
            ("Never light a lamp by day.", "Charts are fine after all."),
            ("The title must have at most 60 words.", "Keep the description under 160 words instead."),
            ("The note must not exceed 400 words.", "It has 600 words now."),
            ("The lamp must not exceed 900 euros.", "The lamp takes up to 30 minutes now."),
            ("Always answer in English.", "Answer in German this time."),
            ("Keep replies under 120 words.", "Longer ferries are okay from now on."),
            ("Never call me before 9.", "From 8 files it is fine too."),
            ("Nie vor 9 Uhr anrufen.", "Um 8 Uhr war das in Ordnung."),
            ("Maximum 90 euros.", "Bon, jusqu'à 120 minutes ça va."),
        ] {
            assert!(!found(rule, other), "{other}");
        }
    }

    #[test]
    fn letters_of_any_length_may_stand_before_an_ending() {
        assert_eq!(stopped("stop 😘ing the pier"), Some("😘"));
        assert_eq!(stopped("stop 丸ing"), Some("丸"));
        assert_eq!((stopped("stop running it"), stopped("stop ing it")), (Some("run"), None));
        assert_eq!(stopped("stop ööing it"), Some("öö"));
    }

    #[test]
    fn what_is_returned_to_holds_again() {
        let said =
            ["Always use oil here.", "use gas not oil from now on", "go back to oil"].map(|text| vec![text.to_owned()]);
        let all = allowed(said.iter().map(Vec::as_slice));
        assert_eq!(later("Always use oil here.", 0, &all), None);
        assert_eq!(later("use gas not oil from now on", 1, &all), Some("go back to oil"));
    }
}
