//! What the agent offers at the end of a text: the points of its lists, and its question.

use super::consent::{bids_confirm, list_before};
use super::cues::{is_question, leans, lower};
use super::prose::{plain, sentences, without_marker};
use super::rules::only_nods;
use crate::summary::extractive::words::{AGREE, ASKS_MORE, DECLINES, GENERAL, GOES_ON_WITH, NAMING, NODS, OFFERS_MORE};
use crate::summary::fence::Fence;
use crate::summary::text::{QUESTION_MARKS, all_digits, contains_any, fold, is_dense, last_bytes, starts_any, words};

/// Length below which a point needs the lines below it, in characters.
const SHORT: usize = 60;
const LONGEST: usize = 200;
/// Bytes at the end of a text where a question is looked for, and the maximum number of sentences after it.
const END: usize = 2_000;
const BEHIND: usize = 2;
/// Number of letters that can mark points.
const LETTERS: usize = 26;
/// Maximum number of words of a question that is no full sentence.
const BRIEF: usize = 3;
/// Maximum number of words of an answer that says little without its question, whatever that asks.
const TERSE: usize = 4;
/// Beginnings of a sentence behind a question that limits it.
const SCOPES: [&str; 6] = ["I would ", "I'd ", "I'll ", "I suggest ", "My ", "I recommend "];
/// Words of a question that point at the statement before it.
const POINTING: &[&str] = &["this", "these", "that", "those"];
/// Minimum number of a question's own words.
const OWN: usize = 2;
/// Words by which an option says that it is none any more.
const GONE: [&str; 4] = ["rejected", "discarded", "ruled out", "dropped"];

/// A point of a list.
pub(in crate::summary::extractive) struct Point {
    /// Its number, or letter in upper case.
    sign: String,
    /// The label before it: “option”.
    label: String,
    /// Whether it has another number in its list than in its label: “2. Option 3”.
    is_renamed: bool,
    /// Width of its indent.
    indent: usize,
    /// Its text.
    pub(in crate::summary::extractive) words: String,
}

impl Point {
    /// The points of all lists in a text.
    pub(in crate::summary::extractive) fn all(text: &str) -> Vec<Self> {
        let mut fence = Fence::default();
        let mut points: Vec<Self> = Vec::new();
        let mut open = false;
        for line in text.lines() {
            let held = fence.holds(line);
            let point = Some(line).filter(|_| !held).and_then(Self::of);
            let indent = line.len() - line.trim_start().len();
            let more = || fold(&plain(without_marker(line.trim()).1));
            match (point, points.last_mut()) {
                (Some(point), _) => {
                    open = true;
                    points.push(point);
                }
                (None, Some(last)) if open && !held && last.takes(line, indent) => {
                    let joint = if last.words.is_empty() {
                        ""
                    } else if last.words.ends_with([':', ',']) {
                        " "
                    } else {
                        "; "
                    };
                    last.words += &(joint.to_owned() + &more());
                }
                (None, _) => open = open && line.trim().is_empty(),
            }
        }
        points.retain(|point| !point.words.is_empty());
        points
    }

    /// The options of a menu at the end of a text, each behind a letter in square brackets: “[A] All of it | [C] Go on”.
    pub(in crate::summary::extractive) fn menu(text: &str) -> Vec<Self> {
        let (mut points, mut behind) = (Vec::new(), 0);
        for line in text.lines().rev().map(str::trim).filter(|line| !line.is_empty()) {
            let own = Self::bracketed(line);
            if own.is_empty() && (!points.is_empty() || behind == BEHIND) {
                break;
            }
            behind += usize::from(own.is_empty());
            points.extend(own.into_iter().rev());
        }
        points.reverse();
        if points.len() > 1 { points } else { Vec::new() }
    }

    /// The options of a line, each behind a capital letter in square brackets.
    fn bracketed(line: &str) -> Vec<Self> {
        let is_menu = line.trim_start_matches(['*', '-', '>', ' ']).starts_with('[') && !line.contains("](");
        let parts = line.split('[').skip(1).filter(|_| is_menu).filter_map(|part| part.split_once(']'));
        let options = parts.map(|(sign, words)| {
            let words = words.trim_matches(|char: char| char.is_whitespace() || "*_|/·•-–—:,;".contains(char));
            (sign.trim_matches('*'), fold(&plain(words)))
        });
        let is_one = |(sign, words): &(&str, String)| {
            sign.len() == 1 && sign.bytes().all(|byte| byte.is_ascii_uppercase()) && !words.is_empty()
        };
        let point = |(sign, words): (&str, String)| Self {
            sign: sign.to_owned(),
            label: String::new(),
            is_renamed: false,
            indent: 0,
            words,
        };
        options.filter(is_one).map(point).collect()
    }

    /// Whether it says that it is no option any more: “B: gas — rejected”.
    pub(in crate::summary::extractive) fn is_gone(&self) -> bool {
        let lower = lower(&self.words);
        let end = lower.trim_end_matches([')', '.', ' ']);
        let is_marked = |rest: &str| rest.trim_end().ends_with(['(', '—', '–', '-', ':']);
        GONE.iter().any(|gone| end.strip_suffix(gone).is_some_and(is_marked))
    }

    /// The points within one sentence: “Three ways: A by sea, B by land, C not at all.”
    pub(in crate::summary::extractive) fn inline(text: &str) -> Vec<Self> {
        sentences(text).iter().map(|sentence| Self::within(sentence)).find(|all| all.len() > 1).unwrap_or_default()
    }

    /// The points of a sentence, marked by letters from A on, each after punctuation or “or”. Without a bracket the
    /// first one must follow a colon: “A” may be an article.
    fn within(sentence: &str) -> Vec<Self> {
        let mut points: Vec<Self> = Vec::new();
        let mut before = "";
        for word in sentence.split_whitespace() {
            let next = char::from(b'A' + u8::try_from(points.len() % LETTERS).unwrap_or(0));
            let bare = word.trim_matches(['(', ')', ':', '*']);
            let bracketed = word.ends_with(')') && bare.eq_ignore_ascii_case(next.encode_utf8(&mut [0; 4]));
            let opens = before.ends_with(':') || bracketed && before.is_empty();
            let joins = before.ends_with([',', ';']) || ["or", "and"].contains(&before);
            let is_letter = bracketed || bare.len() == 1 && bare.starts_with(next);
            match points.last_mut() {
                last if is_letter && (opens || joins && last.is_some()) => {
                    points.push(Self {
                        sign: next.to_string(),
                        label: String::new(),
                        is_renamed: false,
                        indent: 0,
                        words: String::new(),
                    });
                }
                Some(last) => last.words = format!("{} {word}", last.words),
                None => {}
            }
            before = word;
        }
        points.iter_mut().for_each(Self::close);
        points
    }

    /// Removes the words that lead to the next point.
    fn close(&mut self) {
        let words = self.words.trim().trim_end_matches([',', ';', '.', '?', '!']);
        let words = [" or", " and"].iter().fold(words, |left, end| left.strip_suffix(end).unwrap_or(left));
        self.words = fold(&plain(words.trim_end_matches([',', ';'])));
    }

    /// The point at a position of the only list, from 1; `None` if the points are not numbered consecutively.
    pub(in crate::summary::extractive) fn nth(all: &[Self], place: usize) -> Option<&Self> {
        let least = all.iter().map(|point| point.indent).min()?;
        let list: Vec<&Self> = all.iter().filter(|point| point.indent == least).collect();
        let number = |point: &Self| match point.sign.as_bytes() {
            [letter] if letter.is_ascii_uppercase() => Some(usize::from(letter - b'A')),
            _ => point.sign.parse().ok(),
        };
        let follow = list.windows(2).all(|two| number(two[0]).is_some_and(|first| number(two[1]) == Some(first + 1)));
        list.get(place.checked_sub(1)?).copied().filter(|_| follow)
    }

    /// The point that a line begins. “2. **Option 2**: …” is one point; in “2. **Option 3**: …” the label counts.
    fn of(line: &str) -> Option<Self> {
        let point = Self::marked(line)?;
        let inner = Some(&point).filter(|point| point.label.is_empty()).and_then(|point| Self::marked(&point.words));
        let inner = inner.filter(|inner| inner.sign == point.sign || !inner.label.is_empty());
        let inner = inner.map(|inner| Self { indent: point.indent, is_renamed: inner.sign != point.sign, ..inner });
        Some(inner.unwrap_or(point))
    }

    /// The point of a mark at the start of a line.
    fn marked(line: &str) -> Option<Self> {
        let trimmed = line.trim_start();
        let indent = line.len() - trimmed.len();
        let row = trimmed.strip_prefix('|');
        let text = row.unwrap_or(trimmed).trim_start_matches(['#', '-', '*', '_', ' ', '•', '(', '>']);
        // “Flight Option 2: …”; “Recommended: Option 2 …” is one of the others.
        let kind = |word: &str| word.chars().all(char::is_alphabetic);
        let behind_kind = || text.split_once(' ').filter(|(word, _)| kind(word)).and_then(|(_, rest)| labeled(rest));
        let (label, rest) = labeled(text).or_else(behind_kind).unwrap_or((String::new(), text));
        let rest = rest.trim_start_matches('#');
        let end = rest.find(|char: char| !char.is_alphanumeric()).unwrap_or(rest.len());
        let (sign, behind) = rest.split_at(end);
        let is_sign = (1..=2).contains(&sign.len()) && all_digits(sign)
            || sign.len() == 1
                && sign
                    .bytes()
                    .all(|byte| byte.is_ascii_uppercase() || behind.starts_with(')') && byte.is_ascii_alphabetic());
        let bare = behind.trim_start_matches(['*', '_']);
        let closed = match row {
            Some(_) => bare.trim_start().starts_with('|'),
            None if label.is_empty() => bare.starts_with([')', ':', ']', '：']) || is_point(bare),
            None => {
                bare.trim_start().is_empty() || bare.trim_start().starts_with([')', ':', '.', '：', '—', '–', '-', '('])
            }
        };
        let words = bare.trim_start_matches([')', ':', '.', ']', '：', '*', '_', '|', ' ', '—', '–', '-']);
        let words =
            if row.is_some() { words.trim_end_matches(['|', ' ']).replace('|', "—") } else { words.to_owned() };
        let (sign, words) = (sign.to_uppercase(), fold(&plain(&words)));
        (is_sign && closed).then_some(Self { sign, label, is_renamed: false, indent, words })
    }

    /// Whether a line continues this point: the point is still short, and the line is below it.
    fn takes(&self, line: &str, indent: usize) -> bool {
        let below =
            indent > self.indent || self.words.is_empty() || !self.label.is_empty() && without_marker(line.trim()).0;
        let length = self.words.chars().count();
        let room = length < SHORT || !self.label.is_empty() && length < LONGEST;
        !line.trim().is_empty() && below && room && !line.trim_start().starts_with(['#', '|'])
    }

    /// The point with this mark; `None` if there are several, or if a bare number could be that of a label or that of a
    /// place.
    pub(in crate::summary::extractive) fn find<'p>(all: &'p [Self], sign: &str, label: &str) -> Option<&'p Self> {
        if label.is_empty() && all.iter().any(|point| point.is_renamed) {
            return None;
        }
        let alike =
            |point: &&Self| point.sign == sign && (point.label == label || label.is_empty() || point.label.is_empty());
        let named = || all.iter().filter(alike);
        let labeled = named().filter(|point| !label.is_empty() && point.label == label).count() > 0;
        let fits = |point: &&Self| !labeled || point.label == label;
        let least = named().filter(fits).map(|point| point.indent).min()?;
        let mut found = named().filter(fits).filter(|point| point.indent == least);
        found.next().filter(|_| found.next().is_none())
    }
}

/// Whether a sentence is an option among others, by its letter or label: “B) gas at night”, “Option 2: …”
pub(in crate::summary::extractive) fn is_option(sentence: &str) -> bool {
    let is_letter = |point: &Point| point.sign.bytes().all(|byte| byte.is_ascii_alphabetic());
    // “A: The gate is closed.” answers a “Q:”.
    let answers = sentence.as_bytes().get(1) == Some(&b':');
    Point::marked(sentence).is_some_and(|point| is_letter(&point) && !answers || !point.label.is_empty())
}

/// The label that a text begins with, and the text behind it: “Option 2: …”.
fn labeled(text: &str) -> Option<(String, &str)> {
    let (label, rest) = text.split_once(' ')?;
    let label = label.to_lowercase();
    NAMING.contains(&&*label).then_some((label, rest))
}

/// Whether the full stop ends the mark of a list, unlike in “2.5” or “U.S.”.
fn is_point(behind: &str) -> bool {
    behind.strip_prefix('.').is_some_and(|rest| rest.starts_with([' ', '*', '_']))
}

/// The question at the end of a text, if the answer needs it; if it only asks whether to go on, what it refers to.
pub(in crate::summary::extractive) fn question(text: &str, answer: &str) -> Option<String> {
    let end = last_bytes(text, END);
    let said = sentences(end);
    let from = said.len().saturating_sub(BEHIND + 1);
    let answer = lower(answer);
    let last = |asks: fn(&str) -> bool| (from..said.len()).rev().find(|at| asks(&said[*at]));
    let Some(at) = last(asks).or_else(|| last(bids_confirm)) else {
        return brief_question(end, said.last()).filter(|found| own(&lower(found), &answer) > 0);
    };
    let asked = lower(&said[at]);
    // Which, when and what are answered by content of their own.
    if has(&asked, ASKS_MORE) || offers_more(&asked) && starts_any(&answer, DECLINES) {
        return None;
    }
    let whole = || match at.checked_sub(1) {
        // “Or leave that?” is half a question.
        Some(before) if asked.starts_with("or ") => format!("{} {}", said[before], said[at]),
        _ => said[at].clone(),
    };
    let tells = tells(&asked, &answer).then(whole);
    let above = || {
        let above = said[..at].last().filter(|above| words(above) > OWN && !above.ends_with([':', '：']));
        above.filter(|above| !is_in_list(end, above) && !leans(above)).cloned()
    };
    // “Shall I mend these? I would leave the third one.”
    let scope = || {
        let behind = said.get(at + 1).filter(|behind| starts_any(behind, &SCOPES));
        behind.map(|behind| format!("{} {behind}", said[at]))
    };
    // An answer with content of its own needs only the question.
    let nods =
        has(&answer, GOES_ON_WITH) || only_nods(&answer) || AGREE.contains(&answer.trim_end_matches(['.', '!', ' ']));
    let goes_on = has(&asked, GOES_ON_WITH);
    let found = match tells {
        Some(question) if !goes_on => Some(question),
        Some(question) if nods && has(&asked, POINTING) => {
            above().map(|above| with_statement(&above, &question)).or(Some(question))
        }
        tells if nods => list_before(end, &said[at]).or(tells).or_else(scope).or_else(|| {
            let says = own(&asked, &answer) > 0;
            // “No” to “The quay is built. Shall I go on?” does not deny the quay; after “I will build it” the answer
            // is about that.
            let above = above().filter(|_| !says || goes_on);
            above.map(|above| with_statement(&above, &said[at])).or_else(|| says.then(whole))
        }),
        // “Soll ich stornieren?” – “Nein, umbuchen bitte.”
        tells => tells.or_else(|| is_terse(&asked, &answer).then(whole)),
    };
    found.filter(|found| own(&lower(found), &answer) > 0 || found.chars().any(is_dense))
}

/// Whether an answer of a few words says little without the question, which is about something of its own.
fn is_terse(asked: &str, answer: &str) -> bool {
    words(answer) <= TERSE && !has(asked, GOES_ON_WITH) && own(asked, answer) > 0
}

/// Whether a question only offers more help: “Is there anything else?”
pub(super) fn offers_more(asked: &str) -> bool {
    let names = asked.contains(|char: char| char.is_ascii_digit() || "/`.".contains(char));
    contains_any(asked, OFFERS_MORE) && !has(asked, &["or"]) && !names
}

/// A question with the statement before it; only the statement if it is a plan.
fn with_statement(above: &str, question: &str) -> String {
    let plans = starts_any(above, &["I ", "I'll ", "We "]);
    if plans { above.to_owned() } else { format!("{above} {question}") }
}

/// A question at the end of a text that is too short for a sentence, with the sentence before it: “Continue? (y/n)”
fn brief_question(text: &str, last: Option<&String>) -> Option<String> {
    let text = text.trim_end();
    let text = text.strip_suffix(')').and_then(|text| text.rfind('(').map(|at| text[..at].trim_end())).unwrap_or(text);
    let question = text.rsplit(['.', '!', '\n', ':']).next()?.trim();
    if !question.ends_with(QUESTION_MARKS) || has(&lower(question), ASKS_MORE) {
        return None;
    }
    // A longer one was not split off as a sentence, for instance after code that begins before the bytes looked at.
    if words(question) > BRIEF { Some(question.to_owned()) } else { last.map(|last| with_statement(last, question)) }
}

pub(super) fn asks(sentence: &str) -> bool {
    is_question(&lower(sentence))
}

/// Whether a sentence is in an item of a list.
fn is_in_list(text: &str, sentence: &str) -> bool {
    let items = text.lines().filter(|line| without_marker(line.trim()).0);
    items.flat_map(sentences).any(|item| item == sentence)
}

pub(super) fn has(lower: &str, list: &[&str]) -> bool {
    lower.split(|char: char| !char.is_alphanumeric()).any(|word| list.contains(&word))
}

/// Whether a lower-case text has enough words of its own, besides those of the answer and those that ask whether to
/// go on.
fn tells(lower: &str, answer: &str) -> bool {
    own(lower, answer) >= OWN || lower.chars().any(is_dense)
}

/// Number of such words.
fn own(lower: &str, answer: &str) -> usize {
    let all = lower.split(|char: char| !char.is_alphanumeric() && char != '\'' && char != '_');
    let own = |word: &&str| {
        let tells = word.chars().count() > 3 || word.chars().any(|char| char.is_ascii_digit());
        tells && !GENERAL.contains(word) && !NODS.contains(word) && !answer.contains(*word)
    };
    all.filter(own).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(text: &str, sign: &str, label: &str) -> Option<String> {
        Point::find(&Point::all(text), sign, label).map(|point| point.words.clone())
    }

    #[test]
    fn points_are_found_by_their_mark() {
        let text = "I see this:\n\n1. **Cache**: it is never read, and nobody would miss it at all, so remove it.\n2. Rename `load`:\n   - in the board\n   - in the map\n\nA) one commit\n(b) two commits\n";
        let first = "Cache: it is never read, and nobody would miss it at all, so remove it.";
        assert_eq!(point(text, "1", "").as_deref(), Some(first));
        assert_eq!(point(text, "2", "").as_deref(), Some("Rename `load`: in the board; in the map"));
        assert_eq!(point(text, "A", "").as_deref(), Some("one commit"));
        assert_eq!(point(text, "B", "").as_deref(), Some("two commits"));
        assert_eq!(point(text, "3", ""), None);
        let rows = "| # | What |\n|---|---|\n| 1 | Light the lamp | today |\n| 2 | Paint the pier | never |\n";
        assert_eq!(point(rows, "2", "").as_deref(), Some("Paint the pier — never"));
    }

    #[test]
    fn a_menu_at_the_end_is_found_on_one_line_or_more() {
        let found = |text: &str| {
            let menu = Point::menu(text).into_iter();
            menu.map(|point| format!("{} {}", point.sign, point.words)).collect::<Vec<_>>()
        };
        let expected = ["A All lamps", "C Go on"];
        assert_eq!(found("- A: oil\n- B: gas\n\n**[A]** All lamps | **[C]** Go on"), expected);
        assert_eq!(found("Choose:\n[A] All lamps\n[C] Go on\n\nYour choice?"), expected);
        for none in ["[x] lit\n[x] painted", "See [A] and the rest.", "[A] All | [C] Go on\n\nOne.\n\nTwo.\n\nThree."] {
            assert_eq!(found(none), [""; 0], "{none}");
        }
    }

    #[test]
    fn options_are_known_by_their_mark() {
        assert!(["A) oil, and a boy who lights it", "Option 2: gas", "**B.** no light"].into_iter().all(is_option));
        assert!(!["A lamp is lit.", "I lit it.", "2. The lamp is lit.", "A: It is lit."].into_iter().any(is_option));
    }

    #[test]
    fn options_are_told_with_what_stands_below_them() {
        let text = "### Option 1:\n- Ferry: `HB1`\n- Price: $5\n\n### Option 2:\n- Ferry: `HB2`\n- Price: $7\n\nOption 2 costs more.";
        assert_eq!(point(text, "2", "option").as_deref(), Some("Ferry: `HB2`; Price: $7"));
        assert_eq!(
            point("1. **Option 1**: by day\n2. **Option 2**: by night", "2", "option").as_deref(),
            Some("by night")
        );
    }

    #[test]
    fn a_mark_of_two_lists_names_nothing() {
        let two = "Lamps:\n1. the red one\n2. the green one\n\nPiers:\n1. the old one\n2. the new one";
        assert_eq!(point(two, "2", ""), None);
        let nested = "1. the red lamp\n   1. its oil\n   2. its wick\n2. the green lamp";
        assert_eq!(point(nested, "2", "").as_deref(), Some("the green lamp"));
        assert_eq!(point("```\n2. print it\n```", "2", ""), None);
    }

    #[test]
    fn what_was_asked_last_is_told_or_what_it_is_about() {
        let asked = |text: &str| question(text, "yes, please go ahead");
        assert_eq!(asked("It burns. Shall I paint the pier?").as_deref(), Some("Shall I paint the pier?"));
        let list = "I will book this:\n\n- Ferry: HB2\n- Price: $7\n\nWould you like to proceed?";
        assert_eq!(asked(list).as_deref(), Some("Ferry: HB2; Price: $7"));
        assert_eq!(
            asked("I will paint the whole pier tomorrow. Shall I proceed?").as_deref(),
            Some("I will paint the whole pier tomorrow.")
        );
        let two = "Free:\n- HB1\n- HB2\n\nNot free:\n- HB3\n- HB4\n\nWould you like to proceed with the free ferries of today?";
        assert!(asked(two).is_some_and(|asked| asked.starts_with("Would")));
        let agreed = "Free:\n- HB1\n- HB2\n\nIf you confirm, I will:\n- book HB1 for $7\n- cancel HB4\n\nReply “yes” to proceed or “no” to stop. Else tell me what to change.";
        assert_eq!(asked(agreed).as_deref(), Some("book HB1 for $7; cancel HB4"));
        let two = "Not free:\n- The HB3 of the morning\n\nWould you like to proceed with the free ones?";
        assert_eq!(asked(two).as_deref(), Some("Would you like to proceed with the free ones?"));
        let scope = "Lamps are clear.\n\nShould I mend these? I would do the first now and leave the rest.";
        assert_eq!(asked(scope).as_deref(), scope.split_once("\n\n").map(|(_, asked)| asked));
        let total = "The total with all its fees is $7.\n\nWould you like to proceed with this total by card? Please confirm, and I'll book it.";
        assert_eq!(
            asked(total).as_deref(),
            Some("The total with all its fees is $7. Would you like to proceed with this total by card?")
        );
        for (text, told) in [
            ("The tides are saved. Shall I mend the 42 lanterns now?", "Shall I mend the 42 lanterns now?"),
            ("The tides are saved. Shall I go ahead?", "The tides are saved. Shall I go ahead?"),
            ("I can add a beacon. Shall I?", "I can add a beacon."),
            ("The beacon is charted. Continue? (y/n)", "The beacon is charted. Continue?"),
        ] {
            assert_eq!(question(text, "no").as_deref(), Some(told), "{text}");
        }
        let code = format!("{}\n```\n\nShall I paint the pier?", "lamp = 1 # it is lit now\n".repeat(90));
        assert_eq!(question(&format!("```\n{code}"), "yes").as_deref(), Some("Shall I paint the pier?"));
        assert_eq!(asked("I painted it. Which lamp of the pier is next?"), None);
        assert_eq!(asked("I painted the whole pier today."), None);
        assert_eq!(question("Shall I paint the pier?", "yes, paint the pier"), None);
        let half = "Shall I paint the pier? Or leave that for tomorrow morning?";
        assert_eq!(asked(half).as_deref(), Some(half));
    }
}
