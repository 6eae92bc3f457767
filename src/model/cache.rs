//! Cache of answers on disk, keyed by a hash of interface, model and request body: a second run costs nothing.
//!
//! A file has the answer but not the question. It is written under another name and renamed, so that runs may share a
//! folder, and a killed run leaves no partial file. Unreadable files count as missing. Only the owner can read the
//! files, since an answer reveals what is in a transcript.

use super::{Answer, Endpoint};
use crate::transcript::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Version of the entries' schema; entries of others are ignored.
const VERSION: u32 = 1;

/// Prefix of the name of a file that is still being written.
const DRAFT: &str = ".";
/// Age from which a draft is abandoned: writing one takes far less.
const ABANDONED: Duration = Duration::from_secs(3600);

/// A folder of answers.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
}

/// Use of the cache.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CacheUse {
    /// Read it, and ask the endpoint for what is missing.
    #[default]
    Fill,
    /// Only read it; nothing is sent.
    Only,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    version: u32,
    kind: String,
    model: String,
    answer: Answer,
}

impl Cache {
    /// Opens the cache in a folder, creating it if needed.
    ///
    /// # Errors
    /// The folder can't be created.
    pub fn open(folder: &Path) -> io::Result<Self> {
        folder.parent().map_or(Ok(()), fs::create_dir_all)?;
        private_folder(folder)?;
        let cache = Self { folder: folder.to_owned() };
        cache.sweep();
        Ok(cache)
    }

    /// The cache in a folder that may not exist, for runs that store nothing.
    pub fn stored(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// Returns the stored answer with this name.
    pub(super) fn read(&self, name: &str) -> Option<Answer> {
        let entry: Entry = serde_json::from_slice(&fs::read(self.path(name)).ok()?).ok()?;
        (entry.version == VERSION).then_some(entry.answer)
    }

    /// Stores an answer.
    pub(super) fn write(&self, name: &str, endpoint: &Endpoint, answer: &Answer) -> io::Result<()> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let (kind, model) = (endpoint.kind.name().to_owned(), endpoint.model.clone());
        let entry = Entry { version: VERSION, kind, model, answer: answer.clone() };
        let path = self.path(name);
        let folder = path.parent().unwrap_or(&self.folder);
        private_folder(folder)?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let draft = folder.join(format!("{DRAFT}{name}.{}.{number}", std::process::id()));
        // If the draft exists already, it is another program's.
        let mut file = private_file(&draft)?;
        let mut fill = || {
            serde_json::to_writer(&mut file, &entry)?;
            file.write_all(b"\n")?;
            file.sync_all()?;
            fs::rename(&draft, &path)
        };
        fill().inspect_err(|_| fs::remove_file(&draft).unwrap_or_default())
    }

    /// Removes a stored answer.
    pub(super) fn remove(&self, name: &str) -> io::Result<()> {
        match fs::remove_file(self.path(name)) {
            Err(err) if err.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }

    /// Removes drafts of killed runs. Files that can't be removed stay, and so do all others.
    fn sweep(&self) {
        let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
        let named = |entry: fs::DirEntry| Some((entry.file_name().into_string().ok()?, entry));
        let is_folder = |name: &str| name.len() == 2 && name.bytes().all(|letter| letter.is_ascii_hexdigit());
        for (folder, held) in entries(&self.folder).filter_map(named).filter(|(name, _)| is_folder(name)) {
            let drafts = entries(&held.path()).filter_map(named).filter(|(name, _)| is_draft(name, &folder));
            for (_, entry) in drafts {
                let file = entry.metadata().ok().filter(fs::Metadata::is_file);
                let age = file.and_then(|file| file.modified().ok()?.elapsed().ok());
                if age.is_some_and(|age| age > ABANDONED) {
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name.get(..2).unwrap_or_default()).join(format!("{name}.json"))
    }
}

/// Creates a folder that only its owner can open, unless it exists.
fn private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// Creates a new file that only its owner can read.
fn private_file(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.write(true).create_new(true).open(path)
}

/// Whether a file in a folder is named like a draft: hash of the answer, process id, number.
fn is_draft(file: &str, folder: &str) -> bool {
    let Some(name) = file.strip_prefix(DRAFT).filter(|name| name.starts_with(folder)) else { return false };
    let (hash, numbers) = name.split_once('.').unwrap_or_default();
    let (process, number) = numbers.split_once('.').unwrap_or_default();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    let is_hash = hash.len() == 64 && hash.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
    is_hash && is_number(process) && is_number(number)
}

/// The name of an entry: a hash of interface, model and request body.
pub(super) fn name(endpoint: &Endpoint, body: &str) -> String {
    let mut hash = Sha256::new();
    for piece in [endpoint.kind.name(), &endpoint.model, body] {
        hash.update((piece.len() as u64).to_le_bytes());
        hash.update(piece);
    }
    hex(&hash.finalize())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::model::Kind;

    #[test]
    fn an_answer_is_found_again_by_its_question_and_model_only() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path()).unwrap();
        let endpoint = Endpoint::new(Kind::Openai, Some("http://a"), "m").unwrap();
        let other = Endpoint::new(Kind::Openai, Some("http://b"), "m2").unwrap();
        let answer = Answer { text: "yes".into(), ..Answer::default() };
        cache.write(&name(&endpoint, "q"), &endpoint, &answer).unwrap();
        assert_eq!(cache.read(&name(&endpoint, "q")), Some(answer));
        assert_eq!([cache.read(&name(&other, "q")), cache.read(&name(&endpoint, "p"))], [None, None]);
        let elsewhere = Endpoint::new(Kind::Openai, Some("http://c"), "m").unwrap();
        assert_eq!(name(&elsewhere, "q"), name(&endpoint, "q"), "the address is no part of the question");
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_can_read_an_answer() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(&folder.path().join("answers")).unwrap();
        let endpoint = Endpoint::new(Kind::Openai, None, "m").unwrap();
        let name = name(&endpoint, "q");
        cache.write(&name, &endpoint, &Answer::default()).unwrap();
        let file = cache.path(&name);
        for path in file.ancestors().take(3) {
            let mode = fs::metadata(path).unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0, "{}: {mode:o}", path.display());
        }
    }

    #[test]
    fn what_is_damaged_is_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path()).unwrap();
        let endpoint = Endpoint::new(Kind::Openai, None, "m").unwrap();
        let name = name(&endpoint, "q");
        cache.write(&name, &endpoint, &Answer::default()).unwrap();
        let path = cache.path(&name);
        let whole = fs::read(&path).unwrap();
        fs::write(&path, &whole[..whole.len() / 2]).unwrap();
        assert_eq!(cache.read(&name), None);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "no draft is left");
    }

    #[test]
    fn drafts_of_runs_that_were_killed_go_and_those_of_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        let old = std::time::SystemTime::now() - ABANDONED * 2;
        fs::create_dir(folder.path().join("ab")).unwrap();
        let draft = |numbers: &str| format!("ab/.ab{}.{numbers}", "0c".repeat(31));
        let foreign = ["ab/.x.1.0", "ab/.ab0c.1.0", "ab/.gitkeep", "ab/z.json", ".x"].map(str::to_owned);
        let other = [draft("1"), draft("1.x"), draft("1.0.swp"), draft("1.0").replace("/.ab", "/.cd"), draft("2.0")];
        let stay: Vec<_> = foreign.into_iter().chain(other).collect();
        for name in stay.iter().chain([&draft("1.0")]) {
            let file = fs::File::create(folder.path().join(name)).unwrap();
            file.set_modified(if *name == draft("2.0") { std::time::SystemTime::now() } else { old }).unwrap();
        }
        fs::create_dir(folder.path().join(draft("3.0"))).unwrap();
        Cache::open(folder.path()).unwrap();
        let left = |name: &String| folder.path().join(name).exists();
        assert!(!left(&draft("1.0")) && stay.iter().all(left) && left(&draft("3.0")));
    }

    #[test]
    fn an_answer_that_is_taken_away_is_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path()).unwrap();
        let endpoint = Endpoint::new(Kind::Openai, None, "m").unwrap();
        let name = name(&endpoint, "q");
        cache.write(&name, &endpoint, &Answer::default()).unwrap();
        cache.remove(&name).unwrap();
        cache.remove(&name).unwrap();
        assert_eq!(cache.read(&name), None);
    }
}
