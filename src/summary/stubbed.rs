//! Results behind the head that are kept shortened or as stubs. Their calls stay in the output, so the outcomes are
//! read here, before the text is lost.

use super::Request;
use crate::transcript::{Message, PartKind};
use foldhash::{HashMap, HashSet};
use std::borrow::Cow;

/// A result or the arguments of a call behind the head that lose text.
#[derive(Debug, Clone, Copy)]
pub struct Lost<'t> {
    /// Index of its message among those behind the head.
    pub message: usize,
    /// Index of the part in it.
    pub part: usize,
    /// What is left of its text; `None` where it becomes a stub.
    pub left: Option<&'t str>,
}

/// The results behind the head of which text is lost.
#[derive(Default)]
pub(super) struct Stubbed<'t> {
    /// Calls whose results become stubs: index of the message, and id.
    pub(super) calls: HashSet<(usize, &'t str)>,
    /// Indices of the messages that hold such results.
    pub(super) results: HashSet<usize>,
    /// Calls whose results are shortened, with the text that is left.
    pub(super) cut: HashMap<(usize, &'t str), &'t str>,
}

impl<'t, 'a> Request<'t, 'a> {
    /// The messages behind the head.
    pub(super) fn behind(&self) -> &[&'t Message<'a>] {
        &self.kept[self.kept.len().saturating_sub(self.behind)..]
    }

    /// The results behind the head that lose text. Some harnesses reuse ids: a result belongs to the last call of its
    /// id before it.
    pub(super) fn stubbed(&self) -> Stubbed<'t> {
        let mut stubbed = Stubbed::default();
        for lost in &self.lost {
            let Some(PartKind::Result { id, .. }) = self.kind(lost) else { continue };
            let calls = |message: &&Message<'_>| message.calls().any(|call| call == &**id);
            let call = self.behind()[..=lost.message].iter().rposition(calls);
            let call = call.map(|call| (call, &**id));
            if let Some(left) = lost.left {
                stubbed.cut.extend(call.map(|call| (call, left)));
                continue;
            }
            stubbed.calls.extend(call);
            stubbed.results.insert(lost.message);
        }
        stubbed
    }

    /// The messages to read: the head, and where text behind it is lost, the messages there that have one of these
    /// calls or results; `blank` replaces the others, so that indices stay the same.
    pub(super) fn read<'r>(&'r self, blank: &'r Message<'a>) -> Vec<&'r Message<'a>> {
        let mut all: Vec<&'r Message<'a>> = self.head.clone();
        if self.lost.is_empty() {
            return all;
        }
        let calls: HashSet<&str> = self.lost.iter().filter_map(|lost| self.kind(lost)?.call()).collect();
        let has_to_do = |message: &Message<'_>| {
            let mut ids = message.parts.iter().filter_map(|part| part.kind.call());
            ids.any(|id| calls.contains(id))
        };
        all.extend(self.behind().iter().map(|message| if has_to_do(message) { *message } else { blank }));
        all
    }

    /// The kept messages, with only the text that is left of the lost parts.
    pub(super) fn left(&self) -> Vec<Cow<'t, Message<'a>>> {
        let mut left: Vec<Cow<'t, Message<'a>>> = self.kept.iter().map(|message| Cow::Borrowed(*message)).collect();
        let first = left.len().saturating_sub(self.behind);
        for lost in &self.lost {
            let text = lost.left.unwrap_or_default().to_owned();
            left[first + lost.message].to_mut().parts[lost.part].text = Cow::Owned(text);
        }
        left
    }

    fn kind(&self, lost: &Lost<'_>) -> Option<&'t PartKind<'a>> {
        Some(&self.behind().get(lost.message)?.parts.get(lost.part)?.kind)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::builders::{act, agent, request, user};
    use super::super::{Summary, Template, extractive};
    use super::*;

    fn head() -> Vec<Message<'static>> {
        let told = "The tides of a harbour are read from its gauge and written to a list, hour by hour. ".repeat(4);
        vec![user("Please list the tides of the harbour."), agent(&told)]
    }

    /// Summarizes [`head`] with these messages behind it; `left` gives, by index of the message, what is left of its
    /// first part.
    fn summary(behind: &[Message<'_>], left: &[(usize, Option<&str>)]) -> Summary {
        let head = head();
        let lost = left.iter().map(|(message, left)| Lost { message: *message, part: 0, left: *left }).collect();
        let own = request(&head, 800);
        let request = Request { kept: behind.iter().collect(), behind: behind.len(), lost, ..own };
        extractive(&request, &Template::default()).unwrap()
    }

    fn tests(printed: &str) -> Vec<Message<'static>> {
        let mut behind = vec![user("Run the tests.")];
        behind.extend(act("Bash", r#"{"command":"pytest -q"}"#, printed, false));
        behind.push(agent("Noted."));
        behind
    }

    const FAILED: &str = "FAILED tests/test_tides.py::test_low_tide - assert 3 == 4\n1 failed, 40 passed in 3.2s";

    #[test]
    fn a_failure_behind_the_head_is_told_where_its_output_goes() {
        let gone = summary(&tests(FAILED), &[(2, None)]);
        assert!(gone.text.contains("- Ran `pytest -q`: failed: 1 failed, 40 passed in 3.2s"), "{}", gone.text);
        assert!(gone.text.contains("test_low_tide"), "{}", gone.text);
        let line = gone.lines.iter().find(|line| line.text.starts_with("Ran ")).unwrap();
        assert_eq!(line.origin, Some(head().len() + 1), "the call behind the head");
        let kept = summary(&tests(FAILED), &[]);
        assert!(!kept.text.contains("pytest") && !kept.text.contains("test_low_tide"), "{}", kept.text);
    }

    #[test]
    fn a_run_that_was_made_again_and_shows_how_it_ended_is_not_told() {
        let mut behind = tests(FAILED);
        behind.extend(act("Bash", r#"{"command":"pytest -q"}"#, "41 passed in 3.1s", false));
        let told = summary(&behind, &[(2, None)]);
        assert!(!told.text.contains("Ran `pytest -q`: failed"), "{}", told.text);
    }

    #[test]
    fn a_call_with_an_id_that_was_used_before_is_another_one() {
        let run = |printed: &str| act("Bash", r#"{"command":"pytest -q tides"}"#, printed, false);
        let later = |printed: &str| act("Bash", r#"{"command":"pytest -q lamps"}"#, printed, false);
        let behind = [run(FAILED), later(FAILED)].concat();
        assert_eq!(behind[0].parts[0].kind.call(), behind[2].parts[0].kind.call(), "one id");
        let told = summary(&behind, &[(1, None)]);
        assert!(told.text.contains("Ran `pytest -q tides`: failed") && !told.text.contains("lamps"), "{}", told.text);
    }

    #[test]
    fn what_the_user_answered_in_an_output_that_goes_is_told() {
        let asked = r#"{"questions":[{"question":"Which colour shall the lamp have?","options":[{"label":"red"}]}]}"#;
        let answer = r#"User has answered your questions: "Which colour shall the lamp have?"="Paint it red and never use gas"."#;
        let behind = act("AskUserQuestion", asked, answer, false);
        let told = summary(&behind, &[(1, None)]);
        assert!(told.text.contains("never use gas"), "{}", told.text);
        assert!(!summary(&behind, &[]).text.contains("never use gas"), "it stands there");
    }

    /// The summary of a session whose background command is started in the head or behind it and polled later.
    fn polled(started: &[Message<'static>], behind: &[Message<'static>], left: &[(usize, Option<&str>)]) -> String {
        let head: Vec<_> = head().into_iter().chain(started.iter().cloned()).collect();
        let lost = left.iter().map(|(message, left)| Lost { message: *message, part: 0, left: *left }).collect();
        let own = request(&head, 800);
        let request = Request { kept: behind.iter().collect(), behind: behind.len(), lost, ..own };
        extractive(&request, &Template::default()).unwrap().text
    }

    const STARTED: &str = "Command running in background with ID: b7f.";

    fn start() -> [Message<'static>; 2] {
        act("Bash", r#"{"command":"make harbour","run_in_background":true}"#, STARTED, false)
    }

    fn poll() -> [Message<'static>; 2] {
        let printed = "error: no oil in the lamp\n\nProcess exited with code 1.";
        act("BashOutput", r#"{"bash_id":"b7f"}"#, printed, false)
    }

    #[test]
    fn what_the_head_left_running_ended_where_its_output_is_asked_for() {
        let told = polled(&start(), &poll(), &[(1, None)]);
        assert!(told.contains("Ran `make harbour`: failed: error: no oil in the lamp"), "{told}");
        assert!(!told.contains("still running"), "{told}");
        let going = act("BashOutput", r#"{"bash_id":"b7f"}"#, "lit 3 of 9\n\nProcess still running.", false);
        assert!(polled(&start(), &going, &[(1, None)]).contains("Ran `make harbour`: still running"));
    }

    #[test]
    fn an_end_that_is_seen_is_not_told_though_its_start_is_a_stub() {
        let behind = [start(), poll()].concat();
        assert!(!polled(&[], &behind, &[(1, None)]).contains("Ran `make harbour`"));
        assert!(polled(&[], &behind, &[(3, None)]).contains("Ran `make harbour`: failed"), "the end is a stub");
    }

    #[test]
    fn a_command_that_ran_in_the_head_too_is_told_as_it_ended_last() {
        let run = |printed: &str| act("Bash", r#"{"command":"pytest -q"}"#, printed, false);
        let told = polled(&run("41 passed in 3.1s"), &run(FAILED), &[(1, None)]);
        assert!(told.contains("Ran `pytest -q`: failed: 1 failed, 40 passed"), "{told}");
        assert!(!told.contains("Ran `pytest -q`: ok"), "{told}");
    }

    #[test]
    fn of_a_shortened_output_the_end_is_told_where_it_is_left_out() {
        let printed = format!("{}{FAILED}", "tests/test_tides.py ....\n".repeat(30));
        let behind = tests(&printed);
        let cut = summary(&behind, &[(2, Some("tests/test_tides.py ....\n[…]"))]);
        assert!(cut.text.contains("Ran `pytest -q`: failed: 1 failed, 40 passed in 3.2s"), "{}", cut.text);
        let seen = summary(&behind, &[(2, Some("[…]\n1 failed, 40 passed in 3.2s"))]);
        assert!(!seen.text.contains("Ran `pytest -q`"), "{}", seen.text);
    }

    #[test]
    fn what_the_user_said_to_a_plan_in_an_output_that_goes_is_told() {
        let plan = r##"{"plan":"# Plan: Mend the wick\n\n## Steps\n1. Reset the wick timer"}"##;
        let approved = act("ExitPlanMode", plan, "User has approved your plan. You can now start coding.", false);
        let told = summary(&approved, &[(1, None)]);
        assert!(told.text.contains("User approved the plan “Mend the wick”"), "{}", told.text);
        let words = "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\nNever paint the lamp red.";
        let refused = act("ExitPlanMode", plan, words, true);
        let told = summary(&refused, &[(1, None)]);
        assert!(told.text.contains("Never paint the lamp red"), "{}", told.text);
        let seen = summary(&refused, &[]).text;
        assert_eq!(
            seen.matches("Never paint the lamp red").count(),
            1,
            "it stands there, and is the current request: {seen}"
        );
    }

    #[test]
    fn what_another_agent_reports_in_an_output_that_goes_is_told() {
        let order = r#"{"description":"Find it","prompt":"Find the lamp.","subagent_type":"x"}"#;
        let report = "The bug is that the wick timer is never reset in src/lamp.rs.";
        let behind = act("Task", order, report, false);
        assert!(summary(&behind, &[(1, None)]).text.contains("wick timer is never reset"));
        assert!(!summary(&behind, &[]).text.contains("wick timer is never reset"), "it stands there");
    }

    #[test]
    fn of_many_failures_the_newest_are_told() {
        let runs = (10..40).map(|at| {
            let call = format!(r#"{{"command":"pytest -q tests/t{at}"}}"#);
            act("Bash", &call, &format!("{at} failed, 1 passed in 0.{at}s{}", "\n".repeat(at)), false)
        });
        let behind: Vec<Message<'_>> = runs.flatten().collect();
        let left: Vec<_> = (0..30).map(|at| (2 * at + 1, None)).collect();
        let told = summary(&behind, &left);
        let ran: Vec<&str> = told.text.lines().filter(|line| line.starts_with("- Ran `pytest")).collect();
        assert!(ran.len() <= 10 && ran.last().is_some_and(|line| line.contains("tests/t39")), "{ran:?}");
        assert!(ran.iter().all(|line| line > &"- Ran `pytest -q tests/t29"), "{ran:?}");
    }

    #[test]
    fn where_only_arguments_are_stubs_the_result_shows_itself() {
        let behind = act("Bash", r#"{"command":"pytest -q"}"#, FAILED, false);
        let lost = vec![Lost { message: 0, part: 0, left: None }];
        let head = head();
        let request = Request { kept: behind.iter().collect(), behind: 2, lost, ..request(&head, 800) };
        let told = extractive(&request, &Template::default()).unwrap();
        assert!(!told.text.contains("Ran `pytest -q`"), "{}", told.text);
    }

    #[test]
    fn a_run_that_says_nothing_but_that_it_worked_is_not_told() {
        let told = summary(&tests("tests/test_tides.py ...."), &[(2, None)]);
        assert!(!told.text.contains("Ran `pytest"), "{}", told.text);
    }

    #[test]
    fn of_a_shortened_output_the_names_are_told_that_are_left_out() {
        let printed = "def read_gauge(): pass\ndef write_tides(): pass\ndef close_harbour(): pass";
        let behind = act("Read", r#"{"file_path":"/w/tides.py"}"#, printed, false);
        let told = summary(&behind, &[(1, Some("def read_gauge(): pass\n[…]"))]);
        assert!(told.text.contains("write_tides") && told.text.contains("close_harbour"), "{}", told.text);
        assert!(!told.text.contains("read_gauge"), "it is left: {}", told.text);
    }

    #[test]
    fn no_secret_of_an_output_that_goes_is_told() {
        let token = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
        let printed = format!("error: push with {token} was refused by remote_harbour_gate");
        let behind = act("Bash", r#"{"command":"git push"}"#, &printed, true);
        let told = summary(&behind, &[(1, None)]);
        assert!(told.text.contains("failed") && !told.text.contains(&token[..12]), "{}", told.text);
    }
}
