//! Of a result with several records (variants, orders, ways to pay) those that the user is about: they have the most
//! words in common with the requests so far.

use super::returned::names_object;
use crate::python;
use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::outcome::LARGEST_OBJECT;
use crate::summary::extractive::session::turns::Turn;
use crate::summary::text::{cut, each_word, fold, has_digit};
use foldhash::{HashMap, HashSet};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Least number of words that a record has in common with the requests.
const LEAST: usize = 2;
/// Maximum number of records that are told; if more are alike, none is.
const MOST: usize = 2;
/// Maximum number of fields of a record, and maximum length of a value, in characters.
const FIELDS: usize = 10;
const VALUE: usize = 40;
/// Depth at which records are looked for.
const DEPTH: usize = 3;
/// Least number of records of a list.
const SEVERAL: usize = 3;

/// The words of the requests so far.
#[derive(Default)]
pub(super) struct Wanted(HashSet<String>);

impl Wanted {
    /// Adds the words of a request.
    pub(super) fn ask(&mut self, turn: &Turn<'_>) {
        let sentences = turn.asked.iter().flat_map(|asked| &asked.sentences);
        sentences.for_each(|sentence| self.0.extend(terms(sentence)));
    }

    /// The records of a call's result that the user is about.
    pub(super) fn told(&self, act: &Act<'_>) -> Option<String> {
        let Action::Other(call) = &act.action else { return None };
        if !act.outcome.worked() || act.result.len() > LARGEST_OBJECT {
            return None;
        }
        let value: Value = serde_json::from_str(&json(act.result.trim())?).ok()?;
        Some(format!("`{call}` has {}", chosen(&records(&value, DEPTH)?, &self.0)?))
    }
}

fn json(result: &str) -> Option<Cow<'_, str>> {
    if result.starts_with('[') { Some(Cow::Borrowed(result)) } else { python::json(result) }
}

/// The words of a text that tell one thing from another, in lower case; short numbers are counts and parts of dates.
fn terms(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    each_word(&lower).filter(|word| word.chars().count() > 2).map(str::to_owned).collect()
}

/// A record: the key under which it stands, and its fields.
struct Described<'v> {
    key: Option<&'v str>,
    fields: Vec<(&'v str, String)>,
}

impl<'v> Described<'v> {
    /// A record that can be named: it has a key, or a field that identifies it.
    fn of(key: Option<&'v str>, object: &'v Map<String, Value>) -> Option<Self> {
        let inner = |value: &'v Value| value.as_object().into_iter().flatten();
        let fields = object.iter().flat_map(|(name, value)| inner(value).chain([(name, value)]));
        let fields = fields.filter_map(|(name, value)| Some((name.as_str(), scalar(value)?)));
        let (ids, others): (Vec<_>, Vec<_>) = fields.partition(|(name, _)| identifies(name));
        let is_named = key.is_some() || !ids.is_empty();
        let ids = ids.into_iter().filter(|(_, value)| key != Some(value.as_str()));
        is_named.then(|| Self { key, fields: ids.chain(others).collect() })
    }

    fn terms(&self) -> HashSet<String> {
        self.fields.iter().flat_map(|(_, value)| terms(value)).collect()
    }

    /// Its key, and the fields that identify it, have words that are wanted, or tell whether and for how much it can be
    /// had.
    fn text(&self, wanted: &HashSet<String>) -> String {
        let counts = |(name, value): &&(&str, String)| {
            identifies(name)
                || name.contains("price")
                || ["true", "false"].contains(&value.as_str())
                || terms(value).iter().any(|term| wanted.contains(term))
        };
        let field = |(name, value): &(&str, String)| format!("{name} {}", cut(value, VALUE));
        let fields: Vec<String> = self.fields.iter().filter(counts).take(FIELDS).map(field).collect();
        self.key.map(|key| format!("{key}: ")).unwrap_or_default() + &fields.join(", ")
    }
}

/// Whether a field says which one a record is, by its name: `item_id`, `flight_number`, `sku`.
fn identifies(name: &str) -> bool {
    let last = name.rsplit(['_', '-', '.']).next().unwrap_or_default();
    names_object(name) || ["number", "code", "sku", "ref", "no"].contains(&last) || name.ends_with("Number")
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(fold(text)),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(told) => Some(told.to_string()),
        _ => None,
    }
}

/// The first list or map of several objects in a value.
fn records(value: &Value, depth: usize) -> Option<Vec<Described<'_>>> {
    let inner: Vec<(Option<&str>, &Value)> = match value {
        Value::Array(all) => all.iter().map(|one| (None, one)).collect(),
        Value::Object(all) => all.iter().map(|(key, one)| (Some(key.as_str()), one)).collect(),
        _ => return None,
    };
    let all: Option<Vec<_>> = inner.iter().map(|(key, one)| Described::of(*key, one.as_object()?)).collect();
    let several = all.filter(|all| all.len() >= SEVERAL);
    several.or_else(|| inner.iter().filter(|_| depth > 1).find_map(|(_, one)| records(one, depth - 1)))
}

/// The records with the most words of the requests, where few have as many.
fn chosen(records: &[Described<'_>], wanted: &HashSet<String>) -> Option<String> {
    let terms: Vec<HashSet<String>> = records.iter().map(Described::terms).collect();
    let mut having: HashMap<&str, usize> = HashMap::default();
    terms.iter().flatten().for_each(|term| *having.entry(term).or_default() += 1);
    // What most records have tells none from the others.
    let tells = |term: &&String| wanted.contains(*term) && having[term.as_str()] * 2 <= records.len();
    // “When you are done with it” is about nothing.
    let is_telling = |term: &String| term.chars().count() > 4 || has_digit(term);
    let score = |own: &HashSet<String>| {
        let common: Vec<&String> = own.iter().filter(tells).collect();
        if common.iter().any(|term| is_telling(term)) { common.len() } else { 0 }
    };
    let scores: Vec<usize> = terms.iter().map(score).collect();
    let best = scores.iter().copied().max().filter(|best| *best >= LEAST)?;
    let found: Vec<String> = records
        .iter()
        .zip(&scores)
        .filter(|(_, score)| **score == best)
        .map(|(record, _)| record.text(wanted))
        .collect();
    (found.len() <= MOST).then(|| found.join("; "))
}

#[cfg(test)]
mod tests {
    use super::super::discoveries::items;
    use crate::summary::builders::{act, user};
    use crate::summary::extractive::session::endings::Endings;
    use crate::summary::extractive::session::turns::turns;
    use crate::transcript::{InTurn, Message};

    const LAMPS: &str = r#"{"name":"Lamp","kinds":{"41":{"options":{"color":"red","size":"large"},"in_stock":true},
        "42":{"options":{"color":"green","size":"large"},"in_stock":false},
        "43":{"options":{"color":"green","size":"small"},"in_stock":true},
        "44":{"options":{"color":"blue","size":"small"},"in_stock":true}}}"#;

    fn told(asked: &str, result: &str) -> Vec<String> {
        let mut messages = vec![user(asked)];
        messages.extend(act("get_lamp", r#"{"lamp":"7"}"#, result, false));
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let turns = turns(&head, &[]);
        let all = items(&turns, &Endings::of(&turns, &[]), &InTurn).into_iter().map(|item| item.text);
        all.filter(|text| text.contains(" has ")).collect()
    }

    #[test]
    fn of_many_records_the_one_that_was_asked_for_is_told() {
        let asked = "I'd like the large green lamp, please.";
        assert_eq!(told(asked, LAMPS), ["`get_lamp(lamp=7)` has 42: in_stock false, color green, size large"]);
        let all = r#"[{"lamp_id":"41","pier":"north quay"},{"lamp_id":"4200","pier":"south bay"},{"lamp_id":"43","pier":"west bay"}]"#;
        let of_list = ["`get_lamp(lamp=7)` has lamp_id 4200, pier south bay"];
        assert_eq!(told("Which lamp is at the south bay?", all), [""; 0], "one word is too little");
        assert_eq!(told("The one of the south pier, lamp 4200.", all), of_list);
        let unnamed = r#"[{"pier":"north quay"},{"pier":"south bay"},{"pier":"west point"}]"#;
        assert_eq!(told("Which lamp is at the south bay?", unnamed), [""; 0], "nothing identifies it");
        assert_eq!(told("Which lamps are there?", LAMPS), [""; 0]);
        let said = r#"[{"id":"a1","of":"it is red when you look"},{"id":"b2","of":"dark"},{"id":"c3","of":"low"}]"#;
        assert_eq!(told("Tell me when you are done.", said), [""; 0]);
    }
}
