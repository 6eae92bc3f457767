//! The formats `swe-agent` and `mini-swe-agent`: a run with OpenAI messages in one of its fields (FORMATS §12).
//!
//! Only the messages sent to the model are compacted. The steps of the trajectory are kept, since a replay needs
//! their number and their actions. User messages after the task come from the environment, not from a person.

use super::detect::Evidence;
use super::openai::{self, Reader};
use super::shared::call_text::Call;
use super::shared::document::{self, Document};
use super::shared::json::{Json, Object, quoted};
use super::shared::new::New;
use super::shared::{actions, part_edits, slot, swe_commands};
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{
    Author, Class, EditScript, Message, PartKind, Patch, PatchKind, Role, Traits, Transcript, UiCopies,
};

/// One of the two formats: their names and fields differ.
pub(super) struct Run {
    name: &'static str,
    /// The field that holds the messages.
    key: &'static str,
    why: &'static str,
    is: fn(&Object<'_>) -> bool,
}

/// The `swe-agent` format: trajectories of SWE-agent.
pub(super) const SWE_AGENT: Run = Run {
    name: "swe-agent",
    key: "history",
    why: "`trajectory` with `history` or with steps, or a `history` of messages with `message_type`",
    is: |fields| {
        let first = fields.array("history").and_then(|history| history.first().copied()?.object());
        let typed = first.is_some_and(|first| first.has("role") && first.has("message_type"));
        // In a large file, `history` is behind the part that detection examines.
        typed || fields.has("trajectory") && (fields.has("history") || first_step(fields).is_some_and(is_step))
    },
};

/// The `mini-swe-agent` format: trajectories of mini-SWE-agent.
pub(super) const MINI_SWE_AGENT: Run = Run {
    name: "mini-swe-agent",
    key: "messages",
    why: "`messages` with `trajectory_format` or `info.mini_version`",
    is: |fields| {
        let mini = fields.object("info").is_some_and(|info| info.has("mini_version"));
        fields.has("messages") && (fields.has("trajectory_format") || mini)
    },
};

impl Format for Run {
    fn name(&self) -> &'static str {
        self.name
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let found = sample.fields.as_ref().is_some_and(self.is);
        found.then(|| Evidence::certain(self.why))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        let traits = Traits::default();
        let Some(document) = options.forgive(Document::read(source, options.first_line, self.key))? else {
            return Ok(document::opaque(source, options, traits));
        };
        let of_responses = |element: &Json<'_>| {
            element.object().and_then(|fields| Some(fields.text("object")? == "response")).unwrap_or_default()
        };
        if document.elements.iter().any(of_responses) {
            let reason =
                "messages of OpenAI's Responses API (`object` is `response`), which are not read here".to_owned();
            return Err(ReadError { line: options.first_line, column: 1, reason });
        }
        let mut transcript = document.transcript(options.first_line, traits);
        let mut reader = Reader::new(source);
        for (at, element) in document.elements.iter().enumerate() {
            if let Some(message) = reader.read(*element, at) {
                transcript.records[at].class = Class::Message(message);
            }
        }
        transcript.messages = reader.finish_unpaired();
        let fields = |message: &Message<'a>| document.elements[message.record].object().unwrap_or_default();
        let (mut summarized, mut answered) = (false, false);
        for index in 0..transcript.messages.len() {
            let (earlier, message) = transcript.messages.split_at_mut(index);
            let Some(message) = message.first_mut() else { break };
            let own = fields(message);
            message.demonstration = own.is_true("is_demo");
            let harness = interrupts(&own).map_or(answered || message.demonstration, |by_user| !by_user);
            if matches!(message.author, Author::Person | Author::Harness) && harness {
                let action = earlier.last_mut().filter(|_| answered).map(|action| (fields(action), action));
                environment(message, action, index);
            }
            more_results(source, message, &own);
            answered |= message.author == Author::Model && !message.demonstration;
            // After a summary the task comes without its answers: they may be in the dropped part.
            answered |= message.author == Author::Person && summarized;
            summarized |= message.author == Author::Summary;
        }
        Ok(transcript)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        let Ok(document) = Document::read(transcript.source, 1, self.key) else { return Vec::new() };
        let agent = document.elements.iter().rev().find_map(|element| Some(element.object()?.get("agent")?.raw()));
        let new = New::all(script, |insert| {
            openai::new_messages(&insert.kind, false).into_iter().map(|text| with_agent(text, agent))
        });
        let mut patches = document.patches(script, &new, part_edits::of_kept(transcript, script));
        if script.ui_copies == UiCopies::Drop {
            patches.extend(without_queries(transcript.source, document.whole));
        }
        Patch::in_order(patches)
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        openai::faults(transcript)
    }

    fn mend(&self, transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) -> Vec<Patch> {
        openai::mend(transcript, faults, script);
        Vec::new()
    }
}

/// The first step of the trajectory.
fn first_step<'a>(run: &Object<'a>) -> Option<Object<'a>> {
    run.array("trajectory")?.first()?.object()
}

fn is_step(fields: Object<'_>) -> bool {
    ["action", "observation", "thought"].iter().all(|key| fields.has(key))
}

/// The patches that empty the fields `query` and `messages` of each step of the trajectory: they repeat the messages
/// sent to the model. A replay needs the steps and their actions only (FORMATS §12).
fn without_queries(source: &[u8], run: Json<'_>) -> Vec<Patch> {
    let steps = run.object().and_then(|run| run.array("trajectory")).unwrap_or_default();
    let queries =
        steps.into_iter().filter_map(Json::object).flat_map(|step| ["query", "messages"].map(|key| step.get(key)));
    let sent = queries.flatten().filter(|query| query.array().is_some_and(|messages| !messages.is_empty()));
    sent.map(|query| Patch { span: query.span_in(source), with: b"[]".to_vec(), kind: PatchKind::UiCopy }).collect()
}

/// Adds the name of the agent to a message: SWE-agent would not send one without it.
fn with_agent(text: String, agent: Option<&str>) -> String {
    match (agent, text.strip_suffix('}')) {
        (Some(agent), Some(open)) => format!(r#"{open},"agent":{agent}}}"#),
        _ => text,
    }
}

/// Whether an interrupting message of mini-SWE-agent is the user's, by its type; `None` for other messages.
fn interrupts(fields: &Object<'_>) -> Option<bool> {
    Some(fields.object("extra")?.text("interrupt_type")?.starts_with("User"))
}

/// Marks a user message after the task, or in a demonstration before it, as the harness's. Right after an answer
/// without calls, it becomes the result of the action in that answer's text.
fn environment<'a>(message: &mut Message<'a>, action: Option<(Object<'a>, &mut Message<'a>)>, index: usize) {
    message.author = Author::Harness;
    let Some((fields, actor)) = action.filter(|(_, actor)| actions::may_act(actor)) else { return };
    let text = actor.parts.last().map_or("", |part| &*part.text);
    let observation = message.parts.first().map_or("", |part| &*part.text);
    let acts = match fields.text("action").filter(|action| !action.trim().is_empty()) {
        Some(stated) => Some(of_stated(stated.trim(), text, observation)),
        None => actions::read(text, observation),
    };
    if let Some(acts) = acts {
        actions::act(actor, message, acts, index);
    }
}

/// Splits an answer whose action the record states: returns the text before the action, and the calls. These are the
/// tagged calls in the text if one of them matches the stated action, else the stated command.
fn of_stated(stated: &str, text: &str, observation: &str) -> (String, Vec<Call>) {
    let name = stated.split_whitespace().next().unwrap_or_default();
    let is_stated = |(tool, arguments): &Call| tool == name || arguments.contains(&quoted(stated));
    actions::tagged(text).filter(|(_, calls)| calls.iter().any(is_stated)).unwrap_or_else(|| {
        let written = actions::block(text).filter(|(_, action)| action.lines().eq(stated.lines()));
        let before = written.map_or(text, |(before, _)| before);
        (before.to_owned(), vec![swe_commands::command(stated, observation)])
    })
}

/// Adds empty results for further calls that a tool message answers: its text is the result of the first call only.
fn more_results<'a>(source: &[u8], message: &mut Message<'a>, fields: &Object<'a>) {
    let ids = fields.array("tool_call_ids").filter(|_| message.role == Role::Tool).unwrap_or_default();
    for value in ids.into_iter().skip(1) {
        let Some(id) = Json::text(value) else { continue };
        let kind = PartKind::Result { id, tool: None, error: false, pruned: true, media: Vec::new() };
        message.parts.push(slot::part(kind, "".into(), slot::fixed(source, value)));
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::tests::support::{authors, edited, faults, read, stub_results, summary};
    use super::*;
    use crate::transcript::SummaryRole;

    const TRAJ: &str = r#"{"trajectory": [{"action": "ls", "observation": "long"}], "history": [{"role": "system", "content": "s", "agent": "main"}, {"role": "user", "content": "demo", "is_demo": true}, {"role": "user", "content": "task"}, {"role": "assistant", "content": "t", "action": "ls", "tool_calls": [{"id": "a", "function": {"name": "bash", "arguments": "{}"}}, {"id": "b", "function": {"name": "bash", "arguments": "{}"}}]}, {"role": "tool", "content": "long", "agent": "main", "tool_call_ids": ["a", "b"]}, {"role": "user", "content": "seen"}], "info": {}}"#;

    #[test]
    fn steps_alone_are_enough_to_know_the_beginning_of_a_large_run() {
        let step = r#"{"action":"ls","observation":"a","thought":"Look.","messages":[{"role":"user","content":"u"}]}"#;
        let run = |steps: &str| format!(r#"{{"trajectory":[{steps}]}}"#);
        assert!(SWE_AGENT.evidence(&Sample::new(&run(step))).is_some());
        assert!(SWE_AGENT.evidence(&Sample::new(&run(r#"{"x":1,"y":2}"#))).is_none());
    }

    #[test]
    fn queries_of_steps_are_copies() {
        let run =
            TRAJ.replacen(r#""action": "ls""#, r#""query": [{"role": "user"}], "messages": [], "action": "ls""#, 1);
        assert_eq!(edited(&SWE_AGENT, &run, |_, _| {}), run);
        let dropped = edited(&SWE_AGENT, &run, |_, script| script.ui_copies = UiCopies::Drop);
        assert_eq!(dropped, run.replacen(r#"[{"role": "user"}]"#, "[]", 1));
    }

    #[test]
    fn messages_of_another_api_are_refused() {
        let run = r#"{"info":{"mini_version":"2"},"messages":[{"role":"user","content":"u"},{"object":"response","output":[]}]}"#;
        for lenient in [false, true] {
            let options = ReadOptions { lenient, first_line: 1 };
            let error = MINI_SWE_AGENT.read(run.as_bytes(), options).unwrap_err();
            assert!(error.reason.contains("Responses API"), "{}", error.reason);
        }
    }

    #[test]
    fn the_environment_is_no_person_and_one_text_answers_several_calls() {
        let transcript = read(&SWE_AGENT, TRAJ);
        use Author::{Harness, Model, Person, System, Tool};
        assert_eq!(authors(&transcript), [System, Harness, Person, Model, Tool, Harness]);
        assert_eq!(faults(&SWE_AGENT, TRAJ), []);
        assert_eq!(edited(&SWE_AGENT, TRAJ, |_, _| {}), TRAJ);
    }

    #[test]
    fn an_edit_that_was_not_applied_is_what_the_action_led_to() {
        let source = r#"{"trajectory":[],"history":[{"role":"user","content":"task"},{"role":"assistant","content":"t","action":"edit 1:2"},{"role":"user","content":"Your proposed edit has introduced new syntax error(s). Mind the quay."}]}"#;
        let transcript = read(&SWE_AGENT, source);
        assert_eq!(authors(&transcript), [Author::Person, Author::Model, Author::Tool]);
    }

    #[test]
    fn only_the_history_is_edited() {
        let out = edited(&SWE_AGENT, TRAJ, |transcript, script| {
            script.keep[1] = false;
            script.inserts = vec![summary(2, SummaryRole::System, "it")];
            stub_results(transcript, script);
        });
        assert!(out.starts_with(r#"{"trajectory": [{"action": "ls", "observation": "long"}], "history": [{"role": "#));
        assert!(out.contains(r#"</prior-conversation-summary>","agent":"main"}, {"role": "user", "content": "task"}"#));
        assert!(out.contains(r#"{"role": "tool", "content": "<stub />", "agent""#), "{out}");
        assert_eq!(faults(&SWE_AGENT, &out), []);
    }

    #[test]
    fn what_an_action_in_the_text_led_to_is_its_result() {
        let source = r#"{"trajectory":[],"history":[{"role":"user","content":"task"},{"role":"assistant","content":"t","action":"ls -l"},{"role":"user","content":"long"}]}"#;
        let transcript = read(&SWE_AGENT, source);
        assert_eq!(authors(&transcript), [Author::Person, Author::Model, Author::Tool]);
        let kind = &transcript.messages[2].parts[0].kind;
        assert!(matches!(kind, PartKind::Result { tool: Some(tool), .. } if tool == "bash"));
        assert_eq!(transcript.messages[1].parts[1].text, r#"{"command":"ls -l"}"#);
        assert_eq!((faults(&SWE_AGENT, source), crate::check::faults(&transcript)), (vec![], vec![]));
        assert!(edited(&SWE_AGENT, source, stub_results).contains(r#"{"role":"user","content":"<stub />"}"#));
    }

    #[test]
    fn the_action_that_is_stated_is_the_call_whatever_the_words_show() {
        let source = r#"{"trajectory":[],"history":[{"role":"user","content":"task"},{"role":"assistant","content":"So:\n```bash\nls\n```","action":"pytest -q"},{"role":"user","content":"OBSERVATION:\n3 passed"}]}"#;
        let transcript = read(&SWE_AGENT, source);
        let texts = |at: usize| transcript.messages[at].parts.iter().map(|part| &*part.text).collect::<Vec<_>>();
        assert_eq!(texts(1), ["So:\n```bash\nls\n```", r#"{"command":"pytest -q"}"#]);
        let said = r#"edit\n<function=bash>\n<parameter=command>pytest -q</parameter>\n</function>"#;
        for (action, told) in [("pytest -q", r#"bash {"command":"pytest -q"}"#), ("ls", r#"bash {"command":"ls"}"#)] {
            let (_, calls) = of_stated(action, &said.replace("\\n", "\n"), "");
            assert_eq!(calls.iter().map(|(name, it)| format!("{name} {it}")).collect::<Vec<_>>(), [told]);
        }
        let demo = r#"{"history":[{"role":"user","content":"x","is_demo":true,"message_type":"t"},{"role":"assistant","content":"x","is_demo":true},{"role":"user","content":"task"}]}"#;
        let demo = read(&SWE_AGENT, demo);
        assert_eq!(authors(&demo)[2], Author::Person);
        assert_eq!(demo.messages.iter().map(|it| it.demonstration).collect::<Vec<_>>(), [true, true, false]);
    }

    #[test]
    fn a_run_that_was_compacted_knows_its_task_and_who_interrupts_it() {
        let said = |words: &str, kind: &str| {
            format!(r#"{{"role":"user","content":"{words}","extra":{{"interrupt_type":"{kind}"}}}}"#)
        };
        let task = r#"{"role":"user","content":"chart the ebb"}"#;
        let old = r#"{"role":"system","content":"<prior-conversation-summary>\nit\n</prior-conversation-summary>"}"#;
        let plain = r#"{"role":"user","content":"call a tool"}"#;
        let run = |messages: &[&str]| {
            authors(&read(
                &MINI_SWE_AGENT,
                &format!(r#"{{"info":{{"mini_version":"2"}},"messages":[{}]}}"#, messages.join(",")),
            ))
        };
        use Author::{Harness, Model, Person, Summary};
        assert_eq!(run(&[old, task, plain]), [Summary, Person, Harness]);
        let answer = r#"{"role":"assistant","content":"x"}"#;
        let (format, user) = (said("call a tool", "FormatError"), said("the south pier", "UserInterruption"));
        assert_eq!(run(&[task, &format, answer, &user]), [Person, Harness, Model, Person]);
    }

    #[test]
    fn the_last_record_of_a_mini_run_is_kept() {
        let source = r#"{"info":{"mini_version":"2"},"messages":[{"role":"user","content":"task","extra":{}},{"role":"assistant","content":"x"},{"role":"exit","content":"","extra":{"submission":"diff"}}]}"#;
        let transcript = read(&MINI_SWE_AGENT, source);
        assert_eq!(transcript.records.last().unwrap().class, Class::Opaque);
        assert_eq!(super::super::detect(source.as_bytes()).unwrap().name, "mini-swe-agent");
    }
}
