//! Turns that were not read as messages, since their speaker or their form is unknown: those of training rows, and the
//! lines of a session that is left as it is for them. They are never edited, but are read by whoever reads the rest.

use super::shared::json::Json;
use super::shared::speakers::{turn, words};
use crate::reason::Reason;
use crate::transcript::{Class, Transcript};
use std::borrow::Cow;

/// The text of each turn that was not read, with the index of its record: what stands under a key for words, as JSON
/// unless it is a string. Records that a session stores besides its messages are no turns, so those of a session count
/// only if one of them has an unknown speaker.
pub fn unread<'a>(transcript: &Transcript<'a>) -> Vec<(usize, Cow<'a, str>)> {
    let traits = &transcript.traits;
    if !traits.training_row && traits.fixed != Some(Reason::UnknownSpeaker) {
        return Vec::new();
    }
    let unknown = transcript.records.iter().enumerate().filter(|(_, record)| record.class == Class::Opaque);
    let said = unknown.filter_map(|(index, record)| {
        let said = Json::at(transcript.source, &record.span)?.text();
        Some((index, said.or_else(|| words(&turn(transcript, record)?))?))
    });
    said.filter(|(_, text)| !text.is_empty()).collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::format::{ReadOptions, by_name};

    #[test]
    fn what_an_unknown_speaker_says_is_unread_and_notes_say_nothing() {
        let found = |format: &str, row: &str| {
            let transcript = by_name(format).unwrap().read(row.as_bytes(), ReadOptions::default()).unwrap();
            unread(&transcript).into_iter().map(|(at, text)| format!("{at} {text}")).collect::<Vec<_>>()
        };
        let turns = r#"{"from":"human","value":"u"},{"from":"table","value":"the ebb"},{"from":"gpt","value":"x"}"#;
        assert_eq!(found("sharegpt", &format!(r#"{{"conversations":[{turns}]}}"#)), ["1 the ebb"]);
        let turns = r#"{"role":"judge","content":[{"text":"ebb"}]},"the flood",{"note":1,"text":"ebb"},{"role":"user","content":"u"}"#;
        let chat = found("openai-chat", &format!(r#"{{"messages":[{turns}]}}"#));
        assert_eq!(chat, [r#"0 [{"text":"ebb"}]"#, "1 the flood"]);
        let turns = r#"{"content":"the ebb"},{"role":null,"content":"the flood"},{"role":"user","content":"u"}"#;
        let chat = found("openai-chat", &format!(r#"{{"messages":[{turns}]}}"#));
        assert_eq!(chat, ["0 the ebb", "1 the flood"], "nobody is named");
        let judge = r#"{"role":"judge","content":"the ebb"}"#;
        let session = format!("{judge}\n{}\n{}", r#"{"note":1,"text":"x"}"#, r#"{"role":"user","content":"u"}"#);
        assert_eq!(found("openai-messages", &session), ["0 the ebb"]);
        assert_eq!(found("openai-messages", r#"{"type":"event","message":"the ebb"}"#), [""; 0], "nobody speaks");
    }
}
