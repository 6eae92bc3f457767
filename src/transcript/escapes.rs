//! Escapes that strict JSON readers refuse and JavaScript writes: halves of surrogate pairs.

use serde::de::DeserializeOwned;

/// Returns a JSON text with every lone half of a surrogate pair replaced by `\ufffd`; `None` if it has none.
fn without_lone_surrogates(json: &str) -> Option<String> {
    let (bytes, mut at) = (json.as_bytes(), 0);
    let mut whole: Option<String> = None;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr(b'\\', rest)) {
        at += found;
        at += match (unit(bytes, at), unit(bytes, at + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                whole.get_or_insert_with(|| json.to_owned()).replace_range(at..at + 6, "\\ufffd");
                6
            }
            _ => 2,
        };
    }
    whole
}

/// Parses a JSON text, though lone halves of surrogate pairs may be in it; `None` if it is no such JSON.
pub fn parsed<T: DeserializeOwned>(json: &str) -> Option<T> {
    serde_json::from_str(json).ok().or_else(|| serde_json::from_str(&without_lone_surrogates(json)?).ok())
}

/// The code unit that is escaped at a byte.
fn unit(bytes: &[u8], at: usize) -> Option<u16> {
    let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lone_halves_are_replaced() {
        let mended = |json: &str| without_lone_surrogates(json);
        assert_eq!(mended(r#""lamp \ud83d off \udca1""#).as_deref(), Some(r#""lamp \ufffd off \ufffd""#));
        assert_eq!(mended(r#""\ud83d\ud83d\udca1\n""#).as_deref(), Some(r#""\ufffd\ud83d\udca1\n""#));
        assert_eq!(mended(r#""\ud83d\udca1 \\ud83d \é""#), None);
        assert_eq!(mended(r"ends on \"), None);
        assert_eq!(parsed::<String>(r#""lamp \udca1""#).as_deref(), Some("lamp \u{fffd}"));
        assert_eq!(parsed::<String>(r#""lamp"#), None);
    }
}
