//! Scores a context at a cut: all measures, each as a share with numerator and denominator.

use super::agreement::{self, agreement};
use super::bound::Bound;
use super::context::{Context, newest};
use super::cut::Cut;
use super::needed::Needed;
use super::seen::Seen;
use super::story;
use crate::facts::Fact;
use crate::measure::{Share, SourceText, constraints, files, support};
use crate::pipeline::Tools;
use crate::report::{AgreementReport, PolicyScores, ShareOf};
use crate::summary::deeds;
use crate::transcript::{Message, PartKind, Transcript};
use std::collections::{BTreeSet, HashSet};

/// Data shared by all contexts of a cut.
pub(super) struct Scorer<'s, 't> {
    transcript: &'s Transcript<'t>,
    seen: &'s Seen,
    cut: &'s Cut,
    needed: &'s Needed,
    /// Facts whose last mention before the cut is in the tail by the seed's rule.
    shallow: HashSet<u32>,
    bound: Bound<'s, 't>,
    before: Vec<&'s Message<'t>>,
    source: SourceText<'s>,
    /// The user's constraints: index of the message, and content words of the sentence.
    constraints: Vec<(usize, HashSet<String>)>,
    modified: Vec<String>,
    /// Ids of calls whose result is before the cut.
    paired: HashSet<&'s str>,
}

impl<'s, 't> Scorer<'s, 't> {
    pub(super) fn new(transcript: &'s Transcript<'t>, seen: &'s Seen, cut: &'s Cut, needed: &'s Needed) -> Self {
        let tail = newest(transcript, &cut.before, cut.seed_tail(transcript));
        let facts_of = |index: &usize| seen.messages[*index].all.facts.iter().map(|(fact, _)| *fact);
        let shallow = tail.iter().flat_map(facts_of).collect();
        let before: Vec<&Message<'t>> = cut.before.iter().map(|&index| &transcript.messages[index]).collect();
        // A summary may repeat an earlier summary.
        let earlier = cut.earlier.iter().map(|&index| &transcript.messages[index]);
        let source = SourceText::new(&earlier.chain(before.iter().copied()).collect::<Vec<_>>());
        let constraints = constraints::sentences(&before).into_iter();
        let constraints = constraints.map(|one| (one.message, constraints::content_words(&one.text))).collect();
        let modified = files::modified(&deeds(&before));
        let bound = Bound::new(transcript, seen, cut);
        let (calls, results) = ids(transcript, &cut.before);
        let paired = calls.intersection(&results).copied().collect();
        Self { transcript, seen, cut, needed, shallow, bound, before, source, constraints, modified, paired }
    }

    pub(super) fn score(&self, policy: &str, context: &Context, tools: Tools<'_>) -> PolicyScores {
        let held = self.held(context);
        let mut scores = PolicyScores { policy: policy.to_owned(), ..PolicyScores::default() };
        let lines = self.bound.lines(&context.summary);
        for (&fact, &call) in &self.needed.facts {
            let hit = held.has(self.seen, fact);
            scores.recall.add(hit);
            if call {
                scores.call.add(hit)
            } else {
                scores.prose.add(hit)
            }
            if !self.shallow.contains(&fact) {
                scores.deep.add(hit);
            }
            let class = self.seen.facts[fact as usize].class.name().to_owned();
            scores.by_class.entry(class).or_default().add(hit);
            scores.bound.add(hit && (held.is_kept(self.seen, fact) || self.bound.is_bound(fact, &lines)));
        }
        let open = self.seen.read_open(&context.summary);
        for word in &self.needed.open {
            scores.open.add(held.open.contains(word) || open.contains(word));
        }
        self.companions(&mut scores, context);
        let summary_tokens = (tools.count)(&context.summary).0;
        scores.tokens = summary_tokens + held.tokens + self.changed_tokens(context, tools);
        scores.summary_tokens = summary_tokens;
        scores.faults = context.faults + self.parted(&context.kept);
        scores.failure = context.failure.clone();
        scores.unchanged = context.unchanged || self.is_all(context);
        scores
    }

    /// Scores constraints, files and support, and the similarity to a recorded summary.
    fn companions(&self, scores: &mut PolicyScores, context: &Context) {
        let lines: Vec<HashSet<String>> = context.summary.lines().map(constraints::content_words).collect();
        let kept_message = |at: usize| self.cut.before.get(at).is_some_and(|index| context.kept.contains(index));
        for (message, words) in &self.constraints {
            scores.constraints.add(kept_message(*message) || lines.iter().any(|line| constraints::holds(line, words)));
        }
        let kept = context.kept.iter().map(|&index| context.text(self.transcript, index));
        let texts: Vec<String> = kept.chain([context.summary.clone()]).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        scores.files = share(files::recall(&self.modified, &texts));
        if context.summary.is_empty() {
            return;
        }
        scores.support = share(support::support(&context.summary, &self.source).precision);
        scores.turns = story::turns(&self.before, &lines, &context.origins);
        scores.statements = story::statements(&context.summary);
        if let Some(recorded) = &self.cut.recorded {
            let unsupported = support::unsupported(recorded, &self.source);
            let (claims, theirs) = (self.seen.read(&context.summary), self.seen.read(recorded));
            let mut facts = ShareOf::default();
            let sound = theirs.iter().filter(|fact| !unsupported.iter().any(|claim| claim.fact == **fact));
            sound.for_each(|fact| facts.add(claims.contains(fact)));
            let likeness = agreement(recorded, &context.summary);
            let agreement::Likeness { one, two, longest } = likeness;
            scores.agreement = Some(AgreementReport { rouge_1: one, rouge_2: two, rouge_l: longest, facts });
        }
    }

    /// The needed facts that a context lacks, with their class.
    pub(super) fn lost(&self, context: &Context) -> Vec<String> {
        let held = self.held(context);
        let lost = self.needed.facts.keys().filter(|&&fact| !held.has(self.seen, fact));
        let named = lost.map(|&fact| self.seen.canonical(fact));
        named.map(|fact| format!("{} {}", fact.class.name(), fact.value)).collect()
    }

    /// Whether a context is exactly what was before the cut.
    fn is_all(&self, context: &Context) -> bool {
        context.kept.len() == self.cut.before.len() && context.changed.is_empty() && context.summary.is_empty()
    }

    /// Number of separated pairs: a call without its result or the reverse, of pairs that were complete before.
    fn parted(&self, kept: &[usize]) -> u64 {
        let (calls, results) = ids(self.transcript, kept);
        self.paired.iter().filter(|id| calls.contains(*id) != results.contains(*id)).count() as u64
    }

    fn changed_tokens(&self, context: &Context, tools: Tools<'_>) -> u64 {
        context.changed.values().map(|text| (tools.count)(text).0).sum()
    }

    /// Collects the facts in a context.
    pub(super) fn held(&self, context: &Context) -> Held {
        let mut held = Held {
            summary: self.seen.read(&context.summary),
            flat: context.summary.split_whitespace().collect::<Vec<_>>().join(" "),
            ..Held::default()
        };
        for &index in &context.kept {
            let parts = self.transcript.messages[index].parts.iter().enumerate();
            let whole = parts.filter(|(at, _)| !context.changed.contains_key(&(index, *at)));
            held.tokens += whole.map(|(_, part)| part.tokens.0).sum::<u64>();
            if context.is_whole(index) {
                let own = &self.seen.messages[index].all;
                held.kept.extend(own.facts.iter().map(|(fact, _)| self.seen.canonical(*fact).clone()));
                held.open.extend(&own.open);
            } else {
                let text = context.text(self.transcript, index);
                held.kept.extend(self.seen.read(&text));
                held.open.extend(self.seen.read_open(&text));
            }
        }
        held
    }
}

/// Ids of the calls, and ids of the results.
fn ids<'t>(transcript: &'t Transcript<'_>, messages: &[usize]) -> (HashSet<&'t str>, HashSet<&'t str>) {
    let (mut calls, mut results): (HashSet<&str>, HashSet<&str>) = Default::default();
    for part in messages.iter().flat_map(|&index| &transcript.messages[index].parts) {
        match &part.kind {
            PartKind::Call { id, .. } => drop(calls.insert(id)),
            PartKind::Result { id, .. } => drop(results.insert(id)),
            _ => {}
        }
    }
    (calls, results)
}

/// Facts in a context: those of kept messages, and those of the summary.
#[derive(Default)]
pub(super) struct Held {
    kept: BTreeSet<Fact>,
    summary: BTreeSet<Fact>,
    /// The summary with single spaces, for finding commands.
    flat: String,
    open: HashSet<u32>,
    tokens: u64,
}

impl Held {
    /// Whether the context has a fact.
    pub(super) fn has(&self, seen: &Seen, fact: u32) -> bool {
        self.is_kept(seen, fact) || seen.holds(&self.summary, &self.flat, fact)
    }

    fn is_kept(&self, seen: &Seen, fact: u32) -> bool {
        self.kept.contains(seen.canonical(fact))
    }
}

fn share(share: Share) -> ShareOf {
    ShareOf { part: share.kept as u64, of: share.of as u64 }
}
