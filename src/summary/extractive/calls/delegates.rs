//! Work delegated to other agents, and their reports: results of calls, or messages of the harness.

use super::args::Args;
use crate::summary::text::starts_any;
use crate::transcript::{Message, PartKind, unfenced};
use std::borrow::Cow;
use std::collections::HashSet;

/// Argument keys beside the prompt of such a call.
const BESIDE: &[&str] = &["description", "subagent_type", "agent_type", "agent", "agent_name"];
/// Start of the line that a harness adds for the caller only: after a report, or when the agent runs in the
/// background.
const CALLER: &str = "\nagentId:";
/// Maximum length in bytes of the text before that line if the agent was only started, and the word that says so.
const LAUNCH: usize = 200;
const LAUNCHED: &str = "launched";
/// Start of a result that only says that an agent of a team was started (Claude Code).
const SPAWNED: &str = "Spawned successfully.";
/// Tools whose results only confirm that something was sent to another agent, or that one was started (Claude Code,
/// Codex).
const SENDING: [&str; 5] = ["send_message", "send_input", "spawn_agent", "spawn_team", "team_create"];
/// Type of a message that orders a task.
const ASSIGNS: &str = "task_assignment";

/// Whether arguments delegate work to another agent.
pub(super) fn is_order(args: &Args<'_>) -> bool {
    args.raw("prompt").is_some() && BESIDE.iter().any(|key| args.raw(key).is_some())
}

/// The report in the result of such a call; `None` if it only says that the agent was started.
pub(in crate::summary::extractive) fn report(result: &str) -> Option<&str> {
    let (text, named) = result.rsplit_once(CALLER).map_or((result, false), |(before, _)| (before, true));
    let is_launch = named && text.len() < LAUNCH && text.contains(LAUNCHED);
    let text = without_header(text);
    let is_launch = is_launch || text.trim_start().starts_with(SPAWNED) && text.contains("agent_id:");
    (!is_launch && !text.trim().is_empty()).then_some(text.trim())
}

/// A result without the line for the caller above the report, and without the tags around that (OpenCode).
pub(in crate::summary::extractive) fn without_header(result: &str) -> &str {
    let text = result.trim();
    if !text.starts_with(HEADER) {
        return text;
    }
    let report = text.split_once('\n').map_or("", |(_, rest)| rest.trim());
    let inside = report.strip_prefix(TAGS.0).map_or(report, |inside| inside.strip_suffix(TAGS.1).unwrap_or(inside));
    inside.trim()
}

/// Start of that line, and those tags.
const HEADER: &str = "task_id: ";
const TAGS: (&str, &str) = ("<task_result>", "</task_result>");

/// The words of the report in the result of such a call, without the envelope and the object around them (Gemini CLI).
pub(in crate::summary::extractive) fn reported(result: &str) -> Option<Cow<'_, str>> {
    let text = report(result)?;
    let Some((ending, told)) = text.split_once(RESULT).filter(|_| text.starts_with(SUBAGENT)) else {
        return Some(Cow::Borrowed(text));
    };
    let told = opened(told);
    let why = ending.split_once(REASON).map_or("", |(_, why)| why.trim());
    match why {
        "" | REACHED => Some(told).filter(|told| !told.is_empty()),
        why => Some(Cow::Owned(format!("The agent ended early: {why}.\n\n{told}").trim().to_owned())),
    }
}

/// A report without the object around it, and the fence around the object or around the text as a whole. Of several
/// texts in an object, the longest one is it: others only say that it ended.
fn opened(told: &str) -> Cow<'_, str> {
    let (told, inside) = (told.trim(), unfenced(told));
    let args = inside.starts_with('{').then(|| Args::read(inside));
    let texts = |args: Args<'_>| ANSWERS.iter().filter_map(|key| args.text(&[key])).max_by_key(String::len);
    let is_text = starts_any(told, &TEXTS);
    args.and_then(texts).map_or(Cow::Borrowed(if is_text { inside } else { told }), Cow::Owned)
}

/// Beginnings of a fence around text.
const TEXTS: [&str; 2] = ["```md\n", "```markdown\n"];
/// The envelope around the report of such an agent: its first word, why it ended, that it reached its goal, and the
/// report (Gemini CLI).
const SUBAGENT: &str = "Subagent '";
const REASON: &str = "Termination Reason:";
const REACHED: &str = "GOAL";
const RESULT: &str = "\nResult:";
/// Keys of an object that hold the report.
const ANSWERS: [&str; 4] = ["response", "result", "report", "summary"];

/// Whether the results of a tool are only receipts.
pub(in crate::summary::extractive) fn only_sends(tool: &str) -> bool {
    SENDING.iter().any(|known| is_tool(tool, known))
}

/// Whether two names of tools differ in case and underscores only: several harnesses have the same tool in other
/// spellings.
pub(super) fn is_tool(tool: &str, known: &str) -> bool {
    bare(tool).eq(bare(known))
}

/// The letters of a name in lower case without underscores.
fn bare(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().filter(|byte| *byte != b'_').map(|byte| byte.to_ascii_lowercase())
}

/// Whether a text is a message of another agent in a team.
pub(in crate::summary::extractive) fn is_of_team(text: &str) -> bool {
    let text = text.trim();
    text.starts_with(TEAM) && text.ends_with(TEAM_END)
}

/// What other agents of a team order in a text; `None` if they do not.
pub(in crate::summary::extractive) fn ordered(text: &str) -> Option<Cow<'_, str>> {
    let mut orders: Vec<_> = heard(text).filter_map(order).collect();
    if orders.len() < 2 { orders.pop() } else { Some(Cow::Owned(orders.join("\n\n"))) }
}

/// The order in a message of a team; `None` for JSON, which only controls the agent, unless it assigns a task.
fn order(words: &str) -> Option<Cow<'_, str>> {
    if !words.starts_with('{') {
        return Some(Cow::Borrowed(words));
    }
    let args = Args::read(words);
    args.text(&["type"]).filter(|kind| kind == ASSIGNS)?;
    let (subject, more) = (args.text(&["subject"])?, args.text(&["description"]).unwrap_or_default());
    Some(Cow::Owned(format!("{}.\n\n{more}", subject.trim_end_matches('.')).trim().to_owned()))
}

/// The messages of other agents of a team with which a text begins (`<teammate-message>` of Claude Code).
pub(in crate::summary::extractive) fn heard(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    let all = std::iter::from_fn(move || {
        let behind = rest.trim_start().strip_prefix(TEAM)?;
        let (_, inside) = behind.split_once("\">").or_else(|| behind.split_once('>'))?;
        let (words, behind) = inside.split_once(TEAM_END).unwrap_or((inside, ""));
        rest = behind;
        Some(words.trim())
    });
    all.filter(|words| !words.is_empty())
}

/// Start of such a message.
const TEAM: &str = "<teammate-message";
const TEAM_END: &str = "</teammate-message>";
/// The marks around an agent's report in a notice of OpenClaw.
const CHILD: (&str, &str) = ("<<<BEGIN_UNTRUSTED_CHILD_RESULT>>>", "<<<END_UNTRUSTED_CHILD_RESULT>>>");

/// The report in a notice of the harness (`<task-notification>` of Claude Code, an event of OpenClaw).
pub(in crate::summary::extractive) fn notified(text: &str) -> Option<&str> {
    if let Some((_, result)) = text.split_once(CHILD.0) {
        return report(result.split_once(CHILD.1)?.0);
    }
    let (_, notice) = text.split_once("<task-notification>")?;
    let (_, result) = notice.split_once("<result>")?;
    report(result.split_once("</result>").map_or(result, |(inside, _)| inside))
}

/// The reports of other agents in these messages: they may mention calls that the messages lack.
pub fn reports<'m>(messages: &[&'m Message<'m>]) -> Vec<&'m str> {
    let parts = || messages.iter().flat_map(|message| &message.parts);
    let orders: HashSet<&str> = parts()
        .filter_map(|part| match &part.kind {
            PartKind::Call { id, .. } if is_order(&Args::read(&part.text)) => Some(&**id),
            _ => None,
        })
        .collect();
    let told = parts().filter_map(|part| match &part.kind {
        PartKind::Result { id, .. } if orders.contains(&**id) => report(&part.text),
        PartKind::Text => notified(&part.text),
        _ => None,
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_that_is_assigned_is_an_order() {
        let task = r#"{"type":"task_assignment","taskId":"4","subject":"Mend the lamp","description":"Do it at night.","assignedBy":"lead"}"#;
        let message = format!("<teammate-message teammate_id=\"lead\">\n{task}\n</teammate-message>");
        assert_eq!(ordered(&message).as_deref(), Some("Mend the lamp.\n\nDo it at night."));
    }

    #[test]
    fn each_message_of_a_team_is_heard() {
        let message =
            |words: &str| format!("<teammate-message teammate_id=\"a\" color=\"b\">\n{words}\n</teammate-message>\n");
        let two = message("The lamp burns.") + &message(r#"{"type":"idle"}"#) + "\n" + &message("Mend the quay.");
        assert_eq!(heard(&two).count(), 3);
        assert_eq!(ordered(&two).as_deref(), Some("The lamp burns.\n\nMend the quay."));
        assert_eq!(heard(&format!("It said {two}")).next(), None, "a text of one's own may quote one");
    }

    #[test]
    fn the_report_of_an_agent_has_no_envelope() {
        let result =
            |why: &str, told: &str| format!("Subagent 'keeper' finished.\nTermination Reason: {why}\nResult:\n{told}");
        let told = r#"{"response": "I lit 3 lamps.\nOne is out."}"#;
        assert_eq!(reported(&result("GOAL", told)).as_deref(), Some("I lit 3 lamps.\nOne is out."));
        assert_eq!(reported(&result("GOAL", "I lit it.")).as_deref(), Some("I lit it."));
        for object in
            [format!("```json\n{told}\n```"), r#"{"result":"done","report":"I lit 3 lamps.\nOne is out."}"#.to_owned()]
        {
            assert_eq!(reported(&result("GOAL", &object)).as_deref(), Some("I lit 3 lamps.\nOne is out."));
        }
        assert_eq!(reported(&result("GOAL", "```md\nI lit it.\n```")).as_deref(), Some("I lit it."));
        assert_eq!(reported(&result("GOAL", "```\nlit = 3\n```")).as_deref(), Some("```\nlit = 3\n```"));
        let early = reported(&result("MAX_TURNS", told)).map(Cow::into_owned);
        assert_eq!(early.as_deref(), Some("The agent ended early: MAX_TURNS.\n\nI lit 3 lamps.\nOne is out."));
        assert_eq!(
            reported("The lamp is lit.\nResult: it burns.").as_deref(),
            Some("The lamp is lit.\nResult: it burns.")
        );
        assert!(is_order(&Args::read(r#"{"prompt":"Light it.","agent_name":"keeper"}"#)));
    }

    #[test]
    fn a_line_for_the_caller_is_no_report() {
        let line = "task_id: ses_1 (for resuming to continue this task if needed)";
        let whole = format!("{line}\n\n<task_result>\nThe lamp is lit.\n</task_result>");
        assert_eq!(report(&whole), Some("The lamp is lit."));
        assert_eq!((report(line), without_header(line), report("The task_id: 1")), (None, "", Some("The task_id: 1")));
    }

    #[test]
    fn a_receipt_is_no_report() {
        assert_eq!(report("Spawned successfully.\nagent_id: keeper@quay\nThe agent is now running."), None);
        assert!(["SendMessage", "spawn_agent", "TeamCreate"].into_iter().all(only_sends));
        assert!(!["wait_agent", "send_mail", "Task"].into_iter().any(only_sends));
    }

    #[test]
    fn reports_of_other_agents_are_found_and_their_start_is_none() {
        assert!(is_order(&Args::read(r#"{"description":"Find it","prompt":"Find the map.","subagent_type":"x"}"#)));
        assert!(!is_order(&Args::read(r#"{"prompt":"a cat"}"#)));
        let found =
            format!("{}\nagentId: a1 (for the caller)\n<usage>9</usage>", "The map is in src/map.rs. ".repeat(9));
        assert!(report(&found).is_some_and(|report| report.ends_with("src/map.rs.")));
        assert_eq!(report("Async agent launched.\nagentId: a1\nIt works in the background."), None);
        let notice =
            "<task-notification>\n<status>completed</status>\n<result>The map is found.</result>\n</task-notification>";
        assert_eq!(notified(notice), Some("The map is found."));
        let event = format!(
            "[Internal task completion event]\ntask: Find it.\n{}\nIt is in src/map.rs.\n{}\nSend it.",
            CHILD.0, CHILD.1
        );
        assert_eq!(notified(&event), Some("It is in src/map.rs."));
        assert_eq!(notified("<result>x</result>"), None);
        let order = "<teammate-message teammate_id=\"lead\">\nMend the lamp.\n</teammate-message>";
        assert_eq!(ordered(order).as_deref(), Some("Mend the lamp."));
        assert_eq!(ordered("<teammate-message>{\"type\":\"shutdown\"}</teammate-message>"), None);
    }
}
