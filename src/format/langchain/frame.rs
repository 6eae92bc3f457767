//! The forms in which a message is serialized, and what stands around its fields in each.

use crate::format::shared::json::{Json, Object, quoted};
use crate::format::shared::speakers;
use crate::transcript::Role;
use std::borrow::Cow;

/// The names of the classes of messages, without `Message` and `Chunk`; `chat` messages state a role of their own.
const KINDS: [(&str, &str, Role); 5] = [
    ("human", "Human", Role::User),
    ("ai", "AI", Role::Assistant),
    ("system", "System", Role::System),
    ("tool", "Tool", Role::Tool),
    ("function", "Function", Role::Tool),
];
const CHAT: &str = "chat";

/// Where the fields of a message are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frame {
    /// In the object itself.
    Bare,
    /// In the object itself, which names a role as OpenAI's messages do: LangChain takes such messages among its own.
    Role,
    /// In its `data`; the type is beside it.
    Data,
    /// In the `kwargs` of a constructor, whose class is the last name of its `id`.
    Constructor,
}

/// A message without what is around it.
pub(super) struct Framed<'a> {
    /// Where its fields are.
    pub(super) frame: Frame,
    /// Its fields.
    pub(super) fields: Object<'a>,
    /// Its role.
    pub(super) role: Role,
    /// The name of its kind as it is written: `ai`, `AIMessageChunk`.
    name: Cow<'a, str>,
}

impl<'a> Framed<'a> {
    /// The message in an object; `None` if it holds none.
    pub(super) fn new(record: &Object<'a>) -> Option<Self> {
        let constructs = record.is("type", "constructor");
        let (frame, name, fields) = match () {
            () if constructs => (Frame::Constructor, class(record)?, record.object("kwargs")?),
            () if record.has("content") && record.has("type") => (Frame::Bare, record.text("type")?, record.clone()),
            () if record.has("content") => (Frame::Role, record.text("role")?, record.clone()),
            () => (Frame::Data, record.text("type")?, record.object("data")?),
        };
        let plain = plain(&name);
        let role = match KINDS.iter().find(|(kind, class, _)| plain == *kind || plain == *class) {
            _ if frame == Frame::Role => speakers::role(&name)?,
            Some((.., role)) => *role,
            None if plain.eq_ignore_ascii_case(CHAT) => speakers::role(&fields.text("role")?)?,
            None => return None,
        };
        fields.has("content").then_some(Self { frame, fields, role, name })
    }

    /// Whether the message can't be of another program: constructors tell, and `human`, `ai` and names of classes do;
    /// many programs write a `type` of `system` or `tool`.
    pub(super) fn tells(&self) -> bool {
        let sides = matches!(plain(&self.name), "human" | "Human" | "ai" | "AI");
        self.frame == Frame::Constructor || self.frame != Frame::Role && (sides || self.names_class())
    }

    /// Whether the message has what only LangChain writes.
    pub(super) fn is_langchains(&self) -> bool {
        let fields = ["additional_kwargs", "response_metadata", "tool_calls", "tool_call_id"];
        let wrapped = matches!(self.frame, Frame::Data | Frame::Constructor);
        wrapped || self.names_class() || fields.iter().any(|key| self.fields.has(key))
    }

    fn names_class(&self) -> bool {
        plain(&self.name).len() < self.name.len()
    }

    /// The JSON of a new message of the user's or the model's (`side`), in the form of the message in the `record`.
    pub(super) fn like(&self, record: &Object<'_>, side: Role, text: &str) -> String {
        let kind = KINDS.iter().find(|(.., role)| *role == side).unwrap_or(&KINDS[0]);
        let (name, text) = (kind.0, quoted(text));
        let role = if self.fields.has("role") { format!(r#""role":"{}","#, side.name()) } else { String::new() };
        match self.frame {
            Frame::Bare if self.names_class() => format!(r#"{{"type":"{}Message",{role}"content":{text}}}"#, kind.1),
            Frame::Bare => format!(r#"{{"type":"{name}",{role}"content":{text}}}"#),
            Frame::Role => format!(r#"{{"role":"{}","content":{text}}}"#, side.name()),
            Frame::Data => format!(r#"{{"type":"{name}","data":{{"content":{text},"type":"{name}"}}}}"#),
            Frame::Constructor => {
                let names = record.array("id").unwrap_or_default();
                let before = names.split_last().map_or(&[][..], |(_, before)| before);
                let path: String = before.iter().map(|name| format!("{},", name.raw())).collect();
                let id = format!(r#"[{path}"{}Message"]"#, kind.1);
                let typed = if self.fields.has("type") { format!(r#","type":"{name}""#) } else { String::new() };
                format!(r#"{{"lc":1,"type":"constructor","id":{id},"kwargs":{{"content":{text}{typed}}}}}"#)
            }
        }
    }
}

/// Whether an object is a message.
pub(super) fn is_message(record: &Object<'_>) -> bool {
    Framed::new(record).is_some()
}

/// The name of the class that a constructor makes.
fn class<'a>(record: &Object<'a>) -> Option<Cow<'a, str>> {
    record.array("id")?.last().copied().and_then(Json::text)
}

/// The name of a kind of message without what names of classes end in.
fn plain(name: &str) -> &str {
    let name = name.strip_suffix("Chunk").unwrap_or(name);
    name.strip_suffix("Message").unwrap_or(name)
}
