//! Splits a line into sentences.

use super::abbreviated::is_abbreviated;
use crate::summary::text::{first_bytes, is_dense, last_bytes, starts_any};

/// Number of characters behind a sign in which an address shows, and of bytes between two numbers of a list in a line.
const NAME: usize = 10;
const LIST: usize = 600;

/// How carefully a text was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hand {
    /// A lower-case letter continues the sentence before.
    Careful,
    /// It does so only after a line long enough to be wrapped.
    Quick,
}

/// The sentences of a line that was written with care, all of its words.
pub fn line_sentences(line: &str) -> Vec<String> {
    let mut all = Vec::new();
    split(line, Hand::Careful, |sentence| all.push(sentence.to_owned()));
    all.retain(|sentence| !sentence.is_empty());
    all
}

/// Passes each sentence of a line to `each`.
pub(super) fn split(line: &str, hand: Hand, mut each: impl FnMut(&str)) {
    let paired = line.matches('`').count().is_multiple_of(2);
    let closed = line.matches('(').count() == line.matches(')').count();
    let (mut start, mut code, mut depth) = (0, false, 0_usize);
    let mut chars = line.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        if char.is_ascii_alphanumeric() || char == ' ' {
            continue;
        }
        code ^= paired && char == '`';
        match char {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        // “It fails (who closes it?), and that is all.”
        let within = || !line[start..].trim_start().starts_with('(');
        let inside = closed && depth > 0 && (matches!(char, '!' | '?') || char == '.' && within());
        let behind = &line[at + char.len_utf8()..];
        if code || inside || !ends_sentence(line, at, char, hand) || quotes_on(behind) || gives_example(behind) {
            continue;
        }
        while chars.next_if(|(_, next)| "!?。！？؟।」』”\"')".contains(*next)).is_some() {}
        let end = chars.peek().map_or(line.len(), |(next, _)| *next);
        each(without_stray(line[start..end].trim(), hand));
        start = end;
    }
    each(without_stray(line[start..].trim(), hand));
}

/// A sentence without a star that began or ended its emphasis in another one.
fn without_star(sentence: &str) -> &str {
    let mut stars = sentence.matches('*');
    let is_lone = stars.next().is_some() && stars.next().is_none();
    // “*args is passed on” is code.
    let behind = |rest: &&str| rest.starts_with(char::is_uppercase);
    let before = |rest: &&str| rest.ends_with(['.', '!', '?']);
    let bare = || {
        let begun = sentence.strip_prefix('*').filter(behind);
        begun.or_else(|| sentence.strip_suffix('*').filter(before))
    };
    if is_lone { bare().unwrap_or(sentence) } else { sentence }
}

/// A typed sentence without a bullet from the middle of its line, and without a quote at one end that belongs to
/// another sentence.
fn without_stray(sentence: &str, hand: Hand) -> &str {
    if hand == Hand::Careful {
        return without_star(sentence);
    }
    let sentence = sentence.strip_prefix("- ").unwrap_or(sentence);
    let lone = |open: char, close: char| sentence.matches(open).count() != sentence.matches(close).count();
    let straight = !sentence.matches('"').count().is_multiple_of(2);
    let bare = match (sentence.chars().next(), sentence.chars().next_back()) {
        (Some('"'), _) if straight => sentence.strip_prefix('"'),
        (Some('“' | '”'), _) if lone('“', '”') => sentence.strip_prefix(['“', '”']),
        (_, Some('"')) if straight => {
            sentence.strip_suffix('"').filter(|bare| !bare.ends_with(|c: char| c.is_ascii_digit()))
        }
        (_, Some('”')) if lone('“', '”') => sentence.strip_suffix('”'),
        _ => None,
    };
    bare.map_or(sentence, str::trim)
}

fn ends_sentence(line: &str, at: usize, char: char, hand: Hand) -> bool {
    let after = &line[at + char.len_utf8()..];
    match char {
        '。' | '！' | '？' | '।' | '॥' => true,
        // “船期怎么算?我还剩7天。”
        '!' | '?' | '؟' => {
            after.is_empty() || after.starts_with([' ', '"', ')']) || goes_on_densely(&line[..at], after)
        }
        '.' if hand == Hand::Quick && is_stop(&line[..at]) && goes_on_anew(after) => true,
        '.' if !after.starts_with([' ', '"']) || is_abbreviated(&line[..at], after) || counts(&line[..at], after) => {
            false
        }
        '.' => hand == Hand::Quick || !goes_on_small(after),
        _ => false,
    }
}

/// First words of a sentence that stands without a space behind two full stops: “don't push..what about the lamp?”
const ANEW: [&str; 29] = [
    "also", "and", "but", "can", "could", "do", "don't", "dont", "how", "i", "i'm", "i've", "im", "is", "it", "just",
    "let's", "lets", "maybe", "now", "so", "that", "the", "then", "this", "we", "well", "what", "why",
];

/// Whether a sign stands between letters of scripts without spaces, but not in a name or address (`検索?語=灯`).
fn goes_on_densely(before: &str, after: &str) -> bool {
    before.ends_with(is_dense) && after.starts_with(is_dense) && !after.chars().take(NAME).any(|char| char == '=')
}

/// Whether a text ends with a word and a full stop, to which a second one is added.
fn is_stop(before: &str) -> bool {
    let word = before.strip_suffix('.').and_then(|text| text.rsplit(' ').next());
    word.is_some_and(|word| word.len() > 1 && word.chars().all(char::is_alphabetic))
}

/// Whether a text begins with a usual first word of a sentence, and some more.
fn goes_on_anew(after: &str) -> bool {
    let mut all = after.split(' ');
    all.next().is_some_and(|first| ANEW.contains(&&*first.to_lowercase())) && all.nth(1).is_some()
}

/// Words behind a quote with which its sentence goes on.
const QUOTED_THEN: [&str; 30] = [
    "are",
    "as",
    "at",
    "can",
    "can't",
    "could",
    "does",
    "doesn't",
    "from",
    "had",
    "has",
    "have",
    "in",
    "into",
    "is",
    "isn't",
    "must",
    "of",
    "on",
    "should",
    "shouldn't",
    "to",
    "was",
    "wasn't",
    "were",
    "which",
    "will",
    "with",
    "won't",
    "would",
];

/// Whether the sentence goes on behind the quote that ends here: “it ends in "…", and that is all”, “the note "…" is
/// old”.
fn quotes_on(after: &str) -> bool {
    let Some(behind) = after.strip_prefix(['"', '”']) else { return false };
    let next = behind.strip_prefix(' ').and_then(|rest| rest.split([' ', ',', '.']).next()).unwrap_or_default();
    behind.starts_with([',', ';', ':']) || QUOTED_THEN.contains(&next)
}

/// Whether what follows only gives an example of what the sentence says: “Which one? (e.g., the red one)”.
fn gives_example(after: &str) -> bool {
    let behind = after.trim_start();
    starts_any(behind, &["(e.g", "(i.e", "(z. B.", "(z.B."])
}

/// Whether a full stop is that of a number of a list within the line: “build 1. and 2. first”, “It fails. 2. Leave it.”
fn counts(before: &str, after: &str) -> bool {
    let rest = before.trim_end_matches(|char: char| char.is_ascii_digit());
    let begins = || rest.trim_end().ends_with(['.', '!', '?', ';', '。', '；']);
    let goes_on = || starts_any(after, &[" and ", " or ", " und ", " ("]);
    let number = &before[rest.len()..];
    let is_first = || number == "1" && heads_list(rest) && first_bytes(after, LIST).contains("2.");
    // “1. 船票;2. 灯”
    let glued = || rest.strip_suffix([':', '：', ';', '；', '。']);
    let is_glued = || glued().is_some_and(|before| !before.ends_with(|char: char| char.is_ascii_digit()));
    let is_next = || number.parse().is_ok_and(|number: u8| number > 1 && is_listed(rest, number - 1));
    (1..=2).contains(&number.len())
        && (rest.ends_with(' ') && (begins() || goes_on() || is_first() || is_next())
            || is_glued() && (is_first() || is_next()))
}

/// Whether a list within a line may begin behind a text.
fn heads_list(before: &str) -> bool {
    before.trim_end().ends_with(['.', '!', '?', ':', '：', '。'])
}

/// Whether a text has a list within its line that has this number: “The quay has: 1. a lamp 2. …”
fn is_listed(text: &str, number: u8) -> bool {
    let text = last_bytes(text, LIST);
    let first = text.rmatch_indices("1. ").map(|(at, _)| at).find(|at| heads_list(&text[..*at]));
    first.is_some_and(|first| text[first..].contains(&format!("{number}. ")))
}

fn goes_on_small(after: &str) -> bool {
    after.trim_start_matches(['"', ' ', ')']).chars().next().is_some_and(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn not_every_full_stop_ends_a_sentence() {
        let all = |line: &str| {
            let mut all = Vec::new();
            split(line, Hand::Quick, |sentence| all.push(sentence.to_owned()));
            all.retain(|sentence| !sentence.is_empty());
            all
        };
        assert_eq!(all("dont light it..what about the pier"), ["dont light it..", "what about the pier"]);
        let example = "Which lamp is it? (e.g., the red one, or another one).";
        assert_eq!(all(example), [example]);
        assert_eq!(all("see lamp..pier and ../the quay"), ["see lamp..pier and ../the quay"]);
        assert_eq!(all("keep the range 0..it and stay there"), ["keep the range 0..it and stay there"]);
        assert_eq!(
            all("build 1. and 2. (the lamps) here. then rest"),
            ["build 1. and 2. (the lamps) here.", "then rest"]
        );
        assert_eq!(all("fail loud. 2. leave it alone."), ["fail loud.", "2. leave it alone."]);
        assert_eq!(all("The quay has 3. Then we go."), ["The quay has 3.", "Then we go."]);
        for whole in [
            "材料清单:1. 船票的申请书(一式三份);2. 船员的证明;3. 灯塔的合同。",
            "Needed: 1. The lamps (620 of them) 2. The oil of the pier 3. A ferry.",
            "The note about \"Ask: \"Use the lamp.\" is old.",
        ] {
            assert_eq!(all(whole), [whole]);
        }
        assert_eq!(
            all("Here is it. 1. The lamps (620 of them) 2. The oil 3. A ferry."),
            ["Here is it.", "1. The lamps (620 of them) 2. The oil 3. A ferry."]
        );
        assert_eq!(all("構成案です。1. 灯台の数 2. 船の数").len(), 2);
        assert_eq!(all("Set it to 1. Then set it to 2. Never light it.").len(), 3);
        assert_eq!(all("Lamps: 1. Never light the second one.").len(), 2);
        assert_eq!(all("It costs 21. Needed: 1. Lamps (6) 2. Oil 3. A ferry.").len(), 2);
        for whole in ["Yahoo!ニュースの灯台です。", "https://quay.example/検索?語=灯"] {
            assert_eq!(all(whole), [whole]);
        }
        assert_eq!(all("船票还没用完怎么算?我还剩7天。"), ["船票还没用完怎么算?", "我还剩7天。"]);
        assert_eq!(
            all("It ends in \"...\", so it may be long. Cut it."),
            ["It ends in \"...\", so it may be long.", "Cut it."]
        );
        assert_eq!(all("It is odd (cf. the tide). Cut it."), ["It is odd (cf. the tide).", "Cut it."]);
        assert_eq!(all("set it to 5. never light it"), ["set it to 5.", "never light it"]);
        assert_eq!(all("बत्ती जलाओ। घाट मत रंगो।"), ["बत्ती जलाओ।", "घाट मत रंगो।"]);
        assert_eq!(all("هل المصباح مضاء؟ نعم."), ["هل المصباح مضاء؟", "نعم."]);
    }
}
