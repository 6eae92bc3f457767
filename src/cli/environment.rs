//! Settings from environment variables: what is a policy flag can be set as one, and what looks like one and is none is
//! an error, since a setting that is ignored without a word is worse than none.

use super::flags::{FLAGS, Kind, LISTS, truth};
use crate::preset::{Layer, Origin, PresetError};
use anyhow::bail;
use std::ffi::OsString;
use strsim::levenshtein;

/// How all of our variables begin.
const PREFIX: &str = "EPITOME_";
/// How variables end that hold the key of a model, whatever they are called otherwise (`--llm-key-env`).
const KEY: &str = "_KEY";

/// Most letters in which a mistyped name differs from the one that was meant.
const SLIP: usize = 2;

/// What is read elsewhere.
const OTHERS: [&str; 3] = ["config", "preset", "threads"];

/// The variable of a flag.
fn variable(flag: &str) -> String {
    format!("{PREFIX}{}", flag.to_uppercase().replace('-', "_"))
}

/// One layer per variable that is set.
pub(super) fn layers() -> Vec<Layer> {
    let set = FLAGS.iter().filter_map(|flag| {
        let name = variable(flag.name);
        let value = std::env::var(&name).ok()?;
        let mut layer = Layer::new(Origin::Environment(name));
        layer.set(flag.key, flag.kind.value(value));
        Some(layer)
    });
    let sections = list("section").map(|(origin, names)| {
        let mut layer = Layer::new(origin);
        layer.set("summary.sections", names);
        layer
    });
    set.chain(sections).collect()
}

/// The values of a flag that can be repeated.
fn list(flag: &str) -> Option<(Origin, Vec<String>)> {
    let name = variable(flag);
    let value = std::env::var(&name).ok()?;
    let values = value.split(',').map(str::trim).filter(|value| !value.is_empty()).map(str::to_owned);
    Some((Origin::Environment(name), values.collect()))
}

/// The tools that are protected beside these.
pub(super) fn protecting(tools: &[String]) -> Option<Layer> {
    let (origin, more) = list("protect-tool")?;
    let mut layer = Layer::new(origin);
    layer.set("prune.protect-tools", [tools, &more].concat());
    Some(layer)
}

/// Whether the variable of a switch is set, and to what.
pub(super) fn switch(flag: &str) -> anyhow::Result<Option<bool>> {
    let name = variable(flag);
    let Ok(value) = std::env::var(&name) else { return Ok(None) };
    match truth(&value) {
        None => bail!("environment {name}: \"{value}\" is neither true nor false"),
        on => Ok(on),
    }
}

/// Checks that every variable of ours that is set is known, and has a text as its value.
pub(super) fn check() -> anyhow::Result<()> {
    let ours = |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value));
    let mut set: Vec<_> = std::env::vars_os().filter_map(ours).filter(|(name, _)| name.starts_with(PREFIX)).collect();
    set.sort_unstable();
    if let Some((name, _)) = set.iter().find(|(_, value)| value.to_str().is_none()) {
        bail!("environment {name}: its value is no UTF-8");
    }
    let strange: Vec<&String> = set.iter().map(|(name, _)| name).filter(|name| !is_known(name)).collect();
    match strange.first() {
        None => Ok(()),
        Some(name) => {
            let meant = nearest(name).map_or_else(String::new, |meant| format!(" did you mean {meant}?"));
            bail!("{name}: no such setting;{meant} `epitome --help` says which there are")
        }
    }
}

fn known() -> impl Iterator<Item = String> {
    let flags = FLAGS.iter().map(|flag| flag.name);
    flags.chain(LISTS).chain(OTHERS).map(variable)
}

fn is_known(name: &str) -> bool {
    name.ends_with(KEY) || known().any(|known| known == name)
}

/// The known variable that is written most like this one, if it differs by a slip.
fn nearest(name: &str) -> Option<String> {
    let near = known().map(|known| (levenshtein(name, &known), known)).filter(|(edits, _)| *edits <= SLIP);
    near.min().map(|(_, known)| known)
}

/// An error about a value, with the name of the flag where it was typed as one.
pub(super) fn typed(error: PresetError) -> anyhow::Error {
    let PresetError::Value { origin, key, value, reason } = &error else { return error.into() };
    let mut all = FLAGS.iter().map(|flag| (flag.name, flag.key, Some(flag.kind))).chain([("llm", "llm.kind", None)]);
    let Some((flag, _, kind)) = all.find(|(_, setting, _)| setting == key) else { return error.into() };
    let value = value.trim_matches('"');
    match origin {
        Origin::Flag => anyhow::anyhow!("--{flag} {value}: {reason}"),
        Origin::Environment(name) => match wanted(kind, reason) {
            Some(wanted) => anyhow::anyhow!("environment {name}: {key} = \"{value}\": {wanted}"),
            None if reason.starts_with(value) => anyhow::anyhow!("environment {name}: {key} = {reason}"),
            None => error.into(),
        },
        _ => error.into(),
    }
}

/// What the value of a variable should have been, if it is of a wrong type.
fn wanted(kind: Option<Kind>, reason: &str) -> Option<&'static str> {
    let is_of_type = reason.starts_with("invalid type") || reason.starts_with("invalid value");
    match kind.filter(|_| is_of_type)? {
        Kind::Tokens => Some("not a number of tokens, such as 8000, 8k or 1M"),
        Kind::Plain => Some("not a number that this setting takes"),
        Kind::Switch => Some("neither true nor false (1 and 0 are the same)"),
        Kind::Text => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_known_by_the_flags() {
        assert!(
            ["EPITOME_TAIL_TOKENS", "EPITOME_REDACT", "EPITOME_SECTION", "EPITOME_CONFIG"]
                .iter()
                .all(|name| is_known(name))
        );
        assert!(is_known("EPITOME_OPENAI_KEY"), "as --llm-key-env may name it");
        assert!(!is_known("EPITOME_TAIL_TOKEN") && !is_known("EPITOME_"));
        assert_eq!(nearest("EPITOME_TAIL_TOKEN").as_deref(), Some("EPITOME_TAIL_TOKENS"));
        assert_eq!(nearest("EPITOME_REDCAT").as_deref(), Some("EPITOME_REDACT"));
        assert_eq!(nearest("EPITOME_FOO"), None);
        assert_eq!((levenshtein("abc", "abc"), levenshtein("abc", "ac"), levenshtein("", "ab")), (0, 1, 2));
    }

    #[test]
    fn a_wrong_value_is_told_with_its_flag() {
        let error = |origin| PresetError::Value {
            origin,
            key: "output.ui-copies".into(),
            value: "\"z\"".into(),
            reason: "unknown variant `z`".into(),
        };
        assert_eq!(typed(error(Origin::Flag)).to_string(), "--ui-copies z: unknown variant `z`");
        let told = typed(error(Origin::Environment("EPITOME_UI_COPIES".into()))).to_string();
        assert!(told.starts_with("environment EPITOME_UI_COPIES: output.ui-copies = "), "{told}");
        let tokens = typed(PresetError::Value {
            origin: Origin::Environment("EPITOME_TAIL_TOKENS".into()),
            key: "split.tail-tokens".into(),
            value: "\"abc\"".into(),
            reason: "invalid type: string \"abc\", expected u64".into(),
        });
        let told = "environment EPITOME_TAIL_TOKENS: split.tail-tokens = \"abc\": not a number of tokens, such as 8000, 8k or 1M";
        assert_eq!(tokens.to_string(), told);
    }
}
