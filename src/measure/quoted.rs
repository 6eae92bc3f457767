//! Quotations: text in quotes in a summary must have been said word for word, except for ellipses.

use super::constraints::has_cue;
use super::lines::{Line, claims};
use super::typos::is_mended;
use super::unrelated::{Shares, is_foreign, known_stems};
use super::{SourceText, pattern};
use crate::summary::{CURRENT, SectionSource, all_digits, contains_any};
use regex::{Captures, Regex};
use std::borrow::Cow;
use std::cell::LazyCell;
use std::sync::LazyLock;

/// A quotation that the source does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misquoted {
    /// Line of the summary, from 1.
    pub line: usize,
    /// The quoted text.
    pub text: String,
    /// All its words are in one place of the source in order, with others between them that no ellipsis marks.
    pub shortened: bool,
}

/// The section about what is wanted.
const GOAL: &str = SectionSource::Goal.heading();
/// Least number of words of a quotation: fewer are a name or a label.
const LEAST: usize = 3;
/// Least number of words of a run; between runs, words such as marks and addresses of links may be left out.
const RUN: usize = 4;
/// Most words between a short run and the one beside it.
const GAP: usize = 8;
/// Share of a quotation's bytes that must be in such runs, or in whole sentences.
const MOST: f64 = 0.66;
/// Size of one place in words: this many times the number of quoted words, plus a constant.
const SPREAD: (usize, usize) = (2, 12);
/// Most places that are searched, and most sentences of a quotation.
const PLACES: usize = 64;
/// Most places at which the words beside a short run are sought, so that the time is linear.
const MANY: usize = 4_096;
/// Negations. A short run with one does not count as quoted, as it may reverse the words beside it.
const NEGATING: [&str; 14] =
    ["not", "no", "never", "dont", "doesnt", "cannot", "cant", "without", "不", "没", "nicht", "kein", "nie", "pas"];

/// Words in typographic quotes.
static QUOTED: LazyLock<Regex> = LazyLock::new(|| pattern("“([^“”]+)”"));
/// Words in straight quotes that a line says a person said: `The user asked "light the lamp"`. Other straight quotes are
/// around names and values.
static STRAIGHT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"(?i)\b(?:users?|they|he|she)\b[^"“”`]{0,40}"([^"]{8,})""#));
/// A line that is in straight quotes, as other tools list the user's messages.
static LISTED: LazyLock<Regex> = LazyLock::new(|| pattern(r#"^"([^"]{8,})"$"#));
/// End of the heading above such lines.
const MESSAGES: &str = "user messages";
/// Marks of left-out words, and placeholders of secrets.
pub(super) static LEFT_OUT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"…|\.{3,}|\[[^\s\[\]]*(?: [^\s\[\]]+)?\]|</?[a-z][^\s<>]*(?: [^\s<>]+)?>"));
/// A command of a harness, which may be stored apart from its arguments.
static COMMAND: LazyLock<Regex> = LazyLock::new(|| pattern(r"^/[\w:.-]+\s"));
/// End of a sentence.
static SENTENCE: LazyLock<Regex> = LazyLock::new(|| pattern(r"[.!?:;]+\s|[。！？：；]"));
/// Text that a summary adds to quoted words: what they are, what they answer, what they refer to.
static ADDED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^Current request:|\bThen: “|”|\((?:to|after|later:|\w+ =) “[^“”]*”[^()]*\)"));
/// Words before printed output or a call's text, both of which may be stored with colors and escapes.
const SHOWN: [&str; 2] = ["printed ", "Ran "];
/// Output that a line of ours says a command printed.
static PRINTED: LazyLock<Regex> = LazyLock::new(|| pattern("(?:printed|ended with|asked) “([^“”]+)”"));

/// Returns a line about a request without what a summary adds to the quoted words, with `…` in its place: what they
/// answer (`(to “…”)`), what was asked then, and the label of the current request.
pub(crate) fn without_added(line: &str) -> Cow<'_, str> {
    ADDED.replace_all(line, "…")
}

/// Returns the number of quotations that were checked, and those that nobody said.
pub fn misquoted(text: &str, source: &SourceText<'_>) -> (usize, Vec<Misquoted>) {
    let (mut of, mut found) = (0, Vec::new());
    let mut judge = |line: &Line<'_>, quoted: &str, unsaid: Option<bool>| {
        of += 1;
        let wrong = |shortened| Misquoted { line: line.number, text: quoted.to_owned(), shortened };
        found.extend(unsaid.map(wrong));
    };
    for line in claims(text) {
        if contains_any(line.text, &SHOWN) {
            let outputs =
                PRINTED.captures_iter(line.text).filter_map(|found| found.get(1)).map(|quoted| quoted.as_str());
            outputs.for_each(|output| judge(&line, output, (!is_printed(output, source)).then_some(false)));
        } else {
            quotations(&line).for_each(|quoted| judge(&line, quoted, unsaid(quoted, source)));
        }
    }
    (of, found)
}

/// Whether a tool returned the words, or an earlier summary or anyone else has them.
fn is_printed(words: &str, source: &SourceText<'_>) -> bool {
    let is_cut = LEFT_OUT.is_match(words);
    LEFT_OUT.split(words).all(|piece| {
        let words = words_of(piece);
        // A word may be cut where something is left out.
        let words = if is_cut { words.trim().to_owned() } else { format!("{} ", words.trim_end()) };
        let has = |text: &str| memchr::memmem::find(text.as_bytes(), words.as_bytes()).is_some();
        has(source.spoken()) || has(source.printed())
    })
}

/// Returns the number of lines that state requests and rules, and those that nobody said. Only for a summary that
/// quotes; otherwise nothing is checked. Of one of ours that quotes a line, and has too few statements to tell whether
/// it does otherwise, those of whose words the source has next to none are wrong, and the others doubtful.
pub fn unasked(text: &str, source: &SourceText<'_>, shares: &Shares, ours: bool) -> (usize, Vec<Misquoted>) {
    let is_quoted =
        |line: Line<'_>| words_of(line.text).split_whitespace().count() >= LEAST && is_in_source(line.text, source);
    let few = match shares.quote() {
        Some(true) => false,
        None if ours && claims(text).any(is_quoted) => true,
        _ => return (0, Vec::new()),
    };
    let known = few.then(|| known_stems(source));
    // Another tool states the goal in its own words.
    let all_known = LazyCell::new(|| known_stems(source));
    let asked = claims(text).filter(Line::asks).map(|line| (line, without_added(line.text)));
    let asked: Vec<_> = asked.filter(|(_, words)| words_of(words).split_whitespace().count() >= LEAST).collect();
    let rows: Vec<&str> = text.lines().collect();
    let found = asked.iter().filter(|(line, _)| !is_head(line, &rows)).filter_map(|(line, words)| {
        let shortened = if line.text.starts_with('|') { unsaid_row(words, source)? } else { unsaid(words, source)? };
        let is_own = || line.section.eq_ignore_ascii_case(GOAL) && !line.text.starts_with(CURRENT);
        if !ours && is_own() && !is_foreign(words, &all_known) {
            return None;
        }
        let shortened = shortened || known.as_ref().is_some_and(|known| !is_foreign(words, known));
        Some(Misquoted { line: line.number, text: line.text.to_owned(), shortened })
    });
    (asked.len(), found.collect())
}

/// Whether a line is the head of a table: a row above one of dashes.
fn is_head(line: &Line<'_>, rows: &[&str]) -> bool {
    let dashes =
        |row: &&str| row.contains("--") && row.chars().all(|sign| matches!(sign, '|' | '-' | ':' | ' ' | '\t'));
    line.text.starts_with('|') && rows.get(line.number).is_some_and(dashes)
}

/// Like [`unsaid`] for a row of a table: one of its cells must have been said, as the others tell of it. Beside a cell
/// that was said, another with a cue word is doubtful.
fn unsaid_row(row: &str, source: &SourceText<'_>) -> Option<bool> {
    let cells = row.split('|').filter(|cell| words_of(cell).split_whitespace().count() >= LEAST);
    let all: Vec<(&str, Option<bool>)> = cells.map(|cell| (cell, unsaid(cell, source))).collect();
    if all.iter().any(|(_, unsaid)| unsaid.is_none()) {
        return all.iter().any(|(cell, unsaid)| unsaid.is_some() && has_cue(cell)).then_some(true);
    }
    (!all.is_empty()).then(|| all.iter().any(|(_, unsaid)| *unsaid == Some(true)))
}

/// `None` if the words were said; otherwise whether they are [`Misquoted::shortened`].
fn unsaid(words: &str, source: &SourceText<'_>) -> Option<bool> {
    let all = |holds: fn(&str, &SourceText<'_>) -> bool| LEFT_OUT.split(words).all(|piece| holds(piece, source));
    if all(is_in_source) || is_mended(words, source.spoken()) { None } else { Some(all(spread)) }
}

/// The quotations of a line, without names and labels.
pub(super) fn quotations<'t>(line: &Line<'t>) -> impl Iterator<Item = &'t str> {
    let is_list = line.section.to_lowercase().ends_with(MESSAGES);
    let listed = LISTED.captures_iter(line.text).filter(move |_| is_list);
    // Between two quotations there is none.
    let opens = |found: &Captures<'_>| {
        found.get(1).is_some_and(|quoted| line.text[..quoted.start()].matches('"').count() % 2 == 1)
    };
    let spoken = STRAIGHT.captures_iter(line.text).filter(opens);
    let all = QUOTED.captures_iter(line.text).chain(spoken).chain(listed);
    let all: Vec<&str> = all.filter_map(|found| found.get(1)).map(|quoted| quoted.as_str()).collect();
    all.into_iter().filter(|text| words_of(text).split_whitespace().count() >= LEAST)
}

/// Whether the words of a piece are in the source: each sentence as a whole, or most of its words in long runs and no
/// new word. The first and the last word may be cut.
fn is_in_source(piece: &str, source: &SourceText<'_>) -> bool {
    let bare = COMMAND.replace(piece.trim(), "");
    let (mut in_runs, mut all) = (0, 0);
    for sentence in SENTENCE.split(&bare).take(PLACES) {
        let words = words_of(sentence);
        let whole = words.trim();
        let Some(runs) = runs(whole, source.spoken()) else { return false };
        all += whole.len();
        for (at, run) in runs.iter().enumerate() {
            let short = run.split_whitespace().count() < RUN;
            if runs.len() == 1 || !short {
                in_runs += run.len();
            } else if !is_line(run.trim(), source) && (is_negating(run) || is_elsewhere(&runs, at, source.spoken())) {
                return false;
            }
        }
    }
    in_runs as f64 >= MOST * all as f64
}

/// Whether a run has a negation.
fn is_negating(run: &str) -> bool {
    run.split_whitespace().any(|word| NEGATING.contains(&word))
}

/// The runs that words fall into, each the longest from its first word on; `None` if a word is nowhere.
fn runs<'w>(words: &'w str, spoken: &str) -> Option<Vec<&'w str>> {
    let (mut rest, mut all) = (words, Vec::new());
    while !rest.is_empty() {
        let length = run(rest, spoken)?;
        all.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    Some(all)
}

/// Whether a short run is at no place near the run beside it: its words were put in place of others. The last run may
/// be cut. Numbers alone are never near: next to their neighbors they would be in one run with them.
fn is_elsewhere(runs: &[&str], at: usize, spoken: &str) -> bool {
    let short: Vec<&str> = runs[at].split_whitespace().collect();
    if short.iter().all(|word| all_digits(word)) {
        return true;
    }
    let is_near = |before: &str, words: &[&str], cut: bool| {
        memchr::memmem::find_iter(spoken.as_bytes(), before.trim_end()).take(MANY).any(|place| {
            let mut behind = spoken[place + before.trim_end().len()..].split_whitespace().take(GAP + words.len());
            let (last, first) = words.split_last().unwrap_or((&"", &[]));
            first.iter().all(|word| behind.any(|other| other == *word))
                && behind.any(|other| if cut { other.starts_with(last) } else { other == *last })
        })
    };
    let cut = at + 1 == runs.len();
    let behind = at > 0 && is_near(runs[at - 1], &short, cut);
    let next = || {
        runs.get(at + 1).is_some_and(|next| {
            let beginning: Vec<&str> = next.split_whitespace().take(RUN).collect();
            is_near(runs[at], &beginning, at + 2 == runs.len())
        })
    };
    !(behind || next())
}

/// Whether the words make up a whole line: “This doesn't work” above a program.
fn is_line(words: &str, source: &SourceText<'_>) -> bool {
    let may_be = |line: &&str| line.trim().len() <= 2 * words.len();
    words.contains(' ') && source.lines().filter(may_be).any(|line| words_of(line).trim() == words)
}

/// Length in bytes of the longest run of words, from the first on, that is in the source; `None` if the first is not.
fn run(words: &str, spoken: &str) -> Option<usize> {
    let stands = |length: &usize| memchr::memmem::find(spoken.as_bytes(), &words.as_bytes()[..*length]).is_some();
    if stands(&words.len()) {
        return Some(words.len());
    }
    words.match_indices(' ').map(|(at, _)| at + 1).take_while(stands).last()
}

/// Whether the words are in one place of the source in order, with other words between them.
fn spread(piece: &str, source: &SourceText<'_>) -> bool {
    let (words, spoken) = (words_of(piece), source.spoken());
    let words: Vec<&str> = words.split_whitespace().collect();
    let Some((first, rest)) = words.split_first() else { return true };
    memchr::memmem::find_iter(spoken.as_bytes(), &format!(" {first} ")).take(PLACES).any(|at| {
        let mut behind = spoken[at + 1 + first.len()..].split_whitespace().take(words.len() * SPREAD.0 + SPREAD.1);
        rest.iter().all(|word| behind.any(|other| other == *word))
    })
}

/// The words of a text in lower case, each between spaces, without apostrophes and emphasis. In scripts that don't
/// separate words, every character counts as a word.
pub(crate) fn words_of(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    words.push(' ');
    for letter in text.chars().filter(|letter| !matches!(letter, '\'' | '’' | '*' | '~')) {
        let alone = is_sign(letter);
        if (alone || !letter.is_alphanumeric()) && !words.ends_with(' ') {
            words.push(' ');
        }
        if alone {
            words.extend([letter, ' ']);
        } else if letter.is_alphanumeric() {
            words.extend(letter.to_lowercase());
        }
    }
    words
}

/// Whether a character is Chinese or Japanese.
fn is_sign(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::source::on_said;

    const SAID: &str = "The harbour log is wrong.\n- Never touch **lamps/** without asking me, please.\n\
        Then write the readme, see [the guide](https://example.org/guide) first.\n请先看一下**日志**，不要改代码。";

    fn asked(text: &str, source: &SourceText<'_>, ours: bool) -> (usize, Vec<Misquoted>) {
        unasked(text, source, &Shares::of(text, source), ours)
    }

    fn wrong(line: &str) -> bool {
        on_said(SAID, |source| !misquoted(&format!("## Goal\n- Asked: “{line}”"), source).1.is_empty())
    }

    #[test]
    fn what_was_said_may_be_quoted_in_part() {
        for line in [
            "Never touch lamps/ without asking me, please.",
            "/guide Then write the readme, see the guide first.",
            "The harbour log is wro…",
            "The harbour log is wrong. … write the readme",
            "The harbour log is wrong. Then write the readme, see…",
            "请先看一下日志，不要改代码",
            "Never touch **lamps/** with**out** asking me",
            "Delete it all",
        ] {
            assert_eq!(wrong(line), line.starts_with("Delete"), "{line}");
        }
    }

    #[test]
    fn printed_words_stand_in_a_result_without_its_colors() {
        let mut transcript = crate::transcript::sketch::sketch("utr");
        let result = "Checked \u{1b}[32m286 files\u{1b}[0m in 126ms.\nand 289 lamps";
        transcript.messages[2].parts[0].text = result.to_owned().into();
        let source = SourceText::new(&transcript.messages.iter().collect::<Vec<_>>());
        let wrong = |line: &str| !misquoted(&format!("## Accomplished\n- {line}"), &source).1.is_empty();
        assert!(!wrong("Ran `lint`: ok, printed “Checked 286 files in 126ms.”"));
        assert!(!wrong("Ran `lint`: ok, ended with “… files in 126ms.”"));
        assert!(wrong("Ran `lint`: ok, printed “Checked 289 files in 126ms.”"));
        assert!(wrong("Ran `lint`: ok, printed “6 files in 126ms.”"), "a part of a word");
        assert!(wrong("Ran `lint`: ok, printed “Checked 286 files”, ended with “all lamps are lit”"));
        transcript.messages[2].parts[0].text = r#"{"output":"total 12\tH\u00f6he\n"}"#.to_owned().into();
        let source = SourceText::new(&transcript.messages.iter().collect::<Vec<_>>());
        let line = "## Accomplished\n- Ran `count`: ok, printed “total 12 Höhe”";
        assert_eq!(misquoted(line, &source).1, []);
    }

    #[test]
    fn a_word_of_another_place_is_no_quotation() {
        let said = "5 seems like a great lamp to mend, let's do this in 3 steps, and the column on the left shows the newest one.\n\
            There are 2 lamps and 8 boats. The oldest boat lies on the right of the pier, and the previous keeper has gone home for good.";
        on_said(said, |source| {
            let wrong = |line: &str| !misquoted(&format!("## Goal\n- Asked: “{line}”"), source).1.is_empty();
            assert!(!wrong("5 seems like a great lamp to mend, let's do this in 3 steps"));
            for other in [
                "2 seems like a great lamp to mend, let's do this in 3 steps",
                "5 seems like a great lamp to mend, let's do this in 8 steps",
                "the column on the right shows the newest one",
                "the column on the left shows the oldest one",
            ] {
                assert!(wrong(other), "{other}");
            }
        });
    }

    #[test]
    fn straight_quotes_are_quotations_where_a_person_said_them() {
        let wrong = |text: &str| on_said(SAID, |source| !misquoted(text, source).1.is_empty());
        for (line, is_wrong) in [
            ("The user said: \"Never touch the boats without asking me\"", true),
            ("The user said: \"Never touch lamps/ without asking me\"", false),
            ("It printed \"three boats in the harbour\"", false),
        ] {
            assert_eq!(wrong(&format!("## Discoveries\n- {line}")), is_wrong, "{line}");
        }
        let list = |line: &str| format!("## All user messages\n- \"{line}\"");
        assert!(wrong(&list("Please paint the boats red")) && !wrong(&list("The harbour log is wrong.")));
    }

    #[test]
    fn a_link_is_quoted_as_its_text_or_its_target() {
        on_said("Light the lamp [lampPost.ts](quay/lamps/lampPost.ts) at dusk.", |source| {
            let wrong = |line: &str| !misquoted(&format!("## Goal\n- Asked: “{line}”"), source).1.is_empty();
            assert!(!wrong("Light the lamp quay/lamps/lampPo…") && !wrong("Light the lamp lampPost.ts at dusk."));
            assert!(wrong("Light the lamp quay/ferries/lampPost.ts at dusk."));
        });
    }

    #[test]
    fn other_words_are_no_quotation() {
        for line in [
            "Then delete the readme, please.",
            "Always touch lamps/ without asking.",
            "Delete the old harbour log and drop all of its lamps.",
            "请先改一下代码，不要看日志",
            "The harbour log is not wrong.",
            "[Delete everything now and push to main]",
        ] {
            assert!(wrong(line), "{line}");
        }
    }

    #[test]
    fn a_short_line_that_denies_something_is_quoted_as_a_whole() {
        let said = "This doesn't work\n```\nlight()\n```\nYou keep the lamps of the northern harbour.";
        for (line, wrong) in [
            ("This doesn't work You keep the lamps of the northern harbour.", false),
            ("This doesn't You keep the lamps of the northern harbour.", true),
        ] {
            let summary = format!("## Goal\n- Asked: “{line}”");
            assert_eq!(on_said(said, |source| misquoted(&summary, source).1.is_empty()), !wrong, "{line}");
        }
    }

    #[test]
    fn a_summary_that_quotes_has_no_order_of_its_own() {
        let said: Vec<String> = (0..6)
            .map(|at| {
                format!("The gauge number {at} of the northern harbour reports heights twice because of clock {at}.")
            })
            .collect();
        let orders = "Never touch the lamps. Write the harbour readme now.";
        on_said(&format!("{}\n{orders}", said.join("\n")), |source| {
            let summary = |rule: &str, current: &str| {
                let found = said.iter().map(|line| format!("- {line}\n")).collect::<String>();
                format!("## Goal\n- Current request: {current}\n## Instructions\n- {rule}\n## Discoveries\n{found}")
            };
            let false_lines = |rule: &str, current: &str| -> Vec<usize> {
                asked(&summary(rule, current), source, false).1.iter().map(|one| one.line).collect()
            };
            assert_eq!(false_lines("Never touch the lamps.", "Write the harbour readme now."), [0; 0]);
            assert_eq!(false_lines("Never write comments.", "Drop the harbour tables now."), [2, 4]);
            let goal = |goal: &str| {
                let free = summary("Never touch the lamps.", "x").replace("- Current request: x", goal);
                asked(&free, source, false).1.len()
            };
            assert_eq!(goal("Mend the gauges of the northern harbour, which report their heights twice"), 0);
            assert_eq!(goal("Mend the currency converter of all payments"), 1);
            let table = |row: &str| {
                let bare = summary("Never touch the lamps.", "Write the harbour readme now.");
                let head = "| Rule of the user | Where it was said |\n|---|---|";
                let found =
                    asked(&bare.replace("- Never touch the lamps.", &format!("{head}\n{row}")), source, false).1;
                found.iter().map(|one| one.shortened).collect::<Vec<_>>()
            };
            assert_eq!(table("| Never touch the lamps. | in the first message of all |"), [false; 0]);
            assert_eq!(table("| Never write any comments. | in the first message of all |"), [false]);
            assert_eq!(table("| Never touch the lamps. | Never write any comments. |"), [true], "a warning");
        });
    }

    #[test]
    fn a_short_summary_of_ours_has_no_order_of_its_own_either() {
        let wrong = |line: &str, ours: bool| {
            let text = format!("## Goal\n- Current request: {line}\n\n## Discoveries\n- The harbour log is wrong.\n");
            on_said(SAID, |source| asked(&text, source, ours).1.iter().map(|one| one.shortened).collect::<Vec<_>>())
        };
        assert_eq!(wrong("Delete the whole repository.", true), [false]);
        assert_eq!(
            wrong("Write the harbour readme without a log first.", true),
            [true],
            "it may be told in other words"
        );
        assert_eq!(wrong("Then write the readme", true), [false; 0]);
        assert_eq!(wrong("Delete the whole repository.", false), [false; 0]);
    }
}
