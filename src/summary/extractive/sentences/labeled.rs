//! Tells an item that says nothing alone with the item or label above it: “Ferry A: leaves at 10:20”.

use super::compared::lacks_subject;
use super::cues::{Kind, begins_done, is_field, kind, lower};
use super::headed::is_name;
use super::offered::is_option;
use super::prose::{Block, plain};
use super::splitting::Hand;
use crate::summary::extractive::words::ANSWERS;
use crate::summary::text::{SENTENCE_ENDS, behind, each_word, has_digit, is_number, words};

/// Maximum number of words of an item that needs the item above it, of that item, and of a label above a list.
pub(super) const FEW: usize = 6;
pub(super) const FEW_ABOVE: usize = 8;
const LABEL: usize = 3;
/// Maximum length in bytes of a name that heads a list or section, and the maximum number of blocks below it that may
/// refer to it.
const SUBJECT: usize = 60;
const NEAR: usize = 40;
/// Number of blocks between which an item and its label may stand.
pub(super) const FAR: usize = 200;
/// Verbs by which what is behind a label is a sentence.
const VERBS: [&str; 14] =
    ["are", "can", "cannot", "does", "fails", "has", "have", "is", "must", "needs", "was", "were", "will", "works"];
/// Labels of lists of what is not done.
const OPEN: [&str; 24] = [
    "left to do",
    "next",
    "next step",
    "next steps",
    "not done",
    "not yet done",
    "open items",
    "outstanding",
    "pending",
    "remaining",
    "remaining steps",
    "remaining tasks",
    "remaining work",
    "still open",
    "still to do",
    "to do",
    "todo",
    "nächste schritte",
    "noch offen",
    "offen",
    "下一步",
    "剩余",
    "待办",
    "未完成",
];
/// Labels of lists of what is no longer there.
const DROPPED: [&str; 15] = [
    "deleted",
    "dropped",
    "excluded",
    "no longer needed",
    "not included",
    "out of scope",
    "rejected",
    "removed",
    "entfernt",
    "gelöscht",
    "supprimé",
    "eliminado",
    "удалено",
    "已删除",
    "已移除",
];

/// The words of the last block; an item that says nothing alone is joined with the items and the label above it.
pub(super) fn below_its_item(blocks: &[Block<'_>], hand: Hand) -> String {
    let Some((last, before)) = blocks.split_last() else { return String::new() };
    let is_part = hand == Hand::Careful && last.words.starts_with(char::is_lowercase) && last.mark.is_none();
    let nested = last.indent > Some(0) && words(&last.words) <= FEW;
    // A finished step says enough alone, unless it is said of a file; an open one does not.
    let tells = |above: &Block<'_>| {
        let done = begins_done(&lower(&last.words));
        let heads = heads_open(name(above)) || !done && heads_dropped(name(above));
        nested || is_part && (!done || is_name(&above.words)) || hand == Hand::Careful && heads
    };
    let joins = last.indent.is_some() && !last.words.ends_with([':', '：']);
    let parent = if joins { parent(blocks, hand).filter(|at| tells(&blocks[*at])) } else { None };
    let joined = parent.map(|at| (at, format!("{}: {}", labels(&blocks[..=at], hand), last.words)));
    // “I'll fix these:” is no label: what says nothing with it says something alone.
    let is_label = |(at, joined): &(usize, String)| {
        blocks[*at].indent.is_some()
            || heads_open(name(&blocks[*at]))
            || heads_dropped(name(&blocks[*at]))
            || kind(joined) != Kind::Empty
            || kind(&last.words) == Kind::Empty
    };
    match joined.filter(is_label) {
        Some((_, joined)) => joined,
        None => match subject(last, before).filter(|_| hand == Hand::Careful) {
            Some(subject) => format!("{subject}: {}", last.words),
            None => last.words.clone(),
        },
    }
}

/// The label of the last block, behind those above it if there is room.
fn labels(blocks: &[Block<'_>], hand: Hand) -> String {
    let Some((last, _)) = blocks.split_last() else { return String::new() };
    let own = short_name(last).trim_matches(['*', ' ']).trim_end_matches([':', '：', '.', ' ']);
    let above = last.indent.filter(|own| *own > 0 && hand == Hand::Careful).and_then(|_| parent(blocks, hand));
    let all = above.map(|at| format!("{}: {own}", labels(&blocks[..=at], hand)));
    all.filter(|all| all.len() <= SUBJECT).unwrap_or_else(|| own.to_owned())
}

/// The item above the last block that has less indent, or the label above its list, if that has few words.
fn parent(blocks: &[Block<'_>], hand: Hand) -> Option<usize> {
    let (last, before) = blocks.split_last()?;
    let items = before.iter().enumerate().rev().take(FAR).map_while(|(at, block)| Some((at, block.indent?)));
    let item = items.filter(|(_, indent)| Some(*indent) < last.indent).map(|(at, _)| at).next();
    let says = |at: &usize| {
        let above = short_name(&blocks[*at]);
        words(above) <= FEW_ABOVE && above.contains(char::is_alphanumeric)
    };
    item.or_else(|| label(before).filter(|_| hand == Hand::Careful)).filter(says)
}

/// The label right above a list: “Ferry A”, “Ferry B:”.
fn label(before: &[Block<'_>]) -> Option<usize> {
    let near = before.len().saturating_sub(FAR);
    let at = near + before[near..].iter().rposition(|block| block.indent.is_none())?;
    let above = name(&before[at]);
    if !before[at].heading.is_empty() {
        return (heads_open(above) || heads_dropped(above)).then_some(at);
    }
    let is_one = if above.ends_with([':', '：']) { words(above) <= LABEL } else { names_one(above) };
    is_one.then_some(at)
}

/// Whether a line names one of several things: “Ferry A”, “Pier 7”, “`lamp.rs`”, “Next ferry (south)”.
fn names_one(line: &str) -> bool {
    let is_number = |word: &str| word.len() == 1 && word.starts_with(|char: char| char.is_ascii_uppercase());
    let tells = has_digit(line) || is_name(line) || each_word(line).skip(1).any(is_number);
    tells && words(line) <= FEW_ABOVE && !line.contains([',', ';']) && !line.ends_with(SENTENCE_ENDS)
}

/// The words of a block, or its heading.
fn name<'b>(block: &'b Block<'_>) -> &'b str {
    if block.words.is_empty() { block.heading } else { &block.words }
}

/// The name of a block; of a longer line, the number of the ticket that it begins with: “#7 Light all lamps of …”.
fn short_name<'b>(block: &'b Block<'_>) -> &'b str {
    let all = name(block);
    let first = all.split(' ').next().unwrap_or_default().trim_end_matches([':', ',', '.']);
    let is_ticket = first.strip_prefix('#').is_some_and(is_number);
    if is_ticket && words(all) > FEW_ABOVE { first } else { all }
}

/// A label's own words.
fn bare(label: &str) -> &str {
    label.trim_matches(['*', ':', '：', ' ', '_'])
}

/// Whether a label says that what is below it is not done: “Remaining:”.
fn heads_open(label: &str) -> bool {
    OPEN.contains(&bare(&lower(label)))
}

/// Whether a label says that what is below it is no longer there: “Removed:”.
fn heads_dropped(label: &str) -> bool {
    DROPPED.contains(&bare(&lower(label)))
}

/// Whether a sentence is but one of several: a field, an option, or an item that says nothing without its list.
pub(in crate::summary::extractive) fn is_part(sentence: &str, kind: Kind) -> bool {
    is_field(sentence) || is_option(sentence) || kind == Kind::Other && is_leaf(sentence)
}

/// Whether a sentence is an item with a title as its label, or in brackets: “Next Pier: the one behind the mill”, “(oil,
/// gas)”. One with a verb says something alone: “Quay 4: it is free.”
fn is_leaf(sentence: &str) -> bool {
    let is_title = |word: &str| !word.starts_with(char::is_lowercase);
    let open = !sentence.ends_with(SENTENCE_ENDS) && !sentence.ends_with('`');
    let Some((label, said)) = sentence.split_once(": ") else {
        // “Card (ending in 9448)”, unlike “The build is green (12 s)”
        let named = || sentence.split(" (").next().is_some_and(|before| before.split(' ').all(is_title));
        return open
            && (sentence.starts_with('(') || sentence.ends_with(')') && words(sentence) <= FEW_ABOVE && named());
    };
    let titled = words(label) <= FEW && label.split(' ').all(is_title) && !ANSWERS.contains(&&*lower(label));
    let tells = each_word(said).any(|word| VERBS.contains(&word));
    let numbered = label.ends_with(|char: char| char.is_ascii_digit());
    let nested = || said.split_once(": ").is_some_and(|(next, _)| words(next) <= LABEL);
    titled && !label.contains('`') && !tells && (open || numbered || nested())
}

/// Whether a lower-case sentence is told with such a label.
pub(super) fn is_open_item(lower: &str) -> bool {
    OPEN.iter().any(|label| behind(lower, label).is_some_and(|rest| rest.starts_with(": ")))
}

/// The subject of a block that lacks one (“Returns the oldest lamp.”): the name in the heading or list line
/// above it, if only such blocks are between.
fn subject(last: &Block<'_>, before: &[Block<'_>]) -> Option<String> {
    if !lacks_subject(&last.words) {
        return None;
    }
    let above = before.iter().rev().take(NEAR).find(|block| !lacks_subject(&block.words))?;
    let heads = above.indent < last.indent && above.words.ends_with([':', '：']);
    let name = if heads { &*above.words } else { above.heading };
    let name = plain(name.trim_end_matches([':', '：', ' ']));
    (name.len() <= SUBJECT && is_name(&name)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::super::cues::Kind;
    use super::super::prose::{sentences, typed};
    use super::is_part;

    #[test]
    fn a_field_is_but_a_part_and_a_sentence_behind_a_label_is_none() {
        for part in [
            "Origin: The Old Mill Landing by the River (OML)",
            "Ferry 2: North Pier to South Pier at nine, price: $12.",
            "Purse (Silver one ending in 12)",
            "(purse, voucher, cash)",
        ] {
            assert!(is_part(part, Kind::Other), "{part}");
        }
        for whole in ["Quay 4: it is 4.6 m deep and free.", "Answer: the lamp of the pier", "The lamp burns (again)."] {
            assert!(!is_part(whole, Kind::Other), "{whole}");
        }
        assert!(!is_part("Root Cause: the tank of the lamp", Kind::Finding(3)));
    }

    #[test]
    fn what_was_removed_is_told_so() {
        for label in ["**Removed:**", "### Removed", "Removed:"] {
            let list = format!("{label}\n\n- The old lamp of the pier\n- Deleted the buoys of the quay\n");
            let told = ["Removed: The old lamp of the pier", "Deleted the buoys of the quay"];
            assert_eq!(sentences(&list), told, "{label}");
        }
    }

    #[test]
    fn an_item_below_one_without_words_stands_alone() {
        let list = "1. **The first way**\n   - **The lamps of the quay:**\n     - pier 7 has none\n   - **All that it costs:** $1,308\n";
        assert!(sentences(list).iter().all(|sentence| !sentence.starts_with(':')), "{:?}", sentences(list));
    }

    #[test]
    fn what_begins_with_a_verb_is_told_of_what_heads_it() {
        let text = "### `trim_wick`\n\nReturns the oldest lamp.\n\n- Emits `lamp_lit` at dusk\n- The quay: nothing";
        let told =
            ["`trim_wick`: Returns the oldest lamp.", "`trim_wick`: Emits `lamp_lit` at dusk", "The quay: nothing"];
        assert_eq!(sentences(text), told);
        let list = "The lamps of `pier.rs`:\n- Requires `oil` and a wick\n- Builds are slow here";
        assert_eq!(sentences(list)[1..], ["The lamps of `pier.rs`: Requires `oil` and a wick", "Builds are slow here"]);
        for apart in
            ["### `trim_wick`\n\nIt is old.\n\nReturns the oldest lamp.", "## Findings\n\nReturns the oldest lamp."]
        {
            assert_eq!(sentences(apart).last().map(String::as_str), Some("Returns the oldest lamp."), "{apart}");
        }
        assert_eq!(sentences("Returns the oldest lamp."), ["Returns the oldest lamp."]);
        let behind =
            sentences("### `trim_wick`\n\n- Does not light a lamp without oil\n- Returns a number of the lamp\n");
        assert_eq!(
            behind,
            ["`trim_wick`: Does not light a lamp without oil", "`trim_wick`: Returns a number of the lamp"]
        );
        let pier = sentences("### north-pier\n\n- No lamps or ropes found.\n- Only used at low tide");
        assert_eq!(pier, ["north-pier: No lamps or ropes found.", "north-pier: Only used at low tide"]);
        assert_eq!(sentences("### Status\n\nNo lamps or ropes found."), ["No lamps or ropes found."]);
    }

    #[test]
    fn short_items_are_told_with_the_item_above() {
        let text = "1. **Flight HAT069** (JFK to SEA)\n   - Economy price: $121\n   - It is the cheapest of all flights on that day\n2. None\n";
        let expected = [
            "Flight HAT069 (JFK to SEA)",
            "Flight HAT069 (JFK to SEA): Economy price: $121",
            "It is the cheapest of all flights on that day",
        ];
        assert_eq!(sentences(text), expected);
    }

    #[test]
    fn short_items_below_a_long_title_are_told_with_its_number() {
        let list = "- **#7** `pier`: light all lamps of the north quay and paint its ropes\n  - Old, but dry.\n";
        assert_eq!(sentences(list).last().map(String::as_str), Some("#7: Old, but dry."));
        let colon = list.replace("**#7**", "#7:");
        assert_eq!(sentences(&colon).last().map(String::as_str), Some("#7: Old, but dry."));
        let bare = list.replace("**#7**", "# all of");
        assert!(sentences(&bare).iter().all(|sentence| !sentence.starts_with("#: ")), "{:?}", sentences(&bare));
    }

    #[test]
    fn a_part_of_a_sentence_is_told_with_the_label_above() {
        let nested = "- Lamp at the north pier:\n  - oil is at 12 litres of the 40 litres of it\n  - It was lit by the keeper of the north quay\n- Lamp at the south pier:\n  - oil is at 33 litres of the 40 litres of it\n";
        let told = [
            "Lamp at the north pier: oil is at 12 litres of the 40 litres of it",
            "It was lit by the keeper of the north quay",
            "Lamp at the south pier: oil is at 33 litres of the 40 litres of it",
        ];
        let all = sentences(nested);
        assert_eq!(all.iter().filter(|one| !one.ends_with(':')).collect::<Vec<_>>(), told.iter().collect::<Vec<_>>());
        let ferries = "**Ferry A**\n- leaves at 10:20 from the north quay every day\n- costs 12 euros\n\n**Ferry B**\n- leaves at 11:40 from the south quay every day\n";
        let told = [
            "Ferry A: leaves at 10:20 from the north quay every day",
            "Ferry A: costs 12 euros",
            "Ferry B: leaves at 11:40 from the south quay every day",
        ];
        assert_eq!(sentences(ferries), told);
        assert_eq!(typed("Ferry A\n- leaves at 10:20 from the quay"), ["leaves at 10:20 from the quay"]);
        for lead in
            ["Here is the thing", "I'll fix these:", "Let me see:", "No problem", "Two bugs, maybe three", "I think"]
        {
            let list = format!("{lead}\n\n- the import loses rows with an empty name in lamps.ts\n");
            let last = sentences(&list).pop();
            assert_eq!(last.as_deref(), Some("the import loses rows with an empty name in lamps.ts"), "{lead}");
        }
        let between =
            "1. **Ferry A (north)**\n   - Price: $12\n\n   **Next ferry B (south to east)**\n   - Price: $19\n";
        let told = [
            "Ferry A (north)",
            "Ferry A (north): Price: $12",
            "Next ferry B (south to east)",
            "Next ferry B (south to east): Price: $19",
        ];
        assert_eq!(sentences(between), told);
        let deep = "- Ferry to the south:\n  - Cabins:\n    - Small: $51\n- Ferry to the north:\n  - Cabins:\n    - Small: $55\n";
        let told = ["Ferry to the south: Cabins: Small: $51", "Ferry to the north: Cabins: Small: $55"];
        assert_eq!(sentences(deep).into_iter().filter(|one| one.contains('$')).collect::<Vec<_>>(), told);
        let done = "Changes:\n- added a check for empty tanks of oil\n\n- `lamp.rs`:\n  - added a check for empty tanks of oil\n";
        let told = ["added a check for empty tanks of oil", "`lamp.rs`: added a check for empty tanks of oil"];
        assert_eq!(sentences(done), told);
        for label in ["**Remaining:**", "### Remaining", "Remaining:"] {
            let open = format!("{label}\n\n- Lamp 3: Trim the wick of the old lamp\n- Paint the pier of the ferry\n");
            let told = ["Remaining: Lamp 3: Trim the wick of the old lamp", "Remaining: Paint the pier of the ferry"];
            assert_eq!(sentences(&open), told);
        }
        let long = "I looked at the two ferries:\n- leaves at 10:20 from the quay\n";
        assert_eq!(sentences(long)[1..], ["leaves at 10:20 from the quay"]);
    }
}
