//! The headings of an answer: in whatever dress or under whatever other name, those of the template.

use crate::summary::{SectionSource, Template, TemplateSection, open_work, other_name, parse};
use std::collections::{BTreeMap, BTreeSet};

/// A heading that models put above a whole summary, though it is also another name of a section.
const WHOLE: &str = "summary";

/// The kind of open work that is no work left to do.
const CURRENT_WORK: &str = "In progress: ";

/// Normalizes headings of the template that have another level, bold type, a number, a colon or another case, and
/// headings that are other names of sections which the answer lacks.
pub(super) fn with_plain_headings(text: &str, template: &Template) -> String {
    let plain = |line: &str| {
        let heading = template.sections().iter().find(|section| is_dressed(line, &section.name));
        heading.map_or_else(|| line.to_owned(), |section| format!("## {}", section.name))
    };
    let text = text.lines().map(plain).collect::<Vec<_>>().join("\n");
    let renamed = renamed(&text, template);
    if renamed.is_empty() {
        return text;
    }
    let own = |(line, number): (&str, usize)| renamed.get(&number).cloned().unwrap_or_else(|| line.to_owned());
    text.lines().zip(1..).map(own).collect::<Vec<_>>().join("\n")
}

/// The heading of the template for each line that has another name for it.
fn renamed(text: &str, template: &Template) -> BTreeMap<usize, String> {
    let sections = parse(text);
    let mut taken: BTreeSet<&str> = sections.iter().map(|section| section.name).collect();
    let mut renamed = BTreeMap::new();
    for section in sections.iter().filter(|section| !section.is(WHOLE)) {
        let Some(home) = meant(section.name, template).filter(|home| home.is_whole) else { continue };
        if taken.insert(&home.section.name) {
            renamed.insert(section.line, format!("## {}", home.section.name));
        }
    }
    renamed
}

fn is_dressed(line: &str, name: &str) -> bool {
    let marked = line.starts_with(['#', '*'])
        || line.trim_end().ends_with(':')
        || line.starts_with(|c: char| c.is_ascii_digit());
    let bare = line.trim_start_matches(|letter: char| "#* .)".contains(letter) || letter.is_ascii_digit());
    let bare = bare.trim_end_matches(|letter: char| "*:# ".contains(letter));
    marked && bare.eq_ignore_ascii_case(name)
}

/// The section that a heading of another name means.
pub(super) struct Meant<'t> {
    pub(super) section: &'t TemplateSection,
    /// It means all of the section, not one kind of its lines.
    is_whole: bool,
}

/// The section of the template that has the lines below a heading which is none of its own; `None` if it is unknown.
pub(super) fn meant<'t>(heading: &str, template: &'t Template) -> Option<Meant<'t>> {
    let sections = template.sections();
    if sections.iter().any(|section| section.name.eq_ignore_ascii_case(heading)) {
        return None;
    }
    // A template may have sections of open work of its own.
    if let Some(kind) = open_work(heading) {
        let own = sections.iter().find(|section| open_work(&section.name) == Some(kind));
        let pending = || sections.iter().find(|section| section.source == Some(SectionSource::Pending));
        let own = own.map(|section| Meant { section, is_whole: true });
        let own = own
            .or_else(|| pending().filter(|_| kind != CURRENT_WORK).map(|section| Meant { section, is_whole: false }));
        if own.is_some() {
            return own;
        }
    }
    let (source, is_whole) = other_name(heading)?;
    let section = sections.iter().find(|section| section.source == Some(source))?;
    Some(Meant { section, is_whole })
}

/// The text without these sections of the template, whatever they are called.
pub(super) fn without_sections(text: &str, template: &Template, gone: &[String]) -> String {
    let is_gone = |name: &str| {
        let other = || meant(name, template).map(|home| home.section.name.as_str());
        gone.iter().any(|own| own == name) || other().is_some_and(|own| gone.iter().any(|name| name == own))
    };
    let cut = parse(text).into_iter().filter(|section| is_gone(section.name));
    let lines: BTreeSet<usize> = cut.flat_map(|section| section.line..=section.line + section.lines.len()).collect();
    without_lines(text, &lines).trim().to_owned()
}

/// The text without the lines of these numbers, from 1.
pub(super) fn without_lines(text: &str, gone: &BTreeSet<usize>) -> String {
    let kept = text.lines().zip(1..).filter(|(_, number)| !gone.contains(number));
    kept.map(|(line, _)| line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> String {
        with_plain_headings(text, &Template::default())
    }

    #[test]
    fn other_names_of_sections_are_theirs_where_these_are_missing() {
        assert_eq!(plain("## Goal\n- a\n## Findings\n- b"), "## Goal\n- a\n## Discoveries\n- b");
        assert_eq!(plain("## Objective\n- a\n## Progress\n- b"), "## Goal\n- a\n## Accomplished\n- b");
        for same in
            ["## Discoveries\n- a\n## Findings\n- b", "## Next Steps\n- a", "## Tides\n- a", "## Summary\n## Goal"]
        {
            assert_eq!(plain(same), same);
        }
        assert_eq!(plain("## Findings\n- a\n## Highlights\n- b"), "## Discoveries\n- a\n## Highlights\n- b");
    }

    #[test]
    fn a_part_of_a_word_is_no_heading_of_open_work() {
        let template = Template::default();
        let home = |heading| meant(heading, &template).map(|home| home.section.name.clone());
        for other in ["Migration to Docker", "How to document the parser", "Mastodon", "Undone knots"] {
            assert_eq!(home(other), None, "{other}");
        }
        for open in ["Remaining work", "TODOs", "To-do list", "Open items", "What is left: next steps"] {
            assert_eq!(home(open).as_deref(), Some("Accomplished"), "{open}");
        }
    }

    #[test]
    fn open_work_has_the_section_that_a_template_has_for_it() {
        let template = |sections: &str| {
            let text =
                format!("---\nPending Tasks: pending\nCurrent Work: accomplished\n---\n## Current Work\n{sections}");
            Template::parse(&text, &[], false).unwrap_or_default()
        };
        let whole = template("## Pending Tasks\n## Optional Next Step\n");
        let said = "## In Progress\n- c\n## Pending\n- b\n## Next Step\n- d";
        let own = "## Current Work\n- c\n## Pending Tasks\n- b\n## Optional Next Step\n- d";
        assert_eq!(with_plain_headings(said, &whole), own);
        let home = |heading, template| meant(heading, template).map(|home| home.section.name.clone());
        assert_eq!(home("Remaining work", &whole).as_deref(), Some("Optional Next Step"));
        let some = template("## Pending Tasks\n");
        assert_eq!(home("Next Step", &some).as_deref(), Some("Pending Tasks"));
        assert_eq!(home("Active", &some).as_deref(), Some("Current Work"));
    }

    #[test]
    fn sections_are_cut_by_any_of_their_names() {
        let text = "## Goal\n- a\n## Relevant files\n- b\n### c\n- d\n## Files and Code\n- e\n## Tides\n- f";
        let bare = without_sections(text, &Template::default(), &["Relevant files".to_owned()]);
        assert_eq!(bare, "## Goal\n- a\n## Tides\n- f");
    }
}
