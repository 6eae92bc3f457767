//! Earlier summaries, ours and those of other systems: read by their headings and merged into the new one.

mod lines;
mod merge;
mod parents;
mod reader;
mod rules;
mod superseded;
mod titles;

pub(super) use merge::{merge_all, read_all};
pub use titles::{open_work, other_name};

use super::extractive::{EarlierItem, ItemState, PAST, is_ahead, may_be_over, sentences};
use super::fence::Fence;
use super::template::{SectionSource, Template, heading};
use crate::transcript::base_name;

/// A line of an earlier summary.
#[derive(Debug, PartialEq, Eq)]
struct PriorText {
    source: SectionSource,
    text: String,
    /// Whether it was indented under another line.
    below: bool,
    /// Whether a model of another system wrote it.
    foreign: bool,
    /// Its heading, in lower case.
    heading: String,
    /// Whether the user said it.
    typed: bool,
    /// Whether a newer summary of the whole session left it out.
    left_out: bool,
    /// Number of its summary, from the oldest.
    summary: usize,
    /// Whether nothing came after it.
    newest: bool,
}

impl PriorText {
    /// Whether later messages may make it obsolete.
    fn may_end(&self) -> bool {
        match self.source {
            SectionSource::Accomplished => is_ahead(&self.text),
            SectionSource::Discoveries => may_be_over(&self.text),
            _ => false,
        }
    }
}

/// The content of earlier summaries, by source.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Prior {
    lines: Vec<PriorText>,
    files: Vec<(String, String)>,
    /// By file: number of its summary.
    told: Vec<usize>,
    names: Vec<(String, String)>,
}

impl Prior {
    /// Parses an earlier summary; in a text without any known heading every line is a discovery.
    pub fn read(text: &str) -> Self {
        reader::read(text)
    }

    /// The lines of a source, in order; files are not among them (see [`Self::files`]).
    pub fn lines(&self, source: SectionSource) -> Vec<&str> {
        self.lines.iter().filter(|line| line.source == source).map(|line| line.text.as_str()).collect()
    }

    /// Paths of files with the text about them.
    pub fn files(&self) -> &[(String, String)] {
        &self.files
    }

    /// Names of the index after files, as pairs of path and names.
    pub(super) fn names(&self) -> &[(String, String)] {
        &self.names
    }

    /// The statements that later messages may make obsolete: lines, then files. `stands` has, by summary, the number
    /// of messages before it.
    pub(super) fn then(&self, stands: &[usize]) -> Vec<EarlierItem> {
        let place = |summary: usize| stands.get(summary).copied().unwrap_or(0);
        let lines = self.lines.iter().filter(|line| line.may_end());
        let lines = lines.map(|line| EarlierItem { place: place(line.summary), text: line.text.clone() });
        let files = self.files.iter().zip(&self.told).filter(|((_, story), _)| may_be_over(story));
        let files = files.map(|((path, story), told)| {
            let name = base_name(path);
            EarlierItem { place: place(*told), text: format!("{name} {story}") }
        });
        lines.chain(files).collect()
    }

    /// Applies the fates of these statements, in the order of [`Self::then`]: removes obsolete ones. Open work is
    /// kept from the newest summary only.
    pub(super) fn end(&mut self, fates: &[ItemState]) {
        let mut fates = fates.iter();
        let newest = self.lines.iter().map(|line| line.summary).max();
        self.lines.retain_mut(|line| {
            let fate = if line.may_end() { fates.next() } else { None };
            if fate == Some(&ItemState::Past)
                && let Some((_, rest)) = line.text.split_once(": ")
            {
                line.text = format!("{PAST}{rest}");
            }
            line.newest = fate == Some(&ItemState::Newest);
            fate != Some(&ItemState::Over) && !(is_ahead(&line.text) && Some(line.summary) < newest)
        });
        for (_, story) in self.files.iter_mut().filter(|(_, story)| may_be_over(story)) {
            if fates.next() == Some(&ItemState::Over) {
                *story = sentences(story)
                    .into_iter()
                    .filter(|sentence| !may_be_over(sentence))
                    .collect::<Vec<_>>()
                    .join(" ");
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.files.is_empty()
    }
}

/// A summary by another template with the headings of the default template for the same sources.
pub(super) fn in_the_five(text: &str, template: &Template) -> String {
    let source = |name: &str| template.sections().iter().find(|section| section.name == name)?.source;
    let mut fence = Fence::default();
    let lines = text.split_inclusive('\n').map(|line| {
        let code = fence.holds(line.trim_end());
        let source = heading(line).filter(|_| !code).and_then(source);
        source.map_or_else(|| line.to_owned(), |source| format!("## {}\n", source.heading()))
    });
    lines.collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::summary::extractive::{Root, instruction_strength, weight};
    use crate::summary::items::{Item, Items};

    #[test]
    fn our_own_summary_is_read_by_its_headings() {
        let text = "## Goal\n- Do it\n- Current request: more\n\n## Instructions\n(none)\n\n## Relevant files\n\
                    - Paths are shown without `/a/b/c/`\n- `src/x.rs` — edited 2×\n- and 4 more\n";
        let prior = Prior::read(text);
        assert_eq!(prior.lines(SectionSource::Goal), ["Do it", "Current request: more"]);
        assert!(
            prior.lines(SectionSource::Instructions).is_empty() && prior.lines(SectionSource::Discoveries).is_empty()
        );
        assert_eq!(prior.files(), [("/a/b/c/src/x.rs".to_owned(), "edited 2×".to_owned())]);
    }

    #[test]
    fn a_parent_is_whole_without_its_list_and_a_filled_file_is_not_empty() {
        let text = "## Discoveries\n- `lamp.ts` exists but is empty.\n- `oil.ts` is empty\n\n## Accomplished\n\
                    - Created `lamp.ts` with:\n  - a `Wick` interface\n- Read `oil.ts`\n";
        let mut items = Items::default();
        merge_all(&mut items, &Root::default(), read_all(&[text.to_owned()]));
        let told = |items: &[Item]| items.iter().map(|item| item.text.clone()).collect::<Vec<_>>();
        assert_eq!(told(&items.discoveries), ["`oil.ts` is empty"]);
        let steps = ["Created `lamp.ts`", "Created `lamp.ts` with — a `Wick` interface", "Read `oil.ts`"];
        assert_eq!(told(&items.accomplished), steps);
    }

    #[test]
    fn numbered_titles_with_or_without_emphasis_are_known() {
        let text = "This session is being continued from a previous conversation.\n<analysis>\n1. Current Work: no\n</analysis>\n\
                    Summary:\n1. **Primary Request and Intent**: Build the tool.\n   - Never use macros\n\n\
                    3. Files and Code Sections:\n   - `src/main.rs`\n      - Holds the entry point\n```rust\nfn x() {}\n```\n\
                    4. Errors and fixes:\n   - **Wrong type**: cast it first\n6. **All user messages:**\n   - \"go on with it\"\n\
                    7. Pending Tasks:\n   - Write the tests\n9. Optional Next Step:\n   Run them.\n";
        let prior = Prior::read(text);
        assert_eq!(prior.lines(SectionSource::Goal), ["Build the tool."]);
        assert_eq!(prior.lines(SectionSource::Instructions), ["Never use macros"]);
        assert_eq!(prior.lines(SectionSource::Discoveries), ["Wrong type: cast it first"]);
        let steps = ["Asked: “go on with it”", "Pending: Write the tests", "Next: Run them."];
        assert_eq!(prior.lines(SectionSource::Accomplished), steps);
        assert_eq!(prior.files(), [("src/main.rs".to_owned(), "Holds the entry point".to_owned())]);
    }

    #[test]
    fn steps_of_our_own_below_headings_of_others_say_themselves_what_they_are() {
        let text = "## Pending Tasks\n- Open step: Light the pier\n- Paint it\n\n## Current Work\n- Ran `make tide`: ok\n\
                    - Asked: “go on”\n- Reading the map\n";
        let steps = ["Open step: Light the pier", "Pending: Paint it", "Ran `make tide`: ok", "Asked: “go on”"];
        let prior = Prior::read(text);
        assert_eq!(prior.lines(SectionSource::Accomplished)[..4], steps);
        assert_eq!(prior.lines(SectionSource::Accomplished)[4], "In progress: Reading the map");
    }

    #[test]
    fn the_list_that_a_goal_announces_is_part_of_it() {
        let text = "Summary:\n1. Primary Request and Intent:\n   The user asked for three things about the lamps:\n   1. Mend `lamp()`\n\
                    \x20  2. Never light two at once\n   3. Paint them\n   Then the pier is to be swept.\n";
        let prior = Prior::read(text);
        let goal =
            "The user asked for three things about the lamps: Mend `lamp()`; Never light two at once; Paint them";
        assert_eq!(prior.lines(SectionSource::Goal), [goal]);
        assert_eq!(prior.lines(SectionSource::Instructions), ["Never light two at once"]);
        assert_eq!(prior.lines(SectionSource::Accomplished).len(), 1);
    }

    #[test]
    fn what_an_agent_thinks_it_should_do_is_no_rule_of_the_user() {
        let text = "**Key context for the next turn**\n- Never open the lock by hand.\n\
                    - User: I must approve it, never merge alone.\n- Never run `sed -i` on charts.\n\
                    - Always keep the I/O layer apart.\n- For safety, I should never change `lamp()` before the tide.\n";
        let prior = Prior::read(text);
        assert_eq!(prior.lines(SectionSource::Instructions).len(), 4);
        assert_eq!(prior.lines(SectionSource::Discoveries).len(), 1);
    }

    #[test]
    fn headings_of_later_templates_are_known() {
        let text = "## Objective\n- Ship it\n## Important Details\n- Port 80\n## Work State\n### Completed\n- One\n\
                    ### Blocked\n- Two\n## Next Move\n1. Three\n## Constraints & Preferences\n- No macros\n";
        let prior = Prior::read(text);
        assert_eq!(prior.lines(SectionSource::Accomplished), ["One", "Blocked: Two", "Next: Three"]);
        assert_eq!(prior.lines(SectionSource::Instructions), ["No macros"]);
    }

    #[test]
    fn what_limited_an_earlier_request_is_over_with_it() {
        let text = "## Goal\n- Mend it\n\n## Instructions\n- Do not paint the pier yet.\n- No red lamps.\n";
        let merged = |goal: &[&str]| {
            let goal = goal.iter().map(|text| Item::carried((*text).to_owned(), 1)).collect();
            let mut items = Items { goal, ..Items::default() };
            merge_all(&mut items, &Root::default(), Prior::read(text));
            items.instructions.len()
        };
        assert_eq!((merged(&["Paint the pier."]), merged(&[])), (1, 2));
    }

    #[test]
    fn files_without_an_ending_stay_files() {
        let text = "## Relevant files\n- `.env` — written; has LAMP_KEY, oil_of_lamp\n- `Makefile` — read 2×\n\
                    - `LICENSE` — written, deleted\n- `light_lamp` — the entry point, never called at night\n";
        let prior = Prior::read(text);
        let files = [(".env", "written"), ("Makefile", "read 2×"), ("LICENSE", "written, deleted")];
        assert_eq!(prior.files(), files.map(|(path, story)| (path.to_owned(), story.to_owned())));
        assert_eq!(prior.lines(SectionSource::Discoveries).len(), 1);
    }

    #[test]
    fn what_came_of_a_request_that_goes_on_stands_below_it() {
        let text = "## Accomplished\n- Asked: “Mend the pier.”\n  - Edited `pier.rs`\n- Asked: “Now the tests of the quay.”\n  \
                    - Wrote `quay_test.rs`\n";
        let told = |asked: &str| {
            let head = |text: &str| Item { turn: Some(1), ..Item::carried(text.to_owned(), 1) };
            let accomplished = vec![head(&format!("Asked: “{asked}”")), head("Ran `make test`: ok")];
            let mut items = Items { accomplished, ..Items::default() };
            merge_all(&mut items, &Root::default(), Prior::read(text));
            items.accomplished.into_iter().map(|item| (item.text, item.turn == Some(1))).collect::<Vec<_>>()
        };
        let line = |(text, own): (&str, bool)| (text.to_owned(), own);
        let before = [("Asked: “Mend the pier.”", false), ("Edited `pier.rs`", false)];
        let goes_on = [
            ("Asked: “Now the tests of the quay.”", true),
            ("Wrote `quay_test.rs`", true),
            ("Ran `make test`: ok", true),
        ];
        assert_eq!(told("Now the tests of the quay."), before.into_iter().chain(goes_on).map(line).collect::<Vec<_>>());
        assert_eq!(told("Now paint the lamps.").len(), 6);
    }

    #[test]
    fn lines_in_bold_that_stand_alone_are_headings() {
        let text = "**Current Progress**\n- Built the quay.\n\n**Key Decisions**\n- One crane.\n\n\
                    **Important Constraints / Preferences**\n- Never dredge at night.\n\n\
                    **Critical Blocking Context**\n- The lock is closed.\n- Never open it by hand.\n- `src/lock/gate.rs`\n\n\
                    **What Remains (Next Steps)**\n1. **Mend the lock**\n   - `cargo test`\n\n\
                    **References / Files to Inspect First**\n- `src/quay.rs`\n\n**Weather**\n- Fog.\n";
        let prior = Prior::read(text);
        let steps = ["Built the quay.", "Next: Mend the lock", "Next: Mend the lock — `cargo test`"];
        assert_eq!(prior.lines(SectionSource::Accomplished), steps);
        assert_eq!(prior.lines(SectionSource::Discoveries), ["Decided: One crane.", "The lock is closed.", "Fog."]);
        assert_eq!(prior.lines(SectionSource::Instructions), ["Never dredge at night.", "Never open it by hand."]);
        let files = ["src/lock/gate.rs", "src/quay.rs"].map(|path| (path.to_owned(), String::new()));
        assert_eq!(prior.files(), files);
    }

    #[test]
    fn a_goal_that_announces_others_comes_with_the_first_of_them() {
        let text = "1. **Primary Request and Intent:**\n\n   The user asked, across several turns:\n\n   \
                    a. **Chart:** Draw the harbour.\n\n   b. **Then:** *\"go on with the quay\"*\n";
        let prior = Prior::read(text);
        assert_eq!(
            prior.lines(SectionSource::Goal),
            ["The user asked, across several turns: Chart: Draw the harbour."]
        );
        assert_eq!(prior.lines(SectionSource::Accomplished).len(), 1);
        let own = Prior::read("## Goal\n- Do all of these in turn:\n- Current request: the quay\n");
        assert_eq!(own.lines(SectionSource::Goal), ["Do all of these in turn:", "Current request: the quay"]);
    }

    #[test]
    fn a_text_without_headings_is_all_discoveries() {
        assert_eq!(
            Prior::read("The port is 80.\n\nIt is open.").lines(SectionSource::Discoveries),
            ["The port is 80.", "It is open."]
        );
    }

    #[test]
    fn lines_that_a_harness_adds_to_its_summary_are_none_of_it() {
        let text = "[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns were compacted.\n## Discoveries\n\
                    - The lamp burns on `quay_4`.\n- [Context compaction] is logged twice in `log.py`.\n\
                    - [SKILL_PRUNED: content lost; reload it]\n\n\
                    --- END OF CONTEXT SUMMARY — respond to the message below ---";
        assert_eq!(
            Prior::read(text).lines(SectionSource::Discoveries),
            ["The lamp burns on `quay_4`.", "[Context compaction] is logged twice in `log.py`."]
        );
    }

    #[test]
    fn a_line_that_only_announces_others_is_no_discovery() {
        let text = "## Discoveries\n- The files of the harbour that were only looked at:\n  - The port is 80.\n\
                    - Added the method `open_port` with:\n## Accomplished\n- Fixed all of these, one after the other:\n";
        let prior = Prior::read(text);
        assert_eq!(prior.lines(SectionSource::Discoveries), ["The port is 80.", "Added the method `open_port`"]);
        assert!(prior.lines(SectionSource::Accomplished).is_empty());
    }

    #[test]
    fn headings_of_the_template_in_force_are_read_by_its_own_map() {
        let template = Template::parse("---\nNEXT: instructions\n---\n## NEXT\n## Other\n", &[], false).unwrap();
        let text = in_the_five("## NEXT\n- Never push\n## Other\n- x\n```\n## NEXT\n```\n", &template);
        assert_eq!(text, "## Instructions\n- Never push\n## Other\n- x\n```\n## NEXT\n```\n");
        assert_eq!(Prior::read(&text).lines(SectionSource::Instructions), ["Never push"]);
    }

    #[test]
    fn a_goal_is_carried_whole() {
        let goal = "Paint the pier of the harbour red, and write the names of its lamps to docs/lamps.md. ".repeat(5);
        let (goal, current) = (goal.trim_end(), format!("Current request: {}", "Mend the quay of it. ".repeat(20)));
        let prior = Prior::read(&format!("## Goal\n- {goal}\n- {current}\n\n## Discoveries\n- {goal}\n"));
        assert_eq!(prior.lines(SectionSource::Goal), [goal, current.trim_end()]);
        assert!(prior.lines(SectionSource::Discoveries)[0].ends_with('…'));
    }

    #[test]
    fn the_newest_summary_says_how_things_stand() {
        let texts = ["## Next Steps\n- Paint the quay\n## Accomplished\n- Lit it\n", "## Pending Tasks\n- Sail\n"];
        let mut all = read_all(&texts.map(str::to_owned));
        let then = all.then(&[0, 7]);
        assert_eq!(then.iter().map(|then| then.place).collect::<Vec<_>>(), [0, 7]);
        all.end(&[ItemState::Open, ItemState::Past]);
        assert_eq!(all.lines(SectionSource::Accomplished), ["Lit it", "Pending of an earlier request: Sail"]);
    }

    #[test]
    fn what_lasted_at_a_file_then_is_not_told_once_it_is_over() {
        let text = "## Relevant files\n- `src/lamp.rs` — Holds the lamps. Still needs the wick.\n";
        let story = |fate: ItemState| {
            let mut all = read_all(&[text.to_owned()]);
            assert_eq!(all.then(&[])[0].text, "lamp.rs Holds the lamps. Still needs the wick.");
            all.end(&[fate]);
            all.files()[0].1.clone()
        };
        assert_eq!(story(ItemState::Over), "Holds the lamps.");
        assert_eq!(story(ItemState::Open), "Holds the lamps. Still needs the wick.");
    }

    #[test]
    fn where_nothing_is_to_be_done_nothing_else_is() {
        let text = "7. Pending Tasks:\n   - No pending tasks. All is done.\n8. Optional Next Step:\n   None is asked for, but the user could want to:\n   - Sail on\n\n9. Current Work:\n   Sailing.\n";
        assert_eq!(Prior::read(text).lines(SectionSource::Accomplished), ["In progress: Sailing."]);
    }

    #[test]
    fn thinking_aloud_goes_on_to_the_heading_of_the_summary() {
        let text = "Analysis:\n1. **Current State**: All at sea.\n**Lamps**:\n- Still dark\n\nSummary:\n1. Pending Tasks:\n   - Sail\n";
        let prior = Prior::read(text);
        assert_eq!((prior.lines.len(), prior.lines(SectionSource::Accomplished)), (1, vec!["Pending: Sail"]));
    }

    #[test]
    fn what_a_model_retells_is_no_quote() {
        let text = "1. Primary Request and Intent:\n   The user wants lamps.\n   - Lit by day, shown when present\n\n\
                    6. All user messages:\n   - (interrupted a long wait)\n   - \"check again\" (the lamps)\n   - First words: \"light it\"\n";
        let told = ["Asked: Lit by day, shown when present", "Asked: “check again” (the lamps)", "Asked: “light it”"];
        assert_eq!(Prior::read(text).lines(SectionSource::Accomplished), told);
    }

    #[test]
    fn an_earlier_rule_weighs_what_it_weighs_in_the_head_but_for_less_than_a_point() {
        let rule = "I want green lamps, please, we need new oil, so let's use that.";
        let mut items = Items::default();
        merge_all(&mut items, &Root::default(), Prior::read(&format!("## Instructions\n- {rule}\n")));
        let (strength, weight) = (instruction_strength(rule).unwrap(), weight(rule));
        assert!(weight > strength, "{weight} {strength}");
        assert!(items.instructions[0].rank > (weight - 1) * 10, "{}", items.instructions[0].rank);
    }
}
