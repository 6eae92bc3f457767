//! One request and its response. The only place that names the HTTP crate.
//!
//! The exchange runs on a thread of its own, so that a run that is stopped does not wait for a slow server.

use super::{Failure, Outcome};
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use ureq::http::HeaderMap;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

/// The longest body that is read, in bytes: no summary is that long.
const LARGEST: u64 = 8 << 20;
/// How often a waiting run looks whether it was stopped.
const GLANCE: Duration = Duration::from_millis(50);

/// How long to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// For a connection.
    pub connect: Duration,
    /// For the next byte; without streaming a model is silent until it is done.
    pub idle: Duration,
    /// For the whole answer.
    pub total: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { connect: Duration::from_secs(10), idle: Duration::from_secs(300), total: Duration::from_secs(600) }
    }
}

/// The way to an endpoint.
#[derive(Clone, Default)]
pub struct Route<'r> {
    /// Certificates (PEM) that are trusted instead of Mozilla's.
    pub ca: Option<&'r [u8]>,
    /// The address of a proxy; a user and a password may stand in it.
    pub proxy: Option<&'r str>,
}

/// Sends requests.
#[derive(Debug, Clone)]
pub struct Http {
    agent: ureq::Agent,
    cancel: Arc<AtomicBool>,
}

/// A request; its headers hold the key, so it is never shown.
pub(super) struct Request {
    pub(super) url: String,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: String,
}

/// A response that was read to its end.
#[derive(Debug, Default)]
pub(super) struct Response {
    pub(super) status: u16,
    pub(super) content_type: String,
    pub(super) retry_after: Option<String>,
    pub(super) date: Option<String>,
    pub(super) body: String,
}

impl Http {
    /// A sender that takes this way and no other, whatever the environment says. Once `cancel` is set nothing is waited
    /// for.
    ///
    /// # Errors
    /// There is no certificate where they should be, or the proxy's address is none; the address is not told.
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
    pub(super) fn cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Sends a request and reads the response.
    pub(super) fn post(&self, request: Request) -> Result<Response, Failure> {
        let (sender, receiver) = channel();
        let agent = self.agent.clone();
        let exchange = move || sender.send(exchange(&agent, &request)).unwrap_or_default();
        let thread = std::thread::Builder::new().name("model".into()).spawn(exchange);
        thread.map_err(|err| Failure::new(Outcome::Unreachable, format!("no thread: {err}")))?;
        loop {
            match receiver.recv_timeout(GLANCE) {
                Ok(result) => return result,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Failure::new(Outcome::Torn, "the request ended without a word"));
                }
                Err(RecvTimeoutError::Timeout) if self.cancelled() => return Err(stopped()),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Waits, unless the run is stopped.
    pub(super) fn wait(&self, pause: Duration) -> Result<(), Failure> {
        let mut left = pause;
        while !left.is_zero() {
            if self.cancelled() {
                return Err(stopped());
            }
            let step = left.min(GLANCE);
            std::thread::sleep(step);
            left -= step;
        }
        Ok(())
    }
}

/// The run was stopped.
pub(super) fn stopped() -> Failure {
    Failure::new(Outcome::Cancelled, "the run was stopped")
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
        body: String::new(),
    };
    let mut bytes = Vec::new();
    let body = response.into_body().into_reader().take(LARGEST + 1).read_to_end(&mut bytes);
    match body {
        // What was wrong is said by the status already.
        Err(_) if read.status != 200 => {}
        Err(err) => return Err(failure(&ureq::Error::from(err))),
        Ok(_) if bytes.len() as u64 > LARGEST => {
            return Err(Failure::new(Outcome::TooLarge, format!("more than {LARGEST} bytes")));
        }
        Ok(_) => {}
    }
    read.body = String::from_utf8_lossy(&bytes).into_owned();
    Ok(read)
}

/// What is said of a certificate that is not trusted.
const UNTRUSTED: &str = "invalid peer certificate";

/// The name of what the HTTP crate says.
fn failure(err: &ureq::Error) -> Failure {
    let said = err.to_string();
    if let Some(at) = said.find(UNTRUSTED) {
        let detail = format!("{}; if it is your own authority's, name that with --llm-ca FILE", &said[at..]);
        return Failure::new(Outcome::Untrusted, detail);
    }
    let outcome = match err {
        ureq::Error::Timeout(_) => Outcome::Timeout,
        ureq::Error::Io(err) => of_io(err),
        ureq::Error::HostNotFound | ureq::Error::ConnectionFailed | ureq::Error::ConnectProxyFailed(_) => {
            Outcome::Unreachable
        }
        ureq::Error::Tls(_) | ureq::Error::Rustls(_) | ureq::Error::Pem(_) | ureq::Error::BadUri(_) => {
            Outcome::Unreachable
        }
        _ => Outcome::Torn,
    };
    Failure::new(outcome, said)
}

fn of_io(err: &std::io::Error) -> Outcome {
    use std::io::ErrorKind;
    match err.kind() {
        ErrorKind::TimedOut | ErrorKind::WouldBlock => Outcome::Timeout,
        ErrorKind::ConnectionRefused | ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => {
            Outcome::Unreachable
        }
        _ if err.to_string().contains("timeout") => Outcome::Timeout,
        _ => Outcome::Torn,
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
        assert_eq!(waited, Err(Outcome::Cancelled));
    }
}
