//! OpenAI's Responses interface. A stream ends with the whole response, so its pieces are skipped.

use super::{Stage, Wire, finish, readable, usage};
use crate::model::{Answer, Endpoint, Finish, Prompt};
use serde::{Deserialize, Serialize};

pub(super) struct OpenaiResponses;

#[derive(Serialize)]
struct Request<'r> {
    model: &'r str,
    instructions: &'r str,
    input: &'r str,
    max_output_tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    stream: bool,
    /// False, so that the server does not store the question.
    store: bool,
}

#[derive(Deserialize)]
struct Response {
    status: String,
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    incomplete_details: Option<Incomplete>,
    output: Vec<Item>,
    #[serde(default, deserialize_with = "readable")]
    usage: Option<Billed>,
}

#[derive(Deserialize)]
struct Incomplete {
    #[serde(default)]
    reason: String,
}

#[derive(Deserialize)]
struct Item {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    content: Option<Vec<Block>>,
}

#[derive(Deserialize)]
struct Block {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    text: String,
}

#[derive(Deserialize)]
struct Billed {
    #[serde(default)]
    input_tokens: u64,
    #[serde(default)]
    output_tokens: u64,
}

#[derive(Deserialize)]
struct Event {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    response: Option<Box<serde_json::value::RawValue>>,
}

impl Wire for OpenaiResponses {
    fn body(&self, endpoint: &Endpoint, prompt: &Prompt) -> serde_json::Result<String> {
        serde_json::to_string(&Request {
            model: &endpoint.model,
            instructions: &prompt.system,
            input: &prompt.user,
            max_output_tokens: prompt.max_tokens,
            temperature: endpoint.temperature,
            stream: endpoint.stream,
            store: false,
        })
    }

    fn read(&self, body: &str) -> Option<Answer> {
        let response: Response = serde_json::from_str(body).ok()?;
        if !["completed", "incomplete"].contains(&response.status.as_str()) {
            return None;
        }
        let usage = response.usage.map(|billed| usage([billed.input_tokens], [billed.output_tokens]));
        let mut answer = Answer { model: response.model, usage: usage.unwrap_or_default(), ..Answer::default() };
        if let Some(details) = response.incomplete_details {
            answer.finish = finish(&details.reason);
        }
        response.output.into_iter().for_each(|item| take(&mut answer, item));
        Some(answer)
    }

    fn event(&self, answer: &mut Answer, data: &str) -> Option<Stage> {
        let event: Event = serde_json::from_str(data).ok()?;
        if !["response.completed", "response.incomplete"].contains(&event.kind.as_str()) {
            return (event.kind != "error" && event.kind != "response.failed").then_some(Stage::Open);
        }
        *answer = self.read(event.response?.get())?;
        Some(Stage::Over)
    }
}

fn take(answer: &mut Answer, item: Item) {
    match item.kind.as_str() {
        "reasoning" => answer.reasoned = true,
        kind if kind.ends_with("_call") => answer.finish = Finish::ToolCall,
        _ => {}
    }
    for block in item.content.into_iter().flatten() {
        match block.kind.as_str() {
            "output_text" => answer.text.push_str(&block.text),
            "refusal" => answer.finish = Finish::Refused,
            _ => {}
        }
    }
}
