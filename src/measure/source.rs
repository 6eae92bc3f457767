//! The original, indexed for lookups: its text, words and facts.

use super::amounts::all_values;
use super::context::{is_mark, without_marks};
use super::dense::joins;
use super::escapes::escaped;
use super::folders::{drive_at_end, folders_of, is_entered, with_slashes};
use super::pattern;
use super::quoted::words_of;
use super::spelled::whole_numbers;
use super::whole_text::whole_text;
use crate::facts::{Fact, PathTable, of_message, resolve, values};
use crate::summary::{all_digits, fold, is_dense, moved_to, without_escapes, without_links, without_redirects};
use crate::transcript::{Author, Message, PartKind};
use regex::Regex;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::{LazyLock, OnceLock};

/// The original's messages as one searchable text: all texts, calls and reasoning, and the folders
/// and branches of the session.
#[derive(Default)]
pub struct SourceText<'m> {
    messages: Vec<&'m Message<'m>>,
    /// Folders of the session, and those in which calls work or to which they change.
    folders: OnceLock<Vec<String>>,
    text: OnceLock<String>,
    facts: OnceLock<(HashSet<Fact>, PathTable)>,
    counts: OnceLock<HashMap<String, HashSet<String>>>,
    /// The text on one line, without marks of emphasis.
    folded: OnceLock<String>,
    /// The whole numbers of `text`.
    whole_numbers: OnceLock<Vec<u64>>,
    /// The values of the numbers of `text` (see `amounts`).
    values: OnceLock<HashSet<String>>,
    /// The text in lower case.
    lower: OnceLock<String>,
    /// The text in lower case, without hyphens and underscores.
    squeezed: OnceLock<String>,
    /// The words of the text (see `words_of`).
    spoken: OnceLock<String>,
    /// The words of results without colors.
    printed: OnceLock<String>,
    /// New paths of files that calls moved.
    moved: OnceLock<Vec<String>>,
    /// The lines with paths of Windows, with slashes.
    slashed: OnceLock<String>,
}

/// Least length in bytes of a name that is matched whatever its spelling.
const ALIKE: usize = 5;

static COUNTED: LazyLock<Regex> = LazyLock::new(|| pattern(r"(\d+)[ \t]+([A-Za-z]{3,})"));

impl<'m> SourceText<'m> {
    /// Builds the source from messages. Nothing of it is read before it is asked for.
    pub fn new(messages: &[&'m Message<'m>]) -> Self {
        Self { messages: messages.to_vec(), ..Self::default() }
    }

    fn folders(&self) -> &[String] {
        self.folders.get_or_init(|| folders_of(&self.messages).into_iter().map(Cow::into_owned).collect())
    }

    fn text(&self) -> &str {
        self.text.get_or_init(|| whole_text(&self.messages, self.folders()))
    }

    /// Whether a path is one named in the source, below a folder of the session or one that it changed to. A relative
    /// path may begin with the last names of such a folder, or be below the relative one that a command changes to.
    pub(super) fn is_below(&self, path: &str) -> bool {
        let ends = |folder: &str, name: &str| folder.strip_suffix(name).is_some_and(|above| above.ends_with('/'));
        let is_folder = |name: &str| {
            let is = |folder: &String| name == *folder || !name.starts_with('/') && ends(folder, name);
            self.folders().iter().any(is)
        };
        let mut below =
            path.match_indices('/').filter(|(at, _)| is_folder(&path[..*at])).map(|(at, _)| &path[at + 1..]);
        is_entered(self.text(), path) || below.any(|rest| self.says(rest) || is_entered(self.text(), rest))
    }

    /// Whether a path is a suffix of a moved file's new path, or that path below a known folder.
    pub(super) fn has_moved_to(&self, path: &str) -> bool {
        let moved = self.moved.get_or_init(|| moved_to(&self.messages));
        let is_it = |moved: &str| {
            // A path is read from behind a folder in a script without spaces.
            let is_above = |above: &str| above.is_empty() || above.ends_with('/') || above.ends_with(is_dense);
            let ends = moved.strip_suffix(path).is_some_and(is_above);
            let above = path.strip_suffix(moved).and_then(|above| above.strip_suffix('/'));
            ends || above.is_some_and(|above| self.says(above))
        };
        moved.iter().any(|moved| is_it(moved))
    }

    /// The messages.
    pub fn messages(&self) -> &[&'m Message<'m>] {
        &self.messages
    }

    fn facts(&self) -> &(HashSet<Fact>, PathTable) {
        self.facts.get_or_init(|| {
            let all: HashSet<Fact> = self.messages.iter().flat_map(|message| of_message(message).into_keys()).collect();
            let mut table = PathTable::default();
            table.learn(&all);
            (all.iter().map(|fact| resolve(fact, &table)).chain(all.iter().cloned()).collect(), table)
        })
    }

    /// Whether a fact is in the source.
    pub(super) fn knows(&self, fact: &Fact) -> bool {
        let (facts, table) = self.facts();
        facts.contains(fact) || facts.contains(&resolve(fact, table))
    }

    /// Whether a word is in the text, not as part of a longer one.
    pub(super) fn says(&self, word: &str) -> bool {
        self.find(word, true)
    }

    /// The whole numbers of the text, ascending.
    pub(super) fn whole_numbers(&self) -> &[u64] {
        self.whole_numbers.get_or_init(|| whole_numbers(self.text()))
    }

    /// The values of the numbers of the text, whatever their spelling (see `amounts`).
    pub(super) fn values(&self) -> &HashSet<String> {
        self.values.get_or_init(|| all_values(self.text()))
    }

    /// Whether a whole number is in the text, however its thousands are grouped.
    pub(crate) fn says_number(&self, number: &str) -> bool {
        let bare = number.replace(',', "");
        self.says(number)
            || bare != number && self.says(&bare)
            || grouped(&bare).is_some_and(|grouped| grouped.iter().any(|number| self.says(number)))
    }

    /// Whether a name is the end of a longer one, after `_`, `-` or a digit (`get_page` of `mcp__get_page`).
    pub(super) fn ends_name(&self, name: &str) -> bool {
        let inside = |letter: char| letter.is_alphanumeric() || letter == '_';
        let border = |before: &str| {
            let last = before.chars().next_back();
            last.is_none_or(|last| {
                !inside(last) || last == '_' || last.is_ascii_digit() && !name.starts_with(char::is_numeric)
            })
        };
        memchr::memmem::find_iter(self.text().as_bytes(), name)
            .any(|at| self.text().get(..at).is_some_and(border) && !self.text()[at + name.len()..].starts_with(inside))
    }

    /// Whether a name is in the text in any case, with or without hyphens and underscores (`SHA-256` for `sha256`).
    pub(super) fn says_alike(&self, name: &str) -> bool {
        let bare = squeezed(name);
        let text = self.squeezed.get_or_init(|| squeezed(self.text()));
        let glued = |text: &str, last: bool| {
            let letter = if last { text.chars().next_back() } else { text.chars().next() };
            letter.is_some_and(char::is_alphanumeric)
        };
        bare.len() >= ALIKE
            && memchr::memmem::find_iter(text.as_bytes(), &bare)
                .any(|at| !glued(&text[..at], true) && !glued(&text[at + bare.len()..], false))
    }

    /// The words of the text in lower case, each between spaces, and again those of lines with links, as a summary tells
    /// them.
    pub(super) fn spoken(&self) -> &str {
        self.spoken.get_or_init(|| {
            let linked = self.text().lines().filter(|line| line.contains("]("));
            let told: Vec<String> = linked.map(without_links).collect();
            words_of(self.text()) + &words_of(&told.join("\n"))
        })
    }

    /// The words of what tools returned, in lower case, each between spaces, without colors and as texts of JSON say.
    pub(super) fn printed(&self) -> &str {
        self.printed.get_or_init(|| {
            let parts = self.messages.iter().flat_map(|message| &message.parts);
            let results = parts.filter(|part| matches!(part.kind, PartKind::Result { .. }));
            let words = |text: &str| words_of(&without_escapes(text)) + " ";
            let of_json = |text: &str| if text.starts_with('{') { words(&values(text)) } else { String::new() };
            results.map(|result| words(&result.text) + &of_json(&result.text)).collect()
        })
    }

    /// The lines with paths of Windows, with slashes.
    fn slashed(&self) -> &str {
        self.slashed.get_or_init(|| {
            let windows = self.text().lines().filter(|line| line.contains(":\\"));
            windows.map(|line| with_slashes(line).into_owned() + "\n").collect()
        })
    }

    /// Whether a path of Windows, without its drive, is in the text behind this drive (in lower case); false if it is
    /// only behind others, `None` if it is behind none.
    pub(super) fn is_on_drive(&self, drive: char, path: &str) -> Option<bool> {
        let drives = [self.slashed(), self.text()].into_iter().flat_map(|text| {
            let found = memchr::memmem::find_iter(text.as_bytes(), path);
            let ended = found.filter(move |at| !goes_on(&text[at + path.len()..]));
            ended.filter_map(|at| drive_at_end(text.get(..at)?))
        });
        let mut other = false;
        for own in drives {
            if own == drive {
                return Some(true);
            }
            other = true;
        }
        let spelled = || [drive, drive.to_ascii_uppercase()].map(|drive| format!("{drive}:{path}"));
        if spelled().iter().any(|path| self.has_moved_to(path)) {
            return Some(true);
        }
        let below = || spelled().iter().any(|path| self.is_below(path));
        other.then(|| self.has(&format!("/{drive}{path}")) || below())
    }

    /// Whether a path with slashes is in the text with the backslashes of Windows, behind a drive.
    pub(super) fn says_with_backslashes(&self, path: &str) -> bool {
        let text = self.slashed();
        let ends = |before: &str| path.starts_with('/') && before.ends_with(':') || before.ends_with('/');
        path.contains('/')
            && memchr::memmem::find_iter(text.as_bytes(), path)
                .any(|at| ends(&text[..at]) && !goes_on(&text[at + path.len()..]))
    }

    /// Whether some word of the text begins like this.
    pub(super) fn begins(&self, start: &str) -> bool {
        self.find(start, false)
    }

    /// Whether a number is in the text, not as part of a longer one, whatever letters are joined to it.
    pub(super) fn has_number(&self, number: &str) -> bool {
        self.begins_number(number, "")
    }

    /// Whether a line and column `10:15` is in the text in brackets: `(10,15)`.
    pub(super) fn has_place(&self, place: &str) -> bool {
        [",", ", "].iter().any(|comma| self.has(&format!("({})", place.replace(':', comma))))
    }

    /// Whether a number followed by a text (in any case) is in the source. Digits may be grouped.
    pub(super) fn begins_number(&self, number: &str, then: &str) -> bool {
        let follows = |after: &str| after.get(..then.len()).is_some_and(|behind| behind.eq_ignore_ascii_case(then));
        self.has_behind(number, &follows)
    }

    /// Whether a number with one of these gaps and a unit (in any case) behind it is in the source.
    pub(super) fn has_measure(&self, number: &str, gaps: &[&str], unit: &str) -> bool {
        let begins = |after: &str| after.get(..unit.len()).is_some_and(|own| own.eq_ignore_ascii_case(unit));
        self.has_behind(number, &|after| gaps.iter().any(|gap| after.strip_prefix(gap).is_some_and(begins)))
    }

    /// Whether a number with a text behind it that `follows` accepts is in the source. Digits may be grouped.
    pub(super) fn has_behind(&self, number: &str, follows: &dyn Fn(&str) -> bool) -> bool {
        let ends = |text: &str| text.ends_with(|letter: char| letter.is_ascii_digit());
        let starts = |text: &str| text.starts_with(|letter: char| letter.is_ascii_digit());
        let stands = |text: &str, at: usize, length: usize| {
            let (before, after) = (text.get(..at).unwrap_or_default(), text.get(at + length..).unwrap_or_default());
            let decimal = before.strip_suffix('.').is_some_and(ends) || after.strip_prefix('.').is_some_and(starts);
            !ends(before) && !starts(after) && !decimal && follows(after)
        };
        let finds = |number: &str| {
            memchr::memmem::find_iter(self.text().as_bytes(), number).any(|at| stands(self.text(), at, number.len()))
        };
        finds(number) || grouped(number).is_some_and(|grouped| grouped.iter().any(|number| finds(number)))
    }

    /// Whether a call contains a text, or a person or an earlier summary says it. Output of tools and words of the
    /// agent do not count.
    pub(super) fn orders(&self, text: &str) -> bool {
        let says = |message: &Message<'_>| matches!(message.author, Author::Person | Author::Summary);
        self.messages.iter().any(|message| {
            message.parts.iter().any(|part| match part.kind {
                PartKind::Call { .. } => values(&part.text).contains(text),
                _ => says(message) && part.text.contains(text),
            })
        })
    }

    /// The lines of the text.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.text().lines()
    }

    /// Whether a text is in the source, letter by letter.
    pub fn has(&self, text: &str) -> bool {
        memchr::memmem::find(self.text().as_bytes(), text.as_bytes()).is_some()
    }

    /// Whether a text in lower case is in the text, in any case.
    pub(super) fn has_in_any_case(&self, lower: &str) -> bool {
        let text = self.lower.get_or_init(|| self.text().to_lowercase());
        memchr::memmem::find(text.as_bytes(), lower.as_bytes()).is_some()
    }

    /// What precedes and what follows each occurrence of a text.
    pub(super) fn around<'s>(&'s self, text: &'s str) -> impl Iterator<Item = (&'s str, &'s str)> {
        let found = memchr::memmem::find_iter(self.text().as_bytes(), text);
        found.filter_map(|at| Some((self.text().get(..at)?, self.text().get(at + text.len()..)?)))
    }

    /// What precedes each occurrence of a text.
    pub(super) fn before<'s>(&'s self, text: &'s str) -> impl Iterator<Item = &'s str> {
        self.text().match_indices(text).map(|(at, _)| &self.text()[..at])
    }

    /// What follows each occurrence of some words, in the text with single spaces and without emphasis.
    pub(super) fn behind<'s>(&'s self, words: &'s str) -> impl Iterator<Item = &'s str> {
        let folded = self.folded.get_or_init(|| {
            let mut folded = fold(self.text());
            folded.retain(|letter| !is_mark(letter));
            without_redirects(folded)
        });
        memchr::memmem::find_iter(folded.as_bytes(), words).filter_map(move |at| folded.get(at + words.len()..))
    }

    /// Whether a text is in the source, apart from spaces and emphasis.
    pub fn has_words(&self, text: &str) -> bool {
        self.has(text) || self.behind(&without_marks(&fold(text))).next().is_some()
    }

    /// Whether a word, or the beginning of one, is in the text: in lower case, capitalized, or in capitals.
    pub(super) fn mentions(&self, stem: &str) -> bool {
        let lower = stem.to_lowercase();
        let capital: String = lower.chars().take(1).flat_map(char::to_uppercase).chain(lower.chars().skip(1)).collect();
        [&lower, &capital, &lower.to_uppercase()].into_iter().any(|word| self.has(word))
    }

    fn find(&self, word: &str, whole: bool) -> bool {
        let inside = |letter: char| joins(letter) || letter == '_';
        let (first, last) = (word.chars().next(), word.chars().next_back());
        let digits = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
        memchr::memmem::find_iter(self.text().as_bytes(), word).any(|at| {
            let (Some(before), Some(after)) = (self.text().get(..at), self.text().get(at + word.len()..)) else {
                return false;
            };
            let glued = first.is_some_and(inside) && before.ends_with(inside) && !escaped(before, word);
            let decimal =
                digits(first) && before.strip_suffix('.').is_some_and(|rest| digits(rest.chars().next_back()));
            let goes_on = last.is_some_and(inside) && after.starts_with(inside);
            let fraction = digits(last) && after.strip_prefix('.').is_some_and(|rest| digits(rest.chars().next()));
            !glued && !decimal && (!whole || !(goes_on || fraction))
        })
    }

    /// The numbers that precede a word in the text.
    pub(super) fn counts(&self, word: &str) -> Option<&HashSet<String>> {
        let all = self.counts.get_or_init(|| {
            let mut all: HashMap<String, HashSet<String>> = HashMap::new();
            for found in COUNTED.captures_iter(self.text()) {
                all.entry(found[2].to_lowercase()).or_default().insert(found[1].to_owned());
            }
            all
        });
        all.get(&word.to_lowercase())
    }
}

/// Whether a name goes on in the text behind its beginning; it may hold what else ends one.
fn goes_on(after: &str) -> bool {
    let inside = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '-' | '.');
    after.trim_start_matches('.').starts_with(inside)
}

/// A text in lower case, without hyphens and underscores.
fn squeezed(text: &str) -> String {
    text.chars().filter(|letter| !matches!(letter, '-' | '_')).flat_map(char::to_lowercase).collect()
}

/// A whole number with its thousands grouped by `,` and by `_`; `None` if it has three digits or fewer.
pub(super) fn grouped(number: &str) -> Option<[String; 2]> {
    let whole = number.len() > 3 && all_digits(number);
    let groups = |mark: char| {
        let digits = number.chars().enumerate();
        let mark = |at: usize| (at > 0 && (number.len() - at).is_multiple_of(3)).then_some(mark);
        digits.flat_map(|(at, digit)| mark(at).into_iter().chain([digit])).collect()
    };
    whole.then(|| [groups(','), groups('_')])
}

/// Runs a test on a source in which the user says `said`.
#[cfg(test)]
pub(super) fn on_said<T>(said: &str, tried: impl FnOnce(&SourceText<'_>) -> T) -> T {
    let mut transcript = crate::transcript::sketch::sketch("u");
    transcript.messages[0].parts[0].text = said.to_owned().into();
    tried(&SourceText::new(&transcript.messages.iter().collect::<Vec<_>>()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::Status;

    #[test]
    fn how_a_command_ended_stands_in_it_though_no_text_says_so() {
        let mut transcript = crate::transcript::sketch::sketch("u");
        transcript.messages[0].parts[0].status = Some(Status::Exit(137));
        let source = SourceText::new(&transcript.messages.iter().collect::<Vec<_>>());
        assert!(source.says_number("137") && !source.says_number("138"));
    }

    #[test]
    fn a_path_may_be_below_a_folder_of_windows_that_a_command_changes_to() {
        let mut transcript = crate::transcript::sketch::sketch("u");
        let part = &mut transcript.messages[0].parts[0];
        part.kind = PartKind::Call { id: "c".into(), name: "bash".into() };
        part.text = r#"{"command":"cd D:/harbor/website && head quay.json"}"#.into();
        let source = SourceText::new(&transcript.messages.iter().collect::<Vec<_>>());
        for path in ["website/quay.json", "/harbor/website/quay.json", "/d/harbor/website/quay.json"] {
            assert!(source.is_below(path), "{path}");
        }
        assert!(!source.is_below("pier/quay.json"));
    }

    #[test]
    fn a_word_begins_behind_what_sets_a_color() {
        for before in ["\u{1b}[31;1m", "\\u001b[0m", "\u{1b}[1m\u{1b}[K"] {
            assert!(on_said(&format!("{before}TideError: no gauge"), |source| source.says("TideError")), "{before}");
        }
        assert!(!on_said("a[31;1mTideError", |source| source.says("TideError")));
    }

    #[test]
    fn what_sends_output_away_parts_no_words() {
        let said = "dd skip=15 count=12 2>/dev/null | od -t u1";
        assert!(on_said(said, |source| source.has_words("count=12 | od")));
    }
}
