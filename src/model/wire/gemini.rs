//! Gemini's `generateContent`; its streams consist of whole responses.

use super::{Stage, Wire, finish, readable, usage};
use crate::model::{Answer, Endpoint, Finish, Prompt};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

pub(super) struct Gemini;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Request<'r> {
    system_instruction: Said<'r>,
    contents: [Said<'r>; 1],
    generation_config: Config,
}

#[derive(Serialize)]
struct Said<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    parts: [Words<'r>; 1],
}

#[derive(Serialize)]
struct Words<'r> {
    text: &'r str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Config {
    max_output_tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Response {
    #[serde(default)]
    candidates: Vec<Candidate>,
    #[serde(default)]
    prompt_feedback: Option<Feedback>,
    #[serde(default, deserialize_with = "readable")]
    usage_metadata: Option<Billed>,
    #[serde(default)]
    model_version: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Candidate {
    #[serde(default)]
    content: Content,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Content {
    parts: Vec<Part>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Part {
    text: String,
    thought: bool,
    function_call: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Feedback {
    #[serde(default)]
    block_reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[derive(Default)]
struct Billed {
    prompt_token_count: u64,
    candidates_token_count: u64,
    thoughts_token_count: u64,
}

impl Wire for Gemini {
    fn body(&self, endpoint: &Endpoint, prompt: &Prompt) -> serde_json::Result<String> {
        let config = Config { max_output_tokens: prompt.max_tokens, temperature: endpoint.temperature };
        serde_json::to_string(&Request {
            system_instruction: Said { role: None, parts: [Words { text: &prompt.system }] },
            contents: [Said { role: Some("user"), parts: [Words { text: &prompt.user }] }],
            generation_config: config,
        })
    }

    fn key_header(&self) -> (&'static str, &'static str) {
        ("x-goog-api-key", "")
    }

    fn read(&self, body: &str) -> Option<Answer> {
        let mut answer = Answer::default();
        self.event(&mut answer, body)?;
        Some(answer)
    }

    /// The last response has the stop reason; there is no other end mark.
    fn event(&self, answer: &mut Answer, data: &str) -> Option<Stage> {
        let response: Response = serde_json::from_str(data).ok()?;
        answer.model = response.model_version.or(answer.model.take());
        if let Some(billed) = response.usage_metadata {
            let output = [billed.candidates_token_count, billed.thoughts_token_count];
            answer.usage = usage([billed.prompt_token_count], output);
        }
        let Some(candidate) = response.candidates.into_iter().next() else {
            let blocked = response.prompt_feedback.and_then(|feedback| feedback.block_reason).is_some();
            answer.finish = Finish::Refused;
            return blocked.then_some(Stage::Over);
        };
        let calls = candidate.content.parts.iter().any(|part| part.function_call.is_some());
        for part in candidate.content.parts {
            if part.thought {
                answer.reasoned = true;
            } else {
                answer.text.push_str(&part.text);
            }
        }
        let ended = candidate.finish_reason.is_some();
        if let Some(reason) = candidate.finish_reason {
            answer.finish = finish(&reason);
        }
        if calls {
            answer.finish = Finish::ToolCall;
        }
        Some(if ended { Stage::Over } else { Stage::Open })
    }
}
