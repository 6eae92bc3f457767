//! Files that are known by their whole name, without an extension (`Makefile`) or hidden (`.env.test`): they are no facts
//! of the fact-spec unless a folder stands before them.

use super::lines::claims;
use super::named::Named;
use super::{SourceText, pattern};
use crate::transcript::base_name;
use regex::Regex;
use std::sync::LazyLock;

/// Such a name.
pub const BARE: &str = r"(?:(?:GNUm|[Mm])akefile|Dockerfile(?:\.\w+)?|Containerfile|Procfile|[Jj]ustfile|Rakefile|Gemfile|Jenkinsfile|Vagrantfile|Caddyfile|\.(?:env|gitignore|gitattributes|dockerignore|npmrc|nvmrc|editorconfig|prettierrc|eslintrc|babelrc)(?:\.\w+)*)";
static WHOLE: LazyLock<Regex> = LazyLock::new(|| pattern(&format!("^{BARE}$")));
/// A claim that such files were changed, up to the end of its clause.
static CLAIM: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:(?:I|[Ww]e)(?: have|['’]ve)? (?:also )?)?(?i:created|wrote|added|edited|modified|updated|changed|rewrote|deleted|removed)\b:?([^;:]*)",
    )
});
/// Such names in a claim, each alone.
static NAMES: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"(?:^|[\s`(,])({BARE})(?:[`,;:)]|\.?(?:\s|$))")));
/// A name in a claim, and what stands behind it.
static NAMED: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"(?i)(?:^|[\s`(,])({BARE})")));
/// Where a claim begins to speak of other things.
const BEYOND: [&str; 8] = [" to ", " so ", " with ", " because ", " from ", " like ", " in ", " as "];

/// The name of a file that is known by it.
pub fn bare_file(path: &str) -> Option<&str> {
    Some(base_name(path)).filter(|name| WHOLE.is_match(name))
}

/// The names of such files in a text.
pub(super) fn bare_files(text: &str) -> impl Iterator<Item = &str> {
    // Names may share the sign between them.
    let words = text.split([' ', ',']).filter_map(|word| NAMES.captures(word)?.get(1));
    words.map(|name| name.as_str())
}

/// The files of such names that a summary says were changed, and that the source does not have.
pub fn unknown_files(text: &str, source: &SourceText<'_>) -> Vec<Named> {
    let found = claims(text).filter(|line| line.tells()).flat_map(|line| {
        let claim = CLAIM.captures(line.text).and_then(|found| found.get(1)).map_or("", |claim| claim.as_str());
        let end = BEYOND.iter().filter_map(|word| claim.find(word)).min().unwrap_or(claim.len());
        let claim = &claim[..end];
        // “Dockerfile support” is no file.
        let is_file = |behind: &str| {
            behind.starts_with(['`', ',', ')'])
                || behind.trim_matches(['.', ' ']).is_empty()
                || behind.starts_with(" and ")
        };
        let named = NAMED.captures_iter(claim).filter_map(|found| found.get(1));
        let names = named.filter(|name| is_file(&claim[name.end()..])).map(|name| name.as_str());
        let names = names.filter(|name| !source.has(name) && !source.has_in_any_case(&name.to_lowercase()));
        let named = |name: &str| Named { line: line.number, text: name.to_owned(), what: "a path", doubtful: false };
        names.map(named).collect::<Vec<_>>()
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::source::on_said;

    #[test]
    fn a_file_without_an_extension_is_in_the_source() {
        let found = |line: &str| on_said("cat .env.night and the Makefile", |source| unknown_files(line, source).len());
        for line in [
            "Created Dockerfile.",
            "- Edited `Dockerfile`",
            "Created `.env.test`",
            "I wrote .gitignore, Makefile",
            "Created the Dockerfile to sail",
        ] {
            assert_eq!(found(line), 1, "{line}");
        }
        for line in [
            "Created Makefile.",
            "Edited `.env.night`",
            "Created a table with a Dockerfile",
            "The Dockerfile is missing",
            "Created environment.ts",
            "Updated makefile",
            "Added Dockerfile support",
            "Removed .env handling",
            "Edited the Makefile rules, Dockerfile stages and .npmrc keys",
        ] {
            assert_eq!(found(line), 0, "{line}");
        }
    }
}
