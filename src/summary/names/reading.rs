//! Reads names in single texts: which are defined there, which are mentioned for sure, which are cut from escapes.

use super::super::extractive::{Place, Places};
use super::super::head::Head;
use super::super::knowledge::{Doubt, Knowledge, Known};
use super::dashed::{Dashed, add};
use super::definitions::{definitions, is_letter, words};
use super::minor::minor_among;
use crate::facts::{cuts_escape, readable_text};
use crate::summary::text::{all_digits, contains_any, has_digit};
use crate::transcript::{pieces, spread};
use foldhash::{HashMap, HashSet};
use memchr::memmem;
use std::ops::Range;

/// What a piece of the head says about names.
#[derive(Default)]
pub(super) struct Reading {
    /// Facts that a file defines, with the index of the last part in [`Knowledge`] that does.
    pub(super) defined: HashMap<u32, usize>,
    /// Doubtful facts that are mentioned for sure.
    pub(super) whole: HashSet<u32>,
    /// Ids that are part of a longer one, with the first such ones.
    pub(super) inside: HashMap<u32, Vec<String>>,
    /// Facts that begin with the letter of an escape somewhere (`\nName`).
    pub(super) cut: HashSet<u32>,
    /// Facts that have a sign of an escape somewhere: digits of a percent escape (`%2Fname`), a shown control
    /// character.
    pub(super) encoded: HashSet<u32>,
    /// By the index of a part in [`Knowledge`]: the facts that are minor there, ascending.
    pub(super) minor: Vec<(usize, Vec<u32>)>,
}

impl Reading {
    /// Reads the parts that have facts, piece by piece in parallel.
    pub(super) fn of_all(head: Head<'_, '_>, knowledge: &Knowledge, found: &Places) -> Vec<Self> {
        let part = |known: &Known| &head.messages[known.message].parts[known.part];
        let cuts = pieces(knowledge.parts.iter().map(|known| part(known).text.len()));
        spread(head.spreading.over, &cuts, |piece| {
            let mut reading = Self::default();
            for (at, known) in piece.clone().zip(&knowledge.parts[piece]) {
                let place = found.get(&(known.message, known.part));
                reading.add_encoded(&part(known).text, &known.facts, knowledge);
                reading.add_controls(&part(known).text, &known.facts, knowledge);
                // A text without a place, one of the harness, says nothing about numbers and amounts.
                let tells = |fact: &&u32| place.is_some() || knowledge.doubt(**fact) == Some(Doubt::Escape);
                let told: Vec<u32> = known.facts.iter().filter(tells).copied().collect();
                reading.add_whole(&part(known).text, &told, knowledge);
                reading.add_codes(&part(known).text, &known.facts, knowledge);
                let minor = minor_among(part(known), place, &known.facts, knowledge);
                reading.minor.extend((!minor.is_empty()).then_some((at, minor)));
                if let Some(Place::File(path)) = place {
                    let text = readable_text(part(known));
                    let names = definitions(&text, path).filter_map(|name| knowledge.identifier(name));
                    reading.defined.extend(names.map(|fact| (fact, at)));
                }
            }
            reading
        })
    }

    /// Adds the facts of a text that begin with digits of a percent escape.
    fn add_encoded(&mut self, text: &str, facts: &[u32], knowledge: &Knowledge) {
        let bytes = text.as_bytes();
        let digits = |at: &usize| bytes.get(at + 1..at + 3).is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit));
        for at in memchr::memchr_iter(b'%', bytes).filter(digits) {
            let cut = |name: &str| (1..=2).any(|skipped| begins_in_escape(text, at + skipped, name));
            self.encoded.extend(facts.iter().filter(|fact| cut(&knowledge.facts[**fact as usize].value)));
        }
    }

    /// Adds the facts that have a sign of a control character in a text that shows these, as `cat -A` and `less` do.
    fn add_controls(&mut self, text: &str, facts: &[u32], knowledge: &Knowledge) {
        let shows = || contains_any(text, &SHOWN_CONTROLS) || text.starts_with("^I");
        if memchr::memchr(b'^', text.as_bytes()).is_some() && shows() {
            let cut: HashSet<&str> = words(text)
                .filter(|word| in_control(text, word.start, &text[word.clone()]))
                .map(|word| &text[word])
                .collect();
            let first = |name: &'_ str| name.bytes().take_while(|byte| is_letter(*byte)).count();
            let is_cut = |name: &str| name.contains("M-") || cut.contains(&name[..first(name)]);
            self.encoded.extend(facts.iter().filter(|fact| is_cut(&knowledge.facts[**fact as usize].value)));
        }
    }

    /// Adds the doubtful ones of these facts that a text mentions for sure.
    fn add_whole(&mut self, text: &str, facts: &[u32], knowledge: &Knowledge) {
        let (mut alone, mut codes, mut windows): (Option<HashSet<&str>>, Option<HashSet<&str>>, _) = (None, None, None);
        let numbers = facts.iter().filter(|fact| knowledge.doubt(**fact) == Some(Doubt::Number));
        let shortest = numbers.map(|fact| knowledge.facts[*fact as usize].value.len()).min().unwrap_or_default();
        for &fact in facts {
            let doubt = knowledge.doubt(fact).filter(|_| !self.whole.contains(&fact));
            let Some(doubt) = doubt else { continue };
            let name = knowledge.facts[fact as usize].value.as_str();
            let is_whole = match doubt {
                Doubt::Number => alone.get_or_insert_with(|| lone_numbers(text, shortest)).contains(name),
                Doubt::Figure => stands_whole(text, name),
                Doubt::Fraction => codes.get_or_insert_with(|| lone_codes(text)).contains(name),
                Doubt::Escape => stands_plain(text, name) || *windows.get_or_insert_with(|| has_drive(text)),
                Doubt::Code => continue,
            };
            if is_whole {
                self.whole.insert(fact);
            } else if doubt == Doubt::Escape {
                self.cut.insert(fact);
            }
        }
    }

    /// Adds the ids of these facts that stand alone in a text, and those that are part of a longer one.
    pub(super) fn add_codes(&mut self, text: &str, facts: &[u32], knowledge: &Knowledge) {
        let is_open = |fact: &u32| knowledge.doubt(*fact) == Some(Doubt::Code) && !self.whole.contains(fact);
        let open: Vec<u32> = facts.iter().copied().filter(is_open).collect();
        if open.is_empty() {
            return;
        }
        let read = Dashed::of(text);
        for fact in open {
            let name = knowledge.facts[fact as usize].value.as_str();
            if read.alone.contains(name) {
                self.whole.insert(fact);
            } else if let Some(longer) = read.inside.get(name) {
                let all = self.inside.entry(fact).or_default();
                longer.iter().for_each(|longer| add(all, (*longer).to_owned()));
            }
        }
    }
}

/// Maximum number of digits of a phone number.
const PHONE: usize = 14;

/// Whether a name occurs in a text after a text that `wanted` accepts.
fn stands(text: &str, name: &str, wanted: impl Fn(&str) -> bool) -> bool {
    memmem::find_iter(text.as_bytes(), name).any(|at| wanted(&text[..at]))
}

/// What a text has that shows control characters: tabs, ends of lines, colors, bytes above ASCII.
const SHOWN_CONTROLS: [&str; 6] = ["\n^I", "\\n^I", "^M$", "^M\n", "^[[", "M-^"];

/// Whether a name occurs in a text without a sign of an escape.
pub(super) fn stands_clean(text: &str, name: &str) -> bool {
    let mut all = memmem::find_iter(text.as_bytes(), name);
    all.any(|at| !cuts_escape(&text[..at], name) && !in_control(text, at, name))
}

/// Whether the name at the offset `at` has a sign of a shown control character: `IonClick` of `^IonClick`, `mquay` of
/// `^[[1mquay`, `lampM` of `lampM-bM-^@M-^Y`.
fn in_control(text: &str, at: usize, name: &str) -> bool {
    let (before, behind) = (&text[..at], &text[at + name.len()..]);
    let code = || before.trim_end_matches(|char: char| char.is_ascii_digit() || char == ';');
    before.ends_with('^') && name.starts_with(|char: char| char.is_ascii_uppercase())
        || name.starts_with('m') && code().ends_with("^[[")
        || name.contains("M-")
        || name.ends_with('M') && behind.starts_with('-')
}

/// Whether a name occurs at the offset `at` and begins with digits of a percent escape there.
fn begins_in_escape(text: &str, at: usize, name: &str) -> bool {
    text.as_bytes()[at..].starts_with(name.as_bytes()) && cuts_escape(&text[..at], name)
}

/// Whether a name occurs in a text without a backslash before it, and without its first letter ending a color code
/// (`[33mName`).
fn stands_plain(text: &str, name: &str) -> bool {
    let colored = |before: &str| {
        let code = before.trim_end_matches(|char: char| char.is_ascii_digit() || char == ';');
        name.starts_with('m') && code.len() < before.len() && code.ends_with('[')
    };
    stands(text, name, |before| !before.ends_with('\\') && !colored(before))
}

/// Whether a text names a folder of Windows, `C:\\quay`: there a backslash before a name is no escape.
fn has_drive(text: &str) -> bool {
    let behind = |at: usize| text[..at].chars().rev().take(2).collect::<Vec<_>>();
    // The end of a line of code: `for lamp in x:\n`. Behind a drive more folders follow.
    let ends_line = |at: usize| {
        let word = text[at + 2..].split([' ', '"', '\'', '\n']).next().unwrap_or_default();
        let escapes = |rest: &str| rest.starts_with(['n', 'r', 't', '\\']) || rest.is_empty();
        word.starts_with(['n', 'r', 't']) && word.split('\\').skip(1).all(escapes)
    };
    let is_drive = |drive: char, at: usize| drive.is_ascii_uppercase() || drive.is_ascii_lowercase() && !ends_line(at);
    memmem::find_iter(text.as_bytes(), ":\\").any(|at| match behind(at)[..] {
        [drive] => is_drive(drive, at),
        [drive, before] => is_drive(drive, at) && !before.is_alphanumeric(),
        _ => false,
    })
}

/// Whether a figure occurs in a text on its own, not in a longer one.
fn stands_whole(text: &str, figure: &str) -> bool {
    let ends = |at: usize| !figure.starts_with('$') || !is_grouped(&text[at + figure.len()..]);
    memmem::find_iter(text.as_bytes(), figure).any(|at| ends(at) && stands_alone(text, at..at + figure.len()))
}

/// Whether a text goes on with digits of a number before it: `,200` of “$1,200”.
fn is_grouped(after: &str) -> bool {
    let Some(rest) = after.strip_prefix(',') else { return false };
    rest.bytes().take_while(u8::is_ascii_digit).count() == 3
}

/// The byte ranges of the longest runs of such bytes in a text.
pub(super) fn runs(text: &str, inside: fn(&u8) -> bool) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        at += bytes[at..].iter().position(inside)?;
        let start = at;
        at += bytes[at..].iter().take_while(|byte| inside(byte)).count();
        Some(start..at)
    })
}

/// The numbers of at least `shortest` digits in a text that are not part of a larger number, a fraction, a word or an id
/// (`OM-2026-55810`).
fn lone_numbers(text: &str, shortest: usize) -> HashSet<&str> {
    let long = runs(text, u8::is_ascii_digit).filter(|number| number.len() >= shortest);
    // Not a range of numbers, nor the first half of a word: “a 12345-byte file”.
    let is_of_id = |run: &str, number: &Range<usize>| {
        let is_range = run.len() == number.len() && all_digits(run);
        let has_digit = has_digit(run);
        !is_range && (has_digit || !run.is_empty() && run.bytes().all(|byte| byte.is_ascii_uppercase()))
    };
    let is_joined = |number: &Range<usize>| {
        let before = text[..number.start].strip_suffix('-').map(ending);
        let after = text[number.end..].strip_prefix('-').map(beginning);
        [before, after].into_iter().flatten().any(|run| is_of_id(run, number))
    };
    let is_of_phone = |number: &Range<usize>| is_of_phone(text, number);
    let alone = long.filter(|number| stands_alone(text, number.clone()) && !is_joined(number) && !is_of_phone(number));
    alone.map(|number| &text[number]).collect()
}

/// Whether a number is a group of a phone number: `07700 900461`, `+44 7700 900461`.
fn is_of_phone(text: &str, number: &Range<usize>) -> bool {
    let bytes = text.as_bytes();
    let is_group = |byte: &&u8| byte.is_ascii_digit() || **byte == b' ';
    let start = number.start - bytes[..number.start].iter().rev().take(PHONE).take_while(is_group).count();
    let end = number.end + bytes[number.end..].iter().take(PHONE).take_while(is_group).count();
    let groups: Vec<&str> = text[start..end].trim().split(' ').collect();
    let is_abroad = text[..start].ends_with('+');
    let begins = is_abroad || groups[0].starts_with('0') && groups[0].len() > 2;
    let digits: usize = groups.iter().map(|group| group.len()).sum();
    begins && groups.len() > 1 && !groups.contains(&"") && (9..=PHONE).contains(&digits)
}

/// The codes in a text (runs of letters and digits that begin with a digit) that are no parts of longer ones.
fn lone_codes(text: &str) -> HashSet<&str> {
    let begins = |run: &Range<usize>| text.as_bytes()[run.start].is_ascii_digit();
    let codes = runs(text, u8::is_ascii_alphanumeric).filter(|run| begins(run) && stands_alone(text, run.clone()));
    codes.map(|run| &text[run]).collect()
}

/// The letters and digits that a text ends on.
fn ending(text: &str) -> &str {
    &text[text.trim_end_matches(|char: char| char.is_ascii_alphanumeric()).len()..]
}

/// Those that it begins with.
fn beginning(text: &str) -> &str {
    &text[..text.len() - text.trim_start_matches(|char: char| char.is_ascii_alphanumeric()).len()]
}

fn stands_alone(text: &str, number: Range<usize>) -> bool {
    let before = text[..number.start].chars().next_back();
    let after = &text[number.end..];
    let joins = |char: char| char.is_alphanumeric() || "_.".contains(char);
    // Ids of shell sessions are invalid after the process ends.
    let session = text[..number.start].ends_with("session ID ")
        || text[..number.start].trim_end_matches(' ').ends_with("\"session_id\":");
    let goes_on = after.starts_with(|char: char| char.is_alphanumeric() || char == '_');
    let fraction = after.strip_prefix('.').is_some_and(|rest| rest.starts_with(|char: char| char.is_ascii_digit()));
    !before.is_some_and(joins) && !goes_on && !fraction && !session
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::builders::user;
    use crate::transcript::{Author, InTurn, Message};
    use std::collections::BTreeSet;

    #[test]
    fn a_text_without_a_place_tells_which_names_are_cut() {
        let mut messages = [user("\u{1b}[1mQuay and \u{1b}[1mLAMP_OIL, mPier, 12345 lamps")];
        messages[0].author = Author::Harness;
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let head = Head::of(&head, &InTurn);
        let knowledge = Knowledge::of(head, &[], &[]);
        let read = Reading::of_all(head, &knowledge, &Places::default());
        let named = |facts: &HashSet<u32>| -> BTreeSet<&str> {
            facts.iter().map(|fact| knowledge.facts[*fact as usize].value.as_str()).collect()
        };
        assert_eq!(named(&read[0].cut), BTreeSet::from(["mLAMP_OIL", "mQuay"]));
        assert_eq!(named(&read[0].whole), BTreeSet::from(["mPier"]), "numbers of a harness are not sure");
    }

    #[test]
    fn an_id_is_read_as_part_of_the_longer_one_that_has_it() {
        let messages = [user("see RC-2026-551902 and berth LX-55 of BW-HH-553120")];
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let head = Head::of(&head, &InTurn);
        let knowledge = Knowledge::of(head, &[], &[]);
        let read = Reading::of_all(head, &knowledge, &Places::default());
        let mut inside: Vec<&str> = read[0].inside.values().flatten().map(String::as_str).collect();
        inside.sort_unstable();
        assert_eq!(inside, ["BW-HH-553120", "RC-2026-551902"]);
        assert!(read[0].whole.iter().any(|fact| knowledge.facts[*fact as usize].value == "LX-55"));
    }

    #[test]
    fn names_behind_escapes_only_are_none() {
        assert!(!stands_plain("{\"diff\":\"a\\nAdds\"}", "nAdds"));
        assert!(stands_plain("a\\nAdds, nAdds", "nAdds"));
        assert!(!stands_plain("\u{1b}[1;33mConnect", "mConnect") && stands_plain("a[0] mConnect", "mConnect"));
    }

    #[test]
    fn a_drive_makes_backslashes_those_of_windows() {
        assert!(has_drive(r"in C:\quay\types.ts") && has_drive(r#"{"path":"d:\\quay\\rows.py"}"#));
        assert!(!has_drive(r"note:\nquay.json") && !has_drive("a: b"));
        assert!(!has_drive(r"for lamp in x:\n\tQuay(lamp)") && has_drive(r"in T:\new\types.ts"));
        assert!(has_drive(r"c:\repos\quay"));
    }

    #[test]
    fn codes_are_no_pieces_of_fractions() {
        let path = "M 17ZM79.1216C22.0003H7.40076.043V64 0 1.4232408e-6 id_7C1234";
        assert_eq!(lone_codes(path), HashSet::from_iter(["0", "6"]));
        assert!(lone_codes("berth 043V64, then 7C1234.").is_superset(&HashSet::from_iter(["043V64", "7C1234"])));
    }

    #[test]
    fn fractions_are_no_numbers_of_their_own() {
        assert!(lone_numbers("port 12345, or 0.12345", 5).contains("12345"));
        assert!(lone_numbers("took 0.12345s and id_12345, or 12345.54 MB", 1).is_empty());
        assert!(lone_numbers("the port is 12345.", 1).contains("12345"));
        assert!(lone_numbers("flat 2, 07700 900461. Or +44 7700 900461", 5).is_empty());
        assert_eq!(lone_numbers("12345 900461, 0 12345 67890", 5).len(), 3);
        assert!(lone_numbers("order OM-2026-55810, KR-20260511-007", 5).is_empty());
        let plain = lone_numbers("a 65536-token window, bytes 12345-12399", 5);
        assert!(["65536", "12345", "12399"].iter().all(|number| plain.contains(number)));
        assert!(stands_whole("$1.5625π, or $1.56.", "$1.56") && !stands_whole("$1.5625π and $1.56B", "$1.56"));
        assert!(stands_whole("$1,200 or $1, 200 times", "$1") && !stands_whole("it costs $1,200.", "$1"));
        assert!(stands_whole("v (1.2.3)", "1.2.3") && !stands_whole("M39.28.8.83.5", "39.28.8.83"));
    }
}
