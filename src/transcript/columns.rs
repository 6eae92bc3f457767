//! Columns of a training row beside its messages: those with an answer, and those with one entry per message. Shared by
//! editing and judging.

use super::{Media, Role};
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
const LEAST_MESSAGES: usize = 3;
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
/// Words in names of columns with an entry per token of the text: `token_ids`, `logprobs`.
const TOKENS: [&str; 4] = ["token", "tokens", "logprob", "logprobs"];
/// Columns with an entry per token of the text, by their whole name.
const TOKEN_COLUMNS: [&str; 7] =
    ["input_ids", "prompt_ids", "response_ids", "completion_ids", "labels", "attention_mask", "position_ids"];
/// Words in names of columns with positions of messages: `train_indices`.
const POSITIONS: [&str; 7] = ["index", "indexes", "indices", "idx", "idxs", "position", "positions"];
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

/// Numbers of messages of a conversation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Talk {
    /// All of them.
    pub messages: usize,
    /// Those of the model.
    pub answers: usize,
    /// Those of the user.
    pub users: usize,
    /// Those of the system.
    pub systems: usize,
}

impl Talk {
    /// Counts messages by their roles, as `role` in `speakers` tells them.
    pub fn of(roles: impl Iterator<Item = Option<Role>>) -> Self {
        let mut talk = Self::default();
        for role in roles {
            talk.messages += 1;
            talk.answers += usize::from(role == Some(Role::Assistant));
            talk.users += usize::from(role == Some(Role::User));
            talk.systems += usize::from(role == Some(Role::System));
        }
        talk
    }
}

/// Whether a list of this name may be of the tokens of a text. A list of fewer entries than there are messages is of
/// something else.
pub fn is_of_tokens(name: &str, entries: usize, messages: usize) -> bool {
    entries > messages && (has_word(name, &TOKENS) || TOKEN_COLUMNS.contains(&name))
}

/// Whether a list of numbers (booleans as 0 and 1, `null` as no number) goes with the messages of a conversation, and
/// not with one entry for each message or answer, so that it can't be cut along with them: weights of another number,
/// or not `beside` the messages but inside another column; entries for all messages but the system's; grades of the
/// user's messages; positions of messages.
pub fn is_tied(name: &str, numbers: &[f64], talk: Talk, beside: bool) -> bool {
    let entries = numbers.len();
    if !is_free(name) || is_place_of(name, numbers, talk) {
        return is_free(name);
    }
    let fits = entries == talk.messages || entries == talk.answers;
    if entries < LEAST_MESSAGES || beside && fits {
        return false;
    }
    let others = talk.systems > 0 && entries == talk.messages - talk.systems;
    weighs(name) || beside && (others || grades(name) && entries == talk.users)
}

/// Whether a list has the positions of some messages: whole numbers below that of messages, each larger than the one
/// before, and not all of them 0 or 1.
fn is_place_of(name: &str, numbers: &[f64], talk: Talk) -> bool {
    let whole = |number: &f64| number.fract() == 0.0 && *number >= 0.0 && *number < talk.messages as f64;
    let rising = numbers.windows(2).all(|pair| pair[0] < pair[1]);
    let tells = weighs(name) || has_word(name, &POSITIONS);
    tells && rising && numbers.len() > 1 && numbers.iter().all(whole) && numbers.last() > Some(&1.0)
}

/// Whether a column with this name is none of other data.
fn is_free(name: &str) -> bool {
    !OTHER_COLUMNS.iter().chain(&MEDIA_COLUMNS).any(|other| *other == name)
}

#[cfg(test)]
mod tests {
    use super::{Keys, Talk, is_of_messages_alike, is_of_tokens, is_tied, weighs};

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

    #[test]
    fn lists_that_go_with_the_messages_but_not_one_for_one_are_tied() {
        let talk = Talk { messages: 10, answers: 4, users: 5, systems: 1 };
        let tied = |name: &str, entries: usize| is_tied(name, &vec![1.0; entries], talk, true);
        assert!(tied("loss_mask", 11) && tied("loss_mask", 9) && tied("weights", 700) && tied("rewards", 5));
        assert!(tied("depths", 9), "all but the system's");
        assert!(!tied("loss_mask", 10) && !tied("loss_mask", 4), "these go along");
        assert!(!tied("loss_mask", 2) && !tied("rewards", 7) && !tied("depths", 5) && !tied("tools", 9));
        assert!(is_tied("loss_mask", &[1.0; 10], talk, false) && !is_tied("depths", &[1.0; 9], talk, false));
        let places = |name: &str, numbers: &[f64]| is_tied(name, numbers, talk, true);
        assert!(places("train_indices", &[2.0, 4.0, 6.0, 8.0]) && places("indices", &[0.0, 9.0]));
        assert!(!places("indices", &[0.0, 10.0]) && !places("indices", &[4.0, 2.0]) && !places("tide", &[2.0, 4.0]));
        assert!(!places("loss_mask", &[0.0, 1.0]) && !places("weights", &[0.25, 0.5, 1.0, 1.5]));
    }

    #[test]
    fn lists_of_tokens_are_longer_than_the_conversation() {
        let are = |name: &str, entries: usize| is_of_tokens(name, entries, 6);
        assert!(are("input_ids", 90) && are("token_ids", 7) && are("logprobs", 80) && are("labels", 9));
        assert!(!are("token_counts", 6) && !are("tokens", 5) && !are("user_ids", 90));
    }
}
