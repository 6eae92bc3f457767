//! Lines that say what a chosen one says.

use super::super::gist::Gist;
use super::super::template::SectionSource;
use super::super::text::whole_key;
use super::entry::{Entry, State};
use super::filling::Filling;

impl Filling<'_> {
    /// Whether a chosen line says the same.
    pub(super) fn is_said(&mut self, at: usize) -> bool {
        let gist = self.gist(at);
        let is_rule = self.source == Some(SectionSource::Instructions);
        let asked = self.question_of(at);
        let says = |chosen: &Gist| if is_rule { chosen.says_just(&gist) } else { chosen.says(&gist) };
        let said = self.gists.iter().any(|(chosen, of)| says(chosen) && !self.differ(asked, *of));
        self.items[at].gist = Some(gist);
        said
    }

    /// The request that a line answers.
    pub(super) fn question_of(&self, at: usize) -> Option<usize> {
        Some(at).filter(|at| self.items[*at].item.answers).and_then(|at| self.request_above(at))
    }

    /// Whether two lines answer requests of other words: then the same answer says something else.
    fn differ(&self, one: Option<usize>, other: Option<usize>) -> bool {
        let key = |at: usize| whole_key(&self.items[at].item.text);
        one.zip(other).is_some_and(|(one, other)| one != other && key(one) != key(other))
    }

    /// The gist of a line, taken from it.
    pub(super) fn gist(&mut self, at: usize) -> Gist {
        let Entry { gist, text, .. } = &mut self.items[at];
        gist.take().unwrap_or_else(|| self.words.gist(text))
    }

    /// Whether a line need not be told, since a chosen one says the same. A request that was made twice is told twice if
    /// something came of it both times: else what came of the first would stand below another one.
    pub(super) fn is_repeated(&mut self, at: usize) -> bool {
        self.is_said(at) && !(0..self.items[at].results.len()).any(|result| self.is_told_or_new(at, result))
    }

    /// Whether a result of a request is chosen or says something new.
    fn is_told_or_new(&mut self, request: usize, result: usize) -> bool {
        let result = self.items[request].results[result];
        self.items[result].is_chosen() || self.items[result].state == State::Open && !self.is_said(result)
    }
}
