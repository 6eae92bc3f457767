//! HTTP requests and responses; the only module that uses the HTTP crate.
//!
//! An exchange runs on its own thread, so that a stopped run does not wait for a slow server.

use super::Failure;
use crate::question_outcome::QuestionOutcome;
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use ureq::http::HeaderMap;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

/// Largest body that is read, in bytes; no summary is that long.
const LARGEST: u64 = 8 << 20;
/// Interval at which a waiting run checks whether it was stopped.
const GLANCE: Duration = Duration::from_millis(50);

/// Timeouts of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// Time to connect.
    pub connect: Duration,
    /// Time between bytes; without streaming, a model sends nothing until it is done.
    pub idle: Duration,
    /// Time for the whole answer.
    pub total: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { connect: Duration::from_secs(10), idle: Duration::from_secs(300), total: Duration::from_secs(600) }
    }
}

/// Network route to an endpoint.
#[derive(Clone, Default)]
pub struct Route<'r> {
    /// Trusted certificates (PEM) in place of Mozilla's.
    pub ca: Option<&'r [u8]>,
    /// Address of a proxy, which may have user and password.
    pub proxy: Option<&'r str>,
}

/// Sends requests.
#[derive(Debug, Clone)]
pub struct Http {
    agent: ureq::Agent,
    cancel: Arc<AtomicBool>,
}

/// A request. It has no `Debug`, as its headers have the key.
pub(super) struct Request {
    pub(super) url: String,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: String,
}

/// A complete response.
#[derive(Debug, Default)]
pub(super) struct Response {
    pub(super) status: u16,
    pub(super) content_type: String,
    pub(super) retry_after: Option<String>,
    pub(super) date: Option<String>,
    pub(super) body: String,
    /// Why the body is incomplete.
    pub(super) torn: Option<Failure>,
}

impl Http {
    /// A client with this route only, whatever the environment says. Once `cancel` is set, it stops waiting.
    ///
    /// # Errors
    /// The certificates can't be read, or the proxy's address is invalid; the message leaves the address out.
    pub fn new(timeouts: Timeouts, route: &Route<'_>, cancel: Arc<AtomicBool>) -> Result<Self, String> {
        let no_proxy =
            |_| "the proxy that the environment names has no address of the kind http://HOST:PORT".to_owned();
        let proxy = route.proxy.map(ureq::Proxy::new).transpose().map_err(no_proxy)?;
        let roots = route.ca.map_or(Ok(RootCerts::WebPki), |pem| {
            certificates(pem).map(|certificates| RootCerts::new_with_certs(&certificates))
        })?;
        let config = ureq::Agent::config_builder()
            .timeout_connect(Some(timeouts.connect))
            .timeout_per_read(Some(timeouts.idle))
            .timeout_global(Some(timeouts.total))
            .http_status_as_error(false)
            .proxy(proxy)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("epitome/", env!("CARGO_PKG_VERSION")))
            .tls_config(TlsConfig::builder().root_certs(roots).build())
            .build();
        Ok(Self { agent: config.into(), cancel })
    }

    /// Whether the run was stopped.
    pub(super) fn canceled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Sends a request and reads the response; returns early if the run is stopped.
    pub(super) fn post(&self, request: Request) -> Result<Response, Failure> {
        let (sender, receiver) = channel();
        let agent = self.agent.clone();
        let exchange = move || sender.send(exchange(&agent, &request)).unwrap_or_default();
        let thread = std::thread::Builder::new().name("model".into()).spawn(exchange);
        thread.map_err(|err| Failure::new(QuestionOutcome::Unreachable, format!("no thread: {err}")))?;
        loop {
            match receiver.recv_timeout(GLANCE) {
                Ok(result) => return result,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Failure::new(QuestionOutcome::Torn, "the request ended without a word"));
                }
                Err(RecvTimeoutError::Timeout) if self.canceled() => return Err(stopped()),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Waits for a while; fails if the run is stopped.
    pub(super) fn wait(&self, pause: Duration) -> Result<(), Failure> {
        let mut left = pause;
        while !left.is_zero() {
            if self.canceled() {
                return Err(stopped());
            }
            let step = left.min(GLANCE);
            std::thread::sleep(step);
            left -= step;
        }
        Ok(())
    }
}

/// The failure of a stopped run.
pub(super) fn stopped() -> Failure {
    Failure::new(QuestionOutcome::Canceled, "the run was stopped")
}

fn certificates(pem: &[u8]) -> Result<Vec<Certificate<'static>>, String> {
    let mut all = Vec::new();
    for item in parse_pem(pem) {
        if let PemItem::Certificate(certificate) = item.map_err(|err| format!("it can't be read: {err}"))? {
            all.push(certificate);
        }
    }
    if all.is_empty() { Err("it holds no certificate in PEM".into()) } else { Ok(all) }
}

fn exchange(agent: &ureq::Agent, request: &Request) -> Result<Response, Failure> {
    let mut call = agent.post(&request.url).header("content-type", "application/json");
    for (name, value) in &request.headers {
        call = call.header(*name, value);
    }
    let response = call.send(&request.body).map_err(|err| failure(&err))?;
    let text = |headers: &HeaderMap, name: &str| headers.get(name)?.to_str().ok().map(str::to_owned);
    let headers = response.headers();
    let mut read = Response {
        status: response.status().as_u16(),
        content_type: text(headers, "content-type").unwrap_or_default(),
        retry_after: text(headers, "retry-after"),
        date: text(headers, "date"),
        ..Response::default()
    };
    let mut bytes = Vec::new();
    let body = response.into_body().into_reader().take(LARGEST + 1).read_to_end(&mut bytes);
    match body {
        // The status says what is wrong.
        Err(_) if read.status != 200 => {}
        Err(err) => read.torn = Some(failure(&ureq::Error::from(err))),
        Ok(_) if bytes.len() as u64 > LARGEST => {
            return Err(Failure::new(QuestionOutcome::TooLarge, format!("more than {LARGEST} bytes")));
        }
        Ok(_) => {}
    }
    read.body = String::from_utf8_lossy(&bytes).into_owned();
    Ok(read)
}

/// Part of the error text for an untrusted certificate.
const UNTRUSTED: &str = "invalid peer certificate";

/// The failure for an error of the HTTP crate.
fn failure(err: &ureq::Error) -> Failure {
    let said = err.to_string();
    if let Some(at) = said.find(UNTRUSTED) {
        let detail = format!("{}; if it is your own authority's, name that with --llm-ca FILE", &said[at..]);
        return Failure::new(QuestionOutcome::Untrusted, detail);
    }
    let outcome = match err {
        ureq::Error::Timeout(_) => QuestionOutcome::Timeout,
        ureq::Error::Io(err) => of_io(err),
        ureq::Error::HostNotFound | ureq::Error::ConnectionFailed | ureq::Error::ConnectProxyFailed(_) => {
            QuestionOutcome::Unreachable
        }
        ureq::Error::Tls(_) | ureq::Error::Rustls(_) | ureq::Error::Pem(_) | ureq::Error::BadUri(_) => {
            QuestionOutcome::Unreachable
        }
        _ => QuestionOutcome::Torn,
    };
    Failure::new(outcome, said)
}

fn of_io(err: &std::io::Error) -> QuestionOutcome {
    use std::io::ErrorKind;
    match err.kind() {
        ErrorKind::TimedOut | ErrorKind::WouldBlock => QuestionOutcome::Timeout,
        ErrorKind::ConnectionRefused | ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => {
            QuestionOutcome::Unreachable
        }
        _ if err.to_string().contains("timeout") => QuestionOutcome::Timeout,
        _ => QuestionOutcome::Torn,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_certificates_is_an_error() {
        let new =
            |pem| Http::new(Timeouts::default(), &Route { ca: Some(pem), ..Route::default() }, Arc::default()).err();
        assert_eq!(new(b"no certificate").as_deref(), Some("it holds no certificate in PEM"));
        let broken = new(b"-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n");
        assert!(broken.is_some_and(|err| err.starts_with("it can't be read")));
    }

    #[test]
    fn the_address_of_a_bad_proxy_is_not_told() {
        let route = Route { proxy: Some("gopher://me:secret@host"), ..Route::default() };
        let told = Http::new(Timeouts::default(), &route, Arc::default()).err();
        assert!(told.is_some_and(|told| !told.contains("secret")));
    }

    #[test]
    fn a_stopped_run_waits_for_nothing() {
        let Ok(http) = Http::new(Timeouts::default(), &Route::default(), Arc::new(AtomicBool::new(true))) else {
            return;
        };
        let waited = http.wait(Duration::from_secs(3600)).map_err(|failure| failure.outcome);
        assert_eq!(waited, Err(QuestionOutcome::Canceled));
    }
}
