//! The board as a table for a terminal, and as a page with the curves drawn.

use super::board::{Board, Curve, Group, MEASURES, Row};
use std::fmt::Write;

impl Board {
    /// A table for each group of cuts.
    pub fn table(&self) -> String {
        let mut out = String::new();
        for group in &self.groups {
            let note = if group.informs_only { ", fewer than 10 sessions: for information" } else { "" };
            let _ = writeln!(out, "{}: {} cuts of {} sessions{note}", group.name, group.cuts, group.sessions);
            out += &group_table(group);
            out.push('\n');
        }
        out += &self.models();
        if !self.curves.is_empty() {
            out += &curve_table(&self.curves);
        }
        out
    }

    /// What models did for their rows.
    fn models(&self) -> String {
        let rows = self.groups.first().map(|group| group.rows.as_slice()).unwrap_or_default();
        let told = rows.iter().filter_map(|row| Some(format!("{}: {}\n", row.policy, row.llm.as_ref()?)));
        let told: String = told.collect();
        if told.is_empty() { told } else { told + "\n" }
    }

    /// An HTML page with the tables and the curves of recall over budget as SVG; it loads nothing.
    pub fn page(&self) -> String {
        let escaped = self.table().replace('&', "&amp;").replace('<', "&lt;");
        format!(
            "<!doctype html>\n<meta charset=\"utf-8\">\n<title>epitome evaluate</title>\n\
             <style>body{{font:14px sans-serif;margin:2em}}pre{{overflow-x:auto}}</style>\n\
             <h1>Recall by budget</h1>\n{}\n<h1>Scores</h1>\n<pre>{escaped}</pre>\n",
            chart(&self.curves)
        )
    }
}

fn group_table(group: &Group) -> String {
    let used = |name: &str| group.rows.iter().any(|row| row.means.contains_key(name));
    let columns: Vec<&str> = MEASURES.iter().map(|(name, _)| *name).filter(|name| used(name)).collect();
    let width = group.rows.iter().map(|row| row.policy.chars().count()).max().unwrap_or_default().max(6);
    let mut out = format!("  {:<width$}", "policy");
    for column in &columns {
        let _ = write!(out, " {column:>11}");
        if *column == "recall" {
            let _ = write!(out, " {:>11} {:>19}", "95 %", "to the first");
        }
    }
    out.push('\n');
    for row in &group.rows {
        let _ = write!(out, "  {:<width$}", row.policy);
        for column in &columns {
            out += &cell(row, column);
        }
        out.push('\n');
    }
    out
}

fn cell(row: &Row, column: &str) -> String {
    let Some(mean) = row.means.get(column) else {
        return format!(" {:>11}", "-") + if column == "recall" { "                                " } else { "" };
    };
    let number = match column {
        "tokens" => format!("{:.0}", mean.mean),
        "yield" => format!("{:.1}", mean.mean),
        _ => format!("{:.3}", mean.mean),
    };
    let mut out = format!(" {number:>11}");
    if column == "recall" {
        let range = format!("{:.2} - {:.2}", mean.interval.from, mean.interval.to);
        let other = row.difference.map_or_else(String::new, |difference| {
            format!("{:+.2} [{:+.2}, {:+.2}]", difference.mean, difference.interval.from, difference.interval.to)
        });
        let _ = write!(out, " {range:>11} {other:>19}");
    }
    out
}

fn curve_table(curves: &[Curve]) -> String {
    let mut out = format!("recall by total budget\n  {:<12}", "policy");
    for (budget, _) in curves.first().map(|curve| curve.points.as_slice()).unwrap_or_default() {
        let _ = write!(out, " {budget:>7}");
    }
    out += "     AUC\n";
    for curve in curves {
        let _ = write!(out, "  {:<12}", curve.policy);
        for (_, recall) in &curve.points {
            let _ = write!(out, " {recall:>7.3}");
        }
        let _ = writeln!(out, " {:>7.3}", curve.auc);
    }
    out
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
/// Room for the axes and, at the right, for names.
const MARGIN: f64 = 40.0;
const NAMES: f64 = 120.0;
const COLORS: [&str; 9] =
    ["#1b6ca8", "#c0392b", "#27855a", "#8e44ad", "#b9770e", "#34495e", "#d35400", "#16a085", "#7f8c8d"];

fn chart(curves: &[Curve]) -> String {
    let budgets: Vec<u64> =
        curves.first().map(|curve| curve.points.iter().map(|point| point.0).collect()).unwrap_or_default();
    let (Some(first), Some(last)) = (budgets.first(), budgets.last()) else {
        return "<p>No curve: evaluate with --curve.</p>".to_owned();
    };
    let log = |budget: u64| (budget.max(1) as f64).log2();
    let x = |budget: u64| MARGIN + (log(budget) - log(*first)) / (log(*last) - log(*first)).max(1e-9) * WIDTH;
    let y = |recall: f64| MARGIN + (1.0 - recall) * HEIGHT;
    let mut out = format!(
        "<svg viewBox=\"0 0 {} {}\" width=\"{}\" role=\"img\" aria-label=\"Recall by total budget\">\n",
        WIDTH + MARGIN + NAMES,
        HEIGHT + 2.0 * MARGIN,
        WIDTH + MARGIN + NAMES
    );
    for step in 0..=5 {
        let recall = f64::from(step) / 5.0;
        let _ = writeln!(
            out,
            "<path d=\"M{MARGIN} {0:.1}H{1:.1}\" stroke=\"#ddd\"/><text x=\"4\" y=\"{0:.1}\" font-size=\"12\">{recall:.1}</text>",
            y(recall),
            MARGIN + WIDTH
        );
    }
    for &budget in &budgets {
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"12\" text-anchor=\"middle\">{budget}</text>",
            x(budget),
            HEIGHT + MARGIN + 18.0
        );
    }
    for (curve, color) in curves.iter().zip(COLORS.iter().cycle()) {
        let points: Vec<String> =
            curve.points.iter().map(|&(budget, recall)| format!("{:.1},{:.1}", x(budget), y(recall))).collect();
        let end = curve.points.last().map_or(0.0, |point| y(point.1));
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>\
             <text x=\"{:.1}\" y=\"{end:.1}\" font-size=\"12\" fill=\"{color}\">{}</text>",
            points.join(" "),
            MARGIN + WIDTH + 6.0,
            curve.policy.replace('&', "&amp;").replace('<', "&lt;")
        );
    }
    out + "</svg>"
}
