//! Splits a summary into sections by its headings, and validates them against the template.

use super::fence::Fence;
use super::template::{Template, heading};
use super::wrapper;
use crate::transcript::Tokens;

/// Content of an empty section.
pub(crate) const NONE: &str = "(none)";

/// Ways to say `(none)`, in lower case.
const NOTHING: &[&str] = &["none", "none yet", "nothing", "nothing yet"];

/// Placeholders without content, in lower case; an explicit `(none)` does not count as one (SPEC ruling 13).
const PLACEHOLDERS: &[&str] = &[
    "n/a",
    "na",
    "not applicable",
    "tbd",
    "to be determined",
    "to be filled",
    "to be filled in",
    "todo",
    "see above",
    "…",
    "unknown",
];

/// A violated rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionFault {
    /// The rule.
    pub rule: SectionRule,
    /// The section at fault; `None` for the text as a whole.
    pub section: Option<String>,
    /// The line of the text, from 1, if the fault has one.
    pub line: Option<usize>,
}

impl SectionFault {
    pub(super) fn new(rule: SectionRule, section: Option<&str>, line: Option<usize>) -> Self {
        Self { rule, section: section.map(str::to_owned), line }
    }

    /// The name in reports.
    pub fn name(&self) -> &'static str {
        self.rule.name()
    }

    /// The severity of its rule.
    pub fn severity(&self) -> Severity {
        self.rule.severity()
    }
}

/// The severity of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The summary is usable.
    Warning,
    /// The summary is unusable.
    Error,
}

/// The rules that validation checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SectionRule {
    /// A section is missing.
    Missing,
    /// A section occurs more than once.
    Duplicate,
    /// A section comes before one that precedes it in the template.
    OutOfOrder,
    /// A section has a heading but no content; `(none)` is content.
    Empty,
    /// A heading is not in the template.
    Unknown,
    /// The wrapper tags are not one opening tag with one closing tag after it.
    UnbalancedWrapper,
    /// The text exceeds its budget of tokens.
    TooLong,
    /// Some changed files did not fit and are not named.
    FilesCut,
    /// A line has a fact that the head lacks.
    Unsupported,
}

impl SectionRule {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Duplicate => "duplicate",
            Self::OutOfOrder => "out_of_order",
            Self::Empty => "empty",
            Self::Unknown => "unknown",
            Self::UnbalancedWrapper => "unbalanced_wrapper",
            Self::TooLong => "too_long",
            Self::FilesCut => "files_cut",
            Self::Unsupported => "unsupported",
        }
    }

    /// The severity of a violation.
    pub fn severity(self) -> Severity {
        match self {
            Self::OutOfOrder | Self::Unknown | Self::FilesCut | Self::Unsupported => Severity::Warning,
            Self::Missing | Self::Duplicate | Self::Empty | Self::UnbalancedWrapper | Self::TooLong => Severity::Error,
        }
    }
}

/// The result of validating one section of the template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionReport {
    /// Its heading without the `## `.
    pub name: String,
    /// The line of its first heading, from 1; `None` if it is missing.
    pub line: Option<usize>,
    /// Number of lines with content; `(none)` does not count.
    pub lines_with_content: usize,
    /// Its faults.
    pub faults: Vec<SectionFault>,
}

/// The result of validating a summary.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Validation {
    /// One entry per section of the template, in its order.
    pub sections: Vec<SectionReport>,
    /// Faults of the text as a whole.
    pub faults: Vec<SectionFault>,
}

impl Validation {
    /// All faults: those of the sections, then those of the whole text.
    pub fn all(&self) -> impl Iterator<Item = &SectionFault> {
        self.sections.iter().flat_map(|section| &section.faults).chain(&self.faults)
    }

    /// Adds the fault `too_long` if `tokens` exceeds `budget`.
    pub fn limit(mut self, tokens: Tokens, budget: Tokens) -> Self {
        if tokens > budget {
            self.faults.push(SectionFault::new(SectionRule::TooLong, None, None));
        }
        self
    }
}

/// A section of a summary text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section<'a> {
    /// Its heading without the `## `.
    pub name: &'a str,
    /// The line of its heading, from 1.
    pub line: usize,
    /// The lines below it.
    pub lines: Vec<&'a str>,
}

impl Section<'_> {
    /// Whether its heading is this one, in whatever case.
    pub fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Whether it is empty, or has placeholders alone.
    pub(crate) fn has_placeholders_only(&self) -> bool {
        self.lines.iter().all(|line| line.trim().is_empty() || is_placeholder(line))
    }

    fn says_nothing(&self) -> bool {
        self.lines.iter().all(|line| is_blank(line))
    }

    fn lines_with_content(&self) -> usize {
        self.lines.iter().filter(|line| !is_blank(line) && !is_none(line)).count()
    }
}

/// The section that a line, counted from 1, belongs to or is the heading of; `sections` are those of its text.
pub fn section_of<'s, 't>(sections: &'s [Section<'t>], line: usize) -> Option<&'s Section<'t>> {
    sections[..sections.partition_point(|section| section.line <= line)].last()
}

/// Splits a summary at its headings; text before the first heading is dropped.
pub fn parse(text: &str) -> Vec<Section<'_>> {
    let mut fence = Fence::default();
    let mut sections: Vec<Section<'_>> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let code = fence.holds(line);
        match (heading(line).filter(|_| !code), sections.last_mut()) {
            (Some(name), _) => sections.push(Section { name, line: index + 1, lines: Vec::new() }),
            (None, Some(section)) => section.lines.push(line),
            (None, None) => {}
        }
    }
    sections
}

/// Validates a summary, wrapped or not, against the sections of its template.
pub fn validate(text: &str, template: &Template) -> Validation {
    let found = parse(text);
    let order: Vec<&str> = template.sections().iter().map(|section| section.name.as_str()).collect();
    let mut report = Validation::default();
    let mut after = 0;
    for &name in &order {
        let at: Vec<usize> = (0..found.len()).filter(|&index| found[index].is(name)).collect();
        let late = at.first().is_some_and(|&first| first < after);
        after = at.first().map_or(after, |&first| after.max(first));
        let here: Vec<&Section<'_>> = at.iter().map(|&index| &found[index]).collect();
        report.sections.push(section_report(name, &here, late));
    }
    report.faults = whole_faults(text, &found, &order);
    report
}

fn section_report(name: &str, here: &[&Section<'_>], late: bool) -> SectionReport {
    let line = here.first().map(|section| section.line);
    let fault = |rule, line| SectionFault::new(rule, Some(name), line);
    let mut faults = Vec::new();
    if here.is_empty() {
        faults.push(fault(SectionRule::Missing, None));
    } else if here.iter().all(|section| section.says_nothing()) {
        faults.push(fault(SectionRule::Empty, line));
    }
    faults.extend(here.iter().skip(1).map(|section| fault(SectionRule::Duplicate, Some(section.line))));
    if late {
        faults.push(fault(SectionRule::OutOfOrder, line));
    }
    let lines_with_content = here.iter().map(|section| section.lines_with_content()).sum();
    SectionReport { name: name.to_owned(), line, lines_with_content, faults }
}

fn whole_faults(text: &str, found: &[Section<'_>], order: &[&str]) -> Vec<SectionFault> {
    let foreign = found.iter().filter(|section| !order.is_empty() && !order.iter().any(|name| section.is(name)));
    let unknown =
        foreign.map(|section| SectionFault::new(SectionRule::Unknown, Some(section.name), Some(section.line)));
    let mut faults: Vec<SectionFault> = unknown.collect();
    if wrapper::balanced(text) == Some(false) {
        faults.push(SectionFault::new(SectionRule::UnbalancedWrapper, None, None));
    }
    faults
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty() || wrapper::is_tag(line)
}

/// Whether a line is `(none)`, with or without a bullet, in whatever words and signs (`*None*`, `Nothing yet.`).
pub(crate) fn is_none(line: &str) -> bool {
    NOTHING.contains(&undressed(line).as_str())
}

/// Whether a line is a mere placeholder (`N/A`, `[to be filled]`, `-`), with or without a bullet.
pub(crate) fn is_placeholder(line: &str) -> bool {
    let words = undressed(line);
    !line.trim().is_empty() && (words.is_empty() || PLACEHOLDERS.contains(&words.as_str()))
}

/// The words of a line in lower case, without the signs around them.
fn undressed(line: &str) -> String {
    let is_sign = |sign: char| sign == ' ' || "[](){}<>*_`-•.!".contains(sign);
    line.trim().trim_matches(is_sign).to_lowercase()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_known_in_any_dress() {
        for bare in ["N/A", "- N/A", "TBD", "…", "...", "-", "[to be filled]", "See above.", "(n/a)", "<TODO>", "---"]
        {
            assert!(is_placeholder(bare) && !is_none(bare), "{bare}");
        }
        for said in ["", "None of the lamps burns", "- todo.txt", "`n/a` is printed", "没有"] {
            assert!(!is_placeholder(said) && !is_none(said), "{said}");
        }
    }

    #[test]
    fn none_is_said_in_many_ways_and_is_no_placeholder() {
        for none in [
            "(none)",
            "- (none)",
            "**(none)**",
            "*(none)*",
            "(none).",
            "- None",
            "- (None)",
            "Nothing yet.",
            "* *None*",
        ] {
            assert!(is_none(none) && !is_placeholder(none), "{none}");
        }
    }

    const GOOD: &str = "## Goal\n- a\n\n## Instructions\n(none)\n\n## Discoveries\n- b\n- c\n\n## Accomplished\n- d\n\n## Relevant files\n- e\n";

    fn faults(text: &str) -> Vec<(&'static str, Option<String>, Option<usize>)> {
        let report = validate(text, &Template::default());
        report.all().map(|fault| (fault.name(), fault.section.clone(), fault.line)).collect()
    }

    fn names(text: &str) -> Vec<&'static str> {
        faults(text).into_iter().map(|(name, _, _)| name).collect()
    }

    #[test]
    fn the_case_of_a_heading_does_not_matter() {
        assert_eq!(faults(&GOOD.replace("## Relevant files", "## Relevant Files")), []);
    }

    #[test]
    fn a_summary_with_all_sections_has_no_fault() {
        let report = validate(GOOD, &Template::default());
        assert_eq!(report.all().count(), 0);
        let lines: Vec<usize> = report.sections.iter().map(|section| section.lines_with_content).collect();
        assert_eq!(lines, [1, 0, 2, 1, 1]);
        assert_eq!(report.sections[1].line, Some(4));
    }

    #[test]
    fn a_wrapped_summary_is_judged_like_a_bare_one() {
        assert_eq!(names(&wrapper::wrap(GOOD)), Vec::<&str>::new());
        assert_eq!(names(&format!("{GOOD}</prior-conversation-summary>")), ["unbalanced_wrapper"]);
    }

    #[test]
    fn a_missing_section_is_named() {
        let text = GOOD.replace("## Discoveries\n- b\n- c\n", "");
        assert_eq!(faults(&text), [("missing", Some("Discoveries".into()), None)]);
    }

    #[test]
    fn a_heading_that_only_begins_alike_is_another_one() {
        let text = GOOD.replace("## Goal\n", "## Goals\n");
        assert_eq!(names(&text), ["missing", "unknown"]);
    }

    #[test]
    fn sections_twice_or_in_another_order_are_seen_with_their_line() {
        let text = format!("## Relevant files\n- x\n{GOOD}");
        assert_eq!(faults(&text).last().unwrap().0, "out_of_order");
        assert!(faults(&text).contains(&("duplicate", Some("Relevant files".into()), Some(16))));
    }

    #[test]
    fn an_empty_section_is_a_fault_and_none_is_not() {
        assert_eq!(names(&GOOD.replace("- a\n", "\n")), ["empty"]);
        assert_eq!(names(&GOOD.replace("- a\n", "(none)\n")), Vec::<&str>::new());
    }

    #[test]
    fn headings_in_fences_do_not_count() {
        let text = format!("```\n## Goal\n```\n{GOOD}");
        assert_eq!(names(&text), Vec::<&str>::new());
        assert_eq!(names(&format!("```\n{GOOD}```")), ["missing"; 5]);
    }

    #[test]
    fn a_text_above_its_budget_is_too_long() {
        let report = validate(GOOD, &Template::default()).limit(Tokens(11), Tokens(10));
        assert_eq!(report.faults, [SectionFault::new(SectionRule::TooLong, None, None)]);
        assert_eq!(report.faults[0].severity(), Severity::Error);
    }

    #[test]
    fn a_template_free_in_form_requires_and_forbids_no_heading() {
        let free = Template::parse("Summarize.", &[], true).unwrap();
        assert_eq!(validate("## Anything\ntext", &free).all().count(), 0);
    }
}
