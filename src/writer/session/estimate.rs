//! What a summary would take, without asking: questions, and the tokens that their requests state.

use super::{LEAST, Session};
use crate::model::NOT_STORED;
use crate::question_outcome::{CostEstimate, QuestionOutcome};
use crate::summary::Written;
use crate::transcript::Tokens;
use crate::writer::chunks::chunks;
use crate::writer::draft::Draft;
use crate::writer::flatten::data;

impl Session<'_, '_, '_> {
    /// Estimates the calls and tokens of the summary without asking.
    pub(in crate::writer) fn estimate(&mut self) -> Written {
        let prior = self.prior();
        let room = self.room(prior.as_deref());
        if room < Tokens(LEAST) {
            self.note_no_room(prior.as_deref());
            self.written.estimate = Some(CostEstimate::default());
            return self.written.clone();
        }
        let pieces = chunks(&self.flat.blocks, room, self.task.request.count);
        self.written.chunks = pieces.len();
        self.written.estimate = Some(self.foresee(&pieces, prior));
        if !self.writer.model.sends() {
            let sent = self.written.estimate.take().unwrap_or_default();
            self.written.estimate = Some(CostEstimate { cached: sent.cached, ..CostEstimate::default() });
            if sent.calls > 0 {
                self.note_unsent(QuestionOutcome::NotCached, NOT_STORED.into());
            }
        }
        self.written.clone()
    }

    /// What asking about these chunks takes: the questions without a stored answer. Behind the first of these, nobody
    /// knows the questions, as they have the answers to those before.
    fn foresee(&mut self, pieces: &[String], mut prior: Option<String>) -> CostEstimate {
        let mut estimate = CostEstimate::default();
        let mut known = true;
        for (at, piece) in pieces.iter().enumerate() {
            let place = (at + 1, pieces.len());
            if known {
                let judged = self.ask_twice(piece, place, prior.as_deref());
                let calls = std::mem::take(&mut self.written.calls);
                self.open.clear();
                estimate.cached += calls.iter().filter(|call| call.cached).count() as u64;
                known = calls.iter().all(|call| call.cached);
                if let Some(judged) = judged.filter(|_| known) {
                    prior = Some(data(&Draft::read(&judged.text, &self.asked).render()));
                    continue;
                }
            }
            let prompt = self.prompt(piece, place, prior.as_deref(), (None, 1));
            let carried = if at > 0 && prior.is_none() { self.budget } else { Tokens::default() };
            estimate.calls += 1;
            estimate.input_tokens += prompt.tokens + carried.0;
            estimate.output_tokens += prompt.max_tokens;
        }
        estimate
    }
}
