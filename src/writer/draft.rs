//! A model's summary during repair: the sections of the template in order, each with its lines.

use super::headings::meant;
use super::items::{new_ones, parted, without};
use crate::summary::{NONE, Section, Template, is_none, parse, wrap};
use crate::transcript::Tokens;
use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

/// The sections of a summary: name and lines. A free-form template has one without a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Draft {
    sections: Vec<(Option<String>, Vec<String>)>,
}

/// Ranges of lines that are the sentences of one paragraph, by section.
pub(super) type Paragraphs = Vec<Vec<Range<usize>>>;

impl Draft {
    /// Parses a text: duplicate sections are joined, without what both have; sections out of order are moved, other
    /// headings lowered to `###`, below the lines of the section that they are another name of, or that they stand
    /// behind.
    pub(super) fn read(text: &str, template: &Template) -> Self {
        if template.sections().is_empty() {
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            return Self { sections: vec![(None, tidy(lines))] };
        }
        let names = || template.sections().iter().map(|section| &section.name);
        let mut sections: Vec<(Option<String>, Vec<String>)> =
            names().map(|name| (Some(name.clone()), Vec::new())).collect();
        let mut told = vec![HashSet::new(); sections.len()];
        let mut below = vec![Vec::new(); sections.len()];
        let mut open = None;
        for Section { name, lines, .. } in parse(text) {
            let known = names().position(|own| own == name);
            open = known.or(open);
            let home = meant(name, template).map(|home| &home.section.name);
            let home = home.and_then(|home| names().position(|own| own == home)).or(open);
            let Some(at) = home else { continue };
            let new = new_ones(&lines, &mut told[at]);
            let all = || lines.iter().map(|line| (*line).to_owned());
            if known.is_none() {
                below[at].push(format!("### {name}"));
                below[at].extend(all());
                continue;
            }
            let own = &mut sections[at].1;
            // The first time, a section may repeat itself.
            let is_first = own.is_empty();
            while !is_first && own.pop_if(|last| last.trim().is_empty()).is_some() {}
            own.extend(if is_first { all().collect() } else { new });
        }
        for ((_, lines), below) in sections.iter_mut().zip(below) {
            lines.extend(below);
            *lines = tidy(std::mem::take(lines));
        }
        Self { sections }
    }

    /// The summary as text.
    pub(super) fn render(&self) -> String {
        self.render_first(&self.lengths())
    }

    /// The number of lines of each section.
    fn lengths(&self) -> Vec<usize> {
        self.sections.iter().map(|(_, lines)| lines.len()).collect()
    }

    /// The text with only the first `lengths` lines of each section.
    fn render_first(&self, lengths: &[usize]) -> String {
        let mut out = String::new();
        for ((name, lines), length) in self.sections.iter().zip(lengths) {
            let lines = lines.get(..*length).unwrap_or(lines);
            if !out.is_empty() {
                out.push('\n');
            }
            if let Some(name) = name {
                out.push_str(&format!("## {name}\n"));
            }
            let text = if lines.is_empty() { NONE.to_owned() } else { lines.join("\n") };
            out.push_str(&text);
            out.push('\n');
        }
        out
    }

    /// Names of the sections without lines.
    pub(super) fn empty(&self) -> Vec<String> {
        let empty = self.sections.iter().filter(|(_, lines)| lines.is_empty());
        empty.filter_map(|(name, _)| name.clone()).collect()
    }

    /// Whether all sections are empty or `(none)`.
    pub(super) fn says_nothing(&self) -> bool {
        self.sections.iter().all(|(_, lines)| lines.iter().all(|line| is_none(line)))
    }

    fn lines(&self, name: &str) -> Option<&Vec<String>> {
        self.sections.iter().find(|(own, _)| own.as_deref() == Some(name)).map(|(_, lines)| lines)
    }

    /// Replaces the lines of these sections by those of another draft, if it has any. Returns the names of the replaced
    /// sections.
    pub(super) fn take(&mut self, names: &[String], from: &Self) -> Vec<String> {
        let mut taken = Vec::new();
        for (name, lines) in &mut self.sections {
            let Some(name) = name.as_ref().filter(|name| names.contains(name)) else { continue };
            if let Some(other) = from.lines(name).filter(|other| !other.is_empty()) {
                lines.clone_from(other);
                taken.push(name.clone());
            }
        }
        taken
    }

    /// The places of these lines, by their numbers in the rendered text, from 1: for each section the number of its
    /// first line, and which of its lines they are.
    fn places(&self, numbers: &BTreeSet<usize>) -> Vec<(usize, BTreeSet<usize>)> {
        let mut number = 0;
        let place = |(at, (name, lines)): (usize, &(Option<String>, Vec<String>))| {
            number += usize::from(at > 0) + usize::from(name.is_some());
            let first = number + 1;
            number += lines.len().max(1);
            (first, numbers.range(first..=number).map(|hit| hit - first).collect())
        };
        self.sections.iter().enumerate().map(place).collect()
    }

    /// The draft with each sentence of the paragraphs that these lines belong to on a line of its own, and these
    /// paragraphs; `None` if there are none. Lines are given by their numbers in the rendered text.
    pub(super) fn parted(&self, numbers: &BTreeSet<usize>) -> Option<(Self, Paragraphs)> {
        let (mut fine, mut paragraphs) = (self.clone(), Paragraphs::new());
        for ((_, lines), (_, hits)) in fine.sections.iter_mut().zip(self.places(numbers)) {
            let (sentences, here) = parted(lines, &hits);
            *lines = sentences;
            paragraphs.push(here);
        }
        paragraphs.iter().any(|here| !here.is_empty()).then_some((fine, paragraphs))
    }

    /// Whether each of these paragraphs has one of these lines.
    pub(super) fn are_hit(&self, paragraphs: &Paragraphs, numbers: &BTreeSet<usize>) -> bool {
        let places = self.places(numbers);
        let mut all =
            paragraphs.iter().zip(&places).flat_map(|(here, (_, hits))| here.iter().map(move |it| (it, hits)));
        all.all(|(paragraph, hits)| hits.range(paragraph.clone()).next().is_some())
    }

    /// Drops the items with one of these line numbers in the rendered text, from 1, and of the parted paragraphs the
    /// sentences. Returns the section of each given line.
    pub(super) fn drop_lines(&mut self, numbers: &BTreeSet<usize>, paragraphs: &Paragraphs) -> Vec<(usize, String)> {
        let mut dropped = Vec::new();
        let places = self.places(numbers);
        for (at, ((name, lines), (first, hits))) in self.sections.iter_mut().zip(places).enumerate() {
            let section = name.clone().unwrap_or_default();
            dropped.extend(hits.iter().map(|hit| (hit + first, section.clone())));
            *lines = tidy(without(lines, &hits, paragraphs.get(at).map_or(&[][..], Vec::as_slice)));
        }
        dropped
    }

    /// Adds items to a section, or to the last one if there is no such section; items whose text is somewhere in the
    /// draft are not added.
    pub(super) fn add_once(&mut self, name: Option<&str>, items: &[String]) {
        let text = self.render();
        let new: Vec<&String> = items.iter().filter(|item| !text.contains(item.as_str())).collect();
        if new.is_empty() {
            return;
        }
        let at = self.sections.iter().position(|(own, _)| own.as_deref() == name);
        let last = self.sections.len().saturating_sub(1);
        let Some((_, lines)) = self.sections.get_mut(at.unwrap_or(last)) else { return };
        if lines.iter().all(|line| line.is_empty() || is_none(line)) {
            lines.clear();
        }
        lines.extend(new.into_iter().map(|item| format!("- {item}")));
    }

    /// Drops lines until the wrapped text fits the budget, each time the last line of the longest section. Returns
    /// whether any was dropped.
    ///
    /// A model that repeats itself can write hundreds of thousands of lines: the search counts few texts, none much
    /// longer than the budget.
    pub(super) fn trim(&mut self, budget: Tokens, count: &dyn Fn(&str) -> Tokens) -> bool {
        if count(&wrap(&self.render())) <= budget {
            return false;
        }
        let mut cuts = self.cuts();
        cuts.reverse();
        let lengths = |most: usize| {
            let mut lengths = vec![0; self.sections.len()];
            cuts.iter().take(most).for_each(|(section, length)| lengths[*section] = *length);
            lengths
        };
        let fits = |most: usize| count(&wrap(&self.render_first(&lengths(most)))) <= budget;
        let (mut fit, mut above) = (0, 1);
        while above < cuts.len() && fits(above) {
            (fit, above) = (above, above * 2);
        }
        above = above.min(cuts.len());
        while above - fit > 1 {
            let middle = fit.midpoint(above);
            if fits(middle) { fit = middle } else { above = middle }
        }
        let lengths = lengths(fit);
        let cut = !cuts.is_empty();
        self.sections.iter_mut().zip(lengths).for_each(|((_, lines), length)| lines.truncate(length));
        cut
    }

    /// The order in which lines are dropped: each time the section, and its number of lines before the drop.
    fn cuts(&self) -> Vec<(usize, usize)> {
        let mut cuts = Vec::new();
        let mut left = self.lengths();
        let size = |lines: &[String]| lines.iter().map(String::len).sum::<usize>();
        let mut sizes: Vec<usize> = self.sections.iter().map(|(_, lines)| size(lines)).collect();
        let longest = |left: &[usize], sizes: &[usize]| {
            let open = (0..left.len()).filter(|at| left[*at] > 0);
            open.max_by_key(|at| (left[*at] > 1, sizes[*at]))
        };
        while let Some(at) = longest(&left, &sizes) {
            cuts.push((at, left[at]));
            let lines = &self.sections[at].1;
            // A blank line is never left at the end.
            while let Some(line) = left[at].checked_sub(1).and_then(|last| lines.get(last)) {
                (left[at], sizes[at]) = (left[at] - 1, sizes[at] - line.len());
                if left[at].checked_sub(1).and_then(|last| lines.get(last)).is_none_or(|line| !line.is_empty()) {
                    break;
                }
            }
        }
        cuts
    }
}

/// Removes blank lines around the text, repeated blank lines, and `(none)` beside other lines, unless it is what the
/// line above it announces. Alone, it is spelled like this, however the model does.
fn tidy(lines: Vec<String>) -> Vec<String> {
    let says = lines.iter().any(|line| !line.trim().is_empty() && !is_none(line));
    let announces = |line: &String| line.starts_with('#') || line.ends_with(':') || line.ends_with(":**");
    let mut out: Vec<String> = Vec::with_capacity(lines.len());
    for line in lines {
        let last = out.last();
        let is_kept = match (line.trim().is_empty(), is_none(&line)) {
            (true, _) => last.is_some_and(|last| !last.is_empty()),
            (_, true) => last.map_or(!says, |last| says && announces(last)),
            _ => true,
        };
        if is_kept {
            out.push(if !says && is_none(&line) { NONE.to_owned() } else { line.trim_end().to_owned() });
        }
    }
    while out.last().is_some_and(String::is_empty) {
        out.pop();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str) -> Tokens {
        Tokens(text.len() as u64)
    }

    fn draft(text: &str) -> Draft {
        Draft::read(text, &Template::default().only(|section| ["Goal", "Discoveries"].contains(&&*section.name)))
    }

    #[test]
    fn sections_are_joined_moved_and_lowered() {
        let text = "## Discoveries\n- b\n## Notes\n- n\n## Goal\n(none)\n\n\n- a\n## Goal\n- c";
        assert_eq!(draft(text).render(), "## Goal\n- a\n- c\n\n## Discoveries\n- b\n### Notes\n- n\n");
    }

    #[test]
    fn what_stands_twice_is_told_once() {
        let text = "## Goal\n- a\n- a\n## Discoveries\n- b\n  - x\n- c\n  - x\n";
        let once = draft(text).render();
        assert_eq!(draft(&format!("{text}\n{text}- d\n")).render(), format!("{once}- d\n"));
        assert!(once.contains("- a\n- a\n"), "{once}");
    }

    #[test]
    fn a_heading_that_is_another_name_goes_home() {
        let template = Template::default();
        let text = "## Goal\n- a\n## Relevant files\n- f\n## Next Steps\n- n\n## Tides\n- t\n## Findings\n- b";
        let text = Draft::read(text, &template).render();
        assert!(text.contains("## Discoveries\n### Findings\n- b\n"), "{text}");
        assert!(text.contains("## Accomplished\n### Next Steps\n- n\n"), "{text}");
        assert!(text.contains("## Relevant files\n- f\n### Tides\n- t\n"), "{text}");
    }

    #[test]
    fn lines_of_other_headings_stand_behind_those_of_their_section() {
        let text = "## Goal\n- a\n## Next Steps\n- n\n## Accomplished\n- b\n## Discoveries\n- c";
        let text = Draft::read(text, &Template::default()).render();
        assert!(text.contains("## Accomplished\n- b\n### Next Steps\n- n\n"), "{text}");
    }

    #[test]
    fn a_section_without_anything_says_none_as_we_do() {
        for none in ["(None)", "- None", "Nothing yet.", "*(none)*", "(none).", "- (none)\n- None."] {
            assert_eq!(draft(&format!("## Goal\n{none}")).render(), "## Goal\n(none)\n\n## Discoveries\n(none)\n");
        }
        let some = "## Goal\n- a\n\n## Discoveries\n### Open\n- None\n### Known\n- b\n";
        assert_eq!(draft(&format!("{some}- None")).render(), some);
    }

    #[test]
    fn what_is_rendered_is_read_again_as_it_was() {
        for text in ["", "## Goal\n- a", "## Goal\nx\n\ny\n## Discoveries\n(none)"] {
            let once = draft(text).render();
            assert_eq!(draft(&once).render(), once);
        }
        assert!(draft("## Goal\n- (none)").says_nothing() && draft("").says_nothing());
    }

    #[test]
    fn an_item_goes_as_a_whole() {
        let mut one = draft("## Goal\n- a\n  more of a\n- b\n\n## Discoveries\n- c\nplain\n\n- d");
        let numbers: Vec<_> = one.render().lines().zip(1..).map(|(line, at)| format!("{at} {line}")).collect();
        assert!(
            numbers.contains(&"3   more of a".to_owned()) && numbers.contains(&"8 plain".to_owned()),
            "{numbers:?}"
        );
        let dropped = one.drop_lines(&BTreeSet::from([3, 8]), &Paragraphs::new());
        assert_eq!(dropped, [(3, "Goal".into()), (8, "Discoveries".into())]);
        assert_eq!(one.render(), "## Goal\n- b\n\n## Discoveries\n- d\n");
        one.drop_lines(&BTreeSet::from([2]), &Paragraphs::new());
        assert_eq!(one.empty(), ["Goal"]);
    }

    #[test]
    fn a_draft_is_trimmed_to_any_budget() {
        let all = draft(&format!("## Goal\n- a\n## Discoveries\n{}", "- found\n".repeat(30)));
        let least = count(&wrap(&draft("").render()));
        for budget in (least.0..400).step_by(7) {
            let mut one = all.clone();
            assert_eq!(one.trim(Tokens(budget), &count), count(&wrap(&all.render())) > Tokens(budget));
            assert!(count(&wrap(&one.render())) <= Tokens(budget));
        }
        let mut none = all.clone();
        assert!(none.trim(Tokens(0), &count) && none.render() == draft("").render(), "less than nothing can't go");
        let mut short = all;
        short.trim(least + Tokens(20), &count);
        assert!(short.render().contains("- a"), "the short section stays: {}", short.render());
    }

    #[test]
    fn what_goes_is_what_would_go_line_by_line() {
        let all = draft(&format!(
            "## Goal\n- a whole goal\n\nb\n## Discoveries\n{}\n{}",
            "- found\n\n".repeat(9),
            "- x\n".repeat(9)
        ));
        let mut slow = all.clone();
        loop {
            let size = count(&wrap(&slow.render()));
            let mut one = all.clone();
            one.trim(size, &count);
            assert_eq!(one, slow, "{size:?}");
            let longest = slow.sections.iter_mut().filter(|(_, lines)| !lines.is_empty());
            let size = |lines: &[String]| lines.iter().map(String::len).sum::<usize>();
            let Some((_, lines)) = longest.max_by_key(|(_, lines)| (lines.len() > 1, size(lines))) else { break };
            lines.pop();
            *lines = tidy(std::mem::take(lines));
        }
    }

    #[test]
    fn an_endless_answer_is_counted_a_few_times() {
        let mut long = draft(&format!("## Goal\n- a\n## Discoveries\n{}", "- found\n".repeat(100_000)));
        let bytes = std::cell::Cell::new(0);
        let counting = |text: &str| {
            bytes.set(bytes.get() + text.len());
            count(text)
        };
        let whole = long.render().len();
        assert!(long.trim(Tokens(900), &counting));
        assert!(bytes.get() < whole * 2 && long.render().contains("- found"), "{}", bytes.get());
    }
}
