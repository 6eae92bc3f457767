//! The texts of stubs.

use super::{Place, View};
use crate::transcript::{Part, PartKind, STUB_FIELDS as FIELDS, Stub, hex};
use sha2::{Digest, Sha256};

/// How much of a result a stub shows: beginning and end, in characters, or in lines where those are set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) chars: (usize, usize),
    pub(super) lines: (usize, usize),
}

/// The stub for a result; `None` if the stub is not shorter, or the result is already such a stub.
pub(super) fn stub(view: View<'_, '_>, (message, part): Place) -> Option<Stub> {
    let result = &view.transcript.messages[message].parts[part];
    let pattern = view.rules.stub(tool(result));
    if pattern.contains('{') && is_made_by(pattern, &result.text) {
        return None;
    }
    let text = text(view, (message, part), pattern);
    replaced(view, (message, part), text, None)
}

/// A stub with the given text for a result; `None` if it saves nothing.
pub(super) fn replaced(view: View<'_, '_>, (message, part): Place, text: String, copy: Option<Place>) -> Option<Stub> {
    let result = &view.transcript.messages[message].parts[part];
    let tokens = (view.count)(&text);
    let media = matches!(&result.kind, PartKind::Result { media, .. } if !media.is_empty());
    let shorter = result.text.len() > text.len() || media;
    let saves = (view.settings.short && copy.is_none()) || (shorter && tokens < result.tokens);
    (saves && !result.slot.content.is_empty()).then_some(Stub { message, part, text, tokens, copy })
}

/// Characters that `{head}` and `{tail}` show each where no setting says how much they show.
const SHOWN: usize = 200;

/// Fills in the fields of a pattern from a result. Braces in the result's own text are not treated as fields.
pub(super) fn text(view: View<'_, '_>, place: Place, pattern: &str) -> String {
    let result = &view.transcript.messages[place.0].parts[place.1];
    let mut text = String::new();
    let mut rest = pattern;
    while let Some((at, field)) = next_field(rest) {
        text.push_str(&rest[..at]);
        text.push_str(&value(view, (place, result), field));
        rest = &rest[at + field.len()..];
    }
    text + rest
}

fn next_field(text: &str) -> Option<(usize, &'static str)> {
    let field = |at: usize| FIELDS.iter().find(|field| text[at..].starts_with(**field)).map(|field| (at, *field));
    text.match_indices('{').find_map(|(at, _)| field(at))
}

fn value(view: View<'_, '_>, (place, result): (Place, &Part<'_>), field: &'static str) -> String {
    let PartKind::Result { id, .. } = &result.kind else { return String::new() };
    match field {
        "{tool}" => tool(result).to_owned(),
        "{id}" => id.to_string(),
        "{tokens}" => result.tokens.to_string(),
        "{lines}" => result.text.lines().count().to_string(),
        "{chars}" => result.text.chars().count().to_string(),
        "{path}" => view.calls.path(view.transcript, place).unwrap_or_else(|| "?".into()),
        "{sha256}" => hex(&Sha256::digest(result.text.as_bytes())),
        "{head}" => ends(&result.text, shown(view, result)).0.to_owned(),
        "{tail}" => ends(&result.text, shown(view, result)).1.to_owned(),
        other => other.to_owned(),
    }
}

/// How much of a result its stub shows.
fn shown(view: View<'_, '_>, result: &Part<'_>) -> Shown {
    or_some(view.rules.shown(tool(result)))
}

/// The setting, or [`SHOWN`] characters if it shows nothing.
fn or_some(shown: Shown) -> Shown {
    let is_set = shown.lines != (0, 0) || shown.chars != (0, 0);
    if is_set { shown } else { Shown { chars: (SHOWN, SHOWN), ..shown } }
}

/// The tool name of a result, or “tool” if it has none.
pub(super) fn tool<'p>(result: &'p Part<'_>) -> &'p str {
    match &result.kind {
        PartKind::Result { tool: Some(tool), .. } => tool,
        _ => "tool",
    }
}

/// The beginning and the end of a text, which never overlap.
fn ends(text: &str, Shown { chars, lines }: Shown) -> (&str, &str) {
    if lines != (0, 0) {
        let starts: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).filter(|at| *at < text.len()).collect();
        let head = lines.0.checked_sub(1).map_or(0, |last| starts.get(last).copied().unwrap_or(text.len()));
        let tail = match starts.len().checked_sub(lines.1) {
            _ if lines.1 == 0 => text.len(),
            Some(first) => starts[first],
            None => 0,
        };
        return (text[..head].trim_end_matches('\n'), &text[tail.max(head)..]);
    }
    let head = text.char_indices().nth(chars.0).map_or(text.len(), |(at, _)| at);
    let back = chars.1.checked_sub(1).and_then(|last| text.char_indices().rev().nth(last));
    let tail = if chars.1 == 0 { text.len() } else { back.map_or(0, |(at, _)| at) };
    (&text[..head], &text[tail.max(head)..])
}

/// Whether a text was made from this pattern: it begins and ends with the pattern's fixed text.
pub(super) fn is_made_by(pattern: &str, text: &str) -> bool {
    // Fast rejection: most texts do not start with the pattern's first words.
    let words = pattern.split('{').next().unwrap_or_default().trim();
    if !text.trim_start().starts_with(words) {
        return false;
    }
    let Some((first, _)) = next_field(pattern) else { return pattern.trim() == text.trim() };
    let last = FIELDS.iter().filter_map(|field| Some(pattern.rfind(field)? + field.len())).max().unwrap_or(first);
    let (start, end) = (&pattern[..first], &pattern[last..]);
    start.len() + end.len() >= 6
        && text.len() >= start.len() + end.len()
        && text.starts_with(start)
        && text.ends_with(end)
}

/// The value of a field in a text that was made from a pattern.
pub(super) fn field<'t>(pattern: &str, field: &str, text: &'t str) -> Option<&'t str> {
    let (before, after) = pattern.split_once(field)?;
    let last = |text: &str| FIELDS.iter().filter_map(|field| Some(text.rfind(field)? + field.len())).max().unwrap_or(0);
    let before = &before[last(before)..];
    let after = &after[..next_field(after).map_or(after.len(), |(at, _)| at)];
    let (_, rest) = text.split_once(before).filter(|_| !before.is_empty())?;
    if after.is_empty() { Some(rest) } else { rest.split_once(after).map(|(value, _)| value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_counted_in_characters_or_lines_and_never_overlap() {
        let shown = |chars, lines| Shown { chars, lines };
        assert_eq!(ends("abcdefg", shown((2, 3), (0, 0))), ("ab", "efg"));
        assert_eq!(ends("äöü", shown((2, 2), (0, 0))), ("äö", "ü"));
        assert_eq!(ends("abc", shown((0, 0), (0, 0))), ("", ""));
        assert_eq!(ends("1\n2\n3\n4\n", shown((9, 9), (1, 2))), ("1", "3\n4\n"));
        assert_eq!(ends("1\n2\n3", shown((0, 0), (0, 1))), ("", "3"));
        assert_eq!(ends("1\n2", shown((0, 0), (5, 5))), ("1\n2", ""));
    }

    #[test]
    fn a_stub_shows_something_though_no_setting_says_how_much() {
        let shown = |chars, lines| or_some(Shown { chars, lines });
        let text = "quay ".repeat(200);
        assert_eq!(ends(&text, shown((0, 0), (0, 0))), (&text[..200], &text[800..]));
        assert_eq!(ends(&text, shown((2, 0), (0, 0))), ("qu", ""));
        assert_eq!(ends("1\n2\n3", shown((0, 0), (0, 1))), ("", "3"));
    }

    #[test]
    fn a_text_is_known_by_the_pattern_that_made_it() {
        assert!(is_made_by("[stub]", " [stub] ") && !is_made_by("[stub]", "[stub] and more"));
        assert!(is_made_by("<cut>{head}…</cut>", "<cut>x…</cut>") && !is_made_by("<cut>{head}…</cut>", "<cut>x"));
        assert!(!is_made_by("{head}", "anything"), "a pattern without words of its own knows nothing");
        assert_eq!(field("see call {newer} below", "{newer}", "see call c_1 below"), Some("c_1"));
        assert_eq!(field("see {path}: {newer}", "{newer}", "see a.rs: c_1"), Some("c_1"));
        assert_eq!(field("see {path}", "{newer}", "see a.rs"), None);
    }
}
