//! Lines of a summary about open work: their stages, and what is to be done.

use super::accomplished::OPEN_QUESTION;
use super::since::words;
use super::steps::OPEN_STEP;

/// Sign between the context of a line and the line, and the minimum number of topic words that tell its topic alone.
const ABOVE: &str = " — ";
const TELLING: usize = 4;

/// Prefixes of lines about open work, with their stage.
const AHEAD: [(&str, Stage); 11] = [
    (OPEN_STEP, Stage::Step),
    (OPEN_QUESTION, Stage::Question),
    ("Next: ", Stage::Now),
    ("In progress: ", Stage::Now),
    ("Pending: ", Stage::Pending),
    ("Still to do: ", Stage::Pending),
    ("Still to verify: ", Stage::Pending),
    ("To do: ", Stage::Pending),
    ("To verify: ", Stage::Pending),
    ("Blocked: ", Stage::Pending),
    (PAST, Stage::Past),
];
/// Prefix of open work that belongs to an earlier request.
pub(in crate::summary) const PAST: &str = "Pending of an earlier request: ";

/// The kind of open work in a line of an earlier summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// A question of the agent.
    Question,
    /// A step of its plan.
    Step,
    /// What it was doing or about to do.
    Now,
    /// Work to be done at some time.
    Pending,
    /// Such work from before the user asked for something else.
    Past,
}

/// Whether a line is about open work.
pub(in crate::summary) fn is_ahead(line: &str) -> bool {
    stage(line).is_some()
}

/// The stage of a line about open work; `None` of any other.
pub(super) fn stage(line: &str) -> Option<Stage> {
    AHEAD.iter().find(|(start, _)| line.starts_with(start)).map(|(_, stage)| *stage)
}

/// A line without the prefix of its stage, and without the words before a sentence of its own: “After the storm — Light
/// the lamps of the pier”.
pub(super) fn work(line: &str) -> &str {
    let bare = AHEAD.iter().find_map(|(start, _)| line.strip_prefix(start)).unwrap_or(line);
    let own = bare.rsplit_once(ABOVE).map(|(_, own)| own).filter(|own| own.starts_with(char::is_uppercase));
    own.filter(|own| words(own, |_| true).count() >= TELLING).unwrap_or(bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_known_without_the_words_above_it() {
        let line = "Pending: After the storm has gone by — Paint the old lighthouse in white";
        assert_eq!(work(line), "Paint the old lighthouse in white");
        assert_eq!(work("Pending: Deploy it — waiting for the keeper of the old pier").find("Deploy"), Some(0));
        assert_eq!(work("Pending: Lamps of the pier — Paint"), "Lamps of the pier — Paint");
    }
}
