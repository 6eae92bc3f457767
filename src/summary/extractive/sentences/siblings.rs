//! Short sentences of one text below one label, told as one: “Lamps lit: the north pier, the south quay”.

use super::cues::Kind;
use super::said::Said;
use crate::summary::text::{SENTENCE_ENDS, words};

/// Maximum number of words of a label, and of what stands behind it.
const LABEL: usize = 8;
const FEW: usize = 6;
/// Maximum length of the line of several, in characters.
const LONGEST: usize = 240;
/// What stands between a label and what is said below it.
const JOINT: &str = ": ";

/// The sentences, each with those right behind it below the same label.
pub(super) fn joined(all: Vec<Said>) -> Vec<Said> {
    let mut out: Vec<Said> = Vec::with_capacity(all.len());
    // The last sentence as it was, and the length of the label that the last ones share.
    let (mut before, mut shared) = (String::new(), None);
    for said in all {
        let label = label(&before, &said.sentence);
        before.clone_from(&said.sentence);
        let sibling = label.filter(|label| shared.is_none_or(|shared| shared == *label)).zip(out.last_mut());
        match sibling.filter(|(label, last)| is_like(last, &said) && has_room(last, &said.sentence[*label..])) {
            Some((label, last)) => {
                add(last, &said.sentence[label..], label);
                shared = Some(label);
            }
            None => {
                shared = None;
                out.push(said);
            }
        }
    }
    out
}

/// The length of the label of two sentences, with its joint, if both say little behind it.
fn label(one: &str, next: &str) -> Option<usize> {
    let ends = next.match_indices(JOINT).map(|(at, _)| at + JOINT.len());
    let end = ends.take_while(|end| one.starts_with(&next[..*end])).last()?;
    let says = |sentence: &str| {
        let rest = &sentence[end..];
        !rest.is_empty() && words(rest) <= FEW && !rest.ends_with(SENTENCE_ENDS) && !rest.ends_with([':', '：'])
    };
    (words(&next[..end]) <= LABEL && says(one) && says(next) && !next.starts_with(one)).then_some(end)
}

/// Whether two sentences are of one kind, and say nothing that later work may end.
fn is_like(one: &Said, next: &Said) -> bool {
    let tells = |said: &Said| said.kind != Kind::Empty && !said.standing.is_any();
    tells(one) && tells(next) && (one.kind == Kind::Done) == (next.kind == Kind::Done)
}

fn has_room(last: &Said, rest: &str) -> bool {
    last.sentence.chars().count() + rest.chars().count() + JOINT.len() <= LONGEST
}

fn add(last: &mut Said, rest: &str, label: usize) {
    let is_list = !rest.contains([',', ';', ':']) && !last.sentence[label..].contains([';', ':']);
    last.sentence.push_str(if is_list { ", " } else { "; " });
    last.sentence.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<String> {
        Said::all(0, text).map(|said| said.sentence).collect()
    }

    #[test]
    fn what_stands_below_one_label_is_told_in_one_line() {
        let lamps = "- Lamps changed: `north_pier.php`\n- Lamps changed: `south_quay.php`\n- Lamps changed: `mill.php`";
        assert_eq!(told(lamps), ["Lamps changed: `north_pier.php`, `south_quay.php`, `mill.php`"]);
        let prices = "- Oil of the pier: red oil: $7\n- Oil of the pier: clear oil: $9";
        assert_eq!(told(prices), ["Oil of the pier: red oil: $7; clear oil: $9"]);
    }

    #[test]
    fn what_says_more_or_stands_below_another_label_is_told_alone() {
        for apart in [
            "- Lamps changed: `north_pier.php`\n- Buoys changed: `south_quay.php`",
            "- Ferry 7: leaves: the pier\n- Ferry 7: leaves: the pier: `at_nine`",
            "- The pier: it has `three_lamps` that burn all night.\n- The pier: it has `two_buoys` that are red.",
        ] {
            assert_eq!(told(apart).len(), 2, "{apart}");
        }
        let many: Vec<String> = (0..40).map(|at| format!("- Lamps changed: `pier_{at}.php`")).collect();
        let lines = told(&many.join("\n"));
        assert!(lines.len() > 1 && lines.iter().all(|line| line.starts_with("Lamps changed: ") && line.len() <= 240));
    }
}
