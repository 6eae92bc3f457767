//! K03: the files that calls changed.

use crate::gates::settings::Limits;
use crate::gates::{Finding, GateResult, Pair, Tools, View};
use crate::measure::spent::spent;
use crate::measure::{Share, files};
use crate::summary::deeds;
use std::collections::{HashMap, HashSet};

impl View<'_> {
    /// The files that calls changed: the share that is still named, and the paths that are not.
    pub fn files(&self) -> (Share, Vec<String>) {
        let left = self.left();
        let left: Vec<&str> = left.iter().map(|text| &**text).collect();
        let modified = files::modified(&self.loaded_deeds());
        let missing = files::missing(&modified, &left);
        // A kept command shows what it changes, even if it names the file relative to its own folder.
        let stays = if missing.is_empty() { Vec::new() } else { files::modified(&deeds(&self.left_loaded())) };
        let lost: Vec<String> =
            missing.into_iter().filter(|path| !stays.iter().any(|own| own == path)).map(str::to_owned).collect();
        (Share { kept: modified.len() - lost.len(), of: modified.len() }, lost)
    }
}

/// K03: every file that calls changed is still named.
pub(in crate::gates) fn modified_files(view: &View<'_>, _: Pair<'_>, _: &Tools<'_>, limits: Limits) -> GateResult {
    let ((mut share, mut lost), line) = (view.files(), view.summary_line());
    let writers = if lost.is_empty() { HashMap::new() } else { files::writers(&view.loaded_deeds()) };
    // A file that is of no more use may be left out.
    let spent = if lost.is_empty() { HashSet::new() } else { spent(&lost, &view.loaded()) };
    share.of -= spent.len();
    lost.retain(|path| !spent.contains(path));
    let places = view.loaded_places();
    let finding = |path: String| {
        let place = writers.get(&path).and_then(|writer| places.get(*writer));
        let original_line = place.and_then(|place| view.original_line(*place));
        Finding { original_line, ..Finding::new(line, "a file that was changed is not named").about(path) }
    };
    GateResult::at_least(limits.min.unwrap_or(1.0), share, lost.into_iter().map(finding).collect())
}
