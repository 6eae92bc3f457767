//! Borrowed JSON values, accessed one level at a time; each one knows its span in the source.
//!
//! serde_json parses each line or document once; its `RawValue` borrows, so the span of a value is the position of its
//! text in the source. Deeper levels are only split, not parsed again (`json_level`). Values that were read are never
//! serialized again. `NaN` and `Infinity`, which Python writes although JSON has no such words, are accepted as
//! numbers.

use super::json_level::Level;
use crate::transcript::Status;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// A JSON value whose inner values have not been split yet.
#[derive(Debug, Clone, Copy)]
pub struct Json<'a>(&'a str);

impl<'a> Json<'a> {
    /// Parses the one value in `text`; white space around it is allowed.
    ///
    /// # Errors
    /// The text is not JSON; line and column of the error are relative to `text`.
    pub fn parse(text: &'a str) -> Result<Self, serde_json::Error> {
        match serde_json::from_str::<&RawValue>(text) {
            Ok(value) => Ok(Self(value.get())),
            Err(error) => {
                let Some(copy) = numbered(text) else { return Err(error) };
                let value = serde_json::from_str::<&RawValue>(&copy)?;
                Ok(Json(value.get()).moved(&copy, text))
            }
        }
    }

    /// The value in a text that was parsed before.
    pub(in crate::format) fn known(text: &'a str) -> Self {
        Self(text)
    }

    /// Returns the value in `to` at the same offset as this one in `from`, a text of the same length.
    fn moved<'b>(self, from: &str, to: &'b str) -> Json<'b> {
        Json(to.get(self.span_in(from.as_bytes())).unwrap_or_default())
    }

    /// Parses the value at `span` of `source`; `None` if there is no JSON value.
    pub fn at(source: &'a [u8], span: &Range<usize>) -> Option<Self> {
        Self::parse(std::str::from_utf8(source.get(span.clone())?).ok()?).ok()
    }

    /// The value's JSON text as written.
    pub fn raw(self) -> &'a str {
        self.0
    }

    /// The value's byte range in `source`, from which it was parsed.
    pub fn span_in(self, source: &[u8]) -> Range<usize> {
        let start = self.raw().as_ptr() as usize - source.as_ptr() as usize;
        start..start + self.raw().len()
    }

    /// The value's fields, if it is an object.
    pub fn object(self) -> Option<Object<'a>> {
        let mut fields = Vec::with_capacity(16);
        for (key, value) in Level::of_object(self.0)? {
            fields.push((decoded(key)?, Json(value)));
        }
        Some(Object { fields })
    }

    /// The value's elements, if it is an array.
    pub fn array(self) -> Option<Vec<Json<'a>>> {
        Some(Level::of_array(self.0)?.map(|(_, value)| Json(value)).collect())
    }

    /// The decoded text, if the value is a string. A lone surrogate becomes U+FFFD, as in what a model would read.
    pub fn text(self) -> Option<Cow<'a, str>> {
        decoded(self.raw())
    }

    /// The value as text: a string decoded, any other value as its JSON text.
    pub fn spelled(self) -> Cow<'a, str> {
        self.text().unwrap_or(Cow::Borrowed(self.raw()))
    }

    /// Whether the value is `true`.
    pub fn is_true(self) -> bool {
        self.raw() == "true"
    }

    /// Whether the value is `null`.
    pub fn is_null(self) -> bool {
        self.raw() == "null"
    }

    /// Whether the value holds something: it is neither `null` nor an empty text, list or object.
    pub fn holds_something(self) -> bool {
        let raw = self.raw();
        let inside = |open: char, close: char| raw.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        let inner = inside('[', ']').or_else(|| inside('{', '}'));
        inner.map_or(!matches!(raw, "null" | "\"\""), |inner| !inner.trim().is_empty())
    }

    /// Whether the value is a string that is not empty.
    pub fn says(self) -> bool {
        self.is_string() && self.raw() != "\"\""
    }

    /// Whether the value is a string.
    pub fn is_string(self) -> bool {
        self.raw().starts_with('"')
    }

    /// The value as a non-negative integer, if it is one.
    pub fn whole(self) -> Option<u64> {
        self.raw().parse().ok()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Json<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        <&'a RawValue>::deserialize(from).map(|value| Self(value.get()))
    }
}

/// The fields of an object in order. A repeated key is kept; lookups return its last value, as most JSON readers do.
#[derive(Debug, Default, Clone)]
pub struct Object<'a> {
    fields: Vec<(Cow<'a, str>, Json<'a>)>,
}

impl<'a> Object<'a> {
    /// Parses the one object in `text`, white space around it allowed; `None` for another value, or if serde_json
    /// rejects the text for more than a lone surrogate in a key.
    pub fn parse(text: &'a str) -> Option<Self> {
        let split = || Json(serde_json::from_str::<&RawValue>(text).ok()?.get()).object();
        serde_json::from_str(text).ok().or_else(|| text.trim_start().starts_with('{').then(split)?)
    }

    /// The value of a field.
    pub fn get(&self, key: &str) -> Option<Json<'a>> {
        self.fields.iter().rev().find(|(name, _)| name == key).map(|&(_, value)| value)
    }

    /// The decoded text of a field that holds a string.
    pub fn text(&self, key: &str) -> Option<Cow<'a, str>> {
        self.get(key)?.text()
    }

    /// Whether a field holds this text.
    pub fn is(&self, key: &str, text: &str) -> bool {
        self.text(key).is_some_and(|own| own == text)
    }

    /// The whole number in a field.
    pub fn whole(&self, key: &str) -> Option<u64> {
        self.get(key)?.whole()
    }

    /// Whether a field holds `true`.
    pub fn is_true(&self, key: &str) -> bool {
        self.get(key).is_some_and(Json::is_true)
    }

    /// The status of a result by a failure flag in field `key`: [`Status::Unflagged`] if the flag is `false`, else
    /// unknown (`None`).
    pub fn status_by_flag(&self, key: &str) -> Option<Status> {
        self.get(key).filter(|flag| flag.raw() == "false").map(|_| Status::Unflagged)
    }

    /// Whether the object has this field.
    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// The fields of the object in this field.
    pub fn object(&self, key: &str) -> Option<Object<'a>> {
        self.get(key)?.object()
    }

    /// The elements of the array in this field.
    pub fn array(&self, key: &str) -> Option<Vec<Json<'a>>> {
        self.get(key)?.array()
    }

    /// All fields in order.
    pub fn fields(&self) -> &[(Cow<'a, str>, Json<'a>)] {
        &self.fields
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Object<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Object<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::with_capacity(16);
                while let Some((Key(key), value)) = map.next_entry()? {
                    fields.push((key, value));
                }
                Ok(Object { fields })
            }
        }
        from.deserialize_map(Fields)
    }
}

/// An object key, borrowed if it has no escapes.
struct Key<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Key<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Key<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Owned(text.into())))
            }
        }
        from.deserialize_str(Text)
    }
}

/// Decodes a string given with its quotes; each lone surrogate becomes one U+FFFD.
fn decoded(string: &str) -> Option<Cow<'_, str>> {
    let inner = string.strip_prefix('"')?.strip_suffix('"')?;
    if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
        return Some(Cow::Borrowed(inner));
    }
    Some(Cow::Owned(match serde_json::from_str::<String>(string) {
        Ok(text) => text,
        Err(_) => without_surrogates(&serde_json::from_str::<Bytes>(string).ok()?.0),
    }))
}

/// The bytes of a string that may contain lone surrogates (WTF-8).
struct Bytes(Vec<u8>);

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct All;
        impl Visitor<'_> for All {
            type Value = Bytes;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Self::Value, E> {
                Ok(Bytes(bytes.into()))
            }
        }
        from.deserialize_bytes(All)
    }
}

/// Decodes WTF-8; each lone surrogate becomes one U+FFFD, as other decoders and tokenizers have it.
fn without_surrogates(bytes: &[u8]) -> String {
    // Of the three bytes of a surrogate only the first is 0xED, and nothing else in WTF-8 is invalid.
    let decoded = |chunk: std::str::Utf8Chunk<'_>| {
        let mark = if chunk.invalid().first() == Some(&0xed) { "\u{fffd}" } else { "" };
        [chunk.valid(), mark].concat()
    };
    bytes.utf8_chunks().map(decoded).collect()
}

/// Copies a text with Python's `NaN` and `Infinity` replaced by numbers of the same length; `None` if it has neither.
fn numbered(text: &str) -> Option<String> {
    const WORDS: [(&[u8], &[u8]); 2] = [(b"NaN", b"0.0"), (b"Infinity", b"0.000000")];
    let (mut quoted, mut escaped) = (false, false);
    let mut copy: Option<Vec<u8>> = None;
    let alone = |byte: Option<&u8>| byte.is_none_or(|byte| byte.is_ascii_whitespace() || b",:[]{}-".contains(byte));
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'N' | b'I' if !quoted => {
                let rest = text.as_bytes().get(at..).unwrap_or_default();
                let before = at.checked_sub(1).and_then(|before| text.as_bytes().get(before));
                let word = WORDS.iter().find(|(word, _)| rest.starts_with(word) && alone(rest.get(word.len())));
                if let Some((_, number)) = word.filter(|_| alone(before)) {
                    let copy = copy.get_or_insert_with(|| text.as_bytes().to_vec());
                    copy.splice(at..at + number.len(), number.iter().copied());
                }
            }
            _ => {}
        }
    }
    String::from_utf8(copy?).ok()
}

/// Returns `text` as a JSON string with quotes.
pub fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns `text` as it stands inside a JSON string.
pub fn escaped(text: &str) -> String {
    let quoted = quoted(text);
    quoted[1..quoted.len() - 1].to_owned()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn values_know_their_place() {
        let source = r#" {"a": [1, {"b": "x\ny"}], "a\u0062": null} "#;
        let object = Json::parse(source).unwrap().object().unwrap();
        let array = object.array("a").unwrap();
        let text = array[1].object().unwrap().get("b").unwrap();
        assert_eq!(&source[text.span_in(source.as_bytes())], r#""x\ny""#);
        assert_eq!(text.text().unwrap(), "x\ny");
        assert!(object.get("ab").unwrap().is_null());
    }

    #[test]
    fn what_is_empty_holds_nothing() {
        let holds = |text: &str| Json::parse(text).unwrap().holds_something();
        assert!([r#""x""#, r#"" ""#, "[0]", "[[]]", r#"{"a":null}"#, "0", "false"].into_iter().all(holds));
        assert!(!["null", r#""""#, "[]", "[ ]", "{}", "{\n}"].into_iter().any(holds));
    }

    #[test]
    fn a_lone_surrogate_is_read_and_a_repeated_key_counts_last() {
        assert_eq!(Json::parse(r#""a\ud800b""#).unwrap().text().unwrap(), "a\u{fffd}b");
        assert_eq!(Json::parse(r#""\ud83d\ud83d\ude42\udc00x""#).unwrap().text().unwrap(), "\u{fffd}🙂\u{fffd}x");
        let keyed = r#" {"\ud83d": 1, "role": "user", "\u0061": 2} "#;
        for object in [Object::parse(keyed).unwrap(), Json::parse(keyed).unwrap().object().unwrap()] {
            let keys: Vec<_> = object.fields().iter().map(|(key, _)| &**key).collect();
            assert_eq!(keys, ["\u{fffd}", "role", "a"], "also in a key");
        }
        assert!(Object::parse(r#"{"\ud83d": 1, "a": }"#).is_none() && Object::parse("[1]").is_none());
        let object = Json::parse(r#"{"k":1,"k":2}"#).unwrap().object().unwrap();
        assert_eq!(object.get("k").unwrap().whole(), Some(2));
    }

    #[test]
    fn pythons_numbers_are_read() {
        let source = r#" {"a": [NaN, {"b": -Infinity}], "NaN": "Infinity, \"NaN", "c": Infinity} "#;
        let object = Json::parse(source).unwrap().object().unwrap();
        assert_eq!(object.fields().len(), 3);
        let array = object.array("a").unwrap();
        assert_eq!((array[0].raw(), array[1].object().unwrap().get("b").unwrap().raw()), ("NaN", "-Infinity"));
        assert_eq!(&source[array[1].span_in(source.as_bytes())], r#"{"b": -Infinity}"#);
        assert_eq!(object.text("NaN").unwrap(), "Infinity, \"NaN");
        for broken in ["1NaN", "NaN5", "[NaN,]", "NaNNaN", "Infinit", "{NaN: 1}", "\"NaN"] {
            assert!(Json::parse(broken).is_err(), "{broken}");
        }
    }

    #[test]
    fn depth_is_no_danger() {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        assert!(Json::parse(&deep).unwrap().array().is_some());
    }

    #[test]
    fn only_a_flag_that_says_no_is_a_status() {
        for (text, status) in
            [(r#"{"failed":false}"#, Some(Status::Unflagged)), (r#"{"failed":true}"#, None), ("{}", None)]
        {
            assert_eq!(Json::parse(text).unwrap().object().unwrap().status_by_flag("failed"), status, "{text}");
        }
    }
}
