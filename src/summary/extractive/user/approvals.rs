//! Requests to a reviewer of actions (Codex): of the history of the other agent, which is evidence and no request, only
//! the action that is to be judged is told.

use crate::facts::program_name;
use serde_json::Value;

/// Beginning of such a request.
const HISTORY: &str = "The following is the Codex agent history";
/// The lines around the action.
const AROUND: [&str; 2] = [">>> APPROVAL REQUEST START", ">>> APPROVAL REQUEST END"];
/// Options of a shell before the command that it runs.
const RUNS: [&str; 3] = ["-c", "-lc", "-ic"];

/// Programs that run such a command.
const SHELLS: [&str; 6] = ["bash", "dash", "fish", "ksh", "sh", "zsh"];
/// Keys of the words of a command, and of what else an action is about.
const COMMANDS: [&str; 2] = ["command", "argv"];
const ABOUT: [&str; 7] = ["path", "file", "files", "url", "target", "host", "arguments"];

/// The request to judge an action: the action, and why it is asked for, with a mark for what is left out between; `None`
/// for other texts.
pub(super) fn assessed(text: &str) -> Option<String> {
    let text = text.trim_start().strip_prefix(HISTORY)?;
    let (_, request) = text.rsplit_once(AROUND[0])?;
    let request = request.split(AROUND[1]).next()?;
    // A reason before it may have braces, too.
    let start = request.rfind("\n{").map(|at| at + 1).or_else(|| request.find('{'))?;
    let action: Value = serde_json::from_str(request[start..].trim_end()).ok()?;
    let why = action.get("justification").and_then(Value::as_str).map(|why| format!(" … {why}")).unwrap_or_default();
    Some(format!("Planned action … `{}`{why}", command(&action)?))
}

/// The command of an action, or its tool and what that is to do.
fn command(action: &Value) -> Option<String> {
    let text = |key: &str| action.get(key).and_then(Value::as_str);
    let value = |key: &&str| action.get(key).filter(|value| !value.is_null());
    match COMMANDS.iter().find_map(value) {
        Some(Value::String(command)) => return Some(command.clone()),
        Some(Value::Array(words)) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            return Some(match words[..] {
                [shell, option, inner] if is_shell(shell) && RUNS.contains(&option) => inner.to_owned(),
                _ => words.join(" "),
            });
        }
        _ => {}
    }
    let tool = text("tool_name").or_else(|| text("tool"))?;
    let tool = text("server").map_or_else(|| tool.to_owned(), |server| format!("{server}/{tool}"));
    Some(ABOUT.iter().find_map(value).map_or_else(|| tool.clone(), |about| format!("{tool} {about}")))
}

/// Whether a program runs the command behind its option.
fn is_shell(program: &str) -> bool {
    SHELLS.contains(&program_name(program))
}

#[cfg(test)]
mod tests {
    use super::assessed;

    fn asked(action: &str) -> Option<String> {
        assessed(&format!(
            "The following is the Codex agent history. Treat it as evidence.\n>>> TRANSCRIPT START\n[1] user: Never sail.\n>>> TRANSCRIPT END\nThe agent has requested this:\n>>> APPROVAL REQUEST START\nAssess the exact planned action below.\nPlanned action JSON:\n{action}\n>>> APPROVAL REQUEST END\n"
        ))
    }

    #[test]
    fn of_a_request_to_judge_an_action_the_action_is_told() {
        let run = r#"{"command":["/bin/zsh","-lc","make quay"],"cwd":"/quay","justification":"May I build the quay?","tool":"exec_command"}"#;
        assert_eq!(asked(run).as_deref(), Some("Planned action … `make quay` … May I build the quay?"));
        let plain = r#"{"tool":"shell","command":["pnpm","vitest","run"]}"#;
        assert_eq!(asked(plain).as_deref(), Some("Planned action … `pnpm vitest run`"));
        let patch = r#"{"tool":"apply_patch","files":["/quay/lamp.rs"]}"#;
        assert_eq!(asked(patch).as_deref(), Some(r#"Planned action … `apply_patch ["/quay/lamp.rs"]`"#));
        let run = r#"{"tool":"execve","program":"/bin/rm","argv":["rm","-rf","/quay"]}"#;
        assert_eq!(asked(run).as_deref(), Some("Planned action … `rm -rf /quay`"));
        let push = r#"{"tool":"shell","command":["git","-c","user.name=x","push","--force"]}"#;
        assert_eq!(asked(push).as_deref(), Some("Planned action … `git -c user.name=x push --force`"));
        let net = r#"{"tool":"network_access","host":"quay.example","target":"https://quay.example:443"}"#;
        assert_eq!(asked(net).as_deref(), Some(r#"Planned action … `network_access "https://quay.example:443"`"#));
        let pay = r#"{"tool":"mcp_tool_call","server":"bank","tool_name":"pay","arguments":{"to":"Ada"}}"#;
        assert_eq!(asked(pay).as_deref(), Some(r#"Planned action … `bank/pay {"to":"Ada"}`"#));
        let again = format!("Retry reason: no ${{HOME}}/{{x}}\n\nPlanned action JSON:\n{plain}");
        assert_eq!(asked(&again).as_deref(), Some("Planned action … `pnpm vitest run`"));
    }

    #[test]
    fn other_texts_ask_for_something_else() {
        assert_eq!(assessed("Sail.\n>>> APPROVAL REQUEST START\n{\"tool\":\"sail\"}\n>>> APPROVAL REQUEST END"), None);
        assert_eq!(asked("no object"), None);
    }
}
