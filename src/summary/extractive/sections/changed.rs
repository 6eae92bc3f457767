//! The line of a turn about the files that its calls changed.

use crate::summary::extractive::calls::act::{Action, FileOp};
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::outcome::CallOutcome;
use crate::summary::extractive::files::Bases;
use crate::summary::extractive::files::paths::same;
use crate::summary::extractive::sentences::cues::Kind;
use crate::summary::extractive::sentences::said::Said;
use crate::summary::extractive::session::endings::Endings;
use crate::summary::items::Item;
use crate::summary::text::{cut, fold};
use crate::transcript::base_name;
use foldhash::HashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of files named per turn; half as many per kind of change if there are several.
const FILES: usize = 6;
/// Maximum length of what the changes are for, in characters.
const PURPOSE: usize = 120;

/// One line for all files that calls changed up to a commit, or to the end of a turn, in which the agent `said` this.
pub(super) fn changes(acts: &[Act<'_>], said: &[Said], bases: Bases<'_>, rank: i64) -> Option<Item> {
    let mut counts: BTreeMap<(FileOp, usize), (String, usize)> = BTreeMap::new();
    let mut places: HashMap<String, usize> = HashMap::default();
    let mut last: HashMap<usize, FileOp> = HashMap::default();
    let mut origin = None;
    for act in acts.iter().filter(|act| act.outcome.worked()) {
        let mut all = act.files().iter().filter(|(op, _)| *op != FileOp::Read).peekable();
        while let Some((op, path)) = all.next() {
            let (mut name, key) = shown(act, path, bases);
            if let Some((_, to)) = all.next_if(|(next, _)| *op == FileOp::Moved && *next == FileOp::Arrived) {
                name += &format!("{TO}{}", shown(act, to, bases).0);
            }
            let next = places.len();
            let place = *places.entry(key).or_insert(next);
            // What was there before is not created.
            let op = if *op == FileOp::Created && last.contains_key(&place) { &FileOp::Written } else { op };
            counts.entry((*op, place)).or_insert((name, 0)).1 += 1;
            last.insert(place, *op);
            origin = Some(act.message);
        }
    }
    // A file that was deleted and created again exists.
    counts.retain(|(op, place), _| *op != FileOp::Deleted || last.get(place) == Some(op));
    let text = format!("{}{}", changes_text(&counts), purpose(acts, said));
    origin.map(|origin| Item { fills: true, ..Item::new(text, origin, rank) })
}

/// The line for a change of files that was refused and not made later: who goes on must not take it for made.
pub(super) fn refused(act: &Act<'_>, endings: &Endings, bases: Bases<'_>, rank: i64) -> Option<Item> {
    let is_lacking = act.outcome == CallOutcome::Refused && matches!(act.action, Action::Files(_));
    if !is_lacking || endings.all_changed_later(act) {
        return None;
    }
    let changing = act.files().iter().filter(|(op, _)| op.changes());
    let files: Vec<String> = changing.take(FILES).map(|(_, path)| format!("`{}`", shown(act, path, bases).0)).collect();
    Some(Item::new(format!("Refused, not changed: {}", files.join(", ")), act.message, rank))
}

/// A path of a call as lines show it, and the key of its file.
fn shown(act: &Act<'_>, path: &str, Bases { root, folders }: Bases<'_>) -> (String, String) {
    let whole = act.whole(folders, path);
    let named = root.named(&whole, path, act.is_placed_by_call(folders));
    (root.mark(root.shown(&whole, named), &whole), same(&whole))
}

/// What the changes are for, if their calls state one and the same and nothing else tells of their files: “: “Rename
/// the lamp””.
fn purpose(acts: &[Act<'_>], said: &[Said]) -> String {
    let mut changing = acts.iter().filter(|act| act.has_changed_files());
    let Some(stated) = changing.clone().next().and_then(|act| act.purpose.as_deref()) else { return String::new() };
    let is_named =
        |path: &str| said.iter().any(|said| said.kind == Kind::Done && said.sentence.contains(base_name(path)));
    let is_told = |act: &Act<'_>| act.files().iter().any(|(_, path)| is_named(path));
    let is_one = changing.all(|act| act.purpose.as_deref() == Some(stated) && !is_told(act));
    let text = fold(stated);
    let is_plain = !text.is_empty() && !text.contains(['“', '”']);
    if is_one && is_plain { format!(": “{}”", cut(&text, PURPOSE)) } else { String::new() }
}

/// The files by what was done to them, the first few of each: “Wrote `a`, `b` and 3 more; deleted `c`”.
fn changes_text(counts: &BTreeMap<(FileOp, usize), (String, usize)>) -> String {
    let ops: BTreeSet<FileOp> = counts.keys().map(|(op, _)| *op).collect();
    let most = if ops.len() > 1 { FILES / 2 } else { FILES };
    let mut text = String::new();
    for op in ops {
        let files = || counts.range((op, 0)..=(op, usize::MAX)).map(|(_, file)| file);
        let all = files().count();
        let shown = if counts.len() > FILES { most.min(all) } else { all };
        let mut before = false;
        for (path, times) in files().take(shown) {
            // A comma would attach the next file to the move's target.
            let is_moved_to = path.contains(TO);
            text += &if before && !is_moved_to { ", ".to_owned() } else { verb(op, text.is_empty()) };
            before = !is_moved_to;
            text += &format!("`{path}`");
            if *times > 1 {
                text += &format!(" ({times}×)");
            }
        }
        if all > shown {
            text += &format!(" and {} more", all - shown);
        }
    }
    text
}

/// Separator between the old and new path of a moved file.
const TO: &str = "` to `";

fn verb(op: FileOp, first: bool) -> String {
    let verb = match op {
        FileOp::Created => "Created ",
        FileOp::Written => "Wrote ",
        FileOp::Edited => "Edited ",
        FileOp::Moved => "Moved ",
        FileOp::Deleted => "Deleted ",
        FileOp::Read => "Read ",
        FileOp::Restored => "Restored ",
        // Moved in from a folder that is not tracked.
        FileOp::Arrived => "Moved in ",
    };
    if first { verb.to_owned() } else { format!("; {}", verb.to_lowercase()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::builders::{act, agent, user};
    use crate::summary::extractive::files::folders::Folders;
    use crate::summary::extractive::files::root::Root;
    use crate::summary::extractive::session::turns::turns;
    use crate::transcript::Message;

    #[test]
    fn what_a_change_is_for_is_told_where_nothing_else_tells_it() {
        let edit = |path: &str, instruction: &str| {
            let arguments = serde_json::json!({"file_path": path, "instruction": instruction, "new_string": "x"});
            act("replace", &arguments.to_string(), "Successfully modified file", false)
        };
        let told = |second: &str, closing: &'static str| {
            let calls = [edit("/w/pier.kt", "Rename lamp to Lamp."), edit("/w/harbour.kt", second)];
            let messages: Vec<Message<'_>> =
                [user("Mend it.")].into_iter().chain(calls.into_iter().flatten()).chain([agent(closing)]).collect();
            let turns = turns(&messages.iter().collect::<Vec<_>>(), &[]);
            let turn = turns.iter().find(|turn| !turn.acts.is_empty());
            let bases = Bases { root: &Root::default(), folders: &Folders::default() };
            let item = turn.and_then(|turn| changes(&turn.acts, &turn.said, bases, 0));
            item.map(|item| item.text).unwrap_or_default()
        };
        let files = "Edited `/w/pier.kt`, `/w/harbour.kt`";
        let same = "Rename lamp to Lamp.";
        assert_eq!(told(same, "The pier builds."), format!("{files}: “{same}”"));
        assert_eq!(told("Add the oil.", "The pier builds."), files, "they differ");
        assert_eq!(told(same, "I've renamed the lamp in `harbour.kt` and its callers."), files, "the agent tells it");
    }
}
