//! Sentences that only count passed tests: of a turn the last one is kept, or none if the line of a run has the same
//! count.

use crate::summary::items::Item;
use crate::summary::text::all_digits;

/// Words of such a sentence, besides numbers.
const WORDS: [&str; 24] = [
    "all", "and", "are", "errors", "existing", "failed", "failures", "green", "in", "new", "no", "now", "of", "ok",
    "pass", "passed", "passes", "passing", "still", "test", "tests", "the", "with", "zero",
];

/// The steps of a turn without the counts that a later step or a run repeats.
pub(super) fn without_repeated(steps: Vec<Item>, runs: &[Item]) -> Vec<Item> {
    let last = steps.iter().rposition(|step| counted(&step.text).is_some());
    let is_told = |count: &str| runs.iter().any(|run| tells(&run.text, count));
    let stays =
        |(at, step): &(usize, Item)| counted(&step.text).is_none_or(|count| last == Some(*at) && !is_told(count));
    steps.into_iter().enumerate().filter(stays).map(|(_, step)| step).collect()
}

/// The first number of a sentence that only counts passed tests.
fn counted(sentence: &str) -> Option<&str> {
    let all = || sentence.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty());
    let tests = all().any(|word| word.eq_ignore_ascii_case("tests"));
    let only = all().all(|word| all_digits(word) || WORDS.contains(&&*word.to_lowercase()));
    all().find(|word| all_digits(word)).filter(|_| tests && only)
}

/// Whether the line of a successful command contains a count.
fn tells(run: &str, count: &str) -> bool {
    let ending = run.rsplit_once("`: ok: ").map_or("", |(_, ending)| ending);
    ending.split(|char: char| !char.is_alphanumeric()).any(|word| word == count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(steps: &[&str], run: &str) -> Vec<String> {
        let steps = steps.iter().map(|step| Item::new((*step).to_owned(), 1, 0)).collect();
        without_repeated(steps, &[Item::new(run.to_owned(), 1, 0)]).into_iter().map(|step| step.text).collect()
    }

    #[test]
    fn the_newest_count_of_a_turn_is_told() {
        let steps = ["All 7 tests pass.", "All 7 tests pass, and the tide table is built.", "All 9 tests pass now."];
        assert_eq!(left(&steps, "Ran `make tides`: ok"), steps[1..]);
    }

    #[test]
    fn a_run_that_counts_tells_more() {
        let steps = ["Added the gate.", "All 9 tests pass."];
        assert_eq!(left(&steps, "Ran `make tides`: ok: 9 passed in 2s"), steps[..1]);
        assert_eq!(left(&steps, "Ran `make tides`: ok: 8 passed in 2s"), steps);
        assert_eq!(left(&steps, "Ran `make 9 passed`: failed"), steps);
    }
}
