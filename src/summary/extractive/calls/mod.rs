//! Determines what a single tool call does and how it ended.
//!
//! The input is the name, arguments and result of a call. The output is an `Act`: action, files and outcome. Each call
//! is read alone; `session` relates it to later ones.
//!
//! Actions:
//! - `acts`, `act`: a call as a whole; its action.
//! - `verbs`: the name of a tool.
//! - `args`, `skills`: JSON arguments; the Python functions of OpenHands.
//! - `shell`, `script`: what a shell command does with files; JavaScript that calls tools.
//! - `command`, `run`, `left_out`: the shown form of a shell command; steps that it leaves out, of which one failed.
//! - `quiet`: commands that only look.
//! - `compound`: loops and choices of a shell.
//! - `code_run`: code passed to an interpreter, and how commands are compared.
//! - `remote`: commands passed to tools for other machines, or for one program.
//! - `testing`, `narrower`: whether a command runs tests, and fewer than another one.
//! - `trials`: test runs on files that are put back; changes of git that stay.
//! - `delivery`: commits, pushes and what else hands work over.
//! - `delegates`: work delegated to other agents.
//! - `plan`: the steps of a plan.
//! - `replaced`: what a change of a file takes out and brings in.
//! - `reports`: calls that only say something to the user.
//! - `frame_line`: a call as one line of a frame.
//!
//! Decisions of the user:
//! - `replies`, `approved`, `refusal`: answers to questions; given, approved and rejected plans; refused calls.
//!
//! Outcomes:
//! - `outcome`: success, failure, or unknown, with the line that says so; the entry point of this group.
//! - `behind_commit`: the steps behind a commit that was made, where they failed.
//! - `absent`: files that a command was to print and that are not there.
//! - `shown_logs`: logs of others that a command shows behind what it does.
//! - `polled`: polls of a background task.
//! - `cut_short`: commands that the harness or the user ended.
//! - `output`: the output of a command, without what harnesses and shells add to it.
//! - `failing`: the failing tests that an output names.
//! - `footer`: verdict lines of test runners, builders and git.
//! - `diagnostics`: failures in an output whose status is hidden.
//! - `complaint`: the line that says what went wrong.
//! - `edits`: results of file changes.
//! - `stated`, `states`: results that are objects which state a failure or success; their words.
//! - `wrapped`, `of_many`: results inside others: in the field of an answer, in text blocks, of several calls.
//! - `records`: results that are lists of objects or tables, in a few columns.
//! - `shown`: the arguments of a call in its shown form.
//! - `of_servers`: results that are only the answer of a server that refuses.
//! - `truncated`: results that are objects whose end was cut off.
//! - `nothing`: results of lookups that found nothing.
//! - `count_words`: words beside counts of what passed or failed, and whether a number is one; `zeros`: lines that
//!   count no failures.

mod absent;
pub(super) mod act;
pub(super) mod acts;
pub(super) mod approved;
pub(super) mod args;
pub(super) mod behind_commit;
pub(super) mod code_run;
pub(super) mod command;
mod complaint;
mod compound;
mod count_words;
pub(super) mod cut_short;
pub(super) mod delegates;
pub(super) mod delivery;
pub(super) mod diagnostics;
mod edits;
pub(super) mod failing;
pub(super) mod footer;
pub(super) mod frame_line;
pub(super) mod left_out;
pub(super) mod narrower;
pub(super) mod nothing;
pub(super) mod of_many;
mod of_servers;
pub(super) mod outcome;
pub(super) mod output;
pub(super) mod plan;
mod polled;
pub(super) mod quiet;
pub(super) mod records;
mod refusal;
mod remote;
pub(super) mod replaced;
pub(super) mod replies;
pub(super) mod reports;
pub(super) mod run;
pub(super) mod script;
pub(super) mod shell;
pub(super) mod shown;
mod shown_logs;
mod skills;
pub(super) mod stated;
mod states;
pub(super) mod testing;
pub(super) mod trials;
mod truncated;
pub(super) mod verbs;
pub(super) mod wrapped;
mod zeros;
