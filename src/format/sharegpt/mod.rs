//! The format `sharegpt`: rows `{"conversations":[{"from","value"},…], …}`, one per line or in one array.
//!
//! LLaMA-Factory skips a row in which the sides do not alternate or the number of turns is odd, so a summary takes a
//! form that keeps this. The system prompt, a field or the first turn, is a record of its own; a summary at its end
//! is another. No keys of epitome are added.

mod faults;
mod read;
mod render;

pub(super) use read::is_named;

use super::detect::Evidence;
use super::shared::json::Object;
use super::shared::{document, rows};
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample, openai};
use crate::transcript::{EditScript, Patch, Traits, Transcript};

/// The `sharegpt` format.
pub(super) struct ShareGpt;

impl Format for ShareGpt {
    fn name(&self) -> &'static str {
        "sharegpt"
    }

    fn layout(&self) -> Layout {
        Layout::PerLine
    }

    fn layout_of(&self, sample: &Sample<'_>) -> Layout {
        rows::layout(sample, |_| true)
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let has_turns = |row: &Object<'_>| openai::TURNS.iter().any(|key| row.array(key).is_some_and(read::are_turns));
        let is = |row: &Object<'_>| has_turns(row) && !row.has("working_dir");
        // OpenAI messages may be stored under the same key; turns with `from` are ShareGPT's.
        let (rows, _) = sample.rows();
        let is_ours = sample.most_rows(is) && (!rows.iter().any(openai::has_calls) || rows.iter().any(read::is_named));
        is_ours.then(|| Evidence::certain("`conversations`"))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        let read = options.forgive(read::transcript(source, options.first_line))?;
        let traits = Traits { training_row: true, ..Traits::default() };
        Ok(read.unwrap_or_else(|| document::opaque(source, options, traits)))
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        render::render(transcript, script)
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        faults::faults(transcript)
    }

    fn mend(&self, transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) -> Vec<Patch> {
        openai::mend(transcript, faults, script);
        Vec::new()
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::tests::support::{authors, continuation, edited, faults, read, stub_results, summary};
    use super::*;
    use crate::reason::Reason;
    use crate::transcript::{Author, Part, PartKind, SummaryRole};

    const FORMAT: ShareGpt = ShareGpt;
    const OLD: &str = r#"{"from": "human", "value": "old"}, {"from": "gpt", "value": "done"}, "#;
    const CALL: &str = r#"{"from": "function_call", "value": "{\"name\": \"f\", \"arguments\": {\"a\": 1}}"}, {"from": "observation", "value": "long"}, {"from": "gpt", "value": "x"}"#;

    fn row(turns: &str) -> String {
        format!(r#"{{"id": 1.0, "conversations": [{turns}], "tools": "[]"}}"#)
    }

    fn wrapped(text: &str) -> String {
        format!(r"<prior-conversation-summary>\n{text}\n</prior-conversation-summary>")
    }

    /// Drops the records in `gone` and inserts a summary there.
    fn compacted(source: &str, gone: std::ops::Range<usize>, role: SummaryRole) -> String {
        let out = edited(&FORMAT, source, |_, script| {
            script.keep.iter_mut().enumerate().for_each(|(at, keep)| *keep = !gone.contains(&at));
            script.inserts = vec![summary(gone.end, role, "it"), continuation(gone.end)];
        });
        assert_eq!(faults(&FORMAT, &out), [], "{out}");
        out
    }

    #[test]
    fn a_row_of_other_messages_leaves_a_file_what_it_is() {
        let from = row(r#"{"from":"human","value":"u"},{"from":"gpt","value":"x"}"#);
        let call = r#"{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"f"}}]}"#;
        let (calls, none) = (row(call), row(&call.replace(r#"{"id":"a","function":{"name":"f"}}"#, "")));
        let detected = |rows: &[&str]| crate::format::detect(rows.join("\n").as_bytes()).map(|found| found.name);
        assert_eq!(detected(&[&from, &calls]).ok(), Some("sharegpt"));
        assert_eq!(detected(&[&calls, &calls]).ok(), Some("openai-chat"));
        assert_eq!(detected(&[&none, &none]).ok(), Some("sharegpt"));
        let export = row(r#"{"conversation":{"title":"t"},"responses":[{"sender":"human","message":"Hello."}]}"#);
        assert_eq!(detected(&[&export]).ok(), None, "whole conversations are no turns");
        let elsewhere = row(r#"{"role":"user","text":"u"},{"role":"assistant","text":"x","apis":[]}"#);
        assert_eq!(detected(&[&elsewhere]).ok(), None, "the words stand under another key");
        let messages = row(r#"{"messages":[{"role":"user","content":"u"}]}"#);
        assert_eq!([&row(&from), &messages].map(|rows| detected(&[rows]).ok()), [Some("sharegpt"); 2], "rows of rows");
        let error = FORMAT.read(row(&row(&from)).as_bytes(), ReadOptions::default()).map(|_| ()).unwrap_err();
        assert!(error.reason.starts_with("rows inside of a row"), "{error:?}");
    }

    #[test]
    fn calls_are_read_from_their_text() {
        let source = row(&format!(r#"{{"from": "human", "value": "u"}}, {CALL}"#));
        let transcript = read(&FORMAT, &source);
        use Author::{Model, Person, Tool};
        assert_eq!(authors(&transcript), [Person, Model, Tool, Model]);
        let part = &transcript.messages[1].parts[0];
        assert!(matches!(&part.kind, PartKind::Call { name, .. } if name == "f"));
        assert_eq!(part.text, r#"{"a": 1}"#);
        assert!(transcript.traits.alternates && transcript.traits.training_row);
        assert_eq!(edited(&FORMAT, &source, |_, _| {}), source);
        assert_eq!(edited(&FORMAT, &source, stub_results), source.replace("long", "<stub />"));
    }

    #[test]
    fn an_answer_that_is_code_is_a_call_where_a_result_follows() {
        let said = r#"{"from":"user","value":"u"},{"from":"assistant","value":"[ls(path=\"a\")]"}"#;
        let result = r#",{"from":"tool","value":"long"},{"from":"assistant","value":"x"}"#;
        let source = row(&format!("{said}{result}"));
        assert_eq!(faults(&FORMAT, &source), []);
        assert_eq!(read(&FORMAT, &source).messages[1].parts[0].text, r#"{"path":"a"}"#);
        assert_eq!(read(&FORMAT, &row(said)).messages[1].calls().count(), 0);
    }

    #[test]
    fn a_row_keeps_its_own_names_and_stays_where_one_is_unknown() {
        let turns = |sides: &[&str]| {
            let turns = sides.iter().map(|side| format!(r#"{{"from":"{side}","value":"x"}}"#)).collect::<Vec<_>>();
            row(&turns.join(","))
        };
        let source = turns(&["User", "Assistant", "User", "Assistant", "User", "Assistant"]);
        assert_eq!(faults(&FORMAT, &source), []);
        let out = compacted(&source, 0..4, SummaryRole::User);
        assert!(out.contains(r#"{"from":"System","value":"<prior"#), "{out}");
        let out = compacted(&source, 0..3, SummaryRole::User);
        assert!(out.contains(r#"{"from":"User","value":"<prior"#), "{out}");
        let fixed = |sides: &[&str]| read(&FORMAT, &turns(sides)).traits.fixed;
        assert_eq!(fixed(&["human", "judge", "human", "gpt"]), Some(Reason::UnknownSpeaker));
        assert_eq!([fixed(&["prompter", "model"]), fixed(&["human", "gpt", "judge"])], [None; 2]);
    }

    #[test]
    fn a_turn_may_say_that_nothing_is_learned_from_it() {
        let source = row(
            r#"{"from":"human","value":"u"},{"from":"gpt","value":"x","train":false},{"from":"human","value":"u"},{"from":"gpt","value":"x","weight":1}"#,
        );
        let untrained = read(&FORMAT, &source).messages.iter().map(|it| it.untrained).collect::<Vec<_>>();
        assert_eq!(untrained, [false, true, false, false]);
    }

    #[test]
    fn a_summary_as_an_answer_is_not_learned_where_turns_say_so() {
        let turns = r#"{"from":"human","value":"u"},{"from":"gpt","value":"x","train":true}"#;
        let out = compacted(&row(&[turns; 3].join(",")), 0..4, SummaryRole::Assistant);
        assert!(out.contains(r#"</prior-conversation-summary>","train":false}"#), "{out}");
    }

    #[test]
    fn words_may_stand_under_the_other_key() {
        let turns = |keys: [&str; 2]| {
            let turn = |side: &str| format!(r#"{{"{}":"{side}","{}":"x"}}"#, keys[0], keys[1]);
            row(&["user", "assistant", "user", "assistant"].map(turn).join(","))
        };
        for keys in [["role", "value"], ["from", "content"], ["role", "content"], ["from", "value"]] {
            let source = turns(keys);
            assert_eq!(read(&FORMAT, &source).messages.len(), 4, "{source}");
            let out = compacted(&source, 0..3, SummaryRole::User);
            assert!(out.contains(&format!(r#"[{{"{}":"user","{}":"<prior"#, keys[0], keys[1])), "{out}");
        }
    }

    #[test]
    fn an_answer_that_is_json_is_no_call() {
        let after = |answer: &str, next: &str| {
            let answer = crate::format::shared::json::quoted(answer);
            let source = row(&format!(r#"{{"from":"human","value":"u"}},{{"from":"gpt","value":{answer}}}{next}"#));
            read(&FORMAT, &source).messages[1].calls().count()
        };
        let bob = r#"{"name": "Bob", "age": 30}"#;
        assert_eq!([after(bob, ""), after(&format!("[{bob}]"), "")], [0, 0]);
        let call = r#"{"name": "f", "arguments": {}}"#;
        let result = r#",{"from":"observation","value":"r"}"#;
        assert_eq!([after(call, ""), after(bob, result), after(call, result)], [0, 0, 1]);
    }

    #[test]
    fn reasoning_before_a_call_is_told_from_it_and_stays() {
        let call = r#"{"from":"function_call","value":"<think>\nhm\n</think>\n\n{\"name\":\"f\",\"arguments\":{}}"}"#;
        let source = row(&format!(
            r#"{{"from":"human","value":"u"}},{call},{{"from":"observation","value":"long"}},{{"from":"gpt","value":"x"}}"#
        ));
        let transcript = read(&FORMAT, &source);
        let (thought, calls) = transcript.messages[1].parts.split_first().unwrap();
        assert_eq!(calls.len(), 1);
        assert_eq!((&thought.kind, &*thought.text), (&PartKind::Reasoning { signed: false }, "hm"));
        assert_eq!(faults(&FORMAT, &source), []);
        let units = crate::transcript::units(&transcript, |_, _| true);
        assert!(units.iter().any(|unit| unit.messages == [1, 2]), "the call and its result are one unit");
        assert_eq!(edited(&FORMAT, &source, stub_results), source.replace("long", "<stub />"));
    }

    #[test]
    fn one_observation_answers_calls_that_were_made_at_once() {
        let calls =
            r#"{"from":"human","value":"u"},{"from":"function_call","value":"[{\"name\":\"f\"},{\"name\":\"g\"}]"}"#;
        let result = r#"{"from":"observation","value":"r"}"#;
        let answered = |results: &str| {
            let source = row(&format!("{calls},{results}"));
            read(&FORMAT, &source).messages.iter().map(|it| it.results().count()).collect::<Vec<_>>()
        };
        assert_eq!(answered(result), [0, 0, 2]);
        assert_eq!(answered(&format!("{result},{result}")), [0, 0, 1, 1]);
    }

    #[test]
    fn calls_that_are_marked_in_a_text_belong_to_their_results() {
        let turns = r#"{"from":"human","value":"u"},{"from":"gpt","value":"so\n<tool_call>{\"name\":\"f\"}</tool_call>"},{"from":"tool","value":"<tool_response>r</tool_response>"}"#;
        let source = row(turns);
        let transcript = read(&FORMAT, &source);
        assert_eq!(transcript.messages[1].parts[0].text, "so");
        assert_eq!(
            transcript.messages[1].calls().collect::<Vec<_>>(),
            transcript.messages[2].results().collect::<Vec<_>>()
        );
    }

    #[test]
    fn calls_whose_arguments_have_tags_belong_to_their_results() {
        let call = r"I look.\n\n<function=tide>\n<parameter=port>\nNorth\n</parameter>\n</function>";
        let fenced = r"```bash\ntide north\n```";
        let read_as = |asker: &str, said: &str, answerer: &str, answer: &str| {
            let source = row(&format!(
                r#"{{"from":"human","value":"u"}},{{"from":"{asker}","value":"{said}"}},{{"from":"{answerer}","value":"{answer}"}},{{"from":"gpt","value":"x"}}"#
            ));
            assert_eq!(faults(&FORMAT, &source), []);
            let transcript = read(&FORMAT, &source);
            assert!(transcript.traits.alternates);
            let name = |part: &Part<'_>| match &part.kind {
                PartKind::Call { name, .. } => Some(name.to_string()),
                _ => None,
            };
            let (calls, author) = (
                transcript.messages[1].parts.iter().filter_map(name).collect::<Vec<_>>(),
                transcript.messages[2].author,
            );
            assert_eq!(transcript.messages[2].results().count(), 1);
            (calls, author)
        };
        let tide = (vec!["tide".to_owned()], Author::Tool);
        assert_eq!(read_as("function_call", call, "observation", "long"), tide);
        assert_eq!(read_as("gpt", call, "tool", "long"), tide);
        assert_eq!(read_as("gpt", call, "human", "EXECUTION RESULT of [tide]:\\nlong"), tide, "in the human's name");
        let bash = (vec!["bash".to_owned()], Author::Tool);
        assert_eq!(read_as("function_call", fenced, "observation", "long"), bash);
        assert_eq!(read_as("gpt", fenced, "human", "OBSERVATION:\\nlong"), bash);
        let silent = "Your command ran successfully and did not produce any output.";
        assert_eq!(read_as("gpt", fenced, "human", silent), bash);
    }

    #[test]
    fn a_summary_is_a_human_turn_before_an_assistants() {
        let source = row(&format!("{OLD}{OLD}{CALL}").replacen(
            r#", {"from": "gpt", "value": "done"}, {"from": "function"#,
            r#", {"from": "function"#,
            1,
        ));
        let out = compacted(&source, 0..3, SummaryRole::User);
        assert_eq!(out, row(&format!(r#"{{"from":"human","value":"{}"}}, {CALL}"#, wrapped("it"))));
        assert_eq!(authors(&read(&FORMAT, &out))[0], Author::Summary);
    }

    #[test]
    fn a_summary_goes_into_the_system_prompt_before_a_humans() {
        let tail = r#"{"from": "human", "value": "u"}, {"from": "gpt", "value": "x"}"#;
        let system = |text: &str| format!(r#"{{"from": "system", "value": "{text}"}}, "#);
        let out = compacted(&row(&format!("{OLD}{tail}")), 0..2, SummaryRole::User);
        assert_eq!(out, row(&format!(r#"{{"from":"system","value":"{}"}}, {tail}"#, wrapped("it"))));
        assert_eq!(authors(&read(&FORMAT, &out))[0], Author::Summary);
        let old = OLD.trim_end_matches(", ");
        let again = compacted(&row(&format!("{}{tail}, {old}", system(&wrapped("one")))), 0..3, SummaryRole::User);
        assert_eq!(again, row(&format!("{}{old}", system(&wrapped("it")))));
        let out = compacted(&row(&format!("{}{OLD}{tail}", system("be"))), 1..3, SummaryRole::User);
        assert_eq!(out, row(&format!("{}{tail}", system(&format!(r"be\n\n{}", wrapped("it"))))));
        let column =
            |system: &str, turns: &str| row(turns).replace("{\"id\"", &format!("{{\"system\": \"{system}\", \"id\""));
        for (before, after) in [("be", format!(r"be\n\n{}", wrapped("it"))), ("", wrapped("it"))] {
            let gone = if before.is_empty() { 0..2 } else { 1..3 };
            let out = compacted(&column(before, &format!("{OLD}{tail}")), gone, SummaryRole::User);
            assert_eq!(out, column(&after, tail));
        }
    }

    #[test]
    fn an_assistants_summary_is_a_pair_of_turns() {
        let tail = r#"{"from": "human", "value": "u"}, {"from": "gpt", "value": "x"}"#;
        let out = compacted(&row(&format!("{OLD}{tail}")), 0..2, SummaryRole::Assistant);
        assert_eq!(authors(&read(&FORMAT, &out))[..2], [Author::Continuation, Author::Summary]);
    }

    #[test]
    fn an_earlier_summary_goes_with_its_turn_or_leaves_an_empty_column() {
        let tail = r#"{"from": "gpt", "value": "x"}"#;
        let turns = format!(r#"{OLD}{{"from": "human", "value": "u"}}, {tail}"#);
        let turn = row(&format!(r#"{{"from":"system","value":"{}"}}, {turns}"#, wrapped("one")));
        let human = format!(r#"{{"from":"human","value":"{}"}}, {tail}"#, wrapped("it"));
        assert_eq!(compacted(&turn, 0..4, SummaryRole::User), row(&human));
        let column = |text: &str, turns: &str| format!(r#"{{"system":"{text}","conversations":[{turns}]}}"#);
        let out = compacted(&column(&wrapped("one"), &turns), 0..4, SummaryRole::User);
        assert_eq!(out, column("", &human));
    }

    #[test]
    fn values_with_places_of_their_own_are_not_edited() {
        let detail = r#"{"from": "observation", "value": "long", "train_detail": [{"begin_offset": 0, "end_offset": 2, "train": false}]}"#;
        let source = row(&format!(r#"{{"from": "human", "value": "u"}}, {CALL}"#)
            .replace(r#"{"from": "observation", "value": "long"}"#, detail));
        assert_eq!(edited(&FORMAT, &source, stub_results), source);
    }

    #[test]
    fn images_go_with_the_turns_that_show_them() {
        let turns = r#"{"from":"human","value":"<image>a"},{"from":"gpt","value":"b"},{"from":"human","value":"<image>c"},{"from":"gpt","value":"d"}"#;
        let source = format!(r#"{{"conversations":[{turns}],"images":["1.png", "2.png"]}}"#);
        let out = compacted(&source, 0..2, SummaryRole::User);
        assert!(out.ends_with(r#""images":["2.png"]}"#), "{out}");
        let out = edited(&FORMAT, &source, |_, script| script.inserts = vec![summary(0, SummaryRole::User, "<image>")]);
        assert!(out.contains("(image)") && faults(&FORMAT, &out).is_empty(), "{out}");
        let fewer = source.replace(r#", "2.png""#, "");
        assert_eq!(faults(&FORMAT, &fewer), [("media_count", "images".to_owned())]);
    }

    #[test]
    fn columns_of_turns_go_along_with_them() {
        let turns = format!(r#"{OLD}{{"from": "human", "value": "u"}}, {{"from": "gpt", "value": "x"}}"#);
        let source = row(&turns).replace("{\"id\"", "{\"loss_mask\": [0, 1, 0, 1], \"id\"");
        let out = compacted(&source, 0..2, SummaryRole::Assistant);
        let row: serde_json::Value = serde_json::from_str(&out).unwrap();
        let mask: Vec<_> = row["loss_mask"].as_array().unwrap().iter().filter_map(serde_json::Value::as_u64).collect();
        assert_eq!((mask.len(), mask.last()), (row["conversations"].as_array().unwrap().len(), Some(&1)), "{out}");
    }

    #[test]
    fn sides_have_to_alternate_and_to_be_complete() {
        let rules = |turns: &[&str], rest: &str| {
            let turns = turns.iter().map(|from| format!(r#"{{"from":"{from}","value":"x"}}"#)).collect::<Vec<_>>();
            let source = format!(r#"{{"conversations":[{}]{rest}}}"#, turns.join(","));
            faults(&FORMAT, &source).into_iter().map(|(rule, _)| rule).collect::<Vec<_>>()
        };
        assert_eq!(rules(&["system", "human", "gpt"], ""), [""; 0]);
        assert_eq!(rules(&["user", "assistant", "user"], ""), ["wrong_order"]);
        assert_eq!(rules(&["human", "gpt", "human"], r#","chosen":{},"rejected":{}"#), [""; 0]);
        assert_eq!(rules(&["gpt", "human"], ""), ["wrong_order"]);
        assert_eq!(rules(&["human", "gpt", "judge", "gpt"], ""), ["unknown_speaker", "wrong_order"]);
    }

    #[test]
    fn pairs_in_one_element_are_counted_and_stay() {
        let source = r#"{"system": "s", "conversation": [{"human": "a", "assistant": "b"}]}"#;
        let transcript = read(&FORMAT, source);
        assert_eq!(transcript.traits.fixed, Some(Reason::PairedTurns));
        assert_eq!(transcript.messages.iter().map(|it| it.text()).collect::<Vec<_>>(), ["s", "a", "b"]);
        assert_eq!(faults(&FORMAT, source), []);
        let err = FORMAT.read(b"{}", ReadOptions::default()).unwrap_err();
        assert_eq!(err.reason, "no `conversations` array");
    }
}
