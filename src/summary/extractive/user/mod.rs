//! Extracts the user's own words from user messages, without text added by a harness, a web page or a program.
//!
//! The input is a user message as stored. The output is the request in the user's words.
//!
//! - `tags`: removes the tags of a harness.
//! - `briefs`, `approvals`, `templates`, `pasted`, `terminal`: recognize prompts wrapped around a task or an action to
//!   be judged, prompts expanded from a file, and pasted web pages and screens of a shell.
//! - `logs`: requests that are nothing but a log; `checklists`: questions behind a pasted checklist.
//! - `material`, `informed`, `asked_about`, `code`, `reviews`, `printed`, `numbered`: find texts to work on (a mail, an
//!   essay), texts to take note of, messages that the user asks about, pasted code, reviews, and the output of programs.
//! - `asked`, `few_words`, `apart`, `more`: the words that begin a turn, how much of them is quoted, where something is
//!   left out, and what is told where there is room.
//! - `requests`, `media`: whether words are a request; the media that one shows, and attached files named before it.
//! - `marks`, `referents`: what “do 2” and “yes” refer to in the agent's words; `options`: those that a quiz brings.
//! - `retracted`, `withdrawn`, `reopened`, `replaced`, `permitted`, `amended`, `outlived`, `all_work`: requests, rules,
//!   bans on changes to one thing, limits, wishes and bans on all work that the user later takes back, eases or puts
//!   right.
//! - `detailed`: what a specification says of one function or file.
//! - `parts`, `ruled`, `tasks`, `premises`: the sections of a brief that say what is wanted, that hold rules, that list
//!   what is to be done, and that only describe; `kept_in_mind`: lists that the agent is to remember.
//! - `closing`: thanks and goodbyes; `by_user`: commands that the user ran.

pub(super) mod all_work;
pub(super) mod amended;
mod apart;
mod approvals;
pub(super) mod asked;
mod asked_about;
mod briefs;
pub(super) mod by_user;
mod checklists;
pub(super) mod closing;
pub(super) mod code;
mod detailed;
mod few_words;
mod informed;
mod kept_in_mind;
mod logs;
mod marks;
mod material;
pub(super) mod media;
mod more;
mod numbered;
mod options;
pub(super) mod outlived;
pub(super) mod parts;
mod pasted;
mod permitted;
mod premises;
pub(super) mod printed;
pub(super) mod referents;
mod reopened;
mod replaced;
pub(super) mod requests;
mod retracted;
mod reviews;
mod ruled;
pub(super) mod tags;
mod tasks;
mod templates;
mod terminal;
pub(super) mod withdrawn;
