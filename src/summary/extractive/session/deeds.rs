//! What calls did, in plain terms, for code that judges summaries.

use super::history::{self, files, folders_of};
use super::turns::turns;
use crate::summary::extractive::calls::act::{Action, FileOp};
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::outcome::CallOutcome;
use crate::summary::extractive::calls::plan::Step;
use crate::summary::extractive::calls::run::Command;
use crate::transcript::{Message, Part, PartKind};
use std::collections::HashSet;

/// What a call did with one file, the command that it ran, or another effect of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deed {
    /// Index of the message with the call, among those given.
    pub message: usize,
    /// The kind of deed.
    pub kind: DeedKind,
    /// Whether it failed by its result; `None` if the result is missing or the command still runs.
    pub failed: Option<bool>,
    /// Whether it was not run, as somebody refused or canceled it.
    pub refused: bool,
    /// An error line, or a line that counts passes and failures; may be empty.
    pub detail: String,
    /// Whether the file is no longer at its path: deleted or moved.
    pub gone: bool,
    /// The operation on the file, if it is about one.
    pub op: Option<FileOp>,
}

/// The kind of a deed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeedKind {
    /// Changed, created, moved or deleted this file.
    Wrote(String),
    /// Read this file.
    Read(String),
    /// Ran a command.
    Ran {
        /// The command as a summary shows it: on one line, without preparing steps.
        shown: String,
        /// Whether it only looks.
        quiet: bool,
        /// Whether it runs tests.
        tests: bool,
        /// The command as given.
        command: String,
    },
    /// Called another tool; the text is that of a summary.
    Called(String),
    /// Rewrote the list of steps.
    Planned {
        /// Open steps.
        open: Vec<String>,
        /// Finished steps.
        done: Vec<String>,
    },
}

/// The deeds of the calls in these messages, in order.
pub fn deeds(messages: &[&Message<'_>]) -> Vec<Deed> {
    turns(messages, &[]).iter().flat_map(|turn| turn.acts.iter().flat_map(of_act)).collect()
}

/// All paths, with forward slashes, of files that calls moved, alone or with their folders: old and new ones.
pub fn moved_to(messages: &[&Message<'_>]) -> Vec<String> {
    let turns = turns(messages, &[]);
    let files = files(&turns, &folders_of(&turns));
    let moved = files.into_iter().filter(|file| file.from.is_some() || file.to.is_some());
    moved.map(|file| file.path.replace('\\', "/")).collect()
}

/// The paths, as calls spell them, of files that calls created and that later ones deleted.
pub fn created_and_deleted(messages: &[&Message<'_>]) -> HashSet<String> {
    history::created_and_deleted(&turns(messages, &[])).into_iter().collect()
}

/// Whether the effect of every call on files is known: it works on files, runs a command, plans, or only looks. Input
/// typed into a program can do anything.
pub fn calls_are_known(messages: &[&Message<'_>]) -> bool {
    let known = |part: &Part<'_>| match &part.kind {
        PartKind::Call { name, .. } => !matches!(Action::of(name, &part.text), Action::Other(_) | Action::Input),
        _ => true,
    };
    messages.iter().flat_map(|message| &message.parts).all(known)
}

fn of_act(act: &Act<'_>) -> Vec<Deed> {
    let (failed, detail) = match &act.outcome {
        CallOutcome::Unknown | CallOutcome::Running => (None, ""),
        CallOutcome::Ended => (Some(false), ""),
        CallOutcome::Done(detail) => (Some(false), detail.as_str()),
        CallOutcome::Failed(detail) => (Some(true), detail.as_str()),
        CallOutcome::Refused => (Some(true), ""),
    };
    let kinds = match &act.action {
        Action::Files(files) => files.iter().map(|(op, path)| of_file(*op, path)).collect(),
        // How far a failed command got is unknown; its file changes count only if it worked, and come before its test
        // run.
        Action::Run(command) => {
            let stays = |op: &FileOp| op.changes() && *op != FileOp::Deleted && failed == Some(false);
            let changed = act.files().iter().filter(|(op, _)| stays(op)).map(|(op, path)| of_file(*op, path));
            changed.chain([(of_command(command), None)]).collect()
        }
        Action::Plan(steps) => {
            let (done, open): (Vec<&Step>, Vec<&Step>) = steps.iter().partition(|step| step.is_closed());
            let texts = |steps: Vec<&Step>| steps.into_iter().map(|step| step.content.clone()).collect();
            vec![(DeedKind::Planned { open: texts(open), done: texts(done) }, None)]
        }
        Action::Other(shown) => vec![(DeedKind::Called(shown.clone()), None)],
        Action::Step(_) | Action::Input | Action::Quiet => Vec::new(),
    };
    let refused = act.outcome == CallOutcome::Refused;
    let gone = act.files().iter().any(|(op, _)| matches!(op, FileOp::Deleted | FileOp::Moved));
    let deed = |(kind, op)| {
        let gone = gone && op != Some(FileOp::Arrived);
        Deed { message: act.message, kind, failed, refused, detail: detail.to_owned(), gone, op }
    };
    kinds.into_iter().map(deed).collect()
}

fn of_file(op: FileOp, path: &str) -> (DeedKind, Option<FileOp>) {
    let path = path.to_owned();
    (if op == FileOp::Read { DeedKind::Read(path) } else { DeedKind::Wrote(path) }, Some(op))
}

fn of_command(command: &Command) -> DeedKind {
    let shown = command.shown();
    DeedKind::Ran {
        quiet: command.is_quiet(),
        tests: command.is_test(),
        shown: shown.to_owned(),
        command: command.to_string(),
    }
}
