//! Validity rules of Anthropic's API for the messages of a request (FORMATS §18).
//!
//! Subjects are ids or roles, never positions, so that the faults before and after an edit can be compared.

use super::super::Fault;
use super::super::shared::json::Json;
use super::super::shared::mending::{self, Wanted};
use super::super::shared::{server_tools, speakers};
use crate::transcript::{Change, EditScript, Message, Part, PartEdit, PartKind, Role, Transcript};
use std::collections::{HashMap, HashSet};

/// Returns all faults of a transcript.
pub(super) fn faults(transcript: &Transcript<'_>) -> Vec<Fault> {
    let mut faults = pairing(transcript);
    faults.extend(order(transcript));
    faults.extend(speakers::unknown_in(transcript, "role"));
    faults.sort();
    faults
}

/// Faults in the order of roles: the first message is not the user's, or a role repeats.
pub(in crate::format) fn order(transcript: &Transcript<'_>) -> Vec<Fault> {
    let mut rules = Rules { transcript, faults: Vec::new() };
    let messages: Vec<_> = turns(&transcript.messages).collect();
    if let Some(first) = messages.first().filter(|first| first.role != Role::User) {
        rules.fault(first, "first_not_user", "");
    }
    if let Some([_, second]) = messages.windows(2).find(|pair| matches!(pair, [a, b] if a.role == b.role)) {
        rules.fault(second, "same_role_twice", "");
    }
    rules.faults
}

/// Faults of contents, and of calls and their results.
fn pairing(transcript: &Transcript<'_>) -> Vec<Fault> {
    let messages: Vec<_> = turns(&transcript.messages).collect();
    let runs: Vec<_> = messages.chunks(1).collect();
    checked(&messages, &runs, transcript)
}

/// Like [`pairing`], for a harness that merges consecutive messages of one role before it sends them.
pub(in crate::format) fn pairing_of_runs<'m, 'a: 'm>(
    messages: impl IntoIterator<Item = &'m Message<'a>>,
    transcript: &Transcript<'_>,
) -> Vec<Fault> {
    let messages: Vec<_> = turns(messages).collect();
    let runs: Vec<_> = messages.chunk_by(|one, next| one.role == next.role).collect();
    checked(&messages, &runs, transcript)
}

fn checked(messages: &[&Message<'_>], runs: &[&[&Message<'_>]], transcript: &Transcript<'_>) -> Vec<Fault> {
    let mut rules = Rules { transcript, faults: Vec::new() };
    let thinks = |last: &&&Message<'_>| last.parts.last().is_some_and(|part| part.is_reasoning());
    if let Some(last) = messages.last().filter(|last| last.role == Role::Assistant).filter(thinks) {
        rules.fault(last, "ends_in_thinking", "");
    }
    rules.content(messages);
    rules.pairs(runs);
    rules.faults.sort();
    rules.faults
}

/// Removes empty texts, and messages that hold nothing else.
pub(in crate::format) fn mend(transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) {
    let wanted = Wanted::of(faults);
    mending::drop_empty(transcript, (&wanted, "empty_content"), script, mending::says_nothing);
    for (message, read) in transcript.messages.iter().enumerate().filter(|(_, read)| !mending::says_nothing(read)) {
        if read.role != Role::System && wanted.has("empty_content", transcript.record_of(message), read.role.name()) {
            let empty = read.parts.iter().enumerate().filter(|(_, part)| is_empty(part));
            script.parts.extend(empty.map(|(part, _)| PartEdit { message, part, change: Change::Remove }));
        }
    }
}

fn is_empty(part: &Part<'_>) -> bool {
    part.kind == PartKind::Text && part.text.is_empty()
}

/// Whether no two consecutive messages have the same role.
pub(in crate::format) fn alternates(messages: &[Message<'_>]) -> bool {
    let mut last = None;
    turns(messages).all(|message| last.replace(message.role) != Some(message.role))
}

/// The messages without those of role system.
fn turns<'m, 'a: 'm>(messages: impl IntoIterator<Item = &'m Message<'a>>) -> impl Iterator<Item = &'m Message<'a>> {
    messages.into_iter().filter(|message| message.role != Role::System)
}

struct Rules<'t, 's> {
    transcript: &'t Transcript<'s>,
    faults: Vec<Fault>,
}

impl Rules<'_, '_> {
    fn fault(&mut self, message: &Message<'_>, rule: &'static str, subject: &str) {
        self.faults.push(self.transcript.fault(message.record, rule, subject));
    }

    fn content(&mut self, messages: &[&Message<'_>]) {
        for message in messages {
            if message.parts.is_empty() || message.parts.iter().any(is_empty) {
                self.fault(message, "empty_content", message.role.name());
            }
        }
    }

    /// Checks that every call is answered in the next run of messages, and that each message begins with its results.
    /// A call of the provider's own may be answered in any later message of the model's.
    fn pairs(&mut self, runs: &[&[&Message<'_>]]) {
        let source = self.transcript.source;
        let mut called = HashSet::new();
        let mut answered = HashSet::new();
        let mut open: Vec<(&str, &Message<'_>)> = Vec::new();
        let mut paused: Vec<(&str, &Message<'_>)> = Vec::new();
        for run in runs {
            let inside: HashSet<_> = run.iter().flat_map(|message| answered_inside(message, source)).collect();
            let results: HashSet<_> = run.iter().flat_map(|message| message.results()).collect();
            let mut own: HashMap<usize, HashSet<&str>> = HashMap::new();
            for (id, caller) in open.iter().filter(|(id, _)| !results.contains(id)) {
                match own.entry(caller.record).or_insert_with(|| of_provider(caller, source)).contains(id) {
                    true => paused.push((id, caller)),
                    false => self.fault(caller, "unanswered_call", id),
                }
            }
            let [waiting, delayed] =
                [&open, &paused].map(|calls| calls.iter().map(|(id, _)| *id).collect::<HashSet<_>>());
            for (id, message) in run.iter().flat_map(|message| message.results().map(move |id| (id, message))) {
                let by_provider =
                    || inside.contains(id) && (message.calls().any(|call| call == id) || delayed.contains(id));
                if !answered.insert(id) {
                    self.fault(message, "duplicate_result", id);
                } else if !waiting.contains(id) && !by_provider() {
                    self.fault(message, "orphan_result", id);
                }
            }
            for (late, message) in
                run.iter().filter_map(|message| Some((result_behind_other(message, &inside)?, message)))
            {
                self.fault(message, "results_not_first", late);
            }
            paused.retain(|(id, _)| !inside.contains(id));
            open = run.iter().flat_map(|message| message.calls().map(move |id| (id, *message))).collect();
            for (id, message) in open.iter().filter(|(id, _)| !called.insert(*id)) {
                self.fault(message, "duplicate_call_id", id);
            }
            open.retain(|(id, _)| !inside.contains(id));
        }
        paused.into_iter().for_each(|(id, caller)| self.fault(caller, "unanswered_call", id));
    }
}

/// The ids of a model's message whose results the provider put into the same message.
fn answered_inside<'m>(message: &'m Message<'_>, source: &[u8]) -> Vec<&'m str> {
    let parts = message.parts.iter().filter(|_| message.role == Role::Assistant);
    let answered = parts.filter_map(|part| match &part.kind {
        PartKind::Result { id, .. } => Some(&**id).filter(|_| is_typed(part, source, server_tools::is_result)),
        _ => None,
    });
    answered.collect()
}

/// The ids of the calls in a message that are the provider's own.
fn of_provider<'m>(caller: &'m Message<'_>, source: &[u8]) -> HashSet<&'m str> {
    let own = caller.parts.iter().filter_map(|part| match &part.kind {
        PartKind::Call { id, .. } => Some(&**id).filter(|_| is_typed(part, source, server_tools::is_call)),
        _ => None,
    });
    own.collect()
}

fn is_typed(part: &Part<'_>, source: &[u8], is: impl Fn(&str) -> bool) -> bool {
    let block = Json::at(source, &part.slot.part).and_then(Json::object);
    block.and_then(|block| block.text("type")).is_some_and(|kind| is(&kind))
}

/// The id of a result that comes after a part that is not a result; `inside` are those that may.
fn result_behind_other<'m>(message: &'m Message<'_>, inside: &HashSet<&str>) -> Option<&'m str> {
    let mut behind = message.parts.iter().skip_while(|part| part.is_result());
    behind.find_map(|part| match &part.kind {
        PartKind::Result { id, .. } => Some(&**id).filter(|id| !inside.contains(id)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use crate::format::anthropic_messages::AnthropicMessages;
    use crate::format::tests::support::faults;

    const CALL: &str = r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"quay"}}"#;
    const FOUND: &str = r#"{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}"#;
    const SAID: &str = r#"{"type":"text","text":"x"}"#;

    fn check(said: &[&str], next: &str) -> Vec<(&'static str, String)> {
        let ask = r#"{"role":"user","content":"u"}"#;
        let answer = format!(r#"{{"role":"assistant","content":[{}]}}"#, said.join(","));
        faults(&AnthropicMessages, &format!(r#"{{"messages":[{ask},{answer}{next}]}}"#))
    }

    #[test]
    fn the_provider_answers_its_own_calls_in_the_same_message() {
        let ask = r#",{"role":"user","content":"u"}"#;
        assert_eq!(check(&[SAID, CALL, FOUND, SAID], ask), []);
        let unanswered = ("unanswered_call", "srvtoolu_1".to_owned());
        assert_eq!((check(&[SAID, CALL], ""), check(&[SAID, CALL], ask)), (vec![], vec![unanswered]));
        let own = r#"{"type":"tool_use","id":"a","name":"f","input":{}}"#;
        let result = r#",{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"r"}]}"#;
        let resumed = format!(r#"{result},{{"role":"assistant","content":[{FOUND}]}}"#);
        assert_eq!(check(&[CALL, own], &resumed), [], "it waits for what its program called");
        let other = FOUND.replace("srvtoolu_1", "srvtoolu_2");
        assert_eq!(check(&[CALL, &other], ""), [("orphan_result", "srvtoolu_2".to_owned())]);
        let (call, found) = (CALL.replace("server_tool", "tool"), FOUND.replace("web_search_", ""));
        let rules: Vec<_> = check(&[&call, &found], ask).into_iter().map(|(rule, _)| rule).collect();
        assert_eq!(rules, ["orphan_result", "results_not_first", "unanswered_call"]);
    }
}
