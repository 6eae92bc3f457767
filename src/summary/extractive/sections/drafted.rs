//! Texts that the agent wrote for the user, such as a letter: what they say is nobody's statement yet.

use super::answers::Answer;
use crate::summary::extractive::sentences::courteous::without_courtesies;
use crate::summary::extractive::sentences::denied::denies;
use crate::summary::extractive::sentences::drafted::{asks_for_text, revises};
use crate::summary::extractive::sentences::prose::{plain, sentences};
use crate::summary::extractive::session::turns::Turn;
use crate::summary::extractive::user::asked::Asked;
use crate::summary::text::{QUESTION_MARKS, cut, fold, starts_any, without_quotes, words};

/// What stands before the beginning of such a text.
const DRAFTED: &str = "Drafted: ";
/// Maximum length of that beginning, in characters.
const SHOWN: usize = 120;
/// Maximum number of words of a line that leads up to the text.
const LEAD: usize = 12;
/// Beginnings of an answer that says what the agent needs first.
const NEEDS: [&str; 3] = ["Before I ", "I need ", "I'll need "];

/// For each turn, whether its answer is a text that was asked for, such as a letter or a story.
pub(super) fn drafts(turns: &[Turn<'_>]) -> Vec<bool> {
    let mut before = false;
    let is_draft = |turn: &Turn<'_>| {
        let asks = |asked: &Asked| asked.own().iter().any(|sentence| asks_for_text(sentence));
        let goes_on = |asked: &Asked| before && revises(&asked.start);
        before = turn.acts.is_empty() && turn.asked.as_ref().is_some_and(|asked| asks(asked) || goes_on(asked));
        before
    };
    turns.iter().map(is_draft).collect()
}

/// The beginning of the text that a turn was asked for; `None` if the agent asks what it is to say, or refuses.
pub(super) fn drafted(turn: &Turn<'_>) -> Option<Answer> {
    let (message, text) = turn.last_text()?;
    let text = without_courtesies(text);
    let is_bare = |line: &&str| !line.is_empty() && line.chars().any(char::is_alphanumeric);
    let lines: Vec<&str> =
        text.lines().map(|line| line.trim().trim_start_matches(['>', ' '])).filter(is_bare).collect();
    // “Which bank do you mean? I know two:” asks back, “I can't write poems about real people.” refuses.
    let asks = lines.first().is_some_and(|line| line.contains(QUESTION_MARKS) || starts_any(line, &NEEDS));
    if asks || text.contains("```") || sentences(text).first().is_some_and(|first| denies(first)) {
        return None;
    }
    let leads = |line: &&&str| line.ends_with([':', '：']) && words(line) <= LEAD;
    let lead = usize::from(lines.len() > 1 && lines.first().as_ref().is_some_and(leads));
    let written = plain(&fold(&lines[lead..].join(" ")));
    let shown = format!("{DRAFTED}“{}”", without_quotes(&cut(&written, SHOWN)));
    Some(Answer::told(shown, message)).filter(|_| !written.is_empty())
}

#[cfg(test)]
mod tests {
    use crate::summary::builders::{agent, request, user};
    use crate::summary::{Template, extractive};

    fn told(asked: &str, text: &str) -> String {
        let messages = [
            user("Which ferry does the keeper take?"),
            agent("He takes the red one."),
            user(asked),
            agent(text),
            user("Now look for the tides."),
        ];
        extractive(&request(&messages, 2_000), &Template::default()).map(|summary| summary.text).unwrap_or_default()
    }

    #[test]
    fn what_a_letter_says_is_told_as_a_draft() {
        let letter = "Here's a draft:\n\nDear keeper,\n\nWe will refund you $40 by June 5 and have already blocked the old card.\n\nKind regards";
        let text = told("Write a reply to the complaint of the keeper.", letter);
        let draft = "  - Drafted: “Dear keeper, We will refund you $40 by June 5 and have already blocked the old card. Kind regards”\n";
        assert!(text.contains(draft), "{text}");
        assert_eq!(text.matches("refund").count(), 1, "{text}");
        let role = told(
            "Play the angry keeper, I want to practice.",
            "I've been waiting for weeks! I want my $80 back today.",
        );
        assert!(role.contains("Drafted: “I've been waiting for weeks! I want my $80 back today.”"), "{role}");
    }

    #[test]
    fn other_answers_and_questions_back_are_no_drafts() {
        let asked = "Write a letter to the keeper.";
        for other in [
            "Which keeper shall I write it to?",
            "Which keeper do you mean? I know two:\n1. Ada Quay\n2. Ben Mole",
            "I can't write letters to real people. Ask the keeper first.",
            "Before I write it, I need the number of the pier. Please send it.",
        ] {
            assert!(!told(asked, other).contains("Drafted"), "{other}");
        }
        assert!(!told("What did the keeper write?", "He will refund you $40 by June 5.").contains("Drafted"));
    }
}
