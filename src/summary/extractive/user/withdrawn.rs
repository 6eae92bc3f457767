//! Rules that the user later revoked: “You may touch the old tests now”, “Remove all the 3d.” The rule stays, with the
//! later words added.

use crate::summary::text::{has_words, is_dense};
use foldhash::HashSet;

/// Words that forbid.
const BANS: [&str; 14] = [
    "never", "don't", "do not", "must not", "not", "no", "without", "nie", "niemals", "nicht", "keine", "不要", "不得",
    "别",
];
/// Words that allow what was forbidden.
const ALLOWS: [&str; 14] = [
    "you may",
    "you can",
    "you're allowed",
    "you are allowed",
    "it's fine to",
    "it's ok to",
    "it's okay to",
    "feel free to",
    "you no longer need",
    "you don't have to",
    "du darfst",
    "du kannst",
    "可以",
    "允许",
];
/// Words that mark a permission as new.
const NOW: [&str; 10] =
    ["now", "after all", "again", "actually", "from now on", "no longer", "jetzt", "doch", "现在", "了"];
/// Negations of a permission.
const NOT: [&str; 9] = ["not", "never", "no", "only", "nicht", "nie", "kein", "不", "没"];
/// Words of a ban that are no topic.
const ANYTHING: [&str; 4] = ["anything", "something", "everything", "nothing"];
/// Minimum length of a topic word, and number of its first letters that are compared: “tests”, “testing”.
const LEAST: usize = 4;
const STEM: usize = 5;

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
const DETERMINERS: [&str; 17] = [
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

/// Parts of a ban on all file changes: its start, its verbs, and the objects that may follow.
const NO_WORK: [&str; 4] = ["don't ", "dont ", "do not ", "no need to "];
const WORK: [&str; 8] = ["edit", "change", "modify", "touch", "implement", "code", "build", "write"];
const ALL: [&str; 8] = ["", "anything", "any code", "any files", "any file", "code", "a thing", "any changes"];
const MAKE_CHANGES: [&str; 2] = ["make changes", "make any changes"];
/// Such bans in scripts without spaces; no object may follow.
const DENSE: [&str; 8] =
    ["不要修改代码", "不要改代码", "不要写代码", "别改代码", "别写代码", "不要动代码", "先不要修改", "先不要改"];
/// Words that limit such a ban in time.
const FOR_NOW: [&str; 5] = ["yet", "for now", "right now", "now", "until i say so"];
/// Words before such a ban.
const LEADS: [&str; 16] = [
    "please", "again", "umm", "um", "just", "and", "so", "ok", "okay", "then", "but", "first", "still", "now", "for",
    "well",
];
/// Words of a conditional ban.
const IN_CASE: [&str; 6] = ["if", "when", "whenever", "unless", "while", "in case"];
/// Words of a request that orders work.
const ORDERS: [&str; 16] = [
    "go ahead",
    "implement",
    "build",
    "fix",
    "fixes",
    "edit",
    "change",
    "start",
    "started",
    "proceed",
    "do it",
    "mend",
    "apply",
    "write",
    "make",
    "begin",
];
const ORDERS_DENSE: [&str; 4] = ["开始", "修复", "实现", "修改"];

/// Deliveries that may have been forbidden for the time being.
const DELIVERIES: [&str; 6] = ["commit", "push", "merge", "release", "publish", "deploy"];
/// Words before an order, besides those before a ban.
const ASKS: [&str; 7] = ["can", "could", "you", "let's", "lets", "go", "ahead"];

/// The delivery that a sentence postpones: “we don't need to commit”, “don't push yet”. A ban without such words is
/// permanent.
fn not_yet(lower: &str) -> Option<&'static str> {
    let is_banned = BANS.iter().any(|words| has_words(lower, words));
    let for_now = |verb: &str| {
        let behind = |end: &str| has_words(lower, &format!("{verb} {end}"));
        has_words(lower, &format!("need to {verb}")) || ["yet", "for now"].into_iter().any(behind)
    };
    DELIVERIES.into_iter().find(|verb| is_banned && for_now(verb))
}

/// The deliveries that a sentence orders: “commit please, then push”.
fn ordered(lower: &str) -> impl Iterator<Item = &'static str> {
    let is_banned = BANS.iter().any(|words| has_words(lower, words));
    let clauses = lower.split([',', ';', '.', '?', '!', '—']).flat_map(|clause| clause.split(" and "));
    let first = |clause: &str| {
        let mut words = clause.split_whitespace().skip_while(|word| LEADS.contains(word) || ASKS.contains(word));
        words.next().map(str::to_owned)
    };
    let firsts: Vec<String> = clauses.filter_map(first).collect();
    DELIVERIES.into_iter().filter(move |verb| !is_banned && firsts.iter().any(|first| first == verb))
}

/// Whether a sentence forbids all changes: “Don't edit anything.” Work done on a later request ends that.
pub(in crate::summary::extractive) fn forbids_all_work(sentence: &str) -> bool {
    let lower = sentence.to_lowercase().replace('’', "'");
    let text = lower.trim_end_matches(['.', '!', '。', '！', ' ']);
    if DENSE.iter().any(|end| text.ends_with(end)) {
        return true;
    }
    if IN_CASE.iter().any(|word| has_words(text, word)) {
        return false;
    }
    let text = FOR_NOW.iter().fold(text, |left, end| left.strip_suffix(end).unwrap_or(left).trim_end());
    let ends = |rest: &str| {
        let verb = || WORK.iter().filter_map(|verb| rest.strip_prefix(verb)).any(|rest| ALL.contains(&rest.trim()));
        MAKE_CHANGES.contains(&rest) || verb()
    };
    let mut clauses = text.split([',', ';', '.', '—']).map(str::trim);
    // It must address the agent, unlike “the totals do not change”.
    let told = |before: &str| before.split_whitespace().all(|word| LEADS.contains(&word));
    clauses.any(|clause| {
        let mut found = NO_WORK.iter().filter_map(|ban| clause.split_once(ban));
        found.any(|(before, rest)| told(before) && ends(rest))
    })
}

/// Whether a request orders work, without a question or ban.
pub(in crate::summary::extractive) fn orders_work(request: &str) -> bool {
    let lower = request.to_lowercase().replace('’', "'");
    let orders =
        ORDERS.iter().any(|words| has_words(&lower, words)) || ORDERS_DENSE.iter().any(|signs| lower.contains(signs));
    orders && !lower.contains(['?', '？']) && !BANS.iter().any(|words| has_words(&lower, words))
}

/// A sentence that allows or orders something.
pub(in crate::summary::extractive) struct Allowed<'a> {
    /// Number of its request.
    request: usize,
    sentence: &'a str,
    about: HashSet<String>,
    /// The words of each thing that it takes back.
    removed: Vec<Vec<String>>,
    /// The deliveries that it orders.
    orders: Vec<&'static str>,
}

/// The sentences of all requests that allow or order something.
pub(in crate::summary::extractive) fn allowed<'a>(requests: impl Iterator<Item = &'a [String]>) -> Vec<Allowed<'a>> {
    let all = requests.enumerate().flat_map(|(request, own)| own.iter().map(move |sentence| (request, sentence)));
    all.filter_map(|(request, sentence)| {
        let lower = sentence.to_lowercase().replace('’', "'");
        let orders: Vec<_> = ordered(&lower).collect();
        let about = if allows(&lower) { matter(&lower) } else { HashSet::default() };
        let removed = removed(&lower);
        let says_any = !orders.is_empty() || !about.is_empty() || !removed.is_empty();
        says_any.then_some(Allowed { request, sentence, about, removed, orders })
    })
    .collect()
}

/// Whether a sentence allows what was forbidden.
fn allows(lower: &str) -> bool {
    let Some(allows) = ALLOWS.iter().find(|words| has_words(lower, words)) else { return false };
    let rest = lower.replacen(allows, " ", 1);
    let asks = lower.ends_with(['?', '？']) || rest.contains("'t");
    NOW.iter().any(|words| has_words(lower, words)) && !asks && !NOT.iter().any(|words| has_words(&rest, words))
}

/// The first sentence of a later request that allows what this rule forbids.
pub(in crate::summary::extractive) fn later<'a>(rule: &str, request: usize, all: &[Allowed<'a>]) -> Option<&'a str> {
    let behind = &all[all.partition_point(|allowed| allowed.request <= request)..];
    if behind.is_empty() {
        return None;
    }
    let lower = rule.to_lowercase().replace('’', "'");
    if let Some(verb) = not_yet(&lower) {
        return behind.iter().find(|allowed| allowed.orders.contains(&verb)).map(|allowed| allowed.sentence);
    }
    if !BANS.iter().any(|words| has_words(&lower, words)) {
        return behind.iter().find(|allowed| takes_back(&allowed.removed, &lower)).map(|allowed| allowed.sentence);
    }
    let about = matter(&lower);
    let is_it = |allowed: &&Allowed<'_>| {
        let shared = allowed.about.intersection(&about).count();
        shared > 0 && (shared == about.len() || shared > 1 && shared * 2 >= about.len())
    };
    behind.iter().find(is_it).map(|allowed| allowed.sentence)
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
            let object = behind_verb(clause).or_else(instead)?;
            let (object, lasts) = object.strip_suffix(LASTING).map_or((object, false), |object| (object, true));
            let mut before: Vec<&str> = object.split_whitespace().map(bare).collect();
            let named = before.iter().take_while(|word| DETERMINERS.contains(word)).count();
            let mut words = before.split_off(named);
            while words.last().is_some_and(|word| ENDS.contains(word)) {
                words.pop();
            }
            let says = words.iter().any(|word| is_topic(word));
            let whole = lasts || clause.contains("no more ") || before.iter().any(|word| EACH.contains(word));
            let is_one_of_many = words.len() == 1 && is_one_of_many(words[0], whole);
            (says && words.len() <= 3 && !is_one_of_many).then(|| words.into_iter().map(stem).collect())
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
    REMOVES.iter().find_map(|verb| rest.strip_prefix(verb)?.strip_prefix(' '))
}

/// Whether a wish names all words of one thing that was taken back, not as what it removes or rejects itself.
fn takes_back(removed: &[Vec<String>], wish: &str) -> bool {
    if removed.is_empty() || REMOVES.iter().any(|words| has_words(wish, words)) {
        return false;
    }
    let clauses = wish.split([',', ';']);
    let wished =
        clauses.map(|clause| INSTEAD.iter().find_map(|words| Some(clause.split_once(words)?.0)).unwrap_or(clause));
    let words = wished.flat_map(|clause| {
        let names = clause.split_whitespace().map(bare).filter(|word| is_name(word));
        clause.split(|char: char| !char.is_alphanumeric()).chain(names).map(stem)
    });
    let words: Vec<String> = words.collect();
    removed.iter().any(|thing| thing.iter().all(|word| words.contains(word)))
}

/// Whether a word names something: a long one, or one with a digit (“3d”).
fn is_topic(word: &str) -> bool {
    word.chars().count() >= LEAST && !ANYTHING.contains(&word) || word.contains(|char: char| char.is_ascii_digit())
}

/// A word without the signs around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|sign: char| !sign.is_alphanumeric())
}

/// Whether a word is a name such as that of a file.
fn is_name(word: &str) -> bool {
    word.contains(['.', '/'])
}

/// The first letters of a word; a name stays whole.
fn stem(word: &str) -> String {
    if is_name(word) {
        return word.to_owned();
    }
    word.chars().filter(|char| char.is_alphanumeric()).take(STEM).collect()
}

/// The topics of a sentence: the first letters of longer words, and pairs of characters in scripts without spaces.
fn matter(lower: &str) -> HashSet<String> {
    let lists: [&[&str]; 5] = [&BANS, &ALLOWS, &NOW, &NOT, &ANYTHING];
    let known = |word: &str| lists.iter().any(|list| list.contains(&word));
    let words = lower.split(|char: char| !char.is_alphanumeric() || is_dense(char));
    let long = words.filter(|word| word.chars().count() >= LEAST && !known(word));
    let mut all: HashSet<String> = long.map(|word| word.chars().take(STEM).collect()).collect();
    let signs: Vec<char> = lower.chars().filter(|char| is_dense(*char)).collect();
    let pairs = signs.windows(2).map(|pair| pair.iter().collect::<String>());
    all.extend(pairs.filter(|pair| !known(pair)));
    all
}

#[cfg(test)]
mod tests {
    use super::{allowed, forbids_all_work, later};

    #[test]
    fn a_ban_on_all_work_is_known() {
        for ban in [
            "Don't edit anything.",
            "again, don't edit anything, I want to see the map first",
            "dont implement anything",
            "Do not write any code yet.",
            "umm dont make any changes..",
            "先分析一下问题，不要修改代码。",
        ] {
            assert!(forbids_all_work(ban), "{ban}");
        }
        for other in [
            "The public API must not change.",
            "Make sure the totals do not change.",
            "If the tests fail, don't change anything.",
            "Unless I say so, don't edit anything.",
            "Don't edit the tests.",
            "Do not change the map of the pier.",
            "Edit it.",
            "Don't build a pier.",
        ] {
            assert!(!forbids_all_work(other), "{other}");
        }
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
            ("Ändere die Tests nicht.", "Du darfst die Tests jetzt doch ändern."),
            ("不要修改旧的测试。", "现在可以修改旧的测试了。"),
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
            ("Always run the old tests.", "Actually you may run the old tests now."),
        ] {
            assert!(!found(rule, other), "{other}");
        }
    }
}
