//! Counts tokens exactly in a named encoding. The only module that uses a tokenizer crate.
//!
//! Special tokens are ordinary text: `<|endoftext|>` in a transcript counts as its characters. The fast crate
//! `tiktoken` counts; `tiktoken-rs` has the table from models to encodings, and tests compare with its counts.

mod gaps;
mod known;
mod runs;

pub use known::Known;

use crate::transcript::{Media, Message, Part, PartKind, Tokens, Transcript};
use gaps::Gaps;
use runs::pieces;
use std::sync::OnceLock;

/// The encodings that `--tokenizer` takes.
pub const ENCODINGS: &[&str] =
    &["o200k_base", "o200k_harmony", "cl100k_base", "p50k_base", "p50k_edit", "r50k_base", "gpt2"];

/// The loaded encodings, in the order of [`ENCODINGS`].
static LOADED: [OnceLock<Option<Encoding>>; ENCODINGS.len()] = [const { OnceLock::new() }; ENCODINGS.len()];

/// An encoding, and its table for white space if it has one.
struct Encoding {
    pairs: &'static tiktoken::CoreBpe,
    gaps: Option<Gaps>,
}

impl Encoding {
    fn named(name: &str) -> Option<Self> {
        let pairs = tiktoken::get_encoding(name)?;
        Some(Self { pairs, gaps: Gaps::of(name, pairs) })
    }

    fn count(&self, text: &str) -> usize {
        let count =
            |text| self.gaps.as_ref().map_or_else(|| self.pairs.count(text), |gaps| gaps.count(text, self.pairs));
        pieces(text).map(count).sum()
    }
}

/// Counts tokens in one encoding.
#[derive(Clone, Copy)]
pub struct Tokenizer {
    name: &'static str,
    encoding: &'static OnceLock<Option<Encoding>>,
}

/// The name is neither an encoding nor a model in the table.
#[derive(Debug, thiserror::Error)]
#[error("unknown tokenizer `{0}`: name an encoding ({list}) or an OpenAI model", list = ENCODINGS.join(", "))]
pub struct UnknownTokenizer(String);

impl Tokenizer {
    /// Finds a tokenizer by the name of an encoding or a model.
    ///
    /// # Errors
    /// The name is unknown.
    pub fn by_name(name: &str) -> Result<Self, UnknownTokenizer> {
        let known = |name: &str| ENCODINGS.iter().zip(&LOADED).find(|(encoding, _)| **encoding == name);
        let found = known(name).or_else(|| known(encoding_of_model(name)?));
        let (name, encoding) = found.ok_or_else(|| UnknownTokenizer(name.to_owned()))?;
        Ok(Self { name, encoding })
    }

    /// Loads the encoding, which takes about 50 ms; otherwise the first count does.
    pub fn load(&self) {
        self.encoding();
    }

    fn encoding(&self) -> Option<&'static Encoding> {
        self.encoding.get_or_init(|| Encoding::named(self.name)).as_ref()
    }

    /// The encoding's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The number of tokens of a text.
    pub fn count(&self, text: &str) -> Tokens {
        Tokens(self.encoding().map_or(0, |encoding| encoding.count(text)) as u64)
    }

    /// Sets the tokens of every part of a transcript.
    pub fn measure(&self, transcript: &mut Transcript<'_>) {
        for part in transcript.messages.iter_mut().flat_map(|message| &mut message.parts) {
            part.tokens = self.part(part);
        }
    }

    /// Counts the parts of messages, in order; counts in `known` are reused.
    pub fn counts(&self, messages: &[Message<'_>], known: &Known<'_>) -> Vec<Tokens> {
        let parts = messages.iter().flat_map(|message| &message.parts);
        parts.map(|part| known.tokens(part).unwrap_or_else(|| self.part(part))).collect()
    }

    /// Tokens of a part: its text, the name of the tool it calls, the stated cost of its media.
    fn part(&self, part: &Part<'_>) -> Tokens {
        let beside = match &part.kind {
            PartKind::Call { name, .. } => self.count(name),
            PartKind::Result { media, .. } => media.iter().copied().map(cost).sum(),
            PartKind::Media(medium) => cost(*medium),
            _ => Tokens::default(),
        };
        self.count(&part.text) + beside
    }
}

/// The stated cost of a medium in tokens, which no encoding can count; those of images and PDFs are opencode v2's.
pub fn cost(medium: Media) -> Tokens {
    Tokens(match medium {
        Media::Image => 1_500,
        Media::Document => 2_000,
        Media::Audio | Media::Other => 1_000,
    })
}

/// The encoding of an OpenAI model, from the table of tiktoken-rs.
fn encoding_of_model(model: &str) -> Option<&'static str> {
    use tiktoken_rs::tokenizer::Tokenizer as Known;
    Some(match tiktoken_rs::tokenizer::get_tokenizer(model)? {
        Known::O200kHarmony => "o200k_harmony",
        Known::O200kBase => "o200k_base",
        Known::Cl100kBase => "cl100k_base",
        Known::P50kBase => "p50k_base",
        Known::P50kEdit => "p50k_edit",
        Known::R50kBase => "r50k_base",
        Known::Gpt2 => "gpt2",
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn oracle(name: &str, text: &str) -> usize {
        use tiktoken_rs::tokenizer::Tokenizer as Known;
        let known = match name {
            "o200k_harmony" => Known::O200kHarmony,
            "o200k_base" => Known::O200kBase,
            "cl100k_base" => Known::Cl100kBase,
            "p50k_base" => Known::P50kBase,
            "p50k_edit" => Known::P50kEdit,
            "r50k_base" => Known::R50kBase,
            _ => Known::Gpt2,
        };
        tiktoken_rs::bpe_for_tokenizer(known).unwrap().count_ordinary(text)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn both_crates_count_alike(text in r"(\PC|[ \n\ta-z0-9{}<|>]|<\|endoftext\|>){0,80}") {
            for name in ENCODINGS {
                let ours = Tokenizer::by_name(name).unwrap().count(&text);
                prop_assert_eq!(ours.0 as usize, oracle(name, &text), "{}", name);
            }
        }
    }

    #[test]
    fn there_is_an_encoding_of_every_name() {
        for name in ENCODINGS {
            assert_eq!(Tokenizer::by_name(name).unwrap().count("a"), Tokens(1), "{name}");
        }
    }

    #[test]
    fn special_tokens_are_ordinary_text() {
        assert!(Tokenizer::by_name("o200k_base").unwrap().count("<|endoftext|>").0 > 1);
    }

    #[test]
    fn a_model_names_its_encoding() {
        assert_eq!(Tokenizer::by_name("gpt-4o").unwrap().name(), "o200k_base");
        assert_eq!(Tokenizer::by_name("gpt-4").unwrap().name(), "cl100k_base");
        assert!(Tokenizer::by_name("no-such-model").is_err());
    }
}
