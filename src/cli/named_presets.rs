//! Presets that a comparison names: those that come with epitome and those of one's own, alike.

use super::policy::{settle, template};
use crate::evaluate::{Described, Whole};
use crate::preset::{Fidelity, OwnPreset, asks_model, layers_of, presets};
use crate::summary::Template;
use std::collections::BTreeSet;

/// What stands for every preset there is.
const ALL: &str = "all";

/// A preset with all that a comparison takes from it.
pub(super) fn whole(name: &str, own: &[OwnPreset]) -> anyhow::Result<Whole> {
    let merged = settle(&layers_of(name, own)?)?;
    let asks = merged.settings.summary.by.asks_model();
    Ok(Whole {
        name: name.to_owned(),
        template: template(&merged)?,
        asks_model: asks || asks_model(name, own)?,
        settings: merged.settings,
    })
}

/// The templates of all presets that come with epitome.
pub(super) fn templates() -> anyhow::Result<Vec<Template>> {
    presets().map(|preset| template(&settle(&layers_of(preset.name, &[])?)?)).collect()
}

/// The presets that are named, each once; `all` names every one that comes with epitome, and those of one's own behind
/// them.
pub(super) fn names(named: &[String], own: &[OwnPreset]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let names = named.iter().flat_map(|name| if name == ALL { preset_names(own) } else { vec![name.clone()] });
    names.filter(|name| seen.insert(name.clone())).collect()
}

/// Every preset that comes with epitome, then those of one's own.
pub(super) fn preset_names(own: &[OwnPreset]) -> Vec<String> {
    presets().map(|preset| preset.name.to_owned()).chain(own.iter().map(|preset| preset.name.clone())).collect()
}

/// What a preset says of itself.
pub(super) fn described(whole: &Whole, own: &[OwnPreset]) -> anyhow::Result<Described> {
    let described = Described { name: whole.name.clone(), asks_model: whole.asks_model, ..Described::default() };
    if let Some(preset) = own.iter().rfind(|preset| preset.name == whole.name) {
        return Ok(Described {
            fidelity: Fidelity::Own.name().to_owned(),
            description: preset.description_or_default(),
            source: format!("a configuration file; extends {}", preset.extends),
            ..described
        });
    }
    let preset = presets().find(|preset| preset.name == whole.name);
    let about = preset.map(|preset| preset.about()).transpose()?.unwrap_or_default();
    let fidelity = about.fidelity.name().to_owned();
    Ok(Described { fidelity, description: about.description, source: about.source, ..described })
}
