//! Compares lines by their words: finds those that only repeat another in nearly the same words.
//!
//! Two lines of the same words but one can say different things: “the production database” and “the staging database”.
//! So a line repeats another only if it has no content word of its own, and if its content words stand in the same
//! order, but for neighbors. Function words, the endings of words and their spelling may differ.

use super::stems::inflected;
use super::text::{has_dense, has_digit};
use foldhash::{HashMap, HashSet};
use std::borrow::Cow;
use std::sync::LazyLock;

/// Minimum share of common words among all plain words of two lines, in percent.
const COMMON: usize = 70;

/// Words that say nothing alone.
const FUNCTION: &str = "\
    a an the this that these those there here it its i we you he she they my our your is are am was were be been \
    being has have had having do does did done will would please now then so just also too very of in on at for \
    as and which successfully cleanly properly correctly really actually simply s ve re ll d m der die das den \
    dem des ein eine einen einem einer eines und ist sind war waren bitte im auch jetzt le la les un une du de \
    et est sont el los las una y es son il lo gli e o os um uma";
static FUNCTION_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| FUNCTION.split_whitespace().collect());
/// Signs of scripts without spaces that say nothing alone.
const FUNCTION_SIGNS: &str = "的了吧呢啊吗嗎嘛着呀请請";
/// Words that turn or limit what the others say: a line that has one of them does not say what one without it says.
const TURNING: &str = "\
    not never no none nothing without except unless until only if but nicht nie niemals kein keine keinen ohne \
    nur außer wenn ne pas jamais sans sauf si nunca sin salvo não sem non mai senza";
static TURNING_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| TURNING.split_whitespace().collect());
/// Signs that do so in scripts without spaces.
const TURNING_SIGNS: &str = "不没沒未无無别別勿非否只仅僅除若";
/// Signs between the letters of a word.
const INSIDE: &str = "_./-+#";

/// Words by number, so that lines are compared as lists of numbers.
#[derive(Debug, Default)]
pub(super) struct Words(HashMap<String, u32>);

/// A line as numbers of words.
#[derive(Debug, Default)]
pub(super) struct Gist {
    /// Its plain words, ascending.
    plain: Vec<u32>,
    /// Its exact ones (with a digit, `_`, `/` or a dot), ascending.
    exact: Vec<u32>,
    /// What it says, in its order: all words but function words, without their endings.
    content: Vec<u32>,
    /// Those of them that turn or limit what the others say, in their order.
    turns: Vec<u32>,
}

impl Words {
    /// The gist of a line.
    pub(super) fn gist(&mut self, line: &str) -> Gist {
        let line = without_contractions(line);
        let mut gist = Gist::default();
        for word in line.split(|char: char| !(char.is_alphanumeric() || INSIDE.contains(char))) {
            let bare = word.trim_matches(['.', '-', '/']).trim_start_matches(['#', '+']);
            if !bare.is_empty() {
                self.add(bare, &mut gist);
            }
        }
        for numbers in [&mut gist.plain, &mut gist.exact] {
            numbers.sort_unstable();
            numbers.dedup();
        }
        gist
    }

    fn add(&mut self, word: &str, gist: &mut Gist) {
        let lower = word.to_lowercase();
        if has_digit(&lower) || lower.contains(['_', '/', '.']) {
            let number = self.number(&lower);
            gist.exact.push(number);
            gist.content.push(number);
        } else if has_dense(&lower) {
            for char in lower.chars() {
                let number = self.number(char.encode_utf8(&mut [0; 4]));
                gist.plain.push(number);
                gist.say(number, FUNCTION_SIGNS.contains(char), TURNING_SIGNS.contains(char));
            }
        } else {
            gist.plain.push(self.number(&lower));
            // “Plan A” has a name, and DEN is an airport.
            let is_letter = word.len() == 1 && (word != "A" || gist.content.is_empty());
            let is_name = !is_letter && word.chars().all(char::is_uppercase);
            let number = self.number(inflected(&lower));
            gist.say(number, FUNCTION_WORDS.contains(&*lower) && !is_name, TURNING_WORDS.contains(&*lower));
        }
    }

    fn number(&mut self, word: &str) -> u32 {
        let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        self.0.get(word).copied().unwrap_or_else(|| *self.0.entry(word.to_owned()).or_insert(next))
    }
}

impl Gist {
    /// Whether another line only repeats this one: nearly the same plain words, and nothing that is new.
    pub(super) fn says(&self, other: &Self) -> bool {
        let common = common(&self.plain, &other.plain);
        let all = self.plain.len() + other.plain.len() - common;
        let repeats = all >= 3 && common * 100 >= all * COMMON;
        repeats
            && self::common(&self.exact, &other.exact) == other.exact.len()
            && self.turns == other.turns
            && is_about_in_order(&other.content, &self.content)
    }

    /// Whether another line says the same, no less and no more: a rule for one thing is none for all.
    pub(super) fn says_just(&self, other: &Self) -> bool {
        let in_order = is_within(&other.content, &self.content) && is_within(&self.content, &other.content);
        self.says(other) && in_order
    }

    /// Adds a word that says something.
    fn say(&mut self, number: u32, is_function: bool, turns: bool) {
        if !is_function {
            self.content.push(number);
        }
        if turns {
            self.turns.push(number);
        }
    }
}

/// A line in which contracted negations are whole words.
fn without_contractions(line: &str) -> Cow<'_, str> {
    if !line.contains(['\'', '’']) {
        return Cow::Borrowed(line);
    }
    let straight = line.replace('’', "'");
    Cow::Owned(straight.replace("can't", "can not").replace("won't", "will not").replace("n't", " not"))
}

/// Whether all numbers of a list stand in another one, in an order in which at most neighbors are exchanged: “the list
/// and the map” says what “the map and the list” does.
fn is_about_in_order(list: &[u32], whole: &[u32]) -> bool {
    let mut last = 0_usize;
    list.iter().all(|number| {
        let from = last.saturating_sub(1);
        let at = whole.get(from..).unwrap_or_default().iter().position(|other| other == number).map(|at| from + at);
        last = last.max(at.unwrap_or(0));
        at.is_some()
    })
}

/// Whether all numbers of a list stand in another one, in their order.
fn is_within(list: &[u32], whole: &[u32]) -> bool {
    let mut rest = whole.iter();
    list.iter().all(|number| rest.any(|other| other == number))
}

/// The count of numbers that two ascending lists share.
fn common(one: &[u32], other: &[u32]) -> usize {
    let mut rest = other.iter().peekable();
    let is_there = |number: &&u32| {
        while rest.next_if(|next| next < number).is_some() {}
        rest.next_if_eq(number).is_some()
    };
    one.iter().filter(is_there).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repeats(first: &str, second: &str) -> bool {
        let mut words = Words::default();
        words.gist(first).says(&words.gist(second))
    }

    #[test]
    fn nearly_the_same_words_are_a_repetition() {
        let first = "Build, vet, full `sts` suite, and linter all pass cleanly (0 issues).";
        assert!(repeats(first, "Build, vet, full `sts` suite and linter all pass."));
        assert!(!repeats(first, "The cache is never cleared."));
    }

    #[test]
    fn another_number_or_path_is_no_repetition() {
        assert!(!repeats("The flag in src/a.rs is set to true.", "The flag in src/b.rs is set to true."));
        assert!(!repeats("All 12 tests pass now.", "All 14 tests pass now."));
    }

    #[test]
    fn a_content_word_of_its_own_is_no_repetition() {
        for (one, other) in [
            (
                "Never write to the production database of the harbour.",
                "Never write to the staging database of the harbour.",
            ),
            (
                "Please book the morning ferry to the island for Anna.",
                "Please book the morning ferry to the island for Ben.",
            ),
            (
                "Ändere niemals die Datenbank der Produktion im Hafenamt.",
                "Ändere niemals die Datenbank der Abnahme im Hafenamt.",
            ),
            ("绝对不要修改生产环境的数据库。", "绝对不要修改测试环境的数据库。"),
            (
                "The importer of the tide table works with Danish files.",
                "The importer of the tide table fails with Danish files.",
            ),
            ("The lamp of the inner pier is lit at dusk.", "The lamp of the inner pier is not lit at dusk."),
            (
                "Translate the manual of the ferry from Danish into Finnish.",
                "Translate the manual of the ferry from Finnish into Danish.",
            ),
            ("Write the importer of the tides in C++.", "Write the importer of the tides in C#."),
            (
                "Called `ferry(origin=DEN, destination=MIA, boat=lamp)`",
                "Called `ferry(origin=MIA, destination=DEN, boat=lamp)`",
            ),
            ("Build the harbour board by plan A.", "Build the harbour board by plan B."),
        ] {
            assert!(!repeats(one, other) && !repeats(other, one), "{one} {other}");
        }
    }

    #[test]
    fn function_words_endings_and_spelling_are_no_content() {
        let first = "The tests of the harbour board are passing on the pier.";
        assert!(repeats(first, "Tests of the harbour board pass on the pier."));
        assert!(repeats("Please don't write to the old quay log.", "Do not write to the old quay log!"));
        assert!(repeats(
            "The board shows the tides and ferries of the pier.",
            "The board shows the ferries and tides of the pier."
        ));
        let twice = "never push to main until the review of main is done";
        assert!(repeats(&format!("Please {twice}."), &format!("{twice}!")), "a word stands twice");
        assert!(!repeats("The relay drives the lamp of the pier.", "The lamp drives the relay of the pier."));
        assert!(repeats("请把第一章翻译成法语。", "把第一章翻译成法语了"));
    }

    #[test]
    fn a_rule_for_one_thing_is_none_for_all() {
        let mut words = Words::default();
        let [one, all] = [
            "Never write to the old production database of the harbour.",
            "Never write to the production database of the harbour.",
        ]
        .map(|line| words.gist(line));
        assert!(one.says(&all) && !one.says_just(&all) && !all.says(&one));
    }
}
