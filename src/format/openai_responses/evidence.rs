//! Distinguishes items of the Responses API from OpenAI's chat messages, and from Codex's records around such items.

use super::ITEMS;
use super::read::answers;
use crate::format::Sample;
use crate::format::detect::Evidence;
use crate::format::shared::json::{Json, Object};

/// Types of items other than messages, each with a key that it has.
const TYPES: &[(&str, &str)] = &[
    ("function_call", "call_id"),
    ("function_call_output", "call_id"),
    ("custom_tool_call", "call_id"),
    ("custom_tool_call_output", "call_id"),
    ("local_shell_call", "action"),
    ("local_shell_call_output", "output"),
    ("shell_call", "call_id"),
    ("shell_call_output", "call_id"),
    ("computer_call", "call_id"),
    ("computer_call_output", "call_id"),
    ("apply_patch_call", "call_id"),
    ("apply_patch_call_output", "call_id"),
    ("reasoning", "summary"),
    ("web_search_call", "id"),
    ("file_search_call", "queries"),
    ("code_interpreter_call", "code"),
    ("image_generation_call", "result"),
    ("mcp_list_tools", "server_label"),
    ("mcp_call", "server_label"),
    ("mcp_approval_request", "server_label"),
    ("mcp_approval_response", "approval_request_id"),
    ("item_reference", "id"),
    ("compaction", "encrypted_content"),
];

/// Types of the blocks in messages of this API.
const BLOCKS: [&str; 6] = ["input_text", "output_text", "input_image", "input_file", "input_audio", "refusal"];

/// Keys of chat messages, and of records that harnesses store.
const OTHERS: [&str; 7] = ["tool_calls", "tool_call_id", "function_call", "payload", "message", "parts", "ts"];

/// Fields that only requests and responses of this API have.
const REQUEST: [&str; 3] = ["instructions", "previous_response_id", "max_output_tokens"];

/// How many items of a request are examined.
const LOOKED_AT: usize = 40;

/// Returns the evidence that a file is of this format.
pub(super) fn evidence(sample: &Sample<'_>) -> Option<Evidence> {
    let records = sample.elements.as_deref().unwrap_or(&sample.records);
    let why = if ITEMS.are_messages(sample) && records.iter().any(is_clear) {
        "items of OpenAI's Responses API: `type` with `call_id`, `summary` or blocks of its kinds"
    } else if sample.most_rows(is_request) {
        "items of OpenAI's Responses API in `input`"
    } else {
        return None;
    };
    Some(Evidence::certain(why))
}

/// Whether an object is an item: of this API alone, or a message that other APIs have as well.
pub(super) fn is_item(record: &Object<'_>) -> bool {
    if OTHERS.iter().any(|key| record.has(key)) {
        return false;
    }
    let kind = record.text("type");
    let is_message = kind.is_none() || kind.is_some_and(|kind| kind == "message");
    let role = record.text("role").unwrap_or_default();
    let speaks = is_message && ["user", "assistant", "system", "developer"].contains(&&*role);
    let own = || blocks(record).is_some_and(|blocks| blocks.iter().all(is_own));
    is_clear(record) || speaks && (record.text("content").is_some() || own())
}

/// Whether an object can only be an item of this API.
fn is_clear(record: &Object<'_>) -> bool {
    let kind = record.text("type").unwrap_or_default();
    let own = || blocks(record).is_some_and(|blocks| !blocks.is_empty() && blocks.iter().all(is_own));
    let typed = || TYPES.iter().any(|(name, key)| *name == kind && record.has(key));
    let says = kind == "message" && record.has("role") && own();
    (says || typed()) && !OTHERS.iter().any(|key| record.has(key))
}

fn blocks<'a>(record: &Object<'a>) -> Option<Vec<Object<'a>>> {
    Some(record.array("content")?.into_iter().filter_map(Json::object).collect())
}

fn is_own(block: &Object<'_>) -> bool {
    block.text("type").is_some_and(|kind| BLOCKS.contains(&&*kind))
}

/// Whether an object is a request whose `input` holds items, with or without its response.
pub(super) fn is_request(row: &Object<'_>) -> bool {
    let Some(input) = row.array("input").filter(|input| !input.is_empty()) else { return false };
    let input = objects(input);
    let most = 2 * input.iter().filter(|item| is_item(item)).count() >= input.len();
    let clear = || input.iter().any(is_clear) || objects(answers(row)).iter().any(is_clear);
    let named = || REQUEST.iter().any(|key| row.has(key)) || row.is("object", "response");
    most && !row.has("messages") && !row.has("type") && (clear() || named())
}

/// The fields of the first items.
fn objects(items: Vec<Json<'_>>) -> Vec<Object<'_>> {
    items.into_iter().take(LOOKED_AT).map(|item| item.object().unwrap_or_default()).collect()
}
