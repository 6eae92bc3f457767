//! Endpoints: interface, address and model.

pub use crate::preset::LlmKind as Kind;
use thiserror::Error;

impl Kind {
    /// Address and path of the interface's own provider.
    fn home(self) -> (&'static str, &'static str) {
        match self {
            Self::Openai | Self::OpenaiResponses => ("https://api.openai.com", "/v1"),
            Self::Anthropic => ("https://api.anthropic.com", "/v1"),
            Self::Gemini => ("https://generativelanguage.googleapis.com", "/v1beta"),
        }
    }

    /// The name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Openai => "openai",
            Self::OpenaiResponses => "openai-responses",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
        }
    }
}

/// An endpoint and the request options for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Endpoint {
    /// The interface.
    pub kind: Kind,
    /// The model's name.
    pub model: String,
    /// Base URL without the path of the interface, and without trailing slash.
    pub(super) base: String,
    /// Request a streamed answer.
    pub stream: bool,
    /// Sampling temperature, sent only if set, as some models refuse it.
    pub temperature: Option<f64>,
}

/// Errors of an endpoint's settings.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EndpointError {
    /// The address is no HTTP URL.
    #[error("the base URL has to be http://HOST or https://HOST, with or without port and path")]
    NoAddress,
    /// The address has user, password, query or fragment, which may contain a key.
    #[error("the base URL must hold no user, password, query or fragment; keys come from a variable or a file")]
    Secret,
    /// No model is named.
    #[error("no model is named; say --llm-model NAME")]
    NoModel,
    /// The model's name has characters that would change the URL.
    #[error("the model's name may hold letters, digits and -_.:/@ only")]
    ModelName,
}

impl Endpoint {
    /// Creates an endpoint; without an address, that of the interface's provider.
    ///
    /// # Errors
    /// The address is invalid or contains a secret, or the model's name is missing or invalid.
    pub fn new(kind: Kind, base: Option<&str>, model: &str) -> Result<Self, EndpointError> {
        if model.is_empty() {
            return Err(EndpointError::NoModel);
        }
        if !model.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.:/@".contains(letter)) {
            return Err(EndpointError::ModelName);
        }
        let base = address(base.unwrap_or(kind.home().0), kind)?;
        Ok(Self { kind, model: model.to_owned(), base, stream: false, temperature: None })
    }

    /// The full URL.
    pub(super) fn url(&self) -> String {
        let Self { kind, base, model, stream, .. } = self;
        match kind {
            Kind::Openai => format!("{base}/chat/completions"),
            Kind::OpenaiResponses => format!("{base}/responses"),
            Kind::Anthropic => format!("{base}/messages"),
            Kind::Gemini if *stream => format!("{base}/models/{model}:streamGenerateContent?alt=sse"),
            Kind::Gemini => format!("{base}/models/{model}:generateContent"),
        }
    }

    /// Whether this is OpenAI's own address.
    pub(super) fn is_openai(&self) -> bool {
        self.base.starts_with("https://api.openai.com/")
    }
}

/// Checks an address; one without a path gets the provider's path. The interface's own path behind it, as documentation
/// shows whole URLs, is cut off.
fn address(base: &str, kind: Kind) -> Result<String, EndpointError> {
    let own = match kind {
        Kind::Openai => "/chat/completions",
        Kind::OpenaiResponses => "/responses",
        Kind::Anthropic => "/messages",
        Kind::Gemini => "/models",
    };
    let typed = base.trim().trim_end_matches('/');
    let rest =
        typed.strip_prefix("https://").or_else(|| typed.strip_prefix("http://")).ok_or(EndpointError::NoAddress)?;
    if rest.contains(['@', '?', '#']) {
        return Err(EndpointError::Secret);
    }
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    if host.is_empty() || rest.contains(|letter: char| letter.is_whitespace() || letter.is_control()) {
        return Err(EndpointError::NoAddress);
    }
    Ok(match (path, path.strip_suffix(own)) {
        ("", _) => format!("{typed}{}", kind.home().1),
        (_, None) => typed.to_owned(),
        (_, Some(_)) => typed[..typed.len() - own.len()].to_owned(),
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn url(kind: Kind, base: Option<&str>) -> String {
        Endpoint::new(kind, base, "m-1").unwrap().url()
    }

    #[test]
    fn a_base_without_path_gets_its_makers() {
        assert_eq!(url(Kind::Openai, None), "https://api.openai.com/v1/chat/completions");
        assert_eq!(url(Kind::OpenaiResponses, None), "https://api.openai.com/v1/responses");
        assert_eq!(url(Kind::Anthropic, None), "https://api.anthropic.com/v1/messages");
        assert_eq!(url(Kind::Openai, Some("http://127.0.0.1:8080/")), "http://127.0.0.1:8080/v1/chat/completions");
        assert_eq!(url(Kind::Openai, Some("http://host/api/v2")), "http://host/api/v2/chat/completions");
        for whole in ["http://host/v1/chat/completions", "http://host/chat/completions/"] {
            assert_eq!(url(Kind::Openai, Some(whole)), whole.trim_end_matches('/'));
        }
        assert_eq!(url(Kind::Anthropic, Some("http://host/v1/messages")), "http://host/v1/messages");
        assert_eq!(url(Kind::Gemini, Some("http://models")), "http://models/v1beta/models/m-1:generateContent");
        assert_eq!(url(Kind::Anthropic, Some("http://messages/")), "http://messages/v1/messages");
        assert_eq!(url(Kind::Gemini, Some("http://models/models")), "http://models/models/m-1:generateContent");
        assert!(url(Kind::Gemini, None).ends_with("googleapis.com/v1beta/models/m-1:generateContent"));
    }

    #[test]
    fn an_address_with_a_secret_in_it_is_refused() {
        for base in ["https://me:pass@host/v1", "https://host/v1?key=abc", "https://host/#x"] {
            assert_eq!(Endpoint::new(Kind::Openai, Some(base), "m"), Err(EndpointError::Secret), "{base}");
        }
        for base in ["host:80", "ftp://host", "https://", "http:// x", "file:///etc"] {
            assert_eq!(Endpoint::new(Kind::Openai, Some(base), "m"), Err(EndpointError::NoAddress), "{base}");
        }
        assert_eq!(Endpoint::new(Kind::Gemini, None, "m?key=x"), Err(EndpointError::ModelName));
        assert_eq!(Endpoint::new(Kind::Gemini, None, ""), Err(EndpointError::NoModel));
    }
}
