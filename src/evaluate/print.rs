//! The board as a table for a terminal.

use super::board::{Board, Curve, Group, Row};
use super::measures::{MEASURES, Measure, RECALL, Scale, UNCHANGED};
use crate::measure::LEAST_SESSIONS;
use std::fmt::Write;

impl Board {
    /// A table for each group of cuts.
    pub fn table(&self) -> String {
        let mut out = String::new();
        for group in &self.groups {
            let few = format!(", fewer than {LEAST_SESSIONS} sessions: for information");
            let note = if group.informs_only { &*few } else { "" };
            let _ = writeln!(out, "{}: {} cuts of {} sessions{note}", group.name, group.cuts, group.sessions);
            let _ = writeln!(out, "  sorted by recall; differences are to {}", group.reference);
            out += &group_table(group);
            out.push('\n');
        }
        out += &self.models();
        if !self.curves.is_empty() {
            out += &curve_table(&self.curves);
        }
        out
    }

    /// Lines on the use of models, one per row with a model.
    pub(super) fn models(&self) -> String {
        let rows = self.groups.first().map(|group| group.rows.as_slice()).unwrap_or_default();
        let told = rows.iter().filter_map(|row| Some(format!("{}: {}\n", row.policy, row.llm.as_ref()?)));
        let told: String = told.collect();
        if told.is_empty() { told } else { told + "\n" }
    }
}

/// Widest line of a table, in characters; the columns of a wider one stand in several blocks.
const WIDTH: usize = 100;

/// A table with a name at the start of each row.
struct Grid {
    names: Vec<String>,
    /// The width of each column, and its cells from the heading down; empty ones have nothing to say.
    columns: Vec<(usize, Vec<String>)>,
}

impl Grid {
    fn of(rows: impl Iterator<Item = String>) -> Self {
        let names = std::iter::once("policy".to_owned()).chain(rows).collect();
        Self { names, columns: Vec::new() }
    }

    /// Adds a column, unless none of its cells says anything.
    fn column(&mut self, heading: impl Into<String>, cells: impl Iterator<Item = String>) {
        let cells: Vec<String> = cells.collect();
        if cells.iter().any(|cell| !cell.is_empty()) {
            let cells: Vec<String> = std::iter::once(heading.into()).chain(cells).collect();
            self.columns.push((widest(&cells), cells));
        }
    }

    /// The blocks of its columns, each below the names.
    fn text(&self) -> String {
        let names = widest(&self.names);
        let (mut out, mut rest) = (String::new(), self.columns.as_slice());
        loop {
            let mut width = 2 + names;
            let fits = |(own, _): &&(usize, Vec<String>)| {
                width += 2 + own;
                width <= WIDTH
            };
            // A single column is written, however wide.
            let many = rest.iter().take_while(fits).count().max(1).min(rest.len());
            let (block, others) = rest.split_at(many);
            for (row, name) in self.names.iter().enumerate() {
                let mut line = format!("  {name:<names$}");
                block.iter().for_each(|(width, cells)| line += &format!("  {:>width$}", cells[row]));
                out += line.trim_end();
                out.push('\n');
            }
            if others.is_empty() {
                return out;
            }
            rest = others;
        }
    }
}

/// Length of the longest cell, in characters.
fn widest(cells: &[String]) -> usize {
    cells.iter().map(|cell| cell.chars().count()).max().unwrap_or_default()
}

fn group_table(group: &Group) -> String {
    let ranked = group.ranked();
    let rows = || ranked.iter().copied();
    let mut grid = Grid::of(rows().map(|row| row.policy.clone()));
    let says = |row: &Row, measure: &Measure| row.mean(measure).is_some_and(|mean| *measure != UNCHANGED || mean > 0.0);
    for measure in MEASURES.iter().filter(|measure| rows().any(|row| says(row, measure))) {
        grid.column(measure.name, rows().map(|row| cell(row, measure)));
        if *measure == RECALL {
            grid.column("95 %", rows().map(range));
            grid.column("difference", rows().map(difference));
        }
    }
    grid.text()
}

fn cell(row: &Row, measure: &Measure) -> String {
    let Some(mean) = row.of(measure).map(|own| own.mean) else { return "-".into() };
    match measure.unit {
        Scale::Tokens => format!("{mean:.0}"),
        Scale::PerThousand => format!("{mean:.1}"),
        Scale::Money => format!("{mean:.4}"),
        Scale::Score | Scale::Percent => format!("{mean:.3}"),
    }
}

/// Where the mean recall lies.
fn range(row: &Row) -> String {
    row.of(&RECALL).map_or_else(String::new, |own| format!("{:.2} - {:.2}", own.interval.from, own.interval.to))
}

/// How much more recall it has than the reference.
fn difference(row: &Row) -> String {
    row.difference.map_or_else(String::new, |own| {
        format!("{:+.2} [{:+.2}, {:+.2}]", own.mean, own.interval.from, own.interval.to)
    })
}

fn curve_table(curves: &[Curve]) -> String {
    let mut grid = Grid::of(curves.iter().map(|curve| curve.policy.clone()));
    let budgets = curves.first().map(|curve| curve.points.as_slice()).unwrap_or_default();
    for (at, (budget, _)) in budgets.iter().enumerate() {
        let points = curves.iter().map(|curve| curve.points.get(at));
        grid.column(
            budget.to_string(),
            points.map(|own| own.map_or_else(String::new, |(_, recall)| format!("{recall:.3}"))),
        );
    }
    grid.column("AUC", curves.iter().map(|curve| format!("{:.3}", curve.auc)));
    format!("recall by total budget\n{}", grid.text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_table_stands_in_blocks_each_below_the_names() {
        let mut grid = Grid::of(["best", "bare dump"].map(String::from).into_iter());
        for heading in ["one", "two", "three"] {
            grid.column(heading.repeat(10), ["0.5", ""].map(String::from).into_iter());
        }
        grid.column("nothing", ["", ""].map(String::from).into_iter());
        let text = grid.text();
        let starts: Vec<&str> = text.lines().map(|line| line.get(..13).unwrap_or(line).trim()).collect();
        assert_eq!(starts, ["policy", "best", "bare dump"].repeat(2));
        assert!(text.lines().all(|line| line.len() <= WIDTH && !line.ends_with(' ')), "{text}");
        let found = |heading: &str| text.lines().position(|line| line.contains(&heading.repeat(10)));
        assert_eq!(["one", "two", "three", "nothing"].map(found), [Some(0), Some(0), Some(3), None]);
    }
}
