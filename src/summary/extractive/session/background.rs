//! Background commands: notices of the harness, words of the agent and kill commands that say that one has ended.

use super::turns::Turn;
use crate::facts::program_name;
use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::outcome::CallOutcome;
use crate::summary::extractive::sentences::cues::lower;
use crate::summary::extractive::user::tags::inside;
use crate::summary::text::{contains_any, first_bytes, starts_any};
use foldhash::HashMap;

/// Start of a notice that a background command ended (Claude Code).
const NOTICE: &str = "<task-notification>";
/// Words of a sentence that say that something ended, and negations of that.
const ENDED: [&str; 12] = [
    "complete",
    "completed",
    "done",
    "ended",
    "exited",
    "finished",
    "succeeded",
    "fertig",
    "terminé",
    "terminado",
    "concluído",
    "завершён",
];
const NOT: [&str; 20] = [
    "not", "yet", "until", "once", "when", "if", "will", "should", "after", "before", "nicht", "kein", "pas", "encore",
    "no", "aún", "não", "ainda", "не", "ещё",
];
/// Number of words of a command that are compared.
const NAMES: usize = 3;

/// Start of an event line (OpenClaw), its text before the session's name, and the length of a shortened name in it.
const EVENT: &str = "System: [";
const EXITED: [&str; 2] = ["] Exec completed (", "] Exec failed ("];
const CUT: usize = 8;

/// Whether `id` is a shortened name of this session.
pub(super) fn is_cut(id: &str, session: &str) -> bool {
    id.len() == CUT && session.starts_with(id)
}

/// The sessions whose commands ended by notices in a text, with the outcomes.
pub(super) fn notices(text: &str) -> impl Iterator<Item = (&str, CallOutcome)> {
    let events = text.lines().filter_map(|line| {
        let event = line.strip_prefix(EVENT)?;
        let (id, behind) = EXITED.iter().find_map(|said| event.split_once(said)?.1.split_once(", code "))?;
        let outcome = match behind.split(')').next()?.parse::<i32>().ok()? {
            0 => CallOutcome::Done(String::new()),
            code => CallOutcome::Failed(format!("exit code {code}")),
        };
        Some((id, outcome))
    });
    events.chain(tagged(text))
}

fn tagged(text: &str) -> impl Iterator<Item = (&str, CallOutcome)> {
    text.split(NOTICE).skip(1).filter_map(|notice| {
        let id = inside(notice, "<task-id>", "</task-id>")?;
        let status = inside(notice, "<status>", "</status>")?;
        let code = inside(notice, "<summary>", "</summary>").and_then(exit_code);
        let outcome = match (status, code) {
            ("completed" | "failed", Some(0)) => CallOutcome::Done(String::new()),
            ("completed" | "failed", Some(code)) => CallOutcome::Failed(format!("exit code {code}")),
            ("failed", None) => CallOutcome::Failed(String::new()),
            ("completed" | "killed" | "stopped", _) => CallOutcome::Ended,
            _ => return None,
        };
        Some((id, outcome))
    })
}

fn exit_code(summary: &str) -> Option<i32> {
    let (_, behind) = summary.rsplit_once("exit code ")?;
    behind.trim_end_matches([')', '.']).parse().ok()
}

/// Marks running commands as ended if the agent later says so in its words.
pub(super) fn end_by_words(turns: &mut [Turn<'_>]) {
    let runs = |turn: &Turn<'_>| turn.acts.iter().any(|act| act.outcome == CallOutcome::Running);
    let Some(first) = turns.iter().position(runs) else { return };
    let mut ended: HashMap<String, usize> = HashMap::default();
    for said in turns[first..].iter().flat_map(|turn| &turn.said) {
        let lower = lower(&said.sentence);
        let words: Vec<&str> = lower.split(' ').map(bare).filter(|word| !word.is_empty()).collect();
        let not = |word: &&&str| NOT.contains(*word) || word.ends_with("n't");
        if words.iter().any(|word| ENDED.contains(word)) && !words.iter().any(|word| not(&word)) {
            let pairs = words.windows(2).chain(words.windows(3));
            ended.extend(pairs.map(|name| (name.join(" "), said.message)));
        }
    }
    for act in turns[first..].iter_mut().flat_map(|turn| &mut turn.acts) {
        let Action::Run(command) = &act.action else { continue };
        if act.outcome == CallOutcome::Running {
            let lower = command.shown().to_lowercase();
            let words = lower.split_whitespace().filter(|word| !word.starts_with('-')).map(bare);
            let words: Vec<&str> = words.filter(|word| !word.is_empty()).take(NAMES).collect();
            if ended.get(&name(&words).join(" ")).is_some_and(|message| *message > act.message) {
                (act.outcome, act.result) = (CallOutcome::Ended, "");
            }
        }
    }
}

/// Exit statuses of a command that was interrupted, killed or terminated, and that of Claude Code for one.
const SIGNALS: [u8; 4] = [130, 137, 143, 144];
/// Options of `pkill` that take a value.
const VALUED: [&str; 8] = ["u", "U", "t", "g", "G", "P", "s", "F"];
/// Texts of a stopping tool that say that there is nothing to stop.
const STOPPED: [&str; 3] = ["not running", "no shell", "not found"];
/// Texts of other tools that say that a command was stopped (OpenClaw).
const KILLED: [&str; 2] = ["killed session ", "termination requested for session "];

/// Whether the result of a tool says that the session it was asked about no longer runs.
pub(super) fn kills(tool: &str, result: &str, error: bool) -> bool {
    let (name, lower) = (tool.to_lowercase(), first_bytes(result, 300).to_lowercase());
    let says = starts_any(&lower, &KILLED) && !error;
    says || (name.contains("kill") || name.contains("stop")) && (!error || contains_any(&lower, &STOPPED))
}

/// Whether a command may have been killed: it runs, or a notice told that it ended in the background with the exit
/// status of such a signal.
fn may_be_killed(act: &Act<'_>) -> bool {
    let by_signal = |detail: &str| {
        let code = detail.strip_prefix("exit code ").and_then(|code| code.parse().ok());
        code.is_some_and(|code| SIGNALS.contains(&code))
    };
    match &act.outcome {
        CallOutcome::Running => true,
        CallOutcome::Failed(detail) => act.ended_by.is_some() && by_signal(detail),
        _ => false,
    }
}

/// Marks commands as ended if the agent later killed them: `pkill -f 'lamp light'`.
pub(super) fn end_by_kills(turns: &mut [Turn<'_>]) {
    let acts = || turns.iter().flat_map(|turn| &turn.acts);
    if !acts().any(may_be_killed) {
        return;
    }
    let killed = |act: &Act<'_>| match &act.action {
        Action::Run(command) if act.outcome.failure().is_none() => {
            pattern_of_kill(command).map(|pattern| (act.message, pattern.to_owned()))
        }
        _ => None,
    };
    let killed: Vec<(usize, String)> = acts().filter_map(killed).collect();
    for act in turns.iter_mut().flat_map(|turn| &mut turn.acts).filter(|act| may_be_killed(act)) {
        let Action::Run(command) = &act.action else { continue };
        if killed.iter().any(|(message, pattern)| *message > act.message && command.contains(pattern)) {
            (act.outcome, act.result) = (CallOutcome::Ended, "");
        }
    }
}

/// The pattern of a `pkill` or `killall` in a command.
fn pattern_of_kill(command: &str) -> Option<&str> {
    let steps = command.split(['&', ';', '\n']).map(str::trim_start);
    let mut rest =
        steps.into_iter().find_map(|step| ["pkill ", "killall "].iter().find_map(|kill| step.strip_prefix(kill)))?;
    rest = rest.trim_start();
    while let Some(option) = rest.strip_prefix('-') {
        let (option, behind) = option.split_once(' ')?;
        rest = behind.trim_start();
        if VALUED.contains(&option) {
            rest = rest.split_once(' ')?.1.trim_start();
        }
    }
    let quote = rest.chars().next().filter(|first| ['\'', '"'].contains(first));
    let pattern = match quote {
        Some(quote) => rest[1..].split(quote).next()?,
        None => rest.split([' ', ';', '&', '|', '\n']).next()?,
    };
    (pattern.len() > 2).then_some(pattern)
}

fn bare(word: &str) -> &str {
    program_name(word).trim_matches(|char: char| !char.is_alphanumeric())
}

/// The name of a command: its first two words, or three if the second is `run`.
fn name<'w>(words: &'w [&str]) -> &'w [&'w str] {
    let most = if words.get(1) == Some(&"run") { 3 } else { 2 };
    if words.len() < most { &[] } else { &words[..most] }
}

#[cfg(test)]
mod tests {
    use super::super::turns::turns;
    use super::*;
    use crate::summary::builders::{act, agent, user};
    use crate::transcript::{Author, Message};

    fn ended(then: Message<'static>) -> CallOutcome {
        let mut messages = vec![user("Light the lamps.")];
        let started = "Command running in background with ID: b7f.";
        messages.extend(act("Bash", r#"{"command":"lamp -v light all > lamps.log"}"#, started, false));
        messages.push(then);
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let act = turns(&head, &[]).swap_remove(1).acts.swap_remove(0);
        // The start message is not its output.
        assert_eq!(act.result.is_empty(), act.outcome != CallOutcome::Running);
        act.outcome
    }

    #[test]
    fn a_notice_ends_what_went_on_in_the_background() {
        let told = |id: &str, status: &str, summary: &str| {
            let notice = format!(
                "<task-notification>\n<task-id>{id}</task-id>\n<status>{status}</status>\n<summary>{summary}</summary>"
            );
            ended(Message { author: Author::Harness, ..user(&notice) })
        };
        let command = "Background command \"Light all\"";
        assert_eq!(
            told("b7f", "completed", &format!("{command} completed (exit code 0)")),
            CallOutcome::Done(String::new())
        );
        let failed = told("b7f", "failed", &format!("{command} failed with exit code 3"));
        assert_eq!(failed, CallOutcome::Failed("exit code 3".into()));
        assert_eq!(told("b7f", "killed", command), CallOutcome::Ended);
        assert_eq!(told("b8f", "completed", command), CallOutcome::Running, "another one");
    }

    #[test]
    fn the_last_poll_of_a_task_tells_its_outcome() {
        let poll = |status: &str, printed: &str| {
            let result = format!(
                "<retrieval_status>timeout</retrieval_status>\n\n<task_id>b7f</task_id>\n\n{status}\n\n<output>\n{printed}\n</output>"
            );
            act("TaskOutput", r#"{"task_id":"b7f","block":true}"#, &result, false)
        };
        let after = |polls: &[[Message<'static>; 2]]| {
            let started = "Command running in background with ID: b7f.";
            let mut messages = vec![user("Light the lamps.")];
            messages.extend(act("Bash", r#"{"command":"make lamps 2>&1"}"#, started, false));
            messages.extend(polls.concat());
            turns(&messages.iter().collect::<Vec<_>>(), &[]).swap_remove(1).acts.swap_remove(0).outcome
        };
        let log = "Lit one.\n  Failed with exit code: 1";
        let running = poll("<status>running</status>", log);
        assert_eq!(after(std::slice::from_ref(&running)), CallOutcome::Running);
        let done = poll("<status>completed</status>\n\n<exit_code>0</exit_code>", log);
        assert!(after(&[running.clone(), done]).worked());
        let failed = poll("<status>failed</status>\n\n<exit_code>2</exit_code>", "error: no oil");
        assert_eq!(after(&[running, failed]), CallOutcome::Failed("error: no oil".into()));
    }

    #[test]
    fn a_poll_or_an_event_of_the_gateway_ends_what_went_on() {
        let after = |tool: &str, args: &str, result: &str| {
            let mut messages = vec![user("Light the lamps.")];
            let started = "Command still running (session calm-lantern, pid 7). Use process (poll) for follow-up.";
            messages.extend(act("exec", r#"{"command":"lamp light all"}"#, started, false));
            if tool.is_empty() {
                messages.push(user(result));
            } else {
                messages.extend(act(tool, args, result, false));
            }
            let head: Vec<&Message<'_>> = messages.iter().collect();
            turns(&head, &[]).swap_remove(1).acts.swap_remove(0).outcome
        };
        let poll = r#"{"action":"poll","sessionId":"calm-lantern"}"#;
        let failed = after("process", poll, "error: no oil\n\nProcess exited with code 1.");
        assert_eq!(failed, CallOutcome::Failed("error: no oil".into()));
        assert_eq!(after("process", poll, "lit\n\nProcess exited with code 0."), CallOutcome::Done(String::new()));
        assert_eq!(after("process", poll, "(no new output)\n\nProcess still running."), CallOutcome::Running);
        assert_eq!(after("process", poll, "Killed session calm-lantern."), CallOutcome::Ended);
        assert_eq!(after("process", poll, "lit\n\nProcess exited with signal SIGTERM."), CallOutcome::Ended);
        let event =
            |end: &str| after("", "", &format!("System: [2026-03-22 06:38:23 UTC] Exec completed ({end}) :: lit"));
        assert_eq!(event("calm-lan, code 0"), CallOutcome::Done(String::new()));
        assert_eq!(event("calm-lan, code 3"), CallOutcome::Failed("exit code 3".into()));
        assert_eq!(event("wild-lan, code 0"), CallOutcome::Running, "another one");
    }

    #[test]
    fn what_was_killed_does_not_go_on() {
        let after = |tool: &str, args: &str, result: &str| {
            let mut messages = vec![user("Light the lamps.")];
            let started = "Command running in background with ID: b7f.";
            messages.extend(act("Bash", r#"{"command":"lamp light all"}"#, started, false));
            messages.extend(act(tool, args, result, false));
            let head: Vec<&Message<'_>> = messages.iter().collect();
            turns(&head, &[]).swap_remove(1).acts.swap_remove(0).outcome
        };
        assert_eq!(after("KillShell", r#"{"shell_id":"b7f"}"#, "Successfully killed shell: b7f"), CallOutcome::Ended);
        assert_eq!(after("TaskStop", r#"{"task_id":"b7f"}"#, "{}"), CallOutcome::Ended);
        assert_eq!(after("KillShell", r#"{"shell_id":"b8f"}"#, "killed"), CallOutcome::Running, "another one");
        assert_eq!(after("Bash", r#"{"command":"pkill -f 'lamp light'"}"#, ""), CallOutcome::Ended);
        for other in ["pkill -9 buoy", "pkill -u lamp buoy", "grep -n pkill lamp", "echo 'never pkill lamp'"] {
            assert_eq!(after("Bash", &format!(r#"{{"command":"{other}"}}"#), ""), CallOutcome::Running, "{other}");
        }
    }

    #[test]
    fn what_ends_by_the_signal_of_a_kill_has_not_failed() {
        let after = |kill: &str, code: u8| {
            let mut messages = vec![user("Light the lamps.")];
            let started = "Command running in background with ID: b7f.";
            messages.extend(act("Bash", r#"{"command":"lamp light all"}"#, started, false));
            messages.extend(act("Bash", &format!(r#"{{"command":"{kill}"}}"#), "", false));
            let notice = format!(
                "<task-notification>\n<task-id>b7f</task-id>\n<status>failed</status>\n<summary>Background command \
                 \"Light all\" failed with exit code {code}</summary>"
            );
            messages.push(Message { author: Author::Harness, ..user(&notice) });
            let head: Vec<&Message<'_>> = messages.iter().collect();
            turns(&head, &[]).swap_remove(1).acts.swap_remove(0).outcome
        };
        assert_eq!(after("pkill -f 'lamp light'", 143), CallOutcome::Ended);
        for (kill, code) in [("pkill -f 'lamp light'", 3), ("pkill -f 'lamp light'", 139), ("pkill -f buoy", 143)] {
            assert_eq!(after(kill, code), CallOutcome::Failed(format!("exit code {code}")), "{kill}");
        }
        let mut messages = vec![user("Light the lamps.")];
        messages.extend(act("Bash", r#"{"command":"lamp light all"}"#, "Exit code 137", true));
        messages.extend(act("Bash", r#"{"command":"pkill -f 'lamp light'"}"#, "", false));
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let outcome = turns(&head, &[]).swap_remove(1).acts.swap_remove(0).outcome;
        assert!(matches!(outcome, CallOutcome::Failed(_)), "it ended before the kill: {outcome:?}");
    }

    #[test]
    fn what_the_agent_saw_end_does_not_go_on() {
        assert_eq!(ended(agent("The lamp light is done. Now I draw the map.")), CallOutcome::Ended);
        for goes_on in [
            "The lamp light has not finished yet.",
            "The map is done.",
            "Once lamp light is done, I go on.",
            "La lamp light no ha terminado.",
            "The edits of lamps.log are done.",
        ] {
            assert_eq!(ended(agent(goes_on)), CallOutcome::Running, "{goes_on}");
        }
    }
}
