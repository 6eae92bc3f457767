//! The command line as it may be told to others: paths that begin at the root are named by their last part.

/// The command with these words; the program is named as such.
pub(super) fn command(words: impl Iterator<Item = String>) -> String {
    let words = words.skip(1).map(|word| quoted(&word.split(' ').map(relative).collect::<Vec<_>>().join(" ")));
    std::iter::once("epitome".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// A word in which a path from the root, alone or behind `=`, is named by its last part.
fn relative(word: &str) -> String {
    let (before, path) = match word.split_once('=') {
        Some((before, path)) if !word.starts_with('/') => (format!("{before}="), path),
        _ => (String::new(), word),
    };
    let is_rooted = path.starts_with('/') || path.get(1..3) == Some(":\\");
    let last = path.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or(path);
    before + if is_rooted { last } else { path }
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

    fn told(words: &[&str]) -> String {
        command(words.iter().map(|word| (*word).to_owned()))
    }

    #[test]
    fn no_path_from_the_root_is_told() {
        assert_eq!(
            told(&[
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
        assert_eq!(told(&["e", "--exec", "mine=python3 /srv/it's.py"]), "epitome --exec 'mine=python3 it'\\''s.py'");
        assert_eq!(told(&["e", r"C:\logs\mine", "https://host/v1", ""]), "epitome mine https://host/v1 ''");
    }
}
