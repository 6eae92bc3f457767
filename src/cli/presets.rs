//! `epitome presets`: the named policies, those of one's own behind the others.

use super::args::PresetsArgs;
use super::config::{configs, own};
use super::{ExitStatus, Terminal};
use crate::preset::{OwnPreset, PresetError, layers_of, presets};

/// Lists the presets, or prints one.
pub(super) fn run(args: &PresetsArgs, terminal: &Terminal) -> anyhow::Result<ExitStatus> {
    let own = own(&configs(args.config.as_deref())?);
    let text = match &args.name {
        Some(name) => one(name, &own)?,
        None => list(&own)?,
    };
    terminal.result(&text)?;
    Ok(ExitStatus::Done)
}

fn one(name: &str, own: &[OwnPreset]) -> anyhow::Result<String> {
    if let Some(preset) = own.iter().rfind(|preset| preset.name == name) {
        layers_of(name, own)?;
        return Ok(preset.text());
    }
    let preset = presets().find(|preset| preset.name == name);
    let preset = preset.ok_or_else(|| PresetError::Unknown { name: name.to_owned() })?;
    Ok(preset.text.to_owned())
}

/// One line each: name, fidelity, what it does.
fn list(own: &[OwnPreset]) -> anyhow::Result<String> {
    let mut rows = Vec::new();
    for preset in presets() {
        let about = preset.about()?;
        rows.push((preset.name.to_owned(), about.fidelity.name(), about.description));
    }
    for preset in own {
        rows.push((preset.name.clone(), "own", preset.description_or_default()));
    }
    let wide = |of: &dyn Fn(&(String, &str, String)) -> usize| rows.iter().map(of).max().unwrap_or_default();
    let (name, fidelity) = (wide(&|row| row.0.chars().count()), wide(&|row| row.1.len()));
    let line = |row: &(String, &str, String)| format!("{:<name$}  {:<fidelity$}  {}\n", row.0, row.1, row.2);
    Ok(rows.iter().map(line).collect())
}
