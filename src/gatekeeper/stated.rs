//! Settings of the run that wrote a folder, as its reports state them.

use crate::batch::{LINES, Override, REPORT, Shard, own_folder};
use crate::gates::Stubs;
use crate::preset::{Arguments, PruneSettings, Settings, SummarizerKind, merge, preset_layers, presets};
use crate::report::{OverrideSettings, RunSettings};
use crate::summary::{DEFAULT_TEMPLATE, Template};
use crate::work::Compactor;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use std::path::{Component, Path, PathBuf};

/// A `report.json`; other keys are ignored.
#[derive(Deserialize)]
struct Written<S> {
    settings: RunSettings<S>,
}

/// The settings of a run.
pub(super) struct Stated(RunSettings<Settings>);

impl Stated {
    /// The settings stated in reports; of several shards the first report, as all have the same settings.
    pub(super) fn of(reports: &Reports) -> Option<Self> {
        reports.first::<Written<Settings>>().map(|written| Self(written.settings))
    }

    /// The settings with which a folder was written, and those of single files. If its settings can't be read, those of
    /// its preset, if that is a built-in one.
    pub(super) fn all_settings(reports: &Reports) -> Option<(Settings, Vec<Override<Settings>>)> {
        if let Some(Self(stated)) = Self::of(reports) {
            let own = |one: OverrideSettings<Settings>| Override::new(&one.glob, one.settings).ok();
            return Some((stated.settings, stated.overrides.into_iter().filter_map(own).collect()));
        }
        let name = reports.first::<Written<IgnoredAny>>()?.settings.preset;
        Some((merge(&preset_layers(&name).ok()?).ok()?.settings, Vec::new()))
    }

    /// Whether the files are as the compactor wrote them, without a conversion to another format.
    pub(super) fn is_as_compacted(&self) -> bool {
        self.0.to.is_none()
    }

    /// Whether unchanged transcripts were left out.
    pub(super) fn leaves_unchanged(&self) -> bool {
        self.0.omissions.changed_only
    }

    /// Whether files may have their own templates or stubs: by `[[override]]`, or from a hook.
    pub(super) fn is_mixed(&self) -> bool {
        !self.0.overrides.is_empty() || self.0.settings.summary.hook.is_some()
    }

    /// The template by which summaries were written; `None` if it can't be read.
    pub(super) fn template(&self) -> Option<Template> {
        let summary = &self.0.settings.summary;
        let file = summary.template.as_ref().map(std::fs::read_to_string).transpose().ok()?;
        let text = file.or_else(|| summary.template_text.clone());
        let free = summary.free_form && text.is_some();
        Template::parse(text.as_deref().unwrap_or(DEFAULT_TEMPLATE), &summary.sections, free).ok()
    }

    /// The sections that summaries must have; `others` if the folder's template can't be read, `None` if they are
    /// unknown.
    pub(super) fn sections(&self, others: &Template) -> Option<Template> {
        let known = has_sections(&self.0.settings) && !self.is_mixed();
        known.then(|| self.template().unwrap_or_else(|| others.clone()))
    }

    /// The compactor that wrote the folder; `None` if several settings or a conversion were involved.
    pub(super) fn compactor(&self) -> Option<Compactor<'static>> {
        if !self.is_as_compacted() || self.is_mixed() {
            return None;
        }
        let Self(RunSettings { preset, settings, lenient, from, .. }) = self;
        let compactor = Compactor::new(preset, settings.clone(), self.template()?).ok()?;
        let from = from.as_deref().and_then(crate::format::by_name);
        Some(Compactor { lenient: *lenient, from, ..compactor })
    }
}

/// The reports of a run.
pub(super) struct Reports {
    /// The folders with its files, one for each shard.
    folders: Vec<PathBuf>,
    /// The run wrote its reports elsewhere: its output is known by its path only if it wrote several files.
    pub(super) elsewhere: bool,
}

impl Reports {
    /// Those in a folder that the run wrote.
    pub(super) fn of(folder: &Path) -> Self {
        Self { folders: with_shards(own_folder(folder, None)), elsewhere: false }
    }

    /// Those that the run wrote into this folder (`--report`).
    pub(super) fn elsewhere(folder: &Path) -> Self {
        Self { folders: with_shards(folder.to_owned()), elsewhere: true }
    }

    /// The files with a line for each transcript.
    pub(super) fn lines(&self) -> impl Iterator<Item = PathBuf> + '_ {
        self.folders.iter().map(|own| own.join(LINES))
    }

    /// The first report that can be parsed as `T`.
    fn first<T: DeserializeOwned>(&self) -> Option<T> {
        let texts = self.folders.iter().filter_map(|folder| std::fs::read(folder.join(REPORT)).ok());
        texts.filter_map(|text| serde_json::from_slice(&text).ok()).next()
    }
}

/// A folder with reports, and those of a run's shards in it.
fn with_shards(own: PathBuf) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(&own).into_iter().flatten().flatten();
    let shares = entries.filter(|entry| entry.file_name().to_str().and_then(Shard::named).is_some());
    let mut all: Vec<PathBuf> = shares.map(|entry| entry.path()).collect();
    all.sort();
    all.insert(0, own);
    all
}

/// Whether a run, or a shard of it, wrote its reports into this folder.
pub fn has_reports(folder: &Path) -> bool {
    Reports::elsewhere(folder).lines().any(|lines| lines.is_file())
}

/// The folder that a run wrote and reports on, of which a folder is a part: the nearest one with a report, or else itself.
pub(super) fn written_folder(part: &Path) -> &Path {
    let has_report = |folder: &&Path| Reports::of(folder).folders.iter().any(|own| own.join(REPORT).is_file());
    // What is above `..` is not above the working folder.
    let climbs = part.components().any(|name| name == Component::ParentDir);
    let is_named = |folder: &&Path| matches!(folder.components().next_back(), Some(Component::Normal(_)));
    part.ancestors().take_while(|folder| !climbs || is_named(folder)).find(has_report).unwrap_or(part)
}

/// Whether a policy writes summaries with sections, rather than none, a frame or a note of what is gone.
pub(super) fn has_sections(settings: &Settings) -> bool {
    !matches!(settings.summary.by, SummarizerKind::Drop | SummarizerKind::Frame | SummarizerKind::Note)
}

/// The stubs of all built-in presets, which are those of the systems they are named after.
pub(super) fn known_stubs() -> Stubs {
    let mut stubs = Stubs::default();
    let layers = presets().filter_map(|preset| preset_layers(preset.name).ok());
    for merged in layers.filter_map(|layers| merge(&layers).ok()) {
        add_stubs(&mut stubs, &merged.settings.prune);
    }
    stubs
}

/// Adds the stubs that a policy writes.
pub(super) fn add_stubs(stubs: &mut Stubs, prune: &PruneSettings) {
    stubs.add(&prune.stub);
    stubs.add(&prune.superseded_stub);
    prune.rules.iter().filter_map(|rule| rule.stub.as_deref()).for_each(|stub| stubs.add(stub));
    let clears = |arguments: Arguments| arguments == Arguments::Clear;
    if clears(prune.arguments) || prune.rules.iter().any(|rule| rule.arguments.is_some_and(clears)) {
        stubs.add_arguments(&prune.arguments_stub);
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn a_frame_has_no_sections() {
        let mut settings = merge(&preset_layers("opencode").unwrap()).unwrap().settings;
        assert!(has_sections(&settings));
        settings.summary.by = SummarizerKind::Frame;
        assert!(!has_sections(&settings));
    }
}
