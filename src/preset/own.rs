//! User-defined presets: the tables `[presets.NAME]` of a configuration file, each with the preset it extends and its
//! changes.

use super::layers::broken;
use super::{ConfigText, Layer, Origin, PresetError, preset_layers, presets};
use toml::de::DeValue;
use toml::{Spanned, Table, Value};

/// The preset that a user-defined one extends by default.
const DEFAULT: &str = "opencode";

/// A preset of a configuration file.
#[derive(Debug, Clone)]
pub struct OwnPreset {
    /// Its name.
    pub name: String,
    /// A one-line description, if there is one.
    pub description: Option<String>,
    /// The preset that it extends: built-in or user-defined.
    pub extends: String,
    /// Its changes.
    pub layer: Layer,
}

impl OwnPreset {
    /// The description, or a default one.
    pub fn description_or_default(&self) -> String {
        self.description.clone().unwrap_or_else(|| format!("{} with settings of your own.", self.extends))
    }

    /// The preset as TOML, in the style of the built-in ones.
    pub fn text(&self) -> String {
        let mut about = Table::new();
        about.extend(self.description.clone().map(|text| ("description".to_owned(), Value::String(text))));
        about.insert("extends".into(), Value::String(self.extends.clone()));
        let mut table = Table::from_iter([("preset".to_owned(), Value::Table(about))]);
        table.extend(self.layer.table.clone());
        toml::to_string(&table).unwrap_or_default()
    }
}

/// Reads the user-defined presets of a configuration file, ordered by name.
///
/// # Errors
/// The error names the origin and the preset: an unknown key, a wrong value, or the name of a built-in preset.
pub fn own_presets(config: &ConfigText<'_>) -> Result<Vec<OwnPreset>, PresetError> {
    let ConfigText { text, origin, table, placed } = config;
    let places = placed.get_ref().get("presets").and_then(|all| all.get_ref().as_table());
    let place = |name: &str| places.and_then(|all| all.get(name)).cloned();
    match table.get("presets") {
        None => Ok(Vec::new()),
        Some(Value::Table(all)) => {
            let all = all.clone().into_iter();
            all.map(|(name, one)| read((place(&name), name), one, (text, origin))).collect()
        }
        Some(_) => Err(broken(origin, "presets are written as [presets.NAME]")),
    }
}

fn read(
    (place, name): (Option<Spanned<DeValue<'_>>>, String),
    one: Value,
    (source, origin): (&str, &Origin),
) -> Result<OwnPreset, PresetError> {
    if presets().any(|preset| preset.name == name) {
        return Err(broken(
            origin,
            &format!("[presets.{name}]: a preset of that name comes with epitome; choose another"),
        ));
    }
    let Value::Table(mut table) = one else {
        return Err(broken(origin, &format!("presets.{name} is no table: write [presets.{name}]")));
    };
    let mut text = |key: &str| match table.remove(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(broken(origin, &format!("presets.{name}.{key} is no text"))),
    };
    let (description, extends) = (text("description")?, text("extends")?);
    // Tables allowed in a whole file but not in a preset; a layer would ignore them.
    if let Some(key) = ["preset", "presets", "gates", "override"].into_iter().find(|key| table.contains_key(*key)) {
        return Err(broken(origin, &format!("presets.{name}.{key}: a preset has settings only")));
    }
    let own = Origin::Preset(format!("{name} of {origin}"));
    let layer = Layer::part(table, place, &["description", "extends"], (source, own))?;
    Ok(OwnPreset { name, description, extends: extends.unwrap_or_else(|| DEFAULT.into()), layer })
}

/// The layers of a built-in or user-defined preset: those of the preset it extends first, then its own. The later of
/// two user-defined presets with one name counts.
///
/// # Errors
/// The preset is unknown, or extends itself.
pub fn layers_of(name: &str, own: &[OwnPreset]) -> Result<Vec<Layer>, PresetError> {
    layers_below(name, own, &mut Vec::new())
}

fn layers_below<'o>(name: &'o str, own: &'o [OwnPreset], above: &mut Vec<&'o str>) -> Result<Vec<Layer>, PresetError> {
    let Some(preset) = own.iter().rfind(|preset| preset.name == name) else { return preset_layers(name) };
    if above.contains(&name) {
        return Err(broken(&preset.layer.origin, "it extends itself"));
    }
    above.push(name);
    let mut layers = layers_below(&preset.extends, own, above).map_err(|error| match error {
        PresetError::Unknown { name } => {
            broken(&preset.layer.origin, &format!("extends = \"{name}\": unknown preset; `epitome presets` lists them"))
        }
        other => other,
    })?;
    layers.push(preset.layer.clone());
    Ok(layers)
}

/// Whether the system that a built-in or user-defined preset is named after has a model write the summary.
///
/// # Errors
/// The preset is unknown, or extends itself.
pub fn asks_model(name: &str, own: &[OwnPreset]) -> Result<bool, PresetError> {
    layers_of(name, own)?;
    let mut name = name.to_owned();
    while let Some(preset) = own.iter().rfind(|preset| preset.name == name) {
        name.clone_from(&preset.extends);
    }
    while let Some(preset) = presets().find(|preset| preset.name == name) {
        let about = preset.about()?;
        match (about.model, about.extends) {
            (None, Some(extends)) => name = extends,
            (stated, _) => return Ok(stated.unwrap_or(false)),
        }
    }
    Ok(false)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::merge;
    use super::*;

    fn of(text: &str) -> Result<Vec<OwnPreset>, String> {
        ConfigText::parse(text, Origin::Config("c.toml".into()))
            .and_then(|config| own_presets(&config))
            .map_err(|err| err.to_string())
    }

    #[test]
    fn one_extends_another_and_that_one_a_known_one() {
        let own = of("[presets.b]\nextends = 'a'\nsplit.user-tokens = 7\n[presets.a]\nextends = 'codex'\n\
                      description = 'Codex, for us.'\n[presets.a.summary]\ntokens = 9\n")
        .unwrap();
        assert_eq!(own.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        let settings = merge(&layers_of("b", &own).unwrap()).unwrap().settings;
        assert_eq!((settings.split.user_tokens, settings.summary.tokens), (7, 9));
        assert_eq!(settings.overflow.trigger, 0.9, "that of codex");
        assert_eq!(
            own[0].text(),
            "[preset]\ndescription = \"Codex, for us.\"\nextends = \"codex\"\n\n[summary]\ntokens = 9\n"
        );
        assert!(layers_of("c", &own).unwrap_err().to_string().contains("unknown preset `c`"));
    }

    #[test]
    fn what_is_wrong_with_one_is_told() {
        for (text, told) in [
            ("[presets.lean]\n", "comes with epitome"),
            ("presets = 3", "[presets.NAME]"),
            ("presets.a = 3", "no table"),
            ("[presets.a]\nextends = 3", "presets.a.extends"),
            ("[presets.a]\nsplit.bugdet = 3", "bugdet"),
            ("[presets.a]\npreset.extends = 'lean'", "presets.a.preset"),
            ("[presets.a.gates]\nT01 = 'off'", "presets.a.gates"),
        ] {
            let error = of(text).unwrap_err();
            assert!(error.contains("c.toml") && error.contains(told), "{error}");
        }
        let lost = of("[presets.a]\nextends = 'laen'\n").unwrap();
        let error = layers_of("a", &lost).unwrap_err().to_string();
        assert!(error.starts_with("preset a of c.toml: extends = \"laen\": unknown preset"), "{error}");
        let round = of("[presets.a]\nextends = 'b'\n[presets.b]\nextends = 'a'\n").unwrap();
        assert!(layers_of("a", &round).unwrap_err().to_string().contains("extends itself"));
    }
}
