//! The lines of a summary that claim something.

use crate::summary::{CURRENT, unmarked};

/// A line of a text, and the section that it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'t> {
    /// Number in the text, from 1.
    pub number: usize,
    /// The heading above it without marks; empty before the first.
    pub section: &'t str,
    /// Its words, without bullet and indent, and without the mark of where it comes from.
    pub text: &'t str,
}

/// Sections of what was asked for, where nothing is claimed.
const ASKED: &[&str] = &["Goal", "Instructions"];
/// How lines begin that quote the user or tell what is to be done.
const QUOTED: &[&str] = &["Asked", "Current request", "Open step", "Pending", "Planned", "Next"];

impl Line<'_> {
    /// Whether it says what was asked for, or how to work.
    pub fn asks(&self) -> bool {
        ASKED.contains(&self.section) || self.text.starts_with(CURRENT)
    }

    /// Whether it says what was done, and not what was asked for.
    pub fn tells(&self) -> bool {
        !ASKED.contains(&self.section) && !QUOTED.iter().any(|start| self.text.starts_with(start))
    }
}

/// All lines but headings, tags of the wrapper and empty ones.
pub fn claims(text: &str) -> impl Iterator<Item = Line<'_>> {
    let headings: Vec<_> = crate::summary::parse(text).iter().map(|section| (section.line, section.name)).collect();
    text.lines().zip(1..).filter_map(move |(line, number)| {
        let above = headings.iter().rev().find(|(at, _)| *at <= number);
        let is_heading = above.is_some_and(|(at, _)| *at == number);
        let words = line.trim().trim_start_matches(['-', '*', '•']).trim();
        let tag = words.starts_with("<prior-conversation-summary") || words.starts_with("</prior-conversation-summary");
        let claims = !is_heading && !tag && !words.is_empty();
        claims.then(|| Line { number, section: above.map_or("", |(_, name)| *name), text: unmarked(words) })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_knows_its_number_and_section() {
        let text = "intro\n## Goal\n\n- Fix it\n## Discoveries\n  * found";
        let found: Vec<_> = claims(text).map(|line| (line.number, line.section, line.text)).collect();
        assert_eq!(found, [(1, "", "intro"), (4, "Goal", "Fix it"), (6, "Discoveries", "found")]);
    }
}
