//! Masks credentials before any other work: the work sees the masked transcript, and its edits are combined with the
//! masks.

use crate::batch::{Done, Work};
use crate::format::{Bytes, Detected, Format, ReadOptions, Undetected};
use crate::redact::{Masks, masks};
use crate::report::{Line, Outcome};
use crate::transcript::{Transcript, apply, compose};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Deref;
use std::path::Path;

/// Runs a work on transcripts with their credentials masked.
pub struct Redacting<W>(pub W);

impl<W> Work for Redacting<W>
where
    W: Deref<Target: Work> + Sync,
{
    fn run(&self, format: &'static dyn Format, source: &[u8], first_line: usize) -> Done {
        let options = ReadOptions { lenient: true, first_line };
        redacted(format, source, options, |bare| self.0.run(format, bare, first_line))
    }

    fn detect(&self, bytes: &[u8], given: Bytes) -> Result<Detected, Undetected> {
        self.0.detect(bytes, given)
    }

    fn on(&self, relative: &Path, path: &Path, root: &Path) -> Option<Box<dyn Work + '_>> {
        self.0.on(relative, path, root).map(|own| Box::new(Redacting(own)) as _)
    }

    fn redacts(&self) -> bool {
        true
    }

    fn blank(&self) -> Line {
        self.0.blank()
    }
}

/// Runs `work` on the masked transcript. Returns its result with edits of the original.
pub(super) fn redacted(
    format: &dyn Format,
    source: &[u8],
    options: ReadOptions,
    work: impl FnOnce(&[u8]) -> Done,
) -> Done {
    let Masks { patches, counts } = of_transcript(format, source, options);
    if patches.is_empty() {
        return work(source);
    }
    let bare = apply(source, &patches);
    let mut done = work(&bare);
    done.line.redacted = counts;
    done.patches = match done.line.outcome {
        Outcome::Unchanged => {
            done.line.outcome = Outcome::Redacted;
            patches
        }
        Outcome::Failed | Outcome::Skipped | Outcome::Redacted => patches,
        Outcome::Compacted | Outcome::Converted | Outcome::Mended => compose(&patches, &bare, &done.patches),
    };
    done
}

/// A transcript with its credentials masked.
pub fn without_credentials<'s>(format: &dyn Format, source: &'s [u8], first_line: usize) -> Cow<'s, [u8]> {
    let patches = of_transcript(format, source, ReadOptions { lenient: true, first_line }).patches;
    apply(source, &patches)
}

/// The masks for a transcript. Ids that link its records are never masked, whatever they look like.
fn of_transcript(format: &dyn Format, source: &[u8], options: ReadOptions) -> Masks {
    let all = masks(source, &BTreeSet::new());
    if all.patches.is_empty() {
        return all;
    }
    let ids = format.read(source, options).map(|transcript| ids(&transcript)).unwrap_or_default();
    if ids.iter().any(|id| crate::secrets::may_have(id)) { masks(source, &ids) } else { all }
}

fn ids(transcript: &Transcript<'_>) -> BTreeSet<String> {
    let records = transcript.records.iter().flat_map(|record| [&record.id, &record.parent]);
    let parts = transcript.messages.iter().flat_map(|message| &message.parts).filter_map(|part| part.kind.call());
    let groups = transcript.messages.iter().filter_map(|message| message.group.as_ref());
    records.flatten().chain(groups).map(|id| id.to_string()).chain(parts.map(str::to_owned)).collect()
}
