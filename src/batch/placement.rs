//! Where outputs may go: never over an input, never into an input folder, never into a folder that is not ours.

use super::discover::{Found, STDIN};
use super::write::is_temporary;
use super::{Batch, BatchError, Conversion, OWN_FOLDER, Target};
use super::{journal, naming};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The canonical path of a file or folder that may not exist yet.
pub(super) fn real(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let known = absolute.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
    known.map_or(absolute.clone(), |(above, real)| match absolute.strip_prefix(above) {
        Ok(rest) if !rest.as_os_str().is_empty() => real.join(rest),
        _ => real,
    })
}

/// Folders that are never read: output, undo store and reports.
pub(super) fn never_read(batch: &Batch) -> Vec<PathBuf> {
    let output = match &batch.target {
        Target::Dir(folder) => Some(folder),
        _ => None,
    };
    output.into_iter().chain(&batch.undo).chain(&batch.report_dir).map(|path| real(path)).collect()
}

/// Checks the output folder against the folders that were typed, before they are walked.
pub(super) fn check_folders(batch: &Batch) -> Result<(), BatchError> {
    let Target::Dir(output) = &batch.target else { return Ok(()) };
    let real_output = real(output);
    for input in batch.inputs.iter().filter(|input| input.is_dir()) {
        let folder = real(input);
        if folder == real_output {
            return Err(BatchError::OutputIsInput { path: output.clone() });
        }
        if real_output.starts_with(&folder) {
            return Err(BatchError::OutputInsideInput { output: output.clone(), input: input.clone() });
        }
    }
    Ok(())
}

/// Checks each output against all inputs, and that one output gets one input.
pub(super) fn check_files(batch: &Batch, found: &Found, conversion: Option<Conversion>) -> Result<(), BatchError> {
    let count = found.inputs.len() + found.problems.len();
    let stdin = found.inputs.iter().any(|input| input.path.as_os_str() == STDIN);
    match &batch.target {
        Target::File(_) | Target::Stdout if count != 1 => return Err(BatchError::OneOutput { count }),
        Target::Dir(_) | Target::InPlace if stdin => return Err(BatchError::StdinNeedsOneOutput),
        _ => {}
    }
    let outputs: Vec<PathBuf> = match &batch.target {
        Target::Dir(folder) => {
            found.inputs.iter().map(|input| folder.join(naming::place(&input.relative, conversion))).collect()
        }
        Target::File(path) => vec![path.clone()],
        Target::Stdout | Target::InPlace | Target::DryRun => return Ok(()),
    };
    let existing = outputs.into_iter().filter_map(|output| Some((output.canonicalize().ok()?, output)));
    let existing: Vec<_> = existing.collect();
    if existing.is_empty() {
        return Ok(());
    }
    let inputs: BTreeSet<_> = found.inputs.iter().filter_map(|input| input.path.canonicalize().ok()).collect();
    let clash = existing.into_iter().find(|(real, _)| inputs.contains(real));
    clash.map_or(Ok(()), |(_, path)| Err(BatchError::OutputIsInput { path }))
}

/// Makes the output folder, which must be empty or hold a journal of ours, unless forced.
pub(super) fn claim(folder: &Path, force: bool) -> Result<(), BatchError> {
    fs::create_dir_all(folder).map_err(BatchError::io("making the folder", folder))?;
    let ours = folder.join(OWN_FOLDER).join(journal::NAME).is_file();
    if ours || force || is_empty(folder).map_err(BatchError::io("reading", folder))? {
        return Ok(());
    }
    Err(BatchError::NotEmpty { path: folder.to_owned() })
}

/// Whether there is nothing but what a run leaves that was killed right at its start.
fn is_empty(folder: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        if name != OWN_FOLDER && !is_temporary(&name) {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn the_real_path_of_what_does_not_exist_goes_through_links() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().canonicalize().unwrap();
        fs::create_dir(base.join("a")).unwrap();
        assert_eq!(real(&base.join("a/../a/x/y")), base.join("a/x/y"));
        assert_eq!(real(&base.join("a")), base.join("a"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("a", base.join("b")).unwrap();
            assert_eq!(real(&base.join("b/x")), base.join("a/x"));
        }
    }

    #[test]
    fn a_folder_with_other_things_is_not_claimed() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join(OWN_FOLDER)).unwrap();
        fs::write(dir.path().join(".epitome-tmp-1"), "").unwrap();
        assert!(claim(dir.path(), false).is_ok());
        fs::write(dir.path().join("x"), "").unwrap();
        assert!(matches!(claim(dir.path(), false), Err(BatchError::NotEmpty { .. })));
        assert!(claim(dir.path(), true).is_ok());
    }
}
