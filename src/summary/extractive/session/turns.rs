//! One pass over the head: splits it into turns with the request, the agent's sentences, and the calls with their
//! outcomes.

use super::ahead::{self, Ahead, Request};
use super::background;
use super::obsolete;
use super::refuted;
pub(in crate::summary::extractive) use super::turn::Turn;
use super::turn::referent;
use super::versions;
use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::acts::{Act, session};
use crate::summary::extractive::calls::approved::{decided, shows_plan};
use crate::summary::extractive::calls::args::Args;
use crate::summary::extractive::calls::outcome::{CallOutcome, Flags};
use crate::summary::extractive::calls::replies;
use crate::summary::extractive::calls::reports;
use crate::summary::extractive::calls::script;
use crate::summary::extractive::calls::{delegates, of_many};
use crate::summary::extractive::sentences::in_json;
use crate::summary::extractive::sentences::prose::typed;
use crate::summary::extractive::sentences::rules::is_firm;
use crate::summary::extractive::sentences::said::Said;
use crate::summary::extractive::user::by_user;
use crate::summary::extractive::user::media::shown;
use crate::summary::extractive::user::tags::{ends, lone_command, own_words};
use crate::transcript::{Author, InTurn, Message, Part, PartKind, Spread, spoken, thought};
use foldhash::HashMap;
use std::borrow::Cow;

/// Maximum length in bytes of a later system message that is searched for rules.
const ORDERED: usize = 600;

/// The turns of a head on one core.
pub(in crate::summary::extractive) fn turns<'t>(
    head: &[&'t Message<'_>],
    asked: &[(usize, &Message<'_>)],
) -> Vec<Turn<'t>> {
    turns_over(head, asked, &InTurn)
}

/// Splits the head into turns. Kept requests begin turns too, each with the number of messages of the head before it.
/// Parts that can be read alone are read in parallel, before and after the pass.
pub(in crate::summary::extractive) fn turns_over<'t>(
    head: &[&'t Message<'_>],
    asked: &[(usize, &Message<'_>)],
    over: &dyn Spread,
) -> Vec<Turn<'t>> {
    let mut turns = read_ahead(head, asked, ahead::all(head, true, over));
    ahead::tell_outcomes(&mut turns, over);
    background::end_by_words(&mut turns);
    background::end_by_kills(&mut turns);
    refuted::without_refuted(&mut turns);
    obsolete::without_obsolete(&mut turns, over);
    versions::without_told_plans(&mut turns, head);
    turns
}

/// The turns behind the head, without the agent's sentences, which stay in the tail. Calls there can report outcomes
/// that the head left open.
pub(super) fn turns_behind<'t>(kept: &[&'t Message<'_>], over: &dyn Spread) -> Vec<Turn<'t>> {
    let mut turns = read_ahead(kept, &[], ahead::all(kept, false, over));
    ahead::tell_outcomes(&mut turns, over);
    turns
}

/// The calls behind the head, without their turns.
#[cfg(test)]
pub(in crate::summary::extractive) fn acts_behind<'t>(kept: &[&'t Message<'_>], over: &dyn Spread) -> Vec<Act<'t>> {
    turns_behind(kept, over).into_iter().flat_map(|turn| turn.acts).collect()
}

fn read_ahead<'t>(
    head: &[&'t Message<'_>],
    asked: &[(usize, &Message<'_>)],
    ahead: Vec<Vec<Ahead<'t>>>,
) -> Vec<Turn<'t>> {
    let is_persons =
        |message: &Message<'_>| message.author == Author::Person && !delegates::is_of_team(&message.said());
    let has_user =
        asked.iter().any(|(_, request)| is_persons(request)) || head.iter().any(|message| is_persons(message));
    let mut reader = Reader {
        turns: vec![Turn::default()],
        open: HashMap::default(),
        running: HashMap::default(),
        last_text: 0,
        heard: None,
        has_user,
        ahead: Box::new(ahead.into_iter().flatten()),
    };
    let mut asked = asked.iter().peekable();
    for (index, &message) in head.iter().enumerate() {
        while let Some((_, request)) = asked.next_if(|(place, _)| *place <= index) {
            reader.ask_again(&request.said());
        }
        reader.read(index, message);
    }
    for (place, request) in asked {
        reader.ask_again(&request.said());
        let newest = reader.turns.last_mut().and_then(|turn| turn.asked.as_mut());
        // The text that it answers is behind the head; one without words begins no turn.
        let newest = newest.filter(|asked| asked.message.is_none() && *place > head.len());
        newest.into_iter().for_each(|asked| asked.meant.clear());
    }
    reader.close();
    reader.turns
}

/// The slash command that a message is, without words of the user.
fn command_alone(text: &str) -> Option<&str> {
    lone_command(text).filter(|_| own_words(text).trim().is_empty())
}

struct Reader<'t> {
    turns: Vec<Turn<'t>>,
    /// Calls without result: index of the turn, and of the act in it.
    open: HashMap<&'t str, (usize, usize)>,
    /// Background calls, by session.
    running: HashMap<String, (usize, usize)>,
    /// Number of sentences of the current turn before its newest text.
    last_text: usize,
    /// The agent's newest text, to which the user replies.
    heard: Option<(usize, Cow<'t, str>)>,
    /// Whether a person asks for something; an agent of a team may get orders from another agent only.
    has_user: bool,
    /// Parts read ahead that are not used yet.
    ahead: Box<dyn Iterator<Item = Ahead<'t>> + 't>,
}

impl<'t> Reader<'t> {
    fn read(&mut self, index: usize, message: &'t Message<'_>) {
        if message.demonstration {
            return;
        }
        self.turns.last_mut().into_iter().for_each(|turn| turn.heed(message));
        if ahead::hears(message) {
            let read = self.ahead.next();
            let text = message.said();
            match (self.order_of(&text).as_deref().or(command_alone(&text)), read) {
                (None, Some(Ahead::Asked(request))) => self.begin(request.map(|request| *request)),
                (other, _) => self.ask(Some(index), other.unwrap_or(&text)),
            }
            self.describe(index, message);
        }
        for part in &message.parts {
            if part.kind == PartKind::Text && message.author != Author::Model {
                self.notice(&part.text);
                self.hear(index, &part.text);
            }
            match &part.kind {
                kind if ahead::reads(message, kind) => self.take(index, part),
                PartKind::Reasoning { .. } => {
                    self.turns.last_mut().into_iter().for_each(|turn| turn.thoughts.push((index, &part.text)));
                }
                PartKind::Text if message.author == Author::System => self.order(index, &part.text),
                PartKind::Text if message.author == Author::Harness => {
                    let command = lone_command(&part.text).filter(|_| !message.answered_locally);
                    command.into_iter().for_each(|name| self.ask(Some(index), name));
                    let order = self.order_of(&part.text);
                    order.into_iter().for_each(|order| self.ask(Some(index), &order));
                    delegates::notified(&part.text).into_iter().for_each(|report| self.report(index, report));
                    self.run_by_user((index, message), &part.text);
                }
                PartKind::Result { id, error, pruned, .. } => {
                    if !error && !pruned && self.delegated(id) {
                        delegates::reported(&part.text).into_iter().for_each(|report| self.report(index, &report));
                    }
                    if !pruned {
                        self.reply(index, part);
                    }
                    self.answer(id, part, *error, *pruned);
                    if let Some(said) = error.then(|| replies::said_instead(&part.text)).flatten() {
                        self.ask(Some(index), said);
                    }
                }
                _ => {}
            }
        }
    }

    /// Takes the rules of a system message behind the first request. Long ones are the harness's own.
    fn order(&mut self, message: usize, text: &str) {
        let Some(turn) = self.turns.last_mut().filter(|turn| turn.asked.is_some()) else { return };
        if text.len() <= ORDERED && !text.trim_start().starts_with('<') {
            turn.ordered.extend(typed(text).into_iter().filter(|rule| is_firm(rule)).map(|rule| (message, rule)));
        }
    }

    /// Adds a part to the turn, using its result that was read ahead.
    fn take(&mut self, index: usize, part: &'t Part<'_>) {
        match (self.ahead.next(), &part.kind) {
            (Some(Ahead::Said(said)), _) => {
                let text = spoken(&part.text);
                self.heard = Some((index, in_json::reply(text).map_or(Cow::Borrowed(text), Cow::Owned)));
                let thought = if said.is_empty() { thought(&part.text) } else { None };
                self.turns.last_mut().into_iter().for_each(|turn| turn.thoughts.extend(thought.map(|it| (index, it))));
                self.say(said);
            }
            (Some(Ahead::Acts(acts, notes)), PartKind::Call { id, name }) => {
                if acts.iter().any(|act| act.speaks) {
                    self.heard = reports::said(name, &part.text).map(|text| (index, Cow::Owned(text)));
                }
                if !notes.is_empty() {
                    self.say(notes);
                }
                self.call(id, acts, part);
            }
            _ => {}
        }
    }

    fn ask(&mut self, message: Option<usize>, words: &str) {
        self.begin(Request::of(message, words));
    }

    /// Begins a turn with a request.
    fn begin(&mut self, request: Option<Request>) {
        let Some(Request { mut asked, words }) = request else { return };
        self.settle();
        self.close();
        asked.corrects = self.turns.last().is_some_and(|before| before.is_corrected_by(&asked));
        let plan;
        (asked.meant, plan) = referent(&asked, &words, self.heard.take());
        self.turns.push(Turn { asked: Some(asked), plans: plan.into_iter().collect(), ..Turn::default() });
    }

    /// Notes what the message of the newest turn shows, and whether it is only in a queue.
    fn describe(&mut self, index: usize, message: &Message<'_>) {
        let Some(turn) = self.turns.last_mut() else { return };
        if let Some(asked) = turn.asked.as_mut().filter(|asked| asked.message == Some(index)) {
            asked.shown = shown(message);
            turn.aside = message.queued;
        }
    }

    /// Takes a kept request.
    fn ask_again(&mut self, said: &str) {
        let (order, command) = (self.order_of(said), command_alone(said));
        self.ask(None, order.as_deref().or(command).unwrap_or(said));
    }

    /// What another agent of the team orders in a text, where no person asks for anything.
    fn order_of<'s>(&self, text: &'s str) -> Option<Cow<'s, str>> {
        if self.has_user { None } else { delegates::ordered(text) }
    }

    /// Removes announced plans from the newest text, as more messages follow it.
    fn settle(&mut self) {
        let newest = self.turns.last_mut().map(|turn| turn.said.iter_mut().skip(self.last_text));
        newest.into_iter().flatten().for_each(Said::settle);
    }

    fn say(&mut self, said: Vec<Said>) {
        self.settle();
        let Some(turn) = self.turns.last_mut() else { return };
        self.last_text = turn.said.len();
        turn.said.extend(said);
    }

    /// Adds another agent's report as sentences of this agent, before this agent's newest text, which closes the turn.
    fn report(&mut self, message: usize, text: &str) {
        let Some(turn) = self.turns.last_mut() else { return };
        let (at, before) = (self.last_text.min(turn.said.len()), turn.said.len());
        turn.said.splice(at..at, Said::all(message, &ends(text)).map(Said::of_another));
        self.last_text = at + turn.said.len() - before;
    }

    /// Notes the message of another agent of the team.
    fn hear(&mut self, message: usize, text: &'t str) {
        let Some(turn) = self.turns.last_mut() else { return };
        turn.heard.extend(delegates::heard(text).map(|words| (message, words)));
    }

    /// Applies notices about background commands that ended.
    fn notice(&mut self, text: &str) {
        if self.running.is_empty() {
            return;
        }
        for (id, outcome) in background::notices(text) {
            let cut = || self.running.keys().filter(|session| background::is_cut(id, session)).min().cloned();
            let session = if self.running.contains_key(id) { Some(id.to_owned()) } else { cut() };
            let place = session.and_then(|session| self.running.remove(&session));
            if let Some(act) = place.and_then(|place| self.act(place)) {
                (act.outcome, act.result, act.ended_by) = (outcome, "", Some((act.message, "")));
            }
        }
    }

    /// Adds a command that the user ran, or its output.
    fn run_by_user(&mut self, at: (usize, &'t Message<'_>), text: &'t str) {
        let Some(turn) = self.turns.last_mut() else { return };
        if let Some((command, printed)) = by_user::command(text) {
            let mut act = Act::of_user(at, command);
            printed.into_iter().for_each(|printed| act.end(printed));
            turn.acts.push(act);
        } else if let Some(printed) = by_user::printed(text) {
            let newest = turn.acts.last_mut().filter(|act| act.by_user && act.flags.is_none());
            newest.into_iter().for_each(|act| act.end(printed));
        }
    }

    /// Adds the user's answers, or decision on a plan, if the call asked. Answers are in results without an error.
    fn reply(&mut self, message: usize, part: &Part<'_>) {
        let PartKind::Result { id, error, .. } = &part.kind else { return };
        let place = self.open.get(&**id).copied();
        let asking =
            place.and_then(|place| self.act(place)).filter(|act| act.asks_user).map(|act| (act.tool, act.arguments));
        let (Some((tool, arguments)), Some(turn)) = (asking, self.turns.last_mut()) else { return };
        if shows_plan(tool) {
            turn.plans.extend(decided(message, arguments, &part.text));
        } else if !error {
            turn.replies.extend(replies::replies(message, arguments, &part.text));
        }
    }

    /// Whether a call delegated work to another agent.
    fn delegated(&mut self, id: &str) -> bool {
        let place = self.open.get(id).copied();
        place.and_then(|place| self.act(place)).is_some_and(|act| act.delegates)
    }

    fn call(&mut self, id: &'t str, acts: Vec<Act<'t>>, arguments: &Part<'_>) {
        let at = self.turns.len() - 1;
        let Some(turn) = self.turns.last_mut() else { return };
        self.open.insert(id, (at, turn.acts.len()));
        for mut act in acts {
            act.call = id;
            let may_ask =
                !self.running.is_empty() && matches!(act.action, Action::Other(_) | Action::Input | Action::Quiet);
            let stated = || session(&Args::read(&arguments.text));
            let session = may_ask.then(|| act.session.clone().or_else(stated)).flatten();
            act.asks = session.and_then(|session| self.running.get(&*session)).copied();
            turn.acts.push(act);
        }
    }

    /// Applies the result of a call to all its acts.
    fn answer(&mut self, id: &str, part: &'t Part<'_>, error: bool, pruned: bool) {
        let Some((turn, first)) = self.open.remove(id) else { return };
        let text = if pruned { "" } else { &*part.text };
        let Some(act) = self.act((turn, first)) else { return };
        let stopped = (act.in_script || act.asks.is_some()) && script::failed(text);
        let (more, in_script) = (act.more, act.in_script);
        for place in first..=first + more {
            let changes = |act: &mut Act<'_>| matches!(act.action, Action::Files(_));
            // The output of a script belongs to its commands, not to its file changes; a refused patch stops the
            // script. A plan that another call passes has no result of its own.
            let is_its = match in_script {
                true => more == 0 || stopped || !self.act((turn, place)).is_some_and(changes),
                false => place == first,
            };
            let flags = Flags::of((error || stopped) && (is_its || in_script), part.status);
            self.end((turn, place), if is_its { text } else { "" }, flags, pruned);
        }
        self.end_all((turn, first), &of_many::answered(text));
    }

    /// Ends the other open calls of a message whose results stand in that of one of them, by their ids; where those are
    /// others, as many as there are.
    fn end_all(&mut self, (turn, first): (usize, usize), answered: &[String]) {
        let Some(turn) = self.turns.get_mut(turn) else { return };
        let message = turn.acts[first].message;
        let is_named = |act: &Act<'_>| answered.iter().any(|id| id == act.call);
        let is_known = turn.acts.iter().any(|act| act.message == message && is_named(act));
        let most = if is_known { usize::MAX } else { answered.len().saturating_sub(1) };
        let others = turn.acts.iter_mut().filter(|act| act.message == message && act.flags.is_none());
        for act in others.filter(|act| !is_known || is_named(act)).take(most) {
            if act.outcome == CallOutcome::Unknown && self.open.remove(act.call).is_some() {
                act.outcome = CallOutcome::Ended;
            }
        }
    }

    fn end(&mut self, own: (usize, usize), text: &'t str, flags: Flags, pruned: bool) {
        let error = flags.error;
        let session = CallOutcome::session(text).filter(|_| !error);
        // The outcome of a background command belongs to the call that started it; a call that only polls it has none
        // of its own.
        let asked = self.act(own).and_then(|act| act.asks);
        let in_script = self.act(own).is_some_and(|act| act.session.is_some());
        let kills = self.act(own).is_some_and(|act| act.asks.is_some() && background::kills(act.tool, text, error));
        let ended = CallOutcome::tells_end(text) || script::ended(text) && !in_script || kills;
        let started = asked.filter(|_| session.is_some() || ended || in_script && script::says_more(text));
        let asks = started.or(asked.filter(|_| CallOutcome::goes_on(text)));
        if let (Some(_), Some(act)) = (asks, self.act(own)) {
            act.action = Action::Quiet;
        }
        if let Some(started) = started.filter(|_| session.is_some() || ended) {
            self.running.retain(|_, place| *place != started);
        }
        let place = started.unwrap_or(own);
        // A program that was stopped on purpose did not fail.
        let stopped = started.is_some() && ended && (kills || self.act(own).is_some_and(|act| act.stops));
        // The status of a call that polls a background command is not the status of that command.
        let flags = if started.is_some() { Flags::of(error, None) } else { flags };
        let asking = self.act(own).map(|act| (act.message, act.call)).filter(|_| place != own);
        let Some(act) = self.act(place) else { return };
        act.ended_by = asking;
        (act.outcome, act.flags) = match session {
            _ if stopped => (act.when_stopped(), None),
            _ if pruned && !error => (CallOutcome::Unknown, None),
            Some(_) if !act.action.only_shows() => (CallOutcome::Running, None),
            _ => (CallOutcome::Unknown, Some(flags)),
        };
        act.result = if kills { "" } else { text };
        act.place_by_result();
        self.running.extend(session.map(|session| (session.into_owned(), place)));
    }

    fn act(&mut self, (turn, act): (usize, usize)) -> Option<&mut Act<'t>> {
        self.turns.get_mut(turn)?.acts.get_mut(act)
    }

    /// Ends a turn: marks its newest text as closing, unless calls follow that text, which it then only introduces.
    fn close(&mut self) {
        if let Some(turn) = self.turns.last_mut() {
            turn.close(self.last_text, self.heard.clone());
        }
        self.last_text = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::builders::{act, agent, message, part, user};
    use crate::summary::extractive::calls::act::FileOp;
    use crate::summary::extractive::sentences::cues::Kind;
    use crate::transcript::Media;

    #[test]
    fn what_an_agent_notes_in_a_call_is_said() {
        let notes = r#"{"current_state":{"memory":"The quay has no berth left.","next_goal":"Ask for another quay."},"action":[{"go":{"to":"quay 4"}}]}"#;
        let messages = act("AgentOutput", notes, "", false);
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let turns = turns(&head, &[]);
        let said: Vec<&str> = turns[0].said.iter().map(|said| &*said.sentence).collect();
        assert_eq!(said, ["The quay has no berth left.", "Ask for another quay."]);
        assert_eq!(turns[0].acts.len(), 1);
    }

    #[test]
    fn what_a_call_only_says_is_the_last_text() {
        let report = "The lamp of the pier burns now. I renewed its wick.";
        let mut messages = vec![user("Light the pier."), agent("I look at the lamp first.")];
        messages.extend(act("attempt_completion", &serde_json::json!({ "result": report }).to_string(), "", false));
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let turn = turns(&head, &[]).remove(1);
        assert_eq!(turn.last_text(), Some((2, report)));
        let closing: Vec<&str> = turn.said.iter().filter(|said| said.closing).map(|said| &*said.sentence).collect();
        assert_eq!(closing, ["The lamp of the pier burns now.", "I renewed its wick."]);
    }

    #[test]
    fn a_plan_of_an_answer_that_the_user_accepts_is_told_with_its_request() {
        let plan = "<proposed_plan>\n# Light the pier\n\n## Steps\n- Renew the oil of the lamp.\n</proposed_plan>";
        let messages = [user("Plan the light of the pier."), agent(plan), user("Implement the plan.")];
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let turn = turns(&head, &[]).remove(2);
        assert_eq!(turn.plans.iter().map(|plan| (plan.message, plan.steps.len())).collect::<Vec<_>>(), [(2, 1)]);
        assert_eq!(turn.asked.map(|asked| asked.meant).as_deref(), Some(" (to “Light the pier”)"));
    }

    #[test]
    fn a_yes_to_a_question_in_json_is_told_with_it() {
        let asks = r#"{"message":"Both ferries are full. Shall I book the night boat for you?"}"#;
        let messages = [user("Book a ferry."), agent(asks), user("Yes, please proceed.")];
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let meant = turns(&head, &[]).remove(2).asked.map(|asked| asked.meant);
        assert_eq!(meant.as_deref(), Some(" (to “Shall I book the night boat for you?”)"));
    }

    #[test]
    fn a_mark_of_the_end_takes_nothing_from_the_request_before_it() {
        let messages =
            [agent("The night boat is free. Shall I book it?"), user("Yes, please."), agent("It is booked.")];
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let end = user("###STOP###");
        let meant = turns(&head, &[(4, &end)]).remove(1).asked.map(|asked| asked.meant);
        assert_eq!(meant.as_deref(), Some(" (to “Shall I book it?”)"));
    }

    #[test]
    fn a_request_that_is_sent_again_stands_once() {
        let asked = "Light the lamp of the pier and write down when it burned out.";
        let corrects = |messages: &[Message<'_>]| {
            let head: Vec<&Message<'_>> = messages.iter().collect();
            turns(&head, &[]).iter().filter(|turn| turn.asked.as_ref().is_some_and(|asked| asked.corrects)).count()
        };
        assert_eq!(corrects(&[user(asked), user(asked)]), 1);
        assert_eq!(corrects(&[user(asked), agent(""), user(asked)]), 1);
        assert_eq!(corrects(&[user(asked), agent("The lamp has no oil."), user(asked)]), 0);
        assert_eq!(corrects(&[user(asked), agent("42"), user(asked)]), 0);
        let mut shown = user(asked);
        shown.parts.push(part(PartKind::Media(Media::Image), ""));
        let thought = message(Author::Model, vec![part(PartKind::Reasoning { signed: false }, "Hm.")]);
        assert_eq!(corrects(&[user(asked), thought, user(asked)]), 0);
        assert_eq!(corrects(&[shown, user(asked)]), 0);
        assert_eq!(corrects(&[user(asked), user("Light the lamp of the quay.")]), 0);
    }

    #[test]
    fn a_plan_beside_the_arguments_of_a_call_is_no_result_of_it() {
        let written = r#"{"path":"lamp.rs","content":"x","task_progress":"- [x] Read\n- [ ] Test it"}"#;
        let messages = act("write_to_file", written, "Error: the disk is full", true);
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let acts = turns(&head, &[]).remove(0).acts;
        assert!(matches!((&acts[0].action, &acts[0].outcome), (Action::Files(_), CallOutcome::Failed(_))));
        assert!(matches!((&acts[1].action, &acts[1].outcome), (Action::Plan(_), CallOutcome::Done(_))));
    }

    #[test]
    fn an_edit_without_a_path_is_of_the_file_that_its_result_names() {
        let files = |result: &str| {
            let messages = act("edit", r#"{"search":"dark","replace":"lit"}"#, result, false);
            let acts = turns(&messages.iter().collect::<Vec<_>>(), &[]).remove(0).acts;
            assert!(acts[0].outcome.worked() || acts[0].files().is_empty());
            acts[0].files().to_vec()
        };
        let told = "Text replaced. Please review it:\n[File: /quay/src/lamp.py (17 lines total)]\n3:   lit()";
        assert_eq!(files(told), [(FileOp::Edited, "/quay/src/lamp.py".to_owned())]);
        assert_eq!(files("Text replaced."), []);
    }

    #[test]
    fn a_plan_is_over_once_more_was_said_or_asked() {
        let planned = "The lock is missing in `tide.rs`, so I'm adding it now.";
        let doing = "I'm using the old lock because the new one is missing.";
        let told = |messages: &[Message<'_>]| {
            let head: Vec<&Message<'_>> = messages.iter().collect();
            let said = turns(&head, &[]).into_iter().flat_map(|turn| turn.said);
            said.map(|said| (said.sentence, matches!(said.kind, Kind::Finding(_)))).collect::<Vec<_>>()
        };
        let newest = [user("Mend the tide table."), agent(planned)];
        assert_eq!(told(&newest), [(planned.to_owned(), true)]);
        let over = ("The lock is missing in `tide.rs`.".to_owned(), true);
        assert_eq!(told(&[agent(planned), agent(doing)])[0], over);
        assert_eq!(told(&[agent(planned), user("Now draw the map.")]), [over]);
        assert_eq!(told(&[agent(doing), user("Now draw the map.")]), [(doing.to_owned(), false)]);
    }

    #[test]
    fn a_script_is_told_as_what_it_calls() {
        let patch = r#"await tools.apply_patch("*** Begin Patch\n*** Add File: lamp.rs\n+x"); "#;
        let make =
            r#"const r = await tools.exec_command({cmd: "make lamp", workdir: "/quay"}); text(JSON.stringify(r))"#;
        let printed = |answer: &str| format!("Script completed\nWall time 0.1 seconds\nOutput:\n\n{answer}");
        let failed = printed(r#"{"chunk_id":"a","exit_code":2,"output":"lamp.rs:1:2: error: no oil\n"}"#);
        let goes_on = printed(r#"{"chunk_id":"a","session_id":7,"output":"lighting"}"#);
        let asks = r#"const r = await tools.write_stdin({session_id: 7, chars: ""}); text(r.output)"#;
        let told = |calls: &[(&str, &str)]| {
            let messages: Vec<_> =
                calls.iter().flat_map(|(script, result)| act("exec", script, result, false)).collect();
            let head: Vec<&Message<'_>> = messages.iter().collect();
            let acts = turns(&head, &[]).into_iter().flat_map(|turn| turn.acts);
            acts.map(|act| (act.action, act.outcome)).collect::<Vec<_>>()
        };
        let created = (Action::Files(vec![(FileOp::Created, "lamp.rs".into())]), CallOutcome::Done(String::new()));
        let run = |outcome: CallOutcome| (Action::Run("make lamp".into()), outcome);
        let ended = CallOutcome::Failed("lamp.rs:1:2: error: no oil".into());
        assert_eq!(told(&[(&format!("{patch}{make}"), &failed)]), [created, run(ended)]);
        let stopped = "Script failed\nWall time 0.1 seconds\nOutput:\n\nScript error:\napply_patch verification failed: no such lamp";
        let refused = told(&[(&format!("{patch}{make}"), stopped)]).remove(0).1;
        assert_eq!(refused, CallOutcome::Failed("apply_patch verification failed: no such lamp".into()));
        let messages = act("bash", r#"{"command":"./retry.sh"}"#, "Script failed\nretrying\nexit code: 0\nlit", false);
        let outcome = &turns(&messages.iter().collect::<Vec<_>>(), &[])[0].acts[0].outcome;
        assert!(outcome.failure().is_none(), "the words are those of the program");
        let quiet = (Action::Quiet, CallOutcome::Unknown);
        let passed = CallOutcome::Done("3 passed in 0.1s".into());
        let polled = told(&[(make, &goes_on), (asks, &printed("3 passed in 0.1s"))]);
        assert_eq!(polled, [run(passed), quiet]);
        assert_eq!(told(&[(make, &goes_on), (asks, &printed(""))])[0], run(CallOutcome::Running));
    }

    #[test]
    fn one_result_may_answer_all_calls_of_a_message() {
        let [mut calls, mut answer] = act("gauge", r#"{"pier":1}"#, "", false);
        let [other, _] = act("gauge", r#"{"pier":20}"#, "", false);
        calls.parts.extend(other.parts);
        let told = |text: &str, answer: &mut Message<'_>| {
            answer.parts[0].text = text.to_owned().into();
            let messages = [calls.clone(), answer.clone()];
            let acts = turns(&messages.iter().collect::<Vec<_>>(), &[]).remove(0).acts;
            acts.into_iter().map(|act| act.outcome).collect::<Vec<_>>()
        };
        let of_both = r#"[{"tool_call_id": "a", "content": "7"}, {"tool_call_id": "b", "content": "8"}]"#;
        assert_eq!(told(of_both, &mut answer)[1], CallOutcome::Ended);
        assert_eq!(told("7", &mut answer)[1], CallOutcome::Unknown);
        let ids: Vec<String> = calls.calls().map(str::to_owned).collect();
        let of = |id: &str| {
            format!(r#"[{{"tool_call_id": "{}", "content": "7"}}, {{"tool_call_id": "{id}", "content": "8"}}]"#, ids[0])
        };
        assert_eq!(told(&of(&ids[1]), &mut answer)[1], CallOutcome::Ended);
        assert_eq!(told(&of("another"), &mut answer)[1], CallOutcome::Unknown);
    }

    #[test]
    fn a_program_that_is_stopped_did_not_fail() {
        let ended = |typed: &str| {
            let run = act("exec_command", r#"{"cmd":"make lamp"}"#, "Process running with session ID 7\n", false);
            let args = format!(r#"{{"session_id":7,"chars":"{typed}"}}"#);
            let all = [run, act("write_stdin", &args, "Process exited with code 130\nOutput:\n^C", false)].concat();
            let turns = turns(&all.iter().collect::<Vec<_>>(), &[]);
            turns[0].acts[0].outcome.failure().is_some()
        };
        assert!(!ended(r"\u0003") && ended(""));
    }

    #[test]
    fn slash_commands_and_orders_of_other_agents_are_asked_for() {
        let asked = |messages: &[Message<'_>]| {
            let head: Vec<&Message<'_>> = messages.iter().collect();
            turns(&head, &[]).into_iter().filter_map(|turn| Some(turn.asked?.start)).collect::<Vec<_>>()
        };
        assert_eq!(asked(&[user(" /harbour:review"), user("/clear"), user("/compact")]), ["/harbour:review"]);
        let harness = |text: &str| Message { author: Author::Harness, ..user(text) };
        let stored = "<command-message>review</command-message>\n<command-name>/review</command-name>";
        assert_eq!(asked(&[harness(stored)]), ["/review"]);
        assert!(asked(&[harness("<command-name>/clear</command-name>")]).is_empty());
        assert!(
            asked(&[Message { answered_locally: true, ..harness("<command-name>/copy</command-name>") }]).is_empty()
        );
        let order = "<teammate-message teammate_id=\"lead\">\nMend the lamp.\n</teammate-message>";
        assert_eq!(asked(&[harness(order)]), ["Mend the lamp."]);
        assert_eq!(asked(&[user("Light the quay."), harness(order)]), ["Light the quay."], "a person asks");
        let task = r#"{"type":"task_assignment","subject":"Mend the pier","description":"By night."}"#;
        let task = format!("<teammate-message teammate_id=\"lead\">\n{task}\n</teammate-message>");
        assert_eq!(
            asked(&[user(order), user(&task)]),
            ["Mend the lamp.", "Mend the pier. By night."],
            "stored as a chat"
        );
    }
}
