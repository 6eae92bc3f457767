//! Commands and lines that may tell of the removal of a file.

use crate::measure::pattern;
use crate::summary::shell_words;
use crate::transcript::base_name;
use regex::Regex;
use std::sync::LazyLock;

/// Programs that remove or move what they are given.
const TAKING: [&str; 5] = ["mv", "rm", "rmdir", "trash", "unlink"];
/// The same as words of any text, such as one that another shell runs.
static TAKES: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b(?:mv|rm|rmdir|trash|unlink|remove|rmtree|rename|delete)\b"));
/// Signs by which a shell names files that it does not spell out.
const SPELLED: [char; 6] = ['*', '?', '$', '`', '{', '~'];
/// Words of git that can change the whole tree, or remove files that are named.
const VERBS: [&str; 15] = [
    "am",
    "apply",
    "checkout",
    "cherry-pick",
    "clean",
    "merge",
    "mv",
    "pull",
    "rebase",
    "reset",
    "restore",
    "revert",
    "rm",
    "stash",
    "switch",
];
/// Words for a removal, in a text right before or behind the name of a file.
pub(super) static GOES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:delet\w*|remov\w*|rm|rmdir|mv|mov\w*|renam\w*|unlink\w*|gone|clean\w*|drop\w*)\b")
});
/// How far from the name such a word counts, in bytes.
const NEAR: usize = 40;

/// Whether a text says by a word near the path of a file, or by its first one, that it was removed.
pub(super) fn tells_removal(text: &str, file: &str) -> bool {
    let name = base_name(file);
    let begins = || GOES.find(text).is_some_and(|found| !text[..found.start()].contains(char::is_alphanumeric));
    memchr::memmem::find_iter(text.as_bytes(), name).any(|at| {
        let path = text[..at].rfind(char::is_whitespace).unwrap_or_default();
        let (start, end) = (path.saturating_sub(NEAR), (at + name.len() + NEAR).min(text.len()));
        let near = &text[text.floor_char_boundary(start)..text.ceil_char_boundary(end)];
        GOES.is_match(near) || begins()
    })
}

/// A command, split into the words of its steps.
pub(super) struct Steps<'c> {
    command: &'c str,
    words: Vec<Vec<String>>,
}

impl<'c> Steps<'c> {
    pub(super) fn of(command: &'c str) -> Self {
        Self { command, words: shell_words(command) }
    }

    /// Whether the command can have removed a file or one of its folders.
    pub(super) fn may_remove(&self, file: &str) -> bool {
        self.words.iter().any(|step| self.step_removes(step, file))
    }

    fn step_removes(&self, step: &[String], file: &str) -> bool {
        let words: Vec<&str> = step.iter().map(String::as_str).collect();
        if let Some(at) = words.iter().position(|word| *word == "git") {
            return git_removes(&words[at + 1..], self.command, file);
        }
        if let Some((_, rest)) = words.split_first().filter(|(program, _)| TAKING.contains(program)) {
            let all = rest.iter().any(|word| word.starts_with('-') && word.contains(['r', 'R']));
            return rest.iter().any(|word| covers(word, file) || all && is_folder(word));
        }
        // A text that another shell runs.
        let mut texts = words.iter().filter(|word| word.contains(' ') && word.len() < self.command.len());
        texts.any(|text| Steps::of(text).may_remove(file)) || runs_removal(&step.join(" "), file)
    }
}

/// Whether a word may be a folder of the work: the key of a file has only its last ones.
fn is_folder(word: &str) -> bool {
    let last = word.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    !word.starts_with('-') && !word.starts_with("/tmp/") && !last.contains('.')
}

/// Whether a word names a file, one of its folders, or what a shell makes of it.
fn covers(word: &str, file: &str) -> bool {
    let last = word.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    word.contains(SPELLED) || matches!(last, "." | "..") || file.split('/').any(|own| own == last)
}

/// Whether a text that something else runs can remove a file.
fn runs_removal(text: &str, file: &str) -> bool {
    TAKES.is_match(text) && (text.contains(SPELLED) || file.split('/').any(|own| text.contains(own)))
}

/// Whether git removes a file with these words: by its name, or by another state of the whole tree.
fn git_removes(words: &[&str], command: &str, file: &str) -> bool {
    let Some(at) = words.iter().position(|word| VERBS.contains(word)) else { return false };
    let (given, named) = (&words[at + 1..], || words[at + 1..].iter().any(|word| covers(word, file)));
    let has = |options: &[&str]| given.iter().any(|word| options.contains(word));
    // A new branch may begin elsewhere.
    let is_new = has(&["-b", "-B", "-c", "-C"]) && given.iter().filter(|word| !word.starts_with('-')).count() < 2;
    match words[at] {
        "rm" | "mv" | "restore" => named(),
        "checkout" | "switch" if has(&["--"]) => named(),
        "checkout" | "switch" => !is_new,
        "reset" => has(&["--hard", "--merge", "--keep"]),
        "stash" if has(&["list", "show", "drop"]) => false,
        // What is put back at once stays.
        "stash" => !(command.contains("stash pop") && command.matches("git stash").count() > 1),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_names_a_file_or_a_whole_tree_can_remove_it() {
        for command in [
            "rm src/export/table.py",
            "rm -r src/export",
            "cd src && mv export/table.py old.py",
            "git rm -q src/export/table.py",
            "git checkout main",
            "git -C quay checkout .",
            "git checkout HEAD -- src",
            "git stash",
            "git stash pop",
            "git reset --hard HEAD~1",
            "git checkout -b mend origin/main",
            "git --git-dir /q/.git checkout .",
            "git pull -q",
            "sudo git clean -fdx",
            "bash -lc 'git checkout main'",
            "rm -rf src",
            "rm -rf build/*",
            "python -c 'import os; os.remove(\"src/export/table.py\")'",
            "find src -name table.py -exec rm {} +",
        ] {
            assert!(Steps::of(command).may_remove("src/export/table.py"), "{command}");
        }
        for command in [
            "rm src/export/rows.py",
            "git rm src/export/rows.py",
            "git checkout -b mend-table",
            "git checkout -- README.md",
            "git restore --staged README.md",
            "git reset -q README.md",
            "git stash && pytest && git stash pop",
            "git commit -m 'Remove the old rounding of table.py'",
            "python -c 'import os; os.remove(\"lamp.txt\")'",
        ] {
            assert!(!Steps::of(command).may_remove("src/export/table.py"), "{command}");
        }
    }

    #[test]
    fn a_word_for_a_removal_counts_near_the_name() {
        assert!(tells_removal("I deleted src/export/table.py.", "export/table.py"));
        assert!(tells_removal("table.py → gone", "export/table.py"));
        assert!(tells_removal(
            "Deleted: lamps.py, quays.py, src/office/of/the/harbor/export/table.py",
            "export/table.py"
        ));
        let far = "Wrote src/export/table.py, which prints the heights of all harbors, and removed the rounding";
        assert!(!tells_removal(far, "export/table.py"));
        assert!(!tells_removal("I deleted rows.py.", "export/table.py"));
    }
}
