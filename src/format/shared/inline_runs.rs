//! A whole run in one text of the model: its words, calls between tags, what came of them, and so on.

use super::actions;
use super::call_text::{self, CALL_TAGS, RESULT_TAGS};

/// Splits a text in which words with calls, and as many results, alternate: every second piece holds results, and words
/// may end it. `None` for any other text.
pub fn pieces(text: &str) -> Option<Vec<&str>> {
    let (mut pieces, mut rest) = (Vec::new(), text);
    while let Some(at) = rest.find(RESULT_TAGS[0]) {
        let (said, behind) = rest.split_at(at);
        let (_, calls) = call_text::bare(said).filter(|_| said.trim_end().ends_with(CALL_TAGS[1]))?;
        let (results, count) = results(behind)?;
        // A result that quotes the closing tag does not end there.
        if count != calls.len() || said.contains(RESULT_TAGS[1]) {
            return None;
        }
        pieces.extend([said.trim(), results]);
        rest = &behind[results.len()..];
    }
    let words = rest.trim();
    pieces.extend((!words.is_empty()).then_some(words));
    let is_open = words.contains(CALL_TAGS[0]) || words.contains(RESULT_TAGS[1]);
    (pieces.len() > 1 && !is_open).then_some(pieces)
}

/// The results that a text begins with, and their number.
fn results(text: &str) -> Option<(&str, usize)> {
    let (mut end, mut count) = (0, 0);
    loop {
        let rest = &text[end..];
        let blank = rest.len() - rest.trim_start().len();
        let Some(inside) = rest.trim_start().strip_prefix(RESULT_TAGS[0]) else { break };
        let (closed, _) = inside.split_once(RESULT_TAGS[1])?;
        end += blank + RESULT_TAGS[0].len() + closed.len() + RESULT_TAGS[1].len();
        count += 1;
    }
    (count > 0).then_some((&text[..end], count))
}

/// Whether a text has calls that are more than shown.
pub fn calls(text: &str) -> bool {
    actions::functions(text).is_some() || call_text::bare(text).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALL: &str = "<tool_call>\n{\"name\":\"tide\",\"arguments\":{}}\n</tool_call>";
    const SEEN: &str = "<tool_response>\nebb\n</tool_response>";

    #[test]
    fn words_with_calls_and_as_many_results_alternate() {
        let text = format!("I look.\n{CALL}\n{SEEN}\nOnce more.\n{CALL}\n{CALL}\n{SEEN}\n{SEEN}\nIt is ebb.");
        let said = [format!("I look.\n{CALL}"), format!("Once more.\n{CALL}\n{CALL}")];
        let two = format!("{SEEN}\n{SEEN}");
        assert_eq!(pieces(&text), Some(vec![&*said[0], SEEN, &*said[1], &*two, "It is ebb."]));
        assert_eq!(pieces(&format!("{CALL}{SEEN}")), Some(vec![CALL, SEEN]));
    }

    #[test]
    fn other_texts_stay_whole() {
        for text in [
            "It is ebb.".to_owned(),
            format!("It was {SEEN}"),
            format!("{CALL}\n{SEEN}\n{SEEN}"),
            format!("{CALL}\n{SEEN}\n{CALL}"),
            format!("{CALL} so {SEEN}"),
            format!("`{CALL}`\n{SEEN}"),
            format!("{CALL}\n<tool_response>ebb"),
            format!("{CALL}\n<tool_response>a </tool_response> is a tag\n</tool_response>\nIt is."),
            format!("{CALL}\n<tool_response>a </tool_response> ends\n</tool_response>\n{CALL}\n{SEEN}"),
        ] {
            assert_eq!(pieces(&text), None, "{text}");
        }
    }
}
