//! Columns of a training row with one entry for each of its messages: what they are told by, for who edits and who judges.

/// In rows of fewer messages a list of as many entries can be of anything.
const LEAST_MESSAGES: usize = 3;
/// The same for a list whose name does not say that it is one: scores of three judges, the four numbers of a box.
const LEAST_UNNAMED: usize = 6;
/// Parts of names of columns that say how much a trainer makes of each message: `loss_mask`, `weights`, `trainable`.
const WEIGHING: [&str; 4] = ["loss", "mask", "train", "weight"];
/// Columns that are of something else, however many entries they have.
const OTHER_COLUMNS: [&str; 5] = ["tools", "functions", "images", "videos", "audios"];
/// Fields of a message, whose arrays are conversations of their own.
pub const MESSAGE_FIELDS: [&str; 4] = ["role", "from", "content", "value"];

/// Whether a column says how much a trainer makes of each message, by its name.
pub fn weighs(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    WEIGHING.iter().any(|part| name.contains(part))
}

/// Whether a list of this name, with as many entries as there are messages, is taken for one with an entry for each.
pub fn is_of_messages(name: &str, messages: usize) -> bool {
    let least = if weighs(name) { LEAST_MESSAGES } else { LEAST_UNNAMED };
    messages >= least && !OTHER_COLUMNS.contains(&name)
}
