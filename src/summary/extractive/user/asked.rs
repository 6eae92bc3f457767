//! The user's words that begin a turn: what they ask for, how much of it is quoted, and which words say nothing.

use super::apart::apart;
use super::checklists::before_question;
use super::closing::all_close;
use super::detailed::details;
use super::few_words::{add_few_words, few_words};
use super::logs::before_failure;
use super::more::More;
use super::options::without_quiz;
use super::parts::{REQUESTS, parts};
use super::premises::premises;
use super::printed;
use super::retracted::{is_corrected, takes_back, undoes};
use super::ruled::rule_sections;
use super::tasks::task_lists;
use crate::summary::extractive::sentences::cues::is_question;
use crate::summary::extractive::sentences::greetings::{only_greets, only_opens_talk};
use crate::summary::extractive::sentences::prose::{heading, plain, typed, without_marker};
use crate::summary::extractive::sentences::questions::asks_briefly;
use crate::summary::extractive::sentences::quoted::is_ticked;
use crate::summary::extractive::sentences::rules::{
    instruction_strength, is_farewell, is_over, is_role, is_short_ban, only_nods,
};
use crate::summary::extractive::sentences::structure::{is_console, is_structure};
use crate::summary::extractive::words::NODS;
use crate::summary::items::Item;
use crate::summary::joints::{behind, joined, without_lead};
use crate::summary::text::{QUESTION_MARKS, cut, each_word, fold, has_any, has_words, starts_any, words};
use foldhash::{HashMap, HashSet};

/// Minimum number of characters worth showing of a sentence.
const LEAST: usize = 20;
/// Maximum number of words of a ban that is added to any brief.
const FEW: usize = 5;
/// Minimum length of a telling word in a request of two words, in characters.
const NAMED: usize = 5;
/// Maximum length of a heading that names what a request is about, in characters.
const TITLE: usize = 100;
/// Maximum size of a request that is quoted whole, in characters and lines.
const WHOLE: usize = 500;
const LINES: usize = 20;
/// Maximum length of a last paragraph that is told with the first sentences, in bytes, and what stands before it.
const CLOSING: usize = 300;
const GAP: &str = " … ";
/// What a message says in which all is well, and the words that may stand beside that.
const WORKS: [&str; 13] = [
    "all works",
    "everything works",
    "fixed it",
    "fixed now",
    "is fixed",
    "it works",
    "it's fixed",
    "solved",
    "that works",
    "works now",
    "geht jetzt",
    "funktioniert jetzt",
    "работает",
];
const FILLERS: [&str; 14] =
    ["again", "all", "finally", "for", "guys", "me", "my", "ooh", "oh", "so", "the", "well", "wow", "yay"];
/// Beginnings of a sentence that binds wherever it stands.
const BANS: [&str; 5] = ["always ", "do not ", "don't ", "don’t ", "never "];
/// A message of the user that begins a turn.
#[derive(Default)]
pub(in crate::summary::extractive) struct Asked {
    /// Index of the message in the head; `None` if it is kept.
    pub(in crate::summary::extractive) message: Option<usize>,
    /// All its sentences; if it has a log, the user's own come first.
    pub(in crate::summary::extractive) sentences: Vec<String>,
    /// The user's own sentences, if the message also shows output or a review.
    own: Option<Vec<String>>,
    /// Whether it brings the options of its own question.
    has_options: bool,
    /// The sentences of sections headed as rules.
    ruled: HashSet<String>,
    /// The sentences of sections that describe.
    premises: HashSet<String>,
    /// The sentences of lists of what is to be done.
    tasks: HashSet<String>,
    /// The sentences about functions, each with their names.
    details: HashMap<String, Vec<String>>,
    /// The sentences before which something is left out.
    apart: HashSet<String>,
    /// Number of sentences before the request: other sections of a brief, a role given to the reader, thanks.
    pub(in crate::summary::extractive) before: usize,
    /// Its start, on one line.
    pub(in crate::summary::extractive) start: String,
    /// The heading that it begins with, if that names what it is about.
    title: Option<String>,
    /// The last paragraph of a long request, if that asks: what is asked for often stands behind what is shown.
    pub(in crate::summary::extractive) closing: Option<String>,
    /// What else a long one asks for.
    pub(in crate::summary::extractive) more: More,
    /// The whole request on one line, if it is short and only prose.
    pub(in crate::summary::extractive) whole: Option<String>,
    /// The media that it shows, in brackets; mostly empty.
    pub(in crate::summary::extractive) shown: String,
    /// What it refers to in the agent's words before it, in brackets; mostly empty.
    pub(in crate::summary::extractive) meant: String,
    /// Whether it is the request before it: in other words, if the user stopped that, or in the same words, if nothing
    /// came of that.
    pub(in crate::summary::extractive) corrects: bool,
}

impl Asked {
    /// Parses the words of a message; `start` is its start on one line.
    pub(in crate::summary::extractive) fn read(message: Option<usize>, text: &str, start: String) -> Self {
        let mut sentences = typed(text);
        let whole = whole(text);
        let few = if whole.is_none() { few_words(text, &sentences) } else { [None, None] };
        add_few_words(&mut sentences, &few);
        let parts = parts(text);
        let section = parts.as_ref().and_then(|parts| parts.request).map_or(0, |section| typed(section).len());
        let others = if section > 0 { sentences.len().saturating_sub(section) } else { 0 };
        let before = before_request(text, &sentences, others);
        let whole = whole.and_then(|whole| Some(without_leads(&whole, &sentences[..before])?.to_owned()));
        let mut own = printed::own(text, &sentences);
        own.iter_mut().for_each(|own| add_few_words(own, &few));
        if whole.is_none()
            && let Some(mut voices) = printed::beside_log(text)
        {
            add_few_words(&mut voices.left, &few);
            add_few_words(&mut voices.voiced, &few);
            voices.come_first(&mut sentences[before..]);
        }
        let title = title(text).filter(|_| others == 0);
        let instructed = parts.is_some_and(|parts| parts.instructed);
        let ruled = typed(&rule_sections(text, instructed)).into_iter().collect();
        let (premises, details) = (typed(&premises(text)).into_iter().collect(), details(text));
        let tasks = if whole.is_none() { typed(&task_lists(text)).into_iter().collect() } else { HashSet::default() };
        let quoted: Vec<&String> = title.iter().chain(&sentences[before..]).collect();
        let apart = if whole.is_none() || own.is_some() { apart(text, &quoted) } else { HashSet::default() };
        let told = |sentence: &String| own.as_ref().unwrap_or(&sentences).contains(sentence);
        let closing = closing(text).filter(|all| whole.is_none() && all.iter().all(told)).map(|all| joined(&all));
        let more = if whole.is_none() { More::of(text, &sentences[before..], own.as_deref()) } else { More::default() };
        Self {
            message,
            sentences,
            own,
            has_options: without_quiz(text).is_some(),
            ruled,
            premises,
            tasks,
            details,
            apart,
            before,
            start,
            title,
            closing,
            more,
            whole,
            shown: String::new(),
            meant: String::new(),
            corrects: false,
        }
    }

    /// What is told behind it: the media that it shows, and what it refers to.
    pub(in crate::summary::extractive) fn behind(&self) -> String {
        format!("{}{}", self.shown, self.meant)
    }

    /// The same message behind the head.
    pub(in crate::summary::extractive) fn kept(self) -> Self {
        Self { message: None, ..self }
    }

    /// The user's own sentences.
    pub(in crate::summary::extractive) fn own(&self) -> &[String] {
        self.own.as_deref().unwrap_or(&self.sentences)
    }

    /// The user's own sentences, or a few words that are none.
    pub(in crate::summary::extractive) fn said(&self) -> &[String] {
        if self.own().is_empty() { std::slice::from_ref(&self.start) } else { self.own() }
    }

    /// Whether a sentence stands in a section headed as rules.
    pub(in crate::summary::extractive) fn is_ruled(&self, sentence: &str) -> bool {
        self.ruled.contains(sentence)
    }

    /// Whether a sentence stands in a section that describes, and neither in one of rules nor as a ban.
    pub(in crate::summary::extractive) fn is_premise(&self, sentence: &str) -> bool {
        let is_ban = || {
            let lower = sentence.to_lowercase();
            starts_any(&lower, &BANS)
        };
        let led = || sentence.split_once(": ").is_some_and(|(_, item)| self.premises.contains(item));
        (self.premises.contains(sentence) || led()) && !self.is_ruled(sentence) && !is_ban()
    }

    /// Whether a sentence stands in a list of what is to be done.
    pub(in crate::summary::extractive) fn is_task(&self, sentence: &str) -> bool {
        self.tasks.contains(sentence)
    }

    /// The name of the function that a sentence is about in a specification, when it stands there for the `nth` time.
    pub(in crate::summary::extractive) fn function_of(&self, sentence: &str, nth: usize) -> Option<&str> {
        let names = self.details.get(sentence)?;
        names.get(nth).or(names.last()).map(String::as_str)
    }

    /// Whether a sentence is one of the instructions: of the newest request any that instructs, of an earlier one only
    /// what is not over with it.
    pub(in crate::summary::extractive) fn instructs(&self, sentence: &str, is_newest: bool) -> bool {
        let binds = || self.is_ruled(sentence) || instruction_strength(sentence).is_some();
        !self.is_premise(sentence) && binds() && (is_newest || !is_over(sentence))
    }

    /// An item that originates from it.
    pub(in crate::summary::extractive) fn item(&self, text: String, rank: i64) -> Item {
        Item { origin: self.message, kept: self.message.is_none(), ..Item::carried(text, rank) }
    }

    /// Whether it says more than a nod such as “go on”, a greeting, or that a request comes.
    pub(in crate::summary::extractive) fn is_telling(&self) -> bool {
        if self.opens_talk() {
            return false;
        }
        let exact = self.start.chars().any(|char| char.is_ascii_digit() || char == '_');
        let named = |word: &str| word.chars().count() >= NAMED && !NODS.contains(&word.to_lowercase().as_str());
        (exact && !self.closes())
            || words(&self.start) >= 3 && !self.nods()
            || asks_briefly(&self.start)
            || words(&self.start) == 2
                && !self.nods()
                && self.start.split(|char: char| !char.is_alphanumeric()).any(named)
    }

    /// Whether it only greets.
    pub(super) fn greets(&self) -> bool {
        self.shown.is_empty() && only_greets(&self.start)
    }

    /// Whether it only greets or says that a request comes.
    pub(in crate::summary::extractive) fn opens_talk(&self) -> bool {
        self.shown.is_empty() && only_opens_talk(&self.start)
    }

    /// Whether it retracts the message before it.
    pub(in crate::summary::extractive) fn takes_back(&self) -> bool {
        self.corrects || takes_back(&self.start)
    }

    /// Whether it is another request with but a word or two changed.
    pub(in crate::summary::extractive) fn is_corrected(&self, stopped: &Self) -> bool {
        is_corrected([stopped, self].map(|asked| {
            let all = asked.sentences.join(" ");
            if all.is_empty() { asked.start.clone() } else { all }
        }))
    }

    /// Whether it has the words of another request.
    pub(in crate::summary::extractive) fn repeats(&self, other: &Self) -> bool {
        self.start == other.start && self.sentences == other.sentences
    }

    /// Its first sentence if that has what came of the message before it undone.
    pub(in crate::summary::extractive) fn undoes(&self) -> Option<&str> {
        self.own().first().map(String::as_str).filter(|first| undoes(first))
    }

    /// Whether it is only thanks or a goodbye.
    pub(super) fn closes(&self) -> bool {
        // A few words do not parse as sentences.
        all_close(&self.sentences) || self.sentences.is_empty() && is_farewell(&self.start)
    }

    /// Whether it only says that all is well now: “ok now it works”.
    pub(in crate::summary::extractive) fn confirms(&self) -> bool {
        let lower = self.start.to_lowercase().replace('’', "'");
        let is_filler = |word: &str| FILLERS.contains(&word) || NODS.contains(&word);
        !lower.contains(QUESTION_MARKS)
            && has_any(&lower, &WORKS)
            && each_word(&lower).all(|word| is_filler(word) || WORKS.iter().any(|said| has_words(said, word)))
    }

    /// Whether it only agrees, thanks, greets or says goodbye.
    pub(in crate::summary::extractive) fn nods(&self) -> bool {
        self.closes() || only_nods(&self.start.to_lowercase()) || self.greets()
    }

    /// The request in at most `most` characters: all of it but nods before it, if it fits; otherwise its first
    /// sentences.
    pub(in crate::summary::extractive) fn brief(&self, most: usize) -> String {
        // What a program printed is told behind the user's own words.
        let whole = self.whole.as_ref().filter(|_| self.own.is_none() || self.has_options);
        let all = whole.map(|whole| self.without_nods(whole));
        all.filter(|all| all.chars().count() <= most).map_or_else(|| self.first_sentences(most), str::to_owned)
    }

    /// A text without the nods before its first sentence, and without thanks at its end.
    fn without_nods<'w>(&self, whole: &'w str) -> &'w str {
        let first = self.sentences.get(self.before).and_then(|first| whole.split_once(&**first));
        let before = first.map_or("", |(before, _)| before);
        let last = self.sentences.iter().rfind(|sentence| !is_farewell(sentence));
        let behind = last.and_then(|last| whole.rsplit_once(&**last)).map_or("", |(_, behind)| behind);
        let nods = |said: &str| only_nods(&said.trim().to_lowercase()) || is_farewell(said.trim());
        let whole = if nods(behind) { &whole[..whole.len() - behind.len()] } else { whole };
        if nods(before) { whole.get(before.len()..).unwrap_or(whole) } else { whole }
    }

    /// What stands between a sentence and the words quoted before it: “…” where something is left out, a semicolon
    /// behind an item of a list or a line that nothing ends.
    pub(in crate::summary::extractive) fn joint(&self, quoted: &str, next: &str) -> &'static str {
        if self.apart.contains(next) && !quoted.ends_with('…') { " … " } else { behind(quoted) }
    }

    /// The first sentences, and the last paragraph if that asks and stands behind them.
    fn first_sentences(&self, most: usize) -> String {
        let all = self.beginning(most);
        let length = |closing: &str| closing.chars().count() + GAP.chars().count();
        let closing = self.closing.as_ref().filter(|closing| length(closing) <= most / 2 && !all.contains(&***closing));
        closing.map_or(all, |closing| {
            let begun = self.beginning(most - length(closing));
            format!("{}{GAP}{closing}", begun.trim_end_matches('…').trim_end())
        })
    }

    /// The first sentences in at most `most` characters, as of a [`Asked::brief`] without the last paragraph.
    pub(in crate::summary::extractive) fn beginning(&self, most: usize) -> String {
        let own = &self.sentences[self.before..];
        let Some((first, rest)) = own.split_first() else { return cut(&self.start, most).into_owned() };
        let (first, mut left) = self.title.as_ref().map_or((first, rest), |title| (title, own));
        let (mut brief, mut last) = (cut(first, most).into_owned(), first.as_str());
        while let Some((next, behind)) = left.split_first() {
            let joint = self.joint(&brief, next);
            let room = most.saturating_sub(brief.chars().count() + joint.chars().count());
            let told = without_lead(&brief, last, next);
            last = next;
            let fits = told.chars().count() < room;
            // A sentence that announces the next one says nothing without it, and neither do a few words.
            let tells = !brief.ends_with(':') && brief.chars().count() > room;
            if !fits && (tells || room < LEAST) {
                break;
            }
            brief.push_str(joint);
            brief.push_str(&cut(told, room));
            left = behind;
            if !fits {
                break;
            }
        }
        // “Delete it, then commit.” without “Don't push.” would be another request.
        if let Some(ban) = left.first().filter(|next| is_short_ban(next, FEW) && !brief.ends_with('…')) {
            brief.push_str(self.joint(&brief, ban));
            brief.push_str(ban);
        }
        brief
    }
}

/// The sentences of the last paragraph of a text of several, if it is prose and asks.
fn closing(text: &str) -> Option<Vec<String>> {
    let (_, last) = text.trim_end().rsplit_once("\n\n")?;
    let prose =
        |line: &str| !(is_structure(line) || is_console(line) || is_ticked(line) || without_marker(line.trim()).0);
    if last.len() > CLOSING || !last.lines().all(prose) {
        return None;
    }
    let all = typed(last);
    let asks = |said: &String| is_question(&said.to_lowercase()) || printed::orders(said) && !said.contains("Use of ");
    all.iter().any(asks).then_some(all)
}

/// The number of sentences before the request, of which `others` stand in other sections of a brief.
fn before_request(text: &str, sentences: &[String], others: usize) -> usize {
    let leads = sentences[others..].iter().take_while(|sentence| is_role(sentence) || is_farewell(sentence)).count();
    let before = if others + leads < sentences.len() { others + leads } else { others };
    before_failure(text, sentences).or_else(|| before_question(text, sentences)).unwrap_or(before)
}

/// A request on one line without the sentences before it; `None` if it does not begin with them.
fn without_leads<'w>(whole: &'w str, leads: &[String]) -> Option<&'w str> {
    leads.iter().try_fold(whole, |rest, lead| Some(rest.strip_prefix(&**lead)?.trim_start()))
}

/// The request on one line, if it is short and has no code, data or heading.
fn whole(text: &str) -> Option<String> {
    let short = text.len() <= 4 * WHOLE && text.trim().lines().count() <= LINES;
    let plain = |line: &str| !line.contains("```") && !is_structure(line) && !is_console(line) && !is_ticked(line);
    let words = || text.lines().all(plain);
    let text = Some(text).filter(|_| short && words()).map(fold)?;
    (text.chars().count() <= WHOLE).then_some(text)
}

/// The heading in the first line, as a sentence; `None` if it is a label such as “Task” or “Bug report:”.
fn title(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let title = plain(heading(line)?);
    let title = title.trim_end_matches(['.', ' ']);
    let names = words(title) > 1 && title.chars().count() <= TITLE && !title.ends_with([':', '：']);
    let end = if title.ends_with(['!', '?', '。', '！', '？', '؟', '।']) { "" } else { "." };
    (names && !REQUESTS.contains(&&*title.to_lowercase())).then(|| format!("{title}{end}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_told_with_its_own_options() {
        let text = "Which lamps burn longest?\n\nOption A\nThe red one\n\nOption B\nThe blue one";
        let asked = Asked::read(Some(0), text, text.to_owned());
        assert!(asked.own().is_empty());
        assert_eq!(asked.brief(100), "Which lamps burn longest? Option A The red one Option B The blue one");
    }

    #[test]
    fn a_short_request_with_a_list_is_told_whole() {
        let text = format!("Here are our lamps:\n{}Light them.", "- a red one\n".repeat(14));
        assert_eq!(whole(&text), Some(fold(&text)));
        assert_eq!(whole(&format!("{text}{}", "\nand mend it".repeat(9))), None);
    }

    #[test]
    fn instructions_are_the_request_only_where_nothing_else_asks() {
        let rule = "Never light two of them.";
        let read = |before: &str| {
            let text = format!("{before}## Instructions\n{rule}\n");
            let asked = Asked::read(Some(0), &text, text.clone());
            (asked.brief(200), asked.is_ruled(rule))
        };
        for before in ["", "You are a keeper. Your lamps burn.\n\n", "## Context\nThe pier is dark.\n\n"] {
            assert_eq!(read(before), (rule.to_owned(), false), "{before}");
        }
        let page = Asked::read(Some(0), &format!("Add a page of lamps.\n\n## Instructions\n{rule}"), String::new());
        assert!(page.own().iter().any(|own| own == rule), "they are no section of the page");
        for before in ["Light the lamps of the pier.\n\n", "## Goal\nLight the lamps of the pier.\n\n"] {
            assert_eq!(read(before), (format!("Light the lamps of the pier. … {rule}"), true), "{before}");
        }
    }

    #[test]
    fn what_is_asked_behind_a_paste_is_told() {
        let shown = "The lamp of the pier shows the tide of yesterday in red.\n\n".repeat(12);
        let read = |last: &str| {
            let text = format!("There is a mistake in this answer:\n\n{shown}{last}");
            Asked::read(Some(0), &text, String::new()).brief(200)
        };
        let asks = "The tide is saved in feet, but shown in meters. Can you correct that ?";
        let told = read(asks);
        assert!(
            told.starts_with("There is a mistake in this answer:") && told.ends_with(&format!(" … {asks}")),
            "{told}"
        );
        assert!(told.chars().count() <= 201, "{told}");
        for other in ["The tide was high all day.", "- Can you correct that?", "```\nCan you correct that?\n```"] {
            assert!(!read(other).ends_with(other), "{other}");
        }
    }

    #[test]
    fn a_brief_holds_whole_sentences_that_fit() {
        let asked = Asked { sentences: vec!["One two three.".into(), "Four five six.".into()], ..Asked::default() };
        assert_eq!(asked.brief(40), "One two three. Four five six.");
        assert_eq!(asked.brief(20), "One two three.");
        let sentences = vec!["I also got this:".into(), "The parser fails on empty files and on tabs.".into()];
        let announced = Asked { sentences, ..Asked::default() };
        assert_eq!(announced.brief(46), "I also got this: The parser fails on empty…");
    }

    #[test]
    fn a_heading_in_the_first_line_says_what_the_request_is_about() {
        let brief = |text: &str| Asked::read(None, text, text.into()).brief(160);
        let spec = "\n# Harbour: the **lamp** market\n\n## Data\n- a lamp must not be empty\n- the oil is paid by the keeper\n";
        assert_eq!(brief(spec), "Harbour: the lamp market. … a lamp must not be empty; the oil is paid by the keeper");
        for label in ["# Task\n\nLight the pier.", "# Report\n\nLight the pier.", "# What to do:\n\nLight the pier."] {
            assert_eq!(brief(label), "Light the pier.");
        }
        assert_eq!(brief("# Mend the lamp!\n\nIt is dark."), "Mend the lamp! It is dark.");
        assert_eq!(brief("# The keeper\nYou keep lamps.\n## Task\nLight the pier.\n"), "Light the pier.");
        assert_eq!(brief("Light the pier.\n\n# Harbour of lamps\n\nIt is long."), "Light the pier. … It is long.");
    }

    #[test]
    fn an_order_of_a_word_or_two_stands_in_a_brief() {
        for text in ["I like it. Build it.", "Which port does it use? Use 8123.", "ok that works. Deploy."] {
            assert_eq!(Asked::read(None, text, text.into()).brief(160), text);
        }
        let text = "The header is fine. The footer is not. Center it. Paint the pier of it red.";
        assert_eq!(Asked::read(None, text, text.into()).brief(160), text);
        assert_eq!(Asked::read(None, text, text.into()).brief(40), "The header is fine. The footer is not.");
        let dates = "12-15 June. Two keepers, one child (4). No carpet.";
        assert_eq!(Asked::read(None, dates, dates.into()).brief(160), dates);
        let thanked = "Light the lamp of the pier, please. Thank you!";
        assert_eq!(Asked::read(None, thanked, thanked.into()).brief(160), "Light the lamp of the pier, please.");
        let nod = "ok. Great! Paint the pier of it red.";
        assert_eq!(Asked::read(None, nod, nod.into()).brief(160), "Paint the pier of it red.");
    }

    #[test]
    fn no_item_of_a_short_request_is_left_out() {
        let text = "ok, let's apply the fixes you suggest:\n\n1. fail loud.\n\n2. leave it alone.";
        let asked = Asked::read(None, text, text.into());
        assert_eq!(asked.brief(90), "ok, let's apply the fixes you suggest: 1. fail loud. 2. leave it alone.");
    }

    #[test]
    fn numbered_answers_keep_their_first_number() {
        let text = "1) I'll let you decide\n2) yes\n3) red for each pier, with gaps";
        let told = "1) I'll let you decide 2) yes 3) red for each pier, with gaps";
        assert_eq!(Asked::read(None, text, text.into()).brief(90), told);
    }

    #[test]
    fn the_words_of_a_user_stand_before_what_a_program_printed() {
        let brief = |text: &str| Asked::read(None, text, text.into()).brief(60);
        let log =
            "error: the lamp has no oil, and nobody knows why\n  --> lamp.rs:7\n   |\n7  | light(oil);\n   |       ^^^";
        let build = "[+] Building 60.6s (19/19) FINISHED\n => [quay] load the lamps 0.0s\nTo do so, light a new lamp.";
        for (text, told) in [
            (format!("{log}\n\nmend the lamp of the pier, please"), "mend the lamp of the pier, please"),
            (format!("{build}\n\nThe page is still white."), "The page is still white."),
            (format!("{log}\n\nI want the lamp lit.\n\n{log}"), "I want the lamp lit."),
            (format!("The lamp is out.\n\n{log}\n\nplease mend it today"), "The lamp is out. … please mend it today"),
            (format!("{log}\n\nлампа не горит, почини её"), "лампа не горит, почини её"),
            (format!("{log}\n\n灯不亮了，请修好它。"), "灯不亮了，请修好它。"),
            (format!("fix this Expected ';' or <eof>\n{log}"), "fix this Expected ';' or <eof>"),
            (format!("{log}\nfix this"), "fix this"),
        ] {
            let brief = brief(&text);
            assert!(brief.starts_with(told), "{brief}");
        }
    }

    #[test]
    fn nothing_is_lost_beside_a_log_and_all_keeps_its_order() {
        let log = "Traceback (most recent call last):\n  File \"lamp.py\", line 7, in light\n    oil()\nOilError: no oil is here";
        let own =
            "Version 2.3 works, version 2.4 does not. Only `src/lamp.py` changed. Then revert it on branch fix/list-4.";
        let brief = |text: &str| Asked::read(None, text, text.into()).brief(300);
        assert!(brief(&format!("{log}\n\n{own}")).starts_with(own), "{}", brief(&format!("{log}\n\n{own}")));
        let both = brief(&format!("The lamp is out.\n\n{log}\n\n{own}"));
        assert!(both.starts_with(&format!("The lamp is out. … {own}")), "{both}");
        let status = brief(&format!("The lamp of the pier is out.\n\n{log}\nexit status 2"));
        assert!(status.ends_with("OilError: no oil is here; exit status 2"), "{status}");
    }

    #[test]
    fn a_line_that_is_drawn_ends_what_the_user_says() {
        let trace = "claude me ayudas con esto:\n[31m-----------------\nOilError      Traceback (most recent call last)\nCell In[7], line 16\n     15 # 2.\n---> 16 print(oil)\n\nOilError: no oil";
        let brief = Asked::read(None, trace, trace.into()).brief(300);
        assert!(brief.starts_with("claude me ayudas con esto: …"), "{brief}");
    }

    #[test]
    fn what_says_something_only_beside_a_log_stays_beside_it() {
        let brief = |text: &str| Asked::read(None, text, text.into()).brief(300);
        for (text, told) in [
            // What is announced is quoted with it.
            (
                "1. Mend this error:\n\nLampError: no oil is here\n    at light (lamp.js:7:2)\n\n2. Paint the pier of it red.",
                "Mend this error: LampError: no oil is here … Paint the pier of it red.",
            ),
            // One or two lines are no log.
            (
                "LampError: no oil is here\n    at light (lamp.js:7:2)\n\nfix this lamp",
                "LampError: no oil is here … fix this lamp",
            ),
            // A log alone is quoted as it is.
            ("LampError: no oil is here\n    at light (lamp.js:7:2)", "LampError: no oil is here"),
            (
                "LampError: no oil is here\n\nLamps 1 out | 6 lit (7)\nx = {1};",
                "LampError: no oil is here; Lamps 1 out | 6 lit (7)",
            ),
            // Not a log.
            (
                "Error handling of the lamp is missing.\n```\noil\n```\nplease add it to the lamp",
                "Error handling of the lamp is missing. … please add it to the lamp",
            ),
            (
                "Warning lamps should be red.\n| a | b |\nwe need them by noon",
                "Warning lamps should be red. … we need them by noon",
            ),
            ("The lamp is out.\nx = {1};\nThe buoy is out, too.", "The lamp is out. … The buoy is out, too."),
            ("import lamp from quay\nx = {1};\nWhy does it not burn?", "import lamp from quay … Why does it not burn?"),
            ("thank you\nx = {1};\nWhy does it not burn?", "Why does it not burn?"),
            (
                "className=\"lamp\" is lit\nx = {1};\nWhy does it not burn?",
                "className=\"lamp\" is lit … Why does it not burn?",
            ),
        ] {
            assert_eq!(brief(text), told, "{text}");
        }
    }

    #[test]
    fn a_short_ban_stands_in_a_brief_in_any_case() {
        let text = "Delete the old file of the tests, then commit. Don't push.";
        assert_eq!(Asked::read(None, text, text.into()).brief(48), text);
    }

    #[test]
    fn a_brief_begins_with_what_is_wanted() {
        let read = |text: &str| Asked::read(None, text, text.into());
        let brief = "# Context\nWe run ferries on two lakes.\n\n## Task\nMend the board of times.\n";
        assert_eq!(read(brief).brief(300), "Mend the board of times.");
        let role = read("You are a careful engineer. Mend the board.");
        assert_eq!((&*role.brief(300), role.whole.as_deref()), ("Mend the board.", Some("Mend the board.")));
        assert_eq!(read("Thank you so much! Now mend the board of times.").brief(300), "Now mend the board of times.");
        assert!(
            !read("Thank you so much for your help!").is_telling()
                && read("Thank you, now add the tests.").is_telling()
        );
    }
}
