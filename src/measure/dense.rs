//! Scripts without spaces: words may touch a name or a number (`版本2.4.1`, `rates.py를`).

use crate::summary::is_dense;
use std::borrow::Cow;

/// Whether a letter beside a name is part of a longer one; words of such scripts are not.
pub(super) fn joins(letter: char) -> bool {
    letter.is_alphanumeric() && !is_dense(letter)
}

/// A line with spaces between names or numbers in ASCII and the words that touch them; borrowed if there are none.
pub(super) fn parted(line: &str) -> Cow<'_, str> {
    let is_word = |char: char| is_dense(char) && char.is_alphanumeric();
    let is_name = |char: char| char.is_ascii_alphanumeric() || "/~%".contains(char);
    let touches = |one: char, next: char| is_word(one) && is_name(next) || is_name(one) && is_word(next);
    let pairs = line.char_indices().zip(line.chars().skip(1));
    let ends = pairs.filter(|&((_, one), next)| touches(one, next)).map(|((at, one), _)| at + one.len_utf8());
    let mut out = String::new();
    let mut start = 0;
    for end in ends {
        out.push_str(&line[start..end]);
        out.push(' ');
        start = end;
    }
    if start == 0 {
        return Cow::Borrowed(line);
    }
    out.push_str(&line[start..]);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_words_are_parted() {
        assert_eq!(parted("已修改src/lamp.py，版本2.4.1。"), "已修改 src/lamp.py，版本 2.4.1。");
        assert_eq!(parted("lamp.py를 17%로"), "lamp.py 를 17% 로");
        assert!(matches!(parted("lamp.py is at 17 %"), Cow::Borrowed(_)));
    }
}
