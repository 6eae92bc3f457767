//! Where outputs go, from what was typed.

use crate::batch::Target;
use std::path::{Path, PathBuf};

/// What was typed about inputs and outputs.
pub(super) struct Destination<'a> {
    pub(super) inputs: &'a [PathBuf],
    /// Inputs come from a list, too.
    pub(super) listed: bool,
    pub(super) output: Option<&'a Path>,
    /// Whether the inputs are replaced; none for commands that can't.
    pub(super) in_place: Option<bool>,
    pub(super) dry_run: bool,
}

impl Destination<'_> {
    /// Where outputs go. One input that is a file goes to a file, unless the output is a folder or is spelled like one.
    pub(super) fn target(&self) -> anyhow::Result<Target> {
        if self.dry_run {
            return Ok(Target::DryRun);
        }
        if self.in_place == Some(true) {
            return Ok(Target::InPlace);
        }
        let stdin = self.inputs == [PathBuf::from("-")];
        match self.output {
            Some(path) if path.as_os_str() == "-" => Ok(Target::Stdout),
            Some(path) if self.is_file(path) => Ok(Target::File(path.to_owned())),
            Some(path) => Ok(Target::Dir(path.to_owned())),
            None if stdin => Ok(Target::Stdout),
            None if self.in_place.is_some() => anyhow::bail!("say where to write: -o DIR, --in-place, or --dry-run"),
            None => anyhow::bail!("say where to write: -o DIR, or --dry-run"),
        }
    }

    fn is_file(&self, path: &Path) -> bool {
        let one_file = match self.inputs {
            [only] => only.is_file() || only.as_os_str() == "-",
            _ => false,
        };
        let like_folder =
            path.is_dir() || path.as_os_str().to_string_lossy().ends_with(['/', '\\']) || path.extension().is_none();
        one_file && !self.listed && !like_folder
    }
}
