//! Rules that the user took back later: “You may touch the old tests now.” What was said first stands, with what came after.

use crate::summary::text::is_dense;
use foldhash::HashSet;

/// What forbids,
const BANS: [&str; 14] = [
    "never", "don't", "do not", "must not", "not", "no", "without", "nie", "niemals", "nicht", "keine", "不要", "不得",
    "别",
];
/// what allows,
const ALLOWS: [&str; 13] = [
    "may",
    "can",
    "allowed",
    "fine to",
    "okay to",
    "ok to",
    "free to",
    "no longer need",
    "don't have to",
    "darfst",
    "kannst",
    "可以",
    "允许",
];
/// and what says that it is new.
const NOW: [&str; 10] =
    ["now", "after all", "again", "actually", "from now on", "no longer", "jetzt", "doch", "现在", "了"];
/// Letters of a word that a rule is about, and how much of two of them is compared: “tests”, “testing”.
const LEAST: usize = 4;
const STEM: usize = 5;

/// The first of later sentences that allows what a rule forbids.
pub(super) fn later<'l>(rule: &str, mut later: impl Iterator<Item = &'l String>) -> Option<&'l String> {
    let lower = rule.to_lowercase();
    if !has(&lower, &BANS) {
        return None;
    }
    let about = matter(&lower);
    later.find(|sentence| {
        let lower = sentence.to_lowercase().replace('’', "'");
        let allows =
            has(&lower, &ALLOWS) && has(&lower, &NOW) && !lower.ends_with(['?', '？']) && !has(&lower, &["never"]);
        let shared = if allows { matter(&lower).intersection(&about).count() } else { 0 };
        shared > 0 && shared * 2 >= about.len()
    })
}

/// Whether one of these words stands in a text as a whole.
fn has(lower: &str, words: &[&str]) -> bool {
    let inside = |char: char| char.is_alphanumeric() && !is_dense(char);
    words.iter().any(|word| {
        lower.match_indices(word).any(|(at, _)| {
            let apart = !lower[..at].ends_with(inside) && !lower[at + word.len()..].starts_with(inside);
            apart || word.starts_with(is_dense)
        })
    })
}

/// What a sentence is about: beginnings of its longer words, and pairs of signs where words have no spaces.
fn matter(lower: &str) -> HashSet<String> {
    let words = lower.split(|char: char| !char.is_alphanumeric() || is_dense(char));
    let known = |word: &&str| [&BANS[..], &ALLOWS, &NOW].iter().any(|list| list.contains(word));
    let long = words.filter(|word| word.chars().count() >= LEAST && !known(word));
    let mut all: HashSet<String> = long.map(|word| word.chars().take(STEM).collect()).collect();
    let signs: Vec<char> = lower.chars().filter(|char| is_dense(*char)).collect();
    let pairs = signs.windows(2).map(|pair| pair.iter().collect::<String>());
    all.extend(pairs.filter(|pair| ![&BANS[..], &ALLOWS, &NOW].iter().any(|list| list.contains(&&**pair))));
    all
}

#[cfg(test)]
mod tests {
    use super::later;

    #[test]
    fn what_is_allowed_later_is_known_by_what_it_is_about() {
        let found = |rule: &str, sentence: &str| later(rule, [sentence.to_owned()].iter()).is_some();
        for (rule, allowed) in [
            ("Never touch the old tests.", "Actually you may touch the old tests now."),
            ("Do not commit anything.", "You can commit now."),
            ("Don't add dependencies.", "OK, you are allowed to add dependencies after all."),
            ("Ändere die Tests nicht.", "Du darfst die Tests jetzt doch ändern."),
            ("不要修改旧的测试。", "现在可以修改旧的测试了。"),
        ] {
            assert!(found(rule, allowed), "{rule}");
        }
        for (rule, other) in [
            ("Never touch the old tests.", "You may draw the map now."),
            ("Never touch the old tests.", "Can you touch the old tests now?"),
            ("Never touch the old tests.", "Now you may never touch the old tests."),
            ("Always run the old tests.", "Actually you may run the old tests now."),
        ] {
            assert!(!found(rule, other), "{other}");
        }
    }
}
