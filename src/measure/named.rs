//! Names in a summary that are no facts of the fact-spec: e-mail addresses, hosts, branches, and lines of files. Only what
//! stands nowhere in the source is told.

use super::lines::claims;
use super::{SourceText, pattern};
use crate::summary::starts_any;
use regex::Regex;
use std::collections::HashMap;
use std::sync::LazyLock;

/// A name that the source does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Line of the summary, from 1.
    pub line: usize,
    /// The name.
    pub text: String,
    /// What it is.
    pub what: &'static str,
    /// The summary may have it from elsewhere.
    pub doubtful: bool,
}

static MAIL: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[A-Za-z0-9][\w.+-]*@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}\b"));
/// Users of addresses that tools put into every text, and of remotes.
const OF_TOOLS: [&str; 3] = ["git@", "noreply@", "no-reply@"];
/// A host of three names or more, so that no file or method is one.
static HOST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:^|[\s(`“\x22,;=])((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.){2,}(?:com|org|net|internal|example|gov|edu|lan))(?:$|[\s)`”\x22,;:/]|\.(?:\s|$))",
    )
});
/// First names of packages of Java, which look like hosts.
const PACKAGES: [&str; 6] = ["com.", "org.", "net.", "io.", "dev.", "edu."];
/// “branch `quay/lamp`”, “the `quay-lamp` branch”, “branch quay/lamp”.
static BRANCH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\bbranch(?: named| called)?:? `([\w.]+[/-][\w./-]*\w)`|`([\w.]+[/-][\w./-]*\w)` (?:feature )?branch\b|\bbranch ([\w.-]+/[\w./-]*\w)",
    )
});
/// A file and a line of it, or several.
static PLACE: LazyLock<Regex> = LazyLock::new(|| pattern(r"([\w-]+\.([A-Za-z]\w{0,4})):(\d{1,6})(?:[-–](\d{1,6}))?\b"));
/// Most names of a summary that are looked up, so that the time is linear.
const MOST: usize = 256;
/// Ends of hosts, which are no extensions.
const NO_FILES: [&str; 8] = ["com", "org", "net", "io", "local", "dev", "lan", "edu"];

/// Returns the names in a summary that stand nowhere in the source.
pub fn unnamed(text: &str, source: &SourceText<'_>) -> Vec<Named> {
    let mut found = Vec::new();
    let mut known: HashMap<String, bool> = HashMap::new();
    // What differs in case is the same host or address. Past the most names, nothing is told.
    let mut has = |name: &str| {
        let (name, count) = (name.to_lowercase(), known.len());
        *known.entry(name).or_insert_with_key(|name| count >= MOST || source.has_in_any_case(name))
    };
    for line in claims(text) {
        let mut tell = |text: &str, what, doubtful| {
            found.push(Named { line: line.number, text: text.to_owned(), what, doubtful });
        };
        let mails = MAIL.find_iter(line.text).map(|mail| mail.as_str());
        let mails = mails.filter(|mail| !starts_any(mail, &OF_TOOLS));
        for mail in mails.filter(|mail| !has(mail)) {
            tell(mail, "an e-mail address", true);
        }
        let hosts = HOST.captures_iter(line.text).filter_map(|found| Some(found.get(1)?.as_str()));
        let hosts = hosts.filter(|host| !starts_any(host, &PACKAGES));
        for host in hosts.filter(|host| !has(host)) {
            tell(host, "a host", true);
        }
        let branches = BRANCH.captures_iter(line.text).filter(|_| line.tells());
        let branches = branches.filter_map(|found| (1..=3).find_map(|group| found.get(group)));
        for branch in branches.map(|name| name.as_str()).filter(|name| !has(name)) {
            tell(branch, "a branch", true);
        }
        for found in PLACE.captures_iter(line.text) {
            let is_file = found.get(2).is_some_and(|end| !NO_FILES.contains(&end.as_str()));
            let mut numbers = [3, 4].into_iter().filter_map(|group| Some(found.get(group)?.as_str()));
            if is_file && numbers.any(|number| !source.has_number(number)) {
                tell(&found[0], "a line of a file", true);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::source::on_said;
    use crate::transcript::Message;

    const SAID: &str = "Write to Lamp@quay.example.org on db-1.quay.internal, branch quay/lamp.\n\
        src/lamp.rs:\n  41→fn light() {}\n  42→}";

    fn wrong(line: &str) -> Vec<(&'static str, bool)> {
        on_said(SAID, |source| {
            let all = unnamed(&format!("## Discoveries\n- {line}"), source);
            all.into_iter().map(|one| (one.what, one.doubtful)).collect()
        })
    }

    #[test]
    fn names_of_the_source_are_known() {
        for line in [
            "Wrote to Lamp@quay.example.org.",
            "Wrote to lamp@Quay.example.org on DB-1.quay.internal.",
            "It is at db-1.quay.internal, as quay.example.org says.",
            "On branch `quay/lamp`, or `quay/lamp` branch.",
            "See src/lamp.rs:41 and lamp.rs:41-42.",
            "The `else` branch of `com.quay.lamps.example`",
            "Cloned git@forge.quay.com:quay.git",
            "lamp.local:8080 is no file",
        ] {
            assert_eq!(wrong(line), [], "{line}");
        }
    }

    #[test]
    fn the_branch_of_the_session_is_known() {
        for (branch, unknown) in [("quay/buoy", 0), ("quay/lamp", 1)] {
            let message = Message { branch: Some(branch.into()), ..Message::default() };
            assert_eq!(unnamed("- Worked on branch `quay/buoy`.", &SourceText::new(&[&message])).len(), unknown);
        }
    }

    #[test]
    fn other_names_are_told() {
        for (line, what, doubtful) in [
            ("Wrote to buoy@quay.example.org.", "an e-mail address", true),
            ("It is at db-2.quay.internal.", "a host", true),
            ("Worked on branch `quay/buoy`.", "a branch", true),
            ("On the `quay-buoy` branch", "a branch", true),
            ("See src/lamp.rs:977", "a line of a file", true),
        ] {
            assert_eq!(wrong(line), [(what, doubtful)], "{line}");
        }
    }
}
