//! Faults: broken rules, in a form that can be compared before and after a compaction.

use super::Transcript;
use std::collections::BTreeMap;

/// A broken rule in a transcript.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fault {
    /// Line in the file, from 1.
    pub line: usize,
    /// The rule's stable name.
    pub rule: &'static str,
    /// What breaks it: id of a call or record; empty for the whole transcript.
    pub subject: String,
    /// Number of the message that breaks it, from 1, where the line alone does not tell (see
    /// [`Transcript::number_of`]); it is no part of the fault's key.
    pub message: Option<usize>,
}

impl Fault {
    /// A fault that is of no single message, or of one that its line tells.
    pub fn new(line: usize, rule: &'static str, subject: impl Into<String>) -> Self {
        Self { line, rule, subject: subject.into(), message: None }
    }

    /// What a transcript has one fault of, however many of its messages break the rule.
    pub fn identity(&self) -> (usize, &str, &str) {
        (self.line, self.rule, &self.subject)
    }

    /// Key by which faults are compared.
    pub fn key(&self) -> (&str, &str) {
        (self.rule, &self.subject)
    }
}

impl Transcript<'_> {
    /// A fault of the record with this index: on its line, and with its number where lines do not tell records apart.
    pub fn fault(&self, record: usize, rule: &'static str, subject: impl Into<String>) -> Fault {
        let line = self.records.get(record).map_or(1, |record| record.line);
        Fault { message: self.number_at(record), ..Fault::new(line, rule, subject) }
    }
}

/// Sorts faults, and leaves one of several that are the same; it names the first message of theirs.
pub fn distinct(faults: &mut Vec<Fault>) {
    faults.sort();
    faults.dedup_by(|later, first| {
        let is_same = later.identity() == first.identity();
        if is_same {
            first.message = first.message.or(later.message);
        }
        is_same
    });
}

/// Returns the faults of `after` that are not in `before`, compared by rule and subject, since lines move.
pub fn new_faults<'f>(before: &[Fault], after: &'f [Fault]) -> Vec<&'f Fault> {
    let mut known: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for fault in before {
        *known.entry(fault.key()).or_default() += 1;
    }
    let mut new = Vec::new();
    for fault in after {
        match known.get_mut(&fault.key()) {
            Some(left) if *left > 0 => *left -= 1,
            _ => new.push(fault),
        }
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(line: usize, subject: &str) -> Fault {
        Fault::new(line, "orphan_result", subject)
    }

    #[test]
    fn a_fault_that_moved_is_not_new_but_a_second_one_is() {
        let before = [fault(9, "a")];
        let after = [fault(2, "a"), fault(3, "a"), fault(4, "b")];
        assert_eq!(new_faults(&before, &after), [&after[1], &after[2]]);
    }
    #[test]
    fn a_fault_in_other_messages_is_the_same_and_names_the_first_of_them() {
        let of = |line, message| Fault { message, ..fault(line, "a") };
        let mut faults = vec![of(1, Some(7)), of(1, None), of(2, None), of(1, Some(3))];
        assert_eq!(new_faults(&faults[..1], &faults[3..]), Vec::<&Fault>::new());
        distinct(&mut faults);
        assert_eq!(faults, [of(1, Some(3)), of(2, None)]);
    }
}
