//! Copies in temporary folders that a command reads and then deletes.

use super::super::act::FileOp;
use super::Tree;
use crate::summary::extractive::files::paths::is_scratch;
use foldhash::HashMap;

/// Deleted copies, each with the number of file operations before it was last deleted.
#[derive(Default)]
pub(super) struct Gone(HashMap<String, usize>);

impl Gone {
    /// Whether an operation deletes such a copy.
    pub(super) fn is_it(op: FileOp, path: &str) -> bool {
        op == FileOp::Deleted && is_scratch(path)
    }

    /// Records an operation after that many others on files; `false` if it deletes no copy.
    pub(super) fn note(&mut self, op: FileOp, path: &str, before: usize) -> bool {
        let is_gone = Self::is_it(op, path);
        if is_gone {
            self.0.insert(path.to_owned(), before);
        }
        is_gone
    }

    /// Removes what was done with copies before they were deleted. Operations on folders have the number of those
    /// before them.
    pub(super) fn leave_out(&self, files: &mut Vec<(FileOp, String)>, trees: &mut [(usize, Tree)]) {
        if self.0.is_empty() {
            return;
        }
        let (mut at, mut kept, mut kept_before) = (0, 0, Vec::with_capacity(files.len()));
        files.retain(|(_, path)| {
            let stays = self.0.get(path).is_none_or(|end| at >= *end);
            kept_before.push(kept);
            at += 1;
            kept += usize::from(stays);
            stays
        });
        trees.iter_mut().for_each(|(before, _)| *before = kept_before.get(*before).copied().unwrap_or(kept));
    }
}

#[cfg(test)]
mod tests {
    use super::super::Shell;

    #[test]
    fn a_copy_that_was_deleted_was_not_read() {
        let told = |command: &str| {
            let shell = Shell::read(command);
            let trees: Vec<usize> = shell.trees.iter().map(|(before, _)| *before).collect();
            (shell.files.into_iter().map(|(op, path)| format!("{op:?} {path}")).collect::<Vec<_>>(), trees)
        };
        assert!(told("echo lit > /tmp/a.txt && cat /tmp/a.txt && rm /tmp/a.txt").0.is_empty());
        let (files, trees) = told("cat b.rs /tmp/a.txt c.rs; rm /tmp/a.txt; cat /tmp/a.txt");
        assert_eq!(files, ["Read b.rs", "Read c.rs", "Read /tmp/a.txt"]);
        assert!(trees.iter().all(|before| *before == 2), "{trees:?}");
        assert!(!Shell::read("rm /tmp/a.txt").only_changes);
    }
}
