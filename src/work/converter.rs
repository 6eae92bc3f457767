//! Converts one transcript in memory: reads it, compacts it if requested, writes it in another format.

use super::compactor::Compactor;
use super::describe;
use super::obstacle::Obstacle;
use super::seen::Raw;
use crate::batch::{Conversion, Done, Work};
use crate::convert::{Converted, Loss, Losses, Output, Refusal, Target, anew, as_it_stands, convert, is_dialect};
use crate::format::{Bytes, Detected, Format, Layout, ReadOptions, Undetected, by_name};
use crate::reason::Reason;
use crate::report::{Line, Outcome};
use crate::tokens::Known;
use crate::transcript::{Class, Patch, PatchKind, Role, Transcript, apply};
use std::path::Path;

/// Converts transcripts to another format.
pub struct Converter<'o> {
    /// Reads, counts and compacts the transcripts.
    pub compactor: Compactor<'o>,
    /// Whether they are compacted first, in their own format.
    pub compacts: bool,
    /// The format to convert to.
    pub target: &'static dyn Target,
}

impl Work for Converter<'_> {
    fn run(&self, format: &'static dyn Format, source: &[u8], first_line: usize) -> Done {
        let raw = Raw { format, source, first_line };
        if !self.compacts {
            let convert = |source: &[u8]| self.write(Prepared::as_it_is(Raw { source, ..raw }));
            return self.compactor.without_secrets(raw, convert);
        }
        let mut done = self.compact_and_write(&self.compactor, raw);
        let Some(most) = self.compactor.settings.limits.max_tokens else { return done };
        let mut bound = most;
        for _ in 0..AGAIN {
            let more = done.line.tokens.after.saturating_sub(most);
            bound = bound.saturating_sub(more);
            if done.line.outcome != Outcome::Converted || more == 0 || bound == 0 {
                break;
            }
            done = self.compact_and_write(&self.compactor.bounded(bound), raw);
        }
        let left = done.line.tokens.after;
        if done.line.outcome == Outcome::Converted && left > most {
            let error = format!("{left} tokens in the format {}, above --max-tokens {most}", self.target.name());
            return Obstacle::failed(Reason::OverBudget, error).done(done.line, done.plan);
        }
        done
    }

    fn detect(&self, bytes: &[u8], given: Bytes) -> Result<Detected, Undetected> {
        self.compactor.detect(bytes, given)
    }

    fn waiting(&self) -> usize {
        self.compactor.waiting()
    }

    fn on(&self, relative: &Path, path: &Path, _root: &Path) -> Option<Box<dyn Work + '_>> {
        let compactor = self.compactor.of_file(relative, path).filter(|_| self.compacts)?;
        Some(Box::new(Converter { compactor, compacts: true, target: self.target }))
    }

    fn cuts(&self) -> bool {
        true
    }

    fn redacts(&self) -> bool {
        self.compactor.redacts()
    }

    fn conversion(&self) -> Option<Conversion> {
        let (format, output) = (self.target.name(), self.target.output());
        Some(Conversion { format, output, takes_same: self.compacts })
    }

    fn blank(&self) -> Line {
        self.compactor.blank()
    }
}

/// How often a transcript that exceeds `--max-tokens` in the target's format is compacted again with a lower bound.
const AGAIN: usize = 3;

/// What a row in a dialect may lose, gain or spell otherwise when it is converted to the format itself.
const SPELLING: [Loss; 7] = [
    Loss::ArgumentsNormalized,
    Loss::CallIdsMadeUp,
    Loss::CallsAsText,
    Loss::NullContentNormalized,
    Loss::ResultsMoved,
    Loss::SystemPromptAbsent,
    Loss::ToolSchemasAbsent,
];

/// What comes of a row that is left out: nothing of it is in the output.
fn left_out(reason: Reason, mut line: Line, plan: Vec<String>) -> Done {
    (line.tokens.after, line.tokens.live_after, line.messages.after) = (0, 0, 0);
    Obstacle::skipped(reason).done(line, plan)
}

/// Whether a row is no conversation; with `--lenient` it is left out.
fn is_unread_row(transcript: &Transcript<'_>) -> bool {
    matches!(&*transcript.records, [only] if only.class == Class::Opaque)
}

/// Whether a row has no answer, so that it is left out, as rows of other formats are.
fn is_unanswered(row: &Transcript<'_>) -> bool {
    let mut told = row.messages.iter().filter(|message| message.is_loaded());
    row.traits.training_row && !row.traits.answered_beside && told.all(|message| message.role != Role::Assistant)
}

/// A source that is ready to be converted, compacted or not.
struct Prepared<'s> {
    /// The report so far; `None`: it was not compacted.
    line: Option<Line>,
    raw: Raw<'s>,
    /// The bytes of what was given, which the conversion replaces.
    length: usize,
    /// What the compaction would do, for a dry run.
    plan: Vec<String>,
}

impl<'s> Prepared<'s> {
    fn as_it_is(raw: Raw<'s>) -> Self {
        Self { line: None, raw, length: raw.source.len(), plan: Vec::new() }
    }
}

impl Converter<'_> {
    /// Compacts a source and converts the result.
    fn compact_and_write(&self, compactor: &Compactor<'_>, raw: Raw<'_>) -> Done {
        let done = compactor.run(raw.format, raw.source, raw.first_line);
        if done.line.outcome == Outcome::Failed {
            return done;
        }
        let compacted = apply(raw.source, &done.patches);
        let (length, compacted) = (raw.source.len(), Raw { source: &compacted, ..raw });
        self.write(Prepared { line: Some(done.line), raw: compacted, length, plan: done.plan })
    }

    /// Converts a source, compacted or not, to the target's format.
    fn write(&self, Prepared { line, raw, length, plan }: Prepared<'_>) -> Done {
        let format = raw.format;
        let before = match self.compactor.read(raw) {
            Ok(before) => before,
            Err(obstacle) => return obstacle.done(line.unwrap_or_else(|| self.blank()), plan),
        };
        let mut line = line.unwrap_or_else(|| describe::line(self.blank(), &before, &self.compactor.settings));
        if self.compactor.lenient && is_unread_row(&before.transcript) {
            // It is left out, so that nothing of it was kept.
            line.faults.after.clear();
            line.warnings.clear();
            return left_out(Reason::InvalidLine, line, plan);
        }
        // Without a compaction, a file in the target's format comes here only if some of its rows are in a dialect.
        let is_same = format.name() == self.target.name();
        if is_same && self.target.output() == Output::Rows && is_unanswered(&before.transcript) {
            return left_out(Reason::NoAnswer, line, plan);
        }
        let as_target = is_same.then(|| self.spelled_otherwise(format, &before.transcript)).flatten();
        let stands = is_same && as_target.is_none();
        if let Some(bytes) = stands.then(|| as_it_stands(&before.transcript, self.target)).flatten() {
            describe::converted(&mut line, &before, self.target.name(), &Losses::default());
            return Done { line, patches: vec![whole(length, bytes)], plan };
        }
        let convert = if is_same { anew } else { convert };
        let converted = match as_target.map_or_else(|| convert(format, &before.transcript, self.target), Ok) {
            Ok(converted) => converted,
            Err(Refusal::Unanswered) => return left_out(Reason::NoAnswer, line, plan),
            // Of a row nothing else would tell.
            Err(refusal @ Refusal::Empty(_)) if format.layout() == Layout::Session => {
                let mut done = left_out(refusal.reason(), line, plan);
                done.line.error = Some(refusal.to_string());
                return done;
            }
            Err(refusal) => return Obstacle::failed(refusal.reason(), refusal.to_string()).done(line, plan),
        };
        // Of a large session two at once are many: from here on, what was written is read again.
        drop(before);
        match self.describe(&mut line, &converted) {
            Ok(()) => Done { line, patches: vec![whole(length, converted.bytes)], plan },
            Err(obstacle) => obstacle.done(line, plan),
        }
    }

    /// A row in a dialect of the target's format, converted to that format; `None` if it is in none, was compacted, or
    /// would lose anything but the spelling.
    fn spelled_otherwise(&self, format: &'static dyn Format, row: &Transcript<'_>) -> Option<Converted> {
        if self.compacts || !is_dialect(format.name(), row.source) {
            return None;
        }
        let converted = anew(format, row, self.target).ok()?;
        let keeps = converted.losses.iter().all(|(loss, _)| SPELLING.contains(&loss));
        keeps.then_some(converted)
    }

    /// Completes the report of a conversion with the numbers of the target's own reader.
    fn describe(&self, line: &mut Line, converted: &Converted) -> Result<(), Obstacle> {
        let unreadable = |error: String| Obstacle::failed(Reason::OutputUnreadable, error);
        let reader = by_name(self.target.format()).ok_or_else(|| unreadable("no reader".into()))?;
        let after = reader.read(&converted.bytes, ReadOptions::default());
        let after = after.map_err(|error| unreadable(error.to_string()))?;
        let after = self.compactor.see(reader, after, &Known::default());
        describe::converted(line, &after, self.target.name(), &converted.losses);
        Ok(())
    }
}

/// A patch that replaces a whole source.
fn whole(length: usize, with: Vec<u8>) -> Patch {
    Patch { span: 0..length, with, kind: PatchKind::Insert }
}
