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
/// Words before a number of the list.
const BEFORE: &str = r"(?:items?|steps?|actions?|entr(?:y|ies)|numbers?|points?|turns?|list (?:ended|ends) (?:at|with)|numbering continues (?:at|from))";
/// What stands before a number of the list: “Items 178”, “items 178 to 180”, “ended at 177”.
static OF_LIST: LazyLock<Regex> =
    LazyLock::new(|| pattern(&format!(r"(?i)\b{BEFORE} (?:#?\d+ ?(?:to|and|[–—-]) ?)?#?$")));
/// Such a number.
static ANNOUNCED: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"(?i)\b{BEFORE} #?(\d{{1,6}})\b")));
/// Least number of items in a row.
const LEAST: usize = 3;
/// The marks `#1` and `| 1 |` among those of `ORDINAL`, which are often no ordinals.
const WEAK: [usize; 2] = [3, 4];

/// The mark and the ordinal of a line without indent, and the rest of the line.
fn ordinal(line: &str) -> Option<(usize, u64, &str)> {
    let found = ORDINAL.captures(line)?;
    let (mark, number) = (1..found.len()).find_map(|mark| Some((mark, found.get(mark)?)))?;
    let end = found.get(0)?.end();
    // The border of a column stays, so that the line is a row of a table.
    let rest = if line[..end].ends_with('|') { &line[end - 1..] } else { &line[end..] };
    Some((mark, number.as_str().parse().ok()?, rest.trim_start()))
}

/// The ordinals of a text, each with its mark: numbers that begin lines and rise by one from item to item.
pub(super) struct Ordinals(HashSet<(usize, u64)>);

impl Ordinals {
    pub(super) fn of(text: &str) -> Self {
        let ordinals = text.lines().filter_map(|line| ordinal(line.trim()));
        let all: Vec<(usize, u64)> = ordinals.map(|(mark, number, _)| (mark, number)).collect();
        let announced: HashSet<u64> = ANNOUNCED.captures_iter(text).filter_map(|found| found[1].parse().ok()).collect();
        let runs = all.chunk_by(|one, next| (one.0, one.1 + 1) == *next).filter(|run| run.len() >= LEAST);
        // A port, a status and an issue stand like that, too.
        let is_told = |run: &&[(usize, u64)]| {
            let (mark, first) = run[0];
            !WEAK.contains(&mark) || first <= 1 || announced.contains(&first) || announced.contains(&(first - 1))
        };
        Self(runs.filter(is_told).flatten().copied().collect())
    }

    /// A line without its ordinal; `None` if it has none.
    pub(super) fn without<'t>(&self, line: &'t str) -> Option<&'t str> {
        let (_, number, rest) = ordinal(line).filter(|(mark, number, _)| self.0.contains(&(*mark, *number)))?;
        (number > TWO_DIGITS).then_some(rest)
    }

    /// Whether a number behind a word for items of the list is one of them, or the one before the first.
    pub(super) fn tells(&self, number: &str, before: &str) -> bool {
        let has = |number: u64| (0..=MARKS).any(|mark| self.0.contains(&(mark, number)));
        let is_one = |number: u64| number > TWO_DIGITS && (has(number) || has(number + 1));
        !self.0.is_empty() && number.parse().is_ok_and(is_one) && OF_LIST.is_match(before)
    }
}

/// Number of marks of `ORDINAL`.
const MARKS: usize = 5;
/// Shorter ordinals are dropped in any list.
const TWO_DIGITS: u64 = 99;

#[cfg(test)]
mod tests {
    use super::super::{claims, numbers::unsupported, source::on_said};

    #[test]
    fn numbers_that_rise_by_one_are_ordinals() {
        let told = |text: &'static str| claims(text).map(|line| line.text).collect::<Vec<_>>();
        let text = "(Numbering continues, the last list ended at 177. Items 178 to 180 are new.)\n\
            178. Lit the lamp\n179. Rang the bell\n  - loud\n180) Left the quay";
        assert_eq!(told(text)[1..], ["Lit the lamp", "Rang the bell", "loud", "Left the quay"]);
        assert_eq!(on_said("Light the lamp.", |source| unsupported(text, source)), []);
        for text in [
            "[102] Moored\n[103] Sailed\n[104] Tarred",
            "- Step 102: Moored\n- Step 103: Sailed\n- Step 104: Tarred",
            "Items 102 to 104:\n#102 Moored\n#103 Sailed\n#104 Tarred",
        ] {
            assert!(told(text).ends_with(&["Moored", "Sailed", "Tarred"]), "{text}");
        }
        let rows: String = (1..104).map(|row| format!("| {row} | lamp |\n")).collect();
        assert!(claims(&rows).skip(99).all(|line| line.text == "| lamp |"));
    }

    #[test]
    fn other_numbers_at_the_beginning_of_lines_are_told() {
        for text in [
            "178. Lit\n187. Rang",
            "178. Lit\n179. Rang",
            "2031. it was",
            "#421 Tarred\n#422 Moored\n#423 Sailed",
            "| 404 | gone |\n| 500 | broken |",
            "| 8090 | web server |\n| 8091 | api |\n| 8092 | horn |",
            "[102] Moored\n103. Sailed\n#104 Tarred",
        ] {
            assert!(claims(text).all(|line| line.text.contains(char::is_numeric)), "{text}");
        }
        let wrong = |text: &str| on_said("Light it on 8080.", |source| unsupported(text, source).len());
        assert_eq!(wrong("| 8090 | web server |\n| 8091 | api |"), 2);
        let list = "178. Lit\n179. Rang\n180. Left\n";
        assert_eq!(wrong(&format!("{list}The list ended at 177")), 0);
        assert_eq!(wrong(&format!("{list}The lamp has 177 rows")), 1);
        assert_eq!(wrong(&format!("{list}The steps take 177 rows")), 1);
    }
}
