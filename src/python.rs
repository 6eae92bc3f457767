//! Values as Python writes them: what tools written in it print, and arguments of calls in code.

use serde_json::value::RawValue;
use std::borrow::Cow;

/// Words of Python, and of JSON.
const WORDS: [(&str, &str); 3] = [("True", "true"), ("False", "false"), ("None", "null")];

/// An object as JSON; `None` if the text begins with none, or has other values than JSON.
pub(crate) fn json(text: &str) -> Option<Cow<'_, str>> {
    if !text.starts_with("{'") {
        return text.starts_with('{').then_some(Cow::Borrowed(text));
    }
    value(text).map(Cow::Owned)
}

/// A value as JSON, with tuples as lists; `None` if it has parts of which JSON has none, such as sets.
pub(crate) fn value(text: &str) -> Option<String> {
    let (mut json, mut open, mut rest) = (String::with_capacity(text.len()), Vec::new(), text);
    while let Some(at) = rest.find(['\'', '"']) {
        let (string, behind) = literal(&rest[at..])?;
        spell(&rest[..at], &mut json, &mut open)?;
        json += &serde_json::to_string(&string).ok()?;
        rest = behind;
    }
    spell(rest, &mut json, &mut open)?;
    serde_json::from_str::<&RawValue>(&json).is_ok().then_some(json)
}

/// Adds what stands between strings, spelled as JSON: tuples are lists, and no comma ends a list. `open` has the
/// brackets that are open, and whether a comma came behind each.
fn spell(piece: &str, json: &mut String, open: &mut Vec<(char, bool)>) -> Option<()> {
    let piece = WORDS.iter().fold(piece.to_owned(), |piece, (python, own)| piece.replace(python, own));
    for sign in piece.chars() {
        match sign {
            '(' | '[' | '{' => {
                open.push((sign, false));
                json.push(if sign == '(' { '[' } else { sign });
            }
            ')' | ']' | '}' => {
                let (_, commas) =
                    open.pop().filter(|(begin, _)| matches!((begin, sign), ('(', ')') | ('[', ']') | ('{', '}')))?;
                if let Some(kept) = json.trim_end().strip_suffix(',').map(str::len) {
                    json.truncate(kept);
                }
                // Brackets around a single value are no tuple.
                if sign == ')' && !commas && !json.ends_with('[') {
                    return None;
                }
                json.push(if sign == ')' { ']' } else { sign });
            }
            _ => {
                if let Some((_, commas)) = open.last_mut().filter(|_| sign == ',') {
                    *commas = true;
                }
                json.push(sign);
            }
        }
    }
    Some(())
}

/// The value of the string that a text begins with, and what is behind it.
fn literal(text: &str) -> Option<(String, &str)> {
    let mut signs = text.chars();
    let (quote, mut value) = (signs.next()?, String::new());
    loop {
        match signs.next()? {
            end if end == quote => return Some((value, signs.as_str())),
            '\\' => {
                let sign = signs.next()?;
                let digits = match sign {
                    'x' => 2,
                    'u' => 4,
                    'U' => 8,
                    _ => 0,
                };
                let (code, behind) = signs.as_str().split_at_checked(digits)?;
                match sign {
                    'n' => value.push('\n'),
                    't' => value.push('\t'),
                    'r' => value.push('\r'),
                    'x' | 'u' | 'U' => value.push(char::from_u32(u32::from_str_radix(code, 16).ok()?)?),
                    '\\' | '\'' | '"' => value.push(sign),
                    // Python keeps the sign of an escape that it does not know.
                    other => value.extend(['\\', other]),
                }
                signs = behind.chars();
            }
            sign => value.push(sign),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{json, value};

    #[test]
    fn an_object_of_python_is_one_of_json() {
        assert_eq!(json("{'level': 7, 'lit': True}").as_deref(), Some(r#"{"level": 7, "lit": true}"#));
        assert_eq!(json(r#"{"level": 7}"#).as_deref(), Some(r#"{"level": 7}"#));
        assert_eq!(json("{'of': 'a: None'}").as_deref(), Some(r#"{"of": "a: None"}"#));
        assert_eq!(
            json(r#"{'of': 'a\n\'b\' \\ \xe9', "it's": "dark"}"#).as_deref(),
            Some(r#"{"of": "a\n'b' \\ é", "it's": "dark"}"#)
        );
        assert_eq!(json(r#"{'of': 'a "b"'}"#).as_deref(), Some(r#"{"of": "a \"b\""}"#));
        for other in ["{'of': 'the keeper's'}", r"{'of': '\xé'}", "{'of': (1)}", "level 7", "['level']"] {
            assert_eq!(json(other), None, "{other}");
        }
    }

    #[test]
    fn any_value_of_python_is_one_of_json() {
        for (python, own) in [
            ("[True, False]", "[true, false]"),
            ("{'port': ['north', None], \"lit\": True}", r#"{"port": ["north", null], "lit": true}"#),
            (r"['\d+']", r#"["\\d+"]"#),
            ("None", "null"),
            ("(1, ('a',), (), [2, ], {'of': 3,})", r#"[1, ["a"], [], [2], {"of": 3}]"#),
            ("{'of': ',]'}", r#"{"of": ",]"}"#),
        ] {
            assert_eq!(value(python).as_deref(), Some(own), "{python}");
        }
        for other in ["{1, 2}", "[at]", "['a' 'b'", "(1)", "(1, 2]", "[1, 2"] {
            assert_eq!(value(other), None, "{other}");
        }
    }
}
