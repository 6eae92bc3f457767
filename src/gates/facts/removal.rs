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
/// Words for a removal, in a text right before or behind the name of a file.
pub(super) static GOES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:delet\w*|remov\w*|rm|rmdir|mv|mov\w*|renam\w*|unlink\w*|gone|clean\w*|drop\w*)\b")
});
/// How far from the name such a word counts, in bytes.
const NEAR: usize = 40;

/// Whether a text says by a word near the name of a file that it was removed.
pub(super) fn tells_removal(text: &str, file: &str) -> bool {
    let name = base_name(file);
    memchr::memmem::find_iter(text.as_bytes(), name).any(|at| {
        let (start, end) = (at.saturating_sub(NEAR), (at + name.len() + NEAR).min(text.len()));
        let near = &text[text.floor_char_boundary(start)..text.ceil_char_boundary(end)];
        GOES.is_match(near)
    })
}

/// Whether a command can have removed a file or one of its folders.
pub(super) fn may_remove(command: &str, file: &str) -> bool {
    shell_words(command).iter().any(|step| {
        let words: Vec<&str> = step.iter().map(String::as_str).collect();
        match *words {
            ["git", ref rest @ ..] => git_removes(rest, command, file),
            [program, ref rest @ ..] if TAKING.contains(&program) => rest.iter().any(|word| covers(word, file)),
            _ => runs_removal(&step.join(" "), file),
        }
    })
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
    let Some(at) = words.iter().enumerate().position(|(at, word)| {
        let is_value = at > 0 && ["-C", "-c"].contains(&words[at - 1]);
        !word.starts_with('-') && !is_value
    }) else {
        return false;
    };
    let (given, named) = (&words[at + 1..], || words[at + 1..].iter().any(|word| covers(word, file)));
    let has = |options: &[&str]| given.iter().any(|word| options.contains(word));
    match words[at] {
        "rm" | "mv" | "restore" => named(),
        "checkout" | "switch" if has(&["-b", "-B", "-c", "-C", "--"]) => has(&["--"]) && named(),
        "checkout" | "switch" | "clean" | "revert" => true,
        "reset" => has(&["--hard", "--merge", "--keep"]),
        // What is put back at once stays.
        "stash" => !has(&["pop", "apply", "list", "show", "drop"]) && !command.contains("stash pop"),
        _ => false,
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
            "git reset --hard HEAD~1",
            "rm -rf build/*",
            "python -c 'import os; os.remove(\"src/export/table.py\")'",
            "find src -name table.py -exec rm {} +",
        ] {
            assert!(may_remove(command, "src/export/table.py"), "{command}");
        }
        for command in [
            "rm src/export/rows.py",
            "git rm src/export/rows.py",
            "git checkout -b mend-table",
            "git checkout -- README.md",
            "git restore --staged README.md",
            "git reset -q README.md",
            "git stash && pytest && git stash pop",
            "git stash pop",
            "git commit -m 'Remove the old rounding of table.py'",
            "python -c 'import os; os.remove(\"lamp.txt\")'",
        ] {
            assert!(!may_remove(command, "src/export/table.py"), "{command}");
        }
    }

    #[test]
    fn a_word_for_a_removal_counts_near_the_name() {
        assert!(tells_removal("I deleted src/export/table.py.", "export/table.py"));
        assert!(tells_removal("table.py → gone", "export/table.py"));
        let far = "Wrote src/export/table.py, which prints the heights of all harbors, and removed the rounding";
        assert!(!tells_removal(far, "export/table.py"));
        assert!(!tells_removal("I deleted rows.py.", "export/table.py"));
    }
}
