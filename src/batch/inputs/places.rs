//! Where the output of an input lies, as a path below the output folder.

use std::path::{Component, Path, PathBuf};

/// The output path of a path found on a walk of `root`; if `root` is a file, that is `prefix`.
pub(super) fn place(prefix: &Path, path: &Path, root: &Path) -> PathBuf {
    match path.strip_prefix(root) {
        Ok(rest) if rest.as_os_str().is_empty() => prefix.to_owned(),
        Ok(rest) => prefix.join(rest),
        Err(_) => prefix.join(file_name(path)),
    }
}

/// The leading components of a glob without wildcards.
pub(super) fn fixed_part(glob: &Path) -> PathBuf {
    let folder = glob.parent().unwrap_or(Path::new(""));
    folder.components().take_while(|part| !part.as_os_str().to_string_lossy().contains(['*', '?', '['])).collect()
}

pub(super) fn below(path: &Path, base: &Path) -> PathBuf {
    below_root(path.strip_prefix(base).unwrap_or(path))
}

/// A path without root, `.` and `..`, so that it stays below the output folder.
pub(super) fn below_root(path: &Path) -> PathBuf {
    path.components().filter(|part| matches!(part, Component::Normal(_))).collect()
}

pub(super) fn file_name(path: &Path) -> PathBuf {
    path.file_name().map_or_else(|| below_root(path), PathBuf::from)
}

/// The name of a folder, resolved for `.` and `..`.
pub(super) fn own_name(path: &Path) -> PathBuf {
    let name = path.file_name().map(PathBuf::from);
    name.or_else(|| path.canonicalize().ok().map(|path| file_name(&path))).unwrap_or_default()
}
