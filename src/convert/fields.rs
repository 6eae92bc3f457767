//! Writes JSON field by field; values that are JSON already keep their spelling.

pub(super) use crate::format::json::quoted;

use super::losses::{Loss, Losses};
use crate::format::json::{Json, Object};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// An object being written.
pub(super) struct Fields(String);

impl Fields {
    /// Starts an empty object.
    pub(super) fn new() -> Self {
        Self(String::from("{"))
    }

    /// Adds a field with a value that is JSON on one line.
    pub(super) fn raw(mut self, key: &str, value: &str) -> Self {
        self.key(key);
        self.0.push_str(value);
        self
    }

    /// Adds a field with an array of JSON values, each written as it comes: all together may be a whole session.
    pub(super) fn list(mut self, key: &str, values: impl IntoIterator<Item = String>) -> Self {
        self.key(key);
        add_array(&mut self.0, values);
        self
    }

    fn key(&mut self, key: &str) {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0.push_str(&quoted(key));
        self.0.push(':');
    }

    /// Adds a string field.
    pub(super) fn text(self, key: &str, value: &str) -> Self {
        let value = quoted(value);
        self.raw(key, &value)
    }

    /// Adds a field if there is a value.
    pub(super) fn raw_if(self, key: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.raw(key, value),
            None => self,
        }
    }

    /// Adds a string field if there is a value.
    pub(super) fn text_if(self, key: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.text(key, value),
            None => self,
        }
    }

    /// Finishes the object.
    pub(super) fn done(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

/// An array of JSON values.
pub(super) fn array(values: impl IntoIterator<Item = String>) -> String {
    let mut text = String::new();
    add_array(&mut text, values);
    text
}

fn add_array(text: &mut String, values: impl IntoIterator<Item = String>) {
    text.push('[');
    for (at, value) in values.into_iter().enumerate() {
        if at > 0 {
            text.push(',');
        }
        text.push_str(&value);
    }
    text.push(']');
}

/// A JSON value on one line: if it contains line breaks, all white space between its tokens is removed.
pub(super) fn one_line(raw: &str) -> Cow<'_, str> {
    if !raw.contains(['\n', '\r']) {
        return Cow::Borrowed(raw);
    }
    let (mut inside, mut escaped) = (false, false);
    let keeps = |letter: &char| {
        let blank = !inside && matches!(letter, ' ' | '\t' | '\n' | '\r');
        match letter {
            _ if escaped => escaped = false,
            '\\' if inside => escaped = true,
            '"' => inside = !inside,
            _ => {}
        }
        !blank
    };
    Cow::Owned(raw.chars().filter(keeps).collect())
}

/// Call arguments as a JSON object on one line; it is counted if they are changed.
pub(super) fn object<'a>(arguments: &'a str, losses: &mut Losses) -> Cow<'a, str> {
    let (object, changed) = as_object(arguments);
    losses.add(Loss::ArgumentsNormalized, usize::from(changed));
    object
}

/// Call arguments as an object, and whether they were changed: other values and texts are wrapped in `input`, but not
/// an object spelled as a string. Python's `NaN` and `Infinity` are no JSON, so arguments with them are a text.
fn as_object(arguments: &str) -> (Cow<'_, str>, bool) {
    let is_json = serde_json::from_str::<&RawValue>(arguments).is_ok();
    match Json::parse(arguments).ok().filter(|_| is_json) {
        Some(value) if value.raw().starts_with('{') => (one_line(value.raw()), false),
        Some(value) if !value.is_null() => {
            let spelled = value.text().filter(|text| Object::parse(text).is_some());
            let spelled = spelled.map(|text| one_line(text.trim()).into_owned());
            let wrapped = || format!(r#"{{"input":{}}}"#, one_line(value.raw()));
            (Cow::Owned(spelled.unwrap_or_else(wrapped)), true)
        }
        None if !arguments.trim().is_empty() => (Cow::Owned(format!(r#"{{"input":{}}}"#, quoted(arguments))), true),
        _ => (Cow::Borrowed("{}"), true),
    }
}

/// Call arguments as a string: as [`object`], but an object stays as it is written, also one that a model broke off.
pub(super) fn string<'a>(arguments: &'a str, losses: &mut Losses) -> Cow<'a, str> {
    if arguments.trim_start().starts_with('{') { Cow::Borrowed(arguments) } else { object(arguments, losses) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_become_objects() {
        assert_eq!(
            as_object("{\n  \"a\": \"x \\\" y\",\n  \"b\": 1.0\n}"),
            (r#"{"a":"x \" y","b":1.0}"#.into(), false)
        );
        assert_eq!(as_object(r#"{"a": 1}"#), (r#"{"a": 1}"#.into(), false));
        assert_eq!(as_object("[1]"), (r#"{"input":[1]}"#.into(), true));
        assert_eq!(as_object("*** Begin"), (r#"{"input":"*** Begin"}"#.into(), true));
        assert_eq!(as_object(r#"{"depth":NaN}"#), (r#"{"input":"{\"depth\":NaN}"}"#.into(), true));
        assert_eq!(as_object(r#"{"tide": -Infinity}"#), (r#"{"input":"{\"tide\": -Infinity}"}"#.into(), true));
        assert_eq!(as_object(r#"{"tide":"NaN"}"#), (r#"{"tide":"NaN"}"#.into(), false));
        assert_eq!(as_object(" "), ("{}".into(), true));
        assert_eq!(as_object("null"), ("{}".into(), true));
        assert_eq!(as_object(r#""{\"a\": 1}""#), (r#"{"a": 1}"#.into(), true));
        let string = |arguments: &'static str| {
            let mut losses = Losses::default();
            (string(arguments, &mut losses), losses.iter().next().is_some())
        };
        assert_eq!((string(""), string("{\"a\"")), (("{}".into(), true), ("{\"a\"".into(), false)));
        assert_eq!(string("light(7)"), (r#"{"input":"light(7)"}"#.into(), true));
    }

    #[test]
    fn an_object_is_written_field_by_field() {
        let object = Fields::new().text("a", "x\"").raw("b", "[1]").text_if("c", None).raw_if("d", Some("2")).done();
        assert_eq!(object, r#"{"a":"x\"","b":[1],"d":2}"#);
        assert_eq!(
            Fields::new().list("a", []).raw("b", "1").list("c", ["2".into()]).done(),
            r#"{"a":[],"b":1,"c":[2]}"#
        );
        assert_eq!(array([object, "1".to_owned()]), r#"[{"a":"x\"","b":[1],"d":2},1]"#);
    }
}
