//! The history of each file: operations on the file itself, moves and deletions of folders above it, and changes by git
//! to its work tree (`reset`, `stash`, `clean`).

use super::committed::{Gone, gone};
use super::counts::{Counts, End, Fate};
use super::endings::is_mute;
use super::turns::Turn;
use crate::summary::extractive::calls::act::FileOp;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::shell::{Goes, Move, Names, Paths, Tree, behind, has_extension};
use crate::summary::extractive::files::folders::Folders;
use crate::summary::extractive::files::paths::is_temporary;
use crate::summary::extractive::files::paths::{SEPARATORS, is_absolute, same};
use crate::summary::text::first_bytes;
use foldhash::{HashMap, HashSet};

/// Maximum number of file checks for operations on folders; beyond it such operations are ignored.
const WORK: usize = 5_000_000;
/// Number of bytes at the start of a result in which “created” shows that a written file is new.
const NEWS: usize = 200;

/// A file with its operations.
#[derive(Default)]
pub(in crate::summary::extractive) struct File {
    pub(in crate::summary::extractive) path: String,
    /// Its path as written in the call.
    pub(in crate::summary::extractive) named: String,
    /// Whether a call states the folder that this path is relative to.
    pub(in crate::summary::extractive) by_call: bool,
    pub(in crate::summary::extractive) counts: Counts,
    pub(in crate::summary::extractive) last: usize,
    /// The newest change.
    pub(in crate::summary::extractive) newest: Option<FileOp>,
    /// The path from which the file was first moved here, and the path to which it was moved away.
    pub(in crate::summary::extractive) from: Option<String>,
    pub(in crate::summary::extractive) to: Option<String>,
    /// What an operation on the work tree did to its changes.
    pub(in crate::summary::extractive) fate: Option<Fate>,
    /// Whether it was only read and its folder is gone.
    pub(in crate::summary::extractive) lost: bool,
    /// A key that is equal for all spellings of its path.
    key: String,
    /// The first operation: shows whether the file existed before.
    first: Option<FileOp>,
    /// Counts of operations at the last commit before its newest change, and the number of commits up to then.
    kept: Counts,
    commits: usize,
}

impl File {
    fn note(&mut self, op: FileOp, message: usize, commits: usize) {
        // What was there before is not created.
        let op = if op == FileOp::Created && self.first.is_some() { FileOp::Written } else { op };
        if op != FileOp::Read {
            if self.newest.is_none() || self.commits < commits {
                (self.kept, self.commits) = (self.counts, commits);
            }
            (self.newest, self.fate) = (Some(op), None);
        }
        self.lost = false;
        self.first = self.first.or(Some(op));
        self.counts.add(op);
        self.last = message;
    }

    pub(in crate::summary::extractive) fn reads(&self) -> usize {
        self.counts.read
    }

    pub(in crate::summary::extractive) fn writes(&self) -> usize {
        self.counts.changes() + usize::from(self.newest == Some(FileOp::Arrived))
    }

    /// Its new path, if it was moved away.
    pub(in crate::summary::extractive) fn place(&self) -> Option<&String> {
        self.to.as_ref().filter(|_| self.newest == Some(FileOp::Moved))
    }

    fn is_here(&self) -> bool {
        !matches!(self.newest, Some(FileOp::Deleted | FileOp::Moved))
    }

    /// Whether it existed before its first change, as far as known.
    fn is_old(&self) -> bool {
        !matches!(self.first, Some(FileOp::Created | FileOp::Written | FileOp::Arrived))
    }

    /// Number of changes that were committed.
    fn kept_changes(&self) -> usize {
        self.kept.changes()
    }

    /// Records that its folder was deleted.
    fn drop_out(&mut self, message: usize, commits: usize) {
        let is_changed = self.writes() > 0;
        self.note(FileOp::Deleted, message, commits);
        self.lost = !is_changed;
    }

    /// Records that git took the uncommitted changes out of the work tree (reset or stash), and those of the last
    /// `back` commits.
    fn take_back(&mut self, commits: usize, back: usize, end: End) {
        if self.newest == Some(FileOp::Deleted) && self.is_old() && self.commits + back >= commits {
            self.counts.deleted = 0;
            self.lost = false;
            self.newest = (self.writes() > 0).then_some(FileOp::Edited);
        }
        let is_open = self.newest.is_some() && self.is_here() && self.commits + back >= commits;
        if !is_open || self.newest == Some(FileOp::Restored) || self.fate.is_some() {
            return;
        }
        let reads = self.reads();
        match self.kept_changes() {
            0 if self.is_old() => self.fate = Some(end.surely()),
            // Unknown whether git tracks it.
            0 if self.first == Some(FileOp::Created) => {}
            0 => self.fate = Some(end.perhaps()),
            _ if back > 0 => self.fate = Some(end.perhaps()),
            _ if end == End::Undone => self.counts = Counts { read: reads, ..self.kept },
            _ => {}
        }
    }

    /// Records a `git clean`, which deletes new files that were not committed.
    fn clean(&mut self, message: usize, commits: usize) {
        if !self.is_here() || self.is_old() || self.commits < commits || self.kept_changes() > 0 {
            return;
        }
        match self.first {
            Some(FileOp::Created) => self.note(FileOp::Deleted, message, commits),
            // If git tracked it, the changes were taken back; otherwise it was deleted.
            _ if self.fate == Some(End::Undone.perhaps()) => self.fate = Some(End::Undone.surely()),
            _ => self.fate = Some(End::Deleted.perhaps()),
        }
    }
}

/// The files so far, while the calls of a session are replayed.
#[derive(Default)]
struct History {
    places: HashMap<String, usize>,
    files: Vec<File>,
    /// Folders that were created.
    made: HashSet<String>,
    commits: usize,
    work: usize,
}

/// Returns the files that successful calls of these turns worked with, in order of first use.
pub(in crate::summary::extractive) fn files(turns: &[Turn<'_>], folders: &Folders) -> Vec<File> {
    let mut history = History::default();
    for act in turns.iter().flat_map(|turn| &turn.acts).filter(|act| act.outcome.worked()) {
        let mut moved = None;
        // Whether a stash or the like worked is unknown.
        let trees = if is_mute(act) { &[][..] } else { act.trees() };
        let mut trees = trees.iter().peekable();
        for (at, (op, path)) in act.files().iter().enumerate() {
            while let Some((_, tree)) = trees.next_if(|(before, _)| *before <= at) {
                history.tree(tree, act, folders);
            }
            let whole = act.whole(folders, path).into_owned();
            let place = history.place(whole, path.clone(), act.is_placed_by_call(folders));
            let is_news = || *op == FileOp::Written && first_bytes(act.result, NEWS).contains("created");
            if history.files[place].first.is_none() && is_news() {
                history.files[place].first = Some(FileOp::Created);
            }
            history.files[place].note(*op, act.message, history.commits);
            if let (Some(from), FileOp::Arrived) = (moved, op) {
                go(&mut history.files, from, place);
            }
            moved = (*op == FileOp::Moved).then_some(place);
        }
        trees.for_each(|(_, tree)| history.tree(tree, act, folders));
        gone(act).iter().for_each(|gone| history.gone(gone, act));
    }
    history.files
}

/// Returns the paths, as calls spell them, of the files that these turns created and that are gone in the end.
pub(in crate::summary::extractive) fn created_and_deleted(turns: &[Turn<'_>]) -> HashSet<String> {
    let folders = folders_of(turns);
    let over = |file: &File| file.newest == Some(FileOp::Deleted) && !file.is_old() && file.from.is_none();
    let gone: HashSet<String> =
        files(turns, &folders).into_iter().filter(|file| over(file)).map(|file| file.key).collect();
    let acts = turns.iter().flat_map(|turn| &turn.acts);
    let spelled = acts.flat_map(|act| act.files().iter().map(move |(_, path)| (act, path)));
    // A relative path may mean files of several folders.
    let (over, stays): (Vec<_>, Vec<_>) =
        spelled.partition(|(act, path)| gone.contains(&same(&act.whole(&folders, path))));
    let stays: HashSet<&String> = stays.into_iter().map(|(_, path)| path).collect();
    over.into_iter().map(|(_, path)| path).filter(|path| !stays.contains(path)).cloned().collect()
}

/// Transfers the operations before a move from the old path to the new one.
fn go(files: &mut [File], from: usize, to: usize) {
    if from == to {
        return;
    }
    let mut before = std::mem::take(&mut files[from].counts);
    before.moved = 0;
    files[from].counts.moved = 1;
    files[from].to = Some(files[to].path.clone());
    let first = files[from].from.take().unwrap_or_else(|| files[from].path.clone());
    files[to].from = (first != files[to].path).then_some(first);
    files[to].counts.moved = 0;
    files[to].counts += before;
}

impl History {
    /// The index of the file at a path; a new one is added.
    fn place(&mut self, whole: String, named: String, by_call: bool) -> usize {
        let key = same(&whole);
        let place = *self.places.entry(key.clone()).or_insert(self.files.len());
        if place == self.files.len() {
            self.files.push(File { path: whole, named, by_call, key, ..File::default() });
        }
        place
    }

    /// Applies an operation on a folder or work tree.
    fn tree(&mut self, tree: &Tree, act: &Act<'_>, folders: &Folders) {
        let key = |path: &str| key(&act.whole(folders, path));
        let (message, commits) = (act.message, self.commits);
        match tree {
            Tree::Made(folder) => drop(self.made.insert(key(folder))),
            Tree::Committed => self.commits += 1,
            Tree::Popped => self.each(|file| file.fate = file.fate.filter(|fate| fate.end != End::Stashed)),
            Tree::Dropped => self.each(|file| {
                file.fate = match file.fate {
                    Some(Fate { end: End::Stashed, perhaps }) => Some(Fate { end: End::Undone, perhaps }),
                    other => other,
                }
            }),
            Tree::Deleted(paths) => {
                let folder = key(&paths.folder);
                self.each(|file| {
                    let rest = inside(paths, &file.key, &folder);
                    // Single files are recorded as files.
                    if rest.is_some_and(|rest| !rest.is_empty() || !has_extension(&file.key)) && file.is_here() {
                        file.drop_out(message, commits);
                    }
                });
            }
            Tree::Moved(moved) => self.move_all(moved, act, folders),
            Tree::Undone { below, back } => {
                self.below(&key(below), |file| file.take_back(commits, *back, End::Undone));
            }
            Tree::Stashed { below, new } => self.below(&key(below), |file| {
                if *new && !file.is_old() && file.is_here() && file.commits >= commits && file.kept_changes() == 0 {
                    file.fate = file.fate.or(Some(End::Stashed.surely()));
                }
                file.take_back(commits, 0, End::Stashed);
            }),
            Tree::Cleaned(below) => self.below(&key(below), |file| file.clean(message, commits)),
        }
    }

    fn each(&mut self, change: impl FnMut(&mut File)) {
        self.work += self.files.len();
        if self.work <= WORK {
            self.files.iter_mut().for_each(change);
        }
    }

    /// Applies a change to all files below a folder; if the folder is unknown (`.`), to all but temporary ones.
    fn below(&mut self, folder: &str, mut change: impl FnMut(&mut File)) {
        self.each(|file| {
            let is_below = if folder == "." { !is_temporary(&file.key) } else { behind(&file.key, folder).is_some() };
            if is_below {
                change(file);
            }
        });
    }

    /// Records that a file is gone, if it is the only known one at the end of its path.
    fn gone(&mut self, gone: &Gone, act: &Act<'_>) {
        self.work += self.files.len();
        if self.work > WORK {
            return;
        }
        let here = self.files.iter().enumerate().filter(|(_, file)| file.is_here());
        let mut known = here.filter_map(|(at, file)| Some((at, folder_before(&file.path, &gone.path)?.to_owned())));
        let (Some((at, before)), None) = (known.next(), known.next()) else { return };
        let Some(to) = &gone.to else {
            return self.files[at].note(FileOp::Deleted, act.message, self.commits);
        };
        let File { named, by_call, .. } = &self.files[at];
        let named = folder_before(named, &gone.path).map_or(to.clone(), |before| format!("{before}{to}"));
        let place = self.place(format!("{before}{to}"), named, *by_call);
        self.files[at].note(FileOp::Moved, act.message, self.commits);
        self.files[place].note(FileOp::Arrived, act.message, self.commits);
        go(&mut self.files, at, place);
    }

    fn is_folder(&self, folder: &str) -> bool {
        let holds = |file: &File| file.is_here() && behind(&file.key, folder).is_some_and(|rest| !rest.is_empty());
        self.made.contains(folder) || self.files.iter().any(holds)
    }

    fn move_all(&mut self, Move { from, to, goes }: &Move, act: &Act<'_>, folders: &Folders) {
        let goes = *goes;
        let folder = key(&act.whole(folders, &from.folder));
        let target = act.whole(folders, to).into_owned();
        self.work += 2 * self.files.len();
        if self.work > WORK || folder == key(&target) {
            return;
        }
        let is_folder = goes == Goes::Into || self.is_folder(&key(&target));
        let name = folder.rsplit('/').next().unwrap_or_default().len();
        let name = from.folder.get(from.folder.len().saturating_sub(name)..).unwrap_or_default();
        let is_whole = from.names == Names::All;
        let mut moved = Vec::new();
        for (at, file) in self.files.iter().enumerate().filter(|(_, file)| file.is_here()) {
            let Some(rest) = inside(from, &file.key, &folder) else { continue };
            let Some(rest) = file.path.get(file.path.len().saturating_sub(rest.len())..) else { continue };
            let is_one = rest.is_empty();
            // The move of a single file is already recorded as a file operation, unless its new path depends on
            // whether the target is a folder.
            if is_one && has_extension(&file.key) && (goes != Goes::Either || !is_folder) {
                continue;
            }
            let goes_into = is_whole && (is_folder || goes == Goes::Slash && is_one);
            let end = if goes_into { format!("/{name}{rest}") } else { rest.to_owned() };
            let root = |folder: &str| folder.trim_end_matches(SEPARATORS).to_owned();
            moved.push((at, format!("{}{end}", root(&target)), format!("{}{end}", root(to))));
        }
        for (at, path, named) in moved {
            let place = self.place(path, named, act.is_placed_by_call(folders));
            self.files[at].note(FileOp::Moved, act.message, self.commits);
            self.files[place].note(FileOp::Arrived, act.message, self.commits);
            go(&mut self.files, at, place);
        }
    }
}

/// What stands before a path at the end of another one: nothing, or a folder with its separator.
fn folder_before<'p>(path: &'p str, end: &str) -> Option<&'p str> {
    path.strip_suffix(end).filter(|before| before.is_empty() || before.ends_with(SEPARATORS))
}

/// The rest of a file's key after `folder`, if `paths` cover the file. An unknown folder (`.`) contains all relative
/// paths.
fn inside<'k>(paths: &Paths, key: &'k str, folder: &str) -> Option<&'k str> {
    if folder != "." {
        return paths.behind(key, folder);
    }
    let is_one = match &paths.names {
        Names::All => false,
        Names::Inside => !key.starts_with('.'),
        names @ Names::Like { .. } => !key.starts_with('.') && names.are_like(key),
    };
    (is_one && !is_absolute(key)).then_some(key)
}

fn key(folder: &str) -> String {
    let key = same(folder);
    let short = key.trim_end_matches('/');
    if short.is_empty() { key } else { short.to_owned() }
}

/// The base of the relative paths in these turns: from the folders that calls state, else inferred from the paths.
pub(in crate::summary::extractive) fn folders_of(turns: &[Turn<'_>]) -> Folders {
    let acts = || turns.iter().flat_map(|turn| &turn.acts);
    let paths = acts().flat_map(|act| act.files()).map(|(_, path)| path.as_str());
    Folders::of(acts().filter_map(|act| act.stated.as_deref())).or_told_by(paths)
}

#[cfg(test)]
mod tests {
    use super::super::turns::turns;
    use super::*;
    use crate::summary::builders::act;
    use crate::summary::extractive::sections::files::items;
    use crate::transcript::Message;

    /// The lines of Relevant files after these calls, each given as `tool argument`.
    fn told(calls: &[&str]) -> Vec<String> {
        let act = |call: &&str| {
            let (tool, argument) = call.split_once(' ').unwrap_or_default();
            match tool {
                "run" => act("bash", &serde_json::json!({ "command": argument }).to_string(), "", false),
                "failed" => act("bash", &serde_json::json!({ "command": argument }).to_string(), "Exit code 1", true),
                "Create" => {
                    act("Write", &serde_json::json!({ "file_path": argument }).to_string(), "File created", false)
                }
                _ => act(tool, &serde_json::json!({ "file_path": argument }).to_string(), "ok", false),
            }
        };
        let messages: Vec<Message<'_>> = calls.iter().flat_map(act).collect();
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let turns = turns(&head, &[]);
        items(&turns, &folders_of(&turns), &[]).0.into_iter().map(|item| item.text).collect()
    }

    #[test]
    fn what_a_commit_says_to_be_gone_is_gone() {
        let told = |result: &str| {
            let edit = |path: &str| act("Edit", &serde_json::json!({ "file_path": path }).to_string(), "ok", false);
            let commit = act("bash", r#"{"command":"git commit -m x"}"#, result, false);
            let messages = [edit("/w/quay/lamp.rs"), edit("/w/quay/oil.rs"), commit].concat();
            let turns = turns(&messages.iter().collect::<Vec<_>>(), &[]);
            let mut lines: Vec<_> =
                items(&turns, &folders_of(&turns), &[]).0.into_iter().map(|item| item.text).collect();
            lines.sort();
            lines
        };
        let head = "[main 1a2b3c4] x\n 2 files changed, 3 deletions(-)\n";
        let (oil, lamp) = ("`/w/quay/oil.rs` — edited", "`/w/quay/lamp.rs` — edited");
        assert_eq!(told(head), [lamp, oil]);
        assert_eq!(
            told(&format!("{head} delete mode 100644 quay/lamp.rs")),
            [format!("{lamp}, deleted"), oil.to_owned()]
        );
        let moved = told(&format!("{head} rename quay/{{lamp.rs => a/light.rs}} (90%)"));
        assert_eq!(moved, ["`/w/quay/a/light.rs` — edited, moved from `/w/quay/lamp.rs`", oil]);
        assert_eq!(told(&format!("{head} delete mode 100644 pier/lamp.rs")), [lamp, oil], "another file");
    }

    #[test]
    fn files_of_a_deleted_folder_are_deleted_and_those_that_were_only_read_go() {
        let deletes = |command: &&&str| {
            let lines = told(&["Edit quay/a.rs", "Read quay/b.rs", "Edit quays/c.rs", &format!("run {command}")]);
            lines == ["`quays/c.rs` — edited", "`quay/a.rs` — edited, deleted"]
        };
        let all = [
            "rm -rf quay",
            "git rm -r quay",
            "git -C . rm -r quay/",
            "Remove-Item -Recurse -Force quay",
            "powershell -Command \"Remove-Item -Recurse -Force quay\"",
            "bash -lc 'rm -rf quay'",
            "rm -rf quay/*",
            "rm quay/*.rs",
            "cd quay && rm -rf *",
            "rmdir /s /q quay",
        ];
        assert_eq!(all.iter().filter(deletes).collect::<Vec<_>>(), all.iter().collect::<Vec<_>>());
        for command in ["rm -rf qua", "rm -rf quay/lamp", "rm -i quay", "git rm -r --cached quay", "rm -rf $Q/quay"] {
            assert_eq!(told(&["Edit quay/a.rs", &format!("run {command}")]), ["`quay/a.rs` — edited"], "{command}");
        }
        assert_eq!(
            told(&["Edit quay/lamp-a.rs", "Edit quay/oil-a.rs", "run rm -f quay/lamp-*.rs"]),
            ["`quay/oil-a.rs` — edited", "`quay/lamp-a.rs` — edited, deleted"]
        );
        assert_eq!(told(&["Edit quay/a.rs", "failed rm -rf quay"]), ["`quay/a.rs` — edited"]);
        assert_eq!(told(&["Edit quay/a.rs", "run rm -rf quay", "Write quay/a.rs"]), ["`quay/a.rs` — written, edited"]);
        assert_eq!(told(&["Edit Makefile", "run rm Makefile"]), ["`Makefile` — edited, deleted"]);
    }

    #[test]
    fn files_of_a_moved_folder_are_where_it_is() {
        let edited = "Edit quay/lamp/a.rs";
        for (command, path) in [
            ("mv quay pier", "pier/lamp/a.rs"),
            ("git mv quay/lamp quay/oil", "quay/oil/a.rs"),
            ("mv quay/lamp/ pier/", "pier/a.rs"),
            ("mkdir -p pier && mv quay/lamp/ pier/", "pier/lamp/a.rs"),
            ("mkdir -p pier && mv quay/lamp pier", "pier/lamp/a.rs"),
            ("mv quay/* pier/", "pier/lamp/a.rs"),
            ("mv quay/lamp/*.rs pier", "pier/a.rs"),
            ("cd quay && mv lamp ../pier", "pier/a.rs"),
            ("mv quay tower pier", "pier/quay/lamp/a.rs"),
            ("Move-Item quay pier", "pier/lamp/a.rs"),
        ] {
            let lines = told(&[edited, &format!("run {command}")]);
            assert_eq!(lines, [format!("`{path}` — edited, moved from `quay/lamp/a.rs`")], "{command}");
        }
        let both = told(&[edited, "run mv quay pier", "run mv pier/lamp/a.rs pier/lamp/b.rs", "Edit pier/lamp/b.rs"]);
        assert_eq!(both, ["`pier/lamp/b.rs` — edited 2×, moved from `quay/lamp/a.rs`"]);
        assert_eq!(told(&[edited, "run mv $Q/lamp pier; mv quay $P; mv -n quay pier"]), ["`quay/lamp/a.rs` — edited"]);
        let into = told(&["Edit a.rs", "Read pier/b.rs", "run mv a.rs pier"]);
        assert_eq!(into, ["`pier/a.rs` — edited, moved from `a.rs`", "`pier/b.rs` — read"]);
    }

    #[test]
    fn edits_of_a_tree_that_git_resets_are_undone_since_the_last_commit() {
        for command in [
            "git reset --hard",
            "git reset --hard HEAD~1",
            "git checkout .",
            "git checkout -- quay",
            "git restore quay/",
        ] {
            let lines = told(&["Edit quay/a.rs", "Read quay/b.rs", &format!("run {command}")]);
            assert_eq!(lines, ["`quay/a.rs` — edited, undone", "`quay/b.rs` — read"], "{command}");
        }
        for command in
            ["git reset", "git reset --soft HEAD~1", "git checkout quay", "git restore --staged .", "git checkout -p ."]
        {
            assert_eq!(told(&["Edit quay/a.rs", &format!("run {command}")]), ["`quay/a.rs` — edited"], "{command}");
        }
        let commit = "run git commit -am 'Light it'";
        assert_eq!(told(&["Edit a.rs", commit, "run git reset --hard"]), ["`a.rs` — edited"]);
        assert_eq!(told(&["Edit a.rs", commit, "run git reset --hard HEAD~1"]), ["`a.rs` — edited, undone"]);
        assert_eq!(told(&["Edit a.rs", commit, "Edit a.rs", "run git checkout ."]), ["`a.rs` — edited"]);
        assert_eq!(told(&["Edit a.rs", "run git checkout .", "Edit a.rs"]), ["`a.rs` — edited 2×"]);
        assert_eq!(told(&["Edit a.rs", "failed git reset --hard"]), ["`a.rs` — edited"]);
        assert_eq!(told(&["Create a.rs", "run git reset --hard"]), ["`a.rs` — written"], "git does not know it");
        assert_eq!(told(&["Write a.rs", "run git reset --hard"]), ["`a.rs` — written, perhaps undone"]);
        assert_eq!(told(&["Write a.rs", "run git checkout -- . && git clean -fd"]), ["`a.rs` — written, undone"]);
        assert_eq!(told(&["Create a.rs", "run git clean -fd"]), ["`a.rs` — written, deleted"]);
        let back = ["Read quay/a.rs", "run rm -rf quay", "run git checkout ."];
        assert_eq!(told(&back), ["`quay/a.rs` — read"]);
    }

    #[test]
    fn what_is_stashed_is_told_until_it_is_back() {
        assert_eq!(told(&["Edit a.rs", "run git stash"]), ["`a.rs` — edited, stashed"]);
        assert_eq!(told(&["Edit a.rs", "run git stash push -m 'lamp'"]), ["`a.rs` — edited, stashed"]);
        assert_eq!(told(&["Edit a.rs", "run git stash", "run git stash pop"]), ["`a.rs` — edited"]);
        assert_eq!(told(&["Edit a.rs", "run git stash", "run git stash drop"]), ["`a.rs` — edited, undone"]);
        assert_eq!(told(&["Create a.rs", "run git stash"]), ["`a.rs` — written"]);
        assert_eq!(told(&["Create a.rs", "run git stash -u"]), ["`a.rs` — written, stashed"]);
        assert_eq!(told(&["Edit a.rs", "run git stash list"]), ["`a.rs` — edited"]);
        assert_eq!(told(&["Edit a.rs", "run git stash 2>&1 | tail -5"]), ["`a.rs` — edited"], "it printed nothing");
    }

    #[test]
    fn a_file_that_was_moved_is_asked_for_where_it_is() {
        let write = act("Write", r#"{"file_path":"quay/a.rs"}"#, "ok", false);
        let moved = act("bash", r#"{"command":"mv quay/a.rs pier/b.rs"}"#, "", false);
        let messages: Vec<Message<'_>> = write.into_iter().chain(moved).collect();
        let all: Vec<&Message<'_>> = messages.iter().collect();
        assert_eq!(crate::measure::files::modified(&crate::summary::deeds(&all)), ["pier/b.rs"]);
    }

    #[test]
    fn trees_of_a_session_that_goes_on_and_on_are_left_alone() {
        let messages: Vec<Message<'_>> = (0..3_000)
            .flat_map(|at| act("Edit", &format!(r#"{{"file_path":"quay/{at}.rs"}}"#), "ok", false))
            .chain((0..3_000).flat_map(|_| act("bash", r#"{"command":"git stash"}"#, "", false)))
            .collect();
        let head: Vec<&Message<'_>> = messages.iter().collect();
        assert_eq!(files(&turns(&head, &[]), &Folders::default()).len(), 3_000);
    }
}
