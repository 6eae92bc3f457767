//! Loaders that rebuild what a harness would send to its model, one per harness, from raw JSON alone.

mod claude_code;
mod codex;
mod gemini_cli;
mod opencode;
mod openhands;
mod pi;

use serde_json::Value;
use std::collections::HashSet;

/// One thing that is loaded.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    /// What tells it from all others: its id, or all that it says.
    pub(crate) key: String,
    /// All that it says.
    pub(crate) text: String,
}

/// How one harness loads.
pub(crate) struct Loader {
    /// The format, and the folder of its samples.
    pub(crate) format: &'static str,
    /// From the bytes of a session to what is loaded, in order.
    pub(crate) load: fn(&[u8]) -> Vec<Item>,
}

/// All loaders.
pub(crate) fn loaders() -> Vec<Loader> {
    vec![
        Loader { format: "claude-code", load: claude_code::load },
        Loader { format: "codex", load: codex::load },
        Loader { format: "pi", load: pi::load },
        Loader { format: "gemini-cli", load: gemini_cli::load },
        Loader { format: "opencode", load: opencode::load },
        Loader { format: "openhands", load: openhands::load },
    ]
}

/// The records of a file of lines; what can't be read is passed over, as harnesses do.
fn records(bytes: &[u8]) -> Vec<Value> {
    let text = String::from_utf8_lossy(bytes);
    text.trim_start_matches('\u{feff}').lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// All that is stored: records, and what is in them where they wrap it.
pub(crate) fn stored(bytes: &[u8]) -> HashSet<String> {
    let document = serde_json::from_slice::<Value>(bytes).ok();
    let members = document.as_ref().and_then(|value| value.as_array().or(value["messages"].as_array())).cloned();
    let records = members.unwrap_or_else(|| records(bytes));
    records.iter().flat_map(|record| [record.to_string(), record["payload"].to_string()]).collect()
}

/// A string below a record, by its path.
fn text<'v>(value: &'v Value, path: &str) -> Option<&'v str> {
    value.pointer(path)?.as_str()
}

fn item(key: &str, value: &Value) -> Item {
    Item { key: key.to_owned(), text: value.to_string() }
}
