//! The lines about calls of other tools than commands and changes of files, with their outcome.

use super::LONGEST_LINE;
use super::accomplished::{BINDING, STORY, TIER, rank};
use super::printed::{first_line, only_line};
use super::runs;
use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::delegates::{reported, without_header};
use crate::summary::extractive::calls::nothing::is_nothing;
use crate::summary::extractive::calls::outcome::CallOutcome;
use crate::summary::extractive::calls::replies;
use crate::summary::extractive::calls::shown::arguments;
use crate::summary::extractive::calls::stated::agrees;
use crate::summary::extractive::calls::verbs;
use crate::summary::extractive::session::endings::Endings;
use crate::summary::items::Item;
use crate::summary::phrases::STILL_RUNS;
use crate::summary::text::{cut, fold, starts_any};
use std::borrow::Cow;

/// Maximum length of a quoted answer of a call, in characters.
const ANSWER: usize = 120;

/// Maximum length of the fields of the result of a change where there is little room, in characters.
const BRIEF: usize = 60;

/// The same of the call itself.
const CALL: usize = 70;

/// Labels of lines that only name a page that was found.
const PAGE: [&str; 4] = ["Title: ", "URL: ", "Link: ", "Source: "];

/// Arguments of calls that point at the screen.
const POINTS: [&str; 12] =
    ["x", "y", "action", "amount", "button", "clicks", "direction", "dx", "dy", "num_clicks", "scroll_x", "scroll_y"];

/// Words in the names of such tools: what they move or press, and what may stand beside it; with others, as in
/// `scroll_valve`, it is no pointer. What is dragged is drawn or put elsewhere.
const POINTERS: [&str; 6] = ["click", "computer", "hover", "mouse", "scroll", "tap"];
const WITH_POINTERS: [&str; 17] = [
    "at",
    "browser",
    "button",
    "coordinates",
    "desktop",
    "double",
    "left",
    "middle",
    "move",
    "page",
    "point",
    "pointer",
    "press",
    "right",
    "screen",
    "tool",
    "use",
];
const DRAGS: &str = "drag";

/// The ending of a call that looked up what there is not.
const FOUND_NOTHING: &str = ": found nothing";

/// The company of other calls: between changes of files they rank lower.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Among {
    /// The session has changes of files or commands.
    Changes,
    /// It has only other calls.
    Calls,
}

/// What the user said instead of allowing a call.
pub(in crate::summary::extractive) fn instead(act: &Act<'_>, newness: i64) -> Option<Item> {
    let said = replies::said_instead(act.result).filter(|_| act.outcome == CallOutcome::Refused)?;
    let text = format!("User answered: “{}”", cut(&fold(said), LONGEST_LINE));
    Some(Item::new(text, act.message, rank(newness, 0) + STORY))
}

/// The calls of other tools in a session: what they are among, and how all calls ended.
#[derive(Clone, Copy)]
pub(super) struct Calls<'e> {
    pub(super) among: Among,
    pub(super) endings: &'e Endings,
}

impl Calls<'_> {
    /// A call of another tool, with its outcome; `news`: what is new in its result.
    pub(super) fn told(self, act: &Act<'_>, news: Option<&str>, newness: i64) -> Option<Item> {
        let Action::Other(shown) = &act.action else { return None };
        // A question is printed with the user's answer, and what the call says as the agent's words.
        let is_answered = act.asks_user && act.outcome.worked() && replies::answered(act.result);
        if is_answered || act.speaks && act.outcome.failure().is_none() {
            return None;
        }
        let in_code = self.among == Among::Changes;
        let (looks, changes) = (verbs::looks(act.tool) || reads_page(act), verbs::changes(act.tool));
        // The next agent must know of a change that was not made, unless the same call worked then.
        let is_over = self.endings.reached_later(act);
        let acts = verbs::may_change(act.tool);
        let is_lacking = acts && !is_over && matches!(act.outcome, CallOutcome::Failed(_));
        let of_failed = if is_over { 5 } else { i64::from(in_code) + if acts { 1 } else { 2 } };
        let (ending, tier) = match &act.outcome {
            CallOutcome::Done(_) | CallOutcome::Ended if shown.ends_with("()") && !changes => return None,
            CallOutcome::Done(_) | CallOutcome::Ended if only_points(act.tool, shown) && is_silent(act, news) => {
                return None;
            }
            // It was ended by another call, or its result is in that of one.
            CallOutcome::Ended if act.flags.is_none() => return None,
            CallOutcome::Failed(_) if looks && is_over => return None,
            CallOutcome::Refused if act.asks_user => match instead(act, newness) {
                Some(said) => return Some(said),
                None => (": not answered".to_owned(), 2),
            },
            CallOutcome::Refused => return Some(runs::refused(shown, act, newness)),
            CallOutcome::Done(_) | CallOutcome::Ended if finds_nothing(act) => {
                (FOUND_NOTHING.to_owned(), if in_code { 5 } else { 4 })
            }
            // What it returned is told as a finding.
            CallOutcome::Done(_) | CallOutcome::Ended if news.is_some() && !tells_fields(act) => return None,
            CallOutcome::Done(_) | CallOutcome::Ended if changes => (ended(act, news), if in_code { 2 } else { 1 }),
            CallOutcome::Done(_) | CallOutcome::Ended => (ended(act, news), if looks || in_code { 5 } else { 1 }),
            CallOutcome::Failed(detail) if detail.is_empty() => (": failed".to_owned(), of_failed),
            CallOutcome::Failed(detail) => (format!(": failed: {detail}"), of_failed),
            CallOutcome::Unknown => (": no result".to_owned(), 2),
            CallOutcome::Running => (format!(": {STILL_RUNS}"), 2),
        };
        // What a talk has come to is what its calls changed.
        let counts = !in_code && changes && (act.outcome.worked() || is_lacking);
        let more = if counts { 2 * BINDING } else { 0 } + if is_lacking { TIER / 2 } else { 0 };
        let line = |call: &str, ending: &str| cut(&format!("Called `{call}`{ending}"), LONGEST_LINE).into_owned();
        let whole = line(shown, &ending);
        let text = if counts { line(&few_arguments(shown), brief(&ending)) } else { whole.clone() };
        let whole = Some(whole).filter(|whole| whole.len() > text.len());
        Some(Item { whole, ..Item::new(text, act.message, rank(newness, tier) + more) })
    }
}

/// A call with its first arguments, as many as fit little room, but at least one.
fn few_arguments(shown: &str) -> Cow<'_, str> {
    let mut ends = ends(shown);
    let first = ends.next().unwrap_or(shown.len());
    let end = ends.take_while(|end| shown[..*end].chars().count() <= CALL).last().unwrap_or(first);
    if end == shown.len() { Cow::Borrowed(shown) } else { Cow::Owned(format!("{}, …)", &shown[..end])) }
}

/// The places at which the fields of a line end.
fn ends(fields: &str) -> impl Iterator<Item = usize> {
    fields.match_indices(", ").map(|(at, _)| at).chain([fields.len()])
}

/// The first fields of how a call ended, as many as fit little room.
fn brief(ending: &str) -> &str {
    let fit = |at: &usize| ending[..*at].chars().count() <= BRIEF;
    // The names of columns are one field.
    let is_whole = |at: &usize| ending[..*at].matches('(').count() == ending[..*at].matches(')').count();
    ends(ending)
        .take_while(fit)
        .filter(is_whole)
        .last()
        .filter(|_| ending.contains(" returned "))
        .map_or(ending, |at| &ending[..at])
}

/// Whether a call looked something up, and its result is empty.
fn finds_nothing(act: &Act<'_>) -> bool {
    verbs::looks_up(act.tool) && is_nothing(act.result)
}

/// Whether the line of a call has the fields of its result: it may have changed something.
pub(super) fn tells_fields(act: &Act<'_>) -> bool {
    let is_known = match act.outcome {
        CallOutcome::Done(_) => true,
        CallOutcome::Ended => act.flags.is_some(),
        _ => false,
    };
    is_known && verbs::may_change(act.tool) && !reads_page(act)
}

/// Whether a call reads a page, whose first line is a heading.
fn reads_page(act: &Act<'_>) -> bool {
    matches!(&act.action, Action::Other(shown) if verbs::reads_page(act.tool, shown))
}

/// Whether a call only moves a pointer or presses its button, at a point of the screen that says nothing.
fn only_points(tool: &str, shown: &str) -> bool {
    let words = verbs::words(verbs::bare_name(tool));
    let is = |list: &[&str], word: &String| list.contains(&word.as_str());
    let is_pointer = words.iter().any(|word| is(&POINTERS, word))
        && words.iter().all(|word| is(&POINTERS, word) || is(&WITH_POINTERS, word));
    is_pointer
        && arguments(shown).any(|arg| POINTS[..2].contains(&arg.name))
        && arguments(shown).all(|arg| !arg.is_list && POINTS.contains(&arg.name) && !arg.value.contains(DRAGS))
}

/// Whether the answer of a call says no more than that it worked.
fn is_silent(act: &Act<'_>, news: Option<&str>) -> bool {
    matches!(&*ended(act, news), "" | ": ok")
}

/// How a call ended of which no error is known: by its answer if that is one short line of words, which may say no; if
/// it may change something, by the fields of its answer or, if nothing says whether it worked, by the first line.
fn ended(act: &Act<'_>, news: Option<&str>) -> String {
    let is_said = |line: &String| {
        let is_words = !line.starts_with(['{', '[', '<', '#', '|', '`']) && !line.contains(['`', '“', '”']);
        let is_words = is_words && !starts_any(line, &PAGE);
        // “clicked” of `click` says no more than “ok”.
        let is_done = verbs::is_done_by(act.tool, &line.trim_end_matches(['.', '!']).to_lowercase());
        is_words && line.chars().count() <= ANSWER && !agrees(line) && !is_done
    };
    let quoted = |line: Option<String>| line.filter(is_said).map(|line| format!(": “{line}”"));
    let is_ok = act.outcome != CallOutcome::Ended;
    let ok = if is_ok { "ok, " } else { "" };
    let fields = || news.filter(|_| tells_fields(act)).map(|fields| format!(": {ok}returned {fields}"));
    let report = Some(act.result).filter(|_| act.delegates).and_then(reported);
    let result = report.as_deref().unwrap_or_else(|| without_header(act.result));
    let is_open = || !is_ok && tells_fields(act);
    let first = || quoted(is_open().then(|| first_line(result)).flatten());
    let said = quoted(only_line(result)).or_else(fields).or_else(first);
    said.unwrap_or_else(|| if is_ok { ": ok".to_owned() } else { String::new() })
}

#[cfg(test)]
mod tests {
    use super::super::returned::Returned;
    use super::*;
    use crate::summary::builders::act;
    use crate::summary::extractive::session::turns::turns;
    use crate::transcript::Message;

    #[test]
    fn the_envelope_of_a_report_is_no_answer() {
        let result = "Subagent 'keeper' finished.\nTermination Reason: GOAL\nResult:\n{\"response\": \"I lit 3 lamps.\\nOne is out.\"}";
        let messages = act("invoke_agent", r#"{"agent_name":"keeper","prompt":"Light the lamps."}"#, result, false);
        let turns = turns(&messages.iter().collect::<Vec<_>>(), &[]);
        let told = Calls { among: Among::Changes, endings: &Endings::of(&turns, &[]) }.told(&turns[0].acts[0], None, 0);
        assert!(told.is_some_and(|item| !item.text.contains("finished")), "the report is told as sentences");
    }

    #[test]
    fn between_changes_of_files_a_call_that_changes_something_ranks_above_one_that_looks() {
        let rank = |tool| {
            let messages = act(tool, r#"{"name":"tides"}"#, r#"{"id":7}"#, false);
            let head: Vec<&Message<'_>> = messages.iter().collect();
            let turns = turns(&head, &[]);
            Calls { among: Among::Changes, endings: &Endings::of(&turns, &[]) }
                .told(&turns[0].acts[0], None, 0)
                .map(|item| item.rank)
        };
        assert!(rank("create_page") > rank("get_page") && rank("lamp_publish") > rank("lamp_status"));
    }

    #[test]
    fn the_names_of_columns_are_not_parted() {
        assert_eq!(
            brief(": ok, returned fee 3, state new, card c9, to the keeper of the old pier"),
            ": ok, returned fee 3, state new, card c9"
        );
        let columns = ": ok, returned crew (name, born, berth) Ann Lee 2001 4; Bo Ray 1999 5; Cy Fox 1988 6";
        assert_eq!(brief(columns), ": ok");
        let long = ": returned crew (name, born, berth) Ann Lee 2001 4; Bo Ray 1999 5; Cy Fox 1988 6";
        assert_eq!(brief(long), long);
    }

    #[test]
    fn a_call_has_its_first_arguments_where_there_is_little_room() {
        assert_eq!(few_arguments("pay(card=c9, sum=7)"), "pay(card=c9, sum=7)");
        let long = "book_ferry(from=the old pier of the town, to=the island, at=2031-05-27, seats 4; 5; 6, card=c9)";
        assert_eq!(few_arguments(long), "book_ferry(from=the old pier of the town, to=the island, at=2031-05-27, …)");
        let one = format!("send(text={})", "the ferry is late ".repeat(9));
        assert_eq!(few_arguments(&one), one);
        assert_eq!(few_arguments(&one.replace(')', ", to=all)")), one.replace(')', ", …)"));
    }

    #[test]
    fn a_call_is_told_by_the_words_of_its_answer() {
        let pay = |result| {
            let messages = act("pay", r#"{"card":"c9"}"#, result, false);
            let head: Vec<&Message<'_>> = messages.iter().collect();
            let turns = turns(&head, &[]);
            let calls = Calls { among: Among::Calls, endings: &Endings::of(&turns, &[]) };
            let act = &turns[0].acts[0];
            let news = Returned::default().news_of(act);
            calls.told(act, news.as_deref(), 0).map(|item| item.text).unwrap_or_default()
        };
        assert_eq!(pay("Transfer denied: no funds."), "Called `pay(card=c9)`: “Transfer denied: no funds.”");
        for plain in ["OK", "Done.", r#"{"success":true}"#] {
            assert_eq!(pay(plain), "Called `pay(card=c9)`: ok", "{plain}");
        }
        for (open, told) in [
            (r#"{"paid":true,"fee":3}"#, ": ok, returned paid true, fee 3"),
            (r#"{"status":"paid"}"#, ": ok, returned status paid"),
            (r#"{"fee":3,"state":"pending"}"#, ": returned fee 3, state pending"),
            (r#"{"paid":false}"#, ": failed"),
            ("null", ": “null”"),
            ("Observation: The card is new.", ": “The card is new.”"),
            ("month | fee\n1 | 7", ": returned (month, fee) 1 7"),
            ("CARD   FEE  STATUS\nc9     7    new", ""),
            ("CARD REFUSED NOW\nRef A-1, fee 7", ": “CARD REFUSED NOW”"),
            ("Paid: card c9 | fee 7\nRef | 7", ": “Paid: card c9 | fee 7”"),
            ("card | fee\nRef 7", ": “card | fee”"),
            (r#"{"success":true,"receipt":"R7","rows":[{"no":1,"#, ": returned receipt R7"),
            (r#"{"error":null,"result":{"success":false,"message":"no funds","rows":[1"#, ": failed: no funds"),
            ("The card is new.\nKeep it dry.", ": “The card is new.”"),
            ("Title: Ferries\nURL: https://quay.example/1", ""),
            ("", ""),
            (&*"The ferry is full. ".repeat(8), ""),
        ] {
            assert_eq!(pay(open), format!("Called `pay(card=c9)`{told}"), "{open}");
        }
    }

    #[test]
    fn a_call_whose_result_is_a_finding_is_no_step() {
        let told = |tool| {
            let messages = act(tool, r#"{"ferry":"F1"}"#, r#"{"success":true,"pier":"north"}"#, false);
            let head: Vec<&Message<'_>> = messages.iter().collect();
            let turns = turns(&head, &[]);
            let act = &turns[0].acts[0];
            let news = Returned::default().news_of(act);
            let calls = Calls { among: Among::Calls, endings: &Endings::of(&turns, &[]) };
            calls.told(act, news.as_deref(), 0).map(|item| item.text)
        };
        assert_eq!(told("get_ferry"), None);
        assert_eq!(told("move_ferry").as_deref(), Some("Called `move_ferry(ferry=F1)`: ok, returned pier north"));
    }

    #[test]
    fn a_page_is_not_told_by_its_heading_and_a_click_at_a_point_not_at_all() {
        let told = |tool, arguments, result| {
            let messages = act(tool, arguments, result, false);
            let head: Vec<&Message<'_>> = messages.iter().collect();
            let turns = turns(&head, &[]);
            Calls { among: Among::Calls, endings: &Endings::of(&turns, &[]) }
                .told(&turns[0].acts[0], None, 0)
                .map(|item| item.text)
        };
        let page = "Tides of Gullwick\nThe tide is high.";
        assert_eq!(told("open_page", r#"{"id":"3"}"#, page).as_deref(), Some("Called `open_page(id=3)`"));
        assert_eq!(
            told("open_lock", r#"{"id":"3"}"#, page).as_deref(),
            Some("Called `open_lock(id=3)`: “Tides of Gullwick”")
        );
        let point = r#"{"x":412,"y":880}"#;
        assert_eq!(told("click", point, "clicked"), None);
        assert_eq!(told("computer", r#"{"action":"click","x":412,"y":880}"#, "ok"), None);
        for (tool, arguments) in [
            ("mouse_drag", r#"{"x":1,"y":2}"#),
            ("mouse_move", r#"{"x":1,"y":2,"x2":300,"y2":400}"#),
            ("computer", r#"{"action":"left_click_drag","x":412,"y":880}"#),
            ("move_cursor", point),
            ("scroll_valve", r#"{"amount":7,"x":3}"#),
        ] {
            assert!(told(tool, arguments, "ok").is_some_and(|line| line.ends_with(": ok")), "{tool}");
        }
        let sum = r#"{"x":2,"y":3}"#;
        assert_eq!(told("add", sum, "5").as_deref(), Some("Called `add(x=2, y=3)`: “5”"));
        let opened = told("click", point, "The dialog opened.");
        assert_eq!(opened.as_deref(), Some("Called `click(x=412, y=880)`: “The dialog opened.”"));
        let failed = "Called `click(x=412, y=880)`: failed: no window";
        assert_eq!(told("click", point, r#"{"error":"no window"}"#).as_deref(), Some(failed));
        let text = "Called `click(x=412, text=Pay)`";
        assert_eq!(told("click", r#"{"x":412,"text":"Pay"}"#, "clicked").as_deref(), Some(text));
    }

    #[test]
    fn a_lookup_with_an_empty_result_found_nothing() {
        let told = |tool, result| {
            let messages = act(tool, r#"{"day":"9"}"#, result, false);
            let head: Vec<&Message<'_>> = messages.iter().collect();
            let turns = turns(&head, &[]);
            Calls { among: Among::Calls, endings: &Endings::of(&turns, &[]) }
                .told(&turns[0].acts[0], None, 0)
                .map(|item| item.text)
        };
        for tool in ["search_ferries", "island_ferries_search", "ferry_status"] {
            assert_eq!(told(tool, "[]"), Some(format!("Called `{tool}(day=9)`: found nothing")));
        }
        assert_ne!(told("book_ferry", "{}").as_deref(), Some("Called `book_ferry(day=9)`: found nothing"));
        assert_ne!(
            told("search_ferries", r#"["F1"]"#).as_deref(),
            Some("Called `search_ferries(day=9)`: found nothing")
        );
    }

    #[test]
    fn what_a_change_returned_is_brief_where_there_is_little_room() {
        let ending = ": ok, returned status open, id P-7, keeper Ada of the harbour office, eta May 3, pier 4";
        assert_eq!(brief(ending), ": ok, returned status open, id P-7");
        assert_eq!(brief(": ok"), ": ok");
        assert_eq!(
            brief(": ok, as ever and ever, and as long as there is oil in the lamps of it"),
            ": ok, as ever and ever, and as long as there is oil in the lamps of it"
        );
    }

    #[test]
    fn a_failure_ranks_above_what_worked_and_a_lookup_that_worked_then_is_over() {
        let told = |calls: &[(&str, &str, &str)]| {
            let all = calls.iter().flat_map(|(tool, args, result)| act(tool, args, result, false));
            let messages: Vec<Message<'_>> = all.collect();
            let head: Vec<&Message<'_>> = messages.iter().collect();
            let turns = turns(&head, &[]);
            let calls = Calls { among: Among::Calls, endings: &Endings::of(&turns, &[]) };
            turns[0].acts.iter().map(|act| calls.told(act, None, 0)).collect::<Vec<_>>()
        };
        let (failed, fine) = (r#"{"error":"the pier is dry"}"#, r#"{"success":true}"#);
        let rank = |result| told(&[("pay", r#"{"card":"c9"}"#, result)]).remove(0).map(|item| item.rank);
        assert!(rank(failed) > rank(fine));
        let paid = |result| ("pay", r#"{"card":"c9"}"#, result);
        let both: Vec<_> =
            told(&[paid(failed), paid(fine)]).into_iter().map(|item| item.map(|item| item.rank)).collect();
        assert!(both[0] < both[1]);
        // The change was made on another day.
        let on = |day: &str| format!(r#"{{"booking":"B-7","day":"{day}"}}"#);
        let moved = told(&[("move_booking", &on("May 2"), failed), ("move_booking", &on("May 3"), fine)]);
        let ranks: Vec<_> = moved.into_iter().map(|item| item.map(|item| item.rank)).collect();
        assert!(ranks[0] < ranks[1], "{ranks:?}");
        let look = |pier: &str, result| {
            ("get_tide", if pier == "north" { r#"{"pier":"north","on":1}"# } else { r#"{"pier":"south"}"# }, result)
        };
        assert!(told(&[look("north", failed), ("get_tide", r#"{"pier":"north"}"#, "7")])[0].is_none());
        assert!(told(&[look("north", failed), look("south", "7")])[0].is_some());
        let row = |id: &'static str, result| ("get_row", id, result);
        let rows = told(&[row(r#"{"table":"lamps","id":7}"#, failed), row(r#"{"table":"lamps","id":8}"#, "red")]);
        assert!(rows[0].is_some(), "another row was found");
        let unknown = |result| told(&[("gutschein_einloesen", r#"{"nummer":"c9"}"#, result)]).remove(0);
        assert!(unknown(failed).map(|item| item.rank) > unknown(fine).map(|item| item.rank));
    }
}
