//! K02, K04: the first and latest requests, and unfinished work.

use super::failures::Failure;
use super::scripts::{says, words_of};
use super::stems::stems;
use super::twins::differ;
use crate::facts::extract;
use crate::gates::plan::{Plan, TICKED};
use crate::gates::settings::Limits;
use crate::gates::{Finding, GateResult, Pair, Tools, View};
use crate::measure::Share;
use crate::measure::constraints::{self, content_words, holds, split};
use crate::measure::pattern;
use crate::measure::quoted::without_added;
use crate::summary::{CURRENT, is_request, only_closes, own_words, parse, request_section};
use crate::transcript::{Author, Message};
use regex::Regex;
use serde_json::Value;
use std::cell::LazyCell;
use std::collections::HashSet;
use std::sync::LazyLock;

/// Most words of a request that is looked for by the words which another one lacks.
const SHORT: usize = 20;
/// Least number of content words by which a request can be looked for.
const TELLING: usize = 2;

/// K02: the first and the latest request are kept, or the summary has 60 % of their words.
pub(in crate::gates) fn represented(view: &View<'_>, pair: Pair<'_>, _: &Tools<'_>, _: Limits) -> GateResult {
    let original = pair.original;
    let messages = &original.transcript.messages;
    let telling = |at: &usize| is_telling(&own_words(&messages[*at].said()));
    let users: Vec<usize> = (0..messages.len()).filter(|at| is_said_now(&messages[*at]) && telling(at)).collect();
    // With an earlier summary, the goal is the one stated there.
    let summarized = messages.iter().any(|message| message.author == Author::Summary);
    let first = users.first().filter(|_| !summarized).map(|at| (*at, "first"));
    let latest = users.last().filter(|at| first.is_none_or(|(first, _)| first != **at)).map(|at| (*at, "latest"));
    let ends: Vec<(usize, &str)> = first.into_iter().chain(latest).collect();
    let (mut findings, spread) = (Vec::new(), Retold::of(view));
    for (at, which) in &ends {
        let words = own_words(&messages[*at].said());
        if !view.kept.originals.contains(at) && !is_said(&messages[*at], view) && !spread.has(&words) {
            let in_others = is_in_other_letters(&words);
            let condensed = is_condensed(&messages[*at], view);
            let what = if condensed { "told in few of its words" } else { "not represented" };
            let finding = Finding::new(view.summary_line(), format!("the {which} request is {what}"));
            let finding = if condensed || in_others || spread.names_some(&words) { finding.warning() } else { finding };
            let finding = finding.about(words.trim().to_owned());
            findings.push(Finding { original: view.original_spot(*at), ..finding });
        } else if !view.kept.originals.contains(at) && is_told_as_another(&words, view, &users) {
            let what = format!("of the {which} request, only the words of another one like it are told");
            let finding = Finding::new(view.summary_line(), what).about(words.trim().to_owned()).warning();
            findings.push(Finding { original: view.original_spot(*at), ..finding });
        }
    }
    let kept = ends.len() - findings.len();
    findings.extend(outdated(view, &users));
    GateResult::of(Share { kept, of: ends.len() }, findings)
}

/// Finding if the line “Current request” of a summary states an older request than the newest one that is gone, and no
/// other line of its section states the newest.
fn outdated(view: &View<'_>, users: &[usize]) -> Option<Finding> {
    let messages = &view.original.as_ref()?.transcript.messages;
    let words = |at: usize| words_of(&own_words(&messages[at].said()));
    let gone = *users.iter().rfind(|at| !view.kept.originals.contains(at))?;
    let newest = words(gone);
    view.summary.iter().find_map(|summary| {
        let lines: Vec<&str> = summary.text.lines().map(|line| line.trim_start_matches(['-', '*', ' '])).collect();
        let (at, certain) = current_at(&lines)?;
        // What was asked before may stand behind it.
        let line = EARLIER.split(lines[at]).next().unwrap_or_default();
        let current = words_of(&without_added(line));
        // A short one may be too short to be looked for, and still be the newest.
        let asked = (0..messages.len()).rfind(|at| is_said_now(&messages[*at]) && holds(&words(*at), &current))?;
        let until = lines[at + 1..].iter().position(|line| line.starts_with('#'));
        let until = until.map_or(lines.len(), |next| at + 1 + next);
        let told = current.len() < TELLING
            || newest.len() <= TELLING
            || holds(&newest, &current)
            || says(&newest, &[&[line], &lines[at + 1..until]].concat());
        let finding = Finding::new(summary.line, "what is said to be the current request was asked before another one")
            .at(at + 1)
            .about(lines[at].to_owned());
        (asked < gone && !told).then(|| if certain { finding } else { finding.warning() })
    })
}

/// The line of a summary that states the current request, and whether it says so: what the agent works on may be
/// an older one.
fn current_at(lines: &[&str]) -> Option<(usize, bool)> {
    let stated = lines.iter().position(|line| line.starts_with(CURRENT) || STATED.is_match(line));
    let below = || {
        let heading = lines.iter().position(|line| HEADED.is_match(line))?;
        let next = lines[heading + 1..].iter().position(|line| !line.trim().is_empty())? + heading + 1;
        (!lines[next].starts_with('#')).then_some((next, HEADED.captures(lines[heading])?.get(1).is_some()))
    };
    stated.map(|at| (at, true)).or_else(below)
}

/// “The current request is to …”, “Latest request: …”, “The user now wants to know …”.
static STATED: LazyLock<Regex> = LazyLock::new(|| {
    let label = r"(?:current|latest|newest|most recent|last) (?:user )?(?:request|task|ask|question)";
    pattern(&format!(
        r"(?i)^(?:the )?(?:user['’]s )?{label}(?: (?:of|from) the user)?(?:\*\*)?(?::| is\b)|^(?:now,? )?the user (?:now |currently )(?:wants|asks|needs)\b"
    ))
});
/// “## Current work”, and “## Current request”, which says more (1).
static HEADED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)^#{1,6} (?:\d+\. )?(?:(?:the )?(?:current|latest) (?:user )?(request|task)|current work)\W*$")
});
/// What begins a note of what was asked before.
static EARLIER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)[(;.,—–-]\s*(?:before(?: that)?|earlier|previously|prior to that)\b[,:]?"));

/// The words of summaries by other tools, which tell a request anew and over several lines; none if one is of ours.
struct Retold {
    /// The words of each group of neighboring lines.
    near: Vec<HashSet<String>>,
    stems: HashSet<String>,
}

impl Retold {
    fn of(view: &View<'_>) -> Self {
        let lines = if view.summary.iter().any(|text| text.ours) { Vec::new() } else { view.summary_lines() };
        Self::of_lines(&lines)
    }

    fn of_lines(lines: &[&str]) -> Self {
        let lines: Vec<&str> = lines.iter().copied().filter(|line| !line.trim().is_empty()).collect();
        let groups = lines.windows(NEAR.min(lines.len()).max(1));
        Self { near: groups.map(|lines| words_of(&lines.join("\n"))).collect(), stems: stems(&lines.join("\n")) }
    }

    /// Whether neighboring lines have most words of a request.
    fn has(&self, request: &str) -> bool {
        let request = words_of(request);
        self.near.iter().any(|words| holds(words, &request))
    }

    /// Whether they have some of the long words of a request: it may be told in others.
    fn names_some(&self, request: &str) -> bool {
        let all = stems(&without_pages(request));
        let long: Vec<&String> = all.iter().filter(|stem| stem.len() >= LONG).collect();
        let there = long.iter().filter(|stem| self.stems.contains(**stem)).count();
        // One word may be there by chance.
        !self.near.is_empty() && (there >= FEW || 4 * there >= long.len())
    }
}

/// Number of neighboring lines over which a request may be told.
const NEAR: usize = 5;
/// Least number of letters of a stem that says what a request is about.
const LONG: usize = 4;

/// Whether most words of a text have other letters than ASCII's: of these no endings are known, and where characters
/// stand for words, the same may be said with other ones.
fn is_in_other_letters(words: &str) -> bool {
    let all = words_of(words);
    2 * all.iter().filter(|word| word.is_ascii()).count() < all.len()
}

/// Whether a message is of the user and in the conversation.
fn is_said_now(message: &Message<'_>) -> bool {
    message.begins_turn() && message.is_loaded()
}

/// Whether the words of a user ask for something, unlike a harness command (`/harbour:review`), a nod, or a goodbye.
fn is_telling(words: &str) -> bool {
    let command = words.trim().starts_with('/') && !words.trim().contains(char::is_whitespace);
    let tells = || content_words(words).len() >= TELLING;
    (is_request(words) || tells()) && !command && !only_closes(words) && !is_reference(words)
}

/// Whether a text is an object of JSON with nothing but names, as a client sends for a picture.
fn is_reference(words: &str) -> bool {
    let is_name = |value: &Value| value.as_str().is_some_and(|text| !text.contains(char::is_whitespace));
    let object = words.trim().starts_with('{').then(|| serde_json::from_str::<Value>(words.trim()).ok()).flatten();
    object.is_some_and(|object| object.as_object().is_some_and(|fields| fields.values().all(is_name)))
}

/// Number of tags on a line that makes it a line of a web page.
const PAGE: usize = 4;
static TAG: LazyLock<Regex> = LazyLock::new(|| pattern(r"</?[A-Za-z][^<>]*>"));

/// The text without lines of pasted web pages, if what remains still asks for something.
fn without_pages(text: &str) -> String {
    let words: Vec<&str> = text.lines().filter(|line| TAG.find_iter(line).take(PAGE).count() < PAGE).collect();
    let words = words.join("\n");
    if is_telling(&words) { words } else { text.to_owned() }
}

/// Whether one line or one section says the request, or one of the first three telling sentences of the message, or of
/// its section with the request.
fn is_said(message: &Message<'_>, view: &View<'_>) -> bool {
    let text = without_pages(&own_words(&message.said()));
    let lines = view.summary_lines();
    let sections: Vec<String> =
        view.summary.iter().flat_map(|summary| parse(&summary.text)).map(|section| section.lines.join(" ")).collect();
    let places: Vec<&str> = lines.into_iter().chain(sections.iter().map(String::as_str)).collect();
    let whole = words_of(&text);
    let begins_said = |text: &str| telling(text).iter().any(|words| says(words, &places));
    whole.is_empty() || says(&whole, &places) || begins_said(&text) || request_section(&text).is_some_and(begins_said)
}

/// Whether the summary has nothing of what tells a short request from another one of nearly the same words.
fn is_told_as_another(request: &str, view: &View<'_>, users: &[usize]) -> bool {
    let words = stems(request);
    let Some(original) = view.original.as_ref().filter(|_| words.len() <= SHORT) else { return false };
    let other = |at: &usize| stems(&own_words(&original.transcript.messages[*at].said()));
    let others: Vec<_> = users.iter().map(other).filter(|other| differ(other, &words)).collect();
    let told = LazyCell::new(|| stems(&view.summary_lines().join("\n")));
    others.iter().any(|other| words.difference(other).all(|word| !told.contains(word)))
}

/// The words of the first three telling sentences of a text.
fn telling(text: &str) -> Vec<HashSet<String>> {
    let sentences = text.split_inclusive(['\n', '.', '!', '?', '。', '！', '？', '؟', '।']).map(words_of);
    sentences.filter(|words| words.len() >= 3).take(3).collect()
}

/// Share of the words of a request, without their endings, that a line which condenses it has.
const CONDENSED: f64 = 0.4;
/// Least number of such words.
const FEW: usize = 2;

/// Whether one line that tells of no finding or action has the words of a request in other forms, or many of them and
/// all that it names: the meaning may be the same.
fn is_condensed(message: &Message<'_>, view: &View<'_>) -> bool {
    let text = without_pages(&own_words(&message.said()));
    let first = split(&text).map(stems).find(|words| words.len() > FEW);
    let all = stems(&text);
    let named: HashSet<String> = extract(&text).into_iter().map(|fact| fact.value).collect();
    // “Add `x`” names all that “Delete `x`” does.
    let of_names: HashSet<String> = named.iter().flat_map(|name| stems(name)).collect();
    let beyond: HashSet<String> = all.difference(&of_names).cloned().collect();
    let condenses = |line: &&str| {
        let own = stems(line);
        let there = |words: &HashSet<String>| words.intersection(&own).count();
        let enough = |words: &HashSet<String>, share: f64| there(words) as f64 >= share * words.len() as f64;
        let begins = first.as_ref().is_some_and(|words| there(words) > FEW && enough(words, CONDENSED));
        let names = || {
            let facts: HashSet<String> = extract(line).into_iter().map(|fact| fact.value).collect();
            !named.is_empty() && named.is_subset(&facts)
        };
        let asks = beyond.is_empty() || there(&beyond) > 0;
        asks && (begins || there(&all) >= FEW && (enough(&all, CONDENSED) || names()))
    };
    view.rule_lines().iter().any(condenses)
}

/// K04: the last unfixed failure, and the open steps of the newest plan, are still told.
pub(in crate::gates) fn unfinished(
    view: &View<'_>,
    Pair { source, .. }: Pair<'_>,
    _: &Tools<'_>,
    _: Limits,
) -> GateResult {
    let deeds = view.deeds();
    let (plan, failure) = (Plan::newest(deeds), Failure::last(deeds, source));
    let steps = plan.as_ref().map_or(&[][..], |plan| plan.open);
    let left = view.left();
    let left: Vec<&str> = left.iter().flat_map(|text| text.lines()).collect();
    let open: Vec<&str> = left.iter().copied().filter(|line| !TICKED.is_match(line)).collect();
    let line = view.summary_line();
    let mut findings = Vec::new();
    for step in steps.iter().filter(|step| !is_there(step, &open)) {
        let what = match is_there(step, &left) {
            true if plan.as_ref().is_some_and(|plan| plan.may_be_done(step)) => continue,
            true => "an open step of the plan is said to be done, and no call did it",
            false => "an open step of the plan is not there",
        };
        findings.push(Finding::new(line, what).about(step.clone()));
    }
    for failure in failure.iter().filter(|failure| !failure.is_in(&left)) {
        findings.push(Finding::new(line, "the last failure is not there").about(failure.detail.clone()));
    }
    let of = steps.len() + usize::from(failure.is_some());
    GateResult::of(Share { kept: of - findings.len(), of }, findings)
}

pub(super) fn is_there(words: &str, lines: &[&str]) -> bool {
    let wanted = content_words(words);
    wanted.is_empty() || constraints::says(&wanted, lines)
}

#[cfg(test)]
mod tests {
    use super::{Retold, is_telling, without_pages};

    #[test]
    fn thanks_and_farewells_ask_for_nothing() {
        for words in [
            "Thanks, bye",
            "Thank you so much for your help! Goodbye.",
            "ok",
            "I'll get back to you soon.",
            "Great, thanks. I’ll let you know how the tables look.",
        ] {
            assert!(!is_telling(words), "{words}");
        }
        for words in [
            "Thanks, now mend the export of tables",
            "Write the farewell page",
            "I'll get back to you, but mend the export first",
        ] {
            assert!(is_telling(words), "{words}");
        }
    }

    #[test]
    fn a_greeting_does_not_hide_a_request_in_any_letters() {
        assert!(is_telling("Chào bạn, tôi muốn sơn lại cầu cảng vào sáng mai."));
        assert!(is_telling("Добрый день, покрасьте причал до утра."));
        assert!(!is_telling("Chào bạn"));
    }

    #[test]
    fn a_request_may_stand_behind_a_page() {
        let page = "<html> <div> <button id=0> Book a berth </button> <p> Ask the harbour master. </p> </div> </html>";
        let text = format!("'''\n{page}\n'''\n\nTask: Book a berth for the <b>pilot boat</b> in March");
        assert!(!without_pages(&text).contains("master") && without_pages(&text).contains("pilot boat"));
        assert_eq!(without_pages(page), page, "nothing else is said");
    }

    #[test]
    fn the_name_of_a_picture_asks_for_nothing() {
        assert!(!is_telling(r#"{"image_key":"img_v3_02104_2c26b816-3cae-4d8a"}"#));
        assert!(is_telling(r#"{"task":"Mend the lamp of the quay"}"#));
    }

    #[test]
    fn another_tool_tells_a_request_over_several_lines() {
        let spread = |summary: &str| Retold::of_lines(&summary.lines().collect::<Vec<_>>());
        let request = "Build a lamp for the northern quay, and write down how the keeper lights it at dusk.";
        let whole = spread("- Lamp of the northern quay: build\n- Write how it is lit\n- Keeper lights at dusk");
        assert!(whole.has(request) && whole.names_some(request));
        let some = spread("- The keepers asked for guidance\n- Next: dusk");
        assert!(!some.has(request) && some.names_some(request));
        let one = spread("- The keepers asked for guidance");
        assert!(!one.has(request) && !one.names_some(request));
        let far = spread(&format!(
            "- Lamp of the northern quay: build\n{}- Write how it is lit\n- Keeper lights at dusk",
            "- oil\n".repeat(9)
        ));
        assert!(!far.has(request) && far.names_some(request));
        let none = spread("- The tide tables are short");
        assert!(!none.has(request) && !none.names_some(request));
        assert!(!spread("").names_some("ok go"));
    }

    #[test]
    fn a_command_of_a_harness_asks_for_nothing() {
        assert!(!is_telling("/harbour:review") && is_telling("/harbour:review of the tide tables"));
    }
}
