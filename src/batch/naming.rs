//! Where outputs of another format stand: at the input's place with the extension of that format.

use super::discover::Input;
use super::{BatchError, Conversion};
use crate::convert::Output;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Extensions of compressed files; they stay behind the new one.
const PACKED: [&str; 3] = ["gz", "zst", "zstd"];
/// Extensions of transcripts, which the new one takes the place of; behind any other it is put.
const DATA: [&str; 5] = ["jsonl", "json", "ndjson", "traj", "log"];

/// The place of the output of an input.
pub(super) fn place(relative: &Path, conversion: Option<Conversion>) -> PathBuf {
    conversion.map_or_else(|| relative.to_owned(), |conversion| converted(relative, conversion.output))
}

/// The file that an input goes to where one was named; a part of an input goes beside it.
pub(super) fn file(path: &Path, input: &Input) -> PathBuf {
    input.part.as_ref().map_or_else(|| path.to_owned(), |part| part.shard.part_of(path))
}

/// The place of an output of another format.
fn converted(relative: &Path, output: Output) -> PathBuf {
    let (name, packed) = unpacked(relative);
    let mut place = stem(&name).into_os_string();
    for extension in std::iter::once(output.extension()).chain(packed) {
        place.push(".");
        place.push(extension);
    }
    place.into()
}

/// The folder of a file of many transcripts, each of which becomes a file.
pub(super) fn rows_folder(relative: &Path) -> PathBuf {
    let mut folder = stem(&unpacked(relative).0).into_os_string();
    folder.push("-rows");
    folder.into()
}

/// The file name of one of them; they count from 1.
pub(super) fn row_name(relative: &Path, number: usize, extension: &str) -> String {
    format!("{}{number:06}.{extension}", row_prefix(relative))
}

/// How the names of all of them begin.
pub(super) fn row_prefix(relative: &Path) -> String {
    let stem = stem(&unpacked(relative).0);
    format!("{}-", stem.file_name().unwrap_or_default().to_string_lossy())
}

/// A place without the extension of a compressed file, and that extension.
fn unpacked(relative: &Path) -> (PathBuf, Option<&str>) {
    match relative.extension().and_then(|extension| extension.to_str()).filter(|it| PACKED.contains(it)) {
        Some(extension) => (relative.with_extension(""), Some(extension)),
        None => (relative.to_owned(), None),
    }
}

fn stem(name: &Path) -> PathBuf {
    let is_data = name.extension().is_some_and(|extension| DATA.iter().any(|data| extension == *data));
    if is_data { name.with_extension("") } else { name.to_owned() }
}

/// Checks that no two inputs would be written to one place, and none into the folder of another's rows.
pub(super) fn check(inputs: &[Input], conversion: Conversion) -> Result<(), BatchError> {
    let mut places: BTreeMap<PathBuf, &Input> = BTreeMap::new();
    for input in inputs {
        let place = converted(&input.relative, conversion.output);
        if let Some(first) = places.insert(place.clone(), input) {
            return Err(collision(first, input, place));
        }
    }
    let folders = inputs.iter().filter(|_| conversion.output != Output::Rows);
    for (input, folder) in folders.map(|input| (input, rows_folder(&input.relative))) {
        let below = places.range(folder.clone()..).next().filter(|(place, _)| place.starts_with(&folder));
        if let Some((_, other)) = below {
            return Err(collision(input, other, folder));
        }
    }
    Ok(())
}

fn collision(first: &Input, second: &Input, output: PathBuf) -> BatchError {
    BatchError::SamePlace { first: first.path.clone(), second: second.path.clone(), output }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(path: &str) -> Input {
        Input { path: path.into(), relative: path.into(), root: PathBuf::new(), size: 0, named: false, part: None }
    }

    #[test]
    fn an_output_has_the_extension_of_its_format() {
        let place = |path: &str, output| converted(Path::new(path), output).to_string_lossy().into_owned();
        assert_eq!(place("a/x.json", Output::Rows), "a/x.jsonl");
        assert_eq!(place("a/x.traj.jsonl.gz", Output::File("json")), "a/x.traj.json.gz");
        assert_eq!(place("v1.2", Output::Rows), "v1.2.jsonl");
        assert_eq!(rows_folder(Path::new("a/x.jsonl.zst")), Path::new("a/x-rows"));
        assert_eq!(row_name(Path::new("a/x.jsonl"), 7, "json"), "x-000007.json");
    }

    #[test]
    fn places_do_not_collide() {
        let check = |paths: &[&str], output| {
            let inputs: Vec<_> = paths.iter().map(|path| input(path)).collect();
            check(&inputs, Conversion { format: "x", output }).is_ok()
        };
        assert!(check(&["a.jsonl", "a.md", "b/a.jsonl", "a/a.jsonl"], Output::File("jsonl")));
        assert!(!check(&["a.jsonl", "a.json"], Output::Rows));
        assert!(!check(&["a.jsonl", "a-rows/b.jsonl"], Output::File("jsonl")));
        assert!(check(&["a.jsonl", "a-rows/b.jsonl"], Output::Rows));
    }
}
