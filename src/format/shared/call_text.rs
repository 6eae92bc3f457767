//! Calls written in a text as JSON: an object `{"name":…,"arguments":…}`, or a list of those made at once.

use super::json::{Json, Object, quoted};
use crate::python;
use crate::transcript::THOUGHT_TAGS;

/// One call: the tool's name, and the arguments as written.
pub(in crate::format) type Call = (String, String);

/// Parses the calls that fill a text; `None` if it holds anything else.
pub(in crate::format) fn calls(text: &str) -> Option<Vec<Call>> {
    let value = Json::parse(text).ok()?;
    let calls: Vec<_> = match value.array() {
        Some(all) => all.into_iter().map(Json::object).collect::<Option<_>>()?,
        None => vec![value.object()?],
    };
    let calls: Option<Vec<_>> = calls.iter().map(call).collect();
    calls.filter(|calls| !calls.is_empty())
}

fn call(fields: &Object<'_>) -> Option<Call> {
    let name = fields.text("name")?.into_owned();
    let arguments = fields.get("arguments").or(fields.get("parameters"));
    let spelled = arguments.map(|value| value.text().map_or(value.raw().to_owned(), |text| text.into_owned()));
    Some((name, spelled.unwrap_or_default()))
}

/// The tags around a call in the text of a message.
pub const CALL_TAGS: [&str; 2] = ["<tool_call>", "</tool_call>"];
/// The tags around what came of a call.
pub const RESULT_TAGS: [&str; 2] = ["<tool_response>", "</tool_response>"];
/// How many closing tags are tried per call.
const MOST_ENDS: usize = 100;

/// Parses the calls between tags in a text. Returns the remaining text and the calls; `None` if there are no tags, or
/// a tagged piece is not a call. Tags in inline code, in closed reasoning and, beside others, in fences are only talked
/// about.
pub(in crate::format) fn marked(text: &str) -> Option<(String, Vec<Call>)> {
    bare(text).or_else(|| marked_in(text, true))
}

/// Like [`marked`], for calls outside of fences only.
pub(in crate::format) fn bare(text: &str) -> Option<(String, Vec<Call>)> {
    marked_in(text, false)
}

/// Like [`bare`], for calls of which nothing came yet: behind a result in the same text, further ones would stand before
/// it.
pub(in crate::format) fn open(text: &str) -> Option<(String, Vec<Call>)> {
    bare(text).filter(|(around, _)| !around.contains(RESULT_TAGS[0]))
}

fn marked_in(text: &str, fences: bool) -> Option<(String, Vec<Call>)> {
    let (mut around, mut found, mut rest) = (String::new(), Vec::new(), text);
    let mut shown = Shown { thought_ends: text.rfind(THOUGHT_TAGS[1]), begins_line: true, ..Shown::default() };
    let [open, close] = CALL_TAGS;
    while let Some((before, after)) = rest.split_once(open) {
        shown.read(before);
        around += before;
        if shown.is_any((text.len() - after.len(), after), fences) {
            around += open;
            rest = after;
            continue;
        }
        // An argument may contain the closing tag.
        let mut ends = after.match_indices(close).take(MOST_ENDS);
        let (own, end) = ends.find_map(|(at, _)| Some((calls(&after[..at])?, at + close.len())))?;
        found.extend(own);
        rest = &after[end..];
    }
    around += rest;
    (!found.is_empty()).then(|| (around.trim().to_owned(), found))
}

/// Whether a place in a text is in something that only shows or considers what stands there.
#[derive(Default)]
struct Shown {
    in_code: bool,
    in_fence: bool,
    thinks: bool,
    /// Where the last reasoning ends; what is opened behind that stays open.
    thought_ends: Option<usize>,
    begins_line: bool,
}

impl Shown {
    /// Reads on over a piece of text.
    fn read(&mut self, piece: &str) {
        for line in piece.split_inclusive('\n') {
            let is_fence = self.begins_line && line.trim_start().starts_with("```");
            self.in_fence ^= is_fence;
            self.in_code = !is_fence && ((self.in_code && !self.begins_line) ^ (line.matches('`').count() % 2 == 1));
            self.begins_line = line.ends_with('\n');
        }
        let last = |tag: &str| piece.rmatch_indices(tag).map(|(at, _)| at).find(|at| !piece[..*at].ends_with('`'));
        let turns = THOUGHT_TAGS.map(last);
        self.thinks = if turns[0] == turns[1] { self.thinks } else { turns[0] > turns[1] };
    }

    /// Whether the offset `at` in the whole text, with `after` behind it, is in code or reasoning that is closed, or in
    /// a fence.
    fn is_any(&mut self, (at, after): (usize, &str), fences: bool) -> bool {
        // A sign without its pair is none.
        self.in_code = self.in_code && after.split('\n').next().is_some_and(|line| line.contains('`'));
        self.in_code || self.thinks && Some(at) < self.thought_ends || self.in_fence && !fences
    }
}

/// Parses a text that consists of reasoning in tags followed by calls only, as LLaMA-Factory accepts it in a call
/// turn; `None` for any other text.
pub(in crate::format) fn reasoned(text: &str) -> Option<(&str, Vec<Call>)> {
    let [open, close] = THOUGHT_TAGS;
    let (thought, rest) = text.trim_start().strip_prefix(open)?.split_once(close)?;
    Some((thought.trim_matches('\n'), calls(rest)?))
}

/// Parses the calls that fill a text as code: `[f(a="x"), g()]`, as ToolACE writes them.
pub(in crate::format) fn as_code(text: &str) -> Option<Vec<Call>> {
    let inside = text.trim().strip_prefix('[')?.strip_suffix(']')?;
    let call = |piece: &str| {
        let (name, arguments) = piece.strip_suffix(')').zip(last_bracket(piece))?;
        let (name, arguments) = (name[..arguments].trim(), &name[arguments + 1..]);
        let is_name = |char: char| char.is_alphanumeric() || " _-./:()".contains(char);
        (!name.is_empty() && name.chars().all(is_name)).then(|| (name.to_owned(), of_code(arguments)))
    };
    let calls: Option<Vec<_>> = pieces(inside)?.into_iter().map(call).collect();
    calls.filter(|calls| !calls.is_empty())
}

/// Converts arguments written as code to a JSON object, if every argument is named.
fn of_code(arguments: &str) -> String {
    let spelled = |text: &str| Json::parse(text).is_ok().then(|| text.to_owned());
    let value = |text: &str| {
        let other = || string(text).map(|string| quoted(&string)).or_else(|| python::value(text));
        spelled(text).or_else(other).unwrap_or_else(|| quoted(text))
    };
    let field = |piece: &str| {
        let (key, text) = piece.split_once('=').filter(|(key, _)| !key.contains(['(', '[', '{', '"', '\'']))?;
        Some(format!("{}:{}", quoted(key.trim()), value(text.trim())))
    };
    let fields: Option<Vec<_>> = pieces(arguments).and_then(|all| all.into_iter().map(field).collect());
    fields.map_or_else(|| arguments.to_owned(), |fields| format!("{{{}}}", fields.join(",")))
}

/// The value of a string of Python.
fn string(text: &str) -> Option<String> {
    let mark = text.chars().next().filter(|mark| "\"'".contains(*mark))?;
    let mut signs = text.strip_prefix(mark)?.strip_suffix(mark)?.chars();
    let mut value = String::with_capacity(text.len());
    while let Some(sign) = signs.next() {
        match if sign == '\\' { signs.next() } else { None } {
            Some('n') => value.push('\n'),
            Some('t') => value.push('\t'),
            Some('r') => value.push('\r'),
            Some(code @ ('x' | 'u')) => {
                let digits = signs.as_str().get(..if code == 'x' { 2 } else { 4 })?;
                value.push(char::from_u32(u32::from_str_radix(digits, 16).ok()?)?);
                signs = signs.as_str()[digits.len()..].chars();
            }
            Some(plain @ ('\\' | '\'' | '"')) => value.push(plain),
            Some(other) => value.extend([sign, other]),
            None => value.push(sign),
        }
    }
    Some(value)
}

/// Splits code at its commas, except those in quotes and brackets; `None` if a quote or bracket is not closed.
fn pieces(code: &str) -> Option<Vec<&str>> {
    let (mut pieces, mut start) = (Vec::new(), 0);
    let is_whole = scan(code, |at, char, depth| {
        if char == ',' && depth == 0 {
            pieces.push(code[start..at].trim());
            start = at + 1;
        }
    });
    let last = code[start..].trim();
    pieces.extend((!last.is_empty()).then_some(last));
    is_whole.then_some(pieces)
}

/// The offset of the bracket that opens the last group of a piece of code: `Tides (north)(port=4)`.
fn last_bracket(piece: &str) -> Option<usize> {
    let mut last = None;
    scan(piece, |at, char, depth| last = if char == '(' && depth == 0 { Some(at) } else { last });
    last
}

/// Passes each character of code that is in no string to `see`, with its offset and the number of brackets that are open
/// before it. Returns whether all strings and brackets are closed.
fn scan(code: &str, mut see: impl FnMut(usize, char, usize)) -> bool {
    let (mut quote, mut escaped, mut depth) = (None, false, 0_usize);
    for (at, char) in code.char_indices() {
        match (quote, char) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) => quote = quote.filter(|_| char != open),
            (None, '"' | '\'') => quote = Some(char),
            (None, _) => {
                see(at, char, depth);
                depth = match char {
                    '(' | '[' | '{' => depth + 1,
                    ')' | ']' | '}' if depth == 0 => return false,
                    ')' | ']' | '}' => depth - 1,
                    _ => depth,
                };
            }
        }
    }
    quote.is_none() && depth == 0
}

/// Builds JSON arguments from named string fields.
pub(in crate::format) fn named(fields: &[(&str, &str)]) -> String {
    let fields: Vec<_> = fields.iter().map(|(key, value)| format!("{}:{}", quoted(key), quoted(value))).collect();
    format!("{{{}}}", fields.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str, arguments: &str) -> Call {
        (name.to_owned(), arguments.to_owned())
    }

    #[test]
    fn a_call_or_a_list_of_calls_fills_the_text() {
        assert_eq!(calls(r#" {"name": "f", "arguments": {"a": 1.0}} "#), Some(vec![call("f", r#"{"a": 1.0}"#)]));
        let two = r#"[{"name":"f","arguments":"{}"},{"name":"g"}]"#;
        assert_eq!(calls(two), Some(vec![call("f", "{}"), call("g", "")]));
        for text in ["[]", "{}", "[1]", "f()", ""] {
            assert_eq!(calls(text), None, "{text}");
        }
    }

    #[test]
    fn calls_may_be_code() {
        let text = r#"[Trends API(kind="A, (b)", n=3), g(a='x', b=True, c=[1, 2], d=y), h()]"#;
        let g = r#"{"a":"x","b":true,"c":[1, 2],"d":"y"}"#;
        let expected = [call("Trends API", r#"{"kind":"A, (b)","n":3}"#), call("g", g), call("h", "{}")];
        assert_eq!(as_code(text), Some(expected.into()));
        assert_eq!(as_code("[f(3)]"), Some(vec![call("f", "3")]));
        let told = as_code("[Tides (north) V2(at='the keeper\\'s (old)', say=\"a\nb\"), g (n='\\u00e9')]");
        let tides = r#"{"at":"the keeper's (old)","say":"a\nb"}"#;
        assert_eq!(told, Some(vec![call("Tides (north) V2", tides), call("g", r#"{"n":"é"}"#)]));
        let nested = as_code("[f(a={'lit': True, \"of\": [None, 4]}, b=[True, False,], c=None, d={1, 2}, e=(1, 'x'))]");
        let values = r#"{"a":{"lit": true, "of": [null, 4]},"b":[true, false],"c":null,"d":"{1, 2}","e":[1, "x"]}"#;
        assert_eq!(nested, Some(vec![call("f", values)]));
        for text in ["f(a=1)", "[]", "[1, 2]", "[f(a=1), 2]", "[f(a=(1)]", "[\"f()\"]", "[see](http://a)", "[a)(]"] {
            assert_eq!(as_code(text), None, "{text}");
        }
    }

    #[test]
    fn reasoning_may_stand_before_calls() {
        let text = "<think>\nhm\n</think>\n\n{\"name\":\"f\"}";
        assert_eq!(reasoned(text), Some(("hm", vec![call("f", "")])));
        assert_eq!(reasoned("<think>hm</think> so"), None);
        assert_eq!(reasoned("{\"name\":\"f\"}"), None);
    }

    #[test]
    fn marked_calls_are_told_from_the_words_around_them() {
        let text = "look\n<tool_call>\n{\"name\":\"f\"}\n</tool_call>\n<tool_call>{\"name\":\"g\"}</tool_call>";
        assert_eq!(marked(text), Some(("look".to_owned(), vec![call("f", ""), call("g", "")])));
        let tag = "<tool_call>{\"name\":\"f\",\"arguments\":\"a</tool_call>\"}</tool_call> so";
        assert_eq!(marked(tag), Some(("so".to_owned(), vec![call("f", "a</tool_call>")])));
        assert_eq!(marked("no <tool_call>{}</tool_call>"), None);
        let call_f = "<tool_call>{\"name\":\"f\"}</tool_call>";
        for told in [format!("Write `{call_f}`."), format!("<think>{call_f}</think> so")] {
            assert_eq!(marked(&told), None, "{told}");
        }
        for before in ["<think>The tide.", "No `<think>` here, at 5 (`UTC)."] {
            let found = marked(&format!("{before} {call_f}"));
            assert_eq!(found, Some((before.to_owned(), vec![call("f", "")])), "what is not closed is none");
        }
        let fenced = format!("```\n{call_f}\n```");
        assert_eq!((bare(&fenced), marked(&fenced).map(|it| it.1)), (None, Some(vec![call("f", "")])));
        let real = format!("{fenced}\n<tool_call>{{\"name\":\"g\"}}</tool_call>");
        assert_eq!(marked(&real), Some((fenced, vec![call("g", "")])));
        let both = "<think>`f`? <tool_call>x</tool_call></think>\n<tool_call>{\"name\":\"f\"}</tool_call>";
        let thought = "<think>`f`? <tool_call>x</tool_call></think>";
        assert_eq!(marked(both), Some((thought.to_owned(), vec![call("f", "")])));
        assert_eq!(marked("no <tool_call>"), None);
    }
}
