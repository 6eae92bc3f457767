//! The usage that an answer of OpenAI's API states.

use super::super::shared::json::Object;
use crate::transcript::{Tokens, Usage};

/// The usage stated by an OpenAI answer.
pub(crate) fn usage(usage: &Object<'_>) -> Option<Usage> {
    usage_by(usage, ["prompt_tokens", "prompt_tokens_details", "completion_tokens"])
}

/// Like [`usage`], with other keys for input, its details, and output.
pub(in crate::format) fn usage_by(usage: &Object<'_>, [input, details, output]: [&str; 3]) -> Option<Usage> {
    let input = usage.whole(input)?;
    let details = usage.object(details).unwrap_or_default();
    let cached = details.whole("cached_tokens").unwrap_or_default().min(input);
    Some(Usage {
        input: Tokens(input - cached),
        cache_read: Tokens(cached),
        cache_write: Tokens(0),
        output: Tokens(usage.whole(output).unwrap_or_default()),
    })
}
