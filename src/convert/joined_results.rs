//! Results of calls made at once that stand in one text: between the tags that trainers use, or as a list in JSON.
//!
//! Only a conversion separates them: since the text is not written back, the results need no byte ranges of their own.

use crate::format::RESULT_TAGS;
use crate::format::json::Json;
use std::borrow::Cow;

/// Separator of results, if the first has no opening and the last no closing tag.
pub const BETWEEN: &str = "\n</tool_response>\n<tool_response>\n";

/// The texts of this many results in one, in order; `None` if it is not made of as many. A single result is what
/// stands between its tags.
pub fn parted(text: &str, count: usize) -> Option<Vec<Cow<'_, str>>> {
    let texts = tagged(text).unwrap_or_else(|| text.split(BETWEEN).collect());
    (texts.len() == count).then(|| texts.into_iter().map(Cow::Borrowed).collect())
}

/// The entries of a list in JSON that has this many.
pub fn listed(text: &str, count: usize) -> Option<Vec<Cow<'_, str>>> {
    let listed = Json::parse(text.trim()).ok()?.array()?;
    (count > 1 && listed.len() == count).then(|| listed.into_iter().map(Json::spelled).collect())
}

/// The texts between tags, if the text consists of tagged results only, as in Hermes datasets.
fn tagged(text: &str) -> Option<Vec<&str>> {
    let (mut texts, mut rest) = (Vec::new(), text.trim());
    while !rest.is_empty() {
        let (inside, behind) = rest.strip_prefix(RESULT_TAGS[0])?.split_once(RESULT_TAGS[1])?;
        let inside = inside.strip_prefix('\n').unwrap_or(inside);
        texts.push(inside.strip_suffix('\n').unwrap_or(inside));
        rest = behind.trim_start();
    }
    (!texts.is_empty()).then_some(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_results_as_calls_are_told_apart() {
        let told = |text: &str, count: usize| parted(text, count).map(|texts| texts.join("|"));
        let tags = "<tool_response>\nebb\n</tool_response>\n<tool_response>9</tool_response>";
        assert_eq!((told(tags, 2).as_deref(), told(tags, 1)), (Some("ebb|9"), None));
        assert_eq!(told("<tool_response>\nebb\n</tool_response>", 1).as_deref(), Some("ebb"));
        assert_eq!(told(&format!("ebb{BETWEEN}9"), 2).as_deref(), Some("ebb|9"));
        assert_eq!((told("[1]", 1).as_deref(), told("both", 2), told("[1, 2]", 2)), (Some("[1]"), None, None));
        let told = |text: &str, count: usize| listed(text, count).map(|texts| texts.join("|"));
        assert_eq!(told(r#"[{"tide": "ebb"}, "9"]"#, 2).as_deref(), Some(r#"{"tide": "ebb"}|9"#));
        assert_eq!((told("[1, 2, 3]", 2), told("[1]", 1), told("both", 2)), (None, None, None));
    }
}
