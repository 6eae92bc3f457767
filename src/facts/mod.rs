//! Facts: what a later reader would look up, found in a text by rules that are frozen under the name [`FACT_SPEC`].
//!
//! Classes and normalisation are those of QUALITY §2. The summarizer uses facts, and the measures judge it by them, so
//! the rules stand on their own: a change of them is a new version, and numbers of two versions are never compared.
//! All patterns run in linear time; what looks around its match is checked beside the pattern.

mod arguments;
mod commands;
mod ids;
mod paths;
mod worth;

pub use arguments::{call_facts, values};
pub use commands::{commands, is_cut};
pub use paths::{PathTable, resolve};
pub use worth::{Voice, worth};

use crate::transcript::{Message, Part, PartKind};

use regex::Regex;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The version of the rules.
pub const FACT_SPEC: &str = "v1";

/// What a fact is.
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
    /// Its stable name.
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

/// A class and a normalised value. A path that is only a base name waits for [`resolve`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact {
    /// What it is.
    pub class: Class,
    /// Its normalised value.
    pub value: String,
}

/// The facts of a text, commands aside: those are only looked for in shell calls.
pub fn extract(text: &str) -> BTreeSet<Fact> {
    let mut facts = BTreeSet::new();
    if text.is_empty() {
        return facts;
    }
    let mut add = |class, value: Cow<'_, str>| {
        facts.insert(Fact { class, value: value.into_owned() });
    };
    let rest = urls(text, &mut |url| add(Class::Url, url));
    let rest = paths::take(&rest, &mut |path| add(Class::Path, path.into()));
    let rest = without_signs(&rest);
    let mut errors = BTreeSet::new();
    for found in ERROR.find_iter(&rest) {
        errors.insert(found.as_str());
        add(Class::Error, found.as_str().into());
    }
    ids::find(&rest, &mut |id| add(Class::Id, id.into()));
    for found in IDENT.find_iter(&rest).map(|found| found.as_str()) {
        if is_identifier(found) && !errors.contains(found) {
            add(Class::Ident, found.into());
        }
    }
    facts
}

/// The facts of a message: of its words and of its calls, and whether a call holds each. Reasoning is not read: no
/// harness shows it to the next model.
pub fn of_message(message: &Message<'_>) -> BTreeMap<Fact, bool> {
    of_parts(message, |_| true)
}

/// The facts of those parts of a message that are wanted, as [`of_message`] has them.
pub fn of_parts(message: &Message<'_>, wanted: impl Fn(&PartKind<'_>) -> bool) -> BTreeMap<Fact, bool> {
    let mut facts = BTreeMap::new();
    for part in message.parts.iter().filter(|part| wanted(&part.kind)) {
        add(&mut facts, of_part(part));
    }
    facts
}

/// The facts of a part, and whether a call holds them.
pub fn of_part(part: &Part<'_>) -> BTreeMap<Fact, bool> {
    let (facts, call) = match &part.kind {
        PartKind::Call { name, .. } => (call_facts(name, &part.text), true),
        PartKind::Text | PartKind::Result { .. } => (extract(&part.text), false),
        _ => (BTreeSet::new(), false),
    };
    facts.into_iter().map(|fact| (fact, call)).collect()
}

/// Adds facts to others: one that a call holds anywhere is a call's.
pub fn add(facts: &mut BTreeMap<Fact, bool>, others: BTreeMap<Fact, bool>) {
    for (fact, call) in others {
        *facts.entry(fact).or_default() |= call;
    }
}

#[expect(clippy::unwrap_used, reason = "the patterns are constants")]
fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap()
}

static URL: LazyLock<Regex> = LazyLock::new(|| pattern(r#"https?://[\w-]+[.:][^\s<>"'`)\]}|\\]+"#));
static ERROR: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"\b[A-Z][A-Za-z]*(?:Error|Exception|Warning)\b|\b(?:E|TS|CS|SC|RUF|F|W)\d{3,5}\b|\bSIG[A-Z]{3,5}\b")
});
static IDENT: LazyLock<Regex> = LazyLock::new(|| pattern("[A-Za-z_][A-Za-z0-9_]*"));

/// A text with a space for each arrow, dash, box or other sign. No pattern has one in it, and a word ends at them as at a
/// space; but where a text is all ASCII, the patterns run several times as fast.
fn without_signs(text: &str) -> Cow<'_, str> {
    let is_sign = |char: char| matches!(char, '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{203e}' | '\u{2190}'..='\u{245f}' | '\u{2500}'..='\u{2775}');
    if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(text.replace(is_sign, " ")) }
}

/// Takes the addresses out of a text; a space stands where each was.
fn urls<'t>(text: &'t str, add: &mut dyn FnMut(Cow<'_, str>)) -> Cow<'t, str> {
    URL.replace_all(text, |found: &regex::Captures<'_>| {
        let url = &found[0];
        let end = url.find(['#', '?']).unwrap_or(url.len());
        add(url[..end].trim_end_matches(['.', ',', ';', ':', '/']).into());
        " "
    })
}

/// Several words in one: an underscore or a capital inside, and neither a hash nor a piece of base64.
fn is_identifier(word: &str) -> bool {
    if !(5..=60).contains(&word.len()) {
        return false;
    }
    let core = word.trim_matches('_');
    if is_noise(core) {
        return false;
    }
    let bytes = word.as_bytes();
    let inner_capital = bytes.windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    if core.contains('_') {
        core.len() >= 5 && core.bytes().any(|byte| byte.is_ascii_alphabetic())
    } else {
        inner_capital || (word.starts_with('_') && core.len() >= 5)
    }
}

/// Many changes between small letters, capitals and digits.
fn is_noise(core: &str) -> bool {
    let kind = |byte: u8| {
        if byte.is_ascii_digit() {
            'd'
        } else if byte.is_ascii_uppercase() {
            'u'
        } else {
            'l'
        }
    };
    let kinds: Vec<char> = core.bytes().filter(|byte| *byte != b'_').map(kind).collect();
    let changes = kinds.windows(2).filter(|pair| pair[0] != pair[1]).count() as f64;
    let length = core.len() as f64;
    (core.len() >= 10 && changes > 0.45 * length)
        || (core.len() >= 12 && kinds.contains(&'d') && changes > 0.33 * length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The facts of a text as `class value`, in order.
    fn found(text: &str) -> Vec<String> {
        extract(text).iter().map(|fact| format!("{} {}", fact.class.name(), fact.value)).collect()
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
