//! The sentences of an agent that answers with JSON objects.

use crate::transcript::unfenced;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Fewest words of a string that may be a sentence.
const WORDS: usize = 3;
/// Keys of what the agent thinks or answers; other fields hold data.
const SAID: [&str; 18] = [
    "analysis",
    "answer",
    "conclusion",
    "evaluation_previous_goal",
    "explanation",
    "final_answer",
    "memory",
    "message",
    "next_goal",
    "plan",
    "rationale",
    "reasoning",
    "reflection",
    "reply",
    "response",
    "thinking",
    "thought",
    "thoughts",
];

/// What the agent says in a text that is one object, a paragraph each, in its order; `None` for other texts.
pub(in crate::summary::extractive) fn sentences(text: &str) -> Option<String> {
    let object = unfenced(text);
    if !object.starts_with('{') {
        return None;
    }
    let mut said = Vec::new();
    let mut json = serde_json::Deserializer::from_str(object);
    Strings { said: &mut said, is_said: false }.deserialize(&mut json).ok()?;
    json.end().ok()?;
    said.retain(|text| text.split_whitespace().nth(WORDS - 1).is_some());
    Some(said.join("\n\n"))
}

/// Collects the strings of a value: all of them, or those below a key of [`SAID`].
struct Strings<'s> {
    said: &'s mut Vec<String>,
    is_said: bool,
}

impl<'de> DeserializeSeed<'de> for Strings<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strings<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        if self.is_said {
            self.said.push(text.to_owned());
        }
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(Strings { said: self.said, is_said: self.is_said })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        while let Some(key) = fields.next_key::<String>()? {
            let is_said = self.is_said || SAID.contains(&&*key);
            fields.next_value_seed(Strings { said: self.said, is_said })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::sentences;

    #[test]
    fn thoughts_and_answers_of_an_object_are_sentences() {
        let answer = r#"{"thought":"The quay is wet.","action":{"name":"finish","args":{"answer":["The crane 4 stands still.",3,null]}}}"#;
        let said = Some("The quay is wet.\n\nThe crane 4 stands still.".to_owned());
        assert_eq!(sentences(answer), said);
        assert_eq!(sentences(&format!("```json\n{answer}\n```")), said);
        for data in [r#"{"a":1.5,"b":-1,"c":true}"#, r#"{"title":"The quay","body":"I painted the whole harbour."}"#] {
            assert_eq!(sentences(data).as_deref(), Some(""), "{data}");
        }
        for text in ["The quay is wet.", "{", r#"["The quay is wet."]"#, "```json", r#"{"answer":"It is wet."} so"#, ""]
        {
            assert_eq!(sentences(text), None, "{text}");
        }
    }
}
