//! Values that a setting can have, beyond their type: said where they are read, so that the error names the place.

use super::ToolRule;
use crate::transcript::STUB_FIELDS;
use serde::{Deserialize, Deserializer, de::Error};

/// A share of a whole.
pub(super) fn share<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    is_share(f64::deserialize(from)?)
}

fn is_share<E: Error>(value: f64) -> Result<f64, E> {
    let is_share = (0.0..=1.0).contains(&value);
    if is_share { Ok(value) } else { Err(E::custom(format!("{value}: a share is from 0 to 1"))) }
}

/// A share of a whole, where one is stated.
pub(super) fn stated_share<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    Option::deserialize(from)?.map(is_share).transpose()
}

/// A stub whose fields can all be filled in.
pub(super) fn stub<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    can_be_filled(String::deserialize(from)?)
}

fn can_be_filled<E: Error>(text: String) -> Result<String, E> {
    match unknown_field(&text) {
        None => Ok(text),
        Some(field) => {
            Err(E::custom(format!("{field}: nothing is filled in for it; what can be is {}", STUB_FIELDS.join(" "))))
        }
    }
}

/// A stub, where one is stated.
pub(super) fn stated_stub<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Option::deserialize(from)?.map(can_be_filled).transpose()
}

/// Rules of which each says what it is for.
pub(super) fn rules<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<ToolRule>, D::Error> {
    let rules = Vec::<ToolRule>::deserialize(from)?;
    let at = rules.iter().position(|rule| rule.tools.is_empty());
    at.map_or(Ok(rules), |at| {
        let what = "names no tools, and is for none: tools = [\"bash\"], or [\"*\"] for all";
        Err(D::Error::custom(format!("rule {} {what}", at + 1)))
    })
}

/// The first word in braces that is no field. Other braces, such as those of JSON, are text.
fn unknown_field(text: &str) -> Option<&str> {
    let opens = text.match_indices('{').map(|(at, _)| at);
    opens.filter_map(|at| Some(&text[at..=at + text[at..].find('}')?])).find(|field| {
        let word = &field[1..field.len() - 1];
        let is_word = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        is_word && !STUB_FIELDS.contains(field)
    })
}
