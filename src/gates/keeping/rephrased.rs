//! Constraints of the user in other words: without the reason, or as another ban of the same thing; and with an
//! exception that the user did not make. The measure counts words (QUALITY §2); this keeps the gate from failing equal
//! statements.

use super::forbidding::{BANS, FORBIDS_ANY, LIFTS, STAYS};
use super::reasons::without_reason;
use super::stems::{stem, stems};
use super::waiting::waits_alike;
use crate::measure::constraints::{content_words, holds, split};
use crate::measure::{SourceText, pattern};
use regex::Regex;
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

/// Words that limit a constraint.
static LIMITED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)\b(?:unless|except\w*|until|till|but|apart from|other than|besides|only|if|when|whenever|where|while",
        r"|for now|first|before|after|without|instead|rather|small|minor|trivial|(?:as )?(?:possible|needed|necessary))\b"
    ))
});
/// Words that add an exception to a constraint that had none, however it is worded.
static EXCEPTS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:unless|except(?:ing)?|apart from|other than|(?:if|when|where|wherever|as|as far as) (?:possible|needed|necessary|required))\b",
    )
});
/// Words that add an exception right after the constraint's own words.
static BUT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\W*(?:unless|except(?:ing)?|apart from|other than|if|when|where|but|or)\b|\b(?:unless|except|or \w.* if)\b",
    )
});
/// What a line tells behind a quoted constraint: when it was said.
static TOLD_WHEN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^[.!…]*[\x22”’'»]+[.,]? (?:\(?(?:said|asked|told|stated) (?:when|after|as) (?:i|we|the (?:user|agent|assistant)|asked)|(?:when|after|as) (?:(?:i|we|the (?:user|agent|assistant)) (?:had |first |also )*(?:asked|proposed|suggested|offered|said|told|answered|wanted|tried|began|started|reported|mentioned)|asked))\b",
    )
});
/// Verbs for changing something.
static CHANGES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:touch(?:ed|ing)?|modif(?:y|ied|ying|ications?)|chang(?:e|es|ed|ing)|edit(?:s|ed|ing)?|alter(?:ed|ing)?)$",
    )
});
/// “Keep the list as it is”; what is kept.
static KEEPS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:please )?(?:keep|leave) ([^,;:]+?) (?:exactly )?(?:unchanged|untouched|unmodified|unaltered|intact|as is|as (?:it|they) (?:is|are))$",
    )
});
/// Words of phrases that say that something stays as it is.
static LEAVES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        "^(?i:leave|left|kept|stays?|remains?|alone|untouched|unchanged|unmodified|unaltered|intact|hands|treat(?:ed)?|readonly)$",
    )
});
/// Verbs for adding something.
static ADDS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)^(?:add(?:s|ed|ing)?|introduc(?:e|es|ed|ing)|install(?:s|ed|ing)?|bring(?:s|ing)?)$")
});
/// “Without adding” forbids, like “never add”.
static WITHOUT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\bwithout (add|introduc|install|touch|chang|edit|modify)ing\b"));
/// A word that limits nothing, though its end does.
static READ_ONLY: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\bread[- ]only\b"));
/// Words that a report of a ban may add.
pub(super) const REPORTING: [&str; 21] = [
    "agent",
    "allowed",
    "avoid",
    "branch",
    "ever",
    "explicitly",
    "file",
    "files",
    "forbade",
    "forbid",
    "forbidden",
    "forbids",
    "note",
    "off-limits",
    "prohibited",
    "repo",
    "repository",
    "rule",
    "strictly",
    "user",
    "wants",
];
/// Their stems.
pub(super) static REPORTS: LazyLock<HashSet<String>> =
    LazyLock::new(|| REPORTING.iter().map(|word| stem(word).to_owned()).collect());
/// Words between a verb and its object.
const BEFORE_OBJECT: [&str; 9] = ["a", "additional", "an", "any", "further", "more", "new", "other", "the"];
/// Words behind an object that limit it to nothing.
const AROUND: [&str; 25] = [
    "added",
    "all",
    "allowed",
    "any",
    "anywhere",
    "at",
    "be",
    "codebase",
    "crate",
    "ever",
    "here",
    "in",
    "installed",
    "introduced",
    "kind",
    "may",
    "of",
    "please",
    "project",
    "repo",
    "repository",
    "this",
    "to",
    "whatsoever",
    "workspace",
];
/// Words that identify nothing by themselves.
const VAGUE: [&str; 13] = [
    "new",
    "anything",
    "everything",
    "something",
    "file",
    "files",
    "code",
    "folder",
    "directory",
    "module",
    "inside",
    "under",
    "within",
];

/// Whether a sentence of the lines states the constraint without its reason, or forbids the same in other words,
/// without an exception.
pub(super) fn says_alike(order: &str, lines: &[&str]) -> bool {
    let core = without_reason(order).trim_end_matches(['.', '!', ' ']);
    if LIMITED.is_match(order) {
        return waits_alike(order, lines);
    }
    let plain = FORBIDS_ANY.find_iter(core).count() == 1 && core.matches([',', ';']).count() == 0;
    let stems = if plain { stems(core) } else { HashSet::new() };
    let (whole, ban) = (core.len() < order.trim_end_matches(['.', '!', ' ']).len(), Ban::of(&kept_as_ban(core)));
    let mut sentences = lines.iter().flat_map(|line| split(line)).flat_map(|part| part.split(';'));
    sentences.any(|sentence| {
        let sentence = &*WITHOUT.replace_all(sentence, "never ${1}ing");
        let sentence = &*READ_ONLY.replace_all(sentence, "readonly");
        let says = || whole && says_itself(core, sentence);
        let ban = || ban.as_ref().is_some_and(|ban| ban.is_in(sentence)) || bans_alike(&stems, sentence);
        !LIMITED.is_match(sentence) && (says() || ban())
    })
}

/// Whether a sentence forbids once, and has these stems and no other words that tell something.
fn bans_alike(wanted: &HashSet<String>, sentence: &str) -> bool {
    if wanted.len() < 2 || BANS.find_iter(sentence).count() != 1 || LIFTS.is_match(sentence) {
        return false;
    }
    let own = stems(sentence);
    wanted.is_subset(&own) && own.iter().all(|word| wanted.contains(word) || REPORTS.contains(word))
}

/// Whether a sentence is the constraint word for word, with or without a reason after it.
fn says_itself(core: &str, sentence: &str) -> bool {
    let bare = without_reason(sentence).trim_matches(['-', '*', '•', ' ', '\t', '.', '!', '“', '”']);
    bare.eq_ignore_ascii_case(core)
}

/// A demand that something stays as it is, as a ban on changes: “Never change the list” for “Keep the list as it is”.
fn kept_as_ban(core: &str) -> Cow<'_, str> {
    KEEPS.captures(core).map_or(Cow::Borrowed(core), |found| format!("Never change {}", &found[1]).into())
}

/// Least number of letters of a word that tells something.
const SHORT: usize = 3;

/// Content words of what must not be changed or added.
struct Ban {
    words: HashSet<String>,
    /// Those of them that are folders.
    folders: Vec<String>,
    /// Whether it forbids additions, not changes.
    adds: bool,
    /// Whether it has but one word for its object, which any other word may limit: “the tests”, “the tests of the quay”.
    alone: bool,
}

impl Ban {
    /// Reads a constraint as a ban on changes or on additions; `None` if it is none, or does not name its object.
    fn of(order: &str) -> Option<Self> {
        let forbids = FORBIDS_ANY.find_iter(order).count() == 1 && order.matches([',', ';']).count() == 0;
        let words = content_words(order);
        let has = |verbs: &Regex| words.iter().any(|word| verbs.is_match(word));
        let adds = !has(&CHANGES);
        let verbs = if adds { &*ADDS } else { &*CHANGES };
        if !forbids || !has(verbs) {
            return None;
        }
        let object = words.into_iter().filter(|word| !verbs.is_match(word) && !VAGUE.contains(&word.as_str()));
        let words: HashSet<String> = object.collect();
        let mut folders: Vec<String> =
            words.iter().filter(|word| !word.contains('/')).map(|word| format!("{word}/")).collect();
        folders.retain(|folder| order.contains(folder));
        let is_name = |word: &String| word.contains(['/', '_', '.']);
        let alone = words.len() == 1 && !adds && folders.is_empty() && !words.iter().any(is_name);
        (!words.is_empty()).then_some(Self { words, folders, adds, alone })
    }

    /// Whether a sentence forbids the same of the same thing.
    fn is_in(&self, sentence: &str) -> bool {
        let words = content_words(sentence);
        let once = FORBIDS_ANY.find_iter(sentence).count() == 1;
        // “The user forbids changes to the list.”
        let reported = BANS.find_iter(sentence).count() == 1 && !LIFTS.is_match(sentence) && !STAYS.is_match(sentence);
        let says = match self.adds {
            true => once && self.is_added(sentence),
            false if once || reported => words.iter().any(|word| CHANGES.is_match(word)),
            false => !FORBIDS_ANY.is_match(sentence) && STAYS.is_match(sentence),
        };
        let is_idle = |word: &String| {
            let verb = CHANGES.is_match(word) || LEAVES.is_match(word);
            let told = REPORTING.contains(&word.as_str()) || AROUND.contains(&word.as_str());
            // “is.” at the end has three signs, and tells nothing.
            verb || told || word.len() < SHORT || self.words.contains(word)
        };
        let whole = !self.alone || words.iter().all(is_idle);
        says && whole && self.words.is_subset(&words) && self.folders.iter().all(|folder| sentence.contains(folder))
    }

    /// Whether a clause names the object behind its verb, and limits it by no other word: “adding dependencies”, “no new
    /// dependencies”.
    fn is_added(&self, sentence: &str) -> bool {
        let lower = sentence.to_lowercase();
        let is_alone = |clause: &str| {
            let words = clause.split_whitespace().map(|word| word.trim_matches(|sign: char| !sign.is_alphanumeric()));
            let all: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
            let verb = |at: &usize| ADDS.is_match(all[*at]) || all[*at] == "no" && all.get(at + 1) == Some(&"new");
            (0..all.len()).filter(verb).any(|at| {
                // What is forbidden beside it is another ban.
                let object = all[at + 1..].iter().take_while(|word| !["because", "or", "since"].contains(word));
                let mut object = object.filter(|word| !BEFORE_OBJECT.contains(word)).peekable();
                object.peek().is_some_and(|word| self.words.contains(**word))
                    && object.all(|word| self.words.contains(*word) || AROUND.contains(word))
            })
        };
        lower.split([',', ';', ':', '(', '—', '–']).any(is_alone)
    }
}

/// The text of an exception that a line adds to a constraint of the user and that is not in the original.
pub(super) fn exception<'l>(order: &str, lines: &[&'l str], source: &SourceText<'_>) -> Option<&'l str> {
    if LIMITED.is_match(order) {
        return None;
    }
    let (bare, wanted) = (order.trim_end_matches(['.', '!', ' ']), content_words(order));
    let core = without_reason(order).trim_end_matches(['.', '!', ' ']);
    let said = |text: &str| {
        let words = text.trim_start_matches([',', ' ']);
        source.has_words(words.trim_end_matches(['.', '!', '…', ' ', '”', '"', ')']))
    };
    let excepts = |sentence: &'l str| {
        let behind = [bare, core].iter().find_map(|words| Some(&sentence[sentence.find(words)? + words.len()..]));
        let own = behind.filter(|behind| !TOLD_WHEN.is_match(behind));
        let own = own.and_then(|behind| Some(&behind[BUT.find(behind)?.start()..]));
        let other = || {
            let found = EXCEPTS.find(sentence).filter(|_| holds(&content_words(sentence), &wanted))?;
            Some(&sentence[found.start()..])
        };
        // What stands behind a semicolon is another rule.
        let alone = own.or_else(other).map(|exception| exception.split(';').next().unwrap_or(exception));
        alone.filter(|exception| !said(exception))
    };
    lines.iter().flat_map(|line| split(line)).find_map(excepts)
}

#[cfg(test)]
mod tests {
    use super::says_alike;

    const ORDER: &str = "Do not touch src/billing, another team owns it.";

    #[test]
    fn an_order_is_the_same_without_its_reason_or_as_another_ban() {
        for line in [
            "- Do not touch src/billing.",
            "- Don't touch src/billing.",
            "Leave src/billing alone: it is owned by another team.",
            "- Never modify anything under src/billing.",
            "No changes in src/billing (another team's).",
            "Use tabs. Src/billing must not be touched",
            "- src/billing belongs to another team: hands off.",
            "src/billing is off limits because a different team owns it",
            "- Treat src/billing as read-only.",
            "- Read-only: src/billing",
        ] {
            assert!(says_alike(ORDER, &[line]), "{line}");
        }
        let kept = "Keep the public API as it is, other teams depend on it.";
        assert!(says_alike(kept, &["- Keep the public API as it is."]));
        for line in ["- The list must be kept as it is.", "- Keep the list unchanged.", "- Do not change the list."] {
            assert!(says_alike("Please keep the list as it is, the pilot edits it by hand.", &[line]), "{line}");
        }
        assert!(!says_alike(
            "Please keep the list as it is, the pilot edits it by hand.",
            &["- Keep the list sorted."]
        ));
        let reported = "- The user forbids changes to data/roster.csv.";
        assert!(says_alike("Please don't touch data/roster.csv: the pilot edits it.", &[reported]));
        assert!(says_alike("Always run the linter, it is fast.", &["- Always run the linter, since it is fast."]));
    }

    #[test]
    fn a_folder_or_an_addition_may_be_forbidden_in_other_words() {
        let folder = "Never edit files under migrations/.";
        assert!(says_alike(folder, &["- migrations/ is off limits."]));
        assert!(!says_alike(folder, &["- Never delete files under migrations/."]));
        let nested = "Never edit files under src/api/.";
        assert!(
            says_alike(nested, &["- src/api is off limits."]) && says_alike(nested, &["Leave `src/api` untouched."])
        );
        let external = "Do not add external dependencies to the project.";
        assert!(says_alike(external, &["Never add external dependencies to this project."]));
        for line in [
            "Never add external dependencies or tools to the project.",
            "No new external dependencies of any kind may be added in this project",
        ] {
            assert!(says_alike(external, &[line]), "{line}");
        }
        assert!(!says_alike(external, &["Never add external dependencies of the project as root."]));
        let other = "- Never add an external script, and keep the dependencies of the project sorted.";
        assert!(!says_alike(external, &[other]));
        let addition = "Do not add new dependencies.";
        for line in ["- Work without adding dependencies.", "No new dependencies", "- Never introduce dependencies"] {
            assert!(says_alike(addition, &[line]), "{line}");
        }
        for line in [
            "- Add new dependencies.",
            "- Never update dependencies",
            "- Work without dependencies",
            "- Never introduce cycles between dependencies",
            "- Leave the dependencies unchanged",
        ] {
            assert!(!says_alike(addition, &[line]), "{line}");
        }
        assert!(!says_alike("Do not use the new logger.", &["- Never add a logger."]));
        assert!(!says_alike(folder, &["- Never touch the docs about migrations."]));
    }

    #[test]
    fn a_ban_is_the_same_when_it_is_reported() {
        let order = "Do not push to main.";
        for line in [
            "- No pushes to `main`.",
            "- The user forbade pushing to main.",
            "- Don’t push to main",
            "- Pushing to main is not allowed.",
            "- The main branch must not be pushed to.",
        ] {
            assert!(says_alike(order, &[line]), "{line}");
        }
        for line in [
            "- Push to main.",
            "- No pushes to main on Fridays.",
            "- No pushes to `develop`.",
            "- No pushes to main unless the quay is clear.",
            "- The user does not forbid pushing to main.",
            "- Never merge to main.",
        ] {
            assert!(!says_alike(order, &[line]), "{line}");
        }
    }

    #[test]
    fn another_order_is_none() {
        for line in [
            "- Touch src/billing.",
            "- Do not touch src/billing_v2.",
            "- Do not touch src/billing except for small fixes.",
            "- Leave src/billing alone unless the tests need it.",
            "- Don't touch src/billing if possible",
            "- src/billing was read",
            "- Change src/billing",
            "- Do not touch src/billing/monthly.py.",
            "- Don't leave src/billing alone",
            "- Do not read src/billing",
            "",
        ] {
            assert!(!says_alike(ORDER, &[line]), "{line}");
        }
        for (order, line) in [
            ("Do not touch src/billing, src/auth or lib/core.", "Do not touch src/billing."),
            ("Use tabs, never spaces.", "Use tabs."),
            ("Use tabs, the tests need it, and never spaces.", "Use tabs."),
            ("Do not touch src/billing until I say so.", "Do not touch src/billing."),
            ("Never push to main, CI does that.", "Never push."),
            ("Do not delete src/billing, it is used.", "Do not touch src/bill"),
        ] {
            assert!(!says_alike(order, &[line]), "{order}: {line}");
        }
    }
}
