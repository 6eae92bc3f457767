//! Reads one OpenAI message: its role, its parts, and the calls that its results answer.

use super::super::shared::dialects::{self, Foreign, Form};
use super::super::shared::json::{Json, Object};
use super::super::shared::synthetic::{self, Mark};
use super::super::shared::weights::is_untrained;
use super::super::shared::{actions, call_text, marks, speakers};
use super::bodies::{arguments_of, body, content_calls, of_body, one_or_more};
use super::content;
use super::group::Speakers;
use super::waiting::Waiting;
use crate::format::shared::slot::{arguments as arguments_slot, fixed, fixed_at, part, string};
use crate::reason::Reason;
use crate::transcript::{Author, Message, Part, PartKind, Role, stored_id};
use foldhash::HashMap;
use std::borrow::Cow;

/// Reads the messages of one transcript in order, and tracks the calls that results refer to.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    source: &'a [u8],
    messages: Vec<Message<'a>>,
    marks: Vec<Mark>,
    tools: HashMap<Cow<'a, str>, Cow<'a, str>>,
    /// Calls that wait for a result.
    waiting: Waiting<'a>,
    /// Whether the newest message is nothing but a call.
    after_call: bool,
    /// The newest result of the environment's behind calls in words, and how many of them still wait.
    observed: Option<(usize, usize)>,
    /// The first result behind calls, if it names neither a call nor a tool.
    unnamed: Option<usize>,
    /// Whether calls could not be read or have no name, so that it is unknown which results answer them.
    unread: bool,
    /// The first message that says something which is not read, such as calls in another format's form.
    foreign: Option<Foreign>,
    /// Who speaks in a group chat.
    speakers: Speakers<'a>,
}

/// Whether an object is a message: it has a known role and content of some kind.
pub(crate) fn is_message(object: &Object<'_>) -> bool {
    let says = ["content", "tool_calls", "function_call", "refusal", "audio"].iter().any(|key| object.has(key));
    role(object).is_some() && says && !object.has("type") && !object.has("message")
}

fn role(object: &Object<'_>) -> Option<Role> {
    speakers::role(&object.text("role")?)
}

/// The role of a message that is a call, written as JSON in its content, as in ms-swift. It joins consecutive ones of
/// the model to one answer; the results come after all calls, in the same order.
pub(super) const CALL: &str = "tool_call";
/// The role of its result, which may also be `tool`.
pub(super) const RESULT: &str = "tool_response";

/// Values of a string of calls that mean no calls.
const NO_CALLS: [&str; 3] = ["", "null", "None"];

/// Whether a message is nothing but a call.
pub(super) fn is_call(object: &Object<'_>) -> bool {
    object.text("role").is_some_and(|role| speakers::makes_calls(&role))
}

impl<'a> Reader<'a> {
    /// Makes a reader for messages within `source`.
    pub(crate) fn new(source: &'a [u8]) -> Self {
        Self {
            source,
            messages: Vec::new(),
            marks: Vec::new(),
            tools: HashMap::default(),
            waiting: Waiting::default(),
            after_call: false,
            observed: None,
            unnamed: None,
            unread: false,
            foreign: None,
            speakers: Speakers::default(),
        }
    }

    /// Reads a message and returns its index, or `None` if the value is not a message.
    pub(crate) fn read(&mut self, value: Json<'a>, record: usize) -> Option<usize> {
        let object = value.object()?;
        let (role, author) = self.speaker(&object)?;
        let metadata = object.object("metadata").unwrap_or_default();
        let group = self.answer(role, is_call(&object));
        if role != Role::Tool && group.is_none() {
            self.answer_all();
            self.waiting.clear();
        }
        let parts = match role {
            Role::Tool => vec![self.result(value, &object, &metadata)],
            _ if self.after_call => self.called(value, object.get("content")),
            _ => self.parts(&object),
        };
        self.foreign =
            self.foreign.or_else(|| self.foreign_in(&parts, record)).or_else(|| unheard(&object, &parts, record));
        // A simulated user (tau2-bench) has tools of its own: a message with nothing but calls asks for nothing.
        let calls = author == Author::Person && parts.iter().any(Part::is_call);
        let author = if calls { synthetic::user_author(&parts) } else { author };
        let time = metadata.object("time").unwrap_or_default();
        self.marks.push(marks::read(&metadata));
        self.messages.push(Message {
            role,
            author,
            parts,
            record,
            group,
            live: true,
            model: object.text("model"),
            usage: object.object("usage").and_then(|usage| super::usage(&usage)),
            timestamp: object.get("timestamp").or(time.get("created")).map(Json::spelled),
            cut_off: object.is("finish_reason", "length"),
            untrained: is_untrained(&object),
            ..Message::default()
        });
        let at = self.messages.len() - 1;
        self.speakers.note(at, &self.messages[at], &object);
        Some(at)
    }

    /// Whether a message has calls or results in another format's form, and none in its own.
    fn foreign_in(&self, parts: &[Part<'a>], record: usize) -> Option<Foreign> {
        let format = match parts {
            [Part { kind: PartKind::Result { .. }, text, slot, .. }] if text.is_empty() => {
                let blocks = Json::at(self.source, &slot.part).and_then(Json::array).unwrap_or_default();
                blocks.into_iter().filter_map(Json::object).find_map(|block| dialects::of_block(&block))
            }
            _ if parts.iter().any(Part::is_call) => None,
            _ => dialects::of_parts(self.source, parts),
        };
        format.map(|format| Foreign { record, form: Form::Of(format) })
    }

    /// The first message that says something which is not read.
    pub(crate) fn foreign(&self) -> Option<Foreign> {
        self.foreign
    }

    /// The role and author of a message. A message of the environment while no call waits is not a result: it goes to
    /// the model like a user message, but no person wrote it.
    fn speaker(&mut self, object: &Object<'a>) -> Option<(Role, Author)> {
        let name = object.text("role")?;
        // Some exports name the subagent as the speaker of its results, too: `assistant-subagent-7`.
        let calls = object.array("tool_calls").is_some_and(|calls| !calls.is_empty())
            || object.object("function_call").is_some_and(|call| call.has("name"));
        let answers = name.contains('-') && !calls && object.text("tool_call_id").is_some_and(|id| !id.is_empty());
        let role = match speakers::role(&name)? {
            Role::Assistant if answers => Role::Tool,
            role => role,
        };
        let alone = speakers::is_environment(&name) && self.waiting.is_empty() && !self.answers_words();
        Some(if alone { (Role::User, Author::Harness) } else { (role, author(role)) })
    }

    /// Whether what the environment says now, which no stored call waits for, answers a call in the words before it.
    fn answers_words(&mut self) -> bool {
        let Some(last) = self.messages.len().checked_sub(1) else { return false };
        let waiting = match self.observed {
            Some((at, left)) if at == last => left,
            _ => actions::calls_in_words(&self.messages[last]),
        };
        self.observed = waiting.checked_sub(1).map(|left| (last + 1, left));
        waiting > 0
    }

    /// The group of a message that continues the answer before it: a separate call, or a message after one.
    fn answer(&mut self, role: Role, is_call: bool) -> Option<Cow<'a, str>> {
        let joins = role == Role::Assistant && (is_call || self.after_call);
        self.after_call = is_call;
        let at = self.messages.len().checked_sub(1)?;
        let before = self.messages.get_mut(at).filter(|before| joins && before.role == Role::Assistant)?;
        Some(before.group.get_or_insert_with(|| Cow::Owned(format!("#{at}"))).clone())
    }

    /// The calls in the content of a call message; content that can't be parsed counts as one call.
    fn called(&mut self, message: Json<'a>, content: Option<Json<'a>>) -> Vec<Part<'a>> {
        let value = content.unwrap_or(message);
        let mut parts = Vec::new();
        if call_text::calls(&value.spelled()).is_some() {
            self.written_call(value, value, &mut parts);
            return parts;
        }
        let kind = self.call_of(None, Cow::Borrowed(""));
        let text = content.map(Json::spelled).unwrap_or_default();
        vec![part(kind, text, fixed(self.source, value))]
    }

    /// Adds a message that was already read, and returns its index.
    pub(super) fn add(&mut self, message: Message<'a>, record: usize) -> usize {
        self.marks.push(Mark::None);
        self.messages.push(Message { record, ..message });
        self.messages.len() - 1
    }

    /// The reason why no message may be removed, if there is one: the calls could not be parsed.
    pub(crate) fn obstacle(&self) -> Option<Reason> {
        self.unread.then_some(Reason::UnreadableCalls)
    }

    /// Returns all messages with their authors, after pairing actions written as text with their observations.
    pub(crate) fn finish(self) -> Vec<Message<'a>> {
        let mut messages = self.finish_unpaired();
        actions::pair(&mut messages);
        messages
    }

    /// Like [`Reader::finish`], but without that pairing: for formats that state actions in another way.
    pub(crate) fn finish_unpaired(mut self) -> Vec<Message<'a>> {
        self.speakers.tell_agents(&mut self.messages);
        synthetic::classify(&mut self.messages, &self.marks);
        self.messages
    }

    fn parts(&mut self, object: &Object<'a>) -> Vec<Part<'a>> {
        let mut parts = content::reasoning(self.source, object);
        if let Some(content) = object.get("content") {
            match content::lone_call(content) {
                Some((id, name, input)) => {
                    let slot = arguments_slot(self.source, content, Some(input));
                    parts.push(part(self.call_of(id, name), input.spelled(), slot));
                }
                None => parts.extend(content::parts(self.source, content)),
            }
        }
        if let Some((text, value)) = object.get("refusal").and_then(|value| Some((value.text()?, value))) {
            parts.push(part(PartKind::Text, text, string(self.source, value)));
        }
        if let Some(audio) = object.get("audio").filter(|audio| !audio.is_null()) {
            parts.push(part(PartKind::Opaque, Cow::Borrowed(""), fixed(self.source, audio)));
        }
        self.calls(object, &mut parts);
        parts
    }

    fn calls(&mut self, object: &Object<'a>, parts: &mut Vec<Part<'a>>) {
        for (block, value) in content_calls(object) {
            self.written_call(block, value, parts);
        }
        for call in object.array("tool_calls").unwrap_or_default() {
            let fields = call.object().unwrap_or_default();
            parts.push(self.call(call, fields.text("id"), body(&fields).as_ref().unwrap_or(&fields)));
        }
        match object.get("tool_calls") {
            Some(value) if value.is_string() => self.spelled_calls(value, |list| list.array(), parts),
            // An object where a list belongs: no reader knows what it holds.
            Some(value) if value.object().is_some() => self.unread |= value.holds_something(),
            _ => {}
        }
        // A column of a table has a call without name and arguments where there is none.
        let stated = |body: &Object<'_>| body.fields().iter().any(|(_, value)| value.holds_something());
        let Some(called) = object.get("function_call") else { return };
        if called.is_string() {
            return self.spelled_calls(called, one_or_more, parts);
        }
        for value in called.array().unwrap_or_else(|| vec![called]) {
            if let Some(body) = value.object().filter(stated) {
                parts.push(self.call(value, None, &body));
            }
        }
    }

    /// Reads calls that are JSON in a string, as tables without nested types store them; `list` takes them from it.
    fn spelled_calls(
        &mut self,
        value: Json<'a>,
        list: fn(Json<'_>) -> Option<Vec<Json<'_>>>,
        parts: &mut Vec<Part<'a>>,
    ) {
        let text = value.text().unwrap_or_default();
        let read = Json::parse(&text).ok().and_then(list);
        self.unread |= read.is_none() && !NO_CALLS.contains(&text.trim());
        let calls = read.unwrap_or_default();
        for fields in calls.into_iter().filter_map(Json::object) {
            let inside = body(&fields);
            let (name, arguments) = of_body(inside.as_ref().unwrap_or(&fields));
            self.unread |= name.is_empty();
            let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
            let kind = self.call_of(fields.text("id").map(owned), owned(name));
            parts.push(part(kind, owned(arguments), fixed(self.source, value)));
        }
    }

    /// Reads calls that the content, or a block of it, holds as text.
    fn written_call(&mut self, block: Json<'a>, value: Json<'a>, parts: &mut Vec<Part<'a>>) {
        let text = value.spelled();
        let Some(calls) = call_text::calls(&text) else {
            return parts.push(part(PartKind::Text, text, fixed(self.source, block)));
        };
        for (name, arguments) in calls {
            let kind = self.call_of(None, Cow::Owned(name));
            parts.push(part(kind, Cow::Owned(arguments), fixed(self.source, block)));
        }
    }

    fn call(&mut self, value: Json<'a>, id: Option<Cow<'a, str>>, body: &Object<'a>) -> Part<'a> {
        let (name, text) = of_body(body);
        // An empty name is one: a call of a tool that nobody named (seed T9).
        let nameless = name.is_empty() && body.text("name").is_none() && value.holds_something();
        self.unread |= nameless;
        let kind = self.call_of(id, name);
        let text = if nameless { value.spelled() } else { text };
        // Free text is not edited.
        let spelled = arguments_of(body).filter(|(key, _)| *key != "input").map(|(_, value)| value);
        part(kind, text, arguments_slot(self.source, value, spelled))
    }

    /// A call, which waits for its result from now on. Without an id, one is synthesized: its result is matched by
    /// position and tool name.
    fn call_of(&mut self, id: Option<Cow<'a, str>>, name: Cow<'a, str>) -> PartKind<'a> {
        let made_up = || Cow::Owned(format!("#{}.{}", self.messages.len(), self.waiting.count()));
        let id = id.filter(|id| !id.is_empty()).unwrap_or_else(made_up);
        self.waiting.add(id.clone(), name.clone());
        self.tools.insert(id.clone(), name.clone());
        PartKind::Call { id, name }
    }

    fn result(&mut self, value: Json<'a>, object: &Object<'a>, metadata: &Object<'a>) -> Part<'a> {
        let said = object
            .text("name")
            .or_else(|| object.text("tool_name"))
            .or_else(|| metadata.text("toolName"))
            .filter(|name| !name.is_empty());
        let inside = object.object("content").unwrap_or_default();
        let listed = || object.array("tool_call_ids")?.into_iter().find_map(Json::text);
        let within = || ["tool_call_id", "tool_use_id", "tool_id"].iter().find_map(|key| inside.text(key));
        // tau2-bench: the result has the id of its call, and says whose tool it was.
        let requested = object.has("requestor");
        let own = || object.text("id").filter(|_| requested);
        let id = object.text("tool_call_id").or_else(listed).or_else(within).or_else(own).filter(|id| !id.is_empty());
        let id = match id {
            Some(id) => {
                self.waiting.answer(id.clone());
                id
            }
            None => {
                let follows = self.messages.last().is_none_or(|last| last.role != Role::Tool);
                self.unnamed = (said.is_none() && follows).then_some(self.messages.len()).or(self.unnamed);
                self.waiting_call(said.as_deref())
            }
        };
        let tool = said.or_else(|| self.tools.get(&id).cloned().filter(|tool| !tool.is_empty()));
        let content = object.get("content").map(|content| content::result(self.source, content));
        let (text, media, slot) = content.unwrap_or_else(|| (Cow::Borrowed(""), Vec::new(), fixed(self.source, value)));
        // AgentDojo: what a failed call says stands beside an empty content.
        let failure = object.get("error").filter(|error| text.trim().is_empty() && media.is_empty() && error.says());
        let (text, slot) = match failure.and_then(|error| Some((error.text()?, string(self.source, error)))) {
            Some(said) => said,
            None => (text, slot),
        };
        let marked = metadata.object("time").and_then(|time| time.get("compacted")).is_some_and(|at| !at.is_null());
        let pruned = marked || synthetic::is_stub(&text);
        let flagged = if inside.has("is_error") { &inside } else { object };
        let flag = if requested { "error" } else { "is_error" };
        let error = flagged.is_true(flag) || failure.is_some();
        let kind = PartKind::Result { id, tool, error, pruned, media };
        Part { status: flagged.status_by_flag(flag), ..part(kind, text, slot) }
    }

    /// Makes one result behind several calls that of all of them, if it does not say whose it is, and they have no ids
    /// by which it could: what it holds of each is not stored apart.
    fn answer_all(&mut self) {
        let Some(at) = self.messages.len().checked_sub(1).filter(|at| self.unnamed == Some(*at)) else { return };
        let ids = self.waiting.rest();
        let own = self.messages[at].results().map(str::to_owned);
        if ids.iter().map(|id| id.to_string()).chain(own).any(|id| stored_id(&id).is_some()) {
            return;
        }
        let tools: Vec<_> = ids.iter().map(|id| self.tools.get(id).cloned().unwrap_or_default()).collect();
        let Some(place) = self.messages[at].parts.first().map(|said| fixed_at(said.slot.part.clone())) else { return };
        let others = ids.into_iter().zip(tools).map(|(id, tool)| actions::empty_result(id, tool, place.clone()));
        self.messages[at].parts.extend(others);
    }

    /// The id of the call that a result without an id answers: the first waiting one of its tool.
    fn waiting_call(&mut self, tool: Option<&str>) -> Cow<'a, str> {
        self.waiting.take(tool).unwrap_or_else(|| Cow::Owned(format!("#{}", self.messages.len())))
    }
}

/// A message with words where none are read, if it has some.
fn unheard(message: &Object<'_>, parts: &[Part<'_>], record: usize) -> Option<Foreign> {
    let words = dialects::words_elsewhere(message, parts).map(Form::Words);
    let blocks = || message.array("content").unwrap_or_default();
    let form = words.or_else(|| blocks().into_iter().any(content::is_unheard).then_some(Form::Block))?;
    Some(Foreign { record, form })
}

fn author(role: Role) -> Author {
    match role {
        Role::System => Author::System,
        Role::User => Author::Person,
        Role::Assistant => Author::Model,
        Role::Tool => Author::Tool,
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::transcript::{Media, Shape};

    fn read(lines: &[&str]) -> Vec<Message<'static>> {
        // Each line is a source of its own, so the spans of these messages are meaningless.
        let mut messages: Vec<Message<'static>> = Vec::new();
        let joined: &'static str = Box::leak(format!("[{}]", lines.join(",")).into_boxed_str());
        let mut reader = Reader::new(joined.as_bytes());
        for (index, value) in Json::parse(joined).unwrap().array().unwrap().into_iter().enumerate() {
            reader.read(value, index).unwrap();
        }
        messages.extend(reader.finish());
        messages
    }

    #[test]
    fn a_result_finds_its_tool_through_the_call_id() {
        let messages = read(&[
            r#"{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"ls","arguments":"{\"p\":1}"}},{"id":"c2","type":"custom","custom":{"name":"sh","input":"ls -l"}}]}"#,
            r#"{"role":"tool","tool_call_id":"c2","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"data:x"}},{"type":"text","text":"b"}]}"#,
        ]);
        assert_eq!(messages[0].parts[0].text, r#"{"p":1}"#);
        assert_eq!(messages[0].parts[1].text, "ls -l");
        let result = &messages[1].parts[0];
        assert_eq!(result.text, "a\nb");
        let (id, tool) = (Cow::Borrowed("c2"), Some(Cow::Borrowed("sh")));
        let expected = PartKind::Result { id, tool, error: false, pruned: false, media: vec![Media::Image] };
        assert_eq!(result.kind, expected);
    }

    #[test]
    fn other_agents_of_a_group_chat_are_no_persons() {
        let authors = |lines: &[(&str, &str)]| -> Vec<Author> {
            let line = |(role, name): &(&str, &str)| {
                let name = if name.is_empty() { String::new() } else { format!(r#""name":"{name}","#) };
                format!(r#"{{"role":"{role}",{name}"content":"The lamp must always burn."}}"#)
            };
            let lines: Vec<String> = lines.iter().map(line).collect();
            read(&lines.iter().map(String::as_str).collect::<Vec<_>>()).iter().map(|message| message.author).collect()
        };
        let (person, model) = (Author::Person, Author::Model);
        let group = [("user", "User"), ("user", "Keeper"), ("assistant", "Pilot"), ("user", "User")];
        assert_eq!(authors(&group), [person, model, model, person]);
        let proxied = [("user", "Ada"), ("user", "Keeper"), ("user", "Mate"), ("assistant", "Pilot"), ("user", "ada")];
        assert_eq!(authors(&proxied), [person, model, model, model, person]);
        let unnamed = [("user", ""), ("user", "Ada"), ("assistant", "Pilot"), ("user", "")];
        assert_eq!(authors(&unnamed), [person, person, model, person]);
        let example = [("user", "example_user"), ("assistant", "example_assistant"), ("user", "ada")];
        assert_eq!(authors(&example), [person, model, person]);
        let in_turn = [("user", "ada"), ("assistant", "bot"), ("user", "ben"), ("user", "ada")];
        assert_eq!(authors(&in_turn), [person, model, person, person]);
        let persons = [("user", "Ada"), ("user", "Ben"), ("assistant", ""), ("user", "Ada")];
        assert_eq!(authors(&persons), [person, person, model, person], "several persons who chat");
        let one = [("user", "Ada"), ("assistant", "Pilot"), ("user", "Ada")];
        assert_eq!(authors(&one), [person, model, person]);
    }

    #[test]
    fn a_block_of_a_kind_of_ones_own_is_read_by_its_text_and_stays_of_its_kind() {
        let line = r#"{"role":"tool","tool_call_id":"c","content":[{"type":"tool_output","text":"a lamp","at":1}]}"#;
        let messages = read(&[line]);
        let part = &messages[0].parts[0];
        assert_eq!((&*part.text, part.slot.content.len(), part.slot.shape), ("a lamp", 8, Shape::Text));
        let answer = r#"{"role":"assistant","content":[{"type":"thinking","thinking":"why"},{"type":"reasoning_text","text":"how"},{"type":"note","text":"so"}]}"#;
        let kinds: Vec<_> =
            read(&[answer])[0].parts.iter().map(|part| (part.kind.clone(), part.text.to_string())).collect();
        let reasoning = |text: &str| (PartKind::Reasoning { signed: false }, text.to_owned());
        assert_eq!(kinds, [reasoning("why"), reasoning("how"), (PartKind::Text, "so".to_owned())]);
    }

    #[test]
    fn what_is_printed_when_a_run_of_mini_swe_agent_ends_is_a_result() {
        let fenced = |command: &str| {
            let said =
                super::super::super::shared::json::quoted(&format!("So:\n```mswea_bash_command\n{command}\n```"));
            format!(r#"{{"role":"assistant","content":{said}}}"#)
        };
        let user = |text: &str| format!(r#"{{"role":"user","content":"{text}"}}"#);
        let echoed = |text: &str| fenced(&format!("echo {text} && git diff"));
        let ended = echoed("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT");
        let ended_by = |ended: &str, answer: &str| -> Vec<Author> {
            let lines = [user("Mend it."), fenced("ls"), user(answer), ended.to_owned(), user("diff --git a/t b/t")];
            read(&lines.each_ref().map(String::as_str)).iter().map(|message| message.author).collect()
        };
        let authors = |answer: &str| ended_by(&ended, answer);
        for text in ["COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "MINI_SWE_AGENT_FINAL_OUTPUT"] {
            let observed = ended_by(&echoed(text), "<returncode>0</returncode>");
            assert_eq!((observed[2], observed[4]), (Author::Tool, Author::Tool), "{text}");
        }
        assert_eq!(authors("Thank you.")[4], Author::Tool, "nobody answers with the patch");
        let answered = [user("Mend it."), ended.clone(), user("Thank you.")];
        let answered = read(&answered.each_ref().map(String::as_str));
        assert_eq!(answered[2].author, Author::Person, "nothing else was observed");
        let pruned = |stub: &str, output: &str| -> Vec<Author> {
            let lines = [user("Mend it."), fenced("ls"), user(stub), ended.clone(), user(output)];
            read(&lines.each_ref().map(String::as_str)).iter().map(|message| message.author).collect()
        };
        let stubbed = pruned("<tool-output-compacted />", "");
        assert_eq!((stubbed[2], stubbed[4]), (Author::Tool, Author::Tool), "nobody says nothing to that");
        assert_eq!(pruned("<tool-output-compacted />", "<tool-output-compacted />")[2..], stubbed[2..]);
        assert_eq!(pruned("[gone]", "")[4], Author::Tool, "with a stub of one's own");
        assert_eq!(pruned("[gone]", "Thank you.")[4], Author::Person);
    }

    #[test]
    fn a_result_without_an_id_answers_the_first_call_of_its_tool_that_waits() {
        let call = |id: &str, name: &str| format!(r#"{{{id}"function":{{"name":"{name}","arguments":"{{}}"}}}}"#);
        let calls = |list: &str| format!(r#"{{"role":"assistant","content":"","tool_calls":{list}}}"#);
        let three = format!(r#"[{},{},{}]"#, call(r#""id":"a","#, "f"), call(r#""id":"b","#, "g"), call("", "f"));
        let results = |ids: [&str; 3]| ids.map(|id| format!(r#"{{"role":"tool",{id}"content":"r"}}"#));
        let ids = |messages: &[Message<'_>]| -> (Vec<String>, Vec<String>) {
            let results = messages.iter().flat_map(|it| it.results().map(str::to_owned)).collect();
            (messages[0].calls().map(str::to_owned).collect(), results)
        };
        let null = r#""tool_call_id":null,"#;
        let flat = r#"[{"name":"f","arguments":{}},{"name":"g","arguments":{}},{"name":"f","arguments":{}}]"#;
        for list in [&three, flat, &super::super::super::shared::json::quoted(&three)] {
            let list = calls(list);
            let [first, second, third] = results([null, r#""name":"f","#, r#""tool_call_id":"","#]);
            let (made, answered) = ids(&read(&[&list, &first, &second, &third]));
            assert_eq!(answered, [&*made[0], &made[2], &made[1]], "{list}");
            assert!(made.iter().all(|id| !id.is_empty()));
        }
        let [first, second, third] = results([r#""tool_call_id":"a","#, null, null]);
        let (made, answered) = ids(&read(&[&calls(&three), &first, &second, &third]));
        assert_eq!(answered, made, "one that has a result waits no more");
    }

    #[test]
    fn any_mask_says_that_nothing_is_learned() {
        for mask in
            [r#""weight":0"#, r#""loss_weight":0.0"#, r#""loss":false"#, r#""train":false"#, r#""loss_scale":0"#]
        {
            let said = format!(r#"{{"role":"assistant","content":"x",{mask}}}"#);
            let learned = said.replace(mask, &mask.replace("0.0", "1.0").replace(":0", ":1").replace("false", "true"));
            assert_eq!(read(&[&said, &learned]).iter().map(|it| it.untrained).collect::<Vec<_>>(), [true, false]);
        }
    }

    #[test]
    fn legacy_functions_are_linked_by_adjacency_and_name() {
        let messages = read(&[
            r#"{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}}"#,
            r#"{"role":"function","name":"f","content":"1"}"#,
            r#"{"role":"function","name":"f","content":"2"}"#,
        ]);
        let call: Vec<_> = messages[0].calls().collect();
        assert_eq!(messages[1].results().collect::<Vec<_>>(), call);
        assert_ne!(messages[2].results().collect::<Vec<_>>(), call);
    }

    #[test]
    fn a_result_without_an_id_is_that_of_all_calls_only_where_they_have_none_and_an_answer_follows() {
        let calls = |ids: [&str; 2]| {
            let call = ids.map(|id| format!(r#"{{{id}"function":{{"name":"f","arguments":"{{}}"}}}}"#));
            format!(r#"{{"role":"assistant","tool_calls":[{}]}}"#, call.join(","))
        };
        let (result, answer) = (r#"{"role":"tool","content":"r"}"#, r#"{"role":"assistant","content":"x"}"#);
        let results = |ids: [&str; 2], behind: &[&str]| {
            read(&[&[&*calls(ids), result], behind].concat())[1].results().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(results(["", ""], &[answer]), ["#0.0", "#0.1"]);
        assert_eq!(results(["", ""], &[]), ["#0.0"], "another may come");
        for ids in [[r#""id":"a","#, r#""id":"b","#], [r#""id":"a","#, ""]] {
            assert_eq!(results(ids, &[answer]), ["a"]);
        }
    }

    #[test]
    fn calls_and_results_with_roles_of_their_own_are_linked_by_their_order() {
        let messages = read(&[
            r#"{"role":"assistant","content":"look"}"#,
            r#"{"role":"tool_call","content":"{\"name\":\"f\",\"arguments\":{\"a\":1}}"}"#,
            r#"{"role":"tool_call","content":"{\"name\":\"g\",\"arguments\":{}}"}"#,
            r#"{"role":"tool_response","content":"1"}"#,
            r#"{"role":"tool","content":"2"}"#,
            r#"{"role":"tool_call","content":"Action: h"}"#,
            r#"{"role":"tool_response","content":"3"}"#,
            r#"{"role":"assistant","content":"done"}"#,
        ]);
        let calls: Vec<_> = messages.iter().flat_map(|message| message.calls()).collect();
        assert_eq!(messages.iter().flat_map(|message| message.results()).collect::<Vec<_>>(), calls);
        assert_eq!(messages[1].parts[0].text, r#"{"a":1}"#);
        assert_eq!(messages[5].parts[0].text, "Action: h");
        let groups: Vec<_> = messages.iter().map(|message| message.group.as_deref()).collect();
        assert_eq!(groups, [Some("#0"), Some("#0"), Some("#0"), None, None, None, None, None]);
        let tool = |index: usize| match &messages[index].parts[0].kind {
            PartKind::Result { tool, .. } => tool.as_deref(),
            _ => None,
        };
        assert_eq!([tool(3), tool(4), tool(6)], [Some("f"), Some("g"), None]);
    }

    #[test]
    fn reasoning_is_a_part_and_its_copy_counts_once() {
        let messages = read(&[
            r#"{"role":"assistant","content":"x","reasoning_content":"why","thinking_blocks":[{"type":"thinking","thinking":"why","signature":"s"}]}"#,
        ]);
        assert_eq!(messages[0].parts[0].text, "why");
        assert_eq!(messages[0].parts[1].text, "");
        assert_eq!(messages[0].parts[1].kind, PartKind::Reasoning { signed: true });
    }

    #[test]
    fn continue_is_a_persons_word_unless_a_summary_stands_before() {
        let messages = read(&[
            r#"{"role":"user","content":"continue"}"#,
            r#"{"role":"system","content":"<prior-conversation-summary>\nx\n</prior-conversation-summary>"}"#,
            r#"{"role":"assistant","content":"y"}"#,
            r#"{"role":"user","content":"continue"}"#,
            r#"{"role":"user","content":"continue","metadata":{"compaction_continue":true,"replayed":true}}"#,
        ]);
        let authors: Vec<_> = messages.iter().map(|message| message.author).collect();
        use Author::{Model, Person, Summary};
        assert_eq!(authors, [Person, Summary, Model, Person, Person]);
        assert!(!messages[0].live && messages[1].live);
    }

    #[test]
    fn a_pruned_result_is_known_by_mark_and_by_text() {
        let messages = read(&[
            r#"{"role":"tool","tool_call_id":"a","content":"x","metadata":{"time":{"compacted":5}}}"#,
            r#"{"role":"tool","tool_call_id":"b","content":"<tool-output-compacted />"}"#,
            r#"{"role":"tool","tool_call_id":"c","content":"x","metadata":{"toolName":"skill"}}"#,
        ]);
        let pruned = |index: usize| matches!(messages[index].parts[0].kind, PartKind::Result { pruned: true, .. });
        assert_eq!([pruned(0), pruned(1), pruned(2)], [true, true, false]);
    }

    #[test]
    fn an_observation_may_show_a_picture() {
        let act = r#"{"role":"assistant","content":"Thought: The quay is wet.\n\nAction: Click [4]"}"#;
        let picture = r#"{"type":"image_url","image_url":{"url":"data:,"}}"#;
        let seen = |text: &str, beside: &str| {
            format!(r#"{{"role":"user","content":[{{"type":"text","text":"{text}"}},{beside}]}}"#)
        };
        let observed = seen("Observation: please look at the page. What is next?", picture);
        let messages = read(&[act, &observed, act, &observed]);
        assert_eq!(messages[1].author, Author::Tool);
        assert_eq!(messages[1].results().collect::<Vec<_>>(), messages[0].calls().collect::<Vec<_>>());
        assert_eq!(messages[1].parts[1].kind, PartKind::Media(Media::Image));
        let words = seen("Observation: it is wet.", r#"{"type":"text","text":"Please go on."}"#);
        assert_eq!(read(&[act, &words])[1].author, Author::Person);
    }

    #[test]
    fn a_stub_answers_a_fence_only_where_commands_are_observed() {
        let shown = r#"{"role":"assistant","content":"```\nmake\n```"}"#;
        let stub = r#"{"role":"user","content":"<tool-output-compacted />"}"#;
        let tagged = r#"{"role":"assistant","content":"<function=f>\n</function>"}"#;
        let observed = r#"{"role":"user","content":"OBSERVATION:\nok"}"#;
        for (lines, author) in [
            (&[shown, stub][..], Author::Person),
            (&[tagged, stub], Author::Tool),
            (&[shown, stub, shown, observed], Author::Tool),
        ] {
            assert_eq!(read(lines)[1].author, author, "{lines:?}");
        }
    }

    #[test]
    fn what_harnesses_say_is_no_request_and_answers_the_action_before_it() {
        let said = |role: &str, text: &str| format!(r#"{{"role":"{role}","content":"{text}"}}"#);
        let act = said("assistant", r"Look.\n\n```bash\nsleep 9\n```");
        let late = said("user", "The last command <command>sleep 9</command> timed out and has been killed.");
        let seen = said("user", r"<returncode>0</returncode>\nebb");
        let format = said("user", "Please always provide EXACTLY ONE action in triple backticks, found 0 actions.");
        let words = said("assistant", "I looked.");
        let lines = [said("user", "chart"), act.clone(), late, act, seen, words.clone(), format, words];
        let lines: Vec<&str> = lines.iter().map(|line| &**line).collect();
        let authors: Vec<_> = read(&lines).iter().map(|message| message.author).collect();
        use Author::{Harness, Model, Person, Tool};
        assert_eq!(authors, [Person, Model, Tool, Model, Tool, Model, Harness, Model]);
    }

    #[test]
    fn results_that_name_no_call_answer_the_calls_between_tags_before_them() {
        let calls = r#"{"role":"assistant","content":"Look.\n<tool_call>{\"name\":\"tide\",\"arguments\":{}}</tool_call><tool_call>{\"name\":\"wind\",\"arguments\":{}}</tool_call>"}"#;
        let result = r#"{"role":"tool","content":"<tool_response>ebb</tool_response>"}"#;
        let told = |lines: &[&str]| {
            let kind = |part: &Part<'_>| match &part.kind {
                PartKind::Call { id, name } => format!("{id} {name}"),
                PartKind::Result { id, tool, .. } => format!("{id} of {}", tool.as_deref().unwrap_or("none")),
                _ => part.text.to_string(),
            };
            read(lines).iter().flat_map(|message| message.parts.iter().map(kind)).collect::<Vec<_>>()
        };
        assert_eq!(told(&[calls, result, result]), ["Look.", "#1 tide", "#2 wind", "#1 of tide", "#2 of wind"]);
        let one = ["Look.", "#1 tide", "#action 1.1 wind", "#1 of tide", "#action 1.1 of wind"];
        assert_eq!(told(&[calls, result]), one);
        let named = |tool: &str| format!(r#"{{"role":"tool","name":"{tool}","content":"9"}}"#);
        let turned = told(&[calls, &named("wind"), &named("tide")]);
        assert_eq!(turned, ["Look.", "#2 tide", "#1 wind", "#1 of wind", "#2 of tide"], "by the tools that they name");
        assert_eq!(told(&[calls, &named("oil")]).last().map(String::as_str), Some("#1 of oil"));
        assert_eq!(told(&[calls, result, result, result])[0].matches("tool_call").count(), 4, "of other calls");
        let marked = r#"{"role":"assistant","content":"<|python_tag|>{\"name\":\"tide\",\"parameters\":{\"at\":9}}"}"#;
        for role in ["tool", "function", "ipython"] {
            let result = format!(r#"{{"role":"{role}","content":"ebb"}}"#);
            assert_eq!(told(&[marked, &result]), ["#1 tide", "#1 of tide"], "{role}");
        }
        for role in ["environment", "ipython", "observation"] {
            let result = format!(r#"{{"role":"{role}","content":"ebb"}}"#);
            let messages = read(&[marked, &result, &result, &result]);
            assert_eq!(messages.iter().filter(|message| message.author == Author::Tool).count(), 1, "{role}");
            assert!(messages[2..].iter().all(|message| message.author == Author::Harness), "{role}");
        }
        let shown = r#"{"role":"assistant","content":"Write `<tool_call>{\"name\":\"tide\"}</tool_call>`."}"#;
        assert_eq!(told(&[shown, result]).last().map(String::as_str), Some("#1 of none"));
    }

    #[test]
    fn a_function_call_may_be_a_list_or_a_string_and_its_arguments_parameters() {
        let told = |call: &str| {
            let line = format!(r#"{{"role":"assistant","function_call":{call}}}"#);
            let calls = |message: &Message<'_>| {
                let all = message.parts.iter().map(|part| match &part.kind {
                    PartKind::Call { name, .. } => format!("{name} {}", part.text),
                    _ => String::new(),
                });
                all.collect::<Vec<_>>()
            };
            calls(&read(&[&line])[0])
        };
        assert_eq!(told(r#"[{"name":"tide","arguments":{"at":9}},{"name":"wind"}]"#), [r#"tide {"at":9}"#, "wind "]);
        assert_eq!(told(r#""{\"name\":\"tide\",\"arguments\":{}}""#), ["tide {}"]);
        for none in ["", r#""arguments":null,"#] {
            let call = format!(r#"{{"name":"tide",{none}"parameters":{{"at":9}}}}"#);
            assert_eq!(told(&call), [r#"tide {"at":9}"#]);
        }
        assert_eq!((told("null"), told(r#""""#), told("{}")), (Vec::new(), Vec::new(), Vec::new()));
    }
}
