//! The user's hook: a program that is told of a transcript and says what is to be heeded in its summary.
//!
//! JSON goes to its standard input, and it answers with `{"context": […], "prompt": …}`, as opencode's plugins do: context
//! is added to what a model is told, and a prompt replaces the template. What it prints besides is not read.

use super::program::ask_program;
use crate::preset::Settings;
use crate::secrets::redact;
use crate::summary::Template;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// What a hook is told.
#[derive(Debug, Serialize)]
pub(super) struct Question<'q> {
    /// The version of these keys.
    pub(super) version: u32,
    /// The file, as it was typed or found.
    pub(super) path: &'q Path,
    /// The same in the output tree.
    pub(super) relative: &'q Path,
    /// The line on which the transcript begins, from 1.
    pub(super) line: usize,
    pub(super) format: &'q str,
    pub(super) messages: usize,
    pub(super) tokens: u64,
    /// The template in force.
    pub(super) template: &'q str,
    /// What a model is told besides.
    pub(super) instructions: Option<&'q str>,
}

/// What a hook answers.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Answer {
    context: Vec<String>,
    prompt: Option<String>,
}

/// What a summary is to heed.
#[derive(Debug, Default)]
pub(super) struct Heeded {
    /// What replaces the template.
    pub(super) template: Option<Template>,
    /// What a model is told besides.
    pub(super) instructions: Option<String>,
}

impl Heeded {
    /// What the settings say, and their hook where they have one and there is a question for it.
    pub(super) fn of(settings: &Settings, question: Option<String>) -> Result<Self, String> {
        let summary = &settings.summary;
        let bare = |text: &str| if settings.llm.redact { redact(text).0.into_owned() } else { text.to_owned() };
        let own = summary.instructions.as_deref().map(bare);
        let (Some(hook), Some(question)) = (&summary.hook, question) else {
            return Ok(Self { template: None, instructions: own });
        };
        let named = |error: String| format!("the hook {}: {error}", hook.display());
        let answer = ask(hook, Duration::from_secs(summary.hook_timeout), question).map_err(named)?;
        let parse = |prompt: String| Template::parse(&bare(&prompt), &summary.sections, summary.free_form);
        let template = answer.prompt.map(parse).transpose().map_err(|error| named(format!("its prompt: {error}")))?;
        let told: Vec<String> = own.into_iter().chain(answer.context.iter().map(|text| bare(text))).collect();
        Ok(Self { template, instructions: (!told.is_empty()).then(|| told.join("\n\n")) })
    }
}

/// Runs a hook; it is ended when its time is up.
fn ask(hook: &Path, limit: Duration, question: String) -> Result<Answer, String> {
    let mut command = Command::new(hook);
    command.stderr(Stdio::null());
    let answer = ask_program(command, limit, question)?;
    serde_json::from_slice(&answer).map_err(|error| format!("no answer that can be read: {error}"))
}
