//! Facts: values that a later reader would look up, found in a text by rules that are frozen as version [`FACT_SPEC`].
//!
//! Classes and normalization are those of QUALITY §2. The summarizer uses facts, and the measures judge it by them, so
//! the rules are independent of both: a change makes a new version, and numbers of two versions are never compared.
//! Texts are read piece by piece between white space: ASCII ones, the most common, byte by byte, others by regular
//! expressions that run in linear time. Both find the same facts (a test compares them).

mod any;
mod arguments;
mod commands;
mod found;
mod identifiers;
mod ids;
mod paths;
mod percent;
mod pieces;
mod worth;

use arguments::call_into;
pub use arguments::{call_facts, readable_text, values};
pub use commands::{commands, is_cut, program_name};
pub use paths::{PathTable, resolve};
pub use percent::{cuts_escape, ends_escape};
pub use worth::{Voice, worth};

use crate::transcript::{Message, Part, PartKind, envelope};
pub use found::Sink;
use found::{Found, Reader};
use pieces::pieces;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};

/// The version of the rules.
pub const FACT_SPEC: &str = "v1";

/// The class of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Program and first argument of a shell call.
    Cmd,
    /// An error's name or code.
    Error,
    /// A number that names something: a UUID, hash, version, date, issue, code, port, amount.
    Id,
    /// An identifier of several words.
    Ident,
    /// The last two components of a path.
    Path,
    /// A web address without fragment and query.
    Url,
}

impl Class {
    /// All classes, in order.
    pub(crate) const ALL: [Self; 6] = [Self::Cmd, Self::Error, Self::Id, Self::Ident, Self::Path, Self::Url];

    /// Stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cmd => "cmd",
            Self::Error => "error",
            Self::Id => "id",
            Self::Ident => "ident",
            Self::Path => "path",
            Self::Url => "url",
        }
    }
}

/// A class and a normalized value. A path that is only a file name is completed by [`resolve`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact {
    /// The class.
    pub class: Class,
    /// The normalized value.
    pub value: String,
}

impl Fact {
    /// Whether the fact is a path with a known extension of files.
    pub fn is_file(&self) -> bool {
        self.class == Class::Path && paths::has_extension(&self.value)
    }

    /// The fact as written in a list, so that reading it gives the same fact. An ellipsis marks a folder of which only
    /// the end is known, and a command that was cut.
    pub fn spelled(&self) -> String {
        if self.class == Class::Cmd && is_cut(&self.value) {
            return format!("{}…", self.value);
        }
        let alone = self.class != Class::Path || !self.value.contains('/') || self.is_read_as_itself();
        if alone { self.value.clone() } else { format!("…/{}", self.value) }
    }

    fn is_read_as_itself(&self) -> bool {
        let mut same = Same { fact: self, found: false };
        extract_into(&self.value, &mut same);
        same.found
    }
}

/// A sink that only notes whether a given fact is found.
struct Same<'f> {
    fact: &'f Fact,
    found: bool,
}

impl Sink for Same<'_> {
    fn add(&mut self, class: Class, value: &str) {
        self.found |= class == self.fact.class && value == self.fact.value;
    }
}

/// Returns the facts in a text, except commands, which are only found in shell calls.
pub fn extract(text: &str) -> BTreeSet<Fact> {
    let mut found = Found::default();
    extract_into(text, &mut found);
    found.settle()
}

/// Passes the facts in a text to a sink, once per occurrence. A name that is both is passed as an error and as an
/// identifier; it counts as an error.
pub fn extract_into(text: &str, sink: &mut dyn Sink) {
    let mut reader = Reader(sink);
    pieces(text).for_each(|piece| reader.read(piece));
}

/// Returns the facts in the text, results and calls of a message, and whether a call has each. Reasoning is left out,
/// as no harness shows it to the next model.
pub fn of_message(message: &Message<'_>) -> BTreeMap<Fact, bool> {
    of_parts(message, |_| true)
}

/// Returns the facts in the wanted parts of a message, like [`of_message`].
pub fn of_parts(message: &Message<'_>, wanted: impl Fn(&PartKind<'_>) -> bool) -> BTreeMap<Fact, bool> {
    let mut facts = BTreeMap::new();
    for part in message.parts.iter().filter(|part| wanted(&part.kind)) {
        let (own, call) = of_part(part);
        add(&mut facts, own.into_iter().map(|fact| (fact, call)));
    }
    facts
}

/// Returns the facts in a part, and whether it is a call.
pub fn of_part(part: &Part<'_>) -> (BTreeSet<Fact>, bool) {
    match &part.kind {
        PartKind::Call { name, .. } => (call_facts(name, &part.text), true),
        PartKind::Text | PartKind::Result { .. } => (extract(&part.text), false),
        _ => (BTreeSet::new(), false),
    }
}

/// Passes the facts in a part to a sink, like [`extract_into`]; returns whether it is a call.
pub fn part_into(part: &Part<'_>, sink: &mut dyn Sink) -> bool {
    match &part.kind {
        PartKind::Call { name, .. } => call_into(name, &part.text, sink),
        PartKind::Text => extract_into(&envelope::words_and_media(&part.text), sink),
        PartKind::Result { .. } => extract_into(&part.text, sink),
        _ => {}
    }
    part.is_call()
}

/// Merges facts; the flag is true if a call has the fact in either.
pub fn add(facts: &mut BTreeMap<Fact, bool>, others: impl IntoIterator<Item = (Fact, bool)>) {
    for (fact, call) in others {
        *facts.entry(fact).or_default() |= call;
    }
}

/// Compiles a constant pattern.
#[expect(clippy::unwrap_used, reason = "the patterns are constants")]
pub(crate) fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The facts in a text as `class value`, in order.
    fn found(text: &str) -> Vec<String> {
        extract(text).iter().map(|fact| format!("{} {}", fact.class.name(), fact.value)).collect()
    }

    #[test]
    fn a_path_may_begin_with_a_drive() {
        let paths = |text: &str| {
            let facts = extract(text).into_iter().filter(|fact| fact.class == Class::Path);
            facts.map(|fact| fact.value).collect::<Vec<_>>()
        };
        for text in ["`c:/Users/y/quay/page.tsx`", "é `c:/Users/y/quay/page.tsx`", "c:/Users/yé/quay/page.tsx"] {
            assert_eq!(paths(text), ["quay/page.tsx"], "{text}");
        }
        for text in ["see https://a.example/quay/page", "é see https://a.example/quay/page"] {
            assert_eq!(paths(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn every_class_is_found() {
        let text = "See https://a.example/x?y#z. In `src/net/io.rs:12:3` readAll failed with IoError E0308 at #42";
        assert_eq!(
            found(text),
            ["error E0308", "error IoError", "id #42", "ident readAll", "path net/io.rs", "url https://a.example/x"]
        );
        let numbers = "v1.2.3 2024-05-06 deadbee1 12345 3000 2024 host:8080 $12.50 HAT123 #W99";
        let ids = ["#W99", "$12.50", "1.2.3", "12345", "2024-05-06", "8080", "HAT123", "deadbee1"];
        assert_eq!(found(numbers), ids.map(|id| format!("id {id}")));
    }

    /// The facts that the patterns find in a whole text.
    fn by_patterns(text: &str) -> BTreeSet<Fact> {
        let mut found = Found::default();
        any::read(text, &mut found);
        found.settle()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn bytes_and_patterns_find_the_same(words in prop::collection::vec(word(), 1..12), glue in "[ \n:;,.#/$(=-]{11}") {
            let glued = words.iter().zip(glue.chars().chain([' ']));
            let text: String = glued.map(|(word, glue)| format!("{word}{glue}")).collect();
            prop_assert_eq!(extract(&text), by_patterns(&text), "{}", text);
        }
    }

    /// Words that are facts, or nearly so.
    fn word() -> impl Strategy<Value = String> {
        prop_oneof![
            "[a-f0-9]{5,42}",
            "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{11,13}",
            "v?[0-9]{1,3}([.-][0-9]{1,3}){1,3}[a-z]{0,2}",
            "[0-9]{3,5}-[0-9]{2}-[0-9]{2,3}",
            "[A-Z]{1,5}-?[0-9]{1,7}",
            "[A-Z0-9]{5,7}",
            "#W?[0-9]{1,7}[a-z]?",
            "[$][0-9]{1,4}([.][0-9]{1,3})?",
            "[a-z0-9.]{2,8}:[0-9]{3,5}:?",
            "(Io|Value|my_|2)?(Error|Exception|Warning)[a-z]?",
            "(SIG|E|TS|RUF|W|F)[A-Z0-9]{2,6}",
            "_?[a-z]{1,6}(_|[A-Z])?[a-zA-Z0-9]{0,6}_?",
            "(src/|[.]{1,2}/|~/|/)?[a-z]{1,5}([/.][a-zA-Z]{1,5}){0,3}[.](rs|py|md|x|json)(:[0-9]{1,3}){0,2}",
            "https?://[a-z]{1,6}[.:][a-z0-9]{1,6}(/[a-zA-Z0-9_]{1,6}){0,2}([?#][a-z]{1,3})?[.,)]?",
            "[éßñ→│—٣０]{0,2}[a-zA-Z0-9_./]{1,9}[éß…٣]{0,2}",
        ]
    }

    #[test]
    fn noise_is_no_fact() {
        for text in ["from/to", "h1:aB3dE5fG7hI9jK1lM3", "pkg.TestThing/sub_case/TestX", "the user", "1/2"] {
            assert!(!found(text).iter().any(|fact| fact.starts_with("path")), "{text}: {:?}", found(text));
        }
        assert_eq!(found("aB3dE5fG7hI9jK1l"), Vec::<String>::new());
    }

    #[test]
    fn signs_part_words_as_spaces_do() {
        assert_eq!(found("12→readAll│E0308—#42…12345"), found("12 readAll E0308 #42 12345"));
        assert_eq!(found("éE0308 readAllé"), found("éE0308 readAllé✓"));
    }

    #[test]
    fn a_bare_name_takes_its_only_parent() {
        let mut table = PathTable::default();
        table.learn(&extract("src/net/io.rs"));
        let bare = extract("io.rs").pop_first().map(|fact| resolve(&fact, &table).value);
        assert_eq!(bare.as_deref(), Some("net/io.rs"));
        table.learn(&extract("src/disk/io.rs"));
        let bare = extract("io.rs").pop_first().map(|fact| resolve(&fact, &table).value);
        assert_eq!(bare.as_deref(), Some("io.rs"));
    }

    #[test]
    fn commands_are_found_in_shell_calls_only() {
        let values = |facts: BTreeSet<Fact>| facts.into_iter().map(|fact| fact.value).collect::<Vec<_>>();
        let arguments = r#"{"command":"cd x && FOO=1 timeout 5 cargo -q test --all | tail; ./run.sh all"}"#;
        assert_eq!(values(call_facts("Bash", arguments)), ["cargo test", "run.sh all", "run.sh"]);
        assert_eq!(values(call_facts("Note", arguments)), ["run.sh"]);
        assert_eq!(values(call_facts("shell", r#"{"command":["bash","-lc","make all"]}"#)), ["make all"]);
        assert_eq!(values(commands("cat <<EOF\ncargo test\nEOF")), Vec::<String>::new());
    }
}
