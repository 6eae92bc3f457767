//! Settings for some files only: the `[[override]]` tables of a configuration file.

use super::layers::broken;
use super::{ConfigText, Layer, Origin, PresetError};
use toml::de::DeValue;
use toml::{Spanned, Value};

/// Settings that differ for some files; only settings of the summary can.
#[derive(Debug, Clone)]
pub struct Override {
    /// The files, as a glob like that of `--include`.
    pub pattern: String,
    /// The settings that differ.
    pub layer: Layer,
}

/// Reads the overrides of a configuration file, in order.
///
/// # Errors
/// The error names the origin, and the missing key or the setting that cannot differ by file.
pub fn overrides(config: &ConfigText<'_>) -> Result<Vec<Override>, PresetError> {
    let ConfigText { text, origin, table, placed } = config;
    let places = placed.get_ref().get("override").and_then(|all| all.get_ref().as_array());
    let place = |at: usize| places.and_then(|all| all.get(at)).cloned();
    match table.get("override") {
        None => Ok(Vec::new()),
        Some(Value::Array(all)) => {
            all.iter().enumerate().map(|(at, one)| read(one, place(at), (text, origin))).collect()
        }
        Some(_) => Err(broken(origin, "overrides are written as [[override]]")),
    }
}

fn read(
    one: &Value,
    place: Option<Spanned<DeValue<'_>>>,
    (text, origin): (&str, &Origin),
) -> Result<Override, PresetError> {
    let mut table = one.as_table().cloned().unwrap_or_default();
    let Some(Value::String(pattern)) = table.remove("match") else {
        return Err(broken(origin, "an [[override]] says which files it is for: match = \"android/**\""));
    };
    let summary = table.get("summary").and_then(Value::as_table);
    let fixed = if summary.is_some_and(|summary| summary.contains_key("by")) { Some("summary.by") } else { None };
    let other = table.keys().map(String::as_str).find(|key| *key != "summary");
    if let Some(key) = fixed.or(other) {
        return Err(broken(
            origin,
            &format!("[[override]]: {key} is the same for all files; only settings of the summary can differ"),
        ));
    }
    let layer = Layer::part(table, place, &["match"], (text, origin.clone()))?;
    Ok(Override { pattern, layer })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Vec<Override>, String> {
        ConfigText::parse(text, Origin::Config("c.toml".into()))
            .and_then(|config| overrides(&config))
            .map_err(|err| err.to_string())
    }

    #[test]
    fn they_say_for_which_files_and_change_nothing_but_the_summary() {
        let all =
            of("[[override]]\nmatch = 'a/**'\n[override.summary]\ntemplate = 't.md'\n[[override]]\nmatch = '*.x'")
                .unwrap();
        assert_eq!(all.iter().map(|one| one.pattern.as_str()).collect::<Vec<_>>(), ["a/**", "*.x"]);
        assert_eq!(all[0].layer.table["summary"]["template"].as_str(), Some("t.md"));
        for (text, told) in [
            ("[[override]]\nsummary.template = 't'", "which files"),
            ("[override]\nmatch = 'x'", "[[override]]"),
            ("[[override]]\nmatch = 'x'\nsummary.by = 'llm'", "summary.by is the same for all files"),
            ("[[override]]\nmatch = 'x'\nllm.model = 'y'", "llm is the same for all files"),
            ("[[override]]\nmatch = 'x'\nsummary.templatte = 'y'", "templatte"),
        ] {
            let error = of(text).unwrap_err();
            assert!(error.starts_with("c.toml: ") && error.contains(told), "{error}");
        }
    }
}
