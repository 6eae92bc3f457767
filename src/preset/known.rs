//! The presets that come with epitome, and what each says of itself.

use super::layers::{Origin, PresetError, parse};
use serde::Deserialize;
use toml::Table;

/// The texts of presets, by name.
macro_rules! texts {
    ($($name:literal),+ $(,)?) => { &[$(($name, include_str!(concat!("presets/", $name, ".toml")))),+] };
}

/// The presets that come with epitome, ordered by name.
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

/// What a preset says of itself, in its table `[preset]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct About {
    /// One line.
    pub description: String,
    /// Where its rules come from.
    pub source: String,
    /// How true to the source it is.
    pub fidelity: Fidelity,
    /// The preset that it changes.
    pub extends: Option<String>,
    /// Whether the system that it is named after has a model write the summary; where nothing is said, as in what it
    /// changes.
    pub model: Option<bool>,
}

/// How true a preset is to the system that it is named after (HARNESSES, preset notation).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fidelity {
    /// What stays, what goes and what stands for it are the same.
    Exact,
    /// What stays and what goes are the same; the summary is another's.
    ExactPlan,
    /// Something of the original is not known, or cannot be had here.
    Approx,
    /// The original's result cannot be made here; only its shape can.
    #[serde(rename = "not reproducible")]
    NotReproducible,
    /// A policy of epitome.
    #[default]
    Own,
}

impl Fidelity {
    /// The word for it.
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
    /// What the preset says of itself.
    ///
    /// # Errors
    /// Its TOML is broken.
    pub fn about(&self) -> Result<About, PresetError> {
        let origin = Origin::Preset(self.name.into());
        about(&parse(self.text, &origin)?, &origin)
    }
}

/// All presets, ordered by name.
pub fn presets() -> impl Iterator<Item = Preset> {
    PRESETS.iter().map(|&(name, text)| Preset { name, text })
}

fn about(table: &Table, origin: &Origin) -> Result<About, PresetError> {
    let broken = |err: toml::de::Error| PresetError::Broken { origin: origin.to_string(), reason: err.to_string() };
    table.get("preset").cloned().map_or_else(|| Ok(About::default()), |about| About::deserialize(about).map_err(broken))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::{merge, preset_layers};
    use super::*;

    #[test]
    fn every_preset_loads_and_says_what_it_is_in_one_line() {
        for preset in presets() {
            let about = preset.about().unwrap();
            let told = [&about.description, &about.source];
            assert!(told.iter().all(|text| !text.is_empty() && !text.contains('\n')), "{}", preset.name);
            assert!(preset.text.starts_with(&format!("# {}", preset.name)), "{}", preset.name);
            merge(&preset_layers(preset.name).unwrap()).unwrap();
        }
    }

    #[test]
    fn presets_are_ordered_by_name_and_none_is_there_twice() {
        let names: Vec<_> = presets().map(|preset| preset.name).collect();
        assert!(names.windows(2).all(|pair| pair[0] < pair[1]), "{names:?}");
    }
}
