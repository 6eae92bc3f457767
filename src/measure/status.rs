//! Status contradictions: a summary says that something was changed or works, and the calls show otherwise.
//!
//! Only claims that a call can refute are judged: a file said to be changed that was only read or whose changes failed,
//! a command said to have worked whose last run failed, tests said to pass or something said to build whose last run
//! failed. What the user asked
//! for is no claim.

use super::built::{is_build, names_what, says_built};
use super::folders::slashed;
use super::harmless::only_shows;
use super::lines::{Line, claims};
use super::stories::{holds_of_part, is_less, is_of_part, is_story, quotes, some_fail};
use super::tested::{limits, names};
use super::touched::Files;
use super::{SourceText, pattern};
use crate::summary::{ALSO_FAILED, ALSO_RAN as ALSO, ALSO_WORKED, Deed, DeedKind, fold, is_prose, reports};
use crate::transcript::{Author, Message};
use regex::Regex;
use std::cell::OnceCell;
use std::collections::HashSet;
use std::sync::LazyLock;

/// A claim that the calls refute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// Line of the summary, from 1.
    pub line: usize,
    /// The kind of claim.
    pub claim: Claim,
    /// The path or the command of the claim.
    pub subject: String,
}

/// A kind of claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// A file was changed; it was only read, or no change of it worked.
    Changed,
    /// A file was created; it was there before.
    Created,
    /// A file was edited; it was only created.
    Edited,
    /// A command worked; its last run failed.
    Worked,
    /// A command failed; its last run worked.
    Failed,
    /// Tests pass; their last run failed.
    TestsPass,
    /// Tests pass; files were changed after their last run.
    TestsPassUntested,
    /// Tests pass; nothing ran that could be a test, and nobody says that something passes.
    TestsNeverRan,
    /// Something builds; the last build failed.
    Builds,
    /// A command ran; no call holds it, and neither a person nor an earlier summary names it.
    NeverRan,
    /// Something was deployed, published or the like; the original does not mention the word.
    NeverDone,
}

pub(super) static PASS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:tests?|test suite|suite|checks) (?:\w+ )?(?:all )?(?:now )?(?:pass(?:es|ed|ing)?|(?:is|are) green|succeed(?:s|ed)?)\b|\b(?:tests?|suite|checks): (?:✅ ?)?(?:all )?(?:pass(?:ed|ing)|green)\b|\btest result: ok\b|\b(?:all|\d+) (?:tests? )?pass(?:ed|ing)\b",
    )
});
/// Words that say something passes.
static GOOD: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(?:pass(?:es|ed|ing)|green|succe(?:ed\w*|ss\w*))\b|\btests? pass\b"));
static UNSURE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:not|n't|never|until|should|must|make sure|ensure|if|when|once|whether|so that|to make|would|will|verify|need|fails?|failing|failures?|asked|no longer|before|after|wants?|wanted|requires?|(?:goals?|aims?)(?: of (?:\w+ )?\w+)?(?: (?:is|was)\b|:)|with (?:\w+ ){0,2}exceptions?|exceptions?(?: (?:in|of|is|are)\b|:)|except(?:ing)?|apart from|aside from|other than|all but|but (?:one|two|three|\d+|for)|no (?:tests?|checks?|specs?)|none|0 (?:tests? )?pass(?:ed|ing)?)(?:\b|\s)|\b(?:an?|one|two|three|four|five|some|several|[1-9]\d*)(?: \w+)? failed",
    )
});
/// Words for what was so before.
static BEFORE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:initially|originally|at first)\b"));
static NOW: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:now|since then|in the end)\b"));
/// The number of passing tests, and the number of all.
static OF_ALL: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(\d+)(?: of| out of|/) ?(?:the |all )*(\d+)\b"));
/// A count of tests that passed.
static SOME_PASS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b[1-9]\d* (?:tests? )?pass"));
static WHOLE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:whole|full|entire|complete) (?:test )?suite\b"));
/// How a command or another call ended.
static RAN: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(Ran|Called) `([^`]+)`: (ok|failed)\b"));
/// Text after a command that tells its outcome.
static ENDED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\W*(?:[\w×]+,? ){0,4}?(?:ok|fail(?:s|ed|ing)?|pass(?:es|ed|ing)?|work(?:s|ed)|succeed(?:s|ed)|green)\b",
    )
});
/// A command that is said to have run.
static SAID_TO_RUN: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:ran|re-ran|reran|executed) `([^`]+)`"));
/// Beginning of a list of such commands.
static ALSO_RAN: LazyLock<Regex> = LazyLock::new(|| pattern(&format!("^(?:{ALSO}|{ALSO_WORKED}|{ALSO_FAILED})`")));
static NAMED: LazyLock<Regex> = LazyLock::new(|| pattern("`([^`]+)`"));
/// Verbs at the beginning of a line for actions beyond the files.
static DONE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)^(deploy|publish|push|commit|upload|refund|cancel|charg|migrat|revert|restart|approv)",
        r"(?:ed|led|ted)\b"
    ))
});

/// Compares claims of a summary with the calls of its source.
pub struct Judge<'d> {
    /// Actions that the summary covers.
    deeds: Vec<&'d Deed>,
    /// All actions, with those in kept messages.
    all: &'d [Deed],
    files: Files,
    source: &'d SourceText<'d>,
    /// Reports of other agents, whose calls are not in the source.
    reports: Vec<&'d str>,
    /// All commands in words only, as shown and as given, once they are asked for.
    given: OnceCell<Vec<String>>,
}

impl<'d> Judge<'d> {
    /// Reads a source whose calls did `all`. `is_kept` tells which messages are kept beside the summary: their calls ran
    /// after what the summary covers, and a reader sees them.
    pub fn of(source: &'d SourceText<'d>, all: &'d [Deed], is_kept: &dyn Fn(usize) -> bool) -> Self {
        let told = all.iter().filter(|deed| !is_kept(deed.message)).collect();
        let reports = reports(source.messages());
        Self { files: Files::of(all, source, &reports), deeds: told, all, source, reports, given: OnceCell::new() }
    }

    /// Returns the claims of a summary text that the calls refute, by line.
    pub fn contradictions(&self, text: &str) -> Vec<Contradiction> {
        let lines: Vec<_> = claims(text).filter(Line::tells).collect();
        // Commands stay as they are written; paths of Windows are compared with slashes.
        let with_slashes = slashed(text);
        let of_files: Vec<_> = claims(&with_slashes).filter(Line::tells).collect();
        let mut found: Vec<Contradiction> = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            let later = &lines[at + 1..];
            found.extend(of_files.get(at).and_then(|own| self.files.refuted(own, line.text, self.source)));
            found.extend(self.run(line, later));
            found.extend(self.tests(line, later));
            found.extend(self.builds(line, later));
            found.extend(self.never_ran(line));
            found.extend(never_done(line, self.source));
        }
        let known: HashSet<usize> = found.iter().map(|one| one.line).collect();
        let listed = self.files.listed(&of_files, self.source);
        found.extend(listed.into_iter().filter(|one| !known.contains(&one.line)));
        found
    }

    /// “Ran `x`: ok” although the last run failed and no later line says so; or the reverse.
    fn run(&self, line: &Line<'_>, later: &[Line<'_>]) -> Option<Contradiction> {
        let found = RAN.captures(line.text)?;
        let (command, failed) = (found.get(2)?.as_str(), found.get(3)?.as_str() == "failed");
        if &found[1] == "Called" {
            return self.called(line, command, failed);
        }
        let (_, last) = self.runs().rfind(|(shown, _)| *shown == command)?;
        // A line that only names the command, such as one that lists files in its output, does not tell how it ended.
        let ends = |(at, _): (usize, &str), text: &str| ENDED.is_match(&text[at + command.len()..]);
        let told = later.iter().any(|other| other.text.match_indices(command).any(|at| ends(at, other.text)));
        let claim = if failed { Claim::Failed } else { Claim::Worked };
        let is_refuted = last != failed && !told && !self.ran_unseen(command);
        is_refuted.then(|| Contradiction { line: line.number, claim, subject: command.to_owned() })
    }

    /// Whether the end of a command's last run is unknown, and an earlier summary may have told it.
    fn ran_unseen(&self, command: &str) -> bool {
        let is_run = |deed: &&Deed| matches!(&deed.kind, DeedKind::Ran { shown, .. } if shown == command);
        self.has_summary() && self.all.iter().rfind(is_run).is_some_and(|deed| deed.failed.is_none())
    }

    /// “Called `x`: ok” although each such call failed; or the reverse.
    fn called(&self, line: &Line<'_>, call: &str, failed: bool) -> Option<Contradiction> {
        let same = |deed: &&Deed| matches!(&deed.kind, DeedKind::Called(shown) if shown == call);
        let mut ends = self.deeds.iter().copied().filter(same).map(|deed| deed.failed).peekable();
        ends.peek()?;
        let claim = if failed { Claim::Failed } else { Claim::Worked };
        let refuted = ends.all(|end| end == Some(!failed));
        refuted.then(|| Contradiction { line: line.number, claim, subject: call.to_owned() })
    }

    /// A command that no call ran, that no person or earlier summary names, and that no other agent reports.
    fn never_ran(&self, line: &Line<'_>) -> Option<Contradiction> {
        let bare = |text: &str| fold(text).replace('`', "'").replace(" 2>&1", "");
        let ran = |command: &str| {
            let own = in_words(command);
            self.given.get_or_init(|| in_words_of(self.all)).iter().any(|given| has_in_order(given, &own))
        };
        let reported = |command: &str| {
            self.reports.iter().flat_map(|report| said_to_run(report)).any(|other| bare(other).contains(command))
        };
        // A list names commands by their first words, without options, and may be cut.
        let listed = |command: &str| {
            let is_plain = |word: &&str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
            let has = |given: &str| {
                let mut words = given.split_whitespace().map(|word| word.trim_end_matches(['"', '\'', ')', ';']));
                command.split_whitespace().filter(is_plain).all(|wanted| words.any(|word| word.ends_with(wanted)))
            };
            let given = |deed: &Deed| matches!(&deed.kind, DeedKind::Ran { command, .. } if has(&bare(command)));
            ALSO_RAN.is_match(line.text) && self.all.iter().any(given)
        };
        // “It ran `make`”: the agent's own words about another program or agent.
        if !line.text.starts_with("Ran ") && self.source.has(line.text.trim_end_matches(['.', '…'])) {
            return None;
        }
        let mut commands = said_to_run(line.text).map(|found| bare(found.trim_end_matches('…')));
        let known = |command: &str| ran(command) || listed(command) || self.source.orders(command) || reported(command);
        let command = commands.find(|command| !known(command))?;
        Some(Contradiction { line: line.number, claim: Claim::NeverRan, subject: command })
    }

    fn tests(&self, line: &Line<'_>, later: &[Line<'_>]) -> Option<Contradiction> {
        let claims = PASS.is_match(line.text) && !is_unsure(line.text) && !RAN.is_match(line.text);
        if !claims || is_less(line.text) || quotes(line.text, self.source) {
            return None;
        }
        let Some(last) = self.deeds.iter().copied().rfind(|deed| is_test(deed)) else {
            let found = PASS.find(line.text).filter(|_| self.ran_nothing())?;
            let (claim, subject) = (Claim::TestsNeverRan, found.as_str().to_owned());
            return Some(Contradiction { line: line.number, claim, subject });
        };
        let own = self.last_of(line.text, last)?;
        let told = || later.iter().any(|other| other.text.contains("failed")) && !self.is_more(line.text, own);
        let claim = match own.failed {
            Some(true) if is_of_part(line.text) && holds_of_part(line.text, &own.detail) => return None,
            Some(true) if !(told() && self.ever_passed()) => Claim::TestsPass,
            // A claim about some tests may hold for what they test.
            Some(false) if own == last && self.is_untested() && !is_story(line, later) => Claim::TestsPassUntested,
            _ => return None,
        };
        let DeedKind::Ran { shown, .. } = &own.kind else { return None };
        Some(Contradiction { line: line.number, claim, subject: shown.clone() })
    }

    /// Whether tests passed at some time, or somebody says so: then a line above one that tells of a failure may be true.
    fn ever_passed(&self) -> bool {
        let says = |line: &str| PASS.is_match(line) && !is_unsure(line) && !some_fail(line);
        let passed = |deed: &Deed| is_test(deed) && deed.failed != Some(true);
        self.has_summary() || self.all.iter().any(passed) || self.source.lines().any(says)
    }

    /// The run that a claim about tests is compared with: the newest one, or, if the claim is about some of them only,
    /// the newest one that names those. `None` if none does and some tests passed, which may be those.
    fn last_of<'s>(&'s self, text: &str, newest: &'s Deed) -> Option<&'s Deed> {
        let found = PASS.find(text).filter(|found| found.as_str().starts_with(['t', 'T', 's', 'S', 'c', 'C']));
        let Some(own) = found.and_then(|found| limits(&text[..found.start()])) else { return Some(newest) };
        let mut runs = self.deeds.iter().copied().filter(|deed| is_test(deed));
        let of_own = |deed: &&Deed| matches!(&deed.kind, DeedKind::Ran { command, .. } if names(command, &own));
        let some_pass = |deed: &Deed| deed.failed == Some(false) || SOME_PASS.is_match(&deed.detail);
        let named = runs.clone().rfind(of_own);
        named.or_else(|| (newest.failed == Some(false) || !runs.any(some_pass)).then_some(newest))
    }

    /// “The build passes” although the last build failed, nothing but looking worked since, and no later line says so.
    fn builds(&self, line: &Line<'_>, later: &[Line<'_>]) -> Option<Contradiction> {
        if !says_built(line.text) || is_unsure(line.text) || self.source.has(line.text.trim_end_matches('.')) {
            return None;
        }
        let told = later.iter().any(|other| other.text.contains("failed"));
        let counts = |deed: &&Deed| match &deed.kind {
            DeedKind::Ran { .. } if deed.refused => false,
            DeedKind::Ran { command, .. } => is_build(command) || deed.failed != Some(true) && !only_shows(command),
            DeedKind::Called(_) => deed.failed != Some(true),
            DeedKind::Read(_) | DeedKind::Wrote(_) | DeedKind::Planned { .. } => false,
        };
        let last = self.deeds.iter().copied().rfind(counts).filter(|deed| deed.failed == Some(true) && !told)?;
        let DeedKind::Ran { shown, .. } = &last.kind else { return None };
        // It may be about another build, which worked, if it says about which.
        let other =
            |(own, failed): (&str, bool)| own != shown && !failed && is_build(own) && names_what(line.text, own);
        if self.runs().any(other) {
            return None;
        }
        Some(Contradiction { line: line.number, claim: Claim::Builds, subject: shown.clone() })
    }

    /// Whether a line says that the whole suite passed although only runs of less than the failed one passed: their
    /// commands have all its words and more, such as a folder.
    fn is_more(&self, line: &str, failed: &Deed) -> bool {
        let words = |deed: &'_ Deed| match &deed.kind {
            DeedKind::Ran { shown, .. } => shown.split_whitespace().map(str::to_owned).collect::<HashSet<_>>(),
            _ => HashSet::new(),
        };
        let all = words(failed);
        let is_less = |deed: &Deed| {
            let own = words(deed);
            own.len() > all.len() && own.is_superset(&all)
        };
        let mut passed = self.all.iter().filter(|deed| is_test(deed) && deed.failed == Some(false));
        let said = || self.source.has(line.trim_end_matches(['.', '…']));
        WHOLE.is_match(line) && passed.all(is_less) && !said() && !self.has_earlier()
    }

    fn has_summary(&self) -> bool {
        self.source.messages().iter().any(|message| message.author == Author::Summary)
    }

    /// Whether there are actions before or beside the source: an earlier summary, or reports of other agents.
    fn has_earlier(&self) -> bool {
        self.has_summary() || !self.reports.is_empty()
    }

    /// Whether no call can have run a test, and nothing in the complete original says that something passes.
    fn ran_nothing(&self) -> bool {
        let harmless = |deed: &Deed| match &deed.kind {
            DeedKind::Ran { command, .. } => only_shows(command),
            DeedKind::Called(_) => false,
            DeedKind::Read(_) | DeedKind::Wrote(_) | DeedKind::Planned { .. } => true,
        };
        let known: HashSet<usize> = self.all.iter().map(|deed| deed.message).collect();
        let messages = self.source.messages();
        let is_known = |(at, message): (usize, &&Message<'_>)| known.contains(&at) || message.calls().next().is_none();
        let tells = |message: &&Message<'_>| {
            message.author == Author::Summary || message.parts.iter().any(|part| GOOD.is_match(&part.text))
        };
        self.all.iter().all(harmless) && messages.iter().enumerate().all(is_known) && !messages.iter().any(tells)
    }

    /// Whether files were changed and no tests ran since. Prose (plans, change logs) is not tested. Of a kept change, a
    /// reader sees that it came later.
    fn is_untested(&self) -> bool {
        let changed =
            |deed: &&Deed| matches!(&deed.kind, DeedKind::Wrote(path) if !is_prose(path)) && deed.failed == Some(false);
        let last =
            self.deeds.iter().copied().rev().find(|deed| changed(deed) || is_test(deed)).filter(|deed| !is_test(deed));
        last.is_some_and(|change| !self.all.iter().any(|deed| is_test(deed) && deed.message > change.message))
    }

    /// Shown commands whose outcome is known, and whether they failed.
    fn runs(&self) -> impl DoubleEndedIterator<Item = (&str, bool)> {
        self.deeds.iter().copied().filter_map(|deed| match &deed.kind {
            DeedKind::Ran { shown, .. } => Some((shown.as_str(), deed.failed?)),
            _ => None,
        })
    }
}

/// The commands that a text says ran.
fn said_to_run(text: &str) -> impl Iterator<Item = &str> {
    let form = if ALSO_RAN.is_match(text) { &NAMED } else { &SAID_TO_RUN };
    form.captures_iter(text).filter_map(|found| Some(found.get(1)?.as_str()))
}

/// A command without what a summary writes otherwise: line breaks, signs between steps, redirections of errors.
fn in_words(command: &str) -> String {
    let line = command.replace("\\\n", " ").replace('`', "'").replace("2>&1", " ").replace("2>/dev/null", " ");
    fold(&line.replace(';', " "))
}

/// Whether a command has the pieces of another one in order; a row of runs leaves out what differs: `train … --fast`.
fn has_in_order(given: &str, shown: &str) -> bool {
    let mut rest = given;
    shown.split(" … ").all(|piece| rest.split_once(piece).map(|(_, behind)| rest = behind).is_some())
}

/// All commands in words only: as shown, and as given.
fn in_words_of(all: &[Deed]) -> Vec<String> {
    let both = all.iter().filter_map(|deed| match &deed.kind {
        DeedKind::Ran { shown, command, .. } => Some([shown, command]),
        _ => None,
    });
    both.flatten().map(|command| in_words(command)).collect()
}

/// “Deployed …” although the original never mentions deploying.
fn never_done(line: &Line<'_>, source: &SourceText<'_>) -> Option<Contradiction> {
    let found = DONE.captures(line.text)?;
    let (word, stem) = (found.get(0)?.as_str(), found.get(1)?.as_str());
    (!source.mentions(stem)).then(|| Contradiction {
        line: line.number,
        claim: Claim::NeverDone,
        subject: word.to_owned(),
    })
}

/// Whether a line speaks of what is wanted, was so before, or is so with an exception.
fn is_unsure(text: &str) -> bool {
    UNSURE.is_match(text) || BEFORE.is_match(text) && !NOW.is_match(text)
}

/// Parses “23 of 24” into both numbers.
pub fn of_all(text: &str) -> Option<(u64, u64)> {
    let found = OF_ALL.captures(text)?;
    Some((found[1].parse().ok()?, found[2].parse().ok()?))
}

/// Whether an action is a run of tests with a known outcome.
fn is_test(deed: &Deed) -> bool {
    deed.failed.is_some() && !deed.refused && matches!(deed.kind, DeedKind::Ran { tests: true, .. })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::deeds;
    use crate::transcript::{Message, Part, PartKind, Role, Shape, Slot, Tokens};

    fn part(kind: PartKind<'static>, text: &str) -> Part<'static> {
        let slot = Slot { part: 0..0, content: 0..0, shape: Shape::Fixed };
        Part { kind, text: text.to_owned().into(), slot, tokens: Tokens(0), status: None }
    }

    fn message(role: Role, author: Author, part: Part<'static>) -> Message<'static> {
        Message { role, author, parts: vec![part], live: true, ..Message::default() }
    }

    /// Messages with calls and results: (tool, arguments, result, whether it failed).
    fn session(acts: &[(&'static str, &str, &str, bool)]) -> Vec<Message<'static>> {
        let both = |(at, (tool, arguments, result, error)): (usize, &(&'static str, &str, &str, bool))| {
            let id = format!("call-{at}");
            let call = PartKind::Call { id: id.clone().into(), name: (*tool).into() };
            let answer =
                PartKind::Result { id: id.into(), tool: None, error: *error, pruned: false, media: Vec::new() };
            [
                message(Role::Assistant, Author::Model, part(call, arguments)),
                message(Role::Tool, Author::Tool, part(answer, result)),
            ]
        };
        acts.iter().enumerate().flat_map(both).collect()
    }

    const READ: (&str, &str, &str, bool) = ("Read", r#"{"file_path":"/w/src/net/io.rs"}"#, "fn main() {}", false);
    const EDIT: (&str, &str, &str, bool) = ("Edit", r#"{"file_path":"/w/src/net/io.rs"}"#, "updated", false);
    const DENIED: (&str, &str, &str, bool) = ("Edit", r#"{"file_path":"/w/src/net/io.rs"}"#, "Error: no match", true);
    const PASSED: (&str, &str, &str, bool) =
        ("Bash", r#"{"command":"cargo test"}"#, "test result: ok. 3 passed; 0 failed", false);
    const FAILED: (&str, &str, &str, bool) =
        ("Bash", r#"{"command":"cargo test"}"#, "Exit code 101\ntest result: FAILED. 1 passed; 2 failed", true);

    fn found(acts: &[(&'static str, &str, &str, bool)], summary: &str) -> Vec<(usize, Claim)> {
        found_beside(acts, usize::MAX, summary)
    }

    /// The contradictions if the messages from `kept` on are kept.
    fn found_beside(acts: &[(&'static str, &str, &str, bool)], kept: usize, summary: &str) -> Vec<(usize, Claim)> {
        let messages = session(acts);
        let all: Vec<_> = messages.iter().collect();
        let found = Judge::of(&SourceText::new(&all), &deeds(&all), &|at| at >= kept).contradictions(summary);
        found.into_iter().map(|one| (one.line, one.claim)).collect()
    }

    #[test]
    fn a_file_that_was_moved_is_where_its_line_says() {
        let acts = [
            ("Read", r#"{"file_path":"quay/lamp/a.rs"}"#, "fn main() {}", false),
            ("Bash", r#"{"command":"mkdir -p pier && mv quay/lamp pier/ && mv map.md pier/"}"#, "", false),
            ("Read", r#"{"file_path":"pier/lamp/a.rs"}"#, "fn main() {}", false),
        ];
        let summary = "- `pier/lamp/a.rs` — read 2×, moved from `quay/lamp/a.rs`\n- Moved `map.md` to `pier/map.md`";
        assert_eq!(found(&acts, summary), []);
        let messages = session(&acts[..2]);
        let all: Vec<_> = messages.iter().collect();
        let source = SourceText::new(&all);
        assert_eq!(crate::measure::support::unsupported(summary, &source), []);
        assert_eq!(crate::measure::support::unsupported("- `tower/lamp/a.rs` — read", &source).len(), 1);
    }

    #[test]
    fn a_build_that_failed_does_not_pass() {
        let broken = ("Bash", r#"{"command":"cargo build"}"#, "Exit code 101\nerror: could not compile `lamp`", true);
        let built = ("Bash", r#"{"command":"cargo build"}"#, "Finished", false);
        for line in ["- The build passes.", "- It compiles now"] {
            assert_eq!(found(&[built, broken], line), [(1, Claim::Builds)], "{line}");
            for acts in [&[broken, built][..], &[broken, PASSED], &[READ]] {
                assert_eq!(found(acts, line), [], "{line}");
            }
        }
        assert_eq!(found(&[broken], "- The build passes.\n- Then it failed"), []);
    }

    #[test]
    fn a_file_that_was_only_read_was_not_changed() {
        for line in
            ["- `src/net/io.rs` — edited 2×, read", "- Edited `/w/src/net/io.rs`", "Updated src/net/io.rs to read all"]
        {
            assert_eq!(found(&[READ], line), [(1, Claim::Changed)], "{line}");
            assert_eq!(found(&[READ, DENIED], line), [(1, Claim::Changed)], "{line}");
            assert_eq!(found(&[READ, EDIT], line), [], "{line}");
        }
        for line in [
            "- Modified: src/net/io.rs",
            "- src/net/io.rs (modified)",
            "**Modified files:**\n- src/net/io.rs",
            "| src/net/io.rs | modified |",
            "| src/net/io.rs | changed the order |",
            "- Also edited: src/net/io.rs",
        ] {
            assert_eq!(found(&[READ], line).len(), 1, "{line}");
            assert_eq!(found(&[READ, EDIT], line), [], "{line}");
            let git = ("Bash", r#"{"command":"git status -s"}"#, " M src/net/io.rs", false);
            assert_eq!(found(&[READ, git], line), [], "{line}: somebody else changed it");
        }
        for line in [
            "- src/net/io.rs was changed, too.",
            "- io.rs and pump.rs were both edited.",
            "- **src/net/io.rs**: changed the order",
            "- **`src/net/io.rs`** — updated",
        ] {
            assert_eq!(found(&[READ], line).len(), 1, "{line}");
            assert_eq!(found(&[READ, EDIT], line), [], "{line}");
        }
        for line in [
            "- `src/net/io.rs` — `apply(rows, changed)` is called by the view (read only)",
            "- `src/net/io.rs` — read",
            "- `src/net/io.rs` — read; has to/changed.ts, on_changed",
            "- `src/net/io.rs` — not changed",
            "- **src/net/io.rs**: reads the rows that were changed",
            "| src/net/io.rs | changed earlier, only read |",
            "- `src/net/io.rs`: `read_all` to be renamed",
            "## Goal\n- Edited src/net/io.rs",
            "**src/net/io.rs**: removed rows are kept here",
            "**src/net/io.rs** — updated every minute by a timer",
            "src/net/io.rs is deleted, too, once the harbor closes.",
        ] {
            assert_eq!(found(&[READ], line), [], "{line}");
        }
        let shown = |at: usize| at < 2;
        let messages = session(&[FAILED]);
        let all: Vec<_> = messages.iter().collect();
        let beside = Judge::of(&SourceText::new(&all), &deeds(&all), &shown).contradictions("All tests pass.");
        assert_eq!(beside, [], "the failed run is kept, and comes later");
        let sed = ("Bash", r#"{"command":"sed -i s/a/b/ src/net/io.rs"}"#, "", false);
        assert_eq!(found(&[READ, sed], "- Edited `src/net/io.rs`"), [], "a command may have changed it");
        let grep = ("Bash", r#"{"command":"grep -n main src/net/io.rs"}"#, "1: fn main", false);
        assert_eq!(found(&[grep], "- Edited `src/net/io.rs`"), [(1, Claim::Changed)], "it was only searched");
        for command in [
            "cat src/net/io.rs && echo done",
            "cd /w; cat src/net/io.rs 2>/dev/null | head -20",
            "sed -n '1,20p' src/net/io.rs",
        ] {
            let command = serde_json::json!({ "command": command }).to_string();
            let shown = ("Bash", command.as_str(), "fn main", false);
            assert_eq!(found(&[shown], "- Edited `src/net/io.rs`"), [(1, Claim::Changed)], "{command}");
        }
        for command in
            ["cat a.rs | tee src/net/io.rs", "sed -n -i 1,2p src/net/io.rs", "cat a.rs 2>/dev/null > src/net/io.rs"]
        {
            let command = serde_json::json!({ "command": command }).to_string();
            assert_eq!(found(&[READ, ("Bash", &command, "", false)], "- Edited `src/net/io.rs`"), [], "{command}");
        }
        for command in
            ["cat a.rs > src/net/io.rs", "touch src/net/io.rs", "git add src/net/io.rs", "cat a;rm src/net/io.rs"]
        {
            let command = serde_json::json!({ "command": command }).to_string();
            assert_eq!(found(&[READ, ("Bash", &command, "", false)], "- Edited `src/net/io.rs`"), [], "{command}");
        }
    }

    #[test]
    fn a_command_that_failed_last_did_not_work() {
        let line = "- Ran `cargo test`: ok: 3 passed";
        assert_eq!(found(&[PASSED, FAILED], line), [(1, Claim::Worked)]);
        assert_eq!(found(&[FAILED, PASSED], line), []);
        assert_eq!(found(&[PASSED, FAILED], &format!("{line}\n- Ran `cargo test`: failed: 2 failed")), []);
        let failed = "- Ran `cargo test`: failed: test result: FAILED.";
        assert_eq!(found(&[FAILED, PASSED], failed), [(1, Claim::Failed)], "and one that worked last did");
        assert_eq!(found(&[PASSED, FAILED], failed), []);
        assert_eq!(found(&[FAILED, PASSED], &format!("{failed}\n{line}")), []);
        let names = format!("{line}\n## Relevant files\n- Named in `cargo test`: src/net/io.rs");
        assert_eq!(found(&[FAILED], &names), [(1, Claim::Worked)], "what only names it does not tell how it ended");
        let mended = "- Ran `cargo test`: failed, later ok: test result: FAILED.";
        assert_eq!(found(&[FAILED], mended), [], "by another command");
    }

    #[test]
    fn a_call_ended_as_its_result_says() {
        let lost = ("get_order", r#"{"id":"A78"}"#, "Error: order not found", true);
        let there = ("get_order", r#"{"id":"A78"}"#, "The order is packed and waits.", false);
        let (ok, failed) = ("- Called `get_order(id=A78)`: ok", "- Called `get_order(id=A78)`: failed: Error");
        assert_eq!(found(&[lost], ok), [(1, Claim::Worked)]);
        assert_eq!(found(&[lost], failed), []);
        assert_eq!(found(&[there], failed), [(1, Claim::Failed)]);
        assert_eq!(found(&[there, lost], ok), [], "one of them did");
        assert_eq!(found(&[there, lost], failed), []);
    }

    #[test]
    fn what_nothing_in_the_original_is_about_was_not_done() {
        assert_eq!(found(&[PASSED], "- Ran `cargo publish`: ok"), [(1, Claim::NeverRan)]);
        assert_eq!(found(&[PASSED], "The agent ran `cargo publish` twice"), [(1, Claim::NeverRan)]);
        let watched = ("Bash", r#"{"command":"ps"}"#, "The worker is alive. It ran `cargo publish` once.", false);
        assert_eq!(found(&[watched], "It ran `cargo publish` once."), [], "the original has these words");
        assert_eq!(found(&[PASSED], "- Ran `cargo test`: ok; it ran `cargo`"), []);
        let asked = ("Bash", r#"{"command":"cd /w && ./deploy.sh  2>&1 | tail"}"#, "see `make all`", false);
        assert_eq!(found(&[asked], "- Ran `./deploy.sh | tail`"), []);
        let lines =
            r#"{"command":"echo \"= Lamp =\"; lampc -V 2>&1; tide\necho \"= Quay =\";     quay version 2>&1 \\\n -v"}"#;
        let versions = ("Bash", lines, "", false);
        assert_eq!(found(&[versions], "- Ran `lampc -V; tide; echo \"= Quay =\"; quay version -v`"), []);
        assert_eq!(found(&[versions], "- Ran `lampc -V; quay`"), [(1, Claim::NeverRan)]);
        let row = ("Bash", r#"{"command":"light --oil 7 north.lamp"}"#, "", false);
        assert_eq!(found(&[row], "- Ran `light … north.lamp` 2×"), []);
        assert_eq!(found(&[row], "- Ran `light … south.lamp` 2×"), [(1, Claim::NeverRan)]);
        assert_eq!(
            found(&[asked], "- Ran `make all`: ok"),
            [(1, Claim::NeverRan)],
            "a file that was shown speaks of it"
        );
        assert_eq!(found(&[asked], "Deployed it"), []);
        assert_eq!(found(&[PASSED], "Deployed it"), [(1, Claim::NeverDone)]);
        assert_eq!(found(&[PASSED], "## Goal\n- Deployed it"), []);
    }

    #[test]
    fn tests_whose_last_run_failed_do_not_pass() {
        for line in [
            "- All tests pass now.",
            "The test suite is green",
            "Tests: all passing",
            "test result: ok. 3 passed; 0 failed",
        ] {
            assert_eq!(found(&[FAILED], line), [(1, Claim::TestsPass)], "{line}");
            assert_eq!(found(&[PASSED], line), [], "{line}");
            assert_eq!(found(&[PASSED, EDIT], line), [(1, Claim::TestsPassUntested)], "{line}");
        }
        for line in [
            "With one exception, all tests pass.",
            "The goal is that all tests pass.",
            "One test failed, 42 passed.",
            "The user wants all tests passing.",
            "CI requires all tests passed.",
            "All tests passed initially.",
            "Originally all 5 tests passed.",
            "The aim of the work: all tests passing.",
            "All tests pass with a few exceptions in the tide table.",
            "All tests pass, exceptions: the two of the mole.",
        ] {
            assert_eq!(found(&[FAILED], line), [], "{line}");
        }
        for line in ["Fixed the exception handling, all tests pass.", "The lamp was off initially, now all tests pass."]
        {
            assert_eq!(found(&[FAILED], line).len(), 1, "{line}");
        }
        for acts in [&[READ, EDIT][..], &[READ]] {
            assert_eq!(found(acts, "- All tests pass now."), [(1, Claim::TestsNeverRan)]);
        }
        let script = ("Bash", r#"{"command":"./verify.sh"}"#, "fine", false);
        let other = ("run_checks", r#"{"all":true}"#, "fine", false);
        let told = ("Read", r#"{"file_path":"/w/log"}"#, "CI: all tests pass", false);
        for act in [script, other, told] {
            assert_eq!(found(&[EDIT, act], "- All tests pass now."), [], "{act:?} may have run them, or tells of it");
        }
        let looks = ("Bash", r#"{"command":"test -f x || make"}"#, "Exit code 2", true);
        assert_eq!(found(&[PASSED, looks], "All tests pass."), []);
        for line in [
            "Make sure all tests pass.",
            "The tests do not pass yet",
            "no tests passed",
            "None of the tests pass.",
            "- 0 tests passed.",
            "All tests pass except net::slow.",
            "All tests pass apart from the slow ones.",
            "All but one test pass.",
            "Goal: all tests pass.",
            "- Asked: “do all tests pass”",
            "## Goal\nAll tests pass",
        ] {
            assert_eq!(found(&[FAILED], line), [], "{line}");
        }
    }

    #[test]
    fn a_story_tells_what_was_changed_behind_the_tests() {
        for text in [
            "1. Mended the pump. Ran the tests: 12 passed.\n2. Changed the color of src/net/io.rs.",
            "- All tests pass.\n- Then changed the color.",
            "- All tests passed; then changed the color.",
            "- User messages: \"Are all tests passing?\"",
            "- Asked whether “all tests pass?”",
        ] {
            assert_eq!(found(&[PASSED, EDIT], text), [], "{text}");
        }
        for text in [
            "- Changed the color.\n- All tests pass.",
            "- All tests pass.\n- Changed the color.",
            "- Ran the tests: 12 passed.",
            "- It is \"done\": all tests pass.",
        ] {
            let wrong: Vec<_> = found(&[PASSED, EDIT], text).into_iter().map(|(_, claim)| claim).collect();
            assert_eq!(wrong, [Claim::TestsPassUntested], "{text}");
        }
    }

    #[test]
    fn a_part_of_the_tests_may_pass_though_their_run_failed() {
        let acts = [("bash", r#"{"command": "pytest"}"#, "1 failed, 11 passed in 0.44s", true)];
        for line in ["92 % of the tests pass", "91.7% of all 12 tests pass", "Most of the tests pass now"] {
            assert_eq!(found(&acts, &format!("## Accomplished\n- {line}\n")), [], "{line}");
        }
        for line in [
            "100 % of the tests pass",
            "The tests pass (92 % coverage)",
            "Rewrote some of the tests in tests/test_parse.py, and all tests pass.",
            "Mended half of the tests; the whole suite passes: all tests pass now.",
            "Half of the tests pass.",
            "Result of the run: \"all tests pass\".",
        ] {
            assert_eq!(found(&acts, &format!("## Accomplished\n- {line}\n")), [(2, Claim::TestsPass)], "{line}");
        }
    }

    #[test]
    fn a_claim_about_some_tests_is_compared_with_their_own_runs() {
        let quay = ("Bash", r#"{"command":"cargo test -p quay"}"#, "test result: ok. 3 passed; 0 failed", false);
        let lamp = (
            "Bash",
            r#"{"command":"cargo test -p lamp"}"#,
            "Exit code 101\ntest result: FAILED. 1 passed; 2 failed",
            true,
        );
        for line in ["The new test passes.", "All 3 quay tests pass.", "The quay's tests pass now."] {
            assert_eq!(found(&[quay, lamp], line), [], "{line}");
            assert_eq!(found(&[lamp, quay], line), [], "{line}");
        }
        for line in ["All tests pass.", "All 3 lamp tests pass.", "The unit tests pass."] {
            assert_eq!(found(&[quay, lamp], line), [(1, Claim::TestsPass)], "{line}");
        }
        let broken = ("Bash", r#"{"command":"cargo test"}"#, "Exit code 101\nerror: could not compile `lamp`", true);
        assert_eq!(found(&[broken], "The new test passes."), [(1, Claim::TestsPass)], "no test ever passed");
    }

    #[test]
    fn tests_that_never_passed_do_not_pass_above_their_failure_either() {
        let lines = "- All tests pass.\n- Ran `cargo test`: failed: 1 failed";
        assert_eq!(found(&[FAILED], lines), [(1, Claim::TestsPass)]);
        assert_eq!(found(&[PASSED, FAILED], lines), [], "they did before");
    }

    #[test]
    fn what_another_agent_reports_was_done_by_its_own_calls() {
        let order = r#"{"description":"Mend it","prompt":"Mend the gauge.","subagent_type":"mender"}"#;
        let report = "Modified `src/net/io.rs` to read all.\n- Ran `make lint && make all`: 0 issues";
        let task = ("Task", order, report, false);
        for line in ["- Modified `src/net/io.rs` to read all", "- Ran `make lint && make all`: 0 issues"] {
            assert_eq!(found(&[READ, task], line), [], "{line}");
        }
        assert_eq!(found(&[READ, task], "- Ran `make tides`: ok"), [(1, Claim::NeverRan)]);
        let quoted = r#"{"command":"./tides.sh \"high\" | head\n./tides.sh \"low\""}"#;
        assert_eq!(found(&[("bash", quoted, "done", false)], "- Also ran: `tides.sh high`, `tides.sh low`"), []);
        let shown = ("Read", r#"{"file_path":"/w/log"}"#, report, false);
        for (line, claim) in [
            ("- Modified `src/net/io.rs` to read all", Claim::Changed),
            ("- Ran `make lint && make all`: 0 issues", Claim::NeverRan),
        ] {
            assert_eq!(found(&[READ, shown], line), [(1, claim)], "a file that was shown says so");
        }
    }

    #[test]
    fn prose_that_was_written_since_breaks_no_tests() {
        let log = ("Edit", r#"{"file_path":"/w/CHANGELOG.md"}"#, "updated", false);
        assert_eq!(found(&[PASSED, log], "All tests pass."), []);
        assert_eq!(found(&[PASSED, log, EDIT], "All tests pass."), [(1, Claim::TestsPassUntested)]);
    }

    #[test]
    fn a_change_that_is_kept_is_seen_to_come_later() {
        let (line, untested) = ("All tests pass.", [(1, Claim::TestsPassUntested)]);
        let kept = session(&[PASSED]).len();
        assert_eq!(found_beside(&[PASSED, EDIT], kept, line), []);
        assert_eq!(found_beside(&[PASSED, EDIT, READ], session(&[PASSED, EDIT]).len(), line), untested);
        assert_eq!(found_beside(&[PASSED, EDIT, PASSED], session(&[PASSED, EDIT]).len(), line), [], "they ran again");
    }
}
