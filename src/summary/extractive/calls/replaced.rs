//! What a change of a file takes out and brings in, from the arguments of its call: old and new strings, patches, and
//! blocks to search and replace.

use crate::transcript::parsed;
use serde_json::Value;

/// Beginnings of the keys of what is taken out, and of what is brought in, in lower case.
const OLD: [&str; 3] = ["old", "search", "find"];
const NEW: [&str; 3] = ["new", "replace", "content"];
/// Marks of blocks to search and replace.
const SEARCH: &str = "<<<<<<< SEARCH";
const MIDDLE: &str = "=======";
const REPLACE: &str = ">>>>>>> REPLACE";

/// The texts that a change takes out and brings in. The lines around them in a patch are among both.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::summary::extractive) struct Replaced {
    old: String,
    new: String,
}

impl Replaced {
    /// Reads the arguments of a call as they are stored: a JSON object, or a patch.
    pub(in crate::summary::extractive) fn of(arguments: &str) -> Self {
        let mut replaced = Self::default();
        match parsed::<Value>(arguments) {
            Some(value) => replaced.read("", &value),
            None => replaced.patch(arguments),
        }
        replaced
    }

    /// Whether the text that is taken out has `code`.
    pub(in crate::summary::extractive) fn had(&self, code: &str) -> bool {
        self.old.contains(code)
    }

    /// Whether the text that is brought in has `code`.
    pub(in crate::summary::extractive) fn has(&self, code: &str) -> bool {
        self.new.contains(code)
    }

    fn read(&mut self, key: &str, value: &Value) {
        match value {
            Value::Object(fields) => fields.iter().for_each(|(key, value)| self.read(key, value)),
            Value::Array(values) => values.iter().for_each(|value| self.read(key, value)),
            Value::String(text) => self.text(&key.to_lowercase(), text),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn text(&mut self, key: &str, text: &str) {
        let is = |keys: &[&str]| keys.iter().any(|start| key.starts_with(start));
        if text.contains(SEARCH) {
            self.blocks(text);
        } else if is_patch(text) {
            self.patch(text);
        } else if is(&OLD) {
            push(&mut self.old, text);
        } else if is(&NEW) {
            push(&mut self.new, text);
        }
    }

    /// Adds the lines of a patch.
    fn patch(&mut self, text: &str) {
        for line in text.lines() {
            let sign = line.chars().next();
            if sign != Some('+') {
                push(&mut self.old, line.strip_prefix('-').unwrap_or(line));
            }
            if sign != Some('-') {
                push(&mut self.new, line.strip_prefix('+').unwrap_or(line));
            }
        }
    }

    /// Adds blocks to search and replace.
    fn blocks(&mut self, text: &str) {
        let mut into: Option<&mut String> = None;
        for line in text.lines() {
            match line.trim_end() {
                SEARCH => into = Some(&mut self.old),
                MIDDLE if into.is_some() => into = Some(&mut self.new),
                REPLACE => into = None,
                _ => into.iter_mut().for_each(|into| push(into, line)),
            }
        }
    }
}

fn is_patch(text: &str) -> bool {
    text.contains("*** Begin Patch") || text.starts_with("@@ ") || text.contains("\n@@")
}

fn push(into: &mut String, text: &str) {
    into.push_str(text);
    into.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_out_and_brought_in_is_read_from_all_kinds_of_changes() {
        let strings = r#"{"path":"lamp.rs","edits":[{"old_string":"gas = 1","newText":"oil = 1"}]}"#;
        let patch = "*** Begin Patch\n*** Update File: lamp.rs\n@@\n pier();\n-gas = 1\n+oil = 1\n*** End Patch";
        let in_field = serde_json::json!({ "input": patch }).to_string();
        let blocks = format!("{SEARCH}\ngas = 1\n{MIDDLE}\noil = 1\n{REPLACE}");
        let blocks = serde_json::json!({ "path": "lamp.rs", "diff": blocks }).to_string();
        for arguments in [strings, patch, &in_field, &blocks] {
            let replaced = Replaced::of(arguments);
            assert!(replaced.had("gas = 1") && !replaced.has("gas = 1"), "{arguments}");
            assert!(replaced.has("oil = 1") && !replaced.had("oil = 1"), "{arguments}");
        }
        let around = Replaced::of(patch);
        assert!(around.had("pier();") && around.has("pier();"));
        assert_eq!(Replaced::of(r#"{"path":"gas = 1"}"#), Replaced::default());
    }
}
