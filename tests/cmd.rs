//! Whole runs of the program: command line, output, resulting files, and exit status.
//!
//! Each case starts in a copy of `tests/cmd/base`. After an intended change: `TRYCMD=overwrite cargo test --test cmd`.

#![cfg(unix)]

use std::path::Path;

/// Programs with which cases inspect files.
const TOOLS: &[&str] = &["cat", "cmp", "diff", "find", "sh", "bash", "wc"];

#[test]
fn whole_runs() {
    let program = Path::new(env!("CARGO_BIN_EXE_epitome"));
    let cases = trycmd::TestCases::new();
    cases.env("PATH", path_with(program.parent()));
    cases.env("COLUMNS", "100");
    cases.env("EPITOME_CONFIG", "");
    for tool in TOOLS {
        if let Some(path) =
            ["/bin", "/usr/bin"].map(|folder| Path::new(folder).join(tool)).into_iter().find(|path| path.exists())
        {
            cases.register_bin(*tool, path);
        }
    }
    cases.register_bin("epitome", program);
    cases.case("tests/cmd/*.trycmd");
}

/// The search path with the program's folder first, for cases that pipe through a shell.
fn path_with(folder: Option<&Path>) -> String {
    let path = std::env::var("PATH").unwrap_or_default();
    folder.map_or(path.clone(), |folder| format!("{}:{path}", folder.display()))
}

/// The exit status is right even if messages can't be written, as scripts rely on it.
#[cfg(target_os = "linux")]
#[test]
fn a_usage_error_has_its_status_though_it_cannot_be_told() -> std::io::Result<()> {
    let full = std::fs::File::options().write(true).open("/dev/full")?;
    let status = std::process::Command::new(env!("CARGO_BIN_EXE_epitome")).arg("--bogus").stderr(full).status()?;
    assert_eq!(status.code(), Some(2));
    Ok(())
}
