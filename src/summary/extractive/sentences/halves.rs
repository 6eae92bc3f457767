//! Joins the state before a change with the state after it: “Before: the lamp is out” alone would be misleading.

use super::cues::{Kind, begins_any, lower};
use super::headed::Line;
use super::said::Said;
use crate::summary::text::words;

/// Beginnings of the half of a change that is over, and of the other half.
const BEFORE: [&str; 19] = [
    "before",
    "old",
    "previously",
    "formerly",
    "originally",
    "vorher",
    "bisher",
    "avant",
    "antes",
    "было",
    "раньше",
    "було",
    "раніше",
    "przedtem",
    "trước đây",
    "之前",
    "修改前",
    "変更前",
    "이전",
];
const AFTER: [&str; 22] = [
    "after",
    "afterwards",
    "new",
    "now",
    "nachher",
    "jetzt",
    "neu",
    "après",
    "maintenant",
    "después",
    "ahora",
    "depois",
    "agora",
    "стало",
    "теперь",
    "тепер",
    "teraz",
    "bây giờ",
    "现在",
    "修改后",
    "変更後",
    "이제",
];
/// Such beginnings that need no colon.
const PAST: [&str; 6] = ["previously", "formerly", "originally", "раньше", "раніше", "przedtem"];

/// Maximum length of a label up to its colon, in bytes, and its maximum number of words.
const LABEL: usize = 48;
const FEW: usize = 4;
/// Maximum length of both halves in one line, in bytes.
const BOTH: usize = 220;

/// Whether a line only announces the state before a change: “Before:”.
pub(super) fn heads_before(line: &str) -> bool {
    line.len() <= LABEL && BEFORE.contains(&bare(&lower(line)))
}

/// Number of lines that belong to a label above them: a list, or one paragraph.
pub(super) fn below(lines: &[Line]) -> usize {
    let items = lines.iter().take_while(|(words, indent)| indent.is_some() && !words.is_empty()).count();
    let paragraph = lines.first().is_some_and(|(words, _)| !words.is_empty() && !words.ends_with(':'));
    items.max(usize::from(paragraph))
}

fn bare(label: &str) -> &str {
    let label = label.split(['(', '（']).next().unwrap_or_default();
    label.trim_matches(|char: char| !char.is_alphanumeric())
}

/// How a sentence shows that it describes the state before a change.
#[derive(PartialEq, Eq)]
enum Lead {
    /// By a label alone: “Before: …”
    Alone,
    /// By words that may have another meaning: “Before the fix: …”, “Previously it …”
    Perhaps,
}

fn label(lower: &str) -> Option<&str> {
    let label = &lower[..lower.find([':', '：'])?];
    (label.len() <= LABEL && words(label) <= FEW).then_some(label)
}

fn lead(sentence: &str) -> Option<Lead> {
    let lower = lower(sentence);
    // It has the other half itself.
    let both = |start: &&str| lower.contains(&format!("{start}:"));
    let label = label(&lower).filter(|label| begins_any(label, &BEFORE));
    let lead = match label {
        Some(label) if BEFORE.contains(&bare(label)) => Lead::Alone,
        Some(_) => Lead::Perhaps,
        None if begins_any(&lower, &PAST) => Lead::Perhaps,
        None => return None,
    };
    (!AFTER.iter().any(both)).then_some(lead)
}

/// Whether a sentence describes the state after a change; `labeled`: it needs a label too.
fn is_after(said: &Said, labeled: bool) -> bool {
    let lower = lower(&said.sentence);
    let text = if labeled { label(&lower) } else { Some(&*lower) };
    said.kind != Kind::Empty && text.is_some_and(|text| begins_any(text, &AFTER))
}

/// The sentences of a text, with each state before a change joined to the state after it. Without the latter, a
/// labeled state (“Before: …”) is dropped.
pub(in crate::summary::extractive) fn whole(all: impl Iterator<Item = Said>) -> Vec<Said> {
    let mut out = Vec::new();
    let mut all = all.peekable();
    while let Some(said) = all.next() {
        let Some(lead) = lead(&said.sentence) else {
            out.push(said);
            continue;
        };
        let mut before = vec![said];
        // The rest of the label's paragraph is over as well.
        while let Some(more) = all.next_if(|next| lead == Lead::Alone && next.joined && !is_after(next, false)) {
            before.push(more);
        }
        let labeled = before[0].sentence.contains([':', '：']);
        match all.next_if(|next| is_after(next, labeled && !next.joined)) {
            Some(after) => out.push(both(&before, after)),
            None if lead == Lead::Alone => {}
            None => out.append(&mut before),
        }
    }
    out
}

fn both(before: &[Said], after: Said) -> Said {
    let mut sentence = before.iter().map(|said| said.sentence.as_str()).collect::<Vec<_>>().join(" ");
    if !sentence.ends_with(['.', '!', ';', '。', '！']) {
        sentence.push(';');
    }
    let sentence = format!("{sentence} {}", after.sentence);
    if sentence.len() <= BOTH { Said { sentence, joined: false, ..after } } else { after }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<String> {
        Said::all(0, text).map(|said| said.sentence).collect()
    }

    #[test]
    fn what_was_before_is_told_with_what_is_now() {
        let change =
            "The change:\n\n**Before:** A lamp without oil → `return true`\n\n**After:** It goes on with the next lamp";
        let both = "Before: A lamp without oil → `return true`; After: It goes on with the next lamp";
        assert_eq!(told(change), [both]);
        let said = "Previously, the board read its table twice. Now it reads the table once.";
        assert_eq!(told(said), [said]);
        let long = "of the outer pier and of the quay behind it ".repeat(4);
        let items = format!("- Old: the lamps {long}are lit\n- New: the lamps {long}are out");
        assert_eq!(told(&items).len(), 1);
        assert!(told(&items)[0].starts_with("New:"), "{:?}", told(&items));
    }

    #[test]
    fn what_was_before_never_stands_alone() {
        let none = [""; 0];
        assert_eq!(told("Before: a lamp without oil was lit. The quay counted it, too.\n\n```\nafter\n```"), none);
        assert_eq!(told("**Before:**\n- the lamp without oil was lit\n- the quay counted it, too"), none);
        assert_eq!(told("### Before\n\nThe lamp without oil was lit."), none);
        assert_eq!(told("```\n# Before\n```\n\nThe lamp without oil was lit."), ["The lamp without oil was lit."]);
        let now = "**Before:**\n- the lamp without oil was lit\n\n**After:**\n- the lamp without oil stays out";
        assert_eq!(told(now), ["After: the lamp without oil stays out"]);
    }

    #[test]
    fn other_words_behind_before_are_no_half_of_a_change() {
        for whole in [
            "Before committing: follow the rules of the harbour.",
            "Before: the lamp was lit, after: it is out.",
            "Previously the board read its table twice.",
            "Old lamps were left on the pier.",
            "Was: Die Lampe des Kais brennt die ganze Nacht.",
            "Original: the lamp was lit.",
        ] {
            assert_eq!(told(whole), [whole]);
        }
    }
}
