//! User constraints: sentences in which the user says how to work, and whether a summary keeps them.

use super::pattern;
use super::renumbered::is_renumbered;
use crate::summary::own_words;
use crate::transcript::Message;
use regex::Regex;
use std::collections::HashSet;
use std::sync::LazyLock;

/// A sentence of the user with a cue word (“never”, “please”, “use”).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Constraint {
    /// Index of its message in the given slice.
    pub message: usize,
    /// The sentence.
    pub text: String,
}

/// Share of a sentence's content words that must be on one line (QUALITY §2).
const ENOUGH: f64 = 0.6;
/// Length of a constraint sentence in characters.
const LENGTHS: std::ops::RangeInclusive<usize> = 15..=400;
/// Most characters of a message that are read: a longer one is mostly pasted, so half of this is read at each end.
const LONGEST: usize = 6_000;

/// Cue words with which a user instructs an agent (fact-spec v1).
static CUE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)\b(?:must(?: not|n't)?|never|always|don'?t|do not|should(?:n'?t| not)?|only|instead(?: of)?|make sure",
        r"|ensure|need(?:s)? to|avoid|prefer|keep|require[sd]?|without|no longer|rather than|use|please|let'?s|i want",
        r"|we want|stick (?:to|with))\b"
    ))
});
/// Words that forbid.
static FORBIDS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:never|(?:must|should|do|does|may|shall|can) ?not|cannot|(?:must|should|do|does|ca)n['’]?t|avoid|no longer|without)\b",
    )
});
/// Words that turn a ban into an instruction.
static TURNS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:unless|until|till|before|without|except|forget|fail|miss|omit|hesitate|more than|instead)\b")
});
/// Other words that forbid or limit.
static LIMITS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)\b(?:no|nor|not|none|nothing|never|cannot|without|avoid\w*|un(?:touched|changed|modified|altered|edited|less)|forbid\w*|prohibit\w*|ban(?:ned)?",
        r"|refus\w*|reject\w*|declin\w*|waiv\w*|exclu\w+|except|skip\w*|stop\w*|omit\w*|drop\w*|remov\w+|leave|left|keep\w*|kept|stays?",
        r"|remain\w*|preserv\w*|as is|read-only|off[- ]limits|only|just|instead|rather|limit\w*|less|fewer|minim\w+|free",
        r"|out of scope|ignor\w*|disallow\w*|prevent\w*|against|wrong|bad|hates?|dislikes?|wary|careful)\b",
        r"|n['’]t\b|✗|❌|🚫"
    ))
});
static FENCED: LazyLock<Regex> = LazyLock::new(|| pattern("(?s)```.*?```"));
/// Contractions such as “don't”: not content words, as is “do not”.
static CONTRACTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:[a-z]+n['’]t|(?:i|you|he|she|it|we|they|this|that|there|here|let|what|who|where|how)['’](?:s|m|re|ve|ll|d))\b",
    )
});
/// Dots between two clauses: “leave it..just sound the horn”.
static DOTS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\.{2,}|…"));
static WORD: LazyLock<Regex> = LazyLock::new(|| pattern("[a-z0-9_./-]{3,}"));

/// Words without content (fact-spec v1).
const EMPTY: &str = "the and for that this with from are was were you your our have has had not but can will just into \
    they them then than also all any its let lets should would could please make sure need needs want use \
    using dont must never always only keep there here what when where which while about over under more some \
    such been being does did done who how why these those each other via per out off get got one two";
static EMPTY_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| EMPTY.split_whitespace().collect());

/// Returns the constraint sentences of all real user messages, oldest first, without those that have no content words.
pub fn sentences(messages: &[&Message<'_>]) -> Vec<Constraint> {
    spoken(messages, &has_cue)
}

/// Returns the sentences of all real user messages that `binds` accepts, as [`sentences`] does those with a cue word.
pub fn spoken(messages: &[&Message<'_>], binds: &dyn Fn(&str) -> bool) -> Vec<Constraint> {
    let users = messages.iter().enumerate().filter(|(_, message)| message.is_real_user() && !message.abandoned);
    users.flat_map(|(at, message)| of_text(at, &message.said(), binds)).collect()
}

fn of_text(message: usize, text: &str, binds: &dyn Fn(&str) -> bool) -> Vec<Constraint> {
    let words = own_words(text);
    let body = without_middle(&FENCED.replace_all(&words, " "));
    let bare = split(&body).map(|sentence| sentence.trim_matches([' ', '-', '*', '>', '\t', '\r']));
    let binding = bare.filter(|sentence| LENGTHS.contains(&sentence.chars().count()) && binds(sentence));
    let telling = binding.filter(|sentence| !content_words(sentence).is_empty());
    telling.map(|sentence| Constraint { message, text: sentence.to_owned() }).collect()
}

/// The first and the last `LONGEST / 2` characters of a text longer than `LONGEST`; else the text.
fn without_middle(text: &str) -> String {
    let length = text.chars().count();
    if length <= LONGEST {
        return text.to_owned();
    }
    let place = |number: usize| text.char_indices().nth(number).map_or(text.len(), |(at, _)| at);
    format!("{}\n{}", &text[..place(LONGEST / 2)], &text[place(length - LONGEST / 2)..])
}

/// Whether a text has a cue word.
pub fn has_cue(text: &str) -> bool {
    CUE.is_match(text)
}

/// Splits a text at line ends, and after `.`, `!` or `?` where a space follows.
pub fn split(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| {
        let mut rest = Some(line);
        std::iter::from_fn(move || {
            let all = rest?;
            let ends = |(at, _): &(usize, &str)| all[at + 1..].starts_with(char::is_whitespace);
            let end = all.match_indices(['.', '!', '?']).find(ends).map(|(at, _)| at + 1);
            rest = end.map(|end| all[end..].trim_start());
            Some(end.map_or(all, |end| &all[..end]))
        })
    })
}

/// The content words of a sentence: its words of three or more characters in lower case, with paths and identifiers,
/// but without stop words and contractions.
pub fn content_words(text: &str) -> HashSet<String> {
    let lower = text.to_lowercase();
    let full = CONTRACTED.replace_all(&lower, " ");
    let words = WORD.find_iter(&full).map(|word| word.as_str().trim_matches(['.', '-', '/']));
    words.filter(|word| !word.is_empty() && !EMPTY_WORDS.contains(word)).map(str::to_owned).collect()
}

/// Whether one of the lines states the constraint: at least 60 % of its content words are on that line.
pub fn kept(constraint: &Constraint, lines: &[&str]) -> bool {
    says(&content_words(&constraint.text), lines)
}

/// Like [`kept`], for content words instead of a sentence; false for an empty set.
pub fn says(wanted: &HashSet<String>, lines: &[&str]) -> bool {
    lines.iter().any(|line| has(line, wanted))
}

/// Whether a line [`holds`] words. Most lines lack them even as parts of words, which spares reading theirs.
fn has(line: &str, wanted: &HashSet<String>) -> bool {
    let lower = line.to_lowercase();
    let there = wanted.iter().filter(|word| lower.contains(word.as_str())).count();
    there as f64 >= ENOUGH * wanted.len() as f64 && holds(&content_words(line), wanted)
}

/// Whether a line's content words include at least 60 % of the wanted ones.
pub fn holds(line: &HashSet<String>, wanted: &HashSet<String>) -> bool {
    let there = wanted.iter().filter(|word| line.contains(*word)).count();
    !wanted.is_empty() && there as f64 >= ENOUGH * wanted.len() as f64
}

/// How lines state a constraint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// At least one line states it.
    AsItIs,
    /// All lines with its words allow what it forbids, or forbid what it demands.
    Reversed,
    /// No line states it: none has its words and numbers, or none of those says anything of what it forbids.
    Nowhere,
}

/// Whether lines state a constraint, state its opposite in the same words, or do neither.
pub fn stated_in(constraint: &Constraint, lines: &[&str]) -> Said {
    let wanted = content_words(&constraint.text);
    let mut found = Said::Nowhere;
    let has_words = |line: &&&str| has(line, &wanted) && !is_renumbered(&constraint.text, line);
    for line in lines.iter().filter(has_words) {
        // A sentence that has the words alone is judged without those beside it.
        let is_alone = |sentence: &&str| !sentence.ends_with('?') && holds(&content_words(sentence), &wanted);
        let sentences: Vec<&str> = split(line).filter(is_alone).collect();
        let told = if sentences.is_empty() { vec![*line] } else { sentences };
        for said in told {
            if !reverses(&constraint.text, &wanted, said) {
                return Said::AsItIs;
            }
            if tells_of_ban(&constraint.text, said) {
                found = Said::Reversed;
            }
        }
    }
    found
}

/// Whether a line has a word of what a constraint forbids, if it forbids anything: one that has only what stands before
/// the ban (“add a mock so that no test ever touches the database”) tells of that.
fn tells_of_ban(constraint: &str, line: &str) -> bool {
    let Some(ban) = FORBIDS.find(constraint) else { return true };
    let banned = DOTS.split(&constraint[ban.end()..]).next().unwrap_or_default();
    let banned = banned.split([',', ';', ':', '(', '—', '–']).next().unwrap_or_default();
    let (banned, there) = (content_words(banned), content_words(line));
    banned.is_empty() || banned.iter().any(|word| there.contains(word))
}

/// Whether a line with the words of a constraint allows what it forbids, or forbids what it demands.
fn reverses(constraint: &str, wanted: &HashSet<String>, line: &str) -> bool {
    // “Never push without tests” is no plain ban: “test before every push” means the same.
    if line.contains(constraint) || FORBIDS.find_iter(constraint).count() > 1 || TURNS.is_match(constraint) {
        return false;
    }
    if FORBIDS.is_match(constraint) {
        return !LIMITS.is_match(line) && !FORBIDS.is_match(line);
    }
    // A ban in one clause beside the instruction in another does not reverse it.
    let clauses = line.split([',', ';', '.', ':', '(', '—', '–']);
    !LIMITS.is_match(constraint)
        && clauses
            .filter(|clause| holds(&content_words(clause), wanted))
            .any(|clause| FORBIDS.find_iter(clause).count() == 1 && !TURNS.is_match(clause))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Share;
    use crate::transcript::sketch::sketch;

    #[test]
    fn a_sentence_that_stands_there_is_not_said_the_other_way_round() {
        let text = "please use the login page but I cant add the redirect address there";
        let constraint = Constraint { message: 0, text: text.into() };
        let reversed = "- the login page does take the redirect address, please add it there";
        assert_eq!(stated_in(&constraint, &[reversed, &format!("- {text}")]), Said::AsItIs);
        assert_eq!(
            stated_in(&constraint, &["- use the login page, we can't add the redirect address there"]),
            Said::AsItIs
        );
    }

    fn found(text: &str) -> Vec<String> {
        of_text(0, text, &has_cue).into_iter().map(|constraint| constraint.text).collect()
    }

    #[test]
    fn sentences_that_bind_are_constraints() {
        let text = "The parser is slow. Never touch src/lexer.rs! Thanks.\n- use tabs instead of spaces\n```\nnever in code blocks\n```";
        assert_eq!(found(text), ["Never touch src/lexer.rs!", "use tabs instead of spaces"]);
        assert_eq!(found("Never mind."), Vec::<String>::new(), "too short");
        assert_eq!(found("please do not use that only"), Vec::<String>::new(), "nothing to look for");
    }

    #[test]
    fn only_words_of_real_users_bind() {
        let mut transcript = sketch("s u a");
        for message in &mut transcript.messages {
            message.parts[0].text = "Never touch the generated files.".into();
        }
        let messages: Vec<_> = transcript.messages.iter().collect();
        assert_eq!(sentences(&messages).iter().map(|one| one.message).collect::<Vec<_>>(), [1]);
        assert_eq!(
            found("Fix it. <system-reminder>You must never stop working.</system-reminder>"),
            Vec::<String>::new()
        );
    }

    #[test]
    fn a_constraint_is_kept_on_one_line_and_not_on_two() {
        let one = Constraint { message: 0, text: "Never touch the generated parser tables.".into() };
        assert!(kept(&one, &["other", "- generated parser tables stay as they are, don't touch"]));
        assert!(!kept(&one, &["generated parser", "touch tables"]));
        assert!(!kept(&one, &[]));
        assert_eq!(Share::default().value(), None);
    }

    #[test]
    fn a_contraction_is_no_word_of_its_own() {
        let words = |text: &str| {
            let mut words: Vec<String> = content_words(text).into_iter().collect();
            words.sort();
            words
        };
        for text in
            ["Don't push to main", "DON’T PUSH TO MAIN", "It's that you mustn't push to main", "Do not push to main"]
        {
            assert_eq!(words(text), ["main", "push"], "{text}");
        }
        assert_eq!(words("the user's file can't be 'main.rs'"), ["file", "main.rs", "user"]);
        let one = Constraint { message: 0, text: "Don't push it yet".into() };
        assert_eq!(stated_in(&one, &["Do not push it yet"]), Said::AsItIs);
        assert_eq!(
            stated_in(&Constraint { text: "Please don't push".into(), ..one }, &["- do not push"]),
            Said::AsItIs
        );
    }

    #[test]
    fn a_constraint_can_be_said_the_other_way_round() {
        let said = |text: &str, lines: &[&str]| stated_in(&Constraint { message: 0, text: text.into() }, lines);
        let never = "Do not touch the generated parser tables.";
        for line in ["Don't touch the generated parser tables", "generated parser tables: leave them, touch nothing"] {
            assert_eq!(said(never, &[line]), Said::AsItIs, "{line}");
        }
        let allows = "You may touch the generated parser tables.";
        assert_eq!(said(never, &[allows]), Said::Reversed);
        assert_eq!(said(never, &[allows, never]), Said::AsItIs);
        let so_that = "FIX 3 — Add a Prisma mock so unit tests never touch the DB";
        assert_eq!(said(so_that, &["- FIX 3: Prisma mock added, unit tests use the mapper"]), Said::Nowhere);
        assert_eq!(said(so_that, &["- FIX 3: Prisma mock, so unit tests touch the DB"]), Said::Reversed);
        assert_eq!(said(never, &["The tables."]), Said::Nowhere);
        let dots = "we dont need the buoy chart..just say press y to light the northern lamp";
        assert_eq!(said(dots, &["- Asked: press y to light the northern lamp, and say so"]), Said::Nowhere);
        assert_eq!(said(dots, &["- buoy chart: press y to light the northern lamp"]), Said::Reversed);
        let turned = "Never push without running cargo test.";
        assert_eq!(said(turned, &["Run cargo test at every push"]), Said::AsItIs);
        assert_eq!(said("Run the linter on commits.", &["Don't forget to run the linter on commits"]), Said::AsItIs);
        let always = "Always run the linter on commits.";
        assert_eq!(said(always, &["Never run the linter on commits."]), Said::Reversed);
        assert_eq!(said(always, &["run the linter on commits; never push to main"]), Said::AsItIs);
        assert_eq!(said(always, &["run the linter on commits — do not push to main"]), Said::AsItIs);
    }

    #[test]
    fn of_a_long_message_the_ends_are_read() {
        let text = format!("Always run the linter.\n{}\nNever push to main.", "x ".repeat(5_000));
        assert_eq!(found(&text), ["Always run the linter.", "Never push to main."]);
    }
}
