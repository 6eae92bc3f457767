//! The neutral form that stands between source and target: turns in order, every result with its call.

use super::medium::Medium;
use crate::transcript::{Role, Usage};
use std::borrow::Cow;

/// A conversation as the source's harness would load it.
#[derive(Debug, Default)]
pub(super) struct Conversation<'t> {
    /// The turns in order.
    pub(super) turns: Vec<Turn<'t>>,
    /// The tools that the model was offered, where the source says so.
    pub(super) tools: Vec<Tool<'t>>,
    /// What the source says of the session as a whole.
    pub(super) session: Session<'t>,
}

/// What a source says of its session.
#[derive(Debug, Default)]
pub(super) struct Session<'t> {
    /// The name of the source's format.
    pub(super) format: &'static str,
    /// The folder that the agent worked in.
    pub(super) folder: Option<Cow<'t, str>>,
    /// The hash of the source, which ids are derived from.
    pub(super) hash: String,
    /// The source is a training row, which may well have no system prompt.
    pub(super) row: bool,
}

/// What somebody said, and, for the assistant, what its calls gave.
#[derive(Debug, Default)]
pub(super) struct Turn<'t> {
    /// System, user or assistant; results stand with their calls.
    pub(super) role: Role,
    /// It is the harness that speaks in the user's name.
    pub(super) harness: bool,
    /// It is the summary of what stood before it.
    pub(super) summary: bool,
    /// What was said, in order.
    pub(super) pieces: Vec<Piece<'t>>,
    /// The results of its calls, in the order in which they came.
    pub(super) answers: Vec<Answer<'t>>,
    /// The model.
    pub(super) model: Option<Cow<'t, str>>,
    /// The provider's count.
    pub(super) usage: Option<Usage>,
    /// Milliseconds since 1970.
    pub(super) time: Option<i64>,
}

/// A piece of what was said.
#[derive(Debug)]
pub(super) enum Piece<'t> {
    /// Words.
    Text(Cow<'t, str>),
    /// Reasoning.
    Thought(Thought<'t>),
    /// An image, a document, sound.
    Medium(Medium<'t>),
    /// A call.
    Call(Call<'t>),
}

/// The model's reasoning.
#[derive(Debug)]
pub(super) struct Thought<'t> {
    /// What it says; may be empty where only the provider can read it.
    pub(super) text: Cow<'t, str>,
    /// The block that Anthropic signed, as stored.
    pub(super) block: Option<&'t str>,
    /// It carries a signature or an encrypted copy of any provider.
    pub(super) signed: bool,
}

/// A call of a tool.
#[derive(Debug)]
pub(super) struct Call<'t> {
    /// Its id, which no other call of the conversation has.
    pub(super) id: Cow<'t, str>,
    /// The tool.
    pub(super) name: &'t str,
    /// The arguments as stored: JSON, or words.
    pub(super) arguments: &'t str,
}

/// What a call gave.
#[derive(Debug)]
pub(super) struct Answer<'t> {
    /// The id of its call.
    pub(super) id: Cow<'t, str>,
    /// The tool.
    pub(super) tool: &'t str,
    /// What a model reads.
    pub(super) text: Cow<'t, str>,
    /// Media in it.
    pub(super) media: Vec<Medium<'t>>,
    /// The tool failed.
    pub(super) error: bool,
    /// Milliseconds since 1970.
    pub(super) time: Option<i64>,
}

/// A tool that the model was offered.
#[derive(Debug)]
pub(super) struct Tool<'t> {
    /// Its name.
    pub(super) name: Cow<'t, str>,
    /// What it does.
    pub(super) description: Option<Cow<'t, str>>,
    /// The JSON schema of its arguments, in one line.
    pub(super) parameters: Option<Cow<'t, str>>,
}

impl<'t> Turn<'t> {
    /// A turn of the user.
    pub(super) fn of_user(harness: bool, pieces: Vec<Piece<'t>>, time: Option<i64>) -> Self {
        Self { role: Role::User, harness, pieces, time, ..Self::default() }
    }

    /// Its words, without reasoning.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Text(text) => Some(&**text),
            _ => None,
        })
    }

    /// Its words in one string; a blank line stands between pieces.
    pub(super) fn text(&self) -> String {
        self.texts().collect::<Vec<_>>().join(GLUE)
    }

    /// Its reasoning in one string, if it says something.
    pub(super) fn thoughts(&self) -> Option<String> {
        let all = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Thought(thought) if !thought.text.is_empty() => Some(&*thought.text),
            _ => None,
        });
        let all = all.collect::<Vec<_>>().join(GLUE);
        (!all.is_empty()).then_some(all)
    }

    /// Its calls.
    pub(super) fn calls(&self) -> impl Iterator<Item = &Call<'t>> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Call(call) => Some(call),
            _ => None,
        })
    }

    /// Whether any medium is left in what was said.
    pub(super) fn has_media(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Medium(_)))
    }
}

/// What stands between texts that become one.
pub(super) const GLUE: &str = "\n\n";
