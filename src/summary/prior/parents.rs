//! The context of a nested line in an earlier summary: without the file or subject above it, the line says little.

use super::lines::{is_own, path_and_story, unmarked, without_emphasis};
use crate::summary::text::{fold, indent, words};
use foldhash::HashMap;

/// Maximum number of words and of characters of a label.
const WORDS: usize = 8;
const MOST: usize = 60;
/// Maximum number of words of a label that needs the label above it too.
const FEW: usize = 2;
/// Maximum length of the stem of a file name that many folders may have: `mod.rs`, `index.ts`.
const COMMON: usize = 5;
/// Factor of the indent in the depth of a line: marks count less, so that bullets are deeper than numbers, and these
/// deeper than paragraphs.
const DEEPER: usize = 4;

/// The context printed before the lines below a line.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Label {
    File(String),
    Words(String),
}

/// The current line and the lines it is nested in, each with depth and label.
#[derive(Default)]
pub(super) struct Parents {
    lines: Vec<(usize, Option<Label>)>,
    /// Full paths of files seen, by name.
    names: HashMap<String, String>,
}

impl Parents {
    /// Clears the context at a heading; an unknown heading becomes the context of the lines below it.
    pub(super) fn clear(&mut self, heading: Option<&str>) {
        self.lines.clear();
        let label = heading.and_then(called);
        self.lines.extend(label.map(|label| (0, Some(Label::Words(label)))));
    }

    /// Makes a line the current one; in the section of files it may begin with a bare path.
    pub(super) fn enter(&mut self, line: &str, in_files: bool) {
        let depth = depth(line) + 1;
        while self.lines.last().is_some_and(|(last, _)| *last >= depth) {
            self.lines.pop();
        }
        let item = unmarked(line);
        let label = if is_own(item) { None } else { self.file(item, in_files).or_else(|| label(item, line)) };
        self.lines.push((depth, label));
    }

    /// The text of the current line with its context before it, unless the text has it already.
    pub(super) fn with_context(&self, text: String) -> String {
        let above = self.lines.split_last().map_or(&[][..], |(_, above)| above);
        let mut above = above.iter().rev().filter_map(|(_, label)| label.as_ref());
        let lower = text.to_lowercase();
        let Some(nearest) = above.next().filter(|label| !lower.contains(&label.bare().to_lowercase())) else {
            return text;
        };
        let mut wider = || above.find(|label| matches!(label, Label::File(_)) || words(nearest.bare()) <= FEW);
        match nearest {
            Label::File(name) => format!("`{name}`: {text}"),
            Label::Words(label) => match wider().filter(|wider| !lower.contains(&wider.bare().to_lowercase())) {
                Some(Label::File(name)) => format!("`{name}`: {label} — {text}"),
                Some(Label::Words(wider)) => format!("{wider}: {label} — {text}"),
                None => format!("{label} — {text}"),
            },
        }
    }

    /// The label of a line about a file: its name, with its folder if the name is short or another file has it.
    fn file(&mut self, item: &str, in_files: bool) -> Option<Label> {
        let text = fold(&without_emphasis(item));
        let (path, _) = path_and_story(&text).filter(|_| in_files || text.starts_with('`'))?;
        let path = path.trim_end_matches(['/', '\\']);
        let mut pieces = path.rsplitn(3, ['/', '\\']);
        let (name, folder) = (pieces.next()?, pieces.next().filter(|folder| !folder.is_empty()));
        let short = name.split('.').next().is_some_and(|stem| stem.chars().count() <= COMMON);
        let known = self.names.entry(name.to_owned()).or_insert_with(|| path.to_owned()) != path;
        let folder = folder.filter(|_| short || known);
        Some(Label::File(folder.map_or_else(|| name.to_owned(), |folder| format!("{folder}/{name}"))))
    }
}

impl Label {
    fn bare(&self) -> &str {
        let (Self::File(text) | Self::Words(text)) = self;
        text
    }
}

/// The depth of a line, from its indent and mark.
fn depth(line: &str) -> usize {
    let trimmed = line.trim_start();
    let mark = match trimmed.chars().next() {
        Some('-' | '*' | '•') if !trimmed.starts_with("**") => 2,
        _ => usize::from(unmarked(line).len() < trimmed.trim_end().len()),
    };
    indent(line) * DEEPER + mark
}

/// The label of a line: its bold words, or the words before a colon, dash or bracket. A paragraph is a label only if
/// it announces a list.
fn label(item: &str, line: &str) -> Option<Label> {
    let is_paragraph = unmarked(line).len() == line.trim().len();
    if is_paragraph && !item.ends_with(':') && !item.ends_with(":**") {
        return None;
    }
    let bold = item.strip_prefix("**").and_then(|rest| rest.split_once("**")).map(|(bold, _)| bold);
    called(bold.unwrap_or_else(|| lead(item))).map(Label::Words)
}

/// The text before the first colon, dash or bracket outside of code.
fn lead(item: &str) -> &str {
    let ends = [": ", " — ", " – ", " - ", " ("];
    let outside = |at: &usize| item[..*at].matches('`').count().is_multiple_of(2);
    let end = ends.iter().filter_map(|end| item.match_indices(end).map(|(at, _)| at).find(outside)).min();
    &item[..end.unwrap_or(item.len())]
}

/// A text without marks, if it has at most [`WORDS`] words.
fn called(text: &str) -> Option<String> {
    let name = fold(&without_emphasis(text));
    let name = name.trim_matches([':', '.', ' ']);
    let fits = (1..=WORDS).contains(&words(name)) && name.chars().count() <= MOST;
    (fits && name.matches('`').count().is_multiple_of(2)).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use crate::summary::prior::Prior;
    use crate::summary::template::SectionSource;

    #[test]
    fn a_nested_line_is_told_with_the_file_or_the_words_above_it() {
        let text = "3. Files and Code Sections:\n   - **`src/pier/lantern.ts`** (NEW)\n     - Holds all of the lamps\n     - Fixes\n     \
                    - Key additions:\n       - lights by day\n   - `src/quay/mod.rs`\n     - Reads the tides\n     - Stays async at all times\n   - `src/pier/lantern.ts`\n     - Burns oil\n     - Needs two of the wicks\n   - `docs/lantern.ts`\n     - Tells of it\n     - Tells of the oil\n\n\
                    4. Errors and fixes:\n   - **Dark pier**: no oil.\n     - Filled it up\n\n\
                    7. Pending Tasks:\n   - **Harbour map** (in progress): \"Draw it\"\n     - Draw the quay\n   - Sail\n";
        let prior = Prior::read(text);
        assert_eq!(
            prior.lines(SectionSource::Discoveries),
            [
                "`lantern.ts`: Holds all of the lamps",
                "`lantern.ts`: Key additions — lights by day",
                "`quay/mod.rs`: Stays async at all times",
                "`lantern.ts`: Needs two of the wicks",
                "`docs/lantern.ts`: Tells of the oil",
                "Dark pier: no oil.",
                "Dark pier — Filled it up"
            ]
        );
        assert_eq!(
            prior.lines(SectionSource::Accomplished),
            [
                "Pending: Harbour map (in progress): \"Draw it\"",
                "Pending: Harbour map — Draw the quay",
                "Pending: Sail"
            ]
        );
    }

    #[test]
    fn a_list_is_told_with_the_paragraph_or_the_heading_that_announces_it() {
        let text = "## Progress\n### 2. Broken since dusk\nLikely troubles:\n- no oil in the lamp\n\nThey were looked at by all of us.\n\n- one lamp is out\n\
                    ### Done\n1. Lamps\n- lit all of them\n";
        assert_eq!(
            Prior::read(text).lines(SectionSource::Accomplished),
            [
                "Broken since dusk: Likely troubles — no oil in the lamp",
                "Broken since dusk — They were looked at by all of us.",
                "Broken since dusk — one lamp is out",
                "Lamps",
                "Lamps — lit all of them"
            ]
        );
    }

    #[test]
    fn steps_of_our_own_stand_below_their_request_as_they_are() {
        let text = "## Accomplished\n- Asked: “Lamps”\n  - Lit them: all of them\n  - Wrote `pier.rs`\n## Relevant files\n\
                    - `src/pier.rs` — written\n";
        assert_eq!(
            Prior::read(text).lines(SectionSource::Accomplished),
            ["Asked: “Lamps”", "Lit them: all of them", "Wrote `pier.rs`"]
        );
    }
}
