//! Group chats (AutoGen 0.2): the other agents speak as users too, each under its own name.

use super::super::shared::json::Object;
use crate::transcript::{Author, Message, Role};
use std::borrow::Cow;

/// Beginning of the names of those who speak in an example.
const EXAMPLE: &str = "example_";
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

    /// Makes the messages of other agents the model's. With one name, or persons who chat with a model in turn, all are
    /// persons: agents answer each other.
    pub(super) fn tell_agents(&self, messages: &mut [Message<'a>]) {
        let Some((_, Some(first))) = self.users.first() else { return };
        let first = first.to_lowercase();
        let is_person = |name: &str| PERSONS.contains(&name) || name.starts_with(EXAMPLE) || name == first;
        if !self.named && !PERSONS.contains(&&*first) {
            return;
        }
        let named = self.users.iter().map(|(at, name)| (*at, name.as_deref().unwrap_or_default().to_lowercase()));
        let named: Vec<(usize, String)> = named.filter(|(_, name)| !name.is_empty()).collect();
        let is_agent = |(_, name): &&(usize, String)| !is_person(name);
        let answers = |two: &[(usize, String)]| {
            let [before, own] = two else { return false };
            let behind = own.0 == before.0 + 1 && own.1 != before.1 && is_agent(&own);
            behind && (is_agent(&before) || PERSONS.contains(&&*first))
        };
        if !named.windows(2).any(answers) {
            return;
        }
        for (at, _) in named.iter().filter(is_agent) {
            if let Some(message) = messages.get_mut(*at).filter(|message| message.role == Role::User) {
                message.author = Author::Model;
            }
        }
    }
}
