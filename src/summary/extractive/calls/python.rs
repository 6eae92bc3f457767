//! Objects as Python prints them, which tools written in it return.

use serde_json::value::RawValue;
use std::borrow::Cow;

/// Words of Python, and of JSON.
const WORDS: [(&str, &str); 3] = [(": True", ": true"), (": False", ": false"), (": None", ": null")];

/// An object as JSON; `None` if the text begins with none, or has quotes in its values.
pub(in crate::summary::extractive) fn json(text: &str) -> Option<Cow<'_, str>> {
    if !text.starts_with("{'") {
        return text.starts_with('{').then_some(Cow::Borrowed(text));
    }
    let json = WORDS.iter().fold(text.replace('\'', "\""), |json, (python, own)| json.replace(python, own));
    serde_json::from_str::<&RawValue>(&json).is_ok().then_some(Cow::Owned(json))
}

#[cfg(test)]
mod tests {
    use super::json;

    #[test]
    fn an_object_of_python_is_one_of_json() {
        assert_eq!(json("{'level': 7, 'lit': True}").as_deref(), Some(r#"{"level": 7, "lit": true}"#));
        assert_eq!(json(r#"{"level": 7}"#).as_deref(), Some(r#"{"level": 7}"#));
        for other in ["{'of': 'the keeper's'}", "level 7", "['level']"] {
            assert_eq!(json(other), None, "{other}");
        }
    }
}
