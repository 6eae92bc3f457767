//! Which messages of a row are trained on.

use super::super::shared::json::{Json, Object, quoted};

/// Keys that say whether, or how much, training uses a message (FORMATS §18): those of OpenAI, LLaMA-Factory,
/// ms-swift, and Axolotl.
const MASKS: [&str; 6] = ["weight", "loss_weight", "loss", "loss_scale", "train", "training"];

/// Whether a message, or a turn of another kind of row, is excluded from training.
pub(crate) fn is_untrained(object: &Object<'_>) -> bool {
    let mut masks = MASKS.iter().filter_map(|key| object.get(key));
    masks.any(|value| ["0", "0.0", "false"].contains(&value.raw()))
}

/// The fields, each after a comma, that exclude a new answer from training if the messages of its row state how much is
/// learned from each: the same keys, with values of the same type.
pub(crate) fn untrained(messages: &[Object<'_>]) -> String {
    let of_key = |key: &&str| {
        let raw = messages.iter().filter_map(|message| message.get(key)).map(Json::raw).find(|raw| *raw != "null")?;
        let value = match raw {
            "true" | "false" => "false",
            _ if raw.starts_with(['"', '{', '[']) => return None,
            _ if raw.contains(['.', 'e', 'E']) => "0.0",
            _ => "0",
        };
        Some(format!(",{}:{value}", quoted(key)))
    };
    MASKS.iter().filter_map(of_key).collect()
}
