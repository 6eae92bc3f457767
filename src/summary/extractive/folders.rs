//! Where relative paths start: in the folder that a call states, or in the one that most calls state (Codex `workdir`).

use super::args::Args;
use super::paths::is_absolute;
use foldhash::HashMap;
use std::borrow::Cow;

/// Arguments that name the folder in which a command runs.
const KEYS: &[&str] = &["workdir", "working_directory", "cwd"];

/// The folder that a call states, if it is a whole one.
pub(super) fn stated(args: &Args<'_>) -> Option<String> {
    args.text(KEYS).filter(|folder| is_absolute(folder))
}

/// The folder that most calls of a head state.
#[derive(Debug, Clone, Default)]
pub(in crate::summary) struct Folders {
    base: Option<String>,
}

impl Folders {
    /// Of these stated folders the one that is stated most often, of several the first.
    pub(super) fn of<'f>(stated: impl Iterator<Item = &'f str>) -> Self {
        let mut counts: HashMap<&str, (usize, usize)> = HashMap::default();
        for (at, folder) in stated.enumerate() {
            counts.entry(folder.trim_end_matches(['/', '\\'])).or_insert((0, usize::MAX - at)).0 += 1;
        }
        let most = counts.into_iter().max_by_key(|(_, count)| *count);
        Self { base: most.map(|(folder, _)| folder.to_owned()) }
    }

    /// The folder, with its slash, if any call states one.
    pub(super) fn base(&self) -> Option<String> {
        self.base.as_ref().map(|base| format!("{base}{}", separator(base)))
    }

    /// The path below the folder of its call, or else below the one of most; an absolute one as it is.
    pub(super) fn join<'p>(&self, folder: Option<&str>, path: &'p str) -> Cow<'p, str> {
        let Some(folder) = folder.or(self.base.as_deref()).filter(|_| !is_absolute(path)) else {
            return Cow::Borrowed(path);
        };
        let mut folder = folder.trim_end_matches(['/', '\\']);
        let mut rest = path;
        loop {
            if let Some(below) = rest.strip_prefix("./").or_else(|| rest.strip_prefix(".\\")) {
                rest = below;
            } else if let Some(beside) = rest.strip_prefix("../").or_else(|| rest.strip_prefix("..\\")) {
                let Some((above, _)) = folder.rsplit_once(['/', '\\']) else { return Cow::Borrowed(path) };
                (folder, rest) = (above, beside);
            } else {
                return Cow::Owned(format!("{folder}{}{rest}", separator(folder)));
            }
        }
    }
}

fn separator(folder: &str) -> char {
    if folder.contains('\\') && !folder.contains('/') { '\\' } else { '/' }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_are_below_the_folder_of_their_call() {
        let folders = Folders::of(["/w/site/", "/w/app", "/w/site"].into_iter());
        assert_eq!(folders.base().as_deref(), Some("/w/site/"));
        assert_eq!(folders.join(None, "src/a.rs"), "/w/site/src/a.rs");
        assert_eq!(folders.join(Some("/w/app"), "./src/a.rs"), "/w/app/src/a.rs");
        assert_eq!(folders.join(Some("/w/app"), "../site/a.rs"), "/w/site/a.rs");
        assert_eq!(folders.join(Some("/w/app"), "/etc/hosts"), "/etc/hosts");
        assert_eq!(folders.join(Some("C:\\w"), "a.rs"), "C:\\w\\a.rs");
        assert_eq!(Folders::default().join(None, "a.rs"), "a.rs");
    }
}
