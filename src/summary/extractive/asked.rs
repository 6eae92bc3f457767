//! Words of the user that begin a turn: what they ask for, how much of them is told, and what says nothing.

use super::printed;
use super::prose::{is_console, is_structure, typed};
use super::quoted::is_ticked;
use super::rules::{is_farewell, is_role, is_short_ban, only_nods};
use super::words::NODS;
use crate::summary::items::Item;
use crate::summary::text::{cut, first_bytes, fold, words};

/// How a user takes back the last message, and where in the next one that stands: in its first bytes.
const RETRACTIONS: [&str; 4] =
    ["ignore my last message", "ignore last message", "ignore the last message", "ignore my previous message"];
const TAKEN_BACK: usize = 80;
/// Words of a whole clause that says the same: “sorry, wrong chat”.
const MISTAKEN: [&str; 4] = ["chat", "window", "session", "thread"];
const AROUND: [&str; 9] = ["sorry", "oops", "wrong", "this", "that", "was", "the", "in", "it"];
/// Characters that are worth showing of a sentence.
const LEAST: usize = 20;
/// Words of a ban that is told with any brief.
const FEW: usize = 5;
/// Words of an order that is no sentence, or of two of them.
const TERSE: usize = 4;
/// Letters of a word that says what is wanted, in a request of one or two words.
const NAMED: usize = 5;
/// Characters and lines of a request that is told whole.
const WHOLE: usize = 500;
const LINES: usize = 12;
/// Headings below which a brief says what is wanted.
const REQUESTS: [&str; 10] =
    ["task", "tasks", "request", "goal", "goals", "objective", "objectives", "instructions", "aufgabe", "your task"];

/// Words of the user.
pub(super) struct Asked {
    /// Index of the message in the head; `None` for one that is kept.
    pub(super) message: Option<usize>,
    /// All its sentences.
    pub(super) sentences: Vec<String>,
    /// Those that are the user's own words, where a program or a review is shown, too.
    own: Option<Vec<String>>,
    /// Sentences that stand before what it asks for: other sections of a brief, who its reader is, thanks.
    pub(super) before: usize,
    /// Its beginning on one line.
    pub(super) start: String,
    /// All of it on one line, where it is short and nothing but words.
    pub(super) whole: Option<String>,
    /// What it refers to in the agent's words before it, in brackets; mostly nothing.
    pub(super) meant: String,
}

/// Whether a message of the user only thanks or says goodbye.
pub fn only_closes(text: &str) -> bool {
    let sentences = typed(text);
    // A word or two are no sentence.
    if sentences.is_empty() {
        text.trim().lines().count() == 1 && is_farewell(text.trim())
    } else {
        all_close(&sentences)
    }
}

fn all_close(sentences: &[String]) -> bool {
    !sentences.is_empty() && sentences.iter().all(|sentence| is_farewell(sentence))
}

impl Asked {
    /// Reads the words of a message, of which `start` is the beginning on one line.
    pub(super) fn read(message: Option<usize>, text: &str, start: String) -> Self {
        let sentences = typed(text);
        let section = request_section(text).map_or(0, |section| typed(section).len());
        let others = if section > 0 { sentences.len().saturating_sub(section) } else { 0 };
        let leads =
            sentences[others..].iter().take_while(|sentence| is_role(sentence) || is_farewell(sentence)).count();
        let before = if others + leads < sentences.len() { others + leads } else { others };
        let whole = whole(text).and_then(|whole| {
            let rest = sentences[..before]
                .iter()
                .try_fold(&*whole, |rest, lead| Some(rest.strip_prefix(&**lead)?.trim_start()));
            rest.map(str::to_owned)
        });
        let own = printed::own(text, &sentences);
        Self { message, sentences, own, before, start, whole, meant: String::new() }
    }

    /// The sentences that are the user's own words.
    pub(super) fn own(&self) -> &[String] {
        self.own.as_deref().unwrap_or(&self.sentences)
    }

    /// A line that comes from it.
    pub(super) fn item(&self, text: String, rank: i64) -> Item {
        Item { origin: self.message, ..Item::carried(text, rank) }
    }

    /// Whether the message says more than “go on”.
    pub(super) fn is_telling(&self) -> bool {
        let exact = self.start.chars().any(|char| char.is_ascii_digit() || char == '_');
        let named = |word: &str| word.chars().count() >= NAMED && !NODS.contains(&word.to_lowercase().as_str());
        (exact && !self.closes())
            || words(&self.start) >= 3 && !self.nods()
            || words(&self.start) == 2 && self.start.split(|char: char| !char.is_alphanumeric()).any(named)
    }

    /// Whether it takes back the message before it.
    pub(super) fn takes_back(&self) -> bool {
        let start = first_bytes(&self.start, TAKEN_BACK).to_lowercase();
        let mut clauses = start.split(['.', '!', ',', ';']).filter(|clause| words(clause) <= FEW);
        clauses.any(|clause| RETRACTIONS.iter().any(|words| clause.contains(words)) || is_mistaken(clause))
    }

    /// Whether it only thanks or says goodbye.
    pub(super) fn closes(&self) -> bool {
        all_close(&self.sentences)
    }

    /// Whether it only agrees, thanks, or says goodbye.
    pub(super) fn nods(&self) -> bool {
        self.closes() || only_nods(&self.start.to_lowercase())
    }

    /// All from its first sentence on, where that fits and a word or two behind one are no sentence (“I like it. Build it.”);
    /// else its first sentences, as long as they fit.
    pub(super) fn brief(&self, most: usize) -> String {
        let all = self
            .whole
            .as_ref()
            .and_then(|whole| if is_numbered(whole) { Some(&**whole) } else { self.with_few_words(whole) });
        all.filter(|all| all.chars().count() <= most).map_or_else(|| self.first_sentences(most), str::to_owned)
    }

    /// What stands from its first sentence on, where a few words stand between its sentences or behind them.
    fn with_few_words<'w>(&self, whole: &'w str) -> Option<&'w str> {
        let sentences = &self.sentences[self.before..];
        let all = &whole[whole.find(&**sentences.first()?)?..];
        let (mut rest, mut few) = (all, Vec::new());
        for sentence in sentences {
            let (between, behind) = rest.split_once(&**sentence)?;
            few.push(between);
            rest = behind;
        }
        few.push(rest);
        let says = |piece: &&str| piece.contains(|char: char| char.is_alphabetic()) && !piece.ends_with('?');
        let nods = |piece: &&str| only_nods(&piece.trim().to_lowercase()) || is_farewell(piece.trim());
        few.retain(|piece| says(piece) && !nods(piece));
        (!few.is_empty() && few.iter().all(|piece| words(piece) <= TERSE)).then_some(all)
    }

    fn first_sentences(&self, most: usize) -> String {
        let mut sentences = self.sentences[self.before..].iter();
        let Some(first) = sentences.next() else { return cut(&self.start, most).into_owned() };
        let mut brief = cut(first, most).into_owned();
        let mut left = sentences.as_slice();
        while let Some((next, behind)) = left.split_first() {
            let room = most.saturating_sub(brief.chars().count() + 1);
            let fits = next.chars().count() < room;
            // What only announces the next sentence says nothing without it, nor do a few words.
            let tells = !brief.ends_with(':') && brief.chars().count() > room;
            if !fits && (tells || room < LEAST) {
                break;
            }
            brief.push(' ');
            brief.push_str(&cut(next, room));
            left = behind;
            if !fits {
                break;
            }
        }
        // “Delete it, then commit.” without “Don't push.” asks for something else.
        if let Some(ban) = left.first().filter(|next| is_short_ban(next, FEW) && !brief.ends_with('…')) {
            brief.push(' ');
            brief.push_str(ban);
        }
        brief
    }
}

/// Whether a text on one line is a list whose numbers say what each item answers, or that they follow each other.
fn is_numbered(whole: &str) -> bool {
    let behind = whole.strip_prefix('1');
    let mark = behind.and_then(|behind| behind.chars().next()).filter(|mark| [')', '.'].contains(mark));
    mark.is_some_and(|mark| whole[2..].starts_with(' ') && whole.contains(&format!(" 2{mark} ")))
}

/// Whether a clause says that a message went to the wrong place, and nothing else.
fn is_mistaken(clause: &str) -> bool {
    let mut words = clause.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty());
    let place = words.clone().any(|word| MISTAKEN.contains(&word)) && clause.contains("wrong");
    place && words.all(|word| MISTAKEN.contains(&word) || AROUND.contains(&word))
}

/// A request on one line, if it is short and no line of it is code, data or a heading.
fn whole(text: &str) -> Option<String> {
    let short = text.len() <= 4 * WHOLE && text.trim().lines().count() <= LINES;
    let plain = |line: &str| !line.contains("```") && !is_structure(line) && !is_console(line) && !is_ticked(line);
    let words = || text.lines().all(plain);
    let text = Some(text).filter(|_| short && words()).map(fold)?;
    (text.chars().count() <= WHOLE).then_some(text)
}

/// The last section of a brief that is named after what is wanted, and all behind it. Headings that a line ending with a
/// colon announces are those of a text that is wanted: the request stands before them.
fn request_section(text: &str) -> Option<&str> {
    let (mut at, mut found, mut announced) = (0, None, None);
    let mut last = "";
    for line in text.split_inclusive('\n') {
        at += line.len();
        let bare = line.trim();
        let heading = bare.trim_start_matches('#').trim_matches(['*', ':', ' ', '_']);
        let marked = bare.starts_with('#') || bare.starts_with("**") && bare.len() <= 40;
        if marked && *announced.get_or_insert_with(|| last.ends_with([':', '：'])) {
            return None;
        }
        if marked && REQUESTS.contains(&&*heading.to_lowercase()) {
            found = Some(&text[at..]);
        }
        if !bare.is_empty() {
            last = bare;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_of_a_text_that_is_wanted_are_no_request() {
        let brief = "You keep lamps.\n## Rules\nNever light two.\n## Task\nLight the pier.\n";
        assert_eq!(request_section(brief), Some("Light the pier.\n"));
        assert_eq!(request_section("Write docs/report.md. Use this:\n\n## Goal\nWhat it is for.\n## Notes\n"), None);
    }

    #[test]
    fn a_brief_holds_whole_sentences_that_fit() {
        let asked = Asked {
            message: Some(0),
            sentences: vec!["One two three.".into(), "Four five six.".into()],
            own: None,
            before: 0,
            start: "x".into(),
            whole: None,
            meant: String::new(),
        };
        assert_eq!(asked.brief(40), "One two three. Four five six.");
        assert_eq!(asked.brief(20), "One two three.");
        let sentences = vec!["I also got this:".into(), "The parser fails on empty files and on tabs.".into()];
        let announced = Asked {
            message: None,
            sentences,
            own: None,
            before: 0,
            start: "x".into(),
            whole: None,
            meant: String::new(),
        };
        assert_eq!(announced.brief(46), "I also got this: The parser fails on empty…");
    }

    #[test]
    fn an_order_of_a_word_or_two_stands_in_a_brief() {
        for text in ["I like it. Build it.", "Which port does it use? Use 8123.", "ok that works. Deploy."] {
            assert_eq!(Asked::read(None, text, text.into()).brief(160), text);
        }
        let text = "The header is fine. The footer is not. Center it. Paint the pier of it red.";
        assert_eq!(Asked::read(None, text, text.into()).brief(160), text);
        assert_eq!(Asked::read(None, text, text.into()).brief(40), "The header is fine. The footer is not.");
        let nod = "ok. Great! Paint the pier of it red.";
        assert_eq!(Asked::read(None, nod, nod.into()).brief(160), "Paint the pier of it red.");
    }

    #[test]
    fn no_item_of_a_short_request_is_left_out() {
        let text = "ok, let's apply the fixes you suggest:\n\n1. fail loud.\n\n2. leave it alone.";
        let asked = Asked::read(None, text, text.into());
        assert_eq!(asked.brief(90), "ok, let's apply the fixes you suggest: fail loud. leave it alone.");
    }

    #[test]
    fn numbered_answers_keep_their_first_number() {
        let text = "1) I'll let you decide\n2) yes\n3) red for each pier, with gaps";
        let told = "1) I'll let you decide 2) yes 3) red for each pier, with gaps";
        assert_eq!(Asked::read(None, text, text.into()).brief(90), told);
    }

    #[test]
    fn a_short_ban_stands_in_a_brief_in_any_case() {
        let text = "Delete the old file of the tests, then commit. Don't push.";
        assert_eq!(Asked::read(None, text, text.into()).brief(48), text);
    }

    #[test]
    fn a_brief_begins_with_what_is_wanted() {
        let read = |text: &str| Asked::read(None, text, text.into());
        let brief = "# Context\nWe run ferries on two lakes.\n\n## Task\nMend the board of times.\n";
        assert_eq!(read(brief).brief(300), "Mend the board of times.");
        let role = read("You are a careful engineer. Mend the board.");
        assert_eq!((&*role.brief(300), role.whole.as_deref()), ("Mend the board.", Some("Mend the board.")));
        assert_eq!(read("Thank you so much! Now mend the board of times.").brief(300), "Now mend the board of times.");
        assert!(
            !read("Thank you so much for your help!").is_telling()
                && read("Thank you, now add the tests.").is_telling()
        );
    }
}
