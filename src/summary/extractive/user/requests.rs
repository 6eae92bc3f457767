//! Whether the words of a user are a request: asked by the summary, and by the gates beside a count of their own.

use super::asked::Asked;
use crate::summary::text::{cut, first_bytes, fold};

/// Maximum length of the start of a message, in characters, and of the text that it is taken from, in bytes.
const START: usize = 300;
const BEGINNING: usize = 2_000;

/// The start of a message on one line.
pub(in crate::summary::extractive) fn start(text: &str) -> String {
    cut(&fold(first_bytes(text, BEGINNING)), START).into_owned()
}

/// Whether a user's own words are a request: they say more than a nod, a greeting or a goodbye.
pub fn is_request(own_words: &str) -> bool {
    Asked::read(None, own_words, start(own_words)).is_telling()
}

#[cfg(test)]
mod tests {
    use super::is_request;

    #[test]
    fn a_greeting_before_a_request_does_not_hide_it() {
        for words in [
            "Chào bạn, tôi muốn sơn lại cầu cảng vào sáng mai.",
            "Hi there! Paint the pier red.",
            "Добрый день, покрасьте причал до утра.",
        ] {
            assert!(is_request(words), "{words}");
        }
        for words in ["Chào bạn", "Hi!", "ok, go on", "Thanks, that is all for now. Bye!"] {
            assert!(!is_request(words), "{words}");
        }
    }
}
