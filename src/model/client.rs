//! The client: answers from the cache, keeps within the budget, and retries transient failures.

use super::breaker::{Breaker, Reach};
use super::cache::{self, Cache, CacheUse};
use super::http::{Request, Response, stopped};
use super::wire::{self, Unread, Wire, wire};
use super::{
    Account, Answer, Endpoint, Failure, Guard, Http, Key, Model, Permits, Prompt, Reply, Retries, Usage, retry,
};
use crate::question_outcome::QuestionOutcome;
use jiff::Timestamp;
use std::time::{Duration, Instant};

/// How long the breaker stops sending to a failing endpoint.
const REST: Duration = Duration::from_secs(30);
/// Most bytes of an error's text in a message.
const TOLD: usize = 300;
/// Texts of endpoints about a prompt that is too long.
const TOO_LONG: &[&str] = &[
    "context length",
    "context_length",
    "context window",
    "context size",
    "maximum context",
    "too many tokens",
    "prompt is too long",
    "exceeds the maximum number of tokens",
    "request entity too large",
];

/// Texts of endpoints about an exhausted account; some send them with another status, or even with success.
const SPENT: &[&str] =
    &["insufficient_quota", "billing_hard_limit", "credit balance is too low", "insufficient credits"];

/// A client of one endpoint.
pub struct Client {
    endpoint: Endpoint,
    key: Option<Key>,
    http: Http,
    retries: Retries,
    permits: Permits,
    guard: Guard,
    breaker: Breaker,
    cache: Option<(Cache, CacheUse)>,
    /// Removes secrets from texts of the endpoint.
    redact: fn(&str) -> String,
}

impl Client {
    /// A client with at most `concurrency` requests at a time, without cache and budget. `redact` removes secrets from
    /// texts of the endpoint.
    pub fn new(
        endpoint: Endpoint,
        key: Option<Key>,
        http: Http,
        concurrency: usize,
        redact: fn(&str) -> String,
    ) -> Self {
        Self {
            endpoint,
            key,
            http,
            retries: Retries::default(),
            permits: Permits::new(concurrency),
            guard: Guard::default(),
            breaker: Breaker::new(REST),
            cache: None,
            redact,
        }
    }

    /// Sets the retries.
    #[must_use]
    pub fn with_retries(self, retries: Retries) -> Self {
        Self { retries, ..self }
    }

    /// Sets the budget.
    #[must_use]
    pub fn with_guard(self, guard: Guard) -> Self {
        Self { guard, ..self }
    }

    /// Sets the cache and its use.
    #[must_use]
    pub fn with_cache(self, cache: Cache, how: CacheUse) -> Self {
        Self { cache: Some((cache, how)), ..self }
    }

    fn send(&self, wire: &dyn Wire, prompt: &Prompt, body: String, name: &str) -> Reply {
        let Some(_permit) = self.permits.take_unless(|| self.http.canceled()) else {
            return Reply { answer: Err(stopped()), account: Account::default() };
        };
        if let Err(last) = self.breaker.lets_through() {
            let detail = format!("not sent, since those before it failed: {}", last.name());
            return Reply::unsent(QuestionOutcome::BreakerOpen, detail);
        }
        let started = Instant::now();
        let mut account = Account::default();
        let answer = self.try_often(wire, prompt, &body, (name, &mut account));
        account.latency = started.elapsed();
        // If nothing was sent, this is no evidence about the endpoint.
        if account.requests > 0 {
            self.judge(&answer);
        }
        // Stored at once, as it was paid for.
        if let (Ok(answer), Some((cache, _))) = (&answer, &self.cache)
            && answer.outcome() == QuestionOutcome::Answered
        {
            let _ = cache.write(name, &self.endpoint, answer);
        }
        Reply { answer, account }
    }

    /// Reports the outcome of a question that was sent to the breaker.
    fn judge(&self, answer: &Result<Answer, Failure>) {
        match answer {
            Ok(_) => self.breaker.note(Reach::Reached, QuestionOutcome::Answered),
            Err(Failure { outcome: QuestionOutcome::Canceled, .. }) => {}
            // Its first request failed, and no budget is left for another.
            Err(Failure {
                outcome: outcome @ (QuestionOutcome::CallsSpent | QuestionOutcome::TokensSpent), ..
            }) => {
                self.breaker.note(Reach::Down, *outcome);
            }
            Err(failure) => self.breaker.note(Reach::of(failure), failure.outcome),
        }
    }

    fn try_often(
        &self,
        wire: &dyn Wire,
        prompt: &Prompt,
        body: &str,
        (name, account): (&str, &mut Account),
    ) -> Result<Answer, Failure> {
        loop {
            let reserved = prompt.tokens + prompt.max_tokens;
            self.guard.reserve(reserved).map_err(|outcome| Failure::new(outcome, "the budget of this run is spent"))?;
            account.requests += 1;
            let tried = self.once(wire, body);
            let billed = tried.as_ref().map_or_else(|failed| failed.0.usage, |answer| billed(answer, prompt));
            self.guard.settle(reserved, billed.total());
            account.usage += billed;
            let (failure, asked) = match tried {
                Ok(answer) => return Ok(answer),
                Err(failed) => *failed,
            };
            let passes = failure.outcome.is_transient()
                || failure.outcome != QuestionOutcome::QuotaSpent && failure.status.is_some_and(retry::is_transient);
            if let Some(pause) = asked.filter(|pause| passes && *pause > self.retries.patience) {
                self.breaker.wait(pause, failure.outcome);
                let detail = format!("{}; it asks to wait {} s", failure.detail, pause.as_secs());
                return Err(Failure { detail, ..failure });
            }
            if !passes || account.requests > self.retries.most {
                return Err(failure);
            }
            self.http.wait(asked.unwrap_or_else(|| self.retries.pause(account.requests, name)))?;
        }
    }

    /// Sends one request: returns the answer, or the failure and the pause that the endpoint asks for.
    fn once(&self, wire: &dyn Wire, body: &str) -> Result<Answer, Box<(Failure, Option<Duration>)>> {
        let mut headers: Vec<_> = wire.headers().iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        let (header, before) = wire.key_header();
        headers.extend(self.key.iter().map(|key| (header, key.header(before))));
        let request = Request { url: self.endpoint.url(), headers, body: body.to_owned() };
        let response = self.http.post(request).map_err(|failure| (self.clean(failure), None))?;
        if response.status == 200 {
            return self.read(wire, &response).map_err(|failure| Box::new((failure, None)));
        }
        let asked = response.retry_after.as_deref();
        let asked = asked.and_then(|text| retry::asked_pause(text, response.date.as_deref(), Timestamp::now()));
        Err(Box::new((self.refusal(&response), asked)))
    }

    fn read(&self, wire: &dyn Wire, response: &Response) -> Result<Answer, Failure> {
        let read = wire::read(wire, &response.content_type, &response.body);
        if let Some(torn) = response.torn.as_ref().filter(|_| !wire::is_whole_stream(&response.content_type, &read)) {
            let usage = if let Err(Unread::Torn(usage)) = &read { *usage } else { Usage::default() };
            return Err(self.clean(Failure { usage, ..torn.clone() }));
        }
        let mut answer = read.map_err(|unread| {
            let usage = if let Unread::Torn(usage) = &unread { *usage } else { Usage::default() };
            let (outcome, detail) = match unread {
                Unread::NotJson => (QuestionOutcome::NotJson, self.short_text(&response.body)),
                Unread::NotAnAnswer => (QuestionOutcome::NotAnAnswer, self.short_text(&response.body)),
                Unread::Failed { said, error } if says(&error, SPENT) => {
                    (QuestionOutcome::QuotaSpent, self.short_text(&said))
                }
                Unread::Failed { said, error } if says(&error, TOO_LONG) => {
                    (QuestionOutcome::TooLongForModel, self.short_text(&said))
                }
                Unread::Failed { said, .. } => (QuestionOutcome::ServerError, self.short_text(&said)),
                Unread::Torn(_) => (QuestionOutcome::Torn, "the stream ended before its end".to_owned()),
            };
            Failure { status: Some(response.status), usage, ..Failure::new(outcome, detail) }
        })?;
        answer.text = self.hidden(&answer.text);
        answer.model = answer.model.map(|name| self.short_text(&name));
        Ok(answer)
    }

    /// The failure for a status other than 200.
    fn refusal(&self, response: &Response) -> Failure {
        let outcome = match response.status {
            300..=399 => QuestionOutcome::Redirected,
            402 => QuestionOutcome::QuotaSpent,
            400 | 403 | 429 if says(&response.body, SPENT) => QuestionOutcome::QuotaSpent,
            401 | 403 => QuestionOutcome::Unauthorized,
            429 => QuestionOutcome::RateLimited,
            400 | 413 | 422 if says(&response.body, TOO_LONG) => QuestionOutcome::TooLongForModel,
            _ => QuestionOutcome::HttpStatus,
        };
        let detail = format!("status {}: {}", response.status, self.short_text(&response.body));
        Failure { status: Some(response.status), ..Failure::new(outcome, detail) }
    }

    /// The stored answer of this name.
    fn stored(&self, name: &str) -> Option<Reply> {
        let answer = self.cache.as_ref()?.0.read(name)?;
        Some(Reply { answer: Ok(answer), account: Account { cached: true, ..Account::default() } })
    }

    /// The beginning of a text of the endpoint, on one line and without secrets.
    fn short_text(&self, text: &str) -> String {
        let text = self.hidden(text);
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let line: String = line.chars().filter(|letter| !letter.is_control()).collect();
        line[..line.floor_char_boundary(TOLD)].to_owned()
    }

    fn hidden(&self, text: &str) -> String {
        let text = self.key.as_ref().map_or_else(|| text.to_owned(), |key| key.hide_in(text));
        (self.redact)(&text)
    }

    fn clean(&self, failure: Failure) -> Failure {
        Failure { detail: self.short_text(&failure.detail), ..failure }
    }
}

/// Whether a text contains one of these phrases, in any case.
fn says(said: &str, words: &[&str]) -> bool {
    let said = said.to_lowercase();
    words.iter().any(|words| said.contains(words))
}

/// Tokens of an answer: as billed, or estimated if the endpoint does not report them.
fn billed(answer: &Answer, prompt: &Prompt) -> Usage {
    if answer.usage == Usage::default() {
        return Usage { input: prompt.tokens, output: answer.text.len() as u64 / 4 };
    }
    answer.usage
}

/// Why a question without a stored answer has none.
pub const NOT_STORED: &str = "the cache does not have it, and nothing may be sent";

/// What is said for a question without a stored answer.
fn not_stored() -> Reply {
    Reply::unsent(QuestionOutcome::NotCached, NOT_STORED)
}

impl Model for Client {
    fn ask(&self, prompt: &Prompt) -> Reply {
        let wire = wire(self.endpoint.kind);
        let body = match wire.body(&self.endpoint, prompt) {
            Ok(body) => body,
            Err(err) => return Reply::unsent(QuestionOutcome::NotAnAnswer, err.to_string()),
        };
        let name = cache::name(&self.endpoint, &body);
        match self.stored(&name) {
            Some(stored) => stored,
            None if !self.sends() => not_stored(),
            None => self.send(wire, prompt, body, &name),
        }
    }

    fn recall(&self, prompt: &Prompt) -> Reply {
        let body = wire(self.endpoint.kind).body(&self.endpoint, prompt).ok();
        body.and_then(|body| self.stored(&cache::name(&self.endpoint, &body))).unwrap_or_else(not_stored)
    }

    fn sends(&self) -> bool {
        !matches!(&self.cache, Some((_, CacheUse::Only)))
    }

    fn remember(&self, prompt: &Prompt, answer: Option<&Answer>) {
        let Some((cache, CacheUse::Fill)) = &self.cache else { return };
        let Ok(body) = wire(self.endpoint.kind).body(&self.endpoint, prompt) else { return };
        let name = cache::name(&self.endpoint, &body);
        // A cache that can't be written costs money later, but no answer now.
        let _ = match answer {
            None => cache.remove(&name),
            Some(answer) if cache.read(&name).as_ref() == Some(answer) => Ok(()),
            Some(answer) => cache.write(&name, &self.endpoint, answer),
        };
    }
}
