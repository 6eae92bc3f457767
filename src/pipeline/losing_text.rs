//! Parts in the tail that lose text, because they are pruned or shortened.

use crate::split::Excerpt;
use crate::summary::Lost;
use crate::transcript::Stub;

/// The parts of messages of `tail` that these stubs and excerpts change.
pub(super) fn lost<'t>(tail: &[usize], stubs: &[Stub], excerpts: &'t [Excerpt]) -> Vec<Lost<'t>> {
    let stubs = stubs.iter().map(|stub| (stub.message, stub.part, None));
    let excerpts = excerpts.iter().map(|excerpt| (excerpt.message, excerpt.part, Some(&*excerpt.text)));
    let lost = stubs.chain(excerpts);
    lost.filter_map(|(message, part, left)| Some(Lost { message: tail.binary_search(&message).ok()?, part, left }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::Tokens;

    #[test]
    fn places_are_those_in_the_tail_and_what_the_head_loses_is_none() {
        let stub = |message| Stub { message, part: 1, text: "[gone]".to_owned(), tokens: Tokens(2), copy: None };
        let excerpts = [Excerpt { message: 9, part: 0, text: "begin … end".to_owned(), tokens: Tokens(4) }];
        let found = lost(&[5, 7, 9], &[stub(3), stub(7)], &excerpts);
        let found: Vec<_> = found.iter().map(|lost| (lost.message, lost.part, lost.left)).collect();
        assert_eq!(found, [(1, 1, None), (2, 0, Some("begin … end"))]);
    }
}
