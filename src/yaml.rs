//! Objects as YAML writes them in blocks, and as lines `Key: value` below a heading: tools answer with both. No parser of
//! YAML reads them, as it takes any text for a scalar and reads values anew: `007` and `no` must stay as they are written.

use std::iter::Peekable;
use std::slice::Iter;

/// Maximum size of a text that is read, in bytes, and maximum depth of its objects and lists.
const LARGEST: usize = 64 << 10;
const DEPTH: usize = 8;
/// Least number of fields, and maximum lengths in bytes of a key and of a value in lines `Key: value`.
const FEWEST: usize = 2;
const KEY: usize = 40;
const VALUE: usize = 120;
/// Maximum number of words of such a key.
const WORDS: usize = 4;
/// Labels that a text begins with which is no list of fields.
const LABELS: [&str; 12] =
    ["title", "url", "link", "source", "note", "error", "warning", "exit code", "output", "usage", "http", "https"];

/// A line: its indent, and the text behind it.
type Line<'t> = (usize, &'t str);
type Lines<'l, 't> = Peekable<Iter<'l, Line<'t>>>;

/// An object as JSON, if the whole text is one in YAML or has only lines of fields; `None` for any other text.
pub(crate) fn json(text: &str) -> Option<String> {
    if text.len() > LARGEST || text.trim_start().starts_with(['{', '[', '<', '#', '`', '|']) {
        return None;
    }
    block(text).or_else(|| labeled(text))
}

/// The keys of such an object, at any depth, that are names of fields; empty for any other text.
pub(crate) fn keys(text: &str) -> Vec<&str> {
    if json(text).is_none() {
        return Vec::new();
    }
    // `BILL-12: paid` is about a thing.
    let is_name = |key: &&str| {
        let of_thing =
            key.bytes().any(|byte| byte.is_ascii_digit()) && !key.bytes().any(|byte| byte.is_ascii_lowercase());
        !key.contains(['-', '.']) && !of_thing
    };
    let own = |line| Some(field(str::trim_start_matches(line, [' ', '-']))?.0);
    text.lines().filter_map(own).filter(is_name).collect()
}

/// An object in YAML.
fn block(text: &str) -> Option<String> {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let all: Vec<Line<'_>> = text.trim().lines().map(|line| (indent(line), line.trim())).collect();
    let is_label = |key: &str| key.starts_with(char::is_uppercase) && LABELS.contains(&&*key.to_lowercase());
    if all.iter().any(|(at, own)| *at == 0 && own.split_once(": ").is_some_and(|(key, _)| is_label(key))) {
        return None;
    }
    let mut lines = all.iter().peekable();
    let object = mapping(&mut lines, None, 0, DEPTH)?;
    (lines.next().is_none() && !object.is_empty())
        .then(|| format!("{{{}}}", object.join(",")))
        .filter(|_| object.len() >= FEWEST || text.trim().contains('\n'))
}

/// The fields of an object at an indent; `first` is a field that a list's dash stood before.
fn mapping<'t>(lines: &mut Lines<'_, 't>, first: Option<&'t str>, indent: usize, depth: usize) -> Option<Vec<String>> {
    let (mut fields, mut seen, mut next) = (Vec::new(), Vec::new(), first);
    depth.checked_sub(1)?;
    loop {
        let own = match next.take() {
            Some(own) => own,
            None => {
                while lines.next_if(|(_, text)| text.is_empty()).is_some() {}
                match lines.next_if(|(at, text)| *at == indent && !is_item(text)) {
                    Some((_, own)) => own,
                    None => return Some(fields),
                }
            }
        };
        let (key, said) = field(own)?;
        // An object has each key once; lines of a log do not.
        if seen.contains(&key) {
            return None;
        }
        seen.push(key);
        fields.push(format!("{}:{}", serde_json::to_string(key).ok()?, value(lines, said, indent, depth)?));
    }
}

/// The value that begins behind a key or a dash at an indent.
fn value(lines: &mut Lines<'_, '_>, said: &str, indent: usize, depth: usize) -> Option<String> {
    match said.chars().next() {
        None => below(lines, indent, depth),
        Some(mark @ ('\'' | '"')) => quoted(lines, said, mark),
        Some('|' | '>') if said.len() <= 2 => text(&deeper(lines, indent).join("\n")),
        _ => {
            let rest = deeper(lines, indent);
            if rest.is_empty() { scalar(said) } else { text(&format!("{said} {}", rest.join(" "))) }
        }
    }
}

/// The list or object below a key.
fn below(lines: &mut Lines<'_, '_>, indent: usize, depth: usize) -> Option<String> {
    while lines.next_if(|(_, text)| text.is_empty()).is_some() {}
    match lines.peek().copied() {
        Some((at, text)) if *at >= indent && is_item(text) => list(lines, *at, depth.checked_sub(1)?),
        Some((at, _)) if *at > indent => {
            Some(format!("{{{}}}", mapping(lines, None, *at, depth.checked_sub(1)?)?.join(",")))
        }
        _ => Some("null".to_owned()),
    }
}

/// The items of a list at an indent.
fn list(lines: &mut Lines<'_, '_>, indent: usize, depth: usize) -> Option<String> {
    let mut items = Vec::new();
    while let Some((_, own)) = lines.next_if(|(at, text)| *at == indent && is_item(text)) {
        let said = own[1..].trim_start();
        let inner = indent + own.len() - said.len();
        items.push(match field(said).filter(|_| !said.starts_with(['"', '\''])) {
            Some(_) => format!("{{{}}}", mapping(lines, Some(said), inner, depth)?.join(",")),
            None => value(lines, said, indent, depth)?,
        });
        while lines.next_if(|(_, text)| text.is_empty()).is_some() {}
    }
    Some(format!("[{}]", items.join(",")))
}

fn is_item(text: &str) -> bool {
    text == "-" || text.starts_with("- ")
}

/// The lines that are indented deeper, and those without a word between them.
fn deeper<'t>(lines: &mut Lines<'_, 't>, indent: usize) -> Vec<&'t str> {
    let mut all = Vec::new();
    while let Some((_, own)) = lines.next_if(|(at, text)| *at > indent || text.is_empty()) {
        all.push(*own);
    }
    while all.last().is_some_and(|last| last.is_empty()) {
        all.pop();
    }
    all
}

/// A text in quotes, which may go on over lines: an empty one is a break, another one goes on the sentence.
fn quoted(lines: &mut Lines<'_, '_>, said: &str, mark: char) -> Option<String> {
    let (mut whole, mut piece) = (String::new(), &said[1..]);
    loop {
        if let Some(end) = closing(piece, mark) {
            whole += &piece[..end];
            let is_all = piece[end + 1..].trim().is_empty();
            return is_all.then(|| unescaped(&whole, mark)).flatten();
        }
        let goes_on = piece.strip_suffix('\\').filter(|_| mark == '"');
        whole += goes_on.unwrap_or(piece);
        let (_, next) = lines.next()?;
        whole += match *next {
            "" => "\n",
            _ if goes_on.is_some() || whole.ends_with('\n') => "",
            _ => " ",
        };
        piece = if goes_on.is_some() { next.strip_prefix('\\').unwrap_or(next) } else { next };
    }
}

/// Where a quote ends in a piece of it.
fn closing(piece: &str, mark: char) -> Option<usize> {
    let mut chars = piece.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        let is_escaped =
            mark == '"' && char == '\\' || mark == '\'' && char == mark && piece[at + 1..].starts_with(mark);
        if is_escaped {
            chars.next();
        } else if char == mark {
            return Some(at);
        }
    }
    None
}

fn unescaped(whole: &str, mark: char) -> Option<String> {
    if mark == '\'' {
        return text(&whole.replace("''", "'"));
    }
    let json = format!("\"{}\"", whole.replace('\n', "\\n"));
    if serde_json::from_str::<String>(&json).is_ok() { Some(json) } else { text(whole) }
}

fn text(text: &str) -> Option<String> {
    serde_json::to_string(text.trim()).ok()
}

/// A value without quotes.
fn scalar(said: &str) -> Option<String> {
    let is_json = || serde_json::from_str::<serde_json::Value>(said).is_ok();
    match said {
        "~" | "null" => Some("null".to_owned()),
        _ if is_json() => Some(said.to_owned()),
        _ => text(said),
    }
}

/// The key and the value of a line.
fn field(line: &str) -> Option<(&str, &str)> {
    let (key, said) = line.split_once(": ").or_else(|| Some((line.strip_suffix(':')?, "")))?;
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    let is_key = key.len() <= KEY
        && key.bytes().all(is_letter)
        && key.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    is_key.then_some((key, said.trim()))
}

/// Lines `Key: value`, below a heading or not, as an object.
fn labeled(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let start = usize::from(lines.len() > FEWEST && label(lines[0]).is_none());
    let fields: Option<Vec<(&str, &str)>> = lines.get(start..)?.iter().map(|line| label(line)).collect();
    let fields = fields.filter(|fields| fields.len() >= FEWEST)?;
    let is_twice = |at: usize| fields[..at].iter().any(|(key, _)| *key == fields[at].0);
    if (0..fields.len()).any(is_twice) || lines[0].ends_with(['.', '!', '?', ':']) && start > 0 {
        return None;
    }
    let each = |(key, said): &(&str, &str)| Some(format!("{}:{}", self::text(key)?, scalar(said)?));
    let all: Option<Vec<String>> = fields.iter().map(each).collect();
    Some(format!("{{{}}}", all?.join(",")))
}

/// The key of few words and the value of such a line.
fn label(line: &str) -> Option<(&str, &str)> {
    let bare = line.trim_start_matches(['-', '*', '•', ' ']);
    let (key, said) = bare.split_once(": ")?;
    let is_letter = |char: char| char.is_alphanumeric() || " _-/()".contains(char);
    let lower = key.to_lowercase();
    let is_key = key.len() <= KEY
        && key.starts_with(char::is_alphabetic)
        && key.chars().all(is_letter)
        && key.split(' ').count() <= WORDS
        && !LABELS.contains(&&*lower);
    (is_key && !said.trim().is_empty() && said.len() <= VALUE).then_some((key, said.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_in_blocks_are_read_with_what_is_below_their_keys() {
        for (yaml, told) in [
            (
                "berth: B-7\nfee: 77.5\npaid: false\nuntil: '2026-09-02'\nowner: St. Ann's",
                r#"{"berth":"B-7","fee":77.5,"paid":false,"until":"2026-09-02","owner":"St. Ann's"}"#,
            ),
            (
                "berth:\n  id: B-8\n  note: null\nplan:\n  state: not enrolled",
                r#"{"berth":{"id":"B-8","note":null},"plan":{"state":"not enrolled"}}"#,
            ),
            (
                "lamps:\n- no: L1\n  lit: true\n- no: L2\nkinds:\n  - red\n  - green\nkeepers: []",
                r#"{"lamps":[{"no":"L1","lit":true},{"no":"L2"}],"kinds":["red","green"],"keepers":[]}"#,
            ),
            (
                "note: 'Don''t light it.\n\n  Keep it\n  dry.'\nkind: rule",
                r#"{"note":"Don't light it.\nKeep it dry.","kind":"rule"}"#,
            ),
            (
                "note: \"one\\ntwo \\\"x\\\"\\\n  \\ three\"\nkind: rule",
                r#"{"note":"one\ntwo \"x\" three","kind":"rule"}"#,
            ),
            (
                "note: a plain text\n  that goes on\ntext: |\n  one\n  two",
                r#"{"note":"a plain text that goes on","text":"one\ntwo"}"#,
            ),
        ] {
            assert_eq!(json(yaml).as_deref(), Some(told), "{yaml}");
            assert!(serde_json::from_str::<serde_json::Value>(told).is_ok(), "{told}");
        }
    }

    #[test]
    fn lists_and_objects_deeper_than_any_other_are_no_object() {
        let nested = |levels: usize, mark: &str| {
            let below = (1..=levels).map(|at| format!("{}{mark}\n", " ".repeat(at)));
            format!("lamp: L1\nkeepers:\n{}{}oil: 7", below.collect::<String>(), " ".repeat(levels + 1))
        };
        for mark in ["-", "x:"] {
            assert!(json(&nested(3, mark)).is_some(), "{mark}");
            for levels in DEPTH - 1..DEPTH + 3 {
                assert_eq!(json(&nested(levels, mark)), None, "{levels} {mark}");
            }
        }
    }

    #[test]
    fn lines_of_fields_are_read_below_a_heading() {
        let told = r#"{"Bill":"B-1","Due":"4 November 2026","Total sum":93.15}"#;
        for text in [
            "Bill facts\nBill: B-1\nDue: 4 November 2026\nTotal sum: 93.15",
            "Bill: B-1\n- Due: 4 November 2026\n\nTotal sum: 93.15",
        ] {
            assert_eq!(json(text).as_deref(), Some(told), "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_objects() {
        for text in [
            "The lamp burns.",
            "lamp: lit",
            "INFO: the lamp is lit\nINFO: the oil is new",
            "Title: Ferries\nURL: https://quay.example/1",
            "Here is all:\nBill: B-1\nDue: today",
            "Bill: B-1\nDue: today\nAll of it is to be paid at the quay.",
            "def light(lamp):\n    return lamp",
            "# Lamps\nlamp: L1\noil: 7",
            "{\"lamp\": 1}",
            "total 4\ndrwxr-xr-x 2 ann ann 4096 May 2 quay",
            "lamp.py:12: lit = True\nlamp.py:14: oil = 7",
            "",
        ] {
            assert_eq!(json(text), None, "{text}");
        }
        assert_eq!(
            keys("berth:\n  id: B-8\n  owner: St. Ann's\nlamps:\n- no: L1"),
            ["berth", "id", "owner", "lamps", "no"]
        );
        assert_eq!(keys("INFO: x\nINFO: y"), [""; 0]);
        assert_eq!(keys("BILL-12: paid\nB7: open\nb7_fee: 3"), ["b7_fee"]);
    }
}
