//! Greetings of the user, and messages that only say that a request comes: “Hola, ¿me puedes ayudar?”

use super::cues::lower;
use crate::summary::extractive::words::{AROUND_HELP, GREETINGS, HELP_WANTED};
use crate::summary::text::{self, is_dense};

/// Maximum length of such a message, in bytes.
const LONGEST: usize = 200;

/// Whether a text only greets.
pub(in crate::summary::extractive) fn only_greets(text: &str) -> bool {
    has_only(text, &[GREETINGS])
}

/// Whether a text only greets or says that a request comes.
pub(in crate::summary::extractive) fn only_opens_talk(text: &str) -> bool {
    has_only(text, &[GREETINGS, HELP_WANTED, AROUND_HELP])
}

/// Whether a text consists of phrases of these lists, and is not empty.
fn has_only(text: &str, lists: &[&[&str]]) -> bool {
    if text.len() > LONGEST {
        return false;
    }
    let lower = lower(text);
    let mut left = without_signs(&lower);
    let any = !left.is_empty();
    while !left.is_empty() {
        let longest =
            lists.iter().copied().flatten().filter_map(|phrase| behind(left, phrase)).min_by_key(|rest| rest.len());
        let Some(rest) = longest else { return false };
        left = without_signs(rest);
    }
    any
}

/// What stands behind a phrase that a text begins with.
fn behind<'t>(text: &'t str, phrase: &str) -> Option<&'t str> {
    let rest = text::behind(text, phrase)?;
    let goes_on = rest.starts_with(|char: char| char.is_alphanumeric() || char == '\'');
    (!goes_on || phrase.ends_with(is_dense)).then_some(rest)
}

/// A text without the signs before its first word; digits are none.
fn without_signs(text: &str) -> &str {
    text.trim_start_matches(|char: char| !char.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_greeting_is_known_in_any_language() {
        for greeting in [
            "Guten Tag",
            "Hola, buenas",
            "Добрый день!",
            "Dzień dobry",
            "こんにちは",
            "안녕하세요!",
            "السلام عليكم",
            "Oi, tudo bem?",
            "Good morning 👋",
            "नमस्ते",
            "您好！",
        ] {
            assert!(only_greets(greeting), "{greeting}");
        }
        for more in ["Hi 2", "Hello world", "Guten Tag Anna, der Kai ist offen", "こんにちは灯台", "", "…"] {
            assert!(!only_greets(more), "{more}");
        }
    }

    #[test]
    fn who_only_asks_for_help_has_not_said_with_what() {
        for opening in [
            "Hi, can you help me?",
            "I need help",
            "Hi! I have a question.",
            "Hey, quick question",
            "¿Me puedes ayudar?",
            "Hallo, können Sie mir bitte helfen?",
            "Нужна помощь",
            "有个问题想问一下",
            "すみません、質問があります。",
            "안녕하세요, 질문이 있습니다.",
            "Merhaba, bir sorum var",
        ] {
            assert!(only_opens_talk(opening), "{opening}");
        }
        for request in [
            "Hi, can you help me with the lamp?",
            "I need help with the ferry.",
            "I have a question about the quay.",
            "¿Me puedes ayudar con la lámpara?",
            "有个问题想问一下，灯塔坏了",
        ] {
            assert!(!only_opens_talk(request), "{request}");
        }
    }
}
