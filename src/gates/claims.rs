//! Claims of a summary beside those that `measure` reads: of one command or test by name, and of files that nothing touched.

use super::{Finding, View};
use crate::facts::values;
use crate::measure::{Line, Source, claims, pattern};
use crate::summary::{Deed, DeedKind, deeds};
use crate::transcript::{Author, PartKind};
use regex::Regex;
use std::collections::HashSet;
use std::sync::LazyLock;

/// “`pytest -q` passes”, “tests/test_a.py::test_rows passes now”, “tests: pass”.
static PASSES: LazyLock<Regex> = LazyLock::new(|| {
    let good = r"(?:now |all |is |are )*(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)|works)\b";
    pattern(&format!(r"(?i)`([^`]+)` {good}|([\w./-]+(?:::[\w\[\]-]+)+)`? {good}|\btests?: {good}"))
});
/// What makes a claim none: a condition, a wish, or the other half of the story.
static UNSURE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:not|cannot|\w+n['’]t|never|no longer|untested|unverified|unclear|until|unless|should|must|make sure|ensure|if|when|once|whether|so that|to make|would|will|can|verif\w*|need|fail\w*|asked|before|after|except|but|only|partly|partially)\b|\?",
    )
});
/// “Edited `data/b.csv`”: the verb comes first, and the file is named next.
static EDITED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:I |we )?(?:edited|modified|updated|changed|patched|rewrote) (?:`([^`\s]+\.\w+)`|([\w.~-]*/[\w./-]*\w\.\w+))",
    )
});

/// The claims that calls refute.
pub(super) fn refuted(view: &View<'_>, source: &Source<'_>) -> Vec<Finding> {
    let all = deeds(source.messages());
    let told: Vec<&Deed> = all.iter().filter(|deed| !view.is_kept(deed.message)).collect();
    let mut findings = Vec::new();
    for text in &view.summary {
        let lines: Vec<Line<'_>> = claims(&text.text).collect();
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.tells() && !UNSURE.is_match(line.text)) {
            let later = &lines[at + 1..];
            let found = passes(line.text, (&told, source), later).or_else(|| untouched(line.text, &all, source));
            findings.extend(found.map(|(what, subject)| Finding::new(text.line, what).at(line.number).about(subject)));
        }
    }
    findings
}

type Refuted = (&'static str, String);

/// A command, a test or all tests are said to pass, and the last run of it failed; no later line says so.
fn passes(line: &str, (told, source): (&[&Deed], &Source<'_>), later: &[Line<'_>]) -> Option<Refuted> {
    let found = PASSES.captures(line)?;
    let named = found.get(1).or_else(|| found.get(2)).map(|found| found.as_str());
    let run = |deed: &&&Deed| matches!(&deed.kind, DeedKind::Ran { shown, command, .. } if named.is_some_and(|named| shown == named || command.trim() == named));
    let tests = |deed: &&&Deed| deed.failed.is_some() && matches!(deed.kind, DeedKind::Ran { tests: true, .. });
    let of_command = told.iter().filter(|deed| deed.failed.is_some()).rfind(run);
    let what = if of_command.is_some() {
        "a command is said to have worked, and its last run failed"
    } else {
        "tests are said to pass, and their last run failed"
    };
    let last = of_command.or_else(|| told.iter().rfind(tests)).filter(|deed| deed.failed == Some(true))?;
    // Of one test by name it is known where the run that failed names it.
    if let Some(named) = named.filter(|_| of_command.is_none()) {
        let (_, test) = named.rsplit_once("::")?;
        names(source, last, test).then_some(())?;
    }
    let DeedKind::Ran { shown, .. } = &last.kind else { return None };
    let fails = |text: &str| text.contains("failed") && named.is_none_or(|named| text.contains(named));
    let said = later.iter().any(|line| fails(line.text));
    (!said).then(|| (what, shown.clone()))
}

/// Whether the result of a run names a test.
fn names(source: &Source<'_>, run: &Deed, test: &str) -> bool {
    let call = source.messages().get(run.message);
    let ids: Vec<&str> = call.map(|call| call.calls().collect()).unwrap_or_default();
    let behind = source.messages().iter().skip(run.message);
    let results = behind
        .flat_map(|message| &message.parts)
        .filter(|part| matches!(&part.kind, PartKind::Result { id, .. } if ids.contains(&&**id)));
    results.into_iter().any(|part| part.text.contains(test))
}

/// A file is said to be changed that no call names, where nothing ran that could have changed it unseen.
fn untouched(line: &str, all: &[Deed], source: &Source<'_>) -> Option<Refuted> {
    let found = EDITED.captures(line)?;
    let path = found.get(1).or_else(|| found.get(2))?.as_str();
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let unseen = |deed: &Deed| matches!(deed.kind, DeedKind::Ran { quiet: false, tests: false, .. });
    let known: HashSet<usize> = all.iter().map(|deed| deed.message).collect();
    let touches = source.messages().iter().enumerate().any(|(at, message)| {
        let calls = || message.parts.iter().filter(|part| matches!(part.kind, PartKind::Call { .. }));
        let names = calls().any(|part| part.text.contains(name) || values(&part.text).contains(name));
        let told = matches!(message.author, Author::Summary) && message.text().contains(name);
        names || told || calls().next().is_some() && !known.contains(&at)
    });
    let refuted = !touches && !all.iter().any(unseen);
    refuted.then(|| ("a file is said to be changed, and no call names it", path.to_owned()))
}
