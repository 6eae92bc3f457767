//! Actions that an agent writes in its message text instead of as tool calls, and the observations that the
//! environment returns as user messages: rows of SWE-smith, SWE-Gym, OpenHands, mini-SWE-agent and SWE-agent, and of
//! chat templates that write calls as text.
//!
//! They are read as calls only if the next user message begins or ends like an observation. Text before the action
//! stays text. Nothing inside such an assistant message can be replaced; the observation can be, like any result.

use super::call_text::{self, Call, RESULT_TAGS};
use super::harness_texts::{self, OUTCOMES};
use super::react::{self, Labels};
use super::slot::{self, part};
use super::{call_markers, call_tags, swe_commands, synthetic};
use crate::format::openai::Waiting;
use crate::transcript::{Author, Message, Part, PartKind, Role, Slot};
use foldhash::HashMap;
use std::borrow::Cow;

/// Beginnings of observations, besides the fixed texts in [`OUTCOMES`].
const OPENINGS: [&str; 3] = ["OBSERVATION:", RESULT_TAGS[0], NO_OUTPUT];
/// SWE-agent's output for a command that printed nothing.
const NO_OUTPUT: &str = "Your command ran successfully and did not produce any output.";
/// A beginning of observations that a person may also write: it only counts as the answer to a call between tags.
const ANYBODYS: &str = "Observation:";
/// The texts that versions of mini-SWE-agent have a model echo before it shows its patch: the next message is the output
/// of that command, whatever it begins with.
const SUBMITS: [&str; 3] =
    ["COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "MINI_SWE_AGENT_FINAL_OUTPUT", "MICRO_SWE_AGENT_FINAL_OUTPUT"];
/// The beginning of a patch.
const PATCH: &str = "diff --git ";
/// The end of SWE-agent's observations.
const PROMPT: &str = "bash-$";
/// Tags around a command, and the fence around one.
const COMMAND_TAGS: [&str; 2] = ["<command>", "</command>"];
const FENCE: &str = "```";
/// Languages of a fence that holds a command; fences with other languages, such as Python, mostly just show code.
const SHELLS: [&str; 5] = ["mswea_bash_command", "bash", "shell", "sh", "console"];

/// Converts observed actions to calls and results. If all observations are stubs and no run is submitted, only tagged
/// actions become calls, since a fence may show anything.
pub(in crate::format) fn pair(messages: &mut [Message<'_>]) {
    pair_results(messages);
    let observed = messages.iter().any(|message| may_answer(message) && is_observation(first_text(message)))
        || messages.windows(2).any(|pair| matches!(pair, [actor, answer] if ends_run(actor, answer)));
    let labels = labels(messages);
    for index in 1..messages.len() {
        let (earlier, later) = messages.split_at_mut(index);
        let (Some(actor), Some(answer)) = (earlier.last_mut(), later.first_mut()) else { return };
        let observation = first_text(answer);
        let said = last_text(actor);
        let stub = synthetic::is_stub(observation);
        let answers = stub || is_observation(observation) || observed && submits(said);
        if !may_act(actor) || !may_answer(answer) {
            continue;
        }
        let acts = match answers {
            true if stub && !observed => tagged(said),
            true => read(said, observation),
            false => None,
        };
        let acts = acts.or_else(|| if stub { react::read(said) } else { labels.answered(said, observation) });
        if let Some(acts) = acts {
            act(actor, answer, acts, index);
        }
    }
}

/// Converts the calls that a text has between tags, behind a marker or alone to those that the results behind it answer:
/// templates that write calls so may have a role for results all the same, which then name no call.
fn pair_results(messages: &mut [Message<'_>]) {
    let is_result = |messages: &[Message<'_>], at: usize| {
        let result = messages.get(at).map(|message| &*message.parts);
        matches!(result, Some([Part { kind: PartKind::Result { id, .. }, .. }]) if *id == format!("#{at}"))
    };
    for index in 1..messages.len() {
        if !may_act(&messages[index - 1]) || !is_result(messages, index) {
            continue;
        }
        let results = (index..messages.len()).take_while(|at| is_result(messages, *at)).count();
        let Some((before, calls)) = answered(last_text(&messages[index - 1])) else { continue };
        let tools = messages[index..index + results].iter().map(|message| tool_of(message));
        let Some(answered) = assigned(&calls, tools) else { continue };
        let (actors, answers) = messages.split_at_mut(index);
        let (Some(actor), Some(last)) = (actors.last_mut(), answers.get_mut(results - 1)) else { continue };
        let Some(place) = last.parts.first().map(|said| slot::fixed_at(said.slot.part.clone())) else { continue };
        let id = |(number, answer): (usize, &Option<usize>)| {
            answer.map_or_else(|| made_up(index, number), |answer| format!("#{}", index + answer))
        };
        let ids: Vec<String> = answered.iter().enumerate().map(id).collect();
        let unanswered = answered.iter().enumerate().filter(|(_, answer)| answer.is_none());
        last.parts.extend(unanswered.map(|(at, _)| empty_result(ids[at].clone(), calls[at].0.clone(), place.clone())));
        for (at, answer) in answered.iter().enumerate() {
            let result = answer.and_then(|answer| answers[answer].parts.first_mut());
            if let Some(Part { kind: PartKind::Result { tool, .. }, .. }) = result {
                *tool = Some(Cow::Owned(calls[at].0.clone()));
            }
        }
        speak(actor, before, ids.into_iter().zip(calls));
    }
}

/// The tool that the result in a message names.
fn tool_of<'m>(message: &'m Message<'_>) -> Option<&'m str> {
    message.parts.iter().find_map(|part| match &part.kind {
        PartKind::Result { tool, .. } => tool.as_deref(),
        _ => None,
    })
}

/// By call, the number of the result that answers it: the first that names its tool, or none. `None` if a result has no
/// call.
fn assigned<'m>(calls: &[Call], results: impl Iterator<Item = Option<&'m str>>) -> Option<Vec<Option<usize>>> {
    let mut waiting = Waiting::default();
    for (at, (name, _)) in calls.iter().enumerate() {
        waiting.add(Cow::Owned(at.to_string()), Cow::Borrowed(name));
    }
    let mut answered = vec![None; calls.len()];
    for (number, tool) in results.enumerate() {
        let at: usize = waiting.take(tool)?.parse().ok()?;
        answered[at] = Some(number);
    }
    Some(answered)
}

/// The id of a call that has none.
fn made_up(index: usize, number: usize) -> String {
    format!("#action {index}.{number}")
}

/// The result of a further call whose answer is stored with that of the first: it can't be edited.
pub(in crate::format) fn empty_result<'a>(
    id: impl Into<Cow<'a, str>>,
    tool: impl Into<Cow<'a, str>>,
    place: Slot,
) -> Part<'a> {
    let tool = Some(tool.into()).filter(|tool| !tool.is_empty());
    part(
        PartKind::Result { id: id.into(), tool, error: false, pruned: true, media: Vec::new() },
        Cow::Borrowed(""),
        place,
    )
}

/// Replaces the last text of a message by the text before its calls, and the calls with their ids.
fn speak(actor: &mut Message<'_>, before: String, calls: impl Iterator<Item = (String, Call)>) {
    let Some(words) = actor.parts.pop() else { return };
    let at = |slot: &Slot| slot::fixed_at(slot.part.clone());
    if !before.is_empty() {
        actor.parts.push(part(PartKind::Text, Cow::Owned(before), at(&words.slot)));
    }
    for (id, (name, arguments)) in calls {
        let kind = PartKind::Call { id: Cow::Owned(id), name: Cow::Owned(name) };
        actor.parts.push(part(kind, Cow::Owned(arguments), at(&words.slot)));
    }
}

/// The labels of results behind the actions that texts label.
fn labels(messages: &[Message<'_>]) -> Labels {
    let acts = |pair: &&[Message<'_>]| may_act(&pair[0]) && may_answer(&pair[1]);
    let pairs = messages.windows(2).filter(acts).map(|pair| (last_text(&pair[0]), first_text(&pair[1])));
    Labels::of(pairs, messages.iter().any(|message| message.author == Author::Summary))
}

fn first_text<'m>(message: &'m Message<'_>) -> &'m str {
    message.parts.first().map_or("", |part| &part.text)
}

fn last_text<'m>(message: &'m Message<'_>) -> &'m str {
    message.parts.last().map_or("", |part| &part.text)
}

/// Whether an agent submits the result of its run, and the answer says nothing, as the output of that command does
/// (mini-SWE-agent), is the patch, or is a stub. No person answers so: it shows how actions are written even after all
/// other observations were pruned or summarized.
fn ends_run(actor: &Message<'_>, answer: &Message<'_>) -> bool {
    let submitted = |text: &str| text.trim().is_empty() || text.starts_with(PATCH) || synthetic::is_stub(text);
    may_act(actor) && may_answer(answer) && submitted(first_text(answer)) && submits(last_text(actor))
}

/// Whether a message was written by the model, ends with text, and has no calls.
pub(in crate::format) fn may_act(message: &Message<'_>) -> bool {
    let ends_with_words = message.parts.last().is_some_and(|part| part.kind == PartKind::Text);
    message.author == Author::Model && ends_with_words && message.calls().next().is_none()
}

/// Whether a message could be an observation: written by a person as far as known, or with a fixed text of a harness.
fn may_answer(message: &Message<'_>) -> bool {
    let harness = message.author == Author::Harness && harness_texts::is_told(first_text(message));
    message.author == Author::Person || harness
}

fn is_observation(text: &str) -> bool {
    let begins =
        OUTCOMES.iter().chain(&OPENINGS).chain([&ANYBODYS]).any(|opening| text.trim_start().starts_with(opening));
    begins || text.trim_end().ends_with(PROMPT)
}

/// Whether a text ends with the command that submits the result of a run.
fn submits(said: &str) -> bool {
    let has = |text: &str| SUBMITS.iter().any(|echoed| text.contains(echoed));
    has(said) && block(said).is_some_and(|(_, action)| has(action))
}

/// Parses a text that ends with an action. Returns the text before it and its calls; `None` if there is no action.
pub(in crate::format) fn read(text: &str, observation: &str) -> Option<(String, Vec<Call>)> {
    tagged(text).or_else(|| {
        let (before, action) = block(text).filter(|_| !observation.trim_start().starts_with(ANYBODYS))?;
        Some((before.to_owned(), vec![swe_commands::command(action, observation)]))
    })
}

/// Parses a turn that is known to act, since a result follows or its speaker says so.
pub(in crate::format) fn of_turn(text: &str) -> Option<(String, Vec<Call>)> {
    read(text, "").or_else(|| call_markers::marked(text)).or_else(|| react::read(text))
}

/// Parses the calls in a text that results follow, which name no call. Returns the text before them and the calls.
fn answered(text: &str) -> Option<(String, Vec<Call>)> {
    tagged(text).or_else(|| call_markers::answered(text))
}

/// The number of calls that the words of a message are, if results follow.
pub(in crate::format) fn calls_in_words(message: &Message<'_>) -> usize {
    let calls = may_act(message).then(|| answered(last_text(message))).flatten();
    calls.map_or(0, |(_, calls)| calls.len())
}

/// Parses the calls with tags around each argument that end a text.
pub(in crate::format) fn functions(text: &str) -> Option<(String, Vec<Call>)> {
    call_tags::functions(text)
}

/// Like [`read`], for calls between tags only.
pub(in crate::format) fn tagged(text: &str) -> Option<(String, Vec<Call>)> {
    call_tags::functions(text).or_else(|| call_text::marked(text))
}

/// Replaces the last text of a message by its action's calls, and turns the next message into the result of the first
/// call; each further call gets an empty result.
pub(in crate::format) fn act<'a>(
    actor: &mut Message<'a>,
    answer: &mut Message<'a>,
    (before, calls): (String, Vec<Call>),
    index: usize,
) {
    // Behind what an agent of the web observes stands a picture of the page.
    let Some((said, shown)) = answer.parts.split_first_mut() else { return };
    let only_shows = shown.iter().all(|part| part.is_media());
    if said.kind != PartKind::Text || calls.is_empty() || !only_shows {
        return;
    }
    let names: Vec<String> = calls.iter().map(|(name, _)| name.clone()).collect();
    let ids: Vec<String> = (0..names.len()).map(|number| made_up(index, number)).collect();
    speak(actor, before, ids.iter().cloned().zip(calls));
    // The whole answer is stored once.
    let place = slot::fixed_at(said.slot.part.clone());
    let mut all = ids.into_iter().zip(names);
    if let Some((id, tool)) = all.next() {
        let (tool, pruned) = (Some(Cow::Owned(tool)), synthetic::is_stub(&said.text));
        said.kind = PartKind::Result { id: Cow::Owned(id), tool, error: false, pruned, media: Vec::new() };
    }
    answer.parts.extend(all.map(|(id, tool)| empty_result(id, tool, place.clone())));
    (answer.role, answer.author) = (Role::Tool, Author::Tool);
}

/// Returns the text before the fenced or tagged block that ends a text, and the content of the block.
pub(in crate::format) fn block(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_end();
    let [open, close] = COMMAND_TAGS;
    let (before, action) = match text.strip_suffix(close) {
        Some(text) => text.rsplit_once(open)?,
        None => fenced(text.strip_suffix(FENCE)?)?,
    };
    let action = action.trim();
    (!action.is_empty()).then_some((before.trim_end(), action))
}

/// Returns the text before the last unclosed fence, and the text inside it. As SWE-agent parses fences, one with a
/// language opens a block, even inside another, and a bare one closes the newest; fences inside a here-document are
/// ignored.
fn fenced(text: &str) -> Option<(&str, &str)> {
    let last: HashMap<&str, usize> = react::lines(text).map(|(at, line)| (line.trim(), at)).collect();
    let (mut open, mut document) = (Vec::new(), None);
    for (at, line) in react::lines(text) {
        if let Some(end) = document {
            document = Some(end).filter(|end| line.trim() != *end);
            continue;
        }
        match line.trim_end().strip_prefix(FENCE).filter(|language| !language.contains('`')) {
            Some("") if !open.is_empty() => drop(open.pop()),
            Some(language) => open.push((at, language)),
            None if open.is_empty() => {}
            None => document = here_document(line).filter(|end| last.get(end).is_some_and(|last| *last > at)),
        }
    }
    let (start, language) = open.pop()?;
    let (_, action) = text[start..].split_once('\n')?;
    (language.is_empty() || SHELLS.contains(&language)).then_some((&text[..start], action))
}

/// The line that ends the here-document opened by a line of a command.
fn here_document(line: &str) -> Option<&str> {
    let (before, behind) = line.split_once("<<")?;
    let name = behind.strip_prefix('-').unwrap_or(behind).trim_start().trim_start_matches(['\'', '"', '\\']);
    let name = name.split(|char: char| !(char.is_alphanumeric() || char == '_')).next()?;
    (!name.is_empty() && !before.ends_with('<') && !behind.starts_with('<')).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(text: &str, observation: &str) -> Option<(String, Vec<String>)> {
        let (before, calls) = read(text, observation)?;
        Some((before, calls.into_iter().map(|(name, arguments)| format!("{name} {arguments}")).collect()))
    }

    fn one(before: &str, call: &str) -> Option<(String, Vec<String>)> {
        Some((before.to_owned(), vec![call.to_owned()]))
    }

    #[test]
    fn a_block_at_the_end_is_a_command() {
        assert_eq!(
            calls("THOUGHT: so\n\n```bash\nls -l\n```\n", ""),
            one("THOUGHT: so", r#"bash {"command":"ls -l"}"#)
        );
        assert_eq!(calls("```\nls\n```", ""), one("", r#"bash {"command":"ls"}"#));
        assert_eq!(calls("so\n<command>\npython a.py\n</command>", ""), one("so", r#"bash {"command":"python a.py"}"#));
        for text in ["", "```", "``````", "x ```", "```\n```", "```\nls\n``` done", "</command>", "```python\nx\n```"] {
            assert_eq!(calls(text, ""), None, "{text}");
        }
        assert_eq!(calls("```\nls\n```", "Observation: that is wrong."), None);
        let shown = "```\nx = 1\n```\nNow I run:\n```bash\npytest\n```";
        assert_eq!(calls(shown, "").map(|(_, calls)| calls), Some(vec![r#"bash {"command":"pytest"}"#.to_owned()]));
        let quoted = "You showed\n```bash\nrm -rf b\n```\nbut I run\n```sh\npytest\n```";
        let before = "You showed\n```bash\nrm -rf b\n```\nbut I run";
        for last in ["```sh", "```", "```console", "```bash"] {
            let text = quoted.replace("```sh", last);
            assert_eq!(calls(&text, ""), one(before, r#"bash {"command":"pytest"}"#), "{last}");
            let windows = calls(&text.replace('\n', "\r\n"), "").map(|(_, calls)| calls);
            assert_eq!(windows, Some(vec![r#"bash {"command":"pytest"}"#.to_owned()]), "{last}");
        }
        let nested = "```bash\ncat > a.md <<E\n```\nx\n```\nE\n```";
        let expected = r#"bash {"command":"cat > a.md <<E\n```\nx\n```\nE"}"#;
        assert_eq!(calls(nested, ""), one("", expected));
        let edited = "Look:\n```\nedit 1:2\n```py\nx << y\n```\nend_of_edit\n```";
        assert_eq!(calls(edited, "").map(|(before, _)| before).as_deref(), Some("Look:"));
        assert_eq!(calls("```python\nx\n```bash\nls <<<E\n```", "").map(|it| it.0).as_deref(), Some("```python\nx"));
        assert_eq!(
            calls("a <command> tag.\n<command>\nls\n</command>", "").map(|it| it.0).as_deref(),
            Some("a <command> tag.")
        );
    }
}
