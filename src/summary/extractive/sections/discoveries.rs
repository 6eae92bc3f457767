//! The items of Discoveries: findings and decisions of the agent, and errors, as sentences; never code or data.

use super::LONGEST_LINE;
use super::between;
use super::called::tells_fields;
use super::chosen::Chosen;
use super::drafted::drafts;
use super::matching::Wanted;
use super::mended::Mending;
use super::returned::Returned;
use super::runs::{is_inline, runs_only_code, with_code};
use super::sources::Sources;
use super::titles::Titles;
use super::ways::Ways;
use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::run::Command;
use crate::summary::extractive::calls::trials::is_trial;
use crate::summary::extractive::sentences::alone::stands;
use crate::summary::extractive::sentences::consent::{asks_consent, needs_word};
use crate::summary::extractive::sentences::cues::{Kind, doubts, is_passing, is_underway, tells_trouble};
use crate::summary::extractive::sentences::leaning::without_contrast;
use crate::summary::extractive::sentences::said::Said;
use crate::summary::extractive::session::endings::Endings;
use crate::summary::extractive::session::turns::Turn;
use crate::summary::items::Item;
use crate::summary::phrases::{EARLIER, LATER_OK};
use crate::summary::text::{cut, fold};
use crate::transcript::{Spread, base_name, pieces_of, spread};
use foldhash::{HashMap, HashSet};

/// Rank of a point of strength, of the last text of a turn, and of the newest turn above the oldest.
const STRENGTH: i64 = 100;
const CLOSING: i64 = 150;
pub(super) const NEWEST: i64 = 300;
const ERROR: i64 = 500;
/// Rank that a fixed error loses.
const MENDED: i64 = 400;
const ANSWER: i64 = 350;
const VERSION: i64 = 450;
/// Rank of what a search or a page said.
const SOURCE: i64 = 100;
/// Maximum length of a shown command, in characters.
const SHOWN: usize = 80;
/// Rank that what an agent says of a look-up gains, before it looks on.
const FOUND: i64 = 600;
/// Strength of a sentence that is no finding: useful only for the facts in it.
const PLAIN: i64 = -8;

/// Minimum number of calls that change nothing before a deed whose reason is told.
const LOOKS: usize = 2;

/// Bytes of sentences whose judgment is worth a core of its own.
const SENTENCES: usize = 16 << 10;

/// The findings of the turns; those in sentences are read in parallel.
pub(in crate::summary::extractive) fn items(turns: &[Turn<'_>], endings: &Endings, over: &dyn Spread) -> Vec<Item> {
    let last = i64::try_from(turns.len()).unwrap_or(i64::MAX).max(1);
    let newness = |place: usize| NEWEST * (i64::try_from(place).unwrap_or(i64::MAX) + 1) / last;
    let sizes = turns.iter().map(|turn| turn.said.iter().map(|said| said.sentence.len()).sum());
    let drafts = drafts(turns);
    let told = |place: usize| match drafts[place] {
        true => Vec::new(),
        false => said_in(&turns[place], endings, place + 1 < turns.len(), newness(place)),
    };
    let mut items =
        spread(over, &pieces_of(SENTENCES, sizes), |piece| piece.flat_map(told).collect::<Vec<_>>()).concat();
    let (mut by_tools, mut returned, mut wanted) = (Vec::new(), Returned::default(), Wanted::default());
    let (mut ways, mut titles, mut sources) = (Ways::default(), Titles::default(), Sources::default());
    for (place, turn) in turns.iter().enumerate() {
        turn.acts.iter().for_each(|act| ways.note(act, endings, newness(place)));
    }
    let (ways, told) = ways.items();
    let chosen = Chosen::of(turns);
    for (place, turn) in turns.iter().enumerate() {
        wanted.ask(turn);
        titles.ask(turn);
        sources.ask(turn);
        let matching = turn.acts.iter().filter_map(|act| {
            let own = wanted.told(act).or_else(|| titles.told(act)).map(|text| (text, ANSWER));
            let (text, rank) = own.or_else(|| Some((sources.told(act, turn)?, SOURCE)))?;
            Some(Item::new(cut(&text, LONGEST_LINE).into_owned(), act.message, rank + newness(place)))
        });
        by_tools.extend(matching);
        by_tools.extend(
            turn.acts
                .iter()
                .filter(|act| !is_ending(act, place, &endings.last) && !told.contains(&(act.message, act.call)))
                .filter_map(|act| told_by_tool(act, endings, &mut returned, newness(place) + chosen.rank(act))),
        );
    }
    items.extend(last_of_each(by_tools));
    items.extend(ways);
    items.sort_by_key(|item| item.origin);
    items
}

/// The findings in the sentences of a turn; `followed`: whether another turn follows.
fn said_in(turn: &Turn<'_>, endings: &Endings, followed: bool, newness: i64) -> Vec<Item> {
    let mending = Mending::of(turn, endings, followed);
    // What the agent only proposes is not worth more room.
    let proposes = turn.last_text().is_some_and(|(_, text)| asks_consent(text));
    let told = turn.said.iter().enumerate().filter(|(at, _)| !is_told_by_next(&turn.said[*at..]));
    let told = told.filter(|(_, said)| !endings.made_later(&said.sentence, said.message) && !mending.has(said));
    let leads = before_deeds(turn);
    let looks_up = !turn.acts.is_empty() && turn.acts.iter().all(|act| matches!(act.action, Action::Other(_)));
    let items = told.filter_map(|(_, said)| {
        let item = finding(said, newness)?;
        let holds = is_lasting(said) || looks_up && is_plain(said) && !is_doing(said);
        let is_found = holds && between::is_found(said, turn);
        // Between two look-ups it is what the first one found.
        let more = if is_found && looks_up { FOUND } else { 0 };
        let fills = item.fills || is_found || leads.contains(&said.message) && is_lasting(said);
        Some(Item { fills: fills && !proposes, rank: item.rank + more, ..item })
    });
    items.collect()
}

/// The messages of the texts that end a run of looks, each the last one that says something before a deed;
/// announcements say nothing.
fn before_deeds(turn: &Turn<'_>) -> HashSet<usize> {
    let tells = |said: &&Said| !matches!(said.kind, Kind::Empty) && !is_passing(&said.sentence);
    let (mut looks, mut found) = (0, HashSet::default());
    for act in &turn.acts {
        if !act.changes_files() {
            looks += 1;
            continue;
        }
        if std::mem::take(&mut looks) >= LOOKS {
            let said = &turn.said[..turn.said.partition_point(|said| said.message <= act.message)];
            found.extend(said.iter().rfind(tells).map(|said| said.message));
        }
    }
    found
}

/// Whether a sentence is a plain one that can stand alone.
fn is_plain(said: &Said) -> bool {
    said.kind == Kind::Other && stands(&said.sentence)
}

/// Whether it is a plain one that holds after a deed, too: no trouble, no guess, and not what is being done.
fn is_lasting(said: &Said) -> bool {
    is_plain(said) && !is_doing(said) && !tells_trouble(&said.sentence) && !doubts(&said.sentence.to_lowercase())
}

/// Whether it begins with what is being done: “Reading the log …”
fn is_doing(said: &Said) -> bool {
    said.sentence.split(' ').next().is_some_and(|first| first.to_lowercase().ends_with("ing"))
}

/// Without the mended failures that differ from a later one in digits only: “`make` failed, later ok: 16 errors”.
fn last_of_each(mut items: Vec<Item>) -> Vec<Item> {
    let mut seen = HashSet::default();
    items.reverse();
    items.retain(|item| {
        let is_over = item.text.contains("` failed, later ");
        !is_over || seen.insert(item.text.replace(|char: char| char.is_ascii_digit(), ""))
    });
    items.reverse();
    items
}

/// Whether the next sentence repeats this one as a prefix: “Ferry 7”, “Ferry 7: leaves at nine”.
fn is_told_by_next(said: &[Said]) -> bool {
    let [first, next, ..] = said else { return false };
    let rest = next.sentence.strip_prefix(first.sentence.trim_end_matches([':', ' ']));
    rest.is_some_and(|rest| rest.starts_with(": "))
}

/// Whether a failed call is listed as a step already: the last run of a command, or a call of another tool.
fn is_ending(act: &Act<'_>, place: usize, last: &HashMap<String, (usize, usize)>) -> bool {
    let is_told = match &act.action {
        Action::Run(command) => last.get(command.key()) == Some(&(place, act.message)),
        action => matches!(action, Action::Other(_)),
    };
    is_told && act.outcome.error().is_some()
}

/// Whether work that a sentence tells of is over once the turn is: it went on in the middle of the turn, or it was a run
/// in progress at its end.
fn is_passed(said: &Said) -> bool {
    !said.closing || said.sentence.contains(" in progress")
}

/// A sentence as an item; `None` if it is no finding that could be useful later.
pub(super) fn finding(said: &Said, newness: i64) -> Option<Item> {
    let strength = match said.kind {
        _ if said.obsolete => return None,
        // Work in progress is over, except in the newest turn.
        Kind::Finding(_) | Kind::Other if newness < NEWEST && is_underway(&said.sentence) && is_passed(said) => {
            return None;
        }
        // The user has answered since.
        Kind::Finding(_) | Kind::Other if newness < NEWEST && needs_word(&said.sentence) => return None,
        Kind::Finding(strength) => strength,
        Kind::Other if !is_passing(&said.sentence) => PLAIN,
        Kind::Other | Kind::Done | Kind::Empty => return None,
    };
    let closing = if said.closing { CLOSING } else { 0 };
    let rank = strength.min(9) * STRENGTH + if strength > 0 { closing } else { 0 } + newness;
    let item = Item::new(cut(&without_contrast(&said.sentence), LONGEST_LINE).into_owned(), said.message, rank);
    Some(Item { fills: said.closing && is_plain(said), ..item })
}

fn told_by_tool(act: &Act<'_>, endings: &Endings, returned: &mut Returned, newness: i64) -> Option<Item> {
    let (text, rank) = match (&act.action, act.outcome.error()) {
        (_, Some(_)) if endings.later.has_overcome(act) => return None,
        // What it was to show.
        (Action::Run(command), Some(_)) if is_trial(command) => return None,
        // A look that worked later.
        (Action::Run(command), Some(_))
            if command.is_quiet() && (endings.worked_later(command) || endings.ended_later(command)) =>
        {
            return None;
        }
        (Action::Run(command), Some(error)) if endings.worked_later(command) => {
            (format!("{} failed{LATER_OK}: {error}", short(command)), ERROR - MENDED)
        }
        (Action::Run(command), Some(error)) if endings.ended_later(command) => {
            (format!("{} failed, later without an error: {error}", short(command)), ERROR - MENDED)
        }
        // Its last outcome is listed as a step.
        (Action::Run(command), Some(error)) => (format!("{} failed{EARLIER}: {error}", short(command)), ERROR),
        // A change that failed first (not refused by the user) and worked later.
        (Action::Files(files), Some(error))
            if !error.contains("user") && files.iter().all(|(_, path)| endings.changed_later(path, act.message)) =>
        {
            return None;
        }
        // A view that worked later.
        (Action::Files(_), Some(_)) if endings.reached_later(act) => return None,
        (_, Some(error)) => (format!("{}{} failed: {error}", act.tool, object(act, error)), ERROR / 2),
        (Action::Run(command), None) => match act.absent().filter(|path| !endings.seen_later(path, act.message)) {
            Some(path) => (format!("`{path}` was not there"), ERROR - MENDED),
            None => (version(command, act)?, VERSION),
        },
        (Action::Other(call), None) => {
            let fields = returned.news_of(act).filter(|_| !tells_fields(act))?;
            (format!("`{call}` returned {fields}"), ANSWER)
        }
        _ => return None,
    };
    Some(Item::new(cut(&text, LONGEST_LINE).into_owned(), act.message, rank + newness))
}

/// The one file of a call, if the error does not name it.
fn object(act: &Act<'_>, error: &str) -> String {
    match act.files() {
        [(_, path)] if !path.is_empty() && !error.contains(base_name(path)) => {
            format!(" `{path}`")
        }
        _ => String::new(),
    }
}

fn short(command: &Command) -> String {
    let shown = command.shown();
    let is_whole = is_inline(shown) && shown.chars().count() <= SHOWN;
    match command.telling_line().filter(|_| !is_whole && runs_only_code(shown)) {
        Some(code) => with_code(shown, &code),
        None => format!("`{}`", cut(shown, SHOWN)),
    }
}

/// The version that a program prints in one line.
fn version(command: &Command, act: &Act<'_>) -> Option<String> {
    let asks = command.len() <= 80 && (command.contains("version") || command.ends_with(" -V"));
    let line = act.result.trim();
    let short_answer = !line.is_empty() && line.len() <= 120 && !line.contains('\n') && line.contains('.');
    (asks && short_answer && act.outcome.worked()).then(|| format!("{} says: {}", short(command), fold(line)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::builders::{act, agent, user};
    use crate::summary::extractive::session::turns::turns;
    use crate::summary::items::PLAIN as PLAIN_LINE;
    use crate::transcript::{InTurn, Message};

    fn found(head: &[&Message<'_>]) -> Vec<Item> {
        let turns = turns(head, &[]);
        items(&turns, &Endings::of(&turns, &[]), &InTurn)
    }

    #[test]
    fn a_file_that_a_command_did_not_find_was_not_there() {
        let look =
            act("Bash", r#"{"command":"ls /w/quay && cat /w/quay/lamps.json || echo missing"}"#, "missing", false);
        let told = |later: &[Message<'static>]| {
            let messages = [&look[..], later].concat();
            found(&messages.iter().collect::<Vec<_>>()).into_iter().map(|item| item.text).collect::<Vec<_>>()
        };
        assert_eq!(told(&[]), ["`/w/quay/lamps.json` was not there"]);
        let written = act("Write", r#"{"file_path":"/w/quay/lamps.json","content":"{}"}"#, "ok", false);
        let viewed = act("Bash", r#"{"command":"cat /w/quay/lamps.json"}"#, "{}", false);
        assert_eq!([told(&written), told(&viewed)], [[""; 0]; 2]);
    }

    #[test]
    fn what_is_said_between_two_look_ups_is_told_if_it_has_a_number_or_name() {
        let look = |pier: &str| act("open_page", &format!(r#"{{"pier":"{pier}"}}"#), "704 m, 2 (first)", false);
        let told = |said: &'static str, asked: &[Message<'static>]| {
            let last = [agent("Both piers are old ones, and the lamps of them burn all night.")];
            let messages = [&[user("How long are the piers?")], asked, &[agent(said)], &look("south"), &last].concat();
            let items = found(&messages.iter().collect::<Vec<_>>()).into_iter();
            items.filter(|item| item.fills && item.text == said).map(|item| item.rank > PLAIN_LINE).collect::<Vec<_>>()
        };
        let length = "The northern pier has a length of 704 metres without the steps.";
        assert_eq!(told(length, &look("north")), [true]);
        assert_eq!(told("The northern pier is a long one made of wood.", &look("north")), [true; 0], "nothing exact");
        assert_eq!(told("Let me look up the southern pier on page 2.", &look("north")), [true; 0]);
        assert_eq!(told("Now I take the first lamp of the northern pier (2).", &look("north")), [true; 0]);
        assert_eq!(told(length, &[]), [true; 0], "nothing was looked up");
        let run = act("bash", r#"{"command":"make lamps"}"#, "12 lamps", false);
        let counted = "The northern pier has a length of 704 metres and 12 lamps.";
        assert_eq!(told(counted, &run), [false], "a plain line in a session with commands");
        let written = act("Write", r#"{"file_path":"/w/pier.md","content":"x"}"#, "ok", false);
        assert_eq!(told(counted, &written), [true; 0], "said behind a change");
    }

    #[test]
    fn a_way_that_failed_is_told_once() {
        let run = |command: &str, result: &'static str| {
            act("bash", &serde_json::json!({ "command": command }).to_string(), result, false)
        };
        let late = "command timed out after 120 s\nExit code: 124";
        let messages = [run("rg lamp /w", late), run("rg oil /w", late), run("rg oil /w/quay", "oil.rs: oil")].concat();
        let told: Vec<String> = found(&messages.iter().collect::<Vec<_>>()).into_iter().map(|item| item.text).collect();
        assert_eq!(told, ["`bash` failed 2×, later ok: command timed out after 120 s (last with `rg oil /w`)"]);
    }

    #[test]
    fn a_failure_whose_command_ran_without_an_error_later_is_told_so() {
        let call = |lines: &str| format!(r#"{{"command":"python tides.py 2>&1 | tail -{lines}"}}"#);
        let broken = act("Bash", &call("30"), "Traceback (most recent call last):\nValueError: no gauge", false);
        let told = |last: &[Message<'static>]| {
            let messages = [&broken[..], last].concat();
            let head: Vec<&Message<'_>> = messages.iter().collect();
            found(&head).into_iter().map(|item| item.text).collect::<Vec<_>>()
        };
        let mended = "`python tides.py` failed, later without an error: ValueError: no gauge";
        assert_eq!(told(&act("Bash", &call("5"), "7 tides", false)), [mended]);
        let again = act("Bash", &call("5"), "Traceback (most recent call last):\nValueError: no pier", false);
        assert!(told(&again).iter().all(|line| !line.contains("later")), "{:?}", told(&again));
    }

    #[test]
    fn of_code_only_the_same_code_worked_later() {
        let run = |code: &str, printed: &'static str| {
            let command = format!("python3 - <<'E'\nimport tide\n{code}\nE");
            act("Bash", &serde_json::json!({ "command": command }).to_string(), printed, false)
        };
        let told = |later: &str| {
            let broken = run("tide.count(0)", "Traceback (most recent call last):\nValueError: no gauge");
            let messages = [&broken[..], &run(later, "7 tides")].concat();
            found(&messages.iter().collect::<Vec<_>>()).into_iter().map(|item| item.text).collect::<Vec<_>>()
        };
        let mended = "`python3 -`, code `tide.count(0)` failed, later without an error: ValueError: no gauge";
        assert_eq!(told("tide.count(0)"), [mended]);
        assert_eq!(told("tide.light(0)"), [""; 0], "it is told as a step");
    }

    #[test]
    fn a_view_that_worked_then_is_over() {
        let view = |path: &str, failed: bool| {
            act(
                "Read",
                &format!(r#"{{"file_path":"/w/{path}"}}"#),
                if failed { "Error: no such file" } else { "7" },
                failed,
            )
        };
        let told = |then: &str| {
            let messages = [view("tides.csv", true), view(then, false)].concat();
            found(&messages.iter().collect::<Vec<_>>()).len()
        };
        assert_eq!((told("tides.csv"), told("lamps.csv")), (0, 1));
    }

    #[test]
    fn of_failures_that_differ_in_their_numbers_the_last_is_told() {
        let run = |printed: &'static str, failed| act("Bash", r#"{"command":"make quay"}"#, printed, failed);
        let messages = [
            run("Error: found 16 loose planks", true),
            run("Error: found 2 loose planks", true),
            run("Error: the tide is in", true),
            run("done", false),
        ]
        .concat();
        let told: Vec<_> = found(&messages.iter().collect::<Vec<_>>()).into_iter().map(|item| item.text).collect();
        let last = ["Error: found 2 loose planks", "Error: the tide is in"];
        assert_eq!(told, last.map(|error| format!("`make quay` failed, later without an error: {error}")));
    }

    #[test]
    fn what_stands_before_each_of_its_points_is_not_told_alone() {
        let points = "- Ferry ID: QX7:\n  - Leaves: the old pier\n  - Arrives: the `north` quay\n- Ferry ID: QX8";
        let messages = [user("Which ferries are there?"), agent(points)];
        let told: Vec<_> = found(&messages.iter().collect::<Vec<_>>()).into_iter().map(|item| item.text).collect();
        let ferries = ["Ferry ID: QX7: Leaves: the old pier; Arrives: the `north` quay", "Ferry ID: QX8"];
        assert_eq!(told, ferries);
    }

    #[test]
    fn plain_sentences_of_a_last_text_are_worth_more_room_unless_it_proposes() {
        let closing = |text: &str| {
            let messages = [user("Which ferries are there?"), agent(text)];
            let items = found(&messages.iter().collect::<Vec<_>>());
            items.into_iter().filter(|item| item.fills).map(|item| item.text).collect::<Vec<_>>()
        };
        let plain = "The ferry of the old pier carries forty people in the evening.";
        assert_eq!(closing(plain), [plain]);
        assert!(closing(&format!("{plain}\n\nShall I book it?")).is_empty());
    }

    #[test]
    fn a_text_that_was_asked_for_has_no_findings() {
        let told = |asked: &str| {
            let draft = "The keeper of the northern pier has 12 lamps, and the old ferry never came back to him.";
            let messages = [user(asked), agent(draft), user("Make it shorter."), agent(draft)];
            found(&messages.iter().collect::<Vec<_>>()).len()
        };
        assert_eq!((told("Write a story about the quay for me."), told("What is there at the quay?")), (0, 2));
    }

    #[test]
    fn what_went_on_is_over_in_an_earlier_turn() {
        let said = |sentence: &str| Said::new(0, sentence.into());
        let underway = said("The root cause is that `build` is still waiting for the lock.");
        assert!(finding(&underway, NEWEST / 2).is_none() && finding(&underway, NEWEST).is_some());
    }

    #[test]
    fn a_failure_that_stands_among_the_steps_is_no_discovery() {
        let failed = |tool: &str, args: &str| {
            let messages = act(tool, args, "Error: no such tide", true);
            let head: Vec<&Message<'_>> = messages.iter().collect();
            found(&head).into_iter().map(|item| item.text).collect::<Vec<_>>()
        };
        assert!(failed("book_tide", r#"{"harbour":"north"}"#).is_empty());
        assert!(failed("bash", r#"{"command":"make tide"}"#).is_empty());
        assert_eq!(failed("Read", r#"{"file_path":"tides.csv"}"#), ["Read `tides.csv` failed: Error: no such tide"]);
    }

    #[test]
    fn a_refused_change_that_worked_then_is_over() {
        let change = |path: &str, failed: bool| {
            let said = if failed { "Error: no match" } else { "ok" };
            act("Edit", &format!(r#"{{"file_path":"/w/{path}"}}"#), said, failed)
        };
        let told = |then: &str| {
            let messages = [change("tides.csv", true), change(then, false)].concat();
            found(&messages.iter().collect::<Vec<_>>()).into_iter().map(|item| item.text).collect::<Vec<_>>()
        };
        assert_eq!(told("tides.csv"), [""; 0]);
        assert_eq!(told("lamps.csv"), ["Edit `/w/tides.csv` failed: Error: no match"]);
        let named = act("Read", r#"{"file_path":"/w/tides.csv"}"#, "Error: no tides.csv here", true);
        let named: Vec<_> = found(&named.iter().collect::<Vec<_>>()).into_iter().map(|item| item.text).collect();
        assert_eq!(named, ["Read failed: Error: no tides.csv here"]);
    }
}
