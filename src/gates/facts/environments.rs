//! Claims that something was deployed to an environment, such as production: compared with those that its commands name.

use super::outputs::Outputs;
use crate::gates::Level;
use crate::measure::{Source, pattern};
use crate::summary::{Deed, DeedKind};
use crate::transcript::PartKind;
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

/// The level of a finding for a sentence that says something was done in an environment, if each of the runs that may
/// have done it names another one: an error if no call or result of the source names it.
pub(super) fn elsewhere(
    sentence: &str,
    runs: &[(&Deed, Option<bool>)],
    source: &Source<'_>,
    outputs: &Outputs<'_>,
) -> Option<Level> {
    let mut said = TO.captures_iter(sentence).filter_map(|found| environment(found.get(1)?.as_str()));
    let wanted = said.next().filter(|first| said.all(|other| other == *first))?;
    let mut done = runs.iter().filter(|(_, failed)| *failed != Some(true)).peekable();
    done.peek()?;
    let is_other = |(deed, _): &(&Deed, Option<bool>)| {
        let DeedKind::Ran { command, .. } = &deed.kind else { return false };
        let names = named(command);
        let printed = || outputs.printed(deed).any(|line| named(line).contains(&wanted));
        !names.is_empty() && !names.contains(&wanted) && !printed()
    };
    let elsewhere = done.all(is_other);
    let of_calls = |kind: &PartKind<'_>| matches!(kind, PartKind::Call { .. } | PartKind::Result { .. });
    let mut parts = source.messages().iter().flat_map(|message| &message.parts).filter(|part| of_calls(&part.kind));
    let level = || if parts.any(|part| named(&part.text).contains(&wanted)) { Level::Warn } else { Level::Error };
    elsewhere.then(level)
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
