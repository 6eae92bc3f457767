//! The user's hook: a program that is told of a transcript and says what is to be heeded in its summary.
//!
//! JSON goes to its standard input, and it answers with `{"context": […], "prompt": …}`, as opencode's plugins do: context
//! is added to what a model is told, and a prompt replaces the template. What it prints besides is not read.

use crate::preset::Settings;
use crate::secrets::redact;
use crate::summary::Template;
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// The longest answer, in bytes.
const LONGEST: u64 = 1 << 20;
/// The bounds of the time that a hook may take: a second, a day.
const SHORTEST: Duration = Duration::from_secs(1);
const LONG: Duration = Duration::from_secs(86_400);
/// How often it is looked whether the program has ended.
const PAUSE: Duration = Duration::from_millis(5);

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
fn ask(program: &Path, limit: Duration, question: String) -> Result<Answer, String> {
    let mut command = Command::new(program);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| format!("it does not start: {error}"))?;
    let printed = talk(&mut child, question);
    let limit = limit.clamp(SHORTEST, LONG);
    let end = Instant::now() + limit;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() < end => std::thread::sleep(PAUSE),
            Ok(None) => {
                let _ = child.kill().and_then(|()| child.wait());
                return Err(format!("no answer within {} s", limit.as_secs()));
            }
            Err(error) => return Err(error.to_string()),
        }
    };
    let left = end.saturating_duration_since(Instant::now()).max(PAUSE);
    let answer = printed.recv_timeout(left).map_err(|_| format!("no answer within {} s", limit.as_secs()))?;
    // One that prints too much is ended for it.
    if answer.len() as u64 > LONGEST {
        return Err(format!("an answer of more than {LONGEST} bytes"));
    }
    if !status.success() {
        return Err(format!("it ended with {status}"));
    }
    serde_json::from_slice(&answer).map_err(|error| format!("no answer that can be read: {error}"))
}

/// Tells and listens beside each other, so that neither waits for a full pipe. A program need not read what it is told,
/// and what it leaves running must not hold us.
fn talk(child: &mut Child, question: String) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    let (input, output) = (child.stdin.take(), child.stdout.take());
    std::thread::spawn(move || input.map(|mut input| input.write_all(question.as_bytes())));
    std::thread::spawn(move || {
        let mut answer = Vec::new();
        let read = output.map(|output| output.take(LONGEST + 1).read_to_end(&mut answer));
        // Nobody may listen any more.
        let _ = read.map(|_| sender.send(answer));
    });
    receiver
}
