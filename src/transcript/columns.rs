//! Columns of a training row with one entry for each of its messages: what they are told by, for who edits and who judges.

/// In rows of fewer messages a list of as many entries can be of anything.
pub const LEAST_MESSAGES: usize = 3;
/// Columns that are of something else, however many entries they have.
pub const OTHER_COLUMNS: [&str; 5] = ["tools", "functions", "images", "videos", "audios"];
/// Fields of a message, whose arrays are conversations of their own.
pub const MESSAGE_FIELDS: [&str; 4] = ["role", "from", "content", "value"];
