//! The program as tests start it.

use std::path::Path;
use std::process::{Command, Stdio};

/// The program in a folder, without the configuration, variables and terminal of whoever runs the tests.
pub(crate) fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_epitome"));
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("EPITOME_")) {
        command.env_remove(name);
    }
    command.current_dir(folder).env("EPITOME_CONFIG", "").stdin(Stdio::null());
    command
}
