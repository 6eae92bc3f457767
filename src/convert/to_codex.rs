//! Target `codex`: a rollout, with a line about the thread, then one response item per line, and the events by which
//! Codex lists sessions.

use super::conversation::{Answer, Piece, Turn};
use super::fields::{Fields, array, quoted, string};
use super::losses::{Loss, Losses};
use super::medium::Medium;
use super::target::{Holds, Images, Output, ROWS, Target, Times, Written};
use super::time::{Clock, iso};
use super::uuid::uuid;
use crate::transcript::Role;

/// One rollout per file.
pub(super) struct Codex;

impl Target for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn output(&self) -> Output {
        Output::File("jsonl")
    }

    fn holds(&self) -> Holds {
        Holds { images: Images::Anywhere, tools: false, times: Times::All, ..ROWS }
    }

    fn write(&self, Written(conversation): &Written<'_, '_>, losses: &mut Losses) -> String {
        let session = &conversation.session;
        let mut log = Log::default();
        let start = iso(conversation.turns.iter().find_map(|turn| turn.time).unwrap_or_default());
        let meta = Fields::new().text("id", &uuid(&session.hash, 0)).text("timestamp", &start);
        let meta = meta.text("cwd", session.folder.as_deref().unwrap_or("/")).text("originator", "epitome");
        let meta = meta.text("cli_version", "0.0.0").text("source", "cli").text("model_provider", "openai");
        log.line(&start, "session_meta", &meta.done());
        let announced = announced(&conversation.turns);
        for (at, turn) in conversation.turns.iter().enumerate() {
            log.turn(turn, announced == Some(at), losses);
        }
        log.text
    }
}

/// A rollout being written.
#[derive(Default)]
struct Log {
    text: String,
    clock: Clock,
}

impl Log {
    fn line(&mut self, time: &str, kind: &str, payload: &str) {
        let line = Fields::new().text("timestamp", time).text("type", kind).raw("payload", payload).done();
        self.text += &line;
        self.text.push('\n');
    }

    fn turn(&mut self, turn: &Turn<'_>, announced: bool, losses: &mut Losses) {
        let time = iso(self.clock.at(turn.time));
        let items = if turn.role == Role::Assistant { answer(turn, losses) } else { vec![message_item(turn)] };
        items.iter().for_each(|item| self.line(&time, "response_item", item));
        if turn.role == Role::User && (!turn.harness || announced) {
            let event = Fields::new().text("type", "user_message").text("message", &turn.text()).text("kind", "plain");
            self.line(&time, "event_msg", &event.done());
        }
        for answer in &turn.answers {
            let time = iso(self.clock.at(answer.time));
            self.line(&time, "response_item", &result(answer));
        }
    }
}

/// Index of the turn that is announced as the user's if no turn is a person's: the opening request, such as that of
/// another agent. Codex lists no session without such an event.
fn announced(turns: &[Turn<'_>]) -> Option<usize> {
    let is_user = |turn: &Turn<'_>| turn.role == Role::User && !turn.summary && !turn.text().trim().is_empty();
    let silent = !turns.iter().any(|turn| turn.role == Role::User && !turn.harness);
    let mut opening = turns.iter().take_while(|turn| turn.role != Role::Assistant);
    opening.position(is_user).filter(|_| silent)
}

/// The item of a user or system turn.
fn message_item(turn: &Turn<'_>) -> String {
    let role = if turn.role == Role::System { "developer" } else { "user" };
    let blocks = turn.pieces.iter().filter_map(|piece| match piece {
        Piece::Text(text) => Some(words("input_text", text)),
        Piece::Medium(medium) => Some(image(medium)),
        _ => None,
    });
    Fields::new().text("type", "message").text("role", role).raw("content", &array(blocks)).done()
}

/// The items of an assistant turn, in order.
fn answer(turn: &Turn<'_>, losses: &mut Losses) -> Vec<String> {
    let item = |piece: &Piece<'_>| match piece {
        Piece::Text(text) => {
            let content = array([words("output_text", text)]);
            Some(Fields::new().text("type", "message").text("role", "assistant").raw("content", &content).done())
        }
        Piece::Thought(thought) => {
            let summary = array([words("summary_text", &thought.text)]);
            Some(Fields::new().text("type", "reasoning").raw("summary", &summary).done())
        }
        Piece::Medium(_) => None,
        Piece::Call(call) => {
            let (arguments, changed) = string(call.arguments);
            losses.add(Loss::ArgumentsNormalized, usize::from(changed));
            let item = Fields::new().text("type", "function_call").text("name", call.name);
            Some(item.text("arguments", &arguments).text("call_id", &call.id).done())
        }
    };
    turn.pieces.iter().filter_map(item).collect()
}

fn result(answer: &Answer<'_>) -> String {
    let output = if answer.media.is_empty() {
        quoted(&answer.text)
    } else {
        array(std::iter::once(words("input_text", &answer.text)).chain(answer.media.iter().map(image)))
    };
    let item = Fields::new().text("type", "function_call_output").text("call_id", &answer.id);
    item.raw("output", &output).done()
}

fn words(kind: &str, text: &str) -> String {
    Fields::new().text("type", kind).text("text", text).done()
}

fn image(medium: &Medium<'_>) -> String {
    Fields::new().text("type", "input_image").text("image_url", &medium.url()).done()
}
