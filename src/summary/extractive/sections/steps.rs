//! Open steps: those of the newest plan, or of a task list that calls change one step at a time.

use super::reached::told_done;
use crate::summary::extractive::calls::act::{Action, StepChange};
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::plan::Step;
use crate::summary::extractive::sentences::cues::{Kind, tells_trouble};
use crate::summary::extractive::sentences::planned::LONGEST_STEP;
use crate::summary::extractive::sentences::said::Said;
use crate::summary::extractive::session::turns::Turn;
use crate::summary::extractive::user::asked::Asked;
use crate::summary::items::Item;
use crate::summary::text::{all_digits, cut, fold};
use crate::transcript::{Author, Message, PartKind, spoken};

/// Maximum number of steps named.
const STEPS: usize = 8;
/// Prefix of a line about an open step. The next compaction recognizes such lines by it, as a newer plan replaces them.
pub(in crate::summary) const OPEN_STEP: &str = "Open step";
/// Text added to open steps if the agent has answered since the last change of the list and the user then made another
/// request.
const PAST: &str = " of an earlier request";
/// Text around the number of open steps that are not told.
const AND: &str = " (and ";
const MORE: &str = " more open)";
/// Tool that closes a team with its list of steps, in lower case (Claude Code).
const CLOSES: &str = "teamdelete";

/// A list of steps, with the message that last changed it.
#[derive(Default)]
pub(super) struct List {
    message: usize,
    /// Index of the turn of that message.
    turn: usize,
    pub(super) steps: Vec<Step>,
    /// The message that last changed each of them; the largest number for one behind the turns.
    pub(super) changed: Vec<usize>,
    /// Numbers of steps that were added one by one; empty for a plan written as a whole.
    pub(super) numbers: Vec<String>,
}

/// What stands behind the head.
#[derive(Clone, Copy, Default)]
pub(in crate::summary::extractive) struct Behind<'k, 'a> {
    pub(in crate::summary::extractive) acts: &'k [Act<'a>],
    pub(in crate::summary::extractive) messages: &'k [&'k Message<'a>],
}

/// The open steps as items of rank `rank`. Changes by calls `behind` the turns are applied, and what the agent says to be
/// done in the messages there; a new plan there replaces the list and needs no items.
pub(super) fn open(turns: &[Turn<'_>], behind: Behind<'_, '_>, rank: i64) -> Vec<Item> {
    let mut list = List::default();
    for (place, turn) in turns.iter().enumerate() {
        turn.acts.iter().for_each(|act| list.follow(act, place));
    }
    behind.acts.iter().for_each(|act| list.follow_behind(act));
    let past = if list.is_past(turns) { PAST } else { "" };
    if list.steps.iter().all(Step::is_closed) {
        return Vec::new();
    }
    let told = told_done(&list, turns, &said(behind.messages));
    let open = || {
        let left = list.steps.iter().zip(&list.changed).enumerate().filter(|(at, _)| !told.contains(at));
        let left = left.filter(|(_, (step, changed))| !step.is_closed() && !is_over(step, **changed, turns));
        left.map(|(_, (step, _))| step)
    };
    let mut others = STEPS.saturating_sub(open().filter(|step| step.is_begun()).count());
    let has_room = |step: &&Step| {
        let takes = step.is_begun() || others > 0;
        others -= usize::from(takes && !step.is_begun());
        takes
    };
    // The step in progress ranks first.
    let rank_of = |step: &Step| rank + i64::from(step.is_begun());
    let told = open().filter(has_room).take(STEPS);
    let mut items: Vec<_> = told.map(|step| Item::new(text(step, past), list.message, rank_of(step))).collect();
    let more = open().count() - items.len();
    items.last_mut().filter(|_| more > 0).into_iter().for_each(|last| last.text = with_more(&last.text, more));
    items
}

impl List {
    /// Whether the agent answered after the list's last change, and the user then asked for more.
    fn is_past(&self, turns: &[Turn<'_>]) -> bool {
        let answered = turns
            .get(self.turn)
            .is_some_and(|turn| turn.said.iter().any(|said| said.closing && said.message > self.message));
        let more = turns.iter().skip(self.turn + 1).filter_map(|turn| turn.asked.as_ref());
        answered && more.into_iter().any(Asked::is_telling)
    }

    fn follow(&mut self, act: &Act<'_>, turn: usize) {
        match &act.action {
            Action::Plan(steps) => {
                *self = Self { steps: steps.clone(), changed: vec![act.message; steps.len()], ..Self::default() };
            }
            Action::Step(StepChange::Added(content)) => {
                if self.numbers.len() < self.steps.len() {
                    *self = Self::default();
                }
                self.numbers.push(number(act.result).unwrap_or_else(|| (self.steps.len() + 1).to_string()));
                self.steps.push(Step { content: content.clone(), status: String::new() });
                self.changed.push(act.message);
            }
            Action::Step(StepChange::Moved(number, status)) => {
                if !self.set(number, status, act.message) {
                    return;
                }
            }
            Action::Step(StepChange::Listed) => {
                if !self.take(listed(act.result), act.message) {
                    return;
                }
            }
            Action::Other(_) if closes(act) && !self.numbers.is_empty() => *self = Self::default(),
            _ => return,
        }
        (self.message, self.turn) = (act.message, turn);
    }

    fn follow_behind(&mut self, act: &Act<'_>) {
        match &act.action {
            Action::Plan(_) => *self = Self::default(),
            Action::Step(StepChange::Moved(number, status)) => {
                self.set(number, status, usize::MAX);
            }
            Action::Step(StepChange::Listed) => {
                self.take(listed(act.result), usize::MAX);
            }
            Action::Other(_) if closes(act) && !self.numbers.is_empty() => *self = Self::default(),
            _ => {}
        }
    }

    /// Takes the steps of a list over, if it has any; returns whether that changes something.
    fn take(&mut self, all: impl Iterator<Item = (String, Step)>, message: usize) -> bool {
        let (numbers, steps): (Vec<_>, Vec<_>) = all.unzip();
        let changes = !steps.is_empty() && (numbers != self.numbers || steps != self.steps);
        if changes {
            self.changed = vec![message; steps.len()];
            (self.numbers, self.steps) = (numbers, steps);
        }
        changes
    }

    /// Sets the status of a step; returns whether there is one with this number.
    fn set(&mut self, number: &str, status: &str, message: usize) -> bool {
        let Some(at) = self.numbers.iter().rposition(|own| own == number) else { return false };
        status.clone_into(&mut self.steps[at].status);
        self.changed.get_mut(at).into_iter().for_each(|changed| *changed = message);
        true
    }
}

/// An open step with the number of others that are not told, added to the number that it has already.
pub(in crate::summary) fn with_more(line: &str, more: usize) -> String {
    let (bare, before) = parted(line).unwrap_or((line, 0));
    format!("{bare}{AND}{}{MORE}", before + more)
}

/// The number of others in an open step.
pub(in crate::summary) fn more_of(line: &str) -> usize {
    parted(line).map_or(0, |(_, more)| more)
}

fn parted(line: &str) -> Option<(&str, usize)> {
    let (bare, more) = line.strip_suffix(MORE)?.rsplit_once(AND)?;
    Some((bare, more.parse().ok()?))
}

/// Whether a call closed the team, with its steps.
fn closes(act: &Act<'_>) -> bool {
    act.tool.eq_ignore_ascii_case(CLOSES) && act.outcome.worked()
}

/// Whether the turn in which a step was begun went on to work, then reports what is done and no trouble, and the user
/// went on to something else.
fn is_over(step: &Step, begun: usize, turns: &[Turn<'_>]) -> bool {
    let began = |turn: &Turn<'_>| turn.acts.iter().any(|act| act.message == begun);
    let Some(place) = turns.iter().position(began).filter(|_| step.is_begun()) else { return false };
    let (turn, later) = (&turns[place], &turns[place + 1..]);
    let works =
        |act: &Act<'_>| act.message > begun && act.outcome.worked() && !act.action.only_shows() && !act.action.plans();
    let closing = || turn.said.iter().filter(|said| said.closing && said.message > begun);
    later.iter().filter_map(|turn| turn.asked.as_ref()).any(Asked::is_telling)
        && closing().any(|said| said.kind == Kind::Done)
        && closing().all(|said| !tells_trouble(&said.sentence))
        && turn.acts.iter().any(works)
}

/// The sentences of the agent in messages behind the turns.
fn said(kept: &[&Message<'_>]) -> Vec<Said> {
    let by_agent = kept.iter().filter(|message| message.author == Author::Model);
    let texts = by_agent.flat_map(|message| &message.parts).filter(|part| part.kind == PartKind::Text);
    texts.flat_map(|part| Said::all(usize::MAX, spoken(&part.text))).collect()
}

/// The numbers and steps of a list, one a line: `#3 [completed] Mend the lamp [blocked by #2]`.
fn listed(result: &str) -> impl Iterator<Item = (String, Step)> {
    result.lines().filter_map(|line| {
        let (number, rest) = line.trim().strip_prefix('#')?.split_once(" [")?;
        let (status, content) = rest.split_once("] ")?;
        let content = content.split_once(" [blocked by ").map_or(content, |(content, _)| content);
        all_digits(number).then(|| (number.to_owned(), Step { content: content.to_owned(), status: status.to_owned() }))
    })
}

/// The number in `Task #3 created successfully: …`.
fn number(result: &str) -> Option<String> {
    let (_, behind) = result.split_once('#')?;
    let digits: String = behind.chars().take_while(char::is_ascii_digit).collect();
    (!digits.is_empty()).then_some(digits)
}

fn text(step: &Step, past: &str) -> String {
    let state = if step.is_begun() { " (in progress)" } else { "" };
    format!("{OPEN_STEP}{past}{state}: {}", cut(&fold(&step.content), LONGEST_STEP))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::builders::{act, agent, user};
    use crate::summary::extractive::session::turns::{acts_behind, turns};
    use crate::transcript::InTurn;

    fn opened(calls: &[(&str, &str, &str)]) -> Vec<String> {
        let messages: Vec<_> = calls.iter().flat_map(|(tool, args, result)| act(tool, args, result, false)).collect();
        let head: Vec<&Message<'_>> = messages.iter().collect();
        open(&turns(&head, &[]), Behind::default(), 0).into_iter().map(|item| item.text).collect()
    }

    #[test]
    fn tasks_are_followed_by_their_numbers() {
        let calls = [
            ("TaskCreate", r#"{"subject":"Fix it"}"#, "Task #4 created successfully: Fix it"),
            ("TaskCreate", r#"{"subject":"Test it"}"#, "Task #5 created successfully: Test it"),
            ("TaskCreate", r#"{"subject":"Ship it"}"#, "Task #6 created successfully: Ship it"),
            ("TaskUpdate", r#"{"taskId":"4","status":"completed"}"#, "Updated task #4 status"),
            ("TaskUpdate", r#"{"taskId":"5","status":"in_progress"}"#, "Updated task #5 status"),
            ("TaskUpdate", r#"{"taskId":"9","status":"completed"}"#, "No such task"),
        ];
        assert_eq!(opened(&calls), ["Open step (in progress): Test it", "Open step: Ship it"]);
    }

    #[test]
    fn the_newest_list_of_a_task_tracker_is_followed() {
        let list = |oil: &str, bell: &str| {
            format!(
                r#"{{"command":"plan","task_list":[{{"id":"1","title":"Renew the oil","status":"{oil}","notes":""}},{{"id":"2","title":"Ring the bell","status":"{bell}"}}]}}"#
            )
        };
        let (first, second) = (list("in_progress", "todo"), list("done", "in_progress"));
        let opened = |lists: &[&str]| {
            let calls: Vec<_> = lists.iter().map(|list| ("task_tracker", *list, "The list is kept.")).collect();
            opened(&calls)
        };
        assert_eq!(opened(&[&first]), ["Open step (in progress): Renew the oil", "Open step: Ring the bell"]);
        assert_eq!(opened(&[&first, &second]), ["Open step (in progress): Ring the bell"]);
    }

    #[test]
    fn a_list_of_tasks_tells_what_others_did() {
        let created = ("TaskCreate", r#"{"subject":"Fix it"}"#, "Task #4 created successfully: Fix it");
        let list = |text: &'static str| ("TaskList", "{}", text);
        let all = "#4 [completed] Fix it\n#5 [in_progress] Test it (keeper)\n#6 [pending] Ship it [blocked by #5]";
        assert_eq!(opened(&[created, list(all)]), ["Open step (in progress): Test it (keeper)", "Open step: Ship it"]);
        let moved = ("TaskUpdate", r#"{"taskId":"6","status":"completed"}"#, "Updated task #6 status");
        assert_eq!(opened(&[created, list(all), moved]), ["Open step (in progress): Test it (keeper)"]);
        assert_eq!(opened(&[created, list("No tasks found")]), ["Open step: Fix it"]);
    }

    #[test]
    fn a_step_that_is_told_to_be_done_is_open_no_more() {
        let step = |text: &str| act("TaskCreate", &format!(r#"{{"subject":"{text}"}}"#), "ok", false);
        let heard = |text: &str| Message {
            author: crate::transcript::Author::Harness,
            ..user(&format!("<teammate-message teammate_id=\"a\">\n{text}\n</teammate-message>"))
        };
        let told = |last: &[Message<'static>]| {
            let begun = [step("Build 2.2: the pier"), step("Build 3.1: the quay"), step("Build 4.2: the buoy")];
            let messages = [&[user("Build the harbour.")], &begun.concat()[..], last].concat();
            let head: Vec<&Message<'_>> = messages.iter().collect();
            open(&turns(&head, &[]), Behind::default(), 0).into_iter().map(|item| item.text).collect::<Vec<_>>()
        };
        let left = ["Open step: Build 3.1: the quay", "Open step: Build 4.2: the buoy"];
        assert_eq!(told(&[heard("2.2 is complete, 14 tests pass.")]), left);
        assert_eq!(told(&[agent("Story 2.2 is done.")]), left);
        assert_eq!(told(&[heard(r#"{"type":"idle_notification","completedTaskId":"1"}"#)]), left);
        assert_eq!(told(&[heard("2.2 is not done: no lamp burns.")]).len(), 3);
        let begun = act("TaskUpdate", r#"{"taskId":"1","status":"in_progress"}"#, "Updated task #1", false);
        assert_eq!(told(&[&[agent("Story 2.2 is done.")], &begun[..]].concat()).len(), 3, "it was taken up again");
        assert!(told(&act("TeamDelete", "{}", "{\"success\":true}", false)).is_empty());
        assert_eq!(told(&act("TeamDelete", "{}", "Error: agents still run", true)).len(), 3);
    }

    #[test]
    fn the_step_that_was_begun_comes_before_the_others() {
        let plan = r#"{"plan":[{"step":"Test it","status":"pending"},{"step":"Mend it","status":"in_progress"}]}"#;
        let messages: Vec<_> = act("update_plan", plan, "ok", false).into_iter().collect();
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let ranks: Vec<_> = open(&turns(&head, &[]), Behind::default(), 5).into_iter().map(|item| item.rank).collect();
        assert_eq!(ranks, [5, 6]);
    }

    #[test]
    fn the_step_that_was_begun_is_told_however_many_wait() {
        let waiting: Vec<String> = (0..12).map(|at| format!(r#"{{"step":"Lamp {at}","status":"pending"}}"#)).collect();
        let plan = format!(r#"{{"plan":[{},{{"step":"Mend it","status":"in_progress"}}]}}"#, waiting.join(","));
        let open = opened(&[("update_plan", &plan, "ok")]);
        let last = "Open step (in progress): Mend it (and 5 more open)";
        assert_eq!((open.len(), &*open[0], &*open[7]), (8, "Open step: Lamp 0", last));
        assert_eq!(with_more(last, 2), last.replace('5', "7"));
    }

    #[test]
    fn a_plan_replaces_what_stood_before() {
        let added = ("TaskCreate", r#"{"subject":"Old"}"#, "Task #1 created successfully: Old");
        let plan = ("TodoWrite", r#"{"todos":[{"content":"New","status":"pending"}]}"#, "ok");
        assert_eq!(opened(&[added, plan]), ["Open step: New"]);
        assert_eq!(opened(&[plan, added]), ["Open step: Old"]);
    }

    #[test]
    fn what_is_done_behind_the_head_is_open_no_more() {
        let step = |number: &str| format!(r#"{{"taskId":"{number}","status":"completed"}}"#);
        let calls = [("TaskCreate", r#"{"subject":"Mend it"}"#), ("TaskCreate", r#"{"subject":"Test it"}"#)];
        let head: Vec<_> = calls.iter().flat_map(|(tool, args)| act(tool, args, "ok", false)).collect();
        let head: Vec<&Message<'_>> = head.iter().collect();
        let open = |tool: &str, args: &str| {
            let kept = act(tool, args, "ok", false);
            let kept: Vec<&Message<'_>> = kept.iter().collect();
            let behind = acts_behind(&kept, &InTurn);
            open(&turns(&head, &[]), Behind { acts: &behind, messages: &kept }, 0)
                .into_iter()
                .map(|item| item.text)
                .collect::<Vec<_>>()
        };
        assert_eq!(open("TaskUpdate", &step("1")), ["Open step: Test it"]);
        assert_eq!(open("TaskUpdate", &step("7")).len(), 2);
        let replaced =
            [act("TodoWrite", r#"{"todos":[]}"#, "ok", false), act("TaskUpdate", &step("1"), "ok", false)].concat();
        let replaced: Vec<&Message<'_>> = replaced.iter().collect();
        assert!(
            super::open(&turns(&head, &[]), Behind { acts: &acts_behind(&replaced, &InTurn), messages: &replaced }, 0)
                .is_empty()
        );
        assert!(
            open("TodoWrite", r#"{"todos":[{"content":"Test it","status":"pending"}]}"#).is_empty(),
            "it is read there"
        );
    }

    #[test]
    fn steps_that_nobody_crossed_off_are_those_of_an_earlier_request() {
        let plan = act("update_plan", r#"{"plan":[{"step":"Test it","status":"in_progress"}]}"#, "ok", false);
        let mut messages = vec![user("Mend the tide table.")];
        messages.extend(plan);
        messages.extend([agent("It is mended and all tests pass."), user("Now draw the harbour map.")]);
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let told = |head: &[&Message<'_>]| open(&turns(head, &[]), Behind::default(), 0).remove(0).text;
        assert_eq!(told(&head), "Open step of an earlier request (in progress): Test it");
        assert_eq!(told(&head[..3]), "Open step (in progress): Test it");
        let worked = act("bash", r#"{"command":"make tide"}"#, "Exit code: 0\nmade", false);
        let done = |closing: &str| {
            let mut messages = messages[..3].to_vec();
            messages.extend(worked.clone());
            messages.extend([agent(closing), user("Now draw the harbour map.")]);
            open(&turns(&messages.iter().collect::<Vec<_>>(), &[]), Behind::default(), 0).is_empty()
        };
        assert!(done("I fixed the tide table and pushed it."));
        assert!(!done("I fixed the tide table, but the tests still fail."));
    }

    #[test]
    fn a_begun_step_is_over_where_its_turn_reported_no_trouble_and_the_user_went_on() {
        let step = |subject: &str| act("TaskCreate", &format!(r#"{{"subject":"{subject}"}}"#), "ok", false).to_vec();
        let begun = act("TaskUpdate", r#"{"taskId":"1","status":"in_progress"}"#, "ok", false).to_vec();
        let worked = act("bash", r#"{"command":"make tide"}"#, "Exit code: 0\nmade", false).to_vec();
        let told = |closing: &str| {
            let first = [vec![user("Renew the tables.")], step("Renew the tide tables"), begun.clone(), worked.clone()];
            let then = [vec![agent(closing), user("Now paint the boats of the harbour.")], step("Paint the boats")];
            let messages = [first.concat(), then.concat()].concat();
            let head: Vec<&Message<'_>> = messages.iter().collect();
            open(&turns(&head, &[]), Behind::default(), 0).into_iter().map(|item| item.text).collect::<Vec<_>>()
        };
        assert_eq!(told("I fixed the board and pushed it."), ["Open step: Paint the boats"]);
        assert_eq!(told("I fixed the board, but the lamps still fail.").len(), 2);
        assert_eq!(told("Which board is it?").len(), 2);
    }

    #[test]
    fn what_the_kept_tail_tells_to_be_done_is_open_no_more() {
        let plan = r#"{"plan":[{"step":"Add the tide tables of the pier"},{"step":"Paint the boats"}]}"#;
        let messages = act("update_plan", plan, "ok", false);
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let left = |kept: &Message<'_>| open(&turns(&head, &[]), Behind { acts: &[], messages: &[kept] }, 0).len();
        assert_eq!(left(&agent("Added the tide tables for the pier.")), 1);
        assert_eq!(
            (left(&agent("Let me add the tide tables of the pier.")), left(&user("Added the tide tables."))),
            (2, 2)
        );
    }
}
