//! Code that several formats use.
//!
//! JSON and its positions in the source:
//! - `json`: values accessed one level at a time; each one knows its span in the source;
//! - `json_level`: splits one level into its fields or elements, for `json`;
//! - `array`: drops and inserts members of an array or object, and keeps the commas correct;
//! - `document`: one JSON value that holds one conversation: its records, edits and counters;
//! - `elements`: a file that is an array, or an object that holds one, with one transcript per element.
//!
//! Lines and records:
//! - `lines`: the spans and numbers of the lines of a file;
//! - `new`: new lines and new members, with their places;
//! - `record_lines`: lines as records, and the edit script applied to them;
//! - `session_lines`: fields of a record, tool names of results, exports, and copies for a user interface;
//! - `several`: files that hold several sessions;
//! - `links`: chains of records that each name their parent, and the faults in them;
//! - `chain`: lists of messages that each name the one they follow, after an edit;
//! - `tree`: conversations as trees of nodes, their faults and edits;
//! - `mending`: repairs messages without content and dangling parents.
//!
//! Training rows and API messages:
//! - `rows`: lines, elements or documents with a conversation in one of their fields;
//! - `held`: messages in a field of a request (with the system prompt beside them), as a bare array, or one per line;
//! - `message_columns`: columns with one entry per message;
//! - `tied_columns`: lists that go with messages in another way;
//! - `weights`: how much is learned from a message, as it states;
//! - `media_columns`: columns with one entry per image, video or audio in the messages;
//! - `speakers`: maps speaker names to roles, and picks the names for new messages;
//! - `dialects`: calls and results in the form of another format;
//! - `closing`: a system prompt in one string, with an earlier summary at its end.
//!
//! Parts of messages:
//! - `slot`: builds parts with their slots: their positions in the source, and what can be replaced there;
//! - `untyped`: content in no interface's form, read as it is written;
//! - `answered_inside`: calls that are stored with their results, and may have the id of another;
//! - `server_tools`: calls that the provider answers in the same message;
//! - `part_edits`: stubs, excerpts and removed parts;
//! - `gemini_parts`: parts of Gemini's API;
//! - `response_items`: items of OpenAI's Responses API.
//!
//! Structure written as text:
//! - `call_text`: calls written as JSON;
//! - `call_tags`: calls written as tags;
//! - `call_markers`: calls behind the marker of a chat template;
//! - `inline_runs`: calls and their results in one text of the model;
//! - `swe_commands`: the commands of SWE-agent;
//! - `actions`: actions in a model's text, and the observations returned as user messages;
//! - `react`: actions that a text labels, as the prompts of ReAct ask for;
//! - `json_actions`: actions in an object that fills a text;
//! - `reports`: what an environment reports as a user behind calls that are no text;
//! - `harness_texts`: texts of harnesses in user messages, recognized by their wording;
//! - `synthetic`: earlier summaries and continuations, recognized by their wording;
//! - `marks`: the keys that say of a message that epitome added it.

pub(super) mod actions;
pub(super) mod answered_inside;
pub(super) mod array;
pub(super) mod call_markers;
pub(super) mod call_tags;
pub(super) mod call_text;
pub(super) mod chain;
pub(super) mod closing;
pub(super) mod dialects;
pub(super) mod document;
pub(super) mod elements;
pub(super) mod gemini_parts;
pub(super) mod harness_texts;
pub(super) mod held;
pub mod inline_runs;
pub mod json;
mod json_actions;
mod json_level;
pub mod lines;
pub(super) mod links;
pub(super) mod marks;
pub(super) mod media_columns;
pub(super) mod mending;
pub(super) mod message_columns;
pub(super) mod new;
pub(super) mod part_edits;
mod react;
pub(super) mod record_lines;
mod reports;
pub(super) mod response_items;
pub(super) mod rows;
pub(super) mod server_tools;
pub(super) mod session_lines;
pub(super) mod several;
pub(super) mod slot;
pub(super) mod speakers;
pub(super) mod swe_commands;
pub(super) mod synthetic;
mod tied_columns;
pub(super) mod tree;
pub(super) mod untyped;
pub(super) mod weights;
