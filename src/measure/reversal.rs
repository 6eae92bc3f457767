//! Whether a line says the opposite of a sentence in nearly its words: negated, swapped (`tabs instead of spaces`), or
//! with the other end of a scale (`more than`, `less than`).

use super::{SourceText, pattern};
use regex::Regex;
use std::sync::LazyLock;

/// Share of the words that both must have in common.
const ALIKE: f64 = 0.8;
/// Least number of words: fewer match by chance.
const LEAST: usize = 4;

static WORD: LazyLock<Regex> = LazyLock::new(|| pattern(r"[\w'’./+-]*\w"));
/// Words that negate a sentence.
static NEGATION: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(?:never|not|no|none|nor|cannot|without|avoid|refrain)\b|n['’]t\b"));
/// Words that come and go with a negation, and modal words; not compared.
const POLARITY: &[&str] = &[
    "never", "not", "no", "none", "nor", "cannot", "without", "avoid", "refrain", "from", "always", "only", "do",
    "does", "did", "can", "could", "must", "should", "may", "shall", "will", "please",
];
/// The end of a quote that ends its sentence.
static QUOTE_END: LazyLock<Regex> = LazyLock::new(|| pattern(r#"[.!?]["”’']\s+"#));
/// Words between two things of which one is preferred to the other, or comes first.
static PIVOT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:instead of|rather than|before|after)\b|(?:, (?:and |but )?| (?:and|but) )(?:never|not)(?: use)?\b",
    )
});
/// “Prefer x over y”; what stands between the two.
static PREFERS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(?:prefer\w*|favou?r\w*|choose|pick)\b[^,;:.]*?\b(over)\b"));
/// Most words of a thing that is chosen.
const LONGEST: usize = 3;
/// Share of the words that both must have in common if they choose between the same two figures.
const OF_FIGURES: f64 = 0.4;
/// The pivot of an order in time; all others state a preference, in whatever words.
const IN_TIME: [&str; 2] = ["before", "after"];
/// Their words, which say the same with their sides exchanged.
const BEFORE_AFTER: (&str, &str) = (IN_TIME[0], IN_TIME[1]);
/// A limit in the words of its other side: “no more than 40” is “at most 40”.
static LIMIT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"\b(?:no|not|never|cannot|\w+n['’]t)(?: \w+)? (more|longer|larger|less|fewer|shorter|smaller) than\b")
});
/// Those of its words that are for more.
const MORE: [&str; 3] = ["more", "longer", "larger"];
/// Ends of scales for the greatest and the least number.
const GREATEST: [&str; 3] = ["most", "maximum", "max"];
const SMALLEST: [&str; 3] = ["least", "minimum", "min"];
/// Opposite ends of scales.
const OPPOSITES: &[(&str, &str)] = &[
    ("more", "less"),
    ("more", "fewer"),
    ("most", "least"),
    ("maximum", "minimum"),
    ("max", "min"),
    ("above", "below"),
    ("over", "under"),
    BEFORE_AFTER,
    ("enable", "disable"),
    ("include", "exclude"),
    ("add", "remove"),
    ("longer", "shorter"),
    ("larger", "smaller"),
    ("higher", "lower"),
    ("older", "newer"),
    ("keep", "remove"),
];

/// A sentence in the form that is compared.
#[derive(Debug, Clone, Default)]
pub struct Saying {
    /// Its words without those of [`POLARITY`] and [`OPPOSITES`], sorted.
    words: Vec<String>,
    /// The ends of scales that it names.
    ends: Vec<&'static str>,
    negations: usize,
    /// Whether it denies more (“no more than 40”), and whether less.
    denies: [bool; 2],
    /// The words left and right of a pivot, and the pivot.
    pivot: Option<Pivot>,
    /// Negations in the pivot.
    in_pivot: usize,
}

/// A choice between two things.
#[derive(Debug, Clone)]
struct Pivot {
    /// The last words before it, and the first behind it.
    sides: [Vec<String>; 2],
    word: String,
}

impl Saying {
    /// Parses a sentence.
    pub fn of(sentence: &str) -> Self {
        let lower = sentence.to_lowercase();
        let negations = NEGATION.find_iter(&lower).count();
        let (mut words, mut ends) = (Vec::new(), Vec::new());
        for word in WORD.find_iter(&lower).map(|word| word.as_str().trim_start_matches(['.', '-', '/', '+'])) {
            let end = OPPOSITES.iter().flat_map(|(one, other)| [*one, *other]).find(|end| *end == word);
            match end {
                Some(end) => ends.push(end),
                None if POLARITY.contains(&word) || word.ends_with("n't") || word.ends_with("n’t") => {}
                None => words.push(word.to_owned()),
            }
        }
        words.sort_unstable();
        let pivot = Pivot::of(&lower);
        let in_pivot = pivot.as_ref().map_or(0, |pivot| NEGATION.find_iter(&pivot.word).count());
        let denied: Vec<bool> = LIMIT.captures_iter(&lower).map(|found| MORE.contains(&&found[1])).collect();
        let denies = [true, false].map(|more| denied.contains(&more));
        Self { words, ends, negations, denies, pivot, in_pivot }
    }

    /// Whether another sentence says the opposite in nearly the same words.
    pub fn opposes(&self, other: &Self) -> bool {
        let (longest, turned) = (self.words.len().max(other.words.len()), self.is_turned(other));
        // A few words tell if both choose between the same two things, and say nothing else.
        let enough = self.words.len() >= LEAST || turned && self.words == other.words;
        let share = if turned && self.names_figure() { OF_FIGURES } else { ALIKE };
        if !enough || (self.common(other) as f64) < share * longest as f64 {
            return false;
        }
        let has = |one: &Self, end: &str| one.ends.contains(&end);
        let flipped = |here: &Self, there: &Self, (one, two): (&str, &str)| {
            has(here, one) && !has(here, two) && has(there, two) && !has(there, one)
        };
        let exchanged = self.is_exchanged(other);
        let mut scales = OPPOSITES.iter().filter(|pair| !exchanged || **pair != BEFORE_AFTER);
        let scale = scales.any(|&pair| flipped(self, other, pair) || flipped(other, self, pair));
        // The negation in a preference (`tabs, never spaces`) is none of the sentence, if both prefer something, or
        // choose between the same two.
        let prefers = |one: &Self| one.in_pivot > 0;
        let both = turned || prefers(self) && prefers(other);
        let own = |one: &Self| one.negations - if both { one.in_pivot } else { 0 };
        let limits = usize::from(self.limits_as(other) || other.limits_as(self));
        let negated = (own(self) + own(other) + limits) % 2 == 1;
        negated ^ scale ^ turned
    }

    /// The number of words that both have.
    fn common(&self, other: &Self) -> usize {
        let (mut here, mut there) = (self.words.iter().peekable(), other.words.iter().peekable());
        let mut common = 0;
        while let (Some(one), Some(two)) = (here.peek(), there.peek()) {
            match one.cmp(two) {
                std::cmp::Ordering::Less => drop(here.next()),
                std::cmp::Ordering::Greater => drop(there.next()),
                std::cmp::Ordering::Equal => {
                    common += 1;
                    here.next();
                    there.next();
                }
            }
        }
        common
    }

    /// Whether both choose between the same two things and choose differently.
    fn is_turned(&self, other: &Self) -> bool {
        let Some((one, two)) = self.pivot.as_ref().zip(other.pivot.as_ref()) else { return false };
        let same = one.word == two.word || !one.is_in_time() && !two.is_in_time();
        same && one.has_sides_of(two)
    }

    /// Whether both tell the same order in time, one from its beginning and one from its end: “a before b”, “b after a”.
    fn is_exchanged(&self, other: &Self) -> bool {
        let Some((one, two)) = self.pivot.as_ref().zip(other.pivot.as_ref()) else { return false };
        one.word != two.word && one.is_in_time() && two.is_in_time() && one.has_sides_of(two)
    }

    /// Whether it limits a number as another sentence does by a denial: “at most 40”, “no more than 40”.
    fn limits_as(&self, other: &Self) -> bool {
        let names = |ends: &[&str]| self.ends.iter().any(|end| ends.contains(end));
        names(&GREATEST) && other.denies[0] || names(&SMALLEST) && other.denies[1]
    }

    /// Whether one of the two things that it chooses between is a figure.
    fn names_figure(&self) -> bool {
        let figure = |word: Option<&String>| word.is_some_and(|word| word.contains(|sign: char| sign.is_ascii_digit()));
        self.pivot.as_ref().is_some_and(|pivot| figure(pivot.sides[0].last()) || figure(pivot.sides[1].first()))
    }
}

impl Pivot {
    fn of(text: &str) -> Option<Self> {
        let prefers = || PREFERS.captures(text).and_then(|found| found.get(1));
        let found = PIVOT.find(text).or_else(prefers)?;
        let telling = |text| {
            let words = WORD.find_iter(text).map(|word| word.as_str());
            words.filter(|word| !["the", "a", "an", "you", "any"].contains(word)).map(str::to_owned)
        };
        let left: Vec<String> = telling(&text[..found.start()]).collect();
        let left = left[left.len().saturating_sub(LONGEST)..].to_vec();
        let right: Vec<String> = telling(&text[found.end()..]).take(LONGEST).collect();
        let whole = !left.is_empty() && !right.is_empty();
        whole.then(|| Self { sides: [left, right], word: found.as_str().to_owned() })
    }

    /// Whether it is one of [`IN_TIME`].
    fn is_in_time(&self) -> bool {
        IN_TIME.contains(&self.word.as_str())
    }

    /// Whether another pivot has the same two things on its other sides.
    fn has_sides_of(&self, other: &Self) -> bool {
        (1..=LONGEST).any(|words| {
            let [(left, right), (other_left, other_right)] = [self.things(words), other.things(words)];
            left.len() == words && left != right && left == other_right && right == other_left
        })
    }

    /// So many words left and right of the pivot.
    fn things(&self, words: usize) -> (&[String], &[String]) {
        let [left, right] = &self.sides;
        (&left[left.len().saturating_sub(words)..], &right[..words.min(right.len())])
    }
}

/// The sentences of lines, without those that are in the source: it may say one thing and later another.
pub fn sayings(lines: &[&str], source: &SourceText<'_>) -> Vec<Saying> {
    let sentences = lines.iter().flat_map(|line| super::constraints::split(line)).flat_map(behind_quotes);
    let bare = sentences.map(|sentence| sentence.trim_matches([' ', '-', '*', '>', '\t', '\r', '“', '”', '"', '…']));
    bare.filter(|sentence| !sentence.is_empty() && !is_said(sentence, source)).map(Saying::of).collect()
}

/// Splits a text after quotes that end a sentence: a summary may join two lines.
fn behind_quotes(text: &str) -> impl Iterator<Item = &str> {
    let ends: Vec<usize> = QUOTE_END.find_iter(text).map(|end| end.end()).collect();
    let starts = std::iter::once(0).chain(ends.clone());
    starts.zip(ends.into_iter().chain([text.len()])).map(|(start, end)| &text[start..end])
}

/// Whether the source has a sentence without a negation before it.
fn is_said(sentence: &str, source: &SourceText<'_>) -> bool {
    source.before(sentence).any(|before| {
        let start = before.rfind(['\n', '.', '!', '?', ';', ':']).map_or(0, |at| at + 1);
        !NEGATION.is_match(&before[start..])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::sketch::sketch;

    fn opposes(one: &str, other: &str) -> bool {
        Saying::of(one).opposes(&Saying::of(other))
    }

    #[test]
    fn a_sentence_can_be_turned_round_in_its_own_words() {
        for (rule, turned) in [
            (
                "You must keep the public API of the crate stable.",
                "You must not keep the public API of the crate stable.",
            ),
            ("Always run the linter before you commit.", "Never run the linter before you commit."),
            ("Always run the linter before you commit.", "Don't run the linter before you commit."),
            ("Only use the standard library for dates.", "Do not use the standard library for dates."),
            ("Please use snake_case for new functions.", "Please avoid snake_case for new functions."),
            ("Never delete files below data without asking.", "Delete files below data without asking."),
            ("Use tabs instead of spaces in every file.", "Use spaces instead of tabs in every file."),
            ("Never spend more than 300 tokens on a reply.", "Never spend less than 300 tokens on a reply."),
            ("Run the linter before each commit.", "Run the linter after each commit."),
            ("Use tabs, never spaces, for indentation.", "Use spaces, never tabs, for indentation."),
            ("Use tabs, not spaces.", "Use spaces, not tabs."),
            ("Use tabs, never spaces.", "Use spaces, not tabs."),
            ("Use tabs, and never use spaces, for indentation.", "Use spaces, and never use tabs, for indentation."),
            ("Don't touch the old parser, don't rename its tests.", "Touch the old parser, don't rename its tests."),
            (
                "Prefer the stable channel over the nightly channel.",
                "Prefer the nightly channel over the stable channel.",
            ),
            ("Prefer pnpm over npm.", "Prefer npm over pnpm."),
            ("Use port 8080 and not port 9090.", "Use port 9090 and not port 8080."),
            ("Functions may have at most 40 lines.", "Functions have at least 40 lines."),
            ("Functions may have at most 40 lines.", "Functions have no fewer than 40 lines."),
            ("Never run the linter before the tests.", "Run the tests after the linter."),
            ("Commit before every test run.", "Commit after every test run."),
            ("Keep the comment about the new rack.", "Remove the comment about the new rack."),
            ("The export must go on writing 00:40 and not 24:40.", "The export has to write 24:40 rather than 00:40."),
        ] {
            assert!(opposes(rule, turned) && opposes(turned, rule), "{turned}");
            assert!(!opposes(rule, rule), "{rule}");
        }
        for (rule, same) in [
            ("Never spend more than 300 tokens on a reply.", "Spend less than 300 tokens on a reply, never more."),
            ("Do not commit before the tests ran.", "The tests ran before any commit of ours."),
            ("Make sure that the tests of the parser pass.", "The tests of the parser do not pass yet."),
            ("Never touch src/lexer.rs!", "Edited src/lexer.rs"),
            ("Use tabs, never spaces, for indentation.", "Use tabs instead of spaces for indentation."),
            ("Use tabs, never spaces, for indentation.", "Never use spaces for indentation."),
            ("Use tabs, never spaces.", "Use tabs, never spaces or both."),
            ("Run the tests, not the linter.", "Run the linter."),
            ("Prefer the stable channel over the nightly channel.", "Prefer the stable channel over the nightly one."),
            ("Use port 8080 and not port 9090.", "The lamp listens on port 8080, and not on port 9090."),
            ("Functions may have at most 40 lines.", "Functions have 40 lines at most."),
            ("Functions may have at most 40 lines.", "Functions have no more than 40 lines."),
            ("Functions may have at most 40 lines.", "Functions may not have more than 40 lines."),
            ("Functions have no fewer than 40 lines.", "Functions have at least 40 lines."),
            ("Run the linter before the tests.", "Run the tests after the linter."),
            ("Migrate the users table before the berths table.", "Migrate the berths table after the users table."),
            ("Keep the comment about the new rack.", "Keep the comment about the new rack, remove the old one."),
        ] {
            assert!(!opposes(rule, same), "{same}");
        }
    }

    #[test]
    fn what_the_user_said_later_is_no_opposite() {
        let mut transcript = sketch("u");
        transcript.messages[0].parts[0].text = "Never push to the main branch. Push to the main branch now.".into();
        let messages: Vec<_> = transcript.messages.iter().collect();
        let source = SourceText::new(&messages);
        assert!(sayings(&["- Push to the main branch now."], &source).is_empty());
        assert_eq!(sayings(&["- push to the main branch."], &source).len(), 1);
    }
}
