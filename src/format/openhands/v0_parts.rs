//! The fields of a V0 event that the model reads: the answer it belongs to, arguments, results, images.

use super::calls::Call;
use super::event::text_part;
use crate::format::openai;
use crate::format::shared::json::{Json, Object, quoted};
use crate::format::shared::slot::{fixed, part};
use crate::format::shared::synthetic::is_stub;
use crate::transcript::{Media, Message, Part, PartKind, Status, Tokens, Usage};
use std::borrow::Cow;

/// Fields of arguments (or of old events without `args`) that the model did not write.
const BOOKKEEPING: [&str; 24] = [
    "id",
    "timestamp",
    "source",
    "message",
    "action",
    "cause",
    "timeout",
    "tool_call_metadata",
    "llm_metrics",
    "thought",
    "is_input",
    "is_static",
    "is_confirmed",
    "confirmation_state",
    "action_risk",
    "security_risk",
    "keep_prompt",
    "blocking",
    "hidden",
    "include_extra",
    "impl_source",
    "kernel_init_code",
    "translated_ipython_code",
    "return_axtree",
];

/// The model's answer that an action belongs to. Each action of an answer repeats all of it.
pub(super) struct Answer<'a> {
    /// The name of the tool.
    pub(super) tool: Option<Cow<'a, str>>,
    /// The provider's id of the call.
    pub(super) call: Option<Cow<'a, str>>,
    id: Option<Cow<'a, str>>,
    several: bool,
    model: Option<Cow<'a, str>>,
    usage: Option<Object<'a>>,
    message: Object<'a>,
}

impl<'a> Answer<'a> {
    /// Reads the metadata of an action, if it has any.
    pub(super) fn of(fields: &Object<'a>) -> Option<Self> {
        let metadata = fields.object("tool_call_metadata")?;
        let response = metadata.object("model_response").unwrap_or_default();
        let choice = response.array("choices").and_then(|choices| choices.first().copied()?.object());
        Some(Self {
            tool: metadata.text("function_name"),
            call: metadata.text("tool_call_id"),
            id: response.text("id"),
            several: metadata.whole("total_calls_in_response").is_some_and(|calls| calls > 1),
            model: response.text("model"),
            usage: response.object("usage"),
            message: choice.and_then(|choice| choice.object("message")).unwrap_or_default(),
        })
    }

    /// The group of the answer's events, if it has several calls.
    pub(super) fn group(&self) -> Option<Cow<'a, str>> {
        self.id.clone().filter(|_| self.several)
    }

    /// The text before the calls.
    pub(super) fn words(&self, source: &[u8]) -> Option<Part<'a>> {
        text_part(source, &self.message, "content")
    }

    /// The arguments of the call, as the model wrote them.
    pub(super) fn arguments(&self) -> Option<Cow<'a, str>> {
        let calls = self.message.array("tool_calls")?.into_iter().filter_map(Json::object);
        let own = calls.into_iter().find(|call| call.text("id") == self.call)?;
        own.object("function")?.text("arguments")
    }

    /// Sets the model and the usage of a message.
    pub(super) fn tell(self, message: &mut Message<'a>) {
        message.usage = self.usage.as_ref().and_then(usage);
        message.model = self.model;
    }
}

/// Reads usage; cached tokens are part of the prompt.
fn usage(usage: &Object<'_>) -> Option<Usage> {
    let number = |key: &str| usage.whole(key).map(Tokens);
    let details = usage.object("prompt_tokens_details");
    let cached = || details.and_then(|details| details.whole("cached_tokens")).map(Tokens);
    let cache_read = number("cache_read_input_tokens").or_else(cached).unwrap_or_default();
    let cache_write = number("cache_creation_input_tokens").unwrap_or_default();
    Some(Usage {
        input: number("prompt_tokens")? - cache_read - cache_write,
        cache_read,
        cache_write,
        output: number("completion_tokens").unwrap_or_default(),
    })
}

/// The arguments as JSON without bookkeeping fields; `is_input` is kept if true (input typed into a running program).
pub(super) fn spelled<'a>(args: &Object<'a>) -> Cow<'a, str> {
    let typed = |key: &str, value: &Json<'_>| key == "is_input" && ["true", r#""true""#].contains(&value.raw());
    let own = args
        .fields()
        .iter()
        .filter(|(key, value)| typed(key, value) || !BOOKKEEPING.contains(&&**key) && !value.is_null());
    let own: Vec<_> = own.map(|(key, value)| format!("{}: {}", quoted(key), value.raw())).collect();
    Cow::Owned(format!("{{{}}}", own.join(", ")))
}

/// The images of a message.
pub(super) fn images<'a>(source: &[u8], args: &Object<'a>) -> Vec<Part<'a>> {
    let urls = args.array("image_urls").or_else(|| args.array("images_urls")).unwrap_or_default();
    let image = |url| part(PartKind::Media(Media::Image), Cow::Borrowed(""), fixed(source, url));
    urls.into_iter().map(image).collect()
}

/// The texts that a recall adds to the context.
pub(super) fn recalled<'a>(source: &[u8], fields: &Object<'a>) -> Vec<Part<'a>> {
    let Some(extras) = fields.object("extras") else { return Vec::new() };
    let keys = ["repo_instructions", "additional_agent_instructions", "conversation_instructions"];
    let mut all: Vec<_> = keys.iter().filter_map(|key| text_part(source, &extras, key)).collect();
    let knowledge = extras.array("microagent_knowledge").unwrap_or_default().into_iter().filter_map(Json::object);
    all.extend(knowledge.filter_map(|known| text_part(source, &known, "content")));
    all
}

/// The result of a call.
pub(super) fn result<'a>(
    source: &[u8],
    kind: &str,
    fields: &Object<'a>,
    (call, place): (Call<'a>, Json<'a>),
) -> Part<'a> {
    let extras = fields.object("extras").unwrap_or_default();
    let outputs = || extras.object("outputs").and_then(|outputs| outputs.get("content"));
    let content = fields.get("content").filter(|content| !content.is_null());
    let content = content.filter(|content| kind != "delegate" || content.raw() != r#""""#).or_else(outputs);
    let (text, _, slot) = match content {
        Some(content) => openai::result(source, content),
        None => (Cow::Borrowed(""), Vec::new(), fixed(source, place)),
    };
    let status = exit_status(fields, &extras).or_else(|| of_cell(kind, &extras, &text));
    let kind = PartKind::Result {
        id: call.id,
        tool: Some(call.tool),
        error: failed(kind, fields, &extras),
        pruned: is_stub(&text),
        media: pictures(&extras),
    };
    Part { status: status.map(Status::Exit), ..part(kind, text, slot) }
}

/// The exit status of a notebook cell: its kernel prints a traceback, or only an error line. Of a shell in it, the
/// kernel tells nothing; pip says so itself if it installed what it was to.
fn of_cell(kind: &str, extras: &Object<'_>, text: &str) -> Option<i32> {
    if kind != "run_ipython" {
        return None;
    }
    if text.contains("Traceback (most recent call last)") {
        return Some(1);
    }
    let code = extras.text("code").unwrap_or_default();
    let in_shell = code.lines().any(|line| SHELLS.iter().any(|shell| line.trim_start().starts_with(shell)));
    let installed = || INSTALLED.iter().any(|said| text.lines().any(|line| line.starts_with(said)));
    let error = |line: &str| line.split(' ').next().is_some_and(|word| word.ends_with("Error:"));
    (!text.lines().any(error) && (!in_shell || installed())).then_some(0)
}

/// Beginnings of lines of a cell that run a shell, and of those with which pip says that all is installed.
const SHELLS: [&str; 7] = ["!", "%pip ", "%conda ", "%sx ", "%system ", "%%bash", "%%sh"];
const INSTALLED: [&str; 2] = ["Successfully installed ", "Requirement already satisfied: "];

fn failed(kind: &str, fields: &Object<'_>, extras: &Object<'_>) -> bool {
    let code = exit_status(fields, extras);
    matches!(kind, "error" | "user_rejected") || extras.is_true("error") || code.is_some_and(|code| code > 0)
}

/// The exit status of a command. A negative number means that it is still running: `None`.
fn exit_status(fields: &Object<'_>, extras: &Object<'_>) -> Option<i32> {
    let code = extras.object("metadata").and_then(|metadata| metadata.whole("exit_code"));
    let code = code.or_else(|| extras.get("exit_code").or(fields.get("exit_code")).and_then(Json::whole));
    code.and_then(|code| i32::try_from(code).ok())
}

/// The images sent to the model with a result: those of a notebook, and the page that an action of the browser changed.
fn pictures(extras: &Object<'_>) -> Vec<Media> {
    let filled = |key: &str| extras.text(key).is_some_and(|data| !data.trim().is_empty());
    let acted = extras.is("trigger_by_action", "browse_interactive");
    let page = acted && (filled("set_of_marks") || filled("screenshot"));
    let cells = extras.array("image_urls").unwrap_or_default().into_iter().filter_map(Json::text);
    vec![Media::Image; cells.filter(|url| !url.trim().is_empty()).count() + usize::from(page)]
}
