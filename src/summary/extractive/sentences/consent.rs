//! Whether an agent asks for consent before it acts: what it lists then is not done.

use super::cues::lower;

/// Words of a request for consent, and words of a question for it.
const CONSENT: [&str; 9] = [
    "let me know if you agree",
    "please confirm",
    "bitte bestätigen",
    "por favor, confirma",
    "por favor confirm",
    "veuillez confirmer",
    "请确认",
    "請確認",
    "ご確認ください",
];
const CONFIRM: [&str; 22] = [
    "are you okay with",
    "do you agree",
    "do you want me to",
    "is that okay",
    "is this okay",
    "shall i",
    "shall we",
    "should i",
    "would you like me to",
    "would you like to proceed",
    "darf ich",
    "einverstanden",
    "soll ich",
    "sollen wir",
    "¿confirma",
    "¿desea",
    "¿quiere",
    "dois-je",
    "souhaitez-vous",
    "vuole che",
    "是否",
    "可以吗",
];

/// Whether a text ends by asking the reader for consent to what it lists: “Shall I book it?”, “Please confirm.”
pub(in crate::summary::extractive) fn asks_consent(text: &str) -> bool {
    let last = text.lines().rev().map(str::trim).find(|line| !line.is_empty()).map(lower).unwrap_or_default();
    CONSENT.iter().any(|asks| last.contains(asks))
        || last.ends_with(['?', '？']) && CONFIRM.iter().any(|it| last.contains(it))
}

#[cfg(test)]
mod tests {
    use super::asks_consent;

    #[test]
    fn who_asks_for_consent_has_not_acted() {
        for text in [
            "I move the ferry:\n- to quay 4\n\nShall I do so?",
            "- quay 4\n\nPlease confirm, and I book it.\n",
            "- Kai 4\n\nSoll ich ihn buchen?",
            "- 四号码头\n\n请确认。",
        ] {
            assert!(asks_consent(text), "{text}");
        }
        for text in ["I moved the ferry. Should I be wrong, tell me.", "Shall I? I did.\n\n- quay 4", "- quay 4", ""] {
            assert!(!asks_consent(text), "{text}");
        }
    }
}
