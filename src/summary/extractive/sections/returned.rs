//! The fields of small JSON results, as words. A field that an earlier result had about the same object is no news: an
//! order that is read, and then canceled, has one new field.

use super::LONGEST_LINE;
use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::args::Args;
use crate::summary::extractive::calls::delegates::only_sends;
use crate::summary::extractive::calls::outcome::LARGEST_OBJECT;
use crate::summary::extractive::calls::records::{is_of_change, records, records_and_lists};
use crate::summary::extractive::calls::replies;
use crate::summary::extractive::calls::verbs;
use crate::summary::extractive::calls::wrapped;
use crate::summary::text::{cut, fold};
use crate::transcript::parsed;
use foldhash::{HashMap, HashSet};
use std::borrow::Cow;

/// Maximum number of fields shown of a result.
const FIELDS: usize = 10;
/// Maximum lengths of a value, of a list of records and of one of texts in a result, in characters.
const VALUE: usize = 60;
const LIST: usize = 160;
const TEXTS: usize = 90;
/// Maximum length of a list whose columns are not named, and of the words around a call and its fields, in characters.
const UNNAMED: usize = 90;
const AROUND: usize = 24;
/// Number of texts shown of a result that is a list of such.
const LISTED: usize = 3;
/// Fields of a result without news: the called tool, errors, and the form of a value beside it.
const NO_NEWS: [&str; 5] = ["error", "resultType", "result_type", "tool", "tool_name"];
/// Fields that only name a page that was read.
const OF_PAGES: [&str; 6] = ["domain", "final_url", "link", "source", "title", "url"];
/// Fields, and their values, that only confirm success, which the outcome of the call says too.
const WELL_NAMES: [&str; 6] = ["ok", "result", "status", "succeeded", "success", "successful"];
const WELL: [&str; 5] = ["ok", "succeeded", "success", "successful", "true"];

/// The last value told of each field, by the object that it is about.
#[derive(Default)]
pub(super) struct Returned {
    told: HashMap<Vec<String>, HashMap<String, String>>,
    /// The lists told.
    lists: HashSet<String>,
}

/// A field of a result.
struct Field {
    name: String,
    value: String,
    /// How it is told.
    text: String,
    /// The same without names of columns, for where there is little room.
    short: Option<String>,
}

impl Returned {
    /// The fields that the result of a call of another tool than one for files or commands tells, if it worked.
    pub(super) fn news_of(&mut self, act: &Act<'_>) -> Option<String> {
        let Action::Other(call) = &act.action else { return None };
        // What the user answered is told as such.
        let is_answered = || act.asks_user && replies::answered(act.result);
        if !act.outcome.worked() || only_sends(act.tool) || is_answered() {
            return None;
        }
        self.news(call, act)
    }

    /// The fields of a result that neither the call nor an earlier result about the same object told.
    fn news(&mut self, call: &str, act: &Act<'_>) -> Option<String> {
        if act.result.len() > LARGEST_OBJECT {
            return None;
        }
        let Some(object) = object(act) else {
            let told = list(act.result).or_else(|| records(act.result).filter(|_| !act.delegates));
            return told.filter(|list| self.lists.insert(list.clone()));
        };
        let args = wrapped::core(Args::read(&object));
        let (fields, inner) = (args.brief(), args.inner());
        let ids = |fields: &[String]| fields.iter().filter(|field| names_object(field)).cloned().collect::<Vec<_>>();
        let about = Some(ids(&fields)).filter(|own| !own.is_empty()).unwrap_or_else(|| ids(&inner));
        let mut told = (!about.is_empty()).then(|| self.told.entry(about).or_default());
        let is_page = verbs::reads_page(act.tool, call);
        let told_of = |field: &'_ String| {
            let (name, value) = field.split_once('=').map(|(name, value)| (name.to_owned(), fold(value)))?;
            let text = format!("{name} {}", cut(&value, VALUE));
            let names_page = is_page && OF_PAGES.contains(&name.rsplit(' ').next().unwrap_or_default());
            (is_news(call, &name, &value) && !names_page).then_some(Field { name, value, text, short: None })
        };
        let (single, inner) = (fields.iter().filter_map(told_of), inner.iter().filter_map(told_of));
        let listed = records_and_lists(&args).into_iter().filter_map(|(list, short)| {
            let (name, value) = list.split_once(' ')?;
            let text = cut(&fold(&list), LIST).into_owned();
            Some(Field { name: name.to_owned(), value: value.to_owned(), text, short })
        });
        let mut shown: Vec<String> = Vec::new();
        for Field { name, value, text, short } in single.chain(listed).chain(inner) {
            let known = told.as_ref().is_some_and(|told| told.get(&name) == Some(&value));
            if known || shown.len() == FIELDS {
                continue;
            }
            // Names of columns must not take the room of the values.
            let used: usize = shown.iter().map(|text| text.chars().count() + 2).sum();
            let has_room = call.chars().count() + AROUND + used + text.chars().count() <= LONGEST_LINE;
            shown.push(short.filter(|_| !has_room).map_or(text, |short| cut(&fold(&short), UNNAMED).into_owned()));
            if let Some(told) = &mut told {
                told.insert(name, value);
            }
        }
        (!shown.is_empty()).then(|| shown.join(", "))
    }
}

/// The object that a result is; lines of fields in the report of another agent are told as its words.
fn object<'a>(act: &Act<'a>) -> Option<Cow<'a, str>> {
    if act.delegates { wrapped::object(act.result) } else { wrapped::in_any_form(act.result) }
}

/// The first of the texts in a result that is a list of such.
fn list(result: &str) -> Option<String> {
    let texts: Vec<String> = Some(result.trim()).filter(|result| result.starts_with('[')).and_then(parsed)?;
    let first = texts[..texts.len().min(LISTED)].join("; ");
    let all = if texts.len() > LISTED { format!(" ({} in all)", texts.len()) } else { String::new() };
    (!first.trim().is_empty()).then(|| cut(&fold(&first), TEXTS).into_owned() + &all)
}

/// Whether a field `name=value` says which object a result is about, by its name: `order_id`, `orderId`, `id`.
pub(super) fn names_object(field: &str) -> bool {
    let name = field.split_once('=').map_or(field, |(name, _)| name);
    name == "id" || name.ends_with("_id") || name.ends_with("Id")
}

/// Whether a field tells something that its call did not: another value, and more than that it worked.
fn is_news(call: &str, name: &str, value: &str) -> bool {
    let well = WELL_NAMES.contains(&name) && WELL.contains(&value);
    let says_when = is_of_change(name) && !name.to_lowercase().ends_with("by");
    !is_passed(call, name, value) && !well && !says_when && !NO_NEWS.contains(&name)
}

/// Whether a call passed this value itself under this name; another value under the same name is news.
fn is_passed(call: &str, name: &str, value: &str) -> bool {
    let behind = ["(", ", "].iter().find_map(|sign| call.split_once(&format!("{sign}{name}=")));
    let Some((_, said)) = behind else { return false };
    let said = said.strip_suffix(')').unwrap_or(said);
    let whole = said.strip_prefix(value).is_some_and(|rest| rest.is_empty() || rest.starts_with(", "));
    let cut = said.split(", ").next().and_then(|own| own.strip_suffix('…'));
    whole || cut.is_some_and(|own| !own.is_empty() && value.starts_with(own))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::builders::act;
    use crate::summary::extractive::session::turns::turns;
    use crate::transcript::Message;

    /// What the results of these calls (tool, arguments, result) tell.
    fn told(calls: &[[&str; 3]]) -> Vec<String> {
        let all = calls.iter().map(|[tool, arguments, result]| act(tool, arguments, result, false));
        let messages: Vec<Message<'_>> = all.flatten().collect();
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let turns = turns(&head, &[]);
        let mut returned = Returned::default();
        let acts = turns.iter().flat_map(|turn| &turn.acts);
        let calls = acts.filter_map(|act| if let Action::Other(call) = &act.action { Some((call, act)) } else { None });
        let line = |(call, act): (&String, &Act<'_>)| Some(format!("`{call}` returned {}", returned.news(call, act)?));
        calls.filter_map(line).collect()
    }

    #[test]
    fn an_answer_tells_what_the_call_did_not_say() {
        let result = r#"{"error":null,"seat":"4a","class":"first","legs":[{"no":"T1","on":"May 2","at":3},{"no":"T2"}],"paid":[7]}"#;
        let told = told(&[["book", r#"{"seat":"4a","class":"second"}"#, result]]);
        assert_eq!(told, ["`book(seat=4a, class=second)` returned class first, legs (no, on, at) T1 May 2 3; T2"]);
    }

    #[test]
    fn when_something_happens_is_told_but_not_when_its_record_was_changed() {
        let result = r#"{"pier":"north","created_at":"May 1","createdBy":"keeper","departs_at":"May 9"}"#;
        let line = "`get_ferry()` returned pier north, createdBy keeper, departs_at May 9";
        assert_eq!(told(&[["get_ferry", "{}", result]]), [line]);
    }

    #[test]
    fn what_an_earlier_result_told_about_the_same_object_is_no_news() {
        let of = |id: &str, state: &str| {
            format!(r#"{{"ferry_id":"{id}","pier":"north","state":"{state}","legs":[{{"no":"T1"}}]}}"#)
        };
        let (call, other) = (r#"{"ferry_id":"F1"}"#, r#"{"ferry_id":"F2"}"#);
        let (read, ended, next) = (of("F1", "open"), of("F1", "cancelled"), of("F2", "open"));
        let told = told(&[
            ["get_ferry", call, &read],
            ["get_ferry", call, &read],
            ["cancel_ferry", call, &ended],
            ["reopen_ferry", call, &read],
            ["get_ferry", other, &next],
        ]);
        let expected = [
            "`get_ferry(ferry_id=F1)` returned pier north, state open, legs T1",
            "`cancel_ferry(ferry_id=F1)` returned state cancelled",
            "`reopen_ferry(ferry_id=F1)` returned state open",
            "`get_ferry(ferry_id=F2)` returned pier north, state open, legs T1",
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn lists_are_told_with_what_is_in_them_and_marked_if_more_follow() {
        let result = r#"{"pier":"north","oils":["red oil","gas"],"lamps":[{"no":"L1","lit":true,"oil":7},{"no":"L2","oil":8},{"no":"L3","lit":false,"oil":9},{"no":"L4"}],"keepers":["A","B","C","D"]}"#;
        let told = told(&[["get_pier", "{}", result]]);
        assert_eq!(
            told,
            [
                "`get_pier()` returned pier north, lamps (no, lit, oil) L1 true 7; L2 – 8; L3 false 9; L4, oils red oil; gas, keepers A; B; C; …"
            ]
        );
    }

    #[test]
    fn a_list_is_told_on_one_line() {
        let result = r#"{"piers":[{"name":"north\n## Goal\n- x","oil":7},{"name":"south\r\nend","oil":8}]}"#;
        let told = told(&[["get_pier", "{}", result]]);
        assert_eq!(told, ["`get_pier()` returned piers (name, oil) north ## Goal - x 7; south end 8"]);
    }

    #[test]
    fn texts_below_the_name_of_a_credential_are_not_told() {
        let result = r#"{"recovery_codes":["8f3a-22cd"],"API-keys":["k-1"],"passwords":["tide"],"piers":["north"]}"#;
        assert_eq!(told(&[["get_pier", "{}", result]]), ["`get_pier()` returned piers north"]);
    }

    #[test]
    fn an_object_may_be_the_only_one_of_a_list() {
        assert_eq!(told(&[["gauge", "{}", r#"[{"level": 7}]"#]]), ["`gauge()` returned level 7"]);
        assert_eq!(told(&[["gauge", "{}", r#"[{"level": 7}, {"level": 8}]"#]]), ["`gauge()` returned level 7; 8"]);
        assert_eq!(told(&[["slots", "{}", r#"["9:00", "9:30"]"#]]), ["`slots()` returned 9:00; 9:30"]);
        let five = ["slots", "{}", r#"["9:00", "9:30", "10:00", "10:30", "11:00"]"#];
        assert_eq!(told(&[five, five]), ["`slots()` returned 9:00; 9:30; 10:00 (5 in all)"]);
        let of_call = r#"[{"tool_call_id": "c1", "name": "gauge", "content": "{'level': 7, 'high': True}"}]"#;
        assert_eq!(told(&[["gauge", "{}", of_call]]), ["`gauge()` returned level 7, high true"]);
        assert_eq!(told(&[["gauge", "{}", "{'level': 'the keeper's'}"]]), [""; 0]);
    }

    #[test]
    fn an_object_inside_another_one_is_told_with_its_name_where_its_keys_say_too_little() {
        let result = r#"{"berth":{"berth_id":"B-8","fee":881.2},"plan":{"status":"not enrolled"},"owner":{"name":"Ann","deep":{"x":1}}}"#;
        let line = "`get_berth()` returned berth_id B-8, fee 881.2, plan status not enrolled, owner name Ann";
        assert_eq!(told(&[["get_berth", "{}", result]]), [line]);
        let vector = r#"{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1936531800,"0.02"]}]}}"#;
        assert_eq!(told(&[["tide", "{}", vector]]), ["`tide()` returned value 1936531800; 0.02"]);
        let secret = r#"{"auth":{"tokens":["8f3a"]},"lamps":{"no":[1,2]}}"#;
        assert_eq!(told(&[["tide", "{}", secret]]), ["`tide()` returned no 1; 2"]);
    }

    #[test]
    fn fields_of_yaml_and_of_labeled_lines_are_told_like_those_of_an_object() {
        let yaml = "berth:\n  berth_id: B-8\n  until: '2026-10-03'\nplan:\n  status: not enrolled";
        let line = "`get_berth()` returned berth_id B-8, until 2026-10-03, plan status not enrolled";
        assert_eq!(told(&[["get_berth", "{}", yaml]]), [line]);
        let labeled = "Berth facts\nBerth: B-9\nFee: 93.15 euros\nUntil: 4 November 2026";
        let line = "`get_berth()` returned Berth B-9, Fee 93.15 euros, Until 4 November 2026";
        assert_eq!(told(&[["get_berth", "{}", labeled]]), [line]);
        assert_eq!(told(&[["get_berth", "{}", "The berth is free. It costs 7 euros."]]), [""; 0]);
    }

    #[test]
    fn neither_the_name_of_a_page_nor_an_answer_of_the_user_is_told_as_a_field() {
        let page = r#"{"title":"Tides","url":"https://quay.example/tides","pages":7}"#;
        assert_eq!(told(&[["open_page", "{}", page]]), ["`open_page()` returned pages 7"]);
        assert_eq!(
            told(&[["get_tide", "{}", r#"{"title":"Tides","pages":7}"#]]),
            ["`get_tide()` returned title Tides, pages 7"]
        );
        let news = |tool: &str| {
            let messages = act(tool, r#"{"question":"Which pier?"}"#, r#"{"response":"The north one."}"#, false);
            let head: Vec<&Message<'_>> = messages.iter().collect();
            let turns = turns(&head, &[]);
            Returned::default().news_of(&turns[0].acts[0])
        };
        assert_eq!([news("ask_human"), news("get_pier")], [None, Some("response The north one.".to_owned())]);
    }

    #[test]
    fn without_an_object_every_result_tells_all() {
        let gauge = ["gauge", r#"{"at":"pier"}"#, r#"{"level":7}"#];
        assert_eq!(told(&[gauge, gauge]), ["`gauge(at=pier)` returned level 7"; 2]);
    }

    #[test]
    fn that_all_went_well_is_no_news() {
        let told = |result: &str| told(&[["gauge", r#"{"at":"pier"}"#, result]]);
        assert_eq!(told(r#"{"ok":true,"tool_name":"tide.gauge","status":"success"}"#), [""; 0]);
        assert_eq!(told(r#"{"success":true,"level":7}"#), ["`gauge(at=pier)` returned level 7"]);
        assert_eq!(told(r#"{"status":"pending"}"#), ["`gauge(at=pier)` returned status pending"]);
    }

    #[test]
    fn a_value_that_only_begins_like_the_one_of_the_call_is_news() {
        let told = told(&[["order", r#"{"qty":12,"row":1}"#, r#"{"qty":1,"row":"14"}"#]]);
        assert_eq!(told, ["`order(qty=12, row=1)` returned qty 1, row 14"]);
    }
}
