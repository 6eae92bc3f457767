//! Headings of summaries (ours and other systems') and the source of the lines below each.

use crate::summary::extractive::{ASKED, is_ahead};
use crate::summary::template::SectionSource;

/// Where the lines under a heading go; the text is the prefix that each gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Home {
    To(SectionSource, &'static str),
    /// User messages: rules become instructions, others requests.
    UserWords,
    /// Context: rules become instructions, others discoveries.
    Context,
    Skipped,
}

/// Known headings in lower case, without numbers and marks.
const TITLES: &[(&str, Home)] = &[
    ("goal", Home::To(SectionSource::Goal, "")),
    ("instructions", Home::To(SectionSource::Instructions, "")),
    ("discoveries", Home::To(SectionSource::Discoveries, "")),
    ("accomplished", Home::To(SectionSource::Accomplished, "")),
    ("relevant files", Home::To(SectionSource::Files, "")),
    // Claude Code
    ("analysis", Home::Skipped),
    ("summary", Home::To(SectionSource::Discoveries, "")),
    ("primary request and intent", Home::To(SectionSource::Goal, "")),
    ("key technical concepts", Home::To(SectionSource::Discoveries, "")),
    ("files and code sections", Home::To(SectionSource::Files, "")),
    ("errors and fixes", Home::To(SectionSource::Discoveries, "")),
    ("problem solving", Home::To(SectionSource::Discoveries, "")),
    ("all user messages", Home::UserWords),
    ("pending tasks", Home::To(SectionSource::Accomplished, "Pending: ")),
    ("current work", Home::To(SectionSource::Accomplished, "In progress: ")),
    ("optional next step", Home::To(SectionSource::Accomplished, "Next: ")),
    // opencode and pi
    ("objective", Home::To(SectionSource::Goal, "")),
    ("important details", Home::To(SectionSource::Discoveries, "")),
    ("important context", Home::To(SectionSource::Discoveries, "")),
    ("critical context", Home::To(SectionSource::Discoveries, "")),
    ("requirements", Home::To(SectionSource::Instructions, "")),
    ("constraints & preferences", Home::To(SectionSource::Instructions, "")),
    ("constraints and preferences", Home::To(SectionSource::Instructions, "")),
    ("decisions", Home::To(SectionSource::Discoveries, "Decided: ")),
    ("key decisions", Home::To(SectionSource::Discoveries, "Decided: ")),
    ("work state", Home::To(SectionSource::Accomplished, "")),
    ("progress", Home::To(SectionSource::Accomplished, "")),
    ("completed", Home::To(SectionSource::Accomplished, "")),
    ("done", Home::To(SectionSource::Accomplished, "")),
    ("active", Home::To(SectionSource::Accomplished, "In progress: ")),
    ("in progress", Home::To(SectionSource::Accomplished, "In progress: ")),
    ("blocked", Home::To(SectionSource::Accomplished, "Blocked: ")),
    ("next move", Home::To(SectionSource::Accomplished, "Next: ")),
    ("next steps", Home::To(SectionSource::Accomplished, "Next: ")),
    ("relevant files / directories", Home::To(SectionSource::Files, "")),
    ("<read-files>", Home::To(SectionSource::Files, "")),
    ("<modified-files>", Home::To(SectionSource::Files, "")),
    // Cline
    ("state", Home::To(SectionSource::Accomplished, "")),
    ("highlights", Home::To(SectionSource::Discoveries, "")),
    ("next", Home::To(SectionSource::Accomplished, "Next: ")),
    ("files", Home::To(SectionSource::Files, "")),
    // opencode v2, Anthropic's SDK
    ("task overview", Home::To(SectionSource::Goal, "")),
    ("current state", Home::To(SectionSource::Accomplished, "")),
    ("context to preserve", Home::To(SectionSource::Instructions, "")),
    // Gemini CLI
    ("overall_goal", Home::To(SectionSource::Goal, "")),
    ("active_constraints", Home::To(SectionSource::Instructions, "")),
    ("key_knowledge", Home::To(SectionSource::Discoveries, "")),
    ("artifact_trail", Home::To(SectionSource::Files, "")),
    ("file_system_state", Home::To(SectionSource::Discoveries, "")),
    ("recent_actions", Home::To(SectionSource::Accomplished, "")),
    ("task_state", Home::To(SectionSource::Accomplished, "")),
    // goose
    ("user intent", Home::To(SectionSource::Goal, "")),
    ("technical concepts", Home::To(SectionSource::Discoveries, "")),
    ("files and code", Home::To(SectionSource::Files, "")),
    ("user messages", Home::UserWords),
    ("next step", Home::To(SectionSource::Accomplished, "Next: ")),
    // Antigravity; its objective is the title of the session, its last part names log files or is cut pieces of stored
    // steps.
    ("user objective", Home::Skipped),
    ("user requests", Home::UserWords),
    ("conversation logs", Home::Skipped),
    ("previous session summary", Home::Skipped),
    // LangChain, OpenHands
    ("session intent", Home::To(SectionSource::Goal, "")),
    ("artifacts", Home::To(SectionSource::Files, "")),
    ("user_context", Home::To(SectionSource::Goal, "")),
    ("task_tracking", Home::To(SectionSource::Instructions, "")),
    ("pending", Home::To(SectionSource::Accomplished, "Pending: ")),
    ("current_state", Home::To(SectionSource::Discoveries, "")),
    ("code_state", Home::To(SectionSource::Files, "")),
    ("tests", Home::To(SectionSource::Discoveries, "")),
    ("changes", Home::To(SectionSource::Accomplished, "")),
    ("deps", Home::To(SectionSource::Discoveries, "")),
    ("version_control_status", Home::To(SectionSource::Discoveries, "")),
    // Crush, Letta
    ("files & changes", Home::To(SectionSource::Files, "")),
    ("technical context", Home::To(SectionSource::Discoveries, "")),
    ("strategy & approach", Home::To(SectionSource::Goal, "")),
    ("exact next steps", Home::To(SectionSource::Accomplished, "Next: ")),
    ("high-level goals", Home::To(SectionSource::Goal, "")),
    ("what happened", Home::To(SectionSource::Accomplished, "")),
    ("lookup hints", Home::To(SectionSource::Discoveries, "")),
];

/// Names of the discoveries that models invent; in earlier summaries, what is below unknown headings is one anyway.
const FINDINGS: &[&str] = &["findings", "key findings", "learnings", "lessons learned"];

/// Keywords of headings that a model made up, as whole words with these endings; the first match counts. Codex
/// prescribes the content of a summary but not its headings.
const PARTS: &[(&[&str], Home)] = &[
    (&["context"], Home::Context),
    (&["constraint", "preference", "requirement", "instruction"], Home::To(SectionSource::Instructions, "")),
    (&["next step", "remain", "remainder", "todo", "to do"], Home::To(SectionSource::Accomplished, "Next: ")),
    (&["pending", "open item", "outstanding"], Home::To(SectionSource::Accomplished, "Pending: ")),
    (&["progress", "completed", "done", "accomplish", "accomplishment"], Home::To(SectionSource::Accomplished, "")),
    (&["decision"], Home::To(SectionSource::Discoveries, "Decided: ")),
    (&["file", "reference", "artifact"], Home::To(SectionSource::Files, "")),
    (&["goal", "objective"], Home::To(SectionSource::Goal, "")),
];
/// Endings of keywords.
const ENDINGS: &[&str] = &["", "s", "ed", "ing"];
/// Maximum number of words of a bold line that counts as a heading.
const HEADING: usize = 8;

pub(super) fn knows_headings(text: &str) -> bool {
    text.lines().any(|line| title(line, None).is_some())
}

/// Whether a model of another system wrote a summary: it has headings that ours lack, and no request in our form.
pub(super) fn is_foreign(text: &str) -> bool {
    let own = |line: &str| {
        line.trim_end()
            .strip_prefix("## ")
            .is_some_and(|name| SectionSource::ALL.iter().any(|own| own.heading() == name))
    };
    let other = |line: &str| title(line, None).is_some() && !own(line);
    let told = |line: &str| line.strip_prefix("- ").is_some_and(|line| line.starts_with(ASKED));
    text.lines().any(other) && !text.lines().any(told)
}

/// A heading of a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Title<'t> {
    /// Where the lines below it go.
    pub(super) home: Home,
    /// Its own words.
    pub(super) name: &'t str,
    /// Text after the heading on its line.
    pub(super) rest: &'t str,
    /// Its words, if the heading is unknown: context for the lines below it.
    pub(super) words: Option<&'t str>,
}

/// Parses a heading; `home` is that of the heading above it. A skipped section ends only at a known heading.
pub(super) fn title(line: &str, home: Option<Home>) -> Option<Title<'_>> {
    let trimmed = line.trim();
    let level = trimmed.bytes().take_while(|&byte| byte == b'#').count();
    let bare = trimmed[level..].trim_start();
    let named = bare.trim_start_matches(|char: char| char.is_ascii_digit()).trim_start_matches(['.', ')', '*', ' ']);
    let alone = stands_alone(line);
    let marked = level > 0 || alone || named.len() < bare.len() || bare.starts_with('<') || bare.ends_with(':');
    let (words, rest) = named.split_once(':').unwrap_or((named, ""));
    let own = words.trim_matches(['*', ' ']);
    let name = own.to_lowercase();
    let known = TITLES.iter().find(|(title, _)| *title == name).filter(|_| marked);
    let to = |home| Title { home, name: own, rest: "", words: None };
    match known {
        Some((_, home)) => Some(Title { rest: rest.trim_matches(['*', ' ']), ..to(*home) }),
        None if home == Some(Home::Skipped) => None,
        None if alone || (level > 0 && level <= 2) => {
            Some(to(by_part(&name).unwrap_or(Home::To(SectionSource::Discoveries, ""))))
        }
        None if level > 2 => by_part(&name)
            .filter(|part| is_open(*part) || named.len() < bare.len())
            .map(to)
            .or_else(|| home.map(|home| Title { words: Some(named), ..to(home) })),
        None => None,
    }
}

/// The source of what stands below a heading that is another name of a section, and whether that is all of the section;
/// else it is one kind of its lines, such as the next steps.
pub fn other_name(heading: &str) -> Option<(SectionSource, bool)> {
    let name = plain(heading);
    if FINDINGS.contains(&name.as_str()) {
        return Some((SectionSource::Discoveries, true));
    }
    match known(&name)? {
        Home::To(source, before) => Some((source, before.is_empty())),
        _ => None,
    }
}

/// The kind of open work that a heading is about, as the words before such a line.
pub fn open_work(heading: &str) -> Option<&'static str> {
    match known(&plain(heading))? {
        Home::To(_, before) if is_ahead(before) => Some(before),
        _ => None,
    }
}

/// A heading in lower case, without numbers and marks.
fn plain(heading: &str) -> String {
    let numbered = |sign: char| sign.is_ascii_digit() || matches!(sign, '.' | ')' | '*' | ' ');
    heading.trim_start_matches(numbered).trim_end_matches(['*', ':', ' ']).to_lowercase()
}

fn known(name: &str) -> Option<Home> {
    let known = TITLES.iter().find(|(title, _)| *title == name).map(|(_, home)| *home);
    known.or_else(|| by_part(name).filter(|part| is_open(*part)))
}

/// Whether a heading is about open work.
fn is_open(home: Home) -> bool {
    matches!(home, Home::To(_, before) if is_ahead(before))
}

/// Whether a line is the heading that ends a draft and starts the summary.
pub(super) fn begins_summary(line: &str) -> bool {
    line.trim_matches(['*', '#', ':', ' ']).eq_ignore_ascii_case("summary") && line.trim_end().ends_with([':', '*'])
}

/// Whether a line is only a few bold words: a heading without `#`.
fn stands_alone(line: &str) -> bool {
    let inner = line.trim_end().trim_end_matches(':').strip_prefix("**").and_then(|rest| rest.strip_suffix("**"));
    inner.is_some_and(|inner| !inner.contains("**") && inner.split_whitespace().count() <= HEADING)
}

/// Where the lines of an unknown heading go, by a keyword in it.
fn by_part(name: &str) -> Option<Home> {
    let words: Vec<&str> = name.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_word = |(word, key): (&&str, &str)| word.strip_prefix(key).is_some_and(|rest| ENDINGS.contains(&rest));
    let has = |part: &&str| {
        let keys = part.split(' ');
        words.windows(keys.clone().count()).any(|words| words.iter().zip(keys.clone()).all(is_word))
    };
    PARTS.iter().find(|(parts, _)| parts.iter().any(has)).map(|(_, home)| *home)
}
