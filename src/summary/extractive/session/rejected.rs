//! Claims of an answer that the user rejects right behind it: “It still doesn't work.”, “I meant the other lamp.”, and
//! proposals where the user takes another way: “I prefer gas.”

use super::turns::Turn;
use crate::summary::extractive::sentences::cues::{Kind, begins_any, lower};
use crate::summary::extractive::sentences::said::Said;
use crate::summary::extractive::words::{EXCUSES, MEANT, OF_NO_USE, PREFERS};
use crate::summary::text::{SENTENCE_ENDS, contains_any, each_word, has_any, is_dense, words};

/// Maximum number of words of the first sentence of a request that rejects an answer, and of one that does not refer to
/// it.
const SHORT: usize = 14;
const BARE: usize = 4;
/// Words that refer to what was done last.
const REFERS: [&str; 12] =
    ["still", "it", "it's", "that", "that's", "this", "nope", "immer", "toujours", "todavía", "ainda", "ancora"];
/// Words of a claim about an effect or a cause.
const CLAIMS: [&str; 19] = [
    "because",
    "cause",
    "correct",
    "correctly",
    "fix",
    "fixed",
    "fixes",
    "issue",
    "now",
    "problem",
    "should",
    "so",
    "will",
    "work",
    "works",
    "jetzt",
    "maintenant",
    "ahora",
    "agora",
];

/// Phrases of what an agent recommends.
const RECOMMENDS: [&str; 6] = ["i propose", "i recommend", "i suggest", "my recommendation", "recommended", "推荐"];

/// For each sentence of a turn, whether it is a claim of its last text that the next request rejects: one about an effect
/// or a cause, where the user says that it does not work; or any but a report of what was done, where the user meant
/// something else; or a recommendation, where the user takes another way.
pub(super) fn rejected(turns: &[Turn<'_>]) -> Vec<bool> {
    // What was stopped before anything came of it is no answer.
    let is_idle = |turn: &&Turn<'_>| turn.acts.is_empty() && turn.said.is_empty();
    let Some((turn, behind)) = turns.split_first() else { return Vec::new() };
    let next = behind.iter().find(|turn| !is_idle(turn)).or(behind.last());
    let Some(asked) = next.and_then(|next| next.asked.as_ref()) else { return Vec::new() };
    let start = lower(asked.start.split(SENTENCE_ENDS).next().unwrap_or_default());
    let (fails, meant) = (says_of_no_use(&start), means_other(&start));
    let prefers = begins_any(&start, PREFERS) || has_any(&start, &["instead"]);
    let is_rejected = |said: &Said| match said.kind {
        Kind::Empty => false,
        Kind::Done => fails && claims(&said.sentence),
        _ => meant || fails && claims(&said.sentence) || prefers && recommends(said),
    };
    turn.said.iter().map(|said| (fails || meant || prefers) && said.closing && is_rejected(said)).collect()
}

/// Whether a sentence in lower case says that what came before is of no use.
fn says_of_no_use(start: &str) -> bool {
    let count = words(start);
    let refers = || count <= BARE || start.chars().any(is_dense) || each_word(start).any(|word| REFERS.contains(&word));
    count <= SHORT && has_any(start, OF_NO_USE) && refers()
}

/// Whether a sentence in lower case says that the user meant something else: “no, I meant the pier”.
fn means_other(start: &str) -> bool {
    let clauses = start.split([',', '.', '…']).map(str::trim_start);
    let mut own = clauses.skip_while(|clause| EXCUSES.contains(&clause.trim_end()));
    own.next().is_some_and(|clause| {
        let bare = EXCUSES.iter().find_map(|word| clause.strip_prefix(word)).map_or(clause, str::trim_start);
        begins_any(clause, MEANT) || begins_any(bare, MEANT)
    })
}

/// Whether the agent recommends something.
fn recommends(said: &Said) -> bool {
    said.standing.advises || contains_any(&lower(&said.sentence), &RECOMMENDS)
}

fn claims(sentence: &str) -> bool {
    each_word(&lower(sentence)).any(|word| CLAIMS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::super::turns::turns;
    use crate::summary::builders::{act, agent, user};
    use crate::transcript::{Author, Message};

    /// Which of an effect, a report and a fact of an answer are still told once the user says this.
    fn told(answer: &str) -> [bool; 3] {
        let all = [
            "The `lamp` of the quay now burns all night.",
            "I added the field `oil` to the type `Tank`.",
            "The ferry reads its times from `tides.json`.",
        ];
        let edit = r#"{"file_path":"/w/lamp.rs","old_string":"a","new_string":"b"}"#;
        let mut messages = vec![user("Mend the lamp of the quay.")];
        messages.extend(act("Edit", edit, "The file was edited.", false));
        messages.extend([agent(&all.join(" ")), user(answer), agent("Let me look."), user("Now draw the map.")]);
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let turns = turns(&head, &[]);
        all.map(|sentence| turns.iter().flat_map(|turn| &turn.said).any(|said| said.sentence.contains(sentence)))
    }

    #[test]
    fn what_the_agent_recommends_is_over_once_the_user_takes_another_way() {
        let left = |answer: &str| {
            let proposal = "I recommend the `Gas` lamp because it burns longest in the fog. The ferry reads its times from `tides.json`.";
            let messages = [user("Which lamp?"), agent(proposal), user(answer), agent("Let me look."), user("Go on.")];
            let head: Vec<&Message<'_>> = messages.iter().collect();
            let all: String =
                turns(&head, &[]).iter().flat_map(|turn| &turn.said).map(|said| said.sentence.as_str()).collect();
            ["`Gas`", "tides.json"].map(|name| all.contains(name))
        };
        for other in ["I prefer oil.", "ok switch to oil", "Let's use oil instead", "no, take oil"] {
            assert_eq!(left(other), [false, true], "{other}");
        }
        for same in ["ok", "Use the gas lamp.", "no problem, go on"] {
            assert_eq!(left(same), [true, true], "{same}");
        }
    }

    #[test]
    fn what_the_user_says_not_to_work_is_no_effect() {
        for answer in ["horrible, it doesnt work. maybe try gas", "Still not working..", "还是不行", "Das geht nicht!"]
        {
            assert_eq!(told(answer), [false, true, true], "{answer}");
        }
        for answer in [
            "Draw a map of the harbour.",
            "The clock of the tower in the old town does not work, can you mend the hands too?",
            "Things look fine. The bell of the pier is still not loud enough.",
        ] {
            assert_eq!(told(answer), [true; 3], "{answer}");
        }
    }

    #[test]
    fn a_request_that_was_stopped_at_once_is_no_answer() {
        let claim = "The `lamp` of the quay now burns all night.";
        let stop = Message { author: Author::Harness, ..user("[Request interrupted by user]") };
        let messages =
            [user("Mend the lamp."), agent(claim), user("git s"), stop, user("Still not working."), agent("Hm.")];
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let turns = turns(&head, &[]);
        assert!(turns.iter().flat_map(|turn| &turn.said).all(|said| said.obsolete || said.sentence != claim));
    }

    #[test]
    fn an_answer_about_something_else_tells_only_what_was_done() {
        for answer in ["i meant the lamp of the pier", "oh i meant the pier", "Sorry, I meant the pier."] {
            assert_eq!(told(answer), [false, true, false], "{answer}");
        }
        assert_eq!(told("Which lamp is meant by it?"), [true; 3]);
    }
}
