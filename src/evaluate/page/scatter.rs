//! The figure of recall against tokens kept: a point for each policy, and a line through those that none beats.

use super::super::board::{Group, Row};
use super::super::measures::{RECALL, TOKENS};
use super::figures::Axes;
use super::tables::kind;
use super::{Setting, escaped, thousands};
use std::fmt::Write;

/// A bare list of facts, which nobody would use as a policy: it is left out of the line.
const CHEATS: &str = "dump";
/// Half the height of a label, and the width of a letter, in pixels.
const LETTER: (f64, f64) = (6.0, 6.4);

/// A policy in the figure.
struct Point<'r> {
    row: &'r Row,
    rank: usize,
    tokens: f64,
    recall: f64,
}

/// The figure.
pub(super) fn figure(group: &Group, setting: &Setting) -> String {
    let points: Vec<Point<'_>> = group.ranked().into_iter().enumerate().filter_map(point).collect();
    let tokens = || points.iter().map(|point| point.tokens);
    let (least, most) = (tokens().fold(f64::INFINITY, f64::min), tokens().fold(1.0, f64::max));
    if !least.is_finite() {
        return String::new();
    }
    let axes = Axes { tokens: (least.max(1.0) * 0.85, most * 1.15) };
    let mut out = "<figure>\n".to_owned()
        + &axes.drawn("Recall against tokens kept", "tokens kept, mean over sessions (logarithmic)");
    let line = frontier(&points);
    let steps: Vec<String> =
        line.iter().map(|&at| format!("{:.1},{:.1}", axes.x(points[at].tokens), axes.y(points[at].recall))).collect();
    let _ = writeln!(
        out,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#1b6ca8\" stroke-dasharray=\"4 3\"/>",
        steps.join(" ")
    );
    points.iter().for_each(|point| out += &dot(point, axes, setting));
    out += &labels(&points, &line, axes);
    out + "</svg>\n<figcaption><b>Figure 1.</b> Each point is a policy, its number the rank in table 1; bars are 95&nbsp;% \
           intervals of recall. Blue: presets of epitome or your own; black: other presets, models and \
           programs; gray: baselines. Dashed: the policies (named) that no other one beats at as many \
           or fewer tokens, <i>dump</i> left aside.</figcaption>\n\
           </figure>\n"
}

fn point((at, row): (usize, &Row)) -> Option<Point<'_>> {
    Some(Point { row, rank: at + 1, tokens: row.mean(&TOKENS)?, recall: row.mean(&RECALL)? })
}

/// Indices of the points that none beats, by rising tokens.
fn frontier(points: &[Point<'_>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len()).filter(|&at| points[at].row.policy != CHEATS).collect();
    order.sort_by(|&one, &other| {
        let (one, other) = (&points[one], &points[other]);
        one.tokens.total_cmp(&other.tokens).then(other.recall.total_cmp(&one.recall)).then(one.rank.cmp(&other.rank))
    });
    let mut best = f64::NEG_INFINITY;
    order.retain(|&at| {
        let better = points[at].recall > best;
        best = best.max(points[at].recall);
        better
    });
    order
}

fn dot(point: &Point<'_>, axes: Axes, setting: &Setting) -> String {
    let color = match kind(&point.row.policy, setting).0 {
        "own" => "#1b6ca8",
        "preset" | "other" => "#222",
        _ => "#999",
    };
    let (x, y) = (axes.x(point.tokens), axes.y(point.recall));
    let interval = point.row.of(&RECALL).map(|mean| mean.interval).unwrap_or_default();
    let (top, foot) = (axes.y(interval.to), axes.y(interval.from));
    format!(
        "<g><title>{}: recall {:.3}, {} tokens</title><path d=\"M{x:.1} {top:.1}V{foot:.1}\" stroke=\"{color}\" \
         stroke-opacity=\".25\"/><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{color}\"/></g>\n",
        escaped(&point.row.policy),
        point.recall,
        thousands(point.tokens)
    )
}

/// Labels: names of policies on the line, ranks of others, each where there is room, else none.
fn labels(points: &[Point<'_>], line: &[usize], axes: Axes) -> String {
    let mut taken: Vec<(f64, f64, f64)> = Vec::new();
    let mut out = String::new();
    let others = (0..points.len()).filter(|at| !line.contains(at));
    for at in line.iter().copied().chain(others) {
        let point = &points[at];
        let text = if line.contains(&at) { point.row.policy.clone() } else { point.rank.to_string() };
        let width = text.chars().count() as f64 * LETTER.1;
        let (x, y) = (axes.x(point.tokens), axes.y(point.recall));
        let places = [(x + 6.0, y - 5.0), (x - width - 6.0, y - 5.0), (x + 6.0, y + 13.0), (x - width - 6.0, y + 13.0)];
        let free = |(x, y): &(f64, f64)| {
            taken
                .iter()
                .all(|&(left, base, wide)| (base - y).abs() >= 2.0 * LETTER.0 || x + width <= left || left + wide <= *x)
        };
        let Some(&(x, y)) = places.iter().find(|place| free(place)) else { continue };
        taken.push((x, y, width));
        let weight = if line.contains(&at) { " font-weight=\"600\"" } else { " fill=\"#555\" font-size=\"10\"" };
        let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\"{weight}>{}</text>", escaped(&text));
    }
    out
}
