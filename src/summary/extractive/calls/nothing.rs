//! Results of lookups that found nothing: an empty list or object.

use serde_json::Value;

/// Maximum length of such a result, in bytes.
const LONGEST: usize = 400;
/// Values that only say that the call worked.
const WELL: [&str; 4] = ["ok", "success", "successful", "succeeded"];

/// Whether a result has nothing but empty lists and objects: `[]`, `{"ferries": [], "count": 0}`.
pub(in crate::summary::extractive) fn is_nothing(result: &str) -> bool {
    let text = result.trim();
    text.len() <= LONGEST
        && text.starts_with(['[', '{'])
        && serde_json::from_str::<Value>(text).is_ok_and(|value| is_empty(&value))
}

/// Whether a value is an empty list or object, or an object with such a field and no other that says anything.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) if fields.is_empty() => true,
        Value::Object(fields) => {
            fields.values().any(is_empty) && fields.values().all(|value| is_empty(value) || is_plain(value))
        }
        Value::String(text) => is_nothing(text),
        _ => false,
    }
}

/// Whether a value says nothing beside an empty list.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) => true,
        Value::Number(number) => matches!(number.as_u64(), Some(0 | 1 | 200)),
        Value::String(text) => text.trim().is_empty() || WELL.contains(&&*text.to_lowercase()),
        Value::Array(_) | Value::Object(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_nothing;

    #[test]
    fn only_empty_lists_and_objects_are_nothing() {
        for nothing in
            ["[]", " {} ", r#"{"ferries": [], "count": 0, "ok": true}"#, r#"{"error": "", "response": "[]"}"#]
        {
            assert!(is_nothing(nothing), "{nothing}");
        }
        for some in ["", "[0]", r#"{"ok": true}"#, r#"{"ferries": [], "next": "tomorrow"}"#, r#"[{"lamp": []}]"#] {
            assert!(!is_nothing(some), "{some}");
        }
    }
}
