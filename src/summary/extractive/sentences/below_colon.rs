//! A name, path or address that a person types on a line of its own below the sentence that announces it: “Work only in
//! the folder named:”, and `TASK-ferry/` below an empty line.

use super::prose::Block;
use crate::summary::text::{SENTENCE_ENDS, words};

/// Adds such a line to the sentence above it, unless it is the first of several.
pub(super) fn add_names(blocks: &mut [Block<'_>]) {
    for at in 1..blocks.len() {
        let is_alone = blocks.get(at + 1).is_none_or(|next| !is_name(next));
        let announces = blocks[at - 1].words.ends_with([':', '：']) && is_alone && is_name(&blocks[at]);
        if announces {
            let name = std::mem::take(&mut blocks[at].words);
            blocks[at - 1].words += &format!(" {name}");
        }
    }
}

/// Whether a paragraph is a single word.
fn is_name(block: &Block<'_>) -> bool {
    let ends = |text: &str| text.ends_with(SENTENCE_ENDS) || text.ends_with([':', '：', ',']);
    block.indent.is_none() && words(&block.words) == 1 && !ends(&block.words)
}

#[cfg(test)]
mod tests {
    use crate::summary::extractive::sentences::prose::typed;

    #[test]
    fn a_name_below_its_sentence_is_told_with_it() {
        let told = typed("Work only in one folder, named exactly:\n\nTASK-ferry/\n\nThis is the contract of the quay.");
        assert_eq!(told, ["Work only in one folder, named exactly: TASK-ferry/", "This is the contract of the quay."]);
        let read = typed("Never read this page:\n\nhttps://quay.example/old\n");
        assert_eq!(read, ["Never read this page: https://quay.example/old"]);
    }

    #[test]
    fn several_names_and_words_stay_alone() {
        let told = typed("Never edit these files:\n\nlamp.rs\n\ntide.rs\n\nThis is the contract of the quay.");
        assert_eq!(told[0], "Never edit these files:");
        assert_eq!(typed("Do this first:\n\nStop.\n"), ["Do this first:"]);
    }
}
