//! The items of Goal: the first request, and the current one.

use crate::summary::extractive::sentences::cues::{begins, begins_any};
use crate::summary::extractive::session::turns::Turn;
use crate::summary::extractive::user::asked::Asked;
use crate::summary::extractive::words::OPENERS;
use crate::summary::items::Item;
use crate::summary::text::{cut, key, starts_any, without_quotes, words};

const LONGEST: usize = 300;
/// Maximum length of a last sentence that is quoted too, in characters.
const CLOSING: usize = 120;
/// Maximum number of words after a session opener.
const OPENING: usize = 2;
/// Maximum number of sentences of a request whose last sentence is quoted: longer briefs end in something else.
const MOST: usize = 10;
/// Prefix of the second line, by which the next compaction recognizes it.
pub(crate) const CURRENT: &str = "Current request: ";
/// Beginnings of a sentence that states the overall aim.
const AIMS: [&str; 8] =
    ["the question ", "my question ", "the goal ", "my goal ", "our goal ", "die frage ", "mein ziel ", "la pregunta "];

/// First words of a request that only goes on with the one before, and the maximum number of its words.
const FOLLOWS: [&str; 14] = [
    "again",
    "also",
    "and",
    "same",
    "undo",
    "auch",
    "noch",
    "aussi",
    "también",
    "anche",
    "também",
    "также",
    "ещё",
    "同样",
];
const FOLLOWING: usize = 7;
/// Maximum length of the request before such a one, in characters.
const BEFORE: usize = 80;

/// Text before what was asked after a request.
const THEN: &str = "Then: ";

/// The items; `kept` are the requests behind the head, of which the turns have the last one at most.
pub(in crate::summary::extractive) fn items(turns: &[Turn<'_>], kept: &[Asked]) -> Vec<Item> {
    let all = || turns.iter().filter_map(|turn| Some((turn.asked.as_ref()?, turn.aside)));
    let has_requests = all().any(|(_, aside)| !aside);
    let mut asked: Vec<&Asked> = all().filter(|(_, aside)| !(has_requests && *aside)).map(|(asked, _)| asked).collect();
    add_kept(&mut asked, kept);
    drop_corrected(&mut asked);
    let telling = || asked.iter().filter(|asked| asked.is_telling());
    let begun = turns.iter().find(|turn| turn.asked.is_some());
    let opening = asked.first().filter(|first| says_little(first) && !begun.is_some_and(is_idle));
    let first = opening.or(telling().find(|asked| !only_opens(asked))).or(telling().next()).or(asked.first());
    // A slash command without further words is a request too.
    let command = turns.last().filter(|turn| !is_idle(turn)).and(asked.last());
    let command = command.filter(|newest| is_command(&newest.start) && !newest.nods());
    let open = still_open(&asked);
    let last = command.or(open.iter().rfind(|asked| asked.is_telling()));
    let mut items: Vec<Item> = first.iter().map(|asked| asked.item(wanted(asked), 2)).collect();
    let mut told: Vec<&Asked> = first.iter().map(|asked| **asked).collect();
    // “Run both” says little without the next request.
    let next = telling()
        .next()
        .filter(|next| opening.is_some() && last.is_some_and(|last| key(&last.start) != key(&next.start)));
    if let (Some(next), Some(item)) = (next, items.first_mut()) {
        item.text = format!("{} {THEN}“{}”", item.text, wanted(next));
    }
    if let Some(last) = last.filter(|last| first.is_some_and(|first| key(&first.start) != key(&last.start))) {
        let newest_two: Vec<&Asked> = telling().rev().take(2).copied().collect();
        let after = match newest_two[..] {
            // The first one is in the goal already.
            [newest, before] if is_same(newest, last) && !first.is_some_and(|first| is_same(first, before)) => {
                after(last, before)
            }
            _ => String::new(),
        };
        items.push(last.item(format!("{CURRENT}{}{after}", wanted(last)), 1));
        told.push(last);
    }
    // A few words afterwards say what to do next: “fix all”, “push”.
    let says = |newest: &Asked| !newest.nods() || !newest.meant.is_empty();
    let is_first = |newest: &Asked| first.is_some_and(|first| is_same(first, newest));
    let few = |newest: &Asked| command.is_none() && !newest.is_telling() && says(newest) && !is_first(newest);
    let newest = asked.last().filter(|newest| few(newest));
    if let (Some(newest), Some(item)) = (newest, items.last_mut()) {
        item.text = format!("{} {THEN}“{}”{}", item.text, newest.start, newest.meant);
    }
    items.iter_mut().zip(told).for_each(|(item, asked)| item.whole = with_all_asked(item, asked));
    items
}

/// The requests behind the last one with which the user found all well: what was before is no longer asked for.
fn still_open<'a, 't>(asked: &'a [&'t Asked]) -> &'a [&'t Asked] {
    let closed = asked
        .iter()
        .rposition(|asked| asked.confirms())
        .filter(|at| asked.get(at + 1).is_some() && asked.last().is_some_and(|newest| !newest.nods()));
    &asked[closed.map_or(0, |at| at + 1)..]
}

/// An item with all that its request asks for; `None` if it has that.
fn with_all_asked(item: &Item, asked: &Asked) -> Option<String> {
    let told = words_of(asked);
    let all = asked.more.with(&told)?;
    item.text.contains(&*told).then(|| item.text.replacen(&*told, &all, 1))
}

/// Adds the kept requests before the last one, which says little alone.
fn add_kept<'t>(asked: &mut Vec<&'t Asked>, kept: &'t [Asked]) {
    let Some((last, before)) = kept.split_last() else { return };
    let is_last = asked.last().is_some_and(|newest| newest.message.is_none() && newest.start == last.start);
    let place = if is_last { asked.len() - 1 } else { asked.len() };
    asked.splice(place..place, before.iter().chain((!is_last).then_some(last)));
}

/// Removes requests that the user stopped and put right in the next one, and those that were sent again since nothing
/// came of them.
fn drop_corrected(asked: &mut Vec<&Asked>) {
    let mut next: Vec<bool> = asked.iter().skip(1).map(|next| next.corrects).collect();
    next.reverse();
    asked.retain(|_| !next.pop().unwrap_or(false));
}

/// Whether a message starts with a slash command and not with a path.
fn is_command(text: &str) -> bool {
    let name = text.strip_prefix('/').and_then(|name| name.split_whitespace().next());
    name.is_some_and(|name| !name.contains(['/', '.', '\\']))
}

/// Whether a turn is only a command of the user's program that nothing followed: a setting or a mistyped name.
fn is_idle(turn: &Turn<'_>) -> bool {
    let name = turn.asked.as_ref().and_then(|asked| asked.start.strip_prefix('/'));
    let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphabetic());
    turn.acts.is_empty() && turn.said.is_empty() && name.is_some_and(is_name)
}

/// Whether a request is one of a few words: neither a greeting nor a nod.
fn says_little(asked: &Asked) -> bool {
    !asked.is_telling() && !asked.nods() && !asked.opens_talk()
}

/// Whether a message only opens a session: “Where did we leave off?”
fn only_opens(asked: &Asked) -> bool {
    let lower = asked.start.to_lowercase();
    OPENERS.iter().any(|opener| begins(&lower, opener) && words(&lower[opener.len()..]) <= OPENING)
}

/// Whether two requests are the same one.
fn is_same(one: &Asked, other: &Asked) -> bool {
    std::ptr::eq(one, other)
}

/// The request before one that only goes on with it, as told behind that; empty for any other.
fn after(asked: &Asked, before: &Asked) -> String {
    if follows(asked) { format!(" (after “{}”)", without_quotes(&before.brief(BEFORE))) } else { String::new() }
}

/// Whether a request of a few words only goes on with the one before: “also as a list”.
fn follows(asked: &Asked) -> bool {
    let lower = asked.start.to_lowercase();
    asked.meant.is_empty() && words(&lower) <= FOLLOWING && begins_any(&lower, &FOLLOWS)
}

/// A request in brief, with its media and its referent.
fn wanted(asked: &Asked) -> String {
    words_of(asked) + &asked.behind()
}

/// A short request as it is; of a long one the first sentences, and the last one, which often says what to do.
fn words_of(asked: &Asked) -> String {
    if let Some(whole) = &asked.whole {
        return whole.clone();
    }
    let brief = asked.beginning(LONGEST);
    if let Some(closing) = asked.closing.as_ref().filter(|closing| !brief.contains(&***closing)) {
        return format!("{} … {closing}", brief.trim_end_matches('…').trim_end());
    }
    let told = |sentence: &String| brief.contains(cut(sentence, CLOSING / 4).trim_end_matches('…'));
    let left: Vec<&String> = asked.sentences[asked.before..].iter().skip_while(|sentence| told(sentence)).collect();
    // What it calls its question or aim says more than its start.
    if let Some(aim) = left.iter().take(MOST).find(|sentence| names_aim(sentence)).filter(|_| !brief.contains('?')) {
        return format!("{} … {}", cut(&brief, LONGEST / 2).trim_end_matches('…'), cut(aim, LONGEST));
    }
    let last = left.last().filter(|last| asked.sentences.len() <= MOST && last.chars().count() <= CLOSING);
    let between =
        |last: &str| if left.len() > 1 && !brief.ends_with('…') { " … " } else { asked.joint(&brief, last) };
    last.map_or(brief.clone(), |last| format!("{brief}{}{last}", between(last)))
}

/// Whether a sentence states the overall aim.
fn names_aim(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    starts_any(&lower, &AIMS)
}

#[cfg(test)]
mod tests {
    use super::super::accomplished;
    use super::*;
    use crate::summary::builders::{agent, user};
    use crate::summary::extractive::session::turns::turns;
    use crate::transcript::{Author, Message};

    #[test]
    fn a_path_is_no_command() {
        assert!(is_command("/help") && is_command("/quay:review of it"));
        assert!(!is_command("/home/me/notes.txt") && !is_command("/notes.txt") && !is_command("help"));
    }

    fn goal(asked: &[&str]) -> Vec<String> {
        let messages: Vec<Message<'_>> = asked.iter().map(|text| user(text)).collect();
        let head: Vec<&Message<'_>> = messages.iter().collect();
        items(&turns(&head, &[]), &[]).into_iter().map(|item| item.text).collect()
    }

    #[test]
    fn what_a_long_request_asks_is_told_where_there_is_room() {
        let piers: String = (1..=9).map(|pier| format!("Which lamps burn on the pier {pier} at night?\n")).collect();
        let text =
            format!("Find out how the harbour is lit.\n1. Piers\n\n{piers}{}", "It was dark at noon. ".repeat(9));
        let messages = [user(&text), agent("I look."), user(&text.replace("Find", "Now find")), agent("I do.")];
        let items = items(&turns(&messages.iter().collect::<Vec<_>>(), &[]), &[]);
        assert!(items.iter().all(|item| !item.text.contains("pier 8 at night?")), "{items:?}");
        let whole = |at: usize| items.get(at).and_then(|item: &Item| item.whole.as_deref()).unwrap_or_default();
        assert!(whole(0).starts_with("Find out") && whole(0).contains("pier 8 at night?"), "{items:?}");
        assert!(whole(1).starts_with(CURRENT) && whole(1).contains("pier 8 at night?"), "{items:?}");
    }

    #[test]
    fn the_current_request_may_stand_behind_the_head() {
        let messages = ["Book a quay for the ferry.", "Send the papers to the harbour master.", "by mail"].map(user);
        let kept = |at: usize| Asked::read(Some(at), &messages[at].text(), messages[at].text().into_owned()).kept();
        let told = |last: &[(usize, &Message<'_>)]| {
            let items = items(&turns(&[&messages[0]], last), &[kept(1), kept(2)]);
            items.into_iter().map(|item| (item.text, item.origin)).collect::<Vec<_>>()
        };
        let current = "Current request: Send the papers to the harbour master. Then: “by mail”";
        let expected = [("Book a quay for the ferry.".to_owned(), Some(0)), (current.to_owned(), None)];
        assert_eq!(told(&[]), expected);
        assert_eq!(told(&[(1, &messages[2])]), expected, "the last one is known to the turns");
    }

    #[test]
    fn a_request_that_was_stopped_and_put_right_is_not_asked_for() {
        let stop = Message { author: Author::Harness, ..user("[Request interrupted by user]") };
        let [wrong, right] = ["have a look at lamp PIER-108, we mend it", "have a look at lamp QUAY-108, we mend it"];
        let told = |messages: &[Message<'_>]| {
            let turns = turns(&messages.iter().collect::<Vec<_>>(), &[]);
            let steps = accomplished::steps_alone(&turns);
            items(&turns, &[]).into_iter().chain(steps).map(|item| item.text).collect::<Vec<_>>()
        };
        let first = [user(wrong), stop.clone(), user(right)];
        assert_eq!(told(&first), [right.to_owned(), format!("Asked: “{right}”")]);
        let later = [vec![user("Draw a map.")], first.to_vec()].concat();
        assert!(told(&later).iter().all(|line| !line.contains("PIER")), "{:?}", told(&later));
        let unstopped = [user(wrong), user(right)];
        assert_eq!(told(&unstopped)[0], wrong);
        let other = [user(wrong), stop, user("Paint the lamp of the quay red first.")];
        assert_eq!(told(&other)[0], wrong);
    }

    #[test]
    fn thanks_in_a_few_words_are_no_request() {
        let asked = ["Draw a map of the harbour.", "Leave the pier out of it.", "Thanks again! Will do. Take care!"];
        assert_eq!(goal(&asked)[1], "Current request: Leave the pier out of it.");
        let promised = [asked[0], asked[1], "I'll look for the number of the quay and get back to you. Thank you!"];
        assert_eq!(goal(&promised)[1], "Current request: Leave the pier out of it.");
    }

    #[test]
    fn a_command_without_words_is_the_current_request() {
        let asked = ["Draw a map of the harbour.", "Leave the pier out.", "/harbour:review"];
        assert_eq!(goal(&asked)[1], format!("{CURRENT}/harbour:review"));
    }

    #[test]
    fn what_only_goes_on_is_told_with_the_request_before_it() {
        let asked = ["Draw a map of the harbour.", "Write a list of its lamps to lamps.md.", "also as a table please"];
        let told = format!("{CURRENT}also as a table please (after “Write a list of its lamps to lamps.md.”)");
        assert_eq!(goal(&asked)[1], told);
        assert_eq!(goal(&asked[1..])[1], format!("{CURRENT}also as a table please"), "the goal has it");
    }

    #[test]
    fn few_words_stand_behind_the_request_that_they_follow() {
        let asked = ["Why does the board show the ferry twice?", "List all causes that you find.", "fix all"];
        let told = [
            "Why does the board show the ferry twice?",
            "Current request: List all causes that you find. Then: “fix all”",
        ];
        assert_eq!(goal(&asked), told);
        assert_eq!(goal(&["Why does the board show the ferry twice?", "ok, go ahead"]), told[..1]);
        let pushed = ["Why does the board show the ferry twice? Then: “push”"];
        assert_eq!(goal(&["Why does the board show the ferry twice?", "push"]), pushed);
        let both = ["Run both", "Now write the docs of the board.", "Mend the map of the ferries."];
        let told =
            ["Run both Then: “Now write the docs of the board.”", "Current request: Mend the map of the ferries."];
        assert_eq!(goal(&both), told);
        assert_eq!(goal(&both[..2]), ["Run both", "Current request: Now write the docs of the board."]);
        assert_eq!(goal(&["运行测试", "Mend the map of the ferries."])[0], "运行测试");
        assert_eq!(goal(&["hi", "Mend the map of the ferries."]), ["Mend the map of the ferries."]);
    }

    #[test]
    fn what_the_user_found_well_is_no_longer_asked_for() {
        let asked = ["Draw a map of the harbour.", "Why is the pier missing on it?", "ok now it works", "commit"];
        assert_eq!(goal(&asked), ["Draw a map of the harbour. Then: “commit”"]);
        let but = [asked[0], asked[1], "it works, but the lamp is gone", "commit"];
        assert_eq!(goal(&but)[1], "Current request: it works, but the lamp is gone Then: “commit”");
        for asks in ["it works, now add the lamps too", "Explain how it works in the README.", "nothing works now"] {
            let told = goal(&[asked[0], asked[1], asks, "continue"]);
            assert!(told[1].starts_with(CURRENT), "{asks}: {told:?}");
        }
        assert_eq!(goal(&[asked[0], asked[1], asked[2], "go on"])[1], format!("{CURRENT}{}", asked[1]));
        assert_eq!(goal(&asked[..3])[1], format!("{CURRENT}{}", asked[1]), "nothing was asked since");
        assert_eq!(
            goal(&[asked[0], asked[1], asked[2], "Now add the lamps of the quay."])[1],
            "Current request: Now add the lamps of the quay."
        );
    }

    #[test]
    fn a_greeting_is_no_goal() {
        for greeting in
            ["Guten Tag", "Hola, buenas", "こんにちは", "السلام عليكم", "Hi, can you help me?", "I need help", "Merhaba"]
        {
            let told = goal(&[greeting, "Paint the pier of the harbour red.", "Light the lamp of the quay."]);
            assert_eq!(told[0], "Paint the pier of the harbour red.", "{greeting}");
        }
        assert_eq!(goal(&["Guten Tag"]), ["Guten Tag"]);
    }

    #[test]
    fn thanks_and_going_on_are_no_current_request_in_any_language() {
        for nod in ["ありがとう", "devam et", "계속해 주세요", "धन्यवाद"] {
            let told = goal(&["Paint the pier of the harbour red.", "Light the lamp of the quay.", nod]);
            assert_eq!(told[1..], ["Current request: Light the lamp of the quay."], "{nod}");
        }
    }

    #[test]
    fn what_only_opens_a_session_is_no_goal() {
        let map = "Mend the map of the ferries.";
        assert_eq!(goal(&["where did we leave off?", map]), [map]);
        let asked =
            ["How are you going to mend the map of the ferries, and when will it be done?", "Paint the pier red."];
        assert_eq!(goal(&asked)[0], asked[0]);
        for real in ["How are you handling the tides?", "Get familiar with the map and mend it."] {
            assert_eq!(goal(&[real, map])[0], real);
        }
        assert_eq!(goal(&["where did we leave off?"]), ["where did we leave off?"]);
    }

    #[test]
    fn a_command_that_nobody_answered_is_no_goal() {
        let asked = ["/lamp", "Mend the map of the ferries."];
        assert_eq!(goal(&asked), asked[1..]);
        assert_eq!(goal(&asked[..1]), asked[..1]);
        assert_eq!(goal(&["/lamps:light", asked[1]])[0], "/lamps:light");
    }

    #[test]
    fn of_a_long_brief_the_question_that_it_names_is_told() {
        let more =
            "The folder of the harbour has a table of all tides of the last forty years, with a column for each quay. ";
        let text = format!(
            "{more}\n\n{more}\n\n{more}\n\n\
             The question I have: how tides grow at night.\n\n{}",
            "- Draw a map of it, and paint the pier of it as well.\n".repeat(12)
        );
        let told = goal(&[&text]).remove(0);
        assert!(told.starts_with("The folder of the harbour"), "{told}");
        assert!(told.ends_with(" … The question I have: how tides grow at night."), "{told}");
    }
}
