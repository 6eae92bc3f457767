//! V0 events: the table of actions and observations, and how the model reads each (`ConversationMemory` of OpenHands).

use super::calls::Calls;
use super::event::{Event, Kind, id, message, text_part};
use super::v0_parts::{self as parts, Answer};
use super::view::{self, Forgotten};
use crate::format::shared::json::{Json, Object};
use crate::format::shared::slot::{fixed, part};
use crate::format::shared::synthetic;
use crate::transcript::{Author, Class, Message, Part, PartKind};
use std::borrow::Cow;
use std::collections::HashSet;

/// Actions that are tool calls, although the event does not say so.
const TOOLS: [&str; 14] = [
    "run",
    "run_ipython",
    "read",
    "write",
    "edit",
    "browse",
    "browse_interactive",
    "call_tool_mcp",
    "delegate",
    "think",
    "task_tracking",
    "push",
    "send_pr",
    "kill",
];

/// Actions that only control the agent.
const STEERING: [&str; 8] =
    ["recall", "change_agent_state", "null", "pause", "resume", "stop", "start", "condensation_request"];

/// Reads V0 events in order.
pub(super) struct V0<'a> {
    source: &'a [u8],
    calls: Calls<'a>,
    /// Answers of the model with several calls whose text was read; every event of such an answer repeats it.
    answers: HashSet<Cow<'a, str>>,
    /// For events without a source: whether only the user can speak next.
    users_turn: bool,
}

impl<'a> V0<'a> {
    /// Makes a reader for events within `source`.
    pub(super) fn new(source: &'a [u8]) -> Self {
        Self { source, calls: Calls::default(), answers: HashSet::new(), users_turn: true }
    }

    /// Reads the next event.
    pub(super) fn event(&mut self, fields: &Object<'a>) -> Event<'a> {
        let hidden = |key: &str| fields.object(key).is_some_and(|inner| inner.is_true("hidden"));
        let cause = id(fields, "cause");
        let mut event = match (fields.text("action"), fields.text("observation")) {
            (Some(_), None) | (None, Some(_)) if hidden("args") || hidden("extras") => {
                Kind::Other(Class::Place).after(cause)
            }
            (Some(action), None) => self.action(&action, fields).after(cause),
            (None, Some(observation)) => self.observation(&observation, fields, cause),
            _ => Kind::Other(Class::Opaque).alone(),
        };
        if let Kind::Message(message) | Kind::Condensation(_, Some(message)) = &mut event.kind {
            message.timestamp = fields.text("timestamp");
        }
        event
    }

    fn action(&mut self, action: &str, fields: &Object<'a>) -> Kind<'a> {
        // The oldest events hold the arguments beside the action's name.
        let inner = fields.object("args");
        let args = inner.as_ref().unwrap_or(fields);
        let by = fields.text("source");
        match action {
            "system" => Kind::Message(message(Author::System, self.texts(args, "content"))),
            "message" => Kind::Message(self.words(by.as_deref(), args)),
            "finish" | "reject" => Kind::Message(self.end(by.as_deref(), fields, args)),
            "condensation" => self.condensation(args),
            "loop_recovery" => Kind::Other(Class::Ui),
            _ if STEERING.contains(&action) || by.as_deref() == Some("environment") => Kind::Other(Class::Place),
            _ if TOOLS.contains(&action) || fields.has("tool_call_metadata") => {
                Kind::Message(self.call((action, by.as_deref() == Some("user")), fields, args))
            }
            _ => Kind::Other(Class::Opaque),
        }
    }

    fn texts(&self, fields: &Object<'a>, key: &str) -> Vec<Part<'a>> {
        text_part(self.source, fields, key).into_iter().collect()
    }

    /// A message of a person or the model, with its images.
    fn words(&mut self, by: Option<&str>, args: &Object<'a>) -> Message<'a> {
        let author = match by {
            Some("user") => Author::Person,
            Some("agent") => Author::Model,
            None if !self.users_turn => Author::Model,
            None => Author::Person,
            Some(_) => Author::Harness,
        };
        let mut all = self.texts(args, "content");
        self.users_turn = author == Author::Model || all.iter().any(|said| synthetic::is_summary(&said.text));
        all.extend(parts::images(self.source, args));
        message(author, all)
    }

    /// The last message: formally a call, but nothing answers it, and the model reads it as text.
    fn end(&mut self, by: Option<&str>, fields: &Object<'a>, args: &Object<'a>) -> Message<'a> {
        self.users_turn = true;
        let answer = Answer::of(fields);
        let author = if by == Some("user") { Author::Harness } else { Author::Model };
        let mut all = self.texts(args, "thought");
        if all.is_empty() {
            all.extend(answer.as_ref().and_then(|answer| answer.words(self.source)));
        }
        let last = text_part(self.source, args, "final_thought");
        all.extend(last.filter(|last| all.iter().all(|said| said.text != last.text)));
        let mut message = message(author, all);
        if let Some(answer) = answer {
            answer.tell(&mut message);
        }
        message
    }

    /// A tool call. The text before the calls is repeated in every event of the same answer; it is read once.
    fn call(&mut self, (action, by_person): (&str, bool), fields: &Object<'a>, args: &Object<'a>) -> Message<'a> {
        self.users_turn = false;
        let answer = Answer::of(fields);
        let group = answer.as_ref().and_then(Answer::group);
        let is_first = group.as_ref().is_none_or(|group| self.answers.insert(group.clone()));
        let mut all = Vec::new();
        match &answer {
            Some(answer) if is_first => all.extend(answer.words(self.source)),
            None if action != "think" => all.extend(text_part(self.source, args, "thought")),
            _ => {}
        }
        let name = answer.as_ref().and_then(|answer| answer.tool.clone());
        let name = name.or_else(|| args.text("name").filter(|_| action == "call_tool_mcp"));
        let name = name.unwrap_or_else(|| Cow::Owned(action.to_owned()));
        let stored = answer.as_ref().and_then(|answer| answer.call.clone());
        let text = answer.as_ref().and_then(Answer::arguments).unwrap_or_else(|| parts::spelled(args));
        let id = self.calls.make((id(fields, "id"), stored), name.clone(), by_person);
        let place = fields.get("args").or(fields.get("action"));
        all.extend(place.map(|place| part(PartKind::Call { id, name }, text, fixed(self.source, place))));
        let mut message = message(if by_person { Author::Harness } else { Author::Model }, all);
        message.group = group;
        if let Some(answer) = answer.filter(|_| is_first) {
            answer.tell(&mut message);
        }
        message
    }

    fn condensation(&self, args: &Object<'a>) -> Kind<'a> {
        let summary = text_part(self.source, args, "summary").filter(|_| view::has_summary(args));
        let message = summary.map(|summary| message(Author::Summary, vec![summary]));
        Kind::Condensation(Forgotten::read(args), message)
    }

    fn observation(&mut self, kind: &str, fields: &Object<'a>, cause: Option<Cow<'a, str>>) -> Event<'a> {
        let harness = |all| Kind::Message(message(Author::Harness, all)).after(cause.clone());
        match kind {
            "null" | "agent_state_changed" => return Kind::Other(Class::Place).after(cause),
            "loop_detection" => return Kind::Other(Class::Ui).after(cause),
            "condense" => return Kind::Message(message(Author::Summary, self.texts(fields, "content"))).alone(),
            "recall" => {
                let all = parts::recalled(self.source, fields);
                return if all.is_empty() { Kind::Other(Class::Place).after(cause) } else { harness(all) };
            }
            _ => {}
        }
        let stored = fields.object("tool_call_metadata").and_then(|metadata| metadata.text("tool_call_id"));
        let nearest = kind == "delegate" || (cause.is_none() && !fields.has("id"));
        match self.calls.answered(cause.as_ref(), stored.as_ref(), nearest) {
            Some(call) => {
                let author = if call.by_person { Author::Harness } else { Author::Tool };
                let place = fields.get("observation");
                let result = place.map(|place| parts::result(self.source, kind, fields, (call, place)));
                Kind::Message(message(author, result.into_iter().collect())).after(cause)
            }
            None => {
                let all = self.texts(fields, "content");
                if all.is_empty() { Kind::Other(Class::Place).after(cause) } else { harness(all) }
            }
        }
    }
}

/// For each record of a delegate, the record with the call that started it: delegates write into the same stream,
/// between that call and its observation.
pub(super) fn delegated(values: &[Option<Json<'_>>]) -> Vec<Option<usize>> {
    let mut owners = vec![None; values.len()];
    let mut open = Vec::new();
    for (at, value) in values.iter().enumerate() {
        let names = |value: &Json<'_>| memchr::memmem::find(value.raw().as_bytes(), b"\"delegate\"").is_some();
        let Some(fields) = value.filter(names).and_then(Json::object) else { continue };
        if fields.is("action", "delegate") {
            open.push(at);
        } else if let Some(start) = open.pop_if(|_| fields.is("observation", "delegate")) {
            owners[start + 1..at].fill(Some(start));
        }
    }
    owners
}
