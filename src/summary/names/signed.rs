//! Addresses that nobody looks up: signed ones, and those of a search that redirects, with a token for one use in them.

use crate::summary::text::has_digit;

/// Minimum length of a piece of an address that is a token, in bytes: longer than a hash.
const TOKEN: usize = 72;
/// Minimum number of words in a piece that is a title instead.
const WORDS: usize = 5;

/// Whether a name is an address with a token in it.
pub(super) fn has_token(value: &str) -> bool {
    let is_word = |word: &&str| word.len() > 1 && word.bytes().skip(1).all(|byte| byte.is_ascii_lowercase());
    let is_title = |piece: &str| piece.contains('%') || piece.split(['-', '_']).filter(is_word).count() >= WORDS;
    let is_token = |piece: &str| piece.len() >= TOKEN && has_digit(piece);
    value.contains("://")
        && value.split(['/', '?', '&', '=', '.', '#', '+', ':']).any(|piece| is_token(piece) && !is_title(piece))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_with_a_token_is_looked_up_by_nobody() {
        let token = "AUZIYQHpM7QT3a9V4A9ej44oDJx_n70xW-iLtz9ZDMwivg_eirtw2eF_4KXACmiF6LNas6zcKQ7lgf92p68";
        assert!(has_token(&format!("https://quay.example/go/{token}=")) && !has_token(token));
        for page in [
            "how-to-light-the-7-lamps-of-the-north-pier-before-the-ferry-comes-in-at-night.html",
            "List_Of_All_The_Lamps_Of_The_Northern_Harbour_Between_1900_And_The_End_Of_The_War",
            "%E4%B8%AD%E6%96%87%E7%81%AF%E5%A1%94%E5%88%97%E8%A1%A8%E4%B8%AD%E6%96%87%E7%81%AF%E5%A1%94",
            "lamps/commit/0123456789abcdef0123456789abcdef01234567",
        ] {
            assert!(!has_token(&format!("https://quay.example/{page}")), "{page}");
        }
    }
}
