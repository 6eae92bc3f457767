//! Lists in a training row that go with its messages, but not with one entry for each message or answer: a mask for all
//! but the system's message, positions of answers, numbers of tokens. They would be wrong beside fewer messages.

use super::Role;
use super::columns::{LEAST_MESSAGES, grades, has_word, is_free, weighs};
use serde_json::{Map, Value};

/// Words in names of columns with an entry per token of the text: `token_ids`, `logprobs`.
const TOKENS: [&str; 4] = ["token", "tokens", "logprob", "logprobs"];
/// Columns with an entry per token of the text, by their whole name.
const TOKEN_COLUMNS: [&str; 7] =
    ["input_ids", "prompt_ids", "response_ids", "completion_ids", "labels", "attention_mask", "position_ids"];
/// Words in names of columns with positions of messages: `train_indices`.
const POSITIONS: [&str; 7] = ["index", "indexes", "indices", "idx", "idxs", "position", "positions"];
/// How deep objects in columns are searched.
const DEEPEST: usize = 3;

/// A list of numbers in a row.
#[derive(Debug, Clone, PartialEq)]
pub struct List {
    /// The name of the column, or of the field in it.
    pub name: String,
    /// The numbers: booleans are 0 and 1, `null` is no number.
    numbers: Vec<Option<f64>>,
    /// It is a column of its own.
    beside: bool,
}

/// Whether a column may hold such a list, by its name and the beginning of its JSON; others need not be parsed. Lists of
/// objects and texts are most of the bytes of a row.
pub fn may_hold(name: &str, json: &str) -> bool {
    let list = json.strip_prefix('[').is_some_and(|rest| !rest.trim_start().starts_with(['{', '"']));
    let text = json.starts_with('"') && weighs(name) || json.starts_with("\"{");
    list || text || json.starts_with('{')
}

/// Collects the lists of numbers of a column: the column itself, and weights of messages in it, in any form.
pub fn collect(name: &str, value: &Value, lists: &mut Vec<List>) {
    of_field((name, value), 0, lists);
}

fn of_field((name, value): (&str, &Value), depth: usize, lists: &mut Vec<List>) {
    let found = match value {
        Value::Array(_) if weighs(name) => numbers(value).or_else(|| inner(value)),
        Value::Array(_) if depth == 0 => numbers(value),
        Value::String(text) if weighs(name) => spelled(text),
        Value::Object(fields) if weighs(name) => positions(fields),
        _ => None,
    };
    let beside = depth == 0 && value.as_array().is_some_and(|all| !all.iter().any(Value::is_array));
    match found {
        Some(numbers) => lists.push(List { name: name.to_owned(), numbers, beside }),
        None if depth < DEEPEST => nested(value, depth + 1, lists),
        None => {}
    }
}

/// Collects from an object, or from one that is written as a text.
fn nested(value: &Value, depth: usize, lists: &mut Vec<List>) {
    let written = value.as_str().filter(|text| text.starts_with('{')).and_then(|text| serde_json::from_str(text).ok());
    if let Value::Object(fields) = written.as_ref().unwrap_or(value) {
        fields.iter().for_each(|(name, value)| of_field((name, value), depth, lists));
    }
}

/// The numbers of a list that holds nothing else.
fn numbers(list: &Value) -> Option<Vec<Option<f64>>> {
    let number = |entry: &Value| match entry {
        Value::Bool(is) => Some(Some(f64::from(u8::from(*is)))),
        Value::Null => Some(None),
        Value::Number(number) => Some(number.as_f64()),
        _ => None,
    };
    list.as_array()?.iter().map(number).collect()
}

/// The numbers of a list in a list of its own.
fn inner(list: &Value) -> Option<Vec<Option<f64>>> {
    let [one] = list.as_array()?.as_slice() else { return None };
    numbers(one)
}

/// The numbers of a text: a list as JSON, binary digits one after the other, or numbers with commas between them.
fn spelled(text: &str) -> Option<Vec<Option<f64>>> {
    let of_json = || numbers(&serde_json::from_str(text).ok()?);
    let digits = || text.chars().map(|char| char.to_digit(2).map(|digit| Some(f64::from(digit)))).collect();
    let parts = || text.split(',').map(|part| part.trim().parse().ok().map(Some)).collect();
    of_json().or_else(digits).or_else(parts)
}

/// The positions that are the keys of an object, in order.
fn positions(fields: &Map<String, Value>) -> Option<Vec<Option<f64>>> {
    let mut keys: Vec<f64> = fields.keys().map(|key| key.parse().ok()).collect::<Option<_>>()?;
    keys.sort_by(f64::total_cmp);
    Some(keys.into_iter().map(Some).collect())
}

/// Numbers of messages of a conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Talk {
    /// All of them.
    pub messages: usize,
    /// The places of those of the model.
    pub answers: Vec<usize>,
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
            talk.answers.extend((role == Some(Role::Assistant)).then_some(talk.messages));
            talk.messages += 1;
            talk.users += usize::from(role == Some(Role::User));
            talk.systems += usize::from(role == Some(Role::System));
        }
        talk
    }
}

/// Whether a column may be of the tokens of a text, by its name.
pub fn names_tokens(name: &str) -> bool {
    has_word(name, &TOKENS) || TOKEN_COLUMNS.contains(&name)
}

/// Whether a list is a column of the tokens of a text. A list of fewer entries than there are messages is of something
/// else.
pub fn is_of_tokens(list: &List, messages: usize) -> bool {
    list.beside && list.numbers.len() > messages && names_tokens(&list.name)
}

/// Whether a list goes with the messages of a conversation so that it can't be cut along with them: weights of another
/// number than messages or answers, or not beside the messages but inside another column; entries for all messages but
/// the system's; grades of the user's messages; positions of messages.
pub fn is_tied(list: &List, talk: &Talk) -> bool {
    let List { name, numbers, beside } = list;
    let entries = numbers.len();
    let fits = *beside && (entries == talk.messages || entries == talk.answers.len());
    // Rising weights of all answers are no positions, unless they are those of the answers.
    let places = is_place_of(list, talk) && (!(fits && weighs(name)) || are_of_answers(list, talk));
    if !is_free(name) || places {
        return is_free(name);
    }
    if entries < LEAST_MESSAGES || fits {
        return false;
    }
    let others = talk.systems > 0 && entries == talk.messages - talk.systems;
    weighs(name) || *beside && (others || grades(name) && entries == talk.users)
}

/// Whether a list has the positions of some messages: whole numbers below that of messages, each larger than the one
/// before, and not all of them 0 or 1. Where the name does not tell, at least three and all of them of answers.
fn is_place_of(list: &List, talk: &Talk) -> bool {
    let List { name, numbers, .. } = list;
    let whole = |number: &f64| number.fract() == 0.0 && *number >= 0.0 && *number < talk.messages as f64;
    let places: Vec<f64> = numbers.iter().flatten().copied().filter(whole).collect();
    let rising = places.len() == numbers.len() && places.windows(2).all(|pair| pair[0] < pair[1]);
    let of_answers = || places.len() >= LEAST_MESSAGES && are_of_answers(list, talk);
    let tells = weighs(name) || has_word(name, &POSITIONS) || of_answers();
    tells && rising && places.len() > 1 && places.last() > Some(&1.0)
}

/// Whether all numbers are positions of answers.
fn are_of_answers(list: &List, talk: &Talk) -> bool {
    let is_answer = |number: &Option<f64>| talk.answers.iter().any(|answer| Some(*answer as f64) == *number);
    list.numbers.iter().all(is_answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Whether something in a column is tied to a conversation: system, five questions, four answers.
    fn tied(name: &str, value: &Value) -> bool {
        let talk = Talk { messages: 10, answers: vec![2, 4, 6, 8], users: 5, systems: 1 };
        let mut lists = Vec::new();
        collect(name, value, &mut lists);
        lists.iter().any(|list| is_tied(list, &talk))
    }

    #[test]
    fn lists_that_go_with_the_messages_but_not_one_for_one_are_tied() {
        let ones = |name: &str, entries: usize| tied(name, &json!(vec![1; entries]));
        assert!(ones("loss_mask", 11) && ones("loss_mask", 9) && ones("weights", 700) && ones("rewards", 5));
        assert!(ones("depths", 9), "all but the system's");
        assert!(!ones("loss_mask", 10) && !ones("loss_mask", 4), "these go along");
        assert!(!ones("loss_mask", 2) && !ones("rewards", 7) && !ones("depths", 5) && !ones("tools", 9));
        assert!(!tied("loss_mask", &json!([true, null, false, true])));
    }

    #[test]
    fn positions_of_messages_are_tied() {
        assert!(tied("train_indices", &json!([2, 4, 6, 8])) && tied("indices", &json!([0, 9])));
        assert!(!tied("indices", &json!([0, 10])) && !tied("indices", &json!([4, 2])) && !tied("tide", &json!([2, 4])));
        assert!(tied("supervised", &json!([2, 4, 8])) && !tied("supervised", &json!([2, 4, 5])));
        assert!(tied("train_turns", &json!([2, 4, 6, 8])) && !tied("weights", &json!([1, 2, 3, 4])), "one per answer");
        assert!(!tied("loss_mask", &json!([0, 1])) && !tied("weights", &json!([0.25, 0.5, 1.0, 1.5])));
    }

    #[test]
    fn weights_are_found_in_other_columns_and_other_forms() {
        let mask = json!([0, 0, 1, 0, 1, 0, 1, 0, 1, 0]);
        let text = mask.to_string();
        assert!(tied("meta", &json!({ "loss_mask": mask })) && tied("meta", &json!({ "a": { "train": mask } })));
        assert!(tied("meta", &json!(format!("{{\"loss_mask\": {text}}}"))) && tied("loss_mask", &json!([mask])));
        assert!(tied("loss_mask", &json!(text)) && tied("loss_mask", &json!("0010101010")));
        assert!(tied("loss_mask", &json!("0, 0, 1, 0, 1")) && tied("loss_mask", &json!({ "2": 1, "10": 0, "4": 1 })));
        assert!(!tied("meta", &json!({ "depths": [1, 1, 1, 1, 1, 1, 1, 1, 1] })));
        assert!(
            !tied("loss_mask", &json!("assistant"))
                && !tied("train", &json!({ "epoch": 1 }))
                && !tied("n", &json!([[1]]))
        );
    }

    #[test]
    fn lists_of_tokens_are_longer_than_the_conversation() {
        let are = |name: &str, entries: usize| {
            let mut lists = Vec::new();
            collect(name, &json!(vec![7; entries]), &mut lists);
            lists.iter().any(|list| is_of_tokens(list, 6))
        };
        assert!(are("input_ids", 90) && are("token_ids", 7) && are("logprobs", 80) && are("labels", 9));
        assert!(!are("token_counts", 6) && !are("tokens", 5) && !are("user_ids", 90));
    }
}
