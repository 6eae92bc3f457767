//! Which format a file is of, by content only (FORMATS §17).

use super::Format;
use super::json::Object;

/// The beginning of a file, parsed as far as it can be.
#[derive(Debug, Default)]
pub struct Sample<'a> {
    /// The first 40 lines that are JSON objects.
    pub records: Vec<Object<'a>>,
    /// The object or array that fills the whole file, if it is one JSON value over several lines.
    pub document: Option<super::json::Json<'a>>,
}

/// How sure a guess is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// Two formats would read it; the more common one is taken.
    Assumed,
    /// Keys of the format were found.
    Certain,
}

/// Why a file is of a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// How sure that is.
    pub confidence: Confidence,
    /// The keys that were found, as a sentence fragment.
    pub why: String,
}

/// What was found.
#[derive(Clone)]
pub struct Detected {
    /// The stable name, also of a format that is not supported yet.
    pub name: &'static str,
    /// The format, if it is supported.
    pub format: Option<&'static dyn Format>,
    /// Why.
    pub evidence: Evidence,
}

/// Names the format of a file from its bytes, or from their beginning if `complete` is false.
///
/// # Errors
/// Says what was looked for and what stands there instead.
pub fn detect(_bytes: &[u8], _complete: bool) -> Result<Detected, String> {
    Err("not implemented".into())
}
