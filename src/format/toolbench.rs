//! The format `toolbench`: answers of ToolBench, a search tree with `answer_generation.train_messages` beside it.
//!
//! Each element of that list is the conversation up to one answer of the model, with calls as `function_call` and
//! results of role `function`. ToolBench trains on every one that ends with a call (OpenBMB/ToolBench,
//! `preprocess_toolllama_data.py`), and judges the last (`tooleval/utils.py`), so each is a transcript of its own,
//! although most begin like the one before. New messages have the form that this script reads: a user message, or
//! text at the end of the system prompt, whose first lines it looks for. The tree is not trained on, and is kept.

use super::detect::Evidence;
use super::openai::{self, Turns};
use super::shared::json::Object;
use super::shared::{document, rows};
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{EditScript, Patch, Traits, Transcript};

/// The path of the field with the conversations.
const CONVERSATIONS: &str = "answer_generation.train_messages";

/// The `toolbench` format.
pub(super) struct ToolBench;

/// Whether a document has an answer with a list of conversations.
pub(super) fn has_conversations(fields: &Object<'_>) -> bool {
    let answer = fields.object("answer_generation").unwrap_or_default();
    answer.get("train_messages").is_some_and(|all| all.raw().starts_with('['))
}

impl Format for ToolBench {
    fn name(&self) -> &'static str {
        "toolbench"
    }

    fn layout(&self) -> Layout {
        Layout::PerElement(Some(CONVERSATIONS))
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let is = sample.fields.as_ref().is_some_and(has_conversations);
        is.then(|| Evidence::certain("`answer_generation` with `train_messages`"))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        let traits = Traits { training_row: true, ..Traits::default() };
        match Turns::bare(source) {
            Some(turns) => turns.read(source, options.first_line, traits),
            None if options.lenient => Ok(document::opaque(source, options, traits)),
            None => Err(rows::missing(options.first_line, CONVERSATIONS)),
        }
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        let turns = Turns::bare(transcript.source).filter(|_| transcript.traits.fixed.is_none());
        turns.map(|turns| turns.render(transcript, script)).unwrap_or_default()
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        openai::faults(transcript)
    }

    fn mend(&self, transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) -> Vec<Patch> {
        openai::mend(transcript, faults, script);
        Vec::new()
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::tests::support::{authors, edited, faults, read, stub_results, summary};
    use super::*;
    use crate::format::{detect, elements};
    use crate::transcript::{Author, SummaryRole};

    const SAMPLE: &str = include_str!("../../samples/toolbench/ferry-weather.json");

    fn conversations() -> Vec<&'static str> {
        let found = elements(SAMPLE.as_bytes(), Some(CONVERSATIONS)).unwrap();
        found.into_iter().map(|element| &SAMPLE[element.span]).collect()
    }

    #[test]
    fn every_listed_conversation_is_read_and_none_of_the_tree() {
        let found = detect(SAMPLE.as_bytes()).unwrap();
        assert_eq!((found.name, found.layout), ("toolbench", Layout::PerElement(Some(CONVERSATIONS))));
        let all = conversations();
        let lengths: Vec<_> = all.iter().map(|source| read(&ToolBench, source).messages.len()).collect();
        assert_eq!(lengths, [3, 6, 9]);
        use Author::{Model, Person, System, Tool};
        assert_eq!(authors(&read(&ToolBench, all[2])), [System, Person, Model, Model, Tool, Model, Model, Tool, Model]);
        for source in all {
            assert_eq!(edited(&ToolBench, source, |_, _| {}), source);
            assert_eq!(
                (faults(&ToolBench, source), crate::check::faults_at_rest(&read(&ToolBench, source))),
                (vec![], vec![])
            );
        }
    }

    #[test]
    fn a_summary_before_an_answer_is_a_users_message() {
        let source = conversations()[2];
        let out = edited(&ToolBench, source, |transcript, script| {
            (2..5).for_each(|at| script.keep[at] = false);
            script.inserts = vec![summary(5, SummaryRole::User, "it")];
            stub_results(transcript, script);
        });
        use Author::{Model, Person, Summary, System, Tool};
        assert_eq!(authors(&read(&ToolBench, &out)), [System, Person, Summary, Model, Model, Tool, Model]);
        assert!(out.contains("\"content\": \"<stub />\"") || out.contains("\"content\":\"<stub />\""), "{out}");
        assert_eq!(faults(&ToolBench, &out), []);
    }

    #[test]
    fn what_was_tried_before_is_no_request() {
        let said = |text: &str| {
            let turns = format!(r#"[{{"role":"user","content":"u"}},{{"role":"user","content":"{text}"}}]"#);
            authors(&read(&ToolBench, &turns))[1]
        };
        let tried = r"This is not the first time you try this task, all previous trails failed.\nBefore you generate my thought for this state";
        assert_eq!([said(tried), said("This is not the first time.")], [Author::Harness, Author::Person]);
    }

    #[test]
    fn an_answer_without_a_list_of_conversations_is_none() {
        let found = detect(br#"{"answer_generation": {"train_messages": null}, "tree": {}}"#).unwrap();
        assert!(found.format.is_none() && found.name == "toolbench");
    }
}
