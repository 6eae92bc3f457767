//! `expect.toml`: texts that given transcripts must keep or must not have.
//!
//! ```toml
//! [[transcript]]
//! path = "sessions/*.jsonl"
//! must_not = ["hunter2"]
//! facts = [{ any_of = ["src/lexer.rs", "the lexer"], level = "warn" }]
//! ```

use super::Level;
use serde::Deserialize;
use thiserror::Error;
use wildmatch::WildMatch;

/// Example shown in the message if the file expects nothing.
const EXAMPLE: &str = "  [[transcript]]
  path = \"sessions/*.jsonl\"
  facts = [{ any_of = [\"src/lexer.rs\", \"the lexer\"] }]
  must_not = [\"hunter2\"]";

/// Errors of `expect.toml`.
#[derive(Debug, Error)]
pub enum ExpectError {
    /// It is no TOML, or has other keys or values.
    #[error("{0}")]
    Toml(toml::de::Error),
    /// A fact is a text.
    #[error("{path}: a fact is a table of its spellings; write facts = [{{ any_of = [{fact}] }}]")]
    PlainFact {
        /// The path of its transcripts.
        path: String,
        /// The text, as TOML writes it.
        fact: toml::Value,
    },
    /// It names no transcript.
    #[error("nothing is expected in it; write for each transcript\n{example}", example = EXAMPLE)]
    Nothing,
    /// It expects nothing of the transcripts with this path.
    #[error("{0}: nothing is expected of it; write facts or must_not\n{example}", example = EXAMPLE)]
    NothingOf(String),
    /// A fact or text of the transcripts with this path is empty.
    #[error("{0}: a fact needs any_of with at least one text, and no text may be empty")]
    Blank(String),
}

/// An expected fact, in one of several spellings.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedFact {
    /// One of these texts must be there, letter by letter.
    pub any_of: Vec<String>,
    /// Level of the finding if none is there.
    #[serde(default = "error")]
    pub level: Level,
}

/// Expectations for some transcripts.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// Pattern of the transcripts: matches the path in the tree, or the path as given; `*` stands for any text, `?` for
    /// any letter.
    pub path: String,
    /// Line of the row, in files with one conversation per line.
    #[serde(default)]
    pub line: Option<usize>,
    /// Facts that must be there.
    #[serde(default)]
    pub facts: Vec<ExpectedFact>,
    /// Texts that must not be there.
    #[serde(default)]
    pub must_not: Vec<String>,
    /// Level of the findings of `must_not`.
    #[serde(default = "error")]
    pub level: Level,
}

fn error() -> Level {
    Level::Error
}

/// The content of `expect.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectations {
    /// Expectations, each with its path pattern.
    #[serde(default)]
    pub transcript: Vec<Expected>,
}

impl Expectations {
    /// Parses the file.
    ///
    /// # Errors
    /// Unknown keys, values of a wrong type, a fact without a spelling, or no expectation at all.
    pub fn read(text: &str) -> Result<Self, ExpectError> {
        let all: Self = toml::from_str(text).map_err(|err| plain_fact(text).unwrap_or(ExpectError::Toml(err)))?;
        if all.transcript.is_empty() {
            return Err(ExpectError::Nothing);
        }
        for expected in &all.transcript {
            if expected.facts.is_empty() && expected.must_not.is_empty() {
                return Err(ExpectError::NothingOf(expected.path.clone()));
            }
            let blank = |words: &[String]| words.is_empty() || words.iter().any(String::is_empty);
            if expected.facts.iter().any(|fact| blank(&fact.any_of)) || expected.must_not.iter().any(String::is_empty) {
                return Err(ExpectError::Blank(expected.path.clone()));
            }
        }
        Ok(all)
    }

    /// The expectations for a transcript with these paths, at this line.
    pub fn for_transcript(&self, paths: &[&str], line: Option<usize>) -> Vec<&Expected> {
        let is_about = |expected: &&Expected| {
            let wanted = WildMatch::new(&expected.path);
            paths.iter().any(|path| wanted.matches(path)) && (expected.line.is_none() || expected.line == line)
        };
        self.transcript.iter().filter(is_about).collect()
    }

    /// The first path pattern that matches none of these files, whatever they contain.
    pub fn unmet(&self, files: &[String]) -> Option<&str> {
        let is_unmet = |expected: &&Expected| {
            let wanted = WildMatch::new(&expected.path);
            !files.iter().any(|file| wanted.matches(file))
        };
        self.transcript.iter().find(is_unmet).map(|expected| expected.path.as_str())
    }

    /// The first path pattern that matches none of these transcripts, with its line if it has one.
    pub fn unmatched(&self, all: &[(String, Option<usize>)]) -> Option<String> {
        let mut unmatched = self.transcript.iter().filter(|expected| {
            let met = |(path, line): &(String, Option<usize>)| {
                WildMatch::new(&expected.path).matches(path) && (expected.line.is_none() || expected.line == *line)
            };
            !all.iter().any(met)
        });
        let line = |expected: &Expected| expected.line.map(|line| format!(" at line {line}")).unwrap_or_default();
        unmatched.next().map(|expected| format!("{}{}", expected.path, line(expected)))
    }
}

/// Error message for a fact written as a plain string, a likely first attempt.
fn plain_fact(text: &str) -> Option<ExpectError> {
    let table: toml::Table = text.parse().ok()?;
    table.get("transcript")?.as_array()?.iter().find_map(|expected| {
        let fact = expected.get("facts")?.as_array()?.iter().find_map(toml::Value::as_str)?;
        let path = expected.get("path").and_then(toml::Value::as_str).unwrap_or("transcript");
        Some(ExpectError::PlainFact { path: path.to_owned(), fact: fact.into() })
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn facts_belong_to_the_transcripts_that_the_path_names() {
        let text = "[[transcript]]\npath = 'a/*.jsonl'\nfacts = [{ any_of = ['x'] }]\n[[transcript]]\npath = 'rows.jsonl'\nline = 2\nmust_not = ['y']";
        let all = Expectations::read(text).unwrap();
        assert_eq!(all.for_transcript(&["b.jsonl", "a/b.jsonl"], None).len(), 1);
        assert_eq!(all.for_transcript(&["rows.jsonl"], Some(2)).len(), 1);
        assert!(all.for_transcript(&["rows.jsonl"], Some(3)).is_empty());
        assert_eq!(all.unmatched(&[("a/b.jsonl".into(), None)]), Some("rows.jsonl at line 2".to_owned()));
    }

    #[test]
    fn a_fact_that_is_a_mere_text_is_told_with_what_to_write() {
        let told = Expectations::read("[[transcript]]\npath = 'a'\nfacts = ['the quay']").unwrap_err().to_string();
        assert_eq!(told, "a: a fact is a table of its spellings; write facts = [{ any_of = [\"the quay\"] }]");
    }

    #[test]
    fn a_path_that_no_file_has_is_found_before_anything_is_read() {
        let text = "[[transcript]]\npath = 'a/*.jsonl'\nmust_not = ['x']\n[[transcript]]\npath = 'c.json'\nline = 9\nmust_not = ['x']";
        let all = Expectations::read(text).unwrap();
        assert_eq!(all.unmet(&["a/b.jsonl".into()]), Some("c.json"));
        assert_eq!(all.unmet(&["a/b.jsonl".into(), "c.json".into()]), None);
    }

    #[test]
    fn who_expects_nothing_is_told_what_to_write() {
        for text in [
            "",
            "# nothing yet",
            "transcript = []",
            "[[transcript]]\npath = 'a'",
            "[[transcript]]\npath = 'a'\nfacts = []",
        ] {
            let told = Expectations::read(text).unwrap_err().to_string();
            assert!(told.contains("nothing is expected") && told.contains("any_of = ["), "{text}: {told}");
        }
        let example = EXAMPLE.lines().map(str::trim).collect::<Vec<_>>().join("\n");
        assert_eq!(Expectations::read(&example).unwrap().transcript.len(), 1, "it can be read");
    }

    #[test]
    fn unknown_keys_and_facts_without_text_are_errors() {
        for text in [
            "[[transcript]]\npath = 'a'\nfact = []",
            "[[transcript]]\npath = 'a'\nfacts = [{ any_of = [] }]",
            "[[transcript]]\npath = 'a'\nmust_not = ['']",
            "[[transcript]]\npath = 'a'\nlevel = 'bad'",
        ] {
            assert!(Expectations::read(text).is_err(), "{text}");
        }
    }
}
