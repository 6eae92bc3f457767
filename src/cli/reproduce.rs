//! The command line as it may be told to others: paths that begin at the root are named by their last part, and
//! credentials are left out.

use crate::secrets;
use crate::transcript::base_name;
use std::ffi::OsString;

/// The command with these words; the program is named as such.
pub(super) fn command(words: impl Iterator<Item = OsString>) -> String {
    let words = words.skip(1).map(|word| quoted(&without_rooted_paths(&secrets::redact(&word.to_string_lossy()).0)));
    std::iter::once("epitome".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// A word without paths from the root: it is one, or a flag with one, or has some among the words of a command or text.
pub(super) fn without_rooted_paths(word: &str) -> String {
    let flag = word.split_once('=').filter(|(flag, _)| flag.starts_with("--") && *flag != "--exec");
    match flag {
        _ if is_rooted(word) => last(word).to_owned(),
        Some((flag, value)) => format!("{flag}={}", last(value)),
        None => word.split(' ').map(piece).collect::<Vec<_>>().join(" "),
    }
}

/// A piece of a command: a path from the root, alone or behind a `=`, is named by its last part.
fn piece(piece: &str) -> String {
    let path = piece.match_indices('=').map(|(at, _)| at + 1).find(|at| is_rooted(&piece[*at..])).unwrap_or(0);
    format!("{}{}", &piece[..path], last(&piece[path..]))
}

fn is_rooted(path: &str) -> bool {
    path.starts_with('/') || path.get(1..3) == Some(":\\")
}

/// The last part of a path from the root; anything else as it is.
fn last(path: &str) -> &str {
    let last = base_name(path.trim_end_matches(['/', '\\']));
    if is_rooted(path) { last } else { path }
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-./=,:@%+".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reproduced(words: &[&str]) -> String {
        command(words.iter().map(|word| OsString::from(*word)))
    }

    #[test]
    fn no_path_from_the_root_is_told() {
        assert_eq!(
            reproduced(&[
                "/opt/bin/epitome",
                "evaluate",
                "/data/logs/",
                "../more",
                "--html=/tmp/x.html",
                "--html",
                "/tmp/a b"
            ]),
            "epitome evaluate logs ../more --html=x.html --html 'a b'"
        );
        assert_eq!(
            reproduced(&["e", "--exec", "mine=python3 /srv/it's.py"]),
            "epitome --exec 'mine=python3 it'\\''s.py'"
        );
        assert_eq!(reproduced(&["e", "--exec=mine=/srv/x /data/y"]), "epitome '--exec=mine=x y'");
        assert_eq!(reproduced(&["e", "--exec", "mine=/srv/x"]), "epitome --exec mine=x");
        let spaced = ["e", "/home/some one/logs", "--html=/home/some one/page.html"];
        assert_eq!(reproduced(&spaced), "epitome logs --html=page.html");
        assert_eq!(reproduced(&["e", r"C:\logs\mine", "https://host/v1", ""]), "epitome mine https://host/v1 ''");
    }

    #[test]
    fn no_credential_is_told() {
        let told = reproduced(&["e", "--base-url", "https://user:opensesame@host/v1"]);
        assert!(!told.contains("opensesame") && told.contains("host/v1"), "{told}");
    }
}
