//! Earlier summaries, ours and those of harnesses: read by their headings and merged into the new one.

use super::compose::{CHANGED_FILES, DEFINES, HAS, INDEX_LINES};
use super::extractive::{
    ASKED, BINDING, CHANGED, CURRENT, OPEN_STEP, Root, instruction_strength, is_rule, merge, sentences,
};
use super::fence::Fence;
use super::items::{Item, Items};
use super::sections::is_none;
use super::template::Source;
use super::text::{cut, fold};
use std::collections::HashSet;

const LONGEST: usize = 300;
/// Worth of the oldest carried line, and how much more the newest is worth.
const DISCOVERY: (i64, i64) = (400, 300);
const STEP: (i64, i64) = (-250, 500);
/// What a step loses that was still to be done then.
const STALE: i64 = 300;
/// Number of the first request of earlier summaries, and more than any head has.
const EARLIER: usize = 1 << 30;
/// What an instruction loses for being older than all of the head.
const INSTRUCTION_AGE: i64 = 15;
/// Words in what is said about a file that was changed.
const CHANGES: &[&str] =
    &["created", "written", "edited", "moved", "deleted", "modified", "added", "updated", "changed", "new file"];
/// Beginnings of lines that a harness adds around its summary.
const HARNESS_LINES: &[&str] = &[
    "this session is being continued",
    "the conversation is summarized below",
    "please continue the conversation",
    "if you need specific details from before",
    "continue the conversation from where",
    "recent messages are preserved",
    "context summary:",
    "and ",
];

/// Where the lines under a heading go, and what stands before each of them then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Home {
    To(Source, &'static str),
    /// What the user wrote: instructions where they are some, else requests.
    UserWords,
    Skipped,
}

/// Headings of this and other systems in lower case, without numbers and marks.
const TITLES: &[(&str, Home)] = &[
    ("goal", Home::To(Source::Goal, "")),
    ("instructions", Home::To(Source::Instructions, "")),
    ("discoveries", Home::To(Source::Discoveries, "")),
    ("accomplished", Home::To(Source::Accomplished, "")),
    ("relevant files", Home::To(Source::Files, "")),
    // Claude Code
    ("analysis", Home::Skipped),
    ("summary", Home::To(Source::Discoveries, "")),
    ("primary request and intent", Home::To(Source::Goal, "")),
    ("key technical concepts", Home::To(Source::Discoveries, "")),
    ("files and code sections", Home::To(Source::Files, "")),
    ("errors and fixes", Home::To(Source::Discoveries, "")),
    ("problem solving", Home::To(Source::Discoveries, "")),
    ("all user messages", Home::UserWords),
    ("pending tasks", Home::To(Source::Accomplished, "Pending: ")),
    ("current work", Home::To(Source::Accomplished, "In progress: ")),
    ("optional next step", Home::To(Source::Accomplished, "Next: ")),
    // opencode and pi
    ("objective", Home::To(Source::Goal, "")),
    ("important details", Home::To(Source::Discoveries, "")),
    ("important context", Home::To(Source::Discoveries, "")),
    ("critical context", Home::To(Source::Discoveries, "")),
    ("requirements", Home::To(Source::Instructions, "")),
    ("constraints & preferences", Home::To(Source::Instructions, "")),
    ("constraints and preferences", Home::To(Source::Instructions, "")),
    ("decisions", Home::To(Source::Discoveries, "Decided: ")),
    ("key decisions", Home::To(Source::Discoveries, "Decided: ")),
    ("work state", Home::To(Source::Accomplished, "")),
    ("progress", Home::To(Source::Accomplished, "")),
    ("completed", Home::To(Source::Accomplished, "")),
    ("done", Home::To(Source::Accomplished, "")),
    ("active", Home::To(Source::Accomplished, "In progress: ")),
    ("in progress", Home::To(Source::Accomplished, "In progress: ")),
    ("blocked", Home::To(Source::Accomplished, "Blocked: ")),
    ("next move", Home::To(Source::Accomplished, "Next: ")),
    ("next steps", Home::To(Source::Accomplished, "Next: ")),
    ("relevant files / directories", Home::To(Source::Files, "")),
    ("<read-files>", Home::To(Source::Files, "")),
    ("<modified-files>", Home::To(Source::Files, "")),
    // Cline
    ("state", Home::To(Source::Accomplished, "")),
    ("highlights", Home::To(Source::Discoveries, "")),
    ("next", Home::To(Source::Accomplished, "Next: ")),
    ("files", Home::To(Source::Files, "")),
];

/// Words of a line that only announces what follows.
const LABEL: usize = 5;

/// A line of an earlier summary.
#[derive(Debug, PartialEq, Eq)]
struct Told {
    source: Source,
    text: String,
    /// It stood below another line.
    below: bool,
}

/// What an earlier summary says, by source.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Prior {
    lines: Vec<Told>,
    files: Vec<(String, String)>,
    names: Vec<(String, String)>,
}

impl Prior {
    /// Reads an earlier summary; a text without any known heading is all discoveries.
    pub fn read(text: &str) -> Self {
        let mut reader = Reader {
            prior: Self::default(),
            root: Root::default(),
            home: None,
            known: knows_headings(text),
            below: false,
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

    /// The lines for one source, in order; files are lines `path — story`.
    pub fn lines(&self, source: Source) -> Vec<&str> {
        self.lines.iter().filter(|line| line.source == source).map(|line| line.text.as_str()).collect()
    }

    /// The files with what is said about them.
    pub fn files(&self) -> &[(String, String)] {
        &self.files
    }

    /// Names that stood behind files.
    pub(super) fn names(&self) -> &[(String, String)] {
        &self.names
    }

    /// Tells a request among the steps that is no goal any more: in place of its beginning, which stood there.
    fn tell(&mut self, request: &str) {
        let line = asked(request);
        let begins = |step: &str| {
            let words = step.strip_prefix(ASKED).unwrap_or_default().trim_matches(['“', '”', '…']);
            !words.is_empty() && request.starts_with(words)
        };
        let step = self.lines.iter_mut().rfind(|step| step.source == Source::Accomplished && begins(&step.text));
        match step {
            Some(step) => step.text = line,
            None => self.lines.push(Told { source: Source::Accomplished, text: line, below: false }),
        }
    }

    fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.files.is_empty()
    }
}

struct Reader {
    prior: Prior,
    root: Root,
    home: Option<Home>,
    known: bool,
    /// The line that is read stands below another.
    below: bool,
}

impl Reader {
    fn line(&mut self, line: &str) {
        if let Some((home, rest)) = title(line, self.home) {
            self.home = Some(home);
            if !rest.is_empty() {
                self.content(rest);
            }
        } else {
            self.content(line);
        }
    }

    fn content(&mut self, line: &str) {
        self.below = line.starts_with(' ');
        let Some(text) = row(line).map(|cells| cells.unwrap_or_else(|| fold(&bare(line)))) else { return };
        let lower = text.to_lowercase();
        let says = text.chars().any(char::is_alphanumeric)
            && !is_none(line)
            && !(text.starts_with('<') && text.ends_with('>'));
        if !says
            || is_label(&text)
            || HARNESS_LINES
                .iter()
                .any(|start| lower.starts_with(start) && (*start != "and " || lower.ends_with(" more")))
        {
            return;
        }
        match self.home {
            None if self.known => {}
            None => self.push(Source::Discoveries, text),
            Some(Home::Skipped) => {}
            Some(Home::UserWords) if is_rule(&text) => self.push(Source::Instructions, text),
            Some(Home::UserWords) => self.push(Source::Accomplished, asked(&text)),
            Some(Home::To(Source::Files, _)) => self.file(text),
            Some(Home::To(Source::Goal, _)) => self.goal(text),
            Some(Home::To(source, before)) => self.push(source, with_prefix(before, text)),
        }
    }

    fn push(&mut self, source: Source, text: String) {
        self.prior.lines.push(Told { source, text: cut(&text, LONGEST).into_owned(), below: self.below });
    }

    /// The first line is the goal; what follows it tells how, or what else was asked.
    fn goal(&mut self, text: String) {
        let first = self.prior.lines(Source::Goal).is_empty();
        let text = without_label(text);
        if first || text.starts_with(CURRENT) {
            self.push(Source::Goal, text);
        } else if is_rule(&text) {
            self.push(Source::Instructions, text);
        } else {
            self.push(Source::Accomplished, asked(&text));
        }
    }

    fn file(&mut self, text: String) {
        if let Some(root) = Root::read(&text) {
            self.root = root;
        } else if let Some(files) = text.strip_prefix(CHANGED_FILES) {
            let files = files.split('`').skip(1).step_by(2).map(|path| (self.root.full(path), "changed".to_owned()));
            self.prior.files.extend(files.collect::<Vec<_>>());
        } else if INDEX_LINES.iter().any(|start| text.starts_with(start)) {
            // What is worth naming again is found among the facts of the whole text.
        } else if let Some((path, story)) = path_and_story(&text) {
            let (story, names) = without_names(story);
            let path = self.root.full(path);
            if !names.is_empty() {
                self.prior.names.push((path.clone(), names.to_owned()));
            }
            self.prior.files.push((path, cut(story, 160).into_owned()));
        } else if let Some((_, story)) = self.prior.files.last_mut().filter(|(_, story)| story.is_empty()) {
            *story = cut(&text, 160).into_owned();
        } else if !sentences(&text).is_empty() {
            self.push(Source::Discoveries, text);
        }
    }
}

/// The cells of a table's row as one line: `Some(None)` for what is no row, `None` for the rule below the head.
fn row(line: &str) -> Option<Option<String>> {
    let Some(inner) = line.trim().strip_prefix('|').and_then(|rest| rest.strip_suffix('|')) else { return Some(None) };
    if inner.chars().all(|char| "|-: ".contains(char)) {
        return None;
    }
    let cells: Vec<&str> = inner.split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect();
    Some(Some(fold(&cells.join(" — "))))
}

/// A few words that only announce what follows: “New files:”.
fn is_label(text: &str) -> bool {
    text.ends_with(':') && !text.contains('`') && text.split_whitespace().count() <= LABEL
}

/// Takes a last sentence off that only announces a list.
fn without_label(mut text: String) -> String {
    if text.ends_with(':')
        && let Some(end) = text.rfind(". ")
    {
        text.truncate(end + 1);
    }
    text
}

fn asked(text: &str) -> String {
    if text.starts_with(ASKED) {
        text.to_owned()
    } else {
        format!("{ASKED}“{}”", cut(text.trim_matches(['"', '“', '”']), 160))
    }
}

fn with_prefix(before: &str, text: String) -> String {
    if text.starts_with(before) { text } else { format!("{before}{text}") }
}

fn knows_headings(text: &str) -> bool {
    text.lines().any(|line| title(line, None).is_some())
}

/// Whether a line is a heading: where what follows goes, and what stands on the line already.
fn title(line: &str, home: Option<Home>) -> Option<(Home, &str)> {
    let trimmed = line.trim();
    let level = trimmed.bytes().take_while(|&byte| byte == b'#').count();
    let bare = trimmed[level..].trim_start();
    let named = bare.trim_start_matches(|char: char| char.is_ascii_digit()).trim_start_matches(['.', '*', ' ']);
    let marked = level > 0 || named.len() < bare.len() || bare.starts_with('<') || bare.ends_with(':');
    let (name, rest) = named.split_once(':').unwrap_or((named, ""));
    let name = name.trim_matches(['*', ' ']).to_lowercase();
    let known = TITLES.iter().find(|(title, _)| *title == name).filter(|_| marked);
    match known {
        Some((_, home)) => Some((*home, rest.trim_matches(['*', ' ']))),
        None if level > 0 && level <= 2 => Some((Home::To(Source::Discoveries, ""), "")),
        None if level > 2 => home.map(|home| (home, "")),
        None => None,
    }
}

/// A line without bullet and emphasis.
fn bare(line: &str) -> String {
    let trimmed = numbered(line.trim());
    let unmarked =
        ["- [x] ", "- [ ] ", "- ", "* ", "• "].iter().find_map(|mark| trimmed.strip_prefix(mark)).unwrap_or(trimmed);
    unmarked.trim_start_matches("**").replace("**:", ":").replace(":**", ":").replace("** ", " ")
}

/// What follows the number of a list item.
fn numbered(line: &str) -> &str {
    let rest = line.trim_start_matches(|char: char| char.is_ascii_digit());
    rest.strip_prefix(". ").filter(|_| rest.len() < line.len()).unwrap_or(line)
}

/// What is said about a file, and the names of the index behind it.
fn without_names(story: &str) -> (&str, &str) {
    let at = [DEFINES, HAS].iter().filter_map(|lead| story.find(lead)).min();
    at.map_or((story, ""), |at| story.split_at(at))
}

/// The path that a line begins with, and the rest.
fn path_and_story(text: &str) -> Option<(&str, &str)> {
    let (path, rest) = match text.strip_prefix('`') {
        Some(quoted) => quoted.split_once('`')?,
        None => text.split_once([' ', ':']).unwrap_or((text, "")),
    };
    let path = path.trim_matches(['*', ':', ',']);
    let is_path = path.contains(['/', '\\'])
        || path.rsplit_once('.').is_some_and(|(stem, end)| !stem.is_empty() && (1..=8).contains(&end.len()));
    (is_path && !path.contains(' ')).then(|| (path, rest.trim_matches([' ', '—', '-', '–', ':', '*'])))
}

/// Merges earlier summaries, oldest first, into the items of the head; whether they had anything to say.
pub(super) fn merge_all(items: &mut Items, root: &Root, texts: &[String]) -> bool {
    let mut all = Prior::default();
    for text in texts {
        let prior = Prior::read(text);
        all.lines.extend(prior.lines);
        all.files.extend(prior.files);
    }
    if let Some(replaced) = goal(items, &all) {
        all.tell(&replaced);
    }
    instructions(items, &all);
    let found = carried(all.lines(Source::Discoveries), DISCOVERY);
    items.discoveries.splice(0..0, found);
    accomplished(items, &all);
    merge(&mut items.files, root, files(&all));
    !all.is_empty()
}

fn carried(lines: Vec<&str>, (least, more): (i64, i64)) -> Vec<Item> {
    let all = i64::try_from(lines.len()).unwrap_or(i64::MAX).max(1);
    lines.into_iter().zip(0_i64..).map(|(line, at)| Item::carried(line.to_owned(), least + more * at / all)).collect()
}

/// The oldest goal stays; what the head asks for last is the current request. Returns the request that was current.
fn goal(items: &mut Items, prior: &Prior) -> Option<String> {
    let lines = prior.lines(Source::Goal);
    let first = lines.iter().find(|line| !line.starts_with(CURRENT))?;
    let before = lines.iter().rfind(|line| line.starts_with(CURRENT));
    let current = match items.goal.pop() {
        Some(mut item) if !item.text.starts_with(CURRENT) => {
            item.text.insert_str(0, CURRENT);
            Some(item)
        }
        Some(item) => Some(item),
        None => before.map(|line| Item::carried((*line).to_owned(), 1)),
    };
    let replaced = before.filter(|line| current.as_ref().is_some_and(|item| item.text != **line));
    items.goal = vec![Item::carried((*first).to_owned(), 3)];
    items.goal.extend(current);
    replaced.map(|line| line.trim_start_matches(CURRENT).to_owned())
}

fn instructions(items: &mut Items, prior: &Prior) {
    let lines = prior.lines(Source::Instructions);
    items.instructions.extend(lines.into_iter().map(|line| {
        let strength = instruction_strength(line).unwrap_or(2).min(8) * 10;
        Item::carried(line.to_owned(), strength - INSTRUCTION_AGE)
    }));
}

/// Steps go before those of the head, but for what a newer run of a command or a newer plan replaces.
fn accomplished(items: &mut Items, prior: &Prior) {
    let runs: HashSet<&str> = items.accomplished.iter().filter_map(|item| command(&item.text)).collect();
    let planned = items.accomplished.iter().any(|item| item.text.starts_with(OPEN_STEP));
    let mut lines: Vec<&Told> = prior.lines.iter().filter(|line| line.source == Source::Accomplished).collect();
    let turns = turns(&lines);
    let mut numbered: Vec<(&Told, Option<usize>)> = lines.drain(..).zip(turns).collect();
    numbered.retain(|(line, _)| command(&line.text).is_none_or(|command| !runs.contains(command)));
    numbered.retain(|(line, _)| !(planned && line.text.starts_with(OPEN_STEP)));
    numbered.sort_by_key(|(line, _)| is_ahead(&line.text));
    let mut steps = carried(numbered.iter().map(|(line, _)| line.text.as_str()).collect(), STEP);
    steps.iter_mut().zip(&numbered).for_each(|(step, (_, turn))| step.turn = *turn);
    steps.iter_mut().filter(|step| is_ahead(&step.text)).for_each(|step| step.rank -= STALE);
    let binds = |step: &&mut Item| step.text.starts_with(ASKED) && instruction_strength(&step.text).is_some();
    steps.iter_mut().filter(binds).for_each(|step| step.rank += BINDING);
    items.accomplished.splice(0..0, steps);
}

/// The requests that steps belong to, numbered apart from those of the head: a step stood below its request.
fn turns(lines: &[&Told]) -> Vec<Option<usize>> {
    let mut turn = EARLIER;
    let of = |line: &&Told| {
        let asks = line.text.starts_with(ASKED);
        turn += usize::from(asks);
        (asks || (line.below && turn > EARLIER)).then_some(turn)
    };
    lines.iter().map(of).collect()
}

/// Whether a line tells what was still to be done then.
fn is_ahead(line: &str) -> bool {
    [OPEN_STEP, "Next: ", "Pending: ", "In progress: ", "Blocked: "].iter().any(|start| line.starts_with(start))
}

/// The command that a line tells the outcome of.
fn command(line: &str) -> Option<&str> {
    line.strip_prefix("Ran `")?.split_once("`: ").map(|(command, _)| command)
}

fn files(prior: &Prior) -> Vec<(String, Item)> {
    let all = prior.files.iter().rev().zip(0_i64..);
    let mut files: Vec<(String, Item)> =
        all.map(|((path, story), age)| (path.clone(), file(path, story, age))).collect();
    files.reverse();
    files
}

fn file(path: &str, story: &str, age: i64) -> Item {
    let lower = story.to_lowercase();
    let changed = CHANGES.iter().any(|word| lower.contains(word));
    let rank = if changed { CHANGED / 2 } else { 0 } - age;
    Item { changed_file: changed, ..Item::carried(format!("`{path}` — {story}"), rank) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_summary_is_read_by_its_headings() {
        let text = "## Goal\n- Do it\n- Current request: more\n\n## Instructions\n(none)\n\n## Relevant files\n\
                    - Paths are shown without `/a/b/c/`\n- `src/x.rs` — edited 2×\n- and 4 more\n";
        let prior = Prior::read(text);
        assert_eq!(prior.lines(Source::Goal), ["Do it", "Current request: more"]);
        assert!(prior.lines(Source::Instructions).is_empty() && prior.lines(Source::Discoveries).is_empty());
        assert_eq!(prior.files(), [("/a/b/c/src/x.rs".to_owned(), "edited 2×".to_owned())]);
    }

    #[test]
    fn numbered_titles_with_or_without_emphasis_are_known() {
        let text = "This session is being continued from a previous conversation.\n<analysis>\n1. Current Work: no\n</analysis>\n\
                    Summary:\n1. **Primary Request and Intent**: Build the tool.\n   - Never use macros\n\n\
                    3. Files and Code Sections:\n   - `src/main.rs`\n      - Holds the entry point\n```rust\nfn x() {}\n```\n\
                    4. Errors and fixes:\n   - **Wrong type**: cast it first\n6. **All user messages:**\n   - \"go on with it\"\n\
                    7. Pending Tasks:\n   - Write the tests\n9. Optional Next Step:\n   Run them.\n";
        let prior = Prior::read(text);
        assert_eq!(prior.lines(Source::Goal), ["Build the tool."]);
        assert_eq!(prior.lines(Source::Instructions), ["Never use macros"]);
        assert_eq!(prior.lines(Source::Discoveries), ["Wrong type: cast it first"]);
        let steps = ["Asked: “go on with it”", "Pending: Write the tests", "Next: Run them."];
        assert_eq!(prior.lines(Source::Accomplished), steps);
        assert_eq!(prior.files(), [("src/main.rs".to_owned(), "Holds the entry point".to_owned())]);
    }

    #[test]
    fn headings_of_later_templates_are_known() {
        let text = "## Objective\n- Ship it\n## Important Details\n- Port 80\n## Work State\n### Completed\n- One\n\
                    ### Blocked\n- Two\n## Next Move\n1. Three\n## Constraints & Preferences\n- No macros\n";
        let prior = Prior::read(text);
        assert_eq!(prior.lines(Source::Accomplished), ["One", "Blocked: Two", "Next: Three"]);
        assert_eq!(prior.lines(Source::Instructions), ["No macros"]);
    }

    #[test]
    fn a_text_without_headings_is_all_discoveries() {
        assert_eq!(
            Prior::read("The port is 80.\n\nIt is open.").lines(Source::Discoveries),
            ["The port is 80.", "It is open."]
        );
    }
}
