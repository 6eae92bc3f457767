//! The work on one summary: asks about the chunks of the head one after the other, and repairs the answers.

mod estimate;

use super::chunks::chunks;
use super::clean::{Cleaned, clean, has_headings_only, refuses};
use super::draft::Draft;
use super::flatten::{Flat, data, flatten};
use super::headings::without_sections;
use super::question::{Question, SYSTEM, reminder_for, reminder_of};
use super::support::drop_unsupported;
use super::{Writer, WriterSettings};
use crate::model::{Answer, Prompt, Reply};
use crate::question_outcome::{ModelCall, QuestionOutcome};
use crate::secrets::redact;
use crate::summary::{
    NoSummary, SectionFault, SectionRule, SectionSource, Severity, Summary, Task, Template, Validation, Written,
    WrittenBy, is_none, validate, wrap,
};
use crate::transcript::Tokens;

/// How often the chunks are halved if the model's window is smaller than stated.
const HALVINGS: usize = 3;
/// Minimum tokens of a chunk, and of an answer.
const LEAST: u64 = 100;

/// The work on one summary.
pub(super) struct Session<'s, 't, 'a> {
    writer: &'s Writer<'s>,
    task: &'s Task<'t, 'a>,
    extractive: Draft,
    /// The sections that the model writes.
    asked: Template,
    /// Tokens that the wrapped text of those sections may have.
    budget: Tokens,
    flat: Flat,
    written: Written,
    /// Questions and answers (and whether they came from the cache) that are not yet known to be useful.
    open: Vec<(Prompt, Answer, bool)>,
}

/// An answer that is a summary, possibly with faults.
struct Judged {
    text: String,
    cuts: Vec<&'static str>,
    faults: Vec<SectionFault>,
}

impl<'s, 't, 'a> Session<'s, 't, 'a> {
    pub(super) fn new(writer: &'s Writer<'s>, task: &'s Task<'t, 'a>, extractive: &Summary) -> Self {
        let hybrid = writer.settings.hybrid;
        let is_prose =
            |source: Option<SectionSource>| !matches!(source, Some(SectionSource::Instructions | SectionSource::Files));
        let asked = task.template.only(|section| !hybrid || is_prose(section.source));
        let flat = flatten(task, writer.settings);
        let written = Written { redacted: flat.redacted.clone(), ..Written::default() };
        let extractive = Draft::read(&extractive.text, task.template);
        let (budget, open) = (task.request.budget, Vec::new());
        let mut session = Self { writer, task, extractive, asked, budget, flat, written, open };
        session.budget = session.share();
        session
    }

    fn settings(&self) -> &'s WriterSettings {
        self.writer.settings
    }

    fn count(&self, text: &str) -> Tokens {
        (self.task.request.count)(text)
    }

    /// The budget for the sections that the model writes: in a hybrid, what the other sections leave.
    fn share(&self) -> Tokens {
        let whole = self.task.request.budget;
        let others = self.others();
        if others.is_empty() {
            return whole;
        }
        let mut kept = Draft::read("", self.task.template);
        kept.take(&others, &self.extractive);
        let used = self.count(&wrap(&kept.render()));
        whole.saturating_sub(used).max(whole.scaled(1, 4))
    }

    /// Names of the sections that the model does not write.
    fn others(&self) -> Vec<String> {
        let names = |template: &Template| -> Vec<String> {
            template.sections().iter().map(|section| section.name.clone()).collect()
        };
        let asked = names(&self.asked);
        names(self.task.template).into_iter().filter(|name| !asked.contains(name)).collect()
    }

    /// Maximum tokens of an answer.
    fn max_output(&self) -> u64 {
        let stated = self.settings().max_output.unwrap_or(self.budget.0 * 2 + 200);
        stated.min(self.settings().context / 2)
    }

    /// Tokens for a chunk of the head: the rest of the window, less a sixth, since the model's own token count differs.
    fn room(&self, prior: Option<&str>) -> Tokens {
        let left = Tokens(self.settings().context.saturating_sub(self.max_output()));
        left.saturating_sub(self.fixed(prior)).scaled(5, 6)
    }

    /// Tokens of a question without its chunk.
    fn fixed(&self, prior: Option<&str>) -> Tokens {
        let question = self.question("", (1, 2), prior, None);
        // Every chunk but the first comes with the summary of those before it.
        let carried = if prior.is_some() { Tokens::default() } else { self.budget };
        self.count(SYSTEM) + self.count(&question) + carried
    }

    /// Records that the window has no room for the head, and what takes up the room.
    fn note_no_room(&mut self, prior: Option<&str>) {
        let (context, answer, fixed) = (self.settings().context, self.max_output(), self.fixed(prior));
        let detail = format!(
            "{context} tokens (--llm-context) leave no room for the conversation: {answer} are the answer's \
             (--llm-output, --summary-tokens), {fixed} those of template, instructions and the summary so far"
        );
        self.note_unsent(QuestionOutcome::TooLongForModel, detail);
    }

    fn question(
        &self,
        conversation: &str,
        piece: (usize, usize),
        prior: Option<&str>,
        reminder: Option<&str>,
    ) -> String {
        let (template, budget) = (&self.asked, self.budget);
        Question { conversation, piece, prior, template, budget, reminder }.text(self.settings())
    }

    /// The newest earlier summary that is not empty, cleaned.
    fn prior(&mut self) -> Option<String> {
        let newest = self.task.request.prior.iter().rfind(|text| !text.trim().is_empty())?;
        let text = self.flat.prior(newest, self.writer.settings);
        self.written.redacted.clone_from(&self.flat.redacted);
        Some(text)
    }

    /// Asks about all chunks, each together with the summary of those before it.
    pub(super) fn write(&mut self) -> Option<Draft> {
        let prior = self.prior();
        let mut room = self.room(prior.as_deref());
        for _ in 0..=HALVINGS {
            if room < Tokens(LEAST) {
                self.note_no_room(prior.as_deref());
                return None;
            }
            let pieces = chunks(&self.flat.blocks, room, self.task.request.count);
            self.written.chunks = pieces.len();
            let draft = self.fold(&pieces, prior.clone());
            if draft.is_some() || self.last_outcome() != Some(QuestionOutcome::TooLongForModel) {
                return draft;
            }
            room = room.min(pieces.iter().map(|piece| self.count(piece)).max().unwrap_or(room)).scaled(1, 2);
        }
        None
    }

    fn fold(&mut self, pieces: &[String], mut prior: Option<String>) -> Option<Draft> {
        let mut before: Option<Draft> = None;
        for (at, piece) in pieces.iter().enumerate() {
            self.keep();
            let judged = self.ask_twice(piece, (at + 1, pieces.len()), prior.as_deref())?;
            let mut draft = Draft::read(&judged.text, &self.asked);
            if let Some(before) = &before {
                draft.take(&draft.empty(), before);
            }
            (self.written.faults, self.written.cuts) = (judged.faults, judged.cuts);
            prior = Some(data(&draft.render()));
            before = Some(draft);
        }
        before
    }

    /// Asks, and asks once more with a reminder if the answer has errors. Returns the better answer.
    fn ask_twice(&mut self, piece: &str, place: (usize, usize), prior: Option<&str>) -> Option<Judged> {
        let (first, reminder, more) = match self.ask(piece, place, prior, (None, 1)) {
            Ok(judged) => {
                let wrong: Vec<SectionFault> = judged.faults.iter().filter(|fault| is_error(fault)).cloned().collect();
                if wrong.is_empty() {
                    return Some(judged);
                }
                (Some(judged), reminder_for(&wrong), 1)
            }
            Err(outcome) if outcome.is_an_answer() => {
                let short = matches!(outcome, QuestionOutcome::LengthCut | QuestionOutcome::ReasoningOnly);
                (None, reminder_of(outcome), if short { 2 } else { 1 })
            }
            Err(_) => return None,
        };
        let second = self.ask(piece, place, prior, (Some(&reminder), more)).ok();
        let errors = |judged: &Judged| judged.faults.iter().filter(|fault| is_error(fault)).count();
        match (first, second) {
            (Some(first), Some(second)) => Some(if errors(&second) <= errors(&first) { second } else { first }),
            (first, second) => second.or(first),
        }
    }

    /// Asks one question. Returns a summary or the outcome. `more` multiplies the maximum length of the answer.
    fn ask(
        &mut self,
        piece: &str,
        place: (usize, usize),
        prior: Option<&str>,
        (reminder, more): (Option<&str>, u64),
    ) -> Result<Judged, QuestionOutcome> {
        let prompt = self.prompt(piece, place, prior, (reminder, more));
        let model = self.writer.model;
        let reply = if self.settings().estimate { model.recall(&prompt) } else { model.ask(&prompt) };
        let (outcome, judged) = self.judge(&reply);
        self.note(&reply, outcome);
        self.open.extend(reply.answer.ok().map(|answer| (prompt, answer, reply.account.cached)));
        judged.ok_or(outcome)
    }

    fn prompt(
        &self,
        piece: &str,
        place: (usize, usize),
        prior: Option<&str>,
        (reminder, more): (Option<&str>, u64),
    ) -> Prompt {
        let user = self.question(piece, place, prior, reminder);
        let tokens = (self.count(SYSTEM) + self.count(&user)).0;
        let most = self.settings().context.saturating_sub(tokens).max(LEAST);
        let max_tokens = (self.max_output() * more).min(most);
        Prompt { system: SYSTEM.into(), user, max_tokens, tokens }
    }

    /// The last answers were useful: stores them and their questions, so that another run gets them from the cache.
    pub(super) fn keep(&mut self) {
        for (prompt, answer, cached) in self.open.drain(..) {
            if !cached {
                self.writer.model.remember(&prompt, Some(&answer));
            }
        }
    }

    /// The last answers gave no summary: another run asks again.
    fn forget(&mut self) {
        self.open.drain(..).for_each(|(prompt, ..)| self.writer.model.remember(&prompt, None));
    }

    fn judge(&self, reply: &Reply) -> (QuestionOutcome, Option<Judged>) {
        let outcome = reply.outcome();
        let answer = match &reply.answer {
            Ok(answer) if outcome == QuestionOutcome::Answered => answer,
            _ => return (outcome, None),
        };
        let bare = redact(&answer.text).0;
        let Cleaned { mut text, mut cuts } = clean(&bare, self.task.template);
        // Sections that the model was not asked for are not its own.
        let own = without_sections(&text, self.task.template, &self.others());
        if own != text {
            cuts.push("sections");
            text = own;
        }
        if text.is_empty() {
            let thought = cuts.contains(&"thinking");
            return (if thought { QuestionOutcome::ReasoningOnly } else { QuestionOutcome::Empty }, None);
        }
        if refuses(&text, &self.asked) {
            return (QuestionOutcome::Refused, None);
        }
        let nothing = Draft::read(&text, &self.asked).says_nothing();
        if nothing && text.lines().any(is_none) || has_headings_only(&text, &self.asked) {
            return (QuestionOutcome::Empty, None);
        }
        let report = validate(&text, &self.asked).limit(self.count(&wrap(&text)), self.budget.scaled(3, 2));
        (outcome, Some(Judged { cuts, faults: report.all().cloned().collect(), text }))
    }

    fn note(&mut self, reply: &Reply, outcome: QuestionOutcome) {
        let failure = reply.answer.as_ref().err();
        self.written.calls.push(ModelCall {
            outcome,
            status: failure.and_then(|failure| failure.status),
            detail: failure.map(|failure| failure.detail.clone()),
            model: reply.answer.as_ref().ok().and_then(|answer| answer.model.clone()),
            requests: reply.account.requests,
            cached: reply.account.cached,
            latency_ms: u64::try_from(reply.account.latency.as_millis()).unwrap_or(u64::MAX),
            input_tokens: reply.account.usage.input,
            output_tokens: reply.account.usage.output,
        });
    }

    fn note_unsent(&mut self, outcome: QuestionOutcome, detail: String) {
        self.written.calls.push(ModelCall { outcome, detail: Some(detail), ..ModelCall::default() });
    }

    fn last_outcome(&self) -> Option<QuestionOutcome> {
        self.written.calls.last().map(|call| call.outcome)
    }

    /// Drops unsupported lines, fills missing sections, and fits the budget; `None` if nothing of the model's is left.
    pub(super) fn finish(&mut self, mut draft: Draft) -> Option<Summary> {
        self.written.dropped = drop_unsupported(&mut draft, self.task.request);
        if draft.says_nothing() {
            return None;
        }
        let mut whole = Draft::read(&draft.render(), self.task.template);
        let missing = draft.empty();
        self.written.filled = whole.take(&missing, &self.extractive);
        whole.take(&self.others(), &self.extractive);
        let home =
            self.task.template.sections().iter().find(|section| section.source == Some(SectionSource::Discoveries));
        whole.add_once(home.map(|section| section.name.as_str()), &self.task.request.notes);
        if whole.trim(self.task.request.budget, self.task.request.count) {
            self.written.faults.push(SectionFault { rule: SectionRule::TooLong, section: None, line: None });
        }
        Some(self.summary(&whole.render()))
    }

    fn summary(&mut self, text: &str) -> Summary {
        let dropped = self.written.dropped.iter();
        let unsupported = dropped.map(|one| SectionFault {
            rule: SectionRule::Unsupported,
            section: Some(one.section.clone()),
            line: None,
        });
        self.written.faults.extend(unsupported.collect::<Vec<_>>());
        let Validation { sections, faults } = validate(text, self.task.template);
        let by = WrittenBy::Model { hybrid: self.settings().hybrid, filled: !self.written.filled.is_empty() };
        let attempts = u32::try_from(self.written.calls.len()).unwrap_or(u32::MAX);
        let written = Some(Box::new(self.written.clone()));
        Summary {
            text: text.to_owned(),
            wrapped: wrap(text),
            by,
            sections,
            faults,
            attempts,
            lines: Vec::new(),
            written,
        }
    }

    /// Falls back to the extractive summary; an error if that is not allowed.
    pub(super) fn give_up(mut self, extractive: Summary) -> Result<Summary, NoSummary> {
        self.forget();
        // A summary without content in any section would lose the head.
        self.written.unfillable = self.settings().fallback && !self.task.template.is_fillable();
        self.written.fell_back = self.settings().fallback && !self.written.unfillable;
        let attempts = u32::try_from(self.written.calls.len()).unwrap_or(u32::MAX);
        let written = Box::new(self.written);
        if written.fell_back {
            Ok(Summary { attempts, written: Some(written), ..extractive })
        } else {
            Err(NoSummary { written })
        }
    }
}

fn is_error(fault: &SectionFault) -> bool {
    fault.severity() == Severity::Error
}
