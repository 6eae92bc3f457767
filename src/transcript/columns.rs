//! Columns of a training row beside its messages: those with an answer, and those with one entry per message. Shared by
//! editing and judging.

use super::Media;
use std::collections::BTreeSet;

/// A column with an answer, or a conversation that ends with one; a trainer uses one of them at a time.
#[derive(Debug, Clone, Copy)]
pub struct AnswerColumn {
    /// The name of the column.
    pub name: &'static str,
    /// Whether the answer is one to learn; else it is the worse one of two.
    pub preferred: bool,
    /// The formats whose rows have it.
    formats: &'static [&'static str],
}

const TRL: &str = "trl";
const CHAT: &str = "openai-chat";
const TURNS: &str = "sharegpt";
const PREFERENCE: &str = "openai-preference";
const VARIANTS: &str = "messages-variants";

/// All columns with answers. Of the preferred ones, the first that a row has counts.
pub const ANSWERS: [AnswerColumn; 9] = [
    AnswerColumn { name: "completion", preferred: true, formats: &[TRL, CHAT] },
    AnswerColumn { name: "chosen", preferred: true, formats: &[TRL, CHAT, TURNS] },
    AnswerColumn { name: "rejected", preferred: false, formats: &[TRL, CHAT, TURNS] },
    AnswerColumn { name: "preferred_output", preferred: true, formats: &[PREFERENCE] },
    AnswerColumn { name: "non_preferred_output", preferred: false, formats: &[PREFERENCE] },
    AnswerColumn { name: "chosen_messages", preferred: true, formats: &[VARIANTS] },
    AnswerColumn { name: "rejected_messages", preferred: false, formats: &[VARIANTS, CHAT] },
    AnswerColumn { name: "response", preferred: true, formats: &[TRL, CHAT] },
    AnswerColumn { name: "rejected_response", preferred: false, formats: &[TRL, CHAT] },
];
/// Least number of messages for a list of as many entries to be taken as one entry per message.
pub(super) const LEAST_MESSAGES: usize = 3;
/// The same for lists of texts or objects whose name does not suggest it.
const LEAST_UNNAMED: usize = 6;
/// The same for lists of objects that all have the same keys, and tell that they are about messages.
const LEAST_ALIKE: usize = 2;
/// Words in names of columns that weigh messages in training: `loss_mask`, `weights`, `trainable`.
const WEIGHING: [&str; 8] = ["loss", "losses", "mask", "masks", "train", "trainable", "weight", "weights"];
/// Words in names of columns that grade answers: `rewards`, `step_scores`.
const GRADING: [&str; 6] = ["reward", "rewards", "score", "scores", "advantage", "advantages"];
/// Words in names of columns that say something of each message: `openai_moderation`.
const JUDGING: [&str; 4] = ["moderation", "moderations", "annotation", "annotations"];
/// A column with one entry per medium shown by the messages.
#[derive(Debug, Clone, Copy)]
pub struct MediaColumn {
    /// The name of the column.
    pub name: &'static str,
    /// The placeholder in texts for one entry.
    pub placeholder: &'static str,
    /// The kind of media part that also counts as one entry.
    pub medium: Media,
}

/// All columns of media.
pub const MEDIA: [MediaColumn; 3] = [
    MediaColumn { name: "images", placeholder: "<image>", medium: Media::Image },
    MediaColumn { name: "videos", placeholder: "<video>", medium: Media::Other },
    MediaColumn { name: "audios", placeholder: "<audio>", medium: Media::Audio },
];
/// The names of the columns of media.
pub const MEDIA_COLUMNS: [&str; 3] = [MEDIA[0].name, MEDIA[1].name, MEDIA[2].name];
/// Columns of other data, whatever their number of entries.
pub const OTHER_COLUMNS: [&str; 2] = ["tools", "functions"];
/// Fields of a message; an array of objects with one of them is a conversation.
pub const MESSAGE_FIELDS: [&str; 5] = ["role", "from", "content", "value", "parts"];

/// The columns with answers that rows of a format have.
pub fn answers_of(format: &str) -> impl Iterator<Item = &'static AnswerColumn> {
    ANSWERS.iter().filter(move |column| column.formats.contains(&format))
}

/// Whether a column has answers, by its name.
pub fn holds_answers(name: &str) -> bool {
    ANSWERS.iter().any(|column| column.name == name)
}

/// Spells placeholders of media columns in a new text so that they don't count: `<image>` becomes `(image)`.
pub fn without_places(text: &str, places: &[&str]) -> String {
    let spelled = |text: String, place: &&str| text.replace(place, &place.replace('<', "(").replace('>', ")"));
    places.iter().fold(text.to_owned(), spelled)
}

/// Whether a column weighs messages in training, by its name.
pub fn weighs(name: &str) -> bool {
    has_word(name, &WEIGHING)
}

/// Whether a column grades answers, by its name.
pub fn grades(name: &str) -> bool {
    has_word(name, &GRADING)
}

/// Whether a name has one of these words, in lower case.
pub fn has_word(name: &str, listed: &[&str]) -> bool {
    let (mut words, mut before) = (vec![String::new()], ' ');
    for char in name.chars() {
        if !char.is_alphanumeric() || before.is_lowercase() && char.is_uppercase() {
            words.push(String::new());
        }
        let word = words.last_mut().filter(|_| char.is_alphanumeric());
        word.into_iter().for_each(|word| word.extend(char.to_lowercase()));
        before = char;
    }
    words.iter().any(|word| listed.contains(&&**word))
}

/// Whether a list with this name, and as many entries as there are messages, is taken as one entry per message. Lists
/// of `numbers` and booleans qualify with fewer messages, since trainers read them.
pub fn is_of_messages(name: &str, messages: usize, numbers: bool) -> bool {
    let least = if numbers || weighs(name) { LEAST_MESSAGES } else { LEAST_UNNAMED };
    messages >= least && is_free(name)
}

/// Whether a list with this name, and as many entries as there are messages, can be one entry per message.
pub fn may_be_of_messages(name: &str, messages: usize) -> bool {
    messages >= LEAST_ALIKE && is_free(name)
}

/// The keys of an object in a list.
#[derive(Debug)]
pub struct Keys {
    /// All of them.
    pub names: BTreeSet<String>,
    /// Whether all their values are numbers and booleans.
    pub numbers: bool,
}

/// Whether a list with this name, of as many entries as there are messages, is taken as one entry per message even if
/// they are few: the entries are objects with the same keys, and their numbers or the name tell.
pub fn is_of_messages_alike(name: &str, entries: impl Iterator<Item = Option<Keys>>) -> bool {
    let Some(entries) = entries.collect::<Option<Vec<_>>>() else { return false };
    let alike = entries
        .first()
        .is_some_and(|first| !first.names.is_empty() && entries.iter().all(|entry| entry.names == first.names));
    let tells = || has_word(name, &JUDGING) || entries.iter().all(|entry| entry.numbers);
    alike && may_be_of_messages(name, entries.len()) && tells()
}

/// Whether a column with this name is none of other data.
pub(super) fn is_free(name: &str) -> bool {
    !OTHER_COLUMNS.iter().chain(&MEDIA_COLUMNS).any(|other| *other == name)
}

#[cfg(test)]
mod tests {
    use super::{Keys, is_of_messages_alike, weighs};

    #[test]
    fn a_column_weighs_by_a_word_of_its_name() {
        assert!(["loss_mask", "lossMask", "weights", "train_on", "message-weight", "mask"].into_iter().all(weighs));
        assert!(!["constraints", "glossary_ids", "training_steps", "unmasked", "scores", ""].into_iter().any(weighs));
    }

    #[test]
    fn few_objects_alike_are_those_of_messages_only_if_they_tell() {
        let entry =
            |names: &[&str], numbers| Some(Keys { names: names.iter().map(ToString::to_string).collect(), numbers });
        let is = |name: &str, texts: [bool; 2]| {
            is_of_messages_alike(name, texts.into_iter().map(|numbers| entry(&["of", "is"], numbers)))
        };
        assert!(is("openai_moderation", [false, false]) && is("checks", [true, true]));
        assert!(!is("documents", [false, false]) && !is("documents", [true, false]) && !is("tools", [true, true]));
        assert!(!is_of_messages_alike("checks", [entry(&["of"], true), entry(&["is"], true)].into_iter()));
        assert!(!is_of_messages_alike("moderation", [entry(&["of"], true), None].into_iter()));
    }
}
