//! The text of a configuration file, parsed once: settings for all files and for some, presets, and what other code
//! reads of it.

use super::layers::broken;
use super::{Origin, PresetError};
use serde::Deserialize;
use toml::de::{DeTable, Deserializer};
use toml::{Spanned, Table, Value};

/// A parsed text. What is in it is checked by the functions that read its parts.
#[derive(Debug, Clone)]
pub struct ConfigText<'t> {
    pub(super) text: &'t str,
    pub(super) origin: Origin,
    /// Its values.
    pub(super) table: Table,
    /// The same with the position of each, for errors.
    pub(super) placed: Spanned<DeTable<'t>>,
}

impl<'t> ConfigText<'t> {
    /// Parses a text.
    ///
    /// # Errors
    /// It is no TOML. The error names the origin and the line.
    pub fn parse(text: &'t str, origin: Origin) -> Result<Self, PresetError> {
        let wrong = |mut err: toml::de::Error| {
            err.set_input(Some(text));
            broken(&origin, &err.to_string())
        };
        let placed = DeTable::parse(text).map_err(wrong)?;
        let table = Table::deserialize(Deserializer::from(placed.clone())).map_err(wrong)?;
        Ok(Self { text, origin, table, placed })
    }

    /// The name of the preset that the file extends, if it names one.
    pub fn extends(&self) -> Option<&str> {
        self.table.get("preset")?.get("extends")?.as_str()
    }

    /// What it has for the gates of `check`, checked by those.
    pub fn gates(&self) -> Option<&Value> {
        self.table.get("gates")
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_toml_is_told_with_its_line() {
        for text in ["[split]\ntail-tokens = = 2\n", "[split]\ntail-tokens = 99999999999999999999\n"] {
            let error = ConfigText::parse(text, Origin::Config("c.toml".into())).unwrap_err().to_string();
            assert!(error.starts_with("c.toml: ") && error.contains("line 2"), "{error}");
            let direct = text.parse::<Table>().unwrap_err().to_string();
            assert!(error.ends_with(&direct), "{error} {direct}");
        }
    }
}
