//! What a search or a page said that the agent needs: sentences of what such tools returned that have to do with what
//! was asked, in their own words.

use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::verbs;
use crate::summary::extractive::calls::wrapped;
use crate::summary::extractive::sentences::prose::sentences;
use crate::summary::extractive::sentences::structure::is_code;
use crate::summary::extractive::session::turns::Turn;
use crate::summary::stems::inflected;
use crate::summary::text::{contains_any, each_word, first_bytes, fold, has_digit};
use foldhash::{HashMap, HashSet};
use serde_json::Value;
use std::borrow::Cow;

/// Words in the names of tools that search, fetch or look up facts.
const FINDS: [&str; 9] =
    ["search", "websearch", "fetch", "webfetch", "facts", "wiki", "wikipedia", "lookup", "retrieve"];
/// Words in the names of those that find files, tools or notes of the agent.
const OTHERS: [&str; 14] = [
    "agent", "code", "codebase", "commit", "diff", "file", "files", "fs", "grep", "memory", "patch", "repo", "task",
    "tool",
];
/// Keys of texts in results.
const TEXTS: [&str; 14] = [
    "abstract",
    "answer",
    "body",
    "content",
    "contents",
    "description",
    "document",
    "excerpt",
    "extract",
    "page_content",
    "raw_content",
    "snippet",
    "summary",
    "text",
];
/// Labels of lines that hold a text, and of those that name a page.
const LABELS: [&str; 6] = ["snippet:", "content:", "description:", "summary:", "abstract:", "text:"];
const NAMES: [&str; 6] = ["title:", "url:", "link:", "source:", "published:", "author:"];
/// What sentences around the text of a page say, in lower case.
const AROUND: [&str; 31] = [
    "no results",
    "showing ",
    "partners",
    "accept all",
    "posted by",
    "photo by",
    "share this",
    "cookie",
    "click",
    "sign in",
    "log in",
    "subscribe",
    "rights reserved",
    "javascript",
    "copyright",
    "privacy policy",
    "newsletter",
    "read more",
    "skip to",
    "search result",
    "provided content",
    "page content",
    "webpage",
    "web page",
    "this page",
    "the page",
    "this example",
    "the example",
    "the code",
    "demonstrate",
    "not explicitly",
];
/// What texts say that give orders to a model: nothing of such a result is told.
const ORDERS: [&str; 5] =
    ["previous instructions", "prior instructions", "assistant must", "assistant should", "you must now"];
/// First words of orders.
const ORDERING: [&str; 10] =
    ["ignore", "disregard", "forget", "send", "delete", "transfer", "run", "execute", "email", "reveal"];
/// First words of sentences in which a tool or its model speaks of itself.
const SPEAKS: [&str; 8] = ["i", "i'm", "i've", "let", "based", "here", "you", "note"];
/// Words that stand in most requests and queries, and tell nothing of what they are about.
const USUAL: [&str; 24] = [
    "about", "find", "from", "have", "into", "many", "more", "page", "please", "tell", "than", "that", "their", "them",
    "there", "this", "were", "what", "when", "where", "which", "will", "with", "write",
];
/// Bytes of a result in which sentences are looked for, and depth at which texts are.
const BEGINNING: usize = 40_000;
const DEPTH: usize = 5;
/// Least and greatest number of words of a sentence.
const LEAST: usize = 5;
const MOST: usize = 40;
/// Maximum length of what is quoted of a result, in characters.
const QUOTED: usize = 200;
/// Least worth of a sentence: it has a number or a name, and to do with what was asked.
const WORTH: usize = 2;
/// Number of sentences that differ only in numbers, from which on they are those of a list.
const LISTED: usize = 4;
/// Maximum number of common words that count.
const COMMON: usize = 4;

/// The words of the requests so far, and the sentences told.
#[derive(Default)]
pub(super) struct Sources {
    wanted: HashSet<String>,
    told: HashSet<String>,
    /// The numbers that the agent says in this turn, once they are asked for, each with the last message that has it.
    said: Option<HashMap<String, usize>>,
}

impl Sources {
    /// Adds the words of a request.
    pub(super) fn ask(&mut self, turn: &Turn<'_>) {
        let sentences = turn.asked.iter().flat_map(|asked| &asked.sentences);
        sentences.for_each(|sentence| self.wanted.extend(terms(sentence)));
        self.said = None;
    }

    /// What a call of such a tool found, in a line.
    pub(super) fn told(&mut self, act: &Act<'_>, turn: &Turn<'_>) -> Option<String> {
        let Action::Other(call) = &act.action else { return None };
        if !act.outcome.worked() || act.delegates || !is_source(act.tool, call) {
            return None;
        }
        let lower = first_bytes(act.result, BEGINNING).to_lowercase();
        if contains_any(&lower, &ORDERS) {
            return None;
        }
        let all = statements(act.result);
        let worths = self.worths(&all, (call, act.message), turn);
        let (best, first) = worths.iter().copied().max_by_key(|(worth, at)| (*worth, usize::MAX - at))?;
        if best < WORTH {
            return None;
        }
        // The sentence behind it may go on about the same.
        let more = |(worth, at): &(usize, usize)| (*worth + usize::from(*at == first + 1), *at);
        let others = worths.iter().map(more).filter(|(worth, at)| *at != first && *worth >= WORTH);
        let second = others.max_by_key(|(worth, at)| (*worth, usize::MAX - at)).map(|(_, at)| at);
        let both = |second: &usize| all[first].chars().count() + all[*second].chars().count() < QUOTED;
        let mut chosen: Vec<usize> = second.filter(both).into_iter().chain([first]).collect();
        chosen.sort_unstable();
        let is_split = chosen.windows(2).any(|pair| pair[1] != pair[0] + 1);
        let said: Vec<String> = chosen.into_iter().map(|at| all[at].clone()).collect();
        self.told.extend(said.iter().cloned());
        let between = if is_split { "” “" } else { " " };
        Some(format!("{}: “{}”", act.tool, said.join(between)))
    }

    /// The worth of each statement that has a number or a name, and was not told; those that come again with other
    /// numbers are of no worth.
    fn worths(&mut self, all: &[String], (call, message): (&str, usize), turn: &Turn<'_>) -> Vec<(usize, usize)> {
        let mut seen: HashMap<String, usize> = HashMap::default();
        all.iter().for_each(|sentence| *seen.entry(without_digits(sentence)).or_default() += 1);
        let is_new = |sentence: &String| seen[&without_digits(sentence)] < LISTED && !self.told.contains(sentence);
        let open: Vec<usize> = (0..all.len()).filter(|at| is_exact(&all[*at]) && is_new(&all[*at])).collect();
        if open.is_empty() {
            return Vec::new();
        }
        let asked: HashSet<String> = terms(call).collect();
        let numbers = || turn.said.iter().flat_map(|said| terms(&said.sentence).map(|term| (term, said.message)));
        let later = self.said.get_or_insert_with(|| numbers().filter(|(term, _)| has_digit(term)).collect());
        let worth = |at: usize| {
            let own: HashSet<String> = terms(&all[at]).collect();
            let common = own.iter().filter(|term| asked.contains(*term) || self.wanted.contains(*term)).count();
            // What the agent says later has it from here.
            let used = own.iter().filter(|term| later.get(*term).is_some_and(|last| *last > message)).count();
            common.min(COMMON) + usize::from(has_digit(&all[at])) + usize::from(at == 0) + 2 * used.min(2)
        };
        // A name alone may be that of anything.
        let enough = |(worth, at): &(usize, usize)| has_digit(&all[*at]) || *worth > WORTH;
        open.into_iter().map(|at| (worth(at), at)).filter(enough).collect()
    }
}

/// Whether a call searches or fetches texts, by its tool's name, or reads a page.
fn is_source(tool: &str, call: &str) -> bool {
    let words = verbs::words(tool);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    (has(&FINDS) || verbs::reads_page(tool, call)) && !has(&OTHERS) && !words.join("").contains("toolsearch")
}

/// The statements in a result, in its order.
fn statements(result: &str) -> Vec<String> {
    let result = result.trim();
    let mut texts = Vec::new();
    match value(result) {
        Some(value) => collect(&value, None, DEPTH, &mut texts),
        None if result.starts_with(['{', '<']) => {}
        None => texts.push(Cow::Borrowed(first_bytes(result, BEGINNING))),
    }
    if texts.is_empty() && !result.starts_with(['{', '[', '<']) {
        texts.push(Cow::Borrowed(first_bytes(result, BEGINNING)));
    }
    let lines = |text: &str| text.lines().filter_map(without_label).collect::<Vec<_>>().join("\n");
    let all = texts.iter().flat_map(|text| sentences(&lines(first_bytes(text, BEGINNING))));
    all.map(|sentence| fold(&sentence)).filter(|sentence| is_statement(sentence)).collect()
}

fn value(text: &str) -> Option<Value> {
    let json = if text.starts_with('[') { Cow::Borrowed(text) } else { wrapped::in_any_form(text)? };
    serde_json::from_str(&json).ok()
}

/// The texts in a value: those below keys of texts.
fn collect(value: &Value, key: Option<&str>, depth: usize, texts: &mut Vec<Cow<'_, str>>) {
    match value {
        Value::String(text) if key.is_none_or(|key| TEXTS.contains(&key)) => match self::value(text.trim()) {
            Some(inner) if depth > 0 => collect(&inner, None, depth - 1, texts),
            _ => texts.push(Cow::Owned(text.clone())),
        },
        Value::Array(all) if depth > 0 => all.iter().for_each(|one| collect(one, key, depth - 1, texts)),
        Value::Object(all) if depth > 0 => {
            all.iter().for_each(|(key, one)| collect(one, Some(key.to_lowercase().as_str()), depth - 1, texts));
        }
        _ => {}
    }
}

/// A line without the label of its text; `None` for one that only names a page.
fn without_label(line: &str) -> Option<&str> {
    let bare = line.trim_start().trim_start_matches(['-', '*', ' ']);
    let begins = |label: &&str| bare.get(..label.len()).is_some_and(|start| start.eq_ignore_ascii_case(label));
    if NAMES.iter().any(begins) {
        return None;
    }
    Some(LABELS.iter().find(|label| begins(label)).map_or(line, |label| bare[label.len()..].trim_start()))
}

/// Whether a sentence states something by itself: no heading, navigation, question or code.
fn is_statement(sentence: &str) -> bool {
    let count = sentence.split_whitespace().count();
    let lower = sentence.to_lowercase();
    let begins = sentence.starts_with(|first: char| first.is_uppercase() || first.is_ascii_digit());
    let first = lower.split([' ', ',', ':']).next().unwrap_or_default();
    begins
        && !SPEAKS.contains(&first)
        && !ORDERING.contains(&first)
        && (LEAST..=MOST).contains(&count)
        && sentence.ends_with(['.', '!'])
        && !sentence.ends_with("...")
        && sentence.chars().count() <= QUOTED
        && !sentence.contains(['`', '{', '}', '|', '<', '>', '[', ']', '\\', '“', '”', '=', '…', '©'])
        && !sentence.contains("://")
        && !contains_any(&lower, &AROUND)
        && !is_code(sentence)
}

/// Whether a text has a number, or a name behind its first word.
pub(super) fn is_exact(text: &str) -> bool {
    has_digit(text)
        || text.split_whitespace().skip(1).any(|word| word.starts_with(char::is_uppercase) && word.len() > 1)
}

fn without_digits(text: &str) -> String {
    text.replace(|char: char| char.is_ascii_digit(), "")
}

/// The words of a text that say what it is about, in lower case and without their endings.
fn terms(text: &str) -> impl Iterator<Item = String> {
    let lower = text.to_lowercase();
    let words: Vec<String> = each_word(&lower)
        .filter(|word| (word.chars().count() > 3 || has_digit(word) && word.len() > 1) && !USUAL.contains(word))
        .map(|word| inflected(word).to_owned())
        .collect();
    words.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::builders::{act, user};
    use crate::summary::extractive::session::turns::turns;
    use crate::transcript::Message;

    /// What the results of these calls (tool, query, result) tell.
    fn told(calls: &[[&str; 3]]) -> Vec<String> {
        let asked = user("Write one page about the history of the Gullwick tide gauge.");
        let calls = calls
            .iter()
            .map(|[tool, query, result]| act(tool, &serde_json::json!({ "query": query }).to_string(), result, false));
        let messages: Vec<Message<'_>> = [asked].into_iter().chain(calls.flatten()).collect();
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let turns = turns(&head, &[]);
        let mut sources = Sources::default();
        turns.iter().for_each(|turn| sources.ask(turn));
        let acts = turns.iter().flat_map(|turn| turn.acts.iter().map(move |act| (act, turn)));
        acts.filter_map(|(act, turn)| sources.told(act, turn)).collect()
    }

    #[test]
    fn what_a_search_says_about_the_request_is_told_in_its_words() {
        let page = "Skip to the harbour menu of 1874.\n\nThe Gullwick tide gauge was set up in 1874 by the harbour \
            board. It was moved to the east pier in 1931 after a storm. Other remarks are in the archive. Sign in to \
            read 12 more pages about the gauge.";
        let said = "“The Gullwick tide gauge was set up in 1874 by the harbour board. It was moved to the east pier in \
            1931 after a storm.”";
        for tool in ["web_search", "tavily_search", "WebFetch", "search", "get_facts"] {
            assert_eq!(told(&[[tool, "gauge founded", page]]), [format!("{tool}: {said}")]);
        }
        assert_eq!(told(&[["search", "gauge", page], ["search", "gauge again", page]]).len(), 1, "told once");
        for other in ["ToolSearch", "search_code", "fs_search", "paint"] {
            assert_eq!(told(&[[other, "gauge founded", page]]), [""; 0], "{other}");
        }
    }

    #[test]
    fn what_a_page_says_is_told_whatever_the_tool_is_called() {
        let page =
            "Gauges of the coast\nGullwick\nThe tide gauge of Gullwick was set up in 1874 by the board. Sign in.";
        let said = "“The tide gauge of Gullwick was set up in 1874 by the board.”";
        let yaml = format!("content: '# Gauges of the coast\n\n  {}'\nkind: page", &page[29..]);
        for tool in ["open_page", "visit_webpage", "get_document", "browser.open", "scrape_url"] {
            for result in [page, &yaml] {
                assert_eq!(told(&[[tool, "gauge founded", result]]), [format!("{tool}: {said}")], "{result}");
            }
        }
        assert_eq!(told(&[["visit", "https://quay.example/gauges", page]]), [format!("visit: {said}")]);
        for other in ["visit", "open_lock", "read_file_page"] {
            assert_eq!(told(&[[other, "gauge founded", page]]), [""; 0], "{other}");
        }
    }

    #[test]
    fn texts_in_objects_and_behind_labels_are_read_and_repeated_ones_are_not() {
        let object = r#"{"results":[{"title":"Gullwick in 1874.","url":"https://quay.example/1","content":"The highest tide at Gullwick was 6.81 m in 1953."}]}"#;
        let line = "search: “The highest tide at Gullwick was 6.81 m in 1953.”";
        assert_eq!(told(&[["search", "tide", object]]), [line]);
        let labeled = "Title: Gullwick gauge of 1953.\nURL: https://quay.example/1\nSnippet: The highest tide at \
            Gullwick was 6.81 m in 1953.";
        assert_eq!(told(&[["search", "tide", labeled]]), [line]);
        let again = "Its datum lies 3.42 m below the mark at the customs house. Page 1 tells of the gauge of Gullwick. \
            Page 2 tells of the gauge of Gullwick. Page 3 tells of the gauge of Gullwick. Page 4 tells of the gauge of \
            Gullwick.";
        let datum = "search: “Its datum lies 3.42 m below the mark at the customs house.”";
        assert_eq!(told(&[["search", "gauge", again]]), [datum]);
        let other = "The bakery in the high street bakes bread for all who come early. It sells 12 kinds.";
        assert_eq!(told(&[["search", "oven", other]]), [""; 0]);
    }
}
