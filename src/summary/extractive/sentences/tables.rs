//! Tells the rows of a small Markdown table as items of a list: “Lamp A: oil 12 litres, wick old”.

use crate::summary::fence::Fence;
use std::borrow::Cow;

/// Maximum number of rows and columns of such a table.
const ROWS: usize = 8;
const COLUMNS: usize = 5;

/// A text in which each row of a small table is an item of a list.
pub(in crate::summary::extractive) fn with_rows_as_items(text: &str) -> Cow<'_, str> {
    if !text.contains("|--") && !text.contains("| -") && !text.contains("|:") && !text.contains("| :") {
        return Cow::Borrowed(text);
    }
    let lines: Vec<&str> = text.lines().collect();
    let (mut out, mut fence, mut at) = (Vec::new(), Fence::default(), 0);
    while let Some(line) = lines.get(at) {
        let rows = if fence.holds(line) { None } else { rows(&lines[at..]) };
        // The head and the line below it go.
        at += rows.as_ref().map_or(1, |rows| rows.len() + 2);
        out.extend(rows.unwrap_or_else(|| vec![(*line).to_owned()]));
    }
    Cow::Owned(out.join("\n"))
}

/// The rows of the table that lines begin with, as items; `None` if they begin with none, or a large one.
fn rows(lines: &[&str]) -> Option<Vec<String>> {
    let [head, below, rest @ ..] = lines else { return None };
    let head = cells(head).filter(|head| (2..=COLUMNS).contains(&head.len()))?;
    cells(below)?
        .iter()
        .all(|cell| cell.contains('-') && cell.chars().all(|sign| "-: ".contains(sign)))
        .then_some(())?;
    let rows: Vec<Vec<&str>> = rest.iter().map_while(|line| cells(line)).take(ROWS + 1).collect();
    // An item ends with its first sentence.
    let tells =
        |row: &[&str]| row[1..].iter().any(|cell| !cell.is_empty()) && !row.iter().any(|cell| cell.contains(". "));
    let fits = |row: &Vec<&str>| row.len() == head.len() && !row[0].is_empty() && tells(row);
    let is_small = (1..=ROWS).contains(&rows.len()) && rows.iter().all(fits);
    is_small.then(|| rows.iter().map(|row| item(&head, row)).collect())
}

/// A row as an item; what is in an empty cell is left out.
fn item(head: &[&str], row: &[&str]) -> String {
    let fields = head.iter().zip(row).skip(1).filter(|(_, cell)| !cell.is_empty());
    let fields: Vec<String> = fields.map(|(name, cell)| format!("{name} {cell}").trim_start().to_owned()).collect();
    format!("- {}: {}", row[0], fields.join(", ")).trim_end_matches([':', ' ']).to_owned()
}

/// The cells of a row; `None` for a line that is no row.
fn cells(line: &str) -> Option<Vec<&str>> {
    let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    (!inner.contains("\\|")).then(|| inner.split('|').map(str::trim).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_told_with_the_heads_of_its_columns() {
        let table = "The lamps:\n\n| Lamp | Oil | Wick |\n|------|:---:|---|\n| A | 12 litres | old |\n| **B** |  | new |\n\nThat is all.";
        let told = "The lamps:\n\n- A: Oil 12 litres, Wick old\n- **B**: Wick new\n\nThat is all.";
        assert_eq!(with_rows_as_items(table), told);
    }

    #[test]
    fn a_large_table_or_what_is_none_stays() {
        let large = format!("| Lamp | Oil |\n|---|---|\n{}", "| A | 12 |\n".repeat(9));
        let wide = "| a | b | c | d | e | f |\n|---|---|---|---|---|---|\n| 1 | 2 | 3 | 4 | 5 | 6 |";
        let code = "```\n| Lamp | Oil |\n|---|---|\n| A | 12 |\n```";
        let (bare, two) = ("| Lamp | Oil |\n|---|---|\n| A | |", "| Lamp | Oil |\n|---|---|\n| No. 7 | 12 |");
        for other in
            [large.trim_end(), wide, code, "| Lamp | Oil |\n| A | 12 |", "| Lamp | Oil |\n|---|---|\n| A |", bare, two]
        {
            assert_eq!(with_rows_as_items(other), other);
        }
    }
}
