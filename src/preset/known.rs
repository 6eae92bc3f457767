//! The built-in presets and their `[preset]` tables.

use super::layers::broken;
use super::{ConfigText, Origin, PresetError};
use serde::Deserialize;
use toml::Table;

/// Name and text of presets.
macro_rules! texts {
    ($($name:literal),+ $(,)?) => { &[$(($name, include_str!(concat!("presets/", $name, ".toml")))),+] };
}

/// The built-in presets, ordered by name.
const PRESETS: &[(&str, &str)] = texts![
    "aider",
    "anthropic-clear",
    "anthropic-compact",
    "anthropic-sdk",
    "claude-code",
    "claude-code-memory",
    "claude-code-micro",
    "cline-agentic",
    "cline-basic",
    "codex",
    "crush",
    "epitome-balanced",
    "epitome-faithful",
    "epitome-small",
    "forge",
    "forge-strict",
    "gemini-cli",
    "gemini-mask",
    "goose",
    "hermes-trajectory",
    "langchain-buffer",
    "langchain-clear",
    "langchain-summ",
    "langchain-summ-strict",
    "langmem",
    "lean",
    "letta",
    "maf-context",
    "maf-summary",
    "maf-toolcollapse",
    "maf-truncate",
    "maf-window",
    "mask-10",
    "opencode",
    "opencode-1.18",
    "opencode-1.18-strict",
    "opencode-2026-01",
    "opencode-seed",
    "opencode-v2",
    "openhands",
    "openhands-240",
    "openhands-amortized",
    "openhands-browser",
    "openhands-mask",
    "openhands-recent",
    "openhands-window",
    "pi",
    "roo-condense",
    "roo-slide",
    "sk-summary",
    "swe-agent",
    "swe-agent-strict",
    "swe-agent-window",
    "trim-last",
];

/// A named policy.
#[derive(Debug, Clone, Copy)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// Its commented TOML.
    pub text: &'static str,
}

/// The table `[preset]` of a preset: its description of itself.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct About {
    /// A one-line description.
    pub description: String,
    /// Where its rules come from.
    pub source: String,
    /// How close it is to its source.
    pub fidelity: Fidelity,
    /// The preset that it extends.
    pub extends: Option<String>,
    /// Whether the system that it is named after has a model write the summary. Without a value, as in the preset that
    /// it extends.
    pub model: Option<bool>,
}

/// How close a preset is to the system that it is named after (HARNESSES, preset notation).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fidelity {
    /// Keeps, removes and inserts the same content as the original.
    Exact,
    /// Keeps and removes the same content as the original; the summary is not the original's.
    ExactPlan,
    /// Something about the original is unknown or not available here.
    Approx,
    /// The original's result cannot be made here; only its shape can.
    #[serde(rename = "not reproducible")]
    NotReproducible,
    /// epitome's own policy.
    #[default]
    Own,
}

impl Fidelity {
    /// The name used in presets and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::ExactPlan => "exact-plan",
            Self::Approx => "approx",
            Self::NotReproducible => "not reproducible",
            Self::Own => "own",
        }
    }
}

impl Preset {
    /// Parses the table `[preset]`.
    ///
    /// # Errors
    /// The TOML is invalid.
    pub fn about(&self) -> Result<About, PresetError> {
        let origin = Origin::Preset(self.name.into());
        about(&ConfigText::parse(self.text, origin.clone())?.table, &origin)
    }
}

/// All presets, ordered by name.
pub fn presets() -> impl Iterator<Item = Preset> {
    PRESETS.iter().map(|&(name, text)| Preset { name, text })
}

fn about(table: &Table, origin: &Origin) -> Result<About, PresetError> {
    let broken = |err: toml::de::Error| broken(origin, &err.to_string());
    table.get("preset").cloned().map_or_else(|| Ok(About::default()), |about| About::deserialize(about).map_err(broken))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::Settings;
    use super::*;

    #[test]
    fn every_preset_loads_and_says_what_it_is_in_one_line() {
        for preset in presets() {
            let about = preset.about().unwrap();
            let told = [&about.description, &about.source];
            assert!(told.iter().all(|text| !text.is_empty() && !text.contains('\n')), "{}", preset.name);
            assert!(preset.text.starts_with(&format!("# {}", preset.name)), "{}", preset.name);
            Settings::of_preset(preset.name).unwrap();
        }
    }

    #[test]
    fn presets_are_ordered_by_name_and_none_is_there_twice() {
        let names: Vec<_> = presets().map(|preset| preset.name).collect();
        assert!(names.windows(2).all(|pair| pair[0] < pair[1]), "{names:?}");
    }
}
