//! Paths of outputs: the input's path, with the extension of another format or compression.

use crate::batch::inputs::discover::Input;
use crate::batch::packing::PACKED;
use crate::batch::{Batch, BatchError, Compress, Conversion, Work};
use crate::convert::Output;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Extensions of transcripts, which a new extension replaces; it is appended to any other.
const DATA: [&str; 6] = ["jsonl", "json", "ndjson", "traj", "log", "eval"];

/// The changes from names of inputs to names of outputs.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::batch) struct Naming {
    pub(in crate::batch) conversion: Option<Conversion>,
    pub(in crate::batch) compress: Option<Compress>,
}

impl Naming {
    pub(in crate::batch) fn of(batch: &Batch, work: &dyn Work) -> Self {
        Self { conversion: work.conversion(), compress: batch.compress }
    }

    /// The path of the output for an input, both in the output tree.
    pub(in crate::batch) fn place(self, relative: &Path) -> PathBuf {
        let (name, packed) = unpacked(relative);
        let packed = self.compress.map_or(packed, |compress| compress.extension());
        let place = match self.conversion {
            None if self.compress.is_none() => return relative.to_owned(),
            None => name,
            Some(conversion) => with(stem(&name), conversion.output.extension()),
        };
        packed.map_or(place.clone(), |extension| with(place, extension))
    }

    /// Extension of files with one transcript each, with that of a compression if there is one.
    pub(in crate::batch) fn row_extension(self, output: Output) -> String {
        let packed = self.compress.and_then(Compress::extension).map(|extension| format!(".{extension}"));
        output.extension().to_owned() + &packed.unwrap_or_default()
    }

    /// Checks that no two inputs have one output path or an output path below another's, and that none is in the folder
    /// for the rows of another. `is_written` tells whether an input is written at all, since a conversion only writes
    /// transcripts.
    pub(in crate::batch) fn check(
        self,
        inputs: &[Input],
        is_written: &dyn Fn(&Input) -> bool,
    ) -> Result<(), BatchError> {
        if self.conversion.is_none() && self.compress.is_none() {
            return Ok(());
        }
        let mut places: BTreeMap<PathBuf, &Input> = BTreeMap::new();
        for input in inputs {
            let place = self.place(&input.relative);
            match places.get(&place) {
                Some(first) if !is_written(first) => {}
                Some(_) if !is_written(input) => continue,
                Some(first) => return Err(collision(first, input, place)),
                None => {}
            }
            places.insert(place, input);
        }
        for (place, input) in &places {
            if let Some((above, first)) = place.ancestors().skip(1).find_map(|above| places.get_key_value(above)) {
                return Err(collision(first, input, above.clone()));
            }
        }
        let folders = inputs.iter().filter(|_| self.conversion.is_some_and(|it| it.output != Output::Rows));
        for (input, folder) in folders.map(|input| (input, rows_folder(&input.relative))) {
            let below = places.range(folder.clone()..).next().filter(|(place, _)| place.starts_with(&folder));
            if let Some((_, other)) = below {
                return Err(collision(input, other, folder));
            }
        }
        Ok(())
    }
}

/// A path with another extension appended.
fn with(path: PathBuf, extension: &str) -> PathBuf {
    let mut path = path.into_os_string();
    path.push(".");
    path.push(extension);
    path.into()
}

/// The path itself, then without and with each extension of a compressed file.
pub(crate) fn packed_or_not(path: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let bare = unpacked(path).0;
    let packed = PACKED.map(|extension| with(bare.clone(), extension));
    [path.to_owned(), bare].into_iter().chain(packed)
}

/// The file that belongs to `own`, expected at the path `other` of another folder: packed or not, or, as a conversion
/// names it, with another extension of transcripts, unless that belongs to a neighbor of `own`.
pub(crate) fn counterpart(own: &Path, other: &Path) -> Option<PathBuf> {
    let file = |path: &Path| packed_or_not(path).find(|path| path.is_file());
    let of_neighbor = |path: &PathBuf| path.file_name().and_then(|name| file(&own.with_file_name(name))).is_some();
    let stem = stem(&unpacked(other).0);
    let mut converted = DATA.iter().map(|extension| with(stem.clone(), extension)).chain([stem.clone()]);
    file(other).or_else(|| converted.find_map(|path| file(&path).filter(|_| !of_neighbor(&path))))
}

/// The output file for an input, if `-o` names a file; a part of an input gets a file beside it.
pub(in crate::batch) fn file(path: &Path, input: &Input) -> PathBuf {
    input.part.as_ref().map_or_else(|| path.to_owned(), |part| part.shard.part_of(path))
}

/// The folder for the transcripts of an input, if each becomes a file.
pub(in crate::batch) fn rows_folder(relative: &Path) -> PathBuf {
    let mut folder = stem(&unpacked(relative).0).into_os_string();
    folder.push("-rows");
    folder.into()
}

/// File name of the transcript with this number, from 1, in that folder.
pub(in crate::batch) fn row_name(relative: &Path, number: usize, extension: &str) -> String {
    format!("{}{number:06}.{extension}", row_prefix(relative))
}

/// Prefix of these file names.
pub(in crate::batch) fn row_prefix(relative: &Path) -> String {
    let stem = stem(&unpacked(relative).0);
    format!("{}-", stem.file_name().unwrap_or_default().to_string_lossy())
}

/// A path without the extension of a compressed file, and that extension.
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

fn collision(first: &Input, second: &Input, output: PathBuf) -> BatchError {
    BatchError::SamePlace { first: first.path.clone(), second: second.path.clone(), output }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn input(path: &str) -> Input {
        Input { path: path.into(), relative: path.into(), root: PathBuf::new(), size: 0, named: false, part: None }
    }

    #[test]
    fn an_output_has_the_extension_of_its_format() {
        let place = |path: &str, output| {
            let naming =
                Naming { conversion: Some(Conversion { format: "x", output, takes_same: false }), compress: None };
            naming.place(Path::new(path)).to_string_lossy().into_owned()
        };
        assert_eq!(place("a/x.json", Output::Rows), "a/x.jsonl");
        assert_eq!(place("a/x.traj.jsonl.gz", Output::File("json")), "a/x.traj.json.gz");
        assert_eq!(place("v1.2", Output::Rows), "v1.2.jsonl");
        assert_eq!(rows_folder(Path::new("a/x.jsonl.zst")), Path::new("a/x-rows"));
        assert_eq!(row_name(Path::new("a/x.jsonl"), 7, "json"), "x-000007.json");
    }

    #[test]
    fn a_file_has_a_counterpart_of_its_name_or_of_that_which_a_conversion_gave_it() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let write = |folder: &Path, name: &str| std::fs::write(folder.join(name), "x").unwrap();
        let found = |name: &str| {
            let path = counterpart(&from.path().join(name), &to.path().join(name))?;
            Some(path.strip_prefix(to.path()).unwrap().to_string_lossy().into_owned())
        };
        write(to.path(), "a.json.gz");
        write(to.path(), "v1.2");
        assert_eq!(found("a.jsonl").as_deref(), Some("a.json.gz"));
        assert_eq!(found("v1.2.jsonl").as_deref(), Some("v1.2"));
        assert_eq!(found("b.jsonl"), None);
        write(from.path(), "a.json");
        assert_eq!(found("a.jsonl"), None, "it is that of a.json");
        assert_eq!(found("a.json").as_deref(), Some("a.json.gz"));
        write(to.path(), "a.jsonl");
        assert_eq!(found("a.jsonl").as_deref(), Some("a.jsonl"));
    }

    #[test]
    fn places_do_not_collide() {
        let check = |paths: &[&str], output| {
            let inputs: Vec<_> = paths.iter().map(|path| input(path)).collect();
            Naming { conversion: Some(Conversion { format: "x", output, takes_same: false }), compress: None }
                .check(&inputs, &|_| true)
                .is_ok()
        };
        assert!(check(&["a.jsonl", "a.md", "b/a.jsonl", "a/a.jsonl"], Output::File("jsonl")));
        assert!(!check(&["a.jsonl", "a.json"], Output::Rows));
        assert!(!check(&["a.jsonl", "a-rows/b.jsonl"], Output::File("jsonl")));
        assert!(check(&["a.jsonl", "a-rows/b.jsonl"], Output::Rows));
    }

    #[test]
    fn a_compressed_output_says_so_behind_its_name() {
        let place = |path: &str, compress| {
            Naming { conversion: None, compress: Some(compress) }.place(Path::new(path)).to_string_lossy().into_owned()
        };
        assert_eq!(place("a/x.jsonl", Compress::Zstd), "a/x.jsonl.zst");
        assert_eq!(place("a/x.jsonl.gz", Compress::Zstd), "a/x.jsonl.zst");
        assert_eq!(place("x.json.zstd", Compress::Gzip), "x.json.gz");
        assert_eq!(place("x.json.zst", Compress::Plain), "x.json");
        let converted = Conversion { format: "x", output: Output::File("json"), takes_same: false };
        let naming = Naming { conversion: Some(converted), compress: Some(Compress::Gzip) };
        assert_eq!(naming.place(Path::new("x.jsonl.zst")), Path::new("x.json.gz"));
        assert_eq!(naming.row_extension(converted.output), "json.gz");
        let check = |paths: &[&str], compress| {
            let inputs: Vec<_> = paths.iter().map(|path| input(path)).collect();
            Naming { conversion: None, compress }.check(&inputs, &|_| true).is_ok()
        };
        let (both, nested) = (["x.jsonl", "x.jsonl.gz"], ["x", "x.gz/y"]);
        assert!(check(&both, None) && check(&nested, None) && check(&nested, Some(Compress::Zstd)));
        assert!(!check(&both, Some(Compress::Zstd)) && !check(&both, Some(Compress::Plain)));
        assert!(!check(&nested, Some(Compress::Gzip)));
    }
}
