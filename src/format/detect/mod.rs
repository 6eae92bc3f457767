//! Detects the format of a file by its content only (FORMATS §17).
//!
//! File names say nothing and the first line alone says little, so the keys of the first records decide. A file that
//! no format claims is refused: a wrong guess would cost more than a question.

mod binary;
mod later;
mod outnumbered;
pub(super) mod sample;
mod torn;
pub(super) mod unsupported;
mod values;

use crate::reason::{FOUND_OBJECTS, MAKE};
pub use sample::Sample;
pub use unsupported::hint;

use super::shared::json::{Json, Object};
use super::shared::lines;
use super::{FORMATS, Format, Layout, by_name, opencode};
use binary::{is_binary, is_tar};
use sample::beginning;
use std::borrow::Cow;
use thiserror::Error;
use unsupported::{Known, OTHER_SHAPES, OWN_KEYS};

/// How certain a detection is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// Two formats would fit; the more common one is assumed.
    Assumed,
    /// Keys of the format were found.
    Certain,
}

/// Maximum number of characters of a key in an error message.
const LONGEST_KEY: usize = 24;
/// Maximum number of lines of a file of unknown format that are tried one by one.
const LINES: usize = 40;

/// The evidence that a file is of a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// How certain the format is.
    pub confidence: Confidence,
    /// The keys that were found, as a sentence fragment.
    pub why: String,
}

impl Evidence {
    /// Evidence without doubt.
    pub fn certain(why: impl Into<String>) -> Self {
        Self { confidence: Confidence::Certain, why: why.into() }
    }
}

/// Which bytes of a file are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bytes {
    /// All.
    Whole,
    /// Its beginning; more may follow.
    Beginning,
}

impl Bytes {
    /// Whether they are all.
    pub fn is_whole(self) -> bool {
        self == Self::Whole
    }
}

/// The result of detection.
#[derive(Clone)]
pub struct Detected {
    /// The stable name, also for a format that is not supported yet.
    pub name: &'static str,
    /// The format, if it is supported.
    pub format: Option<&'static dyn Format>,
    /// How transcripts are arranged in the file.
    pub layout: Layout,
    /// Why this format was chosen.
    pub evidence: Evidence,
}

impl Detected {
    /// The result for a format given by `--from`; only the layout is detected.
    pub fn stated(format: &'static dyn Format, bytes: &[u8], given: Bytes) -> Self {
        let evidence = Evidence::certain("stated with --from");
        Self { name: format.name(), format: Some(format), layout: layout(format, bytes, given), evidence }
    }
}

/// No format was detected.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("no known transcript format: {found}")]
pub struct Undetected {
    /// What the file holds instead, and what to make of it, as a sentence fragment.
    found: String,
}

impl Undetected {
    pub(crate) fn new(found: impl Into<String>) -> Self {
        Self { found: found.into() }
    }
}

/// Returns the stated format if there is one and the bytes are text, else the one that [`detect`] finds.
///
/// # Errors
/// The same as [`detect`].
pub fn stated_or_detected(
    stated: Option<&'static dyn Format>,
    bytes: &[u8],
    given: Bytes,
) -> Result<Detected, Undetected> {
    let stated = stated.filter(|_| is_text(bytes));
    stated.map_or_else(|| detect_given(bytes, given), |format| Ok(Detected::stated(format, bytes, given)))
}

/// Whether a file can hold transcripts directly: it is not an archive, not compressed, and not binary.
fn is_text(bytes: &[u8]) -> bool {
    container(bytes).is_none() && !is_binary(bytes)
}

/// Detects the format of a file from all of its bytes.
///
/// # Errors
/// The same as [`detect_given`].
pub fn detect(bytes: &[u8]) -> Result<Detected, Undetected> {
    detect_given(bytes, Bytes::Whole)
}

/// Detects the format of a file from its bytes, or from their beginning. A truncated or damaged document is detected by
/// its intact beginning; reading it then reports where the damage is.
///
/// # Errors
/// No format fits; the error says what was found instead.
pub fn detect_given(bytes: &[u8], given: Bytes) -> Result<Detected, Undetected> {
    if let Some(detected) = container(bytes) {
        return Ok(detected);
    }
    if is_binary(bytes) {
        return Err(refusal(bytes, &Sample::default()));
    }
    if let Some(detected) = printed(bytes, given) {
        return Ok(detected);
    }
    let found = detect_in(bytes, given).or_else(|refusal| outnumbered::detected(bytes).ok_or(refusal));
    let sound = found.is_err().then(|| sample::sound(bytes)).flatten().filter(|_| given.is_whole());
    let damaged = sound.and_then(|(sound, given)| detect_in(sound, given).ok());
    damaged.map_or(found, Ok).or_else(|refusal| torn::detected(bytes, given).ok_or(refusal))
}

/// The format of an export behind the line that its harness printed before it.
fn printed(bytes: &[u8], given: Bytes) -> Option<Detected> {
    let found = detect_given(opencode::behind_banner(bytes)?, given).ok()?;
    let why = format!("{}, behind a line of its export", found.evidence.why);
    let read = found.name == opencode::NAME;
    read.then_some(Detected { evidence: Evidence { why, ..found.evidence }, ..found })
}

fn detect_in(bytes: &[u8], given: Bytes) -> Result<Detected, Undetected> {
    let text = beginning(bytes, given);
    // What was completed is a document of which only the beginning is known.
    let (sample, cut) = (Sample::new(&text), !given.is_whole() && matches!(text, Cow::Owned(_)));
    let supported = FORMATS.iter().copied().filter_map(|format| {
        let evidence = format.evidence(&sample)?;
        Some(Detected { name: format.name(), format: Some(format), layout: format.layout_of(&sample), evidence })
    });
    let own_keys = OWN_KEYS.iter().filter_map(|known| unsupported(known, &sample));
    let shapes = OTHER_SHAPES.iter().filter_map(|known| unsupported(known, &sample));
    let found = own_keys.chain(supported).chain(values::detected(&sample, cut)).chain(shapes).next();
    found.map(|found| later::decided(found, &sample, bytes)).ok_or_else(|| refusal(bytes, &sample))
}

/// Returns the layout of a file of a known format, from its bytes or their beginning.
pub fn layout(format: &dyn Format, bytes: &[u8], given: Bytes) -> Layout {
    let text = beginning(bytes, given);
    let (sample, cut) = (Sample::new(&text), !given.is_whole() && matches!(text, Cow::Owned(_)));
    values::layout(format, &sample, cut).unwrap_or_else(|| format.layout_of(&sample))
}

fn unsupported(known: &Known, sample: &Sample<'_>) -> Option<Detected> {
    (known.is)(sample).then(|| named(known.name, known.why))
}

fn named(name: &'static str, why: &str) -> Detected {
    let evidence = Evidence::certain(why);
    Detected { name, format: None, layout: Layout::Session, evidence }
}

/// Containers (archives, compressed or columnar files), and text that is no JSON, recognized by their first bytes.
fn container(bytes: &[u8]) -> Option<Detected> {
    if bytes.starts_with(b"PK\x03\x04") {
        return Some(named("zip", "a ZIP archive"));
    }
    match bytes {
        _ if is_tar(bytes) => Some(named("tar", "a tar archive")),
        _ if bytes.trim_ascii_start().starts_with(b"# aider chat started at ") => {
            Some(named("aider-history", "a history of chats with Aider in Markdown"))
        }
        [0x1f, 0x8b, ..] => Some(named("gzip", "gzip compressed")),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(named("zstd", "zstd compressed")),
        [b'P', b'A', b'R', b'1', ..] if !begins_with_words(bytes) => Some(named("parquet", "a Parquet file: `PAR1`")),
        [b'A', b'R', b'R', b'O', b'W', b'1', 0, 0, ..] => Some(named("arrow", "an Arrow file: `ARROW1`")),
        // An Arrow IPC stream, as `save_to_disk` of `datasets` writes it: a continuation marker and a schema's length.
        [0xff, 0xff, 0xff, 0xff, eighth, _, _, 0, ..] if eighth % 8 == 0 => Some(named("arrow", "a stream of Arrow")),
        _ => None,
    }
}

/// Whether the first line has no control characters besides tab and CR: `PAR1` at its start is then just text.
fn begins_with_words(bytes: &[u8]) -> bool {
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    !line.iter().any(|byte| *byte < b' ' && !matches!(byte, b'\t' | b'\r'))
}

/// The error for a file without transcripts: what it holds instead.
fn refusal(bytes: &[u8], sample: &Sample<'_>) -> Undetected {
    let element = sample.elements.as_ref().and_then(|elements| elements.first());
    let found = match sample.records.first().or(sample.fields.as_ref()).or(element) {
        _ if lines::lines(bytes).next().is_none() => "it is empty".to_owned(),
        _ if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") => {
            format!("it is UTF-16{MAKE}UTF-8 of it")
        }
        Some(record) => {
            let more = lists(record).unwrap_or_else(|| elsewhere(record) + &among(bytes));
            format!("{FOUND_OBJECTS} with {}{more}", keys(record))
        }
        None if sample.elements.is_some() => "found an array of something else".to_owned(),
        None if memchr::memchr(0, bytes).is_some() => "it is binary".to_owned(),
        None if opens_alone(bytes) => {
            format!("found JSON over several lines, and more than one object{MAKE}one line of each with `jq -c .`")
        }
        None if lines::lines(bytes).any(|line| holds_several(&bytes[line.span])) => {
            format!("found several JSON objects in one line{MAKE}one line of each with `jq -c .`")
        }
        None if lines::lines(bytes).all(|line| bytes[line.span].trim_ascii_start().starts_with(b"[{")) => {
            format!("found an array in each line{MAKE}rows of them with `jq -c '{{messages: .}}'`")
        }
        None => "found no JSON objects".to_owned(),
    };
    Undetected::new(found)
}

/// Whether one object that is spread over lines follows another one.
fn opens_alone(bytes: &[u8]) -> bool {
    let lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    let mut before = None;
    for line in lines {
        match before {
            None if line != b"{" => return false,
            Some(before) if before == b"}" && line == b"{" => return true,
            _ => before = Some(line),
        }
    }
    false
}

/// Whether a line is JSON objects, one right behind the other.
fn holds_several(line: &[u8]) -> bool {
    let parts = std::str::from_utf8(line).ok().and_then(sample::value_and_rest);
    parts.is_some_and(|(first, rest)| Object::parse(first).is_some() && rest.starts_with('{'))
}

/// A hint for a refused file of several lines of which some are rows of a known format.
fn among(bytes: &[u8]) -> String {
    let several = lines::lines(bytes).nth(1).is_some();
    let known = several.then(|| row(bytes, LINES)).flatten().map(Format::name);
    known.map_or_else(String::new, |name| {
        format!(
            "; some of its lines are rows of {name}, which `--from {name}` reads, with an error for each other line"
        )
    })
}

/// The format of the first line that is a row by itself, among the first `most` lines.
fn row(bytes: &[u8], most: usize) -> Option<&'static dyn Format> {
    let mut lines = lines::lines(bytes).take(most).filter_map(|line| bytes.get(line.span));
    lines.find_map(|line| detect(line).ok().filter(|found| found.layout == Layout::PerLine)?.format)
}

/// A hint for a document of named lists of rows, as the splits of a data set are exported.
fn lists(record: &Object<'_>) -> Option<String> {
    let row_in = |list: Json<'_>| {
        let row = Sample::new(list.array()?.first()?.raw());
        let of_rows = |format: &&'static dyn Format| format.layout() != Layout::Session;
        FORMATS.iter().copied().filter(of_rows).find(|format| format.evidence(&row).is_some())
    };
    let (key, format) = record.fields().iter().find_map(|(key, list)| Some((key, row_in(*list)?)))?;
    let (key, format) = (key.chars().take(LONGEST_KEY).collect::<String>(), format.name());
    Some(format!("; `{key}` is a list of rows of {format}{MAKE}a file of each such list with `jq -c '.[\"{key}\"][]'`"))
}

/// A hint for a record of unknown format whose messages are in a string or nested deeper.
fn elsewhere(record: &Object<'_>) -> String {
    let lists = ["messages", "trajectory", "conversations"];
    let is_list = |text: &str| text.trim_start().starts_with('[');
    if let Some(key) = lists.iter().find(|key| record.text(key).is_some_and(|text| is_list(&text))) {
        return format!("; `{key}` is a string, which has to be parsed first");
    }
    let outer = ["body", "params", "request", "inputs", "input"];
    let all = outer.iter().flat_map(|outer| lists.iter().map(move |key| (*outer, *key)));
    let mut inside = all.filter(|(outer, key)| record.object(outer).is_some_and(|inner| inner.array(key).is_some()));
    inside.next().map_or_else(String::new, |(outer, key)| {
        format!("; the messages lie deeper, in `{outer}.{key}`, and have to be taken out first")
    })
}

/// The first keys of a record, for an error message. Values are left out so that no content reaches the message.
fn keys(record: &Object<'_>) -> String {
    let short = |key: &str| key.chars().take(LONGEST_KEY).collect::<String>();
    let keys = record.fields().iter().take(6).map(|(key, _)| format!("`{}`", short(key)));
    let keys = keys.collect::<Vec<_>>().join(", ");
    if keys.is_empty() { "no keys".to_owned() } else { keys }
}

/// Detects the format of a stream of rows, most of which may be something else: the format of the first line that is a
/// row by itself, or `openai-chat` if lines only have the key `messages`; `None` if no line fits.
pub fn of_rows(beginning: &[u8]) -> Option<&'static dyn Format> {
    if !is_text(beginning) {
        return None;
    }
    let lines = || lines::lines(beginning).filter_map(|line| beginning.get(line.span));
    let empty = |line: &[u8]| {
        let object = std::str::from_utf8(line).ok().and_then(Object::parse);
        object.is_some_and(|row| row.has("messages"))
    };
    row(beginning, usize::MAX).or_else(|| lines().any(empty).then(|| by_name("openai-chat")).flatten())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> String {
        detect(text.as_bytes())
            .map_or_else(|err| err.to_string(), |found| format!("{} {:?}", found.name, found.evidence.confidence))
    }

    #[test]
    fn plain_messages_are_assumed_to_be_openais() {
        assert_eq!(name(r#"{"role":"user","content":"u"}"#), "openai-messages Assumed");
        assert_eq!(name(r#"{"messages":[{"role":"user","content":"u"}]}"#), "openai-chat Assumed");
        assert_eq!(name(r#"{"role":"system","content":"u"}"#), "openai-messages Certain");
        assert_eq!(name(r#"{"messages":[{"role":"tool","content":"u","tool_call_id":"a"}]}"#), "openai-chat Certain");
    }

    #[test]
    fn one_row_tells_the_format_of_a_stream() {
        let name = |text: &str| of_rows(text.as_bytes()).map(|format| format.name());
        let row = r#"{"messages":[{"role":"user","content":"u"}]}"#;
        assert_eq!(name(&format!("{{\"id\":1}}\n{{\"id\":2}}\n{row}\n")), Some("openai-chat"));
        assert_eq!(name("{\"messages\" : []}\n"), Some("openai-chat"));
        assert_eq!(name("{\"id\":1}\nwords\n"), None);
    }

    #[test]
    fn blocks_and_a_system_prompt_tell_anthropics_requests() {
        let thinking =
            r#"{"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"w","signature":"s"}]}]}"#;
        assert_eq!(name(thinking), "anthropic-messages Certain");
        assert_eq!(name(r#"{"system":"s","messages":[{"role":"user","content":"u"}]}"#), "anthropic-messages Certain");
        let lines = r#"{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}"#;
        assert_eq!(name(lines), "anthropic-messages Certain");
        let answer =
            r#"{"type":"message","role":"assistant","content":[{"type":"thinking","thinking":"w","signature":"s"}]}"#;
        assert_eq!(name(&format!("{}\n{answer}", r#"{"role":"user","content":"u"}"#)), "anthropic-messages Certain");
    }

    #[test]
    fn calls_with_a_copy_of_them_in_blocks_are_openais() {
        let block = r#"{"type":"tool_use","tool_call_id":"a","name":"f","arguments":"{}"}"#;
        let call = format!(
            r#"{{"role":"assistant","content":[{block}],"tool_calls":[{{"id":"a","function":{{"name":"f","arguments":"{{}}"}}}}]}}"#
        );
        let result = r#"{"role":"tool","tool_call_id":"a","content":"r"}"#;
        assert_eq!(name(&format!(r#"{{"messages":[{call},{result}]}}"#)), "openai-chat Certain");
        let answered = r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"r"}]}"#;
        assert_eq!(name(&format!(r#"{{"messages":[{call},{answered}]}}"#)), "anthropic-messages Certain");
    }

    #[test]
    fn a_vocabulary_and_a_session_of_another_harness_are_of_no_format() {
        let name = |text: &str| detect(text.as_bytes()).ok().map(|found| found.name);
        assert_eq!(name(r#"{"ts": 4, "dir": 5, "kind": 6, "instruction": 9, "output": 7}"#), None);
        let header = r#"{"type":"session","id":"s","cwd":"/","#;
        assert_eq!(name(&format!("{header}\"version\":0,\"createdAt\":7}}")), None);
        assert_eq!(name(&format!("{header}\"version\":3}}")), Some("pi"));
        let web = r#"{"loglines":[{"type":"user","message":{"role":"user","content":"u"}}]}"#;
        assert_eq!(name(web), Some("claude-code-web"));
        assert!(super::super::hint("claude-code-web").contains("one per line"));
    }

    #[test]
    fn messages_of_other_interfaces_are_named_and_not_read_as_openais() {
        let sdk = r#"{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"f","input":{}}]}"#;
        let bedrock = r#"{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]}"#;
        let builds = r#"{"history":[{"attempt":1,"action":"retry","chain":[],"observation":"red"}]}"#;
        assert!(!name(builds).starts_with("openhands"), "a log of builds: {}", name(builds));
        let gemini = r#"{"role":"model","parts":[{"text":"u"}]}"#;
        let screen = r#"{"id":"1","role":"user","parts":[{"type":"text","text":"u"}]}"#;
        for (message, format) in
            [(sdk, "ai-sdk"), (bedrock, "bedrock-converse"), (gemini, "gemini-contents"), (screen, "ai-sdk-ui")]
        {
            let user = if message.contains("parts") { message } else { r#"{"role":"user","content":"u"}"# };
            let certain = format!("{format} Certain");
            assert_eq!(name(&format!("{user}\n{message}\n")), certain);
            assert_eq!(name(&format!("[{user},\n{message}]")), certain);
            assert_eq!(name(&format!(r#"{{"messages":[{message}]}}"#)), certain);
            assert_ne!(by_name(format).is_some(), format == "ai-sdk-ui");
            assert_eq!(super::super::hint(format).is_empty(), by_name(format).is_some());
        }
        let span = r#"[{"role":"user","parts":[{"type":"text","content":"u"}]}]"#;
        assert_eq!(name(span), "otel-genai Certain");
    }

    #[test]
    fn rows_are_told_by_what_they_hold() {
        let messages = r#"[{"role":"user","content":"u"},{"role":"assistant","content":"x"}]"#;
        let log = format!(r#"{{"messages":{messages},"response":{{}},"cost":1}}"#);
        assert_eq!([name(&log), name(&log.replace(',', ",\n"))], ["llm-http-logs Certain"; 2]);
        let run = format!(r#"{{"instance_id":"i","model_patch":"p","trajectory":{messages}}}"#);
        assert_eq!(name(&run), "openai-chat Assumed");
        assert_eq!(name(r#"{"instance_id":"i","model_patch":"p"}"#), "predictions Certain");
        assert_eq!(
            name(&format!("{{\"messages\":[]}}\n{{\"messages\":{messages}}}\n{{\"messages\":null}}")),
            "openai-chat Assumed"
        );
        assert!(name("{\"messages\":[]}\n{\"messages\":[]}").starts_with("no known"));
    }

    #[test]
    fn turns_without_calls_are_of_the_format_of_later_ones_with_calls() {
        let turns = |answer: &str| format!(r#"{{"conversations":[{{"role":"user","content":"u"}},{answer}]}}"#);
        let plain = turns(r#"{"role":"assistant","content":"x","tool_calls":[]}"#);
        let calls = turns(r#"{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"f"}}]}"#);
        let from = r#"{"conversations":[{"from":"human","value":"\"tool_calls\""}]}"#;
        let named = |first: &str, last: &str| {
            name(&format!(
                "{}{last}",
                format!(
                    "{first}
"
                )
                .repeat(60)
            ))
        };
        assert_eq!(named(&plain, &plain), "sharegpt Certain");
        assert_eq!(named(&plain, &calls), "openai-chat Certain");
        assert_eq!(named(from, &calls), "sharegpt Certain", "`from` is ShareGPT's own");
        assert_eq!(named(&plain, from), "sharegpt Certain", "words are no calls");
    }

    #[test]
    fn a_refusal_says_where_the_messages_are() {
        let string = r#"{"id":1,"messages":"[{\"role\":\"user\"}]"}"#;
        assert!(name(string).ends_with("`id`, `messages`; `messages` is a string, which has to be parsed first"));
        let run = r#"{"instance_id":"i","model_patch":"p","trajectory":"[]"}"#;
        assert!(name(run).ends_with("`trajectory` is a string, which has to be parsed first"), "{}", name(run));
        for array in [format!("[{string}]"), format!("[\n{string},\n{string}\n]")] {
            assert!(name(&array).ends_with("`messages` is a string, which has to be parsed first"), "{}", name(&array));
        }
        let inner = r#"{"id":1,"body":{"messages":[{"role":"user","content":"u"}]}}"#;
        assert!(name(inner).contains("in `body.messages`"), "{}", name(inner));
        assert_eq!(name(r#"{"contents":[{"role":"user","parts":[{"text":"u"}]}]}"#), "gemini-contents Certain");
    }

    #[test]
    fn a_document_of_named_lists_of_rows_says_how_to_part_them() {
        let row = r#"{"messages":[{"role":"user","content":"u"},{"role":"assistant","content":"x"}]}"#;
        let pretty = |text: &str| text.replace(',', ",\n");
        for document in
            [format!(r#"{{"train":[{row},{row}],"test":[]}}"#), format!(r#"{{"info":{{"by":"us"}},"train":[{row}]}}"#)]
        {
            for text in [pretty(&document), document] {
                assert!(
                    name(&text).ends_with(
                        "`train` is a list of rows of openai-chat; make a file of each such list with \
                                           `jq -c '.[\"train\"][]'`"
                    ),
                    "{}",
                    name(&text)
                );
            }
        }
        let cut = format!(r#"{{"train":[{row},{row}],"test":[{row},{{"mess"#);
        let cut = detect_given(cut.as_bytes(), Bytes::Beginning).map_or_else(|err| err.to_string(), |_| String::new());
        assert!(cut.contains("`train` is a list of rows"), "{cut}");
        for other in [r#"{"train":[],"test":[{"loss":1}]}"#, r#"{"train":["u"],"test":[[1]]}"#] {
            assert!(!name(other).contains("list of rows"), "{}", name(other));
        }
    }

    #[test]
    fn a_document_of_conversations_by_their_ids_is_told_by_its_values() {
        let found = |text: &str| detect(text.as_bytes()).ok().map(|found| (found.name, found.layout));
        let messages = r#"[{"role":"user","content":"u"},{"role":"assistant","content":"x"}]"#;
        let row = format!(r#"{{"messages":{messages}}}"#);
        let map = |value: &str| format!(r#"{{"a1":{value},"b2":{value},"c3":{value}}}"#);
        let each = Layout::PerElement(None);
        assert_eq!(found(&map(&row)), Some(("openai-chat", each)));
        assert_eq!(found(&map(&row).replace(',', ",\n")), Some(("openai-chat", each)));
        assert_eq!(found(&map(messages)), Some(("openai-messages", each)));
        let turns = r#"{"conversations":[{"from":"human","value":"u"},{"from":"gpt","value":"x"}]}"#;
        assert_eq!(found(&map(turns)), Some(("sharegpt", each)));
        let whole = map(&row);
        let both = by_name("openai-chat").map(|format| {
            [(whole.as_bytes(), Bytes::Whole), (&whole.as_bytes()[..150], Bytes::Beginning)]
                .map(|(bytes, given)| layout(format, bytes, given))
        });
        assert_eq!(both, Some([each; 2]));
        let alone = [
            format!(r#"{{"a1":{row}}}"#),
            format!(r#"{{"a1":{row},"n":3}}"#),
            format!(r#"{{"a1":{row},"b2":{{"x":1}}}}"#),
            format!(r#"{{"request":{row},"answer":{row}}}"#),
            map(&format!("[{row}]")),
            map(r#"{"info":{"id":"s"},"messages":[{"info":{"id":"m"},"parts":[]}]}"#),
            format!(r#"{{"a1":{messages},"b2":{messages},"c3":{{"id":1}}}}"#),
            format!(r#"{{"one":{messages},"two":{messages},"metadata":{row}}}"#),
            format!(r#"{{"a1":{messages},"b2":{messages},"tools":{messages}}}"#),
            format!(r#"{{"draft":{messages},"reference":{messages}}}"#),
        ];
        assert_eq!(alone.each_ref().map(|text| found(text)), [const { None }; 10]);
    }

    #[test]
    fn an_agent_file_of_lettas_is_no_row_of_chats() {
        let messages = r#""messages":[{"role":"tool","content":[{"type":"text","text":"t"}],"tool_call_id":"a"}]"#;
        let agent = format!(r#"{{"agent_type":"memgpt_agent","core_memory":[],"llm_config":{{}},{messages}}}"#);
        assert_eq!(name(&agent), "letta Certain");
        assert_eq!(name(&agent.replace(',', ",\n")), "letta Certain");
        let later =
            r#"{"agents":[{"agent_type":"letta_v1_agent","in_context_message_ids":[],"messages":[]}],"tools":[]}"#;
        assert_eq!(name(later), "letta Certain");
        assert_eq!(name(&format!(r#"{{"agent_type":"coder",{messages}}}"#)), "openai-chat Certain");
    }

    #[test]
    fn exports_and_collections_that_are_not_read_are_named() {
        let chat = r#"{"title":"Tides","create_time":1.0,"mapping":{"a":{"id":"a","message":null}}}"#;
        let steps = r#"{"id":"i","content":[{"class_":"text_observation","content":"u","source":"user"}]}"#;
        let turns = r#"{"instance_id":"i","trajectory":[{"role":"system","text":null,"system_prompt":"s"}]}"#;
        let wrapped = format!(r#"{{"conversation_id":"i","conversation":{chat}}}"#);
        let all = [
            (chat, "chatgpt-export"),
            (&wrapped, "chatgpt-export"),
            (steps, "agent-data-protocol"),
            (turns, "swe-agent-rows"),
        ];
        for (row, format) in all {
            let certain = format!("{format} Certain");
            assert_eq!(
                [name(row), name(&format!("[{row},{row}]")), name(&row.replace(',', ",\n"))],
                [(); 3].map(|()| certain.clone())
            );
        }
    }

    #[test]
    fn events_of_other_programs_are_named() {
        let event = r#"{"aggregate_id":"ses_1","seq":1,"id":"e","type":"session.created.1","data":{}}"#;
        let part = event.replace("session.created.1", "message.part.updated.1");
        let activity = r#"{"channelId":"c","conversation":{},"from":{"role":"bot"},"recipient":{},"value":{}}"#;
        let asked = r#"{"requesterUsername":"me","requests":[{"message":{"text":"u"}}]}"#;
        let begun = r#"{"type":"init","session_id":"s","model":"m"}"#;
        let said = r#"{"type":"message","role":"user","content":"u"}"#;
        for (lines, format) in [
            (&[event, &part][..], "opencode-events Certain"),
            (&[activity, activity], "bot-framework Certain"),
            (&[asked], "vscode-copilot-chat Certain"),
            (&[r#"{"kind":0,"v":{}}"#, r#"{"kind":1,"k":["a"],"v":7}"#], "vscode-copilot-chat Certain"),
            (&[said, begun, said], "gemini-stream-json Certain"),
        ] {
            assert_eq!(name(&lines.join("\n")), format);
        }
        let rows = r#"[{"role":"user","content":"u"}]"#;
        let told = detect(format!("{rows}\n{rows}\n").as_bytes()).err().map(|err| err.to_string()).unwrap_or_default();
        assert!(told.contains("an array in each line"), "{told}");
    }

    #[test]
    fn a_damaged_document_is_of_the_format_of_what_stands_before() {
        let turns =
            r#"[{"from":"human","value":"ebb"},{"from":"gpt","value":"slack"},{"from":"human","value":"flood"}]"#;
        let row = format!("[\n{{\"conversations\":\n{turns}}}]");
        let found = |bytes: &[u8]| detect(bytes).map(|found| found.name).ok();
        let torn = row.len() - 20;
        assert_eq!(found(row.as_bytes()), Some("sharegpt"));
        assert_eq!(found(&row.as_bytes()[..torn]), Some("sharegpt"));
        for byte in [b"\0", b"\xff"] {
            let damaged = [&row.as_bytes()[..torn], byte, &row.as_bytes()[torn..]].concat();
            assert_eq!(found(&damaged), Some("sharegpt"));
        }
        assert_eq!(found(b"{\n\"conversations\" // none\n}"), None);
        let lines = "{\"role\":\"user\",\"content\":\"u\"}\n{\"a\":1}\n{\"a\":2}\n";
        assert_eq!(found(lines.as_bytes()), None, "these are lines");
        for rest in ["\n{ the ebb", "\n  {\"from\": ", " and [", "\n \"value\": \"x\"}, {\"from\": \"gpt\"},\n]}"] {
            assert_eq!(found(format!("{row}{rest}").as_bytes()), Some("sharegpt"), "{rest}");
        }
        for more in [&row[..], "\n{\"a\": 1} {", " {\n{\"a\":1}\n{\"a\":2}\n"] {
            assert_eq!(found(format!("{row}{more}").as_bytes()), None, "more than a document");
        }
    }

    #[test]
    fn events_of_a_log_are_no_messages() {
        let event = |kind: &str, said: &str| format!(r#"{{"role":"agent","kind":"{kind}"{said}}}"#);
        let lines = [
            r#"{"role":"system","kind":"status_running"}"#.to_owned(),
            r#"{"role":"user","kind":"define_outcome","raw":{"description":"chart the ebb"}}"#.to_owned(),
            event("tool_use", r#","content":"sound""#),
            event("tool_result", r#","content":"six fathoms""#),
            event("message", r#","content":"charted""#),
        ];
        assert!(name(&lines.join("\n")).starts_with("no known transcript format"));
        assert!(name(&format!("[{}]", lines.join(",\n"))).starts_with("no known transcript format"));
        let other = r#"{"role":"agent","content":"charted"}"#;
        assert!(name(&format!("{other}\n{other}")).starts_with("no known transcript format"));
    }

    #[test]
    fn words_about_a_format_are_no_evidence() {
        let about = r#"{"role":"user","content":"{\"type\":\"session_meta\",\"payload\":{}} tool_use \"system\":"}"#;
        assert_eq!(name(about), "openai-messages Assumed");
    }

    #[test]
    fn the_first_line_alone_does_not_decide() {
        let first = r#"{"role":"user","content":"u"}"#;
        let others = [r#"{"type":"event_msg","payload":{}}"#; 3].join("\n");
        assert_eq!(name(&format!("{first}\n{others}")), "codex Certain");
        assert!(name(&format!("{first}\n{{\"a\":1}}\n{{\"a\":2}}\n")).starts_with("no known transcript format"));
    }

    #[test]
    fn compressed_and_binary_files_are_named() {
        let found = |bytes: &[u8]| detect(bytes).map_or_else(|err| err.to_string(), |found| found.name.to_owned());
        assert_eq!(found(b"\x1f\x8b\x08"), "gzip");
        assert_eq!(found(b"\x28\xb5\x2f\xfd\x00"), "zstd");
        assert_eq!(found(b"PK\x03\x04....._journal/start.json"), "zip");
        assert!(found(b"\x7fELF\0\0").ends_with("it is binary"));
        assert!(found(b"\n \n").ends_with("it is empty"));
        assert!(found(br#"{"a":1,"b":2}"#).ends_with("found objects with `a`, `b`"));
        let mixed = found(b"{\"a\":1}\n{\"a\":2}\n{\"messages\":[{\"role\":\"user\",\"content\":\"u\"}]}\n{\"a\":3}\n");
        assert!(mixed.contains("rows of openai-chat, which `--from openai-chat` reads"), "{mixed}");
    }

    #[test]
    fn tables_of_bytes_are_named_and_say_what_to_do() {
        let found = |bytes: &[u8]| detect(bytes).map(|found| found.name).ok();
        assert_eq!(found(b"PAR1\x15\x04\x15\x10\0\0PAR1"), Some("parquet"));
        assert_eq!(found(b"ARROW1\0\0\xff\xff\xff\xff\x10\0\0\0"), Some("arrow"));
        assert_eq!(found(b"\xff\xff\xff\xff\x18\x01\0\0\x10\0\0\0"), Some("arrow"));
        assert_eq!([found(b"PAR1 is a mark"), found(b"ARROW1,x\n1,2\n")], [None, None]);
        let stated = stated_or_detected(by_name("openai-chat"), b"PAR1\x15\x04\0", Bytes::Whole);
        assert!(stated.is_ok_and(|found| found.format.is_none()), "stated or not");
        assert!(["parquet", "arrow"].iter().all(|name| super::super::hint(name).contains("export it to JSONL first")));
    }

    #[test]
    fn records_over_several_lines_are_told_from_a_torn_document() {
        let told = |text: &str| detect(text.as_bytes()).err().map(|err| err.to_string()).unwrap_or_default();
        let record = "{\n  \"tide\": 1\n}\n";
        assert!(told(&record.repeat(2)).contains("`jq -c .`"));
        assert!(!told("{\n  \"tide\": 1,\n").contains("jq"));
        let row = r#"{"messages":[{"role":"user","content":"u"}]}"#;
        for line in [format!("{row}{row}"), format!("{row} {row}\n{row}{row}{row}")] {
            assert!(told(&line).contains("several JSON objects in one line; make"), "{}", told(&line));
        }
        assert!(!told("{\"tide\": 1}, and so on").contains("several"));
    }
}
