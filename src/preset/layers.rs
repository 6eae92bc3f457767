//! Layers of settings (presets, configuration, environment, flags), merged key by key; every value keeps its origin.

use super::config_text::ConfigText;
use super::{About, Settings, presets};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

/// The source of a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A preset.
    Preset(String),
    /// A configuration file.
    Config(PathBuf),
    /// An environment variable.
    Environment(String),
    /// The model that another setting names.
    Model(String),
    /// A command-line flag.
    Flag,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Preset(name) => write!(f, "preset {name}"),
            Self::Config(path) => write!(f, "{}", path.display()),
            Self::Environment(name) => write!(f, "environment {name}"),
            Self::Model(name) => write!(f, "model {name}"),
            Self::Flag => f.write_str("command line"),
        }
    }
}

/// Settings from one source.
#[derive(Debug, Clone)]
pub struct Layer {
    /// The source.
    pub origin: Origin,
    /// The settings.
    pub table: Table,
}

/// Whether a layer is a whole text or part of one.
#[derive(Debug, Clone, Copy)]
enum Extent {
    /// The whole text, without the tables that hold no settings.
    Whole,
    /// One table of it.
    Part,
}

impl Layer {
    /// Parses a layer from TOML. Unknown keys and wrong values are errors.
    ///
    /// # Errors
    /// The error names the origin, the line and the key.
    pub fn parse(text: &str, origin: Origin) -> Result<Self, PresetError> {
        Self::of(&ConfigText::parse(text, origin)?)
    }

    /// The settings for all files. Unknown keys and wrong values are errors.
    ///
    /// # Errors
    /// The error names the origin, the line and the key.
    pub fn of(config: &ConfigText<'_>) -> Result<Self, PresetError> {
        let ConfigText { text, origin, mut table, mut placed } = config.clone();
        table.remove("preset").map_or(Ok(()), |preset| heading(preset, &origin))?;
        // Other code reads these tables: `[gates]` that of `check`, `[[override]]` [`super::overrides`], `[presets.…]`
        // [`super::own_presets`].
        for name in BESIDE {
            table.remove(name);
            placed.get_mut().remove(name);
        }
        Self::checked((table, placed), Extent::Whole, (text, origin))
    }

    /// A layer that is one table of a text; the keys `without` are not checked, since they are no settings.
    pub(super) fn part(
        table: Table,
        place: Option<Spanned<DeValue<'_>>>,
        without: &[&str],
        (text, origin): (&str, Origin),
    ) -> Result<Self, PresetError> {
        let Some(place) = place else { return Ok(Self { origin, table }) };
        let span = place.span();
        let mut inner = match place.into_inner() {
            DeValue::Table(inner) => inner,
            _ => DeTable::default(),
        };
        without.iter().for_each(|key| drop(inner.remove(*key)));
        Self::checked((table, Spanned::new(span, inner)), Extent::Part, (text, origin))
    }

    /// Checks the settings of a table in a text; errors name the line.
    fn checked(
        (table, placed): (Table, Spanned<DeTable<'_>>),
        extent: Extent,
        (text, origin): (&str, Origin),
    ) -> Result<Self, PresetError> {
        let wrong = |mut err: toml::de::Error| {
            err.set_input(Some(text));
            let reason = err.to_string();
            // A top-level table that holds no settings may still be valid: list those in the error, too.
            let unknown = table.keys().any(|name| err.message().starts_with(&format!("unknown field `{name}`")));
            let reason = match extent {
                Extent::Whole if unknown => reason.replacen("expected one of ", &beside(), 1),
                _ => reason,
            };
            broken(&origin, &reason)
        };
        Settings::deserialize(toml::de::Deserializer::from(placed)).map_err(wrong)?;
        Ok(Self { origin, table })
    }

    /// An empty layer.
    pub fn new(origin: Origin) -> Self {
        Self { origin, table: Table::new() }
    }

    /// Sets a value by its path, such as `split.tail-tokens`.
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

/// The tables of a file that are not settings.
const BESIDE: [&str; 4] = ["preset", "presets", "override", "gates"];

fn beside() -> String {
    let names: String = BESIDE.iter().map(|name| format!("`{name}`, ")).collect();
    format!("expected one of {names}")
}

/// Checks the table `[preset]`; settings are not allowed in it.
fn heading(preset: Value, origin: &Origin) -> Result<(), PresetError> {
    if let Value::String(name) = preset {
        let reason =
            format!("preset = \"{name}\" chooses nothing: write extends = \"{name}\" below [preset], or say --preset");
        return Err(broken(origin, &reason));
    }
    let wrong = |err: toml::de::Error| {
        broken(origin, &format!("[preset]: {}; settings stand in tables of their own", err.message()))
    };
    About::deserialize(preset).map(drop).map_err(wrong)
}

/// Why settings could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PresetError {
    /// No preset has this name.
    #[error("unknown preset `{name}`; `epitome presets` lists them")]
    Unknown {
        /// The name.
        name: String,
    },
    /// The TOML is invalid.
    #[error("{origin}: {reason}")]
    Broken {
        /// The file or other source.
        origin: String,
        /// What is wrong.
        reason: String,
    },
    /// A setting has an invalid value.
    #[error("{origin}: {key} = {value}: {reason}")]
    Value {
        /// The source of the value.
        origin: Origin,
        /// The setting.
        key: String,
        /// Its value, as TOML.
        value: String,
        /// What is wrong.
        reason: String,
    },
}

/// The layers of a built-in preset: those of the preset that it extends first, then its own.
///
/// # Errors
/// The preset is unknown.
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

impl Settings {
    /// The settings of a built-in preset, nothing changed.
    ///
    /// # Errors
    /// The preset is unknown.
    pub fn of_preset(name: &str) -> Result<Self, PresetError> {
        Ok(merge(&preset_layers(name)?)?.settings)
    }
}

/// The settings in force.
#[derive(Debug, Clone)]
pub struct Merged {
    /// The settings.
    pub settings: Settings,
    /// Each key that a layer set, with its value and origin.
    pub origins: BTreeMap<String, (String, Origin)>,
}

/// Merges layers; later ones override earlier ones.
///
/// # Errors
/// A value is invalid.
pub fn merge(layers: &[Layer]) -> Result<Merged, PresetError> {
    let mut all = Table::new();
    let mut origins = BTreeMap::new();
    for layer in layers {
        overlay(&mut all, &layer.table, &mut |key, value| {
            origins.insert(key, (value.to_string(), layer.origin.clone()));
        });
    }
    match Settings::deserialize(all) {
        Ok(settings) => {
            let split = &settings.split;
            if split.tail_tokens.is_none() && split.tail_floor > split.tail_cap {
                let (floor, cap) = (split.tail_floor, split.tail_cap);
                let of = |key: &str| origins.get(key).map(|(_, origin)| origin.to_string()).unwrap_or_default();
                let place = format!("{}, {}", of("split.tail-floor"), of("split.tail-cap"));
                return Err(broken(&place, &format!("split.tail-floor = {floor} is more than split.tail-cap = {cap}")));
            }
            Ok(Merged { settings, origins })
        }
        Err(err) => Err(culprit(&origins).unwrap_or_else(|| broken(&"settings", err.message()))),
    }
}

/// The error for a text of settings that can't be used, with what the settings are in.
pub(super) fn broken(origin: &dyn fmt::Display, reason: &str) -> PresetError {
    PresetError::Broken { origin: origin.to_string(), reason: reason.to_owned() }
}

/// Finds the setting whose value is invalid.
fn culprit(origins: &BTreeMap<String, (String, Origin)>) -> Option<PresetError> {
    origins.iter().find_map(|(key, (value, origin))| {
        let err = toml::from_str::<Settings>(&format!("{key} = {value}")).err()?;
        let (origin, key, value) = (origin.clone(), key.clone(), value.clone());
        Some(PresetError::Value { origin, key, value, reason: err.message().to_owned() })
    })
}

/// Merges `over` into `under`: tables are merged, other values replaced. `set` gets the dotted key and value of each
/// setting.
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
    fn errors_quote_the_line_of_the_file() {
        let text = "# mine\n[gates]\nK01 = 'off'\n\n[split] # the tail\ntail-tokens = 7\ntail-turnz = 2 # few\n";
        let own = |text: &str| Layer::parse(text, Origin::Config("c.toml".into())).unwrap_err().to_string();
        let error = own(text);
        assert!(error.contains("line 7") && error.contains("tail-turnz = 2 # few"), "{error}");
        let error = own("[gates]\n[spilt]\ntail-tokens = 7\n");
        assert!(error.contains("line 2") && error.contains("`preset`, `presets`, `override`, `gates`, "), "{error}");
        let origin = Origin::Config("c.toml".into());
        let text = "[presets.mine]\nextends = 'lean'\n# more\nsplit.tail-turnz = 2\n";
        let config = |text| ConfigText::parse(text, origin.clone()).unwrap();
        let error = super::super::own_presets(&config(text)).unwrap_err().to_string();
        assert!(error.contains("line 4") && !error.contains("`gates`"), "{error}");
        let text = "# first\n[[override]]\nmatch = 'a/**'\n[override.summary]\ntokenz = 2\n";
        let error = super::super::overrides(&config(text)).unwrap_err().to_string();
        assert!(error.contains("line 5") && error.contains("tokenz = 2"), "{error}");
    }

    #[test]
    fn what_is_written_of_settings_can_be_read() {
        for preset in presets() {
            let settings = Settings::of_preset(preset.name).unwrap();
            let text = serde_json::to_string(&settings).unwrap();
            assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), settings, "{}", preset.name);
        }
    }

    #[test]
    fn values_that_can_not_be_meant_are_errors() {
        for (text, told) in [
            ("[split]\ntail-share = 7.0", "a share is from 0 to 1"),
            ("[overflow]\ntrigger = 90", "a share is from 0 to 1"),
            ("[output]\nmin-gain = -1", "a share is from 0 to 1"),
            ("[prune]\nstub = 'gone: {tol}'", "{tol}: nothing is filled in for it; what can be is {tool}"),
            ("[[prune.rules]]\nstub = 'x'", "rule 1 names no tools"),
        ] {
            let error = Layer::parse(text, Origin::Config("c.toml".into())).unwrap_err().to_string();
            assert!(error.contains(told) && error.contains("line "), "{error}");
        }
        let stub = "[prune]\nstub = '{\"cleared\": {tokens}} {} {Tool}'";
        assert!(Layer::parse(stub, Origin::Flag).is_ok(), "braces that are text");
        let mut flags = Layer::new(Origin::Flag);
        flags.set("output.min-gain", 2.0);
        let mut layers = preset_layers("opencode").unwrap();
        layers.push(flags);
        let error = merge(&layers).unwrap_err().to_string();
        assert!(error.contains("command line: output.min-gain = 2") && error.contains("from 0 to 1"), "{error}");
        layers.pop();
        let mut floor = Layer::new(Origin::Flag);
        floor.set("split.tail-floor", 9_000);
        floor.set("split.tail-tokens", 9_000);
        layers.push(floor);
        assert!(merge(&layers).is_ok(), "a stated tail needs no bounds");
        layers[1].table["split"].as_table_mut().unwrap().remove("tail-tokens");
        let error = merge(&layers).unwrap_err().to_string();
        assert!(error.contains("tail-floor = 9000 is more than split.tail-cap = 8000"), "{error}");
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
