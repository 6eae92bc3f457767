//! Thanks and goodbyes of the user, which ask for nothing.

use super::cues::{begins_any, is_question, lower};
use super::phrases::Openings;
use super::rules::only_nods;
use crate::summary::extractive::words::{COURTESIES, ENDINGS, FAREWELLS, THANKS_LAST, WANTS};
use crate::summary::text::{contains_any, replaced, starts_any, words};
use std::sync::LazyLock;

static GREETS: LazyLock<Openings> = LazyLock::new(|| Openings::new(&[FAREWELLS]));

/// Signs between clauses.
const JOINTS: [char; 12] = [',', '!', '.', ';', '，', '。', '！', '、', '…', '；', '।', '،'];
/// Dashes between clauses.
const DASHES: [&str; 3] = [" - ", " – ", " — "];
/// Beginnings of thanks that ask for something: “Merci de corriger le test du quai.”, and those that do not.
const PLEAS: [&str; 2] = ["merci de", "merci d'"];
const NO_PLEAS: [&str; 4] = ["merci de votre aide", "merci de ton aide", "merci de m'avoir", "merci d'avoir"];
/// Words with one of a request that ask for nothing.
const NO_WANTS: [&str; 7] =
    ["for now", "i needed to do", "i wanted to do", "let you know", "will do", "works now", "would be all"];
/// What a speaker does who comes back later.
const RETURNS: [&str; 5] = ["get back to you", "come back to you", "let you know", "reach out", "be in touch"];

/// Whether a clause announces that the speaker comes back later: “I'll check that and get back to you”.
fn comes_back(clause: &str) -> bool {
    let speaks = starts_any(clause, &["i'll ", "i will "]);
    speaks && contains_any(clause, &RETURNS)
}

/// Whether a sentence is only thanks or a goodbye: one of its clauses is, and the others ask for nothing.
pub(in crate::summary::extractive) fn is_farewell(sentence: &str) -> bool {
    let lower = lower(sentence);
    let thanks = |clause: &str| {
        let greets = || GREETS.begin(clause) && (!begins_any(clause, &PLEAS) || begins_any(clause, &NO_PLEAS));
        // “… 주시면 감사드립니다” asks for something.
        let thanks = || {
            let before = THANKS_LAST.iter().find_map(|words| clause.strip_suffix(words));
            before.is_some_and(|before| !before.trim_end().ends_with('면'))
        };
        ENDINGS.contains(&clause) || comes_back(clause) || greets() || thanks()
    };
    let passes = |clause: &str| only_nods(clause) || words(clause) <= 1 || COURTESIES.contains(&clause);
    let joined = replaced(&*lower, &DASHES, ", ");
    let clauses = || joined.split(JOINTS).map(str::trim).filter(|clause| !clause.is_empty());
    let wants = || {
        let bare = replaced(&*lower, &NO_WANTS, "");
        bare.split(|char: char| !char.is_alphanumeric()).any(|word| WANTS.contains(&word))
    };
    clauses().any(thanks)
        && clauses().all(|clause| thanks(clause) || passes(clause))
        && !wants()
        && !is_question(&lower)
}

#[cfg(test)]
mod tests {
    use super::is_farewell;

    #[test]
    fn a_goodbye_is_no_look() {
        assert!(is_farewell("Have a great day.") && is_farewell("Thanks again! Enjoy your trip."));
        assert!(!is_farewell("Have a look at the lamp."));
    }

    #[test]
    fn thanks_are_no_requests() {
        for thanks in [
            "Thank you so much for your help!",
            "Great, thanks!",
            "That will be all.",
            "Thanks for your help. That's all for now.",
            "Vielen Dank für alles!",
            "I’ll check that and get back to you.",
            "Talk to you soon!",
            "Thank you, you too!",
            "Thanks again! Will do. Take care!",
            "That's perfect, thank you so much for your help!",
            "That would be all for now.",
            "That's everything I needed.",
            "That's everything I needed to do today.",
            "Thank you! That all sounds good.",
            "I really appreciate your help with this. Thank you.",
            "Perfekt, danke dir, schönen Abend!",
            "Alles klar, vielen Dank für die Hilfe!",
            "Merci beaucoup, bonne journée !",
            "好的，谢谢，没有别的问题了。",
            "助かりました、ありがとうございます！",
            "I'll reach out if needed.",
            "Awesome, works like a charm. Cheers!",
            "Okay, got it.",
            "You've been very helpful, nothing else.",
            "Obrigado, boa noite!",
            "Merci de votre aide - bonne soirée",
            "就这些，谢谢",
            "배려해 주셔서 감사합니다.",
            "谢谢你们的帮助。",
            "Cảm ơn, bạn cũng vậy.",
        ] {
            assert!(is_farewell(thanks), "{thanks}");
        }
    }

    #[test]
    fn thanks_with_a_request_are_one() {
        for request in [
            "Thanks, now fix the tests.",
            "Use thanks as its name.",
            "Thanks, light the lamp of the pier.",
            "Got it working on quay 7, but the lamp is out.",
            "Thank you, is it open?",
            "It works.",
            "Got it, light quay 7 too.",
            "就这些文件需要修改成新的格式",
            "没有其他人可以访问这个接口",
            "Buen día quiero cancelar mi reserva del ferry de mañana",
            "Merci de corriger le test du quai",
            "Nothing else may be changed.",
            "You've been editing the wrong file.",
            "Thanks for that - run the tests again",
        ] {
            assert!(!is_farewell(request), "{request}");
        }
    }
}
