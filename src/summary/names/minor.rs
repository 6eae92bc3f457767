//! Names that say nothing about the work: keys of objects in calls and results (the shape of a tool's data), files of
//! packages that a listing shows, numbers of processes and of pieces of output, sizes in a listing, the sides of a diff
//! (`a/doc.go`), interpreters of scripts (`#!/bin/bash`), words that an escape (`\u003e`) has grown into, files with
//! words of a script without spaces before them (`更新lamp.json`), and examples in what a harness tells its model about
//! itself.

use super::super::extractive::Place;
use super::super::knowledge::Knowledge;
use super::super::text::{has_dense, is_dense};
use super::reading::runs;
use crate::facts::{Class, Fact, readable_text};
use crate::summary::text::starts_any;
use crate::transcript::{Message, Part, PartKind, base_name};
use crate::yaml;
use foldhash::HashSet;
use memchr::memmem;

/// Beginnings of objects that harnesses put around the output of a command (Codex, OpenClaw).
const WRAPPERS: [&str; 3] = ["{\"chunk_id\":", "{\"metadata\":", "{\"output\":"];
/// Tags that harnesses put around the output (Forge, Claude Code), each with the names in it.
const TAGS: [(&str, &[&str]); 2] =
    [("<shell_output ", &["shell_output", "exit_code"]), ("<tool_use_error>", &["tool_use_error"])];
/// Tags of the answers of agents (Codex), behind outputs (opencode) and of shells (Copilot), each with its name.
const INNER_TAGS: [(&str, &str); 3] =
    [("<proposed_plan>", "proposed_plan"), ("<shell_metadata>", "shell_metadata"), ("<shellId: ", "shellId")];
/// Tags of instructions about the harness itself (Codex).
const MANUALS: [&str; 5] = [
    "<apps_instructions>",
    "<collaboration_mode>",
    "<model_switch>",
    "<permissions instructions>",
    "<personality_spec>",
];
/// Usual names of folders, which make a path of words.
const FOLDERS: [&str; 10] = ["app", "bin", "build", "dev", "docs", "home", "lib", "src", "test", "tests"];
/// Labels of numbers in an output that nobody needs again: of a process or a group of them, of a piece of output and its
/// length (Codex).
const LABELS: [&str; 4] = ["PID: ", "PGID: ", "Chunk ID: ", "Original token count: "];
/// Folders of installed packages.
const PACKAGES: [&str; 3] = ["node_modules/", "site-packages/", "dist-packages/"];

/// The facts of a part that are minor there, ascending; `facts` are all its facts, ascending.
pub(super) fn minor_among(part: &Part<'_>, place: Option<&Place>, facts: &[u32], knowledge: &Knowledge) -> Vec<u32> {
    let text = &*part.text;
    if starts_any(text.trim_start(), &MANUALS) {
        return facts.to_vec();
    }
    let keys = match place {
        Some(Place::Call(call)) => keys(part, call),
        // The parameters of a tool that edits or writes a file are none of its words.
        Some(Place::File(_)) if matches!(part.kind, PartKind::Call { .. }) => keys_of(text, false),
        _ => HashSet::default(),
    };
    let listed = matches!(part.kind, PartKind::Result { .. });
    let packaged = if listed { packaged(text) } else { HashSet::default() };
    let has_path = || facts.iter().any(|fact| knowledge.facts[*fact as usize].class == Class::Path);
    let is_said = matches!(place, Some(Place::Agent));
    let choices = if has_path() { choices(text, !is_said) } else { HashSet::default() };
    let numbers = if listed { labeled(text).chain(sizes(text)).collect() } else { HashSet::default() };
    let sides = if listed { sides(text) } else { HashSet::default() };
    let may_be_dense = has_path() && (!text.is_ascii() || text.contains("\\u"));
    let readable = if may_be_dense { readable_text(part) } else { "".into() };
    let (dense, run_by, grown, tags) = (dense_choices(&readable, listed), run_by(text), grown(text), tags(part));
    let (idents, paths) = ([&keys, &grown, &tags], [&packaged, &choices, &sides, &run_by, &dense]);
    if idents.iter().chain(&paths).all(|names| names.is_empty()) && numbers.is_empty() {
        return Vec::new();
    }
    let is_minor = |fact: &u32| {
        let own = &knowledge.facts[*fact as usize];
        let name = own.value.as_str();
        match own.class {
            Class::Ident => idents.iter().any(|names| names.contains(name)),
            Class::Path => paths.iter().any(|names| names.contains(name)),
            Class::Id => numbers.contains(name),
            _ => false,
        }
    };
    facts.iter().copied().filter(is_minor).collect()
}

/// The numbers behind [`LABELS`] in an output.
fn labeled(text: &str) -> impl Iterator<Item = &str> {
    let number = |(label, at): (&str, usize)| {
        let rest = &text[at + label.len()..];
        &rest[..rest.bytes().take_while(u8::is_ascii_digit).count()]
    };
    let labels = LABELS.iter().flat_map(|label| memmem::find_iter(text.as_bytes(), label).map(move |at| (*label, at)));
    labels.map(number).filter(|number| !number.is_empty())
}

/// The sizes in a long listing of files: `98767` of `-rw-r--r-- 1 me crew 98767 May 2 quay.md`; not those that another
/// line has too.
fn sizes<'t>(text: &'t str) -> Vec<&'t str> {
    let is_row = |line: &&str| {
        let mode = line.as_bytes().get(..10);
        mode.is_some_and(|mode| b"-dl".contains(&mode[0]) && mode[1..].iter().all(|byte| b"-rwxstST".contains(byte)))
    };
    if !text.contains("rw") {
        return Vec::new();
    }
    let (rows, others): (Vec<&str>, Vec<&str>) = text.lines().partition(is_row);
    let mut sizes: Vec<&str> = rows.iter().filter_map(|row| row.split_ascii_whitespace().nth(4)).collect();
    if !sizes.is_empty() {
        let numbers = |line: &&'t str| runs(line, u8::is_ascii_digit).map(|number| &line[number]);
        let told: HashSet<&str> = others.iter().flat_map(numbers).collect();
        sizes.retain(|size| !told.contains(size));
    }
    sizes
}

/// The two sides of each file without a folder in a diff of git: `a/doc.go` and `b/doc.go`.
fn sides(text: &str) -> HashSet<&str> {
    let headers = memmem::find_iter(text.as_bytes(), "diff --git a/");
    let sides = headers.flat_map(|at| text[at..].lines().next().unwrap_or("").split(' ').skip(2).take(2));
    sides.filter(|side| side.matches('/').count() == 1).collect()
}

/// The interpreters that first lines of scripts name, by their last two components: `bin/bash` of `#!/bin/bash`.
fn run_by(text: &str) -> HashSet<&str> {
    let path = |at: usize| {
        let path = &text[at + 2..];
        &path[..path.bytes().take_while(inner).count()]
    };
    let paths = memmem::find_iter(text.as_bytes(), "#!/").map(path);
    paths.filter_map(last_two).collect()
}

/// The last two components of a path, if it has as many.
fn last_two(path: &str) -> Option<&str> {
    let mut slashes = path.bytes().enumerate().rev().filter(|(_, byte)| *byte == b'/').map(|(at, _)| at);
    slashes.next()?;
    Some(slashes.next().map_or(path, |slash| &path[slash + 1..]))
}

/// The words that start with the digits of an escape: `u003eLamp` of `\u003eLamp`.
fn grown(text: &str) -> HashSet<&str> {
    let word = |at: usize| {
        let word = &text[at + 1..];
        let word = &word[..word.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count()];
        let digits = word.as_bytes().get(1..5)?;
        digits.iter().all(u8::is_ascii_hexdigit).then_some(word)
    };
    memmem::find_iter(text.as_bytes(), "\\u").filter_map(word).collect()
}

/// The ends of what look like paths in a text, and are only words of prose with a slash between them:
/// “push/commit/merge”, “pass/fail”; with `amid_words` only those between two words of the same line, since a text that
/// is not all prose may list paths.
fn choices(text: &str, amid_words: bool) -> HashSet<&str> {
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let (mut words, mut paths) = (HashSet::default(), HashSet::default());
    let (bytes, mut from) = (text.as_bytes(), 0);
    while let Some(slash) = memchr::memchr(b'/', &bytes[from..]).map(|at| from + at) {
        let start = bytes[from..slash].iter().rposition(|byte| !inner(byte)).map_or(from, |at| from + at + 1);
        from = slash + bytes[slash..].iter().take_while(|byte| inner(byte)).count();
        let (token, before) = (&text[start..from], bytes[..start].last());
        let bare = token.trim_end_matches(['.', '/']);
        let Some((above, _)) = bare.rsplit_once('/') else { continue };
        let end = above.rfind('/').map_or(bare, |slash| &bare[slash + 1..]);
        let quoted = before.is_some_and(|sign| b"`'\"".contains(sign));
        let is_choice = !quoted
            && bare.split('/').all(|word| is_word(word) && !FOLDERS.contains(&word))
            && (!amid_words || is_amid_words(&text[..start], &text[from..]));
        if is_choice {
            words.insert(end)
        } else {
            paths.insert(end)
        };
    }
    words.retain(|word| !paths.contains(word));
    words
}

/// The same in scripts without spaces: “港口/船/灯塔”. A path in quotes, with an extension or a usual folder is one; where
/// paths may be `listed`, so is one that stands alone on its line.
fn dense_choices(text: &str, listed: bool) -> HashSet<&str> {
    let is_inner = |char: char| char.is_alphanumeric() || "._-/@+~".contains(char);
    let is_plain = |word: &str| !word.is_empty() && !word.contains(['.', '_', '~']) && !FOLDERS.contains(&word);
    let (mut choices, mut paths, mut quoted) = (HashSet::default(), HashSet::default(), false);
    // Most texts with other signs than ASCII have arrows and dashes only.
    if !has_dense(text) {
        return choices;
    }
    // Whether nothing but signs stands before the piece on its line.
    let mut alone = true;
    let ends_line = |piece: &str, token: &str| matches!(&piece[token.len()..], "" | "\n" | "\r");
    for piece in text.split_inclusive(|char| !is_inner(char)) {
        let token = piece.trim_end_matches(|char| !is_inner(char));
        if let Some(end) = last_two(token).filter(|end| has_dense(end)) {
            let is_choice = !quoted && token.split('/').all(is_plain) && !(listed && alone && ends_line(piece, token));
            (if is_choice { &mut choices } else { &mut paths }).insert(end);
        }
        quoted = piece.ends_with(['`', '\'', '"']);
        alone = piece.ends_with('\n') || alone && token.is_empty();
    }
    choices.retain(|end| !paths.contains(end));
    choices
}

/// The names of the tags that harnesses put, or have an agent put, anywhere in a text.
fn tags(part: &Part<'_>) -> HashSet<&'static str> {
    INNER_TAGS.iter().filter_map(|(tag, name)| part.text.contains(tag).then_some(*name)).collect()
}

/// Whether what stands between two texts stands between two words of its line.
fn is_amid_words(before: &str, behind: &str) -> bool {
    let is_word = |word: Option<&str>| {
        word.is_some_and(|word| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_alphabetic()))
    };
    let last = before.strip_suffix(' ').map(|text| text.rsplit([' ', '\n']).next());
    let next = behind.strip_prefix(' ').map(|text| text.split([' ', '\n', ',', '.', ';', ')']).next());
    last.is_some_and(is_word) && next.is_some_and(is_word)
}

/// Whether a byte can be part of a path.
fn inner(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"._-/@+~".contains(byte)
}

/// The last two components of the paths below folders of packages.
fn packaged(text: &str) -> HashSet<&str> {
    let path = |(folder, at): (&str, usize)| {
        let rest = &text[at + folder.len()..];
        &rest[..rest.bytes().take_while(inner).count()]
    };
    let found =
        PACKAGES.iter().flat_map(|folder| memmem::find_iter(text.as_bytes(), folder).map(move |at| (*folder, at)));
    found.map(path).filter_map(last_two).collect()
}

/// The keys of the data in a part of a call: for a tool all of them; for a command, whose output may be a file of the
/// work, only those that the harness puts around it.
fn keys<'t>(part: &'t Part<'_>, call: &str) -> HashSet<&'t str> {
    let text = &*part.text;
    if let Some((_, names)) = TAGS.iter().find(|(start, _)| text.starts_with(start)) {
        return names.iter().copied().collect();
    }
    let is_command = call.starts_with('`');
    let is_wrapped = || matches!(part.kind, PartKind::Call { .. }) || starts_any(text, &WRAPPERS);
    if !is_command && matches!(part.kind, PartKind::Result { .. }) && !text.starts_with(['{', '[']) {
        return yaml::keys(text).into_iter().collect();
    }
    if !text.starts_with(['{', '[']) || is_command && !is_wrapped() {
        return HashSet::default();
    }
    keys_of(text, !is_command)
}

/// The keys of a JSON text; with `inner` also those of JSON inside its strings.
fn keys_of(text: &str, inner: bool) -> HashSet<&str> {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let key = |colon: usize| {
        let is_inner = text[..colon].ends_with('\\');
        let end = if is_inner { colon - 1 } else { colon };
        let name = text.as_bytes()[..end].iter().rev().take_while(|byte| is_letter(byte)).count();
        (text[..end - name].ends_with('"') && (inner || !is_inner)).then(|| &text[end - name..end])
    };
    memmem::find_iter(text.as_bytes(), "\":").filter_map(key).collect()
}

/// The facts that are minor wherever they occur. `minor` has those of the parts that have any, by the index of the part
/// in `knowledge`, ascending.
pub(super) fn always_minor(minor: &[(usize, Vec<u32>)], knowledge: &Knowledge) -> HashSet<u32> {
    let mut only: HashSet<u32> = minor.iter().flat_map(|(_, facts)| facts).copied().collect();
    let mut next = minor.iter().peekable();
    for (at, known) in knowledge.parts.iter().enumerate() {
        if only.is_empty() {
            break;
        }
        let own = next.next_if(|(part, _)| *part == at).map_or(&[][..], |(_, facts)| facts);
        for fact in known.facts.iter().filter(|fact| own.binary_search(fact).is_err()) {
            only.remove(fact);
        }
    }
    only
}

/// The files with words of a script without spaces before them, if they are also named alone, and no part of the head
/// shows that the words are of the name.
pub(super) fn glued(head: &[&Message<'_>], knowledge: &Knowledge) -> Vec<u32> {
    let mut glued = begun_with_words(&knowledge.facts);
    if glued.is_empty() {
        return Vec::new();
    }
    for known in &knowledge.parts {
        let own: Vec<u32> = known.facts.iter().copied().filter(|fact| glued.contains(fact)).collect();
        if !own.is_empty() {
            let part = &head[known.message].parts[known.part];
            let whole = whole_names(part);
            let is_whole = |fact: u32| whole.contains(&*knowledge.facts[fact as usize].value);
            let shown = own.into_iter().filter(|fact| matches!(part.kind, PartKind::Call { .. }) || is_whole(*fact));
            shown.for_each(|fact| _ = glued.remove(&fact));
        }
    }
    glued.into_iter().collect()
}

/// What stands in code marks in a part, or fills a line of a result, without the folders.
fn whole_names<'t>(part: &'t Part<'_>) -> HashSet<&'t str> {
    let marked = part.text.split('`').skip(1).step_by(2);
    let listed = matches!(part.kind, PartKind::Result { .. }).then(|| part.text.lines().map(str::trim));
    let all = marked.chain(listed.into_iter().flatten());
    all.flat_map(|name| [name, last_two(name).unwrap_or(name), base_name(name)]).collect()
}

/// The files with words of a script without spaces before them, if they are also named alone.
fn begun_with_words(facts: &[Fact]) -> HashSet<u32> {
    let paths = || (0..).zip(facts).filter(|(_, fact)| fact.class == Class::Path);
    let ends = paths().filter_map(|(at, fact)| {
        let behind = fact.value.rfind(is_dense)?;
        Some((at, fact.value[behind..].trim_start_matches(is_dense)))
    });
    let ends: Vec<(u32, &str)> = ends.filter(|(_, end)| end.starts_with(|char: char| char.is_alphanumeric())).collect();
    if ends.is_empty() {
        return HashSet::default();
    }
    let names = paths().filter(|(_, fact)| !has_dense(&fact.value)).map(|(_, fact)| base_name(&fact.value));
    let alone: HashSet<&str> = names.collect();
    ends.into_iter().filter(|(_, end)| alone.contains(base_name(end))).map(|(at, _)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::builders::{act, agent};
    use super::super::super::knowledge::Known;
    use super::*;
    use crate::summary::head::Head;
    use crate::transcript::InTurn;
    use std::collections::BTreeSet;

    #[test]
    fn keys_are_found_in_objects_and_in_objects_inside_of_strings() {
        let text = r#"{"pier_id":"north_quay","more":"{\"lamp_count\":7}","so: it": ["a\":"]}"#;
        let keys = |inner| keys_of(text, inner).into_iter().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>();
        assert_eq!((keys(true), keys(false)), (vec!["a", "lamp_count", "more", "pier_id"], vec!["more", "pier_id"]));
    }

    #[test]
    fn names_of_tags_around_an_output_are_minor() {
        let [_, result] =
            act("shell", r#"{"command":"make"}"#, "<shell_output exit_code=\"0\">north_quay</shell_output>", false);
        assert_eq!(minor(&[result], "`make`"), ["exit_code", "shell_output"]);
    }

    #[test]
    fn examples_in_what_a_harness_says_about_itself_are_minor() {
        let told = |start: &'static str| minor(&[agent(start)], "look");
        assert_eq!(told("<model_switch>\nName a file as `lamp_of_quay`."), ["lamp_of_quay", "model_switch"]);
        assert_eq!(told("Name a file as `lamp_of_quay`."), [""; 0]);
    }

    /// The names in these messages that are minor wherever they occur, sorted; their calls are all told as this one.
    fn minor(messages: &[Message<'_>], call: &str) -> Vec<String> {
        minor_in(messages, &Place::Call(call.into()))
    }

    fn minor_in(messages: &[Message<'_>], place: &Place) -> Vec<String> {
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let knowledge = Knowledge::of(Head::of(&head, &InTurn), &[], &[]);
        let of =
            |known: &Known| minor_among(&head[known.message].parts[known.part], Some(place), &known.facts, &knowledge);
        let all: Vec<(usize, Vec<u32>)> = knowledge.parts.iter().map(of).enumerate().collect();
        let only = always_minor(&all, &knowledge);
        let mut names: Vec<String> = only.iter().map(|fact| knowledge.facts[*fact as usize].value.clone()).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn a_key_that_is_also_a_word_of_the_agent_is_a_name() {
        let result = r#"{"pier_name":"north_quay","lamp_count":7,"tide_table":3}"#;
        let mut messages = act("look", r#"{"lamp_count":7}"#, result, false).to_vec();
        messages.push(agent("I read the `tide_table` of it."));
        assert_eq!(minor(&messages, "look"), ["lamp_count", "pier_name"]);
        // What a command prints may be a file of the work.
        assert_eq!(minor(&messages, "`cat quay.json`"), [""; 0]);
    }

    #[test]
    fn parameters_of_an_edit_are_no_names_of_its_file() {
        let edits =
            r#"{"edits":[{"old_string":"lamp_off","new_string":"{\"lamp_key\": 1}"}],"file_path":"/w/pier.ts"}"#;
        let edit = act("MultiEdit", edits, "ok", false);
        assert_eq!(minor_in(&edit, &Place::File("/w/pier.ts".into())), ["new_string", "old_string"]);
    }

    #[test]
    fn sizes_in_a_listing_and_numbers_of_pieces_are_no_names() {
        let listed = "Chunk ID: 143744\nOriginal token count: 20011\n-rw-r--r-- 1 me crew 98767 May 2 quay.md\n\
                      drwxr-xr-x@ 3 me crew 40960 May 2 piers\n-rw-r--r-- 1 me crew 55810 May 2 log\nberth 55810";
        let list = act("shell", r#"{"command":"ls -l"}"#, listed, false);
        assert_eq!(minor(&list, "`ls -l`"), ["143744", "20011", "40960", "98767"]);
    }

    #[test]
    fn the_number_of_a_process_is_a_name_once_the_agent_speaks_of_it() {
        let serve = act("shell", r#"{"command":"serve"}"#, "Lamp 70012 lit\nBackground PID: 70013\nPGID: 70014", false);
        assert_eq!(minor(&serve, "`serve`"), ["70013", "70014"]);
        let stop = act("shell", r#"{"command":"kill 70014"}"#, "", false);
        assert_eq!(minor(&[serve, stop].concat(), "`serve`"), ["70013"]);
    }

    #[test]
    fn sides_of_a_diff_interpreters_and_grown_escapes_are_no_names() {
        let diff = "#!/usr/bin/env pier\ndiff --git a/doc.md b/doc.md\n--- a/doc.md\n+++ b/doc.md\ndiff --git a/quay/map.md b/quay/map.md\n\
                    +see a/pier.md and \\u003elamp_post, \\nu003e_bell";
        let shown = act("shell", r#"{"command":"git diff"}"#, diff, false);
        assert_eq!(minor(&shown, "`git diff`"), ["a/doc.md", "b/doc.md", "bin/env", "u003elamp_post"]);
    }

    #[test]
    fn a_file_with_words_before_it_is_no_other_file() {
        let said = "更新lamp.json，读了quay/map.md，灯塔.md，写入灯塔plan.md，港口/lamp.json。 See `docs/lamp.json` and `quay/map.md`.";
        let hidden = |messages: &[Message<'_>]| {
            let head: Vec<&Message<'_>> = messages.iter().collect();
            let knowledge = Knowledge::of(Head::of(&head, &InTurn), &[], &[]);
            let found = glued(&head, &knowledge);
            let mut names: Vec<String> =
                found.iter().map(|fact| knowledge.facts[*fact as usize].value.clone()).collect();
            names.sort_unstable();
            names
        };
        assert_eq!(hidden(&[agent(said)]), ["更新lamp.json", "读了quay/map.md"]);
        // In a listing, in code marks, and in a call, the words are of the name.
        let said = [agent("报告manual.md。 See manual.md."), agent("报告manual.md")];
        assert_eq!(hidden(&said), ["报告manual.md"]);
        let list = act("bash", r#"{"command":"ls"}"#, "manual.md\n报告manual.md\n", false);
        assert_eq!(hidden(&[&said[..], &list].concat()), [""; 0]);
        let read = act("read", r#"{"path":"docs/报告manual.md"}"#, "", false);
        assert_eq!(hidden(&[&said[..], &read].concat()), [""; 0]);
        assert_eq!(hidden(&[&said[..], &[agent("I read `报告manual.md`.")]].concat()), [""; 0]);
    }

    #[test]
    fn words_with_slashes_between_them_are_no_paths() {
        let said = "Push/commit/merge it, é pass/fail or yes/no/maybe; see `quay/lamps`, /quay/maps, src/piers and docs/map.md.";
        let mut found: Vec<_> = choices(said, false).into_iter().collect();
        found.sort_unstable();
        assert_eq!(found, ["commit/merge", "no/maybe", "pass/fail"]);
        let printed = "the pass/fail state\nquay/lamps\nquay/maps are\nin quay/piers\nor `yes/no maybe`, low/high tide";
        let amid_words: Vec<_> = choices(printed, true).into_iter().collect();
        assert_eq!(amid_words, ["pass/fail"]);
        assert!(choices("pass/fail, ./pass/fail", false).is_empty() && choices("", false).is_empty());
    }

    #[test]
    fn words_of_a_script_without_spaces_are_no_paths_either() {
        let text = "字体/颜色，港口/船/灯塔；CLI/SDK/MCPなし, `图/港`, docs/说明/灯, 图/灯.md";
        let mut found: Vec<_> = dense_choices(text, false).into_iter().collect();
        found.sort_unstable();
        assert_eq!(found, ["SDK/MCPなし", "字体/颜色", "船/灯塔"]);
        assert!(dense_choices("资料/报告/第一章\n港口/灯塔", true).is_empty());
        assert_eq!(dense_choices("选择 港口/灯塔 之一", true).len(), 1);
        let written = r#"{"path":"a","content":"\u6e2f\u53e3/\u8239/\u706f\u5854"}"#;
        assert_eq!(minor(&act("write", written, "ok", false), "write"), ["船/灯塔"]);
    }

    #[test]
    fn the_tag_of_a_plan_is_no_name() {
        let plan = "<proposed_plan>\n# Light\nUse `oil_lamp`.\n</proposed_plan>";
        assert_eq!(minor(&[agent(plan)], "`make`"), ["proposed_plan"]);
    }

    #[test]
    fn a_file_of_a_package_is_a_name_once_the_agent_speaks_of_it() {
        let result = "src/pier/lamp.ts\nnode_modules/tides/index.js\na/node_modules/@quay/ropes/knot.js";
        let mut messages = act("Bash", r#"{"command":"rg --files"}"#, result, false).to_vec();
        assert_eq!(minor(&messages, "`rg`"), ["ropes/knot.js", "tides/index.js"]);
        messages.push(agent("The bug is in tides/index.js."));
        assert_eq!(minor(&messages, "`rg`"), ["ropes/knot.js"]);
    }
}
