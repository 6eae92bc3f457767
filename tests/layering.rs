//! Dependency rules between modules, checked on the sources. Each failure states the rule that it breaks.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Modules that each module of the crate may use besides itself.
const MAY_USE: &[(&str, &[&str])] = &[
    ("transcript", &["reason"]),
    ("facts", &["transcript"]),
    ("format", &["transcript", "python", "reason"]),
    ("tokens", &["transcript"]),
    ("preset", &["transcript"]),
    ("prune", STAGE),
    ("split", STAGE),
    ("summary", &["transcript", "facts", "python", "secrets", "question_outcome", "yaml"]),
    ("continuation", STAGE),
    ("check", &["transcript", "reason"]),
    ("pipeline", &["transcript", "preset", "prune", "split", "summary", "continuation", "reason"]),
    ("measure", &["transcript", "facts", "summary"]),
    ("evaluate", &["transcript", "header", "preset", "facts", "summary", "measure", "pipeline", "report", "reason"]),
    ("gates", &["transcript", "header", "facts", "summary", "measure", "continuation", "check", "secrets"]),
    ("convert", &["transcript", "format", "check", "reason"]),
    ("fixtures", &["transcript", "header", "facts", "format", "convert"]),
    ("secrets", &[]),
    ("redact", &["transcript", "secrets"]),
    ("python", &[]),
    ("yaml", &[]),
    ("question_outcome", &[]),
    ("reason", &[]),
    ("header", &[]),
    ("model", &["transcript", "preset", "question_outcome"]),
    // `writer` judges a model's text by the measures. `summary` must not use those, as they parse summaries by its
    // rules.
    ("writer", &["transcript", "summary", "measure", "model", "secrets", "question_outcome"]),
    ("report", &["transcript", "header", "check", "question_outcome", "reason"]),
    // `batch` handles files only; the work on a transcript is behind a trait.
    ("batch", &["transcript", "format", "convert", "report", "redact", "secrets", "reason"]),
    (
        "work",
        &[
            "transcript",
            "format",
            "tokens",
            "preset",
            "split",
            "summary",
            "continuation",
            "check",
            "evaluate",
            "convert",
            "pipeline",
            "report",
            "model",
            "writer",
            "redact",
            "secrets",
            "batch",
            "reason",
        ],
    ),
    (
        "gatekeeper",
        &[
            "transcript",
            "format",
            "tokens",
            "preset",
            "summary",
            "check",
            "gates",
            "evaluate",
            "report",
            "batch",
            "work",
        ],
    ),
    (
        "cli",
        &[
            "transcript",
            "format",
            "tokens",
            "preset",
            "split",
            "summary",
            "check",
            "gates",
            "evaluate",
            "convert",
            "report",
            "batch",
            "work",
            "gatekeeper",
            "fixtures",
            "model",
            "writer",
            "secrets",
            "header",
            "reason",
        ],
    ),
    ("lib", &[]),
    ("main", &[]),
];

/// The folders of the extractive summary in the order of the data: each may use itself and those in earlier rows.
const FOLDERS: &[&[&str]] = &[&["words", "files"], &["sentences"], &["user", "calls"], &["session"], &["sections"]];

const STAGE: &[&str] = &["transcript", "preset"];

/// Dependencies that only certain modules may use.
const PLACES: &[(&str, &[&str])] = &[
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("indicatif", &["cli"]),
    ("anyhow", &["cli"]),
    ("ctrlc", &["cli"]),
    ("rayon", &["batch", "work", "gatekeeper"]),
    ("glob", &["batch"]),
    ("walkdir", &["batch"]),
    ("tempfile", &["batch"]),
    ("zstd", &["batch"]),
    ("flate2", &["batch"]),
    ("tiktoken", &["tokens"]),
    ("tiktoken_rs", &["tokens"]),
    ("nix", &["work/program.rs", "cli/interrupt.rs"]),
    ("ureq", &["model/http.rs"]),
    ("mimalloc", &["main.rs"]),
    ("humantime", &["cli"]),
    ("strsim", &["cli"]),
    ("toml", &["preset", "gates", "fixtures", "cli"]),
    ("wildmatch", &["preset", "gates"]),
    ("zip", &["format/inspect"]),
    ("aho_corasick", &["measure", "summary"]),
    ("hashbrown", &["summary"]),
    ("rust_stemmers", &["evaluate"]),
    ("quick_junit", &["gates/render"]),
    ("serde_sarif", &["gates/render"]),
];

/// Dependencies that any module may use.
const ANYWHERE: &[&str] = &["foldhash", "jiff", "memchr", "regex", "serde", "serde_json", "sha2", "thiserror"];

/// Paths and macros that no stage may use: files, environment, terminal, clock, other processes.
const OUTSIDE: &[&str] =
    &["std::fs", "std::env", "std::process", "std::net", "SystemTime::now", "Instant::now", "println!", "print!"];

/// What writes to the terminal.
const TERMINAL: &[&str] =
    &["println!", "eprintln!", "print!", "eprint!", "stdout()", "stderr()", "io::stdout", "io::stderr"];

/// Modules that work in memory only.
const INNER: &[&str] = &[
    "transcript",
    "facts",
    "format",
    "tokens",
    "preset",
    "prune",
    "split",
    "summary",
    "measure",
    "evaluate",
    "gates",
    "continuation",
    "check",
    "convert",
    "pipeline",
    "fixtures",
    "redact",
    "writer",
    "secrets",
    "report",
    "work",
];

/// Intended exceptions: the file, the module that it uses, and the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("check/sections.rs", "summary", "what writes the sections of a summary judges them"),
    ("batch/mod.rs", "io::stdout", "a run to standard output writes there, unless its caller gives another stream"),
    ("work/hook.rs", "std::process", "a hook is a program of the user's"),
    ("work/program.rs", "std::process", "it runs one program"),
    ("work/program.rs", "Instant::now", "and ends it when its time is over"),
];

/// A source file without its tests and comments.
struct Source {
    /// Path below `src`, with slashes.
    path: String,
    /// Name of the top-level module.
    module: String,
    code: Vec<String>,
    /// All paths in the code from the root on: each member of a group `a::{b, c}` is one of its own, and `self` and
    /// `super` at the start are resolved.
    paths: BTreeSet<String>,
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let entries = walkdir::WalkDir::new(&root).sort_by_file_name().into_iter().map(Result::unwrap);
    let files = entries.filter(|entry| entry.path().extension().is_some_and(|ext| ext == "rs"));
    let paths: Vec<_> = files.map(walkdir::DirEntry::into_path).collect();
    let tests: BTreeSet<_> = paths.iter().flat_map(|path| test_modules(path)).collect();
    let is_test = |path: &&PathBuf| path.ancestors().any(|above| tests.contains(&above.with_extension("")));
    paths.iter().filter(|path| !is_test(path)).map(|path| source(&root, path)).collect()
}

/// Paths, without `.rs`, of the modules that a file declares under `#[cfg(test)]`.
fn test_modules(path: &Path) -> Vec<PathBuf> {
    let stem = path.file_stem().unwrap();
    let folder = if ["mod", "lib", "main"].iter().any(|name| stem == *name) {
        path.parent().unwrap().to_owned()
    } else {
        path.with_extension("")
    };
    let text = fs::read_to_string(path).unwrap();
    let declarations = text.split("#[cfg(test)]").skip(1).filter_map(|rest| {
        let line = rest.lines().find(|line| !line.is_empty() && !line.starts_with("#["))?;
        let (_, name) = line.strip_suffix(';')?.split_once("mod ")?;
        Some(folder.join(name))
    });
    declarations.collect()
}

fn source(root: &Path, path: &Path) -> Source {
    let local = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
    let text = fs::read_to_string(path).unwrap();
    let code = text.lines().take_while(|line| line.trim() != "mod tests {").map(without_comment).map(str::to_owned);
    Source::new(&local, code.collect())
}

/// The top-level module of a path below `src`.
fn module_of(path: &str) -> &str {
    path.split('/').next().unwrap().trim_end_matches(".rs")
}

fn without_comment(line: &str) -> &str {
    line.find("//").filter(|at| !line[..*at].contains('"')).map_or(line, |at| &line[..at])
}

impl Source {
    fn new(path: &str, code: Vec<String>) -> Self {
        let found = paths(&code.join("\n"));
        let paths = found.iter().map(|named| Self::absolute(path, named)).collect();
        Self { path: path.to_owned(), module: module_of(path).to_owned(), code, paths }
    }

    fn absolute(file: &str, path: &str) -> String {
        let mut own: Vec<&str> = file.trim_end_matches(".rs").split('/').collect();
        own.pop_if(|last| ["mod", "lib", "main"].contains(last));
        let mut rest = path.strip_prefix("self::").unwrap_or(path);
        if rest == path && !path.starts_with("super::") {
            return path.to_owned();
        }
        while let Some(above) = rest.strip_prefix("super::") {
            own.pop();
            rest = above;
        }
        own.insert(0, "crate");
        own.push(rest);
        own.join("::")
    }

    /// Modules of the crate that the code uses.
    fn modules(&self) -> BTreeSet<String> {
        let own = |path: &String| Some(path.strip_prefix("crate::")?.split("::").next()?.to_owned());
        self.paths.iter().filter_map(own).collect()
    }

    /// Whether the code names a path, or the end or the inside of one.
    fn uses(&self, what: &str) -> bool {
        if what.ends_with('!') {
            return self.says(what);
        }
        let whole = |before: &str, behind: &str| {
            (before.is_empty() || before.ends_with("::")) && (behind.is_empty() || behind.starts_with("::"))
        };
        let named = |path: &str| path.match_indices(what).any(|(at, _)| whole(&path[..at], &path[at + what.len()..]));
        self.paths.iter().any(|path| named(path))
    }

    /// Whether the code names something of a crate.
    fn names(&self, name: &str) -> bool {
        let of_crate =
            |path: &str| path.trim_start_matches(':').strip_prefix(name).is_some_and(|rest| rest.starts_with("::"));
        self.paths.iter().any(|path| of_crate(path))
    }

    /// Whether these words stand in the code, and not as the end of a longer one.
    fn says(&self, words: &str) -> bool {
        let said = |line: &String| {
            line.match_indices(words).any(|(at, _)| {
                let before = line[..at].chars().next_back();
                before.is_none_or(|letter| !letter.is_alphanumeric() && letter != '_')
            })
        };
        self.code.iter().any(said)
    }

    fn is_excepted(&self, what: &str) -> bool {
        EXCEPTIONS.iter().any(|(path, used, _)| *path == self.path && *used == what)
    }
}

/// The paths in a text of code, with those of groups written out; also its single words.
fn paths(code: &str) -> Vec<String> {
    let (mut found, mut word) = (Vec::new(), String::new());
    // For each open brace the path before it, if it opens a group.
    let mut braces: Vec<Option<String>> = Vec::new();
    for letter in code.chars() {
        if letter.is_alphanumeric() || letter == '_' || letter == ':' {
            word.push(letter);
            continue;
        }
        let group = braces.last().and_then(Option::as_deref).unwrap_or_default();
        let path = format!("{group}{}", std::mem::take(&mut word));
        match letter {
            '{' => braces.push(path.ends_with("::").then_some(path)),
            _ => {
                found.extend((path != group && !path.ends_with(':')).then_some(path));
                braces.pop_if(|_| letter == '}');
            }
        }
    }
    found
}

fn assert_none(broken: &[String]) {
    assert!(broken.is_empty(), "{} broken:\n{}", broken.len(), broken.join("\n"));
}

#[test]
fn modules_use_only_what_the_direction_allows() {
    let mut broken = Vec::new();
    for source in sources() {
        let Some((_, allowed)) = MAY_USE.iter().find(|(module, _)| *module == source.module) else {
            broken.push(format!("{}: a module without a rule; add one to MAY_USE", source.path));
            continue;
        };
        for used in source.modules() {
            let known = MAY_USE.iter().any(|(module, _)| *module == used);
            if known && used != source.module && !allowed.contains(&used.as_str()) && !source.is_excepted(&used) {
                let rule = format!("`{}` may use {allowed:?} and nothing else of the crate", source.module);
                broken.push(format!("{}: uses `{used}`; {rule}", source.path));
            }
        }
    }
    assert_none(&broken);
}

#[test]
fn folders_of_the_extractive_summary_use_only_those_before_them() {
    const EXTRACTIVE: &str = "summary/extractive/";
    let row = |folder: &str| FOLDERS.iter().position(|row| row.contains(&folder));
    let (mut broken, mut seen) = (Vec::new(), BTreeSet::new());
    for source in sources() {
        let Some((folder, _)) = source.path.strip_prefix(EXTRACTIVE).and_then(|path| path.split_once('/')) else {
            continue;
        };
        let Some(own) = row(folder) else {
            broken.push(format!("{}: a folder without a place; add it to FOLDERS", source.path));
            continue;
        };
        seen.insert(own);
        for path in &source.paths {
            let used = path.strip_prefix("crate::summary::extractive::").and_then(|path| path.split("::").next());
            let used = used.unwrap_or_default();
            if row(used).is_some_and(|place| used != folder && place >= own) {
                broken.push(format!("{}: uses `{used}`; `{folder}` may use only what is before it", source.path));
            }
        }
    }
    assert_none(&broken);
    assert_eq!(seen.len(), FOLDERS.len(), "each row has sources");
}

#[test]
fn a_crate_stands_in_its_place() {
    let mut broken = Vec::new();
    for source in sources() {
        for (name, places) in PLACES {
            let outside = !places.iter().any(|place| source.path.starts_with(place));
            if outside && source.names(name) && !source.is_excepted(name) {
                broken.push(format!("{}: names `{name}`; only {places:?} may", source.path));
            }
        }
    }
    assert_none(&broken);
}

#[test]
fn every_dependency_has_its_place() {
    let manifest = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let unix = &manifest["target"]["cfg(unix)"]["dependencies"];
    let named = [&manifest["dependencies"], unix].into_iter().flat_map(|table| table.as_table().unwrap().keys());
    let named: BTreeSet<String> = named.map(|name| name.replace('-', "_")).collect();
    let placed = PLACES.iter().map(|(name, _)| *name).chain(ANYWHERE.iter().copied());
    assert_eq!(named, placed.map(str::to_owned).collect(), "Cargo.toml against PLACES and ANYWHERE");
}

#[test]
fn every_arrow_is_still_used() {
    let sources = sources();
    let stale = MAY_USE.iter().flat_map(|(module, allowed)| {
        let used: BTreeSet<String> =
            sources.iter().filter(|source| source.module == *module).flat_map(Source::modules).collect();
        let unused = allowed.iter().filter(move |other| !used.contains(**other));
        unused.map(move |other| format!("`{module}` no longer uses `{other}`; take it out of MAY_USE"))
    });
    assert_none(&stale.collect::<Vec<_>>());
}

#[test]
fn what_works_in_memory_touches_nothing_else() {
    let mut broken = Vec::new();
    for source in sources().iter().filter(|source| INNER.contains(&source.module.as_str())) {
        for what in OUTSIDE.iter().filter(|what| source.uses(what) && !source.is_excepted(what)) {
            let rule = "no stage opens a file, prints, or reads the environment or the clock";
            broken.push(format!("{}: uses `{what}`; {rule}", source.path));
        }
    }
    assert_none(&broken);
}

#[test]
fn only_the_command_line_prints_and_knows_the_environment() {
    let mut broken = Vec::new();
    for source in sources().iter().filter(|source| source.module != "cli") {
        for what in TERMINAL.iter().chain(&["env::var", "process::exit"]) {
            if source.uses(what) && !source.is_excepted(what) {
                broken.push(format!("{}: uses `{what}`; only `cli` talks to a terminal", source.path));
            }
        }
    }
    assert_none(&broken);
}

#[test]
fn every_exception_is_still_needed() {
    let sources = sources();
    let unused = |(path, what, _): &&(&str, &str, &str)| {
        let is_module = MAY_USE.iter().any(|(module, _)| module == what);
        let used = |source: &Source| if is_module { source.modules().contains(*what) } else { source.uses(what) };
        !sources.iter().any(|source| source.path == *path && used(source))
    };
    // An exception that the rule allows anyway is stale.
    let void = |(path, what, _): &&(&str, &str, &str)| {
        MAY_USE.iter().any(|(module, allowed)| *module == module_of(path) && allowed.contains(what))
    };
    let stale = EXCEPTIONS.iter().filter(|exception| unused(exception) || void(exception));
    assert_none(&stale.map(|(path, what, _)| format!("{path}: {what}")).collect::<Vec<_>>());
}

/// A source at a path with this code.
fn code(path: &str, code: &str) -> Source {
    Source::new(path, code.lines().map(str::to_owned).collect())
}

#[test]
fn the_reader_of_use_lines_reads_groups() {
    let modules = |path: &str, text: &str| code(path, text).modules().into_iter().collect::<Vec<_>>();
    let text = "use crate::{\n    batch::{self, Batch},\n    report, tokens::Tokenizer,\n};\ncrate::cli::main()";
    assert_eq!(modules("x.rs", text), ["batch", "cli", "report", "tokens"]);
    let own = "use super::super::{batch, cut::Cut};\nuse super::near;\nuse self::own;";
    assert_eq!(modules("x/y.rs", own), ["batch", "cut", "x"], "and those named from where it stands");
    assert_eq!(modules("x/mod.rs", "use super::{split, x::Y};"), ["split", "x"]);
    let source = code("x.rs", text);
    assert!(source.uses("Tokenizer") && source.uses("crate::batch::Batch") && !source.uses("okenizer"));
    let crates = code("x.rs", "use {glob::Pattern, toml as t};\nleft.zip(right); ::rayon::join();");
    assert!(crates.names("glob") && crates.names("rayon") && !crates.names("zip"));
    let grouped = code("x.rs", "use std::{fs, io::{self, Read}};\nlet a = Foo { b: c };");
    assert!(grouped.uses("std::fs") && grouped.uses("std::io::Read") && !grouped.uses("std::env"));
    assert!(!grouped.uses("std::b") && !grouped.uses("std::c"), "a group ends with its brace");
}

#[test]
fn whoever_writes_to_the_terminal_is_found() {
    for text in ["io::stdout().lock()", "use std::io::{self, stderr};", "eprintln!(\"\")"] {
        assert!(TERMINAL.iter().any(|what| code("x.rs", text).uses(what)), "{text}");
    }
    for text in ["command.stdout(Stdio::piped())", "self.streams.stdout.lock()", "my_println!()"] {
        assert!(!TERMINAL.iter().any(|what| code("x.rs", text).uses(what)), "{text}");
    }
}
