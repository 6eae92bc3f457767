//! Columns of a training row beside its messages: those with an answer, and those with one entry for each message; what they
//! are told by, for who edits and who judges.

/// Columns that hold an answer, or a conversation that ends with one; of several a trainer sees one at a time.
pub const ANSWERS: [&str; 9] = [
    "completion",
    "chosen",
    "rejected",
    "preferred_output",
    "non_preferred_output",
    "chosen_messages",
    "rejected_messages",
    "response",
    "rejected_response",
];
/// In rows of fewer messages a list of as many entries can be of anything.
const LEAST_MESSAGES: usize = 3;
/// The same for a list of words or objects whose name does not say that it is one.
const LEAST_UNNAMED: usize = 6;
/// Words in names of columns that say how much a trainer makes of each message: `loss_mask`, `weights`, `trainable`.
const WEIGHING: [&str; 8] = ["loss", "losses", "mask", "masks", "train", "trainable", "weight", "weights"];
/// Columns with one entry for each medium that the messages show.
pub const MEDIA_COLUMNS: [&str; 3] = ["images", "videos", "audios"];
/// Columns that are of something else, however many entries they have.
const OTHER_COLUMNS: [&str; 2] = ["tools", "functions"];
/// Fields of a message, whose arrays are conversations of their own.
pub const MESSAGE_FIELDS: [&str; 4] = ["role", "from", "content", "value"];

/// Whether a column says how much a trainer makes of each message, by its name.
pub fn weighs(name: &str) -> bool {
    let (mut words, mut before) = (vec![String::new()], ' ');
    for char in name.chars() {
        if !char.is_alphanumeric() || before.is_lowercase() && char.is_uppercase() {
            words.push(String::new());
        }
        let word = words.last_mut().filter(|_| char.is_alphanumeric());
        word.into_iter().for_each(|word| word.extend(char.to_lowercase()));
        before = char;
    }
    words.iter().any(|word| WEIGHING.contains(&&**word))
}

/// Whether a list of this name, with as many entries as there are messages, is taken for one with an entry for each:
/// `numbers` and booleans sooner than others, since a trainer reads them.
pub fn is_of_messages(name: &str, messages: usize, numbers: bool) -> bool {
    let least = if numbers || weighs(name) { LEAST_MESSAGES } else { LEAST_UNNAMED };
    messages >= least && !OTHER_COLUMNS.iter().chain(&MEDIA_COLUMNS).any(|other| *other == name)
}

#[cfg(test)]
mod tests {
    use super::weighs;

    #[test]
    fn a_column_weighs_by_a_word_of_its_name() {
        assert!(["loss_mask", "lossMask", "weights", "train_on", "message-weight", "mask"].into_iter().all(weighs));
        assert!(!["constraints", "glossary_ids", "training_steps", "unmasked", "scores", ""].into_iter().any(weighs));
    }
}
