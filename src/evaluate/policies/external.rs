//! An external program as policy: it gets the messages before a cut and the budget, and answers with a summary.

use super::Budget;
use super::ours::Divided;
use crate::evaluate::context::Context;
use crate::transcript::{Part, PartKind, Role, Transcript};
use serde::{Deserialize, Serialize};

/// Sends JSON text to the program and returns its answer, or why there is none.
pub type Run = Box<dyn Fn(&str) -> Result<String, String> + Send + Sync>;

/// An external program.
pub struct External {
    /// Its name in reports.
    pub name: String,
    run: Run,
}

/// The JSON that the program reads.
#[derive(Serialize)]
struct Question<'t> {
    /// Version of the protocol: 1.
    version: u32,
    /// Tokens of the newest messages that stay beside the summary.
    tail_tokens: u64,
    /// Most tokens of the summary.
    summary_tokens: u64,
    /// The messages before the cut, without the tail.
    messages: Vec<Said<'t>>,
}

/// A message, or a result in it: results are told apart from what a user says, whose message may hold them.
#[derive(Default, Serialize)]
struct Said<'t> {
    /// Index of the message, for `keep`.
    index: usize,
    role: &'static str,
    /// The tool of a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'t str>,
    /// The call of a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'t str>,
    content: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Called<'t>>,
}

#[derive(Serialize)]
struct Called<'t> {
    #[serde(skip_serializing_if = "str::is_empty")]
    id: &'t str,
    name: &'t str,
    arguments: &'t str,
}

/// The JSON that it prints: a summary, indices of messages to keep beside the tail, or both.
#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    summary: Option<String>,
    #[serde(default)]
    keep: Option<Vec<usize>>,
}

/// Description of a valid answer, for error messages.
const EXPECTED: &str = r#"print {"summary": "…"}, or with it or alone "keep": [index, …]"#;

impl Answer {
    fn read(text: &str) -> Result<Self, String> {
        let answer: Self =
            serde_json::from_str(text).map_err(|error| format!("its answer can't be read: {error}; {EXPECTED}"))?;
        match (&answer.summary, &answer.keep) {
            (None, None) => Err(format!("its answer has neither `summary` nor `keep`: {EXPECTED}")),
            _ => Ok(answer),
        }
    }
}

impl External {
    /// Creates a policy from a program.
    pub fn new(name: String, run: Run) -> Self {
        Self { name, run }
    }

    pub(super) fn context(
        &self,
        transcript: &Transcript<'_>,
        Divided { cut, head, tail }: Divided<'_>,
        budget: Budget,
    ) -> Context {
        let messages = head.iter().flat_map(|&index| shown_message(transcript, index)).collect();
        let question = Question { version: 1, tail_tokens: budget.tail, summary_tokens: budget.summary, messages };
        let answer = serde_json::to_string(&question)
            .map_err(|error| error.to_string())
            .and_then(|text| Answer::read(&(self.run)(&text)?));
        match answer {
            Ok(Answer { summary, keep }) => {
                let unknown = keep.iter().flatten().find(|index| !cut.before.contains(index));
                let failure =
                    unknown.map(|index| format!("it keeps message {index}, and was given none of this index"));
                let named = keep.map(|keep| {
                    let mut kept: Vec<usize> =
                        cut.before.iter().copied().filter(|index| keep.contains(index)).collect();
                    kept.extend(tail);
                    kept.sort_unstable();
                    kept.dedup();
                    kept
                });
                Context {
                    kept: named.unwrap_or_else(|| tail.to_vec()),
                    summary: summary.unwrap_or_default(),
                    failure,
                    ..Context::default()
                }
            }
            Err(why) => Context { kept: tail.to_vec(), faults: 1, failure: Some(why), ..Context::default() },
        }
    }
}

/// A message as the program reads it: each of its results, and the rest unless there is none. What an assistant says
/// stands before the results of its calls, what a user says behind those.
fn shown_message<'t>(transcript: &'t Transcript<'_>, index: usize) -> Vec<Said<'t>> {
    let message = &transcript.messages[index];
    let result = |part: &'t Part<'_>| match &part.kind {
        PartKind::Result { id, tool, .. } => Some(Said {
            index,
            role: Role::Tool.name(),
            name: tool.as_deref(),
            tool_call_id: Some(&**id).filter(|id| !id.is_empty()),
            content: part.text.to_string(),
            ..Said::default()
        }),
        _ => None,
    };
    let mut said: Vec<Said<'t>> = message.parts.iter().filter_map(result).collect();
    let texts = message.parts.iter().filter(|part| part.kind == PartKind::Text).map(|part| part.text.as_ref());
    let content = texts.collect::<Vec<_>>().join("\n");
    let calls = message.parts.iter().filter_map(|part| match &part.kind {
        PartKind::Call { id, name } => Some(Called { id, name, arguments: &part.text }),
        _ => None,
    });
    let tool_calls: Vec<Called<'t>> = calls.collect();
    if said.is_empty() || !content.is_empty() || !tool_calls.is_empty() {
        let at = if message.role == Role::Assistant { 0 } else { said.len() };
        said.insert(at, Said { index, role: message.role.name(), content, tool_calls, ..Said::default() });
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::cut::{Cut, Place};
    use crate::transcript::Message;
    use crate::transcript::sketch::sketch;

    #[test]
    fn results_in_a_message_of_the_user_are_the_tools() {
        let mut transcript = sketch("u tr");
        let result = transcript.messages.remove(2).parts.remove(0);
        let text = transcript.messages[0].parts[0].clone();
        transcript.messages.push(Message { role: Role::User, parts: vec![result, text], ..Message::default() });
        let roles = |index| {
            let said = shown_message(&transcript, index);
            said.iter().map(|one| (one.role, one.tool_call_id.map(str::to_owned))).collect::<Vec<_>>()
        };
        let id = shown_message(&transcript, 1)[0].tool_calls[0].id.to_owned();
        assert!(!id.is_empty());
        assert_eq!(roles(2), [("tool", Some(id)), ("user", None)]);
        assert_eq!((roles(0), roles(1)), (vec![("user", None)], vec![("assistant", None)]));
    }

    #[test]
    fn calls_stand_before_the_results_in_their_message() {
        let mut transcript = sketch("u tr");
        let result = transcript.messages.remove(2).parts.remove(0);
        transcript.messages[1].parts.push(result);
        let said = shown_message(&transcript, 1);
        assert_eq!(said.iter().map(|one| one.role).collect::<Vec<_>>(), ["assistant", "tool"]);
        assert_eq!(said[1].tool_call_id, Some(said[0].tool_calls[0].id));
    }

    #[test]
    fn an_index_that_it_was_not_given_is_told() {
        let transcript = sketch("u30 a20");
        let external = External::new("mine".to_owned(), Box::new(|_| Ok(r#"{"keep": [0, 7]}"#.to_owned())));
        let (before, after, earlier) = (vec![0, 1], Vec::new(), Vec::new());
        let cut = Cut { place: Place::Share(40), at: 2, preamble: Vec::new(), before, after, recorded: None, earlier };
        let divided = Divided { cut: &cut, head: &[0, 1], tail: &[] };
        let context = external.context(&transcript, divided, Budget { tail: 10, summary: 10 });
        assert_eq!((context.kept, context.faults), (vec![0], 0));
        assert_eq!(context.failure.as_deref(), Some("it keeps message 7, and was given none of this index"));
    }
}
