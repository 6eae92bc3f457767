//! `epitome presets`: the named policies.

use super::args::PresetsArgs;
use super::{ExitStatus, Terminal};
use crate::preset::presets;

/// Lists the presets, or prints one.
pub(super) fn run(args: &PresetsArgs, terminal: &Terminal) -> anyhow::Result<ExitStatus> {
    let text = match &args.name {
        Some(name) => one(name)?,
        None => list()?,
    };
    terminal.result(&text)?;
    Ok(ExitStatus::Done)
}

fn one(name: &str) -> anyhow::Result<String> {
    let preset = presets().find(|preset| preset.name == name);
    let preset = preset.ok_or_else(|| anyhow::anyhow!("unknown preset `{name}`; `epitome presets` lists them"))?;
    Ok(preset.text.to_owned())
}

fn list() -> anyhow::Result<String> {
    let mut text = String::new();
    for preset in presets() {
        let about = preset.about()?;
        text += &format!("{:<18} {:<11} {}\n", preset.name, about.fidelity.name(), about.description);
    }
    Ok(text)
}
