//! Cuts long texts where a word begins, so that counting one takes little more memory than its bytes: the tokenizer crate
//! takes some 36 bytes for each byte of a run without a break.

/// Length of a piece in bytes, and how far behind that a word is sought, before a run is cut anywhere.
const LONG: usize = 1 << 18;

/// The pieces of a text, in order. Their tokens are those of the text; only where a run of at least [`LONG`] bytes has no
/// word may a cut add one.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest.take()?;
        if text.len() <= 2 * LONG {
            return Some(text);
        }
        let (piece, behind) = text.split_at(cut(text));
        rest = Some(behind);
        Some(piece)
    })
}

/// Where to cut a text of more than twice [`LONG`] bytes: before the first blank between two words, which belongs to the
/// second one in every encoding.
fn cut(text: &str) -> usize {
    let bytes = text.as_bytes();
    let begins =
        |at: &usize| bytes[*at] == b' ' && bytes[at - 1].is_ascii_alphanumeric() && bytes[at + 1].is_ascii_alphabetic();
    (LONG..2 * LONG).find(begins).unwrap_or_else(|| text.floor_char_boundary(2 * LONG))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_at_words_and_a_run_anywhere() {
        let words: String = (0..90_000).map(|number| format!("lamp{number} of the pier, ")).collect();
        let encoding = tiktoken::get_encoding("o200k_base").unwrap();
        let all: Vec<&str> = pieces(&words).collect();
        assert!(all.len() > 4 && all.concat() == words);
        assert_eq!(all.iter().map(|piece| encoding.count(piece)).sum::<usize>(), encoding.count(&words));
        let run = "潮".repeat(LONG);
        let all: Vec<&str> = pieces(&run).collect();
        assert!(all.len() == 2 && all.concat() == run && all.iter().all(|piece| piece.len() <= 2 * LONG));
    }
}
