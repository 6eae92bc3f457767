//! Chat completions, as defined by OpenAI and spoken by most servers.

use super::{Stage, Wire, finish, readable, usage};
use crate::model::{Answer, Endpoint, Finish, Prompt};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;

pub(super) struct OpenaiChat;

#[derive(Serialize)]
struct Request<'r> {
    model: &'r str,
    messages: [Said<'r>; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
}

#[derive(Serialize)]
struct Said<'r> {
    role: &'static str,
    content: &'r str,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Deserialize)]
struct Response {
    #[serde(default)]
    model: Option<String>,
    choices: Vec<Choice>,
    #[serde(default, deserialize_with = "readable")]
    usage: Option<Billed>,
}

/// A whole answer has a message, a streamed piece a delta; some servers send both.
#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    message: Option<Message>,
    #[serde(default)]
    delta: Option<Message>,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Message {
    content: Option<Content>,
    refusal: Option<String>,
    /// Reasoning, under two names; gateways send both.
    reasoning: Option<Value>,
    reasoning_content: Option<Value>,
    tool_calls: Option<Vec<IgnoredAny>>,
}

/// A string, or blocks of text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Blocks(Vec<Block>),
}

#[derive(Deserialize)]
struct Block {
    #[serde(default)]
    text: String,
}

#[derive(Deserialize)]
struct Billed {
    #[serde(default)]
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
}

impl Wire for OpenaiChat {
    fn body(&self, endpoint: &Endpoint, prompt: &Prompt) -> serde_json::Result<String> {
        let own = endpoint.is_openai();
        serde_json::to_string(&Request {
            model: &endpoint.model,
            messages: [Said { role: "system", content: &prompt.system }, Said { role: "user", content: &prompt.user }],
            max_tokens: (!own).then_some(prompt.max_tokens),
            max_completion_tokens: own.then_some(prompt.max_tokens),
            temperature: endpoint.temperature,
            stream: endpoint.stream,
            stream_options: endpoint.stream.then_some(StreamOptions { include_usage: true }),
        })
    }

    fn read(&self, body: &str) -> Option<Answer> {
        let response: Response = serde_json::from_str(body).ok()?;
        let mut answer = Answer::default();
        (!response.choices.is_empty()).then(|| take(&mut answer, response))?;
        Some(answer)
    }

    /// The bill comes behind the stop reason, and a mark of the end behind both.
    fn event(&self, answer: &mut Answer, data: &str) -> Option<Stage> {
        let response: Response = serde_json::from_str(data).ok()?;
        let complete = response.choices.first().and_then(Choice::reason).is_some();
        take(answer, response);
        Some(if complete { Stage::Complete } else { Stage::Open })
    }
}

/// Adds a response, or a piece of one, to the answer.
fn take(answer: &mut Answer, response: Response) {
    answer.model = response.model.or(answer.model.take());
    if let Some(billed) = response.usage {
        answer.usage = usage([billed.prompt_tokens], [billed.completion_tokens]);
    }
    let Some(choice) = response.choices.into_iter().next() else { return };
    if let Some(word) = choice.reason() {
        answer.finish = finish(word);
    }
    let said: Vec<Message> = [choice.message, choice.delta].into_iter().flatten().collect();
    if let Some(text) = said.iter().map(Message::text).find(|text| !text.is_empty()) {
        answer.text.push_str(&text);
    }
    said.iter().for_each(|message| note(answer, message));
}

/// Records reasoning, refusals and calls in a message.
fn note(answer: &mut Answer, message: &Message) {
    let thinks = |thought: &Option<Value>| match thought {
        None | Some(Value::Null) => false,
        Some(Value::String(text)) => !text.is_empty(),
        Some(_) => true,
    };
    answer.reasoned |= thinks(&message.reasoning) || thinks(&message.reasoning_content);
    if message.refusal.as_ref().is_some_and(|text| !text.is_empty()) {
        answer.finish = Finish::Refused;
    } else if message.tool_calls.as_ref().is_some_and(|calls| !calls.is_empty()) {
        answer.finish = Finish::ToolCall;
    }
}

impl Choice {
    /// Why it ended; some servers send an empty word with each piece.
    fn reason(&self) -> Option<&str> {
        self.finish_reason.as_deref().filter(|word| !word.is_empty())
    }
}

impl Message {
    fn text(&self) -> Cow<'_, str> {
        match &self.content {
            Some(Content::Text(text)) => text.into(),
            Some(Content::Blocks(blocks)) => blocks.iter().map(|block| block.text.as_str()).collect(),
            None => Cow::default(),
        }
    }
}
