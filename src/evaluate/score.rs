//! Scores one context at one cut: all measures, each as a share with its numerator and denominator.

use super::agreement::{self, agreement};
use super::bound::Bound;
use super::context::{Context, newest};
use super::cut::Cut;
use super::needed::Needed;
use super::seen::Seen;
use super::story;
use crate::facts::Fact;
use crate::measure::{Share, Source, constraints, files, support};
use crate::pipeline::Tools;
use crate::report::{AgreementReport, PolicyScores, ShareOf};
use crate::transcript::{Message, Transcript};
use std::collections::{BTreeSet, HashSet};

/// What is the same for all contexts of a cut.
pub(super) struct Scorer<'s, 't> {
    transcript: &'s Transcript<'t>,
    seen: &'s Seen,
    cut: &'s Cut,
    needed: &'s Needed,
    /// Facts whose last mention before the cut is in the tail of the seed's rule.
    shallow: HashSet<u32>,
    bound: Bound<'s, 't>,
    before: Vec<&'s Message<'t>>,
    source: Source<'s>,
    /// The user's constraints: the message, and the words of the sentence.
    constraints: Vec<(usize, HashSet<String>)>,
    modified: Vec<String>,
}

impl<'s, 't> Scorer<'s, 't> {
    pub(super) fn new(transcript: &'s Transcript<'t>, seen: &'s Seen, cut: &'s Cut, needed: &'s Needed) -> Self {
        let tail = newest(transcript, &cut.before, cut.seed_tail(transcript));
        let facts_of = |index: &usize| seen.messages[*index].all.facts.iter().map(|(fact, _)| *fact);
        let shallow = tail.iter().flat_map(facts_of).collect();
        let before: Vec<&Message<'t>> = cut.before.iter().map(|&index| &transcript.messages[index]).collect();
        let source = Source::new(&before);
        let constraints = constraints::sentences(&before).into_iter();
        let constraints = constraints.map(|one| (one.message, constraints::content_words(&one.text))).collect();
        let modified = files::modified(&before);
        let bound = Bound::new(transcript, seen, cut);
        Self { transcript, seen, cut, needed, shallow, bound, before, source, constraints, modified }
    }

    pub(super) fn score(&self, policy: &str, context: &Context, tools: Tools<'_>) -> PolicyScores {
        let kept = self.kept(context);
        let summary = self.seen.read(&context.summary);
        let flat = context.summary.split_whitespace().collect::<Vec<_>>().join(" ");
        let in_kept = |fact: u32| kept.facts.contains(self.seen.canonical(fact)) || kept.numbers.contains(&fact);
        let has = |fact: u32| in_kept(fact) || self.seen.holds(&summary, &flat, fact);
        let mut scores = PolicyScores { policy: policy.to_owned(), ..PolicyScores::default() };
        let lines = self.bound.lines(&context.summary);
        for (&fact, &call) in &self.needed.facts {
            let hit = has(fact);
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
            scores.bound.add(hit && (in_kept(fact) || self.bound.is_bound(fact, &lines)));
        }
        let open = self.seen.read_open(&context.summary);
        for word in &self.needed.open {
            scores.open.add(kept.open.contains(word) || open.contains(word));
        }
        self.companions(&mut scores, context);
        let summary_tokens = (tools.count)(&context.summary).0;
        scores.tokens = summary_tokens + kept.tokens + self.changed_tokens(context, tools);
        scores.summary_tokens = summary_tokens;
        scores
    }

    /// Constraints, files and support, and the likeness to a recorded summary.
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

    /// The needed facts that a context has not, with their class.
    pub(super) fn lost(&self, context: &Context) -> Vec<String> {
        let lost = self.needed.facts.keys().filter(|&&fact| !self.has(context, fact));
        let named = lost.map(|&fact| self.seen.canonical(fact));
        named.map(|fact| format!("{} {}", fact.class.name(), fact.value)).collect()
    }

    /// Whether a context holds a fact.
    pub(super) fn has(&self, context: &Context, fact: u32) -> bool {
        let kept = self.kept(context);
        let flat = context.summary.split_whitespace().collect::<Vec<_>>().join(" ");
        kept.facts.contains(self.seen.canonical(fact))
            || self.seen.holds(&self.seen.read(&context.summary), &flat, fact)
    }

    fn changed_tokens(&self, context: &Context, tools: Tools<'_>) -> u64 {
        context.changed.values().map(|text| (tools.count)(text).0).sum()
    }

    fn kept(&self, context: &Context) -> Kept {
        let mut kept = Kept::default();
        for &index in &context.kept {
            let message = &self.transcript.messages[index];
            for (at, part) in message.parts.iter().enumerate() {
                if !context.changed.contains_key(&(index, at)) {
                    kept.tokens += part.tokens.0;
                }
            }
            if context.is_whole(index) {
                let own = &self.seen.messages[index];
                kept.numbers.extend(own.all.facts.iter().map(|(fact, _)| *fact));
                kept.open.extend(&own.all.open);
            } else {
                let text = context.text(self.transcript, index);
                kept.facts.extend(self.seen.read(&text));
                kept.open.extend(self.seen.read_open(&text));
            }
        }
        let canonical: Vec<Fact> = kept.numbers.iter().map(|&fact| self.seen.canonical(fact).clone()).collect();
        kept.facts.extend(canonical);
        kept
    }
}

/// What the kept messages hold.
#[derive(Default)]
struct Kept {
    facts: BTreeSet<Fact>,
    numbers: HashSet<u32>,
    open: HashSet<u32>,
    tokens: u64,
}

fn share(share: Share) -> ShareOf {
    ShareOf { part: share.kept as u64, of: share.of as u64 }
}
