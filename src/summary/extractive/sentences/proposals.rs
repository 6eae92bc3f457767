//! Leaves out what an agent only proposes: the options that it describes, and their advantages; the pieces of work that
//! it plans. “Created with types” below “Option 1” is not done, nor is “The lamps are complete” below “Epic 1”.

use super::cues::{begins_done, lower};
use super::offered::is_option;
use crate::summary::extractive::words::{OBJECTS, TICKS};
use crate::summary::text::{NUMBER_WORDS, QUESTION_MARKS, ends_any, has_any, starts_any};

/// Headings of arguments for and against something.
const ARGUMENTS: [&str; 12] = [
    "pros",
    "cons",
    "pro",
    "con",
    "advantages",
    "disadvantages",
    "drawbacks",
    "trade-offs",
    "tradeoffs",
    "vorteile",
    "nachteile",
    "pros and cons",
];

/// First words of the heading of an option.
const OPTIONS: [&str; 11] = [
    "option",
    "variant",
    "variante",
    "alternative",
    "approach",
    "choice",
    "proposal",
    "opción",
    "opção",
    "вариант",
    "варіант",
];

/// First words of the heading of something planned, and second words of one behind those in [`OF`].
const PLANNED: [&str; 8] = ["epic", "epics", "story", "idea", "ideas", "proposal", "proposed", "concept"];
const OF: [&str; 7] = ["user", "design", "feature", "product", "acceptance", "success", "customer"];
const OF_SUCH: [&str; 7] = ["story", "stories", "journey", "journeys", "idea", "ideas", "criteria"];
/// Words of a heading of something that was done.
const REACHED: [&str; 18] = [
    "bug",
    "complete",
    "completed",
    "done",
    "error",
    "errors",
    "finished",
    "fix",
    "fixed",
    "found",
    "implemented",
    "merged",
    "results",
    "review",
    "shipped",
    "status",
    "works",
    "worked",
];

/// Beginnings of a label that leads up to options, and what it calls them.
const LEADS: [&str; 12] = [
    "you have",
    "you can",
    "you could",
    "we have",
    "we can",
    "we could",
    "here are",
    "there are",
    "i see",
    "possible",
    "your",
    "some",
];
const CHOICES: [&str; 8] =
    ["options", "choices", "alternatives", "approaches", "positions", "possibilities", "ways forward", "paths forward"];

/// Maximum length of a title without a mark, in bytes.
const TITLE: usize = 60;

/// The part of a text that describes an option.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Proposal {
    /// None is open.
    #[default]
    None,
    /// All up to the next heading, or to a paragraph in which the agent speaks of itself.
    Section,
    /// The items below a label.
    Items,
    /// All that is indented more than this; `None`: items below a paragraph.
    Below(Option<usize>),
}

impl Proposal {
    /// Takes a heading; `reports`: the text tells of work that was done.
    pub(super) fn head(&mut self, heading: &str, reports: bool) {
        let is_planned = !reports && plans(heading);
        *self = if opens(heading) || is_arguments(heading) || is_planned { Self::Section } else { Self::None };
    }

    /// Takes a line of a text that ends with a question: the items below a label that calls them options are offered.
    pub(super) fn offer(&mut self, line: &str) {
        if offers(line) {
            *self = Self::Items;
        }
    }

    /// Whether a paragraph, or an item with its indent, describes an option.
    pub(super) fn holds(&mut self, words: &str, indent: Option<usize>) -> bool {
        // A question is asked about all of it.
        let asks = indent.is_none() && words.ends_with(QUESTION_MARKS);
        let held = match *self {
            Self::None => false,
            Self::Section if asks => return false,
            Self::Section if indent.is_none() && starts_any(words, &["I ", "I'", "I’", "We "]) => false,
            Self::Section => return true,
            Self::Items => indent.is_some(),
            Self::Below(own) => indent > own,
        };
        if is_arguments(words) || requires(words) {
            *self = Self::Items;
        } else if opens(words) && indent.is_none() && words.len() <= TITLE && !words.ends_with('.') {
            *self = Self::Section;
        } else if opens(words) || is_lettered(words) {
            *self = Self::Below(indent);
        } else if !held {
            *self = Self::None;
        }
        held || *self != Self::None
    }
}

/// Whether a label lists what something is to have, which is not there yet: “The plan must include:”.
fn requires(line: &str) -> bool {
    let Some(label) = line.trim_end_matches(['*', ' ']).strip_suffix([':', '：']) else { return false };
    let label = lower(label);
    ends_any(label.trim_end_matches(['*', ' ']), &INCLUDES)
}

/// Ends of such a label.
const INCLUDES: [&str; 7] =
    ["must include", "must contain", "should include", "should contain", "will include", "必须包含", "必須包含"];

/// Whether a heading is that of something planned: “Epic 2: the lamps”, “User journey”.
fn plans(heading: &str) -> bool {
    let lower = lower(heading);
    let mut words = lower.split(|char: char| !char.is_alphabetic()).filter(|word| !word.is_empty());
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let is_planned = PLANNED.contains(&first) || OF.contains(&first) && OF_SUCH.contains(&second);
    is_planned && !heading.contains(TICKS) && !has_any(&lower, &REACHED)
}

/// Whether a line tells that the agent did something: “Added a lamp”, not “Added lamps burn by night”.
pub(super) fn tells_deed(line: &str) -> bool {
    let lower = lower(line);
    let own = ["i ", "i've ", "we ", "we've "].iter().find_map(|own| lower.strip_prefix(own));
    let second = lower.split(' ').nth(1).unwrap_or_default();
    let has_object = second.starts_with('`') || second.contains(['/', '.', '_']) || OBJECTS.contains(&second);
    match own {
        Some(rest) => begins_done(rest.strip_prefix("have ").unwrap_or(rest)),
        None => has_object && begins_done(&lower),
    }
}

/// Whether a label leads up to options: “You have a few options:”
fn offers(line: &str) -> bool {
    let Some(label) = line.trim_end_matches(['*', '_', ' ']).strip_suffix([':', '：']) else { return false };
    let lower = lower(label);
    // Behind other sentences of its paragraph: “That is the valid part. Three positions:”
    let label = lower.rsplit(['.', '!', '?']).next().unwrap_or_default();
    let label = label.trim_matches(|char: char| !char.is_alphanumeric());
    let leads =
        || starts_any(label, &LEADS) || label.split(' ').next().is_some_and(|word| NUMBER_WORDS.contains(&word));
    // “Options, cheapest first:”
    let begins = || label.split_once([',', '(']).is_some_and(|(choices, _)| CHOICES.contains(&choices.trim_end()));
    CHOICES.contains(&label) || begins() || leads() && ends_any(label, &CHOICES)
}

/// Whether a line begins an option by its name: “Option 2: …”
fn opens(line: &str) -> bool {
    let first = lower(line.split(' ').next().unwrap_or_default());
    OPTIONS.contains(&first.trim_start_matches(['*', '_'])) && is_option(line)
}

/// Whether a line begins an option by a letter: “A) …”, “**B — the gas.** …”
fn is_lettered(line: &str) -> bool {
    let dashed = |(letter, name): (&str, &str)| {
        letter.len() == 1 && letter.starts_with(|char: char| char.is_ascii_uppercase()) && name.starts_with(['—', '–'])
    };
    line.as_bytes().get(1) == Some(&b')') && is_option(line)
        || line.trim_start_matches('*').split_once(' ').is_some_and(dashed)
}

/// Whether a line is a heading of arguments: “Pros:”
fn is_arguments(line: &str) -> bool {
    ARGUMENTS.contains(&lower(line).trim_matches(|char: char| !char.is_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::super::prose::sentences;

    #[test]
    fn what_is_said_of_an_option_is_not_said_of_the_work() {
        let text = "The lamp is out at night.\n\n**Option A — oil.** Burns long. It lights the whole quay by itself.\n\n\
            **Option B — gas.** It was tried before.\n\nI recommend the oil.\n\n### Option 1: use the lens\n\nIt is already built.\n\n\
            **Pros:**\n- Created with care for this quay\n\n### What I did\n\nThe wick was cut today.\n\n\
            A) Goal tests: the keeper gets a lamp, and is judged on\n   - The whole quay lit by one lamp\n\n**Cons:**\n- Smokes in the rain a lot\n\nIt smokes in the wind.";
        let told =
            ["The lamp is out at night.", "I recommend the oil.", "The wick was cut today.", "It smokes in the wind."];
        assert_eq!(sentences(text), told);
    }

    #[test]
    fn what_is_planned_is_not_done() {
        let text = "The plan has three parts.\n\n### Epic 1: the pier\n\nThe keeper sees a lit pier, and its lamps are complete.\n\n\
            **User journey**\n\nCompleted tides fly back to the sea.\n\n## Idea B\n\n- The lamp is now red at dusk\n\nDoes this work for you?";
        assert_eq!(sentences(text), ["The plan has three parts.", "Does this work for you?"]);
        let report = "### Story 1: the pier\n\nAll of its lamps are lit now.\n\n- Added a lamp for each pier";
        assert_eq!(sentences(report), ["All of its lamps are lit now.", "Added a lamp for each pier"]);
        let ticked = "### Story 1: the pier ✅\n\nAll of its lamps are lit now.";
        assert_eq!(sentences(ticked), ["All of its lamps are lit now."]);
    }

    #[test]
    fn what_the_user_may_choose_from_is_not_done() {
        let list = "1. **Stash the other lamps** before dusk, then light them\n2. Light the pier first of all";
        let text = format!("The pier is dark.\n\nYou have a few options:\n\n{list}\n\nShall I light the pier?");
        assert_eq!(sentences(&text), ["The pier is dark.", "You have a few options:", "Shall I light the pier?"]);
        for other in [
            format!("You have a few options:\n\n{list}\n\nI lit the pier."),
            format!("I did two things:\n\n{list}\n\nShall I light the pier?"),
        ] {
            assert!(sentences(&other).iter().any(|sentence| sentence.starts_with("Stash")), "{other}");
        }
    }

    #[test]
    fn options_behind_bold_letters_are_not_done() {
        let text = "The pier is dark at night.\n\nOptions, cheapest first:\n\n- **A — the oil.** Burns long. It fits the old lamp as it is.\n\
            - **B — the gas.** The keeper lights it himself, then writes it down.\n\nThe oil is the right one.";
        assert_eq!(
            sentences(text),
            ["The pier is dark at night.", "Options, cheapest first:", "The oil is the right one."]
        );
        let asks = text.replace("**A — the oil.** ", "").replace("**B — the gas.** ", "") + "\n\nShall I light it?";
        assert_eq!(sentences(&asks).len(), 4, "they are offered");
        let positions = asks.replace("Options, cheapest first:", "That much is fair. Three positions:");
        assert!(!sentences(&positions).iter().any(|sentence| sentence.contains("lights it himself")));
        let done = asks.replace("Options, cheapest first:", "What I did:");
        assert!(sentences(&done).len() > 4);
    }

    #[test]
    fn an_entry_of_an_option_is_told_with_its_label() {
        let text = "1. **Option 1:**\n   - **Ferry Segments:**\n     - KIL to OSL: Ferry FER112\n   - **Total Additional Cost:** $1,023";
        assert_eq!(
            sentences(text),
            ["Option 1: Ferry Segments: KIL to OSL: Ferry FER112", "Option 1: Total Additional Cost: $1,023"]
        );
    }

    #[test]
    fn what_a_plan_must_include_is_not_done() {
        let text = "The plan of the pier must include:\n\n- Tests added for each lamp\n- A map drawn by hand\n\nThe map is drawn by now.";
        assert_eq!(sentences(text), ["The map is drawn by now."]);
    }

    #[test]
    fn work_is_said_behind_an_option_too() {
        let text = "### Option 2: gas\n\nIt was built before.\n\nI went with the oil; all tests of it pass.";
        assert_eq!(sentences(text), ["I went with the oil; all tests of it pass."]);
        let titled =
            "**Option 2: Use the Gas**\n\nIt was built before.\n\n**What I Did Today**\n\nThe wick was cut today.";
        assert_eq!(sentences(titled), ["The wick was cut today."]);
        let letter = "### A. What I changed\n\n- The wick was cut today.";
        assert_eq!(sentences(letter), ["The wick was cut today."]);
    }
}
