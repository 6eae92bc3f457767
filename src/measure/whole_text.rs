//! All that messages say, as one text: texts, calls and reasoning, and the folders and branches of the session.

use crate::facts::values;
use crate::transcript::{Message, Part, PartKind, Status};
use std::collections::BTreeSet;

/// Bytes for the name of a tool, with the ends of lines.
const NAME: usize = 16;

/// The text of these messages, of a session in these folders.
pub(super) fn whole_text(messages: &[&Message<'_>], folders: &[String]) -> String {
    let branches: BTreeSet<&str> = messages.iter().filter_map(|message| message.branch.as_deref()).collect();
    let parts = || messages.iter().flat_map(|message| &message.parts);
    let mut text = String::with_capacity(parts().map(size).sum());
    folders.iter().map(String::as_str).chain(branches).for_each(|name| text.extend([name, "\n"]));
    parts().for_each(|part| add(&mut text, part));
    text
}

/// About the bytes that a part adds: the arguments of a call are there as they are stored, and as they are read.
fn size(part: &Part<'_>) -> usize {
    match part.kind {
        PartKind::Call { .. } => 2 * part.text.len() + NAME,
        _ => part.text.len() + 1,
    }
}

/// Adds what a part says, each on lines of its own.
fn add(text: &mut String, part: &Part<'_>) {
    if let PartKind::Call { name, .. } = &part.kind {
        let told = values(&part.text);
        text.extend([name, "\n", &told, "\n"]);
        // Arguments may be JSON in strings.
        if told.contains("\\\\") {
            text.extend([&*told.replace("\\\\", "\\"), "\n"]);
        }
    }
    text.extend([&*part.text, "\n"]);
    // Some formats store the exit status apart from the output.
    if let Some(Status::Exit(code)) = part.status {
        text.push_str(&format!("exit code {code}\n"));
    }
}
