//! OpenAI chat messages, shared by the formats that store them one a line or one conversation a line.

mod content;
mod evidence;
mod faults;
mod read;
mod render;

pub(super) use content::{fixed, part, parts, result};
pub(super) use evidence::{anthropic_evidence, chat_evidence, message_evidence};
pub(super) use faults::faults;
pub(super) use read::Reader;
pub(super) use render::{marks, new_messages};
