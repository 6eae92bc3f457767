//! Scores how close facts are to the agent's current work, by the words of their names that also occur in what the
//! agent said and called last. A file that only a listing names is likelier to be needed if its name has such words.

use super::text::first_bytes;
use crate::facts::{Fact, readable_text};
use crate::transcript::{Author, Message, PartKind};
use foldhash::HashMap;

/// Factor by which the weight of a text falls with each newer one.
const FADING: f64 = 0.95;
/// Number of texts read, newest first: older ones weigh less than a hundredth.
const TEXTS: usize = 96;
/// Bytes read of each text, from its start.
const BEGINNING: usize = 3_000;
/// Minimum length of a word, in bytes (ASCII letters or digits).
const SHORTEST: usize = 3;

/// A word that the agent used: the weighted number of texts that use it, and the number of facts that contain it.
#[derive(Default)]
struct Word {
    used: f64,
    facts: f64,
    /// Number of the text that counted it last: each text counts a word once.
    text: usize,
}

/// The score of each fact: the weights of those of its words that the agent used, divided by the number of all its
/// words. A word weighs more the more the agent used it and the fewer facts contain it.
pub(super) fn affinity(facts: &[Fact], messages: &[&Message<'_>]) -> Vec<f64> {
    let (numbers, mut words) = agent_words(messages);
    let shapes = Shapes::of(numbers.keys());
    // The agent's words of all facts in one list; per fact, the end of its words there and the count of all its
    // words.
    let (mut used, mut ends) = (Vec::<u32>::new(), Vec::with_capacity(facts.len()));
    let (mut lower, mut own) = (String::new(), Vec::<&str>::new());
    for fact in facts {
        own.clear();
        for word in split(&fact.value) {
            if own.iter().any(|other| other.eq_ignore_ascii_case(word)) {
                continue;
            }
            own.push(word);
            if !shapes.has(word) {
                continue;
            }
            lowered(word, &mut lower);
            if let Some(&number) = numbers.get(lower.as_str()) {
                used.push(number);
                words[number as usize].facts += 1.0;
            }
        }
        ends.push((used.len(), own.len()));
    }
    let all = facts.len() as f64 + 1.0;
    let weight = |word: &Word| word.used.ln_1p() * (all / (word.facts + 0.5)).ln();
    let weights: Vec<f64> = words.iter().map(weight).collect();
    let mut start = 0;
    let near = |&(end, count): &(usize, usize)| {
        let own = &used[std::mem::replace(&mut start, end)..end];
        own.iter().map(|&number| weights[number as usize]).sum::<f64>() / count.max(1) as f64
    };
    ends.iter().map(near).collect()
}

/// A filter of first letters and lengths: rules most words out without a look into the map of the agent's words.
struct Shapes([u64; 32]);

impl Shapes {
    fn of<'w>(words: impl Iterator<Item = &'w String>) -> Self {
        let mut shapes = Self([0; 32]);
        for (row, bit) in words.map(|word| shape(word)) {
            shapes.0[row] |= bit;
        }
        shapes
    }

    /// Whether one of the words may equal this one, ignoring case (false positives are possible).
    fn has(&self, word: &str) -> bool {
        let (row, bit) = shape(word);
        self.0[row] & bit > 0
    }
}

/// The low five bits of the first byte (equal for both cases of a letter), and a bit for the length.
fn shape(word: &str) -> (usize, u64) {
    let first = word.as_bytes().first().copied().unwrap_or_default();
    (usize::from(first & 31), 1 << word.len().min(63))
}

/// Numbers the words of the agent's last texts and calls, with their weighted uses.
fn agent_words(messages: &[&Message<'_>]) -> (HashMap<String, u32>, Vec<Word>) {
    let (mut numbers, mut words) = (HashMap::<String, u32>::default(), Vec::<Word>::new());
    let by_agent = messages.iter().rev().filter(|message| message.author == Author::Model);
    let texts = by_agent.flat_map(|message| message.parts.iter().rev()).filter_map(|part| match part.kind {
        // Values only: the names of arguments come from the tool.
        PartKind::Text | PartKind::Call { .. } => Some(readable_text(part)),
        _ => None,
    });
    let (mut weight, mut lower) = (1.0, String::new());
    for (number, text) in (1..).zip(texts.take(TEXTS)) {
        for word in split(first_bytes(&text, BEGINNING)) {
            lowered(word, &mut lower);
            let place = numbers.get(lower.as_str()).copied().unwrap_or_else(|| {
                let place = u32::try_from(words.len()).unwrap_or(u32::MAX);
                numbers.insert(lower.clone(), place);
                words.push(Word::default());
                place
            });
            let own = &mut words[place as usize];
            if own.text < number {
                own.text = number;
                own.used += weight;
            }
        }
        weight *= FADING;
    }
    (numbers, words)
}

fn lowered(word: &str, lower: &mut String) {
    lower.clear();
    lower.push_str(word);
    lower.make_ascii_lowercase();
}

/// Splits a text or name into its ASCII words of at least [`SHORTEST`] bytes: `HTTPServer_v2/parse-args.rs` gives
/// `HTTP`, `Server`, `parse` and `args`. Other scripts are skipped, since few names use them.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(&first) = bytes.get(at) {
            let start = at;
            at += 1;
            let run = |at: usize, is: fn(&u8) -> bool| bytes[at..].iter().take_while(|byte| is(byte)).count();
            if first.is_ascii_digit() {
                at += run(at, u8::is_ascii_digit);
            } else if first.is_ascii_uppercase() {
                let capitals = run(at, u8::is_ascii_uppercase);
                let small = run(at + capitals, u8::is_ascii_lowercase);
                // The last of several capitals starts the next word.
                at += if capitals > 0 && small > 0 { capitals - 1 } else { capitals + small };
            } else if first.is_ascii_lowercase() {
                at += run(at, u8::is_ascii_lowercase);
            } else {
                continue;
            }
            if at - start >= SHORTEST {
                return Some(&text[start..at]);
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::super::builders::act;
    use super::*;
    use crate::facts::extract;

    #[test]
    fn words_end_where_case_or_kind_changes() {
        let words = |text| split(text).collect::<Vec<_>>();
        assert_eq!(words("HTTPServer_v2/parse-args.rs"), ["HTTP", "Server", "parse", "args"]);
        assert_eq!(
            words("getURL x1234y ABC 解析parser的“workspace”"),
            ["get", "URL", "1234", "ABC", "parser", "workspace"]
        );
        assert!(words("a/b_c.D1").is_empty());
    }

    #[test]
    fn what_was_said_last_counts_most_and_names_of_arguments_not_at_all() {
        let older = act("Bash", r#"{"command":"rg workspace"}"#, "", false);
        let newer = act("Bash", r#"{"command":"rg colors"}"#, "", false);
        let messages: Vec<&Message<'_>> = older.iter().chain(&newer).collect();
        let facts: Vec<Fact> = extract("src/workspace/a.rs src/colors/b.rs src/command/c.rs").into_iter().collect();
        let near = affinity(&facts, &messages);
        let of = |name: &str| near[facts.iter().position(|fact| fact.value.contains(name)).unwrap_or_default()];
        assert!(of("colors") > of("workspace") && of("workspace") > 0.0 && of("command") == 0.0, "{facts:?} {near:?}");
    }

    #[test]
    fn what_the_agent_is_about_is_near() {
        let messages =
            act("Bash", r#"{"command":"rg workspace"}"#, "src/workspace/setup.ts\nsrc/colors/theme.ts", false);
        let messages: Vec<&Message<'_>> = messages.iter().collect();
        let facts: Vec<Fact> = extract("src/workspace/setup.ts src/colors/theme.ts").into_iter().collect();
        let near = affinity(&facts, &messages);
        let of = |name: &str| near[facts.iter().position(|fact| fact.value.contains(name)).unwrap_or_default()];
        assert!(of("setup") > 0.0 && of("theme") == 0.0, "{facts:?} {near:?}");
    }
}
