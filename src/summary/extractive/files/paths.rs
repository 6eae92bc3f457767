//! Spellings of paths, and the lines of the section Relevant files, which begin with a path.

use crate::summary::text::{contains_any, ends_any};
use crate::transcript::base_name;

/// Path separators.
pub(in crate::summary::extractive) const SEPARATORS: [char; 2] = ['/', '\\'];
/// Endings of files with prose.
const PROSE: [&str; 4] = [".md", ".markdown", ".rst", ".adoc"];
/// Separator between a path and the text about it.
const DASH: &str = " — ";

pub(in crate::summary::extractive) fn is_absolute(path: &str) -> bool {
    let drive = &path[path.ceil_char_boundary(1)..];
    path.starts_with(['/', '~', '\\']) || drive.starts_with(":\\") || drive.starts_with(":/")
}

/// A key that is equal for all spellings of an absolute Windows path: `D:\quay\a.rs`, `D:/quay/a.rs`, and
/// `/d/quay/a.rs` in Unix shells.
pub(in crate::summary::extractive) fn same(path: &str) -> String {
    let path = path.replace('\\', "/");
    match path.as_bytes() {
        [b'/', drive, b'/', ..] if drive.is_ascii_alphabetic() => {
            format!("{}:{}", &path[1..2], &path[2..]).to_lowercase()
        }
        [drive, b':', b'/', ..] if drive.is_ascii_alphabetic() => path.to_lowercase(),
        _ => path,
    }
}

/// Whether a path is that of a file with prose (a plan, a change log), which no test reads.
pub fn is_prose(path: &str) -> bool {
    ends_any(path, &PROSE)
}

/// Formats a line of the section Relevant files from a path and the text about it.
pub(in crate::summary::extractive) fn line(path: &str, story: &str) -> String {
    format!("`{path}`{DASH}{story}")
}

/// Splits such a line into path and text.
pub(in crate::summary::extractive) fn parts(text: &str) -> Option<(&str, &str)> {
    let (path, rest) = text.strip_prefix('`')?.split_once('`')?;
    Some((path, rest.trim_start_matches([' ', '—', '-', ':', '–'])))
}

/// The last component of a path if it has an extension; else `None`, as it may be a folder or a plain word.
pub(in crate::summary::extractive) fn file_name(path: &str) -> Option<&str> {
    Some(base_name(path)).filter(|name| name.trim_start_matches('.').contains('.'))
}

/// Whether a file that a command writes is of no more use: in a temporary folder, but not in a project there.
pub fn is_scratch(path: &str) -> bool {
    let in_folder = ["/tmp/", "/private/tmp/"].iter().find_map(|folder| path.strip_prefix(folder)?.split_once('/'));
    let in_project = in_folder.is_some_and(|(folder, behind)| {
        let printed = ends_any(behind, &[".log", ".txt", ".out"]);
        !folder.starts_with("claude") && !printed && !is_temporary(&format!("/{behind}"))
    });
    is_temporary(path) && !in_project
}

/// Whether a file is in a temporary folder.
pub(in crate::summary::extractive) fn is_temporary(path: &str) -> bool {
    contains_any(path, &["/tmp/", "\\Temp\\", "/var/folders/", "scratchpad", "tool-results"])
}

#[cfg(test)]
mod tests {
    use super::is_scratch;

    #[test]
    fn a_project_in_a_temporary_folder_is_no_scratch() {
        for path in ["/tmp/a.rs", "/tmp/claude-7/tasks/a.rs", "/tmp/quay/build.log", "/w/scratchpad/a.rs"] {
            assert!(is_scratch(path), "{path}");
        }
        for path in ["/tmp/quay/src/a.rs", "/private/tmp/quay/a.rs", "/w/a.rs"] {
            assert!(!is_scratch(path), "{path}");
        }
    }
}
