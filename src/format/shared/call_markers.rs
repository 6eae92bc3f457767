//! Calls in a text behind the marker of a chat template, or that fill it. Before a result they are calls; in any other
//! text they may just be shown.

use super::call_text::{self, Call};
use super::json::Json;

/// What stands before the calls of a text: Glaive, Mistral, Llama 3, LFM2, Granite, and Gemma.
const MARKERS: [&str; 6] =
    ["<functioncall>", "[TOOL_CALLS]", "<|python_tag|>", "<|tool_call_start|>", "<|tool_call|>", "```tool_code\n"];
/// What may stand behind them: ends of calls, and of turns.
const ENDS: [&str; 11] = [
    "<|tool_call_end|>",
    "<|/tool_call|>",
    "</functioncall>",
    "```",
    "<|eom_id|>",
    "<|eot_id|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|im_end|>",
    "<end_of_turn>",
    "</s>",
];

/// Parses the calls that fill a text, or end it behind a marker. Returns the text before the marker and the calls.
pub(in crate::format) fn answered(text: &str) -> Option<(String, Vec<Call>)> {
    marked(text).or_else(|| Some((String::new(), spelled(without_ends(text))?)))
}

/// Parses the calls that end a text behind a marker, which may stand before each of them. Returns the text before it
/// and the calls.
pub(in crate::format) fn marked(text: &str) -> Option<(String, Vec<Call>)> {
    let text = without_ends(text);
    MARKERS.into_iter().find_map(|marker| {
        let (before, behind) = text.split_once(marker)?;
        let each = || behind.split(marker).map(|piece| of_piece(without_ends(piece))).collect::<Option<Vec<_>>>();
        let calls = of_piece(behind.trim()).or_else(|| each().map(|calls| calls.concat()))?;
        Some((before.trim_end().to_owned(), calls))
    })
}

/// Parses the calls that stand behind a marker.
fn of_piece(text: &str) -> Option<Vec<Call>> {
    spelled(text).or_else(|| quoted(text)).or_else(|| named(text)).or_else(|| coded(text))
}

fn without_ends(text: &str) -> &str {
    let mut text = text.trim();
    while let Some(rest) = ENDS.iter().find_map(|end| text.strip_suffix(end)) {
        text = rest.trim_end();
    }
    text
}

/// Calls in JSON, each with its arguments: an object may have a `name` for another reason.
fn spelled(text: &str) -> Option<Vec<Call>> {
    call_text::calls(text).filter(|calls| calls.iter().all(|(_, arguments)| !arguments.is_empty()))
}

/// A call of which the arguments are JSON in single quotes, so that the whole is none: `{"name":…,"arguments":'{…}'}`.
fn quoted(text: &str) -> Option<Vec<Call>> {
    let (head, tail) = text.strip_suffix('}')?.split_once("\"arguments\"")?;
    let inside = tail.trim().strip_prefix(':')?.trim_start().strip_prefix('\'')?.strip_suffix('\'')?;
    let head = format!("{}}}", head.trim_end().strip_suffix(',')?);
    let name = Json::parse(&head).ok()?.object()?.text("name")?.into_owned();
    let arguments = [inside.to_owned(), inside.replace("\\'", "'")];
    let is_object = |text: &String| Json::parse(text).is_ok_and(|value| value.object().is_some());
    Some(vec![(name, arguments.into_iter().find(is_object)?)])
}

/// A call as newer models of Mistral write it: `name[ARGS]{…}` or `name{…}`.
fn named(text: &str) -> Option<Vec<Call>> {
    let (name, arguments) = text.split_at(text.find('{')?);
    let name = name.strip_suffix("[ARGS]").unwrap_or(name).trim();
    let is_name = !name.is_empty() && name.chars().all(|char| char.is_alphanumeric() || "_-.".contains(char));
    Json::parse(arguments).ok()?.object().filter(|_| is_name)?;
    Some(vec![(name.to_owned(), arguments.to_owned())])
}

/// Calls in code: a list of them, or one on each line, which may print what comes of it.
fn coded(text: &str) -> Option<Vec<Call>> {
    let one = |code: &str| call_text::as_code(&format!("[{code}]"));
    let printed = |code: &str| one(code.trim().strip_prefix("print(")?.strip_suffix(')')?);
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let each = || lines().map(|line| printed(line).or_else(|| one(line))).collect::<Option<Vec<_>>>();
    let each = || each().map(|calls| calls.concat()).filter(|calls| !calls.is_empty());
    call_text::as_code(text).or_else(|| printed(text)).or_else(|| one(text)).or_else(each)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Option<String> {
        let (before, calls) = answered(text)?;
        let calls: Vec<_> = calls.into_iter().map(|(name, arguments)| format!("{name} {arguments}")).collect();
        Some(format!("{before}|{}", calls.join("; ")))
    }

    #[test]
    fn a_name_with_arguments_behind_a_marker_is_a_call() {
        let found = |text: &str, calls: &str| assert_eq!(told(text).as_deref(), Some(calls), "{text}");
        let tide = r#"{"name": "tide", "arguments": {"at": 9}}"#;
        let llama = r#"{"name": "tide", "parameters": {"at": 9}}"#;
        found(r#"<functioncall> {"name": "tide", "arguments": '{"at": 9}'} <|endoftext|>"#, r#"|tide {"at": 9}"#);
        found(
            r#"I look. <functioncall> {"name": "say", "arguments": '{"it": "ebb\'s"}'}"#,
            r#"I look.|say {"it": "ebb's"}"#,
        );
        found(&format!("[TOOL_CALLS] [{tide}, {tide}]</s>"), r#"|tide {"at": 9}; tide {"at": 9}"#);
        found(r#"[TOOL_CALLS]tide[ARGS]{"at": 9}"#, r#"|tide {"at": 9}"#);
        found(&format!("<|python_tag|>{llama}<|eom_id|>"), r#"|tide {"at": 9}"#);
        found(&format!("<|tool_call|>[{tide}]<|/tool_call|>"), r#"|tide {"at": 9}"#);
        found("<|tool_call_start|>[tide(at=9), wind()]<|tool_call_end|>", r#"|tide {"at":9}; wind {}"#);
        found("Look:\n```tool_code\nprint(tide(at=9))\nwind()\n```", r#"Look:|tide {"at":9}; wind {}"#);
        found("```tool_code\ntide(\n  at=9,\n)\n```", r#"|tide {"at":9}"#);
        found(
            r#"[TOOL_CALLS]tide[ARGS]{"at": 9}[TOOL_CALLS]say[ARGS]{"it": "ebb"}"#,
            r#"|tide {"at": 9}; say {"it": "ebb"}"#,
        );
        found(r#"[TOOL_CALLS]say[ARGS]{"it": "[TOOL_CALLS]"}"#, r#"|say {"it": "[TOOL_CALLS]"}"#);
        found(
            r#"I look. <functioncall> {"name": "tide", "arguments": '{"at": 9}'} <|endoftext|><functioncall> {"name": "wind", "arguments": '{}'}"#,
            r#"I look.|tide {"at": 9}; wind {}"#,
        );
        found(llama, r#"|tide {"at": 9}"#);
        found(tide, r#"|tide {"at": 9}"#);
    }

    #[test]
    fn what_is_no_name_with_arguments_is_text() {
        for text in [
            r#"{"name": "tide"}"#,
            "[tide(at=9)]",
            "<functioncall> soon",
            "<functioncall> {\"name\": \"tide\", \"arguments\": 'ebb'}",
            "[TOOL_CALLS] in Mistral's template opens {it}",
            "[TOOL_CALLS]tide[ARGS]{\"at\": 9}[TOOL_CALLS] and so on",
            "```tool_code\nat = tide(9)\n```",
            "<|python_tag|>",
        ] {
            assert_eq!(told(text), None, "{text}");
        }
    }
}
