//! The names that a file's text defines: those behind a keyword in most languages, methods in languages that write
//! these without a keyword, and constants at the beginning of a line.

use super::super::text::behind_number;
use crate::transcript::base_name;
use std::ops::Range;

/// Endings of files in whose languages a name, its parameters and a brace make a method; a call can be followed by a
/// brace in none of them.
const BRACED: [&str; 20] = [
    "c", "cc", "cjs", "cpp", "cs", "cxx", "dart", "h", "hh", "hpp", "java", "js", "jsx", "mjs", "mm", "mts", "svelte",
    "ts", "tsx", "vue",
];
/// Endings of files in whose languages the name stands alone before its parameters: `lampOil(x) {`. In the others a
/// type or another word stands before it, or it is a macro.
const BARE: [&str; 9] = ["cjs", "dart", "js", "jsx", "mjs", "mts", "svelte", "ts", "vue"];
/// Words that do not stand before the name of a method.
const STATEMENTS: [&str; 12] =
    ["await", "case", "delete", "do", "else", "goto", "new", "return", "throw", "typeof", "void", "yield"];
/// Endings of files in whose languages a name at the beginning of a line gets a value.
const ASSIGNED: [&str; 12] = ["bash", "cfg", "env", "ini", "jl", "mk", "py", "pyi", "r", "rb", "sh", "toml"];

/// The names that a text of the file `path` defines.
pub(super) fn definitions<'t>(text: &'t str, path: &str) -> impl Iterator<Item = &'t str> {
    let name = base_name(path);
    // Also `.env.local` has variables.
    let ending = if name.starts_with(".env") { "env" } else { name.rsplit_once('.').map_or("", |(_, ending)| ending) };
    let braced = BRACED.contains(&ending).then(|| methods(text, BARE.contains(&ending)));
    let assigned = ASSIGNED.contains(&ending).then(|| text.lines().filter_map(|line| assigned(unnumbered(line))));
    behind_keywords(text).chain(braced.into_iter().flatten()).chain(assigned.into_iter().flatten())
}

/// Whether a word is a keyword before a defined name, in most languages.
fn is_keyword(word: &[u8]) -> bool {
    matches!(
        word,
        b"fn"
            | b"func"
            | b"function"
            | b"fun"
            | b"def"
            | b"defp"
            | b"defmacro"
            | b"defmodule"
            | b"sub"
            | b"class"
            | b"struct"
            | b"union"
            | b"type"
            | b"interface"
            | b"protocol"
            | b"record"
            | b"object"
            | b"enum"
            | b"trait"
            | b"const"
            | b"static"
            | b"var"
            | b"val"
            | b"let"
            | b"mod"
            | b"module"
            | b"namespace"
    )
}

/// Whether a keyword only uses the name that `behind` follows: as a type (`static List<Quay> all`, `struct quay *own`)
/// or in an import (`import { type Quay, low }`).
fn only_uses(keyword: &str, behind: &str) -> bool {
    let generic = behind.starts_with('<').then(|| behind.find("> ").map_or("", |at| &behind[at + 1..]));
    let next = generic.unwrap_or(behind).trim_start_matches(' ');
    match keyword {
        "const" | "static" | "struct" | "union" | "enum" => {
            next.starts_with(|next: char| next.is_ascii_alphanumeric() || "_*&,)".contains(next))
        }
        "type" => next.starts_with([',', '}']) || next.starts_with("from "),
        _ => false,
    }
}

/// Whether a byte can be part of a name.
#[inline]
pub(super) fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The byte ranges of names in a text; leading digits are left out.
pub(super) fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        at += bytes[at..].iter().position(|byte| is_letter(*byte) && !byte.is_ascii_digit())?;
        let start = at;
        at += bytes[at..].iter().position(|byte| !is_letter(*byte)).unwrap_or(bytes.len() - at);
        Some(start..at)
    })
}

/// The name that a text begins with, if it begins with one.
fn name_of(text: &str) -> Option<&str> {
    let name = &text[..text.bytes().position(|byte| !is_letter(byte)).unwrap_or(text.len())];
    (!name.is_empty() && !name.starts_with(|first: char| first.is_ascii_digit())).then_some(name)
}

/// The names behind keywords, also behind the receiver of a method: `func (r *Reader) readAll`, `def self.read_all`.
fn behind_keywords(text: &str) -> impl Iterator<Item = &str> {
    let mut told = 0;
    let ends_in_digit = |text: &str| text.as_bytes().last().is_some_and(u8::is_ascii_digit);
    words(text).filter_map(move |word| {
        if word.start < told || !is_keyword(&text.as_bytes()[word.clone()]) || ends_in_digit(&text[..word.start]) {
            return None;
        }
        let behind = text[word.end..].trim_start();
        if behind.len() == text.len() - word.end {
            return None;
        }
        let behind = behind.strip_prefix('(').map_or(Some(behind), |receiver| {
            let end = receiver.find([')', '\n']).filter(|end| receiver[*end..].starts_with(')'))?;
            Some(receiver[end + 1..].trim_start())
        })?;
        let mut name = name_of(behind)?;
        if only_uses(&text[word], &behind[name.len()..]) {
            return None;
        }
        told = text.len() - behind.len() + name.len();
        while let Some(inner) = text[told..].strip_prefix(['.', ':']).and_then(name_of) {
            told += 1 + inner.len();
            name = inner;
        }
        Some(name)
    })
}

/// A line without the number that a tool puts before it.
fn unnumbered(line: &str) -> &str {
    behind_number(line).unwrap_or(line)
}

/// The names of methods: a name and its parameters, with a brace behind them or on the next line. `bare`: nothing has to
/// stand before the name.
fn methods(text: &str, bare: bool) -> impl Iterator<Item = &str> {
    let mut lines = text.lines().map(|line| unnumbered(line).trim()).peekable();
    std::iter::from_fn(move || {
        let line = lines.next()?;
        let opens = line.ends_with('{') || lines.peek().is_some_and(|next| next.starts_with('{'));
        Some(method(line, bare).filter(|_| opens))
    })
    .flatten()
}

/// The name of the method that a line begins, a brace at its end left out.
fn method(line: &str, bare: bool) -> Option<&str> {
    let open = line.find('(')?;
    let before = &line[..open];
    let name = &before[before.bytes().rposition(|byte| !is_letter(byte)).map_or(0, |at| at + 1)..];
    let lead = &before[..before.len() - name.len()];
    let is_type = |char: char| char.is_ascii_alphanumeric() || "_<>[]*&:,?@~ ".contains(char);
    let begins = lead.split(|char: char| !char.is_ascii_alphabetic()).next().unwrap_or_default();
    let is_led = if lead.is_empty() { bare } else { lead.ends_with([' ', '*', '&', ':']) };
    let rest = &line[open + closing(&line[open..])?..];
    let ends = rest.trim_end_matches('{').trim();
    let is_end =
        ends.is_empty() || ends.starts_with(':') || ends.bytes().all(|byte| is_letter(byte) || b" ,.".contains(&byte));
    let is_name = name_of(name).is_some();
    (is_name && is_led && is_end && lead.chars().all(is_type) && !STATEMENTS.contains(&begins)).then_some(name)
}

/// The offset behind the bracket that closes the one a text begins with.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    text.bytes()
        .position(|byte| {
            depth = match byte {
                b'(' => depth + 1,
                b')' => depth - 1,
                _ => depth,
            };
            depth == 0
        })
        .map(|at| at + 1)
}

/// The name that gets a value at the beginning of a line: `TIDE_TABLE = …`, `export LAMP_OIL=…`, `quay: Quay = …`.
fn assigned(line: &str) -> Option<&str> {
    let line = line.strip_prefix("export ").unwrap_or(line);
    let name = name_of(line)?;
    let rest = line[name.len()..].trim_start();
    let value = rest.strip_prefix(':').map_or(Some(rest), |kind| kind.find('=').map(|at| &kind[at..]))?;
    (value.starts_with('=') && !value.starts_with("==")).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn defined<'t>(text: &'t str, path: &str) -> Vec<&'t str> {
        definitions(text, path).collect()
    }

    #[test]
    fn names_behind_keywords_are_defined() {
        let text = "pub fn one_two(x)\nfunc (r *Reader) readAll() {\nclass Some_thing:\ndefine it, 9let x, fn(a), let\n  b2 = 1";
        assert_eq!(defined(text, "quay.rs"), ["one_two", "readAll", "Some_thing", "b2"]);
        let text = "defmodule Harbor.TideTable do\n  defp low_tide(x)\n  def self.read_all\nfunction M:lamp_oil()";
        assert_eq!(defined(text, "quay.ex"), ["TideTable", "low_tide", "read_all", "lamp_oil"]);
        let text = "import { type Lamp, type Oil } from 'x';\nstatic Quay one;\nconst fn low_tide() {}\nstatic HIGH_TIDE: u8 = 1;\nstruct Pier<T> {";
        assert_eq!(defined(text, "quay.rs"), ["low_tide", "HIGH_TIDE", "Pier"], "a type is used there");
    }

    #[test]
    fn methods_without_a_keyword_are_defined_and_calls_are_not() {
        let text = "  async lampOil(a, b = c()): Promise<Quay> {\n    if (isLow(x)) {\n  return readAll(x) {\n  get tideTable() {\n\
                    a.eachPier(x) {\n  lowTide(x)\n  highTide(() => {\n";
        assert_eq!(defined(text, "src/quay.ts"), ["lampOil", "tideTable"]);
        let text = "  12→    public static List<Quay> readAll(String name) throws IOException {\n  13→  listEach(x) {\n\
                    int low_tide(struct quay *own)\n{\n  new Harbor(x) {\n";
        assert_eq!(defined(text, "Quay.java"), ["readAll", "low_tide"]);
        assert!(!defined("    runBlocking(x) {\n", "quay.kt").contains(&"runBlocking"), "a call of Kotlin");
    }

    #[test]
    fn constants_at_the_beginning_of_a_line_are_defined() {
        let text =
            "TIDE_TABLE = 1\nLAMP_OIL: int = 2\n  inner_name = 3\nlow_tide == 4\nexport HIGH_TIDE=5\n 7\tTHE_PIER = 6";
        assert_eq!(defined(text, "quay.py"), ["TIDE_TABLE", "LAMP_OIL", "HIGH_TIDE", "THE_PIER"]);
        assert_eq!(defined("PIER_KEY=1", "src/.env.local"), ["PIER_KEY"]);
        assert!(defined(text, "quay.md").is_empty());
    }
}
