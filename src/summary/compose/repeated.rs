//! Lines that say what a chosen one says.

use super::super::gist::Gist;
use super::super::template::SectionSource;
use super::entry::{Entry, State};
use super::filling::Filling;

impl Filling<'_> {
    /// Whether a chosen line says the same.
    pub(super) fn is_said(&mut self, at: usize) -> bool {
        let gist = self.gist(at);
        let is_rule = self.source == Some(SectionSource::Instructions);
        let said = self.gists.iter().any(|chosen| if is_rule { chosen.says_just(&gist) } else { chosen.says(&gist) });
        self.items[at].gist = Some(gist);
        said
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
