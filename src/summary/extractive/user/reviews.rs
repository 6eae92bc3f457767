//! Reviews and reports of others that a user pastes behind a line that hands them over: “Here's the compiled report:”,
//! “The reviewer says:”. “No tests of the quay” is a finding of theirs, and no rule.

use super::material::goes_on;
use super::printed::orders;
use super::ruled::heads_rules;
use crate::summary::extractive::sentences::prose::{heading, without_marker};
use crate::summary::text::{QUESTION_MARKS, each_word, has_any, has_words, list_number, starts_any, words};

/// Words for such a text, and for those who write one.
const REVIEWS: [&str; 28] = [
    "analysis",
    "audit",
    "comments",
    "critique",
    "feedback",
    "findings",
    "report",
    "review",
    "reviewer",
    "reviewers",
    "reviews",
    "bericht",
    "gutachten",
    "rückmeldung",
    "relecture",
    "rapport",
    "informe",
    "revisión",
    "relatório",
    "revisão",
    "relazione",
    "revisione",
    "отчёт",
    "отчет",
    "ревью",
    "отзыв",
    "报告",
    "评审",
];
/// Words with which it is shown.
const SHOWS: [&str; 27] = [
    "below are",
    "below is",
    "came back",
    "found",
    "got this",
    "got these",
    "here are",
    "here is",
    "here's",
    "reports",
    "said",
    "says",
    "wrote",
    "hier ist",
    "hier sind",
    "sagt",
    "schreibt",
    "voici",
    "dit",
    "aquí está",
    "dice",
    "aqui está",
    "ecco",
    "вот",
    "пишет",
    "以下是",
    "如下",
];
/// Words of a line about a text of the user, or about one that is to be written.
const OWN: [&str; 22] = [
    "my",
    "our",
    "create",
    "draft",
    "format",
    "guidelines",
    "instructions",
    "include",
    "must",
    "need",
    "produce",
    "rule",
    "rules",
    "should",
    "template",
    "write",
    "mein",
    "meine",
    "mon",
    "mes",
    "mi",
    "мой",
];
/// Beginnings of an order in the form of a question.
const CAN_YOU: [&str; 2] = ["can you ", "could you "];
/// Words of an order that a review begins its own accounts with, too.
const PERSONS: [&str; 3] = ["i", "we", "you"];
/// Maximum number of words of such a line.
const FEW: usize = 14;

/// Excludes the text behind such a line up to a last paragraph in which the user goes on, but not what it orders.
pub(super) fn leave_review(lines: &[&str], own: &mut [bool]) {
    let below = |at: usize| lines[at + 1..].iter().filter(|line| line.contains(char::is_alphanumeric));
    let marks =
        |line: &&str| line.starts_with('#') || without_marker(line.trim()).0 || list_number(line.trim()).is_some();
    let soon = |at: usize, most: usize| below(at).take(most).any(marks);
    let is_lead = |at: &usize| hands_over(lines[*at]) && soon(*at, 1) || has_found(lines[*at]) && soon(*at, SOON);
    let lead = (0..lines.len()).find(is_lead);
    let Some(start) = lead.map(|at| at + 1).or(is_review(lines).then_some(0)) else { return };
    let last = lines.iter().rposition(|line| line.trim().is_empty()).map_or(lines.len(), |blank| blank + 1);
    let addresses = |line: &&str| {
        let asks = line.trim_end().ends_with(QUESTION_MARKS) || starts_any(&line.to_lowercase(), &CAN_YOU);
        let is_short = last + 1 == lines.len() && !marks(line) && words(line) <= FEW;
        asks || goes_on(line) || is_short && orders(line.trim())
    };
    let end = if last > start && lines.get(last).is_some_and(addresses) { last } else { lines.len() };
    // Rules behind it are the user's.
    let ruled = lines[start..end].iter().position(|line| is_of_rules(line));
    let end = ruled.map_or(end, |at| start + at);
    for (line, own) in lines[start..end].iter().zip(&mut own[start..end]) {
        let (_, words) = without_marker(line.trim());
        let first = words.split([' ', '\'']).next().unwrap_or_default().to_lowercase();
        *own &= orders(words) && !PERSONS.contains(&&*first);
    }
}

/// Whether a line is a heading or label that says that rules follow.
fn is_of_rules(line: &str) -> bool {
    let line = line.trim();
    let label = || line.trim_matches('*').strip_suffix([':', '：']);
    heading(line).or_else(label).is_some_and(heads_rules)
}

/// Words for the weight of a finding.
const SEVERITIES: [&str; 12] =
    ["blocker", "critical", "high", "low", "major", "medium", "minor", "nit", "p0", "p1", "p2", "p3"];
/// Minimum number of places in code below a heading of findings, and of numbered items that end with one.
const PLACES: usize = 2;
const PLACED: usize = 3;
/// Words of a line in which the user asks for something.
const ASKS: [&str; 5] = ["i", "please", "we", "you", "your"];
/// Maximum number of words of a first line that is such a heading without a mark, with numbered items right below it.
const HEADS: usize = 8;

/// Whether a text is nothing but a review: it begins with findings that are weighed, or has a heading of findings or
/// numbered ones, with places in code: “1. Stale log (lamp.rs:7)”.
fn is_review(lines: &[&str]) -> bool {
    let item = |line: &str| list_number(line.trim()).map(|(_, item)| item.trim().to_owned());
    let weighed = |line: &&str| {
        let item = item(line).unwrap_or_else(|| without_marker(line.trim()).1.to_owned()).to_lowercase();
        let bare = item.trim_start_matches(['*', '[']);
        SEVERITIES.iter().any(|word| bare.strip_prefix(word).is_some_and(|rest| rest.starts_with([':', ']', '*'])))
    };
    let first = || lines.iter().find(|line| !line.trim().is_empty()).is_some_and(weighed);
    let named = || lines.iter().any(|line| line.contains('`') || line.contains("]("));
    let tells_findings = |line: &str| has_words(&line.to_lowercase(), "findings");
    let heads = |line: &&str| heading(line.trim()).is_some_and(tells_findings);
    let bare_head = || {
        let mut filled = lines.iter().filter(|line| !line.trim().is_empty());
        let own = |line: &str| {
            let lower = line.to_lowercase();
            orders(line.trim()) || each_word(&lower).any(|word| OWN.contains(&word) || ASKS.contains(&word))
        };
        let head = filled.next().filter(|line| words(line) <= HEADS && tells_findings(line) && !own(line));
        head.is_some() && filled.next().is_some_and(|line| item(line).is_some())
    };
    let places = || lines.iter().filter(|line| has_place(line)).count();
    let placed = || {
        let all = lines.iter().filter(|line| item(line).is_some_and(|item| item.ends_with(')') && has_place(&item)));
        all.count() >= PLACED
    };
    first() && named() || (lines.iter().any(heads) || bare_head()) && places() >= PLACES || placed()
}

/// Whether a line names a line of a file: “(`lamp.rs:7`)”.
fn has_place(line: &str) -> bool {
    let mut words = line.split(|char: char| char.is_whitespace() || "()`*,;[]".contains(char));
    words.any(|word| {
        let Some((file, number)) = word.rsplit_once(':') else { return false };
        let ending = file.rsplit('.').next().unwrap_or_default();
        let is_file = ending.len() < file.len() && ending.starts_with(|char: char| char.is_ascii_alphabetic());
        is_file && number.starts_with(|char: char| char.is_ascii_digit())
    })
}

/// Whether the last sentence of a line hands over a review of others.
fn hands_over(line: &str) -> bool {
    let Some(line) = line.trim().trim_end_matches('*').strip_suffix([':', '：']) else { return false };
    let last = [". ", "! ", "? "].iter().fold(line, |rest, end| rest.rsplit_once(end).map_or(rest, |(_, last)| last));
    let lower = last.to_lowercase().replace('’', "'");
    words(last) <= FEW
        && has_any(&lower, &REVIEWS)
        && has_any(&lower, &SHOWS)
        && !each_word(&lower).any(|word| OWN.contains(&word))
}

/// Words for what a review finds, that it was found, and orders to mend it.
const FAULTS: [&str; 6] = ["bugs", "defects", "errors", "findings", "issues", "problems"];
const FOUND: [&str; 4] = ["found", "raised", "reported", "turned up"];
const MENDS: [&str; 7] = ["address", "correct", "fix", "handle", "mend", "resolve", "solve"];
/// Maximum number of words of a line that says so, and of lines of text below it up to the first item.
const TELLS: usize = 30;
const SOON: usize = 3;

/// Whether a line says that a review found what stands below it, and has that mended: “I ran the audit and found these
/// issues, fix them all.”
fn has_found(line: &str) -> bool {
    let lower = line.to_lowercase();
    words(line) <= TELLS && [&REVIEWS[..], &FAULTS, &FOUND, &MENDS].iter().all(|all| has_any(&lower, all))
}

#[cfg(test)]
mod tests {
    use super::leave_review;

    fn own(text: &str) -> Vec<&str> {
        let lines: Vec<&str> = text.lines().collect();
        let mut own = vec![true; lines.len()];
        leave_review(&lines, &mut own);
        lines.into_iter().zip(own).filter(|(line, own)| *own && !line.is_empty()).map(|(line, _)| line).collect()
    }

    #[test]
    fn a_pasted_review_is_no_rule_of_the_user() {
        let review =
            "---\n\n## Review of the quay\n\n### Tests\n\n- Empty quay never tested.\n- No tests of the tide.\n";
        for lead in [
            "All are in. Here's the compiled report:",
            "**The reviewer says:**",
            "Hier ist der Bericht:",
            "以下是评审报告：",
        ] {
            assert_eq!(own(&format!("Mend the pier.\n\n{lead}\n\n{review}")), ["Mend the pier.", lead]);
        }
        let asks = format!("The reviewer says:\n\n{review}\nPlease mend it all.");
        assert_eq!(own(&asks), ["The reviewer says:", "Please mend it all."]);
        let short = format!("The reviewer says:\n\n{review}\nRemove the old oil.");
        assert_eq!(own(&short), ["The reviewer says:", "Remove the old oil."]);
        let orders = "The reviewers found:\n\n- No tests of the tide.\n- Always light the pier.";
        assert_eq!(own(orders), ["The reviewers found:", "- Always light the pier."]);
    }

    #[test]
    fn what_a_review_found_is_no_rule_though_the_user_has_it_mended() {
        let below = "Conclusion: **Fail**\n- Records are never written.\n- Always light the pier.";
        let lead = "I ran the audit on the quay and found these issues, act as a senior and fix them all.";
        assert_eq!(own(&format!("{lead}\n\n{below}")), [lead, "- Always light the pier."]);
        let ruled = format!("{lead}\n\n{below}\n\nConstraints:\n- No change of the pier.");
        assert_eq!(own(&ruled)[2..], ["Constraints:", "- No change of the pier."]);
        let other = "Run the audit of the quay.";
        assert_eq!(own(&format!("{other}\n\n{below}")).len(), 4);
    }

    #[test]
    fn a_text_that_is_nothing_but_a_review_is_none_either() {
        for review in [
            "1. High: `light` never checks the oil.\n\n2. Low: no tests of it.",
            "Second look.\n\n## Findings that stand\n\nThe oil (`lamp.rs:7`) is never checked.\n- `quay.rs:14`: no tests.",
            "New findings on this pass\n\n  1. The oil is never checked (lamp.rs:7,\n  quay.rs:9).\n  2. No tests of quay.rs:14.",
            "1. Stale oil (lamp.rs:7)\nIt is never checked.\n2. No tests (quay.rs:14)\n3. Dead code (pier.rs:3)",
        ] {
            assert!(own(review).is_empty(), "{review}");
            assert_eq!(own(&format!("{review}\n\nplease mend these.")), ["please mend these."]);
        }
    }

    #[test]
    fn what_the_user_says_of_a_review_stays() {
        for text in [
            "Here is my feedback:\n\n- No lamps on the quay.",
            "Write the report, here are the rules:\n\n- No lamps on the quay.",
            "The report must say what we found:\n\n- No lamps on the quay.",
            "Here's the report: it is long.\n\n- No lamps on the quay.",
            "1. Light the pier (lamp.rs:7)\n2. Mend the quay (quay.rs:14)\n\n- No lamps on the quay.",
            "1. High: the pier.\n- No lamps on the quay.",
            "Here are my findings.\n1. The oil is old (lamp.rs:7).\n2. No wick (quay.rs:14).\n\n- No lamps on the quay.",
            "Please fix the findings below:\n1. The oil (lamp.rs:7).\n2. No wick (quay.rs:14).\n- No lamps on the quay.",
            "Look into the findings of the last review of lamp.rs:7.\n\n1. Mend quay.rs:14.\n- No lamps on the quay.",
        ] {
            assert_eq!(own(text).last(), Some(&"- No lamps on the quay."), "{text}");
        }
    }
}
