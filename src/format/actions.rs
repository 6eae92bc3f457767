//! Actions that an agent writes in its words instead of calling a tool, and what the environment answers in the user's
//! name: rows of SWE-smith, SWE-Gym, OpenHands, mini-SWE-agent and SWE-agent, and of templates that spell calls as text.
//!
//! They are calls only where the next message of the user begins or ends like an observation. Words before the action stay
//! words. Nothing inside such a message can be replaced; the observation can, like any result.

use super::call_text::{self, CALL_TAGS, Call};
use super::json::quoted;
use super::slot::{self, part};
use super::synthetic;
use crate::transcript::{Author, Message, PartKind, Role, Slot};
use std::borrow::Cow;

/// What observations begin with.
const OPENINGS: [&str; 4] = ["EXECUTION RESULT of [", "OBSERVATION:", "<returncode>", "<tool_response>"];
/// The same, as a person may write it, too: it only answers what stands between tags.
const ANYBODYS: &str = "Observation:";
/// What those of SWE-agent end with.
const PROMPT: &str = "bash-$";
/// Tags around a command, and fences around one.
const COMMAND_TAGS: [&str; 2] = ["<command>", "</command>"];
const FENCE: &str = "```";
/// Languages of a fence that holds a command: Python and others are mostly shown.
const SHELLS: [&str; 5] = ["mswea_bash_command", "bash", "shell", "sh", "console"];

/// Makes calls and results of actions that are observed. Where nothing was observed but stubs, a fence may show anything:
/// only calls between tags are any.
pub(super) fn pair(messages: &mut [Message<'_>]) {
    let observed =
        messages.iter().any(|message| message.author == Author::Person && is_observation(first_text(message)));
    for index in 1..messages.len() {
        let (earlier, later) = messages.split_at_mut(index);
        let (Some(actor), Some(answer)) = (earlier.last_mut(), later.first_mut()) else { return };
        let observation = first_text(answer);
        let stub = synthetic::is_stub(observation);
        if !may_act(actor) || answer.author != Author::Person || !(stub || is_observation(observation)) {
            continue;
        }
        let said = actor.parts.last().map_or("", |part| &*part.text);
        let acts = if stub && !observed { tagged(said) } else { read(said, observation) };
        if let Some(acts) = acts {
            act(actor, answer, acts, index);
        }
    }
}

fn first_text<'m>(message: &'m Message<'_>) -> &'m str {
    message.parts.first().map_or("", |part| &part.text)
}

/// Whether a message of the model ends with words and calls nothing.
pub(super) fn may_act(message: &Message<'_>) -> bool {
    let ends_with_words = message.parts.last().is_some_and(|part| part.kind == PartKind::Text);
    message.author == Author::Model && ends_with_words && message.calls().next().is_none()
}

fn is_observation(text: &str) -> bool {
    let begins = OPENINGS.iter().chain([&ANYBODYS]).any(|opening| text.trim_start().starts_with(opening));
    begins || text.trim_end().ends_with(PROMPT)
}

/// The words before an action, and its calls; `None` if no action ends the text.
pub(super) fn read(text: &str, observation: &str) -> Option<(String, Vec<Call>)> {
    tagged(text).or_else(|| {
        let (before, action) = block(text).filter(|_| !observation.trim_start().starts_with(ANYBODYS))?;
        Some((before.to_owned(), vec![command(action, observation)]))
    })
}

/// The same of calls between tags.
pub(super) fn tagged(text: &str) -> Option<(String, Vec<Call>)> {
    functions(text).or_else(|| call_text::marked(text))
}

/// Makes the last words of a message what they do, and the next message what came of it: the result of the first call,
/// with an empty one for each of the others.
pub(super) fn act<'a>(
    actor: &mut Message<'a>,
    answer: &mut Message<'a>,
    (before, calls): (String, Vec<Call>),
    index: usize,
) {
    let [said] = &mut answer.parts[..] else { return };
    if said.kind != PartKind::Text || calls.is_empty() {
        return;
    }
    let Some(words) = actor.parts.pop() else { return };
    let at = |slot: &Slot| slot::fixed_at(slot.part.clone());
    if !before.is_empty() {
        actor.parts.push(part(PartKind::Text, Cow::Owned(before), at(&words.slot)));
    }
    // What answers all stands once: the others get nothing, and nothing of them can go.
    let mut empty = Vec::new();
    for (number, (name, arguments)) in calls.into_iter().enumerate() {
        let id: Cow<'_, str> = Cow::Owned(format!("#action {index}.{number}"));
        let tool = Some(Cow::Owned(name.clone()));
        let kind = PartKind::Call { id: id.clone(), name: Cow::Owned(name) };
        actor.parts.push(part(kind, Cow::Owned(arguments), at(&words.slot)));
        let pruned = number > 0 || synthetic::is_stub(&said.text);
        let kind = PartKind::Result { id, tool, error: false, pruned, media: Vec::new() };
        if number == 0 {
            said.kind = kind;
        } else {
            empty.push(part(kind, Cow::Borrowed(""), at(&said.slot)));
        }
    }
    answer.parts.extend(empty);
    (answer.role, answer.author) = (Role::Tool, Author::Tool);
}

/// The calls `<function=name><parameter=key>value</parameter></function>` that end a text, and what stands before them.
fn functions(text: &str) -> Option<(String, Vec<Call>)> {
    const OPEN: &str = "<function=";
    let [tag, end_tag] = CALL_TAGS;
    let start = text.find(OPEN)?;
    let calls = text[start..].split(OPEN).skip(1).map(|call| {
        let (name, body) = call.split_once('>')?;
        let body = body.trim_end().trim_end_matches(tag).trim_end().trim_end_matches(end_tag).trim_end();
        let body = body.strip_suffix("</function>").or_else(|| body.ends_with("</parameter>").then_some(body))?;
        Some((name.trim().to_owned(), parameters(body)?))
    });
    let before = text[..start].trim_end();
    Some((before.strip_suffix(tag).unwrap_or(before).trim_end().to_owned(), calls.collect::<Option<_>>()?))
}

fn parameters(body: &str) -> Option<String> {
    let fields = body.split("<parameter=").skip(1).map(|parameter| {
        let (key, value) = parameter.split_once('>')?;
        let value = value.rsplit_once("</parameter>")?.0;
        let value = value.strip_prefix('\n').unwrap_or(value);
        Some((key, value.strip_suffix('\n').unwrap_or(value)))
    });
    Some(object(&fields.collect::<Option<Vec<_>>>()?))
}

/// The fenced or tagged block that ends a text, and what stands before it.
pub(super) fn block(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_end();
    let [open, close] = COMMAND_TAGS;
    let (before, action) = match text.strip_suffix(close) {
        Some(text) => text.rsplit_once(open)?,
        None => fenced(text.strip_suffix(FENCE)?)?,
    };
    let action = action.trim();
    (!action.is_empty()).then_some((before.trim_end(), action))
}

/// What stands before the last fence that is not closed, and in it. A command may hold fences itself: that of a shell
/// begins with the last one of that language.
fn fenced(text: &str) -> Option<(&str, &str)> {
    let at_line = |fence: &str| match text.rfind(&format!("\n{fence}")) {
        Some(at) => Some(at + 1),
        None => text.starts_with(fence).then_some(0),
    };
    let of_shell = SHELLS.iter().find_map(|shell| at_line(&format!("{FENCE}{shell}\n")));
    let start = of_shell.or_else(|| at_line(FENCE))?;
    let (language, action) = text[start..].split_once('\n')?;
    (of_shell.is_some() || language.trim() == FENCE).then_some((&text[..start], action))
}

/// Commands of SWE-agent that work on files: on the one that is named, or on the one that is open.
const OF_FILES: [&str; 4] = ["open", "create", "edit", "insert"];
/// Its other ones.
const OTHERS: [&str; 7] = ["goto", "scroll_up", "scroll_down", "search_dir", "search_file", "find_file", "submit"];
/// Its editor.
const EDITOR: &str = "str_replace_editor";

/// The call that an action is: of a command of SWE-agent, or of a shell.
pub(super) fn command(action: &str, observation: &str) -> Call {
    let (name, rest) = action.split_once(char::is_whitespace).map_or((action, ""), |(name, rest)| (name, rest.trim()));
    let mut fields = match name {
        EDITOR => ["command", "path", "arguments"].into_iter().zip(rest.splitn(3, ' ').map(unquoted)).collect(),
        _ if OF_FILES.contains(&name) => {
            let named = rest.split_whitespace().next().map(unquoted).filter(|_| matches!(name, "open" | "create"));
            vec![("path", open_file(observation).or(named).unwrap_or_default()), ("arguments", rest)]
        }
        _ if OTHERS.contains(&name) => vec![("arguments", rest)],
        _ => return ("bash".to_owned(), object(&[("command", action)])),
    };
    fields.retain(|(_, value)| !value.is_empty());
    (name.to_owned(), object(&fields))
}

fn unquoted(word: &str) -> &str {
    word.trim_matches(['"', '\''])
}

/// The file that SWE-agent shows, or has open.
fn open_file(observation: &str) -> Option<&str> {
    let shown = || observation[observation.find("[File: ")?..].strip_prefix("[File: ")?.split(" (").next();
    let open = || observation[observation.rfind("(Open file: ")?..].strip_prefix("(Open file: ")?.split(')').next();
    shown().or_else(open).filter(|path| *path != "n/a" && !path.contains('\n'))
}

fn object(fields: &[(&str, &str)]) -> String {
    let fields: Vec<_> = fields.iter().map(|(key, value)| format!("{}:{}", quoted(key), quoted(value))).collect();
    format!("{{{}}}", fields.join(","))
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
    fn functions_between_tags_are_calls() {
        let text = "Look.\n\n<function=bash>\n<parameter=command>\nls > a\nmake\n</parameter>\n<parameter=risk>LOW</parameter>\n</function>";
        assert_eq!(calls(text, ""), one("Look.", r#"bash {"command":"ls > a\nmake","risk":"LOW"}"#));
        let qwen = "<tool_call>\n<function=f>\n<parameter=a>1</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=g>\n</function>\n</tool_call>";
        assert_eq!(calls(qwen, "").unwrap_or_default().1, [r#"f {"a":"1"}"#, "g {}"]);
        for text in ["<function=f>", "see <function=f>x</function> there", "<function=f><parameter=a></function> so"] {
            assert_eq!(calls(text, ""), None, "{text}");
        }
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
        let nested = "```bash\ncat > a.md <<E\n```\nx\n```\nE\n```";
        let expected = r#"bash {"command":"cat > a.md <<E\n```\nx\n```\nE"}"#;
        assert_eq!(calls(nested, ""), one("", expected));
        assert_eq!(
            calls("a <command> tag.\n<command>\nls\n</command>", "").map(|it| it.0).as_deref(),
            Some("a <command> tag.")
        );
    }

    #[test]
    fn commands_of_swe_agent_name_the_file_that_is_open() {
        let shown = "[File: /w/tide.py (9 lines total)]\n1:x\n\n(Open file: /w/tide.py)\nbash-$";
        let call = |action: &str, observation: &str| {
            let (name, arguments) = command(action, observation);
            format!("{name} {arguments}")
        };
        assert_eq!(
            call("edit 1:1\nx = 2\nend_of_edit", shown),
            r#"edit {"path":"/w/tide.py","arguments":"1:1\nx = 2\nend_of_edit"}"#
        );
        assert_eq!(call("create tide.py", ""), r#"create {"path":"tide.py","arguments":"tide.py"}"#);
        assert_eq!(
            call("edit 'a' 'b'", "Replaced. (Open file: /w/b.py)"),
            r#"edit {"path":"/w/b.py","arguments":"'a' 'b'"}"#
        );
        assert_eq!(call("edit x", "(Open file: n/a)"), r#"edit {"arguments":"x"}"#);
        assert_eq!(
            call("str_replace_editor view '/w/a.py' --view_range 1 2", ""),
            r#"str_replace_editor {"command":"view","path":"/w/a.py","arguments":"--view_range 1 2"}"#
        );
        assert_eq!(call("submit", ""), "submit {}");
        assert_eq!(call("pytest -q", shown), r#"bash {"command":"pytest -q"}"#);
    }
}
