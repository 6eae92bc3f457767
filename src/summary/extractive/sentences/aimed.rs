//! Items below a label of what is not done yet, put off or left out, or not true: “Tests pass” below “Acceptance
//! criteria”, “The lamp is out of oil” below “Ruled out”. They are told with it.

use super::cues::lower;
use super::prose::{Block, plain};
use super::sieve::AnyOf;
use crate::summary::extractive::words;
use crate::summary::extractive::words::{AIM_ALONE, AIM_LAST};
use crate::summary::text::{ends_any, has_most, is_dense, list_number, replaced};

static AIMS: AnyOf = AnyOf::new(words::AIMS);
static REACHED: AnyOf = AnyOf::new(words::REACHED);
pub(super) static UNTRUE: AnyOf = AnyOf::new(words::UNTRUE);
static WRONG_NOW: AnyOf = AnyOf::new(words::WRONG_NOW);

/// Maximum number of words of such a label, and its maximum length in bytes.
const FEW: usize = 10;
const LABEL: usize = 90;
/// Words behind which a word of what was reached says the opposite.
const NOT_REACHED: [&str; 7] =
    ["definition of done", "not done", "not fixed", "not implemented", "not completed", "not finished", "to be done"];

/// For each block the label of its items, up to the next heading or to a paragraph behind them.
pub(super) fn aims(blocks: &[Block<'_>]) -> Vec<Option<String>> {
    let (mut all, mut open): (Vec<Option<String>>, Option<Open>) = (vec![None; blocks.len()], None);
    for (at, block) in blocks.iter().enumerate() {
        let is_headed = !block.heading.is_empty();
        let line = if is_headed { block.heading } else { &*block.words };
        if line.is_empty() {
            continue;
        }
        if let Some(it) = open.as_mut().filter(|_| !is_headed)
            && it.holds(block.indent, line)
        {
            all[at] = block.indent.map(|_| it.label.clone());
            continue;
        }
        let own = block.indent;
        let heads_item = || blocks.get(at + 1).is_some_and(|next| next.indent.is_some() && next.indent > own);
        let label = of_aims(line, is_headed || own.is_none() && heads_item());
        open = label.map(|label| Open { label, indent: own, leads: is_headed });
    }
    all
}

/// The words of an item behind the label of what is not done, unless they begin with it.
pub(super) fn told_with(label: Option<&String>, item: String) -> String {
    match label.filter(|label| !item.is_empty() && !item.starts_with(&***label)) {
        Some(label) => format!("{label}: {item}"),
        None => item,
    }
}

/// A label whose items follow.
struct Open {
    label: String,
    indent: Option<usize>,
    /// Whether a paragraph may lead up to the items.
    leads: bool,
}

impl Open {
    /// Whether a line still stands below it: an item, or the paragraph that leads up to the items of a heading.
    fn holds(&mut self, indent: Option<usize>, line: &str) -> bool {
        let leads = std::mem::take(&mut self.leads) && indent.is_none() && !says_reached(&lower(line));
        indent > self.indent || leads && of_aims(line, false).is_none()
    }
}

/// The label of a line that heads what is not done or not true, without a colon in it.
fn of_aims(line: &str, is_heading: bool) -> Option<String> {
    let bare = plain(line.trim_matches(['*', ' ']));
    let label = bare.trim_end_matches(['*', ' ']).strip_suffix([':', '：']);
    let label = label.or(Some(&*bare).filter(|bare| is_heading && !bare.ends_with(['.', '!', '?', '。', '？'])))?;
    let label = label.trim_matches(|char: char| !(char.is_alphanumeric() || "()（）\"“”".contains(char)));
    let label = list_number(label).map_or(label, |(_, rest)| rest.trim());
    heads(label).then(|| replaced(label, &[": ", "："], " – ").into_owned())
}

fn heads(label: &str) -> bool {
    if label.len() > LABEL || !has_most(label, FEW) {
        return false;
    }
    let lower = lower(label);
    let bare = lower.split(['(', '（']).next().unwrap_or_default().trim();
    let bare = bare.trim_start_matches(|char: char| !char.is_alphabetic());
    // A clause with a comma says more than a label does.
    if bare.contains(',') {
        return false;
    }
    let says = |list: &AnyOf| list.any(&lower, names);
    let out = names(&lower, "scope") && ["out", "outside", "beyond", "not"].iter().any(|word| names(&lower, word));
    let todo = ends_any(bare, AIM_LAST) || label.contains("TODO");
    let aims = out || todo || says(&AIMS) || AIM_ALONE.contains(&bare);
    // “Remaining problems” hold.
    says(&UNTRUE) || aims && !says_reached(&lower) && !says(&WRONG_NOW)
}

/// Whether a label has a phrase as whole words, and not in a name: “future-proof”, “`todo.md`”.
pub(super) fn names(label: &str, phrase: &str) -> bool {
    let inside = |char: char| char.is_alphanumeric() && !is_dense(char) || "-_/`".contains(char);
    label.match_indices(phrase).any(|(at, _)| {
        let apart = !label[..at].ends_with(inside) && !label[at + phrase.len()..].starts_with(inside);
        apart || phrase.starts_with(is_dense)
    })
}

/// Whether it says that something was reached.
fn says_reached(lower: &str) -> bool {
    REACHED.is_said_in(&replaced(lower, &NOT_REACHED, ""))
}

/// Such a label at the start of a sentence, and what stands behind it: “Later: The old lamp is removed”.
pub(in crate::summary::extractive) fn below_aim(sentence: &str) -> Option<(&str, &str)> {
    let (label, said) = sentence.split_once([':', '：'])?;
    (!said.trim().is_empty() && heads(label)).then_some((label, said.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::super::cues::{Kind, kind};
    use super::super::prose;

    /// The sentences of a text without its labels.
    fn sentences(text: &str) -> Vec<String> {
        prose::sentences(text).into_iter().filter(|sentence| !sentence.ends_with(':')).collect()
    }

    #[test]
    fn what_is_aimed_at_or_put_off_is_told_with_its_heading() {
        let item = "Migrated the lamps of the pier to the new grid";
        for (head, label) in [
            ("### Vision (Future)", "Vision (Future)"),
            ("## 3. Out of scope", "Out of scope"),
            ("**Later:**", "Later"),
            ("### Phase 2: the quay (not started)", "Phase 2 – the quay (not started)"),
            ("### Definition of done", "Definition of done"),
            ("Acceptance criteria:", "Acceptance criteria"),
            ("**Not in this release**", "Not in this release"),
            ("### Nächste Schritte", "Nächste Schritte"),
            ("## Критерии приёмки", "Критерии приёмки"),
            ("## 验收标准", "验收标准"),
        ] {
            let text = format!("Here is the scope.\n\n{head}\n\n- {item}. All tests pass now.\n\nThe pier is lit.");
            let told: Vec<_> = sentences(&text).into_iter().filter(|told| told != label).collect();
            let (migrated, passes) = (format!("{label}: {item}."), format!("{label}: All tests pass now."));
            assert_eq!(told, ["Here is the scope.", &migrated, &passes, "The pier is lit."], "{head}");
            assert_ne!(kind(&migrated), Kind::Done);
            assert_ne!(kind(&passes), Kind::Done);
        }
        assert_eq!(kind(item), Kind::Done);
    }

    #[test]
    fn what_was_ruled_out_is_told_with_its_heading() {
        for head in
            ["### Ruled out", "These are not the cause:", "**Myths about it:**", "## I checked and these are false"]
        {
            let told = sentences(&format!(
                "I looked at the lamp.\n\n{head}\n\n- The relay is wired backwards\n\nThe bulb is old."
            ));
            assert!(told[1].ends_with(": The relay is wired backwards"), "{told:?}");
            assert_eq!(told[2], "The bulb is old.");
        }
    }

    #[test]
    fn what_was_reached_needs_no_label() {
        let item = "Added a lamp to the quay of the harbour";
        for head in [
            "### Acceptance criteria (all met)",
            "## Next steps (done)",
            "### What I did",
            "As planned:",
            "TODO resolved:",
            "### Todo App",
            "Two remaining problems:",
        ] {
            assert_eq!(sentences(&format!("{head}\n\n- {item}")).last().map(String::as_str), Some(item), "{head}");
        }
        let ended = format!("### Roadmap\n\n- Light the mole of the old harbour\n\nWhat I did today:\n\n- {item}");
        assert_eq!(sentences(&ended).last().map(String::as_str), Some(item));
        let headed = format!("### Later\n\n- Light the mole of the old harbour\n\n### Changes\n\n- {item}");
        assert_eq!(sentences(&headed).last().map(String::as_str), Some(item));
    }
}
