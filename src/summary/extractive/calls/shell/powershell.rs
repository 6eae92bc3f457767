//! What PowerShell's commands do with files; commands and parameters are case-insensitive.

use super::tokens::Word;
use super::{has_extension, is_file, moves};
use crate::summary::extractive::calls::act::FileOp;
use crate::summary::extractive::files::paths::SEPARATORS;
use std::borrow::Cow;

/// Commands that only look.
const LOOKS: &[&str] = &[
    "get-childitem",
    "get-item",
    "get-content",
    "get-location",
    "set-location",
    "push-location",
    "pop-location",
    "get-process",
    "get-command",
    "get-date",
    "test-path",
    "resolve-path",
    "split-path",
    "join-path",
    "select-string",
    "select-object",
    "sort-object",
    "where-object",
    "foreach-object",
    "measure-object",
    "format-table",
    "format-list",
    "write-host",
    "write-output",
    "out-string",
    "out-null",
    "start-sleep",
];
/// Commands that write their pipeline input.
const WRITERS: &[&str] = &["set-content", "add-content", "out-file", "tee-object"];
/// Parameters without a value.
const SWITCHES: &[&str] =
    &["-force", "-recurse", "-nonewline", "-raw", "-append", "-passthru", "-noclobber", "-wait", "-whatif", "-verbose"];
const PATHS: &[&str] = &["-path", "-literalpath", "-filepath"];

/// Whether a command only looks.
pub(in crate::summary::extractive) fn looks(program: &str) -> bool {
    program.contains('-') && LOOKS.contains(&&*program.to_ascii_lowercase())
}

/// Whether a command writes its pipeline input.
pub(super) fn writes(program: &str) -> bool {
    program.contains('-') && WRITERS.contains(&&*program.to_ascii_lowercase())
}

/// The parameters of a command.
#[derive(Default)]
struct Given {
    named: Vec<(String, Word)>,
    plain: Vec<Word>,
}

impl Given {
    fn read(args: &[&Word]) -> Self {
        let mut given = Self::default();
        let mut rest = args.iter();
        while let Some(arg) = rest.next() {
            let name = arg.text.to_ascii_lowercase();
            match name.starts_with('-') {
                true if SWITCHES.contains(&&*name) || name.contains(':') => given.named.push((name, Word::default())),
                true => given.named.extend(rest.next().map(|value| (name, (*value).clone()))),
                false => given.plain.extend(pieces(arg)),
            }
        }
        given
    }

    fn has(&self, name: &str) -> bool {
        self.named.iter().any(|(own, _)| own == name)
    }

    fn named(&self, names: &[&str]) -> Option<&Word> {
        self.named.iter().find(|(own, _)| names.contains(&own.as_str())).map(|(_, value)| value)
    }

    /// The value of a named parameter, or the positional one at this index.
    fn at(&self, names: &[&str], place: usize) -> Option<&Word> {
        let before = usize::from(self.named(PATHS).is_some() && !names.contains(&PATHS[0]));
        self.named(names).or_else(|| self.plain.get(place - before.min(place)))
    }
}

/// The paths of a list: only commas separate them.
fn pieces(word: &Word) -> Vec<Word> {
    let all = word.text.split(',').filter(|piece| !piece.is_empty());
    all.map(|piece| Word { text: piece.to_owned(), plain: word.plain }).collect()
}

/// The file operations of a command.
pub(super) fn files(program: &str, args: &[&Word]) -> Vec<(FileOp, String)> {
    if !program.contains('-') {
        return Vec::new();
    }
    let given = Given::read(args);
    let Some(path) = given.at(PATHS, 0) else { return Vec::new() };
    let all = |op: FileOp| {
        let paths = given.named(PATHS).map_or_else(|| given.plain.clone(), pieces);
        let files = paths.into_iter().filter(|path| is_file(path) && has_extension(&path.text));
        files.map(|path| (op, path.text)).collect::<Vec<_>>()
    };
    let one = |op: FileOp| Vec::from_iter(Some((op, path.text.clone())).filter(|_| is_file(path)));
    match &*program.to_ascii_lowercase() {
        "set-content" => one(FileOp::Written),
        "add-content" => one(FileOp::Edited),
        "out-file" | "tee-object" => one(if given.has("-append") { FileOp::Edited } else { FileOp::Written }),
        "new-item" => created(&given, path),
        "remove-item" => all(FileOp::Deleted),
        "get-content" => all(FileOp::Read),
        "copy-item" => {
            let to = given.at(&["-destination"], 1).filter(|to| is_file(to) && has_extension(&to.text));
            Vec::from_iter(to.map(|to| (FileOp::Created, to.text.clone())))
        }
        "move-item" => given.at(&["-destination"], 1).map(|to| moves(&[path, to])).unwrap_or_default(),
        "rename-item" => given.at(&["-newname"], 1).map(|name| moves(&[path, &beside(path, name)])).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// The file that a command creates; none for a folder.
fn created(given: &Given, path: &Word) -> Vec<(FileOp, String)> {
    let kind = given.named(&["-itemtype", "-type"]).map(|kind| kind.text.to_ascii_lowercase());
    let whole = given.named(&["-name"]).map_or_else(|| path.clone(), |name| inside(&path.text, name));
    let is_made = kind.as_deref() == Some("file") || kind.is_none() && has_extension(&whole.text);
    Vec::from_iter(Some((FileOp::Created, whole.text.clone())).filter(|_| is_made && is_file(&whole)))
}

fn inside(folder: &str, name: &Word) -> Word {
    let sign = if folder.contains('/') { '/' } else { '\\' };
    Word { text: format!("{}{sign}{}", folder.trim_end_matches(SEPARATORS), name.text), ..name.clone() }
}

fn beside(path: &Word, name: &Word) -> Word {
    let folder = path.text.rfind(SEPARATORS).map(|end| &path.text[..=end]).unwrap_or_default();
    Word { text: format!("{folder}{}", name.text), ..name.clone() }
}

/// A command without its here-strings (`@'` … `'@`), whose text goes to a pipeline or variable.
pub(in crate::summary::extractive) fn without_texts(command: &str) -> Cow<'_, str> {
    let (mut out, mut from) = (String::new(), 0);
    // If one start of a kind has no end, later ones have none either.
    let mut unended = [false; 2];
    for (start, _) in command.match_indices('@') {
        let kind = usize::from(command[start + 1..].starts_with('"'));
        if start < from || unended[kind] || !command[start + 1..].starts_with(['\'', '"']) {
            continue;
        }
        let behind = &command[start + 2..];
        let line = behind.trim_start_matches([' ', '\t', '\r']);
        let end = ["\n'@", "\n\"@"][kind];
        if !line.starts_with('\n') {
            continue;
        }
        let Some(at) = line.find(end) else {
            unended[kind] = true;
            continue;
        };
        out.extend([&command[from..start], "echo"]);
        from = command.len() - line.len() + at + end.len();
    }
    if from == 0 { Cow::Borrowed(command) } else { Cow::Owned(out + &command[from..]) }
}

#[cfg(test)]
mod tests {
    use super::super::Shell;
    use super::*;

    fn told(command: &str) -> Vec<String> {
        Shell::read(command).files.into_iter().map(|(op, path)| format!("{op:?} {path}")).collect()
    }

    #[test]
    fn texts_go_and_signs_that_begin_none_stay() {
        for command in ["x = @\"lamp\"; y = @'pier'", "@'\nlamp", "@\"\nlamp\n'@ @\"\nquay"] {
            assert_eq!(without_texts(command), command);
        }
        let two = "@'\na \"@\n'@ | Set-Content a; @\"\nb\n\"@ | Set-Content b; @\"\nc";
        assert_eq!(without_texts(two), "echo | Set-Content a; echo | Set-Content b; @\"\nc");
    }

    #[test]
    fn files_that_are_written_are_told() {
        for (command, expected) in [
            ("@'\n<lamp> it's lit\n'@ | Set-Content src\\Lamp.vue", "Written src\\Lamp.vue"),
            ("Set-Content -Path \"C:\\quay\\main.ts\" -Value 'x'", "Written C:\\quay\\main.ts"),
            ("set-content src\\main.ts 'x' -Encoding utf8", "Written src\\main.ts"),
            ("'y' | Out-File src\\store.ts", "Written src\\store.ts"),
            ("'y' | Out-File -Append -FilePath log.txt -Encoding ascii", "Edited log.txt"),
            ("Add-Content notes.md 'lit'", "Edited notes.md"),
            ("New-Item -ItemType File -Path lamps\\a.ts -Force", "Created lamps\\a.ts"),
            ("New-Item -Path lamps -Name b.ts -ItemType File", "Created lamps\\b.ts"),
            ("Remove-Item -Recurse -Force old.ts", "Deleted old.ts"),
            ("Copy-Item a.ts -Destination b.ts", "Created b.ts"),
            ("Get-Content -Path a.ts -TotalCount 20", "Read a.ts"),
        ] {
            assert_eq!(told(command), [expected], "{command}");
        }
        assert_eq!(told("Move-Item a.ts lamps\\"), ["Moved a.ts", "Arrived lamps/a.ts"]);
        assert_eq!(told("Move-Item -Path a.ts -Destination b.ts"), ["Moved a.ts", "Arrived b.ts"]);
        assert_eq!(told("Rename-Item lamps\\a.ts b.ts"), ["Moved lamps\\a.ts", "Arrived lamps\\b.ts"]);
        assert_eq!(told("Remove-Item a.ts, b.ts"), ["Deleted a.ts", "Deleted b.ts"]);
        assert_eq!(told("Get-Content -Path a.ts,lamps\\b.ts"), ["Read a.ts", "Read lamps\\b.ts"]);
        assert_eq!(told("(Get-Content a.ts) -replace 'x','y' | Set-Content a.ts"), ["Read a.ts", "Written a.ts"]);
        assert!(told("New-Item -ItemType Directory lamps; Set-Content $file 'x'; Get-ChildItem a.ts").is_empty());
    }

    #[test]
    fn what_only_writes_is_told_as_that() {
        for command in ["@'\nmake\n'@ | Set-Content a.ts", "'y' | Out-File a.ts", "cd x; Set-Content a.ts 'x'"] {
            assert!(Shell::read(command).only_changes, "{command}");
        }
        assert!(!Shell::read("npm run build | Out-File log.txt").only_changes);
    }

    #[test]
    fn texts_are_left_out() {
        assert_eq!(without_texts("$a = @\"\nmake\n\"@; make"), "$a = echo; make");
        for other in ["mail a@'b'", "@'never closed\n", "make"] {
            assert_eq!(without_texts(other), other);
        }
    }
}
