//! Points of a plan, requirements and offered choices.

/// Prefixes of numbered requirements.
const REQUIREMENTS: [&str; 6] = ["ac", "fr", "nfr", "req", "ur", "us"];

/// Whether it is a point of a plan or an offered choice: “Task 3: …”, “A) …”.
pub(super) fn is_listed(text: &str) -> bool {
    let choice = text.as_bytes().get(1) == Some(&b')');
    let mut parts = text.split([' ', ':', '.']);
    let planned = parts.next().is_some_and(|word| ["task", "step", "option", "phase", "story", "epic"].contains(&word));
    // “Option A costs 40 euros” states something.
    let is_stated = || {
        let mut words = text.split(' ');
        words.next() == Some("option") && words.next().is_some_and(|sign| sign.chars().all(char::is_alphanumeric))
    };
    choice || (planned && !is_stated() && parts.next().is_some_and(|word| word.len() <= 2)) || is_requirement(text)
}

/// Whether it is a requirement: “FR12: …”, “As a keeper, I want …”
fn is_requirement(text: &str) -> bool {
    let named = text.split_once([':', ' ']).map(|(name, _)| name.trim_matches(['-', '*']));
    let number = |name: &str| name.trim_end_matches(|char: char| char.is_ascii_digit() || ".-".contains(char)).len();
    let numbered = named.is_some_and(|name| number(name) < name.len() && REQUIREMENTS.contains(&&name[..number(name)]));
    let tells = ["as a ", "as an ", "as the "].iter().any(|start| text.starts_with(start));
    numbered || tells && text.contains(", i want ")
}
