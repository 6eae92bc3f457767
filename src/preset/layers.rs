//! Layers of settings: presets, configuration, environment, flags; merged key by key, each value with its origin.

use super::{About, Settings, presets};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use toml::{Table, Value};

/// Where a setting comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A preset.
    Preset(String),
    /// A configuration file.
    Config(PathBuf),
    /// An environment variable.
    Environment(String),
    /// A flag of the command line.
    Flag,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Preset(name) => write!(f, "preset {name}"),
            Self::Config(path) => write!(f, "{}", path.display()),
            Self::Environment(name) => write!(f, "environment {name}"),
            Self::Flag => f.write_str("command line"),
        }
    }
}

/// Settings from one place.
#[derive(Debug, Clone)]
pub struct Layer {
    /// The place.
    pub origin: Origin,
    /// What it sets.
    pub table: Table,
}

impl Layer {
    /// Reads a layer from TOML; unknown keys and wrong values are errors.
    ///
    /// # Errors
    /// Names the origin, the line and the key.
    pub fn parse(text: &str, origin: Origin) -> Result<Self, PresetError> {
        let mut table = parse(text, &origin)?;
        table.remove("preset").map_or(Ok(()), |preset| heading(preset, &origin))?;
        // Gates are read by those who judge, and what is for some files only by `overrides`.
        table.remove("gates");
        table.remove("override");
        // Own presets are read by `own_presets`.
        table.remove("presets");
        let broken = |err: toml::de::Error| PresetError::Broken { origin: origin.to_string(), reason: err.to_string() };
        let text = toml::to_string(&table).unwrap_or_default();
        toml::from_str::<Settings>(&text).map_err(broken)?;
        Ok(Self { origin, table })
    }

    /// An empty layer.
    pub fn new(origin: Origin) -> Self {
        Self { origin, table: Table::new() }
    }

    /// Sets a key such as `split.tail-tokens`.
    pub fn set(&mut self, key: &str, value: impl Into<Value>) {
        let mut table = &mut self.table;
        let mut steps = key.split('.').peekable();
        while let Some(step) = steps.next() {
            if steps.peek().is_none() {
                table.insert(step.to_owned(), value.into());
                return;
            }
            let next = table.entry(step).or_insert_with(|| Value::Table(Table::new()));
            let Value::Table(inner) = next else { return };
            table = inner;
        }
    }
}

/// Whether the table `[preset]` holds what it can hold; the settings themselves stand beside it.
fn heading(preset: Value, origin: &Origin) -> Result<(), PresetError> {
    if let Value::String(name) = preset {
        let reason =
            format!("preset = \"{name}\" chooses nothing: write extends = \"{name}\" below [preset], or say --preset");
        return Err(broken(&origin.to_string(), &reason));
    }
    let wrong = |err: toml::de::Error| {
        broken(&origin.to_string(), &format!("[preset]: {}; settings stand in tables of their own", err.message()))
    };
    About::deserialize(preset).map(drop).map_err(wrong)
}

/// Why settings can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PresetError {
    /// No preset has this name.
    #[error("unknown preset `{name}`; `epitome presets` lists them")]
    Unknown {
        /// The name.
        name: String,
    },
    /// The TOML can't be read.
    #[error("{origin}: {reason}")]
    Broken {
        /// Where it stands.
        origin: String,
        /// What is wrong.
        reason: String,
    },
}

/// The layers of a preset: what it extends first, then itself.
///
/// # Errors
/// There is no such preset.
pub fn preset_layers(name: &str) -> Result<Vec<Layer>, PresetError> {
    let preset = presets().find(|preset| preset.name == name);
    let preset = preset.ok_or_else(|| PresetError::Unknown { name: name.into() })?;
    let mut layers = match preset.about()?.extends {
        Some(base) => preset_layers(&base)?,
        None => Vec::new(),
    };
    layers.push(Layer::parse(preset.text, Origin::Preset(name.into()))?);
    Ok(layers)
}

/// Settings in force.
#[derive(Debug, Clone)]
pub struct Merged {
    /// The settings.
    pub settings: Settings,
    /// Every key that a layer set, with its value and its origin.
    pub origins: BTreeMap<String, (String, Origin)>,
}

/// Merges layers, later ones over earlier ones.
///
/// # Errors
/// A value can't be read.
pub fn merge(layers: &[Layer]) -> Result<Merged, PresetError> {
    let mut all = Table::new();
    let mut origins = BTreeMap::new();
    for layer in layers {
        overlay(&mut all, &layer.table, &mut |key, value| {
            origins.insert(key, (value.to_string(), layer.origin.clone()));
        });
    }
    match Settings::deserialize(all) {
        Ok(settings) => Ok(Merged { settings, origins }),
        Err(err) => Err(culprit(&origins).unwrap_or_else(|| broken("settings", err.message()))),
    }
}

fn broken(origin: &str, reason: &str) -> PresetError {
    PresetError::Broken { origin: origin.to_owned(), reason: reason.to_owned() }
}

/// The one setting that can't be read.
fn culprit(origins: &BTreeMap<String, (String, Origin)>) -> Option<PresetError> {
    origins.iter().find_map(|(key, (value, origin))| {
        let err = toml::from_str::<Settings>(&format!("{key} = {value}")).err()?;
        Some(broken(&origin.to_string(), &format!("{key} = {value}: {}", err.message())))
    })
}

/// Lays `over` upon `under`; tables merge, all else is replaced. Tables nest as deep as settings do: two levels.
fn overlay(under: &mut Table, over: &Table, set: &mut dyn FnMut(String, &Value)) {
    for (key, value) in over {
        match (under.get_mut(key), value) {
            (Some(Value::Table(inner)), Value::Table(over)) => {
                overlay(inner, over, &mut |below, value| set(format!("{key}.{below}"), value))
            }
            (_, Value::Table(over)) => {
                let mut inner = Table::new();
                overlay(&mut inner, over, &mut |below, value| set(format!("{key}.{below}"), value));
                under.insert(key.clone(), Value::Table(inner));
            }
            _ => {
                set(key.clone(), value);
                under.insert(key.clone(), value.clone());
            }
        }
    }
}

pub(super) fn parse(text: &str, origin: &Origin) -> Result<Table, PresetError> {
    text.parse()
        .map_err(|err: toml::de::Error| PresetError::Broken { origin: origin.to_string(), reason: err.to_string() })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn the_default_preset_spells_out_every_default() {
        let merged = merge(&preset_layers("opencode").unwrap()).unwrap();
        assert_eq!(merged.settings, Settings::default());
        let all = Table::try_from(Settings::default()).unwrap();
        let mut keys = Vec::new();
        overlay(&mut Table::new(), &all, &mut |key, _| keys.push(key));
        assert_eq!(merged.origins.keys().cloned().collect::<Vec<_>>(), {
            keys.sort();
            keys
        });
    }

    #[test]
    fn later_layers_win_and_unknown_keys_are_errors() {
        let mut flags = Layer::new(Origin::Flag);
        flags.set("split.tail-tokens", 7);
        let mut layers = preset_layers("opencode").unwrap();
        layers.push(flags);
        let merged = merge(&layers).unwrap();
        assert_eq!(merged.settings.split.tail_tokens, Some(7));
        assert_eq!(merged.origins["split.tail-tokens"].1, Origin::Flag);
        for (text, told) in [
            ("[split]\ntail-tokenz = 1", "tail-tokenz"),
            ("[preset]\nextends = 'opencode'\nfoo = 1", "[preset]: unknown field `foo`"),
            ("[preset]\nprune.stub = 'x'", "settings stand in tables of their own"),
            ("preset = 3", "[preset]"),
        ] {
            let error = Layer::parse(text, Origin::Config("epitome.toml".into())).unwrap_err().to_string();
            assert!(error.contains(told) && error.contains("epitome.toml"), "{error}");
        }
    }
}
