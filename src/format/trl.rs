//! The format `trl`: rows `{prompt, completion}`, `{prompt, chosen, rejected}` or `{chosen, rejected}`, as in TRL.
//!
//! Only the prompt is compacted, or the common beginning of `chosen` and `rejected`; rows of plain texts are kept.

use super::detect::Evidence;
use super::openai::{ChatRows, Content, Turns};
use super::shared::json::{Json, Object};
use super::shared::speakers;
use crate::reason::Reason;
use crate::transcript::Role;
use crate::transcript::columns::MEDIA_COLUMNS;

/// The name of the format.
const NAME: &str = "trl";

/// The `trl` format.
pub(super) const FORMAT: ChatRows = ChatRows {
    name: NAME,
    key: "prompt",
    within: None,
    evidence: |sample| {
        let why = match () {
            () if sample.most_rows(is_row) => "`prompt`, `chosen`, `rejected` or `completion`",
            () if sample.most_rows(is_pair) => "`query` and `response`",
            () => return None,
        };
        Some(Evidence::certain(why))
    },
    find: |fields| match fields.get("prompt") {
        Some(prompt) if prompt.raw().starts_with('[') => Turns::prompt(fields, prompt, NAME).map(Content::Turns),
        // A text prompt repeats the common beginning of both conversations.
        prompt if is_pair_of_lists(&fields) && (prompt.is_none() || begin_alike(&fields)) => {
            Turns::shared(fields, &["chosen", "rejected"]).map(Content::Turns)
        }
        _ => flat(&fields),
    },
};

/// Columns of plain texts, and the role of each.
const TEXTS: [(&str, Role); 9] = [
    ("system", Role::System),
    ("prompt", Role::User),
    ("query", Role::User),
    ("text", Role::User),
    ("completion", Role::Assistant),
    ("response", Role::Assistant),
    ("chosen", Role::Assistant),
    ("rejected", Role::Assistant),
    ("rejected_response", Role::Assistant),
];
/// All columns of a row with a question and its answer, as in ms-swift, beside those of media.
const PAIR: [&str; 5] = ["query", "response", "history", "system", "rejected_response"];

fn is_row(row: &Object<'_>) -> bool {
    let has = |keys: [&str; 2]| keys.iter().all(|key| row.has(key));
    (has(["chosen", "rejected"]) || has(["prompt", "completion"])) && !row.has("messages")
}

fn is_pair(row: &Object<'_>) -> bool {
    let answers = row.text("response").is_some() || row.array("response").is_some();
    answers && row.fields().iter().all(|(key, _)| PAIR.iter().chain(&MEDIA_COLUMNS).any(|column| *column == key))
}

fn is_pair_of_lists(fields: &Object<'_>) -> bool {
    ["chosen", "rejected"].iter().all(|key| fields.array(key).is_some())
}

/// Whether both conversations of a row begin with the same message.
fn begin_alike(fields: &Object<'_>) -> bool {
    let first = |key: &str| Some(fields.array(key)?.first()?.raw().to_owned());
    first("chosen").is_some_and(|chosen| first("rejected") == Some(chosen))
}

fn flat<'a>(fields: &Object<'a>) -> Option<Content<'a>> {
    let texts = TEXTS
        .iter()
        .flat_map(|(key, role)| fields.get(key).map(|value| column_texts(value, *role)).unwrap_or_default());
    let history = fields.array("history").unwrap_or_default().into_iter().filter_map(Json::array);
    let pairs = history.flat_map(|pair| [Role::User, Role::Assistant].into_iter().zip(pair));
    // The `history` comes before the question, although it is stored after it.
    let (system, texts): (Vec<_>, Vec<_>) = texts.partition(|(role, _)| *role == Role::System);
    let texts: Vec<_> = system.into_iter().chain(pairs.filter(|(_, text)| text.is_string())).chain(texts).collect();
    (!texts.is_empty()).then_some(Content::Flat(texts, Reason::FlatText))
}

/// The texts in a column: its string, or those of its messages, with their roles.
fn column_texts(value: Json<'_>, role: Role) -> Vec<(Role, Json<'_>)> {
    let turns = value.array().unwrap_or_else(|| vec![value]);
    let words = turns.into_iter().filter_map(|turn| match turn.object() {
        None => Some((role, turn)),
        Some(message) => {
            let own = message.text("role").and_then(|name| speakers::role(&name));
            Some((own.unwrap_or(role), message.get("content")?))
        }
    });
    words.filter(|(_, text)| text.is_string()).collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::tests::support::{edited, faults, read, stub_results, summary};
    use super::super::{Format, ReadOptions};
    use super::*;
    use crate::transcript::SummaryRole;

    const CALLS: &str = r#"{"role":"user","content":"u"},{"role":"assistant","tool_calls":[{"type":"function","function":{"name":"f","arguments":{"a":1}}}]},{"role":"tool","name":"f","content":"long"},{"role":"user","content":"now"}"#;

    #[test]
    fn only_the_prompt_is_edited() {
        let row = format!(r#"{{"prompt":[{CALLS}],"completion":[{{"role":"assistant","content":"x"}}],"label":true}}"#);
        let transcript = read(&FORMAT, &row);
        assert_eq!((transcript.records.len(), &*transcript.messages[1].parts[0].text), (4, r#"{"a":1}"#));
        assert_eq!(edited(&FORMAT, &row, stub_results), row.replace("\"long\"", "\"<stub />\""));
        assert_eq!(faults(&FORMAT, &row), []);
    }

    #[test]
    fn what_both_answers_start_with_is_edited_in_both() {
        let side = |answer: &str| format!(r#"[{CALLS}, {{"role":"assistant","content":"{answer}"}}]"#);
        let row = format!(r#"{{"chosen": {}, "rejected": {}}}"#, side("good"), side("bad"));
        assert_eq!(read(&FORMAT, &row).records.len(), 4);
        let out = edited(&FORMAT, &row, |transcript, script| {
            script.keep[0] = false;
            script.inserts = vec![summary(1, SummaryRole::User, "it")];
            stub_results(transcript, script);
        });
        let new = r#"{"role":"user","content":"<prior-conversation-summary>\nit\n</prior-conversation-summary>"}"#;
        let expected = row.replace(r#"{"role":"user","content":"u"}"#, new).replace("\"long\"", "\"<stub />\"");
        assert_eq!(out, expected);
        assert_eq!(read(&FORMAT, &out).records.len(), 4);
    }

    #[test]
    fn a_call_that_the_answers_go_on_from_is_no_part_of_the_prompt() {
        let call = r#"{"role":"user","content":"u"},{"role":"assistant","tool_calls":[{"type":"function","function":{"name":"f","arguments":{}}}]}"#;
        let result = |text: &str| format!(r#"{{"role":"tool","name":"f","content":"{text}"}}"#);
        let implicit = format!(r#"{{"chosen":[{call},{}],"rejected":[{call},{}]}}"#, result("a"), result("b"));
        let stated = format!(r#"{{"prompt":[{call}],"completion":[{}]}}"#, result("a"));
        for row in [&implicit, &stated] {
            assert_eq!(read(&FORMAT, row).records.len(), 1, "{row}");
        }
    }

    #[test]
    fn rows_of_texts_stay_and_are_counted() {
        let row = r#"{"chosen": "\n\nHuman: a", "rejected": "b"}"#;
        let transcript = read(&FORMAT, row);
        assert_eq!((transcript.traits.fixed, transcript.messages.len()), (Some(Reason::FlatText), 2));
        assert_eq!(edited(&FORMAT, row, |_, script| script.keep = vec![false; 2]), row);
        let err = FORMAT.read(br#"{"messages":[]}"#, ReadOptions::default()).unwrap_err();
        assert_eq!(err.reason, "no `prompt` array");
    }

    #[test]
    fn answers_to_a_prompt_in_words_are_counted() {
        let texts = |row: &str| read(&FORMAT, row).messages.iter().map(|it| it.text().into_owned()).collect::<Vec<_>>();
        let turn = |role: &str, text: &str| format!(r#"{{"role":"{role}","content":"{text}"}}"#);
        let list = format!(r#"{{"prompt":"q","completion":[{}]}}"#, turn("assistant", "x"));
        assert_eq!(texts(&list), ["q", "x"]);
        assert_eq!(texts(r#"{"query":"q","response":"x","history":[["a","b"]]}"#), ["a", "b", "q", "x"]);
        let side = |text: &str| format!("[{},{}]", turn("user", "q"), turn("assistant", text));
        let pair = format!(r#"{{"prompt":"q","chosen":{},"rejected":{}}}"#, side("x"), side("y"));
        assert_eq!((texts(&pair), read(&FORMAT, &pair).traits.fixed), (vec!["q".to_owned()], None));
        let apart = pair.replace(&format!("{},", turn("user", "q")), "");
        assert_eq!(texts(&apart), ["q", "x", "y"]);
    }

    #[test]
    fn new_messages_look_like_the_others() {
        let block = |text: &str| format!(r#"[{{"type":"text","text":"{text}"}}]"#);
        let row = format!(
            r#"{{"prompt":[{{"role":"user","content":{}}}],"completion":[{{"role":"assistant","content":{}}}]}}"#,
            block("u"),
            block("a")
        );
        let out = edited(&FORMAT, &row, |_, script| script.inserts = vec![summary(0, SummaryRole::User, "it")]);
        let text = r"<prior-conversation-summary>\nit\n</prior-conversation-summary>";
        assert!(out.contains(&format!(r#"{{"role":"system","content":{}}}"#, block(text))), "{out}");
    }
}
