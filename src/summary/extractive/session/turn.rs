//! A turn of a session: a request with what came of it.

use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::approved::{Shown, accepted, given};
use crate::summary::extractive::calls::replies::Reply;
use crate::summary::extractive::sentences::cues::{Kind, is_plan};
use crate::summary::extractive::sentences::prose::sentences;
use crate::summary::extractive::sentences::said::Said;
use crate::summary::extractive::user::asked::Asked;
use crate::summary::extractive::user::referents::{meant, meant_by};
use crate::summary::text::has_words;
use crate::transcript::fixed_texts::stops;
use crate::transcript::{Message, PartKind, Role};
use std::borrow::Cow;

/// A turn: a real user message, or the start of the head, with everything up to the next such message.
#[derive(Default)]
pub(in crate::summary::extractive) struct Turn<'t> {
    /// The user's request.
    pub(in crate::summary::extractive) asked: Option<Asked>,
    /// The request was typed while the agent worked, and only the queue of the harness has it.
    pub(in crate::summary::extractive) aside: bool,
    /// The agent's sentences.
    pub(in crate::summary::extractive) said: Vec<Said>,
    /// The agent's calls.
    pub(in crate::summary::extractive) acts: Vec<Act<'t>>,
    /// The user's answers to the agent's questions.
    pub(in crate::summary::extractive) replies: Vec<Reply>,
    /// Plans that the user gave, approved or rejected.
    pub(in crate::summary::extractive) plans: Vec<Shown>,
    /// Thoughts of the agent, each with the index of its message.
    pub(in crate::summary::extractive) thoughts: Vec<(usize, &'t str)>,
    /// Whether the agent thought in it, also if none of its thoughts is told.
    pub(in crate::summary::extractive) thinks: bool,
    /// Rules of later system messages, each with the index of its message.
    pub(in crate::summary::extractive) ordered: Vec<(usize, String)>,
    /// Messages of other agents of a team, each with its index.
    pub(in crate::summary::extractive) heard: Vec<(usize, &'t str)>,
    /// What [`Turn::last_text`] tells, owned.
    pub(in crate::summary::extractive) last: Option<(usize, Cow<'t, str>)>,
    /// Whether the user stopped the agent in it.
    pub(in crate::summary::extractive) stopped: bool,
}

/// The referent of a request in the text before it, and the plan that it gives, or accepts there: its title is the
/// referent then.
pub(super) fn referent(asked: &Asked, text: &str, before: Option<(usize, Cow<'_, str>)>) -> (String, Option<Shown>) {
    let plan = asked.message.and_then(|message| given(message, text));

    let Some((at, before)) = before.filter(|_| plan.is_none()) else { return (String::new(), plan) };
    match accepted(asked.message.unwrap_or(at), &before, text) {
        Some(plan) => (meant_by(&plan.title), Some(plan)),
        None => (meant(asked, text, &before), None),
    }
}

impl<'t> Turn<'t> {
    /// The agent's last text with the index of its message; `None` if calls follow it.
    pub(in crate::summary::extractive) fn last_text(&self) -> Option<(usize, &str)> {
        self.last.as_ref().map(|(message, text)| (*message, &**text))
    }

    /// Whether the next request is this one again: in other words, if the user stopped it, or in the same words, if
    /// nothing came of it.
    pub(super) fn is_corrected_by(&self, next: &Asked) -> bool {
        // What was worked on was wanted, too.
        let is_idle = self.stopped && !self.acts.iter().any(Act::changes_files);
        // “42” is no sentence, and an answer.
        let is_silent = || !self.thinks && self.last_text().is_none_or(|(_, text)| text.trim().is_empty());
        let shows = || self.asked.as_ref().is_some_and(|asked| !asked.shown.is_empty());
        let is_unheard = self.acts.is_empty()
            && self.said.is_empty()
            && self.replies.is_empty()
            && self.plans.is_empty()
            && is_silent()
            && !shows();
        let corrects = |asked| is_idle && next.is_corrected(asked) || is_unheard && next.repeats(asked);
        self.asked.as_ref().is_some_and(corrects)
    }

    /// Whether the work on its request goes on behind it: it was stopped before anything was done, or ended without a
    /// text, or with one that announces more.
    pub(in crate::summary::extractive) fn is_unfinished(&self) -> bool {
        if self.stopped {
            return !self.said.iter().any(|said| said.kind == Kind::Done);
        }
        let goes_on = |sentence: &String| is_plan(sentence) || has_words(&sentence.to_lowercase(), "next");
        self.last_text().is_none_or(|(_, text)| sentences(text).iter().any(goes_on))
    }

    /// Notes whether a message says that the user stopped the agent.
    pub(super) fn heed(&mut self, message: &Message<'_>) {
        let mut texts = message.parts.iter().filter(|part| part.kind == PartKind::Text);
        self.stopped |= message.role == Role::User && texts.any(|part| stops(&part.text));
    }

    /// Ends it: marks its newest text, whose sentences begin at `start`, as closing, unless calls follow that text,
    /// which it then only introduces.
    pub(super) fn close(&mut self, start: usize, heard: Option<(usize, Cow<'t, str>)>) {
        let newest = self.said.get(start).map(|said| said.message).or(heard.as_ref().map(|(newest, _)| *newest));
        let is_told = |act: &Act<'_>| act.action.plans() || act.by_user || act.speaks;
        let acted = |act: &Act<'_>| newest.is_some_and(|newest| act.message >= newest) && !is_told(act);
        if !self.acts.iter().any(acted) {
            self.said.iter_mut().skip(start).for_each(|said| said.closing = true);
            self.last = heard;
        }
        self.think();
    }

    /// Removes what comes before the message `first` and makes message indices relative to it.
    pub(in crate::summary::extractive) fn begin_at(&mut self, first: usize) {
        self.acts.retain(|act| act.message >= first);
        self.said.retain(|said| said.message >= first);
        self.acts.iter_mut().for_each(|act| act.begin_at(first));
        self.said.iter_mut().for_each(|said| said.message -= first);
        self.replies.iter_mut().for_each(|reply| reply.message = reply.message.saturating_sub(first));
        self.plans.iter_mut().for_each(|plan| plan.message = plan.message.saturating_sub(first));
        self.heard.iter_mut().for_each(|(message, _)| *message = message.saturating_sub(first));
        self.ordered.iter_mut().for_each(|(message, _)| *message = message.saturating_sub(first));
    }
}
