//! The client against a misbehaving server: each failure has its outcome, and transient ones are retried.

use crate::server::{Server, Step, completion};
use epitome::model::{
    Answer, Cache, CacheUse, Client, Endpoint, Guard, Http, Key, Kind, Model, Prompt, Reply, Retries, Route, Timeouts,
};
use epitome::question_outcome::QuestionOutcome;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const KEY: &str = "planted-key-0123456789";

fn quick() -> Retries {
    let short = Duration::from_millis(1);
    Retries { most: 2, first: short, longest: short, patience: Duration::from_secs(30) }
}

fn http(timeouts: Timeouts, cancel: &Arc<AtomicBool>) -> Http {
    Http::new(timeouts, &Route::default(), cancel.clone()).unwrap()
}

fn client(server: &Server) -> Client {
    client_with(server, Timeouts::default(), &Arc::default())
}

fn client_with(server: &Server, timeouts: Timeouts, cancel: &Arc<AtomicBool>) -> Client {
    let endpoint = Endpoint::new(Kind::Openai, Some(&server.url()), "m").unwrap();
    Client::new(endpoint, Key::new(KEY), http(timeouts, cancel), 8, str::to_owned).with_retries(quick())
}

fn ask(client: &Client) -> Reply {
    client.ask(&prompt("Why?"))
}

fn prompt(user: &str) -> Prompt {
    Prompt { system: "Be brief.".into(), user: user.into(), max_tokens: 50, tokens: 10 }
}

fn ends(steps: Vec<Step>) -> (&'static str, u32) {
    let server = Server::steps(steps);
    let reply = ask(&client(&server));
    assert!(!format!("{reply:?}").contains(KEY));
    (reply.outcome().name(), reply.account.requests)
}

fn says(text: &str) -> Step {
    Step::Says(text.into())
}

fn status(status: u16, body: &str) -> Step {
    Step::Raw(status, Vec::new(), body.into())
}

#[test]
fn an_answer_comes_with_what_it_took_and_the_key_goes_in_its_header_only() {
    let server = Server::steps(vec![says("because")]);
    let reply = ask(&client(&server));
    assert_eq!(reply.answer.unwrap().text, "because");
    assert_eq!((reply.account.requests, reply.account.usage.total(), reply.account.cached), (1, 120, false));
    let seen = server.seen().remove(0);
    assert_eq!(seen.path, "/v1/chat/completions");
    assert!(seen.headers.iter().any(|line| line.eq_ignore_ascii_case(&format!("authorization: Bearer {KEY}"))));
    assert!(!seen.body.contains(KEY) && !seen.path.contains(KEY));
}

#[test]
fn what_may_pass_is_tried_again() {
    let server_error = || status(503, "busy");
    assert_eq!(ends(vec![server_error(), says("yes")]), ("answered", 2));
    assert_eq!(ends(vec![Step::Closed, says("yes")]), ("answered", 2));
    assert_eq!(ends(vec![Step::Half(completion("yes")), says("yes")]), ("answered", 2));
    for code in [408, 409, 425, 429, 500, 529] {
        assert_eq!(ends(vec![status(code, ""), says("yes")]), ("answered", 2), "{code}");
    }
    assert_eq!(ends(vec![server_error()]), ("http_status", 3));
    assert_eq!(ends(vec![status(429, "")]), ("rate_limited", 3));
    assert_eq!(ends(vec![Step::Half(completion("yes"))]), ("torn", 3));
    assert_eq!(ends(vec![Step::Closed]), ("torn", 3));
    assert_eq!(ends(vec![status(200, r#"{"error":"overloaded"}"#)]), ("server_error", 3));
}

#[test]
fn what_a_torn_stream_was_billed_counts() {
    let bill = r#"{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2}}"#;
    let event = |finish: &str| format!(r#"{{"choices":[{{"delta":{{"content":"yes"}},"finish_reason":{finish}}}]}}"#);
    for (torn, step) in [("null", Step::TornEvents as fn(Vec<String>) -> Step), ("null", Step::Events)] {
        let server = Server::steps(vec![step(vec![event(torn), bill.to_owned()])]);
        let reply = ask(&client(&server));
        assert_eq!((reply.outcome().name(), reply.account.requests), ("torn", 3));
        assert_eq!(reply.account.usage.total(), 27, "every try is billed");
    }
    for step in [Step::TornEvents, Step::Events] {
        let server = Server::steps(vec![step(vec![event("\"stop\""), bill.to_owned()])]);
        let reply = ask(&client(&server));
        assert_eq!((reply.outcome().name(), reply.account.usage.total()), ("answered", 9));
    }
}

#[test]
fn what_cannot_pass_is_asked_once() {
    assert_eq!(ends(vec![status(400, "bad")]), ("http_status", 1));
    assert_eq!(ends(vec![status(404, "no such model")]), ("http_status", 1));
    assert_eq!(ends(vec![status(401, "wrong key")]), ("unauthorized", 1));
    assert_eq!(ends(vec![status(403, "")]), ("unauthorized", 1));
    let spent = r#"{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}"#;
    for (code, body) in [(429, spent), (402, ""), (400, r#"{"error":{"message":"Your credit balance is too low"}}"#)] {
        assert_eq!(ends(vec![status(code, body), says("yes")]), ("quota_spent", 1), "{code}");
    }
    assert_eq!(ends(vec![status(200, spent), says("yes")]), ("quota_spent", 1), "though the status is success");
    let too_long = r#"{"error":{"message":"This model's maximum context length is 8192 tokens"}}"#;
    assert_eq!(ends(vec![status(400, too_long)]), ("too_long_for_model", 1));
    assert_eq!(ends(vec![status(200, "<html>a gateway</html>")]), ("not_json", 1));
    assert_eq!(ends(vec![status(200, "{\"choices\":")]), ("not_json", 1));
    assert_eq!(ends(vec![status(200, r#"{"id":"x"}"#)]), ("not_an_answer", 1));
    assert_eq!(
        ends(vec![status(200, r#"{"error":{"message":"context_length_exceeded"}}"#)]),
        ("too_long_for_model", 1)
    );
    assert_eq!(ends(vec![Step::Huge(9 << 20)]), ("too_large", 1));
    assert_eq!(ends(vec![says("")]), ("empty", 1));
}

#[test]
fn a_redirect_is_not_followed() {
    let elsewhere = Server::steps(vec![says("yes")]);
    let location = format!("location: {}/v1/chat/completions", elsewhere.url());
    let server = Server::steps(vec![Step::Raw(307, vec![location], String::new())]);
    assert_eq!(ask(&client(&server)).outcome(), QuestionOutcome::Redirected);
    assert!(elsewhere.seen().is_empty(), "the key went nowhere else");
}

#[test]
fn a_key_that_is_echoed_is_not_told() {
    let server = Server::steps(vec![status(401, &format!("no such key: {KEY}")), says(&format!("Your key is {KEY}."))]);
    let refused = ask(&client(&server));
    assert_eq!(refused.answer.unwrap_err().to_string(), "unauthorized: status 401: no such key: [key]");
    assert_eq!(ask(&client(&server)).answer.unwrap().text, "Your key is [key].");
}

#[test]
fn retry_after_is_obeyed_unless_it_asks_too_much() {
    let wait = |after: &str| Step::Raw(429, vec![format!("retry-after: {after}")], String::new());
    assert_eq!(ends(vec![wait("0"), says("yes")]), ("answered", 2));
    assert_eq!(ends(vec![wait("Thu, 01 Jan 2015 00:00:00 GMT"), says("yes")]), ("answered", 2));
    assert_eq!(ends(vec![wait("soon"), says("yes")]), ("answered", 2));
    assert_eq!(ends(vec![wait("3600"), says("yes")]), ("rate_limited", 1));
    assert_eq!(ends(vec![wait("Fri, 01 Jan 2100 00:00:00 GMT"), says("yes")]), ("rate_limited", 1));
}

#[test]
fn a_slow_server_runs_into_the_timeouts() {
    let (short, long) = (Duration::from_millis(200), Duration::from_secs(60));
    let outcome = |step: Step, timeouts| {
        let server = Server::steps(vec![step]);
        let reply = ask(&client_with(&server, timeouts, &Arc::default()));
        assert_eq!(reply.account.requests, 1, "it is not waited for again");
        reply.outcome()
    };
    let idle = Timeouts { connect: long, idle: short, total: long };
    assert_eq!(outcome(Step::Silent(Duration::from_secs(20)), idle), QuestionOutcome::Timeout);
    let total = Timeouts { connect: long, idle: long, total: short };
    assert_eq!(outcome(Step::Slow(Duration::from_millis(40), completion("yes")), total), QuestionOutcome::Timeout);
    let patient = Timeouts { connect: long, idle: long, total: long };
    assert_eq!(outcome(Step::Slow(Duration::from_millis(1), completion("yes")), patient), QuestionOutcome::Answered);
}

#[test]
fn nobody_there_is_unreachable_and_after_some_of_it_nothing_is_sent() {
    let url = Server::steps(vec![Step::Closed]).url();
    std::thread::sleep(Duration::from_millis(50));
    let endpoint = Endpoint::new(Kind::Openai, Some(&url), "m").unwrap();
    let client = Client::new(endpoint, None, http(Timeouts::default(), &Arc::default()), 1, str::to_owned);
    let client = client.with_retries(Retries { most: 0, ..quick() });
    let outcomes: Vec<_> = (0..7).map(|_| ask(&client).outcome().name()).collect();
    assert_eq!(outcomes[..5], ["unreachable"; 5]);
    assert_eq!(outcomes[5..], ["breaker_open"; 2]);
}

#[test]
fn a_stopped_run_does_not_wait() {
    let cancel = Arc::new(AtomicBool::new(false));
    let told = cancel.clone();
    let server = Server::start(move |_, _| {
        told.store(true, Ordering::SeqCst);
        Step::Silent(Duration::from_secs(60))
    });
    let client = client_with(&server, Timeouts::default(), &cancel);
    assert_eq!(ask(&client).outcome(), QuestionOutcome::Canceled);
}

#[test]
fn guards_bound_requests_and_tokens() {
    let server = Server::steps(vec![status(503, ""), says("yes")]);
    let calls = client(&server).with_guard(Guard::new(Some(2), None));
    assert_eq!(
        [ask(&calls).outcome(), ask(&calls).outcome()],
        [QuestionOutcome::Answered, QuestionOutcome::CallsSpent]
    );
    assert_eq!(server.seen().len(), 2, "a retry counts, too");
    let tokens = client(&server).with_guard(Guard::new(None, Some(170)));
    assert_eq!(
        [ask(&tokens).outcome(), ask(&tokens).outcome()],
        [QuestionOutcome::Answered, QuestionOutcome::TokensSpent]
    );
}

#[test]
fn a_question_that_is_not_sent_says_nothing_of_the_endpoint() {
    let server = Server::steps(vec![status(503, "")]);
    let client = client(&server).with_guard(Guard::new(Some(7), Some(1_000_000)));
    let retries = Retries { most: 0, ..Retries::default() };
    let client = client.with_retries(retries);
    let big = Prompt { tokens: 2_000_000, ..prompt("Why?") };
    for _ in 0..4 {
        assert_eq!(ask(&client).outcome(), QuestionOutcome::HttpStatus);
        assert_eq!(client.ask(&big).outcome(), QuestionOutcome::TokensSpent);
    }
    assert_eq!(
        [ask(&client).outcome(), ask(&client).outcome()],
        [QuestionOutcome::HttpStatus, QuestionOutcome::BreakerOpen]
    );
}

#[test]
fn what_was_answered_is_not_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::steps(vec![says("yes")]);
    let cached = |how| client(&server).with_cache(Cache::open(folder.path()).unwrap(), how);
    assert_eq!(ask(&cached(CacheUse::Only)).outcome(), QuestionOutcome::NotCached);
    assert!(!ask(&cached(CacheUse::Fill)).account.cached);
    for how in [CacheUse::Fill, CacheUse::Only] {
        let again = ask(&cached(how));
        assert!(again.account.cached && again.account.usage.total() == 0 && again.account.latency.is_zero());
        assert_eq!(again.answer.unwrap().text, "yes");
    }
    assert_eq!(server.seen().len(), 1);
    assert_eq!(cached(CacheUse::Only).ask(&prompt("Who?")).outcome(), QuestionOutcome::NotCached);
    let client = cached(CacheUse::Fill);
    client.remember(&prompt("Why?"), None);
    assert_eq!(ask(&cached(CacheUse::Only)).outcome(), QuestionOutcome::NotCached, "it was of no use");
    let empty = Answer::default();
    client.remember(&prompt("Why?"), Some(&empty));
    assert_eq!(ask(&cached(CacheUse::Only)).outcome(), QuestionOutcome::Empty, "it was of use");
    for file in walkdir::WalkDir::new(folder.path()).into_iter().map(Result::unwrap).filter(|it| it.path().is_file()) {
        let text = std::fs::read_to_string(file.path()).unwrap();
        assert!(!text.contains(KEY) && !text.contains("Why?"), "{text}");
    }
}
