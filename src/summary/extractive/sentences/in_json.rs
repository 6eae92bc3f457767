//! The sentences of an agent that answers with JSON objects.

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Fewest words of a string that may be a sentence.
const WORDS: usize = 3;

/// The strings of several words in a text that is one object, a paragraph each, in their order; `None` for other texts.
pub(in crate::summary::extractive) fn sentences(text: &str) -> Option<String> {
    let text = text.trim();
    let fenced = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```")?.split_once('\n'));
    let object = fenced.map_or(text, |(_, inside)| inside.trim());
    let Strings(all) = object.starts_with('{').then(|| serde_json::from_str(object).ok())??;
    let said = |text: &String| text.split_whitespace().nth(WORDS - 1).is_some();
    Some(all.into_iter().filter(said).collect::<Vec<_>>().join("\n\n"))
}

/// All strings in a value.
struct Strings(Vec<String>);

impl<'de> Deserialize<'de> for Strings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(All).map(Self)
    }
}

/// Collects strings.
struct All;

impl<'de> Visitor<'de> for All {
    type Value = Vec<String>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(vec![text.to_owned()])
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        while let Some(Strings(more)) = items.next_element()? {
            all.extend(more);
        }
        Ok(all)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        while let Some((_, Strings(more))) = fields.next_entry::<IgnoredAny, _>()? {
            all.extend(more);
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::sentences;

    #[test]
    fn strings_of_an_object_are_sentences_if_they_have_words() {
        let answer =
            r#"{"thought":"The quay is wet.","action":{"name":"finish","args":["The crane 4 stands still.",3,null]}}"#;
        let said = Some("The quay is wet.\n\nThe crane 4 stands still.".to_owned());
        assert_eq!(sentences(answer), said);
        assert_eq!(sentences(&format!("```json\n{answer}\n```")), said);
        assert_eq!(sentences(r#"{"a":1.5,"b":-1,"c":true}"#).as_deref(), Some(""));
        for text in ["The quay is wet.", "{", r#"["The quay is wet."]"#, "```json", ""] {
            assert_eq!(sentences(text), None, "{text}");
        }
    }
}
