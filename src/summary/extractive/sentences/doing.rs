//! Finds sentences that only say what the agent does at the moment, or that it does not know what to do: “Reading the
//! parser.”, “Currently on chunk 9 of 13.”, “I am stuck on the lamp.”, “If I turn it, it might burn.”, 「調べます。」

use crate::summary::text::{all_digits, contains_any, each_word, starts_any};

/// Verbs with which such a sentence begins.
const DOING: [&str; 53] = [
    "adding",
    "adjusting",
    "aligning",
    "applying",
    "building",
    "checking",
    "collecting",
    "committing",
    "confirming",
    "continuing",
    "creating",
    "digging",
    "diving",
    "examining",
    "exploring",
    "falling",
    "fetching",
    "fixing",
    "gathering",
    "inspecting",
    "investigating",
    "launching",
    "looking",
    "moving",
    "patching",
    "pinning",
    "polling",
    "preparing",
    "proceeding",
    "pushing",
    "reading",
    "rebasing",
    "rebuilding",
    "rerunning",
    "resuming",
    "retrying",
    "reviewing",
    "running",
    "scanning",
    "searching",
    "spawning",
    "starting",
    "switching",
    "syncing",
    "testing",
    "tightening",
    "tracing",
    "trying",
    "updating",
    "verifying",
    "waiting",
    "wiring",
    "writing",
];
/// Words behind such a verb with which it tells a state: “Running on port 8080.”
const PLACES: [&str; 5] = ["as", "at", "in", "on", "under"];
/// Finite verbs, with which it says more: “Running it twice is safe.”
const FINITE: [&str; 56] = [
    "adds", "allows", "are", "avoids", "became", "breaks", "broke", "can", "can't", "causes", "could", "did", "do",
    "does", "ensures", "fails", "found", "gave", "gets", "gives", "got", "had", "has", "have", "helps", "is", "isn't",
    "keeps", "kept", "left", "lets", "made", "makes", "may", "means", "might", "must", "needs", "prevents", "reduces",
    "removes", "requires", "saves", "should", "shows", "takes", "that", "took", "was", "were", "which", "will",
    "won't", "worked", "works", "would",
];
/// Words that a verb in “-s” has behind it, but hardly a noun: “Building it twice doubles the size.”
const OBJECTS: [&str; 12] = ["a", "all", "an", "each", "every", "it", "no", "that", "the", "them", "this", "to"];
/// Words before a participle that only describes: “the cached build”.
const BEFORE: [&str; 8] = ["a", "an", "its", "latest", "new", "our", "the", "their"];
/// Clause of what the agent does next.
const THEN: [&str; 3] = [", then i'll ", ", then i will ", " before i "];
/// Maximum number of words of such a sentence.
const LONGEST: usize = 26;
/// Korean end of a sentence about what the agent is going to do.
const WILL: &str = "겠습니다";

/// Japanese ends of the same, by verbs of an agent's steps; behind a topic the sentence says what something does.
const WILL_DO: [&str; 18] = [
    "いきます",
    "作成します",
    "修正します",
    "出します",
    "取得します",
    "始めます",
    "実行します",
    "実装します",
    "数えます",
    "更新します",
    "確認します",
    "見てみます",
    "見ます",
    "見極めます",
    "調べます",
    "調査します",
    "読みます",
    "追加します",
];
const TOPICS: [&str; 2] = ["は", "が"];
const NO_TOPICS: [&str; 8] = ["では", "のが", "はい", "まずは", "または", "次は", "あるいは", "一旦は"];
/// Words in quotes or brackets belong to another clause.
const QUOTES: [[char; 2]; 4] = [['「', '」'], ['（', '）'], ['(', ')'], ['`', '`']];

/// Beginnings of a sentence of an agent that is at a loss, and of one that wonders.
const LOST: [&str; 6] = ["i am confused", "i am lost", "i am stuck", "i'm confused", "i'm lost", "i'm stuck"];
const WONDERS: [&str; 4] = ["but if i ", "if i ", "so if i ", "what if i "];
const MAYBE: [&str; 4] = ["could", "may", "might", "would"];

/// Whether a sentence, given in lower case, only says what is being done or is about to be, or that the agent is at a
/// loss.
pub(super) fn is_doing(lower: &str) -> bool {
    let bare = lower.trim_end_matches(['.', '!', '…', ' ']);
    let wonders = || starts_any(bare, &WONDERS) && each_word(bare).any(|word| MAYBE.contains(&word));
    if bare.ends_with(WILL) || will_do(bare) || starts_any(bare, &LOST) || wonders() || points_to_file(bare) {
        return true;
    }
    let mut first = bare.split(' ');
    let (verb, next) = (first.next().unwrap_or_default(), first.next().unwrap_or_default());
    let begins = DOING.contains(&verb) && !PLACES.contains(&next) || verb == "currently" && next == "on";
    let own = THEN.iter().find_map(|then| Some(bare.split_once(then)?.0)).unwrap_or(bare);
    begins && !bare.contains([':', ';', '—']) && !says_more(own)
}

/// Whether a text only points to a file: “See quay/lamp.go.”
fn points_to_file(bare: &str) -> bool {
    let file = bare.strip_prefix("see ").map(|file| file.trim_matches('`'));
    file.is_some_and(|file| file.contains(['/', '.']) && !file.contains(' '))
}

/// Whether a lower-case text has a finite verb, or too many words to have none.
fn says_more(text: &str) -> bool {
    let words: Vec<&str> = each_word(text).collect();
    let is_past = |at: usize| {
        let describes = at > 0 && BEFORE.contains(&words[at - 1]);
        words[at].len() > 4 && words[at].ends_with("ed") && !describes
    };
    let finite = |at: usize| FINITE.contains(&words[at]) || is_past(at);
    let acts = |two: &[&str]| {
        let object = OBJECTS.contains(&two[1]) || all_digits(two[1]);
        two[0].len() > 3 && two[0].ends_with('s') && !two[0].ends_with("ss") && object
    };
    words.len() > LONGEST || (0..words.len()).any(finite) || words.windows(2).any(acts)
}

/// Whether it ends in such a verb without saying who or what does it: 「了解、灯台だけ数えます。」
fn will_do(bare: &str) -> bool {
    let bare = bare.trim_end_matches(['。', '！']);
    // Behind another ideograph it is the end of another verb.
    let is_whole = |before: &str| !before.ends_with(|char: char| ('\u{4e00}'..='\u{9fff}').contains(&char));
    if !WILL_DO.iter().any(|verb| bare.strip_suffix(verb).is_some_and(is_whole)) {
        return false;
    }
    let mut own = bare.to_owned();
    for [open, close] in QUOTES {
        while let Some((start, end)) = own.find(open).and_then(|at| {
            let behind = at + open.len_utf8();
            Some((at, behind + own[behind..].find(close)? + close.len_utf8()))
        }) {
            own.replace_range(start..end, "");
        }
    }
    NO_TOPICS.iter().for_each(|words| own = own.replace(words, ""));
    !contains_any(&own, &TOPICS)
}

#[cfg(test)]
mod tests {
    use super::is_doing;

    #[test]
    fn what_is_being_done_is_no_finding() {
        for doing in [
            "starting with the weekly tides in `fetch.py`.",
            "falling back to `window=16` in `score.py`, with twice the overlap.",
            "reading quay/berth/berth_plan.py.",
            "see quay/berth_plan.go.",
            "reviewing `76823bf` now.",
            "inspecting where the pier declares its lamps before making the smallest change.",
            "rebuilding the table now, then i'll verify the resolved tides.",
            "pinning the lamps exactly and checking the board so runs use `1.5` rather than the latest cached one.",
            "currently on the chunk for 2031-03-30 (week 9 of 13).",
            "완료를 기다리겠습니다.",
            "i am stuck on why the lamp is out.",
            "if i turn the wick of `lamp`, it might burn.",
        ] {
            assert!(is_doing(doing), "{doing}");
        }
        for told in [
            "running it twice doubles the rows.",
            "if i turn the wick, the lamp burns.",
            "running on port 8080.",
            "pinning the lamps avoids a second run.",
            "inspecting them fixed nothing.",
            "pinning this fixed the crash of the board.",
            "see quay/berth_plan.go for the oil of the lamps.",
            "building for release takes 40 minutes.",
            "reading the table twice was the cause.",
            "testing: the lamp burns.",
            "starting the server without a key fails.",
            "currently the lamp burns.",
        ] {
            assert!(!is_doing(told), "{told}");
        }
    }

    #[test]
    fn a_japanese_plan_has_no_subject() {
        for plan in [
            "了解、灯台だけ数えます。",
            "岸の板を読んで、何を「1回は」と数えるのが良いか（例: `lamp`）を見極めます。",
            "`tide` も読んで補足として出します。",
            "それでは、まずは板を確認します！",
        ] {
            assert!(is_doing(plan), "{plan}");
        }
        for fact in [
            "船は毎朝、板を確認します。",
            "灯台が岸の船を数えます。",
            "灯台だけ数えました。",
            "`tide` を二回送出します。",
        ] {
            assert!(!is_doing(fact), "{fact}");
        }
    }
}
