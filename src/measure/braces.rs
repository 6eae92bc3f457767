//! Lists in braces, which stand for several names: `src/{quay,lamp}.ts`.

use super::pattern;
use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

/// A name with a list in braces: what stands before the list, the list, and what stands behind it.
pub(super) static LIST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"([\w./~@:\\-]*)\{([\w./@*-]+(?:, ?[\w./@*-]+)+)\}((?:[\w./@-]|\{[\w./@*-]+(?:, ?[\w./@*-]+)+\})*)")
});
/// Most items of the lists of one name, and most names that these stand for.
const MOST: usize = 64;
/// Most bytes of a name, times its items.
const LONGEST: usize = 16 * 1024;

/// A text with the names that its lists in braces stand for; borrowed if there are none.
pub(super) fn expanded(text: &str) -> Cow<'_, str> {
    if !text.contains('{') {
        return Cow::Borrowed(text);
    }
    LIST.replace_all(text, |found: &regex::Captures<'_>| {
        let is_path = |piece: &str| piece.contains(['/', '.', '\\']);
        let items = found[0].matches(',').count() + 1;
        let is_short = items <= MOST && items * found[0].len() <= LONGEST;
        let stands = is_short && (is_path(&found[1]) || is_path(&found[3]));
        if stands { names(&found[0]).join(" ") } else { found[0].to_owned() }
    })
}

/// The names that one name stands for.
fn names(name: &str) -> Vec<String> {
    let (mut open, mut all) = (vec![name.to_owned()], Vec::new());
    while let Some(name) = open.pop() {
        match LIST.captures(&name).filter(|_| open.len() + all.len() < MOST) {
            Some(found) => {
                open.extend(found[2].split(',').map(|one| format!("{}{}{}", &found[1], one.trim(), &found[3])));
            }
            None => all.push(name),
        }
    }
    all.sort();
    all
}

#[cfg(test)]
mod tests {
    use super::expanded;

    #[test]
    fn a_list_in_braces_stands_for_several_names() {
        for (text, names) in [
            ("see `src/{quay,lamp}.ts`.", "see `src/lamp.ts src/quay.ts`."),
            ("class-{dia-text, tide}-widget.php", "class-dia-text-widget.php class-tide-widget.php"),
            ("{a,b}/{c,d}.rs", "a/c.rs a/d.rs b/c.rs b/d.rs"),
            ("lamp.{h,c}", "lamp.c lamp.h"),
        ] {
            assert_eq!(expanded(text), names, "{text}");
        }
        for text in ["use {a, b}", "{\"a\": 1, \"b\": 2}", "src/{name}.ts", "fn light() { lamp.on(), horn.off() }"] {
            assert_eq!(expanded(text), text);
        }
        assert!(expanded(&"{a,b}.rs".replace("{a,b}", &"{a,b}".repeat(30))).len() < 20_000);
        let (commas, items) = (",".repeat(40_000), "b,".repeat(40_000));
        for text in [
            format!("src/{}{{{commas}}}", "a".repeat(40_000)),
            format!("src/{}{{{items}b}}", "a".repeat(40_000)),
            format!("src/{}{{b,c}}", "a".repeat(40_000)),
        ] {
            assert!(matches!(expanded(&text), std::borrow::Cow::Borrowed(_)) || expanded(&text) == text);
        }
    }
}
