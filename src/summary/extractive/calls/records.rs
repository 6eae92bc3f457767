//! The records of a result, a list of objects or the rows of a table: the names of a few columns once, and below these
//! the values of the first records.

use super::args::{Args, names_secrets};
use crate::summary::text::{cut, fold, has_digit, list_number, words};
use serde_json::value::RawValue;

/// Maximum length of the told records, in characters, and the maximum number of records and columns.
const LONGEST: usize = 150;
const MOST: usize = 5;
const COLUMNS: usize = 4;
/// Maximum length of the names of the columns together, in characters.
const HEAD: usize = 60;
/// Number of columns whose names may be longer together.
const FEWEST: usize = 2;
/// Maximum length of a value, in characters.
const VALUE: usize = 40;
/// Maximum number of words of the name of a column in a table.
const NAME: usize = 3;
/// Parts of the names of columns that tell what a record is, and what matters of it.
const NAMES: [&str; 9] = ["id", "name", "title", "subject", "number", "code", "sku", "key", "label"];
const MATTERS: [&str; 19] = [
    "amount", "balance", "cost", "count", "due", "fare", "fee", "level", "price", "rate", "revenue", "state", "status",
    "stock", "sum", "total", "value", "blocked", "error",
];
/// Words before “at” and “by” in the names of columns that say when and by whom a record was changed.
const CHANGES: [&str; 9] =
    ["added", "changed", "created", "deleted", "edited", "fetched", "modified", "synced", "updated"];
/// Parts of the names of columns of credentials, besides those of fields, and of what proves who somebody is.
const SECRETS: [&str; 7] = ["cvc", "cvv", "iban", "otp", "passport", "ssn", "tan"];
/// What is secret behind another part: the number of a card, the code of a door.
const SECRET_OF: [(&str, &str); 5] =
    [("card", "number"), ("access", "code"), ("door", "code"), ("entry", "code"), ("gate", "code")];
/// Words that count tokens, which are no credentials then.
const COUNTS_TOKENS: [&str; 7] = ["completion", "count", "input", "output", "prompt", "total", "used"];
/// Maximum length of a value that all records have in common, in characters.
const SHARED: usize = 24;
/// Parts of the names of columns that say little.
const MINOR: [&str; 8] = ["created", "updated", "modified", "url", "link", "href", "uri", "snippet"];

/// A record: its fields with their names.
type Record = Vec<(String, String)>;

/// The fields of a result that hold a list, each as its records in a few named columns with a form without the names of
/// these, or as its texts.
pub(in crate::summary::extractive) fn records_and_lists(args: &Args<'_>) -> Vec<(String, Option<String>)> {
    let told = |name: &str| match records_of(args, name) {
        Some(records) => Some((records, args.list(name))),
        None => Some((args.list(name)?, None)),
    };
    let records = args.names().filter_map(told);
    records.chain(args.lists_of_texts().map(|texts| (texts, None))).collect()
}

/// The records of a field of a result that has several, behind its name.
fn records_of(args: &Args<'_>, name: &str) -> Option<String> {
    let objects = args.objects(name)?;
    let all: Vec<Record> = objects.iter().filter(|_| objects.len() > 1).map(record).collect();
    Some(format!("{name} {}", told(&all, &columns(&all))?))
}

/// The records that a whole result is: a list of several objects, a table, or a numbered list.
pub(in crate::summary::extractive) fn records(result: &str) -> Option<String> {
    let result = result.trim();
    if result.starts_with('[') {
        let all: Vec<&RawValue> = serde_json::from_str(result).ok()?;
        let all: Vec<Record> = all.into_iter().map(|one| record(&Args::read(one.get()))).collect();
        return named(&all).filter(|_| all.len() > 1);
    }
    table(result).and_then(|all| named(&all)).or_else(|| numbered(result))
}

/// The first records, with the name of their column also where it is the only one.
fn named(records: &[Record]) -> Option<String> {
    let columns = columns(records);
    let told = told(records, &columns)?;
    Some(if let [only] = columns[..] { format!("{only} {told}") } else { told })
}

/// The short fields of an object, with those of the objects in it.
fn record(object: &Args<'_>) -> Record {
    let lists = object.names().filter_map(|name| object.plain_list(name)).map(|list| list.replace("; ", "/"));
    let all = [object.brief(), object.inner(), lists.collect()].concat();
    let field = |field: String| field.split_once('=').map(|(name, value)| (name.to_owned(), fold(value)));
    all.into_iter().filter_map(field).filter(|(name, _)| !is_secret(name)).collect()
}

/// Whether a column may have credentials.
fn is_secret(name: &str) -> bool {
    let parts: Vec<String> = parts(name).collect();
    let is_pair = |two: &[String]| SECRET_OF.contains(&(&*two[0], &*two[1]));
    let is_pin = parts.last().is_some_and(|last| last == "pin");
    names_secrets(name) && !is_of(name, &COUNTS_TOKENS)
        || is_of(name, &SECRETS)
        || is_pin
        || parts.windows(2).any(is_pair)
}

/// The first records in these columns, behind their names.
fn told(records: &[Record], columns: &[&str]) -> Option<String> {
    let row = |record: &Record| {
        let shown = |name: &&str| cut(value(record, name).unwrap_or("–"), VALUE).into_owned();
        columns.iter().map(shown).collect::<Vec<_>>().join(" ").trim_end_matches([' ', '–']).to_owned()
    };
    let mut head = shared(records, columns);
    if columns.len() > 1 {
        head += &format!("({}) ", columns.join(", "));
    }
    let mut out = head.clone();
    let rows: Vec<String> = records.iter().map(row).filter(|row| !row.is_empty()).collect();
    for (at, row) in rows.iter().enumerate() {
        if at == MOST || at > 0 && out.chars().count() + row.chars().count() > LONGEST {
            return Some(out + "; …");
        }
        out += if at > 0 { "; " } else { "" };
        out += row;
    }
    (out.len() > head.len()).then_some(out)
}

/// The first value that matters and that all of several records have in common: “all status open: ”.
fn shared(records: &[Record], columns: &[&str]) -> String {
    let Some((first, others)) = records.split_first().filter(|(_, others)| !others.is_empty()) else {
        return String::new();
    };
    let is_told = |(name, value): &&(String, String)| {
        is_of(name, &MATTERS) && !columns.contains(&&**name) && value.chars().count() <= SHARED
    };
    let told = first.iter().filter(is_told).find(|field| others.iter().all(|record| record.contains(field)));
    told.map(|(name, value)| format!("all {name} {value}: ")).unwrap_or_default()
}

/// Whether the name of a column has one of these parts, or several of it.
fn is_of(name: &str, list: &[&str]) -> bool {
    parts(name).any(|part| list.contains(&&*part) || part.strip_suffix('s').is_some_and(|one| list.contains(&one)))
}

/// Whether a field says when or by whom something was changed: `created_at`; not when it departs.
pub(in crate::summary::extractive) fn is_of_change(name: &str) -> bool {
    let parts: Vec<String> = parts(name).collect();
    matches!(&parts[..], [.., change, last] if ["at", "by"].contains(&&**last) && CHANGES.contains(&&**change))
}

/// The value of a record in a column.
fn value<'r>(record: &'r Record, name: &str) -> Option<&'r str> {
    record.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
}

/// The columns that tell most: one that names the records, those that matter, then others, without what all records
/// have in common.
fn columns(records: &[Record]) -> Vec<&str> {
    let mut all: Vec<&str> = Vec::new();
    for (name, _) in records.iter().flatten() {
        if !all.contains(&&**name) {
            all.push(name);
        }
    }
    let is_same = |name: &str| {
        let first = records.first().and_then(|record| value(record, name));
        records.len() > 1 && first.is_some() && records.iter().all(|record| value(record, name) == first)
    };
    let worth = |name: &&str| match () {
        () if is_same(name) => 3,
        () if is_of(name, &MATTERS) => 0,
        () if is_of(name, &MINOR) || is_of_change(name) => 2,
        () => 1,
    };
    let rated: Vec<(i32, &str)> = all.iter().map(|name| (worth(name), *name)).collect();
    let named = rated.iter().find(|(worth, name)| *worth < 3 && is_of(name, &NAMES));
    // Else the first that does not matter: the number of a room, the date of a payment.
    let named = named.or_else(|| rated.iter().find(|(worth, _)| *worth == 1)).map(|(_, name)| *name);
    let mut best: Vec<(i32, &str)> = rated.iter().copied().filter(|(_, name)| Some(*name) != named).collect();
    best.sort_by_key(|(worth, _)| *worth);
    let least = best.first().map_or(3, |(worth, _)| *worth).max(1);
    // Two payments by the same card are told with that.
    if named.is_some() || best.iter().filter(|(worth, _)| *worth <= least).count() > 1 {
        best.retain(|(worth, _)| *worth <= least);
    }
    let best = best.into_iter().map(|(_, name)| name);
    let mut told: Vec<&str> = named.into_iter().chain(best).take(COLUMNS).collect();
    while told.len() > FEWEST && told.iter().map(|name| name.chars().count()).sum::<usize>() > HEAD {
        told.pop();
    }
    all.retain(|name| told.contains(name));
    all
}

/// The words of a name of code, in lower case.
fn parts(name: &str) -> impl Iterator<Item = String> {
    let mut spaced = String::new();
    for char in name.chars() {
        if char.is_uppercase() && spaced.ends_with(char::is_lowercase) {
            spaced.push(' ');
        }
        spaced.push(char);
    }
    let split = spaced.split(|char: char| !char.is_alphanumeric()).map(str::to_lowercase).collect::<Vec<_>>();
    split.into_iter()
}

/// The rows of a table of lines with the same number of cells: between bars, tabs, or commas without a space, which
/// prose has. A single row is one only between bars or below a drawn line.
fn table(text: &str) -> Option<Vec<Record>> {
    let is_drawn = |line: &&str| line.chars().all(|char| "-+=|: ".contains(char));
    let counts = |line: &&str| line.starts_with('(') && line.ends_with(')');
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !is_drawn(line) && !counts(line));
    let first = lines.next()?;
    let sign = ['|', '\t', ',', ';'].into_iter().find(|sign| first.contains(*sign))?;
    let is_prose = [',', ';'].contains(&sign) && text.contains([", ", "; "][usize::from(sign == ';')]);
    let is_ruled = text.lines().any(|line| line.contains("--") && is_drawn(&line));
    let bare = if sign == '|' { &['|', ' '][..] } else { &[' '] };
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches(bare).split(sign).map(|cell| cell.trim().trim_matches('"').to_owned()).collect()
    };
    let names = cells(first);
    // “fee 7” is a value.
    let is_value = |name: &str| {
        name.contains([':', '(', ')', '='])
            || name.starts_with(|char: char| char.is_ascii_digit())
            || name.contains(' ') && has_digit(name)
    };
    let is_name = |name: &String| (1..=NAME).contains(&words(name)) && !is_value(name);
    let rows: Vec<Vec<String>> = lines.map(cells).collect();
    let rules = text.lines().filter(|line| line.starts_with('|') && line.contains("--") && is_drawn(line)).count();
    let is_table = !is_prose && rules < 2 && (is_ruled || sign == '|' || rows.len() > 1);
    let is_whole =
        is_table && names.len() > 1 && names.iter().all(is_name) && rows.iter().all(|row| row.len() == names.len());
    // Lines of prose may have as many commas.
    let counted = rows.iter().flatten().any(|cell| has_digit(cell) && words(cell) <= NAME);
    let record = |row: Vec<String>| -> Record {
        names.iter().cloned().zip(row).filter(|(name, value)| !value.is_empty() && !is_secret(name)).collect()
    };
    (is_whole && counted).then(|| rows.into_iter().map(record).collect())
}

/// The first items of a text that is only a numbered list.
fn numbered(text: &str) -> Option<String> {
    let items: Option<Vec<&str>> = text.lines().map(|line| list_number(line.trim()).map(|(_, item)| item)).collect();
    let items = items.filter(|items| items.len() > 1)?;
    Some(cut(&items.join("; "), LONGEST).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(raw: &str, name: &str) -> Option<String> {
        records_of(&Args::read(raw), name)
    }

    #[test]
    fn the_columns_that_tell_most_are_named_once() {
        let raw = r#"{"invoices":[{"invoice_id":"I-77","customer_id":"C5621","created_at":"2026-01-02","due_date":"2026-02-15","amount":65.75,"status":"overdue"},{"invoice_id":"I-78","customer_id":"C5621","created_at":"2026-02-02","due_date":"2026-03-15","amount":55.0,"status":"paid"}]}"#;
        let told =
            "invoices (invoice_id, due_date, amount, status) I-77 2026-02-15 65.75 overdue; I-78 2026-03-15 55.0 paid";
        assert_eq!(of(raw, "invoices").as_deref(), Some(told));
        let raw = r#"{"ferries":[{"flight_number":"F1","prices":{"deck":114,"cabin":395},"pier":"north"},{"flight_number":"F2","prices":{"deck":174,"cabin":414},"pier":"north"}]}"#;
        assert_eq!(of(raw, "ferries").as_deref(), Some("ferries (flight_number, deck, cabin) F1 114 395; F2 174 414"));
        let raw = r#"{"ferries":[{"flight_number":"F1","scheduled_departure_time_est":"7:00","available_seats":{"deck":9},"prices":{"deck":114}},{"flight_number":"F2","scheduled_departure_time_est":"8:00","available_seats":{"deck":8},"prices":{"deck":174}}]}"#;
        let told = "ferries (flight_number, scheduled_departure_time_est, prices deck) F1 7:00 114; F2 8:00 174";
        assert_eq!(of(raw, "ferries").as_deref(), Some(told));
        assert_eq!(of(r#"{"legs":[{"no":"T1"},{"no":"T2"}]}"#, "legs").as_deref(), Some("legs T1; T2"));
        assert_eq!(of(r#"{"legs":[{},{}]}"#, "legs"), None);
        let paid = r#"{"paid":[{"card_id":"c9","amount":7},{"card_id":"c9","amount":-7}]}"#;
        assert_eq!(of(paid, "paid").as_deref(), Some("paid (card_id, amount) c9 7; c9 -7"));
    }

    #[test]
    fn a_list_of_objects_and_a_table_are_records() {
        let told = "(flight, departs, fare) MU5411 07:15 820; CA1948 12:40 960";
        for result in [
            r#"[{"flight":"MU5411","departs":"07:15","fare":820},{"flight":"CA1948","departs":"12:40","fare":960}]"#,
            "flight,departs,fare\nMU5411,07:15,820\nCA1948,12:40,960\n",
            " flight | departs | fare\n--------+---------+------\n MU5411 | 07:15   |  820\n CA1948 | 12:40   |  960\n(2 rows)",
            "| flight | departs | fare |\n|---|---|---|\n| MU5411 | 07:15 | 820 |\n| CA1948 | 12:40 | 960 |",
        ] {
            assert_eq!(records(result).as_deref(), Some(told), "{result}");
        }
        let hotels = "1. Mill House $68 per night\n2. Lake Inn $52 per night";
        assert_eq!(records(hotels).as_deref(), Some("Mill House $68 per night; Lake Inn $52 per night"));
    }

    #[test]
    fn prose_and_single_objects_are_none() {
        for text in [
            "The lamp, which is old, burns.\nThe oil, which is new, is in it.",
            "Dear Ann,\nI come on May 2, and stay.",
            "Ada Lovelace, Gullwick\n12 Quay Street, 40213",
            "Dear Ada, hello\nYour flight F7, June 3\nYours, Ben",
            "Warning; partial result\nrow 1; 3 of 9",
            "north,south\n7,8",
            r#"[{"level":7}]"#,
            "[7, 8]",
            "foo(a,b)\nbar(1,2)\nbaz(3,4)",
            "|a|b|\n|--|--|\n|1|2|\n|c|d|\n|--|--|\n|3|4|",
            "north",
        ] {
            assert_eq!(records(text), None, "{text}");
        }
    }

    #[test]
    fn what_all_records_have_in_common_is_told_once() {
        let orders = r#"{"orders":[{"order_id":"o1","status":"cancelled","total":10},{"order_id":"o2","status":"cancelled","total":20}]}"#;
        assert_eq!(
            of(orders, "orders").as_deref(),
            Some("orders all status cancelled: (order_id, total) o1 10; o2 20")
        );
    }

    #[test]
    fn a_column_of_credentials_is_left_out() {
        let crew = "user,password,berth\nada,hunter2,7\nben,swordfish9,8";
        assert_eq!(records(crew).as_deref(), Some("(user, berth) ada 7; ben 8"));
        let crew = r#"[{"name":"Ada","ssn":"123-45-6789","pin_code":411001,"tokens_used":7},{"name":"Ben","ssn":"987-65-4321","pin_code":411002,"tokens_used":8}]"#;
        assert_eq!(records(crew).as_deref(), Some("(name, pin_code, tokens_used) Ada 411001 7; Ben 411002 8"));
        let cards = r#"[{"card":"c9","pin":"4711","level":1},{"card":"c8","pin":"0815","level":2}]"#;
        assert_eq!(records(cards).as_deref(), Some("(card, level) c9 1; c8 2"));
    }

    #[test]
    fn records_keep_their_times_and_what_names_them() {
        let ferries = r#"[{"ferry_id":"F1","departs_at":"9:00","created_at":"May 1","price":5},{"ferry_id":"F2","departs_at":"12:00","created_at":"May 2","price":6}]"#;
        assert_eq!(records(ferries).as_deref(), Some("(ferry_id, departs_at, price) F1 9:00 5; F2 12:00 6"));
        let rooms = r#"[{"room":"101","price":80,"status":"free","rate":"flex","total":160},{"room":"102","price":70,"status":"taken","rate":"fix","total":140}]"#;
        assert_eq!(records(rooms).as_deref(), Some("(room, price, status, rate) 101 80 free flex; 102 70 taken fix"));
    }

    #[test]
    fn many_records_are_marked() {
        let rows: Vec<String> = (0..9).map(|number| format!(r#"{{"id":"L{number}","oil":{number}}}"#)).collect();
        let told = records(&format!("[{}]", rows.join(",")));
        assert_eq!(told.as_deref(), Some("(id, oil) L0 0; L1 1; L2 2; L3 3; L4 4; …"));
    }
}
