//! Parses an earlier summary line by line.

use super::lines::{
    asked, bare, denies, is_file, is_label, is_own, is_remark, own_file, path_and_story, retold, row, unmarked,
    without_announcement, without_label, without_names,
};
use super::parents::Parents;
use super::rules::user_words;
use super::titles::{Home, Title, begins_summary, is_foreign, knows_headings, title};
use super::{Prior, PriorText};
use crate::summary::compose::{CHANGED_FILES, DELETED_FILES, INDEX_LINES, READ_FILES};
use crate::summary::extractive::{CURRENT, Root, is_ahead, is_rule, sentences, unplaced};
use crate::summary::fence::Fence;
use crate::summary::joints::behind;
use crate::summary::sections::is_none;
use crate::summary::template::SectionSource;
use crate::summary::text::{contains_any, cut, cut_clause, fold, has_any, starts_any};
use crate::transcript::fixed_texts::{HERMES_END, HERMES_REFERENCE, HERMES_SUMMARY};

const LONGEST: usize = 300;
/// Maximum length of an instruction, in characters: more than of other lines, since it should stay whole; quoted
/// messages get the lower limit.
const RULE: usize = 360;
/// Maximum length of a goal in a summary of ours, in characters: a request that was told whole stays whole, with what
/// it refers to; where there is no room for it, it is cut when the lines are chosen.
const GOAL: usize = 1_000;
/// Parts of what a harness sends as the user when it compacts and goes on.
const QUOTED: [&str; 3] = [
    "create a detailed summary of the conversation",
    "this session is being continued from a previous conversation",
    "continue the conversation from where we left off without asking",
];
/// Beginnings of lines that a harness adds around its summary.
const HARNESS_LINES: &[&str] = &[
    "this session is being continued",
    "the conversation is summarized below",
    "please continue the conversation",
    "if you need specific details from before",
    "continue the conversation from where",
    "recent messages are preserved",
    "context summary:",
    "the following were user requests",
    // Hermes.
    "historical only; newer protected-tail messages",
    "[skill_pruned: ",
];

/// Whether a line opens or ends a summary of Hermes.
fn frames_summary(line: &str) -> bool {
    let opens = |line: &str| line.strip_prefix(HERMES_SUMMARY).is_some_and(|rest| rest.starts_with(HERMES_REFERENCE));
    opens(line) || line.starts_with(HERMES_END)
}

/// Whether a line has a bullet or a number.
fn is_item(line: &str) -> bool {
    unmarked(line).len() < line.trim().len()
}

/// Whether the agent that wrote a lower-case line says what it thinks, which is no rule of the user: “I should change
/// the fix”.
fn deliberates(lower: &str) -> bool {
    has_any(lower, &["i could", "i should", "i think", "i would", "i'd", "i'll"]) && !lower.starts_with("user")
}

/// Whether a lower-case line is ours and counts the items that a section has no room for: “and 12 more”.
fn counts_what_is_cut(lower: &str) -> bool {
    lower.starts_with("and ") && lower.ends_with(" more")
}

/// Parses a text, except code blocks and `<analysis>` blocks.
pub(super) fn read(text: &str) -> Prior {
    let mut reader = Reader {
        prior: Prior::default(),
        root: Root::default(),
        home: None,
        heading: String::new(),
        known: knows_headings(text),
        below: false,
        foreign: is_foreign(text),
        parents: Parents::default(),
        listing: false,
        begins: text.lines().any(begins_summary),
    };
    let mut fence = Fence::default();
    let mut thinking = false;
    for line in text.lines() {
        thinking |= line.trim() == "<analysis>";
        if !fence.holds(line) && !thinking {
            reader.line(line);
        }
        thinking &= line.trim() != "</analysis>";
    }
    reader.prior
}

struct Reader {
    prior: Prior,
    root: Root,
    home: Option<Home>,
    /// The last heading that is not only context of the lines below it, in lower case.
    heading: String,
    known: bool,
    /// Whether the current line is indented under another (only in summaries of ours).
    below: bool,
    /// Whether a model of another system wrote the text.
    foreign: bool,
    /// The lines above the current one that give it context.
    parents: Parents,
    /// Whether the next lines may belong to a list that the goal announces.
    listing: bool,
    /// Whether the text has a summary heading; skipped text then ends only there.
    begins: bool,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let thinks = self.begins && self.home == Some(Home::Skipped) && !begins_summary(line);
        match title(line, self.home).filter(|_| !thinks) {
            Some(Title { home, name, rest, words }) => {
                self.home = Some(home);
                if words.is_none() {
                    self.heading = name.to_lowercase();
                }
                self.parents.clear(words);
                if !rest.is_empty() {
                    self.content(rest);
                }
            }
            None => self.content(line),
        }
    }

    fn content(&mut self, line: &str) {
        self.below = line.starts_with(' ') && !self.foreign;
        if !line.trim().is_empty() && self.home != Some(Home::Skipped) {
            self.parents.enter(line, matches!(self.home, Some(Home::To(SectionSource::Files, _))));
        }
        let Some(text) = row(line).map(|cells| cells.unwrap_or_else(|| fold(&bare(line)))) else { return };
        let lower = text.to_lowercase();
        let says = text.chars().any(char::is_alphanumeric)
            && !is_none(line)
            && !(text.starts_with('<') && text.ends_with('>'));
        let is_of_harness = || starts_any(&lower, HARNESS_LINES) || frames_summary(&text);
        if !says || is_label(&text) || is_of_harness() || counts_what_is_cut(&lower) {
            return;
        }
        match self.home {
            None if self.known => {}
            None => self.found(text),
            Some(Home::Skipped) => {}
            Some(Home::UserWords) => self.user_words(&text),
            Some(Home::Context) if is_rule(&text) && !deliberates(&lower) => {
                self.push(SectionSource::Instructions, text);
            }
            Some(Home::To(SectionSource::Files, _)) => self.file(text),
            Some(Home::Context | Home::To(SectionSource::Discoveries | SectionSource::Accomplished, _))
                if is_file(&text) =>
            {
                self.file(text);
            }
            Some(Home::Context | Home::To(SectionSource::Discoveries, "")) => self.found(text),
            Some(Home::To(SectionSource::Goal, _)) => self.goal(text, is_item(line)),
            Some(Home::To(SectionSource::Instructions, _)) => self.push(SectionSource::Instructions, text),
            Some(Home::To(source, _)) if is_own(&text) => self.push(source, text),
            // It says that nothing is to be done; the lines after it are only possibilities.
            Some(Home::To(_, before)) if is_ahead(before) && denies(&lower) => self.home = None,
            Some(Home::To(source, before)) if text.starts_with(before) => {
                self.push(source, self.parents.with_context(text))
            }
            Some(Home::To(source, before)) => self.push(source, format!("{before}{}", self.parents.with_context(text))),
        }
    }

    /// Adds a discovery with its context, since each line is carried on its own.
    fn found(&mut self, text: String) {
        let text = if is_own(&text) { text } else { self.parents.with_context(text) };
        self.push(SectionSource::Discoveries, text);
    }

    /// Splits a message of the user: its rules become instructions, and the message a request if it says more.
    fn user_words(&mut self, text: &str) {
        let lower = text.to_lowercase();
        if is_remark(text) || contains_any(&lower, &QUOTED) {
            return;
        }
        let all = sentences(user_words(text)).into_iter();
        let (rules, others): (Vec<String>, Vec<String>) = all.partition(|sentence| is_rule(sentence));
        // A ban of two words is not split off as a sentence.
        if rules.is_empty() && is_rule(user_words(text)) {
            return self.push(SectionSource::Instructions, text.to_owned());
        }
        if rules.is_empty() || !others.is_empty() {
            self.push(SectionSource::Accomplished, retold(text));
        }
        rules.into_iter().for_each(|rule| self.push(SectionSource::Instructions, rule));
    }

    fn push(&mut self, source: SectionSource, text: String) {
        // Discoveries and steps are carried line by line, without their heading.
        let alone = matches!(source, SectionSource::Discoveries | SectionSource::Accomplished);
        let Some(text) = (if alone { without_announcement(text) } else { Some(text) }) else { return };
        let rules = source == SectionSource::Instructions && !text.starts_with(['"', '“']);
        let most = if source == SectionSource::Goal { self.longest_goal() } else { LONGEST };
        let text = if rules { cut_clause(&text, RULE) } else { cut(&text, most) };
        self.prior.lines.push(PriorText {
            source,
            text: text.into_owned(),
            below: self.below,
            foreign: self.foreign,
            heading: self.heading.clone(),
            typed: self.home == Some(Home::UserWords),
            left_out: false,
            summary: 0,
            newest: false,
        });
    }

    fn longest_goal(&self) -> usize {
        if self.foreign { LONGEST } else { GOAL }
    }

    /// The first line is the goal, joined with the list below it if it ends in a colon; later lines, and items for which
    /// there is no room, are rules or further requests.
    fn goal(&mut self, text: String, is_item: bool) {
        let first = self.prior.lines(SectionSource::Goal).is_empty();
        let text = without_label(text);
        if first || text.starts_with(CURRENT) {
            self.listing = text.ends_with(':');
            return self.push(SectionSource::Goal, text);
        }
        let is_told = self.listing && self.list_in_goal(&text, is_item);
        self.listing &= is_told;
        if is_rule(&text) {
            self.push(SectionSource::Instructions, text);
        } else if !is_told {
            let text = self.parents.with_context(text);
            self.push(SectionSource::Accomplished, if self.foreign { retold(&text) } else { asked(&text) });
        }
    }

    /// Adds a line to the goal that announces it, or an item to those that were added; false if it does not fit.
    fn list_in_goal(&mut self, text: &str, is_item: bool) -> bool {
        let most = self.longest_goal();
        let goal = self.prior.lines.iter_mut().rfind(|line| line.source == SectionSource::Goal);
        let Some(goal) = goal else { return false };
        let is_first = goal.text.ends_with(':');
        let all = format!("{}{}{text}", goal.text, behind(&goal.text));
        // What quotes is a message of the user.
        let fits = is_first || is_item && !text.contains(['"', '“']) && all.chars().count() <= most;
        if fits {
            goal.text = cut(&all, most).into_owned();
        }
        fits
    }

    fn file(&mut self, text: String) {
        if let Some(root) = Root::read(&text) {
            self.root = root;
        } else if let Some(files) = listed(&self.root, &text) {
            self.prior.files.extend(files);
        } else if starts_any(&text, &INDEX_LINES) {
            // Names of the index are found again as facts of the whole text.
        } else if let Some((path, story)) = path_and_story(&text).or_else(|| own_file(&text)) {
            let (story, names) = without_names(story);
            let path = self.root.full(path);
            if !names.is_empty() {
                self.prior.names.push((path.clone(), names.to_owned()));
            }
            self.prior.files.push((path, cut(story, 160).into_owned()));
        } else if let Some((_, story)) = self.prior.files.last_mut().filter(|(_, story)| story.is_empty()) {
            *story = cut(&text, 160).into_owned();
        } else if !sentences(&text).is_empty() {
            self.found(text);
        }
    }
}

/// The files of a line that lists several, each with what was done to it.
fn listed(root: &Root, text: &str) -> Option<Vec<(String, String)>> {
    let all = [(CHANGED_FILES, "changed"), (DELETED_FILES, "deleted"), (READ_FILES, "read")];
    all.into_iter().find_map(|(lead, story)| {
        let whole = text.strip_prefix(lead.whole);
        let files = whole.or_else(|| text.strip_prefix(lead.ends))?.split('`').skip(1).step_by(2);
        let full = |path| if whole.is_some() { root.full(path) } else { unplaced(path) };
        Some(files.map(|path| (full(path), story.to_owned())).collect())
    })
}
