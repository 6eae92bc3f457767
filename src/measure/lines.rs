//! The lines of a summary that claim something.

use super::ordinals::Ordinals;
use super::pattern;
use crate::summary::{CURRENT, SectionSource, list_number, parse, section_of, starts_any, unmarked};
use crate::transcript::fixed_texts::SUMMARY_TAG;
use regex::Regex;
use std::collections::HashSet;
use std::sync::LazyLock;

/// A line of a text, and its section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'t> {
    /// Number in the text, from 1.
    pub number: usize,
    /// The heading above it without marks; empty before the first heading.
    pub section: &'t str,
    /// The text without bullet, number, ticked box, indent and origin mark.
    pub text: &'t str,
}

/// Sections about what was asked for, which claim nothing.
const ASKED: [&str; 2] = [SectionSource::Goal.heading(), SectionSource::Instructions.heading()];
/// Beginnings of lines that quote the user or state what is to be done.
const QUOTED: &[&str] = &["Asked", "Current request", "Open step", "Pending", "Planned", "Next"];

/// Labels before what is wanted: “Goal: all tests pass.”
static WANTED: LazyLock<Regex> = LazyLock::new(|| {
    let label = r"(?:(?:overall|main|current|primary|final) )?(?:goals?|aims?|objectives?|requirements?|(?:acceptance|success) criteri(?:on|a)|definition of done|done when)";
    pattern(&format!(r"(?i)^(?:\*\*)?{label}(?:\*\*)?:"))
});

impl Line<'_> {
    /// Whether the line says what was asked for, or how to work.
    pub fn asks(&self) -> bool {
        self.is_asked() || self.text.starts_with(CURRENT)
    }

    fn is_asked(&self) -> bool {
        ASKED.iter().any(|name| self.section.eq_ignore_ascii_case(name))
    }

    /// Whether the line says what was done, rather than what was asked for.
    pub fn tells(&self) -> bool {
        !self.is_asked() && !starts_any(self.text, QUOTED) && !WANTED.is_match(self.text)
    }
}

/// Iterates over the lines that are no headings, wrapper tags or empty lines. Tags around blocks of the text are left
/// out.
pub fn claims(text: &str) -> impl Iterator<Item = Line<'_>> {
    let (sections, blocks, ordinals) = (parse(text), blocks(text), Ordinals::of(text));
    text.lines().zip(1..).filter_map(move |(line, number)| {
        let above = section_of(&sections, number);
        let is_heading = above.is_some_and(|section| section.line == number);
        let bare = without_tags(line.trim(), &blocks).trim_start_matches(['-', '*', '•']).trim();
        let words = ordinals.without(bare).unwrap_or_else(|| without_number(bare));
        let tag = words.strip_prefix('<').map(|tag| tag.strip_prefix('/').unwrap_or(tag));
        let tag = tag.is_some_and(|tag| tag.starts_with(SUMMARY_TAG));
        let claims = !is_heading && !tag && !words.is_empty();
        claims.then(|| Line { number, section: above.map_or("", |section| section.name), text: unmarked(words) })
    })
}

/// A line without the number of a list, or a ticked box: “2. Edited it”, “[x] Edited it”.
fn without_number(line: &str) -> &str {
    let numbered = list_number(line).filter(|(digits, _)| digits.len() <= 2);
    let behind = numbered.map(|(_, rest)| rest).or_else(|| line.strip_prefix("[x] "));
    behind.map_or(line, str::trim_start)
}

/// Names of the tags around blocks of a text: a line begins with the opening one, a line ends with the closing one.
fn blocks(text: &str) -> HashSet<&str> {
    let opened: HashSet<&str> = text.lines().filter_map(|line| Some(opening(line.trim())?.0)).collect();
    if opened.is_empty() {
        return opened;
    }
    let closed = text.lines().filter_map(|line| Some(closing(line.trim())?.0));
    closed.filter(|name| opened.contains(name)).collect()
}

/// The name of the tag that opens a line, and the rest of the line.
fn opening(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.strip_prefix('<')?.split_once('>')?;
    is_name(name).then(|| (name, rest.trim_start()))
}

/// The name of the tag that closes a line, and the line before it.
fn closing(line: &str) -> Option<(&str, &str)> {
    let (before, name) = line.strip_suffix('>')?.rsplit_once("</")?;
    is_name(name).then(|| (name, before.trim_end()))
}

fn is_name(name: &str) -> bool {
    let inner = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    name.starts_with(|letter: char| letter.is_ascii_alphabetic()) && name.chars().all(inner)
}

/// A line without the tags of blocks at its beginning and end.
fn without_tags<'t>(line: &'t str, blocks: &HashSet<&str>) -> &'t str {
    let mut rest = line;
    loop {
        let one = opening(rest).filter(|(name, _)| blocks.contains(name));
        let Some((_, inner)) = one.or_else(|| closing(rest).filter(|(name, _)| blocks.contains(name))) else {
            return rest;
        };
        rest = inner;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_knows_its_number_and_section() {
        let text =
            "intro\n## Goal\n\n- Fix it\n## Discoveries\n  * found\n 2. done\n- [x] lit\n- [ ] open\n2031. it was";
        let found: Vec<_> = claims(text).map(|line| (line.number, line.section, line.text)).collect();
        assert_eq!(
            found,
            [
                (1, "", "intro"),
                (4, "Goal", "Fix it"),
                (6, "Discoveries", "found"),
                (7, "Discoveries", "done"),
                (8, "Discoveries", "lit"),
                (9, "Discoveries", "[ ] open"),
                (10, "Discoveries", "2031. it was")
            ]
        );
    }

    #[test]
    fn tags_around_blocks_are_no_words_of_a_line() {
        let told = |text: &'static str| claims(text).map(|line| (line.number, line.text)).collect::<Vec<_>>();
        let text = "<state_snapshot>\n  <overall_goal>Mend the lamp.</overall_goal>\n  <seen_files>\n - a.rs\n</seen_files>\n</state_snapshot>";
        assert_eq!(told(text), [(2, "Mend the lamp."), (4, "a.rs")]);
        let words = "- <lamp_row> is not closed\n<mole_row> is not closed</pier_row>";
        assert_eq!(told(words), [(1, "<lamp_row> is not closed"), (2, "<mole_row> is not closed</pier_row>")]);
        assert_eq!(told(&*"<a>".repeat(20_000).leak()).len(), 1, "it is never closed");
    }

    #[test]
    fn what_is_wanted_is_not_told() {
        let tells = |text: &'static str| claims(text).all(|line| line.tells());
        for wanted in
            ["Goal: all tests pass.", "- **Acceptance criteria**: all tests pass", "**Overall goal:** all tests pass"]
        {
            assert!(!tells(wanted), "{wanted}");
        }
        assert!(tells("All tests pass.") && tells("The goal is met: all tests pass."));
    }
}
