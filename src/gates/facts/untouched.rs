//! Files that a summary says were left as they were: of these the original need not speak.

use crate::measure::pattern;
use regex::Regex;
use std::sync::LazyLock;

/// Words with which a clause says that a file was left as it was.
static UNTOUCHED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:\bnot|\bnever|n['’]t) (?:be |been )?(?:touch|chang|modif|edit)\w*|\bun(?:touched|changed|modified|edited)\b|\bno (?:changes?|edits) (?:to|in)\b|\bleft (?:alone|as it (?:is|was))\b|^\W*(?:left|leave|leaving|kept) ",
    )
});
/// What parts clauses.
static PARTS: LazyLock<Regex> = LazyLock::new(|| pattern(r"[;,.](?:\s|$)| and | but "));

/// Whether each clause of a line that has the name of a file says that it was left as it was. A clause of one word, as
/// in a list of files, belongs to the clause before it, or to the next if it is the first.
pub(super) fn says_untouched(line: &str, name: &str) -> bool {
    let mut clauses: Vec<String> = Vec::new();
    let mut is_list = false;
    for part in PARTS.split(line) {
        let bare = part.trim_matches([' ', '\t', '-', '*']);
        let is_one = bare.split_whitespace().nth(1).is_none();
        match clauses.last_mut() {
            Some(last) if is_one || is_list => last.extend([",", bare]),
            _ => clauses.push(bare.to_owned()),
        }
        is_list = is_one && (is_list || clauses.len() == 1 && clauses[0].len() == bare.len());
    }
    let mut about = clauses.iter().filter(|clause| clause.contains(name)).peekable();
    about.peek().is_some() && about.all(|clause| UNTOUCHED.is_match(clause))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_clause_about_a_file_says_that_it_was_left() {
        for line in [
            "- ghost.rs was not touched; the lamp was mended",
            "- Mended the lamp. No changes to ghost.rs",
            "- Left quay.rs, ghost.rs and lamp.rs unchanged",
            "- quay.rs, ghost.rs and lamp.rs are unchanged",
            "- Did not edit quay.rs and ghost.rs.",
        ] {
            assert!(says_untouched(line, "ghost.rs"), "{line}");
        }
        for line in [
            "- Fixed crash in ghost.rs; API left unchanged",
            "- Fixed crash in quay.rs and ghost.rs, API left unchanged",
            "- Fixed crash in ghost.rs but the lamp is untouched",
            "- The lamp was not changed. Mended ghost.rs",
            "- ghost.rs is unchanged; mended ghost.rs, too",
        ] {
            assert!(!says_untouched(line, "ghost.rs"), "{line}");
        }
    }
}
