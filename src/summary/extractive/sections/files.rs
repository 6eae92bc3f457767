//! The items of Relevant files: paths of calls that worked, changed ones first, with what was done to each.

use crate::summary::extractive::calls::act::FileOp;
use crate::summary::extractive::files::folders::Folders;
use crate::summary::extractive::files::paths::{SEPARATORS, is_absolute, is_temporary, line, parts};
use crate::summary::extractive::files::root::{Root, without_mark};
use crate::summary::extractive::session::history::{File, files};
use crate::summary::extractive::session::turns::Turn;
use crate::summary::extractive::user::asked::Asked;
use crate::summary::items::Item;
use crate::summary::text::{contains_any, cut, ends_any};
use crate::transcript::base_name;
use foldhash::{HashMap, HashSet};

/// Extra rank of a changed file, above any file that was only read.
pub(in crate::summary) const CHANGED: i64 = 1_000_000_000;
/// Rank of a write, of a read, and of the file touched last.
const WRITE: i64 = 300;
const READ: i64 = 100;
const NEWEST: i64 = 1_000;
/// Rank lost by a file that was deleted: it will not be opened again.
const GONE: i64 = 2_000;
/// Rank lost by a file in a temporary folder.
const TEMPORARY: i64 = 500_000;
/// Ends of the names of pictures.
const PICTURES: [&str; 5] = [".gif", ".jpeg", ".jpg", ".png", ".webp"];
/// Parts of temporary paths of pictures that somebody made for the project.
const GIVEN: [&str; 6] = ["app/", "assets/", "design", "icons/", "src/", "upload"];
/// Maximum length of the text about a file that an earlier summary names too, in characters.
const LONGEST_NOTE: usize = 160;

/// The files as items, most important first, and the root that they and the files of earlier summaries are shown
/// relative to.
pub(in crate::summary::extractive) fn items(
    turns: &[Turn<'_>],
    folders: &Folders,
    before: &[(String, String)],
) -> (Vec<Item>, Root) {
    let mut files = files(turns, folders);
    // A moved file is listed at its new path; one that was only read and is gone is useless.
    files.retain(|file| !file.lost && file.place().is_none() && !file.is_screenshot(turns));
    let newest = files.iter().map(|file| file.last).max().unwrap_or(0);
    files.sort_by_cached_key(|file| (std::cmp::Reverse(file.rank(newest)), file.path.clone()));
    let own = files.iter().map(|file| {
        let named = if file.by_call { &file.named } else { &file.path };
        (file.path.as_str(), named.as_str())
    });
    let root = Root::of(own, before.iter().map(|(path, _)| path.as_str()), folders.base());
    let items = files.iter().map(|file| file.item(newest, &root)).collect();
    (items, root)
}

impl File {
    fn rank(&self, newest: usize) -> i64 {
        let number = |count: usize| i64::try_from(count.min(1_000)).unwrap_or(0);
        let recency = i64::try_from(self.last).unwrap_or(0) * NEWEST / i64::try_from(newest.max(1)).unwrap_or(1);
        let changed = if self.writes() > 0 { CHANGED } else { 0 };
        let passing = if is_temporary(&self.path) { TEMPORARY } else { 0 };
        let gone = if self.is_deleted() { GONE } else { 0 };
        changed - passing - gone + number(self.writes()) * WRITE + number(self.reads()) * READ + recency
    }

    fn item(&self, newest: usize, root: &Root) -> Item {
        let named = root.named(&self.path, &self.named, self.by_call);
        let shown = root.shown(&self.path, named);
        // A file named relative to another folder than the rest is listed with that folder.
        let is_as_named = shown == named && root.below(&self.path).is_none();
        let below = self.path.strip_suffix(shown).filter(|_| is_as_named && root.is_left_out());
        let folder = below.map(|folder| folder.trim_end_matches(['/', '\\'])).filter(|folder| !folder.is_empty());
        let place = folder.map(|folder| format!("; in `{folder}`")).unwrap_or_default();
        let text = line(&root.mark(shown, &self.path), &format!("{}{place}", self.story(root)));
        let path = Some(self.path.clone());
        let (changed_file, deleted_file) = (self.writes() > 0, self.is_deleted());
        Item { path, changed_file, deleted_file, ..Item::new(text, self.last, self.rank(newest)) }
    }

    /// Whether it is a picture in a temporary folder of the machine that was only looked at, and the user did not name.
    fn is_screenshot(&self, turns: &[Turn<'_>]) -> bool {
        let name = base_name(&self.path);
        let names =
            |asked: &Asked| asked.start.contains(name) || asked.sentences.iter().any(|said| said.contains(name));
        let is_taken = is_temporary(&self.path) && !contains_any(&self.path, &GIVEN);
        let is_shot = self.writes() == 0 && ends_any(&self.path, &PICTURES) && is_taken;
        is_shot && !turns.iter().filter_map(|turn| turn.asked.as_ref()).any(names)
    }

    fn is_deleted(&self) -> bool {
        self.newest == Some(FileOp::Deleted)
    }

    /// The text about a file: “created, edited 4×, read 2×”, then where it was moved from, and whether it was
    /// restored, deleted or undone.
    fn story(&self, root: &Root) -> String {
        let told = self.counts.told().into_iter().filter(|(_, count)| *count > 0);
        let told = told.map(|(word, count)| match count {
            1 => word.to_owned(),
            _ => format!("{word} {count}×"),
        });
        let from = self.from.as_ref().map(|from| format!("moved from `{}`", root.short(from)));
        let restored = (self.newest == Some(FileOp::Restored)).then(|| "restored".to_owned());
        let deleted = self.is_deleted().then(|| "deleted".to_owned());
        let fate = self.fate.map(|fate| fate.to_string());
        let story = told.chain(from).chain(restored).chain(deleted).chain(fate).collect::<Vec<_>>().join(", ");
        // It was moved away and back.
        if story.is_empty() { "moved".to_owned() } else { story }
    }
}

/// Merges the files of an earlier summary: a file of both gets one line, with the head's text first.
pub(in crate::summary) fn merge(files: &mut Vec<Item>, root: &Root, prior: Vec<(String, Item)>) {
    let shown: HashMap<String, usize> =
        files.iter().enumerate().filter_map(|(at, item)| Some((root.full(parts(&item.text)?.0), at))).collect();
    let mut added = HashSet::default();
    for (path, mut item) in prior {
        let short = root.mark(root.short(&path), &path);
        let story = parts(&item.text).map(|(_, story)| story.to_owned()).unwrap_or_default();
        let known = shown.get(&path).or_else(|| below(&shown, &path));
        match known {
            Some(&at) => join(&mut files[at], &story, item.changed_file),
            None if added.insert(short.clone()) => {
                item.path = Some(path.clone());
                item.text = if story.is_empty() { format!("`{short}`") } else { line(&short, &story) };
                files.push(item);
            }
            None => {}
        }
    }
    files.sort_by_key(|item| std::cmp::Reverse(item.rank));
}

/// The index of the file whose path ends with this relative path, if it is the only one.
fn below<'s>(shown: &'s HashMap<String, usize>, path: &str) -> Option<&'s usize> {
    let path = without_mark(path);
    let ends = |full: &str| full.strip_suffix(path).is_some_and(|before| before.ends_with(SEPARATORS));
    let mut all = shown.iter().filter(|(full, _)| !is_absolute(path) && ends(full)).map(|(_, at)| at);
    all.next().filter(|_| all.next().is_none())
}

fn join(item: &mut Item, earlier: &str, changed: bool) {
    let text = item.text.clone();
    let Some((path, own)) = parts(&text) else { return };
    let own = own.to_owned();
    let before = earlier.replace("earlier ", "");
    let story = match before.as_str() {
        "" => own,
        same if own.contains(same) => own,
        other => format!("{own}; earlier {other}"),
    };
    item.text = line(path, &cut(&story, LONGEST_NOTE));
    if changed && !item.changed_file {
        item.changed_file = true;
        item.rank += CHANGED;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::builders::{act, user};
    use crate::summary::extractive::files::Bases;
    use crate::summary::extractive::sections::changed::changes;
    use crate::summary::extractive::session::turns::turns;
    use crate::transcript::Message;

    #[test]
    fn a_change_that_was_taken_back_is_told_as_such() {
        let run = |command: &str| act("bash", &format!(r#"{{"command":"{command}"}}"#), "", false);
        let edit = |path: &str| act("Edit", &format!(r#"{{"file_path":"{path}"}}"#), "ok", false);
        let calls =
            [edit("a.rs"), edit("b.rs"), edit("a.rs"), run("git checkout -- a.rs b.rs"), run("cat a.rs"), edit("b.rs")];
        let messages: Vec<Message<'_>> = calls.into_iter().flatten().collect();
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let (items, _) = items(&turns(&head, &[]), &Folders::default(), &[]);
        let texts: Vec<_> = items.into_iter().map(|item| item.text).collect();
        assert_eq!(texts, ["`b.rs` — edited 2×", "`a.rs` — edited 2×, read, restored"]);
    }

    #[test]
    fn a_screenshot_that_was_only_looked_at_has_no_line() {
        let read = |path: &str| act("Read", &format!(r#"{{"file_path":"{path}"}}"#), "a picture", false);
        let paths = ["/tmp/shot-1.png", "/tmp/told.md", "/quay/lamp.png", "/tmp/uploads/a.png", "/tmp/wish.png"];
        let calls = paths.map(read);
        let asked = user("Draw the quay like /tmp/wish.png");
        let messages: Vec<Message<'_>> = std::iter::once(asked).chain(calls.into_iter().flatten()).collect();
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let (items, _) = items(&turns(&head, &[]), &Folders::default(), &[]);
        let texts: Vec<_> = items.into_iter().map(|item| item.text).collect();
        let told = [
            "`/quay/lamp.png` — read",
            "`/tmp/wish.png` — read",
            "`/tmp/uploads/a.png` — read",
            "`/tmp/told.md` — read",
        ];
        assert_eq!(texts, told);
    }

    #[test]
    fn a_file_of_an_earlier_summary_is_one_line_though_only_its_end_is_known() {
        let root = Root::default();
        let edited = Item { changed_file: true, ..Item::new(line("/work/quay/deep/lamp.rs", "edited"), 0, 1) };
        let mut files = vec![edited];
        merge(&mut files, &root, vec![("…/deep/lamp.rs".into(), Item::carried(line("…/deep/lamp.rs", "changed"), 1))]);
        let texts: Vec<_> = files.iter().map(|item| item.text.as_str()).collect();
        assert_eq!(texts, ["`/work/quay/deep/lamp.rs` — edited; earlier changed"]);
    }

    #[test]
    fn relative_paths_start_where_the_session_was() {
        let run = |folder: &'static str, command: &str| {
            let mut call = act("Bash", &format!(r#"{{"command":"{command}"}}"#), "x", false);
            call[0].folder = Some(folder.into());
            call
        };
        let edit = |path: &str| act("Edit", &format!(r#"{{"file_path":"/work/site/src/{path}"}}"#), "ok", false);
        let calls = [
            edit("a.rs"),
            edit("b.rs"),
            edit("c.rs"),
            run("/work/site", "git checkout -- src/a.rs"),
            run("/work/site/src", "cat b.rs ../Cargo.toml"),
            run("/work/site", "cd src && cat c.rs"),
        ];
        let messages: Vec<Message<'_>> = calls.into_iter().flatten().collect();
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let (items, root) = items(&turns(&head, &[]), &Folders::default(), &[]);
        let texts: Vec<_> = items.into_iter().map(|item| item.text).collect();
        let expected = [
            "`c.rs` — edited, read",
            "`b.rs` — edited, read",
            "`a.rs` — edited, restored",
            "`/work/site/Cargo.toml` — read",
        ];
        assert_eq!(texts, expected);
        assert_eq!(root.note().as_deref(), Some("Paths are shown without `/work/site/src/`"));
    }

    #[test]
    fn a_relative_path_of_which_nobody_knows_the_folder_is_marked() {
        let read = |path: &str| act("Read", &format!(r#"{{"file_path":"{path}"}}"#), "x", false);
        let calls = [read("/work/site/a.rs"), read("/work/site/b.rs"), read("/work/site/c.rs"), read("d.rs")];
        let messages: Vec<Message<'_>> = calls.into_iter().flatten().collect();
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let (items, _) = items(&turns(&head, &[]), &Folders::default(), &[]);
        assert!(items.iter().any(|item| item.text == "`…/d.rs` — read"));
    }

    #[test]
    fn a_file_that_was_moved_is_told_where_it_is_and_one_that_is_there_again_is_not_gone() {
        let run = |command: &str| act("bash", &format!(r#"{{"command":"{command}"}}"#), "", false);
        let edit = |path: &str| act("Edit", &format!(r#"{{"file_path":"{path}"}}"#), "ok", false);
        let told = |calls: Vec<[Message<'static>; 2]>| {
            let messages: Vec<Message<'_>> = calls.into_iter().flatten().collect();
            let head: Vec<&Message<'_>> = messages.iter().collect();
            let (items, _) = items(&turns(&head, &[]), &Folders::default(), &[]);
            items.into_iter().map(|item| item.text).collect::<Vec<_>>()
        };
        let moved = vec![edit("a.rs"), run("mv a.rs quay/ && mv quay/a.rs b.rs"), edit("b.rs")];
        assert_eq!(told(moved), ["`b.rs` — edited 2×, moved from `a.rs`"]);
        assert_eq!(told(vec![run("mv a.rs b.rs"), run("mv b.rs a.rs")]), ["`a.rs` — moved"]);
        let onto = ["`b.rs` — edited, moved from `a.rs`"];
        assert_eq!(told(vec![edit("b.rs"), run("mv a.rs b.rs")]), onto);
        assert_eq!(told(vec![edit("a.rs"), run("rm a.rs"), edit("a.rs")]), ["`a.rs` — edited 2×"]);
        let patch = "*** Begin Patch\n*** Delete File: a.rs\n*** Add File: a.rs\n+x\n*** End Patch";
        let patch = act("apply_patch", &serde_json::json!({ "patch": patch, "input": patch }).to_string(), "ok", false);
        assert_eq!(told(vec![run("cat a.rs"), patch.clone()]), ["`a.rs` — written, read"]);
        let anew = [run("cat a.rs"), patch].concat();
        let all = turns(&anew.iter().collect::<Vec<_>>(), &[]);
        let (_, root) = super::items(&all, &Folders::default(), &[]);
        let bases = Bases { root: &root, folders: &Folders::default() };
        let line = changes(&all[0].acts, &[], bases, 0).map(|item| item.text);
        assert_eq!(line.as_deref(), Some("Wrote `a.rs`"));
        assert_eq!(told(vec![edit("a.rs"), run("cat a.rs"), run("rm a.rs")]), ["`a.rs` — edited, read, deleted"]);
    }

    #[test]
    fn a_file_is_one_however_calls_name_it_and_those_of_other_folders_are_others() {
        let read = |folder: &str, path: &str| {
            let args = format!(r#"{{"cmd":"cat {path}","workdir":"{folder}"}}"#);
            act("exec_command", &args, "x", false)
        };
        let whole = act("Edit", r#"{"file_path":"/work/site/src/a.rs"}"#, "ok", false);
        let calls =
            [read("/work/site", "src/a.rs"), read("/work/site/src", "a.rs"), read("/work/app", "src/a.rs"), whole];
        let messages: Vec<Message<'_>> = calls.into_iter().flatten().chain(read("/work/site", "b.md")).collect();
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let turns = turns(&head, &[]);
        let folders = Folders::of(turns.iter().flat_map(|turn| &turn.acts).filter_map(|act| act.stated.as_deref()));
        let (items, root) = items(&turns, &folders, &[]);
        let texts: Vec<_> = items.into_iter().map(|item| item.text).collect();
        assert_eq!(texts, ["`src/a.rs` — edited, read 2×", "`b.md` — read", "`src/a.rs` — read; in `/work/app`"]);
        assert_eq!(root.note().as_deref(), Some("Paths are shown without `/work/site/`"));
    }
}
