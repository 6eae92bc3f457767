//! A call with its action, its folder and its outcome.

use super::absent::{missing, tells_absence};
use super::act::{Action, FileOp, operation};
use super::approved::shows_plan;
use super::args::Args;
use super::args::stated;
use super::cut_short::{STOPPED, searches};
use super::delegates;
use super::outcome::{CallOutcome, Flags, stated_status};
use super::plan;
use super::replies;
use super::reports;
use super::script::{self, Inner};
use super::shell::{Shell, Tree};
use crate::summary::extractive::files::folders::{self, Folders};
use crate::summary::text::first_bytes;
use crate::transcript::{Message, Part};
use std::borrow::Cow;

/// Argument keys for the purpose of a command.
const PURPOSE_KEYS: &[&str] = &["description", "intent", "purpose"];

/// Argument keys for what a change of a file is for.
const CHANGE_KEYS: &[&str] = &["instruction", "instructions"];

/// Argument keys for the session of a command that still runs.
const SESSION_KEYS: &[&str] = &["session_id", "sessionId", "bash_id", "task_id", "shell_id", "shellId", "cell_id"];

/// Beginning of a result with the file of a windowed editor, and of the line with its path: `[File: /quay/lamp.py (17
/// lines total)]`.
const BEGINNING: usize = 2_000;
const FILE_LINE: &str = "[File: ";

/// Argument keys for input typed into a running program.
const TYPED_KEYS: &[&str] = &["chars", "command", "input"];

/// A call with its outcome.
#[derive(Clone)]
pub(in crate::summary::extractive) struct Act<'t> {
    /// Index of the message with the call.
    pub(in crate::summary::extractive) message: usize,
    /// The id of the call.
    pub(in crate::summary::extractive) call: &'t str,
    /// The tool's name.
    pub(in crate::summary::extractive) tool: &'t str,
    /// Its action.
    pub(in crate::summary::extractive) action: Action,
    /// The working folder that its arguments state.
    pub(in crate::summary::extractive) stated: Option<String>,
    /// The folder that the session was in at that time.
    start: Option<&'t str>,
    /// The purpose that the call states for its command or its change of a file.
    pub(in crate::summary::extractive) purpose: Option<String>,
    /// What its command does with files.
    shell: Shell,
    /// Its outcome.
    pub(in crate::summary::extractive) outcome: CallOutcome,
    /// Its result.
    pub(in crate::summary::extractive) result: &'t str,
    /// Flags of its result, while the outcome is still to be determined from both.
    pub(in crate::summary::extractive) flags: Option<Flags>,
    /// Whether it delegates work to another agent.
    pub(in crate::summary::extractive) delegates: bool,
    /// The arguments of its call; empty for a command of the user, or a plan passed beside others.
    pub(in crate::summary::extractive) arguments: &'t str,
    /// Whether it asks the user or shows a plan.
    pub(in crate::summary::extractive) asks_user: bool,
    /// Whether it was called from within a script.
    pub(in crate::summary::extractive) in_script: bool,
    /// The session that a script asks about.
    pub(in crate::summary::extractive) session: Option<String>,
    /// The background call that it asks about: index of the turn, and of the act in it.
    pub(in crate::summary::extractive) asks: Option<(usize, usize)>,
    /// The call whose result reported the ending, if that is another one: message and id; the id is empty for a
    /// notice.
    pub(in crate::summary::extractive) ended_by: Option<(usize, &'t str)>,
    /// Number of acts after it that come from the same call.
    pub(in crate::summary::extractive) more: usize,
    /// Whether the user ran it, in a shell of the harness.
    pub(in crate::summary::extractive) by_user: bool,
    /// Whether its input stops a program.
    pub(in crate::summary::extractive) stops: bool,
    /// Whether it only says something to the user.
    pub(in crate::summary::extractive) speaks: bool,
}

impl<'t> Act<'t> {
    /// Whether it changed a file.
    pub(in crate::summary::extractive) fn changes_files(&self) -> bool {
        self.action.changes_files()
    }

    /// The acts of a call, which comes with the index of its message in the head: one act, with one for a plan passed
    /// beside its arguments, or one per inner call if it is a script that calls tools.
    pub(in crate::summary::extractive) fn all(
        at: (usize, &'t Message<'_>),
        tool: &'t str,
        arguments: &'t Part<'_>,
    ) -> Vec<Self> {
        let args = Args::read(&arguments.text);
        let Some(inner) = script::inner(tool, &args) else {
            let (stated, delegates) = (stated(&args), delegates::is_order(&args));
            let asks_user = replies::asks(tool, &args) || shows_plan(tool);
            let speaks = reports::said(tool, &arguments.text).is_some();
            let action = Action::direct(tool, &args);
            let purpose = match &action {
                Action::Run(_) => args.text(PURPOSE_KEYS),
                Action::Files(_) if action.changes_files() => args.text(CHANGE_KEYS),
                _ => None,
            };
            let stops = action == Action::Input && args.text(TYPED_KEYS).is_some_and(|typed| is_stop(&typed));
            let plan = plan::progress(&args).map(Action::Plan).filter(|_| !action.plans());
            let more = usize::from(plan.is_some());
            let own = Self {
                stated,
                delegates,
                purpose,
                arguments: &arguments.text,
                asks_user,
                stops,
                speaks,
                more,
                ..Self::of(at, tool, action)
            };
            return std::iter::once(own).chain(plan.map(|plan| Self::of(at, tool, plan))).collect();
        };
        let all = inner.into_iter().rev().enumerate().map(|(more, Inner { action, stated, session })| Self {
            stated,
            arguments: &arguments.text,
            in_script: true,
            session,
            more,
            ..Self::of(at, tool, action)
        });
        let mut all: Vec<Self> = all.collect();
        all.reverse();
        all
    }

    fn of((index, message): (usize, &'t Message<'_>), tool: &'t str, action: Action) -> Self {
        let shell = if let Action::Run(command) = &action { Shell::read(command) } else { Shell::default() };
        let start = folders::of_session(message);
        let (outcome, result, flags) = (CallOutcome::Unknown, "", None);
        let (stated, purpose, delegates, arguments, asks_user) = (None, None, false, "", false);
        let (in_script, session, asks, ended_by) = (false, None, None, None);
        let (more, by_user, stops, speaks) = (0, false, false, false);
        let (message, call) = (index, "");
        Self {
            message,
            call,
            tool,
            action,
            stated,
            start,
            purpose,
            shell,
            outcome,
            result,
            flags,
            delegates,
            arguments,
            asks_user,
            in_script,
            session,
            asks,
            ended_by,
            more,
            by_user,
            stops,
            speaks,
        }
    }

    /// A command that the user ran, as a message reports it.
    pub(in crate::summary::extractive) fn of_user(at: (usize, &'t Message<'_>), command: &str) -> Self {
        Self { by_user: true, ..Self::of(at, "", Action::Run(command.into())) }
    }

    /// Makes its message indices relative to the message `first`.
    pub(in crate::summary::extractive) fn begin_at(&mut self, first: usize) {
        self.message = self.message.saturating_sub(first);
        self.ended_by = self.ended_by.map(|(message, call)| (message.saturating_sub(first), call));
    }

    /// Sets its output, where no status is known.
    pub(in crate::summary::extractive) fn end(&mut self, printed: &'t str) {
        (self.result, self.flags) = (printed, Some(Flags::of(false, None)));
    }

    /// Takes the file of a change that has no path in its arguments from its result (SWE-agent's windowed editor).
    pub(in crate::summary::extractive) fn place_by_result(&mut self) {
        if !matches!(self.action, Action::Other(_)) || operation(&self.tool.to_lowercase()) != Some(FileOp::Edited) {
            return;
        }
        let mut lines = first_bytes(self.result, BEGINNING).lines();
        let path = lines.find_map(|line| line.strip_prefix(FILE_LINE)?.split_once(" (").map(|(path, _)| path));
        if let Some(path) = path {
            self.action = Action::Files(vec![(FileOp::Edited, path.to_owned())]);
        }
    }

    /// The outcome from its result, if it is still to be determined.
    pub(in crate::summary::extractive) fn due(&self) -> Option<CallOutcome> {
        self.flags.map(|flags| self.action.outcome(self.result, flags))
    }

    /// Sets its outcome, and leaves out the files that it was to print and that are not there.
    pub(in crate::summary::extractive) fn settle(&mut self, outcome: CallOutcome) {
        self.outcome = outcome;
        if self.outcome.worked() && !self.shell.files.is_empty() {
            let missing = missing(self.result, &self.shell.files);
            self.shell.leave_out(|path| missing.iter().any(|own| own == path));
        }
    }

    /// The one file that its command was to print and that is not there.
    pub(in crate::summary::extractive) fn absent(&self) -> Option<&str> {
        let (Action::Run(command), [(FileOp::Read, path)]) = (&self.action, &*self.shell.files) else { return None };
        let is_silent = self.outcome == CallOutcome::Failed(String::new()) && command.is_quiet();
        let status = || self.flags.and_then(|flags| flags.status).or_else(|| stated_status(self.result));
        (is_silent && tells_absence(command, self.result, status())).then_some(path)
    }

    /// The folder in which it began, if it or the session states one.
    pub(in crate::summary::extractive) fn folder(&self) -> Option<&str> {
        self.stated.as_deref().or(self.start)
    }

    /// The full path of one of its files.
    pub(in crate::summary::extractive) fn whole<'p>(&self, folders: &Folders, path: &'p str) -> Cow<'p, str> {
        folders.join(self.folder(), path)
    }

    /// Whether the base of its relative paths is stated by this call or, if the session states none, by most others.
    pub(in crate::summary::extractive) fn is_placed_by_call(&self, folders: &Folders) -> bool {
        self.stated.is_some() || self.start.is_none() && folders.base().is_some()
    }

    /// Its operations on files, by a file tool or by a command.
    pub(in crate::summary::extractive) fn files(&self) -> &[(FileOp, String)] {
        if let Action::Files(files) = &self.action { files } else { &self.shell.files }
    }

    /// Whether it worked and changed a file.
    pub(in crate::summary::extractive) fn has_changed_files(&self) -> bool {
        self.outcome.worked() && self.files().iter().any(|(op, _)| op.changes())
    }

    /// Its operations on whole folders, each with the number of its file operations before it.
    pub(in crate::summary::extractive) fn trees(&self) -> &[(usize, Tree)] {
        &self.shell.trees
    }

    /// Its outcome if it was stopped: a search did not end.
    pub(in crate::summary::extractive) fn when_stopped(&self) -> CallOutcome {
        match &self.action {
            Action::Run(command) if searches(command) => CallOutcome::Failed(STOPPED.to_owned()),
            _ => CallOutcome::Ended,
        }
    }

    /// Whether it is a command that only changes files.
    pub(in crate::summary::extractive) fn only_changes_files(&self) -> bool {
        self.shell.only_changes
    }
}

/// Whether input stops a program: a control key, as a character or as OpenHands spells it.
fn is_stop(typed: &str) -> bool {
    ["\u{3}", "\u{4}", "\u{1a}", "C-c", "C-d", "C-z"].contains(&typed.trim_matches(['\n', '\r', ' ']))
}

/// The session that a call asks about.
pub(in crate::summary::extractive) fn session(args: &Args<'_>) -> Option<String> {
    SESSION_KEYS.iter().find_map(|key| args.raw(key)).map(|raw| raw.trim_matches('"').to_owned())
}
