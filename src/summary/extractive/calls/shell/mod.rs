//! What a shell command does with files, as far as the command itself tells: which ones it prints, writes, moves and
//! deletes.
//!
//! Only programs whose names and arguments tell that count, and only literal file names: no variables, no patterns.
//! What a script does inside is unknown. Copies in a temporary folder are no changes.

mod gone;
mod powershell;
mod restored;
mod spoken;
mod tokens;
mod trees;
mod written;

use super::act::FileOp;
use super::code_run::takes_code;
use crate::facts::program_name;
use crate::summary::extractive::files::folders::below;
use crate::summary::extractive::files::paths::SEPARATORS;
use crate::summary::extractive::files::paths::is_scratch;
use crate::summary::extractive::words::QUIET_PROGRAMS;
use gone::Gone;
pub(super) use powershell::{looks, without_texts};
use restored::{is_foreign, restored};
pub(in crate::summary::extractive) use spoken::only_said;
use tokens::{Token, Word, tokens};
pub(in crate::summary::extractive) use trees::{Goes, Move, Names, Paths, Tree, ancestor, behind};
use written::{by_patch, by_script, runs, saves, takes_script};

/// Shell words, and programs that run another one, before a program.
const BEFORE: &[&str] = &["do", "then", "else", "{", "!", "sudo", "time", "env", "command", "git"];
const SHELLS: [&str; 5] = ["bash", "sh", "zsh", "powershell", "pwsh"];
/// Programs that print the files given to them.
pub(super) const PRINTERS: &[&str] = &["cat", "nl", "head", "tail", "less", "more", "bat"];
/// Programs whose redirected output is the content of the file.
const WRITERS: &[&str] = &["cat", "echo", "printf"];

/// Options by which a patch is only checked or applied elsewhere.
const TRIES: [&str; 8] = ["--check", "--stat", "--numstat", "--summary", "--dry-run", "--cached", "-C", "-R"];

/// What a command does with files.
#[derive(Debug, Clone, Default)]
pub(in crate::summary::extractive) struct Shell {
    /// Its file operations in order; paths are relative to the folder where the command starts, with its own `cd`
    /// resolved.
    pub(in crate::summary::extractive) files: Vec<(FileOp, String)>,
    /// Its operations on folders and work trees, each with the number of file operations before it.
    pub(in crate::summary::extractive) trees: Vec<(usize, Tree)>,
    /// Whether it only changes files, besides steps that look or prepare.
    pub(super) only_changes: bool,
}

impl Shell {
    /// Parses a command.
    pub(in crate::summary::extractive) fn read(command: &str) -> Self {
        let tokens = tokens(&without_texts(command));
        if let Some(inner) = handed_over(&tokens) {
            return Self::read(inner);
        }
        let (mut files, mut trees, mut changes_some, mut does_more) = (Vec::new(), Vec::new(), false, false);
        let (mut here, mut gone) = (Here::default(), Gone::default());
        let mut steps = steps(&tokens).peekable();
        while let Some((before, step)) = steps.next() {
            here.pass(before);
            let of_step = of_step(step);
            let changes = of_step.iter().any(|(op, path)| *op != FileOp::Read && !Gone::is_it(*op, path));
            // A quoted text that is written to a file.
            let mut is_text = || step.len() == 1 && steps.peek().is_some_and(|(_, next)| writes(next));
            changes_some |= changes;
            does_more |= runs_script(step) || !changes && !only_looks(step) && !is_text();
            here.follow(step);
            trees.extend(Tree::of_step(step, &here).into_iter().map(|tree| (files.len(), tree)));
            for (op, path) in of_step.into_iter().map(|(op, path)| (op, here.whole(path))) {
                if !gone.note(op, &path, files.len()) && (op == FileOp::Read || !is_scratch(&path)) {
                    files.push((op, path));
                }
            }
        }
        gone.leave_out(&mut files, &mut trees);
        Self { files, trees, only_changes: changes_some && !does_more }
    }

    /// Leaves out the files of which it turned out that they were not read.
    pub(super) fn leave_out(&mut self, is_unread: impl Fn(&str) -> bool) {
        let out: Vec<bool> = self.files.iter().map(|(op, path)| *op == FileOp::Read && is_unread(path)).collect();
        if !out.contains(&true) {
            return;
        }
        for (at, _) in &mut self.trees {
            *at -= out.iter().take(*at).filter(|is_out| **is_out).count();
        }
        let mut out = out.into_iter();
        self.files.retain(|_| out.next() != Some(true));
    }
}

/// The command passed to another shell as a whole: `powershell -Command "…"`, `bash -lc '…'`.
fn handed_over(tokens: &[Token]) -> Option<&str> {
    let words: Option<Vec<&Word>> = tokens.iter().map(word).collect();
    let words = words?;
    let [shell, options @ .., flag, command] = &*words else { return None };
    let name = shell.text.rsplit(SEPARATORS).next().unwrap_or_default().trim_end_matches(".exe").to_ascii_lowercase();
    let flag = flag.text.to_ascii_lowercase();
    let is_flag = flag == "-command" || flag.starts_with('-') && !flag.starts_with("--") && flag.ends_with('c');
    let is_shell = SHELLS.contains(&&*name) && options.iter().all(|option| !option.text.contains(' '));
    (is_shell && is_flag).then_some(&*command.text)
}

/// The steps of a command, each with the separators before it.
fn steps(tokens: &[Token]) -> impl Iterator<Item = (&[Token], &[Token])> {
    let ends = |token: &Token| matches!(token, Token::End | Token::Open | Token::Close);
    let mut rest = tokens;
    std::iter::from_fn(move || {
        let (before, behind) = rest.split_at(rest.iter().position(|token| !ends(token))?);
        let (step, next) = behind.split_at(behind.iter().position(ends).unwrap_or(behind.len()));
        rest = next;
        Some((before, step))
    })
}

/// The current folder of a command, as far as its `cd` steps name it.
#[derive(Default)]
struct Here {
    /// The current folder and the previous one; `None` for the starting folder or an unknown one.
    now: [Option<String>; 2],
    /// The same for the shells around the current subshell.
    around: Vec<[Option<String>; 2]>,
}

impl Here {
    /// Handles separators: a subshell restores the folders when it ends.
    fn pass(&mut self, ends: &[Token]) {
        for end in ends {
            match end {
                Token::Open => self.around.push(self.now.clone()),
                Token::Close => self.now = self.around.pop().unwrap_or_else(|| std::mem::take(&mut self.now)),
                _ => {}
            }
        }
    }

    /// Applies the `cd` of a step.
    fn follow(&mut self, step: &[Token]) {
        let [Token::Word(cd), Token::Word(folder), ..] = step else { return };
        if cd.text != "cd" {
            return;
        }
        let [here, before] = &self.now;
        let next = match (&*folder.text, here) {
            ("-", _) => before.clone(),
            _ if !folder.plain => None,
            (name, Some(here)) => Some(below(here, name).into_owned()),
            (name, None) => Some(below("", name).into_owned()),
        };
        self.now = [next, here.clone()];
    }

    /// The path of a file relative to the folder where the command starts.
    fn whole(&self, path: String) -> String {
        match &self.now[0] {
            Some(here) => below(here, &path).into_owned(),
            None => path,
        }
    }
}

fn only_looks(step: &[Token]) -> bool {
    let quiet = |program: &Word| QUIET_PROGRAMS.contains(&&*program.text) || looks(&program.text);
    step.iter().find_map(word).is_some_and(quiet)
}

fn writes(step: &[Token]) -> bool {
    step.iter().find_map(word).is_some_and(|program| powershell::writes(&program.text))
}

/// The code that a command passes to an interpreter, as a here-document or after `-c` or `-e`, without the line that
/// ends it.
pub(super) fn passed_code(command: &str) -> Option<String> {
    let tokens = tokens(command);
    let of_step = |step: &[Token]| {
        let (words, _) = parts(step);
        let at = words.iter().position(|word| runs(&word.text))?;
        let args = &words[at + 1..];
        let options = args.iter().take_while(|arg| arg.text.starts_with('-')).count();
        let flag = args[..options].iter().position(|arg| takes_code(&words[at].text, &arg.text));
        let typed = step.iter().find_map(|token| if let Token::Script(text) = token { Some(&**text) } else { None });
        let typed = typed.map(|text| text.trim_end().rsplit_once('\n').map_or("", |(code, _)| code).to_owned());
        let given = flag.and_then(|at| Some(args.get(at + 1)?.text.clone()));
        given.or_else(|| typed.filter(|_| options == args.len()))
    };
    steps(&tokens).find_map(|(_, step)| of_step(step))
}

/// The words of each step of a command, without redirections.
pub fn words(command: &str) -> Vec<Vec<String>> {
    let tokens = tokens(command);
    let text = |word: &Word| word.text.clone();
    steps(&tokens).map(|(_, step)| parts(step).0.into_iter().map(text).collect()).collect()
}

/// The words of a step, and the file that its output goes to.
fn parts(step: &[Token]) -> (Vec<&Word>, Option<(FileOp, &Word)>) {
    let (mut words, mut into) = (Vec::new(), None);
    let mut rest = step.iter();
    while let Some(token) = rest.next() {
        match token {
            Token::Word(word) => words.push(word),
            Token::Into { append } => {
                let op = if *append { FileOp::Edited } else { FileOp::Written };
                into = rest.next().and_then(word).map(|path| (op, path));
            }
            Token::Aside | Token::Here => drop(rest.next()),
            Token::Script(_) | Token::End | Token::Open | Token::Close => {}
        }
    }
    (words, into)
}

fn of_step(step: &[Token]) -> Vec<(FileOp, String)> {
    let (words, into) = parts(step);
    let sets = |word: &str| word.contains('=') && !word.starts_with(['-', '/', '.']);
    let in_git = words.iter().take_while(|word| BEFORE.contains(&&*word.text)).any(|word| word.text == "git");
    let mut words = words.into_iter().skip_while(|word| BEFORE.contains(&&*word.text) || sets(&word.text));
    let program = words.next().map(|path| program_name(&path.text)).unwrap_or_default();
    let args: Vec<&Word> = words.collect();
    let own = match program {
        "mv" => moves(&args),
        _ if takes_script(program) => of_script(program, &args, step),
        _ => powershell::files(program, &args),
    };
    if !own.is_empty() {
        return own.into_iter().filter(|(op, path)| is_told(*op, path)).collect();
    }
    let written = into.filter(|_| WRITERS.contains(&program));
    let mut all = match written {
        Some(_) => Vec::new(),
        None if in_git => restored(program, &args).unwrap_or_else(|| of_program(program, &args)),
        None => of_program(program, &args),
    };
    all.extend(written);
    all.retain(|(op, path)| is_file(path) && is_told(*op, &path.text));
    all.into_iter().map(|(op, path)| (op, path.text.clone())).collect()
}

/// Whether an operation on a file counts: of copies in a temporary folder it matters only what is read, and that they
/// are gone.
fn is_told(op: FileOp, path: &str) -> bool {
    matches!(op, FileOp::Read | FileOp::Deleted) || !is_scratch(path)
}

/// The files written by a script that a program gets as a here-document or after `-c` or `-e`.
fn of_script(program: &str, args: &[&Word], step: &[Token]) -> Vec<(FileOp, String)> {
    let typed = step.iter().find_map(|token| if let Token::Script(text) = token { Some(&**text) } else { None });
    let flag = args.iter().position(|arg| ["-c", "-e", "--eval"].contains(&&*arg.text));
    let given = flag.and_then(|at| Some(&*args.get(at + 1)?.text));
    match program {
        "apply" | "patch" if !is_one_of(args, &TRIES) => typed.map(by_patch).unwrap_or_default(),
        "apply" | "patch" => Vec::new(),
        "ed" => {
            let file = args.iter().find(|arg| !arg.text.starts_with('-')).filter(|file| is_file(file));
            let file = file.filter(|_| typed.is_some_and(saves));
            file.map(|file| (FileOp::Edited, file.text.clone())).into_iter().collect()
        }
        // With a script file as argument, the here-document is its input.
        _ if given.is_none() && args.iter().any(|arg| !arg.text.starts_with('-')) => Vec::new(),
        _ => typed.or(given).map(by_script).unwrap_or_default(),
    }
}

/// Whether a step runs a script, which may do more than change files.
fn runs_script(step: &[Token]) -> bool {
    step.iter().filter_map(word).any(|program| runs(&program.text))
}

fn word(token: &Token) -> Option<&Word> {
    if let Token::Word(word) = token { Some(word) } else { None }
}

fn of_program<'w>(program: &str, args: &[&'w Word]) -> Vec<(FileOp, &'w Word)> {
    let flag = |letter: char| args.iter().any(|arg| letters(&arg.text).is_some_and(|all| all.contains(letter)));
    let plain = || args.iter().copied().filter(|arg| !arg.text.starts_with('-') && !arg.text.is_empty());
    let all = |op: FileOp| plain().map(|path| (op, path)).collect::<Vec<_>>();
    let named =
        |op: FileOp| plain().filter(|path| has_extension(&path.text)).map(|path| (op, path)).collect::<Vec<_>>();
    let in_place =
        || args.iter().any(|arg| arg.text.starts_with("-i")) || is_one_of(args, &["--in-place"]) || flag('i');
    match program {
        "sed" if in_place() => scripted(FileOp::Edited, args),
        "perl" | "ruby" if in_place() && flag('p') => scripted(FileOp::Edited, args),
        "tee" => all(if flag('a') { FileOp::Edited } else { FileOp::Written }),
        // Other names without an extension may be folders, or values of flags: `touch -t 0101 src`.
        "touch" => {
            let is_capital =
                |path: &str| path.rsplit('/').next().is_some_and(|base| base.starts_with(char::is_uppercase));
            let files = plain().filter(|path| has_extension(&path.text) || is_capital(&path.text));
            files.map(|path| (FileOp::Created, path)).collect()
        }
        // With `-i` the deletion may have been declined; with `-n` nothing is deleted.
        "rm" | "unlink" if !is_one_of(args, &["--cached", "--dry-run"]) && !flag('i') && !flag('n') => {
            named(FileOp::Deleted)
        }
        // It may have been there before.
        "cp" => {
            let target = plain().skip(1).last().filter(|path| has_extension(&path.text));
            target.map(|path| (FileOp::Written, path)).into_iter().collect()
        }
        "sed" => scripted(FileOp::Read, args),
        _ if PRINTERS.contains(&program) => named(FileOp::Read),
        _ => Vec::new(),
    }
}

/// Moved files, each with its new path as far as known: moved into a folder, a file keeps its name.
fn moves(args: &[&Word]) -> Vec<(FileOp, String)> {
    let plain: Vec<&Word> = args.iter().copied().filter(|arg| !arg.text.starts_with('-')).collect();
    let Some((to, from)) = plain.split_last() else { return Vec::new() };
    // `jq . a.json > a.json.tmp && mv a.json.tmp a.json` writes `a.json`.
    let takes_place =
        |from: &Word| from.text.strip_prefix(&to.text).is_some_and(|rest| [".tmp", ".temp"].contains(&rest));
    if let [from] = from
        && takes_place(from)
        && is_file(to)
        && !is_scratch(&to.text)
    {
        return vec![(FileOp::Deleted, from.text.clone()), (FileOp::Written, to.text.clone())];
    }
    let in_folder = to.text.ends_with(SEPARATORS) || from.len() > 1;
    let mut all = Vec::new();
    for path in from {
        let is_known = is_file(path) && has_extension(&path.text) && !is_scratch(&path.text);
        let name = path.text.rsplit(SEPARATORS).next().unwrap_or_default();
        let place = match in_folder {
            true if is_known => Some(format!("{}/{name}", to.text.trim_end_matches(SEPARATORS))),
            true => None,
            false => has_extension(&to.text).then(|| to.text.clone()),
        };
        let place = place.filter(|place| to.plain && !is_scratch(place));
        all.extend(is_known.then(|| (FileOp::Moved, path.text.clone())));
        all.extend(place.map(|place| (if is_known { FileOp::Arrived } else { FileOp::Written }, place)));
    }
    all
}

fn is_one_of(args: &[&Word], names: &[&str]) -> bool {
    args.iter().any(|arg| names.contains(&&*arg.text))
}

/// The files of a program whose first argument is its script, unless options have it.
fn scripted<'w>(op: FileOp, args: &[&'w Word]) -> Vec<(FileOp, &'w Word)> {
    let mut files = Vec::new();
    let (mut has_script, mut rest) = (false, args.iter().copied());
    while let Some(arg) = rest.next() {
        let text = &*arg.text;
        let holds = letters(text).is_some_and(|letters| letters.ends_with(['e', 'f'])) || text == "--expression";
        match text {
            _ if holds => (has_script, _) = (true, rest.next()),
            // The empty suffix that macOS requires after `-i`: no backup is kept.
            "" => {}
            _ if text.starts_with('-') => {}
            _ if !has_script => has_script = true,
            _ => files.push((op, arg)),
        }
    }
    files
}

/// The single-letter options of an argument: `pi` of `-pi.bak`.
fn letters(arg: &str) -> Option<&str> {
    let letters = arg.strip_prefix('-')?.split('.').next()?;
    letters.chars().all(|letter| letter.is_ascii_alphanumeric()).then_some(letters)
}

pub(in crate::summary::extractive) fn has_extension(path: &str) -> bool {
    path.rsplit(SEPARATORS).next().is_some_and(|base| base.trim_start_matches('.').contains('.'))
}

fn is_file(path: &Word) -> bool {
    let text = &*path.text;
    path.plain && !text.is_empty() && !text.starts_with("/dev/") && !text.ends_with(SEPARATORS) && !text.contains('\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(command: &str) -> Vec<String> {
        Shell::read(command).files.into_iter().map(|(op, path)| format!("{op:?} {path}")).collect()
    }

    #[test]
    fn printed_files_are_read() {
        assert_eq!(
            told("cat C:\\quay\\lamp.rs \"src\\b.rs\" my\\ c.md"),
            ["Read C:\\quay\\lamp.rs", "Read src\\b.rs", "Read my c.md"]
        );
        assert_eq!(
            told("cd x && sed -n '1,20p' src/a.rs | head -5; nl -ba \"b.md\""),
            ["Read x/src/a.rs", "Read x/b.md"]
        );
    }

    #[test]
    fn files_that_text_goes_into_are_written() {
        assert_eq!(told("cat > a.rs <<'EOF'\nrm b.rs\nEOF\nrm c.rs"), ["Written a.rs", "Deleted c.rs"]);
        assert_eq!(told("cat <<EOF >> notes/a\nx > y\nEOF"), ["Edited notes/a"]);
        assert_eq!(
            told("echo 'a > b' >\"my file\"; printf x | sudo tee /etc/x.conf"),
            ["Written my file", "Written /etc/x.conf"]
        );
        assert!(
            told("cp a.rs /tmp/a.bak; make > log.txt 2>&1; echo x >/dev/null; echo x > $OUT; echo x 2> y").is_empty()
        );
    }

    #[test]
    fn editors_of_streams_edit_in_place() {
        for command in [
            "sed -i 's/a/b/' a.rs Makefile",
            "sed -i '' -e s/a/b/ a.rs Makefile",
            "sed -Ei.bak 's/(a)/b/; s/x y/z/' a.rs Makefile",
            "perl -0pi -e 's/a/b/' a.rs Makefile",
        ] {
            assert_eq!(told(command), ["Edited a.rs", "Edited Makefile"], "{command}");
        }
        assert_eq!(told("sed -n 's/i/b.c/p' a.rs"), ["Read a.rs"]);
    }

    #[test]
    fn moved_copied_and_deleted_files_are_told() {
        assert_eq!(told("git mv a.rs b.rs && cp -r b.rs c.rs"), ["Moved a.rs", "Arrived b.rs", "Written c.rs"]);
        let into = ["Moved a.rs", "Arrived x/a.rs", "Moved y/b.rs", "Arrived x/b.rs"];
        assert_eq!(told("mv -f a.rs y/b.rs x"), into);
        assert_eq!(told("mv a.rs x/"), into[..2]);
        assert_eq!(told("mv a.rs x; mv $y b.rs; mv /tmp/c.rs c.rs"), ["Moved a.rs", "Written b.rs", "Written c.rs"]);
        assert_eq!(told("rm -rf build x.rs *.o; cp a.rs dir/; git rm --cached y.rs"), ["Deleted x.rs"]);
        assert_eq!(told("jq . a.json > a.json.tmp && mv a.json.tmp a.json"), ["Deleted a.json.tmp", "Written a.json"]);
        assert_eq!(told("rm -i x.rs < /dev/null; git rm -n z.rs"), [""; 0]);
    }

    #[test]
    fn changes_that_git_takes_back_are_told() {
        assert_eq!(told("git checkout -- src/a.rs Makefile . && git status"), ["Restored src/a.rs"]);
        assert_eq!(told("sudo git checkout HEAD -- a.rs; git restore -q b.rs"), ["Restored a.rs", "Restored b.rs"]);
        assert_eq!(told("git checkout main -- a.rs; git restore --source=v1.2 b.rs"), ["Written a.rs", "Written b.rs"]);
        assert_eq!(told("git checkout quay/a.rs"), ["Restored quay/a.rs"]);
        for other in [
            "git checkout release-1.2",
            "git checkout quay/lamps",
            "git checkout v1.2 quay/a.rs",
            "git restore --staged a.rs",
            "checkout -- a.rs",
            "restore a.rs",
        ] {
            assert!(told(other).is_empty(), "{other}");
        }
    }

    #[test]
    fn a_command_that_also_does_something_else_is_told() {
        for command in ["sed -i s/a/b/ a.rs", "cd x && cat > a.rs <<EOF\nmake\nEOF\ncat a.rs", "rm a.rs\n"] {
            assert!(Shell::read(command).only_changes, "{command}");
        }
        for command in ["sed -i s/a/b/ a.rs && make", "cat a.rs", "rm a.rs; ./run", ""] {
            assert!(!Shell::read(command).only_changes, "{command}");
        }
    }

    #[test]
    fn a_command_works_in_the_folder_that_it_went_to() {
        assert_eq!(told("cd \"/work/a b\" && cat x.rs"), ["Read /work/a b/x.rs"]);
        assert_eq!(
            told("cd /work || exit 1; cat x.rs; cd src && cat y.rs /z.rs"),
            ["Read /work/x.rs", "Read /work/src/y.rs", "Read /z.rs"]
        );
        assert_eq!(
            told("cat x.rs; cd sub 2>/dev/null && cat y.rs ../z.rs"),
            ["Read x.rs", "Read sub/y.rs", "Read z.rs"]
        );
        assert_eq!(told("cd $HOME/x; cat y.rs"), ["Read y.rs"]);
        assert_eq!(told("cd sub && make; cd .. && cat y.rs; cd - && cat z.rs"), ["Read y.rs", "Read sub/z.rs"]);
        assert_eq!(
            told("cd sub; cd $HOME; cat y.rs; (cd lamps && cat z.rs); cat w.rs"),
            ["Read y.rs", "Read lamps/z.rs", "Read w.rs"]
        );
        assert!(told("cd /tmp && echo x > y.rs").is_empty());
    }

    #[test]
    fn any_text_is_read() {
        for text in ["", "'", "\"\\", "<<", "cat <<", "cat <<E", "cat <<E\n", ">", "echo >", "#", "é > 'ü", "2>"] {
            told(text);
        }
    }
}
