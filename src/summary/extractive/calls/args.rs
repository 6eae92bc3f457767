//! The arguments of a call: the top level of a JSON object. Values are decoded only when they are needed.

use crate::summary::extractive::files::paths::is_absolute;
use crate::summary::text::contains_any;
use crate::transcript::parsed;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// Maximum number of objects shown per list, and of values per object.
const LISTED: usize = 3;
/// Maximum length of a decoded value, in bytes.
const LONGEST: usize = 64 * 1024;

/// Parts of the names of credentials, without signs between their words.
const SECRETS: [&str; 11] = [
    "passw",
    "passphrase",
    "passcode",
    "secret",
    "token",
    "credential",
    "apikey",
    "accesskey",
    "privatekey",
    "recoverycode",
    "backupcode",
];

/// Names of fields that say too little without that of the object that has them.
const SAYS_LITTLE: [&str; 14] = [
    "amount",
    "code",
    "count",
    "date",
    "description",
    "id",
    "kind",
    "name",
    "state",
    "status",
    "time",
    "title",
    "total",
    "type",
];

/// Arguments that name the folder in which a command runs.
const FOLDER_KEYS: &[&str] = &["workdir", "working_directory", "cwd"];

/// The arguments of a call as they are stored.
pub(in crate::summary::extractive) struct Args<'a> {
    fields: Vec<(String, &'a RawValue)>,
    raw: &'a str,
}

impl<'a> Args<'a> {
    /// Parses stored arguments; text that is not a JSON object gives arguments without fields.
    pub(in crate::summary::extractive) fn read(raw: &'a str) -> Self {
        let fields = serde_json::from_str::<Fields<'a>>(raw).map(|fields| fields.0).unwrap_or_default();
        Self { fields, raw }
    }

    /// The first line of arguments that are no JSON but code.
    pub(super) fn code_line(&self) -> Option<&'a str> {
        let is_comment = |line: &&str| line.starts_with('#') || line.starts_with("//");
        let line = self.raw.lines().map(str::trim).find(|line| !line.is_empty() && !is_comment(line))?;
        let is_json = || serde_json::from_str::<serde::de::IgnoredAny>(self.raw).is_ok();
        (self.fields.is_empty() && !line.starts_with(['{', '[', '"']) && !is_json()).then_some(line)
    }

    /// The first of these fields that holds a string, decoded.
    pub(in crate::summary::extractive) fn text(&self, keys: &[&str]) -> Option<String> {
        keys.iter().find_map(|key| self.raw(key).and_then(decode))
    }

    /// The names of the fields.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|(name, _)| name.as_str())
    }

    /// The stored JSON of a field.
    pub(super) fn raw(&self, key: &str) -> Option<&'a str> {
        self.fields.iter().find(|(name, _)| name == key).map(|(_, value)| value.get())
    }

    /// The strings of a field that holds an array of them.
    pub(super) fn texts(&self, key: &str) -> Option<Vec<String>> {
        self.raw(key).filter(|raw| raw.len() <= LONGEST).and_then(parsed)
    }

    /// The objects of a field that holds an array; other items become arguments without fields.
    pub(super) fn objects(&self, key: &str) -> Option<Vec<Self>> {
        let raw = self.raw(key).filter(|raw| raw.len() <= LONGEST && raw.starts_with('['))?;
        let all: Vec<&'a RawValue> = serde_json::from_str(raw).ok()?;
        Some(all.into_iter().map(|one| Self::read(one.get())).collect())
    }

    /// Formats each field that holds a list of objects like [`list`](Self::list).
    fn lists(&self) -> Vec<String> {
        self.fields.iter().filter_map(|(name, _)| self.list(name)).collect()
    }

    /// Formats a field that holds a list of objects as `name value value; value value`: the first [`LISTED`] short
    /// values of the first [`LISTED`] objects, and a mark if there are more.
    pub(super) fn list(&self, name: &str) -> Option<String> {
        let objects = self.objects(name)?;
        let briefs: Vec<Vec<String>> = objects.iter().take(LISTED).map(Self::brief).collect();
        let all: Vec<String> = briefs.iter().map(|brief| values(brief, &briefs)).collect();
        listed(name, all, objects.len())
    }

    /// Formats each field that holds a list of objects like [`lists`](Self::lists), or of strings: the first [`LISTED`].
    pub(in crate::summary::extractive) fn all_lists(&self) -> Vec<String> {
        self.lists().into_iter().chain(self.lists_of_texts()).collect()
    }

    /// Formats each field that holds a list of strings. Texts below the name of a credential are none: what looks like
    /// a word may be one.
    pub(super) fn lists_of_texts(&self) -> impl Iterator<Item = String> {
        let strings = |(name, _): &(String, &RawValue)| {
            let texts = self.texts(name).filter(|_| !names_secrets(name))?;
            let count = texts.len();
            listed(name, texts.into_iter().take(LISTED).collect(), count)
        };
        self.fields.iter().filter_map(strings)
    }

    /// `name=value` for the short fields of the objects that fields hold, or that are alone in their lists; with the
    /// name of the outer field where the inner one says too little, or another one has it too.
    pub(in crate::summary::extractive) fn inner(&self) -> Vec<String> {
        let object = |name: &str, raw: &'a str| match raw.as_bytes().first() {
            Some(b'{') => Some(Self::read(raw)),
            _ => self
                .objects(name)?
                .pop()
                .filter(|one| self.objects(name).is_some_and(|all| all.len() == 1) && one.brief().is_empty()),
        };
        let inner = self.fields.iter().filter_map(|(name, raw)| Some((name.as_str(), object(name, raw.get())?)));
        let inner: Vec<(&str, Self)> = inner.collect();
        let is_twice =
            |own: &str| self.raw(own).is_some() || inner.iter().filter(|(_, it)| it.raw(own).is_some()).count() > 1;
        let named = |outer: &str, field: String| match field.split_once('=') {
            Some((own, _)) if SAYS_LITTLE.contains(&own) || is_twice(own) => format!("{outer} {field}"),
            _ => field,
        };
        let fields = |(outer, it): &(&str, Self)| {
            let all = it.fields.iter().filter_map(|(name, raw)| brief(name, raw.get()).or_else(|| it.plain_list(name)));
            all.map(|field| named(outer, field)).collect::<Vec<_>>()
        };
        inner.iter().flat_map(fields).collect()
    }

    /// `name=value; value` for a list of few plain values.
    pub(super) fn plain_list(&self, name: &str) -> Option<String> {
        let raw = self.raw(name).filter(|raw| raw.starts_with('[') && raw.len() <= LONGEST && !names_secrets(name))?;
        let all: Vec<&RawValue> = serde_json::from_str(raw).ok()?;
        let plain = |one: &&RawValue| brief("", one.get()).map(|own| own[1..].to_owned());
        let values: Option<Vec<String>> = all.iter().map(plain).collect();
        let values = values.filter(|values| (1..=LISTED).contains(&values.len()))?;
        Some(format!("{name}={}", values.join("; ")))
    }

    /// The free text of a call: arguments that are a JSON string or not JSON, or the field `input`, `patch`,
    /// `patch_text` or `patchText`.
    pub(super) fn free_text(&self) -> Option<String> {
        match &*self.fields {
            [] if self.raw.starts_with('"') => decode(self.raw),
            [] if !self.raw.trim_start().starts_with(['{', '[']) => Some(self.raw.to_owned()),
            _ => self.text(&["input", "patch", "patch_text", "patchText"]),
        }
    }

    /// `name=value` for the short fields, in order.
    pub(in crate::summary::extractive) fn brief(&self) -> Vec<String> {
        self.fields.iter().filter_map(|(name, value)| brief(name, value.get())).collect()
    }
}

/// The first [`LISTED`] values of one of several objects, in the order of the first one's fields, and those of fields
/// that the first one lacks: one that it lacks itself is a dash, as the next value would stand in its place.
fn values(brief: &[String], briefs: &[Vec<String>]) -> String {
    let first = named(&briefs[0]);
    let mut columns: Vec<&str> = first.iter().map(|(name, _)| *name).take(LISTED).collect();
    for (name, _) in briefs[1..].iter().flat_map(|other| named(other)) {
        let is_new = !columns.contains(&name) && first.iter().all(|(own, _)| *own != name);
        if is_new && columns.len() < 2 * LISTED {
            columns.push(name);
        }
    }
    let own = named(brief);
    let value = |name: &&str| own.iter().find(|(own, _)| own == name).map_or("–", |(_, value)| value);
    columns.iter().map(value).collect::<Vec<_>>().join(" ").trim_end_matches([' ', '–']).to_owned()
}

/// Fields in short, each by its name.
fn named(brief: &[String]) -> Vec<(&str, &str)> {
    brief.iter().filter_map(|field| field.split_once('=')).collect()
}

/// A field with the first items of its list, with a mark if there are more; `None` if they are empty.
fn listed(name: &str, mut items: Vec<String>, count: usize) -> Option<String> {
    let more = if count > items.len() { "; …" } else { "" };
    items.retain(|item| !item.trim().is_empty());
    (!items.is_empty()).then(|| format!("{name} {}{more}", items.join("; ")))
}

/// Whether a list with this name may have credentials.
pub(super) fn names_secrets(name: &str) -> bool {
    let name = name.to_lowercase().replace(['_', '-', ' '], "");
    contains_any(&name, &SECRETS)
}

fn brief(name: &str, value: &str) -> Option<String> {
    let long = value.len() > 300 || value.starts_with(['{', '[']);
    let shown = decode(value).unwrap_or_else(|| value.to_owned());
    (!long && !shown.trim().is_empty() && shown != "null").then(|| format!("{name}={shown}"))
}

fn decode(raw: &str) -> Option<String> {
    if raw.len() > LONGEST || !raw.starts_with('"') {
        return None;
    }
    let text: String = parsed(raw)?;
    // Antigravity stores each argument as JSON in a string: `"\"src/a.rs\""`.
    let inner = text.starts_with('"').then(|| serde_json::from_str(&text).ok()).flatten();
    Some(inner.unwrap_or(text))
}

/// The fields of an object, in order.
struct Fields<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(Fields(fields))
    }
}

/// The folder in which a call states that it runs, if the path is absolute.
pub(in crate::summary::extractive) fn stated(args: &Args<'_>) -> Option<String> {
    args.text(FOLDER_KEYS).filter(|folder| is_absolute(folder))
}

/// The folder in which a call with these stored arguments states that it runs, if the path is absolute.
pub fn stated_folder(arguments: &str) -> Option<String> {
    contains_any(arguments, FOLDER_KEYS).then(|| stated(&Args::read(arguments))).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_by_name_and_shown_in_order() {
        let args = Args::read(r#"{"file_path":"a\tb","n":3,"deep":{"x":1},"argv":["a","b"]}"#);
        assert_eq!(args.text(&["path", "file_path"]).as_deref(), Some("a\tb"));
        assert_eq!(args.texts("argv"), Some(vec!["a".into(), "b".into()]));
        assert_eq!(args.brief(), ["file_path=a\tb", "n=3"]);
    }

    #[test]
    fn what_the_first_of_several_objects_lacks_is_told_of_the_others() {
        let lists = |raw: &str| Args::read(raw).lists().join(", ");
        for (raw, told) in [
            (r#"{"payments":[{"id":"P1"},{"id":"P2","error":"card declined"}]}"#, "payments P1; P2 card declined"),
            (r#"{"seats":[{"name":"Ann","seat":null},{"name":"Bob","seat":"12A"}]}"#, "seats Ann; Bob 12A"),
            (r#"{"steps":[{"n":1,"state":"","who":"Ann"},{"n":2,"state":"failed"}]}"#, "steps 1 Ann; 2 – failed"),
            (r#"{"rows":[{"a":1,"b":2,"c":3,"d":4},{"a":5,"d":6,"e":7}]}"#, "rows 1 2 3; 5 – – 7"),
            (r#"{"rows":[{"deep":{}},{"x":2}]}"#, "rows 2"),
        ] {
            assert_eq!(lists(raw), told, "{raw}");
        }
    }

    #[test]
    fn half_a_surrogate_pair_costs_no_value() {
        let args = Args::read(r#"{"command":"echo \ud83d lamp","argv":["a\udca1"]}"#);
        assert_eq!(args.text(&["command"]).as_deref(), Some("echo \u{fffd} lamp"));
        assert_eq!(args.texts("argv"), Some(vec!["a\u{fffd}".into()]));
    }

    #[test]
    fn a_string_that_holds_a_string_is_decoded_twice() {
        let args = Args::read(r#"{"TargetFile":"\"c:\\\\quay\\\\a.rs\"","command":"\"make\" all"}"#);
        assert_eq!(args.text(&["TargetFile"]).as_deref(), Some(r"c:\quay\a.rs"));
        assert_eq!(args.text(&["command"]).as_deref(), Some(r#""make" all"#));
    }

    #[test]
    fn arguments_that_are_no_object_are_free_text() {
        assert_eq!(Args::read("*** Begin Patch").free_text().as_deref(), Some("*** Begin Patch"));
        assert_eq!(Args::read(r#"{"input":"x"}"#).free_text().as_deref(), Some("x"));
        assert_eq!(Args::read(r#""*** Begin\nx""#).free_text().as_deref(), Some("*** Begin\nx"));
        assert_eq!(Args::read("[1]").free_text(), None);
        assert_eq!(Args::read("").brief(), Vec::<String>::new());
    }
}
