//! S01–S03: the sections of the summary, and the continuation message.

use super::{Finding, GateResult, Level, Pair, Tools, View, settings::Limits, view::SummaryText};
use crate::check::follows;
use crate::continuation::{State, state};
use crate::measure::{Share, SourceText};
use crate::summary::{
    Section, SectionFault, SectionRule, Template, is_none, is_request, own_words, parse, section_of, validate,
};
use crate::transcript::{Author, Message, Role};

const GOAL: &str = "Goal";
/// Least number of bytes of a path that may be cut off.
const LEAST_OF_PATH: usize = 4;

/// Summaries that must follow the template: those that the run wrote, and those with most of its headings.
fn held<'v>(view: &'v View<'_>, tools: &Tools<'_>, template: &'v Template) -> impl Iterator<Item = &'v SummaryText> {
    let left = tools.left;
    view.summary.iter().filter(move |text| text.ours && !left || follows(&text.text, template))
}

const NO_SECTIONS: &str = "the policy writes no sections";
const FOREIGN: &str = "no summary has most headings of the template";

/// S01: every section is there once, in order, and there are no others.
pub(super) fn sections(view: &View<'_>, tools: &Tools<'_>, _: Limits) -> GateResult {
    let Some(template) = tools.template else { return GateResult::insufficient(NO_SECTIONS) };
    let (mut findings, mut share) = (Vec::new(), Share::default());
    for text in held(view, tools, template) {
        let report = validate(&text.text, template);
        // A summary of ours was found by its wrapper, so the wrapper is complete; a tag in its text is data.
        let counts = |fault: &&SectionFault| {
            word(fault.rule).is_some() && !(text.ours && fault.rule == SectionRule::UnbalancedWrapper)
        };
        let broken: Vec<&SectionFault> = report.all().filter(counts).collect();
        let bad =
            report.sections.iter().filter(|own| own.faults.iter().any(|fault| word(fault.rule).is_some())).count();
        share.of += report.sections.len();
        share.kept += report.sections.len() - bad;
        findings.extend(broken.into_iter().filter_map(|fault| finding(text, fault)));
    }
    settled(share, findings)
}

/// S01 if there is no summary although a report says that one was written.
pub(super) fn gone(view: &View<'_>) -> GateResult {
    GateResult::whole(Some(Finding::new(
        view.first_line(),
        "the folder's report tells of a summary, and there is none",
    )))
}

fn settled(share: Share, findings: Vec<Finding>) -> GateResult {
    if share.of == 0 { GateResult::insufficient(FOREIGN) } else { GateResult::of(share, findings) }
}

fn word(rule: SectionRule) -> Option<&'static str> {
    Some(match rule {
        SectionRule::Missing => "is missing",
        SectionRule::Duplicate => "stands there twice",
        SectionRule::OutOfOrder => "is out of order",
        SectionRule::Unknown => "is not in the template",
        SectionRule::UnbalancedWrapper => "the wrapper is not closed as it is opened",
        SectionRule::Empty | SectionRule::TooLong | SectionRule::FilesCut | SectionRule::Unsupported => return None,
    })
}

fn finding(text: &SummaryText, fault: &SectionFault) -> Option<Finding> {
    let word = word(fault.rule)?;
    let known = fault.rule != SectionRule::Unknown;
    let name = fault.section.as_deref().filter(|_| known).map(|name| format!("section `{name}` "));
    let name = name.unwrap_or_else(|| if known { String::new() } else { "a section ".to_owned() });
    let mut finding = Finding::new(text.line, format!("{name}{word}"));
    finding.summary_line = fault.line;
    finding.content = fault.section.clone().filter(|_| !known);
    Some(if matches!(fault.rule, SectionRule::Unknown | SectionRule::OutOfOrder) { finding.warning() } else { finding })
}

/// Sets the section of each finding about a line of a summary. Only headings of the template count: others are words of
/// a transcript.
pub(super) fn name(view: &View<'_>, tools: &Tools<'_>, findings: &mut [Finding]) {
    let known =
        |own: &Section<'_>| tools.template.is_some_and(|it| it.sections().iter().any(|section| own.is(&section.name)));
    let sections: Vec<_> = view.summary.iter().map(|text| (text.line, parse(&text.text))).collect();
    for finding in findings {
        let Some(number) = finding.summary_line else { continue };
        let own = sections.iter().find(|(line, _)| *line == finding.line);
        let above = own.and_then(|(_, sections)| section_of(sections, number));
        finding.section = above.filter(|section| section.line < number && known(section)).map(|it| it.name.to_owned());
    }
}

/// S02: no section is empty or a mere placeholder, and the last one does not end inside a name.
pub(super) fn empty_sections(view: &View<'_>, tools: &Tools<'_>, _: Limits) -> GateResult {
    let Some(template) = tools.template else { return GateResult::insufficient(NO_SECTIONS) };
    let (mut findings, mut share) = (Vec::new(), Share::default());
    for text in held(view, tools, template) {
        let sections = parse(&text.text);
        if let Some(finding) = all_none(view, text, &sections) {
            share.of += sections.len();
            share.kept += if finding.level == Level::Warn { sections.len() } else { 0 };
            findings.push(finding);
            continue;
        }
        for section in sections {
            share.of += 1;
            share.kept += usize::from(!section.has_placeholders_only());
            if section.has_placeholders_only() {
                let message = format!("section `{}` says nothing", section.name);
                let finding = Finding::new(text.line, message).at(section.line);
                findings.push(if section.is(GOAL) { finding } else { finding.warning() });
            } else if text.ours && section.is(GOAL) && says_none(&section) && is_asked(view) {
                share.kept -= 1;
                let message = "section `Goal` says `(none)`, and the user asked for something that is gone";
                findings.push(Finding::new(text.line, message).at(section.line));
            }
        }
        findings.extend(cut_off(text, view.source.as_ref()));
    }
    settled(share, findings)
}

/// The finding about a summary whose sections all say `(none)`, as each of them may, but not all. It is a warning where
/// nobody asked for anything that is gone.
fn all_none(view: &View<'_>, text: &SummaryText, sections: &[Section<'_>]) -> Option<Finding> {
    let is_none = |section: &Section<'_>| !section.has_placeholders_only() && says_none(section);
    let first = sections.first().filter(|_| sections.iter().all(is_none))?;
    let finding = Finding::new(text.line, "all sections say `(none)`").at(first.line);
    Some(if is_asked(view) { finding } else { finding.warning() })
}

/// Warning if a summary ends inside a name: code that is not closed, or a path of which the original only has more.
fn cut_off(text: &SummaryText, source: Option<&SourceText<'_>>) -> Option<Finding> {
    let lines = text.text.lines().zip(1..).map(|(line, number)| (number, line.trim()));
    let (number, last) = lines.filter(|(_, line)| !line.is_empty()).last()?;
    let word = last.rsplit(char::is_whitespace).next().unwrap_or_default();
    let open = word.starts_with('`') && last.matches('`').count() % 2 == 1 && !last.contains("``");
    // A line that ends in a mark is not torn.
    let is_path = |word: &str| {
        let ends = word.ends_with(|sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '-' | '/'));
        ends && word.contains('/') && (word.contains('.') || word.matches('/').count() > 1) && !word.contains('*')
    };
    // The mark of a folder of which only the end is told is not in the original.
    let path = Some(word.trim_start_matches("…/")).filter(|word| is_path(word) && word.len() >= LEAST_OF_PATH);
    // A full stop may end a sentence.
    let is_inner = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '-');
    let continues = |rest: &str| rest.strip_prefix('.').unwrap_or(rest).starts_with(is_inner);
    let torn = |(path, source): (&str, &SourceText<'_>)| {
        let ends = |line: &str| line.match_indices(path).any(|(at, _)| !continues(&line[at + path.len()..]));
        source.has(path) && !source.lines().any(ends)
    };
    let cut = open || path.zip(source).is_some_and(torn);
    cut.then(|| Finding::new(text.line, "the summary ends inside a name").at(number).about(last).warning())
}

fn says_none(section: &Section<'_>) -> bool {
    section.lines.iter().all(|line| line.trim().is_empty() || is_none(line))
}

/// Whether a user asked for something in a message that is gone.
fn is_asked(view: &View<'_>) -> bool {
    let messages = view.source.as_ref().map(SourceText::messages).unwrap_or_default();
    let asks = |message: &Message<'_>| {
        message.is_real_user() && message.live && !message.demonstration && is_request(&own_words(&message.said()))
    };
    messages.iter().enumerate().any(|(at, message)| !view.is_kept(at) && asks(message))
}

/// S03: a continuation follows if the agent was in the middle of a task.
pub(super) fn continuation(view: &View<'_>, Pair { original, .. }: Pair<'_>, _: &Tools<'_>, _: Limits) -> GateResult {
    let traits = &original.transcript.traits;
    let due = state(original.transcript) == State::MidTask && !(traits.training_row || traits.never_resumed);
    if !due || view.unchanged() {
        return GateResult::insufficient("no message is due that sets the agent going again");
    }
    let messages = &view.compacted.transcript.messages;
    let last = messages.iter().rposition(|message| message.is_loaded());
    // Where sides must alternate and results have the role `user`, no user message can follow them.
    let alternates = original.transcript.traits.alternates;
    let goes_on = |at: usize| {
        let message = &messages[at];
        let user = message.role == Role::User && (alternates || message.author != Author::Tool);
        message.author == Author::Continuation || user
    };
    let broken = !last.is_some_and(goes_on);
    let line = last.map_or_else(|| view.first_line().into(), |last| view.spot_of(last));
    // After a compaction by another tool, its harness continues by itself.
    let finding = Finding::new(line, "the agent was at work, and nothing tells it to go on");
    let theirs = !view.summary.is_empty() && !view.summary.iter().any(|text| text.ours);
    let finding = if theirs { finding.warning() } else { finding };
    GateResult::whole(broken.then_some(finding))
}
