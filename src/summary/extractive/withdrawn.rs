//! Rules that the user took back later: “You may touch the old tests now.” What was said first stands, with what came after.

use crate::summary::text::{has_words, is_dense};
use foldhash::HashSet;

/// What forbids,
const BANS: [&str; 14] = [
    "never", "don't", "do not", "must not", "not", "no", "without", "nie", "niemals", "nicht", "keine", "不要", "不得",
    "别",
];
/// what allows it to whom it was forbidden,
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
/// and what says that it is new.
const NOW: [&str; 10] =
    ["now", "after all", "again", "actually", "from now on", "no longer", "jetzt", "doch", "现在", "了"];
/// What turns that round.
const NOT: [&str; 9] = ["not", "never", "no", "only", "nicht", "nie", "kein", "不", "没"];
/// Words that a ban is about whatever it forbids.
const ANYTHING: [&str; 4] = ["anything", "something", "everything", "nothing"];
/// Letters of a word that a rule is about, and how much of two of them is compared: “tests”, “testing”.
const LEAST: usize = 4;
const STEM: usize = 5;

/// A sentence that allows something.
pub(super) struct Allowed<'a> {
    /// Which request of the user it stands in.
    request: usize,
    sentence: &'a str,
    about: HashSet<String>,
}

/// The sentences that allow something, among those of requests.
pub(super) fn allowed<'a>(requests: impl Iterator<Item = &'a [String]>) -> Vec<Allowed<'a>> {
    let all = requests.enumerate().flat_map(|(request, own)| own.iter().map(move |sentence| (request, sentence)));
    all.filter_map(|(request, sentence)| {
        let lower = sentence.to_lowercase().replace('’', "'");
        let allows = ALLOWS.iter().find(|words| has_words(&lower, words))?;
        let rest = lower.replacen(allows, " ", 1);
        let asks = lower.ends_with(['?', '？']) || rest.contains("'t");
        let new = NOW.iter().any(|words| has_words(&lower, words))
            && !asks
            && !NOT.iter().any(|words| has_words(&rest, words));
        new.then(|| Allowed { request, sentence, about: matter(&lower) })
    })
    .collect()
}

/// The first sentence behind a request that allows what a rule of it forbids.
pub(super) fn later<'a>(rule: &str, request: usize, all: &[Allowed<'a>]) -> Option<&'a str> {
    let behind = &all[all.partition_point(|allowed| allowed.request <= request)..];
    if behind.is_empty() {
        return None;
    }
    let lower = rule.to_lowercase();
    let about = BANS.iter().any(|words| has_words(&lower, words)).then(|| matter(&lower))?;
    let is_it = |allowed: &&Allowed<'_>| {
        let shared = allowed.about.intersection(&about).count();
        shared > 0 && (shared == about.len() || shared > 1 && shared * 2 >= about.len())
    };
    behind.iter().find(is_it).map(|allowed| allowed.sentence)
}

/// What a sentence is about: beginnings of its longer words, and pairs of signs where words have no spaces.
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
    use super::{allowed, later};

    #[test]
    fn what_is_allowed_later_is_known_by_what_it_is_about() {
        let found = |rule: &str, sentence: &str| {
            let requests = [vec![rule.to_owned()], vec![sentence.to_owned()]];
            later(rule, 0, &allowed(requests.iter().map(Vec::as_slice))).is_some()
        };
        for (rule, allows) in [
            ("Never touch the old tests.", "Actually you may touch the old tests now."),
            ("Do not commit anything.", "You can commit now."),
            ("Don't add dependencies.", "OK, you are allowed to add dependencies after all."),
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
            ("Always run the old tests.", "Actually you may run the old tests now."),
        ] {
            assert!(!found(rule, other), "{other}");
        }
    }
}
