//! Answers of training rows that stand beside the messages: nothing of them is edited, but a trainer reads them, too.

use super::json::{Json, Object};
use super::openai;
use crate::transcript::Transcript;
use std::borrow::Cow;

/// Columns that hold an answer, or a conversation that ends with one; of several a trainer sees one at a time.
const COLUMNS: [&str; 12] = [
    "messages",
    "prompt",
    "input",
    "completion",
    "chosen",
    "rejected",
    "preferred_output",
    "non_preferred_output",
    "chosen_messages",
    "rejected_messages",
    "response",
    "rejected_response",
];

/// The texts of each answer that stands beside the messages of a row; nothing where the messages hold the answer.
pub fn answers<'a>(transcript: &Transcript<'a>) -> Vec<Vec<Cow<'a, str>>> {
    let source = transcript.source;
    let text = std::str::from_utf8(source).ok().filter(|_| transcript.traits.answered_beside);
    let Some(row) = text.and_then(Object::parse) else { return Vec::new() };
    let read: Vec<&[u8]> = transcript.records.iter().filter_map(|record| source.get(record.span.clone())).collect();
    let columns = COLUMNS.iter().filter_map(|column| row.get(column));
    columns.map(|value| texts(source, value, &read)).filter(|texts| !texts.is_empty()).collect()
}

/// The texts of a column but for those of messages that were read, which conversations with other answers begin with, too.
fn texts<'a>(source: &'a [u8], value: Json<'a>, read: &[&[u8]]) -> Vec<Cow<'a, str>> {
    let turns = value.array().unwrap_or_else(|| vec![value]);
    let known = turns.iter().zip(read).take_while(|(turn, read)| turn.raw().as_bytes() == **read).count();
    let mut reader = openai::Reader::new(source);
    let mut texts = Vec::new();
    for turn in turns.into_iter().skip(known) {
        if reader.read(turn, 0).is_none() {
            texts.extend(turn.text().or_else(|| turn.object()?.text("value")));
        }
    }
    texts.extend(reader.finish().into_iter().flat_map(|message| message.parts).map(|part| part.text));
    texts
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::format::{ReadOptions, by_name};

    fn found(format: &str, row: &str) -> Vec<String> {
        let transcript = by_name(format).unwrap().read(row.as_bytes(), ReadOptions::default()).unwrap();
        answers(&transcript).into_iter().map(|texts| texts.join("|")).collect()
    }

    #[test]
    fn answers_in_other_columns_are_found_whatever_the_row_calls_them() {
        let (user, good) = (r#"{"role":"user","content":"u"}"#, r#"{"role":"assistant","content":"good"}"#);
        let bad = good.replace("good", "bad");
        assert_eq!(found("trl", &format!(r#"{{"prompt":[{user}],"completion":[{good}]}}"#)), ["good"]);
        assert_eq!(
            found("trl", &format!(r#"{{"chosen":[{user},{good}],"rejected":[{user},{bad}]}}"#)),
            ["good", "bad"]
        );
        let swift = format!(r#"{{"messages":[{user},{good}],"rejected_messages":[{user},{bad}]}}"#);
        assert_eq!(found("openai-chat", &swift), ["good", "bad"]);
        let shared = r#"{"conversations":[{"from":"human","value":"u"}],"chosen":{"from":"gpt","value":"good"},"rejected":{"from":"gpt","value":"bad"}}"#;
        assert_eq!(found("sharegpt", shared), ["good", "bad"]);
        assert_eq!(found("openai-chat", &format!(r#"{{"messages":[{user},{good}]}}"#)), [""; 0]);
    }
}
