//! Rows whose answer stands beside the prompt: read as the conversation that prompt and answer make together.
//!
//! Of two answers the preferred one is taken; the other is counted as lost.

use super::Refusal;
use super::fields::{Fields, array, one_line, quoted};
use crate::format::json::{Json, Object};

/// A row in which the answer stands behind the prompt.
pub(super) struct Joined {
    /// The format that it has now.
    pub(super) format: &'static str,
    /// The row.
    pub(super) text: String,
    /// Answers that are not taken.
    pub(super) others: usize,
}

/// Columns with the answer, the preferred one first.
const ANSWERS: [&str; 5] = ["completion", "chosen", "preferred_output", "response", "chosen_messages"];
/// Columns with an answer that is not preferred.
const OTHERS: [&str; 4] = ["rejected", "non_preferred_output", "rejected_response", "rejected_messages"];

/// Joins a row of a format that keeps answers beside the prompt; `None` if it does not.
///
/// # Errors
/// The row holds plain texts in which messages can't be told apart.
pub(super) fn joined(format: &str, source: &[u8]) -> Result<Option<Joined>, Refusal> {
    let parsed =
        std::str::from_utf8(source).ok().and_then(|text| Json::parse(text.trim_start_matches('\u{feff}')).ok());
    let Some(fields) = parsed.and_then(Json::object) else { return Ok(None) };
    let found = ANSWERS.iter().find_map(|key| fields.get(key));
    let others = OTHERS.iter().filter(|key| fields.has(key)).count();
    let row = |format, text: Option<String>| Ok(text.map(|text| Joined { format, text, others }));
    match (format, found) {
        ("sharegpt", Some(answer)) => row("sharegpt", share_gpt(&fields, answer)),
        ("messages-variants", Some(messages)) => {
            let text = Fields::new().raw("messages", messages.raw());
            row("messages-variants", Some(with_tools(text, fields.get("tools")).done()))
        }
        ("openai-preference", Some(answer)) => {
            let input = fields.object("input").unwrap_or_default();
            row("openai-chat", chat(input.get("messages"), answer, input.get("tools")))
        }
        ("trl", _) => match found.and_then(|answer| trl(&fields, answer)) {
            Some(text) => row("openai-chat", Some(text)),
            None => Err(Refusal::FlatText),
        },
        _ => Ok(None),
    }
}

/// A prompt and its answer, or answers that hold the prompt; also in plain texts.
fn trl(fields: &Object<'_>, answer: Json<'_>) -> Option<String> {
    let tools = fields.get("tools");
    let said = |role: &str, text: Json<'_>| Fields::new().text("role", role).raw("content", text.raw()).done();
    let Some(prompt) = fields.get("prompt").or_else(|| fields.get("query")) else {
        let both = Json::array(answer).is_some();
        return both.then(|| with_tools(Fields::new().raw("messages", answer.raw()), tools).done());
    };
    if !prompt.is_string() {
        return chat(Some(prompt), answer, tools);
    }
    if let Some(answers) = answer.array() {
        let whole = answers.first().and_then(|first| first.object()?.text("role")).is_some_and(|role| role == "user");
        let asked = (!whole).then(|| said("user", prompt));
        let messages = asked.into_iter().chain(answers.into_iter().map(|message| message.raw().to_owned()));
        return Some(with_tools(Fields::new().raw("messages", &array(messages)), tools).done());
    }
    let mut messages: Vec<_> =
        fields.get("system").filter(|text| text.is_string()).map(|text| said("system", text)).into_iter().collect();
    for pair in fields.array("history").unwrap_or_default() {
        messages.extend(pair.array()?.into_iter().zip(["user", "assistant"]).map(|(text, role)| said(role, text)));
    }
    messages.extend([said("user", prompt), said("assistant", answer)]);
    answer.is_string().then(|| with_tools(Fields::new().raw("messages", &array(messages)), tools).done())
}

/// A row of messages: those of the prompt, then those of the answer.
fn chat(prompt: Option<Json<'_>>, answer: Json<'_>, tools: Option<Json<'_>>) -> Option<String> {
    let messages = prompt?.array()?.into_iter().chain(answer.array()?).map(|message| message.raw().to_owned());
    Some(with_tools(Fields::new().raw("messages", &array(messages)), tools).done())
}

fn share_gpt(fields: &Object<'_>, answer: Json<'_>) -> Option<String> {
    let answer = if answer.is_string() {
        Fields::new().text("from", "gpt").raw("value", answer.raw()).done()
    } else {
        answer.object()?.has("value").then(|| answer.raw().to_owned())?
    };
    let turns = fields.array("conversations")?.into_iter().map(|turn| turn.raw().to_owned()).chain([answer]);
    let system = fields.get("system").map(Json::raw);
    let row = Fields::new().raw("conversations", &array(turns)).raw_if("system", system);
    Some(with_tools(row, fields.get("tools")).done())
}

fn with_tools(row: Fields, tools: Option<Json<'_>>) -> Fields {
    let tools =
        tools.map(|tools| tools.text().map_or_else(|| one_line(tools.raw()).into_owned(), |text| quoted(&text)));
    row.raw_if("tools", tools.as_deref())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn text(format: &str, row: &str) -> String {
        joined(format, row.as_bytes()).unwrap().unwrap().text
    }

    #[test]
    fn the_answer_stands_behind_its_prompt() {
        let (prompt, good) = (r#"{"role":"user","content":"u"}"#, r#"{"role":"assistant","content":"a"}"#);
        let both = format!(r#"{{"messages":[{prompt},{good}]}}"#);
        assert_eq!(text("trl", &format!(r#"{{"prompt":[{prompt}],"completion":[{good}]}}"#)), both);
        assert_eq!(text("trl", &format!(r#"{{"chosen":[{prompt},{good}],"rejected":[]}}"#)), both);
        assert_eq!(text("trl", r#"{"prompt":"u","completion":"a"}"#), both);
        assert_eq!(text("trl", &format!(r#"{{"prompt":"u","chosen":[{prompt},{good}],"rejected":[]}}"#)), both);
        assert_eq!(text("trl", &format!(r#"{{"prompt":"u","chosen":[{good}],"rejected":[]}}"#)), both);
        let preference =
            format!(r#"{{"input":{{"messages":[{prompt}]}},"preferred_output":[{good}],"non_preferred_output":[]}}"#);
        assert_eq!(text("openai-preference", &preference), both);
        let ranking =
            r#"{"conversations":[{"from":"human","value":"u"}],"chosen":{"from":"gpt","value":"a"},"rejected":{}}"#;
        assert_eq!(
            text("sharegpt", ranking),
            r#"{"conversations":[{"from":"human","value":"u"},{"from":"gpt","value":"a"}]}"#
        );
    }

    #[test]
    fn what_has_no_such_columns_stays() {
        assert!(joined("openai-chat", br#"{"messages":[],"chosen":1}"#).unwrap().is_none());
        assert!(joined("sharegpt", br#"{"conversations":[]}"#).unwrap().is_none());
        assert_eq!(joined("trl", br#"{"text":"x"}"#).err(), Some(Refusal::FlatText));
    }
}
