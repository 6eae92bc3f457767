//! K01–K06: what must be kept: constraints, requests (`requests`), changed files (`changed`), and the texts of
//! `expect.toml`.

mod binding;
mod changed;
mod clauses;
mod compound;
mod earlier;
mod failures;
mod forbidding;
mod orders;
mod pasted;
mod permits;
mod reasons;
mod renewed;
mod rephrased;
pub(super) mod requests;
mod scripts;
mod stems;
mod taken_back;
mod torn;
mod turned;
mod twins;
mod waiting;

use super::facts::kind;
use super::settings::Limits;
use super::{Expected, Finding, GateResult, Level, Pair, Spot, Tools, View};
use crate::facts::{extract, readable_text};
use crate::measure::constraints::{self, Constraint, Said};
use crate::measure::renumbered::is_renumbered;
use crate::measure::reversal::{Saying, sayings};
use crate::measure::{Share, pattern};
use crate::summary::{
    ASKED, SAID, Section, SectionSource, is_firm, is_of_its_request, own_words, parse, section_of, shown,
};
use crate::transcript::Message;
use binding::{is_binding, is_by_form, is_musing, is_of_plan, is_of_prose, is_torn};
pub(super) use changed::modified_files;
use compound::{Compound, dropped_ban};
use forbidding::{BANS, FORBIDS, FORBIDS_ANY, STAYS};
use orders::{as_ban, is_order, orders_alike, without_thanks};
use pasted::is_pasted;
use permits::{Bans, Permission, permitting};
use regex::Regex;
use renewed::Numbered;
use rephrased::{exception, says_alike};
use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::sync::LazyLock;
use taken_back::taken_back;
use turned::limits_as_well;
use twins::Twins;

/// Least share of constraints that must be kept (QUALITY §5).
const CONSTRAINTS: f64 = 0.9;

/// Sections about findings and actions, which hold no rules.
const TOLD: [&str; 3] =
    [SectionSource::Discoveries.heading(), SectionSource::Accomplished.heading(), SectionSource::Files.heading()];
/// Whether a line retells a request (“Asked: “…””), as our summaries do in any section: it may be cut, and is no rule.
fn is_story(line: &str) -> bool {
    line.trim_start_matches(['-', '*', ' ']).strip_prefix(ASKED).is_some_and(|told| told.starts_with('“'))
}

/// Words with which a sentence permits something.
static FREES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:please )?(?:feel free to|go ahead and|(?:you are |you['’]re )(?:free|allowed) to|it(?:['’]s| is) (?:fine|ok|okay|all right) to)\b",
    )
});
/// Words of permitting phrases that do not say what is permitted.
const FREEING: [&str; 8] = ["feel", "free", "ahead", "allowed", "fine", "okay", "right", "please"];

/// Whether a sentence permits what a constraint forbids: both have the same content words, or nearly.
fn frees(sentence: &str, constraint: &str) -> bool {
    if !FREES.is_match(sentence) || FORBIDS.is_match(sentence) || !FORBIDS.is_match(constraint) {
        return false;
    }
    let (wanted, mut words) = (constraints::content_words(constraint), constraints::content_words(sentence));
    words.retain(|word| !FREEING.contains(&word.as_str()));
    constraints::holds(&words, &wanted) && constraints::holds(&wanted, &words)
}

/// A constraint that the compacted transcript does not keep.
pub struct Lost {
    /// The sentence.
    text: String,
    /// Index of its message in the original.
    message: usize,
    /// The compacted transcript says the opposite.
    reversed: bool,
    /// A lasting rule, not a mere wish or remark.
    firm: bool,
    /// It may be no rule, or there in other words: its loss fails no gate.
    doubtful: bool,
    /// The rules of the compacted transcript tell it in other words.
    told: bool,
    /// It is prose or a step of a plan: even the opposite of it fails no gate.
    of_plan: bool,
}

impl View<'_> {
    /// The user's constraints: the share that is kept, and those that are not.
    pub fn constraints(&self) -> (Share, Vec<Lost>) {
        let (lines, places, rules) = (self.summary_lines(), self.loaded_places(), self.rule_lines());
        let told = self.source.as_ref().map(|source| sayings(&rules, source)).unwrap_or_default();
        let permitted = permitting(&rules);
        let all = self.binding();
        let of = all.iter().filter(|(_, of_plan)| !of_plan).count();
        let free = self.freeing(&lines);
        let numbered = Numbered::of(all.iter().map(|(one, _)| one));
        let twins = Twins::of(all.iter().map(|(one, _)| one));
        // What the user said beside a ban sets nothing free.
        let own: Vec<&str> = lines.iter().copied().filter(|line| !self.quotes(line)).collect();
        let lose = |(whole, of_plan): &(Constraint, bool)| {
            let message = *places.get(whole.message)?;
            let kept = self.kept.originals.contains(&message);
            // A request with a ban behind it may be told apart from the ban.
            let apart = Compound::of(&whole.text).filter(|both| both.is_told(&lines));
            let text = apart.map_or_else(|| whole.text.clone(), |both| both.ban.into_owned());
            let one = Constraint { text, message: whole.message };
            let own_lines = twins.own_lines(&one.text, one.message, &lines);
            let said = limits_as_well(&one.text, constraints::stated_in(&one, &own_lines), &own_lines);
            // Of several bans, one that is dropped turns none of the others round.
            let ban = if kept { None } else { dropped_ban(&one.text, &lines) };
            // A line that says the opposite misleads, even beside one that says the constraint, or the message itself.
            let saying = Saying::of(&one.text);
            let opposed = ban.is_none() && told.iter().any(|line| saying.opposes(line))
                || free.iter().any(|line| frees(line, &one.text))
                || self.permits(&one, &permitted);
            let turned = || constraints::stated_in(&one, &own) == Said::Reversed;
            let reversed = opposed || !kept && said == Said::Reversed && turned();
            let ban = ban.filter(|_| said == Said::AsItIs);
            // The user gave another number later.
            let renewed = said == Said::Nowhere && numbered.renews(&one);
            let lost = opposed || (!kept && said != Said::AsItIs && !renewed) || ban.is_some();
            let firm = (is_firm(&one.text) || is_order(&one.text)) && !is_torn(&one.text);
            // A line of another rule that differs in a word may be this one in other words.
            let by_twin = || constraints::stated_in(&one, &lines) == Said::AsItIs;
            let doubtful =
                ban.is_some() || is_by_form(&one.text) || is_musing(&one.text) || said == Said::Nowhere && by_twin();
            let part = ban.unwrap_or(one.text);
            let told = lost && !reversed && is_told(&part, &twins.own_lines(&part, whole.message, &rules));
            let (text, of_plan) = (whole.text.clone(), *of_plan);
            lost.then_some(Lost { told, text, message, reversed, firm, doubtful, of_plan })
        };
        let lost: Vec<_> = all.iter().filter_map(lose).collect();
        (Share { kept: of - lost.iter().filter(|one| !one.of_plan).count(), of }, lost)
    }

    /// The user's sentences that bind the agent, in the user's own words, and whether each is one of a plan. A limit for
    /// one request no longer binds after the next request.
    fn binding(&self) -> Vec<(Constraint, bool)> {
        let loaded = self.loaded();
        let newest = loaded.iter().rposition(|message| message.is_real_user());
        let taken_back = taken_back(&loaded);
        // Computed only for messages that have a constraint.
        let mut texts: BTreeMap<usize, (String, Vec<String>)> = BTreeMap::new();
        let binds = |one: Constraint| {
            let words = || loaded.get(one.message).map_or_else(String::new, |message| own_words(&message.said()));
            let over = Some(one.message) < newest && is_of_its_request(&one.text);
            if over || taken_back.contains(&one.message) || !is_binding(&one.text) {
                return None;
            }
            let (text, shown) = texts.entry(one.message).or_insert_with(|| {
                let text = words();
                let shown = shown(&text);
                (text, shown)
            });
            let bare = one.text.replace("**", "");
            let binds = !is_pasted(&one.text, text) && !shown.iter().any(|sentence| sentence.contains(&bare));
            let of_plan = binds && (is_of_plan(&one.text, text) || is_of_prose(&one.text, text));
            binds.then_some((one, of_plan))
        };
        let rules = constraints::spoken(&loaded, &|sentence| constraints::has_cue(sentence) || is_order(sentence));
        rules.into_iter().filter_map(binds).collect()
    }

    /// Whether a line of the summary is a quote of the user that the original has.
    fn quotes(&self, line: &str) -> bool {
        let quoted =
            line.trim_start_matches(['-', '*', ' ']).strip_prefix(SAID).and_then(|said| said.strip_prefix('“'));
        let words = quoted.and_then(|said| said.strip_suffix('”')).map(|said| said.trim_end_matches('…'));
        words.is_some_and(|words| self.source.as_ref().is_some_and(|source| source.has_words(words)))
    }

    /// Sentences of the summary that permit something and that no loaded message of the original says.
    fn freeing<'s>(&self, lines: &[&'s str]) -> Vec<&'s str> {
        // A dot without a space (as in a path) ends no sentence.
        let sentences = lines.iter().flat_map(|line| line.split(". ")).flat_map(|line| line.split(['!', '?', ';']));
        let bare = sentences.map(|sentence| sentence.trim_matches([' ', '-', '*', '>', '\t', '\r', '.', '!', ';']));
        let loaded = self.loaded();
        let texts = LazyCell::new(|| loaded.iter().map(|message| message.text()).collect::<Vec<_>>());
        let said = |sentence: &str| texts.iter().any(|text| text.contains(sentence));
        bare.filter(|sentence| FREES.is_match(sentence) && !said(sentence)).collect()
    }

    /// Whether a line permits what a constraint forbids, and no later message of the user does.
    fn permits(&self, one: &Constraint, permitted: &[Permission<'_>]) -> bool {
        let lifts = |again: &dyn Fn(&str) -> bool| {
            let says = |text: &str| constraints::split(text).any(|sentence| sentence != one.text && again(sentence));
            let later = self.loaded().into_iter().skip(one.message);
            later.filter(|message| message.is_real_user()).any(|message| says(&message.said()))
        };
        let said = |sentence: &str| self.source.as_ref().is_some_and(|source| source.has_words(sentence));
        !permitted.is_empty() && Bans::of(&as_ban(&one.text)).permitted(permitted, &lifts, &said).is_some()
    }

    /// Lines of the summary that may state rules: those outside the sections about findings and actions.
    pub(in crate::gates) fn rule_lines(&self) -> Vec<&str> {
        let lines = self.summary.iter().flat_map(|summary| {
            let sections = parse(&summary.text);
            let is_told = |own: &Section<'_>| TOLD.iter().any(|name| own.is(name));
            let told = move |number| section_of(&sections, number).is_some_and(is_told);
            let lines = summary.text.lines().zip(1..).filter(move |(_, number)| !told(*number));
            lines.map(|(line, _)| line).filter(|line| !is_story(line))
        });
        lines.collect()
    }
}

/// Whether lines state a rule in other words, as a whole or clause by clause.
fn is_told(rule: &str, lines: &[&str]) -> bool {
    let told = |rule: &str| {
        let alike: Vec<&str> = lines.iter().copied().filter(|line| !is_renumbered(rule, line)).collect();
        says_alike(without_thanks(rule), &alike) || orders_alike(rule, &alike)
    };
    let stated = |clause: &str| {
        // “Nothing under quay/ may be touched” for “never touch quay/”.
        let orders = |line: &&str| constraints::split(line).any(|line| orders_alike(bare(line), &[clause]));
        // A clause that forbids is stated by a line that does.
        let bans = |line: &&str| !FORBIDS_ANY.is_match(clause) || BANS.is_match(line) || STAYS.is_match(line);
        let stating: Vec<&str> = lines.iter().copied().filter(bans).collect();
        let clause = Constraint { message: 0, text: clause.to_owned() };
        constraints::stated_in(&clause, &stating) == Said::AsItIs || told(&clause.text) || lines.iter().any(orders)
    };
    let clauses = clauses::rules(rule);
    told(rule) || !clauses.is_empty() && clauses.into_iter().all(stated)
}

fn bare(line: &str) -> &str {
    line.trim_start_matches(['-', '*', '•', ' '])
}

/// K01: the user's constraints are kept.
pub(super) fn constraints(view: &View<'_>, _: Pair<'_>, _: &Tools<'_>, limits: Limits) -> GateResult {
    let ((mut share, mut lost), line) = (view.constraints(), view.summary_line());
    let rules = view.rule_lines();
    lost.retain(|one| !one.told);
    let torn = view.torn(&lost);
    // What may be no loss is not counted.
    let counted = lost.iter().filter(|one| !one.of_plan);
    let doubtful = counted.clone().filter(|one| one.doubtful && !one.reversed).count();
    share.of -= doubtful;
    share.kept = share.of - (counted.count() - doubtful);
    let enough = share.value().is_none_or(|value| value + 1e-9 >= limits.min.unwrap_or(CONSTRAINTS));
    // One finding per place: reports need not show the words, so findings of one place could not be told apart.
    let mut told: BTreeMap<(Option<Spot>, Level, bool), Vec<String>> = BTreeMap::new();
    for one in lost {
        let Some(level) = one.level(enough) else { continue };
        told.entry((view.original_spot(one.message), level, one.reversed)).or_default().push(one.text);
    }
    let finding = |((original, level, reversed), texts): ((_, _, bool), Vec<String>)| {
        let what = match (texts.len(), reversed) {
            (1, true) => "a constraint of the user is said the other way round".to_owned(),
            (1, false) => "a constraint of the user is not kept".to_owned(),
            (count, true) => format!("{count} constraints of the user are said the other way round"),
            (count, false) => format!("{count} constraints of the user are not kept"),
        };
        Finding { original, level, ..Finding::new(line, what).about(texts.join(" | ")) }
    };
    let earlier = view.dropped_rules().into_iter().map(|rule| Finding {
        original: view.original_spot(rule.message),
        level: Level::Warn,
        ..Finding::new(line, "a rule of the earlier summary is not kept").about(rule.text)
    });
    GateResult::of(
        share,
        told.into_iter()
            .map(finding)
            .chain(torn)
            .chain(view.excepted(&rules))
            .chain(view.turned(&rules))
            .chain(earlier)
            .collect(),
    )
}

impl View<'_> {
    /// Findings for lines that add an exception to a constraint which the user did not make.
    fn excepted(&self, rules: &[&str]) -> Vec<Finding> {
        let (Some(source), places) = (&self.source, self.loaded_places()) else { return Vec::new() };
        let found = |one: Constraint| {
            let exception = exception(&one.text, rules, source)?;
            let what = "a line makes an exception from a constraint of the user that the original does not have";
            let original = places.get(one.message).and_then(|at| self.original_spot(*at));
            Some(Finding { original, ..Finding::new(self.summary_line(), what).about(exception).warning() })
        };
        self.binding().into_iter().filter(|(_, of_plan)| !of_plan).filter_map(|(one, _)| found(one)).collect()
    }
}

impl View<'_> {
    /// The last message of the original with one of these texts.
    fn told_at(&self, spellings: &[String]) -> Option<Spot> {
        let messages = &self.original.as_ref()?.transcript.messages;
        let says = |message: &Message<'_>| {
            let texts = || message.parts.iter().map(readable_text);
            spellings.iter().any(|spelling| texts().any(|text| text.contains(spelling.as_str())))
        };
        self.original_spot(messages.iter().rposition(says)?)
    }
}

impl Lost {
    /// Level of the finding for a lost constraint. `enough`: the share that is kept suffices. A lost wish is then
    /// ignored; a reversed constraint is always an error, as it is worse than a missing one.
    fn level(&self, enough: bool) -> Option<Level> {
        match (self.firm, enough) {
            _ if self.of_plan => (self.firm || self.reversed || !enough).then_some(Level::Warn),
            _ if self.reversed => Some(Level::Error),
            _ if self.doubtful => Some(Level::Warn),
            (true, false) => Some(Level::Error),
            (true, true) | (false, false) => Some(Level::Warn),
            (false, true) => None,
        }
    }
}

/// Kind of an expected text that is no fact.
const WORDS: &str = "words";

/// Kind of an expected text, for messages that must not quote it.
fn kind_of(text: &str) -> &'static str {
    let mut facts = extract(text).into_iter();
    match (facts.next(), facts.next()) {
        (Some(only), None) if only.value.len() * 2 > text.len() => kind(only.class),
        _ => WORDS,
    }
}

/// K05: every expected fact is there, in one of its spellings.
pub(super) fn expected(view: &View<'_>, tools: &Tools<'_>, _: Limits) -> GateResult {
    let left = view.left();
    let facts =
        || tools.expected.iter().flat_map(|expected| expected.facts.iter().zip(1..).map(move |fact| (*expected, fact)));
    let there = |words: &[String]| words.iter().any(|word| left.iter().any(|text| text.contains(word.as_str())));
    let lost = facts().filter(|(_, (fact, _))| !there(&fact.any_of)).map(|(expected, (fact, number))| {
        let original = view.told_at(&fact.any_of);
        let untold = if view.original.is_some() && original.is_none() { ", nor does the original have it" } else { "" };
        let what = fact.any_of.first().map_or(WORDS, |word| kind_of(word));
        let message = format!("fact {number} that is expected of `{}` ({what}) is not kept{untold}", expected.path);
        let finding = Finding::new(view.summary_line(), message).about(fact.any_of.join(" | "));
        Finding { level: fact.level, original, ..finding }
    });
    let findings: Vec<_> = lost.collect();
    let of = facts().count();
    nothing_expected(of, GateResult::of(Share { kept: of - findings.len(), of }, findings))
}

/// K06: no forbidden text is there. It is never shown: it may be a secret.
pub(super) fn forbidden(view: &View<'_>, tools: &Tools<'_>, _: Limits) -> GateResult {
    let left = view.left();
    let all = |expected: &'_ &Expected| expected.must_not.len();
    let found =
        tools.expected.iter().flat_map(|expected| expected.must_not.iter().zip(1..).map(move |word| (*expected, word)));
    let found = found.filter(|(_, (word, _))| left.iter().any(|text| text.contains(word.as_str())));
    let findings: Vec<_> = found
        .map(|(expected, (word, number))| {
            let message = format!("text {number} that `{}` must not have is there", expected.path);
            Finding { level: expected.level, ..Finding::new(view.left_at(word), message) }
        })
        .collect();
    let of = tools.expected.iter().map(all).sum();
    nothing_expected(of, GateResult::of(Share { kept: of - findings.len(), of }, findings))
}

fn nothing_expected(of: usize, outcome: GateResult) -> GateResult {
    if of == 0 { GateResult::insufficient("--expect names nothing for it") } else { outcome }
}

#[cfg(test)]
mod tests {
    use super::{frees, is_story};

    #[test]
    fn what_was_asked_when_is_no_rule() {
        assert!(is_story("- Asked: “The window opened with a long trace, and that should…”"));
        assert!(!is_story("- Never open a window."));
    }

    #[test]
    fn what_is_forbidden_can_be_set_free() {
        let rule = "Do not touch the public API of the crate.";
        for free in ["Feel free to touch the public API of the crate", "It is fine to touch the public API"] {
            assert!(frees(free, rule), "{free}");
        }
        for other in [
            "Feel free to touch the tests of the parser and the names of its public functions",
            "Go ahead and do not touch the public API",
            "Touch the public API of the crate",
        ] {
            assert!(!frees(other, rule), "{other}");
        }
        assert!(!frees("Feel free to use tabs in the crate", "Use tabs in the crate, please."));
    }
}
