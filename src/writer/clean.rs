//! Removes what models write around a summary: preambles, code fences, echoed tags, thinking, offers.

use super::flatten::TAGS;
use super::headings::{with_plain_headings, without_lines};
use crate::summary::{NONE, Section, Template, is_placeholder, parse, starts_any};
use crate::transcript::THOUGHT_TAGS;
use std::collections::BTreeSet;

/// Beginnings of refusals in the answer's text.
const REFUSALS: &[&str] = &[
    "i'm sorry",
    "i’m sorry",
    "i am sorry",
    "sorry,",
    "i can't",
    "i can’t",
    "i cannot",
    "i'm unable",
    "i am unable",
    "i'm not able",
    "as an ai",
    "unfortunately, i",
];
/// Beginnings of offers after a summary.
const OFFERS: &[&str] =
    &["let me know", "would you like", "do you want me", "shall i", "feel free", "if you need", "i hope"];
/// Tags around thinking.
const THINKING: [[&str; 2]; 2] = [THOUGHT_TAGS, ["<analysis>", "</analysis>"]];

/// A cleaned answer.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Cleaned {
    /// The remaining text.
    pub(super) text: String,
    /// Names of the steps that removed something.
    pub(super) cuts: Vec<&'static str>,
}

/// Removes everything that is not the summary.
pub(super) fn clean(answer: &str, template: &Template) -> Cleaned {
    let mut cleaned = Cleaned { text: printable(answer), cuts: Vec::new() };
    for (name, step) in STEPS {
        let text = step(&cleaned.text, template).trim().to_owned();
        if text != cleaned.text {
            cleaned.text = text;
            cleaned.cuts.push(name);
        }
    }
    cleaned
}

/// Whether an answer has a section of the template, and not a word in any.
pub(super) fn has_headings_only(text: &str, template: &Template) -> bool {
    let sections = parse(text);
    let known = sections.iter().any(|section| template.sections().iter().any(|own| section.is(&own.name)));
    known && sections.iter().all(|section| section.lines.iter().all(|line| line.trim().is_empty()))
}

/// Whether an answer is a refusal: it begins like one and has no section of the template.
pub(super) fn refuses(text: &str, template: &Template) -> bool {
    let start = text.trim_start().to_lowercase();
    let known = parse(text).iter().any(|section| template.sections().iter().any(|own| own.name == section.name));
    !known && starts_any(&start, REFUSALS)
}

type Step = fn(&str, &Template) -> String;

/// The order matters: thinking may hold headings, tags may be inside fences, and the preamble is found by the headings.
const STEPS: [(&str, Step); 9] = [
    ("thinking", without_thinking),
    ("tags", without_tags),
    ("fence", without_outer_fence),
    ("headings", with_plain_headings),
    ("preamble", without_preamble),
    ("open_fence", without_open_fence),
    ("echo", without_echoes),
    ("placeholder", without_placeholders),
    ("offer", without_offer),
];

/// Normalizes line breaks and removes a byte order mark and control characters, except tabs.
fn printable(text: &str) -> String {
    let bare = text.trim_start().trim_start_matches('\u{feff}');
    let lines = bare.lines().map(|line| line.chars().filter(|c| !c.is_control() || *c == '\t').collect::<String>());
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

/// Removes thinking. Thinking that is never closed extends to the end of the answer.
fn without_thinking(text: &str, _: &Template) -> String {
    THINKING.into_iter().fold(text.to_owned(), |text, [open, close]| {
        let (mut bare, mut rest) = (String::with_capacity(text.len()), &*text);
        while let Some((before, thought)) = rest.split_once(open) {
            bare.push_str(before);
            rest = thought.split_once(close).map_or("", |(_, after)| after);
        }
        bare.push_str(rest);
        // Some servers remove the opening tag.
        bare.rsplit_once(close).map(|(_, after)| after.to_owned()).unwrap_or(bare)
    })
}

/// Removes an echoed conversation, and lines that consist of a tag of the request.
fn without_tags(text: &str, _: &Template) -> String {
    let rest = text.rfind("</conversation>").map_or(text, |at| &text[at + "</conversation>".len()..]);
    let is_tag = |line: &&str| {
        let name = line.trim().strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).unwrap_or_default();
        TAGS.into_iter().chain(["summary"]).any(|tag| name.trim_start_matches('/') == tag)
    };
    rest.lines().filter(|line| !is_tag(line)).collect::<Vec<_>>().join("\n")
}

/// Removes the fence around a whole summary.
fn without_outer_fence(text: &str, template: &Template) -> String {
    let known =
        |text: &str| parse(text).iter().any(|section| template.sections().iter().any(|own| own.name == section.name));
    let is_mark = |line: &&str| line.trim_start().starts_with("```");
    if known(text) || !text.lines().any(|line| is_mark(&line)) {
        return text.to_owned();
    }
    let bare = text.lines().filter(|line| !is_mark(line)).collect::<Vec<_>>().join("\n");
    if known(&with_plain_headings(&bare, template)) { bare } else { text.to_owned() }
}

/// Removes everything before the first heading of the template.
fn without_preamble(text: &str, template: &Template) -> String {
    let sections = parse(text);
    let first = sections.iter().find(|section| template.sections().iter().any(|own| own.name == section.name));
    let Some(first) = first else { return text.to_owned() };
    text.lines().skip(first.line - 1).collect::<Vec<_>>().join("\n")
}

/// Removes fence marks if one is never closed: it would hide every heading after it.
fn without_open_fence(text: &str, _: &Template) -> String {
    let is_mark = |line: &&str| line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
    if text.lines().filter(is_mark).count() % 2 == 0 {
        return text.to_owned();
    }
    text.lines().filter(|line| !is_mark(line)).collect::<Vec<_>>().join("\n")
}

/// Removes sections that only repeat most of the template's instructions for them. A single item of a list of choices
/// is an answer.
fn without_echoes(text: &str, template: &Template) -> String {
    let asked = parse(template.prompt());
    let echoes = |section: &Section<'_>| {
        let own = asked.iter().find(|own| own.name == section.name);
        let lines = |section: &Section<'_>| -> BTreeSet<String> {
            section.lines.iter().map(|line| folded(line)).filter(|line| !line.is_empty()).collect()
        };
        let (own, said) = (own.map(lines).unwrap_or_default(), lines(section));
        let words = |lines: &BTreeSet<String>| lines.iter().map(|line| words(line)).sum::<usize>();
        !said.contains(NONE) && said.is_subset(&own) && 2 * words(&said) > words(&own)
    };
    let echoed = parse(text).into_iter().filter(echoes);
    let gone: BTreeSet<usize> = echoed.flat_map(|section| section.line..=section.line + section.lines.len()).collect();
    without_lines(text, &gone)
}

/// Removes the lines of sections that only have placeholders; of a text without sections, all if it has nothing else.
fn without_placeholders(text: &str, template: &Template) -> String {
    let is_held = |line: &&str| !line.trim().is_empty() && !line.starts_with("## ");
    if template.sections().is_empty() {
        let bare = text.lines().filter(is_held).all(is_placeholder);
        return if bare { String::new() } else { text.to_owned() };
    }
    let own = |section: &Section<'_>| template.sections().iter().any(|own| section.is(&own.name));
    let has_one = |section: &Section<'_>| section.lines.iter().any(|line| is_placeholder(line));
    let bare = |section: &Section<'_>| own(section) && section.has_placeholders_only() && has_one(section);
    let bare = parse(text).into_iter().filter(bare);
    let gone: BTreeSet<usize> =
        bare.flat_map(|section| section.line + 1..=section.line + section.lines.len()).collect();
    without_lines(text, &gone)
}

fn folded(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Number of words in a line, not counting bullets and other signs.
fn words(line: &str) -> usize {
    line.split(' ').filter(|word| word.contains(char::is_alphanumeric)).count()
}

/// Removes a last paragraph that is an offer or a question, and not a list item.
fn without_offer(text: &str, _: &Template) -> String {
    let Some((before, last)) = text.trim_end().rsplit_once("\n\n") else { return text.to_owned() };
    let start = last.trim().to_lowercase();
    let is_item = start.starts_with(['-', '*', '#', '`', '(']) || start.starts_with(|c: char| c.is_ascii_digit());
    let is_offer = starts_any(&start, OFFERS) || start.ends_with('?');
    if is_offer && !is_item && !last.contains('\n') { before.to_owned() } else { text.to_owned() }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    const GOOD: &str = "## Goal\n- a\n\n## Instructions\n(none)\n\n## Discoveries\n- b\n\n## Accomplished\n- c\n\n## Relevant files\n- d";

    fn cut(answer: &str) -> Vec<&'static str> {
        let Cleaned { text, cuts } = clean(answer, &Template::default());
        assert_eq!(text, GOOD, "{answer}");
        cuts
    }

    #[test]
    fn a_good_answer_stays_as_it_is() {
        assert!(cut(GOOD).is_empty());
        assert!(cut(&format!("\n{}\n\n", GOOD.replace('\n', "\r\n"))).is_empty());
    }

    #[test]
    fn what_stands_around_a_summary_is_cut_off_by_name() {
        assert_eq!(cut(&format!("Here is the summary:\n\n{GOOD}")), ["preamble"]);
        assert_eq!(cut(&format!("```markdown\n{GOOD}\n```")), ["fence"]);
        assert_eq!(cut(&format!("Sure!\n```\n{GOOD}\n```")), ["fence", "preamble"]);
        assert_eq!(cut(&format!("<prior-conversation-summary>\n{GOOD}\n</prior-conversation-summary>")), ["tags"]);
        assert_eq!(cut(&format!("<conversation>\n## Goal\n[user]\n</conversation>\n{GOOD}")), ["tags"]);
        assert_eq!(cut(&format!("<think>\n## Goal\nhm\n</think>\n{GOOD}")), ["thinking"]);
        assert_eq!(cut(&format!("hm\n</think>\n{GOOD}")), ["thinking"]);
        assert_eq!(cut(&format!("{GOOD}\n\nLet me know if you need more.")), ["offer"]);
        assert_eq!(cut(&format!("{GOOD}\n\nShould I go on?")), ["offer"]);
        assert_eq!(cut(&format!("```rust\n{GOOD}")), ["fence"]);
    }

    #[test]
    fn placeholders_are_no_content() {
        let template = Template::default();
        let half = clean(&GOOD.replacen("- b", "- N/A\n[to be filled]", 1), &template);
        assert_eq!(half.cuts, ["placeholder"]);
        assert!(half.text.contains("## Discoveries\n## Accomplished\n- c"), "{}", half.text);
        let bare = clean("## Goal\nTBD\n\n## Discoveries\nSee above.\n", &template).text;
        assert!(has_headings_only(&bare, &template) && !has_headings_only(GOOD, &template), "{bare}");
        let some = GOOD.replacen("- b", "- b\n- N/A", 1);
        assert_eq!(clean(&some, &template).text, some);
        let free = Template::parse("Summarize.", &[], true).unwrap();
        assert_eq!(clean("## Summary\n- N/A\n\nTBD", &free).text, "");
        assert_eq!(clean("The lamps burn.", &free).text, "The lamps burn.");
    }

    #[test]
    fn a_section_without_a_line_has_no_placeholder_and_none_is_an_answer() {
        let template = Template::default();
        let blank = GOOD.replacen("- b\n", "\n\n", 1);
        assert_eq!(clean(&blank, &template).cuts, Vec::<&str>::new());
        for none in ["*(none)*", "(none).", "- None", "- (None)", "Nothing yet."] {
            let whole = GOOD.replacen("- b", none, 1);
            assert_eq!(clean(&whole, &template), Cleaned { text: whole.clone(), cuts: Vec::new() });
        }
    }

    #[test]
    fn a_byte_order_mark_hides_no_heading() {
        assert_eq!(clean(&format!("\u{feff}{GOOD}"), &Template::default()).text, GOOD);
    }

    #[test]
    fn headings_in_other_dress_are_known() {
        for goal in ["# Goal", "### Goal", "**Goal**", "## Goal:", "## 1. Goal", "1. **Goal:**", "## goal", "Goal:"] {
            assert_eq!(cut(&GOOD.replacen("## Goal", goal, 1)), ["headings"], "{goal}");
        }
        let line = GOOD.replacen("- a", "- The goal", 1);
        assert_eq!(clean(&line, &Template::default()).text, line);
    }

    #[test]
    fn thinking_without_end_leaves_nothing() {
        assert_eq!(clean("<think>\nFirst I will", &Template::default()).text, "");
    }

    #[test]
    fn what_a_template_says_of_a_section_is_no_section() {
        let template = Template::default();
        let echo = clean(template.prompt(), &template);
        assert_eq!((echo.text.as_str(), echo.cuts.contains(&"echo")), ("", true));
        let (_, asked) = template.prompt().split_once("## Discoveries\n").unwrap_or_default();
        let asked = asked.split("## ").next().unwrap_or_default();
        let half = GOOD.replacen("- b\n\n", asked, 1);
        let text = clean(&half, &template).text;
        assert!(!text.contains("## Discoveries") && text.contains("- c\n"), "{text}");
        let own = Template::parse("## Status\n(none)\n## Rest\nAll that is left.", &[], false).unwrap_or_default();
        let text = "## Status\n(none)\n\n## Rest\nAll that is left.\n- The tests";
        assert_eq!(clean(text, &own).text, text);
        let own = Template::parse("## Rest\nWhat is left.\n## Status\nOne of:\n- open\n- done", &[], false).unwrap();
        let text = "## Rest\nThe tests\n\n## Status\n";
        for answer in ["- done", "- open", "- done\n- done\n- done\n- done"] {
            let whole = format!("{text}{answer}");
            assert_eq!(clean(&whole, &own).text, whole, "one of a list is an answer");
        }
        assert_eq!(clean(&format!("{text}One of:\n- open\n- done"), &own).text, "## Rest\nThe tests");
    }

    #[test]
    fn thinking_aloud_a_hundred_thousand_times_is_read_once() {
        let text = format!("{}{GOOD}", "<think>hm</think>".repeat(100_000));
        assert_eq!(cut(&text), ["thinking"]);
    }

    #[test]
    fn an_open_fence_hides_no_heading() {
        let open = GOOD.replacen("- b", "```\n- b", 1);
        assert_eq!(clean(&open, &Template::default()).text, GOOD);
    }

    #[test]
    fn refusals_are_known_and_summaries_are_none() {
        let refused = |text: &str| refuses(text, &Template::default());
        assert!(refused("I'm sorry, but I can't help with that.") && refused(" As an AI, I"));
        assert!(!refused(GOOD) && !refused("I'm sorry\n## Goal\n- a"));
    }
}
