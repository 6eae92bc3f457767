//! What a specification says of one function: “status must be OPEN” below `close_gate(id)`. Without that name it is no
//! rule that anybody could follow.

use crate::summary::extractive::sentences::prose::{heading, typed};
use crate::summary::fence::Fence;
use crate::summary::text::words;
use foldhash::HashMap;

/// Minimum number of functions of a specification.
const LEAST: usize = 3;
/// Maximum number of words behind the arguments of a function: “→ id”, “payable”.
const FEW: usize = 4;
/// Maximum length of the name of a function.
const NAME: usize = 40;

/// The sentences that stand below functions, each with the names of its functions in their order.
pub(super) fn details(text: &str) -> HashMap<String, Vec<String>> {
    let (mut fence, mut sections) = (Fence::default(), Vec::<(&str, String)>::new());
    let mut open = false;
    for line in text.lines() {
        if fence.holds(line) {
            continue;
        }
        let bare = line.trim();
        let titled = heading(bare);
        if let Some(name) = signature(titled.unwrap_or(bare)) {
            sections.push((name, String::new()));
            open = true;
        } else if titled.is_some() || bare.starts_with("---") {
            open = false;
        } else if let Some((_, below)) = sections.last_mut().filter(|_| open) {
            below.extend([line, "\n"]);
        }
    }
    if sections.len() < LEAST {
        return HashMap::default();
    }
    let mut all: HashMap<String, Vec<String>> = HashMap::default();
    for (name, below) in &sections {
        typed(below).into_iter().for_each(|sentence| all.entry(sentence).or_default().push((*name).to_owned()));
    }
    all
}

/// The name of a function in a line that has nothing but its signature: “close_gate(id) → time”.
fn signature(line: &str) -> Option<&str> {
    let line = line.trim_matches(['`', '*', ' ', ':']);
    let line = ["function ", "fn ", "def "].iter().find_map(|word| line.strip_prefix(word)).unwrap_or(line);
    let (name, rest) = line.split_once('(')?;
    let (_, behind) = rest.split_once(')')?;
    let is_name = |char: char| char.is_alphanumeric() || "_.:$".contains(char);
    let named = name.len() <= NAME && name.starts_with(char::is_alphabetic) && name.chars().all(is_name);
    let ends = words(behind) <= FEW && !behind.ends_with(['.', '!', '?', ';', '。']);
    (named && ends).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_below_a_function_is_told_of_it() {
        let text = "# Harbour\n\nopen_gate(id) → time\nValidations:\n  id must be known\n\nclose_gate(id)\n  id must be known\n\n### `count_ferries()`\nNo lamps here.\n\n## Rules\nNever sink a ferry.\n";
        let all = details(text);
        let of = |sentence: &str| all.get(sentence).map(|names| names.join(" "));
        assert_eq!(of("id must be known").as_deref(), Some("open_gate close_gate"));
        assert_eq!(of("No lamps here.").as_deref(), Some("count_ferries"));
        assert_eq!(of("Never sink a ferry."), None);
    }

    #[test]
    fn one_function_makes_no_specification() {
        assert!(details("light(lamp)\nThe lamp must be red.\n").is_empty());
        for line in ["Mend the lamp (the red one) of the pier", "light(lamp) must never fail, says he", "light(lamp)."]
        {
            assert_eq!(signature(line), None, "{line}");
        }
    }
}
