//! Sections of a request whose heading says that they describe: how things are, and how the work is checked in the end;
//! fields of a form that do; and lists of examples or of what a product lets people do. What they say with “never” or
//! “must” is no rule for later work.

use crate::summary::extractive::sentences::prose::{heading, without_marker};
use crate::summary::extractive::sentences::rules::is_short_ban;
use crate::summary::fence::Fence;
use crate::summary::text::{all_digits, each_word, has_words};

/// Words that are such headings alone, and those that may stand behind or before one.
const DESCRIBES: [&str; 19] = [
    "analysis",
    "background",
    "bug",
    "cause",
    "context",
    "findings",
    "hintergrund",
    "kontext",
    "motivation",
    "observed",
    "overview",
    "problem",
    "problems",
    "root",
    "symptoms",
    "verification",
    "背景",
    "问题",
    "验证",
];
const BESIDE: [&str; 12] = [
    "and",
    "behavior",
    "behaviour",
    "current",
    "description",
    "issue",
    "plan",
    "situation",
    "state",
    "statement",
    "steps",
    "the",
];
/// Two words that are such headings.
const TWO: [[&str; 2]; 3] = [["test", "plan"], ["current", "state"], ["current", "behavior"]];

/// Verbs of what a product does for people, before “… to:”.
const LETS: [&str; 9] =
    ["allows", "empowers", "enables", "lets", "ermöglicht", "erlaubt", "permet", "permite", "позволяет"];
/// Ends of a line above a list of examples.
const EXAMPLES: [&str; 21] = [
    "consider",
    "specifically address",
    "e.g.",
    "for example",
    "for instance",
    "such as",
    "zum beispiel",
    "z.b.",
    "z. b.",
    "etwa",
    "par exemple",
    "comme",
    "por ejemplo",
    "como",
    "например",
    "例如",
    "比如",
    "譬如",
    "考虑",
    "たとえば",
    "例えば",
];
/// Words of an order, which is none of a description.
const ORDERS: [&str; 22] = [
    "avoid", "cannot", "do not", "don't", "keep", "must", "need", "needs", "never", "not", "only", "shall", "should",
    "use", "muss", "nicht", "doit", "pas", "debe", "必须", "不要", "不得",
];
/// First words of a line that addresses the agent.
const ADDRESSES: [&str; 4] = ["please", "you", "your", "make"];

/// Whether a line heads a list that only describes: “A platform that lets keepers:”, “Lamps such as:”.
fn leads_to_examples(line: &str) -> bool {
    let Some(lead) = line.trim().strip_suffix([':', '：']) else { return false };
    let lower = lead.trim_end().to_lowercase();
    let ends = |end: &&str| {
        let before = lower.strip_suffix(*end);
        before.is_some_and(|before| !end.is_ascii() || !before.ends_with(char::is_alphanumeric))
    };
    let lets = || each_word(&lower).any(|word| LETS.contains(&word)) && !orders(&lower);
    EXAMPLES.iter().any(ends) || lets()
}

/// Whether a lower-case text orders something.
fn orders(lower: &str) -> bool {
    let addresses = each_word(lower).next().is_some_and(|first| ADDRESSES.contains(&first));
    addresses || ORDERS.iter().any(|word| if word.is_ascii() { has_words(lower, word) } else { lower.contains(word) })
}

/// Reads the lists of a text that only describe.
#[derive(Default)]
struct Examples {
    /// Indentation of the line that leads to the list that is open, in bytes, and whether that is an item itself.
    open: Option<(usize, bool)>,
}

impl Examples {
    /// Whether a line is an item of such a list that orders nothing.
    fn has(&mut self, line: &str) -> bool {
        let (is_item, words) = without_marker(line.trim());
        let indent = line.len() - line.trim_start().len();
        // An item leads only to those below it.
        let is_below = self.open.is_some_and(|(lead, is_nested)| !is_nested || indent > lead);
        if is_item && is_below {
            // “use growth loops” is what the product lets people do.
            let (_, rest) = words.split_once(' ').filter(|(verb, _)| verb.is_ascii()).unwrap_or(("", words));
            let rest = rest.to_lowercase();
            return !orders(&rest) && !begins_ban(words);
        }
        if !line.trim().is_empty() {
            self.open = leads_to_examples(line).then_some((indent, is_item));
        }
        false
    }
}

/// Labels of what describes among the fields of a form, and the maximum number of words of a label.
const DESCRIBED: [&str; 5] = ["background", "context", "hintergrund", "kontext", "背景"];
const LABEL: usize = 3;

/// Reads a text that is filled in like a form: “Design: Lamps”, “Context: …”
#[derive(Default)]
struct Form {
    /// Whether the line before is a field.
    filled: bool,
    open: bool,
}

impl Form {
    /// Whether a line is of a field that describes, behind another field.
    fn has(&mut self, line: &str) -> bool {
        let field = line.split_once([':', '：']).map(|(label, _)| label).filter(|label| is_label(label));
        match field {
            Some(label) => self.open = self.filled && DESCRIBED.contains(&&*label.to_lowercase()),
            None => self.open = self.open && !line.trim().is_empty() && !is_short_ban(line, usize::MAX),
        }
        self.filled = field.is_some();
        self.open
    }
}

fn is_label(label: &str) -> bool {
    let plain = label.chars().all(|char| char.is_alphanumeric() || " -_".contains(char));
    plain && !label.starts_with(char::is_lowercase) && (1..=LABEL).contains(&each_word(label).count())
}

/// Whether an item forbids something by its first word.
fn begins_ban(item: &str) -> bool {
    let lower = item.to_lowercase();
    each_word(&lower).next().is_some_and(|first| ["avoid", "don't", "must", "never", "no", "not"].contains(&first))
}

/// The text of all sections that describe, with those below them, and of all lists and fields that do.
pub(super) fn premises(text: &str) -> String {
    let (mut fence, mut open, mut examples, mut form) = (Fence::default(), None, Examples::default(), Form::default());
    let mut has = |line: &str| {
        let bare = line.trim();
        let lists = examples.has(line) | form.has(line);
        let Some(heading) = heading(bare) else { return open.is_some() || lists };
        let level = bare.len() - bare.trim_start_matches('#').len();
        if open.is_none_or(|above| level <= above) {
            // A title heads all of a text.
            open = (level > 1 && describes(heading)).then_some(level);
        }
        false
    };
    text.split_inclusive('\n').filter(|line| !fence.holds(line.trim_end()) && has(line)).collect()
}

fn describes(heading: &str) -> bool {
    let lower = heading.to_lowercase();
    let words: Vec<&str> = each_word(&lower).skip_while(|word| all_digits(word)).collect();
    let is_known = |word: &&str| DESCRIBES.contains(word) || BESIDE.contains(word);
    TWO.iter().any(|two| words == two)
        || words.iter().all(is_known) && words.iter().any(|word| DESCRIBES.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_plan_says_of_the_state_and_of_its_checks_is_found() {
        let text = "# Mend the quay\n\n## Context\nThe lamp is never lit.\n### Today\nOnly gulls come.\n## 2. Verification\n- `row` works without oars\n## Rules\nNever sink.\n";
        assert_eq!(premises(text), "The lamp is never lit.\nOnly gulls come.\n- `row` works without oars\n");
        for rules in ["# Context", "## Current rules", "## How to work", "## Summary format", "## Overview and rules"] {
            assert_eq!(premises(&format!("{rules}\nNever sink.\n")), "", "{rules}");
        }
        assert_eq!(premises("## Work\nAlways row.\n```\n# Context\nx\n```\n"), "");
    }

    #[test]
    fn a_field_of_a_form_describes() {
        let form = "Map: https://quay.example/7\nDesign: Ferries\nContext: Lamps for all\nLight is important at sea.\n";
        assert_eq!(premises(form), "Context: Lamps for all\nLight is important at sea.\n");
        assert_eq!(premises(&format!("{form}Rules: Always row.\n\nUse oil.\n")), premises(form));
        assert_eq!(premises("Mend it.\nContext: always row, it is important.\n"), "", "no form");
        assert_eq!(premises("Task: mend it.\nRules: always row.\n"), "");
    }

    #[test]
    fn a_list_of_examples_or_of_what_a_product_does_describes() {
        let platform = "We have an app that lets keepers:\n- light lamps\n- use a new wick\n- must never sink\n\nNow mend it.\n- use oil\n";
        assert_eq!(premises(platform), "- light lamps\n- use a new wick\n");
        let baselines =
            "请给出合理的方案。至少考虑：\n\n* flat list without lamps\n* 必须点灯\n\n请写：\n* lamps without oil\n";
        assert_eq!(premises(baselines), "* flat list without lamps\n");
        assert_eq!(premises("Take lamps such as:\n- red ones without oil\n"), "- red ones without oil\n");
        let nested = "- Compare other lamps, e.g.:\n  - red ones without oil\n  - green ones, never lit by hand\n- Never use tar.\n";
        assert_eq!(premises(nested), "  - red ones without oil\n", "an item leads to those below it");
        for rules in [
            "The app should let keepers:\n- use oil\n",
            "Please make an app that lets keepers:\n- use oil\n",
            "Keep to this:\n- use oil\n",
        ] {
            assert_eq!(premises(rules), "", "{rules}");
        }
    }
}
