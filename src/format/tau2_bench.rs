//! The format `tau2-bench`: results of runs of tau2-bench, one document with `simulations`, each with its `messages`.
//!
//! They are OpenAI's messages with the arguments of a call as an object; a result has the id of its call, and both say
//! whose tool it is (`requestor`), since the simulated user has tools, too (sierra-research/tau2-bench,
//! `data_model/message.py`). What loads a result takes every message by its role, so a new one needs nothing more. The
//! answer to a simulation is its reward, which stays beside the messages, as do its tasks and the policy.

use super::detect::Evidence;
use super::openai::{ChatRows, Content, Turns};
use super::shared::json::{Json, Object};

/// The field with the simulations of a run.
const SIMULATIONS: &str = "simulations";

/// The `tau2-bench` format.
pub(super) const FORMAT: ChatRows = ChatRows {
    name: "tau2-bench",
    key: "messages",
    within: Some(SIMULATIONS),
    evidence: |sample| {
        let is = sample.fields.as_ref().is_some_and(|fields| has_messages(fields) || begins(fields));
        is.then(|| Evidence::certain("`simulations` with `messages`, or the `tasks` before them"))
    },
    find: |fields| Turns::all(fields.clone(), fields.get("messages")?).map(Content::Turns),
};

/// Whether a document begins like a result whose simulations are still to come: its tasks may fill megabytes.
fn begins(fields: &Object<'_>) -> bool {
    let info = fields.object("info").unwrap_or_default();
    let told = ["agent_info", "user_info", "environment_info"].iter().all(|key| info.has(key));
    told && fields.has("tasks") && !fields.has(SIMULATIONS)
}

/// Whether a document has simulations, and one of them messages.
pub(super) fn has_messages(fields: &Object<'_>) -> bool {
    let simulations = fields.array(SIMULATIONS).unwrap_or_default().into_iter().filter_map(Json::object);
    let is_turn = |turn: Object<'_>| turn.has("role");
    let mut messages = simulations.filter_map(|simulation| simulation.array("messages"));
    messages.any(|messages| messages.into_iter().find_map(Json::object).is_some_and(is_turn))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::tests::support::{authors, edited, faults, read, stub_results, summary};
    use super::super::{Bytes, Layout, detect, detect_given, elements};
    use super::*;
    use crate::transcript::{Author, PartKind, Status, SummaryRole, units};

    const SAMPLE: &str = include_str!("../../samples/tau2-bench/ferry-tickets.json");

    fn simulations() -> Vec<&'static str> {
        let found = elements(SAMPLE.as_bytes(), Some(SIMULATIONS)).unwrap();
        found.into_iter().map(|element| &SAMPLE[element.span]).collect()
    }

    #[test]
    fn every_simulation_is_a_transcript() {
        let found = detect(SAMPLE.as_bytes()).unwrap();
        assert_eq!((found.name, found.layout), ("tau2-bench", Layout::PerElement(Some(SIMULATIONS))));
        assert!(found.format.is_some());
        let all = simulations();
        assert_eq!(all.len(), 2);
        for source in all {
            assert_eq!(edited(&FORMAT, source, |_, _| {}), source);
            let transcript = read(&FORMAT, source);
            assert_eq!((faults(&FORMAT, source), crate::check::faults_at_rest(&transcript)), (vec![], vec![]));
        }
    }

    #[test]
    fn results_know_their_calls_by_id_and_whether_they_failed() {
        let transcript = read(&FORMAT, simulations()[0]);
        let results =
            transcript.messages.iter().flat_map(|message| &message.parts).filter_map(|part| match &part.kind {
                PartKind::Result { id, tool, error, .. } => {
                    Some((&**id, tool.as_deref().unwrap(), *error, part.status))
                }
                _ => None,
            });
        let unflagged = Some(Status::Unflagged);
        let expected = [
            ("call_f1", "find_sailings", false, unflagged),
            ("call_f2", "get_fares", false, unflagged),
            ("call_f3", "book_ticket", true, None),
            ("call_f4", "book_ticket", false, unflagged),
        ];
        assert_eq!(results.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_the_simulated_user_does_with_its_tools_is_no_request_and_is_not_parted() {
        let transcript = read(&FORMAT, simulations()[1]);
        let at = transcript.messages.iter().position(|it| it.calls().next().is_some()).unwrap();
        assert_eq!(
            authors(&transcript)[at - 1..=at + 2],
            [Author::Model, Author::Harness, Author::Tool, Author::Person]
        );
        let parted = units(&transcript, |_, _| true).into_iter().find(|unit| unit.messages.contains(&at));
        assert_eq!(parted.unwrap().messages, [at, at + 1]);
    }

    #[test]
    fn the_head_becomes_a_message_and_the_rest_stays() {
        let source = simulations()[0];
        let out = edited(&FORMAT, source, |transcript, script| {
            script.keep[..5].fill(false);
            script.inserts = vec![summary(5, SummaryRole::Auto, "it")];
            stub_results(transcript, script);
        });
        use Author::{Model, Person, Summary, Tool};
        let left = [Summary, Person, Model, Tool, Model, Person, Model];
        assert_eq!(authors(&read(&FORMAT, &out))[..7], left);
        assert!(out.contains(r#""content": "<stub />""#) && out.contains(r#""reward": 1.0"#), "{out}");
        assert_eq!(faults(&FORMAT, &out), []);
    }

    #[test]
    fn a_result_is_known_by_what_stands_before_its_simulations() {
        let begun = SAMPLE.find("\"simulations\"").unwrap() - 8;
        let found = detect_given(&SAMPLE.as_bytes()[..begun], Bytes::Beginning).unwrap();
        assert_eq!((found.name, found.layout), ("tau2-bench", Layout::PerElement(Some(SIMULATIONS))));
        assert!(found.format.is_some());
    }

    #[test]
    fn results_without_messages_are_none() {
        for source in
            [r#"{"simulations": []}"#, r#"{"simulations": [{"ticks": [], "messages": null}]}"#, r#"{"ticks": []}"#]
        {
            let found = detect(source.as_bytes()).unwrap();
            assert!(found.format.is_none() && found.name == "tau2-bench", "{source}");
        }
    }
}
