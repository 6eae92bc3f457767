//! Where outputs go, from what was typed.

use crate::batch::{Compress, Target};
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
            return Ok(Target::DryRun { in_place: self.in_place == Some(true) });
        }
        if self.in_place == Some(true) {
            return Ok(Target::InPlace);
        }
        let stdin = self.inputs == [PathBuf::from("-")];
        match self.output {
            Some(path) if path.as_os_str() == "-" => Ok(Target::Stdout),
            Some(path) if self.is_file(path) => Ok(Target::File(path.to_owned())),
            Some(path) if self.are_several() && is_named_as_file(path) => anyhow::bail!(
                "-o {0}: this is the name of a file, and there may be several outputs; name a folder, or write {0}/ if it is one",
                path.display()
            ),
            Some(path) if is_no_folder(path) => anyhow::bail!(
                "-o {}: outputs go to a folder, and this is none; name another, or `-` for standard output",
                path.display()
            ),
            Some(path) => Ok(Target::Dir(path.to_owned())),
            None if stdin => Ok(Target::Stdout),
            None if self.in_place.is_some() => anyhow::bail!("say where to write: -o DIR, --in-place, or --dry-run"),
            None => anyhow::bail!("say where to write: -o DIR, or --dry-run"),
        }
    }

    /// Whether more than one file may come of the inputs.
    fn are_several(&self) -> bool {
        let is_glob = |path: &Path| path.as_os_str().to_string_lossy().contains(['*', '?', '[']);
        let only = |path: &PathBuf| !path.is_dir() && (path.exists() || !is_glob(path));
        self.listed || !matches!(self.inputs, [path] if only(path))
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

/// Whether something is there that is no folder, however its path is spelled.
fn is_no_folder(path: &Path) -> bool {
    let path: PathBuf = path.components().collect();
    path.exists() && !path.is_dir()
}

/// Whether nobody would call a folder so, and none is there.
fn is_named_as_file(path: &Path) -> bool {
    let ends = |path: &Path, names: &[&str]| path.extension().is_some_and(|own| names.iter().any(|name| own == *name));
    let bare = if Compress::named(path).extension().is_some() { path.with_extension("") } else { path.to_owned() };
    let is_folder = path.is_dir() || path.as_os_str().to_string_lossy().ends_with(['/', '\\']);
    !is_folder && ends(&bare, &["jsonl", "json", "ndjson"])
}

/// Checks that a file which is named as compressed will be, and the other way round. Without `--compress` an output is
/// compressed as its input is, of which only the name is known here.
pub(super) fn fits(target: &Target, inputs: &[PathBuf], compress: Option<Compress>) -> anyhow::Result<()> {
    let (Target::File(path), Some(input)) = (target, inputs.first()) else { return Ok(()) };
    if compress.is_none() && input.as_os_str() == "-" {
        return Ok(());
    }
    let (named, wanted) = (Compress::named(path), compress.unwrap_or_else(|| Compress::named(input)));
    let told = |compress: Compress| compress.extension().unwrap_or("plain text");
    anyhow::ensure!(
        named == wanted,
        "-o {}: its name says {}, but {} would be written; change the name, or say --compress {}",
        path.display(),
        told(named),
        told(wanted),
        named.extension().unwrap_or("none")
    );
    Ok(())
}

/// Checks that transcripts and the report on them do not go to standard output both.
pub(super) fn apart(target: &Target, json: bool) -> anyhow::Result<()> {
    anyhow::ensure!(
        !json || *target != Target::Stdout,
        "--json would put the report behind the transcript on standard output: leave it out (--report DIR writes the \
         report to a folder), or write to -o FILE"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transcript_and_its_report_do_not_share_a_stream() {
        assert!(apart(&Target::Stdout, true).is_err() && apart(&Target::Stdout, false).is_ok());
        assert!(apart(&Target::File("a.jsonl".into()), true).is_ok());
    }

    #[test]
    fn several_outputs_go_to_no_name_of_a_file() {
        let target = |inputs: &[&str], output: &str| {
            let inputs: Vec<PathBuf> = inputs.iter().map(PathBuf::from).collect();
            let output = Some(Path::new(output));
            Destination { inputs: &inputs, listed: false, output, in_place: None, dry_run: false }.target()
        };
        for output in ["x.jsonl", "d/x.json", "x.jsonl.zst"] {
            assert!(target(&["src", "tests"], output).is_err() && target(&["src/*.rs"], output).is_err(), "{output}");
            assert!(target(&["src"], output).is_err() && target(&["Cargo.toml"], output).is_ok(), "{output}");
        }
        assert!(target(&["src"], "Cargo.lock").is_err(), "it is there, and is no folder");
        assert!(["out", "x.jsonl/", "v1.2", "src"].iter().all(|output| target(&["src", "tests"], output).is_ok()));
    }

    #[test]
    fn a_file_is_named_as_it_is_packed() {
        let fits = |output: &str, input: &str, compress| {
            fits(&Target::File(output.into()), &[PathBuf::from(input)], compress).is_ok()
        };
        assert!(fits("a.jsonl", "b.jsonl", None) && fits("a.jsonl.zst", "b.jsonl.zstd", None));
        assert!(fits("a.jsonl.zstd", "b.jsonl", Some(Compress::Zstd)) && fits("a.gz", "-", None));
        assert!(!fits("a.jsonl.gz", "b.jsonl", None) && !fits("a.jsonl", "b.jsonl.gz", None));
        assert!(!fits("a.jsonl", "b.jsonl", Some(Compress::Gzip)));
    }
}
