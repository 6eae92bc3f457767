//! F01–F06: gates on the truth of the summary.

mod acts;
mod called;
mod certain;
mod claims;
mod denied_writes;
mod doing;
mod ended;
mod environments;
mod kinds;
mod outputs;
mod passing;
mod removal;
mod returned;
mod selected;
mod steps;
mod texts;
mod things;
mod ticked;
mod unsure;
mod untouched;
mod verdicts;

use super::settings::Limits;
use super::view::SummaryText;
use super::view::kept::{kept, shown_whole};
use super::view::lone_failures::deeds_of;
use super::{Finding, GateResult, Pair, Tools, View};
use crate::facts::Class;
use crate::gates::plan::Plan;
use crate::measure::cut_ids::cut_ids;
use crate::measure::lost_negations::lost;
use crate::measure::named::{Named, unnamed};
use crate::measure::negation::{Turned, turned};
use crate::measure::numbers::{self, Number};
use crate::measure::quoted::{misquoted, unasked};
use crate::measure::status::{Claim, Judge};
use crate::measure::support::{Kin, Unsupported, support};
use crate::measure::swapped::swapped;
use crate::measure::unrelated::unrelated;
use crate::measure::{Share, SourceText, claims, constraints::content_words, constraints::says, pattern};
use crate::measure::{absent, misnumbered, unknown_files, unmeasured};
use crate::summary::{Deed, without_secrets};
use claims::{refuted, with_more};
pub(super) use outputs::Failing;
use regex::Regex;
use std::collections::HashSet;
use std::sync::LazyLock;
use ticked::ticked;
use untouched::says_untouched;

/// F01: every path, identifier, address, error and number of the summary is in the original.
pub(super) fn supported(view: &View<'_>, Pair { source, .. }: Pair<'_>, _: &Tools<'_>, _: Limits) -> GateResult {
    let (mut findings, mut share) = (Vec::new(), Share::default());
    for text in &view.summary {
        let mut facts = support(&text.text, source);
        let lines: Vec<&str> = text.text.lines().collect();
        // Of a file that was left alone, the original need not speak.
        let is_untouched = |fact: &Unsupported| {
            let (line, name) = (lines.get(fact.line - 1).copied().unwrap_or_default(), &fact.fact.value);
            fact.fact.class == Class::Path && !name.contains('/') && says_untouched(line, name)
        };
        facts.unsupported.retain(|fact| !is_untouched(fact));
        share.kept += facts.precision.kept;
        share.of += facts.precision.of;
        let (parts, wrong): (Vec<_>, Vec<_>) = facts.unsupported.iter().partition(|fact| fact.kin == Kin::Part);
        share.kept += parts.len();
        findings.extend(wrong.into_iter().map(|fact| of_fact(text.line, fact)));
        let of_numbers = [numbers::unsupported, numbers::uncounted, unmeasured, absent, swapped];
        let numbers = of_numbers.iter().flat_map(|find| find(&text.text, source));
        findings.extend(numbers.map(|number| of_number(text.line, &number, source)));
        let names =
            [unnamed, misnumbered, unknown_files, cut_ids].into_iter().flat_map(|find| find(&text.text, source));
        findings.extend(names.map(|name| of_name(text.line, name)));
    }
    findings.sort_by_key(|finding| (finding.line, finding.summary_line));
    GateResult::of(share, findings)
}

/// Name of a class of facts in messages.
pub(super) fn kind(class: Class) -> &'static str {
    match class {
        Class::Cmd => "a command",
        Class::Error => "an error",
        Class::Id => "a number or id",
        Class::Ident => "an identifier",
        Class::Path => "a path",
        Class::Url => "an address",
    }
}

fn of_fact(line: usize, found: &Unsupported) -> Finding {
    let what = kind(found.fact.class);
    let finding = Finding::new(line, format!("{what} that the original does not have"));
    let finding = finding.at(found.line).about(found.fact.value.clone());
    if found.is_certain() { finding } else { finding.warning() }
}

fn of_name(line: usize, name: Named) -> Finding {
    let finding = Finding::new(line, format!("{} that the original does not have", name.what)).at(name.line);
    let finding = finding.about(name.text);
    if name.doubtful { finding.warning() } else { finding }
}

fn of_number(line: usize, number: &Number, source: &SourceText<'_>) -> Finding {
    let what = match source.says_number(&number.text) {
        true => "a number that the original has only with other words",
        false => "a number that the original does not have",
    };
    let finding = Finding::new(line, what);
    let finding = finding.at(number.line).about(number.text.clone());
    if number.doubtful { finding.warning() } else { finding }
}

/// F02: the calls refute no claim that something was done or works.
pub(super) fn status(view: &View<'_>, Pair { source, .. }: Pair<'_>, tools: &Tools<'_>, _: Limits) -> GateResult {
    // Summaries of ours have no secrets, those of others may: compare both sides without them.
    let bare: Vec<_> = source.messages().iter().map(|message| without_secrets(message)).collect();
    let messages = source.messages().iter().zip(&bare).map(|(own, bare)| bare.as_ref().unwrap_or(own));
    let changed = bare.iter().any(Option::is_some).then(|| SourceText::new(&messages.collect::<Vec<_>>()));
    let own = changed.as_ref().map(|source| deeds_of(source.messages()));
    let (source, all) = (changed.as_ref().unwrap_or(source), own.as_deref().unwrap_or_else(|| view.deeds()));
    let texts: Vec<SummaryText> = view.summary.iter().map(SummaryText::without_secrets).collect();
    let kept = kept(view, tools);
    let mut findings = contradictions(source, all, &texts, &kept);
    // A kept call whose result is cut: the summary may tell its end, or only what happened in the head. Both are right.
    if !findings.is_empty()
        && let Some(shown) = shown_whole(view, &kept)
    {
        let too = lines(&contradictions(source, all, &texts, &shown));
        findings.retain(|one| too.contains(&(one.line, one.summary_line)));
    }
    GateResult::of(Share { kept: usize::from(findings.is_empty()), of: 1 }, findings)
}

fn lines(findings: &[Finding]) -> HashSet<(usize, Option<usize>)> {
    findings.iter().map(|one| (one.line, one.summary_line)).collect()
}

/// Claims in texts of a summary that the calls of the source refute. `all`: what these did; `kept`: which messages of the
/// source are kept.
fn contradictions(source: &SourceText<'_>, all: &[Deed], texts: &[SummaryText], kept: &[bool]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let is_kept = |at: usize| kept.get(at) == Some(&true);
    let judge = Judge::of(source, all, &is_kept);
    for text in texts {
        for found in judge.contradictions(&text.text) {
            let finding = Finding::new(text.line, texts::of(found.claim)).at(found.line).about(found.subject);
            // The original may tell of it in other words.
            let doubtful =
                matches!(found.claim, Claim::TestsPassUntested | Claim::NeverDone | Claim::Created | Claim::Edited);
            findings.push(if doubtful { finding.warning() } else { finding });
        }
    }
    let known = lines(&findings);
    let more = [refuted(source, all, texts, &is_kept), ticked(all, texts, &is_kept)].concat();
    findings.extend(more.into_iter().filter(|one| !known.contains(&(one.line, one.summary_line))));
    findings
}

/// Marks of a line about a step that is still to be done.
static OPEN: LazyLock<Regex> = LazyLock::new(|| {
    let begins = r"^(?:\[ \]|open steps?\b|(?:still )?(?:open|pending|outstanding|remaining)\s*[:–—-]|still (?:open|to do)\b|to[ -]?do\b|next(?: steps?)?:|next step\b|in progress:)";
    let ends = r"\b(?:is|are|remains?) (?:still |yet )?(?:pending|open|unfinished|outstanding|undone|not done|to be done|to do)\b";
    pattern(&format!("(?i){begins}|{ends}"))
});

/// What is wrong with a statement that was turned round.
const TURNED: &str = "the words of the original are there with a negation more or less";

/// F04: no statement of the original loses or gains a negation.
pub(super) fn negations(view: &View<'_>, Pair { source, .. }: Pair<'_>, _: &Tools<'_>, _: Limits) -> GateResult {
    let finding = |line: usize, one: Turned| {
        let finding = Finding::new(line, TURNED).at(one.line).about(one.text);
        if one.of_order { finding } else { finding.warning() }
    };
    let texts: Vec<&str> = view.summary.iter().map(|text| text.text.as_str()).collect();
    let mut findings: Vec<Finding> =
        turned(&texts, source).into_iter().map(|one| finding(view.summary[one.of_text].line, one)).collect();
    for text in &view.summary {
        let found = lost(&text.text, source, text.ours).into_iter().map(|one| {
            let finding = Finding::new(text.line, TURNED).at(one.line).about(one.text);
            if text.ours { finding } else { finding.warning() }
        });
        findings = with_more(findings, found.collect());
    }
    let of = view.summary.iter().map(|text| claims(&text.text).count()).sum::<usize>();
    GateResult::of(Share { kept: of.saturating_sub(findings.len()), of }, findings)
}

/// F05: no statement is about something that the original never mentions.
pub(super) fn unrelated_statements(view: &View<'_>, _: Pair<'_>, _: &Tools<'_>, _: Limits) -> GateResult {
    let (mut findings, mut of) = (Vec::new(), 0);
    for (text, shares) in view.summary.iter().zip(view.shares()) {
        let (judged, found) = unrelated(&text.text, shares);
        of += judged;
        findings.extend(found.into_iter().map(|one| {
            let what = "a statement that nothing in the original is about";
            Finding::new(text.line, what).at(one.line).about(one.text).warning()
        }));
    }
    GateResult::of(Share { kept: of - findings.len(), of }, findings)
}

/// F06: quoted texts were said, and requests and rules in a summary were stated by somebody.
pub(super) fn quotations(view: &View<'_>, Pair { source, .. }: Pair<'_>, _: &Tools<'_>, _: Limits) -> GateResult {
    let (mut findings, mut of) = (Vec::new(), 0);
    for (text, shares) in view.summary.iter().zip(view.shares()) {
        let judged = [
            (misquoted(&text.text, source), "a quotation of what nobody said"),
            (unasked(&text.text, source, shares, text.ours), "a request or a rule of which nobody said a word"),
        ];
        for ((several, found), what) in judged {
            of += several;
            findings.extend(found.into_iter().map(|one| {
                let finding = Finding::new(text.line, what).at(one.line).about(one.text);
                if text.ours && !one.shortened { finding } else { finding.warning() }
            }));
        }
    }
    findings.sort_by_key(|finding| (finding.line, finding.summary_line));
    findings.dedup_by_key(|finding| (finding.line, finding.summary_line));
    GateResult::of(Share { kept: of.saturating_sub(findings.len()), of }, findings)
}

/// F03: no step is called open that the newest plan lists as done.
pub(super) fn stale(view: &View<'_>, _: Pair<'_>, tools: &Tools<'_>, _: Limits) -> GateResult {
    // A plan that is kept is newer than what the summary covers, and the reader sees it.
    let Some(Plan { open, done, .. }) = Plan::newest(view.deeds()).filter(|plan| !kept(view, tools)[plan.message])
    else {
        return GateResult::insufficient("there is no plan in what is summarized");
    };
    let mut findings = Vec::new();
    for text in &view.summary {
        for (line, number) in text.text.lines().zip(1..) {
            let bare = line.trim().trim_start_matches(['-', '*']).trim();
            let is_open = OPEN.is_match(bare);
            let still = || open.iter().any(|step| says(&content_words(step), &[bare]));
            let stale = is_open && done.iter().any(|step| says(&content_words(step), &[bare])) && !still();
            if stale {
                let finding = Finding::new(text.line, "a step is said to be open that the newest plan has done");
                findings.push(finding.at(number).about(bare));
            }
        }
    }
    GateResult::of(Share { kept: done.len().saturating_sub(findings.len()), of: done.len() }, findings)
}
