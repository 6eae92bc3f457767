//! Reads the nodes of a tree as messages.

use crate::format::openai::Waiting;
use crate::format::shared::json::{Json, Object};
use crate::format::shared::slot::{arguments, fixed, joined, part, string, within};
use crate::format::shared::synthetic;
use crate::format::shared::tree::{Node, Tree};
use crate::transcript::{Author, Media, Message, Part, PartKind, Role, Shape, Slot, Traits, Transcript};
use std::borrow::Cow;

/// The roles of messages.
const ROLES: [&str; 4] = ["system", "user", "assistant", "tool"];
/// The recipient of what is said to the user.
const ALL: &str = "all";
/// Fields of a content that may hold its text, besides `parts`.
const TEXTS: [&str; 6] = ["text", "result", "content", "user_profile", "user_instructions", "model_set_context"];
/// A line for the screen: for how long the model thought.
const RECAP: &str = "reasoning_recap";
/// What a user has written for all conversations: sent in his name, it binds like a system prompt.
const CONTEXT: &str = "user_editable_context";

/// Reads a conversation.
pub(super) fn read<'a>(tree: &Tree<'a>, first_line: usize, traits: Traits) -> Transcript<'a> {
    let (mut told, mut aside) = (Reader::new(tree.source), Reader::new(tree.source));
    let mut read = |node: &Node<'a>, live: bool| if live { told.node(node) } else { aside.node(node) };
    tree.transcript((first_line, traits), &mut read, &|node| speaker(node).is_some())
}

/// The role of a node whose message was not read though it says something.
pub(super) fn speaker<'a>(node: &Node<'a>) -> Option<Cow<'a, str>> {
    let message = node.fields.object("message")?;
    let says = message
        .object("content")
        .is_some_and(|content| content.fields().iter().any(|(key, it)| key != "content_type" && it.holds_something()));
    let role = message.object("author")?.text("role")?;
    Some(role).filter(|role| says && !ROLES.contains(&&**role))
}

/// Reads messages in the order in which they were said.
struct Reader<'a> {
    source: &'a [u8],
    /// Calls that no tool has answered yet.
    waiting: Waiting<'a>,
    /// The call that was answered last.
    answered: Option<Cow<'a, str>>,
}

impl<'a> Reader<'a> {
    fn new(source: &'a [u8]) -> Self {
        Self { source, waiting: Waiting::default(), answered: None }
    }

    /// The message of a node, without parts if it says nothing; `None` if it has none, or one of an unknown role.
    fn node(&mut self, node: &Node<'a>) -> Option<Message<'a>> {
        let fields = node.fields.object("message")?;
        let author = fields.object("author")?;
        let content = fields.get("content").and_then(|value| Some((value, value.object()?)));
        let parts = content.as_ref().map(|(value, content)| self.parts(*value, content)).unwrap_or_default();
        let metadata = fields.object("metadata").unwrap_or_default();
        let message = Message {
            parts,
            model: metadata.text("model_slug"),
            timestamp: fields.get("create_time").filter(|time| !time.is_null()).map(Json::spelled),
            cut_off: metadata.object("finish_details").is_some_and(|it| it.is("type", "max_tokens")),
            ..Message::default()
        };
        Some(match &*author.text("role")? {
            "system" => Message { role: Role::System, author: Author::System, ..message },
            "user" => self.asked(message, content.as_ref().map(|(_, content)| content)),
            "assistant" => self.answer(message, (&node.id, &fields)),
            "tool" => {
                let whole = fields.get("content").unwrap_or(node.value);
                self.returned(message, (author.text("name"), whole))
            }
            _ => return None,
        })
    }

    fn asked(&mut self, message: Message<'a>, content: Option<&Object<'a>>) -> Message<'a> {
        let about = content.is_some_and(|content| content.is("content_type", CONTEXT));
        (self.waiting, self.answered) = (Waiting::default(), None);
        if about {
            return Message { role: Role::System, author: Author::System, ..message };
        }
        Message { role: Role::User, author: synthetic::user_author(&message.parts), ..message }
    }

    /// A message of the model's: a call if it goes to a tool. The call has the id of its node.
    fn answer(&mut self, message: Message<'a>, (id, fields): (&Cow<'a, str>, &Object<'a>)) -> Message<'a> {
        let message = Message { role: Role::Assistant, author: Author::Model, ..message };
        let tool = fields.text("recipient").filter(|recipient| !recipient.is_empty() && recipient != ALL);
        let (Some(name), [said]) = (tool, &message.parts[..]) else { return message };
        if said.kind != PartKind::Text {
            return message;
        }
        self.waiting.add(id.clone(), name.clone());
        let given = Json::at(self.source, &said.slot.content);
        let slot = given.map_or_else(|| said.slot.clone(), |given| arguments(self.source, given, Some(given)));
        let parts = vec![part(PartKind::Call { id: id.clone(), name }, said.text.clone(), slot)];
        Message { parts, ..message }
    }

    /// What a tool returned. More than one message of a call's belongs to it; one without a call is the harness's.
    fn returned(&mut self, message: Message<'a>, (tool, content): (Option<Cow<'a, str>>, Json<'a>)) -> Message<'a> {
        let named = tool.as_deref().and_then(|tool| self.waiting.take(Some(tool)));
        if let Some(id) = named.or_else(|| self.waiting.take(None)) {
            self.answered = Some(id.clone());
            let result = self.result(message.parts, (id, tool), content);
            return Message { role: Role::Tool, author: Author::Tool, parts: vec![result], ..message };
        }
        match &self.answered {
            Some(id) => Message { role: Role::Tool, author: Author::Harness, belongs_to: Some(id.clone()), ..message },
            None => Message { role: Role::User, author: Author::Harness, ..message },
        }
    }

    /// The parts of what a tool returned as one result, empty if there are none; it can be replaced if it is one text.
    fn result(
        &self,
        parts: Vec<Part<'a>>,
        (id, tool): (Cow<'a, str>, Option<Cow<'a, str>>),
        content: Json<'a>,
    ) -> Part<'a> {
        let whole = fixed(self.source, content);
        let media =
            parts.iter().filter_map(|part| if let PartKind::Media(media) = part.kind { Some(media) } else { None });
        let media = media.collect();
        let slot = match &parts[..] {
            [only] if only.kind == PartKind::Text => Slot { part: whole.part, ..only.slot.clone() },
            _ => whole,
        };
        let text = joined(parts.into_iter().filter(|part| part.kind == PartKind::Text).map(|part| part.text).collect());
        let pruned = synthetic::is_stub(&text);
        part(PartKind::Result { id, tool, error: false, pruned, media }, text, slot)
    }

    /// The parts of a content. Empty texts say nothing.
    fn parts(&self, value: Json<'a>, content: &Object<'a>) -> Vec<Part<'a>> {
        if let Some(thoughts) = content.array("thoughts") {
            let thought = |value: Json<'a>| value.object()?.text("content").filter(|text| !text.is_empty());
            let text = joined(thoughts.into_iter().filter_map(thought).collect());
            let kind = PartKind::Reasoning { signed: false };
            return if text.is_empty() { Vec::new() } else { vec![part(kind, text, fixed(self.source, value))] };
        }
        if content.is("content_type", RECAP) {
            return Vec::new();
        }
        let listed = content.array("parts").unwrap_or_default().into_iter().filter_map(|value| self.part(value));
        let listed: Vec<_> = listed.collect();
        if content.has("parts") {
            return listed;
        }
        let texts = TEXTS.iter().filter_map(|key| content.get(key)).filter(|text| text.says());
        texts.map(|text| part(PartKind::Text, text.spelled(), string(self.source, text))).collect()
    }

    /// An element of `parts`: a text, what was said aloud, or a medium.
    fn part(&self, value: Json<'a>) -> Option<Part<'a>> {
        let Some(fields) = value.object() else {
            return value.says().then(|| part(PartKind::Text, value.spelled(), string(self.source, value)));
        };
        if let Some(text) = fields.get("text").filter(|text| text.says()) {
            return Some(part(PartKind::Text, text.spelled(), within(self.source, value, Some((text, Shape::Text)))));
        }
        let kind = fields.text("content_type").unwrap_or_default();
        let medium = match () {
            () if kind.contains("image") => Media::Image,
            () if kind.contains("audio") => Media::Audio,
            () => Media::Other,
        };
        Some(part(PartKind::Media(medium), Cow::default(), fixed(self.source, value)))
    }
}
