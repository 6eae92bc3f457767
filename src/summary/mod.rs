//! T12: the summary of the head, in the sections of a template.
//!
//! ```text
//! head ─▶ extractive (turns ─▶ items by source) ─┐
//! earlier summaries ─▶ prior ────────────────────┴▶ compose (budget) ─▶ sections (validate) ─▶ Summary
//! ```

mod affinity;
mod by_model;
mod compose;
mod extractive;
mod fence;
mod found;
mod gist;
mod head;
mod items;
mod joints;
mod knowledge;
mod names;
mod numbered;
mod phrases;
mod plain;
mod prior;
mod provenance;
mod quotations;
mod redacted_head;
mod sections;
mod stems;
mod stubbed;
mod template;
mod text;
mod wrapper;
mod written_by;

#[cfg(test)]
#[path = "tests/builders.rs"]
mod builders;

pub(crate) use by_model::UNFILLABLE;
pub use by_model::{NoSummary, Summarize, Task, Written};
pub(crate) use extractive::{ASKED, CURRENT, SAID};
pub use extractive::{
    Deed, DeedKind, FileOp, Root, binds_nobody, calls_are_known, created_and_deleted, deeds, is_firm,
    is_of_its_request, is_prose, is_request, is_scratch, moved_to, only_closes, own_words, reports, request_section,
    shell_words, shown, stated_folder, trails_off,
};
pub use extractive::{line_sentences, sentences, without_links};
pub(crate) use fence::Fence;
pub use phrases::{ALSO_FAILED, ALSO_RAN, ALSO_WORKED, EARLIER, FILE_DEEDS, LATER_OK, NAMED, STILL_RUNS};
pub use plain::{frame, is_note, note, nothing};
pub use prior::{Prior, open_work, other_name};
pub use provenance::{Place, unmarked, without_marks};
pub use redacted_head::without_secrets;
pub(crate) use sections::{NONE, is_none, is_placeholder};
pub use sections::{
    Section, SectionFault, SectionReport, SectionRule, Severity, Validation, parse, section_of, validate,
};
pub use stubbed::Lost;
pub use template::{DEFAULT_TEMPLATE, SectionSource, Template, TemplateError, TemplateSection};
pub(crate) use text::{
    NUMBER_WORDS, all_digits, contains_any, each_word, ends_any, fold, has_digit, has_words, indent, is_dense,
    is_number, list_number, number_of, quoting, starts_any, without_ending, without_escapes, without_redirects,
};
pub use wrapper::{unwrap, wrap};
pub use written_by::WrittenBy;

use crate::transcript::{Message, Spread, Tokens};
use compose::{Composed, Material};
use found::{Found, found};
use head::Head;
use items::Item;
use knowledge::Knowledge;
use names::Names;
use redacted_head::RedactedHead;
use std::collections::BTreeSet;
use thiserror::Error;

/// The input of a summarizer.
pub struct Request<'t, 'a> {
    /// The messages to summarize, oldest first, as before pruning; without earlier summaries and synthetic messages.
    pub head: Vec<&'t Message<'a>>,
    /// The messages kept beside the summary: what they say need not be in it.
    pub kept: Vec<&'t Message<'a>>,
    /// How many of `kept`, from the end, are behind the head: they can end what the head left open.
    pub behind: usize,
    /// Results and arguments behind the head that lose text.
    pub lost: Vec<Lost<'t>>,
    /// The user's requests among the kept messages that the summary must mention, each with the number of messages of
    /// the head before it, ascending.
    pub asked: Vec<(usize, &'t Message<'a>)>,
    /// Texts of earlier summaries, oldest first, without their wrapper.
    pub prior: Vec<String>,
    /// Number of messages (of the head, then of those behind it) before each prior text; empty: all precede the head.
    pub prior_positions: Vec<usize>,
    /// Lines that the summary must have though no message says them (protected outputs that did not fit).
    pub notes: Vec<String>,
    /// The place in the input of each message of the head, then of each behind it, printed after the lines that come
    /// from it; `None`: no places are printed.
    pub lines: Option<Vec<Place>>,
    /// Maximum size of the text in tokens, wrapper included.
    pub budget: Tokens,
    /// Counts the tokens of a text.
    pub count: &'t (dyn Fn(&str) -> Tokens + Sync),
    /// Runs the pieces of a long head in parallel.
    pub spread: &'t dyn Spread,
}

/// A summary with the results of its validation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Its text.
    pub text: String,
    /// The text in its wrapper.
    pub wrapped: String,
    /// Who wrote it.
    pub by: WrittenBy,
    /// One entry per section of the template.
    pub sections: Vec<SectionReport>,
    /// Faults of the text as a whole.
    pub faults: Vec<SectionFault>,
    /// Number of times a summarizer was called.
    pub attempts: u32,
    /// Its lines with their origins, in order; empty if a model wrote it.
    pub lines: Vec<Line>,
    /// What a model contributed, where one was asked.
    pub written: Option<Box<Written>>,
}

/// One line of a summary with its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The name of its section.
    pub section: String,
    /// Its text, without bullet.
    pub text: String,
    /// Index of its message among those of the head, then those behind it; `None` for a line of an earlier summary or
    /// a note.
    pub origin: Option<usize>,
}

impl Summary {
    /// The distinct origins of its lines, ascending.
    pub fn origins(&self) -> Vec<usize> {
        let all: BTreeSet<usize> = self.lines.iter().filter_map(|line| line.origin).collect();
        all.into_iter().collect()
    }
}

/// Why there is no summary.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SummaryError {
    /// Not even the headings fit.
    #[error("a summary with all its headings needs {needed} tokens, but its budget is {budget}")]
    BudgetTooSmall {
        /// The budget of the summary, in tokens.
        budget: Tokens,
        /// Tokens that the headings need.
        needed: Tokens,
    },
}

/// The folder, with its trailing slash, that a summary of ours declares as the base of its relative paths.
pub fn relative_to(text: &str) -> Option<String> {
    let mut lines = text.lines().map(|line| line.trim().trim_start_matches("- "));
    lines.find_map(extractive::Root::read).map(|root| root.full(""))
}

/// Summarizes without a model: from the head's own sentences, calls and outcomes, and from earlier summaries.
///
/// # Errors
/// If the budget is too small for the headings.
pub fn extractive(request: &Request<'_, '_>, template: &Template) -> Result<Summary, SummaryError> {
    let bare = RedactedHead::of(request);
    let request = &bare.request(request);
    let own = |text: &String| prior::in_the_five(&without_marks(text), template);
    let prior: Vec<String> = request.prior.iter().map(own).collect();
    let (blank, left) = (Message::default(), request.left());
    let (read, kept) = (request.read(&blank), left.iter().map(|message| &**message).collect::<Vec<_>>());
    let head = Head::of(&read, request.spread);
    let spreading = head.spreading;
    let (Found { mut items, root, places, commands, merged }, knowledge) =
        spreading.both(|| found(request, head, &prior), || Knowledge::of(head, &prior, &kept));
    items.on_one_line();
    items.close_quotations();
    items.set_apart(template);
    items.mark(request.lines.as_deref().unwrap_or_default());
    let mut names = Names::of(head, &prior, &knowledge, &places);
    names.commands = commands;
    if let Some(note) = root.note() {
        items.files.insert(0, Item::carried(note, i64::MAX));
    }
    let material = Material { items: &items, knowledge: &knowledge, names: &names };
    let composed = compose::compose(&material, template, request, spreading)?;
    let Composed { text, lines, faults: cuts } = composed.without_secrets();
    let wrapped = wrap(&text);
    let report = validate(&text, template);
    let by = WrittenBy::Extractive { prior: merged };
    let Validation { sections, mut faults, .. } = with_cuts(report, cuts);
    // The text has no wrapper here: a tag in it is quoted from somebody's words.
    faults.retain(|fault| fault.rule != SectionRule::UnbalancedWrapper);
    Ok(Summary { text, wrapped, by, sections, faults, attempts: 1, lines, written: None })
}

/// Adds the faults caused by the budget to the reports of their sections.
fn with_cuts(mut report: Validation, cuts: Vec<SectionFault>) -> Validation {
    for fault in cuts {
        match report.sections.iter_mut().find(|section| Some(&section.name) == fault.section.as_ref()) {
            Some(section) => section.faults.push(fault),
            None => report.faults.push(fault),
        }
    }
    report
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::builders::{act, agent, count, request, user};
    use super::*;

    fn session(number: usize) -> Vec<Message<'static>> {
        let mut messages = vec![
            user(&format!("Please fix bug number {number} in the parser. Never touch the lexer of module {number}!")),
            agent("Let me look at the code."),
        ];
        messages.extend(act("Read", r#"{"file_path":"/home/me/work/src/lib.rs"}"#, "1: fn main() {}", false));
        let edit = format!(r#"{{"file_path":"/home/me/work/src/parser_{number}.rs","new_string":"x"}}"#);
        messages.extend(act("Edit", &edit, "The file has been updated", false));
        messages.extend(act(
            "Bash",
            r#"{"command":"cd /home/me && cargo test"}"#,
            "test result: ok. 7 passed; 0 failed",
            false,
        ));
        messages.push(agent(&format!(
            "The root cause was that `parse_{number}` never checked the end of the input.\n\n```rust\nlet code = {number};\n```\nI've added a check for case {number} to the parser."
        )));
        messages
    }

    fn summarize(messages: &[Message<'_>], prior: &[String], budget: u64) -> Result<Summary, SummaryError> {
        summarize_by(&Template::default(), messages, prior, budget)
    }

    fn summarize_by(
        template: &Template,
        messages: &[Message<'_>],
        prior: &[String],
        budget: u64,
    ) -> Result<Summary, SummaryError> {
        extractive(&Request { prior: prior.to_vec(), ..request(messages, budget) }, template)
    }

    #[test]
    fn each_request_tells_what_it_changed_although_a_later_one_changed_the_same_file() {
        let edit =
            || act("Edit", r#"{"file_path":"/quay/lamp.rs","new_string":"x"}"#, "The file has been updated", false);
        let asked = |what: &str| [user(what), agent("I look at it.")];
        let requests = ["Paint the lamps in red.", "Put a bench behind the mole.", "Count the inner buoys."].map(asked);
        let messages: Vec<_> = requests.into_iter().flat_map(|own| own.into_iter().chain(edit())).collect();
        let text = summarize(&messages, &[], 2_000).unwrap().text;
        assert_eq!(text.matches("\n  - Edited `/quay/lamp.rs`").count(), 3, "{text}");
    }

    #[test]
    fn names_in_addresses_are_not_named_by_their_escapes() {
        let mut messages = session(3);
        let printed = "Location: [secret]/us%2Fread_tides and scan%5Fall, %2Ftwo_harbours or Ftwo_harbours";
        messages.extend(act("Bash", r#"{"command":"curl -s localhost"}"#, printed, false));
        let summary = summarize(&messages, &[], 2_000).unwrap();
        assert!(summary.text.contains("Ftwo_harbours") && !summary.text.contains("Fread_tides"), "{}", summary.text);
    }

    #[test]
    fn names_are_told_without_the_signs_of_shown_control_characters() {
        let mut messages = session(3);
        let shown = "^IonClick={() => bookFerry()}^M$\n^Iconst tideTable = loadTides()$\nthe keeperOfM-bM-^@M-^Ys lamp\n^[[1mnorthPier^[[0m";
        messages.extend(act("Bash", r#"{"command":"cat -A board.tsx"}"#, shown, false));
        let text = summarize(&messages, &[], 2_000).unwrap().text;
        assert!(text.contains("bookFerry") && text.contains("tideTable"), "{text}");
        for cut in ["IonClick", "keeperOfM", "mnorthPier"] {
            assert!(!text.contains(cut), "{cut}: {text}");
        }
        messages.extend(act("Read", r#"{"file_path":"/home/me/work/ion.rs"}"#, "fn light(IonClick: u8)", false));
        assert!(summarize(&messages, &[], 2_000).unwrap().text.contains("IonClick"));
    }

    #[test]
    fn a_name_is_told_with_the_file_that_defines_it_although_another_one_used_it_later() {
        let mut messages = vec![user("Which lamps are low?")];
        let writes = r#"{"file_path":"/home/me/work/tide.py","content":"import os\ndef low_tide(x):\n    return x"}"#;
        messages.extend(act("Write", writes, "File created", false));
        messages.extend(act("Read", r#"{"file_path":"/home/me/work/quay.py"}"#, "print(low_tide(lamp_oil))", false));
        messages.push(agent("I'll count them."));
        let text = summarize(&messages, &[], 600).unwrap().text;
        assert!(text.contains("tide.py` — written; defines low_tide\n"), "{text}");
        assert!(text.contains("quay.py` — read; has lamp_oil\n"), "{text}");
    }

    #[test]
    fn pieces_of_a_drawing_are_no_codes() {
        let told = |read: &str| {
            let mut messages = session(3);
            messages.extend(act("Read", r#"{"file_path":"/home/me/work/bell.svg"}"#, read, false));
            summarize(&messages, &[], 2_000).unwrap().text
        };
        let drawn = told("<path d=\"M17.5 3.0003H7.40076C3.99976 22.041V64 17ZM79.1216\"/> x 5.1142324e-6");
        assert!(["0003H7", "041V64", "17ZM79", "1142324e"].iter().all(|piece| !drawn.contains(piece)), "{drawn}");
        let coded = told("Booked as 0003H7 and 041V64, commit 1142324e.");
        assert!(["0003H7", "041V64", "1142324e"].iter().all(|code| coded.contains(code)), "{coded}");
    }

    #[test]
    fn parameters_of_a_command_are_no_amounts() {
        let told = |tool: &str, args: &str| {
            let mut messages = session(3);
            messages.extend(act(tool, args, "north $7\nsouth $1200", false));
            summarize(&messages, &[], 2_000).unwrap().text
        };
        let command = told("Bash", r#"{"command":"awk '{print $7}' tides"}"#);
        assert!(!command.contains("$7") && command.contains("$1200"), "{command}");
        assert!(told("price_of_berth", r#"{"pier":"north"}"#).contains("$7"));
    }

    #[test]
    fn a_file_is_not_named_with_the_letter_of_the_break_before_it() {
        let mut messages = session(3);
        let listed = r#"{"output":"src/hooks/useTides.ts\nuseTides.ts\nnewQuay.ts\n"}"#;
        messages.extend(act("shell", r#"{"command":["bash","-lc","ls src/hooks"]}"#, listed, false));
        let summary = summarize(&messages, &[], 2_000).unwrap();
        assert!(summary.text.contains("hooks/useTides.ts"), "{}", summary.text);
        assert!(!summary.text.contains("nuseTides.ts"), "{}", summary.text);
    }

    #[test]
    fn a_session_becomes_a_briefing() {
        let summary = summarize(&session(3), &[], 2_000).unwrap();
        let expected = "\
## Goal
- Please fix bug number 3 in the parser. Never touch the lexer of module 3!

## Instructions
- Never touch the lexer of module 3!

## Discoveries
- The root cause was that `parse_3` never checked the end of the input.

## Accomplished
- Asked: “Please fix bug number 3 in the parser.”
  - Edited `/home/me/work/src/parser_3.rs`
  - Ran `cargo test`: ok: test result: ok. 7 passed; 0 failed
  - I've added a check for case 3 to the parser.

## Relevant files
- `/home/me/work/src/parser_3.rs` — edited
- `/home/me/work/src/lib.rs` — read
- Named in `cargo test`: …/home/me
";
        assert_eq!(summary.text, expected);
        assert_eq!((summary.by.name(), summary.attempts), ("extractive", 1));
        assert!(summary.faults.is_empty() && summary.sections.iter().all(|section| section.faults.is_empty()));
    }

    #[test]
    fn what_was_asked_first_stays_where_there_is_little_room() {
        let first = "How can the ferries of a harbour be listed by the hour at which they leave, the earliest of them first, and what changes where two of them leave at the same hour?";
        let now = "Can they be listed the other way round?";
        let told = agent("Sort the ferries by their hours, and those of one hour by their names as well.");
        let messages = [user(first), told, user(now)];
        let summary = summarize(&messages, &[], 80).unwrap();
        assert!(summary.text.contains("## Goal\n- How can the ferries of a harbour"), "{}", summary.text);
        assert!(summary.text.contains(&format!("- Current request: {now}")), "{}", summary.text);
    }

    #[test]
    fn a_tag_that_a_user_named_is_no_tag_of_the_summary() {
        let messages = [user("Please explain what the tag </prior-conversation-summary> is for.")];
        let summary = summarize(&messages, &[], 500).unwrap();
        assert!(summary.text.contains("</prior-conversation-summary>") && summary.faults.is_empty());
    }

    #[test]
    fn many_files_that_were_only_read_are_named_in_one_line_which_is_read_back() {
        let mut messages = session(1);
        for name in ["ferries", "quays", "lamps", "piers", "tides", "boats", "buoys", "gulls"] {
            for page in ["north", "south"] {
                let path =
                    format!(r#"{{"file_path":"/home/me/work/pages/old_{page}/{name}_of_all_the_coasts/{page}.md"}}"#);
                messages.extend(act("Read", &path, &format!("About the {name}."), false));
            }
        }
        let summary = summarize(&messages, &[], 4_000).unwrap();
        let lines: Vec<&str> = summary.text.lines().filter(|line| line.ends_with(".md` — read")).collect();
        let list = summary.text.lines().find(|line| line.starts_with("- Also read, last two names: `"));
        let named: Vec<&str> = list.into_iter().flat_map(|list| list.split('`').skip(1).step_by(2)).collect();
        assert!(lines.len() >= 11 && lines.len() + named.len() == 16, "{}", summary.text);
        assert!(named.iter().all(|end| end.contains("_of_all_the_coasts/")), "{named:?}");
        let again =
            summarize(&[user("Go on."), agent("I look at the quays.")], std::slice::from_ref(&summary.text), 4_000)
                .unwrap();
        assert!(named.iter().any(|end| again.text.contains(&format!("`…/{end}` — read"))), "{}", again.text);
    }

    #[test]
    fn a_file_that_was_read_is_told_although_the_kept_request_names_it() {
        let mut messages = session(1);
        let paths: Vec<String> = (0..16_u8).map(|at| format!("src/lamp_{}.rs", char::from(b'a' + at))).collect();
        for path in &paths {
            messages.extend(act("Read", &format!(r#"{{"file_path":"{path}"}}"#), "It burns.", false));
        }
        let asked = user(&format!("Explore these:\n- `{}`", paths.join("`\n- `")));
        let kept = Request { kept: vec![&asked], ..request(&messages, 4_000) };
        let summary = extractive(&kept, &Template::default()).unwrap();
        let untold: Vec<&String> = paths.iter().filter(|path| !summary.text.contains(&format!("`{path}`"))).collect();
        assert!(untold.is_empty(), "{untold:?}\n{}", summary.text);
    }

    #[test]
    fn of_a_series_only_some_names_are_told() {
        let mut messages = session(1);
        let many: String = (0..60).map(|number| format!("let part_{number} = load_part({number});\n")).collect();
        messages.extend(act("Read", r#"{"file_path":"/home/me/work/src/parts.rs"}"#, &many, false));
        let summary = summarize(&messages, &[], 2_000).unwrap();
        assert_eq!(summary.text.matches(" part_").count(), 4, "{}", summary.text);
        assert!(summary.text.contains("load_part"), "{}", summary.text);
    }

    #[test]
    fn a_demonstration_names_nothing_of_the_session() {
        let mut messages = session(1);
        let mut demonstration =
            user("Here is how it is done: open src/ferry_boards.py and mend load_harbour_table() there.");
        demonstration.author = crate::transcript::Author::Harness;
        messages.insert(0, demonstration);
        assert!(summarize(&messages, &[], 2_000).unwrap().text.contains("load_harbour_table"));
        messages[0].demonstration = true;
        let summary = summarize(&messages, &[], 2_000).unwrap();
        assert!(!summary.text.contains("ferry") && !summary.text.contains("harbour"), "{}", summary.text);
        let mut shown = act("Edit", r#"{"file_path":"/home/me/work/src/ferry.rs"}"#, "ok", false).to_vec();
        shown.push(agent("The table of the harbour is mended now, which was the cause of the fog."));
        shown.iter_mut().for_each(|message| message.demonstration = true);
        messages.splice(1..1, shown);
        let summary = summarize(&messages, &[], 2_000).unwrap();
        assert!(!summary.text.contains("ferry") && !summary.text.contains("harbour"), "{}", summary.text);
    }

    #[test]
    fn how_commands_without_a_line_ended_is_told() {
        let mut messages = session(1);
        messages.extend(act("Bash", r#"{"command":"git fetch"}"#, "", false));
        messages.extend(act("Bash", r#"{"command":"git diff --stat"}"#, "exit code 2", true));
        let summary = summarize(&messages, &[], 2_000).unwrap();
        assert!(summary.text.contains("Also ran, failed: `git diff`"), "{}", summary.text);
    }

    #[test]
    fn without_a_section_of_files_names_stand_with_the_discoveries() {
        let text = "---\nTask: goal\nFound: discoveries\n---\n## Task\n## Found\n";
        let template = Template::parse(text, &[], false).unwrap();
        let summary = summarize_by(&template, &session(3), &[], 2_000).unwrap();
        let (_, found) = summary.text.split_once("## Found\n").unwrap();
        assert!(found.contains("src/parser_3.rs") && found.contains("root cause"), "{}", summary.text);
    }

    #[test]
    fn a_request_comes_with_what_came_of_it() {
        let mut messages = Vec::new();
        for number in 0..30 {
            messages.push(user(&format!("Have a look at harbour {number}.")));
            let path = format!(r#"{{"file_path":"/home/me/work/harbours/board_{number}.rs"}}"#);
            messages.extend(act("Edit", &path, "The file has been updated.", false));
            messages.push(agent(&format!(
                "I rewrote the timetable of harbour {number}, so that ferries which leave late at night are no longer \
                 listed among those of the following day, whatever the season."
            )));
        }
        let summary = summarize(&messages, &[], 1_200).unwrap();
        let (_, steps) = summary.text.split_once("## Accomplished\n").unwrap();
        let lines: Vec<&str> = steps.lines().take_while(|line| line.contains("- ")).collect();
        let asked = lines.iter().filter(|line| line.starts_with("- Asked")).count();
        let bare = lines.windows(2).filter(|two| two.iter().all(|line| line.starts_with("- Asked"))).count();
        assert!(asked > 1 && bare == 0, "{}", summary.text);
    }

    #[test]
    fn nothing_to_say_is_said_in_every_section() {
        let summary = summarize(&[], &[], 200).unwrap();
        assert_eq!(summary.text.matches("(none)").count(), 5);
        assert!(summary.sections.iter().all(|section| section.faults.is_empty()));
    }

    #[test]
    fn five_compactions_in_a_row_neither_repeat_lines_nor_outgrow_the_budget() {
        let mut prior = Vec::new();
        for number in 0..5 {
            let summary = summarize(&session(number), &prior, 500).unwrap();
            assert!(count(&summary.wrapped) <= Tokens(500));
            let mut lines: Vec<&str> = summary.text.lines().filter(|line| line.starts_with("- ")).collect();
            let all = lines.len();
            lines.sort_unstable();
            lines.dedup();
            assert_eq!(lines.len(), all, "{}", summary.text);
            prior = vec![summary.text];
        }
        assert!(prior[0].contains("- Please fix bug number 0 in the parser."), "{}", prior[0]);
        assert!(prior[0].contains("Current request: Please fix bug number 4"));
        assert_eq!(prior[0].matches("Ran `cargo test`").count(), 1);
        assert_eq!(prior[0].matches("without `/home/me/work/src/`").count(), 1);
        assert_eq!(prior[0].matches("`lib.rs`").count(), 1);
    }

    #[test]
    fn the_budget_holds_at_every_size() {
        let messages: Vec<Message<'_>> = (0..30).flat_map(session).collect();
        for budget in (0..1_200).step_by(7) {
            match summarize(&messages, &["## Goal\n- An older goal".into()], budget) {
                Ok(summary) => assert!(count(&summary.wrapped) <= Tokens(budget)),
                Err(SummaryError::BudgetTooSmall { needed, .. }) => assert!(needed > Tokens(budget) && budget < 60),
            }
        }
    }

    #[test]
    fn the_goal_is_told_at_every_size() {
        let mut messages: Vec<Message<'_>> = (0..30).flat_map(session).collect();
        let first = "Please find out why the harbour board shows the last ferry of the evening twice, and mend it. "
            .to_owned()
            + &"It happens on public holidays, and on days after them. ".repeat(8);
        messages.insert(0, user(&first));
        messages.push(user("Now tell me which of the stations print high water an hour late, and since when."));
        for budget in (120..1_200).step_by(31) {
            let summary = summarize(&messages, &[], budget).unwrap();
            let (first, current) = ("## Goal\n- Please find", "- Current request: Now");
            let (has_first, has_current) = (summary.text.starts_with(first), summary.text.contains(current));
            assert!(has_first || has_current, "{budget}: {}", summary.text);
            assert!(budget < 200 || (has_first && has_current), "{budget}: {}", summary.text);
        }
    }

    #[test]
    fn changed_files_that_do_not_fit_are_counted_and_reported() {
        let messages: Vec<Message<'_>> = (0..90).flat_map(session).collect();
        let summary = summarize(&messages, &[], 600).unwrap();
        assert!(summary.text.trim_end().lines().last().unwrap().ends_with(" more"));
        assert_eq!(summary.sections[4].faults[0].name(), "files_cut");
        assert!(!summary.text.contains("lib.rs` — read"));
    }

    #[test]
    fn deleted_files_without_a_line_are_told_as_such_also_in_the_next_summary() {
        let write = |number: usize| act("Write", &format!(r#"{{"file_path":"/quay/old/{number}.rs"}}"#), "ok", false);
        let mut messages: Vec<Message<'_>> = (0..9).flat_map(write).collect();
        messages.extend(act("Bash", r#"{"command":"rm -rf /quay/old"}"#, "", false));
        messages.extend((0..30).flat_map(session));
        let first = summarize(&messages, &[], 1_200).unwrap().text;
        let second = summarize(&session(31), std::slice::from_ref(&first), 1_200).unwrap().text;
        for text in [first, second] {
            let deleted = text.lines().filter(|line| line.contains("/8.rs")).collect::<Vec<_>>();
            let told = |line: &&str| line.starts_with("- Also deleted") || line.contains("deleted");
            assert!(!deleted.is_empty() && deleted.iter().all(told), "{text}");
        }
    }

    #[test]
    fn what_a_message_says_cannot_become_structure() {
        let words =
            "## Goal\n# Must never happen: </prior-conversation-summary> stays, and ```fences never open, always.";
        let summary = summarize(&[user(words), agent(words)], &[], 500).unwrap();
        assert!(summary.sections.iter().all(|section| section.faults.is_empty()), "{}", summary.text);
        assert!(summary.faults.iter().all(|fault| fault.name() != "unknown"));
        assert_eq!(unwrap(&summary.wrapped).as_deref(), Some(summary.text.trim_end()));
    }

    #[test]
    fn lines_tell_where_they_come_from_within_the_budget_and_once() {
        let (first, second) = (session(1), session(2));
        let told = |messages: &[Message<'_>], prior: &[String], from: usize, budget: u64| {
            let lines = Some((from..from + messages.len()).map(Place::Line).collect());
            let request = Request { prior: prior.to_vec(), lines, ..request(messages, budget) };
            extractive(&request, &Template::default()).unwrap()
        };
        for budget in [150, 300, 2_000] {
            assert!(count(&told(&first, &[], 100, budget).wrapped) <= Tokens(budget));
        }
        let one = told(&first, &[], 100, 2_000);
        assert!(one.text.contains("- Edited `/home/me/work/src/parser_1.rs` [line 104]\n"), "{}", one.text);
        assert_eq!(without_marks(&one.text), summarize(&first, &[], 2_000).unwrap().text);
        assert!(one.faults.is_empty() && one.sections.iter().all(|section| section.faults.is_empty()));
        let two = told(&second, std::slice::from_ref(&one.text), 200, 2_000).text;
        assert!(two.contains("parser_1.rs") && !two.contains("[line 1"), "what was said before has no line: {two}");
        assert_eq!(without_marks(&two), summarize(&second, &[without_marks(&one.text)], 2_000).unwrap().text);
    }

    #[test]
    fn notes_stand_among_the_discoveries_before_all_else() {
        let messages: Vec<Message<'_>> = (0..30).flat_map(session).collect();
        let notes = vec!["The skill `deploy` did not fit (4200 tokens).".to_owned()];
        let request = Request { notes, ..request(&messages, 300) };
        assert!(extractive(&request, &Template::default()).unwrap().text.contains("- The skill `deploy` did not fit"));
    }

    #[test]
    fn sections_of_another_template_are_filled_by_its_front_matter() {
        let template = Template::parse("---\nWas: accomplished\n---\n## Was\n## Next steps\n", &[], false).unwrap();
        let text = extractive(&request(&session(1), 500), &template).unwrap().text;
        assert!(text.starts_with("## Was\n- Asked:") && text.ends_with("## Next steps\n(none)\n"), "{text}");
    }

    #[test]
    fn a_secret_of_the_head_is_not_in_the_summary() {
        let token = format!("ghp_{}", "aB3xY9".repeat(7));
        let words = format!("Use the token {token} for `deploy_all`. Never print {token}!");
        let summary = summarize(&[user(&words), agent("The cause was a missing token.")], &[words], 500).unwrap();
        assert!(summary.text.contains("[secret]") && !summary.text.contains("aB3xY9"), "{}", summary.text);
        assert!(summary.lines.iter().all(|line| !line.text.contains("aB3xY9")));
    }

    #[test]
    fn what_only_a_queue_has_is_said_and_is_no_request() {
        let queued = Message { queued: true, ..user("Please write to nobody about the broken lamps.") };
        let messages =
            [user("Please mend all the lamps of the quay."), agent("I look."), queued, agent("It was dark.")];
        let summary = summarize(&messages, &[], 500).unwrap();
        assert!(!summary.text.contains(super::CURRENT), "{}", summary.text);
        assert!(summary.text.contains("write to nobody about the broken lamps"), "{}", summary.text);
    }

    #[test]
    fn a_password_is_not_in_the_summary_where_it_has_no_name() {
        let words = "Log in as admin / harbour77 and never use `deploy_all`!";
        let messages = [user("The password of the quay is \"harbour77\"."), user(words), agent("It was locked.")];
        let summary = summarize(&messages, &[], 500).unwrap();
        assert!(summary.text.contains("admin / [secret]") && !summary.text.contains("harbour77"), "{}", summary.text);
    }

    #[test]
    fn a_secret_that_only_its_name_gives_away_or_that_is_cut_is_not_in_the_summary() {
        let value = "9f86d081884c7d659a2feaa0c55ad015";
        let password = "S3cr3tPassw0rdXyz";
        let url = format!("postgres://admin:{password}@db/x");
        let run = format!(r#"{{"command":"cargo test --manifest-path={}?db={url}"}}"#, "a".repeat(50));
        let head = [
            vec![user("Find out why `deploy_all` fails.")],
            act("bash", r#"{"command":"cat .env"}"#, &format!("export API_KEY={value}"), false).to_vec(),
            act("bash", &run, "ok", false).to_vec(),
        ]
        .concat();
        let text = summarize(&head, &[format!("api_key = {value}")], 500).unwrap().text;
        assert!(!text.contains(&value[..8]) && !text.contains(&password[..8]), "{text}");
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]

        #[test]
        fn any_text_gives_a_valid_summary_within_its_budget(
            words in proptest::collection::vec("(\\PC|[\n#`*<>&/.:0-9必]){0,120}", 4), budget in 60_u64..600,
        ) {
            let mut messages = vec![user(&words[0]), agent(&words[1])];
            messages.extend(act("Bash", &words[2], &words[3], words[3].len() % 2 == 0));
            messages.extend(act("Edit", &serde_json::json!({"file_path": words[2]}).to_string(), &words[3], false));
            let summary = summarize(&messages, &words[..2], budget).unwrap();
            proptest::prop_assert!(count(&summary.wrapped) <= Tokens(budget));
            proptest::prop_assert!(summary.faults.is_empty() && summary.sections.len() == 5, "{}", summary.text);
            let errors = summary.sections.iter().flat_map(|section| &section.faults).filter(|fault| fault.severity() == Severity::Error);
            proptest::prop_assert_eq!(errors.count(), 0, "{}", summary.text);
        }
    }
}
