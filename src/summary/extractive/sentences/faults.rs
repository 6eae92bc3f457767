//! Lists in which a user shows what is wrong, missing or was rejected: “No tests of the quay” below “Known issues:” is a
//! finding, and “Always light it” below “Rejected ideas:” the opposite of a rule. They are told with their label.

use super::aimed::{UNTRUE, names};
use super::cues::lower;
use super::headed::Line;
use super::sieve::AnyOf;
use super::splitting::{Hand, split};
use crate::summary::extractive::words;
use crate::summary::text::{each_word, ends_any, words};

static FAULTS: AnyOf = AnyOf::new(words::FAULTS);
static TRIED: AnyOf = AnyOf::new(words::TRIED);

/// Maximum number of words of such a label, and its maximum length in bytes.
const FEW: usize = 6;
const LABEL: usize = 60;
/// Maximum length of a line with the items of a list, in characters.
const MOST: usize = 280;
/// Words of a label that has the work done, or states a condition or rule.
const ORDERS: [&str; 24] = [
    "address", "avoid", "check", "correct", "do", "ensure", "fix", "for", "handle", "if", "mend", "must", "never",
    "please", "repair", "resolve", "rule", "rules", "should", "solve", "to", "when", "you", "your",
];
/// First words of an item that says what to do.
const ACTS: [&str; 27] = [
    "add",
    "allow",
    "always",
    "avoid",
    "change",
    "check",
    "do",
    "don't",
    "ensure",
    "fix",
    "implement",
    "keep",
    "let's",
    "make",
    "mend",
    "move",
    "never",
    "please",
    "remove",
    "rename",
    "replace",
    "show",
    "stop",
    "update",
    "use",
    "we",
    "you",
];
/// Words of a label of what is only stated, and words of what should be.
static KNOWN: AnyOf = AnyOf::new(&[
    "bad",
    "current",
    "existing",
    "findings",
    "gaps",
    "good",
    "missing",
    "wrong",
    "known",
    "limitations",
    "observations",
    "shortcomings",
    "strengths",
    "symptoms",
    "weaknesses",
    "bekannte",
    "connus",
    "conocidos",
    "conhecidos",
    "известные",
    "已知问题",
]);
const DUTIES: [&str; 6] = ["must", "need", "needs", "should", "want", "wants"];
/// Endings of a verb behind “never” or “always” that tells what happens: “Never closes the file”.
const TOLD: [&str; 3] = ["s", "ed", "ing"];

/// What a label says of its items.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Head {
    /// They are wrong or missing, unless one begins with what to do.
    Known,
    /// The same, unless one says what should be.
    Faults,
    /// They do not hold, whatever their words.
    Untrue,
}

/// Whether a label heads such a list.
pub(super) fn heads_faults(label: &str) -> bool {
    head(label).is_some()
}

fn head(label: &str) -> Option<Head> {
    let bare = label.trim().trim_end_matches([':', '：']).trim_matches(['*', '#', ' ']);
    if bare.len() > LABEL || words(bare) > FEW {
        return None;
    }
    let lower = lower(bare);
    let says = |list: &AnyOf| list.any(&lower, names);
    if each_word(&lower).any(|word| ORDERS.contains(&word)) {
        None
    } else if says(&UNTRUE) || says(&TRIED) {
        Some(Head::Untrue)
    } else {
        let known = says(&KNOWN);
        says(&FAULTS).then_some(if known { Head::Known } else { Head::Faults })
    }
}

/// How many of the lines behind a label are items of such a list.
pub(super) fn items_of_faults(heading: &str, below: &[Line]) -> usize {
    let Some(head) = Some(heading).filter(|line| line.ends_with([':', '：'])).and_then(head) else { return 0 };
    let items = below.iter().take_while(|(item, indent)| indent.is_some() && !item.is_empty());
    let tells = |(item, _): &Line| head.holds(item);
    if items.clone().all(tells) { items.count() } else { 0 }
}

impl Head {
    /// Whether an item states what the label says, and not what to do.
    fn holds(self, item: &str) -> bool {
        let lower = lower(item);
        let duty = || self == Self::Faults && each_word(&lower).any(|word| DUTIES.contains(&word));
        self == Self::Untrue || !acts(&lower) && !duty()
    }
}

/// Whether a lower-case item says what to do by its first word.
fn acts(lower: &str) -> bool {
    // “Don't-care values” orders nothing.
    let mut all = lower.split_whitespace().map(|word| word.trim_matches(|char: char| !char.is_alphanumeric()));
    let first = all.next().unwrap_or_default();
    let mut tells = || all.next().is_some_and(|verb| ends_any(verb, &TOLD) && !verb.ends_with("ss"));
    ACTS.contains(&first) && !(["never", "always"].contains(&first) && tells())
}

/// The items behind their label, several short ones in a line; of a long one each sentence by itself.
pub(super) fn told_faults(heading: &str, items: &[Line]) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for (item, _) in items {
        let item = item.trim_end_matches(['.', ';', '。']);
        let count = item.chars().count();
        match told.last_mut().filter(|last| last.chars().count() + count + 2 <= MOST) {
            Some(last) => *last += &format!("; {item}"),
            None if count <= MOST => told.push(format!("{heading} {item}")),
            None => split(item, Hand::Quick, |sentence| {
                told.extend(Some(format!("{heading} {sentence}")).filter(|_| words(sentence) > 0));
            }),
        }
    }
    told
}

/// Whether a sentence of the user is a list behind such a label.
pub(in crate::summary::extractive) fn is_of_faults(sentence: &str) -> bool {
    let Some((label, said)) = sentence.split_once([':', '：']) else { return false };
    !said.trim().is_empty() && head(label).is_some_and(|head| said.split("; ").all(|item| head.holds(item.trim())))
}

#[cfg(test)]
mod tests {
    use super::super::prose::typed;
    use super::super::rules::instruction_strength;

    #[test]
    fn what_is_wrong_or_was_rejected_is_told_with_its_label_and_is_no_rule() {
        for (label, items) in [
            ("Known issues:", ["No tests of the quay", "The lamp must be lit by hand"]),
            ("## 2. Test gaps", ["Empty quay never tested.", "No tests of the tide."]),
            ("Rejected ideas:", ["Always light the lamp", "Never close the quay"]),
            ("What I tried:", ["Only using the old lamp", "Never closing the quay"]),
            ("### What is good", ["No global lamps.", "Only the names have to change"]),
            ("Bugs:", ["The lamp never blinks", "No sound at night"]),
            ("Bekannte Probleme:", ["Keine Lampe am Kai", "Das Licht muss von Hand an"]),
        ] {
            let told = typed(&format!("Look at the pier.\n\n{label}\n\n- {}\n- {}\n", items[0], items[1]));
            let bare = label.trim_start_matches(['#', ' ', '2', '.']).trim_end_matches(':');
            let [one, two] = items.map(|item| item.trim_end_matches('.'));
            assert_eq!(told, ["Look at the pier.".to_owned(), format!("{bare}: {one}; {two}")], "{label}");
            assert_eq!(instruction_strength(&told[1]), None, "{label}");
        }
    }

    #[test]
    fn what_to_do_about_it_is_a_rule() {
        for text in [
            "Issues:\n- The lamp should be red\n- Never paint the quay",
            "Known issues:\n- Never paint the quay",
            "Fix these problems:\n- The quay must never be painted",
            "Rules about bugs:\n- Never paint the quay",
        ] {
            assert!(typed(text).iter().any(|told| instruction_strength(told).is_some()), "{text}");
        }
    }
}
