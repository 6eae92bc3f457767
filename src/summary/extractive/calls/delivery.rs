//! Commands that deliver something: commits, pushes, pull requests, releases.

use crate::summary::extractive::sentences::sieve::Sieve;
use std::sync::LazyLock;

/// Commands that deliver something, and the word by which a user asks for it.
const DELIVERIES: [(&str, &str); 25] = [
    ("git push", "push"),
    ("git commit", "commit"),
    ("git merge", "merge"),
    ("git rebase", "rebase"),
    ("git tag", "tag"),
    ("git revert", "revert"),
    ("git cherry-pick", "cherry"),
    ("gh pr", "pr"),
    ("gh pr merge", "merge"),
    ("glab mr", "mr"),
    ("gh release", "release"),
    ("npm publish", "publish"),
    ("pnpm publish", "publish"),
    ("yarn publish", "publish"),
    ("bun publish", "publish"),
    ("npm run publish", "publish"),
    ("npm run release", "release"),
    ("npm run deploy", "deploy"),
    ("cargo publish", "publish"),
    ("uv publish", "publish"),
    ("twine upload", "upload"),
    ("docker push", "push"),
    ("kubectl apply", "apply"),
    ("terraform apply", "apply"),
    ("helm upgrade", "upgrade"),
];
static COMMANDS: LazyLock<Sieve> = LazyLock::new(|| Sieve::new(DELIVERIES.iter().map(|(command, _)| command)));

/// Whether a command delivers something.
pub(in crate::summary::extractive) fn delivers(shown: &str) -> bool {
    COMMANDS.is_in(shown) && DELIVERIES.iter().any(|(command, _)| names(shown, command))
}

/// The words by which users ask for what a command delivers, or those that `says` accepts.
pub(in crate::summary::extractive) fn words_for(
    shown: &str,
    says: impl Fn(&str) -> bool,
) -> impl Iterator<Item = &'static str> {
    let delivers = COMMANDS.is_in(shown);
    let told = DELIVERIES.iter().filter(move |(command, word)| delivers && names(shown, command) || says(word));
    told.map(|(_, word)| *word)
}

/// Whether a command occurs in a line as whole words: `git merge-base` is not `git merge`.
fn names(line: &str, command: &str) -> bool {
    let ends = |behind: &str| !behind.starts_with(|char: char| char.is_alphanumeric() || char == '-');
    line.match_indices(command).any(|(at, _)| ends(&line[at + command.len()..]))
}

#[cfg(test)]
mod tests {
    use super::delivers;

    #[test]
    fn only_whole_words_hand_something_over() {
        assert!(delivers("cd quay && git merge lamp") && delivers("git push"));
        assert!(!delivers("npx lint --from $(git merge-base main HEAD)"));
    }
}
