//! Sections of a request whose heading says that they hold rules, and lists that are to be kept in mind.

use super::kept_in_mind::heads_memory;
use super::parts::INSTRUCTIONS;
use crate::summary::extractive::sentences::prose::{heading, without_marker};
use crate::summary::fence::Fence;
use crate::summary::text::{all_digits, each_word};

/// Words of headings above rules.
const RULES: [&str; 12] = [
    "constraint",
    "constraints",
    "convention",
    "conventions",
    "guardrails",
    "guideline",
    "guidelines",
    "regeln",
    "restrictions",
    "rule",
    "rules",
    "standards",
];
/// Other words of such headings; more would name the rules of something else, such as a game.
const OF_RULES: [&str; 72] = [
    "absolute",
    "additional",
    "agent",
    "agents",
    "ai",
    "and",
    "api",
    "assistant",
    "be",
    "behavior",
    "behaviour",
    "branch",
    "claude",
    "code",
    "coding",
    "commit",
    "communication",
    "core",
    "critical",
    "design",
    "development",
    "documentation",
    "editing",
    "engineering",
    "file",
    "follow",
    "followed",
    "for",
    "formatting",
    "general",
    "git",
    "global",
    "ground",
    "hard",
    "important",
    "in",
    "key",
    "llm",
    "mandatory",
    "model",
    "must",
    "my",
    "naming",
    "negotiable",
    "non",
    "of",
    "operating",
    "other",
    "our",
    "output",
    "process",
    "project",
    "quality",
    "repo",
    "repository",
    "response",
    "review",
    "safety",
    "section",
    "security",
    "standing",
    "strict",
    "style",
    "technical",
    "test",
    "testing",
    "the",
    "these",
    "this",
    "to",
    "workflow",
    "your",
];

/// A word of titles of files with all that an agent should know.
const TITLE: &str = "guideline";
/// First words of headings and labels below one of rules that are about something else.
const OTHERS: [&str; 10] =
    ["about", "background", "context", "example", "examples", "goal", "note", "notes", "overview", "task"];

/// The lists of all sections whose heading says that they hold rules, with the paragraphs that lead up to them, and
/// those below a label such as “Remember:”; if `instructed`, also the sections headed as instructions.
pub(super) fn rule_sections(text: &str, instructed: bool) -> String {
    let (mut fence, mut section) = (Fence::default(), RulesSection { instructed, ..RulesSection::default() });
    let lines = text.split_inclusive('\n').filter(|line| !fence.holds(line.trim_end()) && section.has(line));
    lines.collect()
}

/// What has been read of a section.
#[derive(Default)]
struct RulesSection {
    /// Instructions are rules.
    instructed: bool,
    /// Number of `#` before its heading if it holds rules, else 0.
    level: usize,
    /// Its heading is the title of guidelines, which have other sections.
    titled: bool,
    /// What is read now belongs to the rules.
    open: bool,
    /// It had an item, or another line.
    listed: bool,
    told: bool,
    /// The last line is empty.
    blank: bool,
}

impl RulesSection {
    /// Reads a line, and returns whether it belongs to a section of rules.
    fn has(&mut self, line: &str) -> bool {
        let bare = line.trim();
        if let Some(heading) = heading(bare) {
            self.head(heading, bare.len() - bare.trim_start_matches('#').len());
            return false;
        }
        if bare.is_empty() {
            self.blank = true;
            return self.open;
        }
        let is_item = without_marker(bare).0;
        if !is_item && !self.open && heads_memory(bare) {
            *self = Self { instructed: self.instructed, open: true, ..Self::default() };
            return false;
        }
        // An item may be wrapped; a paragraph goes on to its empty line.
        let small = bare.starts_with(|sign: char| sign == '`' || sign.is_alphanumeric() && !sign.is_uppercase());
        let wraps = !self.blank && (small || !self.listed && bare.starts_with(char::is_alphanumeric));
        let goes_on = is_item || line.starts_with([' ', '\t']) || !self.told || wraps || is_label(bare);
        // Text behind the list, or a second paragraph without one, is about something else.
        self.open &= goes_on;
        (self.listed, self.told, self.blank) = (self.listed || is_item, true, false);
        self.open
    }

    /// Reads a heading: what is below one of rules is a part of them, but not all below a title, nor an example.
    fn head(&mut self, heading: &str, level: usize) {
        let below = self.level > 0 && level > self.level && !self.titled;
        let next = Self { instructed: self.instructed, ..Self::default() };
        let instructs = || self.instructed && heads_instructions(heading);
        *self = if below {
            Self { level: self.level, open: !is_other(heading), ..next }
        } else if heads_rules(heading) || instructs() {
            let titled = level == 1 && heading.to_lowercase().contains(TITLE);
            Self { level, titled, open: true, ..next }
        } else {
            next
        };
    }
}

/// Whether a line is a label in bold type that does not say that something else follows.
fn is_label(line: &str) -> bool {
    let label = line.strip_prefix("**").and_then(|rest| rest.trim_end_matches(':').strip_suffix("**"));
    label.is_some_and(|label| !is_other(label))
}

/// Whether a heading is about something else than rules.
fn is_other(heading: &str) -> bool {
    let lower = heading.to_lowercase();
    each_word(&lower).next().is_some_and(|first| OTHERS.contains(&first))
}

/// Whether a heading says that rules or instructions follow.
pub(super) fn says_how(heading: &str) -> bool {
    heads_rules(heading) || heads_instructions(heading)
}

fn heads_instructions(heading: &str) -> bool {
    heading.trim_matches([':', ' ', '*']).eq_ignore_ascii_case(INSTRUCTIONS)
}

/// Whether a heading names rules for the work, and nothing else.
pub(super) fn heads_rules(heading: &str) -> bool {
    let lower = heading.to_lowercase();
    let words = || each_word(&lower).map(|word| word.trim_matches('\'').trim_end_matches("'s"));
    words().any(|word| RULES.contains(&word))
        && words().all(|word| RULES.contains(&word) || OF_RULES.contains(&word) || all_digits(word))
}

#[cfg(test)]
mod tests {
    use super::heads_rules;

    fn rule_sections(text: &str) -> String {
        super::rule_sections(text, false)
    }

    #[test]
    fn a_section_of_rules_is_its_list() {
        let text = "# Task\nMend it.\n\n## Hard rules\nThese hold:\n- Use tabs.\n- Be terse.\n\nThe pier was dark.\n## Chess rules\n- Mate.\n";
        assert_eq!(rule_sections(text), "These hold:\n- Use tabs.\n- Be terse.\n\n");
        assert_eq!(rule_sections("#rules are in RULES.md\nMend it.\n"), "");
    }

    #[test]
    fn a_list_of_rules_goes_on_behind_labels_code_and_wrapped_lines() {
        for between in [
            "\n**Lamps**\n",
            "\n**Lamps:**\n\n",
            "```\nlight()\n```\n",
            "and of the\nouter pier\n",
            "\n\tas ever\n",
            "\n### Piers\n",
        ] {
            let text = format!("## Rules\n\n- Light the lamps.\n{between}- Every lamp has a keeper.\n\nMend it.\n");
            let told = rule_sections(&text);
            assert!(told.contains("Every lamp has") && !told.contains("Mend"), "{between}: {told}");
        }
    }

    #[test]
    fn what_is_about_something_else_ends_the_rules() {
        for other in ["### Background\n", "**Examples**\n", "---\n\n", "Mend the map.\n"] {
            let text = format!("## Rules\n- Light the lamps.\n{other}- Every lamp has a keeper.\n");
            assert!(!rule_sections(&text).contains("Every lamp"), "{other}");
        }
        assert_eq!(rule_sections("# Repository Guidelines\n## Piers\n- They are long.\n"), "");
    }

    #[test]
    fn parts_of_a_section_of_rules_are_read_one_by_one() {
        let text = "# Rules\nLight the lamps.\nNever sink a ferry.\n\n## Overview\n- It is long.\n\n## Git\n- Be terse.\n`fix:` comes first.\n- Never push.\n";
        let told = rule_sections(text);
        for rule in ["Light the lamps", "Never sink", "Be terse", "Never push"] {
            assert!(told.contains(rule), "{rule}: {told}");
        }
        assert!(!told.contains("It is long"));
    }

    #[test]
    fn a_section_without_a_list_is_its_first_paragraph() {
        let text = "# Rules\n\nEvery lamp has a keeper\nof its own.\n\nThe pier was dark.\n\nMend it.\n";
        assert_eq!(rule_sections(text), "\nEvery lamp has a keeper\nof its own.\n\n");
        assert_eq!(rule_sections("## Rules\n- Be terse.\n# Task\n- Mend it.\n"), "- Be terse.\n");
    }

    #[test]
    fn headings_of_rules_are_known_by_all_their_words() {
        for heading in [
            "2. Rules",
            "Technical constraints",
            "Git rules",
            "Rules (must follow)",
            "Coding standards and conventions",
            "Project's rules",
            "Rules for this repo",
            "'Rules'",
            "Editing constraints",
            "Repo and process rules",
            "Section 17 — Absolute rules for the AI",
        ] {
            assert!(heads_rules(heading), "{heading}");
        }
        for heading in ["Chess rules", "Rules of the harbour", "The lamp", "Must follow"] {
            assert!(!heads_rules(heading), "{heading}");
        }
    }
}
