//! Texts with the results of several calls, as an array of objects with the ids of their calls (LLaMA-Factory's rows).

use super::args::Args;
use serde_json::value::RawValue;

/// Start of such a text.
const START: &str = "[{\"tool_call_id\":";

/// The ids of the calls whose results are in a text; none for other texts.
pub(in crate::summary::extractive) fn answered(text: &str) -> Vec<String> {
    if !text.trim_start().starts_with(START) {
        return Vec::new();
    }
    // A long text may be cut.
    let quoted = |piece: &str| piece.trim_start().strip_prefix('"')?.split('"').next().map(str::to_owned);
    text.split(&START[1..]).skip(1).filter_map(quoted).collect()
}

/// The content of the only object of an array, and whether it has the id of its call.
pub(in crate::summary::extractive) fn only(text: &str) -> Option<(&str, Option<String>)> {
    let all: Vec<&RawValue> = serde_json::from_str(text).ok()?;
    let [one] = all[..] else { return None };
    let of_call = Args::read(one.get());
    let content = of_call.text(&["tool_call_id"]).is_some().then(|| of_call.text(&["content"]).unwrap_or_default());
    Some((one.get(), content))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_result_has_the_id_of_its_call() {
        let both = r#"[{"tool_call_id": "a", "content": "7"}, {"tool_call_id": "b", "content": "8"}]"#;
        assert_eq!((answered(both), only(both)), (vec!["a".to_owned(), "b".to_owned()], None));
        let one = r#"[{"tool_call_id":"a","content":"{}"}]"#;
        assert_eq!(only(one).and_then(|(_, content)| content).as_deref(), Some("{}"));
        assert_eq!(only(r#"[{"level":7}]"#), Some((r#"{"level":7}"#, None)));
        assert_eq!(answered(&both[..both.len() - 4]), answered(both), "cut");
        for other in ["7", "[]", r#"[{"level":7}]"#, r#"[{"tool_call_id":"#] {
            assert_eq!(answered(other), [""; 0], "{other}");
        }
    }
}
