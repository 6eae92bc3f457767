//! Which original each row of a file was made from, if the file has more or fewer rows than it had.

use super::loaded::Loaded;
use crate::format::ReadOptions;
use crate::transcript::Role;
use foldhash::fast::FixedState;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::BuildHasher;

/// Most lines by which rows are told that have no counterpart.
const LINES_TOLD: usize = 5;

/// Most rows that are compared for a message which many have.
const MOST_ROWS: usize = 64;

/// For each row of `after`, the place of its original in `before`, by the messages that both have.
pub(super) fn aligned(before: &Loaded, after: &Loaded) -> Vec<Option<usize>> {
    let marks = |file: &Loaded| (0..file.places.len()).into_par_iter().map(|at| marks(file, at)).collect::<Vec<_>>();
    matched(&marks(before), &marks(after))
}

/// A number for each message of a row, and one for all of it, each once.
fn marks(file: &Loaded, at: usize) -> Vec<u64> {
    let (row, state) = (file.row(at), FixedState::default());
    let read = file.format.read(row.source, ReadOptions::default()).ok();
    let messages = read.iter().flat_map(|read| &read.messages).filter(|message| message.role != Role::System);
    let texts = messages.map(|message| message.text()).filter(|text| !text.trim().is_empty());
    let own = state.hash_one(row.source.trim_ascii());
    let marks: BTreeSet<u64> = texts.map(|text| state.hash_one(text.trim())).chain([own]).collect();
    marks.into_iter().collect()
}

/// Gives each row of `after` the open row of `before` that shares the most marks with it, each counting the less the
/// more rows have it, and of several the next behind that of the row before.
fn matched(before: &[Vec<u64>], after: &[Vec<u64>]) -> Vec<Option<usize>> {
    let mut open: HashMap<u64, BTreeSet<usize>, FixedState> = HashMap::default();
    for (row, marks) in before.iter().enumerate() {
        marks.iter().for_each(|mark| {
            open.entry(*mark).or_default().insert(row);
        });
    }
    let shares: HashMap<u64, f64, FixedState> =
        open.iter().map(|(mark, rows)| (*mark, 1.0 / rows.len() as f64)).collect();
    let mut next = 0;
    let one = |marks: &Vec<u64>| {
        // Rows behind the last one come first; of a mark that many have, these are enough.
        let mut votes: BTreeMap<(bool, usize), f64> = BTreeMap::new();
        for (mark, rows) in marks.iter().filter_map(|mark| Some((mark, open.get(mark)?))) {
            for row in rows.range(next..).chain(rows.range(..next)).take(MOST_ROWS) {
                *votes.entry((*row < next, *row)).or_default() += shares[mark];
            }
        }
        let (mut best, mut most) = (None, 0.0);
        for ((_, row), votes) in votes {
            if votes > most {
                (best, most) = (Some(row), votes);
            }
        }
        let row = best?;
        for mark in &before[row] {
            open.entry(*mark).and_modify(|rows| {
                rows.remove(&row);
            });
        }
        next = row + 1;
        Some(row)
    };
    after.iter().map(one).collect()
}

/// Says which rows of `before` no row is made from, and which rows are made from none; whether the reports are `named`
/// decides what may help.
pub(super) fn unmatched(before: &Loaded, after: &Loaded, pairs: &[Option<usize>], named: bool) -> Vec<String> {
    let mut open = vec![true; before.places.len()];
    pairs.iter().flatten().for_each(|row| open[*row] = false);
    let lines = |file: &Loaded, rows: &mut dyn Iterator<Item = usize>| -> Vec<usize> {
        rows.map(|row| file.places[row].line).collect()
    };
    let lost = lines(before, &mut open.iter().enumerate().filter(|(_, open)| **open).map(|(row, _)| row));
    let foreign = lines(after, &mut pairs.iter().enumerate().filter(|(_, pair)| pair.is_none()).map(|(row, _)| row));
    let of_all = before.places.len();
    let gone = (!lost.is_empty()).then(|| {
        let (count, lines) = (lost.len(), told(&lost));
        let help = match named {
            true => "nor does the report that --report names say that --drop-failed left them out",
            false => {
                "if --drop-failed left them out, the report of that run says so: it lies in the folder that it wrote, \
                 or name it with --report DIR"
            }
        };
        format!("not comparable: {count} of the {of_all} rows of its original are not there, {lines}; {help}")
    });
    let added = (!foreign.is_empty()).then(|| {
        let (rows, lines) = (if foreign.len() == 1 { "row has" } else { "rows have" }, told(&foreign));
        format!("not comparable: {} {rows} no original of their own, {lines}", foreign.len())
    });
    gone.into_iter().chain(added).collect()
}

/// Names a few lines.
fn told(lines: &[usize]) -> String {
    let first: Vec<String> = lines.iter().take(LINES_TOLD).map(usize::to_string).collect();
    let more = lines.len().saturating_sub(LINES_TOLD);
    let word = if lines.len() == 1 { "line" } else { "lines" };
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{word} {}{more}", first.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_matched_by_the_messages_that_they_share() {
        let before = [vec![1, 2, 9], vec![3, 4, 9], vec![5, 6, 9], vec![7, 8, 9]];
        assert_eq!(matched(&before, &[vec![4, 9], vec![8]]), [Some(1), Some(3)]);
        assert_eq!(matched(&before, &[vec![8, 9], vec![2, 20], vec![30]]), [Some(3), Some(0), None], "in any order");
    }

    #[test]
    fn of_rows_that_are_alike_the_next_one_is_taken() {
        let before = [vec![1, 9], vec![2, 9], vec![9], vec![9]];
        assert_eq!(matched(&before, &[vec![2, 9], vec![9], vec![9]]), [Some(1), Some(2), Some(3)]);
        assert_eq!(
            matched(&before, &vec![vec![9]; 5]),
            [Some(0), Some(1), Some(2), Some(3), None],
            "each is taken once"
        );
    }

    #[test]
    fn many_lines_are_told_by_their_first() {
        assert_eq!(told(&[3]), "line 3");
        assert_eq!(told(&[3, 5, 6, 7, 8, 9, 10]), "lines 3, 5, 6, 7, 8 and 2 more");
    }
}
