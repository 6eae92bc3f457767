//! The texts that stand where content was pruned: those that are known, and those that the settings of a run state.

use crate::transcript::{STUB_FIELDS, fixed_texts};
use regex::Regex;
use std::collections::BTreeSet;

/// Patterns of stubs, by which a result that was pruned is told from one that was tampered with.
#[derive(Debug, Clone, Default)]
pub struct Stubs {
    patterns: Vec<Pattern>,
    arguments: BTreeSet<String>,
}

/// A pattern, and the fields that its groups stand for.
#[derive(Debug, Clone)]
struct Pattern {
    text: Regex,
    fields: Vec<&'static str>,
}

impl Stubs {
    /// Adds the pattern of a stub, with its fields (`{tool}`, `{head}` and the like).
    pub fn add(&mut self, pattern: &str) {
        self.patterns.extend(Pattern::new(pattern));
    }

    /// Adds what stands for the arguments of calls.
    pub fn add_arguments(&mut self, text: &str) {
        self.arguments.insert(text.to_owned());
    }

    /// Whether a text is the stub of a result that said `old`.
    pub(super) fn stands_for(&self, text: &str, old: &str) -> bool {
        fixed_texts::is_stub(text) || self.patterns.iter().any(|pattern| pattern.made(text.trim(), old))
    }

    /// Whether a text stands for arguments that were cleared.
    pub(super) fn clears(&self, arguments: &str) -> bool {
        self.arguments.contains(arguments.trim())
    }
}

impl Pattern {
    /// None for one that says nothing of its own, which would know any text.
    fn new(pattern: &str) -> Option<Self> {
        let (mut text, mut fields, mut words) = ("(?s)^".to_owned(), Vec::new(), 0);
        let mut rest = pattern.trim();
        while let Some((at, field)) = STUB_FIELDS.iter().filter_map(|field| Some((rest.find(field)?, *field))).min() {
            text += &regex::escape(&rest[..at]);
            text += value(field);
            words += rest[..at].trim().len();
            fields.push(field);
            rest = &rest[at + field.len()..];
        }
        text += &regex::escape(rest);
        words += rest.trim().len();
        let known = words > 0 || fields.iter().any(|field| ["{head}", "{tail}", "{sha256}"].contains(field));
        let text = Regex::new(&(text + "$")).ok().filter(|_| known)?;
        Some(Self { text, fields })
    }

    /// Whether it made a text out of another one: what is quoted stands there.
    fn made(&self, text: &str, old: &str) -> bool {
        let Some(found) = self.text.captures(text) else { return false };
        self.fields.iter().zip(1..).all(|(field, group)| {
            let said = found.get(group).map_or("", |found| found.as_str().trim());
            match *field {
                "{head}" => old.trim_start().starts_with(said),
                "{tail}" => old.trim_end().ends_with(said),
                _ => true,
            }
        })
    }
}

/// What can stand for a field.
fn value(field: &str) -> &'static str {
    match field {
        "{tokens}" | "{lines}" | "{chars}" => "([0-9]+)",
        "{sha256}" => "([0-9a-f]{64})",
        "{head}" | "{tail}" => "(.*)",
        _ => "([^\n]*?)",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(pattern: &str, text: &str, old: &str) -> bool {
        let mut stubs = Stubs::default();
        stubs.add(pattern);
        stubs.stands_for(text, old)
    }

    #[test]
    fn a_stub_is_known_by_its_pattern_and_what_it_quotes_stands_there() {
        assert!(made("<MASKED>", " <MASKED>\n", "ok") && !made("<MASKED>", "<MASKED> 7 passed", "7 failed"));
        assert!(made("[gone: {tool} {tokens}]", "[gone: read_file 42]", "x"));
        assert!(!made("[gone: {tool} {tokens}]", "[gone: read_file many]", "x"));
        let excerpt = "[{tool}: {head}... [truncated]]";
        assert!(made(excerpt, "[bash: one\ntwo... [truncated]]", "one\ntwo\nthree"));
        assert!(!made(excerpt, "[bash: one\nsix... [truncated]]", "one\ntwo\nthree"));
        assert!(!made("{tool}", "anything", "something"), "a pattern without words of its own knows nothing");
        assert!(made("x{head}", "x", "y"));
    }
}
