//! Checks of settings beyond their type. They run while deserializing, so that the error names the place.

use super::ToolRule;
use crate::transcript::STUB_FIELDS;
use serde::{Deserialize, Deserializer, de::Error};

/// Deserializes a share: a number from 0 to 1.
pub(super) fn share<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    is_share(f64::deserialize(from)?)
}

fn is_share<E: Error>(value: f64) -> Result<f64, E> {
    let is_share = (0.0..=1.0).contains(&value);
    if is_share { Ok(value) } else { Err(E::custom(format!("{value}: a share is from 0 to 1"))) }
}

/// Deserializes an optional share.
pub(super) fn stated_share<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    Option::deserialize(from)?.map(is_share).transpose()
}

/// Deserializes a stub; fields that are not in [`STUB_FIELDS`] are errors.
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

/// Deserializes an optional stub.
pub(super) fn stated_stub<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Option::deserialize(from)?.map(can_be_filled).transpose()
}

/// Deserializes tool rules; each must name its tools.
pub(super) fn rules<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<ToolRule>, D::Error> {
    let rules = Vec::<ToolRule>::deserialize(from)?;
    let at = rules.iter().position(|rule| rule.tools.is_empty());
    at.map_or(Ok(rules), |at| {
        let what = "names no tools, and is for none: tools = [\"bash\"], or [\"*\"] for all";
        Err(D::Error::custom(format!("rule {} {what}", at + 1)))
    })
}

/// Deserializes names of tools or globs; brackets and braces, which other globs have, are errors.
pub(super) fn tool_globs<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    let globs = Vec::<String>::deserialize(from)?;
    match globs.iter().find(|glob| glob.contains(['[', ']', '{', '}'])) {
        None => Ok(globs),
        Some(glob) => Err(D::Error::custom(format!(
            "{glob}: globs of tools have * and ?, but no brackets or braces; name each tool, or write a wider glob"
        ))),
    }
}

/// The first word in braces that is not a field. Other braces, such as those of JSON, are text.
fn unknown_field(text: &str) -> Option<&str> {
    let opens = text.match_indices('{').map(|(at, _)| at);
    opens.filter_map(|at| Some(&text[at..=at + text[at..].find('}')?])).find(|field| {
        let word = &field[1..field.len() - 1];
        let is_word = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        is_word && !STUB_FIELDS.contains(field)
    })
}
