//! Modified-file recall: whether every file that was written before the cut is still named.

use super::Share;
use super::braces::expanded;
use super::dense::joins;
use super::folders::{respelled, with_slashes};
use crate::summary::{Deed, DeedKind, FileOp, ends_any};
use crate::transcript::base_name;
use aho_corasick::AhoCorasick;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Maximum number of paths with one base name that are compared with each other.
const ALIKE: usize = 100;

/// Returns the paths that calls wrote successfully, as the calls spell them, each once and in order. For a moved file,
/// this is its new path.
pub fn modified(all: &[Deed]) -> Vec<String> {
    let written = || all.iter().filter(|deed| deed.failed == Some(false)).filter_map(|deed| Some((deed, wrote(deed)?)));
    let mut moved = HashSet::new();
    for ((deed, path), next) in written().zip(written().skip(1).map(Some).chain([None])) {
        let goes = deed.op == Some(FileOp::Moved);
        match next.filter(|(next, _)| goes && next.op == Some(FileOp::Arrived) && next.message == deed.message) {
            Some(_) => moved.insert(path),
            None => moved.remove(path),
        };
    }
    let mut seen = HashSet::new();
    let paths = written().map(|(_, path)| path).filter(|path| !moved.contains(path) && seen.insert(*path));
    paths.map(str::to_owned).collect()
}

/// Returns the index of the last message that wrote each path, among those that the deeds are of.
pub fn writers(all: &[Deed]) -> HashMap<String, usize> {
    let written = all.iter().filter(|deed| deed.failed == Some(false));
    written.filter_map(|deed| Some((wrote(deed)?.to_owned(), deed.message))).collect()
}

fn wrote(deed: &Deed) -> Option<&str> {
    if let DeedKind::Wrote(path) = &deed.kind { Some(path) } else { None }
}

/// Returns the paths that no text names.
///
/// A path counts as named in full, or by a suffix of at least two components. Its base name suffices if no other of the
/// paths has the same one, or if the text states the folder to which its paths are relative. A relative path is the one
/// among the others that ends with it. `\` equals `/`, and `/d/` equals `D:/`.
pub fn missing<'p>(modified: &'p [String], texts: &[&str]) -> Vec<&'p str> {
    let texts: Vec<Cow<'_, str>> = texts.iter().map(|text| with_slashes(text)).collect();
    let paths: Vec<Cow<'_, str>> = modified.iter().map(|path| with_slashes(path)).collect();
    let mut all: HashMap<&str, Vec<&str>> = HashMap::new();
    paths.iter().for_each(|path| all.entry(base_name(path)).or_default().push(path));
    let paths: Vec<&str> = paths.iter().map(|path| whole(path, &all[base_name(path)])).collect();
    let mut of_name: HashMap<&str, HashSet<&str>> = HashMap::new();
    paths.iter().for_each(|path| _ = of_name.entry(base_name(path)).or_default().insert(path));
    let is_lost = |path: &str, standing: &Standing<'_>| {
        let is_clear = of_name.get(base_name(path)).is_some_and(|named| named.len() == 1);
        let below = |folder: &str| path.trim_start_matches("./").strip_prefix(folder) == Some(base_name(path));
        let others = respelled(path).into_iter().chain(with_other_case(path)).collect::<Vec<_>>();
        let is_named = |(before, root): (&str, Option<&str>)| {
            names(before, path, is_clear || root.is_some_and(below))
                || others.iter().any(|other| names(before, other, false))
        };
        !standing.places(base_name(path)).any(is_named)
    };
    let mut lost: Vec<usize> = (0..paths.len()).collect();
    let mut drop_named = |texts: &[Cow<'_, str>]| {
        let standing = Standing::of(lost.iter().map(|at| base_name(paths[*at])), texts);
        lost.retain(|at| is_lost(paths[*at], &standing));
        lost.is_empty()
    };
    if !drop_named(&texts) {
        drop_named(&texts.iter().filter_map(|text| Some(Cow::Owned(owned(expanded(text))?))).collect::<Vec<_>>());
    }
    lost.into_iter().map(|at| modified[at].as_str()).collect()
}

/// The only path among others of its base name that ends with a relative path, or else that path itself.
fn whole<'p>(path: &'p str, others: &[&'p str]) -> &'p str {
    let relative = path.trim_start_matches("./");
    if relative.starts_with('/') || relative.contains(':') || others.len() > ALIKE {
        return path;
    }
    let is_below = |rest: &str| rest.ends_with('/') && rest != "./";
    let mut longer = others.iter().filter(|other| other.strip_suffix(relative).is_some_and(is_below));
    match (longer.next(), longer.next()) {
        (Some(only), None) => only,
        _ => path,
    }
}

/// A path of Windows with its drive in the other case; `None` if it has no drive.
fn with_other_case(path: &str) -> Option<String> {
    let (drive, rest) = path.split_once(':').filter(|(drive, rest)| drive.len() == 1 && rest.starts_with('/'))?;
    let drive = drive.chars().next().filter(char::is_ascii_alphabetic)?;
    let other = if drive.is_ascii_lowercase() { drive.to_ascii_uppercase() } else { drive.to_ascii_lowercase() };
    Some(format!("{other}:{rest}"))
}

/// The share of the paths that the texts name.
pub fn recall(modified: &[String], texts: &[&str]) -> Share {
    Share { kept: modified.len() - missing(modified, texts).len(), of: modified.len() }
}

/// A text that differs from the one it was made from.
fn owned(text: Cow<'_, str>) -> Option<String> {
    if let Cow::Owned(text) = text { Some(text) } else { None }
}

/// Where base names stand in texts. Each text is read once, however many names there are.
struct Standing<'t> {
    texts: &'t [Cow<'t, str>],
    /// The folder to which each text says that its paths are relative.
    roots: Vec<Option<String>>,
    /// The ends of each name, each with its text.
    ends: HashMap<&'t str, Vec<(usize, usize)>>,
}

impl<'t> Standing<'t> {
    fn of(names: impl Iterator<Item = &'t str>, texts: &'t [Cow<'t, str>]) -> Self {
        let names: Vec<&str> = names.collect::<BTreeSet<_>>().into_iter().filter(|name| !name.is_empty()).collect();
        let roots = texts.iter().map(|text| crate::summary::relative_to(text)).collect();
        let mut ends: HashMap<&str, Vec<(usize, usize)>> = HashMap::new();
        // Too many names for one search would be searched for one by one; no session has as many.
        let search = AhoCorasick::new(&names).ok().filter(|_| !names.is_empty());
        for (at, text) in texts.iter().enumerate() {
            let found = search.iter().flat_map(|search| search.find_overlapping_iter(&**text));
            for one in found.filter(|one| ends_there(text, one.start(), one.end())) {
                ends.entry(names[one.pattern().as_usize()]).or_default().push((at, one.end()));
            }
        }
        Self { texts, roots, ends }
    }

    /// The texts up to the end of each place of a name, with the folder to which their paths are relative.
    fn places(&self, name: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
        let ends = self.ends.get(name).into_iter().flatten();
        ends.map(|&(at, end)| (&self.texts[at][..end], self.roots[at].as_deref()))
    }
}

/// Whether a letter belongs to the name beside it.
fn is_inside(letter: char) -> bool {
    joins(letter) || matches!(letter, '_' | '-')
}

/// Whether a base name is no part of a longer one at this place of a text.
fn ends_there(text: &str, start: usize, end: usize) -> bool {
    let after = &text[end..];
    let longer = after.starts_with(is_inside)
        || after.strip_prefix('.').is_some_and(|rest| rest.starts_with(|letter: char| letter.is_alphanumeric()));
    !longer && !text[..start].ends_with(|letter| is_inside(letter) || letter == '.')
}

/// Whether a text up to the end of a base name names a path there, or a long enough suffix of it; the base name counts
/// if `is_clear`.
fn names(text: &str, path: &str, is_clear: bool) -> bool {
    let path = path.trim_start_matches("./");
    if stands(text, path, true) {
        return true;
    }
    let ends: Vec<usize> = path.match_indices('/').map(|(at, _)| at + 1).collect();
    let Some((last, longer)) = ends.split_last() else { return false };
    longer.iter().any(|&at| stands(text, &path[at..], false)) || (is_clear && stands(text, &path[*last..], false))
}

/// Whether a text ends with a name by itself: not part of a longer name, and not in another folder.
fn stands(text: &str, name: &str, whole: bool) -> bool {
    text.strip_suffix(name).is_some_and(|before| {
        let relative = ends_any(before, &["./", "…/"]) || name.contains('/') && before.ends_with("~/");
        let alone = !before.ends_with(|letter| is_inside(letter) || matches!(letter, '.' | '/'));
        let below = whole && before.ends_with('/');
        alone || relative || below
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing_of(paths: &[&str], text: &str) -> Vec<String> {
        let paths: Vec<String> = paths.iter().map(ToString::to_string).collect();
        missing(&paths, &[text]).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn a_path_is_named_in_full_or_by_its_end() {
        let path = "/home/me/work/src/lib.rs";
        for text in [
            "see /home/me/work/src/lib.rs.",
            "`src/lib.rs` — edited",
            "./src/lib.rs",
            "…/src/lib.rs",
            "lib.rs",
            "~/work/src/lib.rs",
            "已修改src/lib.rs文件",
        ] {
            assert_eq!(missing_of(&[path], text), Vec::<String>::new(), "{text}");
        }
        assert_eq!(missing_of(&["src/lib.rs"], "/home/me/work/src/lib.rs"), Vec::<String>::new());
    }

    #[test]
    fn a_list_in_braces_names_each_file() {
        let both = ["/w/quay/class-lamp-widget.php", "/w/quay/class-horn-widget.php"];
        assert_eq!(missing_of(&both, "wrote `quay/class-{lamp,horn}-widget.php`"), Vec::<String>::new());
        assert_eq!(missing_of(&both, "wrote `quay/class-{lamp,bell}-widget.php`"), [both[1]]);
    }

    #[test]
    fn separators_of_windows_are_separators() {
        let both = [r"D:\site\docs\a.md", "docs/a.md"];
        assert_eq!(missing_of(&both, "`docs/a.md` — edited"), Vec::<String>::new());
        assert_eq!(missing_of(&both, r"D:\site\docs\a.md"), Vec::<String>::new());
        assert_eq!(missing_of(&both, r"d:\site\docs\a.md"), Vec::<String>::new());
        let both = [r"D:\site\a.md", r"D:\quay\a.md"];
        assert_eq!(missing_of(&both, "`/d/site/a.md` — edited"), [both[1]]);
    }

    #[test]
    fn a_file_of_another_folder_is_another_file() {
        for text in ["tests/src/lib.rs", "src/lib.rs.bak", "mylib.rs", "src/tests/lib.rs", "~/tests/lib.rs", ""] {
            assert_eq!(missing_of(&["/a/b/src/lib.rs"], text), ["/a/b/src/lib.rs"], "{text}");
        }
    }

    #[test]
    fn a_base_name_is_enough_only_where_it_is_clear() {
        let two = ["/w/a/mod.rs", "/w/b/mod.rs"];
        assert_eq!(missing_of(&two, "mod.rs"), two);
        assert_eq!(missing_of(&two, "Paths are shown without `/w/a/`\nmod.rs"), ["/w/b/mod.rs"]);
        assert_eq!(missing_of(&two, "a/mod.rs and b/mod.rs"), Vec::<String>::new());
        let same = ["/w/quay/a/mod.rs", "quay/a/mod.rs", "./quay/a/mod.rs"];
        assert_eq!(missing_of(&same, "Paths are shown without `/w/quay/`\n`a/mod.rs` — edited"), Vec::<String>::new());
        assert_eq!(missing_of(&same, "mod.rs"), Vec::<String>::new());
        assert_eq!(missing_of(&["/w/a/mod.rs", "/v/a/mod.rs", "a/mod.rs"], "mod.rs").len(), 3, "which one is unclear");
    }

    #[test]
    fn of_a_hundred_thousand_names_each_is_counted_once() {
        let paths: Vec<String> = (0..100_000).map(|at| format!("{}/{at}.rs", "a/".repeat(9))).collect();
        assert_eq!(missing(&paths, &[]).len(), paths.len());
    }
}
