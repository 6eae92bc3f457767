//! Claims in prose that work was pushed, committed, merged, published, deployed and the like: compared with the
//! commands that do it (see `kinds`).

use super::called::{Called, Wrong, verbs_of};
use super::doing::doing;
use super::environments::{elsewhere, others};
use super::kinds::{KINDS, Kind};
use super::outputs::Outputs;
use super::passing::sentences;
use super::steps::end_of;
use super::things::things;
use super::unsure::unsure;
use crate::gates::{Finding, Level};
use crate::measure::{Line, SourceText, claims, pattern};
use crate::summary::{Deed, DeedKind, contains_any, reports, shell_words};
use crate::transcript::{Author, PartKind};
use regex::Regex;
use std::cell::OnceCell;
use std::collections::HashSet;
use std::sync::LazyLock;

/// Words that make a sentence no claim about what the agent did.
static UNSURE: LazyLock<Regex> = LazyLock::new(|| unsure_of(r"dry|draft"));
/// The same for what a tool does: it may send a draft.
static UNSURE_OF_CALL: LazyLock<Regex> = LazyLock::new(|| unsure_of("dry"));

/// A pattern of such words and of `more`.
fn unsure_of(more: &str) -> Regex {
    let limits = r"no|none|nothing|neither|nor|yet|whenever|instead|ever";
    let plans = r"could|may|might|to be|want\w*|asks?|asked|asking|requested|requests|tr(?:y|ied|ies|ying)|attempt\w*|pending|todo|next|goals?|plan(?:s|ned)?";
    let fails = r"reject\w*|denied|refus\w*|abort\w*|blocked|revert\w*|undo\w*|undone|rolled";
    let earlier = r"earlier|previously|already|originally|initially|yesterday|last (?:week|month|year)|(?:that|which) (?:is|are|was|were|had|has|have)";
    let others = r"users?|users['’]|they|he|she|you|your|team|colleagues?|maintainers?|upstream|ci|bot|pipeline|customers?|dba|others?|another|someone|somebody|by";
    unsure(&format!("{more}|{limits}|{plans}|{fails}|{earlier}|{others}"))
}
/// Sections about what is still to be done, or what others said.
static ASIDE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:next|pending|to-?do|open|remaining|plans?|goals?|intent|requests?|instructions?|constraints?|users?|background|context)\b",
    )
});
/// Texts in quotes and code.
static QUOTED: LazyLock<Regex> = LazyLock::new(|| pattern("“[^”]*”|\"[^\"]*\"|`[^`]*`"));
/// The name of a commit.
static HASH: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[0-9a-f]{7,40}\b"));
/// “Nothing has been committed yet.”
static NOTHING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:nothing (?:has been|was|is) (committed|pushed)|no (commits|pushes) (?:were|have been) made)(?: so far| yet)?$",
    )
});
/// Options with which a command only tells what it would do.
const TRIES: [&str; 3] = ["--dry-run", "--check", "--help"];

/// The runs of commands that claims are compared with.
pub(super) struct Acts<'d> {
    all: &'d [Deed],
    source: &'d SourceText<'d>,
    outputs: &'d Outputs<'d>,
    /// The verbs in names of called tools, once they are asked for.
    verbs: OnceCell<HashSet<&'static str>>,
    /// The calls, if a claim is about one of these verbs: what all of them name is much.
    called: OnceCell<Called>,
    /// For each kind, what is known of it, once it is asked for.
    of_kinds: OnceCell<Vec<OfKind<'d>>>,
    /// Nothing hides calls: no earlier summary, no reports of other agents.
    seen: bool,
    /// Commands ran, and nothing hides others.
    known: bool,
}

/// What the original tells of a kind of work.
#[derive(Default)]
struct OfKind<'d> {
    /// The runs that did it, and whether they failed (`None`: unknown).
    runs: Vec<(&'d Deed, Option<bool>)>,
    /// For each environment, whether they name others only.
    others: OnceCell<Vec<bool>>,
    /// A person says that it was done.
    told: bool,
    /// No command, name of a tool or output suggests that it was done.
    unknown: OnceCell<bool>,
}

impl<'d> Acts<'d> {
    pub(super) fn of(all: &'d [Deed], source: &'d SourceText<'d>, outputs: &'d Outputs<'d>) -> Self {
        let messages = source.messages();
        let earlier = messages.iter().any(|message| message.author == Author::Summary);
        let ran = all.iter().any(|deed| matches!(deed.kind, DeedKind::Ran { .. }));
        let seen = !earlier && reports(messages).is_empty();
        let (verbs, called, of_kinds) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Self { all, source, outputs, verbs, called, of_kinds, seen, known: ran && seen }
    }

    /// Returns a finding for each line of a text that says something was done which no run did, or the reverse.
    /// `is_kept`: which messages are kept beside the summary.
    pub(super) fn refuted(&self, text: &str, line_of_text: usize, is_kept: &dyn Fn(usize) -> bool) -> Vec<Finding> {
        if !self.seen {
            return Vec::new();
        }
        let lines: Vec<Line<'_>> = claims(text).collect();
        let tells = |line: &&Line<'_>| line.tells() && !ASIDE.is_match(line.section);
        let found = |line: &Line<'_>| {
            let mut of_sentence = sentences(line.text).filter(|sentence| !self.source.has(sentence));
            let found = of_sentence.find_map(|one| self.undone(one).or_else(|| self.done(one, is_kept)));
            let found = found.or_else(|| self.not_called(line.text));
            found.map(|(what, level)| Finding {
                level,
                ..Finding::new(line_of_text, what).at(line.number).about(line.text)
            })
        };
        lines.iter().filter(tells).filter_map(found).collect()
    }

    /// A sentence says that something was done: each command that does it failed, or none ran.
    fn undone(&self, sentence: &str) -> Option<(&'static str, Level)> {
        // A quoted branch is one; any other quoted text says nothing.
        let is_branch = |name: &str| name.contains('/') && !name.contains(['.', ' ']);
        let bare = QUOTED.replace_all(sentence, |quoted: &regex::Captures<'_>| match &quoted[0] {
            name if is_branch(name) => "x/x",
            _ => "x",
        });
        if UNSURE.is_match(&bare) {
            return None;
        }
        let (at, kind) = KINDS.iter().enumerate().find(|(_, kind)| self.known && kind.claims(&bare))?;
        let OfKind { runs, others: elsewheres, told, unknown } = self.of_kind(at)?;
        if *told {
            return None;
        }
        if runs.is_empty() {
            let unknown = kind.may_be_missed && *unknown.get_or_init(|| self.is_unknown(kind));
            return unknown.then_some((NEVER, Level::Warn));
        }
        if runs.iter().all(|(_, failed)| *failed == Some(true)) {
            // Something else may have done it: a script, a tool of another name.
            return Some((FAILED, Level::Warn));
        }
        if kind.has_place() && elsewhere(sentence, elsewheres.get_or_init(|| others(runs, self.outputs))) {
            return Some((ELSEWHERE, Level::Warn));
        }
        // A commit that no later run sent.
        let made = HASH.find_iter(sentence).filter_map(|hash| self.shown_at(hash.as_str())).max();
        let since = |(deed, failed): &(&Deed, Option<bool>)| {
            *failed != Some(true) && made.is_none_or(|made| deed.message + 1 >= made)
        };
        (kind.of_commits && !runs.iter().any(since)).then_some((BEFORE, Level::Warn))
    }

    /// A line says that something was done for which a tool is named: each call of it failed, or was about other things.
    fn not_called(&self, line: &str) -> Option<(&'static str, Level)> {
        let verbs = self.verbs.get_or_init(|| verbs_of(self.source.messages()));
        if verbs.is_empty() {
            return None;
        }
        let called = || self.called.get_or_init(|| Called::of(self.all, self.source.messages()));
        let claimed = |one: &&str| !self.source.has(one) && !UNSURE_OF_CALL.is_match(one);
        let done = |one| doing(one).filter(|(verb, _)| verbs.contains(verb));
        // Something else may have done it: another tool, or the person.
        sentences(line).filter(claimed).find_map(|one| match called().refuted(one, done(one)?)? {
            Wrong::Failed => Some((FAILED_CALL, Level::Warn)),
            Wrong::Other(done) => (!self.tells(done, one)).then_some((OTHER_CALL, Level::Warn)),
        })
    }

    /// Whether a sentence of the original says that one of the things of a claim was done, as its participle says.
    fn tells(&self, done: &str, claim: &str) -> bool {
        let (done, named) = (pattern(&format!(r"(?i)\b{done}\b")), things(claim).collect::<Vec<_>>());
        let names = |one: &str| things(one).any(|thing| named.contains(&thing));
        let says = |one: &str| done.is_match(one) && names(one) && !UNSURE_OF_CALL.is_match(one);
        self.source.lines().filter(|line| done.is_match(line)).flat_map(sentences).any(says)
    }

    /// A sentence says that nothing was committed or pushed: a run that the summary covers did.
    fn done(&self, sentence: &str, is_kept: &dyn Fn(usize) -> bool) -> Option<(&'static str, Level)> {
        let found = NOTHING.captures(sentence)?;
        let word = found.get(1).or_else(|| found.get(2))?.as_str().to_lowercase();
        let kind = KINDS.iter().position(|kind| self.known && word.starts_with(kind.stem))?;
        let mut runs = self.of_kind(kind)?.runs.iter().filter(|(deed, _)| !is_kept(deed.message));
        let last = runs.rfind(|(_, failed)| *failed == Some(false))?.0.message;
        // It may be said of what was changed or taken back since.
        let changed = |deed: &&Deed| matches!(&deed.kind, DeedKind::Wrote(_)) && !is_kept(deed.message);
        let reset = |deed: &&Deed| matches!(&deed.kind, DeedKind::Ran { command, .. } if command.contains("git reset"));
        let since = self.all.iter().rfind(|deed| changed(deed) || reset(deed)).is_some_and(|deed| deed.message > last);
        Some((DONE, if since { Level::Warn } else { Level::Error }))
    }

    /// What is known of the kind with this index.
    fn of_kind(&self, at: usize) -> Option<&OfKind<'d>> {
        let of = |kind: &Kind| OfKind { runs: self.runs(kind), told: self.is_told(kind), ..OfKind::default() };
        self.of_kinds.get_or_init(|| KINDS.iter().map(of).collect()).get(at)
    }

    /// The runs that did something of a kind, and whether they failed (`None`: unknown).
    fn runs(&self, kind: &Kind) -> Vec<(&'d Deed, Option<bool>)> {
        let run = |deed: &'d Deed| match &deed.kind {
            DeedKind::Ran { command, .. } => {
                let does = |step: &[String]| !step.iter().any(|word| TRIES.contains(&&**word)) && kind.does(step);
                let end = end_of(&shell_words(command), deed.failed, does);
                // A text that another shell runs, or a script that is written and run, may do it unseen.
                let end = end.or_else(|| (kind.does_in(command) && !is_tried(command)).then_some(None));
                Some((deed, end?))
            }
            _ => None,
        };
        self.all.iter().filter_map(run).collect()
    }

    /// Whether a person says that it was done.
    fn is_told(&self, kind: &Kind) -> bool {
        let people = self.source.messages().iter().filter(|message| message.author == Author::Person);
        people.flat_map(|message| &message.parts).any(|part| kind.is_done.is_match(&part.text))
    }

    /// Whether no command, name of a tool or output suggests that it was done.
    fn is_unknown(&self, kind: &Kind) -> bool {
        let stem = |text: &str| text.to_lowercase().contains(kind.stem);
        let by_command = |deed: &Deed| match &deed.kind {
            DeedKind::Ran { command, .. } => stem(command) && !is_tried(command),
            DeedKind::Called(shown) => stem(shown),
            _ => false,
        };
        let mut parts = self.source.messages().iter().flat_map(|message| &message.parts);
        let by_part = parts.any(|part| match &part.kind {
            PartKind::Call { name, .. } => {
                let name = name.to_lowercase();
                name.contains(kind.stem) || contains_any(&name, &UNSEEN)
            }
            PartKind::Result { .. } => kind.is_done.is_match(&part.text),
            _ => false,
        });
        !by_part && !self.all.iter().any(by_command)
    }

    /// Index of the first message that shows a name of a commit.
    fn shown_at(&self, hash: &str) -> Option<usize> {
        self.source.messages().iter().position(|message| message.parts.iter().any(|part| part.text.contains(hash)))
    }
}

/// Names of tools that can do anything unseen.
const UNSEEN: [&str; 6] = ["agent", "browser", "computer", "github", "gitlab", "task"];

const FAILED: &str = "something is said to be done, and each command that does it failed";
const NEVER: &str = "something is said to be done, and no command ran that does it";
const BEFORE: &str = "a commit is said to be sent, and no command sent it since it was made";
const FAILED_CALL: &str = "something is said to be done, and each call of the tool for it failed";
const OTHER_CALL: &str = "something is said to be done, and the calls of the tool for it are about others";
const ELSEWHERE: &str = "something is said to be done in one environment, and its commands name another one";
const DONE: &str = "nothing is said to be done of what a command did";

/// Whether a step of a command only tells what it would do.
fn is_tried(command: &str) -> bool {
    shell_words(command).iter().any(|step| step.iter().any(|word| word == "--dry-run"))
}
