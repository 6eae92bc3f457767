//! Tells prose from code and data by the signs and figures in it.

use super::signs::is_bracketed;
use super::structure::{is_code, is_letter};
use crate::summary::text::{each_word, has_least, is_dense};

/// Minimum share of letters in prose, and in a statement about figures, in percent.
const LETTERS: usize = 70;
const FEWER: usize = 50;
/// Minimum number of words in lower case of such a statement.
const LOWER: usize = 3;

/// Whether a line is prose of at least three words.
pub(super) fn is_prose(line: &str) -> bool {
    has_least(line, 3) && is_wording(line)
}

/// Whether a sentence states something in full that has many figures: “Orders #4821 and #4822 have been cancelled.”
pub(super) fn is_of_figures(sentence: &str) -> bool {
    let is_whole = sentence.starts_with(char::is_uppercase) && sentence.ends_with(['.', '!']);
    let is_lower = |word: &&str| word.len() > 1 && word.chars().all(char::is_lowercase);
    is_whole && each_word(sentence).filter(is_lower).count() >= LOWER && has_wording(sentence, FEWER)
}

/// Whether a character is a sign that is frequent in code but not in prose.
fn is_sign(char: char) -> bool {
    matches!(char, '{' | '}' | '<' | '>' | ';' | '=' | '|' | '\\' | '[' | ']' | '^' | '~' | '#' | '@' | '&' | '$')
}

/// Whether a line has few signs outside of inline code and does not look like code.
pub(super) fn is_wording(line: &str) -> bool {
    has_wording(line, LETTERS)
}

/// The same with this least share of letters, in percent; dense letters count twice.
fn has_wording(line: &str, least: usize) -> bool {
    let (mut letters, mut signs, mut all, mut code) = (0_usize, 0_usize, 0_usize, false);
    let mut before = ' ';
    for char in line.chars() {
        code ^= char == '`';
        let weight = 1 + usize::from(is_dense(char));
        all += weight;
        letters += if code || weight > 1 || char == ' ' || is_letter(char) { weight } else { 0 };
        // “灯塔;码头” is a list.
        signs += usize::from(!code && is_sign(char) && !(char == ';' && is_dense(before)));
        before = char;
    }
    // In code they were not counted.
    let signs = signs.saturating_sub(usize::from(line.ends_with(';')));
    let signs = signs.saturating_sub(if line.starts_with('[') && is_bracketed(line) { 2 } else { 0 });
    line.matches('`').count().is_multiple_of(2)
        && !is_code(line)
        && letters * 100 >= all * least
        && signs * 100 <= all * 6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_with_many_figures_is_told_but_not_a_line_of_a_log() {
        assert!(is_of_figures("Order #W4836353 and #W7342738 have been cancelled."));
        assert!(is_of_figures("The total of the ferry is 2,098.10 euros."));
        for other in
            ["W 2026-05-27 17:30:12 12 4 lamp.", "x = 12, y = 14, z = 17 of the lamp.", "Lamp 12/14 (17): 3.0.1"]
        {
            assert!(!is_of_figures(other), "{other}");
        }
        assert!(is_wording("材料清单:1. 船票的申请书;2. 船员的证明;3. 灯塔的合同;4. 码头的证明。"));
    }
}
