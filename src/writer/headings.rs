//! The headings of an answer: in whatever dress or under whatever other name, those of the template.

use crate::summary::{Template, TemplateSection, other_name, parse};
use std::collections::{BTreeMap, BTreeSet};

/// A heading that models put above a whole summary, though it is also another name of a section.
const WHOLE: &str = "summary";

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
    let kept = text.lines().zip(1..).filter(|(_, number)| !lines.contains(number));
    kept.map(|(line, _)| line).collect::<Vec<_>>().join("\n").trim().to_owned()
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
    fn sections_are_cut_by_any_of_their_names() {
        let text = "## Goal\n- a\n## Relevant files\n- b\n### c\n- d\n## Files and Code\n- e\n## Tides\n- f";
        let bare = without_sections(text, &Template::default(), &["Relevant files".to_owned()]);
        assert_eq!(bare, "## Goal\n- a\n## Tides\n- f");
    }
}
