//! Splits Markdown into sentences of prose; code, tables, data and logs are left out.

use super::above::{Above, Begun};
use super::aimed::{aims, below_aim, told_with};
use super::below_colon::add_names;
use super::by_numbers::{answer, answers};
use super::compared::tell_things;
use super::cues::is_field;
use super::faults::{items_of_faults, told_faults};
use super::flows::tell_flows;
use super::halves::{below, heads_before};
use super::headed::{self, Line, add_bans, concludes, unbraced, unbroken};
use super::labeled::below_its_item;
use super::links::without_links;
use super::marked::{Mark, is_marked, is_of_runs, marked, marked_last};
use super::proposals::{Proposal, tells_deed};
use super::quoted::{Marks, Quoted, is_ticked};
use super::repeated::{tell_parents, tell_plans};
use super::requested::asks_for_items;
use super::risks::tell_risks;
use super::rules::{SHORT, is_short_ban};
use super::signs::{is_bracketed, is_glob, is_notice, without_closing_star, without_signs};
use super::splitting::{Hand, split};
use super::structure::{is_bold_title, is_code, is_console, is_markup, is_ruler, is_statement, shown};
use super::wording::{is_of_figures, is_prose, is_wording};
use super::wrapping::wrapped;
use crate::summary::fence::Fence;
use crate::summary::text::{
    QUESTION_MARKS, SENTENCE_ENDS, behind, columns, first_bytes, fold, indent, list_number, words,
};

/// Maximum length of a line that is read as prose, in bytes; longer ones are data.
const LONGEST_LINE: usize = 4_000;
/// Minimum number of words of an item that says something by itself.
pub(super) const TERSE: usize = 2;
/// Minimum width of a line that may have been wrapped, in columns.
const WRAPPED: usize = 50;

/// The sentences of a text, without Markdown marks.
pub fn sentences(text: &str) -> Vec<String> {
    read(text, Hand::Careful)
}

/// The sentences of a text typed by a person: they may begin in lower case, and lines are seldom wrapped.
pub(in crate::summary::extractive) fn typed(text: &str) -> Vec<String> {
    read(text, Hand::Quick)
}

fn read(text: &str, hand: Hand) -> Vec<String> {
    let mut out = Vec::new();
    let blocks = blocks(text, hand);
    let mut at = 0;
    while let Some((block, indent)) = blocks.get(at) {
        at += 1;
        let is_told = |text: &str| hand == Hand::Quick || !is_notice(text);
        if hand == Hand::Careful && heads_before(block) {
            at += below(&blocks[at..]);
            continue;
        }
        let is_item = indent.is_some();
        let (_, last) = headed::lead_and_heading(block);
        let faults = if hand == Hand::Quick && !is_item { items_of_faults(last, &blocks[at..]) } else { 0 };
        let items = if hand == Hand::Quick && faults == 0 { headed::items_below(&blocks[at - 1..]) } else { 0 };
        let (lead, heading) = if items + faults > 0 { headed::lead_and_heading(block) } else { (&**block, "") };
        // A person may forbid something in two words (“Don't push.”) and answer a list item by item (“2. fail
        // loud.”).
        let says = |text: &str| is_wording(text) && (is_short_ban(text, SHORT) || is_item && words(text) == TERSE);
        let mut marks = Marks::of(lead).filter(|_| hand == Hand::Careful);
        // Each sentence of an item below “Later:” is told with that.
        let aim = Some(lead).filter(|_| hand == Hand::Careful && is_item).and_then(below_aim).map(|(label, _)| label);
        split(lead, hand, |sentence| {
            if marks.as_mut().is_some_and(|marks| marks.hold(sentence)) || !is_told(block) || !is_told(sentence) {
                return;
            }
            // A state and a name: “failed: lint”.
            let states = hand == Hand::Careful && is_marked(sentence) && is_wording(sentence);
            if is_prose(sentence)
                || states
                || hand == Hand::Careful && is_of_figures(sentence)
                || hand == Hand::Quick && says(sentence)
            {
                let is_behind = |label: &&str| !sentence.starts_with(label);
                let label = aim.filter(is_behind).map(|label| format!("{label}: ")).unwrap_or_default();
                out.push(label + sentence);
            }
        });
        out.extend(told_faults(heading, &blocks[at..at + faults]));
        out.extend(headed::joined(heading, &blocks[at..at + items]));
        at += items + faults;
    }
    out
}

/// Paragraphs and list items as single lines, items with their indent; headings, fences, tables and code are left
/// out.
fn blocks(text: &str, hand: Hand) -> Vec<Line> {
    let mut reader = Blocks::of(text, hand);
    let rests = if hand == Hand::Quick { wrapped(text) } else { Vec::new() };
    for (line, is_rest) in text.lines().zip(rests.into_iter().chain(std::iter::repeat(false))) {
        reader.take(line, is_rest);
    }
    let mut blocks = reader.all;
    blocks.iter_mut().for_each(Block::finish);
    tell_marks(&mut blocks);
    match hand {
        Hand::Careful => {
            without_proposals(&mut blocks);
            tell_risks(&mut blocks);
            tell_plans(&mut blocks);
            tell_parents(&mut blocks);
            tell_things(&mut blocks);
            tell_flows(&mut blocks);
        }
        Hand::Quick => {
            add_bans(&mut blocks);
            add_names(&mut blocks);
        }
    }
    let aims = if hand == Hand::Careful { aims(&blocks) } else { Vec::new() };
    let told = |at: usize| told_with(aims.get(at).and_then(Option::as_ref), below_its_item(&blocks[..=at], hand));
    (0..blocks.len()).map(|at| (told(at), blocks[at].indent)).collect()
}

/// Reads the blocks of a text line by line.
struct Blocks<'t> {
    hand: Hand,
    all: Vec<Block<'t>>,
    fence: Fence,
    quoted: Quoted,
    /// The code right before the line.
    above: Above<'t>,
    /// Whether the last block can go on.
    open: bool,
    /// Width of the last line of prose, in columns.
    before: usize,
    /// Whether the last line was copied from a screen.
    console: bool,
    /// Whether the last line was code outside of fences.
    code: bool,
    /// Number of blocks up to the last drawn line.
    drawn: Option<usize>,
    /// Whether a person answers by numbers with a colon.
    answers: bool,
}

impl<'t> Blocks<'t> {
    fn of(text: &str, hand: Hand) -> Self {
        let (fence, quoted, above) = (Fence::default(), Quoted::of(text), Above::default());
        let answers = hand == Hand::Quick && answers(text);
        Self {
            hand,
            all: Vec::new(),
            fence,
            quoted,
            above,
            open: false,
            before: 0,
            console: false,
            code: false,
            drawn: None,
            answers,
        }
    }

    /// Takes the next line; `is_rest`: it was wrapped off the line before.
    fn take(&mut self, line: &'t str, is_rest: bool) {
        let line = if self.hand == Hand::Quick { unbraced(unbroken(line)) } else { line };
        let is_left_out = self.hand == Hand::Quick && is_ticked(line) || self.skips(line);
        self.open = !is_left_out && self.adds(line, is_rest);
    }

    /// Whether a line is no prose of the writer: a heading, a table, code, a quote. It ends the list before it.
    fn skips(&mut self, line: &'t str) -> bool {
        let careful = self.hand == Hand::Careful;
        self.console = !careful && (is_console(line) || self.console && line.starts_with(' '));
        let held = self.fence.holds(line);
        let quotes = !held && careful && self.quoted.holds(line);
        let titled = !held && careful && is_bold_title(line);
        let states = !held && careful && is_statement(line, self.code);
        let code = !held && is_code(line);
        if !line.trim().is_empty() {
            self.code = states || code;
        }
        let structured = (code || is_markup(line)) && !(self.answers && answer(line).is_some());
        if !(held || structured || self.console || quotes || titled || states) {
            return false;
        }
        if held {
            self.above.take(line);
        } else {
            self.above = Above::default();
        }
        self.end_list(line);
        if is_ruler(line.trim()) {
            self.end_title();
        }
        let title = || titled.then(|| line.trim().trim_matches('*'));
        let heading = Some(line).filter(|_| !held).and_then(heading).or_else(title).unwrap_or_default();
        self.all.push(Block { heading, ..Block::default() });
        if heads_before(heading) || concludes(heading) {
            self.all.push(Block { words: heading.to_owned(), ..Block::default() });
        }
        true
    }

    /// Empties a line between two drawn ones, which is a heading: “CONSTRAINTS (important)”.
    fn end_title(&mut self) {
        let is_title =
            |words: &str| !words.ends_with(SENTENCE_ENDS) && !words.ends_with(':') && !is_short_ban(words, SHORT);
        let count = self.all.len();
        let between = self.all.last_mut().filter(|last| last.indent.is_none() && words(&last.words) <= SHORT);
        if let Some(last) =
            between.filter(|last| self.drawn.is_some_and(|drawn| drawn + 1 == count) && is_title(&last.words))
        {
            last.words.clear();
        }
        self.drawn = Some(count + 1);
    }

    /// Says after a typed colon what the line below it shows.
    fn end_list(&mut self, line: &str) {
        let announces = self.all.last_mut().filter(|last| self.hand == Hand::Quick && last.words.ends_with(':'));
        if let Some(last) = announces {
            let shown = shown(line, &last.words);
            last.words.push_str(&shown);
        }
    }

    /// Adds a line of prose to the last block, or as a new one; returns whether the block can go on.
    fn adds(&mut self, line: &str, is_rest: bool) -> bool {
        let line_words = first_bytes(line.trim(), LONGEST_LINE);
        let mark = || marked(line_words).or_else(|| marked_last(line_words));
        let mark = if self.hand == Hand::Careful { mark() } else { None };
        let answer = answer(line_words).filter(|_| self.answers).map(|words| (true, words));
        let unmarked = || answer.unwrap_or_else(|| without_marker(line_words));
        let (item, words) = mark.map_or_else(unmarked, |(_, _, words)| (true, words));
        if words.is_empty() {
            return false;
        }
        let long = self.hand == Hand::Careful || self.before >= WRAPPED || !small(words);
        self.before = columns(line);
        let continues = |last: &Block<'_>| is_rest || long && goes_on(&last.words, words);
        match self.all.last_mut().filter(|last| self.open && !item && continues(last)) {
            Some(last) => {
                last.words.push(' ');
                last.words.push_str(words);
            }
            None => {
                let above = Some(std::mem::take(&mut self.above)).filter(|_| self.hand == Hand::Careful && !item);
                let indent = item.then(|| indent(line));
                let mark = mark.map(|(mark, sign, _)| (mark, sign));
                self.all.push(Block { indent, words: words.to_owned(), above, mark, ..Block::default() });
            }
        }
        true
    }
}

/// Writes the words for its mark before each marked item; “failed” only in a list about what passed and failed.
fn tell_marks(blocks: &mut [Block<'_>]) {
    let mut start = 0;
    while start < blocks.len() {
        let more = blocks[start..].iter().take_while(|block| block.indent.is_some()).count();
        let (before, rest) = blocks.split_at_mut(start);
        let list = &mut rest[..more];
        if list.iter().any(|block| block.mark.is_some()) {
            let heading = before.iter().rev().find(|block| !block.heading.is_empty()).map_or("", |block| block.heading);
            let lead = before.iter().rev().find(|block| block.indent.is_none() && !block.words.is_empty());
            let lead = lead.map_or_else(|| heading.to_owned(), |lead| format!("{heading} {}", lead.words));
            let of_runs = is_of_runs(&lead, list.iter().map(|block| &*block.words));
            for block in list {
                let told = block.mark.map(|(mark, sign)| mark.in_list(sign, &block.words, of_runs));
                block.words = told.unwrap_or_else(|| std::mem::take(&mut block.words));
            }
        }
        start += more.max(1);
    }
}

/// Empties the blocks that describe an option, except fields, which say the same of one that was chosen.
fn without_proposals(blocks: &mut [Block<'_>]) {
    let (mut proposal, mut requests) = (Proposal::default(), false);
    let reports = blocks.iter().any(|block| tells_deed(&block.words));
    let asks =
        blocks.iter().rfind(|block| !block.words.is_empty()).is_some_and(|last| last.words.ends_with(QUESTION_MARKS));
    for block in blocks {
        if !block.heading.is_empty() {
            proposal.head(block.heading, reports);
            requests = false;
            continue;
        }
        if block.indent.is_none() {
            requests = asks_for_items(&block.words);
        } else if requests {
            block.words.clear();
        }
        // The label above an entry says what it is of.
        let is_label = block.words.ends_with([':', '：']) && words(&block.words) <= TERSE;
        let is_entry = block.indent.is_some() && (is_label || is_field(&block.words));
        if !block.words.is_empty() && proposal.holds(&block.words, block.indent) && !is_entry {
            block.words.clear();
        } else if asks {
            proposal.offer(&block.words);
        }
    }
}

/// The text of a heading; `None` for other lines, such as `#include`.
pub(in crate::summary::extractive) fn heading(line: &str) -> Option<&str> {
    line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#')).map(str::trim)
}

/// A paragraph, or an item of a list.
#[derive(Default)]
pub(super) struct Block<'t> {
    /// Indent in bytes, if it is an item.
    pub(super) indent: Option<usize>,
    pub(super) words: String,
    /// The code right before it.
    above: Option<Above<'t>>,
    /// What its mark says became of it, and the mark.
    pub(super) mark: Option<(Mark, &'static str)>,
    /// The text of a heading; such a block has no words.
    pub(super) heading: &'t str,
}

impl Block<'_> {
    /// Removes marks, and completes a beginning that was in code.
    fn finish(&mut self) {
        self.words = plain(&fold(&self.words));
        match self.above.map_or(Begun::Whole, |above| above.begun(&self.words)) {
            Begun::Whole => {}
            Begun::By(name) => self.words.insert_str(0, &name),
            Begun::InCode => {
                let mut all = Vec::new();
                split(&self.words, Hand::Careful, |sentence| all.push(sentence.to_owned()));
                self.words = all.get(1..).unwrap_or_default().join(" ");
            }
        }
    }
}

/// Removes a list or quote marker; returns whether it was one of a list, and the rest.
pub(in crate::summary::extractive) fn without_marker(line: &str) -> (bool, &str) {
    let line = line.trim_start_matches("> ");
    for marker in ["- [ ] ", "- [x] ", "[ ] ", "[x] ", "- ", "* ", "• ", "+ ", "– "] {
        if let Some(rest) = behind(line, marker) {
            return (true, rest.trim_start());
        }
    }
    let is_bullet = |sign: &char| !sign.is_ascii() && !sign.is_alphanumeric() && !"“‘«¿¡「『€£¥₹₩".contains(*sign);
    if let Some(sign) = line.chars().next().filter(is_bullet).filter(|_| !is_bracketed(line)) {
        return (true, line[sign.len_utf8()..].trim_start_matches('\u{fe0f}').trim_start());
    }
    // “**2. Light it** — now”
    match list_number(line.strip_prefix("**").unwrap_or(line)) {
        Some((digits, rest)) if digits.len() <= 3 => (true, rest.trim_start()),
        _ => (false, line),
    }
}

fn small(line: &str) -> bool {
    line.chars().next().is_some_and(char::is_lowercase)
}

/// Whether a line continues the line before.
fn goes_on(before: &str, next: &str) -> bool {
    let open = before.ends_with([',', ':', '(', '-']);
    small(next) || open || (columns(before) >= 60 && !before.ends_with(SENTENCE_ENDS) && !before.ends_with('`'))
}

/// Removes emphasis, link targets, and signs before the first word.
pub(in crate::summary::extractive) fn plain(line: &str) -> String {
    let line = without_links(line);
    let mut out = String::with_capacity(line.len());
    let mut code = false;
    let mut rest = line.as_str();
    while let Some(at) = memchr::memchr2(b'`', b'*', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        code ^= rest.starts_with('`');
        // More than three stars mask a text.
        let stars = rest.bytes().take_while(|byte| *byte == b'*').count();
        let strong = !code && (2..=3).contains(&stars) && !is_glob(&out, &rest[2..]);
        let (shown, taken) = if strong { (0, 2) } else { (stars.max(1), stars.max(1)) };
        out.push_str(&rest[..shown]);
        rest = &rest[taken..];
    }
    out.push_str(rest);
    without_closing_star(&out, without_marker(without_signs(&out).trim_end()).1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_lines_in_wide_letters_stand_alone() {
        let lines = "灯塔每晚点亮，没有油的时候不准点亮\n把名单改成新的格式";
        assert_eq!(typed(lines), ["灯塔每晚点亮，没有油的时候不准点亮", "把名单改成新的格式"]);
        for number in ["预算不超过6000元。", "बजट ज़्यादा से ज़्यादा ₹5000 है।"]
        {
            assert_eq!(typed(number), [number]);
        }
    }

    #[test]
    fn answers_by_numbers_are_no_listing() {
        let answers = "1: yes\n2: no, never sink the ferry\n\nThe quay is old.";
        assert_eq!(typed(answers), ["no, never sink the ferry", "The quay is old."]);
        assert_eq!(typed("1: import ferry\n2: ferry is never sunk"), [""; 0]);
    }

    #[test]
    fn a_line_between_two_drawn_ones_is_a_heading() {
        let drawn = |title: &str| typed(&format!("----------\n{title}\n----------\nLight the lamp of the pier.\n"));
        assert_eq!(drawn("LAMPS OF THE QUAY (VERY IMPORTANT)"), ["Light the lamp of the pier."]);
        assert_eq!(drawn("Never sink a ferry"), ["Never sink a ferry", "Light the lamp of the pier."]);
        assert_eq!(drawn("It is very dark here.")[0], "It is very dark here.");
    }

    #[test]
    fn marked_thoughts_are_not_said() {
        let text = "<thinking>\nThe lamp was mended, I guess.\n</thinking>\n\nThe lamp is out at night.\n<thinking>Maybe it has no oil.</thinking>";
        assert_eq!(sentences(text), ["The lamp is out at night."]);
        let named = "I take out `<thinking>` first. The lamp is out until `</thinking>` is read.";
        assert_eq!(sentences(named).len(), 2);
        assert_eq!(sentences("<thinking>\nThe lamp is out at night.").len(), 1, "it is never closed");
    }

    #[test]
    fn a_line_that_is_broken_in_a_terminal_is_typed_prose() {
        let text = "Please rename the lamp in the list.\\\nNever touch the tests of it.\\\n\\\nlight --all \\\n  --quay 7 \\\n";
        assert_eq!(typed(text), ["Please rename the lamp in the list.", "Never touch the tests of it."]);
    }

    #[test]
    fn signs_in_code_that_is_not_closed_are_not_counted() {
        assert_eq!(sentences("Light the lamp of `the old pier;"), [""; 0]);
        assert_eq!(sentences("[`the lamp of the old pier]"), [""; 0]);
    }

    #[test]
    fn markdown_becomes_plain_sentences() {
        let text = "# Title here now\n\n**Root cause**: the cache\nis never cleared. It grows!\n\n- first item of it\n  goes on\n1. **second** item is here\n";
        assert_eq!(
            sentences("It **never counts `lamps`**. The **.rs files do."),
            ["It never counts `lamps`.", "The **.rs files do."]
        );
        let expected = ["Root cause: the cache is never cleared.", "first item of it goes on", "second item is here"];
        assert_eq!(sentences(text), expected);
    }

    #[test]
    fn a_line_in_bold_type_is_a_heading_unless_it_says_something() {
        for title in [
            "**What This Means for the Old Pier**",
            "**Lamps I Recommend Lighting**",
            "**Why it feels wrong here**",
            "`★ Insight ─────────────────`",
            "`──────────────────────`",
        ] {
            assert_eq!(sentences(&format!("{title}\n\nThe lamp needs oil.")), ["The lamp needs oil."], "{title}");
        }
        for told in ["**The old pier is mended**", "**All Lamp Tests Pass**", "**The Pier Needs Paint.**"] {
            assert_eq!(sentences(told).len(), 1, "{told}");
        }
    }

    #[test]
    fn a_bracket_that_is_closed_is_not_cut_off() {
        for whole in ["[Note] Never touch the map.", "【注意】不要修改地图。", "_Never_ touch the old map."]
        {
            assert_eq!(sentences(whole), [whole]);
        }
        for start in ["[ ] ", "[x] ", "- [x] "] {
            let told = sentences(&format!("{start}touch the old map of the harbour and of the quay"));
            assert_eq!(told.len(), 1, "{start}");
            assert!(told[0].ends_with("touch the old map of the harbour and of the quay"), "{told:?}");
            assert!(!told[0].starts_with('['), "{told:?}");
        }
    }

    #[test]
    fn a_heading_that_is_the_answer_is_a_sentence() {
        let text = "## Conclusion: the lamp was lit 40 times\n\nIt was lit by hand.";
        assert_eq!(sentences(text), ["Conclusion: the lamp was lit 40 times", "It was lit by hand."]);
        assert_eq!(sentences("## 结论: 灯一共亮了 40 次，每天两次"), ["结论: 灯一共亮了 40 次，每天两次"]);
        assert_eq!(sentences("## Conclusion\n\n## Lamps: the old and the new ones"), [""; 0]);
    }

    #[test]
    fn frames_of_a_traceback_are_no_sentences() {
        let frames = "File /opt/quay/readers.py:873, in read_tides(path, sep, skip_blank_lines)\nFile \"/w/lamp.py\", line 7, in light";
        assert_eq!(typed(frames), [""; 0]);
        assert_eq!(typed("File the report in the harbour office.").len(), 1);
    }

    #[test]
    fn the_number_of_an_item_in_bold_type_is_no_word() {
        let text = "> **1. Leave the lamps as they are** — they are all written down in the list of the harbour\n> **2. Light each of them** — by hand";
        let told = [
            "Leave the lamps as they are — they are all written down in the list of the harbour",
            "Light each of them — by hand",
        ];
        assert_eq!(sentences(text), told);
        assert_eq!(sentences("**2024** was a dark year."), ["2024 was a dark year."]);
    }

    #[test]
    fn code_tables_data_and_logs_are_no_sentences() {
        let text = "```\nthis is code in a fence\n```\nlet x = call(a, b);\n| a table | row is | here |\n{\"a json\": \"line with words\"}\n\
                    12→ a line of a dump\n2024-01-02 a log line of words\n[INFO] server has been started\n@@ -1,2 +3,4 @@ fn some words\n\
                    + added a line of words\nif (a) {\n";
        assert_eq!(sentences(text), Vec::<String>::new());
    }

    #[test]
    fn points_inside_of_names_numbers_and_code_end_nothing() {
        let text = "Use e.g. version 1.2.3 of `a. B` in src/main.rs now. Then stop it there.";
        assert_eq!(sentences(text), ["Use e.g. version 1.2.3 of `a. B` in src/main.rs now.", "Then stop it there."]);
        assert_eq!(typed("Paint a pier in the words of F. Lamp and be done.").len(), 1);
        assert_eq!(
            sentences("A single \"Loading...\" may not be enough."),
            ["A single \"Loading...\" may not be enough."]
        );
    }

    #[test]
    fn a_question_in_brackets_ends_no_sentence() {
        for whole in [
            "The lamp has to fail softly (what if it has no oil?), and that is the one trouble of it.",
            "The tide (is it high? nobody knows) ends the day for the ferry.",
        ] {
            assert_eq!(sentences(whole), [whole]);
            assert_eq!(typed(whole), [whole]);
        }
        assert_eq!(sentences("Is the lamp of it lit? :) The ferry is on time.").len(), 2);
    }

    #[test]
    fn scripts_without_spaces_have_sentences_too() {
        assert_eq!(sentences("请不要修改数据库结构。必须先运行测试！"), ["请不要修改数据库结构。", "必须先运行测试！"]);
    }

    #[test]
    fn what_a_person_types_on_two_lines_is_two_sentences() {
        let text = "the page should be full width\nuse the new skill for it\n";
        assert_eq!(typed(text), ["the page should be full width", "use the new skill for it"]);
        assert_eq!(typed("it is too wide. make it small"), ["it is too wide.", "make it small"]);
        assert_eq!(sentences(text).len(), 1);
    }

    #[test]
    fn a_person_forbids_in_two_words() {
        assert_eq!(typed("Delete it, then commit. Don't push. Ok."), ["Delete it, then commit.", "Don't push."]);
        assert_eq!(typed("No push. Commit only. Reply in German."), ["No push.", "Commit only.", "Reply in German."]);
        assert_eq!(typed("把旧的文件删掉,然后提交。不要 push。"), ["把旧的文件删掉,然后提交。", "不要 push。"]);
        assert_eq!(sentences("It works fine here. Don't push."), ["It works fine here."]);
    }

    #[test]
    fn no_sentence_begins_or_ends_with_a_sign_of_another_one() {
        let text = "Here is one remark more, any thoughts? - also, do we need both lamps?";
        assert_eq!(typed(text), ["Here is one remark more, any thoughts?", "also, do we need both lamps?"]);
        let quoted = "It says \"The lamp is out. Light it again, please.\" but I see no lamp";
        assert_eq!(typed(quoted), ["It says \"The lamp is out.", "Light it again, please.", "but I see no lamp"]);
        let whole = "Add this line: \"Never light the red lamp\"";
        assert_eq!(typed(whole), [whole]);
        assert_eq!(typed("“Light the lamp. Never light it twice.”"), ["Light the lamp.", "Never light it twice."]);
        assert_eq!(typed("the screen of it is 14\""), ["the screen of it is 14\""]);
    }

    #[test]
    fn boxes_that_are_ticked_ask_for_nothing() {
        let form = "The lamp of the pier is out.\n\n- [x] I looked at the other lamps\n[X] I searched for old reports\n\n- [ ] Light the lamp again\n";
        assert_eq!(typed(form), ["The lamp of the pier is out.", "Light the lamp again"]);
    }

    #[test]
    fn a_text_that_is_announced_is_told_by_its_title() {
        let plan =
            "Follow this plan:\n\n# Plan: Mend the pier of the ferries\n\n## Context\n\nThe pier is old and wet.\n";
        assert_eq!(typed(plan), ["Follow this plan: Mend the pier of the ferries.", "The pier is old and wet."]);
        let other = "Follow this plan:\n\n# Mend the pier\n\nThe pier is old and wet.\n";
        assert_eq!(typed(other)[0], "Follow this plan: Mend the pier.");
        assert_eq!(typed("Read these words:\n\n## Context\n\nThe pier is old.")[0], "Read these words: …");
    }

    #[test]
    fn notices_of_a_harness_are_no_sentences() {
        let text = "[Compacted history of the quay evicted. See the log]\n\nThe lamp burns again now. [old content of it truncated]\n";
        assert_eq!(sentences(text), ["The lamp burns again now."]);
        assert_eq!(typed("[mend the lamp of the pier]").len(), 1, "a person may write in brackets");
    }

    #[test]
    fn globs_are_no_emphasis() {
        assert_eq!(
            sentences("The pattern src/**/*.rs matches all of them"),
            ["The pattern src/**/*.rs matches all of them"]
        );
    }

    #[test]
    fn links_become_what_they_show_or_the_path_they_lead_to() {
        let text = "See [main.rs](src/main.rs) and [the docs](https://a.example/b) for it";
        assert_eq!(sentences(text), ["See src/main.rs and the docs for it"]);
    }

    #[test]
    fn emphasis_goes_and_names_with_underscores_stay() {
        assert_eq!(
            sentences("It was about **the seat**. So the old __init__ was then **run** in its own process"),
            ["It was about the seat.", "So the old __init__ was then run in its own process"]
        );
        assert_eq!(plain("**Write** to y****.********7301@quay.example"), "Write to y****.********7301@quay.example");
    }
}
