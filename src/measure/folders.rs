//! Folders that relative paths may be relative to, and the ways in which shells of Windows spell one.

use super::pattern;
use crate::summary::stated_folder;
use crate::transcript::{Message, PartKind};
use regex::{Captures, Regex};
use std::borrow::Cow;
use std::sync::LazyLock;

/// A path of Windows behind its drive, and the sign that it is cut.
static WINDOWS: LazyLock<Regex> = LazyLock::new(|| pattern(r#"\b[A-Za-z]:(?:\\{1,2}[^\\/:*?"<>|\s`'“”…]+){2,}…?"#));

/// The text with `/` in its paths of Windows behind a drive; cut ones stay as they are.
pub fn slashed(text: &str) -> Cow<'_, str> {
    let one = |path: &Captures<'_>| match &path[0] {
        cut if cut.ends_with('…') => cut.to_owned(),
        whole => with_slashes(whole).into_owned(),
    };
    if text.contains(":\\") { WINDOWS.replace_all(text, one) } else { Cow::Borrowed(text) }
}

/// A text with `/` for each backslash, written once or twice.
pub(super) fn with_slashes(text: &str) -> Cow<'_, str> {
    if text.contains('\\') { Cow::Owned(text.replace("\\\\", "/").replace('\\', "/")) } else { Cow::Borrowed(text) }
}

/// The drive of Windows, in lower case, with which a text ends: `see D:`.
pub(super) fn drive_at_end(text: &str) -> Option<char> {
    let rest = text.strip_suffix(':')?;
    let drive = rest.chars().next_back().filter(char::is_ascii_alphabetic)?;
    let inside = |letter: char| letter.is_alphanumeric() || letter == '_';
    (!rest[..rest.len() - 1].ends_with(inside)).then(|| drive.to_ascii_lowercase())
}

/// Returns the folders of the session, those that calls state, and those that commands change to, sorted and each once,
/// with `/` between their parts. If one has a drive (`D:/quay`), each that may have one is also there as the other shell
/// of Windows spells it (see [`respelled`]), and without the drive.
pub(super) fn folders_of<'m>(messages: &[&'m Message<'m>]) -> Vec<Cow<'m, str>> {
    let parts = messages.iter().flat_map(|message| &message.parts);
    let calls = parts.filter(|part| matches!(part.kind, PartKind::Call { .. }));
    let stated = calls.clone().filter_map(|part| stated_folder(&part.text)).map(Cow::Owned);
    let gone_to = calls.flat_map(|part| gone_to(&part.text)).map(Cow::Borrowed);
    let session = messages.iter().filter_map(|message| message.folder.as_deref()).map(Cow::Borrowed);
    let mut folders: Vec<Cow<'_, str>> = session.chain(stated).chain(gone_to).collect();
    for folder in folders.iter_mut().filter(|folder| folder.contains('\\')) {
        *folder = Cow::Owned(folder.replace('\\', "/"));
    }
    // Elsewhere `/d` is a folder like any other.
    if folders.iter().any(|folder| !folder.starts_with('/') && below_drive(folder).is_some()) {
        let other: Vec<_> = folders.iter().filter_map(|folder| respelled(folder)).collect();
        let below: Vec<_> = folders.iter().filter_map(|folder| Some(below_drive(folder)?.1.to_owned())).collect();
        folders.extend(other.into_iter().chain(below).map(Cow::Owned));
    }
    folders.sort_unstable();
    folders.dedup();
    folders
}

/// Returns the path as another shell of Windows spells it: `/d/quay`, as Git Bash does, for `D:/quay`, and `D:/quay` for
/// `/d/quay`; `None` if it has no drive.
pub(super) fn respelled(path: &str) -> Option<String> {
    let (drive, below) = below_drive(path)?;
    let bash = || format!("/{}{below}", drive.to_ascii_lowercase());
    Some(if path.starts_with('/') { format!("{}:{below}", drive.to_ascii_uppercase()) } else { bash() })
}

/// The drive of a path, and what is below it, with its first `/`.
pub(super) fn below_drive(path: &str) -> Option<(char, &str)> {
    let rest = path.strip_prefix('/').unwrap_or(path);
    let drive = rest.chars().next().filter(char::is_ascii_alphabetic)?;
    let behind = &rest[1..];
    let below = if path.starts_with('/') { behind } else { behind.strip_prefix(':')? };
    below.starts_with('/').then_some((drive, below))
}

/// Whether a command in a text changes to a relative folder of a path and names the rest: `cd quay && cat > lamp.md`.
pub(super) fn is_entered(text: &str, path: &str) -> bool {
    let mut ways = path.match_indices('/').map(|(at, _)| (&path[..at], &path[at + 1..]));
    !path.starts_with('/') && ways.any(|(folder, file)| !file.is_empty() && enters(text, &format!("cd {folder}"), file))
}

/// Whether a line of a text has this command with this file behind it, each not as part of a longer one.
fn enters(text: &str, command: &str, file: &str) -> bool {
    let inside = |char: char| char.is_alphanumeric() || "_-./".contains(char);
    let goes_on = |text: &str| text.strip_prefix('/').unwrap_or(text).starts_with(inside);
    let names = |line: &str| {
        let mut all = line.match_indices(file).map(|(at, _)| (&line[..at], &line[at + file.len()..]));
        all.any(|(before, behind)| !before.ends_with(inside) && !goes_on(behind.trim_start_matches('.')))
    };
    let mut rest = text;
    while let Some(at) = memchr::memmem::find(rest.as_bytes(), command.as_bytes()) {
        let (before, behind) = (&rest[..at], &rest[at + command.len()..]);
        rest = behind;
        if before.ends_with(inside) || goes_on(behind) {
            continue;
        }
        let line = behind.lines().next().unwrap_or_default();
        if names(line) {
            return true;
        }
        rest = &behind[line.len()..];
    }
    false
}

/// The absolute folders that a command changes to.
fn gone_to(call: &str) -> impl Iterator<Item = &str> {
    let ends = |char: char| char.is_whitespace() || matches!(char, '"' | '\'' | '\\' | ';' | '&' | '|' | ')');
    let behind = memchr::memmem::find_iter(call.as_bytes(), "cd ").filter_map(|at| call.get(at + 3..));
    let whole = behind
        .map(|folder| folder.trim_start_matches(['\\', '"', '\'']))
        .filter(|folder| folder.starts_with('/') || below_drive(folder).is_some());
    whole.filter_map(move |folder| folder.split(ends).next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_in_quotes_is_gone_to() {
        let folders: Vec<&str> =
            gone_to(r#"{"command":"cd \"/c/harbour\" && ls; cd '/srv/tides'; cd docs; cd D:/quay && ls"}"#).collect();
        assert_eq!(folders, ["/c/harbour", "/srv/tides", "D:/quay"]);
    }

    #[test]
    fn a_relative_folder_is_entered_by_the_command_that_names_the_file() {
        for text in [
            "cd quay && cat > lamp.md",
            "ls; cd quay/; cat lamp.md.",
            r#"{"command":"cd quay\nhead 'lamp.md'"}"#,
            "cd quay/pier && cat lamp.md\ncd quay && cat lamp.md",
            "cd quay && ls\ncd quay && ls && cat lamp.md",
        ] {
            assert!(is_entered(text, "quay/lamp.md"), "{text}");
        }
        for text in [
            "cd quay/pier && cat lamp.md",
            "cd quays && cat lamp.md",
            "cd quay && ls\ncat lamp.md",
            "cat lamp.md && cd quay",
            "cd quay && cat pier/lamp.md lamp.md.bak ../lamp.md",
            "cd quay",
        ] {
            assert!(!is_entered(text, "quay/lamp.md"), "{text}");
        }
        assert!(is_entered("cd quay && cat pier/lamp.md", "quay/pier/lamp.md"));
        assert!(!is_entered("cd quay", "quay/") && !is_entered("cd /quay && cat lamp.md", "/quay/lamp.md"));
    }

    #[test]
    fn a_folder_of_one_letter_is_a_drive_on_windows_only() {
        let folders = |all: [&str; 2]| {
            let mut transcript = crate::transcript::sketch::sketch("ua");
            for (message, folder) in transcript.messages.iter_mut().zip(all) {
                message.folder = Some(folder.to_owned().into());
            }
            folders_of(&transcript.messages.iter().collect::<Vec<_>>()).join(" ")
        };
        assert_eq!(folders(["/w/pier", "/w/quay"]), "/w/pier /w/quay");
        assert_eq!(folders(["/d/pier", r"D:\quay"]), "/d/pier /d/quay /pier /quay D:/pier D:/quay");
    }

    #[test]
    fn a_path_with_a_drive_is_spelled_in_two_ways() {
        assert_eq!(respelled("D:/quay/a.md").as_deref(), Some("/d/quay/a.md"));
        assert_eq!(respelled("/d/quay/a.md").as_deref(), Some("D:/quay/a.md"));
        for path in ["/quay/a.md", "d/quay", "https://quay", "/é/quay", "D:", ""] {
            assert_eq!(respelled(path), None, "{path}");
        }
    }
}
