//! Files of a session that are of no more use: it created and deleted them, or they are in a temporary folder, or they
//! are plans of the harness.

use super::pattern;
use crate::summary::{Deed, DeedKind, FileOp, deeds, is_scratch};
use crate::transcript::{Message, base_name};
use regex::Regex;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// A command that deletes files, and its arguments.
static DELETES: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"(?i)(?:^|[\s;&|({"'])(?:rm|unlink|del|erase|remove-item|ri)\s+([^;&|\n]*)"#));
/// An argument of a command: in quotes, or a word.
static ARGUMENT: LazyLock<Regex> = LazyLock::new(|| pattern(r#""([^"]*)"|'([^']*)'|([^\s,"']+)"#));
/// Options with which nothing is deleted.
const TRIES: [&str; 4] = ["--cached", "--dry-run", "-whatif", "-i"];
/// Places of files that a harness or a system keeps for a while.
static PLACE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)/\.[\w-]+/plans/[^/]+\.md$|/appdata/local/temp/|^/var/tmp/[^/]+$"));
/// Most patterns of deleted files that are looked at.
const MOST: usize = 64;

/// What became of a file.
#[derive(Default)]
struct Story {
    /// The session saw it before it wrote it.
    existed: bool,
    /// Index of the last message that wrote it.
    written: usize,
}

/// Of the paths that calls wrote, those that are of no more use.
pub fn passing(paths: &[String], messages: &[&Message<'_>]) -> HashSet<String> {
    let (all, mut gone) = (deeds(messages), HashSet::new());
    let stories = stories(&all);
    let mut of_name: HashMap<String, Vec<&String>> = HashMap::new();
    for path in paths {
        of_name.entry(base_name(&slashed(path)).to_lowercase()).or_default().push(path);
    }
    let deleted = deleted(&all);
    let is_made = |path: &str, at: usize| stories.get(path).is_some_and(|story| !story.existed && story.written <= at);
    for (at, name) in deleted.iter().filter(|(_, name)| !name.contains('*')) {
        let same = of_name.get(&base_name(name).to_lowercase()).into_iter().flatten();
        gone.extend(same.filter(|path| ends(&slashed(path), name) && is_made(path, *at)).map(|path| (*path).clone()));
    }
    for (at, glob) in deleted.iter().filter(|(_, name)| name.contains('*')).take(MOST) {
        let Some(matches) = matcher(glob) else { continue };
        let same = paths.iter().filter(|path| matches.is_match(&slashed(path)) && is_made(path, *at));
        gone.extend(same.cloned());
    }
    gone.extend(paths.iter().filter(|path| is_scratch(path) || PLACE.is_match(&slashed(path))).cloned());
    gone
}

/// What became of each file that calls wrote.
fn stories(all: &[Deed]) -> HashMap<&str, Story> {
    let mut stories: HashMap<&str, Story> = HashMap::new();
    for deed in all.iter().filter(|deed| deed.failed != Some(true)) {
        let (DeedKind::Wrote(path) | DeedKind::Read(path)) = &deed.kind else { continue };
        let is_new = !matches!(deed.op, Some(FileOp::Read | FileOp::Edited));
        let story = stories.entry(path).or_insert_with(|| Story { existed: !is_new, written: 0 });
        if matches!(deed.kind, DeedKind::Wrote(_)) && deed.op != Some(FileOp::Deleted) {
            story.written = deed.message;
        }
    }
    stories
}

/// The files that calls deleted, with slashes, each with the index of its message; names may be patterns.
fn deleted(all: &[Deed]) -> Vec<(usize, String)> {
    let of = |deed: &Deed| match &deed.kind {
        DeedKind::Wrote(path) if deed.op == Some(FileOp::Deleted) => vec![slashed(path)],
        DeedKind::Ran { command, .. } => {
            DELETES.captures_iter(command).flat_map(|found| arguments(&found[1])).collect()
        }
        _ => Vec::new(),
    };
    let worked = all.iter().filter(|deed| deed.failed != Some(true));
    worked.flat_map(|deed| of(deed).into_iter().map(|name| (deed.message, name))).collect()
}

/// The names among the arguments of a command that deletes.
fn arguments(text: &str) -> Vec<String> {
    let all: Vec<&str> = ARGUMENT
        .captures_iter(text)
        .filter_map(|found| found.iter().skip(1).flatten().next())
        .map(|one| one.as_str())
        .collect();
    if all.iter().any(|word| TRIES.contains(&word.to_lowercase().as_str())) {
        return Vec::new();
    }
    let names = all.into_iter().filter(|word| !word.starts_with('-') && !word.is_empty());
    names.map(|name| slashed(name).trim_start_matches("./").to_owned()).collect()
}

/// Whether a path is a name, or ends with it.
fn ends(path: &str, name: &str) -> bool {
    // A command may work in a folder that it does not name, and spell the one that it names by a variable.
    let rest =
        name.rsplit_once(['$', '~', '}', '%']).and_then(|(_, rest)| Some(rest.split_once('/')?.1)).unwrap_or(name);
    let (path, name) = (path.to_lowercase(), rest.to_lowercase());
    path.strip_suffix(&name).is_some_and(|above| above.is_empty() || above.ends_with('/'))
}

/// The pattern of the paths that end in what a pattern of a shell matches.
fn matcher(glob: &str) -> Option<Regex> {
    let words: Vec<String> = glob.split('*').map(regex::escape).collect();
    let telling = glob.chars().filter(|letter| letter.is_alphanumeric()).count() > 1;
    telling.then(|| Regex::new(&format!("(?i)(?:^|/){}$", words.join("[^/]*"))).ok())?
}

fn slashed(path: &str) -> String {
    path.replace("\\\\", "/").replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::sketch::sketch;

    /// The files of a session that writes `path`, and then runs a command.
    fn gone(path: &str, command: &str) -> Vec<String> {
        let mut transcript = sketch("u tr tr");
        let calls = [
            ("Write", serde_json::json!({ "file_path": path, "content": "x" })),
            ("Bash", serde_json::json!({ "command": command })),
        ];
        let parts = transcript.messages.iter_mut().flat_map(|message| &mut message.parts);
        let parts = parts.filter(|part| matches!(part.kind, crate::transcript::PartKind::Call { .. }));
        for (part, (tool, arguments)) in parts.zip(calls) {
            if let crate::transcript::PartKind::Call { name, .. } = &mut part.kind {
                *name = tool.into();
            }
            part.text = arguments.to_string().into();
        }
        let messages: Vec<_> = transcript.messages.iter().collect();
        let mut gone: Vec<String> = passing(&[path.to_owned()], &messages).into_iter().collect();
        gone.sort();
        gone
    }

    #[test]
    fn what_was_created_and_deleted_is_of_no_more_use() {
        let path = "/w/quay/chart-a.html";
        for command in [
            "rm /w/quay/chart-a.html",
            "cd /w/quay && rm -f chart-*.html; ls",
            "rm -f x.html ./chart-a.html",
            "Remove-Item -Force 'chart-a.html'",
            "powershell -Command \"Remove-Item $dir/chart-a.html, b.html\"",
        ] {
            assert_eq!(gone(path, command), [path], "{command}");
        }
        for command in
            ["cat chart-a.html", "rm -f chart-b.html", "rm *", "git rm --cached chart-a.html", "rm tart-a.html"]
        {
            assert_eq!(gone(path, command), [""; 0], "{command}");
        }
        assert_eq!(gone(r"C:\quay\lamp.php", r"del C:\quay\lamp.php"), [r"C:\quay\lamp.php"]);
    }

    #[test]
    fn temporary_files_and_plans_of_a_harness_are_of_no_more_use() {
        for path in
            ["/tmp/probe.py", r"C:\Users\me\AppData\Local\Temp\quay\probe.py", "/home/me/.claude/plans/red-lamp.md"]
        {
            assert_eq!(gone(path, "ls"), [path], "{path}");
        }
        assert_eq!(gone("/w/quay/plans/lamp.md", "ls"), [""; 0]);
    }
}
