//! The sentences of an agent that answers with JSON objects.

use crate::transcript::unfenced;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::fmt;

/// Fewest words of a string that may be a sentence.
const WORDS: usize = 3;
/// Keys of what the agent thinks or answers; other fields hold data.
const SAID: [&str; 19] = [
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
    "previous_goal_eval",
    "rationale",
    "reasoning",
    "reflection",
    "reply",
    "response",
    "thinking",
    "thought",
    "thoughts",
];

/// Keys of what the agent says to its reader.
const REPLIES: [&str; 5] = ["answer", "final_answer", "message", "reply", "response"];

/// Keys of what an agent notes in the arguments of a call beside its action (browser-use).
const NOTED: [&str; 3] = ["evaluation_previous_goal", "memory", "next_goal"];

/// Keys of the text in an object that is only its envelope, and of what may stand beside it there.
const TEXTS: [&str; 2] = ["content", "text"];
const BESIDE: [&str; 9] = ["done", "format", "id", "kind", "lang", "language", "name", "role", "type"];
/// Keys of an action and of what it passes, and the actions by which an agent speaks.
const ACTIONS: [&str; 3] = ["action", "name", "tool"];
const PASSED: [&str; 4] = ["action_input", "args", "arguments", "parameters"];
const SPEAKS: [&str; 8] =
    ["answer", "final_answer", "message", "reply", "respond", "say", "send_message", "send_message_to_user"];

/// What the agent notes in the arguments of a call, a paragraph each; `None` if it notes no aim there.
pub(in crate::summary::extractive) fn notes(arguments: &str) -> Option<String> {
    arguments.contains("\"next_goal\"").then(|| said(arguments, &NOTED)).flatten().filter(|notes| !notes.is_empty())
}

/// What the agent says in a text that is one object, a paragraph each, in its order; `None` for other texts.
pub(in crate::summary::extractive) fn sentences(text: &str) -> Option<String> {
    enveloped(text).or_else(|| said(unfenced(text), &SAID).map(|said| behind_verdict(unfenced(text), said)))
}

/// What a text that is one object says to its reader: its envelope's text, else its replies; `None` if it has neither.
pub(in crate::summary::extractive) fn reply(text: &str) -> Option<String> {
    enveloped(text).or_else(|| said(unfenced(text), &REPLIES).filter(|said| !said.is_empty()))
}

/// Fields with the word that an answer comes to, and most letters of it: `{"outcome":"deny","rationale":"…"}`.
const VERDICTS: [&str; 3] = ["decision", "outcome", "verdict"];
const WORD: usize = 16;

/// What the agent says, behind the verdict of its object, if that has one.
fn behind_verdict(object: &str, said: String) -> String {
    let may_have = !said.is_empty() && VERDICTS.iter().any(|key| object.contains(&format!("\"{key}\"")));
    let object: Option<Value> = may_have.then(|| serde_json::from_str(object).ok()).flatten();
    let is_word = |word: &&str| {
        !word.is_empty() && word.len() <= WORD && word.chars().all(|char| char.is_alphabetic() || char == '_')
    };
    let verdict = object.as_ref().and_then(|object| VERDICTS.iter().find_map(|key| object.get(key)?.as_str()));
    match verdict.filter(is_word) {
        Some(verdict) => format!("{verdict}: {said}"),
        None => said,
    }
}

/// The text in an object that is only its envelope: `{"type":"message","content":"…"}`, or an action that says it:
/// `{"action":"respond","arguments":{"content":"…"}}`.
fn enveloped(text: &str) -> Option<String> {
    let object = unfenced(text);
    let holds = object.starts_with('{') && TEXTS.iter().any(|key| object.contains(&format!("\"{key}\"")));
    inside(&holds.then(|| serde_json::from_str(object).ok()).flatten()?)
}

fn inside(object: &Value) -> Option<String> {
    let fields = object.as_object()?;
    let is = |value: &Value, words: &[&str]| value.as_str().is_some_and(|text| words.contains(&text));
    let own = |keys: &[&str]| keys.iter().find_map(|key| fields.get(*key));
    if let Some(passed) = own(&PASSED).filter(|_| own(&ACTIONS).is_some_and(|action| is(action, &SPEAKS))) {
        return own(&TEXTS).is_none().then(|| inside(passed)).flatten();
    }
    let (key, text) = TEXTS.iter().find_map(|key| Some((*key, fields.get(*key)?.as_str()?)))?;
    let is_around = |(name, value): (&String, &Value)| {
        name == key || BESIDE.contains(&&**name) && value.as_str().is_none_or(|text| !text.contains(' '))
    };
    // A lone text may be what was asked for: a translation, a title.
    let is_envelope = fields.iter().all(is_around) && (key != "text" || fields.len() > 1);
    (is_envelope && !text.trim().is_empty()).then(|| text.to_owned())
}

/// The sentences below these keys of an object.
fn said(object: &str, keys: &'static [&'static str]) -> Option<String> {
    if !object.starts_with('{') {
        return None;
    }
    let mut said = Vec::new();
    let mut json = serde_json::Deserializer::from_str(object);
    Strings { said: &mut said, keys, is_said: false }.deserialize(&mut json).ok()?;
    json.end().ok()?;
    said.retain(|text| text.split_whitespace().nth(WORDS - 1).is_some());
    Some(said.join("\n\n"))
}

/// Collects the strings of a value: all of them, or those below one of the keys.
struct Strings<'s> {
    said: &'s mut Vec<String>,
    keys: &'static [&'static str],
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
        while items.next_element_seed(Strings { said: self.said, ..self })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        while let Some(key) = fields.next_key::<String>()? {
            let is_said = self.is_said || self.keys.contains(&&*key);
            fields.next_value_seed(Strings { said: self.said, is_said, ..self })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{notes, reply, sentences};

    #[test]
    fn what_an_agent_notes_beside_an_action_is_a_sentence() {
        let call = r#"{"current_state":{"memory":"The quay has no berth.","next_goal":"Ask for another quay."},"action":[{"memory of":{"text":"Never mind the quay."}}]}"#;
        assert_eq!(notes(call).as_deref(), Some("The quay has no berth.\n\nAsk for another quay."));
        assert_eq!(notes(r#"{"memory":"The quay has no berth."}"#), None);
        assert_eq!(notes(r#"{"next_goal":""}"#), None);
    }

    #[test]
    fn an_envelope_holds_what_is_said() {
        let told = "The ferry was cancelled on June 3. Take the next one.";
        for envelope in [
            "{\"content\":T}",
            "{\"type\":\"message\",\"content\":T}",
            "{\"type\":\"reply\",\"text\":T}",
            "{\"role\":\"assistant\",\"content\":T}",
            "{\"action\":\"respond\",\"arguments\":{\"content\":T}}",
            "```json\n{\"content\":T}\n```",
        ] {
            let text = envelope.replace('T', &format!("\"{told}\""));
            assert_eq!(sentences(&text).as_deref(), Some(told), "{text}");
        }
        for data in [
            r#"{"title":"The quay","content":"I painted the whole harbour."}"#,
            r#"{"text":"I painted the whole harbour."}"#,
            r#"{"path":"quay.md","text":"I painted the whole harbour."}"#,
            r#"{"action":"write_file","arguments":{"content":"I painted the whole harbour."}}"#,
        ] {
            assert_eq!(sentences(data).as_deref(), Some(""), "{data}");
        }
    }

    #[test]
    fn a_reply_is_told_from_a_thought() {
        assert_eq!(reply(r#"{"message":"Shall I moor it?"}"#).as_deref(), Some("Shall I moor it?"));
        assert_eq!(
            reply(r#"{"thought":"It is wet.","reply":"Shall I moor it?"}"#).as_deref(),
            Some("Shall I moor it?")
        );
        assert_eq!(reply(r#"{"content":"Shall I moor it?"}"#).as_deref(), Some("Shall I moor it?"));
        assert_eq!(reply(r#"{"thought":"Shall I moor it?"}"#), None);
        assert_eq!(reply("Shall I moor it?"), None);
    }

    #[test]
    fn a_verdict_stands_before_its_reason() {
        let told = |object: &str| sentences(object).unwrap_or_default();
        let denied = r#"{"risk":"high","outcome":"deny","rationale":"The crew never asked for it."}"#;
        assert_eq!(told(denied), "deny: The crew never asked for it.");
        let long = r#"{"outcome":"the quay is dry","rationale":"The crew never asked for it."}"#;
        assert_eq!(told(long), "The crew never asked for it.");
        assert_eq!(told(r#"{"outcome":"deny","title":"The quay is wet."}"#), "");
    }

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
