//! Formats: read bytes as a [`Transcript`], and write an [`EditScript`] back to bytes. One file (or folder) per format.
//!
//! To add a format, add a file or folder here with an impl of [`Format`], and a line in [`FORMATS`].
//!
//! - `shared`: code that several formats use.
//! - `detect`: finds the format of a file.
//! - `answers`: the texts of a training row that trainers read beside its messages.
//! - `unread`: turns whose speaker or form is unknown.
//! - `step_log`: all logs of steps, which no harness resumes.
//! - `openai`: all rows with messages of OpenAI's API; the files `openai_*`, `messages_variants`, `trl`, `tau_bench`
//!   and `tau2_bench` each describe one kind of them.

mod ai_sdk;
mod ai_studio;
mod amp;
mod answers;
mod anthropic_messages;
mod atif;
mod autogen;
mod bedrock_converse;
mod chatgpt;
mod claude_ai;
mod claude_code;
mod cline;
mod codex;
mod continue_dev;
mod copilot_cli;
mod cursor;
mod detect;
mod droid;
mod forge;
mod gemini_cli;
mod gemini_contents;
mod goose;
mod grok;
mod hermes;
mod hf_sts;
mod inspect;
mod kimi_cli;
mod kimi_code;
mod langchain;
mod librechat;
mod llm_http_logs;
mod messages_variants;
mod open_webui;
mod openai;
mod openai_chat;
mod openai_messages;
mod openai_preference;
mod openai_responses;
mod openclaw;
mod opencode;
mod openhands;
mod otel_genai;
mod pi;
mod pydantic_ai;
mod qwen;
mod roo;
mod shared;
mod sharegpt;
mod step_log;
mod swe_agent;
mod tau2_bench;
mod tau_bench;
#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests;
mod toolbench;
mod trl;
mod unread;

pub use answers::answers;
pub use detect::{
    Bytes, Confidence, Detected, Evidence, Sample, Undetected, detect, detect_given, hint, layout, of_rows,
    stated_or_detected,
};
pub(crate) use inspect::archive;
pub use openai::MESSAGE_COLUMNS;
pub use shared::call_text::{CALL_TAGS, RESULT_TAGS};
pub use shared::elements::{Element, elements};
pub use shared::weights::is_weight;
pub use shared::{inline_runs, json, lines};
pub use unread::unread;

pub use crate::transcript::Fault;

use crate::transcript::{EditScript, Patch, Spread, Transcript};
use shared::json::Object;
use step_log::StepLog;

/// All formats that can be read and written, in the order in which detection tries them.
pub const FORMATS: &[&dyn Format] = &[
    &StepLog::<step_log::CodexExec>::new(),
    &StepLog::<step_log::ClaudeStream>::new(),
    &StepLog::<step_log::DroidStream>::new(),
    &StepLog::<step_log::GeminiStream>::new(),
    &StepLog::<step_log::Antigravity>::new(),
    &StepLog::<step_log::Windsurf>::new(),
    &qwen::Qwen,
    &claude_code::ClaudeCode,
    &codex::Codex,
    &hf_sts::HfSts,
    &openclaw::OpenClaw,
    &pi::Pi,
    &droid::Droid,
    &cursor::Cursor,
    &grok::Grok,
    &kimi_cli::KimiCli,
    &kimi_code::KimiCode,
    &copilot_cli::CopilotCli,
    &opencode::OpenCode,
    &gemini_cli::GeminiCli,
    &goose::Goose,
    &roo::Roo,
    &cline::Cline,
    &openhands::OpenHands,
    &pydantic_ai::PydanticAi,
    &llm_http_logs::LlmHttpLogs,
    &amp::Amp,
    &hermes::Hermes,
    &forge::Forge,
    &continue_dev::Continue,
    &chatgpt::ChatGpt,
    &open_webui::OpenWebUi,
    &librechat::LibreChat,
    &claude_ai::ClaudeAi,
    &ai_studio::AiStudio,
    &swe_agent::SWE_AGENT,
    &swe_agent::MINI_SWE_AGENT,
    &atif::Atif,
    &inspect::Inspect,
    &otel_genai::OtelGenAi,
    &sharegpt::ShareGpt,
    &openai_preference::FORMAT,
    &messages_variants::FORMAT,
    &trl::FORMAT,
    &tau_bench::FORMAT,
    &tau2_bench::FORMAT,
    &toolbench::ToolBench,
    &bedrock_converse::BedrockConverse,
    &ai_sdk::AiSdk,
    &openai_responses::OpenAiResponses,
    &anthropic_messages::AnthropicMessages,
    &openai_chat::FORMAT,
    &openai_messages::OpenAiMessages,
    &gemini_contents::GeminiContents,
    &langchain::LangChain,
    &autogen::AutoGen,
];

/// Returns the format with this stable name, if there is one.
pub fn by_name(name: &str) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| format.name() == name)
}

/// How transcripts are arranged in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// The file is one transcript.
    Session,
    /// Each line is a transcript of its own.
    PerLine,
    /// The file is one JSON array, or an object with an array under this key; each element is a transcript of its own. So
    /// is each value of an object that stands in the place of the array.
    PerElement(Option<&'static str>),
}

/// One transcript format: detection, reading, rendering of edits, its own validity rules, and their repair.
pub trait Format: Sync {
    /// Returns the stable name of the format, as used in reports and by `--from`.
    fn name(&self) -> &'static str;

    /// Returns the usual layout of files in this format.
    fn layout(&self) -> Layout;

    /// Returns the layout of one file, given a `sample` of its beginning.
    fn layout_of(&self, _sample: &Sample<'_>) -> Layout {
        self.layout()
    }

    /// Whether the programs that read this format also open its files when they are compressed and have this
    /// extension (`gz`, `zst`). Loaders of rows do; harnesses look only for the file names that they wrote.
    fn opens(&self, _extension: &str) -> bool {
        self.layout() == Layout::PerLine
    }

    /// Returns the evidence that the file behind `sample` is of this format, or `None` if it is not.
    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence>;

    /// Whether a record is one that only sessions of this format have. Their harnesses add types of records, so that a
    /// file may hold more unknown than known ones; where no format has most of the records, such records tell.
    fn is_record(&self, _: &Object<'_>) -> bool {
        false
    }

    /// Reads one transcript: a whole file, one line (without its newline), or one element of an array, depending on
    /// the layout. `options.first_line` is the number that the first line of `source` has in the file.
    ///
    /// # Errors
    /// A line is not JSON, or is not a record of this format; with `lenient` such a line becomes an opaque record.
    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError>;

    /// Like [`Format::read`], but may read pieces of a long transcript in parallel if the format allows it.
    ///
    /// # Errors
    /// The same as [`Format::read`].
    fn read_over<'a>(
        &self,
        source: &'a [u8],
        options: ReadOptions,
        _over: &dyn Spread,
    ) -> Result<Transcript<'a>, ReadError> {
        self.read(source, options)
    }

    /// Turns an edit script into patches over `transcript.source`, sorted and without overlap.
    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>) -> Vec<Patch>;

    /// Returns the faults against this format's own rules; `check` finds those against rules common to all formats.
    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault>;

    /// Repairs those of its own `faults` that can be repaired without inventing content.
    ///
    /// Records and parts to remove are added to `script`. Corrected links, counters and numbers are returned as
    /// patches; where such a patch and one from `render` cover the same bytes, this one wins. Faults that can't be
    /// repaired are left.
    fn mend(&self, _transcript: &Transcript<'_>, _faults: &[Fault], _script: &mut EditScript) -> Vec<Patch> {
        Vec::new()
    }
}

/// Options of reading.
#[derive(Debug, Clone, Copy)]
pub struct ReadOptions {
    /// Keep an invalid line as an opaque record instead of failing.
    pub lenient: bool,
    /// Number of the first line of the source in its file, from 1.
    pub first_line: usize,
}

impl ReadOptions {
    /// What was read; `None` if it is invalid and these options are lenient.
    ///
    /// # Errors
    /// It is invalid, and the options are not lenient.
    fn forgive<T>(self, read: Result<T, ReadError>) -> Result<Option<T>, ReadError> {
        match read {
            Err(_) if self.lenient => Ok(None),
            read => read.map(Some),
        }
    }
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { lenient: false, first_line: 1 }
    }
}

/// Settings of rendering that are not part of the edit script.
#[derive(Debug, Clone, Default)]
pub struct Marks<'a> {
    /// The general stub, which names no tool or id: for UI copies of results that were removed or changed in another
    /// way than by a stub.
    pub stub: &'a str,
    /// Value of `time.compacted`, in milliseconds since 1970: the newest timestamp in the file, or `--now`, not the
    /// clock.
    pub compacted_at: Option<i64>,
    /// The output is a copy that will be stored beside its original in the harness's store, so it needs ids of its own.
    pub fresh_ids: bool,
}

/// Why bytes could not be read as a transcript, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct ReadError {
    /// Line number in the file, from 1.
    pub line: usize,
    /// Column in bytes, from 1.
    pub column: usize,
    /// The problem, as a sentence fragment that fits after a colon.
    pub reason: String,
}

impl ReadError {
    /// Makes an error that points to a byte offset of `source`.
    pub fn at(source: &[u8], offset: usize, first_line: usize, reason: impl Into<String>) -> Self {
        let before = &source[..offset.min(source.len())];
        let newlines = memchr::memchr_iter(b'\n', before).count();
        let column = before.len() - memchr::memrchr(b'\n', before).map_or(0, |at| at + 1) + 1;
        Self { line: first_line + newlines, column, reason: reason.into() }
    }
}

/// Parses one line as JSON; the line's span may cover several lines of the file.
///
/// # Errors
/// The line is not UTF-8, holds a NUL byte, or is not a JSON value.
pub fn read_line<'a>(source: &'a [u8], line: &lines::Line, first_line: usize) -> Result<json::Json<'a>, ReadError> {
    let text = line_text(source, line, first_line)?;
    json::Json::parse(text).map_err(|err| ReadError {
        line: line.number + first_line - 1 + err.line().saturating_sub(1),
        column: err.column(),
        reason: format!("invalid JSON: {}", reason_of(&err)),
    })
}

/// Whether the first line of a source is a JSON object by itself, so that it may be in the line layout.
fn begins_with_object(source: &[u8]) -> bool {
    let first = lines::lines(source).next();
    first.is_some_and(|line| read_line(source, &line, 1).is_ok_and(|value| value.raw().starts_with('{')))
}

/// Returns the fields of the JSON object on a line; no fields if it holds another JSON value.
///
/// # Errors
/// The same as [`read_line`].
pub fn read_fields<'a>(source: &'a [u8], line: &lines::Line, first_line: usize) -> Result<json::Object<'a>, ReadError> {
    match json::Object::parse(line_text(source, line, first_line)?) {
        Some(fields) => Ok(fields),
        None => Ok(read_line(source, line, first_line)?.object().unwrap_or_default()),
    }
}

/// Returns the text of a line, checked to be UTF-8 without NUL bytes.
fn line_text<'a>(source: &'a [u8], line: &lines::Line, first_line: usize) -> Result<&'a str, ReadError> {
    let bytes = &source[line.span.clone()];
    let fail = |offset: usize, reason: &str| ReadError::at(bytes, offset, line.number + first_line - 1, reason);
    let text = std::str::from_utf8(bytes).map_err(|err| fail(err.valid_up_to(), "invalid UTF-8"))?;
    match memchr::memchr(0, bytes) {
        Some(at) => Err(fail(at, "a NUL byte")),
        None => Ok(text),
    }
}

/// The message of a serde_json error without its position, which the caller gives relative to the file.
fn reason_of(err: &serde_json::Error) -> String {
    let text = err.to_string();
    let reason = text.rsplit_once(" at line ").map_or(&*text, |(reason, _)| reason);
    // It begins like one of the three words of JSON.
    if reason == "expected ident" { "expected true, false or null".into() } else { reason.into() }
}
