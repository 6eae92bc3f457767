//! Requests to a reviewer of actions (Codex): of the history of the other agent, which is evidence and no request, only
//! the action that is to be judged is told.

use serde_json::Value;

/// Beginning of such a request.
const HISTORY: &str = "The following is the Codex agent history";
/// The lines around the action.
const AROUND: [&str; 2] = [">>> APPROVAL REQUEST START", ">>> APPROVAL REQUEST END"];
/// Options of a shell before the command that it runs.
const RUNS: [&str; 3] = ["-c", "-lc", "-ic"];

/// The request to judge an action, with the action and why it is asked for; `None` for other texts.
pub(super) fn assessed(text: &str) -> Option<String> {
    let text = text.trim_start().strip_prefix(HISTORY)?;
    let (_, request) = text.rsplit_once(AROUND[0])?;
    let request = request.split(AROUND[1]).next()?;
    let object = request.get(request.find('{')?..=request.rfind('}')?)?;
    let action: Value = serde_json::from_str(object).ok()?;
    let why = action.get("justification").and_then(Value::as_str).map(|why| format!(" — {why}")).unwrap_or_default();
    Some(format!("Assess the planned action `{}`{why}", command(&action)?))
}

/// The command of an action, or the tool and the first of its other arguments.
fn command(action: &Value) -> Option<String> {
    match action.get("command") {
        Some(Value::String(command)) => return Some(command.clone()),
        Some(Value::Array(words)) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            let inner = words.get(1).filter(|option| RUNS.contains(option)).and(words.get(2));
            return Some(inner.map_or_else(|| words.join(" "), |inner| (*inner).to_owned()));
        }
        _ => {}
    }
    let tool = action.get("tool")?.as_str()?;
    let other = |key: &&str| action.get(key).filter(|value| !value.is_null());
    let argument = ["path", "file", "files", "url", "host", "target", "arguments"].iter().find_map(other);
    Some(argument.map_or_else(|| tool.to_owned(), |argument| format!("{tool} {argument}")))
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
        assert_eq!(asked(run).as_deref(), Some("Assess the planned action `make quay` — May I build the quay?"));
        let plain = r#"{"tool":"shell","command":["pnpm","vitest","run"]}"#;
        assert_eq!(asked(plain).as_deref(), Some("Assess the planned action `pnpm vitest run`"));
        let patch = r#"{"tool":"apply_patch","files":["/quay/lamp.rs"]}"#;
        assert_eq!(asked(patch).as_deref(), Some(r#"Assess the planned action `apply_patch ["/quay/lamp.rs"]`"#));
    }

    #[test]
    fn other_texts_ask_for_something_else() {
        assert_eq!(assessed("Sail.\n>>> APPROVAL REQUEST START\n{\"tool\":\"sail\"}\n>>> APPROVAL REQUEST END"), None);
        assert_eq!(asked("no object"), None);
    }
}
