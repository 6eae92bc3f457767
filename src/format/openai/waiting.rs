//! Calls that wait for a result. Lookup by position or tool takes constant time, however many there are.

use foldhash::{HashMap, HashSet};
use std::borrow::Cow;
use std::collections::VecDeque;

/// The calls of one answer, in order.
#[derive(Debug, Default)]
pub(in crate::format) struct Waiting<'a> {
    /// The id of each call, possibly synthesized; `None` once it was taken.
    calls: Vec<Option<Cow<'a, str>>>,
    /// Positions of each tool's calls that may be waiting.
    by_tool: HashMap<Cow<'a, str>, VecDeque<usize>>,
    /// No call before this position is waiting.
    first: usize,
    /// Ids that results named explicitly.
    answered: HashSet<Cow<'a, str>>,
}

impl<'a> Waiting<'a> {
    /// Number of calls added.
    pub(in crate::format) fn count(&self) -> usize {
        self.calls.len()
    }

    /// Adds a call; one without a tool name matches any tool.
    pub(in crate::format) fn add(&mut self, id: Cow<'a, str>, tool: Cow<'a, str>) {
        self.by_tool.entry(tool).or_default().push_back(self.calls.len());
        self.calls.push(Some(id));
    }

    /// Registers a result that names its call.
    pub(in crate::format) fn answer(&mut self, id: Cow<'a, str>) {
        self.answered.insert(id);
    }

    /// Takes all calls that wait.
    pub(in crate::format) fn rest(&mut self) -> Vec<Cow<'a, str>> {
        std::iter::from_fn(|| self.take(None)).collect()
    }

    /// Whether no call is waiting.
    pub(in crate::format) fn is_empty(&mut self) -> bool {
        self.next().is_none()
    }

    /// Removes all calls.
    pub(in crate::format) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes the first waiting call of a tool, or the first of all; it no longer waits.
    pub(in crate::format) fn take(&mut self, tool: Option<&str>) -> Option<Cow<'a, str>> {
        let at = match tool {
            Some(tool) => [tool, ""].into_iter().filter_map(|tool| self.next_of(tool)).min(),
            None => self.next(),
        };
        self.calls.get_mut(at?)?.take()
    }

    fn waits(&self, at: usize) -> bool {
        let id = self.calls.get(at).and_then(Option::as_ref);
        id.is_some_and(|id| !self.answered.contains(id))
    }

    fn next(&mut self) -> Option<usize> {
        while self.first < self.calls.len() && !self.waits(self.first) {
            self.first += 1;
        }
        (self.first < self.calls.len()).then_some(self.first)
    }

    fn next_of(&mut self, tool: &str) -> Option<usize> {
        let mut places = self.by_tool.remove_entry(tool)?;
        while places.1.front().is_some_and(|&at| !self.waits(at)) {
            places.1.pop_front();
        }
        let next = places.1.front().copied();
        self.by_tool.insert(places.0, places.1);
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting(calls: &[(&'static str, &'static str)]) -> Waiting<'static> {
        let mut waiting = Waiting::default();
        for (id, tool) in calls {
            waiting.add(Cow::Borrowed(id), Cow::Borrowed(tool));
        }
        waiting
    }

    #[test]
    fn the_first_call_of_a_tool_that_waits_is_taken_once() {
        let mut calls = waiting(&[("a", "f"), ("b", ""), ("c", "g"), ("d", "f")]);
        let mut take = |tool| calls.take(tool).map(Cow::into_owned);
        let taken = [take(Some("g")), take(Some("g")), take(Some("g")), take(None), take(Some("f")), take(None)];
        assert_eq!(taken.each_ref().map(|id| id.as_deref()), [Some("b"), Some("c"), None, Some("a"), Some("d"), None]);
        assert!(calls.is_empty());
    }

    #[test]
    fn a_call_that_a_result_named_waits_no_more() {
        let mut calls = waiting(&[("a", "f"), ("b", "f"), ("c", "f")]);
        calls.answer(Cow::Borrowed("b"));
        assert_eq!(calls.take(None).as_deref(), Some("a"));
        assert_eq!(calls.take(Some("f")).as_deref(), Some("c"));
        assert!(calls.is_empty());
    }

    #[test]
    fn a_result_of_a_tool_that_nothing_called_looks_at_no_call() {
        let mut calls = waiting(&[("a", "f"), ("b", "f")]);
        assert_eq!(calls.take(Some("g")), None);
        assert_eq!((calls.count(), calls.first), (2, 0));
        assert!(!calls.is_empty());
    }
}
