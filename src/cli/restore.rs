//! `epitome restore`: inputs back from outputs and an undo store.

use super::args::RestoreArgs;
use super::terminal::shown;
use super::{ExitStatus, Terminal};
use crate::batch::{
    Recorded, RestoreError, Restored, Unrecorded, copy_untouched, has_record, is_beside, is_over, is_store,
    other_stores, own_stores, restorable, restore, restore_from, store_near,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Restores every output; one that can't be restored is reported, and the others go on. In place, and with the store
/// beside the files, what the run left as it was, or what was given back before, is no failure; it is copied where the
/// others go elsewhere. A store that knows none of the files is another one's, and what a run in place wrote whose store
/// lies further down is missed.
pub(super) fn run(args: &RestoreArgs, terminal: &Terminal) -> anyhow::Result<ExitStatus> {
    args.undo.as_deref().map_or(Ok(()), ensure_store)?;
    if let Some(missing) = args.outputs.iter().find(|output| !output.exists()) {
        anyhow::bail!("{}: there is no such file or folder", missing.display());
    }
    if args.output.as_deref().is_some_and(|output| output.as_os_str() == "-") {
        anyhow::bail!("-o -: restore writes files; name a file or folder");
    }
    let store = args.undo.clone().map_or_else(|| store_of(&args.outputs), Ok)?;
    let mut restorer = Restorer { store: &store, recorded: BTreeMap::new(), known: false, unknown: false };
    let mut status = ExitStatus::Done;
    let mut failed = |error: &str| {
        status = ExitStatus::SomeFailed;
        terminal.error(&shown(error));
    };
    // A link leads to a file that may have been given back by its own path.
    let mut given_back = BTreeSet::new();
    let mut untouched = Vec::new();
    for found in restorable(&args.outputs, args.output.as_deref())? {
        let place = found.as_ref().ok().and_then(|(_, target)| target.canonicalize().ok());
        if place.is_some_and(|place| !given_back.insert(place)) {
            continue;
        }
        let done = found.and_then(|(output, target)| restorer.file(&output, &target).map_err(|err| err.to_string()));
        match done {
            Ok(Told::Back(message)) => terminal.message(&shown(&message)),
            Ok(Told::Untouched(message)) => untouched.push(message),
            Err(error) => failed(&error),
        }
    }
    terminal.message(&shown(&first_few(&untouched)));
    if restorer.unknown && !restorer.known {
        let store = store.display();
        failed(&format!(
            "{store}: this store has no record of any of these files; name that of the run that wrote them"
        ));
    }
    Ok(status)
}

/// A folder that is no store is an error that names the one that was meant, where it is near.
fn ensure_store(store: &Path) -> anyhow::Result<()> {
    if is_store(store) {
        return Ok(());
    }
    let meant = store_near(store).map_or_else(
        || "name the one of the run that wrote these outputs".to_owned(),
        |near| format!("there is one at {}", near.display()),
    );
    anyhow::bail!("no undo store at {}; {meant}", store.display())
}

/// The store that runs in place left in the folders of the outputs, or above them.
fn store_of(outputs: &[PathBuf]) -> anyhow::Result<PathBuf> {
    // By the real path: two outputs may lead to one store in two spellings.
    let mut stores: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
    for output in outputs {
        let near = own_stores(output).into_iter().next().ok_or_else(|| {
            anyhow::anyhow!(
                "{}: there is no .epitome/undo in its folder or above it; name the store of the run: --undo STORE",
                output.display()
            )
        })?;
        stores.entry(near.canonicalize().unwrap_or_else(|_| near.clone())).or_insert(near);
    }
    let all: Vec<String> = stores.values().map(|store| store.display().to_string()).collect();
    let only = stores.into_values().next().filter(|_| all.len() == 1);
    only.ok_or_else(|| {
        anyhow::anyhow!("these outputs have several undo stores ({}): restore those of each alone", all.join(", "))
    })
}

/// What is said of one file.
enum Told {
    /// It was given back.
    Back(String),
    /// It is no output of the run.
    Untouched(String),
}

/// Of the files that stay as they are, the most that are named: in a folder they may be nearly all.
const FEW: usize = 3;

/// The first messages, and how many more there are.
fn first_few(messages: &[String]) -> String {
    let more = messages.len().saturating_sub(FEW);
    let told = messages.iter().take(FEW).map(String::as_str).collect::<String>();
    if more == 0 { told } else { format!("{told}… and {more} more that stay as they are\n") }
}

struct Restorer<'a> {
    store: &'a Path,
    /// What stores know, read when they are first asked.
    recorded: BTreeMap<PathBuf, Recorded>,
    /// The store knows one of the files.
    known: bool,
    /// It does not know one of them.
    unknown: bool,
}

impl Restorer<'_> {
    /// Restores one output, and says what was done.
    fn file(&mut self, output: &Path, target: &Path) -> Result<Told, RestoreError> {
        match restore(output, self.store, target) {
            Ok(done) => {
                self.known = true;
                Ok(Told::Back(restored_line(&done)))
            }
            Err(error @ RestoreError::Unknown { .. }) => {
                for store in other_stores(output, self.store) {
                    if has_record(&store, output)? {
                        return Err(RestoreError::OtherStore { output: output.to_owned(), store });
                    }
                }
                let beside = || is_over(output, target) || is_beside(self.store, output);
                match self.tell(self.store, output)? {
                    Unrecorded::WentOn(was) => {
                        self.known = true;
                        Ok(Told::Back(restored_line(&restore_from(output, &was, self.store, target)?)))
                    }
                    found if beside() => self.other((output, target), &found, error).map(Told::Untouched),
                    _ => Err(error),
                }
            }
            Err(error) => Err(error),
        }
    }

    /// What a file is of which a store has no record as it is now.
    fn tell(&mut self, store: &Path, output: &Path) -> Result<Unrecorded, RestoreError> {
        if !self.recorded.contains_key(store) {
            self.recorded.insert(store.to_owned(), Recorded::of(store)?);
        }
        self.recorded.get(store).map_or(Ok(Unrecorded::Unknown), |recorded| recorded.tell(output))
    }

    /// What is said of a file that is no output of the run, unless it was one and was changed.
    fn other(
        &mut self,
        (output, target): (&Path, &Path),
        found: &Unrecorded,
        changed: RestoreError,
    ) -> Result<String, RestoreError> {
        if *found == Unrecorded::Unknown {
            self.unknown = true;
            for store in other_stores(output, self.store) {
                match self.tell(&store, output)? {
                    Unrecorded::Unknown | Unrecorded::Input => {}
                    Unrecorded::WentOn(_) => return Err(RestoreError::OtherStore { output: output.to_owned(), store }),
                    Unrecorded::Changed => return Err(RestoreError::Unknown { output: output.to_owned(), store }),
                }
            }
        } else {
            self.known = true;
        }
        if *found != Unrecorded::Changed && !is_over(output, target) {
            copy_untouched(output, target)?;
        }
        match found {
            Unrecorded::Unknown => Ok(format!("{}: no record of it; it stays as it is\n", output.display())),
            Unrecorded::Input => Ok(format!("{}: it is the input already\n", output.display())),
            Unrecorded::Changed | Unrecorded::WentOn(_) => Err(changed),
        }
    }
}

/// What was given back, for people.
fn restored_line(done: &Restored) -> String {
    let since = if done.since == 0 { String::new() } else { format!(", and {} that came since", done.since) };
    format!("{}: {} bytes back{since}\n", done.target.display(), done.after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_files_that_stay_as_they_are_a_few_are_named() {
        let told = |count: usize| first_few(&vec!["a stays\n".to_owned(); count]);
        assert_eq!((told(0), told(3)), (String::new(), "a stays\n".repeat(3)));
        assert_eq!(told(120), "a stays\n".repeat(3) + "… and 117 more that stay as they are\n");
    }
}
