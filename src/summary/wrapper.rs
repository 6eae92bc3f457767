//! The tag around a summary: marks it as a summary rather than instructions, and lets later runs find it.
//!
//! Tags inside the text are escaped, so that no text of a transcript can end the summary early.

use super::text::contains_any;
use crate::transcript::fixed_texts::{SUMMARY_CLOSE as CLOSE, SUMMARY_OPEN as OPEN, SUMMARY_TAG as NAME};
use memchr::memmem;

/// Wraps a summary in the tag, with tags inside escaped.
pub fn wrap(text: &str) -> String {
    format!("{OPEN}\n{}\n{CLOSE}", escape(text.trim_matches('\n')))
}

/// The summary in a text that is one wrapped summary, with at most one line before it; otherwise `None`.
pub fn unwrap(text: &str) -> Option<String> {
    let text = text.trim();
    let at = text.find(OPEN)?;
    let (preface, rest) = text.split_at(at);
    let is_line = preface.is_empty() || preface.ends_with('\n');
    if !is_line || preface.trim().contains('\n') {
        return None;
    }
    let inner = rest.strip_prefix(OPEN)?.strip_suffix(CLOSE)?;
    let bare = contains_any(inner, &[OPEN, CLOSE]);
    (!bare).then(|| unescape(inner.trim_matches(['\r', '\n'])))
}

/// Whether a text has one opening tag and one closing tag after it; `None` if it has no tag.
pub(super) fn balanced(text: &str) -> Option<bool> {
    let (open, close) = (text.find(OPEN), text.rfind(CLOSE));
    let once = |tag: &str| text.matches(tag).count() == 1;
    match (open, close) {
        (None, None) => None,
        (Some(open), Some(close)) => Some(open < close && once(OPEN) && once(CLOSE)),
        _ => Some(false),
    }
}

/// Whether a line is only an opening or closing tag.
pub(super) fn is_tag(line: &str) -> bool {
    [OPEN, CLOSE].contains(&line.trim())
}

/// Escapes every tag in a text; an escaped one is escaped once more.
fn escape(text: &str) -> String {
    rewrite(text, |prefix| match prefix.strip_suffix('<') {
        Some(before) => format!("{before}&lt;"),
        None => format!("&amp;{}", prefix.strip_prefix('&').unwrap_or(prefix)),
    })
}

/// Undoes `escape`.
fn unescape(text: &str) -> String {
    rewrite(text, |prefix| match prefix {
        "&lt;" => "<".to_owned(),
        other => other.replacen("amp;", "", 1),
    })
}

/// Replaces the opener of each tag (`<` or an escaped form of it) wherever the tag's name follows.
fn rewrite(text: &str, replace: impl Fn(&str) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for at in memmem::find_iter(text.as_bytes(), NAME) {
        let before = &text[done..at];
        let slashless = before.strip_suffix('/').unwrap_or(before);
        let opener = opener(slashless);
        let start = slashless.len() - opener.len();
        out.push_str(&before[..start]);
        if !opener.is_empty() {
            out.push_str(&replace(opener));
        }
        out.push_str(&before[slashless.len()..]);
        out.push_str(NAME);
        done = at + NAME.len();
    }
    out.push_str(&text[done..]);
    out
}

/// The `<`, `&lt;`, `&amp;lt;` … at the end of a text; empty if there is none.
fn opener(text: &str) -> &str {
    if text.ends_with('<') {
        return &text[text.len() - 1..];
    }
    let Some(mut rest) = text.strip_suffix("lt;") else { return "" };
    while let Some(shorter) = rest.strip_suffix("amp;") {
        rest = shorter;
    }
    match rest.strip_suffix('&') {
        Some(before) => &text[before.len()..],
        None => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrapped_can_be_unwrapped() {
        for text in ["a\nb", "", "x </prior-conversation-summary> y", "<prior-conversation-summary>", "é &lt; <"] {
            assert_eq!(unwrap(&wrap(text)).as_deref(), Some(text));
        }
    }

    #[test]
    fn tags_inside_are_escaped_at_every_depth() {
        let once = wrap("</prior-conversation-summary>");
        assert_eq!(once.matches(CLOSE).count(), 1);
        assert!(once.contains("&lt;/prior-conversation-summary>"));
        let twice = wrap(&once);
        assert!(twice.contains("&amp;lt;/prior-conversation-summary>"));
        assert_eq!(unwrap(&twice), Some(once));
    }

    #[test]
    fn one_line_of_preface_is_no_part_of_the_summary() {
        let text = format!("This session goes on from an earlier one.\n\n{}", wrap("body"));
        assert_eq!(unwrap(&text).as_deref(), Some("body"));
    }

    #[test]
    fn a_text_that_only_holds_a_wrapped_one_is_not_it() {
        assert_eq!(unwrap(&format!("{} and more", wrap("body"))), None);
        assert_eq!(unwrap(&format!("one\ntwo\n{}", wrap("body"))), None);
        assert_eq!(unwrap("see <prior-conversation-summary>\n</prior-conversation-summary>"), None);
        assert_eq!(unwrap("plain"), None);
    }

    #[test]
    fn tags_out_of_balance_are_seen() {
        assert_eq!(balanced("plain"), None);
        assert_eq!(balanced(&wrap("a")), Some(true));
        assert_eq!(balanced("a\n</prior-conversation-summary>"), Some(false));
        assert_eq!(balanced("</prior-conversation-summary><prior-conversation-summary>"), Some(false));
    }
}
