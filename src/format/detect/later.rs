//! Rows that only later ones tell apart: `conversations` with `role` and `content` are ShareGPT's if no row has calls,
//! and OpenAI's messages if one does.

use super::{Detected, Evidence, LINES, Sample};
use crate::format::shared::json::Object;
use crate::format::shared::lines;
use crate::format::{by_name, openai, sharegpt};
use memchr::memmem;

/// Keys of which a row with calls or results has one.
const KEYS: [&[u8]; 3] = [b"\"tool_calls\"", b"\"tool_call_id\"", b"\"function_call\""];

/// The format of a file whose first rows are of the format `found`, if a row behind them, as far as `bytes` go, shows
/// that it is another one. Only lines that have one of the keys are parsed.
pub(super) fn decided(found: Detected, sample: &Sample<'_>, bytes: &[u8]) -> Detected {
    let is_open = found.name == "sharegpt" && !sample.records.is_empty() && !sample.any(sharegpt::is_named);
    let called = |line: lines::Line| {
        let line = bytes.get(line.span).filter(|line| KEYS.iter().any(|key| memmem::find(line, key).is_some()));
        let row = line.and_then(|line| std::str::from_utf8(line).ok()).and_then(Object::parse);
        row.is_some_and(|row| openai::has_calls(&row) && !sharegpt::is_named(&row))
    };
    if !is_open || !lines::lines(bytes).skip(LINES).any(called) {
        return found;
    }
    let why = "`conversations` of messages with `role`, and calls of OpenAI's in a later row";
    let format = by_name("openai-chat");
    let evidence = Evidence::certain(why);
    let layout = found.layout;
    format.map_or(found, |format| Detected { name: format.name(), format: Some(format), evidence, layout })
}
