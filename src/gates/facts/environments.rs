//! Claims that something was deployed to an environment, such as production: compared with those that its commands name.

use super::outputs::Outputs;
use crate::measure::pattern;
use crate::summary::{Deed, DeedKind};
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Names of environments; those of a row are one.
const ENVIRONMENTS: [&[&str]; 7] = [
    &["production", "prod"],
    &["staging", "stage", "stg"],
    &["development", "dev"],
    &["preview"],
    &["qa"],
    &["sandbox"],
    &["canary"],
];
/// “to production”, “on the staging cluster”.
static TO: LazyLock<Regex> = LazyLock::new(|| {
    let names = ENVIRONMENTS.concat().join("|");
    pattern(&format!(r"(?i)\b(?:to|on|in|into|onto|against) (?:the |our )?({names})\b"))
});

/// Index of an environment by its name.
fn environment(name: &str) -> Option<usize> {
    let lower = name.to_lowercase();
    ENVIRONMENTS.iter().position(|names| names.contains(&lower.as_str()))
}

/// The environments that a text names.
fn named(text: &str) -> BTreeSet<usize> {
    text.replace("/dev/", " ").split(|letter: char| !letter.is_alphanumeric()).filter_map(environment).collect()
}

/// For each environment, whether each of the runs that may have done something names another one, and not it.
pub(super) fn others(runs: &[(&Deed, Option<bool>)], outputs: &Outputs<'_>) -> Vec<bool> {
    let mut done = runs.iter().filter(|(_, failed)| *failed != Some(true)).peekable();
    let mut all = vec![done.peek().is_some(); ENVIRONMENTS.len()];
    for (deed, _) in done {
        let DeedKind::Ran { command, .. } = &deed.kind else { return Vec::new() };
        let names = named(command);
        let known: BTreeSet<usize> = outputs.printed(deed).flat_map(named).chain(names.iter().copied()).collect();
        all.iter_mut().enumerate().for_each(|(at, other)| *other &= !names.is_empty() && !known.contains(&at));
    }
    all
}

/// Whether a sentence says that something was done in an environment, and the runs name another one. `others`: of
/// [`others`].
pub(super) fn elsewhere(sentence: &str, others: &[bool]) -> bool {
    let mut said = TO.captures_iter(sentence).filter_map(|found| environment(found.get(1)?.as_str()));
    let wanted = said.next().filter(|first| said.all(|other| other == *first));
    wanted.is_some_and(|wanted| others.get(wanted) == Some(&true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environments_are_named_by_whole_words() {
        for (text, names) in [
            ("kubectl --context=quay-prod apply -f lamp.yaml", &[0][..]),
            ("make deploy ENV=staging 2>/dev/null", &[1]),
            ("deploy.sh production staging", &[0, 1]),
            ("git push origin device", &[]),
        ] {
            assert_eq!(named(text).into_iter().collect::<Vec<_>>(), names, "{text}");
        }
    }
}
