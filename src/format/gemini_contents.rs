//! The format `gemini-contents`: contents of Gemini's API as callers store them. In the `contents` of a request with
//! `systemInstruction` beside them (also Vertex's tuning rows), as a bare array, or one per line.
//!
//! A content is a role and parts, read by `gemini_parts`, in the spelling of the API or of its Python library
//! (`function_call`). Calls and responses have ids, or are matched by name and order. Roles alternate, and the
//! response of a function is in the very next content; signed `thought` parts are never edited.

use super::anthropic_messages::{faults, order};
use super::detect::Evidence;
use super::shared::gemini_parts::{Reader, replacement};
use super::shared::held::Holder;
use super::shared::json::{Json, Object, quoted};
use super::shared::new::New;
use super::shared::{session_lines, speakers, synthetic};
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{Author, EditScript, Message, Patch, Role, Traits, Transcript, stored_id};

/// The `gemini-contents` format.
pub(super) struct GeminiContents;

/// How its contents are stored.
const CONTENTS: Holder =
    Holder { keys: &["contents", "messages"], system: instruction, is_message, is_request, columns: true };

/// Kinds of parts, in both spellings.
const PARTS: [&str; 13] = [
    "text",
    "inlineData",
    "inline_data",
    "fileData",
    "file_data",
    "functionCall",
    "function_call",
    "functionResponse",
    "function_response",
    "executableCode",
    "executable_code",
    "codeExecutionResult",
    "code_execution_result",
];

/// Roles of contents; `function` and `tool` are used by older clients.
const ROLES: [&str; 4] = ["user", "model", "function", "tool"];

impl Format for GeminiContents {
    fn name(&self) -> &'static str {
        "gemini-contents"
    }

    fn layout(&self) -> Layout {
        Layout::PerLine
    }

    fn layout_of(&self, sample: &Sample<'_>) -> Layout {
        CONTENTS.layout(sample)
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let found = CONTENTS.are_messages(sample) || sample.most_rows(is_request);
        found.then(|| Evidence::certain("contents of Gemini's API: `role` and `parts` without a `type`"))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        let traits = Traits { user_summary: true, ..Traits::default() };
        let mut reader = Reader::new(source);
        let mut transcript = CONTENTS.read(source, (options, traits), &mut |is_system, value| match is_system {
            true => system(value, &mut reader),
            false => message(value, &mut reader),
        })?;
        session_lines::name_tools(&mut transcript.messages);
        synthetic::classify(&mut transcript.messages, &[]);
        transcript.traits.alternates = faults::alternates(&transcript.messages);
        transcript.traits.asks = transcript.traits.alternates;
        transcript.traits.answered_beside = is_prompt(&transcript);
        Ok(transcript)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        let new = inserted(transcript, script);
        CONTENTS.places(transcript).render(transcript, script, (new, "parts", &replacement))
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        let mut faults = faults::pairing_of_runs(&transcript.messages, transcript);
        // Rules that only Anthropic's contents must meet.
        faults.retain(|fault| !["results_not_first", "ends_in_thinking", "empty_content"].contains(&fault.rule));
        faults.extend(faults::order(transcript));
        faults.extend(speakers::unknown_in(transcript, "role"));
        faults.iter_mut().for_each(name_by_function);
        faults.sort();
        faults
    }
}

/// Names a call without an id by its function in a fault: its synthesized number changes when other calls are dropped.
fn name_by_function(fault: &mut Fault) {
    if stored_id(&fault.subject).is_none()
        && let Some((name, _)) = fault.subject.strip_prefix('#').and_then(|rest| rest.rsplit_once(' '))
    {
        fault.subject = name.to_owned();
    }
}

/// The system prompt of a request; the Python library puts it in `config`.
fn instruction<'a>(fields: &Object<'a>) -> Option<Json<'a>> {
    let of = |fields: &Object<'a>| fields.get("systemInstruction").or_else(|| fields.get("system_instruction"));
    let value = of(fields).or_else(|| of(&fields.object("config")?));
    value.filter(|value| !value.is_null())
}

/// Whether the answers to a row's contents are in its `completions`, as in rows of preferences of Vertex.
fn is_prompt(transcript: &Transcript<'_>) -> bool {
    let asks = transcript.messages.last().is_some_and(|last| last.role != Role::Assistant);
    let row = || std::str::from_utf8(transcript.source).ok().and_then(Object::parse);
    asks && transcript.traits.training_row && row().is_some_and(|row| row.array("completions").is_some())
}

/// Whether an object by itself is a content.
fn is_message(record: &Object<'_>) -> bool {
    record.text("role").is_some_and(|role| ROLES.contains(&&*role)) && has_parts(record)
}

/// Whether the first part of an object is of Gemini's kind, without a `type`.
fn has_parts(record: &Object<'_>) -> bool {
    let parts = record.array("parts").unwrap_or_default();
    let is_part = |part: Object<'_>| !part.has("type") && PARTS.iter().any(|key| part.has(key));
    parts.into_iter().next().and_then(Json::object).is_some_and(is_part)
}

/// Whether an object is a request with contents; the first needs no role.
fn is_request(row: &Object<'_>) -> bool {
    let first = |key: &str| row.array(key).and_then(|contents| contents.into_iter().next()?.object());
    first("contents").is_some_and(|content| has_parts(&content))
        || first("messages").is_some_and(|content| is_message(&content))
}

fn system<'a>(value: Json<'a>, reader: &mut Reader<'a>) -> Option<Message<'a>> {
    let content = value.object().and_then(|fields| fields.get("parts")).unwrap_or(value);
    let parts = reader.content(content);
    let message = Message { role: Role::System, author: Author::System, parts, ..Message::default() };
    (!message.parts.is_empty()).then_some(message)
}

fn message<'a>(value: Json<'a>, reader: &mut Reader<'a>) -> Option<Message<'a>> {
    let fields = value.object()?;
    // A model that stopped before its first word leaves only its role.
    let parts = fields.get("parts");
    if parts.is_none() && (!fields.has("role") || speakers::words(&fields).is_some()) {
        return None;
    }
    let role = match &*fields.text("role").unwrap_or("user".into()) {
        "model" | "assistant" => Role::Assistant,
        "user" | "function" | "tool" => Role::User,
        _ => return None,
    };
    let parts = parts.map(|parts| reader.content(parts)).unwrap_or_default();
    let author = if role == Role::Assistant { Author::Model } else { synthetic::user_author(&parts) };
    Some(Message { role, author, parts, ..Message::default() })
}

/// The contents that a script adds.
fn inserted(transcript: &Transcript<'_>, script: &EditScript) -> Vec<New> {
    order::messages(transcript, script, &|role, text, _| {
        let role = if role == "assistant" { "model" } else { role };
        format!(r#"{{"role":"{role}","parts":[{{"text":{}}}]}}"#, quoted(text))
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::tests::support::{
        all_ways, authors, continuation, detected, edited, faults, read, stub_results, summary,
    };
    use super::*;
    use crate::reason::Reason;
    use crate::transcript::SummaryRole;

    const FORMAT: GeminiContents = GeminiContents;
    const REQUESTS: [&str; 2] = [
        r#"{"systemInstruction":{"parts":[{"text":"be"}]},"contents":MESSAGES}"#,
        r#"{"contents":MESSAGES,"config":{"system_instruction":"be"}}"#,
    ];
    const AGENT: &str = include_str!("../../samples/gemini-contents/weir-agent.json");
    const PYTHON: &str = include_str!("../../samples/gemini-contents/weir-python-names.json");
    const ROWS: &str = include_str!("../../samples/gemini-contents/vertex-tuning-rows.jsonl");
    const LINES: &str = include_str!("../../samples/gemini-contents/quarry-one-a-line.jsonl");

    const ASKED: &str = r#"{"role":"user","parts":[{"text":"old"}]}"#;
    const CALL: &str =
        r#"{"role":"model","parts":[{"functionCall":{"name":"f","args":{"p": 1}},"thoughtSignature":"s"}]}"#;
    const RESPONSE: &str =
        r#"{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"long"}}}]}"#;
    const ANSWER: &str = r#"{"role":"model","parts":[{"text":"x"}]}"#;

    #[test]
    fn contents_are_read_however_they_are_stored() {
        for source in [AGENT, PYTHON, LINES].into_iter().chain(ROWS.lines()) {
            assert_eq!(detected(source), Ok("gemini-contents"));
            assert_eq!(edited(&FORMAT, source, |_, _| {}), source);
            let transcript = read(&FORMAT, source);
            assert_eq!((faults(&FORMAT, source), crate::check::faults(&transcript)), (vec![], vec![]));
            assert!(transcript.traits.alternates);
            assert!(transcript.messages.iter().any(|message| message.results().next().is_some()));
        }
        use Author::{Model, Person, System, Tool};
        for source in all_ways(&[ASKED, CALL, RESPONSE, ANSWER], &REQUESTS) {
            let transcript = read(&FORMAT, &source);
            let system = authors(&transcript).into_iter().filter(|author| *author == System).count();
            assert_eq!(authors(&transcript)[system..], [Person, Model, Tool, Model]);
            assert_eq!(
                (system == 1, transcript.traits.training_row),
                (source.starts_with('{') && source.contains("contents"), source.contains("contents"))
            );
        }
    }

    #[test]
    fn calls_without_ids_are_told_by_name_and_order() {
        let pair = [CALL, RESPONSE, CALL, RESPONSE].map(str::to_owned).join(",");
        let source = format!("[{ASKED},{pair},{ANSWER}]");
        let transcript = read(&FORMAT, &source);
        let ids: Vec<_> = transcript.messages.iter().flat_map(|message| message.results()).collect();
        assert_eq!(ids, ["#f 1", "#f 2"]);
        assert_eq!(crate::check::faults(&transcript), []);
        let open = format!("[{ASKED},{CALL},{ASKED}]");
        assert_eq!(faults(&FORMAT, &open), [("unanswered_call", "f".to_owned())]);
        let twice = format!("[{ANSWER},{ANSWER}]");
        assert_eq!(faults(&FORMAT, &twice), [("first_not_user", String::new()), ("same_role_twice", String::new())]);
    }

    #[test]
    fn the_head_becomes_a_content_and_a_response_stays_an_object() {
        let wrapped = r"<prior-conversation-summary>\nit\n</prior-conversation-summary>";
        for source in all_ways(&[ASKED, CALL, RESPONSE, ANSWER], &REQUESTS) {
            let first = read(&FORMAT, &source).messages.iter().position(|it| it.author == Author::Person).unwrap();
            let out = edited(&FORMAT, &source, |transcript, script| {
                script.keep[first] = false;
                script.inserts = vec![summary(first + 1, SummaryRole::Auto, "it"), continuation(first + 4)];
                stub_results(transcript, script);
            });
            let head = ASKED.replace("old", wrapped);
            let stubbed = RESPONSE.replace("long", "<stub />");
            assert!(out.contains(&head) && out.contains(&stubbed) && out.contains(CALL), "{out}");
            assert!(out.contains(&ASKED.replace("old", "continue")), "{out}");
            assert_eq!((faults(&FORMAT, &out), detected(&out)), (vec![], Ok("gemini-contents")));
        }
        let out = edited(&FORMAT, &format!("[{ASKED},{ANSWER}]"), |_, script| {
            script.inserts = vec![summary(0, SummaryRole::Auto, "it")];
        });
        assert!(out.contains(r#"{"role":"model","parts":[{"text":"<prior"#), "before a user's it answers: {out}");
        assert_eq!(faults(&FORMAT, &out), []);
    }

    #[test]
    fn parts_in_the_spelling_of_python_are_the_same() {
        let python = |source: &str| {
            let pairs = [("functionCall", "function_call"), ("functionResponse", "function_response")];
            pairs.iter().fold(source.to_owned(), |source, (from, to)| source.replace(from, to))
        };
        let source = format!("[{ASKED},{},{},{ANSWER}]", python(CALL), python(RESPONSE));
        let transcript = read(&FORMAT, &source);
        let kinds: Vec<_> = transcript.messages.iter().map(|message| message.parts[0].kind.name()).collect();
        assert_eq!(kinds, ["text", "tool_call", "tool_result", "text"]);
        assert!(read(&FORMAT, PYTHON).messages.iter().any(Message::has_media));
    }

    #[test]
    fn a_column_of_a_row_goes_along_with_its_contents() {
        let source = format!(r#"{{"contents":[{ASKED},{ANSWER},{ASKED},{ANSWER}],"weights":[0,1,0,1]}}"#);
        let out = edited(&FORMAT, &source, |_, script| {
            script.keep[..2].fill(false);
            script.inserts = vec![summary(2, SummaryRole::Auto, "it")];
        });
        assert!(out.ends_with(r#""weights":[0,0,0,1]}"#), "{out}");
    }

    #[test]
    fn a_content_without_parts_goes_with_the_head() {
        let source = |odd: &str| format!(r#"{{"contents":[{ASKED},{odd},{ASKED},{ANSWER}]}}"#);
        let count = |odd: &str| read(&FORMAT, &source(odd)).messages.len();
        assert_eq!([r#"{"role":"model"}"#, r#"{"role":"model","content":"x"}"#, r#"{"note":1}"#].map(count), [4, 3, 3]);
        let out = edited(&FORMAT, &source(r#"{"role":"model"}"#), |_, script| script.keep[..3].fill(false));
        assert_eq!(out, format!(r#"{{"contents":[{ANSWER}]}}"#));
    }

    #[test]
    fn a_row_that_holds_its_conversation_twice_stays() {
        let fixed = |beside: &str| read(&FORMAT, &format!(r#"{{"contents":[{ASKED},{ANSWER}]{beside}}}"#)).traits.fixed;
        assert_eq!(fixed(&format!(r#","history":[{ASKED},{ANSWER}]"#)), Some(Reason::ConversationTwice));
        assert_eq!(
            fixed(r#","messages":[{"role":"user","content":"old"},{"role":"assistant","content":"x"}]"#),
            Some(Reason::ConversationTwice)
        );
        let scored = format!(r#","completions":[{{"score":1,"completion":{ANSWER}}}]"#);
        assert_eq!([fixed(""), fixed(&scored)], [None, None]);
    }

    #[test]
    fn parts_of_others_are_theirs() {
        let screen = r#"{"id":"1","role":"user","parts":[{"type":"text","text":"u"}]}"#;
        assert_eq!(detected(&format!("[{screen}]")), Ok("ai-sdk-ui"));
        let span = r#"[{"role":"user","parts":[{"type":"text","content":"u"}]}]"#;
        assert_eq!(detected(span), Ok("otel-genai"));
        assert_eq!(detected(&format!(r#"{{"messages":[{ASKED}]}}"#)), Ok("gemini-contents"));
        assert!(detected(r#"{"contents":[{"text":"u"}]}"#).is_err());
    }
}
