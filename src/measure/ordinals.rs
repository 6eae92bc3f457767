//! Ordinals of long numbered lists, which are no numbers of the original: “178. Read it”, “[102] Read it”, “| 103 |”.

use super::pattern;
use regex::Regex;
use std::collections::HashSet;
use std::sync::LazyLock;

/// An ordinal at the beginning of a line, and what stands before the item itself.
static ORDINAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:[-*•]\s+)?(?:\*\*)?(?:(\d{1,6})[.)](?:\*\*)?\s|\[(\d{1,6})\]\s|#(\d{1,6})[.:)]?\s|\|\s*#?(\d{1,6})\s*(?:\|)|(?i:step|item|action|turn) (\d{1,6})[.:)](?:\*\*)?\s)",
    )
});
/// A number behind a word for items of a list: “Items 178”, “ended at 177”.
static OF_LIST: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(?:items?|steps?|actions?|entr(?:y|ies)|number(?:s|ing|ed)?|points?|turns?)\b"));

/// The ordinal of a line without indent, and the rest of the line.
fn ordinal(line: &str) -> Option<(u64, &str)> {
    let found = ORDINAL.captures(line)?;
    let number = found.iter().skip(1).flatten().next()?;
    let end = found.get(0)?.end();
    // The border of a column stays, so that the line is a row of a table.
    let rest = if line[..end].ends_with('|') { &line[end - 1..] } else { &line[end..] };
    Some((number.as_str().parse().ok()?, rest.trim_start()))
}

/// The ordinals of a text: numbers that begin lines and rise by one from line to line.
pub(super) struct Ordinals(HashSet<u64>);

impl Ordinals {
    pub(super) fn of(text: &str) -> Self {
        let all: Vec<u64> = text.lines().filter_map(|line| Some(ordinal(line.trim())?.0)).collect();
        let runs = all.windows(2).filter(|pair| pair[0] + 1 == pair[1]);
        Self(runs.flat_map(|pair| [pair[0], pair[1]]).collect())
    }

    /// A line without its ordinal; `None` if it has none.
    pub(super) fn without<'t>(&self, line: &'t str) -> Option<&'t str> {
        let (number, rest) = ordinal(line).filter(|(number, _)| self.0.contains(number))?;
        (number > TWO_DIGITS).then_some(rest)
    }

    /// Whether a number on a line about items of the list is one of them, or the one before the first.
    pub(super) fn tells(&self, number: &str, line: &str) -> bool {
        let is_one = |number: u64| self.0.contains(&number) || self.0.contains(&(number + 1));
        !self.0.is_empty() && number.parse().is_ok_and(is_one) && OF_LIST.is_match(line)
    }
}

/// Shorter ordinals are dropped in any list.
const TWO_DIGITS: u64 = 99;

#[cfg(test)]
mod tests {
    use super::super::{claims, numbers::unsupported, source::on_said};

    #[test]
    fn numbers_that_rise_by_one_are_ordinals() {
        let text = "(Numbering continues, the last list ended at 177. Items 178 to 180 are new.)\n\
            178. Lit the lamp\n179. Rang the bell\n  - loud\n180) Left the quay\n#101 Tarred\n[102] Moored\n| 103 | Sailed |\n\
            - Step 104: Anchored";
        let told: Vec<&str> = claims(text).map(|line| line.text).collect();
        let items =
            ["Lit the lamp", "Rang the bell", "loud", "Left the quay", "Tarred", "Moored", "| Sailed |", "Anchored"];
        assert_eq!(told[1..], items);
        assert_eq!(on_said("Light the lamp.", |source| unsupported(text, source)), []);
    }

    #[test]
    fn other_numbers_at_the_beginning_of_lines_are_told() {
        for text in
            ["178. Lit\n187. Rang", "2031. it was", "#101 Tarred\n#204 Moored", "| 404 | gone |\n| 500 | broken |"]
        {
            let wrong = on_said("Light the lamp.", |source| unsupported(text, source).len());
            let whole = claims(text).all(|line| line.text.contains(char::is_numeric));
            assert!(whole && (wrong > 0 || text.contains('#')), "{text}");
        }
        let text = "178. Lit\n179. Rang\nThe lamp has 177 rows";
        assert_eq!(on_said("Light it.", |source| unsupported(text, source).len()), 1);
    }
}
