//! Objects as Python prints them, which tools written in it return.

use serde_json::value::RawValue;
use std::borrow::Cow;

/// Words of Python, and of JSON.
const WORDS: [(&str, &str); 3] = [("True", "true"), ("False", "false"), ("None", "null")];

/// An object as JSON; `None` if the text begins with none, or has other quotes or escapes in its values.
pub(in crate::summary::extractive) fn json(text: &str) -> Option<Cow<'_, str>> {
    if !text.starts_with("{'") {
        return text.starts_with('{').then_some(Cow::Borrowed(text));
    }
    if text.contains(['"', '\\']) {
        return None;
    }
    // Every other piece between quotes is a string.
    let pieces = text.split('\'').enumerate().map(|(at, piece)| match at % 2 {
        0 => Cow::Owned(WORDS.iter().fold(piece.to_owned(), |piece, (python, own)| piece.replace(python, own))),
        _ => Cow::Borrowed(piece),
    });
    let json = pieces.collect::<Vec<_>>().join("\"");
    serde_json::from_str::<&RawValue>(&json).is_ok().then_some(Cow::Owned(json))
}

#[cfg(test)]
mod tests {
    use super::json;

    #[test]
    fn an_object_of_python_is_one_of_json() {
        assert_eq!(json("{'level': 7, 'lit': True}").as_deref(), Some(r#"{"level": 7, "lit": true}"#));
        assert_eq!(json(r#"{"level": 7}"#).as_deref(), Some(r#"{"level": 7}"#));
        assert_eq!(json("{'of': 'a: None'}").as_deref(), Some(r#"{"of": "a: None"}"#));
        for other in ["{'of': 'the keeper's'}", r#"{'of': 'a", "b": "c'}"#, "level 7", "['level']"] {
            assert_eq!(json(other), None, "{other}");
        }
    }
}
