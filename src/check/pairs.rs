//! Calls and results that do not pair up, in any format.

use crate::transcript::{Author, Fault, Part, PartKind, Role, Transcript, stored_id};
use foldhash::{HashMap, HashSet};

/// A part that breaks a rule of pairing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Broken<'s> {
    /// Index of the message.
    pub(super) message: usize,
    /// Index of the part in it.
    pub(super) part: usize,
    /// The rule.
    pub(super) rule: &'static str,
    /// The id of the call.
    pub(super) id: &'s str,
    /// The subject that identifies the fault: call id or tool name.
    pub(super) subject: &'s str,
}

impl Broken<'_> {
    /// The fault, with the place of its record.
    pub(super) fn fault(&self, transcript: &Transcript<'_>) -> Fault {
        transcript.fault(transcript.messages[self.message].record, self.rule, self.subject)
    }
}

/// Every part that breaks a pairing rule, ordered by message and part.
pub(super) fn broken<'s>(transcript: &'s Transcript<'_>) -> Vec<Broken<'s>> {
    let mut broken = Vec::new();
    let mut calls: HashMap<&str, Call<'_>> = HashMap::default();
    for (message, read) in transcript.messages.iter().enumerate() {
        for (part, kind) in read.parts.iter().map(|part| &part.kind).enumerate() {
            let found = |rule, id, name| Broken { message, part, rule, id, subject: subject(id, name) };
            match kind {
                PartKind::Call { id, name } => {
                    let unanswered = found("unanswered_call", id, Some(name));
                    let own = Call { unanswered, results: 0, left: read.abandoned, aborted: read.aborted };
                    if let Some(earlier) = calls.insert(id, own).filter(|earlier| !earlier.left) {
                        broken.push(found("duplicate_call_id", id, Some(name)));
                        broken.extend(earlier.open());
                    }
                }
                PartKind::Result { id, tool, .. } => match calls.get_mut(&**id) {
                    None => broken.push(found("orphan_result", id, tool.as_deref())),
                    Some(call) if call.results > 0 => {
                        broken.push(Broken { subject: call.unanswered.subject, ..found("duplicate_result", id, None) });
                    }
                    Some(call) => call.results += 1,
                },
                _ => {}
            }
        }
    }
    broken.extend(calls.values().filter_map(Call::open));
    broken.sort();
    broken
}

/// The subject that identifies a fault: the id as stored, or the tool's name if the format made the id up.
fn subject<'s>(id: &'s str, name: Option<&'s str>) -> &'s str {
    stored_id(id).or(name).unwrap_or_default()
}

/// A call and the number of its results.
struct Call<'s> {
    unanswered: Broken<'s>,
    results: usize,
    /// Whether it is on an abandoned branch, or in a record that a later one replaces: a copy may follow.
    left: bool,
    /// Whether its turn was aborted: it needs no result.
    aborted: bool,
}

impl<'s> Call<'s> {
    fn open(&self) -> Option<Broken<'s>> {
        (self.results == 0 && !self.aborted).then_some(self.unanswered)
    }
}

/// The assistant messages that a transcript ends on. Only results may follow them, and a format's own compaction
/// record, whose summary the model reads before the kept messages. A harness that continues there answers their calls
/// or takes them back.
///
/// Text after a call is normally the next answer, and the call then is not one that the transcript ends on. There are
/// two exceptions: where records are pieces of API messages, the text may be a late piece or the harness's own; and
/// where no result is recorded at all, none is missing.
pub(super) fn open_messages(transcript: &Transcript<'_>) -> HashSet<usize> {
    let told = |index: &usize| !transcript.messages[*index].abandoned;
    let author = |index: usize| transcript.messages[index].author;
    let record = |index: usize| transcript.traits.native_summary && author(index) == Author::Summary;
    let behind = |index: &usize| author(*index) == Author::Tool || record(*index);
    let mut back = (0..transcript.messages.len()).rev().filter(told).skip_while(behind);
    let model = |index: &usize| transcript.messages[*index].role == Role::Assistant && author(*index) == Author::Model;
    let has = |index: usize, of: &dyn Fn(&Part<'_>) -> bool| transcript.messages[index].parts.iter().any(of);
    let calls = |index: usize| has(index, &|part| part.is_call());
    let words = |index: usize| has(index, &|part| part.kind == PartKind::Text && !part.text.trim().is_empty());
    let piece = |index: usize| transcript.messages[index].group.as_deref().is_some_and(is_stated);
    let recorded = (0..transcript.messages.len()).any(|index| has(index, &|part| part.is_result()));
    let mut said = false;
    let one_answer = |index: &usize| {
        let goes_on = !(said && calls(*index));
        said |= recorded && words(*index) && !piece(*index);
        goes_on
    };
    let last: Vec<_> = back.by_ref().take_while(model).take_while(one_answer).collect();
    let groups: HashSet<_> = last
        .iter()
        .filter_map(|&index| transcript.messages[index].group.as_deref().filter(|id| is_stated(id)))
        .collect();
    let joined = transcript.messages.iter().enumerate();
    let joined = joined.filter(|(_, message)| message.group.as_deref().is_some_and(|group| groups.contains(group)));
    last.iter().copied().chain(joined.map(|(index, _)| index)).collect()
}

/// Whether a message id is stored in the file; ids made up from the position begin with `#`, as for calls.
fn is_stated(id: &str) -> bool {
    !id.starts_with('#')
}

#[cfg(test)]
mod tests {
    use crate::check::{faults, faults_at_rest};
    use crate::transcript::sketch::sketch;
    use crate::transcript::{Fault, PartKind};

    fn names(faults: &[Fault]) -> Vec<(usize, &'static str)> {
        faults.iter().map(|fault| (fault.line, fault.rule)).collect()
    }

    #[test]
    fn a_call_whose_id_was_used_before_is_known_by_that_id() {
        let mut transcript = sketch("u t");
        for id in ["c", "#2 c"] {
            if let PartKind::Call { id: own, .. } = &mut transcript.messages[1].parts[0].kind {
                *own = id.into();
            }
            assert_eq!(faults(&transcript)[0].subject, "c", "{id}");
        }
    }

    #[test]
    fn a_call_that_the_transcript_ends_on_is_no_fault_at_rest() {
        for drawing in ["u t", "u p r", "u t r a t"] {
            let transcript = sketch(drawing);
            assert_eq!((faults_at_rest(&transcript), faults(&transcript).len()), (vec![], 1), "{drawing}");
        }
        let mut stopped = sketch("u t u a");
        assert_eq!(names(&faults_at_rest(&stopped)), [(2, "unanswered_call")]);
        stopped.messages[1].aborted = true;
        assert_eq!(faults(&stopped), [], "its harness leaves it out");
    }

    #[test]
    fn a_call_that_was_made_again_under_its_id_stays_unanswered() {
        let mut transcript = sketch("u t t r");
        for message in [1, 2] {
            if let PartKind::Call { id, .. } = &mut transcript.messages[message].parts[0].kind {
                *id = "call_1".into();
            }
        }
        assert_eq!(names(&faults_at_rest(&transcript)), [(2, "unanswered_call"), (3, "duplicate_call_id")]);
        transcript.messages.pop();
        assert_eq!(names(&faults_at_rest(&transcript)), [(2, "unanswered_call"), (3, "duplicate_call_id")]);
    }

    #[test]
    fn words_behind_a_call_are_the_next_answer_unless_they_are_pieces_of_messages() {
        assert_eq!(faults_at_rest(&sketch("u t a")), [], "results are not recorded");
        assert_eq!(names(&faults_at_rest(&sketch("u t r t a t"))), [(4, "unanswered_call")]);
        assert_eq!(faults_at_rest(&sketch("u a t t")), [], "calls of one answer");
        let mut pieces = sketch("u t r t a");
        pieces.messages[3..].iter_mut().for_each(|message| message.group = Some("m1".into()));
        assert_eq!(faults_at_rest(&pieces), []);
        pieces.messages[3..].iter_mut().for_each(|message| message.group = Some("#1".into()));
        assert_eq!(names(&faults_at_rest(&pieces)), [(4, "unanswered_call")], "no file says that they are one");
    }

    #[test]
    fn the_record_of_a_compaction_does_not_go_on_behind_an_open_call() {
        let mut recorded = sketch("u t S");
        assert_eq!(names(&faults_at_rest(&recorded)), [(2, "unanswered_call")], "a message does");
        recorded.traits.native_summary = true;
        assert_eq!(faults_at_rest(&recorded), []);
        let mut told = sketch("u t S c");
        told.traits.native_summary = true;
        assert_eq!(names(&faults_at_rest(&told)), [(2, "unanswered_call")], "a continuation does");
    }

    #[test]
    fn results_need_a_call_before_them_and_calls_one_result() {
        assert_eq!(names(&faults(&sketch("u r t r a"))), [(2, "orphan_result")]);
        let mut twice = sketch("u t r r a");
        let first = twice.messages[2].parts[0].kind.clone();
        twice.messages[3].parts[0].kind = first;
        assert_eq!(names(&faults(&twice)), [(4, "duplicate_result")]);
        let mut again = sketch("u t u t r a");
        let (call, result) = (again.messages[1].parts[0].kind.clone(), again.messages[4].parts[0].kind.clone());
        again.messages[3].parts[0].kind = call;
        assert_eq!(
            names(&faults(&again)),
            [(2, "unanswered_call"), (4, "duplicate_call_id"), (5, "orphan_result")][..2]
        );
        drop(result);
    }
}
