//! Both tokenizer crates count the same on the collection of real transcripts.

#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "support/corpus.rs"]
mod corpus;
#[path = "support/files.rs"]
mod files;

use corpus::corpus;
use epitome::format::{Layout, ReadOptions, detect, lines};
use epitome::tokens::Tokenizer;
use files::files;

/// The transcripts of a file; rows of array files are left out, as their texts are also in other files.
fn sources(layout: Layout, bytes: &[u8]) -> Vec<&[u8]> {
    match layout {
        Layout::Session => vec![bytes],
        Layout::PerLine => lines::lines(bytes).map(|line| &bytes[line.span]).collect(),
        Layout::PerElement(_) => Vec::new(),
    }
}

#[test]
#[ignore = "needs the corpus"]
fn both_crates_count_every_text_of_the_corpus_alike() {
    let ours = Tokenizer::by_name("o200k_base").unwrap();
    let oracle = tiktoken_rs::bpe_for_tokenizer(tiktoken_rs::tokenizer::Tokenizer::O200kBase).unwrap();
    let mut texts = 0;
    for path in files(&corpus()) {
        let bytes = std::fs::read(&path).unwrap();
        let Ok(found) = detect(&bytes) else { continue };
        let Some(format) = found.format else { continue };
        for source in sources(found.layout, &bytes) {
            let Ok(transcript) = format.read(source, ReadOptions::default()) else { continue };
            for part in transcript.messages.iter().flat_map(|message| &message.parts) {
                texts += 1;
                let (one, other) = (ours.count(&part.text).0, oracle.count_ordinary(&part.text) as u64);
                assert_eq!(one, other, "{}: {:?}", path.display(), part.text.chars().take(80).collect::<String>());
            }
        }
    }
    assert!(texts > 10_000, "{texts} texts");
}
