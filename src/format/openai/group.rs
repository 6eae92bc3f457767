//! Group chats (AutoGen 0.2): the other agents speak as users too, each under its own name.

use super::super::shared::json::Object;
use crate::transcript::{Author, Message, Role};
use std::borrow::Cow;

/// Names of a person, or of the agent that speaks for one.
const PERSONS: [&str; 7] = ["admin", "human", "human_user", "user", "user_proxy", "userproxy", "userproxyagent"];

/// The names under which messages speak.
#[derive(Debug, Default)]
pub(super) struct Speakers<'a> {
    /// The messages of persons, with their names.
    users: Vec<(usize, Option<Cow<'a, str>>)>,
    /// Whether an answer has a name.
    named: bool,
}

impl<'a> Speakers<'a> {
    /// Notes who speaks in the message at an index.
    pub(super) fn note(&mut self, at: usize, message: &Message<'a>, object: &Object<'a>) {
        let name = object.text("name").filter(|name| !name.is_empty());
        match message.author {
            Author::Person => self.users.push((at, name)),
            Author::Model => self.named |= name.is_some(),
            _ => {}
        }
    }

    /// Makes the messages of other agents the model's. With one name, or persons who chat, all are persons.
    pub(super) fn tell_agents(&self, messages: &mut [Message<'a>]) {
        let Some((_, first)) = self.users.first() else { return };
        let is_person = |name: &str| PERSONS.contains(&&*name.to_lowercase());
        if !self.named && !first.as_deref().is_some_and(is_person) {
            return;
        }
        let others = self.users.iter().filter(|(_, name)| name.as_deref().is_some_and(|name| !is_person(name)));
        for (at, _) in others.filter(|(_, name)| name != first) {
            if let Some(message) = messages.get_mut(*at).filter(|message| message.role == Role::User) {
                message.author = Author::Model;
            }
        }
    }
}
