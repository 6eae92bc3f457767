//! Support: every path, identifier, address, error and named number in a summary must be in the source.
//!
//! A fact that is there word for word is supported. Otherwise it may be the same fact in another spelling: its
//! normalized form must be in the source, and every part of an absolute path must be known.

use super::braces::{LIST, expanded};
use super::dense::parted;
use super::folders::{below_drive, drive_at_end, slashed};
use super::lines::{Line, claims};
use super::listing::lists;
use super::{Share, SourceText, pattern, spelled};
use crate::facts::{Class, Fact, extract};
use crate::summary::{NAMED, Root, contains_any, starts_any};
use crate::transcript::base_name;
use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

/// A fact of a summary that the source does not have.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unsupported {
    /// Line of the summary, from 1.
    pub line: usize,
    /// The fact.
    pub fact: Fact,
    /// Whether the source has something nearly the same.
    pub kin: Kin,
}

/// Similarity of an unsupported fact to facts of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kin {
    /// Nothing is similar.
    No,
    /// A common name (`PostgreSQL`), another spelling of one in the source (`SHA-256` for `sha256`), or its beginning.
    Alike,
    /// The end of a longer name: `get_page_text` of `mcp__browser__get_page_text`.
    Part,
}

/// Common names that may be used of any session: products, standards, and frameworks that look like files.
pub(super) const USUAL: [&str; 23] = [
    "ASP.NET",
    "Express.js",
    "FastAPI",
    "GitHub",
    "GitLab",
    "LaTeX",
    "MongoDB",
    "MySQL",
    "Next.js",
    "NumPy",
    "Nuxt.js",
    "OpenAPI",
    "PostgreSQL",
    "PowerShell",
    "React.js",
    "SHA-256",
    "Three.js",
    "UTF-16",
    "Vue.js",
    "WebSocket",
    "YouTube",
    "macOS",
    "x86_64",
];
/// Names of languages and of what runs them, of which any session may tell.
const LANGUAGES: [&str; 4] = ["GraphQL", "JavaScript", "Node.js", "TypeScript"];
/// Least length in bytes of a name that is matched as part of a longer one.
const PART: usize = 8;

impl Kin {
    fn of(fact: &Fact, source: &SourceText<'_>) -> Self {
        let name = fact.value.as_str();
        let part = || name.trim_matches('_').contains('_') && name.len() >= PART;
        match fact.class {
            Class::Ident if part() && source.ends_name(name) => Self::Part,
            Class::Ident | Class::Id if source.says_alike(name) => Self::Alike,
            // At the beginning of a sentence: “Package.json has…”.
            Class::Path if source.says_alike(name) && source.has_in_any_case(&name.to_lowercase()) => Self::Alike,
            Class::Ident | Class::Id | Class::Path if USUAL.contains(&name) => Self::Alike,
            Class::Ident if part() && source.begins(&format!("{name}_")) => Self::Alike,
            Class::Ident if has_other_number(name, source) => Self::Alike,
            _ => Self::No,
        }
    }
}

/// Whether a name is that of a type of the source with an `s` more or less at its end: “LampCards are drawn”. Of
/// functions, each may exist.
fn has_other_number(name: &str, source: &SourceText<'_>) -> bool {
    let is_type = name.starts_with(|letter: char| letter.is_uppercase()) && !name.contains('_');
    is_type && (name.strip_suffix('s').is_some_and(|one| source.says(one)) || source.says(&format!("{name}s")))
}

impl Unsupported {
    /// Whether the finding is certain: a list with slashes (`push/query/set`) may look like a path without an
    /// extension.
    pub fn is_certain(&self) -> bool {
        if self.kin != Kin::No {
            return false;
        }
        let base = base_name(&self.fact.value);
        self.fact.class != Class::Path || base.trim_start_matches('.').contains('.')
    }
}

/// Unsupported facts, and the share of all facts that are supported.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Support {
    /// Unsupported facts, by line.
    pub unsupported: Vec<Unsupported>,
    /// Support precision.
    pub precision: Share,
}

static WORD: LazyLock<Regex> = LazyLock::new(|| pattern(r"[~/.@+\w-]*/[/.@+\w-]+"));
/// Three dots for omitted folders.
static DOTS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(^|[^\w.])\.\.\./"));
/// Folders that a harness adds to a summary, or in which a known tool writes.
const HARNESS: &[&str] = &["/.claude/projects/", "/.codex/sessions/"];

/// Mark of the harness for a plan's step in progress.
const STATE: &str = "[IN_PROGRESS] ";

/// Returns the facts in a summary that the source does not have.
pub fn unsupported(text: &str, source: &SourceText<'_>) -> Vec<Unsupported> {
    support(text, source).unsupported
}

/// Checks all lines of a summary.
pub fn support(text: &str, source: &SourceText<'_>) -> Support {
    let (mut support, root) = (Support::default(), Root::of_summary(text));
    for line in claims(text) {
        let mut found = of_line(&line, line.text, &root, source);
        // In scripts without spaces, words may touch a name, or be part of it.
        let words = parted(line.text);
        if !found.unsupported.is_empty()
            && let Cow::Owned(words) = &words
        {
            let apart = of_line(&line, words, &root, source);
            found = if apart.unsupported.len() < found.unsupported.len() { apart } else { found };
        }
        // A list in braces stands for several names, unless the source has it.
        if let Cow::Owned(listed) = expanded(&words) {
            let apart = of_line(&line, &listed, &root, source);
            let is_said = LIST.find_iter(line.text).all(|list| source.has(list.as_str()));
            found = if !is_said || apart.unsupported.len() < found.unsupported.len() { apart } else { found };
        }
        support.unsupported.append(&mut found.unsupported);
        support.precision.of += found.precision.of;
        support.precision.kept += found.precision.kept;
    }
    support
}

/// Checks a line with this text.
fn of_line(line: &Line<'_>, text: &str, root: &Root, source: &SourceText<'_>) -> Support {
    let mut support = Support::default();
    // `…/` stands for omitted folders, and the state of a step is no name.
    let whole = without_marks(text.strip_prefix(STATE).unwrap_or(text));
    let whole = DOTS.replace_all(&whole, "$1…/").replace("…/", " ./");
    let words = without_cut_words(&slashed(&whole), source).replace(['“', '”', '‘', '’', '…'], " ");
    let drive = |word: &regex::Match<'_>| drive_at_end(&words[..word.start()]);
    let paths: Vec<Written<'_>> =
        WORD.find_iter(&words).map(|word| Written { drive: drive(&word), path: word.as_str() }).collect();
    for fact in extract(&words) {
        let written = paths.iter().filter(|written| is_of(written.path, &fact));
        let supported = match fact.class {
            Class::Path => {
                let somewhere =
                    |path: &str| knows_path(path, &fact, source) || knows_path(&root.full(path), &fact, source);
                let known = |written: &Written<'_>| {
                    let on_drive = written.is_on_drive(source);
                    on_drive.unwrap_or_else(|| somewhere(written.path))
                };
                written.clone().count() > 0 && written.clone().all(known)
            }
            _ => false,
        };
        let known = || {
            source.says(&fact.value)
                || source.knows(&fact)
                || spelled::has(&fact, source)
                || has_template(&fact, source)
        };
        let money = spelled::has_money(&fact, &words, source).filter(|known| *known || !is_index(text));
        let bare = written.count() == 0 && money.unwrap_or_else(known);
        support.precision.of += 1;
        if supported || bare {
            support.precision.kept += 1;
        } else if !is_slash_list(&paths, &fact) && !LANGUAGES.contains(&fact.value.as_str()) {
            let kin = Kin::of(&fact, source);
            support.unsupported.push(Unsupported { line: line.number, fact, kin });
        } else {
            support.precision.of -= 1;
        }
    }
    support
}

/// A mark of a harness for what is no text.
static NO_TEXT: LazyLock<Regex> = LazyLock::new(|| pattern(r"\[non-text content: [^\]]*\]"));
/// Three dots that cut a word.
static CUT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(\w)\.\.\.([\s`\x22')\],;]|$)"));

/// A line without marks of harnesses, with `…` for the three dots that cut a word, and with spaces for line breaks that
/// are written out between paths (`/a/b.rs\n/a/c.rs`).
fn without_marks(line: &str) -> String {
    let line = NO_TEXT.replace_all(line, " ");
    CUT.replace_all(&line, "$1…$2").replace("\\n/", " /").replace("\\n~/", " ~/")
}

/// Whether an address is a form to be filled in (`https://quay.example/lamps/[name].md`) that begins like one of the
/// source.
fn has_template(fact: &Fact, source: &SourceText<'_>) -> bool {
    let stem = fact.value.split(['[', '{']).next().filter(|stem| stem.len() < fact.value.len());
    // Within a host or a port, the source has a blank there, too.
    let begins = |stem: &str| {
        let has_blank = || stem.ends_with(['.', '@', ':']) && source.has(&fact.value[..=stem.len()]);
        has_blank() || stem.ends_with(['/', '-', '=', '_']) && source.begins(stem)
    };
    fact.class == Class::Url && stem.is_some_and(begins)
}

/// A path as a line writes it, and the drive of Windows before it, in lower case.
struct Written<'t> {
    drive: Option<char>,
    path: &'t str,
}

impl Written<'_> {
    /// Whether the source has the path on its drive, which may also be spelled `/d/`; `None` if its drive tells nothing.
    fn is_on_drive(&self, source: &SourceText<'_>) -> Option<bool> {
        let path = bare(self.path);
        match (self.drive, below_drive(path)) {
            (Some(drive), _) => source.is_on_drive(drive, path),
            (None, Some((drive, below))) => {
                source.is_on_drive(drive.to_ascii_lowercase(), below).filter(|is_there| *is_there)
            }
            (None, None) => None,
        }
    }
}

/// A path without the marks that may end its sentence.
fn bare(path: &str) -> &str {
    path.trim_end_matches(['.', ',', ':', ';', '/', '-'])
}

/// Whether a line of ours lists facts, which are in their normalized form there: `$1` for `$1,200`.
fn is_index(line: &str) -> bool {
    starts_any(line, &NAMED)
}

/// Whether a written path is this fact.
fn is_of(path: &str, fact: &Fact) -> bool {
    fact.class == Class::Path && extract(path).contains(fact)
}

/// Whether a fact is three or more words between slashes, relative and without extension: alternatives as often as a
/// path.
fn is_slash_list(paths: &[Written<'_>], fact: &Fact) -> bool {
    let rooted = |written: &Written<'_>| written.path.starts_with(['/', '~', '.']);
    let mut own = paths.iter().filter(|written| is_of(written.path, fact)).peekable();
    let extended = base_name(&fact.value).contains('.');
    !extended && own.peek().is_some() && !own.any(rooted)
}

/// Whether the source knows a path: word for word, as the end of a longer one, below a folder of the session, or as a
/// known folder joined with a known path.
fn knows_path(written: &str, fact: &Fact, source: &SourceText<'_>) -> bool {
    let path = bare(written).trim_start_matches("./");
    // Whose home it is, the folders of the session tell.
    let path = path.strip_prefix("~/").filter(|below| source.is_below(below)).unwrap_or(path);
    let is_harness = || contains_any(path, HARNESS);
    if source.says(path) || is_harness() || source.is_below(path) || source.says_with_backslashes(path) {
        return true;
    }
    let whole = path.starts_with(['/', '~']);
    let mut joins = path.match_indices('/').map(|(at, _)| (&path[..at], &path[at + 1..])).filter(|_| whole);
    let is_joined = joins.any(|(folder, rest)| {
        let beside = || source.says(&format!("../{rest}"));
        !folder.is_empty() && source.says(folder) && (beside() || source.says(rest) && source.knows(fact))
    });
    is_joined || source.has_moved_to(path) || lists(source.messages(), path)
}

/// The line without cut words (`parse_opt…`) that begin a word of the source.
fn without_cut_words<'t>(line: &'t str, source: &SourceText<'_>) -> Cow<'t, str> {
    let mut out = Cow::Borrowed(line);
    for (at, _) in line.match_indices('…').collect::<Vec<_>>().into_iter().rev() {
        let before = &line[..at];
        let start = before.rfind(|letter: char| letter.is_whitespace() || "`'\"(=“…".contains(letter));
        let start = start.map_or(0, |start| start + before[start..].chars().next().map_or(1, char::len_utf8));
        if start < at && source.begins(&line[start..at]) {
            out.to_mut().replace_range(start..at, " ");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::source::on_said;
    use crate::transcript::sketch::sketch;

    /// Facts that a source of one text does not support, as `line class value`.
    fn found(source: &str, summary: &str) -> Vec<String> {
        let all = on_said(source, |source| unsupported(summary, source));
        all.iter().map(|one| format!("{} {} {}", one.line, one.fact.class.name(), one.fact.value)).collect()
    }

    #[test]
    fn ellipses_in_a_row_cut_words_once() {
        for said in ["先等一下……我再看看日志……然后改代码", "wait…… I look at the lo…… then"]
        {
            let first: String = said.chars().take(4).collect();
            on_said(said, |source| assert_eq!(unsupported(&format!("- {said} {first}……"), source), [], "{said}"));
        }
    }

    #[test]
    fn marks_forms_and_capitals_are_no_other_facts() {
        let said = "see https://quay.example/lamps/red.md, /w/quay/a.rs and /w/quay/b.rs, package.json; id om_x100b53";
        for line in [
            "`https://quay.example/lamps/[name].md`",
            "https://quay.example/lamps/{name}.md",
            r"/w/quay/a.rs\n/w/quay/b.rs",
            "[non-text content: thinking, toolCall x3]",
            "answered `om_x1...`",
            "Plain JavaScript and Node.js",
        ] {
            assert_eq!(found(said, line), Vec::<String>::new(), "{line}");
        }
        for line in ["https://quay.example/horns/[name].md", "/w/quay/c.rs", "om_x2...", "toolCall"] {
            assert_eq!(found(said, line).len(), 1, "{line}");
        }
        let doubtful =
            |line: &str| on_said(said, |source| unsupported(line, source).iter().all(|one| !one.is_certain()));
        assert!(doubtful("Package.json is old") && !doubtful("Packages.json is old"));
    }

    #[test]
    fn another_number_of_a_type_and_forms_of_addresses_are_doubtful() {
        let said = "class LampCard; fn old(lampFiles); src/lamp.py; URL = f\"https://quay.{site}/api/{version}\"; see http://localhost:80/";
        let certain = |line: &str| {
            on_said(said, |source| unsupported(line, source).iter().filter(|one| one.is_certain()).count())
        };
        for line in ["LampCards are drawn in a list.", "Addresses are `https://quay.{site}/api/{version}/{end}`."] {
            assert_eq!(certain(line), 0, "{line}");
        }
        for line in [
            "LampCases are drawn in a list.",
            "It comes from `environment/lamp.py`.",
            "It comes from the environment/lamp.py.",
            "Each lampFile is returned.",
            "Addresses are `https://mole.{site}/api`.",
            "Addresses are `http://localhost:{port}`.",
        ] {
            assert_eq!(certain(line), 1, "{line}");
        }
    }

    const SOURCE: &str = "cd /home/me/work; src/net/io.rs:12 and /home/me/work/src/fs/io.rs call read_all, IoError in v1.2.3, \
        commit deadbee1, see https://a.example/docs?x=1, 12345 rows, docs in /srv/data/logs";

    #[test]
    fn what_stands_in_the_source_is_supported_in_any_spelling() {
        for line in [
            "src/net/io.rs",
            "`net/io.rs`",
            "io.rs",
            "/home/me/work/src/net/io.rs",
            "/home/me/work/",
            "read_all",
            "IoError",
            "1.2.3",
            "deadbee1",
            "https://a.example/docs",
            "12345",
            "/srv/data/logs.",
            "push/query/set",
            "call read_all [line 98765]",
            "“https://a.example/docs”",
            "/home/me/work/src/f…",
            "read_al…",
            "`…/io.rs` — read",
            "`…/fs/io.rs`",
            "`.../fs/io.rs`",
            "see .../net/io.rs",
            "src/.../io.rs",
            "- [IN_PROGRESS] call read_all",
        ] {
            assert_eq!(found(SOURCE, line), Vec::<String>::new(), "{line}");
        }
    }

    #[test]
    fn paths_below_a_folder_that_the_session_was_in_or_a_call_states_are_supported() {
        let mut transcript = sketch("ua");
        let messages = &mut transcript.messages;
        messages[0].parts[0].text = "cat src/pier.rs ../quay.md; cd lamps && cat red.rs; cat boat.rs".into();
        messages[0].folder = Some("/work/harbour".into());
        messages[1].parts[0].kind = crate::transcript::PartKind::Call { id: "c".into(), name: "run".into() };
        messages[1].parts[0].text = r#"{"cmd":"cat tide.rs","workdir":"/data/coast"}"#.into();
        let source = SourceText::new(&transcript.messages.iter().collect::<Vec<_>>());
        let found = |line: &str| unsupported(line, &source).len();
        for line in [
            "/work/harbour/src/pier.rs",
            "`harbour/src/pier.rs`",
            "~/harbour/src/pier.rs",
            "/work/harbour/lamps/red.rs",
            "lamps/red.rs",
            "coast/tide.rs",
        ] {
            assert_eq!(found(line), 0, "{line}");
        }
        for line in [
            "/work/harbour/lib/pier.rs",
            "/work/harbour/src/red.rs",
            "src/red.rs",
            "lamps/green.rs",
            "/work/quay/boat.rs",
            "coast/src/tide.rs",
            "~/quay/src/pier.rs",
        ] {
            assert_eq!(found(line), 1, "{line}");
        }
    }

    #[test]
    fn a_path_may_touch_words_of_scripts_without_spaces() {
        let source = "edit src/quay/lamps.py and docs/说明/灯.md";
        assert_eq!(found(source, "已修改src/quay/lamps.py（灯）"), Vec::<String>::new());
        assert_eq!(found(source, "src/quay/lamps.py를 바꿨다; docs/说明/灯.md"), Vec::<String>::new());
        assert_eq!(found(source, "已修改src/pier/lamps.py（灯）").len(), 1);
    }

    #[test]
    fn what_does_not_is_found_with_its_line() {
        let cases = [
            ("src/nte/io.rs", "path nte/io.rs"),
            ("lib/net/io.rs", "path net/io.rs"),
            ("/home/you/work/src/net/io.rs", "path net/io.rs"),
            ("`oi.rs`", "path oi.rs"),
            ("read_lal", "ident read_lal"),
            ("ReadError", "error ReadError"),
            ("1.2.4", "id 1.2.4"),
            ("deadbee2", "id deadbee2"),
            ("1234567", "id 1234567"),
            ("https://b.example/docs", "url https://b.example/docs"),
            ("/srv/data/log", "path data/log"),
            ("read_lo…", "ident read_lo"),
            ("…/oi.rs", "path oi.rs"),
            (".../nte/io.rs", "path nte/io.rs"),
            ("call IN_PROGRESS", "ident IN_PROGRESS"),
        ];
        for (line, expected) in cases {
            assert_eq!(found(SOURCE, &format!("## Goal\n- {line}\n")), [format!("2 {expected}")], "{line}");
        }
    }

    #[test]
    fn a_name_may_be_spelled_otherwise_or_be_the_end_of_a_longer_one() {
        let source = "hashlib.sha256(x), mcp__shop__get_page_text, 20260211_5820_add_state_to_rows.exs, read_all_rows";
        let kin = |line: &str| {
            let all = on_said(source, |source| unsupported(line, source));
            all.iter().map(|one| one.kin).collect::<Vec<_>>()
        };
        for (line, expected) in [
            ("get_page_text", Kin::Part),
            ("_add_state_to_rows", Kin::Part),
            ("SHA-256", Kin::Alike),
            ("Read_All_Rows", Kin::Alike),
            ("`read_all_row`", Kin::No),
            ("SHA-512", Kin::No),
            ("get_page_texts", Kin::No),
            ("et_page_text", Kin::No),
            ("add_rows_to_state", Kin::No),
            ("PostgreSQL", Kin::Alike),
        ] {
            assert_eq!(kin(line), [expected], "{line}");
        }
    }

    #[test]
    fn a_name_in_an_address_stands_behind_an_escape() {
        let source = "GET [secret]/us%2Faws4_request%2Fdocs.md at 100%";
        for line in ["aws4_request", "Faws4_request", "docs.md"] {
            assert_eq!(found(source, line), Vec::<String>::new(), "{line}");
        }
        assert_eq!(found(source, "ws4_request"), ["1 ident ws4_request"]);
    }

    #[test]
    fn a_path_of_windows_is_the_same_with_slashes_and_below_its_folders() {
        let source = r"edited D:\ops\import\config.yaml; see E:\\ops\\export\\rows.csv";
        for line in [
            r"Edited D:\ops\import\config.yaml.",
            "D:/ops/import/config.yaml",
            r"Ran `type D:\ops\import\conf…`",
            "`import/config.yaml`",
            "ops/import/config.yaml",
            "config.yaml",
            "export/rows.csv",
            r"E:\ops\export\rows.csv",
            r"e:\ops\export\rows.csv",
            "/d/ops/import/config.yaml",
        ] {
            assert_eq!(found(source, line), Vec::<String>::new(), "{line}");
        }
        for (line, path) in [
            (r"Edited D:\ops\backup\config.yaml.", "backup/config.yaml"),
            (r"C:\Windows\System32\config.yaml", "System32/config.yaml"),
            ("D:/ops/backup/config.yaml", "backup/config.yaml"),
            (r"E:\ops\import\config.yaml", "import/config.yaml"),
            ("D:/ops/export/rows.csv", "export/rows.csv"),
            ("/e/ops/import/config.yaml", "import/config.yaml"),
            ("port/config.yaml", "port/config.yaml"),
            ("backup/config.yaml", "backup/config.yaml"),
        ] {
            assert_eq!(found(source, line), [format!("1 path {path}")], "{line}");
        }
    }

    #[test]
    fn a_list_of_ours_gives_facts_in_their_normalized_form() {
        assert_eq!(found("It costs $1,200.", "- Named by the user: $1"), Vec::<String>::new());
        assert_eq!(found("It costs $1,200.", "- It costs $1"), ["1 id $1"]);
        assert_eq!(found("It costs $1,200.", "- Named by the user: $2"), ["1 id $2"]);
    }

    #[test]
    fn precision_counts_facts_of_lines() {
        let mut transcript = sketch("u");
        transcript.messages[0].parts[0].text = SOURCE.into();
        let messages: Vec<_> = transcript.messages.iter().collect();
        let support = support("- src/net/io.rs\n- src/net/oi.rs and read_all", &SourceText::new(&messages));
        assert_eq!(support.precision, Share { kept: 2, of: 3 });
    }
}
