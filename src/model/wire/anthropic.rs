//! Anthropic's Messages interface.

use super::{Stage, Wire, finish, readable, usage};
use crate::model::{Answer, Endpoint, Finish, Prompt, Usage};
use serde::{Deserialize, Serialize};

pub(super) struct Anthropic;

#[derive(Serialize)]
struct Request<'r> {
    model: &'r str,
    system: &'r str,
    messages: [Said<'r>; 1],
    max_tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    stream: bool,
}

#[derive(Serialize)]
struct Said<'r> {
    role: &'static str,
    content: &'r str,
}

#[derive(Deserialize)]
struct Response {
    #[serde(default)]
    model: Option<String>,
    content: Vec<Block>,
    #[serde(default)]
    stop_reason: Option<String>,
    #[serde(default, deserialize_with = "readable")]
    usage: Option<Billed>,
}

#[derive(Deserialize)]
struct Block {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    text: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Billed {
    input_tokens: u64,
    cache_creation_input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    output_tokens: u64,
}

#[derive(Deserialize)]
struct Event {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    message: Option<Start>,
    #[serde(default)]
    content_block: Option<Block>,
    #[serde(default)]
    delta: Option<Delta>,
    #[serde(default, deserialize_with = "readable")]
    usage: Option<Billed>,
}

#[derive(Deserialize)]
struct Start {
    #[serde(default)]
    model: Option<String>,
    #[serde(default, deserialize_with = "readable")]
    usage: Option<Billed>,
}

#[derive(Deserialize)]
struct Delta {
    #[serde(default)]
    text: String,
    #[serde(default)]
    stop_reason: Option<String>,
}

impl Wire for Anthropic {
    fn body(&self, endpoint: &Endpoint, prompt: &Prompt) -> serde_json::Result<String> {
        serde_json::to_string(&Request {
            model: &endpoint.model,
            system: &prompt.system,
            messages: [Said { role: "user", content: &prompt.user }],
            max_tokens: prompt.max_tokens,
            temperature: endpoint.temperature,
            stream: endpoint.stream,
        })
    }

    fn key_header(&self) -> (&'static str, &'static str) {
        ("x-api-key", "")
    }

    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[("anthropic-version", "2023-06-01")]
    }

    fn read(&self, body: &str) -> Option<Answer> {
        let response: Response = serde_json::from_str(body).ok()?;
        let mut answer =
            Answer { model: response.model, usage: response.usage.unwrap_or_default().usage(), ..Answer::default() };
        stop(&mut answer, response.stop_reason.as_deref());
        response.content.iter().for_each(|block| take(&mut answer, block));
        Some(answer)
    }

    /// Servers that speak like Anthropic may end with the stop reason.
    fn event(&self, answer: &mut Answer, data: &str) -> Option<Stage> {
        let event: Event = serde_json::from_str(data).ok()?;
        let reason = event.delta.as_ref().and_then(|delta| delta.stop_reason.as_ref());
        let complete = reason.is_some_and(|word| !word.is_empty());
        if let Some(start) = event.message {
            (answer.model, answer.usage) = (start.model, start.usage.unwrap_or_default().usage());
        }
        event.content_block.iter().for_each(|block| take(answer, block));
        if let Some(delta) = event.delta {
            answer.text.push_str(&delta.text);
            stop(answer, delta.stop_reason.as_deref());
        }
        if let Some(billed) = event.usage {
            answer.usage.output = billed.usage().output;
        }
        match event.kind.as_str() {
            "error" => None,
            "message_stop" => Some(Stage::Over),
            _ if complete => Some(Stage::Complete),
            _ => Some(Stage::Open),
        }
    }
}

impl Billed {
    fn usage(&self) -> Usage {
        let cached = [self.cache_creation_input_tokens, self.cache_read_input_tokens].map(Option::unwrap_or_default);
        usage([self.input_tokens, cached[0], cached[1]], [self.output_tokens])
    }
}

fn stop(answer: &mut Answer, reason: Option<&str>) {
    if let Some(reason) = reason {
        answer.finish = finish(reason);
    }
}

fn take(answer: &mut Answer, block: &Block) {
    match block.kind.as_str() {
        "text" => answer.text.push_str(&block.text),
        "thinking" | "redacted_thinking" => answer.reasoned = true,
        "tool_use" => answer.finish = Finish::ToolCall,
        _ => {}
    }
}
