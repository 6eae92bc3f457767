//! The files that `git checkout` and `git restore` take back.

use super::tokens::Word;
use super::{FileOp, has_extension, is_one_of};
use crate::summary::text::starts_any;

/// The files that git restores or takes from another commit; `None` if it does neither. Without `--`, only what can be no
/// branch is a file: `quay/lamp.rs`.
pub(super) fn restored<'w>(program: &str, args: &[&'w Word]) -> Option<Vec<(FileOp, &'w Word)>> {
    let end = args.iter().position(|arg| arg.text == "--");
    let named = || !args.is_empty() && args.iter().all(|arg| is_named(&arg.text));
    let (options, paths) = match (program, end) {
        ("checkout", Some(end)) => (&args[..end], &args[end + 1..]),
        ("checkout", None) if named() => (&args[..0], args),
        ("restore", _) => {
            let end = end.unwrap_or_else(|| args.iter().take_while(|arg| arg.text.starts_with('-')).count());
            (&args[..end], &args[end..])
        }
        _ => return None,
    };
    if is_one_of(options, &["--staged", "-S"]) && !is_one_of(options, &["--worktree", "-W"]) {
        return Some(Vec::new());
    }
    let own = options.iter().all(|arg| arg.text == "HEAD" || arg.text.starts_with('-') && !is_foreign(&arg.text));
    let op = if own { FileOp::Restored } else { FileOp::Written };
    Some(paths.iter().copied().filter(|path| has_extension(&path.text)).map(|path| (op, path)).collect())
}

/// Whether a word is a file in a folder, with an extension of letters.
fn is_named(word: &str) -> bool {
    let extension = word.rsplit_once('/').and_then(|(_, name)| name.rsplit_once('.')).map(|(_, extension)| extension);
    let letters = |text: &str| (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_lowercase());
    extension.is_some_and(letters)
}

/// Whether an option takes files from another commit than the current one.
pub(super) fn is_foreign(option: &str) -> bool {
    starts_any(option, &["-s", "--source", "--ours", "--theirs"])
}
