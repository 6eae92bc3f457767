//! Programs that the user names: whether they are there, which is told before the work and not at every transcript.

use std::path::Path;

/// Whether the program that a command begins with can be started: it is at its path, or in a folder of `PATH`.
#[cfg(unix)]
pub(super) fn is_found(program: &str) -> bool {
    let runs = |file: &Path| file.is_file() && is_executable(file);
    match std::env::var_os("PATH") {
        Some(folders) if !program.contains('/') => {
            std::env::split_paths(&folders).any(|folder| runs(&folder.join(program)))
        }
        // The system has folders of its own where none are named.
        None if !program.contains('/') => true,
        _ => runs(Path::new(program)),
    }
}

/// Other systems complete names in their own ways, so that they say it when the program is started.
#[cfg(not(unix))]
pub(super) fn is_found(_: &str) -> bool {
    true
}

#[cfg(unix)]
pub(super) fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|meta| meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
pub(super) fn is_executable(_: &Path) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_found_by_its_name_or_its_path() {
        assert!(is_found("sh") && is_found("/bin/sh"));
        assert!(
            !is_found("no-such-program-of-ours") && !is_found("./sh") && !is_found("/bin") && !is_found("Cargo.toml")
        );
        assert!(!is_found("./Cargo.toml"), "it is no program");
    }
}
